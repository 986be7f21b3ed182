//! The record of a match: a header line that says what is played, then one line of JSON for each finished game.
//!
//! Lines are appended whole and synced to the disk one by one, so a match killed at any moment goes on where it was. A
//! last line that was cut in the middle is set aside in a file of its own, never deleted.

use std::ffi::OsString;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::matches::config::Config;
use crate::matches::game::GameRecord;
use crate::matches::reader::Scan;
use crate::matches::{CheckedPlan, MatchError};

pub use crate::matches::reader::Reader;

/// The first line of a record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// Always [`Header::KIND`].
    pub record: String,
    /// The version of this file format.
    pub format: u32,
    /// The version of plyproof that began the record.
    pub version: String,
    /// What is played.
    #[serde(flatten)]
    pub config: Config,
    /// Which part of how many this is, from 1, if the match is split.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<(u32, u32)>,
    /// The rules of the game, in records that are merged with those of other machines.
    #[serde(default, rename = "rules_id", skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
}

impl Header {
    /// What the first line calls itself.
    pub const KIND: &str = "plyproof match";
    /// The newest format this version reads, and the one it writes.
    pub const FORMAT: u32 = 1;

    /// The header this version writes.
    pub fn new(config: Config, shard: Option<(u32, u32)>) -> Self {
        let version = env!("CARGO_PKG_VERSION").to_string();
        Self { record: Self::KIND.to_string(), format: Self::FORMAT, version, config, shard, rules: None }
    }

    /// The header of a record that is merged with others: it says which rules the program has.
    pub(super) fn of_part(plan: &CheckedPlan) -> Self {
        let rules = Some(plan.game.rules().to_string());
        Self { rules, ..Self::new(plan.config().clone(), plan.shard) }
    }

    /// Reads a header line; the error says why it is none, or none for us.
    pub(super) fn parse(line: &[u8]) -> Result<Self, String> {
        // Kind and version first: the rest of a newer header may look different.
        #[derive(Deserialize)]
        struct Opening {
            record: String,
            format: u32,
            version: String,
        }
        let none = || format!("it does not begin with the header of a match, {HEADER_START}…}}");
        if line.len() > LONGEST_HEADER {
            return Err(none());
        }
        let opening: Opening = serde_json::from_slice(line).map_err(|_| none())?;
        if opening.record != Self::KIND {
            return Err(format!("it holds a {:?}, not a {:?}", opening.record, Self::KIND));
        }
        let own = env!("CARGO_PKG_VERSION");
        if opening.format > Self::FORMAT || numbers(&opening.version) > numbers(own) {
            return Err(format!(
                "it was written by plyproof {} (record format {}), which is newer than this plyproof {own} (record format {})",
                opening.version,
                opening.format,
                Self::FORMAT
            ));
        }
        serde_json::from_slice(line).map_err(|error| format!("its header is damaged: {error}"))
    }

    /// Where `self`, found in a record, differs from `wanted`: `seed 1, not 2; …`. None if it is the same match.
    pub(super) fn difference(&self, wanted: &Self) -> Option<String> {
        // Not every record says which rules it was played by.
        let other_rules = self.rules.is_some() && wanted.rules.is_some() && self.rules != wanted.rules;
        if self.config == wanted.config && self.shard == wanted.shard && !other_rules {
            return None;
        }
        let (mut here, mut there) = (Vec::new(), Vec::new());
        for (header, into) in [(self, &mut here), (wanted, &mut there)] {
            let rules = header.rules.clone().filter(|_| other_rules);
            let header = Self { version: String::new(), rules, ..header.clone() };
            flatten("", &serde_json::to_value(header).unwrap_or_default(), into);
        }
        let value = |of: &[(String, String)], name: &str| {
            of.iter().find(|(key, _)| key == name).map_or("nothing".to_string(), |(_, value)| value.clone())
        };
        let mut names: Vec<&String> = here.iter().chain(&there).map(|(name, _)| name).collect();
        names.dedup();
        let mut told: Vec<String> = Vec::new();
        for name in names {
            let (has, wants) = (value(&here, name), value(&there, name));
            let line = format!("{name} is {has}, not {wants}");
            if has != wants && !told.contains(&line) {
                told.push(line);
            }
        }
        Some(told.join("; "))
    }
}

/// Longest header line, in bytes. A summary repeats what it says, so it must not be as long as a game may be.
const LONGEST_HEADER: usize = 1 << 16;
const HEADER_START: &str = r#"{"record":"plyproof match","#;

/// The numbers of a version, for comparison: `0.1.0` is [0, 1, 0].
fn numbers(version: &str) -> Vec<u64> {
    let core = version.split(['-', '+']).next().unwrap_or_default();
    core.split('.').map(|part| part.parse().unwrap_or(u64::MAX)).collect()
}

/// The values of a JSON object by dotted names.
fn flatten(prefix: &str, value: &serde_json::Value, into: &mut Vec<(String, String)>) {
    match value.as_object() {
        Some(object) => {
            for (key, value) in object {
                let name = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
                flatten(&name, value, into);
            }
        }
        None => into.push((prefix.to_string(), value.as_str().map_or(value.to_string(), str::to_string))),
    }
}

/// Whether `line` can be the beginning of a header, and is not some other file that must be left alone.
pub(super) fn cut_header(line: &[u8]) -> bool {
    let common = line.len().min(HEADER_START.len());
    line[..common] == HEADER_START.as_bytes()[..common]
}

/// `path: why`.
pub(super) fn fault(path: &Path, why: impl std::fmt::Display) -> MatchError {
    MatchError::Record(format!("{}: {why}", path.display()))
}

/// A record that games are added to. Nobody else can do so at the same time.
#[derive(Debug)]
pub(crate) struct RecordFile {
    path: PathBuf,
    file: File,
    /// Length of the file up to its last whole line; none if it is no plain file, as a pipe is not.
    length: Option<u64>,
    games: usize,
}

/// A record opened for a match: the file, and what was set aside.
#[derive(Debug)]
pub(crate) struct Opened {
    pub file: RecordFile,
    pub set_aside: Option<String>,
}

impl RecordFile {
    /// Begins the record of a match, or goes on with it if `path` holds the same match: then `each` gets every game that
    /// is in it.
    pub(crate) fn open(path: &Path, header: &Header, each: &mut dyn FnMut(GameRecord)) -> Result<Opened, MatchError> {
        let cannot = |error: io::Error| fault(path, format!("cannot be written: {error}"));
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(cannot)?;
        if !file.metadata().map_err(cannot)?.is_file() {
            let mut record = Self { path: path.to_path_buf(), file, length: None, games: 0 };
            record.append_line(header)?;
            return Ok(Opened { file: record, set_aside: None });
        }
        // Where a file system has no locks, go on without.
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(fault(path, "another match is writing to it"));
        }
        let mut magic = [0; 2];
        if file.read(&mut magic).map_err(cannot)? == 2 && magic == [0x1f, 0x8b] {
            return Err(fault(path, "it is gzipped; unpack it to resume the match"));
        }
        file.rewind().map_err(cannot)?;
        let mut scan = Scan::of(path, file.try_clone().map_err(cannot)?)?;
        if let Some(difference) = scan.header.as_ref().and_then(|found| found.difference(header)) {
            let advice = "name another file, or repeat the options it was begun with";
            return Err(fault(path, format!("it holds another match: {difference}; {advice}")));
        }
        let mut games = 0;
        if scan.header.is_some() {
            while let Some(game) = scan.next_game(header)? {
                games += 1;
                each(game);
            }
        }
        let mut set_aside = None;
        if let Some(torn) = &scan.torn {
            let aside = keep_torn(path, torn)?;
            file.set_len(scan.good).and_then(|()| file.sync_all()).map_err(cannot)?;
            set_aside =
                Some(format!("the last line of {} was torn and is kept in {}", path.display(), aside.display()));
        }
        let mut record = Self { path: path.to_path_buf(), file, length: Some(scan.good), games };
        if scan.header.is_none() {
            record.append_line(header)?;
            record.sync_directory();
        }
        Ok(Opened { file: record, set_aside })
    }

    /// Adds a finished game. It is on the disk when this returns.
    pub(crate) fn append(&mut self, game: &GameRecord) -> Result<(), MatchError> {
        self.append_line(game)?;
        self.games += 1;
        Ok(())
    }

    fn append_line(&mut self, value: &impl Serialize) -> Result<(), MatchError> {
        let mut line = serde_json::to_vec(value).map_err(|error| fault(&self.path, error))?;
        line.push(b'\n');
        let written = self.file.write_all(&line).and_then(|()| match self.length {
            Some(_) => self.file.sync_data(),
            None => Ok(()),
        });
        if let Err(error) = written {
            // Half a line may be there; if it cannot be taken back now, the next run sets it aside.
            if let Some(length) = self.length {
                let _ = self.file.set_len(length);
            }
            let safe = match self.games {
                0 => "no game is in it".to_string(),
                1 => "the 1 game in it is safe".to_string(),
                games => format!("the {games} games in it are safe"),
            };
            return Err(fault(&self.path, format!("cannot be written: {error}; {safe}")));
        }
        self.length = self.length.map(|length| length + line.len() as u64);
        Ok(())
    }

    /// Makes a new file's name as lasting as its contents, where the system can.
    fn sync_directory(&self) {
        let parent = self.path.parent().filter(|parent| !parent.as_os_str().is_empty());
        if let Ok(directory) = File::open(parent.unwrap_or(Path::new("."))) {
            let _ = directory.sync_all();
        }
    }
}

/// Adds a torn line to `FILE.torn`.
fn keep_torn(path: &Path, torn: &[u8]) -> Result<PathBuf, MatchError> {
    let mut name = OsString::from(path);
    name.push(".torn");
    let aside = PathBuf::from(name);
    let mut file = OpenOptions::new()
        .append(true)
        .create(true)
        .open(&aside)
        .map_err(|error| fault(&aside, format!("cannot be written, and a torn line has to go there: {error}")))?;
    let kept = file.write_all(torn).and_then(|()| file.write_all(b"\n")).and_then(|()| file.sync_all());
    kept.map_err(|error| fault(&aside, format!("cannot be written, and a torn line has to go there: {error}")))?;
    Ok(aside)
}

//! Matches played in parts, by many processes or machines: who plays what, and how their records become one.
//!
//! ```text
//! FOLDER/3-of-8.jsonl   pairs 2, 10, 18, … of the match; written by one part alone
//! MERGED.jsonl          what was collected so far; parts only read it
//! ```
//!
//! Which pairs a part plays depends on their numbers alone, and a game on the plan alone. So any number of parts, in any
//! order, killed and begun again, come to the games of a match played in one go.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::fs::{self, File, TryLockError};
use std::io::{BufWriter, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use plyproof_engine::{TextError, WholeFile, quoted};
use serde::Serialize;

use crate::matches::game::GameRecord;
use crate::matches::reader::Reader;
use crate::matches::record::{Header, fault};
use crate::matches::runner::run_checked;
use crate::matches::summary::{Ledger, Summary};
use crate::matches::{CheckedPlan, MatchError};

/// One part of the work. Prints as `3/8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Part {
    /// Its number, from 1.
    pub number: u32,
    /// How many parts there are.
    pub of: u32,
}

impl Part {
    /// Most parts that work is dealt to.
    pub const MOST: u32 = 100_000;

    /// Reads `3/8`.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        let both = text.split_once('/').and_then(|(a, b)| Some((a.trim().parse().ok()?, b.trim().parse().ok()?)));
        let part = both.map(|(number, of)| Self { number, of });
        part.filter(|part| part.number >= 1 && part.number <= part.of && part.of <= Self::MOST)
            .ok_or_else(|| TextError::expected(text, "a part: its number and how many there are, as in 3/8"))
    }

    /// The shard of a match that this part plays, if the matches before it have `before` pairs: so the pairs of all
    /// matches are dealt one by one, and the parts differ by one pair at most.
    pub fn shard(self, before: u64) -> (u32, u32) {
        let of = u64::from(self.of);
        let shift = (u64::from(self.number) - 1 + of - before % of) % of;
        (shift as u32 + 1, self.of)
    }

    /// The part of `of` that plays `pair` of a match with so many pairs before it.
    pub fn of_pair(pair: u32, before: u64, of: u32) -> Self {
        Self { number: ((before + u64::from(pair)) % u64::from(of)) as u32 + 1, of }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

/// A set of games of a match: a bit for each.
#[derive(Clone, Debug, Default)]
pub(super) struct GameSet {
    words: Vec<u64>,
}

impl GameSet {
    fn place(pair: u32, game: u32) -> (usize, u64) {
        let number = 2 * pair as usize + game as usize;
        (number / 64, 1 << (number % 64))
    }

    /// Adds a game; false if it was there.
    pub(super) fn insert(&mut self, pair: u32, game: u32) -> bool {
        let (word, bit) = Self::place(pair, game);
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        let new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        new
    }

    /// Whether the game is there.
    pub(super) fn has(&self, pair: u32, game: u32) -> bool {
        let (word, bit) = Self::place(pair, game);
        self.words.get(word).is_some_and(|word| word & bit != 0)
    }
}

/// What a part plays of a match this time.
#[derive(Clone, Debug)]
pub(crate) struct Turn {
    /// The pairs that are due; a part plays those of them that are its own.
    pub(super) pairs: Range<u32>,
    /// The games that other records have.
    pub(super) elsewhere: GameSet,
}

/// Where the records of a match in parts are.
#[derive(Clone, Debug)]
pub struct PartRecords {
    /// The record that the parts are merged into.
    pub merged: PathBuf,
    /// The folder of the records of the parts.
    pub folder: PathBuf,
}

/// How far a match in parts has come.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Finished games of the plan.
    pub games: u32,
    /// Games of the plan in all.
    pub planned: u32,
    /// Pairs of which a game is missing, in order. None after the answer of a sequential test.
    pub missing: Vec<u32>,
    /// Whether a sequential test has its answer.
    pub decided: bool,
    /// Seconds that both sides have thought, in all games.
    pub seconds: f64,
    /// Numbers of parts that the match was dealt to, as the records have it.
    pub dealt: BTreeSet<u32>,
    /// Records whose last line is cut: somebody writes there, or was killed while writing.
    pub torn: Vec<PathBuf>,
}

impl Tally {
    /// Whether there is nothing left to play.
    pub fn complete(&self) -> bool {
        self.decided || self.missing.is_empty()
    }
}

/// A match put together from its parts.
#[derive(Clone, Debug)]
pub struct Gathered {
    /// How far it has come.
    pub tally: Tally,
    /// Games that were added to the merged record.
    pub new: u32,
}

/// A record that is read, and the shard that its header has to name.
type Source = (PathBuf, Option<(u32, u32)>);

/// What all records of a match hold.
struct Known {
    sources: Vec<Source>,
    /// The digest of each game, and the first record that has it.
    games: HashMap<(u32, u32), (u64, usize)>,
    ledger: Ledger,
    tally: Tally,
}

impl PartRecords {
    /// Those of a match whose merged record is `merged`, in a folder beside it.
    pub fn beside(merged: &Path) -> Self {
        let mut folder = merged.as_os_str().to_owned();
        folder.push(".parts");
        Self { merged: merged.to_path_buf(), folder: folder.into() }
    }

    fn path(&self, (number, of): (u32, u32)) -> PathBuf {
        self.folder.join(format!("{number}-of-{of}.jsonl"))
    }

    /// Plays what no record has of the part `shard` of a match, and writes a record of its own. A match with a
    /// sequential test is played in rounds of so many pairs: what is due are the next pairs after those merged.
    pub fn play(
        &self,
        plan: &CheckedPlan,
        shard: (u32, u32),
        round: u32,
        jobs: usize,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&Summary),
    ) -> Result<Summary, MatchError> {
        let turn = self.turn(plan, shard, round)?;
        let path = self.path(shard);
        if !path.exists() && turn.own_games().next().is_none() {
            let mut summary = Ledger::new(plan.config().clone()).summary();
            summary.complete = true;
            return Ok(summary);
        }
        fs::create_dir_all(&self.folder)
            .map_err(|error| MatchError::Record(format!("cannot make {}: {error}", self.folder.display())))?;
        run_checked(&turn, jobs, Some(&path), stop, progress)
    }

    /// The plan of what the part `shard` plays now.
    fn turn(&self, plan: &CheckedPlan, shard: (u32, u32), round: u32) -> Result<CheckedPlan, MatchError> {
        let mut elsewhere = GameSet::default();
        let mut ledger = Ledger::new(plan.config().clone());
        if self.merged.exists() {
            read(plan, &(self.merged.clone(), None), &mut |game| {
                elsewhere.insert(game.pair, game.game);
                if plan.plays(game.pair) {
                    ledger.add(&game);
                }
                Ok(())
            })?;
        }
        for source in self.files()? {
            match source.1 {
                // Records of one dealing have no game in common; of ours only the own one matters, and that it fits.
                Some((_, of)) if of == shard.1 => {
                    if source.1 == Some(shard) {
                        read_header(plan, &source)?;
                    }
                }
                _ => {
                    read(plan, &source, &mut |game| {
                        elsewhere.insert(game.pair, game.game);
                        Ok(())
                    })?;
                }
            }
        }
        let pairs = match plan.sprt {
            None => 0..plan.pairs(),
            Some(_) if ledger.decided() => 0..0,
            Some(_) => {
                let first = (0..plan.pairs()).find(|&pair| !(ledger.has(pair, 0) && ledger.has(pair, 1)));
                first.map_or(0..0, |first| first..plan.pairs().min(first.saturating_add(round.max(1))))
            }
        };
        let mut turn = plan.clone();
        turn.plan.shard = Some(shard);
        turn.turn = Some(Turn { pairs, elsewhere });
        Ok(turn)
    }

    /// The records of the parts, in the order of their names.
    fn files(&self) -> Result<Vec<Source>, MatchError> {
        let mut found = BTreeSet::new();
        let listed = match fs::read_dir(&self.folder) {
            Ok(listed) => listed,
            Err(_) if !self.folder.exists() => return Ok(Vec::new()),
            Err(error) => return Err(fault(&self.folder, error)),
        };
        for entry in listed {
            let name = entry.map_err(|error| fault(&self.folder, error))?.file_name();
            let shard = name.to_str().and_then(|name| name.strip_suffix(".jsonl")?.split_once("-of-"));
            let shard = shard.and_then(|(number, of)| Part::parse(&format!("{number}/{of}")).ok());
            found.extend(shard.map(|part| (part.of, part.number)));
        }
        Ok(found.into_iter().map(|(of, number)| (self.path((number, of)), Some((number, of)))).collect())
    }

    /// How far the match has come. Nothing is written.
    pub fn tally(&self, plan: &CheckedPlan) -> Result<Tally, MatchError> {
        Ok(self.known(plan)?.tally)
    }

    /// Merges the records of the parts into one, each game once. Refused are records of another plan, of another version
    /// of plyproof or of other rules, and games of which there are two different records.
    pub fn gather(&self, plan: &CheckedPlan) -> Result<Gathered, MatchError> {
        // Whoever plays into the merged record would go on in a file that is no longer there.
        let lock = File::open(&self.merged).ok();
        if let Some(Err(TryLockError::WouldBlock)) = lock.as_ref().map(File::try_lock) {
            return Err(fault(&self.merged, "a match is writing to it; collect when it has ended"));
        }
        let known = self.known(plan)?;
        let from_parts = usize::from(lock.is_some());
        let after = known.ledger.decided_after();
        let kept = |game: &GameRecord, source: usize| {
            let first = known.games.get(&(game.pair, game.game)).is_some_and(|(_, first)| *first == source);
            // What a test no longer looks at is left with the parts, so that the record is that of an undivided match.
            first && (source < from_parts || after.is_none_or(|after| game.pair < after))
        };
        let new = known
            .games
            .iter()
            .filter(|((pair, _), (_, source))| *source >= from_parts && after.is_none_or(|after| *pair < after));
        let new = new.count() as u32;
        if new > 0 {
            let cannot = |error: std::io::Error| fault(&self.merged, format!("cannot be written: {error}"));
            if let Some(parent) = self.merged.parent() {
                fs::create_dir_all(parent).map_err(cannot)?;
            }
            let mut file = BufWriter::new(WholeFile::create(&self.merged).map_err(cannot)?);
            let header = Header { shard: None, ..Header::of_part(plan) };
            write_line(&mut file, &header).map_err(cannot)?;
            for (index, source) in known.sources.iter().enumerate() {
                let mut written = GameSet::default();
                read(plan, source, &mut |game| {
                    if kept(&game, index) && written.insert(game.pair, game.game) {
                        write_line(&mut file, &game).map_err(cannot)?;
                    }
                    Ok(())
                })?;
            }
            let file = file.into_inner().map_err(|error| cannot(error.into_error()))?;
            file.finish().map_err(cannot)?;
        }
        Ok(Gathered { tally: known.tally, new })
    }

    /// Reads every record and compares games that are in several.
    fn known(&self, plan: &CheckedPlan) -> Result<Known, MatchError> {
        let mut sources: Vec<Source> = Vec::new();
        if self.merged.exists() {
            sources.push((self.merged.clone(), None));
        }
        sources.extend(self.files()?);
        let mut games: HashMap<(u32, u32), (u64, usize)> = HashMap::new();
        let mut ledger = Ledger::new(plan.config().clone());
        let mut tally = Tally { planned: 2 * plan.pairs(), ..Tally::default() };
        for (index, source) in sources.iter().enumerate() {
            tally.dealt.extend(source.1.map(|(_, of)| of));
            let torn = read(plan, source, &mut |game| {
                let digest = game.digest();
                let &mut (there, first) = games.entry((game.pair, game.game)).or_insert((digest, index));
                if there != digest {
                    let what = format!("game {} of pair {}", game.game, game.pair);
                    let other = match first == index {
                        true => "another line of it".to_string(),
                        false => sources[first].0.display().to_string(),
                    };
                    return Err(fault(
                        &source.0,
                        format!(
                            "its record of {what} is not that of {other}; keep the file that is right, and remove the other"
                        ),
                    ));
                }
                if plan.plays(game.pair) && ledger.add(&game) {
                    tally.seconds += (game.ms_a + game.ms_b) / 1e3;
                }
                Ok(())
            })?;
            if torn {
                tally.torn.push(source.0.clone());
            }
        }
        tally.games = ledger.len() as u32;
        tally.decided = ledger.decided();
        if !tally.decided {
            tally.missing = (0..plan.pairs()).filter(|&pair| !(ledger.has(pair, 0) && ledger.has(pair, 1))).collect();
        }
        Ok(Known { sources, games, ledger, tally })
    }
}

/// Opens a record that has to be one of `plan`; none if nothing is in it yet.
fn read_header(plan: &CheckedPlan, (path, shard): &Source) -> Result<Option<Reader>, MatchError> {
    let Some(reader) = Reader::of_running(path)? else { return Ok(None) };
    let (header, own) = (reader.header(), Header { shard: *shard, ..Header::of_part(plan) });
    if header.version != own.version {
        let (theirs, ours) = (&header.version, &own.version);
        return Err(fault(
            path,
            format!("it was played by plyproof {theirs}, and this is {ours}; games of two versions make no match"),
        ));
    }
    match header.difference(&own) {
        None => Ok(Some(reader)),
        Some(difference) => Err(fault(path, format!("it holds another match: {difference}"))),
    }
}

/// Calls `each` with every line of a record of `plan`; whether its last line is cut.
fn read(
    plan: &CheckedPlan,
    source: &Source,
    each: &mut dyn FnMut(GameRecord) -> Result<(), MatchError>,
) -> Result<bool, MatchError> {
    let Some(mut reader) = read_header(plan, source)? else { return Ok(true) };
    while let Some(game) = reader.next_game()? {
        each(game)?;
    }
    Ok(reader.torn())
}

fn write_line(file: &mut impl Write, value: &impl Serialize) -> std::io::Result<()> {
    serde_json::to_writer(&mut *file, value)?;
    file.write_all(b"\n")
}

/// Keeps a second collection out of a folder until the file is dropped; where a file system has no locks, nobody is
/// kept out.
pub fn lock_folder(folder: &Path) -> Result<File, MatchError> {
    let path = folder.join("collect.lock");
    let file = File::create(&path).map_err(|error| fault(&path, format!("cannot be written: {error}")))?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(MatchError::Record(format!(
            "{} is being collected by another process",
            quoted(&folder.display().to_string())
        ))),
        _ => Ok(file),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_is_dealt_to_one_part_and_parts_differ_by_one_pair_at_most() {
        for of in 1..12 {
            for pairs in [&[1, 1, 1][..], &[5, 0, 3, 8], &[40]] {
                let mut load = vec![0; of as usize];
                let mut before = 0;
                for &count in pairs {
                    for pair in 0..count {
                        let part = Part::of_pair(pair, before, of);
                        load[part.number as usize - 1] += 1;
                        let owners: Vec<u32> = (1..=of)
                            .filter(|&number| crate::matches::in_shard(Some(Part { number, of }.shard(before)), pair))
                            .collect();
                        assert_eq!(owners, [part.number], "pair {pair} after {before}, of {of}");
                    }
                    before += u64::from(count);
                }
                assert!(load.iter().max().zip(load.iter().min()).is_some_and(|(most, least)| most - least <= 1));
            }
        }
    }

    #[test]
    fn a_part_is_a_number_of_several() {
        assert_eq!(Part::parse("3/8").map(|part| part.to_string()), Ok("3/8".to_string()));
        for text in ["", "3", "0/8", "9/8", "1/0", "-1/8", "1/100001", "a/b", "1/8/2"] {
            assert!(Part::parse(text).is_err(), "{text}");
        }
    }
}

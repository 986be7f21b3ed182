//! Checkpoints: the memory of a solver in a file, so that a long proof survives the end of the process.
//!
//! ```text
//! file    = "plyproof checkpoint 1\n", then blocks, then a block of no bytes
//! block   = bytes (u32) | checksum (u64) | at most 1 MiB      all numbers are little-endian
//! blocks  = the length of the head (u64) | the head as JSON | the memory as core writes it
//! ```
//! The checksum covers a block and its place in the file, and every block is checked before a byte of it is used. The file
//! is written beside its place and takes it when it is complete, so that there is a whole checkpoint at every moment.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::Path;

use plyproof_core::TextError;
use plyproof_core::search::{Aim, Save, Standing};
use serde::{Deserialize, Serialize};

use crate::any_game::AnyGame;
use crate::whole_file::WholeFile;

/// The version of the format, which goes up whenever core writes other bytes.
const VERSION: u32 = 1;
const MAGIC: &str = "plyproof checkpoint";
/// Bytes of a block at most.
const BLOCK: usize = 1 << 20;
/// Bytes of the head at most: the text of a position may be long.
const HEAD: u64 = 16 << 20;

/// What a checkpoint is about, and how far the search had come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// The game with its parameters.
    pub game: String,
    /// The rules of the game.
    pub rules: String,
    /// The position.
    pub position: String,
    /// The word for what is to be found out.
    pub goal: String,
    /// The solver with its parameters.
    pub agent: String,
    /// Bytes that the search may take, on which the sizes of its tables depend.
    pub memory: usize,
    /// Positions opened so far.
    pub nodes: u64,
    /// Seconds taken so far.
    pub seconds: f64,
    /// Whether every question is answered.
    pub answered: bool,
}

impl Checkpoint {
    /// The checkpoint of a search that has not begun.
    pub fn new(game: &dyn AnyGame, goal: Aim, agent: String, memory: usize) -> Self {
        Self {
            game: game.name(),
            rules: game.rules().to_string(),
            position: game.position_text(),
            goal: goal.word().to_string(),
            agent,
            memory,
            nodes: 0,
            seconds: 0.0,
            answered: false,
        }
    }

    /// Whether a search for what this one is about can go on from `other`; if not, what differs.
    pub fn fits(&self, other: &Self) -> Result<(), TextError> {
        let rows = [
            ("game", &self.game, &other.game),
            ("version of the rules", &self.rules, &other.rules),
            ("position", &self.position, &other.position),
            ("goal", &self.goal, &other.goal),
            ("agent", &self.agent, &other.agent),
        ];
        match rows.into_iter().find(|(_, mine, theirs)| mine != theirs) {
            None => Ok(()),
            Some((what, mine, theirs)) => Err(TextError::new(format!(
                "the checkpoint is of another {what}, {}, not of {}: name another file",
                shown(theirs),
                shown(mine)
            ))),
        }
    }

    /// Writes a checkpoint of how a search stands, and returns its bytes. The file at `path` is replaced when that is done.
    pub fn write(&self, path: &Path, standing: Standing, save: &mut Save<'_>) -> io::Result<u64> {
        let Standing { nodes, elapsed, answered } = standing;
        let head = Self { nodes, seconds: elapsed.as_secs_f64(), answered, ..self.clone() };
        let head = serde_json::to_vec(&head).map_err(io::Error::other)?;
        let mut file = BufWriter::new(WholeFile::create(path)?);
        writeln!(file, "{MAGIC} {VERSION}")?;
        let mut blocks = Blocks { file, block: Vec::with_capacity(BLOCK), count: 0, bytes: 0 };
        blocks.write_all(&(head.len() as u64).to_le_bytes())?;
        blocks.write_all(&head)?;
        save(&mut blocks)?;
        blocks.end()?;
        let bytes = blocks.bytes;
        blocks.file.into_inner().map_err(io::IntoInnerError::into_error)?.finish()?;
        Ok(bytes)
    }
}

/// What a text says, but not more than a line.
fn shown(text: &str) -> String {
    plyproof_core::quoted(text)
}

/// A checkpoint that was found: what it is about, and its memory.
pub struct Found {
    /// What it is about.
    pub head: Checkpoint,
    /// The memory, whose every block is checked as it is read.
    pub memory: Box<dyn Read>,
}

/// Opens the checkpoint at `path`, if there is a file.
pub fn open(path: &Path) -> Result<Option<Found>, TextError> {
    let failed = |error: io::Error| TextError::new(error.to_string());
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error)),
    };
    if !file.metadata().map_err(failed)?.is_file() {
        return Err(TextError::new("it is not a regular file; give the name of a regular file or of a new file"));
    }
    let mut file = BufReader::with_capacity(BLOCK, file);
    let mut line = Vec::new();
    (&mut file).take(64).read_until(b'\n', &mut line).map_err(failed)?;
    let line = String::from_utf8_lossy(&line);
    let version = line.strip_suffix('\n').and_then(|line| line.strip_prefix(MAGIC)?.strip_prefix(' '));
    match version.map(str::parse::<u32>) {
        Some(Ok(VERSION)) => {}
        Some(Ok(other)) => {
            let what = format!("it is a checkpoint of version {other}, and this program reads version {VERSION}");
            return Err(TextError::new(what));
        }
        _ => return Err(TextError::new(format!("it is no checkpoint: it does not begin with \"{MAGIC} {VERSION}\""))),
    }
    let mut memory = Checked { file, block: Vec::new(), at: 0, count: 0, ended: false };
    let mut length = [0; 8];
    memory.read_exact(&mut length).map_err(failed)?;
    let length = u64::from_le_bytes(length);
    let mut head = Vec::new();
    let read = (&mut memory).take(length.min(HEAD)).read_to_end(&mut head).map_err(failed)?;
    let head = serde_json::from_slice(&head).ok().filter(|_| read as u64 == length);
    let head = head.ok_or_else(|| TextError::new("its head does not say what it is about"))?;
    Ok(Some(Found { head, memory: Box::new(memory) }))
}

/// A checksum of a block at its place: it differs if any one word does.
fn checksum(place: u64, bytes: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut sum = (place ^ bytes.len() as u64).wrapping_mul(FACTOR);
    let mut add = |word: u64| {
        sum = (sum ^ word).wrapping_mul(FACTOR);
        sum ^= sum >> 32;
    };
    let (words, rest) = bytes.as_chunks::<8>();
    words.iter().for_each(|word| add(u64::from_le_bytes(*word)));
    rest.iter().for_each(|byte| add((*byte).into()));
    sum
}

/// Writes blocks.
struct Blocks<W: Write> {
    file: W,
    block: Vec<u8>,
    count: u64,
    bytes: u64,
}

impl<W: Write> Blocks<W> {
    fn put(&mut self) -> io::Result<()> {
        self.file.write_all(&(self.block.len() as u32).to_le_bytes())?;
        self.file.write_all(&checksum(self.count, &self.block).to_le_bytes())?;
        self.file.write_all(&self.block)?;
        self.bytes += self.block.len() as u64 + 12;
        self.block.clear();
        self.count += 1;
        Ok(())
    }

    /// Writes what is left and the mark of the end.
    fn end(&mut self) -> io::Result<()> {
        if !self.block.is_empty() {
            self.put()?;
        }
        self.put()?;
        self.file.flush()
    }
}

impl<W: Write> Write for Blocks<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let part = bytes.len().min(BLOCK - self.block.len());
        self.block.extend_from_slice(&bytes[..part]);
        if self.block.len() == BLOCK {
            self.put()?;
        }
        Ok(part)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Reads blocks, each of which it checks first.
struct Checked<R: Read> {
    file: R,
    block: Vec<u8>,
    at: usize,
    count: u64,
    ended: bool,
}

impl<R: Read> Checked<R> {
    fn next(&mut self) -> io::Result<()> {
        let cut = |error: io::Error| match error.kind() {
            io::ErrorKind::UnexpectedEof => io::Error::other("it is cut off"),
            _ => error,
        };
        let (mut length, mut sum) = ([0; 4], [0; 8]);
        self.file.read_exact(&mut length).and_then(|()| self.file.read_exact(&mut sum)).map_err(cut)?;
        let changed = || io::Error::other(format!("its bytes were changed: block {} has another checksum", self.count));
        let length = u32::from_le_bytes(length) as usize;
        if length > BLOCK {
            return Err(changed());
        }
        self.block.resize(length, 0);
        self.at = 0;
        self.file.read_exact(&mut self.block).map_err(cut)?;
        if u64::from_le_bytes(sum) != checksum(self.count, &self.block) {
            return Err(changed());
        }
        self.count += 1;
        self.ended = length == 0;
        Ok(())
    }
}

impl<R: Read> Read for Checked<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.at == self.block.len() && !self.ended {
            self.next()?;
        }
        let part = into.len().min(self.block.len() - self.at);
        into[..part].copy_from_slice(&self.block[self.at..self.at + part]);
        self.at += part;
        Ok(part)
    }
}

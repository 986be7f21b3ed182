//! Tables in files: a line of JSON that says what it is, then the values.

use std::fmt;
use std::io::{self, BufRead, Read, Write};

use plyproof_core::{Indexing, checksum, quoted};
use serde::{Deserialize, Serialize};

use crate::table::{LayerCounts, Table};
use crate::values::Values;

/// The version of the format.
const FORMAT: u32 = 1;
/// Longest header, in bytes. It has a line of counts for each number of pieces.
const LONGEST: u64 = 1 << 16;

/// What a table is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The game with its parameters, in the shortest spelling.
    pub game: String,
    /// The version of its rules.
    pub rules: u32,
    /// Pieces on the board at most, where the numbering takes such a limit.
    pub limit: Option<u32>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    #[serde(rename = "plyproof-table")]
    format: u32,
    game: String,
    rules: u32,
    limit: Option<u32>,
    positions: u64,
    counts: Vec<LayerCounts>,
    /// Of this line with an empty checksum, and of the values.
    checksum: String,
}

/// Why a file is not a table that can be used.
#[derive(Debug)]
pub enum ReadError {
    /// It cannot be read.
    Io(io::Error),
    /// What is wrong with it.
    Wrong(String),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Wrong(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for ReadError {}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

fn wrong<T>(what: impl Into<String>) -> Result<T, ReadError> {
    Err(ReadError::Wrong(what.into()))
}

/// What the table that begins here says it is about. Nothing of it is checked but its form.
pub fn header_of(mut source: impl BufRead) -> Result<Named, ReadError> {
    let header = read_header(&mut source)?;
    Ok(Named { game: header.game, rules: header.rules, limit: header.limit })
}

impl<I: Indexing> Table<I> {
    /// Writes the table as one of `named`.
    pub fn write(&self, named: &Named, mut to: impl Write) -> io::Result<()> {
        let values = self.values();
        let mut header = Header {
            format: FORMAT,
            game: named.game.clone(),
            rules: named.rules,
            limit: named.limit,
            positions: values.count(),
            counts: self.counts(),
            checksum: String::new(),
        };
        header.checksum = checksum(&[header_line(&header)?.as_bytes(), values.as_bytes()]);
        to.write_all(header_line(&header)?.as_bytes())?;
        to.write_all(values.as_bytes())?;
        to.flush()
    }

    /// Reads a table that must be about `named`, whose positions `indexing` numbers. The memory it takes is that of the
    /// values, and no more than the source really has.
    pub fn read(indexing: I, named: &Named, mut source: impl BufRead) -> Result<Self, ReadError> {
        let mut header = read_header(&mut source)?;
        if header.game != named.game {
            return wrong(format!("it is a table of {}, not of {}", quoted(&header.game), named.game));
        }
        if header.rules != named.rules {
            let (found, known) = (header.rules, named.rules);
            return wrong(format!("it is about version {found} of the rules of {}, not version {known}", named.game));
        }
        let positions = indexing.layers().last().map_or(0, |layer| layer.positions.end);
        if header.limit != named.limit || header.positions != positions {
            return wrong(format!("its header says {} positions where there are {positions}", header.positions));
        }
        let (needed, mut bytes) = (Values::bytes_for(positions), Vec::new());
        source.take(needed + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 != needed {
            let how = if (bytes.len() as u64) < needed { "it is cut off" } else { "it is too long" };
            return wrong(format!("{how}: {needed} bytes of values should follow the header"));
        }
        let said = std::mem::take(&mut header.checksum);
        if said != checksum(&[header_line(&header)?.as_bytes(), &bytes]) {
            return wrong("it is damaged: the checksum does not fit");
        }
        let Some(values) = Values::from_bytes(bytes, positions) else {
            return wrong("it is damaged: a value is missing");
        };
        Ok(Self::new(indexing, values))
    }
}

fn header_line(header: &Header) -> io::Result<String> {
    Ok(serde_json::to_string(header)? + "\n")
}

fn read_header(source: &mut impl BufRead) -> Result<Header, ReadError> {
    let mut line = Vec::new();
    source.take(LONGEST).read_until(b'\n', &mut line)?;
    let foreign =
        || ReadError::Wrong("it is not a table: it does not begin with a line {\"plyproof-table\":1,…".into());
    let text = std::str::from_utf8(&line).ok().filter(|text| text.ends_with('\n')).ok_or_else(foreign)?;
    let any: serde_json::Value = serde_json::from_str(text).map_err(|_| foreign())?;
    match any.get("plyproof-table").and_then(serde_json::Value::as_u64) {
        None => return Err(foreign()),
        Some(format) if format != u64::from(FORMAT) => {
            return wrong(format!("table format {format} is not known, only format {FORMAT}"));
        }
        Some(_) => {}
    }
    let header: Header =
        serde_json::from_str(text).map_err(|error| ReadError::Wrong(format!("its header is damaged: {error}")))?;
    // Spaces or another order would escape the checksum.
    if header_line(&header)? != text {
        wrong("its header is damaged: it is not written as tables write it")
    } else {
        Ok(header)
    }
}

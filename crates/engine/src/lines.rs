//! Lines of a file, plain or gzipped, read one by one in bounded memory whatever the file holds.

use std::fmt;
use std::io::{self, BufRead, BufReader, Cursor, Read};

use flate2::bufread::MultiGzDecoder;

use crate::units::size_text;

/// Longest accepted line, in bytes. The longest sensible record of a game is a tenth of it.
pub const LONGEST_LINE: usize = 16 << 20;

/// Most bytes that a gzipped file may unpack to: gzip packs repetitions a thousand times, so a small file could keep a
/// reader busy for hours. A plain file has no such limit.
pub const MOST_UNPACKED: u64 = 4_000_000_000;

const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];

/// The lines of a stream, with their numbers.
pub struct Lines {
    reader: Box<dyn BufRead>,
    line: Vec<u8>,
    number: u64,
    bytes: u64,
    /// Most bytes to read.
    most: u64,
    whole: bool,
}

/// Why there is no next line.
#[derive(Debug)]
pub enum LineError {
    /// A line is longer than [`LONGEST_LINE`].
    TooLong,
    /// Gzip data unpacks to more than this many bytes.
    TooMuch(u64),
    /// The source cannot be read, or is broken gzip data.
    Unreadable(io::Error),
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong => write!(f, "the line is longer than {} MB", LONGEST_LINE >> 20),
            Self::TooMuch(most) => {
                let most = size_text(*most);
                write!(f, "the gzip data unpacks to more than {most}; unpack the file, which then may have any length")
            }
            Self::Unreadable(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                f.write_str("the gzip data is cut off")
            }
            Self::Unreadable(error) => error.fmt(f),
        }
    }
}

impl Lines {
    /// Reads `source`, plain or gzipped.
    pub fn new(source: impl Read + 'static) -> io::Result<Self> {
        Self::within(source, MOST_UNPACKED)
    }

    /// Reads `source` with another limit of what gzip may unpack to.
    pub fn within(source: impl Read + 'static, most: u64) -> io::Result<Self> {
        let (reader, zipped) = opened(source)?;
        let most = if zipped { most } else { u64::MAX };
        Ok(Self { reader, line: Vec::new(), number: 0, bytes: 0, most, whole: true })
    }

    /// The next line without its line break, and its number counted from 1. `None` at the end.
    pub fn next_line(&mut self) -> Result<Option<(u64, &[u8])>, LineError> {
        self.line.clear();
        self.number += 1;
        let limit = LONGEST_LINE as u64 + 1;
        let read = self.reader.by_ref().take(limit).read_until(b'\n', &mut self.line);
        let read = read.map_err(LineError::Unreadable)?;
        if read == 0 {
            return Ok(None);
        }
        self.bytes += read as u64;
        if self.bytes > self.most {
            return Err(LineError::TooMuch(self.most));
        }
        self.whole = self.line.last() == Some(&b'\n');
        if self.whole {
            self.line.pop();
        } else if self.line.len() > LONGEST_LINE {
            return Err(LineError::TooLong);
        }
        Ok(Some((self.number, &self.line)))
    }

    /// The last line that was read, without its line break.
    pub fn last(&self) -> &[u8] {
        &self.line
    }

    /// Whether the last line had a line break at its end.
    pub fn whole(&self) -> bool {
        self.whole
    }

    /// Bytes of all lines so far with their line breaks, unpacked.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The number of the line that was asked for last, counted from 1.
    pub fn number(&self) -> u64 {
        self.number
    }
}

/// What `source` holds, unpacked if need be; gzip is recognised by its first two bytes, not by a name.
pub fn unpacked(source: impl Read + 'static) -> io::Result<Box<dyn BufRead>> {
    opened(source).map(|(reader, _)| reader)
}

/// What `source` holds, unpacked if need be, and whether it is gzipped.
fn opened(mut source: impl Read + 'static) -> io::Result<(Box<dyn BufRead>, bool)> {
    let mut first = Vec::with_capacity(GZIP_MAGIC.len());
    source.by_ref().take(GZIP_MAGIC.len() as u64).read_to_end(&mut first)?;
    let zipped = first == GZIP_MAGIC;
    let whole = BufReader::with_capacity(1 << 16, Cursor::new(first).chain(source));
    if !zipped {
        return Ok((Box::new(whole), false));
    }
    Ok((Box::new(BufReader::with_capacity(1 << 16, MultiGzDecoder::new(whole))), true))
}

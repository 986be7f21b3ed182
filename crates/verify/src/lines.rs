//! Lines of a certificate, read one by one in bounded memory whatever they hold.

use std::io::{self, BufRead, Read};

use crate::error::VerifyError;
use crate::header::Header;

/// Longest accepted line, in bytes, its line break included. Positions of most games take less than a hundredth of it.
pub const LONGEST_LINE: usize = 1 << 16;

/// The lines of a certificate with their numbers.
pub(crate) struct Lines {
    reader: Box<dyn BufRead>,
    line: Vec<u8>,
    number: u64,
}

impl Lines {
    pub(crate) fn new(reader: Box<dyn BufRead>) -> Self {
        Self { reader, line: Vec::new(), number: 0 }
    }

    /// The next line without its line break, and its number counted from 1. `None` at the end.
    pub(crate) fn next(&mut self) -> Result<Option<(u64, &str)>, VerifyError> {
        self.line.clear();
        self.number += 1;
        let line = self.number;
        let read = self.reader.by_ref().take(LONGEST_LINE as u64).read_until(b'\n', &mut self.line);
        if read.map_err(|error| VerifyError::Unreadable { line, error })? == 0 {
            return Ok(None);
        }
        // A file that was cut inside its last line must not pass for one that ends there.
        if self.line.pop() != Some(b'\n') {
            let why = if self.line.len() + 1 == LONGEST_LINE {
                format!("the line is longer than {LONGEST_LINE} bytes")
            } else {
                "the line has no line break: the file is cut off".to_string()
            };
            return Err(VerifyError::refused(line, why));
        }
        match std::str::from_utf8(&self.line) {
            Ok(text) => Ok(Some((line, text))),
            Err(_) => Err(VerifyError::refused(line, "the line is not UTF-8 text")),
        }
    }

    /// The first line, read as a header.
    pub(crate) fn header(&mut self) -> Result<Header, VerifyError> {
        match self.next()? {
            None => Err(VerifyError::refused(1, "there is nothing in it, not even a header")),
            Some((line, text)) => Header::parse(text).map_err(|error| VerifyError::refused(line, error.to_string())),
        }
    }
}

/// The header of a certificate, to know which game to check it with.
pub fn read_header(reader: impl BufRead + 'static) -> Result<Header, VerifyError> {
    Lines::new(Box::new(reader)).header()
}

/// What opening a source failed with, as a fault of its first line.
pub(crate) fn unopened(error: io::Error) -> VerifyError {
    VerifyError::Unreadable { line: 1, error }
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Cursor};

    use super::*;

    fn all(bytes: impl Into<Vec<u8>>) -> Result<Vec<String>, String> {
        let mut lines = Lines::new(Box::new(Cursor::new(bytes.into())));
        let mut texts = Vec::new();
        while let Some((number, line)) = lines.next().map_err(|error| error.to_string())? {
            texts.push(format!("{number}:{line}"));
        }
        Ok(texts)
    }

    #[test]
    fn lines_are_numbered_and_need_their_line_breaks() {
        assert_eq!(all(""), Ok(vec![]));
        assert_eq!(all("a\n\nbc\n").expect("lines"), ["1:a", "2:", "3:bc"]);
        assert_eq!(all("a\nb").expect_err("cut"), "line 2: the line has no line break: the file is cut off");
        assert_eq!(all(*b"a\n\xff\n").expect_err("no text"), "line 2: the line is not UTF-8 text");
    }

    #[test]
    fn a_line_without_end_is_refused_before_it_fills_the_memory() {
        let mut endless = Lines::new(Box::new(BufReader::new(io::repeat(b'x'))));
        let error = endless.next().expect_err("endless").to_string();
        assert_eq!(error, "line 1: the line is longer than 65536 bytes");
        let longest = [vec![b'x'; LONGEST_LINE - 1], b"\n".to_vec()].concat();
        assert_eq!(all([longest.clone(), longest].concat()).expect("just short enough").len(), 2);
        assert!(all([vec![b'x'; LONGEST_LINE], b"\n".to_vec()].concat()).expect_err("too long").contains("longer"));
    }
}

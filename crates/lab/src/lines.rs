//! Lines of a file, plain or gzipped, read one by one in bounded memory whatever the file holds.

use std::io::{self, BufRead, BufReader, Cursor, Read};

use flate2::bufread::MultiGzDecoder;

/// Longest accepted line, in bytes. The longest sensible record of a game is a tenth of it.
pub(crate) const LONGEST_LINE: usize = 16 << 20;

const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];

/// The lines of a stream, with their numbers.
pub(crate) struct Lines {
    reader: Box<dyn BufRead>,
    line: Vec<u8>,
    number: u64,
    bytes: u64,
    whole: bool,
}

/// Why there is no next line.
#[derive(Debug)]
pub(crate) enum LineError {
    TooLong,
    Unreadable(io::Error),
}

impl Lines {
    /// Reads `source`, plain or gzipped.
    pub(crate) fn new(source: impl Read + 'static) -> io::Result<Self> {
        Ok(Self { reader: unpacked(source)?, line: Vec::new(), number: 0, bytes: 0, whole: true })
    }

    /// The next line without its line break, and its number counted from 1. `None` at the end.
    pub(crate) fn next(&mut self) -> Result<Option<(u64, &[u8])>, LineError> {
        self.line.clear();
        self.number += 1;
        let limit = LONGEST_LINE as u64 + 1;
        let read = self.reader.by_ref().take(limit).read_until(b'\n', &mut self.line);
        let read = read.map_err(LineError::Unreadable)?;
        if read == 0 {
            return Ok(None);
        }
        self.bytes += read as u64;
        self.whole = self.line.last() == Some(&b'\n');
        if self.whole {
            self.line.pop();
        } else if self.line.len() > LONGEST_LINE {
            return Err(LineError::TooLong);
        }
        Ok(Some((self.number, &self.line)))
    }

    /// Whether the last line had a line break at its end.
    pub(crate) fn whole(&self) -> bool {
        self.whole
    }

    /// Bytes of all lines so far with their line breaks, unpacked.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The number of the line that was asked for last, counted from 1.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }
}

/// What `source` holds, unpacked if need be; gzip is recognised by its first two bytes, not by a name.
pub(crate) fn unpacked(mut source: impl Read + 'static) -> io::Result<Box<dyn BufRead>> {
    let mut first = Vec::with_capacity(GZIP_MAGIC.len());
    source.by_ref().take(GZIP_MAGIC.len() as u64).read_to_end(&mut first)?;
    let zipped = first == GZIP_MAGIC;
    let whole = BufReader::with_capacity(1 << 16, Cursor::new(first).chain(source));
    if !zipped {
        return Ok(Box::new(whole));
    }
    Ok(Box::new(BufReader::with_capacity(1 << 16, MultiGzDecoder::new(whole))))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn zipped(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(bytes).expect("writing to memory");
        encoder.finish().expect("writing to memory")
    }

    fn all(bytes: Vec<u8>) -> Result<Vec<String>, LineError> {
        let mut lines = Lines::new(Cursor::new(bytes)).map_err(LineError::Unreadable)?;
        let mut texts = Vec::new();
        while let Some((number, line)) = lines.next()? {
            texts.push(format!("{number}:{}", String::from_utf8_lossy(line)));
        }
        Ok(texts)
    }

    #[test]
    fn plain_and_zipped_lines_are_the_same() {
        for text in ["", "a", "a\n", "a\n\nbc", "\n"] {
            let plain = all(text.into()).expect("readable");
            assert_eq!(plain.len(), text.lines().count(), "{text:?}");
            assert_eq!(all(zipped(text.as_bytes())).expect("readable"), plain, "{text:?}");
        }
        assert_eq!(all("a\n\nbc".into()).expect("readable"), ["1:a", "2:", "3:bc"]);
    }

    #[test]
    fn bytes_are_counted_and_a_missing_line_break_is_known() {
        let mut lines = Lines::new(Cursor::new("ab\n\nc")).expect("readable");
        let mut seen = Vec::new();
        while lines.next().expect("readable").is_some() {
            seen.push((lines.bytes(), lines.whole()));
        }
        assert_eq!(seen, [(3, true), (4, true), (5, false)]);
    }

    #[test]
    fn files_joined_after_zipping_are_read_to_the_end() {
        let joined = [zipped(b"a\n"), zipped(b"b\n")].concat();
        assert_eq!(all(joined).expect("readable"), ["1:a", "2:b"]);
    }

    #[test]
    fn cut_or_damaged_gzip_is_an_error() {
        let whole = zipped(b"first line\nsecond line\n");
        for cut in [3, 12, whole.len() - 1] {
            assert!(matches!(all(whole[..cut].to_vec()), Err(LineError::Unreadable(_))), "{cut}");
        }
        assert!(matches!(all([&GZIP_MAGIC[..], b"garbage"].concat()), Err(LineError::Unreadable(_))));
    }

    #[test]
    fn a_line_without_end_is_refused_before_it_fills_the_memory() {
        let endless = Lines::new(io::repeat(b'x')).expect("readable").next().map(|_| ());
        assert!(matches!(endless, Err(LineError::TooLong)));
        let longest = [vec![b'x'; LONGEST_LINE], b"\ny".to_vec()].concat();
        assert_eq!(all(longest).expect("just short enough").len(), 2);
        assert!(matches!(all(zipped(&vec![0; LONGEST_LINE + 1])), Err(LineError::TooLong)));
    }
}

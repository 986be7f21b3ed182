//! Lines from another program, in bounded memory whatever it sends.

use std::io::{self, BufRead};

/// Longest line that is taken, in bytes: a game of thousands of moves fits.
pub const LONGEST_LINE: usize = 1 << 20;

/// Reads lines that end with LF, CR LF or CR alone.
pub struct LineReader<R> {
    source: R,
    line: Vec<u8>,
    /// Bytes that were thrown away of a line that is too long and has not ended.
    thrown_away: usize,
}

/// A line, or what is left of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// The text without its line break. Bytes that are no UTF-8 are replaced.
    Text(String),
    /// It was longer than [`LONGEST_LINE`] and was thrown away. A line without end is one of these every
    /// [`LONGEST_LINE`] bytes.
    TooLong,
}

impl<R: BufRead> LineReader<R> {
    /// The lines of this source.
    pub fn new(source: R) -> Self {
        Self { source, line: Vec::new(), thrown_away: 0 }
    }

    /// The next line that is not empty; `None` at the end. A last line without a line break counts.
    pub fn next_line(&mut self) -> io::Result<Option<Line>> {
        loop {
            let read = match self.source.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                read => read?,
            };
            if read.is_empty() {
                return Ok(if self.line.is_empty() { None } else { Some(self.taken()) });
            }
            let end = read.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let part = &read[..end.unwrap_or(read.len())];
            let before = self.thrown_away;
            if before > 0 || self.line.len() + part.len() > LONGEST_LINE {
                self.thrown_away += self.line.len() + part.len();
                self.line.clear();
            } else {
                self.line.extend_from_slice(part);
            }
            let used = end.map_or(read.len(), |end| end + 1);
            self.source.consume(used);
            let another = self.thrown_away / LONGEST_LINE > before / LONGEST_LINE;
            if end.is_some() {
                self.thrown_away = 0;
            }
            if another {
                return Ok(Some(Line::TooLong));
            }
            if end.is_some() && !self.line.is_empty() {
                return Ok(Some(self.taken()));
            }
        }
    }

    fn taken(&mut self) -> Line {
        let line = Line::Text(String::from_utf8_lossy(&self.line).into_owned());
        // A long line may have made the buffer large; the next ones are short.
        self.line.clear();
        self.line.shrink_to(1 << 12);
        line
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Read};

    use super::*;

    fn lines(text: impl Read) -> Vec<Line> {
        let mut reader = LineReader::new(BufReader::with_capacity(16, text));
        std::iter::from_fn(|| reader.next_line().expect("memory can be read")).collect()
    }

    #[test]
    fn lines_end_in_any_way_and_empty_ones_are_left_out() {
        let text = |text: &str| Line::Text(text.to_string());
        assert_eq!(lines(&b"ugi\r\n\r\nisready\n\ngo\rquit"[..]), ["ugi", "isready", "go", "quit"].map(text));
        assert_eq!(lines(&b"\xff\n"[..]), [text("\u{fffd}")]);
        assert_eq!(lines(&b""[..]), []);
    }

    #[test]
    fn a_line_that_is_too_long_is_thrown_away_and_the_next_one_is_read() {
        let endless = io::repeat(b'x').take(LONGEST_LINE as u64 + 1).chain(&b"\nquit\n"[..]);
        assert_eq!(lines(endless), [Line::TooLong, Line::Text("quit".to_string())]);
        let without_end = lines(io::repeat(b'x').take(5 * LONGEST_LINE as u64 + 1));
        assert_eq!(without_end, vec![Line::TooLong; 5], "so that whoever waits for a line can give up");
        let longest = io::repeat(b'x').take(LONGEST_LINE as u64);
        assert!(matches!(&lines(longest)[..], [Line::Text(text)] if text.len() == LONGEST_LINE));
    }
}

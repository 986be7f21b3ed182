//! Openings from a file: one on each line, as moves separated by spaces.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use plyproof_core::mix64;
use plyproof_engine::{AnyGame, quoted};

use crate::matches::MatchError;
use crate::matches::record::fault;

/// Openings that the pairs of a match take in turns: pair 0 the first one, and so on, and again from the first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Book {
    lines: Vec<Vec<String>>,
}

/// Longest file of openings, in bytes.
const LONGEST: u64 = 64 << 20;

impl Book {
    /// Reads a file of openings of games from `start`. Empty lines and lines that begin with `#` do not count.
    pub fn read(path: &Path, start: &dyn AnyGame) -> Result<Self, MatchError> {
        let mut text = String::new();
        let file = File::open(path).map_err(|error| fault(path, error))?;
        file.take(LONGEST + 1).read_to_string(&mut text).map_err(|error| fault(path, error))?;
        if text.len() as u64 > LONGEST {
            return Err(fault(path, format!("longer than {} MB", LONGEST >> 20)));
        }
        Self::parse(&text, start).map_err(|why| MatchError::Plan(format!("{}: {why}", path.display())))
    }

    /// Reads the text of such a file. The error names the line.
    pub fn parse(text: &str, start: &dyn AnyGame) -> Result<Self, String> {
        let mut lines = Vec::new();
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with('#')) {
            let wrong = |why: String| format!("line {}: {why}", number + 1);
            let mut position = start.clone_box();
            let mut moves = Vec::new();
            for word in line.split([' ', '\t', ',', '\r']).filter(|word| !word.is_empty()) {
                position.play(word).map_err(|error| wrong(error.to_string()))?;
                moves.push(word.to_string());
            }
            if position.outcome().is_some() {
                return Err(wrong(format!("the game is over after {}", quoted(line.trim()))));
            }
            if !moves.is_empty() {
                lines.push(moves);
            }
        }
        if lines.is_empty() {
            return Err("it holds no opening; an opening is a line of moves".to_string());
        }
        Ok(Self { lines })
    }

    /// The opening of this pair.
    pub fn line(&self, pair: u32) -> Option<&[String]> {
        let place = (pair as usize).checked_rem(self.lines.len())?;
        self.lines.get(place).map(Vec::as_slice)
    }

    /// Openings in all.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether there are no openings.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Most moves of an opening.
    pub fn longest(&self) -> usize {
        self.lines.iter().map(Vec::len).max().unwrap_or_default()
    }

    /// A hash of all openings, by which a record knows them again.
    pub fn digest(&self) -> String {
        let bytes = self.lines.iter().flat_map(|line| line.iter().flat_map(|m| m.bytes().chain([b' '])).chain([b'\n']));
        format!("{:016x}", bytes.fold(0, |hash, byte| mix64(hash ^ u64::from(byte))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_are_legal_lines_that_pairs_take_in_turns() {
        let start = plyproof_engine::Registry::builtin().open("tictactoe").expect("a game");
        let book = Book::parse("# two of them\na1 b1\n\nb2,a1 c1\n", &*start).expect("openings");
        assert_eq!((book.len(), book.longest()), (2, 3));
        assert_eq!(book.line(0), book.line(2));
        assert_eq!(book.line(1), Some(&["b2", "a1", "c1"].map(str::to_string)[..]));
        assert_ne!(book.digest(), Book::parse("a1 b1", &*start).expect("openings").digest());
        for (text, part) in
            [("", "holds no opening"), ("a1\na1 a1", "line 2: "), ("a1 a2 b1 b2 c1", "line 1: the game is over after")]
        {
            let error = Book::parse(text, &*start).expect_err(text);
            assert!(error.contains(part), "{error}");
        }
    }
}

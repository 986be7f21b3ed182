//! What must be on the board for a look-ahead to hold at a cell, as a tree of tests for every cell.

use super::compile::{Compiler, TooLarge};
use super::geometry::NONE;
use super::paths::{Paths, reached};
use super::syntax::PieceMask;

/// Pieces that must be on some cells of a word.
#[derive(Clone, Copy, Debug)]
pub struct PatternTest {
    /// A mask of pieces.
    pub mask: u16,
    pub word: u8,
    /// Whether it is the last test of its pattern.
    pub last: bool,
    /// Where to go on if it fails: behind all patterns that begin with it.
    pub next: u32,
    pub bits: u64,
}

/// Patterns for every cell: sufficient for a look-ahead to hold, and necessary if they are complete.
#[derive(Clone, Debug, Default)]
pub struct Patterns {
    pub tests: Vec<PatternTest>,
    /// Where the patterns of each bit begin; one more than there are bits.
    pub starts: Vec<u32>,
    pub complete: bool,
}

/// Cells by their bits, and the pieces that one of each must be among.
type Pattern = Vec<(usize, PieceMask)>;

impl Compiler<'_> {
    /// The patterns of paths to the end of a look-ahead.
    pub fn patterns(&mut self, paths: &Paths) -> Result<Option<Patterns>, TooLarge> {
        if paths.paths.is_empty() || paths.paths.iter().any(|path| !path.looks.is_empty()) {
            return Ok(None);
        }
        let mut patterns = Patterns { complete: paths.complete, ..Patterns::default() };
        for bit in 0..self.geometry.bits {
            patterns.starts.push(patterns.tests.len() as u32);
            let mut here: Vec<Pattern> = Vec::new();
            for path in paths.paths.iter().filter(|path| path.walk[bit] != NONE) {
                let mut cells: Pattern = Vec::new();
                for (place, mask) in &path.tests {
                    let cell = reached(place, bit);
                    match cells.iter_mut().find(|other| other.0 == cell) {
                        Some(other) => other.1 &= mask,
                        None => cells.push((cell, *mask)),
                    }
                }
                if cells.iter().all(|cell| cell.1 != 0) {
                    here.push(cells);
                }
            }
            if here.iter().any(Vec::is_empty) {
                // It holds here whatever the pieces are: a test of no cell says so.
                let next = patterns.tests.len() as u32 + 1;
                patterns.tests.push(PatternTest { mask: 0, word: 0, last: true, next, bits: 0 });
            } else {
                self.pattern_tree(here, &mut patterns.tests)?;
            }
            if patterns.tests.len() > 400_000 {
                return Ok(None);
            }
        }
        patterns.starts.push(patterns.tests.len() as u32);
        Ok(Some(patterns))
    }

    /// Adds the tests of some patterns. What most patterns ask for is asked first, so that one test fails for all of them.
    fn pattern_tree(&mut self, mut patterns: Vec<Pattern>, tests: &mut Vec<PatternTest>) -> Result<(), TooLarge> {
        while let Some(first) = patterns.first() {
            self.spend(patterns.iter().map(|pattern| pattern.len() as u64 * 4).sum())?;
            let mut all: Pattern = patterns.iter().flatten().copied().collect();
            all.sort_unstable();
            let most = all.chunk_by(|a, b| a == b).max_by_key(|equal| equal.len()).map_or(first[0], |equal| equal[0]);
            let (with, without): (Vec<Pattern>, Vec<Pattern>) =
                patterns.iter().cloned().partition(|pattern| pattern.contains(&most));
            patterns = without;
            let common: Pattern =
                with[0].iter().copied().filter(|asked| with.iter().all(|other| other.contains(asked))).collect();
            let rest: Vec<Pattern> = with
                .iter()
                .map(|pattern| pattern.iter().copied().filter(|asked| !common.contains(asked)).collect())
                .collect();
            // Cells of one word with one mask are one test.
            let mut words: Vec<(u16, u8, u64)> = Vec::new();
            for (cell, mask) in common {
                let (mask, word, single) = (self.mask(mask), (cell / 64) as u8, 1 << (cell % 64));
                match words.iter_mut().find(|other| (other.0, other.1) == (mask, word)) {
                    Some(other) => other.2 |= single,
                    None => words.push((mask, word, single)),
                }
            }
            let begin = tests.len();
            let last = rest.iter().any(Vec::is_empty);
            let count = words.len();
            tests.extend(words.into_iter().enumerate().map(|(place, (mask, word, bits))| PatternTest {
                mask,
                word,
                bits,
                next: 0,
                last: last && place + 1 == count,
            }));
            let own = tests.len();
            if !last {
                self.pattern_tree(rest, tests)?;
            }
            let next = tests.len() as u32;
            tests[begin..own].iter_mut().for_each(|test| test.next = next);
            if next > 400_000 {
                break;
            }
        }
        Ok(())
    }
}

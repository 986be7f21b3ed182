//! Puzzles: positions with exactly one winning move, and how many of them an agent solves.
//!
//! A set is a text file: a line of JSON that says which game it is about, then a line a puzzle: position, winning move and
//! the positions df-pn opened to prove it, and how many of the other moves are neither refuted nor shown to win with as
//! many nodes again, separated by tabs. The sets of the main games are part of the binary.

mod make;

use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};

use plyproof_core::mix64;
use plyproof_engine::{Agent, AnyGame, Budget, Registry, RulesId, TextError, Wdl, quoted};
use serde::{Deserialize, Serialize};

pub use make::{Making, make};

/// The version of the format.
const FORMAT: u64 = 1;
/// Longest file read, in bytes.
pub const LONGEST: u64 = 64 << 20;
/// Most puzzles of a set.
const MOST_PUZZLES: usize = 100_000;

/// The sets that come with plyproof.
static BUILT_IN: [&str; 5] = [
    include_str!("../puzzles/loa.puzzles"),
    include_str!("../puzzles/minishogi.puzzles"),
    include_str!("../puzzles/knightthrough.puzzles"),
    include_str!("../puzzles/awari.puzzles"),
    include_str!("../puzzles/gomoku.puzzles"),
];

/// A position with one winning move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// The position, as its game writes it.
    pub position: String,
    /// The only move that wins.
    pub best: String,
    /// Positions df-pn opened to prove the win.
    pub nodes: u64,
    /// Other moves that are not refuted. No win of theirs was found either, with at least as many positions opened for
    /// each as the winning move took. 0: the winning move is proven to be the only one.
    pub open: u32,
}

/// Puzzles of one game.
#[derive(Clone, Debug)]
pub struct PuzzleSet {
    /// The start position of the game.
    pub start: Box<dyn AnyGame>,
    /// The puzzles.
    pub puzzles: Vec<Puzzle>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    #[serde(rename = "plyproof-puzzles")]
    format: u64,
    game: String,
    rules: Rules,
    puzzles: usize,
    checksum: String,
}

/// Which rules puzzles were made for.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Rules {
    Version(u32),
    Digest(String),
}

impl PuzzleSet {
    /// The puzzles that come with plyproof, for a game by its spec.
    pub fn built_in(registry: &Registry, game: &dyn AnyGame) -> Result<Self, TextError> {
        let sets = BUILT_IN.iter().filter_map(|text| Self::parse(registry, text).ok());
        let mut names = Vec::new();
        for set in sets {
            if set.start.name() == game.name() {
                return Ok(set);
            }
            names.push(set.start.name());
        }
        let names = names.join(", ");
        Err(TextError::new(format!("there are no puzzles of {}; there are of {names}; or give a file", game.name())))
    }

    /// Reads a set and checks it: every position and every move is legal, and nothing was changed since it was made.
    pub fn parse(registry: &Registry, text: &str) -> Result<Self, TextError> {
        if text.len() as u64 >= LONGEST {
            return Err(TextError::new(format!("too long for puzzles: {} MB or more; split the set", LONGEST >> 20)));
        }
        if text.trim().is_empty() {
            return Err(TextError::new("no puzzles: the file is empty"));
        }
        let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
        let header: Header = serde_json::from_str(first).map_err(|error| {
            TextError::new(format!("line 1: {} is not a header of puzzles: {error}", quoted(first)))
        })?;
        let at = |line: usize, what: String| TextError::new(format!("line {line}: {what}"));
        if header.format != FORMAT {
            return Err(at(1, format!("format {} of puzzles; this program reads {FORMAT}", header.format)));
        }
        let game = registry.open(&header.game).map_err(|error| at(1, error.to_string()))?;
        let theirs = match header.rules {
            Rules::Version(version) => RulesId::Version(version),
            Rules::Digest(digest) => RulesId::digest(&digest).map_err(|error| at(1, error.to_string()))?,
        };
        if theirs != *game.rules() {
            let (theirs, ours) = (theirs.name(), game.rules().name());
            return Err(at(1, format!("made for {theirs} of the rules of {}, not {ours}", header.game)));
        }
        // Counted before anything is kept.
        let (here, announced) = (rest.lines().count(), header.puzzles);
        if here != announced {
            return Err(at(1, format!("{announced} puzzles announced, {here} found: the file is not whole")));
        }
        if here > MOST_PUZZLES {
            return Err(at(1, format!("{here} puzzles are too many; at most {MOST_PUZZLES}; split the set")));
        }
        let mut puzzles = Vec::with_capacity(here);
        for (index, line) in rest.lines().enumerate() {
            let puzzle = Puzzle::parse(&*game, line).map_err(|error| at(index + 2, error.to_string()))?;
            puzzles.push(puzzle);
        }
        if checksum(rest) != header.checksum {
            return Err(at(1, "the checksum does not fit: the file was changed after it was made".to_string()));
        }
        Ok(Self { start: game, puzzles })
    }

    /// The set as text.
    pub fn to_text(&self) -> Result<String, TextError> {
        let rules = match self.start.rules() {
            RulesId::Version(version) => Rules::Version(*version),
            RulesId::Digest(digest) => Rules::Digest(digest.clone()),
        };
        let mut body = String::new();
        for Puzzle { position, best, nodes, open } in &self.puzzles {
            let _ = writeln!(body, "{position}\t{best}\t{nodes}\t{open}");
        }
        let header = Header {
            format: FORMAT,
            game: self.start.name(),
            rules,
            puzzles: self.puzzles.len(),
            checksum: checksum(&body),
        };
        let header = serde_json::to_string(&header).map_err(|error| TextError::new(error.to_string()))?;
        Ok(header + "\n" + &body)
    }

    /// Lets an agent try every puzzle with the same budget.
    pub fn solve_with(
        &self,
        agent: &Agent,
        budget: &Budget,
        seed: u64,
        stop: &AtomicBool,
        observer: &mut dyn FnMut(&Tried),
    ) -> Result<Vec<Tried>, TextError> {
        let mut all = Vec::with_capacity(self.puzzles.len());
        for (index, puzzle) in self.puzzles.iter().enumerate() {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            let start = self.start.parse_position(&puzzle.position)?;
            let report = start.search(agent, budget, seed.wrapping_add(index as u64), stop, &mut |_| {})?;
            let tried = Tried {
                position: puzzle.position.clone(),
                best: puzzle.best.clone(),
                solved: report.best.as_ref() == Some(&puzzle.best),
                proven: report.value == Some(Wdl::Win),
                played: report.best,
                simulations: report.simulations,
                nodes: puzzle.nodes,
            };
            observer(&tried);
            all.push(tried);
        }
        Ok(all)
    }
}

/// What an agent made of a puzzle.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tried {
    /// The position.
    pub position: String,
    /// The winning move.
    pub best: String,
    /// The agent's move.
    pub played: Option<String>,
    /// Whether it is the winning one.
    pub solved: bool,
    /// Whether the agent also proved that it wins.
    pub proven: bool,
    /// Simulations it took.
    pub simulations: u64,
    /// Positions df-pn opened to prove the win: how hard the puzzle is.
    pub nodes: u64,
}

impl Puzzle {
    fn parse(game: &dyn AnyGame, line: &str) -> Result<Self, TextError> {
        let mut fields = line.split('\t');
        let mut field = || fields.next();
        let (Some(position), Some(best), Some(nodes), Some(open), None) = (field(), field(), field(), field(), field())
        else {
            let what = "a puzzle: position, move, number of nodes, number of open moves, separated by tabs";
            return Err(TextError::expected(line, what));
        };
        let nodes = nodes.parse().map_err(|_| TextError::expected(nodes, "a number of nodes"))?;
        let open = open.parse().map_err(|_| TextError::expected(open, "a number of open moves"))?;
        let start = game.parse_position(position)?;
        if !start.legal_moves().iter().any(|m| m == best) {
            return Err(TextError::new(format!("{} is not a legal move of {}", quoted(best), quoted(position))));
        }
        Ok(Self { position: position.to_string(), best: best.to_string(), nodes, open })
    }
}

/// A sum over the text, to see whether it was changed.
fn checksum(text: &str) -> String {
    let sum = text.bytes().fold(0x70_6c79_7072_6f6f, |sum: u64, byte| mix64(sum ^ u64::from(byte)));
    format!("{sum:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_file_is_refused_with_its_line() {
        let set = PuzzleSet {
            start: Registry::builtin().open("tictactoe").expect("a game"),
            puzzles: vec![Puzzle { position: "xx./oo./... x".to_string(), best: "c3".to_string(), nodes: 1, open: 0 }],
        };
        let text = set.to_text().expect("a known game");
        let read = PuzzleSet::parse(&Registry::builtin(), &text).expect("what was written");
        assert_eq!((read.start.name(), read.puzzles), (set.start.name(), set.puzzles));
        for (from, to, part) in [
            ("c3\t1", "c3\t2", "checksum"),
            ("c3\t1", "a3\t1", "line 2: \"a3\" is not a legal move"),
            ("c3\t1", "c3", "line 2"),
            ("c3\t1\t0", "c3\t1\tx", "number of open moves"),
            ("xx.", "xy.", "line 2"),
            ("tictactoe", "tictactic", "unknown game"),
            ("\"rules\":1", "\"rules\":2", "version 2 of the rules"),
            ("puzzles\":1,\"game", "puzzles\":7,\"game", "format 7"),
            ("\"puzzles\":1,\"ch", "\"puzzles\":3,\"ch", "not whole"),
        ] {
            assert!(text.contains(from), "{from} in {text}");
            let error = PuzzleSet::parse(&Registry::builtin(), &text.replace(from, to)).expect_err(to).to_string();
            assert!(error.contains(part), "{error}");
        }
        for end in 0..text.len() - 1 {
            assert!(PuzzleSet::parse(&Registry::builtin(), &text[..end]).is_err(), "cut after {end} bytes");
        }
        assert!(PuzzleSet::parse(&Registry::builtin(), "").is_err());
    }

    #[test]
    fn a_set_that_is_too_large_is_refused_before_its_puzzles_are_kept() {
        let header = r#"{"plyproof-puzzles":1,"game":"tictactoe","rules":1,"puzzles":100001,"checksum":""}"#;
        let error = PuzzleSet::parse(&Registry::builtin(), &format!("{header}\n{}", "x\n".repeat(100_001)))
            .expect_err("many")
            .to_string();
        assert_eq!(error, "line 1: 100001 puzzles are too many; at most 100000; split the set");
        let error =
            PuzzleSet::parse(&Registry::builtin(), &"x".repeat(LONGEST as usize)).expect_err("long").to_string();
        assert_eq!(error, "too long for puzzles: 64 MB or more; split the set");
    }

    #[test]
    fn every_set_that_comes_with_plyproof_is_whole_and_large_enough() {
        for text in BUILT_IN {
            let set = PuzzleSet::parse(&Registry::builtin(), text).expect("a set that was made here");
            assert!(set.puzzles.len() >= 50, "{}: {}", set.start.name(), set.puzzles.len());
            assert!(
                set.puzzles.iter().all(|puzzle| puzzle.open == 0),
                "{}: a second win is possible",
                set.start.name()
            );
            let mut positions: Vec<_> = set.puzzles.iter().map(|puzzle| &puzzle.position).collect();
            positions.sort();
            positions.dedup();
            assert_eq!(positions.len(), set.puzzles.len(), "{}: a position twice", set.start.name());
        }
    }
}

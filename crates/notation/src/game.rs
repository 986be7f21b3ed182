//! A recorded game: where it starts, what is known of it, its moves, and how it ended.

use std::fmt;

use plyproof_engine::{AnyGame, Outcome, TextError, quoted};

use crate::tree::{MoveTree, NodeId};

/// A game as a file holds it.
#[derive(Clone, Debug)]
pub struct RecordedGame {
    /// The game's own start position.
    game: Box<dyn AnyGame>,
    /// The position that this game starts from.
    start: Box<dyn AnyGame>,
    /// Event, players, date and so on, by name.
    pub headers: Headers,
    /// The moves.
    pub tree: MoveTree,
    /// How the game ended, if it did.
    pub result: Option<Outcome>,
}

impl PartialEq for RecordedGame {
    fn eq(&self, other: &Self) -> bool {
        *self.game == *other.game
            && *self.start == *other.start
            && self.headers == other.headers
            && self.tree == other.tree
            && crate::result_text(self.result, self.players()) == crate::result_text(other.result, other.players())
    }
}

impl RecordedGame {
    /// A game without moves from the start position of `game`.
    pub fn new(game: Box<dyn AnyGame>) -> Self {
        let start = game.clone();
        Self { game, start, headers: Headers::default(), tree: MoveTree::default(), result: None }
    }

    /// A game without moves from `start`, a position of `game`.
    pub fn from_position(game: Box<dyn AnyGame>, start: Box<dyn AnyGame>) -> Self {
        Self { start, ..Self::new(game) }
    }

    /// The game's own start position.
    pub fn game(&self) -> &dyn AnyGame {
        &*self.game
    }

    /// The position that this game starts from.
    pub fn start(&self) -> &dyn AnyGame {
        &*self.start
    }

    /// Whether the game starts from a position of its own.
    pub fn has_own_start(&self) -> bool {
        self.start.position_text() != self.game.position_text()
    }

    /// How many players take part.
    pub fn players(&self) -> usize {
        self.game.players()
    }

    /// The position at a node of the tree; an error if a move on the way there is not legal.
    pub fn position(&self, node: NodeId) -> Result<Box<dyn AnyGame>, TextError> {
        let mut position = self.start.clone();
        for at in self.tree.path(node) {
            position.play(self.tree.text(at))?;
        }
        Ok(position)
    }

    /// The moves of the game itself, without its variations.
    pub fn moves(&self) -> impl Iterator<Item = &str> {
        self.tree.main_line().map(|node| self.tree.text(node))
    }

    /// Plays every move of the tree by the rules, and compares the result with that of the rules.
    ///
    /// The reader has done so for every game that it returns.
    pub fn check(&self) -> Result<(), TextError> {
        let mut open = vec![(MoveTree::ROOT, self.start.clone())];
        while let Some((node, position)) = open.pop() {
            for &child in self.tree.children(node) {
                let mut next = position.clone();
                let text = self.tree.text(child);
                next.play(text).map_err(|error| TextError::new(format!("ply {}: {error}", self.tree.ply(child))))?;
                open.push((child, next));
            }
        }
        check_result(&*self.position(self.tree.last())?, self.result)
    }
}

/// Compares a result with that of the rules, at the end of a game.
pub(crate) fn check_result(end: &dyn AnyGame, result: Option<Outcome>) -> Result<(), TextError> {
    let (Some(by_rules), Some(result)) = (end.outcome(), result) else { return Ok(()) };
    let [expected, found] = [by_rules, result].map(|outcome| crate::result_text(Some(outcome), end.players()));
    if expected == found {
        return Ok(());
    }
    Err(TextError::new(format!("the result is {found}, but by the rules the game ended {expected} ({by_rules})")))
}

/// What is known of a game, by name. The game itself, its start position and its result are no headers here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Headers {
    all: Vec<(String, String)>,
}

/// The headers that have a meaning, in the order in which they are written; others follow.
pub const KNOWN_HEADERS: [&str; 14] = [
    "Event",
    "Site",
    "Date",
    "Round",
    "First",
    "Second",
    "FirstAgent",
    "SecondAgent",
    "FirstBudget",
    "SecondBudget",
    "TimeControl",
    "Seed",
    "Reason",
    "Annotator",
];

/// The headers that belong to the game itself.
pub(crate) const OWN: [&str; 3] = ["Game", "Position", "Result"];

impl Headers {
    /// Headers of a game at most.
    pub const MOST: usize = 200;
    /// Longest name, in bytes.
    pub const LONGEST_NAME: usize = 64;
    /// Longest value, in bytes.
    pub const LONGEST_VALUE: usize = 1 << 16;

    /// The value of a header.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.all.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Sets a header, or takes it away if the value is empty. Control characters become spaces.
    ///
    /// Refused are names that are no letters, digits and `_` from a letter on, the names `Game`, `Position` and `Result`,
    /// and what is too long or too much.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), TextError> {
        let mut letters = name.chars();
        let sound = letters.next().is_some_and(|c| c.is_ascii_alphabetic())
            && letters.all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !sound || name.len() > Self::LONGEST_NAME {
            let most = Self::LONGEST_NAME;
            let what = format!("the name of a header: expected at most {most} letters, digits and _, a letter first");
            return Err(TextError::expected(name, what));
        }
        if OWN.contains(&name) {
            return Err(TextError::new(format!("the header {name} is that of the game itself")));
        }
        if value.len() > Self::LONGEST_VALUE {
            return Err(TextError::new(format!("the header {name} is longer than {} bytes", Self::LONGEST_VALUE)));
        }
        let value: String = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let value = value.trim();
        self.all.retain(|(known, _)| known != name || !value.is_empty());
        if value.is_empty() {
            return Ok(());
        }
        if let Some((_, old)) = self.all.iter_mut().find(|(known, _)| known == name) {
            *old = value.to_string();
        } else if self.all.len() >= Self::MOST {
            return Err(TextError::new(format!("a game has at most {} headers", Self::MOST)));
        } else {
            self.all.push((name.to_string(), value.to_string()));
        }
        self.all.sort_by_key(|(name, _)| KNOWN_HEADERS.iter().position(|known| known == name).unwrap_or(usize::MAX));
        Ok(())
    }

    /// Every header with its value, those with a meaning first.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.all.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

/// Why a file of games cannot be read: the place, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// The line, counted from 1.
    pub line: u64,
    /// The character of the line, counted from 1.
    pub column: u64,
    /// What is wrong, and what would be right.
    pub what: String,
}

impl ReadError {
    pub(crate) fn new(line: u64, column: u64, what: impl fmt::Display) -> Self {
        Self { line, column, what: what.to_string() }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.what)
    }
}

impl std::error::Error for ReadError {}

/// Why a game cannot be written in a format of another program.
pub(crate) fn unwritable(format: &str, why: impl fmt::Display) -> TextError {
    TextError::new(format!("the game cannot be written as {format}: {why}"))
}

/// What stands in a file instead of what is expected.
pub(crate) fn instead(found: &str, expected: &str) -> String {
    format!("{} where {expected} is expected", quoted(found))
}

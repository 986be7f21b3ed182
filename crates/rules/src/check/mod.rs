//! What a designer wants to know of rules: how the game begins, how random games go, and what is probably not meant.
//!
//! Everything is drawn from a seed and bounded by counts, so that a check gives the same report every time. A clock is a
//! safety net: where rules are so slow that the counts would take too long, the rest is left out, and the report says so.

mod games;
mod warnings;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use plyproof_core::contract::Contract;
use serde::Serialize;

use crate::any::{AnyRules, Language};
use crate::rbg::RulesError;
use games::Play;

pub use games::{Games, Sum};

/// How much to look at.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Where randomness starts.
    pub seed: u64,
    /// Random games at most.
    pub games: u32,
    /// Moves after which a random game is given up.
    pub plies: u32,
    /// Positions of all random games together.
    pub positions: u64,
    /// Lines of play that are counted for each depth.
    pub lines: u64,
    /// Which promises of the `Game` trait to test.
    pub contract: Contract,
    /// Processor time, or another clock: a safety net for rules that are very slow.
    pub clock: Option<Clock>,
}

/// A clock that a check looks at.
#[derive(Clone)]
pub struct Clock {
    /// Time since the check began.
    pub now: Arc<dyn Fn() -> Duration + Send + Sync>,
    /// What the clock shows when nothing more is begun, and what was not done is left out.
    pub most: Duration,
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} of {:?}", (self.now)(), self.most)
    }
}

impl Default for Limits {
    fn default() -> Self {
        let contract = Contract { games: 4, draws: 10, playouts: 200, ply_limit: 60, ..Contract::default() };
        Self { seed: 1, games: 200, plies: 2500, positions: 20_000, lines: 200_000, contract, clock: None }
    }
}

impl Limits {
    /// Whether some share of the time is over.
    fn late(&self, share: f64) -> bool {
        self.clock.as_ref().is_some_and(|clock| (clock.now)() >= clock.most.mul_f64(share))
    }
}

/// What a check has found.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// `RBG` or `GDL`.
    pub language: String,
    /// The comment in the first line.
    pub title: Option<String>,
    /// The digest of the text.
    pub digest: String,
    /// Names of the players, in order of their seats.
    pub players: Vec<String>,
    /// What can be changed from outside, and its value.
    pub parameters: Vec<Named>,
    /// Sizes, for rules in RBG.
    pub sizes: Option<Sizes>,
    /// How the game begins.
    pub start: Start,
    /// Whether a position may come back.
    pub may_repeat: bool,
    /// Whether a game may end without a winner.
    pub may_draw: bool,
    /// Lines of play of 1, 2, 3 moves, as far as they are not too many.
    pub perft: Vec<u64>,
    /// Random games.
    pub games: Games,
    /// Positions at which every promise of the `Game` trait was tested; none if there was no time.
    pub contract: Option<u64>,
    /// A promise that is broken, and where.
    pub violation: Option<String>,
    /// What is probably not meant, and what makes the game slow.
    pub warnings: Vec<Warning>,
}

/// A name and what it stands for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Named {
    /// The name.
    pub name: String,
    /// The value, the sign on a board, or the largest value.
    pub value: String,
}

/// Sizes of rules in RBG.
#[derive(Clone, Debug, Serialize)]
pub struct Sizes {
    /// Cells of the board.
    pub cells: usize,
    /// Pieces, and the characters that stand for them.
    pub pieces: Vec<Named>,
    /// Variables and their largest values, scores first.
    pub variables: Vec<Named>,
    /// Modifiers in the rules.
    pub modifiers: usize,
    /// Look-aheads in the rules.
    pub look_aheads: usize,
}

/// The position at the start.
#[derive(Clone, Debug, Serialize)]
pub struct Start {
    /// The board drawn for a terminal.
    pub board: String,
    /// The position as one line of text.
    pub position: String,
    /// The player to move, counted from 1; none if the game is over.
    pub to_move: Option<usize>,
    /// Legal moves.
    pub legal_moves: usize,
    /// The first of them.
    pub first_moves: Vec<String>,
}

/// What a warning is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum About {
    /// The text of the rules.
    Text,
    /// How games go.
    Play,
    /// How fast games are played.
    Speed,
}

/// What is probably not meant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Warning {
    /// What it is about.
    pub about: About,
    /// A sentence: what was found, and what would be right.
    pub message: String,
}

/// Reads rules and looks at the game that they describe. The error is that of [`AnyRules::load`].
pub fn check(
    language: Language,
    text: &str,
    overrides: &[(String, String)],
    limits: &Limits,
) -> Result<Report, RulesError> {
    let rules = AnyRules::load(language, text, overrides)?;
    let played = rules.start(Play { limits });
    let named = |(name, value): (&str, String)| Named { name: name.to_string(), value };
    let sizes = rules.as_rbg().map(|rules| Sizes {
        cells: rules.board().cells.len(),
        pieces: rules.pieces().iter().map(|(name, sign)| named((name, sign.to_string()))).collect(),
        variables: rules.variables().iter().map(|(name, most)| named((name, most.to_string()))).collect(),
        modifiers: rules.modifiers().len(),
        look_aheads: rules.figures().looks,
    });
    let mut report = Report {
        language: rules.language().to_string(),
        title: rules.title().map(str::to_string),
        digest: rules.digest().to_string(),
        players: rules.players().to_vec(),
        parameters: rules.constants().iter().map(|(name, value)| named((name, value.clone()))).collect(),
        sizes,
        start: played.start,
        may_repeat: played.may_repeat,
        may_draw: played.may_draw,
        perft: played.perft,
        games: played.games,
        contract: played.contract,
        violation: played.violation,
        warnings: Vec::new(),
    };
    report.warnings = warnings::warnings(&rules, text, &report, limits);
    Ok(report)
}

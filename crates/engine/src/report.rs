//! What a search found, as plain data: core's report with every move as text.

use std::borrow::Cow;

use plyproof_core::search::proof::{ProofNumber, ProofNumbers};
use plyproof_core::search::{Bounds, Report, Stopped};
use plyproof_core::{Game, Wdl};
use serde::{Deserialize, Serialize};

use crate::json;

/// What a search found, or its state so far. As JSON an infinite proof number is the text `"inf"`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchReport {
    /// The move to play; none if the game is over.
    pub best: Option<String>,
    /// The value of the position for the player to move, if it is proven.
    #[serde(with = "json::value")]
    pub value: Option<Wdl>,
    /// The worst and the best result still possible for the player to move.
    #[serde(with = "json::bounds")]
    pub bounds: Bounds,
    /// Proof and disproof number of "the player to move wins", if the agent has them.
    #[serde(with = "json::proof_numbers")]
    pub numbers: Option<ProofNumbers>,
    /// The line the search expects, from the position on.
    pub line: Vec<String>,
    /// Every legal move, most visited first; empty for agents that weigh no moves.
    pub moves: Vec<MoveReport>,
    /// Simulations made; expansions or positions for searches without play-outs.
    pub simulations: u64,
    /// Positions in the tree.
    pub nodes: u64,
    /// Bytes the tree takes.
    pub bytes: u64,
    /// Seconds of elapsed time.
    pub seconds: f64,
    /// Simulations by elapsed time; 0 if no time passed.
    pub simulations_per_s: f64,
    /// Why the search ended; none while it is running.
    #[serde(with = "json::stopped")]
    pub stopped: Option<Stopped>,
    /// After how many simulations the memory was full, from when on the tree no longer grew.
    pub full_after: Option<u64>,
}

/// What a search found out about one move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MoveReport {
    /// The move.
    #[serde(rename = "move")]
    pub text: String,
    /// Simulations that went through it.
    pub visits: u64,
    /// Their mean value for the player who makes the move, from -1 to 1; 0 if there were none.
    pub mean: f64,
    /// Whether the mean is an upper bound only: the search has found that the move is no better, and did not look how much
    /// worse it is.
    #[serde(default)]
    pub at_most: bool,
    /// Proof number of "the player to move at the root wins", if the agent has them.
    #[serde(with = "json::proof_number")]
    pub pn: Option<ProofNumber>,
    /// Disproof number of that goal.
    #[serde(with = "json::proof_number")]
    pub dpn: Option<ProofNumber>,
    /// Its place when the moves are ranked by proof numbers, 1 the best, equal numbers sharing a place.
    pub rank: Option<u32>,
    /// The value of the move for the player who makes it, if it is proven.
    #[serde(with = "json::value")]
    pub value: Option<Wdl>,
    /// The worst and the best result the move can still have for the player who makes it.
    #[serde(with = "json::bounds")]
    pub bounds: Bounds,
    /// What selection adds up for it. None where selection does not look at it: it is decided, another one must be visited
    /// before, or the agent does not choose by a sum.
    #[serde(default)]
    pub terms: Option<Terms>,
    /// Whether the next simulation goes to it, or may: where several moves are next, one of them is drawn.
    #[serde(default)]
    pub next: bool,
}

/// What selection adds up for a move. As JSON the terms are one object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Terms {
    /// What selection compares: the move with the largest score gets the next simulation.
    pub score: f64,
    /// The terms by name, which add up to the score but for rounding. The moves of a position have the same names: `mean`,
    /// `rave` or `evaluation`, `exploration`, and one of `rank`, `numbers` and `bonus`, as far as the agent has them.
    #[serde(with = "json::parts")]
    pub parts: Vec<(Cow<'static, str>, f64)>,
}

impl From<plyproof_core::search::Terms> for Terms {
    fn from(terms: plyproof_core::search::Terms) -> Self {
        let mut parts = Vec::with_capacity(4);
        parts.extend(terms.parts().map(|(name, value)| (Cow::Borrowed(name), value)));
        Self { score: terms.score, parts }
    }
}

pub(crate) fn in_text<G: Game>(start: &G, report: &Report<G::Move>) -> SearchReport {
    let moves = report.moves.iter().map(|found| MoveReport {
        text: start.move_text(found.m),
        visits: found.visits,
        mean: found.mean,
        at_most: found.at_most,
        pn: found.numbers.map(|numbers| numbers.pn),
        dpn: found.numbers.map(|numbers| numbers.dpn),
        rank: found.rank,
        value: found.bounds.value(),
        bounds: found.bounds,
        terms: found.terms.map(Terms::from),
        next: found.next,
    });
    let mut state = start.clone();
    let line = report.line.iter().map(|&m| {
        let text = state.move_text(m);
        state.play(m);
        text
    });
    let seconds = report.elapsed.as_secs_f64();
    SearchReport {
        best: report.best.map(|m| start.move_text(m)),
        value: report.bounds.value(),
        bounds: report.bounds,
        numbers: report.numbers,
        line: line.collect(),
        moves: moves.collect(),
        simulations: report.simulations,
        nodes: report.nodes,
        bytes: report.bytes as u64,
        seconds: (seconds * 1e6).round() / 1e6,
        simulations_per_s: if seconds > 0.0 { (report.simulations as f64 / seconds).round() } else { 0.0 },
        stopped: report.stopped,
        full_after: report.full_after,
    }
}

//! Solving a game that is known by name only: core's solution with every move as text, and proofs as certificates.

use std::sync::atomic::AtomicBool;

use plyproof_core::search::proof::{Goal, ProofNumbers};
use plyproof_core::search::{
    Bounds, NotWritten, Proof, Searcher, Solution, SolveProgress, SolveTask, Stopped, TableUse,
};
use plyproof_core::{Game, Player, Wdl};
use serde::Serialize;

use crate::search::{bounds, numbers, stopped, word_or_null};

/// What a solver found out. As JSON an infinite proof number is the text `"inf"`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TextSolution {
    /// The value of the position for the player to move, if it is proven.
    #[serde(serialize_with = "word_or_null")]
    pub value: Option<Wdl>,
    /// The worst and the best result still possible for the player to move.
    #[serde(serialize_with = "bounds")]
    pub bounds: Bounds,
    /// By how many points the player to move wins (loses, if negative), where asked for and proven.
    pub score: Option<i32>,
    /// Moves until the end at most when the winner follows the certificate, both players' counted.
    pub distance: Option<u32>,
    /// Best play of both sides, as far as it is known.
    pub line: Vec<String>,
    /// Every move with its value, where asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<ValuedMove>,
    /// Positions opened.
    pub nodes: u64,
    /// Seconds of elapsed time.
    pub seconds: f64,
    /// Positions opened by elapsed time; 0 if no time passed.
    pub nodes_per_s: f64,
    /// Bytes of the tree, or of the table in use.
    pub bytes: u64,
    /// The table, for solvers that have one.
    pub table: Option<TextTable>,
    /// Proof and disproof number of the last question.
    #[serde(serialize_with = "numbers")]
    pub numbers: Option<ProofNumbers>,
    /// Why it ended.
    #[serde(serialize_with = "stopped")]
    pub stopped: Option<Stopped>,
    /// The proofs that were written out, where asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub proofs: Vec<TextProof>,
}

/// A legal move and its value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ValuedMove {
    /// The move.
    #[serde(rename = "move")]
    pub text: String,
    /// Its value for the player who makes it, if it is proven.
    #[serde(serialize_with = "word_or_null")]
    pub value: Option<Wdl>,
    /// The worst and the best result it can still have.
    #[serde(serialize_with = "bounds")]
    pub bounds: Bounds,
}

/// How a solver's table did.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TextTable {
    /// Entries there is room for.
    pub capacity: u64,
    /// Entries in use.
    pub filled: u64,
    /// Times a position looked for was there, as a share of all.
    pub hit_rate: f64,
    /// Entries given up for others.
    pub replaced: u64,
}

impl From<TableUse> for TextTable {
    fn from(usage: TableUse) -> Self {
        let hit_rate = usage.hits as f64 / usage.lookups.max(1) as f64;
        let hit_rate = (hit_rate * 1e4).round() / 1e4;
        Self { capacity: usage.capacity, filled: usage.filled, hit_rate, replaced: usage.replaced }
    }
}

/// A proof that was to be written out.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TextProof {
    /// Who has the strategy, counted from 1.
    pub player: usize,
    /// `"win"`, `"draw"` (at least a draw), or `"margin>=K"`.
    pub goal: String,
    /// Positions with a move for the player.
    pub entries: usize,
    /// Why it was not written out.
    pub error: Option<String>,
}

/// What takes a proof: what it claims, and its positions with the player's moves in the order they are to be checked.
pub type ProofSink<'a> = dyn FnMut(&Claimed, &mut dyn Iterator<Item = (String, String)>) -> Result<(), String> + 'a;

/// What a proof claims.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claimed {
    /// Who has the strategy.
    pub player: Player,
    /// `"win"`, `"draw"` (at least a draw), or `"margin>=K"`.
    pub goal: String,
    /// Positions with a move for the player.
    pub entries: usize,
}

/// Solves `start` as [`Searcher::solve`] does, with a tree and a table of its own.
pub(crate) fn solve<G: Game>(
    start: &G,
    task: &SolveTask<'_>,
    stop: &AtomicBool,
    observer: &mut dyn FnMut(&SolveProgress),
    sink: &mut ProofSink<'_>,
) -> TextSolution {
    let solution = Searcher::new().solve(task, start, stop, observer);
    let distance = solution.proofs.iter().find_map(|proof| proof.strategy.as_ref().ok()?.longest);
    let proofs = solution.proofs.iter().map(|proof| written(proof, sink)).collect();
    TextSolution { distance, proofs, ..in_text(start, &solution) }
}

fn written<G: Game>(proof: &Proof<G>, sink: &mut ProofSink<'_>) -> TextProof {
    let goal = goal_text(proof.goal);
    let player = proof.goal.player;
    let entries = proof.strategy.as_ref().map_or(0, |strategy| strategy.entries.len());
    let error = match &proof.strategy {
        Ok(strategy) => {
            let mut lines = strategy.entries.iter().map(|(state, m)| (state.position_text(), state.move_text(*m)));
            sink(&Claimed { player, goal: goal.clone(), entries }, &mut lines).err()
        }
        Err(NotWritten::Stopped(why)) => Some(format!("the budget ran out ({}) before it was written out", why.word())),
        Err(NotWritten::Memory) => Some("it does not fit into half of the memory; give more".to_string()),
        Err(NotWritten::Broken) => Some(
            "a position of it does not hold: two positions share a key; this is a bug, please report it".to_string(),
        ),
    };
    TextProof { player: player.index() + 1, goal, entries, error }
}

fn goal_text(goal: Goal) -> String {
    if goal.by > 0 { format!("margin>={}", goal.by) } else { goal.least.word().to_string() }
}

fn in_text<G: Game>(start: &G, solution: &Solution<G>) -> TextSolution {
    let mut state = start.clone();
    let line = solution.line.iter().map(|&m| {
        let text = state.move_text(m);
        state.play(m);
        text
    });
    let moves = solution.moves.iter().map(|&(m, bounds)| ValuedMove {
        text: start.move_text(m),
        value: bounds.value(),
        bounds,
    });
    let seconds = solution.elapsed.as_secs_f64();
    TextSolution {
        value: solution.bounds.value(),
        bounds: solution.bounds,
        score: solution.score,
        distance: None,
        line: line.collect(),
        moves: moves.collect(),
        nodes: solution.nodes,
        seconds: (seconds * 1e6).round() / 1e6,
        nodes_per_s: if seconds > 0.0 { (solution.nodes as f64 / seconds).round() } else { 0.0 },
        bytes: solution.bytes as u64,
        table: solution.table.map(TextTable::from),
        numbers: solution.last.map(|(_, numbers)| numbers),
        stopped: Some(solution.stopped),
        proofs: Vec::new(),
    }
}

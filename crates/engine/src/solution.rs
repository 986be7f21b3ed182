//! Solving a game that is known by name only: core's solution with every move as text, and proofs as certificates.

use plyproof_core::search::proof::{Goal, ProofNumbers};
use plyproof_core::search::{self, Bounds, NotWritten, Proof, Stopped, TableUse};
use plyproof_core::{Game, Player, Wdl};
use plyproof_verify::Claim;
use serde::{Deserialize, Serialize};

use crate::json;

/// What a solver found out. As JSON an infinite proof number is the text `"inf"`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Solution {
    /// The value of the position for the player to move, if it is proven.
    #[serde(with = "json::value")]
    pub value: Option<Wdl>,
    /// The worst and the best result still possible for the player to move.
    #[serde(with = "json::bounds")]
    pub bounds: Bounds,
    /// By how many points the player to move wins (loses, if negative), where asked for and proven.
    pub score: Option<i32>,
    /// Moves until the end at most when the winner follows the certificate, both players' counted.
    pub distance: Option<u32>,
    /// Best play of both sides, as far as it is known.
    pub line: Vec<String>,
    /// Every move with its value, where asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<SolvedMove>,
    /// Positions opened.
    pub nodes: u64,
    /// Seconds of elapsed time.
    pub seconds: f64,
    /// Positions opened by elapsed time; 0 if no time passed.
    pub nodes_per_s: f64,
    /// Bytes of the tree, or of the table in use.
    pub bytes: u64,
    /// The table, for solvers that have one.
    pub table: Option<TableReport>,
    /// Proof and disproof number of the last question.
    #[serde(with = "json::proof_numbers")]
    pub numbers: Option<ProofNumbers>,
    /// Why it ended.
    #[serde(with = "json::stopped")]
    pub stopped: Option<Stopped>,
    /// The solver that answered each question, where several search together.
    pub found_by: Vec<String>,
    /// Positions that each solver opened, where several search together.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub nodes_of: Vec<NodesOf>,
    /// The proofs that were written out, where asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub proofs: Vec<ProofReport>,
}

/// A legal move and its value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SolvedMove {
    /// The move.
    #[serde(rename = "move")]
    pub text: String,
    /// Its value for the player who makes it, if it is proven.
    #[serde(with = "json::value")]
    pub value: Option<Wdl>,
    /// The worst and the best result it can still have.
    #[serde(with = "json::bounds")]
    pub bounds: Bounds,
}

/// The share of one of several solvers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodesOf {
    /// The solver.
    pub solver: String,
    /// Positions that it opened.
    pub nodes: u64,
}

/// How a solver's table did.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TableReport {
    /// Entries there is room for.
    pub capacity: u64,
    /// Entries in use.
    pub filled: u64,
    /// Times a position looked for was there, as a share of all.
    pub hit_rate: f64,
    /// Entries given up for others.
    pub replaced: u64,
}

impl From<TableUse> for TableReport {
    fn from(usage: TableUse) -> Self {
        let hit_rate = usage.hits as f64 / usage.lookups.max(1) as f64;
        let hit_rate = (hit_rate * 1e4).round() / 1e4;
        Self { capacity: usage.capacity, filled: usage.filled, hit_rate, replaced: usage.replaced }
    }
}

/// A proof that was to be written out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProofReport {
    /// Who has the strategy, counted from 1.
    pub player: usize,
    /// What the strategy reaches; as JSON `"win"`, `"draw"` (at least a draw), or `"margin>=K"`.
    #[serde(with = "json::claim")]
    pub goal: Claim,
    /// Positions with a move for the player.
    pub entries: usize,
    /// Why it was not written out.
    pub error: Option<String>,
}

/// What takes a proof: what it claims, and its positions with the player's moves in the order in which they are checked.
pub type ProofSink<'a> = dyn FnMut(&ProofHead, &mut dyn Iterator<Item = (String, String)>) -> Result<(), String> + 'a;

/// What a proof claims, and how long it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofHead {
    /// Who has the strategy.
    pub player: Player,
    /// What the strategy reaches.
    pub claim: Claim,
    /// Positions with a move for the player.
    pub entries: usize,
    /// Whether each of them also stands for its images under the symmetries of the game.
    pub symmetric: bool,
}

/// The solution as plain data, after its proofs were handed to `sink`.
pub(crate) fn with_proofs<G: Game>(start: &G, solution: &search::Solution<G>, sink: &mut ProofSink<'_>) -> Solution {
    let distance = solution.proofs.iter().find_map(|proof| proof.strategy.as_ref().ok()?.longest);
    let proofs = solution.proofs.iter().map(|proof| written(proof, sink)).collect();
    Solution { distance, proofs, ..in_text(start, solution) }
}

fn written<G: Game>(proof: &Proof<G>, sink: &mut ProofSink<'_>) -> ProofReport {
    let entries = proof.strategy.as_ref().map_or(0, |strategy| strategy.entries.len());
    let symmetric = proof.strategy.as_ref().is_ok_and(|strategy| strategy.symmetric);
    let head = ProofHead { player: proof.goal.player, claim: claim_of(proof.goal), entries, symmetric };
    let error = match &proof.strategy {
        Ok(strategy) => {
            let mut lines = strategy.entries.iter().map(|(state, m)| (state.position_text(), state.move_text(*m)));
            sink(&head, &mut lines).err()
        }
        Err(NotWritten::Stopped(why)) => Some(format!("the budget ran out ({}) before it was written out", why.word())),
        Err(NotWritten::Memory) => Some("it does not fit into half of the memory; give more".to_string()),
        Err(NotWritten::Broken) => Some(
            "a position of the proof does not hold: two positions share a key; this is a bug, please report it"
                .to_string(),
        ),
    };
    ProofReport { player: head.player.index() + 1, goal: head.claim, entries, error }
}

/// The claim that a certificate makes of a goal.
fn claim_of(goal: Goal) -> Claim {
    match goal.least {
        _ if goal.by > 0 => Claim::Margin(goal.by.into()),
        Wdl::Win => Claim::Win,
        Wdl::Draw | Wdl::Loss => Claim::Draw,
    }
}

fn in_text<G: Game>(start: &G, solution: &search::Solution<G>) -> Solution {
    let mut state = start.clone();
    let line = solution.line.iter().map(|&m| {
        let text = state.move_text(m);
        state.play(m);
        text
    });
    let moves = solution.moves.iter().map(|&(m, bounds)| SolvedMove {
        text: start.move_text(m),
        value: bounds.value(),
        bounds,
    });
    let seconds = solution.elapsed.as_secs_f64();
    Solution {
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
        table: solution.table.map(TableReport::from),
        numbers: solution.last.map(|(_, numbers)| numbers),
        stopped: Some(solution.stopped),
        found_by: solution.found_by.iter().map(ToString::to_string).collect(),
        nodes_of: solution
            .nodes_of
            .iter()
            .map(|&(solver, nodes)| NodesOf { solver: solver.to_string(), nodes })
            .collect(),
        proofs: Vec::new(),
    }
}

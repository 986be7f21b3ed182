//! The result of a search, in one form for every agent.

use std::time::Duration;

use crate::outcome::Wdl;
use crate::search::budget::Stopped;
use crate::search::proof::{ProofNumber, ProofNumbers};
use crate::search::table::TableUse;
use crate::search::terms::Terms;

pub use crate::outcome::Bounds;

/// The result of a search, or its state so far.
#[derive(Clone, Debug, PartialEq)]
pub struct Report<M> {
    /// The move to play; none if the game is over.
    pub best: Option<M>,
    /// What is proven of the position, for the player to move.
    pub bounds: Bounds,
    /// Proof and disproof number of the position for "the player to move wins", if the agent has them.
    pub numbers: Option<ProofNumbers>,
    /// The line the search expects, from the position on.
    pub line: Vec<M>,
    /// Every legal move: most visited first, or best first where nothing is visited.
    pub moves: Vec<MoveReport<M>>,
    /// Simulations made (expansions, for searches without play-outs).
    pub simulations: u64,
    /// Positions in the tree: the root and every child of an opened node, visited or not.
    pub nodes: u64,
    /// Bytes the tree takes.
    pub bytes: usize,
    /// Time taken.
    pub elapsed: Duration,
    /// Why it ended; none while it is running.
    pub stopped: Option<Stopped>,
    /// How the transposition table did, if the agent has one.
    pub table: Option<TableUse>,
    /// After how many simulations the memory was full, from when on the tree no longer grew.
    pub full_after: Option<u64>,
}

/// What a search found out about one move.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveReport<M> {
    /// The move.
    pub m: M,
    /// Simulations that went through it.
    pub visits: u64,
    /// Their mean value for the player who makes the move, from -1 to 1; 0 if there were none.
    pub mean: f64,
    /// Whether the mean is an upper bound only: the search has found that the move is no better, and did not look how much
    /// worse it is.
    pub at_most: bool,
    /// Proof and disproof number for "the player to move at the root wins", if the agent has them.
    pub numbers: Option<ProofNumbers>,
    /// Its place when the moves are ranked by proof numbers, 1 the best, equal numbers sharing a place.
    pub rank: Option<u32>,
    /// What is proven of the position after it, for the player who makes the move.
    pub bounds: Bounds,
    /// What selection adds up for it; none where selection does not look at it: it is decided, another one must be visited
    /// before, or the agent does not choose by a sum.
    pub terms: Option<Terms>,
    /// Whether the next simulation goes to it, or may: where several moves are next, one of them is drawn.
    pub next: bool,
}

impl Bounds {
    /// What the numbers for "wins" say: proven is a win; disproven is a draw at most.
    pub fn from_win_numbers(numbers: ProofNumbers) -> Self {
        if numbers.is_proven() {
            Self::exactly(Wdl::Win)
        } else if numbers.is_disproven() {
            Self { least: Wdl::Loss, most: Wdl::Draw }
        } else {
            Self::OPEN
        }
    }

    /// With what the numbers for "the opponent wins" add: proven is a loss; disproven is a draw at least.
    pub fn and_loss_numbers(self, numbers: ProofNumbers) -> Self {
        if numbers.is_proven() {
            Self::exactly(Wdl::Loss)
        } else if numbers.is_disproven() {
            Self { least: self.least.max(Wdl::Draw), ..self }
        } else {
            self
        }
    }
}

/// Competition ranks of `keys`: one more than the number of smaller ones, so equal keys share a rank (1, 1, 3, …).
pub fn competition_ranks(keys: &[ProofNumber]) -> Vec<u32> {
    keys.iter().map(|key| 1 + keys.iter().filter(|&other| other < key).count() as u32).collect()
}

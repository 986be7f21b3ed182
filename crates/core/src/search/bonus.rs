//! Your own selection bonus in place of the bonus by proof numbers, for experiments.

use std::fmt;
use std::sync::Arc;

use crate::outcome::Player;
use crate::search::proof::{NodeKind, ProofNumber, ProofNumbers};
use crate::search::tree::{Blocks, ChildCounts, Head};

/// A term that selection adds to UCT, for each child of a node.
///
/// Selection takes the child with the largest `mean + exploration + C_pn * bonus`. `C_pn` is the agent's parameter `pn`;
/// with `parent_k`, `child_k` and `bonus_max_moves` it shrinks as it does for the bonuses that are built in. A bonus
/// should lie between 0 and 1, as those do, and must be a number.
///
/// It is asked once for every node on the way down, so a look at every child is cheap enough and a search is not.
/// The same statistics must always give the same bonus, or a seed no longer gives the same search.
///
/// [`Agent::with_bonus`](crate::search::Agent::with_bonus) gives an agent one; `crates/lab/examples/own_bonus.rs` is a
/// whole program.
pub trait SelectionBonus: Send + Sync {
    /// Writes the bonus of child `i` to `bonuses[i]`, for all that [`NodeStats::child`] knows; returns the bonus of a child
    /// that was not visited, which counts where unvisited children compete (`first=urgency`).
    fn write(&self, node: &NodeStats<'_>, bonuses: &mut [f32]) -> f32;
}

/// What selection knows of a node and its children.
pub struct NodeStats<'a> {
    pub(crate) blocks: &'a Blocks,
    pub(crate) head: &'a Head,
    pub(crate) counts: &'a ChildCounts,
    pub(crate) depth: usize,
}

/// What selection knows of a child that was visited and is not decided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChildStats {
    /// Simulations that went through it.
    pub visits: u32,
    /// Their mean value for the player who chooses, from -1 to 1.
    pub mean: f32,
    /// Its proof and disproof number.
    pub numbers: ProofNumbers,
    /// Its place among the siblings by the number that counts here, 1 for the least; equal numbers share a place.
    pub rank: u32,
}

impl NodeStats<'_> {
    /// Who chooses here.
    pub fn mover(&self) -> Player {
        self.head.mover
    }

    /// Whose choice that is for the goal of the proof numbers.
    pub fn kind(&self) -> NodeKind {
        self.blocks.kind(self.head.node)
    }

    /// Moves from the root to here.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Simulations that went through the node.
    pub fn visits(&self) -> u32 {
        self.head.visits
    }

    /// All children, visited or not.
    pub fn children(&self) -> usize {
        self.head.children
    }

    /// Children that were visited and are not decided: those that get a bonus.
    pub fn competing(&self) -> usize {
        self.counts.active
    }

    /// Children that were not visited and whose game goes on. Their proof and disproof number are 1.
    pub fn unvisited(&self) -> usize {
        self.counts.open
    }

    /// The rank of those.
    pub fn unvisited_rank(&self) -> u32 {
        self.counts.open_rank.into()
    }

    /// The largest rank of all children.
    pub fn worst_rank(&self) -> u32 {
        self.head.worst_rank
    }

    /// A child, numbered from 0 to [`competing`](NodeStats::competing).
    ///
    /// # Panics
    /// If there is no such child.
    pub fn child(&self, i: usize) -> ChildStats {
        assert!(i < self.counts.active, "there are {} children to choose from", self.counts.active);
        let visits = self.blocks.child_visits(self.head.node, i);
        let (sums, _) = self.blocks.values(self.head);
        ChildStats {
            visits,
            mean: sums[i] as f32 / visits.max(1) as f32,
            numbers: self.blocks.numbers(self.head.node, i),
            rank: self.blocks.ranks(self.head)[i].into(),
        }
    }

    /// The number by which a child is ranked: the proof number at OR nodes, the disproof number at AND nodes.
    ///
    /// # Panics
    /// If there is no such child.
    pub fn key(&self, i: usize) -> ProofNumber {
        ProofNumber::from_word(self.keys()[i])
    }

    /// These numbers for all visited children, decided ones behind the others.
    pub(crate) fn keys(&self) -> &[u32] {
        self.blocks.keys(self.head.node)
    }
}

/// A bonus with the name by which it is recorded.
#[derive(Clone)]
pub(crate) struct OwnBonus {
    pub name: String,
    pub bonus: Option<Arc<dyn SelectionBonus>>,
}

impl PartialEq for OwnBonus {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && same(self.bonus.as_ref(), other.bonus.as_ref())
    }
}

impl fmt::Debug for OwnBonus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.name.fmt(f)
    }
}

/// Whether two searches have the very same bonus, or none.
pub(crate) fn same(one: Option<&Arc<dyn SelectionBonus>>, other: Option<&Arc<dyn SelectionBonus>>) -> bool {
    match (one, other) {
        (None, None) => true,
        (Some(one), Some(other)) => Arc::ptr_eq(one, other),
        _ => false,
    }
}

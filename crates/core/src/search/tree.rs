//! The one tree of MCTS, PN-MCTS and PNS: blocks of words in an arena, links as indices.
//!
//! ```text
//! a block = one expanded node and its children        moves, in a list of their own (2 bytes each for most games)
//!  0 visits of the node                                 ┌───────────────────────────┬───────────────────┐
//!  1 where its moves begin ───────────────────────────▶ │ visited children, in the  │ not yet visited,  │
//!  2 children        | visited << 16                    │ order of their first visit│ in no order       │
//!  3 capacity        | worst rank << 16                 └───────────────────────────┴───────────────────┘
//!  4 ended           | mover << 16 | or << 20 | decisive << 21
//!  5 sum     i32 x capacity    results of the child for the player who moves here: win 1, draw 0, loss -1
//!    weight  f32 x capacity    1 / sqrt(visits of the child)
//!    link    u32 x capacity    bit 31 set: index of the child's block / 2; else visits of a child without one
//!    pn, dpn u32 x capacity    only in trees with proof numbers
//!    rank    u16 x capacity    only there, and only valid once every child was visited
//! ```
//! `ended` counts the unvisited children whose game is finished; `decisive` says that one of them decides the node.
//! A visited child takes 12 bytes and its move, 22 and its move with proof numbers; an unvisited one takes its move alone,
//! and 20 bytes go to each expanded node. Capacity starts small and doubles as children are visited; abandoned blocks are
//! used again. Columns, so that choosing a child streams through a few cache lines. What the full search needs besides is
//! in [`extended`], behind the columns.
//!
//! The blocks know nothing of the game and are compiled once ([`Blocks`]); only the list of moves depends on it ([`Tree`]).

mod amaf;
mod arena;
mod blocks;
mod claims;
mod extended;
mod keep;
mod numbers;
mod room;
mod second;
mod shared;

pub(crate) use amaf::Amaf;
pub(crate) use blocks::Blocks;
pub(crate) use extended::{ChildCounts, NodeInfo};

use std::ops::{Deref, DerefMut};

use crate::outcome::Player;
use crate::search::proof::{NodeKind, ProofNumbers};
use crate::search::tree::arena::Arena;

const VISITS: usize = 0;
const MOVES: usize = 1;
const COUNTS: usize = 2;
const SHAPE: usize = 3;
const ENDS: usize = 4;
const HEADER: usize = 5;
/// Blocks begin at multiples of this many words, so that 31 bits of a link reach 16 GiB.
const ALIGN: usize = 2;
/// Words behind the last block: columns are read four lanes at a time, and the last one may end in the middle of that.
const MARGIN: usize = 1;
const EXPANDED: u32 = 1 << 31;
/// Counts and ranks are 16-bit numbers, and capacities are even.
const MOST_CHILDREN: usize = u16::MAX as usize - 1;
const SMALLEST: usize = 2;
/// Half words for each child: sum, weight and link; pn, dpn and rank.
const PLAIN: usize = 6;
const WITH_NUMBERS: usize = PLAIN + 5;

/// A block of the tree: an expanded node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Node(u32);

/// What a child is linked to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Link {
    /// A block of its own.
    Node(Node),
    /// Nothing yet; it was visited so many times.
    Leaf(u32),
}

/// What the choice at a node is like.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    pub mover: Player,
    pub kind: NodeKind,
    /// Moves that finish the game.
    pub ended: usize,
    /// Whether one of them decides the node: reaches the goal at an OR node, misses it at an AND node.
    pub decisive: bool,
}

/// The first words of a block, read once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head {
    pub node: Node,
    pub visits: u32,
    pub children: usize,
    pub visited: usize,
    pub capacity: usize,
    pub worst_rank: u32,
    pub mover: Player,
    first_move: usize,
}

/// A child on the path of a simulation: where its numbers stand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub node: Node,
    pub slot: usize,
    pub mover: Player,
    /// Index of the child's sum; its weight and link follow `capacity` words apart.
    at: u32,
    capacity: u32,
}

/// The tree of a search. `M` is the move type of the game.
#[derive(Debug)]
pub(crate) struct Tree<M> {
    blocks: Blocks,
    moves: Arena<M>,
}

impl<M> Deref for Tree<M> {
    type Target = Blocks;

    #[inline(always)]
    fn deref(&self) -> &Blocks {
        &self.blocks
    }
}

impl<M> DerefMut for Tree<M> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Blocks {
        &mut self.blocks
    }
}

impl<M: Copy> Tree<M> {
    pub(crate) fn new() -> Self {
        Self { blocks: Blocks::new(size_of::<M>()), moves: Arena::new() }
    }

    /// Empties the tree, keeping its memory, and sets how many bytes it may take.
    pub(crate) fn reset(&mut self, proof: bool, ranked: bool, limit: usize) {
        self.blocks.reset(proof, ranked, limit);
        let limit = self.blocks.limit;
        self.moves.change(|moves| {
            moves.clear();
            room::prepare(moves, limit);
        });
    }

    /// A block for a node with these moves. `None` if the memory is used up, unless `beyond` allows to exceed it.
    pub(crate) fn expand(&mut self, moves: &[M], capacity: usize, choice: Choice, beyond: bool) -> Option<Node> {
        if self.blocks.shared.is_some() {
            return self.expand_claimed(moves, capacity, choice);
        }
        let limit = self.blocks.limit;
        if !self.moves.change(|list| room::make(list, moves.len(), limit)) && !beyond {
            return None;
        }
        let node = self.blocks.expand(moves.len(), capacity, choice, beyond)?;
        self.moves.change(|list| list.extend_from_slice(moves));
        Some(node)
    }

    /// The child in `slot`, its move and its link.
    #[inline(always)]
    pub(crate) fn step(&self, head: &Head, slot: usize) -> (Step, M, Link) {
        let (step, link) = self.blocks.step_at(head, slot);
        (step, self.moves[head.first_move + slot], link)
    }

    #[inline(always)]
    pub(crate) fn move_of(&self, node: Node, slot: usize) -> M {
        self.moves[self.blocks.first_move(node) + slot]
    }

    /// The moves of all children.
    pub(crate) fn moves(&self, head: &Head) -> &[M] {
        &self.moves[head.first_move..head.first_move + head.children]
    }

    /// Brings unvisited child number `index` (counted from the first unvisited one) into the tree; its slot.
    ///
    /// There must be room in the block. The child starts with no visit and with `numbers`.
    #[inline(always)]
    pub(crate) fn visit(&mut self, node: Node, index: usize, numbers: ProofNumbers) -> usize {
        let first = self.blocks.first_move(node) + self.blocks.visited(node);
        self.moves.swap(first, first + index);
        self.blocks.admit(node, numbers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::proof::ProofNumber;

    fn numbers(pn: u32, dpn: u32) -> ProofNumbers {
        ProofNumbers { pn: ProofNumber::finite(pn), dpn: ProofNumber::finite(dpn) }
    }

    #[test]
    fn blocks_grow_keep_their_children_and_are_used_again() {
        let mut tree: Tree<u16> = Tree::new();
        tree.reset(true, true, 1 << 20);
        let moves: Vec<u16> = (0..100).collect();
        let choice = Choice { mover: Player::SECOND, kind: NodeKind::And, ended: 0, decisive: false };
        let open = |tree: &mut Tree<u16>| tree.expand(&moves, 4, choice, false);
        let mut node = open(&mut tree).expect("room");
        for i in 0..100u32 {
            if tree.visited(node) == tree.head(node).capacity {
                node = tree.grow(node).expect("room");
            }
            let slot = tree.visit(node, (i as usize * 7) % (100 - i as usize), ProofNumbers::UNKNOWN);
            tree.set_link(node, slot, Link::Leaf(i));
            let (step, _, _) = tree.step(&tree.head(node), slot);
            tree.add_result(step, i as i32, i + 1);
            tree.set_numbers(node, slot, numbers(i, i + 1));
        }
        let mut left: Vec<u16> = (0..100).map(|slot| tree.move_of(node, slot)).collect();
        left.sort_unstable();
        assert_eq!(left, moves, "every move is still there, once");
        for i in 0..100u32 {
            let slot = i as usize;
            assert_eq!((tree.link(node, slot), tree.numbers(node, slot)), (Link::Leaf(i), numbers(i, i + 1)));
            assert_eq!(tree.values(&tree.head(node)).0[slot], i as i32);
            assert_eq!(u32::from(tree.ranks(&tree.head(node))[slot]), i + 1);
        }
        assert_eq!((tree.head(node).mover, tree.kind(node), tree.nodes()), (Player::SECOND, NodeKind::And, 101));
        let words = tree.words.len();
        let again = open(&mut tree).expect("room");
        assert_eq!(tree.words.len(), words, "the first small block is used again");
        assert_eq!((tree.visited(again), tree.children(again), tree.visits(again)), (0, 100, 0), "and begins empty");
    }
}

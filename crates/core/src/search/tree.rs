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
//!    rank    u16 x capacity    only there, and only kept once every child was visited
//! ```
//! `ended` counts the unvisited children whose game is finished; `decisive` says that one of them decides the node.
//! A visited child takes 12 bytes and its move, 22 and its move with proof numbers; an unvisited one takes its move alone,
//! and 20 bytes go to each expanded node. Capacity starts small and doubles as children are visited; old blocks are
//! used again. Columns, so that choosing a child streams through a few cache lines, and so that several threads could
//! later share them as atomics. What the switches of the search need besides is in [`extended`], behind the columns.

mod amaf;
mod extended;
mod keep;
mod numbers;
mod room;
mod second;

pub(crate) use amaf::Amaf;
pub(crate) use extended::{Extra, News};

use bytemuck::cast_slice;

use crate::outcome::Player;
use crate::search::proof::{NodeKind, ProofNumbers};
use crate::search::select::Fade;

const VISITS: usize = 0;
const MOVES: usize = 1;
const COUNTS: usize = 2;
const SHAPE: usize = 3;
const ENDS: usize = 4;
const HEADER: usize = 5;
/// Blocks begin at multiples of this many words, so that 31 bits of a link reach 16 GiB.
const ALIGN: usize = 2;
/// Words behind the last block: columns are read in fours, and the last one may end in the middle of a four.
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

/// The arena. `M` is the move type of the game.
#[derive(Debug)]
pub(crate) struct Tree<M> {
    words: Vec<u32>,
    moves: Vec<M>,
    /// Whether the proof number columns are there.
    proof: bool,
    /// Half words for each child, without those of [`extended`].
    halves: usize,
    /// Ranks are kept up to date at nodes with up to so many children; nobody asks for those of others.
    ranked_up_to: usize,
    /// Whether what [`extended`] adds is there, and how many of its words stand before the head of a block.
    extended: bool,
    front: usize,
    /// How bonuses fade, if what is left of them is kept beside every child.
    fade: Option<Fade>,
    /// Whether there are numbers for a second goal.
    second: bool,
    /// Whether the numbers are the two players' proof numbers.
    players: bool,
    /// Values beside the moves, if they are kept.
    amaf: Vec<Amaf>,
    has_amaf: bool,
    limit: usize,
    /// Abandoned blocks of capacity 2, 4, 8, …, each list linked through the first word; 0 ends it.
    free: [u32; 16],
    nodes: u64,
}

impl<M: Copy> Tree<M> {
    pub(crate) fn new() -> Self {
        let (words, moves) = (Vec::new(), Vec::new());
        let [proof, extended, second, players, has_amaf] = [false; 5];
        let amaf = Vec::new();
        Self {
            words,
            moves,
            proof,
            halves: PLAIN,
            ranked_up_to: 0,
            extended,
            front: 0,
            fade: None,
            second,
            players,
            amaf,
            has_amaf,
            limit: 0,
            free: [0; 16],
            nodes: 0,
        }
    }

    /// Empties the tree, keeping its memory, and sets how many bytes it may take.
    pub(crate) fn reset(&mut self, proof: bool, ranked: bool, limit: usize) {
        self.words.clear();
        self.moves.clear();
        self.free = [0; 16];
        self.nodes = 1;
        (self.proof, self.ranked_up_to, self.limit) =
            (proof, if ranked { usize::MAX } else { 0 }, limit.min(room::MOST));
        self.halves = if proof { WITH_NUMBERS } else { PLAIN };
        [self.extended, self.second, self.players, self.has_amaf] = [false; 4];
        (self.front, self.fade) = (0, None);
        self.amaf.clear();
        room::prepare(&mut self.words, self.limit);
        room::prepare(&mut self.moves, self.limit);
        self.words.resize(ALIGN + MARGIN, 0);
    }

    pub(crate) fn bytes(&self) -> usize {
        self.words.len().saturating_sub(MARGIN) * 4
            + self.moves.len() * size_of::<M>()
            + self.amaf.len() * size_of::<Amaf>()
    }

    /// Positions in the tree: the root and every child of an opened node, visited or not.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    fn block_words(&self, capacity: usize) -> usize {
        let extension = if self.extended { self.extension_words(capacity) } else { 0 };
        (self.front + HEADER + self.plain_columns(capacity) + extension).next_multiple_of(ALIGN)
    }

    #[inline(always)]
    fn plain_columns(&self, capacity: usize) -> usize {
        capacity * self.halves / 2
    }

    /// A block for a node with these moves. `None` if the memory is used up, unless `beyond` allows to exceed it.
    pub(crate) fn expand(&mut self, moves: &[M], capacity: usize, choice: Choice, beyond: bool) -> Option<Node> {
        assert!(moves.len() <= MOST_CHILDREN, "a position has {} moves; the tree has room for 65,534", moves.len());
        let capacity = capacity.min(moves.len()).next_multiple_of(2);
        let extra = std::mem::size_of_val(moves);
        if !room::make(&mut self.moves, moves.len(), self.limit) && !beyond {
            return None;
        }
        let node = self.allocate(capacity, extra, beyond)?;
        let first = self.moves.len() as u32;
        self.moves.extend_from_slice(moves);
        let block = &mut self.words[node.0 as usize..][..HEADER];
        block[VISITS] = 0;
        block[MOVES] = first;
        block[COUNTS] = moves.len() as u32;
        block[SHAPE] = capacity as u32;
        block[ENDS] = choice.ended as u32
            | (choice.mover.index() as u32) << 16
            | u32::from(choice.kind == NodeKind::Or) << 20
            | u32::from(choice.decisive) << 21;
        self.nodes += moves.len() as u64;
        Some(node)
    }

    fn allocate(&mut self, capacity: usize, extra: usize, beyond: bool) -> Option<Node> {
        let words = self.block_words(capacity);
        if capacity.is_power_of_two() && capacity >= SMALLEST {
            let list = capacity.ilog2() as usize - 1;
            let found = self.free[list] as usize;
            if found != 0 && (beyond || self.bytes() + extra <= self.limit) {
                self.free[list] = self.words[found];
                return Some(Node(found as u32));
            }
        }
        let at = self.words.len() - MARGIN;
        let reachable = at + words <= u32::MAX as usize && self.moves.len() < u32::MAX as usize - (1 << 16);
        if !reachable || (!beyond && self.bytes() + words * 4 + extra > self.limit) {
            return None;
        }
        if !room::make(&mut self.words, words, self.limit) && !beyond {
            return None;
        }
        self.words.resize(at + words + MARGIN, 0);
        Some(Node((at + self.front) as u32))
    }

    /// Makes room for more visited children: a new block, to be linked in place of the old one.
    #[cold]
    pub(crate) fn grow(&mut self, node: Node) -> Option<Node> {
        let (old, children) = (self.capacity(node), self.children(node));
        let capacity = (old * 2).max(SMALLEST).min(children.next_multiple_of(2));
        let new = self.allocate(capacity, 0, false)?;
        let (from, to) = (node.0 as usize, new.0 as usize);
        self.words.copy_within(from..from + HEADER, to);
        self.words[to + SHAPE] = capacity as u32 | (self.words[from + SHAPE] & 0xffff_0000);
        for column in 0..if self.proof { 5 } else { 3 } {
            let start = from + HEADER + column * old;
            self.words.copy_within(start..start + old, to + HEADER + column * capacity);
        }
        // Ranks need no copy: they are first made when every child was visited, and nothing grows after that.
        if self.extended {
            self.copy_extension((from, old), (to, capacity));
        }
        if old.is_power_of_two() && old >= SMALLEST {
            let list = old.ilog2() as usize - 1;
            self.words[from] = self.free[list];
            self.free[list] = node.0;
        }
        Some(new)
    }

    #[inline(always)]
    fn word(&self, node: Node, at: usize) -> u32 {
        self.words[node.0 as usize + at]
    }

    #[inline(always)]
    pub(crate) fn visits(&self, node: Node) -> u32 {
        self.word(node, VISITS)
    }

    #[inline(always)]
    pub(crate) fn set_visits(&mut self, node: Node, visits: u32) {
        self.words[node.0 as usize + VISITS] = visits;
    }

    #[inline(always)]
    pub(crate) fn children(&self, node: Node) -> usize {
        (self.word(node, COUNTS) & 0xffff) as usize
    }

    #[inline(always)]
    pub(crate) fn visited(&self, node: Node) -> usize {
        (self.word(node, COUNTS) >> 16) as usize
    }

    #[inline(always)]
    fn capacity(&self, node: Node) -> usize {
        (self.word(node, SHAPE) & 0xffff) as usize
    }

    #[inline(always)]
    pub(crate) fn kind(&self, node: Node) -> NodeKind {
        if self.word(node, ENDS) >> 20 & 1 != 0 { NodeKind::Or } else { NodeKind::And }
    }

    /// Unvisited children whose game goes on.
    #[inline(always)]
    fn open(&self, node: Node) -> usize {
        self.children(node) - self.visited(node) - (self.word(node, ENDS) & 0xffff) as usize
    }

    /// Whether an unvisited child decides the node, or once did.
    #[inline(always)]
    fn decisive(&self, node: Node) -> bool {
        self.word(node, ENDS) & 1 << 21 != 0
    }

    /// Reads the head of a block.
    #[inline(always)]
    pub(crate) fn head(&self, node: Node) -> Head {
        let words = &self.words[node.0 as usize..][..HEADER];
        Head {
            node,
            visits: words[VISITS],
            children: (words[COUNTS] & 0xffff) as usize,
            visited: (words[COUNTS] >> 16) as usize,
            capacity: (words[SHAPE] & 0xffff) as usize,
            worst_rank: words[SHAPE] >> 16,
            mover: Player::new((words[ENDS] >> 16 & 7) as usize),
            first_move: words[MOVES] as usize,
        }
    }

    /// The child in `slot`, its move and its link.
    #[inline(always)]
    pub(crate) fn step(&self, head: &Head, slot: usize) -> (Step, M, Link) {
        let at = head.node.0 as usize + HEADER + slot;
        let step = Step { node: head.node, slot, mover: head.mover, at: at as u32, capacity: head.capacity as u32 };
        (step, self.moves[head.first_move + slot], unpack(self.words[at + 2 * head.capacity]))
    }

    /// Counts a visit of a child that has no block; how many it has now.
    #[inline(always)]
    pub(crate) fn count_leaf_visit(&mut self, step: Step) -> u32 {
        let link = &mut self.words[(step.at + 2 * step.capacity) as usize];
        *link = (*link + 1).min(EXPANDED - 1);
        *link
    }

    /// Adds a result to a child that now has `visits` visits, and a visit to its parent; how many that has now.
    #[inline(always)]
    pub(crate) fn add_result(&mut self, step: Step, value: i32, visits: u32) -> u32 {
        let sum = &mut self.words[step.at as usize];
        *sum = (*sum as i32).saturating_add(value) as u32;
        self.words[(step.at + step.capacity) as usize] = (1.0 / (visits as f32).sqrt()).to_bits();
        let visits = &mut self.words[step.node.0 as usize + VISITS];
        *visits = visits.saturating_add(1);
        *visits
    }

    #[inline(always)]
    pub(crate) fn move_of(&self, node: Node, slot: usize) -> M {
        self.moves[self.word(node, MOVES) as usize + slot]
    }

    #[inline(always)]
    pub(crate) fn link(&self, node: Node, slot: usize) -> Link {
        unpack(self.words[self.column(node, 2) + slot])
    }

    #[inline(always)]
    pub(crate) fn set_link(&mut self, node: Node, slot: usize, link: Link) {
        let at = self.column(node, 2) + slot;
        self.words[at] = match link {
            Link::Node(child) => (child.0 / ALIGN as u32) | EXPANDED,
            Link::Leaf(visits) => visits.min(EXPANDED - 1),
        };
    }

    #[inline(always)]
    fn column(&self, node: Node, column: usize) -> usize {
        node.0 as usize + HEADER + column * self.capacity(node)
    }

    /// Sums and weights of the visited children.
    #[inline(always)]
    pub(crate) fn values(&self, head: &Head) -> (&[i32], &[f32]) {
        let (sums, weights) = self.values_in_fours(head);
        (&sums[..head.visited], &weights[..head.visited])
    }

    /// The same up to the next multiple of four, where there is something else: the next column.
    #[inline(always)]
    pub(crate) fn values_in_fours(&self, head: &Head) -> (&[i32], &[f32]) {
        let both = &self.words[head.node.0 as usize + HEADER..][..2 * head.capacity + ALIGN];
        let fours = head.visited.next_multiple_of(4);
        (cast_slice(&both[..fours]), cast_slice(&both[head.capacity..][..fours]))
    }

    /// Brings unvisited child number `index` (counted from the first unvisited one) into the tree; its slot.
    ///
    /// There must be room in the block. The child starts with no visit and with `numbers`.
    #[inline(always)]
    pub(crate) fn visit(&mut self, node: Node, index: usize, numbers: ProofNumbers) -> usize {
        let slot = self.visited(node);
        let first = self.word(node, MOVES) as usize;
        self.moves.swap(first + slot, first + slot + index);
        let at = node.0 as usize;
        self.words[at + COUNTS] += 1 << 16;
        let (start, capacity) = (self.column(node, 0), self.capacity(node));
        for column in 0..3 {
            self.words[start + column * capacity + slot] = 0;
        }
        if self.proof {
            if numbers.is_decided() {
                self.words[at + ENDS] -= 1;
            }
            self.write_numbers(node, slot, numbers);
            if !self.extended && self.is_ranked(node) && slot + 1 == self.children(node) {
                self.rank_all(node);
            }
        }
        slot
    }
}

#[inline(always)]
fn unpack(word: u32) -> Link {
    if word & EXPANDED != 0 { Link::Node(Node((word ^ EXPANDED) * ALIGN as u32)) } else { Link::Leaf(word) }
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
            assert_eq!(u32::from(tree.ranks(node)[slot]), i + 1);
        }
        assert_eq!((tree.head(node).mover, tree.kind(node), tree.nodes()), (Player::SECOND, NodeKind::And, 101));
        let words = tree.words.len();
        let again = open(&mut tree).expect("room");
        assert_eq!(tree.words.len(), words, "the first small block is used again");
        assert_eq!((tree.visited(again), tree.children(again), tree.visits(again)), (0, 100, 0), "and begins empty");
    }
}

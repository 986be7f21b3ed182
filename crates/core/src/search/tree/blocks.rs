//! Blocks of words: everything in the tree but the moves. Not generic over the game, so that it is compiled once.

use bytemuck::cast_slice;

use super::{
    ALIGN, Amaf, COUNTS, Choice, ENDS, EXPANDED, HEADER, Head, Link, MARGIN, MOST_CHILDREN, MOVES, Node, PLAIN, SHAPE,
    SMALLEST, Step, VISITS, WITH_NUMBERS, room,
};
use crate::outcome::Player;
use crate::search::proof::{NodeKind, ProofNumbers};
use crate::search::select::Fade;
use crate::search::tree::arena::Arena;
use crate::search::tree::shared::Shared;

/// The arena.
#[derive(Debug)]
pub(crate) struct Blocks {
    pub(super) words: Arena<u32>,
    /// Moves of all nodes together, which stand in a list of their own, and the bytes of each.
    pub(super) moves: usize,
    pub(super) move_bytes: usize,
    /// Whether the proof number columns are there.
    pub(super) proof: bool,
    /// Half words for each child, without those of the extension.
    pub(super) halves: usize,
    /// Ranks are kept up to date at nodes with at most this many children; nobody asks for those of others.
    pub(super) ranked_up_to: usize,
    /// Whether the extension is there, and how many of its words stand before the head of a block.
    pub(super) extended: bool,
    pub(super) prefix: usize,
    /// How bonuses fade, if what is left of them is kept beside every child.
    pub(super) fade: Option<Fade>,
    /// Whether there are numbers for a second goal.
    pub(super) second: bool,
    /// Whether the numbers are the two players' proof numbers.
    pub(super) players: bool,
    /// All-moves-as-first values beside the moves, if they are kept.
    pub(super) amaf: Arena<Amaf>,
    pub(super) has_amaf: bool,
    pub(super) limit: usize,
    /// Abandoned blocks of capacity 2, 4, 8, …, each list linked through the first word; 0 ends it.
    pub(super) free: [u32; 16],
    pub(super) nodes: u64,
    /// Whether blocks and lists of moves have the words behind them that are read with their last ones, so that no thread
    /// reads what belongs to another.
    pub(super) padded: bool,
    /// What the tree shares with views of other threads, if it is a view itself; and its parts of words and moves.
    pub(super) shared: Option<Shared>,
}

impl Blocks {
    pub(super) fn new(move_bytes: usize) -> Self {
        let [proof, extended, second, players, has_amaf] = [false; 5];
        Self {
            words: Arena::new(),
            moves: 0,
            move_bytes,
            proof,
            halves: PLAIN,
            ranked_up_to: 0,
            extended,
            prefix: 0,
            fade: None,
            second,
            players,
            amaf: Arena::new(),
            has_amaf,
            limit: 0,
            free: [0; 16],
            nodes: 0,
            padded: false,
            shared: None,
        }
    }

    /// Empties the tree, keeping its memory, and sets how many bytes it may take.
    pub(super) fn reset(&mut self, proof: bool, ranked: bool, limit: usize) {
        self.moves = 0;
        self.free = [0; 16];
        self.nodes = 1;
        (self.proof, self.ranked_up_to, self.limit) =
            (proof, if ranked { usize::MAX } else { 0 }, limit.min(room::MOST));
        self.halves = if proof { WITH_NUMBERS } else { PLAIN };
        [self.extended, self.second, self.players, self.has_amaf] = [false; 4];
        (self.prefix, self.fade) = (0, None);
        self.padded = false;
        self.amaf.change(Vec::clear);
        let limit = self.limit;
        self.words.change(|words| {
            words.clear();
            room::prepare(words, limit);
            words.resize(ALIGN + MARGIN, 0);
        });
    }

    pub(crate) fn bytes(&self) -> usize {
        if let Some(shared) = &self.shared {
            return shared.claims.bytes();
        }
        self.words.len().saturating_sub(MARGIN) * 4 + self.moves * self.move_bytes + self.amaf.len() * size_of::<Amaf>()
    }

    /// Positions in the tree: the root and every child of an opened node, visited or not.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    pub(super) fn block_words(&self, capacity: usize) -> usize {
        let extension = if self.extended { self.extension_words(capacity) } else { 0 };
        let margin = if self.padded { MARGIN } else { 0 };
        (self.prefix + HEADER + self.plain_columns(capacity) + extension + margin).next_multiple_of(ALIGN)
    }

    #[inline(always)]
    pub(super) fn plain_columns(&self, capacity: usize) -> usize {
        capacity * self.halves / 2
    }

    /// A block for a node with so many moves. `None` if the memory is used up, unless `beyond` allows to exceed it.
    pub(super) fn expand(&mut self, moves: usize, capacity: usize, choice: Choice, beyond: bool) -> Option<Node> {
        assert!(moves <= MOST_CHILDREN, "a position has {moves} moves; the tree has room for 65,534");
        let capacity = capacity.min(moves).next_multiple_of(2);
        let node = self.allocate(capacity, moves * self.move_bytes, beyond)?;
        let block = &mut self.words[node.0 as usize..node.0 as usize + HEADER];
        block[VISITS] = 0;
        block[MOVES] = self.moves as u32;
        block[COUNTS] = moves as u32;
        block[SHAPE] = capacity as u32;
        block[ENDS] = choice.ended as u32
            | (choice.mover.index() as u32) << 16
            | u32::from(choice.kind == NodeKind::Or) << 20
            | u32::from(choice.decisive) << 21;
        self.moves += moves;
        self.nodes += moves as u64;
        Some(node)
    }

    fn allocate(&mut self, capacity: usize, extra: usize, beyond: bool) -> Option<Node> {
        let words = self.block_words(capacity);
        if self.shared.is_some() {
            return self.allocate_claimed(capacity, words);
        }
        if capacity.is_power_of_two() && capacity >= SMALLEST {
            let list = capacity.ilog2() as usize - 1;
            let found = self.free[list] as usize;
            if found != 0 && (beyond || self.bytes() + extra <= self.limit) {
                self.free[list] = self.words[found];
                return Some(Node(found as u32));
            }
        }
        let at = self.words.len() - MARGIN;
        let reachable = at + words <= u32::MAX as usize && self.moves < u32::MAX as usize - (1 << 16);
        if !reachable || (!beyond && self.bytes() + words * 4 + extra > self.limit) {
            return None;
        }
        let limit = self.limit;
        let fits = self.words.change(|list| {
            let fits = room::make(list, words, limit) || beyond;
            if fits {
                list.resize(at + words + MARGIN, 0);
            }
            fits
        });
        if !fits {
            return None;
        }
        Some(Node((at + self.prefix) as u32))
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
    pub(super) fn word(&self, node: Node, at: usize) -> u32 {
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
    pub(super) fn capacity(&self, node: Node) -> usize {
        (self.word(node, SHAPE) & 0xffff) as usize
    }

    #[inline(always)]
    pub(crate) fn kind(&self, node: Node) -> NodeKind {
        if self.word(node, ENDS) >> 20 & 1 != 0 { NodeKind::Or } else { NodeKind::And }
    }

    /// Unvisited children whose game goes on.
    #[inline(always)]
    pub(super) fn open(&self, node: Node) -> usize {
        self.children(node) - self.visited(node) - (self.word(node, ENDS) & 0xffff) as usize
    }

    /// Whether an unvisited child decides the node, or once did.
    #[inline(always)]
    pub(super) fn decisive(&self, node: Node) -> bool {
        self.word(node, ENDS) & 1 << 21 != 0
    }

    /// Reads the head of a block.
    #[inline(always)]
    pub(crate) fn head(&self, node: Node) -> Head {
        let words = &self.words[node.0 as usize..node.0 as usize + HEADER];
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

    /// The child in `slot` and its link.
    #[inline(always)]
    pub(super) fn step_at(&self, head: &Head, slot: usize) -> (Step, Link) {
        let at = head.node.0 as usize + HEADER + slot;
        let step = Step { node: head.node, slot, mover: head.mover, at: at as u32, capacity: head.capacity as u32 };
        (step, unpack(self.words[at + 2 * head.capacity]))
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

    /// Where the moves of a node begin.
    #[inline(always)]
    pub(super) fn first_move(&self, node: Node) -> usize {
        self.word(node, MOVES) as usize
    }

    /// Visits of a visited child.
    #[inline(always)]
    pub(crate) fn child_visits(&self, node: Node, slot: usize) -> u32 {
        match self.link(node, slot) {
            Link::Leaf(visits) => visits,
            Link::Node(child) => self.visits(child),
        }
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
    pub(super) fn column(&self, node: Node, column: usize) -> usize {
        node.0 as usize + HEADER + column * self.capacity(node)
    }

    /// Sums and weights of the visited children.
    #[inline(always)]
    pub(crate) fn values(&self, head: &Head) -> (&[i32], &[f32]) {
        let (sums, weights) = self.values_in_lanes(head);
        (&sums[..head.visited], &weights[..head.visited])
    }

    /// The same up to the next multiple of four, where there is something else: the next column.
    #[inline(always)]
    pub(crate) fn values_in_lanes(&self, head: &Head) -> (&[i32], &[f32]) {
        let start = head.node.0 as usize + HEADER;
        let both = &self.words[start..start + 2 * head.capacity + ALIGN];
        let lanes = head.visited.next_multiple_of(4);
        (cast_slice(&both[..lanes]), cast_slice(&both[head.capacity..][..lanes]))
    }

    /// Gives the next unvisited child a slot, with no visit and with `numbers`. There must be room in the block.
    #[inline(always)]
    pub(super) fn admit(&mut self, node: Node, numbers: ProofNumbers) -> usize {
        let slot = self.visited(node);
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

//! What the switches of the search add to a tree: exact values, and ranks from the first visit on.
//!
//! ```text
//! before the head of a block, so that a choice finds it where it finds the head:
//!    pruned | rank of the unvisited << 16
//!    nothing: it keeps blocks at even places
//! behind its columns:
//!    share   f32 x capacity    what is left of the child's bonus after its visits, if that fades by them
//!    bounds  u16 x capacity    what is proven of the child for the player who moves here
//!    pn, dpn u32 x capacity    for a second goal, if there is one
//!
//! children and moves:   active            pruned      open               ended, best last
//!                      └──────── visited ───────┘    └───── not yet visited ─────┘
//! ```
//! Selection looks at the active children alone. A child that is decided, or cannot be better than what another one
//! already guarantees, is pruned: it changes places with the last active one.
//!
//! Ranks are those among the visited children and the open ones, which all have the numbers of a new leaf and so share
//! a rank. A first visit therefore changes no rank.

use bytemuck::{cast_slice, cast_slice_mut};

use crate::outcome::Wdl;
use crate::search::proof::{ProofNumber, ProofNumbers};
use crate::search::report::Bounds;
use crate::search::select::Fade;
use crate::search::switches::Proof;
use crate::search::tree::{Blocks, Choice, ENDS, HEADER, Head, Node, SHAPE, Step, Tree};

const BEST_END: u32 = 22;
const RANK_COLUMN: usize = 5;
/// Words before the head.
const PREFIX: usize = 2;
pub(super) const DECISIVE_SECOND: u32 = 24;
/// Set where something was ever proven of a visited child.
const HAS_BOUNDS: u32 = 1 << 25;

/// What a choice among the children needs to know besides the head.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChildCounts {
    /// Visited children that are not pruned.
    pub active: usize,
    /// Unvisited children whose game goes on.
    pub open: usize,
    /// Unvisited children whose game is finished.
    pub ended: usize,
    /// The rank that all open children share.
    pub open_rank: u16,
}

/// What is known of a node when it is opened.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NodeInfo {
    /// The best result of the moves that finish the game.
    pub best_end: Option<Wdl>,
    /// Whether one of those moves decides the node for the second goal.
    pub decisive_second: bool,
}

impl Blocks {
    /// Adds the extension to a tree that was just reset.
    pub(crate) fn extend(&mut self, proof: Option<Proof>) {
        (self.extended, self.prefix) = (true, PREFIX);
        self.ranked_up_to = 0;
        if let Some(proof) = proof {
            self.ranked_up_to = proof.ranks_up_to();
            (self.second, self.players) = (proof.two_goals, proof.players);
            self.fade = (self.ranked_up_to > 0).then_some(proof.fade).filter(|fade| matches!(fade, Fade::Slowly(_)));
        }
    }

    /// Whether the mover has a draw at hand, and numbers that must know: then the opponent cannot win.
    #[inline(always)]
    pub(super) fn is_drawable(&self, node: Node) -> bool {
        self.players && self.word(node, ENDS) >> BEST_END & 3 == 1 + Wdl::Draw as u32
    }

    /// Words of the extension.
    pub(super) fn extension_words(&self, capacity: usize) -> usize {
        self.share_words(capacity) + capacity / 2 + if self.second { 2 * capacity } else { 0 }
    }

    /// Words of the column of shares.
    #[inline(always)]
    fn share_words(&self, capacity: usize) -> usize {
        if self.fade.is_some() { capacity } else { 0 }
    }

    /// What is left of the bonuses of the visited children, up to the next multiple of four, if that is kept.
    #[inline(always)]
    pub(crate) fn shares_in_lanes(&self, head: &Head) -> &[f32] {
        let start = head.node.0 as usize + HEADER + self.plain_columns(head.capacity);
        cast_slice(&self.words[start..start + head.visited.next_multiple_of(4)])
    }

    /// Notes what is left of the bonus of a child that now has so many visits, if that is kept.
    #[inline(always)]
    pub(crate) fn fade(&mut self, step: Step, visits: u32) {
        if let Some(fade) = self.fade {
            let at = step.node.0 as usize + HEADER + self.plain_columns(step.capacity as usize) + step.slot;
            self.words[at] = fade.share(1.0 / (visits as f32).sqrt()).to_bits();
        }
    }

    /// Adds what the extension knows of a node that was just expanded.
    fn note_info(&mut self, node: Node, info: NodeInfo) {
        if self.has_amaf && self.shared.is_none() {
            self.add_room_for_amaf();
        }
        let best_end = info.best_end.map_or(0, |value| 1 + value as u32);
        self.words[node.0 as usize + ENDS] |= best_end << BEST_END | u32::from(info.decisive_second) << DECISIVE_SECOND;
        self.words[node.0 as usize + SHAPE] |= 1 << 16;
        self.words[prefix(node)] = 1 << 16;
    }

    /// Where the columns of the extension begin.
    #[inline(always)]
    pub(super) fn extension(&self, node: Node) -> usize {
        node.0 as usize + HEADER + self.plain_columns(self.capacity(node))
    }

    /// Where the column of bounds begins.
    #[inline(always)]
    pub(super) fn bounds_start(&self, node: Node) -> usize {
        self.extension(node) + self.share_words(self.capacity(node))
    }

    pub(super) fn copy_extension(&mut self, (from, old): (usize, usize), (to, capacity): (usize, usize)) {
        if self.proof {
            let at = from + HEADER + RANK_COLUMN * old;
            self.words.copy_within(at..at + old / 2, to + HEADER + RANK_COLUMN * capacity);
        }
        self.words.copy_within(from - PREFIX..from, to - PREFIX);
        let at = from + HEADER + self.plain_columns(old);
        let to = to + HEADER + self.plain_columns(capacity);
        let (shares, more) = (self.share_words(old), self.share_words(capacity));
        self.words.copy_within(at..at + shares, to);
        let (at, to) = (at + shares, to + more);
        self.words.copy_within(at..at + old / 2, to);
        if self.second {
            let (at, to) = (at + old / 2, to + capacity / 2);
            self.words.copy_within(at..at + old, to);
            self.words.copy_within(at + old..at + 2 * old, to + capacity);
        }
    }

    #[inline(always)]
    pub(crate) fn counts(&self, head: &Head) -> ChildCounts {
        let word = self.words[prefix(head.node)];
        let ended = (self.word(head.node, ENDS) & 0xffff) as usize;
        ChildCounts {
            active: head.visited - (word & 0xffff) as usize,
            open: head.children - head.visited - ended,
            ended,
            open_rank: (word >> 16) as u16,
        }
    }

    /// As [`admit`](Blocks::admit), with numbers for both goals and with bounds; `ended` says that its game is finished.
    fn admit_extended(&mut self, node: Node, numbers: [ProofNumbers; 2], bounds: Bounds, ended: bool) -> usize {
        let open_rank = self.counts(&self.head(node)).open_rank;
        let slot = self.admit(node, numbers[0]);
        if self.second {
            self.write_second(node, slot, numbers[1]);
        }
        if ended && !(self.proof && numbers[0].is_decided()) {
            self.words[node.0 as usize + ENDS] -= 1;
        }
        self.write_bounds(node, slot, bounds);
        if self.proof {
            self.ranks_mut(node)[slot] = open_rank;
            if ended && self.is_ranked(node) {
                // It was not counted so far: as if it had stood behind all others.
                if self.second {
                    let key = self.pair_key(node, slot);
                    self.rank_pair_again(node, slot, u64::MAX, key);
                } else {
                    let key = self.keys(node)[slot];
                    self.rank_again(node, slot, u32::MAX, key);
                }
            }
        }
        slot
    }

    /// Exchanges two visited children, but for their moves.
    fn swap_children(&mut self, node: Node, a: usize, b: usize) {
        if self.has_amaf {
            let first = self.first_move(node);
            self.amaf.swap(first + a, first + b);
        }
        for column in 0..if self.proof { 5 } else { 3 } {
            let start = self.column(node, column);
            self.words.swap(start + a, start + b);
        }
        if self.proof {
            self.ranks_mut(node).swap(a, b);
        }
        if self.fade.is_some() {
            let start = self.extension(node);
            self.words.swap(start + a, start + b);
        }
        self.bounds_mut(node).swap(a, b);
        if self.second {
            let (start, capacity) = (self.second_column(node), self.capacity(node));
            self.words.swap(start + a, start + b);
            self.words.swap(start + capacity + a, start + capacity + b);
        }
    }

    #[inline(always)]
    pub(super) fn ranks_mut(&mut self, node: Node) -> &mut [u16] {
        let (start, visited) = (self.column(node, RANK_COLUMN), self.visited(node));
        &mut cast_slice_mut(&mut self.words[start..start + visited.div_ceil(2)])[..visited]
    }

    #[inline(always)]
    fn bounds_mut(&mut self, node: Node) -> &mut [u16] {
        let (start, visited) = (self.bounds_start(node), self.visited(node));
        &mut cast_slice_mut(&mut self.words[start..start + visited.div_ceil(2)])[..visited]
    }

    #[inline(always)]
    fn bounds_column(&self, node: Node) -> &[u16] {
        let (start, visited) = (self.bounds_start(node), self.visited(node));
        &cast_slice(&self.words[start..start + visited.div_ceil(2)])[..visited]
    }

    /// What is proven of a visited child, for the player who moves at the node.
    #[inline(always)]
    pub(crate) fn bounds(&self, node: Node, slot: usize) -> Bounds {
        decode(self.bounds_column(node)[slot])
    }

    #[inline(always)]
    fn write_bounds(&mut self, node: Node, slot: usize, bounds: Bounds) {
        let code = encode(bounds);
        self.bounds_mut(node)[slot] = code;
        if code != 0 {
            self.words[node.0 as usize + ENDS] |= HAS_BOUNDS;
        }
    }

    pub(crate) fn set_bounds(&mut self, step: Step, bounds: Bounds) {
        self.write_bounds(step.node, step.slot, bounds);
    }

    /// Keeps the mean of a child that has `visits` visits within its bounds; those bounds, if anything is proven.
    #[inline(always)]
    pub(crate) fn clip(&mut self, step: Step, visits: u32) -> Option<Bounds> {
        if self.word(step.node, ENDS) & HAS_BOUNDS == 0 {
            return None;
        }
        let code = self.bounds_column(step.node)[step.slot];
        if code == 0 {
            return None;
        }
        let bounds = decode(code);
        let sum = &mut self.words[step.at as usize];
        let visits = visits.min(i32::MAX as u32) as i32;
        *sum = (*sum as i32).clamp(bounds.least.value() * visits, bounds.most.value() * visits) as u32;
        Some(bounds)
    }

    /// What is proven of a node for the player who moves there, from all its children.
    pub(crate) fn node_bounds(&self, node: Node) -> Bounds {
        let end = self.word(node, ENDS) >> BEST_END & 3;
        let end = [None, Some(Wdl::Loss), Some(Wdl::Draw), Some(Wdl::Win)][end as usize];
        let most = if self.open(node) > 0 { Wdl::Win } else { end.unwrap_or(Wdl::Loss) };
        let start = Bounds { least: end.unwrap_or(Wdl::Loss), most };
        self.bounds_column(node)
            .iter()
            .map(|&code| decode(code))
            .fold(start, |all, child| Bounds { least: all.least.max(child.least), most: all.most.max(child.most) })
    }

    /// Prunes the active children of more than `visits` visits (with 0 of any number) that cannot be better than `least`.
    /// `swapped` is told which children changed places.
    fn prune_blocks(&mut self, node: Node, least: Wdl, visits: u32, swapped: &mut dyn FnMut(usize, usize)) {
        let head = self.head(node);
        let mut active = self.counts(&head).active;
        let mut slot = 0;
        while slot < active {
            let useless = self.bounds(node, slot).most <= least;
            if useless && (visits == 0 || self.child_visits(node, slot) > visits) {
                active -= 1;
                if slot != active {
                    self.swap_children(node, slot, active);
                    swapped(slot, active);
                }
            } else {
                slot += 1;
            }
        }
        let at = prefix(node);
        self.words[at] = self.words[at] & 0xffff_0000 | (head.visited - active) as u32;
    }

    /// Keeps all ranks right when the key of one visited child goes from `old` to `new`.
    pub(super) fn rank_again(&mut self, node: Node, slot: usize, old: u32, new: u32) {
        let leaf = ProofNumber::ONE.word();
        let (open, visited, at) = (self.open(node), self.visited(node), prefix(node));
        let mut open_rank = (self.words[at] >> 16) as u16;
        open_rank = open_rank.wrapping_add(u16::from(new < leaf)).wrapping_sub(u16::from(old < leaf));
        self.words[at] = self.words[at] & 0xffff | u32::from(open_rank) << 16;
        let mut before = if leaf < new { open as u16 } else { 0 };
        let mut worst = if open > 0 { open_rank } else { 1 };
        let (keys, ranks) = self.keys_and_ranks(node, visited);
        ranks[slot] = 1;
        for (rank, &key) in ranks.iter_mut().zip(keys) {
            *rank = rank.wrapping_add(u16::from(new < key)).wrapping_sub(u16::from(old < key));
            before += u16::from(key < new);
            worst = worst.max(*rank);
        }
        ranks[slot] = 1 + before;
        self.note_worst_rank(node, worst.max(1 + before));
    }
}

impl<M: Copy> Tree<M> {
    /// [`Tree::expand`] for moves of which the last ones finish the game.
    pub(crate) fn expand_extended(
        &mut self,
        moves: &[M],
        capacity: usize,
        choice: Choice,
        info: NodeInfo,
        beyond: bool,
    ) -> Option<Node> {
        let node = self.expand(moves, capacity, choice, beyond)?;
        self.note_info(node, info);
        Some(node)
    }

    /// Brings an unvisited child into the tree, as [`Tree::visit`] does; the open ones come first, then the ended ones.
    pub(crate) fn visit_extended(
        &mut self,
        node: Node,
        index: usize,
        numbers: [ProofNumbers; 2],
        bounds: Bounds,
    ) -> usize {
        let head = self.head(node);
        let counts = self.counts(&head);
        let first = head.first_move + head.visited;
        let ended = index >= counts.open;
        if ended {
            // The other ended ones keep their order.
            self.moves[first..first + index + 1].rotate_right(1);
        } else {
            self.moves.swap(first, first + index);
        }
        if self.has_amaf {
            let values = &mut self.blocks.amaf[first..first + index + 1];
            if ended { values.rotate_right(1) } else { values.swap(0, index) }
        }
        let slot = self.blocks.admit_extended(node, numbers, bounds, ended);
        // In front of the pruned ones.
        if slot != counts.active {
            self.swap_children(node, slot, counts.active);
            self.moves.swap(head.first_move + slot, head.first_move + counts.active);
        }
        slot.min(counts.active)
    }

    /// Prunes the active children of more than `visits` visits (with 0 of any number) that cannot be better than `least`.
    pub(crate) fn prune(&mut self, node: Node, least: Wdl, visits: u32) {
        let first = self.first_move(node);
        let Self { blocks, moves } = self;
        blocks.prune_blocks(node, least, visits, &mut |a, b| moves.swap(first + a, first + b));
    }
}

/// Where the words before the head begin.
#[inline(always)]
pub(super) fn prefix(node: Node) -> usize {
    node.0 as usize - PREFIX
}

/// 0 says that nothing is proven.
#[inline(always)]
fn encode(bounds: Bounds) -> u16 {
    bounds.least as u16 | (2 - bounds.most as u16) << 2
}

#[inline(always)]
fn decode(code: u16) -> Bounds {
    const WDL: [Wdl; 4] = [Wdl::Loss, Wdl::Draw, Wdl::Win, Wdl::Win];
    Bounds { least: WDL[usize::from(code & 3)], most: WDL[2 - usize::from(code >> 2).min(2)] }
}

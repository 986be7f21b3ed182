//! Numbers for a second goal beside the first, and ranks by the pair of both.
//!
//! With "wins" as the first goal and "at least draws" as the second, children that are equal for the one can still
//! differ for the other; where the first is settled the second goes on.

use crate::search::proof::{NodeKind, ProofNumber, ProofNumbers};
use crate::search::tree::extended::{DECISIVE_SECOND, prefix};
use crate::search::tree::{Blocks, ENDS, Node};

impl Blocks {
    pub(super) fn second_column(&self, node: Node) -> usize {
        self.bounds_start(node) + self.capacity(node) / 2
    }

    /// The numbers of a visited child for the second goal.
    pub(crate) fn second_numbers(&self, node: Node, slot: usize) -> ProofNumbers {
        let (at, capacity) = (self.second_column(node) + slot, self.capacity(node));
        let [pn, dpn] = [at, at + capacity].map(|at| ProofNumber::from_word(self.words[at]));
        ProofNumbers { pn, dpn }
    }

    pub(super) fn write_second(&mut self, node: Node, slot: usize, numbers: ProofNumbers) {
        let (at, capacity) = (self.second_column(node) + slot, self.capacity(node));
        self.words[at] = numbers.pn.word();
        self.words[at + capacity] = numbers.dpn.word();
    }

    /// The numbers of a node for the second goal, from all its children, visited or not.
    pub(crate) fn combined_second(&self, node: Node) -> ProofNumbers {
        let (kind, open) = (self.kind(node), self.open(node) as u32);
        let seen = (0..self.visited(node)).map(|slot| self.second_numbers(node, slot));
        let (all, one) = (ProofNumber::finite(open), ProofNumber::ONE);
        let (rest, decided) = match kind {
            NodeKind::Or => (ProofNumbers { pn: one, dpn: all }, ProofNumbers::PROVEN),
            NodeKind::And => (ProofNumbers { pn: all, dpn: one }, ProofNumbers::DISPROVEN),
        };
        let decisive = self.word(node, ENDS) & 1 << DECISIVE_SECOND != 0;
        kind.combine(seen.chain((open > 0).then_some(rest)).chain(decisive.then_some(decided)))
    }

    /// What a visited child is ranked by: the first goal, then the second.
    pub(super) fn pair_key(&self, node: Node, slot: usize) -> u64 {
        let kind = self.kind(node);
        let [first, second] = [self.numbers(node, slot), self.second_numbers(node, slot)];
        pair(kind, first, second)
    }

    /// Gives a child new numbers for both goals and keeps the ranks right.
    pub(crate) fn set_both(&mut self, node: Node, slot: usize, first: ProofNumbers, second: ProofNumbers) {
        let old = self.pair_key(node, slot);
        self.write_numbers(node, slot, first);
        self.write_second(node, slot, second);
        let new = pair(self.kind(node), first, second);
        if old != new && self.is_ranked(node) {
            self.rank_pair_again(node, slot, old, new);
        }
    }

    /// Keeps all ranks right when the key of one visited child goes from `old` to `new`.
    pub(super) fn rank_pair_again(&mut self, node: Node, slot: usize, old: u64, new: u64) {
        let leaf = u64::from(ProofNumber::ONE.word());
        let leaf = leaf << 32 | leaf;
        let (open, visited, at) = (self.open(node), self.visited(node), prefix(node));
        let mut open_rank = (self.words[at] >> 16) as u16;
        open_rank = open_rank.wrapping_add(u16::from(new < leaf)).wrapping_sub(u16::from(old < leaf));
        self.words[at] = self.words[at] & 0xffff | u32::from(open_rank) << 16;
        let mut before = if leaf < new { open as u16 } else { 0 };
        let mut worst = if open > 0 { open_rank } else { 1 };
        for other in (0..visited).filter(|&other| other != slot) {
            let key = self.pair_key(node, other);
            let rank = &mut self.ranks_mut(node)[other];
            *rank = rank.wrapping_add(u16::from(new < key)).wrapping_sub(u16::from(old < key));
            before += u16::from(key < new);
            worst = worst.max(*rank);
        }
        self.ranks_mut(node)[slot] = 1 + before;
        self.note_worst_rank(node, worst.max(1 + before));
    }
}

fn pair(kind: NodeKind, first: ProofNumbers, second: ProofNumbers) -> u64 {
    u64::from(kind.key(first).word()) << 32 | u64::from(kind.key(second).word())
}

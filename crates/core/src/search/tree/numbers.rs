//! Proof numbers in the columns of a block, the ranks they give, and what a node's own numbers are.

use bytemuck::{cast_slice, cast_slice_mut};

use crate::search::proof::{NodeKind, ProofNumber, ProofNumbers};
use crate::search::tree::{Blocks, HEADER, Head, Node, SHAPE};

/// A draw, where the numbers are those of two players.
const NEITHER: ProofNumbers = ProofNumbers { pn: ProofNumber::INFINITE, dpn: ProofNumber::INFINITE };

impl Blocks {
    #[inline(always)]
    pub(crate) fn numbers(&self, node: Node, slot: usize) -> ProofNumbers {
        let pn = ProofNumber::from_word(self.words[self.column(node, 3) + slot]);
        let dpn = ProofNumber::from_word(self.words[self.column(node, 4) + slot]);
        ProofNumbers { pn, dpn }
    }

    #[inline(always)]
    pub(super) fn write_numbers(&mut self, node: Node, slot: usize, numbers: ProofNumbers) {
        let (pn, dpn) = (self.column(node, 3) + slot, self.column(node, 4) + slot);
        self.words[pn] = numbers.pn.word();
        self.words[dpn] = numbers.dpn.word();
    }

    /// The numbers by which the visited children are ranked.
    #[inline(always)]
    pub(crate) fn keys(&self, node: Node) -> &[u32] {
        let column = if self.kind(node) == NodeKind::Or { 3 } else { 4 };
        let start = self.column(node, column);
        &self.words[start..start + self.visited(node)]
    }

    /// Whether the ranks of the children are kept.
    #[inline(always)]
    pub(super) fn is_ranked(&self, node: Node) -> bool {
        self.children(node) <= self.ranked_up_to
    }

    /// Ranks of the visited children. In a tree without the extension they are meaningful once all are visited.
    pub(crate) fn ranks(&self, head: &Head) -> &[u16] {
        &self.ranks_in_lanes(head)[..head.visited]
    }

    /// The same up to the next multiple of four, where there is something else.
    #[inline(always)]
    pub(crate) fn ranks_in_lanes(&self, head: &Head) -> &[u16] {
        let start = head.node.0 as usize + HEADER + 5 * head.capacity;
        cast_slice(&self.words[start..start + head.visited.next_multiple_of(4) / 2])
    }

    /// Competition ranks of all children, each counted once: only when the last child is first visited.
    #[cold]
    pub(super) fn rank_all(&mut self, node: Node) {
        let (keys, ranks) = self.keys_and_ranks(node, self.children(node));
        let mut worst = 1;
        for (rank, &key) in ranks.iter_mut().zip(keys) {
            *rank = 1 + keys.iter().map(|&other| u16::from(other < key)).sum::<u16>();
            worst = worst.max(*rank);
        }
        self.note_worst_rank(node, worst);
    }

    #[inline(always)]
    pub(super) fn keys_and_ranks(&mut self, node: Node, children: usize) -> (&[u32], &mut [u16]) {
        let capacity = self.capacity(node);
        let is_or = self.kind(node) == NodeKind::Or;
        let start = node.0 as usize + HEADER;
        let block = &mut self.words[start..start + capacity * 5 + capacity / 2];
        let (before, ranks) = block.split_at_mut(capacity * 5);
        let keys = &before[if is_or { 3 } else { 4 } * capacity..][..children];
        (keys, &mut cast_slice_mut(ranks)[..children])
    }

    #[inline(always)]
    pub(super) fn note_worst_rank(&mut self, node: Node, worst: u16) {
        let shape = &mut self.words[node.0 as usize + SHAPE];
        *shape = *shape & 0xffff | u32::from(worst) << 16;
    }

    /// Gives a child new numbers and keeps the ranks right: one pass over the siblings, no sorting.
    ///
    /// With the key of one child going from `old` to `new`, another's rank changes by how it compares to both.
    #[inline(always)]
    pub(crate) fn set_numbers(&mut self, node: Node, slot: usize, numbers: ProofNumbers) {
        let kind = self.kind(node);
        let (old, new) = (kind.key(self.numbers(node, slot)).word(), kind.key(numbers).word());
        self.write_numbers(node, slot, numbers);
        if old == new || !self.is_ranked(node) {
            return;
        }
        if self.extended {
            return self.rank_again(node, slot, old, new);
        }
        if self.visited(node) < self.children(node) {
            return;
        }
        let (keys, ranks) = self.keys_and_ranks(node, self.children(node));
        ranks[slot] = 1;
        let (mut before, mut worst) = (0u16, 1u16);
        for (rank, &key) in ranks.iter_mut().zip(keys) {
            *rank = rank.wrapping_add(u16::from(new < key)).wrapping_sub(u16::from(old < key));
            before += u16::from(key < new);
            worst = worst.max(*rank);
        }
        ranks[slot] = 1 + before;
        self.note_worst_rank(node, worst.max(1 + before));
    }

    /// The numbers of a node from all its children, visited or not.
    pub(crate) fn combined(&self, node: Node) -> ProofNumbers {
        let seen = (0..self.visited(node)).map(|slot| self.numbers(node, slot));
        // So many unknown leaves count as one child: together for the sum, each alone for the least.
        let (count, kind) = (self.open(node) as u32, self.kind(node));
        let (all, one) = (ProofNumber::finite(count), ProofNumber::ONE);
        let (open, decided) = match kind {
            NodeKind::Or => (ProofNumbers { pn: one, dpn: all }, ProofNumbers::PROVEN),
            NodeKind::And => (ProofNumbers { pn: all, dpn: one }, ProofNumbers::DISPROVEN),
        };
        let open = (count > 0).then_some(open);
        let drawn = self.is_drawable(node).then_some(NEITHER);
        kind.combine(seen.chain(open).chain(self.decisive(node).then_some(decided)).chain(drawn))
    }

    /// The numbers of a node, given those it had and what became of one child: the sum by difference, the least by a
    /// look at the siblings only if the least one grew.
    #[inline(always)]
    pub(crate) fn recombined(
        &self,
        node: Node,
        was: ProofNumbers,
        old: ProofNumbers,
        new: ProofNumbers,
    ) -> ProofNumbers {
        let kind = self.kind(node);
        let (least, sum) = match kind {
            NodeKind::Or => (was.pn, was.dpn),
            NodeKind::And => (was.dpn, was.pn),
        };
        let (old_least, new_least) = (kind.key(old), kind.key(new));
        let (old_sum, new_sum) = match kind {
            NodeKind::Or => (old.dpn, new.dpn),
            NodeKind::And => (old.pn, new.pn),
        };
        let near_the_top = |n: ProofNumber| n.word() >= 1 << 31;
        if near_the_top(sum) || near_the_top(old_sum) || near_the_top(new_sum) {
            return self.combined(node);
        }
        let sum = ProofNumber::from_word(sum.word() - old_sum.word() + new_sum.word());
        let least = if new_least <= least {
            new_least
        } else if old_least > least {
            least
        } else {
            self.least_key(node)
        };
        match kind {
            NodeKind::Or => ProofNumbers { pn: least, dpn: sum },
            NodeKind::And => ProofNumbers { pn: sum, dpn: least },
        }
    }

    #[inline(always)]
    pub(super) fn least_key(&self, node: Node) -> ProofNumber {
        let rest = if self.decisive(node) {
            0
        } else if self.open(node) > 0 {
            ProofNumber::ONE.word()
        } else {
            u32::MAX
        };
        ProofNumber::from_word(self.keys(node).iter().copied().fold(rest, u32::min))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::Player;
    use crate::search::tree::{Choice, Tree};

    /// A node with `numbers` for its children, all visited.
    fn node_with(tree: &mut Tree<u16>, kind: NodeKind, numbers: &[ProofNumbers]) -> Node {
        tree.reset(true, true, 1 << 16);
        let moves: Vec<u16> = (0..numbers.len() as u16).collect();
        let choice = Choice { mover: Player::FIRST, kind, ended: 0, decisive: false };
        let node = tree.expand(&moves, moves.len(), choice, true).expect("room");
        for _ in numbers {
            tree.visit(node, 0, ProofNumbers::UNKNOWN);
        }
        for (slot, &numbers) in numbers.iter().enumerate() {
            tree.set_numbers(node, slot, numbers);
        }
        node
    }

    fn numbers(pn: u32, dpn: u32) -> ProofNumbers {
        ProofNumbers { pn: ProofNumber::finite(pn), dpn: ProofNumber::finite(dpn) }
    }

    #[test]
    fn ranks_are_shared_by_equals_and_leave_a_gap_after_them() {
        let mut tree = Tree::new();
        let node = node_with(&mut tree, NodeKind::Or, &[7, 2, 2, 3].map(|pn| numbers(pn, 1)));
        assert_eq!((tree.ranks(&tree.head(node)), tree.head(node).worst_rank), (&[4, 1, 1, 3][..], 4));
        tree.set_numbers(node, 0, numbers(2, 1));
        assert_eq!((tree.ranks(&tree.head(node)), tree.head(node).worst_rank), (&[1, 1, 1, 4][..], 4));
        tree.set_numbers(node, 3, numbers(2, 1));
        assert_eq!((tree.ranks(&tree.head(node)), tree.head(node).worst_rank), (&[1, 1, 1, 1][..], 1));
        tree.set_numbers(node, 2, ProofNumbers::DISPROVEN);
        assert_eq!((tree.ranks(&tree.head(node)), tree.head(node).worst_rank), (&[1, 1, 4, 1][..], 4));
    }

    #[test]
    fn very_large_numbers_saturate_and_come_back_exactly() {
        let mut tree = Tree::new();
        let huge = numbers(u32::MAX - 1, 5);
        let node = node_with(&mut tree, NodeKind::And, &[huge, huge, numbers(3, 9)]);
        let was = tree.combined(node);
        assert_eq!(was, numbers(u32::MAX - 1, 5), "the sum stops below infinity: it is not a disproof");
        let new = numbers(4, 6);
        tree.set_numbers(node, 0, new);
        let now = tree.recombined(node, was, huge, new);
        assert_eq!(now, numbers(u32::MAX - 1, 5));
        tree.set_numbers(node, 1, new);
        assert_eq!(tree.recombined(node, now, huge, new), numbers(11, 6), "no trace of saturation is left");
    }
}

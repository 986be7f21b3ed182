//! All-moves-as-first values: a sum and a count beside every move of the tree, visited or not.

use crate::search::tree::{Head, MOVES, Node, Tree};

/// Results of the simulations in which a move was played at the node or later on, for the player who moves there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Amaf {
    pub sum: i32,
    pub count: u32,
}

impl Amaf {
    #[inline(always)]
    pub(crate) fn mean(self) -> Option<f32> {
        (self.count > 0).then(|| self.sum as f32 / self.count as f32)
    }
}

impl<M: Copy> Tree<M> {
    /// Keeps such values from now on, in a tree that was just reset.
    pub(crate) fn keep_amaf(&mut self) {
        self.has_amaf = true;
        let _ = self.amaf.try_reserve_exact((self.limit / 8).min(1 << 33));
    }

    /// The values of all children, in the order of their moves.
    pub(crate) fn amaf(&self, head: &Head) -> &[Amaf] {
        &self.amaf[head.first_move..head.first_move + head.children]
    }

    /// The moves of all children.
    pub(crate) fn moves(&self, head: &Head) -> &[M] {
        &self.moves[head.first_move..head.first_move + head.children]
    }

    /// Adds `value` to every child whose move `was_played`.
    pub(crate) fn add_amaf(&mut self, node: Node, value: i32, was_played: impl Fn(M) -> bool) {
        let (first, children) = (self.word(node, MOVES) as usize, self.children(node));
        let moves = &self.moves[first..first + children];
        for (amaf, &m) in self.amaf[first..first + children].iter_mut().zip(moves) {
            if was_played(m) {
                amaf.sum = amaf.sum.saturating_add(value);
                amaf.count = amaf.count.saturating_add(1);
            }
        }
    }
}

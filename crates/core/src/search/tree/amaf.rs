//! All-moves-as-first values: a sum and a count beside every move of the tree, visited or not.

use crate::search::tree::{Head, MOVES, Node, Tree};

/// Visits of a node after which nothing new is learnt of its moves: sums of more might not fit.
const MOST_VISITS: u32 = 1 << 30;
/// Values behind the last ones: they are looked at in fours.
const BEHIND: usize = 3;

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

    /// The same and what is behind them, at least up to a multiple of four.
    pub(crate) fn amaf_in_fours(&self, head: &Head) -> &[Amaf] {
        &self.amaf[head.first_move..head.first_move + head.children + BEHIND]
    }

    /// Makes room for the values of new moves.
    pub(super) fn add_room_for_amaf(&mut self) {
        // Nothing was ever added to those behind the last ones, so new moves may take their places.
        self.amaf.resize(self.moves.len() + BEHIND, Amaf::default());
    }

    /// The moves of all children.
    pub(crate) fn moves(&self, head: &Head) -> &[M] {
        &self.moves[head.first_move..head.first_move + head.children]
    }

    /// Adds to the values of every child what there is of its move.
    pub(crate) fn add_amaf(&mut self, node: Node, of: impl Fn(M) -> Amaf) {
        if self.visits(node) > MOST_VISITS {
            return;
        }
        let (first, children) = (self.word(node, MOVES) as usize, self.children(node));
        let moves = &self.moves[first..first + children];
        for (amaf, &m) in self.amaf[first..first + children].iter_mut().zip(moves) {
            // Also where it is nothing: a branch would be guessed wrong as often as not.
            let more = of(m);
            amaf.sum = amaf.sum.wrapping_add(more.sum);
            amaf.count = amaf.count.wrapping_add(more.count);
        }
    }
}

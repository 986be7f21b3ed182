//! All-moves-as-first values: a sum and a count beside every move of the tree, visited or not.

use crate::search::tree::{Blocks, Head, Node, Tree, room};

/// Values behind the last ones: they are read four lanes at a time.
pub(super) const BEHIND: usize = 3;

/// Results of the simulations in which a move was played at the node or later on, for the player who moves there.
///
/// One word, `sum * 65,536 + count`, so that a simulation is added by one addition: a node has such a value for each of
/// its moves, and every simulation that goes through it changes about half of them. Before a count leaves its bits, all
/// values of the node are halved; means stay, and what is older counts less from then on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct Amaf(u32);

impl Amaf {
    /// A count that makes a node halve its values.
    const LARGE: u32 = 1 << 14;

    #[inline(always)]
    pub(crate) const fn new(sum: i32, count: u32) -> Self {
        Self(((sum << 16) as u32).wrapping_add(count))
    }

    /// Both together; counts must stay far below their bits.
    #[inline(always)]
    pub(crate) const fn plus(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }

    #[inline(always)]
    pub(crate) const fn word(self) -> u32 {
        self.0
    }

    #[cfg(test)]
    pub(crate) const fn count(self) -> u32 {
        self.0 & 0xffff
    }

    pub(crate) const fn sum(self) -> i32 {
        self.0 as i32 >> 16
    }

    const fn halved(self) -> Self {
        // Towards zero, so that a sum is never larger than its count.
        Self::new((self.0 as i32 >> 16) / 2, (self.0 & 0xffff) / 2)
    }
}

impl Blocks {
    /// Keeps such values from now on, in a tree that was just reset.
    pub(crate) fn keep_amaf(&mut self) {
        self.has_amaf = true;
        let limit = self.limit;
        self.amaf.change(|amaf| room::prepare(amaf, limit));
    }

    /// The values of all children, in the order of their moves.
    pub(crate) fn amaf(&self, head: &Head) -> &[Amaf] {
        &self.amaf[head.first_move..head.first_move + head.children]
    }

    /// Replaces the value of a child; what it was before.
    pub(crate) fn set_amaf(&mut self, node: Node, index: usize, value: Amaf) -> Amaf {
        let at = self.first_move(node) + index;
        std::mem::replace(&mut self.amaf[at], value)
    }

    /// The same and what is behind them, at least up to a multiple of four.
    pub(crate) fn amaf_in_lanes(&self, head: &Head) -> &[Amaf] {
        &self.amaf[head.first_move..head.first_move + head.children + BEHIND]
    }

    /// Makes room for the values of new moves.
    pub(super) fn add_room_for_amaf(&mut self) {
        let more = (self.moves + BEHIND).saturating_sub(self.amaf.len());
        let (limit, len) = (self.limit, self.moves + BEHIND);
        self.amaf.change(|amaf| {
            room::make(amaf, more, limit);
            // Nothing was ever added to those behind the last ones, so new moves may take their places.
            amaf.resize(len, Amaf::default());
        });
    }

    /// Gives some children of a new node this many lost simulations to begin with.
    pub(crate) fn add_virtual_losses(&mut self, node: Node, places: &[usize], losses: u32) {
        let head = self.head(node);
        let values = &mut self.amaf[head.first_move..head.first_move + head.children];
        for &place in places {
            values[place] = Amaf::new(-(losses as i32), losses);
        }
    }
}

impl<M: Copy> Tree<M> {
    /// Adds to the values of every child what there is of its move.
    #[inline(always)]
    pub(crate) fn add_amaf(&mut self, node: Node, of: impl Fn(M) -> Amaf) {
        let (first, children) = (self.first_move(node), self.children(node));
        let (moves, values) = (&self.moves[first..first + children], &mut self.blocks.amaf[first..first + children]);
        let mut bits = 0;
        for (value, &m) in values.iter_mut().zip(moves) {
            // Also where it is nothing: a branch would be guessed wrong as often as not.
            value.0 = value.0.wrapping_add(of(m).0);
            bits |= value.0;
        }
        if bits & Amaf::LARGE != 0 {
            values.iter_mut().for_each(|value| *value = value.halved());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::Player;
    use crate::search::proof::NodeKind;
    use crate::search::tree::Choice;

    #[test]
    fn many_simulations_keep_the_means_and_never_leave_their_bits() {
        let mut tree: Tree<u16> = Tree::new();
        tree.reset(false, false, 1 << 16);
        tree.keep_amaf();
        let choice = Choice { mover: Player::FIRST, kind: NodeKind::Or, ended: 0, decisive: false };
        let node = tree.expand(&[0, 1, 2, 3, 4], 2, choice, true).expect("room");
        tree.add_room_for_amaf();
        // Always lost, always won, won three of four, drawn every other time, never seen.
        let told = |m: u16, time: u32| match m {
            0 => Amaf::new(-1, 1),
            1 => Amaf::new(1, 1),
            2 => Amaf::new(if time.is_multiple_of(4) { -1 } else { 1 }, 1),
            3 if time.is_multiple_of(2) => Amaf::new(0, 1),
            _ => Amaf::default(),
        };
        for time in 0..200_000 {
            tree.add_amaf(node, |m| told(m, time));
            let head = tree.head(node);
            for (value, expected) in tree.amaf(&head).iter().zip([-1.0, 1.0, 0.5, 0.0]) {
                let (sum, count) = (value.sum(), value.count());
                assert!(count < Amaf::LARGE && sum.unsigned_abs() <= count, "{sum} of {count} after {time}");
                let mean = f64::from(sum) / f64::from(count);
                assert!(time < 2000 || (mean - expected).abs() < 2e-3, "{mean} instead of {expected} after {time}");
            }
            assert_eq!(tree.amaf(&head)[4], Amaf::default());
        }
        let counts: Vec<u32> = tree.amaf(&tree.head(node)).iter().map(|value| value.count()).collect();
        assert!(counts[0] == counts[1] && counts[3].abs_diff(counts[0] / 2) < 3, "{counts:?}");
    }
}

//! Random play-outs: the empty points are laid in a random order, and rows are looked for on the whole board at once.

use plyproof_core::{Outcome, Player, Playout, Rng};

use super::{InARow, Lane, ORDER, Point};

/// Stones laid between two looks for a row of five.
const BLOCK: usize = 16;

impl InARow {
    /// Lays the empty points in a random order. Rows are looked for a block of stones at a time, on the whole board at
    /// once; only a block that holds a row of five is gone through stone by stone.
    #[inline(always)]
    fn playout_here<L: Lane>(&self, order: &mut [Point; ORDER], rng: &mut Rng, limit: u32) -> Playout {
        let rules = self.rules;
        let total = usize::from(self.empty);
        self.leave_out_taken(order);
        let mut rows = self.rows.map(|rows| rows.map(L::from_row));
        let first = self.mover.index();
        let last = total.min(limit as usize);
        let mut next = 0;
        let mut block = 48usize.saturating_sub(rules.points.len() - total).max(BLOCK);
        // Rows longer than five do not win where `exact` holds, and then hide new ones from the look at the whole board.
        let mut one_by_one = rules.length != 5 || rows.iter().any(L::any_five);
        while next < last {
            let (from, mut before) = (next, rows);
            let until = (next + block).min(last);
            block = BLOCK;
            while next < until {
                order.swap(next % ORDER, (next + rng.below(total - next)) % ORDER);
                let point = order[next % ORDER];
                let row = &mut rows[(first + next) % 2][point.rank()];
                *row = *row | L::bit(point.file());
                next += 1;
            }
            let suspects = [0, 1].map(|player| one_by_one || L::any_five(&rows[player]));
            if suspects != [false; 2] {
                for at in from..until {
                    let (player, point) = ((first + at) % 2, order[at % ORDER]);
                    let row = &mut before[player][point.rank()];
                    *row = *row | L::bit(point.file());
                    if suspects[player] && rules.wins(&before[player], point) {
                        return Playout { outcome: Outcome::win(Player::new(player)), plies: at as u32 + 1 };
                    }
                }
                one_by_one = true;
            }
        }
        Playout { outcome: Outcome::DRAW, plies: last as u32 }
    }

    /// The play-out; `order` is that of all points, and then begins with its moves.
    pub(super) fn playout_in(&self, order: &mut [Point; ORDER], rng: &mut Rng, limit: u32) -> Playout {
        if self.rules.grid.width <= 16 && self.rules.grid.height <= 16 {
            self.playout_here::<u16>(order, rng, limit)
        } else {
            self.playout_here::<u32>(order, rng, limit)
        }
    }

    /// Moves the last points of the order into the places of the taken ones, highest first, so that the empty ones come
    /// to stand at its beginning.
    #[inline(always)]
    pub(super) fn leave_out_taken(&self, order: &mut [Point; ORDER]) {
        let mut left = self.rules.points.len();
        if left == usize::from(self.empty) {
            return;
        }
        for rank in (0..self.rules.grid.height).rev() {
            let mut taken = self.rows[0][rank] | self.rows[1][rank];
            while taken != 0 {
                let file = taken.ilog2();
                taken ^= 1 << file;
                left -= 1;
                order[(rank * self.rules.grid.width + file as usize) % ORDER] = order[left % ORDER];
            }
        }
    }
}

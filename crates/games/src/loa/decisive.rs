//! Seeing a connection one move ahead without trying the moves.
//!
//! One move takes a stone away and puts it down elsewhere. For all stones to be one group afterwards, the square it
//! lands on must touch every group there is, but for that of the stone itself if it stood alone. Few positions of a
//! random game have such a square, and two or three groups are mostly enough to see that there is none.

use plyproof_core::{Defence, Outcome, Player, Rng};

use super::{Loa, PADDED, Rules, Word, squares};
use crate::board::Step;

/// What a player has to do at once.
pub(super) enum Decisive {
    Nothing,
    Win,
    /// The opponent cannot be kept from winning with the next move.
    Loss,
    /// One of the moves after which the opponent cannot win at once.
    Step(Step),
}

impl<B: Word> Rules<B> {
    /// Whether the player with `own` stones has a move that wins.
    #[inline(always)]
    pub(super) fn can_win(&self, own: B, enemy: B) -> bool {
        let Some((alone, all, all_but_one)) = self.landings(own) else { return false };
        self.joins_alone(own, enemy, alone, all | all_but_one) || self.joins_at(own, enemy, all & self.board & !own)
    }

    /// The stones that stand alone; squares that touch all groups; squares that touch all but one that is a single stone.
    /// Nothing if there is no such square, and so no move that wins.
    #[inline(always)]
    pub(super) fn landings(&self, own: B) -> Option<(B, B, B)> {
        let alone = own & !self.around(own);
        // Of the groups seen so far.
        let (mut all, mut all_but_one) = (!B::ZERO, B::ZERO);
        // Stones that stand alone need no search for their group, and in random games there are mostly too many.
        let mut rest = alone;
        while rest != B::ZERO {
            let around = self.around(rest ^ rest.without_first());
            (all, all_but_one) = (all & around, (all_but_one & around) | all);
            if all_but_one == B::ZERO {
                return None;
            }
            rest = rest.without_first();
        }
        let mut rest = own ^ alone;
        while rest != B::ZERO {
            let mut group = rest ^ rest.without_first();
            let around = loop {
                let around = self.around(group);
                let grown = (group | around) & own;
                if grown == group {
                    break around;
                }
                group = grown;
            };
            (all, all_but_one) = (all & around, all_but_one & around);
            if (all | all_but_one) == B::ZERO {
                return None;
            }
            rest = rest & !group;
        }
        Some((alone, all, all_but_one))
    }

    /// Whether a stone that stands alone can move to one of the squares and win.
    #[inline(always)]
    fn joins_alone(&self, own: B, enemy: B, mut alone: B, wanted: B) -> bool {
        // Plain loops: closures would be compiled apart, without the instructions that the play-out is compiled for.
        while alone != B::ZERO {
            let from = alone.first();
            alone = alone.without_first();
            for way in 0..8 {
                let (to, legal) = self.target(own, enemy, from, way);
                let landing = B::ONE << (to % (8 * size_of::<B>()));
                if legal && wanted & landing != B::ZERO && self.joins(own, enemy, from, to) {
                    return true;
                }
            }
        }
        false
    }

    /// Whether any stone can move to one of the squares and win: looks back from there.
    #[inline(always)]
    fn joins_at(&self, own: B, enemy: B, mut wanted: B) -> bool {
        while wanted != B::ZERO {
            let to = wanted.first();
            wanted = wanted.without_first();
            for way in 0..8 {
                let entry = &self.ways[to % PADDED][way];
                let distance = ((own | enemy) & entry.line).count() as u32;
                // The way from here back to the stone is the opposite of its own.
                let within = distance <= self.ways[to % PADDED][way ^ 4].steps;
                let from = (to as u32).wrapping_sub(distance.wrapping_mul(entry.delta)) as usize % PADDED;
                let stone = B::ONE << (from % (8 * size_of::<B>()));
                if within
                    && own & stone != B::ZERO
                    && self.target(own, enemy, from, way) == (to, true)
                    && self.joins(own, enemy, from, to)
                {
                    return true;
                }
            }
        }
        false
    }

    /// Whether this move wins.
    fn joins(&self, own: B, enemy: B, from: usize, to: usize) -> bool {
        let landing = B::ONE << to;
        self.connected(own ^ (B::ONE << from) ^ landing)
            && (self.mover_wins || enemy & landing == B::ZERO || !self.connected(enemy ^ landing))
    }

    /// What the player with `own` stones has to do.
    #[inline(always)]
    pub(super) fn decisive(&self, own: B, enemy: B, mover: Player, rng: &mut Rng) -> Decisive {
        if self.can_win(own, enemy) {
            Decisive::Win
        } else if self.can_win(enemy, own) {
            self.defend(own, enemy, mover, rng)
        } else {
            Decisive::Nothing
        }
    }

    #[inline(never)]
    fn defend(&self, own: B, enemy: B, mover: Player, rng: &mut Rng) -> Decisive {
        let (mut chosen, mut count, mut moves) = (Step::PASS, 0, 0);
        self.each_step(own, enemy, |from, to| {
            moves += 1;
            if !self.loses_at_once(own, enemy, mover, from, to) {
                count += 1;
                // Each of them with the same chance: the n-th takes the place of the others with chance 1/n.
                if rng.below(count) == 0 {
                    chosen = Step::new(from, to);
                }
            }
        });
        match (moves, count) {
            (0, _) => Decisive::Nothing,
            (_, 0) => Decisive::Loss,
            _ => Decisive::Step(chosen),
        }
    }

    /// Whether the opponent wins with the next move, or already with this one.
    fn loses_at_once(&self, own: B, enemy: B, mover: Player, from: usize, to: usize) -> bool {
        let landing = B::ONE << to;
        let (own, left) = (own ^ (B::ONE << from) ^ landing, enemy & !landing);
        let captures = left != enemy;
        let outcome = self.result(mover, self.connected(own), captures && self.connected(left));
        match outcome {
            Some(outcome) => outcome == Outcome::win(mover.other()),
            None => self.can_win(left, own),
        }
    }

    /// Calls `each(from, to)` for every move but a pass.
    pub(super) fn each_step(&self, own: B, enemy: B, mut each: impl FnMut(usize, usize)) {
        for from in squares(own) {
            for way in 0..8 {
                let (to, legal) = self.target(own, enemy, from, way);
                if legal {
                    each(from, to);
                }
            }
        }
    }
}

impl<B: Word> Loa<B> {
    /// Every move is looked at, since a move may also open the way for the opponent; all of them are left if none loses.
    pub(super) fn moves_that_hold(&self, into: &mut Vec<Step>) -> Defence {
        let [own, enemy] = [self.mover, self.mover.other()].map(|player| self.stones[player.index()]);
        // Where the opponent has no square that touches enough groups, only a capture changes that.
        let far = self.rules.landings(enemy).is_none();
        let loses = |from, to| {
            let quiet = enemy & (B::ONE << to) == B::ZERO;
            !(far && quiet) && self.rules.loses_at_once(own, enemy, self.mover, from, to)
        };
        let (mut moves, mut losing) = (0, 0);
        self.rules.each_step(own, enemy, |from, to| {
            moves += 1;
            losing += usize::from(loses(from, to));
        });
        if losing == 0 {
            return Defence::NotNeeded;
        }
        if losing == moves {
            return Defence::Hopeless;
        }
        self.rules.each_step(own, enemy, |from, to| {
            if !loses(from, to) {
                into.push(Step::new(from, to));
            }
        });
        Defence::Needed
    }
}

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

/// Where a player's stone must land to make all of them one group.
#[derive(Clone, Copy, Debug)]
pub(super) struct Landings<B> {
    /// The stones that stand alone.
    alone: B,
    /// Squares that touch all groups.
    all: B,
    /// Squares that touch all groups but one that is a single stone.
    all_but_one: B,
}

impl<B: Word> Landings<B> {
    pub(super) fn any(&self) -> B {
        self.all | self.all_but_one
    }
}

/// A move that wins: where it lands, and the line it goes along.
#[derive(Clone, Copy, Debug)]
struct Winning<B> {
    to: usize,
    line: B,
}

/// What the opponent has, and could do with it if it were to move now.
struct Threat<B> {
    enemy: B,
    landings: Option<Landings<B>>,
    winning: Option<Winning<B>>,
}

impl<B: Word> Rules<B> {
    /// Nothing if there is no such square, and so no move that wins.
    #[inline(always)]
    pub(super) fn landings(&self, own: B) -> Option<Landings<B>> {
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
        Some(Landings { alone, all, all_but_one })
    }

    /// A move that wins, if the player with `own` stones has one.
    #[inline(always)]
    fn winning(&self, own: B, enemy: B, landings: Option<Landings<B>>) -> Option<Winning<B>> {
        let landings = landings?;
        let by_one_alone = self.joins_alone(own, enemy, landings.alone, landings.any());
        by_one_alone.or_else(|| self.joins_at(own, enemy, landings.all & self.board & !own))
    }

    /// A stone that stands alone and wins by moving to one of the squares.
    #[inline(always)]
    fn joins_alone(&self, own: B, enemy: B, mut alone: B, wanted: B) -> Option<Winning<B>> {
        // Plain loops: closures would be compiled apart, without the instructions that the play-out is compiled for.
        while alone != B::ZERO {
            let from = alone.first();
            alone = alone.without_first();
            for way in 0..8 {
                let (to, legal) = self.target(own, enemy, from, way);
                let landing = B::ONE << (to % (8 * size_of::<B>()));
                if legal && wanted & landing != B::ZERO && self.joins(own, enemy, from, to) {
                    return Some(Winning { to, line: self.ways[from % PADDED][way].line });
                }
            }
        }
        None
    }

    /// Any stone that wins by moving to one of the squares: looks back from there.
    #[inline(always)]
    fn joins_at(&self, own: B, enemy: B, mut wanted: B) -> Option<Winning<B>> {
        while wanted != B::ZERO {
            let to = wanted.first();
            wanted = wanted.without_first();
            let ways = &self.ways[to % PADDED];
            for line in 0..4 {
                let distance = ((own | enemy) & ways[line].line).count() as u32;
                for way in [line, line + 4] {
                    // The way from here back to the stone is the opposite of its own.
                    let within = distance <= ways[way ^ 4].steps;
                    let from = (to as u32).wrapping_sub(distance.wrapping_mul(ways[way].delta)) as usize % PADDED;
                    let stone = B::ONE << (from % (8 * size_of::<B>()));
                    if within
                        && own & stone != B::ZERO
                        && self.target(own, enemy, from, way) == (to, true)
                        && self.joins(own, enemy, from, to)
                    {
                        return Some(Winning { to, line: ways[line].line });
                    }
                }
            }
        }
        None
    }

    /// Whether this move wins.
    fn joins(&self, own: B, enemy: B, from: usize, to: usize) -> bool {
        let landing = B::ONE << to;
        self.connected(own ^ (B::ONE << from) ^ landing)
            && (self.mover_wins || enemy & landing == B::ZERO || !self.connected(enemy ^ landing))
    }

    /// What the mover has to do; stones and landings are the mover's and the opponent's.
    #[inline(always)]
    pub(super) fn decisive(
        &self,
        [own, enemy]: [B; 2],
        landings: [Option<Landings<B>>; 2],
        mover: Player,
        rng: &mut Rng,
    ) -> Decisive {
        if self.winning(own, enemy, landings[0]).is_some() {
            return Decisive::Win;
        }
        let winning = self.winning(enemy, own, landings[1]);
        if winning.is_none() {
            return Decisive::Nothing;
        }
        self.defend(own, &Threat { enemy, landings: landings[1], winning }, mover, rng)
    }

    #[inline(always)]
    fn defend(&self, own: B, threat: &Threat<B>, mover: Player, rng: &mut Rng) -> Decisive {
        let (mut chosen, mut count, mut moves) = (Step::PASS, 0, 0);
        for from in squares(own) {
            for to in self.targets(own, threat.enemy, from) {
                moves += 1;
                if !self.loses_at_once(own, threat, mover, from, to) {
                    count += 1;
                    // Each of them with the same chance: the n-th takes the place of the others with chance 1/n.
                    if rng.below(count) == 0 {
                        chosen = Step::new(from, to);
                    }
                }
            }
        }
        match (moves, count) {
            (0, _) => Decisive::Nothing,
            (_, 0) => Decisive::Loss,
            _ => Decisive::Step(chosen),
        }
    }

    /// Whether the opponent wins with the next move, or already with this one.
    #[inline(always)]
    fn loses_at_once(&self, own: B, threat: &Threat<B>, mover: Player, from: usize, to: usize) -> bool {
        let (start, landing) = (B::ONE << from, B::ONE << to);
        let (moved, left) = (own ^ start ^ landing, threat.enemy & !landing);
        let connected = self.connected(moved);
        if left != threat.enemy {
            let outcome = self.result(mover, connected, self.connected(left));
            return match outcome {
                Some(outcome) => outcome == Outcome::win(mover.other()),
                None => self.winning(left, moved, self.landings(left)).is_some(),
            };
        }
        if connected {
            return false;
        }
        // What happens beside its line does not touch a move that captures nothing.
        let stays = |win: Winning<B>| (own & (B::ONE << win.to)) | (win.line & (start | landing)) == B::ZERO;
        threat.winning.is_some_and(stays) || self.winning(threat.enemy, moved, threat.landings).is_some()
    }
}

impl<B: Word> Loa<B> {
    /// Every move is looked at, since a move may also open the way for the opponent; all of them are left if none loses.
    #[inline(always)]
    pub(super) fn moves_that_hold(&self, into: &mut Vec<Step>) -> Defence {
        let [own, enemy] = self.own_and_enemy();
        let landings = self.rules.landings(enemy);
        let threat = Threat { enemy, landings, winning: self.rules.winning(enemy, own, landings) };
        let (before, mut moves) = (into.len(), 0);
        for from in squares(own) {
            for to in self.rules.targets(own, enemy, from) {
                moves += 1;
                if !self.rules.loses_at_once(own, &threat, self.mover, from, to) {
                    into.push(Step::new(from, to));
                }
            }
        }
        match into.len() - before {
            // So it is too where there is nothing but a pass.
            holding if holding == moves => {
                into.truncate(before);
                Defence::NotNeeded
            }
            0 => Defence::Hopeless,
            _ => Defence::Needed,
        }
    }
}

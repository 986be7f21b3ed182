//! The boolean question that a search answers, and how it reads on the scale of the table.

use crate::game::Game;
use crate::outcome::{Bounds, Outcome, Player, Wdl};
use crate::rng::mix64;
use crate::search::alphabeta::table::Known;
use crate::search::proof::{Goal, ProofNumbers};
use crate::search::questions::Questions;

/// "Is the value for the maximising player at least `threshold`?", with 0 for a loss, 1 for a draw and 2 for a win.
///
/// In games of two players the first one maximises whoever is asked about, so that all questions about wins and draws
/// share the entries of a table. A question about points, or in a game of more players, has entries of its own, in
/// which 2 stands for the goal reached and 0 for the goal missed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question {
    pub threshold: u8,
    pub maximiser: Player,
    goal: Goal,
    /// Whether the table holds the value of the game.
    plain: bool,
    /// Nobody draws: who does not lose wins.
    decisive: bool,
    /// Tells the entries of questions apart.
    salt: u64,
}

impl Question {
    pub(super) fn new<G: Game>(start: &G, goal: Goal) -> Self {
        let plain = goal.by == 0 && start.players() == 2;
        let least = goal.least as u8;
        let (threshold, maximiser) = match (plain, goal.player) {
            (false, player) => (2, player),
            (true, Player::FIRST) => (least, Player::FIRST),
            (true, _) => (3 - least, Player::FIRST),
        };
        let which = (goal.player.index() as u64) << 32 ^ u64::from(goal.by as u16) << 8 ^ u64::from(least);
        let salt = if plain { 0 } else { mix64(which ^ 0xa1fa) };
        Self { threshold, maximiser, goal, plain, decisive: plain && !Questions::about(start).may_draw(), salt }
    }

    /// The key of the entry of a position.
    #[inline(always)]
    pub(super) fn key(&self, key: u64) -> u64 {
        if self.salt == 0 { key } else { mix64(key ^ self.salt) }
    }

    /// The answer at the end of a game.
    #[inline(always)]
    pub(super) fn of(&self, outcome: Outcome) -> bool {
        if self.plain {
            outcome.of(Player::FIRST) as u8 >= self.threshold
        } else {
            self.goal.numbers(outcome).is_proven()
        }
    }

    /// The answer at a position with `mover` to move, as far as bounds on its value give it. Only for questions about the
    /// value.
    #[inline(always)]
    pub(super) fn of_bounds(&self, bounds: Bounds, mover: Player) -> Option<bool> {
        let bounds = if mover == self.maximiser { bounds } else { bounds.flip() };
        if bounds.least as u8 >= self.threshold {
            Some(true)
        } else if (bounds.most as u8) < self.threshold {
            Some(false)
        } else {
            None
        }
    }

    /// The answer where play goes round for ever, which nobody wins. It is the one that misses the goal of a win.
    pub(super) fn of_repetition(&self) -> bool {
        self.plain && Wdl::Draw as u8 >= self.threshold
    }

    /// Whether moves after which the opponent wins at once miss the question's goal: not if points count.
    pub(super) fn sees_threats(&self) -> bool {
        self.plain
    }

    /// What an answer says about the value.
    #[inline(always)]
    pub(super) fn known(&self, answer: bool) -> Known {
        match (answer, self.decisive || !self.plain) {
            (true, true) => Known { least: 2, most: 2 },
            (false, true) => Known { least: 0, most: 0 },
            (true, false) => Known { least: self.threshold, most: 2 },
            (false, false) => Known { least: 0, most: self.threshold - 1 },
        }
    }

    /// An answer in terms of the goal that was asked for.
    pub(super) fn numbers(&self, answer: Option<bool>) -> ProofNumbers {
        let reached = if self.plain { self.goal.player == Player::FIRST } else { true };
        match answer {
            None => ProofNumbers::UNKNOWN,
            Some(answer) if answer == reached => ProofNumbers::PROVEN,
            Some(_) => ProofNumbers::DISPROVEN,
        }
    }
}

//! Clocks of games, and how long to think about a move. Agents in matches and engines behind a protocol divide their time
//! here and nowhere else.
//!
//! Nothing in this file reads a clock: [`Clock::thinking`] turns a clock into two durations, and a [`Pacer`] decides by
//! the reports of a search whether it has gone on for long enough.

use std::time::Duration;

use plyproof_core::search::Budget;

use crate::report::SearchReport;

/// The clock of a game, as it stands before a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// Time left to the player who is to move.
    pub left: Duration,
    /// Time left to the opponent.
    pub opponent: Duration,
    /// Time that is added after every move.
    pub increment: Duration,
    /// Time for each move once `left` is used up, in the manner of Japanese clocks; what is not used is lost.
    pub byoyomi: Duration,
    /// Moves to be made before `left` is filled up again, if it ever is.
    pub moves_to_go: Option<u32>,
    /// Most time for a single move, if there is such a limit.
    pub move_limit: Option<Duration>,
}

/// How long to think about a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thinking {
    /// As long as this where the best move is clear.
    pub usual: Duration,
    /// Never longer than this.
    pub most: Duration,
}

impl Clock {
    /// Moves that a game is thought to go on for.
    const MOVES_LEFT: u32 = 25;

    /// How long to think, so that the clock never runs out. `overhead` is kept back for the way of the move to whoever
    /// holds the clock; of a move's own limit it is at most a quarter.
    pub fn thinking(&self, overhead: Duration) -> Thinking {
        let byoyomi = self.byoyomi.saturating_sub(overhead.min(self.byoyomi / 4));
        let moves = self.moves_to_go.unwrap_or(Self::MOVES_LEFT).clamp(1, Self::MOVES_LEFT);
        // With byoyomi the overhead is taken from there; an increment makes up for it; where the clock has to last for
        // some moves, each of them has its own.
        let kept = match self.moves_to_go {
            _ if !self.byoyomi.is_zero() => Duration::ZERO,
            Some(_) => overhead.saturating_mul(moves),
            None => overhead,
        };
        let left = self.left.saturating_sub(kept);
        let share = (left / moves).saturating_add(self.increment - self.increment / 4);
        // Half of what is left can be spent again and again; all of it only when the clock is about to be filled up.
        let reserve = if moves == 1 { left } else { left / 2 };
        let usual = share.min(reserve).saturating_add(byoyomi);
        let most = share.saturating_mul(4).min(reserve).saturating_add(byoyomi);
        let thinking = Thinking { usual, most };
        self.move_limit.map_or(thinking, |limit| thinking.at_most(Thinking::for_move(limit, overhead).most))
    }
}

impl Thinking {
    /// All the time that there is for a single move, but for the `overhead`, of which at most a quarter of the time is
    /// kept back.
    pub fn for_move(time: Duration, overhead: Duration) -> Self {
        let all = time.saturating_sub(overhead.min(time / 4));
        Self { usual: all, most: all }
    }

    /// No longer than `limit`.
    pub fn at_most(self, limit: Duration) -> Self {
        Self { usual: self.usual.min(limit), most: self.most.min(limit) }
    }

    /// The budget of a search that a [`Pacer`] watches: it ends by itself when it may go on no longer, and reports often
    /// enough to be ended earlier.
    pub fn budget(&self, budget: &Budget) -> Budget {
        let notice = (self.usual / 16).clamp(Duration::from_millis(4), Duration::from_millis(100));
        Budget { time: Some(budget.time.map_or(self.most, |time| time.min(self.most))), notice, ..budget.clone() }
    }
}

/// Decides by the reports of a search whether to end it.
///
/// A search ends early when the move that is second in visits cannot catch up any more, and goes on beyond the usual time
/// while the best move is in doubt: while the most visited move is not the best valued one, or was not the most visited
/// one during the last third of the search. The rules are those of Baudiš and Gailly (PACHI, 2012) for Go.
#[derive(Clone, Debug)]
pub struct Pacer {
    thinking: Thinking,
    /// When the clock began to run, in seconds from the beginning of the search.
    from: f64,
    best: Option<String>,
    /// When the best move became what it is, in seconds from the beginning of the search.
    since: f64,
}

impl Pacer {
    /// A pacer of a search whose clock runs from its beginning.
    pub fn new(thinking: Thinking) -> Self {
        Self::from(thinking, Duration::ZERO)
    }

    /// A pacer of a search whose clock began to run when it had gone on for this long: it pondered before.
    pub fn from(thinking: Thinking, from: Duration) -> Self {
        Self { thinking, from: from.as_secs_f64(), best: None, since: 0.0 }
    }

    /// Whether the search that `report` is about should end. Reports are to be shown in their order.
    pub fn has_enough(&mut self, report: &SearchReport) -> bool {
        if self.best != report.best {
            (self.best, self.since) = (report.best.clone(), report.seconds);
        }
        let (usual, most) = (self.thinking.usual.as_secs_f64(), self.thinking.most.as_secs_f64());
        let used = report.seconds - self.from;
        if used >= most || report.moves.len() == 1 {
            return true;
        }
        let [first, second] = [0, 1].map(|place| report.moves.get(place));
        // Without visits to compare, as from solvers, all moves are equally in doubt.
        let (Some(first), Some(second)) = (first, second) else { return used >= usual };
        if used >= usual {
            return !(self.in_doubt(report, used));
        }
        let to_come = report.simulations as f64 / report.seconds.max(1e-6) * (usual - used);
        first.visits.saturating_sub(second.visits) as f64 > to_come
    }

    fn in_doubt(&self, report: &SearchReport, used: f64) -> bool {
        /// Moves with less than this share of the visits of the first one have no value to speak of.
        const SHARE: u64 = 8;
        let Some(first) = report.moves.first() else { return false };
        let better =
            |other: &crate::report::MoveReport| other.visits >= first.visits / SHARE && other.mean > first.mean;
        report.seconds - self.since < used / 3.0 || report.moves[1..].iter().any(better)
    }
}

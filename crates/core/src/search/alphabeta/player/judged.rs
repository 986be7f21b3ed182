//! The search of a player who has an evaluation: more is pruned, and captures are searched to their end.
//!
//! What is pruned for its evaluation never makes a proof: a score beyond [`WON`] is a win at the end of every line, as in
//! the search without an evaluation. Where moves were left out, or the opponent was given two moves in a row, scores stay
//! within the limits of estimates, and a position is only called lost after each of its moves was.

use super::table::Bound;
use super::{DEEPEST, Found, Listed, NOT_LOST, Search, WIN, WON, ended, from_table, reduction};
use crate::game::Game;
use crate::outcome::Player;

/// What an evaluation may be wrong by for each ply of depth that is left, in logits: see `experiments/learning`.
const MARGIN: i32 = 110;
/// Depths up to which a position is left alone whose evaluation is far above or below the window.
const SHALLOW: i32 = 5;
/// Plies beyond the depth up to which captures, and answers to threats, are followed.
const BEYOND: usize = 12;
/// From this depth on a pass is tried first, and positions without a known best move are searched one ply less.
const DEEP: i32 = 3;
/// What is added to the order of a move that is not quiet.
const FORCING: i64 = 1 << 40;
/// The same for one that gains something at once.
const GAINING: i64 = 1 << 59;

/// A position on the way, and what is asked of it.
#[derive(Clone, Copy)]
pub(super) struct Ask {
    pub depth: i32,
    pub ply: usize,
    pub alpha: i32,
    pub beta: i32,
    /// Whether the opponent has just passed: then the mover does not.
    pub passed: bool,
}

impl Ask {
    /// The question about a position after a move or a pass, for the player to move there; `same` if that is the player
    /// who moved.
    fn below(self, depth: i32, same: bool, alpha: i32, beta: i32) -> Self {
        let (alpha, beta) = if same { (alpha, beta) } else { (-beta, -alpha) };
        Self { depth, ply: self.ply + 1, alpha, beta, passed: false }
    }
}

impl<G: Game> Search<'_, G> {
    /// The score of the position after a move of `mover`, who asks.
    pub(super) fn judged_child(&mut self, next: &G, mover: Player, ask: Ask, depth: i32, alpha: i32, beta: i32) -> i32 {
        if let Some(outcome) = next.outcome() {
            return ended(outcome, mover, ask.ply + 1);
        }
        let same = next.to_move() == mover;
        let score = self.judged(next, ask.below(depth, same, alpha, beta));
        if same { score } else { -score }
    }

    /// The score of an unfinished position for the player to move.
    fn judged(&mut self, state: &G, mut ask: Ask) -> i32 {
        if !self.step() {
            return 0;
        }
        let repeats = state.may_repeat();
        if repeats && self.memory.path.contains(&state.key()) {
            return 0;
        }
        let ply = ask.ply;
        // No score from here is better than a win at once or worse than a loss at once.
        ask.alpha = ask.alpha.max(ply as i32 - WIN);
        ask.beta = ask.beta.min(WIN - ply as i32);
        if ask.alpha >= ask.beta {
            return ask.alpha;
        }
        let key = self.key(state);
        let mut tag = 0;
        if let Some(entry) = self.memory.table.find(key) {
            tag = entry.tag;
            let score = self.estimated(state, key, from_table(entry.score, ply));
            let decides = match entry.bound {
                Bound::Exact => true,
                Bound::Least => score >= ask.beta,
                Bound::Most => score <= ask.alpha,
            };
            if decides && (i32::from(entry.depth) >= ask.depth || score.abs() >= WON) {
                return score;
            }
        }
        let limit = 2 * self.depth as usize + BEYOND;
        let checked = state.in_check();
        let narrow = ask.beta - ask.alpha == 1 && ask.alpha > NOT_LOST && ask.beta < WON;
        // Where threats are not looked for, a position that is good enough is left alone before its moves are listed.
        let mut value = None;
        if !checked && !self.sees_threats(state) && (ask.depth <= 0 || narrow && ask.depth <= SHALLOW) {
            let found = self.judge(state, ply);
            if found - MARGIN * ask.depth.max(0) >= ask.beta {
                return found;
            }
            value = Some(found);
        }
        let threatened = match self.look(state, ply) {
            Found::Score(score) => return score,
            Found::Moves { threatened, .. } => threatened,
        };
        // The answer to a threat is forced, and costs no depth.
        let forced = threatened || checked;
        if forced && ply < limit {
            ask.depth = ask.depth.max(0) + 1;
        }
        let value = value.unwrap_or_else(|| self.judge(state, ply));
        let from = self.memory.moves.len();
        let score = if ask.depth <= 0 || ply + 1 >= DEEPEST {
            if value >= ask.beta || ply >= limit {
                return value;
            }
            self.put_in_order(state, ply, tag, true);
            self.quiet_down(state, key, ask, from, value)
        } else {
            let hopes = narrow && !forced;
            if hopes && ask.depth <= SHALLOW && value - MARGIN * ask.depth >= ask.beta {
                return value;
            }
            self.put_in_order(state, ply, tag, false);
            if hopes
                && ask.depth >= DEEP
                && value >= ask.beta
                && !ask.passed
                && self.stands_without_a_move(state, ask, value)
            {
                self.memory.moves.truncate(from);
                return ask.beta;
            }
            if tag == 0 && ask.depth > DEEP {
                ask.depth -= 1;
            }
            if repeats {
                self.memory.path.push(state.key());
            }
            let score = self.judged_moves(state, key, ask, from, value, hopes);
            if repeats {
                self.memory.path.pop();
            }
            score
        };
        self.memory.moves.truncate(from);
        score
    }

    /// The evaluation of a position for the player to move.
    #[inline(always)]
    fn judge(&mut self, state: &G, ply: usize) -> i32 {
        match &mut self.judge {
            Some(judge) => judge.value(state, ply).0,
            None => 0,
        }
    }

    /// Whether the mover reaches beta even if the opponent moves twice in a row, as far as a search less deep can tell.
    fn stands_without_a_move(&mut self, state: &G, ask: Ask, value: i32) -> bool {
        let Some(passed) = state.passed().filter(|passed| passed.outcome().is_none()) else { return false };
        let less = 3 + ask.depth / 4 + ((value - ask.beta) / (2 * MARGIN)).min(2);
        let below = ask.below(ask.depth - less, false, ask.beta - 1, ask.beta);
        let score = -self.judged(&passed, Ask { passed: true, ..below });
        self.stopped.is_none() && score >= ask.beta
    }

    /// The score at the end of the depth: the evaluation, or what captures make of it, for whoever of the players wants.
    fn quiet_down(&mut self, state: &G, key: u64, ask: Ask, from: usize, value: i32) -> i32 {
        let mover = state.to_move();
        let (mut best, mut low) = (value, ask.alpha.max(value));
        let mut next = state.clone();
        let to = self.memory.moves.len();
        for at in from..to {
            let Listed { m, end, .. } = self.next_in_order(at, to);
            let score = if let Some(outcome) = end {
                ended(outcome, mover, ask.ply + 1)
            } else {
                next.clone_from(state);
                next.play(m);
                self.judged_child(&next, mover, ask, ask.depth - 1, low, ask.beta)
            };
            if self.stopped.is_some() {
                return 0;
            }
            if score > best {
                best = score;
                low = low.max(score);
                if low >= ask.beta {
                    self.keep(state, key, ask.ply, best, 0, Bound::Least, self.memory.moves[at].place);
                    return best;
                }
            }
        }
        best
    }

    /// Searches the moves of a position that are listed from `from` on.
    fn judged_moves(&mut self, state: &G, key: u64, ask: Ask, from: usize, value: i32, hopes: bool) -> i32 {
        let Ask { depth, ply, alpha, beta, .. } = ask;
        let (mover, began) = (state.to_move(), self.meter.done());
        let (mut best, mut best_at, mut low) = (-WIN, from, alpha);
        let mut next = state.clone();
        let to = self.memory.moves.len();
        let narrow = beta - alpha == 1;
        for at in from..to {
            let Listed { m, end, quiet, .. } = self.next_in_order(at, to);
            let tried = at - from;
            if hopes && quiet && end.is_none() && best > NOT_LOST && depth <= SHALLOW {
                let late = tried as i32 > 3 + depth * depth;
                if late || value + MARGIN * (depth + 1) <= alpha {
                    continue;
                }
            }
            let score = if let Some(outcome) = end {
                ended(outcome, mover, ply + 1)
            } else {
                next.clone_from(state);
                next.play(m);
                let first = tried == 0;
                let mut less =
                    if first || depth < 2 || tried < 2 { 0 } else { reduction(depth.max(3), tried).min(depth - 1) };
                if !narrow || !quiet {
                    less = (less - 1).max(0);
                }
                let mut score = 0;
                if !first {
                    score = self.judged_child(&next, mover, ask, depth - 1 - less, low, low + 1);
                    if less > 0 && score > low {
                        score = self.judged_child(&next, mover, ask, depth - 1, low, low + 1);
                    }
                }
                if first || score > low && score < beta {
                    score = self.judged_child(&next, mover, ask, depth - 1, low, beta);
                }
                score
            };
            if self.stopped.is_some() {
                return 0;
            }
            if score > best {
                (best, best_at) = (score, at);
                low = low.max(score);
                if low >= beta {
                    break;
                }
            }
        }
        let bound = if best >= beta {
            Bound::Least
        } else if best > alpha {
            Bound::Exact
        } else {
            Bound::Most
        };
        let chosen = self.memory.moves[best_at];
        if bound != Bound::Most && chosen.quiet {
            let before =
                self.memory.moves[from..best_at].iter().filter(|listed| listed.quiet).map(|listed| listed.place);
            let work = self.meter.done() - began + 1;
            self.memory.learned.decided(ply, chosen.place, before, work);
        }
        self.keep(state, key, ply, best, depth, bound, chosen.place);
        best
    }

    /// Keeps what was found out about a position.
    #[allow(clippy::too_many_arguments)]
    fn keep(&mut self, state: &G, key: u64, ply: usize, score: i32, depth: i32, bound: Bound, place: u16) {
        let score = self.estimated(state, key, score);
        self.store(key, ply, score, depth, bound, place);
    }

    /// The score that the table has for a key: an estimate at most, if the key leaves out what came before the position.
    #[inline(always)]
    fn estimated(&self, state: &G, key: u64, score: i32) -> i32 {
        let complete = state.canonical_keys() || key == state.key();
        if complete { score } else { score.clamp(1 - WON, WON - 1) }
    }

    /// Lists the moves that [`look`](Search::look) found, or only those that are not quiet and lose nothing.
    #[inline(always)]
    fn put_in_order(&mut self, state: &G, ply: usize, tag: u16, only_forcing: bool) {
        let threatened = self.memory.threatened;
        self.list(state, ply, tag, |m| {
            let quiet = state.is_quiet(m);
            let gain = if quiet { 0 } else { state.gain(m) };
            let place = match gain {
                _ if quiet => 0,
                ..0 => -FORCING,
                0 => FORCING,
                // Before the killers.
                1.. => GAINING + (i64::from(gain) << 24),
            };
            // Against a threat every answer counts.
            (!only_forcing || place > 0 || threatened).then_some((quiet, place))
        });
    }
}

//! The moves of the root: their order, what is known of each, and the windows in which they are searched.

use super::{JUDGED_WINDOW, Learned, Search, WIN, WINDOW, WON, ended, tag_of};
use crate::game::Game;
use crate::outcome::Wdl;
use crate::search::report::Bounds;

/// A move of the root.
#[derive(Clone)]
pub(super) struct RootMove<M> {
    pub m: M,
    /// Its score, or a bound on it, at the last depth at which it was searched.
    pub score: i32,
    /// Whether the score is an upper bound.
    pub at_most: bool,
    pub steps: u64,
    pub bounds: Bounds,
}

impl<G: Game> Search<'_, G> {
    /// Puts the moves of the root in the order of the evaluations after them.
    pub(super) fn judge_moves(&mut self) {
        let mover = self.start.to_move();
        for known in &mut self.root {
            let mut next = self.start.clone();
            next.play(known.m);
            let sign = if next.to_move() == mover { 1 } else { -1 };
            known.score = match (next.outcome(), &mut self.judge) {
                (Some(outcome), _) => ended(outcome, mover, 1),
                (None, Some(judge)) => sign * judge.value(&next, 1).0,
                (None, None) => 0,
            };
        }
        self.root.sort_by_key(|known| std::cmp::Reverse(known.score));
    }

    /// Searches one ply deeper than before, in a window around `guess` that opens until it holds the score.
    pub(super) fn deepen(&mut self, guess: i32) -> i32 {
        let window = if self.judge.is_some() { JUDGED_WINDOW } else { WINDOW };
        let mut width = if self.depth < 4 { 2 * WIN } else { window };
        let (mut alpha, mut beta) = ((guess - width).max(-WIN), (guess + width).min(WIN));
        loop {
            let score = self.search_root(alpha, beta);
            if self.stopped.is_some() || score > alpha && score < beta || alpha == -WIN && beta == WIN {
                return score;
            }
            width *= 4;
            if score <= alpha {
                alpha = if width > 8000 { -WIN } else { (score - width).max(-WIN) };
            } else {
                beta = if width > 8000 { WIN } else { (score + width).min(WIN) };
            }
        }
    }

    /// Searches the moves of the root. What it has found so far counts, even if it has to stop halfway.
    fn search_root(&mut self, mut alpha: i32, beta: i32) -> i32 {
        let mover = self.start.to_move();
        let before = self.root.len();
        let mut best = -WIN;
        let mut next = self.start.clone();
        if self.start.may_repeat() {
            self.memory.path.push(self.start.key());
        }
        for at in 0..self.root.len() {
            if !self.step() {
                break;
            }
            let (m, began) = (self.root[at].m, self.meter.done());
            next.clone_from(self.start);
            next.play(m);
            let depth = self.depth as i32 - 1;
            let mut score = if best == -WIN {
                self.child(&next, mover, depth, 1, alpha, beta, before)
            } else {
                self.child(&next, mover, depth, 1, alpha, alpha + 1, before)
            };
            if score > alpha && score < beta && best > -WIN && self.stopped.is_none() {
                score = self.child(&next, mover, depth, 1, alpha, beta, before);
            }
            self.root[at].steps += self.meter.done() - began + 1;
            if self.stopped.is_some() {
                break;
            }
            let known = &mut self.root[at];
            known.score = score;
            known.at_most = score <= alpha;
            // Outside of the window a score is a bound on one side only.
            if score >= WON && score > alpha {
                known.bounds = known.bounds.and(Bounds::exactly(Wdl::Win));
            } else if score <= -WON && score < beta {
                known.bounds = known.bounds.and(Bounds::exactly(Wdl::Loss));
            }
            best = best.max(score);
            if score > alpha {
                alpha = score;
                // The best move so far leads the list.
                self.root[..=at].rotate_right(1);
                self.read_line();
                if score >= beta {
                    break;
                }
            }
        }
        self.memory.path.clear();
        let all_lost = self.root.iter().all(|known| known.bounds == Bounds::exactly(Wdl::Loss));
        if self.root.first().is_some_and(|known| known.bounds.least == Wdl::Win) {
            self.bounds = self.bounds.and(Bounds::exactly(Wdl::Win));
        } else if all_lost {
            self.bounds = self.bounds.and(Bounds::exactly(Wdl::Loss));
        }
        best
    }

    /// The line that the table expects after the best move.
    fn read_line(&mut self) {
        self.line.clear();
        let mut state = self.start.clone();
        let mut m = self.root[0].m;
        let mut moves = Vec::new();
        loop {
            self.line.push(m);
            state.play(m);
            if state.outcome().is_some() || self.line.len() > self.depth as usize {
                return;
            }
            let key = self.key(&state);
            let Some(entry) = self.memory.table.find(key).filter(|entry| entry.tag != 0) else { return };
            moves.clear();
            state.moves(&mut moves);
            let named = |m: &&G::Move| tag_of(Learned::place(state.to_move(), **m)) == entry.tag;
            let Some(&found) = moves.iter().find(named) else { return };
            m = found;
        }
    }
}

//! The nodes of the search without an evaluation, and what scores mean.

use super::judged::Ask;
use super::table::Bound;
use super::{DEEPEST, Found, Listed, NOT_LOST, Search, WIN, WON};
use crate::game::Game;
use crate::outcome::{Outcome, Player};

impl<G: Game> Search<'_, G> {
    /// The score of a position for `mover`, who has just moved there.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    pub(super) fn child(
        &mut self,
        next: &G,
        mover: Player,
        depth: i32,
        ply: usize,
        alpha: i32,
        beta: i32,
        before: usize,
    ) -> i32 {
        if self.judge.is_some() {
            let ask = Ask { depth, ply: ply - 1, alpha, beta, passed: false };
            return self.judged_child(next, mover, ask, depth, alpha, beta);
        }
        if let Some(outcome) = next.outcome() {
            return ended(outcome, mover, ply);
        }
        if next.to_move() == mover {
            // A player who moves twice in a row sees one opponent with as many moves as ever.
            self.node(next, depth, ply, alpha, beta, before)
        } else {
            -self.node(next, depth, ply, -beta, -alpha, before)
        }
    }

    /// The score of an unfinished position for the player to move, where the opponent had `before` moves.
    fn node(&mut self, state: &G, depth: i32, ply: usize, mut alpha: i32, mut beta: i32, before: usize) -> i32 {
        if !self.step() {
            return 0;
        }
        let repeats = state.may_repeat();
        if repeats && self.memory.path.contains(&state.key()) {
            return 0;
        }
        // No score from here is better than a win at once or worse than a loss at once.
        alpha = alpha.max(ply as i32 - WIN);
        beta = beta.min(WIN - ply as i32);
        if alpha >= beta {
            return alpha;
        }
        let key = self.key(state);
        let mut tag = 0;
        if let Some(entry) = self.memory.table.find(key) {
            tag = entry.tag;
            let score = from_table(entry.score, ply);
            let decides = match entry.bound {
                Bound::Exact => true,
                Bound::Least => score >= beta,
                Bound::Most => score <= alpha,
            };
            if decides && (i32::from(entry.depth) >= depth || score.abs() >= WON) {
                return score;
            }
        }
        let from = self.memory.moves.len();
        let mut depth = depth;
        let score = match self.look(state, ply) {
            Found::Score(score) => score,
            Found::Moves { count, threatened } => {
                self.list(state, ply, tag, |_| Some((true, 0)));
                // The answer to a threat is forced, and costs no depth.
                if threatened && ply < 2 * self.depth as usize + 4 {
                    depth += 1;
                }
                if depth <= 0 || ply >= DEEPEST {
                    self.config.estimate.of(state, &mut self.scratch, self.seed, count, before)
                } else {
                    if repeats {
                        self.memory.path.push(state.key());
                    }
                    let score = self.moves(state, key, depth, ply, alpha, beta, from, count);
                    if repeats {
                        self.memory.path.pop();
                    }
                    score
                }
            }
        };
        self.memory.moves.truncate(from);
        score
    }

    /// Searches the moves of a position that are listed from `from` on.
    #[allow(clippy::too_many_arguments)]
    fn moves(
        &mut self,
        state: &G,
        key: u64,
        depth: i32,
        ply: usize,
        alpha: i32,
        beta: i32,
        from: usize,
        count: usize,
    ) -> i32 {
        let (mover, began) = (state.to_move(), self.meter.done());
        let (mut best, mut best_at, mut low) = (-WIN, from, alpha);
        let mut next = state.clone();
        let to = self.memory.moves.len();
        for at in from..to {
            let Listed { m, end, .. } = self.next_in_order(at, to);
            let tried = at - from;
            let score = if let Some(outcome) = end {
                ended(outcome, mover, ply + 1)
            } else {
                next.clone_from(state);
                next.play(m);
                let wide = tried == 0;
                let less = if wide || depth < 3 || tried < 3 || to - from < 6 { 0 } else { reduction(depth, tried) };
                let mut score = 0;
                if !wide {
                    score = self.child(&next, mover, depth - 1 - less, ply + 1, low, low + 1, count);
                    if less > 0 && score > low {
                        score = self.child(&next, mover, depth - 1, ply + 1, low, low + 1, count);
                    }
                }
                if wide || score > low && score < beta {
                    score = self.child(&next, mover, depth - 1, ply + 1, low, beta, count);
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
        if bound != Bound::Most {
            let before = self.memory.moves[from..best_at].iter().map(|listed| listed.place);
            let work = self.meter.done() - began + 1;
            self.memory.learned.decided(ply, chosen.place, before, work);
        }
        self.store(key, ply, best, depth, bound, chosen.place);
        best
    }
}

/// The score of a finished game for `player`.
pub(super) fn ended(outcome: Outcome, player: Player, ply: usize) -> i32 {
    outcome.of(player).value() * (WIN - ply as i32)
}

/// How much less deep a late move is searched at first.
pub(super) fn reduction(depth: i32, tried: usize) -> i32 {
    let both = (depth as usize * depth as usize * (tried + 1)).ilog2() as i32 / 2;
    (both - 1).clamp(1, depth - 2)
}

/// Scores in the table count the plies of a win from the position itself, not from the root.
pub(super) fn to_table(score: i32, ply: usize) -> i16 {
    let own = match score {
        WON.. => score + ply as i32,
        ..=NOT_LOST => score - ply as i32,
        _ => score,
    };
    own.clamp(-WIN, WIN) as i16
}

pub(super) fn from_table(score: i16, ply: usize) -> i32 {
    match i32::from(score) {
        score @ WON.. => score - ply as i32,
        score @ ..=NOT_LOST => score + ply as i32,
        score => score,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::alphabeta::player::estimate::LARGEST;

    #[test]
    fn wins_are_counted_from_the_position_in_the_table_and_from_the_root_elsewhere() {
        for (score, ply) in [(WIN - 9, 4), (9 - WIN, 4), (17, 30), (-LARGEST, 30)] {
            assert_eq!(from_table(to_table(score, ply), ply), score);
        }
        assert_eq!(to_table(WIN - 9, 4), (WIN - 5) as i16);
        assert_eq!(from_table(to_table(5 - WIN, 3), 6), 8 - WIN);
    }
}

//! The search of training games: alpha-beta by iterative deepening within a few hundred positions, which has nothing to
//! set up and nothing to clear.

use plyproof_core::{DecisivePlayouts, Defence, Game, Judge, Logit, Outcome, Player};

use super::model::chance;
use crate::evaluator::NetworkJudge;

/// The score of a win at once; one in `n` plies scores `n` less. Judgements are far below.
const WIN: i32 = 30_000;
const WON: i32 = WIN - 1000;
/// Moves from the root that a search looks ahead at most.
const DEEPEST: usize = 60;
/// Plies beyond the depth up to which moves that are not quiet, and answers to threats, are followed.
const BEYOND: usize = 8;

/// A search with its memory.
pub(crate) struct Search<G: Game> {
    judge: NetworkJudge,
    /// The moves of all positions on the path, one list after the other.
    moves: Vec<Listed<G::Move>>,
    fresh: Vec<G::Move>,
    ends: Vec<(usize, Outcome)>,
    defences: Vec<G::Move>,
    nodes: u64,
    limit: u64,
    /// Positions after which the first ply, which has no limit, follows no captures and threats any more.
    most: u64,
    depth: usize,
}

#[derive(Clone, Copy)]
struct Listed<M> {
    m: M,
    score: i32,
    end: Option<Outcome>,
}

/// What a search found.
pub(crate) struct Found<M> {
    pub(crate) best: M,
    /// The expected score of the player to move, from 0 to 1.
    pub(crate) chance: f32,
    /// Whether a win or a loss is proven.
    pub(crate) decided: bool,
}

impl<G: Game> Search<G> {
    pub(crate) fn new(judge: NetworkJudge) -> Self {
        Self {
            judge,
            moves: Vec::new(),
            fresh: Vec::new(),
            ends: Vec::new(),
            defences: Vec::new(),
            nodes: 0,
            limit: 0,
            most: 0,
            depth: 0,
        }
    }

    /// Chooses a move of an unfinished position, after a look at about `nodes` positions.
    pub(crate) fn choose(&mut self, position: &G, nodes: u64) -> Found<G::Move> {
        (self.nodes, self.limit, self.most) = (0, u64::MAX, nodes.saturating_mul(2));
        self.moves.clear();
        self.fresh.clear();
        position.moves(&mut self.fresh);
        let mut root: Vec<(i32, G::Move)> = self.fresh.iter().map(|&m| (0, m)).collect();
        let mut score = 0;
        for depth in 1..DEEPEST {
            self.depth = depth;
            let mut alpha = -WIN;
            for at in 0..root.len() {
                let child = self.child(position, root[at].1, None, depth as i32 - 1, 0, alpha, WIN);
                if self.nodes >= self.limit {
                    break;
                }
                root[at].0 = child;
                if child > alpha {
                    alpha = child;
                    root[..=at].rotate_right(1);
                }
            }
            if alpha > -WIN {
                score = alpha;
            }
            // The first ply is searched in any case; a ply that would be cut off at once is not begun.
            self.limit = nodes.max(1);
            if self.nodes * 2 >= self.limit || score.abs() >= WON || root.len() == 1 && depth > 1 {
                break;
            }
            if depth == 1 {
                root.sort_by_key(|&(score, _)| -score);
            }
        }
        let decided = score.abs() >= WON;
        let chance = match score {
            score if decided => {
                if score > 0 {
                    1.0
                } else {
                    0.0
                }
            }
            score => chance(score as f32 / Logit::ONE as f32),
        };
        Found { best: root[0].1, chance, decided }
    }

    /// The score, for the player to move in `position`, of a move that may end the game with the result `end`.
    #[allow(clippy::too_many_arguments)]
    fn child(
        &mut self,
        position: &G,
        m: G::Move,
        end: Option<Outcome>,
        depth: i32,
        ply: usize,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        let mover = position.to_move();
        if let Some(outcome) = end {
            return ended(outcome, mover, ply + 1);
        }
        let mut next = position.clone();
        next.play(m);
        match next.outcome() {
            Some(outcome) => ended(outcome, mover, ply + 1),
            None if next.to_move() == mover => self.node(&next, depth, ply + 1, alpha, beta),
            None => -self.node(&next, depth, ply + 1, -beta, -alpha),
        }
    }

    /// The score of an unfinished position for the player to move.
    fn node(&mut self, position: &G, mut depth: i32, ply: usize, mut alpha: i32, beta: i32) -> i32 {
        self.nodes += 1;
        if self.nodes >= self.limit {
            return 0;
        }
        let mover = position.to_move();
        self.fresh.clear();
        self.ends.clear();
        self.defences.clear();
        position.moves_and_ends(&mut self.fresh, &mut self.ends);
        if self.ends.iter().any(|(_, outcome)| outcome.winner() == Some(mover)) {
            return WIN - ply as i32 - 1;
        }
        // Games that do not look for threats in play-outs see them only with much work.
        let cheap = position.decisive_playouts() == DecisivePlayouts::WinsAndDefences;
        let defence = if cheap { position.defences(&mut self.defences) } else { Defence::NotNeeded };
        let threatened = match defence {
            Defence::Hopeless => return ply as i32 + 2 - WIN,
            Defence::Needed => true,
            Defence::NotNeeded => false,
        };
        let deep = ply >= self.depth + BEYOND || self.nodes > self.most;
        if (threatened || position.in_check()) && !deep {
            depth = depth.max(0) + 1;
        }
        let mut best = -WIN;
        if depth <= 0 {
            best = self.judge.value(position, ply).0;
            if best >= beta || deep {
                return best;
            }
            alpha = alpha.max(best);
        }
        let from = self.moves.len();
        self.list(position, threatened, depth <= 0);
        if depth >= 2 {
            self.judge_moves(position, ply, from);
        }
        let to = self.moves.len();
        for at in from..to {
            let next = (at..to).max_by_key(|&at| (self.moves[at].score, std::cmp::Reverse(at))).unwrap_or(at);
            self.moves.swap(at, next);
            let Listed { m, end, .. } = self.moves[at];
            let score = self.child(position, m, end, depth - 1, ply, alpha, beta);
            if self.nodes >= self.limit {
                break;
            }
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        self.moves.truncate(from);
        best
    }

    /// Lists the moves just found that have to be searched, forcing ones first.
    fn list(&mut self, position: &G, threatened: bool, only_forcing: bool) {
        let mut ends = self.ends.iter().peekable();
        for (index, &m) in self.fresh.iter().enumerate() {
            let end = ends.next_if(|(at, _)| *at == index).map(|(_, outcome)| *outcome);
            if threatened && !self.defences.contains(&m) {
                continue;
            }
            // A capture that loses more than it takes is no better than a quiet move.
            let gain = if position.is_quiet(m) { -1 } else { position.gain(m) };
            if !(only_forcing && gain < 0) {
                self.moves.push(Listed { m, score: (gain + 1).max(0), end });
            }
        }
    }

    /// Orders the moves listed from `from` on by the judgements after them.
    fn judge_moves(&mut self, position: &G, ply: usize, from: usize) {
        let mover = position.to_move();
        for at in from..self.moves.len() {
            let Listed { m, end, .. } = self.moves[at];
            let mut next = position.clone();
            next.play(m);
            self.moves[at].score = match end.or(next.outcome()) {
                Some(outcome) => ended(outcome, mover, ply + 1),
                None => {
                    let value = self.judge.value(&next, ply + 1).0;
                    if next.to_move() == mover { value } else { -value }
                }
            };
        }
    }
}

/// The score of a finished game for `player`.
fn ended(outcome: Outcome, player: Player, ply: usize) -> i32 {
    outcome.of(player).value() * (WIN - ply as i32)
}

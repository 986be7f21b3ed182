//! Play-outs whose moves are written down, and may be chosen by what was learnt of them.

use super::{Search, Workspace};
use crate::game::{Defence, Game};
use crate::outcome::Outcome;
use crate::search::switches::{Mcts, Policy};

/// How play-outs are made.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    Random,
    Decisive,
    /// Move by move, or as the game records them.
    Recorded,
    /// By the policy that the searcher was given.
    Own,
    /// Not at all: the leaf is judged.
    Judged,
}

impl Kind {
    pub(super) fn of(config: &Mcts, own: bool) -> Self {
        match () {
            () if config.judged.is_some() => Self::Judged,
            () if own => Self::Own,
            () if config.records() => Self::Recorded,
            () if config.decisive_playouts => Self::Decisive,
            () => Self::Random,
        }
    }
}

impl<G: Game> Search<'_, G> {
    /// Plays to the end by the policy that the searcher was given.
    #[cold]
    pub(super) fn own_playout(&mut self, limit: u32) -> Outcome {
        let Workspace { policy, played, move_stats, .. } = &mut *self.space;
        let Some(policy) = policy else { return self.state.playout(&mut self.rng, limit).outcome };
        // A player may make the same move twice.
        move_stats.repeats = true;
        if self.records {
            return policy.play_out(&mut self.state, &mut self.rng, limit, &mut move_stats.trace);
        }
        played.clear();
        policy.play_out(&mut self.state, &mut self.rng, limit, played)
    }

    /// Plays to the end move by move; a draw if that takes more than `limit` moves.
    pub(super) fn recorded_playout(&mut self, limit: u32) -> Outcome {
        if self.rules.config.policy.is_none() {
            let (decisive, trace) = (self.rules.config.decisive_playouts, &mut self.space.move_stats.trace);
            if let Some(playout) = self.state.traced_playout(&mut self.rng, limit, decisive, trace) {
                self.space.move_stats.repeats = false;
                return playout.outcome;
            }
        }
        self.space.move_stats.repeats = true;
        // Other play-outs of the same visit may stand between the path and this one.
        let mut before =
            (self.above + self.space.path.len()).checked_sub(1).map(|last| self.space.move_stats.trace[last].1);
        for _ in 0..limit {
            if let Some(outcome) = self.state.outcome() {
                return outcome;
            }
            let m = self.next_move(before);
            before = Some(m);
            self.space.move_stats.trace.push((self.state.to_move(), m));
            self.state.play(m);
        }
        self.state.outcome().unwrap_or(Outcome::DRAW)
    }

    /// The next move of a play-out, after the one `before`.
    fn next_move(&mut self, before: Option<G::Move>) -> G::Move {
        let (state, space) = (&self.state, &mut *self.space);
        // Asked for before the moves are listed, since a random one needs no list.
        let chance = |policy: &Policy| (policy.epsilon() * f64::from(1 << 20)) as usize;
        let policy = self.rules.config.policy.filter(|policy| self.rng.below(1 << 20) >= chance(policy));
        let moves = &mut space.moves;
        moves.clear();
        if self.rules.config.decisive_playouts {
            space.ends.clear();
            state.moves_and_ends(moves, &mut space.ends);
            let wins = |end: &&(usize, Outcome)| end.1.winner() == Some(state.to_move());
            if let Some(&(index, _)) = space.ends.iter().find(wins) {
                return moves[index];
            }
            let all = moves.len();
            let defence = state.defences(moves);
            if defence != Defence::NotNeeded && moves.len() > all {
                moves.drain(..all);
            }
        } else if policy.is_none() {
            return state.random_move(&mut self.rng);
        } else {
            state.moves(moves);
        }
        let Some(policy) = policy else { return moves[self.rng.below(moves.len())] };
        let move_stats = &space.move_stats;
        let player = state.to_move();
        let value = |m: &G::Move| move_stats.value(player, before, *m, matches!(policy, Policy::Nst(_)));
        // From a random place on, so that the first of equals is any of them.
        let start = self.rng.below(moves.len());
        let mut best = (moves[start], value(&moves[start]));
        for m in moves[start + 1..].iter().chain(&moves[..start]) {
            let found = value(m);
            if found > best.1 {
                best = (*m, found);
            }
        }
        best.0
    }
}

//! Your own play-out policy, for experiments.

use crate::game::Game;
use crate::outcome::{Outcome, Player};
use crate::rng::Rng;

/// Chooses the moves of play-outs.
///
/// [`Searcher::set_policy`](crate::search::Searcher::set_policy) gives a searcher one. It takes the place of random,
/// decisive, MAST and NST play-outs in every Monte-Carlo agent of that searcher.
pub trait PlayoutPolicy<G: Game>: Send {
    /// The next move of a play-out at `state`, whose game is not over.
    fn choose(&mut self, state: &G, rng: &mut Rng) -> G::Move;

    /// Plays from `state` until the game is over, or until `limit` moves were made, which counts as a draw; appends each
    /// move and who made it to `trace`.
    ///
    /// A search calls this once for each play-out. A game that plays out faster without listing moves one by one may be
    /// served better by an implementation of its own.
    fn play_out(&mut self, state: &mut G, rng: &mut Rng, limit: u32, trace: &mut Vec<(Player, G::Move)>) -> Outcome {
        for _ in 0..limit {
            if let Some(outcome) = state.outcome() {
                return outcome;
            }
            let m = self.choose(state, rng);
            trace.push((state.to_move(), m));
            state.play(m);
        }
        state.outcome().unwrap_or(Outcome::DRAW)
    }
}

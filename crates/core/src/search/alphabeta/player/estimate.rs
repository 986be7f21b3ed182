//! What an unfinished position is worth to the player to move, where the search goes no deeper.

use crate::game::{Game, PLY_LIMIT};
use crate::rng::{Rng, mix64};

/// Where estimates come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Estimate {
    /// Nowhere: every unfinished position is worth 0.
    None,
    /// From the numbers of moves of the two players.
    Mobility,
    /// From the mean result of random play-outs, decisive ones where the game has them.
    Playouts,
    /// From both, half and half.
    Mixed,
}

/// No estimate is as large.
pub(super) const LARGEST: i32 = 10_000;

/// Random games for one estimate.
const PLAYOUTS: u32 = 8;

impl Estimate {
    /// Every kind with its name.
    pub(crate) const ALL: [(&'static str, Self); 4] =
        [("mixed", Self::Mixed), ("mobility", Self::Mobility), ("playouts", Self::Playouts), ("none", Self::None)];

    /// The estimate of a position with `moves` moves, in which the opponent had `before` moves a ply ago, for the player
    /// to move. `scratch` is a position to play on.
    ///
    /// The random numbers depend on the position alone, so that a position always has one estimate.
    pub(super) fn of<G: Game>(self, state: &G, scratch: &mut G, seed: u64, moves: usize, before: usize) -> i32 {
        match self {
            Self::None => 0,
            Self::Mobility => mobility(moves, before),
            Self::Playouts => playouts(state, scratch, seed, PLAYOUTS),
            Self::Mixed => (mobility(moves, before) + playouts(state, scratch, seed, PLAYOUTS / 2)) / 2,
        }
    }
}

fn mobility(moves: usize, before: usize) -> i32 {
    let (own, other) = (moves as i32, before as i32);
    (LARGEST - 1) * (own - other) / (own + other + 2)
}

fn playouts<G: Game>(state: &G, scratch: &mut G, seed: u64, count: u32) -> i32 {
    let mut rng = Rng::new(mix64(state.key() ^ seed));
    let mover = state.to_move();
    let mut sum = 0;
    for _ in 0..count {
        scratch.clone_from(state);
        sum += scratch.decisive_playout(&mut rng, PLY_LIMIT).outcome.of(mover).value();
    }
    (LARGEST - 1) * sum / count as i32
}

//! Games that an evaluation plays against itself, and what is to be learned from them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use plyproof_core::{Features, Game, Player, Rng};

use super::search::Search;
use crate::evaluator::NetworkJudge;
use crate::network::Network;

/// A position with what an evaluation should say of it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sample {
    /// In ascending order.
    pub(crate) features: Box<[u16]>,
    /// The expected score of the player to move, from 0 to 1.
    pub(crate) target: f32,
}

/// How games are played.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Play {
    /// Positions that a search looks at for a move, on average.
    pub(crate) nodes: u64,
    /// The weight of the result in a target; the search has the rest.
    pub(crate) lambda: f32,
    /// Moves after which a game counts as a draw.
    pub(crate) plies: usize,
}

/// Random moves with which a game begins, at most.
const OPENING: usize = 9;
/// One move in so many is random.
const STRAY: usize = 40;

/// Plays a game and returns its samples, those of images under symmetries among them; and how many positions they are of.
pub(crate) fn play<G: Game>(
    start: &G,
    network: &Arc<Network>,
    settings: Play,
    rng: &mut Rng,
    stop: &AtomicBool,
) -> (Vec<Sample>, u64) {
    let mut search = Search::new(NetworkJudge::new(Arc::clone(network)));
    let mut position = opening(start, rng);
    let mut judged = Vec::new();
    // A player and that player's score, once it is known.
    let mut result = None;
    while result.is_none() && judged.len() < settings.plies && !stop.load(Ordering::Relaxed) {
        // From half to one and a half of the budget, so that games differ.
        let nodes = settings.nodes / 2 + rng.below(settings.nodes as usize + 1) as u64;
        let found = search.choose(&position, nodes);
        if found.decided {
            result = Some((position.to_move(), found.chance));
        }
        let m = if rng.below(STRAY) == 0 { position.random_move(rng) } else { found.best };
        judged.push((position.clone(), found.chance));
        position.play(m);
        if let (None, Some(outcome)) = (result, position.outcome()) {
            result = Some((Player::FIRST, 0.5 + 0.5 * outcome.of(Player::FIRST).value() as f32));
        }
    }
    let (player, score) = result.unwrap_or((Player::FIRST, 0.5));
    let mut samples = Vec::new();
    let mut features = Features::default();
    for (position, chance) in &judged {
        let score = if position.to_move() == player { score } else { 1.0 - score };
        let target = settings.lambda * score + (1.0 - settings.lambda) * chance;
        for image in 0..position.symmetries() {
            position.symmetric(image).features(&mut features);
            samples.push(Sample { features: features.iter().map(|feature| feature as u16).collect(), target });
        }
    }
    (samples, judged.len() as u64)
}

/// A position after some random moves. Games that such moves end are begun anew, with fewer of them.
fn opening<G: Game>(start: &G, rng: &mut Rng) -> G {
    let plies = rng.below(OPENING + 1);
    for plies in (0..=plies).rev() {
        let mut position = start.clone();
        for _ in 0..plies {
            if position.outcome().is_none() {
                position.play(position.random_move(rng));
            }
        }
        if position.outcome().is_none() {
            return position;
        }
    }
    start.clone()
}

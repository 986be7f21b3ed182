//! What a judgement of a position rests on.

use std::sync::Arc;

use plyproof_core::{Features, Game, Judge, Logit, Outcome, TextError};

use crate::evaluator::NetworkJudge;
use crate::kernel::Memory;
use crate::network::Network;

/// A judgement of an unfinished position with its reasons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explained<M> {
    /// How the position looks for the player to move.
    pub value: Logit,
    /// Every feature of the position, and how much less the value would be without it; the largest difference, up or
    /// down, first.
    pub features: Vec<(usize, i32)>,
    /// Every legal move, with how the position after it looks for the player who makes it, or how the game ends; the best
    /// one first.
    pub moves: Vec<(M, Result<Logit, Outcome>)>,
}

/// Explains how a network judges a position. An error if there is nothing to judge, or the network is for another game.
pub fn explain<G: Game>(position: &G, network: &Arc<Network>) -> Result<Explained<G::Move>, TextError> {
    if position.outcome().is_some() {
        return Err(TextError::new("the game is over: there is nothing to judge"));
    }
    if network.features() != position.feature_count() {
        return Err(TextError::new("the network is for another number of features than positions of this game have"));
    }
    let mut judge = NetworkJudge::new(Arc::clone(network));
    let value = Judge::<G>::value(&mut judge, position, 0);
    let mut set = Features::default();
    position.features(&mut set);
    let mut memory = Memory::new(network, 2);
    let mut without = |feature: usize| {
        let mut words = set.words().to_vec();
        words[feature / 64] &= !(1 << (feature % 64));
        value.0 - Logit::new(memory.value(network, &words, &[1, 0])).0
    };
    let mut features: Vec<(usize, i32)> = set.iter().map(|feature| (feature, without(feature))).collect();
    features.sort_by_key(|&(feature, change)| (-change.abs(), feature));
    let mover = position.to_move();
    let mut listed = Vec::new();
    position.moves(&mut listed);
    let mut after = |m: G::Move| {
        let mut next = position.clone();
        next.play(m);
        match next.outcome() {
            Some(outcome) => Err(outcome),
            None if next.to_move() == mover => Ok(judge.value(&next, 1)),
            None => Ok(-judge.value(&next, 1)),
        }
    };
    let mut moves: Vec<(G::Move, Result<Logit, Outcome>)> = listed.into_iter().map(|m| (m, after(m))).collect();
    moves.sort_by_key(|(_, found)| match found {
        Ok(value) => -value.0,
        Err(outcome) => -i32::MAX * outcome.of(mover).value(),
    });
    Ok(Explained { value, features, moves })
}

//! What a game knows of positions without search ([`Game::static_knowledge`]), as answers to the questions of solvers.

use crate::game::{Game, Knowledge};
use crate::outcome::{Bounds, Wdl};
use crate::search::proof::{Goal, ProofNumbers};

/// Whether games from `start` have knowledge that answers questions about `goal`.
///
/// Not where points count, which no bounds on the value know. Nor where positions repeat: a strategy written out from
/// positions that are known to be won, each by a move to the other, would not end.
pub(crate) fn answers<G: Game>(start: &G, goal: Goal) -> bool {
    G::STATIC_KNOWLEDGE && goal.by == 0 && start.players() == 2 && !start.may_repeat()
}

/// The numbers of `goal` at a position, as far as bounds on its value for its mover decide them.
pub(crate) fn numbers<G: Game>(state: &G, bounds: Bounds, goal: Goal) -> Option<ProofNumbers> {
    let bounds = if goal.player == state.to_move() { bounds } else { bounds.flip() };
    if bounds.least >= goal.least {
        Some(ProofNumbers::PROVEN)
    } else if bounds.most < goal.least {
        Some(ProofNumbers::DISPROVEN)
    } else {
        None
    }
}

/// The numbers of `goal` at an unfinished position that a solver has nothing about, if the game knows them.
pub(crate) fn look_up<G: Game>(state: &G, goal: Goal) -> Option<ProofNumbers> {
    if !answers(state, goal) {
        return None;
    }
    let mut moves = Vec::new();
    let mut ends = Vec::new();
    state.moves_and_ends(&mut moves, &mut ends);
    if ends.iter().any(|(_, outcome)| outcome.winner() == Some(state.to_move())) {
        return numbers(state, Bounds::exactly(Wdl::Win), goal);
    }
    moves.clear();
    let Knowledge { bounds, .. } = state.static_knowledge(&mut moves);
    numbers(state, bounds, goal)
}

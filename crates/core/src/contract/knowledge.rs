//! What a game knows of positions without search, held against exhaustive search where that takes little time.

use std::sync::atomic::AtomicBool;

use super::Violation;
use crate::game::{Game, Knowledge};
use crate::outcome::{Bounds, Outcome, Wdl};
use crate::search::{Budget, minimax};

/// Positions that exhaustive search may look at.
const MOST: u64 = 300;

/// The bounds hold, and moves that are left out lose.
pub(super) fn known<G: Game>(game: &G, moves: &[G::Move], ends: &[(usize, Outcome)]) -> Result<(), Violation> {
    let wins = |(_, outcome): &(usize, Outcome)| outcome.winner() == Some(game.to_move());
    let asked = game.players() == 2 && !game.may_repeat() && !ends.iter().any(wins);
    let mut holding = Vec::new();
    if !asked {
        return Ok(());
    }
    let Knowledge { bounds, restricted } = game.static_knowledge(&mut holding);
    let says = restricted || bounds != Bounds::OPEN;
    promise!(game, G::STATIC_KNOWLEDGE || !says, "it has static knowledge, but STATIC_KNOWLEDGE is false");
    let legal = holding.iter().all(|m| moves.contains(m));
    promise!(game, legal, "static_knowledge appended a move that is not legal, among {holding:?}");
    promise!(game, bounds.least <= bounds.most, "static_knowledge gave {bounds:?}, which contradict each other");
    let all_lose = restricted && holding.is_empty() && bounds.most != Wdl::Loss;
    promise!(game, !all_lose, "static_knowledge left out all moves, but did not say that the position is lost");
    if !says {
        return Ok(());
    }
    let report = minimax::search(game, &Budget::simulations(MOST), &AtomicBool::new(false));
    let Some(value) = report.bounds.value() else { return Ok(()) };
    let holds = bounds.least <= value && value <= bounds.most;
    promise!(game, holds, "static_knowledge gave {bounds:?}, but the value is a {value}");
    let wrong = report.moves.iter().find(|m| restricted && !holding.contains(&m.m) && m.bounds.most > Wdl::Loss);
    let text = wrong.map(|m| game.move_text(m.m)).unwrap_or_default();
    promise!(game, wrong.is_none(), "static_knowledge left out {text}, which does not lose");
    Ok(())
}

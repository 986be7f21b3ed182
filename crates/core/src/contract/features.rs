//! What an evaluation sees of positions, and the hints that go with it.

use super::{Violation, listed};
use crate::features::{Features, TEXT_FEATURES};
use crate::game::Game;

pub(super) fn features<G: Game>(game: &G) -> Features {
    let mut found = Features::default();
    game.features(&mut found);
    found
}

/// Features are in bounds, the position's text tells all of them, and a pass only changes who is to move.
pub(super) fn seen<G: Game>(game: &G) -> Result<(), Violation> {
    let (count, found) = (game.feature_count(), features(game));
    promise!(game, found.count() == count, "features for {} numbers, not for {count}", found.count());
    let last = found.iter().last();
    promise!(game, last.is_none_or(|last| last < count), "feature {last:?}, though there are {count}");
    if let Ok(read) = game.parse_position(&game.position_text()) {
        promise!(game, features(&read) == found, "other features when its text is read");
    }
    if let Some(passed) = game.passed() {
        promise!(game, !game.in_check(), "a pass, though the mover has to answer a threat");
        let other = passed.to_move() == game.to_move().other();
        promise!(game, other, "player {} to move after a pass of player {}", passed.to_move(), game.to_move());
        promise!(game, passed.key() != game.key(), "a pass leaves the key as it was");
    }
    Ok(())
}

/// A symmetry gives every feature another number, and nothing more: two positions with one player to move share as many
/// features as their images do. Not so for features read from text, where places have numbers that clash now and then.
pub(super) fn images<G: Game>(game: &G, next: &G) -> Result<(), Violation> {
    let mut later = next.clone();
    if let Some(&reply) = listed(next).last() {
        later.play(reply);
    }
    let comparable = later.outcome().is_none() && later.to_move() == game.to_move();
    if game.feature_count() == TEXT_FEATURES || !comparable {
        return Ok(());
    }
    let shared = |one: &G, other: &G| {
        let (one, other) = (features(one), features(other));
        let both = one.words().iter().zip(other.words()).map(|(a, b)| (a & b).count_ones()).sum::<u32>();
        (one.iter().count(), other.iter().count(), both)
    };
    let here = shared(game, &later);
    for index in 1..game.symmetries() {
        let there = shared(&game.symmetric(index), &later.symmetric(index));
        promise!(
            game,
            here == there,
            "features here, two moves later, and shared are {here:?}, but {there:?} in image {index}"
        );
    }
    Ok(())
}

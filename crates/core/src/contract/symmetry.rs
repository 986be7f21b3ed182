//! The symmetries that a game names, held against its rules.

use std::collections::{HashMap, HashSet};

use super::{Violation, ended, listed};
use crate::game::Game;

/// The positions after the moves share a canonical key exactly if they are images of each other.
fn canonical_keys_differ<G: Game>(game: &G, moves: &[G::Move]) -> Result<(), Violation> {
    let mut keys: HashMap<u64, String> = HashMap::new();
    for &m in moves {
        let mut next = game.clone();
        next.play(m);
        let orbit = (0..next.symmetries()).map(|index| next.symmetric(index).position_text()).min().unwrap_or_default();
        let other = keys.entry(next.canonical_key()).or_insert_with(|| orbit.clone());
        promise!(game, *other == orbit, "after its moves {other} and {orbit} have one canonical key");
    }
    Ok(())
}

/// Every map keeps mover, outcome and legal moves and commutes with playing; together they are a group.
pub(super) fn symmetric<G: Game>(game: &G, moves: &[G::Move]) -> Result<(), Violation> {
    let count = game.symmetries();
    promise!(game, count >= 1, "it has no symmetry, not even the identity");
    promise!(game, game.symmetric(0).key() == game.key(), "symmetry 0 is not the identity");
    let same = moves.iter().all(|&m| game.symmetric_move(0, m) == m);
    promise!(game, same, "symmetry 0 is not the identity of the moves");
    if count == 1 {
        return Ok(());
    }
    let images: Vec<G> = (0..count).map(|index| game.symmetric(index)).collect();
    let texts: HashSet<String> = images.iter().map(G::position_text).collect();
    for (index, image) in images.iter().enumerate() {
        let there = image.position_text();
        promise!(
            game,
            image.symmetries() == count,
            "its image {there} has {} symmetries, not {count}",
            image.symmetries()
        );
        promise!(
            game,
            image.canonical_keys() == game.canonical_keys(),
            "canonical keys are used here, but not in {there}"
        );
        promise!(game, image.to_move() == game.to_move(), "another player moves in its image {there}");
        let (here, told) = (ended(game.outcome()), ended(image.outcome()));
        promise!(game, image.outcome() == game.outcome(), "{here}, but in its image {there} {told}");
        let read = game.parse_position(&there).map(|read| read.key());
        promise!(game, read == Ok(image.key()), "its image {there} has another key than its text");

        let mut mapped: Vec<G::Move> = moves.iter().map(|&m| game.symmetric_move(index, m)).collect();
        let mut legal = listed(image);
        let known: HashSet<G::Move> = legal.iter().copied().collect();
        for (&m, &to) in moves.iter().zip(&mapped) {
            let mut played = game.clone();
            played.play(m);
            let (text, mapped) = (game.move_text(m), played.symmetric(index).position_text());
            promise!(game, known.contains(&to), "the image of {text} under symmetry {index} is not legal in {there}");
            let mut next = image.clone();
            next.play(to);
            let reached = next.position_text();
            promise!(
                game,
                reached == mapped,
                "the image of {text} under symmetry {index} leads to {reached}, not {mapped}"
            );
        }
        legal.sort_unstable();
        mapped.sort_unstable();
        promise!(game, mapped == legal, "the images of its moves under symmetry {index} are not the moves of {there}");

        // One map after another is one of the maps, and one of them leads back.
        let products: HashSet<String> = (0..count).map(|then| image.symmetric(then).position_text()).collect();
        promise!(game, products == texts, "symmetry {index} and another together are none of its {count} symmetries");
        let back = (0..count).find(|&then| {
            image.symmetric(then).key() == game.key()
                && moves.iter().all(|&m| image.symmetric_move(then, game.symmetric_move(index, m)) == m)
        });
        promise!(game, back.is_some(), "no symmetry leads back from its image {there}");
    }
    // The default follows from what was checked.
    if game.canonical_keys() {
        let canonical = game.canonical_key();
        let differs = images.iter().find(|image| image.canonical_key() != canonical).map(G::position_text);
        promise!(game, differs.is_none(), "its image {} has another canonical key", differs.unwrap_or_default());
        canonical_keys_differ(game, moves)?;
    }
    Ok(())
}

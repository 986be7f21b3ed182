//! Canonical keys on whole small boards: one key for all images of a position, and another for every other position.
//!
//! The contract compares positions after the moves of one position, which no key that confuses the two players' ways to
//! move would stand out among.

use std::collections::{HashMap, HashSet};

use plyproof_core::Game;
use plyproof_core::spec::{Description, Params, Spec};
use plyproof_games::clobber::{CLOBBER, Clobber};
use plyproof_games::connect4::{CONNECT4, Connect4};
use plyproof_games::domineering::{DOMINEERING, Domineering};
use plyproof_games::hex::{HEX, Hex};
use plyproof_games::in_a_row::{GOMOKU, InARow, MNK};
use plyproof_games::loa::{LOA, Loa};
use plyproof_games::othello::{OTHELLO, Othello};
use plyproof_games::through::{BREAKTHROUGH, KNIGHTTHROUGH, Through};

fn params(described: &Description, text: &str) -> Params {
    Params::resolve(described, &Spec::parse(text).expect(text)).expect(text)
}

/// Goes through the positions that can be reached, nearest first, and at most `most` of them.
fn keys_name_orbits<G: Game>(start: G, most: usize) {
    assert!(G::CANONICAL_KEYS && start.symmetries() > 1);
    let mut met = HashSet::from([start.position_text()]);
    let (mut orbits, mut all, mut next) = (HashMap::new(), vec![start], 0);
    let mut keys = HashSet::new();
    while let Some(position) = all.get(next).cloned() {
        next += 1;
        let images = (0..position.symmetries()).map(|index| position.symmetric(index).position_text());
        let orbit = images.min().unwrap_or_default();
        let key = position.canonical_key();
        match orbits.get(&orbit) {
            Some(&other) => assert_eq!(key, other, "{} and an image of it", position.position_text()),
            None => {
                assert!(keys.insert(key), "{} has the key of another orbit", position.position_text());
                orbits.insert(orbit, key);
            }
        }
        let mut moves = Vec::new();
        position.moves(&mut moves);
        for m in moves {
            let mut after = position.clone();
            after.play(m);
            if all.len() < most && met.insert(after.position_text()) {
                all.push(after);
            }
        }
    }
    assert!(orbits.len() > 20 && orbits.len() < all.len(), "{} of {}", orbits.len(), all.len());
}

#[test]
fn a_canonical_key_is_that_of_one_orbit() {
    const MOST: usize = 6000;
    for size in ["4", "3x5", "5x3"] {
        keys_name_orbits(Domineering::start(&params(&DOMINEERING, &format!("domineering(size={size})"))), MOST);
    }
    for size in ["3", "4", "5x2"] {
        keys_name_orbits(Clobber::start(&params(&CLOBBER, &format!("clobber(size={size})"))), MOST);
    }
    for size in ["width=4,height=4", "width=8,height=7", "width=3,height=2"] {
        keys_name_orbits(Connect4::start(&params(&CONNECT4, &format!("connect4({size})"))), MOST);
    }
    for size in ["m=3,n=3,k=3", "m=4,n=3,k=3", "m=8,n=8,k=5", "m=9,n=2,k=3"] {
        keys_name_orbits(InARow::mnk(&params(&MNK, &format!("mnk({size})"))), MOST);
    }
    keys_name_orbits(InARow::gomoku(&params(&GOMOKU, "gomoku(size=9)")), MOST);
    for size in ["3", "5", "13"] {
        keys_name_orbits(Hex::start(&params(&HEX, &format!("hex(size={size})"))), MOST);
    }
    for size in ["4", "6"] {
        keys_name_orbits(Othello::start(&params(&OTHELLO, &format!("othello(size={size})"))), MOST);
    }
    for size in ["3", "4", "5", "8", "6,both=mover"] {
        keys_name_orbits(Loa::<u64>::start(&params(&LOA, &format!("loa(size={size})"))), MOST);
    }
    for size in ["3x4", "4x5", "8"] {
        keys_name_orbits(Through::breakthrough(&params(&BREAKTHROUGH, &format!("breakthrough(size={size})"))), MOST);
        let text = format!("knightthrough(size={size})");
        keys_name_orbits(Through::knightthrough(&params(&KNIGHTTHROUGH, &text)), MOST);
    }
}

//! Rules files with mistakes by chance.

use std::path::Path;

use plyproof_core::contract::mangle;
use plyproof_core::{Game, Rng};
use plyproof_rules::gdl::{Visitor, load};

use super::files;

/// Damaged texts of each file.
const ROUNDS: u32 = 60;

/// A few moves, each of which leads where the position before has promised.
struct Walk;

impl Visitor for Walk {
    type Output = u32;

    fn visit<G: Game>(self, start: G) -> u32 {
        let (mut game, mut rng) = (start.clone(), Rng::new(1));
        for ply in 0..4 {
            let (mut moves, mut ends) = (Vec::new(), Vec::new());
            game.moves_and_ends(&mut moves, &mut ends);
            assert_eq!(moves.is_empty(), game.outcome().is_some());
            if moves.is_empty() {
                return ply;
            }
            let m = game.random_move(&mut rng);
            let index = moves.iter().position(|&other| other == m).expect("a legal move");
            let promised = ends.iter().find(|end| end.0 == index).map(|end| end.1);
            game.play(m);
            assert_eq!(game.outcome(), promised);
            let text = game.position_text();
            let read = start.parse_position(&text).unwrap_or_else(|error| panic!("{text} was refused: {error}"));
            assert_eq!((read.position_text(), read.key(), read.outcome()), (text, game.key(), game.outcome()));
        }
        let _ = game.playout(&mut rng, 20);
        4
    }
}

/// The text with a few of its words and brackets left out, doubled, exchanged or replaced by others.
fn reshuffled(text: &str, rng: &mut Rng) -> String {
    let spaced = text.lines().map(|line| line.split(';').next().unwrap_or_default()).collect::<Vec<_>>().join(" ");
    let spaced = spaced.replace('(', " ( ").replace(')', " ) ");
    let mut words: Vec<&str> = spaced.split_whitespace().collect();
    for _ in 0..1 + rng.below(4) {
        let (a, b) = (rng.below(words.len()), rng.below(words.len()));
        match rng.below(5) {
            0 => drop(words.remove(a)),
            1 => words.insert(a, words[b]),
            2 => words.swap(a, b),
            _ if !"()".contains(words[a]) && !"()".contains(words[b]) => words[a] = words[b],
            _ => {}
        }
    }
    words.join(" ")
}

#[test]
fn damaged_files_are_refused_in_one_line_or_played() {
    let mut rng = Rng::new(5);
    let (mut refused, mut played, mut plies) = (0, 0, 0);
    for path in files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")) {
        let text = std::fs::read_to_string(&path).expect("a rules file");
        for round in 0..ROUNDS {
            let damaged = if round % 3 == 0 { mangle(&text, &mut rng) } else { reshuffled(&text, &mut rng) };
            match load(&damaged) {
                Ok(rules) => {
                    played += 1;
                    plies += rules.start(Walk);
                }
                Err(error) => {
                    refused += 1;
                    let line = error.to_string();
                    assert!(!line.contains('\n') && line.len() < 1000 && error.line > 0, "{line:?}");
                }
            }
        }
    }
    assert!(refused > 50 && played > 20 && plies > 50, "{refused} refused, {played} played, {plies} plies");
}

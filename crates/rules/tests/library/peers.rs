//! Games that plyproof does not have in Rust, compared with other programs and with published results.

use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::path::Path;

use flate2::read::GzDecoder;
use plyproof_core::Player;
use plyproof_rules::rbg::Rules;
use serde::Deserialize;

use super::library;
use super::lockstep::{Erase, Side};

/// Lines of 1, 2, 3, … moves, and who counted them.
const LINES: [(&str, &[u64]); 9] = [
    // Fairy-Stockfish (pyffish 0.0.90).
    ("ataxx", &[16, 256, 6460]),
    ("dobutsu", &[4, 17, 123, 976, 8122]),
    ("gardner", &[7, 53, 506, 4775]),
    // The compiler of the authors of RBG, for rules files of theirs.
    ("english_draughts", &[7, 49, 302, 1469, 7361, 36768]),
    ("fox_and_hounds", &[4, 7, 49, 182, 1118, 3096, 18792]),
    ("international_draughts", &[9, 81, 658, 4265, 27117]),
    ("nine_mens_morris", &[24, 552, 12144, 255_024]),
    ("pentago", &[288, 80640]),
    ("connect6", &[361, 129_960]),
];

#[test]
fn lines_of_play_are_those_of_other_programs() {
    for (name, wanted) in LINES {
        let start = library(name, "").start(Erase);
        let found: Vec<u64> = (1..=wanted.len() as u32).map(|depth| start.lines(depth)).collect();
        assert_eq!(found, wanted, "{name}");
    }
}

#[derive(Deserialize)]
struct Head {
    game: String,
    parameters: String,
    source: String,
}

#[derive(Deserialize)]
struct Recorded {
    /// Legal moves before, board after.
    plies: Vec<(usize, String)>,
    /// For the first player; none if the game ended by a rule that the file does not have.
    result: Option<f64>,
}

/// The board with `x` for pieces of the first player, `o` for those of the second.
fn owners(rules: &Rules) -> impl Fn(&dyn Side) -> String + use<> {
    let players = rules.players().to_vec();
    let owner = |name: &str| match players.iter().position(|player| name.starts_with(player.as_str())) {
        Some(place) => ['x', 'o'][place],
        None => '.',
    };
    let map: HashMap<char, char> = rules.pieces().iter().map(|(name, sign)| (*sign, owner(name))).collect();
    move |side| side.text().chars().take_while(|&c| c != ' ').filter_map(|c| map.get(&c).copied()).collect()
}

fn replay(rules: &Rules, game: &Recorded) -> Result<(), String> {
    let board = owners(rules);
    let mut position = rules.start(Erase);
    for (ply, (count, wanted)) in game.plies.iter().enumerate() {
        let at = |what: &str| format!("ply {ply}: {what}, at {}", position.text());
        if position.outcome().is_some() {
            return Err(at("the game is over, expected a move"));
        }
        if position.moves() != *count {
            return Err(at(&format!("{} legal moves, expected {count}", position.moves())));
        }
        let children: Vec<Box<dyn Side>> = (0..position.moves()).map(|place| position.child(place)).collect();
        // A finished game may show another board, such as one with the points of Go.
        let over = |child: &dyn Side| ply + 1 == game.plies.len() && child.outcome().is_some();
        let exact = children.iter().find(|child| board(&***child) == *wanted);
        let child = exact.or_else(|| children.iter().find(|child| over(&***child)));
        let next = child.ok_or_else(|| at(&format!("no move to {wanted}")))?.listed();
        position = next;
    }
    let Some(result) = game.result else { return Ok(()) };
    let winner = position.outcome().map(|outcome| outcome.winner());
    let wanted = [Some(Player::SECOND), None, Some(Player::FIRST)][(result as i32 + 1) as usize];
    if winner != Some(wanted) {
        return Err(format!("the winner is {winner:?}, expected {wanted:?}, at {}", position.text()));
    }
    Ok(())
}

#[test]
fn games_of_openspiel_are_games_of_ours() {
    let mut files = 0;
    for entry in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")).expect("the data") {
        let path = entry.expect("an entry").path();
        if !path.to_string_lossy().ends_with(".jsonl.gz") {
            continue;
        }
        let file = std::fs::File::open(&path).expect("a file");
        let mut lines = BufReader::new(GzDecoder::new(file)).lines().map(|line| line.expect("a line"));
        let head: Head = serde_json::from_str(&lines.next().expect("the first line")).expect("a head");
        let rules = library(&head.game, &head.parameters);
        for (number, line) in lines.enumerate() {
            let game: Recorded = serde_json::from_str(&line).expect("a game");
            if let Err(difference) = replay(&rules, &game) {
                panic!("{}, game {number} of {}: {difference}", head.game, head.source);
            }
        }
        files += 1;
    }
    assert_eq!(files, 7);
}

/// The value for the player to move, of all positions: -1, 0 or 1, by passes over the whole graph.
fn value(start: Box<dyn Side>) -> i32 {
    let mut places: HashMap<String, usize> = HashMap::from([(start.text(), 0)]);
    let mut all = vec![start.listed()];
    let mut edges: Vec<Vec<usize>> = Vec::new();
    while edges.len() < all.len() {
        let position = &all[edges.len()];
        let children: Vec<Box<dyn Side>> = (0..position.moves()).map(|place| position.child(place)).collect();
        let mut out = Vec::new();
        for child in children {
            let next = all.len();
            let place = *places.entry(child.text()).or_insert(next);
            if place == next {
                all.push(child.listed());
            }
            out.push(place);
        }
        edges.push(out);
    }
    // For the first player.
    let mut values: Vec<Option<i32>> =
        all.iter().map(|position| position.outcome().map(|o| sign(o.winner()))).collect();
    loop {
        let mut changed = false;
        for place in 0..all.len() {
            let side = if all[place].mover() == Player::FIRST { 1 } else { -1 };
            if values[place].is_some() || edges[place].is_empty() {
                continue;
            }
            let best = edges[place].iter().filter_map(|&to| values[to]).map(|value| value * side).max();
            let known = edges[place].iter().all(|&to| values[to].is_some());
            if best == Some(1) || known {
                values[place] = best.map(|value| value * side);
                changed = true;
            }
        }
        if !changed {
            return values[0].unwrap_or(0);
        }
    }
}

fn sign(winner: Option<Player>) -> i32 {
    match winner {
        Some(Player::FIRST) => 1,
        Some(_) => -1,
        None => 0,
    }
}

#[test]
fn values_of_small_boards_are_the_published_ones() {
    // Gardner (1962): the second player wins hexapawn. Berlekamp, Conway and Guy (Winning Ways): the first wins Dodgem.
    assert_eq!(value(library("hexapawn", "").start(Erase)), -1);
    assert_eq!(value(library("dodgem", "").start(Erase)), 1);
}

//! Slow rules, written from the descriptions of the games alone, to catch mistakes in the fast ones.
//!
//! Boards are lists of lists of signs, lines are walked square by square, nothing is remembered that can be worked out
//! again. Nothing here shares code with the games it is compared with.

// Several test programs include this module, and none of them needs all of it.
#![allow(dead_code, unused_imports)]
// Plain loops over files and ranks are the point here.
#![allow(clippy::needless_range_loop)]

mod awari;
mod gomoku;
mod knightthrough;
mod loa;
mod minishogi;
mod odd;

pub use awari::{Awari, Rules};
pub use gomoku::Gomoku;
pub use knightthrough::{Knightthrough, Leaps};
pub use loa::{Both, Loa};
pub use minishogi::Minishogi;
pub use odd::{odd_awari, odd_gomoku, odd_knightthrough, odd_loa, odd_minishogi};

use plyproof_core::{Game, Player, Rng};

/// A position under the slow rules. Start positions come from each type's own `start`, which takes its parameters.
pub trait Reference: Clone {
    /// Who moves: 1 or 2. Says nothing once the game is finished.
    fn mover(&self) -> usize;

    /// All legal moves as text, sorted. Empty if and only if the game is finished.
    fn legal(&self) -> Vec<String>;

    /// Plays one of the legal moves; it is not checked again.
    fn play(&mut self, text: &str);

    /// 1, 0 or -1: won, drawn or lost for player 1. `None` while the game goes on.
    fn result(&self) -> Option<i32>;

    /// The position as text, in the form the games print.
    fn position(&self) -> String;

    /// Reads such a text, for the same size and rules as `self`. Panics on anything else.
    fn parse(&self, text: &str) -> Self;

    /// Whether a game that prints `text` is in this position. Games whose text holds more override it.
    fn agrees(&self, text: &str) -> bool {
        self.position() == text
    }
}

/// Plays a random game of at most `plies` moves in lockstep, with everything compared at each position: also after every
/// move of the first position, and after up to four moves beside the path of each later one.
///
/// Panics with the position and both lists of moves where the two part.
pub fn compare<G: Game, R: Reference>(fast: &G, slow: &R, plies: u32, seed: u64) {
    let mut rng = Rng::new(seed);
    let (mut fast, mut slow) = (fast.clone(), slow.clone());
    same(&fast, &slow, "no move");
    for ply in 0..plies {
        let mut legal = slow.legal();
        if legal.is_empty() {
            return;
        }
        rng.shuffle(&mut legal);
        let beside = if ply == 0 { legal.len() } else { legal.len().min(5) };
        for text in &legal[1..beside] {
            step(&fast, &slow, text);
        }
        (fast, slow) = step(&fast, &slow, &legal[0]);
    }
}

/// Reads each text by both rules and compares `games` games from it.
pub fn compare_from<G: Game, R: Reference>(fast: &G, slow: &R, texts: &[String], games: u64, plies: u32) {
    for (index, text) in texts.iter().enumerate() {
        let read = match fast.parse_position(text) {
            Ok(read) => read,
            Err(error) => panic!("the game refuses {text}: {error}"),
        };
        for game in 0..games {
            compare(&read, &slow.parse(text), plies, index as u64 * games + game);
        }
    }
}

/// Both after the move `text`, compared.
fn step<G: Game, R: Reference>(fast: &G, slow: &R, text: &str) -> (G, R) {
    let mut moves = Vec::new();
    fast.moves(&mut moves);
    let found = moves.into_iter().find(|&m| fast.move_text(m) == text);
    let (mut fast_next, mut slow_next) = (fast.clone(), slow.clone());
    fast_next.play(found.unwrap_or_else(|| panic!("no move {text} at {}", fast.position_text())));
    slow_next.play(text);
    same(&fast_next, &slow_next, &format!("{text} at {}", slow.position()));
    (fast_next, slow_next)
}

fn same<G: Game, R: Reference>(fast: &G, slow: &R, context: &str) {
    let mut moves = Vec::new();
    fast.moves(&mut moves);
    let mut fast_moves: Vec<String> = moves.iter().map(|&m| fast.move_text(m)).collect();
    fast_moves.sort();
    let slow_moves = slow.legal();
    let fast_result = fast.outcome().map(|outcome| outcome.of(Player::FIRST).value());
    let fast_mover = fast.to_move().index() + 1;
    let (mover, result) = (slow.mover(), slow.result());
    let agree = slow.agrees(&fast.position_text())
        && fast_moves == slow_moves
        && fast_result == result
        && (result.is_some() || fast_mover == mover);
    let only = |a: &[String], b: &[String]| a.iter().filter(|m| !b.contains(m)).cloned().collect::<Vec<_>>().join(" ");
    assert!(
        agree,
        "the game and the slow rules differ after {context}\n\
         game:  {} mover {fast_mover} result {fast_result:?}\n       {}\n\
         rules: {} mover {mover} result {result:?}\n       {}\n\
         only the game allows: {}\nonly the rules allow: {}",
        fast.position_text(),
        fast_moves.join(" "),
        slow.position(),
        slow_moves.join(" "),
        only(&fast_moves, &slow_moves),
        only(&slow_moves, &fast_moves),
    );
}

/// Lines of exactly `depth` moves.
pub fn count_lines<R: Reference>(slow: &R, depth: usize) -> u64 {
    let legal = slow.legal();
    match depth {
        0 => 1,
        1 => legal.len() as u64,
        _ => legal
            .iter()
            .map(|text| {
                let mut next = slow.clone();
                next.play(text);
                count_lines(&next, depth - 1)
            })
            .sum(),
    }
}

// ---- boards of x, o and . --------------------------------------------------------------------------------------------

/// `cells[rank][file]`, rank 0 at the bottom.
pub type Cells = Vec<Vec<char>>;

/// The stone sign of player 1 or 2.
pub fn sign(player: usize) -> char {
    match player {
        1 => 'x',
        2 => 'o',
        _ => panic!("player {player}"),
    }
}

/// The sign at `(file, rank)`, or `None` beyond the edge.
pub fn at(cells: &Cells, file: i32, rank: i32) -> Option<char> {
    let row = cells.get(usize::try_from(rank).ok()?)?;
    row.get(usize::try_from(file).ok()?).copied()
}

/// How many squares hold `stone`.
pub fn count(cells: &Cells, stone: char) -> usize {
    cells.iter().flatten().filter(|&&c| c == stone).count()
}

/// `e4` for file 4, rank 3.
pub fn name(file: usize, rank: usize) -> String {
    let letter = "abcdefghijklmnopqrstuvwxyz".chars().nth(file).expect("at most 26 files");
    format!("{letter}{}", rank + 1)
}

/// File and rank of `e4`.
pub fn square(text: &str) -> (usize, usize) {
    let letter = text.chars().next().expect("a square");
    let rank: usize = text[1..].parse().expect(text);
    ("abcdefghijklmnopqrstuvwxyz".find(letter).expect(text), rank - 1)
}

/// The two squares of `b1d3`.
pub fn from_to(text: &str) -> ((usize, usize), (usize, usize)) {
    let second = 1 + text[1..].find(|c: char| c.is_ascii_lowercase()).expect(text);
    (square(&text[..second]), square(&text[second..]))
}

/// Ranks from top to bottom, the side to move, and the passes just before.
pub fn write_position(cells: &Cells, mover: usize, passes: usize) -> String {
    let rows: Vec<String> = cells.iter().rev().map(|row| row.iter().collect()).collect();
    format!("{} {}{}", rows.join("/"), sign(mover), " pass".repeat(passes))
}

/// Reads what [`write_position`] writes: board, side to move, passes.
pub fn read_position(text: &str, width: usize, height: usize) -> (Cells, usize, usize) {
    let words: Vec<&str> = text.split(' ').collect();
    let cells: Cells = words[0].split('/').rev().map(|row| row.chars().collect()).collect();
    assert!(cells.len() == height && cells.iter().all(|row| row.len() == width), "{text}");
    assert!(cells.iter().flatten().all(|c| "xo.".contains(*c)), "{text}");
    let mover = if words[1] == "x" { 1 } else { 2 };
    let passes = words.len() - 2;
    assert_eq!(write_position(&cells, mover, passes), text);
    (cells, mover, passes)
}

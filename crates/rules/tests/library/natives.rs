//! The rules files of games that plyproof also has in Rust are those games.
//!
//! `PLYPROOF_GAMES` is the number of random games of each comparison, 10,000 for a thorough one.

use std::collections::HashMap;

use plyproof_core::Game;
use plyproof_core::spec::{Description, Params, Spec};
use plyproof_games::amazons::{AMAZONS, Amazons};
use plyproof_games::awari::{AWARI, Awari};
use plyproof_games::clobber::{CLOBBER, Clobber};
use plyproof_games::connect4::{CONNECT4, Connect4};
use plyproof_games::domineering::{DOMINEERING, Domineering};
use plyproof_games::hex::{HEX, Hex};
use plyproof_games::in_a_row::{GOMOKU, InARow, MNK, TICTACTOE};
use plyproof_games::loa::{LOA, Loa};
use plyproof_games::minishogi::{MINISHOGI, MiniShogi};
use plyproof_games::othello::{OTHELLO, Othello};
use plyproof_games::through::{BREAKTHROUGH, KNIGHTTHROUGH, Through};
use plyproof_rules::rbg::Rules;

use super::library;
use super::lockstep::{Erase, Reading, compare, side};

/// Letters of native games for the pieces of a rules file.
type Letters = &'static [(&'static str, char)];

const STONES: Letters = &[
    ("empty", '.'),
    ("blackStone", 'x'),
    ("whiteStone", 'o'),
    ("cross", 'x'),
    ("ring", 'o'),
    ("redStone", 'x'),
    ("blueStone", 'o'),
    ("redDisc", 'x'),
    ("yellowDisc", 'o'),
    ("blackDisc", 'x'),
    ("whiteDisc", 'o'),
    ("whitePawn", 'x'),
    ("blackPawn", 'o'),
    ("whiteKnight", 'x'),
    ("blackKnight", 'o'),
    ("whiteAmazon", 'x'),
    ("blackAmazon", 'o'),
    ("arrow", '#'),
    ("half", '#'),
    ("mark", '?'),
];

fn games(few: u64) -> u64 {
    std::env::var("PLYPROOF_GAMES").ok().and_then(|games| games.parse().ok()).unwrap_or(few)
}

/// The board, letter by letter.
fn letters(rules: &Rules) -> impl Fn(&str, bool) -> String + use<> {
    let letter = |name: &str| STONES.iter().find(|known| known.0 == name).map_or('?', |known| known.1);
    let map: HashMap<char, char> = rules.pieces().iter().map(|(name, sign)| (*sign, letter(name))).collect();
    move |text, _| text.chars().take_while(|&c| c != ' ').map(|c| *map.get(&c).unwrap_or(&c)).collect()
}

fn board(text: &str, _: bool) -> String {
    text.split(' ').next().unwrap_or_default().to_string()
}

fn native<G: Game>(start: fn(&Params) -> G, description: &Description, parameters: &str) -> G {
    let spec = Spec::parse(&format!("{}({parameters})", description.name)).expect("a spec");
    start(&Params::resolve(description, &spec).expect("parameters"))
}

#[allow(clippy::print_stderr)]
fn same<G: Game>(rules: &Rules, reading: Reading, game: &G, native: Reading, few: u64, depth: u32) {
    let (a, b) = (rules.start(Erase), side(game.clone()));
    let title = rules.title().unwrap_or_default();
    for depth in 1..=depth {
        assert_eq!(a.lines(depth), b.lines(depth), "{title}, lines of {depth} moves");
    }
    match compare(&*a, reading, &*b, native, games(few)) {
        Ok(plies) => eprintln!("{title}: {} games, {plies} plies, no difference", games(few)),
        Err(difference) => panic!("{title}: {difference}"),
    }
}

/// A rules file with the letters of stones against the native game.
fn stones<G: Game>(
    name: &str,
    parameters: &str,
    start: fn(&Params) -> G,
    description: &Description,
    native_parameters: &str,
    few: u64,
    depth: u32,
) {
    let rules = library(name, parameters);
    same(&rules, &letters(&rules), &native(start, description, native_parameters), &board, few, depth);
}

#[test]
fn tictactoe_and_mnk() {
    stones("tictactoe", "", InARow::tictactoe, &TICTACTOE, "", 200, 6);
    stones("mnk", "", InARow::mnk, &MNK, "", 100, 6);
    stones("mnk", "m=5,n=4,k=4", InARow::mnk, &MNK, "m=5,n=4,k=4", 100, 4);
    stones("mnk", "m=2,n=3,k=1", InARow::mnk, &MNK, "m=2,n=3,k=1", 10, 2);
}

#[test]
fn gomoku() {
    stones("gomoku", "", InARow::gomoku, &GOMOKU, "", 20, 2);
    stones("gomoku", "size=6", InARow::gomoku, &GOMOKU, "size=6", 200, 3);
    stones("gomoku", "size=6,exact=false", InARow::gomoku, &GOMOKU, "size=6,exact=false", 200, 3);
}

#[test]
fn connect4() {
    stones("connect4", "", Connect4::start, &CONNECT4, "", 200, 6);
    stones("connect4", "width=5,height=4", Connect4::start, &CONNECT4, "width=5,height=4", 200, 6);
}

#[test]
fn breakthrough() {
    stones("breakthrough", "", Through::breakthrough, &BREAKTHROUGH, "", 100, 3);
    stones("breakthrough", "width=5,height=6", Through::breakthrough, &BREAKTHROUGH, "size=5x6", 200, 4);
    stones("breakthrough", "width=2,height=4", Through::breakthrough, &BREAKTHROUGH, "size=2x4", 100, 4);
}

#[test]
fn knightthrough() {
    stones("knightthrough", "", Through::knightthrough, &KNIGHTTHROUGH, "", 100, 3);
    stones("knightthrough", "width=3,height=5", Through::knightthrough, &KNIGHTTHROUGH, "size=3x5", 200, 4);
    stones("knightthrough", "width=2,height=6", Through::knightthrough, &KNIGHTTHROUGH, "size=2x6", 200, 4);
}

#[test]
fn othello() {
    stones("othello", "", Othello::start, &OTHELLO, "", 100, 5);
    stones("othello", "size=6", Othello::start, &OTHELLO, "size=6", 100, 5);
    stones("othello", "size=4", Othello::start, &OTHELLO, "size=4", 200, 5);
}

#[test]
fn domineering() {
    stones("domineering", "", Domineering::start, &DOMINEERING, "", 100, 3);
    stones("domineering", "width=3,height=5", Domineering::start, &DOMINEERING, "size=3x5", 200, 4);
    stones("domineering", "width=1,height=1", Domineering::start, &DOMINEERING, "size=1", 1, 1);
}

#[test]
fn clobber() {
    stones("clobber", "", Clobber::start, &CLOBBER, "", 200, 3);
    stones("clobber", "width=4,height=4", Clobber::start, &CLOBBER, "size=4", 200, 4);
}

#[test]
fn amazons() {
    stones("amazons", "", Amazons::start, &AMAZONS, "", 1, 1);
    stones("amazons", "size=8", Amazons::start, &AMAZONS, "size=8", 2, 1);
    stones("amazons", "size=6", Amazons::start, &AMAZONS, "size=6", 10, 2);
}

#[test]
fn lines_of_action() {
    stones("loa", "", Loa::<u64>::start, &LOA, "", 4, 3);
    stones("loa", "size=5", Loa::<u64>::start, &LOA, "size=5", 50, 3);
    stones("loa", "size=4,both=mover", Loa::<u64>::start, &LOA, "size=4,both=mover", 100, 4);
}

#[test]
fn hex() {
    for (size, few, depth) in [(11, 10, 2), (4, 200, 4), (1, 1, 1)] {
        let rules = library("hex", &format!("size={size}"));
        // The rhombus stands on a corner: cells come row by row from there.
        let mut places = vec![0; size * size];
        let mut next = 0;
        for row in 0..2 * size - 1 {
            for column in (row + 1).saturating_sub(size)..=row.min(size - 1) {
                places[column * size + row - column] = next;
                next += 1;
            }
        }
        let letters = letters(&rules);
        let reading = |text: &str, _: bool| {
            let cells: Vec<char> = letters(text, false).chars().filter(|&c| c != '/').collect();
            let rows = places.chunks(size).map(|row| row.iter().map(|&place| cells[place]).collect::<String>());
            rows.collect::<Vec<_>>().join("/")
        };
        same(&rules, &reading, &native(Hex::start, &HEX, &format!("size={size}")), &board, few, depth);
    }
}

/// The value of a variable in the text of a position; 0 if it is left out.
fn variable(text: &str, name: &str) -> u32 {
    let found = text.split([' ', ',']).find_map(|field| field.strip_prefix(name)?.strip_prefix('='));
    found.map_or(0, |value| value.parse().expect("a number"))
}

#[test]
fn awari() {
    let rules = library("awari", "");
    let reading = |text: &str, over: bool| {
        let seeds: Vec<String> = (1..=12).map(|n| variable(text, &format!("in{n}")).to_string()).collect();
        if over { String::new() } else { seeds.join(",") }
    };
    let native_reading = |text: &str, over: bool| {
        let seeds = text.split('|').next().filter(|_| !over);
        seeds.unwrap_or_default().to_string()
    };
    let game = native(Awari::start, &AWARI, "");
    same(&rules, &reading, &game, &native_reading, 100, 6);
}

#[test]
fn minishogi() {
    let rules = library("minishogi", "");
    let names: HashMap<char, String> = rules.pieces().iter().map(|(name, sign)| (*sign, name.clone())).collect();
    let kinds = [
        ("King", "K"),
        ("Gold", "G"),
        ("Silver", "S"),
        ("Bishop", "B"),
        ("Rook", "R"),
        ("Pawn", "P"),
        ("Tokin", "+P"),
        ("Promoted", "+S"),
        ("Horse", "+B"),
        ("Dragon", "+R"),
    ];
    let letter = |name: &str| {
        let kind = |color: &str| {
            let kind = name.strip_prefix(color)?;
            kinds.iter().find(|known| known.0 == kind).map(|known| known.1)
        };
        kind("black").map_or_else(|| kind("white").unwrap_or("1").to_lowercase(), str::to_string)
    };
    let reading = |text: &str, _: bool| {
        let fields = board(text, false);
        let mut sfen = String::new();
        let mut free = 0;
        for sign in fields.chars().chain(['/']) {
            if sign != '/' && names[&sign] == "empty" {
                free += 1;
                continue;
            }
            if free > 0 {
                sfen.push_str(&free.to_string());
                free = 0;
            }
            sfen.push_str(&if sign == '/' { "/".to_string() } else { letter(&names[&sign]) });
        }
        sfen.pop();
        let mut hands = String::new();
        for (color, upper) in [("black", true), ("white", false)] {
            for (kind, sign) in [("Rook", 'R'), ("Bishop", 'B'), ("Gold", 'G'), ("Silver", 'S'), ("Pawn", 'P')] {
                let count = variable(text, &format!("{color}Has{kind}"));
                if count > 1 {
                    hands.push_str(&count.to_string());
                }
                if count > 0 {
                    hands.push(if upper { sign } else { sign.to_ascii_lowercase() });
                }
            }
        }
        format!("{sfen} {}", if hands.is_empty() { "-" } else { &hands })
    };
    let native_reading = |text: &str, _: bool| {
        let fields: Vec<&str> = text.split(' ').collect();
        format!("{} {}", fields[0], fields[2])
    };
    same(&rules, &reading, &native(MiniShogi::start, &MINISHOGI, ""), &native_reading, 20, 4);
}

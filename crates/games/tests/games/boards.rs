//! Connect Four, Othello, Hex, Domineering and Clobber: the contract, other engines' counts, published values.

use std::collections::HashMap;
use std::sync::Arc;

use plyproof_core::contract::{Contract, check};
use plyproof_core::perft::perft;
use plyproof_core::spec::{Described, Params, Spec};
use plyproof_core::{Game, Outcome, Player, Rng, TextError};
use plyproof_games::clobber::{CLOBBER, Clobber};
use plyproof_games::connect4::{CONNECT4, Connect4};
use plyproof_games::domineering::{DOMINEERING, Domineering};
use plyproof_games::hex::{HEX, Hex};
use plyproof_games::othello::{OTHELLO, Othello};

fn params(described: &Arc<Described>, text: &str) -> Params {
    Params::resolve(described, &Spec::parse(text).expect(text)).expect(text)
}

fn connect4(text: &str) -> Connect4 {
    Connect4::start(&params(&CONNECT4, text))
}

fn othello(text: &str) -> Othello {
    Othello::start(&params(&OTHELLO, text))
}

fn hex(text: &str) -> Hex {
    Hex::start(&params(&HEX, text))
}

fn domineering(text: &str) -> Domineering {
    Domineering::start(&params(&DOMINEERING, text))
}

fn clobber(text: &str) -> Clobber {
    Clobber::start(&params(&CLOBBER, text))
}

fn keeps_the_contract<G: Game>(start: &G) {
    if let Err(broken) = check(start, &Contract::default()) {
        panic!("{broken}");
    }
}

#[test]
fn connect4_keeps_the_contract() {
    let sizes =
        ["width=7", "width=8,height=7", "width=4,height=4", "width=1,height=7", "width=8,height=1", "width=1,height=1"];
    for size in sizes {
        keeps_the_contract(&connect4(&format!("connect4({size})")));
    }
}

#[test]
fn othello_keeps_the_contract() {
    for size in [4, 6, 8] {
        keeps_the_contract(&othello(&format!("othello(size={size})")));
    }
}

#[test]
fn hex_keeps_the_contract() {
    for size in [1, 2, 3, 5, 11, 13] {
        keeps_the_contract(&hex(&format!("hex(size={size})")));
    }
    for size in [1, 2, 3, 4, 11] {
        keeps_the_contract(&hex(&format!("hex(size={size},swap=on)")));
    }
}

#[test]
fn domineering_keeps_the_contract() {
    for size in ["8", "5x4", "8x1", "1x8", "1x1", "3x7"] {
        keeps_the_contract(&domineering(&format!("domineering(size={size})")));
    }
}

#[test]
fn clobber_keeps_the_contract() {
    for size in ["6x5", "8", "1x8", "8x1", "1x1", "3x3"] {
        keeps_the_contract(&clobber(&format!("clobber(size={size})")));
    }
}

/// Counts of OpenSpiel, and for Connect Four of RBG too.
fn counts<G: Game>(start: &G, nodes: &[u64]) {
    for (depth, &nodes) in (1..).zip(nodes) {
        assert_eq!(perft(start, depth).nodes, nodes, "depth {depth}");
    }
}

#[test]
fn connect4_counts_as_other_engines_do() {
    counts(&connect4("connect4"), &[7, 49, 343, 2401, 16807, 117_649, 823_536, 5_673_234]);
}

#[test]
fn othello_counts_as_other_engines_do() {
    counts(&othello("othello"), &[4, 12, 56, 244, 1396, 8200, 55_092, 390_216, 3_005_288]);
}

#[test]
fn hex_counts_as_other_engines_do() {
    counts(&hex("hex(size=7)"), &[49, 2352, 110_544, 5_085_024]);
    counts(&hex("hex(size=11)"), &[121, 14_520, 1_727_880]);
}

#[test]
fn clobber_counts_as_other_engines_do() {
    counts(&clobber("clobber"), &[49, 2116, 80_063, 2_630_382]);
}

/// Points of the first player with best play: the margin where the game has points, else 1, 0 or -1.
fn value<G: Game>(game: &G, seen: &mut HashMap<u64, i32>) -> i32 {
    if let Some(outcome) = game.outcome() {
        return outcome.of(Player::FIRST).value() * i32::from(outcome.margin().max(1));
    }
    if let Some(&known) = seen.get(&game.key()) {
        return known;
    }
    let mut moves = Vec::new();
    game.moves(&mut moves);
    let values = moves.into_iter().map(|m| {
        let mut next = game.clone();
        next.play(m);
        value(&next, seen)
    });
    let best = if game.to_move() == Player::FIRST { values.max() } else { values.min() }.expect("a move");
    seen.insert(game.key(), best);
    best
}

#[test]
fn connect4_on_four_by_four_is_a_draw() {
    assert_eq!(value(&connect4("connect4(width=4,height=4)"), &mut HashMap::new()), 0);
}

#[test]
fn othello_on_four_by_four_is_lost_by_eight() {
    assert_eq!(value(&othello("othello(size=4)"), &mut HashMap::new()), -8);
}

#[test]
fn small_domineering_boards_have_their_published_values() {
    for (size, expected) in [("4x4", 1), ("5x4", 1), ("5x5", -1)] {
        assert_eq!(value(&domineering(&format!("domineering(size={size})")), &mut HashMap::new()), expected, "{size}");
    }
}

#[test]
fn small_clobber_boards_are_won_by_the_first_player() {
    for size in ["3x3", "4x4"] {
        assert_eq!(value(&clobber(&format!("clobber(size={size})")), &mut HashMap::new()), 1, "{size}");
    }
}

#[test]
fn hex_has_as_many_winning_openings_as_published() {
    for (size, openings) in [(2, 2), (3, 5)] {
        let start = hex(&format!("hex(size={size})"));
        let mut moves = Vec::new();
        start.moves(&mut moves);
        let mut seen = HashMap::new();
        let winning = moves.into_iter().filter(|&m| {
            let mut next = start.clone();
            next.play(m);
            value(&next, &mut seen) == 1
        });
        assert_eq!(winning.count(), openings, "{size}");
    }
}

#[test]
fn a_stone_of_hex_is_taken_over_once_and_stands_as_well_for_its_new_owner() {
    let texts = |game: &Hex| {
        let mut moves = Vec::new();
        game.moves(&mut moves);
        moves.into_iter().map(|m| game.move_text(m)).collect::<Vec<_>>()
    };
    let play = |game: &mut Hex, text: &str| game.play(game.parse_move(text).expect(text));
    let mut game = hex("hex(size=4,swap=on)");
    assert!(!texts(&game).contains(&"swap".to_string()), "there is no stone yet");
    play(&mut game, "b3");
    assert_eq!((texts(&game).len(), texts(&game).last().map(String::as_str)), (16, Some("swap")));
    let mut declined = game.clone();
    play(&mut declined, "a1");
    assert!(!texts(&declined).contains(&"swap".to_string()));
    play(&mut game, "swap");
    assert_eq!(game.position_text(), "..../..o./..../.... x");
    assert_eq!(game.key(), game.parse_position(&game.position_text()).expect("a board").key());
    assert_eq!(texts(&game).len(), 15, "nobody takes it back");
    assert!(hex("hex(size=4)").parse_position("x.../..../..../.... o").expect("a board").parse_move("swap").is_err());
}

#[test]
fn with_the_swap_rule_whoever_moves_second_wins_hex() {
    for size in [2, 3] {
        assert_eq!(value(&hex(&format!("hex(size={size},swap=on)")), &mut HashMap::new()), -1, "{size}");
        assert_eq!(value(&hex(&format!("hex(size={size})")), &mut HashMap::new()), 1, "{size}");
    }
}

/// A random board as rows of signs, each sign drawn from `signs`.
fn random_rows(rng: &mut Rng, width: usize, height: usize, signs: &str) -> Vec<Vec<char>> {
    let signs: Vec<char> = signs.chars().collect();
    (0..height).map(|_| (0..width).map(|_| signs[rng.below(signs.len())]).collect()).collect()
}

fn text_of(rows: &[Vec<char>], side: char) -> String {
    let rows: Vec<String> = rows.iter().map(|row| row.iter().collect()).collect();
    format!("{} {side}", rows.join("/"))
}

/// The sign at a place of `rows`, blank off the board.
fn at(rows: &[Vec<char>], x: i32, y: i32) -> char {
    let row = usize::try_from(y).ok().and_then(|y| rows.get(y));
    row.and_then(|row| usize::try_from(x).ok().and_then(|x| row.get(x))).copied().unwrap_or(' ')
}

fn places(rows: &[Vec<char>]) -> impl Iterator<Item = (i32, i32)> + use<> {
    let (width, height) = (rows[0].len() as i32, rows.len() as i32);
    (0..height).flat_map(move |y| (0..width).map(move |x| (x, y)))
}

fn sorted_moves<G: Game>(game: &G) -> Vec<String> {
    let mut moves = Vec::new();
    game.moves(&mut moves);
    let mut texts: Vec<String> = moves.into_iter().map(|m| game.move_text(m)).collect();
    texts.sort();
    texts
}

fn square(x: i32, rank: i32) -> String {
    format!("{}{}", char::from(b'a' + x as u8), rank + 1)
}

#[test]
fn connect4_sees_every_four_and_no_other() {
    let mut rng = Rng::new(11);
    let mut fours = [0; 3];
    for (width, height) in [(8, 7), (7, 6), (4, 7), (8, 4)] {
        let start = connect4(&format!("connect4(width={width},height={height})"));
        for _ in 0..2000 {
            let mut rows = random_rows(&mut rng, width, height, "xo");
            for x in 0..width {
                let stones = rng.below(height + 1);
                rows[..height - stones].iter_mut().for_each(|row| row[x] = '.');
            }
            let has_four = |sign| {
                let row = |x, y, dx, dy| (0..4).all(|i| at(&rows, x + i * dx, y + i * dy) == sign);
                places(&rows).any(|(x, y)| [(1, 0), (0, 1), (1, 1), (1, -1)].iter().any(|&(dx, dy)| row(x, y, dx, dy)))
            };
            let read = start.parse_position(&text_of(&rows, 'x'));
            let full = rows.iter().flatten().all(|&sign| sign != '.');
            match (has_four('x'), has_four('o')) {
                (true, true) => assert!(read.expect_err("two winners").to_string().contains("both sides")),
                (false, false) => assert_eq!(read.expect("a board").outcome(), full.then_some(Outcome::DRAW)),
                (x, _) => {
                    let winner = if x { Player::FIRST } else { Player::SECOND };
                    assert_eq!(read.expect("a board").outcome(), Some(Outcome::win(winner)));
                }
            }
            fours[usize::from(has_four('x')) + usize::from(has_four('o'))] += 1;
        }
    }
    assert!(fours.iter().all(|&count| count > 500), "{fours:?}");
}

#[test]
fn connect4_refuses_stones_in_the_air() {
    let start = connect4("connect4(width=3,height=3)");
    for (text, right) in [("3/3/x1o o", true), ("3/x2/x1o o", true), ("3/x2/2o o", false), ("1x1/3/1o1 x", false)] {
        let read = start.parse_position(text);
        assert_eq!(read.is_ok(), right, "{text}");
        assert!(right || read.expect_err(text).to_string().contains("empty square below"));
    }
}

/// A play-out of one move wins exactly when it draws the column of the waiting three.
#[test]
fn connect4_playouts_draw_every_open_column_equally_often() {
    let mut rng = Rng::new(15);
    // Column d is full, so the six others are one in six each.
    for column in [0, 1, 2, 4, 5, 6] {
        let row = |sign, d| {
            (0..7)
                .map(|x| {
                    if x == column {
                        sign
                    } else if x == 3 {
                        d
                    } else {
                        '.'
                    }
                })
                .collect::<String>()
        };
        let rows = [row('.', 'x'), row('.', 'o'), row('.', 'x'), row('x', 'o'), row('x', 'x'), row('x', 'o')];
        let game = connect4("connect4").parse_position(&format!("{} x", rows.join("/"))).expect("a board");
        let draws = 30_000;
        let wins = (0..draws).filter(|_| game.clone().playout(&mut rng, 1).outcome != Outcome::DRAW).count();
        let z = (wins as f64 - draws as f64 / 6.0) / (draws as f64 * 5.0 / 36.0).sqrt();
        assert!(z.abs() < 4.5, "column {column} was drawn {wins} times of {draws}");
    }
}

#[test]
fn othello_starts_with_four_discs_in_the_middle() {
    for (size, text) in [
        (4, "..../.ox./.xo./.... x"),
        (6, "....../....../..ox../..xo../....../...... x"),
        (8, "......../......../......../...ox.../...xo.../......../......../........ x"),
    ] {
        assert_eq!(othello(&format!("othello(size={size})")).position_text(), text);
    }
    assert_eq!(sorted_moves(&othello("othello")), ["c4", "d3", "e6", "f5"]);
}

#[test]
fn othello_places_where_a_line_of_enemy_discs_is_closed() {
    let mut rng = Rng::new(12);
    for size in [4usize, 6, 8] {
        let start = othello(&format!("othello(size={size})"));
        for signs in [".xo", "..xo", "xxxxxoooooo.", ".xxxxxxo", "oooooox."] {
            for _ in 0..300 {
                let rows = random_rows(&mut rng, size, size, signs);
                // The other end of each line that a disc on the square would close.
                let closed = |x: i32, y: i32, own: char, other: char| {
                    let ways = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy)));
                    let ends = ways.filter_map(|(dx, dy)| {
                        let line = (1..).take_while(|i| at(&rows, x + i * dx, y + i * dy) == other).count() as i32;
                        let end = (x + (line + 1) * dx, y + (line + 1) * dy);
                        (line > 0 && at(&rows, end.0, end.1) == own).then_some((dx, dy, line))
                    });
                    if at(&rows, x, y) == '.' { ends.collect() } else { Vec::new() }
                };
                let legal = |own, other| {
                    let mut legal: Vec<String> = places(&rows)
                        .filter(|&(x, y)| !closed(x, y, own, other).is_empty())
                        .map(|(x, y)| square(x, y))
                        .collect();
                    legal.sort();
                    legal
                };
                let game = start.parse_position(&text_of(&rows, 'x')).expect("a board");
                let count = |sign| rows.iter().flatten().filter(|&&s| s == sign).count() as i16;
                match (legal('x', 'o'), legal('o', 'x')) {
                    (mine, others) if mine.is_empty() && others.is_empty() => {
                        assert_eq!(game.outcome(), Some(Outcome::by_points(count('x') - count('o'))));
                    }
                    (mine, _) if mine.is_empty() => assert_eq!(sorted_moves(&game), ["pass"]),
                    (mine, _) => assert_eq!(sorted_moves(&game), mine),
                }
                for (x, y) in places(&rows).filter(|&(x, y)| !closed(x, y, 'x', 'o').is_empty()) {
                    let mut turned = rows.clone();
                    turned[y as usize][x as usize] = 'x';
                    for (dx, dy, line) in closed(x, y, 'x', 'o') {
                        (1..=line).for_each(|i| turned[(y + i * dy) as usize][(x + i * dx) as usize] = 'x');
                    }
                    let mut next = game.clone();
                    next.play(game.parse_move(&square(x, y)).expect("a placement"));
                    assert_eq!(next.position_text(), text_of(&turned, 'o'));
                }
            }
        }
    }
}

#[test]
fn an_othello_pass_leaves_the_discs_and_changes_the_side() {
    let start = othello("othello(size=4)");
    let mut game = start.parse_position("xo../4/4/4 o").expect("a board");
    assert_eq!(sorted_moves(&game), ["pass"]);
    game.play(game.parse_move("pass").expect("a pass"));
    assert_eq!(game.position_text(), "xo../..../..../.... x");
    game.play(game.parse_move("c1").expect("a placement"));
    assert_eq!(game.outcome(), Some(Outcome::by_points(3)), "nobody can move although squares are empty");
}

#[test]
fn hex_is_won_by_whoever_connects_its_sides() {
    let mut rng = Rng::new(13);
    for size in [1, 2, 3, 4, 7, 11, 13] {
        let start = hex(&format!("hex(size={size})"));
        for signs in ["xo", "xxo", "xoo", "xo.", "xxo."] {
            for _ in 0..200 {
                let rows = random_rows(&mut rng, size, size, signs);
                let last = size as i32 - 1;
                let connects = |sign: char, done: &dyn Fn(i32, i32) -> bool, from: &dyn Fn(i32) -> (i32, i32)| {
                    let mut seen = vec![vec![false; size]; size];
                    let mut open: Vec<(i32, i32)> = (0..=last).map(from).collect();
                    while let Some((x, y)) = open.pop() {
                        if at(&rows, x, y) != sign || std::mem::replace(&mut seen[y as usize][x as usize], true) {
                            continue;
                        }
                        if done(x, y) {
                            return true;
                        }
                        open.extend(
                            [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)].map(|(dx, dy)| (x + dx, y + dy)),
                        );
                    }
                    false
                };
                let first = connects('x', &|_, y| y == last, &|x| (x, 0));
                let second = connects('o', &|x, _| x == last, &|y| (0, y));
                let expected = match (first, second) {
                    (true, false) => Some(Outcome::win(Player::FIRST)),
                    (false, true) => Some(Outcome::win(Player::SECOND)),
                    (false, false) => None,
                    (true, true) => panic!("both sides are connected"),
                };
                let text = text_of(&rows, 'o');
                assert_eq!(start.parse_position(&text).expect("a board").outcome(), expected, "{text}");
                assert!(expected.is_some() || signs.contains('.'), "a full board without a winner: {text}");
            }
        }
    }
}

#[test]
fn a_hex_board_is_drawn_as_a_slanted_one() {
    let game = hex("hex(size=3)").parse_position("x2/1o1/3 x").expect("a board");
    let expected = ["   a b c", " 1  x . .", "  2  . o .", "   3  . . .", "       a b c"];
    assert_eq!(game.board(), expected.join("\n"));
}

#[test]
fn dominoes_fit_wherever_two_squares_are_free() {
    let mut rng = Rng::new(14);
    for (width, height) in [(8, 8), (8, 3), (3, 8), (5, 4), (1, 8), (8, 1)] {
        let start = domineering(&format!("domineering(size={width}x{height})"));
        for (side, dx, dy) in [('x', 0, -1), ('o', 1, 0)] {
            for _ in 0..200 {
                let rows = random_rows(&mut rng, width, height, "..#xo");
                let free = |x, y| at(&rows, x, y) == '.';
                let mut expected: Vec<String> = places(&rows)
                    .filter(|&(x, y)| free(x, y) && free(x + dx, y + dy))
                    .map(|(x, y)| {
                        let rank = height as i32 - 1 - y;
                        square(x, rank) + &square(x + dx, rank - dy)
                    })
                    .collect();
                expected.sort();
                let text = text_of(&rows, side);
                let game = start.parse_position(&text).expect("a board");
                assert_eq!(sorted_moves(&game), expected, "{text}");
                let loser = if side == 'x' { Player::FIRST } else { Player::SECOND };
                assert_eq!(game.outcome(), expected.is_empty().then(|| Outcome::win(loser.other())));
            }
        }
    }
}

#[test]
fn it_does_not_matter_who_placed_a_domino() {
    let start = domineering("domineering(size=3)");
    let read = |text| start.parse_position(text).expect("a board");
    assert_eq!(read("x../x../.oo x").position_text(), "#../#../.## x");
    assert_eq!(read("x../x../.oo x").key(), read("#../#../.## x").key());
}

#[test]
fn clobber_starts_in_chessboard_colours_with_a1_first() {
    assert_eq!(clobber("clobber").position_text(), "xoxoxo/oxoxox/xoxoxo/oxoxox/xoxoxo x");
    let mut game = clobber("clobber(size=2)");
    assert_eq!(sorted_moves(&game), ["a1a2", "a1b1", "b2a2", "b2b1"]);
    game.play(game.parse_move("a1b1").expect("a step"));
    assert_eq!(game.position_text(), "ox/.x o");
}

#[test]
fn clobber_stones_take_their_enemy_neighbours() {
    let mut rng = Rng::new(16);
    for (width, height) in [(8, 8), (8, 3), (3, 8), (6, 5), (1, 8), (8, 1)] {
        let start = clobber(&format!("clobber(size={width}x{height})"));
        for (side, enemy, loser) in [('x', 'o', Player::FIRST), ('o', 'x', Player::SECOND)] {
            for _ in 0..200 {
                let rows = random_rows(&mut rng, width, height, "...xo");
                let name = |x, y| square(x, height as i32 - 1 - y);
                let mut expected = Vec::new();
                for (x, y) in places(&rows).filter(|&(x, y)| at(&rows, x, y) == side) {
                    let near = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)];
                    let taken = near.into_iter().filter(|&(x, y)| at(&rows, x, y) == enemy);
                    expected.extend(taken.map(|(to_x, to_y)| name(x, y) + &name(to_x, to_y)));
                }
                expected.sort();
                let text = text_of(&rows, side);
                let game = start.parse_position(&text).expect("a board");
                assert_eq!(sorted_moves(&game), expected, "{text}");
                assert_eq!(game.outcome(), expected.is_empty().then(|| Outcome::win(loser.other())));
            }
        }
    }
}

/// What every game makes of text that is not a position of it.
fn refuses<G: Game>(start: &G, text: &str) {
    let errors: [Option<TextError>; 2] = [start.parse_position(text).err(), start.parse_move(text).err()];
    for error in errors {
        let message = error.expect("refused").to_string();
        assert!(message.len() < 500 && !message.contains('\n'), "{message}");
    }
}

#[test]
fn what_is_no_position_is_refused_in_one_short_line() {
    let with_pass = |board: &str| format!("{board} x pass");
    let long = 10_000_000;
    let mut texts = vec!["x".repeat(long), " ".repeat(long), "/".repeat(long), "9".repeat(long), ". ".repeat(long / 2)];
    texts.extend(["", "x", " x", "\u{0} x", "é/é x", "pass"].map(String::from));
    texts.extend([
        with_pass("7/7/7/7/7/7"),
        with_pass("8/8/8/8/8/8/8/8"),
        with_pass("6/6/6/6/6"),
        with_pass(&["11"; 11].join("/")),
    ]);
    for text in &texts {
        refuses(&connect4("connect4"), text);
        refuses(&othello("othello"), text);
        refuses(&hex("hex"), text);
        refuses(&domineering("domineering"), text);
        refuses(&clobber("clobber"), text);
    }
}

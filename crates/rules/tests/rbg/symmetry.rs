//! Symmetries found in rules: which there are, that a single rule, piece or edge takes them away, and that they change no
//! value.

use std::sync::atomic::AtomicBool;

use plyproof_core::contract::Contract;
use plyproof_core::search::{Agent, Aim, Budget, Searcher, SolveTask};
use plyproof_core::{Game, Wdl};
use plyproof_rules::rbg::Visitor;

use super::{Check, loaded, own};

struct Count;

impl Visitor for Count {
    type Output = usize;

    fn visit<G: Game>(self, start: G) -> usize {
        start.symmetries()
    }
}

/// The number of symmetries of some rules, which keep the contract.
fn symmetries(text: &str) -> usize {
    let rules = loaded(text);
    let contract = Contract { games: 2, draws: 4, playouts: 20, ply_limit: 60, ..Contract::default() };
    if let Err(violation) = rules.start(Check(contract)) {
        panic!("{violation}\n{text}");
    }
    rules.start(Count)
}

/// One of our games with some text replaced.
fn changed(name: &str, changes: &[(&str, &str)]) -> String {
    changes.iter().fold(own(name), |text, (old, new)| {
        assert!(text.contains(old), "{name} has no {old}");
        text.replacen(old, new, 1)
    })
}

#[test]
fn boards_are_turned_and_mirrored_where_the_rules_allow_it() {
    let found = |name: &str| symmetries(&own(name));
    assert_eq!(found("three-in-a-row.rbg"), 8);
    assert_eq!(found("pawns.rbg"), 2);
    assert_eq!(found("drop.rbg"), 2);
    assert_eq!(found("hexagon.rbg"), 2);
    assert_eq!(found("cube.rbg"), 48);
}

#[test]
fn one_rule_takes_symmetries_away() {
    let lines = |changes: &[(&str, &str)]| symmetries(&changed("three-in-a-row.rbg", changes));
    // One diagonal; one diagonal and the columns.
    let (diagonal, rows) = ((" + reach(north east; south west; piece)", ""), (" + reach(west; east; piece)", ""));
    assert_eq!(lines(&[diagonal]), 4);
    assert_eq!(lines(&[diagonal, rows]), 2);
    // Stones go only where there is a cell at a knight's leap.
    let place = "anywhere {none} ->>";
    assert_eq!(lines(&[(place, "anywhere {none} {? north north west} ->>")]), 1);
    // Two places of three count for one of the players.
    assert_eq!(lines(&[("[$ me = 100, opponent = 0] ->> {}", "{? north west} [$ me = 100, opponent = 0] ->> {}")]), 2);
    // Pawns may also step aside to the left.
    let ahead = ("ahead ({empty}", "(left {empty} + ahead {empty}) ({empty}");
    assert_eq!(symmetries(&changed("pawns.rbg", &[ahead])), 1);
}

#[test]
fn one_piece_takes_symmetries_away() {
    let three =
        |line: &str| symmetries(&changed("three-in-a-row.rbg", &[("line line line", &format!("{line} line line"))]));
    assert_eq!(three("[x, none, none]"), 2);
    assert_eq!(three("[none, x, none]"), 2);
    assert_eq!(three("[x, o, none]"), 1);
}

#[test]
fn one_edge_takes_symmetries_away() {
    let board = |more: &str, last: &str| {
        format!(
            "#players = a(100), b(100)\n#pieces = e, x\n#variables =\n\
             #board = p [e] {{r: q{more}}} q [e] {{r: s, l: p}} s [e] {{r: t, l: q}} t [e] {{l: s{last}}}\n\
             #turn(me; other) = ->me (r* + l*) {{e}} [x] ->> [$ me = 100] [$ other = 0]\n\
             #rules = (turn(a; b) turn(b; a))*"
        )
    };
    assert_eq!(symmetries(&board("", "")), 2);
    assert_eq!(symmetries(&board(", l: q", "")), 1);
    assert_eq!(symmetries(&board(", l: t", ", r: p")), 8);
}

#[test]
fn the_keeper_takes_the_first_way_and_that_is_no_symmetry() {
    let game = |keeper: &str| {
        format!(
            "#players = a(100), b(100)\n#pieces = e, x, y\n#variables =\n\
             #board = rectangle(up, down, left, right, [e, e, e, e] [e, e, e, e])\n\
             #all = (up* + down*)(left* + right*)\n\
             #turn(me; other) = ->me all {{e}} [x] ->> {keeper} [$ me = 100] [$ other = 0]\n\
             #rules = (turn(a; b) turn(b; a))*"
        )
    };
    assert_eq!(symmetries(&game(".")), 4);
    // The first of all stones, the first one of a column, the one at the end of a column.
    assert_eq!(symmetries(&game("all {x} [y]")), 1);
    assert_eq!(symmetries(&game("(up* + down*) {x} [y]")), 2);
    assert_eq!(symmetries(&game("(up {x})* {! up {x}} [y]")), 2);
    // One neighbour before the other.
    let one = |first: &str, second: &str| {
        format!(
            "({{? {first} {{x}}}} {first} [y] + {{? {second} {{x}}}} {second} [y] + {{! {first} {{x}}}} {{! {second} {{x}}}})"
        )
    };
    assert_eq!(symmetries(&game(&one("left", "right"))), 2);
    assert_eq!(symmetries(&game(&one("up", "down"))), 2);
}

struct Value<'a>(&'a str);

impl Visitor for Value<'_> {
    type Output = (Option<Wdl>, u64);

    fn visit<G: Game>(self, start: G) -> Self::Output {
        let agent = Agent::parse(self.0).expect("an agent");
        let budget = Budget::default();
        let task = SolveTask { agent: &agent, aim: Aim::Value, all_moves: false, proofs: false, budget, seed: 1 };
        let solution = Searcher::new().solve(&task, &start, &AtomicBool::new(false), &mut |_| {});
        (solution.bounds.value(), solution.nodes)
    }
}

#[test]
fn symmetries_change_no_value_and_spare_nodes() {
    let narrow = [(", pawn~color, pawn~color, pawn~color]", "]"), (", empty, empty, empty]", "]")];
    let games = [
        own("three-in-a-row.rbg"),
        own("hexagon.rbg"),
        changed("pawns.rbg", &narrow),
        changed("three-in-a-row.rbg", &[("line line line", "line line line line")]),
    ];
    let (mut with, mut without) = (0, 0);
    for text in games {
        for solver in ["df-pn", "alpha-beta"] {
            let rules = loaded(&text);
            let (value, nodes) = rules.start(Value(solver));
            let (plain, all) = rules.start(Value(&format!("{solver}(symmetry=off)")));
            assert!(value.is_some() && value == plain, "{value:?} and {plain:?}\n{text}");
            (with, without) = (with + nodes, without + all);
        }
    }
    assert!(with * 3 < without * 2, "{with} nodes with symmetries, {without} without");
}

//! Our own small games, which cover the language.

use std::path::Path;

use plyproof_core::contract::Contract;
use plyproof_core::perft::perft;
use plyproof_core::spec::{Description, Params, Spec};
use plyproof_core::{Game, Outcome, Player};
use plyproof_games::hex::{HEX, Hex};
use plyproof_games::in_a_row::{InARow, TICTACTOE};
use plyproof_rules::gdl::{Rules, Visitor, load};

use super::{Check, files};

fn own(name: &str) -> Rules {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    load(&text).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn our_games_keep_the_contract() {
    for path in files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")) {
        let rules = load(&std::fs::read_to_string(&path).expect("a rules file")).expect("rules");
        // One file asks for "no fact of this kind" in the short way.
        let expected = usize::from(path.ends_with("frames.kif"));
        assert_eq!(rules.warnings().len(), expected, "{}: {:?}", path.display(), rules.warnings());
        let contract = Contract { games: 6, draws: 20, playouts: 300, ply_limit: 200, ..Contract::default() };
        match rules.start(Check(contract)) {
            Ok(kept) => assert!(kept.positions > 10, "{}: {kept:?}", path.display()),
            Err(violation) => panic!("{}: {violation}", path.display()),
        }
    }
}

/// Lines of play of each length up to `depth`.
struct Counts(u32);

impl Visitor for Counts {
    type Output = Vec<u64>;

    fn visit<G: Game>(self, start: G) -> Vec<u64> {
        (1..=self.0).map(|depth| perft(&start, depth).nodes).collect()
    }
}

fn native<G: Game>(start: fn(&Params) -> G, description: &Description, parameters: &str, depth: u32) -> Vec<u64> {
    let spec = Spec::parse(&format!("{}({parameters})", description.name)).expect("a spec");
    Counts(depth).visit(start(&Params::resolve(description, &spec).expect("parameters")))
}

#[test]
fn lines_of_play_are_those_of_the_native_games() {
    assert_eq!(own("line.kif").start(Counts(7)), native(InARow::tictactoe, &TICTACTOE, "", 7));
    assert_eq!(own("frames.kif").start(Counts(7)), native(InARow::tictactoe, &TICTACTOE, "", 7));
    assert_eq!(own("paths.kif").start(Counts(8)), native(Hex::start, &HEX, "size=3", 8));
}

/// The result of a game played by picking moves by their texts, and the texts of positions.
struct Play<'a>(&'a [&'a str]);

impl Visitor for Play<'_> {
    type Output = (String, Player, Option<Outcome>, bool);

    fn visit<G: Game>(self, mut game: G) -> Self::Output {
        for text in self.0 {
            let m = game.parse_move(text).unwrap_or_else(|error| panic!("{error}, at {}", game.position_text()));
            game.play(m);
        }
        (game.position_text(), game.to_move(), game.outcome(), game.may_repeat())
    }
}

#[test]
fn positions_are_their_facts_and_moves_are_terms() {
    let (text, mover, outcome, _) = own("line.kif").start(Play(&["put(2,2)", "(put 1 3)"]));
    let board = "cell(1,1,empty) cell(1,2,empty) cell(1,3,o) cell(2,1,empty) cell(2,2,x) cell(2,3,empty)";
    assert_eq!(text, format!("{board} cell(3,1,empty) cell(3,2,empty) cell(3,3,empty) turn(cross)"));
    assert_eq!((mover, outcome), (Player::FIRST, None));
    let all = ["put(1,1)", "put(1,2)", "put(2,1)", "put(2,2)", "put(3,1)"];
    assert_eq!(own("line.kif").start(Play(&all)).2, Some(Outcome::win(Player::FIRST)));
}

/// A position read from a text of any form.
struct Reads<'a>(&'a str);

impl Visitor for Reads<'_> {
    type Output = Result<String, String>;

    fn visit<G: Game>(self, start: G) -> Self::Output {
        start.parse_position(self.0).map(|read| read.position_text()).map_err(|error| error.to_string())
    }
}

#[test]
fn positions_are_read_as_terms_and_as_lists() {
    let read = |name: &str, text: &str| own(name).start(Reads(text));
    assert_eq!(read("points.kif", "(on b) (free 13)\n(free 3)"), Ok("free(13) free(3) on(b)".to_string()));
    assert_eq!(
        read("points.kif", "on(b) free(4)"),
        Err("\"free(4)\" is not a fact of this game: expected facts such as free(1) free(13) free(2) free(3) free(5)"
            .into())
    );
    // A position without the counter that shows that none comes back would break that promise.
    assert_eq!(
        read("twice.kif", "to(left) stone(4)"),
        Err(
            "\"to(left) stone(4)\" is not a position of this game: expected exactly one fact from count(0) to count(5)"
                .into()
        )
    );
}

#[test]
fn a_role_moves_twice_in_a_row_where_the_rules_say_so() {
    let (text, mover, ..) = own("twice.kif").start(Play(&["take(2)"]));
    assert_eq!(mover, Player::FIRST, "{text}");
    let (text, mover, outcome, may_repeat) = own("twice.kif").start(Play(&["take(2)", "take(1)"]));
    assert_eq!((mover, outcome, may_repeat), (Player::SECOND, None, false), "{text}");
    assert!(own("points.kif").start(Play(&[])).3);
}

#[test]
fn goals_that_are_more_than_signs_of_a_win_are_points() {
    // The last number is taken without a choice.
    let (_, _, outcome, _) = own("points.kif").start(Play(&["pick(13)", "pick(8)", "pick(5)", "pick(3)", "pick(1)"]));
    assert_eq!(outcome, Some(Outcome::by_points(13 + 5 + 1 - 8 - 3 - 2)));
}

#[test]
fn a_file_says_its_title_and_its_players() {
    let rules = own("twice.kif");
    assert_eq!(rules.players(), ["left", "right"]);
    let title = "Whoever takes the middle of three stones moves once more; no base, no input, roles in capitals";
    assert_eq!(rules.title(), Some(title));
    assert_eq!(own("points.kif").title(), Some("Six numbers: the sum of what a role has taken are its points"));
}

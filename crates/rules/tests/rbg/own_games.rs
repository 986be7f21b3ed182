//! Our own small games, which cover the language.

use std::path::Path;

use plyproof_core::contract::Contract;
use plyproof_core::perft::perft;
use plyproof_core::spec::{Description, Params};
use plyproof_core::{Game, Player};
use plyproof_games::connect4::{CONNECT4, Connect4};
use plyproof_games::hex::{HEX, Hex};
use plyproof_games::in_a_row::{InARow, TICTACTOE};
use plyproof_games::through::{BREAKTHROUGH, Through};
use plyproof_rules::rbg::{Layout, Visitor, load};

use super::{Check, Counts, files, loaded, own};

#[test]
fn our_games_keep_the_contract() {
    for path in files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")) {
        let rules = loaded(&std::fs::read_to_string(&path).expect("a rules file"));
        let contract = Contract { games: 6, draws: 20, playouts: 300, ply_limit: 200, ..Contract::default() };
        match rules.start(Check(contract)) {
            Ok(kept) => assert!(kept.positions > 10, "{}: {kept:?}", path.display()),
            Err(violation) => panic!("{}: {violation}", path.display()),
        }
    }
}

fn native<G: Game>(start: fn(&Params) -> G, description: &Description, parameters: &str, depth: u32) -> Vec<u64> {
    let spec = plyproof_core::spec::Spec::parse(&format!("{}({parameters})", description.name)).expect("a spec");
    let start = start(&Params::resolve(description, &spec).expect("parameters"));
    (1..=depth).map(|depth| perft(&start, depth).nodes).collect()
}

#[test]
fn lines_of_play_are_those_of_the_native_games() {
    let counts = |name: &str, depth| loaded(&own(name)).start(Counts(depth));
    assert_eq!(counts("three-in-a-row.rbg", 7), native(InARow::tictactoe, &TICTACTOE, "", 7));
    assert_eq!(counts("drop.rbg", 6), native(Connect4::start, &CONNECT4, "", 6));
    assert_eq!(counts("hexagon.rbg", 9), native(Hex::start, &HEX, "size=3", 9));
    assert_eq!(counts("pawns.rbg", 5), native(Through::breakthrough, &BREAKTHROUGH, "size=5x5", 5));
}

/// The result of a game played by picking moves by their texts.
struct Play<'a>(&'a [&'a str]);

impl Visitor for Play<'_> {
    type Output = (String, Option<Option<Player>>);

    fn visit<G: Game>(self, mut game: G) -> Self::Output {
        for text in self.0 {
            let m = game.parse_move(text).unwrap_or_else(|error| panic!("{error}, at {}", game.position_text()));
            game.play(m);
        }
        (game.position_text(), game.outcome().map(|outcome| outcome.winner()))
    }
}

#[test]
fn a_move_is_its_cells_and_a_number_where_the_cell_does_not_tell() {
    let play = |name: &str, moves: &[&str]| loaded(&own(name)).start(Play(moves));
    let (text, winner) = play("three-in-a-row.rbg", &["rx1y1", "rx0y0", "rx2y0", "rx0y1", "rx0y2"]);
    assert_eq!((text.as_str(), winner), ("o.x/ox./x.. end first=100,second=0", Some(Some(Player::FIRST))));
    let (text, winner) = play("pawns.rbg", &["rx0y3-rx0y2", "rx1y1-rx0y2"]);
    assert_eq!(winner, None);
    assert!(text.starts_with("BBBBB/B.BBB/B..../.wwww/wwwww".to_lowercase().as_str()) || text.contains("/"), "{text}");
}

#[test]
fn a_position_is_read_with_its_variables_and_cell() {
    let rules = loaded(&own("choice.rbg"));
    let (text, _) = rules.start(Play(&[]));
    assert!(text.ends_with("w=0,b=0,quiet=1"), "{text}");
}

#[test]
fn macros_without_parameters_can_be_replaced() {
    let text = own("three-in-a-row.rbg");
    let four = ("line".to_string(), "[none, none, none, none]".to_string());
    let rules = load(&text, &[four]).expect("rules");
    assert_eq!(rules.board().cells.len(), 12);
    assert_eq!(rules.start(Counts(2)), [12, 132]);
    assert_eq!(rules.constants()[0], ("line".to_string(), "[none, none, none, none]".to_string()));
    assert_eq!(rules.title(), Some("Tic-tac-toe, by a board of n lines"));
}

#[test]
fn parts_of_the_rules_are_no_parameters() {
    let text = "#players = a(1), b(1)\n#pieces = e, x\n#variables =\n#n = 3\n#goal = x\n#row = [e, e]\n#kinds = e, x\n\
        #board = rectangle(u, d, l, r, row row)\n#all = (u* + d*)(l* + r*)\n#put = [goal]\n#turn = all {e} put\n\
        #rules = (->a turn ->b turn)*";
    let names: Vec<String> = loaded(text).constants().iter().map(|constant| constant.0.clone()).collect();
    assert_eq!(names, ["n", "goal", "row"]);
}

#[test]
fn boards_say_how_to_draw_them() {
    let board = |name: &str| loaded(&own(name)).board().clone();
    let places = |name: &str| -> Vec<(String, f32, f32)> {
        board(name).cells.into_iter().map(|cell| (cell.name, cell.x, cell.y)).collect()
    };
    assert_eq!(board("hexagon.rbg").layout, Layout::Hexagon);
    let hexagon = places("hexagon.rbg");
    assert_eq!(hexagon[0], ("hx0y0".to_string(), 1.0, 0.0));
    assert_eq!(hexagon[1], ("hx0y1".to_string(), 0.5, 1.0));
    assert_eq!(hexagon[8], ("hx0y4".to_string(), 1.0, 4.0));
    assert_eq!(board("cube.rbg").cells.len(), 26);
    assert_eq!(places("pits.rbg").len(), 6);
    assert_eq!(board("pits.rbg").layout, Layout::Graph);
}

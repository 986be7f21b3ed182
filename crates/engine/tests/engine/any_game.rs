//! A game whose type is not known plays like the game inside.

use plyproof_core::TreeGame;
use plyproof_engine::{
    AnyGame, BranchingTally, Choices, Described, Description, Facts, Outcome, Params, Perft, Player, Registry, Rng,
    erase,
};

static TREE: Description = Description::new(|| Described::new("tree", "Tree", "A game spelled as a tree.").into());

fn tree(text: &str) -> Box<dyn AnyGame> {
    erase(Params::defaults(&TREE), 1, TreeGame::parse(text).expect("a tree"))
}

#[test]
fn an_erased_game_plays_like_the_game_inside() {
    let mut game = tree("1[2[+ -] 2[= 1[+ -]]]");
    let copy = game.clone();
    assert_eq!((game.name().as_str(), game.players(), game.to_move()), ("tree", 2, Player::FIRST));
    assert_eq!(game.legal_moves(), ["a", "b"]);
    game.play("b").expect("legal");
    assert!(game.play("c").is_err());
    assert_eq!((game.position_text().as_str(), game.outcome()), ("2[= 1[+ -]]", None));
    game.play("a").expect("legal");
    assert_eq!((game.outcome(), game.legal_moves().len()), (Some(Outcome::DRAW), 0));
    assert_eq!(copy.position_text(), "1[2[+ -] 2[= 1[+ -]]]", "playing must leave copies alone");
    assert_eq!(copy.parse_position("2[= 1[+ -]]").expect("a tree").legal_moves(), ["a", "b"]);
    assert!(copy.parse_position("2[").is_err());
}

#[test]
fn moves_that_win_at_once_are_counted_for_the_player_who_makes_them() {
    assert_eq!(tree("1[+ - = 2[+]]").choices(), Choices { moves: 4, wins: 1 });
    assert_eq!(tree("2[+ - -]").choices(), Choices { moves: 3, wins: 2 });
    assert_eq!(tree("+").choices(), Choices::default());
    let hex = Registry::builtin().open("hex(size=3)").expect("a game");
    assert_eq!(hex.facts(), Facts { symmetries: 2, may_repeat: false, may_draw: false });
    assert_eq!(hex.own_move("b2").expect("legal"), "b2");
}

#[test]
fn perft_counts_are_those_of_the_game_inside_and_divide_adds_up() {
    let game = tree("1[2[+ -] 2[= 1[+ -]]]");
    assert_eq!(game.perft(2), Perft { nodes: 4, terminal: 3 });
    let one = |text: &str, nodes, terminal| (text.to_string(), Perft { nodes, terminal });
    assert_eq!(game.perft_divide(2), [one("a", 2, 2), one("b", 2, 1)]);
    assert!(game.perft_divide(0).is_empty());
}

#[test]
fn playouts_are_tallied_by_winner() {
    let mut rng = Rng::new(1);
    let won = tree("1[2[+] 2[+]]").measure_playouts(&mut rng, 50);
    assert_eq!((won.playouts, won.plies, won.wins[0], won.wins[1], won.draws), (50, 100, 50, 0, 0));
    let mixed = tree("1[+ = -]").measure_playouts(&mut rng, 3000);
    assert_eq!(mixed.wins[0] + mixed.draws + mixed.wins[1], 3000);
    assert!([mixed.wins[0], mixed.draws, mixed.wins[1]].iter().all(|n| (900..1100).contains(n)), "{mixed:?}");
    assert_eq!(mixed.cut, 0);
    let mut sum = won;
    sum.add(&mixed);
    assert_eq!((sum.playouts, sum.plies, sum.wins[0]), (3050, 3100, 50 + mixed.wins[0]));
}

#[test]
fn branching_is_the_mean_over_unfinished_positions() {
    let tally = tree("1[2[+ - -] 2[+ - -]]").measure_branching(&mut Rng::new(1), 10);
    assert_eq!(tally, BranchingTally { positions: 20, moves: 50 });
}

#[test]
fn a_notation_that_is_not_known_is_refused_by_name() {
    let error = tree("1[+ -]").move_in("usi", "a").expect_err("no notation").to_string();
    assert_eq!(error, "tree has no notation but its own");
    assert!(tree("1[+ -]").move_in("usi", "z").is_err());
}

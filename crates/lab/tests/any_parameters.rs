//! Every game of the list under parameters drawn from all that it allows.

use plyproof_core::contract::{Contract, check};
use plyproof_core::spec::{Described, Kind, Params, Spec};
use plyproof_core::{Game, Rng};
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
use plyproof_lab::{AnyGame, entries, open};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner};

/// Runs one case of the contract for a game with these parameters.
type Check = fn(&Params, &Contract) -> Result<(), String>;

fn held<G: Game>(start: &G, contract: &Contract) -> Result<(), String> {
    check(start, contract).map(|_| ()).map_err(|broken| broken.to_string())
}

/// The games with their types, which the registry hides.
const TYPED: &[(&Described, Check)] = &[
    (&LOA, |params, contract| {
        if params.whole("size") > 8 {
            held(&Loa::<u128>::start(params), contract)
        } else {
            held(&Loa::<u64>::start(params), contract)
        }
    }),
    (&AWARI, |params, contract| held(&Awari::start(params), contract)),
    (&MINISHOGI, |params, contract| held(&MiniShogi::start(params), contract)),
    (&GOMOKU, |params, contract| held(&InARow::gomoku(params), contract)),
    (&KNIGHTTHROUGH, |params, contract| held(&Through::knightthrough(params), contract)),
    (&TICTACTOE, |params, contract| held(&InARow::tictactoe(params), contract)),
    (&MNK, |params, contract| held(&InARow::mnk(params), contract)),
    (&CONNECT4, |params, contract| held(&Connect4::start(params), contract)),
    (&BREAKTHROUGH, |params, contract| held(&Through::breakthrough(params), contract)),
    (&HEX, |params, contract| held(&Hex::start(params), contract)),
    (&OTHELLO, |params, contract| held(&Othello::start(params), contract)),
    (&DOMINEERING, |params, contract| held(&Domineering::start(params), contract)),
    (&CLOBBER, |params, contract| held(&Clobber::start(params), contract)),
];

/// A game with each parameter given some allowed value, as text.
fn any_spec(described: &'static Described) -> BoxedStrategy<String> {
    let values: Vec<BoxedStrategy<String>> =
        described.parameters.iter().map(|parameter| any(&parameter.kind)).collect();
    let names = described.parameters.iter().map(|parameter| parameter.name);
    let names: Vec<&str> = names.collect();
    values
        .prop_map(move |values| {
            let given: Vec<String> = names.iter().zip(values).map(|(name, value)| format!("{name}={value}")).collect();
            format!("{}({})", described.name, given.join(","))
        })
        .boxed()
}

fn any(kind: &Kind) -> BoxedStrategy<String> {
    match *kind {
        Kind::Whole(least, most) => (least..=most).prop_map(|number| number.to_string()).boxed(),
        Kind::Choice(words) => select(words).prop_map(str::to_string).boxed(),
        Kind::Board { least, most } => {
            (least.0..=most.0, least.1..=most.1).prop_map(|(width, height)| format!("{width}x{height}")).boxed()
        }
        Kind::Real(..) | Kind::Count(..) | Kind::Text => panic!("no game has such a parameter so far"),
    }
}

/// The same cases every time: a test of chance that fails once in a million runs is no use to anybody.
fn run<S: Strategy>(cases: u32, strategy: S, case: impl Fn(S::Value) -> Result<(), String>) {
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 100, ..Config::default() };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let result = TestRunner::new_with_rng(config, rng).run(&strategy, |value| case(value).map_err(TestCaseError::fail));
    match result {
        Ok(()) => {}
        Err(TestError::Fail(why, value)) => panic!("{why}\nwith {value:?}"),
        Err(error) => panic!("{error}"),
    }
}

fn params(described: &'static Described, spec: &str) -> Result<Params, String> {
    let spec = Spec::parse(spec).map_err(|error| error.to_string())?;
    Params::resolve(described, &spec).map_err(|error| error.to_string())
}

#[test]
fn the_contract_is_tested_for_every_game_of_the_list() {
    let typed: Vec<&str> = TYPED.iter().map(|(described, _)| described.name).collect();
    let listed: Vec<&str> = entries().map(|entry| entry.described.name).collect();
    assert_eq!(typed, listed);
}

#[test]
fn every_game_keeps_the_contract_whatever_its_parameters() {
    for &(described, check) in TYPED {
        let cases = if described.parameters.is_empty() { 1 } else { 8 };
        run(cases, (any_spec(described), 0..u64::MAX), |(spec, seed)| {
            let contract = Contract { seed, games: 1, draws: 20, playouts: 100, ..Contract::default() };
            check(&params(described, &spec)?, &contract)
        });
    }
}

#[test]
fn a_name_with_any_allowed_parameters_opens_and_prints_back_as_one_that_means_the_same() {
    for entry in entries() {
        run(20, any_spec(entry.described), |spec| {
            let game = open(&spec).map_err(|error| error.to_string())?;
            let again = open(&game.name()).map_err(|error| error.to_string())?;
            let same = again.name() == game.name() && again.position_text() == game.position_text();
            if same && game.name().len() <= spec.len() { Ok(()) } else { Err(format!("{} is not {spec}", game.name())) }
        });
    }
}

/// The same position text with the other side to move.
fn other_side(text: &str) -> Option<String> {
    let (board, rest) = text.split_once(' ')?;
    let (side, rest) = rest.split_at(1);
    let other = match side {
        "x" => "o",
        "o" => "x",
        "1" => "2",
        "2" => "1",
        "b" => "w",
        "w" => "b",
        _ => return None,
    };
    Some(format!("{board} {other}{rest}"))
}

/// Compares the keys of the positions of random games with those of the same boards and the other side to move.
fn keys_tell_the_side(start: &dyn AnyGame, seed: u64) -> Result<u32, String> {
    let (mut game, mut rng, mut compared) = (start.clone_box(), Rng::new(seed), 0);
    for _ in 0..60 {
        let text = game.position_text();
        let turned = other_side(&text).ok_or_else(|| format!("no side to move in {text:?}"))?;
        // Not every board is possible with either side to move: a king may not be left in check.
        if let Ok(other) = start.parse_position(&turned) {
            compared += 1;
            if other.key() == game.key() {
                return Err(format!("{text} and {turned} have the same key"));
            }
            if other.outcome().is_none() && game.outcome().is_none() && other.to_move() == game.to_move() {
                return Err(format!("the same player moves at {text} and {turned}"));
            }
        }
        let moves = game.legal_moves();
        if moves.is_empty() {
            break;
        }
        game.play(&moves[rng.below(moves.len())]).map_err(|error| error.to_string())?;
    }
    Ok(compared)
}

#[test]
fn the_key_tells_who_is_to_move_in_every_game() {
    for entry in entries() {
        let start = entry.open_default();
        let compared: Result<u32, String> = (0..10).map(|seed| keys_tell_the_side(&*start, seed)).sum();
        let compared = compared.unwrap_or_else(|why| panic!("{}: {why}", entry.described.name));
        assert!(compared >= 50, "{}: {compared} positions compared", entry.described.name);
        run(5, (any_spec(entry.described), 0..u64::MAX), |(spec, seed)| {
            let start = open(&spec).map_err(|error| error.to_string())?;
            keys_tell_the_side(&*start, seed).map(|_| ()).map_err(|why| format!("{spec}: {why}"))
        });
    }
}

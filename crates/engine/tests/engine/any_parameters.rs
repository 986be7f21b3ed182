//! Every game of the list under parameters drawn from all that it allows.

use plyproof_engine::{AnyGame, Contract, Described, Kind, Registry, Rng};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner};

/// A game with each parameter given some allowed value, as text.
fn any_spec(described: &Described) -> BoxedStrategy<String> {
    let values: Vec<BoxedStrategy<String>> =
        described.parameters.iter().map(|parameter| any(&parameter.kind)).collect();
    let names: Vec<String> = described.parameters.iter().map(|parameter| parameter.name.to_string()).collect();
    let game = described.name.to_string();
    values
        .prop_map(move |values| {
            let given: Vec<String> = names.iter().zip(values).map(|(name, value)| format!("{name}={value}")).collect();
            format!("{game}({})", given.join(","))
        })
        .boxed()
}

fn any(kind: &Kind) -> BoxedStrategy<String> {
    match kind {
        &Kind::Whole(least, most) => (least..=most).prop_map(|number| number.to_string()).boxed(),
        Kind::Choice(words) => select(words.clone()).boxed(),
        &Kind::Board { least, most } => {
            (least.0..=most.0, least.1..=most.1).prop_map(|(width, height)| format!("{width}x{height}")).boxed()
        }
        Kind::Real(..) | Kind::Count(..) | Kind::Text | Kind::Phrase => {
            panic!("no game has such a parameter so far")
        }
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

#[test]
fn every_game_keeps_the_contract_whatever_its_parameters() {
    let registry = Registry::builtin();
    for entry in registry.entries() {
        let cases = if entry.described().parameters.is_empty() { 1 } else { 8 };
        run(cases, (any_spec(entry.described()), 0..u64::MAX), |(spec, seed)| {
            let contract = Contract { seed, games: 1, draws: 20, playouts: 100, ..Contract::default() };
            registry.open(&spec).map_err(|error| error.to_string())?.check_contract(&contract).map(|_| ())
        });
    }
}

#[test]
fn a_name_with_any_allowed_parameters_opens_and_prints_back_as_one_that_means_the_same() {
    let registry = Registry::builtin();
    for entry in registry.entries() {
        run(20, any_spec(entry.described()), |spec| {
            let game = registry.open(&spec).map_err(|error| error.to_string())?;
            let again = registry.open(&game.name()).map_err(|error| error.to_string())?;
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
    let registry = Registry::builtin();
    for entry in registry.entries() {
        let start = entry.open_default().expect("the default parameters");
        let compared: Result<u32, String> = (0..10).map(|seed| keys_tell_the_side(&*start, seed)).sum();
        let compared = compared.unwrap_or_else(|why| panic!("{}: {why}", entry.described().name));
        assert!(compared >= 50, "{}: {compared} positions compared", entry.described().name);
        run(5, (any_spec(entry.described()), 0..u64::MAX), |(spec, seed)| {
            let start = registry.open(&spec).map_err(|error| error.to_string())?;
            keys_tell_the_side(&*start, seed).map(|_| ()).map_err(|why| format!("{spec}: {why}"))
        });
    }
}

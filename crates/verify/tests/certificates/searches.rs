//! Searches on graphs with circles: nothing they call proven is wrong, of the position or of any of its moves.

use plyproof_core::search::{Agent, Budget, Report, Searcher};
use plyproof_core::{Game, Rng, Wdl};
use plyproof_games::through::{KNIGHTTHROUGH, Through};

use crate::games::opened;
use crate::graph_game::GraphGame;

fn run(agent: &str, start: &GraphGame, simulations: u64) -> Report<u8> {
    let budget = Budget { memory: Some(1 << 20), ..Budget::simulations(simulations) };
    Searcher::new().run(&Agent::parse(agent).expect(agent), start, &budget, 1)
}

/// The value of a position for the player to move at `start`, by exhaustive search.
fn value(start: &GraphGame, at: &GraphGame) -> Wdl {
    let value = run("minimax", at, 1_000_000).bounds.value().expect("a small graph");
    let same = at.outcome().is_some() || at.to_move() == start.to_move();
    match at.outcome() {
        Some(outcome) => outcome.of(start.to_move()),
        None if same => value,
        None => value.flip(),
    }
}

/// How many positions were decided, and how many of them drawn.
fn check(agent: &str, simulations: u64, games: usize) -> (usize, usize) {
    let (mut rng, mut decided, mut drawn) = (Rng::new(5), 0, 0);
    for _ in 0..games {
        let start = GraphGame::random(&mut rng);
        let report = run(agent, &start, simulations);
        let truth = value(&start, &start);
        assert!(report.bounds.least <= truth && truth <= report.bounds.most, "{start:?}: {truth:?}, {report:?}");
        for told in &report.moves {
            let truth = value(&start, &start.at(told.m.into()));
            assert!(told.bounds.least <= truth && truth <= told.bounds.most, "{start:?}: {truth:?}, {told:?}");
        }
        if report.bounds.value().is_some() {
            (decided, drawn) = (decided + 1, drawn + usize::from(truth == Wdl::Draw));
            let best = report.best.expect("a move");
            assert_eq!(value(&start, &start.at(best.into())), truth, "{start:?}: {best} gives the value away");
        }
    }
    (decided, drawn)
}

#[test]
fn df_pn_is_right_about_every_move_though_a_search_may_come_back_to_the_start() {
    let (decided, drawn) = check("df-pn", 100_000, 20_000);
    assert!(decided == 20_000 && drawn > 5000, "{decided} decided, {drawn} drawn");
}

#[test]
fn the_default_agent_proves_draws_by_endless_play() {
    // Play-outs go round until they are cut, so few games must do.
    for agent in ["plyproof(prove=0.3)", "plyproof(pn=0,solver=off,prove=0.3)"] {
        let (decided, drawn) = check(agent, 5000, 20);
        assert!(decided == 20 && drawn > 2, "{agent}: {decided} decided, {drawn} drawn");
    }
    let (decided, _) = check("plyproof(prove=off)", 5000, 20);
    assert!(decided < 20, "without df-pn some are out of reach");
}

#[test]
fn what_df_pn_costs_is_counted_and_the_same_seed_gives_the_same_report() {
    let start = opened(&KNIGHTTHROUGH, "knightthrough", Through::knightthrough);
    let agent = Agent::parse("plyproof(prove=0.3)").expect("an agent");
    let search = |simulations| Searcher::new().run(&agent, &start, &Budget::simulations(simulations), 1);
    for simulations in [4000, 9000, 9001] {
        let report = search(simulations);
        assert_eq!(report.simulations, simulations);
        assert!(report.table.is_some_and(|table| table.filled > 50), "{:?}", report.table);
        // Each play-out went through one move; the rest was df-pn's, and no more than its share and what was begun.
        let played: u64 = report.moves.iter().map(|m| m.visits).sum();
        assert!(played < simulations && played * 2 > simulations, "{played} of {simulations}");
        let again = search(simulations);
        assert_eq!((report.best, report.moves, report.table), (again.best, again.moves, again.table));
    }
}

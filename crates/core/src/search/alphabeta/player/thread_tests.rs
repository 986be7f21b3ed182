//! Several threads of the playing search: what they prove is compared with exhaustive search, and what they count and
//! take with their budgets.

use std::cell::Cell;
use std::sync::Arc;

use super::threads::{bytes_of_helper, helpers};
use crate::evaluation::{Evaluator, Judge, Logit};
use crate::game::Game;
use crate::rng::{Rng, mix64};
use crate::search::{Agent, Budget, Report, Searcher, Stopped};
use crate::tree_game::TreeGame;

/// Makes a thread lose its turn now and then.
pub(super) fn disturb() {
    thread_local!(static COUNT: Cell<u64> = const { Cell::new(0) });
    let count = COUNT.get().wrapping_add(1);
    COUNT.set(count);
    if mix64(count).is_multiple_of(16) {
        std::thread::yield_now();
    }
}

/// Judges positions by chance, often as if they were certainly won or lost.
struct Chance;

impl Evaluator<TreeGame> for Chance {
    fn judge(&self) -> Box<dyn Judge<TreeGame>> {
        Box::new(Self)
    }

    fn name(&self) -> &str {
        "chance"
    }
}

impl Judge<TreeGame> for Chance {
    fn value(&mut self, position: &TreeGame, _depth: usize) -> Logit {
        let chance = mix64(position.key());
        Logit::new([Logit::LARGEST, -Logit::LARGEST, 300, -300][chance as usize % 4])
    }
}

fn search(agent: &str, start: &TreeGame, judged: bool, budget: &Budget) -> Report<u16> {
    let mut searcher = Searcher::new();
    searcher.set_evaluator(judged.then(|| Arc::new(Chance) as Arc<dyn Evaluator<TreeGame>>));
    searcher.run(&Agent::parse(agent).expect(agent), start, budget, 1)
}

#[test]
fn any_number_of_threads_finds_the_value_of_every_tree() {
    for seed in 0..50 {
        let start = TreeGame::random(&mut Rng::new(seed), 8, 4, seed % 2 == 0);
        let exact = search("minimax", &start, false, &Budget::default());
        for (index, threads) in [1, 2, 4, 8].into_iter().enumerate() {
            let judged = (seed as usize + index).is_multiple_of(2);
            let budget = Budget { threads, memory: Some(16 << 20), ..Budget::default() };
            let found = search("alpha-beta", &start, judged, &budget);
            assert_eq!(found.bounds, exact.bounds, "{threads} threads, seed {seed}");
            for m in &found.moves {
                let truth = exact.moves.iter().find(|other| other.m == m.m).expect("a move").bounds;
                assert!(m.bounds.least <= truth.least && truth.most <= m.bounds.most, "{threads}, {seed}: {m:?}");
            }
        }
    }
}

#[test]
fn what_threads_say_before_they_are_done_is_so() {
    let mut proven = 0;
    for seed in 0..80 {
        let start = TreeGame::random(&mut Rng::new(seed), 9, 4, true);
        let value = search("minimax", &start, false, &Budget::default()).bounds;
        let budget = Budget { threads: 2 + seed as usize % 7, memory: Some(16 << 20), ..Budget::simulations(400) };
        let found = search("alpha-beta", &start, seed % 3 != 0, &budget).bounds;
        assert!(found.least <= value.least && value.most <= found.most, "seed {seed}: {found:?} and {value:?}");
        proven += u32::from(found.value().is_some());
    }
    assert!(proven > 25, "{proven}");
}

#[test]
fn simulations_count_the_steps_of_all_threads() {
    let start = TreeGame::random(&mut Rng::new(6), 14, 3, true);
    let mut exact = 0;
    for (simulations, threads) in [(0, 2), (1, 8), (7, 4), (100, 3), (1000, 2), (3000, 8), (20_000, 4)] {
        let budget = Budget { threads, memory: Some(64 << 20), ..Budget::simulations(simulations) };
        let report = search("alpha-beta", &start, true, &budget);
        assert!(report.simulations <= simulations, "{simulations}: {}", report.simulations);
        if report.stopped == Some(Stopped::Simulations) {
            assert_eq!(report.simulations, simulations);
            exact += 1;
        }
        assert!(report.best.is_some());
    }
    assert!(exact > 3, "{exact}");
}

#[test]
fn only_threads_that_have_room_are_started() {
    let start = TreeGame::random(&mut Rng::new(1), 3, 3, true);
    let each = bytes_of_helper(&start);
    assert_eq!([0, 4 * each - 1, 4 * each, 12 * each, 1 << 30].map(|bytes| helpers(&start, 4, bytes)), [0, 0, 1, 3, 3]);
    assert_eq!([0, 1].map(|threads| helpers(&start, threads, 1 << 30)), [0, 0]);
}

//! What only shows inside: searches that go on where they were stopped, and what they leave in the table.

use std::sync::atomic::AtomicBool;

use super::*;
use crate::outcome::{Player, Wdl};
use crate::rng::Rng;
use crate::search::proof::ProofNumbers;
use crate::search::{Budget, minimax};
use crate::tree_game::TreeGame;

fn config() -> AlphaBeta {
    AlphaBeta::DEFAULT
}

/// The exact value for the first player.
fn exact(game: &TreeGame) -> Wdl {
    let value =
        minimax::search(game, &Budget::default(), &AtomicBool::new(false)).bounds.value().expect("a small tree");
    if game.to_move() == Player::FIRST { value } else { value.flip() }
}

/// Every question about wins and draws, with its answer for a value of the first player.
fn questions(value: Wdl) -> [(Goal, bool); 4] {
    let goal = |player, least| Goal { least, ..Goal::win(player) };
    [
        (goal(Player::FIRST, Wdl::Win), value == Wdl::Win),
        (goal(Player::FIRST, Wdl::Draw), value >= Wdl::Draw),
        (goal(Player::SECOND, Wdl::Win), value == Wdl::Loss),
        (goal(Player::SECOND, Wdl::Draw), value <= Wdl::Draw),
    ]
}

#[test]
fn every_question_is_answered_rightly_in_any_order_with_one_table() {
    for seed in 0..2000 {
        let game = TreeGame::random(&mut Rng::new(seed), 7, 5, seed % 2 == 0);
        if game.outcome().is_some() {
            continue;
        }
        let mut solver = Solver::new();
        solver.reset(if seed % 3 == 0 { 0 } else { 1 << 20 });
        let (budget, stop) = (Budget::default(), AtomicBool::new(false));
        let mut asked = questions(exact(&game));
        asked.rotate_left(seed as usize % 4);
        for (goal, reached) in asked {
            let mut meter = Meter::new(&budget, &stop);
            let answer = solver.solve(config(), &game, goal, &mut meter, &mut |_, _| {});
            assert_eq!(
                (answer.numbers.is_proven(), answer.numbers.is_disproven()),
                (reached, !reached),
                "{seed} {goal:?}"
            );
            assert_eq!(answer.stopped, Stopped::Proven);
        }
    }
}

#[test]
fn a_search_that_is_stopped_again_and_again_goes_on_with_its_table() {
    let mut stops = 0;
    for seed in 0..300 {
        let game = TreeGame::random(&mut Rng::new(seed), 9, 4, true);
        if game.outcome().is_some() {
            continue;
        }
        let mut solver = Solver::new();
        solver.reset(1 << 20);
        for (goal, reached) in questions(exact(&game)) {
            let stop = AtomicBool::new(false);
            // More each time: what is on the path when it is stopped is searched again.
            let numbers = (1..).find_map(|nodes| {
                let budget = Budget::simulations(nodes);
                let mut meter = Meter::new(&budget, &stop);
                let answer = solver.solve(config(), &game, goal, &mut meter, &mut |_, _| {});
                stops += u32::from(answer.stopped == Stopped::Simulations);
                answer.numbers.is_decided().then_some(answer.numbers)
            });
            assert_eq!(numbers.map(ProofNumbers::is_proven), Some(reached), "{seed} {goal:?}");
        }
    }
    assert!(stops > 1000, "{stops}");
}

#[test]
fn a_move_that_is_said_to_decide_does() {
    for seed in 0..500 {
        let game = TreeGame::random(&mut Rng::new(seed), 6, 5, true);
        if game.outcome().is_some() {
            continue;
        }
        let mut solver = Solver::new();
        solver.reset(0);
        let (budget, stop) = (Budget::default(), AtomicBool::new(false));
        for (goal, _) in questions(Wdl::Draw) {
            let mut meter = Meter::new(&budget, &stop);
            let answer = solver.solve(config(), &game, goal, &mut meter, &mut |_, _| {});
            for &(m, numbers) in answer.moves.iter().filter(|(_, numbers)| numbers.is_decided()) {
                let mut next = game.clone();
                next.play(m);
                let value = match next.outcome() {
                    Some(outcome) => outcome.of(Player::FIRST),
                    None => exact(&next),
                };
                let own = if goal.player == Player::FIRST { value } else { value.flip() };
                assert_eq!(numbers.is_proven(), own >= goal.least, "{seed} {goal:?} {m}");
            }
            let mine = goal.player == game.to_move();
            if answer.numbers.is_proven() && mine {
                assert!(answer.moves.iter().any(|(_, numbers)| numbers.is_proven()), "a winning move is named");
            }
        }
    }
}

//! Solvers with a table as agents: the value of a position and of its moves from at most two questions, as a report.

use std::sync::atomic::AtomicBool;

use crate::game::Game;
use crate::outcome::Wdl;
use crate::search::budget::{Budget, Meter, Stopped};
use crate::search::certify;
use crate::search::proof::{ProofNumber, ProofNumbers};
use crate::search::prover::Prover;
use crate::search::questions::Questions;
use crate::search::report::{Bounds, MoveReport, Report, competition_ranks};
use crate::search::solve::Aim;
use crate::search::without_search;

/// Expansions spent on filling gaps in the expected line.
const LINE_STEPS: u64 = 20_000;

/// The value of `start` for the player to move, by up to two goals.
pub(crate) fn search<G: Game>(
    solver: &mut dyn Prover<G>,
    start: &G,
    budget: &Budget,
    stop: &AtomicBool,
    observer: &mut dyn FnMut(&Report<G::Move>),
) -> Report<G::Move> {
    let mut meter = Meter::new(budget, stop);
    solver.reset(budget.memory.unwrap_or(Budget::MEMORY));
    let mover = start.to_move();
    let mut report = Report { bounds: Bounds::OPEN, ..without_search(None, &meter, Stopped::Simulations) };
    let questions = Questions::about(start);
    while let Some(goal) = questions.next(Aim::Value, report.bounds) {
        let seen = |numbers: ProofNumbers| questions.answer(goal, numbers);
        let says = |numbers: ProofNumbers| questions.meaning(goal, numbers);
        let answer = solver.solve(start, questions.asked(goal), &mut meter, &mut |meter, heard| {
            let open = without_search(None, meter, Stopped::Cancelled);
            observer(&Report {
                numbers: Some(seen(heard.numbers.unwrap_or(ProofNumbers::UNKNOWN))),
                simulations: meter.done(),
                nodes: meter.done(),
                stopped: None,
                ..open
            });
        });
        report.stopped = Some(answer.stopped);
        (report.bytes, report.table) = (answer.bytes, Some(answer.usage));
        let numbers = seen(answer.numbers);
        report.bounds = report.bounds.and(says(numbers));
        let moves = answer.moves.iter().map(|&(m, numbers)| (m, seen(numbers)));
        if goal.player == mover {
            report.numbers = Some(numbers);
            report.moves = moves.map(|(m, numbers)| move_report(start, m, numbers, says(numbers))).collect();
        } else {
            for (m, (_, numbers)) in report.moves.iter_mut().zip(moves) {
                m.bounds = m.bounds.and(says(numbers));
            }
        }
        if answer.stopped != Stopped::Proven || !numbers.is_decided() {
            break;
        }
    }
    let keys: Vec<_> = report.moves.iter().map(|m| m.numbers.map_or(ProofNumber::ONE, |numbers| numbers.pn)).collect();
    for (m, rank) in report.moves.iter_mut().zip(competition_ranks(&keys)) {
        m.rank = Some(rank);
    }
    report.moves.sort_by_key(|m| (std::cmp::Reverse(m.bounds.least), std::cmp::Reverse(m.bounds.most), m.rank));
    (report.simulations, report.nodes) = (meter.done(), meter.done());
    let steps = Budget { time: budget.time, ..Budget::simulations(LINE_STEPS) };
    let goals = questions.provable(report.bounds, None);
    // The move that is reported as good is the one to play, even if the table now knows another. A loser resists.
    let mut from = start.clone();
    if report.bounds.most > Wdl::Loss {
        report.line.extend(report.moves.first().map(|m| m.m));
        report.line.iter().for_each(|&m| from.play(m));
    }
    report.line.extend(certify::line(solver, questions, &goals, &from, &mut Meter::new(&steps, stop)));
    report.best = report.line.first().copied().or(report.moves.first().map(|m| m.m));
    report.elapsed = meter.elapsed();
    report
}

/// The report of a move, with what its numbers say about it.
fn move_report<G: Game>(start: &G, m: G::Move, numbers: ProofNumbers, says: Bounds) -> MoveReport<G::Move> {
    let mut next = start.clone();
    next.play(m);
    let ended = next.outcome().map(|outcome| Bounds::exactly(outcome.of(start.to_move())));
    let bounds = ended.unwrap_or(says);
    MoveReport {
        m,
        visits: 0,
        mean: 0.0,
        at_most: false,
        numbers: Some(numbers),
        rank: None,
        bounds,
        terms: None,
        next: false,
    }
}

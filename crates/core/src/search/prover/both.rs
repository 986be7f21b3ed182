//! df-pn and alpha-beta together: neither is the better solver for every position, and nobody knows beforehand.
//!
//! With one thread they search in turns, with budgets that double: the faster one then finishes after at most about twice
//! the work of both turns before. With several threads alpha-beta has one and df-pn the others. Each keeps its own table
//! between the turns. In games with repetitions alpha-beta forgets too much, and df-pn searches alone.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

use super::{Prover, WithAlphaBeta, WithDfpn};
use crate::game::Game;
use crate::search::budget::{Budget, Meter, Stopped};
use crate::search::dfpn::{Answer, ByKey};
use crate::search::proof::{Goal, ProofNumbers};
use crate::search::table::TableUse;

/// Steps of the first turn of each solver, and of the longest turn beside other threads, which must look up now and then.
const FIRST_TURN: u64 = 20_000;
const LONGEST_TURN: u64 = 100_000;

/// Both solvers with their settings, and who found the last answer.
pub(crate) struct Both<'a, G: Game> {
    pub dfpn: WithDfpn<'a, G>,
    pub alpha_beta: WithAlphaBeta<'a, G>,
    pub found_by: Option<&'static str>,
}

impl<G: Game> Both<'_, G> {
    /// One turn of a solver, counted.
    fn turn(
        solver: &mut dyn Prover<G>,
        steps: u64,
        start: &G,
        goal: Goal,
        meter: &mut Meter<'_>,
        notice: &mut dyn FnMut(ProofNumbers, &Meter<'_>, TableUse),
        threads: usize,
    ) -> Answer<G::Move> {
        let part = Budget { threads, ..meter.part(steps) };
        let before = meter.done();
        let mut inner = Meter::new(&part, meter.stop_flag());
        let answer = solver.solve(start, goal, &mut inner, &mut |numbers, inner, usage| {
            // Whoever watches wants to hear of all steps.
            meter.count_to(before + inner.done());
            notice(numbers, meter, usage);
        });
        meter.count_to(before + inner.done());
        answer
    }

    fn in_turns(
        &mut self,
        start: &G,
        goal: Goal,
        meter: &mut Meter<'_>,
        notice: &mut dyn FnMut(ProofNumbers, &Meter<'_>, TableUse),
    ) -> Answer<G::Move> {
        let mut steps = FIRST_TURN;
        loop {
            let first = Self::turn(&mut self.alpha_beta, steps, start, goal, meter, notice, 1);
            if first.stopped == Stopped::Memory {
                // The path of alpha-beta takes more than its half of the memory; that of df-pn may not.
                return with_table_of(self.by_dfpn(start, goal, meter, notice), &first);
            }
            if first.numbers.is_decided() || !may_go_on(&first, meter) {
                self.found_by = first.numbers.is_decided().then_some("alpha-beta");
                return first;
            }
            let second = Self::turn(&mut self.dfpn, steps, start, goal, meter, notice, 1);
            if second.numbers.is_decided() || !may_go_on(&second, meter) {
                self.found_by = second.numbers.is_decided().then_some("df-pn");
                return with_table_of(second, &first);
            }
            steps *= 2;
        }
    }

    fn by_dfpn(
        &mut self,
        start: &G,
        goal: Goal,
        meter: &mut Meter<'_>,
        notice: &mut dyn FnMut(ProofNumbers, &Meter<'_>, TableUse),
    ) -> Answer<G::Move> {
        let answer = self.dfpn.solve(start, goal, meter, notice);
        self.found_by = answer.numbers.is_decided().then_some("df-pn");
        answer
    }

    fn side_by_side(
        &mut self,
        start: &G,
        goal: Goal,
        meter: &mut Meter<'_>,
        notice: &mut dyn FnMut(ProofNumbers, &Meter<'_>, TableUse),
    ) -> Answer<G::Move> {
        let Self { dfpn, alpha_beta, found_by } = self;
        let threads = meter.budget().threads;
        let (halt, ready) = (AtomicBool::new(false), AtomicBool::new(false));
        let (mut one, other) = thread::scope(|scope| {
            let work = || {
                let budget = Budget::default();
                let mut meter = Meter::new(&budget, &halt);
                let answer = alpha_beta.solve(start, goal, &mut meter, &mut |_, _, _| {});
                ready.store(answer.numbers.is_decided(), Relaxed);
                (answer, meter.done())
            };
            let helper = thread::Builder::new().spawn_scoped(scope, work).ok();
            let mut steps = FIRST_TURN;
            let one = loop {
                let answer = Self::turn(dfpn, steps, start, goal, meter, notice, threads - 1);
                if answer.numbers.is_decided() || !may_go_on(&answer, meter) || ready.load(Relaxed) {
                    break answer;
                }
                steps = (2 * steps).min(LONGEST_TURN * threads as u64);
            };
            halt.store(true, Relaxed);
            (one, helper.and_then(|helper| helper.join().ok()))
        });
        if one.numbers.is_decided() {
            *found_by = Some("df-pn");
        }
        if let Some((other, steps)) = other {
            meter.add(steps);
            if other.numbers.is_decided() && !one.numbers.is_decided() {
                *found_by = Some("alpha-beta");
                return with_table_of(other, &one);
            }
            one = with_table_of(one, &other);
        }
        one
    }
}

/// Whether a solver stopped only because its turn was over.
fn may_go_on<M>(answer: &Answer<M>, meter: &Meter<'_>) -> bool {
    answer.stopped == Stopped::Simulations && meter.steps_left() > 0
}

/// The answer with the tables of both solvers counted.
fn with_table_of<M>(mut answer: Answer<M>, other: &Answer<M>) -> Answer<M> {
    let TableUse { capacity, filled, lookups, hits, replaced } = other.usage;
    let usage = &mut answer.usage;
    usage.capacity += capacity;
    usage.filled += filled;
    usage.lookups += lookups;
    usage.hits += hits;
    usage.replaced += replaced;
    answer.bytes += other.bytes;
    answer
}

impl<G: Game> Prover<G> for Both<'_, G> {
    fn reset(&mut self, bytes: usize) {
        self.dfpn.reset(bytes / 2);
        self.alpha_beta.reset(bytes / 2);
    }

    fn solve(
        &mut self,
        start: &G,
        goal: Goal,
        meter: &mut Meter<'_>,
        notice: &mut dyn FnMut(ProofNumbers, &Meter<'_>, TableUse),
    ) -> Answer<G::Move> {
        self.found_by = None;
        if start.may_repeat() {
            return self.by_dfpn(start, goal, meter, notice);
        }
        // Side by side the steps of a solver cannot be limited to the last one.
        if meter.budget().threads > 1 && meter.budget().simulations.is_none() {
            self.side_by_side(start, goal, meter, notice)
        } else {
            self.in_turns(start, goal, meter, notice)
        }
    }

    fn find(&mut self, state: &G, goal: Goal) -> Option<(ProofNumbers, u32)> {
        let found = self.dfpn.find(state, goal);
        if state.may_repeat() || found.is_some_and(|(numbers, _)| numbers.is_decided()) {
            return found;
        }
        self.alpha_beta.find(state, goal)
    }

    fn deciding_move(&mut self, state: &G, goal: Goal) -> Option<G::Move> {
        if state.may_repeat() { None } else { self.alpha_beta.deciding_move(state, goal) }
    }

    fn key(&self, state: &G) -> u64 {
        self.dfpn.key(state)
    }

    fn is_symmetric(&self) -> bool {
        self.dfpn.is_symmetric()
    }

    fn has_knowledge(&self) -> bool {
        self.dfpn.has_knowledge()
    }

    fn settled(&mut self) -> &mut ByKey<bool> {
        self.dfpn.settled()
    }

    fn found_by(&self) -> Option<&'static str> {
        self.found_by
    }
}

//! df-pn and alpha-beta together: neither is the better solver for every position, and nobody knows beforehand.
//!
//! With one thread they search in turns, with budgets that double: the faster one then finishes after at most about twice
//! the work of both turns before. With several threads alpha-beta has half of them and df-pn the others, and who is done first
//! stops the other. Each keeps its own table between the turns. In games with repetitions alpha-beta forgets too much, and df-pn searches alone.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

use super::{Heard, Notice, Prover, WithAlphaBeta, WithDfpn};
use crate::game::Game;
use crate::search::budget::{Budget, Meter, Stopped};
use crate::search::dfpn::{Answer, ByKey};
use crate::search::proof::{Goal, ProofNumbers};
use crate::search::saved::{self, Loader, MOST, Saver};
use crate::search::table::{Table, TableUse};
use crate::search::{alphabeta, dfpn};

/// Steps of the first turn of each solver.
const FIRST_TURN: u64 = 32_000;

/// The solvers in the order of their turns.
pub(crate) const SOLVERS: [&str; 2] = ["alpha-beta", "df-pn"];

/// Whose turn it is at a question that is not answered yet, and the steps that each solver has made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Turns {
    /// The position, by its key, and the goal that was asked for last, unless it is answered.
    open: Option<(u64, Goal)>,
    /// Steps of this turn, and how many of them are left.
    steps: u64,
    left: u64,
    /// Whether it is df-pn's.
    second: bool,
    /// Steps made so far: by alpha-beta, and by df-pn.
    pub made: [u64; 2],
}

impl Turns {
    fn begin(&mut self, key: u64, goal: Goal) {
        if self.open != Some((key, goal)) {
            let (steps, left, open) = (FIRST_TURN, FIRST_TURN, Some((key, goal)));
            *self = Self { open, steps, left, second: false, made: self.made };
        }
    }

    fn end(&mut self) {
        if self.second {
            self.steps = self.steps.saturating_mul(2);
        }
        (self.left, self.second) = (self.steps, !self.second);
    }

    /// Only df-pn goes on.
    fn leave_to_dfpn(&mut self) {
        (self.steps, self.left, self.second) = (u64::MAX, u64::MAX, true);
    }

    fn save(&self, to: &mut Saver<'_>) -> saved::Result<()> {
        to.word(self.open.is_some().into())?;
        if let Some((key, goal)) = self.open {
            to.word(key)?;
            to.goal(goal)?;
        }
        to.words([self.steps, self.left, self.second.into(), self.made[0], self.made[1]])
    }

    fn restore(from: &mut Loader<'_>) -> saved::Result<Self> {
        let open = if from.flag()? { Some((from.word()?, from.goal()?)) } else { None };
        let (steps, left, second) = (from.word()?, from.word()?, from.flag()?);
        Ok(Self { open, steps, left, second, made: [from.at_most(MOST)?, from.at_most(MOST)?] })
    }
}

/// Both solvers with their settings, and who found the last answer.
pub(crate) struct Both<'a, G: Game> {
    pub dfpn: WithDfpn<'a, G>,
    pub alpha_beta: WithAlphaBeta<'a, G>,
    pub turns: &'a mut Turns,
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
        notice: &mut Notice<'_>,
    ) -> Answer<G::Move> {
        let part = meter.part(steps);
        let before = meter.done();
        let mut inner = Meter::new(&part, meter.stop_flag());
        let answer = solver.solve(start, goal, &mut inner, &mut |inner, heard| {
            // Whoever watches wants to hear of all steps.
            meter.count_to(before + inner.done());
            notice(meter, heard);
        });
        meter.count_to(before + inner.done());
        answer
    }

    /// Lets alpha-beta look into the table of df-pn.
    fn lend(&mut self, start: &G, goal: Goal) -> Option<Arc<Table>> {
        if !alphabeta::Solver::has_plain_keys(start, goal) {
            return None;
        }
        let table = Arc::new(std::mem::take(&mut self.dfpn.0.table));
        self.alpha_beta.0.beside = Some(dfpn::reader(Arc::clone(&table), goal).into());
        Some(table)
    }

    fn take_back(&mut self, lent: Option<Arc<Table>>) {
        self.alpha_beta.0.beside = None;
        if let Some(table) = lent.and_then(Arc::into_inner) {
            self.dfpn.0.table = table;
        }
    }

    fn in_turns(&mut self, start: &G, goal: Goal, meter: &mut Meter<'_>, notice: &mut Notice<'_>) -> Answer<G::Move> {
        self.turns.begin(start.key(), goal);
        // Those of df-pn are shown while alpha-beta has its turn.
        let mut numbers = None;
        loop {
            let (left, second, before) = (self.turns.left, self.turns.second, meter.done());
            let other = if second { self.alpha_beta.used() } else { self.dfpn.used() };
            let lent = if second { None } else { self.lend(start, goal) };
            let solver: &mut dyn Prover<G> = if second { &mut self.dfpn } else { &mut self.alpha_beta };
            let (name, turn) = (SOLVERS[usize::from(second)], self.turns.steps);
            let mut heard = |meter: &Meter<'_>, heard: Heard| {
                numbers = heard.numbers.or(numbers);
                let usage = heard.usage.plus(other.1);
                notice(meter, Heard { numbers, usage, solver: Some(name), turn: Some(turn) });
            };
            let mut answer = Self::turn(solver, left, start, goal, meter, &mut heard);
            self.take_back(lent);
            let made = meter.done() - before;
            self.turns.made[usize::from(second)] += made;
            self.turns.left = left.saturating_sub(made);
            if answer.numbers.is_decided() {
                self.found_by = Some(name);
                self.turns.open = None;
            } else if answer.stopped == Stopped::Memory && !second {
                // The path of alpha-beta takes more than its half of the memory; that of df-pn may not.
                self.turns.leave_to_dfpn();
                continue;
            } else if may_go_on(&answer, meter) {
                self.turns.end();
                continue;
            }
            if second {
                (answer.bytes, answer.usage) = self.tables();
            }
            return answer;
        }
    }

    /// Bytes of both tables in use, and how they did together.
    fn tables(&self) -> (usize, TableUse) {
        let ((bytes, usage), (more, other)) = (self.dfpn.0.used(), self.alpha_beta.0.used());
        (bytes + more, usage.plus(other))
    }

    fn by_dfpn(&mut self, start: &G, goal: Goal, meter: &mut Meter<'_>, notice: &mut Notice<'_>) -> Answer<G::Move> {
        let before = meter.done();
        let answer = self.dfpn.solve(start, goal, meter, notice);
        self.turns.made[1] += meter.done() - before;
        self.found_by = answer.numbers.is_decided().then_some(SOLVERS[1]);
        answer
    }

    fn side_by_side(
        &mut self,
        start: &G,
        goal: Goal,
        meter: &mut Meter<'_>,
        notice: &mut Notice<'_>,
    ) -> Answer<G::Move> {
        let Self { dfpn, alpha_beta, turns, .. } = self;
        let threads = meter.budget().threads;
        let (halt, ready) = (AtomicBool::new(false), AtomicBool::new(false));
        let before = meter.done();
        let (mut one, other) = thread::scope(|scope| {
            let work = || {
                let budget = Budget { threads: threads / 2, ..Budget::default() };
                let mut meter = Meter::new(&budget, &halt);
                let answer = alpha_beta.solve(start, goal, &mut meter, &mut |_, _| {});
                ready.store(answer.numbers.is_decided(), Relaxed);
                (answer, meter.done())
            };
            let helper = thread::Builder::new().spawn_scoped(scope, work).ok();
            // The solver that is done first stops the other one.
            let part = Budget { threads: threads - threads / 2, ..meter.part(u64::MAX / 2) };
            let mut inner = Meter::new(&part, meter.stop_flag()).or_when(&ready);
            let one = dfpn.solve(start, goal, &mut inner, &mut |inner, heard| {
                meter.count_to(before + inner.done());
                notice(meter, heard);
            });
            meter.count_to(before + inner.done());
            halt.store(true, Relaxed);
            (one, helper.and_then(|helper| helper.join().ok()))
        });
        turns.made[1] += meter.done() - before;
        self.found_by = one.numbers.is_decided().then_some(SOLVERS[1]);
        if let Some((other, steps)) = other {
            meter.add(steps);
            self.turns.made[0] += steps;
            if other.numbers.is_decided() && !one.numbers.is_decided() {
                self.found_by = Some(SOLVERS[0]);
                one = other;
            }
        }
        (one.bytes, one.usage) = self.tables();
        one
    }
}

/// Whether a solver stopped only because its turn was over.
fn may_go_on<M>(answer: &Answer<M>, meter: &Meter<'_>) -> bool {
    answer.stopped == Stopped::Simulations && meter.steps_left() > 0
}

impl<G: Game> Prover<G> for Both<'_, G> {
    fn reset(&mut self, bytes: usize) {
        self.dfpn.reset(bytes / 2);
        self.alpha_beta.reset(bytes / 2);
        *self.turns = Turns::default();
    }

    fn save(&self, to: &mut Saver<'_>) -> saved::Result<()> {
        self.turns.save(to)?;
        self.dfpn.save(to)?;
        self.alpha_beta.save(to)
    }

    fn used(&self) -> (usize, TableUse) {
        self.tables()
    }

    fn restore(&mut self, start: &G, from: &mut Loader<'_>) -> saved::Result<()> {
        *self.turns = Turns::restore(from)?;
        self.dfpn.restore(start, from)?;
        self.alpha_beta.restore(start, from)
    }

    fn solve(&mut self, start: &G, goal: Goal, meter: &mut Meter<'_>, notice: &mut Notice<'_>) -> Answer<G::Move> {
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

    fn is_symmetric(&self, start: &G) -> bool {
        self.dfpn.is_symmetric(start)
    }

    fn has_knowledge(&self) -> bool {
        self.dfpn.has_knowledge()
    }

    fn settled(&mut self) -> &mut ByKey<bool> {
        self.dfpn.settled()
    }

    fn made(&self) -> Vec<(&'static str, u64)> {
        SOLVERS.into_iter().zip(self.turns.made).collect()
    }

    fn found_by(&self) -> Option<&'static str> {
        self.found_by
    }
}

//! The solver's share of a playing search: it finds draws, and values too deep for a search by depth.

use super::{DEEPEST, JUDGED_SHARE, LINE_STEPS, SHARE, Search, TURN};
use crate::game::Game;
use crate::search::alphabeta::{AlphaBeta, Solver};
use crate::search::budget::{Meter, Stopped};
use crate::search::certify;
use crate::search::proof::ProofNumbers;
use crate::search::prover::{Prover, WithAlphaBeta};
use crate::search::questions::Questions;
use crate::search::report::Report;
use crate::search::solve::Aim;

/// The solver and its share of the steps.
pub(super) struct Share<'a, G: Game> {
    prover: WithAlphaBeta<'a, G>,
    questions: Questions,
    /// Steps that it has made, and the count at which it makes more.
    steps: u64,
    pub due: u64,
    /// One step in so many is the solver's.
    one_in: u64,
    /// Bytes of its table.
    pub bytes: usize,
}

impl<'a, G: Game> Share<'a, G> {
    /// `prove` is the share of the steps, from 0 to 1, if it is given.
    pub(super) fn new(
        solver: &'a mut Solver<G>,
        config: AlphaBeta,
        bytes: usize,
        start: &G,
        judged: bool,
        prove: Option<f64>,
    ) -> Self {
        let mut prover = WithAlphaBeta(solver, config);
        prover.reset(bytes);
        let one_in = match judged {
            false => SHARE,
            true if start.may_repeat() => u64::MAX,
            // One step in no time is none.
            true => prove.map_or(JUDGED_SHARE, |share| (1.0 / share) as u64),
        };
        let due = if one_in == u64::MAX { u64::MAX } else { 0 };
        Self { prover, questions: Questions::about(start), steps: 0, due, one_in, bytes: 0 }
    }

    /// The steps of a turn after so many steps of the search.
    pub(super) fn turn(&self, done: u64) -> u64 {
        (done / self.one_in.max(1)).saturating_sub(self.steps).max(TURN)
    }

    /// The steps of a turn once the solver searches alone.
    pub(super) fn turn_alone(&self) -> u64 {
        self.steps.max(TURN)
    }
}

impl<G: Game> Search<'_, G> {
    /// Some steps of the solver on the question that is open.
    #[cold]
    pub(super) fn solver_turn(&mut self, steps: u64) {
        let Some(share) = &mut self.share else { return };
        let Some(goal) = share.questions.next(Aim::Value, self.bounds) else { return };
        let taken = self.team.map(|team| team.take(steps));
        if taken == Some(0) {
            self.stopped = Some(Stopped::Simulations);
            return;
        }
        let part = self.meter.part(taken.unwrap_or(steps));
        let mut inner = Meter::new(&part, self.meter.stop_flag());
        if let Some(team) = self.team {
            inner = inner.or_when(&team.over);
        }
        let answer = share.prover.solve(self.start, share.questions.asked(goal), &mut inner, &mut |_, _| {});
        self.meter.add(inner.done());
        if let (Some(team), Some(taken)) = (self.team, taken) {
            self.told.granted += inner.done();
            team.give_back(taken - inner.done());
        }
        share.steps += inner.done();
        share.due = (share.steps + TURN).saturating_mul(share.one_in);
        share.bytes = answer.bytes;
        let says = |numbers: ProofNumbers| share.questions.meaning(goal, share.questions.answer(goal, numbers));
        self.bounds = self.bounds.and(says(answer.numbers));
        for &(m, numbers) in &answer.moves {
            if let Some(known) = self.root.iter_mut().find(|known| known.m == m) {
                known.bounds = known.bounds.and(says(numbers));
            }
        }
        match answer.stopped {
            Stopped::Simulations if self.meter.steps_left() == 0 => self.stopped = Some(Stopped::Simulations),
            Stopped::Simulations | Stopped::Proven => {}
            // Its path needs more than it has: the search by depth goes on alone, if it can.
            Stopped::Memory if (self.depth as usize) < DEEPEST => share.due = u64::MAX,
            why => self.stopped = Some(why),
        }
    }

    /// Best play from here, where it was the solver that found the value.
    pub(super) fn proven_line(&mut self, report: &mut Report<G::Move>) {
        let (Some(best), Some(_), Some(share)) = (report.best, self.bounds.value(), &mut self.share) else { return };
        if report.line.len() > 1 {
            return;
        }
        let steps = self.meter.part(self.team.map_or(LINE_STEPS, |team| team.take(LINE_STEPS)));
        let goals = share.questions.provable(self.bounds, None);
        let mut next = self.start.clone();
        next.play(best);
        let mut inner = Meter::new(&steps, self.meter.stop_flag());
        report.line.extend(certify::line(&mut share.prover, share.questions, &goals, &next, &mut inner));
    }
}

//! A df-pn search of the root beside the tree, for a share of the simulations.
//!
//! The tree has no table and knows nothing of cycles: it proves what is near. df-pn has both, and settles whatever comes
//! down to a finite number of positions, endless play included. What it costs is counted as simulations, so that a budget
//! means the same with and without it. What it proves of single moves is carried into the tree.

use super::Search;
use crate::game::Game;
use crate::search::budget::{Budget, Meter};
use crate::search::certify;
use crate::search::dfpn::{Answer, Dfpn};
use crate::search::proof::{Goal, ProofNumbers};
use crate::search::prover::WithDfpn;
use crate::search::questions::Questions;
use crate::search::report::{Bounds, MoveReport, Report};
use crate::search::table::TableUse;

/// df-pn beside a tree: its line is followed move by move, so that a position is not one with its images.
const BESIDE_THE_TREE: Dfpn = Dfpn { symmetry: false, knowledge: false, ..Dfpn::DEFAULT };
/// Steps at a time, from and to. Each time the search comes down from the root again.
const STEPS: (u64, u64) = (100, 4000);
/// Moves that are listed in the time of a simulation, about; a step lists all moves of a position and looks them up.
const MOVES: u64 = 8;
/// The share where a proof is all that is asked for.
const ASKED: f64 = 0.5;
/// Steps spent on the expected line once all is proven.
const LINE_STEPS: u64 = 20_000;

/// How the search beside the tree stands.
pub(super) struct Prover<M> {
    share: f64,
    /// Whether the table has what the last search proved, and a proof of this position in it.
    goes_on: bool,
    /// Simulations at which it is its turn.
    pub(super) due: u64,
    steps: u64,
    /// Simulations these cost.
    spent: u64,
    /// What is asked, and what the numbers of each question are.
    questions: Vec<(Goal, ProofNumbers)>,
    next: usize,
    /// What is proven, for the player to move at the root; and of its moves.
    pub(super) bounds: Bounds,
    moves: Vec<(M, Bounds)>,
    pub(super) usage: Option<TableUse>,
}

impl<M: Copy + PartialEq> Prover<M> {
    /// Asks nothing if there is no share for it.
    pub(super) fn new<G: Game<Move = M>>(share: Option<f64>, start: &G, solve: Option<Goal>) -> Self {
        let mut prover = Self::absent();
        prover.share = share.map_or(0.0, |share| if solve.is_some() { share.max(ASKED) } else { share });
        if share.is_none() || start.players() != 2 {
            return prover;
        }
        match solve {
            Some(goal) => prover.questions.push((goal, ProofNumbers::UNKNOWN)),
            None => prover.questions.extend(Questions::about(start).all().map(|goal| (goal, ProofNumbers::UNKNOWN))),
        }
        let mut moves = Vec::new();
        start.moves(&mut moves);
        let cost = STEPS.0 * (1 + moves.len() as u64 / MOVES);
        prover.due = (cost as f64 / prover.share) as u64;
        prover
    }

    /// One that asks nothing, for as long as this one is elsewhere.
    pub(super) fn absent() -> Self {
        Self {
            share: 0.0,
            goes_on: false,
            due: u64::MAX,
            steps: 0,
            spent: 0,
            questions: Vec::new(),
            next: 0,
            bounds: Bounds::OPEN,
            moves: Vec::new(),
            usage: None,
        }
    }

    /// Goes on with the table of the last search, at once.
    pub(super) fn go_on(&mut self) {
        if !self.questions.is_empty() {
            (self.goes_on, self.due) = (true, 0);
        }
    }

    /// The numbers of the goal that was asked for.
    pub(super) fn answer(&self) -> Option<ProofNumbers> {
        self.questions.first().map(|&(_, numbers)| numbers).filter(|numbers| numbers.is_decided())
    }

    /// Adds what was found out to the report of a move.
    pub(super) fn tell(&self, report: &mut MoveReport<M>) {
        if let Some((_, bounds)) = self.moves.iter().find(|(m, _)| *m == report.m) {
            report.bounds = report.bounds.and(*bounds);
        }
    }

    /// Takes the answer to question `index` in.
    fn learn<G: Game<Move = M>>(&mut self, start: &G, index: usize, answer: &Answer<M>) {
        let (about, goal) = (Questions::about(start), self.questions[index].0);
        let seen = about.answer(goal, answer.numbers);
        self.questions[index].1 = seen;
        self.bounds = self.bounds.and(about.meaning(goal, seen));
        for &(m, numbers) in &answer.moves {
            let new = about.meaning(goal, about.answer(goal, numbers));
            if new == Bounds::OPEN {
                continue;
            }
            match self.moves.iter_mut().find(|(known, _)| *known == m) {
                Some((_, bounds)) => *bounds = bounds.and(new),
                None => self.moves.push((m, new)),
            }
        }
    }
}

/// Bytes of the table, out of `memory`, which the tree does not get.
pub(super) fn table_bytes(share: Option<f64>, memory: usize) -> usize {
    if share.is_some() { memory / 8 } else { 0 }
}

impl<G: Game> Search<'_, G> {
    /// A few steps of df-pn on one of the open questions.
    #[cold]
    pub(super) fn prove(&mut self, meter: &mut Meter<'_>) {
        self.prove_on(meter);
        self.carry_over();
    }

    /// The same without a look at the tree, which other threads may be searching.
    pub(super) fn prove_on(&mut self, meter: &mut Meter<'_>) {
        let prover = &mut self.prover;
        if prover.steps == 0 && !prover.goes_on {
            let memory = meter.budget().memory.unwrap_or(Budget::MEMORY);
            self.space.solver.reset(table_bytes(self.rules.config.prove, memory));
        }
        let steps = (prover.steps / 2).clamp(STEPS.0, STEPS.1);
        let index = prover.next % prover.questions.len();
        let question = Questions::about(self.start).asked(prover.questions[index].0);
        let part = meter.part(steps);
        let mut inner = Meter::new(&part, meter.stop_flag());
        let listed = self.space.solver.listed();
        let answer = self.space.solver.solve(BESIDE_THE_TREE, self.start, question, &mut inner, &mut |_, _| {});
        let cost = inner.done() + (self.space.solver.listed() - listed) / MOVES;
        meter.add(cost);
        prover.spent += cost;
        prover.steps += inner.done();
        prover.usage = Some(answer.usage);
        prover.learn(self.start, index, &answer);
        prover.next += 1;
        if prover.questions[prover.next % prover.questions.len()].1.is_decided() {
            prover.next += 1;
        }
        let all_known = prover.questions.iter().all(|(_, numbers)| numbers.is_decided());
        // As much as that once more for each step.
        let next = (prover.steps / 2).clamp(STEPS.0, STEPS.1) as f64 * prover.spent as f64 / prover.steps.max(1) as f64;
        prover.due = if all_known { u64::MAX } else { ((prover.spent as f64 + next) / prover.share) as u64 };
    }

    /// Tells the tree what is proven of the root and of its visited moves.
    pub(super) fn carry_over(&mut self) {
        if let (true, Some(_), Some(numbers)) = (self.solves, self.counted, self.prover.answer()) {
            self.root_numbers = numbers;
        }
        if self.rules.config.solver.is_none() {
            return;
        }
        let head = self.space.tree.head(self.root);
        for slot in 0..head.visited {
            let (step, m, _) = self.space.tree.step(&head, slot);
            let old = self.space.tree.bounds(self.root, slot);
            let new = self.prover.moves.iter().find(|(known, _)| *known == m).map_or(old, |(_, new)| old.and(*new));
            if new != old {
                self.space.path.clear();
                self.space.path.push(step);
                self.back_up_bounds(new);
            }
        }
        // Pruning changes the places of children, and so comes last.
        self.prune_path();
        self.space.path.clear();
    }

    /// Best play from here, if it was df-pn that found the value.
    pub(super) fn proven_line(&mut self, report: &mut Report<G::Move>, meter: &Meter<'_>) {
        let (Some(best), Some(_)) = (report.best, self.prover.bounds.value()) else { return };
        let steps = meter.part(LINE_STEPS);
        let questions = Questions::about(self.start);
        let goals = questions.provable(self.prover.bounds, None);
        let mut next = self.start.clone();
        next.play(best);
        let mut inner = Meter::new(&steps, meter.stop_flag());
        report.line = vec![best];
        let mut solver = WithDfpn(&mut self.space.solver, BESIDE_THE_TREE);
        report.line.extend(certify::line(&mut solver, questions, &goals, &next, &mut inner));
    }
}

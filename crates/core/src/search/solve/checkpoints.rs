//! Saving the memory of a solver while it works, and going on from it.

use std::time::Duration;

use super::{Answered, Before, Run, prover};
use crate::game::Game;
use crate::search::budget::{Budget, Stopped};
use crate::search::prover::SOLVERS;
use crate::search::saved::{Interval, Loader, MOST, Result, Save, Saver, Standing, fingerprint, wrong};

/// Questions about one position at most: about its moves and the points of each.
const QUESTIONS: u64 = 1 << 20;

impl<G: Game> Run<'_, '_, G> {
    /// What is left of the budget until the memory is to be saved, and whether that is only a part of what is left.
    pub(super) fn until_saved(&self) -> (Budget, bool) {
        let mut budget = self.left();
        let Some(checkpoints) = &self.checkpoints else { return (budget, false) };
        match checkpoints.every {
            Interval::Time(every) => {
                let part = every.saturating_sub(self.began.elapsed().saturating_sub(self.saved.1));
                budget.time = Some(budget.time.unwrap_or(Duration::MAX).min(part.max(Duration::from_millis(1))));
            }
            Interval::Nodes(every) => {
                let part = every.saturating_sub(self.nodes - self.saved.0).max(1);
                budget.simulations = Some(budget.simulations.unwrap_or(u64::MAX).min(part));
            }
        }
        (budget, true)
    }

    /// Whether the memory is to be saved now.
    pub(super) fn is_due(&self) -> bool {
        match self.checkpoints.as_ref().map(|checkpoints| checkpoints.every) {
            Some(Interval::Time(every)) => self.began.elapsed() >= self.saved.1 + every,
            Some(Interval::Nodes(every)) => self.nodes - self.saved.0 >= every,
            None => false,
        }
    }

    /// Saves the memory; at the end, if it has changed.
    pub(super) fn save(&mut self, start: &G, last: bool) {
        let Some(checkpoints) = self.checkpoints.take() else { return };
        if !last || self.nodes == 0 || self.nodes > self.saved.0 {
            let answered = last && !self.answered.is_empty() && self.stopped == Stopped::Proven;
            let standing = Standing { nodes: self.nodes, elapsed: self.elapsed(), answered };
            let save: &mut Save<'_> = &mut |to| self.write_memory(start, standing, &mut Saver::new(to));
            (checkpoints.save)(standing, save);
            self.saved = (self.nodes, self.began.elapsed());
        }
        self.checkpoints = Some(checkpoints);
    }

    fn write_memory(&mut self, start: &G, standing: Standing, to: &mut Saver<'_>) -> Result<()> {
        let elapsed = u64::try_from(standing.elapsed.as_nanos()).unwrap_or(MOST).min(MOST);
        to.words([fingerprint(start), standing.nodes, elapsed, self.answered.len() as u64])?;
        for answered in &self.answered {
            let solver = SOLVERS.iter().position(|name| Some(*name) == answered.found_by);
            to.word(answered.key)?;
            to.goal(answered.goal)?;
            to.words([answered.proven.into(), solver.map_or(0, |at| at as u64 + 1)])?;
        }
        if let Some(prover) = prover(self.searcher, self.task.agent) {
            prover.save(to)?;
        }
        to.flush()
    }

    /// Goes on from what was saved.
    pub(super) fn restore(&mut self, start: &G, from: &mut Loader<'_>) -> Result<()> {
        if from.word()? != fingerprint(start) {
            return Err(wrong("positions have other keys now than when it was written"));
        }
        let (nodes, elapsed) = (from.at_most(MOST)?, Duration::from_nanos(from.at_most(MOST)?));
        for _ in 0..from.at_most(QUESTIONS)? {
            let (key, goal, proven) = (from.word()?, from.goal()?, from.flag()?);
            let found_by = from.at_most(SOLVERS.len() as u64)?.checked_sub(1).map(|at| SOLVERS[at as usize]);
            self.answered.push(Answered { key, goal, proven, found_by });
        }
        if let Some(mut prover) = prover(self.searcher, self.task.agent) {
            prover.restore(start, from)?;
            let (bytes, usage) = prover.used();
            drop(prover);
            (self.bytes, self.table) = (bytes, Some(usage));
        }
        from.end()?;
        (self.nodes, self.saved.0) = (nodes, nodes);
        self.before = Before { nodes, elapsed };
        Ok(())
    }
}

//! The worker's side: jobs solved by df-pn with a table that is kept from one job to the next.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::game::Game;
use crate::search::budget::{Budget, Meter};
use crate::search::dfpn::{Decided, Dfpn, Hand, SharedTable};
use crate::search::jobs::{Fact, Job, JobResult};
use crate::search::proof::{Goal, ProofNumbers};

/// Answers reported with a result at most.
const REPORTED: usize = 1000;

/// Nodes that a position must have taken for its answer to be reported: a part of the job, so that reports of large jobs
/// are no longer than those of small ones.
fn noted(nodes: u64) -> u64 {
    (nodes / 256).clamp(4, 1 << 14)
}

/// Solves jobs.
pub struct JobSolver<G: Game> {
    table: Arc<SharedTable>,
    hand: Hand<G>,
    config: Dfpn,
}

impl<G: Game> JobSolver<G> {
    /// A worker whose table takes at most so many bytes.
    pub fn new(memory: usize) -> Self {
        Self::sharing(&Arc::new(SharedTable::new(memory, 1)), memory)
    }

    /// Workers that share a table, each for a thread of its own.
    pub fn several(memory: usize, threads: usize) -> Vec<Self> {
        let table = Arc::new(SharedTable::new(memory, threads));
        (0..threads).map(|_| Self::sharing(&table, memory / threads.max(1))).collect()
    }

    fn sharing(table: &Arc<SharedTable>, memory: usize) -> Self {
        Self { table: Arc::clone(table), hand: Hand::new(memory / 8), config: Dfpn::DEFAULT }
    }

    /// Does a job, or a part of it if `stop` is raised meanwhile.
    pub fn solve(&mut self, job: &Job<G>, stop: &AtomicBool) -> JobResult {
        let start = &job.position;
        let key = self.config.key(start);
        let mut result = JobResult {
            id: job.id,
            key,
            numbers: ProofNumbers::UNKNOWN,
            moves: Vec::new(),
            nodes: 0,
            facts: Vec::new(),
        };
        if let Some(outcome) = start.outcome() {
            result.numbers = job.goal.numbers(outcome);
            return result;
        }
        let facts = job.facts.iter().map(|&Fact { key, proven, work }| Decided { key, proven, work });
        self.hand.learn(&self.table, job.goal, facts);
        if let Some(numbers) = self.decided(start, job.goal) {
            result.numbers = numbers;
            return result;
        }
        let budget = Budget::simulations(job.nodes);
        let mut meter = Meter::new(&budget, stop);
        self.hand.note(noted(job.nodes));
        let answer = self.table.solve(&mut self.hand, self.config, start, job.goal, &mut meter);
        result.nodes = meter.done();
        result.numbers = answer.numbers;
        if !answer.numbers.is_decided() {
            result.moves = answer.moves.into_iter().map(|(_, numbers)| numbers).collect();
        }
        let mut decided = self.hand.take_decided();
        decided.sort_by_key(|decided| std::cmp::Reverse(decided.work));
        decided.truncate(REPORTED);
        result.facts = decided.into_iter().map(|Decided { key, proven, work }| Fact { key, proven, work }).collect();
        result
    }

    fn decided(&self, position: &G, goal: Goal) -> Option<ProofNumbers> {
        self.table.decided(self.config.key(position), goal)
    }
}

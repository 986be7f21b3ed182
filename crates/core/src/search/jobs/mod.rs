//! Job-level proof-number search: a proof-number tree whose leaves are jobs for workers elsewhere.
//!
//! A [`Coordinator`] holds the tree and never searches itself. It hands out [`Job`]s: a position, a goal and a
//! number of nodes; a worker ([`JobSolver`]) answers with a [`JobResult`]: an answer, or proof numbers of the position and
//! of every position after it. Results may come in any order, late, twice or never. An [`Executor`] brings jobs to workers:
//! threads of this machine ([`JobThreads`]), a simulation of a cluster ([`Simulator`]), or processes elsewhere.
//!
//! The coordinator reads no clock, starts no thread and touches no file: what it does depends on the order of calls alone.
//!
//! Sources: Wu et al., Job-level proof-number search (2010, 2013) for jobs and virtual numbers; Čížek, Balko, Schmid (2025)
//! for df-pn as the worker and for answers that workers share.

mod coordinator;
mod events;
mod facts;
mod proofs;
mod saved;
mod simulator;
mod solve;
mod threads;
mod tree;
mod worker;

use crate::search::jobs::events::Busy;
use crate::search::proof::{Goal, ProofNumbers};

pub use coordinator::{Coordinator, JobCounts, Merged};
pub use events::{JobEvent, JobNews};
pub use proofs::WriteLimits;
pub use simulator::{Cluster, Simulator, Spent};
pub use solve::{JobCheckpoints, JobProgress, JobSolution, JobTask, solve};
pub use threads::{JobThreads, Sharing};
pub use worker::JobSolver;

/// A piece of work: whether a goal can be reached from a position, within a number of nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct Job<G> {
    /// Its number, which the result repeats.
    pub id: u64,
    /// The position, without a history.
    pub position: G,
    /// What is asked.
    pub goal: Goal,
    /// Positions that the worker may open.
    pub nodes: u64,
    /// Answers to the question at other positions, which spare the worker work.
    pub facts: Vec<Fact>,
}

/// The answer to a question at one position, whatever came before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fact {
    /// The position, by the key that solvers use for it.
    pub key: u64,
    /// Whether the goal is reached.
    pub proven: bool,
    /// Nodes that it took.
    pub work: u64,
}

/// What a worker found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobResult {
    /// The number of the job.
    pub id: u64,
    /// The key of its position, so that a result cannot be taken for that of another job.
    pub key: u64,
    /// The numbers of the position.
    pub numbers: ProofNumbers,
    /// The numbers of the position after each move, in the order of the moves; empty if the position is decided.
    pub moves: Vec<ProofNumbers>,
    /// Positions opened.
    pub nodes: u64,
    /// Other positions that were decided and took much work.
    pub facts: Vec<Fact>,
}

/// What became of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// It is done.
    Done(JobResult),
    /// Its worker is gone, or its result is; it will be handed out again.
    Lost(u64),
    /// It was given up after a [`cancel`](Executor::cancel).
    Dropped(u64),
    /// Nothing yet: a good moment to look whether to go on.
    Waiting,
}

/// What brings jobs to workers and their results back.
pub trait Executor<G> {
    /// Workers that there are, busy or not. May change; without any the search ends.
    fn workers(&self) -> usize;

    /// A place where a worker is free, if there is one. Workers of one place share a table.
    fn free(&self) -> Option<usize>;

    /// Takes a job for a worker at a place that was [`free`](Executor::free). Returns the number of the worker.
    fn submit(&mut self, place: usize, job: Job<G>) -> usize;

    /// Waits for something to happen to a job, or for a short time.
    fn wait(&mut self) -> Event;

    /// Nobody needs the job's result any more. It may be reported all the same.
    fn cancel(&mut self, _id: u64) {}
}

/// How jobs are cut.
#[derive(Clone, Debug, PartialEq)]
pub struct JobSettings {
    /// Nodes of the first jobs, and of every job at least: many times what the hand-over of a job costs.
    pub smallest: u64,
    /// Nodes of a job at most, as long as the tree may grow.
    pub largest: u64,
    /// A job may open the nodes of all finished jobs divided by this number and by that of the workers: jobs grow with the
    /// search, so that their number grows with its logarithm only.
    pub parts: u64,
    /// How often a job is handed out again with twice the nodes, before its position is opened, while there are leaves
    /// enough for all workers.
    pub retries: u32,
    /// Answers sent along with a job at most.
    pub facts: usize,
    /// By how many per cent the number of a position may be worse than that of another and be preferred because the
    /// worker's table is full of what is below it.
    pub stay: u32,
    /// Positions of the tree at most, in all.
    pub positions: usize,
}

impl Default for JobSettings {
    fn default() -> Self {
        Self { smallest: 1000, largest: 1 << 32, parts: 16, retries: 0, facts: 200, stay: 50, positions: 4_000_000 }
    }
}

/// Lets `executor` do the jobs of `coordinator` until the question is answered or `go_on` says no. `go_on` is asked after
/// every event, and whenever nothing has happened for a short time.
pub fn run<G: crate::Game>(
    coordinator: &mut Coordinator<G>,
    executor: &mut dyn Executor<G>,
    go_on: &mut dyn FnMut(&Coordinator<G>, Option<&JobEvent>) -> bool,
) {
    let mut busy = Busy::default();
    while !coordinator.is_done() && executor.workers() > 0 {
        coordinator.set_workers(executor.workers());
        while let Some(place) = executor.free()
            && let Some(job) = coordinator.next_job(place)
        {
            let (id, nodes) = (job.id, job.nodes);
            let worker = executor.submit(place, job);
            let event = busy.takes(id, worker, nodes);
            if !go_on(coordinator, Some(&event)) {
                return;
            }
        }
        if coordinator.is_done() {
            return;
        }
        let event = executor.wait();
        let heard = match &event {
            Event::Done(result) => {
                let merged = coordinator.merge(result);
                Some((result.id, JobNews::Came { merged, nodes: result.nodes, numbers: result.numbers }))
            }
            Event::Lost(id) => {
                coordinator.lose(*id);
                Some((*id, JobNews::Lost))
            }
            Event::Dropped(id) => {
                coordinator.drop_job(*id);
                Some((*id, JobNews::Dropped))
            }
            Event::Waiting => None,
        };
        for id in coordinator.take_cancelled() {
            executor.cancel(id);
        }
        let event = heard.map(|(id, news)| busy.ends(id, news));
        if !go_on(coordinator, event.as_ref()) {
            return;
        }
    }
}

//! A whole search by jobs on the threads of this machine: limits, checkpoints, and the solution at the end.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use crate::game::{Game, TextError};
use crate::search::budget::{Budget, Stopped};
use crate::search::clock::Stopwatch;
use crate::search::jobs::{
    Coordinator, Executor, JobCounts, JobEvent, JobSettings, JobThreads, Sharing, WriteLimits, run,
};
use crate::search::proof::{Goal, ProofNumbers};
use crate::search::saved::{Interval, Standing};
use crate::search::solve::{Aim, Solution};

/// What to solve by jobs, and what to hand back.
#[derive(Clone, Debug)]
pub struct JobTask {
    /// What to find out.
    pub aim: Aim,
    /// How jobs are cut.
    pub settings: JobSettings,
    /// Workers on this machine.
    pub workers: usize,
    /// Whether they see each other's work.
    pub sharing: Sharing,
    /// Time, nodes (`simulations`) and memory for the search, the last also for writing proofs out.
    pub budget: Budget,
    /// Also write out the proof.
    pub proofs: bool,
    /// Time that earlier processes took.
    pub before: Duration,
}

/// How a search by jobs stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JobProgress {
    /// The question in hand, as it was put to the workers.
    pub goal: Goal,
    /// Its numbers.
    pub numbers: ProofNumbers,
    /// What was counted so far.
    pub counts: JobCounts,
    /// Jobs in flight whose results are needed.
    pub flying: usize,
    /// Workers that there are.
    pub workers: usize,
    /// Workers that have a job.
    pub busy: usize,
    /// Bytes of the tree.
    pub bytes: usize,
    /// Time taken by all processes together.
    pub elapsed: Duration,
    /// Time since the state was saved, if it was.
    pub saved: Option<Duration>,
    /// What has happened, unless nothing has for a short time.
    pub event: Option<JobEvent>,
}

/// Where a search by jobs comes from and where its state is saved.
pub struct JobCheckpoints<'a> {
    /// How often the state is saved. It is saved once more when the search ends.
    pub every: Interval,
    /// What [`save`](JobCheckpoints::save) was given by an earlier search.
    pub from: Option<Vec<u8>>,
    /// Keeps the state.
    pub save: &'a mut dyn FnMut(Standing, &[u8]),
}

/// What came of a search by jobs.
#[derive(Clone, Debug)]
pub struct JobSolution<G: Game> {
    /// The solution in the form of every solver.
    pub solution: Solution<G>,
    /// What was counted.
    pub counts: JobCounts,
}

/// Finds out the value of `start` by jobs for the threads of this machine.
///
/// An error if the checkpoints name a state to go on from that is of another position or question. `observer` is called
/// after every event, and about twenty times a second if nothing happens.
pub fn solve<G: Game>(
    task: &JobTask,
    start: &G,
    stop: &AtomicBool,
    observer: &mut dyn FnMut(&JobProgress),
    mut checkpoints: Option<JobCheckpoints<'_>>,
) -> Result<JobSolution<G>, TextError> {
    let clock = Stopwatch::start(task.budget.clock);
    let memory = task.budget.memory.unwrap_or(Budget::MEMORY);
    // Half of the memory is for the workers' tables, and what is not the tree's for writing proofs out.
    let positions = task.settings.positions.min(memory / 4 / Coordinator::<G>::bytes_of_a_position(start)).max(16);
    let settings = JobSettings { positions, ..task.settings.clone() };
    let from = checkpoints.as_mut().and_then(|checkpoints| checkpoints.from.take());
    let mut coordinator = match &from {
        Some(bytes) => Coordinator::restore(start, task.aim, settings, bytes)?,
        None => Coordinator::new(start, task.aim, settings),
    };
    drop(from);
    let first = coordinator.counts().nodes;
    // Nodes and time at the last save, and whether there was one.
    let mut saved = (first, Duration::ZERO, false);
    let mut stopped = Stopped::Proven;
    let mut save = |coordinator: &Coordinator<G>, saved: &mut (u64, Duration, bool), last: bool| {
        let Some(JobCheckpoints { every, save, .. }) = &mut checkpoints else { return };
        let (nodes, elapsed) = (coordinator.counts().nodes, clock.elapsed());
        let due = match *every {
            Interval::Time(every) => elapsed >= saved.1 + every,
            Interval::Nodes(every) => nodes - saved.0 >= every,
        };
        if due || last {
            let answered = coordinator.is_done();
            save(Standing { nodes, elapsed: task.before + elapsed, answered }, &coordinator.save());
            *saved = (nodes, elapsed, true);
        }
    };
    if !coordinator.is_done() {
        let mut threads = JobThreads::new(task.workers, memory / 2, task.sharing);
        let workers = Executor::<G>::workers(&threads);
        let mut busy = 0;
        run(&mut coordinator, &mut threads, &mut |coordinator, event| {
            let (counts, flying, bytes) = (coordinator.counts(), coordinator.flying(), coordinator.bytes());
            busy = event.map_or(busy, |event| event.busy);
            if let Some((goal, numbers)) = coordinator.numbers() {
                let now = clock.elapsed();
                let (elapsed, event) = (task.before + now, event.copied());
                let saved = saved.2.then(|| now.saturating_sub(saved.1));
                observer(&JobProgress { goal, numbers, counts, flying, workers, busy, bytes, elapsed, saved, event });
            }
            save(coordinator, &mut saved, false);
            stopped = if stop.load(Relaxed) {
                Stopped::Cancelled
            } else if task.budget.simulations.is_some_and(|most| counts.nodes - first >= most) {
                Stopped::Simulations
            } else if task.budget.time.is_some_and(|most| clock.elapsed() >= most) {
                Stopped::Time
            } else {
                Stopped::Proven
            };
            stopped == Stopped::Proven
        });
        if !coordinator.is_done() && stopped == Stopped::Proven {
            // No worker is left: the system gave no threads, or the game failed in each of them.
            return Err(TextError::new("no worker is left to do the jobs"));
        }
        if coordinator.is_done() {
            stopped = Stopped::Proven;
        }
        save(&coordinator, &mut saved, true);
    }
    if start.outcome().is_some() {
        stopped = Stopped::GameOver;
    }
    // The tables of the workers are gone by now.
    let time = task.budget.time.map(|all| all.saturating_sub(clock.elapsed()));
    let limits = WriteLimits { budget: Budget { time, ..task.budget.clone() } };
    let elapsed = task.before + clock.elapsed();
    let solution = coordinator.solution(task.proofs, &limits, stopped, elapsed, stop);
    let solution = Solution { elapsed: task.before + clock.elapsed(), ..solution };
    Ok(JobSolution { solution, counts: coordinator.counts() })
}

impl<G: Game> Coordinator<G> {
    /// What is known, in the form of every solver; `stopped` says why there is no more.
    pub fn solution(
        &self,
        proofs: bool,
        limits: &WriteLimits,
        stopped: Stopped,
        elapsed: Duration,
        stop: &AtomicBool,
    ) -> Solution<G> {
        Solution {
            bounds: self.bounds(),
            score: None,
            line: self.line(limits, stop),
            nodes: self.counts().nodes,
            elapsed,
            bytes: self.bytes(),
            table: None,
            last: self.last(),
            found_by: Vec::new(),
            nodes_of: Vec::new(),
            stopped,
            moves: Vec::new(),
            proofs: if proofs { self.proofs(limits, stop) } else { Vec::new() },
        }
    }
}

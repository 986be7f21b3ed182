//! Threads of this machine as workers.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::game::Game;
use crate::search::jobs::{Event, Executor, Job, JobResult, JobSolver};

/// How long to wait for a result before the caller may look at other things.
const PATIENCE: Duration = Duration::from_millis(50);

/// Whether workers on one machine see each other's work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// They have one table.
    One,
    /// Each has its own part of the memory.
    None,
}

/// Does jobs on threads, one at a time on each.
pub struct JobThreads<G: Game> {
    workers: Vec<Worker<G>>,
    results: Receiver<Reply>,
    /// The worker of each job in flight.
    flying: HashMap<u64, usize>,
    /// Jobs whose worker could not take them.
    lost: Vec<u64>,
    sharing: Sharing,
}

struct Worker<G: Game> {
    /// Where its jobs go; none once it has failed.
    jobs: Option<Sender<Job<G>>>,
    /// Ends the job in hand early.
    stop: Arc<AtomicBool>,
    busy: bool,
    thread: Option<JoinHandle<()>>,
}

/// What a thread says: a result, or that the job has made it fail.
type Reply = (usize, u64, Option<JobResult>);

impl<G: Game> JobThreads<G> {
    /// So many threads, which take so many bytes for tables together.
    pub fn new(threads: usize, memory: usize, sharing: Sharing) -> Self {
        let threads = threads.max(1);
        let solvers = match sharing {
            Sharing::One => JobSolver::several(memory, threads),
            Sharing::None => (0..threads).map(|_| JobSolver::new(memory / threads)).collect(),
        };
        let (reply, results) = channel();
        let workers = solvers.into_iter().enumerate().map(|(at, solver)| Worker::start(at, solver, reply.clone()));
        Self { workers: workers.collect(), results, flying: HashMap::new(), lost: Vec::new(), sharing }
    }

    fn ended(&mut self, (worker, id, result): Reply) -> Event {
        self.flying.remove(&id);
        let worker = &mut self.workers[worker];
        worker.busy = false;
        match result {
            Some(result) => Event::Done(result),
            None => {
                // Its thread is gone, and what it held is not to be trusted.
                worker.jobs = None;
                Event::Lost(id)
            }
        }
    }
}

impl<G: Game> Worker<G> {
    fn start(at: usize, mut solver: JobSolver<G>, reply: Sender<Reply>) -> Self {
        let (jobs, inbox) = channel::<Job<G>>();
        let stop = Arc::new(AtomicBool::new(false));
        let raised = Arc::clone(&stop);
        let work = move || {
            while let Ok(job) = inbox.recv() {
                let mut guard = Guard { reply: &reply, at, id: job.id, result: None };
                guard.result = Some(solver.solve(&job, &raised));
            }
        };
        let thread = std::thread::Builder::new().spawn(work).ok();
        let jobs = thread.is_some().then_some(jobs);
        Self { jobs, stop, busy: false, thread }
    }
}

/// Replies in any case, even where a job makes its thread fail.
struct Guard<'a> {
    reply: &'a Sender<Reply>,
    at: usize,
    id: u64,
    result: Option<JobResult>,
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        // Nobody may be there any more.
        let _ = self.reply.send((self.at, self.id, self.result.take()));
    }
}

impl<G: Game> Executor<G> for JobThreads<G> {
    fn workers(&self) -> usize {
        self.workers.iter().filter(|worker| worker.jobs.is_some()).count()
    }

    fn free(&self) -> Option<usize> {
        let free = self.workers.iter().position(|worker| worker.jobs.is_some() && !worker.busy);
        free.map(|at| if self.sharing == Sharing::One { 0 } else { at })
    }

    fn submit(&mut self, place: usize, job: Job<G>) -> usize {
        let id = job.id;
        let is_free = |(at, worker): &(usize, &Worker<G>)| {
            !worker.busy && worker.jobs.is_some() && (self.sharing == Sharing::One || *at == place)
        };
        let Some((at, _)) = self.workers.iter().enumerate().find(is_free) else {
            self.lost.push(id);
            return place;
        };
        let worker = &mut self.workers[at];
        worker.stop.store(false, Relaxed);
        worker.busy = true;
        self.flying.insert(id, at);
        if worker.jobs.as_ref().is_none_or(|jobs| jobs.send(job).is_err()) {
            worker.jobs = None;
            self.lost.push(id);
        }
        at
    }

    fn wait(&mut self) -> Event {
        if let Some(id) = self.lost.pop() {
            self.flying.remove(&id);
            return Event::Lost(id);
        }
        match self.results.recv_timeout(PATIENCE) {
            Ok(reply) => self.ended(reply),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => Event::Waiting,
        }
    }

    fn cancel(&mut self, id: u64) {
        if let Some(&at) = self.flying.get(&id) {
            self.workers[at].stop.store(true, Relaxed);
        }
    }
}

impl<G: Game> Drop for JobThreads<G> {
    fn drop(&mut self) {
        for worker in &mut self.workers {
            worker.stop.store(true, Relaxed);
            worker.jobs = None;
        }
        for thread in self.workers.iter_mut().filter_map(|worker| worker.thread.take()) {
            // One that failed has said so.
            let _ = thread.join();
        }
    }
}

//! A search on a thread of its own, which the loop of the engine can stop, and which pondering turns into an ordinary one.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use plyproof_engine::{
    Agent, Aim, AnyGame, AnySearcher, Budget, Pacer, SearchReport, SearchTask, Solution, SolveTask, Thinking, think,
};

use crate::engine::Event;

/// What to search for, and for how long.
#[derive(Clone, Debug, Default)]
pub(crate) struct Job {
    pub(crate) kind: Kind,
    /// How long to think; forever if nothing is said.
    pub(crate) thinking: Option<Thinking>,
    /// Simulations.
    pub(crate) nodes: Option<u64>,
    /// The opponent is still to move: the clock does not run yet.
    pub(crate) ponder: bool,
    /// The answer is wanted only when it is asked for.
    pub(crate) infinite: bool,
    /// Time between two reports.
    pub(crate) interval: Option<Duration>,
}

impl Job {
    /// Whether the search goes on until somebody ends it.
    pub(crate) fn is_unlimited(&self) -> bool {
        self.ponder || self.infinite || (self.thinking.is_none() && self.nodes.is_none())
    }
}

/// What to search for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A move.
    #[default]
    Move,
    /// A proven win, by a solver.
    Mate,
    /// Nothing but reports.
    Analysis,
}

/// What a search found.
pub(crate) enum Found {
    Report(Box<SearchReport>),
    Solution(Box<Solution>),
    /// It failed, and why.
    Failed(String),
}

/// A search on its way.
pub(crate) struct Running {
    pub(crate) job: Job,
    stop: Arc<AtomicBool>,
    pacer: Arc<Mutex<Option<Pacer>>>,
    began: Instant,
    /// When it is stopped, whatever its reports say.
    pub(crate) deadline: Option<Instant>,
    /// Somebody asked for the answer.
    pub(crate) stopped: bool,
}

/// What a search needs.
pub(crate) struct Task {
    pub(crate) searcher: Box<dyn AnySearcher>,
    pub(crate) position: Box<dyn AnyGame>,
    pub(crate) agent: Agent,
    pub(crate) budget: Budget,
    pub(crate) seed: u64,
    pub(crate) job: Job,
}

/// Time between two reports if nothing is said.
const INTERVAL: Duration = Duration::from_millis(250);

impl Running {
    /// Starts a search, whose reports and end are sent as events.
    pub(crate) fn start(task: Task, events: SyncSender<Event>) -> io::Result<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        let (job, began) = (task.job.clone(), Instant::now());
        let thinking = job.thinking.filter(|_| !job.ponder);
        let pacer = Arc::new(Mutex::new(thinking.map(Pacer::new)));
        let (raised, paced) = (Arc::clone(&stop), Arc::clone(&pacer));
        std::thread::Builder::new().name("search".to_string()).spawn(move || work(task, &raised, &paced, &events))?;
        let deadline = thinking.and_then(|thinking| began.checked_add(thinking.most));
        Ok(Self { job, stop, pacer, began, deadline, stopped: false })
    }

    /// A search that could not begin.
    pub(crate) fn none(job: Job) -> Self {
        let (stop, pacer) = (Arc::default(), Arc::default());
        Self { job, stop, pacer, began: Instant::now(), deadline: None, stopped: true }
    }

    /// Ends the search; its answer follows.
    pub(crate) fn stop(&mut self) {
        self.stopped = true;
        self.stop.store(true, Ordering::Relaxed);
    }

    /// The deadline is over: ends the search.
    pub(crate) fn time_is_up(&mut self) {
        self.deadline = None;
        self.stop.store(true, Ordering::Relaxed);
    }

    /// The opponent made the move that was pondered on: from now on the clock runs.
    pub(crate) fn ponder_hit(&mut self) {
        if !std::mem::take(&mut self.job.ponder) {
            return;
        }
        if let Some(thinking) = self.job.thinking {
            let from = self.began.elapsed();
            *self.pacer.lock().unwrap_or_else(PoisonError::into_inner) = Some(Pacer::from(thinking, from));
            self.deadline = Instant::now().checked_add(thinking.most);
        }
    }

    /// Whether an answer that is there has to wait until somebody asks for it.
    pub(crate) fn holds_back(&self) -> bool {
        (self.job.ponder || self.job.infinite) && !self.stopped
    }
}

fn work(task: Task, stop: &AtomicBool, pacer: &Mutex<Option<Pacer>>, events: &SyncSender<Event>) {
    let Task { mut searcher, position, agent, budget, seed, job } = task;
    let interval = job.interval.unwrap_or(INTERVAL).as_secs_f64();
    let mut budget = Budget { simulations: job.nodes, ..budget };
    if let Some(thinking) = job.thinking {
        // While pondering the clock does not run; the deadline ends the search after that.
        let own = Budget { time: None, ..thinking.budget(&budget) };
        budget = if job.ponder { own } else { thinking.budget(&budget) };
    }
    budget.notice = budget.notice.min(job.interval.unwrap_or(INTERVAL));
    let found = match job.kind {
        Kind::Mate => {
            let task = SolveTask { agent: &agent, aim: Aim::Win, all_moves: false, proofs: false, budget, seed };
            let solve = || searcher.solve(&*position, &task, stop, &mut |_| {}, &mut |_, _| Ok(()));
            match catch_unwind(AssertUnwindSafe(solve)) {
                Ok(Ok(solution)) => Found::Solution(Box::new(solution)),
                Ok(Err(error)) => Found::Failed(error.to_string()),
                Err(_) => Found::Failed("the solver failed".to_string()),
            }
        }
        Kind::Move | Kind::Analysis => {
            let mut last = 0.0;
            let searched = SearchTask { agent: &agent, budget: &budget, seed, stop };
            let report = think(&mut searcher, &*position, &searched, &mut |report| {
                let mut pacer = pacer.lock().unwrap_or_else(PoisonError::into_inner);
                if pacer.as_mut().is_some_and(|pacer| pacer.has_enough(report)) {
                    stop.store(true, Ordering::Relaxed);
                } else if report.seconds - last >= interval {
                    last = report.seconds;
                    // If the loop is busy, a report less does no harm.
                    let _ = events.try_send(Event::Seen(Box::new(report.clone())));
                }
            });
            report.map_or_else(Found::Failed, |report| Found::Report(Box::new(report)))
        }
    };
    // If nobody listens any more, the engine has ended.
    let _ = events.send(Event::Found(searcher, found));
}

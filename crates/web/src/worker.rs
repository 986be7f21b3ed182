//! A search on a thread of its own, which ends when its [`Worker`] is dropped.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use plyproof_engine::{Agent, AnyGame, AnySearcher, Budget, Paths, SearchReport, SearchTask, TreeNode};
use plyproof_tab::Found;
use serde_json::{Map, Value};
use tokio::sync::Notify;

use crate::engines::{EngineSeat, EngineTask};
use crate::lease::Lease;
use crate::solving::{self, Archive};

/// What to search and how.
pub(crate) struct Task {
    pub game: Box<dyn AnyGame>,
    pub agent: Agent,
    pub budget: Budget,
    pub seed: u64,
    pub lease: Lease,
    pub kind: Kind,
}

/// What comes of it.
pub(crate) enum Kind {
    /// A move; what the search leaves is kept for the next one.
    Move(Box<dyn AnySearcher>),
    /// A look at the position; the tree stays when the search is over.
    Look,
    /// A proof, whose certificates stay.
    Proof(Arc<Archive>),
}

/// What is left of the search for a move: its tree, and the memory lent for it.
pub(crate) struct KeptSearch {
    pub search: Box<dyn AnySearcher>,
    /// Whose move it was, counted from 0.
    pub mover: usize,
    pub lease: Lease,
}

/// A running search, or one that is over and whose tree can still be seen.
pub(crate) struct Worker {
    mailbox: Arc<Mailbox>,
}

/// Where the thread and the socket leave things for each other.
struct Mailbox {
    /// Ends the search; its tree stays if it may.
    stop: AtomicBool,
    /// Ends the thread.
    closed: AtomicBool,
    wanted: Paths,
    out: Mutex<Found>,
    kept: Mutex<Option<KeptSearch>>,
    engine: Mutex<Option<EngineSeat>>,
    /// Wakes the socket.
    news: Arc<Notify>,
    /// Raised when somebody wants to see other nodes, for a thread that has nothing else to do.
    asked: Mutex<bool>,
    wake: Condvar,
}

impl Mailbox {
    fn out(&self) -> MutexGuard<'_, Found> {
        self.out.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, change: impl FnOnce(&mut Found)) {
        change(&mut self.out());
        self.news.notify_one();
    }

    /// Waits until nodes are asked for; false when the search is no longer wanted.
    fn wait(&self) -> bool {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if self.closed.load(Ordering::Relaxed) {
                return false;
            }
            if std::mem::take(&mut *asked) {
                return true;
            }
            asked = self.wake.wait(asked).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn ask(&self) {
        *self.asked.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.wake.notify_one();
    }
}

impl Worker {
    /// Starts a thread that searches; `news` is woken whenever there is something to take.
    pub(crate) fn start(task: Task, nodes: Vec<Vec<String>>, news: Arc<Notify>) -> Result<Self, String> {
        Self::spawn(nodes, news, |mailbox| work(task, mailbox))
    }

    /// Starts a thread that asks an engine for a move.
    pub(crate) fn ask(task: EngineTask, news: Arc<Notify>) -> Result<Self, String> {
        Self::spawn(Vec::new(), news, |mailbox| {
            let asked = catch_unwind(AssertUnwindSafe(|| task.run(&mailbox.stop)));
            match asked.unwrap_or_else(|_| Err("the engine's move failed inside; please report it".to_string())) {
                Ok((report, seat)) => {
                    *mailbox.engine.lock().unwrap_or_else(PoisonError::into_inner) = Some(seat);
                    mailbox.tell(|found| found.report = Some(report));
                }
                Err(why) => mailbox.tell(|found| found.failure = Some(why)),
            }
        })
    }

    fn spawn(
        nodes: Vec<Vec<String>>,
        news: Arc<Notify>,
        run: impl FnOnce(&Mailbox) + Send + 'static,
    ) -> Result<Self, String> {
        let mailbox = Arc::new(Mailbox {
            stop: AtomicBool::new(false),
            closed: AtomicBool::new(false),
            wanted: Arc::new(Mutex::new(nodes)),
            out: Mutex::default(),
            kept: Mutex::default(),
            engine: Mutex::default(),
            news,
            asked: Mutex::new(true),
            wake: Condvar::new(),
        });
        let theirs = Arc::clone(&mailbox);
        let thread = thread::Builder::new().name("plyproof-search".to_string()).spawn(move || run(&theirs));
        thread.map_err(|error| format!("no thread could be had for the search: {error}"))?;
        Ok(Self { mailbox })
    }

    /// Shows these nodes from now on.
    pub(crate) fn show(&self, nodes: Vec<Vec<String>>) {
        *self.mailbox.wanted.lock().unwrap_or_else(PoisonError::into_inner) = nodes;
        self.mailbox.ask();
    }

    /// Ends the search and keeps what it found.
    pub(crate) fn halt(&self) {
        self.mailbox.stop.store(true, Ordering::Relaxed);
    }

    /// What is new since the last call.
    pub(crate) fn take(&self) -> Found {
        std::mem::take(&mut *self.mailbox.out())
    }

    /// The engine that has moved.
    pub(crate) fn engine(&self) -> Option<EngineSeat> {
        self.mailbox.engine.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// What is left of a search for a move that is over.
    pub(crate) fn into_kept(self) -> Option<KeptSearch> {
        self.mailbox.kept.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.halt();
        self.mailbox.closed.store(true, Ordering::Relaxed);
        self.mailbox.ask();
    }
}

fn work(task: Task, mailbox: &Mailbox) {
    let Task { game, agent, budget, seed, lease, kind } = task;
    let run = |search: &mut dyn AnySearcher| {
        let mut observer = |report: &SearchReport, nodes: Vec<TreeNode>| {
            mailbox.tell(|found| {
                found.report = Some(report.clone());
                found.nodes = Some(nodes);
            });
        };
        let task = SearchTask { agent: &agent, budget: &budget, seed, stop: &mailbox.stop };
        search.search(&*game, &task, &mailbox.wanted, &mut observer).unwrap_or_else(|error| unreachable!("{error}"))
    };
    let worked = catch_unwind(AssertUnwindSafe(|| match kind {
        Kind::Proof(archive) => {
            let mut tell = |head: Map<String, Value>| mailbox.tell(|found| found.proof = Some(head));
            let certificates = solving::solve(&*game, &agent, &budget, &mailbox.stop, &archive, &mut tell);
            while mailbox.wait() {}
            drop(certificates);
            None
        }
        Kind::Look => {
            let mut search = game.searcher();
            let report = run(&mut *search);
            mailbox.tell(|found| found.report = Some(report));
            while mailbox.wait() {
                let wanted = mailbox.wanted.lock().unwrap_or_else(PoisonError::into_inner).clone();
                let nodes = search.nodes(&wanted);
                mailbox.tell(|found| found.nodes = Some(nodes));
            }
            None
        }
        Kind::Move(mut search) => {
            let report = run(&mut *search);
            Some((search, report))
        }
    }));
    match worked {
        Ok(Some((search, report))) => {
            let kept = KeptSearch { search, mover: game.to_move().index(), lease };
            *mailbox.kept.lock().unwrap_or_else(PoisonError::into_inner) = kept.lease.may_be_kept().then_some(kept);
            // Whoever hears of the move finds the kept in its place.
            mailbox.tell(|found| found.report = Some(report));
        }
        // The tree is gone by now, and with this its memory is free for others.
        Ok(None) => drop(lease),
        Err(_) => {
            drop(lease);
            let message = "the search failed inside; please report the position and the agent".to_string();
            mailbox.tell(|found| found.failure = Some(message));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::lease::Pool;

    fn task(simulations: Option<u64>, pool: &Arc<Pool>) -> Task {
        Task {
            game: plyproof_engine::Registry::builtin().open("loa(size=5)").expect("a game"),
            agent: Agent::parse("pn-mcts").expect("an agent"),
            budget: Budget { simulations, memory: Some(16 << 20), ..Budget::default() },
            seed: 1,
            lease: pool.lend().expect("memory"),
            kind: Kind::Look,
        }
    }

    /// Asks again and again until `done` says so; a minute is for a machine that is busy with other things.
    fn until(mut done: impl FnMut() -> bool) {
        let began = Instant::now();
        while !done() {
            assert!(began.elapsed() < Duration::from_secs(60), "nothing came of it");
            thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn a_dropped_worker_ends_its_search_and_gives_its_memory_back() {
        let pool = Pool::new(8 << 20);
        let worker = Worker::start(task(None, &pool), Vec::new(), Arc::default()).expect("a thread");
        until(|| worker.take().report.is_some_and(|report| report.simulations > 0));
        assert!(pool.lend().is_err(), "the search has it all");
        drop(worker);
        until(|| pool.lend().is_ok());
    }

    #[test]
    fn a_search_for_a_move_leaves_its_tree_where_there_is_memory_for_it() {
        for (bytes, left) in [(1 << 30, true), (8 << 20, false)] {
            let pool = Pool::new(bytes);
            let mut task = task(Some(300), &pool);
            task.kind = Kind::Move(task.game.searcher());
            let worker = Worker::start(task, Vec::new(), Arc::default()).expect("a thread");
            until(|| worker.take().report.is_some_and(|report| report.stopped.is_some()));
            let kept = worker.into_kept();
            assert_eq!((kept.is_some(), pool.is_whole()), (left, !left), "of {bytes} bytes");
            assert!(kept.as_ref().is_none_or(|kept| kept.mover == 0 && kept.search.game() == "loa(size=5)"));
            drop(kept);
            assert!(pool.is_whole());
        }
    }

    #[test]
    fn the_tree_can_be_seen_after_the_end() {
        let pool = Pool::new(1 << 30);
        let worker = Worker::start(task(Some(300), &pool), Vec::new(), Arc::default()).expect("a thread");
        until(|| worker.take().report.is_some_and(|report| report.stopped.is_some()));
        worker.show(vec![Vec::new()]);
        until(|| worker.take().nodes.is_some_and(|nodes| nodes.first().is_some_and(|root| root.visits == 300)));
    }
}

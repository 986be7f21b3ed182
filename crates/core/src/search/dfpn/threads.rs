//! Several threads that search for one goal with one table.
//!
//! Each thread runs the search of one thread, from the root, on its own path. The threads share the table, in which
//! every thread sees the numbers that the others store, and the counts of [`Busy`]: a child that other threads are
//! searching gets a virtual proof number, so that threads separate where the search is widest.
//!
//! # Why the answer is right
//! Everything that is stored as decided is true on every path, or is stored for one path, exactly as with one thread: a
//! thread decides a position by the rules and by decided entries. Numbers of open positions may be old or mixed; they
//! only direct the search. Stamps are drawn from one counter when an entry is written, and whatever the entry relies on
//! was written before, so that a proof still relies on smaller stamps only.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{OnceLock, RwLock};

use crate::game::Game;
use crate::search::budget::{Budget, Meter, Stopped};
use crate::search::busy::Busy;
use crate::search::dfpn::Answer;
use crate::search::dfpn::worker::{Pause, Question, Worker};
use crate::search::prover::Notice;
use crate::search::table::Table;

/// Visits of a thread before it counts them for all and lets the table grow.
const SLICE: u64 = 64;

/// What the threads of one search share.
struct Shared<'a> {
    table: RwLock<&'a mut Table>,
    /// Entries filled and visits made by all threads.
    filled: AtomicU64,
    visits: AtomicU64,
    /// Visits that all threads may make.
    limit: u64,
    /// Raised when one thread has the answer or none may go on.
    finished: AtomicBool,
    /// Why the first thread that ended did so.
    cause: OnceLock<Stopped>,
}

/// How the search of one thread ended.
struct Part<M> {
    answer: Answer<M>,
    visits: u64,
}

pub(super) fn solve<G: Game>(
    threads: usize,
    question: Question<'_>,
    table: &mut Table,
    worker: &mut Worker<G>,
    start: &G,
    meter: &mut Meter<'_>,
    notice: &mut Notice<'_>,
) -> Answer<G::Move> {
    let busy = Busy::new();
    let question = Question { busy: Some(&busy), ..question };
    let shared = Shared {
        table: RwLock::new(table),
        filled: AtomicU64::new(worker.usage.filled),
        visits: AtomicU64::new(0),
        limit: meter.steps_left(),
        finished: AtomicBool::new(false),
        cause: OnceLock::new(),
    };
    let room = worker.room;
    worker.room = room / threads;
    let (first, others) = std::thread::scope(|scope| {
        let helper = |_| {
            let (shared, question) = (&shared, &question);
            let part = move || {
                let mut worker = Worker::new();
                worker.room = room / threads;
                let budget = Budget::default();
                let mut meter = Meter::new(&budget, &shared.finished);
                let part = search(&mut worker, question, shared, start, &mut meter, &mut |_, _| {});
                (part, worker.usage, worker.listed)
            };
            // Fewer threads than were asked for are no reason to fail.
            std::thread::Builder::new().spawn_scoped(scope, part).ok()
        };
        let helpers: Vec<_> = (1..threads).filter_map(helper).collect();
        let first = search(worker, &question, &shared, start, meter, notice);
        let others: Vec<_> = helpers.into_iter().filter_map(|helper| helper.join().ok()).collect();
        (first, others)
    });
    worker.room = room;
    let mut best = first;
    best.answer.stopped = shared.cause.get().copied().unwrap_or(best.answer.stopped);
    for (part, usage, listed) in others {
        worker.usage.filled += usage.filled;
        worker.usage.lookups += usage.lookups;
        worker.usage.hits += usage.hits;
        worker.usage.replaced += usage.replaced;
        worker.listed += listed;
        meter.add(part.visits);
        if part.answer.numbers.is_decided() && !best.answer.numbers.is_decided() {
            best = part;
        }
    }
    best.answer
}

/// The search of one thread.
fn search<G: Game>(
    worker: &mut Worker<G>,
    question: &Question<'_>,
    shared: &Shared<'_>,
    start: &G,
    meter: &mut Meter<'_>,
    notice: &mut Notice<'_>,
) -> Part<G::Move> {
    let before = meter.done();
    let table = || shared.table.read().unwrap_or_else(|broken| broken.into_inner());
    worker.begin(question, &table(), start, before);
    let (mut counted, mut filled) = (before, worker.usage.filled);
    let stopped = loop {
        let pause = worker.run(question, &table(), SLICE, meter, notice);
        let visits = shared.visits.fetch_add(meter.done() - counted, Relaxed) + meter.done() - counted;
        let all = shared.filled.fetch_add(worker.usage.filled - filled, Relaxed) + worker.usage.filled - filled;
        (counted, filled) = (meter.done(), worker.usage.filled);
        match pause {
            Pause::Ended(why) => break why,
            Pause::Crowded | Pause::Sliced => {}
        }
        if shared.finished.load(Relaxed) {
            break Stopped::Cancelled;
        }
        if visits >= shared.limit {
            break Stopped::Simulations;
        }
        if table().is_crowded(all) {
            let mut table = shared.table.write().unwrap_or_else(|broken| broken.into_inner());
            // Another thread may have been faster.
            if table.is_crowded(all) {
                table.grow();
            }
        }
    };
    // Those who end later may only have seen that others ended.
    shared.cause.get_or_init(|| stopped);
    shared.finished.store(true, Relaxed);
    let answer = worker.end(question, &table(), stopped, meter.done());
    Part { answer, visits: meter.done() - before }
}

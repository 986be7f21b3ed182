//! Several threads that search one position by depth, with one table (lazy SMP).
//!
//! Each thread deepens on its own, from the root, with its own lists, path, judge, killers and history. They share the
//! table, and work together through it alone: what one thread has searched the others look up. Every second helper is a
//! ply ahead of the first thread, so that the first one finds the best moves of its next depth in the table.
//!
//! The solver's share stays with the first thread, and so do reports. In the end the moves, their order and the line are
//! those of the first thread, or of a helper that completed a deeper depth; what any thread has proven counts.
//!
//! Threads work in stages. A stage ends when a helper has proven the value of the position, or when the table should grow,
//! which only its single owner can do: the helpers end, and begin again with the larger table. What they found so far
//! stays in the table. Steps are taken from a common stock, a slice at a time, so that the number of simulations holds for
//! all threads together.
//!
//! # Why what is proven is true
//! A thread proves a win or a loss by the rules and by entries beyond [`WON`](super::WON) that say it: a win that is at
//! least so good, a loss that is at most so bad, or an exact score. It stores such an entry only for a position all of
//! whose lines it has followed to ends of games or to such entries, and never because of a repetition on its own path,
//! which counts as a draw. So an entry of this kind is true on every path, for whoever reads it: by induction over the
//! order in which entries were stored, which an entry read beside its writing does not disturb, since a reader sees either
//! whole entries of the position it asks for or none (see [`Bucket`](crate::search::bucket::Bucket)). A thread that is
//! stopped leaves all positions of its path without storing anything.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::thread;

use super::root::RootMove;
use super::{DEEPEST, Playing, Search};
use crate::game::Game;
use crate::outcome::Wdl;
use crate::search::alphabeta::order::Learned;
use crate::search::budget::Stopped;
use crate::search::report::{Bounds, Report};

/// Steps that a thread takes from the stock at a time, at most, and how often it comes at least where they are few.
const SLICE: u64 = 64;
const SLICES: u64 = 16;

/// What threads share besides the table.
pub(super) struct Team {
    helpers: usize,
    /// Raised when the stage is over.
    pub over: AtomicBool,
    /// Steps that nobody has taken so far.
    stock: AtomicU64,
    slice: u64,
    /// Steps that all threads have made, and entries in the table, as far as they have told.
    done: AtomicU64,
    filled: AtomicU64,
    /// The depth of the first thread.
    depth: AtomicU32,
}

/// What a thread has told the others, and the steps up to which it may go.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Told {
    done: u64,
    filled: u64,
    pub granted: u64,
}

impl Told {
    /// There are no others: the budget alone says how far to go.
    pub(super) const NOBODY: Self = Self { done: 0, filled: 0, granted: u64::MAX };
}

/// Bytes of a helper: what it learns, and the positions of its path.
pub(super) fn bytes_of_helper<G: Game>(start: &G) -> usize {
    Learned::BYTES + DEEPEST * (size_of::<G>() + start.heap_bytes())
}

/// How many threads to start besides the first one: as many as have room in a quarter of the memory.
pub(super) fn helpers<G: Game>(start: &G, threads: usize, bytes: usize) -> usize {
    (threads.saturating_sub(1)).min(bytes / 4 / bytes_of_helper(start))
}

impl Team {
    pub(super) fn new(helpers: usize, simulations: Option<u64>) -> Self {
        let stock = simulations.unwrap_or(u64::MAX);
        Self {
            helpers,
            over: AtomicBool::new(false),
            stock: AtomicU64::new(stock),
            slice: (stock / (SLICES * (helpers as u64 + 1))).clamp(1, SLICE),
            done: AtomicU64::new(0),
            filled: AtomicU64::new(0),
            depth: AtomicU32::new(0),
        }
    }

    /// Takes steps from the stock: so many, or as many as there are.
    pub(super) fn take(&self, steps: u64) -> u64 {
        let before = self.stock.fetch_update(Relaxed, Relaxed, |stock| Some(stock.saturating_sub(steps)));
        before.unwrap_or_else(|stock| stock).min(steps)
    }

    pub(super) fn give_back(&self, steps: u64) {
        self.stock.fetch_add(steps, Relaxed);
    }

    /// The first thread begins with a depth.
    pub(super) fn lead(&self, depth: u32) {
        self.depth.store(depth, Relaxed);
    }
}

/// In tests threads lose their turn now and then, where the order of events could matter.
#[inline(always)]
pub(super) fn disturb() {
    #[cfg(test)]
    super::thread_tests::disturb();
}

/// What a helper brings home.
struct Found<M> {
    root: Vec<RootMove<M>>,
    line: Vec<M>,
    completed: u32,
    guess: i32,
    bounds: Bounds,
}

impl<G: Game> Search<'_, G> {
    /// Steps of all threads, as far as they have told.
    pub(super) fn steps_of_all(&self) -> u64 {
        let own = self.meter.done();
        self.team.map_or(own, |team| team.done.load(Relaxed) + own - self.told.done)
    }

    /// Tells the other threads what this one has done.
    fn count(&mut self, team: &Team) {
        disturb();
        let (done, filled) = (self.meter.done(), self.memory.filled);
        team.done.fetch_add(done - self.told.done, Relaxed);
        let new = filled - self.told.filled;
        if self.memory.table.is_crowded(team.filled.fetch_add(new, Relaxed) + new) {
            team.over.store(true, Relaxed);
        }
        (self.told.done, self.told.filled) = (done, filled);
    }

    /// Counts for all threads, and takes more steps; false if there are none.
    pub(super) fn tell(&mut self, team: &Team) -> bool {
        self.count(team);
        let more = team.take(team.slice);
        self.told.granted = self.meter.done() + more;
        if more == 0 {
            self.stopped = Some(Stopped::Simulations);
        }
        more > 0
    }

    /// The end of a stage for this thread.
    fn leave(&mut self, team: &Team) {
        self.count(team);
        team.give_back(self.told.granted - self.meter.done());
        self.told.granted = self.meter.done();
    }

    /// Searches deeper and deeper with all threads, until the search is to end or there is nothing deeper.
    pub(super) fn deepen_together(&mut self, team: &Team, observer: &mut dyn FnMut(&Report<G::Move>)) {
        self.told.filled = self.memory.filled;
        team.filled.store(self.memory.filled, Relaxed);
        while self.stopped.is_none() && (self.completed as usize) < DEEPEST && !self.is_settled() {
            team.over.store(false, Relaxed);
            self.depth = self.completed;
            if !self.tell(team) {
                break;
            }
            self.due = self.told.granted.min(self.share.as_ref().map_or(u64::MAX, |share| share.due));
            let found = self.stage(team, observer);
            let asked = self.stopped == Some(Stopped::Cancelled) && !self.meter.stop_flag().load(Relaxed);
            found.into_iter().for_each(|found| self.take_over(found));
            if asked {
                self.stopped = None;
                self.memory.filled = team.filled.load(Relaxed);
                if self.memory.table.is_crowded(self.memory.filled) {
                    self.memory.grow(&self.meter);
                }
                self.told.filled = self.memory.filled;
                team.filled.store(self.memory.filled, Relaxed);
                // Growing gives up when the time is up, and a thread that is called back asks for nothing else.
                if self.meter.is_over() {
                    let cancelled = self.meter.stop_flag().load(Relaxed);
                    self.stopped = Some(if cancelled { Stopped::Cancelled } else { Stopped::Time });
                }
            }
        }
        team.over.store(false, Relaxed);
        self.depth = self.completed;
    }

    /// All threads at work, and what the helpers found.
    fn stage(&mut self, team: &Team, observer: &mut dyn FnMut(&Report<G::Move>)) -> Vec<Found<G::Move>> {
        thread::scope(|scope| {
            let (config, start, seed, budget) = (self.config, self.start, self.seed, self.meter.budget());
            let helper = |number: usize| {
                let mut memory = self.memory.of_helper();
                let judge = self.memory.evaluator.as_ref().map(|evaluator| evaluator.judge());
                let (meter, root) = (self.meter.of_thread(budget), self.root.clone());
                let (bounds, line, guess) = (self.bounds, self.line.clone(), self.guess);
                let (depth, completed) = (self.completed, self.completed);
                let work = move || {
                    let helper = Search {
                        memory: &mut memory,
                        share: None,
                        judge,
                        config,
                        start,
                        scratch: start.clone(),
                        seed,
                        meter,
                        due: 0,
                        team: Some(team),
                        told: Told::default(),
                        bounds,
                        root,
                        line,
                        depth,
                        completed,
                        guess,
                        stopped: None,
                        notice: false,
                    };
                    helper.help(team, number as u32)
                };
                // Fewer threads than were asked for are no reason to fail.
                thread::Builder::new().spawn_scoped(scope, work).ok()
            };
            let helpers: Vec<_> = (1..=team.helpers).filter_map(helper).collect();
            self.deepen_step_by_step(observer);
            // Where the stock is empty the helpers use up what they have taken.
            if self.stopped != Some(Stopped::Simulations) {
                team.over.store(true, Relaxed);
            }
            self.leave(team);
            helpers.into_iter().filter_map(|helper| helper.join().ok()).collect()
        })
    }

    /// What a helper does in a stage.
    fn help(mut self, team: &Team, number: u32) -> Found<G::Move> {
        self.root.iter_mut().for_each(|known| known.steps = 0);
        if self.tell(team) {
            self.due = self.told.granted;
        }
        while self.stopped.is_none() && (self.depth as usize) < DEEPEST && !self.is_settled() {
            let ahead = team.depth.load(Relaxed) + number % 2;
            self.begin_depth((self.depth + 1).max(ahead).min(DEEPEST as u32));
            self.finish_depth();
        }
        if self.is_settled() {
            team.over.store(true, Relaxed);
        }
        self.leave(team);
        let Self { root, line, completed, guess, bounds, .. } = self;
        Found { root, line, completed, guess, bounds }
    }

    /// Adds what a helper found. Its order of the moves counts if it has searched deeper, or has the value.
    fn take_over(&mut self, mut found: Found<G::Move>) {
        let deeper = found.completed > self.completed || found.bounds.value().is_some() && !self.is_settled();
        self.bounds = self.bounds.and(found.bounds);
        for known in &mut found.root {
            if let Some(own) = self.root.iter_mut().find(|own| own.m == known.m) {
                own.bounds = own.bounds.and(known.bounds);
                own.steps += known.steps;
                (known.bounds, known.steps) = (own.bounds, own.steps);
            }
        }
        if deeper {
            (self.root, self.line) = (found.root, found.line);
            (self.completed, self.guess) = (self.completed.max(found.completed), found.guess);
        }
        if self.root.iter().any(|known| known.bounds.least == Wdl::Win) {
            self.bounds = self.bounds.and(Bounds::exactly(Wdl::Win));
        } else if self.root.iter().all(|known| known.bounds == Bounds::exactly(Wdl::Loss)) {
            self.bounds = self.bounds.and(Bounds::exactly(Wdl::Loss));
        }
    }
}

impl<G: Game> Playing<G> {
    /// The memory of another thread: with this table, and with what was learned so far.
    fn of_helper(&self) -> Self {
        let mut memory = Self::new();
        memory.table = Arc::clone(&self.table);
        memory.learned.clone_from(&self.learned);
        memory
    }
}

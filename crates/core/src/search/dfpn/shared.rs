//! One table for several searches at a time, each for a question of its own: the jobs of one machine.
//!
//! As with the threads of one search ([`threads`](super::threads)), everything that is stored as decided is true on every
//! path, or is stored for one path alone, and the root of the search is part of a path.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{RwLock, RwLockReadGuard};

use crate::game::Game;
use crate::search::budget::{Meter, Stopped};
use crate::search::busy::Busy;
use crate::search::dfpn::worker::{Decided, Pause, Question, Worker};
use crate::search::dfpn::{Answer, ByKey, Dfpn, goal_key};
use crate::search::proof::{Goal, ProofNumbers};
use crate::search::table::{Table, TableUse};

/// Visits of a search before it counts its entries for all and lets the table grow.
const SLICE: u64 = 64;

/// A table that threads share.
pub(crate) struct SharedTable {
    table: RwLock<Table>,
    filled: AtomicU64,
    /// Where the threads are, if there are several.
    busy: Option<Busy>,
}

/// One searcher with a [`SharedTable`]: its path, and what it has decided.
pub(crate) struct Hand<G: Game>(Worker<G>);

impl SharedTable {
    pub(crate) fn new(bytes: usize, threads: usize) -> Self {
        let mut table = Table::default();
        table.reset(bytes);
        Self { table: RwLock::new(table), filled: AtomicU64::new(0), busy: (threads > 1).then(Busy::new) }
    }

    fn read(&self) -> RwLockReadGuard<'_, Table> {
        self.table.read().unwrap_or_else(|broken| broken.into_inner())
    }

    /// What is known of a position, on every path.
    pub(crate) fn decided(&self, key: u64, goal: Goal) -> Option<ProofNumbers> {
        let entry = self.read().find(goal_key(key, goal), &mut TableUse::default())?;
        Some(entry.numbers).filter(|numbers| numbers.is_decided())
    }

    /// Searches for `goal` from `start`, which is not finished, until it is decided or the meter says stop.
    pub(crate) fn solve<G: Game>(
        &self,
        hand: &mut Hand<G>,
        config: Dfpn,
        start: &G,
        goal: Goal,
        meter: &mut Meter<'_>,
    ) -> Answer<G::Move> {
        let worker = &mut hand.0;
        let settled = ByKey::default();
        let question = Question { config, goal, settled: &settled, busy: self.busy.as_ref() };
        worker.begin(&question, &self.read(), start, meter.done());
        let mut filled = worker.usage.filled;
        let stopped: Stopped = loop {
            let pause = worker.run(&question, &self.read(), SLICE, meter, &mut |_, _| {});
            let more = worker.usage.filled - filled;
            let all = self.filled.fetch_add(more, Relaxed) + more;
            filled = worker.usage.filled;
            if let Pause::Ended(why) = pause {
                break why;
            }
            if self.read().is_crowded(all) {
                let mut table = self.table.write().unwrap_or_else(|broken| broken.into_inner());
                // Another thread may have been faster.
                if table.is_crowded(all) {
                    table.grow();
                }
            }
        };
        let answer = worker.end(&question, &self.read(), stopped, meter.done());
        if let Some(busy) = &self.busy {
            busy.leave(config.key(start));
        }
        self.filled.fetch_add(worker.usage.filled - filled, Relaxed);
        answer
    }
}

impl<G: Game> Hand<G> {
    /// A searcher whose path may take so many bytes.
    pub(crate) fn new(room: usize) -> Self {
        let mut worker = Worker::new();
        worker.room = room.max(super::LEAST_ROOM);
        Self(worker)
    }

    /// From now on positions are noted that take so much work to decide.
    pub(crate) fn note(&mut self, work: u64) {
        self.0.noted = work;
    }

    /// Positions that were decided on every path since the last call, and that took much work.
    pub(crate) fn take_decided(&mut self) -> Vec<Decided> {
        std::mem::take(&mut self.0.decided)
    }

    /// Takes it as known that positions are decided.
    pub(crate) fn learn(&mut self, table: &SharedTable, goal: Goal, facts: impl IntoIterator<Item = Decided>) {
        let before = self.0.usage.filled;
        let places = table.read();
        for Decided { key, proven, work } in facts {
            let numbers = if proven { ProofNumbers::PROVEN } else { ProofNumbers::DISPROVEN };
            places.store(goal_key(key, goal), numbers, work, &mut self.0.usage);
        }
        table.filled.fetch_add(self.0.usage.filled - before, Relaxed);
    }
}

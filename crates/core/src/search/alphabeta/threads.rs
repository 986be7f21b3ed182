//! Several threads that answer one question with one table.
//!
//! Each thread runs the search of one thread, from the root, on its own path and with its own history of moves. They share
//! the table, so that what one has decided the others look up, and the counts of [`Busy`]. Where a move has failed already,
//! all others probably have to be searched too, and a thread then takes a move that the fewest other threads are at. Where
//! none has failed yet, the first move is probably good, and threads follow each other to split up further down.
//!
//! Threads work in stages. A stage ends when one of them has the answer, when the table should grow, or when it is time to
//! look for a better order of moves; only the paths are lost then. Now and then a thread looks whether another one has
//! decided a position of its path, and turns back there.
//!
//! # Why the answer is right
//! What is in the table is true on every path, whoever stored it (see the top of [`alphabeta`](super)), and entries are
//! never torn (see [`table`](super::table)). A thread decides a position by the rules and by such entries alone.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;

use super::question::Question;
use super::{FREE, Run, Solver};
use crate::game::Game;
use crate::search::budget::{Budget, Meter, Stopped};
use crate::search::busy::Busy;
use crate::search::prover::Notice;

/// Positions of a thread before it counts them for all and looks at what the others have found.
const SLICE: u64 = 64;
/// Slices between two looks at the path.
const LOOKS: u64 = 4;

/// What the threads of a stage share besides the table.
pub(super) struct Team {
    pub busy: Busy,
    /// Raised when the stage is over.
    over: AtomicBool,
    /// Entries in the table, and positions that all threads have opened since the search began.
    filled: AtomicU64,
    visits: AtomicU64,
    limit: u64,
}

/// What a thread has told the others, and when it is to tell them more.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Told {
    visits: u64,
    filled: u64,
    slices: u64,
}

impl<G: Game> Solver<G> {
    /// Searches with several threads until the question is answered or the meter says stop.
    pub(super) fn solve_together(
        &mut self,
        start: &G,
        question: &Question,
        meter: &mut Meter<'_>,
        notice: &mut Notice<'_>,
    ) -> (Option<bool>, Stopped) {
        let (threads, room, began) = (meter.budget().threads, self.room, meter.done());
        // This thread and all others have half of the room each: what one thread can answer should not fail here.
        self.room = room / 2;
        let result = loop {
            let team = Arc::new(Team {
                busy: Busy::new(),
                over: AtomicBool::new(false),
                filled: AtomicU64::new(self.usage.filled),
                visits: AtomicU64::new(0),
                limit: meter.steps_left(),
            });
            let (run, others) = thread::scope(|scope| {
                let helper = |_| {
                    let mut helper = self.helper(&team, room / 2 / (threads - 1));
                    let work = move || {
                        let (budget, team) = (Budget::default(), helper.team.clone());
                        let Some(team) = team else { return (Run::Paused, helper, 0) };
                        let mut meter = Meter::new(&budget, &team.over);
                        let run = helper.run(start, question, &mut meter, &mut |_, _| {}, u64::MAX);
                        if let Run::Decided(_) = run {
                            team.over.store(true, Relaxed);
                        }
                        (run, helper, meter.done())
                    };
                    // Fewer threads than were asked for are no reason to fail.
                    thread::Builder::new().spawn_scoped(scope, work).ok()
                };
                let helpers: Vec<_> = (1..threads).filter_map(helper).collect();
                self.team = Some(Arc::clone(&team));
                self.told = Told { visits: meter.done(), filled: self.usage.filled, slices: 0 };
                let pause = began.saturating_add(self.sampling.pause());
                let mut run = self.run(start, question, meter, notice, pause);
                self.team = None;
                // The others go on while this thread looks for a better order.
                if matches!(run, Run::Paused)
                    && meter.done() > pause
                    && let Some(why) = self.pause(start, question, meter, meter.done() - began)
                {
                    run = Run::Stopped(why);
                }
                team.over.store(true, Relaxed);
                (run, helpers.into_iter().filter_map(|helper| helper.join().ok()).collect::<Vec<_>>())
            });
            let mut answer = None;
            for (run, helper, visits) in others {
                self.usage.filled += helper.usage.filled;
                self.usage.lookups += helper.usage.lookups;
                self.usage.hits += helper.usage.hits;
                self.usage.replaced += helper.usage.replaced;
                meter.add(visits);
                if let Run::Decided(found) = run {
                    (answer, self.best) = (Some(found), helper.best);
                }
            }
            match run {
                Run::Decided(found) => break (Some(found), Stopped::Proven),
                _ if answer.is_some() => break (answer, Stopped::Proven),
                Run::Stopped(why) => break (None, why),
                Run::Paused if meter.steps_left() == 0 => break (None, Stopped::Simulations),
                Run::Paused => {}
            }
            self.grow_if_crowded();
        };
        self.room = room;
        result
    }

    /// A solver for another thread: with this table and what was learned so far.
    fn helper(&self, team: &Arc<Team>, room: usize) -> Self {
        let mut helper = Self::new();
        helper.table = Arc::clone(&self.table);
        helper.learned.clone_from(&self.learned);
        (helper.order, helper.threats, helper.symmetric) = (self.order, self.threats, self.symmetric);
        (helper.repeats, helper.keeps, helper.room) = (self.repeats, self.keeps, room);
        helper.knows = self.knows;
        helper.beside.clone_from(&self.beside);
        helper.team = Some(Arc::clone(team));
        helper
    }

    /// Counts for all threads; until when to go on, or nothing if this stage or its turn is over.
    #[cold]
    pub(super) fn tell(&mut self, done: u64, pause: u64) -> Option<u64> {
        let team = self.team.as_ref()?;
        let told = &mut self.told;
        let visits = team.visits.fetch_add(done - told.visits, Relaxed) + done - told.visits;
        let new = self.usage.filled - told.filled;
        let filled = team.filled.fetch_add(new, Relaxed) + new;
        (told.visits, told.filled) = (done, self.usage.filled);
        told.slices += 1;
        if visits >= team.limit || self.table.is_crowded(filled) {
            team.over.store(true, Relaxed);
        }
        let over = done > pause || team.over.load(Relaxed);
        (!over).then(|| pause.min(done + SLICE))
    }

    /// Turns back to the highest position of the path that another thread has decided; its answer, if there is one.
    pub(super) fn turn_back(&mut self, question: &Question) -> Option<(bool, u32)> {
        if !self.told.slices.is_multiple_of(LOOKS) {
            return None;
        }
        let known = |at: usize| self.table.find(self.frames[at].key)?.known.answer(question.threshold);
        let (depth, answer) = (1..self.frames.len()).find_map(|at| Some((at, known(at)?)))?;
        while self.frames.len() > depth {
            let frame = self.frames.pop()?;
            self.held -= frame.bytes;
            self.close(frame.from, frame.kept, frame.own_key);
            if let Some(team) = &self.team {
                team.busy.leave(frame.key);
            }
        }
        Some((answer, FREE))
    }

    /// Puts the child that the fewest other threads are at in front of the others that are left, if one has failed.
    pub(super) fn choose_child(&mut self) {
        let (Some(team), Some(frame)) = (&self.team, self.frames.last()) else { return };
        let children = &mut self.children[frame.next..];
        if !frame.failed || children.len() < 2 {
            return;
        }
        let fewest = children.iter().enumerate().min_by_key(|(_, child)| team.busy.threads(child.key));
        if let Some((at @ 1.., _)) = fewest {
            children[..=at].rotate_right(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::mix64;

    #[test]
    fn positions_that_were_left_are_as_free_as_before_however_many_threads_came() {
        let busy = Busy::new();
        thread::scope(|scope| {
            for thread in 0..4u64 {
                let busy = &busy;
                scope.spawn(move || {
                    for key in (0..2000).map(|n| mix64(n * (1 + thread % 2))) {
                        busy.enter(key);
                        assert!(busy.threads(key) > 0, "this thread at least");
                        busy.leave(key);
                    }
                });
            }
        });
        assert!((0..1 << 16).map(mix64).all(|key| busy.threads(key) == 0));
    }
}

//! Several threads that search one tree.
//!
//! The upper part of the tree belongs to all threads, under one lock. Under that lock a thread goes down from the root as
//! a simulation does, to a child with few visits, and takes it: the link to the child leaves the tree, and the thread
//! alone has all that is below. It makes some simulations there, without any lock and as fast as a single thread, and hands
//! the child in again with what they add up to: results, proof numbers, bounds, all-moves-as-first values.
//!
//! - Simulations under way are counted as visits with the mean of the child so far ("in-flight counts"), so that
//!   other threads go elsewhere where exploration says so. A child that a thread has is taken by nobody else.
//! - The more visits the root has, the larger are the parts that threads take and the more simulations they make there. So
//!   the lock costs little, and no thread holds more than a small share of the tree.
//! - What a thread takes is found again by its moves, since children change places while it is away and blocks move.
//! - When a report is due, all threads hand in what they have: reports and views see a tree in which nothing is missing.
//!
//! Which thread comes first is for the system to say: searches by several threads are not repeatable.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::learn::{code, referred_node, values_of};
use super::prove::Prover;
use super::simulate::NONE;
use super::worker::Worker;
use super::{Search, Workspace};
use crate::game::Game;
use crate::outcome::Outcome;
use crate::search::budget::{Budget, Meter, Stopped, Tick};
use crate::search::dfpn::Solver;
use crate::search::report::{Bounds, Report};
use crate::search::tree::{Head, Link, Node, Step, Tree};

/// A thread takes a child with at most the root's visits, divided by this and by the number of threads.
const PARTS: u32 = 16;
/// Visits of a child that may always be taken, and that may be taken at most.
const SMALL: u32 = 16;
const LARGE: u32 = 1024;
/// A thread makes as many simulations at a child as this part of its visits, and not more than so many.
const SHARE: u32 = 4;
const MOST: u32 = 256;
/// In place of the sum of a child that must not be chosen.
const NEVER: i32 = -(1 << 30);

/// Simulations under the lock after which a thread looks at the time.
const PLAYED: u32 = 16;

/// What a thread may do next.
enum Next {
    /// So many simulations below the child that it has now.
    Search(u64),
    /// Ask again: there were simulations, but all of them ended in the upper part of the tree.
    Again,
    /// Wait: all that could be taken is taken.
    Wait,
}

/// A child that a thread has taken.
struct Lease<M> {
    /// The way to it: nodes, slots at that time, moves, and what is added to sums while it is away.
    line: Vec<(Node, usize, M, i32)>,
    /// Simulations that are counted for it so far.
    counted: u32,
}

/// What the lock guards.
struct Top<'s, 'a, G: Game> {
    search: &'s mut Search<'a, G>,
    /// By thread.
    leases: Vec<Option<Lease<G::Move>>>,
    /// Ways that lead to nothing but children that are taken, as nodes and moves.
    closed: Vec<(Node, G::Move)>,
    done: u64,
    /// Simulations that nobody has taken so far.
    left: u64,
    ended: Option<Stopped>,
    /// Whether nobody may take anything.
    paused: bool,
}

struct Shared<'s, 'a, G: Game> {
    top: Mutex<Top<'s, 'a, G>>,
    /// Something was handed in, or may be taken again.
    changed: Condvar,
    /// Asks all threads to hand in what they have.
    hurry: AtomicBool,
}

impl<'s, 'a, G: Game> Shared<'s, 'a, G> {
    fn lock(&self) -> MutexGuard<'_, Top<'s, 'a, G>> {
        disturb();
        self.top.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'g>(&'g self, top: MutexGuard<'g, Top<'s, 'a, G>>) -> MutexGuard<'g, Top<'s, 'a, G>> {
        self.changed.wait(top).unwrap_or_else(PoisonError::into_inner)
    }

    fn end(&self, top: &mut Top<'s, 'a, G>, why: Stopped) {
        top.ended.get_or_insert(why);
        self.hurry.store(true, Relaxed);
        self.changed.notify_all();
    }

    /// Waits until all is handed in and nobody takes anything.
    fn pause<'g>(&'g self, mut top: MutexGuard<'g, Top<'s, 'a, G>>) -> MutexGuard<'g, Top<'s, 'a, G>> {
        top.paused = true;
        self.hurry.store(true, Relaxed);
        while top.leases.iter().any(Option::is_some) {
            top = self.wait(top);
        }
        top
    }

    fn go_on(&self, top: &mut Top<'s, 'a, G>) {
        top.paused = false;
        self.hurry.store(top.ended.is_some(), Relaxed);
        self.changed.notify_all();
    }

    /// What thread `number` does until the search ends; false if it is to report first.
    fn work(&self, number: usize, worker: &mut Worker<'_, G>, meter: &mut Meter<'_>, main: bool) -> bool {
        let first = meter.tick();
        let mut top = self.lock();
        if let Tick::Stop(why) = first {
            self.end(&mut top, why);
        }
        loop {
            if top.ended.is_some() {
                return true;
            }
            if main && top.is_due() {
                return false;
            }
            let next = if top.paused { Next::Wait } else { top.take(number, worker) };
            let tick = match next {
                Next::Wait => {
                    match top.over() {
                        Some(why) => self.end(&mut top, why),
                        None => top = self.wait(top),
                    }
                    continue;
                }
                Next::Again => {
                    // The others may be waiting for just this lock.
                    drop(top);
                    let tick = meter.tick();
                    top = self.lock();
                    tick
                }
                Next::Search(batch) => {
                    drop(top);
                    let tick = self.simulate(worker, batch, meter);
                    top = self.lock();
                    top.hand_in(number, worker);
                    self.changed.notify_all();
                    tick
                }
            };
            match tick {
                Tick::Stop(why) => self.end(&mut top, why),
                Tick::Notice if main => return false,
                Tick::Notice | Tick::Go => {}
            }
        }
    }

    /// Makes simulations below the child that the worker has.
    fn simulate(&self, worker: &mut Worker<'_, G>, batch: u64, meter: &mut Meter<'_>) -> Tick {
        let mut left = batch;
        loop {
            disturb();
            // One at least: a child that was just visited must not be left without a visit.
            worker.simulate(left);
            left -= u64::from(worker.search.made);
            if left == 0 || self.hurry.load(Relaxed) || !worker.decided && worker.is_decided() {
                return meter.tick();
            }
            match meter.tick() {
                Tick::Go => {}
                other => return other,
            }
        }
    }
}

impl<G: Game> Top<'_, '_, G> {
    /// Why the search is over, if there is nothing left to do.
    fn over(&self) -> Option<Stopped> {
        if self.search.is_settled() {
            return Some(Stopped::Proven);
        }
        (self.left == 0 && self.leases.iter().all(Option::is_none)).then_some(Stopped::Simulations)
    }

    /// Whether it is the turn of the search beside the tree.
    fn is_due(&self) -> bool {
        self.left > 0 && self.done >= self.search.prover.due
    }

    /// Gives thread `number` a child and the number of simulations to make there.
    fn take(&mut self, number: usize, worker: &mut Worker<'_, G>) -> Next {
        self.closed.clear();
        let mut played = 0;
        while self.left > 0 && !self.search.is_settled() {
            match self.descend() {
                Found::Child(link) => return Next::Search(self.lease(number, worker, link)),
                Found::Known(known) => {
                    self.play_here(known);
                    played += 1;
                    if played == PLAYED {
                        return Next::Again;
                    }
                }
                // Once more, without the way that led there.
                Found::Closed => match self.search.space.path.last() {
                    Some(&step) => self.closed.push((step.node, self.search.space.tree.move_of(step.node, step.slot))),
                    None => return Next::Wait,
                },
            }
        }
        Next::Wait
    }

    /// Goes down the tree to what is taken next.
    fn descend(&mut self) -> Found {
        let threads = self.leases.len() as u32;
        let search = &mut *self.search;
        let small = (search.space.tree.visits(search.root) / (PARTS * threads)).clamp(SMALL, LARGE);
        search.state.clone_from(search.start);
        search.space.path.clear();
        search.space.move_stats.trace.clear();
        let (mut node, mut may_visit) = (search.root, true);
        loop {
            let search = &mut *self.search;
            let head = search.space.tree.head(node);
            let Some((new, slot)) = choose(search, &self.leases, &self.closed, &head, may_visit) else {
                return Found::Closed;
            };
            if new {
                let fits = if head.visited == head.capacity { search.grow(node) } else { Some(node) };
                if let Some(now) = fits {
                    if now != node {
                        follow(&mut self.leases, &mut self.closed, node, now);
                    }
                    search.visit_new(now);
                    return match search.state.outcome() {
                        Some(outcome) => Found::Known(Some(outcome)),
                        None => Found::Child(Link::Leaf(0)),
                    };
                }
                search.full_after.get_or_insert(self.done);
                if slot == NONE {
                    may_visit = false;
                    continue;
                }
            }
            may_visit = true;
            if slot == NONE {
                return Found::Known(None);
            }
            let (step, m, link) = search.space.tree.step(&head, slot);
            if search.records {
                search.space.move_stats.trace.push((head.mover, m));
            }
            search.state.play(m);
            search.space.path.push(step);
            let known = if search.visits_decided { search.decided(step) } else { None };
            if let Some(outcome) = known.or(search.state.outcome()) {
                return Found::Known(Some(outcome));
            }
            match link {
                Link::Leaf(_) => return Found::Child(link),
                Link::Node(child) => {
                    let inside = |lease: &Lease<_>| lease.line.iter().any(|part| part.0 == child);
                    if search.space.tree.visits(child) <= small && !self.leases.iter().flatten().any(inside) {
                        return Found::Child(link);
                    }
                    node = child;
                }
            }
        }
    }

    /// A simulation that ends above all children that could be taken.
    fn play_here(&mut self, known: Option<Outcome>) {
        let search = &mut *self.search;
        if search.rules.full {
            search.play_out_full(known, self.left);
        } else {
            search.made = 1;
            let limit = search.plies_left();
            let outcome = known.unwrap_or_else(|| search.state.playout(&mut search.rng, limit).outcome);
            search.back_up::<false>(outcome);
        }
        self.done += u64::from(self.search.made);
        self.left -= u64::from(self.search.made);
    }

    /// Takes the child at the end of the path out of the tree, for thread `number`.
    fn lease(&mut self, number: usize, worker: &mut Worker<'_, G>, link: Link) -> u64 {
        let search = &mut *self.search;
        let Workspace { tree, path, move_stats, second, .. } = &mut *search.space;
        let (root_visits, full) = (tree.visits(search.root), search.rules.full);
        let playouts = search.rules.config.playouts.at(root_visits);
        let (visits, wanted) = match link {
            Link::Leaf(visits) => (visits, 1),
            Link::Node(node) => (tree.visits(node), (tree.visits(node) / SHARE).clamp(1, MOST)),
        };
        let batch = wanted.max(playouts).min(self.left.min(u64::from(MOST)) as u32);
        let below = &mut worker.search;
        below.base.clone_from(&search.state);
        below.above = path.len();
        below.space.move_stats.trace.clone_from(&move_stats.trace);
        if let Link::Node(node) = link {
            below.root = node;
        }
        (worker.link, worker.room) = (link, true);
        let mut line = Vec::with_capacity(path.len());
        if let Some(&step) = path.last() {
            worker.mover = step.mover;
            if search.counted.is_some() {
                below.root_numbers = tree.numbers(step.node, step.slot);
            }
            if second.is_some() {
                below.root_second = tree.second_numbers(step.node, step.slot);
            }
            if search.rules.config.solver.is_some() {
                worker.bounds = tree.bounds(step.node, step.slot);
                below.root_bounds = match link {
                    Link::Node(node) => tree.node_bounds(node),
                    Link::Leaf(_) => Bounds::OPEN,
                };
            }
            tree.set_link(step.node, step.slot, Link::Leaf(visits + batch));
        }
        if let Some(tally) = &mut below.tally {
            tally.root_visits = root_visits;
            let reference = search.rules.config.reference;
            if search.rules.config.rave.is_some() && reference > 0 {
                tally.referred.clear();
                for mover in path.iter().map(|step| step.mover) {
                    if !tally.referred.iter().any(|known| known.0 == mover)
                        && let Some(node) = referred_node(tree, mover, path, reference)
                    {
                        tally.referred.push((mover, values_of(tree, node).collect()));
                    }
                }
            }
        }
        worker.decided = worker.is_decided();
        let mut below = visits + batch;
        for &step in path.iter().rev() {
            // As if the simulations under way were to bring what the child has brought so far.
            let before = (below - batch).max(1);
            let more = (f64::from(tree.sum(step)) / f64::from(before) * f64::from(batch)) as i32;
            line.push((step.node, step.slot, tree.move_of(step.node, step.slot), more));
            let child = below;
            below = tree.correct(step, more, child, i64::from(batch));
            if full {
                tree.fade(step, child);
            }
        }
        line.reverse();
        self.leases[number] = Some(Lease { line, counted: batch });
        self.left -= u64::from(batch);
        u64::from(batch)
    }

    /// Puts what a thread had back into the tree, with all that it has found out.
    fn hand_in(&mut self, number: usize, worker: &mut Worker<'_, G>) {
        let Some(lease) = self.leases[number].take() else { return };
        let search = &mut *self.search;
        let below = &mut worker.search;
        search.space.path.clear();
        for &(node, slot, m, _) in &lease.line {
            let tree = &search.space.tree;
            let head = tree.head(node);
            let slot = if tree.move_of(node, slot) == m { slot } else { tree.slot_of(&head, m).unwrap_or(slot) };
            search.space.path.push(tree.step(&head, slot).0);
        }
        let tree = &mut search.space.tree;
        tree.count_nodes(below.space.tree.take_nodes());
        let Some(&last) = search.space.path.last() else { return };
        tree.set_link(last.node, last.slot, worker.link);
        let mut visits = match worker.link {
            Link::Leaf(visits) => visits,
            Link::Node(node) => tree.visits(node),
        };
        match (search.counted, search.space.second) {
            (Some(_), Some(_)) => search.back_up_both(below.root_numbers, below.root_second),
            (Some(_), None) => search.back_up_numbers(below.root_numbers),
            (None, _) => {}
        }
        let solver = search.rules.config.solver.is_some();
        if solver {
            // What is proven stays proven, whoever has found it out.
            let known = search.space.tree.bounds(last.node, last.slot);
            search.back_up_bounds(worker.bounds.and(known));
        }
        let Some(tally) = &mut below.tally else { return };
        let two = search.start.players() == 2;
        let Workspace { tree, path, .. } = &mut *search.space;
        let more = i64::from(tally.made) - i64::from(lease.counted);
        for (&step, &(_, _, m, counted)) in path.iter().zip(&lease.line).rev() {
            let own = tally.sums[step.mover.index()];
            let child = visits;
            visits = tree.correct(step, own - counted, child, more);
            if search.rules.full {
                tree.fade(step, child);
            }
            if solver && let Some(bounds) = tree.clip(step, child) {
                // What is proven here holds for everyone above.
                let made = tally.made as i32;
                let proven = own.clamp(bounds.least.value() * made, bounds.most.value() * made);
                if two {
                    (tally.sums[step.mover.index()], tally.sums[step.mover.other().index()]) = (proven, -proven);
                }
            }
            if search.rules.config.rave.is_some() {
                tally.note_move_above(step.mover.index(), code(&m));
                let values = tally.amaf(step.mover);
                tree.add_amaf(step.node, |m| values[code(&m)]);
            }
        }
        self.done += u64::from(tally.made);
        self.left += u64::from(lease.counted) - u64::from(tally.made);
        tally.clear();
        if !worker.room {
            search.full_after.get_or_insert(self.done);
        }
        if solver {
            search.prune_path();
        }
    }
}

/// In tests threads lose their turn now and then, where the order of events could matter.
#[inline(always)]
fn disturb() {
    #[cfg(test)]
    super::thread_tests::disturb();
}

/// Ends the search when its thread panics: the others would wait for what it has.
struct Leaving<'g, 's, 'a, G: Game>(&'g Shared<'s, 'a, G>, usize);

impl<G: Game> Drop for Leaving<'_, '_, '_, G> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let mut top = self.0.lock();
            top.leases[self.1] = None;
            self.0.end(&mut top, Stopped::Cancelled);
        }
    }
}

/// Where a way down the tree ends.
enum Found {
    /// At a child that can be taken.
    Child(Link),
    /// At a child whose value is known, or, if it is not, where a play-out begins.
    Known(Option<Outcome>),
    /// At a node whose children are all taken.
    Closed,
}

/// A block moved.
fn follow<M>(leases: &mut [Option<Lease<M>>], closed: &mut [(Node, M)], old: Node, new: Node) {
    let lines = leases.iter_mut().flatten().flat_map(|lease| lease.line.iter_mut().map(|part| &mut part.0));
    lines.chain(closed.iter_mut().map(|way| &mut way.0)).filter(|node| **node == old).for_each(|node| *node = new);
}

/// What selection says at a node, as in a simulation, but without the children that cannot be taken. None if that leaves
/// none.
fn choose<G: Game>(
    search: &mut Search<'_, G>,
    leases: &[Option<Lease<G::Move>>],
    closed: &[(Node, G::Move)],
    head: &Head,
    may_visit: bool,
) -> Option<(bool, usize)> {
    let taken = leases.iter().flatten().filter_map(|lease| lease.line.last()).map(|part| (part.0, part.2));
    let tree = &mut search.space.tree;
    let mut hidden: Vec<(Step, i32)> = Vec::new();
    for (_, m) in taken.chain(closed.iter().copied()).filter(|way| way.0 == head.node) {
        if let Some(slot) = tree.slot_of(head, m) {
            let step = tree.step(head, slot).0;
            hidden.push((step, tree.swap_sum(step, NEVER)));
        }
    }
    let chosen = if search.rules.full {
        search.weigh(head, may_visit)
    } else if may_visit && head.visited < head.children {
        (true, NONE)
    } else {
        (false, search.select_plain(head))
    };
    for &(step, sum) in hidden.iter().rev() {
        search.space.tree.swap_sum(step, sum);
    }
    let is_hidden = hidden.iter().any(|(step, _)| step.slot == chosen.1);
    match chosen {
        (true, slot) => Some((true, if is_hidden { NONE } else { slot })),
        (false, slot) => (!is_hidden).then_some((false, slot)),
    }
}

impl<G: Game> Search<'_, G> {
    /// Searches with all threads of the budget. None if the tree cannot be shared, or there are no threads.
    pub(super) fn run_threads(
        &mut self,
        meter: &mut Meter<'_>,
        observer: &mut dyn FnMut(&Report<G::Move>),
    ) -> Option<Stopped> {
        let threads = meter.budget().threads;
        let mut views = self.space.tree.views(threads + 1)?;
        let mut spaces = std::mem::take(&mut self.space.threads);
        spaces.resize_with(threads, Workspace::new);
        let nodes = self.space.tree.take_nodes();
        let view = views.pop()?;
        let whole = std::mem::replace(&mut self.space.tree, view);
        self.space.tree.count_nodes(nodes);
        let budget = Budget { simulations: None, ..meter.budget().clone() };
        let stopped = self.run_workers(&mut spaces, views, &budget, meter, observer);
        let last = std::mem::replace(&mut self.space.tree, whole);
        spaces.iter_mut().for_each(|space| space.tree = Tree::new());
        self.space.tree.end_views(last);
        self.space.threads = spaces;
        Some(stopped)
    }

    fn run_workers(
        &mut self,
        spaces: &mut [Workspace<G>],
        views: Vec<Tree<G::Move>>,
        budget: &Budget,
        meter: &mut Meter<'_>,
        observer: &mut dyn FnMut(&Report<G::Move>),
    ) -> Stopped {
        let mut workers: Vec<Worker<'_, G>> = Vec::with_capacity(spaces.len());
        for (space, view) in spaces.iter_mut().zip(views) {
            space.tree = view;
            workers.push(Worker::new(self, space));
        }
        let left = meter.steps_left();
        let leases = workers.iter().map(|_| None).collect();
        let (done, closed) = (meter.done(), Vec::new());
        let top = Top { search: self, leases, closed, done, left, ended: None, paused: false };
        let shared = Shared { top: Mutex::new(top), changed: Condvar::new(), hurry: AtomicBool::new(false) };
        std::thread::scope(|scope| {
            let mut workers = workers.into_iter().enumerate();
            let first = workers.next();
            for (number, mut worker) in workers {
                let mut meter = meter.of_thread(budget);
                let shared = &shared;
                let work = move || {
                    let _leaving = Leaving(shared, number);
                    shared.work(number, &mut worker, &mut meter, false);
                };
                // Fewer threads than were asked for are no reason to fail.
                let _ = std::thread::Builder::new().spawn_scoped(scope, work);
            }
            if let Some((number, mut worker)) = first {
                shared.lead(number, &mut worker, budget, meter, observer);
            }
        });
        let top = shared.top.into_inner().unwrap_or_else(PoisonError::into_inner);
        meter.count_to(top.done);
        top.ended.unwrap_or(Stopped::Cancelled)
    }
}

impl<G: Game> Shared<'_, '_, G> {
    /// What the first thread does: the work of all others, and df-pn, and reports.
    fn lead(
        &self,
        number: usize,
        worker: &mut Worker<'_, G>,
        budget: &Budget,
        meter: &mut Meter<'_>,
        observer: &mut dyn FnMut(&Report<G::Move>),
    ) {
        let _leaving = Leaving(self, number);
        let mut own = meter.of_thread(budget);
        while !self.work(number, worker, &mut own, true) {
            let mut top = self.lock();
            if top.is_due() {
                meter.count_to(top.done);
                self.prove(top, worker, meter);
                // Where the time is up no step of it is made, and it would be its turn again.
                if let Tick::Stop(why) = own.tick() {
                    self.end(&mut self.lock(), why);
                }
                continue;
            }
            top = self.pause(top);
            meter.count_to(top.done);
            top.search.show();
            observer(&top.search.report(meter, None));
            self.go_on(&mut top);
        }
    }

    /// df-pn on the root, while other threads search the tree.
    fn prove(&self, mut top: MutexGuard<'_, Top<'_, '_, G>>, worker: &mut Worker<'_, G>, meter: &mut Meter<'_>) {
        let before = top.done;
        let own = &mut worker.search;
        own.prover = std::mem::replace(&mut top.search.prover, Prover::absent());
        own.space.solver = std::mem::replace(&mut top.search.space.solver, Solver::new());
        drop(top);
        own.prove_on(meter);
        let mut top = self.lock();
        let cost = (meter.done() - before).min(top.left);
        top.done += cost;
        top.left -= cost;
        let search = &mut *top.search;
        search.prover = std::mem::replace(&mut own.prover, Prover::absent());
        search.space.solver = std::mem::replace(&mut own.space.solver, Solver::new());
        search.carry_over();
        self.changed.notify_all();
    }
}

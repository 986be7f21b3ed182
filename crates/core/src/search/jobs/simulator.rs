//! A cluster that is not there: jobs are really done, one after the other, and their results arrive when a clock that
//! exists in the simulation alone says so. Everything depends on the seed.
//!
//! A job takes as long as df-pn took nodes. Messages take time, a share of the jobs is slow, and a share is lost with the
//! machine that had it, along with the table of that machine.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::sync::atomic::AtomicBool;

use crate::game::Game;
use crate::rng::Rng;
use crate::search::jobs::{Event, Executor, Job, JobResult, JobSolver};

/// What the cluster is like. Times are in nanoseconds.
#[derive(Clone, Debug, PartialEq)]
pub struct Cluster {
    /// Workers, each of which does one job at a time.
    pub workers: usize,
    /// Workers of one machine, which share a table.
    pub together: usize,
    /// Bytes of the table of a machine.
    pub memory: usize,
    /// Time that a worker takes for a node.
    pub node: u64,
    /// Time of a message from the coordinator to a worker, or back.
    pub latency: u64,
    /// Time of the coordinator for each message.
    pub handling: u64,
    /// Time of the coordinator for each answer that it sends along.
    pub fact: u64,
    /// The share of jobs that take [`slowness`](Cluster::slowness) times as long.
    pub stragglers: f64,
    /// How many times as long slow jobs take.
    pub slowness: u64,
    /// The share of jobs whose machine fails before it answers.
    pub losses: f64,
    /// Time until a failure is noticed.
    pub timeout: u64,
    /// The share of results that arrive twice.
    pub repeats: f64,
    /// Where randomness starts.
    pub seed: u64,
}

impl Cluster {
    /// So many workers on machines of sixteen, without failures: 4 µs for a node, 100 µs for a message, 5 µs of the
    /// coordinator for each message and 50 ns for each answer in it.
    pub fn of(workers: usize) -> Self {
        Self {
            workers,
            together: 16,
            memory: 1 << 30,
            node: 4_000,
            latency: 100_000,
            handling: 5_000,
            fact: 50,
            stragglers: 0.0,
            slowness: 4,
            losses: 0.0,
            timeout: 10_000_000,
            repeats: 0.0,
            seed: 1,
        }
    }
}

/// What a simulated search took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Time that has passed, in nanoseconds.
    pub time: u64,
    /// Time of all workers at work, in nanoseconds.
    pub worked: u64,
    /// Nodes of all jobs that ended, those that were lost included.
    pub nodes: u64,
    /// Jobs that were handed out.
    pub jobs: u64,
    /// Time of the coordinator at work, in nanoseconds.
    pub handled: u64,
}

/// Something that is going to happen to the job of a worker.
struct Flight {
    worker: usize,
    began: u64,
    ends: u64,
    nodes: u64,
    event: Event,
}

/// An executor for a cluster in a simulation.
pub struct Simulator<G: Game> {
    cluster: Cluster,
    rng: Rng,
    now: u64,
    spent: Spent,
    machines: Vec<Option<JobSolver<G>>>,
    /// The name of each machine, which goes with its table.
    names: Vec<usize>,
    /// Workers that are free, by machine.
    free: Vec<Vec<usize>>,
    flights: BTreeMap<u64, Flight>,
    /// Jobs by the time of their end; some were cancelled, and end at another time.
    ends: BinaryHeap<Reverse<(u64, u64)>>,
    again: Vec<(u64, JobResult)>,
}

impl<G: Game> Simulator<G> {
    /// A cluster whose machines know nothing.
    pub fn new(cluster: Cluster) -> Self {
        let together = cluster.together.max(1);
        let machines = cluster.workers.div_ceil(together);
        let mut free = vec![Vec::new(); machines];
        (0..cluster.workers).for_each(|worker| free[worker / together].push(worker));
        Self {
            rng: Rng::new(cluster.seed),
            now: 0,
            spent: Spent::default(),
            machines: (0..machines).map(|_| None).collect(),
            names: (0..machines).collect(),
            free,
            flights: BTreeMap::new(),
            ends: BinaryHeap::new(),
            again: Vec::new(),
            cluster,
        }
    }

    /// What the search took so far, jobs in flight included as far as they are.
    pub fn spent(&self) -> Spent {
        let mut spent = Spent { time: self.now, ..self.spent };
        for flight in self.flights.values() {
            let (worked, nodes) = part(flight, self.now);
            spent.worked += worked;
            spent.nodes += nodes;
        }
        spent
    }

    fn chance(&mut self, share: f64) -> bool {
        share > 0.0 && self.rng.unit() < share
    }
}

/// The time that a worker has been at a job, and the nodes that it opened.
fn part(flight: &Flight, now: u64) -> (u64, u64) {
    let whole = (flight.ends - flight.began).max(1);
    let worked = now.saturating_sub(flight.began).min(whole);
    (worked, (u128::from(flight.nodes) * u128::from(worked) / u128::from(whole)) as u64)
}

impl<G: Game> Executor<G> for Simulator<G> {
    fn workers(&self) -> usize {
        self.cluster.workers
    }

    /// A machine with most workers free, so that they are spread over the machines.
    fn free(&self) -> Option<usize> {
        let most = |&machine: &usize| (self.free[machine].len(), Reverse(machine));
        let machine = (0..self.free.len()).max_by_key(most)?;
        (!self.free[machine].is_empty()).then_some(self.names[machine])
    }

    fn submit(&mut self, place: usize, job: Job<G>) -> usize {
        let Cluster { memory, node, latency, handling, fact, stragglers, slowness, losses, timeout, .. } = self.cluster;
        let handling = handling + fact * job.facts.len() as u64;
        (self.now, self.spent.handled) = (self.now + handling, self.spent.handled + handling);
        self.spent.jobs += 1;
        let Some(machine) = self.names.iter().position(|&name| name == place) else { return 0 };
        let Some(worker) = self.free[machine].pop() else { return 0 };
        let solver = self.machines[machine].get_or_insert_with(|| JobSolver::new(memory));
        let result = solver.solve(&job, &AtomicBool::new(false));
        let nodes = result.nodes;
        let factor = if self.chance(stragglers) { slowness } else { 1 };
        let began = self.now + latency;
        let mut ends = began + (nodes * node * factor).max(1);
        let mut event = Event::Done(result);
        if self.chance(losses) {
            ends += timeout;
            event = Event::Lost(job.id);
            // Another machine takes its place, which knows nothing.
            self.machines[machine] = None;
            self.names[machine] = self.machines.len() + self.spent.jobs as usize;
        }
        self.ends.push(Reverse((ends + latency, job.id)));
        self.flights.insert(job.id, Flight { worker, began, ends, nodes, event });
        worker
    }

    fn wait(&mut self) -> Event {
        if let Some(at) = self.again.iter().position(|(time, _)| *time <= self.now) {
            return Event::Done(self.again.swap_remove(at).1);
        }
        let Cluster { handling, repeats, latency, together, .. } = self.cluster;
        while let Some(Reverse((time, id))) = self.ends.pop() {
            // The end of a job that was cancelled has moved.
            if self.flights.get(&id).is_none_or(|flight| flight.ends + latency != time) {
                continue;
            }
            let Some(flight) = self.flights.remove(&id) else { continue };
            self.now = self.now.max(time) + handling;
            self.spent.handled += handling;
            let (worked, nodes) = part(&flight, flight.ends);
            self.spent.worked += worked;
            self.spent.nodes += nodes;
            self.free[flight.worker / together.max(1)].push(flight.worker);
            if let Event::Done(result) = &flight.event
                && self.chance(repeats)
            {
                let later = self.now + self.rng.below(4_000_000) as u64;
                self.again.push((later, result.clone()));
            }
            return flight.event;
        }
        Event::Waiting
    }

    fn cancel(&mut self, id: u64) {
        let (now, latency) = (self.now, self.cluster.latency);
        if let Some(flight) = self.flights.get_mut(&id)
            && now + latency < flight.ends
        {
            // It hears of it after the time of a message.
            let ends = (now + latency).max(flight.began + 1);
            let (_, nodes) = part(flight, ends);
            (flight.ends, flight.nodes, flight.event) = (ends, nodes, Event::Dropped(id));
            self.ends.push(Reverse((ends + latency, id)));
        }
    }
}

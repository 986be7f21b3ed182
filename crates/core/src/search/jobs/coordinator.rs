//! The coordinator: which job is next, and what results mean.

use std::collections::BTreeMap;

use crate::game::Game;
use crate::search::dfpn::Dfpn;
use crate::search::jobs::facts::Facts;
use crate::search::jobs::tree::{At, Node, Tree};
use crate::search::jobs::{Fact, Job, JobResult, JobSettings};
use crate::search::proof::{Goal, ProofNumber, ProofNumbers};
use crate::search::questions::Questions;
use crate::search::report::Bounds;
use crate::search::solve::Aim;

/// What was counted since the search began, in all processes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JobCounts {
    /// Jobs whose result was merged.
    pub done: u64,
    /// Results that came too late: the question was answered meanwhile, or the result had been there before.
    pub stale: u64,
    /// Jobs that were lost and handed out again.
    pub lost: u64,
    /// Results that could not be those of their job.
    pub refused: u64,
    /// Jobs that were handed out for a position whose job before was lost or refused.
    pub retried: u64,
    /// Positions opened by jobs whose results came in time.
    pub nodes: u64,
    /// Positions in the tree.
    pub positions: u64,
    /// Answers that came from other jobs than the one for the position.
    pub shared: u64,
    /// Times the search was taken up again.
    pub restarts: u64,
}

/// What became of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Merged {
    /// It is part of the tree now.
    Used,
    /// It came too late, or twice.
    Stale,
    /// It cannot be the result of its job, which is handed out again.
    Refused,
}

/// A job that was handed out.
#[derive(Clone, Debug)]
pub(super) struct Flight {
    path: Vec<At>,
    key: u64,
    nodes: u64,
    place: usize,
}

/// A search by jobs for the value of one position.
pub struct Coordinator<G: Game> {
    pub(super) start: G,
    pub(super) questions: Questions,
    pub(super) aim: Aim,
    pub(super) settings: JobSettings,
    pub(super) config: Dfpn,
    pub(super) bounds: Bounds,
    /// One for each question that was asked; the last one may be open.
    pub(super) trees: Vec<Tree<G>>,
    pub(super) counts: JobCounts,
    pub(super) next_id: u64,
    pub(super) flights: BTreeMap<u64, Flight>,
    pub(super) facts: Facts,
    cancelled: Vec<u64>,
    workers: usize,
    /// There was nothing to hand out, and nothing has changed since.
    idle: bool,
}

impl<G: Game> Coordinator<G> {
    /// A search that begins.
    pub fn new(start: &G, aim: Aim, settings: JobSettings) -> Self {
        let questions = Questions::about(start);
        let bounds = start.outcome().map_or(Bounds::OPEN, |outcome| Bounds::exactly(outcome.of(start.to_move())));
        let mut coordinator = Self {
            start: start.clone(),
            questions,
            aim,
            settings,
            config: Dfpn::DEFAULT,
            bounds,
            trees: Vec::new(),
            counts: JobCounts::default(),
            next_id: 1,
            flights: BTreeMap::new(),
            facts: Facts::default(),
            cancelled: Vec::new(),
            workers: 1,
            idle: false,
        };
        coordinator.ask();
        coordinator
    }

    /// What is proven of the position, for the player to move.
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// Whether the question is answered.
    pub fn is_done(&self) -> bool {
        self.trees.last().is_none_or(|tree| tree.root().is_decided())
    }

    /// The question in hand, or the last one, with its numbers.
    pub fn numbers(&self) -> Option<(Goal, ProofNumbers)> {
        let tree = self.trees.last()?;
        Some((tree.goal, tree.root().numbers))
    }

    /// The numbers of the last question as it was asked about the position.
    pub(super) fn last(&self) -> Option<(Goal, ProofNumbers)> {
        let tree = self.trees.last()?;
        let goal = self.questions.all().find(|&goal| self.questions.asked(goal) == tree.goal)?;
        Some((goal, self.questions.answer(goal, tree.root().numbers)))
    }

    /// Bytes that a position takes in the tree with its place among the others, roughly.
    pub(super) fn bytes_of_a_position(start: &G) -> usize {
        size_of::<Node<G>>() + start.heap_bytes() + 64
    }

    /// Bytes of the tree, roughly.
    pub fn bytes(&self) -> usize {
        self.trees.iter().map(Tree::bytes).sum()
    }

    /// What was counted so far.
    pub fn counts(&self) -> JobCounts {
        let positions = self.trees.iter().map(|tree| tree.nodes.len() as u64).sum();
        JobCounts { positions, ..self.counts }
    }

    /// Jobs in flight.
    pub fn flying(&self) -> usize {
        self.flights.len()
    }

    /// Says how many workers there are, on which the size of jobs depends.
    pub fn set_workers(&mut self, workers: usize) {
        self.workers = workers.max(1);
    }

    /// Jobs in flight whose results are not needed any more.
    pub fn take_cancelled(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.cancelled)
    }

    /// Asks the next question, if there is one.
    fn ask(&mut self) {
        let Some(goal) = self.questions.next(self.aim, self.bounds) else { return };
        let goal = self.questions.asked(goal);
        if self.trees.last().is_some_and(|tree| tree.goal == goal) {
            return;
        }
        self.trees.push(Tree::new(&self.start, goal, self.config));
        self.facts = Facts::default();
        self.cancelled.extend(self.flights.keys());
        self.flights.clear();
        self.idle = false;
    }

    /// The next job, if there is anything to hand out before another result comes.
    ///
    /// It is for a worker at `place`: the workers of one place share a table, so that the coordinator sends them what
    /// others have found out, and prefers positions near those that they had before. Places are numbered as the caller
    /// likes; a worker that lost its table is a new place.
    pub fn next_job(&mut self, place: usize) -> Option<Job<G>> {
        if self.idle || self.is_done() {
            return None;
        }
        let tree = self.trees.last_mut()?;
        let (home, stay) = (place as u32, self.settings.stay);
        let mut path = tree.choose(home, stay);
        if path.is_none() && self.flights.is_empty() {
            // Nothing is left but circles.
            tree.close();
            path = tree.choose(home, stay);
            if tree.root().is_decided() {
                self.conclude();
                return if self.is_done() { None } else { self.next_job(place) };
            }
        }
        let tree = self.trees.last_mut()?;
        let Some(path) = path else {
            self.idle = true;
            return None;
        };
        let id = self.next_id;
        self.next_id += 1;
        let leaf = path[path.len() - 1];
        for &at in &path {
            tree.node_mut(at).below.push(id);
        }
        let node = tree.node_mut(leaf);
        node.taken = true;
        self.counts.retried += u64::from(std::mem::take(&mut node.owed));
        tree.update(leaf);
        let tried = tree.node(leaf).tried;
        let share = self.counts.nodes / (self.settings.parts.max(1) * self.workers as u64);
        let least = self.settings.smallest.max(share);
        let grown = least.max(1).saturating_mul(1 << tried.min(40));
        // A tree that may not grow any more can only be decided by larger and larger jobs.
        let is_full = tree.nodes.len() >= self.settings.positions;
        let nodes = if is_full { grown } else { grown.min(self.settings.largest.max(1)) };
        let (position, goal, key) = (tree.node(leaf).state.clone(), tree.goal, tree.key(leaf));
        self.flights.insert(id, Flight { path, key, nodes, place });
        let facts = self.facts.for_place(place, self.settings.facts);
        Some(Job { id, position, goal, nodes, facts })
    }

    /// Takes up the result of a job.
    pub fn merge(&mut self, result: &JobResult) -> Merged {
        let Some(flight) = self.flights.get(&result.id).filter(|flight| flight.key == result.key) else {
            self.counts.stale += 1;
            return Merged::Stale;
        };
        let (leaf, place) = (flight.path[flight.path.len() - 1], flight.place);
        // A worker stops when its nodes are used up.
        self.counts.nodes += result.nodes.min(flight.nodes);
        if !self.is_plausible(leaf, result) {
            self.counts.refused += 1;
            self.owe(leaf);
            self.land(result.id);
            return Merged::Refused;
        }
        self.land(result.id);
        self.counts.done += 1;
        let Some(tree) = self.trees.last_mut() else { return Merged::Stale };
        tree.unclosed += 1;
        let node = tree.node_mut(leaf);
        node.spent += result.nodes;
        let stale = node.is_decided();
        if !stale && result.numbers.is_decided() {
            tree.settle(leaf, result.numbers);
            tree.update(leaf);
        }
        self.take_up_facts(&result.facts, place);
        let Some(tree) = self.trees.last_mut() else { return Merged::Stale };
        if !tree.node(leaf).is_decided() && tree.node(leaf).is_leaf() {
            let node = tree.node_mut(leaf);
            node.tried += 1;
            let again = node.tried <= self.settings.retries && tree.open > 4 * self.workers;
            if again || tree.nodes.len() >= self.settings.positions {
                tree.node_mut(leaf).numbers = result.numbers;
                tree.update(leaf);
            } else {
                tree.expand(leaf, &result.moves, place as u32);
            }
        }
        if tree.is_close_due() {
            tree.close();
        }
        self.hear_news();
        self.conclude();
        self.counts.stale += u64::from(stale);
        if stale { Merged::Stale } else { Merged::Used }
    }

    /// Takes it down that a job will have no result; it is handed out again when its turn comes.
    pub fn lose(&mut self, id: u64) {
        if let Some(flight) = self.flights.get(&id) {
            self.counts.lost += 1;
            self.owe(flight.path[flight.path.len() - 1]);
            self.land(id);
        }
    }

    /// Takes it down that the job of a leaf came to nothing.
    fn owe(&mut self, leaf: At) {
        if let Some(tree) = self.trees.last_mut() {
            tree.node_mut(leaf).owed = true;
        }
    }

    /// Takes it down that a job was given up because nobody needs its result.
    pub fn drop_job(&mut self, id: u64) {
        self.counts.stale += u64::from(self.flights.contains_key(&id));
        self.land(id);
    }

    /// Ends a flight: its leaf can be handed out again.
    fn land(&mut self, id: u64) {
        self.idle = false;
        let (Some(flight), Some(tree)) = (self.flights.remove(&id), self.trees.last_mut()) else { return };
        for &at in &flight.path {
            tree.node_mut(at).below.retain(|&other| other != id);
        }
        let leaf = flight.path[flight.path.len() - 1];
        tree.node_mut(leaf).taken = false;
        tree.update(leaf);
    }

    /// Whether this can be what a worker found out about the position of its job.
    fn is_plausible(&self, leaf: At, result: &JobResult) -> bool {
        let Some(tree) = self.trees.last() else { return false };
        let has_numbers = |numbers: &ProofNumbers| {
            let ProofNumbers { pn, dpn } = *numbers;
            let infinite = |number| number == ProofNumber::INFINITE;
            let zero = |number| number == ProofNumber::ZERO;
            infinite(pn) == zero(dpn) && zero(pn) == infinite(dpn)
        };
        if !has_numbers(&result.numbers) || !result.moves.iter().all(has_numbers) {
            return false;
        }
        result.numbers.is_decided() || result.moves.len() == Tree::moves(&tree.node(leaf).state).len()
    }

    /// Answers that a worker came by on its way.
    fn take_up_facts(&mut self, facts: &[Fact], place: usize) {
        let Some(tree) = self.trees.last_mut() else { return };
        for fact in facts {
            if let Some(&at) = tree.places.get(&fact.key)
                && !tree.node(at).is_decided()
            {
                let numbers = if fact.proven { ProofNumbers::PROVEN } else { ProofNumbers::DISPROVEN };
                tree.settle(at, numbers);
                tree.update(at);
                self.counts.shared += 1;
            }
            self.facts.add(*fact, Some(place));
        }
    }

    /// What follows from nodes that were decided: their answers are worth sending, jobs below them are not needed.
    fn hear_news(&mut self) {
        let Some(tree) = self.trees.last_mut() else { return };
        for at in std::mem::take(&mut tree.news) {
            let node = tree.node(at);
            self.cancelled.extend(node.below.iter().filter(|id| self.flights.contains_key(id)));
            if node.state.outcome().is_none() && node.spent > 0 {
                let (proven, work) = (node.numbers.is_proven(), node.spent);
                let key = tree.key(at);
                self.facts.add(Fact { key, proven, work }, None);
            }
        }
    }

    /// Takes the answer down once the root is decided, and asks the next question.
    fn conclude(&mut self) {
        while let Some(tree) = self.trees.last().filter(|tree| tree.root().is_decided()) {
            let goals = self.questions.all().find(|&goal| self.questions.asked(goal) == tree.goal);
            let Some(goal) = goals else { return };
            let numbers = self.questions.answer(goal, tree.root().numbers);
            self.bounds = self.bounds.and(self.questions.meaning(goal, numbers));
            let before = self.trees.len();
            self.ask();
            if self.trees.len() == before {
                return;
            }
        }
    }
}

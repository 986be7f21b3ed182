//! The proof-number tree whose leaves are jobs: a graph, because positions reached on several ways are one node.
//!
//! # Why what it says is true
//! A node stands for a position without a history, and its answer is whether the player of the goal can force it from
//! there. Answers come from the rules and from jobs, which search from the position as if the game began there; df-pn
//! never lets an answer at its root rest on a repetition outside the search. An answer for a node then follows from those
//! of its children by definition: one child that reaches the goal is enough for the player of the goal, all are needed
//! where others choose. The way to a node plays no part, so that nodes can be shared and answers merged in any order.
//!
//! This alone would leave open a circle of positions in which nobody gets anywhere. [`close`](Tree::close) settles it: if
//! a node does not reach the goal even if all open leaves did, it does not reach it. Every line from such a node can be kept
//! for ever among such nodes, and endless play does not reach the goal.

use std::collections::BinaryHeap;

use crate::game::Game;
use crate::search::dfpn::{ByKey, Dfpn};
use crate::search::proof::{Goal, NodeKind, ProofNumber, ProofNumbers};

/// The place of a node.
pub(super) type At = u32;

/// Updates of one node in one pass where positions repeat: numbers that count themselves are followed no further.
const UPDATES: u32 = 2;

/// One position.
pub(super) struct Node<G: Game> {
    pub state: G,
    pub kind: NodeKind,
    /// Moves from the root on the first way to it.
    pub depth: u32,
    pub numbers: ProofNumbers,
    /// Its numbers as if the jobs in flight came to nothing: they say where the next job is to look.
    pub seen: ProofNumbers,
    /// Whether no leaf below it can be handed out.
    pub full: bool,
    /// The position after each move, in the order of the moves; none of a leaf.
    pub children: Vec<At>,
    /// An entry for each edge that leads to it.
    pub parents: Vec<At>,
    /// Jobs that came back without an answer, and the positions that all jobs for it opened.
    pub tried: u32,
    pub spent: u64,
    /// When it was decided, from 1 on: what an answer follows from has a smaller stamp. 0 while it is open.
    pub stamp: u32,
    /// Whether its job is in flight.
    pub taken: bool,
    /// Whether its last job was lost, and is not handed out again yet.
    pub owed: bool,
    /// Jobs in flight that were chosen on a way through it.
    pub below: Vec<u64>,
    /// The place whose worker searched it last.
    pub home: u32,
    queued: bool,
    /// The pass that updated it last, and how often.
    updates: (u64, u32),
}

/// The positions looked at for one goal.
pub(super) struct Tree<G: Game> {
    pub goal: Goal,
    pub nodes: Vec<Node<G>>,
    pub places: ByKey<At>,
    /// Leaves that are open, those in flight included.
    pub open: usize,
    config: Dfpn,
    repeats: bool,
    stamps: u32,
    passes: u64,
    queue: BinaryHeap<(u32, At)>,
    /// Nodes that were decided since somebody asked.
    pub news: Vec<At>,
    /// Results since the last look for circles.
    pub unclosed: usize,
    /// Moves between its nodes, and bytes that their positions hold outside of themselves.
    edges: usize,
    heap: usize,
}

impl<G: Game> Node<G> {
    pub fn new(state: G, goal: Goal, depth: u32) -> Self {
        let kind = NodeKind::of(goal, state.to_move());
        let numbers = ProofNumbers::UNKNOWN;
        let (children, parents, below) = (Vec::new(), Vec::new(), Vec::new());
        Self {
            state,
            kind,
            depth,
            numbers,
            seen: numbers,
            full: false,
            children,
            parents,
            tried: 0,
            spent: 0,
            stamp: 0,
            taken: false,
            owed: false,
            below,
            home: u32::MAX,
            queued: false,
            updates: (0, 0),
        }
    }

    pub fn is_decided(&self) -> bool {
        self.stamp > 0
    }

    pub fn is_leaf(&self) -> bool {
        self.children.is_empty()
    }
}

impl<G: Game> Tree<G> {
    /// A tree of `start` alone, which is not finished.
    pub fn new(start: &G, goal: Goal, config: Dfpn) -> Self {
        let root = Node::new(start.clone(), goal, 0);
        Self {
            goal,
            places: ByKey::from_iter([(config.key(start), 0)]),
            nodes: vec![root],
            open: 1,
            config,
            repeats: start.may_repeat(),
            stamps: 0,
            passes: 0,
            queue: BinaryHeap::new(),
            news: Vec::new(),
            unclosed: 0,
            edges: 0,
            heap: start.heap_bytes(),
        }
    }

    pub fn node(&self, at: At) -> &Node<G> {
        &self.nodes[at as usize]
    }

    pub fn node_mut(&mut self, at: At) -> &mut Node<G> {
        &mut self.nodes[at as usize]
    }

    pub fn root(&self) -> &Node<G> {
        &self.nodes[0]
    }

    pub fn key(&self, at: At) -> u64 {
        self.config.key(&self.node(at).state)
    }

    pub fn moves(state: &G) -> Vec<G::Move> {
        let mut moves = Vec::new();
        state.moves(&mut moves);
        moves
    }

    /// The place of a position, which is added if it is new. The second answer is whether it was there.
    pub fn place(&mut self, state: G, depth: u32) -> (At, bool) {
        let key = self.config.key(&state);
        if let Some(&at) = self.places.get(&key) {
            return (at, true);
        }
        let at = self.nodes.len() as At;
        let outcome = state.outcome();
        self.heap += state.heap_bytes();
        self.nodes.push(Node::new(state, self.goal, depth));
        self.places.insert(key, at);
        self.open += 1;
        if let Some(outcome) = outcome {
            self.settle(at, self.goal.numbers(outcome));
        }
        (at, false)
    }

    /// Takes it down that a node is decided; those above hear of it by [`update`](Tree::update).
    pub fn settle(&mut self, at: At, numbers: ProofNumbers) {
        debug_assert!(numbers.is_decided());
        self.stamps += 1;
        let stamp = self.stamps;
        let node = &mut self.nodes[at as usize];
        debug_assert!(node.stamp == 0);
        (node.numbers, node.seen, node.stamp) = (numbers, numbers, stamp);
        self.open -= usize::from(node.is_leaf());
        self.news.push(at);
    }

    /// Counts what nodes that were read hold.
    pub fn recount(&mut self) {
        self.stamps = self.nodes.iter().map(|node| node.stamp).max().unwrap_or(0);
        self.edges = self.nodes.iter().map(|node| node.children.len()).sum();
        self.heap = self.nodes.iter().map(|node| node.state.heap_bytes()).sum();
    }

    /// Bytes that it takes, roughly: both ends of a move know the other.
    pub fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<Node<G>>() + 8 * self.edges + self.heap
    }

    /// Opens a leaf into the positions after its moves, with what a job at a place found out about them, in the order of
    /// the moves.
    pub fn expand(&mut self, at: At, found: &[ProofNumbers], home: u32) {
        self.node_mut(at).home = home;
        let state = self.node(at).state.clone();
        let depth = self.node(at).depth + 1;
        let mut children = Vec::new();
        for (m, &numbers) in Self::moves(&state).into_iter().zip(found) {
            let mut next = state.clone();
            next.play(m);
            let (child, known) = self.place(next, depth);
            children.push(child);
            self.node_mut(child).parents.push(at);
            if self.node(child).is_decided() {
                continue;
            }
            if numbers.is_decided() {
                self.settle(child, numbers);
                if known {
                    self.update(child);
                }
            } else if !known {
                let node = self.node_mut(child);
                (node.numbers, node.seen, node.home) = (numbers, numbers, home);
            }
        }
        // A position may lead back to itself, and be decided by then.
        if !self.node(at).is_decided() {
            self.open -= 1;
        }
        self.edges += children.len();
        self.node_mut(at).children = children;
        self.update(at);
    }

    /// Works out the numbers of a node again, and of those above it as far as anything changes.
    pub fn update(&mut self, at: At) {
        self.passes += 1;
        self.recompute(at);
        self.push_parents(at, true);
        while let Some((_, at)) = self.queue.pop() {
            self.node_mut(at).queued = false;
            let (decided, full) = (self.node(at).is_decided(), self.node(at).full);
            if self.recompute(at) {
                let node = self.node(at);
                let must = decided != node.is_decided() || full != node.full;
                self.push_parents(at, must);
            }
        }
    }

    fn push_parents(&mut self, at: At, must: bool) {
        let Self { nodes, queue, passes, repeats, .. } = self;
        let parents = std::mem::take(&mut nodes[at as usize].parents);
        for &parent in &parents {
            let node = &mut nodes[parent as usize];
            if node.is_decided() || node.queued {
                continue;
            }
            let updates = if node.updates.0 == *passes { node.updates.1 } else { 0 };
            if !must && *repeats && updates >= UPDATES {
                continue;
            }
            node.updates = (*passes, updates + 1);
            node.queued = true;
            queue.push((node.depth, parent));
        }
        nodes[at as usize].parents = parents;
    }

    /// Whether anything changed.
    fn recompute(&mut self, at: At) -> bool {
        let node = self.node(at);
        if node.is_decided() {
            return false;
        }
        if node.is_leaf() {
            let node = self.node_mut(at);
            let before = (node.seen, node.full);
            (node.seen, node.full) = (node.numbers, node.taken);
            return before != (node.seen, node.full);
        }
        let (kind, depth) = (node.kind, node.depth);
        let children = || node.children.iter().map(|&child| self.node(child));
        let numbers = kind.combine_weak(children().map(|child| child.numbers));
        if numbers.is_decided() {
            self.settle(at, numbers);
            return true;
        }
        let parts = |numbers: ProofNumbers| match kind {
            NodeKind::Or => (numbers.pn, numbers.dpn),
            NodeKind::And => (numbers.dpn, numbers.pn),
        };
        // Numbers that lead back may count this node; they are looked at if there are no others.
        let leads_on = |child: &Node<G>| !self.repeats || child.depth > depth;
        let (mut least, mut least_back) = (ProofNumber::INFINITE, ProofNumber::INFINITE);
        let (mut seen, mut seen_back) = (ProofNumber::INFINITE, ProofNumber::INFINITE);
        let (mut sum, mut seen_sum, mut many) = (ProofNumber::ZERO, ProofNumber::ZERO, 0u32);
        let mut full = true;
        for child in children().filter(|child| !child.is_decided()) {
            let ((key, summand), (seen_key, seen_summand)) = (parts(child.numbers), parts(child.seen));
            (sum, seen_sum, many) = (sum.max(summand), seen_sum.max(seen_summand), many + 1);
            full &= child.full;
            let seen_key = if child.full { ProofNumber::INFINITE } else { seen_key };
            if leads_on(child) {
                (least, seen) = (least.min(key), seen.min(seen_key));
            } else {
                (least_back, seen_back) = (least_back.min(key), seen_back.min(seen_key));
            }
        }
        let others = ProofNumber::finite(many.saturating_sub(1));
        let or = |one: ProofNumber, other| if one == ProofNumber::INFINITE { other } else { one };
        let least = or(or(least, least_back), ProofNumber::LARGEST);
        let seen = or(or(seen, seen_back), least);
        let whole = |key, sum: ProofNumber| match kind {
            NodeKind::Or => ProofNumbers { pn: key, dpn: sum.and(others) },
            NodeKind::And => ProofNumbers { pn: sum.and(others), dpn: key },
        };
        let (numbers, seen) = (whole(least, sum), whole(seen, seen_sum));
        let node = self.node_mut(at);
        let before = (node.numbers, node.seen, node.full);
        (node.numbers, node.seen, node.full) = (numbers, seen, full);
        before != (numbers, seen, full)
    }

    /// Decides the nodes that do not reach the goal whatever the open leaves turn out to be. Needed only where positions
    /// repeat.
    pub fn close(&mut self) {
        self.unclosed = 0;
        if !self.repeats || self.root().is_decided() {
            return;
        }
        // Nodes that may still reach the goal, found from the leaves upward.
        let mut hopeful: Vec<bool> = self
            .nodes
            .iter()
            .map(|node| if node.is_decided() { node.numbers.is_proven() } else { node.is_leaf() })
            .collect();
        let mut missing: Vec<usize> = self
            .nodes
            .iter()
            .map(|node| if node.kind == NodeKind::And { node.children.len() } else { 1.min(node.children.len()) })
            .collect();
        let mut queue: Vec<At> = (0..self.nodes.len() as At).filter(|&at| hopeful[at as usize]).collect();
        while let Some(at) = queue.pop() {
            for &parent in &self.node(at).parents {
                let place = parent as usize;
                missing[place] = missing[place].saturating_sub(1);
                if missing[place] == 0 && !hopeful[place] && !self.node(parent).is_decided() {
                    hopeful[place] = true;
                    queue.push(parent);
                }
            }
        }
        let lost: Vec<At> =
            (0..self.nodes.len() as At).filter(|&at| !hopeful[at as usize] && !self.node(at).is_decided()).collect();
        lost.iter().for_each(|&at| self.settle(at, ProofNumbers::DISPROVEN));
        lost.iter().for_each(|&at| self.update(at));
    }

    /// Whether circles are to be looked for now: often enough to matter, and seldom enough to cost little.
    pub fn is_close_due(&self) -> bool {
        self.repeats && self.unclosed > 8 + self.nodes.len() / 16
    }

    /// The way to the leaf that the next job for a worker at `home` is for. Numbers of positions that were searched
    /// elsewhere count as so many per cent worse.
    pub fn choose(&self, home: u32, stay: u32) -> Option<Vec<At>> {
        if self.root().is_decided() {
            return None;
        }
        self.most_proving(home, stay).or_else(|| if self.repeats { self.any_leaf() } else { None })
    }

    /// The way to the most-proving leaf as if the jobs in flight came to nothing.
    fn most_proving(&self, home: u32, stay: u32) -> Option<Vec<At>> {
        let mut path: Vec<At> = vec![0];
        // Nodes from which every way leads back to the path.
        let mut blocked: Vec<At> = Vec::new();
        if self.root().full {
            return None;
        }
        while let Some(&at) = path.last() {
            let node = self.node(at);
            if node.is_leaf() {
                return Some(path);
            }
            let is_free = |&child: &At| {
                let node = self.node(child);
                !node.is_decided()
                    && !node.full
                    && !(self.repeats && (path.contains(&child) || blocked.contains(&child)))
            };
            let free = node.children.iter().copied().filter(is_free);
            // Among equals the one that is easier for the other side to give up.
            let rank = |&child: &At| {
                let child = self.node(child);
                let more = if child.home == home { 100 } else { 100 + u64::from(stay) };
                (u64::from(node.kind.key(child.seen).word()) * more, child.seen.pn.and(child.seen.dpn))
            };
            match free.min_by_key(rank) {
                Some(child) => path.push(child),
                None => blocked.extend(path.pop()),
            }
        }
        None
    }

    /// The way to any leaf that can be handed out, the nearest first.
    fn any_leaf(&self) -> Option<Vec<At>> {
        let mut from: ByKey<At> = ByKey::default();
        let mut queue = std::collections::VecDeque::from([0]);
        while let Some(at) = queue.pop_front() {
            let node = self.node(at);
            if node.is_leaf() {
                if node.taken {
                    continue;
                }
                let mut path = vec![at];
                while let Some(&before) = path.last().filter(|&&at| at != 0).and_then(|&at| from.get(&u64::from(at))) {
                    path.push(before);
                }
                path.reverse();
                return Some(path);
            }
            for &child in node.children.iter().filter(|&&child| child != 0 && !self.node(child).is_decided()) {
                if let std::collections::hash_map::Entry::Vacant(place) = from.entry(child.into()) {
                    place.insert(at);
                    queue.push_back(child);
                }
            }
        }
        None
    }
}

//! Best-first proof-number search (Allis 1994), on one level or on two (PN², Breuker 1998).

use std::sync::atomic::AtomicBool;

use crate::game::Game;
use crate::search::budget::{Budget, Meter, Stopped, Tick};
use crate::search::mcts::Workspace;
use crate::search::proof::{Goal, NodeKind, ProofNumbers};
use crate::search::report::{Bounds, MoveReport, Report, competition_ranks};
use crate::search::select::most_proving_child;
use crate::search::tree::{Link, Node};

struct Run<'a, G: Game> {
    space: &'a mut Workspace<G>,
    goal: Goal,
    root: Node,
    root_numbers: ProofNumbers,
    /// The positions along the path, the start first: the next descent begins where the numbers did not change.
    states: Vec<G>,
    full_after: Option<u64>,
}

/// What to search for, and how.
pub(crate) struct Pns {
    pub goal: Goal,
    /// Whether every leaf is looked into by a search of its own before it is opened (Breuker's PN²).
    pub two_levels: bool,
}

pub(crate) fn search<G: Game>(
    config: &Pns,
    [space, second]: [&mut Workspace<G>; 2],
    start: &G,
    budget: &Budget,
    stop: &AtomicBool,
    observer: &mut dyn FnMut(&Report<G::Move>),
) -> Report<G::Move> {
    space.forget();
    let memory = budget.memory.unwrap_or(Budget::MEMORY);
    let share = if config.two_levels { memory / 2 } else { memory };
    let mut run = Run::new(space, start, config.goal, share);
    let mut meter = Meter::new(budget, stop);
    let stopped = loop {
        if run.root_numbers.is_decided() {
            break Stopped::Proven;
        }
        match meter.tick() {
            Tick::Go => {
                run.descend();
                if run.path_bytes() > (share / 8).max(LEAST_PATH) {
                    meter.take_back();
                    run.full_after = Some(meter.done());
                    break Stopped::Memory;
                }
                let numbers = if config.two_levels {
                    // As many nodes as the first level has: small at first, never the larger part of the work.
                    match run.second_level(second, share, &mut meter, observer) {
                        Ok(numbers) => Some(numbers),
                        Err(why) => break why,
                    }
                } else {
                    None
                };
                if !run.expand(numbers.as_deref()) {
                    meter.take_back();
                    run.full_after = Some(meter.done());
                    break Stopped::Memory;
                }
            }
            Tick::Notice => {
                run.space.show(run.root, Some(run.root_numbers), None);
                observer(&run.report(&meter, None));
            }
            Tick::Stop(why) => break why,
        }
    };
    run.space.show(run.root, Some(run.root_numbers), None);
    run.report(&meter, Some(stopped))
}

/// Bytes that the positions along the path may take at least, however small the tree is.
const LEAST_PATH: usize = 4 << 20;

/// Opens a position with all its children in the tree from the start. Unless told, unfinished ones get 1 and 1.
fn open<G: Game>(
    space: &mut Workspace<G>,
    state: &G,
    goal: Goal,
    told: Option<&[ProofNumbers]>,
    beyond: bool,
) -> Option<Node> {
    let node = space.open(state, Some(goal), usize::MAX, beyond)?;
    let mut ends = space.ends.iter().copied().peekable();
    for slot in 0..space.moves.len() {
        let ended = ends.next_if(|&(index, _)| index == slot);
        let fresh = ended.map_or(ProofNumbers::UNKNOWN, |(_, outcome)| goal.numbers(outcome));
        space.tree.visit(node, 0, fresh);
        if let Some(&numbers) = told.and_then(|told| told.get(slot)) {
            space.tree.set_numbers(node, slot, numbers);
        }
    }
    Some(node)
}

impl<'a, G: Game> Run<'a, G> {
    fn new(space: &'a mut Workspace<G>, start: &G, goal: Goal, memory: usize) -> Self {
        space.tree.reset(true, false, memory);
        space.path.clear();
        let Some(root) = open(space, start, goal, None, true) else { unreachable!("the root is always opened") };
        let root_numbers = space.tree.combined(root);
        Self { space, goal, root, root_numbers, states: vec![start.clone()], full_after: None }
    }

    /// Goes from the end of the path to the most-proving leaf.
    fn descend(&mut self) {
        let mut node = match self.space.path.last() {
            Some(step) => match self.space.tree.link(step.node, step.slot) {
                Link::Node(node) => node,
                Link::Leaf(_) => unreachable!("the path ends at a node"),
            },
            None => self.root,
        };
        loop {
            let tree = &self.space.tree;
            let slot = most_proving_child(tree.keys(node));
            let depth = self.space.path.len();
            let (step, m, link) = tree.step(&tree.head(node), slot);
            self.space.path.push(step);
            if self.states.len() < depth + 2 {
                self.states.push(self.states[depth].clone());
            } else {
                let (above, below) = self.states.split_at_mut(depth + 1);
                below[0].clone_from(&above[depth]);
            }
            self.states[depth + 1].play(m);
            match link {
                Link::Node(child) => node = child,
                Link::Leaf(_) => break,
            }
        }
    }

    /// Bytes of the positions along the path, about: what a position holds hardly depends on its depth.
    fn path_bytes(&self) -> usize {
        self.states.len() * (size_of::<G>() + self.states[self.space.path.len()].heap_bytes())
    }

    /// Searches from the leaf at the end of the path until it is decided or that tree has as many nodes as this one,
    /// and gives the numbers of the leaf's children.
    fn second_level(
        &self,
        space: &mut Workspace<G>,
        memory: usize,
        meter: &mut Meter<'_>,
        observer: &mut dyn FnMut(&Report<G::Move>),
    ) -> Result<Vec<ProofNumbers>, Stopped> {
        let mut below = Run::new(space, &self.states[self.space.path.len()], self.goal, memory);
        while !below.root_numbers.is_decided() && below.space.tree.nodes() < self.space.tree.nodes() {
            match meter.tick() {
                Tick::Go => {}
                Tick::Notice => {
                    observer(&self.report(meter, None));
                    continue;
                }
                Tick::Stop(why) => return Err(why),
            }
            below.descend();
            if below.path_bytes() > (memory / 8).max(LEAST_PATH) || !below.expand(None) {
                break;
            }
        }
        let tree = &below.space.tree;
        Ok((0..tree.children(below.root)).map(|slot| tree.numbers(below.root, slot)).collect())
    }

    /// Opens the leaf at the end of the path and carries its numbers up. False if there is no room.
    fn expand(&mut self, told: Option<&[ProofNumbers]>) -> bool {
        let depth = self.space.path.len();
        let Some(child) = open(self.space, &self.states[depth], self.goal, told, false) else { return false };
        let last = self.space.path[depth - 1];
        self.space.tree.set_link(last.node, last.slot, Link::Node(child));
        self.back_up(self.space.tree.combined(child));
        true
    }

    /// Carries numbers up while they change, shortening the path to where they did not.
    fn back_up(&mut self, mut new: ProofNumbers) {
        while let Some(&step) = self.space.path.last() {
            let tree = &mut self.space.tree;
            let old = tree.numbers(step.node, step.slot);
            if old == new {
                return;
            }
            tree.set_numbers(step.node, step.slot, new);
            self.space.path.pop();
            let was = match self.space.path.last() {
                Some(above) => tree.numbers(above.node, above.slot),
                None => self.root_numbers,
            };
            new = tree.recombined(step.node, was, old, new);
        }
        self.root_numbers = new;
    }

    fn report(&self, meter: &Meter<'_>, stopped: Option<Stopped>) -> Report<G::Move> {
        let (tree, start) = (&self.space.tree, &self.states[0]);
        let key = |slot| tree.kind(self.root).key(tree.numbers(self.root, slot));
        let ranks = competition_ranks(&(0..tree.children(self.root)).map(key).collect::<Vec<_>>());
        let moves = ranks.into_iter().enumerate().map(|(slot, rank)| {
            let (m, numbers) = (tree.move_of(self.root, slot), tree.numbers(self.root, slot));
            let mut next = start.clone();
            next.play(m);
            let ended = next.outcome().map(|outcome| Bounds::exactly(outcome.of(start.to_move())));
            let bounds = ended.unwrap_or(Bounds::from_win_numbers(numbers));
            MoveReport {
                m,
                visits: 0,
                mean: 0.0,
                at_most: false,
                numbers: Some(numbers),
                rank: Some(rank),
                bounds,
                terms: None,
                next: false,
            }
        });
        let mut moves: Vec<_> = moves.collect();
        moves.sort_by_key(|m| m.rank);
        Report {
            best: moves.first().map(|m| m.m),
            bounds: Bounds::from_win_numbers(self.root_numbers),
            numbers: Some(self.root_numbers),
            line: self.line(),
            moves,
            simulations: meter.done(),
            nodes: tree.nodes(),
            bytes: tree.bytes(),
            elapsed: meter.elapsed(),
            stopped,
            table: None,
            full_after: self.full_after,
        }
    }

    /// The most-proving line; once the root is proven, the winning line against a defence that is proven as well.
    fn line(&self) -> Vec<G::Move> {
        let tree = &self.space.tree;
        let mut line = Vec::new();
        let mut node = Some(self.root);
        while let Some(here) = node {
            // A proven AND node has no open child left: any defence will do.
            let slot = match tree.kind(here) {
                NodeKind::And if tree.combined(here).is_proven() => tree.children(here) - 1,
                _ => most_proving_child(tree.keys(here)),
            };
            line.push(tree.move_of(here, slot));
            node = match tree.link(here, slot) {
                Link::Node(child) => Some(child),
                Link::Leaf(_) => None,
            };
        }
        line
    }
}

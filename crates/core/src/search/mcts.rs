//! Monte-Carlo tree search, with or without proof numbers (Doe, Winands, Soemers, Browne: Combining Monte-Carlo Tree
//! Search with Proof-Number Search, 2022).
//!
//! A simulation: go down by [`select`](super::select) while every child of a node was visited; visit one more child at
//! random where not; open a leaf that is reached a second time; play out; add the result on the way back up.

use std::sync::atomic::AtomicBool;

use crate::game::{Game, PLY_LIMIT};
use crate::outcome::{Outcome, Wdl};
use crate::rng::Rng;
use crate::search::agent::{Mcts, Norm};
use crate::search::budget::{Budget, Meter, Stopped, Tick};
use crate::search::explore::RootLog;
use crate::search::proof::{Goal, NodeKind, ProofNumbers};
use crate::search::report::{Bounds, MoveReport, Report, competition_ranks};
use crate::search::select::{Formula, best_child};
use crate::search::tree::{Choice, Head, Link, Node, Step, Tree};
use crate::search::view::Gallery;

/// The tree and the buffers of a search, used again from one search to the next: nothing is allocated in a simulation.
pub(crate) struct Workspace<G: Game> {
    pub(crate) tree: Tree<G::Move>,
    pub(crate) path: Vec<Step>,
    pub(crate) moves: Vec<G::Move>,
    pub(crate) ends: Vec<(usize, Outcome)>,
    scores: Vec<f32>,
    pub(crate) gallery: Gallery<G::Move>,
}

impl<G: Game> Workspace<G> {
    pub(crate) fn new() -> Self {
        Self {
            tree: Tree::new(),
            path: Vec::new(),
            moves: Vec::new(),
            ends: Vec::new(),
            scores: Vec::new(),
            gallery: Gallery::empty(),
        }
    }

    /// Opens a position: lists its moves, tests with `goal` which of them finish the game, and makes its node.
    pub(crate) fn open(&mut self, state: &G, goal: Option<Goal>, capacity: usize, beyond: bool) -> Option<Node> {
        self.moves.clear();
        self.ends.clear();
        let mut choice = Choice { mover: state.to_move(), kind: NodeKind::Or, ended: 0, decisive: false };
        match goal {
            Some(goal) => {
                state.moves_and_ends(&mut self.moves, &mut self.ends);
                choice.kind = NodeKind::of(goal, choice.mover);
                choice.ended = self.ends.len();
                let wanted = choice.kind == NodeKind::Or;
                choice.decisive = self.ends.iter().any(|(_, outcome)| goal.numbers(*outcome).is_proven() == wanted);
            }
            None => state.moves(&mut self.moves),
        }
        self.tree.expand(&self.moves, capacity, choice, beyond)
    }
}

struct Simulation<'a, G: Game> {
    config: Mcts,
    space: &'a mut Workspace<G>,
    start: &'a G,
    state: G,
    root: Node,
    root_numbers: ProofNumbers,
    goal: Option<Goal>,
    rng: Rng,
    root_log: RootLog,
    full_after: Option<u64>,
}

/// Searches for the best move; or, if `solve` says so, for that goal until it is proven or disproven.
#[allow(clippy::too_many_arguments)]
pub(crate) fn search<G: Game>(
    config: Mcts,
    space: &mut Workspace<G>,
    start: &G,
    solve: Option<Goal>,
    budget: &Budget,
    seed: u64,
    stop: &AtomicBool,
    observer: &mut dyn FnMut(&Report<G::Move>),
) -> Report<G::Move> {
    let mut run = Simulation::new(config, space, start, solve, budget, seed);
    let mut meter = Meter::new(budget, stop);
    let stopped = loop {
        let settled = run.root_numbers.is_proven() || solve.is_some() && run.root_numbers.is_disproven();
        if run.goal.is_some() && settled {
            break Stopped::Proven;
        }
        match meter.tick() {
            Tick::Go => {
                if !run.simulate() && run.full_after.is_none() {
                    run.full_after = Some(meter.done());
                }
            }
            Tick::Notice => {
                run.space.show(run.root, run.goal.map(|_| run.root_numbers));
                observer(&run.report(&meter, None));
            }
            Tick::Stop(why) => break why,
        }
    };
    run.space.show(run.root, run.goal.map(|_| run.root_numbers));
    run.report(&meter, Some(stopped))
}

impl<'a, G: Game> Simulation<'a, G> {
    fn new(
        config: Mcts,
        space: &'a mut Workspace<G>,
        start: &'a G,
        solve: Option<Goal>,
        budget: &Budget,
        seed: u64,
    ) -> Self {
        let goal = config.proof.map(|_| solve.unwrap_or(Goal::win(start.to_move())));
        space.tree.reset(goal.is_some(), goal.is_some(), budget.memory.unwrap_or(Budget::MEMORY));
        let Some(root) = space.open(start, goal, usize::MAX, true) else { unreachable!("the root is always opened") };
        let root_numbers = space.tree.combined(root);
        let (rng, root_log) = (Rng::new(seed), RootLog::new());
        Self { config, space, start, state: start.clone(), root, root_numbers, goal, rng, root_log, full_after: None }
    }

    /// One simulation. Says whether there was memory for all it wanted to keep.
    fn simulate(&mut self) -> bool {
        let mut room = true;
        self.state.clone_from(self.start);
        self.space.path.clear();
        let mut node = self.root;
        loop {
            let mut head = self.space.tree.head(node);
            if head.visited < head.children {
                if head.visited == head.capacity {
                    match self.grow(node) {
                        Some(new) => head = self.space.tree.head(new),
                        None => room = false,
                    }
                }
                if head.visited < head.capacity {
                    self.visit_new(&head);
                    if self.config.expand == 1 && self.state.outcome().is_none() {
                        room &= self.open_leaf(0).is_some();
                    }
                    break;
                }
            }
            let slot = self.select(&head);
            let (step, m, link) = self.space.tree.step(&head, slot);
            self.state.play(m);
            self.space.path.push(step);
            match link {
                Link::Node(child) => node = child,
                Link::Leaf(visits) => {
                    if self.state.outcome().is_some() || visits + 1 < self.config.expand {
                        break;
                    }
                    let Some(child) = self.open_leaf(visits) else {
                        room = false;
                        break;
                    };
                    node = child;
                }
            }
        }
        let outcome = match self.state.outcome() {
            Some(outcome) => outcome,
            None => {
                let limit = PLY_LIMIT.saturating_sub(self.space.path.len() as u32);
                self.state.playout(&mut self.rng, limit).outcome
            }
        };
        self.back_up(outcome);
        room
    }

    /// Opens the leaf at the end of the path, which was visited so many times, and carries its numbers up.
    #[inline(always)]
    fn open_leaf(&mut self, visits: u32) -> Option<Node> {
        let child = self.space.open(&self.state, self.goal, 2, false)?;
        let leaf = self.space.path.last()?;
        self.space.tree.set_visits(child, visits);
        self.space.tree.set_link(leaf.node, leaf.slot, Link::Node(child));
        if self.goal.is_some() {
            self.back_up_numbers(self.space.tree.combined(child));
        }
        Some(child)
    }

    /// Gives a node a larger block and links it in.
    #[cold]
    fn grow(&mut self, node: Node) -> Option<Node> {
        let new = self.space.tree.grow(node)?;
        match self.space.path.last() {
            Some(step) => self.space.tree.set_link(step.node, step.slot, Link::Node(new)),
            None => self.root = new,
        }
        Some(new)
    }

    /// Visits one of the children not visited so far, each with the same chance.
    #[inline(always)]
    fn visit_new(&mut self, head: &Head) {
        let index = self.rng.below(head.children - head.visited);
        let tree = &mut self.space.tree;
        self.state.play(tree.move_of(head.node, head.visited + index));
        let numbers = match (self.goal, self.state.outcome()) {
            (Some(goal), Some(outcome)) => goal.numbers(outcome),
            _ => ProofNumbers::UNKNOWN,
        };
        let slot = tree.visit(head.node, index, numbers);
        let (step, _, _) = tree.step(head, slot);
        self.space.path.push(step);
    }

    #[inline(always)]
    fn select(&mut self, head: &Head) -> usize {
        let tree = &self.space.tree;
        let (sums, weights) = tree.values(head);
        let mut formula =
            Formula { explore: self.config.c as f32 * self.root_log.of(head.visits), bonus: 0.0, worst_rank: 1.0 };
        let mut ranks = None;
        if let Some(proof) = self.config.proof
            && proof.c_pn > 0.0
            && head.visited == head.children
        {
            ranks = Some(tree.ranks(head.node));
            formula.bonus = proof.c_pn;
            formula.worst_rank = match proof.norm {
                Norm::Rank => head.worst_rank as f32,
                Norm::Children => head.children as f32,
            };
        }
        best_child(formula, sums, weights, ranks, &mut self.space.scores)
    }

    /// Adds the result to every node of the path, from the leaf up.
    #[inline(always)]
    fn back_up(&mut self, outcome: Outcome) {
        let tree = &mut self.space.tree;
        let mut visits = 0;
        for (above, &step) in self.space.path.iter().rev().enumerate() {
            if above == 0 {
                visits = match tree.link(step.node, step.slot) {
                    Link::Leaf(_) => tree.count_leaf_visit(step),
                    // Opened before its first play-out.
                    Link::Node(child) => {
                        tree.set_visits(child, tree.visits(child) + 1);
                        tree.visits(child)
                    }
                };
            }
            visits = tree.add_result(step, outcome.of(step.mover).value(), visits);
        }
    }

    /// Carries the new numbers of the node at the end of the path upward, while something changes.
    fn back_up_numbers(&mut self, mut new: ProofNumbers) {
        let tree = &mut self.space.tree;
        let path = &self.space.path;
        for (depth, step) in path.iter().enumerate().rev() {
            let old = tree.numbers(step.node, step.slot);
            if old == new {
                return;
            }
            tree.set_numbers(step.node, step.slot, new);
            let was = match depth.checked_sub(1).map(|above| path[above]) {
                Some(above) => tree.numbers(above.node, above.slot),
                None => self.root_numbers,
            };
            new = tree.recombined(step.node, was, old, new);
        }
        self.root_numbers = new;
    }

    fn report(&self, meter: &Meter<'_>, stopped: Option<Stopped>) -> Report<G::Move> {
        let tree = &self.space.tree;
        let root = self.root;
        let proof = self.goal.is_some();
        let mut moves: Vec<_> = (0..tree.children(root)).map(|slot| self.move_report(root, slot)).collect();
        if proof {
            let key = |m: &MoveReport<_>| tree.kind(root).key(m.numbers.unwrap_or(ProofNumbers::UNKNOWN));
            let ranks = competition_ranks(&moves.iter().map(key).collect::<Vec<_>>());
            for (m, rank) in moves.iter_mut().zip(ranks) {
                m.rank = Some(rank);
            }
        }
        // Stable, so that equally visited moves keep the random order of their first visits.
        moves.sort_by_key(|m| std::cmp::Reverse(m.visits));
        let won = moves.iter().find(|m| m.numbers.is_some_and(ProofNumbers::is_proven));
        // Where no win is left, anything but a certain loss; with no simulation at all, any move.
        let hopeless = proof && self.root_numbers.is_disproven();
        let chance = moves.iter().find(|m| !hopeless || m.bounds.most > Wdl::Loss).or(moves.first());
        let any = (meter.done() == 0).then(|| &moves[self.rng.clone().below(moves.len())]);
        let best = won.or(any).or(chance).map(|m| m.m);
        Report {
            best,
            bounds: if proof { Bounds::from_win_numbers(self.root_numbers) } else { Bounds::OPEN },
            numbers: proof.then_some(self.root_numbers),
            line: self.line(best),
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

    fn move_report(&self, node: Node, slot: usize) -> MoveReport<G::Move> {
        let tree = &self.space.tree;
        let m = tree.move_of(node, slot);
        let mut next = self.start.clone();
        next.play(m);
        let mover = self.start.to_move();
        let mut report = MoveReport { m, visits: 0, mean: 0.0, numbers: None, rank: None, bounds: Bounds::OPEN };
        if slot < tree.visited(node) {
            report.visits = visits_of(tree, node, slot).into();
            report.mean = f64::from(tree.values(&tree.head(node)).0[slot]) / (report.visits as f64).max(1.0);
            report.numbers = self.goal.map(|_| tree.numbers(node, slot));
        } else if let Some(goal) = self.goal {
            report.numbers = Some(next.outcome().map_or(ProofNumbers::UNKNOWN, |outcome| goal.numbers(outcome)));
        }
        if let Some(numbers) = report.numbers {
            report.bounds = Bounds::from_win_numbers(numbers);
        }
        if let Some(outcome) = next.outcome() {
            report.bounds = Bounds::exactly(outcome.of(mover));
        }
        report
    }

    /// The best move and what is expected after it: proven moves of the winner first, else the most visited ones.
    fn line(&self, best: Option<G::Move>) -> Vec<G::Move> {
        let tree = &self.space.tree;
        let mut line = Vec::new();
        let mut node = Some(self.root);
        let mut first = best;
        while let Some(here) = node {
            let visited = tree.visited(here);
            let won = |slot: &usize| {
                self.goal.is_some() && tree.kind(here) == NodeKind::Or && tree.numbers(here, *slot).is_proven()
            };
            let most = |&slot: &usize| (visits_of(tree, here, slot), std::cmp::Reverse(slot));
            let slot = match first.take() {
                Some(m) => (0..tree.children(here)).find(|&slot| tree.move_of(here, slot) == m),
                None => (0..visited).find(won).or((0..visited).max_by_key(most)),
            };
            let Some(slot) = slot else { break };
            line.push(tree.move_of(here, slot));
            node = match (slot < visited).then(|| tree.link(here, slot)) {
                Some(Link::Node(child)) => Some(child),
                _ => None,
            };
        }
        line
    }
}

fn visits_of<M: Copy>(tree: &Tree<M>, node: Node, slot: usize) -> u32 {
    match tree.link(node, slot) {
        Link::Leaf(visits) => visits,
        Link::Node(child) => tree.visits(child),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Agent;
    use crate::search::agent::Method;
    use crate::tree_game::TreeGame;

    /// Everything that must hold in a tree, checked from the definitions: visits and sums add up, every number is the
    /// combination of the children's, every rank is the competition rank. Returns visits and numbers of the node.
    fn check(run: &Simulation<'_, TreeGame>, node: Node, state: &TreeGame) -> (u32, ProofNumbers) {
        let tree = &run.space.tree;
        let (mut visits, mut all) = (0, Vec::new());
        let mover = state.to_move();
        assert_eq!(tree.head(node).mover, mover);
        for slot in 0..tree.children(node) {
            let mut next = state.clone();
            next.play(tree.move_of(node, slot));
            let fresh = match (run.goal, next.outcome()) {
                (Some(goal), Some(outcome)) => goal.numbers(outcome),
                _ => ProofNumbers::UNKNOWN,
            };
            if slot >= tree.visited(node) {
                all.push(fresh);
                continue;
            }
            let (below, numbers) = match tree.link(node, slot) {
                Link::Leaf(visits) => (visits, fresh),
                Link::Node(child) => check(run, child, &next),
            };
            if run.goal.is_some() {
                assert_eq!(tree.numbers(node, slot), numbers);
            }
            all.push(numbers);
            visits += below;
            let head = tree.head(node);
            let (sums, weights) = tree.values(&head);
            assert!(sums[slot].unsigned_abs() <= below && weights[slot] == 1.0 / (below as f32).sqrt());
            if let Some(outcome) = next.outcome() {
                assert_eq!(sums[slot], outcome.of(mover).value() * below as i32);
            }
        }
        let kind = NodeKind::of(Goal::win(run.start.to_move()), mover);
        if run.goal.is_some() && tree.visited(node) == tree.children(node) {
            let keys: Vec<_> = all.iter().map(|&numbers| kind.key(numbers)).collect();
            let ranks: Vec<u32> = tree.ranks(node).iter().map(|&rank| rank.into()).collect();
            assert_eq!(ranks, competition_ranks(&keys));
            assert_eq!(Some(tree.head(node).worst_rank), ranks.iter().copied().max());
        }
        // A node was also visited once (or, while there was no room, more often) before it was opened.
        assert!(tree.visits(node) > visits || node == run.root);
        (tree.visits(node), kind.combine(all))
    }

    #[test]
    fn after_every_simulation_every_number_in_the_tree_is_what_it_should_be() {
        for seed in 0..60 {
            let start = TreeGame::random(&mut Rng::new(seed), 9, 5, true);
            for name in ["mcts", "pn-mcts", "pn-mcts(pn=1e6,norm=children)", "pn-mcts(pn=0)", "pn-mcts(expand=1)"] {
                let Method::Mcts(config) = Agent::parse(name).expect(name).method() else { panic!() };
                let mut space = Workspace::new();
                let memory = if seed % 3 == 0 { 3000 } else { 1 << 20 };
                let budget = Budget { memory: Some(memory), ..Budget::default() };
                let mut run = Simulation::new(config, &mut space, &start, None, &budget, seed);
                for simulation in 1..150 {
                    run.simulate();
                    let (visits, numbers) = check(&run, run.root, &start);
                    assert_eq!(visits, simulation);
                    assert!(run.goal.is_none() || run.root_numbers == numbers, "{name}, seed {seed}");
                }
            }
        }
    }
}

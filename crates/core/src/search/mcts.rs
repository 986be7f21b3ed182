//! Monte-Carlo tree search, with or without proof numbers (Doe, Winands, Soemers, Browne: Combining Monte-Carlo Tree
//! Search with Proof-Number Search, 2022), and with the switches of [`Mcts`].
//!
//! A simulation: go down by [`select`](super::select) while every child of a node was visited; visit one more child at
//! random where not; open a leaf that is reached a second time; play out; add the result on the way back up.
//!
//! It is compiled three times: plainly, as the papers have it; with those switches that the default agent leaves alone
//! fixed; and with all of them. So nobody pays for questions whose answer is always the same.

mod back_up;
mod choose;
mod keep;
mod learn;
mod open;
mod playout;
mod prove;
mod report;

use std::sync::atomic::AtomicBool;

use crate::game::{Game, PLY_LIMIT};
use crate::outcome::{Outcome, Wdl};
use crate::rng::Rng;
use crate::search::budget::{Budget, Meter, Stopped, Tick};
use crate::search::explore::RootLog;
use crate::search::proof::{Counted, Goal, ProofNumbers};
use crate::search::report::{Bounds, Report};
use crate::search::select::{Fade, Formula, Ranks, best_child};
use crate::search::switches::{First, Mcts};
use crate::search::tree::{Extra, Head, Link, Node, Step, Tree};

use keep::Kept;
use open::Opened;
pub(crate) use open::Workspace;
use prove::Prover;

/// MCTS and PN-MCTS as printed.
const PLAIN: u8 = 0;
/// The switches of [`Mcts::usual`] are as they are there.
const USUAL: u8 = 1;
/// Any switches.
const ANY: u8 = 2;

/// From so many children on the exploration constant is the same.
const CONSTANTS: usize = 64;

struct Simulation<'a, G: Game, const MODE: u8> {
    config: Mcts,
    /// The visit at which a node is opened.
    expand: u32,
    space: &'a mut Workspace<G>,
    start: &'a G,
    state: G,
    root: Node,
    root_numbers: ProofNumbers,
    /// What is proven of the root for the player who moves there, by a solver.
    root_bounds: Bounds,
    counted: Option<Counted>,
    root_second: ProofNumbers,
    rng: Rng,
    root_log: RootLog,
    /// The exploration constant by the number of children, and the visits from which on it may be another.
    constants: [f32; CONSTANTS],
    grows_from: u32,
    full_after: Option<u64>,
    /// The first step of the path where bounds changed in this simulation.
    news_from: usize,
    /// Whether the goal was asked for: then a disproof settles it too.
    solves: bool,
    /// The unvisited child that is next, where they are not all alike.
    next_new: Option<usize>,
    /// Simulations of the last way down the tree, and the position it led to if there are several.
    made: u32,
    leaf: G,
    prover: Prover<G::Move>,
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
    let meter = Meter::new(budget, stop);
    let config = config.resolved_for(start, &mut space.moves);
    if config.is_plain() {
        Simulation::<G, PLAIN>::new(config, space, start, solve, budget, seed).run(meter, observer)
    } else if config.usual() == config {
        Simulation::<G, USUAL>::new(config, space, start, solve, budget, seed).run(meter, observer)
    } else {
        Simulation::<G, ANY>::new(config, space, start, solve, budget, seed).run(meter, observer)
    }
}

impl<'a, G: Game, const MODE: u8> Simulation<'a, G, MODE> {
    const SWITCHED: bool = MODE != PLAIN;

    /// The configuration, with what is fixed as constants.
    #[inline(always)]
    fn switches(&self) -> Mcts {
        if MODE == USUAL { self.config.usual() } else { self.config }
    }

    fn new(
        mut config: Mcts,
        space: &'a mut Workspace<G>,
        start: &'a G,
        solve: Option<Goal>,
        budget: &Budget,
        seed: u64,
    ) -> Self {
        if solve.is_some() {
            // The numbers are for the goal that was asked for, and for no other.
            config.reuse = false;
            if let Some(proof) = &mut config.proof {
                (proof.players, proof.two_goals) = (false, false);
            }
        }
        let counted = config.proof.map(|proof| match proof.players {
            true => Counted::Players,
            false => Counted::Goal(solve.unwrap_or(Goal::win(start.to_move()))),
        });
        let two = Self::SWITCHED && config.proof.is_some_and(|proof| proof.two_goals);
        let second = two.then_some(Goal { player: start.to_move(), least: Wdl::Draw, by: 0 });
        let memory = budget.memory.unwrap_or(Budget::MEMORY);
        let table = Self::table_bytes(config.prove, memory);
        let memory = memory - table;
        let known =
            if Self::SWITCHED && solve.is_none() { space.known(start, &config, (counted, second)) } else { None };
        space.kept = None;
        space.second = second;
        space.doubt = if config.rave.is_some() { config.doubt } else { 0 };
        let root = match known.and_then(|known| space.keep(known, memory)) {
            Some(root) => root,
            None => {
                space.tree.reset(counted.is_some(), counted.is_some(), memory);
                let root = if Self::SWITCHED {
                    space.tree.extend(config.proof);
                    if config.rave.is_some() {
                        space.tree.keep_amaf();
                    }
                    space.open_root(start, counted, &config)
                } else {
                    space.open(start, counted, usize::MAX, true)
                };
                let Some(root) = root else { unreachable!("the root is always opened") };
                root
            }
        };
        if Self::SWITCHED {
            space.fading.prepare(config.proof);
            space.lessons.reset(config.rave.is_some(), config.policy.is_some());
        }
        let root_numbers = if counted.is_some() { space.tree.combined(root) } else { ProofNumbers::UNKNOWN };
        let root_second = if two { space.tree.combined_second(root) } else { ProofNumbers::UNKNOWN };
        let root_bounds = if config.solver.is_some() { space.tree.node_bounds(root) } else { Bounds::OPEN };
        let mut prover = Prover::new(config.prove, start, solve);
        if space.is_solved(start, table) && Self::SWITCHED && solve.is_none() {
            prover.go_on();
        }
        let (rng, root_log, state) = (Rng::new(seed), RootLog::new(), start.clone());
        let (full_after, news_from) = (None, usize::MAX);
        let constants = std::array::from_fn(|children| config.c.at(children));
        let grows_from = config.grow.map_or(u32::MAX, |k| k as u32);
        Self {
            config,
            expand: config.opens_at(budget),
            space,
            start,
            state,
            root,
            root_numbers,
            root_bounds,
            counted,
            root_second,
            rng,
            root_log,
            constants,
            grows_from,
            full_after,
            news_from,
            solves: solve.is_some(),
            next_new: None,
            made: 0,
            leaf: start.clone(),
            prover,
        }
    }

    fn run(mut self, mut meter: Meter<'_>, observer: &mut dyn FnMut(&Report<G::Move>)) -> Report<G::Move> {
        let stopped = loop {
            if self.is_settled() {
                break Stopped::Proven;
            }
            match meter.tick() {
                Tick::Go => {
                    let room = self.simulate(meter.left());
                    if Self::SWITCHED {
                        meter.add(u64::from(self.made - 1));
                    }
                    if !room && self.full_after.is_none() {
                        self.full_after = Some(meter.done());
                    }
                    if Self::SWITCHED && meter.done() >= self.prover.due {
                        self.prove(&mut meter);
                    }
                }
                Tick::Notice => {
                    self.space.show(self.root, self.counted.map(|_| self.root_numbers));
                    observer(&self.report(&meter, None));
                }
                Tick::Stop(why) => break why,
            }
        };
        self.space.show(self.root, self.counted.map(|_| self.root_numbers));
        let mut report = self.report(&meter, Some(stopped));
        if Self::SWITCHED {
            self.proven_line(&mut report, &meter);
            let won = !self.solves && self.prover.bounds.least == Wdl::Win;
            let table = Self::table_bytes(self.config.prove, meter.budget().memory.unwrap_or(Budget::MEMORY));
            self.space.solver.solved = report.best.filter(|_| won).map(|best| (self.start.clone(), best, table));
        }
        if Self::SWITCHED && !self.solves && (self.config.reuse || self.root_bounds.least == Wdl::Win) {
            let goals = (self.counted, self.space.second);
            self.space.kept = Some(Kept { start: self.start.clone(), root: self.root, config: self.config, goals });
        }
        report
    }

    /// Whether more search would change nothing.
    #[inline(always)]
    fn is_settled(&self) -> bool {
        if self.solves && self.counted.is_some() && self.root_numbers.is_decided() {
            return true;
        }
        if self.counted.is_some() && !Self::SWITCHED {
            return self.root_numbers.is_proven();
        }
        self.counted.is_some_and(|counted| counted.for_player(self.start.to_move(), self.root_numbers).is_proven())
            || Self::SWITCHED && (self.root_bounds.value().is_some() || self.prover.bounds.value().is_some())
    }

    /// One way down the tree, with one play-out or several: at most as many simulations as are `left`. Says whether there
    /// was memory for all it wanted to keep.
    fn simulate(&mut self, left: u64) -> bool {
        let mut room = true;
        let mut known = None;
        self.state.clone_from(self.start);
        self.space.path.clear();
        let records = Self::SWITCHED && self.switches().records();
        if records {
            self.space.lessons.trace.clear();
        }
        let mut node = self.root;
        loop {
            let mut head = self.space.tree.head(node);
            let (mut new, mut best) =
                if Self::SWITCHED { self.weigh(&head) } else { (head.visited < head.children, None) };
            if new {
                if head.visited == head.capacity {
                    match self.grow(node) {
                        Some(bigger) => head = self.space.tree.head(bigger),
                        None => (room, new) = (false, false),
                    }
                }
                if new {
                    self.visit_new(&head);
                    if self.expand == 1 && self.state.outcome().is_none() {
                        match self.open_leaf(0) {
                            Opened::Node(_) => {}
                            Opened::Decided(outcome) => known = Some(outcome),
                            Opened::Full => room = false,
                        }
                    }
                    break;
                }
            }
            if Self::SWITCHED && best.is_none() {
                if self.space.tree.extra(&head).active == 0 {
                    // All that is known is pruned and there is no room for anything new: play out from here.
                    break;
                }
                best = Some(self.select_without_room(head));
            }
            let slot = if Self::SWITCHED { best.unwrap_or(0) } else { self.select(&head) };
            let (step, m, link) = self.space.tree.step(&head, slot);
            if records {
                self.space.lessons.trace.push((head.mover, m));
            }
            self.state.play(m);
            self.space.path.push(step);
            match link {
                Link::Node(child) if !Self::SWITCHED => node = child,
                Link::Node(child) => {
                    known = self.decided(step);
                    if known.is_some() {
                        break;
                    }
                    node = child;
                }
                Link::Leaf(visits) => {
                    if Self::SWITCHED {
                        known = self.decided(step);
                    }
                    if known.is_some() || self.state.outcome().is_some() || visits + 1 < self.expand {
                        break;
                    }
                    match self.open_leaf(visits) {
                        Opened::Node(child) => node = child,
                        Opened::Decided(outcome) => {
                            known = Some(outcome);
                            break;
                        }
                        Opened::Full => {
                            room = false;
                            break;
                        }
                    }
                }
            }
        }
        let known = known.or(self.state.outcome());
        self.made = self.playouts(left, known.is_some());
        if Self::SWITCHED && self.made > 1 {
            self.leaf.clone_from(&self.state);
        }
        for playout in 0..self.made {
            if Self::SWITCHED && playout > 0 {
                self.state.clone_from(&self.leaf);
            }
            let from = self.space.lessons.trace.len();
            let outcome = known.unwrap_or_else(|| self.play_out(records));
            self.back_up(outcome);
            if records {
                self.note(from, outcome, playout == 0);
            }
        }
        if records {
            self.learn();
        }
        if Self::SWITCHED && self.switches().solver.is_some() {
            self.prune_path();
        }
        room
    }

    /// How many play-outs the leaf gets that was reached, if so many simulations are left: one if there is nothing to play.
    #[inline(always)]
    fn playouts(&self, left: u64, known: bool) -> u32 {
        if MODE != ANY || known {
            return 1;
        }
        let wanted = self.config.playouts.at(self.space.tree.visits(self.root));
        left.clamp(1, wanted.max(1).into()) as u32
    }

    /// Plays the rest of the game.
    #[inline(always)]
    fn play_out(&mut self, records: bool) -> Outcome {
        let limit = PLY_LIMIT.saturating_sub(self.space.path.len() as u32);
        if records {
            self.recorded_playout(limit)
        } else if Self::SWITCHED && self.config.decisive_playouts {
            self.state.decisive_playout(&mut self.rng, limit).outcome
        } else {
            self.state.playout(&mut self.rng, limit).outcome
        }
    }

    /// Whether to visit a new child, and which of the known ones is best if that was asked.
    #[inline(always)]
    fn weigh(&mut self, head: &Head) -> (bool, Option<usize>) {
        let extra = self.space.tree.extra(head);
        let (left, switches) = (self.left(&extra), self.switches());
        self.next_new = None;
        // Finished children cost no play-out; where they are not left out they are looked at first.
        if left > 0 && (switches.first != First::Urgency || left > extra.open) {
            return (true, None);
        }
        let alone = extra.active == 0;
        if alone && switches.rave.is_none() {
            return (left > 0, None);
        }
        let choice = self.select_switched(head, &extra);
        self.next_new = choice.new;
        (left > 0 && choice.unvisited >= choice.score, (!alone).then_some(choice.best))
    }

    /// How many of the unvisited children may be visited: a full solver knows all of the finished ones.
    #[inline(always)]
    fn left(&self, extra: &Extra) -> usize {
        extra.open + if self.switches().solver == Some(0) { 0 } else { extra.ended }
    }

    /// The result of a child that is decided.
    #[inline(always)]
    fn decided(&self, step: Step) -> Option<Outcome> {
        let visits = self.switches().solver?;
        if visits == 0 {
            // Not needed: such children are pruned at once.
            return None;
        }
        Some(open::outcome_for(step.mover, self.space.tree.bounds(step.node, step.slot).value()?))
    }

    /// Opens the leaf at the end of the path, which was visited so many times, and carries up what that tells.
    #[inline(always)]
    fn open_leaf(&mut self, visits: u32) -> Opened {
        let opened = if Self::SWITCHED {
            self.space.open_switched(&self.state, self.counted, &self.config)
        } else {
            self.space.open(&self.state, self.counted, 2, false).map_or(Opened::Full, Opened::Node)
        };
        let Some(&leaf) = self.space.path.last() else { return Opened::Full };
        let second;
        let (numbers, bounds) = match opened {
            Opened::Node(child) => {
                let tree = &mut self.space.tree;
                tree.set_visits(child, visits);
                tree.set_link(leaf.node, leaf.slot, Link::Node(child));
                let numbers = self.counted.map(|_| tree.combined(child));
                second = (Self::SWITCHED && self.space.second.is_some()).then(|| tree.combined_second(child));
                let bounds = if Self::SWITCHED && self.config.solver.is_some() {
                    open::seen_by(leaf.mover, self.state.to_move(), tree.node_bounds(child), self.state.players())
                } else {
                    Bounds::OPEN
                };
                (numbers, bounds)
            }
            Opened::Decided(outcome) => {
                second = self.space.second.map(|goal| goal.numbers(outcome));
                (self.counted.map(|counted| counted.numbers(outcome)), Bounds::exactly(outcome.of(leaf.mover)))
            }
            Opened::Full => return Opened::Full,
        };
        match (numbers, second) {
            (Some(numbers), Some(second)) if Self::SWITCHED => self.back_up_both(numbers, second),
            (Some(numbers), _) => self.back_up_numbers(numbers),
            (None, _) => {}
        }
        if Self::SWITCHED && bounds != Bounds::OPEN {
            self.back_up_bounds(bounds);
        }
        opened
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

    /// Visits one of the children not visited so far, each with the same chance unless a switch puts some first.
    #[inline(always)]
    fn visit_new(&mut self, head: &Head) {
        let index = if Self::SWITCHED { self.draw_new(*head) } else { self.rng.below(head.children - head.visited) };
        let records = Self::SWITCHED && self.switches().records();
        let tree = &mut self.space.tree;
        let m = tree.move_of(head.node, head.visited + index);
        if records {
            self.space.lessons.trace.push((head.mover, m));
        }
        self.state.play(m);
        let outcome = self.state.outcome();
        let numbers = match (self.counted, outcome) {
            (Some(counted), Some(outcome)) => counted.numbers(outcome),
            _ => ProofNumbers::UNKNOWN,
        };
        let slot = if Self::SWITCHED {
            let bounds = outcome.map_or(Bounds::OPEN, |outcome| Bounds::exactly(outcome.of(head.mover)));
            let second = self.space.second.zip(outcome).map(|(goal, outcome)| goal.numbers(outcome));
            tree.visit_extended(head.node, index, [numbers, second.unwrap_or(ProofNumbers::UNKNOWN)], bounds)
        } else {
            tree.visit(head.node, index, numbers)
        };
        let (step, _, _) = tree.step(head, slot);
        self.space.path.push(step);
    }

    /// Which of the unvisited children is next.
    fn draw_new(&mut self, head: Head) -> usize {
        let extra = self.space.tree.extra(&head);
        let left = self.left(&extra);
        if let Some(index) = self.next_new.take() {
            return index;
        }
        if left == extra.open || self.switches().first == First::Random {
            return self.rng.below(left);
        }
        // The best of the finished ones stands last.
        extra.open + extra.ended - 1
    }

    /// The best of the visited children, where there was no memory for another one.
    #[cold]
    fn select_without_room(&mut self, head: Head) -> usize {
        let extra = self.space.tree.extra(&head);
        self.select_switched(&head, &extra).best
    }

    /// The best of the children, all of which were visited.
    #[inline(always)]
    fn select(&mut self, head: &Head) -> usize {
        let tree = &self.space.tree;
        let (sums, weights) = tree.values_in_fours(head);
        let explore = self.config.c.at(head.children) * self.root_log.of(head.visits);
        let mut formula = Formula { explore, bonus: 0.0, worst_rank: 1.0, fade: Fade::Never };
        let mut ranks = None;
        if let Some(proof) = self.config.proof
            && proof.c_pn > 0.0
            && head.visited == head.children
        {
            ranks = Some(Ranks { ranks: tree.ranks_in_fours(head), shares: &[] });
            formula.bonus = proof.c_pn;
            formula.worst_rank = proof.norm.of(head);
        }
        best_child(formula, head.visited, sums, weights, ranks, &mut self.space.fours).0
    }
}

fn visits_of<M: Copy>(tree: &Tree<M>, node: Node, slot: usize) -> u32 {
    match tree.link(node, slot) {
        Link::Leaf(visits) => visits,
        Link::Node(child) => tree.visits(child),
    }
}

#[cfg(test)]
mod switch_tests;
#[cfg(test)]
mod tests;

//! One simulation: down the tree, a new node, a play-out, and back up.

use super::Search;
use super::open::{self, Opened};
use super::playout::Kind;
use crate::game::{Game, PLY_LIMIT};
use crate::outcome::Outcome;
use crate::search::proof::ProofNumbers;
use crate::search::report::Bounds;
use crate::search::tree::{ChildCounts, Head, Link, Node, Step};

/// In place of a slot: no visited child.
pub(super) const NONE: usize = usize::MAX;

impl<G: Game> Search<'_, G> {
    /// One descent with one play-out, or several: at most as many simulations as are `left`. False if there was no memory
    /// for all it wanted to keep.
    ///
    /// `FULL` must be set unless the configuration is plain; it decides at compile time which questions are asked.
    #[inline(never)]
    pub(super) fn simulate<const FULL: bool>(&mut self, left: u64) -> bool {
        let mut room = true;
        let mut known = None;
        self.state.clone_from(&self.base);
        self.space.path.clear();
        let records = FULL && self.records;
        if records {
            self.space.move_stats.trace.truncate(self.above);
        }
        let mut node = self.root;
        // False where there was no memory for another visited child of this node.
        let mut may_visit = true;
        loop {
            let head = self.space.tree.head(node);
            let (new, slot) = if FULL {
                self.weigh(&head, may_visit)
            } else if may_visit && head.visited < head.children {
                (true, NONE)
            } else {
                (false, self.select_plain(&head))
            };
            if new {
                // A node with room for another visited child, if there is memory for that.
                let fits = if head.visited == head.capacity { self.grow(node) } else { Some(node) };
                if let Some(node) = fits {
                    self.visit_new(node);
                    if self.expand == 1 && self.state.outcome().is_none() {
                        match self.open_leaf(0) {
                            Opened::Node(_) => {}
                            Opened::Decided(outcome) => known = Some(outcome),
                            Opened::Full => room = false,
                        }
                    }
                    break;
                }
                room = false;
                if slot == NONE {
                    // Once more, among the visited ones alone.
                    may_visit = false;
                    continue;
                }
            }
            may_visit = true;
            if FULL && slot == NONE {
                // All visited children are pruned, and there is no room for another. Play out from here.
                break;
            }
            let (step, m, link) = self.space.tree.step(&head, slot);
            if records {
                self.space.move_stats.trace.push((head.mover, m));
            }
            self.state.play(m);
            self.space.path.push(step);
            if FULL && self.visits_decided {
                known = self.decided(step);
                if known.is_some() {
                    break;
                }
            }
            match link {
                Link::Node(child) => node = child,
                Link::Leaf(visits) => {
                    if self.state.outcome().is_some() || visits + 1 < self.expand {
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
        if FULL {
            self.play_out_full(known, left);
        } else {
            self.made = 1;
            let limit = self.plies_left();
            let outcome = known.unwrap_or_else(|| self.state.playout(&mut self.rng, limit).outcome);
            self.back_up::<false>(outcome);
        }
        room
    }

    /// Plays out once or several times from the end of the path, unless its result is known, and backs the results up.
    #[inline(always)]
    pub(super) fn play_out_full(&mut self, known: Option<Outcome>, left: u64) {
        self.made = self.playouts(left, known.is_some());
        if self.made > 1 {
            self.leaf.clone_from(&self.state);
        }
        for playout in 0..self.made {
            if playout > 0 {
                self.state.clone_from(&self.leaf);
            }
            let from = self.space.move_stats.trace.len();
            let outcome = known.unwrap_or_else(|| self.play_out());
            self.back_up::<true>(outcome);
            if self.records {
                self.note(from, outcome, playout == 0);
            }
        }
        if self.records {
            self.learn();
        }
        if self.rules.config.solver.is_some() {
            self.prune_path();
        }
    }

    /// How many play-outs the leaf gets, of the simulations that are left: one if there is nothing to play.
    #[inline(always)]
    fn playouts(&self, left: u64, known: bool) -> u32 {
        if known {
            return 1;
        }
        let wanted = self.rules.config.playouts.at(self.root_visits());
        left.clamp(1, wanted.max(1).into()) as u32
    }

    /// Plays the rest of the game.
    #[inline(always)]
    fn play_out(&mut self) -> Outcome {
        let limit = self.plies_left();
        match self.playout {
            Kind::Random => self.state.playout(&mut self.rng, limit).outcome,
            Kind::Decisive => self.state.decisive_playout(&mut self.rng, limit).outcome,
            Kind::Recorded => self.recorded_playout(limit),
            Kind::Own => self.own_playout(limit),
            Kind::Judged => self.judged_result(),
        }
    }

    /// Plies until a game counts as endless.
    #[inline(always)]
    pub(super) fn plies_left(&self) -> u32 {
        PLY_LIMIT.saturating_sub((self.above + self.space.path.len()) as u32)
    }

    /// Whether to visit a new child, and which of the visited ones is best if that was worked out.
    #[inline(always)]
    pub(super) fn weigh(&mut self, head: &Head, may_visit: bool) -> (bool, usize) {
        let counts = self.space.tree.counts(head);
        let left = if may_visit { self.rules.left(&counts) } else { 0 };
        if self.rules.must_visit(left, &counts) {
            self.next_new = None;
            return (true, NONE);
        }
        if counts.active == 0 && self.has_no_choice(&counts) {
            return (left > 0, NONE);
        }
        let choice = self.select_full(head, &counts);
        (left > 0 && choice.unvisited >= choice.score, choice.best)
    }

    /// Whether there is nothing to compare: a question apart, since hardly any node has no child that competes.
    #[cold]
    #[inline(never)]
    fn has_no_choice(&mut self, counts: &ChildCounts) -> bool {
        self.next_new = None;
        self.rules.has_no_choice(counts)
    }

    /// The result of a child that is decided.
    #[cold]
    pub(super) fn decided(&self, step: Step) -> Option<Outcome> {
        Some(open::outcome_for(step.mover, self.space.tree.bounds(step.node, step.slot).value()?))
    }

    /// Opens the leaf at the end of the path, which was visited so many times, and backs up what that tells.
    fn open_leaf(&mut self, visits: u32) -> Opened {
        let opened = if self.rules.full {
            self.space.open_full(&self.state, self.counted, &self.rules.config)
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
                second = self.space.second.map(|_| tree.combined_second(child));
                let bounds = if self.rules.config.solver.is_some() {
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
            (Some(numbers), Some(second)) => self.back_up_both(numbers, second),
            (Some(numbers), None) => self.back_up_numbers(numbers),
            (None, _) => {}
        }
        if bounds != Bounds::OPEN {
            self.back_up_bounds(bounds);
        }
        if self.rules.config.judged.is_some() {
            self.back_up_values(opened);
        }
        opened
    }

    /// Gives a node a larger block and links it in.
    #[cold]
    pub(super) fn grow(&mut self, node: Node) -> Option<Node> {
        let new = self.space.tree.grow(node)?;
        match self.space.path.last() {
            Some(step) => self.space.tree.set_link(step.node, step.slot, Link::Node(new)),
            None => self.root = new,
        }
        Some(new)
    }

    /// Visits one of the children not visited so far, each with the same probability unless one is to be first.
    pub(super) fn visit_new(&mut self, node: Node) {
        let head = &self.space.tree.head(node);
        let index = if self.rules.full { self.draw_new(head) } else { self.rng.below(head.children - head.visited) };
        let tree = &mut self.space.tree;
        let m = tree.move_of(head.node, head.visited + index);
        if self.records {
            self.space.move_stats.trace.push((head.mover, m));
        }
        self.state.play(m);
        let outcome = self.state.outcome();
        let numbers = match (self.counted, outcome) {
            (Some(counted), Some(outcome)) => counted.numbers(outcome),
            _ => ProofNumbers::UNKNOWN,
        };
        let slot = if self.rules.full {
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
    fn draw_new(&mut self, head: &Head) -> usize {
        let counts = self.space.tree.counts(head);
        let left = self.rules.left(&counts);
        if let Some(index) = self.next_new.take() {
            return index;
        }
        if self.rules.draws(left, &counts) {
            return self.rng.below(left);
        }
        // The best of the finished ones stands last.
        left - 1
    }
}

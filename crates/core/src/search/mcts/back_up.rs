//! The way back up: results, proof numbers, and what is proven.

use super::{Search, open};
use crate::game::Game;
use crate::outcome::Outcome;
use crate::search::proof::ProofNumbers;
use crate::search::report::Bounds;
use crate::search::tree::Link;

impl<G: Game> Search<'_, G> {
    /// Adds the result to every node of the path, from the leaf up.
    #[inline(always)]
    pub(super) fn back_up<const FULL: bool>(&mut self, mut outcome: Outcome) {
        let solver = FULL && self.rules.config.solver.is_some();
        let tree = &mut self.space.tree;
        let two = solver && self.start.players() == 2;
        let mut visits = 0;
        for (above, &step) in self.space.path.iter().rev().enumerate() {
            if above == 0 {
                visits = match tree.link(step.node, step.slot) {
                    Link::Leaf(_) => tree.count_leaf_visit(step),
                    // Opened before its first play-out, or left for want of room.
                    Link::Node(child) => {
                        let visits = tree.visits(child) + 1;
                        tree.set_visits(child, visits);
                        visits
                    }
                };
            }
            let below = visits;
            visits = tree.add_result(step, outcome.of(step.mover).value(), below);
            if FULL {
                tree.fade(step, below);
            }
            if solver && let Some(bounds) = tree.clip(step, below) {
                // What is proven here holds for everyone above.
                let value = outcome.of(step.mover);
                let proven = value.clamp(bounds.least, bounds.most);
                if proven != value && two {
                    outcome = open::outcome_for(step.mover, proven);
                }
            }
        }
        if let Some(tally) = &mut self.tally {
            tally.add(outcome);
        }
    }

    /// Carries the new numbers of the node at the end of the path upward, while something changes.
    pub(super) fn back_up_numbers(&mut self, mut new: ProofNumbers) {
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

    /// The same for the numbers of two goals.
    pub(super) fn back_up_both(&mut self, mut new: ProofNumbers, mut second: ProofNumbers) {
        let tree = &mut self.space.tree;
        let path = &self.space.path;
        for (depth, step) in path.iter().enumerate().rev() {
            let old = tree.numbers(step.node, step.slot);
            if old == new && tree.second_numbers(step.node, step.slot) == second {
                return;
            }
            tree.set_both(step.node, step.slot, new, second);
            let was = match depth.checked_sub(1).map(|above| path[above]) {
                Some(above) => tree.numbers(above.node, above.slot),
                None => self.root_numbers,
            };
            new = tree.recombined(step.node, was, old, new);
            second = tree.combined_second(step.node);
        }
        (self.root_numbers, self.root_second) = (new, second);
    }

    /// The same for what is proven of it, as the player who moved there sees it.
    pub(super) fn back_up_bounds(&mut self, mut new: Bounds) {
        let tree = &mut self.space.tree;
        let path = &self.space.path;
        for (depth, &step) in path.iter().enumerate().rev() {
            if tree.bounds(step.node, step.slot) == new {
                return;
            }
            tree.set_bounds(step, new);
            self.news_from = self.news_from.min(depth);
            let own = tree.node_bounds(step.node);
            match depth.checked_sub(1) {
                Some(above) => new = open::seen_by(path[above].mover, step.mover, own, self.start.players()),
                None => self.root_bounds = own,
            }
        }
    }

    /// Prunes what this simulation has shown to be of no use. Last of all, since it changes the places of children.
    #[inline(always)]
    pub(super) fn prune_path(&mut self) {
        let visits = self.rules.config.solver.unwrap_or(0);
        if visits > 0 {
            // Any child on the path may just have had its last visit.
            self.news_from = 0;
        }
        if self.news_from == usize::MAX {
            return;
        }
        let tree = &mut self.space.tree;
        for depth in self.news_from..self.space.path.len() {
            let node = self.space.path[depth].node;
            let bounds = tree.node_bounds(node);
            if bounds.value().is_none() {
                tree.prune(node, bounds.least, visits);
            }
        }
        self.news_from = usize::MAX;
    }
}

//! The tree of the last search, for the next one to go on with.

use std::sync::Arc;

use super::open::Workspace;
use crate::game::Game;
use crate::outcome::Wdl;
use crate::search::bonus::{self, SelectionBonus};
use crate::search::proof::Goal;
use crate::search::switches::Mcts;
use crate::search::tree::{Link, Node};

/// What was searched last.
pub(super) struct Kept<G> {
    pub start: G,
    pub root: Node,
    pub config: Mcts,
    /// What the numbers in the tree count: they mean nothing to a root with other goals.
    pub goals: (Option<Goal>, Option<Goal>),
    pub own_bonus: Option<Arc<dyn SelectionBonus>>,
}

impl<G: Game> Workspace<G> {
    /// Forgets the last search.
    pub(crate) fn forget(&mut self) {
        (self.kept, self.solver.solved) = (None, None);
    }

    /// Whether `start` comes after the winning move of a position that the search beside the tree has solved with a table
    /// of so many bytes. It is asked once.
    pub(super) fn is_solved(&mut self, start: &G, table: usize) -> bool {
        let Some((mut state, winning, _)) = self.solver.solved.take().filter(|solved| solved.2 == table) else {
            return false;
        };
        let winner = state.to_move();
        state.play(winning);
        let mut replies = Vec::new();
        if state.outcome().is_none() && start.to_move() == winner {
            state.moves(&mut replies);
        }
        replies.into_iter().any(|reply| {
            let mut next = state.clone();
            next.play(reply);
            next.key() == start.key()
        })
    }

    /// The node of `start`, if the last search was by the same agent with the same goals and has it after one or two
    /// moves. The same position once more is searched anew: the same seed gives the same report.
    ///
    /// An agent that does not go on with its trees still does not let go of a win that it has proven: it knows what
    /// comes after the winning move.
    pub(super) fn known(&self, start: &G, config: &Mcts, goals: (Option<Goal>, Option<Goal>)) -> Option<Node> {
        let kept = self.kept.as_ref().filter(|kept| kept.config == *config && kept.goals == goals)?;
        if !bonus::same(kept.own_bonus.as_ref(), self.own_bonus.as_ref()) {
            return None;
        }
        if config.reuse {
            if kept.start.key() == start.key() {
                return None;
            }
            return self.find(kept.root, &kept.start, start, 2);
        }
        let wins = |slot| self.tree.bounds(kept.root, slot).least == Wdl::Win;
        let found = (0..self.tree.visited(kept.root)).filter(|&slot| wins(slot)).find_map(|slot| {
            let Link::Node(after) = self.tree.link(kept.root, slot) else { return None };
            let mut state = kept.start.clone();
            state.play(self.tree.move_of(kept.root, slot));
            self.find(after, &state, start, 1)
        })?;
        (self.tree.node_bounds(found).least == Wdl::Win && start.to_move() == kept.start.to_move()).then_some(found)
    }

    /// Drops everything but the subtree of `node`; where that is now. Nothing if it would take more than half of the memory:
    /// a tree that cannot grow any more is worth less than a new one, unless it holds the proof of a win.
    pub(super) fn keep(&mut self, node: Node, memory: usize) -> Option<Node> {
        let root = self.tree.keep(node, memory);
        let won = self.tree.node_bounds(root).least == Wdl::Win;
        (won || self.tree.bytes() <= memory / 2).then_some(root)
    }

    fn find(&self, node: Node, state: &G, wanted: &G, depth: usize) -> Option<Node> {
        if state.key() == wanted.key() && state.to_move() == wanted.to_move() {
            return Some(node);
        }
        if depth == 0 {
            return None;
        }
        (0..self.tree.visited(node)).find_map(|slot| match self.tree.link(node, slot) {
            Link::Node(child) => {
                let mut next = state.clone();
                next.play(self.tree.move_of(node, slot));
                self.find(child, &next, wanted, depth - 1)
            }
            Link::Leaf(_) => None,
        })
    }
}

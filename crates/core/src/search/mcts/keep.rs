//! The tree of the last search, for the next one to go on with.

use super::open::Workspace;
use crate::game::Game;
use crate::search::proof::{Aim, Goal};
use crate::search::switches::Mcts;
use crate::search::tree::{Link, Node};

/// What was searched last.
pub(super) struct Kept<G> {
    pub start: G,
    pub root: Node,
    pub config: Mcts,
    /// What the numbers in the tree count: they mean nothing to a root with other goals.
    pub goals: (Option<Aim>, Option<Goal>),
}

impl<G: Game> Workspace<G> {
    /// Forgets the last search.
    pub(crate) fn forget(&mut self) {
        self.kept = None;
    }

    /// The node of `start`, if the last search was by the same agent with the same goals and has it within two moves.
    pub(super) fn known(&self, start: &G, config: &Mcts, goals: (Option<Aim>, Option<Goal>)) -> Option<Node> {
        let kept = self.kept.as_ref().filter(|kept| kept.config == *config && kept.goals == goals)?;
        self.find(kept.root, &kept.start, start, 2)
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

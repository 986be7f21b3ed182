//! Read access to the tree of a search, while it runs or after it has ended, to explain its choices.
//!
//! Nothing here changes a tree. A node is named by the moves that lead to it from the root.

use std::hash::Hash;
use std::sync::Arc;

use crate::game::Game;
use crate::outcome::Player;
use crate::search::bonus::SelectionBonus;
use crate::search::mcts::{Explainer, Rules, Workspace};
use crate::search::proof::{NodeKind, ProofNumbers};
use crate::search::report::competition_ranks;
use crate::search::terms::{Standing, Terms};
use crate::search::tree::{Link, Node, Step, Tree};

/// The tree of a search, to be read.
pub struct TreeView<'a, M> {
    tree: &'a Tree<M>,
    root: Node,
    numbers: Option<ProofNumbers>,
    /// By what the search chooses, if it does by a sum; and whether it is at its end, for nothing is left to find out.
    explainer: Option<Explainer<'a, M>>,
    settled: bool,
}

/// A node that has its children in the tree.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeView<M> {
    /// Who chooses here.
    pub mover: Player,
    /// Whose choice that is for "the player to move at the root wins"; none in trees without proof numbers.
    pub kind: Option<NodeKind>,
    /// Simulations that went through.
    pub visits: u64,
    /// Proof and disproof number of the node itself, if the tree has them.
    pub numbers: Option<ProofNumbers>,
    /// All children: the visited ones in the order of their first visit, then the others.
    pub children: Vec<ChildView<M>>,
}

/// A child of a node.
#[derive(Clone, Debug, PartialEq)]
pub struct ChildView<M> {
    /// The move that leads to it.
    pub m: M,
    /// Simulations that went through.
    pub visits: u64,
    /// Their mean value for the player who chooses at the parent, from -1 to 1; 0 if there were none.
    pub mean: f64,
    /// Its numbers, once it was visited, if the tree has them.
    pub numbers: Option<ProofNumbers>,
    /// Its place among the siblings by the number that counts at the parent, once all of them have numbers.
    pub rank: Option<u32>,
    /// Whether it has children of its own in the tree.
    pub opened: bool,
    /// What selection adds up for it; none where selection does not look at it: it is decided, a sibling must be visited
    /// before, or the agent does not choose by a sum.
    pub terms: Option<Terms>,
    /// Whether the next simulation that comes to the parent goes to it, or may: where several children are next, one of
    /// them is drawn.
    pub next: bool,
}

impl<M: Copy + PartialEq + Hash> TreeView<'_, M> {
    /// The node that `path` leads to; none where the tree ends earlier.
    pub fn node(&self, path: &[M]) -> Option<NodeView<M>> {
        let (mut node, mut numbers, mut steps) = (self.root, self.numbers, Vec::with_capacity(path.len()));
        for &m in path {
            let slot = (0..self.tree.visited(node)).find(|&slot| self.tree.move_of(node, slot) == m)?;
            let Link::Node(next) = self.tree.link(node, slot) else { return None };
            numbers = self.numbers.map(|_| self.tree.numbers(node, slot));
            steps.push(self.tree.step(&self.tree.head(node), slot).0);
            node = next;
        }
        Some(self.read(node, numbers, &steps))
    }

    fn read(&self, node: Node, numbers: Option<ProofNumbers>, path: &[Step]) -> NodeView<M> {
        let tree = self.tree;
        let head = tree.head(node);
        let (sums, _) = tree.values(&head);
        let with_numbers = self.numbers.is_some();
        let standings = match &self.explainer {
            Some(explainer) => explainer.children(node, path),
            None => vec![Standing::default(); head.children],
        };
        let at_end = self.settled && path.is_empty();
        let mut children: Vec<ChildView<M>> = standings
            .into_iter()
            .enumerate()
            .map(|(slot, standing)| {
                let (terms, next) = (standing.terms, standing.next && !at_end);
                let m = tree.move_of(node, slot);
                if slot >= head.visited {
                    return ChildView {
                        m,
                        visits: 0,
                        mean: 0.0,
                        numbers: None,
                        rank: None,
                        opened: false,
                        terms,
                        next,
                    };
                }
                let (visits, opened) = match tree.link(node, slot) {
                    Link::Leaf(visits) => (visits, false),
                    Link::Node(child) => (tree.visits(child), true),
                };
                let mean = f64::from(sums[slot]) / f64::from(visits.max(1));
                let numbers = with_numbers.then(|| tree.numbers(node, slot));
                ChildView { m, visits: visits.into(), mean, numbers, rank: None, opened, terms, next }
            })
            .collect();
        let kind = with_numbers.then(|| tree.kind(node));
        let keys: Option<Vec<_>> =
            children.iter().map(|child| Some(kind?.key(child.numbers?))).collect::<Option<Vec<_>>>();
        if let Some(keys) = keys {
            for (child, rank) in children.iter_mut().zip(competition_ranks(&keys)) {
                child.rank = Some(rank);
            }
        }
        NodeView { mover: head.mover, kind, visits: head.visits.into(), numbers, children }
    }
}

/// Somebody who is shown the tree whenever the search reports, just before it does.
pub type Viewer<M> = Box<dyn FnMut(&TreeView<'_, M>) + Send>;

/// Who looks on, and where the root of the last tree is.
pub(crate) struct Viewing<M> {
    pub(crate) viewer: Option<Viewer<M>>,
    last: Option<Last>,
}

/// The root of a tree with its numbers, and by what its search chooses.
struct Last {
    root: Node,
    numbers: Option<ProofNumbers>,
    chooses: Option<Chooses>,
}

/// By what a search chooses among children.
pub(crate) struct Chooses {
    pub rules: Rules,
    pub own_bonus: Option<Arc<dyn SelectionBonus>>,
    /// Whether nothing is left for the search to find out.
    pub settled: bool,
}

impl<M> Viewing<M> {
    pub(crate) fn empty() -> Self {
        Self { viewer: None, last: None }
    }
}

impl<G: Game> Workspace<G> {
    /// Shows the tree to the viewer, if there is one, and remembers the root for those who look later.
    pub(crate) fn show(&mut self, root: Node, numbers: Option<ProofNumbers>, chooses: Option<Chooses>) {
        self.viewing.last = Some(Last { root, numbers, chooses });
        if let Some(mut viewer) = self.viewing.viewer.take() {
            self.view().iter().for_each(&mut viewer);
            self.viewing.viewer = Some(viewer);
        }
    }

    /// The tree of the last search, if it kept one.
    pub(crate) fn view(&self) -> Option<TreeView<'_, G::Move>> {
        let Last { root, numbers, chooses } = self.viewing.last.as_ref()?;
        let explainer = chooses.as_ref().map(|by| self.explainer(&by.rules, by.own_bonus.as_deref()));
        let settled = chooses.as_ref().is_some_and(|by| by.settled);
        Some(TreeView { tree: &self.tree, root: *root, numbers: *numbers, explainer, settled })
    }

    /// Forgets the last tree: a new search begins.
    pub(crate) fn clear_view(&mut self) {
        self.viewing.last = None;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::{Arc, Mutex};

    use super::*;
    use crate::search::proof::ProofNumber;
    use crate::search::{Agent, Budget, Searcher};
    use crate::tree_game::TreeGame;

    /// Reads every node of the view and checks it against its parent's account of it; how many there were.
    fn walk(view: &TreeView<'_, u16>, path: &mut Vec<u16>) -> usize {
        let node = view.node(path).expect("an opened node");
        let visits: u64 = node.children.iter().map(|child| child.visits).sum();
        // A node's own first play-out is no child's.
        assert!(node.visits >= visits && node.visits <= visits + 1, "{path:?}");
        if let (Some(kind), Some(numbers)) = (node.kind, node.numbers)
            && let Some(all) = node.children.iter().map(|child| child.numbers).collect::<Option<Vec<_>>>()
        {
            assert_eq!(kind.combine(all.iter().copied()), numbers, "{path:?}");
            assert!(node.children.iter().any(|child| child.rank == Some(1)), "{path:?}");
        }
        let mut nodes = 1;
        for child in &node.children {
            path.push(child.m);
            if child.opened {
                let below = view.node(path).expect("opened");
                assert_eq!((below.visits, below.numbers), (child.visits, child.numbers), "{path:?}");
                nodes += walk(view, path);
            } else {
                assert_eq!(view.node(path), None, "{path:?}");
            }
            path.pop();
        }
        nodes
    }

    #[test]
    fn a_view_agrees_with_the_report_and_with_itself_all_the_way_down() {
        let game = TreeGame::parse("1[2[1[+ -] 1[- -] 2[+ =]] 2[1[- =] -] 1[2[+ -] 2[1[+ -] +]]]").expect("a tree");
        for (agent, proof) in [("mcts", false), ("pn-mcts", true), ("pn-mcts(pn=0)", true)] {
            let mut searcher = Searcher::new();
            assert!(searcher.tree().is_none());
            let report = searcher.run(&Agent::parse(agent).expect("an agent"), &game, &Budget::simulations(12), 3);
            let view = searcher.tree().expect("a tree");
            let root = view.node(&[]).expect("the root");
            assert_eq!((root.visits, root.numbers), (report.simulations, report.numbers), "{agent}");
            assert_eq!((root.mover, root.kind), (Player::FIRST, proof.then_some(NodeKind::Or)));
            for found in &report.moves {
                let child = root.children.iter().find(|child| child.m == found.m).expect("every move is a child");
                assert_eq!((child.visits, child.mean), (found.visits, found.mean), "{agent}");
                assert!(child.numbers.is_none() || child.numbers == found.numbers, "{agent}");
            }
            assert!(walk(&view, &mut Vec::new()) > 2, "{agent}");
        }
    }

    #[test]
    fn the_tree_of_proof_number_search_can_be_seen_too() {
        let game = TreeGame::parse("1[2[1[+ -] 1[+ -]] 2[1[- -] +]]").expect("a tree");
        let mut searcher = Searcher::new();
        searcher.run(&Agent::parse("pns").expect("an agent"), &game, &Budget::simulations(100), 1);
        let root = searcher.tree().and_then(|view| view.node(&[])).expect("the root");
        assert_eq!(root.numbers.map(|numbers| numbers.pn), Some(ProofNumber::ZERO));
        assert!(root.children.iter().all(|child| child.rank.is_some()));
        searcher.run(&Agent::parse("random").expect("an agent"), &game, &Budget::simulations(1), 1);
        assert!(searcher.tree().is_none(), "an agent without a tree shows none, not the last one's");
    }

    #[test]
    fn a_viewer_sees_the_tree_before_each_report() {
        let seen = Arc::new(Mutex::new(0));
        let counter = Arc::clone(&seen);
        let mut searcher = Searcher::new();
        searcher.watch(Some(Box::new(move |view| {
            *counter.lock().expect("no panic") = view.node(&[]).expect("the root").visits;
        })));
        let game = TreeGame::parse("1[2[1[- -] 1[- =]] 2[1[- -] =]]").expect("a tree");
        let stop = AtomicBool::new(false);
        let mut reports = 0;
        let agent = Agent::parse("mcts").expect("an agent");
        let last = searcher.search(&agent, &game, &Budget::default(), 1, &stop, &mut |report| {
            assert_eq!(*seen.lock().expect("no panic"), report.simulations);
            reports += 1;
            stop.store(reports == 2, Ordering::Relaxed);
        });
        assert_eq!(*seen.lock().expect("no panic"), last.simulations);
    }
}

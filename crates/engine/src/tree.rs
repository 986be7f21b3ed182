//! Nodes of a search tree as plain data, with every move as text.

use plyproof_core::search::TreeView;
use plyproof_core::search::proof::{NodeKind, ProofNumber, ProofNumbers};
use plyproof_core::{Game, Player};
use serde::{Deserialize, Serialize};

use crate::json;
use crate::report::Terms;

/// A node of a search tree whose children are in the tree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TreeNode {
    /// The moves that lead to it.
    pub path: Vec<String>,
    /// Who chooses here, counted from 1.
    pub mover: usize,
    /// `"or"` where the player to move at the root chooses, else `"and"`; none in trees without proof numbers.
    pub kind: Option<String>,
    /// Simulations that went through.
    pub visits: u64,
    /// Proof number of "the player to move at the root wins", if the tree has them.
    #[serde(with = "json::proof_number")]
    pub pn: Option<ProofNumber>,
    /// Disproof number of that goal.
    #[serde(with = "json::proof_number")]
    pub dpn: Option<ProofNumber>,
    /// All children, the most visited first.
    pub children: Vec<TreeChild>,
}

/// A child of a node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TreeChild {
    /// The move that leads to it.
    #[serde(rename = "move")]
    pub text: String,
    /// Simulations that went through.
    pub visits: u64,
    /// Their mean value for the player who chooses at the parent, from -1 to 1; 0 if there were none.
    pub mean: f64,
    /// Proof number, once the child was visited.
    #[serde(with = "json::proof_number")]
    pub pn: Option<ProofNumber>,
    /// Disproof number, once the child was visited.
    #[serde(with = "json::proof_number")]
    pub dpn: Option<ProofNumber>,
    /// Its place among its siblings by the number that counts at the parent.
    pub rank: Option<u32>,
    /// `"or"` or `"and"`, as for a node.
    pub kind: Option<String>,
    /// Whether it has children in the tree, and so can be asked for.
    pub opened: bool,
    /// The result for the player to move at the root, if the game is over there: 1, 0 or -1.
    pub result: Option<i32>,
    /// What selection adds up for it. None where selection does not look at it: it is decided, a sibling must be visited
    /// before, or the agent does not choose by a sum.
    #[serde(default)]
    pub terms: Option<Terms>,
    /// Whether the next simulation that comes to the parent goes to it, or may: where several are next, one is drawn.
    #[serde(default)]
    pub next: bool,
}

pub(crate) fn read_all<G: Game>(start: &G, view: &TreeView<'_, G::Move>, paths: &[Vec<String>]) -> Vec<TreeNode> {
    paths.iter().filter_map(|path| read(start, view, path)).collect()
}

/// The node at the end of a path; none if the path leaves the tree or the rules.
fn read<G: Game>(start: &G, view: &TreeView<'_, G::Move>, path: &[String]) -> Option<TreeNode> {
    let (mut state, mut moves) = (start.clone(), Vec::with_capacity(path.len()));
    for text in path {
        let m = state.parse_move(text).ok()?;
        state.play(m);
        moves.push(m);
    }
    let node = view.node(&moves)?;
    let prover = start.to_move();
    let children = node.children.into_iter().map(|child| {
        let mut next = state.clone();
        next.play(child.m);
        let ended = next.outcome();
        TreeChild {
            text: state.move_text(child.m),
            visits: child.visits,
            mean: child.mean,
            pn: child.numbers.map(|numbers| numbers.pn),
            dpn: child.numbers.map(|numbers| numbers.dpn),
            rank: child.rank,
            kind: node.kind.map(|_| word_of(kind_of(prover, next.to_move())).to_string()),
            opened: child.opened,
            result: ended.map(|outcome| outcome.of(prover).value()),
            terms: child.terms.map(Terms::from),
            next: child.next,
        }
    });
    let mut children: Vec<TreeChild> = children.collect();
    children.sort_by_key(|child| std::cmp::Reverse(child.visits));
    let numbers: Option<ProofNumbers> = node.numbers;
    Some(TreeNode {
        path: path.to_vec(),
        mover: node.mover.index() + 1,
        kind: node.kind.map(|kind| word_of(kind).to_string()),
        visits: node.visits,
        pn: numbers.map(|numbers| numbers.pn),
        dpn: numbers.map(|numbers| numbers.dpn),
        children,
    })
}

fn kind_of(prover: Player, mover: Player) -> NodeKind {
    if prover == mover { NodeKind::Or } else { NodeKind::And }
}

fn word_of(kind: NodeKind) -> &'static str {
    match kind {
        NodeKind::Or => "or",
        NodeKind::And => "and",
    }
}

//! Small searches with their whole tree, for pictures of how a search works; and the nodes of a large tree that are worth
//! looking at.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use plyproof_engine::{Agent, Budget, Paths, Registry, SearchReport, SearchTask, TimeSource, TreeNode};
use serde::Serialize;

use crate::place::open_place;
use crate::protocol::StepRequest;

/// Simulations of a small search at most.
const MOST_SIMULATIONS: u64 = 2000;
/// Nodes with children that are told at most.
const MOST_NODES: usize = 400;
/// Bytes for the tree.
const MEMORY: usize = 64 << 20;

/// A search that is over, and its tree.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SmallTree {
    /// What the search has found.
    pub report: SearchReport,
    /// The nodes that have children in the tree, from the root down; a part of them where there are many.
    pub nodes: Vec<TreeNode>,
}

/// Makes a small search and returns all of its tree. The same request has the same answer, and a search with one
/// simulation more goes on where this one ended.
pub fn small_tree(
    registry: &Registry,
    request: &StepRequest,
    clock: TimeSource,
    most_moves: usize,
) -> Result<SmallTree, String> {
    if request.simulations > MOST_SIMULATIONS {
        return Err(format!("a tree of more than {MOST_SIMULATIONS} simulations is not shown step by step"));
    }
    let opened = open_place(registry, &request.at, most_moves)?;
    let agent = Agent::parse(&request.agent).map_err(|error| error.to_string())?;
    let budget = Budget { memory: Some(MEMORY), clock, ..Budget::simulations(request.simulations) };
    let mut searcher = opened.game.searcher();
    let task =
        SearchTask { agent: &agent, budget: &budget, seed: request.seed.unwrap_or(1), stop: &AtomicBool::new(false) };
    let report = searcher.search(&*opened.game, &task, &Paths::default(), &mut |_, _| {});
    let report = report.map_err(|error| error.to_string())?;
    let mut nodes: Vec<TreeNode> = Vec::new();
    let mut wanted = vec![Vec::new()];
    while !wanted.is_empty() && nodes.len() < MOST_NODES {
        wanted.truncate(MOST_NODES - nodes.len());
        let found = searcher.nodes(&wanted);
        wanted = found.iter().flat_map(below).map(|(path, _)| path).collect();
        nodes.extend(found);
    }
    Ok(SmallTree { report, nodes })
}

/// The paths of the children of a node that have children themselves, with their visits.
fn below(node: &TreeNode) -> impl Iterator<Item = (Vec<String>, u64)> {
    node.children.iter().filter(|child| child.opened).map(|child| {
        let path = node.path.iter().chain(std::iter::once(&child.text)).cloned().collect();
        (path, child.visits)
    })
}

/// The paths of the most visited nodes that can be told from `nodes`, the root first: what to look at next.
pub fn spread(nodes: &[TreeNode], most: usize) -> Vec<Vec<String>> {
    let known: HashMap<&[String], &TreeNode> = nodes.iter().map(|node| (&node.path[..], node)).collect();
    let mut open = vec![(Vec::new(), u64::MAX)];
    let mut chosen = Vec::new();
    while chosen.len() < most
        && let Some(place) = (0..open.len()).max_by_key(|&place| open[place].1)
    {
        let (path, _) = open.swap_remove(place);
        if let Some(node) = known.get(&path[..]) {
            open.extend(below(node));
        }
        chosen.push(path);
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Place;

    fn tree(agent: &str, simulations: u64) -> Result<SmallTree, String> {
        let at = Place { game: "tictactoe".to_string(), rules: None, start: None, moves: vec!["a1".to_string()] };
        let request = StepRequest { id: 1, at, agent: agent.to_string(), simulations, seed: None };
        small_tree(&Registry::builtin(), &request, TimeSource::default(), 100)
    }

    #[test]
    fn one_more_simulation_adds_one_visit_along_one_path() {
        for agent in ["mcts", "pn-mcts"] {
            for simulations in 1..60 {
                let (before, after) =
                    (tree(agent, simulations).expect("a tree"), tree(agent, simulations + 1).expect("a tree"));
                if after.report.simulations == before.report.simulations {
                    continue;
                }
                let visits = |tree: &SmallTree, path: &[String]| -> u64 {
                    tree.nodes.iter().find(|node| node.path == path).map_or(0, |node| node.visits)
                };
                for node in &before.nodes {
                    let more = visits(&after, &node.path) - node.visits;
                    assert!(more <= 1, "{agent} {simulations}: {more} at {:?}", node.path);
                }
                assert_eq!(visits(&after, &[]), simulations + 1);
            }
        }
    }

    #[test]
    fn large_searches_are_refused_and_the_tree_is_cut() {
        assert!(tree("mcts", 3000).is_err_and(|why| why.contains("2000")));
        let large = tree("mcts", 2000).expect("a tree");
        assert!(large.nodes.len() <= MOST_NODES);
        let wanted = spread(&large.nodes, 20);
        assert_eq!((wanted.len(), wanted[0].len(), wanted[1].len()), (20, 0, 1));
    }
}

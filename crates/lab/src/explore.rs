//! A search that can be looked into: its report as text, and any node of its tree, while it runs and afterwards.

use std::any::Any;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use plyproof_core::search::proof::{NodeKind, ProofNumber, ProofNumbers};
use plyproof_core::search::{Agent, Budget, Report, Searcher, TreeView};
use plyproof_core::{Game, Player};
use serde::Serialize;

use crate::search::{self, TextReport};

/// Nodes of a tree to be shown, each named by the moves that lead to it from the position searched.
pub type Paths = Arc<Mutex<Vec<Vec<String>>>>;

/// A search whose tree can be looked into.
pub trait Exploration: Any + Send {
    /// The game it is of, with its parameters.
    fn game(&self) -> &str;

    /// Searches as [`AnyGame::search`](crate::AnyGame::search) does. `observer` is also given the nodes that `wanted`
    /// names at that moment, as far as they are in the tree.
    fn search(
        &mut self,
        agent: &Agent,
        budget: &Budget,
        seed: u64,
        stop: &AtomicBool,
        wanted: &Paths,
        observer: &mut dyn FnMut(&TextReport, Vec<TextNode>),
    ) -> TextReport;

    /// Those of the wanted nodes that are in the tree of the last search; none if its agent keeps no tree.
    fn nodes(&self, wanted: &[Vec<String>]) -> Vec<TextNode>;
}

/// A node of a search tree whose children are in the tree.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TextNode {
    /// The moves that lead to it.
    pub path: Vec<String>,
    /// Who chooses here, counted from 1.
    pub mover: usize,
    /// `"or"` where the player to move at the root chooses, else `"and"`; none in trees without proof numbers.
    pub kind: Option<&'static str>,
    /// Simulations that went through.
    pub visits: u64,
    /// Proof number of "the player to move at the root wins", if the tree has them.
    #[serde(serialize_with = "search::number")]
    pub pn: Option<ProofNumber>,
    /// Disproof number of the same.
    #[serde(serialize_with = "search::number")]
    pub dpn: Option<ProofNumber>,
    /// All children, the most visited first.
    pub children: Vec<TextChild>,
}

/// A child of a node.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TextChild {
    /// The move that leads to it.
    #[serde(rename = "move")]
    pub text: String,
    /// Simulations that went through.
    pub visits: u64,
    /// Their mean value for the player who chooses at the parent, from -1 to 1; 0 if there were none.
    pub mean: f64,
    /// Proof number, once the child was visited.
    #[serde(serialize_with = "search::number")]
    pub pn: Option<ProofNumber>,
    /// Disproof number, once the child was visited.
    #[serde(serialize_with = "search::number")]
    pub dpn: Option<ProofNumber>,
    /// Its place among its siblings by the number that counts at the parent.
    pub rank: Option<u32>,
    /// `"or"` or `"and"`, as for a node.
    pub kind: Option<&'static str>,
    /// Whether it has children in the tree, and so can be asked for.
    pub opened: bool,
    /// The result for the player to move at the root, if the game is over there: 1, 0 or -1.
    pub result: Option<i32>,
}

pub(crate) fn explore<G: Game>(game: String, start: &G) -> Box<dyn Exploration> {
    Box::new(Explored { game, start: start.clone(), searcher: Searcher::new() })
}

/// The same with the searcher of an earlier exploration; a new one if that was of another game.
pub(crate) fn explore_after<G: Game>(game: String, start: &G, last: Box<dyn Exploration>) -> Box<dyn Exploration> {
    let last: Box<dyn Any> = last;
    match last.downcast::<Explored<G>>() {
        Ok(last) if last.game == game => Box::new(Explored { start: start.clone(), ..*last }),
        _ => explore(game, start),
    }
}

struct Explored<G: Game> {
    game: String,
    start: G,
    searcher: Searcher<G>,
}

impl<G: Game> Exploration for Explored<G> {
    fn game(&self) -> &str {
        &self.game
    }

    fn search(
        &mut self,
        agent: &Agent,
        budget: &Budget,
        seed: u64,
        stop: &AtomicBool,
        wanted: &Paths,
        observer: &mut dyn FnMut(&TextReport, Vec<TextNode>),
    ) -> TextReport {
        let found = Arc::new(Mutex::new(Vec::new()));
        let (shown, asked, root) = (Arc::clone(&found), Arc::clone(wanted), self.start.clone());
        self.searcher.watch(Some(Box::new(move |view| {
            let paths = asked.lock().unwrap_or_else(PoisonError::into_inner).clone();
            *shown.lock().unwrap_or_else(PoisonError::into_inner) = read_all(&root, view, &paths);
        })));
        let start = &self.start;
        let mut observed = |report: &Report<G::Move>| {
            let nodes = std::mem::take(&mut *found.lock().unwrap_or_else(PoisonError::into_inner));
            observer(&search::in_text(start, report), nodes);
        };
        let report = self.searcher.search(agent, start, budget, seed, stop, &mut observed);
        self.searcher.watch(None);
        search::in_text(start, &report)
    }

    fn nodes(&self, wanted: &[Vec<String>]) -> Vec<TextNode> {
        self.searcher.tree().map_or_else(Vec::new, |view| read_all(&self.start, &view, wanted))
    }
}

fn read_all<G: Game>(start: &G, view: &TreeView<'_, G::Move>, paths: &[Vec<String>]) -> Vec<TextNode> {
    paths.iter().filter_map(|path| read(start, view, path)).collect()
}

/// The node at the end of a path; none if the path leaves the tree or the rules.
fn read<G: Game>(start: &G, view: &TreeView<'_, G::Move>, path: &[String]) -> Option<TextNode> {
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
        TextChild {
            text: state.move_text(child.m),
            visits: child.visits,
            mean: child.mean,
            pn: child.numbers.map(|numbers| numbers.pn),
            dpn: child.numbers.map(|numbers| numbers.dpn),
            rank: child.rank,
            kind: node.kind.map(|_| kind_of(prover, next.to_move())),
            opened: child.opened,
            result: ended.map(|outcome| outcome.of(prover).value()),
        }
    });
    let mut children: Vec<TextChild> = children.collect();
    children.sort_by_key(|child| std::cmp::Reverse(child.visits));
    let numbers: Option<ProofNumbers> = node.numbers;
    Some(TextNode {
        path: path.to_vec(),
        mover: node.mover.index() + 1,
        kind: node.kind.map(|kind| if kind == NodeKind::Or { "or" } else { "and" }),
        visits: node.visits,
        pn: numbers.map(|numbers| numbers.pn),
        dpn: numbers.map(|numbers| numbers.dpn),
        children,
    })
}

fn kind_of(prover: Player, mover: Player) -> &'static str {
    if prover == mover { "or" } else { "and" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::open;

    fn paths(all: &[&[&str]]) -> Vec<Vec<String>> {
        all.iter().map(|path| path.iter().map(ToString::to_string).collect()).collect()
    }

    #[test]
    fn nodes_are_named_by_moves_and_what_is_not_there_is_left_out() {
        let mut search = open("tictactoe").expect("a game").explore();
        let agent = Agent::parse("pn-mcts").expect("an agent");
        let none = Paths::default();
        let report =
            search.search(&agent, &Budget::simulations(500), 1, &AtomicBool::new(false), &none, &mut |_, _| {});
        let best = report.best.clone().expect("a move");
        let nodes = search.nodes(&paths(&[&[], &[&best], &["z9"], &[&best, &best], &["a1", "a2", "a3", "b1"]]));
        assert_eq!(nodes.iter().take(2).map(|node| node.path.len()).collect::<Vec<_>>(), [0, 1]);
        assert_eq!((nodes[0].kind, nodes[0].mover, nodes[0].visits), (Some("or"), 1, report.simulations));
        assert_eq!((nodes[1].kind, nodes[1].mover), (Some("and"), 2));
        assert_eq!(nodes[0].children.len(), 9);
        assert_eq!(nodes[0].children[0].visits, report.moves[0].visits);
        assert_eq!(nodes[1].visits, report.moves[0].visits);
        assert!(nodes.iter().all(|node| node.path.first().is_none_or(|first| first != "z9")));
    }

    #[test]
    fn the_search_of_a_later_move_goes_on_with_the_tree_and_that_of_another_game_does_not() {
        let agent = Agent::parse("plyproof(prove=off)").expect("an agent");
        let run = |search: &mut Box<dyn Exploration>| {
            let (budget, none) = (Budget::simulations(1000), Paths::default());
            search.search(&agent, &budget, 1, &AtomicBool::new(false), &none, &mut |_, _| {})
        };
        let visits = |report: &TextReport| report.moves.iter().map(|m| m.visits).sum::<u64>();
        let (mut game, mut larger) =
            (open("mnk(m=4,n=4,k=4)").expect("a game"), open("mnk(m=5,n=4,k=4)").expect("a game"));
        let mut search = game.explore();
        let first = run(&mut search);
        for m in &first.line[..2] {
            game.play(m).expect("legal");
            larger.play(m).expect("legal");
        }
        assert_eq!(game.key(), larger.key(), "the same stones, on boards where other moves are legal");
        let mut later = game.explore_after(search);
        assert!(visits(&run(&mut later)) > 1000, "1,000 and those of the subtree");
        let mut search = open("mnk(m=4,n=4,k=4)").expect("a game").explore_after(later);
        run(&mut search);
        let report = run(&mut larger.explore_after(search));
        assert_eq!((report.moves.len(), visits(&report)), (18, 1000));
        let mut other = open("tictactoe").expect("a game").explore_after(larger.explore());
        assert_eq!((run(&mut other).moves.len(), other.game()), (9, "tictactoe"));
    }

    #[test]
    fn a_running_search_shows_what_is_wanted_at_that_moment() {
        let mut search = open("loa(size=5)").expect("a game").explore();
        let agent = Agent::parse("pn-mcts").expect("an agent");
        let wanted = Paths::default();
        let stop = AtomicBool::new(false);
        let mut seen = Vec::new();
        search.search(&agent, &Budget::default(), 1, &stop, &wanted, &mut |report, nodes| {
            seen.push(nodes.len());
            assert!(nodes.first().is_none_or(|root| root.visits == report.simulations));
            *wanted.lock().expect("no panic") = paths(&[&[]]);
            stop.store(seen.len() == 2, std::sync::atomic::Ordering::Relaxed);
        });
        assert_eq!(seen, [0, 1]);
    }
}

//! The searcher of a game whose type is not known: the nodes of its tree, and its reuse.

use std::sync::atomic::AtomicBool;

use plyproof_engine::{Agent, AnyGame, AnySearcher, Budget, Paths, SearchReport, SearchTask, TreeNode};

use crate::open;

fn paths(all: &[&[&str]]) -> Vec<Vec<String>> {
    all.iter().map(|path| path.iter().map(ToString::to_string).collect()).collect()
}

fn run(searcher: &mut dyn AnySearcher, game: &dyn AnyGame, agent: &str, simulations: u64) -> SearchReport {
    let (agent, budget) = (Agent::parse(agent).expect("an agent"), Budget::simulations(simulations));
    let task = SearchTask { agent: &agent, budget: &budget, seed: 1, stop: &AtomicBool::new(false) };
    searcher.search(game, &task, &Paths::default(), &mut |_, _| {}).expect("a position of this game")
}

#[test]
fn nodes_are_named_by_moves_and_what_is_not_there_is_left_out() {
    let game = open("tictactoe").expect("a game");
    let mut searcher = game.searcher();
    let report = run(&mut *searcher, &*game, "pn-mcts", 500);
    let best = report.best.clone().expect("a move");
    let nodes = searcher.nodes(&paths(&[&[], &[&best], &["z9"], &[&best, &best], &["a1", "a2", "a3", "b1"]]));
    assert_eq!(nodes.iter().take(2).map(|node| node.path.len()).collect::<Vec<_>>(), [0, 1]);
    assert_eq!((nodes[0].kind.as_deref(), nodes[0].mover, nodes[0].visits), (Some("or"), 1, report.simulations));
    assert_eq!((nodes[1].kind.as_deref(), nodes[1].mover), (Some("and"), 2));
    assert_eq!(nodes[0].children.len(), 9);
    assert_eq!(nodes[0].children[0].visits, report.moves[0].visits);
    assert_eq!(nodes[1].visits, report.moves[0].visits);
    assert!(nodes.iter().all(|node| node.path.first().is_none_or(|first| first != "z9")));
    let json = serde_json::to_string(&nodes).expect("plain data");
    assert_eq!(serde_json::from_str::<Vec<TreeNode>>(&json).expect("reads back"), nodes);
}

#[test]
fn a_later_search_reuses_the_tree_and_another_game_is_refused() {
    let visits = |report: &SearchReport| report.moves.iter().map(|m| m.visits).sum::<u64>();
    let (mut game, mut larger) = (open("mnk(m=4,n=4,k=4)").expect("a game"), open("mnk(m=5,n=4,k=4)").expect("a game"));
    let mut searcher = game.searcher();
    let first = run(&mut *searcher, &*game, "plyproof(prove=off)", 1000);
    for m in &first.line[..2] {
        game.play(m).expect("legal");
        larger.play(m).expect("legal");
    }
    assert_eq!(game.key(), larger.key(), "equal stones, on boards where other moves are legal");
    assert!(visits(&run(&mut *searcher, &*game, "plyproof(prove=off)", 1000)) > 1000, "with those of the subtree");
    searcher.forget();
    assert_eq!(visits(&run(&mut *searcher, &*game, "plyproof(prove=off)", 1000)), 1000);
    for other in [larger, open("tictactoe").expect("a game")] {
        let agent = Agent::parse("mcts").expect("an agent");
        let (budget, stop) = (Budget::simulations(1), AtomicBool::new(false));
        let task = SearchTask { agent: &agent, budget: &budget, seed: 1, stop: &stop };
        let error = searcher.choose(&*other, &task).expect_err("another game").to_string();
        assert_eq!(error, "this searcher is for positions of mnk(m=4,n=4,k=4) alone");
    }
}

#[test]
fn a_running_search_shows_what_is_wanted_at_that_moment() {
    let game = open("loa(size=5)").expect("a game");
    let mut searcher = game.searcher();
    let agent = Agent::parse("pn-mcts").expect("an agent");
    let (wanted, stop) = (Paths::default(), AtomicBool::new(false));
    let mut seen = Vec::new();
    let task = SearchTask { agent: &agent, budget: &Budget::default(), seed: 1, stop: &stop };
    let observed = searcher.search(&*game, &task, &wanted, &mut |report, nodes| {
        seen.push(nodes.len());
        assert!(nodes.first().is_none_or(|root| root.visits == report.simulations));
        *wanted.lock().expect("no panic") = paths(&[&[]]);
        stop.store(seen.len() == 2, std::sync::atomic::Ordering::Relaxed);
    });
    assert!(observed.is_ok());
    assert_eq!(seen, [0, 1]);
}

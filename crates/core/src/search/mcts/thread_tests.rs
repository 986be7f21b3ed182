//! Several threads on one tree: its books are checked after thousands of small searches, and its proofs are compared with
//! exhaustive search.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};

use super::tests::{check, config};
use super::*;
use crate::rng::Rng;
use crate::search::{Agent, Searcher};
use crate::tree_game::TreeGame;

/// Makes a thread lose its turn now and then.
pub(super) fn disturb() {
    thread_local!(static COUNT: Cell<u64> = const { Cell::new(0) });
    let count = COUNT.get().wrapping_add(1);
    COUNT.set(count);
    if crate::rng::mix64(count).is_multiple_of(5) {
        std::thread::yield_now();
    }
}

const AGENTS: [&str; 20] = [
    "mcts",
    "pn-mcts",
    "pn-mcts(pn=1e6,norm=children)",
    "pn-mcts(expand=1)",
    "mcts(solver=0)",
    "mcts(solver=3,first=urgency)",
    "mcts(first=urgency,expand=3)",
    "pn-mcts-fsu",
    "gpn-mcts",
    "plyproof(prove=off)",
    "plyproof(prove=off,pn=1e6)",
    "plyproof(prove=off,child_k=30,parent_k=off,rave=50)",
    "plyproof(prove=off,bias=log)",
    "plyproof(prove=off,goals=two)",
    "plyproof(prove=off,numbers=player)",
    "plyproof(prove=off,rave=100,ref=20)",
    "mcts(mast=0.2,solver=0)",
    "mcts(nst=0.3,rave=10,first=urgency)",
    "mcts(playouts=3)",
    "plyproof(prove=off,playouts=4,rave=50)",
];

#[test]
fn the_books_of_a_tree_are_right_after_a_search_by_several_threads() {
    let stop = AtomicBool::new(false);
    for seed in 0..40 {
        let start = TreeGame::random(&mut Rng::new(seed), 9, 5, true);
        for (index, name) in AGENTS.into_iter().enumerate() {
            let threads = 2 + (seed as usize + index) % 7;
            let memory = [3000, 20_000, 1 << 20][(seed as usize + index) % 3];
            let simulations = 20 + 37 * (seed % 8);
            let budget = Budget { simulations: Some(simulations), memory: Some(memory), threads, ..Budget::default() };
            let config = config(name);
            let mut space = Workspace::new();
            let mut run = Search::new(config, !config.is_plain(), &mut space, &start, None, &budget, seed);
            let mut meter = Meter::new(&budget, &stop);
            let why = run.run_threads(&mut meter, &mut |_| {}).expect("threads");
            let tree = &run.space.tree;
            let (root, name) = (tree.visits(run.root), format!("{name}, seed {seed}, {threads} threads"));
            assert!(tree.bytes() <= memory.max(4000), "{name}: {} of {memory} bytes", tree.bytes());
            let found = check(&run, run.root, &start);
            assert_eq!(u64::from(root), meter.done(), "{name}");
            assert_eq!((why == Stopped::Simulations), (meter.done() == simulations && !run.is_settled()), "{name}");
            assert!(run.counted.is_none() || run.root_numbers == found.numbers, "{name}");
            assert!(run.space.second.is_none() || run.root_second == found.second, "{name}");
            assert!(config.solver.is_none() || run.root_bounds == found.bounds, "{name}");
        }
    }
}

#[test]
fn what_several_threads_prove_is_so() {
    let mut proven = 0;
    for seed in 0..150 {
        let start = TreeGame::random(&mut Rng::new(seed), 8, 4, true);
        let truth = Searcher::new().run(&Agent::parse("minimax").expect("an agent"), &start, &Budget::default(), 0);
        let value = truth.bounds.value().expect("minimax knows");
        for name in ["plyproof", "pn-mcts", "pn-mcts-fsu(goals=two)", "gpn-mcts", "mcts-solver"] {
            let threads = 2 + seed as usize % 7;
            let memory = if seed % 2 == 0 { Some(5000) } else { None };
            let budget = Budget { simulations: Some(600), threads, memory, ..Budget::default() };
            let report = Searcher::new().run(&Agent::parse(name).expect("an agent"), &start, &budget, seed);
            let bounds = report.bounds;
            assert!(bounds.least <= value && value <= bounds.most, "{name}, seed {seed}: {bounds:?} and {value:?}");
            proven += u32::from(bounds.value().is_some());
            for m in &report.moves {
                let found = truth.moves.iter().find(|other| other.m == m.m).expect("a move");
                let value = found.bounds.value().expect("minimax knows");
                assert!(m.bounds.least <= value && value <= m.bounds.most, "{name}, seed {seed}: {m:?}");
            }
        }
    }
    assert!(proven > 300, "{proven}");
}

#[test]
fn a_search_by_several_threads_reports_and_stops_when_asked_to() {
    // Most simulations end in the upper part of the tree: there is hardly anything below.
    let game = TreeGame::parse("1[2[1[- -] 1[- =]] 2[1[- -] =]]").expect("a tree");
    for agent in ["mcts", "pn-mcts", "mcts(rave=10,first=urgency)"] {
        let (stop, mut reports) = (AtomicBool::new(false), 0);
        let agent = Agent::parse(agent).expect("an agent");
        let budget = Budget { threads: 4, memory: Some(1 << 20), ..Budget::default() };
        let mut searcher = Searcher::new();
        let last = searcher.search(&agent, &game, &budget, 1, &stop, &mut |report| {
            let visits: u64 = report.moves.iter().map(|m| m.visits).sum();
            assert_eq!(visits, report.simulations, "no thread has anything of the tree");
            reports += 1;
            stop.store(reports == 2, Ordering::Relaxed);
        });
        assert_eq!(last.stopped, Some(Stopped::Cancelled));
        let root = searcher.tree().and_then(|view| view.node(&[])).expect("the root");
        assert_eq!(root.visits, last.simulations);
    }
}

#[test]
fn threads_go_on_with_the_tree_of_threads() {
    let stop = AtomicBool::new(false);
    let mut reused = 0;
    for seed in 0..60 {
        let start = TreeGame::random(&mut Rng::new(seed), 10, 4, true);
        let config = config(if seed % 2 == 0 { "plyproof(prove=off)" } else { "plyproof(prove=off,rave=50)" });
        let budget = Budget { simulations: Some(150), threads: 3, ..Budget::default() };
        let (mut space, mut position) = (Workspace::new(), start);
        for _ in 0..5 {
            if position.outcome().is_some() {
                break;
            }
            let run = Search::new(config, true, &mut space, &position, None, &budget, seed);
            reused += u32::from(run.space.tree.visits(run.root) > 0);
            check(&run, run.root, &position);
            let report = run.run(Meter::new(&budget, &stop), &mut |_| {});
            position.play(report.best.expect("a move"));
        }
    }
    assert!(reused > 5, "{reused}");
}

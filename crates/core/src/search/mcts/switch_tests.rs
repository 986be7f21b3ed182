//! Each switch on a tree made for it, with numbers worked out by hand.

use super::tests::config;
use super::*;
use crate::search::Agent;
use crate::search::proof::ProofNumber;
use crate::search::switches::bare;
use crate::tree_game::TreeGame;

/// Visits of the moves of `tree`, in their order, after `simulations`.
fn visits(name: &str, tree: &str, simulations: u64) -> Vec<u64> {
    let start = TreeGame::parse(tree).expect(tree);
    let report = crate::search::Searcher::new().run(
        &Agent::parse(name).expect(name),
        &start,
        &Budget::simulations(simulations),
        7,
    );
    let mut moves = report.moves;
    moves.sort_by_key(|m| m.m);
    moves.iter().map(|m| m.visits).collect()
}

#[test]
fn unvisited_children_are_forced_or_compete() {
    // Whatever is played first wins every play-out: with nothing to explore there is no reason to try another.
    let good = "1[2[+ +] 2[+ +] 2[+ +] 2[+ +] 2[+ +]]";
    for name in ["mcts(c=0)", "pn-mcts(c=0,pn=0)", &bare("c=0,pn=0,solver=0")] {
        assert!(visits(name, good, 5).iter().all(|&n| n == 1), "{name}");
    }
    for name in ["mcts(c=0,first=urgency)", &bare("c=0,pn=0,first=urgency")] {
        let mut visits = visits(name, good, 9);
        visits.sort_unstable();
        assert_eq!(visits[..4], [0; 4], "{name}");
    }
    // What loses is worse than the 0 of an untried one.
    let bad = "1[2[- -] 2[- -] 2[- -] 2[- -] 2[- -]]";
    assert!(visits("mcts(c=0,first=urgency)", bad, 5).iter().all(|&n| n == 1));
}

#[test]
fn decided_children_get_one_visit_more_than_the_solver_allows() {
    // The first move loses at once, the second in one more ply, the others are long draws.
    let long = format!("{}={}", "2[1[".repeat(40), "]]".repeat(40));
    let tree = format!("1[- 2[- +] {long} {long}]");
    assert_eq!(visits("mcts(solver=0,c=1e9)", &tree, 400)[..2], [0, 2], "known before, and when it is opened");
    assert_eq!(visits("mcts(solver=5,c=1e9)", &tree, 400)[..2], [6, 6]);
    assert!(visits("mcts(c=1e9)", &tree, 400)[..2].iter().all(|&n| n > 90));
}

#[test]
fn a_sure_draw_holds_up_the_mean_and_prunes_what_cannot_be_better() {
    // After the first move the opponent has a draw at hand, so it cannot win; neither can the second.
    let start = TreeGame::parse("1[2[= 1[+ -]] 2[= 1[- -]] 2[1[2[= +] -] 1[- 2[- =]]]]").expect("a tree");
    let report = crate::search::Searcher::new().run(
        &Agent::parse("mcts(solver=0)").expect("an agent"),
        &start,
        &Budget::simulations(500),
        1,
    );
    assert_eq!((report.bounds, report.best), (Bounds::exactly(Wdl::Draw), Some(0)));
    assert!(report.simulations < 60, "{}", report.simulations);
    let first = report.moves.iter().find(|m| m.m == 0).expect("listed");
    assert!(first.mean <= 0.0, "its opponent never does worse than a draw: {}", first.mean);
}

#[test]
fn the_final_move_is_the_most_visited_a_proven_or_a_safe_one() {
    let start = TreeGame::parse("1[2[= =] 2[= =] 2[= =] 2[= =]]").expect("a tree");
    let report = |m, visits, mean, least, most| {
        let bounds = Bounds { least, most };
        crate::search::report::MoveReport {
            m,
            visits,
            mean,
            at_most: false,
            numbers: None,
            rank: None,
            bounds,
            terms: None,
            next: false,
        }
    };
    let (loss, draw, win) = (Wdl::Loss, Wdl::Draw, Wdl::Win);
    let lost = report(0, 90, -0.1, loss, loss);
    let bad = report(1, 40, -0.3, loss, win);
    let good = report(1, 40, 0.3, loss, win);
    let drawn = report(2, 30, 0.0, draw, draw);
    let won = report(3, 2, 1.0, win, win);
    let chosen = |name: &str, moves: &[_]| {
        let config = config(name);
        let mut space = Workspace::new();
        let run = Search::new(config, true, &mut space, &start, None, &Budget::default(), 1);
        run.final_move(moves, None)
    };
    for (finals, moves, expected) in [
        ("robust", vec![lost.clone(), bad.clone(), drawn.clone(), won.clone()], 0),
        ("proven", vec![lost.clone(), bad.clone(), drawn.clone(), won.clone()], 3),
        ("safe", vec![lost.clone(), bad.clone(), drawn.clone(), won], 3),
        ("proven", vec![lost.clone(), bad.clone(), drawn.clone()], 0),
        ("safe", vec![lost.clone(), good, drawn.clone()], 1),
        ("safe", vec![lost.clone(), bad, drawn.clone()], 2),
        ("safe", vec![lost.clone(), drawn], 2),
        ("safe", vec![lost], 0),
    ] {
        let name = format!("mcts(solver=0,final={finals})");
        assert_eq!(chosen(&name, &moves), Some(expected), "{finals}: {moves:?}");
    }
}

/// A root of five children, one of them visited 9 times with a mean of -1/3; explore is 0.
fn one_visited<'a>(name: &str, start: &'a TreeGame, space: &'a mut Workspace<TreeGame>) -> Search<'a, TreeGame> {
    let mut run = Search::new(config(name), true, space, start, None, &Budget::default(), 1);
    run.visit_new(run.root);
    let step = run.space.path[0];
    for visits in 1..=9 {
        run.space.tree.count_leaf_visit(step);
        run.space.tree.add_result(step, if visits <= 3 { 1 } else { -1 }, visits);
    }
    run
}

#[test]
fn an_unvisited_child_that_competes_is_worth_zero() {
    let start = TreeGame::parse("1[2[= =] 2[= =] 2[= =] 2[= =] 2[= =]]").expect("a tree");
    let mut space = Workspace::new();
    let mut run = one_visited("mcts(c=0,first=urgency)", &start, &mut space);
    let head = run.space.tree.head(run.root);
    let choice = run.select_full(&head, &run.space.tree.counts(&head));
    assert!((choice.score + 1.0 / 3.0).abs() < 1e-6, "{choice:?}");
    assert!(choice.unvisited.abs() < 1e-6, "{choice:?}");
    assert!(run.weigh(&head, true).0, "0 is more than -1/3");
}

/// The visited child has the numbers 4 and 1, the four unvisited ones 1 and 1: ranks 5 and 1.
#[test]
fn the_bonus_goes_where_the_switches_say() {
    let start = TreeGame::parse("1[2[= =] 2[= =] 2[= =] 2[= =] 2[= =]]").expect("a tree");
    let mean = -1.0 / 3.0;
    for (parameters, visited, unvisited) in [
        ("", 0.0, 0.5 * 0.8),
        ("bias=max", 0.5 * 0.25, 0.5),
        // There are five children.
        ("bias=max,bonus_max_moves=4", 0.0, 0.0),
        ("bias=max,bonus_max_moves=5", 0.5 * 0.25, 0.5),
        // sqrt(27 / (27 + 9)) of it after nine visits.
        ("bias=max,parent_k=27", 0.75f64.sqrt() * 0.5 * 0.25, 0.75f64.sqrt() * 0.5),
    ] {
        let mut space = Workspace::new();
        let comma = if parameters.is_empty() { "" } else { "," };
        let name = bare(&format!("c=0,pn=0.5,first=urgency{comma}{parameters}"));
        let mut run = one_visited(&name, &start, &mut space);
        let numbers = ProofNumbers { pn: ProofNumber::finite(4), dpn: ProofNumber::ONE };
        run.space.tree.set_numbers(run.root, 0, numbers);
        let head = run.space.tree.head(run.root);
        let choice = run.select_full(&head, &run.space.tree.counts(&head));
        assert!((choice.score - (mean + visited)).abs() < 1e-5, "{parameters}: {choice:?}");
        assert!((choice.unvisited - unvisited).abs() < 1e-5, "{parameters}: {choice:?}");
    }
}

#[test]
fn exploration_grows_with_the_visits_up_to_the_root_of_two() {
    let grown = config("plyproof(grow=1000)");
    // 0.4 * sqrt(4) = 0.8.
    let found = [0, 1000, 4000, 1_000_000].map(|visits| grown.exploration(225, visits));
    assert_eq!(found, [0.4, 0.4, 0.8, std::f32::consts::SQRT_2]);
    assert_eq!(config("plyproof(c=2,grow=1000)").exploration(225, 1_000_000), 2.0);
    assert_eq!(grown.exploration(100, 1_000_000), 0.4, "not where the numbers have a say");
    assert_eq!(config("plyproof(grow=1000,bonus_max_moves=off)").exploration(100, 4000), 0.8);
    assert_eq!(config(&bare("c=0.5,grow=1000")).exploration(100, 4000), 1.0);
    assert_eq!(config("plyproof(grow=off)").exploration(225, 1_000_000), 0.4);
}

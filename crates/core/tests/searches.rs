//! The searches on trees whose values are known.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use plyproof_core::search::proof::{ProofNumber, ProofNumbers};
use plyproof_core::search::{Agent, Bounds, Budget, Report, Searcher, Stopped};
use plyproof_core::{Game, Rng, TreeGame, Wdl};
use proptest::prelude::*;

fn agent(text: &str) -> Agent {
    Agent::parse(text).expect(text)
}

fn run(text: &str, game: &TreeGame, budget: &Budget, seed: u64) -> Report<u16> {
    Searcher::new().run(&agent(text), game, budget, seed)
}

fn tree(text: &str) -> TreeGame {
    TreeGame::parse(text).expect(text)
}

/// A proven bound that contradicts the exact value, if there is one.
fn contradiction(exact: &Report<u16>, found: &Report<u16>) -> Option<String> {
    let wrong = |exact: Bounds, found: Bounds| exact.least < found.least || exact.most > found.most;
    if wrong(exact.bounds, found.bounds) {
        return Some(format!("the position is {:?}, proven was {:?}", exact.bounds, found.bounds));
    }
    found.moves.iter().find_map(|m| {
        let truth = exact.moves.iter().find(|other| other.m == m.m)?.bounds;
        wrong(truth, m.bounds).then(|| format!("move {} is {truth:?}, proven was {:?}", m.m, m.bounds))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_search_ever_contradicts_minimax_on_a_random_tree(
        seed in any::<u64>(), depth in 1usize..7, width in 1usize..6, draws in any::<bool>(), sims in 0u64..400,
    ) {
        let game = TreeGame::random(&mut Rng::new(seed), depth, width, draws);
        let exact = run("minimax", &game, &Budget::default(), 0);
        prop_assert!(exact.bounds.value().is_some());
        for name in [
            "df-pn", "df-pn(leaf=unit,epsilon=0,sum=full)", "portfolio", "alpha-beta", "alpha-beta(order=killers-history)", "pns", "pn2", "pn-mcts", "pn-mcts(pn=1e6)",
            "pn-mcts(pn=0,norm=children)", "mcts(solver=0)", "mcts(solver=5,final=safe)", "plyproof", "plyproof(pn=0)",
            "pn-mcts-fsu(solver=2,expand=1)", "mcts-solver", "pn-mcts-fsu(goals=two)", "gpn-mcts", "gpn-mcts(bias=sum)",
        ] {
            let found = run(name, &game, &Budget::simulations(sims), seed);
            prop_assert!(found.simulations <= sims);
            if let Some(what) = contradiction(&exact, &found) {
                prop_assert!(false, "{} after {} on {}: {}", name, sims, game.position_text(), what);
            }
            if found.bounds.value() == Some(Wdl::Win) {
                let best = found.moves.iter().find(|m| Some(m.m) == found.best);
                prop_assert_eq!(best.map(|m| m.bounds), Some(Bounds::exactly(Wdl::Win)), "a proven win is played");
            }
        }
    }

    #[test]
    fn proof_number_search_decides_every_finite_tree(seed in any::<u64>(), depth in 1usize..7, width in 1usize..5) {
        let game = TreeGame::random(&mut Rng::new(seed), depth, width, true);
        let exact = run("minimax", &game, &Budget::default(), 0).bounds;
        let found = run("pns", &game, &Budget::default(), 0);
        prop_assert_eq!(found.stopped, Some(Stopped::Proven));
        let expected = if exact == Bounds::exactly(Wdl::Win) { exact } else { Bounds { least: Wdl::Loss, most: Wdl::Draw } };
        if game.outcome().is_none() && found.bounds.value().is_none() {
            prop_assert_eq!(found.bounds, expected);
        }
        prop_assert!(found.nodes <= game.size() as u64 + 1);
    }

    #[test]
    fn pn_mcts_proves_what_is_a_win_given_enough_simulations(seed in any::<u64>(), width in 1usize..4) {
        let game = TreeGame::random(&mut Rng::new(seed), 5, width, true);
        if game.size() < 60 && run("minimax", &game, &Budget::default(), 0).bounds == Bounds::exactly(Wdl::Win) {
            let found = run("pn-mcts", &game, &Budget::simulations(20_000), seed);
            prop_assert_eq!(found.bounds.value(), Some(Wdl::Win), "{}", game.position_text());
            prop_assert_eq!(found.stopped, Some(Stopped::Proven));
        }
    }
}

/// The whole life of a small AND/OR tree, worked out by hand. Squares choose for the prover, circles for the opponent.
///
/// ```text
///                a □                  moves: a = first child, b = second, …
///         ┌──────┴──────┐
///        b ○           c ○
///     ┌───┼───┐       ┌─┴─┐
///     d   e   f      g □  h □
///                   ┌┴┐  ┌┴┐
///                   i j  k l         i and l are wins, j and k losses
/// ```
#[test]
fn a_tree_worked_by_hand_has_these_numbers_and_most_proving_nodes() {
    let game = tree("1[ 2[1[- -] 1[- +] 1[- -]] 2[1[+ -] 1[- +]] ]");
    let n = |pn: u32, dpn: u32| ProofNumbers { pn: ProofNumber::finite(pn), dpn: ProofNumber::finite(dpn) };
    // (expansions after the root, numbers of a, of b, of c, the most-proving line as moves)
    let table: [(u64, ProofNumbers, ProofNumbers, ProofNumbers, &[u16]); 5] = [
        // Only a is open: one leaf proves it, two disprove it. b and c tie; the first is taken.
        (0, n(1, 2), n(1, 1), n(1, 1), &[0]),
        // b opened: all three replies must be proven, one disproof is enough. c now looks easier.
        (1, n(1, 2), n(3, 1), n(1, 1), &[1]),
        // c opened: two replies to prove. a needs min(3, 2) proofs and 1 + 1 disproofs.
        (2, n(2, 2), n(3, 1), n(2, 1), &[1, 0]),
        // g opened, i wins: g is proven, only h is left of c.
        (3, n(1, 2), n(3, 1), n(1, 1), &[1, 1]),
        // h opened, l wins: c is proven and so is a.
        (4, ProofNumbers::PROVEN, n(3, 1), ProofNumbers::PROVEN, &[1]),
    ];
    for (expansions, a, b, c, line) in table {
        let report = run("pns", &game, &Budget::simulations(expansions), 0);
        let of = |m: u16| report.moves.iter().find(|report| report.m == m).and_then(|report| report.numbers);
        assert_eq!((report.numbers, of(0), of(1)), (Some(a), Some(b), Some(c)), "after {expansions} expansions");
        assert_eq!(&report.line[..line.len()], line, "after {expansions} expansions");
    }
}

#[test]
fn a_very_large_c_pn_follows_the_most_proving_line() {
    // The second move is one reply from a win; the first looks far better in play-outs but never wins by force.
    let game = tree("1[ 2[1[+ +] 1[+ +] 1[2[+ -]]] 2[1[- 2[1[- + -]]]] ]");
    let proven = run("pn-mcts(pn=1e6)", &game, &Budget::simulations(60), 3);
    assert_eq!((proven.best, proven.bounds.value()), (Some(1), Some(Wdl::Win)));
    // Where nothing is decided yet, visits go to the child with fewer proofs to go: one reply against four.
    let chain = |length: usize| format!("{}={}", "1[2[".repeat(length), "]]".repeat(length));
    let wide = tree(&format!("1[ 2[{0} {0} {0} {0}] 2[{0}] ]", chain(200)));
    let share = |name: &str| {
        let report = run(name, &wide, &Budget::simulations(150), 3);
        report.moves.iter().find(|m| m.m == 1).expect("listed").visits as f64 / 150.0
    };
    assert!(share("pn-mcts(pn=1e6)") > 0.9, "{}", share("pn-mcts(pn=1e6)"));
    assert!((0.4..0.6).contains(&share("mcts")), "all are draws to plain MCTS");
}

#[test]
fn without_bonus_pn_mcts_spreads_its_visits_like_mcts() {
    let game = TreeGame::random(&mut Rng::new(77), 7, 4, true);
    let shares = |name: &str| {
        let mut sums = vec![(0.0, 0.0); 8];
        let mut searcher = Searcher::new();
        for seed in 0..400 {
            for m in searcher.run(&agent(name), &game, &Budget::simulations(150), seed).moves {
                let share = m.visits as f64 / 150.0;
                sums[usize::from(m.m)].0 += share / 400.0;
                sums[usize::from(m.m)].1 += share * share / 400.0;
            }
        }
        sums
    };
    let (plain, booked) = (shares("mcts"), shares("pn-mcts(pn=0)"));
    for (m, (a, b)) in plain.iter().zip(&booked).enumerate() {
        let spread = ((a.1 - a.0 * a.0 + b.1 - b.0 * b.0).max(1e-9) / 400.0).sqrt();
        assert!((a.0 - b.0).abs() < 4.5 * spread + 1e-6, "move {m}: {a:?} {b:?}");
    }
}

#[test]
fn the_same_seed_gives_the_same_report() {
    let game = TreeGame::random(&mut Rng::new(5), 9, 5, true);
    for name in
        ["mcts", "pn-mcts", "pn-mcts(pn=1e6)", "mcts-solver", "pn-mcts-fsu", "gpn-mcts", "pns", "random", "minimax"]
    {
        let mut first = run(name, &game, &Budget::simulations(500), 42);
        let mut searcher = Searcher::new();
        searcher.run(&agent("mcts"), &game, &Budget::simulations(99), 1);
        let mut second = searcher.run(&agent(name), &game, &Budget::simulations(500), 42);
        (first.elapsed, second.elapsed) = (Duration::ZERO, Duration::ZERO);
        assert_eq!(first, second, "{name}: what was searched before must not matter");
    }
}

#[test]
fn with_few_simulations_nodes_are_opened_at_once() {
    let tree = TreeGame::random(&mut Rng::new(5), 8, 4, true);
    let visits = |agent: &str, simulations| {
        let report = run(agent, &tree, &Budget::simulations(simulations), 9);
        report.moves.iter().map(|m| (m.m, m.visits, m.numbers)).collect::<Vec<_>>()
    };
    for (simulations, expand, other) in [(49, 1, 2), (50, 2, 1)] {
        let auto = visits("plyproof", simulations);
        assert_eq!(auto, visits(&format!("plyproof(expand={expand})"), simulations));
        assert_ne!(auto, visits(&format!("plyproof(expand={other})"), simulations));
    }
}

#[test]
fn simulations_are_exact_and_add_up() {
    let game = TreeGame::random(&mut Rng::new(9), 12, 4, true);
    for name in ["mcts", "pn-mcts(pn=0)", "mcts(c=0)"] {
        for sims in [1, 2, 3, 17, 1000] {
            let report = run(name, &game, &Budget::simulations(sims), 4);
            if report.stopped == Some(Stopped::Proven) {
                continue;
            }
            assert_eq!((report.simulations, report.stopped), (sims, Some(Stopped::Simulations)), "{name}");
            assert_eq!(report.moves.iter().map(|m| m.visits).sum::<u64>(), sims, "{name}");
        }
    }
}

#[test]
fn means_are_for_the_player_who_moves() {
    let game = tree("1[ 2[- -] 2[+ +] ]");
    let report = run("mcts", &game, &Budget::simulations(100), 1);
    let of = |m| report.moves.iter().find(|r| r.m == m).expect("listed").mean;
    assert_eq!((of(0), of(1), report.best), (-1.0, 1.0, Some(1)));
    let game = tree("2[ 1[- -] 1[+ +] ]");
    assert_eq!(run("mcts", &game, &Budget::simulations(100), 1).best, Some(0));
    // A player who moves twice in a row wants the same both times.
    let game = tree("1[ 1[- 2[+ -]] 1[- -] ]");
    assert_eq!(run("mcts", &game, &Budget::simulations(200), 1).line[..2], [0, 1]);
}

#[test]
fn odd_roots_and_budgets_are_answered_sensibly() {
    for name in ["random", "mcts", "pn-mcts", "pns", "minimax"] {
        let over = run(name, &tree("+"), &Budget::simulations(10), 1);
        assert_eq!((over.best, over.stopped), (None, Some(Stopped::GameOver)), "{name}");
        assert_eq!(over.bounds, Bounds::exactly(Wdl::Win));

        let forced = run(name, &tree("1[2[= 1[= =]]]"), &Budget::simulations(50), 1);
        assert_eq!(forced.best, Some(0), "{name}: one legal move");

        let won = run(name, &tree("1[2[- +] + 2[1[+ -]]]"), &Budget::simulations(30), 1);
        assert!(name == "random" || won.best == Some(1), "{name}: a win in one is played, not {:?}", won.best);

        let nothing = run(name, &tree("1[2[= =] 2[= =]]"), &Budget::simulations(0), 1);
        assert!(nothing.best.is_some() && nothing.simulations <= 5, "{name}: no simulation still gives a move");

        let tight = Budget { simulations: Some(300), memory: Some(1000), ..Budget::default() };
        let game = TreeGame::random(&mut Rng::new(3), 10, 4, true);
        let tight = run(name, &game, &tight, 1);
        assert!(tight.best.is_some(), "{name}: 1 kB still gives a move");

        let stop = AtomicBool::new(true);
        let stopped = Searcher::new().search(&agent(name), &game, &Budget::default(), 1, &stop, &mut |_| {});
        assert!(stopped.best.is_some(), "{name}: stopped before it began still gives a move");
    }
}

#[test]
fn a_full_memory_ends_growth_but_not_the_search() {
    let game = (0..).map(|seed| TreeGame::random(&mut Rng::new(seed), 14, 4, true)).find(|game| game.size() > 20_000);
    let game = game.expect("a large tree");
    for name in ["mcts", "pn-mcts(pn=0)"] {
        let budget = Budget { simulations: Some(5000), memory: Some(20_000), ..Budget::default() };
        let report = run(name, &game, &budget, 1);
        assert_eq!(report.stopped, Some(Stopped::Simulations), "{name}");
        assert!(report.bytes <= 20_000 + 200, "{name}: {} bytes", report.bytes);
        assert!(report.full_after.is_some_and(|sims| (10..5000).contains(&sims)), "{name}: {:?}", report.full_after);
        assert_eq!(report.moves.iter().map(|m| m.visits).sum::<u64>(), 5000);
    }
    let report = run("pns", &game, &Budget { memory: Some(5000), ..Budget::default() }, 1);
    assert!(matches!(report.stopped, Some(Stopped::Memory | Stopped::Proven)));
}

#[test]
fn time_ends_a_search_and_observers_see_it_on_its_way() {
    let game = tree("1[2[= 1[= =]] 2[= =]]");
    let budget = Budget { time: Some(Duration::from_millis(350)), ..Budget::default() };
    let mut seen = Vec::new();
    let stop = AtomicBool::new(false);
    let report = Searcher::new()
        .search(&agent("mcts"), &game, &budget, 1, &stop, &mut |report: &Report<u16>| seen.push(report.simulations));
    assert_eq!(report.stopped, Some(Stopped::Time));
    assert!(!seen.is_empty() && seen.is_sorted() && seen.last().is_some_and(|&last| last <= report.simulations));
}

//! Selection bonuses and play-out policies that a program brings along, by the public door alone.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use plyproof_core::search::proof::{NodeKind, ProofNumber, ProofNumbers};
use plyproof_core::search::{
    Agent, Budget, NodeStats, PlayoutPolicy, Report, Searcher, SelectionBonus, competition_ranks,
};
use plyproof_core::{Game, Player, Rng, TreeGame};

/// Nothing of `plyproof` that would hide what the bonus does.
const PLAIN: &str = "prove=off,rave=off,reuse=off,decisive=off";

fn agent(text: &str) -> Agent {
    Agent::parse(text).expect(text)
}

fn tree(seed: u64) -> TreeGame {
    TreeGame::random(&mut Rng::new(seed), 10, 6, true)
}

/// Visits and means of the moves, in the order of the moves.
fn found(report: &Report<u16>) -> Vec<(u16, u64, u64)> {
    let mut moves: Vec<_> = report.moves.iter().map(|m| (m.m, m.visits, m.mean.to_bits())).collect();
    moves.sort_unstable();
    moves
}

fn run(agent: &Agent, start: &TreeGame, seed: u64) -> Vec<(u16, u64, u64)> {
    found(&Searcher::new().run(agent, start, &Budget::simulations(200), seed))
}

/// A bonus that is a function.
struct By<F>(F);

impl<F: Fn(&NodeStats<'_>, &mut [f32]) -> f32 + Send + Sync> SelectionBonus for By<F> {
    fn write(&self, node: &NodeStats<'_>, bonuses: &mut [f32]) -> f32 {
        (self.0)(node, bonuses)
    }
}

#[test]
fn a_bonus_of_nothing_leaves_uct_alone() {
    for seed in 0..30 {
        for parameters in ["first=urgency", "first=random", "c=0.7,child_k=explore"] {
            let without = agent(&format!("plyproof(pn=0,solver=off,{PLAIN},{parameters})"));
            let base = agent(&format!("plyproof(solver=off,{PLAIN},{parameters})"));
            let own = base.with_bonus("nothing", Arc::new(By(|_: &NodeStats<'_>, _: &mut [f32]| 0.0))).expect("MCTS");
            assert_eq!(run(&own, &tree(seed), seed), run(&without, &tree(seed), seed), "{own}, seed {seed}");
        }
    }
}

#[test]
fn a_built_in_formula_written_from_outside_gives_the_same_search() {
    let max = |node: &NodeStats<'_>, bonuses: &mut [f32]| {
        let leaves = |i| node.key(i).leaves();
        let open = (node.unvisited() > 0).then_some(1);
        let finite = || (0..node.competing()).filter_map(leaves).chain(open);
        let (least, most) = (finite().min().unwrap_or(0), finite().max().unwrap_or(0));
        let bonus = |x: u32| (1.0 - (f64::from(x) - f64::from(least)) / (1.0 + f64::from(most - least))) as f32;
        for (i, to) in bonuses.iter_mut().enumerate() {
            *to = leaves(i).map_or(0.0, bonus);
        }
        bonus(1)
    };
    for seed in 0..30 {
        for parameters in ["first=urgency", "first=random,pn=2", "first=urgency,rave=30", "bonus_max_moves=4"] {
            let parameters = format!("{parameters},solver=off,prove=off,reuse=off,decisive=off");
            let parameters = if parameters.contains("rave") { parameters } else { parameters + ",rave=off" };
            let built_in = agent(&format!("plyproof(bias=max,{parameters})"));
            let own = agent(&format!("plyproof({parameters})")).with_bonus("max", Arc::new(By(max))).expect("MCTS");
            assert_eq!(run(&own, &tree(seed), seed), run(&built_in, &tree(seed), seed), "{own}, seed {seed}");
        }
    }
}

#[test]
fn a_bonus_is_told_the_truth() {
    let asked = Arc::new(AtomicUsize::new(0));
    for name in ["mcts", "mcts(first=urgency,solver=0)", "pn-mcts", "pn-mcts-fsu", "gpn-mcts", "plyproof(rave=off)"] {
        let counter = Arc::clone(&asked);
        let check = move |node: &NodeStats<'_>, bonuses: &mut [f32]| {
            counter.fetch_add(1, Ordering::Relaxed);
            assert_eq!(bonuses.len(), node.competing());
            assert!(node.competing() + node.unvisited() <= node.children());
            let children: Vec<_> = (0..node.competing()).map(|i| node.child(i)).collect();
            assert!(children.iter().map(|child| child.visits).sum::<u32>() <= node.visits());
            assert!(children.iter().all(|child| child.visits > 0 && child.mean.abs() <= 1.0));
            for (i, child) in children.iter().enumerate() {
                let key = match node.kind() {
                    NodeKind::Or => child.numbers.pn,
                    NodeKind::And => child.numbers.dpn,
                };
                assert_eq!(node.key(i), key);
                assert!(child.rank >= 1 && child.rank <= node.worst_rank());
                bonuses[i] = 1.0 - child.rank as f32 / node.worst_rank() as f32;
            }
            if node.competing() == node.children() {
                let keys: Vec<ProofNumber> = (0..node.competing()).map(|i| node.key(i)).collect();
                let ranks: Vec<u32> = children.iter().map(|child| child.rank).collect();
                assert_eq!(ranks, competition_ranks(&keys));
            }
            if node.depth() == 0 {
                assert_eq!(node.mover(), Player::FIRST);
            }
            1.0 - node.unvisited_rank() as f32 / node.worst_rank() as f32
        };
        let own = agent(name).with_bonus("truth", Arc::new(By(check))).expect("MCTS");
        for seed in 0..20 {
            run(&own, &tree(seed), seed);
        }
    }
    assert!(asked.load(Ordering::Relaxed) > 20_000, "{asked:?}");
}

#[test]
fn an_agent_with_parts_of_its_own_prints_as_such() {
    let nothing: Arc<dyn SelectionBonus> = Arc::new(By(|_: &NodeStats<'_>, _: &mut [f32]| 0.0));
    let own = agent("pn-mcts(pn=2)").with_bonus("nothing", Arc::clone(&nothing)).expect("MCTS");
    assert_eq!(own.to_string(), "pn-mcts(pn=2)+nothing");
    assert_eq!(own, agent("pn-mcts(pn=2)").with_bonus("nothing", nothing).expect("MCTS"));
    assert_ne!(own, agent("pn-mcts(pn=2)"));
    let both = own.with_label("greedy").expect("a name");
    assert_eq!(both.to_string(), "pn-mcts(pn=2)+nothing+greedy");
    assert!(Agent::parse("pn-mcts+nothing").is_err(), "nobody else can make it");
    let other: Arc<dyn SelectionBonus> = Arc::new(By(|_: &NodeStats<'_>, _: &mut [f32]| 0.0));
    for name in ["", "a b", "a(b)", "+"] {
        assert!(agent("mcts").with_bonus(name, Arc::clone(&other)).is_err(), "{name:?}");
    }
    let error = agent("df-pn").with_bonus("x", other).expect_err("no formula").to_string();
    assert!(error.contains("df-pn chooses by no formula"), "{error}");
}

#[test]
fn a_tree_is_not_gone_on_with_under_another_bonus() {
    let start = tree(3);
    let bonus = || -> Arc<dyn SelectionBonus> {
        Arc::new(By(|node: &NodeStats<'_>, bonuses: &mut [f32]| {
            bonuses.fill(1.0 / node.children() as f32);
            0.0
        }))
    };
    let base = agent("mcts(reuse=on)");
    let one = base.with_bonus("one", bonus()).expect("MCTS");
    let two = base.with_bonus("two", bonus()).expect("MCTS");
    let visits = |second: &Agent| {
        let mut searcher = Searcher::new();
        let line = searcher.run(&one, &start, &Budget::simulations(300), 1).line;
        let mut next = start.clone();
        line.iter().take(2).for_each(|&m| next.play(m));
        let report = searcher.run(second, &next, &Budget::simulations(20), 1);
        report.moves.iter().map(|m| m.visits).sum::<u64>()
    };
    assert_eq!(visits(&two), 20, "begun afresh");
    assert!(visits(&one) > 20, "gone on with");
}

/// Plays the first or the last move.
struct Always {
    last: bool,
    asked: Arc<AtomicUsize>,
}

impl PlayoutPolicy<TreeGame> for Always {
    fn choose(&mut self, state: &TreeGame, _: &mut Rng) -> u16 {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let mut moves = Vec::new();
        state.moves(&mut moves);
        if self.last { moves[moves.len() - 1] } else { moves[0] }
    }
}

#[test]
fn playouts_go_by_the_policy() {
    let start = TreeGame::parse("1[2[1[+ -] 1[+ -]] 2[1[+ -] 1[+ -]]]").expect("a tree");
    for name in ["mcts", "pn-mcts", "plyproof(solver=off,prove=off)", "mcts(rave=50)", "mcts(mast=0.1,playouts=3)"] {
        for last in [false, true] {
            let asked = Arc::new(AtomicUsize::new(0));
            let mut searcher = Searcher::new();
            searcher.set_policy(Some(Box::new(Always { last, asked: Arc::clone(&asked) })));
            let own = agent(name).with_label(if last { "last" } else { "first" }).expect("a name");
            // Two simulations end in play-outs from the two children of the root.
            let report = searcher.run(&own, &start, &Budget::simulations(2), 1);
            let mean = if last { -1.0 } else { 1.0 };
            assert!(report.moves.iter().all(|m| m.visits == 0 || m.mean == mean), "{own}: {:?}", report.moves);
            assert!(asked.load(Ordering::Relaxed) >= 2, "{own}");
        }
    }
}

#[test]
fn a_random_policy_gives_the_very_search_of_basic_mcts() {
    struct Uniform;
    impl PlayoutPolicy<TreeGame> for Uniform {
        fn choose(&mut self, state: &TreeGame, rng: &mut Rng) -> u16 {
            state.random_move(rng)
        }
    }
    for seed in 0..20 {
        let (mut own, mut usual) = (Searcher::new(), Searcher::new());
        own.set_policy(Some(Box::new(Uniform)));
        let budget = Budget::simulations(300);
        let (own, usual) = (
            own.run(&agent("mcts"), &tree(seed), &budget, seed),
            usual.run(&agent("mcts"), &tree(seed), &budget, seed),
        );
        assert_eq!(found(&own), found(&usual), "seed {seed}");
    }
}

#[test]
fn proof_numbers_of_an_agent_with_a_bonus_are_still_proofs() {
    let wild = |node: &NodeStats<'_>, bonuses: &mut [f32]| {
        for (i, bonus) in bonuses.iter_mut().enumerate() {
            *bonus = (node.visits() as usize * 7 + i * 13) as f32 % 5.0;
        }
        2.0
    };
    for seed in 0..40 {
        let start = TreeGame::random(&mut Rng::new(seed), 6, 3, true);
        let exact = Searcher::new().run(&agent("minimax"), &start, &Budget::default(), 0).bounds;
        for name in ["mcts", "pn-mcts", "gpn-mcts", "plyproof"] {
            let own = agent(name).with_bonus("wild", Arc::new(By(wild))).expect("MCTS");
            let report = Searcher::new().run(&own, &start, &Budget::simulations(500), seed);
            assert!(report.bounds.least <= exact.least && exact.most <= report.bounds.most, "{own}, seed {seed}");
            assert!(report.numbers != Some(ProofNumbers::PROVEN) || exact.value() == Some(plyproof_core::Wdl::Win));
        }
    }
}

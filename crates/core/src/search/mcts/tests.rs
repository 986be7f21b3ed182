//! White-box tests: the whole tree is checked from the definitions after every simulation.

use super::*;
use crate::outcome::Wdl;
use crate::search::Agent;
use crate::search::agent::Method;
use crate::search::proof::{NodeKind, ProofNumber};
use crate::search::select::Fade;
use crate::search::switches::bare;
use crate::search::tree::Link;
use crate::tree_game::TreeGame;

/// What a node must be by definition.
pub(super) struct Checked {
    pub visits: u32,
    pub numbers: ProofNumbers,
    /// For the second goal, if there is one.
    pub second: ProofNumbers,
    /// For the player who moves there.
    pub bounds: Bounds,
}

fn wider(a: Bounds, b: Bounds) -> Bounds {
    Bounds { least: a.least.max(b.least), most: a.most.max(b.most) }
}

/// Everything that must hold in a tree, checked from the definitions: visits and sums add up, every number is the
/// combination of the children's, every rank is the competition rank, every bound follows from the children's, and
/// exactly the children that are of no use any more are pruned.
pub(super) fn check(run: &Search<'_, TreeGame>, node: Node, state: &TreeGame) -> Checked {
    let tree = &run.space.tree;
    let (mut visits, mut all, mut seconds) = (0, Vec::new(), Vec::new());
    let mover = state.to_move();
    let head = tree.head(node);
    assert_eq!(head.mover, mover);
    let proof = run.counted.is_some();
    let solver = run.rules.config.solver;
    let counted = run.counted.unwrap_or(Goal::win(run.start.to_move()));
    let kind = NodeKind::of(counted, mover);
    let leaf = ProofNumbers::UNKNOWN;
    let mut own = Bounds::exactly(Wdl::Loss);
    let mut ranked = Vec::new();
    let two = run.rules.full && run.space.second.is_some();
    // Ranks are by the first number, and by the second where that is equal and there are two.
    let pair = |first, second| (kind.key(first), if two { kind.key(second) } else { ProofNumber::ZERO });
    for slot in 0..head.children {
        let mut next = state.clone();
        next.play(tree.move_of(node, slot));
        let fresh = match (run.counted, next.outcome()) {
            (Some(counted), Some(outcome)) => counted.numbers(outcome),
            _ => leaf,
        };
        let fresh_second = match (run.space.second, next.outcome()) {
            (Some(goal), Some(outcome)) => goal.numbers(outcome),
            _ => leaf,
        };
        let ended = next.outcome().map(|outcome| Bounds::exactly(outcome.of(mover)));
        if slot >= head.visited {
            all.push(fresh);
            seconds.push(fresh_second);
            own = wider(own, ended.unwrap_or(Bounds::OPEN));
            if ended.is_none() {
                ranked.push(pair(fresh, fresh_second));
            }
            let tested = run.rules.config.tests_ends();
            assert!(
                !run.rules.full || !tested || ended.is_none() || slot >= head.children - tree.counts(&head).ended,
                "ended ones stand last"
            );
            continue;
        }
        let below = match tree.link(node, slot) {
            Link::Leaf(visits) => {
                let mut bounds = ended.unwrap_or(Bounds::OPEN);
                let (mut numbers, mut second) = (fresh, fresh_second);
                let decided = solver.and_then(|_| tree.bounds(node, slot).value());
                if ended.is_none()
                    && let Some(value) = decided
                {
                    // Decided when it was opened: then its moves say so.
                    let (mut moves, mut ends) = (Vec::new(), Vec::new());
                    next.moves_and_ends(&mut moves, &mut ends);
                    let best = ends.iter().map(|end| end.1.of(next.to_move())).max().expect("an end");
                    assert!(best == Wdl::Win || ends.len() == moves.len());
                    bounds = Bounds::exactly(best);
                    bounds = open::seen_by(mover, next.to_move(), bounds, 2);
                    assert_eq!(bounds.value(), Some(value));
                    let outcome = open::outcome_for(mover, value);
                    numbers = run.counted.map_or(fresh, |counted| counted.numbers(outcome));
                    second = run.space.second.map_or(second, |goal| goal.numbers(outcome));
                }
                Checked { visits, numbers, second, bounds }
            }
            Link::Node(child) => {
                let inner = check(run, child, &next);
                let bounds = open::seen_by(mover, next.to_move(), inner.bounds, 2);
                Checked { bounds, ..inner }
            }
        };
        if proof {
            assert_eq!(tree.numbers(node, slot), below.numbers);
        }
        if two {
            assert_eq!(tree.second_numbers(node, slot), below.second);
        }
        let (sums, weights) = tree.values(&head);
        let n = below.visits;
        assert!(sums[slot].unsigned_abs() <= n && weights[slot] == 1.0 / (n as f32).sqrt());
        let fade =
            run.rules.config.proof.filter(|proof| run.rules.full && proof.ranks_up_to() > 0).map(|proof| proof.fade);
        if let Some(fade @ Fade::Slowly(_)) = fade {
            assert_eq!(tree.shares_in_lanes(&head)[slot], fade.share(weights[slot]));
        }
        if let Some(outcome) = next.outcome() {
            assert_eq!(sums[slot], outcome.of(mover).value() * n as i32);
        }
        if let Some(skip) = solver {
            assert_eq!(tree.bounds(node, slot), below.bounds);
            let range = below.bounds.least.value() * n as i32..=below.bounds.most.value() * n as i32;
            assert!(range.contains(&sums[slot]), "{} of {n} is within {:?}", sums[slot], below.bounds);
            let useless = below.bounds.most <= tree.node_bounds(node).least && n > skip;
            let pruned = slot >= tree.counts(&head).active;
            assert!(pruned == useless || tree.node_bounds(node).value().is_some(), "{:?}", below.bounds);
        }
        ranked.push(pair(below.numbers, below.second));
        own = wider(own, below.bounds);
        all.push(below.numbers);
        seconds.push(below.second);
        visits += n;
    }
    let kept = if run.rules.full { run.rules.config.proof.map_or(0, |proof| proof.ranks_up_to()) } else { usize::MAX };
    if proof && (run.rules.full || head.visited == head.children) && head.children <= kept {
        let ranks: Vec<u32> =
            ranked.iter().map(|key| 1 + ranked.iter().filter(|other| *other < key).count() as u32).collect();
        let kept: Vec<u32> = tree.ranks(&head).iter().map(|&rank| rank.into()).collect();
        assert_eq!(kept, ranks[..head.visited]);
        assert_eq!(head.worst_rank, ranks.iter().copied().max().unwrap_or(1));
        if run.rules.full && tree.counts(&head).open > 0 {
            assert_eq!(u32::from(tree.counts(&head).open_rank), ranks[head.visited]);
        }
    }
    if solver.is_some() {
        assert_eq!(tree.node_bounds(node), own);
    }
    // A node was also visited once (or, while there was no room, more often) before it was opened.
    assert!(tree.visits(node) > visits || node == run.root);
    Checked { visits: tree.visits(node), numbers: kind.combine(all), second: kind.combine(seconds), bounds: own }
}

fn simulate_and_check(config: Mcts, full: bool, start: &TreeGame, seed: u64, name: &str) {
    let mut space = Workspace::new();
    let memory = if seed.is_multiple_of(3) { 3000 } else { 1 << 20 };
    let budget = Budget { memory: Some(memory), ..Budget::default() };
    let mut run = Search::new(config, full, &mut space, start, None, &budget, seed);
    let mut simulations = 0;
    while simulations < 150 {
        if full && run.is_settled() {
            break;
        }
        if full {
            run.simulate::<true>(u64::MAX)
        } else {
            run.simulate::<false>(u64::MAX)
        };
        simulations += run.made;
        let found = check(&run, run.root, start);
        assert_eq!(found.visits, simulations, "{name}, seed {seed}");
        assert!(run.counted.is_none() || run.root_numbers == found.numbers, "{name}, seed {seed}");
        assert!(run.space.second.is_none() || run.root_second == found.second, "{name}, seed {seed}");
        assert!(config.solver.is_none() || run.root_bounds == found.bounds, "{name}, seed {seed}");
    }
}

#[test]
fn after_every_simulation_every_number_in_the_tree_is_what_it_should_be() {
    let plain = ["mcts", "pn-mcts", "pn-mcts(pn=1e6,norm=children)", "pn-mcts(pn=0)", "pn-mcts(expand=1)"];
    let switched = [
        "mcts(c=auto)",
        "mcts(solver=0)",
        "mcts(solver=3,first=urgency)",
        "mcts(first=urgency,expand=3)",
        "pn-mcts-fsu",
        "gpn-mcts",
        "plyproof",
        "plyproof(pn=1e6)",
        "plyproof(bonus_max_moves=3)",
        "plyproof(pn=0,decisive=off)",
        "plyproof(child_k=explore)",
        "plyproof(child_k=30,parent_k=off,rave=50)",
        "plyproof(bias=log)",
        "plyproof(goals=two)",
        "pn-mcts-fsu(goals=two)",
        "plyproof(numbers=player)",
        "plyproof(rave=100,ref=20)",
        "mcts(mast=0.2,solver=0)",
        "mcts(nst=0.3,rave=10,first=urgency)",
        "mcts(playouts=3)",
        "plyproof(playouts=4,rave=50)",
        "mcts(nst=0.3,rave=10,first=urgency,expand=1,playouts=2)",
    ];
    let single = [
        "parent_k=50",
        "first=urgency",
        "solver=0,expand=1,grow=5",
        "solver=5,first=urgency",
        "bias=exp,child_k=explore",
        "goals=two",
        "numbers=player,expand=1",
    ]
    .map(bare);
    let switched: Vec<&str> = switched.into_iter().chain(single.iter().map(String::as_str)).collect();
    for seed in 0..60 {
        let start = TreeGame::random(&mut Rng::new(seed), 9, 5, true);
        for &name in plain.iter().chain(&switched) {
            let Method::Mcts(config) = Agent::parse(name).expect(name).method() else { panic!() };
            assert_eq!(config.is_plain(), plain.contains(&name), "{name}");
            if config.is_plain() {
                simulate_and_check(config, false, &start, seed, name);
            }
            // With everything off the full simulation must keep the same books.
            simulate_and_check(config, true, &start, seed, name);
        }
    }
}

pub(super) fn config(name: &str) -> Mcts {
    let Method::Mcts(config) = Agent::parse(name).expect(name).method() else { panic!("{name} is no MCTS") };
    config
}

#[test]
fn a_reused_tree_is_right_and_has_the_visits_of_the_subtree() {
    let mut reused = 0;
    for seed in 0..80 {
        let start = TreeGame::random(&mut Rng::new(seed), 9, 4, true);
        let names = ["plyproof(reuse=on)", "mcts(reuse=on)", "gpn-mcts"].map(String::from);
        for name in names.into_iter().chain(["reuse=on,goals=two", "reuse=on,numbers=player"].map(bare)) {
            let config = config(&name);
            let budget = Budget { simulations: Some(120), ..Budget::default() };
            let mut space = Workspace::new();
            let mut position = start.clone();
            for ply in 0..6 {
                if position.outcome().is_some() {
                    break;
                }
                let mut run = Search::new(config, true, &mut space, &position, None, &budget, seed);
                let before = run.space.tree.visits(run.root);
                reused += u32::from(before > 0);
                check(&run, run.root, &position);
                for _ in 0..60 {
                    if !run.is_settled() {
                        run.simulate::<true>(1);
                    }
                }
                let checked = check(&run, run.root, &position);
                assert!(checked.visits >= before && (run.is_settled() || checked.visits == before + 60), "{name}");
                let goals = (run.counted, run.space.second);
                let kept = Kept { start: position.clone(), root: run.root, config, goals, own_bonus: None };
                let best = run.space.tree.move_of(run.root, 0);
                run.space.kept = Some(kept);
                position.play(best);
                assert!(ply < 6);
            }
        }
    }
    assert!(reused > 300, "{reused}");
}

#[test]
fn a_tree_that_leaves_less_than_half_of_the_memory_is_not_gone_on_with() {
    let config = config("plyproof(prove=off)");
    let mut tried = 0;
    for seed in 0..80 {
        let start = TreeGame::random(&mut Rng::new(seed), 12, 5, true);
        let budget = |memory| Budget { simulations: Some(60), memory: Some(memory), ..Budget::default() };
        // What a search of the position after two moves begins with: visits and bytes of its tree.
        let begin = |memory| {
            let (mut space, stop) = (Workspace::new(), AtomicBool::new(false));
            let roomy = budget(1 << 24);
            let first = Search::new(config, true, &mut space, &start, None, &roomy, seed);
            let line = first.run(Meter::new(&roomy, &stop), &mut |_| {}).line;
            let mut next = start.clone();
            line.iter().take(2).for_each(|&m| next.play(m));
            let open = next.outcome().is_none() && line.len() >= 2;
            let run = Search::new(config, true, &mut space, &next, None, &budget(memory), seed);
            let (visits, won) = (run.space.tree.visits(run.root), run.is_settled());
            (visits, run.space.tree.bytes(), open && !won)
        };
        let (visits, bytes, usable) = begin(1 << 24);
        if usable && visits > 0 {
            tried += 1;
            assert_eq!(begin(2 * bytes).0, visits, "just enough");
            assert_eq!(begin(2 * bytes - 2).0, 0, "begun anew");
        }
    }
    assert!(tried > 10, "{tried}");
}

#[test]
fn several_playouts_of_a_visit_are_counted_and_never_more_than_asked_for() {
    let start = TreeGame::random(&mut Rng::new(7), 14, 3, true);
    for (playouts, simulations) in [(1, 50), (3, 100), (16, 100), (1000, 77)] {
        for agent in [
            format!("mcts(playouts={playouts})"),
            format!("mcts(rave=50,playouts={playouts})"),
            bare(&format!("first=urgency,playouts={playouts}")),
        ] {
            let config = config(&agent);
            let budget = Budget { simulations: Some(simulations), ..Budget::default() };
            let (mut space, stop) = (Workspace::new(), AtomicBool::new(false));
            let run = Search::new(config, true, &mut space, &start, None, &budget, 3);
            let root = run.root;
            let report = run.run(Meter::new(&budget, &stop), &mut |_| {});
            assert_eq!(report.simulations, simulations, "{agent} {playouts}");
            assert_eq!(u64::from(space.tree.visits(root)), simulations, "{agent} {playouts}");
        }
    }
}

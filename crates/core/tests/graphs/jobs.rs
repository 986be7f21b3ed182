//! Search by jobs is right on every graph, whatever happens to jobs and results and wherever it is taken up again.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use plyproof_core::search::jobs::{
    Cluster, Coordinator, JobCounts, JobResult, JobSettings, JobThreads, Merged, Sharing, Simulator, WriteLimits, run,
};
use plyproof_core::search::{Aim, Budget};
use plyproof_core::{Game, Player, Rng, Wdl};

use crate::alphabeta::without_cycles;
use crate::graph::{GraphGame, Node};
use crate::proofs::{longest, mostly_forward, moves_of};

/// Runs; more than a test needs with the environment variable `PLYPROOF_GRAPHS`.
fn runs() -> u64 {
    let asked = std::env::var("PLYPROOF_GRAPHS");
    asked.map_or(6000, |number| number.parse().expect("PLYPROOF_GRAPHS is a number of graphs"))
}

fn settings(rng: &mut Rng) -> JobSettings {
    JobSettings {
        smallest: 1 + rng.below(12) as u64,
        largest: [20, 1 << 20][rng.below(2)],
        parts: 1 + rng.below(30) as u64,
        retries: rng.below(3) as u32,
        facts: [0, 3, 64][rng.below(3)],
        stay: [0, 25, 1000][rng.below(3)],
        positions: [4, 30, 1_000_000][rng.below(3)],
    }
}

fn cluster(rng: &mut Rng) -> Cluster {
    Cluster {
        together: 1 + rng.below(4),
        memory: [1, 1 << 16][rng.below(2)],
        latency: rng.below(300_000) as u64,
        stragglers: [0.0, 0.3][rng.below(2)],
        slowness: 1 + rng.below(1000) as u64,
        losses: [0.0, 0.1, 0.5][rng.below(3)],
        repeats: [0.0, 0.3][rng.below(2)],
        seed: rng.next_u64(),
        ..Cluster::of(1 + rng.below(20))
    }
}

fn limits() -> WriteLimits {
    WriteLimits { budget: Budget { memory: Some(1 << 20), ..Budget::simulations(1 << 20) } }
}

/// Whether play by these moves keeps to them and never ends badly for the player, for ever if need be.
fn holds(graph: &GraphGame, player: Player, least: Wdl, moves: &HashMap<u8, u8>) -> bool {
    let (mut met, mut queue) = (vec![false; graph.nodes.len()], vec![graph.at]);
    while let Some(at) = queue.pop() {
        if std::mem::replace(&mut met[usize::from(at)], true) {
            continue;
        }
        match &graph.nodes[usize::from(at)] {
            Node::End(outcome) if outcome.of(player) < least => return false,
            Node::End(_) => {}
            Node::Choice(mover, to) if *mover == player => match moves.get(&at) {
                Some(&m) => queue.push(to[usize::from(m)]),
                None => return false,
            },
            Node::Choice(_, to) => queue.extend(to),
        }
    }
    true
}

fn check_proofs(graph: &GraphGame, coordinator: &Coordinator<GraphGame>) {
    for proof in coordinator.proofs(&limits(), &AtomicBool::new(false)) {
        let strategy = proof.strategy.as_ref().unwrap_or_else(|why| panic!("{graph:?} {:?}: {why:?}", proof.goal));
        let moves = moves_of(strategy);
        if proof.goal.least == Wdl::Win {
            let real = longest(graph, graph.at.into(), proof.goal.player, &moves, &mut HashMap::new());
            assert!(real.is_some() && strategy.longest == real, "{graph:?}: {:?}", strategy.entries);
        }
        assert!(holds(graph, proof.goal.player, proof.goal.least, &moves), "{graph:?} {:?}", proof.goal);
    }
}

fn a_graph(seed: u64, rng: &mut Rng) -> GraphGame {
    match seed % 3 {
        0 => GraphGame::random(rng),
        1 => mostly_forward(rng),
        _ => without_cycles(&GraphGame::random(rng)),
    }
}

/// One search in the simulator, cut off and taken up again at random moments. What was counted.
fn searched(seed: u64) -> (Wdl, JobCounts) {
    let mut rng = Rng::new(seed);
    let graph = a_graph(seed, &mut rng);
    let settings = settings(&mut rng);
    let value = graph.values(graph.to_move())[usize::from(graph.at)];
    let mut coordinator = Coordinator::new(&graph, Aim::Value, settings.clone());
    let restarts = rng.below(4);
    let mut left = 200_000;
    for part in 0..=restarts {
        let mut simulator = Simulator::new(cluster(&mut rng));
        let last = part == restarts;
        let mut events = rng.below(30);
        run(&mut coordinator, &mut simulator, &mut |coordinator, _| {
            left -= 1;
            let bounds = coordinator.bounds();
            assert!(bounds.least <= value && value <= bounds.most, "{seed} {graph:?}: {bounds:?}");
            events = events.saturating_sub(1);
            left > 0 && (last || events > 0)
        });
        if !last {
            let before = coordinator.counts();
            coordinator =
                Coordinator::restore(&graph, Aim::Value, settings.clone(), &coordinator.save()).expect("saved");
            let after = coordinator.counts();
            assert_eq!((after.done, after.nodes, after.positions), (before.done, before.nodes, before.positions));
            assert_eq!((after.restarts, coordinator.flying()), (before.restarts + 1, 0));
        }
    }
    assert_eq!(coordinator.bounds().value(), Some(value), "{seed} {graph:?} {settings:?}");
    if seed % 4 < 2 {
        check_proofs(&graph, &coordinator);
    }
    (value, coordinator.counts())
}

#[test]
fn every_graph_is_decided_rightly_whatever_becomes_of_jobs() {
    let (mut values, mut lost, mut stale, mut retried) = ([0u64; 3], 0, 0, 0);
    for seed in 0..runs() {
        let (value, counts) = searched(seed);
        values[value as usize] += 1;
        lost += counts.lost;
        stale += counts.stale;
        retried += counts.retried;
        assert!(counts.retried <= counts.lost + counts.refused, "{seed}: {counts:?}");
    }
    assert!(values.iter().all(|&n| n > runs() / 20), "wins, draws and losses all occur: {values:?}");
    assert!(retried > lost / 4, "{retried} of {lost} lost jobs were handed out again");
    assert!(lost > runs() / 10 && stale > runs() / 10, "{lost} lost, {stale} stale");
}

#[test]
fn threads_decide_every_graph_rightly_with_one_table_or_several() {
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        let graph = a_graph(seed, &mut rng);
        let value = graph.values(graph.to_move())[usize::from(graph.at)];
        let sharing = [Sharing::One, Sharing::None][rng.below(2)];
        let mut threads = JobThreads::new(1 + rng.below(4), [1, 1 << 16][rng.below(2)], sharing);
        let mut coordinator = Coordinator::new(&graph, Aim::Value, settings(&mut rng));
        run(&mut coordinator, &mut threads, &mut |_, _| true);
        assert_eq!(coordinator.bounds().value(), Some(value), "{graph:?}");
        drop(threads);
        check_proofs(&graph, &coordinator);
    }
}

/// Answers that are no answers: whether a state of changed bytes is refused or not, reading it does no harm.
#[test]
fn no_changed_byte_of_a_state_makes_the_reader_fail() {
    let mut refused = 0;
    for seed in 0..40 {
        let mut rng = Rng::new(seed);
        let graph = a_graph(seed, &mut rng);
        if graph.outcome().is_some() {
            continue;
        }
        let settings = JobSettings { smallest: 2, ..JobSettings::default() };
        let mut coordinator = Coordinator::new(&graph, Aim::Value, settings.clone());
        let mut simulator = Simulator::new(Cluster::of(2));
        let mut left = 12;
        run(&mut coordinator, &mut simulator, &mut |_, _| {
            left -= 1;
            left > 0
        });
        let state = coordinator.save();
        for at in 0..state.len() {
            let mut wrong = state.clone();
            wrong[at] ^= 1 << rng.below(8);
            refused += u32::from(Coordinator::restore(&graph, Aim::Value, settings.clone(), &wrong).is_err());
            assert!(Coordinator::restore(&graph, Aim::Value, settings.clone(), &state[..at]).is_err(), "cut off");
        }
    }
    assert!(refused > 1000, "{refused}");
}

#[test]
fn a_result_counts_once_and_a_lost_job_comes_again() {
    let graph = GraphGame::parse("1:1,2 2:3,4 2:4,3 - 1:5,3 2:6,3 +");
    let settings = JobSettings { smallest: 1, ..JobSettings::default() };
    let mut coordinator = Coordinator::new(&graph, Aim::Value, settings);
    let mut worker = plyproof_core::search::jobs::JobSolver::new(1 << 12);
    let first = coordinator.next_job(0).expect("a job");
    assert!(coordinator.next_job(0).is_none(), "one position, one job");
    coordinator.lose(first.id);
    coordinator.lose(first.id);
    assert_eq!((coordinator.counts().lost, coordinator.flying()), (1, 0));
    let again = coordinator.next_job(0).expect("the job again");
    assert!(again.id != first.id && again.position.at == first.position.at);
    let result = worker.solve(&again, &AtomicBool::new(false));
    assert_eq!(coordinator.merge(&result), Merged::Used);
    let counts = coordinator.counts();
    assert_eq!(coordinator.merge(&result), Merged::Stale);
    let late = JobResult { id: first.id, ..result };
    assert_eq!(coordinator.merge(&late), Merged::Stale);
    assert_eq!((coordinator.counts().done, coordinator.counts().nodes), (counts.done, counts.nodes));
}

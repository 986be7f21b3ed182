//! df-pn decides every finite graph, whatever its parameters are.

use plyproof_core::search::{Agent, Budget, Report, Searcher, Stopped};
use plyproof_core::{Game, Rng, Wdl};

use crate::graph::{GraphGame, Node};

/// Graphs to try; more than a test needs with the environment variable `PLYPROOF_GRAPHS`.
fn graphs() -> u64 {
    let asked = std::env::var("PLYPROOF_GRAPHS");
    asked.map_or(8000, |number| number.parse().expect("PLYPROOF_GRAPHS is a number of graphs"))
}

fn every_setting() -> Vec<Agent> {
    let mut agents = Vec::new();
    for epsilon in ["0", "0.001", "0.25", "2", "100"] {
        for sum in ["weak", "full"] {
            for leaf in ["auto", "unit", "mobility"] {
                // The graphs have no threats to see, so that parameter goes along with another.
                let threats = if leaf == "unit" { "off" } else { "on" };
                let text = format!("df-pn(epsilon={epsilon},sum={sum},leaf={leaf},threats={threats})");
                agents.push(Agent::parse(&text).expect("an agent"));
            }
        }
    }
    agents
}

/// Positions, edges, and pairs of an edge and a path without repetitions that leads to where it begins; counted until
/// there are `most` of the last.
fn size_of(graph: &GraphGame, most: u64) -> (u64, u64, u64) {
    fn paths(graph: &GraphGame, at: usize, on_path: &mut [bool], most: u64, pairs: &mut u64) {
        let Node::Choice(_, to) = &graph.nodes[at] else { return };
        *pairs += to.len() as u64;
        on_path[at] = true;
        for &to in to {
            if *pairs < most && !on_path[usize::from(to)] {
                paths(graph, to.into(), on_path, most, pairs);
            }
        }
        on_path[at] = false;
    }
    let edges = graph.nodes.iter().map(|node| if let Node::Choice(_, to) = node { to.len() as u64 } else { 0 });
    let mut pairs = 0;
    paths(graph, graph.at.into(), &mut vec![false; graph.nodes.len()], most, &mut pairs);
    (graph.nodes.len() as u64, edges.sum(), pairs)
}

/// What two searches, one for each goal, may visit by the argument in `dfpn.rs`.
fn most_visits(graph: &GraphGame) -> u64 {
    const PATIENT: u64 = 1000;
    let (n, e, p) = size_of(graph, 100_000);
    2 * (PATIENT + 2 * n + e) * (1 + e + p)
}

/// Searches with no more visits than the argument allows, and 200,000 at most: then it must be decided, and rightly.
fn decided(agent: &Agent, graph: &GraphGame) -> Report<u8> {
    let visits = most_visits(graph).min(200_000);
    decided_within(agent, graph, &Budget { memory: Some(1 << 20), ..Budget::simulations(visits) })
}

fn decided_within(agent: &Agent, graph: &GraphGame, budget: &Budget) -> Report<u8> {
    let report = Searcher::new().run(agent, graph, budget, 1);
    let values = graph.values(graph.to_move());
    let value = values[usize::from(graph.at)];
    assert_eq!((report.stopped, report.bounds.value()), (Some(Stopped::Proven), Some(value)), "{agent} {graph:?}");
    for told in &report.moves {
        let mut next = graph.clone();
        next.play(told.m);
        let truth = values[usize::from(next.at)];
        assert!(told.bounds.least <= truth && truth <= told.bounds.most, "{agent} {graph:?}: {truth:?}, {told:?}");
    }
    report
}

#[test]
fn every_graph_is_decided_rightly_with_every_setting() {
    let (mut values, mut most, mut visits) = ([0u64; 3], (0, String::new()), 0);
    let agents = every_setting();
    for seed in 0..graphs() {
        let graph = GraphGame::random(&mut Rng::new(seed));
        for agent in &agents {
            let report = decided(agent, &graph);
            visits += report.nodes;
            if report.nodes > most.0 {
                most = (report.nodes, format!("{agent} {graph:?}"));
            }
            values[report.bounds.value().map_or(0, |value| value as usize)] += 1;
        }
    }
    let all = graphs() * agents.len() as u64;
    assert!(values.iter().all(|&n| n > all / 50), "wins, draws and losses all occur: {values:?}");
    #[allow(clippy::print_stdout)]
    {
        println!("{all} searches, {values:?} lost, drawn and won, {visits} visits, at most {} by {}", most.0, most.1);
    }
}

#[test]
fn numbers_that_count_themselves_do_not_keep_a_search_going_for_ever() {
    // Nobody can ever win. With full sums the disproof number of one position is twice that of another, and that twice
    // the first one's.
    let graph = GraphGame::parse("1:2,1 2:2,1,2 2:1,0,1");
    for agent in every_setting() {
        let report = decided(&agent, &graph);
        assert_eq!(report.bounds.value(), Some(Wdl::Draw));
        assert!(report.nodes < 2000, "{agent}: {}", report.nodes);
    }
}

#[test]
fn a_table_that_forgets_nearly_everything_does_not_keep_a_search_going_for_ever() {
    // Four entries for up to ten positions. Larger graphs may need many more visits.
    let small = (0..4000).map(|seed| GraphGame::random(&mut Rng::new(seed))).filter(|graph| graph.nodes.len() <= 10);
    for graph in small {
        let value = graph.values(graph.to_move())[0];
        for agent in every_setting() {
            let budget = Budget { memory: Some(1), ..Budget::simulations(200_000) };
            let report = Searcher::new().run(&agent, &graph, &budget, 1);
            assert_eq!(report.bounds.value(), Some(value), "{agent} {graph:?}");
        }
    }
}

#[test]
fn the_default_setting_needs_few_visits() {
    // So few that it never comes to the rule for searches that learn nothing.
    let agent = Agent::parse("df-pn").expect("an agent");
    for seed in 0..1500 {
        let graph = GraphGame::random(&mut Rng::new(seed));
        assert!(decided(&agent, &graph).nodes < 1000, "{graph:?}");
    }
}

#[test]
fn several_threads_with_one_table_are_never_wrong() {
    let agents =
        ["df-pn", "df-pn(epsilon=0,sum=full,leaf=unit)", "df-pn(epsilon=2,leaf=mobility)", "portfolio", "alpha-beta"];
    let agents = agents.map(|text| Agent::parse(text).expect("an agent"));
    for seed in 0..graphs() / 8 {
        let graph = GraphGame::random(&mut Rng::new(seed));
        for (index, agent) in agents.iter().enumerate() {
            // Threads without a limit of visits: how many they need depends on the order in which they run.
            let memory = if seed % 2 == 0 { 1 << 20 } else { 2000 };
            let budget = Budget { memory: Some(memory), threads: 2 + (seed as usize + index) % 4, ..Budget::default() };
            decided_within(agent, &graph, &budget);
        }
    }
}

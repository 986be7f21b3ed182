//! Alpha-beta is right on every graph, with and without cycles, however little its table remembers.

use plyproof_core::search::{AGENTS, Agent, Budget, Searcher, Stopped};
use plyproof_core::spec::Kind;
use plyproof_core::{Game, Outcome, Player, Rng};

use crate::graph::{GraphGame, Node};

/// Every order of moves that the agent has.
pub fn orders() -> Vec<Agent> {
    let described = AGENTS.iter().find(|agent| agent.name == "alpha-beta").expect("it is listed");
    let order = described.parameters.iter().find(|parameter| parameter.name == "order").expect("it has an order");
    let Kind::Choice(names) = &order.kind else { panic!("orders have names") };
    let orders = names.iter().map(|name| Agent::parse(&format!("alpha-beta(order={name})")).expect(name));
    orders.chain([Agent::parse("portfolio").expect("an agent")]).collect()
}

/// The graph without edges back: each leads to a later position.
pub fn without_cycles(graph: &GraphGame) -> GraphGame {
    let size = graph.nodes.len();
    let forward = |(at, node): (usize, &Node)| match node {
        Node::Choice(player, to) if at + 1 < size => {
            let later = |&to: &u8| (at + 1 + usize::from(to) % (size - at - 1)) as u8;
            Node::Choice(*player, to.iter().map(later).collect())
        }
        Node::Choice(player, to) => Node::End(match to.len() % 3 {
            0 => Outcome::DRAW,
            _ => Outcome::win(Player::new((player.index() + to.len()) % 2)),
        }),
        Node::End(outcome) => Node::End(*outcome),
    };
    GraphGame { nodes: graph.nodes.iter().enumerate().map(forward).collect(), ..graph.clone() }
}

/// Searches, and counts what was decided; nothing that is said may be wrong.
fn decided(agent: &Agent, graph: &GraphGame, memory: usize, visits: u64) -> bool {
    let budget = Budget { memory: Some(memory), ..Budget::simulations(visits) };
    let report = Searcher::new().run(agent, graph, &budget, 1);
    let values = graph.values(graph.to_move());
    let value = values[usize::from(graph.at)];
    assert!(report.bounds.least <= value && value <= report.bounds.most, "{agent} {graph:?}: {:?}", report.bounds);
    for said in &report.moves {
        let mut next = graph.clone();
        next.play(said.m);
        let truth = values[usize::from(next.at)];
        assert!(said.bounds.least <= truth && truth <= said.bounds.most, "{agent} {graph:?}: {truth:?}, {said:?}");
    }
    assert!(report.stopped != Some(Stopped::Proven) || report.bounds.value() == Some(value), "{agent} {graph:?}");
    report.stopped == Some(Stopped::Proven)
}

#[test]
fn every_graph_without_cycles_is_decided_rightly_with_every_order_and_the_smallest_table() {
    let agents = orders();
    for seed in 0..3000 {
        let graph = without_cycles(&GraphGame::random(&mut Rng::new(seed)));
        for agent in &agents {
            for memory in [1, 1 << 20] {
                assert!(decided(agent, &graph, memory, 1 << 20), "{agent} {graph:?}");
            }
        }
    }
}

#[test]
fn nothing_wrong_is_said_about_graphs_with_cycles_and_nearly_all_are_decided() {
    let agents = orders();
    let mut open = 0;
    for seed in 0..6000 {
        let graph = GraphGame::random(&mut Rng::new(seed));
        let agent = &agents[seed as usize % agents.len()];
        for memory in [1, 1 << 20] {
            open += u32::from(!decided(agent, &graph, memory, 20_000));
        }
    }
    assert!(open < 600, "{open} of 12,000 searches were not decided in 20,000 visits");
}

#[test]
fn several_threads_decide_every_graph_without_cycles_rightly() {
    let agents =
        ["alpha-beta", "alpha-beta(order=history)", "portfolio"].map(|text| Agent::parse(text).expect("an agent"));
    for seed in 0..300 {
        let graph = without_cycles(&GraphGame::random(&mut Rng::new(seed)));
        let values = graph.values(graph.to_move());
        for (index, agent) in agents.iter().enumerate() {
            let memory = if seed % 2 == 0 { 1 << 20 } else { 1 };
            let budget = Budget { memory: Some(memory), threads: 2 + (seed as usize + index) % 5, ..Budget::default() };
            let report = Searcher::new().run(agent, &graph, &budget, 1);
            assert_eq!(report.bounds.value(), Some(values[usize::from(graph.at)]), "{agent} {graph:?}");
        }
    }
}

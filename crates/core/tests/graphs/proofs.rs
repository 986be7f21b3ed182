//! Proofs written out: how long they say that play may take, and what becomes of them where keys are equal.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use plyproof_core::search::{Agent, Aim, Budget, NotWritten, Searcher, Solution, SolveTask, Strategy};
use plyproof_core::{Game, Outcome, Player, Rng, Wdl};

use crate::graph::{GraphGame, Node};

fn solved(agent: &str, start: &GraphGame) -> Solution<GraphGame> {
    let agent = Agent::parse(agent).expect("an agent");
    let budget = Budget { memory: Some(1 << 20), ..Budget::simulations(100_000) };
    let task = SolveTask { agent: &agent, aim: Aim::Value, all_moves: false, proofs: true, budget, seed: 1 };
    Searcher::new().solve(&task, start, &AtomicBool::new(false), &mut |_| {})
}

/// Moves on the longest way from `at` to an end, if the prover plays by the strategy and everybody else as they like.
/// `None` if play may go on for ever or leaves the strategy.
pub fn longest(
    graph: &GraphGame,
    at: usize,
    prover: Player,
    moves: &HashMap<u8, u8>,
    known: &mut HashMap<usize, Option<u32>>,
) -> Option<u32> {
    if let Some(&known) = known.get(&at) {
        return known;
    }
    // Whoever comes back here before it is known goes round.
    known.insert(at, None);
    let most = match &graph.nodes[at] {
        Node::End(_) => Some(0),
        Node::Choice(player, to) => {
            let own = moves.get(&(at as u8)).map(|&m| vec![to[usize::from(m)]]).unwrap_or_default();
            let choices = if *player == prover { &own } else { to };
            let ways = choices.iter().map(|&to| longest(graph, to.into(), prover, moves, known));
            ways.collect::<Option<Vec<u32>>>().and_then(|ways| ways.into_iter().max()).map(|most| most + 1)
        }
    };
    known.insert(at, most);
    most
}

pub fn moves_of(strategy: &Strategy<GraphGame>) -> HashMap<u8, u8> {
    strategy.entries.iter().map(|(state, m)| (state.at, *m)).collect()
}

/// A graph whose edges mostly lead on, so that lines are long and end, and whose players often move several times.
pub fn mostly_forward(rng: &mut Rng) -> GraphGame {
    let size = 8 + rng.below(17);
    let runs = 1 + rng.below(5);
    let nodes = (0..size).map(|at| {
        if at + 2 >= size || at > 3 && rng.below(6) == 0 {
            return Node::End(Outcome::win(Player::new(rng.below(4) / 3)));
        }
        let to = (0..1 + rng.below(3)).map(|_| match rng.below(12) {
            0 => rng.below(size),
            _ => (at + 1 + rng.below(4)).min(size - 1),
        });
        Node::Choice(Player::new(at / runs % 2), to.map(|to| to as u8).collect())
    });
    GraphGame { nodes: nodes.collect(), at: 0, key_bits: 64 }
}

#[test]
fn the_longest_line_of_a_proof_is_counted_right_where_a_player_moves_several_times() {
    let (mut checked, mut long) = (0, 0);
    for seed in 0..6000 {
        let rng = &mut Rng::new(seed);
        let graph = if seed % 2 == 0 { GraphGame::random(rng) } else { mostly_forward(rng) };
        let solution = solved("df-pn", &graph);
        for proof in solution.proofs.iter().filter(|proof| proof.goal.least == Wdl::Win) {
            let strategy = proof.strategy.as_ref().expect("a small graph");
            let real = longest(&graph, 0, proof.goal.player, &moves_of(strategy), &mut HashMap::new());
            assert!(real.is_some(), "{graph:?}: {:?} does not come to an end", strategy.entries);
            assert_eq!(strategy.longest, real, "{graph:?}: {:?}", strategy.entries);
            checked += 1;
            long += u32::from(real > Some(6));
        }
    }
    assert!(checked > 2000 && long > 300, "{checked} proofs, {long} of them long");
}

#[test]
fn a_position_met_again_on_a_longer_way_counts_with_the_longer_one() {
    // The second player comes to node 3 at once, or by nodes 1 and 2.
    let graph = GraphGame::parse("2:1,3 2:2 2:3 2:4 1:5 +");
    let solution = solved("df-pn", &graph);
    assert_eq!(solution.bounds.value(), Some(Wdl::Loss));
    let strategy = solution.proofs[0].strategy.as_ref().expect("a proof");
    assert_eq!((strategy.entries.len(), strategy.longest), (1, Some(5)));
}

#[test]
fn positions_with_equal_keys_are_reported_and_no_illegal_move_is_made() {
    let (mut broken, mut written) = (0, 0);
    // In the last one a position gets the move that was chosen for another.
    for (seed, key_bits) in (0..8000).map(|seed| (seed, 1 + seed / 2 % 5)).chain([(17_969, 4)]) {
        let rng = &mut Rng::new(seed);
        let mut graph = if seed % 2 == 0 { GraphGame::random(rng) } else { mostly_forward(rng) };
        graph.key_bits = key_bits as u32;
        // Playing a move that is not there would be a panic.
        for agent in ["df-pn", "df-pn(sum=full,epsilon=0)", "minimax"] {
            for proof in solved(agent, &graph).proofs {
                match proof.strategy {
                    Ok(strategy) => {
                        written += 1;
                        let legal = |(state, m): &(GraphGame, u8)| {
                            let mut moves = Vec::new();
                            state.moves(&mut moves);
                            moves.contains(m)
                        };
                        assert!(strategy.entries.iter().all(legal), "{graph:?}: {:?}", strategy.entries);
                    }
                    Err(NotWritten::Broken) => broken += 1,
                    Err(NotWritten::Memory | NotWritten::Stopped(_)) => {}
                }
            }
        }
    }
    assert!(broken > 200 && written > 200, "{broken} broken, {written} written");
}

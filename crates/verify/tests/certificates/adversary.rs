//! Made-up certificates: random games full of circles, random claims, entries that look right.

use plyproof_core::{Game, Player, Rng, TreeGame};
use plyproof_verify::Claim;
use proptest::prelude::*;

use crate::graph_game::GraphGame;
use crate::oracle::{Entries, Graph, certificate, refused_or_true};

fn any_goal(rng: &mut Rng) -> Claim {
    match rng.below(5) {
        0 | 1 => Claim::Win,
        2 | 3 => Claim::Draw,
        _ => Claim::Margin(rng.below(5) as i32 - 2),
    }
}

fn shuffle<T>(items: &mut [T], rng: &mut Rng) {
    for at in (1..items.len()).rev() {
        items.swap(at, rng.below(at + 1));
    }
}

/// Every true claim verifies; every list of moves that proves nothing is refused, the cleverest ones included: a proof
/// of less, passed off as one of more, in any order.
fn no_claim_is_accepted_that_is_not_true<G: Game>(game: &G, rng: &mut Rng) {
    let graph = Graph::reachable(game, 10_000).expect("a small game");
    for player in [Player::FIRST, Player::SECOND] {
        for goal in [Claim::Win, Claim::Draw, Claim::Margin(rng.below(5) as i32 - 2)] {
            let proof = graph.proof(player, goal, rng);
            assert_eq!(proof.is_some(), graph.holds(player, goal));
            if let Some(entries) = &proof {
                let bytes = certificate("test", game, player, goal, entries);
                assert!(refused_or_true("test", game, &bytes), "a true claim was refused: {player} {goal}");
            }
            for _ in 0..6 {
                let mut entries =
                    proof.clone().filter(|_| rng.below(4) > 0).unwrap_or_else(|| anything(&graph, player, rng));
                shuffle(&mut entries, rng);
                entries.truncate(entries.len() - usize::from(rng.below(4) == 0 && !entries.is_empty()));
                let claim = certificate("test", game, player, any_goal(rng), &entries);
                refused_or_true("test", game, &claim);
            }
        }
    }
}

/// A random move in every position of the prover.
fn anything(graph: &Graph, player: Player, rng: &mut Rng) -> Entries {
    let own = graph.places.iter().filter(|place| place.outcome.is_none() && place.to_move == player);
    own.map(|place| (place.text.clone(), place.moves[rng.below(place.moves.len())].0.clone())).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn in_random_graphs_no_claim_is_accepted_that_is_not_true(seed: u64) {
        let mut rng = Rng::new(seed);
        no_claim_is_accepted_that_is_not_true(&GraphGame::random(&mut rng), &mut rng);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn in_random_trees_with_double_moves_no_claim_is_accepted_that_is_not_true(seed: u64) {
        let mut rng = Rng::new(seed);
        no_claim_is_accepted_that_is_not_true(&TreeGame::random(&mut rng, 6, 3, seed % 2 == 0), &mut rng);
    }
}

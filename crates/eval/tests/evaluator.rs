//! Judgements along the lines of a search are those of the positions alone.

use std::sync::Arc;

use plyproof_core::spec::{Described, Params, Spec};
use plyproof_core::{BestUse, Evaluator, Game, Rng};
use plyproof_eval::{Network, NetworkEvaluator};
use plyproof_games::connect4::{CONNECT4, Connect4};
use plyproof_games::loa::{LOA, Loa};
use plyproof_games::through::{BREAKTHROUGH, Through};

fn params(described: &Arc<Described>, spec: &str) -> Params {
    Params::resolve(described, &Spec::parse(spec).expect(spec)).expect(spec)
}

/// Goes down and up a game tree as a search does, and compares every value with that of a judge which has seen nothing else.
fn compare_along_lines<G: Game>(start: &G) {
    let mut rng = Rng::new(5);
    for hidden in [16, 64, 96] {
        let network = Arc::new(Network::random(start.feature_count(), hidden, &mut rng));
        let evaluator = NetworkEvaluator::new(start, network, "random", BestUse::Tree).expect("as many features");
        let mut judge = Evaluator::<G>::judge(&evaluator);
        let mut line = vec![start.clone()];
        for _ in 0..1000 {
            let depth = line.len() - 1;
            let position = line.last().expect("a position");
            let fresh = Evaluator::<G>::judge(&evaluator).value(position, rng.below(300));
            assert_eq!(judge.value(position, depth), fresh, "{} at depth {depth}", position.position_text());
            let mut next = position.clone();
            next.play(position.random_move(&mut rng));
            if rng.below(3) == 0 {
                line.truncate(1 + rng.below(line.len()));
            } else if next.outcome().is_none() {
                line.push(next);
            } else {
                line.truncate(1);
            }
        }
    }
}

#[test]
fn values_along_lines_are_those_of_the_positions_alone() {
    compare_along_lines(&Through::breakthrough(&params(&BREAKTHROUGH, "breakthrough(size=5x6)")));
    compare_along_lines(&Connect4::start(&params(&CONNECT4, "connect4")));
    compare_along_lines(&Loa::<u64>::start(&params(&LOA, "loa(size=6)")));
}

#[test]
fn a_network_for_another_number_of_features_is_refused() {
    let start = Through::breakthrough(&params(&BREAKTHROUGH, "breakthrough"));
    let network = Arc::new(Network::random(start.feature_count() + 1, 16, &mut Rng::new(1)));
    let error = NetworkEvaluator::new(&start, network, "wrong", BestUse::Tree).expect_err("another game");
    let count = start.feature_count();
    let said = format!("the network is for {} features, and positions of this game have {count}", count + 1);
    assert_eq!(error.to_string(), said);
}

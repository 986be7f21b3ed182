//! Games that end where a table knows the value.

mod common;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use common::made;
use plyproof_core::search::{Agent, Aim, Budget, Searcher, SolveTask};
use plyproof_core::{Game, Indexing, PLY_LIMIT, Rng};
use plyproof_games::awari::{AWARI, Endgames};
use plyproof_tables::Tabled;

#[test]
fn searches_through_a_table_find_the_values_of_a_larger_one() {
    let small = Arc::new(made::<Endgames>(&AWARI, "awari", Some(4)));
    let large = made::<Endgames>(&AWARI, "awari", Some(6));
    let (mut rng, stop) = (Rng::new(7), AtomicBool::new(false));
    for agent in ["df-pn", "pns", "pn2", "pn-mcts"] {
        let agent = Agent::parse(agent).expect(agent);
        let budget = Budget { simulations: Some(20_000), memory: Some(1 << 24), ..Budget::default() };
        let task = SolveTask { agent: &agent, aim: Aim::Value, all_moves: false, proofs: false, budget, seed: 1 };
        let mut solved = 0;
        for _ in 0..60 {
            let state = large.indexing().position(rng.below(large.values().count() as usize) as u64);
            let value = large.value(&state);
            let solution = Searcher::new().solve(&task, &Tabled::root(state, Arc::clone(&small)), &stop, &mut |_| {});
            if let Some(found) = solution.bounds.value() {
                assert_eq!(Some(found), value);
                solved += 1;
            }
        }
        // Trees without a table of their own go round in endless games until the budget ends.
        assert!(solved >= 30, "{agent}: {solved}");
    }
}

#[test]
fn a_position_in_the_table_is_finished_but_for_the_one_a_search_starts_from() {
    let table = Arc::new(made::<Endgames>(&AWARI, "awari", Some(4)));
    let mut rng = Rng::new(1);
    for index in 0..table.values().count() {
        let state = table.indexing().position(index);
        let root = Tabled::root(state.clone(), Arc::clone(&table));
        assert_eq!(root.outcome(), state.outcome());
        let mut moves = Vec::new();
        root.moves(&mut moves);
        for &m in &moves {
            let mut next = root.clone();
            next.play(m);
            let mut plain = state.clone();
            plain.play(m);
            let value = next.outcome().map(|outcome| outcome.of(next.to_move()));
            assert_eq!((value, next.key()), (table.value(&plain), plain.key()));
            assert_eq!(next.clone().playout(&mut rng, PLY_LIMIT).plies, 0);
        }
    }
    let start = Tabled::root(table.indexing().start(), Arc::clone(&table));
    assert!(start.clone().playout(&mut rng, PLY_LIMIT).plies > 20);
    assert_eq!(start.clone().playout(&mut rng, 3).plies, 3);
}

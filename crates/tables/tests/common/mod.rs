//! What the tests of tables share.
#![allow(dead_code)]

pub mod scores;
pub mod stores_decide;

use std::sync::atomic::AtomicBool;

use plyproof_core::search::{Agent, Aim, Budget, Searcher, SolveTask};
use plyproof_core::spec::{Described, Params, Spec};
use plyproof_core::{Game, Indexing, Place, Rng};
use plyproof_tables::{BuildError, Limits, Table, build};

pub fn params(described: &'static Described, spec: &str) -> Params {
    Params::resolve(described, &Spec::parse(spec).expect(spec)).expect(spec)
}

pub fn made<I: Indexing>(described: &'static Described, spec: &str, limit: Option<u32>) -> Table<I> {
    let indexing = I::new(&params(described, spec), limit).expect(spec);
    build_within(indexing, 1 << 30).expect("a table")
}

pub fn build_within<I: Indexing>(indexing: I, memory: u64) -> Result<Table<I>, BuildError> {
    build(indexing, &mut Limits { memory, stop: &AtomicBool::new(false), progress: &mut |_| {} })
}

pub fn numbers_come_back<I: Indexing>(indexing: &I) {
    let mut end = 0;
    for layer in indexing.layers() {
        assert_eq!(layer.positions.start, end, "layers follow each other");
        end = layer.positions.end;
    }
    for index in 0..end {
        let position = indexing.position(index);
        assert_eq!(indexing.place(&position), Place::At(index), "{}", position.position_text());
    }
}

/// How many of so many random positions of the table have the value that df-pn finds.
pub fn agree<I: Indexing>(table: &Table<I>, sample: usize) -> usize {
    let (mut rng, mut searcher) = (Rng::new(1), Searcher::new());
    let agent = Agent::parse("df-pn").expect("an agent");
    let budget = Budget { memory: Some(1 << 20), ..Budget::default() };
    let task = SolveTask { agent: &agent, aim: Aim::Value, all_moves: false, proofs: false, budget, seed: 1 };
    let same = |_: &usize| {
        let index = rng.below(table.values().count() as usize) as u64;
        let solution = searcher.solve(&task, &table.indexing().position(index), &AtomicBool::new(false), &mut |_| {});
        solution.bounds.value() == table.values().at(index)
    };
    (0..sample).filter(same).count()
}

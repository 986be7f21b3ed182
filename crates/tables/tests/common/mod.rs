//! What the tests of tables share.
#![allow(dead_code)]

pub mod scores;
pub mod stores_decide;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use plyproof_core::search::{Agent, Aim, Budget, Searcher, SolveTask};
use plyproof_core::spec::{Described, Params, Spec};
use plyproof_core::{Game, Indexing, Place, Rng, Wdl};
use plyproof_tables::{BuildError, Limits, Table, build};

pub fn params(described: &Arc<Described>, spec: &str) -> Params {
    Params::resolve(described, &Spec::parse(spec).expect(spec)).expect(spec)
}

pub fn made<I: Indexing>(described: &Arc<Described>, spec: &str, limit: Option<u32>) -> Table<I> {
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

/// How many of so many random positions of the table have the value that the agent finds.
pub fn agree<I: Indexing>(table: &Table<I>, agent: &str, sample: usize) -> usize {
    let (mut rng, mut searcher) = (Rng::new(1), Searcher::new());
    let agent = Agent::parse(agent).expect("an agent");
    let budget = Budget { memory: Some(1 << 23), ..Budget::default() };
    let task = SolveTask { agent: &agent, aim: Aim::Value, all_moves: false, proofs: false, budget, seed: 1 };
    let same = |_: &usize| {
        let index = rng.below(table.values().count() as usize) as u64;
        let solution = searcher.solve(&task, &table.indexing().position(index), &AtomicBool::new(false), &mut |_| {});
        solution.bounds.value() == table.values().at(index)
    };
    (0..sample).filter(same).count()
}

/// Searches random positions of the table and holds what is said of them and of their moves against it: how many were
/// decided, and how many drawn among these.
pub fn play_is_right<I: Indexing>(table: &Table<I>, agent: &str, simulations: u64, sample: usize) -> (usize, usize) {
    let (mut rng, mut searcher) = (Rng::new(2), Searcher::new());
    let agent = Agent::parse(agent).expect("an agent");
    let budget = Budget { memory: Some(1 << 23), ..Budget::simulations(simulations) };
    let (mut decided, mut drawn) = (0, 0);
    for _ in 0..sample {
        let position = table.indexing().position(rng.below(table.values().count() as usize) as u64);
        let text = position.position_text();
        let report = searcher.run(&agent, &position, &budget, 1);
        let Some(value) = table.value(&position).filter(|_| position.outcome().is_none()) else { continue };
        assert!(report.bounds.least <= value && value <= report.bounds.most, "{text}: {value:?}, {:?}", report.bounds);
        let of_move = |m| {
            let mut next = position.clone();
            next.play(m);
            let ended = next.outcome().map(|outcome| outcome.of(position.to_move()));
            ended.or(table.value(&next).map(Wdl::flip)).expect("a move does not leave the table")
        };
        for told in &report.moves {
            let value = of_move(told.m);
            assert!(told.bounds.least <= value && value <= told.bounds.most, "{text}: {value:?}, {told:?}");
        }
        if report.bounds.value().is_some() {
            decided += 1;
            drawn += usize::from(value == Wdl::Draw);
            assert_eq!(report.best.map(of_move), Some(value), "{text}: the move gives the value away");
        }
    }
    (decided, drawn)
}

//! The tables of one game behind one type, as `AnyGame` is for games.

use std::fs::File;
use std::io::{self, BufReader, Write};
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use plyproof_core::search::{Aim, Budget, Searcher, SolveTask};
use plyproof_core::spec::Params;
use plyproof_core::{Game, Indexing, Rng, TextError, Wdl};
use plyproof_tables::{Counts, Limits, Named, Table, Tabled, build, reachable};

use super::{Check, Checked, Contents, TableError};
use crate::any_game::{AnyGame, erase};

/// The tables of one game.
pub(crate) trait TableFamily: Send + Sync {
    /// Whether there can be a table with these parameters.
    fn possible(&self, params: &Params, limit: Option<u32>) -> Result<(), TextError>;

    fn make(
        &self,
        params: &Params,
        named: &Named,
        limits: &mut Limits<'_>,
    ) -> Result<(Contents, Box<dyn AnyTable>), TableError>;

    fn contents(
        &self,
        params: &Params,
        named: &Named,
        source: BufReader<File>,
        stop: &AtomicBool,
    ) -> Result<Contents, TableError>;

    fn check(
        &self,
        params: &Params,
        named: &Named,
        source: BufReader<File>,
        check: &mut Check<'_>,
    ) -> Result<Checked, TableError>;

    fn attach(
        &self,
        game: &dyn AnyGame,
        named: &Named,
        source: BufReader<File>,
    ) -> Result<Box<dyn AnyGame>, TableError>;
}

/// A table that can be written.
pub(crate) trait AnyTable {
    fn write(&self, named: &Named, to: &mut dyn Write) -> io::Result<()>;
}

impl<I: Indexing> AnyTable for Table<I> {
    fn write(&self, named: &Named, to: &mut dyn Write) -> io::Result<()> {
        Table::write(self, named, to)
    }
}

/// Tables over the numbering `I`.
pub(crate) struct Indexed<I>(PhantomData<fn() -> I>);

impl<I: Indexing> Indexed<I> {
    pub(crate) fn new() -> Self {
        Self(PhantomData)
    }
}

impl<I: Indexing> TableFamily for Indexed<I> {
    fn possible(&self, params: &Params, limit: Option<u32>) -> Result<(), TextError> {
        I::new(params, limit).map(|_| ())
    }

    fn make(
        &self,
        params: &Params,
        named: &Named,
        limits: &mut Limits<'_>,
    ) -> Result<(Contents, Box<dyn AnyTable>), TableError> {
        let table = build(I::new(params, named.limit).map_err(TableError::Misused)?, limits)?;
        Ok((contents(&table, named, limits.stop)?, Box::new(table)))
    }

    fn contents(
        &self,
        params: &Params,
        named: &Named,
        source: BufReader<File>,
        stop: &AtomicBool,
    ) -> Result<Contents, TableError> {
        contents(&read::<I>(params, named, source)?, named, stop)
    }

    fn check(
        &self,
        params: &Params,
        named: &Named,
        source: BufReader<File>,
        check: &mut Check<'_>,
    ) -> Result<Checked, TableError> {
        check_sample(&read::<I>(params, named, source)?, check)
    }

    fn attach(
        &self,
        game: &dyn AnyGame,
        named: &Named,
        source: BufReader<File>,
    ) -> Result<Box<dyn AnyGame>, TableError> {
        let table = read::<I>(game.params(), named, source)?;
        let state = table.indexing().start().parse_position(&game.position_text()).map_err(TableError::Misused)?;
        Ok(erase(game.params().clone(), game.rules().clone(), Tabled::root(state, Arc::new(table))))
    }
}

fn read<I: Indexing>(params: &Params, named: &Named, source: BufReader<File>) -> Result<Table<I>, TableError> {
    let indexing = I::new(params, named.limit).map_err(TableError::Misused)?;
    Table::read(indexing, named, source).map_err(|error| TableError::Failed(error.to_string()))
}

fn contents<I: Indexing>(table: &Table<I>, named: &Named, stop: &AtomicBool) -> Result<Contents, TableError> {
    let start = table.value(&table.indexing().start()).map(Wdl::word);
    let reached = reachable(table.indexing(), stop);
    if stop.load(Ordering::Relaxed) {
        return Err(TableError::Stopped);
    }
    let reachable = reached.map(|reached| {
        let mut counts = Counts::default();
        let open = |index: u64| table.indexing().position(index).outcome().is_none();
        let values = reached.iter().zip(0..).filter(|&(&reached, index)| reached && open(index));
        values.filter_map(|(_, index)| table.values().at(index)).for_each(|value| counts.add(value));
        counts
    });
    Ok(Contents {
        game: named.game.clone(),
        rules: named.rules,
        limit: named.limit,
        positions: table.values().count(),
        counts: table.counts(),
        reachable,
        start,
    })
}

/// A number below `n`, each with the same chance: [`Rng::below`] for numbers that need not fit into a `usize`.
fn below(rng: &mut Rng, n: u64) -> u64 {
    ((u128::from(rng.next_u64()) * u128::from(n)) >> 64) as u64
}

/// Draws positions until the sample is full. Finished ones are not asked about: they have no search to agree with.
fn check_sample<I: Indexing>(table: &Table<I>, check: &mut Check<'_>) -> Result<Checked, TableError> {
    let (mut rng, mut searcher) = (Rng::new(check.seed), Searcher::new());
    let budget = Budget { memory: Some(check.memory), simulations: check.nodes, ..Budget::default() };
    let task =
        SolveTask { agent: check.agent, aim: Aim::Value, all_moves: false, proofs: false, budget, seed: check.seed };
    let mut checked = Checked::default();
    let mut draws = check.sample.saturating_mul(1000);
    while checked.sample < check.sample && draws > 0 {
        draws -= 1;
        let index = below(&mut rng, table.values().count());
        let position = table.indexing().position(index);
        let Some(value) = table.values().at(index).filter(|_| position.outcome().is_none()) else { continue };
        let solution = searcher.solve(&task, &position, check.stop, &mut |_| {});
        if check.stop.load(Ordering::Relaxed) {
            return Err(TableError::Stopped);
        }
        checked.sample += 1;
        checked.nodes += solution.nodes;
        checked.counts.add(value);
        match solution.bounds.value() {
            Some(found) if found == value => checked.agreed += 1,
            // What is known so far must not contradict the table either.
            None if (solution.bounds.least..=solution.bounds.most).contains(&value) => checked.undecided += 1,
            found => {
                checked.differed += 1;
                let found = found.map_or("something else".to_string(), |found| found.to_string());
                let text = || format!("{}: the table says {value}, the solver {found}", position.position_text());
                checked.first.get_or_insert_with(text);
            }
        }
        (check.progress)(checked.sample);
    }
    Ok(checked)
}

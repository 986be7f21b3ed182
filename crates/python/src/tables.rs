//! Endgame tables, and the puzzles that come with plyproof.

use std::path::PathBuf;

use plyproof_engine::tables::{self, Limits, TableError};
use plyproof_engine::{Registry, default_memory};
use plyproof_lab::puzzles::PuzzleSet;
use pyo3::prelude::*;

use crate::arguments;
use crate::errors::{file_error, json, unlocked, value_error};
use crate::game::Game;
use crate::interrupt::{Interrupt, Watch};
use crate::solve::{counted, stopped};

/// Why there is no table.
pub(crate) fn table_error(error: TableError) -> PyErr {
    match error {
        TableError::Misused(error) => value_error(error),
        TableError::Failed(error) => file_error(error),
        TableError::Stopped => stopped("the table"),
    }
}

/// Makes an endgame table in a file; returns its contents as JSON.
#[pyfunction]
pub(crate) fn make_table(
    py: Python<'_>,
    game: &str,
    path: PathBuf,
    limit: Option<u32>,
    memory: Option<&Bound<'_, PyAny>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let memory = memory.map_or_else(|| Ok(default_memory()), |memory| arguments::size("memory", memory))?;
    let interrupt = Interrupt::new(progress);
    let (made, raised) = unlocked(py, &[], || {
        let mut watch: Watch<'_> = interrupt.watch();
        let mut told = |progress: tables::Progress| watch.tell(|py| counted(py, progress.done, progress.positions));
        let mut limits = Limits { memory, stop: &interrupt.stop, progress: &mut told };
        let made = tables::make(&Registry::builtin(), game, limit, &path, &mut limits);
        (made, watch.raised)
    })?;
    json(&made.map_err(|error| raised.unwrap_or_else(|| table_error(error)))?)
}

/// What is in the endgame table in a file, as JSON; all of it is checked.
#[pyfunction]
pub(crate) fn table_contents(py: Python<'_>, path: PathBuf) -> PyResult<String> {
    let interrupt = Interrupt::new(None);
    let found = unlocked(py, &[], || tables::contents(&Registry::builtin(), &path, &interrupt.stop))?;
    json(&found.map_err(table_error)?)
}

/// The position of a puzzle, the winning move, and the positions that a solver expanded.
type Puzzle = (String, String, u64);

/// The puzzles that come with plyproof for a game, or those in the text of a file: the game, and for each puzzle its
/// position, the winning move and the positions that a solver expanded.
#[pyfunction]
#[pyo3(signature = (game=None, text=None))]
pub(crate) fn puzzles(game: Option<&Bound<'_, PyAny>>, text: Option<&str>) -> PyResult<(String, Vec<Puzzle>)> {
    let registry = Registry::builtin();
    let set = match (game, text) {
        (_, Some(text)) => PuzzleSet::parse(&registry, text).map_err(value_error)?,
        (Some(game), None) => PuzzleSet::built_in(&registry, &*Game::of(game)?.start).map_err(value_error)?,
        (None, None) => return Err(value_error("give a game, or the text of a file of puzzles")),
    };
    let found = set.puzzles.into_iter().map(|puzzle| (puzzle.position, puzzle.best, puzzle.nodes));
    Ok((set.start.name(), found.collect()))
}

//! Matches, tournaments and sweeps, and records of matches.

use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, mpsc::Sender};
use std::thread;
use std::time::Duration;

use plyproof_engine::{Budget, Registry};
use plyproof_lab::matches::record::Reader;
use plyproof_lab::matches::{Book, GameClock, MatchError, MatchPlan, Side, TournamentPlan, run_each, run_tournament};
use plyproof_lab::sweep::{self, Mode, Options, Sweep, SweepError, SweepPlan};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::arguments;
use crate::errors::{file_error, json, unlocked, value_error};
use crate::game::{Inner, Slot, given, registry};
use crate::interrupt::Interrupt;
use crate::players;

/// How often the thread that was called looks at signals.
const LOOK: Duration = Duration::from_millis(50);

/// A side as Python gives it: a player, and the limits of a move.
#[derive(FromPyObject)]
pub(crate) struct GivenSide<'py> {
    player: Bound<'py, PyAny>,
    sims: Option<Bound<'py, PyAny>>,
    time: Option<Bound<'py, PyAny>>,
    memory: Option<Bound<'py, PyAny>>,
    clock: Option<(f64, f64)>,
}

/// What the matches of a tournament share with a single match.
#[derive(FromPyObject)]
pub(crate) struct Terms<'py> {
    games: Bound<'py, PyAny>,
    seed: Option<Bound<'py, PyAny>>,
    openings: Bound<'py, PyAny>,
    book: Option<String>,
    max_plies: Bound<'py, PyAny>,
    adjudicate: bool,
    jobs: Bound<'py, PyAny>,
}

fn refused(error: MatchError) -> PyErr {
    match error {
        MatchError::Plan(why) => value_error(why),
        MatchError::Record(why) => file_error(why),
        MatchError::System(why) => PyRuntimeError::new_err(why),
    }
}

impl GivenSide<'_> {
    fn side(&self, game: &Arc<Inner>, raised: &Arc<Slot>) -> PyResult<Side> {
        let given = arguments::budget(self.sims.as_ref(), self.time.as_ref(), None, None)?;
        let memory = self.memory.as_ref().map(|memory| arguments::size("memory", memory)).transpose()?;
        let memory = memory.map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX));
        let budget = Budget { simulations: given.simulations, time: given.time, memory, ..Budget::default() };
        let seconds = |seconds: f64| {
            let fits = (0.0..=1e6).contains(&seconds);
            fits.then(|| Duration::from_secs_f64(seconds))
                .ok_or_else(|| value_error("a clock has two numbers of seconds"))
        };
        let clock = match self.clock {
            None => None,
            Some((base, _)) if base <= 0.0 => return Err(value_error("a clock starts with more than 0 seconds")),
            Some((base, increment)) => Some(GameClock { base: seconds(base)?, increment: seconds(increment)? }),
        };
        Ok(Side { clock, ..Side::new(players::source(game, &self.player, raised)?, budget) })
    }
}

/// Runs `work` on a thread of its own, while this one, to which Python speaks, hears of signals and tells of progress.
fn watched<T: Send, P: Send>(
    interrupt: &Interrupt,
    work: impl FnOnce(Sender<P>) -> T + Send,
    told: impl Fn(Python<'_>, P) -> PyResult<Py<PyAny>>,
) -> (Option<T>, Option<PyErr>) {
    thread::scope(|scope| {
        let (sender, receiver) = channel();
        let worker = thread::Builder::new().spawn_scoped(scope, move || work(sender));
        let Ok(worker) = worker else { return (None, Some(PyRuntimeError::new_err("the system has no thread"))) };
        let mut watch = interrupt.watch();
        loop {
            match receiver.recv_timeout(LOOK) {
                Ok(progress) => watch.tell(|py| told(py, progress)),
                Err(RecvTimeoutError::Timeout) => watch.look(),
                Err(RecvTimeoutError::Disconnected) => break,
            }
            watch.look();
        }
        match worker.join() {
            Ok(done) => (Some(done), watch.raised),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

fn text(py: Python<'_>, json: String) -> PyResult<Py<PyAny>> {
    Ok(PyString::new(py, &json).into_any().unbind())
}

/// Two Elo differences.
type Sprt = Option<(f64, f64)>;

/// Plays a match; returns its summary and its games, as JSON. `progress` is called with summaries as JSON.
#[pyfunction]
#[pyo3(signature = (game, a, b, terms, sprt, record, progress))]
pub(crate) fn play_match<'py>(
    game: &Bound<'py, PyAny>,
    a: GivenSide<'py>,
    b: GivenSide<'py>,
    terms: Terms<'py>,
    sprt: Sprt,
    record: Option<PathBuf>,
    progress: Option<Py<PyAny>>,
) -> PyResult<(String, Vec<String>)> {
    let (py, raised) = (game.py(), Arc::new(Slot::default()));
    let start = crate::position::Position::of(game)?;
    let (inner, state) = (&start.get().game, &start.get().state);
    let jobs = arguments::count("jobs", &terms.jobs, 0, 1024)? as usize;
    let mut plan = MatchPlan::new(state.clone_box(), a.side(inner, &raised)?, b.side(inner, &raised)?);
    plan.games = arguments::count("games", &terms.games, 1, MatchPlan::MOST_GAMES.into())? as u32;
    plan.seed = arguments::seed(terms.seed.as_ref())?;
    plan.openings = arguments::count("openings", &terms.openings, 0, MatchPlan::MOST_OPENING_PLIES.into())? as u32;
    plan.max_plies = arguments::count("max_plies", &terms.max_plies, 1, 1_000_000)? as u32;
    (plan.sprt, plan.adjudicate) = (sprt, terms.adjudicate);
    plan.book = book(&terms, &**state)?;
    let own = state.position_text();
    plan.position = (own != inner.start.position_text()).then_some(own);
    let plan = plan.check().map_err(refused)?;
    let interrupt = Interrupt::new(progress);
    let (played, broke_off) = unlocked(py, &[&inner.raised, &raised], || {
        let work = |sender: Sender<String>| {
            let mut games = Vec::new();
            let mut told = |summary: &plyproof_lab::matches::Summary| {
                if let Ok(json) = serde_json::to_string(summary) {
                    let _ = sender.send(json);
                }
            };
            let summary = run_each(&plan, jobs, record.as_deref(), &interrupt.stop, &mut told, &mut |game| {
                games.push(game.clone());
                // A game of Python that fails once fails again.
                if inner.raised.is_filled() {
                    interrupt.stop.store(true, Ordering::Relaxed);
                }
            });
            games.sort_by_key(|game| (game.pair, game.game));
            (summary, games)
        };
        watched(&interrupt, work, text)
    })?;
    if let Some(error) = broke_off.or_else(|| inner.raised.take()).or_else(|| raised.take()) {
        return Err(error);
    }
    let Some((summary, games)) = played else { return Err(PyRuntimeError::new_err("no game was played")) };
    Ok((json(&summary.map_err(refused)?)?, games.iter().map(json).collect::<PyResult<_>>()?))
}

fn book(terms: &Terms<'_>, start: &dyn plyproof_engine::AnyGame) -> PyResult<Option<Arc<Book>>> {
    let book = terms.book.as_ref().map(|text| Book::parse(text, start).map(Arc::new));
    book.transpose().map_err(|why| value_error(format!("book: {why}")))
}

/// Plays a tournament; returns its standings as JSON. `progress` is called with the summary of the match in play.
#[pyfunction]
#[pyo3(signature = (game, sides, gauntlet, terms, folder, progress))]
pub(crate) fn play_tournament<'py>(
    game: &Bound<'py, PyAny>,
    sides: Vec<GivenSide<'py>>,
    gauntlet: bool,
    terms: Terms<'py>,
    folder: Option<PathBuf>,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let (py, raised) = (game.py(), Arc::new(Slot::default()));
    let start = crate::position::Position::of(game)?;
    let (inner, state) = (&start.get().game, &start.get().state);
    let jobs = arguments::count("jobs", &terms.jobs, 0, 1024)? as usize;
    let own = state.position_text();
    let plan = TournamentPlan {
        game: state.clone_box(),
        sides: sides.iter().map(|side| side.side(inner, &raised)).collect::<PyResult<_>>()?,
        gauntlet,
        games: arguments::count("games", &terms.games, 1, MatchPlan::MOST_GAMES.into())? as u32,
        seed: arguments::seed(terms.seed.as_ref())?,
        openings: arguments::count("openings", &terms.openings, 0, MatchPlan::MOST_OPENING_PLIES.into())? as u32,
        max_plies: arguments::count("max_plies", &terms.max_plies, 1, 1_000_000)? as u32,
        book: book(&terms, &**state)?,
        position: (own != inner.start.position_text()).then_some(own),
        adjudicate: terms.adjudicate,
    };
    let interrupt = Interrupt::new(progress);
    let (played, broke_off) = unlocked(py, &[&inner.raised, &raised], || {
        let work = |sender: Sender<(usize, usize, String)>| {
            run_tournament(&plan, jobs, folder.as_deref(), &interrupt.stop, &mut |round| {
                if let Ok(json) = serde_json::to_string(round.summary) {
                    let _ = sender.send((round.number, round.of, json));
                }
            })
        };
        watched(&interrupt, work, |py, told: (usize, usize, String)| Ok(told.into_pyobject(py)?.into_any().unbind()))
    })?;
    if let Some(error) = broke_off.or_else(|| inner.raised.take()).or_else(|| raised.take()) {
        return Err(error);
    }
    let Some(standings) = played else { return Err(PyRuntimeError::new_err("no game was played")) };
    json(&standings.map_err(refused)?)
}

/// Plays the sweep of a plan in a folder; returns its results as JSON. `progress` is called with the place of the cell, the
/// number of cells, the seconds left, the name of the cell and its summary as JSON.
#[pyfunction]
#[pyo3(signature = (text, file, folder, games_of_cells, scale, time_mode, jobs, games, progress))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn play_sweep(
    py: Python<'_>,
    text: &str,
    file: &str,
    folder: PathBuf,
    games_of_cells: Option<u32>,
    scale: f64,
    time_mode: bool,
    jobs: &Bound<'_, PyAny>,
    games: Vec<Bound<'_, PyAny>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let jobs = arguments::count("jobs", jobs, 0, 1024)? as usize;
    if !(1e-6..=1e6).contains(&scale) {
        return Err(value_error("scale has to be a number from 1e-6 to 1e6"));
    }
    if games_of_cells == Some(0) {
        return Err(value_error("a cell has at least 1 game"));
    }
    let (classes, texts) = given(&games)?;
    let raised = Arc::new(Slot::default());
    let registry: Registry = registry(py, &classes, &texts, &raised)?;
    let mode = if time_mode { Mode::Time } else { Mode::Paper };
    let options = Options { mode, games: games_of_cells, scale };
    let plan = SweepPlan::parse(&registry, file, text, &options).map_err(value_error)?;
    let interrupt = Interrupt::new(progress);
    let (played, broke_off) = unlocked(py, &[&raised], || {
        let work = |sender: Sender<(usize, usize, f64, String, String)>| {
            let mut sweep = Sweep::open(plan, options, &folder)?;
            let estimate = sweep.estimate(jobs, &interrupt.stop);
            let mut told = |progress: sweep::Progress<'_>| {
                if let Ok(json) = serde_json::to_string(progress.summary) {
                    let id = progress.cell.id.clone();
                    let _ = sender.send((progress.index, progress.cells, progress.seconds_left, id, json));
                }
            };
            sweep.run(jobs, &estimate, &interrupt.stop, &mut told, &sweep::markdown)
        };
        type Told = (usize, usize, f64, String, String);
        watched(&interrupt, work, |py, told: Told| Ok(told.into_pyobject(py)?.into_any().unbind()))
    })?;
    if let Some(error) = broke_off.or_else(|| raised.take()) {
        return Err(error);
    }
    let Some(results) = played else { return Err(PyRuntimeError::new_err("no game was played")) };
    json(&results.map_err(|error| match error {
        SweepError::Match(_, MatchError::Plan(_)) => value_error(error),
        SweepError::Match(..) | SweepError::File(_) => file_error(error),
    })?)
}

/// The record of a match: its header, its games, both as JSON, and whether its last line is cut off.
#[pyfunction]
pub(crate) fn read_record(py: Python<'_>, path: PathBuf) -> PyResult<(String, Vec<String>, bool)> {
    let read = unlocked(py, &[], || -> Result<_, MatchError> {
        let mut reader = Reader::open(&path)?;
        let header = serde_json::to_string(&reader.header().config);
        let mut games = Vec::new();
        while let Some(game) = reader.next_game()? {
            games.push(serde_json::to_string(&game));
        }
        Ok((header, games, reader.torn()))
    })?;
    let (header, games, torn) = read.map_err(refused)?;
    let games: Result<Vec<String>, _> = games.into_iter().collect();
    Ok((header.map_err(value_error)?, games.map_err(value_error)?, torn))
}

//! Pieces of work for many machines: parts of sweeps, and the jobs of a proof. What goes from one machine to another is
//! text; who carries it is up to Python.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use plyproof_engine::jobs::{AnyCoordinator, AnyJobSolver, JobText, ResultText, open_checkpoint};
use plyproof_engine::{Aim, Budget, JobSettings, Merged, ProofHead, Registry, Wdl, certificate, default_memory};
use plyproof_lab::matches::{MatchError, Part};
use plyproof_lab::sweep::{self, Mode, Options, PartedSweep, SweepError, SweepPlan};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arguments;
use crate::bonus::leaves;
use crate::errors::{file_error, json, unlocked, value_error};
use crate::game::Slot;
use crate::interrupt::Interrupt;
use crate::position::Position;
use crate::solve::numbered;

/// A plan and what is changed about it: its text, the name of its file, games of each cell, the factor of budgets, and
/// whether times are meant as seconds.
type Given = (String, String, Option<u32>, f64, bool);

fn parted(given: &Given, folder: &Path) -> PyResult<(PartedSweep, Options)> {
    let (text, file, games, scale, time) = given;
    if !(1e-6..=1e6).contains(scale) {
        return Err(value_error("scale has to be a number from 1e-6 to 1e6"));
    }
    if *games == Some(0) {
        return Err(value_error("a cell has at least 1 game"));
    }
    let options = Options { mode: if *time { Mode::Time } else { Mode::Paper }, games: *games, scale: *scale };
    let plan = SweepPlan::parse(&Registry::builtin(), file, text, &options).map_err(value_error)?;
    Ok((PartedSweep::new(plan, folder), options))
}

fn refused(error: SweepError) -> PyErr {
    match error {
        SweepError::Match(_, MatchError::Plan(_)) => value_error(error),
        SweepError::Match(..) | SweepError::File(_) => file_error(error),
    }
}

/// Plays part `number` of `of` in a folder; returns the games played now, those there were before, and those left.
#[pyfunction]
pub(crate) fn play_part(
    py: Python<'_>,
    plan: Given,
    folder: PathBuf,
    part: (u32, u32),
    round: u32,
    jobs: usize,
) -> PyResult<(u64, u64, u64)> {
    let part = Part::parse(&format!("{}/{}", part.0, part.1)).map_err(value_error)?;
    let (sweep, _) = parted(&plan, &folder)?;
    let interrupt = Interrupt::new(None);
    let (done, raised) = unlocked(py, &[], || {
        let mut watch = interrupt.watch();
        let done = sweep.play(part, round, jobs, &interrupt.stop, &mut |_| watch.look());
        (done, watch.raised)
    })?;
    if let Some(error) = raised {
        return Err(error);
    }
    let done = done.map_err(refused)?;
    Ok((done.played, done.resumed, done.left))
}

/// Merges the records of the parts in a folder and writes the results. Returns the results as JSON, the games left, the
/// games that this added, and the parts of `of` that have something to play.
#[pyfunction]
pub(crate) fn collect_parts(
    py: Python<'_>,
    plan: Given,
    folder: PathBuf,
    of: u32,
) -> PyResult<(String, u64, u64, Vec<u32>)> {
    let of = Part::parse(&format!("1/{of}")).map_err(value_error)?.of;
    let (sweep, options) = parted(&plan, &folder)?;
    let collected = unlocked(py, &[], || sweep.collect(options, Some(of), &sweep::markdown))?.map_err(refused)?;
    Ok((json(&collected.results)?, collected.state.left(), collected.new, collected.state.open_parts()))
}

/// Whoever holds a lock when something fails leaves nothing half done that matters here.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The coordinator of a proof by jobs.
#[pyclass(frozen, module = "plyproof._native")]
pub(crate) struct JobCoordinator {
    inner: Mutex<Box<dyn AnyCoordinator>>,
    position: Py<Position>,
    raised: Arc<Slot>,
    /// Seconds that were taken before the checkpoint it began from.
    #[pyo3(get)]
    seconds: f64,
}

impl JobCoordinator {
    fn with<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&mut dyn AnyCoordinator) -> T + Send) -> PyResult<T> {
        unlocked(py, &[&*self.raised], || work(&mut **locked(&self.inner)))
    }
}

#[pymethods]
impl JobCoordinator {
    /// `smallest` and `largest` limit the nodes of a job; a checkpoint that is there is gone on with.
    #[new]
    fn new(
        position: &Bound<'_, PyAny>,
        goal: &str,
        smallest: u64,
        largest: u64,
        checkpoint: Option<PathBuf>,
    ) -> PyResult<Self> {
        let held = Position::of(position)?;
        let (state, raised) = (&held.get().state, Arc::clone(&held.get().game.raised));
        let aim = Aim::ALL.into_iter().find(|aim| aim.word() == goal && *aim != Aim::Score);
        let aim = aim.ok_or_else(|| value_error("goal is one of value, win and draw"))?;
        if smallest == 0 || largest < smallest {
            return Err(value_error("a job has at least 1 node, and at most as many as the largest"));
        }
        let settings = JobSettings { smallest, largest, ..JobSettings::default() };
        let found = match &checkpoint {
            Some(path) => open_checkpoint(path, &**state, aim)
                .map_err(|error| file_error(format!("{}: {error}", path.display())))?,
            None => None,
        };
        let saved = found.as_ref().map(|found| found.state.as_slice());
        let inner = Mutex::new(state.coordinator(aim, settings, saved).map_err(value_error)?);
        let seconds = found.as_ref().map_or(0.0, |found| found.head.seconds);
        Ok(Self { inner, position: held.unbind(), raised, seconds })
    }

    /// The next job for a worker as JSON; `None` before another result comes. `place` stands for the worker and its table.
    fn next_job(&self, py: Python<'_>, place: usize) -> PyResult<Option<String>> {
        self.with(py, |inner| inner.next_job(place))?.map(|job| json(&job)).transpose()
    }

    /// Takes up a result; says whether it was `"used"`, `"stale"` or `"refused"`.
    fn merge(&self, py: Python<'_>, result: &str) -> PyResult<&'static str> {
        let result: ResultText =
            serde_json::from_str(result).map_err(|error| value_error(format!("not the result of a job: {error}")))?;
        Ok(match self.with(py, |inner| inner.merge(&result))? {
            Merged::Used => "used",
            Merged::Stale => "stale",
            Merged::Refused => "refused",
        })
    }

    fn lose(&self, py: Python<'_>, id: u64) -> PyResult<()> {
        self.with(py, |inner| inner.lose(id))
    }

    fn take_cancelled(&self, py: Python<'_>) -> PyResult<Vec<u64>> {
        self.with(py, |inner| inner.take_cancelled())
    }

    fn set_workers(&self, py: Python<'_>, workers: usize) -> PyResult<()> {
        self.with(py, |inner| inner.set_workers(workers))
    }

    #[getter]
    fn is_done(&self, py: Python<'_>) -> PyResult<bool> {
        self.with(py, |inner| inner.is_done())
    }

    /// What was counted, and the numbers of the position.
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let standing =
            self.with(py, |inner| (inner.counts(), inner.numbers(), inner.flying(), inner.bytes(), inner.bounds()))?;
        let (counts, numbers, flying, bytes, bounds) = standing;
        let told = PyDict::new(py);
        told.set_item("done", counts.done)?;
        told.set_item("stale", counts.stale)?;
        told.set_item("lost", counts.lost)?;
        told.set_item("refused", counts.refused)?;
        told.set_item("retried", counts.retried)?;
        told.set_item("nodes", counts.nodes)?;
        told.set_item("positions", counts.positions)?;
        told.set_item("shared", counts.shared)?;
        told.set_item("restarts", counts.restarts)?;
        told.set_item("flying", flying)?;
        told.set_item("bytes", bytes)?;
        told.set_item("value", bounds.value().map(Wdl::word))?;
        told.set_item("player", numbers.map(|(player, _)| player))?;
        told.set_item("numbers", numbers.map(|(_, numbers)| (leaves(numbers.pn), leaves(numbers.dpn))))?;
        Ok(told)
    }

    /// Writes the state into a file, which is there in full or not at all.
    fn checkpoint(&self, py: Python<'_>, path: PathBuf, seconds: f64) -> PyResult<u64> {
        let elapsed = Duration::try_from_secs_f64(seconds).unwrap_or_default();
        let written = self.with(py, |inner| inner.checkpoint(&path, elapsed))?;
        written.map_err(|error| file_error(format!("{}: {error}", path.display())))
    }

    /// The position, the solution as JSON, and the certificates written.
    fn solution(
        &self,
        py: Python<'_>,
        certificate: Option<PathBuf>,
        memory: Option<&Bound<'_, PyAny>>,
        seconds: f64,
    ) -> PyResult<(Py<Position>, String, Vec<String>)> {
        let memory = memory.map(|memory| arguments::size("memory", memory)).transpose()?;
        let memory = usize::try_from(memory.unwrap_or_else(default_memory)).unwrap_or(usize::MAX);
        let budget = Budget { memory: Some(memory), ..Budget::default() };
        let elapsed = Duration::try_from_secs_f64(seconds).unwrap_or_default();
        let position = self.position.get();
        let (solution, written) = self.with(py, |inner| {
            let mut written = Vec::new();
            let mut sink = |claim: &ProofHead, lines: &mut dyn Iterator<Item = (String, String)>| {
                let Some(path) = &certificate else { return Ok(()) };
                let path = numbered(path, written.len());
                let done = certificate::write(&path, &*position.state, claim, lines);
                done.map_err(|error| format!("{}: {error}", path.display()))?;
                written.push(path.display().to_string());
                Ok(())
            };
            let stop = AtomicBool::new(false);
            let solution = inner.solution(certificate.is_some(), &budget, elapsed, &stop, &mut sink);
            (solution, written)
        })?;
        if let Some(error) = solution.proofs.iter().find_map(|proof| proof.error.as_ref()) {
            return Err(file_error(format!("the certificate was not written: {error}")));
        }
        Ok((self.position.clone_ref(py), json(&solution)?, written))
    }
}

/// A worker for the jobs of one game, which keeps its table from one job to the next.
#[pyclass(frozen, module = "plyproof._native")]
pub(crate) struct JobWorker {
    inner: Mutex<Box<dyn AnyJobSolver>>,
    raised: Slot,
    stop: AtomicBool,
    /// The job in work.
    current: Mutex<Option<u64>>,
}

#[pymethods]
impl JobWorker {
    /// A game that comes with plyproof, by name; other games would be code.
    #[new]
    fn new(game: &str, memory: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let memory = memory.map(|memory| arguments::size("memory", memory)).transpose()?;
        let memory = usize::try_from(memory.unwrap_or_else(default_memory)).unwrap_or(usize::MAX);
        let game = Registry::builtin().open(game).map_err(value_error)?;
        let inner = Mutex::new(game.job_solver(memory));
        Ok(Self { inner, raised: Slot::default(), stop: AtomicBool::new(false), current: Mutex::new(None) })
    }

    /// Does a job, given and answered as JSON.
    fn solve(&self, py: Python<'_>, job: &str) -> PyResult<String> {
        let job: JobText = serde_json::from_str(job).map_err(|error| value_error(format!("not a job: {error}")))?;
        let solved = unlocked(py, &[&self.raised], || {
            let mut solver = locked(&self.inner);
            {
                let mut current = locked(&self.current);
                *current = Some(job.id);
                self.stop.store(false, Ordering::Relaxed);
            }
            let solved = solver.solve(&job, &self.stop);
            *locked(&self.current) = None;
            solved
        })?;
        json(&solved.map_err(value_error)?)
    }

    /// Ends a job early, if it is the one in work. Its result, with what is known so far, comes all the same.
    fn cancel(&self, id: u64) {
        let current = locked(&self.current);
        if *current == Some(id) {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

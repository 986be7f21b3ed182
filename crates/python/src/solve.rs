//! Exact values, with certificates.

use std::path::{Path, PathBuf};

use plyproof_engine::{Aim, ProofHead, SolveProgress, SolveTask, certificate, writable};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::agent::Agent;
use crate::arguments;
use crate::bonus::leaves;
use crate::errors::{file_error, json, unlocked, value_error};
use crate::interrupt::Interrupt;
use crate::position::Position;
use crate::tables::table_error;

/// The name of the second proof: `loa-2.cert.gz` after `loa.cert.gz`.
pub(crate) fn numbered(path: &Path, before: usize) -> PathBuf {
    if before == 0 {
        return path.to_path_buf();
    }
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let (stem, ending) = name.find('.').map_or((name.as_str(), ""), |dot| name.split_at(dot));
    path.with_file_name(format!("{stem}-{}{ending}", before + 1))
}

fn progress_of<'py>(py: Python<'py>, state: &SolveProgress) -> PyResult<Bound<'py, PyDict>> {
    let told = PyDict::new(py);
    told.set_item("seconds", state.elapsed.as_secs_f64())?;
    told.set_item("nodes", state.nodes)?;
    told.set_item("player", state.goal.player.index() + 1)?;
    told.set_item("numbers", state.numbers.map(|numbers| (leaves(numbers.pn), leaves(numbers.dpn))))?;
    told.set_item("solver", state.solver)?;
    Ok(told)
}

/// Finds the exact value of a position. Returns the solution as JSON, and the certificates written.
#[pyfunction]
#[pyo3(signature = (position, agent, goal, nodes, time, memory, threads, seed, all_moves, certificate, progress))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn solve(
    position: &Bound<'_, PyAny>,
    agent: &Bound<'_, PyAny>,
    goal: &str,
    nodes: Option<&Bound<'_, PyAny>>,
    time: Option<&Bound<'_, PyAny>>,
    memory: Option<&Bound<'_, PyAny>>,
    threads: Option<&Bound<'_, PyAny>>,
    seed: Option<&Bound<'_, PyAny>>,
    all_moves: bool,
    certificate: Option<PathBuf>,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Py<Position>, String, Vec<String>)> {
    let py = position.py();
    let held = Position::of(position)?;
    let (agent, position) = (Agent::of(agent)?, held.get());
    let aim = Aim::ALL.into_iter().find(|aim| aim.word() == goal);
    let aim = aim.ok_or_else(|| {
        let words = Aim::ALL.map(Aim::word).join(", ");
        value_error(format!("goal={} is unknown; known: {words}", plyproof_engine::quoted(goal)))
    })?;
    if !agent.search.solves() {
        return Err(value_error(format!("{} proves no values; use df-pn, alpha-beta or portfolio", agent.to_text())));
    }
    if agent.table.is_some() && (certificate.is_some() || aim == Aim::Score) {
        let why =
            "a certificate needs every move and a score every point, and a table has neither: solve without table=";
        return Err(value_error(why));
    }
    let budget = arguments::budget(nodes, time, memory, threads)?;
    position.game.check_threads(&agent.search, &budget)?;
    agent.check_threads(&budget)?;
    if let Some(path) = &certificate {
        writable(path).map_err(|error| file_error(format!("cannot write {}: {error}", path.display())))?;
    }
    let seed = arguments::seed(seed)?;
    let (interrupt, slots) = (Interrupt::new(progress), [&*position.game.raised, &*agent.raised]);
    let (solved, written, raised) = unlocked(py, &slots, || {
        let view = match &agent.table {
            None => position.state.clone_box(),
            Some(path) => match plyproof_engine::tables::attach(&position.game.registry, &*position.state, path) {
                Ok(view) => view,
                Err(error) => return (Err(table_error(error)), Vec::new(), None),
            },
        };
        let (mut written, mut watch) = (Vec::new(), interrupt.watch());
        let mut sink = |claim: &ProofHead, lines: &mut dyn Iterator<Item = (String, String)>| {
            let Some(path) = &certificate else { return Ok(()) };
            let path = numbered(path, written.len());
            let done = certificate::write(&path, &*position.state, claim, lines);
            done.map_err(|error| format!("{}: {error}", path.display()))?;
            written.push(path.display().to_string());
            Ok(())
        };
        let task = SolveTask {
            agent: &agent.search,
            aim,
            all_moves,
            proofs: certificate.is_some(),
            budget: budget.clone(),
            seed,
        };
        let mut observer = |state: &SolveProgress| watch.tell(|py| Ok(progress_of(py, state)?.into_any().unbind()));
        let solved = view.solve(&task, &interrupt.stop, &mut observer, &mut sink);
        (solved.map_err(value_error), written, watch.raised)
    })?;
    if let Some(error) = raised {
        return Err(error);
    }
    let solved = solved?;
    py.check_signals()?;
    if let Some(error) = solved.proofs.iter().find_map(|proof| proof.error.as_ref()) {
        return Err(file_error(format!("the certificate was not written: {error}")));
    }
    Ok((held.unbind(), json(&solved)?, written))
}

/// What a callback is told of a count: how much is done, and of how much.
pub(crate) fn counted(py: Python<'_>, done: u64, all: u64) -> PyResult<Py<PyAny>> {
    let told = PyDict::new(py);
    told.set_item(PyString::new(py, "done"), done)?;
    told.set_item("of", all)?;
    Ok(told.into_any().unbind())
}

/// What is raised where a callback ended a piece of work that has no half result.
pub(crate) fn stopped(what: &str) -> PyErr {
    PyKeyboardInterrupt::new_err(format!("{what} was stopped"))
}

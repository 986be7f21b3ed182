//! What a search found, with a column of numbers for each statistic of the moves.

use numpy::PyArray1;
use plyproof_engine::{ProofNumber, SearchReport, Wdl};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::bonus::leaves;
use crate::errors::{Pickled, json, value_error};
use crate::position::Position;
use crate::search::Searcher;

/// What a search found. The columns have one entry for each legal move, the most visited first.
#[pyclass(module = "plyproof", frozen)]
pub(crate) struct Report {
    pub(crate) found: SearchReport,
    pub(crate) about: About,
    /// The searcher, if its tree is kept, and which of its searches this was.
    pub(crate) tree: Option<(Py<Searcher>, u64)>,
}

/// What was asked.
pub(crate) struct About {
    pub position: Py<Position>,
    pub agent: String,
    pub seed: u64,
}

fn words(bounds: plyproof_engine::Bounds) -> (&'static str, &'static str) {
    (bounds.least.word(), bounds.most.word())
}

fn value(known: Option<Wdl>) -> f64 {
    known.map_or(f64::NAN, |value| f64::from(value.value()))
}

impl Report {
    fn column<'py>(
        &self,
        py: Python<'py>,
        of: impl Fn(&plyproof_engine::MoveReport) -> f64,
    ) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_iter(py, self.found.moves.iter().map(of))
    }
}

#[pymethods]
impl Report {
    /// The position that was searched.
    #[getter]
    fn position(&self, py: Python<'_>) -> Py<Position> {
        self.about.position.clone_ref(py)
    }

    /// The agent, as text.
    #[getter]
    fn agent(&self) -> &str {
        &self.about.agent
    }

    /// The seed.
    #[getter]
    fn seed(&self) -> u64 {
        self.about.seed
    }

    /// The chosen move; `None` if the game is over.
    #[getter]
    fn best(&self) -> Option<&str> {
        self.found.best.as_deref()
    }

    /// The proven value for the player to move, `"win"`, `"draw"` or `"loss"`; `None` if it is not proven.
    #[getter]
    fn value(&self) -> Option<&'static str> {
        self.found.value.map(Wdl::word)
    }

    /// The worst and the best result still possible for the player to move.
    #[getter]
    fn bounds(&self) -> (&'static str, &'static str) {
        words(self.found.bounds)
    }

    /// Proof and disproof number of "the player to move wins"; `None` for agents without proof numbers.
    #[getter]
    fn numbers(&self) -> Option<(f64, f64)> {
        self.found.numbers.map(|numbers| (leaves(numbers.pn), leaves(numbers.dpn)))
    }

    /// The principal variation.
    #[getter]
    fn line(&self) -> Vec<&str> {
        self.found.line.iter().map(String::as_str).collect()
    }

    /// The moves, the most visited first; empty for agents that do not rate moves.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.found.moves.iter().map(|found| &found.text))
    }

    /// The simulations that went through each move.
    #[getter]
    fn visits<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        PyArray1::from_iter(py, self.found.moves.iter().map(|found| found.visits as i64))
    }

    /// Their mean result for the player who makes the move, from -1 to 1; 0 without visits.
    #[getter]
    fn mean<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.column(py, |found| found.mean)
    }

    /// Whether the mean of each move is an upper bound only: the search has found that the move is no better.
    #[getter]
    fn at_most<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        PyArray1::from_iter(py, self.found.moves.iter().map(|found| found.at_most))
    }

    /// The proof number of each move; infinite for a disproven one, nan for agents without proof numbers.
    #[getter]
    fn pn<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        let number = |number: Option<ProofNumber>| number.map_or(f64::NAN, leaves);
        self.column(py, |found| number(found.pn))
    }

    /// The disproof number of each move.
    #[getter]
    fn dpn<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        let number = |number: Option<ProofNumber>| number.map_or(f64::NAN, leaves);
        self.column(py, |found| number(found.dpn))
    }

    /// The rank of each move by proof numbers, 1 is best; nan for agents without proof numbers.
    #[getter]
    fn rank<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.column(py, |found| found.rank.map_or(f64::NAN, f64::from))
    }

    /// The proven value of each move for the player who makes it, 1, 0 or -1; nan if it is not proven.
    #[getter]
    fn proven<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.column(py, |found| value(found.value))
    }

    /// The sum by which selection compares each move, as `score`, and its parts by name; nan where no sum is compared.
    #[getter]
    fn terms<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (columns, moves) = (PyDict::new(py), &self.found.moves);
        let Some(first) = moves.iter().find_map(|found| found.terms.as_ref()) else { return Ok(columns) };
        columns
            .set_item("score", self.column(py, |found| found.terms.as_ref().map_or(f64::NAN, |terms| terms.score)))?;
        for (name, _) in &first.parts {
            let part = |found: &plyproof_engine::MoveReport| {
                let parts = found.terms.as_ref().map(|terms| &terms.parts);
                let part = parts.and_then(|parts| parts.iter().find(|(other, _)| other == name));
                part.map_or(f64::NAN, |(_, value)| *value)
            };
            columns.set_item(&**name, self.column(py, part))?;
        }
        Ok(columns)
    }

    /// The simulations made; expansions or positions for agents without play-outs.
    #[getter]
    fn simulations(&self) -> u64 {
        self.found.simulations
    }

    /// The nodes of the tree.
    #[getter]
    fn nodes(&self) -> u64 {
        self.found.nodes
    }

    /// The memory of the tree, in bytes.
    #[getter]
    fn bytes(&self) -> u64 {
        self.found.bytes
    }

    /// The time of the search, in seconds.
    #[getter]
    fn seconds(&self) -> f64 {
        self.found.seconds
    }

    /// Simulations by elapsed time; 0 if no time passed.
    #[getter]
    fn simulations_per_s(&self) -> f64 {
        self.found.simulations_per_s
    }

    /// Why the search ended; `None` in a progress report.
    #[getter]
    fn stopped(&self) -> Option<&'static str> {
        self.found.stopped.map(plyproof_engine::Stopped::word)
    }

    /// The simulations after which the memory was full and the tree stopped growing.
    #[getter]
    fn full_after(&self) -> Option<u64> {
        self.found.full_after
    }

    /// The root of the search tree, if the search kept it; see `plyproof.Node`.
    #[getter]
    fn tree<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let Some((searcher, search)) = &self.tree else {
            return Err(value_error("the tree was not kept; search with keep_tree=True, or with a Searcher"));
        };
        let root = (searcher.clone_ref(py), *search, PyTuple::empty(py), self.position(py));
        py.import("plyproof.tree")?.getattr("Node")?.call1(root)
    }

    /// The report as JSON, with the fields of docs/json.md that belong to what was found.
    fn to_json(&self) -> PyResult<String> {
        json(&self.found)
    }

    /// The columns as a data frame of pandas, with a row for each move.
    fn to_frame<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("plyproof.frames")?.call_method1("report_frame", (slf,))
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("plyproof.frames")?.call_method1("report_html", (slf,))
    }

    fn __repr__(&self) -> String {
        let found = &self.found;
        let best = found.best.as_deref().unwrap_or("none");
        let value = found.value.map_or("not proven".to_string(), |value| format!("a proven {value}"));
        let stopped = found.stopped.map_or("running", plyproof_engine::Stopped::word);
        format!("Report(best={best:?}, {value}, {} simulations, {:.3} s, {stopped})", found.simulations, found.seconds)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Pickled<'py, (String, Py<Position>, String, u64)> {
        let restore = py.import("plyproof._native")?.getattr("restore_report")?;
        Ok((restore, (self.to_json()?, self.position(py), self.about.agent.clone(), self.about.seed)))
    }
}

/// A report that was pickled; its tree is not there any more.
#[pyfunction]
pub(crate) fn restore_report(text: &str, position: Py<Position>, agent: String, seed: u64) -> PyResult<Report> {
    let found = serde_json::from_str(text).map_err(value_error)?;
    Ok(Report { found, about: About { position, agent, seed }, tree: None })
}

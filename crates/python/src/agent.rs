//! Agents: searches with their parameters, and a selection bonus that is written in Python.

use std::path::PathBuf;
use std::sync::Arc;

use plyproof_core::search::Agent as Search;
use plyproof_engine::tables::TabledAgent;
use plyproof_engine::{AGENTS, Budget};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::arguments;
use crate::bonus::PythonBonus;
use crate::errors::value_error;
use crate::game::{Slot, described};

/// A search with its parameters, as in `Agent("pn-mcts(pn=2)")`.
///
/// `bonus` is a function that gives each child of a node a number, which selection adds to UCT; such an agent is recorded
/// under the name of the search and `name`.
#[pyclass(module = "plyproof", frozen)]
#[derive(Clone)]
pub(crate) struct Agent {
    pub(crate) search: Search,
    pub(crate) table: Option<PathBuf>,
    /// The text of an agent that is no more than its text.
    text: Option<String>,
    pub(crate) raised: Arc<Slot>,
}

impl Agent {
    /// An agent, or its text.
    pub(crate) fn of(value: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(agent) = value.cast::<Agent>() {
            return Ok(agent.get().clone());
        }
        match value.cast::<PyString>() {
            Ok(text) => Self::parse(&text.to_cow()?),
            Err(_) => Err(arguments::wrong_type("agent", "a text as in \"pn-mcts(pn=2)\", or an Agent", value)),
        }
    }

    fn parse(text: &str) -> PyResult<Self> {
        let parsed = TabledAgent::parse(text).map_err(value_error)?;
        let text = Some(parsed.to_string());
        Ok(Self { search: parsed.agent, table: parsed.table, text, raised: Arc::default() })
    }

    pub(crate) fn to_text(&self) -> String {
        self.text.clone().unwrap_or_else(|| self.search.to_string())
    }

    /// The text by which a match finds the agent again; none if a bonus belongs to it.
    pub(crate) fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// A bonus of Python is asked by one thread.
    pub(crate) fn check_threads(&self, budget: &Budget) -> PyResult<()> {
        if self.text.is_none() && self.search.threads(budget) > 1 {
            return Err(value_error(format!("the bonus of {} is written in Python; leave out threads", self.search)));
        }
        Ok(())
    }
}

#[pymethods]
impl Agent {
    #[new]
    #[pyo3(signature = (spec, *, bonus=None, name="python"))]
    fn new(spec: &Bound<'_, PyAny>, bonus: Option<Py<PyAny>>, name: &str) -> PyResult<Self> {
        let agent = Self::of(spec)?;
        let Some(function) = bonus else { return Ok(agent) };
        if !function.bind(spec.py()).is_callable() {
            return Err(arguments::wrong_type("bonus", "a function", function.bind(spec.py())));
        }
        let raised = Arc::new(Slot::default());
        let bonus = Arc::new(PythonBonus { function, raised: Arc::clone(&raised) });
        let search = agent.search.with_bonus(name, bonus).map_err(value_error)?;
        Ok(Self { search, text: None, raised, ..agent })
    }

    /// The agent without its parameters.
    #[getter]
    fn name(&self) -> &str {
        self.search.name()
    }

    /// Whether the agent proves values, so that `solve` takes it.
    #[getter]
    fn solves(&self) -> bool {
        self.search.solves()
    }

    /// The values of all parameters by name.
    #[getter]
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (values, params) = (PyDict::new(py), self.search.params());
        for parameter in &params.described().parameters {
            values.set_item(&parameter.name, params.text(&parameter.name))?;
        }
        Ok(values)
    }

    fn __str__(&self) -> String {
        self.to_text()
    }

    fn __repr__(&self) -> String {
        format!("Agent({:?})", self.to_text())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Agent>().is_ok_and(|other| {
            let other = other.get();
            self.search == other.search && self.table == other.table
        })
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.to_text().into_pyobject(py)?.hash()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        match &slf.get().text {
            Some(text) => Ok((slf.get_type().into_any(), (text.clone(),))),
            None => Err(arguments::wrong_type("what is pickled", "an agent without a bonus in Python", slf.as_any())),
        }
    }
}

/// Every agent: name, title, summary and parameters, as `plyproof agents --json` lists them.
#[pyfunction]
pub(crate) fn agents(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    AGENTS.iter().map(|agent| described(py, agent)).collect()
}

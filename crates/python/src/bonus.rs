//! A selection bonus that is written in Python: a function of the statistics of a node.

use std::panic::resume_unwind;
use std::sync::Arc;

use numpy::{PyArray1, PyArrayMethods};
use plyproof_core::search::{NodeStats, SelectionBonus};
use plyproof_engine::ProofNumber;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::game::Slot;
use crate::python_game::one_line;

/// A function from the statistics of a node to a number for each of its children that compete.
pub(crate) struct PythonBonus {
    pub function: Py<PyAny>,
    pub raised: Arc<Slot>,
}

/// A proof number as a floating-point number.
pub(crate) fn leaves(number: ProofNumber) -> f64 {
    number.leaves().map_or(f64::INFINITY, f64::from)
}

impl PythonBonus {
    fn ask(&self, py: Python<'_>, node: &NodeStats<'_>, bonuses: &mut [f32]) -> PyResult<()> {
        let children: Vec<_> = (0..node.competing()).map(|i| node.child(i)).collect();
        let stats = PyDict::new(py);
        stats.set_item("visits", PyArray1::from_iter(py, children.iter().map(|child| i64::from(child.visits))))?;
        stats.set_item("mean", PyArray1::from_iter(py, children.iter().map(|child| f64::from(child.mean))))?;
        stats.set_item("pn", PyArray1::from_iter(py, children.iter().map(|child| leaves(child.numbers.pn))))?;
        stats.set_item("dpn", PyArray1::from_iter(py, children.iter().map(|child| leaves(child.numbers.dpn))))?;
        stats.set_item("rank", PyArray1::from_iter(py, children.iter().map(|child| i64::from(child.rank))))?;
        stats.set_item("worst_rank", node.worst_rank())?;
        stats.set_item("parent_visits", node.visits())?;
        stats.set_item("depth", node.depth())?;
        stats.set_item("mover", node.mover().index() + 1)?;
        stats.set_item("children", node.children())?;
        let answer = self
            .function
            .bind(py)
            .call1((py.import("types")?.getattr("SimpleNamespace")?.call((), Some(&stats))?,))?;
        let answer = py.import("numpy")?.call_method1("asarray", (answer, "float32"))?;
        let array = answer.cast::<PyArray1<f32>>();
        let found = array
            .map_err(|_| PyValueError::new_err("a bonus has to return a list or an array of numbers"))?
            .to_vec()?;
        if found.len() != children.len() || found.iter().any(|bonus| !bonus.is_finite()) {
            let (asked, found) = (children.len(), found.len());
            let what =
                format!("a bonus has to return a finite number for each of {asked} children; it returned {found}");
            return Err(PyValueError::new_err(what));
        }
        bonuses[..found.len()].copy_from_slice(&found);
        Ok(())
    }
}

impl SelectionBonus for PythonBonus {
    fn write(&self, node: &NodeStats<'_>, bonuses: &mut [f32]) -> f32 {
        Python::attach(|py| {
            if let Err(error) = self.ask(py, node, bonuses) {
                let said = format!("the bonus raised {}", one_line(py, &error));
                self.raised.put(error);
                resume_unwind(Box::new(said));
            }
        });
        // Children that were not visited yet get no bonus.
        0.0
    }
}

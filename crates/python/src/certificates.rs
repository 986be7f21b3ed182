//! Checks of certificates.

use std::path::PathBuf;
use std::sync::Arc;

use plyproof_engine::certificate::{CertificateError as Refused, Checked, Limits, VerifyError, verify_file};
use plyproof_engine::default_memory;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arguments;
use crate::errors::{CertificateError, file_error, unlocked};
use crate::game::{Slot, given, registry};
use crate::interrupt::Interrupt;
use crate::solve::{counted, stopped};

fn refused(error: &Refused) -> PyErr {
    match &error.error {
        VerifyError::Unreadable { .. } => file_error(error),
        _ => CertificateError::new_err(error.to_string()),
    }
}

/// Checks the certificate in a file, and says what it proves.
#[pyfunction]
#[pyo3(signature = (path, memory, games, progress))]
pub(crate) fn verify<'py>(
    py: Python<'py>,
    path: PathBuf,
    memory: Option<&Bound<'py, PyAny>>,
    games: Vec<Bound<'py, PyAny>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let memory = memory.map_or_else(|| Ok(default_memory()), |memory| arguments::size("memory", memory))?;
    let (classes, texts) = given(&games)?;
    let raised = Arc::new(Slot::default());
    let registry = registry(py, &classes, &texts, &raised)?;
    let interrupt = Interrupt::new(progress);
    let (checked, broke_off) = unlocked(py, &[&raised], || {
        let mut watch = interrupt.watch();
        let mut told = |progress: plyproof_engine::certificate::Progress| {
            watch.tell(|py| counted(py, progress.read, progress.expected));
        };
        let checked = verify_file(&registry, &path, Limits { memory, stop: &interrupt.stop, progress: &mut told });
        (checked, watch.raised)
    })?;
    if let Some(error) = broke_off.or_else(|| raised.take()) {
        return Err(error);
    }
    match checked {
        Ok(checked) => claim(py, &checked),
        Err(Refused { error: VerifyError::Stopped, .. }) => Err(stopped("the check")),
        Err(error) => Err(refused(&error)),
    }
}

fn claim<'py>(py: Python<'py>, checked: &Checked) -> PyResult<Bound<'py, PyDict>> {
    let (header, found) = (&checked.header, PyDict::new(py));
    found.set_item("game", &header.game)?;
    found.set_item("rules", header.rules.text_digest().map_or_else(|| header.rules.to_string(), str::to_string))?;
    found.set_item("position", &header.position)?;
    found.set_item("player", header.player.index() + 1)?;
    found.set_item("goal", header.goal.to_string())?;
    found.set_item("claim", header.claim())?;
    found.set_item("entries", checked.verified.entries)?;
    found.set_item("replies", checked.verified.replies)?;
    found.set_item("bytes", checked.verified.bytes)?;
    Ok(found)
}

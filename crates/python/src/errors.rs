//! What goes wrong in Rust, as exceptions of Python with the same one line.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::create_exception;
use pyo3::exceptions::{PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use crate::game::{Inner, Slot};

create_exception!(plyproof, CertificateError, PyValueError, "A certificate that does not hold, and where it breaks.");
create_exception!(
    plyproof,
    ContractError,
    PyValueError,
    "A promise that a game does not keep, and where it breaks it."
);

/// What somebody gave is wrong.
pub(crate) fn value_error(what: impl ToString) -> PyErr {
    PyValueError::new_err(what.to_string())
}

/// A file cannot be read or written.
pub(crate) fn file_error(what: impl ToString) -> PyErr {
    PyOSError::new_err(what.to_string())
}

/// What `__reduce__` returns: a function, and what to call it with to get an equal object.
pub(crate) type Pickled<'py, T> = PyResult<(Bound<'py, PyAny>, T)>;

/// Plain data as JSON.
pub(crate) fn json(data: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string(data).map_err(|error| PyRuntimeError::new_err(error.to_string()))
}

/// Runs `work` without the interpreter's lock. No panic gets through; an exception in code written in Python, which the
/// slots hold, is raised again.
pub(crate) fn unlocked<T: Send>(py: Python<'_>, slots: &[&Slot], work: impl FnOnce() -> T + Send) -> PyResult<T> {
    // What an earlier call left behind does not belong to this one.
    slots.iter().for_each(|slot| drop(slot.take_own()));
    let done = py.detach(|| catch_unwind(AssertUnwindSafe(work)));
    done.map_err(|panic| {
        let own = slots.iter().find_map(|slot| slot.take_own());
        // A match plays on threads of its own.
        own.or_else(|| slots.iter().find_map(|slot| slot.take())).unwrap_or_else(|| failed(&*panic))
    })
}

/// The same for calls of a few microseconds, which keep the lock.
pub(crate) fn quick<T>(game: &Inner, work: impl FnOnce() -> T) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| game.raised.take_own().unwrap_or_else(|| failed(&*panic)))
}

fn failed(panic: &(dyn Any + Send)) -> PyErr {
    let said = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
    let said = said.unwrap_or("no reason given");
    PyRuntimeError::new_err(format!("plyproof failed inside: {said}; please report it with the call that did it"))
}

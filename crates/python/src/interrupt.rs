//! Ctrl-C and progress callbacks while Rust works without the interpreter's lock.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use pyo3::prelude::*;

/// How often signals are looked at, at most.
const LOOK: Duration = Duration::from_millis(50);

/// The flag that stops a piece of work, and the exception for which it was stopped.
pub(crate) struct Interrupt {
    /// Raised to stop the work.
    pub stop: AtomicBool,
    callback: Option<Py<PyAny>>,
}

/// The part that belongs to the thread that was called from Python, which alone hears of signals.
pub(crate) struct Watch<'a> {
    interrupt: &'a Interrupt,
    looked: Instant,
    /// What a signal or the callback raised.
    pub raised: Option<PyErr>,
}

impl Interrupt {
    pub(crate) fn new(callback: Option<Py<PyAny>>) -> Self {
        Self { stop: AtomicBool::new(false), callback }
    }

    pub(crate) fn watch(&self) -> Watch<'_> {
        Watch { interrupt: self, looked: Instant::now(), raised: None }
    }
}

impl Watch<'_> {
    /// Looks at signals, and calls the callback with what `told` makes. The work ends if it returns `False` or raises.
    pub(crate) fn tell(&mut self, told: impl FnOnce(Python<'_>) -> PyResult<Py<PyAny>>) {
        if self.raised.is_some() || (self.interrupt.callback.is_none() && self.looked.elapsed() < LOOK) {
            return;
        }
        self.looked = Instant::now();
        let answer = Python::attach(|py| {
            py.check_signals()?;
            let Some(callback) = &self.interrupt.callback else { return Ok(true) };
            let answer = callback.call1(py, (told(py)?,))?;
            Ok(!answer.bind(py).extract::<bool>().is_ok_and(|go_on| !go_on))
        });
        match answer {
            Ok(true) => {}
            Ok(false) => self.interrupt.stop.store(true, Ordering::Relaxed),
            Err(error) => {
                self.raised = Some(error);
                self.interrupt.stop.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Looks at signals alone.
    pub(crate) fn look(&mut self) {
        if self.raised.is_none() && self.looked.elapsed() >= LOOK {
            self.looked = Instant::now();
            if let Err(error) = Python::attach(|py| py.check_signals()) {
                self.raised = Some(error);
                self.interrupt.stop.store(true, Ordering::Relaxed);
            }
        }
    }
}

//! Ctrl-C, and SIGTERM where it counts as one: the first asks a command to come to its end, the second ends the process at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::output::{Failure, INTERRUPTED};

/// A flag that the first Ctrl-C raises. The second one ends the process.
pub fn stop_on_interrupt() -> Result<Arc<AtomicBool>, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&stop);
    let handler = move || {
        if raised.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED.into());
        }
    };
    ctrlc::set_handler(handler).map_err(|error| Failure::Failed(format!("cannot listen for Ctrl-C: {error}")))?;
    Ok(stop)
}

/// A flag that the first Ctrl-C or SIGTERM raises, for a server: a service manager ends it so. The second ends the process.
///
/// To be called before any thread is started: SIGTERM is blocked for all, and one thread waits for it. (`ctrlc` would take
/// SIGHUP as well, which `nohup` ignores on purpose.)
#[cfg(unix)]
pub fn stop_on_interrupt_or_termination() -> Result<Arc<AtomicBool>, Failure> {
    use nix::sys::signal::{SigSet, Signal};

    let failed = |error: &dyn std::fmt::Display| Failure::Failed(format!("cannot listen for SIGTERM: {error}"));
    let mut termination = SigSet::empty();
    termination.add(Signal::SIGTERM);
    termination.thread_block().map_err(|error| failed(&error))?;
    let stop = stop_on_interrupt()?;
    let raised = Arc::clone(&stop);
    let wait = move || {
        while termination.wait().is_ok() {
            if raised.swap(true, Ordering::Relaxed) {
                std::process::exit(TERMINATED);
            }
        }
    };
    let waiting = std::thread::Builder::new().name("plyproof-signals".to_string()).spawn(wait);
    waiting.map_err(|error| failed(&error))?;
    Ok(stop)
}

/// A flag that the first Ctrl-C raises. The second one ends the process.
#[cfg(not(unix))]
pub fn stop_on_interrupt_or_termination() -> Result<Arc<AtomicBool>, Failure> {
    stop_on_interrupt()
}

/// The exit code of a process that SIGTERM ends.
#[cfg(unix)]
const TERMINATED: i32 = 128 + 15;

//! Ctrl-C: the first asks a command to come to its end, the second ends the process at once.

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

//! Ctrl-C and SIGTERM: the first asks a command to come to its end, the second ends the process at once.

use std::io;
use std::process::{Child, Command};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use crate::output::{Failure, INTERRUPTED};

/// The exit code after SIGTERM, as a shell would tell it.
#[cfg(unix)]
const TERMINATED: u8 = 143;

/// The exit code of a command that was interrupted by what came last.
static CODE: AtomicU8 = AtomicU8::new(INTERRUPTED);

/// The exit code of a command that was asked to come to its end: 130 after Ctrl-C, 143 after SIGTERM.
pub fn exit_code() -> u8 {
    CODE.load(Ordering::Relaxed)
}

/// A flag that the first Ctrl-C or SIGTERM raises. The second one ends the process.
pub fn stop_on_interrupt() -> Result<Arc<AtomicBool>, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&stop);
    let asked = move |code: u8| {
        CODE.store(code, Ordering::Relaxed);
        if raised.swap(true, Ordering::Relaxed) {
            std::process::exit(code.into());
        }
    };
    #[cfg(unix)]
    on_termination(asked.clone());
    let handler = move || asked(INTERRUPTED);
    ctrlc::set_handler(handler).map_err(|error| Failure::Failed(format!("cannot listen for Ctrl-C: {error}")))?;
    Ok(stop)
}

/// Calls `asked` for every SIGTERM. Where that cannot be arranged, the signal ends the process as it always did.
///
/// The feature `termination` of ctrlc would take SIGHUP as well, and so end what was started with nohup.
#[cfg(unix)]
fn on_termination(asked: impl Fn(u8) + Send + 'static) {
    let signal = termination();
    // Blocked here and in every thread started from here, so that only the one that waits for it gets it.
    if signal.thread_block().is_err() {
        return;
    }
    let waiting = std::thread::Builder::new().name("sigterm".to_string()).spawn(move || {
        while signal.wait().is_ok() {
            asked(TERMINATED);
        }
    });
    if waiting.is_err() {
        let _ = signal.thread_unblock();
    }
}

#[cfg(unix)]
fn termination() -> nix::sys::signal::SigSet {
    nix::sys::signal::SigSet::from(nix::sys::signal::Signal::SIGTERM)
}

/// Starts another program, which SIGTERM ends as usual though it is blocked here.
pub fn spawn(command: &mut Command) -> io::Result<Child> {
    #[cfg(unix)]
    let before = termination().thread_swap_mask(nix::sys::signal::SigmaskHow::SIG_UNBLOCK);
    let child = command.spawn();
    #[cfg(unix)]
    if let Ok(before) = before {
        let _ = before.thread_set_mask();
    }
    child
}

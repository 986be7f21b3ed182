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

/// Ctrl-C in a program that is talked with: it ends what runs, and ends the program only when nothing runs and it comes
/// twice.
pub struct Interrupts {
    stop: Arc<AtomicBool>,
    busy: Arc<AtomicBool>,
    warned: Arc<AtomicBool>,
}

impl Interrupts {
    /// Listens from now on. SIGTERM ends the program at once.
    pub fn listen() -> Result<Self, Failure> {
        let flag = || Arc::new(AtomicBool::new(false));
        let (stop, busy, warned) = (flag(), flag(), flag());
        #[cfg(unix)]
        on_termination(|code| std::process::exit(code.into()));
        let (raised, running, told) = (Arc::clone(&stop), Arc::clone(&busy), Arc::clone(&warned));
        let handler = move || {
            if running.load(Ordering::Relaxed) && !raised.swap(true, Ordering::Relaxed) {
                return;
            }
            if told.swap(true, Ordering::Relaxed) {
                std::process::exit(INTERRUPTED.into());
            }
            crate::terminal::put("\n(Ctrl-C again or quit ends the program)\n");
        };
        ctrlc::set_handler(handler).map_err(|error| Failure::Failed(format!("cannot listen for Ctrl-C: {error}")))?;
        Ok(Self { stop, busy, warned })
    }

    /// Runs something that Ctrl-C ends by raising the flag.
    pub fn during<T>(&self, run: impl FnOnce(&AtomicBool) -> T) -> T {
        self.stop.store(false, Ordering::Relaxed);
        self.busy.store(true, Ordering::Relaxed);
        let result = run(&self.stop);
        self.busy.store(false, Ordering::Relaxed);
        result
    }

    /// Says that the program waits for its user, who has not pressed Ctrl-C yet.
    pub fn waiting(&self) {
        self.warned.store(false, Ordering::Relaxed);
    }
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

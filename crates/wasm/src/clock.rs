//! The clock: JavaScript's in a module, that of the system elsewhere.

#[cfg(not(target_arch = "wasm32"))]
use std::sync::OnceLock;
use std::time::Duration;
#[cfg(not(target_arch = "wasm32"))]
use std::time::Instant;

use plyproof_engine::TimeSource;

/// The clock for searches.
pub(crate) fn source() -> TimeSource {
    TimeSource::new(now)
}

/// The time since a moment that stays the same.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn now() -> Duration {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    FIRST.get_or_init(Instant::now).elapsed()
}

/// The time since a moment that stays the same.
#[cfg(target_arch = "wasm32")]
pub(crate) fn now() -> Duration {
    #[link(wasm_import_module = "plyproof")]
    #[allow(unsafe_code)]
    // SAFETY: the import takes nothing, returns a plain number of that type and cannot touch our memory through it;
    // WebAssembly checks its type when the module is loaded.
    unsafe extern "C" {
        #[link_name = "now"]
        safe fn milliseconds() -> f64;
    }

    // Whatever JavaScript returns: what is no time counts as the beginning, what is too long as the end.
    Duration::try_from_secs_f64(milliseconds().max(0.0) / 1e3).unwrap_or(Duration::MAX)
}

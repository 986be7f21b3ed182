//! The clock: JavaScript's in a module, that of the system elsewhere.

use plyproof_engine::TimeSource;

#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn source() -> TimeSource {
    TimeSource::default()
}

#[cfg(target_arch = "wasm32")]
pub(crate) fn source() -> TimeSource {
    use std::time::Duration;

    #[link(wasm_import_module = "plyproof")]
    #[allow(unsafe_code)]
    // SAFETY: the import takes nothing, returns a plain number of that type and cannot touch our memory through it;
    // WebAssembly checks its type when the module is loaded.
    unsafe extern "C" {
        safe fn now() -> f64;
    }

    // Whatever JavaScript returns: what is no time counts as the beginning, what is too long as the end.
    TimeSource::new(|| Duration::try_from_secs_f64(now().max(0.0) / 1e3).unwrap_or(Duration::MAX))
}

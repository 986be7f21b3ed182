//! The source of time for searches. This is the only file of core that knows the system clock.

use std::fmt;
use std::time::Duration;

/// A clock for searches to look at, provided by whoever asks for the search.
///
/// By default it is the clock of the system. WebAssembly in a browser has none: there the default [stands
/// still](TimeSource::STILL), and a front end that gives a search a limited time has to provide a clock as well.
#[derive(Clone, Copy)]
pub struct TimeSource(fn() -> Duration);

impl TimeSource {
    /// A clock that stands still: no time is ever used up, and only the other limits end a search.
    pub const STILL: Self = Self(|| Duration::ZERO);

    /// A clock that is read by calling `now`, which returns the time since a moment that stays the same.
    ///
    /// It is read about every half millisecond. A reading that is earlier than the one at the beginning of a search
    /// counts as no time.
    pub const fn new(now: fn() -> Duration) -> Self {
        Self(now)
    }

    fn now(self) -> Duration {
        (self.0)()
    }
}

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
impl Default for TimeSource {
    fn default() -> Self {
        use std::sync::OnceLock;
        use std::time::Instant;

        static FIRST: OnceLock<Instant> = OnceLock::new();
        Self(|| FIRST.get_or_init(Instant::now).elapsed())
    }
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
impl Default for TimeSource {
    fn default() -> Self {
        Self::STILL
    }
}

impl fmt::Debug for TimeSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TimeSource")
    }
}

/// Equal if both are read by the same function.
impl PartialEq for TimeSource {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::fn_addr_eq(self.0, other.0)
    }
}

impl Eq for TimeSource {}

/// The time since a search began.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopwatch {
    clock: TimeSource,
    began: Duration,
}

impl Stopwatch {
    pub(crate) fn start(clock: TimeSource) -> Self {
        Self { clock, began: clock.now() }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.clock.now().saturating_sub(self.began)
    }
}

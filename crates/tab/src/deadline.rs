//! How long a question may take that rules by strangers answer. A browser asks itself: there is no deadline there.

use std::time::Duration;
#[cfg(not(target_family = "wasm"))]
use std::time::Instant;

/// A moment after which nobody waits any longer.
pub(crate) struct Deadline {
    #[cfg(not(target_family = "wasm"))]
    over: Instant,
}

impl Deadline {
    /// For the moves of a game.
    pub(crate) fn of_a_question() -> Self {
        Self::after(Duration::from_secs(10))
    }

    #[cfg(not(target_family = "wasm"))]
    fn after(time: Duration) -> Self {
        Self { over: Instant::now() + time }
    }

    #[cfg(target_family = "wasm")]
    fn after(_: Duration) -> Self {
        Self {}
    }

    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn is_over(&self) -> bool {
        Instant::now() >= self.over
    }

    #[cfg(target_family = "wasm")]
    #[allow(clippy::unused_self)]
    pub(crate) fn is_over(&self) -> bool {
        false
    }
}

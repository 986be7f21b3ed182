//! Words that several threads read and write without locks: the memory of transposition tables.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A word of a table. Every load and every store is whole, but no order between different words is promised.
///
/// A trait, so that the tests can put words in its place whose threads loom runs in every order.
pub(crate) trait Word {
    fn load(&self) -> u64;
    fn store(&self, value: u64);
}

impl Word for AtomicU64 {
    #[inline(always)]
    fn load(&self) -> u64 {
        AtomicU64::load(self, Relaxed)
    }

    #[inline(always)]
    fn store(&self, value: u64) {
        AtomicU64::store(self, value, Relaxed);
    }
}

#[cfg(test)]
impl Word for loom::sync::atomic::AtomicU64 {
    fn load(&self) -> u64 {
        self.load(loom::sync::atomic::Ordering::Relaxed)
    }

    fn store(&self, value: u64) {
        self.store(value, loom::sync::atomic::Ordering::Relaxed);
    }
}

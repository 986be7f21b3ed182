//! The positions that threads are searching, for df-pn and alpha-beta.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use crate::search::proof::ProofNumber;

/// Counts of threads by position. Positions share counts by chance: these only decide where a thread looks first.
pub(crate) struct Busy(Box<[AtomicU8]>);

const SLOTS: usize = 1 << 16;

impl Busy {
    pub(crate) fn new() -> Self {
        Self((0..SLOTS).map(|_| AtomicU8::new(0)).collect())
    }

    fn count(&self, key: u64) -> &AtomicU8 {
        &self.0[(key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48) as usize]
    }

    pub(crate) fn enter(&self, key: u64) {
        self.count(key).fetch_add(1, Relaxed);
    }

    pub(crate) fn leave(&self, key: u64) {
        self.count(key).fetch_sub(1, Relaxed);
    }

    /// How many threads are at a position, as far as counts are not shared.
    pub(crate) fn threads(&self, key: u64) -> u8 {
        self.count(key).load(Relaxed)
    }

    /// Whether another thread is at a position that this thread is at, or below it.
    pub(crate) fn is_shared(&self, key: u64) -> bool {
        self.count(key).load(Relaxed) > 1
    }

    /// The virtual proof number of a position that this thread is not at: half as much again for each thread that is.
    pub(crate) fn virtual_number(&self, number: ProofNumber, key: u64) -> ProofNumber {
        let threads = self.count(key).load(Relaxed);
        match number.leaves() {
            Some(n) if threads > 0 && n > 0 => {
                let more = u64::from(n.div_ceil(2)) * u64::from(threads);
                ProofNumber::finite((u64::from(n) + more).min(u64::from(u32::MAX - 1)) as u32)
            }
            _ => number,
        }
    }
}

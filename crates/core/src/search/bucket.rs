//! The buckets of transposition tables that several threads share without locks.

use std::sync::atomic::AtomicU64;

use crate::search::word::Word;

/// Entries of a bucket.
pub(crate) const BUCKET: usize = 4;

/// Four entries in one cache line:
///
/// ```text
/// bucket = 4 entries of two 64-bit words:  key ^ (data times an odd number) | data
/// ```
/// Words are read and written without locks. An entry whose words come from two different writers has a key that nobody
/// looks for: the product makes two data that differ in a few bits differ in many, so that this holds for games whose
/// keys are small numbers too. An empty place has the data 0, which no entry has.
#[derive(Debug, Default)]
#[repr(align(64))]
pub(crate) struct Bucket<W = AtomicU64>(pub(crate) [W; 2 * BUCKET]);

const ODD: u64 = 0x9e37_79b9_7f4a_7c15;

/// The first word of an entry if `word` is the key, and the key if it is the first word.
#[inline(always)]
pub(crate) fn masked(word: u64, data: u64) -> u64 {
    word ^ data.wrapping_mul(ODD)
}

impl<W: Word> Bucket<W> {
    /// The key and the data of an entry.
    #[inline(always)]
    pub(crate) fn read(&self, place: usize) -> (u64, u64) {
        let data = self.0[2 * place + 1].load();
        (masked(self.0[2 * place].load(), data), data)
    }

    #[inline(always)]
    pub(crate) fn write(&self, place: usize, key: u64, data: u64) {
        self.0[2 * place].store(masked(key, data));
        self.0[2 * place + 1].store(data);
    }

    /// The data of the entry of `key`, if there is one.
    #[inline(always)]
    pub(crate) fn data_of(&self, key: u64) -> Option<u64> {
        let found = (0..BUCKET).map(|place| self.read(place)).find(|&(other, data)| other == key && data != 0);
        found.map(|(_, data)| data)
    }
}

//! A transposition table of proof numbers under a byte budget.
//!
//! ```text
//! bucket = 4 entries of three 64-bit words:  key | pn, dpn | work, stamp
//! ```
//! `stamp` tells decided entries apart by the order in which they were decided, from 1 on: what a proof leans on has a
//! smaller stamp than the proof.
//! `work` is the number of expansions an entry cost. A full bucket gives up the entry that cost least, and never a new
//! one for a dearer old one without ageing it, so that what was expensive to find out stays longest.
//!
//! A table starts small and grows as it fills: a short search then stays in the caches and asks the system for little.

use crate::search::proof::{ProofNumber, ProofNumbers};

type Words = [u64; 3];

#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    key: u64,
    pub numbers: ProofNumbers,
    pub work: u32,
    pub stamp: u32,
}

impl Entry {
    #[inline(always)]
    fn from_words([key, numbers, work]: Words) -> Self {
        let (pn, dpn) = (ProofNumber::from_word(numbers as u32), ProofNumber::from_word((numbers >> 32) as u32));
        Self { key, numbers: ProofNumbers { pn, dpn }, work: work as u32, stamp: (work >> 32) as u32 }
    }

    fn to_words(self) -> Words {
        let numbers = u64::from(self.numbers.pn.word()) | u64::from(self.numbers.dpn.word()) << 32;
        [self.key, numbers, u64::from(self.work) | u64::from(self.stamp) << 32]
    }
}

const BUCKET: usize = 4;
/// Buckets that a table starts with, at most.
const SMALL: usize = 2048;
/// How many times larger it becomes when a quarter of it is filled.
const GROWTH: usize = 4;

/// How well a table did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TableUse {
    /// Entries there is room for.
    pub capacity: u64,
    /// Entries in use.
    pub filled: u64,
    /// Times an entry was looked for.
    pub lookups: u64,
    /// Times it was there.
    pub hits: u64,
    /// Entries given up for others.
    pub replaced: u64,
}

/// The table. Empty entries have work 0.
#[derive(Debug, Default)]
pub(crate) struct Table {
    entries: Vec<Words>,
    usage: TableUse,
    decided: u32,
    /// How often it may still grow.
    growths: u32,
}

impl Table {
    /// An empty table that takes at most `bytes` in the end, but has room for one bucket in any case.
    pub(crate) fn reset(&mut self, bytes: usize) {
        let mut buckets = (bytes / (BUCKET * size_of::<Words>())).max(1);
        self.growths = 0;
        while buckets > SMALL {
            buckets /= GROWTH;
            self.growths += 1;
        }
        self.entries = Vec::new();
        self.entries = vec![[0; 3]; buckets * BUCKET];
        self.decided = 0;
        let capacity = (self.entries.len() * GROWTH.pow(self.growths)) as u64;
        self.usage = TableUse { capacity, ..TableUse::default() };
    }

    /// Makes room where it is. A bucket is spread over the buckets that come in its place, all of them further up, so
    /// that from the last to the first each finds its place empty.
    #[cold]
    fn grow(&mut self) {
        let before = self.entries.len();
        if self.entries.try_reserve_exact(before * (GROWTH - 1)).is_err() {
            // The system has less memory than the budget allows: the table stays as it is.
            (self.growths, self.usage.capacity) = (0, before as u64);
            return;
        }
        self.entries.resize(before * GROWTH, [0; 3]);
        self.growths -= 1;
        for from in (0..before).step_by(BUCKET).rev() {
            let mut old = [[0; 3]; BUCKET];
            old.swap_with_slice(&mut self.entries[from..from + BUCKET]);
            for words in old.into_iter().filter(|&words| Entry::from_words(words).work > 0) {
                let at = self.bucket(words[0]);
                let free = (at..at + BUCKET).find(|&place| self.entries[place] == [0; 3]);
                self.entries[free.unwrap_or(at)] = words;
            }
        }
    }

    pub(crate) fn usage(&self) -> TableUse {
        self.usage
    }

    /// Bytes of entries in use.
    pub(crate) fn bytes(&self) -> usize {
        self.usage.filled as usize * size_of::<Words>()
    }

    #[inline(always)]
    fn bucket(&self, key: u64) -> usize {
        let buckets = (self.entries.len() / BUCKET) as u64;
        ((u128::from(key) * u128::from(buckets)) >> 64) as usize * BUCKET
    }

    #[inline(always)]
    pub(crate) fn find(&mut self, key: u64) -> Option<Entry> {
        self.usage.lookups += 1;
        let at = self.bucket(key);
        let mut bucket = self.entries[at..at + BUCKET].iter().map(|&words| Entry::from_words(words));
        let entry = bucket.find(|entry| entry.key == key && entry.work > 0)?;
        self.usage.hits += 1;
        Some(entry)
    }

    pub(crate) fn store(&mut self, key: u64, numbers: ProofNumbers, work: u64) {
        if self.growths > 0 && self.usage.filled as usize > self.entries.len() / GROWTH {
            self.grow();
        }
        let at = self.bucket(key);
        let bucket = &mut self.entries[at..at + BUCKET];
        let work = u32::try_from(work).unwrap_or(u32::MAX).max(1);
        let entry = |words: &Words| Entry::from_words(*words);
        let stamp = if numbers.is_decided() {
            self.decided = self.decided.saturating_add(1);
            self.decided
        } else {
            0
        };
        if let Some(same) = bucket.iter_mut().find(|words| entry(words).key == key && entry(words).work > 0) {
            let old = entry(same);
            // What is decided stays so: a search that came on another way may not have seen it yet.
            if numbers.is_decided() || !old.numbers.is_decided() {
                *same = Entry { key, numbers, work: work.max(old.work), stamp }.to_words();
            }
            return;
        }
        let Some(cheapest) = bucket.iter_mut().min_by_key(|words| entry(words).work) else { return };
        let full = entry(cheapest).work > 0;
        self.usage.replaced += u64::from(full);
        self.usage.filled += u64::from(!full);
        *cheapest = Entry { key, numbers, work, stamp }.to_words();
        // Ageing: what is never asked for again must not block its bucket for good.
        if full && self.usage.replaced % 8 == 1 {
            for words in bucket.iter_mut().filter(|words| entry(words).key != key) {
                let old = entry(words);
                *words = Entry { work: old.work - old.work / 8, ..old }.to_words();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::mix64;

    #[test]
    fn what_was_stored_is_found_and_dear_entries_outlive_cheap_ones() {
        let mut table = Table::default();
        table.reset(24 * 4 * 50);
        let dear: Vec<u64> = (0..40).map(mix64).collect();
        for &key in &dear {
            table.store(key, ProofNumbers::PROVEN, 1_000_000);
        }
        for key in (1000..3000).map(mix64) {
            table.store(key, ProofNumbers::UNKNOWN, 1);
            assert_eq!(
                table.find(key).map(|found| found.numbers),
                Some(ProofNumbers::UNKNOWN),
                "the newest is always there"
            );
        }
        let left = dear.iter().filter(|&&key| table.find(key).is_some_and(|found| found.work == 1_000_000)).count();
        let kept = dear.iter().filter(|&&key| table.find(key).is_some()).count();
        assert!(kept >= 36 && left <= kept, "{kept} of 40 dear entries are left");
        assert!(table.usage().filled <= 200 && table.usage().replaced > 1000);
    }

    #[test]
    fn a_table_that_grows_loses_nothing_and_ends_at_its_limit() {
        let mut table = Table::default();
        let bytes = 24 * 4 * 100_000;
        table.reset(bytes);
        assert!(table.usage().capacity as usize * 24 <= bytes && table.usage().capacity > 390_000);
        for n in 0..100_000u32 {
            let numbers = ProofNumbers { pn: ProofNumber::finite(n + 1), dpn: ProofNumber::ONE };
            table.store(mix64(n.into()), numbers, u64::from(n) + 1);
        }
        assert_eq!(table.entries.len() as u64, table.usage().capacity, "it has grown to the end");
        assert!(table.entries.capacity() * 24 <= bytes);
        let usage = table.usage();
        let kept = |n: &u32| table.find(mix64((*n).into())).is_some_and(|e| e.numbers.pn == ProofNumber::finite(n + 1));
        let kept = (0..100_000u32).filter(kept).count() as u64;
        assert!(kept == usage.filled && kept > 99_000 && kept + usage.replaced == 100_000, "{kept}, {usage:?}");
    }

    #[test]
    fn the_smallest_table_still_works() {
        let mut table = Table::default();
        table.reset(0);
        table.store(7, ProofNumbers::DISPROVEN, 3);
        table.store(9, ProofNumbers::PROVEN, 1);
        let found = |found: Option<Entry>| found.map(|entry| (entry.numbers, entry.work, entry.stamp));
        assert_eq!(found(table.find(7)), Some((ProofNumbers::DISPROVEN, 3, 1)));
        assert_eq!(found(table.find(9)), Some((ProofNumbers::PROVEN, 1, 2)), "decided after the other");
        assert_eq!(found(table.find(8)), None);
    }
}

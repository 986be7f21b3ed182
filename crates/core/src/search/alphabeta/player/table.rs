//! The transposition table of the playing search, which its threads share: 16 bytes an entry, one cache line a bucket.
//!
//! ```text
//! data = used (1 bit) | age (6 bits) | move (16 bits) | bound (2 bits) | depth (8 bits) | score (16 bits)
//! ```
//! The first entries of a [`Bucket`] keep what was searched deepest, less for every search since; the last one takes
//! whatever found no place among them.
//! A table starts small and grows as it fills, so that a short search asks the system for little.

use crate::search::bucket::{BUCKET, Bucket};
use crate::search::memory_hints;
use crate::search::word::Word;

/// What the score of an entry says about the value of the position at this depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// It is the value.
    Exact,
    /// The value is at least the score.
    Least,
    /// The value is at most the score.
    Most,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub score: i16,
    pub depth: u8,
    pub bound: Bound,
    /// Bits that name the best move; 0 if there is none.
    pub tag: u16,
}

/// Set in the data of every entry that is in use.
const USED: u64 = 1 << 63;

impl Entry {
    fn data(self) -> u64 {
        let bound = self.bound as u64;
        USED | u64::from(self.score as u16) | u64::from(self.depth) << 16 | bound << 24 | u64::from(self.tag) << 32
    }

    #[inline(always)]
    fn from_data(data: u64) -> Self {
        let bound = match data >> 24 & 3 {
            0 => Bound::Exact,
            1 => Bound::Least,
            _ => Bound::Most,
        };
        Self { score: data as u16 as i16, depth: (data >> 16) as u8, bound, tag: (data >> 32) as u16 }
    }
}

impl<W: Word> Bucket<W> {
    /// Keeps an entry in place of what `worth` says is worth less. Whether it filled an empty place.
    #[inline(always)]
    fn put(&self, key: u64, data: u64, worth: impl Fn(u64) -> i32) -> bool {
        let data_at = |place: usize| self.0[2 * place + 1].load();
        let own = (0..BUCKET).find(|&place| self.read(place).0 == key && data_at(place) != 0);
        let place = own.or_else(|| (0..BUCKET).find(|&place| data_at(place) == 0)).unwrap_or_else(|| {
            let shallow = (0..BUCKET - 1).min_by_key(|&place| worth(data_at(place))).unwrap_or(0);
            if worth(data_at(shallow)) <= Entry::from_data(data).depth.into() { shallow } else { BUCKET - 1 }
        });
        let filled = data_at(place) == 0;
        self.write(place, key, data);
        filled
    }
}

/// Buckets that a table starts with, at most, and how many times larger it becomes when half of it is filled.
const SMALL: usize = 1024;
const GROWTH: usize = 4;
/// Buckets that are made at once while a table grows.
const PART: usize = 1 << 14;

#[derive(Debug, Default)]
pub(super) struct Table {
    buckets: Vec<Bucket>,
    most: usize,
    /// The search that writes entries now, in the bits of [`AGE`].
    age: u64,
}

/// Where an entry says which search wrote it; and what an entry loses in depth for every search since.
const AGE: u32 = 48;
const AGES: u64 = 63;
const DEPTH_OF_AGE: i32 = 4;

impl Table {
    /// An empty table that never takes more than `bytes`, not even while it grows and the smaller table is still there,
    /// but has room for one bucket in any case.
    pub(super) fn new(bytes: usize) -> Self {
        let most = (bytes / size_of::<Bucket>() / (GROWTH + 1) * GROWTH).max(1);
        let mut buckets = Vec::new();
        buckets.resize_with(SMALL.min(most), Bucket::default);
        Self { buckets, most, age: 0 }
    }

    /// The next search begins.
    pub(super) fn age(&mut self) {
        self.age = (self.age + 1) & AGES;
    }

    /// What it would be a pity to lose.
    #[inline(always)]
    fn worth(&self, data: u64) -> i32 {
        let age = self.age.wrapping_sub(data >> AGE) & AGES;
        i32::from(Entry::from_data(data).depth) - DEPTH_OF_AGE * age as i32
    }

    /// Bytes that the table takes.
    pub(super) fn bytes(&self) -> usize {
        self.buckets.len() * size_of::<Bucket>()
    }

    #[inline(always)]
    fn bucket(&self, key: u64) -> &Bucket {
        &self.buckets[((u128::from(key) * self.buckets.len() as u128) >> 64) as usize]
    }

    #[inline(always)]
    pub(super) fn find(&self, key: u64) -> Option<Entry> {
        self.bucket(key).data_of(key).map(Entry::from_data)
    }

    /// Keeps an entry. Whether it filled an empty place.
    #[inline(always)]
    pub(super) fn store(&self, key: u64, entry: Entry) -> bool {
        self.bucket(key).put(key, entry.data() | self.age << AGE, |data| self.worth(data))
    }

    /// Whether to call [`grow`](Table::grow), with so many entries in use.
    #[inline(always)]
    pub(super) fn is_crowded(&self, filled: u64) -> bool {
        filled as usize > self.buckets.len() * BUCKET / 2 && self.buckets.len() < self.most
    }

    /// Makes the table larger; the entries in use then. It stays as it is if the system has less memory than the budget
    /// allows, or once `goes_on` says no, which is asked every millisecond or so.
    #[cold]
    pub(super) fn grow(&mut self, filled: u64, goes_on: impl Fn() -> bool) -> u64 {
        let size = (self.buckets.len() * GROWTH).min(self.most);
        let mut buckets = Vec::new();
        if buckets.try_reserve_exact(size).is_err() {
            self.most = self.buckets.len();
            return filled;
        }
        memory_hints::prefer_huge_pages(buckets.spare_capacity_mut());
        while buckets.len() < size {
            if !goes_on() {
                return filled;
            }
            buckets.resize_with(size.min(buckets.len() + PART), Bucket::default);
        }
        let larger = Self { buckets, ..*self };
        let mut kept = 0;
        for part in self.buckets.chunks(PART) {
            if !goes_on() {
                return filled;
            }
            let entries = part.iter().flat_map(|bucket| (0..BUCKET).map(|place| bucket.read(place)));
            for (key, data) in entries.filter(|(_, data)| *data != 0) {
                kept += u64::from(larger.store(key, Entry::from_data(data)));
            }
        }
        *self = larger;
        kept
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    use super::*;
    use crate::rng::mix64;

    const PROVEN: Entry = Entry { score: 31_990, depth: 3, bound: Bound::Least, tag: 7 };
    const GUESSED: Entry = Entry { score: -200, depth: 9, bound: Bound::Most, tag: 9 };

    #[test]
    fn entries_come_back_as_they_were_stored_and_deep_ones_outlive_shallow_ones() {
        let mut table = Table::new(1 << 16);
        let mut filled = 0;
        assert_eq!((size_of::<Bucket>(), align_of::<Bucket>(), table.find(0)), (64, 64, None));
        let mut store = |table: &mut Table, key, entry| {
            filled += u64::from(table.store(key, entry));
            if table.is_crowded(filled) {
                filled = table.grow(filled, || true);
            }
        };
        let deep = |n: u64| Entry { score: -(n as i16) - 1, depth: 200, bound: Bound::Least, tag: 65_535 };
        (0..1000).for_each(|n| store(&mut table, mix64(n), deep(n)));
        let kept: Vec<u64> = (0..1000).filter(|&n| table.find(mix64(n)) == Some(deep(n))).collect();
        assert!(kept.len() > 800, "{}", kept.len());
        for n in 1000..100_000 {
            let shallow = Entry { score: 3, depth: 1, bound: Bound::Most, tag: 0 };
            store(&mut table, mix64(n), shallow);
            assert_eq!(table.find(mix64(n)), Some(shallow), "the newest entry is always there");
        }
        let left = kept.iter().filter(|&&n| table.find(mix64(n)) == Some(deep(n))).count();
        assert!(left * 4 >= kept.len() * 3, "{left} of {}", kept.len());
        assert!(table.bytes() <= 1 << 16);
    }

    #[test]
    fn a_table_grows_unless_the_time_is_up_and_loses_nothing_either_way() {
        let mut table = Table::new(1 << 20);
        let filled = (0..1000).filter(|&n| table.store(mix64(n), PROVEN)).count() as u64;
        let kept: Vec<u64> = (0..1000).map(mix64).filter(|&key| table.find(key) == Some(PROVEN)).collect();
        assert_eq!(kept.len() as u64, filled);
        let (bytes, left) = (table.bytes(), AtomicU64::new(1));
        // The time is up at once, and after the first part.
        for allowed in 0..2 {
            left.store(allowed, Relaxed);
            let goes_on = || left.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)).is_ok();
            assert_eq!((table.grow(filled, goes_on), table.bytes()), (filled, bytes));
            assert!(kept.iter().all(|&key| table.find(key) == Some(PROVEN)));
        }
        assert_eq!((table.grow(filled, || true), table.bytes()), (filled, bytes * GROWTH));
        assert!(kept.iter().all(|&key| table.find(key) == Some(PROVEN)));
    }

    #[test]
    fn words_of_two_writers_are_no_entry() {
        let table = Table::new(0);
        table.store(5, GUESSED);
        table.buckets[0].0[1].store(PROVEN.data(), Relaxed);
        assert_eq!(table.find(5), None);
    }

    /// Two writers and a reader of one bucket, which loom runs in every order with at most two preemptions.
    fn in_every_order(entries: [(u64, Entry); 2]) {
        type Words = Bucket<loom::sync::atomic::AtomicU64>;
        let reads = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&reads);
        let mut orders = loom::model::Builder::new();
        orders.preemption_bound = Some(2);
        orders.check(move || {
            let bucket = loom::sync::Arc::new(Words::default());
            let start = |work: Box<dyn FnOnce(&Words) + Send>| {
                let bucket = loom::sync::Arc::clone(&bucket);
                loom::thread::spawn(move || work(&bucket))
            };
            let reads = Arc::clone(&counted);
            let reader = start(Box::new(move |bucket| {
                if let Some(data) = bucket.data_of(5) {
                    let found = Entry::from_data(data);
                    assert!(entries.contains(&(5, found)), "{found:?}");
                    reads.fetch_add(1, Relaxed);
                }
            }));
            let writers = entries.map(|(key, entry)| {
                start(Box::new(move |bucket| {
                    bucket.put(key, entry.data(), |_| 0);
                }))
            });
            writers.into_iter().chain([reader]).for_each(|thread| thread.join().expect("no panic"));
        });
        assert!(reads.load(Relaxed) > 0, "in no order was an entry read");
    }

    #[test]
    fn a_reader_beside_two_writers_of_one_place_reads_an_entry_of_its_own_position_or_none() {
        in_every_order([(5, PROVEN), (6, GUESSED)]);
    }

    #[test]
    fn a_reader_beside_two_writers_of_one_position_reads_what_one_of_them_found() {
        in_every_order([(5, PROVEN), (5, GUESSED)]);
    }
}

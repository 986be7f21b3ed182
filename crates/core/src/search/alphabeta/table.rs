//! A transposition table of bounds: 16 bytes an entry, one cache line a bucket.
//!
//! ```text
//! data = work (44 bits) | move (16 bits) | most (2 bits) | least (2 bits)
//! ```
//! Several threads may share a table (see [`Bucket`]). `work` is the number of positions that an entry cost and is
//! never 0, so that an empty entry has the data 0. A full bucket gives up the entry that cost least.
//!
//! A table starts small and grows as it fills: a short search then stays in the caches and asks the system for little.

use crate::search::bucket::{BUCKET, Bucket};
use crate::search::saved::{self, Loader, Saver, wrong};
use crate::search::word::Word;

/// What is known of the value of a position: 0 is a loss, 1 a draw and 2 a win of the maximising player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    pub least: u8,
    pub most: u8,
}

impl Known {
    /// Whether the value is at least `threshold`, if that is known.
    #[inline(always)]
    pub(super) fn answer(self, threshold: u8) -> Option<bool> {
        if self.least >= threshold {
            Some(true)
        } else if self.most < threshold {
            Some(false)
        } else {
            None
        }
    }
}

/// An entry as it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub known: Known,
    /// Bits of the key of the position after the move that decided it last; 0 if no move did.
    pub tag: u16,
    pub work: u64,
}

impl Entry {
    #[inline(always)]
    fn from_data(data: u64) -> Self {
        let known = Known { least: data as u8 & 3, most: (data >> 2) as u8 & 3 };
        Self { known, tag: (data >> 4) as u16, work: data >> 20 }
    }

    #[inline(always)]
    fn data(self) -> u64 {
        let work = self.work.clamp(1, (1 << 44) - 1);
        work << 20 | u64::from(self.tag) << 4 | u64::from(self.known.most) << 2 | u64::from(self.known.least)
    }
}

impl<W: Word> Bucket<W> {
    #[inline(always)]
    fn find(&self, key: u64) -> Option<Entry> {
        self.data_of(key).map(Entry::from_data)
    }

    fn store(&self, key: u64, entry: Entry) -> Stored {
        let (mut cheapest, mut least) = (0, u64::MAX);
        for place in 0..BUCKET {
            let (other, data) = self.read(place);
            if other == key && data != 0 {
                let old = Entry::from_data(data);
                let known =
                    Known { least: old.known.least.max(entry.known.least), most: old.known.most.min(entry.known.most) };
                let tag = if entry.tag == 0 { old.tag } else { entry.tag };
                self.write(place, key, Entry { known, tag, work: old.work.max(entry.work) }.data());
                return Stored::Again;
            }
            if data >> 20 < least {
                (cheapest, least) = (place, data >> 20);
            }
        }
        self.write(cheapest, key, entry.data());
        if least == 0 { Stored::New } else { Stored::Replaced }
    }

    fn age(&self, key: u64) {
        for place in 0..BUCKET {
            let (other, data) = self.read(place);
            if data != 0 && other != key {
                let old = Entry::from_data(data);
                self.write(place, other, Entry { work: old.work - old.work / 8, ..old }.data());
            }
        }
    }
}

/// Buckets that a table starts with, at most.
const SMALL: usize = 2048;
/// How many times larger it becomes when half of it is filled.
const GROWTH: usize = 4;

/// What became of an entry that was stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stored {
    /// It took the place of an older entry of the same position.
    Again,
    /// It filled an empty place.
    New,
    /// It took the place of another position's entry.
    Replaced,
}

#[derive(Debug, Default)]
pub(super) struct Table {
    buckets: Vec<Bucket>,
    /// How often it may still grow.
    growths: u32,
}

impl Table {
    /// An empty table that never takes more than `bytes`, not even while it grows and the smaller table is still there,
    /// but has room for one bucket in any case.
    pub(super) fn new(bytes: usize) -> Self {
        let most = bytes / size_of::<Bucket>();
        let mut buckets = most.max(1);
        let mut growths = 0;
        while buckets > SMALL {
            if growths == 0 {
                // The last step holds the new table and the old one, a quarter of its size.
                buckets = most / (GROWTH + 1) * GROWTH;
            }
            buckets /= GROWTH;
            growths += 1;
        }
        Self { buckets: empty(buckets), growths }
    }

    /// Entries that there is room for now.
    pub(super) fn room(&self) -> usize {
        self.buckets.len() * BUCKET
    }

    /// Entries that there is room for in the end.
    pub(super) fn capacity(&self) -> u64 {
        (self.room() * GROWTH.pow(self.growths)) as u64
    }

    /// Whether to call [`grow`](Table::grow), with so many entries in use.
    #[inline(always)]
    pub(super) fn is_crowded(&self, filled: u64) -> bool {
        self.growths > 0 && filled as usize > self.buckets.len() * BUCKET / 2
    }

    /// Makes the table larger. If the system has less memory than the budget allows it stays as it is.
    #[cold]
    pub(super) fn grow(&mut self) {
        let size = self.buckets.len() * GROWTH;
        let mut larger = Vec::new();
        if larger.try_reserve_exact(size).is_err() {
            self.growths = 0;
            return;
        }
        larger.resize_with(size, Bucket::default);
        let old = std::mem::replace(&mut self.buckets, larger);
        self.growths -= 1;
        for bucket in &old {
            for (key, data) in (0..BUCKET).map(|place| bucket.read(place)).filter(|(_, data)| *data != 0) {
                // A bucket's entries go to the buckets that come in its place, where nothing else comes: all have room.
                let to = &self.buckets[self.bucket(key)];
                if let Some(free) = (0..BUCKET).find(|&place| to.read(place).1 == 0) {
                    to.write(free, key, data);
                }
            }
        }
    }

    pub(super) fn save(&self, to: &mut Saver<'_>) -> saved::Result<()> {
        to.words([self.buckets.len() as u64, self.growths.into()])?;
        // As key ^ data and data: what is read must not depend on how buckets mask their words.
        let entries = self.buckets.iter().flat_map(|bucket| (0..BUCKET).map(|place| bucket.read(place)));
        to.words(entries.flat_map(|(key, data)| [key ^ data, data]))
    }

    /// Fills a [`new`](Table::new) table of the bytes of the table that was saved.
    pub(super) fn restore(&mut self, from: &mut Loader<'_>) -> saved::Result<()> {
        let (buckets, growths) = (from.word()?, from.word()?);
        let sizes = (0..=self.growths).map(|grown| (self.buckets.len() as u64 * (GROWTH as u64).pow(grown), grown));
        // A table that the system gave no more memory stopped growing early.
        let fits = |&(size, grown): &(u64, u32)| size == buckets && u64::from(grown) + growths <= self.growths.into();
        let Some((size, _)) = sizes.into_iter().find(fits) else { return Err(wrong("its table is of another size")) };
        let mut larger = Vec::new();
        larger.try_reserve_exact(size as usize).map_err(|_| wrong("the system has no memory for its table"))?;
        larger.resize_with(size as usize, Bucket::default);
        (self.buckets, self.growths) = (larger, growths as u32);
        let words = &self.buckets;
        let mut first = 0;
        from.words(size as usize * 2 * BUCKET, |at, word| match at % 2 {
            0 => first = word,
            _ => words[at / (2 * BUCKET)].write(at / 2 % BUCKET, first ^ word, word),
        })
    }

    #[inline(always)]
    fn bucket(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize
    }

    #[inline(always)]
    pub(super) fn prefetch(&self, key: u64) {
        crate::search::memory_hints::prefetch(&self.buckets[self.bucket(key)]);
    }

    #[inline(always)]
    pub(super) fn find(&self, key: u64) -> Option<Entry> {
        self.buckets[self.bucket(key)].find(key)
    }

    /// Adds what is known of a position to what was known before.
    #[inline(always)]
    pub(super) fn store(&self, key: u64, entry: Entry) -> Stored {
        self.buckets[self.bucket(key)].store(key, entry)
    }

    /// Makes the other entries in the bucket of `key` seem cheaper: what is never asked for again must not stay for ever.
    #[cold]
    pub(super) fn age(&self, key: u64) {
        self.buckets[self.bucket(key)].age(key);
    }
}

fn empty(buckets: usize) -> Vec<Bucket> {
    let mut list = Vec::new();
    list.resize_with(buckets, Bucket::default);
    list
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;
    use crate::rng::mix64;
    use crate::search::bucket::masked;

    fn entry(least: u8, most: u8, work: u64) -> Entry {
        Entry { known: Known { least, most }, tag: 7, work }
    }

    #[test]
    fn a_bucket_is_one_cache_line() {
        assert_eq!((size_of::<Bucket>(), align_of::<Bucket>()), (64, 64));
    }

    #[test]
    fn bounds_of_one_position_add_up() {
        let table = Table::new(0);
        assert_eq!(table.store(5, entry(1, 2, 10)), Stored::New);
        assert_eq!(table.store(5, Entry { tag: 0, ..entry(0, 1, 4) }), Stored::Again);
        assert_eq!(table.find(5), Some(entry(1, 1, 10)));
        assert_eq!(table.find(6), None);
        assert_eq!(table.find(0), None, "an empty place is no entry of the key 0");
    }

    #[test]
    fn bounds_answer_only_what_follows_from_them() {
        let answers = |least, most| [1, 2].map(|threshold| Known { least, most }.answer(threshold));
        assert_eq!(answers(0, 2), [None, None]);
        assert_eq!(answers(1, 2), [Some(true), None]);
        assert_eq!(answers(0, 1), [None, Some(false)]);
        assert_eq!(answers(1, 1), [Some(true), Some(false)]);
        assert_eq!(answers(2, 2), [Some(true), Some(true)]);
        assert_eq!(answers(0, 0), [Some(false), Some(false)]);
    }

    #[test]
    fn dear_entries_outlive_cheap_ones_and_age() {
        let table = Table::new(64);
        for key in 1..=3 {
            table.store(key, entry(0, 1, 1000));
        }
        for key in (10..100).map(mix64) {
            table.store(key, entry(2, 2, 1));
            assert!(table.find(key).is_some(), "the newest is always there");
        }
        assert!((1..=3).all(|key| table.find(key) == Some(entry(0, 1, 1000))));
        (0..100).for_each(|_| table.age(77));
        assert!((1..=3).all(|key| table.find(key).is_some_and(|old| old.work < 10 && old.known.most == 1)));
    }

    #[test]
    fn a_table_that_grows_loses_nothing_and_keeps_to_its_bytes() {
        let bytes = 64 * 100_000;
        let mut table = Table::new(bytes);
        let capacity = table.capacity() as usize;
        assert!(capacity * 16 * 5 / 4 <= bytes && capacity * 16 > bytes * 7 / 10, "{capacity}");
        let (mut filled, mut replaced) = (0, 0);
        for n in 0..100_000 {
            match table.store(mix64(n), entry(0, (n % 3) as u8, n + 1)) {
                Stored::New => filled += 1,
                Stored::Replaced => replaced += 1,
                Stored::Again => panic!("all keys differ"),
            }
            if table.is_crowded(filled) {
                table.grow();
            }
        }
        assert!(table.room() * GROWTH >= capacity, "{} of {capacity}", table.room());
        let kept = (0..100_000).filter(|&n| table.find(mix64(n)) == Some(entry(0, (n % 3) as u8, n + 1))).count();
        assert_eq!(kept as u64, filled);
        assert!(filled + replaced == 100_000 && filled > 90_000, "{filled} {replaced}");
    }

    #[test]
    fn a_table_is_saved_as_keys_xor_data_and_comes_back_as_it_was() {
        let table = Table::new(1 << 16);
        (1..500).for_each(|n| _ = table.store(mix64(n), entry(0, (n % 3) as u8, n)));
        let mut bytes = Vec::new();
        let mut saver = Saver::new(&mut bytes);
        table.save(&mut saver).and_then(|()| saver.flush()).expect("written");
        let words = bytes.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().expect("eight bytes")));
        let words: Vec<u64> = words.skip(2).collect();
        let pairs = words.chunks_exact(2).filter(|pair| pair[1] != 0);
        assert!(pairs.clone().all(|pair| table.find(pair[0] ^ pair[1]) == Some(Entry::from_data(pair[1]))));
        assert!(pairs.count() > 400);
        let mut restored = Table::new(1 << 16);
        restored.restore(&mut Loader::new(&mut &bytes[..])).expect("read");
        assert!((0..1000).map(mix64).all(|key| restored.find(key) == table.find(key)));
    }

    #[test]
    fn words_of_two_writers_are_no_entry() {
        let table = Table::new(0);
        table.store(5, entry(1, 2, 10));
        table.buckets[0].0[1].store(entry(2, 2, 10).data(), Ordering::Relaxed);
        assert_eq!(table.find(5), None);
    }

    /// Loads may return any word that was ever stored in a place: weaker than every memory model, so that what holds here
    /// holds for all orders in which threads run and processors reorder.
    #[test]
    fn whatever_words_of_several_writers_a_reader_meets_it_reads_an_entry_of_one_of_them_or_none() {
        let keys = [5, mix64(1), mix64(2), u64::MAX];
        let entries = [entry(0, 1, 1), entry(1, 1, 1), entry(0, 1, 1 << 40), entry(2, 2, 77)];
        let written: Vec<(u64, Entry)> = keys.iter().flat_map(|&key| entries.map(|entry| (key, entry))).collect();
        let mut read = 0;
        for (first, one) in &written {
            for (second, other) in &written {
                let table = Table::new(0);
                table.buckets[0].0[0].store(masked(*first, one.data()), Ordering::Relaxed);
                table.buckets[0].0[1].store(other.data(), Ordering::Relaxed);
                for key in keys {
                    if let Some(found) = table.find(key) {
                        assert!(key == *first && found == *one && one == other, "{key:x} {second:x}");
                        read += 1;
                    }
                }
            }
        }
        assert_eq!(read, written.len() * keys.len(), "the whole entries alone, each beside itself under every key");
    }

    /// Two writers and a reader of one bucket, which loom runs in every order with at most two preemptions.
    fn in_every_order(entries: [(u64, Entry); 2], check: fn(u64, Entry)) {
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
                for key in [5, 6] {
                    if let Some(found) = bucket.find(key) {
                        check(key, found);
                        reads.fetch_add(1, Ordering::Relaxed);
                    }
                }
            }));
            let writers = entries.map(|(key, entry)| start(Box::new(move |bucket| _ = bucket.store(key, entry))));
            writers.into_iter().chain([reader]).for_each(|thread| thread.join().expect("no panic"));
        });
        assert!(reads.load(Ordering::Relaxed) > 0, "in no order was an entry read");
    }

    #[test]
    fn a_reader_beside_two_writers_of_one_place_reads_an_entry_of_its_own_position_or_none() {
        const ONE: Entry = Entry { known: Known { least: 0, most: 1 }, tag: 7, work: 10 };
        const OTHER: Entry = Entry { known: Known { least: 2, most: 2 }, tag: 9, work: 20 };
        in_every_order([(5, ONE), (6, OTHER)], |key, found| {
            assert_eq!(found, if key == 5 { ONE } else { OTHER });
        });
    }

    #[test]
    fn a_reader_beside_two_writers_of_one_position_reads_bounds_that_one_of_them_knew() {
        const LEAST: Entry = Entry { known: Known { least: 1, most: 2 }, tag: 7, work: 10 };
        const MOST: Entry = Entry { known: Known { least: 0, most: 1 }, tag: 7, work: 20 };
        in_every_order([(5, LEAST), (5, MOST)], |key, found| {
            assert!(key == 5 && found.known.least <= 1 && found.known.most >= 1, "{found:?}");
            assert!(found.known != Known { least: 0, most: 2 });
        });
    }
}

//! A transposition table of proof numbers under a byte budget, which threads may share.
//!
//! ```text
//! bucket = one cache line of 4 entries;  entry = two words:  tag, work | numbers
//! numbers of an open position:    pn and dpn, neither of them 0
//! numbers of a decided position:  0 in place of pn (proven) or dpn (disproven), and the stamp in place of the other
//! ```
//! `stamp` is the order in which entries were decided, from 1 on: whatever a proof relies on has a smaller stamp than the
//! proof.
//! `work` is the number of expansions an entry cost, rounded to a short float. A full bucket replaces the entry that
//! cost least; if an old entry cost more than a new one, the old entry is aged, so that expensive results stay longest.
//!
//! A table starts small and grows as it fills, so that a short search stays in the caches and takes little memory.
//!
//! **Threads.** Words are atomic, and the first word of an entry is kept XOR a multiple of the second. A reader who finds
//! a new word beside an old one sees a tag of no position, or, if only the work differs, older numbers of its own position. A table
//! that forgets entries could give either answer.

use std::cmp::Ordering;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU32, AtomicU64};

use crate::search::memory_hints;
use crate::search::proof::{ProofNumber, ProofNumbers};
use crate::search::saved::{self, Loader, MOST, Saver, wrong};
use crate::search::word::Word;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub numbers: ProofNumbers,
    pub work: u32,
    /// Of decided entries, else 0.
    pub stamp: u32,
}

const BUCKET: usize = 4;
const WORDS: usize = 2 * BUCKET;
/// Bytes of an entry.
pub(crate) const ENTRY: usize = 16;
/// Buckets that a table starts with, at most.
const SMALL: usize = 2048;
/// How many times larger it becomes when a quarter of it is filled.
const GROWTH: usize = 4;
/// The part of the first word that is the work.
const WORK_BITS: u32 = 16;
const WORK: u64 = (1 << WORK_BITS) - 1;

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

/// The table. Empty entries are two words of 0.
#[derive(Debug, Default)]
pub(crate) struct Table {
    /// Buckets, from word number `first` on, where a cache line begins.
    words: Vec<AtomicU64>,
    first: usize,
    /// Buckets that it started with, and how many bits of a hash part them further: two for each growth.
    base: u64,
    bits: u32,
    /// How often it may still grow.
    growths: u32,
    /// Decided entries that were ever stored.
    decided: AtomicU32,
}

impl Table {
    /// An empty table that takes at most `bytes` in the end, but has room for one bucket in any case.
    pub(crate) fn reset(&mut self, bytes: usize) {
        // One cache line is lost to the alignment.
        let mut buckets = (bytes / (BUCKET * ENTRY)).saturating_sub(1).max(1);
        let mut growths = 0;
        while buckets > SMALL {
            buckets /= GROWTH;
            growths += 1;
        }
        *self = Self { base: buckets as u64, growths, ..Self::default() };
        self.words.resize_with((buckets + 1) * WORDS, AtomicU64::default);
        self.first = aligned(&self.words);
    }

    fn buckets(&self) -> usize {
        (self.base as usize) << self.bits
    }

    /// Entries there is room for in the end.
    pub(crate) fn capacity(&self) -> u64 {
        (self.buckets() * BUCKET * GROWTH.pow(self.growths)) as u64
    }

    /// Whether the table should [`grow`](Table::grow), with this many entries filled.
    #[inline(always)]
    pub(crate) fn is_crowded(&self, filled: u64) -> bool {
        self.growths > 0 && filled as usize > self.buckets() * BUCKET / GROWTH
    }

    /// Makes room where the table is. A bucket is spread over the buckets that come in its place, all of them further up,
    /// so that from the last to the first each finds its place empty.
    #[cold]
    pub(crate) fn grow(&mut self) {
        let before = self.buckets();
        let words = (before * GROWTH + 1) * WORDS;
        if self.words.try_reserve_exact(words - self.words.len()).is_err() {
            // The system has less memory than the budget allows: the table stays as it is.
            self.growths = 0;
            return;
        }
        memory_hints::prefer_huge_pages(self.words.spare_capacity_mut());
        self.words.resize_with(words, AtomicU64::default);
        self.align(before);
        self.growths -= 1;
        let (old_bits, new_bits) = (self.bits, self.bits + GROWTH.ilog2());
        self.bits = new_bits;
        for bucket in (0..before).rev() {
            let mut old = [[0; 2]; BUCKET];
            let from = self.first + bucket * WORDS;
            for (words, pair) in self.words[from..from + WORDS].chunks_exact_mut(2).zip(&mut old) {
                *pair = [std::mem::take(words[0].get_mut()), std::mem::take(words[1].get_mut())];
            }
            for [check, numbers] in old.into_iter().filter(|&[_, numbers]| numbers != 0) {
                // The tag is the low bits of the hash, those among them that part the buckets.
                let low = ((check ^ spread(numbers)) >> WORK_BITS) & ((1 << new_bits) - 1);
                let to = (bucket >> old_bits << new_bits) + low as usize;
                let free = self.words[self.first + to * WORDS..][..WORDS]
                    .chunks_exact_mut(2)
                    .find(|words| words[1].load(Relaxed) == 0);
                if let Some(words) = free {
                    (*words[0].get_mut(), *words[1].get_mut()) = (check, numbers);
                }
            }
        }
    }

    /// Moves the buckets to where cache lines begin. The system may have given the words another place in memory.
    fn align(&mut self, buckets: usize) {
        let (old, new) = (self.first, aligned(&self.words));
        let all = buckets * WORDS;
        let mut shift = |word: usize| {
            let value = std::mem::take(self.words[old + word].get_mut());
            *self.words[new + word].get_mut() = value;
        };
        // In the order in which no word is written over before it is moved.
        match new.cmp(&old) {
            Ordering::Less => (0..all).for_each(&mut shift),
            Ordering::Greater => (0..all).rev().for_each(&mut shift),
            Ordering::Equal => {}
        }
        self.first = new;
    }

    /// The words of the bucket of a key.
    #[inline(always)]
    fn bucket(&self, hash: u64) -> &[AtomicU64] {
        let base = ((hash >> 32) * self.base) >> 32;
        let bucket = base << self.bits | hash & ((1 << self.bits) - 1);
        &self.words[self.first + bucket as usize * WORDS..][..WORDS]
    }

    /// Asks the processor to fetch the bucket of a key that will be looked for soon.
    #[inline(always)]
    pub(crate) fn prefetch(&self, key: u64) {
        memory_hints::prefetch(&self.bucket(hash(key))[0]);
    }

    #[inline(always)]
    pub(crate) fn find(&self, key: u64, usage: &mut TableUse) -> Option<Entry> {
        usage.lookups += 1;
        let hash = hash(key);
        let found = find_in(self.bucket(hash), hash);
        usage.hits += u64::from(found.is_some());
        found
    }

    /// Stores the numbers of a position, which took so much work.
    #[inline]
    pub(crate) fn store(&self, key: u64, numbers: ProofNumbers, work: u64, usage: &mut TableUse) {
        let stamp = if numbers.is_decided() { self.decided.fetch_add(1, Relaxed).saturating_add(1) } else { 0 };
        self.write(key, Entry { numbers, work: u32::try_from(work).unwrap_or(u32::MAX), stamp }, usage);
    }

    /// Stores a disproof with a number in place of its stamp: for entries that no proof is read from.
    pub(crate) fn store_disproof(&self, key: u64, stamp: u32, work: u64, usage: &mut TableUse) {
        let work = u32::try_from(work).unwrap_or(u32::MAX);
        self.write(key, Entry { numbers: ProofNumbers::DISPROVEN, work, stamp }, usage);
    }

    fn write(&self, key: u64, new: Entry, usage: &mut TableUse) {
        let hash = hash(key);
        write_in(self.bucket(hash), hash, new, usage);
    }
}

/// The entry of a position in its bucket.
#[inline(always)]
fn find_in<W: Word>(bucket: &[W], hash: u64) -> Option<Entry> {
    let (_, entry) = bucket.chunks_exact(2).find_map(|words| read(words).filter(|&(tag, _)| tag == tag_of(hash)))?;
    Some(entry)
}

/// Puts an entry into the bucket of its position.
#[inline(always)]
fn write_in<W: Word>(bucket: &[W], hash: u64, new: Entry, usage: &mut TableUse) {
    let mut cheapest: (&[W], u32) = (&bucket[..2], u32::MAX);
    for words in bucket.chunks_exact(2) {
        match read(words) {
            Some((tag, old)) if tag == tag_of(hash) => {
                // What is decided stays so: a search that came on another way may not have seen it yet.
                if new.numbers.is_decided() || !old.numbers.is_decided() {
                    put(words, hash, Entry { work: new.work.max(old.work), ..new });
                }
                return;
            }
            Some((_, old)) if old.work >= cheapest.1 => {}
            Some((_, old)) => cheapest = (words, old.work),
            None if cheapest.1 == 0 => {}
            None => cheapest = (words, 0),
        }
    }
    let full = cheapest.1 > 0;
    usage.replaced += u64::from(full);
    usage.filled += u64::from(!full);
    put(cheapest.0, hash, new);
    // Ageing: what is never asked for again must not block its bucket for good.
    if full && usage.replaced % 8 == 1 {
        for words in bucket.chunks_exact(2) {
            let numbers = words[1].load();
            let first = words[0].load() ^ spread(numbers);
            let (tag, work) = (first >> WORK_BITS, long(first & WORK));
            if tag != tag_of(hash) {
                words[0].store((tag << WORK_BITS | short(work - work / 8)) ^ spread(numbers));
            }
        }
    }
}

impl TableUse {
    /// Both together.
    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            capacity: self.capacity + other.capacity,
            filled: self.filled + other.filled,
            lookups: self.lookups + other.lookups,
            hits: self.hits + other.hits,
            replaced: self.replaced + other.replaced,
        }
    }

    pub(crate) fn save(&self, to: &mut Saver<'_>) -> saved::Result<()> {
        to.words([self.filled, self.lookups, self.hits, self.replaced])
    }

    pub(crate) fn restore(capacity: u64, from: &mut Loader<'_>) -> saved::Result<Self> {
        let filled = from.at_most(capacity)?;
        let mut count = || from.at_most(MOST);
        Ok(Self { capacity, filled, lookups: count()?, hits: count()?, replaced: count()? })
    }
}

impl Table {
    pub(crate) fn save(&self, to: &mut Saver<'_>) -> saved::Result<()> {
        let decided = u64::from(self.decided.load(Relaxed));
        to.words([self.base, self.bits.into(), self.growths.into(), decided])?;
        to.words(self.words[self.first..][..self.buckets() * WORDS].iter().map(|word| word.load(Relaxed)))
    }

    /// Fills a table that was [`reset`](Table::reset) to the bytes of the table that was saved.
    pub(crate) fn restore(&mut self, from: &mut Loader<'_>) -> saved::Result<()> {
        let (base, bits, growths) = (from.word()?, from.word()?, from.word()?);
        let grown = bits / u64::from(GROWTH.ilog2());
        // A table that the system gave no more memory stopped growing early.
        if base != self.base || bits % u64::from(GROWTH.ilog2()) != 0 || grown + growths > self.growths.into() {
            return Err(wrong("its table is of another size"));
        }
        (self.bits, self.growths) = (bits as u32, growths as u32);
        self.decided = AtomicU32::new(from.at_most(u32::MAX.into())? as u32);
        let words = (self.buckets() + 1) * WORDS;
        self.words = Vec::new();
        self.words.try_reserve_exact(words).map_err(|_| wrong("the system has no memory for its table"))?;
        memory_hints::prefer_huge_pages(self.words.spare_capacity_mut());
        self.words.resize_with(words, AtomicU64::default);
        self.first = aligned(&self.words);
        let (first, buckets) = (self.first, self.buckets());
        from.words(buckets * WORDS, |at, word| *self.words[first + at].get_mut() = word)
    }
}

/// The first word that lies at the beginning of a cache line.
fn aligned(words: &[AtomicU64]) -> usize {
    words.as_ptr().align_offset(BUCKET * ENTRY).min(WORDS)
}

/// Spreads keys over all bits: those of a game may be small numbers.
#[inline(always)]
fn hash(key: u64) -> u64 {
    key.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

#[inline(always)]
fn tag_of(hash: u64) -> u64 {
    hash & (u64::MAX >> WORK_BITS)
}

/// The second word, spread over all bits: words of two writers must give another tag even if they differ in few bits.
#[inline(always)]
fn spread(numbers: u64) -> u64 {
    numbers.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The tag and the entry of two words, unless they are empty.
#[inline(always)]
fn read<W: Word>(words: &[W]) -> Option<(u64, Entry)> {
    let numbers = words[1].load();
    if numbers == 0 {
        return None;
    }
    let first = words[0].load() ^ spread(numbers);
    let (pn, dpn) = (numbers as u32, (numbers >> 32) as u32);
    let (numbers, stamp) = if pn == 0 {
        (ProofNumbers::PROVEN, dpn)
    } else if dpn == 0 {
        (ProofNumbers::DISPROVEN, pn)
    } else {
        (ProofNumbers { pn: ProofNumber::from_word(pn), dpn: ProofNumber::from_word(dpn) }, 0)
    };
    Some((first >> WORK_BITS, Entry { numbers, work: long(first & WORK), stamp }))
}

fn put<W: Word>(words: &[W], hash: u64, entry: Entry) {
    let Entry { numbers, work, stamp } = entry;
    let stamp = u64::from(stamp.max(1));
    let numbers = if numbers.is_proven() {
        stamp << 32
    } else if numbers.is_disproven() {
        stamp
    } else {
        u64::from(numbers.pn.word()) | u64::from(numbers.dpn.word()) << 32
    };
    words[0].store((tag_of(hash) << WORK_BITS | short(work.max(1))) ^ spread(numbers));
    words[1].store(numbers);
}

/// A number in 16 bits: exact below 1024, else its nine leading bits behind the first.
fn short(work: u32) -> u64 {
    if work < 1024 {
        return work.into();
    }
    let shift = 22 - work.leading_zeros();
    u64::from(512 + shift * 512 + (work >> shift) - 512)
}

fn long(short: u64) -> u32 {
    if short < 1024 {
        return short as u32;
    }
    let (shift, digits) = ((short - 512) / 512, (short - 512) % 512 + 512);
    // Words of two writers may name a shift that no number of positions has.
    (digits << shift.min(22)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::mix64;

    fn table(bytes: usize) -> (Table, TableUse) {
        let mut table = Table::default();
        table.reset(bytes);
        (table, TableUse::default())
    }

    #[test]
    fn work_is_kept_to_three_digits_and_in_order() {
        let mut before = 0;
        for work in (0..5000).chain((5000..u32::MAX).step_by(9_999_991)).chain([u32::MAX]) {
            let kept = long(short(work));
            assert!(kept <= work && u64::from(work - kept) * 512 <= u64::from(work), "{work} became {kept}");
            assert!(kept >= before, "{work}");
            before = kept;
        }
        assert!(short(u32::MAX) <= WORK);
    }

    #[test]
    fn what_was_stored_is_found_and_dear_entries_outlive_cheap_ones() {
        let (table, mut usage) = table(ENTRY * 4 * 51);
        let dear: Vec<u64> = (0..40).map(mix64).collect();
        for &key in &dear {
            table.store(key, ProofNumbers::PROVEN, 1 << 20, &mut usage);
        }
        for key in (1000..3000).map(mix64) {
            table.store(key, ProofNumbers::UNKNOWN, 1, &mut usage);
            let found = table.find(key, &mut usage).map(|found| found.numbers);
            assert_eq!(found, Some(ProofNumbers::UNKNOWN), "the newest is always there");
        }
        let found: Vec<Entry> = dear.iter().filter_map(|&key| table.find(key, &mut usage)).collect();
        let left = found.iter().filter(|found| found.work == 1 << 20).count();
        let kept = found.len();
        assert!(kept >= 36 && left <= kept, "{kept} of 40 dear entries are left");
        assert!(usage.filled <= 200 && usage.replaced > 1000);
    }

    #[test]
    fn a_table_that_grows_loses_nothing_and_ends_at_its_limit() {
        let bytes = ENTRY * 4 * 100_000;
        let (mut table, mut usage) = table(bytes);
        let capacity = table.capacity();
        assert!(capacity as usize * ENTRY <= bytes && capacity > 390_000);
        for n in 0..100_000u32 {
            let numbers = ProofNumbers { pn: ProofNumber::finite(n + 1), dpn: ProofNumber::ONE };
            if table.is_crowded(usage.filled) {
                table.grow();
            }
            table.store(mix64(n.into()), numbers, u64::from(n) + 1, &mut usage);
        }
        assert_eq!((table.buckets() * BUCKET) as u64, capacity, "it has grown to the end");
        assert!(table.words.capacity() * 8 <= bytes);
        let found = |n: u32| table.find(mix64(n.into()), &mut TableUse::default());
        let kept = (0..100_000).filter(|&n| found(n).is_some_and(|e| e.numbers.pn == ProofNumber::finite(n + 1)));
        let kept = kept.count() as u64;
        assert!(kept == usage.filled && kept > 99_000 && kept + usage.replaced == 100_000, "{kept}, {usage:?}");
    }

    #[test]
    fn entries_are_found_after_the_words_have_moved_in_memory() {
        let (mut table, mut usage) = table(ENTRY * 4 * 500);
        (0..1000).for_each(|key| table.store(key, ProofNumbers::PROVEN, 1, &mut usage));
        let found =
            |table: &Table| (0..1000).filter(|&key| table.find(key, &mut TableUse::default()).is_some()).count();
        let before = found(&table);
        assert!(before > 900);
        let right = table.first;
        for wrong in (0..=WORDS).filter(|&wrong| wrong != right) {
            // As if the words had begun elsewhere: the buckets are at another offset, and must come back.
            let buckets = table.buckets() * WORDS;
            let words: Vec<u64> = table.words[right..right + buckets].iter().map(|word| word.load(Relaxed)).collect();
            table.words.iter_mut().for_each(|word| *word.get_mut() = 0);
            for (word, value) in table.words[wrong..].iter_mut().zip(words) {
                *word.get_mut() = value;
            }
            table.first = wrong;
            assert_eq!(found(&table), before, "only the offset is another");
            table.align(table.buckets());
            assert_eq!((found(&table), table.first), (before, right), "from {wrong}");
        }
    }

    #[test]
    fn keys_that_are_small_numbers_are_spread_over_the_table() {
        let (table, mut usage) = table(ENTRY * 4 * 1000);
        (0..2000).for_each(|key| table.store(key, ProofNumbers::UNKNOWN, 1, &mut usage));
        assert!(usage.replaced < 300, "{usage:?}");
    }

    #[test]
    fn the_smallest_table_still_works() {
        let (table, mut usage) = table(0);
        table.store(7, ProofNumbers::DISPROVEN, 3, &mut usage);
        table.store(9, ProofNumbers::PROVEN, 1, &mut usage);
        table.store(7, ProofNumbers::UNKNOWN, 5, &mut usage);
        let entry = |numbers, work, stamp| Some(Entry { numbers, work, stamp });
        assert_eq!(table.find(7, &mut usage), entry(ProofNumbers::DISPROVEN, 3, 1), "what is decided stays so");
        assert_eq!(table.find(9, &mut usage), entry(ProofNumbers::PROVEN, 1, 2), "decided after the other");
        assert_eq!(table.find(8, &mut usage), None);
    }

    /// Loads may return any word that was ever stored in a place: weaker than every memory model, so that what holds here
    /// holds for all orders in which threads run and processors reorder.
    #[test]
    fn whatever_words_of_several_writers_a_reader_meets_numbers_are_those_of_its_own_position() {
        let keys = [5, mix64(1), mix64(2), u64::MAX];
        let open = |pn, dpn| ProofNumbers { pn: ProofNumber::finite(pn), dpn: ProofNumber::finite(dpn) };
        let mut written = Vec::new();
        for (at, key) in (0..).zip(keys) {
            let all =
                [open(7 + at, 1), open(7 + at, 2), open(1, 1000 + at), ProofNumbers::PROVEN, ProofNumbers::DISPROVEN];
            for (numbers, work) in all.into_iter().flat_map(|numbers| [(numbers, 1), (numbers, 5000)]) {
                let (one, mut usage) = table(0);
                // Open numbers of one position next to stamps of another one, and numbers that differ in few bits.
                one.decided.store(at, Relaxed);
                one.store(key, numbers, work, &mut usage);
                let words = [0, 1].map(|word| one.words[one.first + word].load(Relaxed));
                written.push((key, numbers, words));
            }
        }
        let mut mixed = 0;
        for (_, _, [first, _]) in &written {
            for (owner, numbers, [_, second]) in &written {
                let (one, _) = table(0);
                one.words[one.first].store(*first, Relaxed);
                one.words[one.first + 1].store(*second, Relaxed);
                for key in keys {
                    if let Some(found) = one.find(key, &mut TableUse::default()) {
                        let own =
                            |(other, _, words): &(u64, ProofNumbers, [u64; 2])| *other == key && words[1] == *second;
                        assert!(
                            written.iter().any(own) && found.numbers == *numbers,
                            "{key:x} reads what {owner:x} has"
                        );
                        mixed += 1;
                    }
                }
            }
        }
        assert!(mixed >= written.len(), "{mixed}");
    }

    /// Loom runs a reader and two writers in every order with at most two preemptions.
    #[test]
    fn a_reader_beside_two_writers_reads_numbers_of_its_own_position_or_none() {
        type Words = Vec<loom::sync::atomic::AtomicU64>;
        const OPEN: ProofNumbers = ProofNumbers { pn: ProofNumber::finite(7), dpn: ProofNumber::finite(3) };
        const WRITTEN: [(u64, ProofNumbers); 2] = [(5, OPEN), (6, ProofNumbers::PROVEN)];
        let reads = std::sync::Arc::new(AtomicU32::new(0));
        let counted = std::sync::Arc::clone(&reads);
        let mut orders = loom::model::Builder::new();
        orders.preemption_bound = Some(2);
        orders.check(move || {
            let words: Words = (0..WORDS).map(|_| Default::default()).collect();
            let bucket = loom::sync::Arc::new(words);
            let start = |work: Box<dyn FnOnce(&Words) + Send>| {
                let bucket = loom::sync::Arc::clone(&bucket);
                loom::thread::spawn(move || work(&bucket))
            };
            let reads = std::sync::Arc::clone(&counted);
            let reader = start(Box::new(move |bucket| {
                for (key, numbers) in WRITTEN {
                    if let Some(found) = find_in(bucket, hash(key)) {
                        assert_eq!(found.numbers, numbers, "of position {key}");
                        reads.fetch_add(1, Relaxed);
                    }
                }
            }));
            let writers = WRITTEN.map(|(key, numbers)| {
                start(Box::new(move |bucket| {
                    let entry = Entry { numbers, work: 1, stamp: 1 };
                    write_in(bucket, hash(key), entry, &mut TableUse::default());
                }))
            });
            writers.into_iter().chain([reader]).for_each(|thread| thread.join().expect("no panic"));
        });
        assert!(reads.load(Relaxed) > 0, "in no order was an entry read");
    }
}

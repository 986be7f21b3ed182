//! The transposition table of the playing search: 16 bytes an entry, one cache line a bucket.
//!
//! ```text
//! entry = key | score (16 bits) | depth (8 bits) | bound (2 bits) | move (16 bits) | age (6 bits)
//! ```
//! The first entries of a bucket keep what was searched deepest, less for every search since; the last one takes whatever
//! found no place among them.
//! A table starts small and grows as it fills, so that a short search asks the system for little.

use crate::search::memory_hints;

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

    fn from_data(data: u64) -> Self {
        let bound = match data >> 24 & 3 {
            0 => Bound::Exact,
            1 => Bound::Least,
            _ => Bound::Most,
        };
        Self { score: data as u16 as i16, depth: (data >> 16) as u8, bound, tag: (data >> 32) as u16 }
    }
}

const BUCKET: usize = 4;

#[derive(Clone, Debug, Default)]
#[repr(align(64))]
struct Bucket([(u64, u64); BUCKET]);

/// Buckets that a table starts with, at most, and how many times larger it becomes when half of it is filled.
const SMALL: usize = 1024;
const GROWTH: usize = 4;

#[derive(Debug, Default)]
pub(super) struct Table {
    buckets: Vec<Bucket>,
    most: usize,
    filled: usize,
    /// The search that writes entries now, in the bits of [`AGE`].
    age: u64,
}

/// Where an entry says which search wrote it; and what an entry loses in depth for every search since.
const AGE: u32 = 48;
const AGES: u64 = 63;
const DEPTH_OF_AGE: i32 = 4;

impl Table {
    /// Empties the table, which never takes more than `bytes` from now on, not even while it grows and the smaller table
    /// is still there, but has room for one bucket in any case.
    pub(super) fn reset(&mut self, bytes: usize) {
        self.most = (bytes / size_of::<Bucket>() / (GROWTH + 1) * GROWTH).max(1);
        self.buckets = vec![Bucket::default(); SMALL.min(self.most)];
        (self.filled, self.age) = (0, 0);
    }

    /// The next search begins.
    pub(super) fn age(&mut self) {
        self.age = (self.age + 1) & AGES;
    }

    /// What it would be a pity to lose.
    fn worth(&self, data: u64) -> i32 {
        let age = self.age.wrapping_sub(data >> AGE) & AGES;
        i32::from(Entry::from_data(data).depth) - DEPTH_OF_AGE * age as i32
    }

    /// Bytes that the table takes.
    pub(super) fn bytes(&self) -> usize {
        self.buckets.len() * size_of::<Bucket>()
    }

    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize
    }

    #[inline(always)]
    pub(super) fn find(&self, key: u64) -> Option<Entry> {
        let bucket = &self.buckets[self.index(key)];
        let found = bucket.0.iter().find(|(other, data)| *other == key && *data != 0);
        found.map(|&(_, data)| Entry::from_data(data))
    }

    #[inline(always)]
    pub(super) fn store(&mut self, key: u64, entry: Entry) {
        let at = self.index(key);
        let places = &self.buckets[at].0;
        let own = places.iter().position(|(other, data)| *other == key && *data != 0);
        let place = own.or_else(|| places.iter().position(|(_, data)| *data == 0)).unwrap_or_else(|| {
            let shallow = (0..BUCKET - 1).min_by_key(|&place| self.worth(places[place].1)).unwrap_or(0);
            if self.worth(places[shallow].1) <= entry.depth.into() { shallow } else { BUCKET - 1 }
        });
        self.filled += usize::from(places[place].1 == 0);
        self.buckets[at].0[place] = (key, entry.data() | self.age << AGE);
        if self.filled > self.buckets.len() * BUCKET / 2 && self.buckets.len() < self.most {
            self.grow();
        }
    }

    /// Makes the table larger. If the system has less memory than the budget allows, it stays as it is.
    #[cold]
    fn grow(&mut self) {
        let size = (self.buckets.len() * GROWTH).min(self.most);
        let mut larger = Vec::new();
        if larger.try_reserve_exact(size).is_err() {
            self.most = self.buckets.len();
            return;
        }
        memory_hints::prefer_huge_pages(larger.spare_capacity_mut());
        larger.resize(size, Bucket::default());
        let old = std::mem::replace(&mut self.buckets, larger);
        self.filled = 0;
        for &(key, data) in old.iter().flat_map(|bucket| &bucket.0).filter(|(_, data)| *data != 0) {
            self.store(key, Entry::from_data(data));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::mix64;

    #[test]
    fn entries_come_back_as_they_were_stored_and_deep_ones_outlive_shallow_ones() {
        let mut table = Table::default();
        table.reset(1 << 16);
        assert_eq!((size_of::<Bucket>(), table.find(0)), (64, None));
        let deep = |n: u64| Entry { score: -(n as i16) - 1, depth: 200, bound: Bound::Least, tag: 65_535 };
        (0..1000).for_each(|n| table.store(mix64(n), deep(n)));
        let kept: Vec<u64> = (0..1000).filter(|&n| table.find(mix64(n)) == Some(deep(n))).collect();
        assert!(kept.len() > 800, "{}", kept.len());
        for n in 1000..100_000 {
            let shallow = Entry { score: 3, depth: 1, bound: Bound::Most, tag: 0 };
            table.store(mix64(n), shallow);
            assert_eq!(table.find(mix64(n)), Some(shallow), "the newest entry is always there");
        }
        let left = kept.iter().filter(|&&n| table.find(mix64(n)) == Some(deep(n))).count();
        assert!(left * 4 >= kept.len() * 3, "{left} of {}", kept.len());
        assert!(table.bytes() <= 1 << 16);
    }
}

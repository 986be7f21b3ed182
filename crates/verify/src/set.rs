//! The set of positions that a certificate lists: exact, and lean.
//!
//! Texts are kept whole and compared whole. A hash of 128 bits under a secret key would take half the room and would be
//! wrong about never; but a proof that is true "but for chance" is not what a verifier is for, and its reader would have
//! to believe in the hash as well as in the rules.
//!
//! ```text
//!  chunks   [len text len text …] [len text …] …     256 KiB each, len = two bytes; filled in order, never moved
//!  table    slot = 24 bits of the hash | 40 bits: place of the text + 1; 0 = empty; open addressing, at most 3/4 full
//!  place  = chunk number * 256 KiB + byte in the chunk
//! ```
//! About 16 bytes a position beside its text. The hash is keyed at random, so that nobody can write a certificate whose
//! positions all fall into one place.

use std::hash::{BuildHasher, RandomState};

const CHUNK: usize = 1 << 18;
const PLACE_BITS: u32 = 40;
const SMALLEST_TABLE: usize = 1 << 10;

/// There is no room left under the limit.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Full;

/// A set of texts that remembers their order.
pub(crate) struct PositionSet<S = RandomState> {
    hasher: S,
    chunks: Vec<Vec<u8>>,
    table: Vec<u64>,
    len: usize,
    limit: u64,
}

/// A place in the order in which texts were added.
#[derive(Default)]
pub(crate) struct Cursor {
    chunk: usize,
    byte: usize,
}

impl PositionSet {
    /// An empty set that takes at most `limit` bytes.
    pub(crate) fn new(limit: u64) -> Self {
        Self::with_hasher(limit, RandomState::new())
    }
}

impl<S: BuildHasher> PositionSet<S> {
    fn with_hasher(limit: u64, hasher: S) -> Self {
        Self { hasher, chunks: Vec::new(), table: Vec::new(), len: 0, limit }
    }

    /// Bytes taken.
    pub(crate) fn bytes(&self) -> u64 {
        (self.chunks.len() * CHUNK + self.table.len() * size_of::<u64>()) as u64
    }

    /// Whether `bytes` more, for a while, stay under the limit.
    pub(crate) fn has_room_for(&self, bytes: usize) -> bool {
        self.bytes().saturating_add(bytes as u64) <= self.limit
    }

    pub(crate) fn contains(&self, text: &str) -> bool {
        !self.table.is_empty() && self.table[self.slot(text.as_bytes(), self.hash(text.as_bytes()))] != 0
    }

    /// Adds a text; `false` if it was there already. After an error the set is what it was.
    pub(crate) fn insert(&mut self, text: &str) -> Result<bool, Full> {
        if (self.len + 1) * 4 > self.table.len() * 3 {
            self.grow()?;
        }
        let text = text.as_bytes();
        let hash = self.hash(text);
        let slot = self.slot(text, hash);
        if self.table[slot] != 0 {
            return Ok(false);
        }
        let place = self.store(text)?;
        self.table[slot] = tag(hash) | (place + 1);
        self.len += 1;
        Ok(true)
    }

    /// Whether `text` is the one at the cursor, which then moves on to the next.
    pub(crate) fn next_is(&self, cursor: &mut Cursor, text: &str) -> bool {
        if self.chunks.get(cursor.chunk).is_some_and(|chunk| cursor.byte == chunk.len()) {
            *cursor = Cursor { chunk: cursor.chunk + 1, byte: 0 };
        }
        if cursor.chunk >= self.chunks.len() {
            return false;
        }
        let stored = self.text_at(cursor.chunk, cursor.byte);
        cursor.byte += 2 + stored.len();
        stored == text.as_bytes()
    }

    fn hash(&self, text: &[u8]) -> u64 {
        self.hasher.hash_one(text)
    }

    /// Where `text` is in the table, or the empty slot where it would be.
    fn slot(&self, text: &[u8], hash: u64) -> usize {
        let mask = self.table.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let slot = self.table[at];
            if slot == 0 || (slot >> PLACE_BITS == hash >> PLACE_BITS && self.text_of(slot) == text) {
                return at;
            }
            at = (at + 1) & mask;
        }
    }

    /// The text that a slot in use points to.
    fn text_of(&self, slot: u64) -> &[u8] {
        let place = ((slot & ((1 << PLACE_BITS) - 1)) - 1) as usize;
        self.text_at(place / CHUNK, place % CHUNK)
    }

    fn text_at(&self, chunk: usize, byte: usize) -> &[u8] {
        let chunk = &self.chunks[chunk];
        let len = usize::from(u16::from_le_bytes([chunk[byte], chunk[byte + 1]]));
        &chunk[byte + 2..byte + 2 + len]
    }

    /// Appends a text to the chunks and says where. Lines are bounded, so that every text fits; a longer one is refused.
    fn store(&mut self, text: &[u8]) -> Result<u64, Full> {
        let len = u16::try_from(text.len()).map_err(|_| Full)?;
        if self.chunks.last().is_none_or(|chunk| chunk.len() + 2 + text.len() > CHUNK) {
            if !self.has_room_for(CHUNK) || (self.chunks.len() as u64 + 1) * CHUNK as u64 >= 1 << PLACE_BITS {
                return Err(Full);
            }
            self.chunks.push(Vec::with_capacity(CHUNK));
        }
        let number = self.chunks.len() - 1;
        let chunk = &mut self.chunks[number];
        let place = number * CHUNK + chunk.len();
        chunk.extend_from_slice(&len.to_le_bytes());
        chunk.extend_from_slice(text);
        Ok(place as u64)
    }

    /// Doubles the table; for a moment both are there.
    fn grow(&mut self) -> Result<(), Full> {
        let size = (self.table.len() * 2).max(SMALLEST_TABLE);
        if !self.has_room_for(size * size_of::<u64>()) {
            return Err(Full);
        }
        let old = std::mem::replace(&mut self.table, vec![0; size]);
        for slot in old.into_iter().filter(|&slot| slot != 0) {
            let mut at = self.hash(self.text_of(slot)) as usize & (size - 1);
            while self.table[at] != 0 {
                at = (at + 1) & (size - 1);
            }
            self.table[at] = slot;
        }
        Ok(())
    }
}

fn tag(hash: u64) -> u64 {
    hash >> PLACE_BITS << PLACE_BITS
}

#[cfg(test)]
mod tests {
    use std::hash::Hasher;

    use super::*;

    #[test]
    fn texts_are_found_once_added_and_not_before() {
        let mut set = PositionSet::new(u64::MAX);
        let mut cursor = Cursor::default();
        assert!(!set.contains("0") && !set.next_is(&mut cursor, "0"));
        for n in 0..50_000u32 {
            let text = n.to_string();
            assert!(!set.contains(&text), "{n}");
            assert_eq!((set.insert(&text), set.insert(&text)), (Ok(true), Ok(false)), "{n}");
            assert!(set.contains(&text), "{n}");
        }
        assert!((0..50_000).all(|n: u32| set.contains(&n.to_string())) && !set.contains("50000") && !set.contains(""));
        assert!((0..50_000).all(|n: u32| set.next_is(&mut cursor, &n.to_string())), "in the order of adding");
        assert!(!set.next_is(&mut cursor, "0") && set.chunks.len() > 1);
    }

    #[test]
    fn texts_that_differ_in_one_byte_or_in_length_are_different() {
        let mut set = PositionSet::new(u64::MAX);
        let long = "x".repeat(usize::from(u16::MAX));
        for text in ["", "a", "b", "aa", "a\0", "\0a", &long[1..], &long] {
            assert_eq!((set.contains(text), set.insert(text), set.insert(text)), (false, Ok(true), Ok(false)));
        }
        assert_eq!(set.insert(&"x".repeat(usize::from(u16::MAX) + 1)), Err(Full));
    }

    /// A hash that is the same for all.
    struct Constant;

    impl BuildHasher for Constant {
        type Hasher = Constant;
        fn build_hasher(&self) -> Constant {
            Constant
        }
    }

    impl Hasher for Constant {
        fn write(&mut self, _: &[u8]) {}
        fn finish(&self) -> u64 {
            0x1234_5678_9abc_def0
        }
    }

    #[test]
    fn texts_are_told_apart_though_their_hashes_are_equal() {
        let mut set = PositionSet::with_hasher(u64::MAX, Constant);
        for n in 1000..2000u32 {
            let text = n.to_string();
            assert_eq!(
                (set.contains(&text), set.insert(&text), set.insert(&text)),
                (false, Ok(true), Ok(false)),
                "{n}"
            );
        }
        assert!((1000..2000u32).all(|n| set.contains(&n.to_string())) && !set.contains("2000"));
    }

    #[test]
    fn the_limit_is_kept_and_what_is_in_stays_in() {
        let mut set = PositionSet::new(600_000);
        let added = (0..).take_while(|n: &u32| set.insert(&format!("position {n}")).is_ok()).count();
        assert!(added > 10_000 && set.bytes() <= 600_000, "{added} texts in {} bytes", set.bytes());
        assert!((0..added).all(|n| set.contains(&format!("position {n}"))));
        assert!(!set.contains(&format!("position {added}")));
        assert_eq!(PositionSet::new(1000).insert("a"), Err(Full));
    }
}

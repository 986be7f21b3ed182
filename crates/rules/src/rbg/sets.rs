//! Sets of cells as bits in words of a size fixed at compile time.

use std::cell::RefCell;
use std::fmt::Debug;

use plyproof_core::select_bit;

use super::engine::Scratch;

/// A set of cells.
pub trait Set: Copy + PartialEq + Debug + Send + Sync + 'static {
    /// Words of 64 bits.
    const WORDS: usize;
    /// No cell.
    const EMPTY: Self;

    fn single(bit: usize) -> Self;
    fn from_words(words: &[u64]) -> Self;
    fn word(self, index: usize) -> u64;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn and_not(self, other: Self) -> Self;
    /// Every bit moved up by this many places, or down if negative. Never as far as the whole set.
    fn shifted(self, by: i32) -> Self;
    /// As [`shifted`](Self::shifted), by any number of places.
    fn shifted_far(self, by: i32) -> Self {
        self.shifted(by)
    }
    fn is_empty(self) -> bool;
    fn has(self, bit: usize) -> bool;
    fn insert(&mut self, bit: usize);
    fn remove(&mut self, bit: usize);
    fn count(self) -> u32;
    /// Whether there is exactly one bit.
    #[inline(always)]
    fn is_single(self) -> bool {
        self.count() == 1
    }
    /// The lowest bit; the set is not empty.
    fn first(self) -> usize;
    /// The highest bit; the set is not empty.
    fn last(self) -> usize;
    /// The `n`-th bit, counted from 0; the set has more.
    fn nth(self, n: u32) -> usize;
    /// Lends working memory that outlives the call.
    fn with_scratch<R>(work: impl FnOnce(&mut Scratch<Self>) -> R) -> R;
}

/// The bits of a set in rising order.
pub fn bits<S: Set>(set: S) -> impl Iterator<Item = usize> {
    (0..S::WORDS).flat_map(move |index| {
        let mut word = set.word(index);
        std::iter::from_fn(move || {
            if word == 0 {
                return None;
            }
            let bit = word.trailing_zeros() as usize;
            word &= word - 1;
            Some(index * 64 + bit)
        })
    })
}

macro_rules! scratch {
    () => {
        fn with_scratch<R>(work: impl FnOnce(&mut Scratch<Self>) -> R) -> R {
            thread_local! {
                static SCRATCH: RefCell<Scratch<SetType>> = RefCell::new(Scratch::default());
            }
            SCRATCH.with(|scratch| match scratch.try_borrow_mut() {
                Ok(mut scratch) => work(&mut scratch),
                Err(_) => work(&mut Scratch::default()),
            })
        }
    };
}

macro_rules! integer_set {
    ($integer:ty, $words:expr, $module:ident) => {
        mod $module {
            use super::*;
            type SetType = $integer;
            impl Set for $integer {
                const WORDS: usize = $words;
                const EMPTY: Self = 0;

                #[inline(always)]
                fn single(bit: usize) -> Self {
                    1 << bit
                }
                fn from_words(words: &[u64]) -> Self {
                    words.iter().take($words).rev().fold(0, |set, &word| (set << 63 << 1) | Self::from(word))
                }
                #[inline(always)]
                fn word(self, index: usize) -> u64 {
                    (self >> (64 * index)) as u64
                }
                #[inline(always)]
                fn and(self, other: Self) -> Self {
                    self & other
                }
                #[inline(always)]
                fn or(self, other: Self) -> Self {
                    self | other
                }
                #[inline(always)]
                fn and_not(self, other: Self) -> Self {
                    self & !other
                }
                #[inline(always)]
                fn shifted(self, by: i32) -> Self {
                    if by >= 0 { self << by } else { self >> -by }
                }
                #[inline(always)]
                fn is_empty(self) -> bool {
                    self == 0
                }
                #[inline(always)]
                fn has(self, bit: usize) -> bool {
                    self >> bit & 1 != 0
                }
                #[inline(always)]
                fn insert(&mut self, bit: usize) {
                    *self |= 1 << bit;
                }
                #[inline(always)]
                fn remove(&mut self, bit: usize) {
                    *self &= !(1 << bit);
                }
                #[inline(always)]
                fn count(self) -> u32 {
                    self.count_ones()
                }
                #[inline(always)]
                fn is_single(self) -> bool {
                    self != 0 && self & (self - 1) == 0
                }
                #[inline(always)]
                fn first(self) -> usize {
                    self.trailing_zeros() as usize
                }
                #[inline(always)]
                fn last(self) -> usize {
                    (<$integer>::BITS - 1 - self.leading_zeros()) as usize
                }
                #[inline]
                fn nth(self, mut n: u32) -> usize {
                    for index in 0..$words {
                        let count = self.word(index).count_ones();
                        if n < count {
                            return index * 64 + select_bit(self.word(index), n as usize);
                        }
                        n -= count;
                    }
                    0
                }
                scratch!();
            }
        }
    };
}

integer_set!(u64, 1, one_word);
integer_set!(u128, 2, two_words);

macro_rules! wide_set {
    ($words:expr, $module:ident) => {
        mod $module {
            use super::*;
            type SetType = [u64; $words];
            impl Set for [u64; $words] {
                const WORDS: usize = $words;
                const EMPTY: Self = [0; $words];

                #[inline(always)]
                fn single(bit: usize) -> Self {
                    let mut set = Self::EMPTY;
                    set[bit / 64] = 1 << (bit % 64);
                    set
                }
                fn from_words(words: &[u64]) -> Self {
                    std::array::from_fn(|index| words.get(index).copied().unwrap_or(0))
                }
                #[inline(always)]
                fn word(self, index: usize) -> u64 {
                    self[index]
                }
                #[inline(always)]
                fn and(self, other: Self) -> Self {
                    std::array::from_fn(|index| self[index] & other[index])
                }
                #[inline(always)]
                fn or(self, other: Self) -> Self {
                    std::array::from_fn(|index| self[index] | other[index])
                }
                #[inline(always)]
                fn and_not(self, other: Self) -> Self {
                    std::array::from_fn(|index| self[index] & !other[index])
                }
                #[inline(always)]
                fn shifted(self, by: i32) -> Self {
                    // Nearly always less than a word.
                    if (0..64).contains(&by) {
                        let mut set = Self::EMPTY;
                        set[0] = self[0] << by;
                        for index in 1..$words {
                            set[index] = self[index] << by | self[index - 1] >> 1 >> (63 - by);
                        }
                        return set;
                    }
                    if (-63..0).contains(&by) {
                        let mut set = Self::EMPTY;
                        for index in 0..$words - 1 {
                            set[index] = self[index] >> -by | self[index + 1] << 1 << (63 + by);
                        }
                        set[$words - 1] = self[$words - 1] >> -by;
                        return set;
                    }
                    self.shifted_far(by)
                }
                #[inline(never)]
                fn shifted_far(self, by: i32) -> Self {
                    let (words, bits) = (by.unsigned_abs() as usize / 64, by.unsigned_abs() % 64);
                    let at = |index: usize| self.get(index).copied().unwrap_or(0);
                    std::array::from_fn(|index| {
                        if by >= 0 {
                            let near = at(index.wrapping_sub(words)) << bits;
                            near | at(index.wrapping_sub(words + 1)) >> 1 >> (63 - bits)
                        } else {
                            at(index + words) >> bits | at(index + words + 1) << 1 << (63 - bits)
                        }
                    })
                }
                #[inline(always)]
                fn is_empty(self) -> bool {
                    self.iter().fold(0, |all, word| all | word) == 0
                }
                #[inline(always)]
                fn has(self, bit: usize) -> bool {
                    self[bit / 64] >> (bit % 64) & 1 != 0
                }
                #[inline(always)]
                fn insert(&mut self, bit: usize) {
                    self[bit / 64] |= 1 << (bit % 64);
                }
                #[inline(always)]
                fn remove(&mut self, bit: usize) {
                    self[bit / 64] &= !(1 << (bit % 64));
                }
                #[inline(always)]
                fn count(self) -> u32 {
                    self.iter().map(|word| word.count_ones()).sum()
                }
                #[inline]
                fn first(self) -> usize {
                    let index = self.iter().position(|&word| word != 0).unwrap_or(0);
                    index * 64 + self[index].trailing_zeros() as usize % 64
                }
                #[inline]
                fn last(self) -> usize {
                    let index = self.iter().rposition(|&word| word != 0).unwrap_or(0);
                    index * 64 + 63 - (self[index].leading_zeros() as usize).min(63)
                }
                #[inline]
                fn nth(self, mut n: u32) -> usize {
                    for (index, &word) in self.iter().enumerate() {
                        let count = word.count_ones();
                        if n < count {
                            return index * 64 + select_bit(word, n as usize);
                        }
                        n -= count;
                    }
                    0
                }
                scratch!();
            }
        }
    };
}

wide_set!(4, four_words);
wide_set!(6, six_words);
wide_set!(20, twenty_words);

//! Features of positions: what a learned evaluation sees of them.

use crate::game::Game;
use crate::rng::mix64;

/// The features that [`from_text`] tells apart.
pub(crate) const TEXT_FEATURES: usize = 4096;

/// A set of features, each a number below a count that all positions of a game share: a bit for each.
///
/// As bits, so that two positions are compared a word at a time: a network updates what it computed for one of them by
/// the few features in which the other differs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Features {
    words: Vec<u64>,
    count: usize,
}

impl Features {
    /// Empties the set, for features below `count`.
    #[inline]
    pub fn reset(&mut self, count: usize) {
        self.words.clear();
        self.words.resize(count.div_ceil(64), 0);
        self.count = count;
    }

    /// The number that all features are below.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Adds a feature.
    ///
    /// # Panics
    /// If it is not below the count rounded up to a multiple of 64.
    #[inline(always)]
    pub fn insert(&mut self, feature: usize) {
        self.words[feature / 64] |= 1 << (feature % 64);
    }

    /// Adds the feature `first + n` for every bit `n` that is set: a bit board whose squares are features from `first` on.
    ///
    /// # Panics
    /// As [`insert`](Features::insert).
    #[inline(always)]
    pub fn insert_bits(&mut self, first: usize, bits: u64) {
        let (word, shift) = (first / 64, first % 64);
        self.words[word] |= bits << shift;
        if shift > 0 && bits >> (64 - shift) != 0 {
            self.words[word + 1] |= bits >> (64 - shift);
        }
    }

    /// The set as words: feature `n` is bit `n % 64` of word `n / 64`.
    #[inline(always)]
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// All features, in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        self.words.iter().enumerate().flat_map(|(word, &bits)| {
            let next = |&left: &u64| Some(left & left.wrapping_sub(1)).filter(|&left| left != 0);
            std::iter::successors(Some(bits).filter(|&bits| bits != 0), next)
                .map(move |left| word * 64 + left.trailing_zeros() as usize)
        })
    }
}

/// Features of any game, read from the text of a position: a number, or any other character, at its place in the text.
///
/// The players are not exchanged, since nobody knows which characters are whose. So that the same board means one thing
/// with one player to move and another with the other, all features are those of the player to move.
pub(crate) fn from_text<G: Game>(game: &G, into: &mut Features) {
    into.reset(TEXT_FEATURES);
    let text = game.position_text();
    let mover = game.to_move().index() as u64;
    let (mut place, mut number) = (0, None::<u64>);
    for byte in text.bytes().chain([0]) {
        let digit = byte.is_ascii_digit().then(|| u64::from(byte - b'0'));
        if let Some(digit) = digit {
            number = Some(number.unwrap_or(0).wrapping_mul(10).wrapping_add(digit));
            continue;
        }
        for token in [number.take().map(|number| 256 + number), Some(u64::from(byte))].into_iter().flatten() {
            place += 1;
            // Empty squares, blanks and line ends tell nothing that the others do not.
            if !matches!(token, 0 | 32 | 46 | 47) {
                let hash = mix64(token << 32 | place << 8 | mover);
                into.insert((hash % TEXT_FEATURES as u64) as usize);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bit_boards_may_begin_anywhere() {
        for first in [0, 1, 25, 63, 64, 100] {
            let mut one_by_one = Features::default();
            one_by_one.reset(200);
            let board = 0x8000_0000_0a10_0001_u64;
            (0..64).filter(|n| board >> n & 1 != 0).for_each(|n| one_by_one.insert(first + n));
            let mut at_once = Features::default();
            at_once.reset(200);
            at_once.insert_bits(first, board);
            assert_eq!(at_once, one_by_one, "{first}");
            let expected: Vec<usize> = (0..64).filter(|n| board >> n & 1 != 0).map(|n| first + n).collect();
            assert_eq!(at_once.iter().collect::<Vec<_>>(), expected);
        }
    }
}

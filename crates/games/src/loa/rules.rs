//! Boards of Lines of Action as words, and what a size of board says about moves and groups.
//!
//! ```text
//! bit = rank * STRIDE + file; boards up to 8x8 live in the lower left corner of a u64 with stride 8, 9x9 in a u128:
//!   56 57 … 63
//!    …
//!    0  1 …  7
//! ways: 0 east, 1 north-east, 2 north, 3 north-west, 4..7 their opposites, so that way ^ 4 turns round
//!       and way & 3 names the line
//! ```

use std::fmt::Debug;
use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

use plyproof_core::{Outcome, Player};

use crate::board::{Grid, Interned};

/// A board word: [`u64`] for sizes up to 8, [`u128`] for 9.
pub trait Word:
    Copy
    + Debug
    + Eq
    + Into<u128>
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<usize, Output = Self>
    + Shr<usize, Output = Self>
{
    /// Bits from one rank to the next.
    const STRIDE: usize;
    /// No square.
    const ZERO: Self;
    /// The first square.
    const ONE: Self;
    /// Squares in the set.
    fn count(self) -> usize;
    /// The first square of a set that is not empty.
    fn first(self) -> usize;
    /// The set without its first square.
    fn without_first(self) -> Self;
    /// Whether images of whole boards take a few instructions.
    const QUICK_IMAGES: bool;
    /// The least of all images of the stones of both players.
    #[doc(hidden)]
    fn canonical(rules: &Rules<Self>, stones: [Self; 2]) -> [Self; 2];
    /// Tables for boards of this word.
    #[doc(hidden)]
    fn tables() -> &'static Interned<(usize, bool), Rules<Self>>;
}

macro_rules! word {
    ($word:ty, $stride:expr, $quick:expr, $canonical:expr) => {
        impl Word for $word {
            const STRIDE: usize = $stride;
            const ZERO: Self = 0;
            const ONE: Self = 1;
            #[inline(always)]
            fn count(self) -> usize {
                self.count_ones() as usize
            }
            #[inline(always)]
            fn first(self) -> usize {
                self.trailing_zeros() as usize
            }
            #[inline(always)]
            fn without_first(self) -> Self {
                self & self.wrapping_sub(1)
            }
            const QUICK_IMAGES: bool = $quick;
            #[inline(always)]
            fn canonical(rules: &Rules<Self>, stones: [Self; 2]) -> [Self; 2] {
                $canonical(rules, stones)
            }
            fn tables() -> &'static Interned<(usize, bool), Rules<Self>> {
                static TABLES: Interned<(usize, bool), Rules<$word>> = Interned::new();
                &TABLES
            }
        }
    };
}
word!(u64, 8, true, |rules: &Rules<u64>, stones| rules.grid.canonical(stones, true));
word!(u128, 9, false, |rules: &Rules<u128>, stones: [u128; 2]| {
    let images = (0..rules.grid.symmetries()).map(|index| stones.map(|set| rules.image(index, set)));
    images.fold(stones, <[u128; 2]>::min)
});

/// Squares numbered by the largest board.
pub(super) const SQUARES: usize = 81;
/// A power of two above every square of the word, so that an index can be masked instead of checked.
pub(super) const PADDED: usize = 128;

/// Tables of one board size.
#[derive(Debug)]
pub struct Rules<B> {
    pub(super) grid: Grid,
    pub(super) mover_wins: bool,
    /// What there is to know of a stone on a square that goes one of the eight ways.
    pub(super) ways: [[Way<B>; 8]; PADDED],
    pub(super) board: B,
    pub(super) not_first_file: B,
    pub(super) not_last_file: B,
    pub(super) start: [B; 2],
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Way<B> {
    /// The whole line through the square, both directions.
    pub(super) line: B,
    /// Squares from here to the edge.
    pub(super) ray: B,
    /// How many squares that is.
    pub(super) steps: u32,
    /// Distance of neighbours in bits, as a wrapping number.
    pub(super) delta: u32,
}

impl<B: Word> Rules<B> {
    pub(super) fn new(&(size, mover_wins): &(usize, bool)) -> Self {
        let bit = |file: usize, rank: usize| B::ONE << (rank * B::STRIDE + file);
        let way = |file: usize, rank: usize, way: usize| {
            let (dx, dy) = [(1, 0), (1, 1), (0, 1), (-1, 1)][way & 3];
            let (dx, dy) = if way >= 4 { (-dx, -dy) } else { (dx, dy) };
            let ray = |dx: i32, dy: i32| {
                let (mut x, mut y, mut squares, mut steps) = (file as i32 + dx, rank as i32 + dy, B::ZERO, 0);
                while (0..size as i32).contains(&x) && (0..size as i32).contains(&y) {
                    squares = squares | bit(x as usize, y as usize);
                    (x, y, steps) = (x + dx, y + dy, steps + 1);
                }
                (squares, steps)
            };
            let (ahead, steps) = ray(dx, dy);
            let line = ahead | ray(-dx, -dy).0 | bit(file, rank);
            Way { line, ray: ahead, steps, delta: (dy * B::STRIDE as i32 + dx) as u32 }
        };
        let nowhere = Way { line: B::ZERO, ray: B::ZERO, steps: 0, delta: 0 };
        let mut rules = Self {
            grid: Grid::new(size, size),
            mover_wins,
            ways: [[nowhere; 8]; PADDED],
            board: B::ZERO,
            not_first_file: B::ZERO,
            not_last_file: B::ZERO,
            start: [B::ZERO; 2],
        };
        for (rank, file) in (0..size).flat_map(|rank| (0..size).map(move |file| (rank, file))) {
            rules.ways[rank * B::STRIDE + file] = std::array::from_fn(|w| way(file, rank, w));
            rules.board = rules.board | bit(file, rank);
            if file > 0 {
                rules.not_first_file = rules.not_first_file | bit(file, rank);
            }
            if file + 1 < size {
                rules.not_last_file = rules.not_last_file | bit(file, rank);
            }
            let edge = |i: usize| i == 0 || i + 1 == size;
            if edge(file) != edge(rank) {
                let player = usize::from(edge(file));
                rules.start[player] = rules.start[player] | bit(file, rank);
            }
        }
        rules
    }

    /// The image of a set under symmetry number `index`.
    pub(super) fn image(&self, index: usize, set: B) -> B {
        let map = |square| self.grid.map_square(index, square, B::STRIDE);
        squares(set).fold(B::ZERO, |all, square| all | (B::ONE << map(square)))
    }

    /// All squares next to one of `set`, in eight directions. May hold squares of `set` and squares off the board.
    #[inline(always)]
    pub(super) fn around(&self, set: B) -> B {
        let beside = ((set << 1) & self.not_first_file) | ((set >> 1) & self.not_last_file);
        let row = set | beside;
        beside | (row << B::STRIDE) | (row >> B::STRIDE)
    }

    /// Whether `set`, which is not empty, is one group. In random play a lone stone almost always says no at once.
    #[inline(always)]
    pub(super) fn connected(&self, set: B) -> bool {
        if set & !self.around(set) != B::ZERO {
            return set.without_first() == B::ZERO;
        }
        self.flood(set)
    }

    #[inline(never)]
    pub(super) fn flood(&self, set: B) -> bool {
        let mut group = set ^ set.without_first();
        loop {
            let grown = (group | self.around(group)) & set;
            if grown == group {
                return group == set;
            }
            group = grown;
        }
    }

    /// Where a stone on `from` that goes `way` lands, and whether it may.
    ///
    /// Without branches: in a play-out the answer is close to a coin flip.
    #[inline(always)]
    pub(super) fn target(&self, own: B, enemy: B, from: usize, way: usize) -> (usize, bool) {
        let entry = &self.ways[from % PADDED][way % 8];
        let distance = ((own | enemy) & entry.line).count() as u32;
        let to = (from as u32).wrapping_add(distance.wrapping_mul(entry.delta)) as usize % PADDED;
        let between = entry.ray & self.ways[to][(way ^ 4) % 8].ray;
        let landing = B::ONE << (to % (8 * size_of::<B>()));
        let blocked = (between & enemy) | (landing & own);
        (to, (distance <= entry.steps) & (blocked == B::ZERO))
    }

    /// Where a stone on `from` can go, way by way.
    #[inline(always)]
    pub(super) fn targets(&self, own: B, enemy: B, from: usize) -> impl Iterator<Item = usize> {
        let mut all = [0; 8];
        let mut legal = 0u32;
        for (way, target) in all.iter_mut().enumerate() {
            let (to, may) = self.target(own, enemy, from, way);
            *target = to;
            legal |= u32::from(may) << way;
        }
        std::iter::from_fn(move || {
            (legal != 0).then(|| {
                let way = legal.trailing_zeros() as usize;
                legal &= legal - 1;
                all[way % 8]
            })
        })
    }

    /// The result after a move of `mover`, given who is connected.
    #[inline(always)]
    pub(super) fn result(&self, mover: Player, mover_connected: bool, other_connected: bool) -> Option<Outcome> {
        match (mover_connected, other_connected) {
            (false, false) => None,
            (true, true) if !self.mover_wins => Some(Outcome::DRAW),
            (true, _) => Some(Outcome::win(mover)),
            (false, true) => Some(Outcome::win(mover.other())),
        }
    }
}

/// The squares of a set, first to last.
pub(super) fn squares<B: Word>(mut set: B) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (set != B::ZERO).then(|| {
            let square = set.first();
            set = set.without_first();
            square
        })
    })
}

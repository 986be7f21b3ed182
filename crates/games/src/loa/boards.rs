//! A numbering of all positions of Lines of Action on the smallest boards, for tables.
//!
//! ```text
//! stones on the board 2, 3, …, all      one layer each: a move keeps them or captures one
//!   stones of the mover 1, 2, …
//!     sets of squares of the mover, sets of the remaining squares of the other
//! ```
//! Whether there was a pass before has no number of its own: it matters only to a player who has to pass again, and that
//! is a draw at once.

use plyproof_core::spec::Params;
use plyproof_core::{Indexing, Layer, Place, Player, TextError, Wdl};

use super::{Loa, squares};

/// All positions in which neither side has more stones than at the start, reachable or not.
#[derive(Clone, Debug)]
pub struct Boards {
    start: Loa,
    size: usize,
    /// Stones of each side at the start.
    most: usize,
    /// Stones of the mover, of the other, and the number of the first position with so many.
    begins: Vec<(usize, usize, u64)>,
}

/// The largest board whose positions fit a table.
const LARGEST: i64 = 4;

impl Indexing for Boards {
    type Game = Loa;

    fn new(params: &Params, limit: Option<u32>) -> Result<Self, TextError> {
        let size = params.whole("size");
        if size > LARGEST {
            let why = format!("a table of loa needs size=3 or size=4: size={size} has too many positions");
            return Err(TextError::new(why));
        }
        if limit.is_some() {
            return Err(TextError::new("a table of loa has all positions; a number of seeds is for awari"));
        }
        let start = Loa::start(params);
        let most = squares(start.stones[0]).count();
        let mut boards = Self { start, size: size as usize, most, begins: Vec::new() };
        let mut begin = 0;
        for stones in 2..=2 * most {
            for own in boards.splits(stones) {
                boards.begins.push((own, stones - own, begin));
                begin += boards.sets(own, stones - own);
            }
        }
        Ok(boards)
    }

    fn start(&self) -> Loa {
        self.start.clone()
    }

    fn layers(&self) -> Vec<Layer> {
        let mut from = 0;
        let layer = |stones: usize| {
            let to = from + self.splits(stones).map(|own| self.sets(own, stones - own)).sum::<u64>();
            let positions = from..to;
            from = to;
            Layer { positions, pieces: stones as u32, even: true }
        };
        (2..=2 * self.most).map(layer).collect()
    }

    fn position(&self, index: u64) -> Loa {
        let at = self.begins.partition_point(|&(_, _, begin)| begin <= index) - 1;
        let (own, other, begin) = self.begins[at];
        let others = choose(self.all() - own, other);
        let (first, second) = ((index - begin) / others, (index - begin) % others);
        let own = set(first, own);
        // Squares of the other side are counted among those that are left.
        let free = (0..self.all()).filter(|square| own >> square & 1 == 0);
        let among = set(second, other);
        let other = free.enumerate().filter(|(place, _)| among >> place & 1 != 0).fold(0, |set, (_, s)| set | 1 << s);
        Loa::new(self.start.rules, [self.spread(own), self.spread(other)], Player::FIRST, 0)
    }

    fn place(&self, position: &Loa) -> Place {
        let [own, other] = position.own_and_enemy().map(|stones| self.gather(stones));
        let counts = (own.count_ones() as usize, other.count_ones() as usize);
        let Some(&(_, _, begin)) = self.begins.iter().find(|&&(a, b, _)| (a, b) == counts) else {
            return Place::Outside;
        };
        if position.passes > 0 && position.steps().next().is_none() {
            return Place::Known(Wdl::Draw);
        }
        // A square moves down by one for every square of the mover before it.
        let among = squares(u64::from(other)).fold(0, |set, s| set | 1 << (s - below(own, s)));
        Place::At(begin + number(own) * choose(self.all() - counts.0, counts.1) + number(among))
    }
}

impl Boards {
    fn all(&self) -> usize {
        self.size * self.size
    }

    /// How many of so many stones the mover may have.
    fn splits(&self, stones: usize) -> std::ops::RangeInclusive<usize> {
        stones.saturating_sub(self.most).max(1)..=self.most.min(stones - 1)
    }

    /// Positions with so many stones of the mover and of the other.
    fn sets(&self, own: usize, other: usize) -> u64 {
        choose(self.all(), own) * choose(self.all() - own, other)
    }

    /// A set of squares numbered without gaps, as a board has it.
    fn spread(&self, set: u32) -> u64 {
        (0..self.size).fold(0, |word, rank| {
            let row = set >> (rank * self.size) & ((1 << self.size) - 1);
            word | u64::from(row) << (8 * rank)
        })
    }

    /// The set of squares of a board, numbered without gaps.
    fn gather(&self, word: u64) -> u32 {
        (0..self.size).fold(0, |set, rank| set | ((word >> (8 * rank) & 0xff) as u32) << (rank * self.size))
    }
}

fn below(set: u32, square: usize) -> usize {
    (set & ((1 << square) - 1)).count_ones() as usize
}

/// The number of a set among those with as many squares.
fn number(set: u32) -> u64 {
    squares(u64::from(set)).enumerate().map(|(place, square)| choose(square, place + 1)).sum()
}

/// The set of so many squares with this number.
fn set(mut number: u64, count: usize) -> u32 {
    let mut set = 0;
    for place in (1..=count).rev() {
        let mut square = place - 1;
        while choose(square + 1, place) <= number {
            square += 1;
        }
        number -= choose(square, place);
        set |= 1 << square;
    }
    set
}

/// Ways to choose k of n; both are small here.
fn choose(n: usize, k: usize) -> u64 {
    (0..k as u64).fold(1, |ways, i| ways * (n as u64).saturating_sub(i) / (i + 1))
}

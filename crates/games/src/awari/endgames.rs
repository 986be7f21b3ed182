//! A numbering of the endgames of Awari, for tables.
//!
//! Only seeds on the board can still be captured, so of the stores nothing matters but who is ahead and by how many, and
//! a lead of more than the seeds on the board counts like one more than these: it cannot be made up for.
//!
//! ```text
//! seeds 0, 1, 2, …, limit
//!   lead 0 | 1, -1 | 2, -2 | … | seeds + 1, -(seeds + 1)      one layer between two bars: a sowing turns the lead round
//!     all ways to spread the seeds over 12 holes
//! ```
//! Whether there was a pass before has no number of its own: it matters only to a player who has to pass again, and that
//! is a draw at once.

use plyproof_core::spec::Params;
use plyproof_core::{Indexing, Layer, Place, Player, TextError, Wdl};

use super::rows::{Rows, STORE, seeds};
use super::{Awari, Rules};

/// All positions of Awari under the paper's rules with at most so many seeds on the board, whatever is in the stores.
#[derive(Clone, Debug)]
pub struct Endgames {
    start: Awari,
    limit: usize,
}

/// Most seeds that can be asked for; the positions for one more would be more than 2^32.
const MOST: usize = 20;
/// A spread of seeds over the holes is eleven bars among them.
const BARS: usize = 11;

impl Indexing for Endgames {
    type Game = Awari;

    fn new(params: &Params, limit: Option<u32>) -> Result<Self, TextError> {
        let start = Awari::start(params);
        if start.rules != Rules::Paper {
            let why = "a table of awari needs rules=paper: under rules=oware a value depends on the moves before";
            return Err(TextError::new(why));
        }
        match limit.map(|limit| limit as usize) {
            Some(limit @ 1..=MOST) => Ok(Self { start, limit }),
            Some(limit) => Err(TextError::new(format!("a table of awari has from 1 to {MOST} seeds, not {limit}"))),
            None => Err(TextError::new("a table of awari needs a number of seeds, as in --max-seeds 9")),
        }
    }

    fn start(&self) -> Awari {
        self.start.clone()
    }

    fn layers(&self) -> Vec<Layer> {
        let mut layers = Vec::new();
        let mut from = 0;
        for seeds in 0..=self.limit {
            for lead in 0..=seeds + 1 {
                let to = from + spreads(seeds) * if lead == 0 { 1 } else { 2 };
                layers.push(Layer { positions: from..to, pieces: seeds as u32, even: lead == 0 });
                from = to;
            }
        }
        layers
    }

    fn position(&self, index: u64) -> Awari {
        let (mut index, mut seeds) = (index, 0);
        while index >= spreads(seeds) * leads(seeds) {
            index -= spreads(seeds) * leads(seeds);
            seeds += 1;
        }
        let (lead, spread) = (index / spreads(seeds), index % spreads(seeds));
        let points = lead.div_ceil(2) << STORE;
        let mut rows = holes(spread, seeds);
        let ahead = if lead % 2 == 1 { &mut rows.own } else { &mut rows.other };
        *ahead += points;
        Awari::new(Rules::Paper, rows, Player::FIRST, 0)
    }

    fn place(&self, position: &Awari) -> Place {
        let rows = position.rows;
        let total: u64 = (0..6).map(|hole| seeds(rows.own, hole) + seeds(rows.other, hole)).sum();
        let total = total as usize;
        if total > self.limit {
            return Place::Outside;
        }
        if position.passes > 0 && rows.legal::<false>().next().is_none() {
            return Place::Known(Wdl::Draw);
        }
        let points = u64::from(rows.lead().unsigned_abs()).min(total as u64 + 1);
        let lead = if rows.lead() > 0 { 2 * points - 1 } else { 2 * points };
        let before: u64 = (0..total).map(|seeds| spreads(seeds) * leads(seeds)).sum();
        Place::At(before + lead * spreads(total) + spread(rows))
    }
}

/// Leads that are told apart with so many seeds on the board: 0, and each other one for either side.
fn leads(seeds: usize) -> u64 {
    2 * seeds as u64 + 3
}

/// Ways to spread so many seeds over twelve holes.
fn spreads(seeds: usize) -> u64 {
    CHOOSE[seeds + BARS][BARS]
}

/// The number of a spread among those of as many seeds.
fn spread(rows: Rows) -> u64 {
    let mut before = 0;
    (0..BARS)
        .map(|bar| {
            before += hole(rows, bar);
            CHOOSE[before as usize + bar][bar + 1]
        })
        .sum()
}

/// The spread of so many seeds with this number. Stores are empty.
fn holes(mut number: u64, seeds: usize) -> Rows {
    let mut rows = Rows { own: 0, other: 0 };
    // Bars from the last to the first; each stands as far to the right as the number allows.
    let mut right = seeds + BARS;
    for bar in (0..BARS).rev() {
        let mut at = right - 1;
        while CHOOSE[at][bar + 1] > number {
            at -= 1;
        }
        number -= CHOOSE[at][bar + 1];
        put(&mut rows, bar + 1, right - 1 - at);
        right = at;
    }
    put(&mut rows, 0, right);
    rows
}

fn hole(rows: Rows, hole: usize) -> u64 {
    if hole < 6 { seeds(rows.own, hole as u32) } else { seeds(rows.other, hole as u32 - 6) }
}

fn put(rows: &mut Rows, hole: usize, seeds: usize) {
    let row = if hole < 6 { &mut rows.own } else { &mut rows.other };
    *row |= (seeds as u64) << (8 * (hole % 6));
}

/// `CHOOSE[n][k]`: ways to choose k of n.
static CHOOSE: [[u64; BARS + 2]; MOST + BARS + 2] = choose();

const fn choose() -> [[u64; BARS + 2]; MOST + BARS + 2] {
    let mut table = [[0; BARS + 2]; MOST + BARS + 2];
    let mut n = 0;
    while n < table.len() {
        table[n][0] = 1;
        let mut k = 1;
        while k < table[n].len() && n > 0 {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
}

//! The seeds on the board, and sowing and capturing without loops.
//!
//! ```text
//! one word a player:   byte   0   1   2   3   4   5   6      7
//!                      hole   1   2   3   4   5   6   store  unused
//! ```
//! A count never exceeds 48, so bytes never overflow into each other: sowing is one addition to each word, and questions
//! about all holes at once ("which are empty?") are a few operations on a word. Inside, a hole is named by the bit at
//! which its byte begins, its shift: 0, 8, …, 40.

use plyproof_core::Rng;

/// Seeds and stores as the player to move sees them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rows {
    pub(super) own: u64,
    pub(super) other: u64,
}

/// All seeds of the game.
pub(super) const SEEDS: usize = 48;
/// Where the byte of the store begins.
pub(super) const STORE: u32 = 48;
/// A row at the start.
pub(super) const START_ROW: u64 = 4 * ONES;
/// The bytes of the holes.
const HOLES: u64 = 0xffff_ffff_ffff;
/// One in each hole.
const ONES: u64 = 0x0101_0101_0101;
/// The top bit of each hole.
const TOPS: u64 = 0x80 * ONES;
/// A word of these bits is not zero if some hole holds more than one seed.
const MANY: u64 = 0xfe * ONES;
/// Added to a row it sets the top bit of each hole from which a seed reaches the other side: 6 in hole 1, …, 1 in hole 6.
const REACH: u64 = TOPS - 0x0102_0304_0506;

impl Rows {
    /// The same seeds as the other player sees them.
    #[inline(always)]
    pub(super) fn turned(self) -> Self {
        Self { own: self.other, other: self.own }
    }

    /// Sows the hole whose byte begins at `shift` and captures; the mover stays the same.
    /// The hole must hold a seed. The move is legal if the opponent has one afterwards.
    #[inline(always)]
    pub(super) fn sow<const OWARE: bool>(self, shift: u32) -> Self {
        let seeds = self.own >> (shift & 63) & 0x3f;
        let sowing = &SOWINGS[(shift as usize * 8 + seeds as usize) & 511];
        let mut own = self.own.wrapping_add(sowing.own);
        let mut other = self.other.wrapping_add(sowing.other);
        // A byte is zero where two or three seeds lie. The run of such bytes from the top down is captured.
        let ends = ((other & MANY) ^ (0x02 * ONES)) << (sowing.shift & 63) | sowing.stop;
        if ends >> 56 == 0 {
            let run = (ends | 1).leading_zeros() & 56;
            let taken = other & !(u64::MAX >> run) >> (sowing.shift & 63);
            if !OWARE || (other ^ taken) & HOLES != 0 {
                other ^= taken;
                own += sum(taken) << STORE;
            }
        }
        Self { own, other }
    }

    /// Whether the opponent has a seed on the board.
    #[inline(always)]
    pub(super) fn fed(self) -> bool {
        self.other & HOLES != 0
    }

    /// Whether the mover has none.
    #[inline(always)]
    pub(super) fn starved(self) -> bool {
        self.own & HOLES == 0
    }

    /// The holes of the mover that are not empty, as bits.
    #[inline(always)]
    fn filled(self) -> usize {
        let tops = (self.own + 0x7f * ONES) & TOPS;
        // The bit at 8 * i + 7 is wanted at 58 + i; what the other factors make of it falls below or out of the word.
        (tops.wrapping_mul(1 << 51 | 1 << 44 | 1 << 37 | 1 << 30 | 1 << 23 | 1 << 16) >> 58) as usize
    }

    /// A uniformly drawn hole that is not empty, as its shift.
    #[inline(always)]
    pub(super) fn draw(self, rng: &mut Rng) -> u32 {
        DRAWS[rng.below(EVEN)][self.filled()].into()
    }

    /// The holes that may be sown, as their shifts.
    pub(super) fn legal<const OWARE: bool>(self) -> impl Iterator<Item = u32> {
        let filled = self.filled();
        (0..6)
            .filter(move |hole| filled >> hole & 1 != 0)
            .map(|hole| 8 * hole)
            .filter(move |&h| self.sow::<OWARE>(h).fed())
    }

    /// A uniformly drawn legal hole for when a first draw was illegal.
    ///
    /// A first draw among all filled holes and, if that is illegal, a second among the legal ones is uniform: both are.
    #[cold]
    pub(super) fn draw_legal<const OWARE: bool>(self, rng: &mut Rng) -> Option<u32> {
        let count = self.legal::<OWARE>().count();
        self.legal::<OWARE>().nth(rng.below(count))
    }

    /// A uniformly drawn legal hole, if there is one.
    #[inline]
    pub(super) fn random_legal<const OWARE: bool>(self, rng: &mut Rng) -> Option<u32> {
        let hole = self.draw(rng);
        if !self.starved() && self.sow::<OWARE>(hole).fed() { Some(hole) } else { self.draw_legal::<OWARE>(rng) }
    }

    /// Whether the mover can move under oware's rules.
    pub(super) fn can_move(self) -> bool {
        let own = self.own & HOLES;
        if self.fed() { own != 0 } else { (own + REACH) & TOPS != 0 }
    }

    /// Points by which the mover is ahead in the stores.
    pub(super) fn lead(self) -> i16 {
        store(self.own) as i16 - store(self.other) as i16
    }

    /// The same if each side keeps the seeds of its own row.
    pub(super) fn lead_with_rows(self) -> i16 {
        self.lead() + sum(self.own & HOLES) as i16 - sum(self.other & HOLES) as i16
    }

    /// Whether some hole holds more than one seed.
    pub(super) fn has_many(self) -> bool {
        (self.own | self.other) & MANY != 0
    }
}

/// Fewest moves between two equal positions without a capture between them. The hole after one that was sown got a seed,
/// so it must have been sown too for its count to come back; so must the next, and all twelve.
pub(super) const CYCLE: usize = 12;

/// Whether `now` is one of the earlier positions, `past` and then `recent`, with the same player to move.
#[inline(always)]
pub(super) fn repeats(now: Rows, past: &[Rows], recent: &[Rows]) -> bool {
    // So many moves ago came the last of the positions given here; those an even number of moves ago count.
    let among = |positions: &[Rows], last: usize| {
        let first = last.next_multiple_of(2).max(CYCLE) - last;
        positions.iter().rev().skip(first).step_by(2).any(|&before| before == now)
    };
    among(recent, 1) || !past.is_empty() && among(past, recent.len() + 1)
}

/// Seeds in a hole, counted from 0.
pub(super) fn seeds(row: u64, hole: u32) -> u64 {
    row >> (8 * hole) & 0xff
}

/// Seeds in the store.
#[inline(always)]
pub(super) fn store(row: u64) -> u64 {
    row >> STORE
}

/// The sum of the bytes, at most 255.
#[inline(always)]
fn sum(bytes: u64) -> u64 {
    bytes.wrapping_mul(0x0101_0101_0101_0101) >> 56
}

/// The sowing of one hole: what is added to both rows, and where a capture may start.
#[derive(Clone, Copy)]
struct Sowing {
    /// Wraps around: it also takes the seeds out of the hole that is sown.
    own: u64,
    other: u64,
    /// Moves the byte of the last seed's hole to the top of the word; 0 if that hole is not the opponent's.
    shift: u32,
    /// The bit below the opponent's row after that shift, where the search for captures stops; the top bit if there is
    /// nothing to capture.
    stop: u64,
}

static SOWINGS: [Sowing; 512] = sowings();
static DRAWS: [[u8; 64]; EVEN] = draws();

/// Index: hole * 64 + seeds.
const fn sowings() -> [Sowing; 512] {
    let mut table = [Sowing { own: 0, other: 0, shift: 0, stop: 1 << 63 }; 512];
    let mut index = 0;
    while index < 6 * 64 {
        let (hole, seeds) = (index / 64, index % 64);
        let (mut rows, mut at, mut left) = ([0u64; 2], hole, seeds);
        while left > 0 && seeds <= SEEDS {
            at = (at + 1) % 12;
            if at != hole {
                rows[at / 6] += 1 << (8 * (at % 6));
                left -= 1;
            }
        }
        rows[0] = rows[0].wrapping_sub((seeds as u64) << (8 * hole));
        let shift = if at >= 6 { 8 * (7 - at as u32 % 6) } else { 0 };
        table[index] = Sowing { own: rows[0], other: rows[1], shift, stop: (1u64 << 63).rotate_left(shift) };
        index += 1;
    }
    table
}

/// Numbers a draw is made from: each count of holes from 1 to 6 divides it.
const EVEN: usize = 60;

/// For each set of holes and each number below [`EVEN`] the shift of the hole drawn. All holes of a set come equally often.
const fn draws() -> [[u8; 64]; EVEN] {
    let mut table = [[0; 64]; EVEN];
    let mut set = 1usize;
    while set < 64 {
        let mut number = 0;
        let mut hole = 0;
        while number < EVEN {
            if set >> hole & 1 != 0 {
                table[number][set] = 8 * hole as u8;
                number += 1;
            }
            hole = (hole + 1) % 6;
        }
        set += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_hole_of_a_set_is_drawn_equally_often_and_no_other() {
        for set in 1..64u32 {
            for hole in 0..6 {
                let drawn = DRAWS.iter().filter(|row| u32::from(row[set as usize]) == 8 * hole).count() as u32;
                assert_eq!(
                    drawn * set.count_ones(),
                    if set >> hole & 1 != 0 { EVEN as u32 } else { 0 },
                    "{set:b} {hole}"
                );
            }
        }
    }
}

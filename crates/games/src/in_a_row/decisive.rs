//! Play-outs that see a row one stone ahead.
//!
//! Every stone is set in four lines, one for each direction, so that what it threatens is read off four words:
//!
//! ```text
//! direction   line           bit
//! 0 level     rank           file
//! 1 upright   file           rank
//! 2 rising    rank - file    file      (counted from 18 up)
//! 3 falling   rank + file    file
//! ```
//! Threats never pile up: whoever has one wins with it, and the other side answers it at once. So only the lines
//! through the last stone can hold one.

use plyproof_core::{Outcome, Player, Playout, Rng};

use super::{InARow, ORDER, Point, Rules};

const LINES: usize = 64;
const SHIFT: usize = 18;

/// The stones of a player, or the points of the board, in lines of four directions.
pub(super) type Lines = [[u32; LINES]; 4];

/// Where a player could win at once: nowhere, at one point, or at more than one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Threat {
    None,
    One(Point),
    Several,
}

impl Threat {
    fn add(&mut self, point: Point) {
        *self = match *self {
            Self::None => Self::One(point),
            Self::One(other) if other == point => return,
            _ => Self::Several,
        };
    }
}

#[inline(always)]
fn places(point: Point) -> [(usize, usize); 4] {
    let (file, rank) = (point.file(), point.rank());
    [(rank, file), (file, rank), (rank + SHIFT - file, file), (rank + file, file)]
        .map(|(line, bit)| (line % LINES, bit))
}

fn point_at(direction: usize, line: usize, bit: usize) -> Point {
    match direction {
        0 => Point::new(bit, line),
        1 => Point::new(line, bit),
        2 => Point::new(bit, line + bit - SHIFT),
        _ => Point::new(bit, line - bit),
    }
}

#[inline(always)]
fn set(lines: &mut Lines, point: Point) {
    for (direction, (line, bit)) in places(point).into_iter().enumerate() {
        lines[direction][line] |= 1 << bit;
    }
}

pub(super) fn lines_of(points: impl IntoIterator<Item = Point>) -> Lines {
    let mut lines = [[0; LINES]; 4];
    points.into_iter().for_each(|point| set(&mut lines, point));
    lines
}

/// Whether some of these words has at least so many bits set. May say so wrongly where `least` is above 7.
#[inline(always)]
fn crowded(words: [u64; 4], least: usize) -> bool {
    if least > 7 {
        return true;
    }
    // At most 15 bits each: all are counted at once, in lanes of 16 bits.
    let mut lanes = words[0] | words[1] << 16 | words[2] << 32 | words[3] << 48;
    lanes -= lanes >> 1 & 0x5555_5555_5555_5555;
    lanes = (lanes & 0x3333_3333_3333_3333) + (lanes >> 2 & 0x3333_3333_3333_3333);
    lanes = (lanes + (lanes >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    lanes = (lanes + (lanes >> 8)) & 0x001f_001f_001f_001f;
    (lanes + (0x8000 - least as u64) * 0x0001_0001_0001_0001) & 0x8000_8000_8000_8000 != 0
}

impl Rules {
    /// Bits of a line, free or not, where one more stone makes a row that wins.
    #[inline(always)]
    fn winning_bits(&self, own: u32) -> u32 {
        // With the usual length known it is a few instructions.
        match (self.length, self.exact) {
            (5, true) => winning_bits(own, 5, true),
            (5, false) => winning_bits(own, 5, false),
            _ => self.other_winning_bits(own),
        }
    }

    #[inline(never)]
    fn other_winning_bits(&self, own: u32) -> u32 {
        winning_bits(own, self.length, self.exact)
    }
}

#[inline(always)]
fn winning_bits(own: u32, k: usize, exact: bool) -> u32 {
    // below[i]: bits with at least i own stones right below them; above the same.
    let (mut below, mut above) = ([u32::MAX; 21], [u32::MAX; 21]);
    for i in 1..=k {
        below[i] = below[i - 1] & own << i;
        above[i] = above[i - 1] & own >> i;
    }
    (0..k).fold(0, |found, one| {
        let other = k - 1 - one;
        let mut here = below[one] & above[other];
        if exact {
            here &= !below[one + 1] & !above[other + 1];
        }
        found | here
    })
}

impl InARow {
    /// Where `own` wins at once, looking at one line.
    #[inline(always)]
    fn add_threats(&self, own: &Lines, other: &Lines, direction: usize, line: usize, threat: &mut Threat) {
        let free = self.rules.lines[direction][line] & !(own[direction][line] | other[direction][line]);
        let mut bits = self.rules.winning_bits(own[direction][line]) & free;
        while bits != 0 {
            threat.add(point_at(direction, line, bits.trailing_zeros() as usize));
            bits &= bits - 1;
        }
    }

    fn all_threats(&self, own: &Lines, other: &Lines) -> Threat {
        let mut threat = Threat::None;
        let needed = self.rules.length - 1;
        for (direction, lines) in own.iter().enumerate() {
            for (eight, stones) in lines.as_chunks::<8>().0.iter().enumerate() {
                // Most lines have one stone or none, and bits are counted slowly where there is no instruction for it.
                let several = stones.iter().fold(0, |any, &line| any | line & line.wrapping_sub(1));
                if several == 0 && needed > 1 {
                    continue;
                }
                for (line, stones) in stones.iter().enumerate() {
                    if stones.count_ones() as usize >= needed {
                        self.add_threats(own, other, direction, 8 * eight + line, &mut threat);
                    }
                }
            }
        }
        threat
    }

    /// What the stone just set on `point` threatens.
    #[inline(always)]
    fn new_threats(&self, own: &Lines, other: &Lines, point: Point) -> Threat {
        let mut threat = Threat::None;
        let reach = self.rules.length - 1;
        let places = places(point);
        let mut near = [0; 4];
        for (direction, (line, bit)) in places.into_iter().enumerate() {
            // Stones of the line that a row with this point can hold.
            near[direction] = u64::from(own[direction][line]) << reach >> bit & ((1 << (2 * reach + 1)) - 1);
        }
        // Too few for a row in any direction: nearly always.
        if crowded(near, reach) {
            for (direction, (line, _)) in places.into_iter().enumerate() {
                if near[direction].count_ones() as usize >= reach {
                    self.add_threats(own, other, direction, line, &mut threat);
                }
            }
        }
        threat
    }

    /// Every move is told to `tell`, but not those that finish the game: there may be several to choose from.
    #[inline(always)]
    pub(super) fn decisive_playout_here(
        &self,
        rng: &mut Rng,
        limit: u32,
        mut tell: impl FnMut(Player, Point),
    ) -> Playout {
        let rules = self.rules;
        let mut order = rules.order;
        let mut left = usize::from(self.empty);
        self.leave_out_taken(&mut order);
        let mut lines = [[[0; LINES]; 4]; 2];
        for (lines, rows) in lines.iter_mut().zip(&self.rows) {
            for (rank, &row) in rows.iter().enumerate().take(rules.grid.height) {
                let mut row = row;
                while row != 0 {
                    set(lines, Point::new(row.trailing_zeros() as usize, rank));
                    row &= row - 1;
                }
            }
        }
        let mut threats = [self.all_threats(&lines[0], &lines[1]), self.all_threats(&lines[1], &lines[0])];
        let mut next = 0;
        for plies in 0..limit {
            let me = (self.mover.index() + plies as usize) % 2;
            if threats[me] != Threat::None {
                return Playout { outcome: Outcome::win(Player::new(me)), plies: plies + 1 };
            }
            let point = match threats[1 - me] {
                Threat::Several => {
                    let outcome = Outcome::win(Player::new(1 - me));
                    return Playout { outcome, plies: (plies + 2).min(limit) };
                }
                Threat::One(point) => point,
                Threat::None => loop {
                    if left == 0 {
                        return Playout { outcome: Outcome::DRAW, plies };
                    }
                    order.swap(next % ORDER, (next + rng.below(left)) % ORDER);
                    let point = order[next % ORDER];
                    (next, left) = (next + 1, left - 1);
                    // Points that had to be taken before are still in the order.
                    if (lines[0][0][point.rank()] | lines[1][0][point.rank()]) >> point.file() & 1 == 0 {
                        break point;
                    }
                },
            };
            set(&mut lines[me], point);
            tell(Player::new(me), point);
            threats[1 - me] = Threat::None;
            threats[me] = self.new_threats(&lines[me], &lines[1 - me], point);
        }
        Playout { outcome: Outcome::DRAW, plies: limit }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_counted_in_lanes_as_one_by_one() {
        let mut rng = Rng::new(1);
        for least in 1..=7 {
            let mut crowds = 0;
            for _ in 0..20_000 {
                let words = [(); 4].map(|()| rng.below(1 << (2 * least + 1)) as u64 & rng.below(1 << 16) as u64);
                let expected = words.iter().any(|word| word.count_ones() as usize >= least);
                assert_eq!(crowded(words, least), expected, "{words:x?} {least}");
                crowds += u32::from(expected);
            }
            assert!((100..19_999).contains(&crowds), "{crowds}");
        }
    }
}

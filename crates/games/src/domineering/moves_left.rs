//! How many moves a player of Domineering is sure of, and how many the opponent can make at most.
//!
//! The idea of safe and vulnerable places is that of Breuker, Uiterwijk and van den Herik (Solving 8x8 Domineering, 2000)
//! and of Bullock (Domineering: Solving Large Combinatorial Search Spaces, 2002); the counts below are plyproof's own.
//! The player places upright dominoes here; a transposed board serves the other one.
//!
//! 1. A square without a free neighbour to the left or right is the player's alone. Dominoes on such squares are *safe*.
//! 2. Among the other squares, *regions* are chosen that are so far apart that one domino of the opponent meets one of
//!    them at most: places for one domino, and 2x2 boxes in which a first domino makes the place of a second one safe.
//!    A region belongs to whoever plays in it first, so that the player, who always takes the most valuable region
//!    left, gets every other one.
//! 3. The opponent makes at most as many moves in a row of free squares as dominoes fit in. In a row of even length each
//!    square that the player takes costs the opponent one, and two squares side by side do so in every row. A row counts
//!    for one region only.
//!
//! A player who first takes regions and then makes the safe moves makes at least as many moves as counted, and the
//! opponent at most as many.

use crate::board::bits;

/// Where a step to the right or to the left may end.
const NOT_FIRST_FILE: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_LAST_FILE: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// Of each row of eight squares: those of them in runs of even length, and how many level dominoes fit in.
static ROWS: [(u8, u8); 256] = rows();

const fn rows() -> [(u8, u8); 256] {
    let mut all = [(0, 0); 256];
    let mut row: usize = 0;
    while row < 256 {
        let mut from = 0;
        while from < 8 {
            let length = (row >> from).trailing_ones();
            all[row].1 += (length / 2) as u8;
            if length.is_multiple_of(2) {
                all[row].0 |= (((1u16 << length) - 1) << from) as u8;
            }
            from += length as usize + 1;
        }
        row += 1;
    }
    all
}

/// The moves that the upright player makes at least without those that the other makes at most, if the upright player is
/// next or not.
#[inline(always)]
pub(super) fn sure_lead(free: u64, next: bool) -> i32 {
    let beside = (free << 1 & NOT_FIRST_FILE) | (free >> 1 & NOT_LAST_FILE);
    let (mut even, mut most) = (0, 0);
    for rank in 0..8 {
        let (squares, dominoes) = ROWS[usize::from((free >> (rank * 8)) as u8)];
        even |= u64::from(squares) << (rank * 8);
        most += i32::from(dominoes);
    }
    let own = free & !beside;
    let mut left = free;
    let mut safe = 0;
    // From the bottom up, all files at once.
    for rank in 0..7 {
        let lower = own & left & left >> 8 & own >> 8 & 0xff << (rank * 8);
        left &= !(lower | lower << 8);
        safe += lower.count_ones() as i32;
    }
    let lead = safe - most;
    let mut counts = [0; 5];
    let mut take = |worth: usize, squares: u64, left: &mut u64, even: &mut u64| {
        counts[worth] += 1;
        *left &= !(squares | squares << 1 & NOT_FIRST_FILE | squares >> 1 & NOT_LAST_FILE);
        *even &= !along(squares, free);
    };
    // Boxes: both squares of a column, and the column to the right.
    loop {
        let pairs = left & left >> 8;
        let boxes = pairs & pairs >> 1 & NOT_LAST_FILE;
        let taken_right = !(free >> 2 & 0x3f3f_3f3f_3f3f_3f3f);
        let taken_left = !(free << 1 & NOT_FIRST_FILE);
        let shut = (taken_right & taken_right >> 8) | (taken_left & taken_left >> 8);
        let Some(at) = bits(boxes & shut).next() else { break };
        take(4, 0x0303 << at, &mut left, &mut even);
    }
    loop {
        let places = left & left >> 8;
        if places == 0 {
            break;
        }
        let (one, both) = (even ^ even >> 8, even & even >> 8);
        let (worth, at) = if places & both != 0 {
            (3, places & both)
        } else if places & one != 0 {
            (2, places & one)
        } else {
            (1, places)
        };
        let at = at.trailing_zeros();
        take(worth, 0x0101 << at, &mut left, &mut even);
    }
    // Every other one in the order of their value.
    let (mut lead, mut mine) = (lead, next);
    for worth in (1..5).rev() {
        let many = counts[worth];
        lead += worth as i32 * if mine { (many + 1) / 2 } else { many / 2 };
        mine ^= many % 2 == 1;
    }
    lead
}

/// The free squares that are connected with `squares` along their rows.
#[inline(always)]
fn along(squares: u64, free: u64) -> u64 {
    let mut reached = squares;
    loop {
        let next = (reached | reached << 1 & NOT_FIRST_FILE | reached >> 1 & NOT_LAST_FILE) & free;
        if next == reached {
            return reached;
        }
        reached = next;
    }
}

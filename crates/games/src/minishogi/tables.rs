//! Pieces, moves and the tables they are looked up in, all made while compiling.
//!
//! ```text
//! square = rank * 5 + file:    20 21 22 23 24   last rank of the first player: its promotion zone
//!                              15 16 17 18 19
//!                              10 11 12 13 14
//!                               5  6  7  8  9
//!                               0  1  2  3  4   last rank of the second player
//! ```
//! Tables have 32 places a square, so that an index cut to five bits needs no check.

pub(super) const PAWN: usize = 0;
pub(super) const SILVER: usize = 1;
pub(super) const GOLD: usize = 2;
pub(super) const BISHOP: usize = 3;
pub(super) const ROOK: usize = 4;
pub(super) const KING: usize = 5;
/// Kinds that can be captured and held in hand: all but the king.
pub(super) const HELD: usize = 5;
/// Added to a kind, it gives the promoted piece. Kind and promotion together are called a piece.
pub(super) const PROMOTED: usize = 8;

pub(super) const SQUARES: usize = 25;
pub(super) const ALL: u32 = (1 << SQUARES) - 1;
/// Where pieces promote and pawns may not stay, for each player.
pub(super) const LAST_RANK: [u32; 2] = [0b11111 << 20, 0b11111];

/// A move: from a square to another, perhaps promoting, or a drop.
///
/// ```text
/// bit 10: promotes | bits 9-5: from, or 25 + kind for a drop | bits 4-0: to
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u16);

impl Move {
    pub(super) const fn step(from: usize, to: usize, promotes: bool) -> Self {
        Self((promotes as usize * 1024 + from * 32 + to) as u16)
    }

    pub(super) const fn drop(kind: usize, to: usize) -> Self {
        Self::step(SQUARES + kind, to, false)
    }

    /// Square left; [`SQUARES`] + kind for a drop.
    #[inline(always)]
    pub(super) const fn from(self) -> usize {
        self.0 as usize >> 5 & 31
    }

    #[inline(always)]
    pub(super) const fn to(self) -> usize {
        self.0 as usize & 31
    }

    #[inline(always)]
    pub(super) const fn promotes(self) -> bool {
        self.0 & 1024 != 0
    }

    /// The kind dropped, if the move is a drop.
    #[inline(always)]
    pub(super) const fn dropped(self) -> Option<usize> {
        self.from().checked_sub(SQUARES)
    }
}

const STRAIGHT: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];

/// Single steps of a piece of the first player.
const fn step_ways(piece: usize) -> &'static [(i32, i32)] {
    const PROMOTED_PAWN: usize = PAWN + PROMOTED;
    const PROMOTED_SILVER: usize = SILVER + PROMOTED;
    const HORSE: usize = BISHOP + PROMOTED;
    const DRAGON: usize = ROOK + PROMOTED;
    match piece {
        PAWN => &[(0, 1)],
        SILVER => &[(0, 1), (-1, 1), (1, 1), (-1, -1), (1, -1)],
        GOLD | PROMOTED_PAWN | PROMOTED_SILVER => &[(0, 1), (-1, 1), (1, 1), (-1, 0), (1, 0), (0, -1)],
        KING => &[(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)],
        HORSE => &STRAIGHT,
        DRAGON => &DIAGONAL,
        _ => &[],
    }
}

/// Ways in which a piece slides any distance; its single steps are not among them.
pub(super) const fn slide_ways(piece: usize) -> &'static [(i32, i32)] {
    match piece % PROMOTED {
        BISHOP => &DIAGONAL,
        ROOK => &STRAIGHT,
        _ => &[],
    }
}

/// The square `distance` steps from `square`, or `None` beyond the edge.
const fn walk(square: usize, way: (i32, i32), distance: i32) -> Option<usize> {
    let file = (square % 5) as i32 + way.0 * distance;
    let rank = (square / 5) as i32 + way.1 * distance;
    if 0 <= file && file < 5 && 0 <= rank && rank < 5 { Some((rank * 5 + file) as usize) } else { None }
}

/// `way` as the player sees it.
const fn seen_by(player: usize, way: (i32, i32)) -> (i32, i32) {
    if player == 0 { way } else { (way.0, -way.1) }
}

/// Squares a piece reaches with single steps: `[player][piece][square]`.
pub(super) static STEPS: [[[u32; 32]; 16]; 2] = {
    let mut table = [[[0; 32]; 16]; 2];
    let mut i = 0;
    while i < 2 * 16 * SQUARES {
        let (player, piece, square) = (i / SQUARES / 16, i / SQUARES % 16, i % SQUARES);
        let ways = step_ways(piece);
        let mut way = 0;
        while way < ways.len() {
            if let Some(to) = walk(square, seen_by(player, ways[way]), 1) {
                table[player][piece][square] |= 1 << to;
            }
            way += 1;
        }
        i += 1;
    }
    table
};

/// Where a pawn, a silver, a gold or a king of a player stands to attack a square: `[player][square][kind]`.
pub(super) static STEPS_TO: [[[u32; 4]; 32]; 2] = {
    let mut table = [[[0; 4]; 32]; 2];
    let mut i = 0;
    while i < 2 * SQUARES {
        let (player, square) = (i / SQUARES, i % SQUARES);
        // A step seen from its end is a step of the opponent's piece.
        let back = &STEPS[1 - player];
        table[player][square] = [back[PAWN][square], back[SILVER][square], back[GOLD][square], back[KING][square]];
        i += 1;
    }
    table
};

/// Squares that a slide from `square` reaches, up to and with the first occupied one.
const fn slides(square: usize, ways: &[(i32, i32)], occupied: u32) -> u32 {
    let (mut reached, mut way) = (0, 0);
    while way < ways.len() {
        let mut distance = 1;
        while let Some(to) = walk(square, ways[way], distance) {
            reached |= 1 << to;
            if occupied >> to & 1 != 0 {
                break;
            }
            distance += 1;
        }
        way += 1;
    }
    reached
}

/// Slides of one kind, looked up by a perfect hash of the occupied squares on the way ("magic bitboards").
pub(super) struct Slides<const N: usize> {
    /// The squares whose occupation matters, and the multiplier that brings them into the top bits.
    hashes: [(u32, u32); 32],
    reached: [[u32; N]; 32],
}

impl<const N: usize> Slides<N> {
    const fn new(ways: &[(i32, i32)], multipliers: &[u32; SQUARES]) -> Self {
        let mut table = Self { hashes: [(0, 0); 32], reached: [[0; N]; 32] };
        let mut square = 0;
        while square < SQUARES {
            let mut mask = 0;
            let mut way = 0;
            while way < ways.len() {
                let mut distance = 1;
                // The last square of a way is reached whether it is occupied or not.
                while let (Some(on), Some(_)) =
                    (walk(square, ways[way], distance), walk(square, ways[way], distance + 1))
                {
                    mask |= 1 << on;
                    distance += 1;
                }
                way += 1;
            }
            table.hashes[square] = (mask, multipliers[square]);
            let mut occupied = 0u32;
            loop {
                let index = occupied.wrapping_mul(multipliers[square]) >> (32 - N.trailing_zeros());
                table.reached[square][index as usize] = slides(square, ways, occupied);
                occupied = occupied.wrapping_sub(mask) & mask;
                if occupied == 0 {
                    break;
                }
            }
            square += 1;
        }
        table
    }

    /// Squares reached from `square`, up to and with the first occupied one on each way.
    #[inline(always)]
    pub(super) fn from(&self, square: usize, occupied: u32) -> u32 {
        let (mask, multiplier) = self.hashes[square & 31];
        let index = (occupied & mask).wrapping_mul(multiplier) >> (32 - N.trailing_zeros());
        self.reached[square & 31][index as usize & (N - 1)]
    }
}

// The multipliers were found by trial, one for each square; a test compares them with walking.
#[rustfmt::skip]
pub(super) static ROOK_SLIDES: Slides<64> = Slides::new(
    &STRAIGHT,
    &[
        0x1022_2004, 0x3141_1000, 0x1208_0400, 0x4880_2201, 0x2420_3003,
        0x0020_8000, 0x0008_8000, 0x0071_1203, 0x5812_0842, 0x0912_0080,
        0x102d_0100, 0x0440_4400, 0x0021_0a00, 0x8924_1240, 0x1020_9080,
        0x4082_2000, 0x4058_0404, 0x1209_9001, 0x0004_2000, 0x0084_1208,
        0x8041_6102, 0xd010_0980, 0x0102_0481, 0x0022_0512, 0x40c0_2080,
    ],
);
#[rustfmt::skip]
pub(super) static BISHOP_SLIDES: Slides<16> = Slides::new(
    &DIAGONAL,
    &[
        0x0a06_0400, 0x0081_1c00, 0x6120_0420, 0x0050_0000, 0x6014_6e40,
        0x2210_0a00, 0x2408_1894, 0x0004_4040, 0x0108_4000, 0x4002_8943,
        0x0498_8200, 0x1020_2024, 0x0080_b01a, 0x0020_1024, 0x0080_0800,
        0x0090_0822, 0x0c12_0206, 0x9082_0144, 0x8101_0404, 0x0042_2840,
        0x0082_5140, 0x4001_311c, 0x2000_1400, 0x4c98_1848, 0x4213_1880,
    ],
);

/// Squares that must be empty for a move: those between the two squares, and for a drop the target itself.
/// Indexed by [`Move::from`] and [`Move::to`].
pub(super) static PATH: [[u32; 32]; 32] = {
    let mut table = [[0; 32]; 32];
    let mut from = 0;
    while from < SQUARES {
        let mut i = 0;
        while i < 8 {
            let way = if i < 4 { STRAIGHT[i] } else { DIAGONAL[i - 4] };
            let (mut path, mut distance) = (0, 1);
            while let Some(to) = walk(from, way, distance) {
                table[from][to] = path;
                path |= 1 << to;
                distance += 1;
            }
            i += 1;
        }
        from += 1;
    }
    while from < SQUARES + HELD {
        let mut to = 0;
        while to < SQUARES {
            table[from][to] = 1 << to;
            to += 1;
        }
        from += 1;
    }
    table
};

/// The whole row, column or diagonal through two squares; empty if they share none.
pub(super) static LINE: [[u32; 32]; 32] = {
    let mut table = [[0; 32]; 32];
    let mut from = 0;
    while from < SQUARES {
        let mut i = 0;
        while i < 8 {
            let way = if i < 4 { STRAIGHT[i] } else { DIAGONAL[i - 4] };
            let line = 1 << from | slides(from, &[way, (-way.0, -way.1)], 0);
            let mut distance = 1;
            while let Some(to) = walk(from, way, distance) {
                table[from][to] = line;
                distance += 1;
            }
            i += 1;
        }
        from += 1;
    }
    table
};

/// All moves of one piece from one square of a board with nothing else on it, or all drops of one kind:
/// `count` moves of [`Tickets::moves`] from `start` on.
#[derive(Clone, Copy)]
pub(super) struct Row {
    pub start: u16,
    pub count: u8,
}

/// Every move that could ever be drawn for a piece, in rows.
pub(super) struct Tickets {
    pub moves: [Move; 4096],
    /// `[player][piece][square]`; the row of a drop stands at square [`SQUARES`].
    pub rows: [[[Row; 32]; 16]; 2],
}

pub(super) static TICKETS: Tickets = {
    let mut table = Tickets { moves: [Move(0); 4096], rows: [[[Row { start: 0, count: 0 }; 32]; 16]; 2] };
    let (mut end, mut i) = (0, 0);
    while i < 2 * 16 * (SQUARES + 1) {
        let (player, piece, from) = (i / (SQUARES + 1) / 16, i / (SQUARES + 1) % 16, i % (SQUARES + 1));
        let start = end;
        let mut targets = if from < SQUARES {
            STEPS[player][piece][from] | slides(from, slide_ways(piece), 0)
        } else if piece == PAWN {
            ALL & !LAST_RANK[player]
        } else if piece < HELD {
            ALL
        } else {
            0
        };
        while targets != 0 {
            let to = targets.trailing_zeros() as usize;
            targets &= targets - 1;
            if from == SQUARES {
                table.moves[end] = Move::drop(piece, to);
                end += 1;
                continue;
            }
            let (may, must) = promotion(player, piece, from, to);
            if !must {
                table.moves[end] = Move::step(from, to, false);
                end += 1;
            }
            if may {
                table.moves[end] = Move::step(from, to, true);
                end += 1;
            }
        }
        table.rows[player][piece][from] = Row { start: start as u16, count: (end - start) as u8 };
        i += 1;
    }
    table
};

/// Whether this step may promote, and whether it must.
#[inline(always)]
pub(super) const fn promotion(player: usize, piece: usize, from: usize, to: usize) -> (bool, bool) {
    let promotable = piece == PAWN || piece == SILVER || piece == BISHOP || piece == ROOK;
    let may = promotable && (1 << from | 1 << to) & LAST_RANK[player] != 0;
    (may, may && piece == PAWN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slides_looked_up_are_slides_walked_whatever_is_occupied() {
        for square in 0..SQUARES {
            for occupied in (0..=ALL).step_by(41).chain([0, ALL]) {
                assert_eq!(ROOK_SLIDES.from(square, occupied), slides(square, &STRAIGHT, occupied));
                assert_eq!(BISHOP_SLIDES.from(square, occupied), slides(square, &DIAGONAL, occupied));
            }
        }
    }

    #[test]
    fn the_tickets_of_a_side_fit_the_bytes_they_are_added_up_in() {
        assert!(TICKETS.rows.iter().flatten().flatten().all(|row| row.count <= 25));
        let most = |piece: usize| (0..SQUARES).map(|from| TICKETS.rows[0][piece][from].count).max().unwrap_or(0);
        assert_eq!([PAWN, SILVER, GOLD, BISHOP, ROOK, KING].map(most), [1, 8, 6, 10, 16, 8]);
        assert_eq!([BISHOP, ROOK].map(|kind| most(kind + PROMOTED)), [12, 12]);
    }
}

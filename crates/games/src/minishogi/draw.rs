//! Random moves without listing them.
//!
//! Every piece holds one ticket for each move it would have alone on the board, every kind in hand one for each square.
//! Drawing a ticket and dropping those that are not legal now is uniform over the legal moves, since each of them is on
//! exactly one ticket. In random games more than half of the tickets drawn are legal.

use std::ops::ControlFlow;

use plyproof_core::Rng;

use super::board::{Board, squares};
use super::tables::{HELD, Move, PROMOTED, SQUARES, TICKETS};

/// The tickets of both players.
///
/// ```text
/// lane    0   1   2   3   4  5   6  7     8   9   10 11   12 13    14 15
/// holds  S*  G*  B*  R*  pawns  golds    P*  king silvers bishops  rooks     (* in hand)
/// ```
/// Each lane has a byte for the number of its tickets, and eight lanes are one word. The bytes of a word never add up
/// to more than 127: in the first to 4 * 25 in hand, 2 pawns and a gold (6); in the second to 20 pawn drops, 8 for the
/// king and twice the most of a silver (8), a bishop (12) and a rook (16).
#[derive(Clone, Debug)]
pub(super) struct Urn {
    counts: [[u64; 2]; 2],
    /// Where the row of each lane begins among all tickets.
    starts: [[u16; 16]; 2],
    /// The lane of the piece on each occupied square.
    lanes: [u8; 32],
}

const HAND_LANES: [usize; HELD] = [8, 0, 1, 2, 3];
/// The first lane of each kind on the board. All kinds but the king have a second one.
const BOARD_LANES: [usize; 6] = [4, 10, 6, 12, 14, 9];
const ONES: u64 = 0x0101_0101_0101_0101;

/// Misses after which the moves are listed: there may be few, or none.
const DRAWS: usize = 24;

impl Urn {
    pub(super) fn new(board: &Board) -> Self {
        let mut urn = Self { counts: [[0; 2]; 2], starts: [[0; 16]; 2], lanes: [0; 32] };
        for player in 0..2 {
            for square in squares(board.own(player)) {
                urn.put(player, board.piece(square), square);
            }
            for kind in (0..HELD).filter(|&kind| board.held(player, kind) > 0) {
                urn.fill(player, HAND_LANES[kind], kind, SQUARES);
            }
        }
        urn
    }

    #[inline(always)]
    fn fill(&mut self, player: usize, lane: usize, piece: usize, square: usize) {
        let row = TICKETS.rows[player][piece & 15][square & 31];
        self.clear(player, lane);
        self.counts[player][lane >> 3 & 1] |= u64::from(row.count) << ((lane & 7) * 8);
        self.starts[player][lane & 15] = row.start;
    }

    #[inline(always)]
    fn clear(&mut self, player: usize, lane: usize) {
        self.counts[player][lane >> 3 & 1] &= !(0xff << ((lane & 7) * 8));
    }

    /// A piece comes to the board.
    #[inline(always)]
    fn put(&mut self, player: usize, piece: usize, square: usize) {
        let first = BOARD_LANES[piece % PROMOTED];
        // A piece on the board always has a ticket: pawns do not stand on the last rank.
        let taken = self.counts[player][first >> 3] >> ((first & 7) * 8) & 0xff != 0;
        let lane = first + usize::from(taken);
        self.lanes[square & 31] = lane as u8;
        self.fill(player, lane, piece, square);
    }

    /// Plays `m`, a legal move on `board`, on both.
    #[inline(always)]
    pub(super) fn make(&mut self, board: &mut Board, m: Move) {
        let (me, you) = (board.mover.index() & 1, board.mover.index() & 1 ^ 1);
        let to = m.to();
        if let Some(kind) = m.dropped() {
            if board.held(me, kind) == 1 {
                self.clear(me, HAND_LANES[kind]);
            }
            self.put(me, kind, to);
        } else {
            if board.own(you) >> to & 1 != 0 {
                let kind = board.piece(to) % PROMOTED;
                self.clear(you, self.lanes[to].into());
                self.fill(me, HAND_LANES[kind], kind, SQUARES);
            }
            let lane = self.lanes[m.from()];
            self.lanes[to] = lane;
            let piece = board.piece(m.from()) | if m.promotes() { PROMOTED } else { 0 };
            self.fill(me, lane.into(), piece, to);
        }
        board.make(m);
    }

    /// One ticket of a player.
    #[inline(always)]
    fn draw(&self, player: usize, rng: &mut Rng) -> Move {
        // Multiplying by ones adds up the bytes: each becomes the number of tickets in its lane and those below.
        let [low, high] = self.counts[player].map(|half| half.wrapping_mul(ONES));
        let in_low = low >> 56;
        let drawn = rng.below((in_low + (high >> 56)) as usize) as u64;
        let (sums, drawn, lane) = if drawn < in_low { (low, drawn, 0) } else { (high, drawn - in_low, 8) };
        // The top bit of each byte stays where the sum is not larger than `drawn`: in the lanes below the right one.
        let below = ((drawn | 0x80) * ONES).wrapping_sub(sums) >> 7 & ONES;
        let skipped = below.wrapping_mul(ONES) >> 56;
        let ticket = drawn - (sums << 8 >> (skipped * 8) & 0xff);
        let start = u64::from(self.starts[player][(lane + skipped) as usize & 15]);
        TICKETS.moves[(start + ticket) as usize & 4095]
    }

    /// A uniformly random legal move; `None` if there is none. Leaves anything in `list`.
    #[inline(always)]
    pub(super) fn random_move(&self, board: &Board, rng: &mut Rng, list: &mut [Move; 256]) -> Option<Move> {
        if !board.in_check(board.mover) {
            for _ in 0..DRAWS {
                let m = self.draw(board.mover.index() & 1, rng);
                if board.allows(m) {
                    return Some(m);
                }
            }
        }
        listed_move(board, rng, list)
    }
}

fn listed_move(board: &Board, rng: &mut Rng, list: &mut [Move; 256]) -> Option<Move> {
    let mut count = 0;
    // Fewer than 256 tickets, so fewer moves.
    let _ = board.visit_moves(|m| {
        list[count & 255] = m;
        count += 1;
        ControlFlow::<()>::Continue(())
    });
    (count > 0).then(|| list[rng.below(count) & 255])
}

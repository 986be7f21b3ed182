//! Races: a piece that reaches the far row whatever the opponent does.
//!
//! One player only moves one piece. For each of its moves the squares are known that the opponent may capture on by then,
//! and those that the opponent may stand on, whichever of its pieces it moves: a step of Breakthrough straight ahead
//! needs an empty square. The piece gets through if some way avoids both, and if the opponent cannot have reached its own
//! far row, or captured everything, before.

use plyproof_core::Player;

use super::{Piece, Rules};

const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
const NOT_AB: u64 = 0xfcfc_fcfc_fcfc_fcfc;
const NOT_GH: u64 = 0x3f3f_3f3f_3f3f_3f3f;

impl Rules {
    /// Squares that pieces of `player` on `set` can capture on. Off the board there may be more.
    #[inline(always)]
    fn captures(&self, player: usize, set: u64) -> u64 {
        let (left, right) = (set >> 1 & NOT_H, set << 1 & NOT_A);
        let beside = left | right;
        match (self.piece, player) {
            (Piece::Pawn, 0) => beside << 8,
            (Piece::Pawn, _) => beside >> 8,
            (_, 0) => beside << 16 | ((set >> 2 & NOT_GH) | (set << 2 & NOT_AB)) << 8,
            (_, _) => beside >> 16 | ((set >> 2 & NOT_GH) | (set << 2 & NOT_AB)) >> 8,
        }
    }

    /// Squares that pieces of `player` on `set` can step on if they are empty, but not capture on.
    #[inline(always)]
    fn steps_ahead(&self, player: usize, set: u64) -> u64 {
        match (self.piece, player) {
            (Piece::Pawn, 0) => set << 8,
            (Piece::Pawn, _) => set >> 8,
            _ => 0,
        }
    }

    /// Whether `player`, who is `next` to move or not, has a piece that gets through. Only for pieces that always move
    /// forward.
    #[inline(always)]
    pub(super) fn wins_race(&self, pieces: [u64; 2], player: Player, next: bool) -> bool {
        let (me, you) = (player.index(), player.other().index());
        let own = pieces[me];
        // Where the piece may be, and where one of the opponent's may be.
        let (mut reached, mut others) = (own, pieces[you]);
        let mut mine = next;
        loop {
            if mine {
                let quiet = self.steps_ahead(me, reached) & !others;
                reached = (self.captures(me, reached) | quiet) & !own & self.board;
                if reached & self.far[me] != 0 {
                    return true;
                }
            } else {
                let captures = self.captures(you, others);
                reached &= !captures;
                others |= (captures | self.steps_ahead(you, others)) & self.board;
                if others & self.far[you] != 0 {
                    return false;
                }
            }
            if reached == 0 {
                return false;
            }
            mine = !mine;
        }
    }
}

//! Mate in one, found among the moves that give check.

use plyproof_core::Defence;

use super::MiniShogi;
use super::board::{Board, squares};
use super::tables::{
    ALL, BISHOP, BISHOP_SLIDES, GOLD, HELD, KING, Move, PATH, PAWN, PROMOTED, ROOK, ROOK_SLIDES, SILVER, SQUARES,
    STEPS, STEPS_TO, promotion,
};

impl Board {
    /// A move that mates, if the mover has one.
    ///
    /// A win by leaving the opponent without a move but not in check is not looked for: it needs a bare king.
    #[inline(always)]
    pub(super) fn mating_move(&self) -> Option<Move> {
        let (me, you) = (self.mover.index() & 1, self.mover.index() & 1 ^ 1);
        let (own, occupied, king) = (self.own(me), self.occupied(), self.king(me));
        let checks = self.checks(me, you);
        // A piece that steps out of the way of one behind it gives check wherever it goes.
        let shields = self.shields(me, you);
        if shields >> king & 1 != 0 {
            for to in squares(STEPS[me][KING][king] & !own) {
                let m = Move::step(king, to, false);
                if self.attackers(to, you, occupied ^ 1 << king) == 0 && self.mates(m) {
                    return Some(m);
                }
            }
        }
        let mut allowed = ALL;
        let checkers = self.attackers(king, you, occupied);
        if checkers != 0 {
            if checkers & (checkers - 1) != 0 {
                return None;
            }
            allowed = checkers | PATH[king][checkers.trailing_zeros() as usize];
        }
        for from in squares(own & !(1 << king)) {
            let piece = self.piece(from);
            let plain = if shields >> from & 1 != 0 { ALL } else { checks[piece & 15] };
            let promoted = if piece >= PROMOTED || piece == GOLD { 0 } else { plain | checks[(piece + PROMOTED) & 15] };
            if plain | promoted == 0 {
                continue;
            }
            let targets = self.reach(me, piece, from) & !own & allowed & (plain | promoted);
            for to in squares(targets) {
                let (may, must) = promotion(me, piece, from, to);
                for promotes in [false, true] {
                    let gives = if promotes { may && promoted >> to & 1 != 0 } else { !must && plain >> to & 1 != 0 };
                    let m = Move::step(from, to, promotes);
                    if gives && self.leaves_king_safe(m, king, you) && self.mates(m) {
                        return Some(m);
                    }
                }
            }
        }
        // A pawn must not mate when it is dropped.
        for kind in (SILVER..HELD).filter(|&kind| self.held(me, kind) > 0) {
            for to in squares(checks[kind & 15] & allowed & !occupied) {
                let m = Move::drop(kind, to);
                if self.mates(m) {
                    return Some(m);
                }
            }
        }
        None
    }

    /// Squares from which a piece of each kind of `me` gives check.
    #[inline(always)]
    fn checks(&self, me: usize, you: usize) -> [u32; 16] {
        let (occupied, enemy_king) = (self.occupied(), self.king(you));
        let steps = &STEPS_TO[me][enemy_king & 31];
        let (rook, bishop) = (ROOK_SLIDES.from(enemy_king, occupied), BISHOP_SLIDES.from(enemy_king, occupied));
        let mut checks = [0u32; 16];
        checks[PAWN] = steps[0];
        checks[SILVER] = steps[1];
        checks[GOLD] = steps[2];
        checks[BISHOP] = bishop;
        checks[ROOK] = rook;
        checks[PAWN + PROMOTED] = steps[2];
        checks[SILVER + PROMOTED] = steps[2];
        checks[BISHOP + PROMOTED] = bishop | steps[3];
        checks[ROOK + PROMOTED] = rook | steps[3];
        checks
    }

    /// Calls `visit` with the place in `moves`, all of them legal, of each that may leave the opponent without a move, and
    /// perhaps of others: a check, or any move if the opponent may have nothing to drop.
    #[inline(always)]
    pub(super) fn visit_possible_ends(&self, moves: &[Move], mut visit: impl FnMut(usize, Move)) {
        let (me, you) = (self.mover.index() & 1, self.mover.index() & 1 ^ 1);
        // A piece that slides gives check along a line that the move has opened, too: from a square behind the one left.
        let (checks, shields) = (self.checks(me, you), self.shields(me, you));
        let drops = self.can_drop(you);
        for (index, &m) in moves.iter().enumerate() {
            let from = m.from();
            let piece = m.dropped().unwrap_or_else(|| self.piece(from));
            let piece = if m.promotes() { piece + PROMOTED } else { piece };
            let opens = from < SQUARES && shields >> from & 1 != 0;
            if !drops || opens || checks[piece & 15] >> m.to() & 1 != 0 {
                visit(index, m);
            }
        }
    }

    fn leaves_king_safe(&self, m: Move, king: usize, you: usize) -> bool {
        let target = 1 << m.to();
        let occupied = self.occupied() & !(1 << m.from()) | target;
        self.attackers(king, you, occupied) & !target == 0
    }

    #[inline(never)]
    fn mates(&self, m: Move) -> bool {
        let mut next = *self;
        next.make(m);
        next.in_check(next.mover) && !next.can_move()
    }

    /// Pieces of `me` that stand alone between the king of `you` and a piece of `me` that slides.
    #[inline(always)]
    fn shields(&self, me: usize, you: usize) -> u32 {
        let king = self.king(you);
        let sliders =
            ROOK_SLIDES.from(king, 0) & self.movers(me)[ROOK] | BISHOP_SLIDES.from(king, 0) & self.movers(me)[BISHOP];
        squares(sliders).fold(0, |shields, slider| {
            let between = PATH[king][slider] & self.occupied();
            shields | if between & between.wrapping_sub(1) == 0 { between & self.own(me) } else { 0 }
        })
    }
}

const _: () = assert!(KING < PROMOTED, "kings have no promoted form");

impl MiniShogi {
    /// Every move is tried: most mates in one are open to the opponent only after a careless move.
    pub(super) fn moves_that_hold(&self, into: &mut Vec<Move>) -> Defence {
        let (before, mut moves) = (into.len(), 0);
        // With repetitions a move may end the game in other ways; then nothing is said.
        if self.history.is_some() {
            return Defence::NotNeeded;
        }
        let _ = self.board.visit_moves(|m| {
            moves += 1;
            let mut next = self.board;
            next.make(m);
            if next.mating_move().is_none() {
                into.push(m);
            }
            std::ops::ControlFlow::<()>::Continue(())
        });
        match into.len() - before {
            0 => Defence::Hopeless,
            holding if holding == moves => {
                into.truncate(before);
                Defence::NotNeeded
            }
            _ => Defence::Needed,
        }
    }
}

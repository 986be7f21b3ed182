//! What captures gain, as a hint for the order of moves.

use super::board::{Board, squares};
use super::tables::{BISHOP, GOLD, KING, Move, PAWN, PROMOTED, ROOK, SILVER};

/// What a piece is worth on the board, in tenths of a pawn: rules of thumb for the order of moves.
const WORTH: [i32; 16] = {
    let mut worth = [0; 16];
    let known = [
        (PAWN, 10),
        (SILVER, 45),
        (GOLD, 50),
        (BISHOP, 60),
        (ROOK, 75),
        (KING, 1000),
        (PAWN + PROMOTED, 50),
        (SILVER + PROMOTED, 50),
        (BISHOP + PROMOTED, 90),
        (ROOK + PROMOTED, 110),
    ];
    let mut i = 0;
    while i < known.len() {
        worth[known[i].0] = known[i].1;
        i += 1;
    }
    worth
};

/// What it is worth to take a piece: it is gone from the board, and comes into the hand.
#[inline(always)]
fn taken(piece: usize) -> i32 {
    WORTH[piece & 15] + WORTH[piece % PROMOTED]
}

impl Board {
    /// What a step wins if both sides go on taking on its square as long as that pays, each with its cheapest piece.
    pub(super) fn gain(&self, m: Move) -> i32 {
        if m.dropped().is_some() {
            return 0;
        }
        let (to, mut side) = (m.to(), self.mover.index() & 1);
        let mut piece = self.piece(m.from());
        let mut occupied = self.occupied();
        // What the player who moved last has won so far, as that player sees it, if nothing is taken back.
        let mut won = if occupied >> to & 1 != 0 { taken(self.piece(to)) } else { 0 };
        if m.promotes() {
            won += WORTH[(piece + PROMOTED) & 15] - WORTH[piece & 15];
            piece += PROMOTED;
        }
        let (mut swaps, mut count) = ([0; 16], 0);
        let mut from = m.from();
        loop {
            swaps[count & 15] = won;
            count += 1;
            occupied &= !(1 << from);
            side ^= 1;
            let by = self.attackers(to, side, occupied) & occupied;
            let Some(cheapest) = squares(by).min_by_key(|&square| WORTH[self.piece(square) & 15]) else { break };
            if self.piece(cheapest) == KING && self.attackers(to, side ^ 1, occupied) & occupied != 0 {
                break;
            }
            won = taken(piece) - won;
            (from, piece) = (cheapest, self.piece(cheapest));
        }
        // Nobody has to take: from the last capture back, each side does so only if it pays.
        for at in (1..count.min(16)).rev() {
            swaps[at - 1] = -swaps[at].max(-swaps[at - 1]);
        }
        swaps[0]
    }
}

#[cfg(test)]
mod tests {
    use plyproof_core::spec::{Params, Spec};
    use plyproof_core::{Game, TextError};

    use crate::minishogi::{MINISHOGI, MiniShogi};

    fn gain(position: &str, m: &str) -> Result<i32, TextError> {
        let spec = Spec::parse("minishogi").expect("a name");
        let start = MiniShogi::start(&Params::resolve(&MINISHOGI, &spec).expect("no parameters"));
        let position = start.parse_position(position)?;
        Ok(position.gain(position.parse_move(m)?))
    }

    #[test]
    fn a_capture_gains_what_is_left_when_nobody_wants_to_take_any_more() -> Result<(), TextError> {
        let taken_alone = gain("4k/5/2p2/2R2/K4 b - 1", "c2c3")?;
        assert_eq!(taken_alone, 20, "a pawn from the board into the hand");
        assert_eq!(gain("4k/2g2/2p2/2R2/K4 b - 1", "c2c3")?, 20 - 150, "and the rook for it");
        assert_eq!(gain("4k/2g2/2p2/2R2/K1R2 b - 1", "c2c3")?, 20 - 150 + 100, "and the gold for that");
        // A king takes only what nobody guards.
        assert_eq!(gain("5/2k2/2p2/2R2/K4 b - 1", "c2c3")?, 20 - 150);
        assert_eq!(gain("5/2k2/2p2/2R2/K1R2 b - 1", "c2c3")?, 20);
        Ok(())
    }
}

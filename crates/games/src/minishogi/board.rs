//! A position without its history: who stands where, who attacks what, which moves are legal.

use std::ops::ControlFlow;

use plyproof_core::{Features, Player};

use super::tables::{
    ALL, BISHOP, BISHOP_SLIDES, GOLD, HELD, KING, LAST_RANK, LINE, Move, PATH, PAWN, PROMOTED, ROOK, ROOK_SLIDES,
    SILVER, SQUARES, STEPS, STEPS_TO, promotion,
};
use crate::board::{SECOND_KEY, bits, zobrist};

/// Pieces, hands and who is to move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Board {
    /// Squares of each player's pieces by the way they move: pawns, silvers, golds and what moves like them, all that
    /// slide like bishops, all that slide like rooks, all with king's steps; then all together. The last is not used.
    movers: [[u32; 8]; 2],
    /// The piece on each occupied square; anything on the others.
    pieces: [u8; 32],
    hands: [[u8; 8]; 2],
    kings: [u8; 2],
    pub mover: Player,
    pub key: u64,
}

/// The squares of the leftmost file.
const FILE: u32 = 1 | 1 << 5 | 1 << 10 | 1 << 15 | 1 << 20;
/// Place of "all pieces" among the movers.
const OWN: usize = 6;

/// Which of a player's sets a piece is in.
static SETS: [[u32; 8]; 16] = {
    let mut table = [[0; 8]; 16];
    let sets: [(usize, &[usize]); 10] = [
        (PAWN, &[PAWN]),
        (SILVER, &[SILVER]),
        (GOLD, &[GOLD]),
        (BISHOP, &[BISHOP]),
        (ROOK, &[ROOK]),
        (KING, &[KING]),
        (PAWN + PROMOTED, &[GOLD]),
        (SILVER + PROMOTED, &[GOLD]),
        (BISHOP + PROMOTED, &[BISHOP, KING]),
        (ROOK + PROMOTED, &[ROOK, KING]),
    ];
    let mut i = 0;
    while i < sets.len() {
        let (piece, members) = sets[i];
        table[piece][OWN] = ALL;
        let mut j = 0;
        while j < members.len() {
            table[piece][members[j]] = ALL;
            j += 1;
        }
        i += 1;
    }
    table
};

/// `[player * 16 + piece][square]`.
static PIECE_KEYS: [[u64; 32]; 32] = {
    let all: [u64; 1024] = zobrist(0x5067_0001);
    let mut table = [[0; 32]; 32];
    let mut i = 0;
    while i < 1024 {
        table[i / 32][i % 32] = all[i];
        i += 1;
    }
    table
};
/// Key part of the `n`-th piece of a kind in hand: `[player][kind * 2 + n]`.
static HAND_KEYS: [[u64; 16]; 2] = [zobrist(0x5067_0002), zobrist(0x5067_0003)];

impl Board {
    pub(super) fn empty(mover: Player) -> Self {
        let key = if mover == Player::SECOND { SECOND_KEY } else { 0 };
        Self { movers: [[0; 8]; 2], pieces: [0; 32], hands: [[0; 8]; 2], kings: [0; 2], mover, key }
    }

    #[inline(always)]
    pub(super) fn own(&self, player: usize) -> u32 {
        self.movers[player][OWN]
    }

    /// The sets of a player's pieces by the way they move.
    #[inline(always)]
    pub(super) fn movers(&self, player: usize) -> &[u32; 8] {
        &self.movers[player]
    }

    #[inline(always)]
    pub(super) fn occupied(&self) -> u32 {
        self.own(0) | self.own(1)
    }

    /// Owner and piece on a square.
    pub(super) fn at(&self, square: usize) -> Option<(usize, usize)> {
        (0..2).find(|&player| self.own(player) >> square & 1 != 0).map(|player| (player, self.piece(square)))
    }

    /// The piece on an occupied square.
    #[inline(always)]
    pub(super) fn piece(&self, square: usize) -> usize {
        usize::from(self.pieces[square & 31])
    }

    /// How many of a kind a player holds.
    #[inline(always)]
    pub(super) fn held(&self, player: usize, kind: usize) -> usize {
        usize::from(self.hands[player][kind & 7])
    }

    #[inline(always)]
    pub(super) fn king(&self, player: usize) -> usize {
        usize::from(self.kings[player])
    }

    /// Puts a piece on an empty square.
    #[inline(always)]
    pub(super) fn put(&mut self, player: usize, piece: usize, square: usize) {
        self.toggle(player, piece, square);
        self.pieces[square & 31] = piece as u8;
        if piece == KING {
            self.kings[player] = square as u8;
        }
    }

    #[inline(always)]
    fn toggle(&mut self, player: usize, piece: usize, square: usize) {
        for (set, member) in self.movers[player].iter_mut().zip(SETS[piece & 15]) {
            *set ^= member & 1 << square;
        }
        self.key ^= PIECE_KEYS[(player * 16 + piece) & 31][square & 31];
    }

    /// Gives a player one piece more to drop.
    #[inline(always)]
    pub(super) fn hold(&mut self, player: usize, kind: usize) {
        let held = &mut self.hands[player][kind & 7];
        self.key ^= HAND_KEYS[player][(kind * 2 + usize::from(*held)) & 15];
        *held += 1;
    }

    /// Plays a legal move.
    #[inline(always)]
    pub(super) fn make(&mut self, m: Move) {
        let (me, you) = (self.mover.index() & 1, self.mover.index() & 1 ^ 1);
        let to = m.to();
        self.mover = self.mover.other();
        self.key ^= SECOND_KEY;
        if let Some(kind) = m.dropped() {
            let held = &mut self.hands[me][kind & 7];
            *held -= 1;
            self.key ^= HAND_KEYS[me][(kind * 2 + usize::from(*held)) & 15];
            self.put(me, kind, to);
            return;
        }
        if self.own(you) >> to & 1 != 0 {
            let taken = self.piece(to);
            self.toggle(you, taken, to);
            self.hold(me, taken % PROMOTED);
        }
        let piece = self.piece(m.from());
        self.toggle(me, piece, m.from());
        self.put(me, piece | if m.promotes() { PROMOTED } else { 0 }, to);
    }

    /// Pieces of `by` that attack `square`, sliding through all squares that are not in `occupied`.
    #[inline(always)]
    pub(super) fn attackers(&self, square: usize, by: usize, occupied: u32) -> u32 {
        let steps = &STEPS_TO[by][square & 31];
        let sets = &self.movers[by];
        steps[0] & sets[PAWN]
            | steps[1] & sets[SILVER]
            | steps[2] & sets[GOLD]
            | steps[3] & sets[KING]
            | ROOK_SLIDES.from(square, occupied) & sets[ROOK]
            | BISHOP_SLIDES.from(square, occupied) & sets[BISHOP]
    }

    /// Whether the king of `player` is attacked.
    #[inline(always)]
    pub(super) fn in_check(&self, player: Player) -> bool {
        let me = player.index() & 1;
        self.attackers(self.king(me), 1 - me, self.occupied()) != 0
    }

    /// Whether the mover has a legal move.
    pub(super) fn can_move(&self) -> bool {
        self.can_drop(self.mover.index()) && !self.in_check(self.mover)
            || self.visit_moves(|_| ControlFlow::Break(())).is_break()
    }

    /// Whether a player holds a piece that can be dropped unless there is a check: at most twelve pieces are on the board,
    /// so there is room; only a pawn may find none.
    #[inline(always)]
    pub(super) fn can_drop(&self, player: usize) -> bool {
        (SILVER..HELD).any(|kind| self.held(player, kind) > 0)
    }

    /// Features of positions: 16 kinds of pieces on 25 squares for each player, and in hand one or two of five kinds.
    pub(super) const FEATURES: usize = 2 * 16 * SQUARES + 2 * 2 * HELD;

    /// Own and enemy pieces, seen so that the mover moves upward, and what each player holds.
    pub(super) fn features(&self, into: &mut Features) {
        into.reset(Self::FEATURES);
        for (side, player) in [self.mover, self.mover.other()].map(|player| player.index() & 1).into_iter().enumerate()
        {
            for square in squares(self.own(player)) {
                let seen = if self.mover == Player::FIRST { square } else { SQUARES - 1 - square };
                into.insert((side * 16 + self.piece(square)) * SQUARES + seen);
            }
            for (kind, held) in (0..HELD).map(|kind| (kind, self.held(player, kind))) {
                let first = 2 * 16 * SQUARES + (side * HELD + kind) * 2;
                (0..held.min(2)).for_each(|more| into.insert(first + more));
            }
        }
    }

    /// The board with the other player to move, if nobody is in check.
    pub(super) fn passed(&self) -> Option<Self> {
        let next = Self { mover: self.mover.other(), key: self.key ^ SECOND_KEY, ..*self };
        (!self.in_check(self.mover)).then_some(next)
    }

    /// Calls `visit` for every legal move of the mover until it breaks.
    #[inline(always)]
    pub(super) fn visit_moves<B>(&self, mut visit: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        let (me, you) = (self.mover.index() & 1, self.mover.index() & 1 ^ 1);
        let (own, occupied, king) = (self.own(me), self.occupied(), self.king(me));
        for to in squares(STEPS[me][KING][king] & !own) {
            // The king does not shield the squares behind it.
            if self.attackers(to, you, occupied ^ 1 << king) == 0 {
                visit(Move::step(king, to, false))?;
            }
        }
        let checkers = self.attackers(king, you, occupied);
        let mut allowed = ALL;
        if checkers != 0 {
            if checkers & (checkers - 1) != 0 {
                return ControlFlow::Continue(());
            }
            allowed = checkers | PATH[king][checkers.trailing_zeros() as usize];
        }
        let pinned = self.pinned(me);
        for from in squares(own & !(1 << king)) {
            let piece = self.piece(from);
            let mut targets = self.reach(me, piece, from) & !own & allowed;
            if pinned >> from & 1 != 0 {
                targets &= LINE[king][from];
            }
            for to in squares(targets) {
                let (may, must) = promotion(me, piece, from, to);
                if !must {
                    visit(Move::step(from, to, false))?;
                }
                if may {
                    visit(Move::step(from, to, true))?;
                }
            }
        }
        for kind in (0..HELD).filter(|&kind| self.held(me, kind) > 0) {
            let mut targets = allowed & !occupied;
            if kind == PAWN && targets != 0 {
                targets = self.pawn_drops(me, targets);
            }
            for to in squares(targets) {
                visit(Move::drop(kind, to))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Squares a piece of `player` on `from` attacks.
    #[inline(always)]
    pub(super) fn reach(&self, player: usize, piece: usize, from: usize) -> u32 {
        let steps = STEPS[player][piece & 15][from];
        match piece % PROMOTED {
            BISHOP => steps | BISHOP_SLIDES.from(from, self.occupied()),
            ROOK => steps | ROOK_SLIDES.from(from, self.occupied()),
            _ => steps,
        }
    }

    /// Pieces of `player` that stand alone between their king and an enemy that slides.
    #[inline(always)]
    fn pinned(&self, player: usize) -> u32 {
        let (king, enemies) = (self.king(player), &self.movers[1 - player]);
        let sliders = ROOK_SLIDES.from(king, 0) & enemies[ROOK] | BISHOP_SLIDES.from(king, 0) & enemies[BISHOP];
        squares(sliders).fold(0, |pinned, slider| {
            let between = PATH[king][slider] & self.occupied();
            pinned | if between & between.wrapping_sub(1) == 0 { between & self.own(player) } else { 0 }
        })
    }

    /// Those of the empty squares `targets` where the rules of pawns let the mover drop one.
    fn pawn_drops(&self, me: usize, targets: u32) -> u32 {
        let pawns = self.movers[me][PAWN];
        let files = (pawns | pawns >> 5 | pawns >> 10 | pawns >> 15 | pawns >> 20) & 0b11111;
        let targets = targets & !LAST_RANK[me] & !(files * FILE);
        let before_king = STEPS_TO[me][self.king(1 - me)][PAWN];
        if targets & before_king == 0 {
            return targets;
        }
        let mut next = *self;
        next.make(Move::drop(PAWN, before_king.trailing_zeros() as usize));
        // No drop answers the check of a pawn, so this question does not raise itself again.
        if next.can_move() { targets } else { targets ^ before_king }
    }

    /// Whether a mover who is not in check may play `m`, one of the [tickets](super::tables::TICKETS) of its pieces.
    #[inline(always)]
    pub(super) fn allows(&self, m: Move) -> bool {
        let (me, you) = (self.mover.index() & 1, self.mover.index() & 1 ^ 1);
        let (own, occupied) = (self.own(me), self.occupied());
        let target = 1 << m.to();
        if occupied & PATH[m.from()][m.to()] | own & target != 0 {
            return false;
        }
        if let Some(kind) = m.dropped() {
            return kind != PAWN || self.pawn_drops(me, target) != 0;
        }
        let occupied = occupied & !(1 << m.from()) | target;
        let king = if m.from() == self.king(me) { m.to() } else { self.king(me) };
        self.attackers(king, you, occupied) & !target == 0
    }
}

/// The squares of a set, lowest first.
#[inline(always)]
pub(super) fn squares(set: u32) -> impl Iterator<Item = usize> {
    debug_assert!(set >> SQUARES == 0);
    bits(set.into())
}

//! Othello on 4x4, 6x6 and 8x8 boards.
//!
//! ```text
//! bit = row * 8 + file, row 1 at the top:       0  1 …  7   row 1 (a1 … h1)
//!                                               8  9 … 15
//!                                               …           smaller boards use the top left corner
//! ```
//!
//! A pass leaves the discs as they are and the game ends as soon as neither side can move, so the discs and the side to
//! move are the whole position.

use plyproof_core::spec::{Described, Description, Kind, Params};
use plyproof_core::{Features, Game, Outcome, Player, Playout, Rng, TextError, mix64};

use crate::board::{Grid, Interned, SECOND_KEY, bits, select_bit, split_side_only, stone_sign, with_side};

/// Name, parameters and rules of Othello.
pub static OTHELLO: Description = Description::new(|| {
    let rules = "Enclose lines of enemy discs to turn them over; when neither side can move, more discs win.";
    Described::new("othello", "Othello", rules)
        .parameter("size", "8", Kind::choice(&["4", "6", "8"]), "squares of one side")
        .into()
});

/// A position of Othello.
#[derive(Clone, Debug)]
pub struct Othello {
    rules: &'static Rules,
    discs: [u64; 2],
    /// Where the mover may place a disc; none: it passes, or the game is over.
    legal: u64,
    mover: Player,
    outcome: Option<Outcome>,
}

/// The move of a player who cannot place a disc.
pub const PASS: u8 = 64;

#[derive(Debug)]
struct Rules {
    grid: Grid,
    board: u64,
}

static RULES: Interned<usize, Rules> = Interned::new();

/// All files but the outermost: a disc on an outer file is never between two others along a row or a diagonal, and
/// leaving it out keeps shifted lines from running on at the other side of the board.
const INNER: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// All discs of `between` in unbroken lines from `from`, `STEP` bits apart: upward and downward in bit numbers.
/// Lines of up to six, the most that fit between two squares: one, two, then two at a time.
#[inline(always)]
fn lines<const STEP: u32>(from: u64, between: u64) -> (u64, u64) {
    let mut up = between & from << STEP;
    let mut down = between & from >> STEP;
    up |= between & up << STEP;
    down |= between & down >> STEP;
    let pairs_up = between & between << STEP;
    let pairs_down = between & between >> STEP;
    up |= pairs_up & up << (2 * STEP);
    down |= pairs_down & down >> (2 * STEP);
    up |= pairs_up & up << (2 * STEP);
    down |= pairs_down & down >> (2 * STEP);
    (up, down)
}

/// The squares just behind the lines from `own` over `between`.
#[inline(always)]
fn ends<const STEP: u32>(own: u64, between: u64) -> u64 {
    let (up, down) = lines::<STEP>(own, between);
    up << STEP | down >> STEP
}

/// The discs of `between` in lines from `square` that one of `own` closes.
#[inline(always)]
fn closed<const STEP: u32>(square: u64, own: u64, between: u64) -> u64 {
    let (up, down) = lines::<STEP>(square, between);
    let keep = |line: u64, end: u64| line & u64::from(end & own != 0).wrapping_neg();
    keep(up, up << STEP) | keep(down, down >> STEP)
}

/// Squares of `board` on which `own` may place a disc.
#[inline(always)]
fn placements(board: u64, own: u64, others: u64) -> u64 {
    let inner = others & INNER;
    let ends = ends::<1>(own, inner) | ends::<7>(own, inner) | ends::<8>(own, others) | ends::<9>(own, inner);
    ends & board & !(own | others)
}

/// Discs that turn over when `own` places one on `square`.
#[inline(always)]
fn turned(square: u64, own: u64, others: u64) -> u64 {
    let inner = others & INNER;
    closed::<1>(square, own, inner)
        | closed::<7>(square, own, inner)
        | closed::<8>(square, own, others)
        | closed::<9>(square, own, inner)
}

/// The result by the discs on the board; empty squares belong to nobody.
fn by_discs(first: u64, second: u64) -> Outcome {
    Outcome::by_points(first.count_ones() as i16 - second.count_ones() as i16)
}

impl Othello {
    /// The start position of [`OTHELLO`] with these parameters.
    pub fn start(params: &Params) -> Self {
        let rules = RULES.fetch(params.whole("size") as usize, |&size| Rules {
            grid: Grid::top_down(size, size),
            board: (0..size).fold(0, |board, row| board | ((1 << size) - 1) << (row * 8)),
        });
        let half = rules.grid.width / 2;
        let corner = (half - 1) * 9;
        Self::new(rules, [1 << (corner + 1) | 1 << (corner + 8), 1 << corner | 1 << (corner + 9)], Player::FIRST)
    }

    fn new(rules: &'static Rules, discs: [u64; 2], mover: Player) -> Self {
        let mut game = Self { rules, discs, legal: 0, mover, outcome: None };
        game.look();
        game
    }

    /// Finds the placements, and whether the game is over.
    fn look(&mut self) {
        let (own, others) = (self.discs[self.mover.index()], self.discs[self.mover.other().index()]);
        self.legal = placements(self.rules.board, own, others);
        if self.legal == 0 && placements(self.rules.board, others, own) == 0 {
            self.outcome = Some(by_discs(self.discs[0], self.discs[1]));
        }
    }
}

impl Game for Othello {
    /// The square by its bit number, or [`PASS`].
    type Move = u8;

    fn to_move(&self) -> Player {
        self.mover
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn moves(&self, into: &mut Vec<u8>) {
        if self.outcome.is_some() {
            return;
        }
        into.extend(bits(self.legal).map(|square| square as u8));
        if self.legal == 0 {
            into.push(PASS);
        }
    }

    fn play(&mut self, m: u8) {
        let (me, you) = (self.mover.index(), self.mover.other().index());
        if m != PASS {
            let square = 1 << m;
            let turned = turned(square, self.discs[me], self.discs[you]);
            self.discs[me] ^= turned | square;
            self.discs[you] ^= turned;
        }
        self.mover = self.mover.other();
        self.look();
    }

    fn key(&self) -> u64 {
        mix64(self.discs[0] ^ mix64(self.discs[1])) ^ if self.mover == Player::SECOND { SECOND_KEY } else { 0 }
    }

    const CANONICAL_KEYS: bool = true;

    fn canonical_key(&self) -> u64 {
        let [first, second] = self.rules.grid.canonical(self.discs, true);
        mix64(first ^ mix64(second)) ^ if self.mover == Player::SECOND { SECOND_KEY } else { 0 }
    }

    /// How many moves there are to choose from.
    fn outlook(&self) -> i32 {
        self.legal.count_ones() as i32
    }

    fn random_move(&self, rng: &mut Rng) -> u8 {
        match self.legal.count_ones() {
            0 => PASS,
            count => select_bit(self.legal, rng.below(count as usize)) as u8,
        }
    }

    fn playout(&mut self, rng: &mut Rng, limit: u32) -> Playout {
        if let Some(outcome) = self.outcome {
            return Playout { outcome, plies: 0 };
        }
        let board = self.rules.board;
        let mut player = self.mover;
        let mut own = self.discs[player.index()];
        let mut others = self.discs[player.other().index()];
        let mut legal = self.legal;
        for plies in 1..=limit {
            // Nothing to place here is a pass: the end of the game was found one move earlier.
            if legal != 0 {
                let square = 1 << select_bit(legal, rng.below(legal.count_ones() as usize));
                let turned = turned(square, own, others);
                own ^= turned | square;
                others ^= turned;
            }
            std::mem::swap(&mut own, &mut others);
            player = player.other();
            legal = placements(board, own, others);
            if legal == 0 && placements(board, others, own) == 0 {
                let outcome = if player == Player::FIRST { by_discs(own, others) } else { by_discs(others, own) };
                return Playout { outcome, plies };
            }
        }
        Playout { outcome: Outcome::DRAW, plies: limit }
    }

    fn position_text(&self) -> String {
        with_side(&self.rules.grid.text(|file, rank| stone_sign(self.discs, rank * 8 + file)), self.mover, 0)
    }

    fn parse_position(&self, text: &str) -> Result<Self, TextError> {
        let (board, mover) = split_side_only(text)?;
        let mut discs = [0u64; 2];
        self.rules.grid.parse_stones(board, |player, file, rank| discs[player] |= 1 << (rank * 8 + file))?;
        Ok(Self::new(self.rules, discs, mover))
    }

    fn move_text(&self, m: u8) -> String {
        if m == PASS { "pass".to_string() } else { self.rules.grid.square_text(usize::from(m % 8), usize::from(m / 8)) }
    }

    fn may_repeat(&self) -> bool {
        false
    }

    fn symmetries(&self) -> usize {
        self.rules.grid.symmetries()
    }

    fn symmetric(&self, index: usize) -> Self {
        let discs = self.discs.map(|set| self.rules.grid.map_set(index, set));
        Self::new(self.rules, discs, self.mover)
    }

    fn symmetric_move(&self, index: usize, m: u8) -> u8 {
        if m == PASS { m } else { self.rules.grid.map_square(index, m.into(), 8) as u8 }
    }

    fn feature_count(&self) -> usize {
        256
    }

    /// Own and enemy discs, and where each player may place one.
    fn features(&self, into: &mut Features) {
        into.reset(256);
        let [own, others] = [self.mover, self.mover.other()].map(|player| self.discs[player.index()]);
        let replies = placements(self.rules.board, others, own);
        for (first, set) in [(0, own), (64, others), (128, self.legal), (192, replies)] {
            into.insert_bits(first, set);
        }
    }

    fn board(&self) -> String {
        self.rules.grid.draw(|file, rank| stone_sign(self.discs, rank * 8 + file))
    }
}

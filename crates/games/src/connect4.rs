//! Connect Four on boards of up to eight columns and seven rows.
//!
//! ```text
//! bit = column * 8 + row, row 0 at the bottom:     7 15 23 …   never a stone: keeps the columns apart
//!                                                  6 14 22 …
//!                                                  …
//!                                                  0  8 16 …
//! ```

use plyproof_core::spec::{Described, Description, Kind, Params};
use plyproof_core::{DecisivePlayouts, Defence, Features, Game, Outcome, Player, Playout, Rng, TextError, mix64};

use crate::board::{Grid, Interned, SECOND_KEY, bits, nth_bit, split_side_only, stone_sign, with_side};

/// Name, parameters and rules of Connect Four.
pub static CONNECT4: Description = Description::new(|| {
    let rules = "Stones fall to the lowest free square of a column; four in a row, straight or diagonal, win.";
    Described::new("connect4", "Connect Four", rules)
        .parameter("width", "7", Kind::Whole(1, 8), "columns")
        .parameter("height", "6", Kind::Whole(1, 7), "squares of a column")
        .into()
});

/// A position of Connect Four.
#[derive(Clone, Debug)]
pub struct Connect4 {
    rules: &'static Rules,
    stones: [u64; 2],
    mover: Player,
    outcome: Option<Outcome>,
}

#[derive(Debug)]
struct Rules {
    grid: Grid,
    /// All squares.
    board: u64,
    /// The lowest square of every column.
    floor: u64,
}

static RULES: Interned<(usize, usize), Rules> = Interned::new();

impl Rules {
    fn new(&(width, height): &(usize, usize)) -> Self {
        let floor = (0..width).fold(0, |floor, column| floor | 1 << (column * 8));
        Self { grid: Grid::new(width, height), board: floor * ((1 << height) - 1), floor }
    }
}

/// Whether four of `stones` stand in a row. The unused top row stops every row of four at the edge.
#[inline(always)]
fn has_four(stones: u64) -> bool {
    let upright = stones & stones >> 1;
    let level = stones & stones >> 8;
    let falling = stones & stones >> 7;
    let rising = stones & stones >> 9;
    (upright & upright >> 2) | (level & level >> 16) | (falling & falling >> 14) | (rising & rising >> 18) != 0
}

/// Squares, taken or not, where one more stone would make four in a row.
#[inline(always)]
fn fourths(stones: u64) -> u64 {
    let mut found = stones << 1 & stones << 2 & stones << 3;
    for by in [7, 8, 9] {
        let two = stones << by & stones << (2 * by);
        found |= two & stones << (3 * by) | two & stones >> by;
        let two = stones >> by & stones >> (2 * by);
        found |= two & stones >> (3 * by) | two & stones << by;
    }
    found
}

impl Connect4 {
    /// The start position of [`CONNECT4`] with these parameters.
    pub fn start(params: &Params) -> Self {
        let size = (params.whole("width") as usize, params.whole("height") as usize);
        Self { rules: RULES.fetch(size, Rules::new), stones: [0; 2], mover: Player::FIRST, outcome: None }
    }

    fn symmetric_column(&self, index: usize, column: usize) -> usize {
        self.rules.grid.map(index, (column, 0)).0
    }

    /// The square on which a stone would come to rest, for every column that is not full.
    ///
    /// Adding the floor to the taken squares carries through each column to its lowest free one.
    #[inline(always)]
    fn resting(&self) -> u64 {
        ((self.stones[0] | self.stones[1]) + self.rules.floor) & self.rules.board
    }
}

impl Game for Connect4 {
    /// The column, counted from 0.
    type Move = u8;

    const DECISIVE_PLAYOUTS: DecisivePlayouts = DecisivePlayouts::WinsAndDefences;

    fn to_move(&self) -> Player {
        self.mover
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn moves(&self, into: &mut Vec<u8>) {
        if self.outcome.is_none() {
            into.extend(bits(self.resting()).map(|square| (square / 8) as u8));
        }
    }

    fn play(&mut self, column: u8) {
        let me = self.mover.index();
        self.stones[me] |= self.resting() & 0xff << (column * 8);
        if has_four(self.stones[me]) {
            self.outcome = Some(Outcome::win(self.mover));
        } else if self.resting() == 0 {
            self.outcome = Some(Outcome::DRAW);
        }
        self.mover = self.mover.other();
    }

    /// The first player's stones plus the taken squares name the board exactly: in a column of h stones the sum lies
    /// between 2^h - 1 and 2^(h+1) - 2, so it tells h, and then the stones.
    fn key(&self) -> u64 {
        let taken = self.stones[0] | self.stones[1];
        mix64(self.stones[0] + taken) ^ if self.mover == Player::SECOND { SECOND_KEY } else { 0 }
    }

    const CANONICAL_KEYS: bool = true;

    /// A column is a byte of the sum that names the board, so that the mirror image has the bytes the other way round.
    fn canonical_key(&self) -> u64 {
        let board = self.stones[0] + (self.stones[0] | self.stones[1]);
        let mirrored = board.swap_bytes() >> (8 * (8 - self.rules.grid.width));
        mix64(board.min(mirrored)) ^ if self.mover == Player::SECOND { SECOND_KEY } else { 0 }
    }

    fn moves_and_ends(&self, moves: &mut Vec<u8>, ends: &mut Vec<(usize, Outcome)>) {
        if self.outcome.is_some() {
            return;
        }
        let resting = self.resting();
        let winning = resting & fourths(self.stones[self.mover.index()]);
        let last = (self.stones[0] | self.stones[1] | resting) == self.rules.board && resting.is_power_of_two();
        for (index, square) in bits(resting).enumerate() {
            moves.push((square / 8) as u8);
            if winning >> square & 1 != 0 {
                ends.push((index, Outcome::win(self.mover)));
            } else if last {
                ends.push((index, Outcome::DRAW));
            }
        }
    }

    fn random_move(&self, rng: &mut Rng) -> u8 {
        let resting = self.resting();
        (nth_bit(resting, rng.below(resting.count_ones() as usize)) / 8) as u8
    }

    fn defences(&self, into: &mut Vec<u8>) -> Defence {
        let threats = self.resting() & fourths(self.stones[self.mover.other().index()]);
        into.extend(bits(threats).map(|square| (square / 8) as u8));
        match into.len() {
            0 => Defence::NotNeeded,
            1 => Defence::Needed,
            _ => Defence::Hopeless,
        }
    }

    /// Besides not answering a threat, it loses to fill the square below one where the opponent then makes four.
    fn saving_moves(&self, into: &mut Vec<u8>) -> Defence {
        let (resting, fourths) = (self.resting(), fourths(self.stones[self.mover.other().index()]) & self.rules.board);
        let threats = resting & fourths;
        let free = !(fourths >> 1);
        let saving = match threats.count_ones() {
            0 => resting & free,
            1 => threats & free,
            _ => 0,
        };
        if saving == resting {
            return Defence::NotNeeded;
        }
        into.extend(bits(saving).map(|square| (square / 8) as u8));
        if saving == 0 { Defence::Hopeless } else { Defence::Needed }
    }

    /// Open squares where one more stone makes four, the mover's without the opponent's.
    fn outlook(&self) -> i32 {
        let open = self.rules.board & !(self.stones[0] | self.stones[1]);
        let [own, others] = [self.mover, self.mover.other()].map(|player| fourths(self.stones[player.index()]) & open);
        own.count_ones() as i32 - others.count_ones() as i32
    }

    fn decisive_playout(&mut self, rng: &mut Rng, limit: u32) -> Playout {
        if let Some(outcome) = self.outcome {
            return Playout { outcome, plies: 0 };
        }
        let mut player = self.mover;
        let mut own = self.stones[player.index()];
        let mut others = self.stones[player.other().index()];
        for plies in 1..=limit {
            let mut resting = ((own | others) + self.rules.floor) & self.rules.board;
            if resting == 0 {
                return Playout { outcome: Outcome::DRAW, plies: plies - 1 };
            }
            if resting & fourths(own) != 0 {
                return Playout { outcome: Outcome::win(player), plies };
            }
            let threats = resting & fourths(others);
            if threats != 0 {
                resting = threats;
            }
            own |= 1 << nth_bit(resting, rng.below(resting.count_ones() as usize));
            std::mem::swap(&mut own, &mut others);
            player = player.other();
        }
        let full = ((own | others) + self.rules.floor) & self.rules.board == 0;
        debug_assert!(!full || !has_four(others));
        Playout { outcome: Outcome::DRAW, plies: limit }
    }

    /// The next free squares as a list: one random word chooses, one shift moves the square up.
    fn playout(&mut self, rng: &mut Rng, limit: u32) -> Playout {
        if let Some(outcome) = self.outcome {
            return Playout { outcome, plies: 0 };
        }
        let board = self.rules.board;
        let mut free = [0u64; 8];
        let mut open = 0;
        for square in bits(self.resting()) {
            free[open] = 1 << square;
            open += 1;
        }
        let mut player = self.mover;
        let mut own = self.stones[player.index()];
        let mut others = self.stones[player.other().index()];
        for plies in 1..=limit {
            let index = rng.below(open) & 7;
            let square = free[index];
            own |= square;
            if has_four(own) {
                return Playout { outcome: Outcome::win(player), plies };
            }
            free[index] = square << 1;
            if square << 1 & board == 0 {
                open -= 1;
                free[index] = free[open & 7];
                if open == 0 {
                    return Playout { outcome: Outcome::DRAW, plies };
                }
            }
            std::mem::swap(&mut own, &mut others);
            player = player.other();
        }
        Playout { outcome: Outcome::DRAW, plies: limit }
    }

    fn position_text(&self) -> String {
        with_side(&self.rules.grid.text(|file, rank| stone_sign(self.stones, file * 8 + rank)), self.mover, 0)
    }

    fn parse_position(&self, text: &str) -> Result<Self, TextError> {
        let (board, mover) = split_side_only(text)?;
        let mut stones = [0u64; 2];
        self.rules.grid.parse_stones(board, |player, file, rank| stones[player] |= 1 << (file * 8 + rank))?;
        let taken = stones[0] | stones[1];
        if taken & !(taken << 1 | self.rules.floor) != 0 {
            return Err(TextError::expected(text, "possible: a stone has an empty square below it"));
        }
        let mut game = Self { rules: self.rules, stones, mover, outcome: None };
        game.outcome = match stones.map(has_four) {
            [true, true] => return Err(TextError::expected(text, "possible: both sides have four in a row")),
            [true, false] => Some(Outcome::win(Player::FIRST)),
            [false, true] => Some(Outcome::win(Player::SECOND)),
            [false, false] => (game.resting() == 0).then_some(Outcome::DRAW),
        };
        Ok(game)
    }

    fn move_text(&self, column: u8) -> String {
        char::from(b'a' + column).to_string()
    }

    fn may_repeat(&self) -> bool {
        false
    }

    /// The mirror image of the columns.
    fn symmetries(&self) -> usize {
        2
    }

    fn symmetric(&self, index: usize) -> Self {
        let image = |set| {
            bits(set).fold(0, |all, square| all | 1 << (self.symmetric_column(index, square / 8) * 8 + square % 8))
        };
        Self { stones: self.stones.map(image), ..self.clone() }
    }

    fn symmetric_move(&self, index: usize, column: u8) -> u8 {
        self.symmetric_column(index, column.into()) as u8
    }

    fn feature_count(&self) -> usize {
        256
    }

    /// Own and enemy stones, and the open squares where one more would make four.
    fn features(&self, into: &mut Features) {
        into.reset(256);
        let open = self.rules.board & !(self.stones[0] | self.stones[1]);
        for (side, player) in [self.mover, self.mover.other()].into_iter().enumerate() {
            let stones = self.stones[player.index()];
            into.insert_bits(64 * side, stones);
            into.insert_bits(128 + 64 * side, fourths(stones) & open);
        }
    }

    fn board(&self) -> String {
        self.rules.grid.draw(|file, rank| stone_sign(self.stones, file * 8 + rank))
    }
}

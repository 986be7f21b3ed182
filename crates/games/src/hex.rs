//! Hex on boards of up to 13x13.
//!
//! ```text
//! bit = row * 14 + file, in three words; row 1 at the top, each row half a cell further right:
//!
//!      0  1  2 … 12 |13      bit 13 of a row never holds a stone: it keeps the rows apart
//!       14 15 16 … 26 |27
//!         28 29 30 … 40 |41
//! ```
//!
//! A cell touches its neighbours at -1, +1 (same row), -14, -13 (row above), +13 and +14 (row below).

use std::ops::{BitAnd, BitOr};

use plyproof_core::spec::{Described, Description, Kind, Params};
use plyproof_core::{Defence, Features, Game, Knowledge, Outcome, Player, Playout, Rng, TextError, Wdl, mix64};

use crate::board::{Grid, Interned, SECOND_KEY, SIGNS, bits, select_bit, split_side_only, with_side, zobrist};

mod connections;

use connections::Link;

/// Name, parameters and rules of Hex.
pub static HEX: Description = Description::new(|| {
    let rules =
        "Place stones on a rhombus of hexagons; the first player connects top and bottom, the second left and right.";
    Described::new("hex", "Hex", rules)
        .parameter("size", "11", Kind::Whole(1, 13), "cells of one side")
        .parameter("swap", "off", Kind::choice(&["off", "on"]), "the second player may take over the first stone")
        .into()
});

/// A position of Hex.
#[derive(Clone, Debug)]
pub struct Hex {
    rules: &'static Rules,
    stones: [Cells; 2],
    mover: Player,
    outcome: Option<Outcome>,
    key: u64,
}

#[derive(Debug)]
struct Rules {
    grid: Grid,
    board: Cells,
    /// The two sides of the board that each player has to connect.
    sides: [[Cells; 2]; 2],
    swap: bool,
}

/// Bits from a cell to the one in the next row.
const ROW: usize = 14;
static KEYS: [[u64; 192]; 2] = [zobrist(0x4e01), zobrist(0x4e02)];
static RULES: Interned<(usize, bool), Rules> = Interned::new();
/// The second player takes over the only stone, which is reflected so that it is worth as much between that player's sides.
const SWAP: u8 = u8::MAX;

impl Rules {
    fn new(&(size, swap): &(usize, bool)) -> Self {
        let line = |step: usize, from: usize| (0..size).fold(Cells::NONE, |line, i| line | Cells::one(from + i * step));
        let last = size - 1;
        Self {
            grid: Grid::top_down(size, size),
            board: (0..size).fold(Cells::NONE, |board, row| board | line(1, row * ROW)),
            sides: [[line(1, 0), line(1, last * ROW)], [line(ROW, 0), line(ROW, last)]],
            swap,
        }
    }
}

/// The largest board whose cells fit a word.
const SMALL: usize = 8;

impl Rules {
    /// A set on a board of up to 8x8 with eight bits for each row.
    fn small(&self, set: Cells) -> u64 {
        (0..self.grid.height).fold(0, |all, row| {
            let (word, bit) = (row * ROW / 64, row * ROW % 64);
            let above = set.0.get(word + 1).map_or(0, |next| (next << 1) << (63 - bit));
            all | ((set.0[word] >> bit | above) & 0xff) << (row * SMALL)
        })
    }
}

impl Hex {
    /// The start position of [`HEX`] with these parameters.
    pub fn start(params: &Params) -> Self {
        let rules = RULES.fetch((params.whole("size") as usize, params.text("swap") == "on"), Rules::new);
        Self { rules, stones: [Cells::NONE; 2], mover: Player::FIRST, outcome: None, key: 0 }
    }

    fn empty(&self) -> Cells {
        self.rules.board.without(self.stones[0] | self.stones[1])
    }

    /// Whether the mover may take over the stone on the board.
    fn may_swap(&self) -> bool {
        let [first, second] = self.stones;
        self.rules.swap && self.mover == Player::SECOND && second == Cells::NONE && first.is_single()
    }

    /// Whether the next move decides about the swap, or is the one that it is about: what holds of the board alone does
    /// not hold here.
    fn before_swap(&self) -> bool {
        self.rules.swap && (self.may_swap() || self.mover == Player::FIRST && self.empty() == self.rules.board)
    }

    /// Whether `stones` connect the sides of `player`.
    fn connects(&self, player: Player, stones: Cells) -> bool {
        let [near, far] = self.rules.sides[player.index()];
        stones.reached(near & stones, far).meets(far)
    }

    /// The empty cells where a stone connects the sides of `player`: those next to what either side is connected to.
    fn winning_cells(&self, player: Player) -> Cells {
        let stones = self.stones[player.index()];
        let [near, far] = self.rules.sides[player.index()].map(|side| {
            let reached = stones.reached(side & stones, Cells::NONE);
            side | reached.widened()
        });
        near & far & self.empty()
    }

    /// Stones that `player` needs at least to connect its sides.
    fn missing(&self, player: Player) -> i32 {
        let (own, empty) = (self.stones[player.index()], self.empty());
        let [near, far] = self.rules.sides[player.index()];
        let mut front = own.reached(near & own, Cells::NONE);
        let mut next = (near | front.widened()) & empty;
        let mut count = 1;
        while !next.meets(far) && !own.reached(own & next.widened(), Cells::NONE).meets(far) {
            let reached = own.reached(own & next.widened(), Cells::NONE);
            front = front | next | reached;
            let wider = (front.widened() & empty) | next;
            if wider == next {
                // Cut off for good, which ends the game in fact.
                return i32::from(u8::MAX);
            }
            next = wider;
            count += 1;
        }
        count
    }

    /// Plays at random, at most `limit` moves, until it is decided whether the stone is swapped, and tells `told` of each
    /// move. Returns how many.
    fn open_at_random(&mut self, rng: &mut Rng, limit: u32, told: &mut dyn FnMut(Player, u8)) -> u32 {
        let mut plies = 0;
        while plies < limit && self.outcome.is_none() && self.before_swap() {
            let m = self.random_move(rng);
            told(self.mover, m);
            self.play(m);
            plies += 1;
        }
        plies
    }

    /// Fills the board first and asks afterwards when the game was over.
    ///
    /// On a full board exactly one player is connected, so that player won, with the stone that first connected it. Which
    /// stones it placed is a random half of the empty cells; in which order is found out only as far as needed: split
    /// the stones at random into earlier and later ones and keep the part in which the connection came about, until one
    /// stone is left. Given how many are earlier, every choice of them is equally likely, so every order is.
    fn fill(&self, rng: &mut Rng) -> Filled {
        let empty = self.empty();
        let own = empty.random_subset(empty.count().div_ceil(2), rng);
        let filled = [own, empty.without(own)];
        let others_win = !self.connects(self.mover, self.stones[self.mover.index()] | own);
        let winner = if others_win { self.mover.other() } else { self.mover };

        let [near, far] = self.rules.sides[winner.index()];
        let mut before = self.stones[winner.index()];
        let mut reached = before.reached(near & before, far);
        let mut doubtful = filled[usize::from(others_win)];
        let mut placed = 1;
        while !doubtful.is_single() {
            let earlier = doubtful.random_part(rng);
            let stones = before | earlier;
            let spread = stones.reached(reached | near & stones, far);
            if spread.meets(far) {
                doubtful = earlier;
            } else {
                placed += earlier.count() as u32;
                doubtful = doubtful.without(earlier);
                (before, reached) = (stones, spread);
            }
        }
        Filled {
            winner,
            plies: 2 * placed - u32::from(!others_win),
            placed,
            won: before.without(self.stones[winner.index()]),
            last: doubtful.list().next().unwrap_or(0),
            lost: filled[usize::from(!others_win)],
        }
    }

    fn sign(&self, file: usize, rank: usize) -> char {
        let cell = Cells::one(rank * ROW + file);
        (0..2).find(|&player| self.stones[player].meets(cell)).map_or('.', |player| SIGNS[player])
    }
}

/// A board filled at random.
struct Filled {
    winner: Player,
    /// Moves up to the one that won.
    plies: u32,
    /// The winner's among them.
    placed: u32,
    /// Where those were, without the last, and that.
    won: Cells,
    last: usize,
    /// All cells the other player filled, in time or not.
    lost: Cells,
}

/// A play-out that goes on from some moves.
fn later(playout: Playout, moves: u32) -> Playout {
    Playout { plies: moves + playout.plies, ..playout }
}

impl Filled {
    fn cut(&self, limit: u32) -> Playout {
        match self.plies {
            plies if plies <= limit => Playout { outcome: Outcome::win(self.winner), plies },
            _ => Playout { outcome: Outcome::DRAW, plies: limit },
        }
    }
}

impl Game for Hex {
    /// The cell by its bit number.
    type Move = u8;

    const TRACED_PLAYOUTS: bool = true;

    fn to_move(&self) -> Player {
        self.mover
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn moves(&self, into: &mut Vec<u8>) {
        if self.outcome.is_none() {
            into.extend(self.empty().list().map(|cell| cell as u8));
            into.extend(self.may_swap().then_some(SWAP));
        }
    }

    fn play(&mut self, cell: u8) {
        if cell == SWAP {
            let stone = self.stones[0].list().next().unwrap_or_default();
            let taken = stone % ROW * ROW + stone / ROW;
            self.stones = [Cells::NONE, Cells::one(taken)];
            (self.key, self.mover) = (KEYS[1][taken], Player::FIRST);
            return;
        }
        let (me, stone) = (self.mover.index(), Cells::one(cell.into()));
        self.stones[me] = self.stones[me] | stone;
        self.key ^= KEYS[me][usize::from(cell)] ^ SECOND_KEY;
        let [near, far] = self.rules.sides[me];
        let group = self.stones[me].reached(stone, Cells::NONE);
        if group.meets(near) && group.meets(far) {
            self.outcome = Some(Outcome::win(self.mover));
        }
        self.mover = self.mover.other();
    }

    fn key(&self) -> u64 {
        self.key
    }

    const CANONICAL_KEYS: bool = true;

    /// The half turn counts the bits from the other end of the board.
    fn canonical_key(&self) -> u64 {
        let last = (ROW + 1) * (self.rules.grid.width - 1);
        let turned = self.stones.map(|set| set.turned(last).0);
        let stones = self.stones.map(|set| set.0).min(turned);
        let side = if self.mover == Player::SECOND { SECOND_KEY } else { 0 };
        stones.as_flattened().iter().fold(side, |key, &word| mix64(key ^ word))
    }

    fn moves_and_ends(&self, moves: &mut Vec<u8>, ends: &mut Vec<(usize, Outcome)>) {
        let before = moves.len();
        self.moves(moves);
        let winning = self.winning_cells(self.mover);
        if winning != Cells::NONE {
            let wins = moves[before..].iter().enumerate();
            let wins = wins.filter(|(_, m)| **m != SWAP && winning.meets(Cells::one((**m).into())));
            ends.extend(wins.map(|(index, _)| (index, Outcome::win(self.mover))));
        }
    }

    /// How many stones fewer than the opponent the mover needs to connect its sides, if nobody is in the way.
    fn outlook(&self) -> i32 {
        self.missing(self.mover.other()) - self.missing(self.mover)
    }

    /// A stone takes one cell, so that of two cells where the opponent connects one is left.
    fn saving_moves(&self, into: &mut Vec<u8>) -> Defence {
        into.extend(self.winning_cells(self.mover.other()).list().map(|cell| cell as u8));
        match into.len() {
            0 => Defence::NotNeeded,
            // Without its only stone the opponent threatens nothing.
            _ if self.may_swap() => {
                into.push(SWAP);
                Defence::Needed
            }
            1 => Defence::Needed,
            _ => Defence::Hopeless,
        }
    }

    const STATIC_KNOWLEDGE: bool = true;

    /// Virtual connections of both players. Against near ones of the opponent only moves into all of them help: the
    /// must-play region. Nothing is known of boards larger than 8x8.
    fn static_knowledge(&self, holding: &mut Vec<u8>) -> Knowledge {
        if self.rules.grid.width > SMALL || self.before_swap() {
            return Knowledge::NONE;
        }
        let [own, other] = [self.mover, self.mover.other()].map(|player| player.index());
        let stones = self.stones.map(|set| self.rules.small(set));
        let empty = self.rules.small(self.empty());
        let sides = |player: usize| self.rules.sides[player].map(|side| self.rules.small(side));
        if connections::link(stones[own], empty, sides(own), true) != Link::None {
            return Knowledge::exactly(Wdl::Win);
        }
        match connections::link(stones[other], empty, sides(other), false) {
            Link::None => Knowledge::NONE,
            Link::Sure | Link::Near(0) => Knowledge::exactly(Wdl::Loss),
            Link::Near(common) => {
                holding.extend(bits(common).map(|cell| (cell / SMALL * ROW + cell % SMALL) as u8));
                Knowledge::RESTRICTED
            }
        }
    }

    fn random_move(&self, rng: &mut Rng) -> u8 {
        let empty = self.empty();
        if self.may_swap() && rng.below(empty.count() + 1) == 0 {
            return SWAP;
        }
        empty.random(rng) as u8
    }

    fn playout(&mut self, rng: &mut Rng, limit: u32) -> Playout {
        let opened = self.open_at_random(rng, limit, &mut |_, _| {});
        match self.outcome {
            Some(outcome) => Playout { outcome, plies: opened },
            None => later(self.fill(rng).cut(limit - opened), opened),
        }
    }

    /// The loser's stones that came in time are any of those it placed, and both players' may be told in any order but
    /// for the last.
    fn traced_playout(
        &mut self,
        rng: &mut Rng,
        limit: u32,
        _decisive: bool,
        trace: &mut Vec<(Player, u8)>,
    ) -> Option<Playout> {
        let opened = self.open_at_random(rng, limit, &mut |player, m| trace.push((player, m)));
        if let Some(outcome) = self.outcome {
            return Some(Playout { outcome, plies: opened });
        }
        let filled = self.fill(rng);
        let playout = filled.cut(limit - opened);
        if opened > 0 {
            // A cell that a swap has emptied may be taken again, and no move may be told twice.
            return Some(later(playout, opened));
        }
        let (winner, loser) = (filled.winner, filled.winner.other());
        let in_time = filled.lost.random_subset((filled.plies - filled.placed) as usize, rng);
        let mut cells = [filled.won.list(), in_time.list()];
        let first = usize::from(winner != self.mover);
        let told = (0..filled.plies as usize).map(|ply| {
            let which = (first + ply) % 2;
            let cell = cells[which].next().unwrap_or(filled.last);
            ([winner, loser][which], cell as u8)
        });
        trace.extend(told.take(playout.plies as usize));
        Some(playout)
    }

    fn position_text(&self) -> String {
        with_side(&self.rules.grid.text(|file, rank| self.sign(file, rank)), self.mover, 0)
    }

    fn parse_position(&self, text: &str) -> Result<Self, TextError> {
        let (board, mover) = split_side_only(text)?;
        let mut stones = [Cells::NONE; 2];
        let mut key = if mover == Player::SECOND { SECOND_KEY } else { 0 };
        self.rules.grid.parse_stones(board, |player, file, rank| {
            let cell = rank * ROW + file;
            stones[player] = stones[player] | Cells::one(cell);
            key ^= KEYS[player][cell];
        })?;
        // Both at once cannot be: the stones that connect one pair of sides cut the other.
        let winner = [Player::FIRST, Player::SECOND].into_iter().find(|&p| self.connects(p, stones[p.index()]));
        Ok(Self { rules: self.rules, stones, mover, outcome: winner.map(Outcome::win), key })
    }

    fn move_text(&self, cell: u8) -> String {
        if cell == SWAP {
            return "swap".to_string();
        }
        self.rules.grid.square_text(usize::from(cell) % ROW, usize::from(cell) / ROW)
    }

    fn may_repeat(&self) -> bool {
        false
    }

    fn may_draw(&self) -> bool {
        false
    }

    /// The half turn, which keeps both pairs of sides.
    fn symmetries(&self) -> usize {
        2
    }

    fn symmetric(&self, index: usize) -> Self {
        let mut game = Self { stones: [Cells::NONE; 2], ..self.clone() };
        game.key = if self.mover == Player::SECOND { SECOND_KEY } else { 0 };
        for (player, stones) in self.stones.into_iter().enumerate() {
            for cell in stones.list() {
                let image = self.symmetric_move(index, cell as u8);
                game.stones[player] = game.stones[player] | Cells::one(image.into());
                game.key ^= KEYS[player][usize::from(image)];
            }
        }
        game
    }

    fn symmetric_move(&self, index: usize, cell: u8) -> u8 {
        if cell == SWAP {
            return SWAP;
        }
        // Both mirror images of the grid together.
        self.rules.grid.map_square(index * 3, cell.into(), ROW) as u8
    }

    fn feature_count(&self) -> usize {
        2 * self.rules.grid.width * self.rules.grid.width
    }

    /// Own and enemy stones, seen so that the mover connects the sides of the first player.
    fn features(&self, into: &mut Features) {
        let size = self.rules.grid.width;
        into.reset(2 * size * size);
        for (side, player) in [self.mover, self.mover.other()].into_iter().enumerate() {
            for cell in self.stones[player.index()].list() {
                let (row, column) = (cell / ROW, cell % ROW);
                let seen = if self.mover == Player::FIRST { (row, column) } else { (column, row) };
                into.insert((side * size + seen.0) * size + seen.1);
            }
        }
    }

    fn board(&self) -> String {
        let size = self.rules.grid.width;
        let letters: String = (0..size).flat_map(|file| [' ', char::from(b'a' + file as u8)]).collect();
        let mut lines = format!("  {letters}\n");
        for rank in 0..size {
            let cells: String = (0..size).flat_map(|file| [' ', self.sign(file, rank)]).collect();
            lines.push_str(&format!("{}{:>2} {cells}\n", " ".repeat(rank), rank + 1));
        }
        lines + &" ".repeat(size + 3) + &letters
    }
}

/// A set of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cells([u64; 3]);

impl BitOr for Cells {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        let ([a, b, c], [d, e, f]) = (self.0, other.0);
        Self([a | d, b | e, c | f])
    }
}

impl BitAnd for Cells {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        let ([a, b, c], [d, e, f]) = (self.0, other.0);
        Self([a & d, b & e, c & f])
    }
}

impl Cells {
    const NONE: Self = Self([0; 3]);

    #[inline(always)]
    fn one(cell: usize) -> Self {
        let mut words = [0; 3];
        words[cell / 64] = 1 << (cell % 64);
        Self(words)
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        let [a, b, c] = other.0;
        self & Self([!a, !b, !c])
    }

    #[inline(always)]
    fn meets(self, other: Self) -> bool {
        self & other != Self::NONE
    }

    #[inline(always)]
    fn up<const N: u32>(self) -> Self {
        let [a, b, c] = self.0;
        Self([a << N, b << N | a >> (64 - N), c << N | b >> (64 - N)])
    }

    #[inline(always)]
    fn down<const N: u32>(self) -> Self {
        let [a, b, c] = self.0;
        Self([a >> N | b << (64 - N), b >> N | c << (64 - N), c >> N])
    }

    /// These cells and all their neighbours; bits outside of the board may be among them.
    #[inline(always)]
    fn widened(self) -> Self {
        let right = self | self.up::<1>();
        let left = self | self.down::<1>();
        right | left | right.down::<14>() | left.up::<14>()
    }

    /// The set with the bits up to `last` in reverse.
    #[inline(always)]
    fn turned(self, last: usize) -> Self {
        let [a, b, c] = self.0.map(u64::reverse_bits);
        let (words, by) = ([c, b, a, 0, 0], 191 - last);
        let (skip, by) = (by / 64, by % 64);
        Self(std::array::from_fn(|i| {
            let (low, high) = (words[(i + skip).min(4)], words[(i + skip + 1).min(4)]);
            low >> by | (high << 1) << (63 - by)
        }))
    }

    /// The cells of `self` connected to `from`; stops early, with some of them, once one of `goal` is among them.
    #[inline(always)]
    fn reached(self, from: Self, goal: Self) -> Self {
        let mut reached = from;
        loop {
            let right = reached | reached.up::<1>();
            let left = reached | reached.down::<1>();
            let next = (right | left | right.down::<14>() | left.up::<14>()) & self;
            if next == reached || next.meets(goal) {
                return next;
            }
            reached = next;
        }
    }

    fn count(self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    fn is_single(self) -> bool {
        let [a, b, c] = self.0;
        // All words laid over each other show one bit, and no two words share it.
        (a | b | c).is_power_of_two() && (a & b | a & c | b & c) == 0
    }

    fn list(self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(i, word)| bits(word).map(move |bit| i * 64 + bit))
    }

    /// A uniformly random cell of a set that is not empty.
    fn random(self, rng: &mut Rng) -> usize {
        let counts = self.0.map(|word| word.count_ones() as usize);
        let mut n = rng.below(counts.iter().sum());
        let mut i = 0;
        while i < 2 && n >= counts[i] {
            n -= counts[i];
            i += 1;
        }
        i * 64 + select_bit(self.0[i], n)
    }

    /// A uniformly random subset of `size` cells: a coin for each cell, then as many cells too many or too few are drawn.
    fn random_subset(self, size: usize, rng: &mut Rng) -> Self {
        let mut chosen = self & Self([rng.next_u64(), rng.next_u64(), rng.next_u64()]);
        let count = chosen.count();
        for _ in size..count {
            chosen = chosen.without(Self::one(chosen.random(rng)));
        }
        for _ in count..size {
            chosen = chosen | Self::one(self.without(chosen).random(rng));
        }
        chosen
    }

    /// A random part of a set of at least two cells, neither empty nor all; all parts of one size are equally likely.
    fn random_part(self, rng: &mut Rng) -> Self {
        let part = self & Self([rng.next_u64(), rng.next_u64(), rng.next_u64()]);
        if part == Self::NONE || part == self { Self::one(self.random(rng)) } else { part }
    }
}

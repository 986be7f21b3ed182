//! What board games share: square names, grids as text, from-to moves, Zobrist keys, tables made once.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};

use plyproof_core::{Player, TextError, mix64, quoted};

/// A rectangular board of at most 26 files.
///
/// Squares are `(file, rank)`, both counted from 0, rank 0 at the bottom unless `top_down`.
/// Texts list the ranks from the top of the picture to the bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Grid {
    pub width: usize,
    pub height: usize,
    /// Row 1 is the top one, as in Othello and Hex.
    pub top_down: bool,
}

impl Grid {
    pub(crate) const fn new(width: usize, height: usize) -> Self {
        Self { width, height, top_down: false }
    }

    pub(crate) const fn top_down(width: usize, height: usize) -> Self {
        Self { width, height, top_down: true }
    }

    /// `"e4"` for file 4, rank 3.
    pub(crate) fn square_text(self, file: usize, rank: usize) -> String {
        format!("{}{}", char::from(b'a' + file as u8), rank + 1)
    }

    /// File and rank of `"e4"`, if it is on the board.
    pub(crate) fn parse_square(self, text: &str) -> Option<(usize, usize)> {
        let file = text.bytes().next()?.wrapping_sub(b'a') as usize;
        let digits = text.get(1..)?;
        if digits.starts_with(['0', '+']) {
            return None;
        }
        let rank: usize = digits.parse().ok()?;
        (file < self.width && (1..=self.height).contains(&rank)).then(|| (file, rank - 1))
    }

    /// Ranks in the order in which they are written and drawn.
    fn ranks(self) -> impl Iterator<Item = usize> {
        (0..self.height).map(move |i| if self.top_down { i } else { self.height - 1 - i })
    }

    /// All squares as text, ranks joined by `/`.
    pub(crate) fn text(self, cell: impl Fn(usize, usize) -> char) -> String {
        let row = |rank| (0..self.width).map(|file| cell(file, rank)).collect::<String>();
        self.ranks().map(row).collect::<Vec<_>>().join("/")
    }

    /// Reads what [`text`](Grid::text) writes, and numbers for runs of empty squares as in chess notation.
    /// `put(file, rank, sign)` is called for every square that is not `.`; it says whether it knows the sign.
    pub(crate) fn parse(
        self,
        text: &str,
        signs: &str,
        mut put: impl FnMut(usize, usize, char) -> bool,
    ) -> Result<(), TextError> {
        let wrong = |why: String| {
            TextError::new(format!("{} is not a {}x{} board: {why}", quoted(text), self.width, self.height))
        };
        let mut rows = text.split('/');
        for rank in self.ranks() {
            let Some(row) = rows.next().filter(|row| !row.is_empty()) else {
                return Err(wrong(format!("it needs {} ranks joined by /", self.height)));
            };
            let mut file = 0;
            let mut rest = row.chars().peekable();
            while let Some(sign) = rest.next() {
                let mut run = 1;
                if let Some(digit) = sign.to_digit(10) {
                    run = digit as usize;
                    while let Some(next) = rest.peek().and_then(|c| c.to_digit(10)) {
                        run = (run * 10 + next as usize).min(1000);
                        rest.next();
                    }
                } else if sign != '.' && (file >= self.width || !put(file, rank, sign)) {
                    let seen = quoted(&sign.to_string());
                    return Err(wrong(if file < self.width {
                        format!("{seen} is none of {signs} . or a number of empty squares")
                    } else {
                        format!("rank {} has more than {} squares", rank + 1, self.width)
                    }));
                }
                file += run;
            }
            if file != self.width {
                return Err(wrong(format!("rank {} has {file} squares, not {}", rank + 1, self.width)));
            }
        }
        if rows.next().is_some() {
            return Err(wrong(format!("it has more than {} ranks", self.height)));
        }
        Ok(())
    }

    /// [`parse`](Grid::parse) for boards that hold nothing but `x` and `o`: `put(player, file, rank)` for every stone.
    pub(crate) fn parse_stones(self, text: &str, mut put: impl FnMut(usize, usize, usize)) -> Result<(), TextError> {
        self.parse(text, "x o", |file, rank, sign| {
            let player = SIGNS.iter().position(|&s| s == sign);
            player.inspect(|&player| put(player, file, rank)).is_some()
        })
    }

    /// The board with coordinates, for a terminal.
    pub(crate) fn draw(self, cell: impl Fn(usize, usize) -> char) -> String {
        let mut lines = String::new();
        for rank in self.ranks() {
            lines.push_str(&format!("{:>2}", rank + 1));
            for file in 0..self.width {
                lines.push(' ');
                lines.push(cell(file, rank));
            }
            lines.push('\n');
        }
        lines.push_str("  ");
        for file in 0..self.width {
            lines.push(' ');
            lines.push(char::from(b'a' + file as u8));
        }
        lines
    }
}

/// The symmetries of a rectangle: eight on a square, else four. Bit 0 mirrors left and right, bit 1 top and bottom, and
/// bit 2, on a square, exchanges files and ranks after that.
impl Grid {
    pub(crate) fn symmetries(self) -> usize {
        if self.width == self.height { 8 } else { 4 }
    }

    /// Where symmetry `index` takes a square.
    pub(crate) fn map(self, index: usize, (file, rank): (usize, usize)) -> (usize, usize) {
        let file = if index & 1 != 0 { self.width - 1 - file } else { file };
        let rank = if index & 2 != 0 { self.height - 1 - rank } else { rank };
        if index & 4 != 0 { (rank, file) } else { (file, rank) }
    }

    /// [`map`](Grid::map) for squares numbered `rank * stride + file`.
    pub(crate) fn map_square(self, index: usize, square: usize, stride: usize) -> usize {
        let (file, rank) = self.map(index, (square % stride, square / stride));
        rank * stride + file
    }

    /// The image of a set of squares numbered `rank * 8 + file`.
    pub(crate) fn map_set(self, index: usize, set: u64) -> u64 {
        bits(set).fold(0, |image, square| image | 1 << self.map_square(index, square, 8))
    }

    /// The image of a step between squares numbered `rank * stride + file`; a pass stays one.
    pub(crate) fn map_step(self, index: usize, step: Step, stride: usize) -> Step {
        if step == Step::PASS {
            return step;
        }
        let image = |square: u8| self.map_square(index, square.into(), stride);
        Step::new(image(step.from), image(step.to))
    }
}

/// Images of whole boards, for squares numbered `rank * 8 + file`.
impl Grid {
    /// The image with left and right exchanged.
    #[inline(always)]
    pub(crate) fn mirrored(self, set: u64) -> u64 {
        set.reverse_bits().swap_bytes() >> (8 - self.width)
    }

    /// The image with top and bottom exchanged.
    #[inline(always)]
    fn overturned(self, set: u64) -> u64 {
        set.swap_bytes() >> (8 * (8 - self.height))
    }

    /// The least of all images under the mirrors and, if it is a square and `transposes`, the exchange of files and ranks.
    #[inline(always)]
    pub(crate) fn canonical<const N: usize>(self, sets: [u64; N], transposes: bool) -> [u64; N] {
        let four = |sets: [u64; N]| {
            let mirrored = sets.map(|set| self.mirrored(set));
            let two = if mirrored < sets { [mirrored, sets] } else { [sets, mirrored] };
            let [a, b] = two.map(|sets| sets.map(|set| self.overturned(set)));
            two[0].min(a).min(b)
        };
        let least = four(sets);
        if transposes && self.width == self.height { least.min(four(sets.map(transposed))) } else { least }
    }
}

/// The image with files and ranks exchanged: blocks of one square, then of two by two, then of four by four change places.
#[inline(always)]
pub(crate) fn transposed(mut set: u64) -> u64 {
    for (by, mask) in [(7, 0x00aa_00aa_00aa_00aa), (14, 0x0000_cccc_0000_cccc), (28, 0x0000_0000_f0f0_f0f0)] {
        let differing = (set ^ set >> by) & mask;
        set ^= differing ^ differing << by;
    }
    set
}

/// The sign of a player's pieces and of the player to move: `x` first, `o` second.
pub(crate) const SIGNS: [char; 2] = ['x', 'o'];

/// The board, who moves, and how many passes came just before: `"… x"`, `"… o pass"` or, finished, `"… x pass pass"`.
pub(crate) fn with_side(board: &str, mover: Player, passes: u8) -> String {
    format!("{board} {}{}", SIGNS[mover.index()], " pass".repeat(passes.into()))
}

/// Splits what [`with_side`] wrote; `1` and `2` are understood as sides too.
pub(crate) fn split_side(text: &str) -> Result<(&str, Player, u8), TextError> {
    let wrong = || {
        TextError::expected(text, "a position: expected the board, a space and the side to move, x or o, as in \"… x\"")
    };
    let mut words = text.split_ascii_whitespace();
    let (board, side) = (words.next().ok_or_else(wrong)?, words.next().ok_or_else(wrong)?);
    let mover = match side {
        "x" | "1" => Player::FIRST,
        "o" | "2" => Player::SECOND,
        _ => return Err(wrong()),
    };
    let passes =
        words.by_ref().take(2).map(|word| if word == "pass" { Ok(1) } else { Err(wrong()) }).sum::<Result<u8, _>>()?;
    if words.next().is_some() { Err(wrong()) } else { Ok((board, mover, passes)) }
}

/// [`split_side`] for games in which nobody passes, or in which passing leaves no trace.
pub(crate) fn split_side_only(text: &str) -> Result<(&str, Player), TextError> {
    match split_side(text)? {
        (board, mover, 0) => Ok((board, mover)),
        _ => Err(TextError::expected(text, "a position of this game: it keeps no passes, the side to move comes last")),
    }
}

/// The sign of whoever has a stone on `square`.
pub(crate) fn stone_sign(stones: [u64; 2], square: usize) -> char {
    (0..2).find(|&player| stones[player] >> square & 1 != 0).map_or('.', |player| SIGNS[player])
}

/// A move from one square to another, or a pass. Squares are numbered by the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Step {
    /// Square left.
    pub from: u8,
    /// Square entered.
    pub to: u8,
}

impl Step {
    /// The move of a player who has no other.
    pub const PASS: Self = Self { from: u8::MAX, to: u8::MAX };

    /// A move between two squares.
    #[inline(always)]
    pub(crate) fn new(from: usize, to: usize) -> Self {
        Self { from: from as u8, to: to as u8 }
    }
}

/// `N` unrelated words for Zobrist keys; tables of different `salt` are unrelated.
pub(crate) const fn zobrist<const N: usize>(salt: u64) -> [u64; N] {
    let mut table = [0; N];
    let mut i = 0;
    while i < N {
        table[i] = mix64(mix64(salt) ^ (i as u64 + 1));
        i += 1;
    }
    table
}

/// Key part of "the second player is to move".
pub(crate) const SECOND_KEY: u64 = mix64(0x005e_c00d);
/// Key part of "so many passes came just before".
pub(crate) const PASSES_KEY: [u64; 3] = [0, mix64(0x009a_5501), mix64(0x009a_5502)];

/// Indices of the set bits, lowest first.
pub(crate) fn bits(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let bit = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            bit
        })
    })
}

/// Index of the `n`-th set bit, counted from 0. There must be more than `n`.
#[inline(always)]
pub(crate) fn nth_bit(mut mask: u64, n: usize) -> usize {
    for _ in 0..n {
        mask &= mask - 1;
    }
    mask.trailing_zeros() as usize
}

pub(crate) use plyproof_core::select_bit;

/// Tables that depend on the rules alone, made once for each rules and kept: a state then holds one plain reference.
///
/// Nothing is ever dropped from it; the number of rules is small and fixed by the parameter ranges.
pub struct Interned<K, T: 'static>(Mutex<Option<HashMap<K, &'static T>>>);

impl<K: Eq + Hash, T> Interned<K, T> {
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(None))
    }

    pub(crate) fn fetch(&self, key: K, make: impl FnOnce(&K) -> T) -> &'static T {
        let mut guard = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let tables = guard.get_or_insert_with(HashMap::new);
        if let Some(found) = tables.get(&key) {
            return found;
        }
        let made: &'static T = Box::leak(Box::new(make(&key)));
        tables.insert(key, made);
        made
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_have_names_and_names_have_squares() {
        let grid = Grid::new(8, 8);
        assert_eq!(grid.square_text(4, 3), "e4");
        assert_eq!(grid.parse_square("e4"), Some((4, 3)));
        for wrong in ["", "e", "e0", "e9", "i1", "E4", "e04", "e+4", "4e", "é4", "e4 "] {
            assert_eq!(grid.parse_square(wrong), None, "{wrong}");
        }
        assert_eq!(Grid::new(15, 15).parse_square("o15"), Some((14, 14)));
    }

    #[test]
    fn a_board_text_must_have_the_right_shape() {
        let grid = Grid::new(3, 2);
        let mut seen = Vec::new();
        grid.parse("x1o/3", "x o", |file, rank, sign| {
            seen.push((file, rank, sign));
            "xo".contains(sign)
        })
        .expect("a board");
        assert_eq!(seen, [(0, 1, 'x'), (2, 1, 'o')]);
        for (text, part) in [
            ("x.o", "2 ranks"),
            ("x.o/", "2 ranks"),
            ("x.o/../.", "has 2 squares"),
            ("x.oo/...", "more than 3 squares"),
            ("x.?/...", "\"?\" is none of x o"),
            ("3/3/3", "more than 2 ranks"),
            ("99999999999999999999/3", "squares"),
        ] {
            let error = grid.parse(text, "x o", |_, _, sign| "xo".contains(sign)).expect_err(text).to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn images_of_boards_are_those_of_their_squares() {
        for (width, height) in [(8, 8), (5, 5), (3, 7), (8, 2), (1, 1)] {
            let grid = Grid::new(width, height);
            let board = (0..height).fold(0, |board, rank| board | ((1u64 << width) - 1) << (rank * 8));
            for sets in (0..50).map(|i| [mix64(i) & board, mix64(!i) & board]) {
                assert_eq!(grid.mirrored(sets[0]), grid.map_set(1, sets[0]));
                let least = |count| (0..count).map(|index| sets.map(|set| grid.map_set(index, set))).min();
                assert_eq!(Some(grid.canonical(sets, false)), least(4), "{width}x{height}");
                assert_eq!(Some(grid.canonical(sets, true)), least(grid.symmetries()), "{width}x{height}");
            }
        }
    }

    #[test]
    fn the_nth_bit_is_the_nth_of_the_list() {
        let random = (0..200).flat_map(|i| [mix64(i), mix64(i) & mix64(!i), mix64(i) | mix64(!i)]);
        for mask in
            [1, 1 << 63, u64::MAX, 0x8000_0100_0401_0012, 0xff00, 0x8080_8080_8080_8080].into_iter().chain(random)
        {
            for (n, bit) in bits(mask).enumerate() {
                assert_eq!((nth_bit(mask, n), select_bit(mask, n)), (bit, bit), "bit {n} of {mask:x}");
            }
        }
    }
}

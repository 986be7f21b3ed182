//! Stones in a row: Gomoku, tic-tac-toe and every m,n,k-game, one rule with three names.
//!
//! ```text
//! rows[player][rank], bit = file:   rank 1  . x x . o  ->  rows[0][0] = 0b00110, rows[1][0] = 0b10000
//! ```

mod decisive;
mod playouts;

use std::ops::BitOr;

use plyproof_core::spec::{Described, Description, Kind, Params};
use plyproof_core::{DecisivePlayouts, Defence, Features, Game, Outcome, Player, Playout, Rng, TextError, mix64};

use crate::board::{Grid, Interned, SECOND_KEY, SIGNS, split_side, with_side, zobrist};

/// Name, parameters and rules of Gomoku.
pub static GOMOKU: Description = Description::new(|| {
    let rules = "Place stones; a row of exactly five wins (or five and more, exact=false).";
    Described::new("gomoku", "Gomoku", rules)
        .parameter("size", "15", Kind::Whole(5, 19), "files and ranks")
        .parameter("exact", "true", Kind::flag(), "whether six in a row do not win")
        .into()
});

/// Name and rules of tic-tac-toe.
pub static TICTACTOE: Description = Description::new(|| {
    let rules = "Place marks on 3x3; three in a row win.";
    Described::new("tictactoe", "Tic-tac-toe", rules).into()
});

/// Name, parameters and rules of the m,n,k-games.
pub static MNK: Description = Description::new(|| {
    let rules = "Place stones on m files and n ranks; k or more in a row win.";
    Described::new("mnk", "m,n,k-game", rules)
        .parameter("m", "3", Kind::Whole(1, 19), "files")
        .parameter("n", "3", Kind::Whole(1, 19), "ranks")
        .parameter("k", "3", Kind::Whole(1, 19), "stones in a row to win")
        .into()
});

/// Ranks of the largest board and empty ones above it, so that a look up the board needs no check. A power of two.
const RANKS: usize = 32;
/// Points of the largest board.
const MOST: usize = 19 * 19;
/// Room for an order of all points, a power of two.
const ORDER: usize = 512;

/// A point of the board: `rank * 32 + file`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(u16);

impl Point {
    #[inline(always)]
    fn new(file: usize, rank: usize) -> Self {
        Self((rank * 32 + file) as u16)
    }

    #[inline(always)]
    fn file(self) -> usize {
        usize::from(self.0) % 32
    }

    #[inline(always)]
    fn rank(self) -> usize {
        usize::from(self.0) / 32 % RANKS
    }

    fn key(self, player: usize) -> u64 {
        KEYS[player][self.rank() * 19 + self.file()]
    }
}

static KEYS: [[u64; MOST]; 2] = [zobrist(0x905), zobrist(0x906)];

/// A position of Gomoku, tic-tac-toe or an m,n,k-game.
#[derive(Clone, Debug)]
pub struct InARow {
    rules: &'static Rules,
    rows: [[u32; RANKS]; 2],
    empty: u16,
    mover: Player,
    outcome: Option<Outcome>,
    key: u64,
}

#[derive(Debug)]
struct Rules {
    grid: Grid,
    length: usize,
    exact: bool,
    points: Vec<Point>,
    /// The same points, for a play-out to shuffle.
    order: [Point; ORDER],
    /// The same points in lines.
    lines: decisive::Lines,
}

static RULES: Interned<(usize, usize, usize, bool), Rules> = Interned::new();

impl Rules {
    fn new(&(width, height, length, exact): &(usize, usize, usize, bool)) -> Self {
        let points: Vec<_> = (0..height).flat_map(|rank| (0..width).map(move |file| Point::new(file, rank))).collect();
        let order = std::array::from_fn(|i| *points.get(i).unwrap_or(&Point(0)));
        let lines = decisive::lines_of(points.iter().copied());
        Self { grid: Grid::new(width, height), length, exact, points, order, lines }
    }

    /// Whether the stone on `point` stands in a row that wins.
    #[inline(always)]
    fn wins<L: Lane>(&self, rows: &[L; RANKS], point: Point) -> bool {
        [(1, 0), (0, 1), (1, 1), (-1, 1)].into_iter().any(|(dx, dy)| {
            let run = 1 + arm(rows, point, dx, dy, self.length) + arm(rows, point, -dx, -dy, self.length);
            if self.exact { run == self.length } else { run >= self.length }
        })
    }

    /// [`winning_points`](Rules::winning_points) of a small board, all points at once: bit = rank * 8 + file. The eighth
    /// file stays empty and keeps the ranks apart.
    #[inline(always)]
    fn winning_set(&self, own: u64) -> u64 {
        let k = self.length;
        let mut winning = 0;
        for by in [1, 7, 8, 9] {
            // below[i]: points with at least i own stones right below them in this direction; above likewise.
            let (mut below, mut above) = ([u64::MAX; 9], [u64::MAX; 9]);
            for i in 1..=k {
                below[i] = (below[i - 1] & own) << by;
                above[i] = (above[i - 1] & own) >> by;
            }
            for one in 0..k {
                let mut here = below[one] & above[k - 1 - one];
                if self.exact {
                    here &= !below[one + 1] & !above[k - one];
                }
                winning |= here;
            }
        }
        winning
    }

    /// Whether [`winning_set`](Rules::winning_set) can be used.
    #[inline(always)]
    fn is_small(&self) -> bool {
        self.grid.width < 8 && self.grid.height <= 8 && self.length <= 8
    }

    /// The points, free or not, where one more stone of these would make a winning row: all files of a rank at once.
    fn winning_points(&self, own: &[u32; RANKS]) -> [u32; 19] {
        let k = self.length;
        let mut winning = [0; 19];
        if self.is_small() {
            let set = self.winning_set(as_set(own));
            for (rank, points) in winning.iter_mut().enumerate().take(self.grid.height) {
                *points = (set >> (8 * rank)) as u32 & 0x7f;
            }
            return winning;
        }
        if own.iter().map(|row| row.count_ones() as usize).sum::<usize>() + 1 < k {
            return winning;
        }
        for (rank, points) in winning.iter_mut().enumerate().take(self.grid.height) {
            for (dx, dy) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
                // arms[side][i]: files with at least i own stones beside them on that side.
                let mut arms = [[u32::MAX; 21]; 2];
                let (mut longest, half) = (0, k / 2);
                for (arm, sign) in arms.iter_mut().zip([1, -1]) {
                    for i in 1..=k {
                        let (slide, up) = (sign * dx * i as isize, rank as isize + sign * dy * i as isize);
                        let row = if up < 0 { 0 } else { own[up as usize % RANKS] };
                        let row = if slide >= 0 { row >> slide } else { row << -slide };
                        arm[i] = arm[i - 1] & row;
                        if arm[i] == 0 {
                            arm[i..=k + 1].fill(0);
                            break;
                        }
                        longest = longest.max(i);
                    }
                    arm[k + 1] = 0;
                }
                // The longer side of a row through the point has at least half of the other stones.
                if longest < half {
                    continue;
                }
                for one in 0..k {
                    let other = k - 1 - one;
                    let mut here = arms[0][one] & arms[1][other];
                    if self.exact {
                        here &= !arms[0][one + 1] & !arms[1][other + 1];
                    }
                    *points |= here;
                }
            }
        }
        winning
    }
}

/// The stones of a board of up to 8x8 in one word: bit = rank * 8 + file.
#[inline(always)]
fn as_set(rows: &[u32; RANKS]) -> u64 {
    (0..8).fold(0, |set, rank| set | u64::from(rows[rank]) << (8 * rank))
}

/// Stones of one colour next to `point` in one direction, at most `most`.
#[inline(always)]
fn arm<L: Lane>(rows: &[L; RANKS], point: Point, dx: isize, dy: isize, most: usize) -> usize {
    let (mut file, mut rank) = (point.file() as isize + dx, point.rank() as isize + dy);
    let mut count = 0;
    while count < most
        && let Some(&row) = rows.get(rank as usize)
        && (0..32).contains(&file)
        && row.has(file as usize)
    {
        (file, rank, count) = (file + dx, rank + dy, count + 1);
    }
    count
}

/// One rank as bits: 16 of them do for boards up to 16x16 and fit twice as many ranks into a processor register.
trait Lane: Copy + BitOr<Output = Self> {
    fn from_row(row: u32) -> Self;
    fn bit(file: usize) -> Self;
    fn has(self, file: usize) -> bool;
    /// Whether five or more stand in a row anywhere on the board.
    fn any_five(rows: &[Self; RANKS]) -> bool;
}

macro_rules! lane {
    ($lane:ty, $vector:ty, $lanes:literal, $ranks:literal) => {
        impl Lane for $lane {
            fn from_row(row: u32) -> Self {
                row as $lane
            }

            #[inline(always)]
            fn bit(file: usize) -> Self {
                1 << (file % <$lane>::BITS as usize)
            }

            #[inline(always)]
            fn has(self, file: usize) -> bool {
                (u32::from(self) >> file) & 1 != 0
            }

            fn any_five(rows: &[Self; RANKS]) -> bool {
                let mut found = <$vector>::ZERO;
                for at in (0..$ranks).step_by($lanes) {
                    let up = |by: usize| <$vector>::new(std::array::from_fn(|i| rows[at + by + i]));
                    let (r0, r1, r2, r3, r4) = (up(0), up(1), up(2), up(3), up(4));
                    let two = r0 & (r0 >> 1);
                    found |= two & (two >> 2) & (r0 >> 4);
                    found |= r0 & r1 & r2 & r3 & r4;
                    found |= r0 & (r1 >> 1) & (r2 >> 2) & (r3 >> 3) & (r4 >> 4);
                    found |= r0 & (r1 << 1) & (r2 << 2) & (r3 << 3) & (r4 << 4);
                }
                found != <$vector>::ZERO
            }
        }
    };
}
lane!(u16, wide::u16x8, 8, 16);
lane!(u32, wide::u32x4, 4, 20);

impl InARow {
    /// The start position of [`GOMOKU`].
    pub fn gomoku(params: &Params) -> Self {
        let size = params.whole("size") as usize;
        Self::start(size, size, 5, params.flag("exact"))
    }

    /// The start position of [`TICTACTOE`].
    pub fn tictactoe(_params: &Params) -> Self {
        Self::start(3, 3, 3, false)
    }

    /// The start position of [`MNK`].
    pub fn mnk(params: &Params) -> Self {
        let [m, n, k] = ["m", "n", "k"].map(|name| params.whole(name) as usize);
        Self::start(m, n, k, false)
    }

    fn start(width: usize, height: usize, length: usize, exact: bool) -> Self {
        let rules = RULES.fetch((width, height, length, exact), Rules::new);
        let empty = (width * height) as u16;
        Self { rules, rows: [[0; RANKS]; 2], empty, mover: Player::FIRST, outcome: None, key: 0 }
    }

    fn is_empty(&self, point: Point) -> bool {
        !self.rows.iter().any(|rows| rows[point.rank()].has(point.file()))
    }

    fn sign(&self, file: usize, rank: usize) -> char {
        (0..2).find(|&p| self.rows[p][rank].has(file)).map_or('.', |p| SIGNS[p])
    }
}

impl Game for InARow {
    type Move = Point;

    const DECISIVE_PLAYOUTS: DecisivePlayouts = DecisivePlayouts::WinsAndDefences;
    const TRACED_PLAYOUTS: bool = true;

    fn to_move(&self) -> Player {
        self.mover
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn moves(&self, into: &mut Vec<Point>) {
        if self.outcome.is_some() {
            return;
        }
        let all = (1u32 << self.rules.grid.width) - 1;
        for rank in 0..self.rules.grid.height {
            let mut free = all & !(self.rows[0][rank] | self.rows[1][rank]);
            while free != 0 {
                into.push(Point::new(free.trailing_zeros() as usize, rank));
                free &= free - 1;
            }
        }
    }

    fn moves_and_ends(&self, moves: &mut Vec<Point>, ends: &mut Vec<(usize, Outcome)>) {
        let before = moves.len();
        self.moves(moves);
        let winning = self.rules.winning_points(&self.rows[self.mover.index()]);
        let any = winning.iter().fold(0, |all, row| all | row) != 0;
        if any || self.empty == 1 {
            for (index, &m) in moves[before..].iter().enumerate() {
                if winning[m.rank()].has(m.file()) {
                    ends.push((index, Outcome::win(self.mover)));
                } else if self.empty == 1 {
                    ends.push((index, Outcome::DRAW));
                }
            }
        }
    }

    /// A stone takes one point, so that of two points where the opponent wins one is left.
    fn defences(&self, into: &mut Vec<Point>) -> Defence {
        let winning = self.rules.winning_points(&self.rows[self.mover.other().index()]);
        for (rank, &points) in winning.iter().enumerate().take(self.rules.grid.height) {
            let mut threats = points & ((1u32 << self.rules.grid.width) - 1);
            threats &= !(self.rows[0][rank] | self.rows[1][rank]);
            while threats != 0 {
                into.push(Point::new(threats.trailing_zeros() as usize, rank));
                threats &= threats - 1;
            }
        }
        match into.len() {
            0 => Defence::NotNeeded,
            1 => Defence::Needed,
            _ => Defence::Hopeless,
        }
    }

    fn play(&mut self, m: Point) {
        let me = self.mover.index();
        self.rows[me][m.rank()] |= u32::bit(m.file());
        self.key ^= m.key(me) ^ SECOND_KEY;
        self.empty -= 1;
        if self.rules.wins(&self.rows[me], m) {
            self.outcome = Some(Outcome::win(self.mover));
        } else if self.empty == 0 {
            self.outcome = Some(Outcome::DRAW);
        }
        self.mover = self.mover.other();
    }

    fn key(&self) -> u64 {
        self.key
    }

    const CANONICAL_KEYS: bool = true;

    /// Boards of up to 8x8 are two words each, whose images take a few instructions; on larger ones the images of the
    /// stones are counted one by one.
    fn canonical_key(&self) -> u64 {
        let (grid, side) = (self.rules.grid, if self.mover == Player::SECOND { SECOND_KEY } else { 0 });
        if grid.width <= 8 && grid.height <= 8 {
            let [first, second] = grid.canonical([0, 1].map(|player| as_set(&self.rows[player])), true);
            return mix64(first ^ mix64(second)) ^ side;
        }
        let mut keys = [side; 8];
        for (player, rows) in self.rows.iter().enumerate() {
            for (rank, &row) in rows.iter().enumerate().take(grid.height) {
                let mut row = row;
                while row != 0 {
                    let place = (rank, row.trailing_zeros() as usize);
                    row &= row - 1;
                    for (index, key) in keys.iter_mut().enumerate().take(grid.symmetries()) {
                        let (file, rank) = grid.map(index, (place.1, place.0));
                        *key ^= Point::new(file, rank).key(player);
                    }
                }
            }
        }
        keys[..grid.symmetries()].iter().fold(u64::MAX, |least, &key| least.min(key))
    }

    fn random_move(&self, rng: &mut Rng) -> Point {
        for _ in 0..40 {
            let point = self.rules.points[rng.below(self.rules.points.len())];
            if self.is_empty(point) {
                return point;
            }
        }
        let free = || self.rules.points.iter().filter(|&&point| self.is_empty(point));
        *free().nth(rng.below(self.empty.into())).unwrap_or(&self.rules.points[0])
    }

    fn playout(&mut self, rng: &mut Rng, limit: u32) -> Playout {
        match self.outcome {
            Some(outcome) => Playout { outcome, plies: 0 },
            None => self.playout_in(&mut self.rules.order.clone(), rng, limit),
        }
    }

    fn decisive_playout(&mut self, rng: &mut Rng, limit: u32) -> Playout {
        match self.outcome {
            Some(outcome) => Playout { outcome, plies: 0 },
            None => self.decisive_playout_here(rng, limit, |_, _| {}),
        }
    }

    /// Points more than two steps from every stone.
    fn unlikely_moves(&self, moves: &[Point], into: &mut Vec<usize>) {
        let taken: [u32; RANKS] = std::array::from_fn(|rank| self.rows[0][rank] | self.rows[1][rank]);
        if taken == [0; RANKS] {
            return;
        }
        let wide = taken.map(|row| row | row << 1 | row << 2 | row >> 1 | row >> 2);
        let near: [u32; RANKS] = std::array::from_fn(|rank| {
            wide[rank.saturating_sub(2)..(rank + 3).min(RANKS)].iter().fold(0, |all, row| all | row)
        });
        into.extend((0..moves.len()).filter(|&place| !near[moves[place].rank()].has(moves[place].file())));
    }

    fn traced_playout(
        &mut self,
        rng: &mut Rng,
        limit: u32,
        decisive: bool,
        trace: &mut Vec<(Player, Point)>,
    ) -> Option<Playout> {
        Some(match self.outcome {
            Some(outcome) => Playout { outcome, plies: 0 },
            None if decisive => self.decisive_playout_here(rng, limit, |player, point| trace.push((player, point))),
            None => {
                let mut order = self.rules.order;
                let playout = self.playout_in(&mut order, rng, limit);
                let (players, played) = ([self.mover, self.mover.other()], playout.plies as usize);
                trace.extend(order[..played].iter().enumerate().map(|(ply, &point)| (players[ply % 2], point)));
                playout
            }
        })
    }

    fn position_text(&self) -> String {
        with_side(&self.rules.grid.text(|file, rank| self.sign(file, rank)), self.mover, 0)
    }

    fn parse_position(&self, text: &str) -> Result<Self, TextError> {
        let (board, mover, passes) = split_side(text)?;
        if passes > 0 {
            return Err(TextError::expected(text, "possible: nobody passes in this game"));
        }
        let rules = self.rules;
        let mut game = Self::start(rules.grid.width, rules.grid.height, rules.length, rules.exact);
        let mut stones = Vec::new();
        rules.grid.parse(board, "x o", |file, rank, sign| {
            let player = SIGNS.iter().position(|&s| s == sign);
            player.is_some_and(|player| {
                stones.push((player, Point::new(file, rank)));
                true
            })
        })?;
        for &(player, point) in &stones {
            game.rows[player][point.rank()] |= u32::bit(point.file());
            game.key ^= point.key(player);
        }
        game.empty -= stones.len() as u16;
        game.mover = mover;
        game.key ^= if mover == Player::SECOND { SECOND_KEY } else { 0 };
        let won =
            |player| stones.iter().any(|&(owner, point)| owner == player && rules.wins(&game.rows[player], point));
        game.outcome = match (won(0), won(1)) {
            (true, true) => return Err(TextError::expected(text, "possible: both sides have won")),
            (true, false) => Some(Outcome::win(Player::FIRST)),
            (false, true) => Some(Outcome::win(Player::SECOND)),
            (false, false) => (game.empty == 0).then_some(Outcome::DRAW),
        };
        Ok(game)
    }

    fn move_text(&self, m: Point) -> String {
        self.rules.grid.square_text(m.file(), m.rank())
    }

    fn may_repeat(&self) -> bool {
        false
    }

    fn symmetries(&self) -> usize {
        self.rules.grid.symmetries()
    }

    fn symmetric(&self, index: usize) -> Self {
        let mut game = Self { rows: [[0; RANKS]; 2], key: 0, ..self.clone() };
        game.key = if self.mover == Player::SECOND { SECOND_KEY } else { 0 };
        for &point in &self.rules.points {
            for player in 0..2 {
                if self.rows[player][point.rank()].has(point.file()) {
                    let image = self.symmetric_move(index, point);
                    game.rows[player][image.rank()] |= u32::bit(image.file());
                    game.key ^= image.key(player);
                }
            }
        }
        game
    }

    fn symmetric_move(&self, index: usize, m: Point) -> Point {
        let (file, rank) = self.rules.grid.map(index, (m.file(), m.rank()));
        Point::new(file, rank)
    }

    fn feature_count(&self) -> usize {
        2 * self.rules.points.len()
    }

    /// Own and enemy stones.
    fn features(&self, into: &mut Features) {
        into.reset(self.feature_count());
        let Grid { width, height, .. } = self.rules.grid;
        for (side, player) in [self.mover, self.mover.other()].into_iter().enumerate() {
            for rank in 0..height {
                into.insert_bits((side * height + rank) * width, self.rows[player.index()][rank].into());
            }
        }
    }

    fn board(&self) -> String {
        self.rules.grid.draw(|file, rank| self.sign(file, rank))
    }
}

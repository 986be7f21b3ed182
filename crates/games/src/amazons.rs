//! The Game of the Amazons on boards of 6x6, 8x8 and 10x10.
//!
//! ```text
//! bit = 1 + rank * 10 + file, smaller boards in the lower left corner:     91 92 … 100   rank 10
//!                                                                           …
//!                                                                           1  2 …  10   rank 1
//! bits 0 and 127 are no squares: they stand for "nothing in the way" on rays downward and upward
//! ```

use plyproof_core::spec::{Described, Description, Kind, Params};
use plyproof_core::{Features, Game, Outcome, Player, Playout, Rng, TextError, legal_move};

use crate::board::{Grid, Interned, SECOND_KEY, SIGNS, select_bit, split_side_only, with_side, zobrist};

/// Name, parameters and rules of Amazons.
pub static AMAZONS: Description = Description::new(|| {
    let rules =
        "Move an amazon like a chess queen and shoot an arrow from there that blocks a square; who cannot move loses.";
    Described::new("amazons", "Amazons", rules)
        .parameter("size", "10", Kind::choice(&["6", "8", "10"]), "squares of one side")
        .into()
});

/// A position of Amazons.
#[derive(Clone, Debug)]
pub struct Amazons {
    rules: &'static Rules,
    amazons: [u128; 2],
    /// Squares with an amazon or an arrow.
    taken: u128,
    mover: Player,
    outcome: Option<Outcome>,
    key: u64,
}

/// A whole turn. Squares are bit numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shot {
    /// Square that the amazon leaves.
    pub from: u8,
    /// Square that it enters.
    pub to: u8,
    /// Square that its arrow blocks.
    pub arrow: u8,
}

/// Bits from one rank to the next.
const RANK: usize = 10;
/// The most amazons of one side.
const MOST: usize = 4;
/// The most squares that a queen reaches, from the middle of an empty 10x10 board.
const REACH: usize = 35;
/// Shots drawn before the moves are counted.
const DRAWS: usize = 24;
static KEYS: [[u64; 128]; 3] = [zobrist(0xa3a1), zobrist(0xa3a2), zobrist(0xa3a3)];
static RULES: Interned<usize, Rules> = Interned::new();

#[derive(Debug)]
struct Rules {
    grid: Grid,
    /// Squares from each square to the edge, in four directions upward in bit numbers, then four downward.
    rays: [[u128; 8]; 128],
    /// Squares next to each square.
    near: [u128; 128],
    start: [u128; 2],
}

const WAYS: [(i32, i32); 8] = [(1, 0), (-1, 1), (0, 1), (1, 1), (-1, 0), (1, -1), (0, -1), (-1, -1)];

fn square(file: usize, rank: usize) -> usize {
    1 + rank * RANK + file
}

impl Rules {
    fn new(&size: &usize) -> Self {
        let (mut rays, mut near) = ([[0; 8]; 128], [0; 128]);
        let inside = 0..size as i32;
        for (rank, file) in (0..size).flat_map(|rank| (0..size).map(move |file| (rank, file))) {
            for (way, (dx, dy)) in WAYS.into_iter().enumerate() {
                let (mut x, mut y) = (file as i32 + dx, rank as i32 + dy);
                if inside.contains(&x) && inside.contains(&y) {
                    near[square(file, rank)] |= 1 << square(x as usize, y as usize);
                }
                while inside.contains(&x) && inside.contains(&y) {
                    rays[square(file, rank)][way] |= 1 << square(x as usize, y as usize);
                    (x, y) = (x + dx, y + dy);
                }
            }
        }
        // a4 d1 g1 j4 on 10x10, a3 c1 f1 h3 on 8x8, a2 b1 e1 f2 on 6x6, and the mirror image of each at the top.
        let (last, step) = (size - 1, size / 2 - 2);
        let low = [(0, step), (step, 0), (last - step, 0), (last, step)];
        let start = [0, 1].map(|player| {
            low.iter()
                .fold(0, |all, &(file, rank)| all | 1 << square(file, if player == 0 { rank } else { last - rank }))
        });
        Self { grid: Grid::new(size, size), rays, near, start }
    }

    /// Where a queen or an arrow gets from `from`.
    #[inline(always)]
    fn reach(&self, from: usize, taken: u128) -> u128 {
        let rays = &self.rays[from & 127];
        let mut reached = 0;
        for ray in &rays[..4] {
            let first = (ray & taken | 1 << 127).trailing_zeros() as usize;
            reached |= ray & ((1 << first) - 1);
        }
        for ray in &rays[4..] {
            let first = 127 - (ray & taken | 1).leading_zeros() as usize;
            reached |= ray & (u128::MAX - 1) << first;
        }
        reached
    }

    /// Where a symmetry of the board takes a square.
    fn image(&self, index: usize, square: usize) -> usize {
        1 + self.grid.map_square(index, square - 1, RANK)
    }

    /// Whether one of `amazons` can move.
    #[inline(always)]
    fn can_move(&self, amazons: u128, taken: u128) -> bool {
        self.around(amazons) & !taken != 0
    }

    fn around(&self, amazons: u128) -> u128 {
        squares(amazons).fold(0, |all, square| all | self.near[square])
    }

    /// Calls `each` for every way of an amazon, with the squares that its arrow then reaches.
    #[inline(always)]
    fn ways(&self, amazons: u128, taken: u128, mut each: impl FnMut(usize, usize, u128)) {
        for from in squares(amazons) {
            for to in squares(self.reach(from, taken)) {
                each(from, to, self.reach(to, taken ^ 1 << from));
            }
        }
    }

    /// A uniformly random turn, or none if there is no turn.
    ///
    /// A pair of an amazon and its target is drawn, then one of as many arrows as any board allows; there may be fewer.
    /// Each turn is equally likely to be drawn, so that dropping what is none leaves a uniform choice, and so does
    /// giving up after some draws and counting all.
    #[inline(always)]
    fn random(&self, amazons: u128, taken: u128, rng: &mut Rng) -> Option<Shot> {
        let mut targets = [(0, 0u128); MOST];
        let (mut count, mut pairs) = (0, 0);
        for from in squares(amazons) {
            targets[count % MOST] = (from, self.reach(from, taken));
            pairs += targets[count % MOST].1.count_ones() as usize;
            count += 1;
        }
        if pairs == 0 {
            return None;
        }
        // The square that the amazon left is free for its arrow, the one it entered is not.
        let free = self.grid.width * self.grid.height - taken.count_ones() as usize;
        let most = REACH.min(free);
        for _ in 0..DRAWS {
            let mut wanted = rng.below(pairs);
            let mut index = 0;
            while wanted >= targets[index % MOST].1.count_ones() as usize {
                wanted -= targets[index % MOST].1.count_ones() as usize;
                index += 1;
            }
            let (from, reached) = targets[index % MOST];
            let to = nth_square(reached, wanted);
            let arrows = self.reach(to, taken ^ 1 << from);
            let arrow = rng.below(most);
            if arrow < arrows.count_ones() as usize {
                return Some(Shot::new(from, to, nth_square(arrows, arrow)));
            }
        }
        Some(self.counted(amazons, taken, rng))
    }

    #[cold]
    fn counted(&self, amazons: u128, taken: u128, rng: &mut Rng) -> Shot {
        let mut total = 0;
        self.ways(amazons, taken, |_, _, arrows| total += arrows.count_ones() as usize);
        let (mut wanted, mut chosen) = (rng.below(total), None);
        self.ways(amazons, taken, |from, to, arrows| {
            let count = arrows.count_ones() as usize;
            if chosen.is_none() && wanted < count {
                chosen = Some(Shot::new(from, to, nth_square(arrows, wanted)));
            }
            wanted = wanted.wrapping_sub(count);
        });
        chosen.unwrap_or(Shot::new(0, 0, 0))
    }
}

impl Shot {
    #[inline(always)]
    fn new(from: usize, to: usize, arrow: usize) -> Self {
        Self { from: from as u8, to: to as u8, arrow: arrow as u8 }
    }
}

/// The squares of a set, lowest bit first.
#[inline(always)]
fn squares(mut set: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let square = set.trailing_zeros() as usize;
            set &= set - 1;
            square
        })
    })
}

/// The `n`-th square of a set, counted from 0.
#[inline(always)]
fn nth_square(set: u128, n: usize) -> usize {
    let (low, high) = (set as u64, (set >> 64) as u64);
    let count = low.count_ones() as usize;
    if n < count { select_bit(low, n) } else { 64 + select_bit(high, n - count) }
}

impl Amazons {
    /// The start position of [`AMAZONS`] with these parameters.
    pub fn start(params: &Params) -> Self {
        let rules = RULES.fetch(params.whole("size") as usize, Rules::new);
        Self::new(rules, rules.start, 0, Player::FIRST)
    }

    fn new(rules: &'static Rules, amazons: [u128; 2], arrows: u128, mover: Player) -> Self {
        let mut key = if mover == Player::SECOND { SECOND_KEY } else { 0 };
        for (kind, set) in [amazons[0], amazons[1], arrows].into_iter().enumerate() {
            key ^= squares(set).fold(0, |sum, square| sum ^ KEYS[kind][square]);
        }
        let taken = amazons[0] | amazons[1] | arrows;
        let stuck = !rules.can_move(amazons[mover.index()], taken);
        Self { rules, amazons, taken, mover, outcome: stuck.then(|| Outcome::win(mover.other())), key }
    }

    fn own(&self) -> u128 {
        self.amazons[self.mover.index()]
    }

    fn sign(&self, file: usize, rank: usize) -> char {
        let bit = 1 << square(file, rank);
        let owner = (0..2).find(|&player| self.amazons[player] & bit != 0);
        owner.map_or(if self.taken & bit != 0 { '#' } else { '.' }, |player| SIGNS[player])
    }

    /// The turn written as three squares, if it is legal.
    fn read(&self, text: &str) -> Option<Shot> {
        let starts: Vec<usize> =
            text.char_indices().filter(|(_, c)| c.is_ascii_lowercase()).map(|(at, _)| at).collect();
        let &[0, second, third] = &starts[..] else { return None };
        let name = |text: &str| self.rules.grid.parse_square(text).map(|(file, rank)| square(file, rank));
        let (from, to, arrow) = (name(&text[..second])?, name(&text[second..third])?, name(&text[third..])?);
        let legal = self.outcome.is_none()
            && self.own() >> from & 1 != 0
            && self.rules.reach(from, self.taken) >> to & 1 != 0
            && self.rules.reach(to, self.taken ^ 1 << from) >> arrow & 1 != 0;
        legal.then(|| Shot::new(from, to, arrow))
    }
}

impl Game for Amazons {
    type Move = Shot;

    fn to_move(&self) -> Player {
        self.mover
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn moves(&self, into: &mut Vec<Shot>) {
        self.rules.ways(self.own(), self.taken, |from, to, arrows| {
            into.extend(squares(arrows).map(|arrow| Shot::new(from, to, arrow)));
        });
    }

    /// A turn takes two squares, so that an opponent with more than two free neighbours is not stuck after it.
    fn moves_and_ends(&self, moves: &mut Vec<Shot>, ends: &mut Vec<(usize, Outcome)>) {
        let before = moves.len();
        self.moves(moves);
        let around = self.rules.around(self.amazons[self.mover.other().index()]);
        if (around & !self.taken).count_ones() > 2 {
            return;
        }
        for (index, m) in moves[before..].iter().enumerate() {
            if around & !(self.taken ^ 1 << m.from | 1 << m.to | 1 << m.arrow) == 0 {
                ends.push((index, Outcome::win(self.mover)));
            }
        }
    }

    fn play(&mut self, m: Shot) {
        let (me, you) = (self.mover.index(), self.mover.other());
        let [from, to, arrow] = [m.from, m.to, m.arrow].map(usize::from);
        self.amazons[me] ^= 1 << from | 1 << to;
        self.taken = self.taken ^ 1 << from | 1 << to | 1 << arrow;
        self.key ^= KEYS[me][from] ^ KEYS[me][to] ^ KEYS[2][arrow] ^ SECOND_KEY;
        if !self.rules.can_move(self.amazons[you.index()], self.taken) {
            self.outcome = Some(Outcome::win(self.mover));
        }
        self.mover = you;
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn random_move(&self, rng: &mut Rng) -> Shot {
        self.rules.random(self.own(), self.taken, rng).unwrap_or(Shot::new(0, 0, 0))
    }

    fn playout(&mut self, rng: &mut Rng, limit: u32) -> Playout {
        let (mut player, mut taken, mut amazons) = (self.mover, self.taken, self.amazons);
        for plies in 0..=limit {
            let own = &mut amazons[player.index()];
            let Some(shot) = self.rules.random(*own, taken, rng) else {
                return Playout { outcome: Outcome::win(player.other()), plies };
            };
            *own ^= 1 << shot.from | 1 << shot.to;
            taken = taken ^ 1 << shot.from | 1 << shot.to | 1 << shot.arrow;
            player = player.other();
        }
        Playout { outcome: Outcome::DRAW, plies: limit }
    }

    fn position_text(&self) -> String {
        with_side(&self.rules.grid.text(|file, rank| self.sign(file, rank)), self.mover, 0)
    }

    fn parse_position(&self, text: &str) -> Result<Self, TextError> {
        let (board, mover) = split_side_only(text)?;
        let mut sets = [0u128; 3];
        self.rules.grid.parse(board, "x o #", |file, rank, sign| {
            let kind = ['x', 'o', '#'].iter().position(|&known| known == sign);
            kind.inspect(|&kind| sets[kind] |= 1 << square(file, rank)).is_some()
        })?;
        let [first, second, arrows] = sets;
        if [first, second].iter().any(|set| !(1..=MOST as u32).contains(&set.count_ones())) {
            return Err(TextError::expected(text, "possible: each side has one to four amazons"));
        }
        Ok(Self::new(self.rules, [first, second], arrows, mover))
    }

    fn move_text(&self, m: Shot) -> String {
        let name = |bit: u8| {
            let place = usize::from(bit) - 1;
            self.rules.grid.square_text(place % RANK, place / RANK)
        };
        name(m.from) + &name(m.to) + &name(m.arrow)
    }

    /// Also reads `d1-d7/g7` and `d1-d7(g7)`.
    fn parse_move(&self, text: &str) -> Result<Shot, TextError> {
        let plain = || {
            let (from, rest) = text.split_once('-')?;
            let (to, arrow) = match rest.split_once('/') {
                Some(parts) => parts,
                None => rest.strip_suffix(')')?.split_once('(')?,
            };
            self.read(&[from, to, arrow].concat())
        };
        self.read(text).or_else(plain).map_or_else(|| legal_move(self, text), Ok)
    }

    fn may_repeat(&self) -> bool {
        false
    }

    fn may_draw(&self) -> bool {
        false
    }

    fn symmetries(&self) -> usize {
        self.rules.grid.symmetries()
    }

    fn symmetric(&self, index: usize) -> Self {
        let image = |set| squares(set).fold(0, |all, square| all | 1 << self.rules.image(index, square));
        let arrows = self.taken & !(self.amazons[0] | self.amazons[1]);
        Self::new(self.rules, self.amazons.map(image), image(arrows), self.mover)
    }

    fn symmetric_move(&self, index: usize, m: Shot) -> Shot {
        let [from, to, arrow] = [m.from, m.to, m.arrow].map(|square| self.rules.image(index, square.into()));
        Shot::new(from, to, arrow)
    }

    fn feature_count(&self) -> usize {
        5 * 128
    }

    /// Own and enemy amazons, arrows, and the squares that each side reaches with one move.
    fn features(&self, into: &mut Features) {
        into.reset(5 * 128);
        let [own, others] = [self.mover, self.mover.other()].map(|player| self.amazons[player.index()]);
        let reached = |amazons| squares(amazons).fold(0, |all, from| all | self.rules.reach(from, self.taken));
        let sets = [own, others, self.taken & !(own | others), reached(own), reached(others)];
        for (place, set) in sets.into_iter().enumerate() {
            into.insert_bits(place * 128, set as u64);
            into.insert_bits(place * 128 + 64, (set >> 64) as u64);
        }
    }

    fn board(&self) -> String {
        self.rules.grid.draw(|file, rank| self.sign(file, rank))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use plyproof_core::contract::{Contract, check};
    use plyproof_core::spec::Spec;

    use super::*;

    fn amazons(size: usize) -> Amazons {
        let spec = Spec::parse(&format!("amazons(size={size})")).expect("a name");
        Amazons::start(&Params::resolve(&AMAZONS, &spec).expect("a size"))
    }

    #[test]
    fn every_size_keeps_the_contract() {
        for (size, games) in [(6, 12), (8, 3), (10, 1)] {
            let contract = Contract { games, playouts: 300, ..Contract::default() };
            check(&amazons(size), &contract).unwrap_or_else(|broken| panic!("{broken}"));
        }
    }

    #[test]
    fn the_amazons_start_where_they_usually_do() {
        let ten = "...o..o.../........../........../o........o/........../........../x........x/........../........../...x..x... x";
        assert_eq!(amazons(10).position_text(), ten);
        assert_eq!(
            amazons(8).position_text(),
            "..o..o../......../o......o/......../......../x......x/......../..x..x.. x"
        );
        assert_eq!(amazons(6).position_text(), ".o..o./o....o/....../....../x....x/.x..x. x");
    }

    /// The counts of `tests/data/perft.txt`, here where a wrong one is found first.
    #[test]
    fn the_first_two_turns_count_as_in_other_programs() {
        let start = amazons(10);
        let (mut moves, mut replies) = (Vec::new(), Vec::new());
        start.moves(&mut moves);
        for &m in &moves {
            let mut next = start.clone();
            next.play(m);
            next.moves(&mut replies);
        }
        assert_eq!((moves.len(), replies.len()), (2176, 4_307_152));
    }

    /// By the rules square by square.
    fn slow_moves(game: &Amazons) -> BTreeSet<String> {
        let size = game.rules.grid.width as i32;
        let reach = |(x, y): (i32, i32), left: Option<(i32, i32)>| {
            let free = move |x: i32, y: i32| {
                (0..size).contains(&x)
                    && (0..size).contains(&y)
                    && (left == Some((x, y)) || game.sign(x as usize, y as usize) == '.')
            };
            let line = move |(dx, dy): (i32, i32)| {
                (1..size).map(move |n| (x + n * dx, y + n * dy)).take_while(move |&(x, y)| free(x, y))
            };
            (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy))).filter(|&way| way != (0, 0)).flat_map(line)
        };
        let name = |(x, y): (i32, i32)| game.rules.grid.square_text(x as usize, y as usize);
        let mut moves = BTreeSet::new();
        for from in (0..size).flat_map(|x| (0..size).map(move |y| (x, y))) {
            if game.sign(from.0 as usize, from.1 as usize) == SIGNS[game.mover.index()] {
                for to in reach(from, None) {
                    moves.extend(reach(to, Some(from)).map(|arrow| name(from) + &name(to) + &name(arrow)));
                }
            }
        }
        moves
    }

    #[test]
    fn amazons_and_arrows_go_like_queens_and_an_arrow_may_go_back() {
        let mut rng = Rng::new(3);
        for size in [6, 8, 10] {
            let mut game = amazons(size);
            while game.outcome().is_none() {
                let mut moves = Vec::new();
                game.moves(&mut moves);
                let texts: BTreeSet<String> = moves.iter().map(|&m| game.move_text(m)).collect();
                assert_eq!(texts, slow_moves(&game), "{}", game.position_text());
                game.play(game.random_move(&mut rng));
            }
            assert!(slow_moves(&game).is_empty());
        }
    }

    #[test]
    fn moves_are_read_in_three_spellings() {
        let game = amazons(10);
        let expected = game.parse_move("d1d7g7");
        assert!(expected.is_ok());
        assert_eq!((game.parse_move("d1-d7/g7"), game.parse_move("d1-d7(g7)")), (expected.clone(), expected));
        assert!(game.parse_move("d1-d7/d1").is_ok(), "the square just left is free");
        for wrong in ["d1d7", "d1d7g7g7", "d1d10g7", "d1-d7g7", "d1-d7/g7)", "a7a8a9", "d1d7é", "", "D1d7g7"] {
            let error = game.parse_move(wrong).expect_err(wrong).to_string();
            assert!(error.contains("is not a legal move here") && error.len() < 300, "{wrong}: {error}");
        }
    }

    #[test]
    fn who_cannot_move_loses_and_amazons_are_one_to_four() {
        let start = amazons(6);
        let stuck = start.parse_position("x#..../##..../....../....../....../.....o x").expect("a position");
        assert_eq!(stuck.outcome(), Some(Outcome::win(Player::SECOND)));
        let free = start.parse_position("x#..../##..../....../....../....../.....o o").expect("a position");
        assert_eq!(free.outcome(), None, "the game goes on until its mover is stuck");
        for wrong in ["6/6/6/6/6/x5 x", "oo4/6/6/6/6/6 o", "xxxxxo/6/6/6/6/6 x", "x?4/6/6/6/6/o5 x"] {
            assert!(start.parse_position(wrong).is_err(), "{wrong}");
        }
    }
}

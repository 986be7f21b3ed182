//! Races to the far row: Knightthrough and Breakthrough, two piece sets of one game.
//!
//! ```text
//! bit = rank * 8 + file, for boards of up to 8x8:      56 57 … 63   far row of the first player on 8 ranks
//!                                                       …
//!                                                       0  1 …  7   its home row
//! ```

use plyproof_core::spec::{Described, Description, Kind, Parameter, Params};
use plyproof_core::{
    DecisivePlayouts, Defence, Features, Game, Knowledge, Outcome, Player, Playout, Rng, TextError, Wdl, mix64,
};

use crate::board::{
    Grid, Interned, PASSES_KEY, SECOND_KEY, SIGNS, Step, bits, nth_bit, split_side, with_side, zobrist,
};

fn size() -> Parameter {
    Parameter::new("size", "8", Kind::Board { least: (2, 4), most: (8, 8) }, "files x ranks")
}

mod races;

/// Name, parameters and rules of Knightthrough.
pub static KNIGHTTHROUGH: Description = Description::new(|| {
    let rules = "Chess knights on two home rows; reach the far row or capture every enemy knight.";
    Described::new("knightthrough", "Knightthrough", rules)
        .with([size()])
        .parameter(
            "moves",
            "forward",
            Kind::choice(&["forward", "all"]),
            "leaps that end nearer the far row, or all eight",
        )
        .into()
});

/// Name, parameters and rules of Breakthrough.
pub static BREAKTHROUGH: Description = Description::new(|| {
    let rules = "Pieces step straight ahead onto an empty square or diagonally ahead, capturing; reach the far row.";
    Described::new("breakthrough", "Breakthrough", rules).with([size()]).into()
});

/// A position of Knightthrough or Breakthrough.
#[derive(Clone, Debug)]
pub struct Through {
    rules: &'static Rules,
    pieces: [u64; 2],
    mover: Player,
    passes: u8,
    outcome: Option<Outcome>,
    key: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Piece {
    ForwardKnight,
    Knight,
    Pawn,
}

#[derive(Debug)]
struct Rules {
    piece: Piece,
    grid: Grid,
    /// Ways to move of one piece.
    ways: usize,
    /// Way 0 needs an empty target (the straight step of Breakthrough).
    first_is_quiet: bool,
    /// Where `ways` lead from each square, for each player; [`OFF`] beyond the edge.
    targets: [[[u8; 8]; 64]; 2],
    /// The winning row of each player.
    far: [u64; 2],
    /// Squares from which a piece of each player reaches its far row whatever stands there: its own pieces never do.
    near: [u64; 2],
    /// Squares from which a piece of each player can capture on a square.
    attackers: [[u64; 64]; 2],
    start: [u64; 2],
    board: u64,
}

const OFF: u8 = 64;
static KEYS: [[u64; 64]; 2] = [zobrist(0x7001), zobrist(0x7002)];
static RULES: Interned<(Piece, usize, usize), Rules> = Interned::new();

impl Rules {
    fn new(&(piece, width, height): &(Piece, usize, usize)) -> Self {
        let leaps: &[(i32, i32)] = match piece {
            Piece::ForwardKnight => &[(-2, 1), (-1, 2), (1, 2), (2, 1)],
            Piece::Knight => &[(-2, 1), (-1, 2), (1, 2), (2, 1), (-2, -1), (-1, -2), (1, -2), (2, -1)],
            Piece::Pawn => &[(0, 1), (-1, 1), (1, 1)],
        };
        let mut targets = [[[OFF; 8]; 64]; 2];
        let row = |rank: usize| ((1u64 << width) - 1) << (rank * 8);
        for (player, forward) in [(0, 1), (1, -1)] {
            for (rank, file) in (0..height).flat_map(|rank| (0..width).map(move |file| (rank, file))) {
                for (way, &(dx, dy)) in leaps.iter().enumerate() {
                    let (x, y) = (file as i32 + dx, rank as i32 + dy * forward);
                    if (0..width as i32).contains(&x) && (0..height as i32).contains(&y) {
                        targets[player][rank * 8 + file][way] = (y * 8 + x) as u8;
                    }
                }
            }
        }
        let far = [row(height - 1), row(0)];
        let quiet = usize::from(piece == Piece::Pawn);
        let (mut near, mut attackers) = ([0; 2], [[0; 64]; 2]);
        for player in 0..2 {
            for (from, ways) in targets[player].iter().enumerate() {
                for &to in ways[quiet..].iter().filter(|&&to| to != OFF) {
                    attackers[player][usize::from(to)] |= 1 << from;
                    near[player] |= (far[player] >> to & 1) << from;
                }
            }
        }
        Self {
            piece,
            grid: Grid::new(width, height),
            ways: leaps.len(),
            first_is_quiet: piece == Piece::Pawn,
            targets,
            far,
            near,
            attackers,
            board: (0..height).fold(0, |board, rank| board | row(rank)),
            start: [row(0) | row(1), row(height - 1) | row(height - 2)],
        }
    }
}

/// What a look one move ahead says.
enum Decisive {
    Nothing,
    Win,
    /// The opponent cannot be kept from winning with the next move.
    Loss,
    /// The capture that is called for, from and to.
    Capture(u8, u8),
}

impl Rules {
    /// What the player `me` has to do at once.
    #[inline(always)]
    fn decisive(&self, pieces: [u64; 2], me: usize, rng: &mut Rng) -> Decisive {
        let (own, enemy) = (pieces[me], pieces[1 - me]);
        if own & self.near[me] != 0 {
            return Decisive::Win;
        }
        if enemy.is_power_of_two() && self.attackers[me][enemy.trailing_zeros() as usize & 63] & own != 0 {
            return Decisive::Win;
        }
        let threats = enemy & self.near[1 - me];
        if threats == 0 {
            return Decisive::Nothing;
        }
        let to = threats.trailing_zeros() as usize & 63;
        let captors = self.attackers[me][to] & own;
        if captors == 0 || !threats.is_power_of_two() {
            return Decisive::Loss;
        }
        let from = nth_bit(captors, rng.below(captors.count_ones() as usize));
        Decisive::Capture(from as u8, to as u8)
    }
}

impl Through {
    /// The start position of [`KNIGHTTHROUGH`] with these parameters.
    pub fn knightthrough(params: &Params) -> Self {
        let piece = if params.text("moves") == "all" { Piece::Knight } else { Piece::ForwardKnight };
        Self::start(piece, params)
    }

    /// The start position of [`BREAKTHROUGH`] with these parameters.
    pub fn breakthrough(params: &Params) -> Self {
        Self::start(Piece::Pawn, params)
    }

    fn start(piece: Piece, params: &Params) -> Self {
        let (width, height) = params.board("size");
        let rules = RULES.fetch((piece, width, height), Rules::new);
        Self::new(rules, rules.start, Player::FIRST, 0)
    }

    fn new(rules: &'static Rules, pieces: [u64; 2], mover: Player, passes: u8) -> Self {
        let mut key = if mover == Player::SECOND { SECOND_KEY } else { 0 };
        key ^= PASSES_KEY[usize::from(passes)];
        for player in 0..2 {
            key ^= bits(pieces[player]).fold(0, |sum, square| sum ^ KEYS[player][square]);
        }
        let mut game = Self { rules, pieces, mover, passes, outcome: None, key };
        game.outcome = [mover.other(), mover].into_iter().find(|&p| game.has_won(p)).map(Outcome::win);
        if passes == 2 && game.outcome.is_none() {
            game.outcome = Some(Outcome::DRAW);
        }
        game
    }

    fn has_won(&self, player: Player) -> bool {
        self.pieces[player.index()] & self.rules.far[player.index()] != 0 || self.pieces[player.other().index()] == 0
    }

    /// Calls `each(from, to)` for every move but a pass.
    fn steps(&self, mut each: impl FnMut(usize, usize)) {
        let me = self.mover.index();
        let own = self.pieces[me];
        for from in bits(own) {
            for way in 0..self.rules.ways {
                let to = self.rules.targets[me][from][way];
                let blocked = own | if way == 0 && self.rules.first_is_quiet { self.pieces[1 - me] } else { 0 };
                if to != OFF && blocked >> to & 1 == 0 {
                    each(from, to.into());
                }
            }
        }
    }

    /// The uniform choice for when drawing at random found nothing: perhaps only a pass is left.
    #[cold]
    fn listed_move(&self, rng: &mut Rng) -> Step {
        let mut count = 0;
        self.steps(|_, _| count += 1);
        let mut chosen = (Step::PASS, rng.below(count));
        self.steps(|from, to| {
            if chosen.1 == 0 && chosen.0 == Step::PASS {
                chosen.0 = Step::new(from, to);
            }
            chosen.1 = chosen.1.wrapping_sub(1);
        });
        chosen.0
    }
}

/// Draws at random before listing. Each legal move is exactly one pair of a piece and a way to move, so drawing pairs and
/// dropping illegal ones is uniform; giving up after some misses and listing is uniform too.
const DRAWS: usize = 64;

impl Game for Through {
    type Move = Step;

    const DECISIVE_PLAYOUTS: DecisivePlayouts = DecisivePlayouts::WinsAndDefences;

    fn to_move(&self) -> Player {
        self.mover
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn moves(&self, into: &mut Vec<Step>) {
        if self.outcome.is_some() {
            return;
        }
        // Every pair of a piece and a way is written down, and stays if it is a move: half of them are, in no order that a
        // processor could guess.
        let (me, before) = (self.mover.index(), into.len());
        let own = self.pieces[me];
        into.resize(before + own.count_ones() as usize * self.rules.ways, Step::PASS);
        let (list, mut count) = (&mut into[before..], 0);
        let first_blocked = own | if self.rules.first_is_quiet { self.pieces[1 - me] } else { 0 };
        for from in bits(own) {
            let mut blocked = first_blocked;
            for &to in &self.rules.targets[me][from][..self.rules.ways] {
                list[count] = Step::new(from, to.into());
                count += usize::from((to != OFF) & (blocked >> (to & 63) & 1 == 0));
                blocked = own;
            }
        }
        into.truncate(before + count);
        if count == 0 {
            into.push(Step::PASS);
        }
    }

    fn moves_and_ends(&self, moves: &mut Vec<Step>, ends: &mut Vec<(usize, Outcome)>) {
        let before = moves.len();
        self.moves(moves);
        let (me, you) = (self.mover.index(), self.mover.other().index());
        let last = if self.pieces[you].is_power_of_two() { self.pieces[you] } else { 0 };
        let winning = self.rules.far[me] | last;
        // Where no piece is one move from the far row there is nothing to look for.
        if self.pieces[me] & self.rules.near[me] == 0 && last == 0 && moves.last() != Some(&Step::PASS) {
            return;
        }
        for (index, &m) in moves[before..].iter().enumerate() {
            if m == Step::PASS {
                if self.passes == 1 {
                    ends.push((index, Outcome::DRAW));
                }
            } else if winning >> m.to & 1 != 0 {
                ends.push((index, Outcome::win(self.mover)));
            }
        }
    }

    /// An enemy one move from its far row can only be captured; of two of them one gets through.
    fn defences(&self, into: &mut Vec<Step>) -> Defence {
        let (me, you) = (self.mover.index(), self.mover.other().index());
        let threats = self.pieces[you] & self.rules.near[you];
        if threats == 0 {
            return Defence::NotNeeded;
        }
        for to in bits(threats) {
            into.extend(bits(self.rules.attackers[me][to] & self.pieces[me]).map(|from| Step::new(from, to)));
        }
        if into.is_empty() || !threats.is_power_of_two() { Defence::Hopeless } else { Defence::Needed }
    }

    fn play(&mut self, m: Step) {
        let (me, you) = (self.mover.index(), self.mover.other().index());
        self.mover = self.mover.other();
        self.key ^= SECOND_KEY;
        self.key ^= PASSES_KEY[usize::from(self.passes)];
        if m == Step::PASS {
            self.passes += 1;
            self.key ^= PASSES_KEY[usize::from(self.passes)];
            self.outcome = (self.passes == 2).then_some(Outcome::DRAW);
            return;
        }
        self.passes = 0;
        let (from, to) = (usize::from(m.from), usize::from(m.to));
        self.pieces[me] ^= 1 << from | 1 << to;
        self.key ^= KEYS[me][from] ^ KEYS[me][to];
        if self.pieces[you] >> to & 1 != 0 {
            self.pieces[you] ^= 1 << to;
            self.key ^= KEYS[you][to];
        }
        if self.pieces[you] == 0 || self.rules.far[me] >> to & 1 != 0 {
            self.outcome = Some(Outcome::win(self.mover.other()));
        }
    }

    fn key(&self) -> u64 {
        self.key
    }

    const CANONICAL_KEYS: bool = true;

    /// More pieces, and the foremost further on.
    fn outlook(&self) -> i32 {
        let [first, second] = self.pieces;
        let foremost = (first.max(1).ilog2() / 8) as i32;
        let others = self.rules.grid.height as i32 - 1 - (second.trailing_zeros() / 8) as i32;
        let ahead = 2 * (first.count_ones() as i32 - second.count_ones() as i32) + foremost - others;
        if self.mover == Player::FIRST { ahead } else { -ahead }
    }

    fn canonical_key(&self) -> u64 {
        let mirrored = self.pieces.map(|set| self.rules.grid.mirrored(set));
        let [first, second] = self.pieces.min(mirrored);
        let side = if self.mover == Player::SECOND { SECOND_KEY } else { 0 };
        mix64(first ^ mix64(second)) ^ side ^ PASSES_KEY[usize::from(self.passes)]
    }

    const STATIC_KNOWLEDGE: bool = true;

    /// Whoever has a piece that gets through wins.
    fn static_knowledge(&self, _holding: &mut Vec<Step>) -> Knowledge {
        if self.rules.wins_race(self.pieces, self.mover, true) {
            Knowledge::exactly(Wdl::Win)
        } else if self.rules.wins_race(self.pieces, self.mover.other(), false) {
            Knowledge::exactly(Wdl::Loss)
        } else {
            Knowledge::NONE
        }
    }

    fn random_move(&self, rng: &mut Rng) -> Step {
        let me = self.mover.index();
        let own = self.pieces[me];
        let count = own.count_ones() as usize;
        for _ in 0..DRAWS {
            let from = nth_bit(own, rng.below(count));
            let way = rng.below(self.rules.ways);
            let to = self.rules.targets[me][from][way];
            let blocked = own | if way == 0 && self.rules.first_is_quiet { self.pieces[1 - me] } else { 0 };
            if to != OFF && blocked >> to & 1 == 0 {
                return Step::new(from, to.into());
            }
        }
        self.listed_move(rng)
    }

    fn playout(&mut self, rng: &mut Rng, limit: u32) -> Playout {
        self.playout_in_parts::<false>(rng, limit)
    }

    fn decisive_playout(&mut self, rng: &mut Rng, limit: u32) -> Playout {
        self.playout_in_parts::<true>(rng, limit)
    }

    fn position_text(&self) -> String {
        with_side(&self.rules.grid.text(|file, rank| self.sign(file, rank)), self.mover, self.passes)
    }

    fn parse_position(&self, text: &str) -> Result<Self, TextError> {
        let (board, mover, passes) = split_side(text)?;
        let mut pieces = [0u64; 2];
        self.rules.grid.parse(board, "x o", |file, rank, sign| {
            let player = SIGNS.iter().position(|&s| s == sign);
            player.is_some_and(|player| {
                pieces[player] |= 1 << (rank * 8 + file);
                true
            })
        })?;
        let game = Self::new(self.rules, pieces, mover, passes);
        if game.has_won(Player::FIRST) && game.has_won(Player::SECOND) {
            return Err(TextError::expected(text, "possible: both sides have won"));
        }
        Ok(game)
    }

    fn move_text(&self, m: Step) -> String {
        if m == Step::PASS {
            return "pass".to_string();
        }
        let name = |square: u8| self.rules.grid.square_text(usize::from(square % 8), usize::from(square / 8));
        name(m.from) + &name(m.to)
    }

    fn may_repeat(&self) -> bool {
        self.rules.piece == Piece::Knight
    }

    /// The foremost piece can always move on, by a step that only a narrow board lacks, so nobody passes: no draws.
    fn may_draw(&self) -> bool {
        match self.rules.piece {
            Piece::Knight => true,
            Piece::ForwardKnight => self.rules.grid.width < 4,
            Piece::Pawn => self.rules.grid.width < 2,
        }
    }

    /// The mirror image of the files: both sides keep their direction.
    fn symmetries(&self) -> usize {
        2
    }

    fn symmetric(&self, index: usize) -> Self {
        let pieces = self.pieces.map(|set| self.rules.grid.map_set(index, set));
        Self::new(self.rules, pieces, self.mover, self.passes)
    }

    fn symmetric_move(&self, index: usize, m: Step) -> Step {
        self.rules.grid.map_step(index, m, 8)
    }

    fn feature_count(&self) -> usize {
        128
    }

    /// Own and enemy pieces, seen so that the mover moves upward.
    fn features(&self, into: &mut Features) {
        into.reset(128);
        for (first, player) in [(0, self.mover), (64, self.mover.other())] {
            let set = self.pieces[player.index()];
            let turned = set.swap_bytes() >> (8 * (8 - self.rules.grid.height));
            into.insert_bits(first, if self.mover == Player::FIRST { set } else { turned });
        }
    }

    fn is_quiet(&self, m: Step) -> bool {
        m == Step::PASS || self.pieces[self.mover.other().index()] >> m.to & 1 == 0
    }

    fn passed(&self) -> Option<Self> {
        let (mover, key) = (self.mover.other(), self.key ^ SECOND_KEY);
        (self.passes == 0).then_some(Self { mover, key, ..*self })
    }

    fn board(&self) -> String {
        self.rules.grid.draw(|file, rank| self.sign(file, rank))
    }
}

impl Through {
    #[inline(always)]
    fn playout_in_parts<const DECISIVE: bool>(&mut self, rng: &mut Rng, limit: u32) -> Playout {
        let mut before = 0;
        loop {
            match self.playout_here::<DECISIVE>(rng, limit - before) {
                Ok(playout) => return Playout { plies: before + playout.plies, ..playout },
                Err(plies) => {
                    self.play(self.listed_move(rng));
                    before += plies + 1;
                }
            }
        }
    }

    /// Pieces as lists, so that a piece and a way are drawn with one random word.
    ///
    /// `Err` with the moves made when no legal pair was drawn for long: perhaps there is no move but a pass.
    #[inline(always)]
    fn playout_here<const DECISIVE: bool>(&mut self, rng: &mut Rng, limit: u32) -> Result<Playout, u32> {
        if let Some(outcome) = self.outcome {
            return Ok(Playout { outcome, plies: 0 });
        }
        let rules = self.rules;
        let mut pieces = self.pieces;
        let mut list = [[0u8; 64]; 2];
        let mut place = [0u8; 64];
        let mut count = [0usize; 2];
        for player in 0..2 {
            for square in bits(pieces[player]) {
                list[player][count[player]] = square as u8;
                place[square] = count[player] as u8;
                count[player] += 1;
            }
        }
        let mut me = self.mover.index();
        let mut passes = self.passes;
        let mut misses = 0;
        let mut plies = 0;
        while plies < limit {
            let mut forced = None;
            if DECISIVE {
                match rules.decisive(pieces, me, rng) {
                    Decisive::Nothing => {}
                    Decisive::Win => return Ok(Playout { outcome: Outcome::win(Player::new(me)), plies: plies + 1 }),
                    Decisive::Loss => {
                        let plies = (plies + 2).min(limit);
                        return Ok(Playout { outcome: Outcome::win(Player::new(1 - me)), plies });
                    }
                    Decisive::Capture(from, to) => forced = Some((from, to)),
                }
            }
            let (index, from, to) = match forced {
                Some((from, to)) => (usize::from(place[usize::from(from & 63)] & 63), from, to),
                None => {
                    let random = rng.next_u64();
                    let index = (((random >> 32) * count[me] as u64) >> 32) as usize & 63;
                    let way = (((random & 0xffff_ffff) * rules.ways as u64) >> 32) as usize & 7;
                    let from = list[me][index];
                    let to = rules.targets[me][usize::from(from & 63)][way];
                    let blocked = pieces[me] | if way == 0 && rules.first_is_quiet { pieces[1 - me] } else { 0 };
                    if to == OFF || blocked >> (to & 63) & 1 != 0 {
                        misses += 1;
                        if misses < DRAWS {
                            continue;
                        }
                        *self = Self { pieces, mover: Player::new(me), passes, ..*self };
                        return Err(plies);
                    }
                    (index, from, to)
                }
            };
            misses = 0;
            passes = 0;
            plies += 1;
            let bit = 1u64 << to;
            pieces[me] ^= 1u64 << from | bit;
            list[me][index] = to;
            if pieces[1 - me] & bit != 0 {
                pieces[1 - me] ^= bit;
                let taken = place[usize::from(to)] & 63;
                count[1 - me] -= 1;
                let last = list[1 - me][count[1 - me] & 63];
                list[1 - me][usize::from(taken)] = last;
                place[usize::from(last & 63)] = taken;
            }
            place[usize::from(to & 63)] = index as u8;
            if rules.far[me] & bit != 0 || count[1 - me] == 0 {
                return Ok(Playout { outcome: Outcome::win(Player::new(me)), plies });
            }
            me = 1 - me;
        }
        Ok(Playout { outcome: Outcome::DRAW, plies: limit })
    }

    fn sign(&self, file: usize, rank: usize) -> char {
        let square = rank * 8 + file;
        (0..2).find(|&p| self.pieces[p] >> square & 1 != 0).map_or('.', |p| SIGNS[p])
    }
}

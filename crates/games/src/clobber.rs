//! Clobber on boards of up to 8x8.
//!
//! ```text
//! bit = rank * 8 + file:      56 57 … 63   rank 8
//!                              …
//!                              0  1 …  7   rank 1
//! ```
//!
//! Two neighbouring stones of different colours are one move for either player: whoever is to move takes the other's
//! stone with its own. So the moves are the pairs, and both players always have equally many.

use plyproof_core::spec::{Described, Description, Kind, Params};
use plyproof_core::{Features, Game, Outcome, Player, Playout, Rng, TextError, mix64};

use crate::board::{Grid, Interned, SECOND_KEY, Step, bits, select_bit, split_side_only, stone_sign, with_side};

/// Name, parameters and rules of Clobber.
pub static CLOBBER: Description = Description::new(|| {
    let rules = "A stone steps along a file or rank onto an enemy stone and removes it; who cannot move loses.";
    Described::new("clobber", "Clobber", rules)
        .parameter("size", "6x5", Kind::Board { least: (1, 1), most: (8, 8) }, "files x ranks")
        .into()
});

/// A position of Clobber.
#[derive(Clone, Debug)]
pub struct Clobber {
    rules: &'static Rules,
    stones: [u64; 2],
    mover: Player,
    outcome: Option<Outcome>,
}

#[derive(Debug)]
struct Rules {
    grid: Grid,
    start: [u64; 2],
}

static RULES: Interned<(usize, usize), Rules> = Interned::new();

impl Rules {
    fn new(&(width, height): &(usize, usize)) -> Self {
        let mut start = [0; 2];
        for rank in 0..height {
            for file in 0..width {
                start[(file + rank) % 2] |= 1 << (rank * 8 + file);
            }
        }
        Self { grid: Grid::new(width, height), start }
    }
}

/// The left squares of level pairs, and the lower squares of upright ones.
#[inline(always)]
fn pairs(own: u64, others: u64) -> (u64, u64) {
    let level = (own & others >> 1 | others & own >> 1) & 0x7f7f_7f7f_7f7f_7f7f;
    (level, own & others >> 8 | others & own >> 8)
}

/// A uniformly random pair as its two squares, the left or lower one first; there must be one.
#[inline(always)]
fn random_pair((level, upright): (u64, u64), rng: &mut Rng) -> (usize, usize) {
    let count = level.count_ones() as usize;
    let n = rng.below(count + upright.count_ones() as usize);
    let (places, n, reach) = if n < count { (level, n, 1) } else { (upright, n - count, 8) };
    let square = select_bit(places, n);
    (square, square + reach)
}

impl Clobber {
    /// The start position of [`CLOBBER`] with these parameters.
    pub fn start(params: &Params) -> Self {
        let rules = RULES.fetch(params.board("size"), Rules::new);
        Self::new(rules, rules.start, Player::FIRST)
    }

    fn new(rules: &'static Rules, stones: [u64; 2], mover: Player) -> Self {
        let outcome = (pairs(stones[0], stones[1]) == (0, 0)).then(|| Outcome::win(mover.other()));
        Self { rules, stones, mover, outcome }
    }

    /// The mover's step within a pair.
    fn step(&self, (a, b): (usize, usize)) -> Step {
        if self.stones[self.mover.index()] >> a & 1 != 0 { Step::new(a, b) } else { Step::new(b, a) }
    }
}

impl Game for Clobber {
    type Move = Step;

    fn to_move(&self) -> Player {
        self.mover
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn moves(&self, into: &mut Vec<Step>) {
        let (level, upright) = pairs(self.stones[0], self.stones[1]);
        into.extend(bits(level).map(|square| self.step((square, square + 1))));
        into.extend(bits(upright).map(|square| self.step((square, square + 8))));
    }

    fn play(&mut self, m: Step) {
        let mut stones = self.stones;
        stones[self.mover.index()] ^= 1 << m.from | 1 << m.to;
        stones[self.mover.other().index()] ^= 1 << m.to;
        *self = Self::new(self.rules, stones, self.mover.other());
    }

    fn key(&self) -> u64 {
        mix64(self.stones[0] ^ mix64(self.stones[1])) ^ if self.mover == Player::SECOND { SECOND_KEY } else { 0 }
    }

    const CANONICAL_KEYS: bool = true;

    fn canonical_key(&self) -> u64 {
        let [first, second] = self.rules.grid.canonical(self.stones, true);
        mix64(first ^ mix64(second)) ^ if self.mover == Player::SECOND { SECOND_KEY } else { 0 }
    }

    /// A move changes the pairs of two neighbouring squares, of which there are seven, so that nothing can end where there
    /// are more.
    fn moves_and_ends(&self, moves: &mut Vec<Step>, ends: &mut Vec<(usize, Outcome)>) {
        let before = moves.len();
        self.moves(moves);
        if moves.len() - before > 7 {
            return;
        }
        let [own, others] = [self.mover, self.mover.other()].map(|player| self.stones[player.index()]);
        for (index, m) in moves[before..].iter().enumerate() {
            let both = 1 << m.from | 1 << m.to;
            if pairs(own ^ both, others & !both) == (0, 0) {
                ends.push((index, Outcome::win(self.mover)));
            }
        }
    }

    /// Whoever has few moves left runs out of them.
    fn outlook(&self) -> i32 {
        let (level, upright) = pairs(self.stones[0], self.stones[1]);
        (level.count_ones() + upright.count_ones()) as i32
    }

    fn random_move(&self, rng: &mut Rng) -> Step {
        self.step(random_pair(pairs(self.stones[0], self.stones[1]), rng))
    }

    fn playout(&mut self, rng: &mut Rng, limit: u32) -> Playout {
        let mut player = self.mover;
        let mut own = self.stones[player.index()];
        let mut others = self.stones[player.other().index()];
        for plies in 0..=limit {
            let pairs = pairs(own, others);
            if pairs == (0, 0) {
                return Playout { outcome: Outcome::win(player.other()), plies };
            }
            let (a, b) = random_pair(pairs, rng);
            let both = 1 << a | 1 << b;
            // The own stone changes its square within the pair; the other one goes.
            own ^= both;
            others &= !both;
            std::mem::swap(&mut own, &mut others);
            player = player.other();
        }
        Playout { outcome: Outcome::DRAW, plies: limit }
    }

    fn position_text(&self) -> String {
        with_side(&self.rules.grid.text(|file, rank| stone_sign(self.stones, rank * 8 + file)), self.mover, 0)
    }

    fn parse_position(&self, text: &str) -> Result<Self, TextError> {
        let (board, mover) = split_side_only(text)?;
        let mut stones = [0u64; 2];
        self.rules.grid.parse_stones(board, |player, file, rank| stones[player] |= 1 << (rank * 8 + file))?;
        Ok(Self::new(self.rules, stones, mover))
    }

    fn move_text(&self, m: Step) -> String {
        let name = |square: u8| self.rules.grid.square_text(usize::from(square % 8), usize::from(square / 8));
        name(m.from) + &name(m.to)
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
        let stones = self.stones.map(|set| self.rules.grid.map_set(index, set));
        Self::new(self.rules, stones, self.mover)
    }

    fn symmetric_move(&self, index: usize, m: Step) -> Step {
        self.rules.grid.map_step(index, m, 8)
    }

    fn feature_count(&self) -> usize {
        256
    }

    /// Own and enemy stones, and the level and upright pairs of both.
    fn features(&self, into: &mut Features) {
        into.reset(256);
        let [own, others] = [self.mover, self.mover.other()].map(|player| self.stones[player.index()]);
        let (level, upright) = pairs(own, others);
        for (first, set) in [(0, own), (64, others), (128, level), (192, upright)] {
            into.insert_bits(first, set);
        }
    }

    fn board(&self) -> String {
        self.rules.grid.draw(|file, rank| stone_sign(self.stones, rank * 8 + file))
    }
}

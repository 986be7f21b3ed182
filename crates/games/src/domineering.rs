//! Domineering: dominoes on boards of up to 8x8.
//!
//! ```text
//! bit = rank * 8 + file:      56 57 … 63   rank 8
//!                              …
//!                              0  1 …  7   rank 1
//! ```

use plyproof_core::spec::{Described, Description, Kind, Params};
use plyproof_core::{Features, Game, Knowledge, Outcome, Player, Playout, Rng, TextError, Wdl, mix64};

use crate::board::{Grid, Interned, SECOND_KEY, Step, bits, select_bit, split_side_only, transposed, with_side};

mod moves_left;

/// Name, parameters and rules of Domineering.
pub static DOMINEERING: Description = Description::new(|| {
    let rules = "The first player places upright dominoes, the second level ones; who cannot move loses.";
    Described::new("domineering", "Domineering", rules)
        .parameter("size", "8", Kind::Board { least: (1, 1), most: (8, 8) }, "files x ranks")
        .into()
});

/// A position of Domineering. Who placed which domino does not matter any more, so only taken squares are kept.
#[derive(Clone, Debug)]
pub struct Domineering {
    rules: &'static Rules,
    free: u64,
    mover: Player,
    outcome: Option<Outcome>,
}

#[derive(Debug)]
struct Rules {
    grid: Grid,
    board: u64,
}

static RULES: Interned<(usize, usize), Rules> = Interned::new();

/// From the lower or left square of a domino to the other one.
const REACH: [usize; 2] = [8, 1];

/// The lower or left squares of all dominoes that `player` can place on `free`.
#[inline(always)]
fn places(free: u64, player: Player) -> u64 {
    if player == Player::FIRST { free & free >> 8 } else { free & free >> 1 & 0x7f7f_7f7f_7f7f_7f7f }
}

impl Domineering {
    /// The start position of [`DOMINEERING`] with these parameters.
    pub fn start(params: &Params) -> Self {
        let rules = RULES.fetch(params.board("size"), |&(width, height)| Rules {
            grid: Grid::new(width, height),
            board: (0..height).fold(0, |board, rank| board | ((1 << width) - 1) << (rank * 8)),
        });
        Self::new(rules, rules.board, Player::FIRST)
    }

    fn new(rules: &'static Rules, free: u64, mover: Player) -> Self {
        let outcome = (places(free, mover) == 0).then(|| Outcome::win(mover.other()));
        Self { rules, free, mover, outcome }
    }

    fn sign(&self, file: usize, rank: usize) -> char {
        if self.free >> (rank * 8 + file) & 1 != 0 { '.' } else { '#' }
    }
}

impl Game for Domineering {
    /// The two squares of the domino, the lower or left one first.
    type Move = Step;

    fn to_move(&self) -> Player {
        self.mover
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn moves(&self, into: &mut Vec<Step>) {
        let reach = REACH[self.mover.index()];
        into.extend(bits(places(self.free, self.mover)).map(|square| Step::new(square, square + reach)));
    }

    fn play(&mut self, m: Step) {
        *self = Self::new(self.rules, self.free & !(1 << m.from | 1 << m.to), self.mover.other());
    }

    fn key(&self) -> u64 {
        mix64(self.free) ^ if self.mover == Player::SECOND { SECOND_KEY } else { 0 }
    }

    const CANONICAL_KEYS: bool = true;

    fn canonical_key(&self) -> u64 {
        let [free] = self.rules.grid.canonical([self.free], false);
        mix64(free) ^ if self.mover == Player::SECOND { SECOND_KEY } else { 0 }
    }

    /// A domino takes up to four places from the other player, so that nothing can end where there are more.
    fn moves_and_ends(&self, moves: &mut Vec<Step>, ends: &mut Vec<(usize, Outcome)>) {
        let before = moves.len();
        self.moves(moves);
        if places(self.free, self.mover.other()).count_ones() > 4 {
            return;
        }
        for (index, m) in moves[before..].iter().enumerate() {
            if places(self.free & !(1 << m.from | 1 << m.to), self.mover.other()) == 0 {
                ends.push((index, Outcome::win(self.mover)));
            }
        }
    }

    /// Places of the mover without those of the opponent.
    fn outlook(&self) -> i32 {
        let count = |player| places(self.free, player).count_ones() as i32;
        count(self.mover) - count(self.mover.other())
    }

    const STATIC_KNOWLEDGE: bool = true;

    /// Whoever is sure of more moves than the opponent can make wins.
    fn static_knowledge(&self, _holding: &mut Vec<Step>) -> Knowledge {
        let [upright, level] = [self.free, transposed(self.free)];
        let (own, other) = if self.mover == Player::FIRST { (upright, level) } else { (level, upright) };
        if moves_left::sure_lead(own, true) > 0 {
            Knowledge::exactly(Wdl::Win)
        } else if moves_left::sure_lead(other, false) >= 0 {
            Knowledge::exactly(Wdl::Loss)
        } else {
            Knowledge::NONE
        }
    }

    fn random_move(&self, rng: &mut Rng) -> Step {
        let places = places(self.free, self.mover);
        let square = select_bit(places, rng.below(places.count_ones() as usize));
        Step::new(square, square + REACH[self.mover.index()])
    }

    fn playout(&mut self, rng: &mut Rng, limit: u32) -> Playout {
        let (mut free, mut player) = (self.free, self.mover);
        for plies in 0..=limit {
            let places = places(free, player);
            if places == 0 {
                return Playout { outcome: Outcome::win(player.other()), plies };
            }
            let square = select_bit(places, rng.below(places.count_ones() as usize));
            free &= !((1 | 1 << REACH[player.index()]) << square);
            player = player.other();
        }
        Playout { outcome: Outcome::DRAW, plies: limit }
    }

    fn position_text(&self) -> String {
        with_side(&self.rules.grid.text(|file, rank| self.sign(file, rank)), self.mover, 0)
    }

    /// Reads `x` and `o` as taken squares too.
    fn parse_position(&self, text: &str) -> Result<Self, TextError> {
        let (board, mover) = split_side_only(text)?;
        let mut free = self.rules.board;
        self.rules.grid.parse(board, "#", |file, rank, sign| {
            free &= !(1 << (rank * 8 + file));
            matches!(sign, '#' | 'x' | 'o')
        })?;
        Ok(Self::new(self.rules, free, mover))
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

    /// The two mirror images and the half turn; exchanging files and ranks would exchange the players.
    fn symmetries(&self) -> usize {
        4
    }

    fn symmetric(&self, index: usize) -> Self {
        Self::new(self.rules, self.rules.grid.map_set(index, self.free), self.mover)
    }

    fn symmetric_move(&self, index: usize, m: Step) -> Step {
        let image = self.rules.grid.map_step(index, m, 8);
        Step { from: image.from.min(image.to), to: image.from.max(image.to) }
    }

    fn feature_count(&self) -> usize {
        192
    }

    /// Free squares and the places for dominoes, seen so that the mover's stand upright.
    fn features(&self, into: &mut Features) {
        into.reset(192);
        let free = if self.mover == Player::FIRST { self.free } else { transposed(self.free) };
        into.insert_bits(0, free);
        into.insert_bits(64, places(free, Player::FIRST));
        into.insert_bits(128, places(free, Player::SECOND));
    }

    fn board(&self) -> String {
        self.rules.grid.draw(|file, rank| self.sign(file, rank))
    }
}

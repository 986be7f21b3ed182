//! Lines of Action.

mod boards;
mod decisive;
mod rules;

use plyproof_core::spec::{Described, Description, Kind, Params};
use plyproof_core::{
    DecisivePlayouts, Defence, Features, Game, Outcome, Player, Playout, Rng, TextError, legal_move, mix64,
};

use decisive::Decisive;
use rules::{PADDED, SQUARES, squares};

pub use boards::Boards;
pub use rules::{Rules, Word};

use crate::board::{PASSES_KEY, SECOND_KEY, SIGNS, Step, split_side, with_side, zobrist};

/// Name, parameters and rules.
pub static LOA: Description = Description::new(|| {
    let rules = "Lines of Action: move a stone as far as there are stones on its line; bring all your stones together.";
    Described::new("loa", "Lines of Action", rules)
        .parameter("size", "8", Kind::Whole(3, 9), "files and ranks")
        .parameter("both", "draw", Kind::choice(&["draw", "mover"]), "result when a move connects both sides")
        .into()
});

/// Calls `$then` with the processor features that the best code is compiled for and asks for: the one list of them.
macro_rules! with_features {
    ($then:ident!($($arguments:tt)*)) => {
        $then!(["popcnt", "bmi1", "bmi2", "lzcnt"] $($arguments)*)
    };
}

/// Calls a method of a game, always inlined, in the best code for this processor: that with a population count, which
/// every count of stones on a line needs, if it has one.
macro_rules! in_best_code {
    ([$($feature:tt),*] $self:ident: $game:ty, $method:ident$(::<$flag:ident>)?($($name:ident: $type:ty),*)$( -> $answer:ty)?) => {{
        #[cfg(target_arch = "x86_64")]
        $(#[target_feature(enable = $feature)])*
        fn counted<B: Word$(, const $flag: bool)?>(game: $game, $($name: $type),*)$( -> $answer)? {
            game.$method$(::<$flag>)?($($name),*)
        }
        match () {
            // SAFETY: the processor has every feature that the function is compiled for.
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            () if true $(&& std::arch::is_x86_feature_detected!($feature))* => unsafe {
                counted::<B$(, $flag)?>($self, $($name),*)
            },
            () => $self.$method$(::<$flag>)?($($name),*),
        }
    }};
    ($($call:tt)*) => { with_features!(in_best_code!($($call)*)) };
}

/// A position of Lines of Action.
#[derive(Clone, Debug)]
pub struct Loa<B: Word = u64> {
    rules: &'static Rules<B>,
    stones: [B; 2],
    key: u64,
    outcome: Option<Outcome>,
    mover: Player,
    passes: u8,
}

static KEYS: [[u64; SQUARES]; 2] = [zobrist(0x10a1), zobrist(0x10a2)];

impl<B: Word> Loa<B> {
    /// The start position. Sizes up to 8 need `Loa<u64>`, size 9 `Loa<u128>`.
    pub fn start(params: &Params) -> Self {
        let size = params.whole("size") as usize;
        assert!(size <= B::STRIDE, "the board does not fit the word");
        let rules = B::tables().fetch((size, params.text("both") == "mover"), Rules::new);
        Self::new(rules, rules.start, Player::FIRST, 0)
    }

    fn new(rules: &'static Rules<B>, stones: [B; 2], mover: Player, passes: u8) -> Self {
        let mut key = PASSES_KEY[usize::from(passes)] ^ if mover == Player::SECOND { SECOND_KEY } else { 0 };
        for (player, &set) in stones.iter().enumerate() {
            key ^= squares(set).fold(0, |sum, square| sum ^ KEYS[player][square]);
        }
        let [last, next] = [mover.other(), mover].map(|p| rules.connected(stones[p.index()]));
        let outcome = rules.result(mover.other(), last, next).or((passes == 2).then_some(Outcome::DRAW));
        Self { rules, stones, key, outcome, mover, passes }
    }

    /// The stones of the mover and of the opponent.
    #[inline(always)]
    fn own_and_enemy(&self) -> [B; 2] {
        [self.mover, self.mover.other()].map(|player| self.stones[player.index()])
    }

    /// Every move but a pass.
    #[inline(always)]
    fn steps(&self) -> impl Iterator<Item = Step> {
        let [own, enemy] = self.own_and_enemy();
        squares(own).flat_map(move |from| self.rules.targets(own, enemy, from).map(move |to| Step::new(from, to)))
    }

    #[cold]
    fn listed_move(&self, rng: &mut Rng) -> Step {
        let wanted = rng.below(self.steps().count());
        self.steps().nth(wanted).unwrap_or(Step::PASS)
    }

    #[inline(always)]
    fn moves_here(&self, into: &mut Vec<Step>) {
        let before = into.len();
        let [own, enemy] = self.own_and_enemy();
        for from in squares(own) {
            for to in self.rules.targets(own, enemy, from) {
                into.push(Step::new(from, to));
            }
        }
        if into.len() == before {
            into.push(Step::PASS);
        }
    }

    #[inline(always)]
    fn moves_and_ends_here(&self, moves: &mut Vec<Step>, ends: &mut Vec<(usize, Outcome)>) {
        let before = moves.len();
        let [own, enemy] = self.own_and_enemy();
        let joining = self.rules.landings(own).map_or(B::ZERO, |landings| landings.any());
        for from in squares(own) {
            for to in self.rules.targets(own, enemy, from) {
                let landing = B::ONE << to;
                let connected = joining & landing != B::ZERO && self.rules.connected(own ^ (B::ONE << from) ^ landing);
                let captures = enemy & landing != B::ZERO;
                let other_connected = captures && self.rules.connected(enemy ^ landing);
                if let Some(outcome) = self.rules.result(self.mover, connected, other_connected) {
                    ends.push((moves.len() - before, outcome));
                }
                moves.push(Step::new(from, to));
            }
        }
        if moves.len() == before {
            moves.push(Step::PASS);
            if self.passes == 1 {
                ends.push((0, Outcome::DRAW));
            }
        }
    }

    fn sign(&self, file: usize, rank: usize) -> char {
        let bit = B::ONE << (rank * B::STRIDE + file);
        (0..2).find(|&p| self.stones[p] & bit != B::ZERO).map_or('.', |p| SIGNS[p])
    }

    fn square_text(&self, square: u8) -> String {
        let square = usize::from(square);
        self.rules.grid.square_text(square % B::STRIDE, square / B::STRIDE)
    }

    fn is_capture(&self, m: Step) -> bool {
        self.stones[self.mover.other().index()] & (B::ONE << usize::from(m.to)) != B::ZERO
    }

    /// The play-out itself, compiled once plainly and once for processors with a population count.
    ///
    /// A move is one pair of a stone and a way, so drawing pairs until one is legal is uniform. Two pairs are looked at
    /// together without branches: one is legal in most rounds, and the processor guesses wrong less often.
    ///
    /// `Err` with the moves made when no legal pair was drawn for long: perhaps there is no move but a pass.
    #[inline(always)]
    fn playout_here<const DECISIVE: bool>(&mut self, rng: &mut Rng, limit: u32) -> Result<Playout, u32> {
        if let Some(outcome) = self.outcome {
            return Ok(Playout { outcome, plies: 0 });
        }
        let rules = self.rules;
        let mut stones = self.stones;
        let mut lists = [[0u8; PADDED]; 2];
        let mut places = [0u8; PADDED];
        let mut counts = [0usize; 2];
        for player in 0..2 {
            for square in squares(stones[player]) {
                lists[player][counts[player]] = square as u8;
                places[square] = counts[player] as u8;
                counts[player] += 1;
            }
        }
        // They depend on the player's own stones alone, and are found anew when those change.
        let mut landings = if DECISIVE { stones.map(|set| rules.landings(set)) } else { [None; 2] };
        let mut me = self.mover.index();
        let mut passes = self.passes;
        let mut misses = 0;
        let mut plies = 0;
        while plies < limit {
            let you = 1 - me;
            let (own, enemy) = (stones[me], stones[you]);
            let mut chosen = (0, 0, 0, false);
            if DECISIVE {
                match rules.decisive([own, enemy], [landings[me], landings[you]], Player::new(me), rng) {
                    Decisive::Nothing => {}
                    Decisive::Win => return Ok(Playout { outcome: Outcome::win(Player::new(me)), plies: plies + 1 }),
                    Decisive::Loss => {
                        let plies = (plies + 2).min(limit);
                        return Ok(Playout { outcome: Outcome::win(Player::new(you)), plies });
                    }
                    Decisive::Step(step) => {
                        let (from, to) = (usize::from(step.from), usize::from(step.to));
                        chosen = (usize::from(places[from % PADDED]) % PADDED, from, to, true);
                    }
                }
            }
            if !DECISIVE || !chosen.3 {
                let pairs = counts[me] as u64 * 8;
                let one = rng.next_u64();
                for word in [one >> 32, one & 0xffff_ffff] {
                    let pair = ((word * pairs) >> 32) as usize;
                    let index = pair / 8 % PADDED;
                    let from = usize::from(lists[me][index]);
                    let (to, legal) = rules.target(own, enemy, from, pair % 8);
                    chosen = if legal { (index, from, to, true) } else { chosen };
                }
            }
            let (index, from, to, found) = chosen;
            if !found {
                misses += 1;
                if misses < ROUNDS {
                    continue;
                }
                *self = Self { rules, stones, key: 0, outcome: None, mover: Player::new(me), passes };
                return Err(plies);
            }
            misses = 0;
            passes = 0;
            plies += 1;
            let landing = B::ONE << to;
            let own = own ^ (B::ONE << from) ^ landing;
            stones[me] = own;
            lists[me][index] = to as u8;
            let mut other_connected = false;
            if enemy & landing != B::ZERO {
                let left = enemy ^ landing;
                stones[you] = left;
                let taken = usize::from(places[to]) % PADDED;
                counts[you] -= 1;
                let last = lists[you][counts[you] % PADDED];
                lists[you][taken] = last;
                places[usize::from(last) % PADDED] = taken as u8;
                other_connected = rules.connected(left);
                if DECISIVE {
                    landings[you] = rules.landings(left);
                }
            }
            if DECISIVE {
                landings[me] = rules.landings(own);
            }
            places[to] = index as u8;
            let connected = rules.connected(own);
            if connected | other_connected
                && let Some(outcome) = rules.result(Player::new(me), connected, other_connected)
            {
                return Ok(Playout { outcome, plies });
            }
            me = you;
        }
        Ok(Playout { outcome: Outcome::DRAW, plies: limit })
    }

    #[inline(always)]
    fn playout_in_parts<const DECISIVE: bool>(&mut self, rng: &mut Rng, limit: u32) -> Playout {
        let mut before = 0;
        loop {
            let left = limit - before;
            let played = in_best_code!(
                self: &mut Loa<B>,
                playout_here::<DECISIVE>(rng: &mut Rng, left: u32) -> Result<Playout, u32>
            );
            match played {
                Ok(playout) => return Playout { plies: before + playout.plies, ..playout },
                Err(plies) => {
                    self.play(self.listed_move(rng));
                    before += plies + 1;
                }
            }
        }
    }
}

/// Rounds of two draws before listing the moves.
const ROUNDS: usize = 32;

impl<B: Word> Game for Loa<B> {
    type Move = Step;

    const DECISIVE_PLAYOUTS: DecisivePlayouts = DecisivePlayouts::WinsAndDefences;

    fn to_move(&self) -> Player {
        self.mover
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn moves(&self, into: &mut Vec<Step>) {
        if self.outcome.is_none() {
            in_best_code!(self: &Loa<B>, moves_here(into: &mut Vec<Step>));
        }
    }

    fn moves_and_ends(&self, moves: &mut Vec<Step>, ends: &mut Vec<(usize, Outcome)>) {
        if self.outcome.is_none() {
            in_best_code!(self: &Loa<B>, moves_and_ends_here(moves: &mut Vec<Step>, ends: &mut Vec<(usize, Outcome)>));
        }
    }

    fn play(&mut self, m: Step) {
        let (me, you) = (self.mover.index(), self.mover.other().index());
        let moved = self.mover;
        self.mover = self.mover.other();
        self.key ^= SECOND_KEY ^ PASSES_KEY[usize::from(self.passes)];
        if m == Step::PASS {
            self.passes += 1;
            self.key ^= PASSES_KEY[usize::from(self.passes)];
            self.outcome = (self.passes == 2).then_some(Outcome::DRAW);
            return;
        }
        self.passes = 0;
        let (from, to) = (usize::from(m.from), usize::from(m.to));
        let landing = B::ONE << to;
        self.stones[me] = self.stones[me] ^ (B::ONE << from) ^ landing;
        self.key ^= KEYS[me][from] ^ KEYS[me][to];
        let mut other_connected = false;
        if self.stones[you] & landing != B::ZERO {
            self.stones[you] = self.stones[you] ^ landing;
            self.key ^= KEYS[you][to];
            other_connected = self.rules.connected(self.stones[you]);
        }
        self.outcome = self.rules.result(moved, self.rules.connected(self.stones[me]), other_connected);
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn random_move(&self, rng: &mut Rng) -> Step {
        let [own, enemy] = self.own_and_enemy();
        let count = own.count();
        for _ in 0..2 * ROUNDS {
            let pair = rng.below(count * 8);
            let mut set = own;
            for _ in 0..pair / 8 {
                set = set.without_first();
            }
            let from = set.first();
            let (to, legal) = self.rules.target(own, enemy, from, pair % 8);
            if legal {
                return Step::new(from, to);
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

    fn defences(&self, into: &mut Vec<Step>) -> Defence {
        in_best_code!(self: &Loa<B>, moves_that_hold(into: &mut Vec<Step>) -> Defence)
    }

    fn position_text(&self) -> String {
        with_side(&self.rules.grid.text(|file, rank| self.sign(file, rank)), self.mover, self.passes)
    }

    fn parse_position(&self, text: &str) -> Result<Self, TextError> {
        let (board, mover, passes) = split_side(text)?;
        let mut stones = [B::ZERO; 2];
        self.rules.grid.parse(board, "x o", |file, rank, sign| {
            let player = SIGNS.iter().position(|&s| s == sign);
            player.is_some_and(|player| {
                stones[player] = stones[player] | (B::ONE << (rank * B::STRIDE + file));
                true
            })
        })?;
        if stones.contains(&B::ZERO) {
            return Err(TextError::expected(text, "possible: each side has at least one stone"));
        }
        Ok(Self::new(self.rules, stones, mover, passes))
    }

    fn move_text(&self, m: Step) -> String {
        if m == Step::PASS { "pass".to_string() } else { self.square_text(m.from) + &self.square_text(m.to) }
    }

    /// Also reads `b8-d6` and `c1xa3`.
    fn parse_move(&self, text: &str) -> Result<Step, TextError> {
        let plain = text.replacen(['-', 'x'], "", 1);
        legal_move(self, &plain).or_else(|_| legal_move(self, text))
    }

    fn symmetries(&self) -> usize {
        self.rules.grid.symmetries()
    }

    fn symmetric(&self, index: usize) -> Self {
        Self::new(self.rules, self.stones.map(|set| self.rules.image(index, set)), self.mover, self.passes)
    }

    const CANONICAL_KEYS: bool = B::QUICK_IMAGES;

    fn canonical_key(&self) -> u64 {
        let [first, second] = B::canonical(self.rules, self.stones).map(|set| {
            let words: u128 = set.into();
            words as u64 ^ mix64((words >> 64) as u64)
        });
        let side = if self.mover == Player::SECOND { SECOND_KEY } else { 0 };
        mix64(first ^ mix64(second)) ^ side ^ PASSES_KEY[usize::from(self.passes)]
    }

    fn symmetric_move(&self, index: usize, m: Step) -> Step {
        self.rules.grid.map_step(index, m, B::STRIDE)
    }

    fn feature_count(&self) -> usize {
        4 * 64
    }

    /// Own and enemy stones.
    fn features(&self, into: &mut Features) {
        into.reset(4 * 64);
        for (first, stones) in [0, 128].into_iter().zip(self.own_and_enemy()) {
            let set: u128 = stones.into();
            into.insert_bits(first, set as u64);
            into.insert_bits(first + 64, (set >> 64) as u64);
        }
    }

    fn is_quiet(&self, m: Step) -> bool {
        m == Step::PASS || !self.is_capture(m)
    }

    fn passed(&self) -> Option<Self> {
        let (mover, key) = (self.mover.other(), self.key ^ SECOND_KEY);
        (self.passes == 0).then_some(Self { mover, key, ..*self })
    }

    fn board(&self) -> String {
        self.rules.grid.draw(|file, rank| self.sign(file, rank))
    }

    fn notations(&self) -> Vec<String> {
        vec!["openspiel".to_string()]
    }

    fn move_text_in(&self, notation: &str, m: Step) -> Option<String> {
        (notation == "openspiel").then(|| {
            if m == Step::PASS {
                return "pass".to_string();
            }
            let sign = if self.is_capture(m) { 'x' } else { '-' };
            format!("{}{sign}{}", self.square_text(m.from), self.square_text(m.to))
        })
    }
}

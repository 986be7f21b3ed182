//! The order in which moves are tried, and what it is learned from.

use std::hash::{Hash, Hasher};

use crate::game::{Defence, Game};
use crate::outcome::{Outcome, Player};
use crate::rng::Rng;
use crate::search::budget::{Meter, Stopped, Tick};

/// By what moves are put in order. What comes first decides: killers, then outlook or replies, then history or chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Order {
    /// Moves that decided positions of the same depth come first.
    pub killers: bool,
    pub looks: Looks,
    pub learns: Learns,
}

/// How the position after a move is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Looks {
    /// Not at all.
    None,
    /// How it looks for the player who made the move, as the game says.
    Outlook,
    /// How few replies there are; those to a threat count alone.
    Replies,
}

/// What is learned about a move from other positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Learns {
    /// How often it decided a position that was searched.
    History,
    /// How often its player won random games with it.
    Chance,
}

impl Order {
    /// Every order with its name; the first two are those to begin with, where the game has no outlook and where it has.
    pub(crate) const ALL: [(&'static str, Self); 6] = [
        ("replies-chance", Self::new(false, Looks::Replies, Learns::Chance)),
        ("outlook-chance", Self::new(false, Looks::Outlook, Learns::Chance)),
        ("replies-history", Self::new(false, Looks::Replies, Learns::History)),
        ("outlook-history", Self::new(false, Looks::Outlook, Learns::History)),
        ("killers-history", Self::new(true, Looks::None, Learns::History)),
        ("history", Self::new(false, Looks::None, Learns::History)),
    ];

    const fn new(killers: bool, looks: Looks, learns: Learns) -> Self {
        Self { killers, looks, learns }
    }
}

/// Places of the history for each player; a move's place is a hash of it.
const PLACES: usize = 1 << 12;
/// Moves after which a random game is given up.
const LONGEST: usize = 400;
/// No score of the history is larger.
const LARGEST: f32 = 1e6;
const HALF_LIFE: f32 = 1e6;

/// A quick hash: moves are small and few.
#[derive(Default)]
struct MoveHasher(u64);

impl MoveHasher {
    #[inline(always)]
    fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
}

impl Hasher for MoveHasher {
    #[inline(always)]
    fn finish(&self) -> u64 {
        self.0
    }
    #[inline(always)]
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.add(byte.into()));
    }
    #[inline(always)]
    fn write_u8(&mut self, word: u8) {
        self.add(word.into());
    }
    #[inline(always)]
    fn write_u16(&mut self, word: u16) {
        self.add(word.into());
    }
    #[inline(always)]
    fn write_u32(&mut self, word: u32) {
        self.add(word.into());
    }
    #[inline(always)]
    fn write_u64(&mut self, word: u64) {
        self.add(word);
    }
}

/// Which moves decided positions so far.
#[derive(Clone)]
pub(super) struct Learned {
    pub(super) history: Vec<Rate>,
    /// From random games.
    pub(super) chances: Vec<i32>,
    /// Two for each depth, as places of the history, the last one first.
    pub(super) killers: Vec<[u16; 2]>,
}

/// How often a move decided, among the times that it was tried; each time weighs as much as the root of the work.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rate {
    pub decided: f32,
    pub tried: f32,
}

impl Default for Rate {
    fn default() -> Self {
        Self { decided: 0.5, tried: 1.0 }
    }
}

impl Rate {
    #[inline(always)]
    fn add(&mut self, weight: f32, decided: bool) {
        self.tried += weight;
        self.decided += if decided { weight } else { 0.0 };
        // What was learned long ago matters less.
        if self.tried > HALF_LIFE {
            (self.decided, self.tried) = (self.decided / 2.0, self.tried / 2.0);
        }
    }

    #[inline(always)]
    fn score(self) -> i32 {
        (self.decided / self.tried * LARGEST) as i32
    }
}

/// No move.
const NONE: u16 = u16::MAX;

impl Learned {
    /// Bytes of what it keeps, but for the killers.
    pub(super) const BYTES: usize = 2 * PLACES * (size_of::<Rate>() + size_of::<i32>());

    /// Nothing yet, and no room either: to be [emptied](Learned::forget) before the first use.
    pub(super) fn new() -> Self {
        Self { history: Vec::new(), chances: Vec::new(), killers: Vec::new() }
    }

    pub(super) fn forget(&mut self) {
        self.history.clear();
        self.history.resize(2 * PLACES, Rate::default());
        self.chances.clear();
        self.chances.resize(2 * PLACES, 0);
        self.killers.clear();
    }

    /// Lets what was learned so far matter less than what comes: for the next search of the same game.
    pub(super) fn fade(&mut self) {
        for rate in &mut self.history {
            (rate.decided, rate.tried) = (0.5 + (rate.decided - 0.5) / 16.0, 1.0 + (rate.tried - 1.0) / 16.0);
        }
        self.killers.clear();
    }

    /// The place of a move. Others may share it, which makes the order worse and nothing wrong.
    #[inline(always)]
    pub(super) fn place<M: Hash>(player: Player, m: M) -> u16 {
        let mut hasher = MoveHasher::default();
        m.hash(&mut hasher);
        ((hasher.finish() >> 52) as usize + PLACES * (player.index() % 2)) as u16
    }

    /// How soon to try a move: the larger the sooner.
    #[inline(always)]
    pub(super) fn score(&self, order: Order, depth: usize, place: u16, looks: i32) -> i64 {
        let mut score = i64::from(looks) << 24;
        match order.learns {
            Learns::History => score += i64::from(self.history[usize::from(place)].score()),
            Learns::Chance => score += i64::from(self.chances[usize::from(place)]),
        }
        if order.killers
            && let Some(&[first, second]) = self.killers.get(depth)
        {
            score += i64::from(first == place) << 58 | i64::from(second == place) << 57;
        }
        score
    }

    /// The move at `place` decided a position that cost `work`, after those `before` it had been tried in vain.
    #[inline(always)]
    pub(super) fn decided(&mut self, depth: usize, place: u16, before: impl Iterator<Item = u16>, work: u64) {
        let weight = (work as f32).sqrt();
        self.history[usize::from(place)].add(weight, true);
        before.for_each(|place| self.history[usize::from(place)].add(weight, false));
        if self.killers.len() <= depth {
            // Killers far down are of no use: the path may be thousands of moves long.
            if depth >= 256 {
                return;
            }
            self.killers.resize(depth + 1, [NONE; 2]);
        }
        let killers = &mut self.killers[depth];
        if killers[0] != place {
            *killers = [place, killers[0]];
        }
    }

    /// Learns from random games, each of which counts as a position: moves of winners are good. Why it stopped early, if
    /// it did.
    pub(super) fn seed<G: Game>(&mut self, start: &G, games: u32, meter: &mut Meter<'_>) -> Option<Stopped> {
        let mut rng = Rng::new(1);
        let mut made = Vec::new();
        for _ in 0..games {
            if let Tick::Stop(why) = meter.tick() {
                return Some(why);
            }
            let mut state = start.clone();
            made.clear();
            while state.outcome().is_none() && made.len() < LONGEST {
                let m = state.random_move(&mut rng);
                made.push((state.to_move(), Self::place(state.to_move(), m)));
                state.play(m);
            }
            let Some(winner) = state.outcome().and_then(Outcome::winner) else { continue };
            for &(player, place) in &made {
                let by = if player == winner { 256 } else { -256 };
                self.chances[usize::from(place)] += by;
                self.history[usize::from(place)].add(1.0, player == winner);
            }
        }
        None
    }
}

/// How the position after a move looks for `mover`, who made it, by what the order asks for.
#[inline(always)]
pub(super) fn looks<G: Game>(order: Order, next: &G, mover: Player, moves: &mut Vec<G::Move>) -> i32 {
    let sign = if next.to_move() == mover { 1 } else { -1 };
    match order.looks {
        Looks::None => return 0,
        Looks::Outlook => return sign * next.outlook(),
        Looks::Replies => {}
    }
    moves.clear();
    let threats = if next.players() == 2 { next.saving_moves(moves) } else { Defence::NotNeeded };
    let replies = match threats {
        Defence::Hopeless => 0,
        Defence::Needed => moves.len(),
        Defence::NotNeeded => {
            moves.clear();
            next.moves(moves);
            moves.len()
        }
    };
    sign * replies as i32
}

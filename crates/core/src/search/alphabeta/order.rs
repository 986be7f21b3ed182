//! The order in which moves are tried, and what it is learned from.

use std::hash::{Hash, Hasher};

use crate::game::{Defence, Game};
use crate::outcome::Player;
use crate::rng::Rng;

/// By what moves are put in order. What comes first decides: killers, then one of outlook and replies, then history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Order {
    /// Moves that decided positions of the same depth come first.
    pub killers: bool,
    /// How the position after the move looks for the player who makes it, as the game says.
    pub outlook: bool,
    /// How few replies there are; those to a threat count alone.
    pub replies: bool,
    /// How often the move decided other positions.
    pub history: bool,
}

impl Order {
    /// Every order, by the name of it.
    pub(crate) const ALL: [(&'static str, Self); 9] = [
        ("history", Self::new(false, false, false, true)),
        ("outlook", Self::new(false, true, false, true)),
        ("replies", Self::new(false, false, true, true)),
        ("killers", Self::new(true, false, false, true)),
        ("killers-outlook", Self::new(true, true, false, true)),
        ("killers-replies", Self::new(true, false, true, true)),
        ("outlook-only", Self::new(false, true, false, false)),
        ("replies-only", Self::new(false, false, true, false)),
        ("listed", Self::new(false, false, false, false)),
    ];

    const fn new(killers: bool, outlook: bool, replies: bool, history: bool) -> Self {
        Self { killers, outlook, replies, history }
    }
}

/// Places of the history for each player; a move's place is a hash of it.
const PLACES: usize = 1 << 12;
/// No score of the history is larger.
const LARGEST: i32 = 1 << 20;

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
    history: Vec<i32>,
    /// Two for each depth, as places of the history, the last one first.
    killers: Vec<[u16; 2]>,
}

/// No move.
const NONE: u16 = u16::MAX;

impl Learned {
    /// Nothing yet, and no room either: to be [emptied](Learned::forget) before the first use.
    pub(super) fn new() -> Self {
        Self { history: Vec::new(), killers: Vec::new() }
    }

    pub(super) fn forget(&mut self) {
        self.history.clear();
        self.history.resize(2 * PLACES, 0);
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
        if order.history {
            score += i64::from(self.history[usize::from(place)]);
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
        let bonus = 1024 * (1 + work.ilog2() as i32);
        let add = |score: &mut i32, by: i32| *score += by - *score / (LARGEST / bonus);
        add(&mut self.history[usize::from(place)], bonus);
        before.for_each(|place| add(&mut self.history[usize::from(place)], -bonus));
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

    /// Starts from who won random games: moves of winners are good.
    pub(super) fn seed<G: Game>(&mut self, start: &G, games: u32, plies: u32) {
        let mut rng = Rng::new(1);
        let mut made = Vec::new();
        for _ in 0..games {
            let mut state = start.clone();
            made.clear();
            while state.outcome().is_none() && made.len() < plies as usize {
                let m = state.random_move(&mut rng);
                made.push((state.to_move(), Self::place(state.to_move(), m)));
                state.play(m);
            }
            let Some(winner) = state.outcome().and_then(crate::outcome::Outcome::winner) else { continue };
            for &(player, place) in &made {
                let score = &mut self.history[usize::from(place)];
                *score += if player == winner { 256 } else { -256 };
            }
        }
    }
}

/// How the position after a move looks for `mover`, who made it, by what the order asks for.
#[inline(always)]
pub(super) fn looks<G: Game>(order: Order, next: &G, mover: Player, moves: &mut Vec<G::Move>) -> i32 {
    let sign = if next.to_move() == mover { 1 } else { -1 };
    if order.outlook {
        return sign * next.outlook();
    }
    if !order.replies {
        return 0;
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

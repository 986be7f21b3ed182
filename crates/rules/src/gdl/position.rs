//! A position of a game from rules.

use std::cell::RefCell;
use std::sync::Arc;

use plyproof_core::{Game, Outcome, Player, Playout, Rng, TextError, legal_move, mix64};

use super::code::Code;
use super::info::Info;
use super::net::{Net, bits};

/// Rules at work, and what is needed to write positions and moves.
pub(super) struct Shared {
    pub code: Code,
    pub info: Info,
    /// Joint moves without a choice that are played in a row at most.
    pub forced: u64,
}

/// A position: the facts that are true.
///
/// ```text
/// state    a bit for each fact that matters
/// mover    the role that has a choice
/// waiting  the only move of the other role
/// ```
pub(super) struct Position {
    shared: Arc<Shared>,
    state: Box<[u64]>,
    key: u64,
    mover: Player,
    waiting: u32,
    outcome: Option<Outcome>,
}

impl Clone for Position {
    fn clone(&self) -> Self {
        Self { shared: self.shared.clone(), state: self.state.clone(), ..*self }
    }

    fn clone_from(&mut self, source: &Self) {
        if !Arc::ptr_eq(&self.shared, &source.shared) {
            self.shared = source.shared.clone();
        }
        self.state.clone_from(&source.state);
        (self.key, self.mover, self.waiting, self.outcome) = (source.key, source.mover, source.waiting, source.outcome);
    }
}

/// A move, by its number among those of the role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Move(u32);

/// What comes after a position whose net is worked out.
pub(super) enum Turn {
    /// A role chooses, and the other one has this move alone.
    Choice(Player, u32),
    /// Both have one move.
    Forced([u32; 2]),
    Over(Outcome),
    /// Both choose: no game for taking turns. A draw.
    Both,
    /// A role has no move, but the game is not over. A draw.
    Stuck,
}

impl Shared {
    pub fn turn(&self, net: &Net) -> Turn {
        if net.holds(self.code.terminal) {
            return Turn::Over(self.info.outcome([net.goal(&self.code, 0), net.goal(&self.code, 1)]));
        }
        match net.counts(&self.code) {
            [0, _] | [_, 0] => Turn::Stuck,
            [1, 1] => Turn::Forced([net.legal_move(&self.code, 0, 0), net.legal_move(&self.code, 1, 0)]),
            [_, 1] => Turn::Choice(Player::FIRST, net.legal_move(&self.code, 1, 0)),
            [1, _] => Turn::Choice(Player::SECOND, net.legal_move(&self.code, 0, 0)),
            _ => Turn::Both,
        }
    }

    /// Plays joint moves without a choice. `None` if they seem to have no end.
    pub fn settle(&self, net: &mut Net) -> Option<Turn> {
        for _ in 0..self.forced {
            match self.turn(net) {
                Turn::Forced(moves) => {
                    net.decide(&self.code, moves);
                    net.advance(&self.code);
                }
                turn => return Some(turn),
            }
        }
        None
    }

    /// Both moves, that of the mover and the only one of the other role.
    fn joint(mover: Player, m: u32, waiting: u32) -> [u32; 2] {
        if mover == Player::FIRST { [m, waiting] } else { [waiting, m] }
    }

    /// Lends the net that this thread used last for these rules, whatever position it shows.
    pub fn with_net<T>(self: &Arc<Self>, work: impl FnOnce(&mut Net) -> T) -> T {
        thread_local! {
            static NETS: RefCell<Vec<(Arc<Shared>, Box<Net>)>> = const { RefCell::new(Vec::new()) };
        }
        // More than two games at a time are rare, and a net can be large.
        const KEPT: usize = 2;
        let found = NETS.with_borrow_mut(|nets| {
            let place = nets.iter().rposition(|(shared, _)| Arc::ptr_eq(shared, self));
            place.map(|place| nets.remove(place))
        });
        let mut lent = found.unwrap_or_else(|| (self.clone(), Box::new(Net::new(&self.code))));
        let done = work(&mut lent.1);
        let dropped = NETS.with_borrow_mut(|nets| {
            nets.push(lent);
            (nets.len() > KEPT).then(|| nets.remove(0))
        });
        drop(dropped);
        done
    }
}

impl Position {
    /// The position with these facts, after joint moves without a choice.
    pub fn of(shared: &Arc<Shared>, state: &[u64]) -> Self {
        let mut position = Self {
            shared: shared.clone(),
            state: vec![0; state.len()].into(),
            key: 0x6764_6c20_6b65_7921,
            mover: Player::FIRST,
            waiting: 0,
            outcome: None,
        };
        shared.with_net(|net| {
            net.go_to(&shared.code, state);
            position.settle(net);
        });
        position
    }

    /// Takes over the position of the net after joint moves without a choice.
    fn settle(&mut self, net: &mut Net) {
        self.take(&net.state);
        let turn = self.shared.settle(net);
        if turn.is_some() {
            self.take(&net.state);
        }
        // Whoever moved last does not matter once the game is over.
        self.mover = Player::FIRST;
        match turn {
            Some(Turn::Choice(mover, waiting)) => (self.mover, self.waiting) = (mover, waiting),
            Some(Turn::Over(outcome)) => self.outcome = Some(outcome),
            // Endless moves without a choice: the position stays the one before the first of them.
            None | Some(Turn::Both | Turn::Stuck | Turn::Forced(_)) => self.outcome = Some(Outcome::DRAW),
        }
    }

    fn take(&mut self, state: &[u64]) {
        for (place, (word, &wanted)) in self.state.iter_mut().zip(state).enumerate() {
            let different = std::mem::replace(word, wanted) ^ wanted;
            let keys = bits(std::slice::from_ref(&different)).map(|bit| mix64(place as u64 * 64 + u64::from(bit) + 1));
            self.key ^= keys.fold(0, |key, fact| key ^ fact);
        }
    }

    fn with_net<T>(&self, work: impl FnOnce(&mut Net) -> T) -> T {
        self.shared.with_net(|net| {
            net.go_to(&self.shared.code, &self.state);
            work(net)
        })
    }
}

impl Game for Position {
    type Move = Move;

    fn to_move(&self) -> Player {
        self.mover
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn moves(&self, into: &mut Vec<Move>) {
        if self.outcome.is_none() {
            self.with_net(|net| into.extend(net.legal(&self.shared.code, self.mover.index()).map(Move)));
        }
    }

    fn play(&mut self, m: Move) {
        let shared = self.shared.clone();
        shared.with_net(|net| {
            net.go_to(&shared.code, &self.state);
            net.decide(&shared.code, Shared::joint(self.mover, m.0, self.waiting));
            net.advance(&shared.code);
            self.settle(net);
        });
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn position_text(&self) -> String {
        self.shared.info.position_text(&self.state)
    }

    fn parse_position(&self, text: &str) -> Result<Self, TextError> {
        Ok(Self::of(&self.shared, &self.shared.info.parse_position(text, self.state.len())?))
    }

    fn move_text(&self, m: Move) -> String {
        self.shared.info.move_text(self.mover.index(), m.0)
    }

    fn parse_move(&self, text: &str) -> Result<Move, TextError> {
        if self.outcome.is_none()
            && let Some(m) = self.shared.info.parse_move(self.mover.index(), text)
            && self.with_net(|net| net.is_legal(&self.shared.code, self.mover.index(), m))
        {
            return Ok(Move(m));
        }
        legal_move(self, text)
    }

    fn moves_and_ends(&self, moves: &mut Vec<Move>, ends: &mut Vec<(usize, Outcome)>) {
        if self.outcome.is_some() {
            return;
        }
        let (shared, before) = (&self.shared, moves.len());
        self.with_net(|net| {
            moves.extend(net.legal(&shared.code, self.mover.index()).map(Move));
            // First all positions after the moves, so that the net need not come back here after each.
            let mut after = Vec::with_capacity((moves.len() - before) * self.state.len());
            for &m in &moves[before..] {
                net.decide(&shared.code, Shared::joint(self.mover, m.0, self.waiting));
                after.extend(net.state.iter().zip(&net.changes).map(|(state, change)| state ^ change));
            }
            for index in 0..moves.len() - before {
                net.go_to(&shared.code, &after[index * self.state.len()..(index + 1) * self.state.len()]);
                match shared.settle(net) {
                    Some(Turn::Choice(..)) => {}
                    Some(Turn::Over(outcome)) => ends.push((index, outcome)),
                    _ => ends.push((index, Outcome::DRAW)),
                }
            }
        });
    }

    fn random_move(&self, rng: &mut Rng) -> Move {
        self.with_net(|net| {
            let role = self.mover.index();
            let (code, role) = (&self.shared.code, role);
            Move(net.legal_move(code, role, rng.below(net.counts(code)[role] as usize) as u32))
        })
    }

    fn playout(&mut self, rng: &mut Rng, limit: u32) -> Playout {
        if let Some(outcome) = self.outcome {
            return Playout { outcome, plies: 0 };
        }
        let shared = &self.shared;
        self.with_net(|net| {
            let (mut mover, mut waiting) = (self.mover, self.waiting);
            for plies in 0..limit {
                let role = mover.index();
                let code = &shared.code;
                let m = net.legal_move(code, role, rng.below(net.counts(code)[role] as usize) as u32);
                net.decide(&shared.code, Shared::joint(mover, m, waiting));
                net.advance(&shared.code);
                match shared.settle(net) {
                    Some(Turn::Choice(next, only)) => (mover, waiting) = (next, only),
                    Some(Turn::Over(outcome)) => return Playout { outcome, plies: plies + 1 },
                    _ => return Playout { outcome: Outcome::DRAW, plies: plies + 1 },
                }
            }
            Playout { outcome: Outcome::DRAW, plies: limit }
        })
    }

    fn may_repeat(&self) -> bool {
        self.shared.info.may_repeat
    }

    fn heap_bytes(&self) -> usize {
        size_of_val(&*self.state)
    }
}

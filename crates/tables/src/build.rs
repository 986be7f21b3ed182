//! Backward induction: from finished positions back to all that lead there.
//!
//! Layer by layer. In a layer a position is won as soon as one move is known to win, and lost when all moves are known to
//! lose. Each one found out is carried back to the positions before it. What is left when nothing changes any more can
//! neither be won nor be lost: play goes on for ever, and that is a draw.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use plyproof_core::{Game, Indexing, Place, Wdl};

use crate::table::Table;
use crate::values::Values;

/// What a table may take, and somebody to tell how far it is.
pub struct Limits<'a> {
    /// Bytes for the table and for what it takes to make it.
    pub memory: u64,
    /// Raised to stop early.
    pub stop: &'a AtomicBool,
    /// Called now and then.
    pub progress: &'a mut dyn FnMut(Progress),
}

/// How far a table is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Positions in layers that are done.
    pub done: u64,
    /// All positions.
    pub positions: u64,
}

/// Why there is no table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BuildError {
    /// It would take more than it may: this many bytes, at least.
    Memory(u64),
    /// It was stopped.
    Stopped,
    /// The numbering of the game breaks its promise: what is wrong, and where.
    Broken(String),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory(bytes) => write!(f, "the table takes at least {bytes} bytes of memory to make; give more"),
            Self::Stopped => f.write_str("stopped"),
            Self::Broken(what) => write!(f, "the numbering of positions is broken, which is a bug: {what}"),
        }
    }
}

impl std::error::Error for BuildError {}

/// Positions between two looks at the flag to stop.
const STRIDE: u64 = 1 << 14;

/// Makes the table of all positions of `indexing`.
pub fn build<I: Indexing>(indexing: I, limits: &mut Limits<'_>) -> Result<Table<I>, BuildError> {
    let layers = indexing.layers();
    let positions = layers.last().map_or(0, |layer| layer.positions.end);
    let bytes = Values::bytes_for(positions);
    // No list can be longer, which matters where addresses have 32 bits.
    limits.memory = limits.memory.min(isize::MAX as u64);
    if bytes > limits.memory {
        return Err(BuildError::Memory(bytes));
    }
    let mut values = Values::nothing(positions);
    for layer in &layers {
        let (from, to) = (layer.positions.start, layer.positions.end);
        (limits.progress)(Progress { done: from, positions });
        if to - from >= u64::from(u32::MAX) {
            return Err(BuildError::Memory((to - from).saturating_mul(BYTES_A_POSITION)));
        }
        let found = Layer { indexing: &indexing, values: &values, from, to }.solve(bytes, limits)?;
        for (index, state) in (from..to).zip(found) {
            values.put(index, state.value());
        }
    }
    (limits.progress)(Progress { done: positions, positions });
    Ok(Table::new(indexing, values))
}

/// What is known of a position of the layer in hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// All moves seen so far lose.
    Losing,
    /// Some move draws, or play has no end.
    Holding,
    /// Decided.
    Lost,
    Won,
}

impl State {
    fn value(self) -> Wdl {
        match self {
            Self::Lost => Wdl::Loss,
            Self::Won => Wdl::Win,
            Self::Losing | Self::Holding => Wdl::Draw,
        }
    }
}

/// A state, the moves left in the layer, where the positions before begin, and a place in the queue.
const BYTES_A_POSITION: u64 = 1 + 2 + 4 + 4;

struct Layer<'a, I> {
    indexing: &'a I,
    values: &'a Values,
    from: u64,
    to: u64,
}

/// What is seen of a position.
enum Seen {
    /// It is finished, with this value for the player to move.
    Finished(Wdl),
    /// A move leads to a position of the layer in hand, counted from its beginning.
    Here(u32),
    /// A move is worth this much to the player who makes it.
    Value(Wdl),
}

impl<I: Indexing> Layer<'_, I> {
    fn solve(&self, taken: u64, limits: &mut Limits<'_>) -> Result<Vec<State>, BuildError> {
        let count = (self.to - self.from) as usize;
        let fits = |bytes: u64| if bytes > limits.memory { Err(BuildError::Memory(bytes)) } else { Ok(bytes) };
        let taken = fits(taken + count as u64 * BYTES_A_POSITION)?;
        let mut states = vec![State::Losing; count];
        let mut open = vec![0u16; count];
        // First how many moves lead to a position, then where the list of them begins.
        let mut begins = vec![0u32; count + 1];
        let mut edges = 0u64;
        self.each(limits.stop, |at, seen| match seen {
            Seen::Finished(value) => {
                states[at] = match value {
                    Wdl::Win => State::Won,
                    Wdl::Draw => State::Holding,
                    Wdl::Loss => State::Lost,
                };
            }
            Seen::Here(to) => {
                open[at] += 1;
                begins[to as usize] += 1;
                edges += 1;
            }
            Seen::Value(value) => {
                states[at] = match (states[at], value) {
                    (State::Won, _) | (_, Wdl::Win) => State::Won,
                    (State::Holding, _) | (_, Wdl::Draw) => State::Holding,
                    _ => State::Losing,
                };
            }
        })?;
        fits(taken + 4 * edges)?;
        if edges >= u64::from(u32::MAX) {
            return Err(BuildError::Memory(4 * edges));
        }
        // Each count becomes the end of its list; filling the lists from their ends turns ends into beginnings.
        let mut end = 0;
        for begin in &mut begins {
            end += *begin;
            *begin = end;
        }
        let mut before = vec![0u32; edges as usize];
        self.each(limits.stop, |at, seen| {
            if let Seen::Here(to) = seen {
                begins[to as usize] -= 1;
                before[begins[to as usize] as usize] = at as u32;
            }
        })?;

        let mut queue = Vec::new();
        for (at, state) in states.iter_mut().enumerate() {
            if *state == State::Losing && open[at] == 0 {
                *state = State::Lost;
            }
            if matches!(state, State::Lost | State::Won) {
                queue.push(at as u32);
            }
        }
        // Whether the last one found or the first is taken up next makes no difference: nobody counts moves.
        while let Some(decided) = queue.pop() {
            let decided = decided as usize;
            let won = states[decided] == State::Won;
            for &at in &before[begins[decided] as usize..begins[decided + 1] as usize] {
                let (state, open) = (&mut states[at as usize], &mut open[at as usize]);
                if matches!(state, State::Lost | State::Won) {
                    continue;
                }
                *open -= u16::from(won);
                if !won {
                    *state = State::Won;
                } else if *open == 0 && *state == State::Losing {
                    *state = State::Lost;
                } else {
                    continue;
                }
                queue.push(at);
            }
        }
        Ok(states)
    }

    /// Calls `tell` for every move of every position, or once with the value of a finished one.
    fn each(&self, stop: &AtomicBool, mut tell: impl FnMut(usize, Seen)) -> Result<(), BuildError> {
        let mut moves = Vec::new();
        for index in self.from..self.to {
            if index.is_multiple_of(STRIDE) && stop.load(Ordering::Relaxed) {
                return Err(BuildError::Stopped);
            }
            let at = (index - self.from) as usize;
            let position = self.indexing.position(index);
            if let Some(outcome) = position.outcome() {
                tell(at, Seen::Finished(outcome.of(position.to_move())));
                continue;
            }
            moves.clear();
            position.moves(&mut moves);
            for &m in &moves {
                let mut next = position.clone();
                next.play(m);
                let seen = self.seen(&next).map_err(|what| {
                    let (from, m) = (position.position_text(), position.move_text(m));
                    BuildError::Broken(format!("{what} by {m} from {from}"))
                })?;
                tell(at, seen);
            }
        }
        Ok(())
    }

    /// What a move that led to `next` is worth to the player who made it.
    fn seen(&self, next: &I::Game) -> Result<Seen, &'static str> {
        if let Some(outcome) = next.outcome() {
            return Ok(Seen::Value(outcome.of(next.to_move()).flip()));
        }
        match self.indexing.place(next) {
            Place::Known(value) => Ok(Seen::Value(value.flip())),
            Place::At(index) if index < self.from => {
                self.values.at(index).map(|value| Seen::Value(value.flip())).ok_or("a position without value")
            }
            Place::At(index) if index < self.to => Ok(Seen::Here((index - self.from) as u32)),
            Place::At(_) => Err("a later layer is reached"),
            Place::Outside => Err("a position without number is reached"),
        }
    }
}

/// Which positions can come up in a game from the start, its own included; `None` if the start has no number.
pub fn reachable<I: Indexing>(indexing: &I, stop: &AtomicBool) -> Option<Vec<bool>> {
    let count = indexing.layers().last().map_or(0, |layer| layer.positions.end);
    let Place::At(start) = indexing.place(&indexing.start()) else { return None };
    let mut seen = vec![false; usize::try_from(count).ok()?];
    let (mut queue, mut moves) = (vec![start], Vec::new());
    seen[start as usize] = true;
    while let Some(index) = queue.pop() {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let position = indexing.position(index);
        moves.clear();
        position.moves(&mut moves);
        for &m in &moves {
            let mut next = position.clone();
            next.play(m);
            // Finished positions have a number too.
            if let Place::At(index) = indexing.place(&next)
                && !std::mem::replace(&mut seen[index as usize], true)
            {
                queue.push(index);
            }
        }
    }
    Some(seen)
}

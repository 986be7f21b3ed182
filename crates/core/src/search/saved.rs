//! The memory of a solver as bytes, so that a long search can go on in another process.
//!
//! [`Saver`] and [`Loader`] write and read whole numbers of 64 bits, in little-endian order; everything is streamed. The
//! bytes carry no checksum and no version of their own: whoever keeps them adds both, and names the game, its rules and
//! the agent. A [`Loader`] takes nothing on trust that could make a program panic or take memory beyond the budget.

use std::io::{self, Read, Write};
use std::time::Duration;

use crate::game::Game;
use crate::outcome::Player;
use crate::rng::{Rng, mix64};
use crate::search::proof::Goal;

/// What reading or writing comes to.
pub(crate) type Result<T> = io::Result<T>;

/// How often the memory of a solver is saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interval {
    /// After so much time.
    Time(Duration),
    /// After so many positions.
    Nodes(u64),
}

/// How far a search had come when its memory was saved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Positions opened so far, by all processes together.
    pub nodes: u64,
    /// Time taken so far, by all processes together.
    pub elapsed: Duration,
    /// Whether every question that was asked is answered.
    pub answered: bool,
}

/// What writes the memory of a solver to where it is told.
pub type Save<'a> = dyn FnMut(&mut dyn Write) -> io::Result<()> + 'a;

/// Where a search comes from and where its memory is saved.
pub struct Checkpoints<'a> {
    /// How often the memory is saved. It is saved once more when the search ends, before proofs are written out.
    pub every: Interval,
    /// What [`save`](Checkpoints::save) was given by an earlier search with the same position, agent and memory limit.
    pub from: Option<&'a mut dyn Read>,
    /// Saves the memory. The search waits until it returns.
    pub save: &'a mut dyn FnMut(Standing, &mut Save<'_>),
}

/// The largest count that is read: sums of some of them do not overflow.
pub(crate) const MOST: u64 = 1 << 56;

/// Writes numbers.
pub(crate) struct Saver<'a> {
    to: &'a mut dyn Write,
    buffer: Vec<u8>,
}

/// Bytes that are handed over at once.
const BUFFER: usize = 1 << 16;

impl<'a> Saver<'a> {
    pub(crate) fn new(to: &'a mut dyn Write) -> Self {
        Self { to, buffer: Vec::with_capacity(BUFFER) }
    }

    pub(crate) fn word(&mut self, word: u64) -> io::Result<()> {
        self.buffer.extend_from_slice(&word.to_le_bytes());
        if self.buffer.len() >= BUFFER { self.flush() } else { Ok(()) }
    }

    pub(crate) fn words(&mut self, words: impl IntoIterator<Item = u64>) -> io::Result<()> {
        words.into_iter().try_for_each(|word| self.word(word))
    }

    pub(crate) fn text(&mut self, text: &str) -> io::Result<()> {
        self.word(text.len() as u64)?;
        self.flush()?;
        self.to.write_all(text.as_bytes())
    }

    pub(crate) fn goal(&mut self, goal: Goal) -> io::Result<()> {
        self.word(goal.player.index() as u64 | (goal.least as u64) << 8 | u64::from(goal.by as u16) << 16)
    }

    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.to.write_all(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }
}

/// Reads what a [`Saver`] wrote.
pub(crate) struct Loader<'a> {
    from: &'a mut dyn Read,
}

impl<'a> Loader<'a> {
    pub(crate) fn new(from: &'a mut dyn Read) -> Self {
        Self { from }
    }

    pub(crate) fn word(&mut self) -> io::Result<u64> {
        let mut bytes = [0; 8];
        self.from.read_exact(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    /// A number that is at most `most`.
    pub(crate) fn at_most(&mut self, most: u64) -> io::Result<u64> {
        let word = self.word()?;
        if word <= most { Ok(word) } else { Err(wrong("a number is too large")) }
    }

    pub(crate) fn flag(&mut self) -> io::Result<bool> {
        Ok(self.at_most(1)? == 1)
    }

    pub(crate) fn goal(&mut self) -> io::Result<Goal> {
        let [player, least, low, high, ..] = self.at_most(u32::MAX.into())?.to_le_bytes();
        let by = i16::from_le_bytes([low, high]);
        match (usize::from(player) < Player::MAX, least) {
            (true, 1) if by == 0 => Ok(Goal::draw(Player::new(player.into()))),
            (true, 2) => Ok(Goal::win_by(Player::new(player.into()), by)),
            _ => Err(wrong("a goal is none")),
        }
    }

    /// Reads `count` words one after the other.
    pub(crate) fn words(&mut self, count: usize, mut take: impl FnMut(usize, u64)) -> io::Result<()> {
        let mut buffer = vec![0; BUFFER.min(8 * count)];
        let mut done = 0;
        while done < count {
            let part = (count - done).min(BUFFER / 8);
            let bytes = &mut buffer[..8 * part];
            self.from.read_exact(bytes)?;
            for (at, bytes) in bytes.chunks_exact(8).enumerate() {
                let mut word = [0; 8];
                word.copy_from_slice(bytes);
                take(done + at, u64::from_le_bytes(word));
            }
            done += part;
        }
        Ok(())
    }

    /// Makes sure that there is no more.
    pub(crate) fn end(&mut self) -> io::Result<()> {
        let more = self.from.read(&mut [0])?;
        if more == 0 { Ok(()) } else { Err(wrong("it is longer than it should be")) }
    }

    /// A text of at most `most` bytes.
    pub(crate) fn text(&mut self, most: usize) -> io::Result<String> {
        let length = self.at_most(most as u64)?;
        let mut bytes = vec![0; length as usize];
        self.from.read_exact(&mut bytes)?;
        String::from_utf8(bytes).map_err(|_| wrong("a text is not UTF-8"))
    }
}

/// What is read cannot be what was saved.
pub(crate) fn wrong(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// A hash of the keys along random games: entries of a table are of use only where positions have the keys that they had.
pub(crate) fn fingerprint<G: Game>(start: &G) -> u64 {
    const GAMES: u64 = 8;
    const PLIES: usize = 200;
    let mut hash = mix64(start.symmetries() as u64);
    let mut moves = Vec::new();
    for seed in 0..GAMES {
        let (mut state, mut rng) = (start.clone(), Rng::new(seed));
        for _ in 0..PLIES {
            hash = mix64(hash ^ state.key());
            hash = mix64(hash ^ if state.canonical_keys() { state.canonical_key() } else { 0 });
            if let Some(outcome) = state.outcome() {
                hash = mix64(hash ^ outcome.winner().map_or(0, |winner| 1 + winner.index() as u64));
                break;
            }
            moves.clear();
            state.moves(&mut moves);
            hash = mix64(hash ^ moves.len() as u64);
            let Some(&m) = moves.get(rng.below(moves.len().max(1))) else { break };
            state.play(m);
        }
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read_and_nothing_beyond_its_limits() {
        let mut bytes = Vec::new();
        let mut saver = Saver::new(&mut bytes);
        saver.words([7, u64::MAX]).and_then(|()| saver.text("a text")).and_then(|()| saver.flush()).expect("written");
        let many = 3 * BUFFER as u64;
        saver.words(0..many).and_then(|()| saver.flush()).expect("written");
        let mut source = &bytes[..];
        let mut loader = Loader::new(&mut source);
        assert_eq!((loader.at_most(7).ok(), loader.word().ok()), (Some(7), Some(u64::MAX)));
        assert_eq!(loader.text(6).ok().as_deref(), Some("a text"));
        let mut next = 0;
        let read = loader.words(many as usize, |at, word| {
            assert_eq!((at as u64, word), (next, next));
            next += 1;
        });
        assert!(read.is_ok() && next == many);
        assert!(loader.word().is_err(), "there is no more");
        assert!(Loader::new(&mut &bytes[..]).at_most(6).is_err());
        assert!(Loader::new(&mut &bytes[16..]).text(5).is_err());
    }
}

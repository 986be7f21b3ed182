//! What several threads take of the memory of one tree: chunks, counted under a lock against the budget.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use super::{ALIGN, MARGIN};

/// Words and moves that a thread claims at a time, if the budget is not small.
const CHUNK: usize = 1 << 14;
/// The part of the budget that the unused chunks of all threads may take together.
const PART: usize = 32;

/// The memory of a tree whose threads claim what they need.
#[derive(Debug)]
pub(super) struct Claims {
    claimed: Mutex<Claimed>,
    /// Bytes in all, and those of a move with what stands beside it.
    limit: usize,
    move_bytes: usize,
    /// Words and moves that can be reached.
    most: Claimed,
    /// Words, or moves, of a chunk.
    chunk: usize,
}

/// Words and moves up to which all is claimed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Claimed {
    pub words: usize,
    pub moves: usize,
}

impl Claims {
    pub(super) fn new(limit: usize, move_bytes: usize, claimed: Claimed, room: Claimed, threads: usize) -> Self {
        let words = (room.words.min(u32::MAX as usize)).saturating_sub(MARGIN);
        let most = Claimed { words, moves: room.moves.min(u32::MAX as usize - (1 << 16)) };
        let chunk = (limit / (PART * threads * (4 + move_bytes))).min(CHUNK).next_multiple_of(ALIGN);
        Self { claimed: Mutex::new(claimed), limit, move_bytes, most, chunk }
    }

    pub(super) fn claimed(&self) -> Claimed {
        *self.claimed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn bytes_of(&self, claimed: Claimed) -> usize {
        claimed.words * 4 + claimed.moves * self.move_bytes
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes_of(self.claimed())
    }

    /// At least `needed` words, or none.
    pub(super) fn words(&self, needed: usize) -> Option<Range<usize>> {
        let taken = self.take(needed, |now, count| Claimed { words: now.words + count, ..now })?;
        Some(taken.0.words..taken.1.words)
    }

    /// At least `needed` moves, or none.
    pub(super) fn moves(&self, needed: usize) -> Option<Range<usize>> {
        let taken = self.take(needed, |now, count| Claimed { moves: now.moves + count, ..now })?;
        Some(taken.0.moves..taken.1.moves)
    }

    /// Claims a chunk, or if there is no memory for that only what is needed; what was claimed before and after.
    fn take(&self, needed: usize, add: impl Fn(Claimed, usize) -> Claimed) -> Option<(Claimed, Claimed)> {
        let mut claimed = self.claimed.lock().unwrap_or_else(PoisonError::into_inner);
        let before = *claimed;
        let fits = |next: &Claimed| {
            self.bytes_of(*next) <= self.limit && next.words <= self.most.words && next.moves <= self.most.moves
        };
        let after = [needed.max(self.chunk), needed].into_iter().map(|count| add(before, count)).find(fits)?;
        *claimed = after;
        Some((before, after))
    }
}

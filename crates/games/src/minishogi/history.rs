//! The game so far, as far as it matters for repetition.
//!
//! Searches copy positions all the time and keep many of them, and a game may be thousands of moves long. So only the
//! last few moves belong to a position; all before them lie in blocks that positions share.

use std::sync::Arc;

use plyproof_core::{Outcome, Player, mix64};

use super::board::Board;
use super::tables::Move;

/// All positions since the first, and how they came about.
#[derive(Debug)]
pub(super) struct History {
    /// The position before the first move.
    pub base: Board,
    /// The moves before the `recent` ones, if there are any.
    older: Option<Arc<Block>>,
    recent: Vec<Past>,
    /// A hash of all positions in their order.
    pub chain: u64,
    /// How often the position that came about most often did so.
    most: usize,
}

#[derive(Clone, Copy, Debug)]
struct Past {
    m: Move,
    /// Whether the move gave check.
    check: bool,
    /// Key of the board after the move.
    key: u64,
}

/// The occurrence of a position that ends the game.
const TOO_OFTEN: usize = 4;

/// Moves in a block.
const BLOCK: usize = 32;
/// Moves that room is made for at once.
const ROOM: usize = 8;

#[derive(Debug)]
struct Block {
    past: [Past; BLOCK],
    before: Option<Arc<Block>>,
}

impl Drop for Block {
    /// One block after the other: a long game would otherwise end in as many calls inside each other.
    fn drop(&mut self) {
        let mut next = self.before.take();
        while let Some(mut block) = next.and_then(Arc::into_inner) {
            next = block.before.take();
        }
    }
}

// By hand for `clone_from`: a search copies positions over old ones and should not allocate for it.
impl Clone for History {
    fn clone(&self) -> Self {
        Self { recent: self.recent.clone(), older: self.older.clone(), ..*self }
    }

    fn clone_from(&mut self, source: &Self) {
        self.base = source.base;
        self.chain = source.chain;
        self.most = source.most;
        self.recent.clone_from(&source.recent);
        // Most copies are of positions of the same game: the counter of owners is left alone then.
        if self.older.as_ref().map(Arc::as_ptr) != source.older.as_ref().map(Arc::as_ptr) {
            self.older.clone_from(&source.older);
        }
    }
}

impl History {
    pub fn new(base: Board) -> Self {
        Self { base, older: None, recent: Vec::new(), chain: mix64(base.key), most: 1 }
    }

    /// Bytes on the heap that this history may be the last to hold, its own size included.
    pub fn bytes(&self) -> usize {
        let block = if self.older.is_some() { size_of::<Block>() } else { 0 };
        size_of::<Self>() + self.recent.capacity() * size_of::<Past>() + block
    }

    /// Adds a move and the position after it; the result if that ends the game.
    pub fn add(&mut self, m: Move, board: &Board) -> Option<Outcome> {
        if let Ok(past) = <[Past; BLOCK]>::try_from(self.recent.as_slice()) {
            self.older = Some(Arc::new(Block { past, before: self.older.take() }));
            self.recent.clear();
        }
        if self.recent.len() == self.recent.capacity() {
            self.recent.reserve_exact(ROOM);
        }
        self.recent.push(Past { m, check: board.in_check(board.mover), key: board.key });
        self.chain = mix64(self.chain ^ board.key);
        let (times, at_base) = self.times(board);
        self.most = self.most.max(times + usize::from(at_base));
        if times + usize::from(at_base) < TOO_OFTEN {
            return None;
        }
        // Since the first time the position was there.
        let mut left = if at_base { usize::MAX } else { times };
        let since = self.newest_first().take_while(|past| {
            left -= usize::from(past.key == board.key);
            left > 0
        });
        // The last move was the opponent's of whoever moves now.
        let mut always_checked = [true; 2];
        for (index, past) in since.enumerate() {
            always_checked[index % 2] &= past.check;
        }
        let loser = match always_checked {
            [true, false] => board.mover.other(),
            [false, true] => board.mover,
            // Should both sides have done nothing but give check, none of them is the one to blame for it.
            _ => Player::FIRST,
        };
        Some(Outcome::win(loser.other()))
    }

    /// Whether the next move may end the game by repetition.
    #[inline(always)]
    pub fn may_end(&self) -> bool {
        self.most + 1 >= TOO_OFTEN
    }

    /// The result if a move that leads to `board` would end the game by repetition.
    pub fn after(&self, m: Move, board: &Board) -> Option<Outcome> {
        let (times, at_base) = self.times(board);
        if times + usize::from(at_base) + 1 < TOO_OFTEN { None } else { self.clone().add(m, board) }
    }

    /// How often the position came about by a move, and whether the game began with it.
    fn times(&self, board: &Board) -> (usize, bool) {
        let same = |past: &&Past| past.key == board.key;
        (self.parts().map(|part| part.iter().filter(same).count()).sum(), self.base.key == board.key)
    }

    /// The moves of the game in their order.
    pub fn moves(&self) -> Vec<Move> {
        let mut moves: Vec<Move> = self.newest_first().map(|past| past.m).collect();
        moves.reverse();
        moves
    }

    /// The parts of the past, the last one first, each in its order.
    fn parts(&self) -> impl Iterator<Item = &[Past]> {
        let blocks = std::iter::successors(self.older.as_deref(), |block| block.before.as_deref());
        [self.recent.as_slice()].into_iter().chain(blocks.map(|block| block.past.as_slice()))
    }

    fn newest_first(&self) -> impl Iterator<Item = &Past> {
        self.parts().flat_map(|part| part.iter().rev())
    }
}

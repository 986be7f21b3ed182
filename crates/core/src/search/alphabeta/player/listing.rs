//! The moves of a position in the order in which they are tried, and what the table is told of it.

use super::table::{Bound, Entry};
use super::threads::disturb;
use super::{Learned, ORDER, Search, WIN, to_table};
use crate::game::{DecisivePlayouts, Defence, Game};
use crate::outcome::Outcome;

/// A move of a node, and how soon to try it.
#[derive(Clone, Copy)]
pub(super) struct Listed<M> {
    pub m: M,
    pub score: i64,
    pub place: u16,
    /// Whether it is quiet, where the search asks.
    pub quiet: bool,
    /// The result, if the move ends the game.
    pub end: Option<Outcome>,
}

/// What a look at the moves of a position came to.
pub(super) enum Found {
    /// Its score, by the rules.
    Score(i32),
    /// Its moves, and whether only those against a threat count.
    Moves { count: usize, threatened: bool },
}

impl<G: Game> Search<'_, G> {
    /// Whether threats to win are looked for: with an evaluation there are many more nodes, and it has to be cheap enough for
    /// play-outs.
    #[inline(always)]
    pub(super) fn sees_threats(&self, state: &G) -> bool {
        let cheap = self.judge.is_none() || state.decisive_playouts() == DecisivePlayouts::WinsAndDefences;
        self.config.threats && cheap
    }

    /// Finds the moves that have to be searched, or what the position is worth by the rules alone.
    #[inline(always)]
    pub(super) fn look(&mut self, state: &G, ply: usize) -> Found {
        let (mover, sees_threats) = (state.to_move(), self.sees_threats(state));
        let memory = &mut *self.memory;
        memory.fresh.clear();
        memory.ends.clear();
        state.moves_and_ends(&mut memory.fresh, &mut memory.ends);
        let count = memory.fresh.len();
        if memory.ends.iter().any(|(_, outcome)| outcome.winner() == Some(mover)) {
            return Found::Score(WIN - ply as i32 - 1);
        }
        memory.defences.clear();
        let defence = if sees_threats { state.saving_moves(&mut memory.defences) } else { Defence::NotNeeded };
        if defence == Defence::Hopeless {
            return Found::Score(ply as i32 + 2 - WIN);
        }
        memory.threatened = defence == Defence::Needed;
        Found::Moves { count, threatened: memory.threatened }
    }

    /// Lists the moves that [`look`](Search::look) found, those that `choose` wants: it says whether one is quiet, and what
    /// its place in the order gains.
    #[inline(always)]
    pub(super) fn list(&mut self, state: &G, ply: usize, tag: u16, choose: impl Fn(G::Move) -> Option<(bool, i64)>) {
        let mover = state.to_move();
        let memory = &mut *self.memory;
        let mut ends = memory.ends.iter().peekable();
        for (index, &m) in memory.fresh.iter().enumerate() {
            let end = ends.next_if(|(at, _)| *at == index).map(|(_, outcome)| *outcome);
            if memory.threatened && !memory.defences.contains(&m) {
                continue;
            }
            let Some((quiet, gain)) = choose(m) else { continue };
            let place = Learned::place(mover, m);
            let known = if tag != 0 && tag == tag_of(place) { 1 << 60 } else { 0 };
            let score = known + gain + memory.learned.score(ORDER, ply, place, 0);
            memory.moves.push(Listed { m, score, place, quiet, end });
        }
    }

    /// The best of the moves that were not tried yet, which takes its place: often one move is enough, and sorting all
    /// would be in vain.
    #[inline(always)]
    pub(super) fn next_in_order(&mut self, at: usize, to: usize) -> Listed<G::Move> {
        let rest = &mut self.memory.moves[at..to];
        let first = (0..rest.len()).max_by_key(|&i| (rest[i].score, std::cmp::Reverse(i))).unwrap_or(0);
        rest.swap(0, first);
        rest[0]
    }

    /// The key of a position in the table.
    #[inline(always)]
    pub(super) fn key(&self, state: &G) -> u64 {
        match self.judge {
            _ if self.config.symmetry && state.canonical_keys() => state.canonical_key(),
            Some(_) => state.present_key(),
            None => state.key(),
        }
    }

    /// Keeps what was found out about a position.
    pub(super) fn store(&mut self, key: u64, ply: usize, score: i32, depth: i32, bound: Bound, place: u16) {
        let tag = if bound == Bound::Most { 0 } else { tag_of(place) };
        let entry = Entry { score: to_table(score, ply), depth: depth.clamp(0, 255) as u8, bound, tag };
        disturb();
        if self.memory.table.store(key, entry) {
            self.memory.filled += 1;
            if self.memory.table.is_crowded(self.memory.filled) && self.team.is_none() {
                self.memory.grow(&self.meter);
            }
        }
    }
}

/// Bits that name a move; never 0.
pub(super) fn tag_of(place: u16) -> u16 {
    place + 1
}

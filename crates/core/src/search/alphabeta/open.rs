//! Opening a position: its moves, what the rules, the game and the table say of them, and the order in which to search them.

use super::order::{Learned, looks};
use super::question::Question;
use super::table::Entry;
use super::{Child, Entered, FREE, Frame, Solver, tag};
use crate::game::{Defence, Game, Knowledge};
use crate::outcome::Outcome;

/// Moves above which nobody looks at what each of them leads to: in Amazons, with 2,000 moves and as many replies to each,
/// one position would take longer than a whole search may.
const LOOKED_AT: usize = 512;

/// What the rules say about a position.
pub(super) enum Listed<M> {
    /// This move gives its player what is asked for.
    Won(M),
    /// Whatever is played, the opponent wins at once.
    Lost,
    /// The game knows the answer without search.
    Known(bool),
    /// The moves are to be searched, or only those among them that are `defences`, or that are `holding`.
    Moves { threatened: bool, restricted: bool },
}

impl<G: Game> Solver<G> {
    /// Lists the moves of a position with what the rules alone say about them.
    #[inline(always)]
    pub(super) fn list(&mut self, state: &G, question: &Question) -> Listed<G::Move> {
        let mover = state.to_move();
        let maximises = mover == question.maximiser;
        self.moves.clear();
        self.ends.clear();
        state.moves_and_ends(&mut self.moves, &mut self.ends);
        if let Some(&(index, _)) = self.ends.iter().find(|(_, outcome)| question.of(*outcome) == maximises) {
            return Listed::Won(self.moves[index]);
        }
        let wins = |(_, outcome): &(usize, Outcome)| outcome.winner() == Some(mover);
        if !question.sees_threats() || self.ends.iter().any(wins) {
            return Listed::Moves { threatened: false, restricted: false };
        }
        self.defences.clear();
        let threats = if self.threats { state.saving_moves(&mut self.defences) } else { Defence::NotNeeded };
        let threatened = match threats {
            Defence::NotNeeded => false,
            Defence::Needed => true,
            Defence::Hopeless => return Listed::Lost,
        };
        if !G::STATIC_KNOWLEDGE || !self.knows {
            return Listed::Moves { threatened, restricted: false };
        }
        self.holding.clear();
        let Knowledge { bounds, restricted } = state.static_knowledge(&mut self.holding);
        match question.of_bounds(bounds, mover) {
            Some(answer) => Listed::Known(answer),
            None => Listed::Moves { threatened, restricted },
        }
    }

    /// Opens a position: its children in the order in which to search them, unless it can be decided at once.
    #[inline(always)]
    pub(super) fn enter(&mut self, state: G, key: u64, question: &Question, since: u64) -> Entered {
        let depth = self.frames.len();
        let mover = state.to_move();
        let maximises = mover == question.maximiser;
        let (threatened, restricted) = match self.list(&state, question) {
            Listed::Moves { threatened, restricted } => (threatened, restricted),
            // At the start the moves are wanted.
            Listed::Known(_) if depth == 0 => (false, false),
            Listed::Known(answer) => {
                self.store(key, Entry { known: question.known(answer), tag: 0, work: 1 });
                return Entered::Decided(answer, FREE);
            }
            Listed::Won(m) => {
                if depth == 0 {
                    self.best = Some(m);
                }
                return Entered::Decided(maximises, FREE);
            }
            Listed::Lost => return Entered::Decided(!maximises, FREE),
        };
        let own_key = if self.repeats { state.key() } else { 0 };
        if self.repeats {
            self.path.insert(own_key, depth as u32);
        }
        let (from, kept) = (self.children.len(), self.kept.len());
        let mut leans_on = FREE;
        let mut returns: Option<(G::Move, u32)> = None;
        let mut ends = self.ends.iter().peekable();
        let mut heap = state.heap_bytes();
        let few = self.moves.len() <= LOOKED_AT;
        for (index, &m) in self.moves.iter().enumerate() {
            // What ends the game here does not decide it.
            if ends.next_if(|(at, _)| *at == index).is_some()
                || threatened && !self.defences.contains(&m)
                || restricted && !self.holding.contains(&m)
            {
                continue;
            }
            let mut next = state.clone();
            next.play(m);
            if self.repeats
                && let Some(&above) = self.path.get(&next.key())
            {
                if question.of_repetition() == maximises {
                    if returns.is_none_or(|(_, depth)| above > depth) {
                        returns = Some((m, above));
                    }
                } else {
                    leans_on = leans_on.min(above);
                }
                continue;
            }
            let key =
                question.key(if self.symmetric && next.canonical_keys() { next.canonical_key() } else { next.key() });
            self.table.prefetch(key);
            let looks = if few { looks(self.order, &next, mover, &mut self.replies) } else { 0 };
            let place = Learned::place(mover, m);
            let score = self.learned.score(self.order, depth, place, looks);
            self.children.push(Child { m, key, score, at: self.kept.len() as u32, place });
            if self.keeps {
                heap += next.heap_bytes();
                self.kept.push(next);
            }
        }
        // Whoever wants endless play gets it here, on this path; a child that is known to be good is better.
        let mut decided = None;
        let mut to = from;
        self.usage.lookups += (self.children.len() - from) as u64;
        for at in from..self.children.len() {
            let child = &self.children[at];
            if let Some(entry) = self.table.find(child.key) {
                self.usage.hits += 1;
                match entry.known.answer(question.threshold) {
                    Some(answer) if answer == maximises => {
                        decided = Some(at);
                        break;
                    }
                    Some(_) => continue,
                    None => {}
                }
            }
            self.children.swap(to, at);
            to += 1;
        }
        if let Some(at) = decided {
            let (m, tag) = (self.children[at].m, tag(self.children[at].key));
            self.close(from, kept, own_key);
            if depth == 0 {
                self.best = Some(m);
            }
            self.store(key, Entry { known: question.known(maximises), tag, work: 1 });
            return Entered::Decided(maximises, FREE);
        }
        if let Some((m, above)) = returns {
            self.close(from, kept, own_key);
            if depth == 0 {
                self.best = Some(m);
            }
            return Entered::Decided(maximises, if above < depth as u32 { above } else { FREE });
        }
        let failed = to < self.children.len();
        self.children.truncate(to);
        let children = &mut self.children[from..];
        if children.len() > 1 {
            sort(children);
        }
        self.held += heap;
        let next = from;
        if let Some(team) = &self.team {
            team.busy.enter(key);
        }
        let bytes = heap;
        self.frames.push(Frame { state, key, own_key, maximises, from, next, kept, leans_on, since, failed, bytes });
        Entered::Open
    }
}

/// The best first, and equal ones in the order in which they were listed: lists are short and often sorted.
#[inline(always)]
fn sort<M>(children: &mut [Child<M>]) {
    for end in 1..children.len() {
        let mut at = end;
        while at > 0 && children[at - 1].score < children[at].score {
            children.swap(at - 1, at);
            at -= 1;
        }
    }
}

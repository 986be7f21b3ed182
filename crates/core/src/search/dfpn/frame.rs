//! One position on the path of a search: its children, and which of them is searched next.

use crate::game::Game;
use crate::search::busy::Busy;
use crate::search::dfpn::Dfpn;
use crate::search::proof::{Goal, NodeKind, ProofNumber, ProofNumbers};

/// The largest finite threshold. Numbers saturate above it.
const MOST: f64 = 4e9;

/// Turns of a frame for each child, after which thresholds grow by [`LEAST_GROWTH`] at least. That epsilon or a larger one
/// takes a key beyond [`MOST`] in fewer turns.
const TURNS: usize = 128;
const LEAST_GROWTH: f64 = 0.25;

/// Does not lean on a repetition.
pub(super) const FREE: u32 = u32::MAX;

pub(super) struct Child<M> {
    pub m: M,
    pub key: u64,
    pub numbers: ProofNumbers,
    /// For a disproof: depth of the highest position of the path that it leans on, or [`FREE`].
    pub leans_on: u32,
    /// Nothing was known of it when it was listed, and it was not entered since.
    pub new: bool,
}

pub(super) struct Frame<G: Game> {
    pub state: G,
    pub key: u64,
    pub goal: Goal,
    pub kind: NodeKind,
    pub children: Vec<Child<G::Move>>,
    /// The answer for this position, where another thread has found it.
    pub decided: Option<ProofNumbers>,
    /// The search of this node ends when one of its numbers reaches its threshold.
    pub limits: ProofNumbers,
    /// A hash of the positions on the path in their order, this one included.
    pub path: u64,
    /// The child being searched, and how often one was chosen.
    pub at: usize,
    pub turns: usize,
    /// Moves that do not lose at once.
    pub moves: usize,
    /// Expansions made when the node was entered.
    pub since: u64,
    /// Bytes it was counted with.
    pub bytes: usize,
}

impl<M> Child<M> {
    /// Its numbers, below a start that has these. A disproof that leans on coming back to the start holds only if the
    /// start is disproven too.
    pub(super) fn known(&self, start: ProofNumbers) -> ProofNumbers {
        if self.numbers.is_disproven() && self.leans_on != FREE && !start.is_disproven() {
            return ProofNumbers::UNKNOWN;
        }
        self.numbers
    }
}

impl<G: Game> Frame<G> {
    pub(super) fn numbers(&self, weak: bool) -> ProofNumbers {
        if let Some(decided) = self.decided {
            return decided;
        }
        let children = self.children.iter().map(|child| child.numbers);
        if weak { self.kind.combine_weak(children) } else { self.kind.combine(children) }
    }

    /// The number of a child that adds up here.
    fn summand(&self, child: &Child<G::Move>) -> ProofNumber {
        match self.kind {
            NodeKind::Or => child.numbers.dpn,
            NodeKind::And => child.numbers.pn,
        }
    }

    /// Depth that a disproof of this node leans on: at an OR node every child's matters, at an AND node the best one's.
    pub(super) fn leans_on(&self, numbers: ProofNumbers) -> u32 {
        if !numbers.is_disproven() || self.decided.is_some() {
            return FREE;
        }
        let disproven = self.children.iter().filter(|child| child.numbers.is_disproven()).map(|child| child.leans_on);
        match self.kind {
            NodeKind::Or => disproven.min().unwrap_or(FREE),
            NodeKind::And => disproven.max().unwrap_or(FREE),
        }
    }

    /// The most-proving child and the key of the second best. A child that other threads search looks worse than it is,
    /// so that threads spread out.
    #[inline(always)]
    fn best_child(&self, busy: Option<&Busy>) -> (usize, ProofNumber) {
        let key = |child: &Child<G::Move>| {
            let key = self.kind.key(child.numbers);
            busy.map_or(key, |busy| busy.virtual_number(key, child.key))
        };
        let (mut best, mut second) = (0, ProofNumber::INFINITE);
        for (index, child) in self.children.iter().enumerate().skip(1) {
            if key(child) < key(&self.children[best]) {
                second = key(&self.children[best]);
                best = index;
            } else {
                second = second.min(key(child));
            }
        }
        (best, second)
    }

    /// Picks the most-proving child and says how far to go with it: to the end of it, if the search has stalled.
    pub(super) fn choose(&mut self, config: Dfpn, stalled: bool, busy: Option<&Busy>) -> ProofNumbers {
        let (limit, total_limit) = match self.kind {
            NodeKind::Or => (self.limits.pn, self.limits.dpn),
            NodeKind::And => (self.limits.dpn, self.limits.pn),
        };
        let (mut best, mut second) = self.best_child(busy);
        if busy.is_some() && self.kind.key(self.children[best].numbers) >= limit {
            // Nothing may be searched in there: its number is at the limit, and the child below the limit only looks
            // worse because another thread is there. That thread is joined.
            (best, second) = self.best_child(None);
        }
        self.at = best;
        // How far the key may grow: a little beyond the second best, so as not to turn back at once.
        self.turns += 1;
        let tired = self.turns > TURNS * self.children.len();
        let epsilon = if tired { config.epsilon.max(LEAST_GROWTH) } else { config.epsilon };
        let patience = match second.leaves().map(f64::from) {
            Some(n) if !stalled => Some((n * (1.0 + epsilon)).max(n + 1.0)).filter(|&limit| limit <= MOST),
            _ => None,
        };
        let patience = patience.map_or(ProofNumber::INFINITE, |limit| ProofNumber::finite(limit as u32));
        let key_limit = limit.min(patience);
        // The sum of the others stays; what is left of the limit is this child's.
        let others = self.children.iter().enumerate().filter(|(index, _)| *index != best);
        let others = others.fold(0u64, |sum, (_, child)| {
            let number = self.summand(child);
            sum + if config.weak { u64::from(number > ProofNumber::ZERO) } else { number.word().into() }
        });
        let sum_limit = match total_limit.leaves() {
            None => ProofNumber::INFINITE,
            Some(limit) => {
                ProofNumber::finite(u64::from(limit).saturating_sub(others).clamp(1, u64::from(u32::MAX - 1)) as u32)
            }
        };
        match self.kind {
            NodeKind::Or => ProofNumbers { pn: key_limit, dpn: sum_limit },
            NodeKind::And => ProofNumbers { pn: sum_limit, dpn: key_limit },
        }
    }
}

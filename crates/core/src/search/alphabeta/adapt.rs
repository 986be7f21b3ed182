//! Finding the order of moves that suits a game, by trying all orders on positions that the search has met.

use std::sync::Arc;

use crate::game::Game;
use crate::rng::{Rng, mix64};
use crate::search::alphabeta::order::{Looks, Order};
use crate::search::alphabeta::question::Question;
use crate::search::alphabeta::table::Table;
use crate::search::alphabeta::{Run, Solver};
use crate::search::budget::{Meter, Stopped};
use crate::search::table::TableUse;

/// Positions of one depth that the search has decided.
pub(super) struct Layer<G> {
    /// Some of them, each as likely as any other.
    pub samples: Vec<G>,
    /// How many they were, and what they cost together.
    pub count: u64,
    pub work: u64,
}

/// Positions after which the orders are tried for the first time; each time after that there are so many times more.
const FIRST: u64 = 100_000;
const LATER: u64 = 8;
/// At most this part of the positions searched so far is spent on trying.
const PART: u64 = 4;
/// The order for the first positions, and for how many: by what was learned while searching, without a look at positions.
/// A win that is hidden among many moves may be near in one order and far in another, which no samples tell: in Knightthrough
/// 5x6 by a factor of ten. In a long search this costs little.
const EARLY: Order = Order::ALL[5].1;
const EARLY_FOR: u64 = 30_000;
/// Samples that are kept for each depth, and depths that have any.
pub(super) const SAMPLES: u64 = 16;
pub(super) const DEPTHS: usize = 64;
/// Moves of the random game along which a game is asked whether it has an outlook.
const ASKED: usize = 16;
/// Positions after which to learn from random games, and from how many. A short search does without.
const CHANCES: u64 = 500;
const GAMES: u32 = 500;

/// When to try the orders and on what.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sampling {
    /// The order that was best so far; none before the first search.
    pub order: Option<Order>,
    /// Whether random games were played.
    pub seeded: bool,
    /// Positions until the first order has had its time.
    pub early: u64,
    /// Positions after which the orders are tried.
    pub tries: u64,
    /// Whether decided positions are samples.
    pub samples: bool,
}

impl Default for Sampling {
    fn default() -> Self {
        Self { order: None, seeded: false, early: EARLY_FOR, tries: u64::MAX, samples: false }
    }
}

impl Sampling {
    /// Prepares for a question, perhaps one that was interrupted.
    pub(super) fn begin(&mut self, adapts: bool) {
        if adapts {
            (self.tries, self.samples) = (FIRST, true);
        } else {
            *self = Self { seeded: self.seeded, early: 0, ..Self::default() };
        }
    }

    /// Positions after which to pause.
    pub(super) fn pause(&self) -> u64 {
        match (self.seeded, self.early) {
            (false, _) => CHANCES,
            (true, 0) => self.tries,
            (true, early) => early,
        }
    }

    /// The order to search in now, if it is not the one by what the game says of positions.
    pub(super) fn order(&self) -> Option<Order> {
        if self.early > 0 { Some(EARLY) } else { self.order }
    }

    /// So many positions were searched for a question that was answered or interrupted.
    pub(super) fn end(&mut self, done: u64) {
        self.early = self.early.saturating_sub(done);
    }

    /// Counts a position that was decided, and perhaps keeps it.
    #[inline(always)]
    pub(super) fn consider<G: Game>(&self, layers: &mut Vec<Layer<G>>, depth: usize, state: G, work: u64) {
        if !self.samples || depth >= DEPTHS {
            return;
        }
        while layers.len() <= depth {
            layers.push(Layer { samples: Vec::new(), count: 0, work: 0 });
        }
        let layer = &mut layers[depth];
        layer.count += 1;
        layer.work += work;
        let at = (u128::from(mix64(layer.count)) * u128::from(layer.count)) >> 64;
        if at < u128::from(SAMPLES) && state.heap_bytes() == 0 {
            match layer.samples.get_mut(at as usize) {
                Some(sample) => *sample = state,
                None => layer.samples.push(state),
            }
        }
    }
}

impl<G: Game> Solver<G> {
    /// The order to begin with: by what the game says of positions, if it says anything along a random game.
    pub(super) fn first_order(start: &G) -> Order {
        let (mut state, mut rng, mut says) = (start.clone(), Rng::new(1), false);
        for _ in 0..ASKED {
            if state.outcome().is_some() {
                break;
            }
            says |= state.outlook() != 0;
            state.play(state.random_move(&mut rng));
        }
        Order::ALL[usize::from(says)].1
    }

    /// What there is to do in a pause, after `done` positions: learns from random games the first time, and tries the
    /// orders after that. Why the search has to stop, if it has.
    #[cold]
    pub(super) fn pause(
        &mut self,
        start: &G,
        question: &Question,
        meter: &mut Meter<'_>,
        done: u64,
    ) -> Option<Stopped> {
        if !self.sampling.seeded {
            self.sampling.seeded = true;
            return self.learned.seed(start, GAMES, meter);
        }
        if self.sampling.early > 0 {
            self.sampling.early = 0;
            self.order = self.sampling.order().unwrap_or_else(|| Self::first_order(start));
            return None;
        }
        let each = done / PART / Order::ALL.len() as u64;
        let layers = std::mem::take(&mut self.layers);
        // The depth of which most samples can be paid for, but no more.
        let dear = layers.into_iter().filter(|layer| layer.count >= SAMPLES && layer.samples.len() > 2);
        let mut dear = dear.filter(|layer| layer.work / layer.count * SAMPLES <= each);
        // What is tried is no sample of the search.
        self.sampling.samples = false;
        if let Some(layer) = dear.next() {
            self.order = self.best_order(layer.samples, question, meter, each);
        }
        self.sampling = Sampling {
            order: Some(self.order),
            tries: self.sampling.tries.saturating_mul(LATER),
            samples: true,
            ..self.sampling
        };
        None
    }

    /// Tries all orders on as many samples as the present one decides with `most` positions.
    fn best_order(&mut self, mut samples: Vec<G>, question: &Question, meter: &mut Meter<'_>, most: u64) -> Order {
        // What another solver knows is no merit of an order.
        let beside = self.beside.take();
        let table = std::mem::take(&mut self.table);
        let (usage, learned, present) = (self.usage, self.learned.clone(), self.order);
        let (cost, count) = self.cost_of(&samples, question, meter, most);
        samples.truncate(count);
        let says = samples.iter().any(|sample| sample.outlook() != 0);
        // A small difference may be chance, and what is best far down need not be best further up.
        let mut best = (cost - cost / 3, present);
        for (_, order) in Order::ALL {
            if order == present || order.looks == Looks::Outlook && !says {
                continue;
            }
            self.order = order;
            self.learned.clone_from(&learned);
            let (cost, count) = self.cost_of(&samples, question, meter, best.0);
            if count == samples.len() && cost < best.0 {
                best = (cost, order);
            }
        }
        (self.table, self.usage, self.learned) = (table, usage, learned);
        self.beside = beside;
        best.1
    }

    /// Positions that the samples cost with the order in hand, as far as `most` positions go, and how many samples are
    /// among them.
    fn cost_of(&mut self, samples: &[G], question: &Question, meter: &mut Meter<'_>, most: u64) -> (u64, usize) {
        self.table = Arc::new(Table::new(64 * 4096));
        self.usage = TableUse::default();
        let (began, mut cost) = (meter.done(), 0);
        for (count, sample) in samples.iter().enumerate() {
            let run = self.run(sample, question, meter, &mut |_, _| {}, began + most);
            if !matches!(run, Run::Decided(_)) {
                return (cost, count);
            }
            cost = meter.done() - began;
        }
        (cost, samples.len())
    }
}

//! Finding the order of moves that suits a game, by trying all orders on positions that the search has met.

use crate::game::{Game, PLY_LIMIT};
use crate::outcome::Player;
use crate::search::alphabeta::order::Order;
use crate::search::alphabeta::question::Question;
use crate::search::alphabeta::table::Table;
use crate::search::alphabeta::{Run, Solver};
use crate::search::budget::Meter;
use crate::search::table::TableUse;

/// A position that the search has decided.
pub(super) struct Sample<G> {
    state: G,
    /// Positions that it cost.
    work: u64,
}

/// Positions after which the orders are tried for the first time; each time after that there are so many times more.
const FIRST: u64 = 20_000;
const LATER: u64 = 8;
/// At most this part of the positions searched so far is spent on trying.
const PART: u64 = 5;
/// Samples that are kept.
const SAMPLES: usize = 64;
/// Random games that the history starts from.
const GAMES: u32 = 500;

/// When to try the orders and on what.
#[derive(Clone, Copy)]
pub(super) struct Sampling {
    /// The order that was best so far.
    pub order: Order,
    /// Positions after which to pause.
    pub pause: u64,
    /// The work of samples, and how many positions of that work were met.
    least: u64,
    most: u64,
    met: u64,
}

impl Default for Sampling {
    fn default() -> Self {
        Self { order: Order::ALL[1].1, pause: u64::MAX, least: u64::MAX, most: 0, met: 0 }
    }
}

impl Sampling {
    /// Prepares for a new question.
    pub(super) fn begin(&mut self, adapts: bool) {
        if adapts {
            self.expect(FIRST);
        } else {
            *self = Self::default();
        }
    }

    /// The next pause comes after so many positions, with samples that can then be paid for.
    fn expect(&mut self, pause: u64) {
        let each = pause / PART / Order::ALL.len() as u64;
        (self.pause, self.least, self.most, self.met) = (pause, each / 64, each / 8, 0);
    }

    /// Keeps a position that was decided if its work is right; which of them is left to their number.
    #[inline(always)]
    pub(super) fn consider<G: Game>(&mut self, samples: &mut Vec<Sample<G>>, state: G, work: u64) {
        if work < self.least || work > self.most || state.heap_bytes() > 0 {
            return;
        }
        self.keep(samples, state, work);
    }

    #[cold]
    fn keep<G: Game>(&mut self, samples: &mut Vec<Sample<G>>, state: G, work: u64) {
        self.met += 1;
        if samples.len() < SAMPLES {
            samples.push(Sample { state, work });
        } else {
            // Each of those met so far is there with the same probability.
            let at = (crate::rng::mix64(self.met) % self.met) as usize;
            if at < SAMPLES {
                samples[at] = Sample { state, work };
            }
        }
    }
}

impl<G: Game> Solver<G> {
    /// Tries all orders on the samples, after `done` positions, and goes on with the best.
    #[cold]
    pub(super) fn adapt(&mut self, start: &G, question: &Question, meter: &mut Meter<'_>, done: u64) {
        let mut samples = std::mem::take(&mut self.samples);
        if self.sampling.pause == FIRST && question.maximiser == Player::FIRST {
            self.learned.seed(start, GAMES, PLY_LIMIT);
        }
        // Those of the most usual work, as many as can be paid for.
        let mut paid = 0;
        let all = done / PART / Order::ALL.len() as u64;
        samples.retain(|sample| {
            paid += sample.work;
            paid - sample.work <= all
        });
        let next = self.sampling.pause * LATER;
        self.sampling.pause = u64::MAX;
        (self.sampling.least, self.sampling.most) = (u64::MAX, 0);
        if samples.len() >= 4 {
            let small = Table::new(64 * 4096);
            let table = std::mem::replace(&mut self.table, small);
            let usage = std::mem::take(&mut self.usage);
            let learned = self.learned.clone();
            let current = self.order;
            let mut best: Option<(u64, Order)> = None;
            let looks = samples.iter().any(|sample| sample.state.outlook() != 0);
            for order in std::iter::once(current).chain(Order::ALL.map(|(_, order)| order)) {
                if best.is_some() && order == current || order.outlook && !looks {
                    continue;
                }
                self.order = order;
                self.learned.clone_from(&learned);
                let most = best.map_or(4 * all, |(least, _)| least);
                if let Some(cost) = self.cost_of(&samples, question, meter, most)
                    && best.is_none_or(|(least, _)| cost < least)
                {
                    best = Some((cost, order));
                }
            }
            self.order = best.map_or(current, |(_, order)| order);
            self.learned = learned;
            (self.table, self.usage) = (table, usage);
        }
        self.sampling.order = self.order;
        self.sampling.expect(next);
    }

    /// Positions that the samples cost with the order in hand, unless there are more than `most`.
    fn cost_of(&mut self, samples: &[Sample<G>], question: &Question, meter: &mut Meter<'_>, most: u64) -> Option<u64> {
        self.table = Table::new(64 * 4096);
        self.usage = TableUse::default();
        let began = meter.done();
        for sample in samples {
            let run = self.run(&sample.state, question, meter, &mut |_, _, _| {}, began + most);
            if !matches!(run, Run::Decided(_)) {
                return None;
            }
        }
        Some(meter.done() - began)
    }
}

impl std::fmt::Debug for Sampling {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} until {}", self.order, self.pause)
    }
}

//! What alpha-beta remembers from one search to the next, as bytes: its table, and what it learned about moves.

use std::sync::Arc;

use super::adapt::{DEPTHS, Layer, SAMPLES};
use super::order::Rate;
use super::{Order, Solver};
use crate::game::Game;
use crate::search::saved::{self, Loader, MOST, Saver, wrong};
use crate::search::table::TableUse;

/// Killers of so many depths are read at most.
const DEEPEST: u64 = 1 << 16;
/// Bytes of a sample's text at most.
const LONGEST: usize = 1 << 20;

fn bits(rate: Rate) -> u64 {
    u64::from(rate.decided.to_bits()) | u64::from(rate.tried.to_bits()) << 32
}

impl<G: Game> Solver<G> {
    /// Writes down what is remembered from one search to the next.
    pub(crate) fn save(&self, to: &mut Saver<'_>) -> saved::Result<()> {
        self.usage.save(to)?;
        self.table.save(to)?;
        let order = |order: Order| 1 + Order::ALL.iter().position(|(_, other)| *other == order).unwrap_or(0) as u64;
        let sampling = &self.sampling;
        to.words([sampling.order.map_or(0, order), sampling.seeded.into(), sampling.tries, sampling.samples.into()])?;
        to.word(sampling.early)?;
        to.words(self.learned.history.iter().map(|&rate| bits(rate)))?;
        to.words(self.learned.chances.iter().map(|&chance| u64::from(chance as u32)))?;
        to.word(self.learned.killers.len() as u64)?;
        to.words(self.learned.killers.iter().map(|[first, second]| u64::from(*first) | u64::from(*second) << 16))?;
        to.word(self.layers.len() as u64)?;
        for layer in &self.layers {
            to.words([layer.count, layer.work, layer.samples.len() as u64])?;
            layer.samples.iter().try_for_each(|sample| to.text(&sample.position_text()))?;
        }
        Ok(())
    }

    /// Remembers what was saved, after a [`reset`](Solver::reset) to the bytes of that time. `start` is any position.
    pub(crate) fn restore(&mut self, start: &G, from: &mut Loader<'_>) -> saved::Result<()> {
        self.usage = TableUse::restore(self.table.capacity(), from)?;
        let mut table = std::mem::take(&mut self.table);
        Arc::get_mut(&mut table).ok_or_else(|| wrong("its table is in use"))?.restore(from)?;
        self.table = table;
        let order = from.at_most(Order::ALL.len() as u64)?;
        self.sampling.order = order.checked_sub(1).map(|at| Order::ALL[at as usize].1);
        self.sampling.seeded = from.flag()?;
        (self.sampling.tries, self.sampling.samples) = (from.word()?, from.flag()?);
        self.sampling.early = from.word()?;
        let learned = &mut self.learned;
        let (history, chances) = (&mut learned.history, &mut learned.chances);
        from.words(history.len(), |at, word| {
            let [decided, tried] = [f32::from_bits(word as u32), f32::from_bits((word >> 32) as u32)];
            history[at] = Rate { decided, tried };
        })?;
        from.words(chances.len(), |at, word| chances[at] = word as u32 as i32)?;
        let killers = from.at_most(DEEPEST)? as usize;
        learned.killers.resize(killers, [0; 2]);
        from.words(killers, |at, word| learned.killers[at] = [word as u16, (word >> 16) as u16])?;
        for _ in 0..from.at_most(DEPTHS as u64)? {
            let (count, work) = (from.at_most(MOST)?, from.at_most(MOST)?);
            let mut samples = Vec::new();
            for _ in 0..from.at_most(SAMPLES)? {
                let sample = start.parse_position(&from.text(LONGEST)?).ok();
                let sample = sample.filter(|sample| sample.outcome().is_none());
                samples.push(sample.ok_or_else(|| wrong("a position in it is of another game"))?);
            }
            self.layers.push(Layer { samples, count, work });
        }
        Ok(())
    }
}

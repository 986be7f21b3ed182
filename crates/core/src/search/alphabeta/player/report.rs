//! What a playing search says of itself.

use super::{Search, estimate};
use crate::evaluation::Logit;
use crate::game::Game;
use crate::search::budget::Stopped;
use crate::search::report::{MoveReport, Report};
use crate::search::without_search;

impl<G: Game> Search<'_, G> {
    pub(super) fn report(&self) -> Report<G::Move> {
        let mut moves: Vec<MoveReport<G::Move>> = Vec::with_capacity(self.root.len());
        for known in &self.root {
            let mean = match known.bounds.value() {
                Some(value) => f64::from(value.value()),
                None if self.judge.is_some() => Logit(known.score).mean().into(),
                None => {
                    f64::from(known.score.clamp(-estimate::LARGEST, estimate::LARGEST)) / f64::from(estimate::LARGEST)
                }
            };
            let (bounds, visits) = (known.bounds, known.steps);
            moves.push(MoveReport {
                m: known.m,
                visits,
                mean,
                at_most: known.at_most && known.bounds.value().is_none(),
                numbers: None,
                rank: None,
                bounds,
                terms: None,
                next: false,
            });
        }
        // What is proven comes first or last; of the others, the first in the list is the best. Behind it come those with a
        // value of their own, then those that took most work to refute.
        let others = moves.get_mut(1..).unwrap_or_default();
        others.sort_by_key(|m| (m.at_most, std::cmp::Reverse(if m.at_most { m.visits } else { 0 })));
        moves.sort_by_key(|m| (std::cmp::Reverse(m.bounds.least), std::cmp::Reverse(m.bounds.most)));
        let best = moves.first().map(|m| m.m);
        let line = if self.line.first() == best.as_ref() { self.line.clone() } else { best.into_iter().collect() };
        Report {
            best,
            bounds: self.bounds,
            line,
            moves,
            simulations: self.steps_of_all(),
            nodes: self.steps_of_all(),
            bytes: self.memory.table.bytes() + self.share.as_ref().map_or(0, |share| share.bytes),
            ..without_search(best, &self.meter, Stopped::Simulations)
        }
    }
}

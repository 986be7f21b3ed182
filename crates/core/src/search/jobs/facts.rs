//! Answers that one worker found and others may need.

use std::collections::{HashMap, VecDeque};

use crate::search::dfpn::ByKey;
use crate::search::jobs::Fact;

/// Answers that are kept.
const KEPT: usize = 1 << 17;

/// Answers in the order in which they came, and how far each place has heard of them.
#[derive(Default)]
pub(super) struct Facts {
    /// With the place that an answer came from.
    log: VecDeque<(Fact, Option<usize>)>,
    /// Answers that were in the log before its first one.
    dropped: u64,
    /// Positions that are in the log.
    known: ByKey<()>,
    heard: HashMap<usize, u64>,
}

impl Facts {
    /// Adds an answer that `place` has found, or nobody in particular.
    pub fn add(&mut self, fact: Fact, place: Option<usize>) {
        if self.known.insert(fact.key, ()).is_some() {
            return;
        }
        self.log.push_back((fact, place));
        if self.log.len() > KEPT
            && let Some((old, _)) = self.log.pop_front()
        {
            self.dropped += 1;
            self.known.remove(&old.key);
        }
    }

    /// What a place has not heard yet: those of `most` that took most work. The others are not sent to it any more.
    pub fn for_place(&mut self, place: usize, most: usize) -> Vec<Fact> {
        let all = self.dropped + self.log.len() as u64;
        let from = self.heard.insert(place, all).unwrap_or(0).saturating_sub(self.dropped) as usize;
        let others = self.log.range(from.min(self.log.len())..).filter(|(_, origin)| *origin != Some(place));
        let mut news: Vec<Fact> = others.map(|(fact, _)| *fact).collect();
        if news.len() > most {
            news.sort_by_key(|fact| (std::cmp::Reverse(fact.work), fact.key));
            news.truncate(most);
        }
        news
    }

    pub fn all(&self) -> impl ExactSizeIterator<Item = &Fact> {
        self.log.iter().map(|(fact, _)| fact)
    }
}

//! A table with the numbering it belongs to.

use plyproof_core::{Game, Indexing, Place, Wdl};
use serde::{Deserialize, Serialize};

use crate::values::Values;

/// The exact values of all positions of a numbering.
pub struct Table<I: Indexing> {
    indexing: I,
    values: Values,
}

/// How many positions have which value, for the player to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counts {
    /// Won by the player to move.
    pub win: u64,
    /// Drawn.
    pub draw: u64,
    /// Lost by the player to move.
    pub loss: u64,
}

/// The counts of positions with the same number of pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LayerCounts {
    /// Seeds or stones on the board.
    pub pieces: u32,
    /// Positions in which nobody is ahead in captured pieces; all of them where these do not count.
    pub even: Counts,
    /// All positions.
    pub all: Counts,
}

impl Counts {
    /// Counts one more.
    pub fn add(&mut self, value: Wdl) {
        match value {
            Wdl::Win => self.win += 1,
            Wdl::Draw => self.draw += 1,
            Wdl::Loss => self.loss += 1,
        }
    }

    /// All that was counted.
    pub fn total(&self) -> u64 {
        self.win + self.draw + self.loss
    }
}

impl<I: Indexing> Table<I> {
    /// A table of values that belong to `indexing`, one for each of its positions.
    pub(crate) fn new(indexing: I, values: Values) -> Self {
        Self { indexing, values }
    }

    /// The numbering of the positions.
    pub fn indexing(&self) -> &I {
        &self.indexing
    }

    /// The values by number.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// The value of a position for the player to move, if it is finished or in the table.
    pub fn value(&self, position: &I::Game) -> Option<Wdl> {
        match position.outcome() {
            Some(outcome) => Some(outcome.of(position.to_move())),
            None => match self.indexing.place(position) {
                Place::At(index) => self.values.at(index),
                Place::Known(value) => Some(value),
                Place::Outside => None,
            },
        }
    }

    /// Wins, draws and losses by the number of pieces, finished positions included.
    pub fn counts(&self) -> Vec<LayerCounts> {
        let mut counts: Vec<LayerCounts> = Vec::new();
        for layer in self.indexing.layers() {
            let mut found = Counts::default();
            layer.positions.filter_map(|index| self.values.at(index)).for_each(|value| found.add(value));
            if counts.last().is_none_or(|last| last.pieces != layer.pieces) {
                counts.push(LayerCounts { pieces: layer.pieces, ..LayerCounts::default() });
            }
            if let Some(last) = counts.last_mut() {
                let sums = [Some(&mut last.all), layer.even.then_some(&mut last.even)];
                for sum in sums.into_iter().flatten() {
                    sum.win += found.win;
                    sum.draw += found.draw;
                    sum.loss += found.loss;
                }
            }
        }
        counts
    }
}

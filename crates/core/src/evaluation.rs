//! Judgements of positions that no search has decided: what a learned evaluation, or a rule of thumb, tells a search.
//!
//! A judgement is never a proof. Searches use it to choose what to look at and what to play; values that are reported as
//! proven, and certificates, never rest on it.

use crate::game::Game;

/// Judges unfinished positions of a game. One evaluator is shared by all threads of a search.
pub trait Evaluator<G: Game>: Send + Sync {
    /// What one thread judges positions with. It may keep what it computed for one position and reuse it for the next,
    /// but its answers depend on the position alone.
    fn judge(&self) -> Box<dyn Judge<G>>;

    /// What it is called in reports and records, on one line: the name and the digest of a file, say.
    fn name(&self) -> &str;

    /// How the default agent should use it, as far as that was measured.
    fn best_use(&self) -> BestUse {
        BestUse::Tree
    }
}

/// The search that plays best by the judgements of an [`Evaluator`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BestUse {
    /// Play-outs do better than its judgements.
    Nowhere,
    /// Monte-Carlo tree search, which judges leaves in place of play-outs.
    Tree,
    /// Alpha-beta search by iterative deepening.
    AlphaBeta,
}

impl BestUse {
    /// Every one.
    pub const ALL: [Self; 3] = [Self::Nowhere, Self::Tree, Self::AlphaBeta];

    /// The word for it in files and reports.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Nowhere => "nowhere",
            Self::Tree => "tree",
            Self::AlphaBeta => "alpha-beta",
        }
    }
}

/// The part of an [`Evaluator`] that belongs to one thread.
pub trait Judge<G: Game>: Send {
    /// How an unfinished position looks for the player to move.
    ///
    /// `depth` is the number of moves from the root of the search: positions are judged mostly along lines, so that what
    /// was computed for the last position at a depth differs little from what the next one needs. It is only a hint.
    fn value(&mut self, position: &G, depth: usize) -> Logit;

    /// How each of `moves`, all of the legal moves, looks for the player to move: larger is better, and differences count
    /// as logarithms of ratios of probabilities, in the units of [`Logit`]. False, and nothing appended, where the
    /// evaluator has no opinion about moves.
    fn priors(&mut self, _position: &G, _moves: &[G::Move], _into: &mut Vec<i32>) -> bool {
        false
    }

    /// The values of several positions at once, appended in order.
    fn values(&mut self, positions: &[G], into: &mut Vec<Logit>) {
        for (index, position) in positions.iter().enumerate() {
            into.push(self.value(position, index));
        }
    }
}

/// An expected result on a logarithmic scale: with the expected score `p` from 0 (a loss) to 1 (a win), it is
/// `ln(p / (1 - p))` times [`Logit::ONE`], rounded. An integer, so that searches are the same on every machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Logit(pub i32);

impl Logit {
    /// The size of 1: an expected score of 0.731.
    pub const ONE: i32 = 256;
    /// The largest and, with the other sign, the smallest logit: beyond it there is nothing to tell apart.
    pub const LARGEST: i32 = 24 * Self::ONE;

    /// The logit within the limits.
    pub fn new(value: i32) -> Self {
        Self(value.clamp(-Self::LARGEST, Self::LARGEST))
    }

    /// The expected result, from -1 (a loss) to 1 (a win), the same on every machine.
    pub fn mean(self) -> f32 {
        Self::mean_of(f64::from(self.0) / f64::from(Self::ONE)) as f32
    }

    /// The expected result, from -1 to 1, for a logit as a natural logarithm: computed with operations that are exact by
    /// standard, so that it is the same on every machine.
    pub fn mean_of(natural: f64) -> f64 {
        // tanh(x / 2) by the continued fraction of Lambert, which is exact to seven digits for |x| / 2 up to 4.
        let largest = f64::from(Self::LARGEST / Self::ONE);
        let half = natural.clamp(-largest, largest) / 2.0;
        // tanh(2y) = 2 tanh(y) / (1 + tanh(y)²), twice, extends that to all logits.
        let y = half / 4.0;
        let square = y * y;
        let fraction = y * (135_135.0 + square * (17_325.0 + square * (378.0 + square)))
            / (135_135.0 + square * (62_370.0 + square * (3_150.0 + square * 28.0)));
        let once = 2.0 * fraction / (1.0 + fraction * fraction);
        2.0 * once / (1.0 + once * once)
    }
}

impl std::ops::Neg for Logit {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_of_a_logit_is_the_hyperbolic_tangent_of_its_half() {
        let mut before = -1.0;
        for value in -Logit::LARGEST..=Logit::LARGEST {
            let exact = (f64::from(value) / f64::from(2 * Logit::ONE)).tanh();
            let mean = Logit(value).mean();
            assert!((f64::from(mean) - exact).abs() < 2e-6, "{value}: {mean} instead of {exact}");
            assert!(mean >= before && mean.abs() <= 1.0, "{value}: {mean}");
            assert_eq!(Logit(-value).mean(), -mean);
            before = mean;
        }
    }
}

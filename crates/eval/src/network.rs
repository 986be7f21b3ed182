//! The network: one hidden layer over the features of a position, in integers.

use plyproof_core::{Logit, Rng};

use wide::i16x16;

use crate::kernel::{WIDTH, pack};

/// The activation of a unit that is fully on, and the size of 1 in weights and biases of the hidden layer.
pub(crate) const ONE: i16 = 255;
/// The largest weight of the output: with it, an activation times a weight fits 16 bits.
pub(crate) const LARGEST_OUTPUT: i16 = 127;
/// The largest weight and bias of the hidden layer. A unit leaves 16 bits only where more than 60 features with such
/// weights come together.
pub(crate) const LARGEST_WEIGHT: i16 = 2 * ONE;
/// The binary places of the factor that turns the sum of the output layer into a logit.
pub(crate) const SCALE_BITS: u32 = 32;

/// A network that judges positions by their features.
///
/// With `F` the features that the position has, the value in units of [`Logit`] is
/// ```text
/// input[u]  = bias[u] + Σ { weight[f][u] : f in F }          16 bits, which wrap
/// active[u] = min(max(input[u], 0), 255)
/// value     = offset + ⌊ scale · Σ active[u]² · output[u] / 2^32 ⌋
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    features: usize,
    pub(crate) biases: Vec<i16x16>,
    /// For each feature a row of its weights to all units.
    pub(crate) weights: Vec<i16x16>,
    pub(crate) output: Vec<i16x16>,
    pub(crate) scale: i32,
    pub(crate) offset: i32,
}

impl Network {
    /// The most features: training stores each in 16 bits.
    pub const MOST_FEATURES: usize = 1 << 16;
    /// The most hidden units: with more, the sum of the output layer might leave 32 bits.
    pub const MOST_HIDDEN: usize = 256;

    /// A network with these numbers. The weights of the hidden layer are given feature by feature.
    ///
    /// # Panics
    /// If a size or a number is beyond its limit, or the sizes do not fit each other.
    pub(crate) fn new(biases: &[i16], weights: &[i16], output: &[i16], scale: i32, offset: i32) -> Self {
        let features = weights.len() / biases.len();
        let fits = Self::is_size(features, biases.len()) && weights.len() == features * biases.len();
        assert!(fits && output.len() == biases.len(), "the sizes of a network do not fit");
        assert!(Self::are_outputs(output), "an output weight is too large");
        let [biases, weights, output] = [biases, weights, output].map(pack);
        Self { features, biases, weights, output, scale, offset }
    }

    /// Whether a network may have so many features and hidden units.
    pub(crate) fn is_size(features: usize, hidden: usize) -> bool {
        let units = hidden.is_multiple_of(WIDTH) && (1..=Self::MOST_HIDDEN).contains(&hidden);
        units && (1..=Self::MOST_FEATURES).contains(&features)
    }

    /// Whether all are within the limits of output weights.
    pub(crate) fn are_outputs(weights: &[i16]) -> bool {
        weights.iter().all(|weight| weight.unsigned_abs() <= LARGEST_OUTPUT.unsigned_abs())
    }

    /// The number of features.
    pub fn features(&self) -> usize {
        self.features
    }

    /// The number of hidden units.
    pub fn hidden(&self) -> usize {
        self.biases.len() * WIDTH
    }

    /// The weights of a feature to the hidden units.
    pub(crate) fn row(&self, feature: usize) -> impl Iterator<Item = i16> {
        let groups = self.biases.len();
        flat(&self.weights[feature * groups..][..groups])
    }

    /// The biases of the hidden units.
    pub(crate) fn all_biases(&self) -> impl Iterator<Item = i16> {
        flat(&self.biases)
    }

    /// The weights of the hidden units in the output.
    pub(crate) fn outputs(&self) -> impl Iterator<Item = i16> {
        flat(&self.output)
    }

    /// The words of a set of features.
    pub(crate) fn words(&self) -> usize {
        self.features.div_ceil(64)
    }

    /// The value for a sum of the output layer.
    #[inline(always)]
    pub(crate) fn scaled(&self, sum: i32) -> i32 {
        let scaled = (i64::from(sum) * i64::from(self.scale)) >> SCALE_BITS;
        (scaled as i32).saturating_add(self.offset)
    }

    /// Random numbers of the usual size, for tests and measurements.
    pub fn random(features: usize, hidden: usize, rng: &mut Rng) -> Self {
        let mut numbers = |count: usize, size: usize| -> Vec<i16> {
            (0..count).map(|_| rng.below(2 * size + 1) as i16 - size as i16).collect()
        };
        let (biases, weights) = (numbers(hidden, 100), numbers(features * hidden, 60));
        let output = numbers(hidden, LARGEST_OUTPUT as usize);
        Self::new(&biases, &weights, &output, Logit::ONE * 64, 17)
    }
}

fn flat(groups: &[i16x16]) -> impl Iterator<Item = i16> {
    groups.iter().flat_map(|group| group.to_array())
}

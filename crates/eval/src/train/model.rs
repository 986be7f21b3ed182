//! The network while it learns: numbers with fractions, their gradient, and the steps of Adam.
//!
//! Only operations that the standard for fractions defines exactly, in a fixed order: training is the same on every machine.

use plyproof_core::{Logit, Rng};

use super::game::Sample;
use crate::network::{LARGEST_OUTPUT, LARGEST_WEIGHT, Network, ONE, SCALE_BITS};

/// Decay of the mean of gradients and of their squares, and what keeps a quotient finite (Kingma and Ba, 2015).
const MEAN_DECAY: f32 = 0.9;
const SQUARE_DECAY: f32 = 0.999;
const SMALL: f32 = 1e-8;

/// What is learned: weights of the features row by row, then biases, then weights of the output, then its offset.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Model {
    hidden: usize,
    numbers: Vec<f32>,
    means: Vec<f32>,
    squares: Vec<f32>,
    gradient: Vec<f32>,
    /// Whether a feature ever occurred. The rows of the others are 0.
    seen: Vec<bool>,
    /// What the first zeros still weigh in the means of gradients and of their squares.
    left: [f32; 2],
    seed: u64,
    /// Of a first weight at most.
    size: f32,
    inputs: Vec<f32>,
}

impl Model {
    /// A model that knows nothing, for positions with about `active` features each.
    pub(crate) fn new(features: usize, hidden: usize, active: usize, seed: u64) -> Self {
        let count = (features + 2) * hidden + 1;
        let [numbers, means, squares, gradient] = std::array::from_fn(|_| vec![0.0; count]);
        let size = (0.5 / active.max(1) as f32).sqrt();
        let (seen, inputs) = (vec![false; features], vec![0.0; hidden]);
        let mut model = Self { hidden, numbers, means, squares, gradient, seen, left: [1.0; 2], seed, size, inputs };
        let (biases, mut rng) = (features * hidden, Rng::stream(seed, u64::MAX));
        let output = (2.0 / hidden as f32).sqrt();
        for unit in 0..hidden {
            model.numbers[biases + unit] = 0.5 * rng.unit() as f32;
            model.numbers[biases + hidden + unit] = output * (2.0 * rng.unit() as f32 - 1.0);
        }
        model
    }

    fn features(&self) -> usize {
        self.seen.len()
    }

    /// Gives every feature of the sample its first weights, at random, if it was never seen before.
    pub(crate) fn see(&mut self, features: &[u16]) {
        for &feature in features {
            if !std::mem::replace(&mut self.seen[usize::from(feature)], true) {
                let mut rng = Rng::stream(self.seed, feature.into());
                for weight in &mut self.numbers[usize::from(feature) * self.hidden..][..self.hidden] {
                    *weight = self.size * (2.0 * rng.unit() as f32 - 1.0);
                }
            }
        }
    }

    /// The natural logit of the expected result. The inputs of the hidden units stay for
    /// [`add_gradient`](Self::add_gradient).
    pub(crate) fn value(&mut self, features: &[u16]) -> f32 {
        let (hidden, biases) = (self.hidden, self.features() * self.hidden);
        let inputs = &mut self.inputs[..];
        inputs.copy_from_slice(&self.numbers[biases..][..hidden]);
        for &feature in features {
            add(inputs, &self.numbers[usize::from(feature) * hidden..][..hidden]);
        }
        // Sixteen partial sums, so that the processor can add several at once.
        let (mut sums, output) = ([0.0_f32; 16], &self.numbers[biases + hidden..]);
        for (inputs, output) in inputs.chunks_exact(16).zip(output.chunks_exact(16)) {
            for i in 0..16 {
                let active = inputs[i].clamp(0.0, 1.0);
                sums[i] += active * active * output[i];
            }
        }
        sums.iter().sum::<f32>() + self.numbers[biases + 2 * hidden]
    }

    /// Adds the gradient of the log loss of a sample.
    pub(crate) fn add_gradient(&mut self, sample: &Sample) {
        let slope = chance(self.value(&sample.features)) - sample.target;
        let (hidden, biases) = (self.hidden, self.features() * self.hidden);
        self.gradient[biases + 2 * hidden] += slope;
        let output = &self.numbers[biases + hidden..][..hidden];
        let (rows, rest) = self.gradient.split_at_mut(biases);
        let (of_biases, of_output) = rest.split_at_mut(hidden);
        // From here on the inputs hold their own gradient.
        for (((input, output), of_bias), of_output) in self.inputs.iter_mut().zip(output).zip(of_biases).zip(of_output)
        {
            let active = input.clamp(0.0, 1.0);
            *of_output += slope * active * active;
            *input = if *input > 0.0 && *input < 1.0 { 2.0 * slope * output * active } else { 0.0 };
            *of_bias += *input;
        }
        for &feature in &*sample.features {
            add(&mut rows[usize::from(feature) * hidden..][..hidden], &self.inputs);
        }
    }

    /// Makes a step by the mean of the gradients of `samples` samples, and forgets them.
    pub(crate) fn step(&mut self, samples: usize, rate: f32) {
        self.left = [self.left[0] * MEAN_DECAY, self.left[1] * SQUARE_DECAY];
        let (rate, second, share) = (rate / (1.0 - self.left[0]), 1.0 - self.left[1], 1.0 / samples as f32);
        let (hidden, features) = (self.hidden, self.features());
        for row in 0..features + 3 {
            if row < features && !self.seen[row] {
                continue;
            }
            let range = row * hidden..((row + 1) * hidden).min(self.numbers.len());
            let numbers = self.numbers[range.clone()].iter_mut().zip(&mut self.gradient[range.clone()]);
            let moments = self.means[range.clone()].iter_mut().zip(&mut self.squares[range]);
            for ((number, slope), (mean, square)) in numbers.zip(moments) {
                let gradient = std::mem::take(slope) * share;
                *mean = MEAN_DECAY * *mean + (1.0 - MEAN_DECAY) * gradient;
                *square = SQUARE_DECAY * *square + (1.0 - SQUARE_DECAY) * gradient * gradient;
                *number -= rate * *mean / ((*square / second).sqrt() + SMALL);
            }
            if row <= features {
                let largest = f32::from(LARGEST_WEIGHT) / f32::from(ONE);
                self.numbers[row * hidden..][..hidden].iter_mut().for_each(|n| *n = n.clamp(-largest, largest));
            }
        }
    }

    /// The network with these numbers, rounded.
    pub(crate) fn network(&self) -> Network {
        let (hidden, biases) = (self.hidden, self.features() * self.hidden);
        let (weights, rest) = self.numbers.split_at(biases);
        let whole = |number: &f32| round(number * f32::from(ONE)) as i16;
        let rounded: Vec<i16> = weights.iter().map(whole).collect();
        let rounded_biases: Vec<i16> = rest[..hidden].iter().map(whole).collect();
        let output = &rest[hidden..2 * hidden];
        let largest = output.iter().fold(1e-3_f32, |largest, weight| largest.max(weight.abs()));
        let unit = largest / f32::from(LARGEST_OUTPUT);
        let output: Vec<i16> = output.iter().map(|weight| round(weight / unit) as i16).collect();
        let square = f64::from(ONE) * f64::from(ONE);
        let scale = f64::from(unit) * f64::from(Logit::ONE) * (1_u64 << SCALE_BITS) as f64 / square;
        let offset = round(rest[2 * hidden] * Logit::ONE as f32);
        Network::new(&rounded_biases, &rounded, &output, scale as i32, offset as i32)
    }

    /// All that a checkpoint has to hold: which features were seen, and the numbers.
    pub(crate) fn parts(&mut self) -> (&mut [bool], [&mut [f32]; 4]) {
        (&mut self.seen, [&mut self.numbers, &mut self.means, &mut self.squares, &mut self.left])
    }
}

/// The expected score, from 0 to 1, of a natural logit.
pub(crate) fn chance(logit: f32) -> f32 {
    (0.5 + 0.5 * Logit::mean_of(logit.into())) as f32
}

fn round(number: f32) -> f32 {
    number.round_ties_even()
}

fn add(to: &mut [f32], row: &[f32]) {
    for (sum, number) in to.iter_mut().zip(row) {
        *sum += number;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random_sample(features: usize, rng: &mut Rng) -> Sample {
        let chosen = (0..features as u16).filter(|_| rng.below(3) == 0).collect();
        Sample { features: chosen, target: rng.unit() as f32 }
    }

    /// Of the target, up to a constant.
    fn loss(model: &mut Model, sample: &Sample) -> f64 {
        let value = f64::from(model.value(&sample.features));
        // ln(1 + e^v) - t v.
        value.exp().ln_1p() - f64::from(sample.target) * value
    }

    fn learned(samples: &[Sample], steps: usize) -> Model {
        let mut model = Model::new(30, 16, 10, 1);
        samples.iter().for_each(|sample| model.see(&sample.features));
        for _ in 0..steps {
            samples.iter().for_each(|sample| model.add_gradient(sample));
            model.step(samples.len(), 0.01);
        }
        model
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_loss() {
        let mut rng = Rng::new(4);
        let samples: Vec<Sample> = (0..5).map(|_| random_sample(30, &mut rng)).collect();
        let mut model = learned(&samples, 3);
        samples.iter().for_each(|sample| model.add_gradient(sample));
        let mut larger_than_nothing = 0;
        for at in 0..model.numbers.len() {
            let (step, number) = (1e-3, model.numbers[at]);
            let mut loss_at = |shift: f32| -> f64 {
                model.numbers[at] = number + shift;
                samples.iter().map(|sample| loss(&mut model, sample)).sum()
            };
            let slope = (loss_at(step) - loss_at(-step)) / f64::from(2.0 * step);
            model.numbers[at] = number;
            let gradient = f64::from(model.gradient[at]);
            assert!((slope - gradient).abs() < 2e-3 + 0.02 * slope.abs(), "number {at}: {gradient}, slope {slope}");
            larger_than_nothing += usize::from(gradient.abs() > 0.02);
        }
        assert!(larger_than_nothing > 100, "{larger_than_nothing}");
    }

    #[test]
    fn steps_lead_to_the_targets() {
        let mut rng = Rng::new(5);
        let samples: Vec<Sample> = (0..20).map(|_| random_sample(30, &mut rng)).collect();
        let mut model = learned(&samples, 2000);
        for sample in &samples {
            let found = chance(model.value(&sample.features));
            assert!((found - sample.target).abs() < 0.02, "{found} {}", sample.target);
        }
    }

    #[test]
    fn the_network_in_integers_has_the_values_of_the_model() {
        use crate::kernel::Memory;
        let mut rng = Rng::new(6);
        let samples: Vec<Sample> = (0..20).map(|_| random_sample(30, &mut rng)).collect();
        let mut model = learned(&samples, 500);
        let network = model.network();
        let mut memory = Memory::new(&network, 2);
        for sample in &samples {
            let word = sample.features.iter().fold(0, |word, feature| word | 1 << feature);
            let (found, exact) = (memory.value(&network, &[word], &[1, 0]), model.value(&sample.features));
            assert!((found as f32 - exact * 256.0).abs() < 8.0 + 0.02 * exact.abs() * 256.0, "{found} {exact}");
        }
    }
}

//! The loops over the units of a network. All of it is arithmetic on integers, which is the same on every machine.

use wide::{i16x16, i32x8};

use crate::network::{Network, ONE};

/// Units in one group.
pub(crate) const WIDTH: usize = 16;

/// A group for every sixteen numbers.
pub(crate) fn pack(numbers: &[i16]) -> Vec<i16x16> {
    let (groups, rest) = numbers.as_chunks::<WIDTH>();
    assert!(rest.is_empty(), "units come in sixteens");
    groups.iter().map(|&group| i16x16::new(group)).collect()
}

/// Accumulators of a few positions: for each the words of its features and the sums that they give the units.
pub(crate) struct Memory {
    words: Vec<u64>,
    sums: Vec<i16x16>,
    added: Vec<u32>,
    removed: Vec<u32>,
}

impl Memory {
    /// Memory for `places` positions, each of which holds the position without features.
    pub(crate) fn new(network: &Network, places: usize) -> Self {
        Self {
            words: vec![0; network.words() * places],
            sums: network.biases.repeat(places),
            added: Vec::new(),
            removed: Vec::new(),
        }
    }

    /// The value, in the units of a logit, of the position with these features. The sums are those of the place among
    /// `candidates` that differs in the fewest features, updated, and are stored in the first of these places.
    #[inline]
    pub(crate) fn value(&mut self, network: &Network, features: &[u64], candidates: &[usize]) -> i32 {
        let (words, groups) = (features.len(), network.biases.len());
        assert_eq!(words, network.words(), "the position is of another game than the network");
        let (mut from, mut fewest) = (candidates[0], u32::MAX);
        for &place in candidates {
            let stored = &self.words[place * words..][..words];
            let different = stored.iter().zip(features).map(|(old, new)| (old ^ new).count_ones()).sum();
            if different < fewest {
                (from, fewest) = (place, different);
            }
        }
        self.added.clear();
        self.removed.clear();
        let place = candidates[0];
        for (word, &new) in features.iter().enumerate() {
            let old = self.words[from * words + word];
            append_bits(new & !old, word, &mut self.added);
            append_bits(old & !new, word, &mut self.removed);
            self.words[place * words + word] = new;
        }
        let (mut sum, mut group) = (0, 0);
        // The sums of a block stay in registers from the first change to the output.
        while group + 4 <= groups {
            sum += self.block::<4>(network, from * groups, place * groups, group);
            group += 4;
        }
        while group < groups {
            sum += self.block::<1>(network, from * groups, place * groups, group);
            group += 1;
        }
        network.scaled(sum)
    }

    /// Updates `WIDE` groups and returns what they contribute to the output.
    #[inline(always)]
    fn block<const WIDE: usize>(&mut self, network: &Network, from: usize, to: usize, group: usize) -> i32 {
        let groups = network.biases.len();
        let mut sums: [i16x16; WIDE] = *self.sums[from + group..].first_chunk().expect("groups of units");
        let row = |feature: u32| -> &[i16x16; WIDE] {
            network.weights[feature as usize * groups + group..].first_chunk().expect("a row of weights")
        };
        for &feature in &self.added {
            let row = row(feature);
            sums = std::array::from_fn(|i| sums[i] + row[i]);
        }
        for &feature in &self.removed {
            let row = row(feature);
            sums = std::array::from_fn(|i| sums[i] - row[i]);
        }
        self.sums[to + group..][..WIDE].copy_from_slice(&sums);
        let mut products = i32x8::ZERO;
        for (sum, &output) in sums.into_iter().zip(&network.output[group..]) {
            let active = sum.max(i16x16::ZERO).min(i16x16::splat(ONE));
            // An activation times a weight fits 16 bits, so that the other product is that of two numbers of 16 bits.
            products += (active * output).dot(active);
        }
        products.reduce_add()
    }
}

#[inline(always)]
fn append_bits(mut bits: u64, word: usize, into: &mut Vec<u32>) {
    while bits != 0 {
        into.push((word * 64) as u32 + bits.trailing_zeros());
        bits &= bits - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plyproof_core::Rng;

    #[test]
    fn values_along_a_line_agree_with_plain_sums_of_large_integers() {
        for hidden in [16, 64, 80, 256] {
            let mut rng = Rng::new(hidden as u64);
            let network = Network::random(200, hidden, &mut rng);
            let mut memory = Memory::new(&network, 4);
            let mut words = [0_u64; 4];
            for step in 0..300 {
                for _ in 0..rng.below(9) {
                    let feature = rng.below(200);
                    words[feature / 64] ^= 1 << (feature % 64);
                }
                let candidates = [1 + step % 3, 1 + (step + 1) % 3, 0];
                let value = memory.value(&network, &words, &candidates);
                assert_eq!(value, by_definition(&network, &words), "{hidden} {step}");
            }
        }
    }

    /// The value as the documentation of the network has it.
    fn by_definition(network: &Network, words: &[u64]) -> i32 {
        let groups = network.biases.len();
        let features = (0..network.features()).filter(|f| words[f / 64] >> (f % 64) & 1 != 0);
        let features: Vec<usize> = features.collect();
        let mut sum = 0_i64;
        for unit in 0..network.hidden() {
            let (group, at) = (unit / 16, unit % 16);
            let mut input = i64::from(network.biases[group].to_array()[at]);
            input +=
                features.iter().map(|f| i64::from(network.weights[f * groups + group].to_array()[at])).sum::<i64>();
            let clipped = input.clamp(0, 255);
            sum += clipped * clipped * i64::from(network.output[group].to_array()[at]);
        }
        let scaled = (i128::from(sum) * i128::from(network.scale)).div_euclid(1 << 32);
        (scaled + i128::from(network.offset)) as i32
    }
}

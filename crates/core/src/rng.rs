//! The random generator of every search and play-out: small, fast, and the same in every release.

/// A seeded generator of 64-bit words.
///
/// The step is "wyrand" by Wang Yi: a counter with an odd increment, mixed by one 64x64 -> 128 bit multiplication.
/// The only dependency from one word to the next is an addition, so a processor can work on several words at once.
/// A seed means the same sequence in every release and on every machine; fixed test vectors hold it to that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng {
    state: u64,
}

impl Rng {
    /// A generator for `seed`. Neighbouring seeds give unrelated sequences.
    pub fn new(seed: u64) -> Self {
        Self { state: mix64(seed) }
    }

    /// The `index`-th of many independent generators under one seed, for example one a game of a match.
    pub fn stream(seed: u64, index: u64) -> Self {
        Self::new(mix64(seed ^ mix64(index.wrapping_add(0x5851_f42d_4c95_7f2d))))
    }

    /// Sixty-four random bits.
    #[inline(always)]
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0xa076_1d64_78bd_642f);
        let product = u128::from(self.state) * u128::from(self.state ^ 0xe703_7ed1_a0b4_28db);
        ((product >> 64) ^ product) as u64
    }

    /// A number in `0..n`, or 0 when `n` is 0. The chance of any two numbers differs by less than `n / 2^64`.
    #[inline(always)]
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next_u64()) * n as u128) >> 64) as usize
    }

    /// A number in `0.0..1.0` with 53 random bits.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Puts `items` into a uniformly random order (Fisher-Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

/// A bijection on 64-bit words that spreads every input bit over the output (the finaliser of SplitMix64).
///
/// Board games use it to make Zobrist tables at compile time.
pub const fn mix64(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_means_the_same_sequence_in_every_release() {
        let mut rng = Rng::new(0);
        let words: Vec<u64> = (0..3).map(|_| rng.next_u64()).collect();
        assert_eq!(words, VECTORS_0);
        let mut rng = Rng::stream(7, 3);
        assert_eq!([rng.next_u64(), rng.next_u64()], VECTORS_7_3);
        assert_eq!(mix64(0), 0xe220_a839_7b1d_cdaf, "the published first output of SplitMix64 for seed 0");
    }

    const VECTORS_0: [u64; 3] = [0x7950_d340_a3b9_a42d, 0xbe1a_7908_2232_3877, 0xdc88_64b5_8f7f_72c8];
    const VECTORS_7_3: [u64; 2] = [0x4f5b_95de_256f_e53e, 0x1b08_22c7_ae5d_e51a];

    #[test]
    fn below_stays_below_and_reaches_everything() {
        let mut rng = Rng::new(1);
        for n in 1..40 {
            let mut seen = vec![0u32; n];
            for _ in 0..n * 200 {
                seen[rng.below(n)] += 1;
            }
            assert!(seen.iter().all(|&count| (100..340).contains(&count)), "{n}: {seen:?}");
        }
        assert_eq!(rng.below(0), 0);
    }

    #[test]
    fn unit_has_the_mean_and_variance_of_a_uniform_number() {
        let mut rng = Rng::new(2);
        let draws: Vec<f64> = (0..100_000).map(|_| rng.unit()).collect();
        let mean = draws.iter().sum::<f64>() / 1e5;
        let variance = draws.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 1e5;
        assert!((mean - 0.5).abs() < 0.005 && (variance - 1.0 / 12.0).abs() < 0.002);
        assert!(draws.iter().all(|x| (0.0..1.0).contains(x)));
    }

    #[test]
    fn every_order_of_a_shuffle_is_equally_likely() {
        let mut rng = Rng::new(3);
        let mut seen = std::collections::HashMap::new();
        for _ in 0..24_000 {
            let mut items = [0, 1, 2, 3];
            rng.shuffle(&mut items);
            *seen.entry(items).or_insert(0) += 1;
        }
        assert_eq!(seen.len(), 24);
        assert!(seen.values().all(|count| (850..1150).contains(count)), "{seen:?}");
    }
}

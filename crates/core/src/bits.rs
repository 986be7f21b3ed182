//! Bits of words.

/// Index of the `n`-th set bit, counted from 0. There must be more than `n`.
///
/// Without a loop: better where `n` may be large, since a loop of random length is mispredicted.
///
/// Counts the bits of every byte, sums the counts by a multiplication, and compares all sums with `n` at once; then the
/// same for the bits of the byte found (broadword selection; Vigna, "Broadword implementation of rank/select queries", 2008).
#[inline(always)]
pub fn select_bit(mask: u64, n: usize) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHS: u64 = ONES << 7;
    // How many of eight ascending sums, one a byte and none above 64, are at most `n`.
    let at_most = |sums: u64, n: u64| (((((n * ONES) | HIGHS) - sums) & HIGHS) >> 7).wrapping_mul(ONES) >> 56;
    let pairs = mask - (mask >> 1 & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let sums = ((fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f).wrapping_mul(ONES);
    let place = (at_most(sums, n as u64) * 8) & 63;
    let rest = n as u64 - (sums << 8 >> place & 0xff);
    let spread = (mask >> place & 0xff).wrapping_mul(ONES) & 0x8040_2010_0804_0201;
    let sums = ((spread + 0x7f7f_7f7f_7f7f_7f7f) >> 7 & ONES).wrapping_mul(ONES);
    (place + at_most(sums, rest)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_is_found_by_its_place() {
        for seed in 0..200 {
            let mask = crate::mix64(seed) & crate::mix64(seed + 1000);
            let bits = (0..64).filter(|bit| mask >> bit & 1 != 0);
            bits.enumerate().for_each(|(place, bit)| assert_eq!(select_bit(mask, place), bit));
        }
    }
}

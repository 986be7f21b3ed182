//! The square root of the logarithm of a visit count, equal to the last bit on every machine.
//!
//! The floating-point standard defines addition, multiplication, division and square root exactly, but not the
//! logarithm of a system library; so the logarithm is computed here from exact operations.

use std::sync::OnceLock;

/// Natural logarithm of a whole number from 1, from exact operations only. Right to about 15 digits.
///
/// `n = 2^e * m` with `m` in `[1, 2)`, and `ln m = 2 atanh((m - 1) / (m + 1))` by its series.
pub fn ln(n: u64) -> f64 {
    let n = n.max(1);
    let exponent = n.ilog2();
    let m = n as f64 / (1u64 << exponent) as f64;
    let z = (m - 1.0) / (m + 1.0);
    let square = z * z;
    // |z| <= 1/3, so the terms fall ninefold and twenty leave nothing.
    let series = (0..20).rev().fold(0.0, |sum, i| sum * square + 1.0 / f64::from(2 * i + 1));
    f64::from(exponent) * std::f64::consts::LN_2 + 2.0 * z * series
}

const TABLED: usize = 1 << 14;
/// How many bits of a count the logarithm of larger ones is looked up by.
const LEADING: u32 = 7;

#[derive(Debug)]
struct Tables {
    /// `sqrt(ln n)`.
    small: [f32; TABLED],
    /// For each number with so many bits behind its leading one: the middle of what begins with it, as a number from 1 to
    /// 2, by its inverse and its logarithm.
    leading: [(f64, f64); 1 << LEADING],
}

/// `sqrt(ln n)`, by a table for the small counts that nearly all nodes have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SqrtLn(&'static Tables);

impl SqrtLn {
    pub(crate) fn new() -> Self {
        static TABLES: OnceLock<Box<Tables>> = OnceLock::new();
        let middle = |n: usize| (2 * ((1 << LEADING) + n) + 1) as u64;
        let scale = ln(2 << LEADING);
        Self(TABLES.get_or_init(|| {
            Box::new(Tables {
                small: std::array::from_fn(|n| ln(n as u64).sqrt() as f32),
                leading: std::array::from_fn(|n| ((2 << LEADING) as f64 / middle(n) as f64, ln(middle(n)) - scale)),
            })
        }))
    }

    #[inline(always)]
    pub(crate) fn of(self, visits: u32) -> f32 {
        match self.0.small.get(visits as usize) {
            Some(&value) => value,
            None => self.of_many(visits),
        }
    }

    /// By `ln n = e ln 2 + ln c + ln(1 + r)` with `n = 2^e m` and `c` near `m`: four terms of the last one are enough,
    /// and quicker than [`ln`].
    fn of_many(self, visits: u32) -> f32 {
        let exponent = visits.ilog2();
        let (inverse, ln_c) = self.0.leading[(visits >> (exponent - LEADING)) as usize & ((1 << LEADING) - 1)];
        let r = f64::from(visits) / f64::from(1u32 << exponent) * inverse - 1.0;
        let rest = r * (1.0 - r * (1.0 / 2.0 - r * (1.0 / 3.0 - r / 4.0)));
        (f64::from(exponent) * std::f64::consts::LN_2 + ln_c + rest).sqrt() as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logarithm_is_right() {
        for n in (1..2000).chain((0..60).map(|e| 1 << e)).chain((1..50).map(|i| i * 987_654_321)) {
            let (ours, theirs) = (ln(n), (n as f64).ln());
            assert!((ours - theirs).abs() <= 4e-15 * theirs.max(1.0), "ln {n}: {ours} {theirs}");
        }
    }

    #[test]
    fn table_and_formula_agree() {
        let sqrt_ln = SqrtLn::new();
        for n in [1, 2, 3, 100, TABLED as u32 - 1, TABLED as u32, 1_000_000] {
            assert!((sqrt_ln.of(n) - f64::from(n).ln().sqrt() as f32).abs() < 1e-6);
        }
        let larger = (TABLED as u32..40_000).chain((0..20_000).map(|i| i * 214_741 + 16_385)).chain([u32::MAX]);
        let close = larger.filter(|&n| sqrt_ln.of(n) == ln(n.into()).sqrt() as f32).count();
        assert!(close >= 43_610, "{close} of 43,617 are rounded as the exact ones are");
        assert_eq!(sqrt_ln.of(7).to_bits(), 0x3fb2_8e03, "sqrt(ln 7) to the last bit");
    }
}

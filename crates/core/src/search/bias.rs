//! Five formulas that turn the proof numbers of siblings into a bonus between 0 and 1; `rank` is the paper's.
//!
//! `x` is the number by which a child is ranked; least, largest, sum and mean are those of the finite numbers:
//!
//! ```text
//! rank   1 - rank / worst rank                          log   1 - ln(1 + x - least) / ln(2 + largest - least)
//! max    1 - (x - least) / (1 + largest - least)        exp   e^(-(x - least) / (1 + mean - least))
//! sum    1 - x / (1 + sum)                              the bonus of an infinite x is 0
//! ```

use crate::search::bonus::{NodeStats, SelectionBonus};
use crate::search::proof::ProofNumber;
use crate::search::sqrt_ln::SqrtLn;
use crate::search::switches::Bias;

/// One of the formulas that are built in, but for ranks: selection has a faster way for those.
pub(crate) struct BuiltIn {
    pub bias: Bias,
    pub sqrt_ln: SqrtLn,
}

impl SelectionBonus for BuiltIn {
    fn write(&self, node: &NodeStats<'_>, bonuses: &mut [f32]) -> f32 {
        let keys = node.keys();
        let spread = Spread::of(self.bias, keys, node.unvisited(), self.sqrt_ln);
        for (bonus, &key) in bonuses.iter_mut().zip(keys) {
            *bonus = spread.bonus(key);
        }
        spread.bonus(ProofNumber::ONE.word())
    }
}

/// What the formulas need to know of all siblings.
#[derive(Clone, Copy, Debug)]
struct Spread {
    bias: Bias,
    least: f64,
    /// What differences, or numbers, are divided by.
    scale: f64,
    sqrt_ln: SqrtLn,
}

impl Spread {
    /// Of the numbers of the visited children, and of `open` unvisited ones that all have the number 1.
    fn of(bias: Bias, keys: &[u32], open: usize, sqrt_ln: SqrtLn) -> Self {
        let (mut least, mut most, mut sum, mut count) = (u32::MAX, 0, 0.0, 0.0);
        let unvisited = (open > 0).then_some((1, open as f64));
        for (key, times) in keys.iter().map(|&key| (key, 1.0)).chain(unvisited) {
            if key != u32::MAX {
                (least, most) = (least.min(key), most.max(key));
                sum += times * f64::from(key);
                count += times;
            }
        }
        let least = least.min(most);
        let range = f64::from(most - least);
        let scale = match bias {
            Bias::Rank | Bias::Own => 1.0,
            Bias::Max => 1.0 + range,
            Bias::Sum => 1.0 + sum,
            Bias::Log => f64::from(sqrt_ln.of((most - least).saturating_add(2))).powi(2),
            Bias::Exp => 1.0 + sum / f64::max(count, 1.0) - f64::from(least),
        };
        Self { bias, least: least.into(), scale, sqrt_ln }
    }

    /// The bonus of a child with the number `key`.
    #[inline(always)]
    fn bonus(&self, key: u32) -> f32 {
        if key == u32::MAX {
            return 0.0;
        }
        let above = f64::from(key) - self.least;
        let bonus = match self.bias {
            Bias::Rank | Bias::Own | Bias::Max => 1.0 - above / self.scale,
            Bias::Sum => 1.0 - f64::from(key) / self.scale,
            Bias::Log => 1.0 - f64::from(self.sqrt_ln.of((above as u32).saturating_add(1))).powi(2) / self.scale,
            Bias::Exp => exp_minus(above / self.scale),
        };
        bonus as f32
    }
}

/// `e^-y` for y from 0, from exact operations only: the same on every machine.
fn exp_minus(y: f64) -> f64 {
    if y > 700.0 {
        return 0.0;
    }
    let halvings = (y / std::f64::consts::LN_2).floor();
    let rest = y - halvings * std::f64::consts::LN_2;
    let series = (1..18).rev().fold(1.0, |sum, i| 1.0 - rest / f64::from(i) * sum);
    series * f64::from_bits((1023 - halvings as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers 2, 4, 9 and infinity, and three unvisited children of 1: least 1, largest 9, sum 18, mean 3.
    #[test]
    fn bonuses_worked_by_hand() {
        let of = |bias| {
            let spread = Spread::of(bias, &[2, 4, 9, u32::MAX], 3, SqrtLn::new());
            [2, 4, 9, u32::MAX, 1].map(|key| spread.bonus(key))
        };
        let near = |found: [f32; 5], expected: [f32; 5]| {
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-5), "{found:?}, not {expected:?}");
        };
        near(of(Bias::Max), [1.0 - 1.0 / 9.0, 1.0 - 3.0 / 9.0, 1.0 - 8.0 / 9.0, 0.0, 1.0]);
        near(of(Bias::Sum), [17.0 / 19.0, 15.0 / 19.0, 10.0 / 19.0, 0.0, 18.0 / 19.0]);
        let ln10 = 10f32.ln();
        near(of(Bias::Log), [1.0 - 2f32.ln() / ln10, 1.0 - 4f32.ln() / ln10, 1.0 - 9f32.ln() / ln10, 0.0, 1.0]);
        near(of(Bias::Exp), [(-1f32 / 3.0).exp(), (-1f32).exp(), (-8f32 / 3.0).exp(), 0.0, 1.0]);
    }

    #[test]
    fn the_exponential_is_right() {
        for y in [0.0, 1e-9, 0.1, 0.69, 0.7, 1.0, 5.5, 40.0, 690.0] {
            assert!((exp_minus(y) / (-y).exp() - 1.0).abs() < 1e-13, "{y}");
        }
        assert_eq!(exp_minus(1e9), 0.0);
    }

    #[test]
    fn no_finite_number_at_all_gives_no_bonus() {
        for bias in [Bias::Max, Bias::Sum, Bias::Log, Bias::Exp] {
            let spread = Spread::of(bias, &[u32::MAX, u32::MAX], 0, SqrtLn::new());
            assert_eq!(spread.bonus(u32::MAX), 0.0);
        }
    }
}

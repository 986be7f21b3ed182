//! Which child a simulation goes to: UCT, and UCT-PN with the rank of proof numbers added.

use wide::f32x4;

/// The numbers of one choice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Formula {
    /// `C * sqrt(ln n_parent)`; divided by the square root of the child's visits it is the exploration term.
    pub explore: f32,
    /// `C_pn`, or 0 where there are no ranks.
    pub bonus: f64,
    /// What ranks are divided by.
    pub worst_rank: f32,
}

/// Above this `C_pn` the sum no longer fits into 32-bit floats without losing the UCT part, and 64 bits are used.
const FINE: f64 = 16.0;

/// The child with the largest `mean + explore / sqrt(visits) + bonus * (1 - rank / worst_rank)`.
///
/// Of equal ones the first wins: children stand in the random order of their first visits.
/// With `w = 1 / sqrt(visits)` the first two terms are `w * (sum * w + explore)`: no division, no root.
#[inline(always)]
pub(crate) fn best_child(
    formula: Formula,
    sums: &[i32],
    weights: &[f32],
    ranks: Option<&[u16]>,
    scratch: &mut Vec<f32>,
) -> usize {
    let n = sums.len();
    let weights = &weights[..n];
    if scratch.len() < n {
        scratch.resize(n.next_multiple_of(64), f32::NEG_INFINITY);
    }
    let scores = &mut scratch[..n];
    match ranks {
        Some(ranks) if formula.bonus > FINE => return best_child_fine(formula, sums, weights, ranks),
        Some(ranks) => {
            let ranks = &ranks[..n];
            let step = formula.bonus as f32 / formula.worst_rank;
            for i in 0..n {
                let rank = step * (formula.worst_rank - f32::from(ranks[i]));
                scores[i] = weights[i] * (sums[i] as f32 * weights[i] + formula.explore) + rank;
            }
        }
        None => {
            for i in 0..n {
                scores[i] = weights[i] * (sums[i] as f32 * weights[i] + formula.explore);
            }
        }
    }
    first_largest(scores)
}

/// The same in 64 bits, for a `C_pn` so large that only ties in rank are left to UCT.
#[cold]
fn best_child_fine(formula: Formula, sums: &[i32], weights: &[f32], ranks: &[u16]) -> usize {
    let score = |i: usize| {
        let w = f64::from(weights[i]);
        let rank = formula.bonus * (1.0 - f64::from(ranks[i]) / f64::from(formula.worst_rank));
        // Rank first, UCT second: the sum in one number would round UCT away at 1e6 and above.
        (rank, w * (f64::from(sums[i]) * w + f64::from(formula.explore)))
    };
    let total = |(rank, uct): (f64, f64)| rank + uct;
    let mut best = (0, score(0));
    for i in 1..sums.len() {
        let next = score(i);
        let better = if next.0 == best.1.0 { next.1 > best.1.1 } else { total(next) > total(best.1) };
        if better {
            best = (i, next);
        }
    }
    best.0
}

/// Index of the first largest score.
#[inline(always)]
fn first_largest(scores: &[f32]) -> usize {
    let (fours, rest) = scores.as_chunks::<4>();
    let mut most = f32x4::splat(f32::NEG_INFINITY);
    for &four in fours {
        most = most.fast_max(f32x4::new(four));
    }
    let mut top = f32::NEG_INFINITY;
    for score in most.to_array().into_iter().chain(rest.iter().copied()) {
        if score > top {
            top = score;
        }
    }
    let wanted = f32x4::splat(top);
    for (i, &four) in fours.iter().enumerate() {
        let mask = f32x4::new(four).simd_eq(wanted).to_bitmask();
        if mask != 0 {
            return i * 4 + mask.trailing_zeros() as usize;
        }
    }
    fours.len() * 4 + rest.iter().position(|&score| score == top).unwrap_or(0)
}

/// The first child with the smallest key: the way of proof-number search.
#[inline(always)]
pub(crate) fn most_proving_child(keys: &[u32]) -> usize {
    let least = keys.iter().copied().fold(u32::MAX, u32::min);
    keys.iter().position(|&key| key == least).unwrap_or(0)
}

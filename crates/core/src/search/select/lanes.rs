//! Scores of children, four at a time: the largest of them, or all with their terms.

use bytemuck::cast;
use wide::f32x4;

/// Scores four children from their columns.
pub(crate) trait Scorer<C> {
    fn score(&self, columns: C) -> f32x4;

    /// What the score adds up, term by term. Rounding apart the sum is the score.
    fn parts(&self, columns: C) -> Parts<f32x4>;
}

/// The terms of scores; none where the formula has no such term.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Parts<V> {
    pub mean: V,
    pub rave: Option<V>,
    pub exploration: V,
    pub bonus: Option<V>,
}

/// The score of a child, and what it adds up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scored {
    pub parts: Parts<f64>,
    pub score: f64,
}

/// What becomes of the scores of children: selection wants the best one, an explanation all of them.
pub(crate) trait Take {
    type Out;

    /// Takes the scores of `n` children, given their columns four at a time.
    fn lanes<C: Copy>(self, n: usize, columns: impl Iterator<Item = C>, scorer: impl Scorer<C>) -> Self::Out;

    /// Takes the scores of `n` children in 64 bits, each in two parts that are added, the first of them the bonus. Where
    /// the bonuses are equal the rest decides: a sum would round it away.
    fn fine(self, n: usize, score: impl Fn(usize) -> (f64, f64), parts: impl Fn(usize) -> Parts<f64>) -> Self::Out;
}

/// The first child with the largest score, and the score. Children stand in the random order of their first visits.
pub(crate) struct Best<'a>(pub &'a mut Vec<f32x4>);

impl Take for Best<'_> {
    type Out = (usize, f64);

    #[inline(always)]
    fn lanes<C: Copy>(self, n: usize, mut columns: impl Iterator<Item = C>, scorer: impl Scorer<C>) -> (usize, f64) {
        // Few children need no room but registers.
        match n.div_ceil(4) {
            1 => first_largest(n, &mut [next_score(&mut columns, &scorer)]),
            2 => first_largest(n, &mut [next_score(&mut columns, &scorer), next_score(&mut columns, &scorer)]),
            _ => first_largest(n, scores_of_lanes(n, self.0, columns, scorer)),
        }
    }

    fn fine(self, n: usize, score: impl Fn(usize) -> (f64, f64), _: impl Fn(usize) -> Parts<f64>) -> (usize, f64) {
        let total = |(bonus, rest): (f64, f64)| bonus + rest;
        let mut best = (0, score(0));
        for i in 1..n {
            let next = score(i);
            let better = if next.0 == best.1.0 { next.1 > best.1.1 } else { total(next) > total(best.1) };
            if better {
                best = (i, next);
            }
        }
        (best.0, total(best.1))
    }
}

/// All scores with their terms, beside what [`Best`] takes.
pub(crate) struct All;

impl Take for All {
    type Out = ((usize, f64), Vec<Scored>);

    fn lanes<C: Copy>(self, n: usize, columns: impl Iterator<Item = C>, scorer: impl Scorer<C>) -> Self::Out {
        let mut scratch = Vec::new();
        let columns: Vec<C> = columns.collect();
        let scores = scores_of_lanes(n, &mut scratch, columns.iter().copied(), &scorer);
        let mut all = Vec::with_capacity(scores.len() * 4);
        for (&columns, score) in columns.iter().zip(&*scores) {
            let (parts, score) = (scorer.parts(columns), score.to_array());
            all.extend((0..4).map(|lane| Scored { parts: parts.of_lane(lane), score: score[lane].into() }));
        }
        all.truncate(n);
        (first_largest(n, scores), all)
    }

    fn fine(self, n: usize, score: impl Fn(usize) -> (f64, f64), parts: impl Fn(usize) -> Parts<f64>) -> Self::Out {
        let all = (0..n).map(|i| Scored { parts: parts(i), score: score(i).0 + score(i).1 }).collect();
        (Best(&mut Vec::new()).fine(n, score, parts), all)
    }
}

impl Parts<f32x4> {
    fn of_lane(&self, lane: usize) -> Parts<f64> {
        let one = |four: f32x4| f64::from(four.to_array()[lane]);
        Parts {
            mean: one(self.mean),
            rave: self.rave.map(one),
            exploration: one(self.exploration),
            bonus: self.bonus.map(one),
        }
    }
}

impl<C, S: Scorer<C>> Scorer<C> for &S {
    #[inline(always)]
    fn score(&self, columns: C) -> f32x4 {
        (*self).score(columns)
    }

    fn parts(&self, columns: C) -> Parts<f32x4> {
        (*self).parts(columns)
    }
}

/// A column in lanes of four that hold its first `n` values, and no more. It must reach to the next multiple of four;
/// what is there is not used.
#[inline(always)]
pub(super) fn in_lanes<T>(n: usize, column: &[T]) -> std::slice::Iter<'_, [T; 4]> {
    column.as_chunks().0[..n.div_ceil(4)].iter()
}

#[inline(always)]
fn next_score<C>(columns: &mut impl Iterator<Item = C>, scorer: &impl Scorer<C>) -> f32x4 {
    match columns.next() {
        Some(column) => scorer.score(column),
        None => f32x4::ZERO,
    }
}

/// The scores of `n` children, written to `scratch`.
#[inline(always)]
fn scores_of_lanes<C>(
    n: usize,
    scratch: &mut Vec<f32x4>,
    columns: impl Iterator<Item = C>,
    scorer: impl Scorer<C>,
) -> &mut [f32x4] {
    fill_lanes(n, scratch, columns.map(|columns| scorer.score(columns)))
}

/// Scores of `n` children, written to `scratch`.
#[inline(always)]
pub(super) fn fill_lanes(n: usize, scratch: &mut Vec<f32x4>, scores: impl Iterator<Item = f32x4>) -> &mut [f32x4] {
    let lanes = n.div_ceil(4);
    if scratch.len() < lanes {
        scratch.resize(lanes.next_multiple_of(16), f32x4::ZERO);
    }
    let places = &mut scratch[..lanes];
    for (place, score) in places.iter_mut().zip(scores) {
        *place = score;
    }
    places
}

/// For the last lanes: ones where a lane is in use, by how many are, and minus infinity for the others.
static ENDS: [([u32; 4], [f32; 4]); 4] = {
    const SET: u32 = u32::MAX;
    const LOW: f32 = f32::NEG_INFINITY;
    [
        ([SET, SET, SET, SET], [0.0, 0.0, 0.0, 0.0]),
        ([SET, 0, 0, 0], [0.0, LOW, LOW, LOW]),
        ([SET, SET, 0, 0], [0.0, 0.0, LOW, LOW]),
        ([SET, SET, SET, 0], [0.0, 0.0, 0.0, LOW]),
    ]
};

/// The largest of the first `n` scores; what is behind them is overwritten.
#[inline(always)]
pub(super) fn largest(n: usize, scores: &mut [f32x4]) -> f32 {
    if let Some(last) = scores.last_mut() {
        let (used, rest) = ENDS[n % 4];
        *last = *last & cast::<_, f32x4>(used) | f32x4::new(rest);
    }
    let most = scores.iter().fold(f32x4::splat(f32::NEG_INFINITY), |most, &lanes| most.fast_max(lanes));
    let [a, b, c, d] = most.to_array();
    let larger = |a: f32, b: f32| if b > a { b } else { a };
    larger(larger(a, b), larger(c, d))
}

/// Which of the first `n` scores is the first largest one, and the score.
#[inline(always)]
fn first_largest(n: usize, scores: &mut [f32x4]) -> (usize, f64) {
    let top = largest(n, scores);
    for (i, lanes) in scores.iter().enumerate() {
        let mask = lanes.simd_eq(f32x4::splat(top)).to_bitmask();
        if mask != 0 {
            return (i * 4 + mask.trailing_zeros() as usize, top.into());
        }
    }
    (0, top.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_equals_is_taken_wherever_it_stands_and_nothing_behind_the_last() {
        for n in 1..70usize {
            for at in 0..n {
                let mut scores = vec![-0.25f32; n];
                scores[at..].fill(1.5);
                for end in [2.0, f32::NAN, f32::INFINITY] {
                    scores.resize(n.next_multiple_of(4), end);
                    let mut lanes: Vec<_> = scores.as_chunks().0.iter().map(|&lanes| f32x4::new(lanes)).collect();
                    assert_eq!(first_largest(n, &mut lanes), (at, 1.5), "of {n}");
                    scores.truncate(n);
                }
            }
        }
    }
}

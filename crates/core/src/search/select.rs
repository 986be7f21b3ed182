//! Which child a simulation goes to: UCT, and UCT-PN with the rank of proof numbers added.

use bytemuck::cast;
use wide::{f32x4, i32x4};

use crate::search::tree::Amaf;

/// The numbers of one choice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Formula {
    /// `C * sqrt(ln n_parent)`; divided by the square root of the child's visits it is the exploration term.
    pub explore: f32,
    /// `C_pn`, or 0 where there are no ranks.
    pub bonus: f64,
    /// What ranks are divided by.
    pub worst_rank: f32,
    /// How the bonus fades with the visits of the child.
    pub fade: Fade,
}

/// How the bonus of a child fades with its visits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Fade {
    /// Not at all.
    Never,
    /// As exploration does, by the root of the visits.
    Explore,
    /// By `sqrt(K / (K + visits))`, given `1 / K`.
    Slowly(f32),
}

impl Fade {
    /// What is left of the bonus of a child with `weight = 1 / sqrt(visits)`.
    #[inline(always)]
    pub(crate) fn share(self, weight: f32) -> f32 {
        match self {
            Self::Never => 1.0,
            Self::Explore => weight,
            Self::Slowly(inverse) => weight / (weight * weight + inverse).sqrt(),
        }
    }
}

/// The ranks of children, and what is left of their bonuses where that fades slowly; empty where it does not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ranks<'a> {
    pub ranks: &'a [u16],
    pub shares: &'a [f32],
}

/// Above this `C_pn` the sum no longer fits into 32-bit floats without losing the UCT part, and 64 bits are used.
const FINE: f64 = 16.0;

/// Scores four children at a time, from their columns.
trait Scorer<C> {
    fn score(&self, columns: C) -> f32x4;
}

/// UCT. With `w = 1 / sqrt(visits)` it is `w * (sum * w + explore)`: no division, no root.
#[derive(Clone, Copy)]
struct Uct {
    explore: f32x4,
}

impl Uct {
    #[inline(always)]
    fn new(explore: f32) -> Self {
        Self { explore: f32x4::splat(explore) }
    }

    #[inline(always)]
    fn of(self, sums: &[i32; 4], weights: f32x4) -> f32x4 {
        weights * (i32x4::new(*sums).round_float() * weights + self.explore)
    }
}

type Values<'a> = (&'a [i32; 4], &'a [f32; 4]);

impl Scorer<Values<'_>> for Uct {
    #[inline(always)]
    fn score(&self, (sums, weights): Values<'_>) -> f32x4 {
        self.of(sums, f32x4::new(*weights))
    }
}

/// UCT and `bonus * (1 - rank / worst_rank)`, of which a share is left.
#[derive(Clone, Copy)]
struct UctAndRank {
    uct: Uct,
    step: f32x4,
    worst: f32x4,
    /// Whether the share is that of exploration: the weight itself.
    explores: bool,
}

impl UctAndRank {
    #[inline(always)]
    fn new(formula: &Formula) -> Self {
        Self {
            uct: Uct::new(formula.explore),
            step: f32x4::splat(formula.bonus as f32 / formula.worst_rank),
            worst: f32x4::splat(formula.worst_rank),
            explores: false,
        }
    }

    #[inline(always)]
    fn bonus(&self, &[a, b, c, d]: &[u16; 4]) -> f32x4 {
        self.step * (self.worst - i32x4::new([a.into(), b.into(), c.into(), d.into()]).round_float())
    }
}

impl Scorer<(Values<'_>, &[u16; 4])> for UctAndRank {
    #[inline(always)]
    fn score(&self, ((sums, weights), ranks): (Values<'_>, &[u16; 4])) -> f32x4 {
        let weights = f32x4::new(*weights);
        let bonus = self.bonus(ranks);
        self.uct.of(sums, weights) + if self.explores { bonus * weights } else { bonus }
    }
}

impl Scorer<((Values<'_>, &[u16; 4]), &[f32; 4])> for UctAndRank {
    #[inline(always)]
    fn score(&self, (((sums, weights), ranks), shares): ((Values<'_>, &[u16; 4]), &[f32; 4])) -> f32x4 {
        self.uct.of(sums, f32x4::new(*weights)) + self.bonus(ranks) * f32x4::new(*shares)
    }
}

/// The child with the largest `mean + explore / sqrt(visits)`, of the first `n`.
///
/// With the score it has. Of equal ones the first wins: children stand in the random order of their first visits.
/// Children are scored four at a time, so the columns reach to the next multiple of four; what is there is not used.
#[inline(always)]
pub(crate) fn best_by_uct(
    explore: f32,
    n: usize,
    sums: &[i32],
    weights: &[f32],
    scratch: &mut Vec<f32x4>,
) -> (usize, f64) {
    best_of_lanes(n, scratch, values(n, sums, weights), Uct::new(explore))
}

/// The same with `bonus * (1 - rank / worst_rank)` added, which does not fade with the visits of the child.
#[inline(always)]
pub(crate) fn best_by_rank(
    formula: Formula,
    n: usize,
    sums: &[i32],
    weights: &[f32],
    ranks: &[u16],
    scratch: &mut Vec<f32x4>,
) -> (usize, f64) {
    if formula.bonus > FINE {
        return best_child_fine(formula, &sums[..n], weights, ranks);
    }
    let columns = values(n, sums, weights).zip(in_lanes(n, ranks));
    best_of_lanes(n, scratch, columns, UctAndRank::new(&formula))
}

/// The same with the shares of their bonuses that are left to the children.
#[inline(always)]
pub(crate) fn best_by_faded_rank(
    formula: Formula,
    n: usize,
    sums: &[i32],
    weights: &[f32],
    ranks: Ranks<'_>,
    scratch: &mut Vec<f32x4>,
) -> (usize, f64) {
    if formula.bonus > FINE {
        return best_child_fine(formula, &sums[..n], weights, ranks.ranks);
    }
    let columns = values(n, sums, weights).zip(in_lanes(n, ranks.ranks)).zip(in_lanes(n, ranks.shares));
    best_of_lanes(n, scratch, columns, UctAndRank::new(&formula))
}

/// The same with any way of fading. Not compiled into every simulation, for agents that are less in a hurry.
#[inline(never)]
pub(crate) fn best_by_any_rank(
    formula: Formula,
    n: usize,
    sums: &[i32],
    weights: &[f32],
    ranks: Ranks<'_>,
    scratch: &mut Vec<f32x4>,
) -> (usize, f64) {
    match formula.fade {
        Fade::Never => best_by_rank(formula, n, sums, weights, ranks.ranks, scratch),
        Fade::Slowly(_) => best_by_faded_rank(formula, n, sums, weights, ranks, scratch),
        Fade::Explore if formula.bonus > FINE => best_child_fine(formula, &sums[..n], weights, ranks.ranks),
        Fade::Explore => {
            let columns = values(n, sums, weights).zip(in_lanes(n, ranks.ranks));
            best_of_lanes(n, scratch, columns, UctAndRank { explores: true, ..UctAndRank::new(&formula) })
        }
    }
}

/// Sums and weights in lanes.
#[inline(always)]
fn values<'a>(n: usize, sums: &'a [i32], weights: &'a [f32]) -> impl Iterator<Item = Values<'a>> {
    in_lanes(n, sums).zip(in_lanes(n, weights))
}

/// A column in lanes of four that hold its first `n` values, and no more.
#[inline(always)]
fn in_lanes<T>(n: usize, column: &[T]) -> std::slice::Iter<'_, [T; 4]> {
    column.as_chunks().0[..n.div_ceil(4)].iter()
}

/// Room for the scores of `n` children.
#[inline(always)]
fn room_for(n: usize, scratch: &mut Vec<f32x4>) -> &mut [f32x4] {
    let lanes = n.div_ceil(4);
    if scratch.len() < lanes {
        scratch.resize(lanes.next_multiple_of(16), f32x4::ZERO);
    }
    &mut scratch[..lanes]
}

/// The first largest score of `n` children.
#[inline(always)]
fn best_of_lanes<C>(
    n: usize,
    scratch: &mut Vec<f32x4>,
    mut columns: impl Iterator<Item = C>,
    scorer: impl Scorer<C>,
) -> (usize, f64) {
    // Few children need no room but registers.
    match n.div_ceil(4) {
        1 => first_largest(n, &mut [next_score(&mut columns, &scorer)]),
        2 => first_largest(n, &mut [next_score(&mut columns, &scorer), next_score(&mut columns, &scorer)]),
        _ => first_largest(n, scores_of_lanes(n, scratch, columns, scorer)),
    }
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
    let scores = room_for(n, scratch);
    for (place, column) in scores.iter_mut().zip(columns) {
        *place = scorer.score(column);
    }
    scores
}

/// UCT whose mean is mixed with the all-moves-as-first mean, which at `n` visits has the weight `sqrt(k / (3n + k))`.
#[derive(Clone, Copy)]
struct UctAndAmaf {
    explore: f32x4,
    k: f32x4,
}

impl Scorer<(Values<'_>, &[Amaf; 4])> for UctAndAmaf {
    #[inline(always)]
    fn score(&self, ((sums, weights), seen): (Values<'_>, &[Amaf; 4])) -> f32x4 {
        let (sums, weights) = (i32x4::new(*sums).round_float(), f32x4::new(*weights));
        let mean = sums * weights * weights;
        let kww = self.k * weights * weights;
        let (amaf, unseen) = means(seen);
        let share = !unseen & (kww / (f32x4::splat(3.0) + kww)).sqrt();
        mean + share * (amaf - mean) + weights * self.explore
    }
}

/// [`best_by_uct`] with RAVE; children for which there is no such mean go by their own alone. No bonus: all scores are
/// left in `scratch` for the caller to add one.
pub(crate) fn best_child_with_amaf(
    formula: Formula,
    k: f32,
    n: usize,
    sums: &[i32],
    weights: &[f32],
    seen: &[Amaf],
    scratch: &mut Vec<f32x4>,
) -> (usize, f64) {
    let scorer = UctAndAmaf { explore: f32x4::splat(formula.explore), k: f32x4::splat(k) };
    let columns = values(n, sums, weights).zip(in_lanes(n, seen));
    first_largest(n, scores_of_lanes(n, scratch, columns, scorer))
}

/// The means of four values, and where there are none.
#[inline(always)]
fn means(four: &[Amaf; 4]) -> (f32x4, f32x4) {
    let words = i32x4::new(four.map(|value| value.word() as i32));
    let (sums, counts): (i32x4, i32x4) = (words >> 16, words & i32x4::splat(0xffff));
    let counts = counts.round_float();
    (sums.round_float() / counts.fast_max(f32x4::ONE), counts.simd_eq(f32x4::ZERO))
}

/// The all-moves-as-first mean alone; 0 where there is none.
struct AmafMean;

impl Scorer<&[Amaf; 4]> for AmafMean {
    #[inline(always)]
    fn score(&self, seen: &[Amaf; 4]) -> f32x4 {
        let (means, unseen) = means(seen);
        !unseen & means
    }
}

/// The largest all-moves-as-first mean of `n` unvisited children, and which it is: of equal ones the first from lane
/// `start` on, whatever number that is. A move that was never seen counts as 0.
pub(crate) fn best_unvisited(n: usize, seen: &[Amaf], start: usize, scratch: &mut Vec<f32x4>) -> (usize, f32) {
    let scores = scores_of_lanes(n, scratch, in_lanes(n, seen), AmafMean);
    let lanes = scores.len();
    let top = largest(n, scores);
    let start = start % lanes.max(1);
    for i in (start..lanes).chain(0..start) {
        let mask = scores[i].simd_eq(f32x4::splat(top)).to_bitmask();
        if mask != 0 {
            return (i * 4 + mask.trailing_zeros() as usize, top);
        }
    }
    (0, top)
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
fn largest(n: usize, scores: &mut [f32x4]) -> f32 {
    if let Some(last) = scores.last_mut() {
        let (used, rest) = ENDS[n % 4];
        *last = *last & cast::<_, f32x4>(used) | f32x4::new(rest);
    }
    let most = scores.iter().fold(f32x4::splat(f32::NEG_INFINITY), |most, &four| most.fast_max(four));
    let [a, b, c, d] = most.to_array();
    let larger = |a: f32, b: f32| if b > a { b } else { a };
    larger(larger(a, b), larger(c, d))
}

/// Which of the first `n` scores is the first largest one, and the score.
#[inline(always)]
fn first_largest(n: usize, scores: &mut [f32x4]) -> (usize, f64) {
    let top = largest(n, scores);
    for (i, four) in scores.iter().enumerate() {
        let mask = four.simd_eq(f32x4::splat(top)).to_bitmask();
        if mask != 0 {
            return (i * 4 + mask.trailing_zeros() as usize, top.into());
        }
    }
    (0, top.into())
}

/// [`best_by_rank`] in 64 bits, for a `C_pn` so large that only ties in rank are left to UCT.
#[cold]
fn best_child_fine(formula: Formula, sums: &[i32], weights: &[f32], ranks: &[u16]) -> (usize, f64) {
    let score = |i: usize| {
        let w = f64::from(weights[i]);
        let rank = formula.bonus * (1.0 - f64::from(ranks[i]) / f64::from(formula.worst_rank));
        let rank = rank * f64::from(formula.fade.share(weights[i]));
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
    (best.0, total(best.1))
}

/// UCT and a bonus of its own for each child, of which a share is left.
#[derive(Clone, Copy)]
struct UctAndBonus {
    uct: Uct,
    largest: f32x4,
    fade: Fade,
}

impl Scorer<(Values<'_>, &[f32; 4])> for UctAndBonus {
    #[inline(always)]
    fn score(&self, ((sums, weights), bonuses): (Values<'_>, &[f32; 4])) -> f32x4 {
        let shares = weights.map(|weight| self.fade.share(weight));
        self.uct.of(sums, f32x4::new(*weights)) + self.largest * f32x4::new(*bonuses) * f32x4::new(shares)
    }
}

/// [`best_by_uct`] with bonuses that are not by rank.
pub(crate) fn best_child_by_bonus(
    formula: Formula,
    n: usize,
    sums: &[i32],
    weights: &[f32],
    bonuses: &[f32],
    scratch: &mut Vec<f32x4>,
) -> (usize, f64) {
    let uct = Uct::new(formula.explore);
    let scorer = UctAndBonus { uct, largest: f32x4::splat(formula.bonus as f32), fade: formula.fade };
    let columns = values(n, sums, weights).zip(in_lanes(n, bonuses));
    best_of_lanes(n, scratch, columns, scorer)
}

/// The first child with the smallest key: the way of proof-number search.
#[inline(always)]
pub(crate) fn most_proving_child(keys: &[u32]) -> usize {
    let least = keys.iter().copied().fold(u32::MAX, u32::min);
    keys.iter().position(|&key| key == least).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A column up to the next multiple of four, with something that must not be looked at.
    fn padded<T: Copy>(mut column: Vec<T>, end: T) -> Vec<T> {
        column.resize(column.len().next_multiple_of(4), end);
        column
    }

    fn choose(c: f64, c_pn: f64, children: &[(i32, u32, u16)], worst: u16) -> usize {
        let parent: u32 = children.iter().map(|child| child.1).sum();
        let formula = Formula {
            explore: (c * f64::from(parent).ln().sqrt()) as f32,
            bonus: c_pn,
            worst_rank: f32::from(worst),
            fade: Fade::Never,
        };
        let sums: Vec<i32> = children.iter().map(|child| child.0).collect();
        let weights: Vec<f32> = children.iter().map(|child| 1.0 / (child.1 as f32).sqrt()).collect();
        let ranks: Vec<u16> = children.iter().map(|child| child.2).collect();
        let (sums, weights, ranks) = (padded(sums, i32::MIN), padded(weights, f32::NAN), padded(ranks, 0));
        let n = children.len();
        if c_pn == 0.0 {
            return best_by_uct(formula.explore, n, &sums, &weights, &mut Vec::new()).0;
        }
        best_by_rank(formula, n, &sums, &weights, &ranks, &mut Vec::new()).0
    }

    /// Four children after 20 visits; ln 20 = 2.9957, its root times sqrt 2 is 2.4477.
    ///
    /// | child | sum / visits | mean  | exploration       | UCT   | pn | rank | 1 - rank/4 | UCT + 1.0 * (…) |
    /// |-------|--------------|-------|-------------------|-------|----|------|------------|-----------------|
    /// | 0     | 4 / 8        | 0.500 | 2.4477/√8 = 0.865 | 1.365 | 7  | 4    | 0          | 1.365           |
    /// | 1     | 2 / 6        | 0.333 | 2.4477/√6 = 0.999 | 1.333 | 2  | 1    | 0.75       | 2.083           |
    /// | 2     | 0 / 4        | 0.000 | 2.4477/√4 = 1.224 | 1.224 | 2  | 1    | 0.75       | 1.974           |
    /// | 3     | -1 / 2       | -0.5  | 2.4477/√2 = 1.731 | 1.231 | 3  | 3    | 0.25       | 1.481           |
    ///
    /// Divided by the worst rank given (4), not by one per distinct number: 2, 2, 3, 7 rank 1, 1, 3, 4.
    #[test]
    fn a_choice_worked_by_hand_with_ties_in_rank() {
        let children = [(4, 8, 4), (2, 6, 1), (0, 4, 1), (-1, 2, 3)];
        let root2 = std::f64::consts::SQRT_2;
        assert_eq!(choose(root2, 0.0, &children, 4), 0, "UCT alone");
        assert_eq!(choose(root2, 1.0, &children, 4), 1, "UCT-PN: of the two best in rank the better one");
        assert_eq!(choose(root2, 0.04, &children, 4), 0, "1.365 against 1.333 + 0.030");
        assert_eq!(choose(root2, 0.05, &children, 4), 1, "1.365 against 1.333 + 0.0375");
    }

    /// The same children with a bonus of 0.5 times exploration (2.4477 / 2 = 1.224), which fades with the visits:
    /// child 1 gets 1.224 * 0.75 / √6 = 0.375 and child 3 gets 1.224 * 0.25 / √2 = 0.216.
    #[test]
    fn a_bonus_in_the_exploration_term_fades_with_the_visits_of_the_child() {
        let sums = [4, 2, 0, -1];
        let weights = [8f32, 6.0, 4.0, 2.0].map(|visits| 1.0 / visits.sqrt());
        let formula = Formula { explore: 2.4477, bonus: 1.224, worst_rank: 4.0, fade: Fade::Explore };
        let mut scratch = Vec::new();
        for copies in [1, 5] {
            let (sums, weights) = (sums.repeat(copies), weights.repeat(copies));
            let ranks = Ranks { ranks: &[4, 1, 1, 3].repeat(copies), shares: &[] };
            let (best, score) = best_by_any_rank(formula, 4 * copies, &sums, &weights, ranks, &mut scratch);
            assert!(best == 1 && (score - 1.7074).abs() < 1e-3, "{best}: {score}");
            let bonuses = [0.0, 0.75, 0.75, 0.25].repeat(copies);
            let (best, same) = best_child_by_bonus(formula, 4 * copies, &sums, &weights, &bonuses, &mut scratch);
            assert!(best == 1 && (score - same).abs() < 1e-6, "{best}: {same}");
        }
    }

    /// The same with a bonus of 1 that fades by sqrt(2 / (2 + visits)): child 1 keeps √(2/8) = 0.5 of its 0.75, child 2
    /// √(2/6) = 0.577, child 3 √(2/4) = 0.707 of its 0.25: 1.708, 1.657 and 1.408.
    #[test]
    fn a_bonus_may_fade_slowly_with_the_visits_of_the_child() {
        let formula = Formula { explore: 2.4477, bonus: 1.0, worst_rank: 4.0, fade: Fade::Slowly(0.5) };
        for copies in [1, 5] {
            let sums = [4, 2, 0, -1].repeat(copies);
            let weights = [8f32, 6.0, 4.0, 2.0].map(|visits| 1.0 / visits.sqrt()).repeat(copies);
            let ranks = [4, 1, 1, 3].repeat(copies);
            let shares: Vec<f32> = weights.iter().map(|&weight| formula.fade.share(weight)).collect();
            let ranks = Ranks { ranks: &ranks, shares: &shares };
            let (best, score) = best_by_faded_rank(formula, 4 * copies, &sums, &weights, ranks, &mut Vec::new());
            assert!(best == 1 && (score - 1.7076).abs() < 1e-3, "{best}: {score}");
        }
        let shares = [1.0f32, 6.0, 1e6].map(|visits| Fade::Slowly(0.5).share(1.0 / visits.sqrt()));
        assert!(
            (shares[0] - 0.8165).abs() < 1e-4 && (shares[1] - 0.5).abs() < 1e-4 && shares[2] < 0.0015,
            "{shares:?}"
        );
    }

    #[test]
    fn a_huge_c_pn_still_lets_uct_break_ties() {
        // Means that differ by 2e-5: in a 32-bit sum with 750,000 both would be equal and the first would win.
        let children = [(50_000, 100_000, 1), (50_002, 100_000, 1), (100_000, 100_000, 4), (0, 100_000, 4)];
        for c_pn in [1e6, 1e9, 20.0] {
            assert_eq!(choose(1.0, c_pn, &children, 4), 1, "C_pn = {c_pn}");
        }
        // Just above the border of the 64-bit way a better mean may still outweigh a slightly worse rank.
        assert_eq!(choose(0.0, 16.5, &[(-90, 100, 99), (90, 100, 100)], 100), 1);
    }

    #[test]
    fn the_first_of_equals_is_taken_wherever_it_stands_and_nothing_behind_the_last() {
        for n in 1..70 {
            for at in 0..n {
                let mut scores = vec![-0.25; n];
                scores[at..].fill(1.5);
                for end in [2.0, f32::NAN, f32::INFINITY] {
                    let fours = padded(scores.clone(), end);
                    let mut fours: Vec<_> = fours.as_chunks().0.iter().map(|&four| f32x4::new(four)).collect();
                    assert_eq!(first_largest(n, &mut fours), (at, 1.5), "of {n}");
                }
            }
        }
        assert_eq!(most_proving_child(&[3, u32::MAX, 2, 5, 2]), 2);
        assert_eq!(most_proving_child(&[u32::MAX, u32::MAX]), 0);
    }

    /// Looked at in fours or one by one, with all-moves-as-first values for some children and none for others.
    #[test]
    fn choices_by_moves_of_playouts_are_those_of_the_formula() {
        let mut rng = crate::rng::Rng::new(1);
        for round in 0..2000 {
            let n = 1 + rng.below(30);
            let mut draw = || {
                let count = rng.below(6) as u32;
                Amaf::new(rng.below(2 * count as usize + 1) as i32 - count as i32, count)
            };
            let seen = padded((0..n).map(|_| draw()).collect(), Amaf::new(9, 1));
            let mean = |i: usize| (seen[i].count() > 0).then(|| seen[i].sum() as f32 / seen[i].count() as f32);
            let start = rng.below(n);
            let (found, value) = best_unvisited(n, &seen, start, &mut Vec::new());
            let top = (0..n).map(|i| mean(i).unwrap_or(0.0)).fold(f32::NEG_INFINITY, f32::max);
            assert!(found < n && value == top && mean(found).unwrap_or(0.0) == top, "round {round}");

            let visits: Vec<u32> = (0..n).map(|_| 1 + rng.below(500) as u32).collect();
            let sums: Vec<i32> = visits.iter().map(|&v| rng.below(2 * v as usize + 1) as i32 - v as i32).collect();
            let weights: Vec<f32> = visits.iter().map(|&v| 1.0 / (v as f32).sqrt()).collect();
            let formula = Formula { explore: 1.5, bonus: 0.0, worst_rank: 1.0, fade: Fade::Never };
            let score = |i: usize| {
                let (n, own) = (f64::from(visits[i]), f64::from(sums[i]) / f64::from(visits[i]));
                let share = (40.0 / (3.0 * n + 40.0)).sqrt();
                mean(i).map_or(own, |amaf| own + share * (f64::from(amaf) - own)) + 1.5 / n.sqrt()
            };
            let columns = (padded(sums.clone(), i32::MAX), padded(weights.clone(), 1.0));
            let (best, got) = best_child_with_amaf(formula, 40.0, n, &columns.0, &columns.1, &seen, &mut Vec::new());
            let top = (0..n).map(score).fold(f64::NEG_INFINITY, f64::max);
            assert!((got - top).abs() < 1e-5 && (score(best) - top).abs() < 1e-5, "round {round}: {got} {top}");
        }
    }
}

//! Which child a simulation goes to: UCT, and UCT-PN with the rank of proof numbers added.

mod lanes;

use wide::{f32x4, i32x4};

use crate::search::tree::Amaf;

pub(crate) use lanes::{All, Best, Parts, Scored, Take};
use lanes::{Scorer, fill_lanes, in_lanes, largest};

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

    fn parts_of(self, (sums, weights): Values<'_>) -> Parts<f32x4> {
        let (sums, weights) = (i32x4::new(*sums).round_float(), f32x4::new(*weights));
        Parts { mean: sums * weights * weights, rave: None, exploration: weights * self.explore, bonus: None }
    }
}

type Values<'a> = (&'a [i32; 4], &'a [f32; 4]);

impl Scorer<Values<'_>> for Uct {
    #[inline(always)]
    fn score(&self, (sums, weights): Values<'_>) -> f32x4 {
        self.of(sums, f32x4::new(*weights))
    }

    fn parts(&self, values: Values<'_>) -> Parts<f32x4> {
        self.parts_of(values)
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

    fn parts(&self, (values, ranks): (Values<'_>, &[u16; 4])) -> Parts<f32x4> {
        let bonus = self.bonus(ranks);
        let left = if self.explores { bonus * f32x4::new(*values.1) } else { bonus };
        Parts { bonus: Some(left), ..self.uct.parts_of(values) }
    }
}

impl Scorer<((Values<'_>, &[u16; 4]), &[f32; 4])> for UctAndRank {
    #[inline(always)]
    fn score(&self, (((sums, weights), ranks), shares): ((Values<'_>, &[u16; 4]), &[f32; 4])) -> f32x4 {
        self.uct.of(sums, f32x4::new(*weights)) + self.bonus(ranks) * f32x4::new(*shares)
    }

    fn parts(&self, ((values, ranks), shares): ((Values<'_>, &[u16; 4]), &[f32; 4])) -> Parts<f32x4> {
        Parts { bonus: Some(self.bonus(ranks) * f32x4::new(*shares)), ..self.uct.parts_of(values) }
    }
}

/// Scores of the first `n` children by `mean + explore / sqrt(visits)`.
#[inline(always)]
pub(crate) fn by_uct<T: Take>(explore: f32, n: usize, sums: &[i32], weights: &[f32], take: T) -> T::Out {
    take.lanes(n, values(n, sums, weights), Uct::new(explore))
}

/// The same with `bonus * (1 - rank / worst_rank)` added, which does not fade with the visits of the child.
#[inline(always)]
pub(crate) fn by_rank<T: Take>(
    formula: Formula,
    n: usize,
    sums: &[i32],
    weights: &[f32],
    ranks: &[u16],
    take: T,
) -> T::Out {
    if formula.bonus > FINE {
        return by_rank_fine(formula, n, sums, weights, ranks, take);
    }
    take.lanes(n, values(n, sums, weights).zip(in_lanes(n, ranks)), UctAndRank::new(&formula))
}

/// The same with the shares of their bonuses that are left to the children.
#[inline(always)]
pub(crate) fn by_faded_rank<T: Take>(
    formula: Formula,
    n: usize,
    sums: &[i32],
    weights: &[f32],
    ranks: Ranks<'_>,
    take: T,
) -> T::Out {
    if formula.bonus > FINE {
        return by_rank_fine(formula, n, sums, weights, ranks.ranks, take);
    }
    let columns = values(n, sums, weights).zip(in_lanes(n, ranks.ranks)).zip(in_lanes(n, ranks.shares));
    take.lanes(n, columns, UctAndRank::new(&formula))
}

/// The same with any way of fading: a call for agents that are less in a hurry, instead of code in every simulation.
#[inline(never)]
pub(crate) fn by_any_rank<T: Take>(
    formula: Formula,
    n: usize,
    sums: &[i32],
    weights: &[f32],
    ranks: Ranks<'_>,
    take: T,
) -> T::Out {
    match formula.fade {
        Fade::Never => by_rank(formula, n, sums, weights, ranks.ranks, take),
        Fade::Slowly(_) => by_faded_rank(formula, n, sums, weights, ranks, take),
        Fade::Explore if formula.bonus > FINE => by_rank_fine(formula, n, sums, weights, ranks.ranks, take),
        Fade::Explore => {
            let scorer = UctAndRank { explores: true, ..UctAndRank::new(&formula) };
            take.lanes(n, values(n, sums, weights).zip(in_lanes(n, ranks.ranks)), scorer)
        }
    }
}

/// In 64 bits, for a `C_pn` so large that only ties in rank are left to UCT.
#[cold]
fn by_rank_fine<T: Take>(formula: Formula, n: usize, sums: &[i32], weights: &[f32], ranks: &[u16], take: T) -> T::Out {
    let bonus = |i: usize| {
        let rank = formula.bonus * (1.0 - f64::from(ranks[i]) / f64::from(formula.worst_rank));
        rank * f64::from(formula.fade.share(weights[i]))
    };
    let score = |i: usize| {
        let w = f64::from(weights[i]);
        (bonus(i), w * (f64::from(sums[i]) * w + f64::from(formula.explore)))
    };
    let parts = |i: usize| {
        let w = f64::from(weights[i]);
        let (mean, exploration) = (f64::from(sums[i]) * w * w, w * f64::from(formula.explore));
        Parts { mean, rave: None, exploration, bonus: Some(bonus(i)) }
    };
    take.fine(n, score, parts)
}

/// Sums and weights in lanes.
#[inline(always)]
fn values<'a>(n: usize, sums: &'a [i32], weights: &'a [f32]) -> impl Iterator<Item = Values<'a>> {
    in_lanes(n, sums).zip(in_lanes(n, weights))
}

/// A bonus of its own for each child, of which a share is left.
#[derive(Clone, Copy)]
struct OwnBonus {
    largest: f32x4,
    fade: Fade,
}

impl OwnBonus {
    fn new(formula: &Formula) -> Self {
        Self { largest: f32x4::splat(formula.bonus as f32), fade: formula.fade }
    }

    #[inline(always)]
    fn of(self, weights: &[f32; 4], bonuses: &[f32; 4]) -> f32x4 {
        let shares = weights.map(|weight| self.fade.share(weight));
        self.largest * f32x4::new(*bonuses) * f32x4::new(shares)
    }
}

impl Scorer<(Values<'_>, &[f32; 4])> for (Uct, OwnBonus) {
    #[inline(always)]
    fn score(&self, (values, bonuses): (Values<'_>, &[f32; 4])) -> f32x4 {
        self.0.score(values) + self.1.of(values.1, bonuses)
    }

    fn parts(&self, (values, bonuses): (Values<'_>, &[f32; 4])) -> Parts<f32x4> {
        Parts { bonus: Some(self.1.of(values.1, bonuses)), ..self.0.parts_of(values) }
    }
}

/// Scores by UCT and bonuses that are not by rank, if the formula has a weight for them.
pub(crate) fn by_bonus<T: Take>(
    formula: Formula,
    n: usize,
    sums: &[i32],
    weights: &[f32],
    bonuses: &[f32],
    take: T,
) -> T::Out {
    if formula.bonus == 0.0 {
        return by_uct(formula.explore, n, sums, weights, take);
    }
    let scorer = (Uct::new(formula.explore), OwnBonus::new(&formula));
    take.lanes(n, values(n, sums, weights).zip(in_lanes(n, bonuses)), scorer)
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

    fn parts(&self, ((sums, weights), seen): (Values<'_>, &[Amaf; 4])) -> Parts<f32x4> {
        let own = Uct { explore: self.explore }.parts_of((sums, weights));
        let kww = self.k * f32x4::new(*weights) * f32x4::new(*weights);
        let (amaf, unseen) = means(seen);
        let share = !unseen & (kww / (f32x4::splat(3.0) + kww)).sqrt();
        Parts { rave: Some(share * (amaf - own.mean)), ..own }
    }
}

impl Scorer<((Values<'_>, &[Amaf; 4]), &[f32; 4])> for (UctAndAmaf, OwnBonus) {
    #[inline(always)]
    fn score(&self, (seen, bonuses): ((Values<'_>, &[Amaf; 4]), &[f32; 4])) -> f32x4 {
        self.0.score(seen) + self.1.of(seen.0.1, bonuses)
    }

    fn parts(&self, (seen, bonuses): ((Values<'_>, &[Amaf; 4]), &[f32; 4])) -> Parts<f32x4> {
        Parts { bonus: Some(self.1.of(seen.0.1, bonuses)), ..self.0.parts(seen) }
    }
}

/// Scores by RAVE, and any bonuses if the formula has a weight for them. Children for which there is no all-moves-as-first
/// mean go by their own alone.
#[allow(clippy::too_many_arguments)]
pub(crate) fn by_amaf<T: Take>(
    formula: Formula,
    k: f32,
    n: usize,
    sums: &[i32],
    weights: &[f32],
    seen: &[Amaf],
    bonuses: &[f32],
    take: T,
) -> T::Out {
    let scorer = UctAndAmaf { explore: f32x4::splat(formula.explore), k: f32x4::splat(k) };
    let columns = values(n, sums, weights).zip(in_lanes(n, seen));
    if formula.bonus > 0.0 {
        let scorer = (scorer, OwnBonus::new(&formula));
        return take.lanes(n, columns.zip(in_lanes(n, bonuses)), scorer);
    }
    take.lanes(n, columns, scorer)
}

/// The means of four values, and where there are none.
#[inline(always)]
fn means(lanes: &[Amaf; 4]) -> (f32x4, f32x4) {
    let words = i32x4::new(lanes.map(|value| value.word() as i32));
    let (sums, counts): (i32x4, i32x4) = (words >> 16, words & i32x4::splat(0xffff));
    let counts = counts.round_float();
    (sums.round_float() / counts.fast_max(f32x4::ONE), counts.simd_eq(f32x4::ZERO))
}

/// The all-moves-as-first means of four unvisited children; 0 where there is none.
#[inline(always)]
fn means_of_unvisited(seen: &[Amaf; 4]) -> f32x4 {
    let (means, unseen) = means(seen);
    !unseen & means
}

/// The largest all-moves-as-first mean of `n` unvisited children, and which it is: of equal ones the first from lane
/// `start` on, whatever number that is. A move that was never seen counts as 0.
pub(crate) fn best_unvisited(n: usize, seen: &[Amaf], start: usize, scratch: &mut Vec<f32x4>) -> (usize, f32) {
    let scores = fill_lanes(n, scratch, in_lanes(n, seen).map(means_of_unvisited));
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

/// These means, one for each child, and whether [`best_unvisited`] finds the child from some start: the first of the
/// largest ones in its lanes.
pub(crate) fn all_unvisited(n: usize, seen: &[Amaf]) -> Vec<(f32, bool)> {
    let lanes = in_lanes(n, seen).flat_map(|seen| means_of_unvisited(seen).to_array());
    let mut all: Vec<(f32, bool)> = lanes.take(n).map(|mean| (mean, false)).collect();
    let top = all.iter().fold(f32::NEG_INFINITY, |top, child| top.max(child.0));
    for lanes in all.chunks_mut(4) {
        if let Some(first) = lanes.iter_mut().find(|child| child.0 == top) {
            first.1 = true;
        }
    }
    all
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
            return by_uct(formula.explore, n, &sums, &weights, Best(&mut Vec::new())).0;
        }
        by_rank(formula, n, &sums, &weights, &ranks, Best(&mut Vec::new())).0
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

    #[test]
    fn the_terms_of_that_choice_are_those_of_the_table() {
        let (sums, weights) = ([4, 2, 0, -1], [8f32, 6.0, 4.0, 2.0].map(|visits| 1.0 / visits.sqrt()));
        let table = [(0.5, 0.865, 0.0), (0.333, 0.999, 0.75), (0.0, 1.224, 0.75), (-0.5, 1.731, 0.25)];
        for bonus in [1.0, 20.0] {
            let formula = Formula { explore: 2.4477, bonus, worst_rank: 4.0, fade: Fade::Never };
            let ((best, score), all) = by_rank(formula, 4, &sums, &weights, &[4, 1, 1, 3], All);
            assert_eq!((best, score), by_rank(formula, 4, &sums, &weights, &[4, 1, 1, 3], Best(&mut Vec::new())));
            assert_eq!((best, score), (1, all[1].score));
            for (scored, (mean, exploration, rank)) in all.iter().zip(table) {
                let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-3, "{a} instead of {b}: {scored:?}");
                near(scored.parts.mean, mean);
                near(scored.parts.exploration, exploration);
                near(scored.parts.bonus.expect("a bonus"), bonus * rank);
                near(scored.score, mean + exploration + bonus * rank);
                assert_eq!(scored.parts.rave, None);
            }
        }
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
            let (best, score) = by_any_rank(formula, 4 * copies, &sums, &weights, ranks, Best(&mut scratch));
            assert!(best == 1 && (score - 1.7074).abs() < 1e-3, "{best}: {score}");
            let bonuses = [0.0, 0.75, 0.75, 0.25].repeat(copies);
            let (best, same) = by_bonus(formula, 4 * copies, &sums, &weights, &bonuses, Best(&mut scratch));
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
            let (best, score) = by_faded_rank(formula, 4 * copies, &sums, &weights, ranks, Best(&mut Vec::new()));
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
    fn the_most_proving_child_is_the_first_with_the_least_number() {
        assert_eq!(most_proving_child(&[3, u32::MAX, 2, 5, 2]), 2);
        assert_eq!(most_proving_child(&[u32::MAX, u32::MAX]), 0);
    }

    /// Scored in lanes or one by one, with all-moves-as-first values for some children and none for others.
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
            let all = all_unvisited(n, &seen);
            assert!(all.iter().enumerate().all(|(i, child)| child.0 == mean(i).unwrap_or(0.0)), "round {round}");
            let mut from: Vec<usize> = (0..n).map(|start| best_unvisited(n, &seen, start, &mut Vec::new()).0).collect();
            from.sort_unstable();
            from.dedup();
            assert_eq!((0..n).filter(|&i| all[i].1).collect::<Vec<_>>(), from, "round {round}");

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
            let (best, got) = by_amaf(formula, 40.0, n, &columns.0, &columns.1, &seen, &[], Best(&mut Vec::new()));
            let top = (0..n).map(score).fold(f64::NEG_INFINITY, f64::max);
            assert!((got - top).abs() < 1e-5 && (score(best) - top).abs() < 1e-5, "round {round}: {got} {top}");
        }
    }
}

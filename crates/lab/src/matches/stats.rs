//! The statistics of a match: intervals, Elo, results by pairs, and the sequential test on them.
//!
//! Nothing here knows games or agents. Scores are from 0 (all lost) to 1 (all won), draws half. Intervals hold the true
//! value with a chance of 95 %.

/// How many standard deviations to both sides of the mean hold 95 % of a normal distribution.
pub const Z95: f64 = 1.959_963_984_540_054;

/// Results of pairs of games by their points: 0, ½, 1, 1½ and 2. Two games with swapped sides depend on each other, so
/// the pair is what is counted.
pub type Pentanomial = [u64; 5];

/// The interval of Wilson (1927) for a share of which `successes` (draws may count half) of `trials` were seen.
/// `None` without trials.
pub fn wilson95(successes: f64, trials: f64) -> Option<[f64; 2]> {
    if trials <= 0.0 {
        return None;
    }
    let (p, z2) = (successes / trials, Z95 * Z95);
    let middle = (p + z2 / (2.0 * trials)) / (1.0 + z2 / trials);
    let half = Z95 / (1.0 + z2 / trials) * (p * (1.0 - p) / trials + z2 / (4.0 * trials * trials)).sqrt();
    // At the ends the formula gives 0 and 1, but for rounding.
    let low = if successes <= 0.0 { 0.0 } else { (middle - half).max(0.0) };
    let high = if successes >= trials { 1.0 } else { (middle + half).min(1.0) };
    Some([low, high])
}

/// Half the width of the textbook normal interval, z·sqrt(p(1-p)/n): what the paper prints after its ±.
pub fn normal95_error(successes: f64, trials: f64) -> Option<f64> {
    if trials <= 0.0 {
        return None;
    }
    let p = successes / trials;
    Some(Z95 * (p * (1.0 - p) / trials).sqrt())
}

/// The Elo difference at which this score is expected; `None` where it would be infinite.
pub fn elo_of(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| 400.0 * (score / (1.0 - score)).log10())
}

/// The score expected at this Elo difference.
pub fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Mean and variance of the score of a pair. `None` without pairs.
pub fn pair_moments(pairs: &Pentanomial) -> Option<(f64, f64)> {
    let count: u64 = pairs.iter().sum();
    if count == 0 {
        return None;
    }
    let mean = weighted(pairs, |score| score) / count as f64;
    let variance = weighted(pairs, |score| (score - mean).powi(2)) / count as f64;
    Some((mean, variance))
}

/// Variance of the score of a single game. `None` without games.
pub fn game_variance(wins: u64, draws: u64, losses: u64) -> Option<f64> {
    let games = (wins + draws + losses) as f64;
    if games == 0.0 {
        return None;
    }
    let mean = (wins as f64 + 0.5 * draws as f64) / games;
    Some((wins as f64 + 0.25 * draws as f64) / games - mean * mean)
}

fn weighted(pairs: &Pentanomial, of_score: impl Fn(f64) -> f64) -> f64 {
    pairs.iter().zip(PAIR_SCORES).map(|(&n, score)| n as f64 * of_score(score)).sum()
}

const PAIR_SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// A sequential probability ratio test of two Elo differences, 5 % error to either side.
///
/// It is the generalised test on pairs: each hypothesis is represented by the distribution of pair results that is the
/// most likely one given what was seen among all with its expected score (Van den Bergh, "Comments on Normalized Elo"
/// and "A practical introduction to the GSPRT", as Fishtest and fastchess use it). Elo is logistic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The difference of the null hypothesis: A is no better than this.
    pub elo0: f64,
    /// The difference of the alternative: A is at least this much better.
    pub elo1: f64,
}

/// What a sequential test came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The null hypothesis is accepted.
    H0,
    /// The alternative is accepted.
    H1,
}

impl Verdict {
    /// `"H0"` or `"H1"`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::H0 => "H0",
            Self::H1 => "H1",
        }
    }
}

impl Sprt {
    /// Chance of a wrong answer, to either side.
    pub const ERROR: f64 = 0.05;

    /// The log-likelihood ratio at which the alternative is accepted; the null hypothesis is at its negative. About 2.94.
    pub fn bound() -> f64 {
        ((1.0 - Self::ERROR) / Self::ERROR).ln()
    }

    /// The log-likelihood ratio of the alternative against the null hypothesis; 0 without pairs.
    pub fn log_likelihood_ratio(&self, pairs: &Pentanomial) -> f64 {
        if pairs.iter().sum::<u64>() == 0 {
            return 0.0;
        }
        // A result that was not seen yet is not impossible: a thousandth of a pair keeps the logarithms finite.
        let seen = pairs.map(|n| if n == 0 { 1e-3 } else { n as f64 });
        let total: f64 = seen.iter().sum();
        let (under0, under1) = (tilts(&seen, score_of(self.elo0)), tilts(&seen, score_of(self.elo1)));
        let ratio: f64 = (0..5).map(|i| seen[i] / total * (under0[i] / under1[i]).ln()).sum();
        ratio * total
    }

    /// The answer, once there is one.
    pub fn verdict(&self, pairs: &Pentanomial) -> Option<Verdict> {
        let ratio = self.log_likelihood_ratio(pairs);
        if ratio >= Self::bound() {
            Some(Verdict::H1)
        } else if ratio <= -Self::bound() {
            Some(Verdict::H0)
        } else {
            None
        }
    }
}

/// The most likely distribution with expected score `score` divides what was seen by 1 + x·(its score - `score`), with
/// one x for all. These divisors are returned; x is where the expected score comes out right.
fn tilts(seen: &[f64; 5], score: f64) -> [f64; 5] {
    let excess = |x: f64| -> f64 {
        (0..5).map(|i| seen[i] * (PAIR_SCORES[i] - score) / (1.0 + x * (PAIR_SCORES[i] - score))).sum()
    };
    // All divisors are positive strictly between these two, and the excess falls from +∞ to -∞.
    let (mut low, mut high) = (-1.0 / (1.0 - score), 1.0 / score);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if excess(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let x = 0.5 * (low + high);
    PAIR_SCORES.map(|pair_score| 1.0 + x * (pair_score - score))
}

#[cfg(test)]
mod tests {
    use plyproof_core::Rng;

    use super::*;

    #[track_caller]
    fn near(found: f64, expected: f64, tolerance: f64) {
        assert!((found - expected).abs() <= tolerance, "{found}, not {expected}");
    }

    #[test]
    fn the_normal_interval_is_the_one_the_paper_prints() {
        near(100.0 * normal95_error(219.0, 250.0).expect("trials"), 4.09, 0.005);
        near(normal95_error(50.0, 100.0).expect("trials"), 0.098, 0.0005);
        assert_eq!((normal95_error(250.0, 250.0), normal95_error(0.0, 0.0)), (Some(0.0), None));
    }

    /// The first two are examples of Newcombe, "Two-sided confidence intervals for the single proportion" (1998),
    /// table I, method 3; the others follow from the formula at its ends.
    #[test]
    fn wilsons_interval_has_its_textbook_values() {
        for (successes, trials, low, high) in [
            (81.0, 263.0, 0.2553, 0.3662),
            (15.0, 148.0, 0.0624, 0.1605),
            (0.0, 20.0, 0.0, 0.1611),
            (1.0, 29.0, 0.0061, 0.1718),
            (20.0, 20.0, 0.8389, 1.0),
        ] {
            let [found_low, found_high] = wilson95(successes, trials).expect("trials");
            near(found_low, low, 5e-5);
            near(found_high, high, 5e-5);
        }
        assert_eq!(wilson95(0.0, 0.0), None);
        // Without rounding: what follows from the interval asks whether its ends are 0 and 1.
        for trials in (1..=1000).map(f64::from) {
            let ends = (wilson95(0.0, trials).expect("trials")[0], wilson95(trials, trials).expect("trials")[1]);
            assert_eq!(ends, (0.0, 1.0), "{trials} trials");
        }
    }

    #[test]
    fn the_interval_covers_the_truth_about_95_times_in_100() {
        let mut rng = Rng::new(1);
        for chance in [0.5, 0.8, 0.93] {
            let covered = (0..4000).filter(|_| {
                let heads = (0..250).filter(|_| rng.unit() < chance).count();
                let [low, high] = wilson95(heads as f64, 250.0).expect("trials");
                (low..=high).contains(&chance)
            });
            near(covered.count() as f64 / 4000.0, 0.95, 0.015);
        }
    }

    #[test]
    fn elo_and_score_are_each_others_inverse() {
        near(elo_of(0.75).expect("finite"), 190.85, 0.005);
        near(elo_of(0.5).expect("finite"), 0.0, 1e-12);
        near(elo_of(0.25).expect("finite"), -190.85, 0.005);
        near(score_of(400.0), 10.0 / 11.0, 1e-12);
        for elo in [-350.0, -5.0, 0.0, 33.3, 700.0] {
            near(elo_of(score_of(elo)).expect("finite"), elo, 1e-9);
        }
        assert_eq!([0.0, 1.0, f64::NAN].map(elo_of), [None; 3]);
    }

    #[test]
    fn moments_are_those_of_the_pairs_and_of_the_games() {
        let (mean, variance) = pair_moments(&[1, 11, 47, 25, 16]).expect("pairs");
        near(mean, 0.61, 1e-12);
        near(variance, (11.0 / 16.0 + 47.0 / 4.0 + 25.0 * 9.0 / 16.0 + 16.0) / 100.0 - 0.61 * 0.61, 1e-12);
        near(game_variance(1, 2, 1).expect("games"), 0.125, 1e-12);
        assert_eq!((pair_moments(&[0; 5]), game_variance(0, 0, 0)), (None, None));
    }

    /// The first seven are what Fishtest's own LLR_logistic gives, to its last digits; the others are the logistic
    /// pentanomial examples in fastchess's tests.
    #[test]
    fn the_sequential_test_agrees_with_fishtest_and_fastchess() {
        for (pairs, elo0, elo1, expected, tolerance) in [
            ([3, 20, 50, 22, 5], 0.0, 20.0, 0.040_320_372_416_7, 1e-9),
            ([3, 20, 50, 22, 5], 0.0, 5.0, 0.178_380_224_381_9, 1e-9),
            ([3, 20, 50, 22, 5], -10.0, 10.0, 0.934_472_911_389_0, 1e-9),
            ([0, 10, 30, 12, 0], 0.0, 20.0, -0.270_414_536_288_9, 1e-9),
            ([0, 10, 30, 12, 0], 0.0, 5.0, 0.085_226_848_211_5, 1e-9),
            ([12, 40, 60, 30, 8], 0.0, 20.0, -2.997_301_135_158_3, 1e-9),
            ([12, 40, 60, 30, 8], -10.0, 10.0, -2.057_973_200_426_0, 1e-9),
            ([223, 9863, 21279, 10037, 246], 0.5, 2.5, -3.07, 0.03),
            ([871, 26175, 55983, 26678, 821], 0.0, 2.0, -4.98, 0.05),
        ] {
            near(Sprt { elo0, elo1 }.log_likelihood_ratio(&pairs), expected, tolerance);
        }
        near(Sprt::bound(), 2.944_438_979_166_44, 1e-12);
    }

    #[test]
    fn the_sequential_test_ends_on_either_side_and_treats_both_alike() {
        let test = Sprt { elo0: 0.0, elo1: 20.0 };
        assert_eq!(test.verdict(&[0; 5]), None);
        assert_eq!(test.log_likelihood_ratio(&[0; 5]), 0.0);
        // Known from Fishtest's formula: the 53rd won pair in a row settles it.
        assert_eq!((test.verdict(&[0, 0, 0, 0, 52]), test.verdict(&[0, 0, 0, 0, 53])), (None, Some(Verdict::H1)));
        assert_eq!(test.verdict(&[400, 0, 0, 0, 0]), Some(Verdict::H0));
        let mirrored = Sprt { elo0: -20.0, elo1: 0.0 };
        let (forward, back) = ([3, 20, 50, 22, 5], [5, 22, 50, 20, 3]);
        near(test.log_likelihood_ratio(&forward), -mirrored.log_likelihood_ratio(&back), 1e-9);
    }

    /// Both hypotheses true in turn: a wrong answer about one time in twenty, or rarer because pairs come in lumps.
    #[test]
    fn the_sequential_test_is_wrong_at_most_one_time_in_twenty() {
        let test = Sprt { elo0: 0.0, elo1: 100.0 };
        let mut rng = Rng::new(3);
        for (elo, wrong) in [(test.elo0, Verdict::H1), (test.elo1, Verdict::H0)] {
            let mistakes = (0..300).filter(|_| {
                let mut pairs = [0; 5];
                let verdict = loop {
                    pairs[2 * (0..2).filter(|_| rng.unit() < score_of(elo)).count()] += 1;
                    if let Some(verdict) = test.verdict(&pairs) {
                        break verdict;
                    }
                };
                verdict == wrong
            });
            let share = mistakes.count() as f64 / 300.0;
            assert!(share <= 0.08, "{share}");
        }
    }
}

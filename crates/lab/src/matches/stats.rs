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
    Some([(middle - half).max(0.0), (middle + half).min(1.0)])
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
    (score > 0.0 && score < 1.0).then(|| -400.0 * (1.0 / score - 1.0).log10())
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

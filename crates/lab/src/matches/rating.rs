//! Elo ratings of several players from all their games against each other.

use crate::matches::stats::Z95;

/// Points that one player made against another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meeting {
    /// The first player.
    pub first: usize,
    /// The second player.
    pub second: usize,
    /// Games they played.
    pub games: f64,
    /// Points of the first player, draws half.
    pub points: f64,
}

/// Ratings, their mean 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    /// Elo of each player.
    pub elo: Vec<f64>,
    /// Half the width of the 95 % interval of each, against the mean of all.
    pub error: Vec<f64>,
    /// Whether a drawn game was added to every meeting, because the ratings would be infinite without.
    pub bounded: bool,
}

/// Elo for a factor of e in the odds.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// The ratings under which the results were most likely, if a game is won with odds of 10^(difference/400) and a draw is
/// half a win (Bradley and Terry 1952; found by Newton's method). The errors come from the information matrix.
///
/// Whoever won or lost everything would be infinitely far away: then a drawn game is added to every meeting. A player
/// without games is rated 0 with an infinite error. All others must have met, if only through others.
pub fn rate(players: usize, meetings: &[Meeting]) -> Ratings {
    let plays = |player: &usize| meetings.iter().any(|m| m.games > 0.0 && [m.first, m.second].contains(player));
    let rated: Vec<usize> = (0..players).filter(plays).collect();
    let place = |player| rated.iter().position(|&p| p == player).unwrap_or_default();
    let known = meetings.iter().filter(|meeting| meeting.games > 0.0);
    let known: Vec<Meeting> = known
        .map(|meeting| Meeting { first: place(meeting.first), second: place(meeting.second), ..*meeting })
        .collect();
    let found = rate_all(rated.len(), &known);
    let mut ratings = Ratings { elo: vec![0.0; players], error: vec![f64::INFINITY; players], bounded: found.bounded };
    for (place, &player) in rated.iter().enumerate() {
        (ratings.elo[player], ratings.error[player]) = (found.elo[place], found.error[place]);
    }
    ratings
}

fn rate_all(players: usize, meetings: &[Meeting]) -> Ratings {
    let bounded = !comparable(players, meetings);
    let mut meetings: Vec<Meeting> = meetings.to_vec();
    if bounded {
        meetings.iter_mut().for_each(|meeting| {
            meeting.games += 1.0;
            meeting.points += 0.5;
        });
    }
    // In units of e rather than of 10^(1/400).
    let mut rating = vec![0.0; players];
    for _ in 0..100 {
        let (gradient, inverse) = slope(&rating, &meetings);
        let mut largest: f64 = 0.0;
        for (player, row) in inverse.iter().enumerate() {
            let step: f64 = row.iter().zip(&gradient).map(|(a, b)| a * b).sum();
            // Far from the top a full step of Newton's can overshoot.
            let step = step.clamp(-2.0, 2.0);
            rating[player] += step;
            largest = largest.max(step.abs());
        }
        if largest < 1e-12 {
            break;
        }
    }
    let (_, inverse) = slope(&rating, &meetings);
    let mean = rating.iter().sum::<f64>() / players as f64;
    let elo = rating.iter().map(|rating| SCALE * (rating - mean)).collect();
    let error = (0..players).map(|player| Z95 * SCALE * inverse[player][player].max(0.0).sqrt()).collect();
    Ratings { elo, error, bounded }
}

/// Whether nobody is infinitely far from anybody: every player can be reached from every other by wins and draws.
fn comparable(players: usize, meetings: &[Meeting]) -> bool {
    let reaches_all = |forward: bool| {
        let mut reached: Vec<bool> = (0..players).map(|player| player == 0).collect();
        let mut open = vec![0];
        while let Some(player) = open.pop() {
            for meeting in meetings {
                let scored = [meeting.points > 0.0, meeting.points < meeting.games];
                for (from, to, scored) in
                    [(meeting.first, meeting.second, scored[0]), (meeting.second, meeting.first, scored[1])]
                {
                    let (from, to) = if forward { (from, to) } else { (to, from) };
                    if scored && from == player && !std::mem::replace(&mut reached[to], true) {
                        open.push(to);
                    }
                }
            }
        }
        reached.into_iter().all(|reached| reached)
    };
    reaches_all(true) && reaches_all(false)
}

/// The slope of the log-likelihood, and the inverse of the information on the ratings against their mean.
fn slope(rating: &[f64], meetings: &[Meeting]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let players = rating.len();
    let share = 1.0 / players as f64;
    let mut gradient = vec![0.0; players];
    // Ratings are known only up to a constant; adding 1/n everywhere fixes their mean and makes the matrix regular.
    let mut information = vec![vec![share; players]; players];
    for &Meeting { first, second, games, points } in meetings {
        let expected = 1.0 / (1.0 + (rating[second] - rating[first]).exp());
        let weight = games * expected * (1.0 - expected);
        gradient[first] += points - games * expected;
        gradient[second] -= points - games * expected;
        information[first][first] += weight;
        information[second][second] += weight;
        information[first][second] -= weight;
        information[second][first] -= weight;
    }
    let mut inverse = inverted(information);
    inverse.iter_mut().flatten().for_each(|value| *value -= share);
    (gradient, inverse)
}

/// The inverse of a symmetric positive definite matrix, by Gauss and Jordan.
fn inverted(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let size = matrix.len();
    let mut inverse: Vec<Vec<f64>> = (0..size).map(|i| (0..size).map(|j| f64::from(i == j)).collect()).collect();
    for column in 0..size {
        // Only players that never met, not even through others, leave a zero here.
        let pivot = matrix[column][column].max(1e-12);
        for j in 0..size {
            matrix[column][j] /= pivot;
            inverse[column][j] /= pivot;
        }
        for row in (0..size).filter(|&row| row != column) {
            let factor = matrix[row][column];
            for j in 0..size {
                let (from_matrix, from_inverse) = (matrix[column][j], inverse[column][j]);
                matrix[row][j] -= factor * from_matrix;
                inverse[row][j] -= factor * from_inverse;
            }
        }
    }
    inverse
}

#[cfg(test)]
mod tests {
    use plyproof_core::Rng;

    use super::*;

    fn meeting(first: usize, second: usize, points: f64, games: f64) -> Meeting {
        Meeting { first, second, games, points }
    }

    #[track_caller]
    fn near(found: f64, expected: f64, tolerance: f64) {
        assert!((found - expected).abs() <= tolerance, "{found}, not {expected}");
    }

    #[test]
    fn two_players_are_as_far_apart_as_their_score_says() {
        let ratings = rate(2, &[meeting(0, 1, 75.0, 100.0)]);
        near(ratings.elo[0] - ratings.elo[1], 190.85, 0.005);
        near(ratings.elo[0] + ratings.elo[1], 0.0, 1e-9);
        assert!(!ratings.bounded);
        // The score has the error z·sqrt(pq/n); half of it is this player's, by the slope of Elo at p.
        let slope = SCALE / (0.75 * 0.25);
        near(ratings.error[0], Z95 * (0.75f64 * 0.25 / 100.0).sqrt() * slope / 2.0, 1e-6);
    }

    #[test]
    fn scores_that_fit_together_give_back_the_ratings_they_came_from() {
        let truth = [150.0, 20.0, -40.0, -130.0];
        let mut meetings = Vec::new();
        for (first, second) in [(0, 1), (0, 2), (3, 0), (1, 2), (3, 2)] {
            let expected = crate::matches::stats::score_of(truth[first] - truth[second]);
            meetings.push(meeting(first, second, 40.0 * expected, 40.0));
        }
        let ratings = rate(4, &meetings);
        for (found, expected) in ratings.elo.iter().zip(truth) {
            near(*found, expected, 1e-6);
        }
    }

    #[test]
    fn who_won_everything_is_far_away_but_not_infinitely() {
        let ratings = rate(3, &[meeting(0, 1, 20.0, 20.0), meeting(0, 2, 20.0, 20.0), meeting(1, 2, 10.0, 20.0)]);
        assert!(ratings.bounded);
        near(ratings.elo[0] - ratings.elo[1], crate::matches::stats::elo_of(20.5 / 21.0).expect("finite"), 1e-6);
        assert!(ratings.error.iter().all(|error| error.is_finite()));
    }

    #[test]
    fn who_has_not_played_is_not_known() {
        let ratings = rate(3, &[meeting(0, 2, 12.0, 20.0), meeting(0, 1, 0.0, 0.0)]);
        assert_eq!((ratings.elo[1], ratings.error[1]), (0.0, f64::INFINITY));
        near(ratings.elo[0] - ratings.elo[2], 70.44, 0.005);
        assert_eq!(rate(2, &[]).error, [f64::INFINITY; 2]);
    }

    #[test]
    fn the_interval_covers_the_truth_about_95_times_in_100() {
        let truth = [100.0, 0.0, -100.0];
        let mut rng = Rng::new(1);
        let (mut covered, mut all) = (0, 0);
        for _ in 0..400 {
            let mut meetings = Vec::new();
            for (first, second) in [(0, 1), (0, 2), (1, 2)] {
                let chance = crate::matches::stats::score_of(truth[first] - truth[second]);
                let points = (0..100).filter(|_| rng.unit() < chance).count();
                meetings.push(meeting(first, second, points as f64, 100.0));
            }
            let ratings = rate(3, &meetings);
            for ((found, error), truth) in ratings.elo.iter().zip(&ratings.error).zip(truth) {
                all += 1;
                covered += usize::from((found - truth).abs() <= *error);
            }
        }
        near(covered as f64 / f64::from(all), 0.95, 0.02);
    }
}

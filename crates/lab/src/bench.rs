//! How fast a game plays to the end, and what random games of it look like.
//!
//! One thread, processor time. Several games are measured in turns, a short batch each, so that whatever else the
//! machine does in the meantime hits all of them alike.

use plyproof_engine::{AnyGame, BranchingTally, PlayoutTally, Registry, Rng, TextError};
use serde::Serialize;

use crate::cpu_time::CpuTime;

/// What was measured for one game. Shares are between 0 and 1.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlayoutSpeed {
    /// The game in its shortest spelling.
    pub game: String,
    /// Play-outs a processor second.
    pub playouts_per_s: f64,
    /// Moves a processor second.
    pub plies_per_s: f64,
    /// Moves of a play-out, on average.
    pub mean_length: f64,
    /// Legal moves of a position, on average over every position of the first [`BRANCHING_SAMPLE`] listed play-outs.
    pub mean_branching: f64,
    /// Share won by the first player.
    pub first_wins: f64,
    /// Share that nobody won, cut ones included.
    pub draws: f64,
    /// Share won by the second player.
    pub second_wins: f64,
    /// Share cut and drawn after [`PLY_LIMIT`](plyproof_core::PLY_LIMIT) moves.
    pub cut: f64,
    /// Play-outs that were timed.
    pub playouts: u64,
    /// Processor seconds they took.
    pub cpu_seconds: f64,
    /// Where randomness started.
    pub seed: u64,
}

/// Play-outs whose legal moves are counted, outside the timed part.
pub const BRANCHING_SAMPLE: u64 = 400;

/// Longest batch, in processor seconds: short enough that a disturbance of the machine spreads over all games.
const LONGEST_BATCH: f64 = 0.05;
/// A game takes at least so many turns, however little time it is given.
const LEAST_ROUNDS: f64 = 10.0;

/// The games of a benchmark that names none: each with its defaults, and the second board of the paper's LOA.
pub fn default_games(registry: &Registry) -> Vec<String> {
    let mut games = Vec::new();
    for entry in registry.entries() {
        let name = &entry.described().name;
        games.push(name.clone());
        if name == "loa" {
            games.push("loa(size=7)".to_string());
        }
    }
    games
}

/// Measures random play-outs from the start position of each game, `seconds` of processor time a game.
///
/// The play-outs of a game depend on `seed` alone, not on the other games; how many there are depends on the machine.
pub fn playouts(
    registry: &Registry,
    games: &[String],
    seconds: f64,
    seed: u64,
) -> Result<Vec<PlayoutSpeed>, TextError> {
    let batch_seconds = (seconds / LEAST_ROUNDS).min(LONGEST_BATCH);
    let mut runs = Vec::with_capacity(games.len());
    for game in games {
        runs.push(Run::new(registry.open(game)?, seed));
    }
    for run in &mut runs {
        run.warm_up(batch_seconds);
    }
    while runs.iter().any(|run| run.cpu_seconds < seconds) {
        for run in runs.iter_mut().filter(|run| run.cpu_seconds < seconds) {
            run.batch();
        }
    }
    Ok(runs.into_iter().map(|run| run.result(seed)).collect())
}

struct Run {
    game: Box<dyn AnyGame>,
    rng: Rng,
    branching: BranchingTally,
    batch: u64,
    tally: PlayoutTally,
    cpu_seconds: f64,
}

impl Run {
    fn new(game: Box<dyn AnyGame>, seed: u64) -> Self {
        let branching = game.measure_branching(&mut Rng::stream(seed, 1), BRANCHING_SAMPLE);
        let rng = Rng::stream(seed, 0);
        Self { game, rng, branching, batch: 1, tally: PlayoutTally::default(), cpu_seconds: 0.0 }
    }

    /// Finds how many play-outs fill a batch and brings tables into the cache; nothing of it counts.
    fn warm_up(&mut self, batch_seconds: f64) {
        let mut rng = Rng::new(0);
        loop {
            let time = CpuTime::start();
            self.game.measure_playouts(&mut rng, self.batch);
            let used = time.seconds();
            // Long enough to tell the rest by proportion; never far more than the batch that is wanted.
            if used >= batch_seconds / 4.0 {
                self.batch = ((self.batch as f64 * batch_seconds / used) as u64).max(1);
                return;
            }
            self.batch *= 2;
        }
    }

    fn batch(&mut self) {
        let time = CpuTime::start();
        let tally = self.game.measure_playouts(&mut self.rng, self.batch);
        self.cpu_seconds += time.seconds();
        self.tally.add(&tally);
    }

    fn result(self, seed: u64) -> PlayoutSpeed {
        let tally = &self.tally;
        let playouts = tally.playouts as f64;
        let share = |count: u64| rounded(count as f64 / playouts, 1e6);
        PlayoutSpeed {
            game: self.game.name(),
            playouts_per_s: rounded(playouts / self.cpu_seconds, 10.0),
            plies_per_s: rounded(tally.plies as f64 / self.cpu_seconds, 10.0),
            mean_length: rounded(tally.plies as f64 / playouts, 1e4),
            mean_branching: rounded(self.branching.moves as f64 / self.branching.positions as f64, 1e4),
            first_wins: share(tally.wins[0]),
            draws: share(tally.draws),
            second_wins: share(tally.wins[1]),
            cut: share(tally.cut),
            playouts: tally.playouts,
            cpu_seconds: rounded(self.cpu_seconds, 1e6),
            seed,
        }
    }
}

/// `value` to the nearest `1 / parts`: digits that mean something.
pub(crate) fn rounded(value: f64, parts: f64) -> f64 {
    (value * parts).round() / parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(games: &[&str], seed: u64) -> Vec<PlayoutSpeed> {
        let games: Vec<String> = games.iter().map(|game| game.to_string()).collect();
        playouts(&Registry::builtin(), &games, 0.05, seed).expect("known games")
    }

    #[test]
    fn figures_fit_together_and_come_in_the_order_asked_for() {
        let time = CpuTime::start();
        let speeds = measured(&["breakthrough", "knightthrough( moves = all )"], 1);
        let reported: f64 = speeds.iter().map(|speed| speed.cpu_seconds).sum();
        assert!(reported <= time.seconds(), "{reported} s reported, {} s used", time.seconds());
        assert_eq!([&speeds[0].game, &speeds[1].game], ["breakthrough", "knightthrough(moves=all)"]);
        for speed in &speeds {
            assert!((speed.first_wins + speed.draws + speed.second_wins - 1.0).abs() < 1e-5, "{speed:?}");
            assert!((speed.plies_per_s / speed.playouts_per_s / speed.mean_length - 1.0).abs() < 1e-3, "{speed:?}");
            assert!((speed.playouts as f64 / speed.cpu_seconds / speed.playouts_per_s - 1.0).abs() < 1e-3, "{speed:?}");
            assert!(speed.cpu_seconds >= 0.05 && speed.mean_branching > 1.0 && speed.cut <= speed.draws, "{speed:?}");
        }
    }

    #[test]
    fn random_knightthrough_has_the_length_an_independent_system_measured() {
        let speed = &measured(&["knightthrough"], 1)[0];
        assert!((speed.mean_length - 33.6).abs() < 1.0, "{speed:?}");
    }

    #[test]
    fn the_same_seed_meets_the_same_positions_whatever_else_is_measured() {
        let alone = &measured(&["breakthrough"], 7)[0];
        let beside = &measured(&["knightthrough", "breakthrough"], 7)[1];
        assert_eq!(alone.mean_branching, beside.mean_branching);
        assert_ne!(alone.mean_branching, measured(&["breakthrough"], 8)[0].mean_branching);
    }

    #[test]
    fn every_default_game_is_known() {
        assert!(default_games(&Registry::builtin()).len() >= Registry::builtin().entries().count());
        assert!(
            default_games(&Registry::builtin())
                .iter()
                .all(|game| Registry::builtin().open(game).is_ok_and(|opened| opened.name() == *game))
        );
        assert!(playouts(&Registry::builtin(), &["chess".to_string()], 0.01, 1).is_err());
    }
}

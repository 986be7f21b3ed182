//! What the games of a match come to.

use std::collections::BTreeMap;

use plyproof_core::Wdl;
use serde::Serialize;

use crate::matches::config::{Config, SideSpec};
use crate::matches::game::{GameRecord, Reason, SideName};
use crate::matches::stats::{self, Pentanomial, Sprt, Verdict};

/// Every statistic of the games so far, from A's side. Shares and scores are between 0 and 1.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The game in its shortest spelling.
    pub game: String,
    /// The agent of A.
    pub a: String,
    /// The agent of B.
    pub b: String,
    /// Finished games that are counted.
    pub games: u32,
    /// Games A won.
    pub wins: u32,
    /// Games nobody won, those cut by the ply limit included.
    pub draws: u32,
    /// Games A lost.
    pub losses: u32,
    /// Points of A a game, draws half. None without games.
    pub score: Option<f64>,
    /// Wins of A among the games that somebody won: the paper's measure.
    pub win_rate_without_draws: Option<f64>,
    /// Wilson's interval of the win rate without draws.
    pub wilson95: Option<[f64; 2]>,
    /// The paper's normal interval of the same, cut to 0..1.
    pub normal95: Option<[f64; 2]>,
    /// Half the width of the normal interval: what stands after the paper's ±.
    pub normal95_error: Option<f64>,
    /// Elo difference of the score; none if A won or lost everything.
    pub elo: Option<f64>,
    /// Half the width of its interval.
    pub elo_error: Option<f64>,
    /// Its interval, from the variance of the pairs (of Wilson's interval where there is none); none is infinite.
    pub elo95: [Option<f64>; 2],
    /// Finished pairs by A's points: 0, ½, 1, 1½, 2.
    pub pentanomial: Pentanomial,
    /// Results of the games in which A moved first.
    pub a_first: ByResult,
    /// Results of the games in which A moved second.
    pub a_second: ByResult,
    /// Plies of a game, on average, the opening included.
    pub mean_plies: Option<f64>,
    /// How A played.
    pub side_a: SideSummary,
    /// How B played.
    pub side_b: SideSummary,
    /// Games cut by the ply limit.
    pub ply_limit: u32,
    /// Games that ended because a side failed: with an error, a crash, a move that is not legal, or its time used up.
    pub errors: u32,
    /// Games by the reason of their end, for every reason that occurred.
    pub reasons: BTreeMap<&'static str, u32>,
    /// What the first of these errors was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_error: Option<String>,
    /// The sequential test, if one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtSummary>,
    /// Where all randomness started.
    pub seed: u64,
    /// Random plies at the start of each pair.
    pub openings: u32,
    /// Plies after which a game was cut and drawn.
    pub max_plies: u32,
    /// Games to be played in all; where that is not known, up to the last pair that is there.
    pub planned: u32,
    /// All planned games are finished, or a sequential test has its answer.
    pub complete: bool,
    /// Games that were in the record before this run.
    pub resumed: u32,
    /// What was set aside of the record when the match went on, and where it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub set_aside: Option<String>,
}

/// Games counted by A's result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ByResult {
    /// Games A won.
    pub wins: u32,
    /// Games nobody won.
    pub draws: u32,
    /// Games A lost.
    pub losses: u32,
}

/// How a side played.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SideSummary {
    /// Agent and budget.
    #[serde(flatten)]
    pub spec: SideSpec,
    /// Moves it chose; moves of the opening are nobody's.
    pub moves: u64,
    /// Simulations a move, on average.
    pub sims_per_move: Option<f64>,
    /// Milliseconds a move, on average.
    pub ms_per_move: Option<f64>,
    /// Games in which it had proven its own win before the end.
    pub proven_wins: u32,
    /// Games in which it had proven that it cannot win.
    pub proven_no_wins: u32,
    /// Games in which it had proven either.
    pub proven: u32,
    /// Games that it lost without a legal move: by its time, a crash, an illegal move, an error, or because it gave up.
    pub forfeits: u32,
    /// The ply at which it first had, on average over these games.
    pub mean_proven_ply: Option<f64>,
    /// Plies left to be played then, on average.
    pub mean_plies_after_proof: Option<f64>,
}

/// A sequential test so far.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SprtSummary {
    /// The null hypothesis.
    pub elo0: f64,
    /// The alternative.
    pub elo1: f64,
    /// The log-likelihood ratio of the pairs counted, in their order without gaps.
    pub llr: f64,
    /// The test ends when the ratio is outside of -`bound`..`bound`.
    pub bound: f64,
    /// `"H0"` or `"H1"`, once it has ended.
    pub verdict: Option<&'static str>,
}

/// The finished games of one match, each once.
#[derive(Clone, Debug)]
pub struct Ledger {
    config: Config,
    games: BTreeMap<(u32, u32), Tally>,
    /// The first game with an error, in the order of the games, and what it says.
    first_error: Option<((u32, u32), String)>,
    test: Option<Test>,
}

/// Longest error that is repeated in a summary, in characters.
const LONGEST_ERROR: usize = 500;

/// What a summary needs of a game.
#[derive(Clone, Debug)]
struct Tally {
    first: SideName,
    result: Wdl,
    reason: Reason,
    plies: u32,
    sides: [SideTally; 2],
}

#[derive(Clone, Debug)]
struct SideTally {
    moves: u64,
    sims: u64,
    ms: f64,
    win: Option<u32>,
    no_win: Option<u32>,
}

/// The sequential test looks at pairs in their order, whatever order they finish in: its answer depends on the games alone.
#[derive(Clone, Debug)]
struct Test {
    sprt: Sprt,
    seen: Pentanomial,
    next_pair: u32,
    verdict: Option<Verdict>,
}

impl Tally {
    fn of(game: &GameRecord) -> Self {
        let side = |sims: &[u64], ms, proven: crate::matches::Proven| SideTally {
            moves: sims.len() as u64,
            sims: sims.iter().fold(0, |sum, &n| sum.saturating_add(n)),
            ms,
            win: proven.win,
            no_win: proven.no_win,
        };
        Self {
            first: game.first,
            result: game.result,
            reason: game.reason,
            plies: game.plies,
            sides: [side(&game.sims_a, game.ms_a, game.proven_a), side(&game.sims_b, game.ms_b, game.proven_b)],
        }
    }
}

/// Twice the points of a result.
fn half_points(result: Wdl) -> usize {
    result as usize
}

impl Ledger {
    /// No games yet.
    pub fn new(config: Config) -> Self {
        let test = config.sprt.map(|(elo0, elo1)| Test {
            sprt: Sprt { elo0, elo1 },
            seen: [0; 5],
            next_pair: 0,
            verdict: None,
        });
        Self { config, games: BTreeMap::new(), first_error: None, test }
    }

    /// What is played.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Adds a game; false if it was there before and nothing changed.
    pub fn add(&mut self, game: &GameRecord) -> bool {
        let key = (game.pair, game.game);
        if self.games.contains_key(&key) {
            return false;
        }
        self.games.insert(key, Tally::of(game));
        // One is kept, not one for each game: a record may hold a million of any length.
        if let Some(error) = &game.error
            && self.first_error.as_ref().is_none_or(|(first, _)| key < *first)
        {
            self.first_error = Some((key, error.chars().take(LONGEST_ERROR).collect()));
        }
        if let Some(test) = &mut self.test {
            while test.verdict.is_none()
                && let Some(points) = pair_points(&self.games, test.next_pair)
            {
                test.seen[points] += 1;
                test.next_pair += 1;
                test.verdict = test.sprt.verdict(&test.seen);
            }
        }
        true
    }

    /// Whether this game of this pair is there.
    pub fn has(&self, pair: u32, game: u32) -> bool {
        self.games.contains_key(&(pair, game))
    }

    /// Games that are there.
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Whether there are no games.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// Whether a sequential test has its answer.
    pub fn decided(&self) -> bool {
        self.test.as_ref().is_some_and(|test| test.verdict.is_some())
    }

    /// The first pair that a sequential test did not look at, once it has its answer.
    pub fn decided_after(&self) -> Option<u32> {
        self.test.as_ref().filter(|test| test.verdict.is_some()).map(|test| test.next_pair)
    }

    /// The statistics of all games; once a sequential test has its answer, of the games it looked at.
    pub fn summary(&self) -> Summary {
        let after = match &self.test {
            Some(test) if test.verdict.is_some() => test.next_pair,
            _ => u32::MAX,
        };
        let games: Vec<(&(u32, u32), &Tally)> = self.games.range(..(after, 0)).collect();
        let (mut a_first, mut a_second) = (ByResult::default(), ByResult::default());
        for (_, game) in &games {
            let by = if game.first == SideName::A { &mut a_first } else { &mut a_second };
            match game.result {
                Wdl::Win => by.wins += 1,
                Wdl::Draw => by.draws += 1,
                Wdl::Loss => by.losses += 1,
            }
        }
        let (wins, draws, losses) =
            (a_first.wins + a_second.wins, a_first.draws + a_second.draws, a_first.losses + a_second.losses);
        let mut pentanomial = [0; 5];
        for (key, _) in games.iter().filter(|(key, _)| key.1 == 0) {
            if let Some(points) = pair_points(&self.games, key.0) {
                pentanomial[points] += 1;
            }
        }
        let count = games.len() as u32;
        let planned = self.games.last_key_value().map_or(0, |((pair, _), _)| 2 * (pair + 1));
        let mean = |sum: f64, n: f64| (n > 0.0).then(|| sum / n);
        let (decisive, played) = (f64::from(wins + losses), f64::from(count));
        let score = mean(f64::from(wins) + 0.5 * f64::from(draws), played);
        let win_rate = mean(f64::from(wins), decisive);
        let normal95_error = stats::normal95_error(wins.into(), decisive);
        let elo95 = elo_interval(wins, draws, losses, &pentanomial);
        let of_reason = |reason| games.iter().filter(|(_, game)| game.reason == reason).count() as u32;
        Summary {
            game: self.config.game.clone(),
            a: self.config.a.agent.clone(),
            b: self.config.b.agent.clone(),
            games: count,
            wins,
            draws,
            losses,
            score,
            win_rate_without_draws: win_rate,
            wilson95: stats::wilson95(wins.into(), decisive),
            normal95: win_rate.zip(normal95_error).map(|(p, error)| [(p - error).max(0.0), (p + error).min(1.0)]),
            normal95_error,
            elo: score.and_then(stats::elo_of),
            elo_error: elo95[0].zip(elo95[1]).map(|(low, high)| (high - low) / 2.0),
            elo95,
            pentanomial,
            a_first,
            a_second,
            mean_plies: mean(games.iter().map(|(_, game)| f64::from(game.plies)).sum(), played),
            side_a: side_summary(&self.config.a, &games, 0),
            side_b: side_summary(&self.config.b, &games, 1),
            ply_limit: of_reason(Reason::PlyLimit),
            errors: [Reason::Error, Reason::Crash, Reason::IllegalMove, Reason::Time].map(of_reason).iter().sum(),
            reasons: Reason::ALL
                .map(|reason| (reason.word(), of_reason(reason)))
                .into_iter()
                .filter(|r| r.1 > 0)
                .collect(),
            first_error: self.first_error.as_ref().filter(|(key, _)| *key < (after, 0)).map(|(_, error)| error.clone()),
            sprt: self.test.as_ref().map(|test| SprtSummary {
                elo0: test.sprt.elo0,
                elo1: test.sprt.elo1,
                llr: test.sprt.log_likelihood_ratio(&test.seen),
                bound: Sprt::bound(),
                verdict: test.verdict.map(Verdict::word),
            }),
            seed: self.config.seed,
            openings: self.config.openings,
            max_plies: self.config.max_plies,
            planned,
            complete: self.decided() || count == planned,
            resumed: 0,
            set_aside: None,
        }
    }
}

/// Twice A's points of a pair, once both its games are there.
fn pair_points(games: &BTreeMap<(u32, u32), Tally>, pair: u32) -> Option<usize> {
    let points = |game| games.get(&(pair, game)).map(|tally| half_points(tally.result));
    Some(points(0)? + points(1)?)
}

/// The interval of the Elo difference. Its ends are none where they would be infinite.
fn elo_interval(wins: u32, draws: u32, losses: u32, pairs: &Pentanomial) -> [Option<f64>; 2] {
    let games = f64::from(wins + draws + losses);
    let by_game = stats::game_variance(wins.into(), draws.into(), losses.into());
    let by_pair = stats::pair_moments(pairs).filter(|_| pairs.iter().sum::<u64>() > 1);
    // The score of a pair is the mean of its two games.
    let Some(variance) = by_pair.map(|(_, variance)| 2.0 * variance).or(by_game) else { return [None, None] };
    let points = f64::from(wins) + 0.5 * f64::from(draws);
    let interval = if variance > 0.0 {
        let (mean, error) = (points / games, stats::Z95 * (variance / games).sqrt());
        [mean - error, mean + error]
    } else {
        // All pairs came out alike: no spread to measure, but no certainty either.
        stats::wilson95(points, games).unwrap_or([0.0, 1.0])
    };
    interval.map(stats::elo_of)
}

/// Whether A (0) or B (1) lost without a legal move.
fn forfeited(game: &Tally, side: usize) -> bool {
    let lost = if side == 0 { Wdl::Loss } else { Wdl::Win };
    let without_a_move = !matches!(game.reason, Reason::GameOver | Reason::PlyLimit | Reason::Adjudicated);
    without_a_move && game.result == lost
}

fn side_summary(spec: &SideSpec, games: &[(&(u32, u32), &Tally)], side: usize) -> SideSummary {
    let tallies = || games.iter().map(|(_, game)| (&game.sides[side], game.plies));
    let moves: u64 = tallies().map(|(side, _)| side.moves).sum();
    let a_move = |sum: f64| (moves > 0).then(|| sum / moves as f64);
    let first_proof = |side: &SideTally| side.win.into_iter().chain(side.no_win).min();
    let proofs: Vec<(u32, u32)> = tallies().filter_map(|(side, plies)| Some((first_proof(side)?, plies))).collect();
    let mean_proof = |of: &dyn Fn((u32, u32)) -> u32| {
        let sum: f64 = proofs.iter().map(|&proof| f64::from(of(proof))).sum();
        (!proofs.is_empty()).then(|| sum / proofs.len() as f64)
    };
    SideSummary {
        spec: spec.clone(),
        moves,
        sims_per_move: a_move(tallies().map(|(side, _)| side.sims as f64).sum()),
        ms_per_move: a_move(tallies().map(|(side, _)| side.ms).sum()),
        proven_wins: tallies().filter(|(side, _)| side.win.is_some()).count() as u32,
        proven_no_wins: tallies().filter(|(side, _)| side.no_win.is_some()).count() as u32,
        proven: proofs.len() as u32,
        forfeits: games.iter().filter(|(_, game)| forfeited(game, side)).count() as u32,
        mean_proven_ply: mean_proof(&|(ply, _)| ply),
        mean_plies_after_proof: mean_proof(&|(ply, plies)| plies.saturating_sub(ply)),
    }
}

#[cfg(test)]
mod tests;

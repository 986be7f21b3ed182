//! How long a sweep will take, from its records and from some short games of every cell that has none.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use plyproof_core::search::Budget;

use crate::matches::game::{GameTask, Seats};
use crate::matches::{Side, Summary};
use crate::sweep::plan::{Cell, SweepPlan};

/// How long is left. Games of another length than those looked at make it wrong by a factor of two easily.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// One for each cell, in the order of the plan.
    pub cells: Vec<CellEstimate>,
    /// Seconds until the end with so many games at a time.
    pub seconds: f64,
    /// Games left to play.
    pub games: u64,
}

/// What is left of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellEstimate {
    /// Games left to play.
    pub games: u32,
    /// Seconds of one game on one processor.
    pub seconds_a_game: f64,
}

impl CellEstimate {
    /// Seconds until the end of the cell with one game at a time.
    pub fn seconds(&self) -> f64 {
        f64::from(self.games) * self.seconds_a_game
    }
}

/// Simulations a move in a game that is only played to see how long games are.
const SAMPLE_SIMULATIONS: u64 = 40;
/// Such games of a cell that are looked at, and the time after which no other is begun.
const SAMPLE_GAMES: u32 = 4;
const SAMPLE_TIME: Duration = Duration::from_millis(100);
/// After so long the cells left are taken to be like those looked at.
const PATIENCE: Duration = Duration::from_secs(10);

/// Looks at the cells of `plan`, of which `played` is recorded.
pub(super) fn estimate(plan: &SweepPlan, played: &[Option<Summary>], jobs: usize, stop: &AtomicBool) -> Estimate {
    let began = Instant::now();
    let mut seconds_a_game: Vec<Option<f64>> = Vec::with_capacity(plan.cells.len());
    for (cell, summary) in plan.cells.iter().zip(played) {
        let recorded = summary.as_ref().and_then(of_record);
        seconds_a_game.push(match recorded {
            None if began.elapsed() < PATIENCE => of_sample(cell, stop),
            recorded => recorded,
        });
    }
    let known: Vec<f64> = seconds_a_game.iter().copied().flatten().collect();
    let mean = if known.is_empty() { 0.0 } else { known.iter().sum::<f64>() / known.len() as f64 };
    let cells: Vec<CellEstimate> = plan
        .cells
        .iter()
        .zip(played)
        .zip(seconds_a_game)
        .map(|((cell, summary), seconds)| CellEstimate {
            games: match summary {
                Some(summary) if summary.complete => 0,
                Some(summary) => (2 * cell.plan.pairs()).saturating_sub(summary.games),
                None => 2 * cell.plan.pairs(),
            },
            seconds_a_game: seconds.unwrap_or(mean),
        })
        .collect();
    let workers = if jobs == 0 { std::thread::available_parallelism().map_or(1, usize::from) } else { jobs };
    let seconds = cells.iter().map(CellEstimate::seconds).sum::<f64>() / workers as f64;
    Estimate { seconds, games: cells.iter().map(|cell| u64::from(cell.games)).sum(), cells }
}

/// Seconds of a game of those recorded.
fn of_record(summary: &Summary) -> Option<f64> {
    let seconds = |side: &crate::matches::SideSummary| Some(side.ms_per_move? * side.moves as f64 / 1e3);
    let both = seconds(&summary.side_a)? + seconds(&summary.side_b)?;
    (summary.games > 0).then(|| both / f64::from(summary.games))
}

/// Seconds of a game, from some with few simulations: their length, and the speed of both sides.
fn of_sample(cell: &Cell, stop: &AtomicBool) -> Option<f64> {
    let (began, mut seconds, mut games) = (Instant::now(), 0.0, 0);
    while games < SAMPLE_GAMES && (games == 0 || began.elapsed() < SAMPLE_TIME) {
        seconds += sample_game(cell, games, stop)?;
        games += 1;
    }
    Some(seconds / f64::from(games))
}

/// Seconds that a game would take if it went like one with few simulations.
fn sample_game(cell: &Cell, number: u32, stop: &AtomicBool) -> Option<f64> {
    let plan = &cell.plan;
    let short = |side: &Side| {
        let simulations = side.budget.simulations.unwrap_or(u64::MAX).min(SAMPLE_SIMULATIONS);
        Side {
            source: side.source.clone(),
            clock: None,
            budget: Budget { memory: side.budget.memory, ..Budget::simulations(simulations) },
        }
    };
    let (a, b) = (short(&plan.a), short(&plan.b));
    // Pairs that are not part of the match.
    let task = GameTask {
        a: &a,
        b: &b,
        seed: plan.seed,
        pair: u32::MAX - number,
        game: number % 2,
        openings: plan.openings,
        max_plies: plan.max_plies,
        line: plan.book.as_ref().and_then(|book| book.line(0)),
        adjudicate: plan.adjudicate,
    };
    let game = Seats::new(&*plan.game, &a, &b).play(&*plan.game, &task, stop)?;
    let side = |budget: &Budget, sims: &[u64], ms: f64| {
        let (moves, done) = (sims.len() as f64, sims.iter().sum::<u64>() as f64);
        let one = if done > 0.0 { ms / 1e3 / done } else { 0.0 };
        let by_sims =
            budget.simulations.map(|wanted| if done > 0.0 { one * wanted as f64 } else { ms / 1e3 / moves.max(1.0) });
        let by_time = budget.time.map(|time| time.as_secs_f64());
        moves * by_sims.into_iter().chain(by_time).fold(f64::INFINITY, f64::min)
    };
    let seconds = side(&plan.a.budget, &game.sims_a, game.ms_a) + side(&plan.b.budget, &game.sims_b, game.ms_b);
    seconds.is_finite().then_some(seconds)
}

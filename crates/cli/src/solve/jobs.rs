//! `plyproof solve --jobs N`: the search by jobs on the threads of this machine.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use plyproof_engine::checkpoint::Checkpoint;
use plyproof_engine::job_line::JobStanding;
use plyproof_engine::jobs::{AGENT, FoundJobs, open_checkpoint};
use plyproof_engine::units::{elapsed_text, size_text};
use plyproof_engine::{
    Aim, AnyGame, Budget, Interval, JobCheckpoints, JobCounts, JobProgress, JobSettings, JobTask, ProofSink, Sharing,
    Solution, Standing, writable,
};
use serde::Serialize;

use super::Arguments;
use crate::output::{Failure, counted, grouped};

/// How the jobs went.
#[derive(Serialize)]
pub struct JobsReport {
    pub workers: usize,
    #[serde(flatten)]
    pub counts: Counts,
}

/// What was counted, by all processes together.
#[derive(Serialize)]
pub struct Counts {
    done: u64,
    stale: u64,
    lost: u64,
    refused: u64,
    retried: u64,
    shared: u64,
    positions: u64,
    restarts: u64,
}

impl JobsReport {
    pub fn new(workers: usize, counts: JobCounts) -> Self {
        let JobCounts { done, stale, lost, refused, retried, nodes: _, positions, shared, restarts } = counts;
        let counts = Counts { done, stale, lost, refused, retried, shared, positions, restarts };
        Self { workers, counts }
    }

    /// What is known at the end, for those who watch.
    pub fn fill(&self, standing: &mut JobStanding, solution: &Solution) {
        let Counts { done, stale, lost, refused, retried, shared, positions, restarts } = self.counts;
        *standing = JobStanding { done, stale, lost, refused, retried, shared, positions, restarts, ..*standing };
        (standing.nodes, standing.bytes, standing.workers) = (solution.nodes, solution.bytes, self.workers as u64);
    }

    /// The line of the report.
    pub fn text(&self) -> String {
        let Counts { done, stale, lost, refused, retried, shared, positions, restarts } = self.counts;
        let mut text = format!(
            "{} by {}, {} in their tree",
            counted(done, "job", "jobs"),
            counted(self.workers as u64, "worker", "workers"),
            counted(positions, "position", "positions")
        );
        for (count, what) in [
            (stale, "too late"),
            (lost, "lost"),
            (refused, "refused"),
            (retried, "retried"),
            (shared, "answered by others"),
            (restarts, "restarts"),
        ] {
            if count > 0 {
                text += &format!(", {} {what}", grouped(count));
            }
        }
        text
    }
}

/// What a search by jobs cannot do.
pub fn refuse(arguments: &Arguments, game: &dyn AnyGame) -> Result<(), Failure> {
    let why = if arguments.goal == Aim::Score {
        "--jobs finds the value and not the score: leave out --goal score"
    } else if game.players() != 2 {
        "--jobs proves games of two players"
    } else {
        return Ok(());
    };
    Err(Failure::Misused(why.to_string()))
}

/// The file of a search by jobs and what was found in it.
pub struct SavedJobs<'a> {
    path: &'a Path,
    head: Checkpoint,
    found: Option<FoundJobs>,
}

impl<'a> SavedJobs<'a> {
    /// Looks what is at `path`. A checkpoint of anything else is refused.
    pub fn open(path: &'a Path, aim: Aim, game: &dyn AnyGame) -> Result<Self, Failure> {
        let found = open_checkpoint(path, game, aim)
            .map_err(|error| Failure::Failed(format!("{}: {error}", path.display())))?;
        writable(path).map_err(|error| Failure::Failed(format!("cannot write {}: {error}", path.display())))?;
        Ok(Self { path, head: Checkpoint::new(game, aim, AGENT.to_string(), 0), found })
    }

    /// Seconds that earlier processes took.
    pub fn seconds(&self) -> f64 {
        self.found.as_ref().map_or(0.0, |found| found.head.seconds)
    }

    /// Says what was found.
    pub fn found_text(&self) -> String {
        let path = self.path.display();
        match &self.found {
            None => format!("a new search, saved to {path}"),
            Some(FoundJobs { head, .. }) => {
                let nodes = counted(head.nodes, "position", "positions");
                let state = if head.answered { "answered" } else { "goes on" };
                format!("{path}: {state} after {nodes} in {}", elapsed_text(head.seconds))
            }
        }
    }
}

/// Solves, from where the file says if there is one. The last answer says why the search could not be saved at last.
#[allow(clippy::too_many_arguments)]
pub fn solve(
    game: &dyn AnyGame,
    workers: usize,
    arguments: &Arguments,
    budget: Budget,
    every: Interval,
    saved: Option<SavedJobs<'_>>,
    stop: &AtomicBool,
    observer: &mut dyn FnMut(&JobProgress),
    sink: &mut ProofSink<'_>,
    note: &dyn Fn(&str),
) -> Result<(Solution, JobsReport, Option<String>), Failure> {
    let (place, found) = match saved {
        Some(SavedJobs { path, head, found }) => (Some((path, head)), found),
        None => (None, None),
    };
    let before = found.as_ref().map_or(0.0, |found| found.head.seconds);
    let before = Duration::try_from_secs_f64(before).unwrap_or_default();
    let (aim, proofs) = (arguments.goal, arguments.certificate.is_some());
    let settings = JobSettings::default();
    let task = JobTask { aim, settings, workers, sharing: Sharing::One, budget, proofs, before };
    let mut unsaved = None;
    let mut save = |standing: Standing, state: &[u8]| {
        let Some((path, head)) = &place else { return };
        let began = Instant::now();
        let text = match head.write(path, standing, &mut |to| to.write_all(state)) {
            Ok(bytes) => {
                unsaved = None;
                let (size, time) = (size_text(bytes), elapsed_text(began.elapsed().as_secs_f64()));
                format!("saved to {}: {size} in {time}", path.display())
            }
            Err(error) => {
                let text = format!("the search was not saved to {}: {error}", path.display());
                unsaved = Some(text.clone());
                text
            }
        };
        note(&text);
    };
    let from = found.map(|found| found.state);
    let checkpoints = place.is_some().then_some(JobCheckpoints { every, from, save: &mut save });
    let solved = game.solve_by_jobs(&task, stop, observer, sink, checkpoints);
    let (solution, counts) = solved.map_err(|error| match &place {
        Some((path, _)) => Failure::Failed(format!("{}: {error}", path.display())),
        None => Failure::failed(error),
    })?;
    Ok((solution, JobsReport::new(workers, counts), unsaved))
}

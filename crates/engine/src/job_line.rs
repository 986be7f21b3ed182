//! What happens in a search by jobs as lines of JSON: the log of the search, and what a status page shows.

use plyproof_core::Wdl;
use plyproof_core::search::jobs::{JobCounts, JobEvent, JobNews, JobProgress, Merged};
use plyproof_core::search::proof::ProofNumbers;
use serde::{Deserialize, Serialize};

use crate::json::{proof_numbers, value};

/// What happened, and how the search stands since then. Counts are those of all processes together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobLine {
    /// What happened: `begin`, `out`, `result`, `lost`, `dropped`, `checkpoint` or `end`; `look` if nothing did.
    pub event: String,
    /// Time since the search began, in all processes together, in seconds.
    pub seconds: f64,
    /// The number of the job that the event is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub job: Option<u64>,
    /// The number of its worker, from 0 on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worker: Option<u64>,
    /// Positions that the worker may open, or of a result: that it opened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub job_nodes: Option<u64>,
    /// What the result says of the position: `proven`, `disproven` or `open`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// What became of the result: `used`, `stale` or `refused`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub how: Option<String>,
    /// How the search stands.
    #[serde(flatten)]
    pub standing: JobStanding,
}

/// How a search by jobs stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JobStanding {
    /// Jobs whose result was used.
    pub done: u64,
    /// Jobs in flight whose results are needed.
    pub flying: u64,
    /// Jobs whose result came too late.
    pub stale: u64,
    /// Jobs that were lost.
    pub lost: u64,
    /// Results that cannot be those of their job.
    pub refused: u64,
    /// Jobs that were handed out for a position whose job before was lost or refused.
    pub retried: u64,
    /// Positions in the tree that a job for another position has decided.
    pub shared: u64,
    /// How often the search went on from a checkpoint.
    pub restarts: u64,
    /// Positions opened by jobs.
    pub nodes: u64,
    /// Positions in the tree.
    pub positions: u64,
    /// Bytes of the tree, roughly.
    pub bytes: u64,
    /// Workers that there are.
    pub workers: u64,
    /// Workers that have a job.
    pub busy: u64,
    /// The player whose win is asked for, counted from 1; none when there is nothing to ask.
    pub player: Option<u64>,
    /// Proof and disproof number of the root for that question.
    #[serde(with = "proof_numbers")]
    pub numbers: Option<ProofNumbers>,
    /// Seconds since the state was saved; none if it was not.
    pub saved: Option<f64>,
    /// The value for the player to move, once it is known.
    #[serde(with = "value")]
    pub value: Option<Wdl>,
}

impl JobStanding {
    /// With the counts of a search.
    pub fn count(&mut self, counts: &JobCounts) {
        let JobCounts { done, stale, lost, refused, retried, nodes, positions, shared, restarts } = *counts;
        (self.done, self.stale, self.lost, self.refused, self.retried) = (done, stale, lost, refused, retried);
        (self.nodes, self.positions, self.shared, self.restarts) = (nodes, positions, shared, restarts);
    }
}

impl From<&JobProgress> for JobLine {
    fn from(progress: &JobProgress) -> Self {
        let JobProgress { goal, numbers, counts, flying, workers, busy, bytes, elapsed, saved, event } = progress;
        let mut standing = JobStanding {
            flying: *flying as u64,
            bytes: *bytes as u64,
            workers: *workers as u64,
            busy: *busy as u64,
            player: Some(goal.player.index() as u64 + 1),
            numbers: Some(*numbers),
            saved: saved.map(|saved| rounded(saved.as_secs_f64())),
            ..JobStanding::default()
        };
        standing.count(counts);
        let line = Self::new("look", elapsed.as_secs_f64(), standing);
        match event {
            Some(event) => line.about(event),
            None => line,
        }
    }
}

impl JobLine {
    /// A line that is about no job.
    pub fn new(event: &str, seconds: f64, standing: JobStanding) -> Self {
        let (event, seconds) = (event.to_string(), rounded(seconds));
        Self { event, seconds, job: None, worker: None, job_nodes: None, answer: None, how: None, standing }
    }

    fn about(mut self, event: &JobEvent) -> Self {
        let word = match event.news {
            JobNews::Out { nodes } => {
                self.job_nodes = Some(nodes);
                "out"
            }
            JobNews::Came { merged, nodes, numbers } => {
                self.job_nodes = Some(nodes);
                let answer = match (numbers.is_proven(), numbers.is_decided()) {
                    (true, _) => "proven",
                    (false, true) => "disproven",
                    (false, false) => "open",
                };
                let how = match merged {
                    Merged::Used => "used",
                    Merged::Stale => "stale",
                    Merged::Refused => "refused",
                };
                (self.answer, self.how) = (Some(answer.to_string()), Some(how.to_string()));
                "result"
            }
            JobNews::Lost => "lost",
            JobNews::Dropped => "dropped",
        };
        (self.event, self.job) = (word.to_string(), Some(event.job));
        self.worker = event.worker.map(|worker| worker as u64);
        self
    }
}

/// To milliseconds.
fn rounded(seconds: f64) -> f64 {
    (seconds * 1e3).round() / 1e3
}

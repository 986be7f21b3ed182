//! What happens to jobs, for whoever watches a search.

use std::collections::HashMap;

use crate::search::jobs::Merged;
use crate::search::proof::ProofNumbers;

/// Something that has happened to a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JobEvent {
    /// The number of the job.
    pub job: u64,
    /// The number of its worker, if it is known: a result that comes twice has none the second time.
    pub worker: Option<usize>,
    /// What it was.
    pub news: JobNews,
    /// Workers that have a job now.
    pub busy: usize,
}

/// What has happened to a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobNews {
    /// It was handed out.
    Out {
        /// Positions that its worker may open.
        nodes: u64,
    },
    /// Its result came.
    Came {
        /// What became of the result.
        merged: Merged,
        /// Positions that the worker opened.
        nodes: u64,
        /// What it found out about the position.
        numbers: ProofNumbers,
    },
    /// Its worker is gone, or its result is.
    Lost,
    /// It was given up because nobody needs its result any more.
    Dropped,
}

/// The jobs that workers have.
#[derive(Default)]
pub(super) struct Busy(HashMap<u64, usize>);

impl Busy {
    pub fn takes(&mut self, job: u64, worker: usize, nodes: u64) -> JobEvent {
        self.0.insert(job, worker);
        JobEvent { job, worker: Some(worker), news: JobNews::Out { nodes }, busy: self.0.len() }
    }

    pub fn ends(&mut self, job: u64, news: JobNews) -> JobEvent {
        let worker = self.0.remove(&job);
        JobEvent { job, worker, news, busy: self.0.len() }
    }
}

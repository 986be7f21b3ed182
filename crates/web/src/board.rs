//! What a status page shows: how a proof by jobs stands, and how it came there, in bounded memory.

use std::collections::VecDeque;

use plyproof_engine::ProofNumber;
use plyproof_engine::job_line::{JobLine, JobStanding};
use serde::Serialize;
use serde_json::{Value, json};

/// Moments that are remembered at most; when there are more, every second one is forgotten.
const MOMENTS: usize = 240;
/// Workers that are shown one by one at most.
const WORKERS: usize = 256;
/// Lost jobs that are shown at most.
const LOSSES: usize = 20;

/// A proof as a status page shows it.
#[derive(Default)]
pub(crate) struct Board {
    pub game: String,
    position: String,
    /// Grows with every line.
    pub sequence: u64,
    pub ended: bool,
    pub seconds: f64,
    pub standing: JobStanding,
    history: Vec<Moment>,
    /// Seconds between two moments that are remembered.
    step: f64,
    workers: Vec<Worker>,
    losses: VecDeque<Loss>,
}

/// How it stood at a moment.
struct Moment {
    seconds: f64,
    standing: JobStanding,
}

/// A worker, by its number.
#[derive(Clone, Default, Serialize)]
struct Worker {
    /// The job that it has, and since when, in seconds of the search.
    job: Option<u64>,
    since: Option<f64>,
    results: u64,
    nodes: u64,
    lost: u64,
}

#[derive(Serialize)]
struct Loss {
    seconds: f64,
    job: Option<u64>,
    worker: Option<u64>,
}

impl Board {
    pub fn new(game: &str, position: &str) -> Self {
        Self { game: game.to_string(), position: position.to_string(), step: 0.1, ..Self::default() }
    }

    pub fn tell(&mut self, line: &JobLine) {
        self.sequence += 1;
        self.ended = line.event == "end";
        // Two questions have numbers that cannot be compared: both ends stay.
        let turns = self.standing.player != line.standing.player;
        (self.seconds, self.standing) = (line.seconds, line.standing);
        if turns || self.ended || self.history.last().is_none_or(|last| line.seconds >= last.seconds + self.step) {
            self.history.push(Moment { seconds: line.seconds, standing: line.standing });
        }
        if self.history.len() > MOMENTS {
            let mut place = 0;
            self.history.retain(|_| {
                place += 1;
                place % 2 == 1
            });
            self.step *= 2.0;
        }
        if line.event == "lost" {
            self.losses.push_front(Loss { seconds: line.seconds, job: line.job, worker: line.worker });
            self.losses.truncate(LOSSES);
        }
        let Some(at) = line.worker.and_then(|worker| usize::try_from(worker).ok()).filter(|&at| at < WORKERS) else {
            return;
        };
        if self.workers.len() <= at {
            self.workers.resize(at + 1, Worker::default());
        }
        let worker = &mut self.workers[at];
        if line.event == "out" {
            (worker.job, worker.since) = (line.job, Some(line.seconds));
            return;
        }
        (worker.job, worker.since) = (None, None);
        worker.lost += u64::from(line.event == "lost");
        if line.event == "result" {
            worker.results += 1;
            worker.nodes += line.job_nodes.unwrap_or(0);
        }
    }

    pub fn json(&self) -> Value {
        let Self { game, position, sequence, ended, seconds, standing, history, workers, losses, .. } = self;
        let version = env!("CARGO_PKG_VERSION");
        let history: Vec<Value> = history.iter().map(Moment::json).collect();
        json!({
            "game": game, "position": position, "version": version, "sequence": sequence, "ended": ended,
            "seconds": seconds, "standing": standing, "history": history, "workers": workers, "losses": losses,
        })
    }
}

impl Moment {
    fn json(&self) -> Value {
        let JobStanding { done, lost, retried, nodes, workers, busy, player, numbers, .. } = self.standing;
        let leaves = |n: ProofNumber| n.leaves().map_or_else(|| Value::from("inf"), Value::from);
        let numbers = numbers.map(|numbers| json!({"pn": leaves(numbers.pn), "dpn": leaves(numbers.dpn)}));
        json!({
            "seconds": self.seconds, "player": player, "numbers": numbers, "done": done, "lost": lost,
            "retried": retried, "nodes": nodes, "workers": workers, "busy": busy,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(event: &str, seconds: f64, job: u64, worker: u64) -> JobLine {
        let standing = JobStanding { done: job, player: Some(1), ..JobStanding::default() };
        JobLine { job: Some(job), worker: Some(worker), job_nodes: Some(10), ..JobLine::new(event, seconds, standing) }
    }

    #[test]
    fn a_long_proof_takes_no_more_memory_than_a_short_one() {
        let mut board = Board::new("tictactoe", "x");
        for job in 0..100_000u64 {
            board.tell(&line("out", job as f64, job, job % 5000));
            board.tell(&line("lost", job as f64 + 0.5, job, job % 5000));
        }
        board.tell(&line("end", 100_000.0, 7, 0));
        assert!(board.history.len() <= MOMENTS && board.history.len() > MOMENTS / 2);
        assert!(board.workers.len() <= WORKERS && board.losses.len() <= LOSSES);
        let (first, last) = (&board.history[0], &board.history[board.history.len() - 1]);
        assert_eq!((first.seconds, last.seconds, board.ended), (0.0, 100_000.0, true));
        assert!(board.json().to_string().len() < 100_000);
    }

    #[test]
    fn a_worker_has_a_job_from_its_handing_out_to_its_result() {
        let mut board = Board::new("tictactoe", "x");
        board.tell(&line("out", 1.0, 5, 1));
        assert_eq!((board.workers[1].job, board.workers[1].since, board.workers[0].job), (Some(5), Some(1.0), None));
        board.tell(&line("result", 2.0, 5, 1));
        assert_eq!((board.workers[1].job, board.workers[1].results, board.workers[1].nodes), (None, 1, 10));
    }
}

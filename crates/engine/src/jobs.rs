//! Search by jobs for a game that is known by name only: the coordinator and its workers as text, for executors in other
//! processes, and the whole search on the threads of this machine.
//!
//! A job and its result are plain data, which serialise as JSON. A worker needs the name of the game and the job.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use plyproof_core::search::jobs::{
    self, Coordinator, Fact, Job, JobCheckpoints, JobCounts, JobProgress, JobResult, JobSettings, JobSolver, JobTask,
    Merged, WriteLimits,
};
use plyproof_core::search::proof::{Goal, ProofNumbers};
use plyproof_core::search::{Aim, Bounds, Budget, Solution as CoreSolution, Standing, Stopped};
use plyproof_core::{Game, Player, TextError, quoted};
use serde::{Deserialize, Serialize};

use crate::any_game::{AnyGame, Erased};
use crate::checkpoint::Checkpoint;
use crate::json::jobs as in_json;
use crate::solution::{self, ProofSink, Solution};

/// The name under which checkpoints of a search by jobs say who made them.
pub const AGENT: &str = "jobs";

/// A job as plain data: whether a player can win from a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobText {
    /// Its number, which the result repeats.
    pub id: u64,
    /// The game with its parameters.
    pub game: String,
    /// The rules of the game, which the worker's must be.
    pub rules: String,
    /// The position.
    pub position: String,
    /// The player whose win is asked for, counted from 1.
    pub player: usize,
    /// Positions that the worker may open.
    pub nodes: u64,
    /// Answers at other positions, each as the key of the position, whether the player wins, and the nodes it took.
    #[serde(with = "in_json::facts")]
    pub facts: Vec<Fact>,
}

/// The result of a job as plain data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResultText {
    /// The number of the job.
    pub id: u64,
    /// The key of its position.
    pub key: u64,
    /// Proof and disproof number of the position, as `[3, "inf"]`.
    #[serde(with = "in_json::pair")]
    pub numbers: ProofNumbers,
    /// Those of the position after each move, in the order of the moves; empty if the position is decided.
    #[serde(with = "in_json::pairs")]
    pub moves: Vec<ProofNumbers>,
    /// Positions opened.
    pub nodes: u64,
    /// Answers at other positions, as in [`JobText::facts`].
    #[serde(with = "in_json::facts")]
    pub facts: Vec<Fact>,
}

/// The coordinator of a search by jobs.
pub trait AnyCoordinator: Send {
    /// The next job for a worker at `place`; none before another result comes, or if the search is done.
    ///
    /// Workers at one place share a table; the coordinator sends each place what others have found out, and gives it
    /// positions near those that it had. Places are numbered as the caller likes. A worker that lost its table is a new
    /// place.
    fn next_job(&mut self, place: usize) -> Option<JobText>;

    /// Takes up a result. Results may come in any order, twice, or never.
    fn merge(&mut self, result: &ResultText) -> Merged;

    /// Takes it down that a job will have no result: it is handed out again.
    fn lose(&mut self, id: u64);

    /// Takes it down that a job that was [cancelled](AnyCoordinator::take_cancelled) was given up.
    fn drop_job(&mut self, id: u64);

    /// Jobs in flight whose results are not needed any more, each once.
    fn take_cancelled(&mut self) -> Vec<u64>;

    /// Says how many workers there are, on which the size of jobs depends.
    fn set_workers(&mut self, workers: usize);

    /// Jobs in flight.
    fn flying(&self) -> usize;

    /// Whether the question is answered.
    fn is_done(&self) -> bool;

    /// What is proven of the position, for the player to move.
    fn bounds(&self) -> Bounds;

    /// The numbers of the position for the question in hand, and the player, counted from 1, whose win is asked for.
    fn numbers(&self) -> Option<(usize, ProofNumbers)>;

    /// What was counted, in all processes.
    fn counts(&self) -> JobCounts;

    /// Bytes of the tree, roughly.
    fn bytes(&self) -> usize;

    /// The state in bytes, without jobs in flight. They carry no checksum; [`checkpoint`](AnyCoordinator::checkpoint) does.
    fn save(&self) -> Vec<u8>;

    /// Writes the state to a file, which is replaced when the new one is complete; `elapsed` is the time taken so far.
    /// Returns the bytes of the file. [`open_checkpoint`] reads it.
    fn checkpoint(&self, path: &Path, elapsed: Duration) -> std::io::Result<u64>;

    /// The solution, with proofs handed to `sink` if `proofs` says so; within the time and memory of `budget`.
    fn solution(
        &self,
        proofs: bool,
        budget: &Budget,
        elapsed: Duration,
        stop: &AtomicBool,
        sink: &mut ProofSink<'_>,
    ) -> Solution;
}

/// A worker of a search by jobs, which keeps its table from one job to the next.
pub trait AnyJobSolver: Send {
    /// Does a job, or a part of it if `stop` is raised meanwhile. An error if it is no job for this game.
    fn solve(&mut self, job: &JobText, stop: &AtomicBool) -> Result<ResultText, TextError>;
}

struct ErasedCoordinator<G: Game> {
    game: Erased<G>,
    aim: Aim,
    inner: Coordinator<G>,
}

struct ErasedJobSolver<G: Game> {
    game: Erased<G>,
    inner: JobSolver<G>,
}

pub(crate) fn coordinator<G: Game>(
    game: &Erased<G>,
    aim: Aim,
    settings: JobSettings,
    saved: Option<&[u8]>,
) -> Result<Box<dyn AnyCoordinator>, TextError> {
    let start = two_players(game)?;
    let inner = match saved {
        Some(bytes) => Coordinator::restore(start, aim, settings, bytes)?,
        None => Coordinator::new(start, aim, settings),
    };
    Ok(Box::new(ErasedCoordinator { game: game.clone(), aim, inner }))
}

pub(crate) fn solver<G: Game>(game: &Erased<G>, memory: usize) -> Box<dyn AnyJobSolver> {
    Box::new(ErasedJobSolver { game: game.clone(), inner: JobSolver::new(memory) })
}

pub(crate) fn solve<G: Game>(
    game: &Erased<G>,
    task: &JobTask,
    stop: &AtomicBool,
    observer: &mut dyn FnMut(&JobProgress),
    sink: &mut ProofSink<'_>,
    checkpoints: Option<JobCheckpoints<'_>>,
) -> Result<(Solution, JobCounts), TextError> {
    let solved = jobs::solve(task, two_players(game)?, stop, observer, checkpoints)?;
    Ok((solution::with_proofs(game.state(), &solved.solution, sink), solved.counts))
}

/// The position, if two play.
fn two_players<G: Game>(game: &Erased<G>) -> Result<&G, TextError> {
    match game.players() {
        2 => Ok(game.state()),
        players => Err(TextError::new(format!("{} is for {players} players; jobs prove games of two", game.name()))),
    }
}

impl<G: Game> AnyCoordinator for ErasedCoordinator<G> {
    fn next_job(&mut self, place: usize) -> Option<JobText> {
        let Job { id, position, goal, nodes, facts } = self.inner.next_job(place)?;
        Some(JobText {
            id,
            game: self.game.name(),
            rules: self.game.rules().to_string(),
            position: position.position_text(),
            player: goal.player.index() + 1,
            nodes,
            facts,
        })
    }

    fn merge(&mut self, result: &ResultText) -> Merged {
        let ResultText { id, key, numbers, moves, nodes, facts } = result.clone();
        self.inner.merge(&JobResult { id, key, numbers, moves, nodes, facts })
    }

    fn lose(&mut self, id: u64) {
        self.inner.lose(id);
    }

    fn drop_job(&mut self, id: u64) {
        self.inner.drop_job(id);
    }

    fn take_cancelled(&mut self) -> Vec<u64> {
        self.inner.take_cancelled()
    }

    fn set_workers(&mut self, workers: usize) {
        self.inner.set_workers(workers);
    }

    fn flying(&self) -> usize {
        self.inner.flying()
    }

    fn is_done(&self) -> bool {
        self.inner.is_done()
    }

    fn bounds(&self) -> Bounds {
        self.inner.bounds()
    }

    fn numbers(&self) -> Option<(usize, ProofNumbers)> {
        self.inner.numbers().map(|(goal, numbers)| (goal.player.index() + 1, numbers))
    }

    fn counts(&self) -> JobCounts {
        self.inner.counts()
    }

    fn bytes(&self) -> usize {
        self.inner.bytes()
    }

    fn save(&self) -> Vec<u8> {
        self.inner.save()
    }

    fn checkpoint(&self, path: &Path, elapsed: Duration) -> std::io::Result<u64> {
        let head = Checkpoint::new(&self.game, self.aim, AGENT.to_string(), 0);
        let standing = Standing { nodes: self.counts().nodes, elapsed, answered: self.is_done() };
        let bytes = self.save();
        head.write(path, standing, &mut |to| to.write_all(&bytes))
    }

    fn solution(
        &self,
        proofs: bool,
        budget: &Budget,
        elapsed: Duration,
        stop: &AtomicBool,
        sink: &mut ProofSink<'_>,
    ) -> Solution {
        let stopped = if self.is_done() { Stopped::Proven } else { Stopped::Cancelled };
        let limits = WriteLimits { budget: budget.clone() };
        let found: CoreSolution<G> = self.inner.solution(proofs, &limits, stopped, elapsed, stop);
        solution::with_proofs(self.game.state(), &found, sink)
    }
}

impl<G: Game> AnyJobSolver for ErasedJobSolver<G> {
    fn solve(&mut self, job: &JobText, stop: &AtomicBool) -> Result<ResultText, TextError> {
        let (name, rules) = (self.game.name(), self.game.rules().to_string());
        if job.game != name || job.rules != rules {
            let (game, other) = (quoted(&job.game), quoted(&job.rules));
            return Err(TextError::new(format!("a job of {game}, rules {other}, is not for {name}, rules {rules}")));
        }
        if !(1..=2).contains(&job.player) {
            return Err(TextError::new(format!("a job asks for the win of player {}: give 1 or 2", job.player)));
        }
        let position = self.game.state().parse_position(&job.position)?;
        let goal = Goal::win(Player::new(job.player - 1));
        let (id, nodes) = (job.id, job.nodes);
        let job = Job { id, position, goal, nodes, facts: job.facts.clone() };
        let JobResult { id, key, numbers, moves, nodes, facts } = self.inner.solve(&job, stop);
        Ok(ResultText { id, key, numbers, moves, nodes, facts })
    }
}

/// A checkpoint of a search by jobs that was found: what it is about, and its state for
/// [`AnyGame::coordinator`].
#[derive(Clone, Debug)]
pub struct FoundJobs {
    /// What it is about, and how far it had come.
    pub head: Checkpoint,
    /// The state.
    pub state: Vec<u8>,
}

/// Opens the checkpoint of a search by jobs at `path`, if there is a file. An error if it is damaged, or of another
/// search than one for `aim` at `game`.
pub fn open_checkpoint(path: &Path, game: &dyn AnyGame, aim: Aim) -> Result<Option<FoundJobs>, TextError> {
    let Some(mut found) = crate::checkpoint::open(path)? else { return Ok(None) };
    Checkpoint::new(game, aim, AGENT.to_string(), 0).fits(&found.head)?;
    let mut state = Vec::new();
    found.memory.read_to_end(&mut state).map_err(|error| TextError::new(error.to_string()))?;
    Ok(Some(FoundJobs { head: found.head, state }))
}

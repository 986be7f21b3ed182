//! A position of any game behind one type, so that front ends need not know which games there are.
//!
//! Code that plays many moves is generic over the game and lives behind one method here: one dynamic call for a whole
//! operation, never one a move.

use std::any::Any;
use std::fmt;
use std::sync::atomic::AtomicBool;

use plyproof_core::contract::{self, Contract, Kept};
use plyproof_core::perft::{self, Perft};
use plyproof_core::search::jobs::{JobCheckpoints, JobCounts, JobProgress, JobSettings, JobTask};
use plyproof_core::search::{Agent, Aim, Budget, SolveProgress, SolveTask};
use plyproof_core::spec::{Described, Params, unknown_name};
use plyproof_core::{Game, Outcome, PLY_LIMIT, Player, Rng, TextError, Wdl};
use plyproof_verify::{Header, Open, RulesId, Settings, Verified, VerifyError};

use crate::evaluations::{self, AnyTraining, Evaluation, Judgement, Training};
use crate::jobs::{self, AnyCoordinator, AnyJobSolver};
use crate::report::SearchReport;
use crate::searcher::{self, AnySearcher, Paths, SearchTask};
use crate::solution::{ProofSink, Solution};

/// A position of a game that is known by name only. Moves and positions go in and out as text.
pub trait AnyGame: Any + Send + Sync {
    /// The game with its parameters, in the shortest spelling.
    fn name(&self) -> String;

    /// The parameters of the game, and through them its name and description.
    fn params(&self) -> &Params;

    /// Which rules the game has; certificates carry this.
    fn rules(&self) -> &RulesId;

    /// How many players take part.
    fn players(&self) -> usize;

    /// Who moves next. Unspecified once the game is finished.
    fn to_move(&self) -> Player;

    /// The result, once the game is finished.
    fn outcome(&self) -> Option<Outcome>;

    /// A hash of all that matters in this position.
    fn key(&self) -> u64;

    /// The position as one line of text.
    fn position_text(&self) -> String;

    /// Reads a position of the same game, size and rules.
    fn parse_position(&self, text: &str) -> Result<Box<dyn AnyGame>, TextError>;

    /// All legal moves, in the game's own order. Empty if finished.
    fn legal_moves(&self) -> Vec<String>;

    /// How many legal moves there are, and how many of them win at once.
    fn choices(&self) -> Choices;

    /// What holds for all positions of the game.
    fn facts(&self) -> Facts;

    /// Plays a legal move. After an error the position is what it was.
    fn play(&mut self, text: &str) -> Result<(), TextError>;

    /// A legal move in the game's own notation, whatever notation `text` is written in.
    fn own_move(&self, text: &str) -> Result<String, TextError>;

    /// The board drawn for a terminal, over several lines, without a line break at the end.
    fn board(&self) -> String;

    /// Names of other programs' notations that moves can be written in.
    fn notations(&self) -> Vec<String>;

    /// The legal move `text` in another program's notation, one of [`notations`](AnyGame::notations).
    fn move_in(&self, notation: &str, text: &str) -> Result<String, TextError>;

    /// The position in another program's notation; `None` if that notation has no positions.
    fn position_in(&self, notation: &str) -> Option<String>;

    /// Counts the lines of `depth` moves.
    fn perft(&self, depth: u32) -> Perft;

    /// The count below each legal move, in the order of [`legal_moves`](AnyGame::legal_moves). Empty for depth 0.
    fn perft_divide(&self, depth: u32) -> Vec<(String, Perft)>;

    /// Runs `count` play-outs from here, each cut after [`PLY_LIMIT`] moves, by the game's fastest way.
    fn measure_playouts(&self, rng: &mut Rng, count: u64) -> PlayoutTally;

    /// Counts the legal moves at every position of `count` play-outs from here.
    fn measure_branching(&self, rng: &mut Rng, count: u64) -> BranchingTally;

    /// `plies` random moves from here after which the game still goes on; drawn again, at most `draws` times, while it
    /// does not. `None` if it never did.
    fn random_opening(&self, rng: &mut Rng, plies: u32, draws: u32) -> Option<Vec<String>>;

    /// Whether the evaluation that the agent asks for, if any, can be used in this game; if not, why.
    fn check_evaluation(&self, agent: &Agent) -> Result<(), TextError>;

    /// How an evaluation judges this position. An error if it is for another game, or this one is over.
    fn judged(&self, evaluation: &Evaluation) -> Result<Judgement, TextError>;

    /// A training of an evaluation for games from here.
    fn training(&self, training: Training) -> Result<Box<dyn AnyTraining>, TextError>;

    /// A searcher for positions of this game, with this one's parameters.
    fn searcher(&self) -> Box<dyn AnySearcher>;

    /// The coordinator of a search by jobs from here. It goes on from `saved`, what [`AnyCoordinator::save`] gave, if there
    /// is any: an error if that is of another position or question.
    fn coordinator(
        &self,
        aim: Aim,
        settings: JobSettings,
        saved: Option<&[u8]>,
    ) -> Result<Box<dyn AnyCoordinator>, TextError>;

    /// A worker for jobs of this game, whose table takes at most so many bytes.
    fn job_solver(&self, memory: usize) -> Box<dyn AnyJobSolver>;

    /// Solves this position by jobs for the threads of this machine. `observer` is called at least twenty times a second;
    /// `sink` takes the proofs, if the task asks for them.
    fn solve_by_jobs(
        &self,
        task: &JobTask,
        stop: &AtomicBool,
        observer: &mut dyn FnMut(&JobProgress),
        sink: &mut ProofSink<'_>,
        checkpoints: Option<JobCheckpoints<'_>>,
    ) -> Result<(Solution, JobCounts), TextError>;

    /// Tests every promise of the [`Game`] trait on random games from here.
    fn check_contract(&self, contract: &Contract) -> Result<Kept, String>;

    /// Checks a certificate of this game. Which position it is about says the header, not this one.
    fn verify(
        &self,
        header: &Header,
        open: &mut Open<'_>,
        settings: &mut Settings<'_>,
    ) -> Result<Verified, VerifyError>;

    /// A copy to play on.
    fn clone_box(&self) -> Box<dyn AnyGame>;
}

impl dyn AnyGame {
    /// Name, rules and parameters of the game.
    pub fn described(&self) -> &Described {
        self.params().described()
    }

    /// Searches from here with a searcher of its own; see [`AnySearcher::search`]. An error if the agent asks for an
    /// evaluation that cannot be used.
    pub fn search(
        &self,
        agent: &Agent,
        budget: &Budget,
        seed: u64,
        stop: &AtomicBool,
        observer: &mut dyn FnMut(&SearchReport),
    ) -> Result<SearchReport, TextError> {
        let task = SearchTask { agent, budget, seed, stop };
        self.searcher().search(self, &task, &Paths::default(), &mut |report, _| observer(report))
    }

    /// Solves this position with a searcher of its own; see [`AnySearcher::solve`]. An error if the agent asks for an
    /// evaluation that cannot be used.
    pub fn solve(
        &self,
        task: &SolveTask<'_>,
        stop: &AtomicBool,
        observer: &mut dyn FnMut(&SolveProgress),
        sink: &mut ProofSink<'_>,
    ) -> Result<Solution, TextError> {
        self.searcher().solve(self, task, stop, observer, sink)
    }
}

impl Clone for Box<dyn AnyGame> {
    fn clone(&self) -> Self {
        self.clone_box()
    }
}

/// Equal if name, rules and position are.
impl PartialEq for dyn AnyGame {
    fn eq(&self, other: &Self) -> bool {
        let face = |game: &Self| (game.name(), game.rules().clone(), game.position_text());
        face(self) == face(other)
    }
}

impl fmt::Debug for dyn AnyGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", self.name(), self.position_text())
    }
}

/// What came of some play-outs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlayoutTally {
    /// Play-outs run.
    pub playouts: u64,
    /// Moves made in all of them.
    pub plies: u64,
    /// Play-outs won by each player alone.
    pub wins: [u64; Player::MAX],
    /// Play-outs that nobody won alone, those cut by the limit included.
    pub draws: u64,
    /// Play-outs cut by the limit.
    pub cut: u64,
}

impl PlayoutTally {
    /// Adds the play-outs of `other`.
    pub fn add(&mut self, other: &Self) {
        self.playouts += other.playouts;
        self.plies += other.plies;
        self.draws += other.draws;
        self.cut += other.cut;
        for (mine, theirs) in self.wins.iter_mut().zip(other.wins) {
            *mine += theirs;
        }
    }
}

/// The legal moves of a position, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    /// Legal moves.
    pub moves: u64,
    /// Those that end the game as a win of the player to move.
    pub wins: u64,
}

/// What holds for all positions of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Symmetries of the board, the identity among them.
    pub symmetries: usize,
    /// Whether a position may come back later in a game.
    pub may_repeat: bool,
    /// Whether a game may end without a winner.
    pub may_draw: bool,
}

/// Legal moves counted over some positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BranchingTally {
    /// Unfinished positions met.
    pub positions: u64,
    /// Legal moves in all of them.
    pub moves: u64,
}

/// Hides the type of a game. `params` are those that `state` was made with, and `rules` say which rules it has.
pub fn erase<G: Game>(params: Params, rules: impl Into<RulesId>, state: G) -> Box<dyn AnyGame> {
    Box::new(Erased { params, rules: rules.into(), state })
}

/// The position behind [`erase`], if its game has this type: for a program that added the game and knows more of it.
pub fn inside<G: Game>(game: &dyn AnyGame) -> Option<&G> {
    let game: &dyn Any = game;
    game.downcast_ref::<Erased<G>>().map(Erased::state)
}

#[derive(Clone)]
pub(crate) struct Erased<G: Game> {
    params: Params,
    rules: RulesId,
    state: G,
}

impl<G: Game> Erased<G> {
    pub(crate) fn state(&self) -> &G {
        &self.state
    }

    fn moves(&self) -> Vec<G::Move> {
        let mut moves = Vec::new();
        self.state.moves(&mut moves);
        moves
    }
}

impl<G: Game> AnyGame for Erased<G> {
    fn name(&self) -> String {
        self.params.to_string()
    }

    fn params(&self) -> &Params {
        &self.params
    }

    fn rules(&self) -> &RulesId {
        &self.rules
    }

    fn players(&self) -> usize {
        self.state.players()
    }

    fn to_move(&self) -> Player {
        self.state.to_move()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.state.outcome()
    }

    fn key(&self) -> u64 {
        self.state.key()
    }

    fn position_text(&self) -> String {
        self.state.position_text()
    }

    fn parse_position(&self, text: &str) -> Result<Box<dyn AnyGame>, TextError> {
        let state = self.state.parse_position(text)?;
        Ok(Box::new(Self { params: self.params.clone(), rules: self.rules.clone(), state }))
    }

    fn legal_moves(&self) -> Vec<String> {
        self.moves().into_iter().map(|m| self.state.move_text(m)).collect()
    }

    fn choices(&self) -> Choices {
        let (mut moves, mut ends) = (Vec::new(), Vec::new());
        self.state.moves_and_ends(&mut moves, &mut ends);
        let mover = self.state.to_move();
        let wins = ends.iter().filter(|(_, outcome)| outcome.of(mover) == Wdl::Win).count();
        Choices { moves: moves.len() as u64, wins: wins as u64 }
    }

    fn facts(&self) -> Facts {
        let state = &self.state;
        Facts { symmetries: state.symmetries(), may_repeat: state.may_repeat(), may_draw: state.may_draw() }
    }

    fn play(&mut self, text: &str) -> Result<(), TextError> {
        let m = self.state.parse_move(text)?;
        self.state.play(m);
        Ok(())
    }

    fn own_move(&self, text: &str) -> Result<String, TextError> {
        self.state.parse_move(text).map(|m| self.state.move_text(m))
    }

    fn board(&self) -> String {
        self.state.board()
    }

    fn notations(&self) -> Vec<String> {
        self.state.notations()
    }

    fn move_in(&self, notation: &str, text: &str) -> Result<String, TextError> {
        let m = self.state.parse_move(text)?;
        self.state.move_text_in(notation, m).ok_or_else(|| {
            if self.notations().is_empty() {
                TextError::new(format!("{} has no notation but its own", self.params.described().name))
            } else {
                unknown_name("notation", notation, self.notations().iter().map(String::as_str))
            }
        })
    }

    fn position_in(&self, notation: &str) -> Option<String> {
        self.state.position_text_in(notation)
    }

    fn perft(&self, depth: u32) -> Perft {
        perft::perft(&self.state, depth)
    }

    fn perft_divide(&self, depth: u32) -> Vec<(String, Perft)> {
        let counts = perft::perft_divide(&self.state, depth);
        counts.into_iter().map(|(m, below)| (self.state.move_text(m), below)).collect()
    }

    fn measure_playouts(&self, rng: &mut Rng, count: u64) -> PlayoutTally {
        let mut tally = PlayoutTally { playouts: count, ..PlayoutTally::default() };
        for _ in 0..count {
            let playout = self.state.clone().playout(rng, PLY_LIMIT);
            tally.plies += u64::from(playout.plies);
            match playout.outcome.winner() {
                Some(player) => tally.wins[player.index()] += 1,
                None => {
                    tally.draws += 1;
                    tally.cut += u64::from(playout.plies == PLY_LIMIT);
                }
            }
        }
        tally
    }

    fn measure_branching(&self, rng: &mut Rng, count: u64) -> BranchingTally {
        let mut tally = BranchingTally::default();
        let mut moves = Vec::new();
        for _ in 0..count {
            let mut state = self.state.clone();
            for _ in 0..PLY_LIMIT {
                moves.clear();
                state.moves(&mut moves);
                if moves.is_empty() {
                    break;
                }
                tally.positions += 1;
                tally.moves += moves.len() as u64;
                state.play(moves[rng.below(moves.len())]);
            }
        }
        tally
    }

    fn random_opening(&self, rng: &mut Rng, plies: u32, draws: u32) -> Option<Vec<String>> {
        let mut texts = Vec::with_capacity(plies as usize);
        'draws: for _ in 0..draws {
            let mut position = self.state.clone();
            texts.clear();
            for _ in 0..plies {
                if position.outcome().is_some() {
                    continue 'draws;
                }
                let m = position.random_move(rng);
                texts.push(position.move_text(m));
                position.play(m);
            }
            if plies == 0 || position.outcome().is_none() {
                return Some(texts);
            }
        }
        None
    }

    fn check_evaluation(&self, agent: &Agent) -> Result<(), TextError> {
        let Some(text) = agent.evaluation() else { return Ok(()) };
        evaluations::evaluator(&self.name(), &self.rules.to_string(), &self.state, text, None).map(drop)
    }

    fn judged(&self, evaluation: &Evaluation) -> Result<Judgement, TextError> {
        evaluations::judged(self, evaluation)
    }

    fn training(&self, training: Training) -> Result<Box<dyn AnyTraining>, TextError> {
        evaluations::training(self, training)
    }

    fn searcher(&self) -> Box<dyn AnySearcher> {
        searcher::searcher(self)
    }

    fn coordinator(
        &self,
        aim: Aim,
        settings: JobSettings,
        saved: Option<&[u8]>,
    ) -> Result<Box<dyn AnyCoordinator>, TextError> {
        jobs::coordinator(self, aim, settings, saved)
    }

    fn job_solver(&self, memory: usize) -> Box<dyn AnyJobSolver> {
        jobs::solver(self, memory)
    }

    fn solve_by_jobs(
        &self,
        task: &JobTask,
        stop: &AtomicBool,
        observer: &mut dyn FnMut(&JobProgress),
        sink: &mut ProofSink<'_>,
        checkpoints: Option<JobCheckpoints<'_>>,
    ) -> Result<(Solution, JobCounts), TextError> {
        jobs::solve(self, task, stop, observer, sink, checkpoints)
    }

    fn check_contract(&self, contract: &Contract) -> Result<Kept, String> {
        contract::check(&self.state, contract).map_err(|broken| broken.to_string())
    }

    fn verify(
        &self,
        header: &Header,
        open: &mut Open<'_>,
        settings: &mut Settings<'_>,
    ) -> Result<Verified, VerifyError> {
        plyproof_verify::verify(&self.state, header, open, settings)
    }

    fn clone_box(&self) -> Box<dyn AnyGame> {
        Box::new(self.clone())
    }
}

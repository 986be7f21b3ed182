//! Whoever chooses moves in a match: one of our agents, or anything else that implements [`MatchPlayer`].

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use plyproof_core::TextError;
use plyproof_core::search::{Agent, Budget, Stopped};

use crate::any_game::AnyGame;
use crate::clock::{Clock, Pacer};
use crate::evaluations::Evaluation;
use crate::registry::Registry;
use crate::searcher::{AnySearcher, ChosenMove, SearchTask, think};
use crate::tables::TabledAgent;

/// What a player may use for its next move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Allowance {
    /// Simulations, time and memory for this move.
    pub budget: Budget,
    /// The clock of the game, if there is one.
    pub clock: Option<Clock>,
}

/// Why a player loses a game without a move, and what there is to say about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lost {
    /// The kind of fault.
    pub cause: Cause,
    /// One line.
    pub why: String,
}

/// How a player can lose a game without a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// It failed in a way of its own.
    Error,
    /// It used up its time.
    Time,
    /// It is a program, and ended or cannot be understood.
    Crash,
    /// Its move is not legal.
    IllegalMove,
    /// It gave up.
    Resigned,
}

impl From<String> for Lost {
    fn from(why: String) -> Self {
        Self { cause: Cause::Error, why }
    }
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

/// Chooses moves in games of a match. One player plays one game after the other.
pub trait MatchPlayer: Send {
    /// A game begins from `start`: nothing of the game before may matter.
    fn new_game(&mut self, start: &dyn AnyGame) -> Result<(), String>;

    /// The move to play at `position`, which is not finished, and what is known of the position. The error says what
    /// went wrong, and loses the game.
    ///
    /// With the same seed, simulations and positions before, the move is the same where the player promises so.
    fn choose(
        &mut self,
        position: &dyn AnyGame,
        allowance: &Allowance,
        seed: u64,
        stop: &AtomicBool,
    ) -> Result<ChosenMove, Lost>;

    /// A move was played by anybody, this player included: every move of the game in order, random openings too. For
    /// players that have to know how a position came about.
    fn played(&mut self, _text: &str) {}

    /// What the player says of itself beyond its [spec](PlayerSource::spec), for the records: name and author of a program
    /// by others, and what went wrong on the way. What was handed out is not handed out again.
    fn notes(&mut self) -> Vec<String> {
        Vec::new()
    }
}

/// Where players come from: a match has one source for each side and takes a player from it for each of its workers.
pub trait PlayerSource: Send + Sync {
    /// The player in a spelling that is written into records and means the same player when it is read again.
    fn spec(&self) -> String;

    /// A player for this game.
    fn player(&self, game: &dyn AnyGame) -> Result<Box<dyn MatchPlayer>, String>;

    /// Whether there can be players for this game, as far as that is found out quickly: asked before a match begins.
    fn check(&self, _game: &dyn AnyGame) -> Result<(), String> {
        Ok(())
    }

    /// How much later than its clock allows a move may come: for the way to and from a program by others.
    fn margin(&self) -> Duration {
        Duration::ZERO
    }
}

/// A shared source of players that prints as its spec.
#[derive(Clone)]
pub struct Source(Arc<dyn PlayerSource>);

impl Source {
    /// Any source of players.
    pub fn new(source: impl PlayerSource + 'static) -> Self {
        Self(Arc::new(source))
    }

    /// One of our agents, `name(param=value,…)`, which may look into a `table=FILE`.
    pub fn agent(registry: &Registry, text: &str) -> Result<Self, TextError> {
        let agent = TabledAgent::parse(text)?;
        Ok(match agent.table {
            None => Self::from(agent.agent),
            Some(_) => Self::new(TabledSource { registry: registry.clone(), agent }),
        })
    }

    /// Whether there can be players for this game; see [`PlayerSource::check`].
    pub fn check(&self, game: &dyn AnyGame) -> Result<(), String> {
        self.0.check(game)
    }

    /// How much later than its clock allows a move may come; see [`PlayerSource::margin`].
    pub fn margin(&self) -> Duration {
        self.0.margin()
    }

    /// A player for this game.
    pub fn player(&self, game: &dyn AnyGame) -> Result<Box<dyn MatchPlayer>, String> {
        self.0.player(game)
    }
}

impl From<Agent> for Source {
    fn from(agent: Agent) -> Self {
        Self::new(agent)
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.spec())
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl PartialEq for Source {
    fn eq(&self, other: &Self) -> bool {
        self.0.spec() == other.0.spec()
    }
}

impl PlayerSource for Agent {
    fn spec(&self) -> String {
        self.to_string()
    }

    fn player(&self, game: &dyn AnyGame) -> Result<Box<dyn MatchPlayer>, String> {
        Ok(Box::new(AgentPlayer { agent: self.clone(), searcher: game.searcher() }))
    }

    fn check(&self, game: &dyn AnyGame) -> Result<(), String> {
        game.check_evaluation(self).map_err(|error| error.to_string())
    }
}

/// An agent to whom `eval=auto` means an evaluation that is not that of the game, and may be in no file.
pub struct GivenSource {
    /// The agent.
    pub agent: Agent,
    /// What it judges by.
    pub evaluation: Evaluation,
}

impl PlayerSource for GivenSource {
    fn spec(&self) -> String {
        self.agent.to_string()
    }

    fn player(&self, game: &dyn AnyGame) -> Result<Box<dyn MatchPlayer>, String> {
        let mut searcher = game.searcher();
        searcher.set_evaluation(Some(self.evaluation.clone())).map_err(|error| error.to_string())?;
        Ok(Box::new(AgentPlayer { agent: self.agent.clone(), searcher }))
    }
}

/// Kept back of a clock for the way of a move through a program.
const OVERHEAD: Duration = Duration::from_millis(10);

/// An agent that plays: it searches every position it is asked about.
struct AgentPlayer {
    agent: Agent,
    searcher: Box<dyn AnySearcher>,
}

/// Searches for as long as the clock of the game allows, longer where the best move is in doubt.
fn choose_by(
    clock: &Clock,
    searcher: &mut Box<dyn AnySearcher>,
    position: &dyn AnyGame,
    task: &SearchTask<'_>,
) -> Result<ChosenMove, String> {
    let mut thinking = clock.thinking(OVERHEAD);
    if let Some(time) = task.budget.time {
        thinking = thinking.at_most(time);
    }
    let (mut pacer, enough) = (Pacer::new(thinking), AtomicBool::new(false));
    let budget = thinking.budget(task.budget);
    let timed = SearchTask { budget: &budget, stop: &enough, ..*task };
    let report = think(searcher, position, &timed, &mut |report| {
        if task.stop.load(Ordering::Relaxed) || pacer.has_enough(report) {
            enough.store(true, Ordering::Relaxed);
        }
    })?;
    // Its own clock ended the search, and nobody else.
    let stopped = match report.stopped {
        Some(Stopped::Cancelled) if !task.stop.load(Ordering::Relaxed) => Some(Stopped::Time),
        other => other,
    };
    Ok(ChosenMove { text: report.best, simulations: report.simulations, bounds: report.bounds, stopped })
}

impl MatchPlayer for AgentPlayer {
    fn new_game(&mut self, _start: &dyn AnyGame) -> Result<(), String> {
        self.searcher.forget();
        Ok(())
    }

    fn choose(
        &mut self,
        position: &dyn AnyGame,
        allowance: &Allowance,
        seed: u64,
        stop: &AtomicBool,
    ) -> Result<ChosenMove, Lost> {
        let task = SearchTask { agent: &self.agent, budget: &allowance.budget, seed, stop };
        match &allowance.clock {
            Some(clock) => Ok(choose_by(clock, &mut self.searcher, position, &task)?),
            None => Ok(self.searcher.choose(position, &task).map_err(|error| error.to_string())?),
        }
    }
}

/// An agent that looks into a table: it searches a view of the game that ends where the table knows the value.
struct TabledSource {
    registry: Registry,
    agent: TabledAgent,
}

struct TabledPlayer {
    view: Box<dyn AnyGame>,
    player: AgentPlayer,
}

impl PlayerSource for TabledSource {
    fn spec(&self) -> String {
        self.agent.to_string()
    }

    fn player(&self, game: &dyn AnyGame) -> Result<Box<dyn MatchPlayer>, String> {
        let view = self.agent.view(&self.registry, game.clone_box()).map_err(|error| error.to_string())?;
        let player = AgentPlayer { agent: self.agent.agent.clone(), searcher: view.searcher() };
        Ok(Box::new(TabledPlayer { view, player }))
    }

    fn check(&self, game: &dyn AnyGame) -> Result<(), String> {
        let view = self.agent.view(&self.registry, game.clone_box()).map_err(|error| error.to_string())?;
        view.check_evaluation(&self.agent.agent).map_err(|error| error.to_string())
    }
}

impl MatchPlayer for TabledPlayer {
    fn new_game(&mut self, start: &dyn AnyGame) -> Result<(), String> {
        self.player.new_game(start)
    }

    fn choose(
        &mut self,
        position: &dyn AnyGame,
        allowance: &Allowance,
        seed: u64,
        stop: &AtomicBool,
    ) -> Result<ChosenMove, Lost> {
        let seen = self.view.parse_position(&position.position_text()).map_err(|error| error.to_string())?;
        self.player.choose(&*seen, allowance, seed, stop)
    }
}

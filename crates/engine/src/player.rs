//! Whoever chooses moves in a match: one of our agents, or anything else that implements [`MatchPlayer`].

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use plyproof_core::TextError;
use plyproof_core::search::{Agent, Budget};

use crate::any_game::AnyGame;
use crate::registry::Registry;
use crate::searcher::{AnySearcher, ChosenMove, SearchTask};
use crate::tables::TabledAgent;

/// What a player may use for its next move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Allowance {
    /// Simulations, time and memory for this move.
    pub budget: Budget,
    /// The clock of the game, if there is one.
    pub clock: Option<Clock>,
}

/// The clock of a game, as it stands before a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Time left to the player who is to move.
    pub left: Duration,
    /// Time left to the opponent.
    pub opponent: Duration,
    /// Time that is added after every move.
    pub increment: Duration,
}

impl Clock {
    /// Time for one move that never uses the clock up: a share of what is left, and most of the increment.
    pub fn share(&self) -> Duration {
        const MOVES_LEFT: u32 = 25;
        /// Kept back for the way of the move through the system.
        const MARGIN: Duration = Duration::from_millis(10);
        let usable = self.left.saturating_sub(MARGIN);
        (usable / MOVES_LEFT + self.increment * 3 / 4).min(usable / 2)
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
    ) -> Result<ChosenMove, String>;
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
}

/// An agent that plays: it searches every position it is asked about.
struct AgentPlayer {
    agent: Agent,
    searcher: Box<dyn AnySearcher>,
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
    ) -> Result<ChosenMove, String> {
        let mut budget = allowance.budget.clone();
        if let Some(clock) = allowance.clock {
            budget.time = Some(budget.time.map_or(clock.share(), |time| time.min(clock.share())));
        }
        let task = SearchTask { agent: &self.agent, budget: &budget, seed, stop };
        self.searcher.choose(position, &task).map_err(|error| error.to_string())
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
        self.agent.view(&self.registry, game.clone_box()).map(drop).map_err(|error| error.to_string())
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
    ) -> Result<ChosenMove, String> {
        let seen = self.view.parse_position(&position.position_text()).map_err(|error| error.to_string())?;
        self.player.choose(&*seen, allowance, seed, stop)
    }
}

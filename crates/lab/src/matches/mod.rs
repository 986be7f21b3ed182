//! Matches between two agents: pairs of games with swapped sides, played in parallel, recorded and counted.
//!
//! A [`MatchPlan`] says what to play, [`run`] plays what is not in the record yet, and a [`Summary`] holds every
//! statistic of the games so far. With fixed simulations the games depend on the plan alone, never on how many are
//! played at once or in what order they finish.
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//! use plyproof_engine::Registry;
//! use plyproof_lab::matches::{MatchPlan, Side, run};
//!
//! let game = Registry::builtin().open("tictactoe").expect("a game");
//! let side = |agent| Side::parse(agent, 50).expect("an agent");
//! let plan = MatchPlan { games: 4, ..MatchPlan::new(game, side("mcts"), side("random")) };
//! let summary = run(&plan, 1, None, &AtomicBool::new(false), &mut |_| {}).expect("a sound plan");
//! assert_eq!((summary.games, summary.complete), (4, true));
//! ```

mod book;
mod config;
pub mod game;
mod merge;
mod parts;
pub mod rating;
mod reader;
pub mod record;
mod runner;
pub mod stats;
mod summary;
mod tournament;

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use plyproof_core::PLY_LIMIT;
use plyproof_engine::units::parse_duration;
use plyproof_engine::{Agent, AnyGame, Budget, Rng, Source, TextError, quoted};

pub use book::Book;
pub use config::{Config, SideSpec};
pub use game::{ADJUDICATION, GameRecord, Proven, Reason, SideName};
pub use merge::{Merged, merge};
use parts::Turn;
pub use parts::{Gathered, Part, PartRecords, Tally, lock_folder};
pub use runner::{play_all, run, run_checked, run_each};
pub use summary::{ByResult, Ledger, SideSummary, SprtSummary, Summary};
pub use tournament::{Round, Standing, Standings, TournamentPlan, run_tournament};

/// One side of a match: who plays, and what it may use for each move.
#[derive(Clone, Debug, PartialEq)]
pub struct Side {
    /// Where its players come from.
    pub source: Source,
    /// Simulations, time and memory for each move; simulations, time or a clock must be given.
    pub budget: Budget,
    /// Time for the whole game, and what is added after every move.
    pub clock: Option<GameClock>,
}

/// Time for a whole game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameClock {
    /// Time at the start.
    pub base: Duration,
    /// Time added after every move.
    pub increment: Duration,
}

impl Side {
    /// Players from this source, with this budget for each move.
    pub fn new(source: impl Into<Source>, budget: Budget) -> Self {
        Self { source: source.into(), budget, clock: None }
    }

    /// The agent with this spec and this many simulations for each move.
    pub fn parse(agent: &str, simulations: u64) -> Result<Self, TextError> {
        Ok(Self::new(Agent::parse(agent)?, Budget::simulations(simulations)))
    }
}

/// What to play.
#[derive(Clone, Debug)]
pub struct MatchPlan {
    /// The position that games start from.
    pub game: Box<dyn AnyGame>,
    /// The side whose results are counted. It moves first in the first game of every pair.
    pub a: Side,
    /// The other side.
    pub b: Side,
    /// Games to play; an odd number is rounded up, because games come in pairs.
    pub games: u32,
    /// Where all randomness starts: openings and searches.
    pub seed: u64,
    /// Random plies at the start, the same in both games of a pair.
    pub openings: u32,
    /// Plies after which a game is cut and drawn, the opening included.
    pub max_plies: u32,
    /// Stop early by a sequential test of these two Elo differences.
    pub sprt: Option<(f64, f64)>,
    /// Openings instead of random plies.
    pub book: Option<Arc<Book>>,
    /// The position that games start from in text, if it is not that of the game.
    pub position: Option<String>,
    /// End a game as soon as our solver knows its value; see [`ADJUDICATION`].
    pub adjudicate: bool,
    /// Play only part `.0` (from 1) of `.1`: every `.1`-th pair.
    pub shard: Option<(u32, u32)>,
}

/// A plan that can be played. Only [`MatchPlan::check`] makes one, so that nobody has to check it again.
#[derive(Clone, Debug)]
pub struct CheckedPlan {
    plan: MatchPlan,
    config: Config,
    turn: Option<Turn>,
}

impl CheckedPlan {
    /// The plan in normal form.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The games to play now, in order: those of its pairs that no other record has.
    pub(crate) fn own_games(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let due = |pair: &u32| self.turn.as_ref().is_none_or(|turn| turn.pairs.contains(pair));
        let games = self.plan.own_pairs().filter(due).flat_map(|pair| [(pair, 0), (pair, 1)]);
        games.filter(|&(pair, game)| self.turn.as_ref().is_none_or(|turn| !turn.elsewhere.has(pair, game)))
    }

    /// The header of its record.
    pub(crate) fn header(&self) -> record::Header {
        match self.turn {
            Some(_) => record::Header::of_part(self),
            None => record::Header::new(self.config.clone(), self.shard),
        }
    }
}

impl Deref for CheckedPlan {
    type Target = MatchPlan;

    fn deref(&self) -> &MatchPlan {
        &self.plan
    }
}

/// A limit of time as people write it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeLimit {
    /// For each move: `1s`.
    Move(Duration),
    /// For the whole game: `10s+0.1s`.
    Game(GameClock),
}

impl TimeLimit {
    /// Reads `1s` or `10s+0.1s`.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        match text.split_once('+') {
            None => parse_duration(text).map(Self::Move),
            Some((base, increment)) => {
                let clock =
                    GameClock { base: parse_duration(base.trim())?, increment: parse_duration(increment.trim())? };
                if clock.base.is_zero() {
                    return Err(TextError::expected(
                        text,
                        "a clock: expected a time above 0 and its increment, as in 10s+0.1s",
                    ));
                }
                Ok(Self::Game(clock))
            }
        }
    }
}

/// Reads the two Elo differences of a sequential test, as in `0,20`.
pub fn parse_sprt(text: &str) -> Result<(f64, f64), String> {
    let both = text.split_once(',').and_then(|(a, b)| Some((a.trim().parse().ok()?, b.trim().parse().ok()?)));
    both.ok_or_else(|| format!("{} is not a sequential test; give two Elo differences, as in 0,20", quoted(text)))
}

impl MatchPlan {
    /// Most games of a match.
    pub const MOST_GAMES: u32 = 1_000_000;
    /// Most random plies at the start of a game.
    pub const MOST_OPENING_PLIES: u32 = 1000;

    /// Twenty games from the start position with seed 1.
    pub fn new(game: Box<dyn AnyGame>, a: Side, b: Side) -> Self {
        Self {
            game,
            a,
            b,
            games: 20,
            seed: 1,
            openings: 0,
            max_plies: PLY_LIMIT,
            sprt: None,
            book: None,
            position: None,
            adjudicate: false,
            shard: None,
        }
    }

    /// Pairs of the whole match, all shards together.
    pub fn pairs(&self) -> u32 {
        self.games.div_ceil(2)
    }

    /// The pairs this plan plays, in order: all of them, or those of its shard.
    pub fn own_pairs(&self) -> impl Iterator<Item = u32> + use<> {
        let (part, parts) = self.shard.unwrap_or((1, 1));
        (part.saturating_sub(1)..self.pairs()).step_by(parts.max(1) as usize)
    }

    /// Whether this plan plays `pair`.
    pub fn plays(&self, pair: u32) -> bool {
        pair < self.pairs() && in_shard(self.shard, pair)
    }

    /// The plan as one that can be played, or what is wrong with it.
    pub fn check(self) -> Result<CheckedPlan, MatchError> {
        let wrong = |why: String| Err(MatchError::Plan(why));
        let game = &*self.game;
        if game.players() != 2 {
            return wrong(format!("{} has {} players; a match needs a game for two", game.name(), game.players()));
        }
        for (name, side) in [("A", &self.a), ("B", &self.b)] {
            if side.budget.simulations.is_none() && side.budget.time.is_none() && side.clock.is_none() {
                return wrong(format!("side {name} needs simulations or time, or it would search forever"));
            }
            side.source.check(game).map_err(|why| MatchError::Plan(format!("side {name}: {why}")))?;
        }
        if !(1..=Self::MOST_GAMES).contains(&self.games) {
            return wrong(format!("{} games cannot be played; 1 to {} can", self.games, Self::MOST_GAMES));
        }
        if self.max_plies == 0 {
            return wrong("a game of at most 0 plies cannot be played; at least 1".to_string());
        }
        if self.openings > Self::MOST_OPENING_PLIES || self.openings >= self.max_plies {
            let most = Self::MOST_OPENING_PLIES.min(self.max_plies - 1);
            return wrong(format!("{} opening plies are too many; at most {most} here", self.openings));
        }
        if let Some(book) = &self.book {
            let longest = book.longest();
            if self.openings > 0 {
                return wrong("openings are random plies or those of a file, not both".to_string());
            }
            if longest >= self.max_plies as usize {
                return wrong(format!("an opening of {longest} plies leaves no move before the ply limit"));
            }
        }
        if let Some((part, parts)) = self.shard {
            if part == 0 || part > parts {
                return wrong(format!("there is no part {part} of {parts}; the parts are 1 to {parts}"));
            }
            if self.sprt.is_some() {
                return wrong("a sequential test looks at all pairs in order; it cannot be split into shards".into());
            }
        }
        if let Some((elo0, elo1)) = self.sprt {
            // Written so that a number that is none is refused as well.
            let sensible = elo0 < elo1 && elo0 >= -1000.0 && elo1 <= 1000.0;
            if !sensible {
                return wrong(format!("a sequential test needs -1000 <= elo0 < elo1 <= 1000, not {elo0},{elo1}"));
            }
        }
        if self.openings > 0 && game.random_opening(&mut Rng::new(0), self.openings, DRAWS).is_none() {
            let (plies, game) = (self.openings, game.name());
            return wrong(format!(
                "{plies} random plies are too many for {game}: it was over within them {DRAWS} times"
            ));
        }
        let config = Config::of(&self, game.name());
        Ok(CheckedPlan { plan: self, config, turn: None })
    }
}

/// Whether `pair` belongs to this part of a match, if it is split.
fn in_shard(shard: Option<(u32, u32)>, pair: u32) -> bool {
    let (part, parts) = shard.unwrap_or((1, 1));
    pair % parts.max(1) == part.saturating_sub(1)
}

/// Random games tried before an opening is called impossible.
const DRAWS: u32 = 1000;

/// Why a match did not start or did not go on.
#[derive(Clone, Debug, PartialEq)]
pub enum MatchError {
    /// The plan asks for something that cannot be played.
    Plan(String),
    /// The record cannot be read, written or continued. Games recorded so far are safe.
    Record(String),
    /// The system has no thread to play on.
    System(String),
}

impl fmt::Display for MatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Plan(message) | Self::Record(message) | Self::System(message)) = self;
        f.write_str(message)
    }
}

impl std::error::Error for MatchError {}

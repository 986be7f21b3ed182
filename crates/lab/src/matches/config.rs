//! What a match is, as plain data that is written into its record and compared when it goes on.

use std::fmt;
use std::time::Duration;

use plyproof_engine::Budget;
use plyproof_engine::units::{duration_text, size_text};
use serde::{Deserialize, Serialize};

use crate::matches::{MatchPlan, Side};

/// What a match is, in normal form: two records with the same configuration are parts of the same match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Config {
    /// The game in its shortest spelling.
    pub game: String,
    /// The digest of the rules, for a game that is read from a text of rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// The side whose results are counted.
    pub a: SideSpec,
    /// The other side.
    pub b: SideSpec,
    /// Where all randomness starts.
    pub seed: u64,
    /// Random plies at the start.
    pub openings: u32,
    /// Plies after which a game is cut and drawn.
    pub max_plies: u32,
    /// The two Elo differences of a sequential test, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<(f64, f64)>,
    /// The position that games start from, if it is not that of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// The digest of the openings, if they come from a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub book: Option<String>,
    /// Whether games end as soon as our solver knows their value.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub adjudicate: bool,
}

/// A side as a record names it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SideSpec {
    /// The agent in its shortest spelling.
    pub agent: String,
    /// Simulations a move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simulations: Option<u64>,
    /// Microseconds a move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_us: Option<u64>,
    /// Bytes for the tree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
    /// Microseconds for the whole game, if it has a clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_us: Option<u64>,
    /// Microseconds added to the clock after every move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub increment_us: Option<u64>,
}

impl SideSpec {
    /// The normal form of `side`.
    pub fn of(side: &Side) -> Self {
        Self {
            agent: side.source.to_string(),
            simulations: side.budget.simulations,
            time_us: side.budget.time.map(micros),
            memory: side.budget.memory.map(|bytes| bytes as u64),
            clock_us: side.clock.map(|clock| micros(clock.base)),
            increment_us: side.clock.map(|clock| micros(clock.increment)),
        }
    }

    /// What the side may use for each move.
    pub fn budget(&self) -> Budget {
        Budget {
            simulations: self.simulations,
            time: self.time_us.map(Duration::from_micros),
            memory: self.memory.map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX)),
            ..Budget::default()
        }
    }
}

/// `pn-mcts, 173 sims, 1 s`: the agent and what it may use for each move.
impl fmt::Display for SideSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.agent)?;
        if let Some(simulations) = self.simulations {
            write!(f, ", {simulations} {}", if simulations == 1 { "sim" } else { "sims" })?;
        }
        if let Some(time) = self.time_us {
            write!(f, ", {}", duration_text(Duration::from_micros(time)))?;
        }
        if let Some(clock) = self.clock_us {
            let increment = Duration::from_micros(self.increment_us.unwrap_or(0));
            write!(f, ", {}+{} a game", duration_text(Duration::from_micros(clock)), duration_text(increment))?;
        }
        if let Some(memory) = self.memory {
            write!(f, ", {}", size_text(memory))?;
        }
        Ok(())
    }
}

fn micros(time: Duration) -> u64 {
    time.as_micros().try_into().unwrap_or(u64::MAX)
}

impl Config {
    /// The configuration of `plan`, whose game is called `game` in its shortest spelling.
    pub(crate) fn of(plan: &MatchPlan, game: String) -> Self {
        Self {
            game,
            rules: plan.game.rules().text_digest().map(str::to_string),
            a: SideSpec::of(&plan.a),
            b: SideSpec::of(&plan.b),
            seed: plan.seed,
            openings: plan.openings,
            max_plies: plan.max_plies,
            sprt: plan.sprt,
            position: plan.position.clone(),
            book: plan.book.as_ref().map(|book| book.digest()),
            adjudicate: plan.adjudicate,
        }
    }
}

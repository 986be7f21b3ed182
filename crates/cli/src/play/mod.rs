//! `plyproof play`: a game against the program in the terminal.

mod board;
mod input;
mod session;

use std::path::PathBuf;
use std::time::Duration;

use plyproof_engine::units::parse_duration;
use plyproof_engine::{Budget, Player, Registry, Source};
use plyproof_lab::levels::{LEVELS, Level};

use crate::color::Color;
use crate::input::{Place, count, whole};
use crate::interrupt::Interrupts;
use crate::output::{Done, Failure};
use input::Input;
use session::{Opponent, Session};

/// Play a game against the program in the terminal
#[derive(clap::Args)]
#[command(
    after_help = "Type moves in the notation of the game, or the beginning of a move if no other move begins so. help lists the \
    commands: undo, hint, analyse, save, load and others. Ctrl-C interrupts the program's thinking, not the game.\n\
    A level depends on neither the machine nor the time: each wins about three games of four against the one below \
    it. The commands can come from a pipe as well.\n\n\
    Examples:\n  \
    plyproof play connect4\n  \
    plyproof play loa --level 6 --side second\n  \
    plyproof play hex --against \"mcts(c=0.7)\" --time 2s\n  \
    plyproof play gomoku --load game.sgf"
)]
pub struct Arguments {
    #[command(flatten)]
    place: Place,
    /// Opponent, instead of a level: an agent with its parameters
    #[arg(long, value_name = "SPEC", conflicts_with = "level")]
    against: Option<String>,
    /// Strength of the opponent, from 1 to 10
    #[arg(long, value_name = "L", default_value = "4", value_parser = |text: &str| Level::parse(text).map_err(|error| error.to_string()))]
    level: Level,
    /// Time per move of --against, as in 1s or 250ms [default: 1s]; hints and analyses take as long
    #[arg(long, value_name = "T", value_parser = parse_duration)]
    time: Option<Duration>,
    /// Simulations per move of --against, and for hints and analyses
    #[arg(long, value_name = "N", value_parser = count::<u64>(1, u64::MAX))]
    sims: Option<u64>,
    /// Your side; both is for two people, or for looking at a game
    #[arg(long, value_name = "SIDE", default_value = "first")]
    side: Side,
    /// Go on with the first game of this file
    #[arg(long, value_name = "FILE")]
    load: Option<PathBuf>,
    /// Seed of the random numbers
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole)]
    seed: u64,
    /// When to use colours
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    color: Color,
}

/// Who the person at the terminal is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Side {
    /// The player who moves first
    First,
    /// The player who moves second
    Second,
    /// Both players
    Both,
}

impl Side {
    /// Whether the person moves for `player`.
    pub fn is(self, player: Player) -> bool {
        match self {
            Self::First => player == Player::FIRST,
            Self::Second => player == Player::SECOND,
            Self::Both => true,
        }
    }
}

pub fn run(registry: &Registry, arguments: &Arguments) -> Done {
    let start = arguments.place.open(registry)?;
    let interrupts = Interrupts::listen()?;
    let budget = Budget {
        simulations: arguments.sims,
        time: arguments.time.or(arguments.sims.is_none().then_some(Duration::from_secs(1))),
        ..Budget::default()
    };
    let opponent = match &arguments.against {
        Some(spec) => {
            let source = Source::agent(registry, spec).map_err(Failure::misused)?;
            Opponent { name: spec.clone(), source, budget: budget.clone() }
        }
        None => Opponent::of_level(arguments.level)?,
    };
    let input = Input::new(&interrupts);
    let mut session = Session::new(
        registry,
        start,
        opponent,
        budget,
        arguments.side,
        arguments.seed,
        arguments.color.is_on(),
        input,
    )?;
    if let Some(path) = &arguments.load {
        session.load(path)?;
    }
    session.run()
}

/// The levels in one line, for help.
pub fn levels() -> String {
    format!("1 to {}", LEVELS.len())
}

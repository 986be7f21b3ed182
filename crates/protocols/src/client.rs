//! A conversation with an engine by others: greeting, options, positions, and the wait for its move.

mod gomocup;
mod gtp;
mod uci;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use plyproof_engine::{Allowance, AnyGame, Cause, quoted};

use crate::external::EngineSpec;
use crate::process::{Process, Trouble};
use crate::protocol::Protocol;

/// What went wrong with an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Trip {
    pub(crate) cause: Cause,
    pub(crate) why: String,
    /// It is of no use any more and has to be started again.
    pub(crate) fatal: bool,
}

impl Trip {
    pub(crate) fn crash(why: String) -> Self {
        Self { cause: Cause::Crash, why, fatal: true }
    }

    fn of(trouble: Trouble, waited_for: &str) -> Self {
        match trouble {
            Trouble::Late => Self { cause: Cause::Time, why: format!("no {waited_for} in time"), fatal: true },
            Trouble::Ended(how) => Self::crash(format!("no {waited_for}: {how}")),
            Trouble::Flood => Self::crash(format!("no {waited_for}: it prints without end")),
            Trouble::Deaf => Self::crash(format!("no {waited_for}: it does not read its commands")),
        }
    }
}

/// A move as the engine wrote it, and the nodes that it says to have searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) word: String,
    pub(crate) nodes: u64,
}

/// An engine that has been greeted.
pub(crate) struct Client {
    pub(crate) protocol: Protocol,
    pub(crate) process: Process,
    /// How long it may take for what needs no search.
    pub(crate) handshake: Duration,
    /// Its name and author, as far as it says.
    pub(crate) name: Option<String>,
    pub(crate) author: Option<String>,
    /// Its options by name, with the lines that describe them; in GTP its commands.
    pub(crate) options: Vec<(String, String)>,
    /// Options that were set.
    set: Vec<(String, String)>,
    /// Moves of the game that it knows of, where a protocol tells them one by one.
    known: Option<usize>,
}

impl Client {
    /// Whether the protocol has words for this game.
    pub(crate) fn plays(protocol: Protocol, game: &dyn AnyGame) -> Result<(), String> {
        match protocol {
            Protocol::Gomocup => gomocup::begin(game).map(drop),
            Protocol::Ugi | Protocol::Usi | Protocol::Uci | Protocol::Gtp => Ok(()),
        }
    }

    /// Starts an engine, greets it and sets its options.
    pub(crate) fn start(spec: &EngineSpec) -> Result<Self, Trip> {
        let process = Process::start(&spec.command, spec.log.as_deref()).map_err(Trip::crash)?;
        let mut client = Self {
            protocol: spec.protocol,
            process,
            handshake: spec.handshake,
            name: None,
            author: None,
            options: Vec::new(),
            set: Vec::new(),
            known: None,
        };
        match client.protocol {
            Protocol::Ugi | Protocol::Usi | Protocol::Uci => client.greet_uci(&spec.options)?,
            Protocol::Gomocup => client.greet_gomocup(&spec.options)?,
            Protocol::Gtp => client.greet_gtp(&spec.options)?,
        }
        Ok(client)
    }

    /// A game begins.
    pub(crate) fn new_game(&mut self, start: &dyn AnyGame) -> Result<(), Trip> {
        self.process.skip_lines();
        self.known = None;
        match self.protocol {
            Protocol::Ugi | Protocol::Usi | Protocol::Uci => self.new_game_uci(start),
            Protocol::Gomocup => self.new_game_gomocup(start),
            Protocol::Gtp => self.new_game_gtp(start),
        }
    }

    /// Asks for a move at `position`, which comes from `start` by `moves` in the protocol's notation; none if `stop` was
    /// raised. `margin` is what may be lost on the way, `patience` holds for a move without a limit of time.
    pub(crate) fn choose(
        &mut self,
        start: &dyn AnyGame,
        position: &dyn AnyGame,
        moves: &[String],
        allowance: &Allowance,
        (margin, patience): (Duration, Duration),
        stop: &AtomicBool,
    ) -> Result<Option<Answer>, Trip> {
        let clock = allowance.clock.map(|clock| clock.left + clock.byoyomi);
        let limit = clock.into_iter().chain(allowance.budget.time).min();
        let limit = limit.map_or(patience, |limit| limit + margin);
        // What was said after the last move belongs to nothing.
        self.process.skip_lines();
        let deadline = Instant::now() + limit;
        let mut wait = Wait { deadline, stop };
        match self.protocol {
            Protocol::Ugi | Protocol::Usi | Protocol::Uci => {
                self.choose_uci(start, position, moves, allowance, &mut wait)
            }
            Protocol::Gomocup => self.choose_gomocup(moves, allowance, &mut wait),
            Protocol::Gtp => self.choose_gtp(position, moves, allowance, &mut wait),
        }
    }

    /// What the engine says of itself, and the options that were set, for the record.
    pub(crate) fn says(&self) -> Vec<String> {
        let name = self.name.as_deref().unwrap_or("an engine that does not say its name");
        let mut says = vec![match &self.author {
            Some(author) => format!("{name} by {author}"),
            None => name.to_string(),
        }];
        let set: Vec<String> = self.set.iter().map(|(name, value)| format!("{name}={value}")).collect();
        if !set.is_empty() {
            says.push(format!("options {}", set.join(", ")));
        }
        says
    }

    pub(crate) fn send(&mut self, line: &str) -> Result<(), Trip> {
        self.process.send(line).map_err(|trouble| Trip::of(trouble, "answer"))
    }

    /// Reads until a line that `is_it` takes something from.
    pub(crate) fn until<T>(
        &mut self,
        what: &str,
        deadline: Instant,
        mut is_it: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, Trip> {
        loop {
            let line = self.process.next_line(deadline).map_err(|trouble| Trip::of(trouble, what))?;
            if let Some(found) = is_it(line.trim()) {
                return Ok(found);
            }
        }
    }

    pub(crate) fn soon(&self) -> Instant {
        Instant::now() + self.handshake
    }
}

/// A wait for a move.
struct Wait<'a> {
    deadline: Instant,
    stop: &'a AtomicBool,
}

impl Wait<'_> {
    /// How often the stop flag is looked at.
    const LOOK: Duration = Duration::from_millis(50);

    /// The next line; none if the flag was raised.
    fn next_line(&mut self, process: &mut Process) -> Result<Option<String>, Trip> {
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let until = self.deadline.min(Instant::now() + Self::LOOK);
            match process.next_line(until) {
                Ok(line) => return Ok(Some(line)),
                Err(Trouble::Late) if Instant::now() < self.deadline => {}
                Err(trouble) => return Err(Trip::of(trouble, "move")),
            }
        }
    }
}

/// A word of the engine for a message.
fn said(line: &str) -> String {
    quoted(line)
}

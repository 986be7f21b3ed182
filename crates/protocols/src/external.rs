//! The engines of others as players of a match: `engine(cmd='path arguments',protocol=usi,…)`.

use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use plyproof_core::TextError;
use plyproof_core::spec::{Spec, unknown_name};
use plyproof_engine::units::{duration_text, parse_duration};
use plyproof_engine::{
    Allowance, AnyGame, Bounds, Cause, ChosenMove, Lost, MatchPlayer, PlayerSource, Registry, Source,
};

use crate::client::{Client, Trip};
use crate::process::EngineCommand;
use crate::protocol::Protocol;

/// A player by its spec: `engine(…)` is the engine of somebody else, every other name one of our agents.
pub fn source(registry: &Registry, text: &str) -> Result<Source, TextError> {
    match text.trim_start().strip_prefix("engine").map(str::trim_start) {
        Some(rest) if rest.is_empty() || rest.starts_with('(') => Ok(Source::new(EngineSource::parse(text)?)),
        _ => Source::agent(registry, text),
    }
}

/// How to start an engine and what to ask of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSpec {
    /// The program and its arguments.
    pub command: EngineCommand,
    /// What it speaks.
    pub protocol: Protocol,
    /// How long it may take for what needs no search.
    pub handshake: Duration,
    /// How much longer than its limit it may take for a move: for the way of the move through the system.
    pub margin: Duration,
    /// How long it may take for a move without a limit of time.
    pub patience: Duration,
    /// A file that its standard error is added to.
    pub log: Option<PathBuf>,
    /// Its own options, in the order in which they are set.
    pub options: Vec<(String, String)>,
}

const HANDSHAKE: Duration = Duration::from_secs(10);
const MARGIN: Duration = Duration::from_millis(200);
const PATIENCE: Duration = Duration::from_secs(60);

impl EngineSpec {
    /// An engine with the usual limits and no options.
    pub fn new(command: EngineCommand, protocol: Protocol) -> Self {
        Self {
            command,
            protocol,
            handshake: HANDSHAKE,
            margin: MARGIN,
            patience: PATIENCE,
            log: None,
            options: Vec::new(),
        }
    }

    /// Reads `engine(cmd='path arguments',protocol=P,…)`. Parameters that plyproof does not know are options of the engine.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        let spec = Spec::parse(text)?;
        let (mut command, mut protocol, mut others) = (None, None, Vec::new());
        for (place, (name, value)) in spec.arguments.into_iter().enumerate() {
            let name = match name {
                Some(name) => name,
                None if place == 0 => "cmd".to_string(),
                None => return Err(TextError::new(format!("{value} has no name; an option is NAME=VALUE"))),
            };
            match name.as_str() {
                "cmd" if command.is_none() => command = Some(EngineCommand::parse(&value)?),
                "protocol" if protocol.is_none() => protocol = Some(Protocol::parse(&value)?),
                "cmd" | "protocol" => return Err(TextError::new(format!("{name} is given twice for engine"))),
                _ => others.push((name, value)),
            }
        }
        let missing = |what: &str| {
            TextError::new(format!("engine needs {what}, as in engine(cmd='path arguments',protocol=ugi)"))
        };
        let (command, protocol) =
            (command.ok_or_else(|| missing("cmd"))?, protocol.ok_or_else(|| missing("protocol"))?);
        let mut engine = Self::new(command, protocol);
        for (name, value) in others {
            let time = || parse_duration(&value).map_err(|why| TextError::new(format!("{name}: {why}")));
            match name.as_str() {
                "handshake" => engine.handshake = time()?,
                "margin" => engine.margin = time()?,
                "patience" => engine.patience = time()?,
                "log" => engine.log = Some(PathBuf::from(value)),
                "game" | "agent" | "timeout" | "command" => {
                    let known = ["cmd", "protocol", "handshake", "margin", "patience", "log"];
                    return Err(unknown_name("parameter of engine", &name, known));
                }
                _ if name.contains(char::is_control) || value.contains(char::is_control) => {
                    return Err(TextError::new("an option is one line of text".to_string()));
                }
                _ => engine.options.push((name, value)),
            }
        }
        Ok(engine)
    }
}

/// Prints what [`EngineSpec::parse`] reads.
impl std::fmt::Display for EngineSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "engine(cmd={},protocol={}", Spec::quoted_value(self.command.text()), self.protocol)?;
        for (name, time, usual) in [
            ("handshake", self.handshake, HANDSHAKE),
            ("margin", self.margin, MARGIN),
            ("patience", self.patience, PATIENCE),
        ] {
            if time != usual {
                write!(f, ",{name}={}", duration_text(time).replace(' ', ""))?;
            }
        }
        if let Some(log) = &self.log {
            write!(f, ",log={}", Spec::quoted_value(&log.display().to_string()))?;
        }
        for (name, value) in &self.options {
            write!(f, ",{name}={}", Spec::quoted_value(value))?;
        }
        f.write_str(")")
    }
}

/// An engine of which a match starts one for each of its workers.
struct EngineSource {
    spec: EngineSpec,
    /// Whether it could be started, once that was tried.
    starts: OnceLock<Result<(), String>>,
}

impl EngineSource {
    fn parse(text: &str) -> Result<Self, TextError> {
        Ok(Self { spec: EngineSpec::parse(text)?, starts: OnceLock::new() })
    }
}

impl PlayerSource for EngineSource {
    fn spec(&self) -> String {
        self.spec.to_string()
    }

    fn player(&self, _game: &dyn AnyGame) -> Result<Box<dyn MatchPlayer>, String> {
        Ok(Box::new(EnginePlayer { spec: self.spec.clone(), client: None, notes: Vec::new(), game: None, starts: 0 }))
    }

    fn check(&self, game: &dyn AnyGame) -> Result<(), String> {
        Client::plays(self.spec.protocol, game)?;
        // A sweep has a source for each of its cells, so that the engine cannot wait for its first game.
        let starts = self.starts.get_or_init(|| Client::start(&self.spec).map(drop).map_err(|trip| trip.why));
        starts.clone().map_err(|why| format!("{}: {why}", self.spec.command.program()))
    }

    fn margin(&self) -> Duration {
        self.spec.margin
    }
}

/// The game as it was played so far.
struct Played {
    start: Box<dyn AnyGame>,
    at: Box<dyn AnyGame>,
    moves: Vec<String>,
}

struct EnginePlayer {
    spec: EngineSpec,
    client: Option<Client>,
    notes: Vec<String>,
    game: Option<Played>,
    starts: u32,
}

impl EnginePlayer {
    fn lost(&mut self, trip: Trip) -> Lost {
        if trip.fatal {
            self.client = None;
        }
        Lost { cause: trip.cause, why: format!("{}: {}", self.spec.command.program(), trip.why) }
    }

    /// The engine, started anew if it is not there.
    fn client(&mut self) -> Result<&mut Client, Trip> {
        if self.client.is_none() {
            self.client = Some(Client::start(&self.spec)?);
            if self.starts > 0 {
                self.notes.push("the engine was started again".to_string());
            }
        }
        self.starts += 1;
        self.client.as_mut().ok_or_else(|| Trip::crash("the engine did not start".to_string()))
    }
}

impl MatchPlayer for EnginePlayer {
    fn new_game(&mut self, start: &dyn AnyGame) -> Result<(), String> {
        self.game = Some(Played { start: start.clone_box(), at: start.clone_box(), moves: Vec::new() });
        let first = self.starts == 0;
        let begun = self.client().and_then(|client| client.new_game(start));
        if let Err(trip) = begun {
            return Err(self.lost(trip).why);
        }
        if let Some(client) = self.client.as_ref().filter(|_| first) {
            self.notes.extend(client.says());
        }
        Ok(())
    }

    fn played(&mut self, text: &str) {
        if let Some(game) = &mut self.game {
            let word = crate::notation::move_out(self.spec.protocol, &*game.at, text);
            if game.at.play(text).is_ok() {
                game.moves.push(word);
            }
        }
    }

    fn choose(
        &mut self,
        position: &dyn AnyGame,
        allowance: &Allowance,
        _seed: u64,
        stop: &AtomicBool,
    ) -> Result<ChosenMove, Lost> {
        let (margin, patience) = (self.spec.margin, self.spec.patience);
        let game = self.game.take();
        let asked = match (&game, self.client.as_mut()) {
            (Some(game), Some(client)) => {
                client.choose(&*game.start, position, &game.moves, allowance, (margin, patience), stop)
            }
            _ => Err(Trip::crash("the engine is not there".to_string())),
        };
        self.game = game;
        let answer = asked.map_err(|trip| self.lost(trip))?;
        let Some(answer) = answer else {
            // The match is to stop: the engine may still be searching, so the next game begins with another one.
            self.client = None;
            return Ok(ChosenMove {
                text: None,
                simulations: 0,
                bounds: Bounds::OPEN,
                stopped: Some(plyproof_engine::Stopped::Cancelled),
            });
        };
        let text = crate::notation::move_in(self.spec.protocol, position, &answer.word);
        if let Err(error) = position.clone_box().play(&text) {
            let why = format!("{}: {error}", self.spec.command.program());
            return Err(Lost { cause: Cause::IllegalMove, why });
        }
        let text = own_text(position, text);
        Ok(ChosenMove { text: Some(text), simulations: answer.nodes, bounds: Bounds::OPEN, stopped: None })
    }

    fn notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }
}

/// A legal move as plyproof writes it, however the engine did.
fn own_text(position: &dyn AnyGame, text: String) -> String {
    let legal = position.legal_moves();
    if legal.contains(&text) {
        return text;
    }
    let usi = |own: &String| position.move_in("usi", own).is_ok_and(|word| word == text);
    legal.into_iter().find(usi).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spec_prints_back_and_what_is_not_known_is_an_option_of_the_engine() {
        for (text, shortest) in [
            ("engine(cmd=a,protocol=ugi)", None),
            ("engine( 'a b' , protocol=gtp )", Some("engine(cmd='a b',protocol=gtp)")),
            ("engine(cmd='it''s (a, b)',protocol=usi,Skill Level=-3,UCI_Variant=minishogi)", None),
            ("engine(cmd=a,protocol=uci,margin=200ms,handshake=2s)", Some("engine(cmd=a,protocol=uci,handshake=2s)")),
            ("engine(cmd=a,protocol=ugi,log='my log',Agent='mcts(c=1,rave=on)')", None),
        ] {
            // A quotation mark of the command line itself has to be closed.
            let text = text.replace("it''s", "\"it''s\"");
            let spec = EngineSpec::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(spec.to_string(), shortest.map_or(text.clone(), str::to_string));
            assert_eq!(EngineSpec::parse(&spec.to_string()), Ok(spec));
        }
        for (text, part) in [
            ("engine", "engine needs cmd"),
            ("engine(cmd=a)", "engine needs protocol"),
            ("engine(cmd=a,cmd=b,protocol=ugi)", "cmd is given twice"),
            ("engine(a,b)", "b has no name"),
            ("engine(cmd=a,protocol=ugi,margin=soon)", "margin: "),
        ] {
            let error = EngineSpec::parse(text).expect_err(text).to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}

//! A test of an engine by others: whether it keeps to its protocol where managers rely on it.

use std::time::{Duration, Instant};

use plyproof_engine::AnyGame;

use crate::client::{Client, Trip};
use crate::external::EngineSpec;
use crate::notation::move_in;
use crate::process::EngineCommand;
use crate::protocol::Protocol;

/// What to test.
pub struct CheckTask {
    /// The engine.
    pub command: EngineCommand,
    /// What it speaks.
    pub protocol: Protocol,
    /// The game to play.
    pub game: Box<dyn AnyGame>,
    /// Its own options.
    pub options: Vec<(String, String)>,
    /// How long it may take for what needs no search.
    pub patience: Duration,
}

/// What became of one check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// What was checked.
    pub what: String,
    /// What was found: something to know if it passed, else what is wrong.
    pub found: Result<String, String>,
}

/// What became of all checks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckReport {
    /// The checks in their order.
    pub checks: Vec<Checked>,
}

impl CheckReport {
    /// Checks that failed.
    pub fn failed(&self) -> usize {
        self.checks.iter().filter(|check| check.found.is_err()).count()
    }
}

/// Plies of the game that is played with the engine on both sides.
const PLIES: usize = 12;
/// Time for a move of that game.
const MOVE_TIME: Duration = Duration::from_millis(100);
/// How much later than that a move may come.
const MARGIN: Duration = Duration::from_millis(200);

/// Tests an engine. `show` is given a line for each check, and returns whether to go on.
pub fn check_engine(task: &CheckTask, show: &mut dyn FnMut(&str) -> bool) -> CheckReport {
    let mut run = Run { task, report: CheckReport::default(), show, wanted: true };
    run.all();
    let (checks, failed) = (run.report.checks.len(), run.report.failed());
    (run.show)(&format!("{} of {checks} checks passed", checks - failed));
    run.report
}

struct Run<'a> {
    task: &'a CheckTask,
    report: CheckReport,
    show: &'a mut dyn FnMut(&str) -> bool,
    wanted: bool,
}

type Outcome = Result<String, String>;

impl Run<'_> {
    fn note(&mut self, what: &str, found: Outcome) -> bool {
        let line = match &found {
            Ok(known) if known.is_empty() => format!("pass  {what}"),
            Ok(known) => format!("pass  {what}: {known}"),
            Err(wrong) => format!("FAIL  {what}: {wrong}"),
        };
        self.wanted = self.wanted && (self.show)(&line);
        let passed = found.is_ok();
        self.report.checks.push(Checked { what: what.to_string(), found });
        passed && self.wanted
    }

    fn spec(&self) -> EngineSpec {
        let (command, options) = (self.task.command.clone(), self.task.options.clone());
        EngineSpec { handshake: self.task.patience, options, ..EngineSpec::new(command, self.task.protocol) }
    }

    fn all(&mut self) {
        if let Err(why) = Client::plays(self.task.protocol, &*self.task.game) {
            self.note("game", Err(why));
            return;
        }
        let began = Instant::now();
        let mut client = match Client::start(&self.spec()) {
            Ok(client) => client,
            Err(trip) => {
                self.note("greeting", Err(trip.why));
                return;
            }
        };
        let took = began.elapsed().as_millis();
        let greeting = format!("{}, after {took} ms", client.says().join("; "));
        self.note("greeting", Ok(greeting));
        let named = client.name.is_some();
        self.note("name", if named { Ok(String::new()) } else { Err("the engine does not say its name".to_string()) });
        let begun = client.new_game(&*self.task.game).map(|()| String::new()).map_err(|trip| trip.why);
        if !self.note("new game", begun) {
            return;
        }
        self.game(&mut client);
        match self.task.protocol {
            Protocol::Ugi | Protocol::Usi | Protocol::Uci => self.uci(&mut client),
            Protocol::Gomocup => self.gomocup(&mut client),
            Protocol::Gtp => self.gtp(&mut client),
        }
        self.quit(client);
        self.end_of_input();
    }

    /// A game with the engine on both sides: legal moves, in time.
    fn game(&mut self, client: &mut Client) {
        use plyproof_engine::{Allowance, Budget};

        let allowance = Allowance { budget: Budget { time: Some(MOVE_TIME), ..Budget::default() }, clock: None };
        let (start, mut at, mut moves) = (&*self.task.game, self.task.game.clone_box(), Vec::new());
        let (mut latest, stop) = (Duration::ZERO, Default::default());
        let mut found = Ok(());
        // An engine of Gomocup plays one side of a game.
        let plies = if self.task.protocol == Protocol::Gomocup { 1 } else { PLIES };
        while found.is_ok() && moves.len() < plies && at.outcome().is_none() {
            let began = Instant::now();
            let limits = (self.task.patience, self.task.patience);
            let answer = client.choose(start, &*at, &moves, &allowance, limits, &stop);
            latest = latest.max(began.elapsed());
            found = match answer {
                Ok(Some(answer)) => {
                    let text = move_in(self.task.protocol, &*at, &answer.word);
                    let played = at.play(&text).map_err(|error| format!("ply {}: {error}", moves.len() + 1));
                    moves.push(answer.word);
                    played
                }
                Ok(None) => Err("no move".to_string()),
                Err(trip) => Err(trip.why),
            };
        }
        let legal = found.map(|()| format!("{} plies by both sides", moves.len()));
        if self.note("legal moves", legal) {
            let (most, limit) = (latest.as_millis(), MOVE_TIME.as_millis());
            let on_time = latest <= MOVE_TIME + MARGIN;
            let told = format!("the slowest of {} moves took {most} ms of {limit} ms", moves.len());
            self.note("time keeping", if on_time { Ok(told) } else { Err(told) });
        }
    }

    fn uci(&mut self, client: &mut Client) {
        let start = client.position_line(&*self.task.game, &[]);
        let ready = search(client, &start, "go infinite").and_then(|()| client.ready().map_err(|trip| trip.why));
        if !self.note("isready during a search", ready.map(|()| String::new())) {
            return;
        }
        let began = Instant::now();
        let stopped = client.send("stop").and_then(|()| best_move(client)).map_err(|trip| trip.why);
        let stopped = stopped.map(|_| format!("after {} ms", began.elapsed().as_millis()));
        if !self.note("stop", stopped) {
            return;
        }
        let twice = client.send("stop").and_then(|()| client.ready()).map(|()| String::new());
        self.note("stop without a search", twice.map_err(|trip| trip.why));
        let nodes = search(client, &start, "go nodes 100").and_then(|()| best_move(client).map_err(|trip| trip.why));
        self.note("go nodes", nodes.map(|_| String::new()));
        let clock = match self.task.protocol {
            Protocol::Usi => "go btime 1000 wtime 1000 binc 100 winc 100",
            Protocol::Uci => "go wtime 1000 btime 1000 winc 100 binc 100",
            _ => "go p1time 1000 p2time 1000 p1inc 100 p2inc 100",
        };
        let began = Instant::now();
        let moved = search(client, &start, clock).and_then(|()| best_move(client).map_err(|trip| trip.why));
        let took = began.elapsed();
        self.note(
            "game clock",
            moved.and_then(|_| {
                let told = format!("{} ms of 1000 ms", took.as_millis());
                if took < Duration::from_secs(1) { Ok(told) } else { Err(told) }
            }),
        );
        for (what, line) in [
            ("illegal moves in a position", "position startpos moves zz99 a1a1a1"),
            ("a position that is none", "position fen what is this moves"),
            ("a position without words", "position"),
            ("an unknown command", "xyzzy \u{fffd} 1 2 3"),
            ("an unknown option", "setoption name Xyzzy value 7"),
            ("an option without words", "setoption"),
        ] {
            let survived = client.send(line).and_then(|()| client.ready()).map(|()| String::new());
            if !self.note(what, survived.map_err(|trip| trip.why)) {
                return;
            }
        }
        let after = search(client, &start, "go nodes 10").and_then(|()| best_move(client).map_err(|trip| trip.why));
        self.note("a move after all that", after.map(|_| String::new()));
    }

    fn gomocup(&mut self, client: &mut Client) {
        for (what, line) in [
            ("an unknown command", "XYZZY"),
            ("a stone outside of the board", "TURN 99,99"),
            ("a turn without a point", "TURN here"),
        ] {
            let refused = client.send(line).and_then(|()| {
                let deadline = client.soon();
                client.until("ERROR or UNKNOWN", deadline, |line| {
                    (line.starts_with("ERROR") || line.starts_with("UNKNOWN")).then_some(())
                })
            });
            if !self.note(what, refused.map(|()| String::new()).map_err(|trip| trip.why)) {
                return;
            }
        }
        let again = client.new_game(&*self.task.game).map(|()| String::new());
        self.note("a new game after all that", again.map_err(|trip| trip.why));
    }

    fn gtp(&mut self, client: &mut Client) {
        for (what, line) in [
            ("an unknown command", "xyzzy"),
            ("an illegal vertex", "play black zz99"),
            ("a color that is none", "genmove purple"),
            ("a board size that is none", "boardsize nothing"),
        ] {
            // A refusal is what is right here, and it is no reason to start the engine again.
            let refused = match client.command(line) {
                Err(trip) if !trip.fatal => Ok(String::new()),
                Err(trip) => Err(trip.why),
                Ok(answer) => Err(format!("{line} was answered with {answer:?} instead of an error")),
            };
            if !self.note(what, refused) {
                return;
            }
        }
        let identity = client.send("17 name").and_then(|()| {
            let deadline = client.soon();
            client.until("answer to 17 name", deadline, |line| line.starts_with("=17").then_some(()))
        });
        self.note("the identity of a command", identity.map(|()| String::new()).map_err(|trip| trip.why));
    }

    fn quit(&mut self, mut client: Client) {
        let word = if self.task.protocol == Protocol::Gomocup { "END" } else { "quit" };
        let began = Instant::now();
        let sent = client.send(word).map_err(|trip| trip.why);
        let ended = sent.and_then(|()| match client.process.ends_within(self.task.patience) {
            true => Ok(format!("after {} ms", began.elapsed().as_millis())),
            false => Err(format!("it still runs {} s after {word}", self.task.patience.as_secs_f64())),
        });
        self.note("quit", ended);
    }

    /// Managers that die leave their engines without input.
    fn end_of_input(&mut self) {
        let Ok(mut client) = Client::start(&self.spec()) else {
            self.note("a second start", Err("it did not start again".to_string()));
            return;
        };
        client.process.close_input();
        let ended = match client.process.ends_within(self.task.patience) {
            true => Ok(String::new()),
            false => Err("it goes on for ever when its manager dies".to_string()),
        };
        self.note("end of input", ended);
    }
}

fn search(client: &mut Client, position: &str, go: &str) -> Result<(), String> {
    client.send(position).and_then(|()| client.send(go)).map_err(|trip| trip.why)
}

fn best_move(client: &mut Client) -> Result<String, Trip> {
    let deadline = client.soon();
    client.until("bestmove", deadline, |line| line.strip_prefix("bestmove ").map(str::to_string))
}

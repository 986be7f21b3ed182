//! UGI, USI and UCI, from the side of the manager.

use plyproof_engine::{Allowance, AnyGame, Cause, Player};

use super::{Answer, Client, Trip, Wait, said};
use crate::notation::position_out;
use crate::protocol::Protocol;

/// Options that a greeting may list; an engine that lists more does not mean it.
const MOST_OPTIONS: usize = 10_000;

impl Client {
    pub(super) fn greet_uci(&mut self, options: &[(String, String)]) -> Result<(), Trip> {
        let word = self.protocol.word();
        self.send(word)?;
        let (done, deadline) = (format!("{word}ok"), self.soon());
        let (mut name, mut author, mut listed) = (None, None, Vec::new());
        self.until(&done.clone(), deadline, |line| {
            if let Some(rest) = line.strip_prefix("id name ") {
                name = Some(shortened(rest));
            } else if let Some(rest) = line.strip_prefix("id author ") {
                author = Some(shortened(rest));
            } else if let Some(rest) = line.strip_prefix("option name ")
                && listed.len() < MOST_OPTIONS
            {
                let (name, rest) = rest.split_once(" type ").unwrap_or((rest, ""));
                listed.push((name.trim().to_string(), rest.to_string()));
            }
            (line == done).then_some(())
        })?;
        (self.name, self.author, self.options) = (name, author, listed);
        for (name, value) in options {
            self.set_option(name, value)?;
        }
        self.ready()
    }

    pub(crate) fn set_option(&mut self, name: &str, value: &str) -> Result<(), Trip> {
        let own = self.options.iter().map(|(own, _)| own).find(|own| own.eq_ignore_ascii_case(name));
        if own.is_none() {
            // Some engines take options that they do not list, so that this is no error.
            self.set.push((format!("{name} (which the engine does not list)"), value.to_string()));
        } else {
            self.set.push((name.to_string(), value.to_string()));
        }
        self.send(&format!("setoption name {name} value {value}"))
    }

    pub(crate) fn ready(&mut self) -> Result<(), Trip> {
        self.send("isready")?;
        self.until("readyok", self.soon(), |line| (line == "readyok").then_some(()))
    }

    pub(super) fn new_game_uci(&mut self, start: &dyn AnyGame) -> Result<(), Trip> {
        // Engines like ours play many games.
        if self.options.iter().any(|(name, _)| name == "Game") && !self.set.iter().any(|(name, _)| name == "Game") {
            self.set_option("Game", &start.name())?;
        }
        self.send(&format!("{}newgame", self.protocol))?;
        self.ready()
    }

    /// The line that describes a position.
    pub(crate) fn position_line(&self, start: &dyn AnyGame, moves: &[String]) -> String {
        let usual = plyproof_engine::Registry::builtin().open(&start.name());
        let mut line = "position ".to_string();
        // Games that a program has added begin where they begin.
        if usual.is_ok_and(|usual| usual.position_text() != start.position_text()) {
            line += if self.protocol == Protocol::Usi { "sfen " } else { "fen " };
            line += &position_out(self.protocol, start);
        } else {
            line += "startpos";
        }
        if !moves.is_empty() {
            line += " moves ";
            line += &moves.join(" ");
        }
        line
    }

    pub(super) fn choose_uci(
        &mut self,
        start: &dyn AnyGame,
        position: &dyn AnyGame,
        moves: &[String],
        allowance: &Allowance,
        wait: &mut Wait<'_>,
    ) -> Result<Option<Answer>, Trip> {
        let line = self.position_line(start, moves);
        self.send(&line)?;
        self.send(&self.limits(position, allowance))?;
        let mut nodes = 0;
        loop {
            let Some(line) = wait.next_line(&mut self.process)? else { return Ok(None) };
            let mut words = line.split_ascii_whitespace();
            match words.next() {
                Some("info") => {
                    let mut words = words.skip_while(|word| !matches!(*word, "nodes" | "string" | "pv"));
                    if words.next() == Some("nodes") {
                        nodes = words.next().and_then(|count| count.parse().ok()).unwrap_or(nodes);
                    }
                }
                Some("bestmove") => {
                    return match words.next() {
                        Some("resign") => {
                            Err(Trip { cause: Cause::Resigned, why: "it resigns".to_string(), fatal: false })
                        }
                        Some(word) if !matches!(word, "(none)" | "0000" | "none") => {
                            Ok(Some(Answer { word: word.to_string(), nodes }))
                        }
                        _ => Err(Trip {
                            cause: Cause::IllegalMove,
                            why: format!("no move in {}", said(&line)),
                            fatal: false,
                        }),
                    };
                }
                _ => {}
            }
        }
    }

    fn limits(&self, position: &dyn AnyGame, allowance: &Allowance) -> String {
        let mut go = "go".to_string();
        if let Some(clock) = allowance.clock {
            let first = position.to_move() == Player::FIRST;
            let (one, two) = if first { (clock.left, clock.opponent) } else { (clock.opponent, clock.left) };
            let [first, second] = match self.protocol {
                Protocol::Usi => ["b", "w"],
                Protocol::Uci => ["w", "b"],
                _ => ["p1", "p2"],
            };
            let increment = clock.increment.as_millis();
            go += &format!(" {first}time {} {second}time {}", one.as_millis(), two.as_millis());
            go += &format!(" {first}inc {increment} {second}inc {increment}");
        } else if let Some(time) = allowance.budget.time {
            go += &format!(" movetime {}", time.as_millis().max(1));
        }
        if let Some(nodes) = allowance.budget.simulations {
            go += &format!(" nodes {nodes}");
        }
        go
    }
}

fn shortened(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(200).collect()
}

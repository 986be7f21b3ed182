//! The protocol of the Gomocup tournaments, from the side of the manager.

use std::time::Duration;

use plyproof_engine::{Allowance, AnyGame, Cause, Player};

use super::{Answer, Client, Trip, Wait, said};
use crate::notation::point;

/// The command that begins a game of this kind, and the rule that goes with it.
pub(super) fn begin(game: &dyn AnyGame) -> Result<(String, u32), String> {
    let (params, name) = (game.params(), &game.described().name);
    let empty = game.position_text().split(' ').next().is_some_and(|rows| rows.chars().all(|c| c == '.' || c == '/'));
    match name.as_str() {
        "gomoku" if empty => Ok((format!("START {}", params.whole("size")), u32::from(params.flag("exact")))),
        "mnk" if empty && params.whole("k") == 5 => {
            Ok((format!("RECTSTART {},{}", params.whole("m"), params.whole("n")), 0))
        }
        _ => Err(format!("the protocol gomocup has Gomoku on an empty board alone, not {}", game.name())),
    }
}

impl Client {
    pub(super) fn greet_gomocup(&mut self, options: &[(String, String)]) -> Result<(), Trip> {
        // An engine that does not know the word says so, or nothing.
        self.send("ABOUT")?;
        let about = self.until("answer to ABOUT", self.soon(), |line| Some(line.to_string()))?;
        let part = |key: &str| {
            let from = about.split_once(&format!("{key}=\""))?.1;
            Some(from.split_once('"')?.0.chars().take(200).collect())
        };
        (self.name, self.author) = (part("name"), part("author"));
        self.set = options.to_vec();
        Ok(())
    }

    pub(super) fn new_game_gomocup(&mut self, start: &dyn AnyGame) -> Result<(), Trip> {
        let (begin, rule) = begin(start).map_err(Trip::crash)?;
        self.send(&format!("INFO rule {rule}"))?;
        self.send("INFO game_type 1")?;
        for (name, value) in self.set.clone() {
            self.send(&format!("INFO {name} {value}"))?;
        }
        self.send(&begin)?;
        let deadline = self.soon();
        let answer = self.until(&format!("OK to {begin}"), deadline, |line| {
            let said_no = line.starts_with("ERROR") || line.starts_with("UNKNOWN");
            (line == "OK" || said_no).then(|| line.to_string())
        })?;
        self.known = Some(0);
        match answer.as_str() {
            "OK" => Ok(()),
            _ => Err(Trip { cause: Cause::Error, why: format!("{begin}: {}", said(&answer)), fatal: false }),
        }
    }

    pub(super) fn choose_gomocup(
        &mut self,
        moves: &[String],
        allowance: &Allowance,
        wait: &mut Wait<'_>,
    ) -> Result<Option<Answer>, Trip> {
        let millis = |time: Duration| time.as_millis().to_string();
        match (allowance.clock, allowance.budget.time) {
            (Some(clock), limit) => {
                let turn = limit.unwrap_or(clock.left);
                self.send(&format!("INFO timeout_match {}", millis(clock.left.max(clock.opponent))))?;
                self.send(&format!("INFO timeout_turn {}", millis(turn)))?;
                self.send(&format!("INFO time_left {}", millis(clock.left)))?;
            }
            (None, Some(time)) => {
                self.send("INFO timeout_match 0")?;
                self.send(&format!("INFO timeout_turn {}", millis(time)))?;
                self.send("INFO time_left 2147483647")?;
            }
            (None, None) => {
                let why = "the protocol gomocup knows no simulations; give a time, as in --time 1s".to_string();
                return Err(Trip { cause: Cause::Error, why, fatal: false });
            }
        }
        match (moves, self.known) {
            ([], _) => self.send("BEGIN")?,
            ([before @ .., last], Some(known)) if known == before.len() => self.send(&format!("TURN {last}"))?,
            _ => {
                self.send("BOARD")?;
                for (ply, at) in moves.iter().enumerate() {
                    // The last stone is the opponent's.
                    let who = if (moves.len() - ply) % 2 == 1 { 2 } else { 1 };
                    self.send_slowly(&format!("{at},{who}"))?;
                }
                self.send("DONE")?;
            }
        }
        self.known = None;
        loop {
            let Some(line) = wait.next_line(&mut self.process)? else { return Ok(None) };
            let word = line.split_ascii_whitespace().next().unwrap_or_default();
            match word {
                "ERROR" | "UNKNOWN" => {
                    return Err(Trip { cause: Cause::Error, why: format!("it says {}", said(&line)), fatal: false });
                }
                _ if point(&line).is_some() => {
                    self.known = Some(moves.len() + 1);
                    return Ok(Some(Answer { word: line.trim().to_string(), nodes: 0 }));
                }
                // MESSAGE and DEBUG, and whatever else it likes to say.
                _ => {}
            }
        }
    }

    /// Sends a line of many, and gives the engine time to read where it has to.
    fn send_slowly(&mut self, line: &str) -> Result<(), Trip> {
        let deadline = self.soon();
        loop {
            match self.send(line) {
                Err(_) if std::time::Instant::now() < deadline => std::thread::sleep(Duration::from_millis(1)),
                done => return done,
            }
        }
    }
}

/// The colour of GTP.
pub(super) fn color(player: Player) -> &'static str {
    if player == Player::FIRST { "black" } else { "white" }
}

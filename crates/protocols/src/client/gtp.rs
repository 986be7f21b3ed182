//! The Go text protocol, from the side of the controller.

use plyproof_engine::{Allowance, AnyGame, Cause};

use super::gomocup::color;
use super::{Answer, Client, Trip, Wait, said};

impl Client {
    pub(super) fn greet_gtp(&mut self, options: &[(String, String)]) -> Result<(), Trip> {
        let version = self.command("protocol_version")?;
        if version.trim() != "2" {
            return Err(Trip::crash(format!("it speaks version {} of GTP; 2 is known", said(&version))));
        }
        self.name = Some(self.command("name")?.chars().take(200).collect());
        // Options are commands with one argument.
        for (name, value) in options {
            self.command(&format!("{name} {value}"))?;
            self.set.push((name.clone(), value.clone()));
        }
        Ok(())
    }

    /// The answer to a command that needs no search.
    pub(crate) fn command(&mut self, command: &str) -> Result<String, Trip> {
        let deadline = self.soon();
        self.send(command)?;
        // No command that is sent here has an answer of several lines.
        let what = format!("answer to {command}");
        let first = self.until(&what, deadline, |line| line.starts_with(['=', '?']).then(|| line.to_string()))?;
        let text = first[1..].trim_start_matches(|c: char| c.is_ascii_digit()).trim().to_string();
        if first.starts_with('?') {
            let why = format!("{command}: {}", said(&text));
            return Err(Trip { cause: Cause::Error, why, fatal: false });
        }
        Ok(text)
    }

    pub(super) fn new_game_gtp(&mut self, start: &dyn AnyGame) -> Result<(), Trip> {
        if self.knows("plyproof-game")? {
            self.command(&format!("plyproof-game {}", start.name()))?;
        } else if let Some(size) = start.params().described().parameters.iter().find(|p| p.name == "size") {
            let size = start.params().text(&size.name).to_string();
            self.command(&format!("boardsize {size}"))?;
        }
        self.command("clear_board")?;
        self.known = Some(0);
        Ok(())
    }

    fn knows(&mut self, name: &str) -> Result<bool, Trip> {
        Ok(self.command(&format!("known_command {name}"))? == "true")
    }

    pub(super) fn choose_gtp(
        &mut self,
        position: &dyn AnyGame,
        moves: &[String],
        allowance: &Allowance,
        wait: &mut Wait<'_>,
    ) -> Result<Option<Answer>, Trip> {
        let mover = position.to_move();
        let known = self.known.filter(|known| *known <= moves.len());
        let known = known.ok_or_else(|| Trip::crash("it lost track of the game".to_string()))?;
        for (ply, word) in moves.iter().enumerate().skip(known) {
            // In games of stones the players take turns.
            let by = if (moves.len() - ply) % 2 == 1 { mover.other() } else { mover };
            self.command(&format!("play {} {word}", color(by)))?;
        }
        match (allowance.clock, allowance.budget.time) {
            (Some(clock), _) => {
                self.command(&format!("time_settings {} 0 0", clock.left.as_secs().max(1)))?;
                for (player, left) in [(mover, clock.left), (mover.other(), clock.opponent)] {
                    self.command(&format!("time_left {} {} 0", color(player), left.as_secs()))?;
                }
            }
            (None, Some(time)) if time.subsec_nanos() == 0 => {
                self.command(&format!("time_settings 0 {} 1", time.as_secs()))?;
            }
            // Our engine takes fractions of seconds.
            (None, Some(time)) => drop(self.command(&format!("time_settings 0 {} 1", time.as_secs_f64()))?),
            (None, None) => {
                let why = "the protocol gtp knows no simulations; give a time, as in --time 1s".to_string();
                return Err(Trip { cause: Cause::Error, why, fatal: false });
            }
        }
        self.send(&format!("genmove {}", color(mover)))?;
        loop {
            let Some(line) = wait.next_line(&mut self.process)? else { return Ok(None) };
            if let Some(refused) = line.trim().strip_prefix('?') {
                let why = format!("it says {}", said(refused.trim()));
                return Err(Trip { cause: Cause::Error, why, fatal: false });
            }
            let Some(answer) = line.trim().strip_prefix('=') else { continue };
            let word = answer.trim().to_string();
            if word.eq_ignore_ascii_case("resign") {
                return Err(Trip { cause: Cause::Resigned, why: "it resigns".to_string(), fatal: false });
            }
            self.known = Some(moves.len() + 1);
            return Ok(Some(Answer { word, nodes: 0 }));
        }
    }
}

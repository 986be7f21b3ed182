//! Comparison with positions, moves and results that another program has written down.

use std::collections::{BTreeMap, HashMap};
use std::io::BufRead;

use plyproof_core::Game;
use serde::Deserialize;

use crate::shared::{Replayed, hash_of_texts};

use super::net::{Net, bits};
use super::position::{Position, Shared};
use super::rules::{Rules, game};

/// A line of the file.
#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Line {
    Game(GameLine),
    Playout(PlayoutLine),
}

#[derive(Deserialize)]
struct GameLine {
    roles: Vec<String>,
    init: Vec<String>,
    #[serde(default)]
    perft: Vec<u64>,
}

#[derive(Deserialize)]
struct PlayoutLine {
    plies: Vec<Ply>,
    #[serde(rename = "final")]
    last: Vec<String>,
    goals: Vec<Option<i64>>,
    end: String,
}

#[derive(Deserialize)]
struct Ply {
    mover: Option<String>,
    legal: BTreeMap<String, Vec<String>>,
    played: Vec<String>,
    facts: usize,
    hash: String,
}

/// Compares rules with lines of JSON: `kind=game` with the roles, the facts at the start and perft counts over moves of
/// both roles, then `kind=playout` with games, each with legal moves and the next position.
///
/// Perft is compared up to `most_lines` lines of play. The error is the first difference in full.
pub fn replay(rules: &Rules, lines: impl BufRead, most_lines: u64) -> Result<Replayed, String> {
    // Facts that say nothing about moves and results are compared as well.
    let loaded = game(rules.text(), true).map_err(|fault| fault.message)?;
    let shared = loaded.shared;
    let compared = Compared {
        net: Net::new(&shared.code),
        facts: shared.info.facts.iter().map(|fact| kif(fact)).collect(),
        moves: shared.info.moves.each_ref().map(|moves| moves.iter().map(|m| kif(m)).collect()),
        numbers: shared.info.moves.each_ref().map(|moves| {
            moves.iter().enumerate().map(|(number, m)| (kif(m), number as u32)).collect::<HashMap<_, _>>()
        }),
        players: &loaded.players,
        start: &loaded.start,
        shared: &shared,
    };
    compared.lines(rules.position(), lines, most_lines)
}

/// `f(a,g(b))` as `(f a (g b))`.
fn kif(text: &str) -> String {
    let (mut kif, mut word) = (String::new(), String::new());
    for c in text.chars() {
        match c {
            '(' => {
                kif.push_str(&format!("({} ", std::mem::take(&mut word)));
            }
            ',' | ')' => {
                kif.push_str(&std::mem::take(&mut word));
                kif.push(if c == ',' { ' ' } else { ')' });
            }
            c => word.push(c),
        }
    }
    (kif + &word).replace("%2C", ",").replace("%25", "%")
}

struct Compared<'a> {
    shared: &'a Shared,
    players: &'a [String],
    start: &'a [u64],
    net: Net,
    facts: Vec<String>,
    moves: [Vec<String>; 2],
    numbers: [HashMap<String, u32>; 2],
}

/// What one list has and the other one has not.
fn difference(found: &[String], wanted: &[String]) -> String {
    let without =
        |a: &[String], b: &[String]| -> Vec<String> { a.iter().filter(|text| !b.contains(text)).cloned().collect() };
    format!("here alone: {:?}; expected too: {:?}", without(found, wanted), without(wanted, found))
}

impl Compared<'_> {
    fn lines(mut self, start: &Position, lines: impl BufRead, most_lines: u64) -> Result<Replayed, String> {
        let (mut done, mut known) = (Replayed::default(), false);
        for (number, line) in lines.lines().enumerate() {
            let at = |message: String| format!("line {}: {message}", number + 1);
            let line = line.map_err(|error| at(error.to_string()))?;
            if line.trim().is_empty() {
                continue;
            }
            match serde_json::from_str(&line).map_err(|error| at(error.to_string()))? {
                Line::Game(line) => {
                    self.same_game(&line).map_err(at)?;
                    known = true;
                    for (depth, &wanted) in line.perft.iter().enumerate().filter(|&(_, &n)| n <= most_lines) {
                        self.net.go_to(&self.shared.code, self.start);
                        let found = self.perft(depth as u32 + 1);
                        if found != wanted {
                            return Err(at(format!("perft {}: {found} lines of play, expected {wanted}", depth + 1)));
                        }
                        done.perft += 1;
                    }
                }
                Line::Playout(line) if known => self.playout(start, &line, &mut done).map_err(at)?,
                Line::Playout(_) => return Err(at("no line of kind game before this one".to_string())),
            }
        }
        if known { Ok(done) } else { Err("the file has no line of kind game".to_string()) }
    }

    fn same_game(&mut self, line: &GameLine) -> Result<(), String> {
        if line.roles != self.players {
            return Err(format!("the roles are {:?}, expected {:?}", self.players, line.roles));
        }
        self.net.go_to(&self.shared.code, self.start);
        let facts = self.true_facts();
        if facts != line.init {
            return Err(format!("facts at the start, {}", difference(&facts, &line.init)));
        }
        Ok(())
    }

    /// The facts of the net's position, sorted.
    fn true_facts(&self) -> Vec<String> {
        let mut facts: Vec<String> = bits(&self.net.state).map(|fact| self.facts[fact as usize].clone()).collect();
        facts.sort();
        facts
    }

    /// Lines of exactly `depth` joint moves from the net's position.
    fn perft(&mut self, depth: u32) -> u64 {
        if self.net.holds(self.shared.code.terminal) {
            return 0;
        }
        let code = &self.shared.code;
        let [first, second] = [0, 1].map(|role| self.net.legal(code, role).collect::<Vec<u32>>());
        if depth == 1 {
            return first.len() as u64 * second.len() as u64;
        }
        let state = self.net.state.clone();
        let mut count = 0;
        for &a in &first {
            for &b in &second {
                self.net.decide(code, [a, b]);
                self.net.advance(code);
                count += self.perft(depth - 1);
                self.net.go_to(code, &state);
            }
        }
        count
    }

    fn playout(&mut self, start: &Position, line: &PlayoutLine, done: &mut Replayed) -> Result<(), String> {
        let code = &self.shared.code;
        self.net.go_to(code, self.start);
        // The game as it is played here, which has no moves without a choice.
        let mut position = start.clone();
        for (number, ply) in line.plies.iter().enumerate() {
            let text = self.shared.info.position_text(&self.net.state);
            let at = |message: String| format!("ply {number}: {message}, at {text}");
            if self.net.holds(code.terminal) {
                return Err(at("the game is over, expected a move".to_string()));
            }
            let mut choices = 0;
            for (role, player) in self.players.iter().enumerate() {
                let mut legal: Vec<String> =
                    self.net.legal(code, role).map(|m| self.moves[role][m as usize].clone()).collect();
                legal.sort();
                let wanted = ply.legal.get(player).ok_or_else(|| at(format!("no legal moves of {player}")))?;
                if legal != *wanted {
                    return Err(at(format!("legal moves of {player}, {}", difference(&legal, wanted))));
                }
                choices += usize::from(legal.len() > 1);
            }
            let mut moves = [0; 2];
            for (role, m) in moves.iter_mut().enumerate() {
                let played = ply.played.get(role).ok_or_else(|| at("a role without a move".to_string()))?;
                *m = *self.numbers[role].get(played).ok_or_else(|| at(format!("{played} is no move")))?;
            }
            if choices == 1 {
                self.play(&mut position, ply, moves).map_err(at)?;
            }
            self.net.decide(code, moves);
            self.net.advance(code);
            let facts = self.true_facts();
            let hash = format!("{:016x}", hash_of_texts(&facts));
            if facts.len() != ply.facts || hash != ply.hash {
                let message = format!("{} facts with hash {hash} after {:?}", facts.len(), ply.played);
                return Err(at(format!("{message}, expected {} with {}; here: {facts:?}", ply.facts, ply.hash)));
            }
            done.positions += 1;
        }
        let facts = self.true_facts();
        if facts != line.last {
            return Err(format!("facts at the end, {}", difference(&facts, &line.last)));
        }
        if line.end == "terminal" {
            let goals = [0, 1].map(|role| self.net.goal(code, role));
            let found: Vec<Option<i64>> = goals.iter().map(|goal| goal.map(i64::from)).collect();
            if !self.net.holds(code.terminal) || found != line.goals {
                return Err(format!("the goals are {found:?} at the end, expected {:?} and the end", line.goals));
            }
            let outcome = self.shared.info.outcome(goals);
            if position.outcome() != Some(outcome) {
                let text = position.position_text();
                return Err(format!("the outcome is {:?} at {text}, expected {outcome}", position.outcome()));
            }
            done.games += 1;
        }
        Ok(())
    }

    /// Plays the move of the role that has a choice.
    fn play(&self, position: &mut Position, ply: &Ply, moves: [u32; 2]) -> Result<(), String> {
        let mover = position.to_move().index();
        if position.outcome().is_some() || self.net.counts(&self.shared.code)[mover] < 2 {
            let text = position.position_text();
            return Err(format!("{:?} has the choice, but here it is another position: {text}", ply.mover));
        }
        let mut legal = Vec::new();
        position.moves(&mut legal);
        let mut found: Vec<String> = legal.iter().map(|&m| kif(&position.move_text(m))).collect();
        found.sort();
        let wanted = &ply.legal[&self.players[mover]];
        if found != *wanted {
            return Err(format!("moves of the game, {}", difference(&found, wanted)));
        }
        let text = &self.shared.info.moves[mover][moves[mover] as usize];
        let m = position.parse_move(text).map_err(|error| error.to_string())?;
        position.play(m);
        Ok(())
    }
}

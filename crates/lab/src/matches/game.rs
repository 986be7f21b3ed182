//! One game of a match between two players, kept as a [`GameRecord`].

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use plyproof_core::mix64;
use plyproof_engine::{
    Agent, Aim, Allowance, AnyGame, AnySearcher, Budget, Cause, ChosenMove, Clock, Lost, MatchPlayer, Player, Rng,
    SolveTask, Stopped, Wdl,
};
use serde::{Deserialize, Serialize};

use crate::matches::Side;

/// Which game of a match to play.
#[derive(Clone, Copy, Debug)]
pub struct GameTask<'a> {
    /// The side whose result is counted.
    pub a: &'a Side,
    /// The other side.
    pub b: &'a Side,
    /// The seed of the match.
    pub seed: u64,
    /// The pair, counted from 0.
    pub pair: u32,
    /// 0 for the first game of the pair, in which A moves first; 1 for the second.
    pub game: u32,
    /// Random plies at the start.
    pub openings: u32,
    /// The opening to play instead.
    pub line: Option<&'a [String]>,
    /// Plies after which the game is cut and drawn.
    pub max_plies: u32,
    /// End the game as soon as our solver knows its value.
    pub adjudicate: bool,
}

/// A side by its letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SideName {
    /// The side whose result is counted.
    A,
    /// The other side.
    B,
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// By the rules of the game.
    GameOver,
    /// It reached the ply limit and is counted as drawn.
    PlyLimit,
    /// A side used up its time and loses.
    Time,
    /// A side is a program that ended or could not be understood, and loses.
    Crash,
    /// A side made a move that is not legal, and loses.
    IllegalMove,
    /// A side gave up and loses.
    Resigned,
    /// Our solver knew the value of the position.
    Adjudicated,
    /// A side failed to move and loses, or the game could not be played at all and counts as drawn.
    Error,
}

impl Reason {
    /// Every reason there is.
    pub const ALL: [Self; 8] = [
        Self::GameOver,
        Self::PlyLimit,
        Self::Time,
        Self::Crash,
        Self::IllegalMove,
        Self::Resigned,
        Self::Adjudicated,
        Self::Error,
    ];

    /// The reason as records write it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::GameOver => "game-over",
            Self::PlyLimit => "ply-limit",
            Self::Time => "time",
            Self::Crash => "crash",
            Self::IllegalMove => "illegal-move",
            Self::Resigned => "resigned",
            Self::Adjudicated => "adjudicated",
            Self::Error => "error",
        }
    }
}

impl From<Cause> for Reason {
    fn from(cause: Cause) -> Self {
        match cause {
            Cause::Error => Self::Error,
            Cause::Time => Self::Time,
            Cause::Crash => Self::Crash,
            Cause::IllegalMove => Self::IllegalMove,
            Cause::Resigned => Self::Resigned,
        }
    }
}

/// Positions that our solver opens at most to adjudicate a game, after every ply.
pub const ADJUDICATION: u64 = 10_000;
/// Bytes that it may use.
const ADJUDICATION_MEMORY: usize = 16 << 20;

/// When a side first knew how the game would end, as plies counted from 1, the opening included: the number of the move
/// it was choosing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proven {
    /// It had proven that it wins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub win: Option<u32>,
    /// It had proven that it cannot win: a draw at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_win: Option<u32>,
}

/// A finished game, as one line of a record holds it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The pair, counted from 0.
    pub pair: u32,
    /// 0 or 1: which game of the pair.
    pub game: u32,
    /// Who moved first.
    pub first: SideName,
    /// The random moves at the start, separated by spaces.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub opening: String,
    /// The moves after the opening, separated by spaces.
    pub moves: String,
    /// What A got.
    #[serde(with = "result_word")]
    pub result: Wdl,
    /// Why it ended.
    pub reason: Reason,
    /// What went wrong, if a side lost without a move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Moves of the game, the opening included.
    pub plies: u32,
    /// Simulations A made for each of its moves.
    pub sims_a: Vec<u64>,
    /// Simulations B made for each of its moves.
    pub sims_b: Vec<u64>,
    /// What A had proven, and when.
    pub proven_a: Proven,
    /// What B had proven, and when.
    pub proven_b: Proven,
    /// Milliseconds A thought in all. The times are the only part of a record that differs from run to run.
    pub ms_a: f64,
    /// Milliseconds B thought in all.
    pub ms_b: f64,
    /// What A says of itself, and what went wrong on the way; nothing for agents.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes_a: Vec<String>,
    /// What B says.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes_b: Vec<String>,
}

impl GameRecord {
    /// A hash of everything but the times: two records of a game with fixed simulations share it.
    pub fn digest(&self) -> u64 {
        let untimed = Self { ms_a: 0.0, ms_b: 0.0, ..self.clone() };
        let line = serde_json::to_string(&untimed).unwrap_or_default();
        let fnv = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        line.bytes().fold(0xcbf2_9ce4_8422_2325, fnv)
    }
}

/// `"win"`, `"draw"` or `"loss"` in the record.
mod result_word {
    use plyproof_core::Wdl;
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::Serializer;

    pub fn serialize<S: Serializer>(result: &Wdl, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(result.word())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Wdl, D::Error> {
        let text = String::deserialize(deserializer)?;
        let known = [Wdl::Loss, Wdl::Draw, Wdl::Win];
        known
            .into_iter()
            .find(|w| w.word() == text)
            .ok_or_else(|| Error::unknown_variant(&text, &["win", "draw", "loss"]))
    }
}

/// The players of both sides, which a worker keeps from one game to the next.
pub(crate) struct Seats {
    players: [Result<Box<dyn MatchPlayer>, String>; 2],
}

impl Seats {
    /// Players of both sides for this game.
    pub(crate) fn new(game: &dyn AnyGame, a: &Side, b: &Side) -> Self {
        Self { players: [a.source.player(game), b.source.player(game)] }
    }

    /// Plays a game from `start`; `None` if `stop` was raised before it was over.
    pub(crate) fn play(&mut self, start: &dyn AnyGame, task: &GameTask<'_>, stop: &AtomicBool) -> Option<GameRecord> {
        let mut begun: [Result<(), String>; 2] = [Ok(()), Ok(())];
        for (player, begun) in self.players.iter_mut().zip(&mut begun) {
            *begun = player.as_mut().map_err(|why| why.clone()).and_then(|player| player.new_game(start));
        }
        let players = RefCell::new(&mut self.players);
        let mut choose = |position: &dyn AnyGame, name: SideName, allowance: &Allowance, seed: u64| {
            let seat = usize::from(name == SideName::B);
            begun[seat].clone()?;
            let mut players = players.borrow_mut();
            let player = players[seat].as_mut().map_err(|why| why.clone())?;
            player.choose(position, allowance, seed, stop)
        };
        let mut played = |text: &str| {
            for player in players.borrow_mut().iter_mut().flatten() {
                player.played(text);
            }
        };
        let mut record = play_with(start, task, stop, &mut choose, &mut played)?;
        let [notes_a, notes_b] = self.players.each_mut().map(|player| match player {
            Ok(player) => player.notes(),
            Err(_) => Vec::new(),
        });
        (record.notes_a, record.notes_b) = (notes_a, notes_b);
        Some(record)
    }
}

/// How the next move is found: by a side, for a position, with an allowance and a seed.
type Choose<'a> = &'a mut dyn FnMut(&dyn AnyGame, SideName, &Allowance, u64) -> Result<ChosenMove, Lost>;

fn play_with(
    start: &dyn AnyGame,
    task: &GameTask<'_>,
    stop: &AtomicBool,
    choose: Choose<'_>,
    played: &mut dyn FnMut(&str),
) -> Option<GameRecord> {
    let first = if task.game == 0 { SideName::A } else { SideName::B };
    let mut record = RecordBuilder::new(task, first);
    let mut position = start.clone_box();
    let line = task.line.map(<[String]>::to_vec);
    match line.or_else(|| opening(start, task.seed, task.pair, task.openings)) {
        Some(moves) => {
            for text in moves {
                if let Err(error) = record.play(&mut *position, &text, Phase::Opening) {
                    return Some(record.end(Wdl::Draw, Reason::Error, Some(error)));
                }
                played(&text);
            }
        }
        None => return Some(record.end(Wdl::Draw, Reason::Error, Some(no_opening(task.openings)))),
    }
    let mut clocks = [task.a, task.b].map(|side| side.clock.map(|clock| (clock.base, clock.increment)));
    let a = if first == SideName::A { Player::FIRST } else { Player::SECOND };
    let mut judge = task.adjudicate.then(|| position.searcher());
    loop {
        if let Some(outcome) = position.outcome() {
            return Some(record.end(outcome.of(a), Reason::GameOver, None));
        }
        if record.record.plies >= task.max_plies {
            return Some(record.end(Wdl::Draw, Reason::PlyLimit, None));
        }
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        if let Some(value) = judge.as_mut().and_then(|judge| adjudicated(&mut **judge, &*position, stop)) {
            let result = if position.to_move() == a { value } else { value.flip() };
            return Some(record.end(result, Reason::Adjudicated, None));
        }
        let name =
            if (position.to_move() == Player::FIRST) == (first == SideName::A) { SideName::A } else { SideName::B };
        let lost = if name == SideName::A { Wdl::Loss } else { Wdl::Win };
        let (seat, side) = if name == SideName::A { (0, task.a) } else { (1, task.b) };
        let clock = clocks[seat].map(|(left, increment)| {
            let opponent = clocks[1 - seat].map_or(left, |(left, _)| left);
            Clock { left, opponent, increment, ..Clock::default() }
        });
        let allowance = Allowance { budget: side.budget.clone(), clock };
        let seed = search_seed(task, record.record.plies, name);
        let began = Instant::now();
        let found = choose(&*position, name, &allowance, seed);
        let took = began.elapsed();
        let chosen = found.and_then(|chosen| match chosen.text.clone() {
            Some(text) => Ok((text, chosen)),
            None if chosen.stopped == Some(Stopped::Cancelled) => Ok((String::new(), chosen)),
            None => Err(Lost::from(format!("{} gave no move", record.source(name)))),
        });
        match chosen {
            Ok((_, chosen)) if chosen.stopped == Some(Stopped::Cancelled) => return None,
            Ok((text, chosen)) => {
                record.note(name, &chosen, took.as_secs_f64() * 1e3);
                if let Some((left, increment)) = &mut clocks[seat] {
                    // A program by others may be late by what is lost on the way to it and back.
                    match (*left + side.source.margin()).checked_sub(took).map(|_| left.saturating_sub(took)) {
                        Some(rest) => *left = rest + *increment,
                        None => {
                            let why = format!("{} overstepped its time", record.source(name));
                            return Some(record.end(lost, Reason::Time, Some(why)));
                        }
                    }
                }
                if let Err(error) = record.play(&mut *position, &text, Phase::Game) {
                    let why = format!("{}: {error}", record.source(name));
                    return Some(record.end(lost, Reason::IllegalMove, Some(why)));
                }
                played(&text);
            }
            Err(fault) => return Some(record.end(lost, fault.cause.into(), Some(fault.why))),
        }
    }
}

/// The value of a position for the player to move, if our solver finds it at once.
fn adjudicated(judge: &mut dyn AnySearcher, position: &dyn AnyGame, stop: &AtomicBool) -> Option<Wdl> {
    let agent = Agent::parse("portfolio").ok()?;
    let (simulations, memory) = (Some(ADJUDICATION), Some(ADJUDICATION_MEMORY));
    let budget = Budget { simulations, memory, ..Budget::default() };
    let task = SolveTask { agent: &agent, aim: Aim::Value, all_moves: false, proofs: false, budget, seed: 0 };
    judge.solve(position, &task, stop, &mut |_| {}, &mut |_, _| Ok(())).ok()?.value
}

/// A record in the making.
struct RecordBuilder<'a> {
    task: &'a GameTask<'a>,
    record: GameRecord,
}

impl<'a> RecordBuilder<'a> {
    fn new(task: &'a GameTask<'a>, first: SideName) -> Self {
        let record = GameRecord {
            pair: task.pair,
            game: task.game,
            first,
            opening: String::new(),
            moves: String::new(),
            result: Wdl::Draw,
            reason: Reason::GameOver,
            error: None,
            plies: 0,
            sims_a: Vec::new(),
            sims_b: Vec::new(),
            proven_a: Proven::default(),
            proven_b: Proven::default(),
            ms_a: 0.0,
            ms_b: 0.0,
            notes_a: Vec::new(),
            notes_b: Vec::new(),
        };
        Self { task, record }
    }

    fn source(&self, name: SideName) -> String {
        let side = if name == SideName::A { self.task.a } else { self.task.b };
        side.source.to_string()
    }

    /// Plays a move and writes it down; the error says why it cannot be played.
    fn play(&mut self, position: &mut dyn AnyGame, text: &str, phase: Phase) -> Result<(), String> {
        position.play(text).map_err(|error| error.to_string())?;
        let words = match phase {
            Phase::Opening => &mut self.record.opening,
            Phase::Game => &mut self.record.moves,
        };
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(text);
        self.record.plies += 1;
        Ok(())
    }

    /// Keeps what is worth keeping of a search.
    fn note(&mut self, name: SideName, chosen: &ChosenMove, ms: f64) {
        let record = &mut self.record;
        let (sims, proven, total) = match name {
            SideName::A => (&mut record.sims_a, &mut record.proven_a, &mut record.ms_a),
            SideName::B => (&mut record.sims_b, &mut record.proven_b, &mut record.ms_b),
        };
        sims.push(chosen.simulations);
        *total += ms;
        let ply = record.plies + 1;
        if chosen.bounds.least == Wdl::Win {
            proven.win.get_or_insert(ply);
        } else if chosen.bounds.most < Wdl::Win {
            proven.no_win.get_or_insert(ply);
        }
    }

    fn end(mut self, result: Wdl, reason: Reason, error: Option<String>) -> GameRecord {
        let record = &mut self.record;
        (record.result, record.reason, record.error) = (result, reason, error);
        for ms in [&mut record.ms_a, &mut record.ms_b] {
            *ms = (*ms * 1e3).round() / 1e3;
        }
        self.record
    }
}

/// The two parts of a game in its record.
#[derive(Clone, Copy)]
enum Phase {
    Opening,
    Game,
}

/// Openings drawn before giving up.
const DRAWS: u32 = 10_000;

/// `plies` random moves for both games of a pair, drawn again while the game ends within them. `None` if it always does.
fn opening(start: &dyn AnyGame, seed: u64, pair: u32, plies: u32) -> Option<Vec<String>> {
    let mut rng = Rng::stream(mix64(seed ^ OPENING), pair.into());
    start.random_opening(&mut rng, plies, if plies == 0 { 1 } else { DRAWS })
}

/// What is said when no opening was found.
pub(crate) fn no_opening(plies: u32) -> String {
    format!("the game was over within {plies} random plies in each of {DRAWS} openings drawn")
}

/// Keeps the randomness of openings apart from that of searches.
const OPENING: u64 = 0x6f70_656e_696e_6773;

/// The seed of one search: different for every move of every game, the same whoever plays it and whenever.
fn search_seed(task: &GameTask<'_>, ply: u32, name: SideName) -> u64 {
    let place = u64::from(task.pair) << 1 | u64::from(task.game);
    let moment = u64::from(ply) << 1 | u64::from(name == SideName::B);
    mix64(mix64(mix64(task.seed) ^ place) ^ moment)
}

#[cfg(test)]
mod tests;

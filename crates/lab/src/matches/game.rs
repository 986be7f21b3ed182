//! One game of a match: played here for any game, told as a [`GameRecord`].

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use plyproof_core::search::{Report, Searcher, Stopped};
use plyproof_core::{Game, Player, Rng, Wdl, mix64};
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
    /// Plies after which the game is cut and drawn.
    pub max_plies: u32,
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
    /// A side failed to move and loses, or the game could not be played at all and counts as drawn.
    Error,
}

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
    /// What went wrong, if the reason is an error.
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

/// What a worker keeps from one game to the next: the two searchers with their memory, for whatever game it plays.
#[derive(Default)]
pub struct MatchSpace(Option<Box<dyn Any + Send>>);

impl MatchSpace {
    fn searchers<G: Game>(&mut self) -> &mut [Searcher<G>; 2] {
        if !self.0.as_ref().is_some_and(|space| space.is::<[Searcher<G>; 2]>()) {
            self.0 = Some(Box::new([Searcher::<G>::new(), Searcher::<G>::new()]));
        }
        let space = self.0.as_mut().and_then(|space| space.downcast_mut());
        space.unwrap_or_else(|| unreachable!("searchers for this game were just put there"))
    }
}

/// Plays a game from `start`; `None` if `stop` was raised before it was over.
pub(crate) fn play<G: Game>(
    start: &G,
    task: &GameTask<'_>,
    space: &mut MatchSpace,
    stop: &AtomicBool,
) -> Option<GameRecord> {
    let searchers = space.searchers::<G>();
    // What a worker played before must not matter.
    searchers.iter_mut().for_each(Searcher::forget);
    play_with(start, task, stop, &mut |position, name, seed| {
        let (side, searcher) = match name {
            SideName::A => (task.a, &mut searchers[0]),
            SideName::B => (task.b, &mut searchers[1]),
        };
        let search = || searcher.search(&side.agent, position, &side.budget, seed, stop, &mut |_| {});
        catch_unwind(AssertUnwindSafe(search)).map_err(|panic| {
            // What a failed search leaves behind is not to be trusted.
            *searcher = Searcher::new();
            let said = panic.downcast_ref::<String>().map(String::as_str);
            let said = said.or(panic.downcast_ref::<&str>().copied()).unwrap_or("no reason given");
            format!("{} failed: {said}", side.agent)
        })
    })
}

/// How the next move is found: a search of a position by a side with a seed.
type Choose<'a, G> = &'a mut dyn FnMut(&G, SideName, u64) -> Result<Report<<G as Game>::Move>, String>;

fn play_with<G: Game>(start: &G, task: &GameTask<'_>, stop: &AtomicBool, choose: Choose<'_, G>) -> Option<GameRecord> {
    let first = if task.game == 0 { SideName::A } else { SideName::B };
    let mut telling = Telling::new(task, first);
    let mut position = start.clone();
    match opening(start, task.seed, task.pair, task.openings) {
        Some(moves) => {
            for m in moves {
                push_word(&mut telling.record.opening, &position.move_text(m));
                position.play(m);
                telling.record.plies += 1;
            }
        }
        None => return Some(telling.end(Wdl::Draw, Reason::Error, Some(no_opening(task.openings)))),
    }
    loop {
        if let Some(outcome) = position.outcome() {
            let a = if first == SideName::A { Player::FIRST } else { Player::SECOND };
            return Some(telling.end(outcome.of(a), Reason::GameOver, None));
        }
        if telling.record.plies >= task.max_plies {
            return Some(telling.end(Wdl::Draw, Reason::PlyLimit, None));
        }
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let name =
            if (position.to_move() == Player::FIRST) == (first == SideName::A) { SideName::A } else { SideName::B };
        let seed = search_seed(task, telling.record.plies, name);
        let began = Instant::now();
        let found = choose(&position, name, seed);
        let ms = began.elapsed().as_secs_f64() * 1e3;
        let chosen = found.and_then(|report| match report.best {
            Some(m) => Ok((m, report)),
            None => Err(format!("{} gave no move", telling.agent(name))),
        });
        match chosen {
            Ok((_, report)) if report.stopped == Some(Stopped::Asked) => return None,
            Ok((m, report)) => {
                telling.note(name, &report, ms);
                push_word(&mut telling.record.moves, &position.move_text(m));
                position.play(m);
                telling.record.plies += 1;
            }
            Err(why) => {
                let result = if name == SideName::A { Wdl::Loss } else { Wdl::Win };
                return Some(telling.end(result, Reason::Error, Some(why)));
            }
        }
    }
}

/// A record in the making.
struct Telling<'a> {
    task: &'a GameTask<'a>,
    record: GameRecord,
}

impl<'a> Telling<'a> {
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
        };
        Self { task, record }
    }

    fn agent(&self, name: SideName) -> String {
        let side = if name == SideName::A { self.task.a } else { self.task.b };
        side.agent.to_string()
    }

    /// Keeps what is worth keeping of a search.
    fn note<M>(&mut self, name: SideName, report: &Report<M>, ms: f64) {
        let record = &mut self.record;
        let (sims, proven, total) = match name {
            SideName::A => (&mut record.sims_a, &mut record.proven_a, &mut record.ms_a),
            SideName::B => (&mut record.sims_b, &mut record.proven_b, &mut record.ms_b),
        };
        sims.push(report.simulations);
        *total += ms;
        let ply = record.plies + 1;
        if report.bounds.least == Wdl::Win {
            proven.win.get_or_insert(ply);
        } else if report.bounds.most < Wdl::Win {
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

fn push_word(text: &mut String, word: &str) {
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(word);
}

/// Openings drawn before giving up.
const DRAWS: u32 = 10_000;

/// `plies` random moves for both games of a pair, drawn again while the game ends within them. `None` if it always does.
pub(crate) fn opening<G: Game>(start: &G, seed: u64, pair: u32, plies: u32) -> Option<Vec<G::Move>> {
    let mut rng = Rng::stream(mix64(seed ^ OPENING), pair.into());
    let mut moves = Vec::with_capacity(plies as usize);
    'draws: for _ in 0..if plies == 0 { 1 } else { DRAWS } {
        let mut position = start.clone();
        moves.clear();
        for _ in 0..plies {
            if position.outcome().is_some() {
                continue 'draws;
            }
            let m = position.random_move(&mut rng);
            moves.push(m);
            position.play(m);
        }
        if plies == 0 || position.outcome().is_none() {
            return Some(moves);
        }
    }
    None
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

//! Engines of others that play on the page: those that the server was started with, by name. A page cannot start any other.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use plyproof_engine::{Allowance, AnyGame, Budget, MatchPlayer, SearchReport, Source};
use plyproof_tab::Opened;

/// The engines by name.
pub(crate) type Engines = BTreeMap<String, Source>;

/// An engine in a game: it keeps what it knows from one move to the next.
pub(crate) struct EngineSeat {
    name: String,
    /// The game, its start position, and whose seat it is.
    at: (String, String, usize),
    /// The moves that the engine was told.
    moves: Vec<String>,
    player: Box<dyn MatchPlayer>,
}

/// What an engine is asked for.
pub(crate) struct EngineTask {
    pub name: String,
    pub source: Source,
    pub opened: Opened,
    pub moves: Vec<String>,
    pub budget: Budget,
    /// The engines of this tab: the one that knows the game so far goes on.
    pub seats: Vec<EngineSeat>,
}

impl EngineTask {
    /// The move of the engine as a report, and the engine for the next move.
    pub(crate) fn run(self, stop: &AtomicBool) -> Result<(SearchReport, EngineSeat), String> {
        let Self { name, source, opened, moves, budget, mut seats } = self;
        let game = &*opened.game;
        let at = (game.name(), opened.start.position_text(), game.to_move().index());
        let knows = |seat: &EngineSeat| seat.name == name && seat.at == at && moves.starts_with(&seat.moves);
        let mut seat = match seats.iter().position(knows) {
            Some(place) => seats.swap_remove(place),
            None => {
                let mut player = source.player(game)?;
                player.new_game(&*opened.start).map_err(|why| format!("{name}: {why}"))?;
                EngineSeat { name: name.clone(), at, moves: Vec::new(), player }
            }
        };
        // Engines of seats that nobody needs any more end here.
        drop(seats);
        for text in &moves[seat.moves.len()..] {
            seat.player.played(text);
        }
        seat.moves = moves;
        let began = Instant::now();
        let chosen = seat.player.choose(game, &Allowance { budget, clock: None }, 1, stop);
        let chosen = chosen.map_err(|lost| format!("{name}: {lost}"))?;
        let seconds = began.elapsed().as_secs_f64();
        let report = SearchReport {
            line: chosen.text.iter().cloned().collect(),
            best: chosen.text,
            value: None,
            bounds: chosen.bounds,
            numbers: None,
            moves: Vec::new(),
            simulations: chosen.simulations,
            nodes: 0,
            bytes: 0,
            seconds,
            simulations_per_s: if seconds > 0.0 { chosen.simulations as f64 / seconds } else { 0.0 },
            stopped: Some(chosen.stopped.unwrap_or(plyproof_engine::Stopped::Time)),
            full_after: None,
        };
        Ok((report, seat))
    }
}

/// Whether a player by this name may sit at this game.
pub(crate) fn check(engines: &Engines, name: &str, game: &dyn AnyGame) -> Result<(), String> {
    match engines.get(name) {
        Some(source) => source.check(game).map_err(|why| format!("{name}: {why}")),
        None => {
            let agent = plyproof_engine::Agent::parse(name).map_err(|error| error.to_string())?;
            game.check_evaluation(&agent).map_err(|error| error.to_string())
        }
    }
}

//! A place in a game: opened from what the page sent, described in what it needs to draw it.

use plyproof_engine::{AnyGame, Outcome, Player, Registry, quoted};
use serde::Serialize;

use crate::deadline::Deadline;
use crate::protocol::Place;
use crate::rules::{Drawing, registry_with};

/// Legal moves of a position that are told at most.
const MOST_LEGAL: u64 = 20_000;

/// An opened place and how it was reached.
pub struct Opened {
    /// The position where the game began.
    pub start: Box<dyn AnyGame>,
    /// The position.
    pub game: Box<dyn AnyGame>,
    /// The last move, who made it, and the position before.
    last: Option<Last>,
    registry: Registry,
}

/// The answer to a question about a position.
#[derive(Clone, Debug, Serialize)]
pub struct Described {
    /// The game in its shortest spelling.
    game: String,
    position: String,
    /// The board as a terminal shows it: some positions are written as an earlier one and what was played since.
    board: String,
    /// Player to move, counted from 1; none once finished.
    to_move: Option<usize>,
    outcome: Option<Ended>,
    legal: Vec<String>,
    last: Option<Last>,
    /// What is needed to draw the game, if that was asked for and the game is read from a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    drawing: Option<Drawing>,
}

/// How a game ended.
#[derive(Clone, Debug, Serialize)]
pub struct Ended {
    text: String,
    /// The winner, counted from 1; none for a draw.
    winner: Option<usize>,
    /// Points by which it won, 0 where a game has none.
    margin: i16,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Last {
    #[serde(rename = "move")]
    text: String,
    mover: usize,
    /// Position and board before the move.
    before: String,
    board: String,
}

/// Opens a place; the error names what is wrong with it.
pub fn open_place(registry: &Registry, place: &Place, most_moves: usize) -> Result<Opened, String> {
    let registry = registry_with(registry, &place.game, place.rules.as_deref())?;
    let mut game = registry.open(&place.game).map_err(|error| error.to_string())?;
    if let Some(start) = &place.start {
        game = game.parse_position(start.trim()).map_err(|error| error.to_string())?;
    }
    if place.moves.len() > most_moves {
        let (has, most) = (place.moves.len(), most_moves);
        return Err(format!("a game of {has} moves is too long for this server; at most {most}"));
    }
    let start = game.clone_box();
    let deadline = Deadline::of_a_question();
    let mut last = None;
    let count = place.moves.len();
    for (index, text) in place.moves.iter().enumerate() {
        if deadline.is_over() {
            return Err(format!("move {}: the moves of this game take too long here", index + 1));
        }
        let mover = game.to_move();
        // Only the last move is drawn; the text of the position before it is not needed for others.
        let drawn = index + 1 == count;
        let (before, board) = if drawn { (game.position_text(), game.board()) } else { Default::default() };
        game.play(text).map_err(|error| format!("move {}: {error}", index + 1))?;
        last = Some(Last { text: text.clone(), mover: mover.index() + 1, before, board });
    }
    Ok(Opened { start, game, last, registry })
}

impl Opened {
    /// What the page needs to draw the position; with `draw` also what holds for all positions of a game from a text.
    pub fn describe(&self, draw: bool) -> Result<Described, String> {
        let drawing = || Drawing::of(&self.registry, &self.game.name());
        Ok(Described { drawing: draw.then(drawing).flatten(), ..describe(&*self.game, self.last.clone())? })
    }
}

/// A position with its legal moves.
pub(crate) fn describe(game: &dyn AnyGame, last: Option<Last>) -> Result<Described, String> {
    let outcome = game.outcome();
    // Rules by strangers may have any number of moves, and to count them is quicker than to write them.
    let moves = game.choices().moves;
    if moves > MOST_LEGAL {
        return Err(format!("this position has {moves} legal moves, more than the {MOST_LEGAL} that can be shown"));
    }
    Ok(Described {
        game: game.name(),
        position: game.position_text(),
        board: game.board(),
        to_move: outcome.is_none().then(|| game.to_move().index() + 1),
        outcome: outcome.map(ended),
        legal: game.legal_moves(),
        last,
        drawing: None,
    })
}

fn ended(outcome: Outcome) -> Ended {
    let winner = outcome.winner().map(|player: Player| player.index() + 1);
    Ended { text: outcome.to_string(), winner, margin: outcome.margin() }
}

/// `seconds` and `simulations` as a page gives them, checked.
pub fn checked_seconds(seconds: f64) -> Result<std::time::Duration, String> {
    let time = std::time::Duration::try_from_secs_f64(seconds);
    time.map_err(|_| format!("{} is not a time in seconds", quoted(&seconds.to_string())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(game: &str, start: Option<&str>, moves: &[&str]) -> Place {
        let moves = moves.iter().map(ToString::to_string).collect();
        Place { game: game.to_string(), rules: None, start: start.map(str::to_string), moves }
    }

    fn describe(place: &Place) -> Result<serde_json::Value, String> {
        let opened = open_place(&Registry::builtin(), place, 5000)?;
        serde_json::to_value(opened.describe(true)?).map_err(|error| error.to_string())
    }

    #[test]
    fn a_place_is_told_with_its_last_move_and_its_result() {
        let told = describe(&place("tictactoe", Some(".../.x./o.. x"), &["a3", "c3", "c1"])).expect("legal");
        assert_eq!((&told["to_move"], &told["outcome"]["winner"]), (&serde_json::Value::Null, &1.into()));
        let last = &told["last"];
        let expected = (&"c1".into(), &1.into(), &"x.o/.x./o.. x".into());
        assert_eq!((&last["move"], &last["mover"], &last["before"]), expected);
        assert_eq!(told["legal"], serde_json::json!([]));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        let error = |place: &Place| describe(place).expect_err("refused");
        assert!(error(&place("chess", None, &[])).contains("unknown game"));
        assert!(error(&place("tictactoe", Some("xxxx"), &[])).contains("xxxx"));
        assert!(error(&place("tictactoe", None, &["a1", "a1"])).starts_with("move 2: \"a1\" is not a legal move"));
        assert!(error(&place("loa", None, &["b1d3"; 6000])).contains("at most 5000"));
        assert!(checked_seconds(f64::NAN).is_err() && checked_seconds(-1.0).is_err() && checked_seconds(0.5).is_ok());
    }
}

//! `plyproof show`: a position drawn for people, or as JSON for programs.

use plyproof_engine::Registry;
use plyproof_engine::{AnyGame, Player};
use serde::Serialize;

use crate::input::Place;
use crate::output::{self, Done, Failure, counted};

/// Draw a position: the board, the player to move, the position text and the legal moves
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    plyproof show knightthrough\n  \
    plyproof show \"breakthrough(size=5x6)\" --moves \"b2b3 c5c4 b3c4\"\n  \
    plyproof show \"breakthrough(size=2x4)\" --position \"oo/ox/.x/xx o\" --json\n  \
    echo \"b1c3 b8c6\" | plyproof show knightthrough --moves -")]
pub struct Arguments {
    #[command(flatten)]
    place: Place,
    /// Notation of another program for moves and, if possible, the position; `plyproof games --json` lists notations
    #[arg(long, value_name = "N")]
    notation: Option<String>,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Shown {
    game: String,
    position: String,
    /// Player to move, counted from 1; null once finished.
    to_move: Option<usize>,
    /// The result in words; null while the game goes on.
    outcome: Option<String>,
    /// 1 if player 1 won, -1 if it lost, 0 for a draw; null while the game goes on.
    result: Option<i32>,
    key: String,
    legal_moves: Vec<String>,
    board: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    notation: Option<Foreign>,
}

/// The same in another program's notation.
#[derive(Serialize)]
struct Foreign {
    name: String,
    position: Option<String>,
    legal_moves: Vec<String>,
}

pub fn run(registry: &Registry, arguments: &Arguments) -> Done {
    let game = arguments.place.open(registry)?;
    let shown = describe(&*game, arguments.notation.as_deref())?;
    if arguments.json { output::print_json(&shown) } else { output::print(&picture(&shown)) }
}

fn describe(game: &dyn AnyGame, notation: Option<&str>) -> Result<Shown, Failure> {
    let outcome = game.outcome();
    let legal_moves = game.legal_moves();
    let notation = notation.map(|name| foreign(game, name, &legal_moves)).transpose()?;
    Ok(Shown {
        game: game.name(),
        position: game.position_text(),
        to_move: outcome.is_none().then(|| game.to_move().index() + 1),
        outcome: outcome.map(|outcome| outcome.to_string()),
        result: outcome.map(|outcome| outcome.of(Player::FIRST).value()),
        key: format!("{:016x}", game.key()),
        legal_moves,
        board: game.board(),
        notation,
    })
}

fn foreign(game: &dyn AnyGame, name: &str, moves: &[String]) -> Result<Foreign, Failure> {
    let known = game.notations();
    if !known.iter().any(|one| one == name) {
        let known = if known.is_empty() { "none but its own".to_string() } else { known.join(", ") };
        let game = &game.described().name;
        return Err(Failure::Misused(format!(
            "{game} has no notation {}; it has {known}",
            plyproof_engine::quoted(name)
        )));
    }
    let moves = moves.iter().map(|text| game.move_in(name, text)).collect::<Result<_, _>>();
    let legal_moves = moves.map_err(Failure::failed)?;
    Ok(Foreign { name: name.to_string(), position: game.position_in(name), legal_moves })
}

fn picture(shown: &Shown) -> String {
    let mut text = format!("{}\n\n{}\n\n", shown.game, shown.board);
    text += &match (&shown.outcome, shown.to_move) {
        (Some(outcome), _) => format!("finished: {outcome}\n"),
        (None, Some(player)) => format!("player {player} to move\n"),
        (None, None) => String::new(),
    };
    text += &format!("position: {}\n", shown.position);
    let mut moves = &shown.legal_moves;
    if let Some(foreign) = &shown.notation {
        moves = &foreign.legal_moves;
        if let Some(position) = foreign.position.as_ref().filter(|position| **position != shown.position) {
            text += &format!("{}: {position}\n", foreign.name);
        }
    }
    if shown.outcome.is_none() {
        let count = counted(moves.len() as u64, "legal move", "legal moves");
        text += &format!("{count}:\n{}", in_lines(moves));
    }
    text
}

/// Words in lines of at most 80 characters, indented.
fn in_lines(words: &[String]) -> String {
    const WIDTH: usize = 80;
    let (mut text, mut length) = (String::new(), 0);
    for word in words {
        if length > 0 && length + 1 + word.len() > WIDTH {
            text.push('\n');
            length = 0;
        }
        text += if length == 0 { "  " } else { " " };
        text += word;
        length += if length == 0 { 2 } else { 1 } + word.len();
    }
    if length > 0 {
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_broken_into_lines_that_fit() {
        let words: Vec<String> = (0..100).map(|i| format!("a{i}")).collect();
        let text = in_lines(&words);
        assert!(text.lines().count() > 3 && text.lines().all(|line| line.len() <= 80 && line.starts_with("  a")));
        assert!(text.split_whitespace().eq(words.iter()));
        assert_eq!(in_lines(&[]), "");
    }
}

//! `position startpos moves …`: a start position and moves on one line, as a USI engine is told of a game.

use plyproof_engine::{Registry, TextError, quoted};

use super::{NAME, is_minishogi};
use crate::game::{RecordedGame, unwritable};
use crate::tree::MoveTree;

/// The game as one `position` line with a line break; comments, variations, headers and the result are left out.
pub fn usi_text(game: &RecordedGame) -> Result<String, TextError> {
    is_minishogi(game.game(), "USI")?;
    let mut position = game.start().clone_box();
    let mut text = match game.has_own_start() {
        false => "position startpos".to_string(),
        true => {
            let sfen = position.position_in("usi").unwrap_or_else(|| position.position_text());
            format!("position sfen {sfen}")
        }
    };
    // The position of a game with rules about repetition comes with its moves.
    let mut told = text.contains(" moves ");
    for own in game.moves() {
        text += if std::mem::replace(&mut told, true) { " " } else { " moves " };
        text += &position.move_in("usi", own).map_err(|error| unwritable("USI", error))?;
        position.play(own)?;
    }
    text.push('\n');
    Ok(text)
}

/// Reads a line `position startpos moves …` or `position sfen SFEN moves …`; the word `position` may be missing. The error
/// comes with the character at which it is, counted from 1.
pub fn read_usi(registry: &Registry, line: &str) -> Result<RecordedGame, (u64, TextError)> {
    let mut words = words(line).peekable();
    let end = line.chars().count() as u64 + 1;
    words.next_if(|(_, word)| *word == "position");
    let game = registry.open(NAME).map_err(|error| (1, error))?;
    let mut game = match words.next() {
        Some((_, "startpos")) => RecordedGame::new(game),
        Some((at, "sfen")) => {
            let mut sfen = Vec::new();
            while let Some((_, word)) = words.next_if(|(_, word)| *word != "moves") {
                sfen.push(word);
            }
            let start = game.parse_position(&sfen.join(" ")).map_err(|error| (at, error))?;
            RecordedGame::from_position(game, start)
        }
        other => {
            let (at, word) = other.unwrap_or((end, ""));
            return Err((at, TextError::new(format!("{} where startpos or sfen is expected", quoted(word)))));
        }
    };
    match words.next() {
        None | Some((_, "moves")) => {}
        Some((at, word)) => return Err((at, TextError::new(format!("{} where moves is expected", quoted(word))))),
    }
    let mut position = game.start().clone_box();
    let mut node = MoveTree::ROOT;
    for (at, word) in words {
        let own = position.own_move(word).map_err(|error| (at, error))?;
        position.play(&own).map_err(|error| (at, error))?;
        node = game.tree.add(node, &own).map_err(|error| (at, error))?;
    }
    game.result = position.outcome();
    Ok(game)
}

/// The words of a line with the places of their first characters, counted from 1.
fn words(line: &str) -> impl Iterator<Item = (u64, &str)> {
    let mut column = 1;
    line.split(char::is_whitespace).filter_map(move |word| {
        let at = column;
        column += word.chars().count() as u64 + 1;
        (!word.is_empty()).then_some((at, word))
    })
}

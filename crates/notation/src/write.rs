//! Writes games as game files, in one spelling: what is read and written again is the same text.

use crate::game::RecordedGame;
use crate::lexer::ends_word;
use crate::result::{like_result, result_text};
use crate::tree::{MoveTree, NodeId};

/// Columns of the moves at most, except for what is longer in one piece.
const WIDTH: usize = 80;

/// The game as text: headers, an empty line, the moves, and an empty line.
pub fn game_text(game: &RecordedGame) -> String {
    let result = result_text(game.result, game.players());
    let mut text = String::new();
    header(&mut text, "Game", &game.game().name());
    if let Some(digest) = game.game().rules().text_digest() {
        header(&mut text, "Rules", digest);
    }
    for (name, value) in game.headers.iter() {
        header(&mut text, name, value);
    }
    if game.has_own_start() {
        header(&mut text, "Position", &game.start().position_text());
    }
    header(&mut text, "Result", &result);
    text.push('\n');
    let mut moves = Words { text, column: 0, glued: false };
    let comment = game.tree.notes(MoveTree::ROOT).comment();
    if !comment.is_empty() {
        moves.comment(comment);
    }
    line(&mut moves, game, MoveTree::ROOT, true);
    moves.word(&result);
    moves.text.push_str("\n\n");
    moves.text
}

fn header(text: &mut String, name: &str, value: &str) {
    text.push_str(&format!("[{name} {}]\n", in_quotes(value)));
}

fn in_quotes(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        if matches!(c, '"' | '\\') {
            quoted.push('\\');
        }
        quoted.push(c);
    }
    quoted.push('"');
    quoted
}

/// Writes the line from `node` on with its variations. A number stands before every move of the first player's turn in
/// pairs of plies, and before a move that something interrupts.
fn line(words: &mut Words, game: &RecordedGame, node: NodeId, mut interrupted: bool) {
    let tree = &game.tree;
    let mut at = node;
    while let Some((&next, variations)) = tree.children(at).split_first() {
        interrupted = one(words, game, next, interrupted);
        for &variation in variations {
            words.open();
            let said = one(words, game, variation, true);
            line(words, game, variation, said);
            words.close();
            interrupted = true;
        }
        at = next;
    }
}

/// Writes one move with what is said about it; whether the next one needs a number.
fn one(words: &mut Words, game: &RecordedGame, node: NodeId, numbered: bool) -> bool {
    let (ply, notes) = (game.tree.ply(node), game.tree.notes(node));
    let mark = notes.mark.map_or("", |mark| mark.text());
    let text = move_word(game.tree.text(node)) + mark;
    words.word(&if numbered || ply % 2 == 1 { format!("{ply}. {text}") } else { text });
    if let Some(value) = notes.value() {
        words.word(&format!("[value {value}]"));
    }
    if let Some(proven) = notes.proven {
        words.word(&format!("[proven {proven}]"));
    }
    if let Some(simulations) = notes.simulations {
        words.word(&format!("[sims {simulations}]"));
    }
    if let Some(seconds) = notes.seconds() {
        words.word(&format!("[seconds {seconds}]"));
    }
    if !notes.comment().is_empty() {
        words.comment(notes.comment());
        return true;
    }
    false
}

/// A move as a word, in quotation marks if it could be taken for something else.
fn move_word(text: &str) -> String {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let like_number = digits > 0 && text[digits..].starts_with('.');
    if text.is_empty() || text.contains(ends_word) || like_number || like_result(text) {
        in_quotes(text)
    } else {
        text.to_string()
    }
}

/// Words in lines.
struct Words {
    text: String,
    column: usize,
    /// Whether the next word stands directly behind the last one.
    glued: bool,
}

impl Words {
    fn word(&mut self, word: &str) {
        let width = word.chars().count();
        if self.glued {
            self.glued = false;
        } else if self.column > 0 {
            if self.column + 1 + width > WIDTH {
                self.text.push('\n');
                self.column = 0;
            } else {
                self.text.push(' ');
                self.column += 1;
            }
        }
        self.text.push_str(word);
        self.column += width;
    }

    fn open(&mut self) {
        self.word("(");
        self.glued = true;
    }

    fn close(&mut self) {
        self.text.push(')');
        self.column += 1;
    }

    /// A comment keeps its own line breaks.
    fn comment(&mut self, comment: &str) {
        let mut escaped = String::with_capacity(comment.len() + 2);
        escaped.push('{');
        for c in comment.chars() {
            if matches!(c, '}' | '\\') {
                escaped.push('\\');
            }
            escaped.push(c);
        }
        escaped.push('}');
        let first = escaped.lines().next().unwrap_or_default().to_string();
        self.word(&first);
        for rest in escaped.split('\n').skip(1) {
            self.text.push('\n');
            self.text.push_str(rest);
            self.column = rest.chars().count();
        }
    }
}

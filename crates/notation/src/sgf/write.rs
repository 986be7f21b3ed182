//! Writes SGF.

use plyproof_engine::{Player, TextError, Wdl};

use super::{Board, HEADERS, MARKS, REASONS};
use crate::game::{RecordedGame, unwritable};
use crate::tree::{MoveTree, NodeId};

/// The game as SGF; an error for games other than Gomoku and Hex.
pub fn sgf_text(game: &RecordedGame) -> Result<String, TextError> {
    let name = &game.game().described().name;
    let board = Board::of(game.game()).ok_or_else(|| unwritable("SGF", format!("{name} is not Gomoku or Hex")))?;
    let mut text = format!("(;FF[4]GM[{}]CA[UTF-8]AP[plyproof:{}]", board.number(), env!("CARGO_PKG_VERSION"));
    text += &format!("SZ[{}]RU[{}]\n", board.size, escaped(&game.game().name()));
    let result = match game.result.map(|outcome| outcome.of(Player::FIRST)) {
        None => "?".to_string(),
        Some(Wdl::Draw) => "0".to_string(),
        Some(result) => {
            let reason = game.headers.value("Reason").unwrap_or_default();
            let letter = REASONS.iter().find(|(_, name)| *name == reason).map_or("", |(letter, _)| letter);
            format!("{}+{letter}", if result == Wdl::Win { "B" } else { "W" })
        }
    };
    text += &format!("RE[{result}]\n");
    let mut private = Vec::new();
    for (name, value) in game.headers.iter() {
        match HEADERS.iter().find(|(_, header)| *header == name) {
            Some((property, _)) => text += &format!("{property}[{}]\n", escaped(value)),
            None => private.push(format!("[{name}:{}]", escaped(value))),
        }
    }
    if !private.is_empty() {
        text += &format!("PLH{}\n", private.join("\n"));
    }
    if game.has_own_start() {
        let (stones, mover) =
            board.stones(game.start()).ok_or_else(|| unwritable("SGF", "its start position has no stones"))?;
        for (property, player) in [("AB", Player::FIRST), ("AW", Player::SECOND)] {
            let points = stones.iter().enumerate().flat_map(|(row, stones)| {
                let own = stones.iter().enumerate().filter(|(_, stone)| **stone == Some(player));
                own.map(move |(file, _)| format!("[{}]", board.sgf_text((file, row))))
            });
            let points: String = points.collect();
            if !points.is_empty() {
                text += &format!("{property}{points}\n");
            }
        }
        text += &format!("PL[{}]\n", if mover == Player::FIRST { "B" } else { "W" });
    }
    comment(&mut text, game, MoveTree::ROOT);
    nodes(&mut text, game, board)?;
    text.push_str(")\n");
    Ok(text)
}

/// What is still to be written.
enum Step {
    Node(NodeId, Player),
    Close,
}

fn nodes(text: &mut String, game: &RecordedGame, board: Board) -> Result<(), TextError> {
    let tree = &game.tree;
    let mut steps = Vec::new();
    let after = |node: NodeId, mover: Player, steps: &mut Vec<Step>| {
        for &child in tree.children(node).iter().rev() {
            if tree.children(node).len() > 1 {
                steps.push(Step::Close);
            }
            steps.push(Step::Node(child, mover));
        }
    };
    after(MoveTree::ROOT, game.start().to_move(), &mut steps);
    let mut column = 0;
    while let Some(step) = steps.pop() {
        let Step::Node(node, mover) = step else {
            text.push(')');
            continue;
        };
        if matches!(steps.last(), Some(Step::Close))
            && tree.parent(node).is_some_and(|above| tree.children(above).len() > 1)
        {
            text.push_str("\n(");
            column = 0;
        } else if column >= 10 {
            text.push('\n');
            column = 0;
        }
        column += 1;
        let own = tree.text(node);
        let point = board.point(own).ok_or_else(|| unwritable("SGF", format!("its move {own} is not a point")))?;
        let colour = if mover == Player::FIRST { "B" } else { "W" };
        text.push_str(&format!(";{colour}[{}]", board.sgf_text(point)));
        notes(text, game, node);
        after(node, mover.other(), &mut steps);
    }
    Ok(())
}

fn notes(text: &mut String, game: &RecordedGame, node: NodeId) {
    let notes = game.tree.notes(node);
    if let Some((_, property, value)) = MARKS.iter().find(|(mark, _, _)| Some(*mark) == notes.mark) {
        text.push_str(&format!("{property}[{value}]"));
    }
    if let Some(value) = notes.value() {
        text.push_str(&format!("PLV[{value}]"));
    }
    if let Some(proven) = notes.proven {
        text.push_str(&format!("PLP[{proven}]"));
    }
    if let Some(simulations) = notes.simulations {
        text.push_str(&format!("PLN[{simulations}]"));
    }
    if let Some(seconds) = notes.seconds() {
        text.push_str(&format!("PLS[{seconds}]"));
    }
    comment(text, game, node);
}

fn comment(text: &mut String, game: &RecordedGame, node: NodeId) {
    let comment = game.tree.notes(node).comment();
    if !comment.is_empty() {
        text.push_str(&format!("C[{}]", escaped(comment)));
    }
}

/// Text with `\` before what has a meaning in SGF.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, ']' | '\\') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

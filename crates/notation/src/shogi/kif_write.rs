//! Writes KIF.

use plyproof_engine::{AnyGame, Player, TextError, Wdl};

use super::kif_read::HEADERS;
use super::{ENDS, End, FILES, PIECES, RANKS, is_minishogi};
use crate::game::{RecordedGame, unwritable};
use crate::tree::{MoveTree, NodeId};

/// The game as KIF, in UTF-8; an error if it does not begin at the start position. Marks, values and numbers of
/// simulations become comments, because KIF has nothing else for them.
pub fn kif_text(game: &RecordedGame) -> Result<String, TextError> {
    is_minishogi(game.game(), "KIF")?;
    if game.has_own_start() {
        return Err(unwritable("KIF", "it begins at a position of its own; USI and our own format can hold it"));
    }
    let mut text = String::from("手合割：5五将棋\n");
    if game.game().name() != super::NAME {
        text += &format!("Game：{}\n", game.game().name());
    }
    let (word, says_why) = end(game)?;
    for (name, value) in game.headers.iter().filter(|(name, _)| !says_why || *name != "Reason") {
        let foreign = HEADERS.iter().find(|(_, own)| *own == name).map_or(name, |(foreign, _)| foreign);
        let value = if name == "Date" { value.replace('-', "/") } else { value.to_string() };
        text += &format!("{foreign}：{value}\n");
    }
    text += "手数----指手---------消費時間--\n";
    said(&mut text, game, MoveTree::ROOT);
    let start = (game.start().clone_box(), Pieces::of(game.start()));
    line(&mut text, game, MoveTree::ROOT, Vec::new(), start, Some(word))?;
    Ok(text)
}

/// Writes the line from `node` on, and its variations from the last to the first. `first` is a move to begin with instead
/// of the first child, and `end` the word for the end of the game itself.
fn line(
    text: &mut String,
    game: &RecordedGame,
    node: NodeId,
    first: Vec<NodeId>,
    start: (Box<dyn AnyGame>, Pieces),
    end: Option<&str>,
) -> Result<(), TextError> {
    let tree = &game.tree;
    let mut positions = vec![start];
    let mut nodes = first;
    let last = nodes.last().copied().unwrap_or(node);
    nodes.extend(tree.line_from(last));
    let mut total = [0.0; 2];
    for &at in &nodes {
        let (position, pieces) = &positions[positions.len() - 1];
        let ply = tree.ply(at);
        let (words, after) = kif_move(&**position, pieces, tree.text(at)).ok_or_else(|| {
            unwritable("KIF", format!("its move {} at ply {ply} is not one of MiniShogi", tree.text(at)))
        })?;
        text.push_str(&format!("{ply:>4} {words}"));
        if let Some(seconds) = tree.notes(at).seconds() {
            let sum = &mut total[ply as usize % 2];
            *sum += seconds.round();
            let (own, all) = (seconds.round() as u64, *sum as u64);
            let (hours, rest) = (all / 3600, all % 3600);
            text.push_str(&format!(
                "   ({:>2}:{:02}/{hours:02}:{:02}:{:02})",
                own / 60,
                own % 60,
                rest / 60,
                rest % 60
            ));
        }
        text.push('\n');
        said(text, game, at);
        let mut next = position.clone();
        next.play(tree.text(at))?;
        positions.push((next, after));
    }
    if let Some(word) = end {
        text.push_str(&format!("{:>4} {word}\n", nodes.len() + 1));
    }
    for (place, &at) in nodes.iter().enumerate().rev() {
        let above = tree.parent(at).unwrap_or(MoveTree::ROOT);
        // The variations of the first move belong to the line that this one is a variation of.
        if tree.children(above).first() != Some(&at) {
            continue;
        }
        for &variation in &tree.children(above)[1..] {
            text.push_str(&format!("\n変化：{}手\n", tree.ply(variation)));
            line(text, game, variation, vec![variation], positions[place].clone(), None)?;
        }
    }
    Ok(())
}

/// What is said about a move, as comments.
fn said(text: &mut String, game: &RecordedGame, node: NodeId) {
    let notes = game.tree.notes(node);
    let mut words = Vec::new();
    words.extend(notes.mark.map(|mark| mark.text().to_string()));
    words.extend(notes.value().map(|value| format!("value {value}")));
    words.extend(notes.proven.map(|proven| format!("proven {proven}")));
    words.extend(notes.simulations.map(|simulations| format!("sims {simulations}")));
    if !words.is_empty() {
        text.push_str(&format!("*{}\n", words.join(", ")));
    }
    // A blank line could not be told from the end of the comment.
    for line in notes.comment().lines().filter(|line| !line.trim().is_empty()) {
        text.push_str(&format!("*{line}\n"));
    }
}

/// The word for the end of the game, and whether it says why the game ended as the header Reason does.
fn end(game: &RecordedGame) -> Result<(&'static str, bool), TextError> {
    let last = game.tree.last();
    let mover = if game.tree.ply(last).is_multiple_of(2) { Player::FIRST } else { Player::SECOND };
    let wanted = match game.result.map(|outcome| outcome.of(mover)) {
        None => End::Unknown,
        Some(Wdl::Win) => End::Wins,
        Some(Wdl::Loss) => End::Loses,
        Some(Wdl::Draw) => End::Draw,
    };
    let by_rules = game.position(last)?.outcome().is_some();
    let reason = if by_rules { "" } else { game.headers.value("Reason").unwrap_or_default() };
    let fitting = || ENDS.iter().filter(|(_, end, _)| *end == wanted);
    let exact = fitting().find(|(_, _, known)| *known == reason);
    let word = exact.or(fitting().next()).map_or("中断", |(word, _, _)| word);
    Ok((word, exact.is_some() && !reason.is_empty()))
}

/// A move as KIF writes it, and the pieces after it; none if it is no move of MiniShogi.
fn kif_move(position: &dyn AnyGame, pieces: &Pieces, own: &str) -> Option<(String, Pieces)> {
    let usi = position.move_in("usi", own).ok()?;
    let mut after = pieces.clone();
    let piece_name = |piece: &str| PIECES.iter().find(|(known, _)| *known == piece).map(|(_, names)| names[0]);
    let written = |(file, rank): (usize, usize)| format!("{}{}", FILES[file], RANKS[rank]);
    if let Some((piece, to)) = usi.split_once('*') {
        let to = square(to)?;
        let name = piece_name(piece)?;
        after.put(to, Some(piece.to_string()));
        return Some((format!("{}{name}打", written(to)), after));
    }
    let (from, to) = (square(usi.get(..2)?)?, square(usi.get(2..4)?)?);
    let piece = pieces.at(from)?;
    let promotes = usi.len() > 4;
    after.put(from, None);
    after.put(to, Some(if promotes { format!("+{piece}") } else { piece.to_string() }));
    let (name, sign) = (piece_name(piece)?, if promotes { "成" } else { "" });
    Some((format!("{}{name}{sign}({}{})", written(to), from.0 + 1, from.1 + 1), after))
}

/// File from the right and rank from the top of a square of USI, counted from 0.
fn square(text: &str) -> Option<(usize, usize)> {
    let mut letters = text.chars();
    let file = (letters.next()?.to_digit(10)? as usize).checked_sub(1)?;
    let rank = (letters.next()? as usize).checked_sub('a' as usize)?;
    (file < 5 && rank < 5).then_some((file, rank))
}

/// The pieces on the board, in the capital letters of SFEN: a position tells its moves and not always its board.
#[derive(Clone)]
struct Pieces([Option<String>; 25]);

impl Pieces {
    /// The pieces of a position without a history.
    fn of(position: &dyn AnyGame) -> Self {
        let mut pieces = Self(Default::default());
        let text = position.position_text();
        for (rank, row) in text.split_whitespace().next().unwrap_or_default().split('/').take(5).enumerate() {
            let (mut left, mut sign) = (5_usize, "");
            for c in row.chars() {
                match c.to_digit(10) {
                    Some(empty) => left = left.saturating_sub(empty as usize),
                    None if c == '+' => sign = "+",
                    None => {
                        left = left.saturating_sub(1);
                        pieces.put((left, rank), Some(format!("{sign}{}", c.to_ascii_uppercase())));
                        sign = "";
                    }
                }
            }
        }
        pieces
    }

    fn at(&self, (file, rank): (usize, usize)) -> Option<&str> {
        self.0[rank * 5 + file].as_deref()
    }

    fn put(&mut self, (file, rank): (usize, usize), piece: Option<String>) {
        self.0[rank * 5 + file] = piece;
    }
}

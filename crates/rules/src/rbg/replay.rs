//! Comparison with positions, moves and results that another program has written down.

use std::io::BufRead;

use serde::Deserialize;

use plyproof_core::Game;
use plyproof_core::perft::perft;

use crate::shared::{Replayed, hash_of_texts};

use super::position::Position;
use super::rules::{PositionVisitor, Rules};
use super::sets::Set;
use super::store::Store;

/// A line of the file.
#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Line {
    Game(GameLine),
    Playout(PlayoutLine),
}

#[derive(Deserialize)]
struct GameLine {
    cells: Vec<String>,
    pieces: Vec<String>,
    vars: Vec<String>,
    players: usize,
    modifiers: Vec<String>,
    init: State,
    #[serde(default)]
    perft: Vec<u64>,
}

#[derive(Deserialize)]
struct State {
    board: String,
    vars: Vec<i64>,
    cell: String,
}

#[derive(Deserialize)]
struct PlayoutLine {
    plies: Vec<Ply>,
    scores: Vec<i64>,
    end: String,
}

#[derive(Deserialize)]
struct Ply {
    player: usize,
    n: usize,
    legal: Option<Vec<String>>,
    legal_hash: Option<String>,
    played: String,
    #[serde(flatten)]
    after: State,
}

/// Compares rules with lines of JSON: `kind=game` with the board, the first position and perft counts, then
/// `kind=playout` with games, each with legal moves and the position after every move.
///
/// Perft is compared up to `most_lines` lines of play. The error is the first difference in full.
pub fn replay(rules: &Rules, lines: impl BufRead, most_lines: u64) -> Result<Replayed, String> {
    rules.visit(Replay { rules, lines, most_lines })
}

struct Replay<'a, R> {
    rules: &'a Rules,
    lines: R,
    most_lines: u64,
}

impl<R: BufRead> PositionVisitor for Replay<'_, R> {
    type Output = Result<Replayed, String>;

    fn visit<S: Set, B: Store<S>>(self, start: &Position<S, B>) -> Self::Output {
        let mut done = Replayed::default();
        let mut game = None;
        for (number, line) in self.lines.lines().enumerate() {
            let at = |message: String| format!("line {}: {message}", number + 1);
            let line = line.map_err(|error| at(error.to_string()))?;
            if line.trim().is_empty() {
                continue;
            }
            match serde_json::from_str(&line).map_err(|error| at(error.to_string()))? {
                Line::Game(line) => {
                    let compared = Compared::new(self.rules, &line).map_err(at)?;
                    compared.same(start, &line.init).map_err(|message| at(format!("at the start: {message}")))?;
                    for (depth, &wanted) in line.perft.iter().enumerate().filter(|&(_, &n)| n <= self.most_lines) {
                        let found = perft(start, depth as u32 + 1).nodes;
                        if found != wanted {
                            return Err(at(format!("perft {}: {found} lines of play, expected {wanted}", depth + 1)));
                        }
                        done.perft += 1;
                    }
                    game = Some(compared);
                }
                Line::Playout(line) => {
                    let compared = game.as_ref().ok_or_else(|| at("no line of kind game before this one".into()))?;
                    compared.playout(start, &line, &mut done).map_err(at)?;
                }
            }
        }
        if game.is_none() {
            return Err("the file has no line of kind game".to_string());
        }
        Ok(done)
    }
}

/// How the file numbers what the rules number differently.
struct Compared<'a> {
    rules: &'a Rules,
    /// Pieces of the file by their places in the rules.
    pieces: Vec<usize>,
    variables: Vec<usize>,
}

fn places(wanted: &[String], known: Vec<&str>, what: &str) -> Result<Vec<usize>, String> {
    let place = |name: &String| known.iter().position(|known| known == name);
    let missing = |name: &String| format!("the rules have no {what} {name:?}");
    let found: Vec<usize> =
        wanted.iter().map(|name| place(name).ok_or_else(|| missing(name))).collect::<Result<_, _>>()?;
    if found.len() != known.len() {
        return Err(format!("{} times {what} in the file, {} times in the rules", found.len(), known.len()));
    }
    Ok(found)
}

impl<'a> Compared<'a> {
    fn new(rules: &'a Rules, line: &GameLine) -> Result<Self, String> {
        let cells: Vec<&str> = rules.board().cells.iter().map(|cell| cell.name.as_str()).collect();
        if cells != line.cells {
            return Err(format!("the cells are {cells:?}, expected {:?}", line.cells));
        }
        if rules.players().len() != line.players {
            return Err(format!("{} players, expected {}", rules.players().len(), line.players));
        }
        if rules.modifiers() != line.modifiers {
            let place = rules.modifiers().iter().zip(&line.modifiers).position(|(a, b)| a != b);
            let place = place.unwrap_or_else(|| rules.modifiers().len().min(line.modifiers.len()));
            let (found, wanted) = (rules.modifiers().get(place), line.modifiers.get(place));
            return Err(format!("modifier {} is {found:?}, expected {wanted:?}", place + 1));
        }
        let names = rules.pieces().iter().map(|piece| piece.0.as_str()).collect();
        let variables = rules.variables().iter().map(|variable| variable.0.as_str()).collect();
        Ok(Self {
            rules,
            pieces: places(&line.pieces, names, "piece")?,
            variables: places(&line.vars, variables, "variable")?,
        })
    }

    fn same<S: Set, B: Store<S>>(&self, position: &Position<S, B>, wanted: &State) -> Result<(), String> {
        let digit = |piece: usize| {
            let place = self.pieces.iter().position(|&p| p == piece).unwrap_or(0) as u32;
            char::from_digit(place, 36).unwrap_or('?')
        };
        let board: String = (0..self.rules.board().cells.len()).map(|cell| digit(position.piece_at(cell))).collect();
        if board != wanted.board {
            return Err(format!("the board is {board}, expected {}", wanted.board));
        }
        let variables: Vec<i64> = self.variables.iter().map(|&place| position.variables()[place].into()).collect();
        if variables != wanted.vars {
            return Err(format!("the variables are {variables:?}, expected {:?}", wanted.vars));
        }
        let cell = &self.rules.board().cells[position.cell()].name;
        if *cell != wanted.cell && position.cell_matters() {
            return Err(format!("the current cell is {cell}, expected {}", wanted.cell));
        }
        Ok(())
    }

    fn playout<S: Set, B: Store<S>>(
        &self,
        start: &Position<S, B>,
        line: &PlayoutLine,
        done: &mut Replayed,
    ) -> Result<(), String> {
        let mut position = start.clone();
        let mut moves = Vec::new();
        for (number, ply) in line.plies.iter().enumerate() {
            let at = |message: String| format!("ply {number}: {message}, at {}", position.position_text());
            if position.outcome().is_some() {
                return Err(at("the game is over, expected a move".to_string()));
            }
            let player = position.to_move().index() + 1;
            if player != ply.player {
                return Err(at(format!("player {player} moves, expected player {}", ply.player)));
            }
            moves.clear();
            position.moves(&mut moves);
            let texts: Vec<String> = moves.iter().map(|&m| self.text(&position, m)).collect();
            let mut sorted: Vec<&str> = texts.iter().map(String::as_str).collect();
            sorted.sort_unstable();
            if let Some(legal) = &ply.legal {
                let more: Vec<_> = sorted.iter().filter(|text| !legal.iter().any(|l| l == *text)).collect();
                let fewer: Vec<_> = legal.iter().filter(|text| !sorted.contains(&text.as_str())).collect();
                if !more.is_empty() || !fewer.is_empty() {
                    return Err(at(format!("legal here alone: {more:?}; expected too: {fewer:?}")));
                }
            }
            if sorted.len() != ply.n {
                return Err(at(format!("{} legal moves, expected {}", sorted.len(), ply.n)));
            }
            if let Some(wanted) = &ply.legal_hash {
                let hash = format!("{:016x}", hash_of_texts(&sorted));
                if hash != *wanted {
                    return Err(at(format!("the hash of the legal moves is {hash}, expected {wanted}")));
                }
            }
            let Some(place) = texts.iter().position(|text| *text == ply.played) else {
                return Err(at(format!("{} is not legal", ply.played)));
            };
            let mut next = position.clone();
            next.play(moves[place]);
            self.same(&next, &ply.after).map_err(|message| at(format!("after {}: {message}", ply.played)))?;
            position = next;
            done.positions += 1;
        }
        if line.end == "terminal" {
            let scores: Vec<i64> = position.variables()[..2].iter().map(|&score| score.into()).collect();
            if position.outcome().is_none() || scores != line.scores {
                let text = position.position_text();
                return Err(format!("the scores are {scores:?} at {text}, expected {:?} and the end", line.scores));
            }
            done.games += 1;
        }
        Ok(())
    }

    /// `cell:index,cell:index`
    fn text<S: Set, B: Store<S>>(&self, position: &Position<S, B>, m: <Position<S, B> as Game>::Move) -> String {
        let cells = &self.rules.board().cells;
        let action = |(cell, index): (u16, u32)| format!("{}:{index}", cells[usize::from(cell)].name);
        position.actions(m).into_iter().map(action).collect::<Vec<_>>().join(",")
    }
}

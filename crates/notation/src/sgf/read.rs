//! Reads SGF.

use plyproof_engine::{AnyGame, Outcome, Player, Registry, TextError, Wdl, quoted};

use super::{Board, HEADERS, MARKS, REASONS};
use crate::game::{ReadError, RecordedGame, check_result};
use crate::tree::{MoveTree, NodeId};

/// Reads the games of an SGF file one by one. Every move is checked by the rules.
pub struct SgfReader<'a> {
    registry: &'a Registry,
    text: String,
    /// The next byte.
    at: usize,
}

/// Brackets within brackets at most.
const MOST_BRACKETS: usize = 10_000;

/// The properties of a node: name, values, and where it stands.
type Properties = Vec<(String, Vec<String>, usize)>;

impl<'a> SgfReader<'a> {
    /// Reads `text`.
    pub fn new(registry: &'a Registry, text: String) -> Self {
        Self { registry, text, at: 0 }
    }

    /// An error at byte `at`.
    fn error(&self, at: usize, what: impl std::fmt::Display) -> ReadError {
        let before = &self.text[..at];
        let line = before.bytes().filter(|&c| c == b'\n').count() as u64 + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() as u64 + 1;
        ReadError::new(line, column, what)
    }

    /// The next character that is no space, which stays the next one.
    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text[self.at..].chars().next()
    }

    /// The next game; none at the end of the file.
    pub fn next_game(&mut self) -> Result<Option<RecordedGame>, ReadError> {
        let begin = match self.peek() {
            None => return Ok(None),
            Some('(') => self.at,
            Some(c) => {
                return Err(self.error(self.at, format!("{} where a game begins with (;", quoted(&c.to_string()))));
            }
        };
        self.at += 1;
        if self.peek() != Some(';') {
            return Err(self.error(self.at, "a game begins with (; and the properties of its first node"));
        }
        self.at += 1;
        let root = self.properties()?;
        let (mut game, board) = self.root(&root)?;
        let mut at = (MoveTree::ROOT, game.start().clone_box());
        self.apply(&mut game, board, &mut at, &root, true)?;
        let mut open: Vec<(NodeId, Box<dyn AnyGame>)> = Vec::new();
        loop {
            match self.peek() {
                None => return Err(self.error(begin, "the game that begins here has no ) at its end")),
                Some('(') => {
                    if open.len() >= MOST_BRACKETS {
                        return Err(self.error(self.at, format!("more than {MOST_BRACKETS} brackets in each other")));
                    }
                    open.push((at.0, at.1.clone()));
                    self.at += 1;
                }
                Some(')') => {
                    self.at += 1;
                    match open.pop() {
                        Some(outer) => at = outer,
                        None => break,
                    }
                }
                Some(';') => {
                    self.at += 1;
                    let properties = self.properties()?;
                    self.apply(&mut game, board, &mut at, &properties, false)?;
                }
                Some(c) => {
                    return Err(self.error(self.at, format!("{} where ( ) or ; is expected", quoted(&c.to_string()))));
                }
            }
        }
        let end = game.position(game.tree.last()).map_err(|error| self.error(begin, error))?;
        game.result = game.result.or(end.outcome());
        check_result(&*end, game.result).map_err(|error| self.error(begin, error))?;
        Ok(Some(game))
    }

    /// The properties of a node.
    fn properties(&mut self) -> Result<Properties, ReadError> {
        let mut all: Properties = Vec::new();
        while let Some(c) = self.peek().filter(|c| !"();".contains(*c)) {
            let from = self.at;
            if !c.is_ascii_alphabetic() {
                return Err(
                    self.error(from, format!("{} where a property is expected, as in B[aa]", quoted(&c.to_string())))
                );
            }
            let name: String = self.text[from..].chars().take_while(char::is_ascii_alphabetic).collect();
            self.at += name.len();
            let mut values = Vec::new();
            while self.peek() == Some('[') {
                values.push(self.value()?);
            }
            if values.is_empty() {
                let what = format!("the property {} has no value in [ ]", quoted(&name));
                return Err(self.error(from, what));
            }
            // Older files write ordinary letters between those that count.
            let short: String = name.chars().filter(char::is_ascii_uppercase).collect();
            if all.iter().any(|(known, _, _)| *known == short) {
                return Err(self.error(from, format!("the property {} is there twice in this node", quoted(&short))));
            }
            all.push((short, values, from));
        }
        Ok(all)
    }

    /// A value in brackets: `\` takes the meaning from the character behind it, and takes a line break away.
    fn value(&mut self) -> Result<String, ReadError> {
        let begin = self.at;
        let mut value = String::new();
        let mut letters = self.text[begin + 1..].char_indices();
        while let Some((place, c)) = letters.next() {
            match c {
                ']' => {
                    self.at = begin + 1 + place + 1;
                    return Ok(value);
                }
                '\\' => match letters.next() {
                    Some((_, '\n')) | None => {}
                    Some((_, c)) => value.push(c),
                },
                '\n' => value.push('\n'),
                c if c.is_whitespace() => value.push(' '),
                c => value.push(c),
            }
        }
        Err(self.error(begin, "the value that begins here has no ] at its end"))
    }

    /// The game that a root node describes, without its moves.
    fn root(&self, root: &Properties) -> Result<(RecordedGame, Board), ReadError> {
        let value = |wanted: &str| {
            let found = root.iter().find(|(name, _, _)| name == wanted);
            found.and_then(|(_, values, at)| values.first().map(|value| (value.as_str(), *at)))
        };
        let Some((number, at)) = value("GM") else {
            return Err(
                self.error(0, "the first node has no GM; the games read here are GM[4] (Gomoku) and GM[11] (Hex)")
            );
        };
        let (size, rules) = (value("SZ").map(|(size, _)| size), value("RU").map_or("", |(rules, _)| rules));
        let game = Board::open(self.registry, number, size, rules).map_err(|error| self.error(at, error))?;
        let board = Board::of(&*game).ok_or_else(|| self.error(at, "the registry has another game of this name"))?;
        let mut stones = vec![vec![None; board.size]; board.size];
        let mut placed = false;
        for (name, values, at) in root {
            let stone = match name.as_str() {
                "AB" => Some(Player::FIRST),
                "AW" => Some(Player::SECOND),
                "AE" => None,
                _ => continue,
            };
            placed = true;
            for value in values {
                let (from, to) = value.split_once(':').unwrap_or((value, value));
                let corner = |text: &str| board.parse(text).map_err(|error| self.error(*at, error));
                let (from, to) = (corner(from)?, corner(to)?);
                for row in stones.iter_mut().take(to.1 + 1).skip(from.1) {
                    for cell in row.iter_mut().take(to.0 + 1).skip(from.0) {
                        *cell = stone;
                    }
                }
            }
        }
        let mover = match value("PL").map(|(player, at)| (player.trim().to_ascii_uppercase(), at)) {
            None => Player::FIRST,
            Some((player, _)) if matches!(player.as_str(), "B" | "BLACK" | "1") => Player::FIRST,
            Some((player, _)) if matches!(player.as_str(), "W" | "WHITE" | "2") => Player::SECOND,
            Some((player, at)) => {
                return Err(self.error(at, TextError::expected(&player, "a player: expected PL[B] or PL[W]")));
            }
        };
        if !placed && mover == Player::FIRST {
            return Ok((RecordedGame::new(game), board));
        }
        let start = board.position(&*game, &stones, mover).map_err(|error| self.error(at, error))?;
        Ok((RecordedGame::from_position(game, start), board))
    }

    /// Plays the move of a node, if it has one, and keeps what is said there.
    fn apply(
        &self,
        game: &mut RecordedGame,
        board: Board,
        at: &mut (NodeId, Box<dyn AnyGame>),
        properties: &Properties,
        root: bool,
    ) -> Result<(), ReadError> {
        for (name, values, place) in properties.iter().filter(|(name, _, _)| name == "B" || name == "W") {
            self.play(game, board, at, name, values).map_err(|error| self.error(*place, error))?;
        }
        let moved = properties.iter().any(|(name, _, _)| name == "B" || name == "W");
        for (name, values, place) in properties {
            let value = values.first().map_or("", String::as_str);
            let wrong = |error: TextError| self.error(*place, error);
            match name.as_str() {
                "C" => game.tree.notes_mut(at.0).add_comment(value),
                "AB" | "AW" | "AE" | "PL" if !root => {
                    return Err(self.error(*place, format!("stones are set up with {name} in the first node only")));
                }
                _ if root && name == "RE" => result(game, value).map_err(wrong)?,
                _ if root && name == "PLH" => {
                    for value in values {
                        let Some((name, value)) = value.split_once(':') else { continue };
                        game.headers.set(name, value).map_err(wrong)?;
                    }
                }
                _ if root && HEADERS.iter().any(|(property, _)| property == name) => {
                    let header = HEADERS.iter().find(|(property, _)| property == name).map_or("", |(_, header)| header);
                    game.headers.set(header, value).map_err(wrong)?;
                }
                _ if moved => note(game, at.0, name, value).map_err(wrong)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn play(
        &self,
        game: &mut RecordedGame,
        board: Board,
        at: &mut (NodeId, Box<dyn AnyGame>),
        colour: &str,
        values: &[String],
    ) -> Result<(), TextError> {
        let player = if colour == "B" { Player::FIRST } else { Player::SECOND };
        if let Some(outcome) = at.1.outcome() {
            return Err(TextError::new(format!("{colour} moves, but the game is over: {outcome}")));
        }
        if at.1.to_move() != player {
            return Err(TextError::new(format!("{colour} moves, but player {} is to move", at.1.to_move())));
        }
        let own = board.own_text(board.parse(values.first().map_or("", String::as_str))?);
        at.1.play(&own)?;
        at.0 = game.tree.add(at.0, &own)?;
        Ok(())
    }
}

/// Reads `B+R`, `W+`, `0` and so on.
fn result(game: &mut RecordedGame, value: &str) -> Result<(), TextError> {
    let text = value.trim();
    let won = |player| Some(Outcome::win(player));
    let (outcome, reason) = match text.split_once('+') {
        Some(("B" | "b", reason)) => (won(Player::FIRST), reason),
        Some(("W" | "w", reason)) => (won(Player::SECOND), reason),
        None if matches!(text, "0" | "Draw" | "draw") => (Some(Outcome::DRAW), ""),
        None if matches!(text, "" | "?" | "Void" | "void") => (None, ""),
        _ => return Err(TextError::expected(text, "a result: expected B+, B+R, W+T, 0 or ?")),
    };
    game.result = outcome;
    let initial = reason.get(..1).unwrap_or_default();
    if let Some((_, name)) = REASONS.iter().find(|(letter, _)| *letter == initial) {
        game.headers.set("Reason", name)?;
    }
    Ok(())
}

/// Keeps what a property says about a move; what is not known says nothing.
fn note(game: &mut RecordedGame, node: NodeId, name: &str, value: &str) -> Result<(), TextError> {
    let notes = game.tree.notes_mut(node);
    let value = value.trim();
    let wrong = |what: &str| Err(TextError::expected(value, format!("{what} in the property {name}")));
    match name {
        "PLV" => match value.parse::<f64>() {
            Ok(number) if (-1.0..=1.0).contains(&number) => notes.set_value(Some(number)),
            _ => return wrong("a number from -1 to 1"),
        },
        "PLP" => match [Wdl::Win, Wdl::Draw, Wdl::Loss].into_iter().find(|known| known.word() == value) {
            Some(proven) => notes.proven = Some(proven),
            None => return wrong("win, draw or loss"),
        },
        "PLN" => match value.parse() {
            Ok(number) => notes.simulations = Some(number),
            Err(_) => return wrong("a whole number"),
        },
        "PLS" => notes.set_seconds(value.parse().ok()),
        _ => {
            let same = |known: &str, degree: &str| known == name && (degree.is_empty() || degree == value);
            let first = MARKS.iter().find(|(_, known, degree)| same(known, degree));
            if let Some((mark, _, _)) = first.or(MARKS.iter().find(|(_, known, _)| *known == name)) {
                notes.mark = Some(*mark);
            }
        }
    }
    Ok(())
}

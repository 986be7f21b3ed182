//! Reads game files, one game after the other, in bounded memory.

use std::io::{self, Read};

use plyproof_engine::{AnyGame, Outcome, Registry, TextError, Wdl, quoted};

use crate::game::{OWN, ReadError, RecordedGame, check_result, instead};
use crate::lexer::{Kind, Lexer, Token};
use crate::result::{like_result, parse_result};
use crate::tree::{MOST_SECONDS, Mark, MoveTree, NodeId, Notes};

/// Reads the games of a file, plain or gzipped, one by one. Every move is checked by the rules.
pub struct GameReader<'a> {
    registry: &'a Registry,
    lexer: Lexer,
    /// The first word of the next game, if it was read already.
    next: Option<Token>,
}

impl<'a> GameReader<'a> {
    /// Reads from `source`; the games are those of `registry`.
    pub fn new(registry: &'a Registry, source: impl Read + 'static) -> io::Result<Self> {
        Ok(Self::of_lexer(registry, Lexer::new(source)?))
    }

    pub(crate) fn of_lexer(registry: &'a Registry, lexer: Lexer) -> Self {
        Self { registry, lexer, next: None }
    }

    /// The next game; none at the end of the file. After an error nothing more can be read.
    pub fn next_game(&mut self) -> Result<Option<RecordedGame>, ReadError> {
        self.lexer.begin_game();
        let first = match self.next.take() {
            Some(token) => Some(token),
            None => self.lexer.next()?,
        };
        let Some(first) = first else { return Ok(None) };
        let (mut game, told, after) = self.headers(first)?;
        Moves::new(&game).read(&mut self.lexer, &mut game, told, after)?;
        Ok(Some(game))
    }

    /// The headers from `first` on, what they say about the result, and the first word behind them.
    fn headers(&mut self, first: Token) -> Result<(RecordedGame, Option<Told>, Option<Token>), ReadError> {
        let Kind::Header(name, value) = &first.kind else {
            return Err(ReadError::new(
                first.line,
                first.column,
                "a game begins with a header, as in [Game \"loa(size=7)\"]",
            ));
        };
        let at = |token: &Token, what: &dyn std::fmt::Display| ReadError::new(token.line, token.column, what);
        if name != "Game" {
            return Err(at(&first, &instead(name, "the header Game")));
        }
        let own = self.registry.open(value).map_err(|error| at(&first, &error))?;
        let mut game = RecordedGame::new(own.clone());
        let (mut told, mut placed) = (None, false);
        loop {
            let token = self.lexer.next()?;
            let Some(Token { kind: Kind::Header(name, value), .. }) = &token else { return Ok((game, told, token)) };
            let Some(token) = &token else { return Ok((game, told, None)) };
            let twice = match name.as_str() {
                "Game" => true,
                "Position" => std::mem::replace(&mut placed, true),
                "Result" => told.is_some(),
                name => game.headers.value(name).is_some(),
            };
            if twice {
                return Err(at(
                    token,
                    &format!("the header {name} is there already; the game before needs its result at its end"),
                ));
            }
            match name.as_str() {
                "Position" => {
                    let start = own.parse_position(value.trim()).map_err(|error| at(token, &error))?;
                    let headers = std::mem::take(&mut game.headers);
                    game = RecordedGame::from_position(own.clone(), start);
                    game.headers = headers;
                }
                "Result" => {
                    let result = parse_result(value.trim(), own.players()).map_err(|error| at(token, &error))?;
                    told = Some(Told { line: token.line, column: token.column, result });
                }
                // Which rules a game from a text was played by; a header like any other for games of a program.
                "Rules" if own.rules().text_digest().is_some() => {
                    if own.rules().text_digest() != Some(value.trim()) {
                        let (game, now) = (own.name(), own.rules().name());
                        return Err(at(token, &format!("it was played by other rules: those of {game} are now {now}")));
                    }
                }
                _ => game.headers.set(name, value).map_err(|error| at(token, &error))?,
            }
        }
    }
}

/// The result that a header gives, and where.
struct Told {
    line: u64,
    column: u64,
    result: Option<Outcome>,
}

/// A line of play in the making.
struct Branch {
    /// The last move, and the position after it.
    node: NodeId,
    position: Box<dyn AnyGame>,
    /// The move before and the position before the last move, if there is one in this branch.
    before: Option<(NodeId, Box<dyn AnyGame>)>,
    /// What was said before the first move of the branch.
    said: String,
}

impl Branch {
    fn new(node: NodeId, position: Box<dyn AnyGame>) -> Self {
        Self { node, position, before: None, said: String::new() }
    }
}

/// The moves of a game in the making.
struct Moves {
    /// The lines that variations interrupt, the game itself first.
    outer: Vec<Branch>,
    branch: Branch,
}

impl Moves {
    fn new(game: &RecordedGame) -> Self {
        Self { outer: Vec::new(), branch: Branch::new(MoveTree::ROOT, game.start().clone_box()) }
    }

    /// Reads up to the result.
    fn read(
        mut self,
        lexer: &mut Lexer,
        game: &mut RecordedGame,
        told: Option<Told>,
        first: Option<Token>,
    ) -> Result<(), ReadError> {
        let mut next = first;
        while let Some(Token { line, column, kind }) = next {
            let at = |what: &dyn std::fmt::Display| ReadError::new(line, column, what);
            match kind {
                Kind::Word(text) if like_result(&text) && self.is_result(&text) => {
                    if !self.outer.is_empty() {
                        return Err(at(&"the result stands inside a variation, which needs a ) at its end first"));
                    }
                    let result = parse_result(&text, game.players()).map_err(|error| at(&error))?;
                    check_result(&*self.branch.position, result).map_err(|error| at(&error))?;
                    if let Some(told) = told.filter(|told| {
                        crate::result_text(told.result, game.players()) != crate::result_text(result, game.players())
                    }) {
                        let header = crate::result_text(told.result, game.players());
                        let what = format!("the header Result says {header}, the end of the game {text}");
                        return Err(ReadError::new(told.line, told.column, what));
                    }
                    game.result = result;
                    return Ok(());
                }
                Kind::Word(text) | Kind::Quoted(text) => self.play(game, &text).map_err(|error| at(&error))?,
                Kind::Number(number) => {
                    let ply = u64::from(game.tree.ply(self.branch.node)) + 1;
                    if number != ply {
                        return Err(at(&format!("{number}. stands before ply {ply}: expected {ply}. or no number")));
                    }
                }
                Kind::Comment(text) => self.say(game, &text),
                Kind::Mark(text) => {
                    let mark = Mark::parse(&text).ok_or_else(|| {
                        at(&format!("{} is not an annotation: expected ! ? !! ?? !? or ?!", quoted(&text)))
                    })?;
                    self.notes(game).map_err(|error| at(&error))?.mark = Some(mark);
                }
                Kind::Note(name, value) => {
                    let notes = self.notes(game).map_err(|error| at(&error))?;
                    note(notes, &name, &value).map_err(|error| at(&error))?;
                }
                Kind::Open => self.open().map_err(|error| at(&error))?,
                Kind::Close => self.close().map_err(|error| at(&error))?,
                Kind::Header(name, _) => {
                    let result = if OWN.contains(&name.as_str()) { " of the game before" } else { "" };
                    return Err(at(&format!(
                        "the header {name} stands among moves; the result{result} is missing: 1-0, 0-1, 1/2-1/2, or * if it is unknown"
                    )));
                }
            }
            next = lexer.next()?;
        }
        let missing =
            if self.outer.is_empty() { "its result: 1-0, 0-1, 1/2-1/2, or * if it is unknown" } else { "a )" };
        Err(lexer.here(format!("the file ends before the game does; it needs {missing}")))
    }

    /// Whether a word that looks like a result is none of the legal moves.
    fn is_result(&self, text: &str) -> bool {
        text == crate::result::UNKNOWN || self.branch.position.own_move(text).is_err()
    }

    fn play(&mut self, game: &mut RecordedGame, text: &str) -> Result<(), TextError> {
        let own = self.branch.position.own_move(text)?;
        let node = game.tree.add(self.branch.node, &own)?;
        let before = self.branch.position.clone();
        self.branch.position.play(&own)?;
        let said = std::mem::take(&mut self.branch.said);
        game.tree.notes_mut(node).set_comment(&said);
        self.branch.before = Some((self.branch.node, before));
        self.branch.node = node;
        Ok(())
    }

    fn say(&mut self, game: &mut RecordedGame, text: &str) {
        // Before the first move of a variation nothing is there yet that could be commented on.
        if self.branch.before.is_none() && !self.outer.is_empty() {
            self.branch.said.push_str(text);
            self.branch.said.push('\n');
        } else {
            game.tree.notes_mut(self.branch.node).add_comment(text);
        }
    }

    /// The notes of the last move.
    fn notes<'g>(&self, game: &'g mut RecordedGame) -> Result<&'g mut Notes, TextError> {
        match self.branch.before {
            Some(_) => Ok(game.tree.notes_mut(self.branch.node)),
            None => {
                Err(TextError::new("an annotation follows the move that it is about, and there is no move before it"))
            }
        }
    }

    fn open(&mut self) -> Result<(), TextError> {
        let Some((node, position)) = &self.branch.before else {
            return Err(TextError::new(
                "a variation follows the move that it replaces, and there is no move before it",
            ));
        };
        if self.outer.len() >= MoveTree::MOST_DEPTH as usize {
            return Err(TextError::new(format!(
                "variations are more than {} deep in each other",
                MoveTree::MOST_DEPTH
            )));
        }
        let inner = Branch::new(*node, position.clone());
        self.outer.push(std::mem::replace(&mut self.branch, inner));
        Ok(())
    }

    fn close(&mut self) -> Result<(), TextError> {
        let Some(outer) = self.outer.pop() else {
            return Err(TextError::new("there is no variation that ends here; each ) needs its ("));
        };
        let inner = std::mem::replace(&mut self.branch, outer);
        if inner.before.is_none() {
            return Err(TextError::new("a variation without a move; it needs at least one"));
        }
        Ok(())
    }
}

/// Reads a note about a move.
fn note(notes: &mut Notes, name: &str, value: &str) -> Result<(), TextError> {
    let wrong = |what: &str| Err(TextError::new(format!("{} is not {what}", quoted(value))));
    match name {
        "value" => match value.parse::<f64>() {
            Ok(number) if (-1.0..=1.0).contains(&number) => notes.set_value(Some(number)),
            _ => return wrong("a value: expected a number from -1 to 1"),
        },
        "proven" => match [Wdl::Win, Wdl::Draw, Wdl::Loss].into_iter().find(|known| known.word() == value) {
            Some(proven) => notes.proven = Some(proven),
            None => return wrong("a proven value: expected win, draw or loss"),
        },
        "sims" => match value.parse() {
            Ok(number) => notes.simulations = Some(number),
            Err(_) => return wrong("a number of simulations: expected a whole number"),
        },
        "seconds" => match value.parse::<f64>() {
            Ok(number) if (0.0..=MOST_SECONDS).contains(&number) => notes.set_seconds(Some(number)),
            _ => return wrong("a time in seconds: expected a number, 0 or more"),
        },
        _ => {
            let known = "known are value, proven, sims and seconds";
            return Err(TextError::new(format!("unknown note {}; {known}", quoted(name))));
        }
    }
    Ok(())
}

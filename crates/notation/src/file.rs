//! Files of games in any of the formats, which is recognised by the first line.

use std::fmt;
use std::io::{self, Read};
use std::path::Path;

use plyproof_engine::{Registry, TextError, quoted};

use crate::game::{ReadError, RecordedGame};
use crate::lexer::Lexer;
use crate::read::GameReader;
use crate::sgf::SgfReader;
use crate::{game_text, sgf, shogi};

/// How games are written in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The format of plyproof, for all games.
    Games,
    /// SGF (FF\[4\]), for Gomoku and Hex.
    Sgf,
    /// The position lines of USI, for MiniShogi: one line for each game.
    Usi,
    /// KIF, for MiniShogi: one game in a file.
    Kif,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 4] = [Self::Games, Self::Sgf, Self::Usi, Self::Kif];

    /// `games`, `sgf`, `usi` or `kif`: the name of the format, and how the names of its files end.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Games => "games",
            Self::Sgf => "sgf",
            Self::Usi => "usi",
            Self::Kif => "kif",
        }
    }

    /// The format of this name.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        let found = Self::ALL.into_iter().find(|format| format.name() == text);
        found.ok_or_else(|| TextError::expected(text, "a format: expected games, sgf, usi or kif"))
    }

    /// The format that the end of a file's name stands for; that of plyproof if it says nothing.
    pub fn of_path(path: &Path) -> Self {
        let end = path.extension().and_then(|end| end.to_str()).unwrap_or_default().to_ascii_lowercase();
        match end.as_str() {
            "kifu" => Self::Kif,
            end => Self::parse(end).unwrap_or(Self::Games),
        }
    }

    /// The game in this format; an error if the format cannot hold it.
    pub fn text(self, game: &RecordedGame) -> Result<String, TextError> {
        match self {
            Self::Games => Ok(game_text(game)),
            Self::Sgf => sgf::sgf_text(game),
            Self::Usi => shogi::usi_text(game),
            Self::Kif => shogi::kif_text(game),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The games of a file in any format, plain or gzipped, one after the other.
pub struct GameFile<'a> {
    registry: &'a Registry,
    games: Games<'a>,
}

enum Games<'a> {
    Own(Box<GameReader<'a>>),
    Sgf(SgfReader<'a>),
    Usi(Lexer),
    Kif(Option<String>),
    None,
}

impl<'a> GameFile<'a> {
    /// Looks at the first line of `source`, and reads with the games of `registry`.
    pub fn open(registry: &'a Registry, source: impl Read + 'static) -> io::Result<Result<Self, ReadError>> {
        let mut lexer = Lexer::new(source)?;
        let games = match lexer.first_line() {
            Err(error) => return Ok(Err(error)),
            Ok(None) => Ok(Games::None),
            Ok(Some(line)) => match format_of(line.trim()) {
                Some(Format::Games) => Ok(Games::Own(Box::new(GameReader::of_lexer(registry, lexer)))),
                Some(Format::Sgf) => lexer.rest().map(|text| Games::Sgf(SgfReader::new(registry, text))),
                Some(Format::Usi) => Ok(Games::Usi(lexer)),
                Some(Format::Kif) => lexer.rest().map(|text| Games::Kif(Some(text))),
                None => {
                    let what = "a file of games begins with [Game \"…\"], with (; in SGF, with position in USI, or with a \
                                header such as 先手： in KIF";
                    Err(lexer.here(format!("{}: {what}", quoted(line.trim()))))
                }
            },
        };
        Ok(games.map(|games| Self { registry, games }))
    }

    /// The format of the file; none if it is empty.
    pub fn format(&self) -> Option<Format> {
        match self.games {
            Games::Own(_) => Some(Format::Games),
            Games::Sgf(_) => Some(Format::Sgf),
            Games::Usi(_) => Some(Format::Usi),
            Games::Kif(_) => Some(Format::Kif),
            Games::None => None,
        }
    }

    /// The next game; none at the end. After an error nothing more can be read.
    pub fn next_game(&mut self) -> Result<Option<RecordedGame>, ReadError> {
        match &mut self.games {
            Games::Own(reader) => reader.next_game(),
            Games::Sgf(reader) => reader.next_game(),
            Games::Usi(lexer) => match lexer.whole_line()? {
                Some((number, line)) => shogi::read_usi(self.registry, &line)
                    .map(Some)
                    .map_err(|(column, error)| ReadError::new(number, column, error)),
                None => Ok(None),
            },
            Games::Kif(text) => text.take().map(|text| shogi::read_kif(self.registry, &text)).transpose(),
            Games::None => Ok(None),
        }
    }
}

/// The format of a file with this first line.
fn format_of(line: &str) -> Option<Format> {
    let usi = ["position ", "startpos", "sfen "];
    match line {
        _ if line.starts_with('[') => Some(Format::Games),
        _ if line.starts_with('(') => Some(Format::Sgf),
        _ if usi.iter().any(|start| line.starts_with(start)) => Some(Format::Usi),
        _ if line.contains('：') || line.starts_with('#') || line.starts_with("手数") => Some(Format::Kif),
        _ if line.contains(':') && !line.is_ascii() && !line.starts_with('{') => Some(Format::Kif),
        _ => None,
    }
}

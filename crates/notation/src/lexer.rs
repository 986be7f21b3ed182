//! The words of a game file, with their places.

use std::io::{self, Read};

use plyproof_engine::lines::Lines;
use plyproof_engine::quoted;

use crate::game::ReadError;

/// Bytes of one game at most.
pub(crate) const LONGEST_GAME: u64 = 16 << 20;

/// A word with its place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Token {
    pub line: u64,
    pub column: u64,
    pub kind: Kind,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    /// `[Name "value"]`
    Header(String, String),
    /// `[name value]`
    Note(String, String),
    /// A move or a result without quotation marks.
    Word(String),
    /// A move in quotation marks.
    Quoted(String),
    /// `12.`
    Number(u64),
    /// `{…}` or `;…`
    Comment(String),
    /// `(`
    Open,
    /// `)`
    Close,
    /// `!`, `?!` and so on.
    Mark(String),
}

pub(crate) struct Lexer {
    lines: Lines,
    line: Vec<char>,
    /// The next character of the line.
    at: usize,
    number: u64,
    /// Where the current game began, in bytes of the file.
    game_from: u64,
}

/// Whether a character ends a word.
pub(crate) fn ends_word(c: char) -> bool {
    c.is_whitespace() || c.is_control() || "(){}[];\"!?$\\".contains(c)
}

impl Lexer {
    pub fn new(source: impl Read + 'static) -> io::Result<Self> {
        Ok(Self { lines: Lines::new(source)?, line: Vec::new(), at: 0, number: 0, game_from: 0 })
    }

    /// Says that a game begins here, for the limit on its length.
    pub fn begin_game(&mut self) {
        self.game_from = self.lines.bytes();
    }

    /// The first line that is not blank, which stays the next one to be read; none in an empty file.
    pub fn first_line(&mut self) -> Result<Option<String>, ReadError> {
        while self.line.iter().all(|c| c.is_whitespace()) {
            if !self.next_line()? {
                return Ok(None);
            }
        }
        Ok(Some(self.line.iter().collect()))
    }

    /// The rest of the line, or the next line that is not blank, with its number; none at the end of the file.
    pub fn whole_line(&mut self) -> Result<Option<(u64, String)>, ReadError> {
        let line = self.first_line()?;
        self.line.clear();
        self.at = 0;
        Ok(line.map(|line| (self.number, line)))
    }

    /// All lines from the next one on, for formats whose games are read as a whole.
    pub fn rest(&mut self) -> Result<String, ReadError> {
        self.begin_game();
        let mut text = "\n".repeat(self.number.saturating_sub(1) as usize);
        loop {
            text.extend(&self.line);
            text.push('\n');
            if !self.next_line()? {
                return Ok(text);
            }
        }
    }

    /// An error at the next character.
    pub fn here(&self, what: impl std::fmt::Display) -> ReadError {
        ReadError::new(self.number.max(1), self.at as u64 + 1, what)
    }

    fn next_line(&mut self) -> Result<bool, ReadError> {
        let number = self.number + 1;
        let line = match self.lines.next_line() {
            Ok(Some((_, line))) => line,
            Ok(None) => return Ok(false),
            Err(error) => return Err(ReadError::new(number, 1, error)),
        };
        let text = std::str::from_utf8(line).map_err(|error| {
            let column = String::from_utf8_lossy(&line[..error.valid_up_to()]).chars().count() as u64 + 1;
            ReadError::new(number, column, "not UTF-8 text")
        })?;
        let text = text.strip_suffix('\r').unwrap_or(text);
        let text = if number == 1 { text.strip_prefix('\u{feff}').unwrap_or(text) } else { text };
        self.line.clear();
        self.line.extend(text.chars());
        (self.at, self.number) = (0, number);
        if self.lines.bytes() - self.game_from > LONGEST_GAME {
            return Err(self.here(format!("the game is longer than {} MB", LONGEST_GAME >> 20)));
        }
        Ok(true)
    }

    /// The next word; none at the end of the file.
    pub fn next(&mut self) -> Result<Option<Token>, ReadError> {
        loop {
            while self.line.get(self.at).is_some_and(|c| c.is_whitespace()) {
                self.at += 1;
            }
            if self.at < self.line.len() {
                break;
            }
            if !self.next_line()? {
                return Ok(None);
            }
        }
        let (line, column) = (self.number, self.at as u64 + 1);
        let first = self.line[self.at];
        let kind = match first {
            '(' | ')' => {
                self.at += 1;
                if first == '(' { Kind::Open } else { Kind::Close }
            }
            '{' => Kind::Comment(self.comment()?),
            ';' => {
                let text = self.line[self.at + 1..].iter().collect();
                self.at = self.line.len();
                Kind::Comment(text)
            }
            '[' => self.bracket()?,
            '"' => Kind::Quoted(self.quotation()?),
            '!' | '?' => Kind::Mark(self.take(|c| matches!(c, '!' | '?'))),
            '$' => {
                self.at += 1;
                let digits = self.take(|c| c.is_ascii_digit());
                let mark = digits.parse::<usize>().ok().and_then(|n| crate::Mark::ALL.get(n.wrapping_sub(1)));
                let Some(mark) = mark else {
                    let what = format!("\"${digits}\" is not an annotation: expected $1 to $6, or ! ? !! ?? !? ?!");
                    return Err(ReadError::new(line, column, what));
                };
                Kind::Mark(mark.text().to_string())
            }
            c if ends_word(c) => return Err(self.here(format!("{} cannot stand here", quoted(&c.to_string())))),
            c if c.is_ascii_digit() => self.number_or_word(),
            _ => Kind::Word(self.take(|c| !ends_word(c))),
        };
        Ok(Some(Token { line, column, kind }))
    }

    fn take(&mut self, wanted: impl Fn(char) -> bool) -> String {
        let text: String = self.line[self.at..].iter().take_while(|c| wanted(**c)).collect();
        self.at += text.chars().count();
        text
    }

    /// `12.`, `12...`, or a word that only begins with a digit.
    fn number_or_word(&mut self) -> Kind {
        let from = self.at;
        let digits = self.take(|c| c.is_ascii_digit());
        if self.line.get(self.at) == Some(&'.') {
            self.take(|c| c == '.');
            return Kind::Number(digits.parse().unwrap_or(u64::MAX));
        }
        self.at = from;
        Kind::Word(self.take(|c| !ends_word(c)))
    }

    /// A comment over any number of lines; `\` takes the meaning from the character behind it.
    fn comment(&mut self) -> Result<String, ReadError> {
        let begin = self.here("the comment that begins here has no } at its end");
        self.at += 1;
        let mut text = String::new();
        loop {
            match self.line.get(self.at) {
                None => {
                    text.push('\n');
                    if !self.next_line()? {
                        return Err(begin);
                    }
                    continue;
                }
                Some('}') => break,
                Some('\\') if self.line.get(self.at + 1).is_some() => {
                    self.at += 1;
                    text.push(self.line[self.at]);
                }
                Some(c) => text.push(*c),
            }
            self.at += 1;
        }
        self.at += 1;
        Ok(text)
    }

    /// A text in quotation marks on one line; `\` takes the meaning from the character behind it.
    fn quotation(&mut self) -> Result<String, ReadError> {
        let begin = self.here("the text that begins here has no \" at its end");
        self.at += 1;
        let mut text = String::new();
        loop {
            match self.line.get(self.at) {
                None => return Err(begin),
                Some('"') => break,
                Some('\\') if self.line.get(self.at + 1).is_some() => {
                    self.at += 1;
                    text.push(self.line[self.at]);
                }
                Some(c) => text.push(*c),
            }
            self.at += 1;
        }
        self.at += 1;
        Ok(text)
    }

    /// `[Name "value"]` or `[name value]`.
    fn bracket(&mut self) -> Result<Kind, ReadError> {
        let begin =
            self.here("the bracket that begins here is neither a header [Name \"value\"] nor a note [name value]");
        self.at += 1;
        self.take(char::is_whitespace);
        let name = self.take(|c| c.is_ascii_alphanumeric() || c == '_');
        self.take(char::is_whitespace);
        let quoted = self.line.get(self.at) == Some(&'"');
        let value = if quoted { self.quotation()? } else { self.take(|c| c != ']' && c != '[') };
        self.take(char::is_whitespace);
        if name.is_empty() || self.line.get(self.at) != Some(&']') {
            return Err(begin);
        }
        self.at += 1;
        Ok(if quoted { Kind::Header(name, value) } else { Kind::Note(name, value.trim().to_string()) })
    }
}

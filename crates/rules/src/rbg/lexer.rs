//! Text into tokens.

use std::collections::HashMap;

use plyproof_core::quoted;

use super::error::Fault;
use super::limits;

/// A word or a number by its place in [`Names`].
pub(super) type Name = u32;

/// The words of a file, each kept once.
#[derive(Default)]
pub(super) struct Names {
    texts: Vec<String>,
    places: HashMap<String, Name>,
}

impl Names {
    pub fn name(&mut self, text: &str) -> Name {
        if let Some(&place) = self.places.get(text) {
            return place;
        }
        let place = self.texts.len() as Name;
        self.texts.push(text.to_string());
        self.places.insert(text.to_string(), place);
        place
    }

    pub fn text(&self, name: Name) -> &str {
        &self.texts[name as usize]
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Word(Name),
    /// Digits, as they were written.
    Number(Name),
    /// Everything else: `(`, `->>`, `==`.
    Sign(&'static str),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub kind: Kind,
    /// Byte offset in the text.
    pub at: u32,
    /// Byte offset of the outermost use of a macro that this token comes from.
    pub site: u32,
}

impl Token {
    pub fn is(&self, sign: &str) -> bool {
        matches!(self.kind, Kind::Sign(s) if s == sign)
    }

    /// The token for a message.
    pub fn shown(&self, names: &Names) -> String {
        match self.kind {
            Kind::Word(name) | Kind::Number(name) => quoted(names.text(name)),
            Kind::Sign(sign) => format!("\"{sign}\""),
        }
    }

    pub fn fault(&self, message: impl Into<String>) -> Fault {
        Fault { at: self.at, site: self.site, message: message.into() }
    }
}

/// Longest first, so that `->>` is not read as `->` and `>`.
const SIGNS: [&str; 28] = [
    "->>", "->", "==", "!=", "<=", ">=", "(", ")", "{", "}", "[", "]", "~", "#", "-", "+", "^", "*", ",", "/", "$",
    "=", "<", ">", ";", ":", ".", "?",
];

/// The tokens of `text`; comments and white space are left out.
pub(super) fn tokens(text: &str, names: &mut Names) -> Result<Vec<Token>, Fault> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let byte = bytes[at];
        if byte.is_ascii_whitespace() {
            at += 1;
            continue;
        }
        let rest = &bytes[at..];
        if rest.starts_with(b"//") {
            at += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
            continue;
        }
        if rest.starts_with(b"/*") {
            let end = rest[2..].windows(2).position(|pair| pair == b"*/");
            at += end.ok_or_else(|| Fault::new(at as u32, "this comment has no end: expected */"))? + 4;
            continue;
        }
        if at == 0 && text.starts_with('\u{feff}') {
            at += '\u{feff}'.len_utf8();
            continue;
        }
        let length = |holds: fn(&u8) -> bool| rest.iter().position(|b| !holds(b)).unwrap_or(rest.len());
        let (kind, length) = if byte.is_ascii_alphabetic() || byte == b'_' {
            let length = length(|b| b.is_ascii_alphanumeric() || *b == b'_');
            (Kind::Word(names.name(&text[at..at + length])), length)
        } else if byte.is_ascii_digit() {
            let length = length(u8::is_ascii_digit);
            (Kind::Number(names.name(&text[at..at + length])), length)
        } else if byte == b'!' && !rest.starts_with(b"!=") {
            (Kind::Sign("!"), 1)
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(sign.as_bytes())) {
            (Kind::Sign(sign), sign.len())
        } else {
            let character = text[at..].chars().next().unwrap_or(' ').to_string();
            let message = format!("{} is no part of the language of rules", quoted(&character));
            return Err(Fault::new(at as u32, message));
        };
        if tokens.len() == limits::TOKENS {
            return Err(Fault::new(at as u32, format!("more than {} tokens", limits::TOKENS)));
        }
        tokens.push(Token { kind, at: at as u32, site: at as u32 });
        at += length;
    }
    Ok(tokens)
}

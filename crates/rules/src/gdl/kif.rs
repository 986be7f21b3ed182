//! Text into nested lists.

use plyproof_core::quoted;

use super::limits;

/// An error at a byte of the text.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    /// Byte offset in the text.
    pub at: u32,
    pub message: String,
    /// Whether a limit on the work with a file was met.
    pub large: bool,
}

impl Fault {
    pub fn new(at: u32, message: impl Into<String>) -> Self {
        Self { at, message: message.into(), large: false }
    }

    pub fn large(at: u32, message: impl Into<String>) -> Self {
        Self { at, message: message.into(), large: true }
    }
}

/// A word or a list of expressions, with its byte offset.
#[derive(Debug)]
pub(super) enum Expression<'a> {
    Word(u32, &'a str),
    List(u32, Vec<Expression<'a>>),
}

impl<'a> Expression<'a> {
    pub fn at(&self) -> u32 {
        match self {
            Self::Word(at, _) | Self::List(at, _) => *at,
        }
    }

    /// The word that this is, or that a list begins with.
    pub fn head(&self) -> Option<&'a str> {
        match self {
            Self::Word(_, word) => Some(word),
            Self::List(_, list) => match list.first() {
                Some(Self::Word(_, word)) => Some(word),
                _ => None,
            },
        }
    }

    /// What comes after the head of a list; nothing for a word.
    pub fn rest(&self) -> &[Self] {
        match self {
            Self::Word(..) => &[],
            Self::List(_, list) => list.get(1..).unwrap_or_default(),
        }
    }
}

/// The expressions of a file.
pub(super) fn read(text: &str) -> Result<Vec<Expression<'_>>, Fault> {
    let bytes = text.as_bytes();
    // Lists that are still open, and where they began; the first one is the file.
    let mut open: Vec<(u32, Vec<Expression>)> = vec![(0, Vec::new())];
    let (mut place, mut count) = (if text.starts_with('\u{feff}') { 3 } else { 0 }, 0);
    while place < bytes.len() {
        let at = place as u32;
        match bytes[place] {
            b';' => {
                place += bytes[place..].iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len() - place);
                continue;
            }
            byte if byte.is_ascii_whitespace() => {
                place += 1;
                continue;
            }
            b'(' => {
                if open.len() > limits::DEPTH {
                    return Err(Fault::new(at, format!("more than {} brackets within each other", limits::DEPTH)));
                }
                open.push((at, Vec::new()));
                place += 1;
            }
            b')' => {
                let closed = open.pop().filter(|_| !open.is_empty());
                let Some((start, list)) = closed else {
                    return Err(Fault::new(at, "this ) closes no ("));
                };
                if let Some((_, outer)) = open.last_mut() {
                    outer.push(Expression::List(start, list));
                }
                place += 1;
            }
            byte if byte.is_ascii_control() => {
                let c = text[place..].chars().next().unwrap_or(' ');
                let message = format!("{} is no part of the language of rules", quoted(&c.to_string()));
                return Err(Fault::new(at, message));
            }
            _ => {
                let ends = |byte: &u8| {
                    matches!(byte, b'(' | b')' | b';') || byte.is_ascii_whitespace() || byte.is_ascii_control()
                };
                let length = bytes[place..].iter().position(ends).unwrap_or(bytes.len() - place);
                let word = &text[place..place + length];
                if length > 200 {
                    return Err(Fault::new(at, format!("a word of {length} bytes: expected at most 200")));
                }
                if let Some((_, list)) = open.last_mut() {
                    list.push(Expression::Word(at, word));
                }
                place += length;
            }
        }
        count += 1;
        if count > limits::EXPRESSIONS {
            return Err(Fault::new(at, format!("more than {} words and brackets", limits::EXPRESSIONS)));
        }
    }
    if open.len() > 1 {
        return Err(Fault::new(open.last().map_or(0, |list| list.0), "this ( is never closed: expected a )"));
    }
    Ok(open.pop().map(|list| list.1).unwrap_or_default())
}

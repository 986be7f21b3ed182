//! What is wrong with a rules file, and where.

use std::fmt;

use super::prelude;

/// Why a rules file was refused: one line, and the place in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesError {
    /// The line, counted from 1; 0 if the error belongs to no place in the file.
    pub line: u32,
    /// The column in characters, counted from 1; 0 if the error belongs to no place in the file.
    pub column: u32,
    /// What is wrong, and what would be right.
    pub message: String,
}

impl fmt::Display for RulesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "line {}, column {}: ", self.line, self.column)?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for RulesError {}

/// An error at a byte of the text, before line and column are counted.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    /// Byte offset in the text.
    pub at: u32,
    /// Byte offset of the outermost use of a macro that led here; `at` outside of macros.
    pub site: u32,
    pub message: String,
}

impl Fault {
    /// Stands for no place in the text.
    pub const NOWHERE: u32 = u32::MAX;

    pub fn new(at: u32, message: impl Into<String>) -> Self {
        Self { at, site: at, message: message.into() }
    }

    /// The error with its place in `text`.
    pub fn placed(self, text: &str) -> RulesError {
        if self.at == Self::NOWHERE {
            return RulesError { line: 0, column: 0, message: self.message };
        }
        let mut message = self.message;
        if let Some(name) = prelude::macro_at(self.at) {
            let (line, column) = line_and_column(text, self.site);
            message.push_str(&format!(" (in the macro {name} of the prelude, used here)"));
            return RulesError { line, column, message };
        }
        let (line, column) = line_and_column(text, self.at);
        if self.site != self.at {
            let (line, column) = line_and_column(text, self.site);
            message.push_str(&format!(" (in a macro used in line {line}, column {column})"));
        }
        RulesError { line, column, message }
    }
}

/// Line and column, both counted from 1, of a byte of the text.
fn line_and_column(text: &str, at: u32) -> (u32, u32) {
    let mut end = (at as usize).min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let before = &text[..end];
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line = before.bytes().filter(|&byte| byte == b'\n').count() + 1;
    (line as u32, before[start..].chars().count() as u32 + 1)
}

//! What is wrong with a rules file, and where.

use std::fmt;

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

/// Line and column, both counted from 1, of a byte of the text.
pub(crate) fn line_and_column(text: &str, at: u32) -> (u32, u32) {
    let mut end = (at as usize).min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let before = &text[..end];
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line = before.bytes().filter(|&byte| byte == b'\n').count() + 1;
    (line as u32, before[start..].chars().count() as u32 + 1)
}

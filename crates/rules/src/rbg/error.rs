//! An error on its way out of the loader.

pub use crate::error::RulesError;
use crate::error::line_and_column;

use super::prelude;

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

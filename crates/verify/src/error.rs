//! Why a certificate was not accepted.

use std::fmt;
use std::io;

/// Why a certificate was not accepted. Whatever the reason, its claim stays unproven, which does not make it false.
#[derive(Debug)]
pub enum VerifyError {
    /// Something in it is wrong; the first thing that is.
    Refused(Fault),
    /// It could not be read to its end.
    Unreadable {
        /// The line at which reading failed, counted from 1.
        line: u64,
        /// What the source said.
        error: io::Error,
    },
    /// Checking it takes more memory than allowed.
    Memory {
        /// The line that did not fit, counted from 1.
        line: u64,
        /// What was allowed, in bytes.
        limit: u64,
    },
    /// It was stopped from outside.
    Stopped,
}

/// The first thing that is wrong in a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The line, counted from 1.
    pub line: u64,
    /// The position that is not proven, if it came to that.
    pub position: Option<String>,
    /// What is wrong, in one line.
    pub what: String,
}

impl VerifyError {
    pub(crate) fn refused(line: u64, what: impl Into<String>) -> Self {
        Self::Refused(Fault { line, position: None, what: what.into() })
    }

    pub(crate) fn at(line: u64, position: &str, what: impl Into<String>) -> Self {
        Self::Refused(Fault { line, position: Some(position.to_string()), what: what.into() })
    }
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(Fault { line, position: Some(position), what }) => {
                write!(f, "line {line}, position {}: {what}", shown(position))
            }
            Self::Refused(Fault { line, position: None, what }) => write!(f, "line {line}: {what}"),
            Self::Unreadable { line, error } => write!(f, "line {line}: {}", shown(&error.to_string())),
            Self::Memory { line, limit } => {
                write!(f, "line {line}: checking this certificate takes more than the {limit} bytes of memory allowed")
            }
            Self::Stopped => f.write_str("stopped before the certificate was checked"),
        }
    }
}

impl std::error::Error for VerifyError {}

/// Text from outside on one line, control characters escaped, cut after 400 characters: a position of most games whole.
pub(crate) fn shown(text: &str) -> String {
    const LONGEST: usize = 400;
    let mut short = String::with_capacity(text.len().min(LONGEST));
    let mut rest = text.chars();
    for c in rest.by_ref().take(LONGEST) {
        if c.is_control() { short.extend(c.escape_default()) } else { short.push(c) }
    }
    if rest.next().is_some() {
        short.push('…');
    }
    short
}

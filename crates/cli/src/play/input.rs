//! Lines from the person at the terminal, or from a script.

use std::io::{self, BufRead, IsTerminal, Read};

use crate::interrupt::Interrupts;
use crate::output::{self, Failure, visible};

/// Longest line that is read, in bytes.
const LONGEST: u64 = 1 << 16;

/// Standard input, line by line.
pub struct Input<'a> {
    interrupts: &'a Interrupts,
    terminal: bool,
}

impl<'a> Input<'a> {
    pub fn new(interrupts: &'a Interrupts) -> Self {
        Self { interrupts, terminal: io::stdin().is_terminal() }
    }

    /// What Ctrl-C is connected with.
    pub fn interrupts(&self) -> &'a Interrupts {
        self.interrupts
    }

    /// The next line, after a prompt; none at the end of the input. Where it does not come from a terminal it is shown, so
    /// that the output reads like a session.
    pub fn line(&self, prompt: &str) -> Result<Option<String>, Failure> {
        output::print(prompt)?;
        self.interrupts.waiting();
        let mut bytes = Vec::new();
        let mut stdin = io::stdin().lock();
        let read = stdin.by_ref().take(LONGEST).read_until(b'\n', &mut bytes);
        let read = read.map_err(|error| Failure::Failed(format!("cannot read standard input: {error}")))?;
        if read == 0 {
            output::print("\n")?;
            return Ok(None);
        }
        let text = String::from_utf8_lossy(&bytes).trim().to_string();
        if !self.terminal {
            output::print(&format!("{}\n", visible(&text)))?;
        }
        Ok(Some(text))
    }
}

//! What every command prints with: text, JSON, tables, one-line errors and exit codes.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

use clap::error::ErrorKind as Misuse;
use comfy_table::{CellAlignment, Table, presets};
use plyproof_engine::{Stopped, TextError};
use serde::Serialize;

use crate::interrupt;

/// Why a command did not do what was asked.
#[derive(Debug)]
pub enum Failure {
    /// It was asked for something sensible, and the answer is no or it did not work out: exit code 1.
    Failed(String),
    /// What was asked for makes no sense, as a game that does not exist or a move that is not legal: exit code 2.
    Misused(String),
    /// It was interrupted, and has printed what it had: exit code 130, or 143 after SIGTERM, without another word.
    Interrupted,
}

/// The exit code of a command that was interrupted by Ctrl-C.
pub const INTERRUPTED: u8 = 130;

/// What a command returns.
pub type Done = Result<(), Failure>;

impl Failure {
    /// A failure with this message.
    pub fn failed(message: impl Display) -> Self {
        Self::Failed(message.to_string())
    }

    /// A name or a parameter given on the command line is wrong.
    pub fn misused(error: TextError) -> Self {
        Self::Misused(error.to_string())
    }
}

/// Prints the error, if any, as one line, and says how the process ends.
pub fn exit_code(done: Done) -> ExitCode {
    let (message, code) = match done {
        Ok(()) => return ExitCode::SUCCESS,
        Err(Failure::Failed(message)) => (message, 1),
        Err(Failure::Misused(message)) => (message, 2),
        Err(Failure::Interrupted) => return ExitCode::from(interrupt::exit_code()),
    };
    // Nobody is left to tell if this fails.
    let _ = writeln!(io::stderr(), "plyproof: {}", shortened(&message));
    ExitCode::from(code)
}

/// Writes to standard output. A reader that has seen enough and closed the pipe is no error.
pub fn print(text: &str) -> Done {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::Failed(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Says something on standard error that is no failure.
pub fn note(text: &str) -> Done {
    // Nobody is left to tell if this fails.
    let _ = writeln!(io::stderr(), "plyproof: {}", shortened(text));
    Ok(())
}

/// Writes `value` as one line of JSON.
pub fn print_json(value: &impl Serialize) -> Done {
    let mut text = serde_json::to_string(value).map_err(Failure::failed)?;
    text.push('\n');
    print(&text)
}

/// Help is printed; any other message of the argument parser becomes a one-line error that names the `help` to read.
pub fn usage(error: &clap::Error, help: &str) -> Done {
    let text = error.render().to_string();
    if matches!(error.kind(), Misuse::DisplayHelp | Misuse::DisplayVersion) {
        return print(&text);
    }
    let paragraphs: Vec<String> = text
        .trim_start_matches("error: ")
        .split("\n\n")
        .take_while(|part| !part.starts_with("Usage:") && !part.starts_with("For more information"))
        .map(|part| part.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    Err(Failure::Misused(format!("{} ({help} says more)", paragraphs.join("; "))))
}

/// A table without lines; every column but the first is flushed right.
pub fn table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING).set_header(header);
    for (place, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        column.set_cell_alignment(if place == 0 { CellAlignment::Left } else { CellAlignment::Right });
    }
    table
}

/// The table as lines without spaces at their ends.
pub fn table_text(table: &Table) -> String {
    table.lines().fold(String::new(), |text, line| text + line.trim_end() + "\n")
}

/// `1234567` as `1,234,567`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 game`, `2 games`, `1 mismatch`, `0 mismatches`.
pub fn counted(number: u64, one: &str, more: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { more })
}

/// Why a search came to its end; it counts `units`.
pub fn reason(why: Stopped, units: &str) -> String {
    match why {
        Stopped::Simulations => format!("the limit of {units} was reached"),
        Stopped::Time => "the time was up".to_string(),
        Stopped::Proven => "the value is proven".to_string(),
        Stopped::NoSearchNeeded => "there was nothing to search".to_string(),
        Stopped::Cancelled => "interrupted".to_string(),
        Stopped::GameOver => "the game was over before the search began".to_string(),
        Stopped::Memory => "the memory was full".to_string(),
    }
}

/// Words after a label, in lines of at most 100 characters, the following lines indented.
pub fn wrapped(label: &str, words: &[String]) -> String {
    const WIDTH: usize = 100;
    let (mut text, mut length) = (label.trim_end().to_string(), label.trim_end().len());
    for (place, word) in words.iter().enumerate() {
        if place == 0 || length + 1 + word.len() > WIDTH {
            if place > 0 {
                text.push('\n');
                length = 0;
            }
            text.extend(std::iter::repeat_n(' ', label.len() - length));
            length = label.len();
        } else {
            text.push(' ');
            length += 1;
        }
        text += word;
        length += word.len();
    }
    text + "\n"
}

/// Text from outside made safe for a terminal: control characters escaped.
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
    }
    shown
}

/// One visible line that fits a screen.
fn shortened(text: &str) -> String {
    const LONGEST: usize = 1000;
    let mut short: String = visible(text).chars().take(LONGEST + 1).collect();
    if short.chars().count() > LONGEST {
        short.pop();
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_three() {
        let texts = [0, 999, 1000, 1_234_567, u64::MAX].map(grouped);
        assert_eq!(texts, ["0", "999", "1,000", "1,234,567", "18,446,744,073,709,551,615"]);
    }

    #[test]
    fn an_error_is_one_line_of_bounded_length() {
        let short = shortened(&"a\nb\u{1b}[31m".repeat(1000));
        assert!(short.starts_with("a\\nb\\u{1b}[31ma") && short.ends_with('…'));
        assert!(short.chars().count() == 1001 && !short.contains(char::is_control));
        assert_eq!(shortened("fine"), "fine");
    }
}

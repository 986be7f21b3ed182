//! The arguments that name a position: a game, where it starts, and what was played since.

use std::fs::File;
use std::io::{self, Read};

use clap::Args;
use plyproof_engine::units::{parse_count, size_text};
use plyproof_engine::{AnyGame, Registry, TextError, default_memory, machine_memory};

use crate::output::{Failure, grouped};

/// A position, as several commands take it.
#[derive(Args)]
pub struct Place {
    /// Game with its parameters, as in "breakthrough(size=5x6)"; `plyproof games` lists them
    pub game: String,
    #[command(flatten)]
    from: From,
}

/// Where a game starts, and what was played since.
#[derive(Args)]
pub struct From {
    /// Position to use instead of the start position: the text, - for standard input, or @FILE
    #[arg(long, value_name = "P")]
    position: Option<String>,
    /// Play these moves first, separated by spaces or commas: the text, - for standard input, or @FILE
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,
}

/// Longest text taken from a file or standard input, in bytes.
const LONGEST: u64 = 1 << 20;

impl Place {
    /// The position that is meant.
    pub fn open(&self, registry: &Registry) -> Result<Box<dyn AnyGame>, Failure> {
        self.from.apply(registry.open(&self.game).map_err(Failure::misused)?)
    }
}

impl From {
    /// The position that is meant in a game that is at its start.
    pub fn apply(&self, mut game: Box<dyn AnyGame>) -> Result<Box<dyn AnyGame>, Failure> {
        if [&self.position, &self.moves].iter().all(|argument| argument.as_deref() == Some("-")) {
            return Err(Failure::Misused("only one of --position and --moves can be standard input".to_string()));
        }
        if let Some(argument) = &self.position {
            game = game.parse_position(text_of(argument, "a position")?.trim()).map_err(Failure::misused)?;
        }
        if let Some(argument) = &self.moves {
            let text = text_of(argument, "a list of moves")?;
            let moves = text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
            for (place, word) in moves.enumerate() {
                game.play(word).map_err(|error: TextError| Failure::Misused(format!("move {}: {error}", place + 1)))?;
            }
        }
        Ok(game)
    }
}

/// A whole number on the command line.
pub fn whole(text: &str) -> Result<u64, String> {
    count(0, u64::MAX)(text)
}

/// What reads a whole number from `least` to `most`, written as people write counts.
pub fn count<T: TryFrom<u64>>(least: u64, most: u64) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync {
    move |text| {
        let number = parse_count(text).filter(|number| (least..=most).contains(number));
        number.and_then(|number| T::try_from(number).ok()).ok_or_else(|| {
            let most = if most == u64::MAX { "2^64-1".to_string() } else { grouped(most) };
            format!("not a whole number from {least} to {most}, as in 250, 1e3, 10k or 1_000")
        })
    }
}

/// Threads as `--threads` takes them.
pub fn threads(text: &str) -> Result<usize, String> {
    const MOST: usize = 1024;
    match text.parse() {
        Ok(threads @ 1..=MOST) => Ok(threads),
        _ => Err(format!("expected a number of threads from 1 to {MOST}")),
    }
}

/// Threads that the machine runs at once.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The bytes asked for with `--memory`, or a quarter of the machine's; more than the machine has is refused.
pub fn memory(asked: Option<u64>) -> Result<usize, Failure> {
    if let (Some(asked), Some(there)) = (asked, machine_memory())
        && asked > there
    {
        let (asked, there) = (size_text(asked), size_text(there));
        return Err(Failure::Misused(format!("--memory {asked} is more than the {there} this machine has")));
    }
    Ok(usize::try_from(asked.unwrap_or_else(default_memory)).unwrap_or(usize::MAX))
}

/// Bytes the program itself takes.
const PROGRAM: usize = 12_000_000;

/// The same without what the program itself takes, unless hardly anything would be left: for a table that is filled to
/// the last byte.
pub fn memory_beside_program(asked: Option<u64>) -> Result<usize, Failure> {
    let all = memory(asked)?;
    Ok(if all >= 4 * PROGRAM { all - PROGRAM } else { all })
}

/// The argument itself, or what standard input or a file holds.
fn text_of(argument: &str, what: &str) -> Result<String, Failure> {
    if argument == "-" {
        return read(io::stdin().lock(), "standard input", what);
    }
    match argument.strip_prefix('@') {
        Some(path) => {
            let file = File::open(path).map_err(|error| Failure::Failed(format!("{path}: {error}")))?;
            read(file, path, what)
        }
        None => Ok(argument.to_string()),
    }
}

fn read(source: impl Read, name: &str, what: &str) -> Result<String, Failure> {
    // The text stands for an argument: if it is wrong, the command is; if it cannot be read, that is a failure.
    let fault = |why: String| Failure::Misused(format!("{name}: {why}"));
    let mut bytes = Vec::new();
    let failed = |error: io::Error| Failure::Failed(format!("{name}: {error}"));
    source.take(LONGEST + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > LONGEST {
        return Err(fault(format!("too long for {what}: more than {} MB", LONGEST >> 20)));
    }
    String::from_utf8(bytes).map_err(|_| fault(format!("not {what}: it is not UTF-8 text")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endless_or_binary_input_is_refused() {
        let refused = |source: &mut dyn Read| match read(source, "here", "a position") {
            Err(Failure::Misused(message)) => message,
            other => panic!("{other:?}"),
        };
        assert_eq!(refused(&mut io::repeat(b'x')), "here: too long for a position: more than 1 MB");
        assert_eq!(refused(&mut &b"\xff\xfe"[..]), "here: not a position: it is not UTF-8 text");
        assert!(read(io::repeat(b'x').take(LONGEST), "here", "a position").is_ok());
    }
}

//! `plyproof rules`: what helps to write the rules of a game in a file.

mod check;
mod layout;

use std::fs::File;
use std::path::PathBuf;

use clap::Subcommand;
use plyproof_engine::lines::unpacked;
use plyproof_engine::rules::{AnyRules, FileError, Language, RulesError, read};
use plyproof_engine::{Spec, quoted};
use serde::Serialize;

use crate::input::whole;
use crate::output::{self, Done, Failure, counted, grouped};

/// Check, lay out and compare files with the rules of games
#[derive(clap::Args)]
#[command(subcommand_required = true, arg_required_else_help = false)]
#[command(after_help = "A rules file ends in .rbg (Regular Boardgames) or .kif (GDL).\n\nExamples:\n  \
    plyproof rules check mine.rbg\n  \
    plyproof rules fmt mine.rbg --write")]
pub struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Check(check::Arguments),
    Fmt(layout::Arguments),
    Replay(Replay),
    Expand(Expand),
}

/// Compare rules with positions, moves and results that another program has written down
#[derive(clap::Args)]
#[command(
    after_help = "The exit code is 1 if anything differs; the first difference is printed in full.\n\nExamples:\n  \
    plyproof rules replay mine.rbg mine.jsonl.gz\n  \
    plyproof rules replay mine.rbg mine.jsonl --lines 1e7 --json"
)]
struct Replay {
    /// The rules, which may have parameters
    #[arg(value_name = "FILE")]
    rules: String,
    /// Lines of JSON, plain or gzipped: the board and the counts of a game, then games move by move
    #[arg(value_name = "ORACLE")]
    oracle: PathBuf,
    /// Lines of play that are counted at most for each depth
    #[arg(long, value_name = "N", default_value = "1e6", value_parser = whole)]
    lines: u64,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

/// Write the rules with all macros and powers written out, as they are compiled
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  plyproof rules expand mine.rbg\n  plyproof rules expand \"mine.rbg(size=7)\"")]
struct Expand {
    /// The rules, which may have parameters
    #[arg(value_name = "FILE")]
    rules: String,
}

pub fn run(arguments: &Arguments) -> Done {
    match &arguments.what {
        What::Check(arguments) => check::run(arguments),
        What::Fmt(arguments) => layout::run(arguments),
        What::Replay(arguments) => replay(arguments),
        What::Expand(arguments) => expand(arguments),
    }
}

/// A rules file that was named, with changed values.
struct Named {
    file: String,
    language: Language,
    text: String,
    overrides: Vec<(String, String)>,
}

impl Named {
    /// Reads the file of a name such as `mine.rbg(size=7)`.
    fn read(name: &str) -> Result<Self, Failure> {
        let spec = Spec::parse(name).map_err(Failure::misused)?;
        let wrong = || {
            let form = "expected a file that ends in .rbg, .kif or .gdl, as in \"mine.rbg(size=7)\"";
            Failure::Misused(format!("{} is no rules file: {form}", quoted(name)))
        };
        let language = Language::of_file(&spec.name).ok_or_else(wrong)?;
        let unnamed = |value: &str| Failure::Misused(format!("{} needs a name, as in size={value}", quoted(value)));
        let overrides = spec.arguments.into_iter().map(|(name, value)| match name {
            Some(name) => Ok((name, value)),
            None => Err(unnamed(&value)),
        });
        let overrides = overrides.collect::<Result<_, _>>()?;
        let text = read(&spec.name).map_err(Failure::failed)?;
        Ok(Self { file: spec.name, language, text, overrides })
    }

    fn load(&self) -> Result<AnyRules, Failure> {
        AnyRules::load(self.language, &self.text, &self.overrides).map_err(|error| self.failure(error))
    }

    fn failure(&self, error: RulesError) -> Failure {
        Failure::failed(FileError { file: self.file.clone(), error })
    }
}

/// What `replay --json` prints.
#[derive(Serialize)]
struct Compared<'a> {
    rules: &'a str,
    oracle: String,
    positions: u64,
    games: u64,
    perft: u64,
    mismatch: Option<&'a str>,
}

fn replay(arguments: &Replay) -> Done {
    let named = Named::read(&arguments.rules)?;
    let rules = named.load()?;
    let oracle = arguments.oracle.display().to_string();
    let lines = File::open(&arguments.oracle).and_then(unpacked);
    let lines = lines.map_err(|error| Failure::Failed(format!("{oracle}: {error}")))?;
    let compared = rules.replay(lines, arguments.lines);
    let (found, mismatch) = match &compared {
        Ok(found) => (*found, None),
        Err(mismatch) => (Default::default(), Some(mismatch.as_str())),
    };
    if arguments.json {
        let (positions, games, perft) = (found.positions, found.games, found.perft);
        output::print_json(&Compared { rules: &named.file, oracle, positions, games, perft, mismatch })?;
    } else if let Some(mismatch) = mismatch {
        output::print(&format!("First mismatch\n  rules   {}\n  oracle  {oracle}\n  {mismatch}\n", named.file))?;
    } else {
        output::print(&format!(
            "{}, {}, {}, 0 mismatches\n",
            counted(found.games, "game", "games"),
            counted(found.positions, "position", "positions"),
            counted(found.perft, "count of lines of play", "counts of lines of play")
        ))?;
    }
    match mismatch {
        Some(_) => Err(Failure::Failed(format!("{} does not agree with {}", named.file, arguments.oracle.display()))),
        None if found.positions == 0 && found.perft == 0 => {
            Err(Failure::Failed(format!("{} has no game, so nothing was compared", arguments.oracle.display())))
        }
        None => Ok(()),
    }
}

fn expand(arguments: &Expand) -> Done {
    let named = Named::read(&arguments.rules)?;
    let rules = named.load()?;
    match rules.as_rbg() {
        Some(rules) => output::print(&format!("#rules = {}\n", rules.expanded())),
        None => Err(Failure::Misused(format!("{} has no macros; rules in RBG can be written out", named.file))),
    }
}

/// `12 (4 to 97)`.
fn spread(mean: f64, least: u64, most: u64) -> String {
    format!("{mean:.1} ({} to {})", grouped(least), grouped(most))
}

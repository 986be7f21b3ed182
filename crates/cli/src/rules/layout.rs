//! `plyproof rules fmt`: one layout for all rules files.

use std::io::Write;
use std::path::Path;

use plyproof_engine::WholeFile;
use plyproof_engine::rules::{FileError, Language, read};
use plyproof_rules::rbg;

use crate::output::{self, Done, Failure, counted, visible};

/// Lay out rules files in RBG: the same words, with the usual spaces and indentation
#[derive(clap::Args)]
#[command(
    after_help = "Without an option, the laid-out text is printed. Comments and line breaks stay; the digest of the \
    text changes, and certificates of the game with it.\n\nExamples:\n  \
    plyproof rules fmt mine.rbg\n  \
    plyproof rules fmt --write rules/*.rbg\n  \
    plyproof rules fmt --check rules/*.rbg"
)]
pub struct Arguments {
    /// Rules files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Change nothing, and end with code 1 if a file is laid out in another way
    #[arg(long, conflicts_with = "write")]
    check: bool,
    /// Write the text back to the file
    #[arg(long)]
    write: bool,
}

pub fn run(arguments: &Arguments) -> Done {
    if !arguments.check && !arguments.write && arguments.files.len() > 1 {
        return Err(Failure::Misused("several files need --write or --check".to_string()));
    }
    let mut other = 0;
    for file in &arguments.files {
        let text = read(file).map_err(Failure::failed)?;
        if Language::of(file, &text) != Language::Rbg {
            return Err(Failure::Failed(format!("{file} is not laid out: only rules in RBG (.rbg) are")));
        }
        let laid_out = rbg::format(&text);
        let laid_out = laid_out.map_err(|error| Failure::failed(FileError { file: file.clone(), error }))?;
        let changed = laid_out != text;
        if arguments.check && changed {
            other += 1;
            output::print(&format!("{}\n", visible(file)))?;
        } else if arguments.write && changed {
            let written = WholeFile::create(Path::new(file)).and_then(|mut out| {
                out.write_all(laid_out.as_bytes())?;
                out.finish()
            });
            written.map_err(|error| Failure::Failed(format!("{file}: {error}")))?;
        } else if !arguments.check && !arguments.write {
            output::print(&laid_out)?;
        }
    }
    match other {
        0 => Ok(()),
        other => Err(Failure::Failed(format!(
            "{} laid out in another way; `plyproof rules fmt --write` changes that",
            counted(other, "file is", "files are")
        ))),
    }
}

//! `plyproof replay`: games recorded by other programs, compared with the rules here.

use std::io;
use std::path::{Path, PathBuf};

use plyproof_engine::Registry;
use plyproof_lab::replay::{Mismatch, Report};

use crate::output::{self, Done, Failure, counted, grouped, visible};

/// Replay recorded games and compare mover, legal moves and result at every ply
#[derive(clap::Args)]
#[command(
    after_help = "A file has one game in each line, plain or gzipped. A game and each of its plies are written as:\n  \
    {\"game\": \"breakthrough\", \"plies\": [PLY, …], \"result\": 1}\n  \
    {\"mover\": 1, \"legal\": [\"a2a3\", …], \"move\": \"a2a3\"}\n\
    legal lists every legal move; result is 1, 0 or -1 for player 1, or null if it is unknown.\n\
    Game files, SGF, USI and KIF are read too (docs/game-files.md): their moves are checked by the rules.\n\
    The exit code is 1 if anything differs; the first difference is printed in full.\n\nExamples:\n  \
    plyproof replay games.jsonl.gz\n  \
    plyproof replay *.jsonl --json"
)]
pub struct Arguments {
    /// Files to replay; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(registry: &Registry, arguments: &Arguments) -> Done {
    let mut report = Report::default();
    let read = arguments.files.iter().try_for_each(|file| {
        if file == Path::new("-") {
            report.add_stream(registry, "standard input".to_string(), io::stdin())
        } else {
            report.add_file(registry, file)
        }
    });
    // A difference found before an unreadable line is worth knowing; counts of half a file are not.
    if read.is_ok() || report.mismatches > 0 {
        if arguments.json {
            output::print_json(&report)?;
        } else {
            output::print(&summary(&report))?;
        }
    }
    read.map_err(Failure::failed)?;
    if report.mismatches > 0 {
        return Err(Failure::Failed(format!(
            "{} in {}",
            counted(report.mismatches, "mismatch", "mismatches"),
            counted(report.games, "game", "games")
        )));
    }
    if let Some(empty) = report.files.iter().find(|file| file.games == 0) {
        let file = visible(&empty.file);
        return Err(Failure::Failed(format!(
            "{file} has no game, so nothing was compared; a record has one game in each line"
        )));
    }
    Ok(())
}

fn summary(report: &Report) -> String {
    let mut text = String::new();
    if report.files.len() > 1 {
        let mut table = output::table(&["file", "games", "plies", "mismatches"]);
        for file in &report.files {
            table.add_row([visible(&file.file), grouped(file.games), grouped(file.plies), grouped(file.mismatches)]);
        }
        text = output::table_text(&table) + "\n";
    }
    text += &format!(
        "{}, {}, {}\n",
        counted(report.games, "game", "games"),
        counted(report.plies, "ply", "plies"),
        counted(report.mismatches, "mismatch", "mismatches")
    );
    if let Some(mismatch) = &report.first_mismatch {
        text += &in_full(mismatch);
    }
    text
}

fn in_full(mismatch: &Mismatch) -> String {
    let look = format!("plyproof show \"{}\" --position \"{}\"", mismatch.game, mismatch.position);
    let list = |moves: &[String], where_legal: &str| {
        if moves.is_empty() { String::new() } else { format!("{} ({where_legal})", moves.join(" ")) }
    };
    let rows = [
        ("file", format!("{} line {}", mismatch.file, mismatch.line)),
        ("game", mismatch.game.clone()),
        ("ply", mismatch.ply.to_string()),
        ("position", mismatch.position.clone()),
        ("expected", mismatch.expected.clone()),
        ("found", mismatch.found.clone()),
        ("missing", list(&mismatch.missing, "legal in the record, not here")),
        ("extra", list(&mismatch.extra, "legal here, not in the record")),
        ("look", look),
    ];
    let mut text = "\nFirst mismatch\n".to_string();
    for (name, value) in rows.iter().filter(|(_, value)| !value.is_empty()) {
        text += &format!("  {name:9} {}\n", visible(value));
    }
    text
}

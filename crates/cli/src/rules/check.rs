//! `plyproof rules check`: errors with their places, and how the game plays.

use std::sync::Arc;
use std::time::Duration;

use plyproof_engine::rules::RulesError;
use plyproof_lab::CpuTime;
use plyproof_rules::check::{self, About, Clock, Limits, Named as Pair, Report, Start};
use plyproof_rules::excerpt;
use serde::Serialize;

use super::{Named, spread};
use crate::input::{count, whole};
use crate::output::{self, Done, Failure, counted, grouped, visible};

/// Check the rules of a game: errors with their places, the start, random games, and warnings
#[derive(clap::Args)]
#[command(
    after_help = "Random games are drawn from the seed and bounded by counts, so that the report is always the same one. \
    The exit code is 1 if the rules are wrong, and 0 with warnings.\n\nExamples:\n  \
    plyproof rules check mine.rbg\n  \
    plyproof rules check \"mine.rbg(size=7)\" --games 1000 --json"
)]
pub struct Arguments {
    /// The rules, which may have parameters
    #[arg(value_name = "FILE")]
    rules: String,
    /// Random games, 0 to 100000
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = count::<u32>(0, 100_000))]
    games: u32,
    /// Seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole)]
    seed: u64,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Json<'a> {
    file: &'a str,
    error: Option<Error<'a>>,
    report: Option<&'a Report>,
}

#[derive(Serialize)]
struct Error<'a> {
    line: u32,
    column: u32,
    message: &'a str,
    excerpt: Option<String>,
}

/// Processor seconds that a check with the usual number of games may take.
const MOST: f64 = 1.2;

pub fn run(arguments: &Arguments) -> Done {
    let clock = CpuTime::start();
    let named = Named::read(&arguments.rules)?;
    let usual = Limits::default();
    // Whoever asks for more games waits for them.
    let more = f64::from(arguments.games.max(usual.games)) / f64::from(usual.games);
    let limits = Limits {
        seed: arguments.seed,
        games: arguments.games,
        positions: (usual.positions as f64 * more) as u64,
        clock: Some(Clock {
            now: Arc::new(move || Duration::from_secs_f64(clock.seconds().max(0.0))),
            most: Duration::from_secs_f64(MOST * more),
        }),
        ..usual
    };
    match check::check(named.language, &named.text, &named.overrides, &limits) {
        Ok(report) => {
            if arguments.json {
                output::print_json(&Json { file: &named.file, error: None, report: Some(&report) })?;
            } else {
                output::print(&text(&named.file, &report))?;
            }
            match &report.violation {
                Some(violation) => {
                    let broken = "the game breaks a promise that searches rely on";
                    Err(Failure::Failed(format!("{}: {broken}: {violation}", named.file)))
                }
                None => Ok(()),
            }
        }
        Err(error) => {
            let excerpt = excerpt(&named.text, &error);
            if arguments.json {
                let RulesError { line, column, message } = &error;
                let error = Error { line: *line, column: *column, message, excerpt };
                output::print_json(&Json { file: &named.file, error: Some(error), report: None })?;
            } else if let Some(excerpt) = excerpt {
                output::print(&format!("{excerpt}\n"))?;
            }
            Err(named.failure(error))
        }
    }
}

fn text(file: &str, report: &Report) -> String {
    let title = report.title.as_deref().unwrap_or("no title in the first line");
    let Start { board, position, to_move, legal_moves, first_moves } = &report.start;
    let mut text = format!("{}: {}\n\n{board}\n\n", visible(file), visible(title));
    let yes = |yes: bool| if yes { "yes" } else { "no" }.to_string();
    let pairs = |pairs: &[Pair], between: &str| {
        let pairs = pairs.iter().map(|Pair { name, value }| format!("{name}{between}{}", one_line(value)));
        pairs.collect::<Vec<_>>().join(", ")
    };
    let mut rows = vec![("language", report.language.clone()), ("players", report.players.join(", "))];
    if let Some(sizes) = &report.sizes {
        rows.push(("pieces", pairs(&sizes.pieces, " ")));
        rows.push(("variables", pairs(&sizes.variables, " up to ")));
        rows.push((
            "sizes",
            format!(
                "{}, {}, {}",
                counted(sizes.cells as u64, "cell", "cells"),
                counted(sizes.modifiers as u64, "modifier", "modifiers"),
                counted(sizes.look_aheads as u64, "look-ahead", "look-aheads")
            ),
        ));
    }
    if !report.parameters.is_empty() {
        rows.push(("parameters", pairs(&report.parameters, "=")));
    }
    rows.push(("draws possible", yes(report.may_draw)));
    rows.push(("positions repeat", yes(report.may_repeat)));
    rows.push(("position", position.clone()));
    let more = if *legal_moves > first_moves.len() { " …" } else { "" };
    let mover = to_move.and_then(|seat| report.players.get(seat - 1));
    let mover = mover.map_or_else(|| "nobody".to_string(), |name| name.clone());
    rows.push(("to move", mover));
    rows.push(("first moves", format!("{}: {}{more}", grouped(*legal_moves as u64), first_moves.join(" "))));
    rows.push(("perft", report.perft.iter().map(|&lines| grouped(lines)).collect::<Vec<_>>().join(", ")));
    let games = &report.games;
    let won = report.players.iter().zip(games.wins).map(|(name, wins)| format!("{name} won {}", grouped(wins)));
    let mut results = won.collect::<Vec<_>>();
    results.push(format!("{} drawn", grouped(games.draws)));
    if games.cut > 0 {
        results.push(format!("{} not over", grouped(games.cut)));
    }
    rows.push(("random games", format!("{}: {}", grouped(games.played), results.join(", "))));
    if games.played > 0 {
        rows.push(("moves of a game", spread(games.mean_plies, games.shortest, games.longest)));
    }
    rows.push(("legal moves", format!("{:.1}, {} at most", games.mean_moves, grouped(games.most_moves))));
    rows.push((
        "promises",
        match report.contract {
            Some(positions) => format!("kept at {}", counted(positions, "position", "positions")),
            None if report.violation.is_some() => "broken".to_string(),
            None => "not tested, there was no time".to_string(),
        },
    ));
    rows.push(("digest", report.digest.clone()));
    for (label, value) in rows {
        text += &format!("  {label:17} {}\n", visible(&value));
    }
    if report.warnings.is_empty() {
        return text + "\nno warnings\n";
    }
    text += &format!("\n{}\n", counted(report.warnings.len() as u64, "warning", "warnings"));
    for warning in &report.warnings {
        let about = match warning.about {
            About::Text => "text",
            About::Play => "play",
            About::Speed => "speed",
        };
        text += &format!("  {about:6} {}\n", visible(&warning.message));
    }
    text
}

/// A value on one line, and not more of it than is read at a glance.
fn one_line(value: &str) -> String {
    const LONGEST: usize = 40;
    let line = value.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.chars().count() {
        0..=LONGEST => line,
        _ => line.chars().take(LONGEST - 1).chain(['…']).collect(),
    }
}

//! `plyproof report`: the results of recorded matches.

use std::path::{Path, PathBuf};

use plyproof_lab::matches::{self, Merged, Summary};
use plyproof_lab::plot::of_matches;
use serde::Serialize;

use crate::matches::failure;
use crate::output::{self, Done, Failure, counted, grouped, visible};
use crate::summary_text::{self, percent, record};

/// Summarise recorded matches; records with the same configuration are parts of one match
#[derive(clap::Args)]
#[command(after_help = "A game that is in several files counts once. Records may be gzipped.\n\nExamples:\n  \
    plyproof report loa.jsonl\n  \
    plyproof report part*.jsonl --format md\n  \
    plyproof report *.jsonl --format csv > results.csv\n  \
    plyproof report *.jsonl --plot matches.svg")]
pub struct Arguments {
    /// Records written by `plyproof match --out` or `plyproof tournament --out`
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Format of the summary
    #[arg(long, value_name = "F", default_value = "table")]
    format: Format,
    /// Also draw the win rates with their intervals into a .svg, .png or .pdf file
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Format {
    /// Text: one match in full, several as a table
    Table,
    /// A list with an object for each match
    Json,
    /// A line for each match
    Csv,
    /// A Markdown table
    Md,
}

/// A match in JSON: its summary and where it was found.
#[derive(Serialize)]
struct Found<'a> {
    #[serde(flatten)]
    summary: &'a Summary,
    files: Vec<String>,
    repeated: u32,
    torn: Vec<String>,
}

pub fn run(arguments: &Arguments) -> Done {
    if let Some(path) = &arguments.plot {
        refuse_other_figures(path)?;
    }
    let found = matches::merge(&arguments.files).map_err(failure)?;
    if let Some(path) = &arguments.plot {
        plot(&found, path)?;
    }
    match arguments.format {
        Format::Table => output::print(&table(&found)),
        Format::Json => {
            let names = |files: &[PathBuf]| files.iter().map(|file| file.display().to_string()).collect();
            let listed = found.iter().map(|merged| Found {
                summary: &merged.summary,
                files: names(&merged.files),
                repeated: merged.repeated,
                torn: names(&merged.torn),
            });
            output::print_json(&listed.collect::<Vec<_>>())
        }
        Format::Csv => output::print(&csv(&found)),
        Format::Md => output::print(&markdown(&found)),
    }
}

const HEADER: [&str; 9] = ["game", "A", "B", "games", "A's results", "score", "win rate", "95 % interval", "Elo"];

fn row(summary: &Summary) -> [String; 9] {
    let interval = summary.wilson95.map(|[low, high]| format!("{:.1} to {:.1}", 100.0 * low, 100.0 * high));
    [
        summary.game.clone(),
        summary.side_a.spec.to_string(),
        summary.side_b.spec.to_string(),
        if summary.complete {
            grouped(summary.games.into())
        } else {
            format!("{} (gaps)", grouped(summary.games.into()))
        },
        record(summary.wins, summary.draws, summary.losses),
        percent(summary.score),
        percent(summary.win_rate_without_draws),
        interval.unwrap_or("-".to_string()),
        if summary.games == 0 { "-".to_string() } else { summary_text::elo(summary) },
    ]
}

/// A figure of another kind is refused before any record is read.
fn refuse_other_figures(path: &Path) -> Done {
    let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
    if ending.is_some_and(|ending| ["svg", "png", "pdf"].iter().any(|known| ending == *known)) {
        return Ok(());
    }
    Err(Failure::Misused(format!("{}: a figure is a .svg, .png or .pdf file", path.display())))
}

fn plot(found: &[Merged], path: &Path) -> Done {
    let label = |summary: &Summary| format!("{}: {} – {}", summary.game, summary.side_a.spec, summary.side_b.spec);
    let rows = found.iter().map(|merged| (label(&merged.summary), Some(&merged.summary)));
    let drawn = of_matches("Matches", rows).save(path).map_err(Failure::failed)?;
    drawn.warning.map_or(Ok(()), |warning| output::note(&warning))
}

fn table(found: &[Merged]) -> String {
    let mut text = match found {
        [one] => summary_text::text(&one.summary),
        several => {
            let mut table = output::table(&HEADER);
            for merged in several {
                table.add_row(row(&merged.summary));
            }
            output::table_text(&table)
        }
    };
    for merged in found {
        for torn in &merged.torn {
            text += &format!("\n{}: the last line is cut and not counted\n", visible(&torn.display().to_string()));
        }
        if merged.repeated > 0 {
            let games = counted(merged.repeated.into(), "game was", "games were");
            text += &format!("\n{}: {games} found more than once and counted once\n", merged.summary.game);
        }
    }
    text
}

fn markdown(found: &[Merged]) -> String {
    let line = |cells: &[String]| {
        format!("| {} |\n", cells.iter().map(|c| c.replace('|', "\\|")).collect::<Vec<_>>().join(" | "))
    };
    let mut text = line(&HEADER.map(str::to_string));
    text += "|---|---|---|---:|---|---:|---:|---|---|\n";
    for merged in found {
        text += &line(&row(&merged.summary));
    }
    text
}

fn csv(found: &[Merged]) -> String {
    let mut text = String::from(
        "game,a,b,games,wins,draws,losses,score,win_rate_without_draws,wilson95_low,wilson95_high,normal95_error,elo,\
         elo95_low,elo95_high,pairs_0,pairs_half,pairs_1,pairs_1half,pairs_2,mean_plies,seed,complete\n",
    );
    for Merged { summary, .. } in found {
        let number = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.6}"));
        let wilson = |end: usize| number(summary.wilson95.map(|interval| interval[end]));
        let mut cells = vec![
            quoted(&summary.game),
            quoted(&summary.side_a.spec.to_string()),
            quoted(&summary.side_b.spec.to_string()),
        ];
        cells.extend([summary.games, summary.wins, summary.draws, summary.losses].map(|count| count.to_string()));
        cells.extend([number(summary.score), number(summary.win_rate_without_draws), wilson(0), wilson(1)]);
        cells.extend([summary.normal95_error, summary.elo, summary.elo95[0], summary.elo95[1]].map(number));
        cells.extend(summary.pentanomial.map(|count| count.to_string()));
        cells.extend([number(summary.mean_plies), summary.seed.to_string(), summary.complete.to_string()]);
        text += &(cells.join(",") + "\n");
    }
    text
}

/// A field of a CSV line.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_string() }
}

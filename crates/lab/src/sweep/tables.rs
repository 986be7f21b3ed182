//! Results as Markdown and CSV.

use plyproof_engine::units::duration_text;
use std::time::Duration;

use crate::matches::{SideSpec, Summary};
use crate::plot::{Figure, of_matches};
use crate::sweep::results::{CellResult, Results};

/// The results as a Markdown table, with a heading and a note on how to read it.
pub fn markdown(results: &Results) -> String {
    let header = ["cell", "A", "B", "games", "won / drawn / lost", "win rate (%)", "95 % interval", "score (%)"];
    let rows: Vec<Vec<String>> = results
        .cells
        .iter()
        .map(|cell| {
            let mut row = vec![cell.id.clone()];
            let Some(summary) = &cell.summary else {
                row.resize(header.len(), "–".to_string());
                return row;
            };
            let (a, b) = (&summary.side_a.spec, &summary.side_b.spec);
            row.extend([a, b].map(|spec| format!("{}, {}", spec.agent, budget_text(spec))));
            row.extend([games_text(summary), outcome_text(summary)]);
            row.extend([percent_text(summary.win_rate_without_draws), interval_text(summary.wilson95)]);
            row.push(percent_text(summary.score));
            row
        })
        .collect();
    let ended = results.cells.iter().filter_map(|cell| cell.summary.as_ref()).any(|summary| verdict(summary).is_some());
    let note =
        if ended { "*: ended by a sequential test, so that the rate is likely too far from 50 %.\n" } else { "" };
    format!(
        "## {}\n\n{}\nWin rates are A's and leave draws out; intervals are Wilson's. A score counts a draw half.\n{note}",
        results.title,
        table_lines(&header, &rows)
    )
}

/// The results as a figure: a bar a cell.
pub fn figure(results: &Results) -> Figure {
    of_matches(&results.title, results.cells.iter().map(|cell| (cell.id.clone(), cell.summary.as_ref())))
}

/// The lines of a Markdown table.
pub(crate) fn table_lines(header: &[&str], rows: &[Vec<String>]) -> String {
    let line = |cells: &mut dyn Iterator<Item = &str>| {
        let safe: Vec<String> = cells.map(|cell| cell.replace('|', "\\|").replace(['\n', '\r'], " ")).collect();
        format!("| {} |\n", safe.join(" | "))
    };
    let mut text = line(&mut header.iter().copied());
    text += &format!("|---{}|\n", "|---:".repeat(header.len().saturating_sub(1)));
    for row in rows {
        text += &line(&mut row.iter().map(String::as_str));
    }
    text
}

/// `173 sims`, `1 s`, or both.
pub(crate) fn budget_text(spec: &SideSpec) -> String {
    let sims = spec.simulations.map(|sims| format!("{sims} {}", if sims == 1 { "sim" } else { "sims" }));
    let time = spec.time_us.map(|time| duration_text(Duration::from_micros(time)));
    sims.into_iter().chain(time).collect::<Vec<_>>().join(", ")
}

/// The games played, and how many were planned if some are missing; a star where a sequential test had its answer.
pub(crate) fn games_text(summary: &Summary) -> String {
    match verdict(summary) {
        Some(_) => format!("{}*", summary.games),
        None if summary.complete => summary.games.to_string(),
        None => format!("{} of {}", summary.games, summary.planned),
    }
}

/// What a sequential test came to, if it ended the cell.
fn verdict(summary: &Summary) -> Option<&'static str> {
    summary.sprt.as_ref()?.verdict
}

/// `203 / 2 / 45`.
pub(crate) fn outcome_text(summary: &Summary) -> String {
    format!("{} / {} / {}", summary.wins, summary.draws, summary.losses)
}

/// A share in percent, to one decimal.
pub(crate) fn percent_text(share: Option<f64>) -> String {
    share.map_or("–".to_string(), |share| format!("{:.1}", 100.0 * share))
}

/// The ends of an interval in percent.
pub(crate) fn interval_text(interval: Option<[f64; 2]>) -> String {
    interval.map_or("–".to_string(), |[low, high]| format!("{:.1}–{:.1}", 100.0 * low, 100.0 * high))
}

/// The results as lines of comma-separated values, a column for each name of the grid.
pub(super) fn csv(results: &Results) -> String {
    let mut names: Vec<&str> = results.cells.iter().flat_map(|cell| cell.values.keys().map(String::as_str)).collect();
    names.sort_unstable();
    names.dedup();
    let mut header: Vec<String> = ["id", "label"].map(str::to_string).to_vec();
    header.extend(names.iter().map(|name| name.to_string()));
    let fixed = "game,a,sims_a,seconds_a,b,sims_b,seconds_b,games,planned,wins,draws,losses,win_rate_without_draws,\
                 wilson95_low,wilson95_high,normal95_error,score,elo,mean_plies,seed,verdict,record";
    let mut text = format!("{},{fixed}\n", header.iter().map(|name| field(name)).collect::<Vec<_>>().join(","));
    for cell in &results.cells {
        text += &csv_line(cell, &names);
    }
    text
}

fn csv_line(cell: &CellResult, names: &[&str]) -> String {
    let mut cells = vec![field(&cell.id), field(&cell.label)];
    cells.extend(names.iter().map(|name| field(cell.values.get(*name).map_or("", String::as_str))));
    let number = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.6}"));
    if let Some(summary) = &cell.summary {
        cells.push(field(&summary.game));
        for spec in [&summary.side_a.spec, &summary.side_b.spec] {
            let sims = spec.simulations.map_or(String::new(), |sims| sims.to_string());
            let seconds = spec.time_us.map_or(String::new(), |time| format!("{}", time as f64 / 1e6));
            cells.extend([field(&spec.agent), sims, seconds]);
        }
        let counts = [summary.games, summary.planned, summary.wins, summary.draws, summary.losses];
        cells.extend(counts.map(|count| count.to_string()));
        let [low, high] = summary.wilson95.map_or([None, None], |interval| interval.map(Some));
        let shares = [summary.win_rate_without_draws, low, high, summary.normal95_error, summary.score];
        cells.extend(shares.map(number));
        cells.extend([number(summary.elo), number(summary.mean_plies), summary.seed.to_string()]);
        cells.push(verdict(summary).unwrap_or_default().to_string());
    } else {
        cells.extend(vec![String::new(); 21]);
    }
    cells.push(field(&cell.record));
    cells.join(",") + "\n"
}

fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_string() }
}

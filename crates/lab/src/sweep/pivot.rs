//! Results of a sweep by the variables of its grid: a table with a row for each value of one and a column for each value
//! of another, as Markdown and as LaTeX, and a figure with lines over one variable.

use std::collections::BTreeSet;

use plyproof_engine::{TextError, quoted};

use crate::matches::Summary;
use crate::plot::{Axis, Figure, Line, LineChart, Marker, Point, Scale, Series};
use crate::sweep::results::{CellResult, Results};
use crate::sweep::tables::{interval_text, percent_text, table_lines};

/// Win rates by two variables.
#[derive(Clone, Debug, PartialEq)]
pub struct Pivot {
    /// The variable of the rows, and the one of the columns.
    names: [String; 2],
    columns: Vec<String>,
    /// For each row its name, and what each of its cells says.
    rows: Vec<(String, Vec<String>)>,
}

/// What every cell has besides its grid.
const LABEL: &str = "label";
const GAME: &str = "game";

impl Pivot {
    /// The win rates of A with a row for each value of `row` and a column for each value of `column`. Both are variables of
    /// the grid, or `label` or `game`. Cells that agree in both share a place.
    pub fn new(results: &Results, row: &str, column: &str) -> Result<Self, TextError> {
        if row == column {
            return Err(TextError::new(format!(
                "a table of {} by itself says nothing; give two variables",
                quoted(row)
            )));
        }
        let [rows, columns] = [row, column].map(|name| values(results, name));
        let (rows, columns) = (rows?, columns?);
        let place = |wanted: [&str; 2]| {
            let here = results.cells.iter().filter(|cell| {
                [row, column].iter().zip(wanted).all(|(name, value)| value_of(cell, name).as_deref() == Some(value))
            });
            let texts: Vec<String> = here.map(|cell| rate(cell.summary.as_ref())).collect();
            if texts.is_empty() { "–".to_string() } else { texts.join("; ") }
        };
        let rows = rows.iter().map(|row| (row.clone(), columns.iter().map(|column| place([row, column])).collect()));
        Ok(Self { names: [row.to_string(), column.to_string()], rows: rows.collect(), columns: columns.clone() })
    }

    /// The table as Markdown.
    pub fn markdown(&self) -> String {
        let corner = self.names.join(" \\ ");
        let header: Vec<&str> =
            std::iter::once(corner.as_str()).chain(self.columns.iter().map(String::as_str)).collect();
        let rows = self.rows.iter().map(|(name, cells)| std::iter::once(name.clone()).chain(cells.clone()).collect());
        table_lines(&header, &rows.collect::<Vec<_>>()) + NOTE
    }

    /// The table as LaTeX, for the package booktabs.
    pub fn latex(&self) -> String {
        let mut text = format!("% {NOTE}\\begin{{tabular}}{{l{}}}\n\\toprule\n", "r".repeat(self.columns.len()));
        let columns: Vec<String> = self.columns.iter().map(|column| escaped(column)).collect();
        text += &format!("{} & {} \\\\\n\\midrule\n", escaped(&self.names.join(" / ")), columns.join(" & "));
        for (name, cells) in &self.rows {
            let cells: Vec<String> = cells.iter().map(|cell| escaped(cell)).collect();
            text += &format!("{} & {} \\\\\n", escaped(name), cells.join(" & "));
        }
        text + "\\bottomrule\n\\end{tabular}\n"
    }
}

const NOTE: &str = "Win rates of A in per cent without draws, with Wilson's 95 % interval.\n";

/// All results as a LaTeX table, a row for each cell.
pub fn latex(results: &Results) -> String {
    let mut text = format!("% {NOTE}\\begin{{tabular}}{{lrrrr}}\n\\toprule\n");
    text += "cell & games & win rate (\\%) & 95 \\% interval & score (\\%) \\\\\n\\midrule\n";
    for cell in &results.cells {
        let shares = match &cell.summary {
            Some(summary) => [
                summary.games.to_string(),
                percent_text(summary.win_rate_without_draws),
                interval_text(summary.wilson95),
                percent_text(summary.score),
            ],
            None => ["0", "–", "–", "–"].map(str::to_string),
        };
        let shares = shares.map(|share| escaped(&share));
        text += &format!("{} & {} \\\\\n", escaped(&cell.id), shares.join(" & "));
    }
    text + "\\bottomrule\n\\end{tabular}\n"
}

/// The win rates of A over a variable of the grid whose values are numbers: a line for each choice of the others.
pub fn lines(results: &Results, over: &str) -> Result<Figure, TextError> {
    let all = values(results, over)?;
    if let Some(word) = all.iter().find(|value| value.parse::<f64>().is_err()) {
        let what =
            format!("{} has the value {}, which is not a number; lines go over numbers", quoted(over), quoted(word));
        return Err(TextError::new(what));
    }
    let name = |cell: &CellResult| {
        let others =
            cell.values.iter().filter(|(name, _)| *name != over).map(|(name, value)| format!("{name}={value}"));
        let label = (!cell.label.is_empty()).then(|| cell.label.clone());
        label.into_iter().chain(others).collect::<Vec<_>>().join(", ")
    };
    let mut series: Vec<(String, Vec<Point>)> = Vec::new();
    for cell in results.cells.iter().filter(|cell| cell.values.contains_key(over)) {
        let (Some(x), Some(summary)) = (cell.number(over), &cell.summary) else { continue };
        let Some(rate) = summary.win_rate_without_draws else { continue };
        let mut point = Point::new(x, 100.0 * rate);
        point.interval = summary.wilson95.map(|[low, high]| (100.0 * low, 100.0 * high));
        let name = name(cell);
        match series.iter_mut().find(|(known, _)| *known == name) {
            Some((_, points)) => points.push(point),
            None => series.push((name, vec![point])),
        }
    }
    if series.is_empty() {
        return Err(TextError::new(format!("no cell with a value of {} has a decided game yet", quoted(over))));
    }
    let numbers: Vec<f64> = all.iter().filter_map(|value| value.parse().ok()).filter(|x| *x > 0.0).collect();
    let (least, most) = numbers.iter().fold((f64::MAX, 0.0_f64), |(low, high), &x| (low.min(x), high.max(x)));
    // Values over more than two powers of ten are drawn by their powers.
    let scale = if most > 100.0 * least { Scale::Log } else { Scale::Linear };
    let series = series.into_iter().enumerate().map(|(place, (name, mut points))| {
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        Series::new(
            name,
            points,
            Marker::ALL[place % Marker::ALL.len()],
            LINES[place / Marker::ALL.len() % LINES.len()],
        )
    });
    let chart = LineChart {
        title: results.title.clone(),
        x: Axis::new(over, scale),
        y: Axis::new("win rate of A without draws (%)", Scale::Linear).range(0.0, 100.0),
        series: series.collect(),
        reference: Some(50.0),
    };
    Ok(chart.figure())
}

const LINES: [Line; 3] = [Line::Solid, Line::Dashed, Line::Dotted];

/// The values of a variable in the order in which the cells have them, numbers by size.
fn values(results: &Results, name: &str) -> Result<Vec<String>, TextError> {
    let (mut values, mut seen) = (Vec::new(), BTreeSet::new());
    for value in results.cells.iter().filter_map(|cell| value_of(cell, name)) {
        if seen.insert(value.clone()) {
            values.push(value);
        }
    }
    if values.is_empty() {
        let mut known: BTreeSet<&str> =
            results.cells.iter().flat_map(|c| c.values.keys().map(String::as_str)).collect();
        known.extend([GAME, LABEL]);
        let known: Vec<&str> = known.into_iter().collect();
        return Err(TextError::new(format!(
            "{} is no variable of the grid; known are {}",
            quoted(name),
            known.join(", ")
        )));
    }
    if values.iter().all(|value| value.parse::<f64>().is_ok()) {
        values.sort_by(|a, b| a.parse::<f64>().unwrap_or(0.0).total_cmp(&b.parse().unwrap_or(0.0)));
    }
    Ok(values)
}

fn value_of(cell: &CellResult, name: &str) -> Option<String> {
    let own = cell.values.get(name).cloned();
    own.or_else(|| match name {
        LABEL => Some(cell.label.clone()),
        GAME => cell.summary.as_ref().map(|summary| summary.game.clone()),
        _ => None,
    })
}

fn rate(summary: Option<&Summary>) -> String {
    let Some(summary) = summary else { return "–".to_string() };
    let rate = percent_text(summary.win_rate_without_draws);
    match summary.wilson95 {
        Some(_) => format!("{rate} ({})", interval_text(summary.wilson95)),
        None => rate,
    }
}

/// Text with what has a meaning in LaTeX written so that it is printed.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => escaped.extend(['\\', c]),
            '\\' => escaped.push_str("\\textbackslash{}"),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '–' => escaped.push_str("--"),
            c => escaped.push(c),
        }
    }
    escaped
}

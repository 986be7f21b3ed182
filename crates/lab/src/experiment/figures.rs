//! The figures of the experiments: ours filled and joined, the paper's empty.

use crate::experiment::{Experiment, paper};
use crate::plot::{Axis, Bar, BarChart, Cluster, Figure, Group, Line, LineChart, Marker, Point, Scale, Series};
use crate::sweep::{CellResult, Mode, Results};

/// The names of the figures, without an extension.
pub(super) const FIGURES: [(Experiment, &str); 5] = [
    (Experiment::Overhead, "speed-ratio"),
    (Experiment::PnParameter, "win-rate-by-weight"),
    (Experiment::TimeSettings, "win-rate-by-time"),
    (Experiment::Domains, "win-rate-by-game"),
    (Experiment::FixedSimulations, "win-rate-fixed-simulations"),
];

/// The name of the figure of `experiment`.
pub(super) fn name_of(experiment: Experiment) -> &'static str {
    FIGURES.iter().find(|(of, _)| *of == experiment).map_or("figure", |(_, name)| name)
}

pub(super) fn of_sweep(experiment: Experiment, results: &Results) -> Vec<(&'static str, Figure)> {
    let figure = match experiment {
        Experiment::Overhead => return Vec::new(),
        Experiment::PnParameter => {
            let x = Axis::new("weight of the proof numbers, C_{pn}", Scale::Log);
            curves(experiment, results, "Weight of the proof numbers", x, "pn")
        }
        Experiment::TimeSettings => {
            let label =
                if results.is(Mode::Paper) { "time a move on the paper's machine (s)" } else { "time a move (s)" };
            curves(experiment, results, "Time settings", Axis::new(label, Scale::Log), "seconds")
        }
        Experiment::Domains => grouped(experiment, results, "Five games", "seconds", &|value| format!("{value} s")),
        Experiment::FixedSimulations => {
            let weight = |value: &str| {
                if value == "1e6" { "C_{pn} = 10^{6}".to_string() } else { format!("C_{{pn}} = {value}") }
            };
            grouped(experiment, results, "1,000 simulations a move", "pn", &weight)
        }
    };
    vec![(name_of(experiment), figure)]
}

const RATE: &str = "win rate of PN-MCTS (%)";

/// `LOA 7x7` as people print it.
pub(super) fn pretty(label: &str) -> String {
    label.replace("7x7", "7×7").replace("8x8", "8×8")
}

/// Labels in the order in which they come first.
fn labels(results: &Results) -> Vec<&str> {
    let mut labels: Vec<&str> = Vec::new();
    for cell in &results.cells {
        if !labels.contains(&cell.label.as_str()) {
            labels.push(&cell.label);
        }
    }
    labels
}

/// The win rate of a cell in percent and its interval.
fn measured(cell: &CellResult) -> Option<(f64, Option<(f64, f64)>)> {
    let summary = cell.summary.as_ref()?;
    let interval = summary.wilson95.map(|[low, high]| (100.0 * low, 100.0 * high));
    Some((100.0 * summary.win_rate_without_draws?, interval))
}

/// The same of the paper.
fn printed(experiment: Experiment, cell: &CellResult) -> Option<(f64, Option<(f64, f64)>)> {
    let printed = paper().cell(experiment.name(), &cell.id)?;
    Some((printed.win_rate?, printed.interval()))
}

fn curves(experiment: Experiment, results: &Results, title: &str, x: Axis, value: &str) -> Figure {
    let point = |cell: &CellResult, (y, interval): (f64, Option<(f64, f64)>)| {
        Some(Point { x: cell.number(value)?, y, interval })
    };
    let (mut ours, mut papers) = (Vec::new(), Vec::new());
    for (place, label) in labels(results).into_iter().enumerate() {
        let cells = || results.cells.iter().filter(move |cell| cell.label == label);
        let (marker, line) =
            (Marker::ALL[place % Marker::ALL.len()], [Line::Solid, Line::Dashed, Line::Dotted][place % 3]);
        let points = cells().filter_map(|cell| point(cell, measured(cell)?)).collect();
        ours.push(Series::new(format!("{}, plyproof", pretty(label)), points, marker, line));
        let points: Vec<Point> = cells().filter_map(|cell| point(cell, printed(experiment, cell)?)).collect();
        if !points.is_empty() {
            papers.push(Series::new(format!("{}, paper", pretty(label)), points, marker, Line::None).hollow());
        }
    }
    ours.extend(papers);
    let y = Axis::new(RATE, Scale::Linear).range(0.0, 100.0);
    LineChart {
        title: format!("PN-MCTS against MCTS: {}", lower_first(title)),
        x,
        y,
        series: ours,
        reference: Some(50.0),
    }
    .figure()
}

fn grouped(
    experiment: Experiment,
    results: &Results,
    title: &str,
    value: &str,
    name: &dyn Fn(&str) -> String,
) -> Figure {
    let bar = |found: Option<(f64, Option<(f64, f64)>)>| found.map(|(value, interval)| Bar { value, interval });
    let groups = labels(results)
        .into_iter()
        .map(|label| Group {
            label: pretty(label),
            clusters: results
                .cells
                .iter()
                .filter(|cell| cell.label == label)
                .map(|cell| Cluster {
                    label: name(cell.values.get(value).map_or("", String::as_str)),
                    bars: vec![bar(measured(cell)), bar(printed(experiment, cell))],
                })
                .collect(),
        })
        .collect();
    BarChart {
        title: format!("PN-MCTS against MCTS: {}", lower_first(title)),
        y: Axis::new(RATE, Scale::Linear).range(0.0, 100.0),
        series: vec!["plyproof".to_string(), "paper".to_string()],
        groups,
        reference: Some(50.0),
    }
    .figure()
}

fn lower_first(title: &str) -> String {
    let mut rest = title.chars();
    rest.next().map_or(String::new(), |first| first.to_lowercase().chain(rest).collect())
}

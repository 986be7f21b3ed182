//! Win rates of matches as a figure.

use super::axis::{Axis, Scale};
use super::figure::Figure;
use super::rows::{Row, RowChart};
use crate::matches::Summary;

/// A bar for the win rate of A in each match, with Wilson's interval; none for a match without a decided game.
pub fn of_matches<'a>(title: &str, matches: impl Iterator<Item = (String, Option<&'a Summary>)>) -> Figure {
    let row = |(label, summary): (String, Option<&Summary>)| {
        let rate = summary.and_then(|summary| summary.win_rate_without_draws).map(|rate| 100.0 * rate);
        let interval = summary.and_then(|summary| summary.wilson95).map(|ends| ends.map(|end| 100.0 * end));
        let note = match (rate, interval) {
            (Some(rate), Some([low, high])) => format!("{rate:.1} ({low:.1}–{high:.1})"),
            _ => "–".to_string(),
        };
        Row { label, value: rate.unwrap_or(f64::NAN), interval: interval.map(|[low, high]| (low, high)), note }
    };
    RowChart {
        title: title.to_string(),
        x: Axis::new("win rate of A without draws (%)", Scale::Linear).range(0.0, 100.0),
        rows: matches.map(row).collect(),
        reference: Some(50.0),
    }
    .figure()
}

//! Horizontal bars with long names: one row a match.

use super::axis::{Axis, Mapping};
use super::figure::Figure;
use super::line::ink;
use super::style::{FAINT, INK, LABEL, MUTED, TICK, TITLE, define_fills, fill};
use super::svg::{Anchor, Drawing, Font, width_of};

/// A named value.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// What stands on the left.
    pub label: String,
    /// The length of the bar; not drawn if it is not a number.
    pub value: f64,
    /// The ends of the error bar.
    pub interval: Option<(f64, f64)>,
    /// What stands on the right, such as the value in figures.
    pub note: String,
}

/// A bar a row, with an error bar and a reference line.
#[derive(Clone, Debug, PartialEq)]
pub struct RowChart {
    /// The line above; may be empty.
    pub title: String,
    /// The axis below.
    pub x: Axis,
    /// The rows, from top to bottom.
    pub rows: Vec<Row>,
    /// A value marked by a line from top to bottom, such as an even score.
    pub reference: Option<f64>,
}

const PLOT_WIDTH: f64 = 360.0;
const ROW: f64 = 26.0;
const LONGEST_LABEL: usize = 70;

impl RowChart {
    /// Draws the chart. Its height follows from the number of rows, its width from their names.
    pub fn figure(&self) -> Figure {
        let labels: Vec<String> = self.rows.iter().map(|row| shortened(&row.label)).collect();
        let widest =
            |texts: &mut dyn Iterator<Item = &str>| texts.map(|text| width_of(text, TICK.size)).fold(0.0, f64::max);
        let left = 20.0 + widest(&mut labels.iter().map(String::as_str)).max(40.0);
        let right = left + PLOT_WIDTH;
        let width = (right + 24.0 + widest(&mut self.rows.iter().map(|row| row.note.as_str())))
            .max(width_of(&self.title, TITLE.size) + 30.0);
        let top = if self.title.is_empty() { 14.0 } else { 42.0 };
        let bottom = top + ROW * self.rows.len().max(1) as f64;

        let ends = self.rows.iter().flat_map(|row| row.interval).flat_map(|(low, high)| [low, high]);
        let values = self.rows.iter().map(|row| row.value).chain(ends).chain(self.reference).chain([0.0]);
        let x = Mapping::new(&self.x, values, left, right);

        let mut drawing = Drawing::new(width, bottom + 52.0);
        define_fills(&mut drawing);
        drawing.text((width / 2.0, 24.0), &self.title, TITLE);
        for tick in &x.ticks {
            drawing.line((tick.at, top), (tick.at, bottom), &format!("stroke=\"{FAINT}\" stroke-width=\"1\""));
            drawing.line((tick.at, bottom), (tick.at, bottom + 5.0), &ink(1.0));
            if let Some(text) = &tick.label {
                drawing.text((tick.at, bottom + 19.0), text, TICK);
            }
        }
        for (place, (row, label)) in self.rows.iter().zip(&labels).enumerate() {
            let middle = top + (place as f64 + 0.5) * ROW;
            let base = middle + TICK.size * 0.36;
            drawing.text((left - 9.0, base), label, Font { anchor: Anchor::End, ..TICK });
            drawing.text((right + 10.0, base), &row.note, Font { anchor: Anchor::Start, ..TICK });
            if row.value.is_finite() {
                let (from, to) = (x.at(0.0), x.at(row.value));
                drawing.rectangle((from.min(to), middle - 7.5), ((to - from).abs(), 15.0), &fill(0));
            }
            if let Some((low, high)) = row.interval.filter(|(low, high)| low.is_finite() && high.is_finite()) {
                let style = format!("stroke=\"{INK}\" stroke-width=\"1.3\"");
                drawing.line((x.at(low), middle), (x.at(high), middle), &style);
                for end in [x.at(low), x.at(high)] {
                    drawing.line((end, middle - 4.0), (end, middle + 4.0), &style);
                }
            }
        }
        if let Some(value) = self.reference {
            let style = format!("stroke=\"{MUTED}\" stroke-width=\"1.2\" stroke-dasharray=\"5 3\"");
            drawing.line((x.at(value), top), (x.at(value), bottom), &style);
        }
        drawing.line((left, top), (left, bottom), &ink(1.2));
        drawing.line((left, bottom), (right, bottom), &ink(1.2));
        drawing.text(((left + right) / 2.0, bottom + 41.0), &self.x.label, LABEL);
        Figure::new(drawing.finish())
    }
}

fn shortened(label: &str) -> String {
    if label.chars().count() <= LONGEST_LABEL {
        return label.to_string();
    }
    label.chars().take(LONGEST_LABEL - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::super::axis::Scale;
    use super::*;

    #[test]
    fn rows_are_drawn_with_their_names_whatever_these_are() {
        let row = |label: &str, value| Row {
            label: label.to_string(),
            value,
            interval: Some((40.0, 60.0)),
            note: "50.0 %".to_string(),
        };
        let chart = RowChart {
            title: "Matches".to_string(),
            x: Axis::new("win rate (%)", Scale::Linear).range(0.0, 100.0),
            rows: vec![row("loa: pn-mcts < mcts", 50.0), row(&"x".repeat(500), f64::NAN)],
            reference: Some(50.0),
        };
        let svg = chart.figure().svg().to_string();
        resvg::usvg::roxmltree::Document::parse(&svg).expect("well-formed");
        assert!(svg.contains("loa: pn-mcts &lt; mcts") && svg.contains("x…") && !svg.contains("NaN"));
        assert_eq!(svg.matches(&fill(0)).count(), 1, "a row without a value has no bar");
        assert!(svg.contains(&format!("width=\"{}\"", PLOT_WIDTH / 2.0)), "half the axis for half of it");
    }
}

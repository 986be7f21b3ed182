//! Line charts with error bars.

use super::axis::{Axis, Mapping, number_label};
use super::figure::Figure;
use super::legend::{Legend, SAMPLE};
use super::style::{FAINT, INK, LABEL, Line, MUTED, Marker, TICK, TITLE, error_bar};
use super::svg::{Anchor, Drawing, Font, width_of};

/// A measured value, perhaps with an interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Where on the horizontal axis.
    pub x: f64,
    /// The value.
    pub y: f64,
    /// The ends of the error bar.
    pub interval: Option<(f64, f64)>,
}

impl Point {
    /// A value without an error bar.
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y, interval: None }
    }

    /// The same with an error bar from `low` to `high`.
    pub const fn within(mut self, low: f64, high: f64) -> Self {
        self.interval = Some((low, high));
        self
    }

    fn is_finite(&self) -> bool {
        self.x.is_finite() && self.y.is_finite()
    }
}

/// Points that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// What the legend says.
    pub name: String,
    /// The points, from left to right.
    pub points: Vec<Point>,
    /// The shape that stands for each point.
    pub marker: Marker,
    /// Whether the shape is filled; an empty one is for what others measured.
    pub filled: bool,
    /// How the points are joined.
    pub line: Line,
}

impl Series {
    /// A series with filled markers.
    pub fn new(name: impl Into<String>, points: Vec<Point>, marker: Marker, line: Line) -> Self {
        Self { name: name.into(), points, marker, filled: true, line }
    }

    /// The same with empty markers.
    pub fn hollow(mut self) -> Self {
        self.filled = false;
        self
    }
}

/// One or more series over the same axes.
#[derive(Clone, Debug, PartialEq)]
pub struct LineChart {
    /// The line above; may be empty.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The series, in the order of the legend.
    pub series: Vec<Series>,
    /// A value marked by a line across, such as an even score.
    pub reference: Option<f64>,
}

const WIDTH: f64 = 660.0;
const PLOT_HEIGHT: f64 = 290.0;
const LEFT: f64 = 66.0;
const RIGHT: f64 = WIDTH - 20.0;

/// Sideways distance between the points of two series at the same place, so that their error bars do not hide each other.
const APART: f64 = 4.0;

impl LineChart {
    /// Draws the chart.
    pub fn figure(&self) -> Figure {
        let named = self.series.iter().map(|series| series.name.as_str());
        let legend = Legend::new(named, LEFT, RIGHT);
        let title = if self.title.is_empty() { 12.0 } else { 34.0 };
        let top = title + legend.height() + 6.0;
        let bottom = top + PLOT_HEIGHT;
        let height = bottom + 54.0;
        let points = || self.series.iter().flat_map(|series| &series.points).filter(|point| point.is_finite());
        let x = Mapping::new(&self.x, points().map(|point| point.x), LEFT, RIGHT);
        let ends = points().flat_map(|point| point.interval).flat_map(|(low, high)| [low, high]);
        let y = Mapping::new(&self.y, points().map(|point| point.y).chain(ends).chain(self.reference), bottom, top);

        let mut drawing = Drawing::new(WIDTH, height);
        drawing.text((WIDTH / 2.0, 24.0), &self.title, TITLE);
        let frame = Frame { left: LEFT, right: RIGHT, top, bottom };
        vertical_axis(&mut drawing, &y, &self.y.label, frame);
        horizontal_axis(&mut drawing, &x, &self.x.label, frame);
        if let Some(value) = self.reference {
            reference_line(&mut drawing, &y, value, frame);
        }
        let apart = APART.min(16.0 / self.series.len().max(1) as f64);
        let shift = |index: usize| (index as f64 - (self.series.len() as f64 - 1.0) / 2.0) * apart;
        for (index, series) in self.series.iter().enumerate() {
            draw_series(&mut drawing, series, &x, &y, shift(index));
        }
        legend.draw(&mut drawing, title, |drawing, index, (left, middle)| {
            let series = &self.series[index];
            if let Some(stroke) = series.line.stroke(series.marker.colour()) {
                drawing.line((left, middle), (left + SAMPLE, middle), &stroke);
            }
            series.marker.draw(drawing, (left + SAMPLE / 2.0, middle), series.filled);
        });
        Figure::new(drawing.finish())
    }
}

fn draw_series(drawing: &mut Drawing, series: &Series, x: &Mapping, y: &Mapping, shift: f64) {
    let colour = series.marker.colour();
    let points: Vec<&Point> = series.points.iter().filter(|point| point.is_finite()).collect();
    let place = |point: &Point| (x.at(point.x) + shift, y.at(point.y));
    for pair in points.windows(2) {
        // Across a break the slope means nothing, so the line only leads the eye.
        let line = if series.line == Line::None || !x.is_broken_between(pair[0].x, pair[1].x) {
            series.line.stroke(colour)
        } else {
            Some(format!("stroke=\"{colour}\" stroke-width=\"1\" stroke-dasharray=\"1 3\""))
        };
        if let Some(stroke) = line {
            drawing.polyline(&[place(pair[0]), place(pair[1])], &stroke);
        }
    }
    for point in points {
        let at = place(point);
        if let Some((low, high)) = point.interval.filter(|(low, high)| low.is_finite() && high.is_finite()) {
            error_bar(drawing, at.0, y.at(low), y.at(high), 3.5, colour);
        }
        series.marker.draw(drawing, at, series.filled);
    }
}

/// The rectangle of the plot itself.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    pub left: f64,
    pub right: f64,
    pub top: f64,
    pub bottom: f64,
}

/// The axis on the left with its grid, numbers and label.
pub(super) fn vertical_axis(drawing: &mut Drawing, y: &Mapping, label: &str, frame: Frame) {
    let mut widest: f64 = 0.0;
    for tick in &y.ticks {
        let Some(text) = &tick.label else {
            drawing.line((frame.left - 3.0, tick.at), (frame.left, tick.at), &ink(1.0));
            continue;
        };
        drawing.line((frame.left, tick.at), (frame.right, tick.at), &format!("stroke=\"{FAINT}\" stroke-width=\"1\""));
        drawing.line((frame.left - 5.0, tick.at), (frame.left, tick.at), &ink(1.0));
        let font = Font { anchor: Anchor::End, ..TICK };
        drawing.text((frame.left - 9.0, tick.at + TICK.size * 0.36), text, font);
        widest = widest.max(width_of(text, TICK.size));
    }
    drawing.line((frame.left, frame.top), (frame.left, frame.bottom), &ink(1.2));
    let x = (frame.left - 9.0 - widest - 12.0).max(14.0);
    drawing.text_turned((x, (frame.top + frame.bottom) / 2.0), label, LABEL, -90.0);
}

/// The axis below with its numbers, breaks and label.
fn horizontal_axis(drawing: &mut Drawing, x: &Mapping, label: &str, frame: Frame) {
    let y = frame.bottom;
    drawing.line((frame.left, y), (frame.right, y), &ink(1.2));
    for tick in &x.ticks {
        let length = if tick.label.is_some() { 5.0 } else { 3.0 };
        drawing.line((tick.at, y), (tick.at, y + length), &ink(1.0));
        if let Some(text) = &tick.label {
            drawing.text((tick.at, y + 19.0), text, TICK);
        }
    }
    for &at in &x.breaks {
        // Paper over the axis, then two slanted strokes.
        drawing.rectangle((at - 3.5, y - 6.0), (7.0, 12.0), "fill=\"#ffffff\"");
        for side in [-3.5, 3.5] {
            drawing.line((at + side - 2.5, y + 6.0), (at + side + 2.5, y - 6.0), &ink(1.2));
        }
    }
    drawing.text(((frame.left + frame.right) / 2.0, y + 42.0), label, LABEL);
}

/// A dashed line across at a value that everything is compared with, which gets a number if no tick has it.
pub(super) fn reference_line(drawing: &mut Drawing, y: &Mapping, value: f64, frame: Frame) {
    let at = y.at(value);
    let style = format!("stroke=\"{MUTED}\" stroke-width=\"1.2\" stroke-dasharray=\"5 3\"");
    drawing.line((frame.left, at), (frame.right, at), &style);
    if y.ticks.iter().all(|tick| tick.label.is_none() || (tick.at - at).abs() > TICK.size) {
        let font = Font { anchor: Anchor::End, colour: MUTED, ..TICK };
        drawing.text((frame.left - 9.0, at + TICK.size * 0.36), &number_label(value), font);
    }
}

/// The stroke of axes and marks.
pub(super) fn ink(width: f64) -> String {
    format!("stroke=\"{INK}\" stroke-width=\"{width}\"")
}

#[cfg(test)]
mod tests {
    use super::super::axis::Scale;
    use super::*;

    fn chart(series: Vec<Series>) -> LineChart {
        LineChart {
            title: "Win rate & <weight>".to_string(),
            x: Axis::new("C_{pn}", Scale::Log),
            y: Axis::new("win rate (%)", Scale::Linear).range(0.0, 100.0),
            series,
            reference: Some(50.0),
        }
    }

    #[test]
    fn every_finite_point_is_drawn_once_and_others_are_left_out() {
        let points = vec![
            Point::new(0.0, 50.0).within(44.0, 56.0),
            Point::new(1.0, 80.0),
            Point::new(2.0, f64::NAN),
            Point::new(1e6, 60.0).within(f64::NAN, 3.0),
        ];
        let svg = chart(vec![Series::new("a", points, Marker::Circle, Line::Solid)]).figure().svg().to_string();
        resvg::usvg::roxmltree::Document::parse(&svg).expect("well-formed");
        assert_eq!(svg.matches("<circle").count(), 3 + 1, "three points and the sample of the legend");
        assert_eq!(svg.matches("<polyline").count(), 2);
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        assert!(svg.contains("Win rate &amp; &lt;weight&gt;"));
    }

    #[test]
    fn a_chart_without_data_is_still_a_chart() {
        let svg = chart(Vec::new()).figure().svg().to_string();
        resvg::usvg::roxmltree::Document::parse(&svg).expect("well-formed");
        assert!(svg.contains(">100</text>"));
    }

    #[test]
    fn series_at_the_same_place_stand_side_by_side() {
        let one = || vec![Point::new(1.0, 50.0)];
        let series = vec![
            Series::new("a", one(), Marker::Circle, Line::None),
            Series::new("b", one(), Marker::Circle, Line::None).hollow(),
        ];
        let svg = chart(series).figure().svg().to_string();
        let places: Vec<f64> =
            svg.split("<circle cx=\"").skip(1).filter_map(|part| part.split('"').next()?.parse().ok()).collect();
        assert!((places[1] - places[0] - APART).abs() < 0.02, "{places:?}");
    }
}

//! Grouped bar charts with error bars.

use super::axis::{Axis, Mapping};
use super::figure::Figure;
use super::legend::{Legend, SAMPLE};
use super::line::{Frame, ink, reference_line, vertical_axis};
use super::style::{INK, LABEL, TICK, TITLE, define_fills, error_bar, fill};
use super::svg::{Drawing, Font, width_of};

/// One bar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bar {
    /// Its height.
    pub value: f64,
    /// The ends of the error bar.
    pub interval: Option<(f64, f64)>,
}

/// Bars that are compared with each other, side by side.
#[derive(Clone, Debug, PartialEq)]
pub struct Cluster {
    /// What stands below them.
    pub label: String,
    /// One a series, in the order of the legend; none where nothing was measured.
    pub bars: Vec<Option<Bar>>,
}

/// Clusters under one heading.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// What stands below them.
    pub label: String,
    /// The clusters, from left to right.
    pub clusters: Vec<Cluster>,
}

/// Bars in clusters, clusters in groups.
#[derive(Clone, Debug, PartialEq)]
pub struct BarChart {
    /// The line above; may be empty.
    pub title: String,
    /// The vertical axis.
    pub y: Axis,
    /// Names of the series, in the order of the bars.
    pub series: Vec<String>,
    /// The groups, from left to right.
    pub groups: Vec<Group>,
    /// A value marked by a line across, such as an even score.
    pub reference: Option<f64>,
}

const LEFT: f64 = 66.0;
const PLOT_HEIGHT: f64 = 300.0;
/// Room for all bars together, which decides how wide one is, within limits.
const ALL_BARS: f64 = 480.0;
const NARROWEST_BAR: f64 = 16.0;
const WIDEST_BAR: f64 = 32.0;
/// Between two clusters, and between two groups.
const GAP: f64 = 14.0;
const GROUP_GAP: f64 = 26.0;

impl BarChart {
    /// Draws the chart. Its width follows from the number of bars.
    pub fn figure(&self) -> Figure {
        let layout = self.layout();
        let right = layout.right;
        let width = right + 20.0;
        let named = self.series.iter().map(String::as_str);
        let legend = Legend::new(named, LEFT, right);
        let title = if self.title.is_empty() { 12.0 } else { 34.0 };
        let top = title + legend.height() + 6.0;
        let bottom = top + PLOT_HEIGHT;
        let clustered = self.groups.iter().flat_map(|group| &group.clusters).any(|cluster| !cluster.label.is_empty());
        let height = bottom + if clustered { 52.0 } else { 34.0 };

        let bars = || self.groups.iter().flat_map(|group| &group.clusters).flat_map(|c| c.bars.iter().flatten());
        let ends = bars().flat_map(|bar| bar.interval).flat_map(|(low, high)| [low, high]);
        let values = bars().map(|bar| bar.value).chain(ends).chain(self.reference).chain([0.0]);
        let y = Mapping::new(&self.y, values, bottom, top);

        let mut drawing = Drawing::new(width, height);
        define_fills(&mut drawing);
        drawing.text((width / 2.0, 24.0), &self.title, TITLE);
        let frame = Frame { left: LEFT, right, top, bottom };
        vertical_axis(&mut drawing, &y, &self.y.label, frame);
        for (group, placed) in self.groups.iter().zip(&layout.groups) {
            for (cluster, &left) in group.clusters.iter().zip(&placed.clusters) {
                for (index, bar) in cluster.bars.iter().enumerate() {
                    draw_bar(&mut drawing, *bar, index, (left + index as f64 * layout.bar, layout.bar), &y);
                }
                let middle = left + cluster.bars.len() as f64 * layout.bar / 2.0;
                drawing.text((middle, bottom + 17.0), &cluster.label, TICK);
            }
            let below = bottom + if clustered { 38.0 } else { 20.0 };
            let middle = (placed.left + placed.right) / 2.0;
            drawing.text((middle, below), &group.label, Font { bold: clustered, ..LABEL });
        }
        drawing.line((LEFT, y.at(0.0)), (right, y.at(0.0)), &ink(1.2));
        if let Some(value) = self.reference {
            reference_line(&mut drawing, &y, value, frame);
        }
        legend.draw(&mut drawing, title, |drawing, index, (left, middle)| {
            drawing.rectangle((left + SAMPLE - 22.0, middle - 6.0), (20.0, 12.0), &fill(index));
        });
        Figure::new(drawing.finish())
    }

    fn layout(&self) -> Layout {
        let bars: usize = self.groups.iter().flat_map(|group| &group.clusters).map(|cluster| cluster.bars.len()).sum();
        let bar = (ALL_BARS / bars.max(1) as f64).clamp(NARROWEST_BAR, WIDEST_BAR);
        let bars_of = |cluster: &Cluster| cluster.bars.len() as f64 * bar;
        let width_of_cluster = |cluster: &Cluster| bars_of(cluster).max(width_of(&cluster.label, TICK.size));
        let inner = |group: &Group| {
            let widths = group.clusters.iter().map(width_of_cluster).sum::<f64>();
            widths + GAP * group.clusters.len().saturating_sub(1) as f64
        };
        let outer = |group: &Group| inner(group).max(width_of(&group.label, LABEL.size) * 1.06);
        // Few groups are spread over the room that the title needs in any case.
        let needed = self.groups.iter().map(outer).sum::<f64>() + GROUP_GAP * self.groups.len() as f64;
        let room = needed.max(width_of(&self.title, TITLE.size) * 1.06 - LEFT).max(240.0);
        let gap = GROUP_GAP + (room - needed) / self.groups.len().max(1) as f64;
        let mut left = LEFT + gap / 2.0;
        let mut groups = Vec::with_capacity(self.groups.len());
        for group in &self.groups {
            let mut x = left + (outer(group) - inner(group)) / 2.0;
            let mut clusters = Vec::with_capacity(group.clusters.len());
            for cluster in &group.clusters {
                let width = width_of_cluster(cluster);
                clusters.push(x + (width - bars_of(cluster)) / 2.0);
                x += width + GAP;
            }
            groups.push(PlacedGroup { left, right: left + outer(group), clusters });
            left += outer(group) + gap;
        }
        Layout { bar, right: LEFT + room, groups }
    }
}

/// Where everything stands.
struct Layout {
    /// Width of a bar.
    bar: f64,
    right: f64,
    groups: Vec<PlacedGroup>,
}

/// Left and right end of a group, and the left end of the first bar of each of its clusters.
struct PlacedGroup {
    left: f64,
    right: f64,
    clusters: Vec<f64>,
}

fn draw_bar(drawing: &mut Drawing, bar: Option<Bar>, index: usize, (left, width): (f64, f64), y: &Mapping) {
    let middle = left + width / 2.0;
    let Some(bar) = bar.filter(|bar| bar.value.is_finite()) else {
        // A missing bar must not look like a bar of height 0.
        drawing.text((middle, y.at(0.0) - 5.0), "–", TICK);
        return;
    };
    let (base, end) = (y.at(0.0), y.at(bar.value));
    drawing.rectangle((left + 0.8, base.min(end)), (width - 1.6, (base - end).abs()), &fill(index));
    if let Some((low, high)) = bar.interval.filter(|(low, high)| low.is_finite() && high.is_finite()) {
        error_bar(drawing, middle, y.at(low), y.at(high), 3.0, INK);
    }
}

#[cfg(test)]
mod tests {
    use super::super::axis::Scale;
    use super::*;

    fn chart(bars: Vec<Vec<Option<Bar>>>) -> BarChart {
        let clusters = bars.into_iter().map(|bars| Cluster { label: "1 s".to_string(), bars }).collect();
        BarChart {
            title: String::new(),
            y: Axis::new("win rate (%)", Scale::Linear).range(0.0, 100.0),
            series: vec!["ours".to_string(), "paper".to_string()],
            groups: vec![Group { label: "LOA <8x8>".to_string(), clusters }],
            reference: Some(50.0),
        }
    }

    const HALF: Option<Bar> = Some(Bar { value: 50.0, interval: Some((44.0, 56.0)) });

    #[test]
    fn a_bar_is_as_high_as_its_value() {
        let svg = chart(vec![vec![HALF, Some(Bar { value: 100.0, interval: None })]]).figure().svg().to_string();
        let heights: Vec<f64> = svg
            .lines()
            .filter(|line| line.starts_with("<rect x=") && line.contains(&format!("width=\"{}\"", WIDEST_BAR - 1.6)))
            .filter_map(|line| line.split(" height=\"").nth(1)?.split('"').next()?.parse().ok())
            .collect();
        assert_eq!(heights, [PLOT_HEIGHT / 2.0, PLOT_HEIGHT]);
        resvg::usvg::roxmltree::Document::parse(&svg).expect("well-formed");
    }

    #[test]
    fn what_was_not_measured_is_a_dash_and_no_bar() {
        let nothing = Some(Bar { value: f64::NAN, interval: None });
        let svg = chart(vec![vec![None, nothing]]).figure().svg().to_string();
        assert_eq!(svg.matches(">–</text>").count(), 2);
        assert!(!svg.contains("NaN"));
    }

    #[test]
    fn clusters_never_overlap_and_the_figure_grows_with_them() {
        let chart = chart(vec![vec![HALF; 2]; 20]);
        let layout = chart.layout();
        let places = &layout.groups[0].clusters;
        assert!(places.windows(2).all(|pair| pair[1] - pair[0] >= 2.0 * layout.bar + GAP - 1e-9));
        let figure = chart.figure();
        let width: f64 =
            figure.svg().split("width=\"").nth(1).and_then(|t| t.split('"').next()?.parse().ok()).expect("a width");
        assert!(width > places[19] + 2.0 * layout.bar);
    }
}

//! The legend: a line of samples with names above the plot, wrapped where it does not fit.

use super::style::TICK;
use super::svg::{Anchor, Drawing, Font, width_of};

/// Height of a line of the legend.
const LINE: f64 = 20.0;
/// Room for the sample before a name.
pub(super) const SAMPLE: f64 = 30.0;

/// Places of the entries: the left end of each sample and its line, counted from 0.
pub(super) struct Legend<'a> {
    entries: Vec<(&'a str, f64, usize)>,
    lines: usize,
}

impl<'a> Legend<'a> {
    /// Lays out `names` between `left` and `right`.
    pub(super) fn new(names: impl Iterator<Item = &'a str>, left: f64, right: f64) -> Self {
        let names: Vec<&str> = names.collect();
        let widths: Vec<f64> = names.iter().map(|name| SAMPLE + 6.0 + width_of(name, TICK.size) + 18.0).collect();
        // The fewest lines whose columns fit, the widest entry of a column deciding; one column always does.
        let columns = |lines: usize| {
            let count = names.len().div_ceil(lines);
            let widest = |column: usize| widths.iter().skip(column).step_by(count).copied().fold(0.0, f64::max);
            (0..count).map(widest).collect::<Vec<f64>>()
        };
        let fits = |lines: &usize| columns(*lines).iter().sum::<f64>() <= right - left + 18.0;
        let lines = (1..names.len()).find(fits).unwrap_or(names.len());
        let columns = if names.is_empty() { Vec::new() } else { columns(lines) };
        let place = |(index, name)| {
            let (line, column) = (index / columns.len(), index % columns.len());
            (name, left + columns[..column].iter().sum::<f64>(), line)
        };
        Self { entries: names.into_iter().enumerate().map(place).collect(), lines }
    }

    pub(super) fn height(&self) -> f64 {
        if self.lines == 0 { 0.0 } else { self.lines as f64 * LINE + 6.0 }
    }

    /// Writes the names; `sample` draws entry number i with its left end in the middle of the line at a point.
    pub(super) fn draw(
        &self,
        drawing: &mut Drawing,
        top: f64,
        mut sample: impl FnMut(&mut Drawing, usize, (f64, f64)),
    ) {
        for (index, &(name, x, line)) in self.entries.iter().enumerate() {
            let middle = top + (line as f64 + 0.5) * LINE;
            sample(drawing, index, (x, middle));
            let font = Font { anchor: Anchor::Start, ..TICK };
            drawing.text((x + SAMPLE + 6.0, middle + TICK.size * 0.36), name, font);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_do_not_fit_go_to_the_next_line() {
        let names = ["a rather long name of a series", "another one of that length", "short"];
        let wide = Legend::new(names.into_iter(), 0.0, 2000.0);
        let narrow = Legend::new(names.into_iter(), 0.0, 280.0);
        assert_eq!((wide.lines, narrow.lines), (1, 3));
        assert!(narrow.height() > wide.height());
        assert_eq!(Legend::new(std::iter::empty(), 0.0, 10.0).height(), 0.0);
        let four = Legend::new(["name"; 4].into_iter(), 0.0, 250.0);
        let places: Vec<(f64, usize)> = four.entries.iter().map(|&(_, x, line)| (x, line)).collect();
        assert_eq!((places[0], places[1].1, places[2]), ((0.0, 0), 0, (0.0, 1)), "two lines of two");
    }
}

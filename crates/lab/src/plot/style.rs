//! Markers, dashes, fills and the few colours, chosen so that a grey print still tells series apart.

use super::svg::{Anchor, Drawing, Font, number};

pub(super) const INK: &str = "#1a1a1a";
pub(super) const FAINT: &str = "#e0e0e0";
pub(super) const MUTED: &str = "#6b6b6b";

pub(super) const TITLE: Font = Font { size: 15.0, bold: true, anchor: Anchor::Middle, colour: INK };
pub(super) const LABEL: Font = Font { size: 13.0, bold: false, anchor: Anchor::Middle, colour: INK };
pub(super) const TICK: Font = Font { size: 12.0, bold: false, anchor: Anchor::Middle, colour: INK };

/// Line colours, one a marker, of clearly different lightness.
const COLOURS: [&str; 6] = ["#0b3c6f", "#c05a00", "#2a7f62", "#8c4a9e", "#5a5a5a", "#a3123f"];

/// The shape that stands for a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marker {
    /// A disc.
    Circle,
    /// A square on its side.
    Square,
    /// A triangle that points up.
    Triangle,
    /// A square on its corner.
    Diamond,
    /// A triangle that points down.
    Wedge,
    /// Two crossing strokes.
    Cross,
}

impl Marker {
    /// Every marker, in the order in which series should take them.
    pub const ALL: [Self; 6] = [Self::Circle, Self::Square, Self::Triangle, Self::Diamond, Self::Wedge, Self::Cross];

    /// The colour that goes with the shape.
    pub(super) fn colour(self) -> &'static str {
        COLOURS[self as usize % COLOURS.len()]
    }

    /// Draws the shape around `at`, filled with its colour or with paper white.
    pub(super) fn draw(self, drawing: &mut Drawing, at: (f64, f64), filled: bool) {
        let (x, y, colour) = (at.0, at.1, self.colour());
        let fill = if filled { colour } else { "#ffffff" };
        let style = format!("fill=\"{fill}\" stroke=\"{colour}\" stroke-width=\"1.6\"");
        let polygon = |corners: &[(f64, f64)]| {
            let points: Vec<String> =
                corners.iter().map(|(dx, dy)| format!("{},{}", number(x + dx), number(y + dy))).collect();
            format!("<polygon points=\"{}\" {style}/>", points.join(" "))
        };
        let element = match self {
            Self::Circle => format!("<circle cx=\"{}\" cy=\"{}\" r=\"4.2\" {style}/>", number(x), number(y)),
            Self::Square => polygon(&[(-3.9, -3.9), (3.9, -3.9), (3.9, 3.9), (-3.9, 3.9)]),
            Self::Triangle => polygon(&[(0.0, -5.4), (4.9, 3.6), (-4.9, 3.6)]),
            Self::Diamond => polygon(&[(0.0, -5.6), (5.6, 0.0), (0.0, 5.6), (-5.6, 0.0)]),
            Self::Wedge => polygon(&[(0.0, 5.4), (4.9, -3.6), (-4.9, -3.6)]),
            Self::Cross => {
                let strokes = [((-4.2, -4.2), (4.2, 4.2)), ((-4.2, 4.2), (4.2, -4.2))].map(|(a, b)| {
                    let point = |(dx, dy): (f64, f64)| format!("{} {}", number(x + dx), number(y + dy));
                    format!("M{}L{}", point(a), point(b))
                });
                let width = if filled { 2.4 } else { 1.2 };
                format!("<path d=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"/>", strokes.concat())
            }
        };
        drawing.raw(&element);
    }
}

/// How the points of a series are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// Not at all.
    None,
    /// By a full line.
    Solid,
    /// By dashes.
    Dashed,
    /// By dots.
    Dotted,
}

impl Line {
    /// The attributes of the stroke; `None` if there is none.
    pub(super) fn stroke(self, colour: &str) -> Option<String> {
        let dashes = match self {
            Self::None => return None,
            Self::Solid => "",
            Self::Dashed => " stroke-dasharray=\"7 4\"",
            Self::Dotted => " stroke-dasharray=\"1.5 4\" stroke-linecap=\"round\"",
        };
        Some(format!("stroke=\"{colour}\" stroke-width=\"1.8\" stroke-linejoin=\"round\"{dashes}"))
    }
}

/// How many fills there are before they repeat.
pub(super) const FILLS: usize = 6;

/// Defines the patterns that [`fill`] names. Bars stay light enough for a black error bar to show on them.
pub(super) fn define_fills(drawing: &mut Drawing) {
    let pattern = |name: &str, size: f64, ground: &str, marks: &str| {
        let size = number(size);
        format!(
            "<pattern id=\"{name}\" width=\"{size}\" height=\"{size}\" patternUnits=\"userSpaceOnUse\">\
             <rect width=\"{size}\" height=\"{size}\" fill=\"{ground}\"/>{marks}</pattern>"
        )
    };
    let stroke = |path: &str, colour: &str| {
        format!("<path d=\"{path}\" stroke=\"{colour}\" stroke-width=\"1.1\" fill=\"none\"/>")
    };
    // The corners are drawn as well, so that the stripes meet at the edges of the tiles.
    let rising = "M-1.5 1.5L1.5 -1.5M0 6L6 0M4.5 7.5L7.5 4.5";
    let falling = "M-1.5 4.5L1.5 7.5M0 0L6 6M4.5 -1.5L7.5 1.5";
    drawing.define(&pattern("fill1", 6.0, "#ffffff", &stroke(rising, "#a34c00")));
    drawing.define(&pattern("fill2", 6.0, "#f3f3f3", "<circle cx=\"3\" cy=\"3\" r=\"1.1\" fill=\"#2a5f4c\"/>"));
    drawing.define(&pattern("fill3", 6.0, "#ffffff", &stroke(&format!("{rising}{falling}"), "#70407e")));
    drawing.define(&pattern("fill5", 6.0, "#ffffff", &stroke("M0 3L6 3", "#a3123f")));
}

/// Attributes of the bars of the series number `index`.
pub(super) fn fill(index: usize) -> String {
    let (paint, edge) = match index % FILLS {
        0 => ("#6f95bd", "#0b3c6f"),
        1 => ("url(#fill1)", "#a34c00"),
        2 => ("url(#fill2)", "#2a5f4c"),
        3 => ("url(#fill3)", "#70407e"),
        4 => ("#d5d5d5", "#4a4a4a"),
        _ => ("url(#fill5)", "#a3123f"),
    };
    format!("fill=\"{paint}\" stroke=\"{edge}\" stroke-width=\"1.1\"")
}

/// A vertical error bar from `low` to `high` with caps.
pub(super) fn error_bar(drawing: &mut Drawing, x: f64, low: f64, high: f64, cap: f64, colour: &str) {
    let style = format!("stroke=\"{colour}\" stroke-width=\"1.3\"");
    drawing.line((x, low), (x, high), &style);
    for y in [low, high] {
        drawing.line((x - cap, y), (x + cap, y), &style);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn series_differ_without_colour() {
        let shape = |marker: Marker| {
            let mut drawing = Drawing::new(10.0, 10.0);
            marker.draw(&mut drawing, (5.0, 5.0), true);
            COLOURS.iter().fold(drawing.finish(), |text, colour| text.replace(colour, "#000000"))
        };
        for (place, &marker) in Marker::ALL.iter().enumerate() {
            assert!(Marker::ALL[..place].iter().all(|&other| shape(other) != shape(marker)), "{marker:?}");
        }
        let fills: Vec<String> = (0..FILLS).map(fill).collect();
        assert!((1..FILLS).all(|i| !fills[..i].contains(&fills[i])));
        assert_eq!(fill(FILLS), fill(0));
    }

    #[test]
    fn every_fill_that_is_named_is_defined() {
        let mut drawing = Drawing::new(10.0, 10.0);
        define_fills(&mut drawing);
        let text = drawing.finish();
        for name in
            (0..FILLS).map(fill).filter_map(|fill| Some(fill.split_once("url(#")?.1.split_once(')')?.0.to_string()))
        {
            assert!(text.contains(&format!("id=\"{name}\"")), "{name}");
        }
    }
}

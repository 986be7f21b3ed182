//! A few SVG elements as text.

use std::fmt::Write;

/// Families for every text of a figure: what systems call their plain sans-serif, then whatever counts as one.
const FAMILIES: &str = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif";

/// A drawing under construction. Lengths are pixels at the drawing's own size, y grows downwards.
pub(super) struct Drawing {
    width: f64,
    height: f64,
    definitions: String,
    body: String,
}

/// Where a text is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Anchor {
    const fn word(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Middle => "middle",
            Self::End => "end",
        }
    }
}

/// How a text is set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Font {
    pub size: f64,
    pub bold: bool,
    pub anchor: Anchor,
    pub colour: &'static str,
}

impl Drawing {
    pub(super) fn new(width: f64, height: f64) -> Self {
        Self { width, height, definitions: String::new(), body: String::new() }
    }

    /// Adds raw elements to the definitions: patterns and clips that the body names.
    pub(super) fn define(&mut self, elements: &str) {
        self.definitions += elements;
        self.definitions.push('\n');
    }

    /// Adds raw elements, attributes already escaped.
    pub(super) fn raw(&mut self, element: &str) {
        self.body += element;
        self.body.push('\n');
    }

    /// A straight line. `style` is a list of attributes.
    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64), style: &str) {
        let (x1, y1, x2, y2) = (number(from.0), number(from.1), number(to.0), number(to.1));
        self.raw(&format!("<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" {style}/>"));
    }

    /// Connected points. `style` is a list of attributes.
    pub(super) fn polyline(&mut self, points: &[(f64, f64)], style: &str) {
        let points: Vec<String> = points.iter().map(|&(x, y)| format!("{},{}", number(x), number(y))).collect();
        self.raw(&format!("<polyline points=\"{}\" fill=\"none\" {style}/>", points.join(" ")));
    }

    /// A rectangle from its upper left corner. `style` is a list of attributes.
    pub(super) fn rectangle(&mut self, at: (f64, f64), size: (f64, f64), style: &str) {
        let (x, y, width, height) = (number(at.0), number(at.1), number(size.0.max(0.0)), number(size.1.max(0.0)));
        self.raw(&format!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" {style}/>"));
    }

    /// A label with its base line at `at`.
    pub(super) fn text(&mut self, at: (f64, f64), label: &str, font: Font) {
        self.text_turned(at, label, font, 0.0);
    }

    /// A label turned by `degrees` clockwise around `at`.
    pub(super) fn text_turned(&mut self, at: (f64, f64), label: &str, font: Font, degrees: f64) {
        let (x, y) = (number(at.0), number(at.1));
        let turn =
            if degrees == 0.0 { String::new() } else { format!(" transform=\"rotate({} {x} {y})\"", number(degrees)) };
        let weight = if font.bold { " font-weight=\"bold\"" } else { "" };
        let spans = spans(label, font.size);
        let (size, anchor, colour) = (number(font.size), font.anchor.word(), font.colour);
        self.raw(&format!(
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\"{weight} text-anchor=\"{anchor}\" fill=\"{colour}\"{turn}>\
             {spans}</text>"
        ));
    }

    /// The whole document.
    pub(super) fn finish(self) -> String {
        let (width, height) = (number(self.width), number(self.height));
        let definitions =
            if self.definitions.is_empty() { String::new() } else { format!("<defs>\n{}</defs>\n", self.definitions) };
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"{FAMILIES}\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n{definitions}{}</svg>\n",
            self.body
        )
    }
}

/// A length with two decimals at most; what is no number is 0, so that a figure stays readable for any program.
pub(super) fn number(value: f64) -> String {
    if !value.is_finite() {
        return "0".to_string();
    }
    let text = format!("{value:.2}");
    let short = text.trim_end_matches('0').trim_end_matches('.');
    if short == "-0" { "0".to_string() } else { short.to_string() }
}

/// Text for the inside of an element or an attribute. Characters that XML cannot hold become U+FFFD.
pub(super) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '"' => safe += "&quot;",
            '\t' | '\n' | '\r' => safe.push(' '),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => safe.push('\u{fffd}'),
            c => safe.push(c),
        }
    }
    safe
}

/// One part of a label: its text, and how far up it is set (-1, 0 or 1).
type Part<'a> = (&'a str, i8);

/// Splits `C_{pn}` into what stands on the line and what is set lower or higher.
fn parts(label: &str) -> Vec<Part<'_>> {
    let (mut found, mut rest) = (Vec::new(), label);
    loop {
        let opening = rest.find("_{").map(|at| (at, -1)).into_iter().chain(rest.find("^{").map(|at| (at, 1))).min();
        let closed = opening.and_then(|(at, level)| rest[at..].find('}').map(|length| (at, level, at + length)));
        let Some((at, level, end)) = closed else {
            found.push((rest, 0));
            return found;
        };
        found.push((&rest[..at], 0));
        found.push((&rest[at + 2..end], level));
        rest = &rest[end + 1..];
    }
}

/// How much smaller raised and lowered text is.
const SMALL: f64 = 0.72;

fn spans(label: &str, size: f64) -> String {
    let (mut text, mut level) = (String::new(), 0i8);
    for (part, wanted) in parts(label).into_iter().filter(|(part, _)| !part.is_empty()) {
        // A shift moves all that follows, so the way back has to be written as well.
        let height = |level: i8| match level {
            1 => -0.38 * size,
            -1 => 0.22 * size,
            _ => 0.0,
        };
        let shift = height(wanted) - height(level);
        level = wanted;
        let safe = escaped(part);
        if shift == 0.0 && wanted == 0 {
            text += &safe;
        } else {
            let small = if wanted == 0 { size } else { size * SMALL };
            let _ = write!(text, "<tspan dy=\"{}\" font-size=\"{}\">{safe}</tspan>", number(shift), number(small));
        }
    }
    text
}

/// About how wide a label is: fonts differ, so this leaves a little room.
pub(super) fn width_of(label: &str, size: f64) -> f64 {
    let wide = |c: char| match c {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '|' | '\'' | '!' => 0.32,
        'm' | 'w' | 'M' | 'W' | '%' | '@' => 0.95,
        ' ' | 'f' | 't' | 'r' | 'I' | '(' | ')' | '-' | '/' => 0.42,
        c if c.is_ascii_uppercase() => 0.72,
        _ => 0.62,
    };
    let part = |(text, level): Part| {
        let scale = if level == 0 { 1.0 } else { SMALL };
        text.chars().map(wide).sum::<f64>() * scale
    };
    parts(label).into_iter().map(part).sum::<f64>() * size
}

#[cfg(test)]
mod tests {
    use super::*;

    const FONT: Font = Font { size: 10.0, bold: false, anchor: Anchor::Start, colour: "#000" };

    #[test]
    fn lengths_are_short_and_always_numbers() {
        let texts = [1.0, 0.126, -0.001, 1e3, f64::NAN, f64::INFINITY].map(number);
        assert_eq!(texts, ["1", "0.13", "0", "1000", "0", "0"]);
    }

    #[test]
    fn text_from_outside_cannot_break_out_of_its_element() {
        let mut drawing = Drawing::new(10.0, 10.0);
        drawing.text((0.0, 0.0), "</text><script>\"a\"&b\u{0}\u{1b}\n</script>", FONT);
        let text = drawing.finish();
        assert!(
            text.contains("&lt;/text&gt;&lt;script&gt;&quot;a&quot;&amp;b\u{fffd}\u{fffd} &lt;/script&gt;"),
            "{text}"
        );
        resvg::usvg::roxmltree::Document::parse(&text).expect("well-formed");
    }

    #[test]
    fn lowered_and_raised_parts_return_to_the_line() {
        assert_eq!(parts("C_{pn} = 10^{6}!"), [("C", 0), ("pn", -1), (" = 10", 0), ("6", 1), ("!", 0)]);
        assert_eq!(parts("a_b {c} _{d"), [("a_b {c} _{d", 0)], "what is not closed is text");
        let text = spans("C_{pn}^{2}x", 10.0);
        let shifts: Vec<f64> =
            text.split("dy=\"").skip(1).filter_map(|part| part.split('"').next()?.parse().ok()).collect();
        assert_eq!(shifts.len(), 3);
        assert!(shifts.iter().sum::<f64>().abs() < 1e-9, "{shifts:?}");
    }

    #[test]
    fn longer_labels_are_wider_and_marks_take_no_room() {
        assert!(width_of("MCTS", 10.0) > width_of("lit", 10.0));
        assert!(width_of("C_{pn}", 10.0) < width_of("Cpn", 10.0));
    }
}

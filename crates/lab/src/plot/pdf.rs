//! SVG to PDF of one page, for papers: paths stay paths, and letters become outlines, so that no font is needed to read it.

use std::fmt::Write as _;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use resvg::tiny_skia::{PathSegment, Transform};
use resvg::usvg::{Fill, FillRule, Group, LineCap, LineJoin, Node, Paint, Path, Pattern, Stroke, Tree};

/// Points of the page for a pixel of the SVG: CSS has 96 pixels to an inch, PDF has 72 points.
const POINTS: f32 = 0.75;

/// Tiles of one pattern in one shape, at most: beyond that the pattern is too fine to be seen.
const TILES: f32 = 100_000.0;

/// The document for a drawing.
pub(super) fn document(tree: &Tree) -> Vec<u8> {
    let (width, height) = (tree.size().width() * POINTS, tree.size().height() * POINTS);
    // PDF counts upwards from the lower edge.
    let mut page = Page { content: format!("{POINTS} 0 0 -{POINTS} 0 {height} cm\n") };
    page.group(tree.root());
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::best());
    // Writing to a list cannot fail.
    let content = packed.write_all(page.content.as_bytes()).and_then(|()| packed.finish()).unwrap_or_default();
    let stream = [
        format!("<< /Length {} /Filter /FlateDecode >>\nstream\n", content.len()).into_bytes(),
        content,
        b"\nendstream".to_vec(),
    ];
    let page =
        format!("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width} {height}] /Contents 4 0 R /Resources << >> >>");
    let objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_vec(),
        page.into_bytes(),
        stream.concat(),
    ];
    let mut file = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n".to_vec();
    let mut places = Vec::new();
    for (number, object) in objects.iter().enumerate() {
        places.push(file.len());
        file.extend(format!("{} 0 obj\n", number + 1).into_bytes());
        file.extend(object);
        file.extend(b"\nendobj\n");
    }
    let table = file.len();
    let mut end = format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for place in places {
        let _ = writeln!(end, "{place:010} 00000 n ");
    }
    let _ = write!(end, "trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n", objects.len() + 1);
    file.extend(end.into_bytes());
    file
}

/// The drawing operators of a page.
struct Page {
    content: String,
}

impl Page {
    fn put(&mut self, operators: std::fmt::Arguments<'_>) {
        let _ = self.content.write_fmt(operators);
        self.content.push('\n');
    }

    fn group(&mut self, group: &Group) {
        for node in group.children() {
            match node {
                Node::Group(group) => self.group(group),
                Node::Path(path) if path.is_visible() => self.path(path),
                Node::Text(text) => self.group(text.flattened()),
                // Figures have no pictures.
                Node::Path(_) | Node::Image(_) => {}
            }
        }
    }

    fn path(&mut self, path: &Path) {
        self.put(format_args!("q"));
        self.transform(path.abs_transform());
        if let Some(fill) = path.fill() {
            self.fill(path, fill);
        }
        if let Some(stroke) = path.stroke() {
            self.stroke(path, stroke);
        }
        self.put(format_args!("Q"));
    }

    fn fill(&mut self, path: &Path, fill: &Fill) {
        let even_odd = if fill.rule() == FillRule::EvenOdd { "*" } else { "" };
        match fill.paint() {
            Paint::Color(colour) => {
                self.put(format_args!("{} rg", rgb(*colour)));
                self.outline(path);
                self.put(format_args!("f{even_odd}"));
            }
            Paint::Pattern(pattern) => {
                self.put(format_args!("q"));
                self.outline(path);
                self.put(format_args!("W{even_odd} n"));
                self.tiles(path, pattern);
                self.put(format_args!("Q"));
            }
            // Figures have no gradients.
            Paint::LinearGradient(_) | Paint::RadialGradient(_) => {}
        }
    }

    /// Covers a shape, to which the page is clipped, with copies of a pattern.
    fn tiles(&mut self, path: &Path, pattern: &Pattern) {
        let (tile, shape) = (pattern.rect(), path.data().bounds());
        let first = |from: f32, start: f32, size: f32| ((from - start) / size).floor();
        let (left, top) = (first(shape.left(), tile.x(), tile.width()), first(shape.top(), tile.y(), tile.height()));
        let (right, bottom) =
            (first(shape.right(), tile.x(), tile.width()), first(shape.bottom(), tile.y(), tile.height()));
        if (right - left + 1.0) * (bottom - top + 1.0) > TILES {
            return;
        }
        for row in top as i32..=bottom as i32 {
            for column in left as i32..=right as i32 {
                let (x, y) = (column as f32 * tile.width(), row as f32 * tile.height());
                self.put(format_args!("q 1 0 0 1 {x} {y} cm"));
                self.put(format_args!("{} {} {} {} re W n", tile.x(), tile.y(), tile.width(), tile.height()));
                self.group(pattern.root());
                self.put(format_args!("Q"));
            }
        }
    }

    fn stroke(&mut self, path: &Path, stroke: &Stroke) {
        let Paint::Color(colour) = stroke.paint() else { return };
        let cap = match stroke.linecap() {
            LineCap::Butt => 0,
            LineCap::Round => 1,
            LineCap::Square => 2,
        };
        let join = match stroke.linejoin() {
            LineJoin::Miter | LineJoin::MiterClip => 0,
            LineJoin::Round => 1,
            LineJoin::Bevel => 2,
        };
        let dashes: Vec<String> =
            stroke.dasharray().unwrap_or_default().iter().map(|length| length.to_string()).collect();
        self.put(format_args!("{} RG {} w {cap} J {join} j", rgb(*colour), stroke.width().get()));
        self.put(format_args!("[{}] {} d", dashes.join(" "), stroke.dashoffset()));
        self.outline(path);
        self.put(format_args!("S"));
    }

    fn outline(&mut self, path: &Path) {
        let mut last = (0.0, 0.0);
        for segment in path.data().segments() {
            match segment {
                PathSegment::MoveTo(to) => self.put(format_args!("{} {} m", to.x, to.y)),
                PathSegment::LineTo(to) => self.put(format_args!("{} {} l", to.x, to.y)),
                PathSegment::QuadTo(control, to) => {
                    // A quadratic curve as a cubic one: its controls lie two thirds of the way to the single control.
                    let third = |from: f32, control: f32| from + (control - from) * 2.0 / 3.0;
                    let (x1, y1) = (third(last.0, control.x), third(last.1, control.y));
                    let (x2, y2) = (third(to.x, control.x), third(to.y, control.y));
                    self.put(format_args!("{x1} {y1} {x2} {y2} {} {} c", to.x, to.y));
                }
                PathSegment::CubicTo(one, other, to) => {
                    self.put(format_args!("{} {} {} {} {} {} c", one.x, one.y, other.x, other.y, to.x, to.y));
                }
                PathSegment::Close => self.put(format_args!("h")),
            }
            if let PathSegment::MoveTo(to)
            | PathSegment::LineTo(to)
            | PathSegment::QuadTo(_, to)
            | PathSegment::CubicTo(_, _, to) = segment
            {
                last = (to.x, to.y);
            }
        }
    }

    fn transform(&mut self, by: Transform) {
        if !by.is_identity() {
            self.put(format_args!("{} {} {} {} {} {} cm", by.sx, by.ky, by.kx, by.sy, by.tx, by.ty));
        }
    }
}

fn rgb(colour: resvg::usvg::Color) -> String {
    let part = |value: u8| (f32::from(value) / 255.0 * 1000.0).round() / 1000.0;
    format!("{} {} {}", part(colour.red), part(colour.green), part(colour.blue))
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use flate2::read::ZlibDecoder;
    use resvg::usvg::Options;

    use super::*;

    fn drawn(body: &str) -> (String, String) {
        let svg = format!("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"40\" height=\"20\">{body}</svg>");
        let file = document(&Tree::from_str(&svg, &Options::default()).expect("an SVG"));
        let text = String::from_utf8_lossy(&file).into_owned();
        let find = |what: &[u8]| file.windows(what.len()).position(|part| part == what).expect("in the file");
        let (from, to) = (find(b"stream\n") + 7, find(b"\nendstream"));
        let mut content = String::new();
        ZlibDecoder::new(&file[from..to]).read_to_string(&mut content).expect("packed operators");
        // Readers find the table by the number near the end of the file, and the objects by the table.
        let table: usize = text.lines().rev().nth(1).and_then(|number| number.parse().ok()).expect("a number");
        assert!(file[table..].starts_with(b"xref"));
        (text, content)
    }

    #[test]
    fn shapes_become_operators_of_a_page_in_points() {
        let (file, content) = drawn(
            "<rect x=\"1\" y=\"2\" width=\"8\" height=\"4\" fill=\"#ff0000\"/>\
             <line x1=\"0\" y1=\"0\" x2=\"9\" y2=\"9\" stroke=\"#000000\" stroke-dasharray=\"5 3\"/>",
        );
        assert!(file.starts_with("%PDF-1.4") && file.contains("/MediaBox [0 0 30 15]"), "{file}");
        assert!(content.contains("1 0 0 rg\n1 2 m\n9 2 l\n9 6 l\n1 6 l\nh\nf\n"), "{content}");
        assert!(content.contains("[5 3] 0 d\n0 0 m\n9 9 l\nS"), "{content}");
    }

    #[test]
    fn a_pattern_is_repeated_inside_its_shape() {
        let (_, content) = drawn(
            "<defs><pattern id=\"p\" patternUnits=\"userSpaceOnUse\" width=\"6\" height=\"6\">\
             <rect width=\"3\" height=\"3\" fill=\"#0000ff\"/></pattern></defs>\
             <rect x=\"6\" width=\"11\" height=\"5\" fill=\"url(#p)\"/>",
        );
        assert_eq!(content.matches("0 0 1 rg").count(), 2, "{content}");
        assert!(content.contains("W n"));
    }
}

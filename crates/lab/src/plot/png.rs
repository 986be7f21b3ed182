//! SVG read with the fonts of the system, and drawn as PNG.

use std::sync::{Arc, OnceLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};

/// Pixels of the PNG for one of the SVG.
const SCALE: f32 = 2.0;

/// Plain fonts to look for first, the usual ones of each system.
const PLAIN: [&str; 6] = ["Helvetica", "Arial", "Liberation Sans", "DejaVu Sans", "Noto Sans", "Segoe UI"];

/// Draws `svg`. A warning says if there was no font for its letters.
pub(super) fn rasterised(svg: &str) -> Result<(Vec<u8>, Option<String>), String> {
    let (tree, warning) = parsed(svg)?;
    Ok((drawn(&tree)?, warning))
}

/// The shapes of `svg`, with a warning if there was no font for its letters.
pub(super) fn parsed(svg: &str) -> Result<(Tree, Option<String>), String> {
    parsed_with(svg, system_fonts())
}

fn parsed_with(svg: &str, fonts: Arc<fontdb::Database>) -> Result<(Tree, Option<String>), String> {
    let warning = fonts
        .is_empty()
        .then(|| "no font was found on this system, so there are no letters; the SVG has them".to_string());
    let options = Options { fontdb: fonts, font_family: "sans-serif".to_string(), ..Options::default() };
    let tree = Tree::from_str(svg, &options).map_err(|error| format!("the SVG cannot be read back: {error}"))?;
    Ok((tree, warning))
}

fn drawn(tree: &Tree) -> Result<Vec<u8>, String> {
    let side = |length: f32| (length * SCALE).ceil() as u32;
    let (width, height) = (side(tree.size().width()), side(tree.size().height()));
    let mut pixels = Pixmap::new(width, height).ok_or_else(|| format!("no room for {width} x {height} pixels"))?;
    resvg::render(tree, Transform::from_scale(SCALE, SCALE), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| format!("the PNG cannot be encoded: {error}"))
}

/// The fonts of this system, read once: that takes longer than a figure.
fn system_fonts() -> Arc<fontdb::Database> {
    static FONTS: OnceLock<Arc<fontdb::Database>> = OnceLock::new();
    let read = || {
        let mut fonts = fontdb::Database::new();
        fonts.load_system_fonts();
        if let Some(family) = plain_family(&fonts) {
            fonts.set_sans_serif_family(family);
        }
        Arc::new(fonts)
    };
    FONTS.get_or_init(read).clone()
}

/// A usual plain font if there is one, else any that is not for code, else any.
fn plain_family(fonts: &fontdb::Database) -> Option<String> {
    let families = |face: &fontdb::FaceInfo| face.families.first().map(|(name, _)| name.clone());
    let known =
        PLAIN.iter().find(|name| fonts.faces().any(|face| face.families.iter().any(|(family, _)| family == *name)));
    known
        .map(|name| name.to_string())
        .or_else(|| fonts.faces().find(|face| !face.monospaced).and_then(families))
        .or_else(|| fonts.faces().next().and_then(families))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawing_becomes_a_png_of_twice_its_size() {
        let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"30\" height=\"20\"><rect width=\"15\" height=\"20\"/></svg>";
        let (bytes, _) = rasterised(svg).expect("a picture");
        let pixels = Pixmap::decode_png(&bytes).expect("a PNG");
        assert_eq!((pixels.width(), pixels.height()), (60, 40));
        let dark = |x, y| pixels.pixel(x, y).is_some_and(|pixel| pixel.alpha() == 255);
        assert!(dark(10, 20) && !dark(50, 20));
        assert!(rasterised("<svg").is_err());
    }

    #[test]
    fn a_system_without_fonts_gets_a_picture_without_letters_and_a_warning() {
        let none = fontdb::Database::new();
        assert_eq!(plain_family(&none), None);
        let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"30\" height=\"20\"><rect width=\"15\" height=\"20\"/>\
                   <text x=\"16\" y=\"15\">W</text></svg>";
        let (tree, warning) = parsed_with(svg, Arc::new(none)).expect("shapes");
        let bytes = drawn(&tree).expect("a picture");
        assert!(warning.is_some_and(|warning| warning.contains("no font")));
        assert!(Pixmap::decode_png(&bytes).is_ok_and(|pixels| pixels.width() == 60));
    }
}

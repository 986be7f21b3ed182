//! A finished figure and its files.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use super::{pdf, png};

/// A figure as SVG text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    svg: String,
}

/// The files of a figure that were written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drawn {
    /// What was written.
    pub files: Vec<PathBuf>,
    /// What is wrong with them, if anything: a picture without letters for want of a font, or no picture.
    pub warning: Option<String>,
}

/// Why a figure was not written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlotError(String);

impl fmt::Display for PlotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PlotError {}

impl Figure {
    pub(super) fn new(svg: String) -> Self {
        Self { svg }
    }

    /// The figure as an SVG document.
    pub fn svg(&self) -> &str {
        &self.svg
    }

    /// The figure as a PNG, twice its own size, with a warning if there were no letters to draw.
    pub fn png(&self) -> Result<(Vec<u8>, Option<String>), PlotError> {
        png::rasterised(&self.svg).map_err(PlotError)
    }

    /// The figure as a PDF of one page, with a warning if there were no letters to draw.
    pub fn pdf(&self) -> Result<(Vec<u8>, Option<String>), PlotError> {
        let (tree, warning) = png::parsed(&self.svg).map_err(PlotError)?;
        Ok((pdf::document(&tree), warning))
    }

    /// Writes `path` as SVG, PNG or PDF, by its extension.
    pub fn save(&self, path: &Path) -> Result<Drawn, PlotError> {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let (bytes, warning) = match extension.to_ascii_lowercase().as_str() {
            "svg" => (self.svg.clone().into_bytes(), None),
            "png" => self.png()?,
            "pdf" => self.pdf()?,
            _ => return Err(PlotError(format!("{}: a figure is a .svg, .png or .pdf file", path.display()))),
        };
        fs::write(path, bytes).map_err(|error| PlotError(format!("{}: {error}", path.display())))?;
        Ok(Drawn { files: vec![path.to_path_buf()], warning })
    }

    /// Writes `stem.svg`, `stem.png` and `stem.pdf`. A picture that cannot be drawn is a warning, a file that cannot be
    /// written an error.
    pub fn save_all(&self, stem: &Path) -> Result<Drawn, PlotError> {
        let named = |extension: &str| {
            let mut name = stem.as_os_str().to_owned();
            name.push(extension);
            PathBuf::from(name)
        };
        let mut drawn = self.save(&named(".svg"))?;
        match (self.png(), self.pdf()) {
            (Err(error), _) | (_, Err(error)) => {
                drawn.warning = Some(format!("{}: only the SVG was written: {error}", named(".png").display()));
            }
            (Ok((png, warning)), Ok((pdf, _))) => {
                for (path, bytes) in [(named(".png"), png), (named(".pdf"), pdf)] {
                    fs::write(&path, bytes).map_err(|error| PlotError(format!("{}: {error}", path.display())))?;
                    drawn.files.push(path);
                }
                drawn.warning = warning.map(|warning| format!("{}: {warning}", named(".png").display()));
            }
        }
        Ok(drawn)
    }
}

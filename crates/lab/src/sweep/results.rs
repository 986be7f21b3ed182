//! What a sweep has come to so far, and its files.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io::Write;
use std::path::Path;

use plyproof_engine::WholeFile;
use serde::Serialize;

use crate::matches::{MatchError, Summary};
use crate::sweep::plan::Mode;
use crate::sweep::tables;

/// The results of a sweep so far.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Results {
    /// The name of the plan.
    pub name: String,
    /// Its title.
    pub title: String,
    /// How budgets were meant.
    pub mode: &'static str,
    /// What budgets were multiplied by; 1 for the plan as it is.
    pub scale: f64,
    /// The version of plyproof.
    pub version: &'static str,
    /// One for each cell, in the order of the plan.
    pub cells: Vec<CellResult>,
}

/// What a cell has come to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CellResult {
    /// The identity of the cell.
    pub id: String,
    /// What the plan calls it.
    pub label: String,
    /// The values of the grid that made it.
    pub values: BTreeMap<String, String>,
    /// Its record, from the folder of the sweep.
    pub record: String,
    /// The statistics of its games; none before the first.
    pub summary: Option<Summary>,
}

impl CellResult {
    /// A value of the grid as a number, if it is there and is one.
    pub fn number(&self, name: &str) -> Option<f64> {
        self.values.get(name)?.parse().ok()
    }
}

impl Results {
    /// A new version of plyproof may read another meaning into a plan.
    pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

    /// Whether every planned game is played.
    pub fn complete(&self) -> bool {
        self.cells.iter().all(|cell| cell.summary.as_ref().is_some_and(|summary| summary.complete))
    }

    /// Writes `results.json`, `results.csv` and `README-table.md`, the last with this text.
    pub fn save(&self, folder: &Path, table: &str) -> Result<(), SweepError> {
        let mut json = serde_json::to_string_pretty(self).map_err(|error| SweepError::File(error.to_string()))?;
        json.push('\n');
        write_file(&folder.join("results.json"), json.as_bytes())?;
        write_file(&folder.join("results.csv"), tables::csv(self).as_bytes())?;
        write_file(&folder.join("README-table.md"), table.as_bytes())
    }

    /// The mode, for names of folders and headings.
    pub fn is(&self, mode: Mode) -> bool {
        self.mode == mode.word()
    }
}

/// Why a sweep did not start or did not go on. Games recorded so far are safe.
#[derive(Clone, Debug, PartialEq)]
pub enum SweepError {
    /// A match of it could not be played or recorded.
    Match(String, MatchError),
    /// A file or a folder cannot be written.
    File(String),
}

impl fmt::Display for SweepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Match(cell, error) => write!(f, "cell {cell}: {error}"),
            Self::File(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for SweepError {}

/// Makes a folder with all above it.
pub(crate) fn create_folder(folder: &Path) -> Result<(), SweepError> {
    fs::create_dir_all(folder)
        .map_err(|error| SweepError::File(format!("cannot make the folder {}: {error}", folder.display())))
}

/// Writes a whole file or none: a reader never sees half of it, a full disk leaves the old one.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), SweepError> {
    let written = WholeFile::create(path).and_then(|mut file| file.write_all(bytes).and_then(|()| file.finish()));
    written.map_err(|error| SweepError::File(format!("cannot write {}: {error}", path.display())))
}

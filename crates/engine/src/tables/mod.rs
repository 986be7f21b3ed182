//! Tables of exact values by the name of their game: made, checked against a solver, and probed by searches.
//!
//! `docs/tables.md` describes the files; how values are worked out and kept is in `plyproof-tables`.

mod agent;
mod indexed;

use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter};
use std::path::Path;
use std::sync::atomic::AtomicBool;

use plyproof_core::search::Agent;
use plyproof_core::{TextError, quoted};
use plyproof_tables::{BuildError, Named, header_of};
pub use plyproof_tables::{Counts, LayerCounts, Limits, Progress};
use plyproof_verify::RulesId;
use serde::Serialize;

pub use agent::TabledAgent;
pub(crate) use indexed::{Indexed, TableFamily};

use crate::any_game::AnyGame;
use crate::registry::Registry;
use crate::units::size_text;
use crate::whole_file::WholeFile;

/// What is in a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Contents {
    /// The game in its shortest spelling.
    pub game: String,
    /// The version of its rules.
    pub rules: u32,
    /// Pieces on the board at most, where the table has such a limit.
    pub limit: Option<u32>,
    /// Positions.
    pub positions: u64,
    /// Wins, draws and losses by the number of pieces, finished positions included.
    pub counts: Vec<LayerCounts>,
    /// The same of the unfinished positions that can come up in a game from the start, if that is in the table.
    pub reachable: Option<Counts>,
    /// The value of the start position for the player to move, if it is in the table.
    pub start: Option<&'static str>,
}

/// How a table is held to a solver.
pub struct Check<'a> {
    /// The solver.
    pub agent: &'a Agent,
    /// Unfinished positions to solve, drawn at random.
    pub sample: u64,
    /// Where randomness starts.
    pub seed: u64,
    /// Bytes of memory for each position.
    pub memory: usize,
    /// Positions the solver may open for each; none is no limit.
    pub nodes: Option<u64>,
    /// Raised to stop early.
    pub stop: &'a AtomicBool,
    /// Called with the number of positions solved so far.
    pub progress: &'a mut dyn FnMut(u64),
}

/// What came of a check.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Checked {
    /// Positions solved.
    pub sample: u64,
    /// The solver found the value of the table.
    pub agreed: u64,
    /// The solver found another value.
    pub differed: u64,
    /// The solver found no value.
    pub undecided: u64,
    /// The first position that differed, with both values.
    pub first: Option<String>,
    /// Positions the solver opened in all.
    pub nodes: u64,
    /// The values of the sample.
    pub counts: Counts,
}

/// Why there is no table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableError {
    /// What was asked for makes no sense.
    Misused(TextError),
    /// It did not work out.
    Failed(String),
    /// It was stopped.
    Stopped,
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Misused(error) => error.fmt(f),
            Self::Failed(what) => f.write_str(what),
            Self::Stopped => f.write_str("stopped"),
        }
    }
}

impl std::error::Error for TableError {}

/// Makes the table of a game, up to `limit` pieces on the board where the game takes one, and writes it to a file. The
/// file is there in full or not at all.
pub fn make(
    registry: &Registry,
    game: &str,
    limit: Option<u32>,
    path: &Path,
    limits: &mut Limits<'_>,
) -> Result<Contents, TableError> {
    let game = registry.open(game).map_err(TableError::Misused)?;
    let (kind, params) = (family_of(registry, &*game)?, game.params());
    let named = Named { game: game.name(), rules: version_of(&*game), limit };
    let failed = |error: io::Error| TableError::Failed(format!("cannot write {}: {error}", path.display()));
    kind.possible(params, limit).map_err(TableError::Misused)?;
    // Found out before the work, not after it.
    let mut file = BufWriter::new(WholeFile::create(path).map_err(failed)?);
    let (contents, table) = kind.make(params, &named, limits)?;
    let written =
        table.write(&named, &mut file).and_then(|()| file.into_inner().map_err(io::IntoInnerError::into_error));
    written.and_then(WholeFile::finish).map_err(failed)?;
    Ok(contents)
}

/// What is in the table in a file, all of it checked.
pub fn contents(registry: &Registry, path: &Path, stop: &AtomicBool) -> Result<Contents, TableError> {
    let (game, named) = header_game(registry, path)?;
    let kind = family_of(registry, &*game).map_err(|error| in_file(path, error))?;
    kind.contents(game.params(), &named, source(path)?, stop).map_err(|error| in_file(path, error))
}

/// Solves random positions of the table in a file, without the table, and compares.
pub fn check(registry: &Registry, path: &Path, check: &mut Check<'_>) -> Result<Checked, TableError> {
    let (game, named) = header_game(registry, path)?;
    let kind = family_of(registry, &*game).map_err(|error| in_file(path, error))?;
    kind.check(game.params(), &named, source(path)?, check).map_err(|error| in_file(path, error))
}

/// The same position of the same game, but searches of it end wherever the table in a file knows the value.
pub fn attach(registry: &Registry, game: &dyn AnyGame, path: &Path) -> Result<Box<dyn AnyGame>, TableError> {
    let kind = family_of(registry, game)?;
    let header = header_of(source(path)?).map_err(|error| in_file(path, TableError::Failed(error.to_string())))?;
    // The limit is the file's; all else must be the game's.
    let named = Named { game: game.name(), rules: version_of(game), limit: header.limit };
    if header.game != named.game {
        let what = format!("it is a table of {}, not of {}", quoted(&header.game), named.game);
        return Err(in_file(path, TableError::Failed(what)));
    }
    kind.attach(game, &named, source(path)?).map_err(|error| in_file(path, error))
}

/// The tables of a game, if there are any.
fn family_of<'a>(registry: &'a Registry, game: &dyn AnyGame) -> Result<&'a dyn TableFamily, TableError> {
    let name = &game.described().name;
    registry.entry(name).and_then(|entry| entry.tables()).ok_or_else(|| {
        let known = registry.entries().filter(|entry| entry.tables().is_some()).map(|entry| &*entry.described().name);
        let known: Vec<&str> = known.collect();
        let what = format!("there are no tables of {name}, only of {}", known.join(" and "));
        TableError::Misused(TextError::new(what))
    })
}

/// The version of the rules; 0, which no game has, for rules that are known by a digest.
fn version_of(game: &dyn AnyGame) -> u32 {
    match game.rules() {
        RulesId::Version(version) => *version,
        RulesId::Digest(_) => 0,
    }
}

/// The game that the table in a file says it is about.
fn header_game(registry: &Registry, path: &Path) -> Result<(Box<dyn AnyGame>, Named), TableError> {
    let inside = |what: String| in_file(path, TableError::Failed(what));
    let header = header_of(source(path)?).map_err(|error| inside(error.to_string()))?;
    let game = registry.open(&header.game).map_err(|error| inside(error.to_string()))?;
    let named = Named { game: game.name(), rules: version_of(&*game), limit: header.limit };
    Ok((game, named))
}

/// A file is read twice, first its header; a pipe would be empty the second time, or never end.
fn source(path: &Path) -> Result<BufReader<File>, TableError> {
    let opened = fs::metadata(path)
        .and_then(|meta| if meta.is_file() { File::open(path) } else { Err(io::Error::other("not a regular file")) });
    opened.map(BufReader::new).map_err(|error| in_file(path, TableError::Failed(error.to_string())))
}

fn in_file(path: &Path, error: TableError) -> TableError {
    match error {
        TableError::Stopped => TableError::Stopped,
        error => TableError::Failed(format!("{}: {error}", path.display())),
    }
}

impl From<BuildError> for TableError {
    fn from(error: BuildError) -> Self {
        match error {
            BuildError::Stopped => Self::Stopped,
            BuildError::Memory(bytes) => {
                Self::Failed(format!("the table takes at least {} of memory to make; give more", size_text(bytes)))
            }
            error => Self::Failed(error.to_string()),
        }
    }
}

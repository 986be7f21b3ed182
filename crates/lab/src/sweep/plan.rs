//! The text of a plan: TOML with a list of cells, a grid, and values put into the texts of the cells.
//!
//! Everything is read by hand from the parsed document, so that every complaint names the line and the key.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use plyproof_core::quoted;
use plyproof_core::spec::unknown_name;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::matches::MatchPlan;
use crate::sweep::cells;

/// What to play: a list of matches under one name.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepPlan {
    /// The name of the sweep.
    pub name: String,
    /// One line on what it is about; the name if nothing is said.
    pub title: String,
    /// The matches, in the order in which they are played.
    pub cells: Vec<Cell>,
}

/// One match of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The label and the values of the grid; no two cells share it.
    pub id: String,
    /// What the plan calls it.
    pub label: String,
    /// The values of the grid that made it, by name, as they are written.
    pub values: Vec<(String, String)>,
    /// What to play.
    pub plan: MatchPlan,
}

impl Cell {
    /// The name of its record, without a folder.
    pub fn record_name(&self) -> String {
        format!("{}.jsonl", file_stem(&self.id))
    }

    /// A value of the grid as a number, if it is there and is one.
    pub fn number(&self, name: &str) -> Option<f64> {
        self.values.iter().find(|(key, _)| key == name)?.1.parse().ok()
    }
}

/// How budgets given as a time and a rate are meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// As simulations: the rate times the seconds.
    #[default]
    Paper,
    /// As seconds on this machine.
    Time,
}

impl Mode {
    /// One word for files and people.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Paper => "paper",
            Self::Time => "time",
        }
    }
}

/// What a caller may change about a plan.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// How budgets are meant.
    pub mode: Mode,
    /// Games a cell instead of those of the plan.
    pub games: Option<u32>,
    /// Multiplies every budget, to try a plan out quickly.
    pub scale: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self { mode: Mode::Paper, games: None, scale: 1.0 }
    }
}

/// What is wrong with a plan: one line with the file, the line and the key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanError(String);

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PlanError {}

/// Keys that a cell has, and that stand at the top of a plan for all cells.
const CELL_KEYS: [&str; 19] = [
    "label",
    "game",
    "a",
    "b",
    "sims",
    "sims_a",
    "sims_b",
    "time",
    "time_a",
    "time_b",
    "rate",
    "rate_a",
    "rate_b",
    "memory",
    "games",
    "seed",
    "openings",
    "max_plies",
    "sprt",
];
/// Keys of a cell that are no texts or numbers.
const CELL_TABLES: [&str; 2] = ["modes", "grid"];
/// Keys that only stand at the top.
const TOP_KEYS: [&str; 2] = ["name", "title"];

/// The text of a value and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub text: String,
    pub line: usize,
}

/// A name of the grid with its values.
#[derive(Clone, Debug)]
pub(super) struct GridAxis {
    pub name: String,
    pub values: Vec<String>,
    pub line: usize,
}

/// A cell before the values of the grid are put in.
#[derive(Clone, Debug, Default)]
pub(super) struct Template {
    pub line: usize,
    pub entries: BTreeMap<&'static str, Entry>,
    pub grid: Vec<GridAxis>,
    /// Modes in which it is played; all if nothing is said.
    pub modes: Option<Vec<Mode>>,
}

/// Says where something is wrong.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    file: &'a str,
    text: &'a str,
}

impl Place<'_> {
    pub(super) fn error(&self, line: usize, what: impl fmt::Display) -> PlanError {
        PlanError(format!("{}:{line}: {what}", self.file))
    }

    fn line(&self, span: Range<usize>) -> usize {
        let before = self.text.as_bytes().get(..span.start).unwrap_or_default();
        1 + before.iter().filter(|&&byte| byte == b'\n').count()
    }
}

impl SweepPlan {
    /// Reads a plan. `file` is only for messages.
    pub fn parse(file: &str, text: &str, options: &Options) -> Result<Self, PlanError> {
        let place = Place { file, text };
        let document = DeTable::parse(text).map_err(|error| {
            let line = error.span().map_or(1, |span| place.line(span));
            place.error(line, error.message().split_whitespace().collect::<Vec<_>>().join(" "))
        })?;
        let document = document.get_ref();
        let known = [&TOP_KEYS[..], &["cell"], &CELL_KEYS, &CELL_TABLES].concat();
        let top = template(&place, 1, document, &known)?;
        let own = |key: &str| document.iter().find(|(name, _)| name.get_ref() == key).map(|(_, value)| value);
        let text_of = |key: &str| own(key).map(|value| word(&place, key, value)).transpose();
        let name =
            text_of("name")?.ok_or_else(|| place.error(1, "name is missing; a plan begins with name = \"…\""))?;
        if file_stem(&name.text) != name.text {
            let right = match file_stem(&name.text) {
                stem if stem.is_empty() => "letters from a to z would be".to_string(),
                stem => format!("{} would be", quoted(&stem)),
            };
            let why = format!("name: {} is not fit for a folder; {right}", quoted(&name.text));
            return Err(place.error(name.line, why));
        }
        let mut cells = Vec::new();
        if let Some(list) = own("cell") {
            let line = place.line(list.span());
            let wrong = || place.error(line, "cell: cells are written as [[cell]], one after the other");
            for table in list.get_ref().as_array().ok_or_else(wrong)?.iter() {
                let line = place.line(table.span());
                let known = [&CELL_KEYS[..], &CELL_TABLES].concat();
                cells.push(template(&place, line, table.get_ref().as_table().ok_or_else(wrong)?, &known)?);
            }
        }
        let title = text_of("title")?.map_or_else(|| name.text.clone(), |title| title.text);
        let cells = cells::expand(&place, &top, &cells, options)?;
        Ok(Self { name: name.text, title, cells })
    }
}

/// Reads the keys of a cell; `known` are those allowed here.
fn template(place: &Place<'_>, line: usize, table: &DeTable<'_>, known: &[&str]) -> Result<Template, PlanError> {
    let mut found = Template { line, ..Template::default() };
    for (key, value) in table {
        let (name, line) = (key.get_ref().as_ref(), place.line(key.span()));
        if !known.contains(&name) {
            return Err(place.error(line, unknown_name("key", name, known.iter().copied())));
        }
        if let Some(&name) = CELL_KEYS.iter().find(|known| **known == name) {
            found.entries.insert(name, word(place, name, value)?);
        } else if name == "grid" {
            let grid = value.get_ref().as_table();
            let grid =
                grid.ok_or_else(|| place.error(line, "grid: a grid is a table of names with lists of values"))?;
            for (name, values) in grid {
                found.grid.push(grid_axis(place, name.get_ref(), place.line(name.span()), values)?);
            }
            // The parser sorts by name; people mean the order in which they wrote.
            let start = |axis: &GridAxis| {
                grid.iter().find(|(name, _)| name.get_ref() == axis.name.as_str()).map(|(name, _)| name.span().start)
            };
            found.grid.sort_by_key(start);
        } else if name == "modes" {
            found.modes = Some(modes(place, line, value)?);
        }
    }
    Ok(found)
}

fn grid_axis(place: &Place<'_>, name: &str, line: usize, values: &Spanned<DeValue<'_>>) -> Result<GridAxis, PlanError> {
    let key = format!("grid.{name}");
    let expected = || place.error(line, format!("{key}: the values are a list, as in {name} = [0, 0.5, 1e6]"));
    let list = values.get_ref().as_array().filter(|list| !list.is_empty()).ok_or_else(expected)?;
    let values = list.iter().map(|value| Ok(word(place, &key, value)?.text)).collect::<Result<Vec<_>, _>>()?;
    if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-') {
        return Err(place.error(line, format!("{key}: a name is made of letters, digits, _ and -")));
    }
    if let Some(twice) = values.iter().enumerate().find(|(i, value)| values[..*i].contains(value)) {
        return Err(place.error(line, format!("{key}: {} is there twice", quoted(twice.1))));
    }
    Ok(GridAxis { name: name.to_string(), values, line })
}

fn modes(place: &Place<'_>, line: usize, value: &Spanned<DeValue<'_>>) -> Result<Vec<Mode>, PlanError> {
    let expected = || place.error(line, "modes: a list of \"paper\" and \"time\"");
    let list = value.get_ref().as_array().ok_or_else(expected)?;
    let mode = |value: &Spanned<DeValue<'_>>| {
        [Mode::Paper, Mode::Time]
            .into_iter()
            .find(|mode| value.get_ref().as_str() == Some(mode.word()))
            .ok_or_else(expected)
    };
    list.iter().map(mode).collect()
}

/// A text, a number or a truth value as text.
fn word(place: &Place<'_>, key: &str, value: &Spanned<DeValue<'_>>) -> Result<Entry, PlanError> {
    let line = place.line(value.span());
    let text = match value.get_ref() {
        DeValue::String(text) => text.to_string(),
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
            .map_err(|_| place.error(line, format!("{key}: {} is too large", quoted(number.as_str()))))?
            .to_string(),
        DeValue::Float(number) => number.as_str().replace('_', ""),
        DeValue::Boolean(truth) => truth.to_string(),
        other => {
            return Err(place.error(line, format!("{key}: a text or a number is expected, not a {}", other.type_str())));
        }
    };
    Ok(Entry { text, line })
}

/// A name for a file: letters, digits, points; everything else a hyphen.
pub(crate) fn file_stem(text: &str) -> String {
    let mut stem = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii_alphanumeric() || (c == '.' && !stem.is_empty()) {
            stem.push(c.to_ascii_lowercase());
        } else if !stem.is_empty() && !stem.ends_with('-') {
            stem.push('-');
        }
    }
    stem.trim_end_matches(['-', '.']).chars().take(120).collect()
}

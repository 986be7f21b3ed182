//! The text of a plan: TOML with a list of cells, a grid, and values put into the texts of the cells.
//!
//! Everything is read by hand from the parsed document, so that every complaint names the line and the key.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Range;

use plyproof_core::spec::unknown_name;
use plyproof_engine::{Registry, quoted};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::matches::CheckedPlan;
use crate::sweep::cells;

/// What to play: a list of matches under one name.
#[derive(Clone, Debug)]
pub struct SweepPlan {
    /// The name of the sweep.
    pub name: String,
    /// One line on what it is about; the name if nothing is said.
    pub title: String,
    /// The matches, in the order in which they are played.
    pub cells: Vec<Cell>,
}

/// One match of a sweep.
#[derive(Clone, Debug)]
pub struct Cell {
    /// The label and the values of the grid; no two cells share it.
    pub id: String,
    /// What the plan calls it.
    pub label: String,
    /// The values of the grid that made it, by name, as they are written.
    pub values: Vec<(String, String)>,
    /// What to play.
    pub plan: CheckedPlan,
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

/// Most cells of a sweep: more is a slip of the pen.
pub(super) const MOST_CELLS: usize = 10_000;
/// Most bytes of a text of a cell, before and after the values of the grid are put in. The longest agent with all its
/// parameters takes half of it.
pub(super) const LONGEST_TEXT: usize = 1000;
/// Most names of a grid, and most bytes of a name.
const MOST_NAMES: usize = 32;
const LONGEST_NAME: usize = 40;

/// The text of a value and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub text: String,
    pub line: usize,
    /// The names that stand in the text as `{name}`.
    names: BTreeSet<String>,
}

impl Entry {
    fn new(text: String, line: usize) -> Self {
        let names = text.split('{').skip(1).filter_map(|part| part.split_once('}')).map(|(name, _)| name.to_string());
        Self { names: names.collect(), text, line }
    }

    /// Whether `{name}` stands in the text.
    pub(super) fn mentions(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// Every name that stands in the text.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }
}

/// A name of the grid with its values.
#[derive(Clone, Debug)]
pub(super) struct GridAxis {
    pub name: String,
    pub values: Vec<String>,
    pub line: usize,
    /// Where the name stands in the plan, in bytes.
    at: usize,
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
pub(super) struct Place<'a> {
    file: &'a str,
    /// Where the line breaks are. Every value asks for its line, and counting from the top each time is quadratic.
    breaks: Vec<usize>,
}

impl<'a> Place<'a> {
    fn new(file: &'a str, text: &str) -> Self {
        Self { file, breaks: text.match_indices('\n').map(|(at, _)| at).collect() }
    }

    pub(super) fn error(&self, line: usize, what: impl fmt::Display) -> PlanError {
        PlanError(format!("{}:{line}: {what}", self.file))
    }

    fn line(&self, span: Range<usize>) -> usize {
        1 + self.breaks.partition_point(|&at| at < span.start)
    }
}

impl SweepPlan {
    /// Reads a plan. `file` is only for messages.
    pub fn parse(registry: &Registry, file: &str, text: &str, options: &Options) -> Result<Self, PlanError> {
        let place = Place::new(file, text);
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
            let tables = list.get_ref().as_array().ok_or_else(wrong)?;
            if tables.len() > MOST_CELLS {
                let why = format!("cell: there are {} of them; a sweep has at most {MOST_CELLS} cells", tables.len());
                return Err(place.error(line, why));
            }
            for table in tables.iter() {
                let line = place.line(table.span());
                let known = [&CELL_KEYS[..], &CELL_TABLES].concat();
                cells.push(template(&place, line, table.get_ref().as_table().ok_or_else(wrong)?, &known)?);
            }
        }
        let title = text_of("title")?.map_or_else(|| name.text.clone(), |title| title.text);
        let cells = cells::expand(registry, &place, &top, &cells, options)?;
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
            found.entries.insert(name, short_word(place, name, value)?);
        } else if name == "grid" {
            let grid = value.get_ref().as_table();
            let grid =
                grid.ok_or_else(|| place.error(line, "grid: a grid is a table of names with lists of values"))?;
            if grid.len() > MOST_NAMES {
                let why = format!("grid: {} names are too many; a grid has at most {MOST_NAMES}", grid.len());
                return Err(place.error(line, why));
            }
            for (name, values) in grid {
                found.grid.push(grid_axis(place, name.get_ref(), name.span(), values)?);
            }
            // The parser sorts by name; people mean the order in which they wrote.
            found.grid.sort_by_key(|axis| axis.at);
        } else if name == "modes" {
            found.modes = Some(modes(place, line, value)?);
        }
    }
    Ok(found)
}

fn grid_axis(
    place: &Place<'_>,
    name: &str,
    span: Range<usize>,
    values: &Spanned<DeValue<'_>>,
) -> Result<GridAxis, PlanError> {
    let (at, line) = (span.start, place.line(span));
    if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-') {
        return Err(
            place.error(line, format!("grid: {} is not a name; a name has letters, digits, _ and -", quoted(name)))
        );
    }
    if name.len() > LONGEST_NAME {
        let why = format!("grid: the name {} is too long; at most {LONGEST_NAME} letters", quoted(name));
        return Err(place.error(line, why));
    }
    let key = format!("grid.{name}");
    let expected = || place.error(line, format!("{key}: the values are a list, as in {name} = [0, 0.5, 1e6]"));
    let list = values.get_ref().as_array().filter(|list| !list.is_empty()).ok_or_else(expected)?;
    if list.len() > MOST_CELLS {
        let why = format!("{key}: {} values are too many; a sweep has at most {MOST_CELLS} cells", list.len());
        return Err(place.error(line, why));
    }
    let mut seen = BTreeSet::new();
    let mut values = Vec::with_capacity(list.len());
    for value in list.iter() {
        let Entry { text, line, .. } = short_word(place, &key, value)?;
        if text.contains(['{', '}']) {
            let why = format!("{key}: {} holds a brace; values are put in as they are", quoted(&text));
            return Err(place.error(line, why));
        }
        if !seen.insert(text.clone()) {
            return Err(place.error(line, format!("{key}: {} is there twice; once is enough", quoted(&text))));
        }
        values.push(text);
    }
    Ok(GridAxis { name: name.to_string(), values, line, at })
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

/// A text that is put into a cell: no longer than any sensible one.
fn short_word(place: &Place<'_>, key: &str, value: &Spanned<DeValue<'_>>) -> Result<Entry, PlanError> {
    let entry = word(place, key, value)?;
    match entry.text.len() {
        ..=LONGEST_TEXT => Ok(entry),
        bytes => Err(too_long(place, key, entry.line, bytes)),
    }
}

/// `key` has a text of so many bytes.
pub(super) fn too_long(place: &Place<'_>, key: &str, line: usize, bytes: usize) -> PlanError {
    place.error(line, format!("{key}: a text of {bytes} bytes is too long; at most {LONGEST_TEXT} bytes"))
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
    Ok(Entry::new(text, line))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_in_a_plan_is_on_the_line_that_counting_from_the_top_gives() {
        let text = "\n\nname = 'ö'\r\n[grid]\n\npn = [\n1,\n2]";
        let place = Place::new("plan.toml", text);
        for at in 0..=text.len() {
            let counted = 1 + text.bytes().take(at).filter(|&byte| byte == b'\n').count();
            assert_eq!(place.line(at..at), counted, "{at}");
        }
    }
}

//! From templates and a grid to the matches of a sweep.

use std::collections::HashMap;
use std::time::Duration;

use plyproof_core::spec::unknown_name;
use plyproof_engine::units::parse_size;
use plyproof_engine::{Budget, Registry, quoted};

use crate::matches::{GameClock, MatchPlan, Side, TimeLimit, parse_sprt};
use crate::sweep::plan::{
    Cell, Entry, GridAxis, LONGEST_TEXT, MOST_CELLS, Mode, Options, Place, PlanError, Template, file_stem, too_long,
};

/// The cells of a plan: every template (the top itself, if there is no other) with every combination of values.
pub(super) fn expand(
    registry: &Registry,
    place: &Place<'_>,
    top: &Template,
    templates: &[Template],
    options: &Options,
) -> Result<Vec<Cell>, PlanError> {
    let alone = [Template { line: top.line, ..Template::default() }];
    let templates = if templates.is_empty() { &alone } else { templates };
    let mut cells: Vec<Cell> = Vec::new();
    let mut records: HashMap<String, usize> = HashMap::new();
    let mut used_of_top = vec![false; top.grid.len()];
    for own in templates {
        let merged = Merged { registry, place, top, own };
        let axes = merged.axes(&mut used_of_top)?;
        let modes = own.modes.as_ref().or(top.modes.as_ref());
        if modes.is_some_and(|modes| !modes.contains(&options.mode)) {
            continue;
        }
        let count = axes.iter().fold(1usize, |count, axis| count.saturating_mul(axis.values.len()));
        if count.saturating_add(cells.len()) > MOST_CELLS {
            let why = format!("the grid makes more than {MOST_CELLS} cells; leave out values, or write several plans");
            return Err(place.error(own.line, why));
        }
        for index in 0..count {
            let cell = merged.cell(&combination(&axes, index), options)?;
            if let Some(other) = records.insert(cell.record_name(), cells.len()) {
                let (one, two) = (quoted(&cells[other].id), quoted(&cell.id));
                return Err(place.error(
                    own.line,
                    format!("label: {one} and {two} would share a record; give each cell a label of its own"),
                ));
            }
            cells.push(cell);
        }
    }
    if let Some((axis, _)) = top.grid.iter().zip(&used_of_top).find(|(_, used)| !**used) {
        return Err(unused(place, axis));
    }
    if cells.is_empty() {
        return Err(place.error(1, format!("no cell is left to play in the mode {}", options.mode.word())));
    }
    Ok(cells)
}

fn unused(place: &Place<'_>, axis: &GridAxis) -> PlanError {
    let name = &axis.name;
    place.error(axis.line, format!("grid.{name}: nothing uses it; write {{{name}}} where its values belong"))
}

/// Combination number `index`; the last axis changes fastest.
fn combination(axes: &[&GridAxis], mut index: usize) -> Vec<(String, String)> {
    let mut values: Vec<(String, String)> = Vec::with_capacity(axes.len());
    for axis in axes.iter().rev() {
        values.push((axis.name.clone(), axis.values[index % axis.values.len()].clone()));
        index /= axis.values.len();
    }
    values.reverse();
    values
}

/// A template over what the top of the plan says.
struct Merged<'a> {
    registry: &'a Registry,
    place: &'a Place<'a>,
    top: &'a Template,
    own: &'a Template,
}

/// The values of a cell by name.
type Values<'a> = HashMap<&'a str, &'a str>;

/// A side of the match.
#[derive(Clone, Copy)]
enum Seat {
    A,
    B,
}

impl Merged<'_> {
    /// The axes that some text of this cell names, those of the top first; marks those of the top.
    fn axes(&self, used_of_top: &mut [bool]) -> Result<Vec<&GridAxis>, PlanError> {
        let names = |name: &str| self.entries().any(|(_, entry)| entry.mentions(name));
        let mut axes = Vec::new();
        for (axis, used) in self.top.grid.iter().zip(used_of_top) {
            if self.own.grid.iter().all(|own| own.name != axis.name) {
                if names(&axis.name) {
                    *used = true;
                    axes.push(axis);
                }
            } else {
                *used = true;
            }
        }
        for axis in &self.own.grid {
            if !names(&axis.name) {
                return Err(self.misspelt().unwrap_or_else(|| unused(self.place, axis)));
            }
            axes.push(axis);
        }
        Ok(axes)
    }

    /// The texts of this cell: its own, and those of the top that it does not replace.
    fn entries(&self) -> impl Iterator<Item = (&'static str, &Entry)> {
        let inherited = self.top.entries.iter().filter(|(key, _)| !self.own.entries.contains_key(*key));
        self.own.entries.iter().chain(inherited).map(|(key, entry)| (*key, entry))
    }

    /// The names of the grid that this cell can use.
    fn names(&self) -> Vec<&str> {
        let own = self.own.grid.iter().filter(|axis| self.top.grid.iter().all(|top| top.name != axis.name));
        self.top.grid.iter().chain(own).map(|axis| axis.name.as_str()).collect()
    }

    /// A text of this cell with a name that the grid does not have, which is why another name is not used.
    fn misspelt(&self) -> Option<PlanError> {
        let names = self.names();
        self.entries().find_map(|(key, entry)| {
            entry.names().find(|name| !names.contains(name)).map(|name| self.unfilled(key, entry, name))
        })
    }

    fn entry(&self, key: &str) -> Option<&Entry> {
        self.own.entries.get(key).or_else(|| self.top.entries.get(key))
    }

    /// What holds for one side: its own key before the common one, the cell before the top.
    fn of_side(&self, key: &str, seat: Seat) -> Option<(String, &Entry)> {
        let own = format!("{key}_{}", if matches!(seat, Seat::A) { "a" } else { "b" });
        for template in [self.own, self.top] {
            for name in [own.as_str(), key] {
                if let Some(entry) = template.entries.get(name) {
                    return Some((name.to_string(), entry));
                }
            }
        }
        None
    }

    fn cell(&self, values: &[(String, String)], options: &Options) -> Result<Cell, PlanError> {
        let by_name: Values<'_> = values.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let filled = |key: &str, entry: &Entry| self.filled(key, entry, &by_name);
        let required = |key: &str| {
            let entry = self.entry(key);
            entry.map(|entry| Ok((filled(key, entry)?, entry.line))).unwrap_or_else(|| {
                let what = "is missing; every cell needs game, a, b and a budget (sims, time, or time and rate)";
                Err(self.place.error(self.own.line, format!("{key} {what}")))
            })
        };
        let whole = |key: &str, least: u64, most: u64, default: u64| match self.entry(key) {
            None => Ok(default),
            Some(entry) => {
                let text = filled(key, entry)?;
                text.parse().ok().filter(|number| (least..=most).contains(number)).ok_or_else(|| {
                    let why = format!("{key}: {} is not a whole number from {least} to {most}", quoted(&text));
                    self.place.error(entry.line, why)
                })
            }
        };
        let sprt = self.entry("sprt").map(|entry| {
            parse_sprt(&filled("sprt", entry)?).map_err(|error| self.place.error(entry.line, format!("sprt: {error}")))
        });
        let ((game, game_line), a, b) = (required("game")?, required("a")?, required("b")?);
        let start = self.registry.open(&game);
        let start = start.map_err(|error| self.place.error(game_line, format!("game: {error}")))?;
        let games = whole("games", 1, MatchPlan::MOST_GAMES.into(), 250)?;
        let plan = MatchPlan {
            games: options.games.unwrap_or(games as u32),
            // Seeds are kept to what every JSON reader holds exactly.
            seed: whole("seed", 0, 1 << 53, 1)?,
            openings: whole("openings", 0, MatchPlan::MOST_OPENING_PLIES.into(), 0)? as u32,
            max_plies: whole("max_plies", 1, 1_000_000, plyproof_core::PLY_LIMIT.into())? as u32,
            sprt: sprt.transpose()?,
            ..MatchPlan::new(
                start,
                self.side(Seat::A, a, &by_name, options)?,
                self.side(Seat::B, b, &by_name, options)?,
            )
        };
        let plan = plan.check().map_err(|error| self.place.error(self.own.line, error))?;
        let label = match self.entry("label") {
            Some(entry) => filled("label", entry)?,
            None => plan.config().game.clone(),
        };
        let mut id = label.clone();
        for (name, value) in values.iter().filter(|(name, _)| !self.label_names(name)) {
            id += &format!(" {name}={value}");
        }
        if id.len() > LONGEST_TEXT {
            let why = format!("label: with its values it has {} bytes; at most {LONGEST_TEXT} bytes", id.len());
            return Err(self.place.error(self.own.line, why));
        }
        if file_stem(&id).is_empty() {
            return Err(self
                .place
                .error(self.own.line, format!("label: {} has no letter from a to z and no digit", quoted(&label))));
        }
        Ok(Cell { id, label, values: values.to_vec(), plan })
    }

    /// Whether the label already holds this value, so that the identity need not repeat it.
    fn label_names(&self, name: &str) -> bool {
        self.entry("label").is_some_and(|entry| entry.mentions(name))
    }

    fn side(
        &self,
        seat: Seat,
        (agent, line): (String, usize),
        values: &Values<'_>,
        options: &Options,
    ) -> Result<Side, PlanError> {
        let key = if matches!(seat, Seat::A) { "a" } else { "b" };
        let source = plyproof_protocols::source(self.registry, &agent)
            .map_err(|error| self.place.error(line, format!("{key}: {error}")))?;
        let given = |key: &str| {
            let found = self.of_side(key, seat);
            found.map(|(name, entry)| Ok((self.filled(&name, entry, values)?, name, entry.line))).transpose()
        };
        let sims = given("sims")?
            .map(|(text, name, line)| {
                let number = text.parse().ok().filter(|number| (1..=1_000_000_000_000).contains(number));
                number.ok_or_else(|| {
                    self.place.error(line, format!("{name}: {} is not a whole number from 1", quoted(&text)))
                })
            })
            .transpose()?;
        let time = given("time")?
            .map(|(text, name, line)| {
                let time =
                    TimeLimit::parse(&text).map_err(|error| self.place.error(line, format!("{name}: {error}")))?;
                let why = || self.place.error(line, format!("{name}: no time at all; at least 1ms"));
                let (TimeLimit::Move(least) | TimeLimit::Game(GameClock { base: least, .. })) = time;
                if least < Duration::from_millis(1) { Err(why()) } else { Ok(time) }
            })
            .transpose()?;
        let (time, clock) = match time {
            Some(TimeLimit::Move(time)) => (Some(time), None),
            Some(TimeLimit::Game(clock)) => (None, Some(clock)),
            None => (None, None),
        };
        let rate = given("rate")?
            .map(|(text, name, line)| {
                let rate: Option<f64> = text.parse().ok().filter(|rate| (1e-3..=1e12).contains(rate));
                rate.ok_or_else(|| {
                    let what = "is not a number of simulations a second";
                    self.place.error(line, format!("{name}: {} {what}", quoted(&text)))
                })
            })
            .transpose()?;
        let (simulations, time) = match (sims, time, rate) {
            (sims, Some(time), Some(rate)) if options.mode == Mode::Paper => {
                let by_rate = ((rate * time.as_secs_f64()).round() as u64).max(1);
                (Some(sims.map_or(by_rate, |sims: u64| sims.min(by_rate))), None)
            }
            (None, None, _) if clock.is_none() => {
                let why = format!("side {key} has no budget; give sims, time, or time and rate");
                return Err(self.place.error(self.own.line, why));
            }
            (sims, time, _) => (sims, time),
        };
        let memory = given("memory")?
            .map(|(text, name, line)| {
                let size = parse_size(&text).map_err(|error| self.place.error(line, format!("{name}: {error}")))?;
                Ok(usize::try_from(size).unwrap_or(usize::MAX))
            })
            .transpose()?;
        let simulations = simulations.map(|sims| scaled(sims, options.scale));
        let budget = Budget { simulations, time, memory, ..Budget::default() };
        let time = budget.time.map(|time| time.mul_f64(options.scale).max(Duration::from_millis(1)));
        let scale = options.scale;
        let clock = clock.map(|clock| GameClock {
            base: clock.base.mul_f64(scale).max(Duration::from_millis(1)),
            increment: clock.increment.mul_f64(scale),
        });
        Ok(Side { clock, ..Side::new(source, Budget { time, ..budget }) })
    }

    /// The text of an entry with every `{name}` replaced by its value.
    fn filled(&self, key: &str, entry: &Entry, values: &Values<'_>) -> Result<String, PlanError> {
        let mut parts = entry.text.split('{');
        let mut text = parts.next().unwrap_or_default().to_string();
        for part in parts {
            let Some((name, rest)) = part.split_once('}') else {
                let why =
                    format!("{key}: {} has no closing brace; a name stands between two", quoted(&format!("{{{part}")));
                return Err(self.place.error(entry.line, why));
            };
            let value = values.get(name).ok_or_else(|| self.unfilled(key, entry, name))?;
            // Many names with long values: found out before the memory is taken.
            let bytes = text.len() + value.len() + rest.len();
            if bytes > LONGEST_TEXT {
                return Err(too_long(self.place, key, entry.line, bytes));
            }
            text += value;
            text += rest;
        }
        Ok(text)
    }

    /// `{name}` stands in a text, and there is no value to put there.
    fn unfilled(&self, key: &str, entry: &Entry, name: &str) -> PlanError {
        let (what, names) = (quoted(&format!("{{{name}}}")), self.names());
        let known = if names.is_empty() {
            "there is no grid; write [grid] and below it the name with a list of values".to_string()
        } else {
            unknown_name("name of the grid", name, names).to_string()
        };
        self.place.error(entry.line, format!("{key}: {what} is not filled in; {known}"))
    }
}

fn scaled(simulations: u64, scale: f64) -> u64 {
    if scale == 1.0 { simulations } else { ((simulations as f64 * scale).round() as u64).max(1) }
}

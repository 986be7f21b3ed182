//! From templates and a grid to the matches of a sweep.

use std::time::Duration;

use plyproof_core::quoted;
use plyproof_core::search::{Agent, Budget};

use crate::matches::{MatchPlan, Side, parse_sprt};
use crate::sweep::plan::{Cell, Entry, GridAxis, Mode, Options, Place, PlanError, Template, file_stem};
use crate::units::{parse_duration, parse_size};

/// Most cells of a sweep: more is a slip of the pen.
const MOST_CELLS: usize = 10_000;

/// The cells of a plan: every template (the top itself, if there is no other) with every combination of values.
pub(super) fn expand(
    place: &Place<'_>,
    top: &Template,
    templates: &[Template],
    options: &Options,
) -> Result<Vec<Cell>, PlanError> {
    let alone = [Template { line: top.line, ..Template::default() }];
    let templates = if templates.is_empty() { &alone } else { templates };
    let mut cells: Vec<Cell> = Vec::new();
    let mut used_of_top = vec![false; top.grid.len()];
    for own in templates {
        let merged = Merged { place, top, own };
        let axes = merged.axes(&mut used_of_top)?;
        let modes = own.modes.as_ref().or(top.modes.as_ref());
        if modes.is_some_and(|modes| !modes.contains(&options.mode)) {
            continue;
        }
        let count = axes.iter().fold(1usize, |count, axis| count.saturating_mul(axis.values.len()));
        if count.saturating_add(cells.len()) > MOST_CELLS {
            return Err(place.error(own.line, format!("the grid makes more than {MOST_CELLS} cells")));
        }
        for index in 0..count {
            let cell = merged.cell(&combination(&axes, index), options)?;
            let name = cell.record_name();
            if let Some(other) = cells.iter().find(|other| other.record_name() == name) {
                let (one, two) = (quoted(&other.id), quoted(&cell.id));
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
    place: &'a Place<'a>,
    top: &'a Template,
    own: &'a Template,
}

/// A side of the match.
#[derive(Clone, Copy)]
enum Seat {
    A,
    B,
}

impl Merged<'_> {
    /// The axes that some text of this cell names, those of the top first; marks those of the top.
    fn axes(&self, used_of_top: &mut [bool]) -> Result<Vec<&GridAxis>, PlanError> {
        let names = |name: &str| {
            let mark = format!("{{{name}}}");
            let inherited = self.top.entries.iter().filter(|(key, _)| !self.own.entries.contains_key(*key));
            self.own.entries.iter().chain(inherited).any(|(_, entry)| entry.text.contains(&mark))
        };
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
                return Err(unused(self.place, axis));
            }
            axes.push(axis);
        }
        Ok(axes)
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
        let filled = |key: &str, entry: &Entry| self.filled(key, entry, values);
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
        let games = whole("games", 1, MatchPlan::MOST_GAMES.into(), 250)?;
        let plan = MatchPlan {
            games: options.games.unwrap_or(games as u32),
            // Seeds are kept to what every JSON reader holds exactly.
            seed: whole("seed", 0, 1 << 53, 1)?,
            openings: whole("openings", 0, MatchPlan::MOST_OPENING_PLIES.into(), 0)? as u32,
            max_plies: whole("max_plies", 1, 1_000_000, plyproof_core::PLY_LIMIT.into())? as u32,
            sprt: sprt.transpose()?,
            ..MatchPlan::new(
                game.clone(),
                self.side(Seat::A, a, values, options)?,
                self.side(Seat::B, b, values, options)?,
            )
        };
        crate::open(&game).map_err(|error| self.place.error(game_line, format!("game: {error}")))?;
        let (_, config) = plan.check().map_err(|error| self.place.error(self.own.line, error))?;
        let label = match self.entry("label") {
            Some(entry) => filled("label", entry)?,
            None => config.game,
        };
        let mut id = label.clone();
        for (name, value) in values.iter().filter(|(name, _)| !self.label_names(name)) {
            id += &format!(" {name}={value}");
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
        self.entry("label").is_some_and(|entry| entry.text.contains(&format!("{{{name}}}")))
    }

    fn side(
        &self,
        seat: Seat,
        (agent, line): (String, usize),
        values: &[(String, String)],
        options: &Options,
    ) -> Result<Side, PlanError> {
        let key = if matches!(seat, Seat::A) { "a" } else { "b" };
        let agent = Agent::parse(&agent).map_err(|error| self.place.error(line, format!("{key}: {error}")))?;
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
                let time = parse_duration(&text).map_err(|error| self.place.error(line, format!("{name}: {error}")))?;
                let why = || self.place.error(line, format!("{name}: no time at all; at least 1ms"));
                if time < Duration::from_millis(1) { Err(why()) } else { Ok(time) }
            })
            .transpose()?;
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
            (None, None, _) => {
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
        let budget = Budget { simulations: simulations.map(|sims| scaled(sims, options.scale)), time, memory };
        let time = budget.time.map(|time| time.mul_f64(options.scale).max(Duration::from_millis(1)));
        Ok(Side { agent, budget: Budget { time, ..budget } })
    }

    /// The text of an entry with every `{name}` replaced by its value.
    fn filled(&self, key: &str, entry: &Entry, values: &[(String, String)]) -> Result<String, PlanError> {
        let mut text = entry.text.clone();
        for (name, value) in values {
            text = text.replace(&format!("{{{name}}}"), value);
        }
        match text.find('{') {
            None => Ok(text),
            Some(at) => {
                let known: Vec<&str> = values.iter().map(|(name, _)| name.as_str()).collect();
                let known = if known.is_empty() {
                    "there is no grid".to_string()
                } else {
                    format!("the grid has {}", known.join(", "))
                };
                let what = quoted(text[at..].split_inclusive('}').next().unwrap_or_default());
                Err(self.place.error(entry.line, format!("{key}: {what} is not filled in; {known}")))
            }
        }
    }
}

fn scaled(simulations: u64, scale: f64) -> u64 {
    if scale == 1.0 { simulations } else { ((simulations as f64 * scale).round() as u64).max(1) }
}

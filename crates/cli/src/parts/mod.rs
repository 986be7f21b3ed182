//! `--part`, `--collect`, `--status` and `--slurm`: matches, sweeps and experiments dealt to many processes.

pub mod slurm;

use std::env;
use std::sync::atomic::{AtomicBool, Ordering};

use plyproof_lab::matches::Part;
use plyproof_lab::sweep::{Collected, Options, PartDone, PartedSweep, PartsState, Results};
use serde_json::{Value, json};

use crate::input::count;
use crate::output::{self, Done, Failure, counted, grouped};
use crate::progress::{Progress, clock};
use crate::sweep::{How, failure};

/// How the games are dealt to many processes or machines.
#[derive(clap::Args)]
pub struct Parts {
    /// Play only part I of N, into records of its own; auto takes I from SLURM_ARRAY_TASK_ID or JOB_COMPLETION_INDEX
    #[arg(long, value_name = "I/N|auto/N", value_parser = part, help_heading = HEADING, conflicts_with_all = ["collect", "status", "slurm"])]
    part: Option<Part>,
    /// Merge the records of the parts, write the results, and say what is missing
    #[arg(long, help_heading = HEADING, conflicts_with = "status")]
    collect: bool,
    /// Say what is done, running and left, from the records and Slurm's queue
    #[arg(long, help_heading = HEADING, conflicts_with = "slurm")]
    status: bool,
    /// Write sbatch files for the parts and their collection in DIR/slurm, and submit them; with --collect, submit what is left
    #[arg(long, help_heading = HEADING)]
    pub slurm: bool,
    /// Number of parts [default: 8, or that of the records]
    #[arg(long = "parts", value_name = "N", value_parser = count::<u32>(1, Part::MOST.into()), help_heading = HEADING)]
    of: Option<u32>,
    /// Pairs that all parts together play of each cell with a sequential test before it is collected
    #[arg(long, value_name = "PAIRS", default_value_t = 100, value_parser = count::<u32>(1, 500_000), help_heading = HEADING)]
    round: u32,
    #[command(flatten)]
    slurm_options: slurm::Wishes,
}

const HEADING: &str = "In parts";

/// What is to be done in parts.
pub enum Task {
    /// Play a part.
    Play(Part),
    /// Merge the records, and submit what is left if asked to.
    Collect,
    /// Say how far it is.
    Status,
    /// Submit everything to Slurm.
    Submit,
}

/// Reads `3/8`, `auto/8` or `auto`.
pub fn part(text: &str) -> Result<Part, String> {
    let Some(rest) = text.strip_prefix("auto") else { return Part::parse(text).map_err(|error| error.to_string()) };
    let number = |name: &str| -> Result<Option<u32>, String> {
        let Some(value) = env::var_os(name) else { return Ok(None) };
        let read = value.to_str().and_then(|text| text.parse().ok());
        read.map(Some).ok_or_else(|| format!("{name} is {}, which is no number", value.display()))
    };
    // Slurm's arrays are written 1-N; a completion index begins at 0.
    let index = match number("SLURM_ARRAY_TASK_ID")? {
        Some(id) => Some(id),
        None => number("JOB_COMPLETION_INDEX")?.map(|index| index.saturating_add(1)),
    };
    let index = index.ok_or("auto needs SLURM_ARRAY_TASK_ID or JOB_COMPLETION_INDEX, and neither is set")?;
    let of = match rest.strip_prefix('/') {
        Some(of) => of.to_string(),
        None if rest.is_empty() => {
            let whole = number("SLURM_ARRAY_TASK_COUNT")?.filter(|_| number("SLURM_ARRAY_TASK_MIN") == Ok(Some(1)));
            let whole = whole.filter(|&count| number("SLURM_ARRAY_TASK_MAX") == Ok(Some(count)));
            let of = number("PLYPROOF_PARTS")?.or(whole);
            of.ok_or("how many parts there are is not known; give auto/N, or set PLYPROOF_PARTS")?.to_string()
        }
        None => return Err("a part is I/N, as in 3/8, or auto, or auto/N".to_string()),
    };
    Part::parse(&format!("{index}/{of}")).map_err(|error| error.to_string())
}

impl Parts {
    /// What was asked for, if it is anything in parts.
    pub fn task(&self) -> Result<Option<Task>, Failure> {
        if let Some(option) = self.slurm_options.given().filter(|_| !self.slurm) {
            return Err(Failure::Misused(format!("--{option} is for --slurm")));
        }
        Ok(match self.part {
            Some(part) => Some(Task::Play(part)),
            None if self.collect => Some(Task::Collect),
            None if self.status => Some(Task::Status),
            None if self.slurm => Some(Task::Submit),
            None if self.of.is_some() => {
                return Err(Failure::Misused("--parts is for --slurm, --status and --collect".to_string()));
            }
            None => None,
        })
    }

    /// Plays a part of these sweeps, one after the other.
    pub fn play(&self, sweeps: &[PartedSweep], part: Part, how: &How, stop: &AtomicBool) -> Done {
        let (mut progress, mut done) = (Progress::new(how.quiet), PartDone::default());
        for sweep in sweeps {
            let mut current = None;
            let played = sweep.play(part, self.round, how.jobs(), stop, &mut |now| {
                if current.replace(now.index) != Some(now.index) {
                    progress.next(format!("part {part}, {}/{}, {}", now.index + 1, now.cells, now.cell.id));
                    progress.resumed(now.summary);
                }
                progress.show(now.summary);
            });
            progress.clear();
            let played = played.map_err(failure)?;
            done = PartDone {
                resumed: done.resumed + played.resumed,
                played: done.played + played.played,
                left: done.left + played.left,
            };
            if stop.load(Ordering::Relaxed) {
                break;
            }
        }
        told(part, &done, how.json)?;
        if stop.load(Ordering::Relaxed) { Err(Failure::Interrupted) } else { Ok(()) }
    }

    /// Merges the records of a sweep and writes its results.
    pub fn collected(
        &self,
        sweep: PartedSweep,
        options: Options,
        table: &dyn Fn(&Results) -> String,
    ) -> Result<Collected, Failure> {
        sweep.collect(options, self.of, table).map_err(failure)
    }

    /// Ends a collection: complete, or what is missing, or what was submitted now.
    pub fn end(&self, collected: &[(String, Collected)], job: &slurm::Job<'_>) -> Done {
        let left: u64 = collected.iter().map(|(_, one)| one.state.left()).sum();
        if left == 0 {
            return Ok(());
        }
        let missing: Vec<String> = collected.iter().filter_map(|(name, one)| missing(name, one)).collect();
        let missing = missing.join("; ");
        if !self.slurm {
            return Err(Failure::Failed(missing));
        }
        // A part that fails at once would fail again, without end.
        if collected.iter().all(|(_, one)| one.new == 0) {
            let logs = job.folder.join("logs");
            return Err(Failure::Failed(format!(
                "{missing}; nothing is submitted, because the parts have played nothing new: see {}",
                logs.display()
            )));
        }
        let mut open: Vec<u32> = collected.iter().flat_map(|(_, one)| one.state.open_parts()).collect();
        open.sort_unstable();
        open.dedup();
        output::note(&missing)?;
        self.submit(job, collected[0].1.state.of, Some(&open))
    }

    /// Writes the sbatch files and submits them.
    pub fn submit(&self, job: &slurm::Job<'_>, of: u32, open: Option<&[u32]>) -> Done {
        slurm::submit(job, &self.slurm_options, of, self.round, open)
    }

    /// How many parts a new sweep is dealt to.
    pub fn count(&self) -> u32 {
        self.of.unwrap_or(8)
    }

    /// Says how far these sweeps are.
    pub fn status(&self, sweeps: &[PartedSweep], job: &slurm::Job<'_>, how: &How) -> Done {
        let queue = slurm::queue(&job.folder);
        let of = self.of.or(queue.as_ref().map(|queue| queue.parts));
        let states = sweeps.iter().map(|sweep| Ok((sweep, sweep.state(of).map_err(failure)?)));
        let states = states.collect::<Result<Vec<_>, Failure>>()?;
        if how.json {
            let sweeps: Vec<Value> = states.iter().map(|(sweep, state)| state_json(sweep, state)).collect();
            return output::print_json(&json!({ "sweeps": sweeps, "queue": queue }));
        }
        let texts: Vec<String> = states.iter().map(|(sweep, state)| state_text(sweep, state)).collect();
        let queue = queue.map_or(String::new(), |queue| queue.to_string() + "\n");
        output::print(&(texts.join("\n") + &queue))
    }
}

/// Says what a part has done.
pub fn told(part: Part, done: &PartDone, as_json: bool) -> Done {
    if as_json {
        return output::print_json(&json!({ "part": part.number, "parts": part.of, "played": done.played,
            "resumed": done.resumed, "left": done.left }));
    }
    let there = counted(done.resumed + done.played, "game", "games");
    output::print(&format!("part {part}: {there}, {} played now, {} left\n", grouped(done.played), grouped(done.left)))
}

/// `weights: 12 games are missing, of parts 3, 7 of 8`; none if nothing is.
fn missing(name: &str, collected: &Collected) -> Option<String> {
    let (state, left) = (&collected.state, collected.state.left());
    if left == 0 {
        return None;
    }
    if !collected.undecided.is_empty() {
        let cells = &collected.undecided;
        let rest = if cells.len() > 3 { ", …" } else { "" };
        let cells = cells.iter().take(3).map(String::as_str).collect::<Vec<_>>().join(", ");
        return Some(format!(
            "{name}: the sequential test goes on in {cells}{rest}: play all parts again, then collect"
        ));
    }
    let games = counted(left, "game is", "games are");
    let open = state.open_parts();
    let parts: Vec<String> = open.iter().take(12).map(u32::to_string).collect();
    let rest = if open.len() > 12 { ", …" } else { "" };
    let part = if open.len() == 1 { "part" } else { "parts" };
    Some(format!(
        "{name}: {games} missing, of {part} {}{rest} of {}: play them again, then collect",
        parts.join(", "),
        state.of
    ))
}

fn state_json(sweep: &PartedSweep, state: &PartsState) -> Value {
    let cells = sweep.plan().cells.iter().zip(&state.cells);
    let cells = cells.map(|(cell, tally)| {
        json!({ "id": cell.id, "games": tally.games, "planned": tally.planned, "complete": tally.complete() })
    });
    let parts = state.parts.iter().map(|part| json!({ "games_left": part.games, "seconds": part.seconds }));
    json!({ "name": sweep.plan().name, "games": state.games(), "games_left": state.left(),
        "seconds_left": state.seconds(), "cells": cells.collect::<Vec<_>>(), "parts": parts.collect::<Vec<_>>() })
}

fn state_text(sweep: &PartedSweep, state: &PartsState) -> String {
    let mut table = output::table(&["cell", "games", "planned", ""]);
    for (cell, tally) in sweep.plan().cells.iter().zip(&state.cells) {
        let word = match tally {
            _ if tally.decided => "decided",
            _ if tally.missing.is_empty() => "done",
            _ if cell.plan.sprt.is_some() => "undecided",
            _ => "",
        };
        table.add_row([cell.id.clone(), grouped(tally.games.into()), grouped(tally.planned.into()), word.to_string()]);
    }
    let (open, games, left) = (state.open_parts(), state.games(), state.left());
    let cells = counted(state.cells.len() as u64, "cell", "cells");
    let games = counted(games, "game", "games");
    let mut text = output::table_text(&table);
    text += &format!("{}: {cells}, {games} played, {} left", sweep.plan().name, grouped(left));
    if left > 0 {
        text += &format!(", in {} of {}", open.len(), counted(state.of.into(), "part", "parts"));
    }
    text += "\n";
    let seconds = state.seconds();
    if left > 0 && seconds > 0.0 {
        let longest = state.parts.iter().map(|part| part.seconds).fold(0.0, f64::max);
        let most = if sweep.plan().cells.iter().any(|cell| cell.plan.sprt.is_some()) { "at most " } else { "" };
        text += &format!(
            "{most}about {} of processor time, from the times of the games so far; with all parts at once, one game at a \
             time each, about {} without waiting\n",
            clock(seconds),
            clock(longest)
        );
    } else if left > 0 {
        text += "no game is recorded yet, so nothing is known of the time; --estimate tries short games\n";
    }
    text
}

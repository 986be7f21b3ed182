//! `plyproof sweep`: every match of a plan.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use plyproof_engine::Registry;
use plyproof_lab::matches::MatchError;
use plyproof_lab::sweep::{
    self, Digests, Estimate, Mode, Options, PartedSweep, Pivot, Results, Sweep, SweepError, SweepPlan,
};
use serde_json::{Value, json};

use crate::files;
use crate::input::count;
use crate::interrupt::stop_on_interrupt;
use crate::matches::{MOST_GAMES, MOST_JOBS};
use crate::output::{self, Done, Failure, counted, grouped};
use crate::parts::slurm::{Job, absolute};
use crate::parts::{Parts, Task};
use crate::progress::{Progress, clock};
use crate::summary_text::{percent, record};

/// Play every match of a plan, such as a grid of parameters
#[derive(clap::Args)]
#[command(
    after_help = "A plan is a TOML file with a name, a game, agents a and b, a budget (sims or time), a number of games, and a \
    [grid] whose values replace {name} in texts; [[cell]] lists several games. docs/experiments.md describes \
    plans.\n\
    Every cell has a record in DIR/records: the same command resumes the sweep. On a cluster the sweep is played in parts \
    (docs/clusters.md). DIR also gets results.json, \
    results.csv, README-table.md, digests.txt and a figure.\n\n\
    Examples:\n  \
    plyproof sweep weights.toml\n  \
    plyproof sweep weights.toml --out weights --games 100 --jobs 4\n  \
    plyproof sweep weights.toml --estimate\n  \
    plyproof sweep weights.toml --lines pn --pivot pn,game --latex\n  \
    plyproof sweep weights.toml --out weights --check 10\n  \
    plyproof sweep weights.toml --out weights --part 3/8\n  \
    plyproof sweep weights.toml --out weights --collect\n  \
    plyproof sweep weights.toml --out weights --slurm --parts 50 --time 4:00:00"
)]
pub struct Arguments {
    /// The plan
    #[arg(value_name = "PLAN.toml")]
    plan: PathBuf,
    #[command(flatten)]
    how: How,
    #[command(flatten)]
    parts: Parts,
    /// Folder for records and results [default: results/NAME]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replay games of N cells and compare them with DIR/digests.txt, instead of playing the sweep
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "5", value_parser = count::<usize>(1, 10_000))]
    check: Option<usize>,
    /// Also draw win rates as lines over this variable of the grid, in DIR/lines-NAME.svg, .png and .pdf
    #[arg(long, value_name = "NAME")]
    lines: Option<String>,
    /// Print win rates as a table of two variables (of the grid, game or label), also in DIR/pivot.md
    #[arg(long, value_name = "ROW,COLUMN", value_parser = two_names)]
    pivot: Option<Names>,
    /// Also write the results as LaTeX: DIR/results.tex, and with --pivot DIR/pivot.tex
    #[arg(long)]
    latex: bool,
}

/// The variables of the rows and the columns of a table.
#[derive(Clone)]
struct Names(String, String);

fn two_names(text: &str) -> Result<Names, String> {
    match text.split_once(',').map(|(row, column)| (row.trim(), column.trim())) {
        Some((row, column)) if !row.is_empty() && !column.is_empty() && !column.contains(',') => {
            Ok(Names(row.to_string(), column.to_string()))
        }
        _ => Err("expected two variables, as in pn,c".to_string()),
    }
}

/// How to play, as sweeps and experiments take it.
#[derive(clap::Args)]
pub struct How {
    /// Games for each cell, instead of the plan's number
    #[arg(long, value_name = "N", value_parser = count::<u32>(1, MOST_GAMES))]
    games: Option<u32>,
    /// Games played at the same time [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = count::<u16>(1, MOST_JOBS))]
    jobs: Option<u16>,
    /// Factor for every budget, to try out a plan quickly
    #[arg(long, value_name = "F", default_value = "1", value_parser = scale)]
    scale: f64,
    /// Print only an estimate of the time
    #[arg(long)]
    pub estimate: bool,
    /// Print no progress
    #[arg(long)]
    pub quiet: bool,
    /// Print the results as JSON
    #[arg(long)]
    pub json: bool,
}

fn scale(text: &str) -> Result<f64, String> {
    let scale = text.parse().ok().filter(|scale| (1e-6..=1e6).contains(scale));
    scale.ok_or_else(|| "a scale is a number from 0.000001 to 1000000".to_string())
}

impl How {
    pub fn options(&self, mode: Mode) -> Options {
        Options { mode, games: self.games, scale: self.scale }
    }

    /// The options that change what is played, for a command line.
    pub fn options_again(&self) -> Vec<OsString> {
        let mut options: Vec<OsString> = Vec::new();
        options.extend(self.games.map(|games| format!("--games={games}").into()));
        options.extend((self.scale != 1.0).then(|| format!("--scale={}", self.scale).into()));
        options
    }

    /// Games to play at a time; 0 is one for each processor.
    pub fn jobs(&self) -> usize {
        self.jobs.unwrap_or_default().into()
    }
}

pub fn run(registry: &Registry, arguments: &Arguments) -> Done {
    let how = &arguments.how;
    let options = how.options(Mode::Paper);
    let text = plan_text(&arguments.plan)?;
    let plan = SweepPlan::parse(registry, &arguments.plan.display().to_string(), &text, &options);
    let plan = plan.map_err(|error| Failure::Misused(error.to_string()))?;
    known(&plan, arguments)?;
    let out = arguments.out.clone().unwrap_or_else(|| Path::new("results").join(&plan.name));
    if let Some(task) = arguments.parts.task()? {
        return in_parts(task, plan, options, &text, &out, arguments);
    }
    let stop = stop_on_interrupt()?;
    if let Some(sample) = arguments.check {
        return check(&plan, &out, sample, how, &stop);
    }
    let mut sweep = Sweep::open(plan, options, &out).map_err(failure)?;
    let mut progress = Progress::new(how.quiet);
    let estimate = sweep.estimate(how.jobs(), &stop);
    if how.estimate {
        return match how.json {
            true => output::print_json(&estimate_json(&sweep, &estimate)),
            false => output::print(&estimate_text(&sweep, &estimate)),
        };
    }
    progress.note(&left(&sweep, &estimate));
    let results = play(&mut sweep, how, &estimate, &stop, &mut progress, &sweep::markdown)?;
    show(&results, arguments, &out, &mut progress)?;
    if stop.load(Ordering::Relaxed) && !results.complete() { Err(Failure::Interrupted) } else { Ok(()) }
}

/// Draws and prints the results.
fn show(results: &Results, arguments: &Arguments, out: &Path, progress: &mut Progress) -> Done {
    let drawn = sweep::figure(results).save_all(&out.join("win-rates")).map_err(Failure::failed)?;
    if let Some(warning) = drawn.warning {
        progress.note(&warning);
    }
    let pivot = extras(results, arguments, out)?;
    if arguments.how.json {
        output::print_json(results)
    } else if let Some(pivot) = pivot {
        output::print(&format!("{pivot}\nresults are in {}\n", out.display()))
    } else {
        output::print(&format!("{}\nresults are in {}\n", table(results), out.display()))
    }
}

/// Does what was asked for in parts.
fn in_parts(task: Task, plan: SweepPlan, options: Options, text: &str, out: &Path, arguments: &Arguments) -> Done {
    let (parts, how) = (&arguments.parts, &arguments.how);
    if arguments.check.is_some() || how.estimate {
        return Err(Failure::Misused("--check and --estimate look at the whole sweep, not at parts".to_string()));
    }
    let name = plan.name.clone();
    let sweep = PartedSweep::new(plan, out);
    match task {
        Task::Play(part) => parts.play(&[sweep], part, how, &*stop_on_interrupt()?),
        Task::Status => parts.status(&[sweep], &job(arguments, &name, out)?, how),
        Task::Submit => {
            let job = job(arguments, &name, out)?;
            keep_plan(&job.folder, text)?;
            parts.submit(&job, parts.count(), None)
        }
        Task::Collect => {
            let collected = parts.collected(sweep, options, &sweep::markdown)?;
            show(&collected.results, arguments, out, &mut Progress::new(how.quiet))?;
            let job = job(arguments, &name, out)?;
            if parts.slurm {
                keep_plan(&job.folder, text)?;
            }
            parts.end(&[(name.clone(), collected)], &job)
        }
    }
}

/// The copy of the plan in the folder of Slurm's files.
const PLAN: &str = "plan.toml";

/// Keeps the plan as it is now: the parts may begin much later.
fn keep_plan(folder: &Path, text: &str) -> Done {
    fs::create_dir_all(folder)
        .map_err(|error| Failure::Failed(format!("cannot make the folder {}: {error}", folder.display())))?;
    files::write(&folder.join(PLAN), text)
}

/// This sweep as Slurm is to run it.
fn job<'a>(arguments: &Arguments, name: &'a str, out: &Path) -> Result<Job<'a>, Failure> {
    let out = absolute(out)?;
    let folder = out.join("slurm");
    let mut play: Vec<OsString> = vec!["sweep".into(), folder.join(PLAN).into(), "--out".into(), out.into()];
    play.extend(arguments.how.options_again());
    let mut collect = play.clone();
    collect.extend(arguments.lines.iter().map(|name| format!("--lines={name}").into()));
    collect.extend(arguments.pivot.iter().map(|Names(row, column)| format!("--pivot={row},{column}").into()));
    collect.extend(arguments.latex.then(|| "--latex".into()));
    Ok(Job { name, play, collect, jobs: arguments.how.jobs(), folder })
}

/// A variable that the grid does not have is found out before the sweep, not after it.
fn known(plan: &SweepPlan, arguments: &Arguments) -> Done {
    let mut grid: Vec<&str> =
        plan.cells.iter().flat_map(|cell| cell.values.iter().map(|(name, _)| name.as_str())).collect();
    grid.sort_unstable();
    grid.dedup();
    let both = arguments.pivot.iter().flat_map(|Names(row, column)| [row, column]);
    for name in arguments.lines.iter().chain(both) {
        let beside = arguments.lines.as_ref() != Some(name) && ["game", "label"].contains(&name.as_str());
        if !beside && !grid.contains(&name.as_str()) {
            let known = if grid.is_empty() {
                "this plan has no grid".to_string()
            } else {
                format!("the grid has {}", grid.join(", "))
            };
            return Err(Failure::Misused(format!(
                "{} is no variable of the grid; {known}",
                plyproof_engine::quoted(name)
            )));
        }
    }
    Ok(())
}

/// Writes what was asked for beside the results; the table of two variables, if that is among it.
fn extras(results: &Results, arguments: &Arguments, out: &Path) -> Result<Option<String>, Failure> {
    if let Some(name) = &arguments.lines {
        let figure = sweep::lines(results, name).map_err(Failure::misused)?;
        let file = name.replace(|c: char| !c.is_ascii_alphanumeric(), "-");
        figure.save_all(&out.join(format!("lines-{file}"))).map_err(Failure::failed)?;
    }
    if arguments.latex {
        files::write(&out.join("results.tex"), &sweep::latex(results))?;
    }
    let Some(Names(row, column)) = &arguments.pivot else { return Ok(None) };
    let pivot = Pivot::new(results, row, column).map_err(Failure::misused)?;
    files::write(&out.join("pivot.md"), &pivot.markdown())?;
    if arguments.latex {
        files::write(&out.join("pivot.tex"), &pivot.latex())?;
    }
    Ok(Some(pivot.markdown()))
}

/// Replays some cells and compares their games with the digests in the folder of the results.
fn check(plan: &SweepPlan, out: &Path, sample: usize, how: &How, stop: &AtomicBool) -> Done {
    let digests = Digests::load(out).map_err(failure)?;
    let mut progress = Progress::new(how.quiet);
    let checked = sweep::check(plan, &digests, sample, how.jobs(), stop, &mut |cell| {
        let what = if cell.agrees { "agree" } else { "differ" };
        progress.note(&format!("{}: {} games {what}", cell.id, cell.games));
    });
    let checked = checked.map_err(failure)?;
    let differing: Vec<&str> = checked.cells.iter().filter(|cell| !cell.agrees).map(|cell| cell.id.as_str()).collect();
    let games: usize = checked.cells.iter().map(|cell| cell.games).sum();
    let (cells, skipped) = (checked.cells.len(), checked.skipped.len());
    if how.json {
        let (played, version) = (&digests.version, env!("CARGO_PKG_VERSION"));
        let told = json!({"cells": cells, "games": games, "differing": differing, "skipped": checked.skipped,
            "played_by": played, "version": version});
        output::print_json(&told)?;
    } else {
        let skipped = if skipped > 0 {
            format!("; {} cannot be replayed", counted(skipped as u64, "cell", "cells"))
        } else {
            String::new()
        };
        output::print(&format!(
            "{} of {} replayed, {} differ; the digests are of games played by plyproof {}{skipped}\n",
            counted(games as u64, "game", "games"),
            counted(cells as u64, "cell", "cells"),
            differing.len(),
            digests.version
        ))?;
    }
    match differing.first() {
        _ if stop.load(Ordering::Relaxed) => Err(Failure::Interrupted),
        Some(first) => Err(Failure::Failed(format!("the replayed games of {first} differ from the digests"))),
        None if cells == 0 => Err(Failure::Failed(
            "no cell of this plan can be replayed: their budgets are in time, or they have no digest".to_string(),
        )),
        None => Ok(()),
    }
}

/// Longest plan that is read, in bytes.
const LONGEST: u64 = 1 << 20;

fn plan_text(path: &Path) -> Result<String, Failure> {
    let fault = |error: io::Error| Failure::Failed(format!("{}: {error}", path.display()));
    let wrong = |why: &str| Failure::Misused(format!("{}: {why}", path.display()));
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(fault)?;
    file.take(LONGEST + 1).read_to_end(&mut bytes).map_err(fault)?;
    if bytes.len() as u64 > LONGEST {
        return Err(wrong("too long for a plan: more than 1 MB"));
    }
    String::from_utf8(bytes).map_err(|_| wrong("not a plan: it is not UTF-8 text"))
}

/// A cell that cannot be played is misuse; trouble with files is a failure.
pub fn failure(error: SweepError) -> Failure {
    match error {
        SweepError::Match(_, MatchError::Plan(_)) => Failure::Misused(error.to_string()),
        _ => Failure::Failed(error.to_string()),
    }
}

/// Plays a sweep and tells of it.
pub fn play(
    sweep: &mut Sweep,
    how: &How,
    estimate: &Estimate,
    stop: &AtomicBool,
    progress: &mut Progress,
    table: &dyn Fn(&Results) -> String,
) -> Result<Results, Failure> {
    for note in sweep.notes() {
        progress.note(note);
    }
    let mut current = None;
    let mut shown = |now: sweep::Progress<'_>| {
        if current != Some(now.index) {
            current = Some(now.index);
            let left = clock(now.seconds_left);
            progress.next(format!("{}/{}, {left} to go, {}", now.index + 1, now.cells, now.cell.id));
        }
        progress.show(now.summary);
    };
    let played = sweep.run(how.jobs(), estimate, stop, &mut shown, table);
    progress.clear();
    played.map_err(failure)
}

/// What is left to play and how long it will take.
pub fn left(sweep: &Sweep, estimate: &Estimate) -> String {
    let cells = counted(sweep.plan().cells.len() as u64, "cell", "cells");
    if estimate.games == 0 {
        return format!("{}: {cells}, every game is played", sweep.plan().name);
    }
    let games = counted(estimate.games, "game", "games");
    format!("{}: {cells}, {games} to play, about {}", sweep.plan().name, clock(estimate.seconds))
}

/// The estimate as JSON has it.
pub fn estimate_json(sweep: &Sweep, estimate: &Estimate) -> Value {
    let cells = sweep.plan().cells.iter().zip(&estimate.cells).map(|(cell, estimated)| {
        json!({ "id": cell.id, "games_left": estimated.games, "seconds_a_game": estimated.seconds_a_game })
    });
    let cells: Vec<Value> = cells.collect();
    json!({ "name": sweep.plan().name, "games_left": estimate.games, "seconds": estimate.seconds, "cells": cells })
}

/// The estimate cell by cell.
pub fn estimate_text(sweep: &Sweep, estimate: &Estimate) -> String {
    let mut table = output::table(&["cell", "games left", "a game", "in all, one at a time"]);
    for (cell, estimated) in sweep.plan().cells.iter().zip(&estimate.cells) {
        table.add_row([
            cell.id.clone(),
            grouped(estimated.games.into()),
            format!("{:.2} s", estimated.seconds_a_game),
            clock(estimated.seconds()),
        ]);
    }
    format!("{}\n{}\n", output::table_text(&table), left(sweep, estimate))
}

/// The results for a terminal.
pub fn table(results: &Results) -> String {
    let mut table = output::table(&["cell", "games", "A's results", "win rate", "95 % interval", "score"]);
    for cell in &results.cells {
        let Some(summary) = &cell.summary else {
            table.add_row([cell.id.as_str(), "0", "-", "-", "-", "-"]);
            continue;
        };
        let interval = summary.wilson95.map(|[low, high]| format!("{:.1} to {:.1}", 100.0 * low, 100.0 * high));
        table.add_row([
            cell.id.clone(),
            if summary.complete {
                grouped(summary.games.into())
            } else {
                format!("{} of {}", summary.games, summary.planned)
            },
            record(summary.wins, summary.draws, summary.losses),
            percent(summary.win_rate_without_draws),
            interval.unwrap_or("-".to_string()),
            percent(summary.score),
        ]);
    }
    output::table_text(&table)
}

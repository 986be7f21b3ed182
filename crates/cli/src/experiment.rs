//! `plyproof experiment`: the experiments of the paper.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use plyproof_engine::Registry;
use plyproof_lab::experiment::overhead::{Overhead, OverheadPlan};
use plyproof_lab::experiment::{Experiment, Outcome, save_overview};
use plyproof_lab::sweep::{Estimate, Mode, PartedSweep, Results, Sweep};
use serde_json::json;

use crate::interrupt::stop_on_interrupt;
use crate::output::{self, Done, Failure, grouped};
use crate::parts::slurm::{Job, absolute};
use crate::parts::{Parts, Task};
use crate::progress::{Progress, clock};
use crate::sweep::{How, estimate_json, estimate_text, failure, left, play, table};

/// Repeat the experiments of the PN-MCTS paper, and compare the results with the paper's
#[derive(clap::Args)]
#[command(after_help = "Experiments: overhead, pn-parameter, fixed-simulations, time-settings, domains, all.\n\
    The mode paper gives each side as many simulations as the paper's machine made in the paper's time, which keeps \
    the overhead of the paper's program; the mode time gives real seconds. Every cell has a record: the same command \
    resumes the experiment.\n\
    DIR/NAME gets results.json, results.csv, README-table.md and figures as SVG and PNG. docs/experiments.md \
    describes the experiments.\n\n\
    Examples:\n  \
    plyproof experiment all --estimate\n  \
    plyproof experiment fixed-simulations --out paper\n  \
    plyproof experiment domains --games 20 --scale 0.1 --out try\n  \
    plyproof experiment all --out paper --slurm --parts 100 --time 4:00:00")]
pub struct Arguments {
    /// The experiment, or all of them
    name: String,
    /// How the paper's seconds are interpreted
    #[arg(long, value_name = "M", default_value = "paper")]
    mode: Seconds,
    #[command(flatten)]
    how: How,
    #[command(flatten)]
    parts: Parts,
    /// Folder for records and results
    #[arg(long, value_name = "DIR", default_value = "results")]
    out: PathBuf,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Seconds {
    /// As simulations: the paper's rate times its seconds
    Paper,
    /// As seconds on this machine
    Time,
}

/// An experiment ready to be run.
enum Ready {
    Play(Experiment, Box<Sweep>, Estimate),
    Measure(OverheadPlan),
}

pub fn run(registry: &Registry, arguments: &Arguments) -> Done {
    let experiments = Experiment::parse(&arguments.name).map_err(Failure::misused)?;
    let mode = match arguments.mode {
        Seconds::Paper => Mode::Paper,
        Seconds::Time => Mode::Time,
    };
    let (how, options) = (&arguments.how, arguments.how.options(mode));
    if let Some(task) = arguments.parts.task()? {
        return in_parts(registry, task, &experiments, mode, arguments);
    }
    let stop = stop_on_interrupt()?;
    let mut ready = Vec::with_capacity(experiments.len());
    for &experiment in &experiments {
        let plan = experiment.sweep_plan(registry, &options).map_err(|error| Failure::Misused(error.to_string()))?;
        ready.push(match plan {
            None => Ready::Measure(OverheadPlan::shipped()),
            Some(plan) => {
                let folder = experiment.folder(&arguments.out, mode);
                let sweep = Sweep::open(plan, options, &folder).map_err(failure)?;
                let estimate = sweep.estimate(how.jobs(), &stop);
                Ready::Play(experiment, Box::new(sweep), estimate)
            }
        });
    }
    let overhead_seconds = |plan: &OverheadPlan| plan.seconds(&options) * plan.games.len() as f64 * 1.3;
    let told = |one: &Ready| match one {
        Ready::Play(_, sweep, estimate) => left(sweep, estimate),
        Ready::Measure(plan) => format!("{}: about {}", plan.name, clock(overhead_seconds(plan))),
    };
    let total: f64 = ready
        .iter()
        .map(|one| match one {
            Ready::Play(_, _, estimate) => estimate.seconds,
            Ready::Measure(plan) => overhead_seconds(plan),
        })
        .sum();
    if how.estimate && how.json {
        let parts = ready.iter().map(|one| match one {
            Ready::Play(_, sweep, estimate) => estimate_json(sweep, estimate),
            Ready::Measure(plan) => json!({ "name": plan.name, "seconds": overhead_seconds(plan) }),
        });
        return output::print_json(&parts.collect::<Vec<_>>());
    }
    if how.estimate {
        let parts = ready.iter().map(|one| match one {
            Ready::Play(_, sweep, estimate) => estimate_text(sweep, estimate) + "\n",
            Ready::Measure(_) => told(one) + "\n\n",
        });
        return output::print(&format!("{}in all about {}\n", parts.collect::<String>(), clock(total)));
    }
    let mut progress = Progress::new(how.quiet);
    for one in &ready {
        progress.note(&told(one));
    }
    if ready.len() > 1 {
        progress.note(&format!("in all about {}", clock(total)));
    }
    let mut outcomes = Vec::with_capacity(ready.len());
    for one in ready {
        outcomes.push(match one {
            Ready::Measure(plan) => (Experiment::Overhead, measure(registry, arguments, mode, &plan, &mut progress)?),
            Ready::Play(experiment, mut sweep, estimate) => {
                let outcome = played(arguments, mode, experiment, (&mut sweep, &estimate), &stop, &mut progress)?;
                (experiment, outcome)
            }
        });
        if stop.load(Ordering::Relaxed) {
            break;
        }
    }
    let complete = outcomes.len() == experiments.len()
        && outcomes.iter().all(|(_, outcome)| matches!(outcome, Outcome::Measured(_)) || is_complete(outcome));
    if experiments.len() > 1 {
        save_overview(&arguments.out, mode, &outcomes).map_err(failure)?;
    }
    print(arguments, mode, &outcomes)?;
    if complete { Ok(()) } else { Err(Failure::Interrupted) }
}

/// Does what was asked for in parts: the experiments that play games. Speeds are measured on one machine.
fn in_parts(registry: &Registry, task: Task, experiments: &[Experiment], mode: Mode, arguments: &Arguments) -> Done {
    let (parts, how, options) = (&arguments.parts, &arguments.how, arguments.how.options(mode));
    if how.estimate {
        return Err(Failure::Misused("--estimate looks at the whole experiment, not at parts".to_string()));
    }
    let mut sweeps = Vec::with_capacity(experiments.len());
    for &experiment in experiments {
        let plan = experiment.sweep_plan(registry, &options).map_err(|error| Failure::Misused(error.to_string()))?;
        if let Some(plan) = plan {
            sweeps.push((experiment, PartedSweep::new(plan, &experiment.folder(&arguments.out, mode))));
        }
    }
    if sweeps.is_empty() {
        return Err(Failure::Misused("overhead measures speeds on one machine; it has no parts".to_string()));
    }
    let only = |sweeps: Vec<(Experiment, PartedSweep)>| sweeps.into_iter().map(|(_, sweep)| sweep).collect::<Vec<_>>();
    match task {
        Task::Play(part) => parts.play(&only(sweeps), part, how, &*stop_on_interrupt()?),
        Task::Status => parts.status(&only(sweeps), &job(arguments)?, how),
        Task::Submit => parts.submit(&job(arguments)?, parts.count(), None),
        Task::Collect => {
            let mut progress = Progress::new(how.quiet);
            let (mut collected, mut outcomes) = (Vec::new(), Vec::new());
            for (experiment, sweep) in sweeps {
                let one = parts.collected(sweep, options, &|results| experiment.table(results, ""))?;
                draw(arguments, mode, experiment, &one.results, &mut progress)?;
                outcomes.push((experiment, Outcome::Played(one.results.clone())));
                collected.push((experiment.name().to_string(), one));
            }
            if experiments.len() > 1 {
                save_overview(&arguments.out, mode, &outcomes).map_err(failure)?;
            }
            print(arguments, mode, &outcomes)?;
            parts.end(&collected, &job(arguments)?)
        }
    }
}

/// These experiments as Slurm is to run them.
fn job(arguments: &Arguments) -> Result<Job<'_>, Failure> {
    let out = absolute(&arguments.out)?;
    let folder = out.join("slurm");
    let name = arguments.name.as_str();
    let mode = if matches!(arguments.mode, Seconds::Time) { "time" } else { "paper" };
    let mut play: Vec<OsString> = vec!["experiment".into(), name.into(), "--mode".into(), mode.into()];
    play.extend(["--out".into(), out.into()]);
    play.extend(arguments.how.options_again());
    Ok(Job { name, collect: play.clone(), play, jobs: arguments.how.jobs(), folder })
}

fn is_complete(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Played(results) if results.complete())
}

fn measure(
    registry: &Registry,
    arguments: &Arguments,
    mode: Mode,
    plan: &OverheadPlan,
    progress: &mut Progress,
) -> Result<Outcome, Failure> {
    let options = arguments.how.options(mode);
    let mut last = None;
    let measured = plan.measure(registry, &options, &mut |now| {
        if last.replace(now.round) != Some(now.round) {
            let round = if now.round == 0 { "first look".to_string() } else { format!("round {}", now.round) };
            progress.note(&format!("overhead: {round}"));
        }
    });
    let overhead = measured.map_err(failure)?;
    let (_, warning) = overhead.save(&Experiment::Overhead.folder(&arguments.out, mode)).map_err(failure)?;
    if let Some(warning) = warning {
        progress.note(&warning);
    }
    Ok(Outcome::Measured(overhead))
}

fn played(
    arguments: &Arguments,
    mode: Mode,
    experiment: Experiment,
    (sweep, estimate): (&mut Sweep, &Estimate),
    stop: &AtomicBool,
    progress: &mut Progress,
) -> Result<Outcome, Failure> {
    let table = |results: &_| experiment.table(results, "");
    let results = play(sweep, &arguments.how, estimate, stop, progress, &table)?;
    draw(arguments, mode, experiment, &results, progress)?;
    Ok(Outcome::Played(results))
}

fn draw(arguments: &Arguments, mode: Mode, experiment: Experiment, results: &Results, progress: &mut Progress) -> Done {
    let folder = experiment.folder(&arguments.out, mode);
    for drawn in experiment.draw(results, &folder).map_err(Failure::failed)? {
        if let Some(warning) = drawn.warning {
            progress.note(&warning);
        }
    }
    Ok(())
}

fn print(arguments: &Arguments, mode: Mode, outcomes: &[(Experiment, Outcome)]) -> Done {
    if arguments.how.json {
        let values = outcomes.iter().map(|(_, outcome)| match outcome {
            Outcome::Played(results) => serde_json::to_value(results),
            Outcome::Measured(overhead) => serde_json::to_value(overhead),
        });
        return output::print_json(&values.collect::<Result<Vec<_>, _>>().map_err(Failure::failed)?);
    }
    let mut text = String::new();
    for (experiment, outcome) in outcomes {
        let folder = experiment.folder(&arguments.out, mode);
        text += &match outcome {
            Outcome::Played(results) => format!("{}\n\n{}", results.title, table(results)),
            Outcome::Measured(overhead) => format!("{}\n\n{}", overhead.title, speeds(overhead)),
        };
        text += &format!("\ncomparison with the paper: {}\n\n", folder.join("README-table.md").display());
    }
    output::print(text.trim_end_matches('\n'))?;
    output::print("\n")
}

fn speeds(overhead: &Overhead) -> String {
    let mut table = output::table(&["game", "pn-mcts sims/s", "mcts sims/s", "ratio"]);
    for game in &overhead.games {
        let speed = &game.speed;
        table.add_row([
            game.label.clone(),
            grouped(speed.pn_mcts_sims_per_s as u64),
            grouped(speed.mcts_sims_per_s as u64),
            format!("{:.2}", speed.pn_over_mcts),
        ]);
    }
    output::table_text(&table)
}

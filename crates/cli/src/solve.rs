//! `plyproof solve`: the exact value of a position, with a proof that can be checked.

mod jobs;
mod progress;
mod ray;
mod saved;
mod watch;

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use plyproof_engine::job_line::{JobLine, JobStanding};
use plyproof_engine::jobs::AGENT;
use plyproof_engine::tables::TabledAgent;
use plyproof_engine::units::{elapsed_text, parse_duration, parse_size, size_text};
use plyproof_engine::{
    Aim, AnyGame, Bounds, Budget, Claim, Interval, JobProgress, ProofHead, Registry, Solution, SolveProgress,
    SolveTask, Stopped, Wdl, writable,
};
use serde::Serialize;

use crate::input::{Place, cores, memory_beside_program, threads, whole};
use crate::interrupt::stop_on_interrupt;
use crate::output::{self, Done, Failure, counted, grouped};

use jobs::{JobsReport, SavedJobs};
use progress::Progress;
use saved::Saved;
use watch::Watching;

/// Time between two checkpoints when nothing is said.
const EVERY: Duration = Duration::from_secs(600);

/// Solve a position: its exact value, best play, and a proof that anyone can check
#[derive(clap::Args)]
#[command(
    after_help = "Values are for the player to move. Endless play is a draw. Ctrl-C ends the command and prints what is known. The \
    exit code is 0 if the question of --goal is answered, and 1 if the answer stays unknown within the limits; in \
    JSON the value is then null.\n\
    `plyproof verify FILE` checks a certificate. A draw needs two certificates; the name of the second file gets -2 \
    before its extension.\n\n\
    Examples:\n  \
    plyproof solve \"loa(size=5)\" --certificate loa5.cert.gz\n  \
    plyproof solve \"connect4(width=5,height=5)\"\n  \
    plyproof solve \"breakthrough(size=4x5)\" --jobs 2 --checkpoint b45.save\n  \
    plyproof solve \"mnk(m=5,n=4,k=4)\" --jobs 2 --metrics 9100 --log j.log\n  \
    plyproof solve \"hex(size=3)\" --all-moves\n  \
    plyproof solve \"breakthrough(size=4x5)\" --agent pn2 --memory 256MB --json"
)]
pub struct Arguments {
    #[command(flatten)]
    place: Place,
    /// The question: the value (win, draw or loss); is it a win; is it at least a draw; the score in points
    #[arg(long, default_value = Aim::Value.word(), value_parser = aims())]
    goal: Aim,
    /// Solver: portfolio (df-pn and alpha-beta together), df-pn, alpha-beta, pns, pn2, pn-mcts, plyproof or minimax, with its parameters
    #[arg(long, value_name = "SPEC", default_value = "portfolio")]
    agent: String,
    /// Also find the value of every legal move
    #[arg(long)]
    all_moves: bool,
    /// Limit on expanded positions
    #[arg(long, value_name = "N", value_parser = whole)]
    nodes: Option<u64>,
    /// Time limit, as in 1s, 250ms, 2m or 0.5 (seconds) [default: none]
    #[arg(long, value_name = "T", value_parser = parse_duration)]
    time: Option<Duration>,
    /// Memory limit, as in 512MB, 2GiB or 1024 (bytes) [default: a quarter of the machine's]
    #[arg(long, value_name = "M", value_parser = parse_size)]
    memory: Option<u64>,
    /// Threads that search; several may expand other positions in each run [default: one for each core]
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<usize>,
    /// Search by jobs: a proof-number tree whose leaves are done by N workers, threads of this machine that share a table
    #[arg(long, value_name = "N", value_parser = threads, conflicts_with_all = ["agent", "threads", "all_moves"])]
    jobs: Option<usize>,
    /// Seed of the random numbers, for agents that use any
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole)]
    seed: u64,
    /// Save the search to this file now and then and at the end, and go on from the file if it is there
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Time between two checkpoints, as in 10m, or positions, as in 1000000nodes [default: 10m]
    #[arg(long, value_name = "T", value_parser = interval, requires = "checkpoint")]
    every: Option<Interval>,
    /// Print how the search stands to standard error: proof numbers, speed, tables, and whose turn it is
    #[arg(long)]
    progress: bool,
    /// Write the proof as a certificate to this file, gzipped if its name ends in .gz
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Solve by jobs on the Ray cluster at this address, or on a Ray of this machine (local); needs the Python package
    #[arg(long, value_name = "ADDRESS", conflicts_with_all = ["agent", "all_moves", "nodes", "threads", "seed", "progress"])]
    ray: Option<String>,
    #[command(flatten)]
    watching: Watching,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

/// Reads an aim by its word.
fn aims() -> impl TypedValueParser<Value = Aim> {
    let words = PossibleValuesParser::new(Aim::ALL.map(Aim::word));
    words.try_map(|word| Aim::ALL.into_iter().find(|aim| aim.word() == word).ok_or("no such goal"))
}

/// Reads an interval: a duration, or a number of positions before `nodes`.
fn interval(text: &str) -> Result<Interval, String> {
    let read = match text.strip_suffix("nodes") {
        Some(count) => whole(count).ok().filter(|count| *count > 0).map(Interval::Nodes),
        None => parse_duration(text).ok().filter(|time| !time.is_zero()).map(Interval::Time),
    };
    read.ok_or_else(|| "expected a time, as in 10m or 30s, or a number of positions, as in 1000000nodes".to_string())
}

/// What was solved, how, and what came of it.
#[derive(Serialize)]
struct Solved<'a> {
    game: String,
    position: String,
    agent: String,
    #[serde(flatten)]
    solution: &'a Solution,
    /// How the jobs went, with `--jobs`.
    #[serde(skip_serializing_if = "Option::is_none")]
    jobs: Option<&'a JobsReport>,
    /// Files written, one a proof.
    certificates: &'a [String],
}

pub fn run(registry: &Registry, arguments: &Arguments) -> Done {
    if let Some(address) = &arguments.ray {
        return ray::solve(&*arguments.place.open(registry)?, address, arguments);
    }
    let named = TabledAgent::parse(&arguments.agent).map_err(Failure::misused)?;
    let agent = &named.agent;
    refuse_with_table(arguments, &named)?;
    let game = named.view(registry, arguments.place.open(registry)?).map_err(crate::table::failure)?;
    if !agent.solves() {
        let solvers = "portfolio, df-pn, alpha-beta, pns, pn2, pn-mcts, plyproof or minimax";
        return Err(Failure::Misused(format!("{agent} proves nothing: give an agent that does, {solvers}")));
    }
    game.check_evaluation(agent).map_err(Failure::failed)?;
    if arguments.jobs.is_some() {
        jobs::refuse(arguments, &*game)?;
    } else if arguments.watching.is_on() {
        return Err(Failure::Misused("--log and --metrics are about jobs: give --jobs N or --ray ADDRESS".to_string()));
    }
    let file = arguments.checkpoint.as_deref();
    let saved_jobs = match file.filter(|_| arguments.jobs.is_some()) {
        Some(path) => Some(SavedJobs::open(path, arguments.goal, &*game)?),
        None => None,
    };
    let mut saved = match file.filter(|_| arguments.jobs.is_none()) {
        Some(path) => Some(Saved::open(path, arguments, &*game, &named)?),
        None => None,
    };
    let memory = match &saved {
        Some(saved) => saved.head.memory,
        None => memory_beside_program(arguments.memory)?,
    };
    let budget = Budget {
        simulations: arguments.nodes,
        time: arguments.time,
        memory: Some(memory),
        threads: arguments.threads.unwrap_or_else(cores),
        ..Budget::default()
    };
    let proofs = arguments.certificate.is_some();
    let task =
        SolveTask { agent, aim: arguments.goal, all_moves: arguments.all_moves, proofs, budget, seed: arguments.seed };
    if let Some(path) = &arguments.certificate {
        // Found out before the work, not after it.
        writable(path).map_err(|error| Failure::Failed(format!("cannot write {}: {error}", path.display())))?;
    }
    let watch = RefCell::new(arguments.watching.start(&*game)?);
    if arguments.jobs.is_some() {
        let before = saved_jobs.as_ref().map_or(0.0, SavedJobs::seconds);
        watch.borrow_mut().tell(JobLine::new("begin", before, JobStanding::default()));
    }
    let stop = stop_on_interrupt()?;
    let mut progress = Progress::new(arguments);
    let found = saved.as_ref().map(Saved::found_text).or(saved_jobs.as_ref().map(SavedJobs::found_text));
    if let Some(text) = found {
        progress.note(&text);
    }
    let mut written = Vec::new();
    let mut sink = |claim: &ProofHead, lines: &mut dyn Iterator<Item = (String, String)>| {
        let Some(path) = &arguments.certificate else { return Ok(()) };
        let path = numbered(path, written.len());
        plyproof_engine::certificate::write(&path, &*game, claim, lines)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        written.push(path.display().to_string());
        Ok(())
    };
    let progress = RefCell::new(progress);
    let mut observer = |state: &SolveProgress| progress.borrow_mut().tell(state);
    let every = arguments.every.unwrap_or(Interval::Time(EVERY));
    let mut report = None;
    let (solution, unsaved) = match (&mut saved, arguments.jobs) {
        (_, Some(workers)) => {
            let mut observer = |state: &JobProgress| {
                progress.borrow_mut().tell_of_jobs(state);
                if watch.borrow().is_on() {
                    watch.borrow_mut().tell(state.into());
                }
            };
            let note = |text: &str| {
                progress.borrow_mut().note(text);
                watch.borrow_mut().saved();
            };
            let budget = task.budget.clone();
            let (solution, jobs, unsaved) = jobs::solve(
                &*game,
                workers,
                arguments,
                budget,
                every,
                saved_jobs,
                &stop,
                &mut observer,
                &mut sink,
                &note,
            )?;
            report = Some(jobs);
            (solution, unsaved)
        }
        (None, None) => (game.solve(&task, &stop, &mut observer, &mut sink).map_err(Failure::failed)?, None),
        (Some(saved), None) => saved
            .solve(&*game, &task, every, &stop, &mut observer, &mut sink, &|text| progress.borrow_mut().note(text))?,
    };
    let agent = if report.is_some() { AGENT.to_string() } else { named.to_string() };
    progress.into_inner().end(game.to_move().index() + 1, &solution);
    if arguments.json {
        let (game, position) = (game.name(), game.position_text());
        let solution = &solution;
        output::print_json(&Solved { game, position, agent, solution, jobs: report.as_ref(), certificates: &written })?;
    } else {
        let mut text = text(&*game, &agent, &solution, report.as_ref(), &written);
        if let (Some(path), []) = (&arguments.certificate, &solution.proofs[..]) {
            text += &format!("no certificate was written to {}: nothing is proven\n", path.display());
        }
        output::print(&text)?;
    }
    if let Some(report) = &report {
        watch.into_inner().end(solution.seconds, solution.value, |standing| report.fill(standing, &solution));
    }
    if let Some(error) = unsaved {
        return Err(Failure::Failed(error));
    }
    if let Some(error) = solution.proofs.iter().find_map(|proof| proof.error.as_ref()) {
        return Err(Failure::Failed(format!("the certificate was not written: {error}")));
    }
    match unanswered(arguments, &solution) {
        Some(_) if stop.load(Ordering::Relaxed) => Err(Failure::Interrupted),
        Some(open) => Err(Failure::Failed(open)),
        None => Ok(()),
    }
}

/// What was asked for and is still open.
fn unanswered(arguments: &Arguments, solution: &Solution) -> Option<String> {
    let Bounds { least, most } = solution.bounds;
    let limit = match solution.stopped {
        Some(Stopped::Proven | Stopped::NoSearchNeeded | Stopped::GameOver) | None => None,
        Some(why) => Some(output::reason(why, "positions")),
    };
    let open = match arguments.goal {
        Aim::Win if least < Wdl::Win && most == Wdl::Win => Some("whether it is a win is unknown"),
        Aim::Draw if least < Wdl::Draw && most >= Wdl::Draw => Some("whether it is a draw at least is unknown"),
        Aim::Value | Aim::Score if solution.value.is_none() => Some("the value is unknown"),
        Aim::Score if solution.score.is_none() && limit.is_some() => Some("the points are unknown"),
        _ => None,
    };
    if let Some(open) = open {
        return Some(format!("{open}: {}", limit.as_deref().unwrap_or("the agent proves no more")));
    }
    let moves = solution.moves.iter().filter(|found| found.value.is_none()).count() as u64;
    if moves > 0 {
        return Some(format!("{} not valued within the limits", counted(moves, "move is", "moves are")));
    }
    match &arguments.certificate {
        Some(path) if solution.proofs.is_empty() => {
            Some(format!("no certificate was written to {}: there is nothing to prove", path.display()))
        }
        _ => None,
    }
}

/// What a table cannot help with: it holds values, no proofs and no points.
fn refuse_with_table(arguments: &Arguments, agent: &TabledAgent) -> Done {
    let why = match (agent.file(), &arguments.certificate, arguments.goal) {
        (Some(_), Some(_), _) => "a certificate needs every move, and a table has none: solve without table=",
        (Some(_), None, Aim::Score) => "a table does not know by how many points: solve without table=",
        _ => return Ok(()),
    };
    Err(Failure::Misused(why.to_string()))
}

/// `path` for the first proof; with `-2` before the endings for the second.
fn numbered(path: &Path, before: usize) -> PathBuf {
    if before == 0 {
        return path.to_path_buf();
    }
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let (stem, ending) = name.find('.').map_or((name.as_str(), ""), |dot| name.split_at(dot));
    path.with_file_name(format!("{stem}-{}{ending}", before + 1))
}

fn text(game: &dyn AnyGame, agent: &str, solution: &Solution, jobs: Option<&JobsReport>, written: &[String]) -> String {
    let mut text = format!("{}: {}\n{}\n\n", game.name(), game.position_text(), solver(game, agent));
    if !solution.moves.is_empty() {
        let mut table = output::table(&["move", "value"]);
        for m in &solution.moves {
            table.add_row(vec![m.text.clone(), value_text(m.bounds).to_string()]);
        }
        text += &(output::table_text(&table) + "\n");
    }
    text += &format!("value   {}", value_text(solution.bounds));
    if let Some(score) = solution.score.filter(|score| *score != 0) {
        text += &format!(" by {}", score.abs());
    }
    if let Some(distance) = solution.distance {
        text += &format!(", in at most {distance} plies by the certificate");
    }
    text += "\n";
    if !solution.line.is_empty() {
        text += &output::wrapped("line    ", &solution.line);
    }
    text += &format!("\n{}", counted(solution.nodes, "position", "positions"));
    text += &format!(" in {}", elapsed_text(solution.seconds));
    if solution.nodes_per_s > 0.0 {
        text += &format!(", {} a second", grouped(solution.nodes_per_s as u64));
    }
    if let Some(jobs) = jobs {
        text += &format!("\n{}", jobs.text());
    }
    let all: u64 = solution.nodes_of.iter().map(|one| one.nodes).sum();
    if all > 0 {
        let share = |nodes: u64| format!("{:.0} %", 100.0 * nodes as f64 / all as f64);
        let shares: Vec<_> =
            solution.nodes_of.iter().map(|one| format!("{} by {}", share(one.nodes), one.solver)).collect();
        text += &format!("\npositions opened: {}", shares.join(", "));
        let mut found: Vec<_> = solution.found_by.iter().map(String::as_str).collect();
        found.dedup();
        if !found.is_empty() {
            text += &format!("; answered by {}", found.join(" and "));
        }
    }
    if let Some(table) = solution.table {
        let share = 100.0 * table.filled as f64 / table.capacity.max(1) as f64;
        text += &format!(
            "\ntable {} ({share:.0} % full), {:.0} % of lookups found, {} entries replaced",
            size_text(solution.bytes),
            100.0 * table.hit_rate,
            grouped(table.replaced)
        );
    } else if solution.bytes > 0 {
        text += &format!("\ntree {}", size_text(solution.bytes));
    }
    text += "\n";
    match solution.stopped {
        Some(Stopped::Proven | Stopped::NoSearchNeeded | Stopped::GameOver) | None => {}
        Some(why) => text += &format!("stopped: {}\n", output::reason(why, "positions")),
    }
    for (file, proof) in written.iter().zip(solution.proofs.iter().filter(|proof| proof.error.is_none())) {
        text += &format!(
            "certificate {file}: player {} {} ({}); check it with: plyproof verify {file}\n",
            proof.player,
            achieved(proof.goal),
            counted(proof.entries as u64, "position", "positions")
        );
    }
    text
}

fn achieved(claim: Claim) -> String {
    match claim {
        Claim::Win => "wins".to_string(),
        Claim::Draw => "gets at least a draw".to_string(),
        Claim::Margin(_) => format!("wins with {claim}"),
    }
}

fn solver(game: &dyn AnyGame, agent: &str) -> String {
    match game.outcome() {
        Some(outcome) => format!("finished, {outcome}"),
        None => format!("player {} to move, {agent}", game.to_move()),
    }
}

fn value_text(bounds: Bounds) -> &'static str {
    match (bounds.least, bounds.most) {
        (Wdl::Win, _) => "win",
        (Wdl::Draw, Wdl::Draw) => "draw",
        (_, Wdl::Loss) => "loss",
        (Wdl::Draw, _) => "unknown, but no loss",
        (_, Wdl::Draw) => "unknown, but no win",
        _ => "unknown",
    }
}

//! `plyproof table`: exact values of all positions of a small game, made, listed and held to a solver.

use std::path::{Path, PathBuf};
use std::time::Instant;

use plyproof_engine::Agent;
use plyproof_engine::Registry;
use plyproof_engine::tables::{self, Check, Checked, Contents, Counts, Limits, TableError};
use plyproof_engine::units::{elapsed_text, parse_size};
use serde::Serialize;

use crate::input::{count, memory, whole};
use crate::interrupt::stop_on_interrupt;
use crate::output::{self, Done, Failure, grouped};
use crate::terminal::{Line, StatusLine};

/// Make an endgame table by backward induction, or compare a table with a solver
#[derive(clap::Args)]
#[command(
    after_help = "There are tables for awari (endgames with at most N seeds on the board) and for loa of size 3 and 4.\n\
    Searches probe a table with --agent \"df-pn(table=FILE)\".\n\
    Values are for the player to move. Endless play is a draw.\n\nExamples:\n  \
    plyproof table awari --max-seeds 9 --out awari9.table\n  \
    plyproof table \"loa(size=4)\" --out loa4.table --memory 1GB --json\n  \
    plyproof table --check awari9.table\n  \
    plyproof table --check awari9.table --sample 10000 --agent df-pn\n  \
    plyproof solve awari --position \"0,0,4,0,2,0,0,1,0,3,0,0|19,19 1\" \\\n      \
    --agent \"df-pn(table=awari9.table)\""
)]
pub struct Arguments {
    /// Game with its parameters, as in "loa(size=4)"
    #[arg(required_unless_present = "check", conflicts_with = "check", requires = "out")]
    game: Option<String>,
    /// For awari: largest number of seeds on the board
    #[arg(long, value_name = "N", value_parser = count::<u32>(0, u32::MAX.into()))]
    max_seeds: Option<u32>,
    /// Write the table to this file
    #[arg(long, value_name = "FILE", conflicts_with = "check")]
    out: Option<PathBuf>,
    /// Check the table in this file, and list its counts
    #[arg(long, value_name = "FILE")]
    check: Option<PathBuf>,
    /// With --check: solve N random positions without the table, and compare the values
    #[arg(long, value_name = "N", value_parser = whole, requires = "check", conflicts_with = "game")]
    sample: Option<u64>,
    /// With --sample: the solver
    #[arg(long, value_name = "SPEC", default_value = "df-pn", requires = "sample", conflicts_with = "game")]
    agent: String,
    /// With --sample: limit on expanded positions for each position [default: none]
    #[arg(long, value_name = "N", value_parser = whole, requires = "sample", conflicts_with = "game")]
    nodes: Option<u64>,
    /// With --sample: seed of the random numbers
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole, requires = "sample", conflicts_with = "game")]
    seed: u64,
    /// Memory limit, as in 512MB [default: a quarter of the machine's; with --sample, 64MB for each position]
    #[arg(long, value_name = "M", value_parser = parse_size)]
    memory: Option<u64>,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Json<'a> {
    file: String,
    #[serde(flatten)]
    contents: &'a Contents,
    bytes: u64,
    seconds: f64,
    check: Option<&'a Checked>,
}

/// Memory of a solver for each position of a sample: the table of df-pn is made anew every time.
const FOR_A_POSITION: u64 = 64_000_000;

pub fn run(registry: &Registry, arguments: &Arguments) -> Done {
    let stop = stop_on_interrupt()?;
    let began = Instant::now();
    let mut status = StatusLine::new(!arguments.json);
    let mut live = |done, all| {
        if status.is_due() {
            status.show(&Line::new("").part(1, format!("{} of {} positions", grouped(done), grouped(all))));
        }
    };
    let (file, contents, checked) = match (&arguments.game, &arguments.out, &arguments.check) {
        (_, _, Some(file)) => {
            let agent = Agent::parse(&arguments.agent).map_err(Failure::misused)?;
            if !agent.solves() {
                return Err(Failure::Misused(format!("{agent} proves nothing: give an agent that does, as df-pn")));
            }
            let memory = memory(Some(arguments.memory.unwrap_or(FOR_A_POSITION)))?;
            let contents = tables::contents(registry, file, &stop).map_err(failure)?;
            let (sample, seed, nodes) = (arguments.sample.unwrap_or(0), arguments.seed, arguments.nodes);
            let mut progress = |done| live(done, sample);
            let mut check = Check { agent: &agent, sample, seed, memory, nodes, stop: &stop, progress: &mut progress };
            let checked = (sample > 0).then(|| tables::check(registry, file, &mut check)).transpose();
            status.clear();
            (file, contents, checked.map_err(failure)?)
        }
        (Some(game), Some(file), None) => {
            let memory = memory(arguments.memory)? as u64;
            let mut progress = |at: tables::Progress| live(at.done, at.positions);
            let mut limits = Limits { memory, stop: &stop, progress: &mut progress };
            let made = tables::make(registry, game, arguments.max_seeds, file, &mut limits);
            status.clear();
            (file, made.map_err(failure)?, None)
        }
        _ => return Err(Failure::Misused("give a game and --out FILE, or --check FILE".to_string())),
    };
    let seconds = began.elapsed().as_secs_f64();
    let bytes = std::fs::metadata(file).map_or(0, |meta| meta.len());
    if arguments.json {
        let (file, seconds) = (file.display().to_string(), (seconds * 1e3).round() / 1e3);
        output::print_json(&Json { file, contents: &contents, bytes, seconds, check: checked.as_ref() })?;
    } else {
        output::print(&text(file, &contents, bytes, seconds, checked.as_ref()))?;
    }
    match checked {
        Some(Checked { first: Some(first), differed, .. }) => {
            Err(Failure::Failed(format!("{} of the sample differ, first {first}", grouped(differed))))
        }
        _ => Ok(()),
    }
}

/// How a command ends that has no table.
pub fn failure(error: TableError) -> Failure {
    match error {
        TableError::Misused(error) => Failure::misused(error),
        TableError::Failed(what) => Failure::Failed(what),
        TableError::Stopped => Failure::Interrupted,
    }
}

fn text(file: &Path, contents: &Contents, bytes: u64, seconds: f64, checked: Option<&Checked>) -> String {
    let mut text = format!(
        "{}: {}{}, rules version {}, {} positions in {} bytes\n\n",
        file.display(),
        contents.game,
        contents.limit.map_or(String::new(), |limit| format!(" with at most {limit} seeds")),
        contents.rules,
        grouped(contents.positions),
        grouped(bytes)
    );
    let split = contents.counts.iter().any(|at| at.even != at.all);
    let header: &[&str] = match split {
        true => &["seeds", "win", "draw", "loss", "equal stores: win", "draw", "loss"],
        false => &["stones", "win", "draw", "loss"],
    };
    let mut table = output::table(header);
    for at in &contents.counts {
        let mut row = vec![at.pieces.to_string()];
        row.extend(numbers(&at.all));
        if split {
            row.extend(numbers(&at.even));
        }
        table.add_row(row);
    }
    text += &(output::table_text(&table) + "\n");
    if let Some(reachable) = &contents.reachable {
        let [win, draw, loss] = numbers(reachable);
        let all = grouped(reachable.total());
        text += &format!(
            "from the start {all} unfinished positions can be reached: {win} won, {draw} drawn, {loss} lost\n"
        );
    }
    if let Some(start) = contents.start {
        text += &format!("the start is a {start} for the first player\n");
    }
    if let Some(checked) = checked {
        text += &format!(
            "sample of {}: {} agree with the solver, {} differ, {} undecided; {} positions opened\n",
            grouped(checked.sample),
            grouped(checked.agreed),
            grouped(checked.differed),
            grouped(checked.undecided),
            grouped(checked.nodes)
        );
    }
    text + &format!("{}\n", elapsed_text(seconds))
}

fn numbers(counts: &Counts) -> [String; 3] {
    [counts.win, counts.draw, counts.loss].map(grouped)
}

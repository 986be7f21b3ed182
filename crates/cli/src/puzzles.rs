//! `plyproof puzzles`: how many puzzles of a game an agent solves within a budget; and how to make more of them.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use plyproof_engine::units::{parse_duration, parse_size};
use plyproof_engine::{Agent, AnyGame, Budget, Registry};
use plyproof_lab::puzzles::{self, Making, PuzzleSet, Tried};
use serde::Serialize;

use crate::input::{memory, whole};
use crate::interrupt::stop_on_interrupt;
use crate::output::{self, Done, Failure, counted};

/// Let an agent solve puzzles: positions with exactly one winning move, proven
#[derive(clap::Args)]
#[command(after_help = "plyproof has sets of puzzles for loa, minishogi, knightthrough, awari and gomoku.\n\n\
    Examples:\n  \
    plyproof puzzles loa --agent pn-mcts --sims 10000\n  \
    plyproof puzzles knightthrough --agent mcts --time 100ms --list\n  \
    plyproof puzzles \"breakthrough(size=6)\" --make 20 --out my.puzzles\n  \
    plyproof puzzles \"breakthrough(size=6)\" --file my.puzzles")]
pub struct Arguments {
    /// Game with its parameters; `plyproof games` lists them
    game: String,
    /// Agent with its parameters; `plyproof agents` lists them
    #[arg(long, value_name = "SPEC", default_value = "plyproof", conflicts_with = "make")]
    agent: String,
    /// Simulations for each puzzle [default: 10000 if --time is not given]; with --make, simulations for each move of the games [default: 200]
    #[arg(long, value_name = "N", value_parser = whole)]
    sims: Option<u64>,
    /// Time for each puzzle, as in 1s or 250ms
    #[arg(long, value_name = "T", value_parser = parse_duration, conflicts_with = "make")]
    time: Option<Duration>,
    /// Memory for the tree, as in 512MB
    #[arg(long, value_name = "M", value_parser = parse_size, conflicts_with = "make")]
    memory: Option<u64>,
    /// Seed of the random numbers
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole)]
    seed: u64,
    /// Read the puzzles from this file
    #[arg(long, value_name = "FILE", conflicts_with = "make")]
    file: Option<PathBuf>,
    /// List every puzzle with the agent's move
    #[arg(long, conflicts_with = "make")]
    list: bool,
    /// Make N new puzzles instead, from games of plyproof against itself
    #[arg(long, value_name = "N", value_parser = whole, requires = "out")]
    make: Option<u64>,
    /// With --make: the file to write
    #[arg(long, value_name = "FILE", requires = "make")]
    out: Option<PathBuf>,
    /// With --make: limit on the positions that df-pn expands to prove the win
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = whole, requires = "make")]
    most_nodes: u64,
    /// With --make: least number of positions that df-pn must expand, so that the win is not obvious
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = whole, requires = "make")]
    least_nodes: u64,
    /// With --make: keep a position only if every other move is proven not to win
    #[arg(long, requires = "make")]
    only: bool,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Solved<'a> {
    game: &'a str,
    agent: String,
    simulations: Option<u64>,
    seconds: Option<f64>,
    seed: u64,
    /// Those that were tried, and whether these are all of the set.
    puzzles: usize,
    complete: bool,
    solved: usize,
    proven: usize,
    results: &'a [Tried],
}

pub fn run(registry: &Registry, arguments: &Arguments) -> Done {
    let game = registry.open(&arguments.game).map_err(Failure::misused)?;
    let stop = stop_on_interrupt()?;
    if let (Some(count), Some(out)) = (arguments.make, &arguments.out) {
        return make(arguments, &*game, count, out, &stop);
    }
    let set = match &arguments.file {
        Some(path) => read(registry, path)?,
        None => PuzzleSet::built_in(registry, &*game).map_err(Failure::misused)?,
    };
    if set.start.name() != game.name() {
        let (theirs, ours) = (set.start.name(), game.name());
        return Err(Failure::Failed(format!("these are puzzles of {theirs}, not of {ours}")));
    }
    let agent = Agent::parse(&arguments.agent).map_err(Failure::misused)?;
    let simulations = arguments.sims.or(if arguments.time.is_none() { Some(10_000) } else { None });
    let budget =
        Budget { simulations, time: arguments.time, memory: Some(memory(arguments.memory)?), ..Budget::default() };
    let results = set.solve_with(&agent, &budget, arguments.seed, &stop, &mut |_| {}).map_err(Failure::failed)?;
    let count = |what: fn(&Tried) -> bool| results.iter().filter(|tried| what(tried)).count();
    let complete = results.len() == set.puzzles.len();
    let (solved, proven) = (count(|tried| tried.solved), count(|tried| tried.solved && tried.proven));
    if arguments.json {
        output::print_json(&Solved {
            game: &set.start.name(),
            agent: agent.to_string(),
            simulations,
            seconds: arguments.time.map(|time| time.as_secs_f64()),
            seed: arguments.seed,
            puzzles: results.len(),
            complete,
            solved,
            proven,
            results: &results,
        })?;
    } else {
        let mut text = String::new();
        if arguments.list {
            let mut table = output::table(&["position", "wins", "played", "nodes"]);
            for tried in &results {
                let played = tried.played.clone().unwrap_or_default();
                table.add_row(vec![tried.position.clone(), tried.best.clone(), played, tried.nodes.to_string()]);
            }
            text += &(output::table_text(&table) + "\n");
        }
        let (all, percent) = (results.len(), 100.0 * solved as f64 / results.len().max(1) as f64);
        let (game, agent) = (set.start.name(), &agent);
        text += &format!("{game}: {agent} solves {solved} of {all} puzzles ({percent:.0} %), {proven} with proof");
        text +=
            &if complete { "\n".to_string() } else { format!("; interrupted, the set has {}\n", set.puzzles.len()) };
        output::print(&text)?;
    }
    if complete { Ok(()) } else { Err(Failure::Interrupted) }
}

/// What `--json` prints of puzzles made.
#[derive(Serialize)]
struct Made<'a> {
    game: &'a str,
    file: String,
    puzzles: usize,
    complete: bool,
}

fn make(arguments: &Arguments, game: &dyn AnyGame, count: u64, out: &Path, stop: &AtomicBool) -> Done {
    let (nodes, least_nodes) = (arguments.most_nodes, arguments.least_nodes);
    if nodes < least_nodes {
        let why = format!("--most-nodes {nodes} is less than --least-nodes {least_nodes}: no puzzle could be both");
        return Err(Failure::Misused(why));
    }
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    let (seed, only) = (arguments.seed, arguments.only);
    let simulations = arguments.sims.unwrap_or(200);
    let mut made = 0u64;
    let making = Making { count, nodes, least_nodes, seed, simulations, only };
    let set = puzzles::make(game, &making, stop, &mut |puzzle| {
        made += 1;
        let _ = output::note(&format!("{made}: {} {} ({} nodes)", puzzle.position, puzzle.best, puzzle.nodes));
    });
    let set = set.map_err(Failure::failed)?;
    let complete = set.puzzles.len() >= count;
    if set.puzzles.is_empty() && !complete {
        // What may be there is worth more than nothing.
        output::note("interrupted before the first puzzle: nothing was written")?;
        return Err(Failure::Interrupted);
    }
    let text = set.to_text().map_err(Failure::failed)?;
    fs::write(out, text).map_err(|error| Failure::Failed(format!("{}: {error}", out.display())))?;
    if arguments.json {
        let (file, puzzles) = (out.display().to_string(), set.puzzles.len());
        output::print_json(&Made { game: &set.start.name(), file, puzzles, complete })?;
    } else {
        let made = counted(set.puzzles.len() as u64, "puzzle", "puzzles");
        output::print(&format!("{made} of {} written to {}\n", set.start.name(), out.display()))?;
    }
    if complete { Ok(()) } else { Err(Failure::Interrupted) }
}

fn read(registry: &Registry, path: &Path) -> Result<PuzzleSet, Failure> {
    let failed = |error: io::Error| Failure::Failed(format!("{}: {error}", path.display()));
    let mut bytes = Vec::new();
    File::open(path).map_err(failed)?.take(puzzles::LONGEST).read_to_end(&mut bytes).map_err(failed)?;
    let text = String::from_utf8(bytes);
    let text = text.map_err(|_| Failure::Failed(format!("{}: not puzzles: it is not UTF-8 text", path.display())))?;
    PuzzleSet::parse(registry, &text).map_err(|error| Failure::Failed(format!("{}: {error}", path.display())))
}

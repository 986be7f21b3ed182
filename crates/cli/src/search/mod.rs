//! `plyproof search`: the best move of a position, and what is proven.

mod live;
mod table;

use std::io::{self, IsTerminal};
use std::time::Duration;

use plyproof_engine::tables::TabledAgent;
use plyproof_engine::units::{parse_duration, parse_size};
use plyproof_engine::{Budget, Registry, SearchReport, Stopped};
use serde::Serialize;

use crate::input::{Place, cores, memory, threads, whole};
use crate::interrupt::stop_on_interrupt;
use crate::output::{self, Done, Failure};
use live::Live;

/// Search a position: the best move, the principal variation, and what is proven
#[derive(clap::Args)]
#[command(
    after_help = "The search ends when the simulations or the time are used up, or earlier when the value is proven. Ctrl-C ends \
    it and prints the report so far. When the memory is full, the search continues in the tree that it has (pns and \
    minimax end).\n\
    With one thread the same seed and simulations give the same report; with several they need not.\n\
    All values are for the player to move. The mean is between -1 (loss) and 1 (win); pn and dpn are the least \
    numbers of leaves that must still be proven, or disproven, to prove or disprove a win. In JSON a value that is \
    not proven is null.\n\n\
    Examples:\n  \
    plyproof search knightthrough\n  \
    plyproof search loa --agent \"pn-mcts(pn=2)\" --time 10s --memory 2GB\n  \
    plyproof search \"hex(size=4)\" --agent pns --sims 100000 --json\n  \
    plyproof search tictactoe --agent minimax --moves \"a1 b2\""
)]
pub struct Arguments {
    #[command(flatten)]
    place: Place,
    /// Agent with its parameters, as in "mcts(c=0.7)"; `plyproof agents` lists them. With table=FILE it probes an endgame table
    #[arg(long, value_name = "SPEC", default_value = "plyproof")]
    agent: String,
    /// Number of simulations [default: as many as the time allows]
    #[arg(long, value_name = "N", value_parser = whole)]
    sims: Option<u64>,
    /// Time limit, as in 1s, 250ms, 2m or 0.5 (seconds) [default: 1s if --sims is not given]
    #[arg(long, value_name = "T", value_parser = parse_duration)]
    time: Option<Duration>,
    /// Memory for the tree, as in 512MB, 2GiB or 1024 (bytes) [default: a quarter of the machine's]
    #[arg(long, value_name = "M", value_parser = parse_size)]
    memory: Option<u64>,
    /// Threads that search one tree [default: one for each core; 1 with --sims]. Agents without the parameter `threads` use one
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<usize>,
    /// Seed of the random numbers
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole)]
    seed: u64,
    /// Number of moves to list, the most visited first; 0 lists all, and JSON always has all
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = whole)]
    top: u64,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

/// What was searched, how, and what came of it.
#[derive(Serialize)]
struct Searched<'a> {
    game: String,
    position: String,
    agent: String,
    seed: u64,
    budget: Limits,
    #[serde(flatten)]
    report: &'a SearchReport,
}

/// A budget as JSON has it: simulations, seconds, bytes.
#[derive(Serialize)]
struct Limits {
    simulations: Option<u64>,
    seconds: Option<f64>,
    memory: Option<usize>,
    threads: usize,
}

pub fn run(registry: &Registry, arguments: &Arguments) -> Done {
    let named = TabledAgent::parse(&arguments.agent).map_err(Failure::misused)?;
    let game = named.view(registry, arguments.place.open(registry)?).map_err(crate::table::failure)?;
    let agent = &named.agent;
    game.check_evaluation(agent).map_err(Failure::failed)?;
    let budget = budget(arguments)?;
    let stop = stop_on_interrupt()?;

    let top = usize::try_from(arguments.top).unwrap_or(usize::MAX);
    let heading = table::Heading::new(&*game, &named, &budget, arguments.seed);
    let mut live = (!arguments.json && io::stdout().is_terminal()).then(|| Live::new(&heading, top));
    let mut observer = |report: &SearchReport| {
        if let Some(live) = &mut live {
            live.draw(report);
        }
    };
    let report = game.search(agent, &budget, arguments.seed, &stop, &mut observer);
    if let Some(live) = &mut live {
        live.erase();
    }
    let report = report.map_err(Failure::failed)?;

    if arguments.json {
        let limits = Limits {
            simulations: budget.simulations,
            seconds: budget.time.map(|time| time.as_secs_f64()),
            memory: budget.memory,
            threads: agent.threads(&budget),
        };
        output::print_json(&Searched {
            game: game.name(),
            position: game.position_text(),
            agent: named.to_string(),
            seed: arguments.seed,
            budget: limits,
            report: &report,
        })?;
    } else {
        output::print(&table::report(&heading, &report, top))?;
    }
    if report.stopped == Some(Stopped::Cancelled) { Err(Failure::Interrupted) } else { Ok(()) }
}

/// The budget asked for; a second if neither simulations nor time are given.
fn budget(arguments: &Arguments) -> Result<Budget, Failure> {
    let memory = memory(arguments.memory)?;
    let time = match (arguments.sims, arguments.time) {
        (None, None) => Some(Duration::from_secs(1)),
        (_, time) => time,
    };
    // So many simulations are asked for to be repeated, which only one thread does.
    let threads = arguments.threads.unwrap_or_else(|| if arguments.sims.is_some() { 1 } else { cores() });
    Ok(Budget { simulations: arguments.sims, time, memory: Some(memory), threads, ..Budget::default() })
}

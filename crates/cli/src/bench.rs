//! `plyproof bench`: how fast the games and the searches are.

use clap::Subcommand;
use plyproof_engine::Registry;
use plyproof_lab::bench::{self, PlayoutSpeed};

use crate::bench_search;
use crate::input::whole;
use crate::output::{self, Done, Failure, grouped};

/// Measure speed
#[derive(clap::Args)]
#[command(subcommand_required = true, arg_required_else_help = false)]
#[command(
    after_help = "Examples:\n  plyproof bench playouts --game knightthrough --seconds 2\n  plyproof bench search --game loa"
)]
pub struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Playouts(Playouts),
    Search(bench_search::Arguments),
}

/// Measure random play-outs per second of processor time, on one thread
#[derive(clap::Args)]
#[command(
    after_help = "The games are measured in turns, in short batches, so that other load on the machine affects all of them alike.\n\n\
    Examples:\n  \
    plyproof bench playouts\n  \
    plyproof bench playouts --game knightthrough --game \"hex(size=5)\" --seconds 2"
)]
struct Playouts {
    /// A game to measure; may be given several times [default: every game]
    #[arg(long = "game", value_name = "G")]
    games: Vec<String>,
    /// Processor seconds for each game, 0.001 to 3600
    #[arg(long, value_name = "S", default_value = "1", value_parser = seconds)]
    seconds: f64,
    /// Seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole)]
    seed: u64,
    /// Print a JSON list
    #[arg(long)]
    json: bool,
}

/// Seconds of a benchmark.
pub fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.001..=3600.0).contains(seconds));
    seconds.ok_or_else(|| "seconds are a number from 0.001 to 3600".to_string())
}

pub fn run(registry: &Registry, arguments: &Arguments) -> Done {
    match &arguments.what {
        What::Playouts(arguments) => playouts(registry, arguments),
        What::Search(arguments) => bench_search::run(registry, arguments),
    }
}

fn playouts(registry: &Registry, arguments: &Playouts) -> Done {
    let games = if arguments.games.is_empty() { bench::default_games(registry) } else { arguments.games.clone() };
    let speeds = bench::playouts(registry, &games, arguments.seconds, arguments.seed).map_err(Failure::misused)?;
    if arguments.json { output::print_json(&speeds) } else { output::print(&report(&speeds, arguments)) }
}

fn report(speeds: &[PlayoutSpeed], arguments: &Playouts) -> String {
    let mut header = vec!["game", "playouts/s", "plies/s", "length", "branching", "first wins", "draws", "second wins"];
    let any_cut = speeds.iter().any(|speed| speed.cut > 0.0);
    if any_cut {
        header.push("cut");
    }
    let percent = |share: f64| format!("{:.1} %", share * 100.0);
    let mut table = output::table(&header);
    for speed in speeds {
        let mut row = vec![
            speed.game.clone(),
            grouped(speed.playouts_per_s as u64),
            grouped(speed.plies_per_s as u64),
            format!("{:.1}", speed.mean_length),
            format!("{:.1}", speed.mean_branching),
            percent(speed.first_wins),
            percent(speed.draws),
            percent(speed.second_wins),
        ];
        if any_cut {
            row.push(percent(speed.cut));
        }
        table.add_row(row);
    }
    let note = format!("one thread, {} s of processor time for each game, seed {}", arguments.seconds, arguments.seed);
    format!("{}\n{note}\n", output::table_text(&table))
}

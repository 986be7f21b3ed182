//! `plyproof bench search`: how fast the searches are, beside bare play-outs and each other.

use plyproof_engine::Registry;
use plyproof_lab::bench_search::{self, DEFAULT_GAMES, Progress, ROUNDS, SearchSpeed};

use crate::bench::seconds;
use crate::input::whole;
use crate::output::{self, Done, Failure, grouped};
use crate::terminal::{Line, StatusLine};

/// Measure play-outs, and simulations of mcts, pn-mcts and plyproof, per second of processor time, on one thread
#[derive(clap::Args)]
#[command(
    after_help = "There are four rounds; in each round, every game runs an equal number of play-outs and of simulations of each \
    agent, every search with an empty tree. Rates are totals, ratios are medians over the rounds.\n\
    pn/mcts is the speed of pn-mcts relative to mcts. pn0 is pn-mcts(pn=0), which keeps proof numbers without using \
    them: relative to mcts it shows the cost of keeping them. ply/mcts is plyproof with its own play-outs, plyr/mcts \
    with random ones.\n\n\
    Examples:\n  \
    plyproof bench search\n  \
    plyproof bench search --game knightthrough --game gomoku --seconds 4 --json"
)]
pub struct Arguments {
    /// A game to measure; may be given several times [default: the six of the paper]
    #[arg(long = "game", value_name = "G")]
    games: Vec<String>,
    /// Processor seconds for each game, 0.001 to 3600
    #[arg(long, value_name = "S", default_value = "8", value_parser = seconds)]
    seconds: f64,
    /// Seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole)]
    seed: u64,
    /// Print a JSON list
    #[arg(long)]
    json: bool,
}

pub fn run(registry: &Registry, arguments: &Arguments) -> Done {
    let default = || DEFAULT_GAMES.map(str::to_string).to_vec();
    let games = if arguments.games.is_empty() { default() } else { arguments.games.clone() };
    let mut status = StatusLine::new(true);
    let mut progress = |now: Progress<'_>| {
        let doing = match now.round {
            0 => "how many simulations fill a round?".to_string(),
            round => format!("round {round} of {ROUNDS}"),
        };
        status.show(&Line::new(now.game).part(1, doing));
    };
    let speeds = bench_search::searches(registry, &games, arguments.seconds, arguments.seed, &mut progress);
    status.clear();
    let speeds = speeds.map_err(Failure::misused)?;
    if arguments.json { output::print_json(&speeds) } else { output::print(&report(&speeds, arguments)) }
}

fn report(speeds: &[SearchSpeed], arguments: &Arguments) -> String {
    let header = [
        "game",
        "playouts/s",
        "mcts/s",
        "pn-mcts/s",
        "pn/mcts",
        "pn0/mcts",
        "ply/mcts",
        "plyr/mcts",
        "mcts/playouts",
        "B/node",
        "B/sim",
    ];
    let mut table = output::table(&header);
    for speed in speeds {
        let rate = |rate: f64| grouped(rate as u64);
        let fraction = |value: f64, decimals: usize| {
            if value.is_finite() { format!("{value:.decimals$}") } else { "-".to_string() }
        };
        table.add_row([
            speed.game.clone(),
            rate(speed.playouts_per_s),
            rate(speed.mcts_sims_per_s),
            rate(speed.pn_mcts_sims_per_s),
            fraction(speed.pn_over_mcts, 3),
            fraction(speed.pn0_over_mcts, 3),
            fraction(speed.plyproof_over_mcts, 3),
            fraction(speed.plyproof_random_over_mcts, 3),
            fraction(speed.mcts_over_playouts, 3),
            fraction(speed.bytes_per_node, 1),
            fraction(speed.bytes_per_simulation, 1),
        ]);
    }
    let mut text = output::table_text(&table);
    let Arguments { seconds, seed, .. } = arguments;
    text += &format!(
        "\none thread, {seconds} s of processor time a game in {ROUNDS} rounds, seed {seed}; bytes of pn-mcts\n"
    );
    for speed in speeds.iter().filter(|speed| speed.full) {
        text += &format!("{}: the memory was full, so that trees stopped growing; try fewer seconds\n", speed.game);
    }
    text
}

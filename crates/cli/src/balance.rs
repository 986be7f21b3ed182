//! `plyproof balance`: is a game fair, how long, how drawish, how wide?

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Duration;

use plyproof_engine::units::{parse_count, parse_duration};
use plyproof_engine::{Agent, Budget, Registry};
use plyproof_lab::balance::{self, Balance, BalancePlan, Strength};

use crate::input::{count, memory_beside_program, whole};
use crate::interrupt::stop_on_interrupt;
use crate::matches::{MOST_GAMES, MOST_JOBS, failure};
use crate::output::{self, Done, Failure, grouped, visible};
use crate::terminal::put;

/// Measure how fair, long, drawish and wide a game is, by self-play and by a solver
#[derive(clap::Args)]
#[command(
    after_help = "An agent plays against itself with each number of simulations, and random play stands beside it. The score is \
    that of the first player, a draw counting half, with a 95 % interval; the branching factor and the share of \
    positions with a decisive move are those of up to 20 games.\n\
    Several games are compared with each other. With --out the games are recorded, the same command resumes, and \
    the folder gets balance.json and a figure.\n\n\
    Examples:\n  \
    plyproof balance \"breakthrough(size=5x6)\"\n  \
    plyproof balance \"loa(size=5)\" \"loa(size=6)\" --sims 100,1000 --games 200\n  \
    plyproof balance \"hex(size=5)\" --solve 1m --out hex5"
)]
pub struct Arguments {
    /// Games with their parameters, as in "loa(size=6)"
    #[arg(required = true, value_name = "GAME")]
    games: Vec<String>,
    /// Agent that plays against itself
    #[arg(long, value_name = "SPEC", default_value = "plyproof")]
    agent: String,
    /// Simulations for each move, separated by commas: one measurement for each
    #[arg(long, value_name = "N,N,…", default_value = "50,500", value_parser = simulations)]
    sims: Simulations,
    /// Games for each number of simulations
    #[arg(long = "games", value_name = "N", default_value_t = 100, value_parser = count::<u32>(1, MOST_GAMES))]
    played: u32,
    /// Random plies at the start, equal in both games of a pair
    #[arg(long, value_name = "K", default_value_t = 0, value_parser = count::<u32>(0, 1000))]
    openings: u32,
    /// Random games
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = count::<u64>(1, 10_000_000))]
    random: u64,
    /// Time for the solver; 0 leaves the solver out
    #[arg(long, value_name = "T", default_value = "5s", value_parser = solving)]
    solve: Duration,
    /// Seed of the random numbers
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole)]
    seed: u64,
    /// Games played at the same time [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = count::<u16>(1, MOST_JOBS))]
    jobs: Option<u16>,
    /// Folder for the records, the results as JSON and a figure
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print no progress
    #[arg(long)]
    quiet: bool,
    /// Print a JSON list
    #[arg(long)]
    json: bool,
}

/// Numbers of simulations; a type of its own, because clap takes a list for several arguments.
#[derive(Clone)]
struct Simulations(Vec<u64>);

fn simulations(text: &str) -> Result<Simulations, String> {
    let numbers: Option<Vec<u64>> = text.split(',').map(|part| parse_count(part.trim()).filter(|n| *n > 0)).collect();
    match numbers {
        Some(mut numbers) => {
            numbers.sort_unstable();
            numbers.dedup();
            Ok(Simulations(numbers))
        }
        None => Err("expected numbers of simulations, as in 100 or 50,500,5k".to_string()),
    }
}

fn solving(text: &str) -> Result<Duration, String> {
    if text.trim() == "0" { Ok(Duration::ZERO) } else { parse_duration(text).map_err(|error| error.to_string()) }
}

pub fn run(registry: &Registry, arguments: &Arguments) -> Done {
    let agent = Agent::parse(&arguments.agent).map_err(Failure::misused)?;
    let games = arguments.games.iter().map(|game| registry.open(game).map_err(Failure::misused));
    let games = games.collect::<Result<Vec<_>, _>>()?;
    let memory = Some(memory_beside_program(None)?);
    let solve = Some(arguments.solve).filter(|time| !time.is_zero());
    let plan = BalancePlan {
        agent: agent.to_string(),
        simulations: arguments.sims.0.clone(),
        games: arguments.played,
        openings: arguments.openings,
        seed: arguments.seed,
        random_games: arguments.random,
        solve: solve.map(|time| Budget { time: Some(time), memory, ..Budget::default() }),
        records: arguments.out.clone(),
    };
    if let Some(folder) = &arguments.out {
        fs::create_dir_all(folder)
            .map_err(|error| Failure::Failed(format!("{}: {error}", visible(&folder.display().to_string()))))?;
    }
    let stop = stop_on_interrupt()?;
    let mut all: Vec<Balance> = Vec::new();
    for game in &games {
        let mut told = |text: String| {
            if !arguments.quiet {
                put(&format!("{}\n", visible(&text)));
            }
        };
        let jobs = arguments.jobs.unwrap_or_default().into();
        all.push(Balance::measure(&plan, &**game, jobs, &stop, &mut told).map_err(failure)?);
        if stop.load(Ordering::Relaxed) {
            break;
        }
    }
    if let Some(folder) = &arguments.out {
        let json = serde_json::to_string(&all).map_err(Failure::failed)? + "\n";
        crate::files::write(&folder.join("balance.json"), &json)?;
        let drawn = balance::figure(&all).save_all(&folder.join("balance")).map_err(Failure::failed)?;
        if let Some(warning) = drawn.warning.filter(|_| !arguments.quiet) {
            put(&format!("{warning}\n"));
        }
    }
    if arguments.json {
        output::print_json(&all)?;
    } else {
        output::print(&text(&all, arguments))?;
    }
    if stop.load(Ordering::Relaxed) { Err(Failure::Interrupted) } else { Ok(()) }
}

fn text(all: &[Balance], arguments: &Arguments) -> String {
    let mut table = output::table(&[
        "game", "play", "games", "first", "draw", "second", "score", "95 %", "plies", "moves", "decisive",
    ]);
    for balance in all {
        for (place, play) in balance.play.iter().enumerate() {
            let name = if place == 0 { balance.game.clone() } else { String::new() };
            table.add_row(row(name, play));
        }
    }
    let mut text = format!("{}, seed {}\n\n{}\n", arguments.agent, arguments.seed, output::table_text(&table));
    for balance in all {
        text += &match (balance.value, balance.solver_nodes) {
            (Some(value), _) => format!("{}: proven, a {value} for the first player\n", balance.game),
            (None, Some(nodes)) => {
                format!(
                    "{}: not solved, {} positions in {:.1} s\n",
                    balance.game,
                    grouped(nodes),
                    balance.solver_seconds.unwrap_or(0.0)
                )
            }
            (None, None) => String::new(),
        };
    }
    text + "\nscore: points of the first player per game; moves: branching factor; decisive: positions with a move that wins at once\n"
}

fn row(name: String, play: &Strength) -> [String; 11] {
    let percent = |share: Option<f64>| share.map_or("-".to_string(), |share| format!("{:.1} %", 100.0 * share));
    let number = |number: Option<f64>| number.map_or("-".to_string(), |number| format!("{number:.1}"));
    [
        name,
        play.simulations.map_or("random".to_string(), grouped),
        grouped(play.games),
        grouped(play.first_wins),
        grouped(play.draws),
        grouped(play.second_wins),
        percent(play.first_score),
        play.first_score95.map_or("-".to_string(), |[low, high]| format!("{:.1}-{:.1}", 100.0 * low, 100.0 * high)),
        number(play.mean_plies),
        number(play.branching),
        percent(play.decisive_share),
    ]
}

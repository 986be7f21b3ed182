//! `plyproof tournament`: several agents against each other.

use std::path::PathBuf;
use std::sync::atomic::Ordering;

use plyproof_engine::Registry;
use plyproof_lab::matches::{Standings, TournamentPlan, run_tournament};

use crate::interrupt::stop_on_interrupt;
use crate::matches::{Budgets, Play, failure};
use crate::output::{self, Done, Failure, counted, grouped};
use crate::progress::Progress;
use crate::summary_text::{percent, record};

/// Play every agent against every other agent, and rate them
#[derive(clap::Args)]
#[command(
    after_help = "Ratings are maximum-likelihood estimates from all games with mean 0 and 95 % intervals; a draw counts as half a \
    win.\n\
    With --out every match has a record in that folder: the same command resumes the tournament, and agents may be \
    added.\n\n\
    Examples:\n  \
    plyproof tournament loa mcts pn-mcts \"pn-mcts(pn=2)\" --sims 500 --out records\n  \
    plyproof tournament knightthrough pn-mcts mcts \"mcts(c=0.7)\" random --gauntlet"
)]
pub struct Arguments {
    /// Game with its parameters, as in "loa(size=7)"
    game: String,
    /// Agents with their parameters, at least two
    #[arg(required = true, num_args = 2.., value_name = "AGENT")]
    agents: Vec<String>,
    /// Only the first agent plays against all others
    #[arg(long)]
    gauntlet: bool,
    #[command(flatten)]
    play: Play,
    #[command(flatten)]
    budgets: Budgets,
    /// Record every match in this folder, or resume existing records
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(registry: &Registry, arguments: &Arguments) -> Done {
    let play = &arguments.play;
    let sides = arguments.agents.iter().map(|agent| arguments.budgets.side(registry, agent, None, None));
    let (game, position) = play.start(registry, &arguments.game)?;
    let (openings, book) = play.openings(&*game)?;
    let plan = TournamentPlan {
        game,
        sides: sides.collect::<Result<_, _>>()?,
        gauntlet: arguments.gauntlet,
        games: play.games,
        seed: play.seed,
        openings,
        book,
        position,
        adjudicate: play.adjudicate_proven,
        max_plies: play.max_plies,
    };
    plan.matches().map_err(failure)?;
    let stop = stop_on_interrupt()?;
    let mut progress = Progress::new(play.quiet);
    let mut current = 0;
    let played = run_tournament(&plan, play.jobs(), arguments.out.as_deref(), &stop, &mut |round| {
        if round.number != current {
            current = round.number;
            let summary = round.summary;
            progress.next(format!("{}/{} {} - {}", round.number, round.of, summary.a, summary.b));
            progress.resumed(summary);
        }
        progress.show(round.summary);
    });
    progress.clear();
    let standings = played.map_err(failure)?;
    if arguments.json {
        output::print_json(&standings)?
    } else {
        output::print(&text(&standings))?
    };
    if stop.load(Ordering::Relaxed) && !standings.complete { Err(Failure::Interrupted) } else { Ok(()) }
}

fn text(standings: &Standings) -> String {
    let games = standings.meetings.iter().map(|summary| u64::from(summary.games)).sum();
    let mut text = format!("{}: {}, seed {}", standings.game, counted(games, "game", "games"), standings.seed);
    text += if standings.complete { "\n\n" } else { ", not complete\n\n" };
    let places: Vec<String> = (1..=standings.players.len()).map(|place| place.to_string()).collect();
    let mut header = vec!["agent", "", "Elo", "±", "games", "score"];
    header.extend(places.iter().map(String::as_str));
    let mut table = output::table(&header);
    for (place, player) in standings.players.iter().enumerate() {
        let known = player.games > 0;
        let mut row = vec![
            player.agent.clone(),
            places[place].clone(),
            if known { format!("{:+.1}", player.elo) } else { "-".to_string() },
            if known { format!("{:.1}", player.elo_error) } else { "-".to_string() },
            grouped(player.games.into()),
            percent(player.score),
        ];
        row.extend(standings.players.iter().map(|other| meeting(standings, &player.agent, &other.agent)));
        table.add_row(row);
    }
    text += &output::table_text(&table);
    if standings.bounded {
        text += "\nSomebody won or lost everything: for the ratings a drawn game was added to every match.\n";
    }
    text
}

/// Results of `one` against `other`.
fn meeting(standings: &Standings, one: &str, other: &str) -> String {
    for summary in &standings.meetings {
        if summary.a == one && summary.b == other {
            return record(summary.wins, summary.draws, summary.losses);
        }
        if summary.b == one && summary.a == other {
            return record(summary.losses, summary.draws, summary.wins);
        }
    }
    String::new()
}

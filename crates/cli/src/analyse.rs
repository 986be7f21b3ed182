//! `plyproof analyse`: every move of recorded games, and what it cost.

use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Duration;

use plyproof_engine::units::{parse_duration, parse_size};
use plyproof_engine::{Agent, Budget, Registry, Wdl};
use plyproof_lab::analysis::{self, Judge, JudgedMove, PlayerSummary};
use plyproof_notation::{Format, RecordedGame, result_text};
use serde::Serialize;

use crate::color::Color;
use crate::files;
use crate::input::{memory, whole};
use crate::interrupt::stop_on_interrupt;
use crate::output::{self, Done, Failure, visible};
use crate::terminal::{Line, StatusLine};

/// Search every move of recorded games, and mark mistakes
#[derive(clap::Args)]
#[command(
    after_help = "Every position is searched, and the solver tries to prove it. Values are between -1 (loss) and 1 (win), for the \
    player who moved; the drop is what the move cost, compared with the best move. A drop of 0.2 is marked ?!, of 0.4 \
    ?, of 0.8 ??, and so is a move that gives away a proven result.\n\
    --out writes the games with values, marks and better lines; docs/game-files.md describes the formats.\n\n\
    Examples:\n  \
    plyproof analyse game.games\n  \
    plyproof analyse loa.jsonl --game 3 --time 1s --out loa3.games\n  \
    plyproof analyse hex.sgf --sims 10k --out hex-annotated.sgf --json"
)]
pub struct Arguments {
    /// Files of games, or records of matches; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Agent that searches, with its parameters
    #[arg(long, value_name = "SPEC", default_value = "plyproof")]
    agent: String,
    /// Simulations for each position [default: 1000 if --time is not given]
    #[arg(long, value_name = "N", value_parser = whole)]
    sims: Option<u64>,
    /// Time for each position, as in 1s or 250ms
    #[arg(long, value_name = "T", value_parser = parse_duration)]
    time: Option<Duration>,
    /// Positions that the solver may expand for each position of the game; 0 leaves the solver out
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = whole)]
    prove: u64,
    /// Memory for the tree, as in 512MB [default: a quarter of the machine's]
    #[arg(long, value_name = "M", value_parser = parse_size)]
    memory: Option<u64>,
    /// Seed of the random numbers
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole)]
    seed: u64,
    /// Analyse only this game of the files, counted from 1
    #[arg(long, value_name = "N", value_parser = whole)]
    game: Option<u64>,
    /// Write the games with values, marks and better lines; the name says which format
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// When to use colours
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    color: Color,
    /// Print no progress
    #[arg(long)]
    quiet: bool,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

/// The output as JSON.
#[derive(Serialize)]
struct Analysed {
    agent: String,
    simulations: Option<u64>,
    seconds: Option<f64>,
    prove: u64,
    seed: u64,
    games: Vec<AnalysedGame>,
}

#[derive(Serialize)]
struct AnalysedGame {
    /// Counted from 1 over all files.
    number: u64,
    game: String,
    position: String,
    result: String,
    /// Whether all moves were judged.
    complete: bool,
    players: [PlayerSummary; 2],
    moves: Vec<JudgedMove>,
}

pub fn run(registry: &Registry, arguments: &Arguments) -> Done {
    let agent = Agent::parse(&arguments.agent).map_err(Failure::misused)?;
    if arguments.sims == Some(0) {
        return Err(Failure::Misused("--sims 0 searches nothing; at least 1".to_string()));
    }
    let simulations = arguments.sims.or(arguments.time.is_none().then_some(1000));
    let memory = memory(arguments.memory)?;
    let budget = Budget { simulations, time: arguments.time, memory: Some(memory), ..Budget::default() };
    let proving =
        Budget { simulations: Some(arguments.prove), memory: Some(memory.min(MOST_TABLE)), ..Budget::default() };
    let solve = (arguments.prove > 0).then_some(proving);
    let judge = Judge { agent: agent.clone(), budget, seed: arguments.seed, solve };
    let stop = stop_on_interrupt()?;
    let mut status = StatusLine::new(!arguments.quiet);
    let (mut games, mut annotated, mut number) = (Vec::new(), Vec::new(), 0);
    for path in &arguments.files {
        files::read(registry, path, &mut |mut game| {
            number += 1;
            if arguments.game.is_some_and(|wanted| wanted != number) || stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            let plies = game.tree.main_line().count();
            let judged = judge.game(&game, &stop, &mut |one| {
                if status.is_due() {
                    status.show(&Line::new(&format!("game {number}")).part(1, format!("ply {} of {plies}", one.ply)));
                }
            });
            let judged = judged.map_err(Failure::failed)?;
            analysis::annotate(&mut game, &judged).map_err(Failure::failed)?;
            game.headers
                .set("Annotator", &format!("plyproof {}, {agent}", env!("CARGO_PKG_VERSION")))
                .map_err(Failure::failed)?;
            games.push(AnalysedGame {
                number,
                game: game.game().name(),
                position: game.start().position_text(),
                result: result_text(game.result, 2),
                complete: judged.len() == plies,
                players: analysis::summaries(&game, &judged),
                moves: judged,
            });
            annotated.push(game);
            Ok(())
        })?;
    }
    status.clear();
    if games.is_empty() && !stop.load(Ordering::Relaxed) {
        return Err(Failure::Failed(match arguments.game {
            Some(wanted) => format!("there is no game {wanted} in {}", output::counted(number, "game", "games")),
            None => "there is no game to analyse".to_string(),
        }));
    }
    if let Some(out) = &arguments.out {
        files::write(out, &files::text(&annotated, Format::of_path(out))?)?;
    }
    if arguments.json {
        let seconds = arguments.time.map(|time| time.as_secs_f64());
        let (agent, prove, seed) = (agent.to_string(), arguments.prove, arguments.seed);
        output::print_json(&Analysed { agent, simulations, seconds, prove, seed, games })?;
    } else {
        let color = arguments.color.is_on();
        let texts = games.iter().zip(&annotated).map(|(one, game)| text(one, game, color));
        output::print(&texts.collect::<Vec<_>>().join("\n"))?;
    }
    if stop.load(Ordering::Relaxed) { Err(Failure::Interrupted) } else { Ok(()) }
}

/// Bytes of the solver's table at most: it is made anew for every position.
const MOST_TABLE: usize = 64 << 20;

fn text(one: &AnalysedGame, game: &RecordedGame, color: bool) -> String {
    let name = |header: &str| visible(game.headers.value(header).unwrap_or("?"));
    let mut text =
        format!("game {}: {}, {} - {}, {}\n\n", one.number, one.game, name("First"), name("Second"), one.result);
    let mut table = output::table(&["ply", "player", "move", "", "value", "drop", "proven", "best", "line"]);
    for column in [2, 3, 6, 7, 8] {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(comfy_table::CellAlignment::Left);
        }
    }
    for m in &one.moves {
        let better = m.best.as_ref().filter(|best| **best != m.text);
        let shown = m.mark.is_some();
        table.add_row([
            m.ply.to_string(),
            m.player.to_string(),
            visible(&m.text),
            m.mark.map_or(String::new(), |mark| mark.to_string()),
            format!("{:+.2}", m.after),
            if m.drop > 0.0 { format!("{:.2}", m.drop) } else { String::new() },
            proven(m),
            better.map(|best| visible(best)).unwrap_or_default(),
            if shown { visible(&m.line.iter().take(4).cloned().collect::<Vec<_>>().join(" ")) } else { String::new() },
        ]);
    }
    for line in output::table_text(&table).lines() {
        text += &painted(line, color);
        text.push('\n');
    }
    text.push('\n');
    let mut table = output::table(&["player", "moves", "best", "mean drop", "?!", "?", "??", "thrown away"]);
    for player in &one.players {
        let name = if player.name.is_empty() { String::new() } else { format!(" {}", visible(&player.name)) };
        table.add_row([
            format!("{}{name}", player.player),
            player.moves.to_string(),
            player.best_moves.to_string(),
            format!("{:.2}", player.mean_drop),
            player.dubious.to_string(),
            player.mistakes.to_string(),
            player.blunders.to_string(),
            player.thrown_away.to_string(),
        ]);
    }
    text + &output::table_text(&table)
}

/// What is proven after the move, and before it if the move gave that away.
fn proven(m: &JudgedMove) -> String {
    let word = |value: Option<Wdl>| value.map_or("?", Wdl::word);
    match (m.proven_before, m.proven_after) {
        (before, after) if m.thrown_away => format!("{} -> {}", word(before), word(after)),
        (_, Some(value)) => value.word().to_string(),
        _ => String::new(),
    }
}

/// A line of the table in the colour of its mark.
fn painted(line: &str, color: bool) -> String {
    let mark = line.split_whitespace().find(|word| matches!(*word, "??" | "?" | "?!"));
    let code = match mark {
        Some("??") => "31",
        Some("?") => "33",
        Some(_) => "36",
        None => return line.to_string(),
    };
    if color { format!("\x1b[{code}m{line}\x1b[0m") } else { line.to_string() }
}

//! `plyproof eval`: how an evaluation judges a position, and what that rests on.

use std::path::Path;

use plyproof_engine::Registry;
use plyproof_engine::evaluations::{self, BestUse, Evaluation, Judgement, Record};
use serde::Serialize;

use crate::input::{From, whole};
use crate::output::{self, Done, Failure, grouped};

/// Show how an evaluation judges a position, and what that rests on
#[derive(clap::Args)]
#[command(
    after_help = "The score is what the player to move can expect, a draw counting half; the logit is ln(p / (1 - p)) of it. \
    Each move is listed with the score of the player who makes it, judged after the move without any search. A feature \
    weighs as much as the logit would be smaller without it.\n\nExamples:\n  \
    plyproof eval breakthrough.eval\n  \
    plyproof eval breakthrough.eval --moves \"b2b3 c7c6\" --json"
)]
pub struct Arguments {
    /// File of an evaluation, or a game for which plyproof comes with one
    #[arg(value_name = "FILE")]
    file: String,
    #[command(flatten)]
    from: From,
    /// List so many moves and features
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = whole)]
    top: u64,
    /// Print a JSON object, with all moves and features
    #[arg(long)]
    json: bool,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Json<'a> {
    evaluation: &'a str,
    digest: String,
    game: &'a str,
    rules: &'a str,
    hidden: usize,
    best_use: Option<&'static str>,
    record: &'a Record,
    position: String,
    #[serde(flatten)]
    judgement: &'a Judgement,
}

pub fn run(registry: &Registry, arguments: &Arguments) -> Done {
    let evaluation = named(registry, &arguments.file)?;
    let wrong = |error: &dyn std::fmt::Display| Failure::Failed(format!("{}: {error}", arguments.file));
    let game = registry.open(&evaluation.game).map_err(|error| wrong(&error))?;
    let game = arguments.from.apply(game)?;
    let judgement = game.judged(&evaluation).map_err(|error| wrong(&error))?;
    if arguments.json {
        return output::print_json(&Json {
            evaluation: &arguments.file,
            digest: evaluation.digest(),
            game: &evaluation.game,
            rules: &evaluation.rules,
            hidden: evaluation.network.hidden(),
            best_use: evaluation.best_use.map(BestUse::word),
            record: &evaluation.record,
            position: game.position_text(),
            judgement: &judgement,
        });
    }
    let player = game.to_move().index() + 1;
    let top = usize::try_from(arguments.top).unwrap_or(usize::MAX);
    output::print(
        &(head(&arguments.file, &evaluation) + "\n" + &game.board() + "\n\n" + &text(player, &judgement, top)),
    )
}

/// The evaluation in a file, or that of a game.
fn named(registry: &Registry, name: &str) -> Result<Evaluation, Failure> {
    match registry.open(name) {
        Ok(game) if game.rules().text_digest().is_some() || !Path::new(name).exists() => {
            evaluations::built_in(&*game).cloned().ok_or_else(|| {
                Failure::Failed(format!(
                    "plyproof comes with no evaluation for {}; train one with plyproof train",
                    game.name()
                ))
            })
        }
        _ => evaluations::read(Path::new(name)).map_err(Failure::failed),
    }
}

fn head(name: &str, evaluation: &Evaluation) -> String {
    let (network, record) = (&evaluation.network, &evaluation.record);
    let mut head = format!(
        "{name} {}: {}, {} features, {} hidden units\n",
        evaluation.digest(),
        evaluation.game,
        network.features(),
        network.hidden()
    );
    let (games, positions) = (grouped(record.games), grouped(record.positions));
    head += &format!("learned from {games} games with {positions} positions: {}\n", record.command);
    if let Some(best) = evaluation.best_use {
        head += &format!("best used by: {}\n", best.word());
    }
    head
}

fn text(player: usize, judgement: &Judgement, top: usize) -> String {
    let share = |score: f64| format!("{:.1} %", 100.0 * score);
    let mut text =
        format!("player {player} to move: score {}, logit {:+.2}\n\n", share(judgement.score), judgement.logit);
    let mut table = output::table(&["move", "score", ""]);
    for judged in judgement.moves.iter().take(top) {
        let end = if judged.ends { "ends the game" } else { "" };
        table.add_row(vec![judged.text.clone(), share(judged.score), end.to_string()]);
    }
    text += &output::table_text(&table);
    text.push('\n');
    if judgement.moves.len() > top {
        text += &format!("… and {} more moves\n", judgement.moves.len() - top);
    }
    let mut table = output::table(&["feature", "logit"]);
    for judged in judgement.features.iter().take(top) {
        table.add_row(vec![judged.feature.to_string(), format!("{:+.2}", judged.logit)]);
    }
    text += "\n";
    text += &output::table_text(&table);
    text.push('\n');
    if judgement.features.len() > top {
        text += &format!("… and {} more features\n", judgement.features.len() - top);
    }
    text
}

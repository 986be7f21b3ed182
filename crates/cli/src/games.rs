//! `plyproof games`: every game, its rules and parameters.

use plyproof_engine::{AnyGame, Described, Registry};
use serde::Serialize;

use crate::listing::{self, ListedParameter};
use crate::output::{self, Done, Failure};

/// List every game with its rules, parameters and defaults, or describe one game
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  plyproof games\n  plyproof games hex\n  plyproof games \"loa(size=5)\" --json\n  plyproof games rules/mine.rbg"
)]
pub struct Arguments {
    /// Game to describe, which may have parameters, or a rules file
    #[arg(value_name = "GAME")]
    game: Option<String>,
    /// Print a JSON list
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Listed<'a> {
    name: &'a str,
    title: &'a str,
    rules: &'a str,
    players: usize,
    notations: Vec<String>,
    parameters: Vec<ListedParameter<'a>>,
}

/// Everything about one game.
#[derive(Serialize)]
struct Told<'a> {
    #[serde(flatten)]
    listed: Listed<'a>,
    game: String,
    rules_id: String,
    #[serde(skip)]
    rules_name: String,
    symmetries: usize,
    may_repeat: bool,
    may_draw: bool,
    position: String,
    legal_moves: usize,
    example_move: Option<String>,
    board: String,
}

/// One game, as it stands before its first move.
fn told(game: &dyn AnyGame) -> Told<'_> {
    let Described { name, title, summary, .. } = game.described();
    let (facts, legal) = (game.facts(), game.legal_moves());
    let parameters = listing::parameters(game.described());
    let notations = game.notations();
    Told {
        listed: Listed { name, title, rules: summary, players: game.players(), notations, parameters },
        game: game.name(),
        rules_id: game.rules().text_digest().map_or_else(|| game.rules().to_string(), str::to_string),
        rules_name: game.rules().name(),
        symmetries: facts.symmetries,
        may_repeat: facts.may_repeat,
        may_draw: facts.may_draw,
        position: game.position_text(),
        legal_moves: legal.len(),
        example_move: legal.first().cloned(),
        board: game.board(),
    }
}

fn text(told: &Told<'_>) -> String {
    let yes = |yes: bool| if yes { "yes" } else { "no" };
    let Listed { name, title, rules, players, notations, parameters } = &told.listed;
    let mut text = format!("{name}: {title}\n{rules}\n");
    if !parameters.is_empty() {
        text += &format!("\nParameters\n{}", listing::table(parameters));
    }
    let notations =
        if notations.is_empty() { String::new() } else { format!(" (other notations: {})", notations.join(", ")) };
    let example = told.example_move.as_ref().map_or(String::new(), |text| format!(", such as {text}"));
    let rows = [
        ("players", players.to_string()),
        ("rules", told.rules_name.clone()),
        ("draws possible", yes(told.may_draw).to_string()),
        ("positions repeat", yes(told.may_repeat).to_string()),
        ("symmetries", told.symmetries.to_string()),
        ("first moves", format!("{}{example}{notations}", told.legal_moves)),
        ("position", told.position.clone()),
    ];
    text += &format!("\n{}\n", told.game);
    for (label, value) in rows {
        text += &format!("  {label:17} {value}\n");
    }
    let game = if told.game.contains('(') { format!("\"{}\"", told.game) } else { told.game.clone() };
    text + &format!(
        "\n{}\n\nplyproof play {game}    plyproof show {game} --moves …    plyproof solve {game}\n",
        told.board
    )
}

pub fn run(registry: &Registry, arguments: &Arguments) -> Done {
    if let Some(name) = &arguments.game {
        let game = registry.open(name).map_err(Failure::misused)?;
        let told = told(&*game);
        return if arguments.json { output::print_json(&told) } else { output::print(&text(&told)) };
    }
    if arguments.json {
        let listed = registry.entries().map(|entry| {
            let game = entry.open_default().map_err(Failure::failed)?;
            let Described { name, title, summary, .. } = entry.described();
            let parameters = listing::parameters(entry.described());
            Ok(Listed { name, title, rules: summary, players: game.players(), notations: game.notations(), parameters })
        });
        return output::print_json(&listed.collect::<Result<Vec<_>, Failure>>()?);
    }
    let described: Vec<&Described> = registry.entries().map(|entry| entry.described()).collect();
    output::print(&listing::text(&described, "breakthrough(size=5x6)"))
}

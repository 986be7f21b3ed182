//! `plyproof games`: every game, its rules and parameters.

use plyproof_engine::{Described, Registry};
use serde::Serialize;

use crate::listing::{self, ListedParameter};
use crate::output::{self, Done, Failure};

/// List every game with its rules, parameters and defaults
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  plyproof games\n  plyproof games --json")]
pub struct Arguments {
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

pub fn run(registry: &Registry, arguments: &Arguments) -> Done {
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

//! `plyproof games`: every game, its rules and parameters.

use plyproof_lab::{Described, entries};
use serde::Serialize;

use crate::output::{self, Done};

/// List every game with its rules, parameters and defaults
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  plyproof games\n  plyproof games --json")]
pub struct Arguments {
    /// Print a JSON list
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Listed {
    name: &'static str,
    rules: &'static str,
    players: usize,
    notations: &'static [&'static str],
    parameters: Vec<ListedParameter>,
}

#[derive(Serialize)]
struct ListedParameter {
    name: &'static str,
    default: &'static str,
    allowed: String,
    help: &'static str,
}

pub fn run(arguments: &Arguments) -> Done {
    if arguments.json {
        let listed = entries().map(|entry| {
            let game = entry.open_default();
            let Described { name, summary, parameters } = *entry.described;
            let parameters = parameters
                .iter()
                .map(|p| ListedParameter {
                    name: p.name,
                    default: p.default,
                    allowed: p.kind.to_string(),
                    help: p.help,
                })
                .collect();
            Listed { name, rules: summary, players: game.players(), notations: game.notations(), parameters }
        });
        return output::print_json(&listed.collect::<Vec<_>>());
    }
    let described: Vec<&Described> = entries().map(|entry| entry.described).collect();
    let widest = described.iter().map(|game| game.name.len()).max().unwrap_or_default();
    let mut text = String::new();
    for game in described {
        text += &format!("{:widest$}  {}\n", game.name, game.summary);
        for parameter in game.parameters {
            let given = format!("{}={}", parameter.name, parameter.default);
            text += &format!("{:widest$}    {given:16} {}", "", parameter.kind);
            text += &if parameter.help.is_empty() { "\n".to_string() } else { format!(": {}\n", parameter.help) };
        }
    }
    text += "\nThe values shown are the defaults; give others in parentheses, as in \"breakthrough(size=5x6)\".\n";
    output::print(&text)
}

//! `plyproof agents`: every agent with its parameters.

use plyproof_engine::{AGENTS, Described};
use serde::Serialize;

use crate::listing::{self, ListedParameter};
use crate::output::{self, Done};

/// List every agent (a search with its parameters) with its parameters and defaults
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  plyproof agents\n  plyproof agents --json")]
pub struct Arguments {
    /// Print a JSON list
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Listed<'a> {
    name: &'a str,
    summary: &'a str,
    parameters: Vec<ListedParameter<'a>>,
}

pub fn run(arguments: &Arguments) -> Done {
    if arguments.json {
        let listed = AGENTS.iter().map(|agent| Listed {
            name: &agent.name,
            summary: &agent.summary,
            parameters: listing::parameters(agent),
        });
        return output::print_json(&listed.collect::<Vec<_>>());
    }
    let described: Vec<&Described> = AGENTS.iter().map(|agent| &**agent).collect();
    output::print(&listing::text(&described, "pn-mcts(pn=2)"))
}

//! `plyproof agents`: every agent with its parameters.

use plyproof_engine::{AGENTS, Agent, Described, Spec, quoted};
use serde::Serialize;

use crate::listing::{self, ListedParameter};
use crate::output::{self, Done, Failure};

/// List every agent (a search with its parameters), or describe one agent
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  plyproof agents\n  plyproof agents pn-mcts\n  plyproof agents df-pn --json")]
pub struct Arguments {
    /// Agent to describe, which may have parameters
    #[arg(value_name = "AGENT")]
    agent: Option<String>,
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

/// Everything about one agent.
#[derive(Serialize)]
struct Told<'a> {
    #[serde(flatten)]
    listed: Listed<'a>,
    title: &'a str,
    agent: String,
    solves: bool,
}

fn told<'a>(agent: &Agent, described: &'a Described) -> Told<'a> {
    let Described { name, title, summary, .. } = described;
    let parameters = listing::parameters(described);
    Told { listed: Listed { name, summary, parameters }, title, agent: agent.to_string(), solves: agent.solves() }
}

fn text(told: &Told<'_>) -> String {
    let Listed { name, summary, parameters } = &told.listed;
    let mut text = format!("{name}: {}\n{summary}\n", told.title);
    if !parameters.is_empty() {
        text += &format!("\nParameters\n{}", listing::table(parameters));
    }
    let solves = if told.solves { "yes, with plyproof solve" } else { "no" };
    text + &format!("\n{}\n  proves values    {solves}\n", told.agent)
}

pub fn run(arguments: &Arguments) -> Done {
    if let Some(spec) = &arguments.agent {
        let agent = Agent::parse(spec).map_err(Failure::misused)?;
        let name = Spec::parse(spec).map_err(Failure::misused)?.name;
        let described = AGENTS.iter().find(|described| described.name == name);
        let described = described.ok_or_else(|| Failure::Misused(format!("unknown agent {}", quoted(&name))))?;
        let told = told(&agent, described);
        return if arguments.json { output::print_json(&told) } else { output::print(&text(&told)) };
    }
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

//! What there is to choose from: games and agents with their parameters, as the page needs them for its forms.

use plyproof_engine::{AGENTS, Described, Kind, Parameter, Registry};
use serde::Serialize;

use crate::limits::Limits;

/// Everything the page offers.
#[derive(Serialize)]
pub(crate) struct Catalogue {
    version: &'static str,
    games: Vec<Listed>,
    agents: Vec<Listed>,
    /// Whether there is a folder of recorded matches.
    runs: bool,
    /// Longest search, in seconds.
    longest_search: f64,
    /// Moves of a game at most.
    most_moves: usize,
}

#[derive(Serialize)]
struct Listed {
    name: String,
    /// The name for people.
    title: String,
    summary: String,
    parameters: Vec<ListedParameter>,
}

#[derive(Serialize)]
struct ListedParameter {
    name: String,
    default: String,
    help: String,
    /// What is allowed, in words.
    allowed: String,
    /// The words to choose from, if there are no other values.
    choices: Vec<String>,
}

/// All games and agents.
pub(crate) fn catalogue(registry: &Registry, runs: bool, limits: &Limits) -> Catalogue {
    Catalogue {
        version: env!("CARGO_PKG_VERSION"),
        games: registry.entries().map(|entry| listed(entry.described())).collect(),
        agents: AGENTS.iter().map(|described| listed(described)).collect(),
        runs,
        longest_search: limits.search.as_secs_f64(),
        most_moves: limits.moves,
    }
}

fn listed(described: &Described) -> Listed {
    let Described { name, title, summary, parameters } = described.clone();
    let parameters = parameters.into_iter().map(|Parameter { name, default, kind, help }| {
        let allowed = kind.to_string();
        let choices = if let Kind::Choice(words) = kind { words } else { Vec::new() };
        ListedParameter { name, default, help, allowed, choices }
    });
    Listed { name, title, summary, parameters: parameters.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_listed_by_the_titles_of_their_descriptions() {
        let catalogue = catalogue(&Registry::builtin(), false, &Limits::default());
        let title_of = |name| catalogue.games.iter().find(|game| game.name == name).map(|game| game.title.as_str());
        assert_eq!(title_of("loa"), Some("Lines of Action"));
        assert_eq!(title_of("breakthrough"), Some("Breakthrough"));
    }
}

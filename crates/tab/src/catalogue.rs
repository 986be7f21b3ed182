//! What there is to choose from: games and agents with their parameters, as the page needs them for its forms.

use std::time::Duration;

use plyproof_engine::{AGENTS, Described, Kind, Parameter, Registry};
use serde::Serialize;

/// Everything the page offers.
#[derive(Serialize)]
pub struct Catalogue {
    version: &'static str,
    games: Vec<Listed>,
    agents: Vec<Listed>,
    /// Engines of others by name, which may be chosen as players.
    engines: Vec<String>,
    levels: Vec<ListedLevel>,
    /// What a move must cost to be marked `?!`, `?` and `??`.
    marks: [f64; 3],
    /// Whether there is a folder of recorded matches.
    runs: bool,
    /// Longest search, in seconds.
    longest_search: f64,
    /// Moves of a game at most.
    most_moves: usize,
}

/// An opponent for people, from weak to strong.
#[derive(Clone, Debug, Serialize)]
pub struct ListedLevel {
    /// Counted from 1.
    pub number: usize,
    /// The agent.
    pub agent: &'static str,
    /// Simulations for each move.
    pub simulations: u64,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Listed {
    name: String,
    /// The name for people.
    title: String,
    summary: String,
    parameters: Vec<ListedParameter>,
}

#[derive(Clone, Debug, Serialize)]
struct ListedParameter {
    name: String,
    default: String,
    help: String,
    /// What is allowed, in words.
    allowed: String,
    /// The words to choose from, if there are no other values.
    choices: Vec<String>,
    /// The range, if the values are numbers.
    range: Option<[f64; 2]>,
    /// Whether the numbers are whole.
    whole: bool,
}

impl Catalogue {
    /// All games and agents. `marks` are the losses of value from which a move is marked `?!`, `?` and `??`.
    pub fn new(
        registry: &Registry,
        engines: Vec<String>,
        runs: bool,
        longest_search: Duration,
        most_moves: usize,
        levels: Vec<ListedLevel>,
        marks: [f64; 3],
    ) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION"),
            games: registry.entries().map(|entry| listed(entry.described())).collect(),
            agents: AGENTS.iter().map(|described| listed(described)).collect(),
            engines,
            levels,
            marks,
            runs,
            longest_search: longest_search.as_secs_f64(),
            most_moves,
        }
    }
}

pub(crate) fn listed(described: &Described) -> Listed {
    let Described { name, title, summary, parameters } = described.clone();
    let parameters = parameters.into_iter().map(|Parameter { name, default, kind, help }| {
        let allowed = kind.to_string();
        let (range, whole) = match kind {
            Kind::Whole(least, most) | Kind::Count(least, most, _) => (Some([least as f64, most as f64]), true),
            Kind::Real(least, most, _) => (Some([least, most].map(|end| end.clamp(-1e15, 1e15))), false),
            _ => (None, false),
        };
        let choices = if let Kind::Choice(words) = kind { words } else { Vec::new() };
        ListedParameter { name, default, help, allowed, choices, range, whole }
    });
    Listed { name, title, summary, parameters: parameters.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_listed_by_the_titles_of_their_descriptions() {
        let catalogue = Catalogue::new(
            &Registry::builtin(),
            Vec::new(),
            false,
            Duration::from_secs(1),
            9,
            Vec::new(),
            [0.2, 0.4, 0.8],
        );
        let title_of = |name| catalogue.games.iter().find(|game| game.name == name).map(|game| game.title.as_str());
        assert_eq!(title_of("loa"), Some("Lines of Action"));
        assert_eq!(title_of("breakthrough"), Some("Breakthrough"));
    }
}

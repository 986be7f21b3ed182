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
    name: &'static str,
    /// The name for people.
    title: String,
    summary: &'static str,
    parameters: Vec<ListedParameter>,
}

#[derive(Serialize)]
struct ListedParameter {
    name: &'static str,
    default: &'static str,
    help: &'static str,
    /// What is allowed, in words.
    allowed: String,
    /// The words to choose from, if there are no other values.
    choices: &'static [&'static str],
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
    let parameter = |&Parameter { name, default, kind, help }: &Parameter| {
        let choices: &'static [&'static str] = match kind {
            Kind::Choice(words) => words,
            _ => &[],
        };
        ListedParameter { name, default, help, allowed: kind.to_string(), choices }
    };
    let parameters = described.parameters.iter().map(parameter).collect();
    Listed { name: described.name, title: title(described.name), summary: described.summary, parameters }
}

/// The name of a game or an agent for people. Descriptions have no title, so it is the name with a capital letter,
/// except for the names that are abbreviations or are written in another way.
fn title(name: &str) -> String {
    match name {
        "connect4" => "Connect Four".to_string(),
        "loa" => "Lines of Action".to_string(),
        "minishogi" => "MiniShogi".to_string(),
        "mnk" => "m,n,k-game".to_string(),
        "tictactoe" => "Tic-tac-toe".to_string(),
        _ => {
            let mut letters = name.chars();
            letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_a_title_also_one_that_nobody_has_heard_of() {
        let catalogue = catalogue(&Registry::builtin(), false, &Limits::default());
        let title_of = |name| catalogue.games.iter().find(|game| game.name == name).map(|game| game.title.as_str());
        assert_eq!(title_of("loa"), Some("Lines of Action"));
        assert_eq!(title_of("breakthrough"), Some("Breakthrough"));
        assert!(catalogue.games.iter().all(|game| !game.title.is_empty()));
        assert_eq!((title("chomp"), title("éclair"), title("")), ("Chomp".into(), "Éclair".into(), String::new()));
    }
}

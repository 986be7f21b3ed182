//! What a tab says and hears: one JSON object a message.

use std::collections::HashMap;

use plyproof_engine::quoted;
use serde::{Deserialize, Serialize};

use crate::files::FileGame;

/// A message from a tab.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Request {
    /// What is the position here, and what is legal?
    Position {
        /// Comes back with the answer.
        id: u64,
        /// Which position.
        at: Place,
        /// An agent that is to play from here; the position is refused with the reason if there is no such agent.
        #[serde(default)]
        agent: Option<String>,
        /// Whether the answer has what is needed to draw a game that is read from a text.
        #[serde(default)]
        draw: bool,
    },
    /// What are these rules, or what is wrong with them?
    Rules {
        /// Comes back with the answer.
        id: u64,
        /// The name of the file.
        name: String,
        /// The rules.
        text: String,
    },
    /// The same rules, laid out.
    Format {
        /// Comes back with the answer.
        id: u64,
        /// The name of the file.
        name: String,
        /// The rules.
        text: String,
    },
    /// Search from here. Ends the search with the same role, if there is one.
    Search(SearchRequest),
    /// End a search. Its tree can be seen until the next one with the same role.
    Stop {
        /// Which search.
        role: Role,
    },
    /// What is to be seen of a search from now on.
    Watch {
        /// Which search.
        role: Role,
        /// What is visible.
        view: View,
    },
    /// The games of a file, in any format that is read.
    Read {
        /// Comes back with the answer.
        id: u64,
        /// The file.
        text: String,
        /// Texts of the rules of games in it, by their names.
        #[serde(default)]
        rules: HashMap<String, String>,
    },
    /// Games as a file.
    Write {
        /// Comes back with the answer.
        id: u64,
        /// `games`, `sgf`, `usi` or `kif`.
        format: String,
        /// The games.
        games: Vec<FileGame>,
    },
    /// The whole tree of a small search.
    Step(StepRequest),
    /// Play a match, and record it with the runs.
    Match(MatchRequest),
    /// Measure how balanced a game is.
    Balance(BalanceRequest),
    /// End a match or a measurement.
    EndJob {
        /// The request that began it.
        id: u64,
    },
    /// Is anybody there?
    Hello {
        /// Comes back with the answer.
        id: u64,
    },
}

/// A search that is small enough to be looked at whole.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepRequest {
    /// Comes back with the answer.
    pub id: u64,
    /// Where to search.
    pub at: Place,
    /// The agent with its parameters.
    pub agent: String,
    /// Simulations.
    pub simulations: u64,
    /// Where randomness starts.
    #[serde(default)]
    pub seed: Option<u64>,
}

/// A player of a match that is asked for.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seat {
    /// The agent with its parameters.
    pub agent: String,
    /// Simulations for each move.
    pub simulations: u64,
}

/// A match that is asked for.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchRequest {
    /// Comes back with every update.
    pub id: u64,
    /// What the record is called.
    pub name: String,
    /// The game with its parameters.
    pub game: String,
    /// The rules of the game, if it is read from a text.
    #[serde(default)]
    pub rules: Option<String>,
    /// The player whose score is counted.
    pub a: Seat,
    /// The other player.
    pub b: Seat,
    /// Games, an even number.
    pub games: u32,
    /// Where randomness starts.
    #[serde(default)]
    pub seed: Option<u64>,
}

/// A measurement of balance that is asked for.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BalanceRequest {
    /// Comes back with every update.
    pub id: u64,
    /// The game with its parameters.
    pub game: String,
    /// The rules of the game, if it is read from a text.
    #[serde(default)]
    pub rules: Option<String>,
    /// Who plays against itself.
    pub agent: String,
    /// Simulations for each move, from weak to strong.
    pub simulations: Vec<u64>,
    /// Games at each strength, an even number.
    pub games: u32,
}

/// A search that is asked for.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchRequest {
    /// Comes back with every update.
    pub id: u64,
    /// What the search is for.
    pub role: Role,
    /// Where to search.
    pub at: Place,
    /// The agent with its parameters.
    pub agent: String,
    /// Simulations at most.
    #[serde(default)]
    pub simulations: Option<u64>,
    /// Seconds at most.
    #[serde(default)]
    pub seconds: Option<f64>,
    /// Where randomness starts.
    #[serde(default)]
    pub seed: Option<u64>,
    /// What is visible.
    #[serde(default)]
    pub view: View,
}

/// A position as the page knows it: a game, where it started, and what was played.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// The game with its parameters.
    pub game: String,
    /// The rules of the game, if it is read from a text: its name is then that of the file, which is not opened.
    #[serde(default)]
    pub rules: Option<String>,
    /// A position to start from; none is the game's own start.
    #[serde(default)]
    pub start: Option<String>,
    /// The moves from there on.
    #[serde(default)]
    pub moves: Vec<String>,
}

/// What a search is for. A tab has at most one of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// The engine's move in a game.
    Play,
    /// A look at the position on the board.
    Analyse,
    /// A look at the same position by another agent.
    Compare,
    /// A look at every position of a game, one after the other.
    Review,
    /// A look for a person who asks what to play.
    Hint,
    /// A proof of its value.
    Solve,
}

/// What of a search is visible in the page.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct View {
    /// So many of the most visited moves, and all that are decided.
    #[serde(default)]
    pub moves: usize,
    /// What selection adds up for each move.
    #[serde(default)]
    pub why: bool,
    /// Nodes of the tree, named by the moves that lead to them.
    #[serde(default)]
    pub nodes: Vec<Vec<String>>,
}

impl Request {
    /// Reads a message; the error names what is wrong with it.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        serde_json::from_str(text).map_err(|error| {
            // The id, if there is one, lets the page tell which of its questions went wrong.
            let loose: Option<HashMap<String, serde_json::Value>> = serde_json::from_str(text).ok();
            let id = loose.as_ref().and_then(|object| object.get("id")).and_then(serde_json::Value::as_u64);
            let why = error.to_string();
            let why: String = why.chars().take(200).collect();
            Fault { id, role: None, message: format!("{} is not a message for this server: {why}", quoted(text)) }
        })
    }
}

/// Why a message was not obeyed.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// The request, if that is known.
    pub id: Option<u64>,
    /// The search, if it is one that went wrong.
    pub role: Option<Role>,
    /// Why, in words.
    pub message: String,
}

/// The answer to a question that went wrong.
#[derive(Serialize)]
struct ErrorAnswer<'a> {
    id: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<Role>,
    error: &'a str,
}

impl Fault {
    /// The message for the page.
    pub fn to_json(&self) -> String {
        let answer = ErrorAnswer { id: self.id, role: self.role, error: &self.message };
        serde_json::to_string(&answer)
            .unwrap_or_else(|_| r#"{"id":null,"error":"an error that cannot be written as JSON"}"#.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_and_strange_ones_named() {
        let search = r#"{"do":"search","id":7,"role":"analyse","at":{"game":"loa","moves":["b1d3"]},"agent":"mcts","seconds":1}"#;
        match Request::parse(search) {
            Ok(Request::Search(search)) => {
                assert_eq!((search.id, search.role, search.at.moves.len()), (7, Role::Analyse, 1));
            }
            other => panic!("{other:?}"),
        }
        let refused = |text: &str| Request::parse(text).expect_err(text);
        assert_eq!(refused(r#"{"do":"position","id":3,"at":{"game":1}}"#).id, Some(3));
        assert!(refused(r#"{"do":"dance","id":3}"#).message.contains("unknown variant `dance`"));
        for text in ["", "[]", "nul", r#"{"do":"stop","role":"x"}"#, "\u{0}", r#"{"id":-1}"#, &"[".repeat(100_000)] {
            let fault = refused(text);
            assert!(fault.message.len() < 500 && !fault.to_json().contains('\n'), "{}", fault.message);
        }
    }
}

//! What a tab says and hears: one JSON object a message.

use std::collections::HashMap;

use plyproof_engine::quoted;
use serde::{Deserialize, Serialize};

/// A message from a tab.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Request {
    /// What is the position here, and what is legal?
    Position {
        /// Comes back with the answer.
        id: u64,
        at: Place,
        /// An agent that is to play from here; the position is refused with the reason if there is no such agent.
        #[serde(default)]
        agent: Option<String>,
    },
    /// Search from here. Ends the search with the same role, if there is one.
    Search(SearchRequest),
    /// End a search. Its tree can be seen until the next one with the same role.
    Stop { role: Role },
    /// What is to be seen of a search from now on.
    Watch { role: Role, view: View },
    /// Is anybody there?
    Hello { id: u64 },
}

/// A search that is asked for.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SearchRequest {
    /// Comes back with every update.
    pub id: u64,
    pub role: Role,
    pub at: Place,
    /// The agent with its parameters.
    pub agent: String,
    #[serde(default)]
    pub simulations: Option<u64>,
    #[serde(default)]
    pub seconds: Option<f64>,
    #[serde(default)]
    pub seed: Option<u64>,
    #[serde(default)]
    pub view: View,
}

/// A position as the page knows it: a game, where it started, and what was played.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Place {
    pub game: String,
    /// A position to start from; none is the game's own start.
    #[serde(default)]
    pub start: Option<String>,
    #[serde(default)]
    pub moves: Vec<String>,
}

/// What a search is for. A tab has at most one of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Role {
    /// The engine's move in a game.
    Play,
    /// A look at the position on the board.
    Analyse,
    /// A proof of its value.
    Solve,
}

/// What of a search is visible in the page.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct View {
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
    pub(crate) fn parse(text: &str) -> Result<Self, Fault> {
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
pub(crate) struct Fault {
    pub id: Option<u64>,
    pub role: Option<Role>,
    pub message: String,
}

/// The answer to a question that went wrong.
#[derive(Serialize)]
pub(crate) struct ErrorAnswer<'a> {
    pub id: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    pub error: &'a str,
}

impl Fault {
    pub(crate) fn to_json(&self) -> String {
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

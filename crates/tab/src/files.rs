//! Game files for the page: games with variations and comments as plain data, read from text and written as text.

use std::collections::HashMap;
use std::io::Cursor;

use plyproof_engine::{Registry, Wdl};
use plyproof_notation::{Format, GameFile, Mark, MoveTree, RecordedGame, parse_result, result_text};
use serde::{Deserialize, Serialize};

use crate::rules::registry_with;

/// A game of a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileGame {
    /// The game with its parameters.
    pub game: String,
    /// The rules of the game, if it is read from a text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// The position that it starts from, if it is not the game's own.
    #[serde(default)]
    pub start: Option<String>,
    /// Players, date and so on, by name.
    #[serde(default)]
    pub headers: Vec<(String, String)>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    #[serde(default = "unknown")]
    pub result: String,
    /// The moves: the first node is the start position, and parents stand before their children.
    pub nodes: Vec<FileNode>,
}

fn unknown() -> String {
    "*".to_string()
}

/// A move of a game with what is said about it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FileNode {
    /// The place of the position before the move among the nodes.
    #[serde(skip_serializing_if = "is_zero")]
    pub parent: usize,
    /// The move; empty for the first node.
    #[serde(rename = "move", skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// `!`, `?`, `!!`, `??`, `!?` or `?!`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<String>,
    /// An estimate for the player who made the move, from -1 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// `win`, `draw` or `loss` of the player who made the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proven: Option<String>,
    /// Simulations of the search that chose or judged the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub simulations: Option<u64>,
    /// Seconds that the move took.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// What is said in words.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub comment: String,
}

fn is_zero(n: &usize) -> bool {
    *n == 0
}

/// Games of a file at most.
const MOST_GAMES: usize = 1000;

/// The games of a file in any format. Every move is checked by the rules; an error names the line and the column.
/// `rules` has texts of rules by the names of their games.
pub fn read_games(registry: &Registry, text: &str, rules: &HashMap<String, String>) -> Result<Vec<FileGame>, String> {
    let mut registry = registry.clone();
    for (name, text) in rules {
        registry = registry_with(&registry, name, Some(text))?;
    }
    let registry = &registry;
    let source = Cursor::new(text.as_bytes().to_vec());
    let file = GameFile::open(registry, source).map_err(|error| error.to_string())?;
    let mut file = file.map_err(|error| error.to_string())?;
    let mut games = Vec::new();
    while let Some(game) = file.next_game().map_err(|error| error.to_string())? {
        if games.len() == MOST_GAMES {
            return Err(format!("the file has more than {MOST_GAMES} games; take fewer"));
        }
        games.push(read(registry, &game));
    }
    match games.is_empty() {
        true => Err("there is no game in it: a file of games begins with [Game \"…\"]".to_string()),
        false => Ok(games),
    }
}

fn read(registry: &Registry, game: &RecordedGame) -> FileGame {
    let rules = registry.entry(&game.game().described().name).and_then(|entry| entry.rules_text());
    let tree = &game.tree;
    let mut nodes = vec![FileNode { comment: tree.notes(MoveTree::ROOT).comment().to_string(), ..FileNode::default() }];
    let mut open = vec![(MoveTree::ROOT, 0)];
    while let Some((above, parent)) = open.pop() {
        let first = nodes.len();
        for &child in tree.children(above) {
            let notes = tree.notes(child);
            nodes.push(FileNode {
                parent,
                text: tree.text(child).to_string(),
                mark: notes.mark.map(|mark| mark.text().to_string()),
                value: notes.value(),
                proven: notes.proven.map(|value| value.word().to_string()),
                simulations: notes.simulations,
                seconds: notes.seconds(),
                comment: notes.comment().to_string(),
            });
        }
        open.extend(tree.children(above).iter().copied().zip(first..));
    }
    FileGame {
        game: game.game().name(),
        rules: rules.map(str::to_string),
        start: game.has_own_start().then(|| game.start().position_text()),
        headers: game.headers.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect(),
        result: result_text(game.result, game.players()),
        nodes,
    }
}

/// Games as a file of a format. Every move is checked by the rules.
pub fn write_games(registry: &Registry, games: &[FileGame], format: &str) -> Result<String, String> {
    let format = Format::parse(format).map_err(|error| error.to_string())?;
    if games.len() > 1 && matches!(format, Format::Kif) {
        return Err("a KIF file holds one game".to_string());
    }
    let texts = games.iter().map(|game| {
        let game = written(registry, game)?;
        game.check().and_then(|()| format.text(&game)).map_err(|error| error.to_string())
    });
    Ok(texts.collect::<Result<Vec<_>, String>>()?.concat())
}

fn written(registry: &Registry, given: &FileGame) -> Result<RecordedGame, String> {
    let registry = registry_with(registry, &given.game, given.rules.as_deref())?;
    let own = registry.open(&given.game).map_err(|error| error.to_string())?;
    let mut game = match &given.start {
        Some(text) => {
            let start = own.parse_position(text.trim()).map_err(|error| error.to_string())?;
            RecordedGame::from_position(own, start)
        }
        None => RecordedGame::new(own),
    };
    for (name, value) in &given.headers {
        game.headers.set(name, value).map_err(|error| error.to_string())?;
    }
    game.result = parse_result(&given.result, game.players()).map_err(|error| error.to_string())?;
    let mut ids = Vec::with_capacity(given.nodes.len());
    for (place, node) in given.nodes.iter().enumerate() {
        let id = match place {
            0 => MoveTree::ROOT,
            _ => {
                let above = ids.get(node.parent).copied();
                let above =
                    above.ok_or_else(|| format!("node {place} has the parent {}, which comes later", node.parent))?;
                game.tree.add(above, &node.text).map_err(|error| error.to_string())?
            }
        };
        ids.push(id);
        let notes = game.tree.notes_mut(id);
        notes.set_comment(&node.comment);
        if place > 0 {
            notes.mark = node.mark.as_deref().and_then(Mark::parse);
            notes.set_value(node.value);
            notes.proven = node
                .proven
                .as_deref()
                .and_then(|word| [Wdl::Win, Wdl::Draw, Wdl::Loss].into_iter().find(|value| value.word() == word));
            notes.simulations = node.simulations;
            notes.set_seconds(node.seconds);
        }
    }
    Ok(game)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "[Game \"breakthrough(size=2x4)\"]\n[First \"Ada\"]\n[Result \"1-0\"]\n\n\
        {A small board.} 1. a2b3! {Takes.} (1. b2a3? [value -0.35] b4a3 {and it is lost})\n2. a4b3 3. b2a3 [proven win] b3a2 5. a3a4 1-0\n\n";

    #[test]
    fn a_game_with_variations_is_read_and_written_as_it_was() {
        let registry = Registry::builtin();
        let games = read_games(&registry, TEXT, &HashMap::new()).expect("a sound file");
        let [game] = &games[..] else { panic!("{} games", games.len()) };
        assert_eq!((game.nodes[0].comment.as_str(), game.nodes.len()), ("A small board.", 8));
        assert_eq!(game.nodes.iter().filter(|node| node.parent == 0).count(), 3, "the root and two first moves");
        let text = write_games(&registry, &games, "games").expect("can be written");
        let words = |text: &str| text.split_whitespace().map(str::to_string).collect::<Vec<_>>();
        assert_eq!(words(&text), words(TEXT));
        let json = serde_json::to_string(&games).expect("JSON");
        assert_eq!(serde_json::from_str::<Vec<FileGame>>(&json).expect("the same"), games);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let registry = Registry::builtin();
        let refused = |text: &str| read_games(&registry, text, &HashMap::new()).expect_err(text);
        assert!(refused("").contains("no game"));
        assert!(
            refused(&TEXT.replace("a4b3", "a4b4")).starts_with("line 6, column"),
            "{}",
            refused(&TEXT.replace("a4b3", "a4b4"))
        );
        assert!(refused("hello").contains("begins with"));
        let game = |nodes| FileGame {
            game: "tictactoe".into(),
            rules: None,
            start: None,
            headers: vec![],
            result: "*".into(),
            nodes,
        };
        let node = |parent, text: &str| FileNode { parent, text: text.into(), ..FileNode::default() };
        let written = |nodes| write_games(&registry, &[game(nodes)], "games");
        assert!(written(vec![node(0, ""), node(0, "a1"), node(1, "a1")]).is_err_and(|why| why.contains("a1")));
        assert!(written(vec![node(0, ""), node(5, "a1")]).is_err_and(|why| why.contains("comes later")));
        assert!(written(vec![]).is_ok());
        assert!(write_games(&registry, &[], "pgn").is_err_and(|why| why.contains("sgf")));
    }
}

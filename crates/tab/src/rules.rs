//! Games from texts of rules: the page sends the text with every request that is about such a game, because nobody keeps it
//! for the page. What the text says is told for the editor, and for drawing.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use plyproof_engine::rules::{AnyRules, Language, RulesError};
use plyproof_engine::{Contract, Registry, Spec};
use plyproof_rules::check::{Clock, Limits, Report, check};
use plyproof_rules::rbg::{Board, Layout};
use serde::Serialize;

use crate::catalogue::{Listed, listed};
use crate::place::{Described, describe};

/// Modifiers that are told at most, for moves that differ in nothing else.
const MOST_MODIFIERS: usize = 500;
/// What a check may look at: a page checks while its text is typed.
const GAMES: u32 = 100;
const POSITIONS: u64 = 6_000;
const LINES: u64 = 10_000;
/// What the clock may show before the rest of a check is left out.
const PATIENCE: Duration = Duration::from_millis(700);

/// The registry with the game that `game` names, by the text of its rules. Without a text, and with the text of a game that
/// is there already, it is `registry` itself.
pub fn registry_with(registry: &Registry, game: &str, rules: Option<&str>) -> Result<Registry, String> {
    let mut registry = registry.clone();
    if let Some(text) = rules {
        let name = Spec::parse(game).map_err(|error| error.to_string())?.name;
        if registry.entry(&name).and_then(|entry| entry.rules_text()) != Some(text) {
            registry.add_rules(&name, text).map_err(|error| placed(&name, &error))?;
        }
    }
    Ok(registry)
}

/// An error with the name of its text, as compilers write it.
fn placed(name: &str, error: &RulesError) -> String {
    match error.line {
        0 => format!("{name}: {}", error.message),
        line => format!("{name}:{line}:{}: {}", error.column, error.message),
    }
}

/// What is needed to draw a game that is read from a text.
#[derive(Clone, Debug, Serialize)]
pub struct Drawing {
    players: Vec<String>,
    /// The board, in languages that have one.
    board: Option<DrawnBoard>,
}

#[derive(Clone, Debug, Serialize)]
struct DrawnBoard {
    /// `rectangle`, `hexagon`, `cuboid` or `graph`.
    layout: &'static str,
    /// Name, column and row of each cell, in the order of positions.
    cells: Vec<(String, f32, f32)>,
    /// Pairs of neighbours, of a graph, and the direction from the first to the second.
    edges: Vec<(usize, usize, usize)>,
    /// Names of the directions.
    directions: Vec<String>,
    /// Names and the characters that stand for them in positions.
    pieces: Vec<(String, char)>,
    /// What moves do, by the numbers that tell apart moves with the same cells; none if there are very many.
    modifiers: Vec<String>,
}

impl Drawing {
    fn new(rules: &AnyRules) -> Self {
        let board = rules.as_rbg().map(|rules| {
            let board = rules.board();
            let modifiers =
                if rules.modifiers().len() <= MOST_MODIFIERS { rules.modifiers().to_vec() } else { Vec::new() };
            DrawnBoard {
                layout: match board.layout {
                    Layout::Rectangle => "rectangle",
                    Layout::Hexagon => "hexagon",
                    Layout::Cuboid => "cuboid",
                    Layout::Graph => "graph",
                },
                cells: board.cells.iter().map(|cell| (cell.name.clone(), cell.x, cell.y)).collect(),
                edges: if board.layout == Layout::Graph { edges(board) } else { Vec::new() },
                directions: board.directions.clone(),
                pieces: rules.pieces().to_vec(),
                modifiers,
            }
        });
        Self { players: rules.players().to_vec(), board }
    }

    /// What is needed to draw this game; `None` for games that the page draws without help.
    pub fn of(registry: &Registry, game: &str) -> Option<Self> {
        registry.rules_of(game).ok().flatten().map(|rules| Self::new(&rules))
    }
}

/// Neighbours, each pair once.
fn edges(board: &Board) -> Vec<(usize, usize, usize)> {
    let mut known = HashSet::new();
    let pairs = board.cells.iter().enumerate().flat_map(|(place, cell)| {
        cell.neighbours().map(move |(direction, other)| (place, other, direction)).filter(|(from, to, _)| from != to)
    });
    pairs.filter(|&(from, to, _)| known.insert((from.min(to), from.max(to)))).collect()
}

/// What a text of rules is, or what is wrong with it.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CheckedRules {
    /// It is a game.
    Game(Box<KnownRules>),
    /// It is none.
    Problem(Problem),
}

/// Why a text is no game.
#[derive(Clone, Debug, Serialize)]
pub struct Problem {
    /// The line, counted from 1; 0 if the error belongs to no place.
    line: u32,
    /// The column in characters, counted from 1.
    column: u32,
    /// What is wrong, and what would be right.
    message: String,
}

/// A game that was read from a text.
#[derive(Clone, Debug, Serialize)]
pub struct KnownRules {
    /// As the catalogue lists games.
    game: Listed,
    /// What random games and a look at the text have shown.
    report: Report,
    drawing: Drawing,
    position: Described,
}

/// Reads rules, plays random games for a moment, and says what there is to say. `now` is the time since any moment that
/// stays the same.
pub fn check_rules(
    registry: &Registry,
    name: &str,
    text: &str,
    now: impl Fn() -> Duration + Send + Sync + 'static,
) -> Result<CheckedRules, String> {
    let mut registry = registry.clone();
    let problem = |RulesError { line, column, message }| Ok(CheckedRules::Problem(Problem { line, column, message }));
    if registry.entry(name).and_then(|entry| entry.rules_text()) != Some(text)
        && let Err(error) = registry.add_rules(name, text)
    {
        return problem(error);
    }
    let error = |error: plyproof_engine::TextError| error.to_string();
    let rules = registry.rules_of(name).map_err(error)?.ok_or("there are no rules of this game")?;
    let game = registry.open(name).map_err(error)?;
    let began = now();
    let clock = Clock { now: Arc::new(move || now().saturating_sub(began)), most: PATIENCE };
    let contract = Contract { games: 1, draws: 10, playouts: 0, ply_limit: 30, ..Contract::default() };
    let limits =
        Limits { games: GAMES, positions: POSITIONS, lines: LINES, contract, clock: Some(clock), ..Limits::default() };
    let report = match check(rules.language(), text, &[], &limits) {
        Ok(report) => report,
        Err(error) => return problem(error),
    };
    Ok(CheckedRules::Game(Box::new(KnownRules {
        game: listed(game.described()),
        report,
        drawing: Drawing::new(&rules),
        position: describe(&*game, None)?,
    })))
}

/// The text of rules laid out; an error names its place.
pub fn format_rules(name: &str, text: &str) -> Result<String, String> {
    match Language::of(name, text) {
        Language::Rbg => plyproof_rules::rbg::format(text).map_err(|error| placed(name, &error)),
        Language::Gdl => Err("only rules in RBG are laid out".to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A rules file of the tests of another crate.
    fn data(name: &str) -> String {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../rules/tests/data").join(name);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    fn row() -> String {
        data("three-in-a-row.rbg")
    }

    fn checked(name: &str, text: &str) -> serde_json::Value {
        let registry = Registry::builtin().without_files();
        serde_json::to_value(check_rules(&registry, name, text, || Duration::ZERO).expect("an answer")).expect("JSON")
    }

    #[test]
    fn a_text_is_told_with_its_board_and_random_games() {
        let told = &checked("row.rbg", &row())["game"];
        assert_eq!(told["game"]["title"], "Tic-tac-toe, by a board of n lines");
        assert_eq!(
            (&told["drawing"]["board"]["layout"], &told["report"]["start"]["legal_moves"]),
            (&"rectangle".into(), &9.into())
        );
        assert_eq!(told["drawing"]["board"]["cells"][5], serde_json::json!(["rx2y1", 2.0, 1.0]));
        assert_eq!(told["position"]["legal"].as_array().map(Vec::len), Some(9));
        assert_eq!(told["report"]["games"]["played"], GAMES);
        let ring = &checked("pits.rbg", &data("pits.rbg"))["game"]["drawing"]["board"];
        assert_eq!((&ring["layout"], ring["edges"].as_array().map(Vec::len)), (&"graph".into(), Some(6)));
    }

    #[test]
    fn a_text_is_laid_out_or_its_error_has_a_place() {
        assert!(format_rules("row.rbg", &row()).is_ok_and(|text| text.contains("#players")));
        let refused = format_rules("row.rbg", "#players = \u{7}").expect_err("no token");
        assert!(refused.starts_with("row.rbg:1:12:"), "{refused}");
    }

    #[test]
    fn an_error_has_its_place() {
        let told = checked("row.rbg", &row().replace("#players = first(100)", "#players = first"));
        let problem = &told["problem"];
        assert!(problem["line"] == 2 && problem["column"].as_u64() > Some(10), "{told}");
    }

    #[test]
    fn a_text_takes_the_place_of_no_other_game() {
        let registry = Registry::builtin().without_files();
        let opened = |game: &str, text: Option<&str>| {
            registry_with(&registry, game, text).and_then(|found| found.open(game).map_err(|error| error.to_string()))
        };
        assert!(opened("loa", Some(&row())).is_err_and(|why| why.contains("choose another name")));
        assert!(opened("row.rbg", None).is_err_and(|why| why.contains("send the text")));
        assert!(opened("row.rbg", Some(&row())).is_ok_and(|game| game.legal_moves().len() == 9));
        assert!(opened("../row.rbg", Some("#rules")).is_err_and(|why| why.starts_with("../row.rbg:1:")));
    }
}

//! What the fuzz targets share: which game an input is for, and what must hold whatever the input is.

use std::sync::OnceLock;

use plyproof_engine::{AnyGame, Described, Kind, Registry, TextError};

/// Every game of the registry: with its defaults, and with each parameter at its least, its greatest and every word.
pub fn specs() -> Vec<String> {
    let registry = Registry::builtin();
    let all = registry.entries().flat_map(|entry| specs_of(entry.described()));
    all.filter(|spec| registry.open(spec).is_ok()).collect()
}

fn specs_of(described: &Described) -> Vec<String> {
    let mut specs = vec![described.name.to_string()];
    for parameter in &described.parameters {
        let values: Vec<String> = match &parameter.kind {
            Kind::Whole(least, most) | Kind::Count(least, most, _) => vec![least.to_string(), most.to_string()],
            Kind::Choice(words) => words.clone(),
            Kind::Board { least, most } => vec![format!("{}x{}", least.0, least.1), format!("{}x{}", most.0, most.1)],
            Kind::Real(least, most, _) => vec![least.to_string(), most.to_string()],
            Kind::Text | Kind::Phrase => Vec::new(),
        };
        specs.extend(values.iter().map(|value| format!("{}({}={value})", described.name, parameter.name)));
    }
    specs
}

/// The variable that narrows a run to one game by its name, all its parameters included.
pub const GAME_VARIABLE: &str = "PLYPROOF_GAME";

/// The start positions that inputs choose from.
///
/// # Panics
/// If [`GAME_VARIABLE`] names no game.
pub fn games() -> &'static [Box<dyn AnyGame>] {
    static GAMES: OnceLock<Vec<Box<dyn AnyGame>>> = OnceLock::new();
    GAMES.get_or_init(|| {
        let wanted = std::env::var(GAME_VARIABLE).ok();
        let registry = Registry::builtin();
        let all = specs().into_iter().map(move |spec| registry.open(&spec).expect("a known game"));
        let games: Vec<_> =
            all.filter(|game| wanted.as_deref().is_none_or(|name| game.described().name == name)).collect();
        assert!(!games.is_empty(), "{GAME_VARIABLE}={} names no game", wanted.unwrap_or_default());
        games
    })
}

/// The game that the first byte of an input chooses, and the rest of the input.
pub fn chosen(input: &[u8]) -> Option<(&'static dyn AnyGame, &[u8])> {
    let (&index, rest) = input.split_first()?;
    let games = games();
    Some((&*games[usize::from(index) % games.len()], rest))
}

/// An error is one line that fits a screen, whatever it is about.
pub fn check_error(error: &TextError) {
    let message = error.to_string();
    assert!(!message.is_empty() && !message.contains(char::is_control), "{message:?}");
    assert!(message.chars().count() <= 1500, "an error of {} characters: {message}", message.chars().count());
}

/// What must hold of every position that can be reached by any text.
pub fn check_position(game: &dyn AnyGame) {
    let text = game.position_text();
    let again = game.parse_position(&text).unwrap_or_else(|error| panic!("{text:?} was refused: {error}"));
    assert_eq!(again.position_text(), text);
    assert_eq!(again.key(), game.key(), "the key of {text}");
    assert_eq!(again.outcome(), game.outcome(), "the outcome of {text}");
    let moves = game.legal_moves();
    assert_eq!(again.legal_moves(), moves, "the moves at {text}");
    assert_eq!(moves.is_empty(), game.outcome().is_some(), "moves {moves:?}, outcome {:?} at {text}", game.outcome());
    assert_eq!(game.perft(1).nodes, moves.len() as u64, "at {text}");
    assert!(!game.board().is_empty());
    for notation in &game.notations() {
        if let Some(foreign) = game.position_in(notation) {
            let read = game.parse_position(&foreign).unwrap_or_else(|error| panic!("{foreign:?} was refused: {error}"));
            assert_eq!(read.key(), game.key(), "{foreign} and {text}");
        }
    }
    for played in &moves {
        let mut next = game.clone_box();
        next.play(played).unwrap_or_else(|error| panic!("{played} at {text} was refused: {error}"));
        assert_ne!(next.key(), game.key(), "{played} at {text}");
        for notation in &game.notations() {
            let foreign = game.move_in(notation, played).unwrap_or_else(|error| panic!("{played} at {text}: {error}"));
            let mut same = game.clone_box();
            same.play(&foreign).unwrap_or_else(|error| panic!("{foreign} at {text} was refused: {error}"));
            assert_eq!(same.key(), next.key(), "{played} and {foreign} at {text}");
        }
    }
}

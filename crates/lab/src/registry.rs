//! The one list of games, read by every front end.

use plyproof_core::spec::{Described, Params, Spec, unknown_name};
use plyproof_core::{Game, TextError};
use plyproof_games::awari::{AWARI, Awari};
use plyproof_games::clobber::{CLOBBER, Clobber};
use plyproof_games::connect4::{CONNECT4, Connect4};
use plyproof_games::domineering::{DOMINEERING, Domineering};
use plyproof_games::hex::{HEX, Hex};
use plyproof_games::in_a_row::{GOMOKU, InARow, MNK, TICTACTOE};
use plyproof_games::loa::{LOA, Loa};
use plyproof_games::minishogi::{MINISHOGI, MiniShogi};
use plyproof_games::othello::{OTHELLO, Othello};
use plyproof_games::through::{BREAKTHROUGH, KNIGHTTHROUGH, Through};

use crate::any_game::{AnyGame, erase};

/// A game of the list: its public face and how to open it.
pub struct Entry {
    /// Name, rules and parameters.
    pub described: &'static Described,
    /// The version of its rules. It goes up whenever a value could change, and proofs of the version before are refused.
    pub rules: u32,
    open: fn(Params) -> Box<dyn AnyGame>,
}

/// Every game, one line a game, in the order in which they are listed to people.
pub static GAMES: &[Entry] = &[
    Entry { described: &LOA, rules: 1, open: open_loa },
    Entry { described: &AWARI, rules: 1, open: |params| start(params, Awari::start) },
    Entry { described: &MINISHOGI, rules: 1, open: |params| start(params, MiniShogi::start) },
    Entry { described: &GOMOKU, rules: 1, open: |params| start(params, InARow::gomoku) },
    Entry { described: &KNIGHTTHROUGH, rules: 1, open: |params| start(params, Through::knightthrough) },
    Entry { described: &TICTACTOE, rules: 1, open: |params| start(params, InARow::tictactoe) },
    Entry { described: &MNK, rules: 1, open: |params| start(params, InARow::mnk) },
    Entry { described: &CONNECT4, rules: 1, open: |params| start(params, Connect4::start) },
    Entry { described: &BREAKTHROUGH, rules: 1, open: |params| start(params, Through::breakthrough) },
    Entry { described: &HEX, rules: 1, open: |params| start(params, Hex::start) },
    Entry { described: &OTHELLO, rules: 1, open: |params| start(params, Othello::start) },
    Entry { described: &DOMINEERING, rules: 1, open: |params| start(params, Domineering::start) },
    Entry { described: &CLOBBER, rules: 1, open: |params| start(params, Clobber::start) },
];

/// A 9x9 board needs the wider word.
fn open_loa(params: Params) -> Box<dyn AnyGame> {
    if params.whole("size") > 8 { start(params, Loa::<u128>::start) } else { start(params, Loa::<u64>::start) }
}

fn start<G: Game>(params: Params, start: fn(&Params) -> G) -> Box<dyn AnyGame> {
    let state = start(&params);
    erase(params, state)
}

impl Entry {
    /// The start position with default parameters.
    pub fn open_default(&self) -> Box<dyn AnyGame> {
        (self.open)(Params::defaults(self.described))
    }
}

/// Every game of the list.
pub fn entries() -> impl Iterator<Item = &'static Entry> {
    GAMES.iter()
}

/// The start position of a game by name and parameters, for example `breakthrough(size=5x6)`.
pub fn open(text: &str) -> Result<Box<dyn AnyGame>, TextError> {
    let spec = Spec::parse(text)?;
    let entry = entries()
        .find(|entry| entry.described.name == spec.name)
        .ok_or_else(|| unknown_name("game", &spec.name, entries().map(|entry| entry.described.name)))?;
    Ok((entry.open)(Params::resolve(entry.described, &spec)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_game_opens_under_its_own_name_with_valid_defaults() {
        for entry in entries() {
            let described = entry.described;
            let game = open(described.name).unwrap_or_else(|error| panic!("{}: {error}", described.name));
            assert_eq!(game.name(), described.name, "the defaults print as the bare name");
            assert_eq!(game.key(), entry.open_default().key());
            assert!(game.outcome().is_none() && !game.legal_moves().is_empty());
            assert!(described.summary.ends_with('.') && described.summary.len() <= 160, "{}", described.summary);
            for parameter in described.parameters {
                let spelled = format!("{}({}={})", described.name, parameter.name, parameter.default);
                let opened = open(&spelled).unwrap_or_else(|error| panic!("{spelled}: {error}"));
                assert_eq!(opened.name(), described.name, "a default written out prints as nothing");
            }
        }
    }

    #[test]
    fn names_are_unique() {
        let mut names: Vec<&str> = entries().map(|entry| entry.described.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), GAMES.len());
    }

    #[test]
    fn names_with_parameters_print_back_in_their_shortest_form() {
        let game = open(" knightthrough ( moves = forward , size = 5x6 ) ").expect("a game");
        assert_eq!(game.name(), "knightthrough(size=5x6)");
        assert_eq!(open(&game.name()).expect("the same game").key(), game.key());
    }

    #[test]
    fn what_is_not_a_game_is_refused_with_what_would_be() {
        for (text, part) in [
            ("nightthrough", "did you mean knightthrough?"),
            ("chess", "unknown game \"chess\"; known: "),
            ("breakthrough(size=9)", "size is WxH from 2x4 to 8x8 (default 8)"),
            ("breakthrough(width=5)", "no parameter \"width\"; its parameters are size"),
            ("breakthrough(", "closing parenthesis"),
            ("", "letters, digits"),
        ] {
            let error = open(text).expect_err(text).to_string();
            assert!(error.contains(part) && !error.contains('\n'), "{text}: {error}");
        }
        assert!(open(&"x".repeat(10_000_000)).expect_err("too long").to_string().len() < 200);
    }
}

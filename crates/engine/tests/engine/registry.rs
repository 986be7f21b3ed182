//! Games by name, and names that are refused.

use plyproof_core::TreeGame;
use plyproof_engine::{Described, GameEntry, Registry, RulesId};

use crate::open;

#[test]
fn every_listed_game_opens_under_its_own_name_with_valid_defaults() {
    for entry in Registry::builtin().entries() {
        let described = entry.described();
        let game = open(&described.name).unwrap_or_else(|error| panic!("{}: {error}", described.name));
        assert_eq!(game.name(), described.name, "the defaults print as the bare name");
        assert_eq!(game.key(), entry.open_default().expect("the default parameters").key());
        assert!(game.outcome().is_none() && !game.legal_moves().is_empty());
        described.check().expect("the grammar can express it");
        assert!(described.summary.ends_with('.') && described.summary.len() <= 160, "{}", described.summary);
        for parameter in &described.parameters {
            let spelled = format!("{}({}={})", described.name, parameter.name, parameter.default);
            let opened = open(&spelled).unwrap_or_else(|error| panic!("{spelled}: {error}"));
            assert_eq!(opened.name(), described.name, "a default written out prints as nothing");
        }
    }
}

#[test]
fn a_game_can_be_added_under_a_new_name_only() {
    let mut registry = Registry::builtin();
    let games = registry.entries().count();
    let entry = GameEntry::new(Described::new("own", "Own", "A game of one's own."), 7, |_| {
        TreeGame::parse("1[2[+ -] =]").expect("a tree")
    });
    registry.add(entry.clone()).expect("a new name");
    assert_eq!(registry.entries().count(), games + 1);
    let opened = registry.open("own").expect("the added game");
    assert_eq!((opened.legal_moves().len(), opened.rules()), (2, &RulesId::Version(7)));
    let error = registry.add(entry).expect_err("the name is taken").to_string();
    assert_eq!(error, "there is a game \"own\" already; choose another name");
    assert!(Registry::builtin().open("own").is_err(), "other registries do not know the added game");
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

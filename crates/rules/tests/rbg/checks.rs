//! What a check says of games that are wrong in one way each.

use plyproof_rules::check::{About, Limits, Report, check};
use plyproof_rules::rbg::{format, load};
use plyproof_rules::{Language, excerpt};

use super::own;

fn checked(rules: &str) -> Report {
    let text = format!(
        "// A game\n#players = a(100), b(100)\n#pieces = e, x, o\n#variables = n(9)\n\
         #board = rectangle(up, down, left, right, [e, e, e] [e, e, e] [e, e, x])\n\
         #any = (up* + down*)(left* + right*)\n{rules}\n"
    );
    let limits = Limits { plies: 100, positions: 5000, ..Limits::default() };
    check(Language::Rbg, &text, &[], &limits).unwrap_or_else(|error| panic!("{error}: {:?}", excerpt(&text, &error)))
}

#[track_caller]
fn warned(rules: &str, about: About, says: &str) {
    let warnings = checked(rules).warnings;
    assert!(warnings.iter().any(|one| one.about == about && one.message.contains(says)), "{says}: {warnings:#?}");
}

#[test]
fn what_designers_get_wrong_is_said() {
    warned("#rules = (->a any {e} [x] ->b any {e} [o])*", About::Play, "random games was won: are the scores set");
    warned("#rules = (->a any {e} [x] [$ a = 100, b = n] ->>)*", About::Play, "b never moves, a makes all moves");
    warned("#rules = ->a any {e} [x] [$ a = 100] ->b any {e} [o] ->>", About::Play, "a, who moves first, won all 200");
    warned("#rules = ->a any {e} [x] [$ b = 100] ->b any {e} [o] ->>", About::Play, "a won none of 200");
    warned("#rules = (->a any {e} [o] ->b any {o} [e])*", About::Play, "were not over after 100 moves");
    warned("#rules = {o} ->a any {e} [x] ->>", About::Play, "over before its first move");
    warned("#rules = ->a any {e} [x] any {e} [x] ->>", About::Play, "lead where another one leads");
    warned(
        "#rules = ->a up* down* ([$ n = 1] + [$ n = 2]) left* ->b up* ([$ n = 3] + [$ n = 4]) ->>",
        About::Play,
        "by a number alone",
    );
    warned("#rules = ->a any {e} ([x] [$ a = 100] + [o] [$ b = 50]) ->>", About::Play, "do not always add up");
    warned("#rules = ->a any {e} [x] ->>", About::Play, "no random game has more than 1 moves");
    let narrow =
        "#rules = (->a left* up* {! up} {! left} ([$ n = n + 1]) ->b left* up* {! up} {! left} ([$ n = n + 1]))*";
    warned(narrow, About::Play, "never more than one legal move");
}

#[test]
fn names_that_nothing_uses_are_said() {
    let rules = "#spare = up\n#spare2(d) = d\n#rules = (->a any {e} [x] [$ a = 100] ->>)*";
    for says in [
        "the macro spare is never used",
        "the macro spare2 with 1 parameters is never used",
        "the piece o never comes to the board",
        "the variable n is never used",
        "the score of b is never set",
    ] {
        warned(rules, About::Text, says);
    }
    let used = checked("#rules = (->a any {e} [o] [$ a = n] ->b any {x} [e] [$ b = 1])*");
    assert!(!used.warnings.iter().any(|one| one.about == About::Text), "{:#?}", used.warnings);
}

#[test]
fn a_sound_game_gets_no_warning_about_its_play() {
    for name in ["three-in-a-row.rbg", "pawns.rbg", "drop.rbg", "hexagon.rbg"] {
        let report = check(Language::Rbg, &own(name), &[], &Limits::default()).expect(name);
        let said: Vec<_> = report.warnings.iter().filter(|one| one.about != About::Speed).collect();
        assert!(said.is_empty(), "{name}: {said:#?}");
        assert!(report.violation.is_none() && report.contract.is_some_and(|positions| positions > 20), "{report:?}");
        assert!(report.games.played == 200 && report.perft.len() == 3, "{name}: {report:?}");
        let again = check(Language::Rbg, &own(name), &[], &Limits::default()).expect(name);
        assert_eq!(format!("{report:?}"), format!("{again:?}"), "one seed, one report");
    }
}

#[test]
fn the_layout_of_files_of_others_changes_nothing() {
    let Some(data) = std::env::var_os("PLYPROOF_RULES_DATA") else { return };
    for path in super::files(&std::path::Path::new(&data).join("rbg")) {
        let text = std::fs::read_to_string(&path).expect("a rules file");
        let found = format(&text).expect("a layout");
        assert_eq!(format(&found).as_deref(), Ok(found.as_str()), "{}", path.display());
        if text.len() < 5000 {
            let expanded = |text: &str| load(text, &[]).ok().map(|rules| rules.expanded());
            assert_eq!(expanded(&found), expanded(&text), "{}", path.display());
        }
    }
}

//! What is refused, and in what words.

use std::cell::Cell;
use std::io::{self, Cursor};
use std::sync::atomic::AtomicBool;

use plyproof_core::Player;
use plyproof_verify::{Claim, Fault, Header, Settings, VerifyError, verify};

use crate::graph_game::GraphGame;
use crate::oracle::{Entries, certificate, checked, header, written};

const FIRST: Player = Player::FIRST;

fn entries(lines: &[(&str, &str)]) -> Entries {
    lines.iter().map(|&(position, played)| (position.to_string(), played.to_string())).collect()
}

/// What is said of these entries; `fine` if nothing.
fn said(game: &GraphGame, player: Player, goal: Claim, lines: &[(&str, &str)]) -> String {
    match checked("test", game, &certificate("test", game, player, goal, &entries(lines))) {
        Ok(_) => "fine".to_string(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_circle_that_supports_itself_is_no_win_but_a_draw() {
    // 0 -> 1 -> 2 -> 3 -> 0: the first player moves in 0 and 2, and could win nowhere.
    let game = GraphGame::parse("1:1 2:2 1:3 2:0");
    let circle = [("n0", "to1"), ("n2", "to3")];
    let why = said(&game, FIRST, Claim::Win, &circle);
    assert_eq!(why, "line 2, position n0: after to1, the reply to2 leads to n2, which is not proven above");
    assert!(said(&game, FIRST, Claim::Margin(-5), &circle).contains("not proven above"));
    assert_eq!(said(&game, FIRST, Claim::Draw, &circle), "fine");
    // A position that comes back to itself at once.
    let alone = GraphGame::parse("1:0,1 -");
    let why = said(&alone, FIRST, Claim::Win, &[("n0", "to0")]);
    assert_eq!(why, "line 2, position n0: the move to0 leads to n0, which is not proven above");
    assert_eq!(said(&alone, FIRST, Claim::Draw, &[("n0", "to0")]), "fine");
}

#[test]
fn an_opponent_who_can_go_round_alone_is_not_beaten() {
    let game = GraphGame::parse("1:1 2:2,3 2:1,3 +");
    let why = said(&game, FIRST, Claim::Win, &[("n0", "to1")]);
    assert_eq!(
        why,
        "line 2, position n0: after to1, the replies to2 to1 lead back to n1, so that the game need not end"
    );
    assert_eq!(said(&game, FIRST, Claim::Draw, &[("n0", "to1")]), "fine");
    let itself = GraphGame::parse("1:1 2:1,2 +");
    assert!(said(&itself, FIRST, Claim::Win, &[("n0", "to1")]).contains("the reply to1 leads back to n1"));
    // From the start, before the prover has a say.
    let start = GraphGame::parse("2:0,1 +");
    assert!(said(&start, FIRST, Claim::Win, &[]).contains("the reply to0 leads back to n0"));
    assert_eq!(said(&start, FIRST, Claim::Draw, &[]), "fine");
}

#[test]
fn several_moves_in_a_row_are_followed_to_their_ends() {
    // The opponent moves twice or three times, by ways that meet again; the prover moves twice in 0 and 5.
    let game = GraphGame::parse("1:5 2:2,3 2:4 2:4 2:6,7 1:1 + 1:6");
    let lines = [("n7", "to6"), ("n5", "to1"), ("n0", "to5")];
    assert_eq!(said(&game, FIRST, Claim::Win, &lines), "fine");
    let why = said(&game, FIRST, Claim::Win, &lines[1..]);
    assert_eq!(why, "line 2, position n5: after to1, the replies to2 to4 to7 lead to n7, which is not proven above");
    let why = said(&game, FIRST, Claim::Draw, &lines[1..]);
    assert!(why.ends_with("lead to n7, which is not in the certificate"), "{why}");
    let lost = GraphGame::parse("1:1 2:2 2:3 -");
    let why = said(&lost, FIRST, Claim::Win, &[("n0", "to1")]);
    assert!(why.ends_with("the replies to2 to3 lead to n3, where the game is over (player 2 wins) without the goal"));
}

#[test]
fn a_long_row_of_opponent_moves_needs_no_deep_stack_and_no_endless_time() {
    // A ladder: two ways at every step, which meet again. There are 2^120 lines.
    let mut text = "1:1".to_string();
    for step in 0..120 {
        let at = 1 + 2 * step;
        let next = format!("{},{}", at + 2, at + 3);
        text += &if step == 119 { " + +".to_string() } else { format!(" 2:{next} 2:{next}") };
    }
    let game = GraphGame::parse(&text);
    assert_eq!(said(&game, FIRST, Claim::Win, &[("n0", "to1")]), "fine");
    assert_eq!(said(&game, FIRST, Claim::Draw, &[("n0", "to1")]), "fine");
    let bytes = certificate("test", &game, FIRST, Claim::Win, &entries(&[("n0", "to1")]));
    let header = header("test", &game, FIRST, Claim::Win, &entries(&[("n0", "to1")]));
    let mut settings = Settings { memory: 10_000, ..Settings::new("test", 1) };
    let error = verify(&game, &header, &mut || Ok(Box::new(Cursor::new(bytes.clone())) as _), &mut settings);
    assert!(matches!(error, Err(VerifyError::Memory { line: 2, limit: 10_000 })), "{error:?}");
}

#[test]
fn a_finished_start_needs_no_entries() {
    let game = GraphGame::parse("1:1,2 + -");
    assert_eq!(said(&game.at(1), FIRST, Claim::Win, &[]), "fine");
    assert_eq!(said(&game.at(1), FIRST, Claim::Win, &[("n0", "to1")]), "fine");
    let why = said(&game.at(2), FIRST, Claim::Draw, &[]);
    assert_eq!(
        why,
        "line 1, position n2: the claim comes down to n2, where the game is over (player 2 wins) without the goal"
    );
    assert_eq!(said(&game.at(2), Player::SECOND, Claim::Win, &[]), "fine");
    assert!(said(&game.at(1), FIRST, Claim::Margin(-9), &[]).contains("without the goal"), "a win without points");
}

#[test]
fn a_start_that_is_not_covered_is_refused() {
    let game = GraphGame::parse("1:1 2:2,3 1:4 1:4 +");
    let why = said(&game, FIRST, Claim::Win, &[("n2", "to4"), ("n3", "to4")]);
    assert_eq!(why, "line 1, position n0: the claim comes down to n0, which is not in the certificate");
    let opponent = game.at(1);
    assert_eq!(said(&opponent, FIRST, Claim::Win, &[("n2", "to4"), ("n3", "to4")]), "fine");
    let why = said(&opponent, FIRST, Claim::Win, &[("n2", "to4")]);
    assert_eq!(why, "line 1, position n1: the reply to3 leads to n3, which is not in the certificate");
    assert!(said(&game, FIRST, Claim::Draw, &[]).contains("not in the certificate"));
}

#[test]
fn entries_that_are_not_what_they_should_be_are_refused_by_line() {
    let game = GraphGame::parse("1:1,2 2:2,3 + -");
    for (line, part) in [
        (("n0", "to3"), "line 2, position n0: \"to3\" is not a legal move here; legal: to1 to2"),
        (("n0", "to02"), "\"to02\" is not a legal move here"),
        (("n0", "2"), "\"2\" is not a legal move here"),
        (("n0", ""), "\"\" is not a legal move here"),
        (("n1", "to2"), "line 2, position n1: the player of the claim is not to move"),
        (("n2", "to2"), "line 2, position n2: the player of the claim is not to move"),
        (("n00", "to2"), "line 2: \"n00\" must be written n0"),
        (("n9", "to2"), "line 2: \"n9\" is not a node"),
        (("", "to2"), "line 2: \"\" is not a node"),
    ] {
        for goal in [Claim::Win, Claim::Draw] {
            let why = said(&game, FIRST, goal, &[line]);
            assert!(why.contains(part), "{line:?}: {why}");
        }
    }
    for goal in [Claim::Win, Claim::Draw] {
        assert_eq!(said(&game, FIRST, goal, &[("n0", "to2")]), "fine");
        let why = said(&game, FIRST, goal, &[("n0", "to2"), ("n0", "to2")]);
        assert_eq!(why, "line 3: the position is in the certificate already");
        let tabless = written(&header("test", &game, FIRST, goal, &entries(&[("", "")])), &Entries::new());
        let why = checked("test", &game, &[&tabless[..], b"n0 to2\n"].concat()).expect_err("no tab").to_string();
        assert_eq!(why, "line 2: \"n0 to2\" is not a position, a tab and a move");
    }
}

#[test]
fn the_header_must_fit_the_game_the_rules_and_the_number_of_entries() {
    let game = GraphGame::parse("1:1 +");
    let lines = entries(&[("n0", "to1")]);
    let right = header("test", &game, FIRST, Claim::Win, &lines);
    for (wrong, part) in [
        (Header { game: "toast".to_string(), ..right.clone() }, "about the game \"toast\", not test"),
        (Header { rules: 2.into(), ..right.clone() }, "version 2 of the rules of test, not version 1"),
        (Header { position: "n00".to_string(), ..right.clone() }, "line 1: \"n00\" must be written n0"),
        (Header { position: "x".to_string(), ..right.clone() }, "line 1: \"x\" is not a node"),
        (Header { entries: 0, ..right.clone() }, "line 2: there are more entries than the 0 of the header"),
        (Header { entries: 7, ..right.clone() }, "line 3: it ends after 1 of 7 entries"),
        (Header { entries: u64::MAX, ..right.clone() }, "it ends after 1 of 18446744073709551615 entries"),
    ] {
        let why = checked("test", &game, &written(&wrong, &lines)).expect_err(part).to_string();
        assert!(why.contains(part), "{why}");
    }
    assert!(checked("test", &game, &written(&right, &lines)).is_ok());
    assert!(checked("test", &game, b"").expect_err("empty").to_string().contains("not even a header"));
}

#[test]
fn the_first_bad_node_is_named() {
    let game = GraphGame::parse("1:1 2:2,3 1:4 1:4 -");
    let error = checked("test", &game, &certificate("test", &game, FIRST, Claim::Win, &entries(&[("n2", "to4")])));
    let Err(VerifyError::Refused(Fault { line, position, what })) = error else { panic!("{error:?}") };
    assert_eq!((line, position.as_deref()), (2, Some("n2")));
    assert_eq!(what, "the move to4 leads to n4, where the game is over (player 2 wins) without the goal");
}

/// A certificate that is another one each time it is opened.
fn changing(game: &GraphGame, header: &Header, contents: &[Vec<u8>]) -> String {
    let turn = Cell::new(0);
    let mut open = || {
        let bytes = contents[turn.replace(turn.get() + 1).min(contents.len() - 1)].clone();
        Ok(Box::new(Cursor::new(bytes)) as _)
    };
    verify(game, header, &mut open, &mut Settings::new("test", 1)).expect_err("a changing certificate").to_string()
}

#[test]
fn a_certificate_that_changes_between_the_passes_is_refused() {
    // A draw by never going to 2, which is listed in the first pass and not in the second.
    let game = GraphGame::parse("1:1 2:0,2 1:3 -");
    let lists = [entries(&[("n0", "to1"), ("n2", "to3")]), entries(&[("n0", "to1"), ("n0", "to1")])];
    let header = header("test", &game, FIRST, Claim::Draw, &lists[0]);
    let contents = lists.map(|list| written(&header, &list));
    assert!(changing(&game, &header, &contents).contains("line 3: the certificate was changed"));
    let other = Header { player: Player::SECOND, ..header.clone() };
    let contents = [contents[0].clone(), written(&other, &entries(&[]))];
    assert!(changing(&game, &header, &contents).contains("line 1: the certificate was changed"));
}

#[test]
fn sources_that_fail_and_flags_that_are_raised_end_it() {
    let game = GraphGame::parse("1:1 +");
    let lines = entries(&[("n0", "to1")]);
    let header = header("test", &game, FIRST, Claim::Win, &lines);
    let gone = verify(&game, &header, &mut || Err(io::Error::other("gone")), &mut Settings::new("test", 1));
    assert_eq!(gone.expect_err("no source").to_string(), "line 1: gone");
    let bytes = written(&header, &lines);
    let stop = AtomicBool::new(true);
    let mut settings = Settings { stop: &stop, ..Settings::new("test", 1) };
    let stopped = verify(&game, &header, &mut || Ok(Box::new(Cursor::new(bytes.clone())) as _), &mut settings);
    assert!(matches!(stopped, Err(VerifyError::Stopped)));
    let mut tight = Settings { memory: 100, ..Settings::new("test", 1) };
    let full = verify(&game, &header, &mut || Ok(Box::new(Cursor::new(bytes.clone())) as _), &mut tight);
    let why = full.expect_err("no memory").to_string();
    assert_eq!(why, "line 2: checking this certificate takes more than the 100 bytes of memory allowed");
}

#[test]
fn progress_counts_both_passes_of_a_draw() {
    // Trees of one move and one more, and so on: unrelated positions of one game.
    let game = plyproof_core::TreeGame::parse("1[=]").expect("a tree");
    let lists: Entries = (1..=1500).map(|n| (format!("1[{}]", vec!["="; n].join(" ")), "a".to_string())).collect();
    let bytes = certificate("test", &game, FIRST, Claim::Draw, &lists);
    let header = header("test", &game, FIRST, Claim::Draw, &lists);
    let mut seen = Vec::new();
    let mut note = |progress: plyproof_verify::Progress| seen.push((progress.read, progress.expected));
    let mut settings = Settings { progress: Some(&mut note), ..Settings::new("test", 1) };
    let verified = verify(&game, &header, &mut || Ok(Box::new(Cursor::new(bytes.clone())) as _), &mut settings);
    assert_eq!(verified.expect("true").entries, 1500);
    assert_eq!(seen, [(1024, 3000), (2048, 3000)]);
}

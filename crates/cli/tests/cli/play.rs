//! The game in the terminal, driven by a script.

use crate::matches::Folder;
use crate::run::plyproof_with;

/// What a session prints.
#[track_caller]
fn session(arguments: &[&str], input: &str) -> String {
    plyproof_with(&[&["play"], arguments].concat(), input.as_bytes()).fine()
}

#[test]
fn a_game_is_played_to_its_end_and_the_input_may_end_at_any_time() {
    let text = session(&["tictactoe", "--side", "both"], "a1\nb1\na2\nb2\na3\nhint\nquit\n");
    assert!(
        text.starts_with("tictactoe against level 4; you move for both sides; help lists the commands\n"),
        "{text}"
    );
    assert!(text.contains("\n5. player 1> a3\n") && text.contains("\nthe game is over: player 1 wins\n"), "{text}");
    assert!(text.contains("the game is over; undo, new and load go on"), "{text}");
    assert!(!text.contains('\u{1b}'), "no colours in a pipe");
    for input in ["", "a1", "a1\nhelp\n", "\n\n"] {
        assert!(session(&["tictactoe", "--level", "1"], input).ends_with("> \n"), "{input:?}");
    }
}

#[test]
fn the_program_answers_and_undo_takes_both_moves_back() {
    let text = session(&["connect4", "--level", "2"], "d\nundo\nd\nundo 1\ngo\nposition\n");
    assert_eq!(text.matches("2. player 2 plays ").count(), 3, "{text}");
    assert_eq!(text.matches("1. player 1> ").count(), 2, "{text}");
    let second = session(&["connect4", "--side", "second", "--against", "mcts", "--sims", "20"], "quit\n");
    assert!(second.contains("\n1. player 1 plays ") && second.ends_with("2. player 2> quit\n"), "{second}");
    assert_eq!(second, session(&["connect4", "--side", "second", "--against", "mcts", "--sims", "20"], "quit\n"));
}

#[test]
fn what_is_mistyped_is_told_and_the_game_goes_on() {
    let input =
        "z9\nb\nc4\nundo\nundo\nsave\nload no/such/file\nlevel 99\nside third\nsave no/such/folder/x.games\nmoves\n";
    let text = session(&["breakthrough(size=4x5)", "--side", "both"], input);
    for part in [
        "\"z9\" is neither a command nor the beginning of a legal move; help lists the commands, ? the moves",
        "\n3 legal moves\n  b2b3 b2a3 b2c3\n",
        "there is no move to take back",
        "save needs the name of a file",
        "no/such/file: ",
        "a level is a number from 1 to 10",
        "a side is first, second or both",
        "cannot write no/such/folder/x.games: ",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let undone = session(&["tictactoe", "--side", "both"], "undo\nundo 5\n");
    assert!(undone.contains("there is no move to take back"), "{undone}");
}

#[test]
fn the_beginning_of_a_move_is_enough_if_only_one_move_begins_so() {
    let text = session(&["breakthrough(size=2x4)", "--side", "both"], "a2\nb\n");
    assert!(text.contains("1. player 1> a2\n\n 4 o o\n 3 o x\n"), "{text}");
    assert!(text.contains("\"b\" is neither a command"), "{text}");
}

#[test]
fn a_game_is_saved_and_loaded_with_its_result() {
    let folder = Folder::new("cli-play-saved");
    let [games, sgf] = ["a.games", "a.sgf"].map(|name| folder.file(name));
    let saved = session(
        &["hex(size=3)", "--side", "both"],
        &format!("b2\na1\nsave {games}\nsave {sgf}\nresign\nsave {games}2\n"),
    );
    assert!(
        saved.contains(&format!("saved {games}\n")) && saved.contains("the game is over: player 2 wins"),
        "{saved}"
    );
    let text = std::fs::read_to_string(&games).expect("a file");
    assert!(text.contains("[Result \"*\"]\n\n1. b2 a1 *\n"), "{text}");
    let resigned = std::fs::read_to_string(format!("{games}2")).expect("a file");
    assert!(resigned.contains("[Reason \"resignation\"]\n[Result \"0-1\"]\n"), "{resigned}");
    for file in [&games, &sgf] {
        let loaded = session(&["hex(size=3)", "--side", "both", "--load", file], "position\nundo\nposition\n");
        assert!(loaded.contains("hex(size=3), 2 plies, *; go lets the program move"), "{loaded}");
        assert!(loaded.contains("3. player 1> position\no../.x./... x\n"), "{loaded}");
        assert!(loaded.contains("2. player 2> position\n.../.x./... o\n"), "{loaded}");
    }
}

#[test]
fn hints_and_analyses_say_what_is_proven_and_what_a_move_cost() {
    let sims: &[&str] = &["tictactoe", "--side", "both", "--sims", "500"];
    let text = session(sims, "analyse\na1\nb1\nanalyse\nhint\n");
    assert!(text.contains("there is no move yet; hint looks at the position"), "{text}");
    assert!(text.contains("2. b1?? of player 2: value -1.00, a proven loss, 1.00 less than the best move\n"), "{text}");
    assert!(text.contains("it gave away a proven draw\nbest was b2 (+0.00)\n"), "{text}");
    assert!(text.contains(", a proven win for the player to move\n"), "{text}");
}

#[test]
fn boards_are_coloured_on_request_alone() {
    let colored = session(&["tictactoe", "--side", "both", "--color", "always"], "a1\n");
    assert!(colored.contains("\u{1b}[33m\u{1b}[7mx\u{1b}[0m"), "{colored:?}");
    assert!(!session(&["tictactoe", "--side", "both", "--color", "never"], "a1\n").contains('\u{1b}'));
}

//! Evaluations from the training to the game, and files that are not what they should be.

use std::fs;
use std::thread::sleep;
use std::time::Duration;

use crate::matches::Folder;
use crate::run::{command, garbage, plyproof};

/// A quick training of tic-tac-toe.
fn train(out: &str, more: &[&str]) -> crate::run::Ran {
    let all = ["train", "tictactoe", "--games", "400", "--hidden", "16", "--quiet", "--out", out];
    plyproof(&[&all[..], more].concat())
}

#[test]
fn the_same_seed_trains_the_same_evaluation_with_any_number_of_threads() {
    let folder = Folder::new("cli-learning-threads");
    let [one, two, other] = ["one.eval", "two.eval", "other.eval"].map(|name| folder.file(name));
    assert!(train(&one, &["--threads", "1"]).fine().contains("an evaluation for tictactoe"));
    train(&two, &["--threads", "2"]).fine();
    train(&other, &["--seed", "2"]).fine();
    let read = |path: &str| fs::read(path).expect("an evaluation");
    assert_eq!(read(&one), read(&two));
    assert_ne!(read(&one), read(&other));
    assert!(!fs::exists(one + ".state").expect("a readable folder"), "what is complete leaves no state behind");
}

#[test]
fn a_training_that_was_killed_goes_on() {
    let folder = Folder::new("cli-learning-killed");
    let out = folder.file("killed.eval");
    let arguments = ["train", "connect4(width=4,height=4)", "--games", "1000000", "--hidden", "16", "--out", &out];
    let mut child = command(&arguments).spawn().expect("a process");
    let state = out.clone() + ".state";
    while !fs::exists(&state).expect("a readable folder") {
        sleep(Duration::from_millis(5));
    }
    child.kill().expect("a process to kill");
    child.wait().expect("a process that has ended");
    // Under other settings it is another training.
    let other = ["train", "connect4(width=4,height=4)", "--games", "9", "--hidden", "32", "--out", &out];
    plyproof(&other).refused(1, "it is the state of another training");
    let games = ["train", "connect4(width=4,height=4)", "--games", "9", "--hidden", "16", "--out", &out];
    let run = plyproof(&games);
    assert!(run.code == Some(0) && run.err.contains("goes on after"), "{}", run.err);
    fs::write(&state, garbage()).expect("a writable folder");
    plyproof(&games).refused(1, ".state: it is not the state of a training");
}

#[test]
fn files_that_are_no_evaluation_or_one_for_another_game_are_refused_by_name() {
    let folder = Folder::new("cli-learning-files");
    let [good, bad] = ["good.eval", "bad.eval"].map(|name| folder.file(name));
    train(&good, &[]).fine();
    assert!(plyproof(&["eval", &good]).fine().contains("learned from "));
    let agent = |file: &str| format!("plyproof(eval={file})");
    plyproof(&["search", "tictactoe", "--agent", &agent(&good), "--sims", "50"]).fine();
    let other = ["search", "connect4", "--agent", &agent(&good), "--sims", "50"];
    plyproof(&other).refused(1, "good.eval: it is an evaluation for \"tictactoe\", not for connect4");
    let bytes = fs::read(&good).expect("an evaluation");
    let mut flipped = bytes.clone();
    *flipped.last_mut().expect("bytes") ^= 1;
    for (bytes, wrong) in [
        (&bytes[..bytes.len() - 9], "bad.eval: it is cut off"),
        (&flipped, "bad.eval: it is damaged: the checksum does not fit"),
        (&garbage(), "bad.eval: it is not an evaluation"),
    ] {
        fs::write(&bad, bytes).expect("a writable folder");
        plyproof(&["eval", &bad]).refused(1, wrong);
        plyproof(&["search", "tictactoe", "--agent", &agent(&bad), "--sims", "50"]).refused(1, wrong);
    }
    plyproof(&["eval", "hex(size=3)"]).refused(1, "plyproof comes with no evaluation for hex(size=3)");
    plyproof(&["train", "no-such-game"]).refused(2, "unknown game");
    plyproof(&["train", "tictactoe", "--hidden", "17"]).refused(2, "16, 32, … or 256 hidden units");
}

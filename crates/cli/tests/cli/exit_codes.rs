//! The exit codes, as `plyproof --help` and docs/command-line.md promise them.

use crate::run::{TemporaryFile, plyproof, plyproof_with};

const PROOF: &str = include_str!("../../../../docs/tictactoe.cert");

#[test]
fn code_0_means_that_it_is_done() {
    for arguments in [
        &["games"][..],
        &["search", "tictactoe", "--sims", "20"],
        &["solve", "tictactoe", "--memory", "1MB"],
        &["solve", "tictactoe", "--memory", "1MB", "--goal", "win"],
        &["--help"],
        &["search", "--help"],
    ] {
        plyproof(arguments).fine();
    }
}

#[test]
fn code_1_means_that_it_failed_or_that_the_answer_is_no() {
    let changed = PROOF.replacen("\tb2", "\ta2", 1);
    assert_ne!(changed, PROOF);
    let certificate = TemporaryFile::new("exit_codes.cert", changed.as_bytes());
    for arguments in [
        &["solve", "loa", "--nodes", "10", "--memory", "1MB"][..],
        &["solve", "loa", "--time", "0", "--memory", "1MB", "--json"],
        &["verify", certificate.path()],
        &["verify", "no/such/file"],
        &["show", "loa", "--moves", "@no/such/file"],
        &["report", "no/such/file"],
        &["sweep", "no/such/plan.toml"],
        &["match", "tictactoe", "--sims", "5", "--games", "2", "--out", "no/such/folder/record.jsonl"],
    ] {
        plyproof(arguments).refused(1, "");
    }
    let other = br#"{"game":"tictactoe","plies":[{"mover":2,"legal":["a1"],"move":"a1"}],"result":null}"#;
    plyproof_with(&["replay", "-"], other).refused(1, "mismatch");
}

#[test]
fn code_2_means_that_the_command_makes_no_sense() {
    for place in [
        &["chess"][..],
        &["loa(size=99)"],
        &["loa(sise=5)"],
        &["tictactoe", "--position", "what"],
        &["tictactoe", "--moves", "a1 a1"],
        &["tictactoe", "--moves", "z9"],
        &["tictactoe", "--no-such-option"],
    ] {
        for (command, rest) in [("show", &[][..]), ("search", &["--sims", "1"]), ("solve", &[]), ("perft", &["1"])] {
            plyproof(&[&[command], place, rest].concat()).refused(2, "");
        }
    }
    plyproof_with(&["show", "tictactoe", "--position", "-"], b"what").refused(2, "is not a position");
    plyproof(&["search", "tictactoe", "--agent", "mtcs"]).refused(2, "did you mean mcts?");
}

#[cfg(target_os = "linux")]
#[test]
fn code_130_means_that_it_was_interrupted() {
    // The time is there only to end what does not listen.
    let solve = ["solve", "loa", "--time", "20s", "--memory", "64MB", "--json"];
    let run = crate::search::interrupted(&solve);
    assert_eq!((run.code, run.err.as_str()), (Some(130), ""));
    let found: serde_json::Value = serde_json::from_str(&run.out).expect("what is known so far");
    assert_eq!((&found["value"], &found["stopped"]), (&serde_json::Value::Null, &"cancelled".into()));
}

#[test]
fn an_option_that_is_wrong_leads_to_the_help_of_its_command() {
    for (arguments, help) in [
        (&["search", "loa", "--simz", "5"][..], "(plyproof search --help says more)"),
        (&["match", "--games", "many"], "(plyproof match --help says more)"),
        (&["bench", "playouts", "--seconds", "0"], "(plyproof bench playouts --help says more)"),
        (&["bench"], "(plyproof bench --help says more)"),
        (&["serch"], "(plyproof --help says more)"),
    ] {
        plyproof(arguments).refused(2, help);
    }
}

//! `solve` on the command line, and its certificates in the hands of `verify`.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::commands::keys;
use crate::run::plyproof;

/// A path for a test's own file.
fn temporary(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("plyproof-solve-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder for temporary files");
    folder.join(name)
}

#[track_caller]
fn solved(game: &str, arguments: &[&str]) -> Value {
    plyproof(&[&["solve", game, "--memory", "64MB", "--json"], arguments].concat()).json()
}

#[test]
fn solve_json_has_all_that_a_program_needs() {
    let found = solved("loa(size=4)", &[]);
    let expected = [
        "agent",
        "bounds",
        "bytes",
        "certificates",
        "distance",
        "found_by",
        "game",
        "line",
        "nodes",
        "nodes_of",
        "nodes_per_s",
        "numbers",
        "position",
        "score",
        "seconds",
        "stopped",
        "table",
        "value",
    ];
    assert_eq!(keys(&found), expected);
    assert_eq!((&found["value"], &found["stopped"]), (&json!("win"), &json!("proven")));
    assert_eq!(found["line"].as_array().map(Vec::len), Some(3), "the win in three plies");
    assert_eq!(found["numbers"], json!({"pn": 0, "dpn": "inf"}));
}

#[test]
fn every_solver_finds_the_same_value() {
    for agent in ["df-pn", "alpha-beta", "pns", "pn2", "pn-mcts(pn=1e6)", "minimax"] {
        for (game, value) in [("tictactoe", "draw"), ("hex(size=3)", "win"), ("breakthrough(size=3x4)", "loss")] {
            assert_eq!(solved(game, &["--agent", agent])["value"], value, "{agent} on {game}");
        }
    }
    let moves = solved("hex(size=3)", &["--all-moves"])["moves"].clone();
    let wins = moves.as_array().into_iter().flatten().filter(|m| m["value"] == "win").count();
    assert_eq!(wins, 5);
}

#[test]
fn certificates_are_written_and_hold() {
    for (name, game, goal) in [("a.cert", "loa(size=4)", "win"), ("b.cert.gz", "tictactoe", "value")] {
        let path = temporary(name);
        let file = path.to_str().expect("a path in UTF-8");
        let text = plyproof(&["solve", game, "--goal", goal, "--memory", "64MB", "--certificate", file]).fine();
        assert!(text.contains(&format!("plyproof verify {file}")), "{text}");
        let checked = plyproof(&["verify", file]).fine();
        assert!(checked.contains(game), "{checked}");
    }
    let second = temporary("b-2.cert.gz");
    let text = plyproof(&["verify", second.to_str().expect("a path in UTF-8")]).fine();
    assert!(text.contains("second player"), "{text}");
}

/// The JSON of a question that stays open: exit code 1 and a line that says so.
#[track_caller]
fn unsolved(game: &str, arguments: &[&str], open: &str) -> Value {
    let run = plyproof(&[&["solve", game, "--memory", "64MB", "--json"], arguments].concat());
    run.refused(1, open);
    serde_json::from_str(&run.out).expect("JSON")
}

#[test]
fn a_budget_that_is_too_small_leaves_the_value_unknown() {
    let open = "the value is unknown: the limit of positions was reached";
    let found = unsolved("loa(size=5)", &["--nodes", "100"], open);
    assert_eq!((&found["value"], &found["stopped"]), (&Value::Null, &json!("simulations")));
    let searched = plyproof(&["search", "loa(size=5)", "--sims", "100", "--agent", "df-pn", "--json"]).json();
    assert_eq!((&searched["value"], &searched["bounds"]), (&found["value"], &found["bounds"]));
    let path = temporary("none.cert");
    let file = path.to_str().expect("a path in UTF-8");
    let run = plyproof(&["solve", "loa(size=5)", "--nodes", "100", "--certificate", file]);
    run.refused(1, open);
    let text = run.out;
    assert!(text.contains("value   unknown") && !path.exists(), "{text}");
    assert!(text.contains("stopped: the limit of positions was reached\n"), "{text}");
    assert!(text.contains(&format!("no certificate was written to {file}: nothing is proven")), "{text}");
    let stopped = unsolved("loa(size=5)", &["--nodes", "100", "--agent", "minimax"], open);
    assert_eq!((&stopped["stopped"], &stopped["nodes"]), (&json!("simulations"), &json!(100)));
}

#[test]
fn a_question_is_answered_or_the_exit_code_says_that_it_is_not() {
    let no_win = solved("tictactoe", &["--goal", "win"]);
    assert_eq!((&no_win["value"], &no_win["bounds"]), (&Value::Null, &json!({"least": "loss", "most": "draw"})));
    let no_loss = solved("tictactoe", &["--goal", "draw"]);
    assert_eq!(no_loss["bounds"], json!({"least": "draw", "most": "win"}));
    let few = ["--nodes", "50"];
    unsolved("loa(size=5)", &[&few[..], &["--goal", "win"]].concat(), "whether it is a win is unknown");
    unsolved("loa(size=5)", &[&few[..], &["--goal", "draw"]].concat(), "whether it is a draw at least is unknown");
    unsolved("loa(size=5)", &[&few[..], &["--goal", "score"]].concat(), "the value is unknown");
    // The win in one move is proven at once; for the values of all other moves one node is too few.
    let won = ["--moves", "a1 b1 a2 b2", "--all-moves", "--nodes", "1"];
    let found = unsolved("tictactoe", &won, "1 move is not valued within the limits");
    assert_eq!(found["value"], "win");
}

#[cfg(unix)]
#[test]
fn a_certificate_goes_where_a_link_leads_and_replaces_nothing_but_files() {
    let (real, link) = (temporary("real.cert"), temporary("link.cert"));
    let _ = fs::remove_file(&link);
    fs::write(&real, "old").expect("a writable folder");
    std::os::unix::fs::symlink(&real, &link).expect("a link");
    let file = link.to_str().expect("a path in UTF-8");
    plyproof(&["solve", "tictactoe", "--goal", "draw", "--memory", "64MB", "--certificate", file]).fine();
    assert!(link.is_symlink());
    plyproof(&["verify", real.to_str().expect("a path in UTF-8")]).fine();
    let socket = temporary("socket.cert");
    let _ = fs::remove_file(&socket);
    let _listening = std::os::unix::net::UnixListener::bind(&socket).expect("a socket");
    let file = socket.to_str().expect("a path in UTF-8");
    plyproof(&["solve", "tictactoe", "--certificate", file]).refused(1, "it is not a regular file");
    plyproof(&["table", "loa(size=3)", "--out", file]).refused(1, "it is not a regular file");
    assert!(!fs::metadata(&socket).expect("still there").is_file());
}

#[test]
fn what_cannot_be_solved_is_refused_in_one_line() {
    plyproof(&["solve", "loa", "--agent", "mcts"]).refused(2, "proves nothing");
    plyproof(&["solve", "tictactoe", "--certificate", "/nowhere/at/all.cert"]).refused(1, "/nowhere/at/all.cert");
    let over = solved("tictactoe", &["--moves", "a1 a2 b1 b2 c1"]);
    assert_eq!((&over["value"], &over["stopped"]), (&json!("loss"), &json!("game over")));
}

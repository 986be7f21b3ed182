//! Engines in both roles: matches against programs by others, good ones and bad ones, and our own engine behind every
//! protocol.

use std::path::Path;

use serde_json::Value;

use crate::run::{TemporaryFile, plyproof, plyproof_in, plyproof_with};

const BINARY: &str = env!("CARGO_BIN_EXE_plyproof");

/// Our own engine as a program by others. However busy the machine is, it has the time that it needs.
fn ours(protocol: &str, options: &str) -> String {
    format!("engine(cmd='{BINARY} engine --memory 16MB {options}',protocol={protocol},margin=60s,handshake=60s)")
}

/// An engine that behaves as `mode` says. `mark` stands in its command line, by which it is found again.
fn fake(mode: &str, mark: &str, parameters: &str) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fake-engine.sh");
    format!("engine(cmd='sh {} {mode} {mark}',protocol=ugi{parameters})", script.display())
}

fn match_json(arguments: &[&str]) -> Value {
    plyproof(&[&["match"], arguments, &["--quiet", "--json", "--jobs", "1"]].concat()).json()
}

#[test]
fn every_game_is_played_over_ugi_with_ours_in_both_roles() {
    let games = plyproof(&["games", "--json"]).json();
    for game in games.as_array().expect("a list") {
        let name = game["name"].as_str().expect("a name");
        let played = match_json(&[
            name,
            &ours("ugi", "--agent mcts"),
            "random",
            "--sims",
            "3",
            "--games",
            "2",
            "--max-plies",
            "40",
            "--openings",
            "2",
        ]);
        assert_eq!((&played["games"], &played["errors"]), (&2.into(), &0.into()), "{name}: {played}");
        assert!(played["side_a"]["sims_per_move"].as_f64() > Some(0.0), "{name}: its nodes are counted");
    }
}

#[test]
fn games_are_played_over_the_other_protocols_too() {
    for (protocol, game, limit) in [
        ("usi", "minishogi(repetition=standard)", ["--sims", "3"]),
        ("uci", "breakthrough", ["--sims", "3"]),
        ("gomocup", "gomoku(size=9)", ["--time", "20ms"]),
        ("gtp", "hex(size=4)", ["--time", "20ms"]),
        ("gtp", "othello(size=4)", ["--time", "20ms"]),
    ] {
        let engine = ours(protocol, "--agent mcts");
        let played =
            match_json(&[&[game, &engine, "random", "--games", "2", "--max-plies", "30"], &limit[..]].concat());
        assert_eq!((&played["games"], &played["errors"]), (&2.into(), &0.into()), "{protocol}: {played}");
    }
    let fixed = match_json(&["gomoku(size=9)", &ours("gomocup", ""), "random", "--games", "2", "--sims", "5"]);
    assert!(fixed["first_error"].as_str().expect("an error").contains("gomocup knows no simulations"), "{fixed}");
}

#[test]
fn a_record_says_what_an_engine_said_and_a_match_with_it_goes_on() {
    let out = TemporaryFile::new("engines-record.jsonl", b"");
    std::fs::remove_file(out.path()).expect("the file");
    let engine = ours("ugi", "--agent random").replace("margin=60s", "margin=60s,Seed=5,Nonsense=1");
    let play = |games: &str| {
        match_json(&["tictactoe", "random", &engine, "--games", games, "--sims", "3", "--out", out.path()])
    };
    assert_eq!(play("2")["games"], 2);
    let later = play("4");
    assert_eq!((&later["games"], &later["resumed"], &later["errors"]), (&4.into(), &2.into(), &0.into()));
    let text = std::fs::read_to_string(out.path()).expect("a record");
    let first: Value = serde_json::from_str(text.lines().nth(1).expect("a game")).expect("JSON");
    let notes = first["notes_b"].to_string();
    assert!(notes.contains("plyproof ") && notes.contains("by The plyproof authors"), "{notes}");
    assert!(notes.contains("Seed=5") && notes.contains("Nonsense (which the engine does not list)=1"), "{notes}");
}

/// Processes whose command line holds `mark`.
#[cfg(target_os = "linux")]
fn left(mark: &str) -> Vec<String> {
    let all = std::fs::read_dir("/proc").expect("processes").flatten();
    let lines = all.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " ")).filter(|line| line.contains(mark)).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn an_engine_that_fails_loses_with_its_reason_and_leaves_no_process() {
    for (mode, parameters, reasons, part) in [
        ("garbage", "", &["illegal-move"][..], "what"),
        ("illegal", "", &["illegal-move"], "a9"),
        ("resigns", "", &["resigned"], ""),
        ("dies", "", &["crash"], "last saying \"out of luck\""),
        ("silent", ",margin=100ms", &["time"], "no move in time"),
        ("forks", ",margin=100ms", &["time"], "no move in time"),
        ("flood", ",margin=60s", &["crash"], "it prints without end"),
        ("one-line", ",margin=60s", &["crash"], "it prints without end"),
    ] {
        let mark = format!("mark-{mode}-{}", std::process::id());
        let engine = fake(mode, &mark, parameters);
        let played = match_json(&["tictactoe", "random", &engine, "--games", "2", "--time", "50ms"]);
        let found: Vec<&String> = played["reasons"].as_object().expect("counts").keys().collect();
        assert_eq!(found, reasons, "{mode}: {played}");
        assert_eq!((&played["wins"], &played["side_b"]["forfeits"]), (&2.into(), &2.into()), "{mode}: {played}");
        let said = played["first_error"].as_str().unwrap_or_default();
        assert!(said.contains(part), "{mode}: {said}");
        assert_eq!(left(&mark), [""; 0], "{mode}");
    }
}

#[test]
fn an_engine_that_cannot_be_started_is_found_out_before_the_match() {
    for (engine, part) in [
        ("engine(cmd=/no/such/program,protocol=ugi)".to_string(), "cannot start /no/such/program"),
        (fake("mute", "x", ",handshake=100ms"), "no ugiok in time"),
        ("engine(cmd=true,protocol=ugi)".to_string(), "it ended"),
        ("engine(protocol=ugi)".to_string(), "engine needs cmd"),
        ("engine(cmd=a,protocol=xboard)".to_string(), "unknown protocol \"xboard\""),
        ("engine(cmd='a,protocol=ugi)".to_string(), "quotation marks do not match"),
        ("engine(cmd=a,protocol=gomocup)".to_string(), "has Gomoku on an empty board alone"),
    ] {
        let ran = plyproof(&["match", "tictactoe", "random", &engine, "--quiet"]);
        ran.refused(2, part);
    }
}

#[test]
fn a_match_has_clocks_openings_positions_and_adjudication() {
    let book = TemporaryFile::new("engines-book.txt", b"# two openings\na1 b1\nb2 a1 c1\n");
    let path = book.path();
    let out = TemporaryFile::new("engines-book.jsonl", b"");
    std::fs::remove_file(out.path()).expect("the file");
    let record = out.path();
    let played = match_json(&[
        "tictactoe",
        "mcts",
        "random",
        "--games",
        "6",
        "--time",
        "60s+0.1s",
        "--openings",
        path,
        "--adjudicate-proven",
        "--out",
        record,
    ]);
    assert_eq!((&played["games"], &played["errors"]), (&6.into(), &0.into()), "{played}");
    assert_eq!(played["reasons"]["adjudicated"], 6, "{played}");
    let text = std::fs::read_to_string(out.path()).expect("a record");
    let mut openings: Vec<Value> = text
        .lines()
        .skip(1)
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON")["opening"].clone())
        .collect();
    openings.sort_by_key(ToString::to_string);
    assert_eq!(openings, ["a1 b1", "a1 b1", "a1 b1", "a1 b1", "b2 a1 c1", "b2 a1 c1"]);
    plyproof(&["match", "tictactoe", "mcts", "random", "--openings", "/no/file", "--quiet"]).refused(1, "/no/file");
    let bad = TemporaryFile::new("engines-bad-book.txt", b"a1\na1 a1\n");
    plyproof(&["match", "tictactoe", "--openings", bad.path()]).refused(2, "line 2: ");
    let won = match_json(&[
        "tictactoe",
        "random",
        "random",
        "--games",
        "2",
        "--sims",
        "1",
        "--position",
        "xx./oo./... x",
        "--adjudicate-proven",
    ]);
    assert_eq!((&won["wins"], &won["mean_plies"]), (&1.into(), &0.0.into()), "the first player has won: {won}");
}

#[test]
fn our_engine_passes_its_own_check_and_a_bad_one_fails_it() {
    let command = format!("{BINARY} engine --memory 16MB");
    for (protocol, game) in [("ugi", "loa"), ("usi", "minishogi"), ("gomocup", "gomoku"), ("gtp", "hex(size=5)")] {
        let arguments = ["engine", "--check", &command, "--protocol", protocol, "--game", game, "--patience", "60s"];
        let ran = plyproof(&arguments);
        // Time keeping depends on how busy the machine is.
        let failed: Vec<&str> = ran.out.lines().filter(|line| line.starts_with("FAIL")).collect();
        let late = |line: &&str| line.contains("time keeping") || line.contains("game clock");
        assert!(failed.iter().all(late), "{protocol}: {}", ran.out);
        assert!(ran.out.lines().count() > 9, "{protocol}: {}", ran.out);
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fake-engine.sh");
    let bad = format!("sh {} illegal", script.display());
    let ran = plyproof(&["engine", "--check", &bad, "--protocol", "ugi", "--game", "tictactoe", "--patience", "500ms"]);
    assert_eq!(ran.code, Some(1), "{}", ran.out);
    assert!(ran.out.contains("FAIL  legal moves: "), "{}", ran.out);
}

#[test]
fn the_command_line_of_an_engine_is_checked() {
    plyproof_with(&["engine"], b"hello\n").refused(2, "does not tell the protocol");
    plyproof_with(&["engine", "--protocol", "ugi", "--game", "lao"], b"").refused(2, "did you mean loa?");
    plyproof_with(&["engine", "--protocol", "ugi", "--agent", "mtcs"], b"").refused(2, "mcts");
    plyproof(&["engine", "--protocol", "xboard"]).refused(2, "unknown protocol");
    plyproof(&["engine", "--check", "x"]).refused(2, "--protocol");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    plyproof_in(folder, &["engine", "--check", "'x", "--protocol", "ugi"]).refused(2, "quotation mark");
}

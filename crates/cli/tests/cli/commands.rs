//! What each command prints, for people and as JSON.

use crate::run::{self, TemporaryFile, command, plyproof, plyproof_with, ran, zipped};
use serde_json::{Value, json};

pub fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

#[test]
fn alone_it_says_what_to_try_first() {
    let text = plyproof(&[]).fine();
    let tried: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("  plyproof ")).collect();
    assert!(tried.len() >= 4 && tried[0].starts_with("games"), "{text}");
    let quick = |line: &&&str| !["bench", "match", "rules", "serve", "train"].iter().any(|slow| line.starts_with(slow));
    for line in tried.iter().filter(quick) {
        let arguments: Vec<&str> = line.split("  ").next().unwrap_or_default().split(' ').collect();
        plyproof(&arguments).fine();
    }
}

#[test]
fn every_command_has_help_with_an_example() {
    for arguments in [
        &["games", "--help"][..],
        &["agents", "--help"],
        &["show", "--help"],
        &["search", "--help"],
        &["perft", "--help"],
        &["replay", "--help"],
        &["verify", "--help"],
        &["match", "--help"],
        &["tournament", "--help"],
        &["serve", "--help"],
        &["solve", "--help"],
        &["puzzles", "--help"],
        &["table", "--help"],
        &["report", "--help"],
        &["bench", "--help"],
        &["bench", "playouts", "--help"],
        &["bench", "search", "--help"],
    ] {
        let text = plyproof(arguments).fine();
        let examples = text.split_once("Example").map(|(_, examples)| examples).unwrap_or_default();
        assert!(examples.contains(&format!("  plyproof {}", arguments[0])), "{text}");
    }
    assert!(plyproof(&["help"]).fine().contains("Commands:"));
    assert!(plyproof(&["--version"]).fine().starts_with("plyproof 0."));
}

#[test]
fn games_lists_names_rules_parameters_and_defaults() {
    let text = plyproof(&["games"]).fine();
    assert!(text.contains("knightthrough  Chess knights") && text.contains("moves=forward"), "{text}");
    let listed = plyproof(&["games", "--json"]).json();
    let games = listed.as_array().expect("a list");
    assert!(games.len() >= 2);
    for game in games {
        assert_eq!(keys(game), ["name", "notations", "parameters", "players", "rules", "title"]);
        let name = game["name"].as_str().expect("a name");
        assert!(text.lines().any(|line| line.starts_with(&format!("{name} "))), "{name}");
        for parameter in game["parameters"].as_array().expect("a list") {
            assert_eq!(keys(parameter), ["allowed", "default", "help", "name"]);
        }
    }
    let knightthrough = games.iter().find(|game| game["name"] == "knightthrough").expect("it is there");
    assert_eq!(knightthrough["parameters"][1]["allowed"], "forward|all");
}

#[test]
fn show_draws_the_board_and_lists_the_moves() {
    let text = plyproof(&["show", "breakthrough(size=2x4)", "--moves", "a2b3"]).fine();
    let expected = "breakthrough(size=2x4)\n\n 4 o o\n 3 o x\n 2 . x\n 1 x x\n   a b\n\nplayer 2 to move\n\
        position: oo/ox/.x/xx o\n3 legal moves:\n  a3a2 a3b2 a4b3\n";
    assert_eq!(text, expected);
}

#[test]
fn show_says_how_a_finished_game_ended() {
    let arguments = ["show", "breakthrough(size=2x4)", "--moves", "a2b3 a4b3, b2a3\nb3a2 a3a4"];
    let text = plyproof(&arguments).fine();
    assert!(text.contains("finished: player 1 wins\n") && !text.contains("legal"), "{text}");
    let shown = plyproof(&[&arguments[..], &["--json"]].concat()).json();
    assert_eq!((&shown["outcome"], &shown["result"]), (&json!("player 1 wins"), &json!(1)));
    assert_eq!((&shown["to_move"], &shown["legal_moves"]), (&Value::Null, &json!([])));
}

#[test]
fn show_reads_positions_and_moves_from_arguments_files_and_standard_input() {
    let shown = |run: run::Ran| run.json()["position"].as_str().expect("text").to_string();
    let game = ["show", "breakthrough(size=2x4)", "--json"];
    let file = TemporaryFile::new("position.txt", b"oo/ox/.x/xx o\n");
    let from_file = format!("@{}", file.path());
    let direct = shown(plyproof(&[&game[..], &["--position", "oo/ox/.x/xx o", "--moves", "a4b3"]].concat()));
    assert_eq!(direct, ".o/oo/.x/xx x");
    assert_eq!(shown(plyproof(&[&game[..], &["--position", &from_file, "--moves", "a4b3"]].concat())), direct);
    assert_eq!(shown(plyproof_with(&[&game[..], &["--moves", "-"]].concat(), b"a2b3\na4b3\n")), direct);
    let both = [&game[..], &["--position", "-", "--moves", "a4b3"]].concat();
    assert_eq!(shown(plyproof_with(&both, b" oo/ox/.x/xx o ")), direct);
    let help = plyproof(&["show", "--help"]).fine();
    let example = help.split_once("echo \"").and_then(|(_, rest)| rest.split_once("\" | plyproof show knightthrough"));
    let (moves, _) = example.expect("an example of moves from standard input");
    plyproof_with(&["show", "knightthrough", "--moves", "-"], moves.as_bytes()).fine();
}

#[test]
fn show_json_has_all_that_a_program_needs() {
    let shown = plyproof(&["show", "breakthrough(size=2x4)", "--json"]).json();
    assert_eq!(keys(&shown), ["board", "game", "key", "legal_moves", "outcome", "position", "result", "to_move"]);
    assert_eq!((&shown["to_move"], &shown["outcome"], &shown["result"]), (&json!(1), &Value::Null, &Value::Null));
    assert_eq!(shown["legal_moves"], json!(["a2b3", "b2a3"]));
}

#[test]
fn perft_agrees_with_published_counts() {
    let count = plyproof(&["perft", "knightthrough", "3", "--json"]).json();
    assert_eq!(keys(&count), ["depth", "game", "nodes", "nodes_per_s", "position", "seconds", "terminal"]);
    assert_eq!((&count["nodes"], &count["terminal"], &count["depth"]), (&json!(63520), &json!(0), &json!(3)));
    assert!(plyproof(&["perft", "breakthrough", "4"]).fine().contains("256,036 nodes"));
    let after = plyproof(&["perft", "breakthrough", "0", "--moves", "a2a3 a7a6", "--json"]).json();
    assert_eq!(after["nodes"], 1);
}

#[test]
fn perft_divide_adds_up_to_the_whole() {
    let count = plyproof(&["perft", "breakthrough(size=5x6)", "4", "--divide", "--json"]).json();
    let divide = count["divide"].as_array().expect("a list");
    assert_eq!(divide.len(), 13);
    assert_eq!(keys(&divide[0]), ["move", "nodes", "terminal"]);
    let sum: u64 = divide.iter().map(|below| below["nodes"].as_u64().expect("a count")).sum();
    assert_eq!(count["nodes"], sum);
    assert_eq!(plyproof(&["perft", "breakthrough(size=5x6)", "4", "--json"]).json()["nodes"], sum);
    let text = plyproof(&["perft", "breakthrough(size=5x6)", "1", "--divide"]).fine();
    assert!(text.starts_with("move  nodes  terminal\na2a3      1         0\n"), "{text}");
    assert_eq!(plyproof(&["perft", "breakthrough", "0", "--divide", "--json"]).json()["divide"], json!([]));
}

/// A whole game on 2x4, worked out by hand.
const GAME: &str = concat!(
    r#"{"game":"breakthrough(size=2x4)","source":"by hand","plies":["#,
    r#"{"mover":1,"legal":["a2b3","b2a3"],"move":"a2b3"},{"mover":2,"legal":["a3a2","a3b2","a4b3"],"move":"a4b3"},"#,
    r#"{"mover":1,"legal":["a1a2","b1a2","b2a3"],"move":"b2a3"},{"mover":2,"legal":["b3a2","b3b2","b4a3"],"move":"b3a2"},"#,
    r#"{"mover":1,"legal":["a1b2","a3a4","a3b4","b1a2","b1b2"],"move":"a3a4"}],"result":1}"#,
    "\n"
);

#[test]
fn replay_counts_games_and_plies_of_plain_and_zipped_files() {
    let plain = TemporaryFile::new("games.jsonl", GAME.repeat(2).as_bytes());
    let packed = TemporaryFile::new("games.gz", &zipped(GAME.as_bytes()));
    let text = plyproof(&["replay", plain.path(), packed.path()]).fine();
    assert!(text.ends_with("\n3 games, 15 plies, 0 mismatches\n"), "{text}");
    let report = plyproof(&["replay", plain.path(), packed.path(), "--json"]).json();
    let expected = json!({"games": 3, "plies": 15, "mismatches": 0, "first_mismatch": null, "files": [
        {"file": plain.path(), "games": 2, "plies": 10, "mismatches": 0},
        {"file": packed.path(), "games": 1, "plies": 5, "mismatches": 0}]});
    assert_eq!(report, expected);
    assert_eq!(plyproof_with(&["replay", "-"], GAME.as_bytes()).fine(), "1 game, 5 plies, 0 mismatches\n");
    plyproof_with(&["replay", "-"], b"").refused(1, "standard input has no game, so nothing");
}

#[test]
fn replay_shows_the_first_mismatch_in_full_and_fails() {
    let doctored = GAME.replace(r#""a3b2","a4b3""#, r#""a4b3""#);
    let file = TemporaryFile::new("doctored.jsonl", (GAME.to_string() + &doctored + &doctored).as_bytes());
    let run = plyproof(&["replay", file.path()]);
    run.refused(1, "2 mismatches in 3 games");
    for part in [
        "3 games, 15 plies, 2 mismatches",
        "doctored.jsonl line 2\n",
        "ply       2\n",
        "position  oo/ox/.x/xx o\n",
        "expected  2 moves: a3a2 a4b3\n",
        "found     3 moves: a3a2 a3b2 a4b3\n",
        "extra     a3b2 (legal here, not in the record)\n",
        "plyproof show \"breakthrough(size=2x4)\" --position \"oo/ox/.x/xx o\"\n",
    ] {
        assert!(run.out.contains(part), "{part} in {}", run.out);
    }
    assert!(!run.out.contains("missing"), "{}", run.out);

    let run = plyproof(&["replay", "--json", file.path()]);
    run.refused(1, "2 mismatches");
    let report: Value = serde_json::from_str(&run.out).expect("JSON");
    let first = &report["first_mismatch"];
    assert_eq!(
        keys(first),
        ["difference", "expected", "extra", "file", "found", "game", "line", "missing", "ply", "position"]
    );
    assert_eq!((&first["line"], &first["ply"], &first["difference"]), (&json!(2), &json!(2), &json!("legal")));
    assert_eq!((&first["extra"], &first["missing"]), (&json!(["a3b2"]), &json!([])));
}

#[test]
fn replay_still_shows_a_mismatch_found_before_an_unreadable_line() {
    let wrong = GAME.replace("\"result\":1", "\"result\":-1");
    let run = plyproof_with(&["replay", "-"], (wrong + "nonsense\n").as_bytes());
    run.refused(1, "standard input line 2: not the record of a game");
    assert!(run.out.contains("expected  player 2 wins\n  found     player 1 wins\n"), "{}", run.out);
}

#[test]
fn bench_measures_the_games_that_were_asked_for() {
    let games = ["--game", "knightthrough", "--game", "breakthrough( size = 5x6 )"];
    let arguments = [&["bench", "playouts", "--seconds", "0.02", "--seed", "5"], &games[..]].concat();
    let speeds = plyproof(&[&arguments[..], &["--json"]].concat()).json();
    let expected = [
        "cpu_seconds",
        "cut",
        "draws",
        "first_wins",
        "game",
        "mean_branching",
        "mean_length",
        "playouts",
        "playouts_per_s",
        "plies_per_s",
        "second_wins",
        "seed",
    ];
    assert_eq!(speeds.as_array().map(Vec::len), Some(2));
    assert_eq!(keys(&speeds[0]), expected);
    assert_eq!((&speeds[0]["game"], &speeds[1]["game"]), (&json!("knightthrough"), &json!("breakthrough(size=5x6)")));
    assert_eq!(speeds[1]["seed"], 5);
    let text = plyproof(&arguments).fine();
    assert!(text.starts_with("game ") && text.contains("\nknightthrough ") && text.contains("seed 5"), "{text}");
}

#[test]
fn without_a_choice_every_game_is_measured() {
    let speeds = plyproof(&["bench", "playouts", "--seconds", "0.001", "--json"]).json();
    let listed = plyproof(&["games", "--json"]).json();
    let measured: Vec<&Value> = speeds.as_array().expect("a list").iter().map(|speed| &speed["game"]).collect();
    for game in listed.as_array().expect("a list") {
        assert!(measured.contains(&&game["name"]), "{game}");
    }
}

#[test]
fn a_closed_pipe_is_success_without_noise() {
    for arguments in [&["games"][..], &["games", "--json"], &["agents"], &["show", "knightthrough"], &["--help"], &[]] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let run = ran(command(arguments).stdout(writer).output().expect("it runs"));
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{arguments:?}");
    }
}

//! The searches on the command line: `agents`, `search` and `bench search`.

use serde_json::{Value, json};

use crate::commands::keys;
use crate::run::plyproof;

/// The JSON report of a search.
#[track_caller]
fn searched(game: &str, arguments: &[&str]) -> Value {
    plyproof(&[&["search", game, "--json"], arguments].concat()).json()
}

/// The report without what depends on the clock.
fn timeless(mut report: Value) -> Value {
    let object = report.as_object_mut().expect("an object");
    for key in ["seconds", "simulations_per_s"] {
        assert!(object.remove(key).is_some_and(|value| value.is_f64()), "{key}");
    }
    report
}

/// Agents that search, each in its own way.
const SEARCHING: [&str; 4] = ["mcts", "pn-mcts", "pns", "minimax"];

#[test]
fn agents_lists_names_parameters_and_defaults() {
    let text = plyproof(&["agents"]).fine();
    assert!(text.contains("MCTS with proof and disproof numbers") && text.contains("  norm=rank"), "{text}");
    let listed = plyproof(&["agents", "--json"]).json();
    let names: Vec<&str> = listed.as_array().into_iter().flatten().filter_map(|agent| agent["name"].as_str()).collect();
    for name in ["mcts", "pn-mcts", "pns", "minimax", "random"] {
        assert!(names.contains(&name) && text.lines().any(|line| line.starts_with(&format!("{name} "))), "{name}");
    }
    assert_eq!(keys(&listed[0]), ["name", "parameters", "summary"]);
    let pn = listed.as_array().and_then(|all| all.iter().find(|agent| agent["name"] == "pn-mcts")).expect("listed");
    assert_eq!(keys(&pn["parameters"][1]), ["allowed", "default", "help", "name"]);
    assert_eq!((&pn["parameters"][1]["name"], &pn["parameters"][1]["default"]), (&json!("pn"), &json!("1")));
}

#[test]
fn alpha_beta_says_which_values_are_only_bounds() {
    let arguments = ["--agent", "plyproof", "--sims", "20000", "--memory", "16MB"];
    let report = searched("breakthrough(size=8)", &arguments);
    let moves = report["moves"].as_array().expect("moves");
    let bounds = moves.iter().filter(|found| found["at_most"] == true).count();
    assert!(moves[0]["at_most"] == false && bounds > moves.len() / 2, "{bounds} of {}", moves.len());
    let text = plyproof(&[&["search", "breakthrough"], &arguments[..]].concat()).fine();
    let shown = text.lines().filter(|line| line.contains(" ≤ ")).count();
    assert!(shown > 0 && shown <= bounds, "{text}");
    let tree = searched("breakthrough", &["--agent", "mcts", "--sims", "500", "--memory", "16MB"]);
    assert!(tree["moves"].as_array().is_some_and(|moves| moves.iter().all(|found| found["at_most"] == false)));
}

#[test]
fn search_json_has_all_that_a_program_needs() {
    let arguments = ["--agent", "pn-mcts( pn = 1.0 )", "--sims", "500", "--memory", "64MB", "--moves", "b2a4"];
    let report = searched("knightthrough", &arguments);
    let expected = [
        "agent",
        "best",
        "bounds",
        "budget",
        "bytes",
        "full_after",
        "game",
        "line",
        "moves",
        "nodes",
        "numbers",
        "position",
        "seconds",
        "seed",
        "simulations",
        "simulations_per_s",
        "stopped",
        "value",
    ];
    assert_eq!(keys(&report), expected);
    assert_eq!((&report["agent"], &report["seed"]), (&json!("pn-mcts"), &json!(1)));
    assert_eq!(report["budget"], json!({"simulations": 500, "seconds": null, "memory": 64_000_000, "threads": 1}));
    assert_eq!(
        report["position"],
        plyproof(&["show", "knightthrough", "--moves", "b2a4", "--json"]).json()["position"]
    );
    assert_eq!((&report["value"], &report["bounds"]), (&Value::Null, &json!({"least": "loss", "most": "win"})));
    assert_eq!(keys(&report["numbers"]), ["dpn", "pn"]);
    assert_eq!(report["line"][0], report["best"]);
    let moves = report["moves"].as_array().expect("a list");
    assert_eq!(moves.len(), 40);
    for found in moves {
        let expected = ["at_most", "bounds", "dpn", "mean", "move", "next", "pn", "rank", "terms", "value", "visits"];
        assert_eq!(keys(found), expected);
    }
    assert_eq!(moves.iter().filter_map(|found| found["visits"].as_u64()).sum::<u64>(), 500);
    assert_eq!(report["best"], moves[0]["move"], "nothing is proven: the most visited move");
}

#[test]
fn simulations_are_exact_for_every_agent_that_simulates() {
    for agent in ["mcts", "mcts(c=0.5)", "pn-mcts", "pn-mcts(pn=0)", "pn-mcts(pn=1e6)", "pns"] {
        for game in ["knightthrough", "gomoku", "loa"] {
            let report = searched(game, &["--agent", agent, "--sims", "1000"]);
            assert_eq!((&report["simulations"], &report["stopped"]), (&json!(1000), &json!("simulations")), "{agent}");
            assert_eq!(report["full_after"], Value::Null);
        }
    }
    let with_time = searched("knightthrough", &["--sims", "100", "--time", "1h"]);
    assert_eq!(with_time["budget"]["seconds"], 3600.0);
    assert_eq!(with_time["simulations"], 100, "whatever is used up first ends the search");
}

#[test]
fn counts_may_be_written_as_people_write_them() {
    for (text, count) in [("1e3", 1000), ("2.5e2", 250), ("1k", 1000), ("1_000", 1000)] {
        let report = searched("knightthrough", &["--sims", text, "--seed", "1e3"]);
        assert_eq!((&report["simulations"], &report["seed"]), (&json!(count), &json!(1000)), "{text}");
    }
    let played = plyproof(&["match", "tictactoe", "--sims", "1e1", "--sims-b", "0.02k", "--games", "2e0", "--json"]);
    let played: Value = serde_json::from_str(&played.out).expect("JSON");
    assert_eq!((&played["side_a"]["simulations"], &played["side_b"]["simulations"]), (&json!(10), &json!(20)));
    let solved = plyproof(&["solve", "tictactoe", "--nodes", "1M", "--memory", "1MB", "--json"]).json();
    assert_eq!(solved["value"], "draw");
}

#[test]
fn equal_seeds_give_equal_reports() {
    for agent in ["mcts", "pn-mcts", "pns", "random"] {
        let run = |seed| timeless(searched("awari", &["--agent", agent, "--sims", "3000", "--seed", seed]));
        assert_eq!(run("7"), run("7"), "{agent}");
        assert_eq!(run("7")["seed"], 7);
    }
    let agent = "plyproof(eval=off)";
    let visits = |seed| searched("awari", &["--agent", agent, "--sims", "3000", "--seed", seed])["moves"].take();
    assert_ne!(visits("7"), visits("8"));
}

#[test]
fn without_a_budget_a_search_takes_a_second() {
    let report = searched("tictactoe", &["--moves", "a1 b1 a2 b2"]);
    assert_eq!((&report["budget"]["simulations"], &report["budget"]["seconds"]), (&Value::Null, &json!(1.0)));
    assert!(report["budget"]["memory"].as_u64().is_some_and(|bytes| bytes > 0));
    let text = plyproof(&["search", "tictactoe", "--moves", "a1 b1 a2 b2"]).fine();
    assert!(text.contains("\nplyproof, seed 1, 1 s, "), "{text}");
}

#[test]
fn the_report_for_people_says_all_of_it() {
    let text =
        plyproof(&["search", "hex(size=3)", "--agent", "pn-mcts", "--sims", "2000", "--top", "4", "--memory", "8MB"])
            .fine();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("hex(size=3): player 1 to move"));
    assert_eq!(lines.next(), Some("pn-mcts, seed 1, 2,000 simulations, 8 MB of memory"));
    for part in [
        "\nmove  visits    mean",
        "\nand 5 more moves of at most ",
        "\nbest    ",
        "\nproven  win (pn 0, dpn ∞)\nline    ",
        " simulations in ",
        "/s; ",
        " positions kept in ",
        "\nstopped: the value is proven\n",
    ] {
        assert!(text.contains(part), "{part:?} in {text}");
    }
    assert!(!text.contains('\u{1b}'), "no terminal, no redrawing");
    let all = plyproof(&["search", "hex(size=3)", "--agent", "pn-mcts", "--sims", "2000", "--top", "0"]).fine();
    assert!(!all.contains("more move"), "{all}");
}

#[test]
fn a_win_in_one_move_is_found_by_every_search() {
    for agent in SEARCHING {
        let report = searched("tictactoe", &["--moves", "a1 b1 a2 b2", "--agent", agent, "--sims", "1000"]);
        assert_eq!(report["best"], "a3", "{agent}");
        if agent != "mcts" {
            assert_eq!((&report["value"], &report["stopped"]), (&json!("win"), &json!("proven")), "{agent}");
            assert_eq!(report["bounds"], json!({"least": "win", "most": "win"}));
        }
    }
    let text = plyproof(&["search", "gomoku", "--moves", "a1 o1 b1 o2 c1 o3 d1 o4", "--top", "1"]).fine();
    assert!(text.contains("\ne1 ") && text.contains("\nbest    e1\nproven  win"), "the best move is listed: {text}");
}

#[test]
fn a_finished_game_has_no_best_move_and_says_so() {
    let over = ["--moves", "a1 b1 a2 b2 a3"];
    for agent in ["mcts", "pn-mcts", "pns", "minimax", "random"] {
        let report = searched("tictactoe", &[&over[..], &["--agent", agent]].concat());
        assert_eq!((&report["best"], &report["stopped"]), (&Value::Null, &json!("game over")), "{agent}");
        assert_eq!((&report["moves"], &report["line"], &report["simulations"]), (&json!([]), &json!([]), &json!(0)));
    }
    let text = plyproof(&[&["search", "tictactoe"], &over[..]].concat()).fine();
    assert!(text.starts_with("tictactoe: finished, player 1 wins\n"), "{text}");
    assert!(text.ends_with("\nstopped: the game was over before the search began\n"), "{text}");
}

#[test]
fn the_only_move_is_played_be_it_a_pass() {
    let one = ["--moves", "b2 a1 b1 b3 a2 c2 a3 c1"];
    let pass = ["--position", "0,0,0,0,0,0,1,0,0,0,0,2|30,15 1"];
    for agent in ["mcts", "pn-mcts", "pns", "minimax", "random"] {
        let budget = ["--agent", agent, "--sims", "200"];
        let report = searched("tictactoe", &[&one[..], &budget].concat());
        assert_eq!(report["best"], "c3", "{agent}");
        let report = searched("awari", &[&pass[..], &budget].concat());
        assert_eq!(report["best"], "pass", "{agent}");
        if ["pn-mcts", "pns", "minimax"].contains(&agent) {
            assert_eq!(report["value"], "win", "{agent}: 30 seeds of 48 are won already");
        }
    }
}

#[test]
fn no_budget_at_all_still_gives_a_legal_move() {
    let legal = plyproof(&["show", "knightthrough", "--json"]).json()["legal_moves"].take();
    let legal = legal.as_array().expect("a list");
    for budget in [&["--sims", "0"][..], &["--time", "0"], &["--sims", "0", "--time", "0s", "--memory", "0"]] {
        for agent in ["mcts", "pn-mcts", "pns", "minimax", "random"] {
            let report = searched("knightthrough", &[budget, &["--agent", agent]].concat());
            assert!(legal.contains(&report["best"]), "{agent} {budget:?}: {report}");
            assert_eq!((&report["simulations"], &report["value"]), (&json!(0), &Value::Null), "{agent} {budget:?}");
        }
    }
}

#[test]
fn a_kilobyte_of_memory_is_enough_to_go_on() {
    for agent in ["mcts", "pn-mcts"] {
        let report = searched("knightthrough", &["--agent", agent, "--sims", "1000", "--memory", "1KB"]);
        assert_eq!((&report["simulations"], &report["stopped"]), (&json!(1000), &json!("simulations")), "{agent}");
        assert!(report["full_after"].as_u64().is_some_and(|full| full < 1000), "{agent}: {report}");
        assert!(report["bytes"].as_u64().is_some_and(|bytes| bytes < 3000), "{agent}: at most one expansion more");
        let text = plyproof(&["search", "knightthrough", "--agent", agent, "--sims", "1000", "--memory", "1KB"]).fine();
        assert!(text.contains("\nthe memory was full after ") && text.contains("tree did not grow\n"), "{text}");
    }
    for agent in ["pns", "minimax"] {
        let report = searched("knightthrough", &["--agent", agent, "--sims", "100000", "--memory", "1KB"]);
        assert_eq!(report["stopped"], "memory", "{agent}: it cannot go on without room");
        assert!(report["best"].is_string(), "{agent}");
    }
}

#[test]
fn wrong_arguments_of_a_search_are_misuse() {
    for (arguments, part) in [
        (&["--agent", "mtcs"][..], "unknown agent \"mtcs\" (did you mean mcts?); known: "),
        (&["--agent", ""], "letters, digits"),
        (&["--agent", "mcts(pn=1)"], "mcts has no parameter \"pn\""),
        (&["--agent", "mcts(c=-1)"], "c=-1 is not allowed"),
        (&["--agent", "pn-mcts(norm=x)"], "norm is rank|children"),
        (&["--agent", "pn-mcts(cpn=2)"], "pn-mcts has no parameter \"cpn\" (did you mean pn?): pn is "),
        (&["--agent", "pn-mcts("], "closing parenthesis"),
        (&["--memory", "1XB"], "\"1XB\" is not a size, as in 512MB"),
        (&["--memory", "-1"], "\"-1\" is not a size"),
        (&["--memory", ""], "is not a size"),
        (&["--memory", "99999999999TB"], "too large"),
        (&["--time", "1y"], "\"1y\" is not a duration, as in 1s"),
        (&["--time", "-1"], "\"-1\" is not a duration"),
        (&["--time", "99999999h"], "too long"),
        (&["--sims", "many"], "not a whole number"),
        (&["--sims", "-1"], "'-1' for '--sims <N>': not a whole number"),
        (&["--seed", "1.5"], "not a whole number"),
        (&["--top", "-3"], "not a whole number"),
    ] {
        let run = plyproof(&[&["search", "loa"], arguments].concat());
        run.refused(2, part);
        assert_eq!(run.out, "", "{arguments:?}");
        assert!(run.err.chars().count() < 300, "{}", run.err);
    }
    plyproof(&["search", "chess"]).refused(2, "unknown game \"chess\"");
    plyproof(&["search", "loa", "--moves", "a1a1"]).refused(2, "move 1: ");
    plyproof(&["bench", "search", "--game", "chess"]).refused(2, "unknown game");
    plyproof(&["bench", "search", "--seconds", "0"]).refused(2, "0.001 to 3600");
    if cfg!(target_os = "linux") {
        plyproof(&["search", "loa", "--memory", "900000TB"]).refused(2, "--memory 900000 TB is more than the ");
    }
}

/// Waits until the process listens for Ctrl-C, then sends one, and returns how it ended.
#[cfg(target_os = "linux")]
pub fn interrupted(arguments: &[&str]) -> crate::run::Ran {
    use std::process::{Command, Stdio};

    let mut command = crate::run::command(arguments);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
    let process = child.id().to_string();
    let listens = || {
        let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("a running process");
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).expect("signals");
        u64::from_str_radix(caught.trim(), 16).expect("a mask") & 0b10 != 0
    };
    while !listens() {
        std::thread::yield_now();
    }
    let sent = Command::new("kill").args(["-INT", &process]).status().expect("a system with kill");
    assert!(sent.success());
    crate::run::ran(child.wait_with_output().expect("it ends"))
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_ends_a_search_with_the_report_so_far() {
    // The time is there only to end a search that does not listen.
    for agent in ["mcts", "pn-mcts"] {
        let run = interrupted(&["search", "loa", "--agent", agent, "--time", "20s", "--memory", "64MB"]);
        assert_eq!((run.code, run.err.as_str()), (Some(130), ""));
        assert!(run.out.contains("\nbest    ") && run.out.ends_with("\nstopped: interrupted\n"), "{}", run.out);
        let run = interrupted(&["search", "loa", "--agent", agent, "--time", "20s", "--memory", "64MB", "--json"]);
        assert_eq!((run.code, run.err.as_str()), (Some(130), ""));
        let report: Value = serde_json::from_str(&run.out).expect("JSON");
        assert_eq!((&report["stopped"], report["best"].is_string()), (&json!("cancelled"), true));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_ends_puzzles_and_spares_the_file_that_is_there() {
    let run = interrupted(&["puzzles", "loa", "--time", "20s", "--memory", "64MB"]);
    assert_eq!((run.code, run.err.as_str()), (Some(130), ""));
    assert!(run.out.ends_with(" with proof; interrupted, the set has 62\n"), "{}", run.out);
    let run = interrupted(&["puzzles", "loa", "--time", "20s", "--memory", "64MB", "--json"]);
    let report: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!((run.code, &report["complete"]), (Some(130), &json!(false)));
    let file = crate::run::TemporaryFile::new("kept.puzzles", b"three puzzles");
    let make = ["puzzles", "breakthrough(size=5)", "--make", "3", "--least-nodes", "90000", "--out", file.path()];
    interrupted(&make).refused(130, "nothing was written");
    assert_eq!(std::fs::read(file.path()).expect("still there"), b"three puzzles");
}

#[test]
fn puzzles_made_are_told_as_json_too() {
    let file = crate::run::TemporaryFile::new("made.puzzles", b"");
    let make = ["puzzles", "breakthrough(size=4)", "--make", "1", "--least-nodes", "2", "--sims", "20", "--json"];
    let run = plyproof(&[&make[..], &["--out", file.path()]].concat());
    let made: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!((run.code, &made["puzzles"], &made["complete"]), (Some(0), &json!(1), &json!(true)), "{}", run.err);
    plyproof(&["puzzles", "breakthrough(size=4)", "--file", file.path(), "--sims", "200"]).fine();
}

#[test]
fn bench_search_measures_the_games_that_were_asked_for() {
    let games = ["--game", "knightthrough", "--game", "loa( size = 7 )"];
    let arguments = [&["bench", "search", "--seconds", "0.05", "--seed", "5"], &games[..]].concat();
    let speeds = plyproof(&[&arguments[..], &["--json"]].concat()).json();
    let expected = [
        "bytes_per_node",
        "bytes_per_simulation",
        "cpu_seconds",
        "full",
        "game",
        "mcts_bytes_per_node",
        "mcts_bytes_per_simulation",
        "mcts_over_playouts",
        "mcts_sims_per_s",
        "nodes",
        "playouts_per_s",
        "plyproof_over_mcts",
        "plyproof_random_over_mcts",
        "plyproof_random_sims_per_s",
        "plyproof_sims_per_s",
        "pn0_over_mcts",
        "pn0_sims_per_s",
        "pn_mcts_sims_per_s",
        "pn_over_mcts",
        "rounds",
        "seed",
        "simulations",
    ];
    assert_eq!(speeds.as_array().map(Vec::len), Some(2));
    assert_eq!(keys(&speeds[0]), expected);
    assert_eq!((&speeds[0]["game"], &speeds[1]["game"]), (&json!("knightthrough"), &json!("loa(size=7)")));
    assert_eq!((&speeds[1]["seed"], &speeds[1]["rounds"], &speeds[1]["full"]), (&json!(5), &json!(4), &json!(false)));
    let text = plyproof(&arguments).fine();
    assert!(text.starts_with("game ") && text.contains("\nknightthrough ") && text.contains("seed 5"), "{text}");
}

#[test]
fn without_a_choice_the_games_of_the_paper_are_measured() {
    let speeds = plyproof(&["bench", "search", "--seconds", "0.001", "--json"]).json();
    let games: Vec<&str> = speeds.as_array().into_iter().flatten().filter_map(|speed| speed["game"].as_str()).collect();
    assert_eq!(games, ["loa", "loa(size=7)", "minishogi", "awari", "knightthrough", "gomoku"]);
}

//! `--memory` holds for every agent and every game: the peak resident memory of the program itself.

use std::fs;
use std::io::Read;
use std::process::{Child, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::run::{command, plyproof};

/// What is asked for, and what the program may take with all that is not the search.
const ASKED: &str = "64MB";
/// The program itself takes 15 MB of it when it is not optimised, as in tests, and 6 MB otherwise.
const ALLOWED: u64 = 86_000_000;

/// The most memory that a process had so far, in bytes; none once it has ended.
fn peak(child: &Child) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}

/// The report of a search and the most memory it had. A search that takes too much is ended before it takes more.
fn searched(game: &str, position: Option<&str>, agent: &str, simulations: u64) -> (Value, u64) {
    let simulations = simulations.to_string();
    let mut arguments = vec!["search", game, "--agent", agent, "--sims", &simulations, "--memory", ASKED, "--json"];
    arguments.extend(position.into_iter().flat_map(|position| ["--position", position]));
    let mut child = command(&arguments).stdout(Stdio::piped()).spawn().expect("the binary runs");
    let mut out = child.stdout.take().expect("a pipe");
    let reader = std::thread::spawn(move || {
        let mut text = String::new();
        out.read_to_string(&mut text).map(|_| text)
    });
    let mut most = 0;
    while child.try_wait().expect("a child").is_none() {
        most = most.max(peak(&child).unwrap_or(0));
        if most > ALLOWED {
            child.kill().expect("a child");
            panic!("{agent} on {game} took {most} bytes with --memory {ASKED}");
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let text = reader.join().expect("no panic").expect("UTF-8 output");
    (serde_json::from_str(&text).unwrap_or_else(|error| panic!("{agent} on {game}: {error}: {text}")), most)
}

/// Names from `games` or `agents`.
fn names(of: &str) -> Vec<String> {
    let listed = plyproof(&[of, "--json"]).json();
    let names = listed.as_array().into_iter().flatten().filter_map(|one| one["name"].as_str());
    names.map(str::to_string).collect()
}

/// The default agent without evaluations, which it has for some of the games.
const WITH_PLAYOUTS: &str = "plyproof(eval=off)";

/// Enough simulations to fill the memory where that is quick, and a few elsewhere.
fn simulations(agent: &str, game: &str) -> u64 {
    match agent {
        // They end when it is full.
        "minimax" | "pns" => 1_000_000_000,
        "pn2" => 60_000,
        // Its table grows to its last size, all of which it touches, at a quarter of the entries.
        "df-pn" | "alpha-beta" if game == "connect4" => 1_000_000,
        "df-pn" | "alpha-beta" if ["awari", "knightthrough", "breakthrough", "othello"].contains(&game) => 100_000,
        "mcts" | "pn-mcts" | WITH_PLAYOUTS if game == "connect4" => 2_500_000,
        _ => 10_000,
    }
}

/// A game of MiniShogi with a long past: random moves, and where they end it some are taken back.
fn long_minishogi(plies: usize) -> String {
    let start = plyproof_engine::Registry::builtin().open("minishogi(repetition=standard)").expect("a game");
    let read = |moves: &[String]| {
        let text = format!("{} moves {}", start.position_text(), moves.join(" "));
        start.parse_position(&text).expect("legal moves")
    };
    let (mut moves, mut game) = (Vec::new(), read(&[]));
    let mut state = 1u64;
    while moves.len() < plies {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let legal = game.legal_moves();
        let m = legal[(state >> 33) as usize % legal.len()].clone();
        game.play(&m).expect("legal");
        moves.push(m);
        if game.outcome().is_some() {
            moves.truncate(moves.len().saturating_sub(6));
            game = read(&moves);
        }
    }
    game.position_text()
}

#[test]
fn no_agent_takes_more_memory_than_it_may_on_any_game() {
    let long = long_minishogi(2400);
    let mut games: Vec<(String, Option<&str>)> = names("games").into_iter().map(|name| (name, None)).collect();
    games.push(("gomoku(size=19)".to_string(), None));
    games.push(("awari(rules=oware)".to_string(), None));
    games.push(("minishogi(repetition=standard)".to_string(), Some(&long)));
    let agents = names("agents");
    assert!(games.len() > 10 && agents.len() > 5, "{games:?} {agents:?}");
    let (mut full, mut large) = (0, Vec::new());
    let all = agents.iter().flat_map(|agent| games.iter().map(move |game| (agent.as_str(), game)));
    let with_playouts = games.iter().filter(|game| game.0 == "connect4").map(|game| (WITH_PLAYOUTS, game));
    for (agent, (game, position)) in all.chain(with_playouts) {
        let (report, most) = searched(game, *position, agent, simulations(agent, game));
        full += u32::from(report["stopped"] == "memory");
        if most > 55_000_000 {
            large.push(agent);
        }
    }
    // The test is worth something only if searches come to their limit.
    assert!(full >= 20, "{full} searches ended because the memory was full");
    for agent in ["mcts", "pn-mcts", WITH_PLAYOUTS, "df-pn", "pns"] {
        assert!(large.contains(&agent), "{agent} never came near its limit");
    }
}

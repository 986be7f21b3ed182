//! Matches and measurements that a tab begins: recorded where they should be, told while they go on, ended with the tab.

mod common;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use common::{Running, Socket, connect, next_text};
use futures_util::SinkExt;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

async fn say(socket: &mut Socket, message: Value) {
    socket.send(Message::text(message.to_string())).await.expect("sent");
}

async fn hear(socket: &mut Socket) -> Value {
    serde_json::from_str(&next_text(socket).await.expect("an answer")).expect("JSON")
}

/// The last news of a job.
async fn last(socket: &mut Socket, id: u64) -> Value {
    loop {
        let told = hear(socket).await;
        if told["job"]["id"] == id && told["job"]["over"] == true {
            return told["job"].clone();
        }
    }
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("plyproof-jobs-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a writable folder");
    folder
}

fn game(id: u64, name: &str, games: u32) -> Value {
    let seat = |agent: &str| json!({"agent": agent, "simulations": 20});
    json!({"do": "match", "id": id, "name": name, "game": "tictactoe", "a": seat("mcts"), "b": seat("pn-mcts"), "games": games})
}

#[test]
fn a_match_is_recorded_among_the_runs_and_told_with_its_result() {
    let folder = folder("match");
    let server = Running::with_runs(&folder);
    server.block_on(async {
        let mut tab = connect(&server, &[]).await.expect("a socket");
        say(&mut tab, game(5, "small", 10)).await;
        let told = last(&mut tab, 5).await;
        assert_eq!((&told["match"], &told["summary"]["games"]), (&json!("page/small.jsonl"), &json!(10)), "{told}");
        // The same once more is played already; another match does not take its record.
        say(&mut tab, game(6, "small", 10)).await;
        assert_eq!(last(&mut tab, 6).await["summary"]["resumed"], 10);
        let mut other = game(7, "small", 10);
        other["game"] = "connect4".into();
        say(&mut tab, other).await;
        assert!(last(&mut tab, 7).await["error"].is_string());
        for (wrong, part) in [
            (game(8, "../x", 10), "not the name of a record"),
            (game(8, "x", 3), "even number"),
            (game(8, "x", 1_000_000), "even number"),
        ] {
            say(&mut tab, wrong).await;
            let told = hear(&mut tab).await;
            assert!(told["id"] == 8 && told["error"].as_str().is_some_and(|why| why.contains(part)), "{told}");
        }
    });
    assert!(server.get("/api/runs").contains("page/small.jsonl"));
    drop(server);
    std::fs::remove_dir_all(folder).expect("a folder of ours");
}

#[test]
fn a_match_without_a_folder_and_a_measurement_without_bounds_are_refused() {
    let server = Running::start();
    server.block_on(async {
        let mut tab = connect(&server, &[]).await.expect("a socket");
        say(&mut tab, game(1, "x", 2)).await;
        assert!(hear(&mut tab).await["error"].as_str().is_some_and(|why| why.contains("--runs")));
        let balance = |simulations: Value, agent: &str| {
            json!({"do": "balance", "id": 2, "game": "tictactoe", "agent": agent, "simulations": simulations, "games": 4})
        };
        for (wrong, part) in [
            (balance(json!([0]), "mcts"), "expected 1 to"),
            (balance(json!([1, 1, 1, 1, 1, 1, 1]), "mcts"), "at most 6 strengths"),
            (balance(json!([1]), "nobody"), "unknown agent"),
        ] {
            say(&mut tab, wrong).await;
            let told = hear(&mut tab).await;
            assert!(told["error"].as_str().is_some_and(|why| why.contains(part)), "{told}");
        }
        say(&mut tab, balance(json!([5]), "mcts")).await;
        let told = last(&mut tab, 2).await;
        assert_eq!((&told["balance"]["value"], told["balance"]["play"].as_array().map(Vec::len)), (&json!("draw"), Some(2)));
    });
}

#[test]
fn work_ends_when_it_is_told_to_and_when_its_tab_closes() {
    let server = Running::start();
    let long = |id: u64| json!({"do": "balance", "id": id, "game": "loa", "agent": "mcts", "simulations": [100_000], "games": 2000});
    server.block_on(async {
        let mut tab = connect(&server, &[]).await.expect("a socket");
        say(&mut tab, long(1)).await;
        // Random play is told before the games begin.
        assert!(hear(&mut tab).await["job"]["balance"].is_object());
        say(&mut tab, json!({"do": "end-job", "id": 1})).await;
        last(&mut tab, 1).await;
        for id in 2..6 {
            say(&mut tab, long(id)).await;
        }
        say(&mut tab, long(6)).await;
        loop {
            let told = hear(&mut tab).await;
            if told["id"] == 6 {
                assert!(told["error"].as_str().is_some_and(|why| why.contains("4 matches and measurements")), "{told}");
                break;
            }
        }
        drop(tab);
    });
    let began = Instant::now();
    server.comes_to("without the memory of the work", |usage| usage.memory == 0);
    assert!(began.elapsed() < Duration::from_secs(60));
}

//! What stays of an agent's search from one of its moves to the next.

mod common;

use std::collections::HashMap;

use common::{Running, Socket, connect, next_text};
use futures_util::SinkExt;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

/// Waits for the end of a search: its expected line, and the visits of all moves together.
async fn search(tab: &mut Socket, role: &str, game: &str, moves: &[String]) -> (Vec<String>, u64) {
    let at = json!({"game": game, "moves": moves});
    let request = json!({"do": "search", "id": moves.len(), "role": role, "at": at, "agent": "plyproof(prove=off,eval=off)",
        "simulations": 1000, "view": {"moves": 99}});
    tab.send(Message::text(request.to_string())).await.expect("sent");
    let (mut line, mut visits) = (Vec::new(), HashMap::new());
    loop {
        let text = next_text(tab).await.expect("news");
        let news: Value = serde_json::from_str(&text).expect("JSON");
        let news = &news["search"];
        assert_eq!(news["id"], moves.len(), "{text}");
        for row in news["rows"].as_array().into_iter().flatten() {
            visits.insert(row[0].to_string(), row[1].as_u64().expect("visits"));
        }
        if let Some(found) = news["head"]["line"].as_array() {
            line = found.iter().filter_map(Value::as_str).map(str::to_string).collect();
        }
        if news["head"]["stopped"].is_string() {
            return (line, visits.values().sum());
        }
    }
}

#[test]
fn the_agent_goes_on_with_its_tree_from_move_to_move_and_an_analysis_does_not() {
    let server = Running::start();
    server.block_on(async {
        for (role, goes_on) in [("play", true), ("analyse", false)] {
            let mut tab = connect(&server, &[]).await.expect("a socket");
            let (first, alone) = search(&mut tab, role, "awari", &[]).await;
            assert_eq!(alone, 1000);
            // Both sides are played by agents, each with a tree of its own.
            let (second, alone) = search(&mut tab, role, "awari", &first[..1]).await;
            assert_eq!(alone, 1000, "{role}: the other side's first search");
            let (_, more) = search(&mut tab, role, "awari", &first[..2]).await;
            assert_eq!(more > 1000, goes_on, "{role}: {more}");
            let line: Vec<String> = first[..1].iter().chain(&second[..2]).cloned().collect();
            let (_, more) = search(&mut tab, role, "awari", &line).await;
            assert_eq!(more > 1000, goes_on, "{role}: {more}");
            let (_, alone) = search(&mut tab, role, "awari(rules=oware)", &line[..1]).await;
            assert_eq!(alone, 1000, "{role}: another game");
        }
    });
}

#[test]
fn an_agent_that_is_to_play_is_checked_with_the_position() {
    let server = Running::start();
    server.block_on(async {
        let mut tab = connect(&server, &[]).await.expect("a socket");
        for (agent, reason) in [
            ("pn-mcts(pn=2)", None),
            ("pn-mcts(pn=abc)", Some("pn=abc is not allowed for pn-mcts")),
            ("stockfish", Some("unknown agent \"stockfish\"")),
        ] {
            let question = json!({"do": "position", "id": 1, "at": {"game": "loa"}, "agent": agent});
            tab.send(Message::text(question.to_string())).await.expect("sent");
            let answer: Value = serde_json::from_str(&next_text(&mut tab).await.expect("an answer")).expect("JSON");
            match reason {
                None => assert_eq!(answer["position"]["game"], "loa"),
                Some(reason) => {
                    assert!(answer["error"].as_str().is_some_and(|error| error.contains(reason)), "{answer}")
                }
            }
        }
    });
}

#[test]
fn a_page_opens_the_rules_files_that_the_server_was_started_with_and_no_others() {
    let own = |name: &str| format!("{}/../rules/tests/data/{name}", env!("CARGO_MANIFEST_DIR"));
    let mut registry = plyproof_engine::Registry::builtin();
    registry.add_file(&own("take.rbg")).expect("a rules file");
    let server = Running::with_games(registry);
    server.block_on(async {
        let mut tab = connect(&server, &[]).await.expect("a socket");
        for (game, opens) in [
            (own("take.rbg"), true),
            (format!("{}(size=4)", own("take.rbg")), true),
            (own("pawns.rbg"), false),
            ("/etc/passwd.rbg".to_string(), false),
            ("../secret.kif".to_string(), false),
        ] {
            let question = json!({"do": "position", "id": 1, "at": {"game": game}});
            tab.send(Message::text(question.to_string())).await.expect("sent");
            let answer: Value = serde_json::from_str(&next_text(&mut tab).await.expect("an answer")).expect("JSON");
            match opens {
                true => assert_eq!(answer["position"]["game"], game),
                false => assert!(
                    answer["error"].as_str().is_some_and(|error| error.contains("no file can be named here")),
                    "{answer}"
                ),
            }
        }
        // A file of games may name a game too.
        let text = format!("[Game \"{}\"]\n\n*\n", own("pawns.rbg"));
        let question = json!({"do": "read", "id": 2, "text": text});
        tab.send(Message::text(question.to_string())).await.expect("sent");
        let answer = next_text(&mut tab).await.expect("an answer");
        assert!(answer.contains("no file can be named here"), "{answer}");
    });
}

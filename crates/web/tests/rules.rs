//! Games whose rules a page sends as text: the server keeps nothing of them but the last compiled ones, and rules that are
//! made to take time or memory hold up nobody else.

mod common;

use std::time::Instant;

use common::{Running, Socket, connect, next_text, resident};
use futures_util::SinkExt;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

const ROW: &str = include_str!("../../rules/tests/data/three-in-a-row.rbg");
const PAWNS: &str = include_str!("../../rules/tests/data/pawns.rbg");

async fn ask(tab: &mut Socket, question: Value) -> Value {
    tab.send(Message::text(question.to_string())).await.expect("sent");
    serde_json::from_str(&next_text(tab).await.expect("an answer")).expect("JSON")
}

/// A large board whose compiled rules take much memory; each number is another text.
fn large(number: usize) -> String {
    let line = format!("[{}]", vec!["e"; 35].join(","));
    let board = vec![line.as_str(); 35].join(" ");
    let ways: String = (0..1500).map(|n| format!("(up^{} right^{})* (down^{})*", n % 11, n % 7, n % 5)).collect();
    format!(
        "// {number}\n#players = a(1), b(1)\n#pieces = e, x\n#variables =\n\
         #board = rectangle(up, down, left, right, {board})\n#rules = (->a {ways} [x] ->>)*\n"
    )
}

#[test]
fn a_game_is_played_measured_and_written_by_the_text_that_comes_with_each_request() {
    let server = Running::start();
    server.block_on(async {
        let mut tab = connect(&server, &[]).await.expect("a socket");
        let at = json!({"game": "row.rbg", "rules": ROW, "moves": ["rx1y1"]});
        let told = ask(&mut tab, json!({"do": "position", "id": 1, "at": at, "draw": true})).await;
        assert_eq!(told["position"]["legal"].as_array().map(Vec::len), Some(8), "{told}");
        assert_eq!(told["position"]["drawing"]["board"]["pieces"][0], json!(["none", "."]));
        let bare = ask(&mut tab, json!({"do": "position", "id": 2, "at": {"game": "row.rbg"}})).await;
        assert!(bare["error"].as_str().is_some_and(|why| why.contains("send the text")), "nothing is kept: {bare}");
        // A name stands for the text that comes with it, and for no other game.
        let other = json!({"game": "row.rbg", "rules": PAWNS});
        let told = ask(&mut tab, json!({"do": "position", "id": 3, "at": other})).await;
        assert_eq!(told["position"]["board"].as_str().map(|board| board.lines().count()), Some(5), "{told}");
        let taken = json!({"game": "loa", "rules": PAWNS});
        let told = ask(&mut tab, json!({"do": "position", "id": 4, "at": taken})).await;
        assert!(told["error"].as_str().is_some_and(|why| why.contains("choose another name")), "{told}");
        let search = json!({"do": "search", "id": 5, "role": "hint", "at": at, "agent": "mcts", "simulations": 50});
        tab.send(Message::text(search.to_string())).await.expect("sent");
        loop {
            let news = next_text(&mut tab).await.expect("news");
            if news.contains("\"stopped\"") {
                break;
            }
        }
        let asked = json!({"do": "balance", "id": 6, "game": "row.rbg", "rules": ROW, "agent": "mcts", "simulations": [5], "games": 2});
        tab.send(Message::text(asked.to_string())).await.expect("sent");
        loop {
            let news: Value = serde_json::from_str(&next_text(&mut tab).await.expect("news")).expect("JSON");
            if news["job"]["over"] == true {
                assert!(news["job"]["balance"].is_object(), "{news}");
                break;
            }
        }
        let game = json!({"game": "row.rbg", "rules": ROW, "nodes": [{}, {"move": "rx1y1"}]});
        let written = ask(&mut tab, json!({"do": "write", "id": 7, "format": "games", "games": [game]})).await;
        let text = written["text"].as_str().expect("a file").to_string();
        let read = ask(&mut tab, json!({"do": "read", "id": 8, "text": text, "rules": {"row.rbg": ROW}})).await;
        assert_eq!((&read["games"][0]["game"], &read["games"][0]["rules"]), (&"row.rbg".into(), &ROW.into()));
    });
}

#[test]
fn a_certificate_is_checked_by_the_rules_that_are_posted_before_it() {
    let server = Running::start();
    let mut registry = plyproof_engine::Registry::empty();
    registry.add_rules("row.rbg", ROW).expect("rules");
    let game = registry.open("row.rbg").expect("a game");
    let agent = plyproof_engine::Agent::parse("df-pn").expect("an agent");
    let task = plyproof_engine::SolveTask {
        agent: &agent,
        aim: plyproof_engine::Aim::Value,
        all_moves: false,
        proofs: true,
        budget: plyproof_engine::Budget::default(),
        seed: 1,
    };
    let mut texts = Vec::new();
    let stop = std::sync::atomic::AtomicBool::new(false);
    let solved = game.solve(&task, &stop, &mut |_| {}, &mut |head, entries| {
        texts.push(plyproof_engine::certificate::text(&*game, head, entries).map_err(|error| error.to_string())?);
        Ok(())
    });
    solved.expect("solved");
    let post = |rules: &str, certificate: &str| {
        let host = server.host();
        let body = format!("{rules}{certificate}");
        server.ask(&format!(
            "POST /api/verify?game=row.rbg&rules={} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nContent-Length: {}\r\n\
             Connection: close\r\n\r\n{body}",
            rules.len(),
            body.len()
        ))
    };
    let holds = post(ROW, &texts[0]);
    assert!(holds.contains("\"error\":null") && holds.contains("row.rbg from"), "{holds}");
    let other = post(&ROW.replace("Tic-tac-toe", "Noughts"), &texts[0]);
    assert!(other.contains("\"claim\":null") && other.contains("sha256"), "another text: {other}");
    assert!(post("", &texts[0]).contains("no file can be named here"));
    assert!(post("#rules", &texts[0]).contains("row.rbg:1:"), "rules with an error");
    let beyond = format!(
        "POST /api/verify?game=x.rbg&rules=99999999999 HTTP/1.1\r\nHost: {0}\r\nOrigin: http://{0}\r\nContent-Length: 2\r\n\
         Connection: close\r\n\r\n{{}}",
        server.host()
    );
    assert!(server.ask(&beyond).contains(" 413 "));
}

#[test]
fn texts_that_take_long_are_read_few_at_a_time_and_the_last_ones_alone_are_kept() {
    let server = Running::start();
    server.block_on(async {
        let before = resident();
        let mut tabs = Vec::new();
        for _ in 0..3 {
            tabs.push(connect(&server, &[]).await.expect("a socket"));
        }
        for (number, tab) in tabs.iter_mut().enumerate() {
            for text in 0..2 {
                let asked = json!({"do": "rules", "id": text, "name": "large.rbg", "text": large(10 * number + text)});
                tab.send(Message::text(asked.to_string())).await.expect("sent");
            }
        }
        // Whoever plays another game does not wait for them.
        let began = Instant::now();
        let mut quick = connect(&server, &[]).await.expect("a socket");
        let told = ask(&mut quick, json!({"do": "position", "id": 1, "at": {"game": "loa"}})).await;
        assert!(told["position"].is_object());
        let quickly = began.elapsed();
        for tab in &mut tabs {
            for _ in 0..2 {
                let told: Value = serde_json::from_str(&next_text(tab).await.expect("an answer")).expect("JSON");
                assert!(told["rules"].is_object() || told["error"].is_string(), "{told}");
            }
        }
        let all = began.elapsed();
        assert!(quickly < all / 2, "{quickly:?} of {all:?}");
        let grown = resident().saturating_sub(before) >> 20;
        assert!(grown < 800, "{grown} MB more");
    });
}

//! Random and mutated messages over HTTP and WebSocket: the server answers every one that can be answered, and goes on.
//!
//! `HOSTILE=100000 cargo test -p plyproof-web --release --test hostile` sends as many as that says.

// The figures are what the test is run for by hand.
#![allow(clippy::print_stdout)]

mod common;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use common::{Rng, Running, connect, next_text, resident};
use futures_util::SinkExt;
use tokio_tungstenite::tungstenite::Message;

/// Messages that mean something, to be bent.
const SEEDS: &[&str] = &[
    r#"{"do":"hello","id":1}"#,
    r#"{"do":"position","id":2,"at":{"game":"loa","start":null,"moves":["b1d3","a2c2"]}}"#,
    r#"{"do":"position","id":3,"at":{"game":"minishogi(repetition=standard)","start":"rbsgk/4p/5/P4/KGSBR b - 1 moves a2a3","moves":["e4e3"]}}"#,
    r#"{"do":"position","id":4,"at":{"game":"awari(rules=oware)","start":"4,4,4,4,4,4,4,4,4,4,4,4|0,0 1 moves 3 1 6","moves":["2"]}}"#,
    r#"{"do":"position","id":5,"at":{"game":"hex(size=3)","moves":["b2"]}}"#,
    r#"{"do":"search","id":6,"role":"analyse","at":{"game":"mnk(m=4,n=4,k=3)","moves":[]},"agent":"pn-mcts(pn=2)","simulations":20,"seconds":0.01,"seed":7,"view":{"moves":5,"why":true,"nodes":[[],["b2"]]}}"#,
    r#"{"do":"search","id":7,"role":"solve","at":{"game":"tictactoe","start":"xo./.x./o.. x"},"agent":"df-pn","simulations":50,"seconds":0.01}"#,
    r#"{"do":"search","id":8,"role":"play","at":{"game":"clobber(size=3x3)"},"agent":"minimax","simulations":50,"seconds":0.01}"#,
    r#"{"do":"watch","role":"analyse","view":{"moves":400,"why":true,"nodes":[[],["a1"],["a1","b2"]]}}"#,
    r#"{"do":"stop","role":"analyse"}"#,
];

const PATHS: &[&str] = &[
    "/",
    "/main.js",
    "/api/catalogue",
    "/api/runs",
    "/api/runs/match?path=x.jsonl",
    "/api/runs/file?path=../../x.svg",
    "/api/certificate?key=0123456789abcdef",
    "/api/verify",
    "/socket",
    "/boards/../../Cargo.toml",
    "/%2e%2e/%00",
    "/?token=x",
];

fn how_many(usual: u64) -> u64 {
    std::env::var("HOSTILE").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Bytes changed, cut, doubled, joined with those of another message, or nothing but noise.
fn bent(rng: &mut Rng, from: &[&str]) -> Vec<u8> {
    let mut bytes = from[rng.below(from.len())].as_bytes().to_vec();
    for _ in 0..=rng.below(4) {
        let at = rng.below(bytes.len().max(1));
        match rng.below(8) {
            0 => bytes.truncate(at),
            1 if !bytes.is_empty() => bytes[at] = rng.next() as u8,
            2 if !bytes.is_empty() => bytes[at] = b"{}[]\",:0-9eE.\\\0"[rng.below(15)],
            3 => bytes.extend_from_slice(from[rng.below(from.len())].as_bytes()),
            4 => bytes.extend(std::iter::repeat_n(b"[{9\"a"[rng.below(5)], rng.below(3000))),
            5 => bytes = (0..rng.below(200)).map(|_| rng.next() as u8).collect(),
            6 => {
                let (text, number) = (String::from_utf8_lossy(&bytes).into_owned(), rng.next().to_string());
                let numbers = ["-1", "1e999", "18446744073709551616", "0.0000001", &number];
                let digit = text.find(|c: char| c.is_ascii_digit()).unwrap_or(0);
                bytes = format!("{}{}{}", &text[..digit], numbers[rng.below(5)], text.get(digit + 1..).unwrap_or(""))
                    .into_bytes();
            }
            _ => {}
        }
    }
    bytes
}

#[test]
fn no_message_over_a_web_socket_stops_the_server() {
    let server = Running::start();
    let count = how_many(3000);
    let mut settled = 0;
    server.block_on(async {
        let mut rng = Rng(1);
        let mut sent = 0;
        while sent < count {
            if sent * 3 < count {
                settled = resident();
            }
            let mut socket = connect(&server, &[]).await.expect("the server answers");
            for _ in 0..200 {
                sent += 1;
                let bytes = bent(&mut rng, SEEDS);
                let message = match String::from_utf8(bytes) {
                    Ok(text) => Message::text(text),
                    Err(error) => Message::binary(error.into_bytes()),
                };
                // Too long a message closes the connection, which is right.
                if socket.send(message).await.is_err() {
                    break;
                }
            }
            // Whatever was said before, a sound question is still answered.
            if socket.send(Message::text(r#"{"do":"hello","id":4242}"#)).await.is_ok() {
                while let Some(text) = next_text(&mut socket).await {
                    if text.contains("4242") && text.contains("hello") {
                        break;
                    }
                }
            }
            let _ = socket.close(None).await;
        }
        let mut socket = connect(&server, &[]).await.expect("the server still answers");
        socket.send(Message::text(SEEDS[1])).await.expect("sent");
        let answer = next_text(&mut socket).await.expect("an answer");
        assert!(answer.contains(r#""legal":["#), "{answer}");
    });
    server.searches_end();
    // What a third of the messages have made of the memory, all of them may not make much more of.
    let after = resident();
    println!("{count} messages: {settled} bytes resident after a third of them, {after} at the end");
    assert!(after < settled + (64 << 20), "{settled} bytes after a third of the messages, {after} at the end");
}

#[test]
fn no_request_over_http_stops_the_server() {
    let server = Running::start();
    let mut rng = Rng(2);
    for _ in 0..how_many(1500) {
        let path = PATHS[rng.below(PATHS.len())];
        let method = ["GET", "POST", "HEAD", "PUT", "OPTIONS", "\u{1}"][rng.below(6)];
        let host = [server.host(), "evil.example".to_string(), String::new()][rng.below(5).min(2)].clone();
        let body = bent(&mut rng, SEEDS);
        let length = [body.len() as u64, 0, u64::MAX][rng.below(4).min(2)];
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
        );
        let mut request = head.into_bytes();
        request.extend(body);
        if rng.below(3) == 0 {
            let at = rng.below(request.len());
            request[at] = rng.next() as u8;
        }
        let Ok(mut stream) = TcpStream::connect(server.address()) else { panic!("the server is gone") };
        stream.set_read_timeout(Some(Duration::from_secs(10))).expect("a timeout");
        let _ = stream.write_all(&request);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let mut answer = [0; 64];
        let _ = stream.read(&mut answer);
    }
    assert!(server.get("/api/catalogue").starts_with("HTTP/1.1 200"));
}

#[test]
fn strangers_are_refused() {
    let server = Running::start();
    let status = |head: &str| server.ask(head).lines().next().unwrap_or_default().to_string();
    let host = server.host();
    assert!(status(&format!("GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")).contains(" 200"));
    assert!(status("GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n").contains(" 403"));
    let post = format!("POST /api/verify HTTP/1.1\r\nHost: {host}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    assert!(status(&post).contains(" 403"), "a post without Origin");
    assert!(status(&format!("DELETE / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")).contains(" 405"));
    let refused = server.block_on(connect(&server, &[("Origin", "http://evil.example")]));
    assert!(refused.is_err(), "another page's socket");
    let welcome = server.block_on(connect(&server, &[("Origin", &format!("http://{host}"))]));
    assert!(welcome.is_ok());
}

#[test]
fn a_message_that_is_too_long_closes_its_connection_and_no_other() {
    let server = Running::start();
    server.block_on(async {
        let mut quiet = connect(&server, &[]).await.expect("a socket");
        let mut loud = connect(&server, &[]).await.expect("a socket");
        let _ = loud.send(Message::text("x".repeat(1 << 20))).await;
        while next_text(&mut loud).await.is_some() {}
        quiet.send(Message::text(r#"{"do":"hello","id":1}"#)).await.expect("sent");
        assert!(next_text(&mut quiet).await.expect("an answer").contains("hello"));
    });
}

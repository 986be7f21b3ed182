//! The status page of a proof: who is let in, when questions are answered, and that nobody keeps others out.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::Duration;

use plyproof_engine::job_line::{JobLine, JobStanding};
use plyproof_web::{ServeError, StatusOptions, StatusServer};

const TOKEN: &str = "0123456789abcdef";
const LONG: Duration = Duration::from_secs(60);

fn line(event: &str, done: u64) -> JobLine {
    JobLine::new(event, done as f64, JobStanding { done, ..JobStanding::default() })
}

fn started(token: Option<&str>) -> StatusServer {
    let (token, game) = (token.map(str::to_string), "tictactoe".to_string());
    StatusServer::start(&StatusOptions { token, game, ..StatusOptions::default() }).expect("a free port")
}

fn host(server: &StatusServer) -> String {
    server.url().trim_start_matches("http://").split('/').next().expect("a host").to_string()
}

fn connected(host: &str) -> TcpStream {
    let stream = TcpStream::connect(host).expect("it listens");
    stream.set_read_timeout(Some(LONG)).expect("a timeout");
    stream
}

/// The answer to a request with further lines in its header, in full.
fn asked(host: &str, path: &str, lines: &str) -> String {
    let mut stream = connected(host);
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{lines}\r\n").expect("sent");
    let mut answer = String::new();
    let _ = stream.read_to_string(&mut answer);
    answer
}

#[test]
fn everything_is_for_those_alone_who_know_the_token() {
    let server = started(Some(TOKEN));
    let host = host(&server);
    for path in ["/", "/status.json", "/metrics", "/status.js", "/nothing"] {
        assert!(asked(&host, path, "").starts_with("HTTP/1.1 401"), "{path}");
        assert!(asked(&host, path, "Origin: http://evil.example\r\n").starts_with("HTTP/1.1 403"), "{path}");
    }
    let bearer = format!("Authorization: Bearer {TOKEN}\r\n");
    let metrics = asked(&host, "/metrics", &bearer);
    assert!(metrics.starts_with("HTTP/1.1 200"), "{metrics}");
    assert!(metrics.to_lowercase().contains("content-type: text/plain; version=0.0.4; charset=utf-8"), "{metrics}");
    assert!(metrics.contains("\nplyproof_jobs_done_total 0\n"), "{metrics}");
    let welcome = asked(&host, &format!("/?token={TOKEN}"), "");
    assert!(welcome.starts_with("HTTP/1.1 303") && welcome.contains("plyproof_token="), "{welcome}");
    let page = asked(&host, "/", &format!("Cookie: plyproof_token={TOKEN}\r\n"));
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("default-src 'none'"), "{page}");
    assert!(page.contains("status.js") && !page.contains("<style") && !page.contains(" style="), "{page}");
}

#[test]
fn it_does_not_listen_to_others_without_a_token() {
    let options = StatusOptions { host: Some("0.0.0.0".to_string()), ..StatusOptions::default() };
    match StatusServer::start(&options) {
        Err(ServeError::Options(why)) => assert!(why.contains("--metrics-token-file"), "{why}"),
        other => panic!("it was {}", if other.is_ok() { "started" } else { "refused for another reason" }),
    }
}

#[test]
fn every_file_that_the_page_names_is_there_and_nothing_else() {
    let server = started(None);
    let host = host(&server);
    for path in ["/", "/status.css", "/style.css", "/status.js", "/graph.js", "/dom.js", "/icon.svg", "/metrics"] {
        assert!(asked(&host, path, "").starts_with("HTTP/1.1 200"), "{path}");
    }
    for path in ["/index.html", "/main.js", "/../Cargo.toml", "/api/catalogue", "/socket"] {
        assert!(asked(&host, path, "").starts_with("HTTP/1.1 404"), "{path}");
    }
    assert!(asked(&host, "/status.json?after=x", "").starts_with("HTTP/1.1 400"));
}

#[test]
fn a_question_is_answered_when_something_happens_and_an_open_page_gets_the_end() {
    let server = started(None);
    let host = host(&server);
    server.tell(&line("begin", 0));
    assert!(asked(&host, "/status.json", "").contains("\"sequence\":1"));
    let there = host.clone();
    let page = thread::spawn(move || {
        let first = asked(&there, "/status.json?after=1&page=a", "");
        let second = asked(&there, "/status.json?after=2&page=a", "");
        (first, second)
    });
    // Whether it asks before or after this line, it hears of it.
    server.tell(&line("result", 7));
    let last = loop {
        // The page has its first answer and asks again, or is about to.
        if page.is_finished() || server.pages() > 0 {
            break line("end", 8);
        }
        thread::sleep(Duration::from_millis(5));
    };
    server.end(&last, LONG);
    let (first, second) = page.join().expect("answers");
    assert!(first.contains("\"done\":7") || first.contains("\"done\":8"), "{first}");
    assert!(second.contains("\"ended\":true") && second.contains("\"done\":8"), "{second}");
}

#[test]
fn a_page_that_was_closed_is_not_waited_for() {
    let server = started(None);
    let host = host(&server);
    server.tell(&line("begin", 0));
    let mut page = connected(&host);
    write!(page, "GET /status.json?after=1&page=b HTTP/1.1\r\nHost: {host}\r\n\r\n").expect("sent");
    while server.pages() == 0 {
        thread::sleep(Duration::from_millis(5));
    }
    drop(page);
    while server.pages() > 0 {
        thread::sleep(Duration::from_millis(5));
    }
    // It would be longer than the test may take.
    server.end(&line("end", 1), Duration::from_secs(3600));
}

#[test]
fn silent_connections_and_long_headers_keep_nobody_out() {
    let server = started(None);
    let host = host(&server);
    let silent: Vec<TcpStream> = (0..200).map(|_| connected(&host)).collect();
    let mut flood = connected(&host);
    let _ = flood.write_all(b"GET / HTTP/1.1\r\nX: ");
    let _ = flood.write_all(&vec![b'x'; 1 << 20]);
    assert!(asked(&host, "/metrics", "").starts_with("HTTP/1.1 200"));
    let mut said = Vec::new();
    let _ = flood.read_to_end(&mut said);
    assert!(!String::from_utf8_lossy(&said).contains(" 200 "), "a header has its limit");
    drop(silent);
}

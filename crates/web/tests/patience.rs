//! Peers that drip, hold, flood and do not listen: none keeps anybody else out, and nothing of them stays.
//!
//! Nothing here depends on how fast the machine is: what must end is waited for, and what must go on is asked for.

mod common;

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Barrier};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use common::{Running, connect, next_text};
use futures_util::SinkExt;
use plyproof_web::Limits;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpSocket;
use tokio_tungstenite::tungstenite::Message;

/// Longer than any test: what it limits is not what the test is about.
const NEVER: Duration = Duration::from_secs(3600);
const SHORT: Duration = Duration::from_millis(300);

/// Deadlines that nobody reaches.
fn patient() -> Limits {
    Limits { header: NEVER, stall: NEVER, body: NEVER, wait: NEVER, ..Limits::default() }
}

/// A connection on which nothing is waited for in vain.
fn open(to: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(to).expect("a connection");
    stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout");
    stream.set_write_timeout(Some(Duration::from_secs(60))).expect("a timeout");
    stream
}

/// Connections that send something, and then a byte now and then for as long as they are open.
struct Drip {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Drip {
    fn start(to: SocketAddr, count: usize, first: &str) -> Self {
        let connections: Vec<TcpStream> = (0..count)
            .map(|_| {
                let mut stream = open(to);
                stream.set_nonblocking(true).expect("a socket");
                let _ = stream.write(first.as_bytes());
                stream
            })
            .collect();
        let stop = Arc::new(AtomicBool::new(false));
        let raised = Arc::clone(&stop);
        let drip = move || {
            while !raised.load(Ordering::Relaxed) {
                connections.iter().for_each(|mut stream| drop(stream.write(b"x")));
                thread::sleep(Duration::from_millis(20));
            }
        };
        Self { stop, thread: Some(thread::spawn(drip)) }
    }
}

impl Drop for Drip {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// The first line of the answer that somebody at `from` gets.
fn status_for(server: &Running, from: &str) -> String {
    let from: SocketAddr = format!("{from}:0").parse().expect("an address");
    server.block_on(async {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.bind(from).expect("an address of this machine");
        let mut stream = socket.connect(server.address()).await.expect("the server listens");
        let head = format!("GET / HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", server.host());
        stream.write_all(head.as_bytes()).await.expect("sent");
        let mut answer = Vec::new();
        let read = tokio::time::timeout(Duration::from_secs(60), stream.read_to_end(&mut answer)).await;
        read.expect("an answer").expect("a whole answer");
        String::from_utf8_lossy(&answer).lines().next().unwrap_or_default().to_string()
    })
}

#[test]
fn a_header_that_drips_is_cut_off_though_each_byte_comes_in_time() {
    let server = Running::with(Limits { header: SHORT, ..patient() }, None);
    let _drip = Drip::start(server.address(), 40, "GET / HTTP/1.1\r\nHost: ");
    server.comes_to("closed", |usage| usage.connections == 0);
}

#[test]
fn connections_that_send_nothing_or_nothing_more_are_closed() {
    let server = Running::with(Limits { header: SHORT, ..patient() }, None);
    let _silent: Vec<TcpStream> = (0..20).map(|_| open(server.address())).collect();
    // A machine that is busy with other things may be too late with its request.
    server.comes_to("answered", |_| {
        let mut idle = open(server.address());
        let asked = write!(idle, "GET /icon.svg HTTP/1.1\r\nHost: {}\r\n\r\n", server.host());
        let mut answer = String::new();
        // The connection stays open after its answer, until the server closes it.
        asked.is_ok() && idle.read_to_string(&mut answer).is_ok() && answer.starts_with("HTTP/1.1 200")
    });
    server.comes_to("closed", |usage| usage.connections == 0);
}

#[test]
fn dripping_connections_of_one_address_lock_out_neither_others_nor_their_own() {
    let limits = Limits { connections: 64, peer: 32, ..patient() };
    let server = Running::with(limits, Some("0123456789abcdef"));
    let _drip = Drip::start(server.address(), 200, "GET / HTTP/1.1\r\nHost: ");
    server.comes_to("full", |usage| usage.connections == 32);
    for _ in 0..3 {
        assert!(status_for(&server, "127.0.0.1").contains(" 401"));
        if cfg!(target_os = "linux") {
            assert!(status_for(&server, "127.0.0.2").contains(" 401"));
        }
        assert!(server.usage().connections <= 33, "{:?}", server.usage());
    }
}

/// Other systems have no second address on loopback.
#[cfg(target_os = "linux")]
#[test]
fn dripping_connections_of_many_addresses_lock_out_nobody() {
    let server = Running::with(Limits { connections: 32, peer: 16, ..patient() }, None);
    let mut held = Vec::new();
    for last in 1..=4 {
        for _ in 0..16 {
            held.push(server.block_on(async {
                let socket = TcpSocket::new_v4().expect("a socket");
                socket.bind(SocketAddr::from(([127, 0, 1, last], 0))).expect("an address of this machine");
                let mut stream = socket.connect(server.address()).await.expect("the server listens");
                stream.write_all(b"GET / HTTP/1.1\r\n").await.expect("sent");
                stream
            }));
        }
    }
    server.comes_to("full", |usage| usage.connections == 32);
    assert!(status_for(&server, "127.0.0.1").contains(" 200"));
    assert!(server.usage().connections <= 32);
}

#[test]
fn a_web_socket_outlives_the_deadline_for_headers_and_never_gives_way() {
    let server = Running::with(Limits { header: SHORT, peer: 8, ..patient() }, None);
    // A machine that is busy with other things may be too late with its request.
    let mut tab = None;
    server.comes_to("answered", |_| {
        tab = server.block_on(connect(&server, &[])).ok();
        tab.is_some()
    });
    let mut tab = tab.expect("a socket");
    let _drip = Drip::start(server.address(), 30, "GET / HTTP/1.1\r\nHost: ");
    server.comes_to("left with the tab alone", |usage| usage.connections == 1);
    server.block_on(async {
        tokio::time::sleep(2 * SHORT).await;
        tab.send(Message::text(r#"{"do":"hello","id":7}"#)).await.expect("sent");
        assert!(next_text(&mut tab).await.expect("an answer").contains("hello"));
    });
}

#[test]
fn when_every_connection_of_an_address_is_in_use_the_next_is_refused_with_a_reason() {
    let server = Running::with(Limits { peer: 3, ..patient() }, None);
    let tabs: Vec<_> = (0..3).map(|_| server.block_on(connect(&server, &[])).expect("a socket")).collect();
    let mut answer = Vec::new();
    let _ = open(server.address()).read_to_end(&mut answer);
    let answer = String::from_utf8_lossy(&answer);
    assert!(answer.starts_with("HTTP/1.1 503") && answer.contains("this address has 3 connections"), "{answer}");
    drop(tabs);
    server.comes_to("free", |usage| usage.connections == 0);
    assert!(server.get("/").starts_with("HTTP/1.1 200"));
}

#[test]
fn who_does_not_take_the_answers_is_given_up() {
    let server = Running::with(Limits { stall: SHORT, ..patient() }, None);
    let mut deaf = open(server.address());
    deaf.set_nonblocking(true).expect("a socket");
    let request = format!("GET /main.js HTTP/1.1\r\nHost: {}\r\n\r\n", server.host());
    // More questions than the buffers on the way have room for answers.
    server.comes_to("closed", |usage| {
        let gone = deaf.write(request.repeat(50).as_bytes()).is_err_and(|e| e.kind() != std::io::ErrorKind::WouldBlock);
        gone && usage.connections == 0
    });
}

fn post(server: &Running, length: impl std::fmt::Display) -> String {
    let host = server.host();
    format!(
        "POST /api/verify HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nContent-Length: {length}\r\n\
         Connection: close\r\n\r\n"
    )
}

#[test]
fn a_certificate_that_drips_is_refused_and_its_memory_comes_back() {
    let server = Running::with(Limits { body: SHORT, ..patient() }, None);
    let _drip = Drip::start(server.address(), 6, &post(&server, 1 << 20));
    // Two at a time have their turn, and this one after them.
    let mut stream = open(server.address());
    stream.write_all(post(&server, 100).as_bytes()).expect("sent");
    let mut answer = [0; 12];
    stream.read_exact(&mut answer).expect("an answer");
    assert_eq!(&answer, b"HTTP/1.1 408");
    server.comes_to("done", |usage| usage.checks == 0 && usage.memory == 0);
}

#[test]
fn a_flood_of_certificates_stays_within_the_memory_and_the_rest_is_refused_with_a_reason() {
    let budget = 48 << 20;
    let server = Running::with_memory(budget, Limits { wait: SHORT, ..patient() }, None);
    let length = 20 << 20;
    let all_have_sent = Arc::new(Barrier::new(12));
    let senders: Vec<JoinHandle<String>> = (0..12)
        .map(|_| {
            let (to, head, all_have_sent) = (server.address(), post(&server, length), Arc::clone(&all_have_sent));
            thread::spawn(move || {
                let mut stream = open(to);
                stream.write_all(head.as_bytes()).expect("sent");
                // What is let in waits for its last byte, so that nobody is let in after it.
                let part = vec![b'x'; 1 << 16];
                let mut left = length - 1;
                while left > 0 {
                    let Ok(sent) = stream.write(&part[..left.min(part.len())]) else { break };
                    left -= sent;
                }
                all_have_sent.wait();
                let _ = stream.write_all(b"x");
                let mut answer = String::new();
                let _ = stream.read_to_string(&mut answer);
                answer
            })
        })
        .collect();
    while senders.iter().any(|sender| !sender.is_finished()) {
        let usage = server.usage();
        assert!(usage.memory <= budget && usage.checks <= 2, "{usage:?}");
        thread::sleep(Duration::from_millis(1));
    }
    let answers: Vec<String> = senders.into_iter().map(|sender| sender.join().expect("an answer")).collect();
    let refused = answers.iter().filter(|answer| answer.starts_with("HTTP/1.1 503")).count();
    let checked = answers.iter().filter(|answer| answer.starts_with("HTTP/1.1 200")).count();
    assert_eq!((checked, refused), (1, 11), "{answers:?}");
    let with_reason =
        |answer: &&String| answer.contains("being checked already") || answer.contains("MB of memory are not free");
    assert_eq!(answers.iter().filter(with_reason).count(), refused, "{answers:?}");
    server.comes_to("whole again", |usage| usage.memory == 0 && usage.checks == 0);
}

#[test]
fn a_certificate_that_says_it_is_too_large_is_refused_before_it_is_sent() {
    let server = Running::with(patient(), None);
    let head = post(&server, 65 << 20).replace("\r\n\r\n", "\r\nExpect: 100-continue\r\n\r\n");
    let answer = server.ask(&head);
    assert!(answer.starts_with("HTTP/1.1 413") && answer.contains("more than 64 MB"), "{answer}");
}

#[test]
fn a_certificate_is_checked_whether_or_not_it_says_how_long_it_is() {
    let server = Running::with_memory(32 << 20, patient(), None);
    let (mut tab, key) = server.block_on(async {
        let mut tab = connect(&server, &[]).await.expect("a socket");
        let at = r#"{"game":"tictactoe","start":"x.x/.o./o.. x"}"#;
        let request = format!(r#"{{"do":"search","id":1,"role":"solve","at":{at},"agent":"df-pn"}}"#);
        tab.send(Message::text(request)).await.expect("sent");
        loop {
            let news = next_text(&mut tab).await.expect("news");
            if let Some((_, after)) = news.split_once(r#""key":""#) {
                let key = after.split('"').next().unwrap_or_default().to_string();
                break (tab, key);
            }
        }
    });
    let path = format!("/api/certificate?key={key}");
    let mut fetched = Vec::new();
    let mut stream = open(server.address());
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", server.host()).expect("sent");
    stream.read_to_end(&mut fetched).expect("a certificate");
    let body = fetched.windows(4).position(|four| four == b"\r\n\r\n").expect("a header") + 4;
    let certificate = &fetched[body..];
    let whole = [post(&server, certificate.len()).as_bytes(), certificate].concat();
    let answer = server.ask_bytes(&whole);
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("the first player wins"), "{answer}");
    let chunked = post(&server, 0).replace("Content-Length: 0", "Transfer-Encoding: chunked");
    let chunk = |bytes: &[u8]| [format!("{:x}\r\n", bytes.len()).as_bytes(), bytes, b"\r\n"].concat();
    let (one, two) = certificate.split_at(certificate.len() / 2);
    let answer = server.ask_bytes(&[chunked.as_bytes(), &chunk(one), &chunk(two), b"0\r\n\r\n"].concat());
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("the first player wins"), "{answer}");
    // Without end, it is let in until the memory is used up.
    let much = chunk(&vec![b'x'; 30 << 20]);
    let answer = server.ask_bytes(&[chunked.as_bytes(), &much, b"0\r\n\r\n"].concat());
    assert!(answer.starts_with("HTTP/1.1 503") && answer.contains("MB of memory are not free"), "{answer}");
    server.block_on(tab.close(None)).expect("closed");
    drop(tab);
    server.comes_to("whole again", |usage| usage.memory == 0 && usage.checks == 0);
}

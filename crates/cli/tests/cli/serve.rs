//! `plyproof serve`: what it refuses, that it answers, and that Ctrl-C ends it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Stdio;

use crate::run::{command, plyproof};

#[test]
fn options_that_open_a_door_or_make_no_sense_are_refused() {
    for (arguments, part) in [
        (&["serve", "--host", "0.0.0.0"][..], "give a secret of 16 or more letters and digits with --token"),
        (&["serve", "--token", "secret"], "use 16 or more"),
        (&["serve", "--token", "0123456789 abcdef"], "letters, digits"),
        (&["serve", "--runs", "no such folder"], "--runs no such folder"),
        (&["serve", "--port", "66000"], "66000"),
    ] {
        let ran = plyproof(arguments);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{arguments:?}: {}", ran.err);
        assert!(ran.err.contains(part), "{arguments:?}: {}", ran.err);
    }
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let ran = plyproof(&["serve", "--port", &port]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.err.contains("choose another port"), "{}", ran.err);
}

#[test]
fn the_page_is_there_as_soon_as_its_address_is_printed() {
    let mut server = command(&["serve", "--port", "0"]).stdout(Stdio::piped()).spawn().expect("the binary runs");
    let mut line = String::new();
    BufReader::new(server.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
    let host = line.trim().rsplit("http://").next().expect("an address").trim_end_matches('/').to_string();
    let mut stream = TcpStream::connect(&host).expect("it listens");
    write!(stream, "GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    server.kill().expect("it runs");
    let _ = server.wait();
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("<title>plyproof</title>"), "{answer}");
    assert!(answer.to_lowercase().contains("content-security-policy: default-src 'none'"), "{answer}");
}

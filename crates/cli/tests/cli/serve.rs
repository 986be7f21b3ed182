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

/// The server says where the page is even if no browser can be opened: `opener` is what `xdg-open` does.
#[cfg(target_os = "linux")]
fn opened_by(name: &str, opener: Option<&str>) -> String {
    use std::os::unix::fs::PermissionsExt;

    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("a folder for tests");
    if let Some(opener) = opener {
        let path = folder.join("xdg-open");
        std::fs::write(&path, format!("#!/bin/sh\n{opener}\n")).expect("a file for tests");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("a script");
    }
    let mut serve = command(&["serve", "--port", "0", "--open"]);
    let mut server =
        serve.env("PATH", &folder).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the binary runs");
    let stderr = server.stderr.take().expect("a pipe");
    let (said, hears) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut line = String::new();
        let _ = BufReader::new(stderr).read_line(&mut line);
        said.send(line)
    });
    // Only a server that says nothing is waited for so long.
    let line = hears.recv_timeout(std::time::Duration::from_secs(60));
    server.kill().expect("it runs");
    let _ = server.wait();
    line.expect("a line on standard error")
}

#[cfg(target_os = "linux")]
#[test]
fn a_browser_that_cannot_be_opened_is_named_with_the_address_to_type() {
    for (name, opener) in [("no-display", Some("exit 3")), ("no-opener", None)] {
        let line = opened_by(name, opener);
        assert!(line.starts_with("plyproof: no browser could be opened ("), "{name}: {line}");
        assert!(line.trim_end().ends_with('/') && line.contains(" http://127.0.0.1:"), "{name}: {line}");
    }
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

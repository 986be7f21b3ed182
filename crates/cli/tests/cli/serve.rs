//! `plyproof serve`: what it refuses, that it answers, where its token comes from, what memory it takes, and what ends it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::run::{TemporaryFile, command, plyproof, ran};

const VARIABLE: &str = "PLYPROOF_TOKEN";

/// A server that runs, and ends with this.
struct Serving {
    child: Child,
    /// The address that it printed.
    url: String,
}

impl Serving {
    fn start(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the binary runs");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
        let url = line.trim().rsplit(' ').next().expect("an address").to_string();
        Self { child, url }
    }

    fn host(&self) -> &str {
        self.url.trim_start_matches("http://").split('/').next().expect("a host")
    }

    fn get(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(self.host()).expect("it listens");
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.host()).expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        answer
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// `plyproof serve` on any free port, with these further arguments.
fn serve(arguments: &[&str]) -> Command {
    let mut command = command(&[&["serve", "--port", "0"], arguments].concat());
    command.env_remove(VARIABLE);
    command
}

#[test]
fn options_that_open_a_door_or_make_no_sense_are_refused() {
    for (arguments, part) in [
        (&["serve", "--host", "0.0.0.0"][..], "give a secret of 16 or more letters and digits with --token"),
        (&["serve", "--token", "secret"], "use 16 or more"),
        (&["serve", "--token", ""], "--token is empty"),
        (&["serve", "--token-file", "no such file"], "--token-file no such file: "),
        (&["serve", "--token", "0123456789 abcdef"], "letters, digits"),
        (&["serve", "--runs", "no such folder"], "--runs no such folder"),
        (&["serve", "--port", "66000"], "66000"),
    ] {
        let ran = ran(command(arguments).env_remove(VARIABLE).output().expect("the binary runs"));
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
    let answer = Serving::start(&mut serve(&[])).get("/");
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("<title>plyproof</title>"), "{answer}");
    assert!(answer.to_lowercase().contains("content-security-policy: default-src 'none'"), "{answer}");
}

#[test]
fn a_token_comes_from_an_argument_or_a_file_or_else_from_the_environment() {
    let (first, second) = ("0123456789abcdef", "fedcba9876543210");
    let unix = TemporaryFile::new("serve-token", format!("{first}\n").as_bytes());
    let windows = TemporaryFile::new("serve-token-windows", format!("{first}\r\n").as_bytes());
    for (mut command, token) in [
        (serve(&["--token-file", unix.path()]), first),
        (serve(&["--token-file", windows.path()]), first),
        (serve(&[]), second),
        (serve(&["--token", first]), first),
        (serve(&["--token-file", unix.path()]), first),
    ] {
        let server = Serving::start(command.env(VARIABLE, second));
        assert_eq!(server.url, format!("http://{}/?token={token}", server.host()));
        assert!(server.get("/").starts_with("HTTP/1.1 401"));
        assert!(server.get(&format!("/?token={token}")).starts_with("HTTP/1.1 303"));
    }
}

#[test]
fn a_token_that_is_empty_or_no_text_is_refused_wherever_it_comes_from() {
    let file = |name, bytes: &[u8]| TemporaryFile::new(name, bytes);
    let (empty, blank) = (file("serve-token-empty", b""), file("serve-token-blank", b"\n"));
    let (noise, long) = (file("serve-token-noise", b"\xff\xfe"), file("serve-token-long", &[b'x'; 5000]));
    let two_lines = file("serve-token-lines", b"0123456789abcdef\n0123456789abcdef\n");
    for (path, part) in [
        (empty.path(), "is empty; give a secret of 16 or more"),
        (blank.path(), "is empty; give a secret of 16 or more"),
        (noise.path(), "it is no UTF-8 text"),
        (long.path(), "it is longer than 4096 bytes"),
        (two_lines.path(), "a token is made of letters, digits"),
    ] {
        ran(serve(&["--token-file", path]).output().expect("the binary runs")).refused(2, part);
    }
    ran(serve(&[]).env(VARIABLE, "").output().expect("the binary runs")).refused(2, "PLYPROOF_TOKEN is empty");
    let both = serve(&["--token", "0123456789abcdef", "--token-file", blank.path()]).output();
    ran(both.expect("the binary runs")).refused(2, "cannot be used with");
}

#[cfg(unix)]
#[test]
fn an_interrupt_and_a_termination_end_the_server_in_good_order() {
    for signal in ["-INT", "-TERM"] {
        let mut server = Serving::start(&mut serve(&[]));
        assert!(server.get("/").starts_with("HTTP/1.1 200"));
        let sent = Command::new("kill").args([signal, &server.child.id().to_string()]).status();
        assert!(sent.expect("kill runs").success());
        let began = Instant::now();
        let status = loop {
            if let Some(status) = server.child.try_wait().expect("it ran") {
                break status;
            }
            assert!(began.elapsed() < Duration::from_secs(60), "{signal}: it goes on");
            std::thread::sleep(Duration::from_millis(5));
        };
        assert_eq!(status.code(), Some(0), "{signal}: {status}");
    }
}

/// Where the system tells how much memory a process takes.
#[cfg(target_os = "linux")]
#[test]
fn a_flood_of_certificates_takes_no_more_than_the_memory_and_gives_it_back() {
    const MEGABYTE: usize = 1 << 20;
    let server = Serving::start(&mut serve(&["--memory", "64MiB"]));
    let megabytes = |what: &str| {
        let status = std::fs::read_to_string(format!("/proc/{}/status", server.child.id())).expect("a status");
        let line = status.lines().find_map(|line| line.strip_prefix(what)).expect("a line");
        line.trim().trim_end_matches("kB").trim().parse::<usize>().expect("a number") / 1024
    };
    let before = megabytes("VmRSS:");
    let send = || {
        let host = server.host();
        let mut stream = TcpStream::connect(host).expect("it listens");
        let length = 41 * MEGABYTE;
        let head = format!(
            "POST /api/verify HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nContent-Length: {length}\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).expect("sent");
        let part = vec![b'x'; MEGABYTE];
        // All but the end of it, unless the server closes before.
        let _ = (0..40).try_for_each(|_| stream.write_all(&part));
        stream
    };
    let held: Vec<TcpStream> = std::thread::scope(|scope| {
        let senders: Vec<_> = (0..8).map(|_| scope.spawn(send)).collect();
        senders.into_iter().map(|sender| sender.join().expect("sent")).collect()
    });
    let most = megabytes("VmHWM:");
    assert!(most < before + 64 + 32, "{before} MB before the flood, {most} MB in it");
    drop(held);
    let began = Instant::now();
    while megabytes("VmRSS:") > before + 24 {
        assert!(began.elapsed() < Duration::from_secs(60), "{} MB after the flood", megabytes("VmRSS:"));
        std::thread::sleep(Duration::from_millis(20));
    }
}

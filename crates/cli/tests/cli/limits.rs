//! What the system grants and asks: little memory, few threads, SIGTERM.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::json;

use crate::matches::Folder;
use crate::run::{Ran, command, ran, zipped};

/// Runs with so much address space, in kilobytes.
fn within(kilobytes: u32, arguments: &[&str]) -> Ran {
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -v $0 && exec \"$@\"", &kilobytes.to_string(), env!("CARGO_BIN_EXE_plyproof")]);
    ran(shell.args(arguments).output().expect("a shell"))
}

#[test]
fn a_record_of_repeated_lines_is_summed_up_in_little_memory() {
    let folder = Folder::new("repeated");
    let path = folder.file("repeated.jsonl.gz");
    let side = json!({"agent": "mcts", "simulations": 5});
    let header = json!({"record": "plyproof match", "format": 1, "version": "0.1.0", "game": "tictactoe",
        "a": side, "b": side, "seed": 1, "openings": 0, "max_plies": 2500});
    let game = json!({"pair": 0, "game": 0, "first": "a", "moves": "a1 b2 c3 a2 a3", "result": "win",
        "reason": "game-over", "plies": 5, "sims_a": [5, 5, 5], "sims_b": [5, 5], "proven_a": {}, "proven_b": {},
        "ms_a": 1.0, "ms_b": 1.0});
    let copies = 600_000;
    fs::write(&path, zipped(format!("{header}\n{}", format!("{game}\n").repeat(copies)).as_bytes())).expect("written");
    // Kept line by line they took 190 MB.
    let listed = within(120_000, &["report", &path, "--format", "json"]).json();
    assert_eq!((&listed[0]["games"], &listed[0]["repeated"]), (&1.into(), &(copies - 1).into()));
}

#[test]
fn a_match_goes_on_with_fewer_threads_than_were_asked_for() {
    let arguments = ["match", "tictactoe", "random", "random", "--sims", "1", "--games", "500", "--quiet", "--json"];
    // A thread reserves two megabytes, so a limit of one gigabyte leaves no room for 500.
    let summary = within(1_000_000, &[&arguments[..], &["--jobs", "500"]].concat()).json();
    assert_eq!((&summary["games"], &summary["complete"]), (&500.into(), &true.into()));
}

#[test]
fn the_browser_of_the_workbench_can_be_terminated() {
    let folder = Folder::new("browser");
    let (opener, told) = (folder.file("xdg-open"), folder.file("blocked"));
    fs::write(&opener, format!("#!/bin/sh\ngrep SigBlk /proc/self/status > {told}.part && mv {told}.part {told}\n"))
        .expect("written");
    fs::set_permissions(&opener, fs::Permissions::from_mode(0o755)).expect("a program");
    let path = format!("{}:{}", folder.file(""), std::env::var("PATH").unwrap_or_default());
    let serve = command(&["serve", "--port", "0", "--open"]).env("PATH", path).stdout(Stdio::piped()).spawn();
    let serve = serve.expect("the binary runs");
    while fs::metadata(&told).is_err() {
        std::thread::sleep(Duration::from_millis(5));
    }
    // Signal 15 is bit 14.
    let text = fs::read_to_string(&told).expect("a line");
    let mask = text.trim().rsplit(['\t', ' ']).next().and_then(|word| u64::from_str_radix(word, 16).ok());
    assert_eq!(mask.map(|mask| mask >> 14 & 1), Some(0), "{text}");
    let sent = Command::new("kill").args(["-TERM", &serve.id().to_string()]).status();
    assert!(sent.expect("kill runs").success());
    let run = ran(serve.wait_with_output().expect("it ends"));
    assert_eq!(run.code, Some(0), "the workbench ends as with Ctrl-C: {}", run.err);
}

//! Progress on a terminal of a given width: no line is ever wider, and the score can always be read.

use std::fs::{self, File};
use std::io::Read;
use std::os::fd::OwnedFd;
use std::process::Stdio;

use rustix::pty::{OpenptFlags, grantpt, ioctl_tiocgptpeer, openpt, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::matches::Folder;
use crate::run::command;

/// What a command writes to standard error, a terminal of so many columns, line by line as they stand there one after
/// the other.
fn shown(columns: u16, arguments: &[&str]) -> Vec<String> {
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY;
    let ours = openpt(flags).expect("a pseudo-terminal");
    grantpt(&ours).and_then(|()| unlockpt(&ours)).expect("a usable pseudo-terminal");
    tcsetwinsize(&ours, Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 }).expect("a size");
    let theirs: OwnedFd = ioctl_tiocgptpeer(&ours, flags).expect("its other end");
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let mut child = command(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::from(theirs))
        .spawn()
        .expect("the binary runs");
    let (mut written, mut buffer) = (Vec::new(), [0; 4096]);
    let mut ours = File::from(ours);
    // At the end, when nobody has the other end open, reading is an error.
    while let Ok(read @ 1..) = ours.read(&mut buffer) {
        written.extend(&buffer[..read]);
    }
    assert!(child.wait().is_ok_and(|status| status.code().is_some_and(|code| code < 2)), "{arguments:?}");
    let text = String::from_utf8(written).expect("UTF-8").replace("\x1b[K", "");
    text.split(['\r', '\n']).filter(|line| !line.is_empty()).map(str::to_string).collect()
}

#[track_caller]
fn fits(columns: u16, lines: &[String]) {
    assert!(!lines.is_empty(), "nothing was shown");
    for line in lines {
        assert!(line.chars().count() < columns.into(), "{columns} columns: {line}");
    }
}

#[test]
fn the_progress_of_every_command_fits_the_terminal() {
    let solve = ["solve", "breakthrough(size=5x6)", "--time", "1s", "--memory", "64MB", "--agent", "df-pn"];
    let bench = ["bench", "search", "--game", "breakthrough(size=5x6)", "--seconds", "0.01"];
    for columns in [30, 80] {
        // The last line is the error that the value is unknown; it stays and may be longer.
        let lines = shown(columns, &solve);
        let progress: Vec<String> = lines.into_iter().filter(|line| !line.starts_with("plyproof: ")).collect();
        fits(columns, &progress);
        assert!(progress.iter().all(|line| line.contains("pn ")), "{progress:?}");
        fits(columns, &shown(columns, &bench));
    }
    let folder = Folder::new("terminal-table");
    fits(10, &shown(10, &["table", "loa(size=3)", "--out", &folder.file("loa3.table")]));
}

#[test]
fn the_score_is_visible_in_every_line_of_a_match() {
    let agents = ["plyproof(pn=2,norm=children,solver=0,decisive=tree)", "mcts(c=0.7,solver=0,decisive=both)"];
    let play = ["--sims", "10", "--games", "20"];
    let tournament = [&["tournament", "tictactoe", agents[0], agents[1]], &play[..]].concat();
    for columns in [30, 80, 160] {
        let lines = shown(columns, &tournament);
        fits(columns, &lines);
        assert!(lines.last().is_some_and(|line| line.contains("score ") && line.ends_with('%')), "{lines:?}");
        assert!(lines.iter().all(|line| line.contains("score ") || line.contains("game 0 of")), "{lines:?}");
    }
    let lines = shown(80, &[&["match", "tictactoe"], &play[..]].concat());
    fits(80, &lines);
    assert!(lines.last().is_some_and(|line| line.contains("score ") && line.contains("win rate ")), "{lines:?}");
}

const PLAN: &str = "name = 'weights'\ngame = 'tictactoe'\na = 'plyproof(pn={weight_of_the_proof_numbers},solver={solver})'\n\
                    b = 'mcts'\nsims = 10\ngames = 8\n[grid]\nweight_of_the_proof_numbers = [0.125, 1e6]\nsolver = [0]\n";

#[test]
fn a_sweep_uses_the_width_of_the_terminal_and_cuts_the_label_first() {
    let folder = Folder::new("terminal-sweep");
    let plan = folder.file("weights.toml");
    fs::write(&plan, PLAN).expect("a writable directory for tests");
    for (columns, whole) in [(80, false), (160, true)] {
        let lines = shown(columns, &["sweep", &plan, "--out", &folder.file(&columns.to_string())]);
        let games: Vec<&String> = lines.iter().filter(|line| line.contains("game 8 of 8")).collect();
        assert_eq!(games.len(), 2, "{lines:?}");
        for line in games {
            assert!(line.chars().count() < columns.into() && line.contains("  score "), "{columns}: {line}");
            assert_eq!(line.contains('…'), !whole, "{columns}: {line}");
            assert_eq!(line.contains("win rate "), whole, "{columns}: {line}");
        }
    }
}

#[test]
fn a_quiet_command_shows_nothing_on_a_terminal() {
    let quiet = shown(80, &["match", "tictactoe", "--sims", "10", "--games", "4", "--quiet"]);
    assert_eq!(quiet, Vec::<String>::new());
    let json = shown(80, &["solve", "loa(size=4)", "--memory", "64MB", "--json"]);
    assert_eq!(json, Vec::<String>::new());
}

//! `plyproof verify`: whether a certificate proves what it claims.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use plyproof_lab::certificate::{Checked, Limits, Progress, VerifyError, verify_file};
use plyproof_lab::units::{elapsed_text, parse_size};
use plyproof_lab::{Player, default_memory};
use serde::Serialize;

use crate::interrupt::stop_on_interrupt;
use crate::output::{self, Done, Failure, counted, grouped, visible};

/// Check a certificate: a proof that a player wins, or gets at least so much
#[derive(clap::Args)]
#[command(after_help = "Only the rules of the game are believed, nothing of what wrote the certificate.\n\
    It says itself which game, position and goal it is about: read what was verified.\n\
    Exit code 1 if anything in it is wrong; the first such line is named.\n\nExamples:\n  \
    plyproof verify proof.cert.gz\n  \
    plyproof verify proof.cert --memory 8GB --json")]
pub struct Arguments {
    /// The certificate, plain or gzipped
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Memory for the positions it lists, as in 2GB [default: a quarter of the machine's]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    memory: Option<u64>,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Json<'a> {
    verified: bool,
    game: &'a str,
    rules: u32,
    position: &'a str,
    player: &'static str,
    goal: String,
    claim: String,
    entries: u64,
    replies: u64,
    bytes: u64,
    seconds: f64,
}

pub fn run(arguments: &Arguments) -> Done {
    let stop = stop_on_interrupt()?;
    let began = Instant::now();
    let mut live = Live { shown: None, on: io::stderr().is_terminal() };
    let limits = Limits {
        memory: arguments.memory.unwrap_or_else(default_memory),
        stop: &stop,
        progress: &mut |progress| live.show(progress),
    };
    let checked = verify_file(&arguments.file, limits);
    live.clear();
    let Checked { header, verified } = checked.map_err(|error| match error.error {
        VerifyError::Stopped => Failure::Interrupted,
        _ => Failure::failed(error),
    })?;
    let seconds = began.elapsed().as_secs_f64();
    if arguments.json {
        return output::print_json(&Json {
            verified: true,
            game: &header.game,
            rules: header.rules,
            position: &header.position,
            player: if header.player == Player::FIRST { "first" } else { "second" },
            goal: header.goal.to_string(),
            claim: header.claim(),
            entries: verified.entries,
            replies: verified.replies,
            bytes: verified.bytes,
            seconds,
        });
    }
    output::print(&format!(
        "verified: {} ({}, rules version {}, {})\n",
        visible(&header.claim()),
        counted(verified.entries, "entry", "entries"),
        header.rules,
        elapsed_text(seconds)
    ))
}

/// How far it is, on a terminal.
struct Live {
    shown: Option<Instant>,
    on: bool,
}

impl Live {
    fn show(&mut self, progress: Progress) {
        const INTERVAL: Duration = Duration::from_millis(100);
        if self.on && self.shown.is_none_or(|last| last.elapsed() >= INTERVAL) {
            self.shown = Some(Instant::now());
            let Progress { read, expected } = progress;
            put(&format!("\r{} of {} entries\u{1b}[K", grouped(read), grouped(expected)));
        }
    }

    fn clear(&self) {
        if self.shown.is_some() {
            put("\r\u{1b}[K");
        }
    }
}

/// Progress that cannot be shown is no reason to stop.
fn put(text: &str) {
    let mut err = io::stderr().lock();
    let _ = err.write_all(text.as_bytes()).and_then(|()| err.flush());
}

//! `plyproof verify`: whether a certificate proves what it claims.

use std::path::PathBuf;
use std::time::Instant;

use plyproof_engine::certificate::{Checked, Limits, Progress, VerifyError, verify_file, verify_file_with};
use plyproof_engine::units::{elapsed_text, parse_size};
use plyproof_engine::{Player, Registry, RulesId, default_memory, rules};
use serde::Serialize;

use crate::interrupt::stop_on_interrupt;
use crate::output::{self, Done, Failure, counted, grouped, visible};
use crate::terminal::{Line, StatusLine};

/// Check a certificate: a proof that a player wins, or gets at least a draw or a margin
#[derive(clap::Args)]
#[command(after_help = "The verifier trusts only the rules of the game, not the program that wrote the certificate.\n\
    A certificate names its own game, position and goal: read the claim that is printed.\n\
    The exit code is 1 if anything in the file is wrong; the error names the first wrong line.\n\nExamples:\n  \
    plyproof verify proof.cert.gz\n  \
    plyproof verify proof.cert --memory 8GB --json\n  \
    plyproof verify proof.cert --rules moved/here.rbg")]
pub struct Arguments {
    /// The certificate, plain or gzipped
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// File with the rules of the game, if it is not where the certificate says; its digest has to be that of the certificate
    #[arg(long, value_name = "FILE")]
    rules: Option<String>,
    /// Memory limit for the listed positions, as in 2GB [default: a quarter of the machine's]
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
    rules: serde_json::Value,
    position: &'a str,
    player: &'static str,
    goal: String,
    claim: String,
    entries: u64,
    replies: u64,
    bytes: u64,
    seconds: f64,
}

pub fn run(registry: &Registry, arguments: &Arguments) -> Done {
    let stop = stop_on_interrupt()?;
    let began = Instant::now();
    let mut status = StatusLine::new(true);
    let limits = Limits {
        memory: arguments.memory.unwrap_or_else(default_memory),
        stop: &stop,
        progress: &mut |Progress { read, expected }| {
            if status.is_due() {
                let read = format!("{} of {} entries", grouped(read), grouped(expected));
                status.show(&Line::new("").part(1, read));
            }
        },
    };
    let checked = match &arguments.rules {
        None => verify_file(registry, &arguments.file, limits),
        Some(rules) => {
            let text = rules::read(rules).map_err(Failure::failed)?;
            verify_file_with(registry, &arguments.file, (rules, &text), limits)
        }
    };
    status.clear();
    let Checked { header, verified } = checked.map_err(|error| match error.error {
        VerifyError::Stopped => Failure::Interrupted,
        VerifyError::Refused(ref fault) if fault.what.ends_with("there is no such file") => {
            Failure::Failed(format!("{error}; --rules FILE says where the rules are now"))
        }
        _ => Failure::failed(error),
    })?;
    let seconds = began.elapsed().as_secs_f64();
    if arguments.json {
        return output::print_json(&Json {
            verified: true,
            game: &header.game,
            rules: match &header.rules {
                RulesId::Version(version) => (*version).into(),
                RulesId::Digest(digest) => digest.as_str().into(),
            },
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
        "verified: {} ({}, rules {}, {})\n",
        visible(&header.claim()),
        counted(verified.entries, "entry", "entries"),
        header.rules.name(),
        elapsed_text(seconds)
    ))
}

//! `plyproof serve`: the workbench, a page to play, analyse and prove on.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use plyproof_engine::units::{parse_size, size_text};
use plyproof_engine::{Registry, Source, default_memory, machine_memory};
use plyproof_web::{Limits, Options, SHORTEST_TOKEN, ServeError, Server};

use crate::input::{cores, threads};
use crate::interrupt::{spawn, stop_on_interrupt};
use crate::output::{self, Done, Failure};

/// Start the workbench: play, analyse and prove in a browser
#[derive(clap::Args)]
#[command(
    after_help = "Only this machine can reach the page, unless --host is given; then a browser needs the token. The token comes \
    from --token-file or --token (not both), or else from the environment variable PLYPROOF_TOKEN; other users of \
    this machine can read --token in the list of processes. Ctrl-C ends the server.\n\n\
    Examples:\n  \
    plyproof serve --open\n  \
    plyproof serve rules/mine.rbg --open\n  \
    plyproof serve --port 9000 --runs experiments/paper\n  \
    plyproof serve --engine \"fairy=engine(cmd=fairy-stockfish,protocol=usi)\"\n  \
    plyproof serve --host 0.0.0.0 --token-file secret.txt\n  \
    PLYPROOF_TOKEN=4f1c9a77e2b05d38 plyproof serve --host 0.0.0.0"
)]
pub struct Arguments {
    /// Rules files that the page may choose as games; it can open no others
    #[arg(value_name = "FILE")]
    rules: Vec<String>,
    /// Port to listen on; 0 is any free port
    #[arg(long, value_name = "P", default_value_t = 8712)]
    port: u16,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Folder with match records and results of experiments to show
    #[arg(long, value_name = "DIR")]
    runs: Option<PathBuf>,
    /// An engine of somebody else that the page may choose as a player, by this name; may be given several times
    #[arg(long = "engine", value_name = "NAME=SPEC")]
    engines: Vec<String>,
    /// Address or name to listen on [default: this machine only]
    #[arg(long, value_name = "H")]
    host: Option<String>,
    /// Secret of 16 or more letters and digits that a browser needs [default: PLYPROOF_TOKEN, if it is set]
    #[arg(long, value_name = "T")]
    token: Option<String>,
    /// File whose only line is the secret
    #[arg(long, value_name = "FILE", conflicts_with = "token")]
    token_file: Option<PathBuf>,
    /// Threads of one search [default: one for each core; 1 where simulations are limited]
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<usize>,
    /// Memory for all searches and certificates together, as in 512MB or 2GiB [default: a quarter of the machine's]
    #[arg(long, value_name = "M", value_parser = parse_size)]
    memory: Option<u64>,
}

pub fn run(registry: &Registry, arguments: &Arguments) -> Done {
    if let (Some(asked), Some(there)) = (arguments.memory, machine_memory())
        && asked > there
    {
        let (asked, there) = (size_text(asked), size_text(there));
        return Err(Failure::Misused(format!("--memory {asked} is more than the {there} this machine has")));
    }
    let mut games = registry.clone();
    for file in &arguments.rules {
        games.add_file(file).map_err(Failure::misused)?;
    }
    let options = Options {
        registry: games,
        host: arguments.host.clone(),
        port: arguments.port,
        token: given_token(
            arguments.token.as_deref(),
            arguments.token_file.as_deref().map(|path| ("--token-file", path)),
        )?,
        runs: arguments.runs.clone(),
        memory: arguments.memory.unwrap_or_else(default_memory),
        engines: engines(registry, &arguments.engines)?,
        threads: arguments.threads.unwrap_or_else(cores),
        limits: Limits::default(),
    };
    let server = Server::bind(&options).map_err(failure)?;
    let stop = stop_on_interrupt()?;
    let url = server.url();
    output::print(&format!("The workbench is at {url}\nCtrl-C ends it.\n"))?;
    if arguments.open {
        open_browser(url);
    }
    server.run(&stop).map_err(failure)
}

/// Engines as `fairy=engine(cmd=fairy-stockfish,protocol=uci)`. Only whoever starts the server names programs to run.
fn engines(registry: &Registry, given: &[String]) -> Result<BTreeMap<String, Source>, Failure> {
    let mut engines = BTreeMap::new();
    for text in given {
        let wrong = |why: &str| Failure::Misused(format!("--engine {text}: {why}"));
        let (name, spec) = text.split_once('=').ok_or_else(|| {
            wrong("expected NAME=SPEC, as in \"fairy=engine(cmd=fairy-stockfish,protocol=usi,UCI_Variant=minishogi)\"")
        })?;
        let name = name.trim();
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c)) {
            return Err(wrong("a name is made of letters, digits and - _ ."));
        }
        let source = plyproof_protocols::source(registry, spec.trim()).map_err(|error| wrong(&error.to_string()))?;
        if engines.insert(name.to_string(), source).is_some() {
            return Err(wrong("there are two engines of this name"));
        }
    }
    Ok(engines)
}

/// Where a token can be given without the list of processes showing it.
const TOKEN_VARIABLE: &str = "PLYPROOF_TOKEN";

/// Longest file of a token that is read, in bytes.
const LONGEST_TOKEN_FILE: u64 = 4096;

/// The secret, if there is one: an argument goes before the environment. One that is empty is refused, because whoever
/// gave it did not mean to serve everybody.
/// `file` comes with the option that named it.
pub fn given_token(argument: Option<&str>, file: Option<(&str, &Path)>) -> Result<Option<String>, Failure> {
    let given = if let Some(token) = argument {
        Some(("--token".to_string(), token.to_string()))
    } else if let Some((option, path)) = file {
        let name = format!("{option} {}", path.display());
        let token = token_of_file(path).map_err(|why| Failure::Misused(format!("{name}: {why}")))?;
        Some((name, token))
    } else if let Some(variable) = std::env::var_os(TOKEN_VARIABLE) {
        let text = variable.into_string();
        let wrong = |_| Failure::Misused(format!("{TOKEN_VARIABLE} is not UTF-8 text; use letters and digits"));
        Some((TOKEN_VARIABLE.to_string(), text.map_err(wrong)?))
    } else {
        None
    };
    match given {
        Some((from, token)) if token.is_empty() => {
            let why = format!(
                "{from} is empty; give a secret of {SHORTEST_TOKEN} or more letters and digits, or leave it out"
            );
            Err(Failure::Misused(why))
        }
        given => Ok(given.map(|(_, token)| token)),
    }
}

/// What a file holds, without the line break that editors put at its end.
fn token_of_file(path: &Path) -> Result<String, String> {
    let mut text = Vec::new();
    let read = File::open(path).and_then(|file| file.take(LONGEST_TOKEN_FILE + 1).read_to_end(&mut text));
    read.map_err(|error| error.to_string())?;
    if text.len() as u64 > LONGEST_TOKEN_FILE {
        return Err(format!("it is longer than {LONGEST_TOKEN_FILE} bytes; one line with the secret is wanted"));
    }
    let text = String::from_utf8(text).map_err(|_| "it is no UTF-8 text; one line with the secret is wanted")?;
    let line = text.strip_suffix('\n').unwrap_or(&text);
    Ok(line.strip_suffix('\r').unwrap_or(line).to_string())
}

fn failure(error: ServeError) -> Failure {
    match error {
        ServeError::Options(message) => Failure::Misused(message),
        ServeError::System(message) => Failure::Failed(message),
    }
}

/// Hands the address to whatever opens addresses on this system, and says so if that does not work. It is no error: the
/// page is there all the same.
fn open_browser(url: String) {
    let (opener, says_how_it_went) = match std::env::consts::OS {
        "macos" => ("open", true),
        // It ends with a code of its own liking even when the page is open.
        "windows" => ("explorer", false),
        _ => ("xdg-open", true),
    };
    let quiet = Stdio::null;
    let spawned = spawn(Command::new(opener).arg(&url).stdin(quiet()).stdout(quiet()).stderr(quiet()));
    let failed = move |why: &str| {
        let _ = output::note(&format!("no browser could be opened ({why}); type the address into one: {url}"));
    };
    match spawned {
        Err(error) => failed(&format!("{opener}: {error}")),
        // An opener may stay as long as its browser does, so that nobody else can wait for it.
        Ok(mut opening) => drop(std::thread::spawn(move || {
            let ended = opening.wait();
            if says_how_it_went && !ended.is_ok_and(|status| status.success()) {
                failed(&format!("{opener} found none, or no display"));
            }
        })),
    }
}

//! `plyproof serve`: the workbench, a page to play, analyse and prove on.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use plyproof_lab::units::{parse_size, size_text};
use plyproof_lab::{default_memory, machine_memory};
use plyproof_web::{Limits, Options, ServeError, Server};

use crate::interrupt::{spawn, stop_on_interrupt};
use crate::output::{self, Done, Failure};

/// Open the workbench: play, analyse and prove in a browser
#[derive(clap::Args)]
#[command(
    after_help = "Nobody but this machine can reach the page, unless --host says otherwise; then a browser must know the \
    token. Ctrl-C ends the server.\n\n\
    Examples:\n  \
    plyproof serve --open\n  \
    plyproof serve --port 9000 --runs experiments/paper\n  \
    plyproof serve --host 0.0.0.0 --token 4f1c9a77e2b05d38"
)]
pub struct Arguments {
    /// Port to listen on; 0 takes any that is free
    #[arg(long, value_name = "P", default_value_t = 8712)]
    port: u16,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Folder with records of matches and results of experiments to show
    #[arg(long, value_name = "DIR")]
    runs: Option<PathBuf>,
    /// Address or name to listen on [default: this machine alone]
    #[arg(long, value_name = "H")]
    host: Option<String>,
    /// Secret of 16 or more letters and digits that a browser must know
    #[arg(long, value_name = "T")]
    token: Option<String>,
    /// Memory for all searches together, as in 512MB or 2GiB [default: a quarter of the machine's]
    #[arg(long, value_name = "M", value_parser = parse_size)]
    memory: Option<u64>,
}

pub fn run(arguments: &Arguments) -> Done {
    if let (Some(asked), Some(there)) = (arguments.memory, machine_memory())
        && asked > there
    {
        let (asked, there) = (size_text(asked), size_text(there));
        return Err(Failure::Misused(format!("--memory {asked} is more than the {there} this machine has")));
    }
    let options = Options {
        host: arguments.host.clone(),
        port: arguments.port,
        token: arguments.token.clone(),
        runs: arguments.runs.clone(),
        memory: arguments.memory.unwrap_or_else(default_memory),
        limits: Limits::default(),
    };
    let server = Server::bind(&options).map_err(failure)?;
    let stop = stop_on_interrupt()?;
    let url = server.url();
    output::print(&format!("The workbench is at {url}\nCtrl-C ends it.\n"))?;
    if arguments.open {
        open_browser(&url)?;
    }
    server.run(&stop).map_err(failure)
}

fn failure(error: ServeError) -> Failure {
    match error {
        ServeError::Options(message) => Failure::Misused(message),
        ServeError::System(message) => Failure::Failed(message),
    }
}

/// Hands the address to whatever opens addresses on this system. It is no error if nothing does: the address is printed.
fn open_browser(url: &str) -> Done {
    let opener = match std::env::consts::OS {
        "macos" => spawn(Command::new("open").arg(url).stdin(Stdio::null()).stderr(Stdio::null())),
        "windows" => spawn(Command::new("explorer").arg(url).stdin(Stdio::null()).stderr(Stdio::null())),
        _ => spawn(Command::new("xdg-open").arg(url).stdin(Stdio::null()).stderr(Stdio::null())),
    };
    match opener {
        Ok(_) => Ok(()),
        Err(_) => output::print("No browser could be opened from here; type the address into one.\n"),
    }
}

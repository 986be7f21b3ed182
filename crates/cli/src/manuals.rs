//! `plyproof completions` and `plyproof man`: what shells and manual readers want to know of the command line.

use std::fs;
use std::path::PathBuf;

use clap_complete::Shell;

use crate::output::{self, Done, Failure, visible};

/// Print a script that completes commands and options in a shell
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    source <(plyproof completions bash)\n  \
    plyproof completions zsh > ~/.zfunc/_plyproof\n  \
    plyproof completions fish > plyproof.fish")]
pub struct Completions {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// Write a manual page for each command into a folder
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  plyproof man ~/.local/share/man/man1\n  man plyproof-search")]
pub struct Man {
    /// The folder, which is made if it is missing
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub fn completions(arguments: &Completions) -> Done {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut crate::command(), "plyproof", &mut script);
    output::print(&String::from_utf8_lossy(&script))
}

pub fn man(arguments: &Man) -> Done {
    let folder = &arguments.folder;
    let failed =
        |error: std::io::Error| Failure::Failed(format!("{}: {error}", visible(&folder.display().to_string())));
    fs::create_dir_all(folder).map_err(failed)?;
    clap_mangen::generate_to(crate::command(), folder).map_err(failed)
}

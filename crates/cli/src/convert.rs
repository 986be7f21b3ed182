//! `plyproof convert`: games from one file format to another.

use std::path::{Path, PathBuf};

use plyproof_engine::Registry;
use plyproof_notation::Format;

use crate::files;
use crate::output::{Done, Failure};

/// Convert games between match records, game files, SGF, USI and KIF
#[derive(clap::Args)]
#[command(
    after_help = "The format of each input is recognised by its first line. Every move is checked by the rules of the game. \
    docs/game-files.md describes the formats: games (all games), sgf (Gomoku and Hex), usi and kif (MiniShogi).\n\n\
    Examples:\n  \
    plyproof convert loa.jsonl --out loa.games\n  \
    plyproof convert game.sgf\n  \
    plyproof convert my.games --to sgf > my.sgf"
)]
pub struct Arguments {
    /// Files of games, or records of matches; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// File to write [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Format to write: games, sgf, usi or kif [default: by the name of --out, else games]
    #[arg(long, value_name = "FORMAT", value_parser = |text: &str| Format::parse(text).map_err(|error| error.to_string()))]
    to: Option<Format>,
}

pub fn run(registry: &Registry, arguments: &Arguments) -> Done {
    let out = arguments.out.as_deref().unwrap_or(Path::new("-"));
    let format = arguments.to.unwrap_or_else(|| Format::of_path(out));
    let (mut text, mut count) = (String::new(), 0);
    for path in &arguments.files {
        files::read(registry, path, &mut |game| {
            count += 1;
            if count > 1 && format == Format::Kif {
                return Err(Failure::Failed("a KIF file holds one game, and there are more".to_string()));
            }
            text += &format.text(&game).map_err(Failure::failed)?;
            Ok(())
        })?;
    }
    if count == 0 {
        return Err(Failure::Failed("there is no game to convert".to_string()));
    }
    files::write(out, &text)
}

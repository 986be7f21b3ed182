//! `plyproof site`: the workbench as a folder of files, with the engine in the browser in place of a server.

use std::path::{Path, PathBuf};

use plyproof_engine::Registry;
use plyproof_web::write_site;

use crate::output::{self, Done, Failure};

/// The engine's file as cargo names it.
const MODULE: &str = "plyproof_wasm.wasm";

/// Write the workbench as a static site: the engine runs in the browser, and no server is needed
#[derive(clap::Args)]
#[command(after_help = "The engine is a WebAssembly module, which is built from the sources of plyproof:\n  \
    cargo build --release -p plyproof-wasm --target wasm32-unknown-unknown\n\n\
    Any web server can serve the folder; browsers do not open the page from a file.\n\n\
    Examples:\n  \
    plyproof site public\n  \
    plyproof site public --module plyproof_wasm.wasm")]
pub struct Arguments {
    /// Folder to write; files of the site that are there already are replaced
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// The engine [default: plyproof_wasm.wasm beside the program, or where cargo builds it]
    #[arg(long, value_name = "FILE")]
    module: Option<PathBuf>,
}

pub fn run(registry: &Registry, arguments: &Arguments) -> Done {
    let path = match &arguments.module {
        Some(path) => path.clone(),
        None => known_place().ok_or_else(|| {
            let build = "cargo build --release -p plyproof-wasm --target wasm32-unknown-unknown";
            Failure::Failed(format!(
                "there is no {MODULE} beside the program; build it with {build}, or name it with --module"
            ))
        })?,
    };
    let module = std::fs::read(&path).map_err(|error| Failure::Failed(format!("{}: {error}", path.display())))?;
    let written = write_site(registry, &module, &arguments.folder);
    let (files, bytes) = written.map_err(|error| Failure::Failed(error.to_string()))?;
    let (folder, kilobytes) = (arguments.folder.display(), bytes / 1000);
    output::print(&format!("{folder}: {files} files, {kilobytes} kB\nAny web server can serve it.\n"))
}

/// The module beside the program, or in the folder where cargo builds it.
fn known_place() -> Option<PathBuf> {
    let program = std::env::current_exe().ok()?;
    let beside = program.parent()?;
    let built = |profile: &str| beside.join("..").join("wasm32-unknown-unknown").join(profile).join(MODULE);
    [beside.join(MODULE), built("release"), built("debug")].into_iter().find(|path| Path::is_file(path))
}

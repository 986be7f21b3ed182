//! The `plyproof` command with the games that it comes with.

use std::process::ExitCode;

use plyproof_engine::Registry;

fn main() -> ExitCode {
    plyproof::main_with(&Registry::builtin())
}

//! A game of one's own in every command of plyproof and in the workbench, without a fork.
//!
//! `cargo run --example own_game -- show chomp`
//! `cargo run --example own_game -- solve "chomp(rows=3,columns=5)" --certificate chomp.cert`
//! `cargo run --example own_game -- serve`

use std::process::ExitCode;

use plyproof_engine::{Registry, TextError};

#[path = "../tests/cli/chomp.rs"]
mod chomp;

fn main() -> ExitCode {
    match registry() {
        Ok(registry) => plyproof::main_with(&registry),
        Err(_) => ExitCode::FAILURE,
    }
}

fn registry() -> Result<Registry, TextError> {
    let mut registry = Registry::builtin();
    registry.add(chomp::entry())?;
    Ok(registry)
}

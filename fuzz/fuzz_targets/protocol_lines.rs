//! Input: a byte that chooses the protocol, and lines that are sent to our engine.
//!
//! The engine answers or complains, and ends when its input does.
#![no_main]

use std::io::Cursor;

use libfuzzer_sys::fuzz_target;
use plyproof_engine::Registry;
use plyproof_protocols::{Protocol, Setup, serve};

fuzz_target!(|input: &[u8]| {
    let Some((&choice, lines)) = input.split_first() else { return };
    let protocol = Protocol::ALL[usize::from(choice) % Protocol::ALL.len()];
    let game = if protocol == Protocol::Usi { "minishogi" } else { "gomoku(size=9)" };
    // An agent that needs no time.
    let (game, agent) = (Some(game.to_string()), "random".to_string());
    let setup = Setup { game, agent, memory: 16 << 20, ..Setup::new(Registry::builtin()) };
    let mut said = Vec::new();
    serve(&setup, Some(protocol), Cursor::new(lines.to_vec()), &mut said).expect("memory can be written");
    assert!(std::str::from_utf8(&said).is_ok());
});

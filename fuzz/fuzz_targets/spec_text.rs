//! Input: the name of a game with parameters.
//!
//! It is refused with one line, or it opens a game whose own name opens the same game.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plyproof_engine::Registry;
use plyproof_fuzz::check_error;

fuzz_target!(|input: &[u8]| {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let registry = Registry::builtin();
    match registry.open(text) {
        Err(error) => check_error(&error),
        Ok(game) => {
            let again = registry.open(&game.name()).unwrap_or_else(|error| panic!("{} was refused: {error}", game.name()));
            assert_eq!((again.name(), again.position_text()), (game.name(), game.position_text()), "from {text:?}");
            assert_eq!((again.key(), again.legal_moves()), (game.key(), game.legal_moves()));
        }
    }
});

//! Input: the name of a game with parameters.
//!
//! It is refused with one line, or it opens a game whose own name opens the same game.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plyproof_fuzz::check_error;
use plyproof_lab::open;

fuzz_target!(|input: &[u8]| {
    let Ok(text) = std::str::from_utf8(input) else { return };
    match open(text) {
        Err(error) => check_error(&error),
        Ok(game) => {
            let again = open(&game.name()).unwrap_or_else(|error| panic!("{} was refused: {error}", game.name()));
            assert_eq!((again.name(), again.position_text()), (game.name(), game.position_text()), "from {text:?}");
            assert_eq!((again.key(), again.legal_moves()), (game.key(), game.legal_moves()));
        }
    }
});

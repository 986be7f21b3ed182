//! Input: a byte that chooses the game, then the text of a position.
//!
//! The text is refused with one line, or it is a position that keeps its promises and can be played to the end.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plyproof_core::Rng;
use plyproof_fuzz::{check_error, check_position, chosen};

fuzz_target!(|input: &[u8]| {
    let Some((start, rest)) = chosen(input) else { return };
    let Ok(text) = std::str::from_utf8(rest) else { return };
    match start.parse_position(text) {
        Err(error) => check_error(&error),
        Ok(game) => {
            check_position(&*game);
            let tally = game.measure_playouts(&mut Rng::new(game.key()), 2);
            assert_eq!(tally.wins.iter().sum::<u64>() + tally.draws, 2);
        }
    }
});

//! Input: a byte that chooses the game, a byte for how many moves to play, a byte for each of them, then the text of
//! one more move.
//!
//! The text is refused with one line and changes nothing, or it does what one of the listed moves does.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plyproof_fuzz::{check_error, check_position, chosen};

/// Most moves played before the text: enough to meet captures and drops, few enough to be fast.
const MOST_MOVES: usize = 20;

fuzz_target!(|input: &[u8]| {
    let Some((start, rest)) = chosen(input) else { return };
    let Some((&count, rest)) = rest.split_first() else { return };
    let (choices, rest) = rest.split_at((usize::from(count) % (MOST_MOVES + 1)).min(rest.len()));
    let Ok(text) = std::str::from_utf8(rest) else { return };
    let mut game = start.clone_box();
    for &choice in choices {
        let moves = game.legal_moves();
        let Some(played) = moves.get(usize::from(choice) % moves.len().max(1)) else { break };
        game.play(played).unwrap_or_else(|error| panic!("{played} was refused: {error}"));
    }
    let mut next = game.clone_box();
    match next.play(text) {
        Err(error) => {
            check_error(&error);
            assert_eq!((next.key(), next.position_text()), (game.key(), game.position_text()));
        }
        Ok(()) => {
            let does_the_same = |listed: &String| {
                let mut other = game.clone_box();
                other.play(listed).is_ok() && other.position_text() == next.position_text()
            };
            assert!(game.legal_moves().iter().any(does_the_same), "{text:?} was played at {}", game.position_text());
            check_position(&*next);
        }
    }
});

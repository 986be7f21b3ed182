//! Input: a rules file in KIF, a zero byte, and the text of a position or of a move.
//!
//! The file is refused with a place and one line, or it is a game: a few random moves, and what is read is consistent.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plyproof_core::{Game, Rng};
use plyproof_rules::gdl::{Visitor, load};

struct Walk<'a>(&'a str);

impl Visitor for Walk<'_> {
    type Output = ();

    fn visit<G: Game>(self, start: G) {
        let mut game = start.clone();
        if let Ok(read) = start.parse_position(self.0) {
            assert_eq!(start.parse_position(&read.position_text()).map(|again| again.key()), Ok(read.key()));
            game = read;
        }
        if let Ok(m) = game.parse_move(self.0) {
            let text = game.move_text(m);
            assert_eq!(game.parse_move(&text), Ok(m), "{text}");
        }
        let mut rng = Rng::new(1);
        for _ in 0..3 {
            let (mut moves, mut ends) = (Vec::new(), Vec::new());
            game.moves_and_ends(&mut moves, &mut ends);
            assert_eq!(moves.is_empty(), game.outcome().is_some());
            if moves.is_empty() {
                return;
            }
            let m = game.random_move(&mut rng);
            let index = moves.iter().position(|&other| other == m).expect("a legal move");
            let promised = ends.iter().find(|end| end.0 == index).map(|end| end.1);
            game.play(m);
            assert_eq!(game.outcome(), promised);
            let text = game.position_text();
            let read = start.parse_position(&text).unwrap_or_else(|error| panic!("{text} was refused: {error}"));
            assert_eq!((read.position_text(), read.key(), read.outcome()), (text, game.key(), game.outcome()));
        }
        let _ = game.playout(&mut rng, 20);
    }
}

fuzz_target!(|input: &[u8]| {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let (rules, rest) = text.split_once('\0').unwrap_or((text, ""));
    match load(rules) {
        Err(error) => {
            let line = error.to_string();
            assert!(!line.contains('\n') && line.len() < 2000 && error.line > 0, "{line:?}");
        }
        Ok(rules) => rules.start(Walk(rest)),
    }
});

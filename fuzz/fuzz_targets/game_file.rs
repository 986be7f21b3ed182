//! Input: a file of games in any format, plain or gzipped: plyproof's own, SGF, USI or KIF.
//!
//! Whatever it holds, reading it ends with sound games or with one line of error; the games are written and read back.
#![no_main]

use std::io::Cursor;

use libfuzzer_sys::fuzz_target;
use plyproof_engine::Registry;
use plyproof_notation::{Format, GameFile, RecordedGame};

fn read(registry: &Registry, input: Vec<u8>) -> Vec<RecordedGame> {
    let mut games = Vec::new();
    let Ok(opened) = GameFile::open(registry, Cursor::new(input)) else { return games };
    let error = match opened {
        Err(error) => error,
        Ok(mut file) => loop {
            match file.next_game() {
                Ok(Some(game)) => games.push(game),
                Ok(None) => return games,
                Err(error) => break error,
            }
        },
    };
    let message = error.to_string();
    assert!(!message.contains(char::is_control) && message.chars().count() <= 1500, "{message:?}");
    games
}

fuzz_target!(|input: &[u8]| {
    let registry = Registry::builtin();
    for game in read(&registry, input.to_vec()) {
        game.check().expect("a game that was read is sound");
        let text = Format::Games.text(&game).expect("our own format holds every game");
        let back = read(&registry, text.clone().into_bytes());
        assert_eq!(back.as_slice(), [game.clone()], "{text}");
        for format in [Format::Sgf, Format::Usi, Format::Kif] {
            if let Ok(text) = format.text(&game) {
                assert_eq!(read(&registry, text.clone().into_bytes()).len(), 1, "{text}");
            }
        }
    }
});

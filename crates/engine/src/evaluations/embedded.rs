//! The evaluations that plyproof comes with, made as `evaluations/README.md` says.

use std::io::BufReader;
use std::sync::OnceLock;

use flate2::bufread::GzDecoder;
use plyproof_eval::Evaluation;

use crate::any_game::AnyGame;

macro_rules! file {
    ($name:literal) => {
        include_bytes!(concat!("../../evaluations/", $name, ".eval.gz"))
    };
}

/// For each game with its parameters, in the shortest spelling, the compressed file.
const FILES: [(&str, &[u8]); 11] = [
    ("breakthrough", file!("breakthrough")),
    ("knightthrough", file!("knightthrough")),
    ("loa", file!("loa")),
    ("loa(size=7)", file!("loa7")),
    ("awari", file!("awari")),
    ("minishogi", file!("minishogi")),
    ("minishogi(repetition=standard)", file!("minishogi-standard")),
    ("othello", file!("othello")),
    ("connect4", file!("connect4")),
    ("domineering", file!("domineering")),
    ("amazons", file!("amazons")),
];

/// What the files say, each from its first use on.
static READ: [OnceLock<Option<Evaluation>>; FILES.len()] = [const { OnceLock::new() }; FILES.len()];

/// The games, in their shortest spelling, for which plyproof comes with an evaluation.
pub fn embedded() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(game, _)| *game)
}

/// The evaluation that plyproof comes with for this game, its parameters and rules.
pub fn built_in(game: &dyn AnyGame) -> Option<&'static Evaluation> {
    built_in_for(&game.name(), &game.rules().to_string())
}

pub(super) fn built_in_for(game: &str, rules: &str) -> Option<&'static Evaluation> {
    let at = FILES.iter().position(|(of, _)| *of == game)?;
    let read = || Evaluation::read(BufReader::new(GzDecoder::new(FILES[at].1))).ok();
    let evaluation = READ[at].get_or_init(read).as_ref();
    evaluation.filter(|evaluation| evaluation.game == game && evaluation.rules == rules)
}

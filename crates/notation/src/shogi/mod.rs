//! MiniShogi as other shogi programs write it: the `position` lines of USI, and KIF, the usual format of game records.
//!
//! KIF has headers, comments and variations, USI has moves alone. Both name squares by a file from 1 (at the right) to 5
//! and a rank from 1 or `a` (at the top) to 5 or `e`.

mod kif_read;
mod kif_write;
mod usi;

use plyproof_engine::{AnyGame, TextError};

pub use kif_read::read_kif;
pub use kif_write::kif_text;
pub use usi::{read_usi, usi_text};

use crate::game::unwritable;

/// The name of the game in a registry.
const NAME: &str = "minishogi";

/// The ranks from the top.
const RANKS: [char; 5] = ['一', '二', '三', '四', '五'];
/// The files from the right.
const FILES: [char; 5] = ['１', '２', '３', '４', '５'];

/// The pieces as SFEN and as KIF names them, those with two characters first. The first name of a piece is written, the
/// others are read too.
const PIECES: [(&str, &[&str]); 10] = [
    ("+S", &["成銀", "全"]),
    ("+P", &["と"]),
    ("+B", &["馬"]),
    ("+R", &["龍", "竜"]),
    ("P", &["歩"]),
    ("S", &["銀"]),
    ("G", &["金"]),
    ("B", &["角"]),
    ("R", &["飛"]),
    ("K", &["玉", "王"]),
];

/// How a game ends in KIF: the word, what it means for the player whose turn it is, and the reason.
const ENDS: [(&str, End, &str); 11] = [
    ("投了", End::Loses, "resignation"),
    ("切れ負け", End::Loses, "time"),
    ("反則負け", End::Loses, "illegal move"),
    ("反則勝ち", End::Wins, "illegal move"),
    ("不戦敗", End::Loses, "forfeit"),
    ("不戦勝", End::Wins, "forfeit"),
    ("詰み", End::Loses, ""),
    ("入玉勝ち", End::Wins, "entering king"),
    ("千日手", End::Draw, "repetition"),
    ("持将棋", End::Draw, "impasse"),
    ("中断", End::Unknown, ""),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Wins,
    Loses,
    Draw,
    Unknown,
}

/// Only MiniShogi can be written.
fn is_minishogi(game: &dyn AnyGame, format: &str) -> Result<(), TextError> {
    let name = &game.described().name;
    if name == NAME { Ok(()) } else { Err(unwritable(format, format!("{name} is not {NAME}"))) }
}

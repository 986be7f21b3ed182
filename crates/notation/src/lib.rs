//! Game files: games with headers, comments, variations and values as text, one format for all games.
//!
//! ```
//! use plyproof_engine::Registry;
//! use plyproof_notation::{GameReader, game_text};
//!
//! let text = r#"[Game "breakthrough(size=2x4)"]
//! [First "Ada"]
//! [Result "1-0"]
//!
//! 1. a2b3! {Takes.} (1. b2a3) 2. a4b3 3. b2a3 b3a2 5. a3a4 1-0
//! "#;
//! let registry = Registry::builtin();
//! let mut reader = GameReader::new(&registry, text.as_bytes()).expect("readable");
//! let game = reader.next_game().expect("a sound file").expect("a game");
//! assert_eq!(game.headers.value("First"), Some("Ada"));
//! assert_eq!(game.moves().collect::<Vec<_>>(), ["a2b3", "a4b3", "b2a3", "b3a2", "a3a4"]);
//! assert_eq!(game_text(&game).trim_end(), text.trim_end());
//! assert!(reader.next_game().expect("a sound file").is_none());
//! ```
//!
//! The format is described in `docs/game-files.md`. [`sgf`] reads and writes Gomoku and Hex as SGF, [`shogi`] MiniShogi
//! as USI and KIF.

mod file;
mod game;
mod lexer;
mod read;
mod result;
pub mod sgf;
pub mod shogi;
mod tree;
mod write;

pub use file::{Format, GameFile};
pub use game::{Headers, KNOWN_HEADERS, ReadError, RecordedGame};
pub use read::GameReader;
pub use result::{parse_result, result_text};
pub use tree::{Mark, MoveTree, NodeId, Notes};
pub use write::game_text;

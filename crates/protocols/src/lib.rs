//! Engine protocols, in both roles: our engine behind UGI, USI, UCI, Gomocup and GTP, and the engines of others as players.
//!
//! - [`serve`] is our engine: one loop for all protocols, each with a small codec, over the searchers of the engine crate.
//! - [`source`] reads a player of a match: one of our agents, or `engine(cmd='path arguments',protocol=usi,…)`, a program
//!   that is started, asked for moves, and killed when it is no longer needed.
//! - [`check_engine`] tests whether an engine keeps to its protocol.
//!
//! ```
//! use std::io::Cursor;
//! use plyproof_engine::Registry;
//! use plyproof_protocols::{Setup, serve};
//!
//! let mut said = Vec::new();
//! let setup = Setup { game: Some("tictactoe".to_string()), ..Setup::new(Registry::builtin()) };
//! serve(&setup, None, Cursor::new("ugi\nposition startpos moves a1 b1\nquery p1turn\nquit\n"), &mut said)?;
//! let said = String::from_utf8_lossy(&said);
//! assert!(said.starts_with("id name plyproof ") && said.ends_with("ugiok\nresponse true\n"));
//! # Ok::<(), std::io::Error>(())
//! ```

mod check;
mod client;
mod codec;
mod desk;
mod engine;
mod external;
mod lines;
mod notation;
mod process;
mod protocol;
mod thinker;

pub use check::{CheckReport, CheckTask, Checked, check_engine};
pub use desk::Setup;
pub use engine::serve;
pub use external::{EngineSpec, source};
pub use lines::{LONGEST_LINE, Line, LineReader};
pub use process::EngineCommand;
pub use protocol::Protocol;

//! Everything between the games and the front ends: games by name, searches of them, matches, replays of recorded
//! games, benchmarks.
//!
//! Front ends see [`AnyGame`] and never a game's own type. A game by its name, three moves later:
//!
//! ```
//! let mut game = plyproof_lab::open("breakthrough(size=5x6)").expect("a known game");
//! for text in ["b2b3", "c5c4", "b3c4"] {
//!     game.play(text).expect("a legal move");
//! }
//! assert_eq!(game.position_text(), "ooooo/oo.oo/..x../...../x.xxx/xxxxx o");
//! assert_eq!(plyproof_lab::open("brakethrough").unwrap_err().to_string().split(';').next(),
//!     Some("unknown game \"brakethrough\" (did you mean breakthrough?)"));
//! ```

mod any_game;
pub mod bench;
pub mod bench_search;
pub mod certificate;
mod cpu_time;
pub mod experiment;
mod explore;
mod lines;
pub mod matches;
mod memory;
pub mod plot;
pub mod puzzles;
mod registry;
pub mod replay;
mod search;
mod solve;
pub mod sweep;
pub mod tables;
pub mod units;
mod whole_file;

pub use any_game::{AnyGame, BranchingTally, PlayoutTally, erase};
pub use cpu_time::CpuTime;
pub use explore::{Exploration, Paths, TextChild, TextNode};
pub use memory::{default_memory, machine_memory};
pub use plyproof_core::perft::Perft;
pub use plyproof_core::search::proof::{ProofNumber, ProofNumbers};
pub use plyproof_core::search::{AGENTS, Agent, Aim, Bounds, Budget, SolveProgress, SolveTask, Stopped};
pub use plyproof_core::spec::{Described, Kind, Parameter, Params, Spec};
pub use plyproof_core::{Outcome, Player, TextError, Wdl, quoted};
pub use registry::{Entry, GAMES, entries, open};
pub use search::{TextMove, TextReport};
pub use solve::{Claimed, ProofSink, TextProof, TextSolution, TextTable, ValuedMove};
pub use whole_file::writable;

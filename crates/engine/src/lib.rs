//! What every front end of plyproof uses: a game known by name, its searcher, reports as plain data, solving,
//! certificates and tables.
//!
//! A front end sees [`AnyGame`] and never a game's own type. Code that plays many moves is generic over the game and
//! lives behind one dynamic call. A game by its name, three moves later, searched:
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//! use plyproof_engine::{Agent, Budget, Registry};
//!
//! let registry = Registry::builtin();
//! let mut game = registry.open("breakthrough(size=5x6)").expect("a known game");
//! for text in ["b2b3", "c5c4", "b3c4"] {
//!     game.play(text).expect("a legal move");
//! }
//! assert_eq!(game.position_text(), "ooooo/oo.oo/..x../...../x.xxx/xxxxx o");
//!
//! let agent = Agent::parse("pn-mcts(pn=2)").expect("a known agent");
//! let report = game.search(&agent, &Budget::simulations(500), 1, &AtomicBool::new(false), &mut |_| {})
//!     .expect("no file is missing");
//! assert_eq!(report.simulations, 500);
//! assert_eq!(registry.open("brakethrough").unwrap_err().to_string().split(';').next(),
//!     Some("unknown game \"brakethrough\" (did you mean breakthrough?)"));
//! ```

mod any_game;
pub mod certificate;
pub mod checkpoint;
mod clock;
pub mod evaluations;
pub mod job_line;
pub mod jobs;
mod json;
pub mod lines;
mod memory;
mod player;
mod registry;
mod report;
pub mod rules;
mod searcher;
mod solution;
pub mod tables;
mod tree;
pub mod units;
mod whole_file;

pub use any_game::{AnyGame, BranchingTally, Choices, Facts, PlayoutTally, erase, inside};
pub use clock::{Clock, Pacer, Thinking};
pub use memory::{default_memory, machine_memory};
pub use player::{Allowance, Cause, GivenSource, Lost, MatchPlayer, PlayerSource, Source};
pub use plyproof_core::contract::Contract;
pub use plyproof_core::perft::Perft;
pub use plyproof_core::search::jobs::{JobCheckpoints, JobCounts, JobProgress, JobSettings, JobTask, Merged, Sharing};
pub use plyproof_core::search::proof::{ProofNumber, ProofNumbers};
pub use plyproof_core::search::{
    AGENTS, Agent, Aim, Bounds, Budget, Checkpoints, Interval, Save, SolveProgress, SolveTask, Standing, Stopped,
    TimeSource,
};
pub use plyproof_core::spec::{Described, Description, Kind, Parameter, Params, Spec};
pub use plyproof_core::{Game, Outcome, Player, Rng, TextError, Wdl, quoted};
pub use plyproof_verify::{Claim, RulesId};
pub use registry::{GameEntry, Registry};
pub use report::{MoveReport, SearchReport, Terms};
pub use searcher::{AnySearcher, ChosenMove, Paths, SearchTask, think};
pub use solution::{NodesOf, ProofHead, ProofReport, ProofSink, Solution, SolvedMove, TableReport};
pub use tree::{TreeChild, TreeNode};
pub use whole_file::{WholeFile, writable};

//! What a browser tab of the workbench asks, and how it is answered, without a server: `plyproof-web` carries the messages
//! over a WebSocket, and the WebAssembly module of the static site answers them in the browser.

mod catalogue;
mod deadline;
mod files;
mod place;
mod protocol;
mod rules;
mod solve;
mod steps;
mod update;

pub use catalogue::{Catalogue, ListedLevel};
pub use files::{FileGame, FileNode, read_games, write_games};
pub use place::{Described, Opened, checked_seconds, open_place};
pub use protocol::{BalanceRequest, Fault, MatchRequest, Place, Request, Role, SearchRequest, Seat, StepRequest, View};
pub use rules::{CheckedRules, Drawing, KnownRules, Problem, check_rules, format_rules, registry_with};
pub use solve::{certificate_name, solved, solving};
pub use steps::{SmallTree, small_tree, spread};
pub use update::{Found, SentState};

//! The games of plyproof, one file a game. They know the [`Game`](plyproof_core::Game) trait and nothing of searches.

mod board;
pub mod in_a_row;
pub mod loa;
pub mod through;

pub use board::Step;

//! The games of plyproof, one file a game. They know the [`Game`](plyproof_core::Game) trait and nothing of searches.

mod board;
pub mod minishogi;
pub mod through;

pub use board::Step;

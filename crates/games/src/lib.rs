//! The games of plyproof, one file a game. They know the [`Game`](plyproof_core::Game) trait and nothing of searches.

pub mod awari;
mod board;
pub mod through;

pub use board::Step;

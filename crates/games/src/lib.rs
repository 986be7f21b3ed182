//! The games of plyproof, one file a game. They know the [`Game`](plyproof_core::Game) trait and nothing of searches.

pub mod amazons;
pub mod awari;
mod board;
pub mod clobber;
pub mod connect4;
pub mod domineering;
pub mod hex;
pub mod in_a_row;
pub mod loa;
pub mod minishogi;
pub mod othello;
pub mod through;

pub use board::Step;

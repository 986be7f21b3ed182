//! Learned evaluations: how good a position looks for the player to move, judged by a small network.
//!
//! A [`Network`] has one hidden layer over the [features](plyproof_core::Game::features) of a position.
//! [`NetworkEvaluator`] makes it an [`Evaluator`](plyproof_core::Evaluator) that any search can use, [`Trainer`] learns it
//! from games that it plays against itself, and [`Evaluation`] is its file.

mod evaluator;
mod explain;
mod file;
mod headed;
mod kernel;
mod network;
mod train;

pub use evaluator::NetworkEvaluator;
pub use explain::{Explained, explain};
pub use file::{Evaluation, Record};
pub use network::Network;
pub use train::{Standing, Trainer, Training};

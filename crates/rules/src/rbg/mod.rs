//! Regular Boardgames (RBG): boards as graphs, moves as regular expressions.
//!
//! [`load`] reads a file; [`Rules::start`] makes its first position.

mod analysis;
mod automaton;
mod board;
mod builtins;
mod compile;
mod engine;
mod error;
mod format;
mod geometry;
mod graph;
mod info;
mod lanes;
mod lexer;
mod limits;
mod lint;
mod live;
mod macros;
mod parser;
mod paths;
mod position;
mod prelude;
mod program;
mod replay;
mod rules;
mod sets;
mod store;
mod syntax;
mod written;

pub use board::{Board, Cell, Layout};
pub use format::format;
pub use lint::Figures;
pub use prelude::prelude_of;
pub use replay::replay;
pub use rules::{Rules, load};

pub use crate::error::RulesError;
pub use crate::shared::{Replayed, Visitor};

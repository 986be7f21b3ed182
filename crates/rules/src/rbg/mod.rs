//! Regular Boardgames (RBG): boards as graphs, moves as regular expressions.
//!
//! [`load`] reads a file; [`Rules::start`] makes its first position.

mod ahead;
mod analysis;
mod automaton;
mod board;
mod builtins;
mod compile;
mod decisive;
mod draw;
mod engine;
mod error;
mod evaluate;
mod filling;
mod focus;
mod format;
mod geometry;
mod graph;
mod info;
mod keeper;
mod lanes;
mod lexer;
mod limits;
mod lint;
mod live;
mod macros;
mod parser;
mod paths;
mod patterns;
mod position;
mod prelude;
mod program;
mod replay;
mod rules;
mod sets;
mod sharp;
mod sinks;
mod store;
mod sure;
mod symmetry;
mod syntax;
mod values;
mod whole_moves;
mod written;

pub use board::{Board, Cell, Layout};
pub use format::format;
pub use lint::Figures;
pub use prelude::prelude_of;
pub use replay::replay;
pub use rules::{Rules, load};

pub use crate::error::RulesError;
pub use crate::shared::{Replayed, Visitor};

//! The Game Description Language (GDL-I), for two players who move in turns and see everything.
//!
//! [`load`] reads a file; [`Rules::start`] makes its first position.

mod code;
mod counter;
mod demand;
mod ground;
mod guard;
mod info;
mod intern;
mod kif;
mod limits;
mod net;
mod parser;
mod position;
mod replay;
mod rounds;
mod rules;
mod simplify;
mod split;
mod strata;
mod syntax;
mod views;

pub use replay::replay;
pub use rules::{Rules, load};

pub use crate::error::RulesError;
pub use crate::shared::{Replayed, Visitor};

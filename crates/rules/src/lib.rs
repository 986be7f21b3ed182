//! Games read from text: Regular Boardgames (RBG) and the Game Description Language (GDL).
//!
//! Each front end reads a rules file and makes a position that implements [`plyproof_core::Game`].

mod error;
pub mod gdl;
pub mod rbg;
mod shared;

pub use error::RulesError;
pub use shared::{Replayed, Visitor};

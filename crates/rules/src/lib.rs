//! Games read from text: Regular Boardgames (RBG) and the Game Description Language (GDL).
//!
//! Each front end reads a rules file and makes a position that implements [`plyproof_core::Game`].

mod any;
mod digest;
pub mod gdl;
pub mod rbg;

pub use any::{AnyRules, Compared, Language};
pub use digest::digest;
pub use rbg::{RulesError, Visitor};

//! Games read from text: Regular Boardgames (RBG) and the Game Description Language (GDL).
//!
//! Each front end reads a rules file and makes a position that implements [`plyproof_core::Game`].

mod any;
pub mod check;
mod digest;
mod excerpt;
pub mod gdl;
pub mod rbg;

pub use any::{AnyRules, Compared, Language};
pub use digest::digest;
pub use excerpt::excerpt;
pub use rbg::{RulesError, Visitor};

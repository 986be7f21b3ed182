//! Games read from text: Regular Boardgames (RBG) and the Game Description Language (GDL).
//!
//! Each front end reads a rules file and makes a position that implements [`plyproof_core::Game`].

mod any;
pub mod check;
mod digest;
mod error;
mod excerpt;
pub mod gdl;
pub mod rbg;
mod shared;

pub use any::{AnyRules, Language};
pub use digest::digest;
pub use error::RulesError;
pub use excerpt::excerpt;
pub use shared::{Replayed, Visitor};

//! The [`Game`] trait of plyproof and what every search shares.
//!
//! A game is one type that implements one trait. This one is complete: take one or two coins from a pile, whoever takes
//! the last one wins.
//!
//! ```
//! use plyproof_core::{Game, Outcome, Player, TextError};
//!
//! #[derive(Clone)]
//! struct Coins { left: u8, mover: Player }
//!
//! impl Game for Coins {
//!     type Move = u8;
//!     fn to_move(&self) -> Player { self.mover }
//!     fn outcome(&self) -> Option<Outcome> {
//!         (self.left == 0).then(|| Outcome::win(self.mover.other()))
//!     }
//!     fn moves(&self, into: &mut Vec<u8>) { into.extend(1..=self.left.min(2)) }
//!     fn play(&mut self, take: u8) {
//!         self.left -= take;
//!         self.mover = self.mover.other();
//!     }
//!     fn key(&self) -> u64 { u64::from(self.left) * 2 + self.mover.index() as u64 }
//!     fn position_text(&self) -> String { format!("{} {}", self.left, self.mover) }
//!     fn parse_position(&self, text: &str) -> Result<Self, TextError> {
//!         let wrong = || TextError::expected(text, "a pile and a player, as in \"7 1\"");
//!         let (left, mover) = text.split_once(' ').ok_or_else(wrong)?;
//!         let mover = match mover { "1" => Player::FIRST, "2" => Player::SECOND, _ => return Err(wrong()) };
//!         Ok(Coins { left: left.parse().map_err(|_| wrong())?, mover })
//!     }
//!     fn move_text(&self, take: u8) -> String { take.to_string() }
//! }
//!
//! let start = Coins { left: 7, mover: Player::FIRST };
//! plyproof_core::contract::check(&start, &Default::default()).expect("every promise kept");
//! assert_eq!(plyproof_core::perft::perft(&start, 3).nodes, 8);
//!
//! // Leaving a multiple of three wins, and the search proves it.
//! use plyproof_core::search::{Agent, Budget, Searcher};
//! let agent = Agent::parse("pn-mcts").expect("a known agent");
//! let report = Searcher::new().run(&agent, &start, &Budget::simulations(1000), 1);
//! assert_eq!((report.best, report.bounds.value()), (Some(1), Some(plyproof_core::Wdl::Win)));
//! ```

mod bits;
mod checksum;
pub mod contract;
mod evaluation;
mod features;
mod game;
mod indexing;
mod outcome;
pub mod perft;
mod rng;
pub mod search;
pub mod spec;
mod tree_game;

pub use bits::select_bit;
pub use checksum::checksum;
pub use evaluation::{BestUse, Evaluator, Judge, Logit};
pub use features::Features;
pub use game::{
    DecisivePlayouts, Defence, Game, Knowledge, PLY_LIMIT, Playout, TextError, legal_move, listed_playout, quoted,
};
pub use indexing::{Indexing, Layer, Place};
pub use outcome::{Bounds, Outcome, Player, Wdl};
pub use rng::{Rng, mix64};
pub use tree_game::TreeGame;

//! Certificates: proofs that somebody wins a game, or at least draws it, as text that anyone can check.
//!
//! This crate knows the rules of a game through the `Game` trait and nothing of any search. What it accepts is true if
//! the rules are right and this crate is; how the proof was found does not matter. `docs/certificates.md` describes the
//! format and why the check is sound.
//!
//! A whole certificate, written and checked: take one or two coins, whoever takes the last one wins.
//!
//! ```
//! # use plyproof_core::{Game, Outcome, TextError};
//! # #[derive(Clone)]
//! # struct Coins { left: u8, mover: Player }
//! # impl Game for Coins {
//! #     type Move = u8;
//! #     fn to_move(&self) -> Player { self.mover }
//! #     fn outcome(&self) -> Option<Outcome> { (self.left == 0).then(|| Outcome::win(self.mover.other())) }
//! #     fn moves(&self, into: &mut Vec<u8>) { into.extend(1..=self.left.min(2)) }
//! #     fn play(&mut self, take: u8) { self.left -= take; self.mover = self.mover.other(); }
//! #     fn key(&self) -> u64 { u64::from(self.left) * 2 + self.mover.index() as u64 }
//! #     fn position_text(&self) -> String { format!("{} {}", self.left, self.mover) }
//! #     fn parse_position(&self, text: &str) -> Result<Self, TextError> {
//! #         let wrong = || TextError::expected(text, "a pile and a player");
//! #         let (left, mover) = text.split_once(' ').ok_or_else(wrong)?;
//! #         let mover = match mover { "1" => Player::FIRST, "2" => Player::SECOND, _ => return Err(wrong()) };
//! #         Ok(Coins { left: left.parse().map_err(|_| wrong())?, mover })
//! #     }
//! #     fn move_text(&self, take: u8) -> String { take.to_string() }
//! # }
//! use plyproof_core::Player;
//! use plyproof_verify::{Claim, Header, Settings, Writer, verify};
//!
//! let header = Header {
//!     game: "coins".to_string(),
//!     rules: 1.into(),
//!     position: "4 1".to_string(),
//!     player: Player::FIRST,
//!     goal: Claim::Win,
//!     symmetric: false,
//!     entries: 3,
//! };
//! let mut writer = Writer::new(Vec::new(), &header)?;
//! writer.entry("1 1", "1")?;
//! writer.entry("2 1", "2")?;
//! writer.entry("4 1", "1")?; // leaves 3, and after any reply one of the lines above
//! let bytes = writer.finish()?;
//!
//! let coins = Coins { left: 4, mover: Player::FIRST };
//! let mut open = || Ok(Box::new(std::io::Cursor::new(bytes.clone())) as _);
//! let verified = verify(&coins, &header, &mut open, &mut Settings::new("coins", 1)).expect("a true claim");
//! assert_eq!(verified.entries, 3);
//! assert_eq!(header.claim(), "in coins from 4 1, the first player wins");
//! # Ok::<(), std::io::Error>(())
//! ```

mod check;
mod claim;
mod error;
mod header;
mod lines;
mod listed;
mod replies;
mod set;
mod writer;

pub use check::{Open, Progress, Settings, Verified, verify};
pub use claim::Claim;
pub use error::{Fault, VerifyError};
pub use header::{FORMATS, Header, RulesId};
pub use lines::{LONGEST_LINE, read_header};
pub use writer::Writer;

/// The program of the guide, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../your-own-game.md")]
struct YourOwnGame;

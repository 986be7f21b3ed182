//! What both languages share: code for a game of any type, and what a comparison with another program came to.

use plyproof_core::Game;

/// Code for a game of any type.
pub trait Visitor {
    /// What it comes to.
    type Output;

    /// Called with the position at the start of the game.
    fn visit<G: Game>(self, start: G) -> Self::Output;
}

/// What was compared with another program's account of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Replayed {
    /// Positions whose legal moves agree.
    pub positions: u64,
    /// Games whose results agree.
    pub games: u64,
    /// Counts of lines of play that agree.
    pub perft: u64,
}

/// FNV-1a of 64 bits over the texts, each followed by a newline.
pub(crate) fn hash_of_texts<T: AsRef<str>>(texts: &[T]) -> u64 {
    let bytes = texts.iter().flat_map(|text| text.as_ref().bytes().chain([b'\n']));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

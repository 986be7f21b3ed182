//! Numberings of positions, so that a table can hold a value for each of them.

use std::ops::Range;

use crate::game::{Game, TextError};
use crate::outcome::Wdl;
use crate::spec::Params;

/// Positions of one game numbered from 0 without gaps: what a table of exact values needs to know of the game.
///
/// Players take turns, and positions that differ only in who is called the first player share a number. No move leads
/// out of the numbered positions: what follows a position is finished, has a number, or is [`Place::Known`].
pub trait Indexing: Send + Sync + Sized + 'static {
    /// The game.
    type Game: Game;

    /// Numbers the positions of the game with these parameters, up to `limit` where the game takes one.
    ///
    /// The error says what is missing, too large, or not possible with these parameters. Takes no memory to speak of.
    fn new(params: &Params, limit: Option<u32>) -> Result<Self, TextError>;

    /// The position in which games of these parameters start, whether it has a number or not.
    fn start(&self) -> Self::Game;

    /// All positions, cut into layers that follow each other without gaps. Moves lead to the same layer or to earlier
    /// ones, so that layers are worked out one by one.
    fn layers(&self) -> Vec<Layer>;

    /// A position with this number, which is below the end of the last layer.
    fn position(&self, index: u64) -> Self::Game;

    /// Where the value of an unfinished position is.
    fn place(&self, position: &Self::Game) -> Place;
}

/// Positions that are worked out together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    /// Their numbers.
    pub positions: Range<u64>,
    /// What is on the board: seeds, stones.
    pub pieces: u32,
    /// Whether nobody is ahead in captured pieces; always, where these do not count.
    pub even: bool,
}

/// Where the value of a position is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In the table, under this number.
    At(u64),
    /// Not in the table, because the rules alone say it: the value for the player to move.
    Known(Wdl),
    /// The position has no number.
    Outside,
}

//! The positions that the entries of a certificate stand for.

use plyproof_core::Game;

use crate::set::{Full, PositionSet};

/// The listed positions and, in a symmetric certificate, their images under the symmetries of the game.
///
/// Only the listed texts are kept. An image is recognised by its listed position: the game maps the position in hand to
/// the listed one, and the listed one, read from its text, must map back. So the game's symmetries decide what is looked
/// up, and never whether something is proven: every image that is found here was checked as if it were listed.
pub(crate) struct Listed {
    pub(crate) set: PositionSet,
    symmetric: bool,
}

impl Listed {
    pub(crate) fn new(memory: u64, symmetric: bool) -> Self {
        Self { set: PositionSet::new(memory), symmetric }
    }

    /// Adds the position of an entry; `false` if it was listed already.
    pub(crate) fn insert(&mut self, text: &str) -> Result<bool, Full> {
        self.set.insert(text)
    }

    /// Whether the position, written `text`, is listed or one of the images of a listed one.
    pub(crate) fn covers<G: Game>(&self, state: &G, text: &str) -> bool {
        self.set.contains(text) || (self.symmetric && self.covers_an_image(state, text))
    }

    fn covers_an_image<G: Game>(&self, state: &G, text: &str) -> bool {
        (1..state.symmetries()).any(|index| {
            let listed = state.symmetric(index).position_text();
            self.set.contains(&listed)
                && state
                    .parse_position(&listed)
                    .is_ok_and(|listed| images(&listed).any(|image| image.position_text() == text))
        })
    }
}

/// The images of a position under all symmetries but the identity.
fn images<G: Game>(state: &G) -> impl Iterator<Item = G> {
    (1..state.symmetries()).map(|index| state.symmetric(index))
}

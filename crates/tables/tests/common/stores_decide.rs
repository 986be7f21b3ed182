//! Another reading of the rules of Awari, which explains counts that were made elsewhere.

use plyproof_core::spec::Params;
use plyproof_core::{Game, Indexing, Layer, Place, TextError, Wdl};
use plyproof_games::awari::{Awari, Endgames};

/// The endgames if two passes in a row did not draw: the stores decide.
pub struct StoresDecide(Endgames);

impl Indexing for StoresDecide {
    type Game = Awari;

    fn new(params: &Params, limit: Option<u32>) -> Result<Self, TextError> {
        Endgames::new(params, limit).map(Self)
    }

    fn start(&self) -> Awari {
        self.0.start()
    }

    fn layers(&self) -> Vec<Layer> {
        self.0.layers()
    }

    fn position(&self, index: u64) -> Awari {
        self.0.position(index)
    }

    fn place(&self, position: &Awari) -> Place {
        match self.0.place(position) {
            Place::Known(_) => {
                let [own, other] = [position.to_move(), position.to_move().other()].map(|p| position.store(p));
                Place::Known(match own.cmp(&other) {
                    std::cmp::Ordering::Less => Wdl::Loss,
                    std::cmp::Ordering::Equal => Wdl::Draw,
                    std::cmp::Ordering::Greater => Wdl::Win,
                })
            }
            place => place,
        }
    }
}

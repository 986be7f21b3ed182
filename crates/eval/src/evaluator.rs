//! A network as an evaluator for searches, which updates what it computed for one position to get the next.

use std::sync::Arc;

use plyproof_core::{BestUse, Evaluator, Features, Game, Judge, Logit, TextError};

use crate::kernel::Memory;
use crate::network::Network;

/// Positions deeper than this share a place in the memory of a judge.
const DEEPEST: usize = 255;

/// Judges positions by a network.
#[derive(Clone, Debug)]
pub struct NetworkEvaluator {
    network: Arc<Network>,
    name: String,
    best_use: BestUse,
}

impl NetworkEvaluator {
    /// An evaluator for the game of `position`. An error if the network is for another number of features.
    pub fn new<G: Game>(
        position: &G,
        network: Arc<Network>,
        name: impl Into<String>,
        best_use: BestUse,
    ) -> Result<Self, TextError> {
        let (found, needed) = (network.features(), position.feature_count());
        if found != needed {
            let what = format!("the network is for {found} features, and positions of this game have {needed}");
            return Err(TextError::new(what));
        }
        Ok(Self { network, name: name.into(), best_use })
    }
}

impl<G: Game> Evaluator<G> for NetworkEvaluator {
    fn judge(&self) -> Box<dyn Judge<G>> {
        Box::new(NetworkJudge::new(Arc::clone(&self.network)))
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn best_use(&self) -> BestUse {
        self.best_use
    }
}

/// The judge of one thread.
///
/// It remembers the last position of each depth. The next position there is mostly a sibling of that one, or a
/// grandchild of the one two plies above it: in the view of the player to move, which both share, few features differ.
pub(crate) struct NetworkJudge {
    network: Arc<Network>,
    features: Features,
    /// Place 0 stays the position without features, from which every other can be computed.
    memory: Memory,
}

impl NetworkJudge {
    pub(crate) fn new(network: Arc<Network>) -> Self {
        let memory = Memory::new(&network, DEEPEST + 2);
        Self { network, features: Features::default(), memory }
    }
}

impl<G: Game> Judge<G> for NetworkJudge {
    #[inline]
    fn value(&mut self, position: &G, depth: usize) -> Logit {
        position.features(&mut self.features);
        let place = depth.min(DEEPEST) + 1;
        let candidates = [place, place.saturating_sub(2), 0];
        Logit::new(self.memory.value(&self.network, self.features.words(), &candidates))
    }
}

//! What `auto` means: settings that depend on the position or the budget, decided before a search begins.

use super::{Exploration, Mcts, Playouts};
use crate::game::{DecisivePlayouts, Game};
use crate::search::budget::Budget;

/// Moves above which `rave=auto` is on, its k, and the value of `c=auto` where it is on.
const MANY: usize = 100;
const RAVE_AUTO: f64 = 3000.0;
const RAVE_C: f64 = 0.1;
/// Simulations below which `expand=auto` opens nodes before their first play-out.
const FEW: u64 = 50;

/// With an evaluation, the k of its values in the choice, and the value of `c=auto`.
const JUDGED: f64 = 10_000.0;
const JUDGED_C: f64 = 0.3;

impl Mcts {
    /// The settings of a search with an evaluation: nothing of what belongs to play-outs.
    pub(crate) fn judged(self) -> Self {
        Self {
            judged: Some(JUDGED),
            c: if self.c == Exploration::Auto { Exploration::Fixed(JUDGED_C) } else { self.c },
            grow: None,
            expand: self.expand.or(Some(1)),
            rave: None,
            rave_auto: false,
            reference: 0,
            virtual_losses: 0,
            playouts: Playouts::Always(1),
            playouts_auto: false,
            policy: None,
            decisive_playouts: false,
            ..self
        }
    }

    /// The visit at which a node is opened in a search with this budget.
    ///
    /// A node that is opened before its first play-out has meaningful proof numbers one simulation sooner. That pays in very
    /// small searches; in larger ones it only costs time and memory.
    pub(crate) fn opens_at(&self, budget: &Budget) -> u32 {
        let few = budget.simulations.is_some_and(|simulations| simulations < FEW);
        self.expand.unwrap_or(if few { 1 } else { 2 })
    }

    /// Resolves every `auto` for a search of this position.
    ///
    /// Play-outs alone hardly tell more than a hundred moves apart; RAVE does. Where there are few moves it misleads as often
    /// as it helps. It also points to moves that were not tried, which leaves little to exploration.
    ///
    /// Updating RAVE's means costs more than a random play-out. It is done once for all play-outs at a leaf, so that several
    /// of them pay; not so where the play-outs themselves are better and cost more.
    pub(crate) fn resolved_for<G: Game>(self, start: &G, moves: &mut Vec<G::Move>) -> Self {
        let mut config = self;
        if !self.rave_auto && !self.playouts_auto {
            return config;
        }
        moves.clear();
        start.moves(moves);
        let many = moves.len() > MANY;
        if self.rave_auto {
            (config.rave, config.rave_auto) = ((many && start.traces_playouts()).then_some(RAVE_AUTO), false);
            if config.rave.is_some() && self.c == Exploration::Auto {
                config.c = Exploration::Fixed(RAVE_C);
            }
        }
        if self.playouts_auto {
            let decisive = self.decisive_playouts && start.decisive_playouts() != DecisivePlayouts::None;
            let cheap = many && config.rave.is_some() && !decisive;
            config.playouts = if cheap { Playouts::Growing } else { Playouts::Always(1) };
            config.playouts_auto = false;
        }
        config
    }
}

//! Every search, behind one door: [`Searcher::search`] takes a position and a budget and returns a [`Report`].

mod agent;
mod bias;
mod budget;
mod dfpn;
mod explore;
mod mcts;
mod minimax;
mod pns;
pub mod proof;
mod report;
mod select;
mod switches;
mod table;
mod tree;

use std::sync::atomic::AtomicBool;

use crate::game::Game;
use crate::rng::Rng;

pub use agent::{AGENTS, Agent};
pub use budget::{Budget, Stopped};
pub use explore::ln;
pub use table::TableUse;

pub use report::{Bounds, MoveReport, Report, competition_ranks};

use agent::Method;
use budget::Meter;

/// A search with its memory, which it keeps from one position to the next.
pub struct Searcher<G: Game> {
    space: mcts::Workspace<G>,
    solver: dfpn::Solver<G>,
}

impl<G: Game> Default for Searcher<G> {
    fn default() -> Self {
        Self::new()
    }
}

impl<G: Game> Searcher<G> {
    /// A searcher that holds no memory yet.
    pub fn new() -> Self {
        Self { space: mcts::Workspace::new(), solver: dfpn::Solver::new() }
    }

    /// Searches `position` with `agent` until the budget is used up, the value is proven, or `stop` is set.
    ///
    /// The same seed and simulations give the same report on every machine, but for the time it took. `observer` is
    /// called with the report so far about ten times a second.
    pub fn search(
        &mut self,
        agent: &Agent,
        position: &G,
        budget: &Budget,
        seed: u64,
        stop: &AtomicBool,
        observer: &mut dyn FnMut(&Report<G::Move>),
    ) -> Report<G::Move> {
        if let Some(outcome) = position.outcome() {
            let meter = Meter::new(budget, stop);
            let bounds = Bounds::exactly(outcome.of(position.to_move()));
            return Report { bounds, ..without_search(None, &meter, Stopped::GameOver) };
        }
        match agent.method() {
            Method::Random => {
                let meter = Meter::new(budget, stop);
                let m = position.random_move(&mut Rng::new(seed));
                without_search(Some(m), &meter, Stopped::Settled)
            }
            Method::Minimax => minimax::search(position, budget, stop),
            Method::Dfpn(config) => dfpn::search(config, &mut self.solver, position, budget, stop, observer),
            Method::Pns => pns::search(&mut self.space, position, budget, stop, observer),
            Method::Mcts(config) => mcts::search(config, &mut self.space, position, budget, seed, stop, observer),
        }
    }

    /// Forgets the last search, which agents with `reuse=on` go on with: the next position belongs to another game.
    pub fn forget(&mut self) {
        self.space.forget();
    }

    /// [`search`](Searcher::search) with nobody watching and nobody stopping it.
    pub fn run(&mut self, agent: &Agent, position: &G, budget: &Budget, seed: u64) -> Report<G::Move> {
        self.search(agent, position, budget, seed, &AtomicBool::new(false), &mut |_| {})
    }
}

/// A report of a search that looked at nothing.
fn without_search<M>(best: Option<M>, meter: &Meter<'_>, stopped: Stopped) -> Report<M> {
    Report {
        best,
        bounds: Bounds::OPEN,
        numbers: None,
        line: Vec::new(),
        moves: Vec::new(),
        simulations: 0,
        nodes: 0,
        bytes: 0,
        elapsed: meter.elapsed(),
        stopped: Some(stopped),
        table: None,
        full_after: None,
    }
}

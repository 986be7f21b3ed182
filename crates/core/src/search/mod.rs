//! All searches, behind one entry point: [`Searcher::search`] takes a position and a budget and returns a [`Report`].

mod agent;
mod alphabeta;
mod bias;
mod bonus;
mod bucket;
mod budget;
mod busy;
mod certify;
mod clock;
mod dfpn;
mod dfpn_report;
pub mod jobs;
mod knowledge;
mod mcts;
mod memory_hints;
pub(crate) mod minimax;
mod pns;
mod policy;
pub mod proof;
mod prover;
mod questions;
mod report;
mod saved;
mod select;
mod solve;
mod sqrt_ln;
mod switches;
mod table;
mod terms;
mod tree;
mod view;
mod word;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::evaluation::{BestUse, Evaluator};
use crate::game::{Game, TextError};
use crate::rng::Rng;

pub use agent::{AGENTS, Agent};
pub use bonus::{ChildStats, NodeStats, SelectionBonus};
pub use budget::{Budget, Stopped};
pub use certify::{NotWritten, Strategy};
pub use clock::TimeSource;
pub use policy::PlayoutPolicy;
pub use solve::{Aim, Proof, Solution, SolveProgress, SolveTask};
pub use sqrt_ln::ln;
pub use table::TableUse;
pub use terms::{BonusKind, Terms};

pub use view::{ChildView, NodeView, TreeView, Viewer};

pub use saved::{Checkpoints, Interval, Save, Standing};

pub use report::{Bounds, MoveReport, Report, competition_ranks};

use agent::Method;
use budget::Meter;

/// A search with its memory, which it keeps from one position to the next.
pub struct Searcher<G: Game> {
    space: mcts::Workspace<G>,
    /// The second level of PN².
    second: mcts::Workspace<G>,
    solver: dfpn::Solver<G>,
    alphabeta: alphabeta::Solver<G>,
    playing: alphabeta::player::Playing<G>,
    turns: prover::Turns,
    /// What judges positions, for agents that ask for it.
    evaluator: Option<Arc<dyn Evaluator<G>>>,
}

impl<G: Game> Default for Searcher<G> {
    fn default() -> Self {
        Self::new()
    }
}

impl<G: Game> Searcher<G> {
    /// A searcher that holds no memory yet.
    pub fn new() -> Self {
        Self {
            space: mcts::Workspace::new(),
            second: mcts::Workspace::new(),
            solver: dfpn::Solver::new(),
            alphabeta: alphabeta::Solver::new(),
            playing: alphabeta::player::Playing::new(),
            turns: prover::Turns::default(),
            evaluator: None,
        }
    }

    /// Searches `position` with `agent` until the budget is used up, the value is proven, or `stop` is set.
    ///
    /// The same seed and simulations give the same report on every machine, but for the time it took; from an agent that
    /// goes on with the searcher's last search (see [`forget`](Searcher::forget)) after the same searches before.
    /// `observer` is called with the report so far about ten times a second.
    pub fn search(
        &mut self,
        agent: &Agent,
        position: &G,
        budget: &Budget,
        seed: u64,
        stop: &AtomicBool,
        observer: &mut dyn FnMut(&Report<G::Move>),
    ) -> Report<G::Move> {
        self.space.clear_view();
        self.space.own_bonus = agent.own_bonus();
        let budget = &agent.within(budget);
        if let Some(outcome) = position.outcome() {
            let meter = Meter::new(budget, stop);
            let bounds = Bounds::exactly(outcome.of(position.to_move()));
            return Report { bounds, ..without_search(None, &meter, Stopped::GameOver) };
        }
        let evaluator = agent.evaluation().and_then(|_| self.evaluator.clone());
        match agent.method() {
            Method::Random => {
                let meter = Meter::new(budget, stop);
                let m = position.random_move(&mut Rng::new(seed));
                without_search(Some(m), &meter, Stopped::NoSearchNeeded)
            }
            Method::Minimax => minimax::search(position, budget, stop),
            Method::Dfpn(config) => {
                let mut prover = prover::WithDfpn(&mut self.solver, config);
                dfpn_report::search(&mut prover, position, budget, stop, observer)
            }
            Method::AlphaBeta(config) if position.players() == 2 => {
                self.play_by_alpha_beta(config, None, evaluator, position, budget, seed, stop, observer)
            }
            Method::AlphaBeta(config) => {
                let mut prover = prover::WithAlphaBeta(&mut self.alphabeta, config);
                dfpn_report::search(&mut prover, position, budget, stop, observer)
            }
            Method::Both => dfpn_report::search(&mut self.both(), position, budget, stop, observer),
            Method::Pns { two_levels } => {
                let config = pns::Pns { goal: proof::Goal::win(position.to_move()), two_levels };
                pns::search(&config, [&mut self.space, &mut self.second], position, budget, stop, observer)
            }
            Method::Mcts(config) => {
                // A bonus or a policy of somebody's own is for a tree with play-outs, unless it is said otherwise.
                let own = self.space.policy.is_some() || config.search.is_none() && self.space.own_bonus.is_some();
                let evaluator = evaluator.filter(|_| !own && position.players() == 2);
                let best = config.search.or(evaluator.as_ref().map(|evaluator| evaluator.best_use()));
                let evaluator = evaluator.filter(|_| best != Some(BestUse::Nowhere));
                if best == Some(BestUse::AlphaBeta) && evaluator.is_some() {
                    let (prove, config) = (Some(config.prove.unwrap_or(0.0)), alphabeta::AlphaBeta::DEFAULT);
                    return self.play_by_alpha_beta(config, prove, evaluator, position, budget, seed, stop, observer);
                }
                self.space.evaluator = evaluator;
                mcts::search(config, &mut self.space, position, None, budget, seed, stop, observer)
            }
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn play_by_alpha_beta(
        &mut self,
        config: alphabeta::AlphaBeta,
        prove: Option<f64>,
        evaluator: Option<Arc<dyn Evaluator<G>>>,
        position: &G,
        budget: &Budget,
        seed: u64,
        stop: &AtomicBool,
        observer: &mut dyn FnMut(&Report<G::Move>),
    ) -> Report<G::Move> {
        self.playing.evaluator = evaluator;
        let (memory, solver) = (&mut self.playing, &mut self.alphabeta);
        alphabeta::player::search(config, prove, memory, solver, position, budget, seed, stop, observer)
    }

    fn both(&mut self) -> prover::Both<'_, G> {
        prover::Both {
            dfpn: prover::WithDfpn(&mut self.solver, dfpn::Dfpn::DEFAULT),
            alpha_beta: prover::WithAlphaBeta(&mut self.alphabeta, alphabeta::AlphaBeta::DEFAULT),
            turns: &mut self.turns,
            found_by: None,
        }
    }

    /// Shows the tree to `viewer` whenever a search reports, just before it does; nobody with `None`.
    pub fn watch(&mut self, viewer: Option<Viewer<G::Move>>) {
        self.space.viewing.viewer = viewer;
    }

    /// The tree of the last search, if its agent keeps one.
    pub fn tree(&self) -> Option<TreeView<'_, G::Move>> {
        self.space.view()
    }

    /// Finds out the exact value of `position`, with an agent that [`solves`](Agent::solves).
    ///
    /// `observer` is told about ten times a second how it stands.
    pub fn solve(
        &mut self,
        task: &SolveTask<'_>,
        position: &G,
        stop: &AtomicBool,
        observer: &mut dyn FnMut(&SolveProgress),
    ) -> Solution<G> {
        self.space.own_bonus = task.agent.own_bonus();
        let solved = solve::solve(self, &task.by_agent(), position, stop, observer, None);
        solved.unwrap_or_else(|error| unreachable!("there is nothing to read: {error}"))
    }

    /// [`solve`](Searcher::solve) with an agent that [keeps tables](Agent::keeps_tables), whose memory is saved now and then.
    ///
    /// An error if `checkpoints` name a memory to go on from that is not of this position, agent and memory limit.
    pub fn solve_on(
        &mut self,
        task: &SolveTask<'_>,
        position: &G,
        stop: &AtomicBool,
        observer: &mut dyn FnMut(&SolveProgress),
        checkpoints: Checkpoints<'_>,
    ) -> Result<Solution<G>, TextError> {
        self.space.own_bonus = task.agent.own_bonus();
        solve::solve(self, &task.by_agent(), position, stop, observer, Some(checkpoints))
    }

    /// Lets the play-outs of Monte-Carlo agents go by `policy`; with `None` by the agent's own parameters again. Forgets the
    /// last search.
    ///
    /// The name of an agent does not tell of it: [`Agent::with_label`] makes one that does.
    pub fn set_policy(&mut self, policy: Option<Box<dyn PlayoutPolicy<G>>>) {
        self.forget();
        self.space.policy = policy;
    }

    /// Lets agents whose parameter `eval` is not `off` judge positions by `evaluator`; with `None` none of them does.
    /// Forgets the last search.
    pub fn set_evaluator(&mut self, evaluator: Option<Arc<dyn Evaluator<G>>>) {
        self.forget();
        self.evaluator = evaluator;
    }

    /// Forgets the last search, which agents with `reuse=on` (`plyproof` by default), and others that have proven a win,
    /// go on with one or two moves later: the next position belongs to another game, or is to be searched as if alone.
    pub fn forget(&mut self) {
        self.space.forget();
        self.playing.forget();
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

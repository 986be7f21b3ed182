//! Monte-Carlo tree search, with or without proof numbers (Doe, Winands, Soemers, Browne: Combining Monte-Carlo Tree
//! Search with Proof-Number Search, 2022), and with everything that [`Mcts`] can turn on.
//!
//! A simulation descends by [`select`](super::select) while every child of a node was visited; where not, it visits one
//! more child at random; it opens a leaf that is reached a second time, plays out, and backs up the result.
//!
//! Only the simulation is compiled twice for each game, as `simulate::<FULL>`: as published, and with everything. So the
//! yardsticks `mcts` and `pn-mcts` do not pay for questions whose answer is always no. All else is compiled once.

mod back_up;
mod choose;
mod explain;
mod judged;
mod keep;
mod learn;
mod open;
mod playout;
mod prove;
mod report;
mod simulate;
mod threads;
mod worker;

use std::sync::atomic::AtomicBool;

use crate::game::Game;
use crate::outcome::Wdl;
use crate::rng::Rng;
use crate::search::budget::{Budget, Meter, Stopped, Tick};
use crate::search::proof::{Goal, ProofNumbers};
use crate::search::report::{Bounds, Report};
use crate::search::switches::Mcts;
use crate::search::tree::Node;
use crate::search::view::Chooses;

pub(crate) use choose::Rules;
pub(crate) use explain::Explainer;
use judged::Judging;
use keep::Kept;
pub(crate) use open::Workspace;
use playout::Kind;
use prove::Prover;
use worker::Tally;

/// A search of one position.
struct Search<'a, G: Game> {
    rules: Rules,
    /// Whether the moves of play-outs are recorded.
    records: bool,
    playout: Kind,
    /// Whether decided children are visited, since the solver prunes them only after some visits.
    visits_decided: bool,
    /// The visit at which a node is opened.
    expand: u32,
    space: &'a mut Workspace<G>,
    start: &'a G,
    state: G,
    /// The position of `root`, which is not the start where a thread searches below a node of the tree, and the moves
    /// between them.
    base: G,
    above: usize,
    root: Node,
    root_numbers: ProofNumbers,
    /// What is proven of the root for the player to move, by the solver.
    root_bounds: Bounds,
    counted: Option<Goal>,
    root_second: ProofNumbers,
    rng: Rng,
    full_after: Option<u64>,
    /// The first step of the path where bounds changed in this simulation.
    news_from: usize,
    /// Whether a goal was given: then a disproof settles it too.
    solves: bool,
    /// The unvisited child to visit next, where they are not all alike.
    next_new: Option<usize>,
    /// Simulations of the last descent, and the position it led to if there are several.
    made: u32,
    leaf: G,
    prover: Prover<G::Move>,
    /// What is added up for the nodes above, where the root is not that of the tree.
    tally: Option<Tally>,
}

/// Searches for the best move; or, if `solve` is given, for that goal until it is proven or disproven.
#[allow(clippy::too_many_arguments)]
pub(crate) fn search<G: Game>(
    config: Mcts,
    space: &mut Workspace<G>,
    start: &G,
    solve: Option<Goal>,
    budget: &Budget,
    seed: u64,
    stop: &AtomicBool,
    observer: &mut dyn FnMut(&Report<G::Move>),
) -> Report<G::Move> {
    let meter = Meter::new(budget, stop);
    let evaluator = space.evaluator.as_ref().filter(|_| solve.is_none());
    let config = match evaluator {
        Some(_) => config.judged(),
        None => config.resolved_for(start, &mut space.moves),
    };
    space.judging = evaluator.map(|evaluator| Judging::new(evaluator.judge()));
    let full = !config.is_plain() || space.policy.is_some();
    Search::new(config, full, space, start, solve, budget, seed).run(meter, observer)
}

impl<'a, G: Game> Search<'a, G> {
    /// A search that has not begun. `full` must be set unless the configuration is plain.
    fn new(
        mut config: Mcts,
        full: bool,
        space: &'a mut Workspace<G>,
        start: &'a G,
        solve: Option<Goal>,
        budget: &Budget,
        seed: u64,
    ) -> Self {
        if solve.is_some() {
            // The numbers are for the goal that was given, and for no other.
            config.reuse = false;
            if let Some(proof) = &mut config.proof {
                (proof.players, proof.two_goals) = (false, false);
            }
        }
        let counted = config.proof.map(|proof| match proof.players {
            true => Goal::RACE,
            false => solve.unwrap_or(Goal::win(start.to_move())),
        });
        let two = full && config.proof.is_some_and(|proof| proof.two_goals);
        let second = two.then_some(Goal::draw(start.to_move()));
        let memory = budget.memory.unwrap_or(Budget::MEMORY);
        let table = prove::table_bytes(config.prove, memory);
        let memory = memory - table;
        // Threads need a tree whose blocks keep apart. A policy for play-outs, or a judge, belongs to one thread.
        let threads = if space.policy.is_some() || config.judged.is_some() { 1 } else { budget.threads };
        let fits = space.tree.is_padded() == (threads > 1);
        let goes_on = full && solve.is_none() && fits;
        let known = if goes_on { space.known(start, &config, (counted, second)) } else { None };
        space.kept = None;
        space.second = second;
        space.virtual_losses = if config.rave.is_some() { config.virtual_losses } else { 0 };
        let root = match known.and_then(|known| space.keep(known, memory)) {
            Some(root) => root,
            None => {
                space.tree.reset(counted.is_some(), counted.is_some(), memory);
                if threads > 1 {
                    space.tree.pad();
                }
                let root = if full {
                    space.tree.extend(config.proof);
                    if config.rave.or(config.judged).is_some() {
                        space.tree.keep_amaf();
                    }
                    space.open_root(start, counted, &config)
                } else {
                    space.open(start, counted, usize::MAX, true)
                };
                let Some(root) = root else { unreachable!("the root is always opened") };
                root
            }
        };
        if full {
            space.fading.prepare(config.proof);
            space.move_stats.reset(config.rave.is_some(), config.policy.is_some());
        }
        let root_numbers = if counted.is_some() { space.tree.combined(root) } else { ProofNumbers::UNKNOWN };
        let root_second = if two { space.tree.combined_second(root) } else { ProofNumbers::UNKNOWN };
        let root_bounds = if config.solver.is_some() { space.tree.node_bounds(root) } else { Bounds::OPEN };
        let mut prover = Prover::new(config.prove, start, solve);
        if space.is_solved(start, table) && full && solve.is_none() {
            prover.go_on();
        }
        Self {
            rules: Rules::new(config, full),
            records: config.records(),
            playout: Kind::of(&config, space.policy.is_some()),
            visits_decided: config.solver.is_some_and(|visits| visits > 0),
            expand: config.opens_at(budget),
            space,
            start,
            state: start.clone(),
            base: start.clone(),
            above: 0,
            root,
            root_numbers,
            root_bounds,
            counted,
            root_second,
            rng: Rng::new(seed),
            full_after: None,
            news_from: usize::MAX,
            solves: solve.is_some(),
            next_new: None,
            made: 0,
            leaf: start.clone(),
            prover,
            tally: None,
        }
    }

    fn run(mut self, mut meter: Meter<'_>, observer: &mut dyn FnMut(&Report<G::Move>)) -> Report<G::Move> {
        let together = if self.space.tree.is_padded() { self.run_threads(&mut meter, observer) } else { None };
        let stopped = together.unwrap_or_else(|| self.run_alone(&mut meter, observer));
        self.show();
        let mut report = self.report(&meter, Some(stopped));
        if self.rules.full {
            self.proven_line(&mut report, &meter);
            self.hand_on(&report, &meter);
        }
        report
    }

    /// Searches with one thread.
    fn run_alone(&mut self, meter: &mut Meter<'_>, observer: &mut dyn FnMut(&Report<G::Move>)) -> Stopped {
        loop {
            if self.is_settled() {
                return Stopped::Proven;
            }
            match meter.tick() {
                Tick::Go => {
                    let room = if self.rules.full {
                        let room = self.simulate::<true>(meter.left());
                        meter.add(u64::from(self.made - 1));
                        room
                    } else {
                        self.simulate::<false>(1)
                    };
                    if !room && self.full_after.is_none() {
                        self.full_after = Some(meter.done());
                    }
                    if meter.done() >= self.prover.due {
                        self.prove(meter);
                    }
                }
                Tick::Notice => {
                    self.show();
                    observer(&self.report(meter, None));
                }
                Tick::Stop(why) => return why,
            }
        }
    }

    /// Shows the tree to those who look on.
    fn show(&mut self) {
        let numbers = self.counted.map(|_| self.root_numbers);
        let own_bonus = self.space.own_bonus.clone();
        let chooses = Chooses { rules: self.rules, own_bonus, settled: self.is_settled() };
        self.space.show(self.root, numbers, Some(chooses));
    }

    /// Leaves behind what the next search may go on with.
    fn hand_on(&mut self, report: &Report<G::Move>, meter: &Meter<'_>) {
        let won = !self.solves && self.prover.bounds.least == Wdl::Win;
        let table = prove::table_bytes(self.rules.config.prove, meter.budget().memory.unwrap_or(Budget::MEMORY));
        self.space.solver.solved = report.best.filter(|_| won).map(|best| (self.start.clone(), best, table));
        if !self.solves && (self.rules.config.reuse || self.root_bounds.least == Wdl::Win) {
            let goals = (self.counted, self.space.second);
            let (start, own_bonus) = (self.start.clone(), self.space.own_bonus.clone());
            self.space.kept = Some(Kept { start, root: self.root, config: self.rules.config, goals, own_bonus });
        }
    }

    /// Whether more search would change nothing.
    #[inline(always)]
    fn is_settled(&self) -> bool {
        if let Some(counted) = self.counted
            && (self.solves && self.root_numbers.is_decided()
                || counted.for_player(self.start.to_move(), self.root_numbers).is_proven())
        {
            return true;
        }
        self.root_bounds.value().is_some() || self.prover.bounds.value().is_some()
    }
}

#[cfg(test)]
mod switch_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod thread_tests;

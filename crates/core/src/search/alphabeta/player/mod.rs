//! Alpha-beta as a player: iterative deepening with estimates where the search goes no deeper.
//!
//! The search is a principal variation search with a transposition table, killers and history, aspiration windows and
//! late-move reductions. Moves that end the game, and the defences against an opponent who threatens to end it, are
//! searched at any depth, as far as the game sees them ([`Game::saving_moves`]).
//!
//! # What is proven
//! A score beyond [`WON`] is a win that was found at the end of every line, and never rests on an estimate; nor does it
//! rest on a repetition, which counts as a draw here. So wins and losses are exact values. Draws are not: a score of 0
//! may be an estimate. The [solver](super::Solver) therefore gets a share of the steps, finds draws, and values that
//! are too deep for a search by depth.

mod estimate;
mod judged;
mod listing;
mod node;
mod report;
mod root;
mod share;
mod table;
#[cfg(test)]
mod thread_tests;
mod threads;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::evaluation::{Evaluator, Judge};
use crate::game::Game;
use crate::outcome::Outcome;
use crate::search::alphabeta::order::{Learned, Learns, Looks, Order};
use crate::search::alphabeta::{AlphaBeta, Solver};
use crate::search::budget::{Budget, Meter, Stopped, Tick};
use crate::search::report::{Bounds, Report};

pub(crate) use estimate::Estimate;
use listing::{Found, Listed, tag_of};
use node::{ended, from_table, reduction, to_table};
use root::RootMove;
use share::Share;
use table::Table;
use threads::{Team, Told};

/// The score of a win at once; a win in `n` plies scores `n` less.
const WIN: i32 = 32_000;
/// Scores from here on are wins. Estimates are far below.
const WON: i32 = WIN - 1000;
/// Scores up to here are losses.
const NOT_LOST: i32 = -WON;
/// Plies that the search looks ahead at most, those beyond the depth included.
const DEEPEST: usize = 120;
/// Half the width of the first window around the score of the depth before.
const WINDOW: i32 = 600;
/// The same where scores are evaluations.
const JUDGED_WINDOW: i32 = 60;
/// The solver gets one step in so many, and at least so many steps at a time.
const SHARE: u64 = 8;
/// With an evaluation a step is worth more: then the solver gets one in so many, and none where positions repeat, with
/// which it has little success.
const JUDGED_SHARE: u64 = 32;
const TURN: u64 = 400;
/// Random games from which the first order of moves is learned.
const GAMES: u32 = 100;
/// Steps spent on the expected line once all is proven.
const LINE_STEPS: u64 = 20_000;
/// Killers come first, then moves that were good elsewhere.
const ORDER: Order = Order { killers: true, looks: Looks::None, learns: Learns::History };

/// The memory of playing searches, kept from one position to the next.
pub(crate) struct Playing<G: Game> {
    /// What judges positions, in place of the estimates.
    pub(crate) evaluator: Option<Arc<dyn Evaluator<G>>>,
    /// Shared with the other threads while there are any.
    table: Arc<Table>,
    /// Its entries in use, as far as this thread knows.
    filled: u64,
    learned: Learned,
    moves: Vec<Listed<G::Move>>,
    fresh: Vec<G::Move>,
    ends: Vec<(usize, Outcome)>,
    defences: Vec<G::Move>,
    /// Whether the moves found last are those against a threat.
    threatened: bool,
    path: Vec<u64>,
    /// The bytes of the table, if the next search with an evaluation goes on with it.
    kept: Option<usize>,
}

impl<G: Game> Playing<G> {
    pub(crate) fn new() -> Self {
        Self {
            evaluator: None,
            table: Arc::default(),
            filled: 0,
            learned: Learned::new(),
            moves: Vec::new(),
            fresh: Vec::new(),
            ends: Vec::new(),
            defences: Vec::new(),
            threatened: false,
            path: Vec::new(),
            kept: None,
        }
    }

    /// The next position belongs to another game.
    pub(crate) fn forget(&mut self) {
        self.kept = None;
    }

    /// Makes room for a search with so many bytes. A search with an evaluation goes on with the table of the one before.
    fn prepare(&mut self, bytes: usize) {
        self.path.clear();
        self.moves.clear();
        if self.evaluator.is_some()
            && self.kept == Some(bytes)
            && let Some(table) = Arc::get_mut(&mut self.table)
        {
            table.age();
            self.learned.fade();
            return;
        }
        (self.table, self.filled) = (Arc::new(Table::new(bytes)), 0);
        self.learned.forget();
        self.kept = self.evaluator.as_ref().map(|_| bytes);
    }

    /// Makes the table larger, if no other thread has it.
    fn grow(&mut self, meter: &Meter<'_>) {
        if let Some(table) = Arc::get_mut(&mut self.table) {
            self.filled = table.grow(self.filled, || !meter.is_over());
        }
    }
}

/// A search of one position by one thread.
struct Search<'a, G: Game> {
    memory: &'a mut Playing<G>,
    /// The solver and its share, which the first thread has.
    share: Option<Share<'a, G>>,
    /// What judges positions where the search goes no deeper, in place of the estimates.
    judge: Option<Box<dyn Judge<G>>>,
    config: AlphaBeta,
    start: &'a G,
    scratch: G,
    seed: u64,
    meter: Meter<'a>,
    /// The steps of this thread after which it pauses: for the solver, or to tell the others.
    due: u64,
    /// What all threads share besides the table, if there are several.
    team: Option<&'a Team>,
    told: Told,
    /// What is proven of the position.
    bounds: Bounds,
    root: Vec<RootMove<G::Move>>,
    line: Vec<G::Move>,
    /// The depth that is searched now, the last one that was searched to its end, and the score found there.
    depth: u32,
    completed: u32,
    guess: i32,
    stopped: Option<Stopped>,
    /// Whether somebody who watches should hear how it stands.
    notice: bool,
}

/// Searches for the best move of a game of two players. `prove` is the share of the steps for the solver, from 0 to 1, if
/// it is not for the search to say.
#[allow(clippy::too_many_arguments)]
pub(crate) fn search<G: Game>(
    config: AlphaBeta,
    prove: Option<f64>,
    memory: &mut Playing<G>,
    solver: &mut Solver<G>,
    start: &G,
    budget: &Budget,
    seed: u64,
    stop: &AtomicBool,
    observer: &mut dyn FnMut(&Report<G::Move>),
) -> Report<G::Move> {
    let bytes = budget.memory.unwrap_or(Budget::MEMORY);
    let helpers = threads::helpers(start, budget.threads, bytes);
    memory.prepare(bytes / 2 - helpers * threads::bytes_of_helper(start));
    let judge = memory.evaluator.as_ref().map(|evaluator| evaluator.judge());
    let team = (helpers > 0).then(|| Team::new(helpers, budget.simulations));
    // The team counts the steps of all threads.
    let own = Budget { simulations: budget.simulations.filter(|_| team.is_none()), ..budget.clone() };
    let mut meter = Meter::new(&own, stop);
    if let Some(team) = &team {
        meter = meter.or_when(&team.over);
    }
    let share = Share::new(solver, config, bytes / 2, start, judge.is_some(), prove);
    let mut moves = Vec::new();
    start.moves(&mut moves);
    let root_move = |m| RootMove { m, score: 0, at_most: false, steps: 0, bounds: Bounds::OPEN };
    let search = Search {
        memory,
        due: share.due,
        share: Some(share),
        judge,
        config,
        start,
        scratch: start.clone(),
        seed,
        meter,
        team: team.as_ref(),
        told: if team.is_some() { Told::default() } else { Told::NOBODY },
        bounds: Bounds::OPEN,
        root: moves.into_iter().map(root_move).collect(),
        line: Vec::new(),
        depth: 0,
        completed: 0,
        guess: 0,
        stopped: None,
        notice: false,
    };
    search.run(observer)
}

impl<G: Game> Search<'_, G> {
    fn run(mut self, observer: &mut dyn FnMut(&Report<G::Move>)) -> Report<G::Move> {
        if self.judge.is_some() {
            self.judge_moves();
        } else {
            self.play_at_random();
        }
        match self.team {
            None => self.deepen_step_by_step(observer),
            Some(team) => self.deepen_together(team, observer),
        }
        // Nothing lies deeper than the last depth, or the path is too long: the rest is for the solver.
        while self.stopped.is_none() && !self.is_settled() {
            self.solver_turn(self.share.as_ref().map_or(TURN, Share::turn_alone));
            if self.stopped.is_none() && std::mem::take(&mut self.notice) {
                observer(&self.report());
            }
        }
        if self.is_settled() {
            self.stopped = Some(Stopped::Proven);
        }
        let mut report = self.report();
        report.stopped = self.stopped;
        self.proven_line(&mut report);
        report
    }

    /// Learns an order of moves from random games.
    fn play_at_random(&mut self) {
        let games = self.team.map_or(GAMES, |team| team.take(GAMES.into()) as u32);
        self.stopped = self.memory.learned.seed(self.start, games, &mut self.meter);
        if let Some(team) = self.team {
            team.give_back(u64::from(games) - self.meter.done());
        }
    }

    /// Searches deeper and deeper, until the search is to end or there is nothing deeper.
    fn deepen_step_by_step(&mut self, observer: &mut dyn FnMut(&Report<G::Move>)) {
        while self.stopped.is_none() && (self.depth as usize) < DEEPEST && !self.is_settled() {
            self.begin_depth(self.depth + 1);
            self.finish_depth();
            if std::mem::take(&mut self.notice) {
                observer(&self.report());
            }
        }
    }

    fn begin_depth(&mut self, depth: u32) {
        self.depth = depth;
        if let Some(team) = self.team.filter(|_| self.share.is_some()) {
            team.lead(depth);
        }
    }

    fn finish_depth(&mut self) {
        let score = self.deepen(self.guess);
        if self.stopped.is_none() {
            (self.completed, self.guess) = (self.depth, score);
        }
    }

    fn is_settled(&self) -> bool {
        self.bounds.value().is_some()
    }

    /// Counts a position, and gives the solver its turn. False once the search is to end.
    #[inline(always)]
    fn step(&mut self) -> bool {
        if self.stopped.is_some() {
            return false;
        }
        loop {
            match self.meter.tick() {
                Tick::Go => break,
                Tick::Notice => self.notice = true,
                Tick::Stop(why) => {
                    self.stopped = Some(why);
                    return false;
                }
            }
        }
        self.meter.done() < self.due || self.pause()
    }

    /// Tells the other threads how far this one is, and gives the solver its turn, whatever is due. False once the search is
    /// to end.
    #[cold]
    fn pause(&mut self) -> bool {
        if let Some(team) = self.team
            && self.meter.done() >= self.told.granted
            && !self.tell(team)
        {
            return false;
        }
        let solver_due = |search: &Self| search.share.as_ref().map_or(u64::MAX, |share| share.due);
        if self.depth > 1 && self.meter.done() >= solver_due(self) {
            let steps = self.share.as_ref().map_or(0, |share| share.turn(self.meter.done()));
            self.solver_turn(steps);
            if self.is_settled() {
                self.stopped = Some(Stopped::Proven);
                return false;
            }
        }
        self.due = solver_due(self).min(self.told.granted);
        true
    }
}

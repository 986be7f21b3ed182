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
mod table;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::evaluation::{Evaluator, Judge, Logit};
use crate::game::Game;
use crate::outcome::{Outcome, Player, Wdl};
use crate::search::alphabeta::order::{Learned, Learns, Looks, Order};
use crate::search::alphabeta::{AlphaBeta, Solver};
use crate::search::budget::{Budget, Meter, Stopped, Tick};
use crate::search::certify;
use crate::search::proof::ProofNumbers;
use crate::search::prover::{Prover, WithAlphaBeta};
use crate::search::questions::Questions;
use crate::search::report::{Bounds, MoveReport, Report};
use crate::search::solve::Aim;
use crate::search::without_search;

pub(crate) use estimate::Estimate;
use judged::Ask;
use listing::{Found, Listed, tag_of};
use table::{Bound, Table};

/// The score of a win at once; a win in `n` plies scores `n` less.
const WIN: i32 = 32_000;
/// Scores from here on are wins. Estimates are far below.
const WON: i32 = WIN - 1000;
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
    table: Table,
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

/// A move of the root.
struct RootMove<M> {
    m: M,
    /// Its score, or a bound on it, at the last depth at which it was searched.
    score: i32,
    steps: u64,
    bounds: Bounds,
}

impl<G: Game> Playing<G> {
    pub(crate) fn new() -> Self {
        Self {
            evaluator: None,
            table: Table::default(),
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
        if self.evaluator.is_some() && self.kept == Some(bytes) {
            self.table.age();
            self.learned.fade();
            return;
        }
        self.table.reset(bytes);
        self.learned.forget();
        self.kept = self.evaluator.as_ref().map(|_| bytes);
    }
}

/// A search of one position.
struct Search<'a, G: Game> {
    memory: &'a mut Playing<G>,
    prover: WithAlphaBeta<'a, G>,
    /// What judges positions where the search goes no deeper, in place of the estimates.
    judge: Option<Box<dyn Judge<G>>>,
    config: AlphaBeta,
    start: &'a G,
    scratch: G,
    seed: u64,
    meter: Meter<'a>,
    questions: Questions,
    /// What is proven of the position.
    bounds: Bounds,
    root: Vec<RootMove<G::Move>>,
    line: Vec<G::Move>,
    depth: u32,
    /// Steps that the solver has made, and the count at which it makes more.
    solver_steps: u64,
    solver_due: u64,
    /// One step in so many is the solver's.
    share: u64,
    solver_bytes: usize,
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
    memory.prepare(bytes / 2);
    let judge = memory.evaluator.as_ref().map(|evaluator| evaluator.judge());
    let mut prover = WithAlphaBeta(solver, config);
    prover.reset(bytes / 2);
    let share = match judge {
        None => SHARE,
        Some(_) if start.may_repeat() => u64::MAX,
        // One step in no time is none.
        Some(_) => prove.map_or(JUDGED_SHARE, |share| (1.0 / share) as u64),
    };
    let mut moves = Vec::new();
    start.moves(&mut moves);
    let root_move = |m| RootMove { m, score: 0, steps: 0, bounds: Bounds::OPEN };
    let search = Search {
        memory,
        prover,
        judge,
        config,
        start,
        scratch: start.clone(),
        seed,
        meter: Meter::new(budget, stop),
        questions: Questions::about(start),
        bounds: Bounds::OPEN,
        root: moves.into_iter().map(root_move).collect(),
        line: Vec::new(),
        depth: 0,
        solver_steps: 0,
        solver_due: if share == u64::MAX { u64::MAX } else { 0 },
        share,
        solver_bytes: 0,
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
            let stopped = self.memory.learned.seed(self.start, GAMES, &mut self.meter);
            self.stopped = stopped;
        }
        let mut guess = 0;
        while self.stopped.is_none() && (self.depth as usize) < DEEPEST && !self.is_settled() {
            self.depth += 1;
            guess = self.deepen(guess);
            if std::mem::take(&mut self.notice) {
                observer(&self.report());
            }
        }
        // Nothing lies deeper than the last depth, or the path is too long: the rest is for the solver.
        while self.stopped.is_none() && !self.is_settled() {
            self.solver_turn(self.solver_steps.max(TURN));
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

    fn is_settled(&self) -> bool {
        self.bounds.value().is_some()
    }

    /// Puts the moves of the root in the order of the evaluations after them.
    fn judge_moves(&mut self) {
        let mover = self.start.to_move();
        for known in &mut self.root {
            let mut next = self.start.clone();
            next.play(known.m);
            let sign = if next.to_move() == mover { 1 } else { -1 };
            known.score = match (next.outcome(), &mut self.judge) {
                (Some(outcome), _) => ended(outcome, mover, 1),
                (None, Some(judge)) => sign * judge.value(&next, 1).0,
                (None, None) => 0,
            };
        }
        self.root.sort_by_key(|known| std::cmp::Reverse(known.score));
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
        if self.meter.done() >= self.solver_due && self.depth > 1 {
            self.solver_turn((self.meter.done() / self.share.max(1)).saturating_sub(self.solver_steps).max(TURN));
            if self.is_settled() {
                self.stopped = Some(Stopped::Proven);
                return false;
            }
        }
        true
    }

    /// Some steps of the solver on the question that is open.
    #[cold]
    fn solver_turn(&mut self, steps: u64) {
        let Some(goal) = self.questions.next(Aim::Value, self.bounds) else { return };
        let part = self.meter.part(steps);
        let mut inner = Meter::new(&part, self.meter.stop_flag());
        let answer = self.prover.solve(self.start, self.questions.asked(goal), &mut inner, &mut |_, _| {});
        self.meter.add(inner.done());
        self.solver_steps += inner.done();
        self.solver_due = (self.solver_steps + TURN).saturating_mul(self.share);
        self.solver_bytes = answer.bytes;
        let says = |numbers: ProofNumbers| self.questions.meaning(goal, self.questions.answer(goal, numbers));
        self.bounds = self.bounds.and(says(answer.numbers));
        for &(m, numbers) in &answer.moves {
            if let Some(known) = self.root.iter_mut().find(|known| known.m == m) {
                known.bounds = known.bounds.and(says(numbers));
            }
        }
        match answer.stopped {
            Stopped::Simulations if self.meter.steps_left() == 0 => self.stopped = Some(Stopped::Simulations),
            Stopped::Simulations | Stopped::Proven => {}
            // Its path needs more than it has: the search by depth goes on alone, if it can.
            Stopped::Memory if (self.depth as usize) < DEEPEST => self.solver_due = u64::MAX,
            why => self.stopped = Some(why),
        }
    }

    /// Searches one ply deeper than before, in a window around `guess` that opens until it holds the score.
    fn deepen(&mut self, guess: i32) -> i32 {
        let window = if self.judge.is_some() { JUDGED_WINDOW } else { WINDOW };
        let mut width = if self.depth < 4 { 2 * WIN } else { window };
        let (mut alpha, mut beta) = ((guess - width).max(-WIN), (guess + width).min(WIN));
        loop {
            let score = self.search_root(alpha, beta);
            if self.stopped.is_some() || score > alpha && score < beta || alpha == -WIN && beta == WIN {
                return score;
            }
            width *= 4;
            if score <= alpha {
                alpha = if width > 8000 { -WIN } else { (score - width).max(-WIN) };
            } else {
                beta = if width > 8000 { WIN } else { (score + width).min(WIN) };
            }
        }
    }

    /// Searches the moves of the root. What it has found so far counts, even if it has to stop halfway.
    fn search_root(&mut self, mut alpha: i32, beta: i32) -> i32 {
        let mover = self.start.to_move();
        let before = self.root.len();
        let mut best = -WIN;
        let mut next = self.start.clone();
        if self.start.may_repeat() {
            self.memory.path.push(self.start.key());
        }
        for at in 0..self.root.len() {
            if !self.step() {
                break;
            }
            let (m, began) = (self.root[at].m, self.meter.done());
            next.clone_from(self.start);
            next.play(m);
            let depth = self.depth as i32 - 1;
            let mut score = if best == -WIN {
                self.child(&next, mover, depth, 1, alpha, beta, before)
            } else {
                self.child(&next, mover, depth, 1, alpha, alpha + 1, before)
            };
            if score > alpha && score < beta && best > -WIN && self.stopped.is_none() {
                score = self.child(&next, mover, depth, 1, alpha, beta, before);
            }
            self.root[at].steps += self.meter.done() - began + 1;
            if self.stopped.is_some() {
                break;
            }
            let known = &mut self.root[at];
            known.score = score;
            // Outside of the window a score is a bound on one side only.
            if score >= WON && score > alpha {
                known.bounds = known.bounds.and(Bounds::exactly(Wdl::Win));
            } else if score <= -WON && score < beta {
                known.bounds = known.bounds.and(Bounds::exactly(Wdl::Loss));
            }
            best = best.max(score);
            if score > alpha {
                alpha = score;
                // The best move so far leads the list.
                self.root[..=at].rotate_right(1);
                self.read_line();
                if score >= beta {
                    break;
                }
            }
        }
        self.memory.path.clear();
        let all_lost = self.root.iter().all(|known| known.bounds == Bounds::exactly(Wdl::Loss));
        if self.root.first().is_some_and(|known| known.bounds.least == Wdl::Win) {
            self.bounds = self.bounds.and(Bounds::exactly(Wdl::Win));
        } else if all_lost {
            self.bounds = self.bounds.and(Bounds::exactly(Wdl::Loss));
        }
        best
    }

    /// The score of a position for `mover`, who has just moved there.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    fn child(&mut self, next: &G, mover: Player, depth: i32, ply: usize, alpha: i32, beta: i32, before: usize) -> i32 {
        if self.judge.is_some() {
            let ask = Ask { depth, ply: ply - 1, alpha, beta, passed: false };
            return self.judged_child(next, mover, ask, depth, alpha, beta);
        }
        if let Some(outcome) = next.outcome() {
            return ended(outcome, mover, ply);
        }
        if next.to_move() == mover {
            // A player who moves twice in a row sees one opponent with as many moves as ever.
            self.node(next, depth, ply, alpha, beta, before)
        } else {
            -self.node(next, depth, ply, -beta, -alpha, before)
        }
    }

    /// The score of an unfinished position for the player to move, where the opponent had `before` moves.
    fn node(&mut self, state: &G, depth: i32, ply: usize, mut alpha: i32, mut beta: i32, before: usize) -> i32 {
        if !self.step() {
            return 0;
        }
        let repeats = state.may_repeat();
        if repeats && self.memory.path.contains(&state.key()) {
            return 0;
        }
        // No score from here is better than a win at once or worse than a loss at once.
        alpha = alpha.max(ply as i32 - WIN);
        beta = beta.min(WIN - ply as i32);
        if alpha >= beta {
            return alpha;
        }
        let key = self.key(state);
        let mut tag = 0;
        if let Some(entry) = self.memory.table.find(key) {
            tag = entry.tag;
            let score = from_table(entry.score, ply);
            let decides = match entry.bound {
                Bound::Exact => true,
                Bound::Least => score >= beta,
                Bound::Most => score <= alpha,
            };
            if decides && (i32::from(entry.depth) >= depth || score.abs() >= WON) {
                return score;
            }
        }
        let from = self.memory.moves.len();
        let mut depth = depth;
        let score = match self.look(state, ply) {
            Found::Score(score) => score,
            Found::Moves { count, threatened } => {
                self.list(state, ply, tag, |_| Some((true, 0)));
                // The answer to a threat is forced, and costs no depth.
                if threatened && ply < 2 * self.depth as usize + 4 {
                    depth += 1;
                }
                if depth <= 0 || ply >= DEEPEST {
                    self.config.estimate.of(state, &mut self.scratch, self.seed, count, before)
                } else {
                    if repeats {
                        self.memory.path.push(state.key());
                    }
                    let score = self.moves(state, key, depth, ply, alpha, beta, from, count);
                    if repeats {
                        self.memory.path.pop();
                    }
                    score
                }
            }
        };
        self.memory.moves.truncate(from);
        score
    }

    /// Searches the moves of a position that are listed from `from` on.
    #[allow(clippy::too_many_arguments)]
    fn moves(
        &mut self,
        state: &G,
        key: u64,
        depth: i32,
        ply: usize,
        alpha: i32,
        beta: i32,
        from: usize,
        count: usize,
    ) -> i32 {
        let (mover, began) = (state.to_move(), self.meter.done());
        let (mut best, mut best_at, mut low) = (-WIN, from, alpha);
        let mut next = state.clone();
        let to = self.memory.moves.len();
        for at in from..to {
            let Listed { m, end, .. } = self.next_in_order(at, to);
            let tried = at - from;
            let score = if let Some(outcome) = end {
                ended(outcome, mover, ply + 1)
            } else {
                next.clone_from(state);
                next.play(m);
                let wide = tried == 0;
                let less = if wide || depth < 3 || tried < 3 || to - from < 6 { 0 } else { reduction(depth, tried) };
                let mut score = 0;
                if !wide {
                    score = self.child(&next, mover, depth - 1 - less, ply + 1, low, low + 1, count);
                    if less > 0 && score > low {
                        score = self.child(&next, mover, depth - 1, ply + 1, low, low + 1, count);
                    }
                }
                if wide || score > low && score < beta {
                    score = self.child(&next, mover, depth - 1, ply + 1, low, beta, count);
                }
                score
            };
            if self.stopped.is_some() {
                return 0;
            }
            if score > best {
                (best, best_at) = (score, at);
                low = low.max(score);
                if low >= beta {
                    break;
                }
            }
        }
        let bound = if best >= beta {
            Bound::Least
        } else if best > alpha {
            Bound::Exact
        } else {
            Bound::Most
        };
        let chosen = self.memory.moves[best_at];
        if bound != Bound::Most {
            let before = self.memory.moves[from..best_at].iter().map(|listed| listed.place);
            let work = self.meter.done() - began + 1;
            self.memory.learned.decided(ply, chosen.place, before, work);
        }
        self.store(key, ply, best, depth, bound, chosen.place);
        best
    }

    /// The line that the table expects after the best move.
    fn read_line(&mut self) {
        self.line.clear();
        let mut state = self.start.clone();
        let mut m = self.root[0].m;
        let mut moves = Vec::new();
        loop {
            self.line.push(m);
            state.play(m);
            if state.outcome().is_some() || self.line.len() > self.depth as usize {
                return;
            }
            let key = self.key(&state);
            let Some(entry) = self.memory.table.find(key).filter(|entry| entry.tag != 0) else { return };
            moves.clear();
            state.moves(&mut moves);
            let named = |m: &&G::Move| tag_of(Learned::place(state.to_move(), **m)) == entry.tag;
            let Some(&found) = moves.iter().find(named) else { return };
            m = found;
        }
    }

    fn report(&self) -> Report<G::Move> {
        let mut moves: Vec<MoveReport<G::Move>> = Vec::with_capacity(self.root.len());
        for known in &self.root {
            let mean = match known.bounds.value() {
                Some(value) => f64::from(value.value()),
                None if self.judge.is_some() => Logit(known.score).mean().into(),
                None => {
                    f64::from(known.score.clamp(-estimate::LARGEST, estimate::LARGEST)) / f64::from(estimate::LARGEST)
                }
            };
            let (bounds, visits) = (known.bounds, known.steps);
            moves.push(MoveReport {
                m: known.m,
                visits,
                mean,
                numbers: None,
                rank: None,
                bounds,
                terms: None,
                next: false,
            });
        }
        // What is proven comes first or last; of the others, the first in the list is the best.
        moves.sort_by_key(|m| (std::cmp::Reverse(m.bounds.least), std::cmp::Reverse(m.bounds.most)));
        let best = moves.first().map(|m| m.m);
        let line = if self.line.first() == best.as_ref() { self.line.clone() } else { best.into_iter().collect() };
        Report {
            best,
            bounds: self.bounds,
            line,
            moves,
            simulations: self.meter.done(),
            nodes: self.meter.done(),
            bytes: self.memory.table.bytes() + self.solver_bytes,
            ..without_search(best, &self.meter, Stopped::Simulations)
        }
    }

    /// Best play from here, where it was the solver that found the value.
    fn proven_line(&mut self, report: &mut Report<G::Move>) {
        let (Some(best), Some(_)) = (report.best, self.bounds.value()) else { return };
        if report.line.len() > 1 {
            return;
        }
        let steps = self.meter.part(LINE_STEPS);
        let goals = self.questions.provable(self.bounds, None);
        let mut next = self.start.clone();
        next.play(best);
        let mut inner = Meter::new(&steps, self.meter.stop_flag());
        report.line.extend(certify::line(&mut self.prover, self.questions, &goals, &next, &mut inner));
    }
}

/// The score of a finished game for `player`.
fn ended(outcome: Outcome, player: Player, ply: usize) -> i32 {
    outcome.of(player).value() * (WIN - ply as i32)
}

/// How much less deep a late move is searched at first.
fn reduction(depth: i32, tried: usize) -> i32 {
    let both = (depth as usize * depth as usize * (tried + 1)).ilog2() as i32 / 2;
    (both - 1).clamp(1, depth - 2)
}

/// Scores in the table count the plies of a win from the position itself, not from the root.
fn to_table(score: i32, ply: usize) -> i16 {
    let own = match score {
        WON.. => score + ply as i32,
        ..=NOT_LOST => score - ply as i32,
        _ => score,
    };
    own.clamp(-WIN, WIN) as i16
}

fn from_table(score: i16, ply: usize) -> i32 {
    match i32::from(score) {
        score @ WON.. => score - ply as i32,
        score @ ..=NOT_LOST => score + ply as i32,
        score => score,
    }
}

/// Scores up to here are losses.
const NOT_LOST: i32 = -WON;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wins_are_counted_from_the_position_in_the_table_and_from_the_root_elsewhere() {
        for (score, ply) in [(WIN - 9, 4), (9 - WIN, 4), (17, 30), (-estimate::LARGEST, 30)] {
            assert_eq!(from_table(to_table(score, ply), ply), score);
        }
        assert_eq!(to_table(WIN - 9, 4), (WIN - 5) as i16);
        assert_eq!(from_table(to_table(5 - WIN, 3), 6), 8 - WIN);
    }
}

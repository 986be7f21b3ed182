//! Depth-first alpha-beta search for exact values, with a transposition table.
//!
//! Questions are boolean (see [`Question`]), so every search is one with a null window: a position is decided by the
//! first move that gives its player what the player wants, or by all moves failing to. What is learned about a value is
//! kept as bounds, so that the question whether a position is drawn profits from the question whether it is won.
//!
//! - When a position is opened all its children are looked up before one is searched: one that is known may decide.
//! - Keys are the same for all images of a position under the symmetries of the game, where the game has such keys.
//! - No recursion: the path is a stack of frames on the heap, whose bytes are counted (see [`Solver::has_room`]).
//! - The [order](order) in which moves are tried makes most of the difference, and no order is best in every game. So a
//!   search that takes long is interrupted now and then, [tries](adapt) the orders on positions it has met, and goes on
//!   with the best of them. Only the path is lost by that; the table stays.
//!
//! # Repetitions
//! They are treated as in df-pn. Endless play is a win for nobody, so a move back to a position on the path counts as
//! missing the goal. An answer that the goal is reached never leans on that and is true on every path. An answer that it
//! is missed may lean on a position of the path; it is kept in the table only if that position is the one being answered
//! or lies below it. Then it holds on every path: whoever prevents the win follows the search's own tree and, whenever
//! that ends with a return to a position inside it, goes on from there. Such play ends without the goal or not at all.
//! Answers that lean on the path above are used there and forgotten, so that a game full of cycles may take very long:
//! df-pn, which remembers them, suits such games better.

mod adapt;
mod known;
mod open;
mod order;
pub(crate) mod player;
mod question;
mod saved;
mod table;
#[cfg(test)]
mod tests;
mod threads;

use std::sync::Arc;

use crate::game::Game;
use crate::outcome::Outcome;
use crate::search::budget::{Meter, Stopped, Tick};
use crate::search::dfpn::{Answer, ByKey};
use crate::search::knowledge;
use crate::search::proof::Goal;
use crate::search::prover::{Beside, Heard, Notice};
use crate::search::table::TableUse;

use adapt::Layer;
use order::Learned;
pub(crate) use order::Order;
pub(crate) use player::Estimate;
use question::Question;
use table::{Entry, Stored, Table};
use threads::{Team, Told};

/// The settings of the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AlphaBeta {
    /// The order of moves; none to find out which one is best while searching.
    pub(crate) order: Option<Order>,
    /// Whether images of a position under the symmetries of the game share an entry.
    pub(crate) symmetry: bool,
    /// Whether moves that let the opponent win at once count as lost without a look, where the game sees such threats.
    pub(crate) threats: bool,
    /// How the playing search judges positions where it goes no deeper.
    pub(crate) estimate: Estimate,
    /// Whether what a game knows of a position without search decides it, and limits its moves.
    pub(crate) knowledge: bool,
}

impl AlphaBeta {
    /// What it is when nothing is said.
    pub(crate) const DEFAULT: Self =
        Self { order: None, symmetry: true, threats: true, knowledge: true, estimate: Estimate::Mixed };
}

/// Does not lean on a repetition.
const FREE: u32 = u32::MAX;

/// Positions up to this size are kept when they are looked up, so that no move is played twice.
const KEPT: usize = 320;

/// Depth above which what another solver knows is looked up: further down a look costs about as much as it saves.
const SHARED: usize = 8;

/// Bytes that the path may take at least, however small the table is.
const LEAST_ROOM: usize = 4 << 20;

struct Child<M> {
    m: M,
    key: u64,
    score: i64,
    /// Where the position is kept, if it is: an index into `kept`.
    at: u32,
    /// The move's place in the history.
    place: u16,
}

struct Frame<G: Game> {
    state: G,
    /// The key of the table, and where positions repeat that of the position itself.
    key: u64,
    own_key: u64,
    maximises: bool,
    /// Its children are those from here to the end of the list; and the next one to search.
    from: usize,
    next: usize,
    /// Where its children's positions begin.
    kept: usize,
    /// Depth of the highest position of the path that a failed child leans on, or [`FREE`].
    leans_on: u32,
    /// Positions counted when it was opened.
    since: u64,
    /// Whether one of its moves has failed.
    failed: bool,
    /// Bytes it was counted with.
    bytes: usize,
}

/// What opening a position came to.
enum Entered {
    /// The answer, and the depth that it leans on.
    Decided(bool, u32),
    /// Its children have to be searched.
    Open,
}

/// How a run ended.
enum Run {
    Decided(bool),
    /// So many positions were searched that it is time to look for a better order.
    Paused,
    Stopped(Stopped),
}

/// The memory of alpha-beta searches: the table is kept between goals and positions of one game.
pub(crate) struct Solver<G: Game> {
    table: Arc<Table>,
    usage: TableUse,
    frames: Vec<Frame<G>>,
    children: Vec<Child<G::Move>>,
    kept: Vec<G>,
    /// Positions on the path by their own keys, where positions may repeat.
    path: ByKey<u32>,
    repeats: bool,
    symmetric: bool,
    keeps: bool,
    threats: bool,
    knows: bool,
    order: Order,
    learned: Learned,
    /// Positions met on the way, by depth, to try orders on.
    layers: Vec<Layer<G>>,
    sampling: adapt::Sampling,
    /// The move that decided the last position at the root.
    best: Option<G::Move>,
    pub(crate) settled: ByKey<bool>,
    /// What another solver knows of the goal in hand, where several search together.
    pub(crate) beside: Option<Arc<Beside>>,
    moves: Vec<G::Move>,
    ends: Vec<(usize, Outcome)>,
    defences: Vec<G::Move>,
    holding: Vec<G::Move>,
    replies: Vec<G::Move>,
    /// Bytes on the heap of what is kept, and how many the path may take besides the table.
    held: usize,
    room: usize,
    /// The other threads of this search, if there are any, and what they were told.
    team: Option<Arc<Team>>,
    told: Told,
}

impl<G: Game> Solver<G> {
    pub(crate) fn new() -> Self {
        Self {
            table: Arc::new(Table::new(0)),
            usage: TableUse::default(),
            frames: Vec::new(),
            children: Vec::new(),
            kept: Vec::new(),
            path: ByKey::default(),
            repeats: true,
            symmetric: false,
            keeps: false,
            threats: true,
            knows: false,
            order: Order::ALL[0].1,
            learned: Learned::new(),
            layers: Vec::new(),
            sampling: adapt::Sampling::default(),
            best: None,
            settled: ByKey::default(),
            beside: None,
            moves: Vec::new(),
            ends: Vec::new(),
            defences: Vec::new(),
            holding: Vec::new(),
            replies: Vec::new(),
            held: 0,
            room: LEAST_ROOM,
            team: None,
            told: Told::default(),
        }
    }

    /// Empties the table and sets its size, and forgets what was learned about moves.
    pub(crate) fn reset(&mut self, bytes: usize) {
        self.table = Arc::default();
        self.table = Arc::new(Table::new(bytes));
        self.usage = TableUse { capacity: self.table.capacity(), ..TableUse::default() };
        self.room = (bytes / 8).max(LEAST_ROOM);
        self.learned.forget();
        self.layers.clear();
        self.sampling = adapt::Sampling::default();
    }

    /// Bytes of the table in use, and how it did.
    pub(crate) fn used(&self) -> (usize, TableUse) {
        (self.bytes(), self.usage)
    }

    /// Bytes of the table in use.
    pub(crate) fn bytes(&self) -> usize {
        self.usage.filled as usize * 16
    }

    #[inline(always)]
    fn key_of(&self, state: &G) -> u64 {
        if self.symmetric && state.canonical_keys() { state.canonical_key() } else { state.key() }
    }

    /// Searches for `goal` from `start`, which is not finished, until it is decided or the meter says stop.
    pub(crate) fn solve(
        &mut self,
        config: AlphaBeta,
        start: &G,
        goal: Goal,
        meter: &mut Meter<'_>,
        notice: &mut Notice<'_>,
    ) -> Answer<G::Move> {
        let question = Question::new(start, goal);
        self.repeats = start.may_repeat();
        self.symmetric = config.symmetry;
        self.threats = config.threats;
        self.knows = config.knowledge && knowledge::answers(start, goal);
        self.keeps = size_of::<G>() <= KEPT && start.heap_bytes() == 0;
        self.sampling.begin(config.order.is_none());
        let began = meter.done();
        self.order = config.order.or(self.sampling.order()).unwrap_or_else(|| Self::first_order(start));
        let (answer, stopped) = if meter.budget().threads > 1 {
            self.solve_together(start, &question, meter, notice)
        } else {
            self.solve_alone(start, &question, meter, notice)
        };
        self.sampling.end(meter.done() - began);
        self.frames.clear();
        self.children.clear();
        self.kept.clear();
        Answer {
            numbers: question.numbers(answer),
            moves: self.answers_of_moves(start, &question, answer),
            usage: self.usage,
            bytes: self.bytes(),
            stopped,
        }
    }

    fn solve_alone(
        &mut self,
        start: &G,
        question: &Question,
        meter: &mut Meter<'_>,
        notice: &mut Notice<'_>,
    ) -> (Option<bool>, Stopped) {
        let began = meter.done();
        loop {
            match self.run(start, question, meter, notice, began.saturating_add(self.sampling.pause())) {
                Run::Decided(answer) => break (Some(answer), Stopped::Proven),
                Run::Stopped(why) => break (None, why),
                Run::Paused => {
                    if let Some(why) = self.pause(start, question, meter, meter.done() - began) {
                        break (None, why);
                    }
                }
            }
        }
    }

    /// Searches until the question is answered, the meter says stop or has counted to `pause`.
    fn run(
        &mut self,
        start: &G,
        question: &Question,
        meter: &mut Meter<'_>,
        notice: &mut Notice<'_>,
        pause: u64,
    ) -> Run {
        self.frames.clear();
        self.children.clear();
        self.kept.clear();
        self.path.clear();
        self.held = 0;
        self.best = None;
        let key = question.key(self.key_of(start));
        if let Entered::Decided(answer, _) = self.enter(start.clone(), key, question, meter.done()) {
            return Run::Decided(answer);
        }
        // The answer of the child that was searched last.
        let mut returned: Option<(bool, u32)> = None;
        let mut until = if self.team.is_some() { meter.done() } else { pause };
        loop {
            let depth = self.frames.len() - 1;
            let frame = &mut self.frames[depth];
            let maximises = frame.maximises;
            let decided = match returned.take() {
                Some((answer, leans_on)) if answer == maximises => Some((answer, leans_on)),
                Some((_, leans_on)) => {
                    frame.failed = true;
                    frame.leans_on = frame.leans_on.min(leans_on);
                    None
                }
                None => None,
            };
            let decided = decided.or((frame.next == self.children.len()).then_some((!maximises, frame.leans_on)));
            if let Some((answer, leans_on)) = decided {
                let leans_on = self.leave(question, answer, leans_on, meter.done());
                if depth == 0 {
                    return Run::Decided(answer);
                }
                returned = Some((answer, leans_on));
                continue;
            }
            if self.team.is_some() {
                self.choose_child();
            }
            let frame = &mut self.frames[depth];
            let child = &self.children[frame.next];
            // What was found out since it was listed may decide it; the first was listed just now.
            if frame.next > frame.from {
                self.usage.lookups += 1;
                if let Some(entry) = self.table.find(child.key) {
                    self.usage.hits += 1;
                    if let Some(answer) = entry.known.answer(question.threshold) {
                        frame.next += 1;
                        returned = Some((answer, FREE));
                        continue;
                    }
                }
            }
            match meter.tick() {
                Tick::Go => {}
                Tick::Notice => {
                    notice(meter, Heard::of(None, self.usage));
                    continue;
                }
                Tick::Stop(why) => return Run::Stopped(why),
            }
            if meter.done() > until {
                match self.tell(meter.done(), pause) {
                    Some(next) => until = next,
                    None => return Run::Paused,
                }
                returned = self.turn_back(question);
                meter.take_back();
                continue;
            }
            frame.next += 1;
            let key = child.key;
            if depth < SHARED
                && let Some(beside) = &self.beside
                && let Some(numbers) = beside(key)
            {
                returned = Some((question.numbers(Some(true)) == numbers, FREE));
                continue;
            }
            let state = if self.keeps {
                self.kept[child.at as usize].clone()
            } else {
                let mut next = frame.state.clone();
                next.play(child.m);
                next
            };
            if let Entered::Decided(answer, leans_on) = self.enter(state, key, question, meter.done()) {
                returned = Some((answer, leans_on));
            }
            if !self.has_room() {
                return Run::Stopped(Stopped::Memory);
            }
        }
    }

    /// Whether the path is within its bytes.
    #[inline(always)]
    fn has_room(&self) -> bool {
        let each = size_of::<Frame<G>>() + 2 * size_of::<(u64, u32)>();
        let bytes = self.frames.capacity() * each
            + self.children.capacity() * size_of::<Child<G::Move>>()
            + self.kept.capacity() * size_of::<G>()
            + self.held;
        bytes <= self.room
    }

    /// Takes back what opening a position left on the stacks.
    #[inline(always)]
    fn close(&mut self, children: usize, kept: usize, own_key: u64) {
        self.children.truncate(children);
        self.kept.truncate(kept);
        if self.repeats {
            self.path.remove(&own_key);
        }
    }

    /// Closes the last position of the path with its answer; the depth above it that the answer leans on.
    #[inline(always)]
    fn leave(&mut self, question: &Question, answer: bool, leans_on: u32, done: u64) -> u32 {
        let depth = self.frames.len() - 1;
        let Some(frame) = self.frames.pop() else { return FREE };
        if let Some(team) = &self.team {
            team.busy.leave(frame.key);
        }
        let work = done - frame.since + 1;
        let mut decided_by = 0;
        if answer == frame.maximises
            && let Some(at) = frame.next.checked_sub(1)
        {
            let (before, best) = (&self.children[frame.from..at], &self.children[at]);
            decided_by = tag(best.key);
            if depth == 0 {
                self.best = Some(best.m);
            }
            self.learned.decided(depth, best.place, before.iter().map(|child| child.place), work);
        }
        self.held -= frame.bytes;
        self.close(frame.from, frame.kept, frame.own_key);
        let leans = answer == question.of_repetition() && leans_on < depth as u32;
        if !leans {
            self.store(frame.key, Entry { known: question.known(answer), tag: decided_by, work });
        }
        self.sampling.consider(&mut self.layers, depth, frame.state, work);
        if leans { leans_on } else { FREE }
    }

    #[inline(always)]
    fn grow_if_crowded(&mut self) {
        if self.table.is_crowded(self.usage.filled)
            && let Some(table) = Arc::get_mut(&mut self.table)
        {
            table.grow();
            self.usage.capacity = self.table.capacity();
        }
    }

    #[inline(always)]
    fn store(&mut self, key: u64, entry: Entry) {
        match self.table.store(key, entry) {
            Stored::Again => {}
            Stored::New => {
                self.usage.filled += 1;
                if self.team.is_none() {
                    self.grow_if_crowded();
                }
            }
            Stored::Replaced => {
                self.usage.replaced += 1;
                if self.usage.replaced % 8 == 1 {
                    self.table.age(key);
                }
            }
        }
    }
}

/// Bits of a key that name a move; never 0.
#[inline(always)]
fn tag(key: u64) -> u16 {
    (key as u16).max(1)
}

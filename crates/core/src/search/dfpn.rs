//! Depth-first proof-number search (Nagai 2002) for "a player wins", on graphs with cycles.
//!
//! - Each node has two thresholds; the numbers are in a [`Table`]; thresholds use the 1 + epsilon trick (Pawlewicz and
//!   Lew 2007).
//! - **Repetitions.** A repetition is not a win for the prover, so a move back to a position on the path counts as
//!   disproven there. A proof never relies on a repetition: it is true on every path. A disproof may rely on one; it is
//!   then stored for that path only. It holds on every path once every position that it relies on is inside the
//!   disproven subgraph, because the opponent can then play inside that subgraph for ever, which is not a win for the
//!   prover.
//! - There is no recursion: the path is a stack of frames on the heap. Their bytes are counted: see [`Solver::room`].
//!
//! # Why the search ends
//! On a graph with cycles a number may be counted into itself. It then grows with every visit and carries no
//! information. Two rules keep the search from following such numbers for ever, whatever its parameters are.
//!
//! 1. **Thresholds grow without limit.** A frame that has turned to its children more than [`TURNS`] times for each of
//!    them raises a threshold by a quarter at least, whatever epsilon is, and a threshold above [`MOST`] is infinite.
//!    Numbers saturate above `MOST`, so every finite threshold can be reached. A frame calls its best child with
//!    thresholds above the numbers of that child, and the child returns decided, or with a key above those of all its
//!    siblings, or with numbers that end the frame. So the keys in a frame only grow; once all are above `MOST`, a
//!    child is called without thresholds and returns decided. A frame thus makes a limited number of calls (about 230
//!    for each child). No position occurs twice on a path, so every call ends, by induction on the number of positions
//!    that are not on the path. The root has no thresholds, so the search ends with the root decided. This argument
//!    does not depend on what the table forgets.
//! 2. **A search without progress stops turning away.** The first rule alone may take very many visits. The search
//!    therefore counts the visits since the last one that entered a position without an entry or left one decided
//!    ([`Progress`]). If this count exceeds [`PATIENT`] and the number of known positions, all thresholds on the path
//!    become infinite until there is progress. Meanwhile no frame is left undecided, so the path grows with every
//!    visit, and after no more visits than there are positions one of them is new or decided.
//!
//! If the table forgets nothing, each edge leads to a new position at most once, and each edge at the end of each path
//! without repetitions is decided at most once. With `n` positions, `e` edges and `p` such pairs of a path and an edge,
//! a search for one goal makes at most `(PATIENT + 2n + e) * (1 + e + p)` visits. With the default epsilon, ordinary
//! positions never reach either rule: the first needs numbers in the billions, the second a thousand visits in a row
//! without progress, where a hundred are rare and occur only in endgames with many cycles.

mod frame;
mod shared;
mod threads;
mod worker;

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

use crate::game::Game;
use crate::rng::mix64;
use crate::search::budget::{Meter, Stopped};
use crate::search::proof::{Goal, ProofNumbers};
use crate::search::prover::{Beside, Notice};
use crate::search::saved::{self, Loader, Saver};
use crate::search::table::{ENTRY, Entry, Table, TableUse};
use worker::{Pause, Question, Worker};

pub(crate) use shared::{Hand, SharedTable};
pub(crate) use worker::Decided;

/// The settings of the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dfpn {
    /// How much worse than the second best child the best may become before the search turns away, as a fraction.
    pub epsilon: f64,
    /// The numbers of new leaves.
    pub leaf: Leaf,
    /// Whether a sum over children is replaced by the largest of them and one for each other: a position reached on
    /// many ways is then not counted once for each (weak proof numbers: Ueda, Hashimoto, Hashimoto, Iida 2008).
    pub weak: bool,
    /// Whether moves that let the opponent win at once count as lost without a look, where the game sees such threats.
    pub threats: bool,
    /// Whether images of a position under the symmetries of the game count as one position, where the game has fast keys
    /// for that.
    pub symmetry: bool,
    /// Whether what a game knows of a position without search decides it, and limits its moves.
    pub knowledge: bool,
}

/// What a new leaf is taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// 1 and 1.
    Unit,
    /// As many answers as it has siblings.
    Mobility,
    /// The same where that guess was right for its parent and positions do not repeat, else 1 and 1.
    Auto,
}

/// How a search for one goal ended.
#[derive(Clone, Debug)]
pub(crate) struct Answer<M> {
    pub numbers: ProofNumbers,
    /// The moves of the position and their numbers.
    pub moves: Vec<(M, ProofNumbers)>,
    pub usage: TableUse,
    pub bytes: usize,
    pub stopped: Stopped,
}

impl<M> Answer<M> {
    /// Nothing is known.
    const EMPTY: Self = Self {
        numbers: ProofNumbers::UNKNOWN,
        moves: Vec::new(),
        usage: TableUse { capacity: 0, filled: 0, lookups: 0, hits: 0, replaced: 0 },
        bytes: 0,
        stopped: Stopped::Proven,
    };
}

/// Bytes that the path may take at least, however small the table is.
const LEAST_ROOM: usize = 4 << 20;

/// Keys are hashes already.
#[derive(Clone, Default)]
pub(crate) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = mix64(self.0 ^ u64::from(byte));
        }
    }
    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

/// A map from keys of positions.
pub(crate) type ByKey<T> = HashMap<u64, T, BuildHasherDefault<KeyHasher>>;

/// The memory of df-pn searches: the table is kept between goals and positions of one game.
pub(crate) struct Solver<G: Game> {
    pub(crate) table: Table,
    worker: Worker<G>,
    /// Positions whose answer is known for the goal in hand: true is proven.
    pub(crate) settled: ByKey<bool>,
    /// A position that is proven to be won by this move; what the proof needs is in the table, of so many bytes.
    pub(crate) solved: Option<(G, G::Move, usize)>,
}

impl Dfpn {
    /// The key of a position, or that of all its images.
    #[inline(always)]
    pub(crate) fn key<G: Game>(&self, state: &G) -> u64 {
        if self.symmetry && state.canonical_keys() { state.canonical_key() } else { state.key() }
    }

    /// What it is when nothing is said.
    pub(crate) const DEFAULT: Self =
        Self { epsilon: 0.25, leaf: Leaf::Auto, weak: true, threats: true, symmetry: true, knowledge: true };
}

impl<G: Game> Solver<G> {
    pub(crate) fn new() -> Self {
        Self { table: Table::default(), worker: Worker::new(), settled: ByKey::default(), solved: None }
    }

    /// What the table knows of a position, on every path.
    pub(crate) fn find(&mut self, key: u64, goal: Goal) -> Option<Entry> {
        self.table.find(goal_key(key, goal), &mut self.worker.usage)
    }

    /// Takes it as known that a position is decided: from now on the table says so.
    pub(crate) fn learn(&mut self, key: u64, goal: Goal, numbers: ProofNumbers) {
        if self.find(key, goal).is_some_and(|entry| entry.numbers.is_decided()) {
            // The stamp of that time is the right one.
            return;
        }
        self.table.store(goal_key(key, goal), numbers, u64::from(u32::MAX), &mut self.worker.usage);
        if self.table.is_crowded(self.worker.usage.filled) {
            self.table.grow();
        }
    }

    /// Bytes of the table in use, and how it did.
    pub(crate) fn used(&self) -> (usize, TableUse) {
        (self.bytes(), TableUse { capacity: self.table.capacity(), ..self.worker.usage })
    }

    /// Bytes of the table in use.
    pub(crate) fn bytes(&self) -> usize {
        self.worker.usage.filled as usize * ENTRY
    }

    /// Moves listed so far: what steps cost.
    pub(crate) fn listed(&self) -> u64 {
        self.worker.listed
    }

    /// Empties the table and sets its size. An eighth of that is for the path, which is hardly ever long enough to
    /// need it.
    pub(crate) fn reset(&mut self, bytes: usize) {
        self.table.reset(bytes);
        self.worker.usage = TableUse::default();
        self.worker.room = (bytes / 8).max(LEAST_ROOM);
        self.solved = None;
    }

    /// Writes down what is remembered from one search to the next.
    pub(crate) fn save(&self, to: &mut Saver<'_>) -> saved::Result<()> {
        self.worker.usage.save(to)?;
        to.word(self.worker.listed)?;
        self.table.save(to)
    }

    /// Remembers what was saved, after a [`reset`](Solver::reset) to the bytes of that time.
    pub(crate) fn restore(&mut self, from: &mut Loader<'_>) -> saved::Result<()> {
        self.worker.usage = TableUse::restore(self.table.capacity(), from)?;
        self.worker.listed = from.word()?;
        self.table.restore(from)
    }

    /// Searches for `goal` from `start`, which is not finished, until it is decided or the meter says stop.
    /// `notice` hears the numbers of the start now and then.
    pub(crate) fn solve(
        &mut self,
        config: Dfpn,
        start: &G,
        goal: Goal,
        meter: &mut Meter<'_>,
        notice: &mut Notice<'_>,
    ) -> Answer<G::Move> {
        let threads = meter.budget().threads;
        let question = Question { config, goal, settled: &self.settled, busy: None };
        let answer = if threads > 1 {
            threads::solve(threads, question, &mut self.table, &mut self.worker, start, meter, notice)
        } else {
            self.worker.begin(&question, &self.table, start, meter.done());
            let stopped = loop {
                match self.worker.run(&question, &self.table, u64::MAX, meter, notice) {
                    Pause::Crowded => self.table.grow(),
                    Pause::Sliced => {}
                    Pause::Ended(why) => break why,
                }
            };
            self.worker.end(&question, &self.table, stopped, meter.done())
        };
        let usage = TableUse { capacity: self.table.capacity(), ..self.worker.usage };
        Answer { usage, bytes: self.bytes(), ..answer }
    }
}

/// What a table says of a goal, by the keys of positions.
pub(crate) fn reader(table: Arc<Table>, goal: Goal) -> Box<Beside> {
    let numbers = move |key| table.find(goal_key(key, goal), &mut TableUse::default()).map(|entry| entry.numbers);
    Box::new(move |key| numbers(key).filter(|numbers| numbers.is_decided()))
}

/// Entries of all goals live in one table.
fn goal_key(key: u64, goal: Goal) -> u64 {
    match (goal.player.index(), goal.by) {
        (0, 0) => key,
        (player, by) => mix64(key ^ (player as u64) << 32 ^ by as u64),
    }
}

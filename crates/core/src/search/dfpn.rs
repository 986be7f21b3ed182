//! Depth-first proof-number search (Nagai 2002) for "a player wins", on graphs with cycles.
//!
//! - Two thresholds a node, numbers in a [`Table`], the 1 + epsilon trick (Pawlewicz and Lew 2007).
//! - **Repetitions.** A repetition is no win for the prover, so a move back to a position on the path counts as disproven
//!   there. A proof never leans on that: it is true on every path. A disproof may: it is then remembered for that path
//!   only. It is path-free again once every position it leans on lies inside it (the opponent then can go round for
//!   ever, which is no win for the prover either).
//! - No recursion: the path is a stack of frames on the heap. Their bytes are counted: see [`Solver::room`].
//!
//! # Why it ends
//! On a graph with cycles a number may be counted into itself: it then grows with every visit and says nothing any more.
//! Two rules keep the search from following such numbers for ever, whatever its parameters are.
//!
//! 1. **Thresholds grow without end.** A frame that turned to its children more than [`TURNS`] times for each of them
//!    lets a threshold grow by a quarter at least, whatever epsilon is, and a threshold beyond [`MOST`] is infinite.
//!    Numbers saturate above `MOST`, so every finite threshold can be reached. A frame calls its best child with
//!    thresholds above the numbers of that child, and the child comes back decided, or with a key above those of all its
//!    siblings, or with numbers that end the frame. So the keys in a frame only grow; once all are above `MOST` a child is
//!    called without thresholds and comes back decided. A frame thus makes a limited number of calls (about 230 for each
//!    child), and since no position comes twice on a path, every call ends, by induction on the positions that are not on
//!    the path. The start has no thresholds, so it ends decided. However much the table forgets plays no part in this.
//! 2. **A search that learns nothing stops turning away.** The first rule alone may take very many visits. So visits are
//!    counted since the last one that entered a position without an entry or left one decided ([`Progress`]). If they
//!    outnumber [`PATIENT`] and the positions found so far, all thresholds on the path become infinite until something is
//!    learned. Meanwhile no frame is left undecided, so the path grows with every visit, and after no more visits than
//!    there are positions one of them is new or decided.
//!
//! If the table forgets nothing, each edge leads to a new position once at most, and each edge at the end of each path
//! without repetitions is decided once at most. With `n` positions, `e` edges and `p` such pairs of a path and an edge a
//! search for one goal thus makes at most `(PATIENT + 2n + e) * (1 + e + p)` visits. With the default epsilon ordinary
//! positions never come to either rule: the first needs numbers in the billions, the second a thousand visits in a row
//! without anything new, where a hundred are rare and only seen in endgames full of cycles.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::game::{Defence, Game};
use crate::outcome::Outcome;
use crate::rng::mix64;
use crate::search::budget::{Meter, Stopped, Tick};
use crate::search::proof::{Goal, NodeKind, ProofNumber, ProofNumbers};
use crate::search::table::{ENTRY, Entry, Table, TableUse};

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
}

/// What a new leaf is taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// 1 and 1.
    Unit,
    /// As many answers as it has siblings.
    Mobility,
    /// The same where that guess was right for its parent, else 1 and 1.
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

/// The largest finite threshold. Numbers saturate above it.
const MOST: f64 = 4e9;

/// Turns of a frame for each child, after which thresholds grow by [`LEAST_GROWTH`] at least. That epsilon or a larger one
/// takes a key beyond [`MOST`] in fewer turns.
const TURNS: usize = 128;
const LEAST_GROWTH: f64 = 0.25;

/// Visits in a row that may teach nothing, besides one for each position found.
const PATIENT: u64 = 1000;

/// Bytes that the path may take at least, however small the table is.
const LEAST_ROOM: usize = 4 << 20;

/// No threshold at all.
const UNLIMITED: ProofNumbers = ProofNumbers { pn: ProofNumber::INFINITE, dpn: ProofNumber::INFINITE };

/// When a search for one goal last learned something; times are counted in visits.
struct Progress {
    last: u64,
    /// Positions found: those that were entered and had no entry.
    found: u64,
    /// Nothing was learned for too long: no threshold counts until something is.
    stalled: bool,
}

impl Progress {
    fn learned(&mut self, now: u64) {
        (self.last, self.stalled) = (now, false);
    }

    fn is_overdue(&self, now: u64) -> bool {
        now - self.last > PATIENT + self.found
    }
}

/// Does not lean on a repetition.
const FREE: u32 = u32::MAX;

struct Child<M> {
    m: M,
    key: u64,
    numbers: ProofNumbers,
    /// For a disproof: depth of the highest position of the path that it leans on, or [`FREE`].
    leans_on: u32,
    /// Nothing was known of it when it was listed, and it was not entered since.
    new: bool,
}

struct Frame<G: Game> {
    state: G,
    key: u64,
    goal: Goal,
    kind: NodeKind,
    children: Vec<Child<G::Move>>,
    /// The search of this node ends when one of its numbers reaches its threshold.
    limits: ProofNumbers,
    /// A hash of the positions on the path in their order, this one included.
    path: u64,
    /// The child being searched, and how often one was chosen.
    at: usize,
    turns: usize,
    /// Moves that do not lose at once.
    moves: usize,
    /// Expansions made when the node was entered.
    since: u64,
    /// Bytes it was counted with.
    bytes: usize,
}

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
    table: Table,
    usage: TableUse,
    frames: Vec<Frame<G>>,
    path: ByKey<u32>,
    /// Positions whose answer is known for the goal in hand: true is proven.
    pub(crate) settled: ByKey<bool>,
    moves: Vec<G::Move>,
    ends: Vec<(usize, Outcome)>,
    defences: Vec<G::Move>,
    /// Moves listed so far: what steps cost.
    pub(crate) listed: u64,
    /// Bytes of all frames, and how many they may take besides the table.
    held: usize,
    room: usize,
    /// A position that is proven to be won by this move; what the proof needs is in the table, of so many bytes.
    pub(crate) solved: Option<(G, G::Move, usize)>,
}

impl Dfpn {
    /// What it is when nothing is said.
    pub(crate) const DEFAULT: Self = Self { epsilon: 0.25, leaf: Leaf::Auto, weak: true, threats: true };
}

impl<G: Game> Solver<G> {
    pub(crate) fn new() -> Self {
        Self {
            table: Table::default(),
            usage: TableUse::default(),
            frames: Vec::new(),
            path: ByKey::default(),
            settled: ByKey::default(),
            moves: Vec::new(),
            ends: Vec::new(),
            defences: Vec::new(),
            listed: 0,
            held: 0,
            room: LEAST_ROOM,
            solved: None,
        }
    }

    /// What the table knows of a position, on every path.
    pub(crate) fn find(&mut self, key: u64, goal: Goal) -> Option<Entry> {
        self.table.find(goal_key(key, goal), &mut self.usage)
    }

    /// Bytes of the table in use.
    pub(crate) fn bytes(&self) -> usize {
        self.usage.filled as usize * ENTRY
    }

    fn table_use(&self) -> TableUse {
        TableUse { capacity: self.table.capacity(), ..self.usage }
    }

    /// Empties the table and sets its size. An eighth of that is for the path, which is hardly ever long enough to
    /// need it.
    pub(crate) fn reset(&mut self, bytes: usize) {
        self.table.reset(bytes);
        self.usage = TableUse::default();
        self.room = (bytes / 8).max(LEAST_ROOM);
        self.solved = None;
    }

    /// Searches for `goal` from `start`, which is not finished, until it is decided or the meter says stop.
    /// `notice` is told the numbers of the start now and then.
    pub(crate) fn solve(
        &mut self,
        config: Dfpn,
        start: &G,
        goal: Goal,
        meter: &mut Meter<'_>,
        notice: &mut dyn FnMut(ProofNumbers, &Meter<'_>, TableUse),
    ) -> Answer<G::Move> {
        self.path.clear();
        let began = meter.done();
        self.enter(config, 0, start.clone(), goal, UNLIMITED);
        let mut depth = 0;
        let mut progress = Progress { last: began, found: 0, stalled: false };
        let stopped = loop {
            let frame = &mut self.frames[depth];
            let numbers = frame.numbers(config.weak);
            let reached = numbers.pn >= frame.limits.pn || numbers.dpn >= frame.limits.dpn;
            if reached || numbers.is_decided() {
                if depth == 0 {
                    break Stopped::Proven;
                }
                if numbers.is_decided() {
                    progress.learned(meter.done());
                }
                self.leave(depth, numbers, meter.done());
                depth -= 1;
                continue;
            }
            match meter.tick() {
                Tick::Go => {}
                Tick::Notice => {
                    notice(self.frames[0].numbers(config.weak), meter, self.table_use());
                    continue;
                }
                Tick::Stop(why) => break why,
            }
            if !progress.stalled && progress.is_overdue(meter.done()) {
                progress.stalled = true;
                self.frames[..=depth].iter_mut().for_each(|frame| frame.limits = UNLIMITED);
            }
            let frame = &mut self.frames[depth];
            let limits = frame.choose(config, progress.stalled);
            if std::mem::take(&mut frame.children[frame.at].new) {
                progress.found += 1;
                progress.learned(meter.done());
            }
            let mut next = frame.state.clone();
            next.play(frame.children[frame.at].m);
            depth += 1;
            self.enter(config, depth, next, goal, limits);
            self.frames[depth].since = meter.done();
            if !self.has_room(depth) {
                break Stopped::Memory;
            }
        };
        // Whatever is open is written down, so that a later search with the same table starts from it.
        for depth in (1..=depth).rev() {
            let numbers = self.frames[depth].numbers(config.weak);
            self.leave(depth, numbers, meter.done());
        }
        let root = &self.frames[0];
        let numbers = root.numbers(config.weak);
        if numbers.is_decided() {
            self.table.store(goal_key(root.key, goal), numbers, meter.done() - began + 1, &mut self.usage);
        }
        Answer {
            numbers,
            moves: root.children.iter().map(|child| (child.m, child.known(numbers))).collect(),
            usage: self.table_use(),
            bytes: self.bytes(),
            stopped,
        }
    }

    /// Counts the frame at `depth` and says whether the path is within its bytes.
    #[inline(always)]
    fn has_room(&mut self, depth: usize) -> bool {
        let frame = &mut self.frames[depth];
        let children = frame.children.capacity() * size_of::<Child<G::Move>>();
        // Its place on the path is remembered by key as well.
        let bytes = size_of::<Frame<G>>() + 2 * size_of::<(u64, u32)>() + children + frame.state.heap_bytes();
        self.held = self.held - frame.bytes + bytes;
        frame.bytes = bytes;
        self.held <= self.room || self.has_room_without_frames_below(depth)
    }

    /// Gives up the frames that deeper paths left.
    #[cold]
    fn has_room_without_frames_below(&mut self, depth: usize) -> bool {
        self.frames.truncate(depth + 1);
        self.frames.shrink_to_fit();
        self.held = self.frames.iter().map(|frame| frame.bytes).sum();
        self.held <= self.room
    }

    /// Opens a position at `depth` of the path: its children with what the table, the rules and the path say of them.
    fn enter(&mut self, config: Dfpn, depth: usize, state: G, goal: Goal, limits: ProofNumbers) {
        let key = state.key();
        let kind = NodeKind::of(goal, state.to_move());
        let path = mix64(key ^ if depth == 0 { 0 } else { self.frames[depth - 1].path });
        self.path.insert(key, depth as u32);
        self.moves.clear();
        self.ends.clear();
        state.moves_and_ends(&mut self.moves, &mut self.ends);
        self.listed += self.moves.len() as u64;
        let losing = goal.numbers(Outcome::win(state.to_move().other()));
        let threatened = config.threats && self.look_for_threats(&state, goal);
        let moves = if threatened { self.defences.len() } else { self.moves.len() };
        let guess = match config.leaf {
            Leaf::Unit => false,
            Leaf::Mobility => true,
            // Right where a move takes one away from both players, as on boards that fill up.
            Leaf::Auto => depth > 0 && self.frames[depth - 1].moves.saturating_sub(1).abs_diff(moves) <= 1,
        };
        let fresh = fresh_leaf(kind, if guess { moves.saturating_sub(1).max(1) } else { 1 });
        let decisive = self.ends.iter().position(|(_, outcome)| kind.key(goal.numbers(*outcome)) == ProofNumber::ZERO);
        if depth == self.frames.len() {
            let children = Vec::new();
            self.frames.push(Frame {
                state: state.clone(),
                key,
                goal,
                kind,
                children,
                limits,
                path,
                at: 0,
                turns: 0,
                moves,
                since: 0,
                bytes: 0,
            });
        }
        let frame = &mut self.frames[depth];
        (frame.key, frame.goal, frame.kind, frame.limits, frame.path) = (key, goal, kind, limits, path);
        (frame.at, frame.turns, frame.moves) = (0, 0, moves);
        frame.children.clear();
        if let Some(end) = decisive.filter(|_| depth > 0) {
            // The rest is of no interest.
            let (index, outcome) = self.ends[end];
            let numbers = goal.numbers(outcome);
            frame.children.push(Child { m: self.moves[index], key: 0, numbers, leans_on: FREE, new: false });
            frame.state = state;
            return;
        }
        let mut ends = self.ends.iter().peekable();
        let repeats = state.may_repeat();
        for (index, &m) in self.moves.iter().enumerate() {
            if let Some((_, outcome)) = ends.next_if(|(at, _)| *at == index) {
                let numbers = goal.numbers(*outcome);
                frame.children.push(Child { m, key: 0, numbers, leans_on: FREE, new: false });
                continue;
            }
            if threatened && !self.defences.contains(&m) {
                // Above them all every move is wanted, below only those that matter.
                if depth == 0 {
                    frame.children.push(Child { m, key: 0, numbers: losing, leans_on: FREE, new: false });
                }
                continue;
            }
            let mut next = state.clone();
            next.play(m);
            let key = next.key();
            let goal_key = goal_key(key, goal);
            self.table.prefetch(goal_key);
            if repeats {
                self.table.prefetch(on_path(goal_key, path));
            }
            frame.children.push(Child { m, key, numbers: fresh, leans_on: FREE, new: true });
        }
        // Looked for after all of them were asked for: the memory answers in parallel.
        for child in frame.children.iter_mut().filter(|child| child.new) {
            let key = child.key;
            if let Some(&proven) = self.settled.get(&key) {
                child.numbers = if proven { ProofNumbers::PROVEN } else { ProofNumbers::DISPROVEN };
            } else if let Some(entry) = self.table.find(goal_key(key, goal), &mut self.usage) {
                (child.numbers, child.new) = (entry.numbers, false);
            }
            if repeats && !child.numbers.is_decided() {
                if let Some(&above) = self.path.get(&key) {
                    (child.numbers, child.leans_on) = (ProofNumbers::DISPROVEN, above);
                } else if let Some(entry) = self.table.find(on_path(goal_key(key, goal), path), &mut self.usage) {
                    (child.numbers, child.leans_on) = (ProofNumbers::DISPROVEN, entry.stamp - 1);
                }
            }
        }
        frame.state = state;
    }

    /// Whether the opponent threatens to win at once; then only `defences` do not lose, and perhaps none does.
    fn look_for_threats(&mut self, state: &G, goal: Goal) -> bool {
        let mover = state.to_move();
        // By how much a game is lost that way nobody knows.
        if goal.by != 0 || state.players() != 2 || self.ends.iter().any(|(_, outcome)| outcome.winner() == Some(mover))
        {
            return false;
        }
        self.defences.clear();
        match state.defences(&mut self.defences) {
            Defence::NotNeeded => false,
            Defence::Needed => true,
            Defence::Hopeless => {
                self.defences.clear();
                true
            }
        }
    }

    /// Closes the position at `depth` and hands its numbers to the one above.
    fn leave(&mut self, depth: usize, numbers: ProofNumbers, done: u64) {
        let frame = &self.frames[depth];
        self.path.remove(&frame.key);
        let leans_on = frame.leans_on(numbers);
        let above = &self.frames[depth - 1];
        let key = above.children[above.at].key;
        let work = done - frame.since + 1;
        debug_assert_eq!(key, frame.key);
        let goal_key = goal_key(key, frame.goal);
        if numbers.is_disproven() && leans_on < depth as u32 {
            let depth = leans_on + 1;
            self.table.store_disproof(on_path(goal_key, above.path), depth, depth.into(), &mut self.usage);
        } else {
            self.table.store(goal_key, numbers, work, &mut self.usage);
        }
        if self.table.is_crowded(self.usage.filled) {
            self.table.grow();
        }
        let leans_on = if numbers.is_disproven() && leans_on < depth as u32 { leans_on } else { FREE };
        let above = &mut self.frames[depth - 1];
        let at = above.at;
        (above.children[at].numbers, above.children[at].leans_on) = (numbers, leans_on);
    }
}

/// Numbers of a child nothing is known of.
fn fresh_leaf(parent: NodeKind, many: usize) -> ProofNumbers {
    let many = ProofNumber::finite(many as u32);
    match parent {
        // A child of an OR node is (mostly) an AND node, whose proof needs all its moves.
        NodeKind::Or => ProofNumbers { pn: many, dpn: ProofNumber::ONE },
        NodeKind::And => ProofNumbers { pn: ProofNumber::ONE, dpn: many },
    }
}

/// Entries of all goals live in one table.
fn goal_key(key: u64, goal: Goal) -> u64 {
    match (goal.player.index(), goal.by) {
        (0, 0) => key,
        (player, by) => mix64(key ^ (player as u64) << 32 ^ by as u64),
    }
}

/// The key of a disproof that holds only below this path.
fn on_path(key: u64, path: u64) -> u64 {
    mix64(key ^ mix64(path))
}

impl<M> Child<M> {
    /// Its numbers, below a start that has these. A disproof that leans on coming back to the start holds only if the
    /// start is disproven too.
    fn known(&self, start: ProofNumbers) -> ProofNumbers {
        if self.numbers.is_disproven() && self.leans_on != FREE && !start.is_disproven() {
            return ProofNumbers::UNKNOWN;
        }
        self.numbers
    }
}

impl<G: Game> Frame<G> {
    fn numbers(&self, weak: bool) -> ProofNumbers {
        let children = self.children.iter().map(|child| child.numbers);
        if weak { self.kind.combine_weak(children) } else { self.kind.combine(children) }
    }

    /// The number of a child that adds up here.
    fn summand(&self, child: &Child<G::Move>) -> ProofNumber {
        match self.kind {
            NodeKind::Or => child.numbers.dpn,
            NodeKind::And => child.numbers.pn,
        }
    }

    /// Depth that a disproof of this node leans on: at an OR node every child's matters, at an AND node the best one's.
    fn leans_on(&self, numbers: ProofNumbers) -> u32 {
        if !numbers.is_disproven() {
            return FREE;
        }
        let disproven = self.children.iter().filter(|child| child.numbers.is_disproven()).map(|child| child.leans_on);
        match self.kind {
            NodeKind::Or => disproven.min().unwrap_or(FREE),
            NodeKind::And => disproven.max().unwrap_or(FREE),
        }
    }

    /// Picks the most-proving child and says how far to go with it: to the end of it, if the search has stalled.
    fn choose(&mut self, config: Dfpn, stalled: bool) -> ProofNumbers {
        let key = |child: &Child<G::Move>| self.kind.key(child.numbers);
        let (mut best, mut second) = (0, ProofNumber::INFINITE);
        for (index, child) in self.children.iter().enumerate().skip(1) {
            if key(child) < key(&self.children[best]) {
                second = key(&self.children[best]);
                best = index;
            } else {
                second = second.min(key(child));
            }
        }
        self.at = best;
        // How far the key may grow: a little beyond the second best, so as not to turn back at once.
        let (limit, total_limit) = match self.kind {
            NodeKind::Or => (self.limits.pn, self.limits.dpn),
            NodeKind::And => (self.limits.dpn, self.limits.pn),
        };
        self.turns += 1;
        let tired = self.turns > TURNS * self.children.len();
        let epsilon = if tired { config.epsilon.max(LEAST_GROWTH) } else { config.epsilon };
        let patience = match second.leaves().map(f64::from) {
            Some(n) if !stalled => Some((n * (1.0 + epsilon)).max(n + 1.0)).filter(|&limit| limit <= MOST),
            _ => None,
        };
        let patience = patience.map_or(ProofNumber::INFINITE, |limit| ProofNumber::finite(limit as u32));
        let key_limit = limit.min(patience);
        // The sum of the others stays; what is left of the limit is this child's.
        let others = self.children.iter().enumerate().filter(|(index, _)| *index != best);
        let others = others.fold(0u64, |sum, (_, child)| {
            let number = self.summand(child);
            sum + if config.weak { u64::from(number > ProofNumber::ZERO) } else { number.word().into() }
        });
        let sum_limit = match total_limit.leaves() {
            None => ProofNumber::INFINITE,
            Some(limit) => {
                ProofNumber::finite(u64::from(limit).saturating_sub(others).clamp(1, u64::from(u32::MAX - 1)) as u32)
            }
        };
        match self.kind {
            NodeKind::Or => ProofNumbers { pn: key_limit, dpn: sum_limit },
            NodeKind::And => ProofNumbers { pn: sum_limit, dpn: key_limit },
        }
    }
}

//! One thread of a search: the path from the root to the current position, and how it grows and shrinks.

use crate::game::{Defence, Game, Knowledge};
use crate::outcome::Outcome;
use crate::rng::mix64;
use crate::search::budget::{Meter, Stopped, Tick};
use crate::search::busy::Busy;
use crate::search::dfpn::frame::{Child, FREE, Frame};
use crate::search::dfpn::{Answer, ByKey, Dfpn, LEAST_ROOM, Leaf, goal_key};
use crate::search::knowledge;
use crate::search::proof::{Goal, NodeKind, ProofNumber, ProofNumbers};
use crate::search::prover::{Heard, Notice};
use crate::search::table::{Table, TableUse};

/// Visits in a row that may teach nothing, besides one for each position found.
const PATIENT: u64 = 1000;

/// Visits of a thread between two looks at what the others found out about its path.
const GLANCE: u64 = 256;

/// Decided positions noted at most.
const NOTED: usize = 1 << 12;

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

/// A position that was decided on every path, by its key, and what that took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decided {
    pub key: u64,
    pub proven: bool,
    /// Positions opened.
    pub work: u64,
}

/// What is searched for, and what all threads know.
#[derive(Clone, Copy)]
pub(super) struct Question<'a> {
    pub config: Dfpn,
    pub goal: Goal,
    /// Positions whose answer is known: true is proven.
    pub settled: &'a ByKey<bool>,
    /// Where the other threads are, if there are any.
    pub busy: Option<&'a Busy>,
}

/// Why a thread came back.
pub(super) enum Pause {
    /// The table should grow; then the search goes on.
    Crowded,
    /// The slice is used up.
    Sliced,
    Ended(Stopped),
}

/// The path of a thread and its lists.
pub(super) struct Worker<G: Game> {
    /// The positions on the path, and frames below it to use again.
    pub frames: Vec<Frame<G>>,
    pub depth: usize,
    path: ByKey<u32>,
    moves: Vec<G::Move>,
    ends: Vec<(usize, Outcome)>,
    defences: Vec<G::Move>,
    holding: Vec<G::Move>,
    /// Whether the game is asked what it knows of positions.
    knows: bool,
    /// Moves listed so far: what steps cost.
    pub listed: u64,
    pub usage: TableUse,
    progress: Progress,
    /// Visits made when the search began.
    began: u64,
    /// Bytes of all frames, and how many they may take.
    held: usize,
    pub room: usize,
    /// Positions that took at least so much work to decide are noted, with others in mind who search elsewhere.
    pub noted: u64,
    pub decided: Vec<Decided>,
}

impl<G: Game> Worker<G> {
    pub(super) fn new() -> Self {
        Self {
            frames: Vec::new(),
            depth: 0,
            path: ByKey::default(),
            moves: Vec::new(),
            ends: Vec::new(),
            defences: Vec::new(),
            holding: Vec::new(),
            knows: false,
            listed: 0,
            usage: TableUse::default(),
            progress: Progress { last: 0, found: 0, stalled: false },
            began: 0,
            held: 0,
            room: LEAST_ROOM,
            noted: u64::MAX,
            decided: Vec::new(),
        }
    }

    /// Opens the position to begin with.
    pub(super) fn begin(&mut self, question: &Question<'_>, table: &Table, start: &G, done: u64) {
        self.path.clear();
        self.knows = question.config.knowledge && knowledge::answers(start, question.goal);
        (self.depth, self.began) = (0, done);
        self.progress = Progress { last: done, found: 0, stalled: false };
        self.enter(question, table, start.clone(), UNLIMITED);
    }

    /// Searches until the start is decided, the meter says stop, the table is crowded or a slice of so many visits is
    /// used up. Can be called again then.
    /// `notice` hears the numbers of the start now and then.
    pub(super) fn run(
        &mut self,
        question: &Question<'_>,
        table: &Table,
        slice: u64,
        meter: &mut Meter<'_>,
        notice: &mut Notice<'_>,
    ) -> Pause {
        let config = question.config;
        let until = meter.done().saturating_add(slice);
        loop {
            let frame = &mut self.frames[self.depth];
            let numbers = frame.numbers(config.weak);
            let reached = numbers.pn >= frame.limits.pn || numbers.dpn >= frame.limits.dpn;
            if reached || numbers.is_decided() {
                if self.depth == 0 {
                    return Pause::Ended(Stopped::Proven);
                }
                if numbers.is_decided() {
                    self.progress.learned(meter.done());
                }
                self.leave(question, table, numbers, meter.done());
                self.learn_from_others(question, table, self.depth);
                continue;
            }
            match meter.tick() {
                Tick::Go => {}
                Tick::Notice => {
                    let usage = TableUse { capacity: table.capacity(), ..self.usage };
                    notice(meter, Heard::of(Some(self.frames[0].numbers(config.weak)), usage));
                    continue;
                }
                Tick::Stop(why) => return Pause::Ended(why),
            }
            if question.busy.is_some()
                && meter.done().is_multiple_of(GLANCE)
                && self.is_overtaken(question, table, meter.done())
            {
                continue;
            }
            if !self.progress.stalled && self.progress.is_overdue(meter.done()) {
                self.progress.stalled = true;
                self.frames[..=self.depth].iter_mut().for_each(|frame| frame.limits = UNLIMITED);
            }
            let frame = &mut self.frames[self.depth];
            let limits = frame.choose(config, self.progress.stalled, question.busy);
            if std::mem::take(&mut frame.children[frame.at].new) {
                self.progress.found += 1;
                self.progress.learned(meter.done());
            }
            let mut next = frame.state.clone();
            next.play(frame.children[frame.at].m);
            self.depth += 1;
            self.enter(question, table, next, limits);
            self.frames[self.depth].since = meter.done();
            if !self.has_room(self.depth) {
                return Pause::Ended(Stopped::Memory);
            }
            if table.is_crowded(self.usage.filled) {
                return Pause::Crowded;
            }
            if meter.done() >= until {
                return Pause::Sliced;
            }
        }
    }

    /// Writes down whatever is open, so that a later search with this table starts from it.
    pub(super) fn end(
        &mut self,
        question: &Question<'_>,
        table: &Table,
        stopped: Stopped,
        done: u64,
    ) -> Answer<G::Move> {
        while self.depth > 0 {
            let numbers = self.frames[self.depth].numbers(question.config.weak);
            self.leave(question, table, numbers, done);
        }
        let root = &self.frames[0];
        let numbers = root.numbers(question.config.weak);
        if numbers.is_decided() {
            table.store(goal_key(root.key, question.goal), numbers, done - self.began + 1, &mut self.usage);
        }
        let moves = root.children.iter().map(|child| (child.m, child.known(numbers))).collect();
        Answer { numbers, moves, stopped, ..Answer::EMPTY }
    }

    /// Reads again what the table says of a position on the path and its children, if other threads are there.
    fn learn_from_others(&mut self, question: &Question<'_>, table: &Table, depth: usize) {
        let Some(busy) = question.busy else { return };
        let frame = &mut self.frames[depth];
        if !busy.is_shared(frame.key) {
            return;
        }
        let open = |child: &&mut Child<G::Move>| !child.numbers.is_decided();
        frame.children.iter_mut().filter(open).for_each(|child| table.prefetch(goal_key(child.key, question.goal)));
        // At the start the children are wanted, not only the answer.
        if depth > 0 {
            let found = table.find(goal_key(frame.key, question.goal), &mut self.usage);
            frame.decided = found.map(|entry| entry.numbers).filter(|numbers| numbers.is_decided());
        }
        for child in frame.children.iter_mut().filter(open) {
            if let Some(entry) = table.find(goal_key(child.key, question.goal), &mut self.usage) {
                (child.numbers, child.new) = (entry.numbers, false);
            }
        }
    }

    /// Whether another thread has decided a position of the path; the path is then cut back to it.
    fn is_overtaken(&mut self, question: &Question<'_>, table: &Table, done: u64) -> bool {
        let decided = |frame: &Frame<G>| {
            let entry = table.find(goal_key(frame.key, question.goal), &mut TableUse::default())?;
            Some(entry.numbers).filter(|numbers| numbers.is_decided())
        };
        let found = (1..=self.depth).find_map(|depth| Some((depth, decided(&self.frames[depth])?)));
        let Some((depth, numbers)) = found else { return false };
        while self.depth > depth {
            let numbers = self.frames[self.depth].numbers(question.config.weak);
            self.leave(question, table, numbers, done);
        }
        self.frames[depth].decided = Some(numbers);
        true
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
    fn enter(&mut self, question: &Question<'_>, table: &Table, state: G, limits: ProofNumbers) {
        let (&Question { config, goal, settled, busy }, depth) = (question, self.depth);
        let key = config.key(&state);
        let kind = NodeKind::of(goal, state.to_move());
        let path = mix64(key ^ if depth == 0 { 0 } else { self.frames[depth - 1].path });
        self.path.insert(key, depth as u32);
        if let Some(busy) = busy {
            busy.enter(key);
        }
        self.moves.clear();
        self.ends.clear();
        state.moves_and_ends(&mut self.moves, &mut self.ends);
        self.listed += self.moves.len() as u64;
        let losing = goal.numbers(Outcome::win(state.to_move().other()));
        let threatened = config.threats && self.look_for_threats(&state, goal);
        let moves = if threatened { self.defences.len() } else { self.moves.len() };
        let decisive = self.ends.iter().position(|(_, outcome)| kind.key(goal.numbers(*outcome)) == ProofNumber::ZERO);
        // Below the start, whose moves are all wanted.
        let known = if G::STATIC_KNOWLEDGE && self.knows && depth > 0 && decisive.is_none() {
            self.ask_the_game(&state)
        } else {
            Knowledge::NONE
        };
        let repeats = state.may_repeat();
        let guess = match config.leaf {
            Leaf::Unit => false,
            Leaf::Mobility => true,
            // Right where a move takes one away from both players, as on boards that fill up. Where positions repeat such a
            // number says little: Lines of Action 5x5 takes seven times the positions with it.
            Leaf::Auto => depth > 0 && !repeats && self.frames[depth - 1].moves.saturating_sub(1).abs_diff(moves) <= 1,
        };
        let fresh = fresh_leaf(kind, if guess { moves.saturating_sub(1).max(1) } else { 1 });
        if depth == self.frames.len() {
            let children = Vec::new();
            self.frames.push(Frame {
                state: state.clone(),
                key,
                goal,
                kind,
                children,
                decided: None,
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
        (frame.at, frame.turns, frame.moves, frame.decided) = (0, 0, moves, None);
        frame.children.clear();
        if let Some(end) = decisive.filter(|_| depth > 0) {
            // The rest is of no interest.
            let (index, outcome) = self.ends[end];
            let numbers = goal.numbers(outcome);
            frame.children.push(Child { m: self.moves[index], key: 0, numbers, leans_on: FREE, new: false });
            frame.state = state;
            return;
        }
        frame.decided = knowledge::numbers(&state, known.bounds, goal);
        if frame.decided.is_some() {
            frame.state = state;
            return;
        }
        let mut ends = self.ends.iter().peekable();
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
            if known.restricted && !self.holding.contains(&m) {
                continue;
            }
            let mut next = state.clone();
            next.play(m);
            let key = config.key(&next);
            let goal_key = goal_key(key, goal);
            table.prefetch(goal_key);
            if repeats {
                table.prefetch(on_path(goal_key, path));
            }
            frame.children.push(Child { m, key, numbers: fresh, leans_on: FREE, new: true });
        }
        // Looked for after all of them were asked for: the memory answers in parallel.
        for child in frame.children.iter_mut().filter(|child| child.new) {
            let key = child.key;
            if let Some(&proven) = settled.get(&key) {
                child.numbers = if proven { ProofNumbers::PROVEN } else { ProofNumbers::DISPROVEN };
            } else if let Some(entry) = table.find(goal_key(key, goal), &mut self.usage) {
                (child.numbers, child.new) = (entry.numbers, false);
            }
            if repeats && !child.numbers.is_decided() {
                if let Some(&above) = self.path.get(&key) {
                    (child.numbers, child.leans_on) = (ProofNumbers::DISPROVEN, above);
                } else if let Some(entry) = table.find(on_path(goal_key(key, goal), path), &mut self.usage) {
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

    /// What the game knows of a position, with the moves that may hold in `holding`.
    fn ask_the_game(&mut self, state: &G) -> Knowledge {
        let mover = state.to_move();
        if self.ends.iter().any(|(_, outcome)| outcome.winner() == Some(mover)) {
            return Knowledge::NONE;
        }
        self.holding.clear();
        state.static_knowledge(&mut self.holding)
    }

    /// Closes the position at `depth` and hands its numbers to the one above.
    fn leave(&mut self, question: &Question<'_>, table: &Table, numbers: ProofNumbers, done: u64) {
        let depth = self.depth;
        let frame = &self.frames[depth];
        self.path.remove(&frame.key);
        if let Some(busy) = question.busy {
            busy.leave(frame.key);
        }
        let leans_on = frame.leans_on(numbers);
        let above = &self.frames[depth - 1];
        let key = above.children[above.at].key;
        let work = done - frame.since + 1;
        debug_assert_eq!(key, frame.key);
        let goal_key = goal_key(key, frame.goal);
        if numbers.is_disproven() && leans_on < depth as u32 {
            let depth = leans_on + 1;
            table.store_disproof(on_path(goal_key, above.path), depth, depth.into(), &mut self.usage);
        } else {
            table.store(goal_key, numbers, work, &mut self.usage);
            if work >= self.noted && numbers.is_decided() && self.decided.len() < NOTED {
                self.decided.push(Decided { key, proven: numbers.is_proven(), work });
            }
        }
        let leans_on = if numbers.is_disproven() && leans_on < depth as u32 { leans_on } else { FREE };
        let above = &mut self.frames[depth - 1];
        let at = above.at;
        (above.children[at].numbers, above.children[at].leans_on) = (numbers, leans_on);
        self.depth = depth - 1;
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

/// The key of a disproof that holds only below this path.
fn on_path(key: u64, path: u64) -> u64 {
    mix64(key ^ mix64(path))
}

//! Runs the programs: what can be done from here, and what it changes.

use super::automaton::Effect;
use super::decisive::Lists;
use super::keeper::KeeperStep;
use super::lanes::{CompiledLane, LanesCode, TreeCode};
use super::limits;
use super::patterns::Patterns;
use super::program::{END, Op, Out, Program, Value};
use super::sets::{Set, bits};
use super::store::Store;
use super::syntax::{Arithmetic, Comparison};

/// A walk as displacements: cells that move by the same number of bits.
pub struct WalkCode<S> {
    /// Where the step begins, and by how many bits it moves.
    pub first: (S, i32),
    pub more: Vec<(S, i32)>,
    pub back: bool,
}

/// The cells with a piece of a mask: with one of these pieces, or with none of them.
pub struct MaskCode {
    /// One of the pieces.
    pub first: u8,
    pub more: Vec<u8>,
    pub none: bool,
}

pub struct FillCode<S> {
    pub walks: Vec<u16>,
    pub mask: u16,
    pub line: Option<LineCode<S>>,
}

/// A fill along lines with one displacement.
pub struct LineCode<S> {
    /// Cells that have a cell before them on the line.
    pub targets: S,
    pub by: i32,
    /// Doublings until the longest line is filled, at least one.
    pub steps: u32,
}

pub struct LookCode<S> {
    pub(super) forward: Program,
    pub(super) backward: Option<Program>,
    pub(super) patterns: Option<Patterns>,
    pub(super) tree: Option<TreeCode<S>>,
    /// So many cells are asked one by one.
    pub few: u32,
}

/// Rules compiled for sets of one size.
pub struct Code<S> {
    pub sets: Vec<S>,
    /// A row for every bit and table.
    pub tables: Vec<S>,
    pub bits: usize,
    /// All cells.
    pub all: S,
    pub walks: Vec<WalkCode<S>>,
    pub masks: Vec<MaskCode>,
    pub fills: Vec<FillCode<S>>,
    pub looks: Vec<LookCode<S>>,
    pub(super) start: Program,
    pub(super) after: Vec<Program>,
    pub(super) lanes: Vec<Option<LanesCode<S>>>,
    pub(super) effects: Vec<Effect>,
    /// For each modifier, whether it can always be applied and a switch always follows on every way behind it.
    pub(super) sure: Vec<bool>,
    /// Steps of the keeper, and the first one after each modifier.
    pub(super) keeper: Vec<KeeperStep>,
    pub(super) first_steps: Vec<u32>,
    pub(super) comparisons: Vec<(Comparison, Arithmetic, Arithmetic)>,
    /// Largest values of the variables.
    pub bounds: Vec<i32>,
    pub cell_bits: u32,
}

/// Registers and what is known of the position at hand, kept from call to call.
pub struct Scratch<S> {
    /// Lent to explorations while they run.
    registers: Vec<S>,
    /// A number for the position: equal numbers, equal positions. No number is used twice.
    pub(super) version: u64,
    last_version: u64,
    /// For every look-ahead a version and the cells at which it holds there.
    known: Vec<(u64, S)>,
    /// Steps of the exploration at hand.
    pub steps: u64,
    pub(super) lists: Lists<S>,
    /// Cells in a random order.
    pub(super) order: Vec<u16>,
}

impl<S: Set> Default for Scratch<S> {
    fn default() -> Self {
        Self {
            registers: Vec::new(),
            version: 1,
            last_version: 1,
            known: Vec::new(),
            steps: 0,
            lists: Lists::default(),
            order: Vec::new(),
        }
    }
}

impl<S: Set> Scratch<S> {
    /// Registers for an exploration, to be given back.
    pub fn lend(&mut self) -> Vec<S> {
        let mut registers = std::mem::take(&mut self.registers);
        if registers.is_empty() {
            registers.resize(2048, S::EMPTY);
        }
        registers
    }

    pub fn give_back(&mut self, registers: Vec<S>) {
        self.registers = registers;
    }
}

impl<S> Scratch<S> {
    /// Another position is at hand.
    pub fn renew(&mut self) {
        self.last_version += 1;
        self.version = self.last_version;
    }
}

/// What the leaves of an exploration are for.
pub(super) trait Sink<S> {
    /// Whether whole moves are wanted wherever they can be had.
    const LANES: bool = false;

    /// A modifier that is no switch is applied on the way.
    fn push(&mut self, modifier: u16, bit: usize);
    fn pop(&mut self);
    /// Whole moves from some cells at which `modifier` is applied. Whether that is enough.
    fn lane(&mut self, modifier: u16, number: usize, lane: &CompiledLane, cells: S) -> bool;
    /// Switches, or the end of a look-ahead, at some cells. Whether that is enough.
    fn leaf(&mut self, program: &Program, choice: usize, out: &Out, cells: S) -> bool;
}

/// The first `count` registers and the rest; `more` takes new ones if there are too few.
#[inline(always)]
pub(super) fn split<'a, S: Set>(
    registers: &'a mut [S],
    count: usize,
    more: &'a mut Vec<S>,
) -> (&'a mut [S], &'a mut [S]) {
    if registers.len() < count {
        more.resize(count + 1024, S::EMPTY);
        return more.split_at_mut(count);
    }
    registers.split_at_mut(count)
}

/// What there is to undo.
pub(super) enum Undo {
    Piece(usize, u8),
    Variable(u8, i32),
}

/// Most pieces or variables are read by their places; the rest of the engine knows nothing of how they are kept.
impl<S: Set> Code<S> {
    #[inline(always)]
    pub(super) fn on<B: Store<S>>(&self, mask: u16, store: &B) -> S {
        let boards = store.boards();
        let MaskCode { first, more, none } = &self.masks[usize::from(mask)];
        let mut cells = boards[usize::from(*first)];
        for &piece in more {
            cells = cells.or(boards[usize::from(piece)]);
        }
        if *none { self.all.and_not(cells) } else { cells }
    }

    #[inline(always)]
    fn walk(&self, walk: u16, from: S) -> S {
        let walk = &self.walks[usize::from(walk)];
        let (mask, by) = walk.first;
        if walk.back {
            let to = from.shifted(-by).and(mask);
            walk.more.iter().fold(to, |to, &(mask, by)| to.or(from.shifted(-by).and(mask)))
        } else {
            let to = from.and(mask).shifted(by);
            walk.more.iter().fold(to, |to, &(mask, by)| to.or(from.and(mask).shifted(by)))
        }
    }

    fn fill<B: Store<S>>(&self, fill: u16, from: S, store: &B) -> S {
        let FillCode { walks, mask, line } = &self.fills[usize::from(fill)];
        let open = self.on(*mask, store);
        if let Some(line) = line {
            // Twice as far with every step (parallel prefix, as Kogge and Stone add).
            let (mut reached, mut way, mut by) = (from, open.and(line.targets), line.by);
            for _ in 1..line.steps {
                reached = reached.or(reached.shifted(by).and(way));
                way = way.and(way.shifted(by));
                by *= 2;
            }
            return reached.or(reached.shifted(by).and(way));
        }
        let mut reached = from;
        loop {
            let before = reached;
            // What one direction reaches, the next one takes further at once.
            for &walk in walks {
                reached = reached.or(self.walk(walk, reached).and(open));
            }
            // Cheaper than a comparison, which is a call for wide sets.
            if reached.and_not(before).is_empty() {
                return reached;
            }
        }
    }

    /// Whether a pattern is there at a cell.
    fn matches<B: Store<S>>(&self, patterns: &Patterns, bit: usize, store: &B) -> bool {
        let (mut place, end) = (patterns.starts[bit], patterns.starts[bit + 1]);
        let boards = store.boards();
        while place < end {
            let test = &patterns.tests[place as usize];
            let MaskCode { first, more, none } = &self.masks[usize::from(test.mask)];
            let word = |piece: &u8| boards[usize::from(*piece)].word(test.word.into());
            let there = more.iter().fold(word(first), |sum, piece| sum | word(piece));
            let there = if *none { !there } else { there };
            if there & test.bits != test.bits {
                place = test.next;
            } else if test.last {
                return true;
            } else {
                place += 1;
            }
        }
        false
    }

    /// The value of an expression; `None` where it has none.
    pub(super) fn value<B: Store<S>>(&self, arithmetic: &Arithmetic, store: &B) -> Option<i64> {
        match arithmetic {
            Arithmetic::Number(number) => Some(*number),
            Arithmetic::Variable(variable) => Some(store.variables()[usize::from(*variable)].into()),
            Arithmetic::Count(piece) => Some(store.boards()[usize::from(*piece)].count().into()),
            Arithmetic::Operation(operator, left, right) => {
                operator.apply(self.value(left, store)?, self.value(right, store)?)
            }
        }
    }

    pub(super) fn holds<B: Store<S>>(&self, comparison: u16, store: &B) -> bool {
        let (comparison, left, right) = &self.comparisons[usize::from(comparison)];
        match (self.value(left, store), self.value(right, store)) {
            (Some(left), Some(right)) => comparison.holds(left, right),
            _ => false,
        }
    }

    /// Runs a program from a cell; `registers` are those of the program, `above` is for look-aheads.
    pub(super) fn run<B: Store<S>>(
        &self,
        program: &Program,
        cell: usize,
        store: &mut B,
        scratch: &mut Scratch<S>,
        registers: &mut [S],
        above: &mut [S],
    ) {
        let mut place = 0;
        while let Some(&op) = program.ops.get(place) {
            place += 1;
            macro_rules! register {
                ($register:expr) => {
                    registers[usize::from($register)]
                };
            }
            match op {
                Op::Const { to, set } => register!(to) = self.sets[set as usize],
                Op::Table { to, table } => register!(to) = self.row(table, cell),
                Op::On { to, from, mask } => register!(to) = register!(from).and(self.on(mask, store)),
                Op::OnConst { to, set, mask } => register!(to) = self.sets[set as usize].and(self.on(mask, store)),
                Op::OnTable { to, table, mask } => register!(to) = self.row(table, cell).and(self.on(mask, store)),
                Op::Walk { to, from, walk } => register!(to) = self.walk(walk, register!(from)),
                Op::Or { to, a, b } => register!(to) = register!(a).or(register!(b)),
                Op::AndNot { to, a, b } => register!(to) = register!(a).and_not(register!(b)),
                Op::Look { to, from, look } => {
                    let from = register!(from);
                    register!(to) = if from.is_empty() {
                        from
                    } else if from.is_single() {
                        let holds = self.looks_here(look, from.first(), store, scratch, above);
                        if holds { from } else { S::EMPTY }
                    } else {
                        self.look(look, from, store, scratch, above)
                    };
                }
                Op::LookHere { to, look } => {
                    let holds = self.looks_here(look, cell, store, scratch, above);
                    register!(to) = if holds { S::single(cell) } else { S::EMPTY };
                }
                Op::If { to, from, comparison } => {
                    let holds = self.holds(comparison, store);
                    register!(to) = if holds { register!(from) } else { S::EMPTY };
                }
                Op::Any { to, from, set } => {
                    let any = !register!(from).is_empty();
                    register!(to) = if any { self.sets[set as usize] } else { S::EMPTY };
                }
                Op::Spread { to, from, table } => {
                    let from = register!(from);
                    register!(to) = bits(from).fold(S::EMPTY, |sum, bit| sum.or(self.row(table, bit)));
                }
                Op::Fill { to, from, fill } => register!(to) = self.fill(fill, register!(from), store),
                Op::Ray { to, lines, beyond, mask, up } => {
                    let line = self.row(lines, cell);
                    let stops = line.and_not(self.on(mask, store));
                    register!(to) = if stops.is_empty() {
                        line
                    } else {
                        line.and_not(self.row(beyond, if up { stops.first() } else { stops.last() }))
                    };
                }
                Op::Enter { to, from } => register!(to) = register!(from),
                Op::Repeat { to, from, start } => {
                    let before = register!(to);
                    let after = before.or(register!(from));
                    if !after.and_not(before).is_empty() {
                        register!(to) = after;
                        place = usize::from(start);
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn row(&self, table: u32, cell: usize) -> S {
        self.tables[table as usize * self.bits + cell]
    }

    #[inline(always)]
    pub(super) fn cells(&self, value: Value, cell: usize, registers: &[S]) -> S {
        match value {
            Value::Empty => S::EMPTY,
            Value::Const(set) => self.sets[set as usize],
            Value::Table(table) => self.row(table, cell),
            Value::Register(register) => registers[usize::from(register)],
        }
    }

    /// The cells of `from` at which a look-ahead holds.
    pub(super) fn look<B: Store<S>>(
        &self,
        look: u16,
        from: S,
        store: &mut B,
        scratch: &mut Scratch<S>,
        registers: &mut [S],
    ) -> S {
        let number = usize::from(look);
        if scratch.known.len() < self.looks.len() {
            scratch.known.resize(self.looks.len(), (0, S::EMPTY));
        }
        let (version, known) = scratch.known[number];
        if version == scratch.version {
            return from.and(known);
        }
        let code = &self.looks[number];
        if !code.forward.uses_cell {
            // It holds everywhere or nowhere.
            let all = if self.finds(code, from.first(), store, scratch, registers) { self.all } else { S::EMPTY };
            scratch.known[number] = (scratch.version, all);
            return from.and(all);
        }
        match &code.backward {
            Some(backward) if from.count() > code.few => {
                let mut more = Vec::new();
                let (mine, above) = split(registers, backward.registers, &mut more);
                self.run(backward, 0, store, scratch, mine, above);
                let all = backward.outs.first().map_or(S::EMPTY, |out| self.cells(out.cells, 0, mine));
                scratch.known[number] = (scratch.version, all);
                from.and(all)
            }
            _ => {
                let mut holds = S::EMPTY;
                for bit in bits(from) {
                    if self.finds(code, bit, store, scratch, registers) {
                        holds = holds.or(S::single(bit));
                    }
                }
                holds
            }
        }
    }

    /// Whether a look-ahead holds at a cell.
    #[inline]
    pub(super) fn looks_here<B: Store<S>>(
        &self,
        look: u16,
        bit: usize,
        store: &mut B,
        scratch: &mut Scratch<S>,
        registers: &mut [S],
    ) -> bool {
        let code = &self.looks[usize::from(look)];
        match &code.patterns {
            Some(patterns) if patterns.complete => self.matches(patterns, bit, store),
            _ => !self.look(look, S::single(bit), store, scratch, registers).is_empty(),
        }
    }

    /// Whether a look-ahead finds a path from a cell.
    fn finds<B: Store<S>>(
        &self,
        look: &LookCode<S>,
        bit: usize,
        store: &mut B,
        scratch: &mut Scratch<S>,
        registers: &mut [S],
    ) -> bool {
        if let Some(patterns) = &look.patterns {
            if self.matches(patterns, bit, store) {
                return true;
            }
            if patterns.complete {
                return false;
            }
        }
        if look.backward.is_some() {
            let mut more = Vec::new();
            let (mine, above) = split(registers, look.forward.registers, &mut more);
            self.run(&look.forward, bit, store, scratch, mine, above);
            return look.forward.outs.iter().any(|out| !self.cells(out.cells, bit, mine).is_empty());
        }
        self.explore::<B, _, false>(&look.forward, bit, store, scratch, registers, 0, &mut First::default())
    }

    /// Goes through all ways on from a cell in the order of the rules, and whether the sink had enough.
    ///
    /// Changes on the way are undone; with `KEEP` those of the way to the leaf that was enough are not.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn explore<B: Store<S>, K: Sink<S>, const KEEP: bool>(
        &self,
        program: &Program,
        cell: usize,
        store: &mut B,
        scratch: &mut Scratch<S>,
        registers: &mut [S],
        depth: usize,
        sink: &mut K,
    ) -> bool {
        let mut more = Vec::new();
        let (mine, above) = split(registers, program.registers, &mut more);
        self.run(program, cell, store, scratch, mine, above);
        for (choice, out) in program.outs.iter().enumerate() {
            let cells = self.cells(out.cells, cell, mine);
            if out.is_switch || out.modifier == END {
                if !cells.is_empty() {
                    scratch.steps += u64::from(cells.count());
                    if sink.leaf(program, choice, out, cells) {
                        return true;
                    }
                }
                continue;
            }
            if depth == limits::MOVE_LENGTH {
                continue;
            }
            if cells.is_empty() {
                continue;
            }
            if !KEEP
                && let Some(lanes) = &self.lanes[usize::from(out.modifier)]
                && depth + lanes.longest < limits::MOVE_LENGTH
                && (K::LANES || lanes.pays(cells.count()))
            {
                if self.all_lanes(lanes, out.modifier, cells, store, scratch, above, depth, sink) {
                    return true;
                }
                continue;
            }
            for bit in bits(cells) {
                if self.descend::<B, K, KEEP>(out.modifier, bit, store, scratch, above, depth, sink) {
                    return true;
                }
            }
        }
        false
    }

    /// Applies a modifier at a cell and goes through all ways on; whether the sink had enough.
    #[allow(clippy::too_many_arguments)]
    #[inline(always)]
    pub(super) fn descend<B: Store<S>, K: Sink<S>, const KEEP: bool>(
        &self,
        modifier: u16,
        bit: usize,
        store: &mut B,
        scratch: &mut Scratch<S>,
        registers: &mut [S],
        depth: usize,
        sink: &mut K,
    ) -> bool {
        scratch.steps += 1;
        if scratch.steps > limits::EXPLORATION {
            return false;
        }
        let before = scratch.version;
        let Some(undo) = self.apply(modifier, bit, store) else { return false };
        scratch.renew();
        sink.push(modifier, bit);
        let next = &self.after[usize::from(modifier)];
        let enough = self.explore::<B, K, KEEP>(next, bit, store, scratch, registers, depth + 1, sink);
        if !(KEEP && enough) {
            self.undo(undo, store);
            scratch.version = before;
        }
        if !enough {
            sink.pop();
        }
        enough
    }

    /// Applies a modifier that is no switch; `None` if it fails.
    #[inline]
    pub(super) fn apply<B: Store<S>>(&self, modifier: u16, bit: usize, store: &mut B) -> Option<Undo> {
        match &self.effects[usize::from(modifier)] {
            Effect::Put(piece) => Some(Undo::Piece(bit, store.put(*piece, bit))),
            Effect::Assign(variable, value) => {
                let place = usize::from(*variable);
                let value = match value {
                    Arithmetic::Number(number) => *number,
                    value => self.value(value, store)?,
                };
                if value < 0 || value > i64::from(self.bounds[place]) {
                    return None;
                }
                let old = std::mem::replace(&mut store.variables_mut()[place], value as i32);
                Some(Undo::Variable(*variable, old))
            }
            Effect::Player(_) | Effect::Keeper => None,
        }
    }

    pub(super) fn undo<B: Store<S>>(&self, undo: Undo, store: &mut B) {
        match undo {
            Undo::Piece(bit, piece) => drop(store.put(piece, bit)),
            Undo::Variable(variable, value) => store.variables_mut()[usize::from(variable)] = value,
        }
    }
}

/// Stops at the first leaf and remembers it.
#[derive(Default)]
pub(super) struct First {
    /// The switch and its cell.
    pub found: Option<(u16, usize)>,
}

impl<S: Set> Sink<S> for First {
    #[inline(always)]
    fn push(&mut self, _: u16, _: usize) {}

    #[inline(always)]
    fn pop(&mut self) {}

    #[inline(always)]
    fn leaf(&mut self, _: &Program, _: usize, out: &Out, cells: S) -> bool {
        self.found = Some((out.modifier, cells.first()));
        true
    }

    #[inline(always)]
    fn lane(&mut self, modifier: u16, _: usize, _: &CompiledLane, cells: S) -> bool {
        self.found = Some((modifier, cells.first()));
        true
    }
}

impl<S: Set> Code<S> {
    /// The modifiers that may come next, each with the cells where it may be applied and does not fail at once.
    pub(super) fn choices<B: Store<S>>(
        &self,
        program: &Program,
        cell: usize,
        store: &mut B,
        scratch: &mut Scratch<S>,
    ) -> Vec<(u16, S)> {
        let mut registers = vec![S::EMPTY; program.registers];
        self.run(program, cell, store, scratch, &mut registers, &mut []);
        program.outs.iter().map(|out| (out.modifier, self.cells(out.cells, cell, &registers))).collect()
    }
}

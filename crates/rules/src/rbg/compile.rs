//! The automaton into programs.
//!
//! From the state after a modifier, everything up to the next modifiers is one graph of states whose edges change
//! nothing. Its strongly connected components are compiled in topological order. Sets that depend on nothing, or on the
//! first cell alone, are worked out at once (the closures of pure shifts among them); operations are only made for what
//! depends on the position.

use std::collections::HashMap;

use super::automaton::{Automaton, Label, State};
use super::evaluate::Reached;
use super::geometry::{Geometry, NONE, Walk, has};
use super::graph::{Graph, Link};
use super::keeper::{Condition, KeeperStep};
use super::lanes::{CompiledLanes, CompiledTree};
use super::limits;
use super::paths::Paths;
use super::patterns::Patterns;
use super::program::{END, Fill, Op, Out, Program, Register, Value};
use super::syntax::PieceMask;

/// Everything that is compiled, over sets of a size that is not fixed yet.
pub(super) struct Compiled {
    pub sets: Vec<Vec<u64>>,
    /// A row of words for every bit.
    pub tables: Vec<Vec<u64>>,
    /// Steps, and whether they are taken backwards.
    pub walks: Vec<(Walk, bool)>,
    pub masks: Vec<PieceMask>,
    pub fills: Vec<Fill>,
    /// The first program, from the start of the rules.
    pub start: Program,
    /// Programs from the state after each modifier.
    pub after: Vec<Program>,
    /// The same for many cells at once, where that is possible.
    pub lanes: Vec<Option<CompiledLanes>>,
    pub looks: Vec<CompiledLook>,
    /// See [`Code::sure`](super::engine::Code).
    pub sure: Vec<bool>,
    /// For each modifier, whether a switch always follows on every way behind it.
    pub goes_on: Vec<bool>,
    /// Steps of the keeper, and the first one after each modifier.
    pub keeper: (Vec<KeeperStep>, Vec<u32>),
}

pub(super) struct CompiledLook {
    /// From the first cell on.
    pub forward: Program,
    /// All cells at which the look-ahead holds, if it changes nothing on its way.
    pub backward: Option<(Program, Value)>,
    pub patterns: Option<Patterns>,
    /// The same for many cells at once.
    pub tree: Option<CompiledTree>,
    /// So many cells are asked one by one.
    pub few: u32,
}

pub(super) struct Compiler<'a> {
    pub(super) automaton: &'a Automaton,
    /// Largest values of the variables.
    pub(super) bounds: &'a [u32],
    pub(super) geometry: &'a Geometry,
    pub(super) all_pieces: PieceMask,
    pub(super) all: Vec<u64>,
    pub(super) compiled: Compiled,
    pub(super) set_places: HashMap<Vec<u64>, u32>,
    pub(super) table_places: HashMap<Vec<u64>, u32>,
    pub(super) walk_places: HashMap<(Walk, bool), u16>,
    pub(super) mask_places: HashMap<PieceMask, u16>,
    pub(super) fill_places: HashMap<Fill, u16>,
    /// Closures of shifts by their states; the first state is where they begin.
    pub(super) closures: HashMap<(Vec<State>, bool), Vec<Reached>>,
    pub(super) closure_bytes: usize,
    /// The ways through each look-ahead, where they are known.
    pub(super) look_paths: Vec<Option<Paths>>,
    /// Look-aheads that depend on the cell alone.
    pub(super) static_looks: HashMap<u16, Vec<u64>>,
    pub(super) table_bytes: usize,
    /// Tables asked for [`Compiler::rows_here`].
    pub(super) tables_here: HashMap<u32, Option<Option<Condition>>>,
    /// Registers that may still be looked at for a step of the keeper.
    pub(super) questions: u32,
    pub(super) budget: u64,
    pub(super) program: Program,
    pub(super) known: HashMap<Op, Register>,
}

/// Why a compilation failed.
pub(super) struct TooLarge(pub String);

pub(super) type Result<T> = std::result::Result<T, TooLarge>;

/// States and the ways between them, the node at which they begin, and the nodes that end at a modifier.
type Region = (Graph, usize, Vec<(usize, u16)>);

pub(super) fn compile(
    automaton: &Automaton,
    geometry: &Geometry,
    all_pieces: PieceMask,
    bounds: &[u32],
) -> Result<Compiled> {
    let mut compiler = Compiler {
        automaton,
        bounds,
        geometry,
        all_pieces,
        all: geometry.all(),
        compiled: Compiled {
            sets: Vec::new(),
            tables: Vec::new(),
            walks: Vec::new(),
            masks: Vec::new(),
            fills: Vec::new(),
            start: Program::default(),
            after: Vec::new(),
            lanes: Vec::new(),
            looks: Vec::new(),
            sure: Vec::new(),
            goes_on: Vec::new(),
            keeper: Default::default(),
        },
        set_places: HashMap::new(),
        table_places: HashMap::new(),
        walk_places: HashMap::new(),
        mask_places: HashMap::new(),
        fill_places: HashMap::new(),
        closures: HashMap::new(),
        closure_bytes: 0,
        look_paths: Vec::new(),
        static_looks: HashMap::new(),
        table_bytes: 0,
        tables_here: HashMap::new(),
        questions: 0,
        budget: limits::COMPILATION,
        program: Program::default(),
        known: HashMap::new(),
    };
    // The masks of single pieces are their numbers.
    for piece in 0..all_pieces.count_ones() {
        compiler.mask(1 << piece);
    }
    for (number, &look) in automaton.looks.iter().enumerate() {
        let mut backward = None;
        if !look.modifies {
            let (program, value) = compiler.holds(look.start, look.end)?;
            match value {
                Value::Empty => drop(compiler.static_looks.insert(number as u16, vec![0; geometry.words])),
                Value::Const(set) => {
                    let set = compiler.compiled.sets[set as usize].clone();
                    compiler.static_looks.insert(number as u16, set);
                }
                _ => {}
            }
            backward = Some((program, value));
        }
        let forward = compiler.forward(look.start, Some(look.end))?;
        let (mut patterns, mut tree, mut few) = (None, None, 1);
        let mut known = None;
        if !look.modifies && forward.uses_cell {
            let paths = compiler.look_paths(look.start, look.end)?;
            patterns = compiler.patterns(&paths)?;
            tree = compiler.tree(&paths, &|_| 0);
            known = Some(paths);
        }
        if let (Some(patterns), Some((backward, _))) = (&patterns, &backward) {
            let tests = 1 + patterns.tests.len() / geometry.bits;
            let most = if patterns.complete { 2 * backward.ops.len() * geometry.words.min(2) / tests } else { 3 };
            few = most.clamp(2, 30) as u32;
        }
        compiler.look_paths.push(known);
        compiler.compiled.looks.push(CompiledLook { forward, backward, patterns, tree, few });
    }
    compiler.compiled.start = compiler.forward(automaton.start, None)?;
    for modifier in &automaton.modifiers {
        // A modifier of a look-ahead leads to the end of that look-ahead.
        let looks = if modifier.index == 0 { &automaton.looks[..] } else { &[] };
        let end = looks.iter().find(|look| compiler.leads(modifier.target, look.end)).map(|look| look.end);
        let program = compiler.forward(modifier.target, end)?;
        compiler.compiled.after.push(program);
    }
    for (number, modifier) in automaton.modifiers.iter().enumerate() {
        let lanes = if modifier.index > 0 { compiler.lanes(number)? } else { None };
        compiler.compiled.lanes.push(lanes);
    }
    (compiler.compiled.sure, compiler.compiled.goes_on) = compiler.sure()?;
    compiler.compiled.keeper = compiler.keeper_steps()?;
    Ok(compiler.compiled)
}

impl Compiler<'_> {
    /// Whether there is a way from one state to another, through modifiers too.
    pub(super) fn leads(&self, from: State, to: State) -> bool {
        let mut seen = std::collections::HashSet::from([from]);
        let mut open = vec![from];
        while let Some(state) = open.pop() {
            if state == to {
                return true;
            }
            open.extend(self.automaton.edges[state as usize].iter().map(|edge| edge.to).filter(|&to| seen.insert(to)));
        }
        false
    }

    /// The program from a state up to the next modifiers, or to the end of a look-ahead.
    pub(super) fn forward(&mut self, start: State, end: Option<State>) -> Result<Program> {
        self.program = Program::default();
        self.known.clear();
        let (mut graph, entry, outs) = self.region(start, end)?;
        graph.simplify(self)?;
        graph.merge();
        graph.simplify(self)?;
        let identity = self.identity()?;
        let mut values = vec![None; graph.nodes()];
        values[entry] = Some(Value::Empty);
        self.evaluate(&graph, &graph.live(), Some((entry, identity)), &mut values, false)?;
        let mut cells: Vec<(u16, Value)> = Vec::new();
        for (node, modifier) in outs {
            cells.push((modifier, values[node].unwrap_or(Value::Empty)));
        }
        cells.sort_by_key(|&(modifier, _)| modifier);
        for (modifier, value) in cells {
            if value != Value::Empty {
                let is_switch = modifier != END && self.automaton.modifiers[usize::from(modifier)].effect.is_switch();
                let here = value == identity;
                self.program.outs.push(Out { modifier, cells: value, here, is_switch });
            }
        }
        Ok(self.finished())
    }

    /// The cells at which a look-ahead holds: from its end back to its start.
    pub(super) fn holds(&mut self, start: State, end: State) -> Result<(Program, Value)> {
        self.program = Program::default();
        self.known.clear();
        let (mut graph, entry, outs) = self.region(start, Some(end))?;
        graph.simplify(self)?;
        graph.merge();
        graph.simplify(self)?;
        let Some(&(last, _)) = outs.iter().find(|out| out.1 == END) else {
            return Ok((Program::default(), Value::Empty));
        };
        graph.reverse();
        let all = self.set(self.all.clone());
        let mut values = vec![None; graph.nodes()];
        self.evaluate(&graph, &graph.live(), Some((last, all)), &mut values, true)?;
        let value = values[entry].unwrap_or(Value::Empty);
        if value != Value::Empty {
            self.program.outs.push(Out { modifier: END, cells: value, here: false, is_switch: false });
        }
        Ok((self.finished(), value))
    }

    /// The program without operations whose results nobody reads.
    pub(super) fn finished(&mut self) -> Program {
        let mut program = std::mem::take(&mut self.program);
        let mut needed = vec![false; program.registers];
        for out in &program.outs {
            if let Value::Register(register) = out.cells {
                needed[usize::from(register)] = true;
            }
        }
        loop {
            let before = needed.iter().filter(|needed| **needed).count();
            for op in program.ops.iter().rev() {
                let (to, from) = op.registers();
                if needed[usize::from(to)] {
                    from.into_iter().flatten().for_each(|from| needed[usize::from(from)] = true);
                }
            }
            if needed.iter().filter(|needed| **needed).count() == before {
                break;
            }
        }
        // Places of loops move with the operations left out.
        let kept: Vec<bool> = program.ops.iter().map(|op| needed[usize::from(op.registers().0)]).collect();
        let place = |start: u16| kept[..usize::from(start)].iter().filter(|kept| **kept).count() as u16;
        let mut ops = Vec::new();
        for (index, &op) in program.ops.iter().enumerate() {
            if kept[index] {
                ops.push(match op {
                    Op::Repeat { to, from, start } => Op::Repeat { to, from, start: place(start) },
                    op => op,
                });
            }
        }
        program.ops = ops;
        let tables = program
            .ops
            .iter()
            .any(|op| matches!(op, Op::Table { .. } | Op::OnTable { .. } | Op::Ray { .. } | Op::LookHere { .. }));
        program.uses_cell = tables || program.outs.iter().any(|out| matches!(out.cells, Value::Table(_)));
        program.switches_alone = program.outs.iter().all(|out| out.is_switch);
        program.choice_bits = usize::BITS - program.outs.len().saturating_sub(1).leading_zeros();
        program
    }

    /// The states that can be reached without a modifier, with the modifiers at which they end.
    pub(super) fn region(&mut self, start: State, end: Option<State>) -> Result<Region> {
        let automaton = self.automaton;
        let mut graph = Graph::default();
        let mut places = HashMap::from([(start, graph.node(start))]);
        let mut open = vec![start];
        let mut outs = Vec::new();
        while let Some(state) = open.pop() {
            self.spend(1)?;
            let from = places[&state];
            if Some(state) == end {
                outs.push((from, END));
            }
            for edge in &automaton.edges[state as usize] {
                let link = match edge.label {
                    Label::Modify(modifier) => {
                        outs.push((from, modifier));
                        continue;
                    }
                    Label::Pass => Link::Pass,
                    Label::Shift(direction) => {
                        Link::Walk(self.walk(self.geometry.steps[usize::from(direction)].clone()))
                    }
                    Label::On(0) => continue,
                    Label::On(mask) if mask == self.all_pieces => Link::Pass,
                    Label::On(mask) => Link::On(self.mask(mask)),
                    Label::Look(look, negated) => match self.static_looks.get(&look) {
                        Some(set) => {
                            let stays = |bit: usize| has(set, bit) != negated && self.geometry.cell[bit] != NONE;
                            let walk: Walk =
                                (0..self.geometry.bits).map(|b| if stays(b) { b as u16 } else { NONE }).collect();
                            if walk.iter().all(|&to| to == NONE) {
                                continue;
                            }
                            Link::Walk(self.walk(walk))
                        }
                        None => Link::Look(look, negated),
                    },
                    Label::Compare(number) => {
                        let (comparison, left, right) = &automaton.comparisons[usize::from(number)];
                        match (left.constant(), right.constant()) {
                            (Some(left), Some(right)) if comparison.holds(left, right) => Link::Pass,
                            (Some(_), Some(_)) => continue,
                            _ => Link::If(number),
                        }
                    }
                };
                let to = *places.entry(edge.to).or_insert_with(|| {
                    open.push(edge.to);
                    graph.node(edge.to)
                });
                graph.link(from, link, to);
            }
        }
        let ends: Vec<usize> = outs.iter().map(|&(node, _)| node).collect();
        graph.prune(&ends);
        graph.keep(places[&start], &ends);
        Ok((graph, places[&start], outs))
    }
}

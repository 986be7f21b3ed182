//! The automaton into programs.
//!
//! From the state after a modifier, everything up to the next modifiers is one graph of states whose edges change
//! nothing. Its strongly connected components are compiled in topological order. Sets that depend on nothing, or on the
//! first cell alone, are worked out at once (the closures of pure shifts among them); operations are only made for what
//! depends on the position.

use std::collections::HashMap;

use super::automaton::{Automaton, Effect, Label, State};
use super::geometry::{Geometry, NONE, Walk, composed, has, insert, members};
use super::graph::{Graph, Link};
use super::lanes::{CompiledLane, CompiledLanes, CompiledTree};
use super::limits;
use super::paths::{Paths, Patterns, Place, displacement, tree};
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
    automaton: &'a Automaton,
    /// Largest values of the variables.
    bounds: &'a [u32],
    pub geometry: &'a Geometry,
    pub all_pieces: PieceMask,
    pub all: Vec<u64>,
    pub compiled: Compiled,
    set_places: HashMap<Vec<u64>, u32>,
    table_places: HashMap<Vec<u64>, u32>,
    walk_places: HashMap<(Walk, bool), u16>,
    mask_places: HashMap<PieceMask, u16>,
    fill_places: HashMap<Fill, u16>,
    /// Closures of shifts by their states; the first state is where they begin.
    closures: HashMap<(Vec<State>, bool), Vec<Reached>>,
    /// The ways through each look-ahead, where they are known.
    pub look_paths: Vec<Option<Paths>>,
    /// Look-aheads that depend on the cell alone.
    static_looks: HashMap<u16, Vec<u64>>,
    table_bytes: usize,
    pub budget: u64,
    program: Program,
    known: HashMap<Op, Register>,
}

/// Why a compilation failed.
pub(super) struct TooLarge(pub String);

type Result<T> = std::result::Result<T, TooLarge>;

/// A state, and the cells on which it is reached from each cell.
type Reached = (State, Vec<u64>);

/// States and the ways between them, the node at which they begin, and the nodes that end at a modifier.
type Region = (Graph, usize, Vec<(usize, u16)>);

/// A node that steps lead to, and where they lead from each cell; nothing if the cell stays.
type Steps = (usize, Option<Vec<Vec<u16>>>);

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
        },
        set_places: HashMap::new(),
        table_places: HashMap::new(),
        walk_places: HashMap::new(),
        mask_places: HashMap::new(),
        fill_places: HashMap::new(),
        closures: HashMap::new(),
        look_paths: Vec::new(),
        static_looks: HashMap::new(),
        table_bytes: 0,
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
    Ok(compiler.compiled)
}

impl Compiler<'_> {
    /// Whether there is a way from one state to another, through modifiers too.
    fn leads(&self, from: State, to: State) -> bool {
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
    fn forward(&mut self, start: State, end: Option<State>) -> Result<Program> {
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

    /// Ways to the end of a look-ahead, for one cell and for many.
    fn look_paths(&mut self, start: State, end: State) -> Result<Paths> {
        let (mut graph, entry, outs) = self.region(start, Some(end))?;
        graph.simplify(self)?;
        let ends: Vec<usize> = outs.iter().filter(|out| out.1 == END).map(|out| out.0).collect();
        let mut paths = self.paths(&graph, entry, &ends, 128, false)?;
        let all = paths.paths.len();
        paths.paths.retain(|path| path.looks.is_empty());
        paths.complete &= paths.paths.len() == all;
        if !paths.complete {
            // A few short ways are worth trying first.
            paths.paths.truncate(16);
            paths.paths.retain(|path| path.tests.len() <= 2);
        }
        Ok(paths)
    }

    /// The tree of paths that consist of tests at single displacements; `leaf` numbers their ends.
    fn tree(&mut self, paths: &Paths, leaf: &dyn Fn(usize) -> usize) -> Option<CompiledTree> {
        let mut lists = Vec::new();
        for (place, path) in paths.paths.iter().enumerate() {
            let mut list = Vec::new();
            for (cell, mask) in &path.tests {
                let Place::By(by) = cell else { return None };
                list.push((*by, self.mask(*mask)));
            }
            let mut domain = vec![0; self.geometry.words];
            let bits = path.walk.iter().enumerate().filter(|(_, to)| **to != NONE);
            bits.for_each(|(bit, _)| insert(&mut domain, bit));
            let domain = self.place(domain);
            lists.push((list, leaf(place), domain));
        }
        let (tests, at_root) = tree(lists);
        Some(CompiledTree { tests, at_root, complete: paths.complete })
    }

    /// What may come after a piece is put, for all cells at once: whole moves, so that nothing else has to be changed.
    fn lanes(&mut self, modifier: usize) -> Result<Option<CompiledLanes>> {
        let automaton = self.automaton;
        let Effect::Put(piece) = automaton.modifiers[modifier].effect else { return Ok(None) };
        let (mut graph, entry, outs) = self.region(automaton.modifiers[modifier].target, None)?;
        graph.simplify(self)?;
        let ends: Vec<usize> = outs.iter().map(|out| out.0).collect();
        // Where all depends on one look-ahead, one of its answers is enough.
        let mut rest = None;
        let mut answers: Vec<(u16, bool)> = Vec::new();
        for &(_, link) in graph.out(entry) {
            match link {
                Link::Look(look, negated) => answers.push((look, negated)),
                _ => answers.push((u16::MAX, false)),
            }
        }
        if let [(one, yes), (other, no)] = answers[..]
            && one == other
            && yes != no
            && one != u16::MAX
        {
            for negated in [true, false] {
                let part = graph.only(entry, Link::Look(one, negated));
                let paths = self.paths(&part, entry, &ends, 96, true)?;
                let mut ways = outs.iter().filter(|out| paths.paths.iter().any(|path| path.end == out.0));
                if paths.complete && !paths.paths.is_empty() && ways.all(|out| self.chain(out.1).is_some()) {
                    rest = Some((one, !negated));
                    graph = part;
                    break;
                }
            }
        }
        let mut paths = self.paths(&graph, entry, &ends, 96, true)?;
        if !paths.complete || paths.paths.is_empty() {
            return Ok(None);
        }
        // A test of the first cell is a test of the piece just put.
        paths
            .paths
            .retain(|path| path.tests.iter().all(|(place, mask)| *place != Place::By(0) || mask >> piece & 1 != 0));
        let mut lanes: Vec<CompiledLane> = Vec::new();
        let mut ways = Paths { paths: Vec::new(), complete: true };
        let mut places = Vec::new();
        for path in &paths.paths {
            let Some(by) = displacement(&path.walk) else { return Ok(None) };
            for &(_, next) in outs.iter().filter(|out| out.0 == path.end) {
                let Some(modifiers) = self.chain(next) else { return Ok(None) };
                let found = lanes.iter().position(|lane| lane.by == by && lane.modifiers == modifiers);
                let looks = path.looks.clone();
                match found {
                    // Two ways to one move would need the union of their cells.
                    Some(place) if lanes[place].looks == looks => places.push(place),
                    Some(_) => return Ok(None),
                    None => {
                        places.push(lanes.len());
                        lanes.push(CompiledLane { modifiers, by, looks });
                    }
                }
                let mut path = path.clone();
                path.tests.retain(|(place, _)| *place != Place::By(0));
                ways.paths.push(path);
            }
        }
        let Some(tree) = self.tree(&ways, &|place| places[place]) else { return Ok(None) };
        if lanes.len() > 100 || tree.tests.iter().any(|test| test.depth > 30) {
            return Ok(None);
        }
        Ok(Some(CompiledLanes { lanes, tree, rest }))
    }

    /// A modifier and those that must follow it on its cell, up to a switch, if none of them can fail.
    fn chain(&self, first: u16) -> Option<Vec<u16>> {
        let mut chain = vec![first];
        loop {
            let last = usize::from(chain[chain.len() - 1]);
            match &self.automaton.modifiers[last].effect {
                Effect::Player(_) | Effect::Keeper => return Some(chain),
                Effect::Put(_) => {}
                Effect::Assign(variable, value) => {
                    let value = value.constant()?;
                    if value < 0 || value > i64::from(self.bounds[usize::from(*variable)]) {
                        return None;
                    }
                }
            }
            let program = &self.compiled.after[last];
            match program.outs[..] {
                [out] if out.here && program.ops.is_empty() && chain.len() < 20 => chain.push(out.modifier),
                _ => return None,
            }
        }
    }

    /// The cells at which a look-ahead holds: from its end back to its start.
    fn holds(&mut self, start: State, end: State) -> Result<(Program, Value)> {
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
    fn finished(&mut self) -> Program {
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
        let tables = program.ops.iter().any(|op| matches!(op, Op::Table { .. } | Op::OnTable { .. } | Op::Ray { .. }));
        program.uses_cell = tables || program.outs.iter().any(|out| matches!(out.cells, Value::Table(_)));
        program.choice_bits = usize::BITS - program.outs.len().saturating_sub(1).leading_zeros();
        program
    }

    /// The states that can be reached without a modifier, with the modifiers at which they end.
    fn region(&mut self, start: State, end: Option<State>) -> Result<Region> {
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

    /// Works out the values of `nodes`, one strongly connected component after the other.
    fn evaluate(
        &mut self,
        graph: &Graph,
        nodes: &[usize],
        entry: Option<(usize, Value)>,
        values: &mut Vec<Option<Value>>,
        back: bool,
    ) -> Result<()> {
        for component in graph.components(nodes) {
            self.spend(component.len() as u64)?;
            let inside = |node: usize| component.contains(&node);
            let first = component[0];
            if component.len() == 1 && !graph.into(first).iter().any(|&(from, _)| from == first) {
                let seed = entry.filter(|&(node, _)| node == first).map(|(_, value)| value);
                values[first] = Some(self.gather(graph, first, seed, values, |_| true)?);
                continue;
            }
            // What comes from outside.
            let mut seeds = Vec::new();
            for &node in &component {
                let seed = entry.filter(|&(at, _)| at == node).map(|(_, value)| value);
                seeds.push((node, self.gather(graph, node, seed, values, |from| !inside(from))?));
            }
            let links = component.iter().flat_map(|&node| graph.into(node)).filter(|&&(from, _)| inside(from));
            if links.clone().all(|(_, link)| matches!(link, Link::Walk(_) | Link::Pass)) {
                self.closure(graph, &component, &seeds, values, back)?;
            } else if !self.fill(graph, &component, &seeds, values, back)? {
                let hub = graph.hub(&component);
                let seed = seeds.iter().find(|seed| seed.0 == hub).map_or(Value::Empty, |seed| seed.1);
                let from = self.register(seed)?;
                let to = self.fresh()?;
                self.program.ops.push(Op::Enter { to, from });
                let start = self.program.ops.len() as u16;
                values[hub] = Some(Value::Register(to));
                let rest: Vec<usize> = component.iter().copied().filter(|&node| node != hub).collect();
                for &node in &rest {
                    values[node] = None;
                }
                let entry = entry.filter(|&(node, _)| node != hub);
                self.evaluate(graph, &rest, entry, values, back)?;
                let next = self.gather(graph, hub, None, values, inside)?;
                let from = self.register(next)?;
                self.program.ops.push(Op::Repeat { to, from, start });
            }
        }
        Ok(())
    }

    /// The value of a node from the edges into it that begin at a node with a value.
    fn gather(
        &mut self,
        graph: &Graph,
        node: usize,
        seed: Option<Value>,
        values: &[Option<Value>],
        wanted: impl Fn(usize) -> bool,
    ) -> Result<Value> {
        let mut found: Vec<Value> = seed.into_iter().collect();
        for &(from, link) in graph.into(node) {
            if let (true, Some(value)) = (wanted(from), values[from]) {
                found.push(self.follow(link, value, graph.reversed)?);
            }
        }
        self.union(&found)
    }

    /// A fill, if that is what the component is: steps from a hub onto cells of a mask and back to the hub.
    fn fill(
        &mut self,
        graph: &Graph,
        component: &[usize],
        seeds: &[(usize, Value)],
        values: &mut [Option<Value>],
        back: bool,
    ) -> Result<bool> {
        let &[one, other] = component else { return Ok(false) };
        for (hub, way) in [(one, other), (other, one)] {
            let links = |from: usize, to: usize| {
                graph.into(to).iter().filter(move |link| link.0 == from).map(|link| link.1).collect::<Vec<_>>()
            };
            if !links(hub, hub).is_empty() || !links(way, way).is_empty() {
                return Ok(false);
            }
            let [Link::On(mask)] = links(way, hub)[..] else { continue };
            let mut walks = Vec::new();
            for link in links(hub, way) {
                let Link::Walk(walk) = link else { return Ok(false) };
                walks.push(self.directed(walk, back));
            }
            let seed = |node: usize| seeds.iter().find(|seed| seed.0 == node).map_or(Value::Empty, |seed| seed.1);
            if let ([walk], false) = (&walks[..], back)
                && let Some(value) = self.ray(*walk, mask, seed(hub), seed(way))?
            {
                values[hub] = Some(value);
                values[way] = Some(self.gather(graph, way, Some(seed(way)), values, |from| from == hub)?);
                return Ok(true);
            }
            let on = self.follow(Link::On(mask), seed(way), back)?;
            let first = self.union(&[seed(hub), on])?;
            if first == Value::Empty {
                values[hub] = Some(Value::Empty);
            } else {
                let from = self.register(first)?;
                let fill = Fill { walks, mask };
                let next = self.compiled.fills.len() as u16;
                let fills = &mut self.compiled.fills;
                let fill = *self.fill_places.entry(fill.clone()).or_insert_with(|| {
                    fills.push(fill);
                    next
                });
                values[hub] = Some(self.emit(|to| Op::Fill { to, from, fill })?);
            }
            values[way] = Some(self.gather(graph, way, Some(seed(way)), values, |from| from == hub)?);
            return Ok(true);
        }
        Ok(false)
    }

    /// A fill along one line from a single cell: the line up to the first cell that is not of the mask.
    ///
    /// `hub` is where the line begins whatever is there, or `way` its first cell that must be of the mask.
    fn ray(&mut self, walk: u16, mask: u16, hub: Value, way: Value) -> Result<Option<Value>> {
        let (seed, tested) = match (hub, way) {
            (Value::Table(table), Value::Empty) => (table, false),
            (Value::Empty, Value::Table(table)) => (table, true),
            _ => return Ok(None),
        };
        let (bits, words) = (self.geometry.bits, self.geometry.words);
        let walk = self.compiled.walks[usize::from(walk)].0.clone();
        let mut steps =
            walk.iter().enumerate().filter(|(_, to)| **to != NONE).map(|(from, &to)| usize::from(to) > from);
        let Some(up) = steps.next() else { return Ok(None) };
        if !steps.all(|step| step == up) {
            return Ok(None);
        }
        self.spend((bits * 20) as u64)?;
        let (mut lines, mut beyond) = (vec![0; bits * words], vec![0; bits * words]);
        let line = |mut at: u16, into: &mut [u64]| {
            while at != NONE {
                insert(into, at.into());
                at = walk[usize::from(at)];
            }
        };
        for bit in 0..bits {
            let rows = bit * words..(bit + 1) * words;
            line(if self.geometry.cell[bit] == NONE { NONE } else { bit as u16 }, &mut beyond[rows.clone()]);
            let first: Vec<usize> = members(&self.compiled.tables[seed as usize][rows.clone()]).collect();
            match first[..] {
                [] => {}
                [first] => line(if tested { first as u16 } else { walk[first] }, &mut lines[rows]),
                _ => return Ok(None),
            }
        }
        let (Value::Table(lines), Value::Table(beyond)) = (self.table(lines)?, self.table(beyond)?) else {
            return Ok(None);
        };
        let ray = self.emit(|to| Op::Ray { to, lines, beyond, mask, up })?;
        Ok(Some(if tested { ray } else { self.union(&[hub, ray])? }))
    }

    /// A component of shifts alone: its closure is a table.
    fn closure(
        &mut self,
        graph: &Graph,
        component: &[usize],
        seeds: &[(usize, Value)],
        values: &mut [Option<Value>],
        back: bool,
    ) -> Result<()> {
        let mut found: Vec<(usize, Vec<Value>)> = component.iter().map(|&node| (node, Vec::new())).collect();
        for &(start, seed) in seeds {
            if seed == Value::Empty {
                continue;
            }
            let states = std::iter::once(start).chain(component.iter().copied()).map(|node| graph.state(node));
            let key = (states.collect(), back);
            if !self.closures.contains_key(&key) {
                let reached = self.reached(graph, component, start, back)?;
                self.closures.insert(key.clone(), reached);
            }
            let reached = self.closures[&key].clone();
            for ((_, found), (_, rows)) in found.iter_mut().zip(&reached) {
                found.push(self.spread(seed, rows)?);
            }
        }
        for (node, found) in found {
            values[node] = Some(self.union(&found)?);
        }
        Ok(())
    }

    /// For every node of the component, a table of what a walker from each cell of `start` reaches there.
    fn reached(&mut self, graph: &Graph, component: &[usize], start: usize, back: bool) -> Result<Vec<Reached>> {
        let (bits, words) = (self.geometry.bits, self.geometry.words);
        let place: HashMap<usize, usize> = component.iter().enumerate().map(|(place, &node)| (node, place)).collect();
        // Steps out of each node, as lists of cells for each cell.
        let mut ways: Vec<Vec<Steps>> = vec![Vec::new(); component.len()];
        for (to, &node) in component.iter().enumerate() {
            for &(from, link) in graph.into(node) {
                let Some(&from) = place.get(&from) else { continue };
                let table = match link {
                    Link::Walk(walk) => Some(self.ways(walk, back)),
                    _ => None,
                };
                ways[from].push((to, table));
            }
        }
        let mut rows = vec![vec![0u64; bits * words]; component.len()];
        let mut open = Vec::new();
        for bit in (0..bits).filter(|&bit| self.geometry.cell[bit] != NONE) {
            open.push((place[&start], bit));
            insert(&mut rows[place[&start]][bit * words..], bit);
            while let Some((node, at)) = open.pop() {
                self.spend(1)?;
                for (to, table) in &ways[node] {
                    let single = [at as u16];
                    let targets = table.as_ref().map_or(&single[..], |table| &table[at]);
                    for &target in targets {
                        let row = &mut rows[*to][bit * words..(bit + 1) * words];
                        if !has(row, target.into()) {
                            insert(row, target.into());
                            open.push((*to, target.into()));
                        }
                    }
                }
            }
        }
        Ok(component.iter().zip(rows).map(|(&node, rows)| (graph.state(node), rows)).collect())
    }

    fn ways(&self, walk: u16, back: bool) -> Vec<Vec<u16>> {
        let walk = &self.compiled.walks[usize::from(walk)].0;
        let mut ways = vec![Vec::new(); walk.len()];
        for (from, &to) in walk.iter().enumerate().filter(|(_, to)| **to != NONE) {
            if back { ways[usize::from(to)].push(from as u16) } else { ways[from].push(to) }
        }
        ways
    }

    /// The union of a table's rows for the cells of a value.
    fn spread(&mut self, value: Value, rows: &[u64]) -> Result<Value> {
        let words = self.geometry.words;
        let row = |bit: usize| &rows[bit * words..(bit + 1) * words];
        let union = |set: &[u64]| {
            let mut union = vec![0; words];
            members(set).for_each(|bit| union.iter_mut().zip(row(bit)).for_each(|(a, b)| *a |= b));
            union
        };
        match value {
            Value::Empty => Ok(Value::Empty),
            Value::Const(set) => {
                let set = union(&self.compiled.sets[set as usize]);
                Ok(self.set(set))
            }
            Value::Table(table) => {
                if Value::Table(table) == self.identity()? {
                    return self.table(rows.to_vec());
                }
                let old = self.compiled.tables[table as usize].clone();
                self.spend(old.iter().map(|word| u64::from(word.count_ones())).sum::<u64>() * words as u64 / 4)?;
                let new = old.chunks(words).flat_map(union).collect();
                self.table(new)
            }
            Value::Register(from) => match self.table(rows.to_vec())? {
                Value::Table(table) => self.emit(|to| Op::Spread { to, from, table }),
                Value::Const(set) => self.emit(|to| Op::Any { to, from, set }),
                other => Ok(other),
            },
        }
    }

    /// What an edge makes of a set.
    fn follow(&mut self, link: Link, value: Value, back: bool) -> Result<Value> {
        if value == Value::Empty {
            return Ok(Value::Empty);
        }
        match (link, value) {
            (Link::Pass, value) => Ok(value),
            (Link::Walk(walk), Value::Register(from)) => {
                let walk = self.directed(walk, back);
                self.emit(|to| Op::Walk { to, from, walk })
            }
            (Link::Walk(walk), value) => {
                let words = self.geometry.words;
                let ways = self.ways(walk, back);
                let mut rows = vec![0; self.geometry.bits * words];
                for (bit, ways) in ways.iter().enumerate() {
                    ways.iter().for_each(|&to| insert(&mut rows[bit * words..], to.into()));
                }
                self.spread(value, &rows)
            }
            (Link::On(mask), Value::Const(set)) => self.emit(|to| Op::OnConst { to, set, mask }),
            (Link::On(mask), Value::Table(table)) => self.emit(|to| Op::OnTable { to, table, mask }),
            (Link::On(mask), value) => {
                let from = self.register(value)?;
                self.emit(|to| Op::On { to, from, mask })
            }
            (Link::Look(look, negated), value) => {
                let from = self.register(value)?;
                let holds = self.emit(|to| Op::Look { to, from, look })?;
                match holds {
                    Value::Register(b) if negated => self.emit(|to| Op::AndNot { to, a: from, b }),
                    holds => Ok(holds),
                }
            }
            (Link::If(comparison), value) => {
                let from = self.register(value)?;
                self.emit(|to| Op::If { to, from, comparison })
            }
        }
    }

    fn union(&mut self, values: &[Value]) -> Result<Value> {
        let (mut set, mut table, mut registers) = (None::<Vec<u64>>, None::<Vec<u64>>, Vec::new());
        let join = |sum: &mut Option<Vec<u64>>, more: &[u64]| match sum {
            Some(sum) => sum.iter_mut().zip(more).for_each(|(a, b)| *a |= b),
            None => *sum = Some(more.to_vec()),
        };
        let mut different: Vec<Value> = Vec::new();
        for &value in values {
            if !different.contains(&value) && value != Value::Empty {
                different.push(value);
            }
        }
        if let [only] = different[..] {
            return Ok(only);
        }
        for value in different {
            match value {
                Value::Empty => {}
                Value::Const(place) => join(&mut set, &self.compiled.sets[place as usize]),
                Value::Table(place) => {
                    self.spend(self.geometry.bits as u64)?;
                    join(&mut table, &self.compiled.tables[place as usize]);
                }
                Value::Register(register) => registers.push(register),
            }
        }
        let fixed = match (set, table) {
            (None, None) => Value::Empty,
            (Some(set), None) => self.set(set),
            (None, Some(table)) => self.table(table)?,
            (Some(set), Some(mut table)) => {
                for bit in (0..self.geometry.bits).filter(|&bit| self.geometry.cell[bit] != NONE) {
                    let row = &mut table[bit * set.len()..(bit + 1) * set.len()];
                    row.iter_mut().zip(&set).for_each(|(a, b)| *a |= b);
                }
                self.table(table)?
            }
        };
        if registers.is_empty() {
            return Ok(fixed);
        }
        if fixed != Value::Empty {
            let register = self.register(fixed)?;
            registers.push(register);
        }
        let mut sum = registers[0];
        for &b in &registers[1..] {
            let (a, b) = (sum.min(b), sum.max(b));
            if let Value::Register(register) = self.emit(|to| Op::Or { to, a, b })? {
                sum = register;
            }
        }
        Ok(Value::Register(sum))
    }

    /// A register that holds a value.
    fn register(&mut self, value: Value) -> Result<Register> {
        let value = match value {
            Value::Register(register) => return Ok(register),
            Value::Empty => {
                let empty = vec![0; self.geometry.words];
                let set = self.place(empty);
                self.emit(|to| Op::Const { to, set })?
            }
            Value::Const(set) => self.emit(|to| Op::Const { to, set })?,
            Value::Table(table) => self.emit(|to| Op::Table { to, table })?,
        };
        match value {
            Value::Register(register) => Ok(register),
            _ => Err(TooLarge("the rules need too many sets".to_string())),
        }
    }

    fn fresh(&mut self) -> Result<Register> {
        let register = Register::try_from(self.program.registers).ok().filter(|&register| register < 30_000);
        let register = register.ok_or_else(|| TooLarge("a part of the rules without a modifier is too long".into()))?;
        self.program.registers += 1;
        Ok(register)
    }

    /// Adds an operation, unless its result is there already.
    fn emit(&mut self, op: impl Fn(Register) -> Op) -> Result<Value> {
        let key = op(0);
        if let Some(&register) = self.known.get(&key) {
            return Ok(Value::Register(register));
        }
        self.spend(1)?;
        let to = self.fresh()?;
        self.program.ops.push(op(to));
        self.known.insert(key, to);
        Ok(Value::Register(to))
    }

    pub fn spend(&mut self, steps: u64) -> Result<()> {
        match self.budget.checked_sub(steps) {
            Some(rest) => {
                self.budget = rest;
                Ok(())
            }
            None => Err(TooLarge(format!(
                "the rules take more than {} steps to compile: fewer cells, stars or powers would do",
                limits::COMPILATION
            ))),
        }
    }

    /// The cell itself.
    fn identity(&mut self) -> Result<Value> {
        let words = self.geometry.words;
        let mut rows = vec![0; self.geometry.bits * words];
        for &bit in &self.geometry.bit {
            insert(&mut rows[usize::from(bit) * words..], bit.into());
        }
        self.table(rows)
    }

    fn place(&mut self, set: Vec<u64>) -> u32 {
        let sets = &mut self.compiled.sets;
        *self.set_places.entry(set).or_insert_with_key(|set| {
            sets.push(set.clone());
            (sets.len() - 1) as u32
        })
    }

    fn set(&mut self, set: Vec<u64>) -> Value {
        if set.iter().all(|&word| word == 0) { Value::Empty } else { Value::Const(self.place(set)) }
    }

    /// A table, or a set if all cells have the same row.
    fn table(&mut self, rows: Vec<u64>) -> Result<Value> {
        let words = self.geometry.words;
        let first = usize::from(self.geometry.bit[0]) * words;
        let first = &rows[first..first + words];
        let row = |&bit: &u16| &rows[usize::from(bit) * words..(usize::from(bit) + 1) * words];
        if self.geometry.bit.iter().all(|bit| row(bit) == first) {
            let set = first.to_vec();
            return Ok(self.set(set));
        }
        if let Some(&place) = self.table_places.get(&rows) {
            return Ok(Value::Table(place));
        }
        self.table_bytes += rows.len() * 16;
        if self.table_bytes > limits::TABLES {
            return Err(TooLarge(format!("the rules need more than {} MB of tables", limits::TABLES >> 20)));
        }
        self.spend(rows.len() as u64)?;
        let place = self.compiled.tables.len() as u32;
        self.compiled.tables.push(rows.clone());
        self.table_places.insert(rows, place);
        Ok(Value::Table(place))
    }

    pub fn walk(&mut self, walk: Walk) -> u16 {
        self.intern((walk, false))
    }

    fn intern(&mut self, walk: (Walk, bool)) -> u16 {
        let walks = &mut self.compiled.walks;
        *self.walk_places.entry(walk).or_insert_with_key(|walk| {
            walks.push(walk.clone());
            (walks.len() - 1) as u16
        })
    }

    /// The walk for operations of a program that goes this way.
    fn directed(&mut self, walk: u16, back: bool) -> u16 {
        if back { self.intern((self.compiled.walks[usize::from(walk)].0.clone(), true)) } else { walk }
    }

    /// One walk after the other.
    pub fn compose(&mut self, first: u16, second: u16) -> Result<u16> {
        self.spend(self.geometry.bits as u64)?;
        if self.compiled.walks.len() > 20_000 {
            return Err(TooLarge("the rules have too many different ways over the board".to_string()));
        }
        let walk = composed(&self.compiled.walks[usize::from(first)].0, &self.compiled.walks[usize::from(second)].0);
        Ok(self.walk(walk))
    }

    pub fn mask(&mut self, mask: PieceMask) -> u16 {
        let masks = &mut self.compiled.masks;
        *self.mask_places.entry(mask).or_insert_with(|| {
            masks.push(mask);
            (masks.len() - 1) as u16
        })
    }
}

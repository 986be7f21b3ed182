//! Graphs of states worked out into operations: what is reached at every state, one component after the other.

use std::collections::HashMap;

use super::automaton::State;
use super::compile::{Compiler, Result};
use super::geometry::{NONE, has, insert, members};
use super::graph::{Graph, Link};
use super::limits;
use super::program::{Fill, Op, Value};

/// A state, and the cells on which it is reached from each cell.
pub(super) type Reached = (State, Vec<u64>);

/// A node that steps lead to, and where they lead from each cell; nothing if the cell stays.
type Steps = (usize, Option<Vec<Vec<u16>>>);

impl Compiler<'_> {
    /// Works out the values of `nodes`, one strongly connected component after the other.
    pub(super) fn evaluate(
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
    pub(super) fn gather(
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
    pub(super) fn fill(
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
    pub(super) fn ray(&mut self, walk: u16, mask: u16, hub: Value, way: Value) -> Result<Option<Value>> {
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
    pub(super) fn closure(
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
                self.closure_bytes += reached.iter().map(|(_, rows)| rows.len() * 8).sum::<usize>();
                if self.closure_bytes > limits::TABLES {
                    self.closures.clear();
                    self.closure_bytes = 0;
                }
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
    pub(super) fn reached(
        &mut self,
        graph: &Graph,
        component: &[usize],
        start: usize,
        back: bool,
    ) -> Result<Vec<Reached>> {
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

    pub(super) fn ways(&self, walk: u16, back: bool) -> Vec<Vec<u16>> {
        let walk = &self.compiled.walks[usize::from(walk)].0;
        let mut ways = vec![Vec::new(); walk.len()];
        for (from, &to) in walk.iter().enumerate().filter(|(_, to)| **to != NONE) {
            if back { ways[usize::from(to)].push(from as u16) } else { ways[from].push(to) }
        }
        ways
    }

    /// The union of a table's rows for the cells of a value.
    pub(super) fn spread(&mut self, value: Value, rows: &[u64]) -> Result<Value> {
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
    pub(super) fn follow(&mut self, link: Link, value: Value, back: bool) -> Result<Value> {
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
                let holds = if !back && value == self.identity()? {
                    self.emit(|to| Op::LookHere { to, look })?
                } else {
                    self.emit(|to| Op::Look { to, from, look })?
                };
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

    pub(super) fn union(&mut self, values: &[Value]) -> Result<Value> {
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
}

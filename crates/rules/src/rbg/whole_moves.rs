//! Which moves and look-aheads can be found for many cells at once, see [`super::lanes`].

use super::automaton::{Effect, State};
use super::compile::{Compiler, Result};
use super::geometry::{NONE, insert};
use super::graph::Link;
use super::lanes::{CompiledLane, CompiledLanes, CompiledTree};
use super::paths::{Paths, Place, displacement, tree};
use super::program::END;

impl Compiler<'_> {
    /// Ways to the end of a look-ahead, for one cell and for many.
    pub(super) fn look_paths(&mut self, start: State, end: State) -> Result<Paths> {
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
    pub(super) fn tree(&mut self, paths: &Paths, leaf: &dyn Fn(usize) -> usize) -> Option<CompiledTree> {
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
    pub(super) fn lanes(&mut self, modifier: usize) -> Result<Option<CompiledLanes>> {
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
    pub(super) fn chain(&self, first: u16) -> Option<Vec<u16>> {
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
}

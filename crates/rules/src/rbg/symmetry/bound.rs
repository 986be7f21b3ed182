//! A proof that no exploration is cut: what is cut depends on the order in which moves are found.

use std::collections::HashMap;

use super::super::compile::Compiled;
use super::super::limits;
use super::super::program::{END, Op, Program, Value};

struct Bound<'a> {
    compiled: &'a Compiled,
    cells: u64,
    /// Modifiers under way, each behind the one before.
    behind: usize,
    /// Words of a set.
    words: usize,
    /// Most steps behind each modifier; `None` while they are counted.
    known: HashMap<u16, Option<u64>>,
    /// The same for look-aheads.
    looks: HashMap<u16, u64>,
}

/// Whether the ways of a player and of look-aheads are so few that they are always found in full.
pub(in super::super) fn bounded(compiled: &Compiled, cells: usize, words: usize) -> bool {
    let mut bound =
        Bound { compiled, cells: cells as u64, behind: 0, words, known: HashMap::new(), looks: HashMap::new() };
    (0..compiled.after.len() as u16).all(|modifier| bound.behind(modifier).is_some_and(|n| n < limits::EXPLORATION))
}

impl Bound<'_> {
    fn behind(&mut self, modifier: u16) -> Option<u64> {
        if let Some(&known) = self.known.get(&modifier) {
            return known;
        }
        // A longer move than is allowed is not counted to its end, which would take as deep a recursion.
        if self.behind > limits::MOVE_LENGTH {
            return None;
        }
        self.known.insert(modifier, None);
        self.behind += 1;
        let steps = self.program(&self.compiled.after[usize::from(modifier)], 0)?;
        self.behind -= 1;
        self.known.insert(modifier, Some(steps));
        Some(steps)
    }

    fn look(&mut self, number: u16, depth: usize) -> Option<u64> {
        if let Some(&known) = self.looks.get(&number) {
            return Some(known);
        }
        let look = &self.compiled.looks[usize::from(number)];
        let forward = self.program(&look.forward, depth + 1)?;
        let backward = look.backward.as_ref().map_or(Some(0), |backward| self.program(&backward.0, depth + 1))?;
        let steps = forward.saturating_add(backward);
        self.looks.insert(number, steps);
        Some(steps)
    }

    fn program(&mut self, program: &Program, depth: usize) -> Option<u64> {
        if depth > limits::DEPTH {
            return None;
        }
        let loops = if program.ops.iter().any(|op| matches!(op, Op::Repeat { .. })) { self.cells } else { 1 };
        let mut steps = 0u64;
        for op in &program.ops {
            let (look, times) = match op {
                // What depends on no cell is asked once.
                Op::Look { look, .. } => {
                    (*look, if self.compiled.looks[usize::from(*look)].forward.uses_cell { self.cells } else { 1 })
                }
                Op::LookHere { look, .. } => (*look, 1),
                _ => continue,
            };
            let asked = self.look(look, depth)?;
            steps = steps.saturating_add(asked.saturating_mul(times).saturating_mul(loops));
        }
        for out in &program.outs {
            let cells = if out.here { 1 } else { self.most(program, out.cells) };
            let each =
                if out.is_switch || out.modifier == END { 1 } else { self.behind(out.modifier)?.saturating_add(1) };
            steps = steps.saturating_add(cells.saturating_mul(each));
        }
        Some(steps)
    }

    /// Most cells of a value.
    fn most(&self, program: &Program, value: Value) -> u64 {
        let count = |words: &[u64]| words.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
        let set = |set: u32| count(&self.compiled.sets[set as usize]);
        let table = |table: u32| self.compiled.tables[table as usize].chunks(self.words).map(count).max().unwrap_or(0);
        match value {
            Value::Empty => 0,
            Value::Const(place) => set(place),
            Value::Table(place) => table(place),
            Value::Register(register) => match program.ops.iter().find(|op| op.registers().0 == register) {
                Some(Op::OnConst { set: place, .. }) => set(*place),
                Some(Op::OnTable { table: place, .. }) => table(*place),
                Some(Op::LookHere { .. }) => 1,
                _ => self.cells,
            },
        }
    }
}

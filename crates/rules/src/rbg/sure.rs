//! Modifiers behind which nothing can fail, so that whoever applies one need not be able to take it back.

use super::automaton::Effect;
use super::compile::{Compiler, Result};
use super::geometry::has;
use super::program::{Op, Program, Value};

impl Compiler<'_> {
    /// For each modifier, whether it can always be applied and a switch always follows on every way behind it; and whether
    /// a switch always follows, whatever the modifier itself does.
    pub(super) fn sure(&mut self) -> Result<(Vec<bool>, Vec<bool>)> {
        let identity = self.identity()?;
        let mut total = Vec::new();
        for modifier in 0..self.compiled.after.len() {
            let program = self.compiled.after[modifier].clone();
            total.push(self.is_total(&program, identity) || self.always_decides(&program)?);
        }
        let effects: Vec<bool> = (0..total.len()).map(|modifier| self.always_applies(modifier)).collect();
        let mut sure = vec![false; total.len()];
        // From those whose programs lead to switches alone back to those before them.
        loop {
            let mut changed = false;
            for modifier in 0..total.len() {
                let outs = &self.compiled.after[modifier].outs;
                if !sure[modifier]
                    && effects[modifier]
                    && total[modifier]
                    && outs.iter().all(|out| out.is_switch || sure.get(usize::from(out.modifier)) == Some(&true))
                {
                    sure[modifier] = true;
                    changed = true;
                }
            }
            self.spend(total.len() as u64)?;
            if !changed {
                let goes_on = |modifier: usize| {
                    let mut outs = self.compiled.after[modifier].outs.iter();
                    total[modifier]
                        && outs.all(|out| out.is_switch || sure.get(usize::from(out.modifier)) == Some(&true))
                };
                let goes_on = (0..total.len()).map(goes_on).collect();
                return Ok((sure, goes_on));
            }
        }
    }

    /// Whether a modifier is no switch and never fails.
    fn always_applies(&self, modifier: usize) -> bool {
        match &self.automaton.modifiers[modifier].effect {
            Effect::Put(_) => true,
            Effect::Assign(variable, value) => match value.constant() {
                Some(value) => (0..=i64::from(self.bounds[usize::from(*variable)])).contains(&value),
                None => false,
            },
            Effect::Player(_) | Effect::Keeper => false,
        }
    }

    /// Whether a program finds a way on from every cell: by cells that depend on nothing, or by a look-ahead and its
    /// opposite.
    fn is_total(&self, program: &Program, identity: Value) -> bool {
        let words = self.geometry.words;
        let fixed = |bit: u16| {
            program.outs.iter().any(|out| match out.cells {
                Value::Const(set) => self.compiled.sets[set as usize].iter().any(|&word| word != 0),
                Value::Table(table) => {
                    let first = usize::from(bit) * words;
                    self.compiled.tables[table as usize][first..first + words].iter().any(|&word| word != 0)
                }
                Value::Empty | Value::Register(_) => false,
            })
        };
        self.geometry.bit.iter().all(|&bit| fixed(bit)) || self.covers(program, identity, 0)
    }

    /// Whether some modifier may follow wherever `value` has a cell.
    fn covers(&self, program: &Program, value: Value, depth: usize) -> bool {
        if program.outs.iter().any(|out| out.cells == value) {
            return true;
        }
        let identity = self.is_identity(value);
        let register = program.ops.iter().find_map(|&op| match (op, value) {
            (_, Value::Register(register)) => Some(register),
            (Op::Table { to, table }, Value::Table(other)) if table == other => Some(to),
            _ => None,
        });
        let Some(register) = register else { return false };
        let holds = program.ops.iter().filter_map(|&op| match op {
            Op::Look { to, from, .. } if from == register => Some(to),
            Op::LookHere { to, .. } if identity => Some(to),
            _ => None,
        });
        depth < 8
            && holds.into_iter().any(|holds| {
                let opposite = program.ops.iter().find_map(|&op| match op {
                    Op::AndNot { to, a, b } if (a, b) == (register, holds) => Some(to),
                    _ => None,
                });
                opposite.is_some_and(|opposite| {
                    self.covers(program, Value::Register(holds), depth + 1)
                        && self.covers(program, Value::Register(opposite), depth + 1)
                })
            })
    }

    fn is_identity(&self, value: Value) -> bool {
        let Value::Table(table) = value else { return false };
        let words = self.geometry.words;
        let rows = &self.compiled.tables[table as usize];
        self.geometry.bit.iter().all(|&bit| {
            let row = &rows[usize::from(bit) * words..(usize::from(bit) + 1) * words];
            has(row, bit.into()) && row.iter().map(|word| word.count_ones()).sum::<u32>() == 1
        })
    }
}

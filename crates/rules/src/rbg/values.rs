//! Sets, tables, walks and operations as the compiler collects them, each once.

use super::compile::{Compiler, Result, TooLarge};
use super::geometry::{Walk, composed, insert};
use super::limits;
use super::program::{Op, Register, Value};
use super::syntax::PieceMask;

impl Compiler<'_> {
    /// A register that holds a value.
    pub(super) fn register(&mut self, value: Value) -> Result<Register> {
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

    pub(super) fn fresh(&mut self) -> Result<Register> {
        let register = Register::try_from(self.program.registers).ok().filter(|&register| register < 30_000);
        let register = register.ok_or_else(|| TooLarge("a part of the rules without a modifier is too long".into()))?;
        self.program.registers += 1;
        Ok(register)
    }

    /// Adds an operation, unless its result is there already.
    pub(super) fn emit(&mut self, op: impl Fn(Register) -> Op) -> Result<Value> {
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

    pub(super) fn spend(&mut self, steps: u64) -> Result<()> {
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
    pub(super) fn identity(&mut self) -> Result<Value> {
        let words = self.geometry.words;
        let mut rows = vec![0; self.geometry.bits * words];
        for &bit in &self.geometry.bit {
            insert(&mut rows[usize::from(bit) * words..], bit.into());
        }
        self.table(rows)
    }

    pub(super) fn place(&mut self, set: Vec<u64>) -> u32 {
        let sets = &mut self.compiled.sets;
        *self.set_places.entry(set).or_insert_with_key(|set| {
            sets.push(set.clone());
            (sets.len() - 1) as u32
        })
    }

    pub(super) fn set(&mut self, set: Vec<u64>) -> Value {
        if set.iter().all(|&word| word == 0) { Value::Empty } else { Value::Const(self.place(set)) }
    }

    /// A table, or a set if all cells have the same row.
    pub(super) fn table(&mut self, rows: Vec<u64>) -> Result<Value> {
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

    pub(super) fn walk(&mut self, walk: Walk) -> u16 {
        self.intern((walk, false))
    }

    pub(super) fn intern(&mut self, walk: (Walk, bool)) -> u16 {
        let walks = &mut self.compiled.walks;
        *self.walk_places.entry(walk).or_insert_with_key(|walk| {
            walks.push(walk.clone());
            (walks.len() - 1) as u16
        })
    }

    /// The walk for operations of a program that goes this way.
    pub(super) fn directed(&mut self, walk: u16, back: bool) -> u16 {
        if back { self.intern((self.compiled.walks[usize::from(walk)].0.clone(), true)) } else { walk }
    }

    /// One walk after the other.
    pub(super) fn compose(&mut self, first: u16, second: u16) -> Result<u16> {
        self.spend(self.geometry.bits as u64)?;
        if self.compiled.walks.len() > 20_000 {
            return Err(TooLarge("the rules have too many different ways over the board".to_string()));
        }
        let walk = composed(&self.compiled.walks[usize::from(first)].0, &self.compiled.walks[usize::from(second)].0);
        Ok(self.walk(walk))
    }

    pub(super) fn mask(&mut self, mask: PieceMask) -> u16 {
        let masks = &mut self.compiled.masks;
        *self.mask_places.entry(mask).or_insert_with(|| {
            masks.push(mask);
            (masks.len() - 1) as u16
        })
    }
}

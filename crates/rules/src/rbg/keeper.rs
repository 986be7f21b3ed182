//! The keeper's ways as decisions: which modifier comes next where all depends on the current cell.
//!
//! Most of what the keeper does happens on one cell: pieces are put there, look-aheads are asked there, and the answers
//! say what comes next. Such parts need no sets of cells.

use super::compile::{Compiler, Result};
use super::engine::{Code, First, Scratch, split};
use super::geometry::{has, insert};
use super::program::{Op, Program, Register, Value};
use super::sets::Set;
use super::store::Store;

/// A step of the keeper on the current cell; numbers of steps follow after conditions.
#[derive(Clone, Copy, Debug)]
pub enum KeeperStep {
    /// The next switch.
    Switch(u16),
    /// There is no way on.
    End,
    Apply {
        modifier: u16,
        then: u32,
    },
    If {
        condition: Condition,
        yes: u32,
        no: u32,
    },
    /// The program after a modifier has to be run.
    Run(u16),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// A look-ahead holds.
    Look(u16),
    /// There is a piece of a mask.
    On(u16),
    /// A comparison holds.
    Comparison(u16),
    /// The cell is one of a set.
    In(u32),
}

/// What is known of a register before the program is run.
enum Known {
    Empty,
    Here,
    Open(Condition),
}

/// Steps for one modifier.
const MOST: usize = 40;

/// Registers looked at for one step.
const QUESTIONS: u32 = 500;

impl Compiler<'_> {
    /// Steps, and the first one after each modifier.
    pub(super) fn keeper_steps(&mut self) -> Result<(Vec<KeeperStep>, Vec<u32>)> {
        let count = self.compiled.after.len();
        let mut steps: Vec<KeeperStep> = (0..count).map(|modifier| KeeperStep::Run(modifier as u16)).collect();
        let mut first: Vec<u32> = (0..count as u32).collect();
        for (modifier, first) in first.iter_mut().enumerate() {
            let before = steps.len();
            let program = self.compiled.after[modifier].clone();
            let outs = program.outs.iter().all(|out| out.is_switch || self.goes_on(out.modifier));
            if !outs {
                continue;
            }
            match self.decisions(&program, &mut Vec::new(), &mut steps, before)? {
                Some(step) => *first = step,
                None => steps.truncate(before),
            }
        }
        // Modifiers lead on to the steps after them, whatever these are.
        for step in &mut steps {
            if let KeeperStep::Apply { modifier, then } = step {
                *then = first[usize::from(*modifier)];
            }
        }
        Ok((steps, first))
    }

    /// Whether a program depends on the current cell alone and finds a way on whatever is there.
    pub(super) fn always_decides(&mut self, program: &Program) -> Result<bool> {
        let mut steps = Vec::new();
        let decided = self.decisions(program, &mut Vec::new(), &mut steps, 0)?;
        Ok(decided.is_some() && !steps.iter().any(|step| matches!(step, KeeperStep::End)))
    }

    fn goes_on(&self, modifier: u16) -> bool {
        self.compiled.sure.get(usize::from(modifier)) == Some(&true)
    }

    /// The step at which a program is decided when `answers` are known; `None` if it takes more than the current cell.
    fn decisions(
        &mut self,
        program: &Program,
        answers: &mut Vec<(Condition, bool)>,
        steps: &mut Vec<KeeperStep>,
        before: usize,
    ) -> Result<Option<u32>> {
        self.spend(program.ops.len() as u64 + 1)?;
        if steps.len() > before + MOST {
            return Ok(None);
        }
        self.questions = QUESTIONS;
        let mut step = KeeperStep::End;
        for out in &program.outs {
            match self.known(program, out.cells, answers)? {
                None => return Ok(None),
                Some(Known::Empty) => {}
                Some(Known::Here) if out.is_switch => {
                    step = KeeperStep::Switch(out.modifier);
                    break;
                }
                Some(Known::Here) => {
                    step = KeeperStep::Apply { modifier: out.modifier, then: 0 };
                    break;
                }
                Some(Known::Open(condition)) => {
                    answers.push((condition, true));
                    let yes = self.decisions(program, answers, steps, before)?;
                    answers.pop();
                    answers.push((condition, false));
                    let no = self.decisions(program, answers, steps, before)?;
                    answers.pop();
                    let (Some(yes), Some(no)) = (yes, no) else { return Ok(None) };
                    step = KeeperStep::If { condition, yes, no };
                    break;
                }
            }
        }
        steps.push(step);
        Ok(Some(steps.len() as u32 - 1))
    }

    fn known(&mut self, program: &Program, value: Value, answers: &[(Condition, bool)]) -> Result<Option<Known>> {
        let Some(left) = self.questions.checked_sub(1) else { return Ok(None) };
        self.questions = left;
        let open = |condition: Condition| match answers.iter().find(|answer| answer.0 == condition) {
            Some((_, true)) => Known::Here,
            Some((_, false)) => Known::Empty,
            None => Known::Open(condition),
        };
        let register = match value {
            Value::Empty => return Ok(Some(Known::Empty)),
            Value::Const(_) => return Ok(None),
            Value::Table(table) => return Ok(self.rows_here(table).map(|set| set.map_or(Known::Here, open))),
            Value::Register(register) => register,
        };
        let Some(&op) = program.ops.iter().find(|op| op.registers().0 == register) else { return Ok(None) };
        let mut of = |register: Register| self.known(program, Value::Register(register), answers);
        Ok(match op {
            Op::Table { table, .. } => self.rows_here(table).map(|set| set.map_or(Known::Here, open)),
            Op::OnTable { table, mask, .. } => match self.rows_here(table) {
                Some(None) => Some(open(Condition::On(mask))),
                _ => None,
            },
            Op::LookHere { look, .. } => {
                Some(self.known_look(look, answers)?.unwrap_or_else(|| open(Condition::Look(look))))
            }
            Op::Look { from, look, .. } => match of(from)? {
                Some(Known::Here) => {
                    Some(self.known_look(look, answers)?.unwrap_or_else(|| open(Condition::Look(look))))
                }
                from => from,
            },
            Op::On { from, mask, .. } => of(from)?.map(|from| from.and(|| open(Condition::On(mask)))),
            Op::If { from, comparison, .. } => {
                of(from)?.map(|from| from.and(|| open(Condition::Comparison(comparison))))
            }
            Op::AndNot { a, b, .. } => match (of(a)?, of(b)?) {
                (Some(Known::Here), Some(b)) => Some(match b {
                    Known::Empty => Known::Here,
                    Known::Here => Known::Empty,
                    open => open,
                }),
                (Some(a), Some(_)) => Some(a),
                _ => None,
            },
            Op::Or { a, b, .. } => match (of(a)?, of(b)?) {
                (Some(Known::Empty), Some(b)) => Some(b),
                (Some(a), Some(_)) => Some(a),
                _ => None,
            },
            _ => None,
        })
    }

    /// A look-ahead that asks for nothing but other look-aheads and the like on its own cell, and for which there is no
    /// tree of tests.
    fn known_look(&mut self, look: u16, answers: &[(Condition, bool)]) -> Result<Option<Known>> {
        let look = &self.compiled.looks[usize::from(look)];
        if look.patterns.as_ref().is_some_and(|patterns| patterns.complete) || look.backward.is_none() {
            return Ok(None);
        }
        let program = look.forward.clone();
        self.spend(program.ops.len() as u64 + 1)?;
        match program.outs[..] {
            [] => Ok(Some(Known::Empty)),
            [out] => self.known(&program, out.cells, answers),
            _ => Ok(None),
        }
    }

    /// A table whose rows are the cell itself or nothing: the set of cells with themselves, as the place of a set, or
    /// `None` for all cells. No answer for other tables.
    fn rows_here(&mut self, table: u32) -> Option<Option<Condition>> {
        if let Some(&known) = self.tables_here.get(&table) {
            return known;
        }
        let here = self.find_rows_here(table);
        self.tables_here.insert(table, here);
        here
    }

    fn find_rows_here(&mut self, table: u32) -> Option<Option<Condition>> {
        let words = self.geometry.words;
        let rows = &self.compiled.tables[table as usize];
        let mut cells = vec![0u64; words];
        for &bit in &self.geometry.bit {
            let row = &rows[usize::from(bit) * words..(usize::from(bit) + 1) * words];
            let there = has(row, bit.into());
            if row.iter().map(|word| word.count_ones()).sum::<u32>() != u32::from(there) {
                return None;
            }
            if there {
                insert(&mut cells, bit.into());
            }
        }
        Some((cells != self.all).then(|| Condition::In(self.place(cells))))
    }
}

impl Known {
    /// What follows if the cell is still there.
    fn and(self, next: impl FnOnce() -> Known) -> Known {
        match self {
            Self::Here => next(),
            other => other,
        }
    }
}

impl<S: Set> Code<S> {
    /// The first way of the keeper from behind a switch to the next one, whose changes are made.
    #[inline]
    pub(super) fn first_way<B: Store<S>>(
        &self,
        switch: u16,
        bit: usize,
        store: &mut B,
        scratch: &mut Scratch<S>,
        registers: &mut [S],
    ) -> Option<(u16, usize)> {
        let (mut at, mut cell) = (self.first_steps[usize::from(switch)], bit);
        loop {
            match self.keeper[at as usize] {
                KeeperStep::Switch(switch) => return Some((switch, cell)),
                KeeperStep::End => return None,
                KeeperStep::Apply { modifier, then } => {
                    self.apply(modifier, cell, store);
                    scratch.renew();
                    at = then;
                }
                KeeperStep::If { condition, yes, no } => {
                    let holds = match condition {
                        Condition::Look(look) => self.looks_here(look, cell, store, scratch, registers),
                        Condition::On(mask) => self.on(mask, store).has(cell),
                        Condition::Comparison(comparison) => self.holds(comparison, store),
                        Condition::In(set) => self.sets[set as usize].has(cell),
                    };
                    at = if holds { yes } else { no };
                }
                KeeperStep::Run(modifier) => {
                    let program = &self.after[usize::from(modifier)];
                    let mut more = Vec::new();
                    let (mine, above) = split(registers, program.registers, &mut more);
                    self.run(program, cell, store, scratch, mine, above);
                    let mut ways = program.outs.iter().map(|out| (out, self.cells(out.cells, cell, mine)));
                    let (out, cells) = ways.find(|(_, cells)| !cells.is_empty())?;
                    if out.is_switch {
                        return Some((out.modifier, cells.first()));
                    }
                    if !self.sure[usize::from(out.modifier)] {
                        // What is done may have to be undone; nothing has been done where this may happen.
                        let mut first = First::default();
                        self.explore::<B, _, true>(program, cell, store, scratch, registers, 0, &mut first);
                        return first.found;
                    }
                    cell = cells.first();
                    self.apply(out.modifier, cell, store);
                    scratch.renew();
                    at = self.first_steps[usize::from(out.modifier)];
                }
            }
        }
    }
}

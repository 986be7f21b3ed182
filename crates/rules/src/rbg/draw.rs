//! Random moves of a position.

use plyproof_core::Rng;

use super::engine::{Code, Scratch, split};
use super::program::{Out, Program};
use super::sets::Set;
use super::sinks::Draw;
use super::store::Store;

impl<S: Set> Code<S> {
    /// A random move, as `draw.drawn`; no modifiers if there is none.
    #[inline]
    pub(super) fn draw_move<B: Store<S>>(
        &self,
        last: u16,
        cell: usize,
        store: &mut B,
        scratch: &mut Scratch<S>,
        registers: &mut [S],
        draw: &mut Draw<S>,
    ) {
        let program = &self.after[usize::from(last)];
        if program.switches_alone {
            // Nothing changes on the way to the switch.
            draw.drawn.length = 0;
            if let Some((switch, bit)) = self.draw_switch(program, cell, store, scratch, registers, draw.rng) {
                draw.drawn.push(switch, bit);
            }
        } else {
            draw.clear();
            self.explore::<B, _, false>(program, cell, store, scratch, registers, 0, draw);
            draw.finish(self);
        }
    }

    /// A random one of the switches that a program with nothing but switches finds.
    #[inline]
    pub(super) fn draw_switch<B: Store<S>>(
        &self,
        program: &Program,
        cell: usize,
        store: &mut B,
        scratch: &mut Scratch<S>,
        registers: &mut [S],
        rng: &mut Rng,
    ) -> Option<(u16, usize)> {
        let mut more = Vec::new();
        let (mine, above) = split(registers, program.registers, &mut more);
        self.run(program, cell, store, scratch, mine, above);
        let count = |out: &Out| self.cells(out.cells, cell, mine).count();
        let total = program.outs.iter().map(count).sum::<u32>();
        if total == 0 {
            return None;
        }
        let mut place = rng.below(total as usize) as u32;
        for out in &program.outs {
            let cells = self.cells(out.cells, cell, mine);
            // The last one needs no count.
            let count = if program.outs.len() == 1 { total } else { cells.count() };
            if place < count {
                return Some((out.modifier, cells.nth(place)));
            }
            place -= count;
        }
        None
    }
}

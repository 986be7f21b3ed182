//! What the leaves of an exploration become: lists of moves, a move drawn by chance, a move found again.

use plyproof_core::{Rng, mix64};

use super::engine::{Code, Sink};
use super::lanes::CompiledLane;
use super::limits;
use super::program::{Out, Program};
use super::sets::{Set, bits};

/// A move: which modifier comes next and on which cell, from one modifier to the next, packed into bits. Longer moves are
/// a hash of these, with the highest bit set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(pub(super) u64);

pub(super) const HASHED: u64 = 1 << 63;

/// Modifiers on the way to a leaf.
#[derive(Clone, Copy)]
pub(super) struct Trail {
    pub(super) steps: [(u16, u16); limits::MOVE_LENGTH + 1],
    pub(super) length: usize,
}

impl Trail {
    pub(super) const EMPTY: Self = Self { steps: [(0, 0); limits::MOVE_LENGTH + 1], length: 0 };

    #[inline(always)]
    pub(super) fn push(&mut self, modifier: u16, bit: usize) {
        self.steps[self.length] = (modifier, bit as u16);
        self.length += 1;
    }

    /// A whole move from a cell.
    pub(super) fn extend(&mut self, modifier: u16, bit: usize, lane: &CompiledLane) {
        self.push(modifier, bit);
        let target = (bit as i32 + lane.by) as usize;
        lane.modifiers.iter().for_each(|&modifier| self.push(modifier, target));
    }

    pub(super) fn steps(&self) -> &[(u16, u16)] {
        &self.steps[..self.length]
    }
}

/// All moves.
pub(super) struct List<'a, S> {
    pub(super) code: &'a Code<S>,
    pub(super) first: &'a Program,
    pub(super) trail: Trail,
    pub(super) moves: &'a mut Vec<Move>,
}

impl<S: Set> Sink<S> for List<'_, S> {
    fn push(&mut self, modifier: u16, bit: usize) {
        self.trail.push(modifier, bit);
    }

    fn pop(&mut self) {
        self.trail.length -= 1;
    }

    fn leaf(&mut self, program: &Program, choice: usize, out: &Out, cells: S) -> bool {
        let prefix = self.code.packed(self.first, self.trail.steps());
        for bit in bits(cells) {
            let packed = prefix.and_then(|prefix| self.code.more(prefix, program, choice, out, bit));
            self.moves.push(match packed {
                Some((packed, _)) => Move(packed),
                None => {
                    let mut all = self.trail;
                    all.push(out.modifier, bit);
                    Move(hashed(all.steps()))
                }
            });
        }
        false
    }

    fn lane(&mut self, modifier: u16, _: usize, lane: &CompiledLane, cells: S) -> bool {
        for bit in bits(cells) {
            let mut all = self.trail;
            all.extend(modifier, bit, lane);
            let packed = self.code.packed(self.first, all.steps());
            self.moves.push(Move(packed.map_or_else(|| hashed(all.steps()), |packed| packed.0)));
        }
        false
    }
}

/// A leaf drawn by chance: every one with the same probability, in one pass.
///
/// Leaves that differ in their last modifiers alone wait in a group until the trail changes; one random number then says
/// whether the move is one of the group, and which one.
pub(super) struct Draw<'a, S> {
    pub(super) rng: &'a mut Rng,
    pub(super) trail: Trail,
    pub(super) total: u64,
    /// What came before the last modifiers of the move drawn.
    pub(super) drawn: Trail,
    /// The cells of the leaves among which is the move drawn, and its place there.
    leaf: Leaf<S>,
    place: u32,
    group: [Leaf<S>; GROUP],
    waiting: usize,
    /// Leaves that wait.
    count: u64,
}

const GROUP: usize = 16;

/// The same modifiers at some cells.
#[derive(Clone, Copy)]
struct Leaf<S> {
    modifier: u16,
    /// The number of a lane of the modifier, or [`NO_LANE`] if it is a switch.
    lane: u16,
    cells: S,
    count: u32,
}

const NO_LANE: u16 = u16::MAX;

impl<'a, S: Set> Draw<'a, S> {
    pub(super) fn new(rng: &'a mut Rng) -> Self {
        let leaf = Leaf { modifier: 0, lane: NO_LANE, cells: S::EMPTY, count: 0 };
        Self {
            rng,
            trail: Trail::EMPTY,
            total: 0,
            drawn: Trail::EMPTY,
            leaf,
            place: 0,
            group: [leaf; GROUP],
            waiting: 0,
            count: 0,
        }
    }

    /// Ready for another position.
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        (self.total, self.trail.length, self.waiting, self.count) = (0, 0, 0, 0);
    }

    /// The whole move, drawn from the leaves; nothing if there are none.
    #[inline(always)]
    pub(super) fn finish(&mut self, code: &Code<S>) -> &[(u16, u16)] {
        self.decide();
        self.drawn.length = if self.total == 0 { 0 } else { self.drawn.length };
        if self.total > 0 {
            let Leaf { modifier, lane, cells, .. } = self.leaf;
            let bit = cells.nth(self.place);
            match code.lane(modifier, lane.into()) {
                Some(lane) if self.leaf.lane != NO_LANE => self.drawn.extend(modifier, bit, lane),
                _ => self.drawn.push(modifier, bit),
            }
        }
        self.drawn.steps()
    }

    #[inline(always)]
    fn offer(&mut self, modifier: u16, cells: S, lane: u16) {
        if self.waiting == GROUP {
            self.decide();
        }
        let count = cells.count();
        self.count += u64::from(count);
        self.group[self.waiting] = Leaf { modifier, lane, cells, count };
        self.waiting += 1;
    }

    /// Whether the move is one of the group.
    #[inline(always)]
    fn decide(&mut self) {
        if self.waiting == 0 {
            return;
        }
        self.total += self.count;
        let place = if self.total == 1 { 0 } else { self.rng.below(self.total as usize) as u64 };
        if place < self.count {
            let mut place = place as u32;
            let mut leaf = &self.group[0];
            for next in &self.group[1..self.waiting] {
                if place < leaf.count {
                    break;
                }
                place -= leaf.count;
                leaf = next;
            }
            (self.leaf, self.place) = (*leaf, place);
            self.drawn.length = self.trail.length;
            for step in 0..self.trail.length {
                self.drawn.steps[step] = self.trail.steps[step];
            }
        }
        (self.waiting, self.count) = (0, 0);
    }
}

impl<S: Set> Sink<S> for Draw<'_, S> {
    #[inline(always)]
    fn push(&mut self, modifier: u16, bit: usize) {
        self.decide();
        self.trail.push(modifier, bit);
    }

    #[inline(always)]
    fn pop(&mut self) {
        self.decide();
        self.trail.length -= 1;
    }

    #[inline(always)]
    fn leaf(&mut self, _: &Program, _: usize, out: &Out, cells: S) -> bool {
        self.offer(out.modifier, cells, NO_LANE);
        false
    }

    #[inline(always)]
    fn lane(&mut self, modifier: u16, number: usize, _: &CompiledLane, cells: S) -> bool {
        self.offer(modifier, cells, number as u16);
        false
    }
}

/// The move with a hash.
pub(super) struct Find {
    pub(super) hash: u64,
    pub(super) trail: Trail,
}

impl<S: Set> Sink<S> for Find {
    fn push(&mut self, modifier: u16, bit: usize) {
        self.trail.push(modifier, bit);
    }

    fn pop(&mut self) {
        self.trail.length -= 1;
    }

    fn leaf(&mut self, _: &Program, _: usize, out: &Out, cells: S) -> bool {
        for bit in bits(cells) {
            self.trail.push(out.modifier, bit);
            if hashed(self.trail.steps()) == self.hash {
                return true;
            }
            self.trail.length -= 1;
        }
        false
    }

    fn lane(&mut self, modifier: u16, _: usize, lane: &CompiledLane, cells: S) -> bool {
        let length = self.trail.length;
        for bit in bits(cells) {
            self.trail.extend(modifier, bit, lane);
            if hashed(self.trail.steps()) == self.hash {
                return true;
            }
            self.trail.length = length;
        }
        false
    }
}

pub(super) fn hashed(steps: &[(u16, u16)]) -> u64 {
    steps.iter().fold(0, |hash, &(modifier, bit)| mix64(hash ^ u64::from(modifier) << 16 ^ u64::from(bit))) | HASHED
}

/// Bits in use and how many.
pub(super) type Packed = (u64, u32);

impl<S: Set> Code<S> {
    /// One more modifier; `None` if there is no room.
    pub(super) fn more(
        &self,
        (packed, used): Packed,
        program: &Program,
        choice: usize,
        out: &Out,
        bit: usize,
    ) -> Option<Packed> {
        let cell_bits = if out.here { 0 } else { self.cell_bits };
        if used + program.choice_bits + cell_bits > 63 {
            return None;
        }
        let packed = packed | (choice as u64) << used;
        let used = used + program.choice_bits;
        Some(if out.here { (packed, used) } else { (packed | (bit as u64) << used, used + cell_bits) })
    }

    /// The move with these modifiers after the switch `last`.
    pub(super) fn move_of(&self, last: u16, steps: &[(u16, u16)]) -> Move {
        let packed = self.packed(&self.after[usize::from(last)], steps);
        Move(packed.map_or_else(|| hashed(steps), |packed| packed.0))
    }

    pub(super) fn packed(&self, first: &Program, steps: &[(u16, u16)]) -> Option<Packed> {
        let (mut packed, mut program) = ((0, 0), first);
        for &(modifier, bit) in steps {
            let choice = program.outs.iter().position(|out| out.modifier == modifier)?;
            packed = self.more(packed, program, choice, &program.outs[choice], bit.into())?;
            program = &self.after[usize::from(modifier)];
        }
        Some(packed)
    }
}

//! Whole moves from many cells at once, and look-aheads at many cells at once, by displaced boards.
//!
//! Where a piece is put on a cell and the rest of the move only asks for pieces at fixed displacements from that cell, one
//! operation tells for all cells whether the move is there. The piece just put matters only for tests of its own cell,
//! which are decided beforehand.

use super::automaton::Effect;
use super::engine::{Code, MaskCode, Scratch, Sink, split};
use super::paths::TreeTest;
use super::sets::{Set, bits};
use super::store::Store;

pub(super) struct CompiledTree {
    pub tests: Vec<TreeTest>,
    pub at_root: Vec<(usize, u32)>,
    pub complete: bool,
}

/// A kind of move from any cell: its modifiers at one displacement, with look-aheads at the first cell.
#[derive(Clone, Debug)]
pub struct CompiledLane {
    pub modifiers: Vec<u16>,
    pub by: i32,
    pub looks: Vec<(u16, bool)>,
}

pub(super) struct CompiledLanes {
    pub lanes: Vec<CompiledLane>,
    pub tree: CompiledTree,
    /// Where this look-ahead answers so, the lanes do not tell.
    pub rest: Option<(u16, bool)>,
}

pub struct TestCode<S> {
    pub depth: usize,
    pub by: i32,
    pub mask: u16,
    pub skip: usize,
    pub ends: Vec<(usize, S)>,
}

pub struct TreeCode<S> {
    pub tests: Vec<TestCode<S>>,
    pub at_root: Vec<(usize, S)>,
    pub complete: bool,
}

pub struct LanesCode<S> {
    pub lanes: Vec<CompiledLane>,
    pub tree: TreeCode<S>,
    /// Cells where this look-ahead answers so have to be asked one by one.
    pub rest: Option<(u16, bool)>,
    /// Modifiers of the longest lane.
    pub longest: usize,
    pub looks: bool,
}

impl<S> LanesCode<S> {
    /// Whether this is faster than cell by cell.
    #[inline(always)]
    pub fn pays(&self, cells: u32) -> bool {
        self.looks || self.tree.tests.len() <= 6 * cells as usize
    }
}

/// As [`split`], with room for a climb behind it.
fn split_with_room<'a, S: Set>(
    registers: &'a mut [S],
    count: usize,
    more: &'a mut Vec<S>,
) -> (&'a mut [S], &'a mut [S]) {
    if registers.len() < count + 40 { split(&mut [], count, more) } else { split(registers, count, more) }
}

impl<S: Set> Code<S> {
    pub(super) fn lane(&self, modifier: u16, number: usize) -> Option<&CompiledLane> {
        self.lanes[usize::from(modifier)].as_ref()?.lanes.get(number)
    }

    /// Goes through a tree of tests from all of `from` at once; `end` gets leaves and the cells that came there.
    ///
    /// Sets of cells on the way are kept in `registers`, of which there must be 40. `put` is a piece that is on every first cell.
    pub(super) fn climb<B: Store<S>>(
        &self,
        tree: &TreeCode<S>,
        from: S,
        put: Option<u8>,
        store: &B,
        registers: &mut [S],
        mut end: impl FnMut(usize, S),
    ) {
        for &(leaf, domain) in &tree.at_root {
            end(leaf, from.and(domain));
        }
        registers[0] = from;
        let mut place = 0;
        while let Some(test) = tree.tests.get(place) {
            let cells = registers[test.depth];
            let passed = match (test.by, put) {
                (0, Some(piece)) if self.allows(test.mask, piece) => cells,
                (0, Some(_)) => S::EMPTY,
                (by, _) => cells.and(self.on(test.mask, store).shifted(-by)),
            };
            if passed.is_empty() {
                place = test.skip;
                continue;
            }
            for &(leaf, domain) in &test.ends {
                end(leaf, passed.and(domain));
            }
            registers[test.depth + 1] = passed;
            place += 1;
        }
    }

    pub(super) fn allows(&self, mask: u16, piece: u8) -> bool {
        let MaskCode { first, more, none } = &self.masks[usize::from(mask)];
        (*first == piece || more.contains(&piece)) != *none
    }

    /// Hands all moves that begin with a modifier at some cells to the sink; whether it had enough.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn all_lanes<B: Store<S>, K: Sink<S>>(
        &self,
        lanes: &LanesCode<S>,
        modifier: u16,
        from: S,
        store: &mut B,
        scratch: &mut Scratch<S>,
        registers: &mut [S],
        depth: usize,
        sink: &mut K,
    ) -> bool {
        let mut more = Vec::new();
        let (sums, above) = split_with_room(registers, lanes.lanes.len(), &mut more);
        sums.fill(S::EMPTY);
        let put = match self.effects[usize::from(modifier)] {
            Effect::Put(piece) => Some(piece),
            _ => None,
        };
        self.climb(&lanes.tree, from, put, store, above, |leaf, cells| sums[leaf] = sums[leaf].or(cells));
        // The look-aheads of all lanes are mostly one and its opposite.
        let mut known: Option<(u16, S)> = None;
        for (number, lane) in lanes.lanes.iter().enumerate() {
            let mut cells = sums[number];
            for &(look, negated) in &lane.looks {
                if cells.is_empty() {
                    break;
                }
                let holds = match known {
                    Some((known, holds)) if known == look => holds,
                    _ => self.look_after(look, modifier, from, put, store, scratch, above),
                };
                known = Some((look, holds));
                cells = if negated { cells.and_not(holds) } else { cells.and(holds) };
            }
            if !cells.is_empty() {
                scratch.steps += u64::from(cells.count());
                if sink.lane(modifier, number, lane, cells) {
                    return true;
                }
            }
        }
        let Some((look, negated)) = lanes.rest else { return false };
        let holds = match known {
            Some((known, holds)) if known == look => holds,
            _ => self.look_after(look, modifier, from, put, store, scratch, above),
        };
        let rest = if negated { from.and_not(holds) } else { from.and(holds) };
        bits(rest).any(|bit| self.descend::<B, K, false>(modifier, bit, store, scratch, above, depth, sink))
    }

    /// The cells of `from` at which a look-ahead holds after `modifier` was applied there.
    #[allow(clippy::too_many_arguments)]
    fn look_after<B: Store<S>>(
        &self,
        look: u16,
        modifier: u16,
        from: S,
        put: Option<u8>,
        store: &mut B,
        scratch: &mut Scratch<S>,
        registers: &mut [S],
    ) -> S {
        let code = &self.looks[usize::from(look)];
        let (mut holds, mut open) = (S::EMPTY, from);
        if let Some(tree) = &code.tree {
            let mut more = Vec::new();
            let (mine, _) = split(registers, 40, &mut more);
            self.climb(tree, from, put, store, mine, |_, cells| holds = holds.or(cells));
            open = if tree.complete { S::EMPTY } else { from.and_not(holds) };
        }
        for bit in bits(open) {
            let before = scratch.version;
            let Some(undo) = self.apply(modifier, bit, store) else { continue };
            scratch.renew();
            scratch.steps += 1;
            if !self.look(look, S::single(bit), store, scratch, registers).is_empty() {
                holds = holds.or(S::single(bit));
            }
            self.undo(undo, store);
            scratch.version = before;
        }
        holds
    }
}

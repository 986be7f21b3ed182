//! Symmetries of a game, found in its rules and proven: maps of the board under which the rules say the same.
//!
//! A map of the cells onto each other takes positions to positions. It is a symmetry if the rules, with every shift
//! replaced by its image, are the rules again but for the order of what has no order. That is shown in three steps:
//!
//! 1. [`boards`] lists the maps that take the steps in each direction to the steps in some direction, and the first
//!    position to itself.
//! 2. [`flow`] finds where the keeper has a choice. It takes the *first* way in the order of the rules and of the cells,
//!    so that a symmetry has to keep these orders.
//! 3. [`plan`] has the rules in a form in which everything without an order is sorted, and compares them with their image.
//!
//! What cannot be shown is taken for false. Solvers rest on these maps; certificates do not, because the verifier knows
//! only the rules.

mod boards;
mod bound;
mod cubes;
mod flow;
mod plan;
mod relation;

use super::board::Board;
use super::geometry::{NONE, insert};
use super::sets::{Set, bits};
use super::syntax::{Node, PieceMask};

pub(super) use bound::bounded;

/// Work for one game, in about as many nanoseconds.
const BUDGET: u64 = 80_000_000;

/// Boards with more cells are not looked at.
const CELLS: usize = 400;

/// More symmetries are not looked at.
const MOST: usize = 64;

/// The rules and what is known of them.
pub(super) struct Subject<'a> {
    pub rules: &'a Node,
    pub board: &'a Board,
    pub bit_of_cell: &'a [u16],
    pub all_pieces: PieceMask,
    /// The number of the modifier for each number in moves, which count from 1.
    pub modifiers: &'a [u16],
    /// For each modifier, whether the current cell matters after it.
    pub uses_cell: &'a [bool],
    /// For each modifier, which variables matter after it.
    pub live: &'a [Vec<bool>],
    /// The pieces of the first position in which a player chooses, its last switch, and its current cell.
    pub pieces: &'a [u8],
    pub last: u16,
    pub cell: u16,
}

/// A symmetry: where each cell and each modifier goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Turn {
    pub cells: Vec<u16>,
    pub modifiers: Vec<u16>,
}

/// The symmetries but for the identity; together with it, they are a group.
pub(super) fn turns(subject: &Subject) -> Vec<Turn> {
    let mut budget = BUDGET;
    found(subject, &mut budget).unwrap_or_default()
}

fn found(subject: &Subject, budget: &mut u64) -> Option<Vec<Turn>> {
    if subject.board.cells.len() > CELLS {
        return None;
    }
    let maps = boards::maps(subject.board, subject.pieces, budget)?;
    if maps.len() < 2 {
        return None;
    }
    let choices = flow::choices(subject, budget)?;
    let mut plan = plan::Plan::new(subject, &choices, budget)?;
    let mut turns = Vec::new();
    for cells in maps {
        if !choices.keeps_orders(&cells, subject.bit_of_cell) {
            continue;
        }
        let Some(indices) = plan.image(&cells, budget)? else { continue };
        let mut modifiers: Vec<u16> = (0..subject.uses_cell.len() as u16).collect();
        for (&from, &to) in subject.modifiers.iter().zip(&indices) {
            modifiers[usize::from(from)] = subject.modifiers[to];
        }
        let to = |modifier: usize| usize::from(modifiers[modifier]);
        let same = |modifier: usize| {
            subject.uses_cell[modifier] == subject.uses_cell[to(modifier)]
                && subject.live[modifier] == subject.live[to(modifier)]
        };
        let last = usize::from(subject.last);
        let stays = to(last) == last && (!subject.uses_cell[last] || cells[usize::from(subject.cell)] == subject.cell);
        if stays && (0..modifiers.len()).all(same) {
            turns.push(Turn { cells, modifiers });
        }
    }
    let product = |a: &Turn, b: &Turn| {
        let after = |first: &[u16], then: &[u16]| first.iter().map(|&to| then[usize::from(to)]).collect::<Vec<_>>();
        Turn { cells: after(&a.cells, &b.cells), modifiers: after(&a.modifiers, &b.modifiers) }
    };
    let size = turns.first().map_or(0, |turn: &Turn| turn.cells.len() + turn.modifiers.len());
    spend(budget, turns.len() * turns.len() * size)?;
    let group = turns.iter().all(|a| turns.iter().all(|b| turns.contains(&product(a, b))));
    turns.retain(|turn| turn.cells.iter().enumerate().any(|(cell, &to)| usize::from(to) != cell));
    group.then_some(turns)
}

/// Takes some work from the budget; `None` if there is no more.
fn spend(budget: &mut u64, work: usize) -> Option<()> {
    *budget = budget.checked_sub(work as u64)?;
    Some(())
}

/// A symmetry by bits.
pub(super) struct Symmetry<S> {
    pub bits: Vec<u16>,
    pub modifiers: Vec<u16>,
    /// For each byte of a set and each of its values the image, if sets are small.
    table: Vec<S>,
}

impl<S: Set> Symmetry<S> {
    /// Whether images of sets take little time.
    pub const QUICK: bool = S::WORDS <= 2;

    pub fn new(turn: &Turn, bit_of_cell: &[u16], count: usize) -> Self {
        let mut to = vec![NONE; count];
        for (cell, &target) in turn.cells.iter().enumerate() {
            to[usize::from(bit_of_cell[cell])] = bit_of_cell[usize::from(target)];
        }
        let mut table = Vec::new();
        if Self::QUICK {
            for byte in 0..count.div_ceil(8) {
                for value in 0..256usize {
                    let mut words = vec![0; S::WORDS];
                    let members = (0..8).filter(|bit| value >> bit & 1 != 0).filter_map(|bit| to.get(byte * 8 + bit));
                    members.filter(|&&to| to != NONE).for_each(|&to| insert(&mut words, to.into()));
                    table.push(S::from_words(&words));
                }
            }
        }
        Self { bits: to, modifiers: turn.modifiers.clone(), table }
    }

    /// The image of a set.
    #[inline]
    pub fn image(&self, set: S) -> S {
        if Self::QUICK {
            let byte = |byte: usize| (set.word(byte / 8) >> (byte % 8 * 8)) as usize & 255;
            return self.table.chunks_exact(256).enumerate().fold(S::EMPTY, |all, (n, row)| all.or(row[byte(n)]));
        }
        let mut image = S::EMPTY;
        bits(set).for_each(|bit| image.insert(self.bits[bit].into()));
        image
    }
}

//! Maps of a board onto itself that take the steps of each direction to the steps of one direction.

use super::super::board::Board;
use super::{MOST, spend};

const OPEN: u16 = u16::MAX;

struct Search<'a> {
    board: &'a Board,
    pieces: &'a [u8],
    /// Directions in which there is a step somewhere. The others go nowhere, whatever they are called.
    used: Vec<bool>,
    budget: &'a mut u64,
    found: Vec<Vec<u16>>,
}

/// A map under way.
#[derive(Clone)]
struct Partial {
    cells: Vec<u16>,
    taken: Vec<bool>,
    directions: Vec<Option<u8>>,
}

/// All such maps that keep the pieces, the identity among them; `None` if that takes too long.
pub(super) fn maps(board: &Board, pieces: &[u8], budget: &mut u64) -> Option<Vec<Vec<u16>>> {
    let (cells, directions) = (board.cells.len(), board.directions.len());
    let used = (0..directions).map(|d| board.cells.iter().any(|cell| cell.neighbours[d].is_some())).collect();
    let mut search = Search { board, pieces, used, budget, found: Vec::new() };
    let partial = Partial { cells: vec![OPEN; cells], taken: vec![false; cells], directions: vec![None; directions] };
    search.extend(&partial)?;
    search.found.sort();
    search.found.dedup();
    Some(search.found)
}

impl Search<'_> {
    /// Decides one more direction, or one more cell where all directions from the cells at hand are decided.
    fn extend(&mut self, partial: &Partial) -> Option<()> {
        spend(self.budget, partial.cells.len())?;
        let known = partial.cells.iter().any(|&to| to != OPEN);
        let open = (0..partial.directions.len()).find(|&d| self.used[d] && partial.directions[d].is_none());
        if let (true, Some(direction)) = (known, open) {
            for to in 0..partial.directions.len() {
                if !self.used[to] || partial.directions.contains(&Some(to as u8)) {
                    continue;
                }
                let mut next = partial.clone();
                next.directions[direction] = Some(to as u8);
                if self.follow(&mut next)? {
                    self.extend(&next)?;
                }
            }
            return Some(());
        }
        let Some(cell) = partial.cells.iter().position(|&to| to == OPEN) else {
            self.found.push(partial.cells.clone());
            return (self.found.len() <= 4 * MOST).then_some(());
        };
        for to in 0..partial.cells.len() {
            let mut next = partial.clone();
            if self.map(&mut next, cell, to) && self.follow(&mut next)? {
                self.extend(&next)?;
            }
        }
        Some(())
    }

    /// Maps a cell; whether that can be.
    fn map(&mut self, partial: &mut Partial, cell: usize, to: usize) -> bool {
        if partial.cells[cell] != OPEN {
            return usize::from(partial.cells[cell]) == to;
        }
        if partial.taken[to] || self.pieces[cell] != self.pieces[to] {
            return false;
        }
        partial.cells[cell] = to as u16;
        partial.taken[to] = true;
        true
    }

    /// Maps all cells that steps lead to; whether that can be.
    fn follow(&mut self, partial: &mut Partial) -> Option<bool> {
        loop {
            spend(self.budget, partial.cells.len() * 4)?;
            let before = partial.taken.iter().filter(|taken| **taken).count();
            for cell in 0..partial.cells.len() {
                let image = partial.cells[cell];
                if image == OPEN {
                    continue;
                }
                for direction in 0..partial.directions.len() {
                    let Some(to) = partial.directions[direction] else { continue };
                    let here = self.board.cells[cell].neighbours[direction];
                    let there = self.board.cells[usize::from(image)].neighbours[usize::from(to)];
                    let fits = match (here, there) {
                        (None, None) => true,
                        (Some(here), Some(there)) => self.map(partial, here.into(), there.into()),
                        _ => false,
                    };
                    if !fits {
                        return Some(false);
                    }
                }
            }
            if partial.taken.iter().filter(|taken| **taken).count() == before {
                return Some(true);
            }
        }
    }
}

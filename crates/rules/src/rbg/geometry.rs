//! Cells as bits: a numbering in which directions are few displacements.

use std::collections::HashMap;

use super::board::Board;

/// No cell.
pub(super) const NONE: u16 = u16::MAX;

/// A map of cells to cells, by bits; [`NONE`] where there is no way.
pub(super) type Walk = Vec<u16>;

/// The numbering of a board's cells by bits.
pub(super) struct Geometry {
    /// Words of a set: 1, 2, 4, 6 or 20.
    pub words: usize,
    /// Bits in use, with some that stand for no cell.
    pub bits: usize,
    /// Bit of each cell.
    pub bit: Vec<u16>,
    /// Cell of each bit, or [`NONE`].
    pub cell: Vec<u16>,
    /// A step in each direction.
    pub steps: Vec<Walk>,
}

/// Sizes of sets that there is code for.
pub(super) const SIZES: [usize; 5] = [1, 2, 4, 6, 20];

impl Geometry {
    /// The numbering with the smallest sets, and then with the fewest displacements.
    pub fn new(board: &Board) -> Self {
        let dense: Vec<u16> = (0..board.cells.len() as u16).collect();
        let mut best = Self::numbered(board, dense);
        let mut fewest = best.displacements();
        let axes: [fn([i32; 2]) -> [i32; 2]; 3] = [|[x, y]| [x, y], |[x, y]| [y - x, x], |[x, y]| [y - x, y]];
        for axis in axes {
            let places: Vec<[i32; 2]> = board.cells.iter().map(|cell| axis(cell.grid)).collect();
            let least = |axis: usize| places.iter().map(|place| place[axis]).min().unwrap_or(0);
            let most = |axis: usize| places.iter().map(|place| place[axis]).max().unwrap_or(0);
            let (left, top, width) = (least(0), least(1), most(0) - least(0) + 1);
            let bits = width as usize * (most(1) - top + 1) as usize;
            if bits > 64 * SIZES[4] {
                continue;
            }
            let bit = places.iter().map(|&[x, y]| ((y - top) * width + x - left) as u16).collect();
            let candidate = Self::numbered(board, bit);
            let displacements = candidate.displacements();
            if (candidate.words, displacements) < (best.words, fewest) {
                (best, fewest) = (candidate, displacements);
            }
        }
        best
    }

    fn numbered(board: &Board, bit: Vec<u16>) -> Self {
        let bits = bit.iter().map(|&bit| usize::from(bit) + 1).max().unwrap_or(1);
        let words = SIZES.into_iter().find(|words| bits <= words * 64).unwrap_or(SIZES[4]);
        let mut cell = vec![NONE; bits];
        for (place, &bit) in bit.iter().enumerate() {
            cell[usize::from(bit)] = place as u16;
        }
        let steps = (0..board.directions.len())
            .map(|direction| {
                let mut walk = vec![NONE; bits];
                for (place, cell) in board.cells.iter().enumerate() {
                    if let Some(neighbour) = cell.neighbours[direction] {
                        walk[usize::from(bit[place])] = bit[usize::from(neighbour)];
                    }
                }
                walk
            })
            .collect();
        Self { words, bits, bit, cell, steps }
    }

    fn displacements(&self) -> usize {
        let different = |walk: &Walk| displacements(walk).len();
        self.steps.iter().map(different).sum()
    }

    /// All cells.
    pub fn all(&self) -> Vec<u64> {
        let mut set = vec![0; self.words];
        for &bit in &self.bit {
            insert(&mut set, bit.into());
        }
        set
    }
}

/// The cells of a walk by displacement, in the order of the first cells.
pub(super) fn displacements(walk: &Walk) -> Vec<(i32, Vec<usize>)> {
    let mut groups: Vec<(i32, Vec<usize>)> = Vec::new();
    let mut places: HashMap<i32, usize> = HashMap::new();
    for (from, &to) in walk.iter().enumerate().filter(|(_, to)| **to != NONE) {
        let by = i32::from(to) - from as i32;
        let place = *places.entry(by).or_insert_with(|| {
            groups.push((by, Vec::new()));
            groups.len() - 1
        });
        groups[place].1.push(from);
    }
    groups
}

pub(super) fn insert(set: &mut [u64], bit: usize) {
    set[bit / 64] |= 1 << (bit % 64);
}

pub(super) fn has(set: &[u64], bit: usize) -> bool {
    set[bit / 64] >> (bit % 64) & 1 != 0
}

pub(super) fn members(set: &[u64]) -> impl Iterator<Item = usize> + '_ {
    set.iter()
        .enumerate()
        .flat_map(|(index, &word)| (0..64).filter(move |bit| word >> bit & 1 != 0).map(move |bit| index * 64 + bit))
}

/// First one, then the other.
pub(super) fn composed(first: &Walk, second: &Walk) -> Walk {
    first.iter().map(|&by| if by == NONE { NONE } else { second[usize::from(by)] }).collect()
}

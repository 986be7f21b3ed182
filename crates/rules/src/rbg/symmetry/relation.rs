//! What shifts alone do: from which cell to which cells they lead, whatever is on the board.

use super::super::board::Board;
use super::super::syntax::Node;
use super::spend;

/// A row of bits for each cell: where it leads.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Relation {
    cells: usize,
    rows: Vec<u64>,
}

impl Relation {
    pub fn empty(cells: usize) -> Self {
        Self { cells, rows: vec![0; cells * cells.div_ceil(64)] }
    }

    pub fn identity(cells: usize) -> Self {
        let mut relation = Self::empty(cells);
        (0..cells).for_each(|cell| relation.add(cell, cell));
        relation
    }

    /// Words of 64 bits.
    pub fn size(&self) -> usize {
        self.rows.len()
    }

    fn words(&self) -> usize {
        self.cells.div_ceil(64)
    }

    fn add(&mut self, from: usize, to: usize) {
        let words = self.words();
        self.rows[from * words + to / 64] |= 1 << (to % 64);
    }

    fn row(&self, from: usize) -> &[u64] {
        &self.rows[from * self.words()..(from + 1) * self.words()]
    }

    pub fn targets(&self, from: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.cells).filter(move |to| self.row(from)[to / 64] >> (to % 64) & 1 != 0)
    }

    pub fn union(&mut self, other: &Self) {
        self.rows.iter_mut().zip(&other.rows).for_each(|(row, more)| *row |= more);
    }

    /// First this, then the other.
    pub fn then(&self, other: &Self, budget: &mut u64) -> Option<Self> {
        spend(budget, self.cells * self.cells)?;
        let mut product = Self::empty(self.cells);
        let words = self.words();
        for from in 0..self.cells {
            for by in self.targets(from) {
                spend(budget, words)?;
                let row = &mut product.rows[from * words..(from + 1) * words];
                row.iter_mut().zip(other.row(by)).for_each(|(row, more)| *row |= more);
            }
        }
        Some(product)
    }

    fn repeated(&self, budget: &mut u64) -> Option<Self> {
        let mut all = Self::identity(self.cells);
        all.union(self);
        loop {
            let next = all.then(&all, budget)?;
            if next == all {
                return Some(all);
            }
            all = next;
        }
    }

    /// Whether no cell leads to several.
    pub fn is_function(&self) -> bool {
        (0..self.cells).all(|from| self.row(from).iter().map(|word| word.count_ones()).sum::<u32>() <= 1)
    }

    pub fn is_empty(&self) -> bool {
        self.rows.iter().all(|&word| word == 0)
    }

    /// The relation between the images of the cells.
    pub fn image(&self, map: &[u16], budget: &mut u64) -> Option<Self> {
        spend(budget, self.cells * self.cells)?;
        let mut image = Self::empty(self.cells);
        for from in 0..self.cells {
            self.targets(from).for_each(|to| image.add(map[from].into(), map[to].into()));
        }
        Some(image)
    }
}

/// Whether rules consist of shifts and of look-aheads at shifts alone.
pub(super) fn is_static(node: &Node) -> bool {
    match node {
        Node::Shift(_) | Node::On(0) => true,
        Node::Sequence(parts) | Node::Sum(parts) => parts.iter().all(is_static),
        Node::Star(part) => is_static(part),
        Node::Look { rules, .. } => is_static(rules),
        _ => false,
    }
}

/// The relation of such rules; `None` if it takes too long.
pub(super) fn relation(node: &Node, board: &Board, budget: &mut u64) -> Option<Relation> {
    let cells = board.cells.len();
    // So many bytes, at most twice.
    spend(budget, cells * cells.div_ceil(64) * 16)?;
    Some(match node {
        Node::Shift(direction) => {
            let mut relation = Relation::empty(cells);
            for (from, cell) in board.cells.iter().enumerate() {
                cell.neighbours[usize::from(*direction)].iter().for_each(|&to| relation.add(from, to.into()));
            }
            relation
        }
        Node::Sequence(parts) => {
            let mut all = Relation::identity(cells);
            for part in parts {
                all = all.then(&relation(part, board, budget)?, budget)?;
            }
            all
        }
        Node::Sum(parts) => {
            let mut all = Relation::empty(cells);
            for part in parts {
                all.union(&relation(part, board, budget)?);
            }
            all
        }
        Node::Star(part) => relation(part, board, budget)?.repeated(budget)?,
        Node::Look { negated, rules } => {
            let inner = relation(rules, board, budget)?;
            let mut all = Relation::empty(cells);
            let holds = |cell: &usize| inner.row(*cell).iter().any(|&word| word != 0) != *negated;
            (0..cells).filter(holds).for_each(|cell| all.add(cell, cell));
            all
        }
        // Only the test that never holds is asked for.
        _ => Relation::empty(cells),
    })
}

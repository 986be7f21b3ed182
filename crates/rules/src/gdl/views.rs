//! Facts as rows of a table, with indexes.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::intern::{Table, hash};
use super::syntax::{Pattern, Predicate};

/// What the arguments of a condition look like: where its functions are, and where its variables and constants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Leaf,
    Function(u32, Vec<Shape>),
}

impl Shape {
    pub fn of(pattern: &Pattern) -> Self {
        match pattern {
            Pattern::Variable(_) | Pattern::Ground(_) => Self::Leaf,
            Pattern::Function(word, arguments) => Self::Function(*word, arguments.iter().map(Self::of).collect()),
        }
    }

    /// Appends what the leaves stand for in a term, if the term has this shape.
    fn leaves(&self, terms: &Table, term: u32, into: &mut Vec<u32>) -> bool {
        match self {
            Self::Leaf => {
                into.push(term);
                true
            }
            Self::Function(word, shapes) => {
                let arguments = terms.arguments(term);
                terms.head(term) == *word
                    && arguments.len() == shapes.len()
                    && shapes.iter().zip(arguments).all(|(shape, &argument)| shape.leaves(terms, argument, into))
            }
        }
    }
}

/// Appends the leaves of a pattern in the order of the columns.
pub(super) fn leaves<'a>(patterns: &'a [Pattern], into: &mut Vec<&'a Pattern>) {
    for pattern in patterns {
        match pattern {
            Pattern::Function(_, arguments) => leaves(arguments, into),
            leaf => into.push(leaf),
        }
    }
}

/// A hasher for numbers that are hashes already.
#[derive(Default)]
pub(super) struct Hashed(u64);

impl Hasher for Hashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}

const NONE: u32 = u32::MAX;

/// Rows by the values of some columns: chains of rows with one hash, the newest first.
pub(super) struct Index {
    columns: Vec<usize>,
    newest: HashMap<u64, u32, BuildHasherDefault<Hashed>>,
    older: Vec<u32>,
}

/// The possible facts of a predicate that have one shape.
pub(super) struct View {
    pub predicate: Predicate,
    pub shape: Vec<Shape>,
    pub columns: usize,
    values: Vec<u32>,
    /// The fact of each row.
    pub atoms: Vec<u32>,
    indexes: Vec<Index>,
    /// Rows before the last round, and before this one.
    pub old: usize,
    pub now: usize,
}

impl View {
    pub fn new(predicate: Predicate, shape: Vec<Shape>, columns: usize) -> Self {
        Self { predicate, shape, columns, values: vec![], atoms: vec![], indexes: vec![], old: 0, now: 0 }
    }

    pub fn row(&self, row: usize) -> &[u32] {
        &self.values[row * self.columns..(row + 1) * self.columns]
    }

    /// Adds a fact if it has the shape.
    pub fn add(&mut self, terms: &Table, atom: u32, arguments: &[u32]) {
        let before = self.values.len();
        for (shape, &argument) in self.shape.iter().zip(arguments) {
            if !shape.leaves(terms, argument, &mut self.values) {
                self.values.truncate(before);
                return;
            }
        }
        let row = self.atoms.len() as u32;
        self.atoms.push(atom);
        let values = &self.values[before..];
        for index in &mut self.indexes {
            index.add(values, row);
        }
    }

    /// The number of the index on these columns.
    pub fn index(&mut self, columns: &[usize]) -> usize {
        if let Some(place) = self.indexes.iter().position(|index| index.columns == columns) {
            return place;
        }
        let mut index = Index { columns: columns.to_vec(), newest: HashMap::default(), older: Vec::new() };
        for row in 0..self.atoms.len() {
            index.add(self.row(row), row as u32);
        }
        self.indexes.push(index);
        self.indexes.len() - 1
    }

    /// The newest row whose indexed columns have values with this hash.
    pub fn newest(&self, index: usize, hash: u64) -> Option<usize> {
        self.indexes[index].newest.get(&hash).map(|&row| row as usize)
    }

    pub fn older(&self, index: usize, row: usize) -> Option<usize> {
        let older = self.indexes[index].older[row];
        (older != NONE).then_some(older as usize)
    }
}

impl Index {
    fn add(&mut self, values: &[u32], row: u32) {
        let mut key = [0; 64];
        let key =
            if self.columns.len() <= 64 { &mut key[..self.columns.len()] } else { return self.add_wide(values, row) };
        key.iter_mut().zip(&self.columns).for_each(|(key, &column)| *key = values[column]);
        self.chain(hash(0, key), row);
    }

    fn add_wide(&mut self, values: &[u32], row: u32) {
        let key: Vec<u32> = self.columns.iter().map(|&column| values[column]).collect();
        self.chain(hash(0, &key), row);
    }

    fn chain(&mut self, hash: u64, row: u32) {
        self.older.push(self.newest.insert(hash, row).unwrap_or(NONE));
    }
}

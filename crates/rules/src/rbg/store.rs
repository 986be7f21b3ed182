//! How a position keeps its pieces and variables: in itself if they are few, else in boxes.

use super::sets::Set;

/// Pieces and variables of a position.
pub trait Store<S: Set>: Clone + Send + Sync + 'static {
    fn new(pieces: usize, variables: usize) -> Self;
    /// A set of cells for each piece; perhaps more sets than pieces.
    fn boards(&self) -> &[S];
    fn boards_mut(&mut self) -> &mut [S];
    fn variables(&self) -> &[i32];
    fn variables_mut(&mut self) -> &mut [i32];
    fn heap_bytes(&self) -> usize;
    fn pieces(&self) -> usize;

    /// Puts a piece on a cell and returns the one that was there.
    #[inline(always)]
    fn put(&mut self, piece: u8, bit: usize) -> u8 {
        let count = self.pieces();
        let boards = &mut self.boards_mut()[..count];
        let mut old = 0;
        if count <= 4 {
            // Which piece it was cannot be foreseen: cheaper without a branch.
            for (place, board) in boards.iter_mut().enumerate() {
                old = if board.has(bit) { place } else { old };
                board.remove(bit);
            }
        } else {
            old = boards.iter().position(|board| board.has(bit)).unwrap_or(0);
            boards[old].remove(bit);
        }
        boards[usize::from(piece)].insert(bit);
        old as u8
    }
}

/// Up to 16 pieces and 8 variables.
#[derive(Clone, Copy)]
pub struct Inline<S> {
    boards: [S; 16],
    variables: [i32; 8],
    pieces: u8,
}

impl<S> Inline<S> {
    pub const PIECES: usize = 16;
    pub const VARIABLES: usize = 8;
}

impl<S: Set> Store<S> for Inline<S> {
    fn new(pieces: usize, _: usize) -> Self {
        Self { boards: [S::EMPTY; 16], variables: [0; 8], pieces: pieces as u8 }
    }

    #[inline(always)]
    fn boards(&self) -> &[S] {
        &self.boards
    }

    #[inline(always)]
    fn boards_mut(&mut self) -> &mut [S] {
        &mut self.boards
    }

    #[inline(always)]
    fn variables(&self) -> &[i32] {
        &self.variables
    }

    #[inline(always)]
    fn variables_mut(&mut self) -> &mut [i32] {
        &mut self.variables
    }

    fn heap_bytes(&self) -> usize {
        0
    }

    #[inline(always)]
    fn pieces(&self) -> usize {
        self.pieces.into()
    }
}

/// Any number of pieces and variables.
pub struct Boxed<S> {
    boards: Box<[S]>,
    variables: Box<[i32]>,
}

impl<S: Set> Clone for Boxed<S> {
    fn clone(&self) -> Self {
        Self { boards: self.boards.clone(), variables: self.variables.clone() }
    }

    fn clone_from(&mut self, source: &Self) {
        self.boards.clone_from(&source.boards);
        self.variables.clone_from(&source.variables);
    }
}

impl<S: Set> Store<S> for Boxed<S> {
    fn new(pieces: usize, variables: usize) -> Self {
        Self { boards: vec![S::EMPTY; pieces].into(), variables: vec![0; variables].into() }
    }

    #[inline(always)]
    fn boards(&self) -> &[S] {
        &self.boards
    }

    #[inline(always)]
    fn boards_mut(&mut self) -> &mut [S] {
        &mut self.boards
    }

    #[inline(always)]
    fn variables(&self) -> &[i32] {
        &self.variables
    }

    #[inline(always)]
    fn variables_mut(&mut self) -> &mut [i32] {
        &mut self.variables
    }

    fn heap_bytes(&self) -> usize {
        size_of_val(&*self.boards) + size_of_val(&*self.variables)
    }

    #[inline(always)]
    fn pieces(&self) -> usize {
        self.boards.len()
    }
}

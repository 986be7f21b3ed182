//! Gomoku by the book.

use super::{Cells, Reference, at, count, name, read_position, sign, square, write_position};

/// A position of Gomoku.
#[derive(Clone, Debug)]
pub struct Gomoku {
    size: usize,
    exact: bool,
    cells: Cells,
    mover: usize,
    /// File and rank of the stone just placed; unknown in a position read from text.
    last: Option<(usize, usize)>,
}

impl Gomoku {
    /// The empty board. `exact`: only a run of exactly five wins.
    pub fn start(size: usize, exact: bool) -> Self {
        Self { size, exact, cells: vec![vec!['.'; size]; size], mover: 1, last: None }
    }

    /// The stone at `(file, rank)` is in a run of the right length.
    fn in_a_five(&self, file: usize, rank: usize) -> bool {
        let stone = self.cells[rank][file];
        let run = |dx: i32, dy: i32| {
            let mut length = 0;
            while at(&self.cells, file as i32 + (length + 1) * dx, rank as i32 + (length + 1) * dy) == Some(stone) {
                length += 1;
            }
            length
        };
        [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().any(|(dx, dy)| {
            let length = 1 + run(dx, dy) + run(-dx, -dy);
            if self.exact { length == 5 } else { length >= 5 }
        })
    }

    /// Some stone of `player` is in a run of the right length.
    pub fn has_five(&self, player: usize) -> bool {
        (0..self.size)
            .any(|rank| (0..self.size).any(|file| self.cells[rank][file] == sign(player) && self.in_a_five(file, rank)))
    }
}

impl Reference for Gomoku {
    fn mover(&self) -> usize {
        self.mover
    }

    fn legal(&self) -> Vec<String> {
        let mut moves = Vec::new();
        if self.result().is_some() {
            return moves;
        }
        for rank in 0..self.size {
            for file in 0..self.size {
                if self.cells[rank][file] == '.' {
                    moves.push(name(file, rank));
                }
            }
        }
        moves.sort();
        moves
    }

    fn play(&mut self, text: &str) {
        let (file, rank) = square(text);
        self.cells[rank][file] = sign(self.mover);
        self.last = Some((file, rank));
        self.mover = 3 - self.mover;
    }

    fn result(&self) -> Option<i32> {
        let moved_last = 3 - self.mover;
        let won = match self.last {
            Some((file, rank)) => self.in_a_five(file, rank),
            None => self.has_five(moved_last),
        };
        if won { Some(if moved_last == 1 { 1 } else { -1 }) } else { (count(&self.cells, '.') == 0).then_some(0) }
    }

    fn position(&self) -> String {
        write_position(&self.cells, self.mover, 0)
    }

    fn parse(&self, text: &str) -> Self {
        let (cells, mover, passes) = read_position(text, self.size, self.size);
        assert_eq!(passes, 0, "{text}");
        Self { cells, mover, last: None, ..*self }
    }
}

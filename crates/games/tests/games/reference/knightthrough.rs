//! Knightthrough by the book.

use super::{Cells, Reference, at, count, from_to, name, read_position, sign, write_position};

/// Which leaps a knight may make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaps {
    /// Those that end nearer the far row.
    Forward,
    /// All eight.
    All,
}

/// A position of Knightthrough.
#[derive(Clone, Debug)]
pub struct Knightthrough {
    width: usize,
    height: usize,
    leaps: Leaps,
    cells: Cells,
    mover: usize,
    passes: usize,
}

impl Knightthrough {
    /// Two rows of knights each, player 1 at the bottom.
    pub fn start(width: usize, height: usize, leaps: Leaps) -> Self {
        let mut cells = vec![vec!['.'; width]; height];
        for file in 0..width {
            cells[0][file] = 'x';
            cells[1][file] = 'x';
            cells[height - 2][file] = 'o';
            cells[height - 1][file] = 'o';
        }
        Self { width, height, leaps, cells, mover: 1, passes: 0 }
    }

    fn has_won(&self, player: usize) -> bool {
        let far = if player == 1 { self.height - 1 } else { 0 };
        self.cells[far].contains(&sign(player)) || count(&self.cells, sign(3 - player)) == 0
    }
}

impl Reference for Knightthrough {
    fn mover(&self) -> usize {
        self.mover
    }

    fn legal(&self) -> Vec<String> {
        let mut moves = Vec::new();
        if self.result().is_some() {
            return moves;
        }
        let forward = if self.mover == 1 { 1 } else { -1 };
        for rank in 0..self.height {
            for file in 0..self.width {
                if self.cells[rank][file] != sign(self.mover) {
                    continue;
                }
                for dx in -2i32..=2 {
                    for dy in -2i32..=2 {
                        let knight_leap = dx.abs() + dy.abs() == 3 && dx != 0 && dy != 0;
                        if !knight_leap || (self.leaps == Leaps::Forward && dy.signum() != forward) {
                            continue;
                        }
                        let (x, y) = (file as i32 + dx, rank as i32 + dy);
                        if at(&self.cells, x, y).is_some_and(|there| there != sign(self.mover)) {
                            moves.push(name(file, rank) + &name(x as usize, y as usize));
                        }
                    }
                }
            }
        }
        if moves.is_empty() {
            moves.push("pass".to_string());
        }
        moves.sort();
        moves
    }

    fn play(&mut self, text: &str) {
        if text == "pass" {
            self.passes += 1;
        } else {
            let ((file, rank), (to_file, to_rank)) = from_to(text);
            self.passes = 0;
            self.cells[rank][file] = '.';
            self.cells[to_rank][to_file] = sign(self.mover);
        }
        self.mover = 3 - self.mover;
    }

    fn result(&self) -> Option<i32> {
        if self.has_won(1) {
            Some(1)
        } else if self.has_won(2) {
            Some(-1)
        } else {
            (self.passes == 2).then_some(0)
        }
    }

    fn position(&self) -> String {
        write_position(&self.cells, self.mover, self.passes)
    }

    fn parse(&self, text: &str) -> Self {
        let (cells, mover, passes) = read_position(text, self.width, self.height);
        let read = Self { cells, mover, passes, ..*self };
        assert!(!(read.has_won(1) && read.has_won(2)), "both sides have won: {text}");
        read
    }
}

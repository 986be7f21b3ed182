//! Lines of Action by the book.

use super::{Cells, Reference, at, count, from_to, name, read_position, sign, write_position};

/// Who wins when one move connects both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Both {
    /// Nobody.
    Draw,
    /// The player who made that move.
    Mover,
}

/// A position of Lines of Action.
#[derive(Clone, Debug)]
pub struct Loa {
    size: usize,
    both: Both,
    cells: Cells,
    mover: usize,
    passes: usize,
}

const DIRECTIONS: [(i32, i32); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

impl Loa {
    /// Player 1 on the top and bottom rows, player 2 on the left and right columns, corners empty.
    pub fn start(size: usize, both: Both) -> Self {
        let mut cells = vec![vec!['.'; size]; size];
        for i in 1..size - 1 {
            cells[0][i] = 'x';
            cells[size - 1][i] = 'x';
            cells[i][0] = 'o';
            cells[i][size - 1] = 'o';
        }
        Self { size, both, cells, mover: 1, passes: 0 }
    }

    /// Stones of both colours on the whole line through `(file, rank)` in this direction and against it.
    fn stones_on_line(&self, file: i32, rank: i32, (dx, dy): (i32, i32)) -> i32 {
        let mut stones = 0;
        for steps in -(self.size as i32)..=self.size as i32 {
            match at(&self.cells, file + steps * dx, rank + steps * dy) {
                Some('x') | Some('o') => stones += 1,
                _ => {}
            }
        }
        stones
    }

    /// Where the stone of `player` at `(file, rank)` ends up in this direction, if it may go there.
    fn target(&self, player: usize, file: i32, rank: i32, (dx, dy): (i32, i32)) -> Option<(i32, i32)> {
        let steps = self.stones_on_line(file, rank, (dx, dy));
        for step in 1..steps {
            if at(&self.cells, file + step * dx, rank + step * dy)? == sign(3 - player) {
                return None;
            }
        }
        let (to_file, to_rank) = (file + steps * dx, rank + steps * dy);
        (at(&self.cells, to_file, to_rank)? != sign(player)).then_some((to_file, to_rank))
    }

    /// All stones of `player` form one group whose neighbours touch at sides or corners.
    fn connected(&self, player: usize) -> bool {
        let mut group: Vec<(usize, usize)> = Vec::new();
        for rank in 0..self.size {
            for file in 0..self.size {
                if group.is_empty() && self.cells[rank][file] == sign(player) {
                    group.push((file, rank));
                }
            }
        }
        let mut next = 0;
        while next < group.len() {
            let (file, rank) = group[next];
            next += 1;
            for (dx, dy) in DIRECTIONS {
                let (x, y) = (file as i32 + dx, rank as i32 + dy);
                if at(&self.cells, x, y) == Some(sign(player)) && !group.contains(&(x as usize, y as usize)) {
                    group.push((x as usize, y as usize));
                }
            }
        }
        !group.is_empty() && group.len() == count(&self.cells, sign(player))
    }
}

impl Reference for Loa {
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
                if self.cells[rank][file] != sign(self.mover) {
                    continue;
                }
                for direction in DIRECTIONS {
                    if let Some((x, y)) = self.target(self.mover, file as i32, rank as i32, direction) {
                        moves.push(name(file, rank) + &name(x as usize, y as usize));
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
        let moved_last = 3 - self.mover;
        match (self.connected(1), self.connected(2)) {
            (true, true) if self.both == Both::Draw => Some(0),
            (true, true) => Some(if moved_last == 1 { 1 } else { -1 }),
            (true, false) => Some(1),
            (false, true) => Some(-1),
            (false, false) => (self.passes == 2).then_some(0),
        }
    }

    fn position(&self) -> String {
        write_position(&self.cells, self.mover, self.passes)
    }

    fn parse(&self, text: &str) -> Self {
        let (cells, mover, passes) = read_position(text, self.size, self.size);
        Self { cells, mover, passes, ..*self }
    }
}

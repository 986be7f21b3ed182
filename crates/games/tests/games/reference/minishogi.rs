//! MiniShogi by the book, without a repetition rule.

use super::{Reference, from_to, name, square};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    owner: usize,
    /// One of `K G S B R P`, also when promoted.
    kind: char,
    promoted: bool,
}

/// A position of MiniShogi.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Minishogi {
    /// `cells[rank][file]`, rank 0 at the bottom, which is player 1's side.
    cells: [[Option<Piece>; 5]; 5],
    /// Kinds in the hands of player 1 and 2, in no order.
    hands: [Vec<char>; 2],
    mover: usize,
}

/// Files to the right and ranks ahead of the owner.
type Way = (i32, i32);

const STRAIGHT: [Way; 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: [Way; 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
/// The four sides and the two corners ahead.
const GOLD: [Way; 6] = [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (-1, 1)];
/// The four corners and straight ahead.
const SILVER: [Way; 5] = [(1, 1), (1, -1), (-1, -1), (-1, 1), (0, 1)];

impl Minishogi {
    /// The usual start.
    pub fn start() -> Self {
        let empty = Self { cells: [[None; 5]; 5], hands: [Vec::new(), Vec::new()], mover: 1 };
        empty.parse("rbsgk/4p/5/P4/KGSBR b - 1")
    }

    /// Squares the piece at `(file, rank)` can go to, those with own pieces left out. Kings may be left attacked.
    fn reach(&self, file: usize, rank: usize) -> Vec<(usize, usize)> {
        let piece = self.cells[rank][file].expect("a piece");
        let (slides, steps): (Vec<Way>, Vec<Way>) = match (piece.kind, piece.promoted) {
            ('K', _) => (vec![], [STRAIGHT, DIAGONAL].concat()),
            ('G', _) | ('S', true) | ('P', true) => (vec![], GOLD.to_vec()),
            ('S', false) => (vec![], SILVER.to_vec()),
            ('P', false) => (vec![], vec![(0, 1)]),
            ('R', false) => (STRAIGHT.to_vec(), vec![]),
            ('R', true) => (STRAIGHT.to_vec(), DIAGONAL.to_vec()),
            ('B', false) => (DIAGONAL.to_vec(), vec![]),
            ('B', true) => (DIAGONAL.to_vec(), STRAIGHT.to_vec()),
            other => panic!("{other:?}"),
        };
        let forward = if piece.owner == 1 { 1 } else { -1 };
        let mut reached = Vec::new();
        for (ways, longest) in [(slides, 4), (steps, 1)] {
            for (dx, dy) in ways {
                for distance in 1..=longest {
                    let (x, y) = (file as i32 + distance * dx, rank as i32 + distance * dy * forward);
                    if !(0..5).contains(&x) || !(0..5).contains(&y) {
                        break;
                    }
                    let there = self.cells[y as usize][x as usize];
                    if there.is_none_or(|other| other.owner != piece.owner) {
                        reached.push((x as usize, y as usize));
                    }
                    if there.is_some() {
                        break;
                    }
                }
            }
        }
        reached
    }

    fn squares_of(&self, player: usize) -> Vec<(usize, usize)> {
        let all = (0..5).flat_map(|rank| (0..5).map(move |file| (file, rank)));
        all.filter(|&(file, rank)| self.cells[rank][file].is_some_and(|piece| piece.owner == player)).collect()
    }

    /// The king of `player` could be captured.
    pub fn attacked(&self, player: usize) -> bool {
        self.squares_of(3 - player).into_iter().any(|(file, rank)| {
            self.reach(file, rank).into_iter().any(|(x, y)| self.cells[y][x].is_some_and(|piece| piece.kind == 'K'))
        })
    }

    /// Moves that leave the own king safe. With `mating_pawns`, also pawn drops that mate.
    fn safe_moves(&self, mating_pawns: bool) -> Vec<String> {
        let me = self.mover;
        let last_rank = if me == 1 { 4 } else { 0 };
        let mut moves = Vec::new();
        for (file, rank) in self.squares_of(me) {
            let piece = self.cells[rank][file].expect("a piece");
            for (x, y) in self.reach(file, rank) {
                let text = name(file, rank) + &name(x, y);
                let can_promote =
                    "SBRP".contains(piece.kind) && !piece.promoted && (rank == last_rank || y == last_rank);
                let must_promote = piece.kind == 'P' && can_promote;
                if !must_promote {
                    moves.push(text.clone());
                }
                if can_promote {
                    moves.push(text + "+");
                }
            }
        }
        for kind in "GSBRP".chars().filter(|kind| self.hands[me - 1].contains(kind)) {
            for rank in 0..5 {
                for file in 0..5 {
                    let second_pawn = (0..5)
                        .any(|other| self.cells[other][file] == Some(Piece { owner: me, kind: 'P', promoted: false }));
                    if self.cells[rank][file].is_none() && (kind != 'P' || (rank != last_rank && !second_pawn)) {
                        moves.push(format!("{kind}*{}", name(file, rank)));
                    }
                }
            }
        }
        moves.retain(|text| {
            let mut next = self.clone();
            next.play(text);
            if next.attacked(me) {
                return false;
            }
            // The one who must answer the pawn is in check from the next square, where no drop of his helps: so
            // whether his own pawn drops mate does not matter.
            mating_pawns || !text.starts_with("P*") || !next.attacked(3 - me) || !next.safe_moves(true).is_empty()
        });
        moves.sort();
        moves
    }

    /// The pawn drops that are forbidden because they mate.
    pub fn mating_pawn_drops(&self) -> Vec<String> {
        let legal = self.safe_moves(false);
        self.safe_moves(true).into_iter().filter(|text| !legal.contains(text)).collect()
    }
}

impl Reference for Minishogi {
    fn mover(&self) -> usize {
        self.mover
    }

    fn legal(&self) -> Vec<String> {
        self.safe_moves(false)
    }

    fn play(&mut self, text: &str) {
        let hand = &mut self.hands[self.mover - 1];
        if let Some((kind, to)) = text.split_once('*') {
            let kind = kind.chars().next().expect(text);
            let held = hand.iter().position(|&k| k == kind).expect(text);
            hand.remove(held);
            let (file, rank) = square(to);
            self.cells[rank][file] = Some(Piece { owner: self.mover, kind, promoted: false });
        } else {
            let ((file, rank), (to_file, to_rank)) = from_to(text.trim_end_matches('+'));
            let mut piece = self.cells[rank][file].take().expect(text);
            piece.promoted |= text.ends_with('+');
            if let Some(captured) = self.cells[to_rank][to_file].replace(piece) {
                hand.push(captured.kind);
            }
        }
        self.mover = 3 - self.mover;
    }

    /// A player without a legal move loses, in check or not.
    fn result(&self) -> Option<i32> {
        let loss = if self.mover == 1 { -1 } else { 1 };
        self.legal().is_empty().then_some(loss)
    }

    fn position(&self) -> String {
        let cased = |kind: char, owner: usize| if owner == 1 { kind } else { kind.to_ascii_lowercase() };
        let mut rows = Vec::new();
        for rank in (0..5).rev() {
            let mut row = String::new();
            let mut empty = 0;
            for file in 0..5 {
                let Some(piece) = self.cells[rank][file] else {
                    empty += 1;
                    continue;
                };
                if empty > 0 {
                    row += &empty.to_string();
                    empty = 0;
                }
                if piece.promoted {
                    row.push('+');
                }
                row.push(cased(piece.kind, piece.owner));
            }
            if empty > 0 {
                row += &empty.to_string();
            }
            rows.push(row);
        }
        let mut hands = String::new();
        for owner in [1, 2] {
            for kind in "RBGSP".chars() {
                match self.hands[owner - 1].iter().filter(|&&k| k == kind).count() {
                    0 => {}
                    1 => hands.push(cased(kind, owner)),
                    several => hands += &format!("{several}{}", cased(kind, owner)),
                }
            }
        }
        if hands.is_empty() {
            hands.push('-');
        }
        format!("{} {} {hands} 1", rows.join("/"), if self.mover == 1 { 'b' } else { 'w' })
    }

    fn parse(&self, text: &str) -> Self {
        let words: Vec<&str> = text.split(' ').collect();
        let owner = |letter: char| if letter.is_ascii_uppercase() { 1 } else { 2 };
        let mut read = Self { cells: [[None; 5]; 5], hands: [Vec::new(), Vec::new()], mover: 1 };
        for (row, rank) in words[0].split('/').zip((0..5).rev()) {
            let mut file = 0;
            let mut promoted = false;
            for letter in row.chars() {
                if let Some(empty) = letter.to_digit(10) {
                    file += empty as usize;
                } else if letter == '+' {
                    promoted = true;
                } else {
                    let piece = Piece { owner: owner(letter), kind: letter.to_ascii_uppercase(), promoted };
                    read.cells[rank][file] = Some(piece);
                    promoted = false;
                    file += 1;
                }
            }
            assert_eq!(file, 5, "{text}");
        }
        read.mover = if words[1] == "b" { 1 } else { 2 };
        let mut times = 1;
        for letter in words[2].chars().filter(|&letter| letter != '-') {
            if let Some(number) = letter.to_digit(10) {
                times = number;
            } else {
                for _ in 0..times {
                    read.hands[owner(letter) - 1].push(letter.to_ascii_uppercase());
                }
                times = 1;
            }
        }
        assert_eq!(read.position(), text);
        read
    }
}

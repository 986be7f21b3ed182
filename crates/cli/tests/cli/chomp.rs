//! Chomp: a bar of chocolate. Whoever bites into a square also eats all squares below it and to its right; the first
//! square is poisoned.

use plyproof_core::mix64;
use plyproof_core::spec::{Described, Kind, Params};
use plyproof_core::{Game, Outcome, Player, TextError};
use plyproof_engine::GameEntry;

/// The game for a registry.
pub fn entry() -> GameEntry {
    let rules =
        "Bite into a square and eat all squares below it and to its right; whoever eats the first square loses.";
    let described = Described::new("chomp", "Chomp", rules)
        .parameter("rows", "4", Kind::Whole(1, 6), "rows of squares")
        .parameter("columns", "5", Kind::Whole(1, 9), "squares in a row");
    GameEntry::new(described, 1, Chomp::start)
}

#[derive(Clone)]
struct Chomp {
    /// Squares left in each row, never more than in the row above.
    rows: [u8; 6],
    mover: Player,
}

impl Chomp {
    fn start(params: &Params) -> Self {
        let mut rows = [0; 6];
        rows[..params.whole("rows") as usize].fill(params.whole("columns") as u8);
        Self { rows, mover: Player::FIRST }
    }
}

impl Game for Chomp {
    type Move = (u8, u8);

    fn to_move(&self) -> Player {
        self.mover
    }

    // Whoever left nothing has eaten the poison.
    fn outcome(&self) -> Option<Outcome> {
        (self.rows[0] == 0).then(|| Outcome::win(self.mover))
    }

    fn moves(&self, into: &mut Vec<(u8, u8)>) {
        for (row, &width) in (0..).zip(&self.rows) {
            into.extend((0..width).map(|column| (row, column)));
        }
    }

    fn play(&mut self, (row, column): (u8, u8)) {
        for width in &mut self.rows[usize::from(row)..] {
            *width = column.min(*width);
        }
        self.mover = self.mover.other();
    }

    fn key(&self) -> u64 {
        let rows = self.rows.iter().fold(0, |rows, &width| rows << 4 | u64::from(width));
        mix64(rows * 2 + self.mover.index() as u64)
    }

    fn position_text(&self) -> String {
        let rows: Vec<String> = self.rows.iter().map(u8::to_string).collect();
        format!("{} {}", rows.join("/"), self.mover)
    }

    fn parse_position(&self, text: &str) -> Result<Self, TextError> {
        let wrong = || TextError::expected(text, "six rows that get no longer and a player, as in \"5/5/3/0/0/0 1\"");
        let (rows, mover) = text.split_once(' ').ok_or_else(wrong)?;
        let rows: Vec<u8> = rows.split('/').map(|row| row.parse().map_err(|_| wrong())).collect::<Result<_, _>>()?;
        let mover = match mover {
            "1" => Player::FIRST,
            "2" => Player::SECOND,
            _ => return Err(wrong()),
        };
        let read = Self { rows: rows.try_into().map_err(|_| wrong())?, mover };
        let fits = read.rows[0] <= 9 && read.rows.is_sorted_by(|above, below| above >= below);
        // One spelling for each position.
        if fits && read.position_text() == text { Ok(read) } else { Err(wrong()) }
    }

    fn move_text(&self, (row, column): (u8, u8)) -> String {
        format!("{}{}", char::from(b'a' + column), row + 1)
    }

    fn board(&self) -> String {
        let row = |&width: &u8| "# ".repeat(width.into()).trim_end().to_string();
        self.rows.iter().filter(|&&width| width > 0).map(row).collect::<Vec<_>>().join("\n")
    }
}

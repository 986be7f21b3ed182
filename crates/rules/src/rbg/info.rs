//! Names of pieces, cells and variables; positions as text.

use plyproof_core::{Outcome, TextError, quoted};

/// How a game came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The keeper found no way on.
    Over,
    /// The keeper was taken for endless: a draw.
    Cut,
}

/// What is needed to write and read positions.
pub(super) struct Info {
    pub pieces: Vec<String>,
    /// A character for each piece.
    pub signs: Vec<char>,
    pub cells: Vec<String>,
    /// Whether a row of the board begins at each cell.
    pub row_starts: Vec<bool>,
    /// Where to draw each cell: column in half widths, and row.
    pub places: Vec<(usize, usize)>,
    /// Names and bounds, scores first.
    pub variables: Vec<(String, u32)>,
    pub bit_of_cell: Vec<u16>,
    /// By bits; any number for bits without a cell.
    pub cell_of_bit: Vec<u16>,
    /// Numbers of the modifiers in moves.
    pub indices: Vec<u32>,
    /// The players that modifiers switch to.
    pub players: Vec<Option<u8>>,
    /// For each modifier, which variables matter after it.
    pub live: Vec<Vec<bool>>,
    pub all_live: Vec<bool>,
    /// Whether scores are points, and not just signs of a win.
    pub points: bool,
    pub may_repeat: bool,
    pub may_draw: bool,
}

/// A position as its text has it.
pub(super) struct Parsed {
    pub pieces: Vec<usize>,
    pub last: u16,
    pub end: Option<End>,
    pub variables: Vec<i32>,
    pub cell: Option<usize>,
}

impl Info {
    pub fn outcome(&self, first: i32, second: i32) -> Outcome {
        let margin = first.saturating_sub(second);
        let margin = if self.points { margin } else { margin.signum() };
        let margin = margin.clamp(-i32::from(i16::MAX), i32::from(i16::MAX)) as i16;
        match Outcome::by_points(margin) {
            outcome if self.points => outcome,
            outcome => outcome.winner().map_or(Outcome::DRAW, Outcome::win),
        }
    }

    /// Which variables matter in a position.
    pub fn live(&self, last: u16, end: Option<End>) -> &[bool] {
        if end.is_some() { &self.all_live } else { &self.live[usize::from(last)] }
    }

    /// `…/bb./www 3 white=0,black=0 rx0y0`: pieces, number of the last switch, variables, current cell if it matters.
    pub fn position_text(
        &self,
        pieces: impl Iterator<Item = usize>,
        last: u16,
        end: Option<End>,
        values: &[i32],
        cell: Option<usize>,
    ) -> String {
        let mut text = String::new();
        for (place, piece) in pieces.enumerate() {
            if place > 0 && self.row_starts[place] {
                text.push('/');
            }
            text.push(self.signs[piece]);
        }
        match end {
            None => text.push_str(&format!(" {} ", self.indices[usize::from(last)])),
            Some(End::Over) => text.push_str(" end "),
            Some(End::Cut) => text.push_str(" cut "),
        }
        let live = self.variables.iter().zip(self.live(last, end)).zip(values).filter(|((_, live), _)| **live);
        let values: Vec<String> = live.map(|(((name, _), _), value)| format!("{name}={value}")).collect();
        text.push_str(&values.join(","));
        if let Some(cell) = cell {
            text.push(' ');
            text.push_str(&self.cells[cell]);
        }
        text
    }

    pub fn parse_position(&self, text: &str) -> Result<Parsed, TextError> {
        let fields: Vec<&str> = text.split_whitespace().take(5).collect();
        let (board, last, values, cell) = match fields[..] {
            [board, last, values] => (board, last, values, None),
            [board, last, values, cell] => (board, last, values, Some(cell)),
            _ => {
                let what = "a position: expected pieces, the number of the last switch, variables, and perhaps a cell";
                return Err(TextError::expected(text, what));
            }
        };
        let mut pieces = Vec::new();
        for sign in board.chars() {
            if sign == '/' && self.row_starts.get(pieces.len()) == Some(&true) {
                continue;
            }
            let piece = self.signs.iter().position(|&s| s == sign).filter(|_| pieces.len() < self.cells.len());
            pieces.push(piece.ok_or_else(|| self.wrong_board(board))?);
        }
        if pieces.len() != self.cells.len() {
            return Err(self.wrong_board(board));
        }
        let (mut end, mut place) = (None, 0);
        match last {
            "end" => end = Some(End::Over),
            "cut" => end = Some(End::Cut),
            number => {
                let number = number.parse::<u32>().ok().filter(|&n| n > 0);
                let switch = number.and_then(|number| self.indices.iter().position(|&index| index == number));
                place = switch.filter(|&place| self.players[place].is_some()).ok_or_else(|| {
                    let known = self.indices.iter().zip(&self.players).filter(|(_, player)| player.is_some());
                    let known: Vec<String> = known.take(20).map(|(index, _)| index.to_string()).collect();
                    let what = format!("the number of a switch to a player: expected end or {}", known.join(", "));
                    TextError::expected(last, what)
                })?;
            }
        }
        let live = self.live(place as u16, end);
        let mut variables = vec![0; self.variables.len()];
        let mut given = values.split(',');
        for (variable, (name, bound)) in self.variables.iter().enumerate().filter(|&(place, _)| live[place]) {
            let value = given.next().and_then(|given| given.strip_prefix(name.as_str())?.strip_prefix('='));
            let value = value.and_then(|value| value.parse::<u32>().ok()).filter(|value| value <= bound);
            let wrong = || TextError::expected(values, format!("a list of variables with {name}=0 to {name}={bound}"));
            variables[variable] = value.ok_or_else(wrong)? as i32;
        }
        if let Some(more) = given.next() {
            return Err(TextError::expected(more, "a variable that matters here"));
        }
        let find = |name: &str| {
            let place = self.cells.iter().position(|cell| cell == name);
            place.ok_or_else(|| TextError::expected(name, format!("a cell: expected names such as {}", self.cells[0])))
        };
        let cell = cell.map(find).transpose()?;
        Ok(Parsed { pieces, last: place as u16, end, variables, cell })
    }

    fn wrong_board(&self, text: &str) -> TextError {
        let signs = self.pieces.iter().zip(&self.signs).map(|(piece, sign)| format!("{sign} {piece}"));
        let signs = signs.collect::<Vec<_>>().join(", ");
        TextError::new(format!("{} is not a board of {} cells: {signs}", quoted(text), self.cells.len()))
    }

    /// The board drawn for a terminal.
    pub fn board(&self, pieces: impl Iterator<Item = usize>) -> String {
        let width = self.places.iter().map(|place| place.0).max().unwrap_or(0) + 1;
        let height = self.places.iter().map(|place| place.1).max().unwrap_or(0) + 1;
        let mut lines = vec![vec![' '; width]; height];
        for (&(x, y), piece) in self.places.iter().zip(pieces) {
            lines[y][x] = self.signs[piece];
        }
        let lines = lines.into_iter().map(|line| line.into_iter().collect::<String>().trim_end().to_string());
        lines.collect::<Vec<_>>().join("\n")
    }
}

/// A character for each piece: a dot for what is empty, else a letter of its name, or any other sign.
pub(super) fn signs(pieces: &[String]) -> Vec<char> {
    let mut taken = vec!['/'];
    let empty = |name: &str| matches!(name, "e" | "empty" | "Empty" | "none" | "_");
    pieces
        .iter()
        .map(|name| {
            let dot = empty(name).then_some('.');
            // The last capital of a name such as whitePawn, small for the second player's.
            let initials = name.chars().next().into_iter().chain(name.chars().filter(|c| c.is_ascii_uppercase()));
            let both = initials.flat_map(|c| [c, c.to_ascii_uppercase(), c.to_ascii_lowercase()]);
            let others = name.chars().chain('a'..='z').chain('A'..='Z').chain('0'..='9').chain('!'..='~');
            let sign = dot
                .into_iter()
                .chain(both)
                .chain(others)
                .find(|sign| !taken.contains(sign) && sign.is_ascii_graphic() && (dot.is_some() || *sign != '.'));
            let sign = sign.unwrap_or('?');
            taken.push(sign);
            sign
        })
        .collect()
}

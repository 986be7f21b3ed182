//! Gomoku and Hex as SGF, the Smart Game Format (FF\[4\]): black is the first player.
//!
//! | | Gomoku | Hex |
//! |---|---|---|
//! | `GM` | 4 | 11 |
//! | a move | two letters, column and row from the top left corner | column letter and row number, as in `a1`; two letters are read too |
//!
//! What SGF has no property for is kept in private ones: `PLH` for headers, `PLV` (value for the player who moves), `PLP`
//! (proven value), `PLN` (simulations) and `PLS` (seconds) for notes.

mod read;
mod write;

use plyproof_engine::{AnyGame, Player, Registry, TextError, quoted};

pub use read::SgfReader;
pub use write::sgf_text;

use crate::tree::Mark;

/// A game that SGF knows, on its board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Board {
    kind: Kind,
    size: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Gomoku,
    Hex,
}

/// The marks as properties.
const MARKS: [(Mark, &str, &str); 6] = [
    (Mark::Good, "TE", "1"),
    (Mark::Brilliant, "TE", "2"),
    (Mark::Mistake, "BM", "1"),
    (Mark::Blunder, "BM", "2"),
    (Mark::Interesting, "IT", ""),
    (Mark::Dubious, "DO", ""),
];

/// Headers and the properties that hold them.
const HEADERS: [(&str, &str); 9] = [
    ("EV", "Event"),
    ("PC", "Site"),
    ("DT", "Date"),
    ("RO", "Round"),
    ("PB", "First"),
    ("PW", "Second"),
    ("AN", "Annotator"),
    ("OT", "TimeControl"),
    ("SO", "Source"),
];

/// How a game ended, behind the `+` of a result.
const REASONS: [(&str, &str); 3] = [("R", "resignation"), ("T", "time"), ("F", "forfeit")];

impl Board {
    /// The board of a game; none if SGF does not know the game.
    fn of(game: &dyn AnyGame) -> Option<Self> {
        let kind = match game.described().name.as_str() {
            "gomoku" => Kind::Gomoku,
            "hex" => Kind::Hex,
            _ => return None,
        };
        Some(Self { kind, size: usize::try_from(game.params().whole("size")).ok()? })
    }

    fn number(self) -> u32 {
        match self.kind {
            Kind::Gomoku => 4,
            Kind::Hex => 11,
        }
    }

    /// The start position of the game with this number and size; `rules` may name its other parameters.
    fn open(registry: &Registry, number: &str, size: Option<&str>, rules: &str) -> Result<Box<dyn AnyGame>, TextError> {
        let name = match number.trim() {
            "4" => "gomoku",
            "11" => "hex",
            other => {
                return Err(TextError::new(format!(
                    "GM is {}; the games read here are 4 (Gomoku) and 11 (Hex)",
                    quoted(other)
                )));
            }
        };
        let game = match size.map(str::trim) {
            None => registry.open(name),
            Some(size) => {
                let (files, ranks) = size.split_once(':').unwrap_or((size, size));
                if files != ranks || files.is_empty() || !files.bytes().all(|c| c.is_ascii_digit()) {
                    return Err(TextError::expected(size, "a size of the board: expected one number, as in SZ[15]"));
                }
                registry.open(&format!("{name}(size={files})"))
            }
        }?;
        // The rules are free text; only what we wrote there ourselves says which parameters are meant.
        if !rules.trim().starts_with(name) {
            return Ok(game);
        }
        match registry.open(rules.trim()) {
            Ok(own) if Self::of(&*own) == Self::of(&*game) => Ok(own),
            _ => Ok(game),
        }
    }

    /// The point of a move in our own notation: file and row from the top left corner, counted from 0.
    fn point(self, text: &str) -> Option<(usize, usize)> {
        let file = text.chars().next().filter(char::is_ascii_lowercase)?;
        let rank: usize = text.get(1..)?.parse().ok()?;
        let row = match self.kind {
            Kind::Gomoku => self.size.checked_sub(rank)?,
            Kind::Hex => rank.checked_sub(1)?,
        };
        Some((file as usize - 'a' as usize, row))
    }

    /// A point in our own notation.
    fn own_text(self, (file, row): (usize, usize)) -> String {
        let rank = match self.kind {
            Kind::Gomoku => self.size - row,
            Kind::Hex => row + 1,
        };
        format!("{}{rank}", char::from(b'a' + file as u8))
    }

    /// A point as SGF writes it.
    fn sgf_text(self, (file, row): (usize, usize)) -> String {
        let letter = |n: usize| char::from(b'a' + n as u8);
        match self.kind {
            Kind::Gomoku => format!("{}{}", letter(file), letter(row)),
            Kind::Hex => format!("{}{}", letter(file), row + 1),
        }
    }

    /// Reads a point as SGF writes it.
    fn parse(self, text: &str) -> Result<(usize, usize), TextError> {
        let text = text.trim();
        let lower = text.to_ascii_lowercase();
        let place = |c: char| c.is_ascii_lowercase().then(|| c as usize - 'a' as usize);
        let mut letters = lower.chars();
        let file = letters.next().and_then(place);
        let rest = letters.as_str();
        let row = match rest.parse::<usize>() {
            Ok(number) if self.kind == Kind::Hex && rest.bytes().all(|c| c.is_ascii_digit()) => number.checked_sub(1),
            _ if rest.chars().count() == 1 => rest.chars().next().and_then(place),
            _ => None,
        };
        match (file, row) {
            (Some(file), Some(row)) if file < self.size && row < self.size => Ok((file, row)),
            _ if lower.starts_with("swap") => {
                Err(TextError::new(format!("{} is not a move here: Hex is played without swapping", quoted(text))))
            }
            _ => {
                let example = self.sgf_text((1, 2));
                let size = self.size;
                Err(TextError::expected(
                    text,
                    format!("a point of a {size}x{size} board: expected one as in {example}"),
                ))
            }
        }
    }

    /// A position with these stones.
    fn position(
        self,
        game: &dyn AnyGame,
        stones: &[Vec<Option<Player>>],
        mover: Player,
    ) -> Result<Box<dyn AnyGame>, TextError> {
        let sign = |player| if player == Player::FIRST { 'x' } else { 'o' };
        let rows: Vec<String> =
            stones.iter().map(|row| row.iter().map(|stone| stone.map_or('.', sign)).collect()).collect();
        game.parse_position(&format!("{} {}", rows.join("/"), sign(mover)))
    }

    /// The stones of a position, row by row from the top, and the player to move.
    fn stones(self, position: &dyn AnyGame) -> Option<(Vec<Vec<Option<Player>>>, Player)> {
        let text = position.position_text();
        let (rows, mover) = text.split_once(' ')?;
        let stone = |sign: char| match sign {
            'x' => Some(Some(Player::FIRST)),
            'o' => Some(Some(Player::SECOND)),
            '.' => Some(None),
            _ => None,
        };
        let rows: Option<Vec<Vec<_>>> = rows.split('/').map(|row| row.chars().map(stone).collect()).collect();
        Some((rows?, if mover == "o" { Player::SECOND } else { Player::FIRST }))
    }
}

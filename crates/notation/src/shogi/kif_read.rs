//! Reads KIF: headers, then a line for each move, then the variations from the last to the first.

use plyproof_engine::{AnyGame, Outcome, Player, Registry, TextError, quoted};

use super::{ENDS, End, FILES, NAME, PIECES, RANKS};
use crate::game::{ReadError, RecordedGame, check_result};
use crate::tree::{MoveTree, NodeId};

/// Moves of one line of play at most.
const MOST_PLIES: usize = 100_000;

/// Headers of KIF and ours.
pub(super) const HEADERS: [(&str, &str); 6] = [
    ("先手", "First"),
    ("後手", "Second"),
    ("開始日時", "Date"),
    ("棋戦", "Event"),
    ("場所", "Site"),
    ("持ち時間", "TimeControl"),
];

/// The game in a KIF text. Every move is checked by the rules.
pub fn read_kif(registry: &Registry, text: &str) -> Result<RecordedGame, ReadError> {
    let game = registry.open(NAME).map_err(|error| ReadError::new(1, 1, error))?;
    let mut reader = Reader::new(RecordedGame::new(game), registry);
    for (number, line) in text.lines().enumerate() {
        let indent = line.chars().take_while(|c| c.is_whitespace()).count() as u64;
        reader.line(line.trim()).map_err(|error| ReadError::new(number as u64 + 1, indent + 1, error))?;
    }
    let Reader { mut game, line, main_end, .. } = reader;
    let end = match main_end {
        Some(end) => end,
        None => line.last().map(|(_, position)| position.clone()).unwrap_or_else(|| game.start().clone_box()),
    };
    game.result = game.result.or(end.outcome());
    let lines = text.lines().count().max(1) as u64;
    check_result(&*end, game.result).map_err(|error| ReadError::new(lines, 1, error))?;
    Ok(game)
}

struct Reader<'a> {
    registry: &'a Registry,
    game: RecordedGame,
    /// The line of play so far: each move with the position after it.
    line: Vec<(NodeId, Box<dyn AnyGame>)>,
    /// The square of the last move, for `同`.
    squares: Vec<String>,
    /// Whether a variation is read, and the end of the game itself.
    variation: bool,
    main_end: Option<Box<dyn AnyGame>>,
    /// Whether the line of play has ended with a word such as 投了.
    ended: bool,
}

impl<'a> Reader<'a> {
    fn new(game: RecordedGame, registry: &'a Registry) -> Self {
        let (line, squares) = (Vec::new(), Vec::new());
        Self { registry, game, line, squares, variation: false, main_end: None, ended: false }
    }

    fn line(&mut self, line: &str) -> Result<(), TextError> {
        if line.is_empty() || line.starts_with(['#', '&']) || line.starts_with("手数") || line.starts_with("まで") {
            return Ok(());
        }
        if let Some(comment) = line.strip_prefix('*') {
            let node = self.line.last().map_or(MoveTree::ROOT, |(node, _)| *node);
            self.game.tree.notes_mut(node).add_comment(comment);
            return Ok(());
        }
        let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if digits > 0 {
            let number = line[..digits].parse().unwrap_or(usize::MAX);
            return self.play(number, line[digits..].trim_start());
        }
        match line.split_once(['：', ':']) {
            Some(("変化", place)) => self.branch(place.trim()),
            Some((name, value)) => self.header(name.trim(), value.trim()),
            None => Err(TextError::expected(
                line,
                "a line of KIF: expected a move as in 1 ２四角(25), a header, or * before a comment",
            )),
        }
    }

    fn header(&mut self, name: &str, value: &str) -> Result<(), TextError> {
        if !self.game.tree.is_empty() {
            return Ok(());
        }
        if name == "手合割" {
            let known = ["5五将棋", "５五将棋", "五五将棋"];
            return if known.contains(&value) {
                Ok(())
            } else {
                Err(TextError::new(format!(
                    "手合割 is {}; the game read here is 5五将棋, from its start position",
                    quoted(value)
                )))
            };
        }
        if name == "Game" {
            let game = self.registry.open(value)?;
            if game.described().name != NAME {
                return Err(TextError::expected(value, format!("a game that is written in KIF: expected {NAME}")));
            }
            let headers = std::mem::take(&mut self.game.headers);
            self.game = RecordedGame::new(game);
            self.game.headers = headers;
            return Ok(());
        }
        let own = HEADERS.iter().find(|(known, _)| *known == name).map_or(name, |(_, own)| own);
        // Names in other letters stand for what has no meaning here.
        if own.is_ascii() {
            let value = if own == "Date" { value.replace('/', "-") } else { value.to_string() };
            self.game.headers.set(own, &value)?;
        }
        Ok(())
    }

    /// `変化：9手`: what follows replaces the line of play from that move on.
    fn branch(&mut self, place: &str) -> Result<(), TextError> {
        let number = place.strip_suffix('手').unwrap_or(place).trim().parse::<usize>().ok();
        let Some(number) = number.filter(|number| (1..=self.line.len()).contains(number)) else {
            let most = self.line.len();
            return Err(TextError::expected(
                place,
                format!("a move that a variation can replace: expected 1手 to {most}手"),
            ));
        };
        if !self.variation {
            self.main_end = self.line.last().map(|(_, position)| position.clone());
        }
        self.line.truncate(number - 1);
        self.squares.truncate(number - 1);
        (self.variation, self.ended) = (true, false);
        Ok(())
    }

    fn play(&mut self, number: usize, text: &str) -> Result<(), TextError> {
        let expected = self.line.len() + 1;
        if number != expected {
            return Err(TextError::new(format!("move {number} where move {expected} is expected")));
        }
        if self.ended {
            return Err(TextError::new("a move after the end of the game"));
        }
        if let Some((word, end, reason)) = ENDS.iter().find(|(word, _, _)| text.starts_with(word)) {
            self.ended = true;
            return if self.variation {
                Ok(())
            } else {
                self.end(*end, reason).map_err(|error| TextError::new(format!("{word}: {error}")))
            };
        }
        if expected > MOST_PLIES {
            return Err(TextError::new(format!("more than {MOST_PLIES} moves")));
        }
        let (usi, square) = usi_move(text, self.squares.last().map(String::as_str))?;
        let (node, position) = match self.line.last() {
            Some((node, position)) => (*node, position.clone()),
            None => (MoveTree::ROOT, self.game.start().clone_box()),
        };
        let own = position.own_move(&usi)?;
        let mut position = position;
        position.play(&own)?;
        let node = self.game.tree.add(node, &own)?;
        self.game.tree.notes_mut(node).set_seconds(seconds(text));
        self.line.push((node, position));
        self.squares.push(square);
        Ok(())
    }

    fn end(&mut self, end: End, reason: &str) -> Result<(), TextError> {
        let mover = self.line.len() % 2;
        let mover = if mover == 0 { Player::FIRST } else { Player::SECOND };
        self.game.result = match end {
            End::Wins => Some(Outcome::win(mover)),
            End::Loses => Some(Outcome::win(mover.other())),
            End::Draw => Some(Outcome::DRAW),
            End::Unknown => None,
        };
        if self.game.headers.value("Reason").is_none() {
            self.game.headers.set("Reason", reason)?;
        }
        Ok(())
    }
}

/// The move of `２四角(25)`, `同　飛成(55)` or `３三歩打` in the notation of USI, and its square.
fn usi_move(text: &str, last: Option<&str>) -> Result<(String, String), TextError> {
    let wrong = || TextError::expected(text, "a move of KIF: expected one as in ２四角(25), 同　飛成(55) or ３三歩打");
    let (square, rest) = match text.strip_prefix('同') {
        Some(rest) => (last.ok_or_else(wrong)?.to_string(), rest.trim_start()),
        None => {
            let mut letters = text.chars();
            let digit = |c: char| c.to_digit(10).filter(|n| (1..=5).contains(n)).map(|n| n as usize);
            let file = letters.next().and_then(|c| FILES.iter().position(|f| *f == c).map(|n| n + 1).or(digit(c)));
            let rank = letters.next().and_then(|c| {
                RANKS.iter().position(|r| *r == c).or(FILES.iter().position(|f| *f == c)).map(|n| n + 1).or(digit(c))
            });
            let (file, rank) = file.zip(rank).ok_or_else(wrong)?;
            (square(file, rank), letters.as_str().trim_start())
        }
    };
    let names = PIECES.iter().flat_map(|(piece, names)| names.iter().map(move |name| (*piece, *name)));
    let (piece, rest) = names
        .into_iter()
        .find_map(|(piece, name)| rest.strip_prefix(name).map(|rest| (piece, rest)))
        .ok_or_else(wrong)?;
    let word = rest.split(['(', '（', ' ', '　']).next().unwrap_or_default();
    if word.contains('打') {
        return if piece.len() == 1 { Ok((format!("{piece}*{square}"), square)) } else { Err(wrong()) };
    }
    let promotes = match word {
        "成" => "+",
        "" | "不成" | "生" => "",
        _ => return Err(wrong()),
    };
    let origin = rest.split_once('(').and_then(|(_, inside)| inside.split_once(')')).map(|(inside, _)| inside);
    let mut digits = origin.ok_or_else(wrong)?.chars().map(|c| c.to_digit(10).filter(|n| (1..=5).contains(n)));
    match (digits.next(), digits.next(), digits.next()) {
        (Some(Some(file)), Some(Some(rank)), None) => {
            Ok((format!("{}{square}{promotes}", self::square(file as usize, rank as usize)), square))
        }
        _ => Err(wrong()),
    }
}

/// A square in the notation of USI.
fn square(file: usize, rank: usize) -> String {
    format!("{file}{}", char::from(b'a' + (rank - 1) as u8))
}

/// The seconds of `( 0:16/00:00:16)`, if the line has them.
fn seconds(text: &str) -> Option<f64> {
    let (_, inside) = text.rsplit_once('(')?;
    let (own, _) = inside.split_once('/')?;
    let (minutes, seconds) = own.split_once(':')?;
    let number = |text: &str| text.trim().parse::<u32>().ok().map(f64::from);
    Some(number(minutes)? * 60.0 + number(seconds)?)
}

//! Positions as SFEN, moves in our own notation and in that of the USI protocol.

use plyproof_core::{Player, TextError, quoted};

use super::board::Board;
use super::tables::{BISHOP, GOLD, HELD, KING, LAST_RANK, Move, PAWN, PROMOTED, ROOK, SILVER, SQUARES};
use crate::board::Grid;

const GRID: Grid = Grid::new(5, 5);
/// Letters of the kinds, upper case for the first player.
const LETTERS: [char; 6] = ['P', 'S', 'G', 'B', 'R', 'K'];
const NAMES: [&str; HELD] = ["pawns", "silvers", "golds", "bishops", "rooks"];
/// The order in which SFEN lists what is in hand.
const HAND_ORDER: [usize; HELD] = [ROOK, BISHOP, GOLD, SILVER, PAWN];

/// Board, side to move and hands of the start position.
pub(super) const START: [&str; 3] = ["rbsgk/4p/5/P4/KGSBR", "b", "-"];

fn letter(player: usize, kind: usize) -> char {
    if player == 0 { LETTERS[kind] } else { LETTERS[kind].to_ascii_lowercase() }
}

/// Owner and kind of a letter.
fn piece_of(letter: char) -> Option<(usize, usize)> {
    let kind = LETTERS.iter().position(|l| l.eq_ignore_ascii_case(&letter))?;
    Some((usize::from(letter.is_ascii_lowercase()), kind))
}

/// The position in SFEN. A position does not know its number, so that is always 1.
pub(super) fn sfen(board: &Board) -> String {
    let mut text = String::new();
    for rank in (0..5).rev() {
        let mut empty = 0;
        for file in 0..5 {
            let Some((player, piece)) = board.at(rank * 5 + file) else {
                empty += 1;
                continue;
            };
            push_count(&mut text, empty);
            empty = 0;
            if piece >= PROMOTED {
                text.push('+');
            }
            text.push(letter(player, piece % PROMOTED));
        }
        push_count(&mut text, empty);
        text.push(if rank > 0 { '/' } else { ' ' });
    }
    text.push_str(if board.mover == Player::FIRST { "b " } else { "w " });
    let hands = hand(board, 0) + &hand(board, 1);
    text.push_str(if hands.is_empty() { "-" } else { &hands });
    text + " 1"
}

fn push_count(text: &mut String, empty: usize) {
    if empty > 0 {
        text.push_str(&empty.to_string());
    }
}

/// What a player holds: `R2P`, or nothing.
fn hand(board: &Board, player: usize) -> String {
    let mut text = String::new();
    for kind in HAND_ORDER {
        match board.held(player, kind) {
            0 => {}
            1 => text.push(letter(player, kind)),
            held => text.push_str(&format!("{held}{}", letter(player, kind))),
        }
    }
    text
}

/// The board with coordinates and hands, `+` before what is promoted.
pub(super) fn draw(board: &Board) -> String {
    let mut text = String::new();
    for rank in (0..5).rev() {
        text.push_str(&format!("{:>2}", rank + 1));
        for file in 0..5 {
            let (sign, letter) = match board.at(rank * 5 + file) {
                None => (' ', '.'),
                Some((player, piece)) => (if piece >= PROMOTED { '+' } else { ' ' }, letter(player, piece % PROMOTED)),
            };
            text.extend([' ', sign, letter]);
        }
        text.push('\n');
    }
    text.push_str("    a  b  c  d  e\n");
    let [first, second] = [0, 1].map(|player| match hand(board, player) {
        held if held.is_empty() => "-".to_string(),
        held => held,
    });
    text + &format!("in hand: first player {first}, second player {second}")
}

/// Reads the board, the side to move and the hands of an SFEN text.
pub(super) fn parse_sfen(rows: &str, side: &str, hands: &str) -> Result<Board, TextError> {
    let mover = match side {
        "b" => Player::FIRST,
        "w" => Player::SECOND,
        _ => return Err(TextError::expected(side, "a side to move: expected b for the first player or w")),
    };
    let mut board = Board::empty(mover);
    let mut set = PieceSet::default();
    parse_rows(rows, &mut board, &mut set)?;
    parse_hands(hands, &mut board, &mut set)?;
    let wrong = |why: String| Err(TextError::new(format!("{} is not possible: {why}", quoted(rows))));
    if let Some(player) = set.kings.iter().position(|&count| count == 0) {
        return wrong(format!("player {} has no king", player + 1));
    }
    if board.in_check(mover.other()) {
        return wrong(format!("the king of player {} could be taken, but player {mover} is to move", mover.other()));
    }
    Ok(board)
}

/// What was read so far, to see that it is part of the set of pieces.
#[derive(Default)]
struct PieceSet {
    kings: [usize; 2],
    kinds: [usize; HELD],
}

impl PieceSet {
    /// Adds a piece; the reason if there may not be so many.
    fn add(&mut self, player: usize, kind: usize) -> Result<(), String> {
        if kind == KING {
            self.kings[player] += 1;
            return if self.kings[player] > 1 { Err(format!("player {} has two kings", player + 1)) } else { Ok(()) };
        }
        self.kinds[kind] += 1;
        if self.kinds[kind] > 2 {
            return Err(format!("there are more than two {}, those in hand included", NAMES[kind]));
        }
        Ok(())
    }
}

fn parse_rows(text: &str, board: &mut Board, set: &mut PieceSet) -> Result<(), TextError> {
    let wrong = |why: String| Err(TextError::new(format!("{} is not a MiniShogi board: {why}", quoted(text))));
    let mut rows = text.split('/');
    for rank in (0..5).rev() {
        let Some(row) = rows.next() else {
            return wrong("it needs 5 ranks joined by /".to_string());
        };
        let (mut file, mut promoted) = (0, false);
        for sign in row.chars() {
            let empty = if sign == '.' { 1 } else { sign.to_digit(10).unwrap_or(0) as usize };
            let piece = piece_of(sign).filter(|(_, kind)| !(promoted && matches!(*kind, GOLD | KING)));
            if sign == '+' && !promoted {
                promoted = true;
                continue;
            } else if empty > 0 && !promoted {
                file += empty;
            } else if let Some((player, kind)) = piece {
                if file < 5 {
                    let square = rank * 5 + file;
                    if kind == PAWN && !promoted {
                        pawn_may_stand(board, player, square).or_else(wrong)?;
                    }
                    set.add(player, kind).or_else(wrong)?;
                    board.put(player, if promoted { kind + PROMOTED } else { kind }, square);
                }
                promoted = false;
                file += 1;
            } else {
                let sign = quoted(&sign.to_string());
                return wrong(format!("{sign} is none of P S G B R K, +P +S +B +R, 1 to 5 or ."));
            }
            if file > 5 {
                break;
            }
        }
        if file != 5 || promoted {
            return wrong(format!("rank {} has not 5 squares", rank + 1));
        }
    }
    if rows.next().is_some() { wrong("it has more than 5 ranks".to_string()) } else { Ok(()) }
}

fn pawn_may_stand(board: &Board, player: usize, square: usize) -> Result<(), String> {
    if LAST_RANK[player] >> square & 1 != 0 {
        return Err(format!("a pawn of player {} is on its last rank", player + 1));
    }
    if (0..5).any(|rank| board.at(rank * 5 + square % 5) == Some((player, PAWN))) {
        return Err(format!("player {} has two pawns on a file", player + 1));
    }
    Ok(())
}

fn parse_hands(text: &str, board: &mut Board, set: &mut PieceSet) -> Result<(), TextError> {
    if text == "-" {
        return Ok(());
    }
    let wrong = || TextError::expected(text, "what the players hold: expected - or pieces as in R2Pb");
    let mut count = None;
    for sign in text.chars() {
        if let Some(digit) = sign.to_digit(10) {
            count = Some((count.unwrap_or(0) * 10 + digit).min(1000));
            continue;
        }
        let (player, kind) = piece_of(sign).filter(|&(_, kind)| kind < HELD).ok_or_else(wrong)?;
        if count == Some(0) {
            return Err(wrong());
        }
        for _ in 0..count.take().unwrap_or(1) {
            set.add(player, kind).map_err(|why| TextError::new(format!("{} is not possible: {why}", quoted(text))))?;
            board.hold(player, kind);
        }
    }
    if count.is_some() { Err(wrong()) } else { Ok(()) }
}

/// A move in our own notation: `a2a3`, `c4c5+`, `P*c3`.
pub(super) fn move_text(m: Move) -> String {
    written(m, |square| GRID.square_text(square % 5, square / 5))
}

/// A move in the notation of USI: `5d5c`, `3b3a+`, `P*3c`, files counted from the right, ranks lettered from the top.
pub(super) fn usi_text(m: Move) -> String {
    written(m, |square| format!("{}{}", 5 - square % 5, char::from(b'a' + (4 - square / 5) as u8)))
}

fn written(m: Move, name: impl Fn(usize) -> String) -> String {
    match m.dropped() {
        Some(kind) => format!("{}*{}", LETTERS[kind], name(m.to())),
        None => name(m.from()) + &name(m.to()) + if m.promotes() { "+" } else { "" },
    }
}

/// The move written `text` in either notation. It need not be legal.
pub(super) fn parse_move(text: &str) -> Option<Move> {
    let square = |at: usize| {
        let name = text.get(at..at + 2)?;
        let own = GRID.parse_square(name).map(|(file, rank)| rank * 5 + file);
        own.or_else(|| (0..SQUARES).find(|&square| usi_text(Move::step(square, square, false)).starts_with(name)))
    };
    if text.get(1..2) == Some("*") {
        let (player, kind) = piece_of(text.chars().next()?)?;
        return (player == 0 && kind < HELD && text.len() == 4).then_some(Move::drop(kind, square(2)?));
    }
    let promotes = text.len() == 5 && text.ends_with('+');
    (text.len() == 4 || promotes).then_some(Move::step(square(0)?, square(2)?, promotes))
}

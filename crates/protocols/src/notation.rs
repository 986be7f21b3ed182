//! Moves and positions as each protocol writes them, both ways.
//!
//! UGI uses plyproof's own notation. The others have notations for the games that they are made for, and take that of
//! plyproof for all other games.

use plyproof_engine::{AnyGame, TextError};

use crate::protocol::Protocol;

/// A move of plyproof's notation, legal at `position`, as the protocol writes it.
pub fn move_out(protocol: Protocol, position: &dyn AnyGame, text: &str) -> String {
    match protocol {
        Protocol::Ugi => text.to_string(),
        Protocol::Usi => position.move_in("usi", text).unwrap_or_else(|_| text.to_string()),
        Protocol::Uci => text.replace('*', "@"),
        Protocol::Gomocup => match square(text) {
            Some((file, rank)) => format!("{file},{}", rank - 1),
            None => text.to_string(),
        },
        Protocol::Gtp => match square(text) {
            Some((file, rank)) => format!("{}{rank}", column(position, file).to_ascii_uppercase()),
            None => text.to_string(),
        },
    }
}

/// What another program wrote as a move at `position`, in plyproof's notation, if it can be a move. Whether it is legal
/// is found out by playing it.
pub fn move_in(protocol: Protocol, position: &dyn AnyGame, text: &str) -> String {
    let own = match protocol {
        // Games read the notations that they name.
        Protocol::Ugi | Protocol::Usi => None,
        Protocol::Uci => Some(text.replace('@', "*")),
        Protocol::Gomocup => point(text).and_then(|(x, y)| Some(format!("{}{}", file_letter(x)?, y + 1))),
        Protocol::Gtp => square(&text.to_ascii_lowercase()).and_then(|(letter, rank)| {
            let file = (0..25).find(|&file| column(position, file) == char::from(b'a' + letter))?;
            Some(format!("{}{rank}", file_letter(file.into())?))
        }),
    };
    // Controllers of GTP write it in any case.
    let pass = protocol == Protocol::Gtp && text.eq_ignore_ascii_case("pass");
    own.unwrap_or_else(|| if pass { "pass".to_string() } else { text.to_string() })
}

/// A line of play from `position`, as far as it is legal, as the protocol writes it.
pub fn line_out(protocol: Protocol, position: &dyn AnyGame, line: &[String]) -> Vec<String> {
    let (mut at, mut words) = (position.clone_box(), Vec::with_capacity(line.len()));
    for text in line {
        let word = move_out(protocol, &*at, text);
        if at.play(text).is_err() {
            break;
        }
        words.push(word);
    }
    words
}

/// The position as `position fen …` or `position sfen …` writes it.
pub fn position_out(protocol: Protocol, position: &dyn AnyGame) -> String {
    let text = match protocol {
        Protocol::Usi => position.position_in("usi"),
        Protocol::Uci => fen_out(position),
        Protocol::Ugi | Protocol::Gomocup | Protocol::Gtp => None,
    };
    text.unwrap_or_else(|| position.position_text())
}

/// Reads a position of `game` that was written so.
pub fn position_in(protocol: Protocol, game: &dyn AnyGame, text: &str) -> Result<Box<dyn AnyGame>, TextError> {
    if protocol == Protocol::Uci
        && let Some(own) = fen_in(game, text)
    {
        return game.parse_position(&own);
    }
    game.parse_position(text)
}

/// `a1` as file and rank, the file counted from 0 and the rank from 1.
fn square(text: &str) -> Option<(u8, u32)> {
    let letter = text.bytes().next().filter(u8::is_ascii_lowercase)?;
    let digits = text.get(1..).filter(|digits| (1..=2).contains(&digits.len()))?;
    let rank = digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())??;
    (rank > 0).then_some((letter - b'a', rank))
}

/// `3,4` as Gomocup writes a point.
pub(crate) fn point(text: &str) -> Option<(u32, u32)> {
    let (x, y) = text.trim().split_once(',')?;
    let number = |part: &str| {
        let part = part.trim();
        let short = (1..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
        short.then(|| part.parse().ok())?
    };
    Some((number(x)?, number(y)?))
}

fn file_letter(file: u32) -> Option<char> {
    (file < 26).then(|| char::from(b'a' + file as u8))
}

/// The letter of a file in GTP, which has no column I but in Hex.
fn column(position: &dyn AnyGame, file: u8) -> char {
    let skipped = u8::from(file >= 8 && position.described().name != "hex");
    char::from(b'a' + file.min(24) + skipped)
}

/// Pieces of the games on chess boards whose letters in FEN differ from plyproof's.
fn piece(game: &dyn AnyGame) -> Option<char> {
    match &*game.described().name {
        "breakthrough" => Some('p'),
        "knightthrough" => Some('n'),
        _ => None,
    }
}

/// Forsyth-Edwards notation, of games that other programs write in it.
fn fen_out(position: &dyn AnyGame) -> Option<String> {
    if position.described().name == "minishogi" {
        let text = position.position_text();
        let mut words = text.split(' ');
        let (rows, side, hands) = (words.next()?, words.next()?, words.next()?);
        // What came before is lost, and with it repetitions.
        let hands = if hands == "-" { String::new() } else { repeated(hands) };
        return Some(format!("{rows}[{hands}] {} 0 1", if side == "b" { 'w' } else { 'b' }));
    }
    let piece = piece(position)?;
    let text = position.position_text();
    let (rows, side) = text.split_once(' ')?;
    let (mut fen, mut empty) = (String::new(), 0);
    for sign in rows.chars().chain([' ']) {
        if sign == '.' {
            empty += 1;
            continue;
        }
        if empty > 0 {
            fen += &std::mem::take(&mut empty).to_string();
        }
        fen.push(match sign {
            'x' => piece.to_ascii_uppercase(),
            'o' => piece,
            other => other,
        });
    }
    match side {
        "x" => Some(fen + "w - - 0 1"),
        "o" => Some(fen + "b - - 0 1"),
        _ => None,
    }
}

/// What a text in Forsyth-Edwards notation is in plyproof's; `None` if it is no such text.
fn fen_in(game: &dyn AnyGame, text: &str) -> Option<String> {
    let mut words = text.split_ascii_whitespace();
    let (rows, side) = (words.next()?, words.next()?);
    if game.described().name == "minishogi" {
        let (rows, hands) = rows.strip_suffix(']')?.split_once('[')?;
        let hands = if hands.is_empty() { "-" } else { hands };
        let side = match side {
            "w" => "b",
            "b" => "w",
            _ => return None,
        };
        return Some(format!("{rows} {side} {hands} 1"));
    }
    let piece = piece(game)?;
    let side = match side {
        "w" => "x",
        "b" => "o",
        _ => return None,
    };
    let mut own = String::new();
    for sign in rows.chars() {
        match sign {
            '1'..='8' => own.extend(std::iter::repeat_n('.', sign as usize - '0' as usize)),
            _ if sign == piece => own.push('o'),
            _ if sign == piece.to_ascii_uppercase() => own.push('x'),
            other => own.push(other),
        }
    }
    Some(format!("{own} {side}"))
}

/// `R2P` as `RPP`.
fn repeated(hands: &str) -> String {
    let (mut all, mut count) = (String::new(), 0);
    for sign in hands.chars() {
        match sign.to_digit(10) {
            Some(digit) => count = (count * 10 + digit).min(99),
            None => all.extend(std::iter::repeat_n(sign, std::mem::take(&mut count).max(1) as usize)),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use plyproof_engine::{Registry, Rng};

    use super::*;

    #[test]
    fn what_a_protocol_writes_it_reads_again_in_every_game() {
        let registry = Registry::builtin();
        for entry in registry.entries() {
            let start = entry.open_default().expect("a game");
            for protocol in Protocol::ALL {
                let mut position = start.clone_box();
                let opening = start.random_opening(&mut Rng::new(7), 6, 1000).unwrap_or_default();
                for played in opening {
                    for own in position.legal_moves() {
                        let word = move_out(protocol, &*position, &own);
                        assert_eq!(move_in(protocol, &*position, &word), read(protocol, &word, &own), "{word}");
                    }
                    position.play(&played).expect("legal");
                }
                let text = position_out(protocol, &*position);
                let again = position_in(protocol, &*start, &text).unwrap_or_else(|error| panic!("{text}: {error}"));
                assert_eq!(again.key(), position.key(), "{protocol}: {text}");
            }
        }
    }

    /// Games read USI themselves.
    fn read(protocol: Protocol, word: &str, own: &str) -> String {
        if protocol == Protocol::Usi { word.to_string() } else { own.to_string() }
    }

    #[test]
    fn moves_and_positions_are_those_of_other_programs() {
        let registry = Registry::builtin();
        let open = |name: &str| registry.open(name).expect("a game");
        let shogi = open("minishogi").parse_position("rbs1k/4p/5/P4/KGSBR b G 1").expect("a position");
        assert_eq!(move_out(Protocol::Usi, &*open("minishogi"), "e1e2"), "1e1d");
        assert_eq!(position_out(Protocol::Uci, &*shogi).split(' ').nth(1), Some("w"));
        assert_eq!(move_out(Protocol::Uci, &*shogi, "G*c3"), "G@c3");
        let start = "rbsgk/4p/5/P4/KGSBR[] w 0 1";
        assert_eq!(position_out(Protocol::Uci, &*open("minishogi")), start);
        let through = open("breakthrough");
        assert_eq!(position_out(Protocol::Uci, &*through), "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w - - 0 1");
        let gomoku = open("gomoku");
        assert_eq!(move_out(Protocol::Gomocup, &*gomoku, "h8"), "7,7");
        assert_eq!(move_in(Protocol::Gomocup, &*gomoku, "0, 14"), "a15");
        assert_eq!(move_out(Protocol::Gtp, &*gomoku, "i1"), "J1");
        assert_eq!(move_in(Protocol::Gtp, &*gomoku, "j1"), "i1");
        assert_eq!(move_out(Protocol::Gtp, &*open("hex"), "i1"), "I1");
        assert_eq!(repeated("R2P12b"), format!("RPP{}", "b".repeat(12)));
    }

    #[test]
    fn what_is_no_move_stays_what_it_is() {
        let gomoku = Registry::builtin().open("gomoku").expect("a game");
        for text in ["", ",", "1,", "é1", "7", "99,99", "1,2,3", "-1,4", "a0", "a001"] {
            for protocol in Protocol::ALL {
                let mut position = gomoku.clone_box();
                let word = move_in(protocol, &*position, text);
                assert!(position.play(&word).is_err(), "{protocol}: {text}");
            }
        }
    }
}

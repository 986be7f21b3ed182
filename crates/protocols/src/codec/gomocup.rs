//! The protocol of the Gomocup tournaments.

use std::io::{self, Write};
use std::time::Duration;

use plyproof_engine::{AnyGame, Clock, SearchReport, TextError, Thinking, quoted};

use super::{Codec, Next, While, chosen, one_line};
use crate::desk::{Desk, Setup};
use crate::notation::{move_in, move_out, point};
use crate::protocol::Protocol;
use crate::thinker::{Found, Job};

/// Kept back of every limit: managers count the time that the program needs to be started and to write.
const OVERHEAD: Duration = Duration::from_millis(30);
/// The limit of a move if the manager names none.
const USUAL_TURN: Duration = Duration::from_secs(30);
/// A move "at once".
const AT_ONCE: Duration = Duration::from_millis(10);

pub(crate) struct Gomocup {
    /// A game was named on the command line: its rules hold unless the manager names others.
    named: bool,
    /// Whether six in a row do not win.
    exact: Option<bool>,
    /// Rules that the game does not have.
    refused: Option<&'static str>,
    turn: Option<Duration>,
    timed_match: bool,
    left: Option<Duration>,
    /// Stones that the lines of a BOARD have put down so far.
    board: Option<Vec<(u32, u32, u32)>>,
    /// A game has begun.
    begun: bool,
}

impl Gomocup {
    pub(crate) fn new(setup: &Setup) -> Self {
        let named = setup.game.is_some();
        Self {
            named,
            exact: None,
            refused: None,
            turn: None,
            timed_match: false,
            left: None,
            board: None,
            begun: false,
        }
    }

    fn open(&mut self, desk: &mut Desk, game: &str, out: &mut dyn Write) -> io::Result<Next> {
        let opened = match self.refused {
            Some(rule) => Err(TextError::new(format!("the rule {rule} is not known; freestyle and exact five are"))),
            None => desk.open(game),
        };
        match opened {
            Ok(()) => {
                self.begun = true;
                writeln!(out, "OK")?;
            }
            Err(error) => writeln!(out, "ERROR {}", one_line(&error.to_string()))?,
        }
        Ok(Next::On)
    }

    /// The Gomoku of this size by the rules in force. Freestyle is what a manager means that names no rule.
    fn start(&mut self, desk: &mut Desk, size: &str, out: &mut dyn Write) -> io::Result<Next> {
        let Some(size) = size.trim().parse::<u8>().ok().filter(|size| (5..=19).contains(size)) else {
            return answer(out, &format!("ERROR the size is 5 to 19, not {}", quoted(size.trim())));
        };
        let named = self.named && desk.start().described().name == "gomoku";
        let exact = self.exact.unwrap_or_else(|| named && desk.start().params().flag("exact"));
        self.open(desk, &format!("gomoku(size={size},exact={exact})"), out)
    }

    fn rectangle(&mut self, desk: &mut Desk, sides: &str, out: &mut dyn Write) -> io::Result<Next> {
        match point(sides) {
            Some((width, height)) if self.exact != Some(true) => {
                self.open(desk, &format!("mnk(m={width},n={height},k=5)"), out)
            }
            Some(_) => answer(out, "ERROR a board that is no square has the rule freestyle"),
            None => answer(out, &format!("ERROR the sides are width,height, not {}", quoted(sides.trim()))),
        }
    }

    fn info(&mut self, desk: &mut Desk, rest: &str) {
        let mut words = rest.split_ascii_whitespace();
        let (Some(key), Some(value)) = (words.next(), words.next()) else { return };
        let Ok(number) = value.parse::<i64>() else { return };
        let number = u64::try_from(number).unwrap_or(0);
        let time = Duration::from_millis(number.min(1 << 40));
        match key {
            "timeout_turn" => self.turn = Some(time),
            // 0 means that the match has no limit, and what is left then means nothing.
            "timeout_match" => self.timed_match = number > 0,
            "time_left" => self.left = Some(time),
            "max_memory" if number > 0 => {
                // Half of it is left to the program itself; a wrong number changes nothing.
                let _ = desk.set_option("Hash", &((number / 2) >> 20).max(1).to_string());
            }
            "rule" => {
                self.exact = Some(number & 1 != 0);
                self.refused = match number {
                    _ if number & 4 != 0 => Some("renju"),
                    _ if number & 8 != 0 => Some("caro"),
                    _ => None,
                };
            }
            _ => {}
        }
    }

    /// A search by the limits that the manager has named.
    fn search(&self, desk: &Desk, out: &mut dyn Write) -> io::Result<Next> {
        if !self.begun {
            return answer(out, "ERROR no game has begun; START does that");
        }
        if desk.position().outcome().is_some() {
            return answer(out, "ERROR the game is over");
        }
        let turn = self.turn.unwrap_or(USUAL_TURN).max(AT_ONCE);
        let thinking = match self.left.filter(|_| self.timed_match) {
            Some(left) => Clock { left, move_limit: Some(turn), ..Clock::default() }.thinking(OVERHEAD),
            None => Thinking::for_move(turn, OVERHEAD),
        };
        Ok(Next::Search(Job { thinking: Some(thinking), ..Job::default() }))
    }

    fn play(&self, desk: &mut Desk, text: &str) -> Result<(), TextError> {
        if !self.begun {
            return Err(TextError::new("no game has begun; START does that".to_string()));
        }
        let word = move_in(Protocol::Gomocup, desk.position(), text.trim());
        desk.play(&word)
    }

    /// The stones of a BOARD: whoever has as many as the opponent is to move, and that is we.
    fn set_board(&self, desk: &mut Desk, stones: &[(u32, u32, u32)]) -> Result<(), TextError> {
        let count = |who| stones.iter().filter(|stone| stone.2 == who).count();
        let (own, other) = (count(1), count(2));
        let first = own == other;
        if !first && own + 1 != other {
            return Err(TextError::new(format!("{own} own stones and {other} of the opponent are not possible")));
        }
        let signs = if first { ['x', 'o'] } else { ['o', 'x'] };
        let mut rows = rows(desk.start());
        for &(x, y, who) in stones {
            let row = rows.iter_mut().rev().nth(y as usize);
            let place = row.and_then(|row| row.get_mut(x as usize));
            let place = place.ok_or_else(|| TextError::new(format!("{x},{y} is not on the board")))?;
            if *place != '.' {
                return Err(TextError::new(format!("{x},{y} has a stone already")));
            }
            *place = signs[usize::from(who == 2)];
        }
        let board: Vec<String> = rows.into_iter().map(String::from_iter).collect();
        let text = format!("{} {}", board.join("/"), signs[0]);
        desk.set_position(desk.start().parse_position(&text)?);
        Ok(())
    }

    fn take_back(&self, desk: &mut Desk, text: &str) -> Result<(), TextError> {
        let wrong = || TextError::new(format!("{} has no stone to take back", quoted(text.trim())));
        let (x, y) = point(text).ok_or_else(wrong)?;
        let mut rows = rows(desk.position());
        let place = rows.iter_mut().rev().nth(y as usize).and_then(|row| row.get_mut(x as usize)).ok_or_else(wrong)?;
        if std::mem::replace(place, '.') == '.' {
            return Err(wrong());
        }
        let all: String = rows.iter().map(String::from_iter).collect::<Vec<_>>().join("/");
        let count = |sign| all.chars().filter(|&c| c == sign).count();
        let mover = if count('x') > count('o') { 'o' } else { 'x' };
        desk.set_position(desk.start().parse_position(&format!("{all} {mover}"))?);
        Ok(())
    }

    fn board_line(&mut self, desk: &mut Desk, line: &str, out: &mut dyn Write) -> io::Result<Next> {
        if line == "DONE" {
            let stones = self.board.take().unwrap_or_default();
            return match self.set_board(desk, &stones) {
                Ok(()) => self.search(desk, out),
                Err(error) => answer(out, &format!("ERROR {}", one_line(&error.to_string()))),
            };
        }
        let stone = line.rsplit_once(',').and_then(|(at, who)| {
            let (x, y) = point(at)?;
            Some((x, y, who.trim().parse::<u32>().ok().filter(|who| (1..=3).contains(who))?))
        });
        match (stone, &mut self.board) {
            (Some(stone), Some(stones)) if stones.len() < 400 => stones.push(stone),
            _ => {
                self.board = None;
                return answer(out, &format!("ERROR {} is not x,y,who with who 1, 2 or 3", quoted(line)));
            }
        }
        Ok(Next::On)
    }
}

/// The rows of a board, the highest rank first.
fn rows(position: &dyn AnyGame) -> Vec<Vec<char>> {
    let text = position.position_text();
    text.split(' ').next().unwrap_or_default().split('/').map(|row| row.chars().collect()).collect()
}

fn answer(out: &mut dyn Write, text: &str) -> io::Result<Next> {
    writeln!(out, "{}", one_line(text))?;
    Ok(Next::On)
}

impl Codec for Gomocup {
    fn line(&mut self, desk: &mut Desk, line: &str, out: &mut dyn Write) -> io::Result<Next> {
        let line = line.trim();
        if self.board.is_some() {
            return self.board_line(desk, line, out);
        }
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let wrong = |error: TextError| format!("ERROR {}", one_line(&error.to_string()));
        match word.to_ascii_uppercase().as_str() {
            "" => Ok(Next::On),
            "START" => self.start(desk, rest, out),
            "RECTSTART" => self.rectangle(desk, rest, out),
            "RESTART" if self.begun => {
                desk.new_game();
                answer(out, "OK")
            }
            "BEGIN" => self.search(desk, out),
            "TURN" => match self.play(desk, rest) {
                Ok(()) => self.search(desk, out),
                Err(error) => answer(out, &wrong(error)),
            },
            "PLAY" => match self.play(desk, rest) {
                Ok(()) => answer(out, rest.trim()),
                Err(error) => answer(out, &wrong(error)),
            },
            "BOARD" if self.begun => {
                self.board = Some(Vec::new());
                Ok(Next::On)
            }
            "TAKEBACK" if self.begun => match self.take_back(desk, rest) {
                Ok(()) => answer(out, "OK"),
                Err(error) => answer(out, &wrong(error)),
            },
            "RESTART" | "BOARD" | "TAKEBACK" => answer(out, "ERROR no game has begun; START does that"),
            "INFO" => {
                self.info(desk, rest);
                Ok(Next::On)
            }
            "ABOUT" => {
                let version = env!("CARGO_PKG_VERSION");
                answer(
                    out,
                    &format!("name=\"plyproof\", version=\"{version}\", author=\"The plyproof authors\", country=\"\""),
                )
            }
            "END" => Ok(Next::Quit),
            // Openings of which the engine chooses a part are declined this way.
            other => answer(out, &format!("UNKNOWN {}", quoted(other))),
        }
    }

    fn during(&mut self, line: &str, _out: &mut dyn Write) -> io::Result<While> {
        Ok(match line.trim().to_ascii_uppercase().as_str() {
            "END" => While::Quit,
            // Some managers ask for a move at once.
            "STOP" | "YXSTOP" => While::Stop,
            _ => While::Later,
        })
    }

    fn seen(&mut self, desk: &Desk, _job: &Job, report: &SearchReport, out: &mut dyn Write) -> io::Result<()> {
        let best = report.best.as_deref().map(|best| move_out(Protocol::Gomocup, desk.position(), best));
        writeln!(out, "MESSAGE {} simulations, best {}", report.simulations, best.unwrap_or_default())
    }

    fn found(&mut self, desk: &mut Desk, _job: &Job, found: Found, out: &mut dyn Write) -> io::Result<Next> {
        let (best, problem) = chosen(desk.position(), &found);
        if let Some(problem) = problem {
            writeln!(out, "DEBUG {problem}")?;
        }
        let Some(best) = best else { return answer(out, "ERROR there is no move") };
        let word = move_out(Protocol::Gomocup, desk.position(), &best);
        match desk.play(&best) {
            Ok(()) => answer(out, &word),
            Err(error) => answer(out, &format!("ERROR {error}")),
        }
    }

    fn complain(&mut self, out: &mut dyn Write, what: &str) -> io::Result<()> {
        writeln!(out, "ERROR {what}")
    }
}

//! The Go text protocol, for games in which stones are placed; other games are played with their moves as plyproof writes
//! them.

use std::io::{self, Write};
use std::time::Duration;

use plyproof_engine::{Clock, Player, SearchReport, TextError, Thinking, quoted};

use super::{Codec, Next, While, chosen, one_line};
use crate::desk::Desk;
use crate::notation::{line_out, move_in, move_out};
use crate::protocol::Protocol;
use crate::thinker::{Found, Job, Kind};

/// Kept back of a clock for the way of a move to the controller.
const OVERHEAD: Duration = Duration::from_millis(15);
/// Time for a move while no clock is set.
const USUAL_TIME: Duration = Duration::from_secs(1);

const COMMANDS: [&str; 20] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
    "undo",
    "showboard",
    "time_settings",
    "time_left",
    "final_score",
    "kata-analyze",
    "lz-analyze",
    "plyproof-game",
    "plyproof-agent",
];

#[derive(Default)]
pub(crate) struct Gtp {
    /// The moves of the game, for taking them back.
    moves: Vec<String>,
    settings: Option<Settings>,
    /// Time and stones that each player has left, as the controller says.
    left: [Option<(Duration, u32)>; 2],
    /// The identity of the command that a search answers.
    identity: String,
    /// The search is an analysis, which the next command ends.
    analysing: bool,
}

#[derive(Clone, Copy)]
struct Settings {
    main: Duration,
    byoyomi: Duration,
    stones: u32,
}

/// The answer to a command, or why it failed.
type Answer = Result<String, TextError>;

impl Gtp {
    fn command(&mut self, desk: &mut Desk, name: &str, arguments: &[&str]) -> Answer {
        match name {
            "protocol_version" => Ok("2".to_string()),
            "name" => Ok("plyproof".to_string()),
            "version" => Ok(env!("CARGO_PKG_VERSION").to_string()),
            "known_command" => Ok(arguments.first().is_some_and(|name| COMMANDS.contains(name)).to_string()),
            "list_commands" => Ok(COMMANDS.join("\n")),
            "komi" | "quit" => Ok(String::new()),
            "boardsize" => self.board_size(desk, arguments.first().copied().unwrap_or_default()),
            "clear_board" => {
                self.moves.clear();
                self.left = [None; 2];
                desk.new_game();
                Ok(String::new())
            }
            "play" => {
                let [color, vertex] = arguments else { return Err(error("play needs a color and a vertex")) };
                self.to_move(desk, color)?;
                let text = move_in(Protocol::Gtp, desk.position(), vertex);
                desk.play(&text).map_err(|why| TextError::new(format!("illegal move: {why}")))?;
                self.moves.push(text);
                Ok(String::new())
            }
            "undo" => {
                if self.moves.pop().is_none() {
                    return Err(error("cannot undo"));
                }
                let mut position = desk.start().clone_box();
                self.moves.iter().try_for_each(|text| position.play(text))?;
                desk.set_position(position);
                Ok(String::new())
            }
            "showboard" => Ok(format!("\n{}", desk.position().board())),
            "final_score" => match desk.position().outcome().map(|outcome| outcome.winner()) {
                None => Err(error("the game is not over")),
                Some(None) => Ok("0".to_string()),
                Some(Some(winner)) => Ok(if winner == Player::FIRST { "B+1" } else { "W+1" }.to_string()),
            },
            "time_settings" => {
                let [main, byoyomi, stones] = arguments else {
                    return Err(error("time_settings needs main time, byo-yomi time and byo-yomi stones"));
                };
                let settings =
                    Settings { main: seconds(main)?, byoyomi: seconds(byoyomi)?, stones: whole(stones)? as u32 };
                // No byo-yomi stones but byo-yomi time: there is no limit.
                let unlimited = settings.stones == 0 && !settings.byoyomi.is_zero();
                (self.settings, self.left) = ((!unlimited).then_some(settings), [None; 2]);
                Ok(String::new())
            }
            "time_left" => {
                let [color, time, stones] = arguments else {
                    return Err(error("time_left needs a color, a time and stones"));
                };
                self.left[player(color)?.index()] = Some((seconds(time)?, whole(stones)? as u32));
                Ok(String::new())
            }
            "plyproof-game" => {
                desk.open(&arguments.join(" "))?;
                self.moves.clear();
                Ok(String::new())
            }
            "plyproof-agent" => desk.set_option("Agent", &arguments.join(" ")).map(|()| String::new()),
            _ => Err(error("unknown command")),
        }
    }

    fn board_size(&mut self, desk: &mut Desk, size: &str) -> Answer {
        let game = desk.start();
        let (name, parameters) = (game.described().name.clone(), &game.described().parameters);
        let wanted =
            whole(size).ok().filter(|size| (1..=25).contains(size)).ok_or_else(|| error("unacceptable size"))?;
        let mut arguments: Vec<String> = Vec::new();
        let mut sized = false;
        for parameter in parameters {
            let value = match &*parameter.name {
                "size" | "width" | "height" | "m" | "n" => {
                    sized = true;
                    wanted.to_string()
                }
                other => game.params().text(other).to_string(),
            };
            arguments.push(format!("{}={value}", parameter.name));
        }
        if !sized {
            return Err(error("unacceptable size"));
        }
        desk.open(&format!("{name}({})", arguments.join(","))).map_err(|_| error("unacceptable size"))?;
        self.moves.clear();
        Ok(String::new())
    }

    fn to_move(&self, desk: &Desk, color: &str) -> Result<(), TextError> {
        match player(color)? == desk.position().to_move() {
            true => Ok(()),
            false => Err(error("illegal move: the other color is to move")),
        }
    }

    /// The search that `genmove` or an analysis asks for.
    fn job(&self, desk: &Desk, name: &str, arguments: &[&str]) -> Result<Job, TextError> {
        if name == "genmove" {
            let color = arguments.first().ok_or_else(|| error("genmove needs a color"))?;
            self.to_move(desk, color)?;
        }
        if desk.position().outcome().is_some() {
            return Err(error("the game is over"));
        }
        if name != "genmove" {
            let hundredths = arguments.iter().find_map(|word| word.parse::<u64>().ok()).unwrap_or(50);
            let interval = Some(Duration::from_millis(10 * hundredths.clamp(1, 100_000)));
            return Ok(Job { kind: Kind::Analysis, infinite: true, interval, ..Job::default() });
        }
        let thinking = match (self.settings, self.left[desk.position().to_move().index()]) {
            (None, _) => Thinking::for_move(USUAL_TIME, OVERHEAD),
            (Some(settings), None) => {
                let left = if settings.main.is_zero() { settings.byoyomi } else { settings.main };
                let moves_to_go = (settings.main.is_zero() && settings.stones > 0).then_some(settings.stones);
                Clock { left, moves_to_go, ..Clock::default() }.thinking(OVERHEAD)
            }
            (Some(_), Some((left, stones))) => {
                let moves_to_go = (stones > 0).then_some(stones);
                Clock { left, moves_to_go, ..Clock::default() }.thinking(OVERHEAD)
            }
        };
        Ok(Job { thinking: Some(thinking), ..Job::default() })
    }
}

impl Codec for Gtp {
    fn line(&mut self, desk: &mut Desk, line: &str, out: &mut dyn Write) -> io::Result<Next> {
        // A tab is a space, a number sign begins a comment.
        let line = line.split('#').next().unwrap_or_default();
        let mut words: Vec<&str> = line.split(|c: char| c.is_whitespace() || c.is_control()).collect();
        words.retain(|word| !word.is_empty());
        let is_number = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit()) && word.len() <= 9;
        let identity = if words.first().is_some_and(is_number) { words.remove(0) } else { "" };
        let Some((&name, arguments)) = words.split_first() else { return Ok(Next::On) };
        if let "genmove" | "kata-analyze" | "lz-analyze" = name {
            return match self.job(desk, name, arguments) {
                Ok(job) => {
                    self.identity = identity.to_string();
                    self.analysing = job.kind == Kind::Analysis;
                    if self.analysing {
                        writeln!(out, "={identity}")?;
                    }
                    Ok(Next::Search(job))
                }
                Err(why) => reply(out, identity, Err(why)),
            };
        }
        let answer = self.command(desk, name, arguments);
        reply(out, identity, answer)?;
        Ok(if name == "quit" { Next::Quit } else { Next::On })
    }

    fn during(&mut self, _line: &str, _out: &mut dyn Write) -> io::Result<While> {
        // An analysis ends with the next command; moves are waited for.
        Ok(if self.analysing { While::StopAndLater } else { While::Later })
    }

    fn seen(&mut self, desk: &Desk, job: &Job, report: &SearchReport, out: &mut dyn Write) -> io::Result<()> {
        if job.kind != Kind::Analysis {
            return Ok(());
        }
        let position = desk.position();
        for (order, found) in report.moves.iter().filter(|found| found.visits > 0).take(20).enumerate() {
            let line = if order == 0 { line_out(Protocol::Gtp, position, &report.line) } else { Vec::new() };
            let word = move_out(Protocol::Gtp, position, &found.text);
            let line = if line.is_empty() { word.clone() } else { line.join(" ") };
            let share = (1.0 + found.mean) / 2.0;
            let space = if order > 0 { " " } else { "" };
            write!(out, "{space}info move {word} visits {} winrate {share:.4} order {order} pv {line}", found.visits)?;
        }
        writeln!(out)
    }

    fn found(&mut self, desk: &mut Desk, job: &Job, found: Found, out: &mut dyn Write) -> io::Result<Next> {
        let identity = std::mem::take(&mut self.identity);
        if job.kind == Kind::Analysis {
            writeln!(out)?;
            return Ok(Next::On);
        }
        let (best, _) = chosen(desk.position(), &found);
        let Some(best) = best else { return reply(out, &identity, Err(error("there is no move"))) };
        let word = move_out(Protocol::Gtp, desk.position(), &best);
        let answer = desk.play(&best).map(|()| word);
        self.moves.push(best);
        reply(out, &identity, answer)
    }

    fn complain(&mut self, out: &mut dyn Write, what: &str) -> io::Result<()> {
        reply(out, "", Err(error(what))).map(|_| ())
    }
}

fn reply(out: &mut dyn Write, identity: &str, answer: Answer) -> io::Result<Next> {
    match answer {
        Ok(text) => write!(out, "={identity} {text}\n\n")?,
        Err(why) => write!(out, "?{identity} {}\n\n", one_line(&why.to_string()))?,
    }
    Ok(Next::On)
}

fn error(what: &str) -> TextError {
    TextError::new(what.to_string())
}

fn player(color: &str) -> Result<Player, TextError> {
    match color.to_ascii_lowercase().as_str() {
        "b" | "black" => Ok(Player::FIRST),
        "w" | "white" => Ok(Player::SECOND),
        _ => Err(TextError::new(format!("{} is not a color: black or white is", quoted(color)))),
    }
}

fn whole(text: &str) -> Result<u64, TextError> {
    let number = text.parse().ok().filter(|number| *number <= 1_000_000);
    number.ok_or_else(|| TextError::new(format!("{} is not a whole number up to 1000000", quoted(text))))
}

fn seconds(text: &str) -> Result<Duration, TextError> {
    let number = text.parse().ok().filter(|number| (0.0..=1e8).contains(number));
    number
        .map(Duration::from_secs_f64)
        .ok_or_else(|| TextError::new(format!("{} is not a number of seconds", quoted(text))))
}

//! UGI, USI and UCI: one grammar with three vocabularies.

use std::io::{self, Write};
use std::time::Duration;

use plyproof_core::Wdl;
use plyproof_engine::{AnyGame, Clock, Player, SearchReport, TextError, Thinking, quoted};

use super::{Codec, Next, While, chosen, one_line};
use crate::desk::{Desk, MOST_MEGABYTES, Setup};
use crate::notation::{line_out, move_in, move_out, position_in};
use crate::protocol::Protocol;
use crate::thinker::{Found, Job, Kind};

/// Kept back of a clock for the way of a move to the manager.
const OVERHEAD: Duration = Duration::from_millis(15);
/// Simulations for each ply of `go depth`: the tree of a Monte-Carlo search has no depth that could be asked for.
const SIMULATIONS_A_PLY: u64 = 1000;
/// Most moves that a position may be followed by.
const MOST_MOVES: usize = 100_000;

pub(crate) struct Uci {
    protocol: Protocol,
}

impl Uci {
    pub(crate) fn new(protocol: Protocol) -> Self {
        Self { protocol }
    }

    fn greet(&self, desk: &Desk, out: &mut dyn Write) -> io::Result<()> {
        let setup = desk.setup();
        writeln!(out, "id name plyproof {}", env!("CARGO_PKG_VERSION"))?;
        writeln!(out, "id author The plyproof authors")?;
        let hash = match self.protocol {
            Protocol::Usi => "USI_Hash",
            _ => "Hash",
        };
        if self.protocol == Protocol::Usi {
            writeln!(out, "option name USI_Ponder type check default true")?;
        }
        if self.protocol == Protocol::Uci {
            let games = desk.registry().entries().map(|entry| format!(" var {}", entry.described().name));
            let name = &desk.start().described().name;
            writeln!(out, "option name UCI_Variant type combo default {name}{}", games.collect::<String>())?;
            writeln!(out, "option name Ponder type check default false")?;
        }
        writeln!(out, "option name {hash} type spin default {} min 1 max {MOST_MEGABYTES}", setup.memory >> 20)?;
        writeln!(out, "option name Threads type spin default {} min 1 max {}", setup.threads, Setup::MOST_THREADS)?;
        writeln!(out, "option name Game type string default {}", desk.start().name())?;
        writeln!(out, "option name Agent type string default {}", setup.agent)?;
        writeln!(out, "option name Seed type string default {}", setup.seed)?;
        writeln!(out, "{}ok", self.protocol)
    }

    fn set_option(&self, desk: &mut Desk, rest: &str) -> Result<(), TextError> {
        let rest = rest.trim();
        let wrong = || TextError::new(format!("{} is not of the form name N value V", quoted(rest)));
        let rest = rest.strip_prefix("name ").ok_or_else(wrong)?;
        let (name, value) = rest.split_once(" value ").map_or((rest, ""), |(name, value)| (name, value));
        let (name, value) = (name.trim(), value.trim());
        match name.to_ascii_lowercase().as_str() {
            "uci_variant" | "usi_variant" => match desk.start().described().name == value {
                // Its parameters stay what they are.
                true => Ok(()),
                false if value == "minishogi" => desk.open("minishogi(repetition=standard)"),
                false => desk.open(value),
            },
            // Whether to ponder is the manager's business.
            "usi_ponder" | "ponder" | "uci_analysemode" | "multipv" => Ok(()),
            _ => desk.set_option(name, value),
        }
    }

    fn position(&self, desk: &Desk, rest: &str) -> Result<Box<dyn AnyGame>, TextError> {
        let rest = rest.trim();
        let (place, moves) = match rest.split_once(" moves") {
            Some((place, moves)) => (place.trim(), moves),
            None => (rest.strip_suffix(" moves").unwrap_or(rest), ""),
        };
        let mut position = if place == "startpos" {
            desk.start().clone_box()
        } else {
            let text = ["fen ", "sfen "].iter().find_map(|word| place.strip_prefix(word)).ok_or_else(|| {
                let word = if self.protocol == Protocol::Usi { "sfen" } else { "fen" };
                TextError::new(format!("{} is not a position: startpos or {word} and its text is", quoted(place)))
            })?;
            position_in(self.protocol, desk.start(), text.trim())?
        };
        for (count, word) in moves.split_ascii_whitespace().enumerate() {
            if count == MOST_MOVES {
                return Err(TextError::new(format!("more than {MOST_MOVES} moves")));
            }
            let text = move_in(self.protocol, &*position, word);
            let played = position.play(&text);
            played.map_err(|error| TextError::new(format!("move {}: {error}", count + 1)))?;
        }
        Ok(position)
    }

    fn job(&self, desk: &Desk, rest: &str) -> Result<Job, TextError> {
        let (mut job, mut clock, mut has_clock) = (Job::default(), Clock::default(), false);
        let mut limits = Vec::new();
        let first = desk.position().to_move() == Player::FIRST;
        let mut words = rest.split_ascii_whitespace();
        while let Some(word) = words.next() {
            match word {
                "infinite" => job.infinite = true,
                "ponder" => job.ponder = true,
                "searchmoves" => break,
                "mate" if self.protocol == Protocol::Usi => {
                    job.kind = Kind::Mate;
                    match words.next() {
                        None | Some("infinite") => {}
                        Some(number) => limits.push(Thinking::for_move(millis("mate", number)?, OVERHEAD)),
                    }
                }
                _ => {
                    let number =
                        words.next().ok_or_else(|| TextError::new(format!("{} has no number", quoted(word))))?;
                    // The player who moves first is White in UCI and Black in USI.
                    let own = match word {
                        "p1time" | "p1inc" => first,
                        "p2time" | "p2inc" => !first,
                        "btime" | "binc" => first == (self.protocol == Protocol::Usi),
                        "wtime" | "winc" => first != (self.protocol == Protocol::Usi),
                        _ => true,
                    };
                    match word {
                        "nodes" => job.nodes = Some(whole(word, number)?.max(1)),
                        "depth" => job.nodes = Some(whole(word, number)?.clamp(1, 1 << 40) * SIMULATIONS_A_PLY),
                        "movetime" => limits.push(Thinking::for_move(millis(word, number)?, OVERHEAD)),
                        "movestogo" => clock.moves_to_go = Some(whole(word, number)?.min(10_000) as u32),
                        "byoyomi" => (clock.byoyomi, has_clock) = (millis(word, number)?, true),
                        "p1time" | "p2time" | "btime" | "wtime" if own => {
                            (clock.left, has_clock) = (millis(word, number)?, true);
                        }
                        "p1time" | "p2time" | "btime" | "wtime" => clock.opponent = millis(word, number)?,
                        "p1inc" | "p2inc" | "binc" | "winc" if own => clock.increment = millis(word, number)?,
                        "p1inc" | "p2inc" | "binc" | "winc" | "mate" => drop(whole(word, number)?),
                        _ => {
                            let why = format!("{} is not a limit: nodes, depth, movetime or a clock is", quoted(word));
                            return Err(TextError::new(why));
                        }
                    }
                }
            }
        }
        if has_clock {
            // Managers that tell the time left after the increment was added take it away again here.
            limits.push(clock.thinking(OVERHEAD));
        }
        job.thinking = limits.into_iter().reduce(|one, other| one.at_most(other.most));
        job.infinite |= job.thinking.is_none() && job.nodes.is_none() && job.kind == Kind::Move;
        if job.infinite {
            job.thinking = None;
        }
        Ok(job)
    }

    fn query(&self, desk: &Desk, what: &str, out: &mut dyn Write) -> io::Result<()> {
        let position = desk.position();
        let outcome = position.outcome();
        let answer = match what.trim() {
            "p1turn" => (position.to_move() == Player::FIRST && outcome.is_none()).to_string(),
            "gameover" => outcome.is_some().to_string(),
            "result" => match outcome.map(|outcome| outcome.of(Player::FIRST)) {
                None => "none",
                Some(Wdl::Win) => "p1win",
                Some(Wdl::Loss) => "p2win",
                Some(Wdl::Draw) => "draw",
            }
            .to_string(),
            other => return self.say(out, &format!("unknown query {}: p1turn, gameover or result", quoted(other))),
        };
        writeln!(out, "response {answer}")
    }

    fn say(&self, out: &mut dyn Write, what: &str) -> io::Result<()> {
        writeln!(out, "info string {}", one_line(what))
    }

    /// The answer when there is no move to be had.
    fn no_move(&self) -> &'static str {
        match self.protocol {
            Protocol::Usi => "bestmove resign",
            _ => "bestmove 0000",
        }
    }

    fn go(&self, desk: &Desk, rest: &str, out: &mut dyn Write) -> io::Result<Next> {
        let job = match self.job(desk, rest) {
            Ok(job) => job,
            Err(error) => {
                self.say(out, &error.to_string())?;
                writeln!(out, "{}", self.no_move())?;
                return Ok(Next::On);
            }
        };
        let finished = || desk.position().outcome().map(|_| "the game is over".to_string());
        let Some(why) = desk.fault().map(str::to_string).or_else(finished) else { return Ok(Next::Search(job)) };
        self.say(out, &why)?;
        match job.kind {
            Kind::Mate => writeln!(out, "checkmate nomate")?,
            Kind::Move | Kind::Analysis => writeln!(out, "{}", self.no_move())?,
        }
        Ok(Next::On)
    }

    fn info(&self, position: &dyn AnyGame, report: &SearchReport, out: &mut dyn Write) -> io::Result<()> {
        let line = line_out(self.protocol, position, &report.line);
        let depth = line.len().max(1);
        write!(
            out,
            "info depth {depth} seldepth {depth} multipv 1 nodes {} nps {:.0} time {:.0} score {}",
            report.simulations,
            report.simulations_per_s,
            report.seconds * 1e3,
            self.score(report, line.len())
        )?;
        if !line.is_empty() {
            write!(out, " pv {}", line.join(" "))?;
        }
        writeln!(out)?;
        match report.numbers {
            Some(numbers) => writeln!(out, "info pn {} dpn {}", numbers.pn, numbers.dpn),
            None => Ok(()),
        }
    }

    /// A proven win as the plies (in UCI the moves of the winner) of the line that is shown, everything else as the
    /// difference of strength in Elo that would give the expected score.
    fn score(&self, report: &SearchReport, plies: usize) -> String {
        let mate = |sign: &str| match self.protocol {
            Protocol::Uci => format!("mate {sign}{}", plies.div_ceil(2).max(1)),
            _ => format!("mate {sign}{}", plies.max(1)),
        };
        match report.value {
            Some(Wdl::Win) => mate(""),
            Some(Wdl::Loss) => mate("-"),
            Some(Wdl::Draw) => "cp 0".to_string(),
            None => {
                let best = report.best.as_deref();
                let mean = report.moves.iter().find(|m| Some(m.text.as_str()) == best).map_or(0.0, |m| m.mean);
                let share = ((1.0 + mean) / 2.0).clamp(1e-3, 1.0 - 1e-3);
                format!("cp {:.0}", 400.0 * (share / (1.0 - share)).log10())
            }
        }
    }
}

impl Codec for Uci {
    fn line(&mut self, desk: &mut Desk, line: &str, out: &mut dyn Write) -> io::Result<Next> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match word {
            "" | "stop" | "ponderhit" | "gameover" | "debug" | "register" => {}
            "ugi" | "usi" | "uci" => {
                self.protocol = Protocol::parse(word).unwrap_or(self.protocol);
                self.greet(desk, out)?;
            }
            "isready" => writeln!(out, "readyok")?,
            "uginewgame" | "usinewgame" | "ucinewgame" => desk.new_game(),
            "setoption" => {
                if let Err(error) = self.set_option(desk, rest) {
                    self.say(out, &error.to_string())?;
                }
            }
            "position" => match self.position(desk, rest) {
                Ok(position) => desk.set_position(position),
                Err(error) => {
                    self.say(out, &error.to_string())?;
                    desk.set_fault(error.to_string());
                }
            },
            "go" => return self.go(desk, rest, out),
            "query" => self.query(desk, rest, out)?,
            "quit" => return Ok(Next::Quit),
            other => self.say(out, &format!("unknown command {}", quoted(other)))?,
        }
        Ok(Next::On)
    }

    fn during(&mut self, line: &str, out: &mut dyn Write) -> io::Result<While> {
        Ok(match line.split_ascii_whitespace().next().unwrap_or("") {
            "" => While::Answered,
            "isready" => {
                writeln!(out, "readyok")?;
                While::Answered
            }
            "stop" | "gameover" => While::Stop,
            "ponderhit" => While::PonderHit,
            "quit" => While::Quit,
            _ => While::Later,
        })
    }

    fn seen(&mut self, desk: &Desk, _job: &Job, report: &SearchReport, out: &mut dyn Write) -> io::Result<()> {
        self.info(desk.position(), report, out)
    }

    fn found(&mut self, desk: &mut Desk, job: &Job, found: Found, out: &mut dyn Write) -> io::Result<Next> {
        let position = desk.position();
        if job.kind == Kind::Mate {
            let answer = match &found {
                Found::Solution(solution) if solution.bounds.least == Wdl::Win => {
                    line_out(self.protocol, position, &solution.line).join(" ")
                }
                Found::Solution(solution) if solution.bounds.most < Wdl::Win => "nomate".to_string(),
                Found::Failed(why) => {
                    self.say(out, why)?;
                    "timeout".to_string()
                }
                Found::Solution(_) | Found::Report(_) => "timeout".to_string(),
            };
            writeln!(out, "checkmate {answer}")?;
            return Ok(Next::On);
        }
        if let Found::Report(report) = &found {
            self.info(position, report, out)?;
        }
        let (best, problem) = chosen(position, &found);
        if let Some(problem) = problem {
            self.say(out, &problem)?;
        }
        let Some(best) = best else {
            writeln!(out, "{}", self.no_move())?;
            return Ok(Next::On);
        };
        write!(out, "bestmove {}", move_out(self.protocol, position, &best))?;
        if let (Found::Report(report), Protocol::Usi | Protocol::Uci) = (&found, self.protocol)
            && report.line.first() == Some(&best)
            && let Some(answer) = line_out(self.protocol, position, &report.line).get(1)
        {
            write!(out, " ponder {answer}")?;
        }
        writeln!(out)?;
        Ok(Next::On)
    }

    fn complain(&mut self, out: &mut dyn Write, what: &str) -> io::Result<()> {
        self.say(out, what)
    }
}

fn whole(name: &str, text: &str) -> Result<u64, TextError> {
    text.parse().map_err(|_| TextError::new(format!("{name} is a whole number, not {}", quoted(text))))
}

/// Milliseconds; managers may send a clock that has run out as a negative number.
fn millis(name: &str, text: &str) -> Result<Duration, TextError> {
    /// A year: more is no limit.
    const MOST: u64 = 365 * 24 * 3_600_000;
    match text.parse::<i64>() {
        Ok(number) => Ok(Duration::from_millis(u64::try_from(number).unwrap_or(0).min(MOST))),
        Err(_) => Err(TextError::new(format!("{name} is a number of milliseconds, not {}", quoted(text)))),
    }
}

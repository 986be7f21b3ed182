//! Our engine behind a protocol: one loop for all of them, which reads lines and answers while a search runs.

use std::collections::VecDeque;
use std::io::{self, BufReader, Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Instant;

use plyproof_core::TextError;
use plyproof_engine::{Agent, AnySearcher, SearchReport};

use crate::codec::{Codec, Gomocup, Gtp, Next, Uci, While};
use crate::desk::{Desk, Lent, Setup};
use crate::lines::{Line, LineReader};
use crate::protocol::Protocol;
use crate::thinker::{Found, Job, Kind, Running, Task};

/// Something that the loop waits for.
pub(crate) enum Event {
    Line(Line),
    /// There are no more lines.
    End,
    /// A search reports.
    Seen(Box<SearchReport>),
    /// A search has ended, and gives its searcher back.
    Found(Box<dyn AnySearcher>, Found),
}

/// Events that wait for the loop at most: whoever sends faster has to wait.
const MOST_EVENTS: usize = 64;
/// Lines that wait for the end of a search at most, and their bytes.
const MOST_WAITING: usize = 10_000;
const MOST_WAITING_BYTES: usize = 16 << 20;

/// Serves one program that sends its commands to `input` and reads the answers from `output`, until it says that it has
/// enough, or there are no more commands and the last search is over.
///
/// Without a `protocol` the first line tells which one it is. An error of kind [`io::ErrorKind::InvalidInput`] means that
/// the set-up or the first line is wrong; others come from `output`.
pub fn serve(
    setup: &Setup,
    protocol: Option<Protocol>,
    input: impl Read + Send + 'static,
    output: impl Write,
) -> io::Result<()> {
    let (sender, events) = sync_channel(MOST_EVENTS);
    let lines = sender.clone();
    std::thread::Builder::new().name("commands".to_string()).spawn(move || read(input, &lines))?;
    let mut waiting = VecDeque::new();
    let protocol = match protocol {
        Some(protocol) => protocol,
        None => match first_line(&events) {
            None => return Ok(()),
            Some(line) => {
                let protocol = Protocol::recognised(&line).ok_or_else(|| {
                    let line = plyproof_engine::quoted(&line);
                    invalid(TextError::new(format!(
                        "the first line {line} does not tell the protocol; --protocol names it"
                    )))
                })?;
                waiting.push_back(line);
                protocol
            }
        },
    };
    let desk = Desk::new(setup, protocol.usual_game()).map_err(invalid)?;
    let mut served = Loop { desk, output, sender, running: None, waiting, waiting_bytes: 0, ended: false };
    match protocol {
        Protocol::Ugi | Protocol::Usi | Protocol::Uci => served.run(&mut Uci::new(protocol), &events),
        Protocol::Gomocup => served.run(&mut Gomocup::new(setup), &events),
        Protocol::Gtp => served.run(&mut Gtp::default(), &events),
    }
}

fn invalid(error: TextError) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, error.to_string())
}

fn first_line(events: &Receiver<Event>) -> Option<String> {
    match events.recv() {
        Ok(Event::Line(Line::Text(line))) => Some(line),
        Ok(Event::Line(Line::TooLong)) => Some("of more than a megabyte".to_string()),
        _ => None,
    }
}

fn read(input: impl Read, events: &SyncSender<Event>) {
    let mut lines = LineReader::new(BufReader::new(input));
    // A source that fails has ended.
    while let Ok(Some(line)) = lines.next_line() {
        if events.send(Event::Line(line)).is_err() {
            return;
        }
    }
    let _ = events.send(Event::End);
}

struct Loop<W> {
    desk: Desk,
    output: W,
    sender: SyncSender<Event>,
    running: Option<Running>,
    /// Lines that came while a search ran and that it has to be over for.
    waiting: VecDeque<String>,
    waiting_bytes: usize,
    /// There will be no more lines.
    ended: bool,
}

impl<W: Write> Loop<W> {
    fn run(&mut self, codec: &mut dyn Codec, events: &Receiver<Event>) -> io::Result<()> {
        let done = self.answer(codec, events);
        if let Some(running) = &mut self.running {
            // The process, or the test, goes on without it.
            running.stop();
        }
        match done {
            // A manager that has gone away needs no answers.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            done => done,
        }
    }

    fn answer(&mut self, codec: &mut dyn Codec, events: &Receiver<Event>) -> io::Result<()> {
        let mut answer_waits = None;
        loop {
            let next = match &mut self.running {
                None => match self.waiting.pop_front() {
                    Some(line) => {
                        self.waiting_bytes = self.waiting_bytes.saturating_sub(line.len());
                        codec.line(&mut self.desk, &line, &mut self.output)?
                    }
                    None if self.ended => return Ok(()),
                    None => self.event(codec, events, &mut answer_waits)?,
                },
                Some(running) if answer_waits.is_some() && !running.holds_back() => match answer_waits.take() {
                    Some(found) => self.found(codec, found)?,
                    None => Next::On,
                },
                Some(running) if self.ended && running.job.is_unlimited() && !running.stopped => {
                    running.stop();
                    Next::On
                }
                Some(_) => self.event(codec, events, &mut answer_waits)?,
            };
            match next {
                Next::On => {}
                Next::Quit => return self.output.flush(),
                Next::Search(job) => {
                    if let Some(found) = self.start(job) {
                        answer_waits = Some(found);
                    }
                }
            }
            self.output.flush()?;
        }
    }

    /// Waits for an event and answers it.
    fn event(
        &mut self,
        codec: &mut dyn Codec,
        events: &Receiver<Event>,
        answer_waits: &mut Option<Found>,
    ) -> io::Result<Next> {
        let deadline = self.running.as_ref().and_then(|running| running.deadline);
        let event = match deadline {
            None => events.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(deadline) => events.recv_timeout(deadline.saturating_duration_since(Instant::now())),
        };
        match event {
            Err(RecvTimeoutError::Timeout) => {
                if let Some(running) = &mut self.running {
                    running.time_is_up();
                }
            }
            Err(RecvTimeoutError::Disconnected) => return Ok(Next::Quit),
            Ok(Event::End) => self.ended = true,
            Ok(Event::Line(line)) => return self.line(codec, line),
            Ok(Event::Seen(report)) => {
                if let Some(running) = &self.running {
                    codec.seen(&self.desk, &running.job, &report, &mut self.output)?;
                }
            }
            Ok(Event::Found(searcher, found)) => {
                self.desk.give_back(searcher);
                if let (Some(running), Found::Report(report)) = (&self.running, &found)
                    && running.job.kind == Kind::Analysis
                {
                    // An analysis that is proven has nothing more to say than this.
                    codec.seen(&self.desk, &running.job, report, &mut self.output)?;
                }
                *answer_waits = Some(found);
            }
        }
        Ok(Next::On)
    }

    fn line(&mut self, codec: &mut dyn Codec, line: Line) -> io::Result<Next> {
        let text = match line {
            Line::Text(text) => text,
            Line::TooLong => {
                codec.complain(&mut self.output, "a line of more than a megabyte was ignored")?;
                return Ok(Next::On);
            }
        };
        let Some(running) = &mut self.running else { return codec.line(&mut self.desk, &text, &mut self.output) };
        match codec.during(&text, &mut self.output)? {
            While::Answered => {}
            While::Stop => running.stop(),
            While::StopAndLater => {
                running.stop();
                self.wait(codec, text)?;
            }
            While::PonderHit => running.ponder_hit(),
            While::Quit => return Ok(Next::Quit),
            While::Later => self.wait(codec, text)?,
        }
        Ok(Next::On)
    }

    /// Keeps a line until the search is over.
    fn wait(&mut self, codec: &mut dyn Codec, line: String) -> io::Result<()> {
        if self.waiting.len() >= MOST_WAITING || self.waiting_bytes + line.len() > MOST_WAITING_BYTES {
            return codec.complain(&mut self.output, "too many lines during a search; this one was ignored");
        }
        self.waiting_bytes += line.len();
        self.waiting.push_back(line);
        Ok(())
    }

    /// Starts a search. What it found at once, if it cannot even begin.
    fn start(&mut self, job: Job) -> Option<Found> {
        let agent = match job.kind {
            Kind::Mate => Agent::parse("portfolio"),
            Kind::Move | Kind::Analysis => Ok(self.desk.agent().clone()),
        };
        let lent = agent.and_then(|agent| Ok((agent, self.desk.lend()?)));
        let begun = lent.map_err(|error| error.to_string()).and_then(|(agent, lent)| {
            let Lent { searcher, position, seed } = lent;
            let task = Task { searcher, position, agent, budget: self.desk.budget(), seed, job: job.clone() };
            Running::start(task, self.sender.clone()).map_err(|error| format!("no thread for the search: {error}"))
        });
        match begun {
            Ok(running) => {
                self.running = Some(running);
                None
            }
            Err(why) => {
                self.running = Some(Running::none(job));
                Some(Found::Failed(why))
            }
        }
    }

    /// A search is over, and its answer is due.
    fn found(&mut self, codec: &mut dyn Codec, found: Found) -> io::Result<Next> {
        let Some(running) = self.running.take() else { return Ok(Next::On) };
        codec.found(&mut self.desk, &running.job, found, &mut self.output)
    }
}

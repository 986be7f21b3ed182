//! One codec for each protocol: what its commands do to the engine, and how its answers are written.

mod gomocup;
mod gtp;
mod uci;

use std::io::{self, Write};

use plyproof_engine::{AnyGame, SearchReport};

use crate::desk::Desk;
use crate::thinker::{Found, Job};

pub(crate) use gomocup::Gomocup;
pub(crate) use gtp::Gtp;
pub(crate) use uci::Uci;

/// What happens after a command.
pub(crate) enum Next {
    /// The next command.
    On,
    /// A search, whose answer comes before the next command.
    Search(Job),
    /// The engine ends.
    Quit,
}

/// What a line that comes during a search is about.
pub(crate) enum While {
    /// It has its answer.
    Answered,
    /// The search is to end.
    Stop,
    /// The search is to end, and then the line has its turn.
    StopAndLater,
    /// The move that was pondered on was played.
    PonderHit,
    /// The engine ends at once.
    Quit,
    /// It has to wait for the end of the search.
    Later,
}

/// A protocol, as the loop of the engine sees it.
pub(crate) trait Codec {
    /// Answers a command while no search runs.
    fn line(&mut self, desk: &mut Desk, line: &str, out: &mut dyn Write) -> io::Result<Next>;

    /// Answers a command that comes during a search, or says what is to be done about it.
    fn during(&mut self, line: &str, out: &mut dyn Write) -> io::Result<While>;

    /// A search reports.
    fn seen(&mut self, desk: &Desk, job: &Job, report: &SearchReport, out: &mut dyn Write) -> io::Result<()>;

    /// A search has ended.
    fn found(&mut self, desk: &mut Desk, job: &Job, found: Found, out: &mut dyn Write) -> io::Result<Next>;

    /// Something is wrong that belongs to no command.
    fn complain(&mut self, out: &mut dyn Write, what: &str) -> io::Result<()>;
}

/// The move that a search chose. One that was stopped before it had a move, or failed, gives the first legal move, so that
/// whoever waits for an answer has one; then there is something to be said about it.
fn chosen(position: &dyn AnyGame, found: &Found) -> (Option<String>, Option<String>) {
    let first = || position.legal_moves().into_iter().next();
    match found {
        Found::Report(report) if report.best.is_some() => (report.best.clone(), None),
        Found::Failed(why) => (first(), Some(one_line(why))),
        Found::Report(_) | Found::Solution(_) => (first(), Some("the search had no time for a move".to_string())),
    }
}

/// A text in which nothing breaks the line.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(1000).collect()
}

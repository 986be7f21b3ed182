//! How far a match has come: one line that is written over on a terminal, a line now and then elsewhere.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use plyproof_lab::matches::Summary;

use crate::output::{counted, visible};
use crate::summary_text::{percent, record};

/// Time between two pictures on a terminal.
const INTERVAL: Duration = Duration::from_millis(100);
/// Lines of a whole match where it is not a terminal.
const LINES: u32 = 20;
/// Columns that every terminal has.
const COLUMNS: usize = 79;

/// Tells of a match on standard error.
pub struct Progress {
    kind: Kind,
    /// Put before every line, as `round 3 of 6: `.
    prefix: String,
    began: Instant,
    last: Option<Instant>,
    told: u32,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Silent,
    Live,
    Lines,
}

impl Progress {
    /// Nothing is told yet, and nothing ever if `quiet`.
    pub fn new(quiet: bool) -> Self {
        let kind = match quiet {
            true => Kind::Silent,
            false if io::stderr().is_terminal() => Kind::Live,
            false => Kind::Lines,
        };
        Self { kind, prefix: String::new(), began: Instant::now(), last: None, told: 0 }
    }

    /// Begins another match, whose lines start with `prefix`.
    pub fn next(&mut self, prefix: String) {
        *self = Self { prefix, began: Instant::now(), last: None, told: 0, ..*self };
    }

    /// Says something that stays.
    pub fn note(&self, text: &str) {
        if self.kind != Kind::Silent {
            self.clear();
            put(&format!("{}{}\n", self.prefix, visible(text)));
        }
    }

    /// Says what a record held when the match began.
    pub fn resumed(&self, summary: &Summary) {
        if let Some(set_aside) = &summary.set_aside {
            self.note(set_aside);
        }
        if summary.resumed > 0 {
            let there = counted(summary.resumed.into(), "game is", "games are");
            self.note(&format!(
                "{there} in the record, {} to be played",
                summary.planned.saturating_sub(summary.resumed)
            ));
        }
    }

    /// Tells what the match has come to.
    pub fn show(&mut self, summary: &Summary) {
        match self.kind {
            Kind::Silent => {}
            Kind::Live => {
                let last = summary.games >= summary.planned;
                if last || self.last.is_none_or(|last| last.elapsed() >= INTERVAL) {
                    self.last = Some(Instant::now());
                    let line: String = self.line(summary).chars().take(COLUMNS).collect();
                    put(&format!("\r{line}\x1b[K"));
                }
            }
            Kind::Lines => {
                let part = |games: u32| u64::from(games) * u64::from(LINES) / u64::from(summary.planned.max(1));
                if summary.games > summary.resumed && (part(summary.games) > part(self.told) || summary.complete) {
                    self.told = summary.games;
                    put(&format!("{}\n", self.line(summary)));
                }
            }
        }
    }

    /// Takes the line of a terminal away.
    pub fn clear(&self) {
        if self.kind == Kind::Live {
            put("\r\x1b[K");
        }
    }

    fn line(&self, summary: &Summary) -> String {
        let mut text = format!("{}game {} of {}", self.prefix, summary.games, summary.planned);
        if summary.games > 0 {
            text += &format!("  {}", record(summary.wins, summary.draws, summary.losses));
            text += &format!("  score {}", percent(summary.score));
            if let Some([low, high]) = summary.wilson95 {
                text += &format!("  win rate {:.1}-{:.1} %", 100.0 * low, 100.0 * high);
            }
            if let Some(sprt) = &summary.sprt {
                text += &format!("  LLR {:.2}", sprt.llr);
            }
        }
        let played = summary.games.saturating_sub(summary.resumed);
        if played > 0 && !summary.complete {
            let a_game = self.began.elapsed().as_secs_f64() / f64::from(played);
            text += &format!("  {} left", clock(a_game * f64::from(summary.planned.saturating_sub(summary.games))));
        }
        text
    }
}

/// Progress that cannot be shown is not worth ending for.
fn put(text: &str) {
    let mut err = io::stderr().lock();
    let _ = err.write_all(text.as_bytes()).and_then(|()| err.flush());
}

/// `35 s`, `12 min`, `3.4 h`.
pub fn clock(seconds: f64) -> String {
    match seconds {
        s if s < 100.0 => format!("{s:.0} s"),
        s if s < 6000.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

//! How far a match has come: one line that is written over on a terminal, a line now and then elsewhere.

use std::time::Instant;

use plyproof_lab::matches::Summary;

use crate::output::{counted, visible};
use crate::summary_text::{percent, record};
use crate::terminal::{Line, StatusLine, put};

/// Lines of a whole match where it is not a terminal.
const LINES: u32 = 20;

/// Tells of a match on standard error.
pub struct Progress {
    quiet: bool,
    status: StatusLine,
    /// Put before every line, as `3/12, 4 min to go, loa pn=1`.
    label: String,
    began: Instant,
    told: u32,
}

impl Progress {
    /// Nothing is told yet, and nothing ever if `quiet`.
    pub fn new(quiet: bool) -> Self {
        Self { quiet, status: StatusLine::new(!quiet), label: String::new(), began: Instant::now(), told: 0 }
    }

    /// Begins another match, whose lines start with `label`.
    pub fn next(&mut self, label: String) {
        (self.label, self.began, self.told) = (label, Instant::now(), 0);
    }

    /// Says something that stays.
    pub fn note(&mut self, text: &str) {
        if !self.quiet {
            self.clear();
            let label = if self.label.is_empty() { String::new() } else { format!("{}: ", self.label) };
            put(&format!("{}\n", visible(&format!("{label}{text}"))));
        }
    }

    /// Says what a record held when the match began.
    pub fn resumed(&mut self, summary: &Summary) {
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
        if self.status.is_on() {
            if summary.games >= summary.planned || self.status.is_due() {
                let line = self.line(summary);
                self.status.show(&line);
            }
        } else if !self.quiet {
            let part = |games: u32| u64::from(games) * u64::from(LINES) / u64::from(summary.planned.max(1));
            if summary.games > summary.resumed && (part(summary.games) > part(self.told) || summary.complete) {
                self.told = summary.games;
                put(&format!("{}\n", self.line(summary).whole()));
            }
        }
    }

    /// Takes the line of a terminal away.
    pub fn clear(&mut self) {
        self.status.clear();
    }

    fn line(&self, summary: &Summary) -> Line {
        let mut line = Line::new(&self.label).part(5, format!("game {} of {}", summary.games, summary.planned));
        if summary.games > 0 {
            line = line.part(3, record(summary.wins, summary.draws, summary.losses));
            line = line.part(6, format!("score {}", percent(summary.score)));
            if let Some([low, high]) = summary.wilson95 {
                line = line.part(1, format!("win rate {:.1}-{:.1} %", 100.0 * low, 100.0 * high));
            }
            if let Some(sprt) = &summary.sprt {
                line = line.part(4, format!("LLR {:.2}", sprt.llr));
            }
        }
        let played = summary.games.saturating_sub(summary.resumed);
        if played > 0 && !summary.complete {
            let a_game = self.began.elapsed().as_secs_f64() / f64::from(played);
            let left = a_game * f64::from(summary.planned.saturating_sub(summary.games));
            line = line.part(2, format!("{} left", clock(left)));
        }
        line
    }
}

/// `35 s`, `12 min`, `3.4 h`.
pub fn clock(seconds: f64) -> String {
    match seconds {
        s if s < 100.0 => format!("{s:.0} s"),
        s if s < 6000.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

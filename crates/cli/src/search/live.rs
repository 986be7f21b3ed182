//! A report that is redrawn in place on a terminal while the search is running.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use plyproof_engine::SearchReport;

use super::table::{self, Heading};
use crate::terminal;

/// Time between two pictures: quick enough to look alive, slow enough to read.
const INTERVAL: Duration = Duration::from_millis(200);

/// The part of the screen that is redrawn.
pub struct Live<'a> {
    heading: &'a Heading,
    top: usize,
    /// Lines on the screen, all above the cursor.
    drawn: usize,
    last: Option<Instant>,
}

impl<'a> Live<'a> {
    /// Nothing is drawn yet.
    pub fn new(heading: &'a Heading, top: usize) -> Self {
        Self { heading, top, drawn: 0, last: None }
    }

    /// Draws the report over the last one, unless that was only just drawn.
    pub fn draw(&mut self, report: &SearchReport) {
        if self.last.is_some_and(|last| last.elapsed() < INTERVAL) {
            return;
        }
        self.last = Some(Instant::now());
        let (rows, columns) = terminal::output_size();
        let lines = table::running(self.heading, report, self.top, rows, columns);
        let picture = picture(self.drawn, &lines);
        self.drawn = lines.len();
        put(&picture);
    }

    /// Takes the drawing away and leaves the cursor where it began.
    pub fn erase(&mut self) {
        put(&picture(self.drawn, &[]));
        self.drawn = 0;
    }
}

/// Goes up over `drawn` lines, writes `lines` over them, and clears what is left of the old ones.
fn picture(drawn: usize, lines: &[String]) -> String {
    let mut text = if drawn > 0 { format!("\r\x1b[{drawn}A") } else { "\r".to_string() };
    for line in lines {
        text += line;
        text += "\x1b[K\n";
    }
    text + "\x1b[J"
}

/// A picture that cannot be drawn is no reason to end a search: the report at its end will say so.
fn put(text: &str) {
    let mut out = io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_covers_the_one_before() {
        let lines = ["one".to_string(), "two".to_string()];
        assert_eq!(picture(0, &lines), "\rone\x1b[K\ntwo\x1b[K\n\x1b[J");
        assert_eq!(picture(2, &lines[..1]), "\r\x1b[2Aone\x1b[K\n\x1b[J");
        assert_eq!(picture(1, &[]), "\r\x1b[1A\x1b[J");
    }
}

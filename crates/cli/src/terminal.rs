//! The terminal: how large it is, and a line of progress that is written over and never wraps.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use crate::output::visible;

/// Time between two pictures of a line: quick enough to look alive, slow enough to read.
const INTERVAL: Duration = Duration::from_millis(100);
/// Rows and columns where nothing says how large the terminal is.
const CUSTOMARY: (usize, usize) = (24, 80);

/// Rows and columns of the terminal behind standard output.
pub fn output_size() -> (usize, usize) {
    #[cfg(unix)]
    return size(io::stdout());
    #[cfg(not(unix))]
    CUSTOMARY
}

/// Columns of the terminal that is looked at, be standard output piped into a pager or not; none without a terminal.
pub fn watched_columns() -> Option<usize> {
    if io::stdout().is_terminal() {
        return Some(output_size().1);
    }
    io::stderr().is_terminal().then(error_columns)
}

/// Columns of the terminal behind standard error.
fn error_columns() -> usize {
    #[cfg(unix)]
    return size(io::stderr()).1;
    #[cfg(not(unix))]
    CUSTOMARY.1
}

#[cfg(unix)]
fn size(stream: impl std::os::fd::AsFd) -> (usize, usize) {
    match rustix::termios::tcgetwinsize(stream) {
        Ok(size) if size.ws_row > 0 && size.ws_col > 0 => (size.ws_row.into(), size.ws_col.into()),
        _ => CUSTOMARY,
    }
}

/// A line of progress: a label, and parts of which some are worth more than others.
///
/// ```text
///  3/12, 4 min to go, breakthrough pn=1: game 7 of 20  +4 =0 -3  score 57.1 %  win rate 25.0-84.2 %
///  ╰──────────── label ───────────────╯  ╰─ part ───╯  ╰ part ╯  ╰── part ──╯
/// ```
pub struct Line {
    label: String,
    /// What each is worth, and its text.
    parts: Vec<(u8, String)>,
}

impl Line {
    /// A line with a label, which may be empty, and no parts yet.
    pub fn new(label: &str) -> Self {
        Self { label: visible(label), parts: Vec::new() }
    }

    /// The line with one more part; where room is short those worth least go first, and those worth most are kept.
    pub fn part(mut self, worth: u8, text: String) -> Self {
        self.parts.push((worth, visible(&text)));
        self
    }

    /// All of it, however long.
    pub fn whole(&self) -> String {
        joined(&self.label, &self.parts)
    }

    /// What fits into `columns`: the label is cut, and parts are left out, but never the one that is worth most.
    pub fn fitted(&self, columns: usize) -> String {
        let mut parts = self.parts.clone();
        // A label that is cut further than this no longer says what the line is about.
        let least = width(&self.label).min(columns / 3);
        let room = |parts: &[(u8, String)]| columns.checked_sub(width(&joined("", parts)) + ": ".len());
        while parts.len() > 1 && width(&joined(&self.label, &parts)) > columns && room(&parts).is_none_or(|r| r < least)
        {
            let cheapest = parts.iter().enumerate().min_by_key(|(_, (worth, _))| *worth).map(|(place, _)| place);
            parts.remove(cheapest.unwrap_or_default());
        }
        let label = match room(&parts) {
            _ if parts.is_empty() => cut_middle(&self.label, columns),
            Some(room) if room >= SHORTEST_CUT || width(&self.label) <= room => cut_middle(&self.label, room),
            _ => String::new(),
        };
        cut(&joined(&label, &parts), columns)
    }
}

/// Columns of a label that is worth showing at all: a letter, the mark of the cut, a letter.
const SHORTEST_CUT: usize = 3;

fn joined(label: &str, parts: &[(u8, String)]) -> String {
    let texts: Vec<&str> = parts.iter().map(|(_, text)| text.as_str()).collect();
    let between = if label.is_empty() || texts.is_empty() { "" } else { ": " };
    format!("{label}{between}{}", texts.join("  "))
}

/// Columns that a text takes on a terminal.
fn width(text: &str) -> usize {
    text.chars().map(columns_of).sum()
}

/// East Asian letters and most pictographs take two columns; both begin behind all other scripts in use.
fn columns_of(c: char) -> usize {
    if ('\u{1100}'..='\u{115f}').contains(&c) || c >= '\u{2e80}' { 2 } else { 1 }
}

/// The first `columns` of a text.
pub fn cut(text: &str, columns: usize) -> String {
    let mut left = columns;
    let fits = |c: &char| left.checked_sub(columns_of(*c)).map(|rest| left = rest).is_some();
    text.chars().take_while(fits).collect()
}

/// The text in at most `columns`: if it is longer, its beginning and its end. Labels often differ at their ends.
fn cut_middle(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_string();
    }
    let both = columns.saturating_sub(1);
    let backwards: String = text.chars().rev().collect();
    let end: String = cut(&backwards, both / 2).chars().rev().collect();
    let mark = if columns > 0 { "…" } else { "" };
    format!("{}{mark}{end}", cut(text, both - both / 2))
}

/// The line on standard error that is written over, if that is a terminal.
pub struct StatusLine {
    on: bool,
    last: Option<Instant>,
}

impl StatusLine {
    /// Nothing is shown yet, and nothing ever unless it is `wanted`.
    pub fn new(wanted: bool) -> Self {
        Self { on: wanted && io::stderr().is_terminal(), last: None }
    }

    /// Whether there is a terminal to show lines on.
    pub fn is_on(&self) -> bool {
        self.on
    }

    /// Whether the last line has been there long enough to be replaced.
    pub fn is_due(&self) -> bool {
        self.on && self.last.is_none_or(|last| last.elapsed() >= INTERVAL)
    }

    /// Shows this line instead of the one before, as much of it as the terminal is wide at this moment.
    pub fn show(&mut self, line: &Line) {
        if self.on {
            self.last = Some(Instant::now());
            // The last column stays free: some terminals go to the next line as soon as it is written.
            let text = line.fitted(error_columns().saturating_sub(1));
            put(&format!("\r{text}\x1b[K"));
        }
    }

    /// Takes the line away.
    pub fn clear(&mut self) {
        if self.last.take().is_some() {
            put("\r\x1b[K");
        }
    }
}

/// Writes to standard error. Progress that cannot be shown is no reason to end.
pub fn put(text: &str) {
    let mut err = io::stderr().lock();
    let _ = err.write_all(text.as_bytes()).and_then(|()| err.flush());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(label: &str) -> Line {
        let parts = [(5, "game 120 of 250"), (3, "+83 =0 -37"), (6, "score 69.2 %"), (1, "win rate 60.4-76.7 %")];
        parts.iter().fold(Line::new(label), |line, (worth, text)| line.part(*worth, text.to_string()))
    }

    #[test]
    fn a_line_never_wraps_and_keeps_what_is_worth_most() {
        let long = "3/12, 4 min to go, breakthrough(size=6) a=pn-mcts(pn=0.5,norm=children) 漢字漢字漢字 pn=0.5";
        for label in ["", "loa", long] {
            for columns in 0..200 {
                let text = line(label).fitted(columns);
                assert!(width(&text) <= columns, "{columns}: {text}");
                assert!(columns < 12 || text.contains("score 69.2 %"), "{columns}: {text}");
            }
        }
        assert_eq!(line("loa").fitted(200), line("loa").whole());
    }

    #[test]
    fn a_label_is_cut_in_its_middle_and_parts_of_little_worth_make_room_for_it() {
        let label = "3/12, 4 min to go, breakthrough(size=6) weight pn=0.5";
        let text = line(label).fitted(79);
        assert_eq!(text, "3/12, 4 min to go,…=6) weight pn=0.5: game 120 of 250  +83 =0 -37  score 69.2 %");
        assert_eq!(line(label).fitted(30), "3/12, 4 … pn=0.5: score 69.2 %");
        assert_eq!(Line::new("a label alone").fitted(7), "a l…one");
    }

    #[test]
    fn a_label_with_control_characters_moves_no_cursor() {
        assert_eq!(Line::new("a\nb\x1b[2J").fitted(40), "a\\nb\\u{1b}[2J");
    }
}

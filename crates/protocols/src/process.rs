//! A program that runs beside this one and speaks in lines: in a process group of its own, which is killed and reaped
//! with it, and with bounded memory whatever it prints.

use std::fs::{File, OpenOptions};
use std::io::{BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use plyproof_core::TextError;
use plyproof_engine::quoted;

use crate::lines::{Line, LineReader};

/// A program and its arguments, which no shell sees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineCommand {
    text: String,
    words: Vec<String>,
}

impl EngineCommand {
    /// Splits a command line at spaces; quotes and backslashes keep them, as in a shell.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        let wrong = |why: &str| TextError::new(format!("{} is not a command line: {why}", quoted(text)));
        let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
        let mut signs = text.chars();
        while let Some(sign) = signs.next() {
            match (sign, quote) {
                ('\\', None | Some('"')) => {
                    let next = signs.next().ok_or_else(|| wrong("it ends with a backslash"))?;
                    word.get_or_insert_default().push(next);
                }
                (_, Some(open)) if sign == open => quote = None,
                ('"' | '\'', None) => {
                    quote = Some(sign);
                    word.get_or_insert_default();
                }
                (_, None) if sign.is_whitespace() => words.extend(word.take()),
                ('\0', _) => return Err(wrong("it holds a zero byte")),
                _ => word.get_or_insert_default().push(sign),
            }
        }
        if quote.is_some() {
            return Err(wrong("a quotation mark is missing"));
        }
        words.extend(word);
        match words.first().is_some_and(|program| !program.is_empty()) {
            true => Ok(Self { text: text.trim().to_string(), words }),
            false => Err(wrong("it names no program")),
        }
    }

    /// The command line as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The name of the program.
    pub fn program(&self) -> &str {
        self.words.first().map_or("", String::as_str)
    }
}

/// Why there is no line from a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// The time is up.
    Late,
    /// It has ended, and how.
    Ended(String),
    /// It prints without end.
    Flood,
    /// It does not read what it is sent.
    Deaf,
}

/// Lines that a program may print before it is read.
const MOST_LINES: usize = 256;
/// Lines, and bytes, that it may print between two commands.
const MOST_BETWEEN: (u64, u64) = (200_000, 16 << 20);
/// Commands that it may leave unread.
const MOST_UNREAD: usize = 64;
/// Bytes of its standard error that are kept for messages, and that are written to a log.
const KEPT_ERRORS: usize = 2000;
const MOST_LOGGED: u64 = 16 << 20;
/// How long a program that has closed its output may take to end.
const ENDING: Duration = Duration::from_millis(500);

/// A running program.
pub(crate) struct Process {
    child: Child,
    status: Option<ExitStatus>,
    /// None once the input is closed.
    commands: Option<SyncSender<String>>,
    lines: Receiver<Line>,
    errors: Arc<Mutex<Vec<u8>>>,
    /// Disconnected when standard error is closed and read.
    errors_read: Receiver<()>,
    /// Lines and bytes since the last command.
    since: (u64, u64),
}

impl Process {
    /// Starts a program; what it prints on standard error is added to the file `log`.
    pub(crate) fn start(command: &EngineCommand, log: Option<&Path>) -> Result<Self, String> {
        let cannot = |what: &str, error: &dyn std::fmt::Display| format!("{what}: {error}");
        let log = log.map(|path| {
            let file = OpenOptions::new().append(true).create(true).open(path);
            file.map_err(|error| cannot(&format!("cannot write the log {}", path.display()), &error))
        });
        let mut log = log.transpose()?;
        if let Some(file) = &mut log {
            // What follows is of another run; that the log cannot be written is said when it is opened.
            let _ = writeln!(file, "--- {}", command.text());
        }
        let mut child =
            spawn(command).map_err(|error| cannot(&format!("cannot start {}", command.program()), &error))?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (sender, lines) = sync_channel(MOST_LINES);
        let (commands, unread) = sync_channel::<String>(MOST_UNREAD);
        let errors = Arc::new(Mutex::new(Vec::new()));
        let (reads_errors, errors_read) = sync_channel::<()>(0);
        let (commands, kept) = (Some(commands), Arc::clone(&errors));
        let process = Self { child, status: None, commands, lines, errors: kept, errors_read, since: (0, 0) };
        // From here on dropping `process` ends the program.
        let (Some(mut stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err("the program has no pipes".to_string());
        };
        let thread = |name: &str, work: Box<dyn FnOnce() + Send>| {
            let started = std::thread::Builder::new().name(name.to_string()).spawn(work);
            started.map(drop).map_err(|error| cannot("no thread for the program", &error))
        };
        thread(
            "engine-out",
            Box::new(move || {
                let mut reader = LineReader::new(BufReader::new(stdout));
                while let Ok(Some(line)) = reader.next_line() {
                    if sender.send(line).is_err() {
                        return;
                    }
                }
            }),
        )?;
        thread(
            "engine-in",
            Box::new(move || {
                while let Ok(line) = unread.recv() {
                    if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                        return;
                    }
                }
            }),
        )?;
        thread(
            "engine-err",
            Box::new(move || {
                keep_errors(stderr, log, &errors);
                drop(reads_errors);
            }),
        )?;
        Ok(process)
    }

    /// Sends a line.
    pub(crate) fn send(&mut self, line: &str) -> Result<(), Trouble> {
        self.since = (0, 0);
        let Some(commands) = &self.commands else { return Ok(()) };
        match commands.try_send(format!("{line}\n")) {
            Ok(()) => Ok(()),
            Err(TrySendError::Full(_)) => Err(Trouble::Deaf),
            // It reads no more: it has ended, or will be found to have ended when it is listened to.
            Err(TrySendError::Disconnected(_)) => Ok(()),
        }
    }

    /// Waits for the next line, but no longer than until `deadline`.
    pub(crate) fn next_line(&mut self, deadline: Instant) -> Result<String, Trouble> {
        loop {
            let wait = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(wait) {
                Ok(line) => {
                    let bytes = if let Line::Text(text) = &line { text.len() } else { crate::lines::LONGEST_LINE };
                    self.since = (self.since.0 + 1, self.since.1 + bytes as u64);
                    if self.since.0 > MOST_BETWEEN.0 || self.since.1 > MOST_BETWEEN.1 {
                        return Err(Trouble::Flood);
                    }
                    if let Line::Text(text) = line {
                        return Ok(text);
                    }
                }
                Err(RecvTimeoutError::Timeout) => return Err(Trouble::Late),
                Err(RecvTimeoutError::Disconnected) => return Err(Trouble::Ended(self.ending())),
            }
        }
    }

    /// Sends nothing any more.
    pub(crate) fn close_input(&mut self) {
        self.commands = None;
    }

    /// Throws away the lines that are there.
    pub(crate) fn skip_lines(&mut self) {
        // As many as can have waited; more would be a flood, and is seen as one later.
        for _ in 0..MOST_LINES {
            if self.lines.try_recv().is_err() {
                return;
            }
        }
    }

    /// How the program ended that has closed its output, with the last line of its standard error.
    fn ending(&mut self) -> String {
        let until = Instant::now() + ENDING;
        while self.status.is_none() && Instant::now() < until {
            self.status = self.child.try_wait().ok().flatten();
            if self.status.is_none() {
                std::thread::sleep(Duration::from_millis(5));
            }
        }
        let how = match self.status {
            Some(status) => format!("it ended ({status})"),
            None => "it closed its output".to_string(),
        };
        // What it said last may still be on its way.
        let _ = self.errors_read.recv_timeout(until.saturating_duration_since(Instant::now()));
        match self.last_error() {
            Some(line) => format!("{how}, last saying {}", quoted(&line)),
            None => how,
        }
    }

    /// Waits for the program to end by itself; whether it did.
    pub(crate) fn ends_within(&mut self, time: Duration) -> bool {
        let until = Instant::now() + time;
        loop {
            if self.status.is_none() {
                self.status = self.child.try_wait().ok().flatten();
            }
            if self.status.is_some() || Instant::now() >= until {
                return self.status.is_some();
            }
            self.skip_lines();
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn last_error(&self) -> Option<String> {
        let kept = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&kept);
        text.lines().rev().map(str::trim).find(|line| !line.is_empty()).map(str::to_string)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // The group first: while its leader is not reaped, no other group can have its number.
        kill_group(&self.child);
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn keep_errors(mut source: impl Read, mut log: Option<File>, kept: &Mutex<Vec<u8>>) {
    let (mut buffer, mut logged) = ([0; 4096], 0u64);
    while let Ok(read) = source.read(&mut buffer) {
        if read == 0 {
            return;
        }
        if let Some(file) = log.as_mut().filter(|_| logged < MOST_LOGGED) {
            logged += read as u64;
            // The disk may be full; the match goes on without its log.
            let _ = file.write_all(&buffer[..read]);
        }
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(&buffer[..read]);
        let surplus = kept.len().saturating_sub(KEPT_ERRORS);
        kept.drain(..surplus);
    }
}

#[cfg(unix)]
fn spawn(command: &EngineCommand) -> std::io::Result<Child> {
    use std::os::unix::process::CommandExt;

    use nix::sys::signal::{SigSet, SigmaskHow, Signal};

    // This program may block SIGTERM to wait for it; a child would inherit that.
    let before = SigSet::from(Signal::SIGTERM).thread_swap_mask(SigmaskHow::SIG_UNBLOCK);
    let child = piped(command).process_group(0).spawn();
    if let Ok(before) = before {
        let _ = before.thread_set_mask();
    }
    child
}

#[cfg(not(unix))]
fn spawn(command: &EngineCommand) -> std::io::Result<Child> {
    piped(command).spawn()
}

fn piped(command: &EngineCommand) -> Command {
    let mut piped = Command::new(command.program());
    piped.args(command.words.iter().skip(1)).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    piped
}

#[cfg(unix)]
fn kill_group(child: &Child) {
    use nix::sys::signal::{Signal, killpg};
    use nix::unistd::Pid;

    if let Ok(id) = i32::try_from(child.id()) {
        let _ = killpg(Pid::from_raw(id), Signal::SIGKILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_child: &Child) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_line_is_split_as_a_shell_would() {
        let words = |text: &str| EngineCommand::parse(text).map(|command| command.words);
        assert_eq!(words("a  b"), Ok(vec!["a".to_string(), "b".to_string()]));
        assert_eq!(words(r#""a b" 'c"d' e\ f """#), Ok(["a b", "c\"d", "e f", ""].map(str::to_string).to_vec()));
        for (text, part) in
            [("", "no program"), ("'a", "quotation mark"), ("a\\", "backslash"), ("\"\" a", "no program")]
        {
            assert!(words(text).expect_err(text).to_string().contains(part), "{text}");
        }
    }
}

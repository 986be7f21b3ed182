//! Runs the built binary and checks how it ended.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// What a run printed and how it ended.
pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

pub fn plyproof(arguments: &[&str]) -> Ran {
    plyproof_with(arguments, b"")
}

/// Runs in `folder`.
pub fn plyproof_in(folder: &Path, arguments: &[&str]) -> Ran {
    ran(command(arguments).current_dir(folder).output().expect("the binary runs"))
}

/// Runs with `input` on standard input; the program may stop reading before its end.
pub fn plyproof_with(arguments: &[&str], input: &[u8]) -> Ran {
    let mut child = command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    // A broken pipe here means that the program had seen enough.
    let _ = child.stdin.take().expect("a pipe").write_all(input);
    ran(child.wait_with_output().expect("it ends"))
}

pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plyproof"));
    command.args(arguments);
    command
}

pub fn ran(output: Output) -> Ran {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8 output");
    Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

impl Ran {
    /// It went well and said nothing on standard error; its output.
    #[track_caller]
    pub fn fine(self) -> String {
        assert_eq!((self.code, self.err.as_str()), (Some(0), ""), "{}", self.out);
        self.out
    }

    /// The same, read as JSON.
    #[track_caller]
    pub fn json(self) -> serde_json::Value {
        serde_json::from_str(&self.fine()).expect("JSON")
    }

    /// It ended with this code and one short line of error that contains `part`.
    #[track_caller]
    pub fn refused(&self, code: i32, part: &str) {
        assert_eq!(self.code, Some(code), "{}", self.err);
        let line = self.err.strip_suffix('\n').expect("a whole line");
        assert!(line.starts_with("plyproof: ") && line.contains(part), "{line}");
        assert!(!line.contains(char::is_control) && line.chars().count() < 1100, "{line}");
    }
}

/// A file that is gone when the test ends.
pub struct TemporaryFile(PathBuf);

impl TemporaryFile {
    /// `name` must be unique among the tests.
    pub fn new(name: &str, bytes: &[u8]) -> Self {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::write(&path, bytes).expect("a writable directory for tests");
        Self(path)
    }

    pub fn path(&self) -> &str {
        self.0.to_str().expect("a UTF-8 path")
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Ten megabytes, the same every time, of nothing sensible.
pub fn garbage() -> Vec<u8> {
    let mut state = 1u64;
    (0..10_000_000)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 56) as u8
        })
        .collect()
}

pub fn zipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("writing to memory");
    encoder.finish().expect("writing to memory")
}

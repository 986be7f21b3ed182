//! Certificates in files: which game they are about, and whether they hold.
//!
//! `docs/certificates.md` describes the format; the check itself is in `plyproof-verify`.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufRead, BufWriter, Cursor, Write};
use std::path::Path;
use std::sync::atomic::AtomicBool;

use flate2::Compression;
use flate2::write::GzEncoder;
use plyproof_core::spec::Spec;
use plyproof_core::{TextError, quoted};
pub use plyproof_verify::{Claim, Fault, Header, Progress, RulesId, Verified, VerifyError, Writer};
use plyproof_verify::{Settings, read_header};

use crate::any_game::AnyGame;
use crate::lines::unpacked;
use crate::registry::Registry;
use crate::rules::{FileError, Language};
use crate::solution::ProofHead;
use crate::whole_file::WholeFile;

/// A certificate that holds: `header` is true, and `verified` says what it took to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// What is proven; [`Header::claim`] says it in words.
    pub header: Header,
    /// What it took.
    pub verified: Verified,
}

/// Why the certificate in a file was not accepted.
#[derive(Debug)]
pub struct CertificateError {
    /// The file as it was named.
    pub file: String,
    /// What is wrong.
    pub error: VerifyError,
}

impl fmt::Display for CertificateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.error {
            VerifyError::Unreadable { error, .. } if error.kind() == io::ErrorKind::UnexpectedEof => {
                write!(f, "{}: the gzip data is cut off", self.file)
            }
            // That a file cannot be opened is no fault of its first line.
            VerifyError::Unreadable { line: 1, error } => write!(f, "{}: {error}", self.file),
            error => write!(f, "{} {error}", self.file),
        }
    }
}

impl std::error::Error for CertificateError {}

/// Limits of a check, and somebody to tell how far it is.
pub struct Limits<'a> {
    /// Memory for what has to be remembered, in bytes.
    pub memory: u64,
    /// Raised to stop early.
    pub stop: &'a AtomicBool,
    /// Called about every thousand entries.
    pub progress: &'a mut dyn FnMut(Progress),
}

/// Checks the certificate in a file, plain or gzipped. The file says which game, position and goal it is about.
pub fn verify_file(registry: &Registry, path: &Path, limits: Limits<'_>) -> Result<Checked, CertificateError> {
    let checked = regular(path).map_err(|error| VerifyError::Unreadable { line: 1, error });
    checked
        .and_then(|()| verify_source(registry, &mut || unpacked(File::open(path)?), limits))
        .map_err(|error| CertificateError { file: path.display().to_string(), error })
}

/// As [`verify_file`], of a game whose rules are in this text, by the name of its file. The file that the certificate names
/// is not read: the digest of the text decides.
pub fn verify_file_with(
    registry: &Registry,
    path: &Path,
    (file, rules): (&str, &str),
    limits: Limits<'_>,
) -> Result<Checked, CertificateError> {
    let registry = registry_of(registry, path, file, rules);
    let registry = registry.map_err(|error| CertificateError { file: path.display().to_string(), error })?;
    verify_file(&registry, path, limits)
}

/// A registry in which the game of the certificate has the rules that were given.
fn registry_of(registry: &Registry, path: &Path, file: &str, rules: &str) -> Result<Registry, VerifyError> {
    let unreadable = |error| VerifyError::Unreadable { line: 1, error };
    let refused = |what: String| VerifyError::Refused(Fault { line: 1, position: None, what });
    regular(path).map_err(unreadable)?;
    let header = read_header(unpacked(File::open(path).map_err(unreadable)?).map_err(unreadable)?)?;
    let name = Spec::parse(&header.game).map_err(|error| refused(error.to_string()))?.name;
    if header.rules.text_digest().is_none() || registry.entry(&name).is_some() {
        return Err(refused(format!(
            "its game, {}, is not read from a file; leave out the rules",
            quoted(&header.game)
        )));
    }
    // In the language of the file, whatever the certificate calls it.
    if Language::of(file, rules) != Language::of(&name, rules) {
        return Err(refused(format!("it is about {}, which is in another language than {file}", quoted(&header.game))));
    }
    let mut registry = registry.clone().without_files();
    let placed = |error| FileError { file: file.to_string(), error }.to_string();
    registry.add_rules(&name, rules).map_err(|error| refused(placed(error)))?;
    Ok(registry)
}

/// Checks the certificate that `source` opens at its beginning, each time it is called, as plain text.
pub fn verify_source(
    registry: &Registry,
    source: &mut dyn FnMut() -> io::Result<Box<dyn BufRead>>,
    limits: Limits<'_>,
) -> Result<Checked, VerifyError> {
    let unreadable = |error| VerifyError::Unreadable { line: 1, error };
    let header = read_header(source().map_err(unreadable)?)?;
    let refused = |error: TextError| VerifyError::Refused(Fault { line: 1, position: None, what: error.to_string() });
    let game = registry.open(&header.game).map_err(refused)?;
    let Limits { memory, stop, progress } = limits;
    let name = game.name();
    let mut settings = Settings { game: &name, rules: game.rules().clone(), memory, stop, progress: Some(progress) };
    let verified = game.verify(&header, source, &mut settings)?;
    Ok(Checked { header, verified })
}

/// Writes a proof of `game` to a file, gzipped if its name ends in `.gz`. The file is there in full or not at all.
pub fn write(
    path: &Path,
    game: &dyn AnyGame,
    proof: &ProofHead,
    entries: &mut dyn Iterator<Item = (String, String)>,
) -> io::Result<()> {
    let header = header_of(game, proof);
    let file = BufWriter::new(WholeFile::create(path)?);
    let zipped = path.extension().is_some_and(|ending| ending == "gz");
    let written = if zipped {
        write_to(GzEncoder::new(file, Compression::default()), &header, entries)
            .and_then(|zipped| zipped.finish()?.into_inner().map_err(io::IntoInnerError::into_error))
    } else {
        write_to(file, &header, entries).and_then(|file| file.into_inner().map_err(io::IntoInnerError::into_error))
    };
    written?.finish()
}

/// A proof of `game` as the gzipped bytes of a file; an error if they are more than `most`.
pub fn packed(
    game: &dyn AnyGame,
    proof: &ProofHead,
    entries: &mut dyn Iterator<Item = (String, String)>,
    most: usize,
) -> io::Result<Vec<u8>> {
    let out = Bounded { bytes: Vec::new(), most };
    let zipped = write_to(GzEncoder::new(out, Compression::default()), &header_of(game, proof), entries)?;
    Ok(zipped.finish()?.bytes)
}

/// A proof of `game` as the text of a file.
pub fn text(
    game: &dyn AnyGame,
    proof: &ProofHead,
    entries: &mut dyn Iterator<Item = (String, String)>,
) -> io::Result<String> {
    let bytes = write_to(Vec::new(), &header_of(game, proof), entries)?;
    String::from_utf8(bytes).map_err(io::Error::other)
}

/// Checks the certificate that `bytes` hold, plain or gzipped. They are read more than once: cloning them must be cheap, as
/// that of an `Arc<[u8]>` is.
pub fn verify_bytes(
    registry: &Registry,
    bytes: &(impl AsRef<[u8]> + Clone + 'static),
    limits: Limits<'_>,
) -> Result<Checked, VerifyError> {
    verify_source(registry, &mut || unpacked(Cursor::new(bytes.clone())), limits)
}

/// Bytes in memory, so many and no more.
struct Bounded {
    bytes: Vec<u8>,
    most: usize,
}

impl Write for Bounded {
    fn write(&mut self, part: &[u8]) -> io::Result<usize> {
        if self.bytes.len() + part.len() > self.most {
            return Err(io::Error::other(format!("it is larger than {} MB", self.most >> 20)));
        }
        self.bytes.extend_from_slice(part);
        Ok(part.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn header_of(game: &dyn AnyGame, proof: &ProofHead) -> Header {
    Header {
        game: game.name(),
        rules: game.rules().clone(),
        position: game.position_text(),
        player: proof.player,
        goal: proof.claim,
        symmetric: proof.symmetric,
        entries: proof.entries as u64,
    }
}

fn write_to<W: Write>(out: W, header: &Header, entries: &mut dyn Iterator<Item = (String, String)>) -> io::Result<W> {
    let mut writer = Writer::new(out, header)?;
    for (position, played) in entries {
        writer.entry(&position, &played)?;
    }
    writer.finish()
}

/// A file is read up to three times; a pipe would be empty the second time, or never end.
fn regular(path: &Path) -> io::Result<()> {
    if fs::metadata(path)?.is_file() {
        return Ok(());
    }
    Err(io::Error::other("not a regular file, and a certificate is read more than once"))
}

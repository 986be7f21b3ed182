//! Games from the texts of their rules: from files, and from texts that a program has.
//!
//! `docs/library.md` shows both doors. Compiled rules are kept, because a match or a sweep opens a game many times.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use plyproof_core::spec::{Described, Kind, Parameter, Params};
use plyproof_core::{Game, TextError, quoted};
pub use plyproof_rules::{AnyRules, Language, RulesError};
use plyproof_rules::{Visitor, digest};
use plyproof_verify::RulesId;

use crate::any_game::{AnyGame, erase};
use crate::registry::GameEntry;

/// Longest rules file that is read, in bytes.
pub const LONGEST: u64 = 2 << 20;

/// Values of more characters are rules and not parameters.
const LONGEST_VALUE: usize = 200;

/// Why a rules file was refused. Prints as one line, `rules/mine.rbg:12:7: …` where the place in the file is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileError {
    /// The file as it was named.
    pub file: String,
    /// What is wrong, and where.
    pub error: RulesError,
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&placed(&self.file, &self.error))
    }
}

impl std::error::Error for FileError {}

/// An error with the name of the text that it is about, as compilers write it.
fn placed(name: &str, error: &RulesError) -> String {
    match error.line {
        0 => format!("{name}: {}", error.message),
        line => format!("{name}:{line}:{}: {}", error.column, error.message),
    }
}

fn nowhere(message: impl Into<String>) -> RulesError {
    RulesError { line: 0, column: 0, message: message.into() }
}

/// The text of a rules file: a regular file of at most [`LONGEST`] bytes.
pub fn read(file: &str) -> Result<String, FileError> {
    text_of(Path::new(file)).map_err(|error| FileError { file: file.to_string(), error })
}

fn text_of(path: &Path) -> Result<String, RulesError> {
    if cfg!(target_family = "wasm") {
        return Err(nowhere("there are no files here: give the text of the rules"));
    }
    let unreadable = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => nowhere("there is no such file"),
        _ => nowhere(error.to_string()),
    };
    // Looked at before it is opened: a pipe would be waited for.
    let found = fs::metadata(path).map_err(unreadable)?;
    if !found.is_file() {
        let what = if found.is_dir() { "it is a folder" } else { "it is not a regular file" };
        return Err(nowhere(format!("{what}; expected a file with rules")));
    }
    let mut bytes = Vec::new();
    File::open(path).and_then(|file| file.take(LONGEST + 1).read_to_end(&mut bytes)).map_err(unreadable)?;
    if bytes.len() as u64 > LONGEST {
        let message = format!("the file goes on beyond {} MB here, the most that is read of rules", LONGEST >> 20);
        let line = bytes.iter().filter(|&&byte| byte == b'\n').count() as u32 + 1;
        return Err(RulesError { line, column: 1, message });
    }
    String::from_utf8(bytes).map_err(|error| {
        let sound = error.utf8_error().valid_up_to();
        let sound = String::from_utf8_lossy(&error.as_bytes()[..sound]).into_owned();
        let line = sound.bytes().filter(|&byte| byte == b'\n').count() as u32 + 1;
        let column = sound.rsplit('\n').next().map_or(0, |last| last.chars().count()) as u32 + 1;
        RulesError { line, column, message: "it is not text in UTF-8 from here on".to_string() }
    })
}

/// Compiled rules by digest and changed values, the ones used last. Copies of a registry share it.
#[derive(Clone, Default)]
pub(crate) struct Compiled(Arc<Mutex<Vec<Kept>>>);

type Kept = (Key, Arc<AnyRules>);

type Key = (Language, String, Vec<(String, String)>);

impl Compiled {
    /// Compiled rules that are kept. Each may take as much memory as the limits of a language allow.
    const MOST: usize = 4;

    /// The rules with values changed, compiled unless they are known.
    fn load(&self, language: Language, text: &str, changed: &[(String, String)]) -> Result<Arc<AnyRules>, RulesError> {
        let key = (language, digest(text), changed.to_vec());
        if let Some(known) = self.known(&key) {
            return Ok(known);
        }
        // Not under the lock: others must not wait for rules that are not theirs.
        let rules = Arc::new(AnyRules::load(language, text, changed)?);
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= Self::MOST {
            kept.remove(0);
        }
        kept.push((key, Arc::clone(&rules)));
        Ok(rules)
    }

    fn known(&self, key: &Key) -> Option<Arc<AnyRules>> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let place = kept.iter().position(|(known, _)| known == key)?;
        let found = kept.remove(place);
        let rules = Arc::clone(&found.1);
        kept.push(found);
        Some(rules)
    }
}

/// The text of the rules of a game, from which it is opened.
#[derive(Clone)]
pub(crate) struct Source {
    name: String,
    language: Language,
    text: Arc<str>,
    compiled: Compiled,
}

impl Source {
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The rules with the values that `params` have.
    pub fn rules(&self, params: &Params) -> Result<Arc<AnyRules>, RulesError> {
        let described = params.described();
        let changed = described.parameters.iter().filter(|parameter| params.text(&parameter.name) != parameter.default);
        let changed: Vec<_> = changed.map(|p| (p.name.clone(), params.text(&p.name).to_string())).collect();
        self.compiled.load(self.language, &self.text, &changed)
    }
}

/// The game of a text under a name, which may be that of a file.
pub(crate) fn entry(name: &str, text: &str, compiled: &Compiled) -> Result<GameEntry, RulesError> {
    if text.len() as u64 > LONGEST {
        return Err(nowhere(format!("rules of {} bytes: expected at most {} MB", text.len(), LONGEST >> 20)));
    }
    let language = Language::of(name, text);
    let rules = compiled.load(language, text, &[])?;
    let described = described(name, &rules);
    described.check().map_err(|error| nowhere(error.to_string()))?;
    let id = RulesId::digest(rules.digest()).map_err(|error| nowhere(error.to_string()))?;
    let source = Source { name: name.to_string(), language, text: text.into(), compiled: compiled.clone() };
    let opener = source.clone();
    let open = move |params: &Params, id: &RulesId| {
        let rules = opener.rules(params).map_err(|error| TextError::new(placed(&opener.name, &error)))?;
        Ok(rules.start(Erase { params, id }))
    };
    Ok(GameEntry::with_opener(described, id, open).with_source(source))
}

struct Erase<'a> {
    params: &'a Params,
    id: &'a RulesId,
}

impl Visitor for Erase<'_> {
    type Output = Box<dyn AnyGame>;

    fn visit<G: Game>(self, start: G) -> Self::Output {
        erase(self.params.clone(), self.id.clone(), start)
    }
}

fn described(name: &str, rules: &AnyRules) -> Described {
    let line = |text: &str| text.replace(char::is_control, " ").trim().to_string();
    let title = rules.title().map(line).filter(|title| !title.is_empty());
    let mut described = Described::new(name, title.unwrap_or_else(|| stem(name).to_string()), line(&rules.summary()));
    for (name, value) in rules.constants() {
        let value = value.split_whitespace().collect::<Vec<_>>().join(" ");
        let comment = value.contains("//") || value.contains("/*");
        let known = described.parameters.iter().any(|parameter| parameter.name == *name);
        if value.is_empty() || value.len() > LONGEST_VALUE || comment || known {
            continue;
        }
        let number = Kind::Whole(0, 1_000_000_000);
        let canonical = value.parse::<u32>().is_ok_and(|number| number <= 1_000_000_000 && number.to_string() == value);
        let kind = if canonical { number } else { Kind::Phrase };
        described.parameters.push(Parameter::new(name, value, kind, "a macro of the rules"));
    }
    described
}

/// The name of a file without folders and ending.
fn stem(name: &str) -> &str {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    file.rsplit_once('.').map_or(file, |(stem, _)| stem)
}

/// The game of a rules file that was named in the place of a game.
pub(crate) fn open_file(name: &str, compiled: &Compiled) -> Result<GameEntry, TextError> {
    if Language::of_file(name).is_none() {
        let ending = "the name of a rules file ends in .rbg, .kif or .gdl";
        return Err(TextError::new(format!("{} is no game: {ending}", quoted(name))));
    }
    let text = read(name).map_err(|error| TextError::new(error.to_string()))?;
    entry(name, &text, compiled).map_err(|error| TextError::new(placed(name, &error)))
}

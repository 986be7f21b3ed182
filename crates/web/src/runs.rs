//! A folder of recorded matches and of experiments' results, read for the page. Nothing outside of it can be reached.

use std::collections::HashMap;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use plyproof_engine::quoted;
use plyproof_lab::matches::{Ledger, MatchError, Summary, record};
use serde::Serialize;

/// Folders are followed this deep.
const DEEPEST: usize = 5;
/// Files looked at.
const MOST_FILES: usize = 5000;
/// Largest table or figure shown, in bytes.
const LARGEST_FILE: u64 = 8 << 20;
/// Largest record read, in bytes.
const LARGEST_RECORD: u64 = 256 << 20;
/// Games of a match told with their moves, and most bytes of these moves.
const MOST_GAMES: usize = 400;
const MOST_MOVES: usize = 8 << 20;

/// The folder.
pub(crate) struct Runs {
    root: PathBuf,
    /// Summaries of records, by path, while length and time of change stay the same.
    known: Mutex<Known>,
}

type Known = HashMap<PathBuf, (u64, Option<SystemTime>, Brief)>;

/// Why something is not shown.
#[derive(Debug, PartialEq)]
pub(crate) enum Refused {
    /// There is no such thing here.
    Missing(String),
    /// It is there, and is not what it should be.
    Unreadable(String),
}

/// All that the folder holds.
#[derive(Serialize)]
pub(crate) struct Listed {
    folder: String,
    matches: Vec<ListedMatch>,
    experiments: Vec<Experiment>,
    /// More files than are looked at.
    cut: bool,
}

#[derive(Serialize)]
struct ListedMatch {
    path: String,
    /// Seconds since the record last grew.
    age: Option<f64>,
    #[serde(flatten)]
    brief: Brief,
}

/// A record in a few numbers, or why it is none.
#[derive(Clone, Serialize)]
#[serde(untagged)]
enum Brief {
    Match(Box<Counted>),
    Bad { error: String },
}

#[derive(Clone, Serialize)]
struct Counted {
    game: String,
    a: String,
    b: String,
    games: u32,
    wins: u32,
    draws: u32,
    losses: u32,
    win_rate: Option<f64>,
    wilson95: Option<[f64; 2]>,
}

/// A folder with tables or figures.
#[derive(Default, Serialize)]
struct Experiment {
    path: String,
    tables: Vec<String>,
    figures: Vec<String>,
}

/// A match in full.
#[derive(Serialize)]
pub(crate) struct Shown {
    path: String,
    age: Option<f64>,
    side_a: String,
    side_b: String,
    summary: Summary,
    /// A's results in the order in which the games finished: `w`, `d`, `l`.
    results: String,
    games: Vec<GameLine>,
}

#[derive(Serialize)]
struct GameLine {
    pair: u32,
    game: u32,
    /// `a` or `b`: who moved first.
    first: plyproof_lab::matches::SideName,
    result: &'static str,
    plies: u32,
    /// All of them, the opening included, separated by spaces.
    moves: String,
}

/// A file to be sent as it is.
pub(crate) struct Found {
    pub kind: &'static str,
    pub bytes: Vec<u8>,
}

impl Runs {
    pub(crate) fn open(folder: &Path) -> Result<Self, String> {
        let wrong = |why: String| format!("--runs {}: {why}", folder.display());
        let root = folder.canonicalize().map_err(|error| wrong(error.to_string()))?;
        if !root.is_dir() {
            return Err(wrong("it is a file; a folder with records of matches is wanted".to_string()));
        }
        Ok(Self { root, known: Mutex::default() })
    }

    /// Every record, table and figure.
    pub(crate) fn list(&self) -> Result<Listed, Refused> {
        let (mut files, mut waiting, mut cut) = (Vec::new(), vec![(self.root.clone(), 0)], false);
        while let Some((folder, depth)) = waiting.pop() {
            let Ok(entries) = fs::read_dir(&folder) else { continue };
            for entry in entries.flatten() {
                let (path, Ok(kind)) = (entry.path(), entry.file_type()) else { continue };
                if kind.is_dir() && depth < DEEPEST {
                    waiting.push((path, depth + 1));
                } else if kind.is_file() && files.len() < MOST_FILES {
                    files.push(path);
                } else if kind.is_file() {
                    cut = true;
                }
            }
        }
        files.sort();
        let (mut matches, mut experiments) = (Vec::new(), Vec::<Experiment>::new());
        for path in &files {
            let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
            let shown = self.name(path);
            let table = name.ends_with(".md") && name.contains("table");
            if name.ends_with(".jsonl") || name.ends_with(".jsonl.gz") {
                matches.push(ListedMatch { path: shown, age: age(path), brief: self.brief(path) });
            } else if table || name.ends_with(".svg") {
                let folder = path.parent().map(|folder| self.name(folder)).unwrap_or_default();
                if experiments.last().is_none_or(|last| last.path != folder) {
                    experiments.push(Experiment { path: folder, ..Experiment::default() });
                }
                if let Some(last) = experiments.last_mut() {
                    if table { &mut last.tables } else { &mut last.figures }.push(shown);
                }
            }
        }
        // Files that are lines of JSON but no matches, as those with games of other programs, are left out quietly.
        matches.retain(|listed| match &listed.brief {
            Brief::Bad { error } => !error.contains("does not begin with the header") && !error.contains("it holds a"),
            Brief::Match(_) => true,
        });
        Ok(Listed { folder: self.root.display().to_string(), matches, experiments, cut })
    }

    /// A match with all its statistics and its games.
    pub(crate) fn read_match(&self, path: &str) -> Result<Shown, Refused> {
        let place = self.place(path, &[".jsonl", ".jsonl.gz"], LARGEST_RECORD)?;
        let unreadable = |error: MatchError| Refused::Unreadable(self.without_root(&error.to_string()));
        let mut found = record::Reader::open(&place).map_err(unreadable)?;
        let config = found.header().config.clone();
        let mut ledger = Ledger::new(config.clone());
        let (mut results, mut games, mut bytes) = (String::new(), Vec::new(), 0);
        // One game at a time: a record may be much larger than what is told of it.
        while let Some(game) = found.next_game().map_err(unreadable)? {
            ledger.add(&game);
            results.push_str(&game.result.word()[..1]);
            bytes += game.opening.len() + game.moves.len() + 1;
            if games.len() < MOST_GAMES && bytes <= MOST_MOVES {
                games.push(GameLine {
                    pair: game.pair,
                    game: game.game,
                    first: game.first,
                    result: game.result.word(),
                    plies: game.plies,
                    moves: format!("{} {}", game.opening, game.moves).trim_start().to_string(),
                });
            }
        }
        Ok(Shown {
            path: path.to_string(),
            age: age(&place),
            side_a: config.a.to_string(),
            side_b: config.b.to_string(),
            summary: ledger.summary(),
            results,
            games,
        })
    }

    /// Where the record of a new match goes: in the folder `page`, by a name of letters, digits and hyphens. A match of
    /// this name that is not finished goes on.
    pub(crate) fn new_record(&self, name: &str) -> Result<PathBuf, String> {
        let sound = |c: char| c.is_ascii_alphanumeric() || "-_().,=".contains(c);
        if name.is_empty() || name.len() > 100 || name.starts_with('.') || !name.chars().all(sound) {
            let what = "is not the name of a record: expected up to 100 letters, digits and - _ ( ) . , =";
            return Err(format!("{} {what}", quoted(name)));
        }
        let folder = self.root.join("page");
        fs::create_dir_all(&folder).map_err(|error| format!("page: {error}"))?;
        Ok(folder.join(format!("{name}.jsonl")))
    }

    /// A path in the folder as the page names it.
    pub(crate) fn name_of(&self, path: &Path) -> String {
        self.name(path)
    }

    /// A table or a figure.
    pub(crate) fn read_file(&self, path: &str) -> Result<Found, Refused> {
        let place = self.place(path, &[".md", ".svg"], LARGEST_FILE)?;
        let bytes = fs::read(&place).map_err(|error| Refused::Unreadable(format!("{}: {error}", quoted(path))))?;
        let kind = if path.to_lowercase().ends_with(".svg") { "image/svg+xml" } else { "text/plain; charset=utf-8" };
        Ok(Found { kind, bytes })
    }

    /// The file that is meant, if it is in the folder, of one of these kinds, and not too large.
    fn place(&self, path: &str, kinds: &[&str], largest: u64) -> Result<PathBuf, Refused> {
        let missing = || Refused::Missing(format!("there is no file {} among the runs", quoted(path)));
        let relative = Path::new(path);
        let plain = relative.components().all(|part| matches!(part, Component::Normal(_)));
        let lower = path.to_lowercase();
        if path.is_empty() || !plain || !kinds.iter().any(|kind| lower.ends_with(kind)) {
            return Err(missing());
        }
        // Links are followed before it is asked whether the file lies inside.
        let place = self.root.join(relative).canonicalize().map_err(|_| missing())?;
        let about = fs::metadata(&place).map_err(|_| missing())?;
        if !place.starts_with(&self.root) || !about.is_file() {
            return Err(missing());
        }
        if about.len() > largest {
            let most = largest >> 20;
            return Err(Refused::Unreadable(format!("{} is too large to show: more than {most} MB", quoted(path))));
        }
        Ok(place)
    }

    /// A path as the page names it: from the folder on, with slashes.
    fn name(&self, path: &Path) -> String {
        let inside = path.strip_prefix(&self.root).unwrap_or(path);
        let parts: Vec<_> = inside.components().map(|part| part.as_os_str().to_string_lossy()).collect();
        parts.join("/")
    }

    fn without_root(&self, message: &str) -> String {
        message.replace(&format!("{}/", self.root.display()), "")
    }

    fn brief(&self, path: &Path) -> Brief {
        let about = fs::metadata(path).ok();
        let (length, changed) = about.map_or((0, None), |about| (about.len(), about.modified().ok()));
        let known = |known: &Known| {
            known.get(path).filter(|entry| (entry.0, entry.1) == (length, changed)).map(|entry| entry.2.clone())
        };
        if let Some(brief) = known(&self.known.lock().unwrap_or_else(PoisonError::into_inner)) {
            return brief;
        }
        let brief = match self.read_match(&self.name(path)) {
            Ok(Shown { summary, side_a, side_b, .. }) => Brief::Match(Box::new(Counted {
                game: summary.game,
                a: side_a,
                b: side_b,
                games: summary.games,
                wins: summary.wins,
                draws: summary.draws,
                losses: summary.losses,
                win_rate: summary.win_rate_without_draws,
                wilson95: summary.wilson95,
            })),
            Err(Refused::Missing(error) | Refused::Unreadable(error)) => Brief::Bad { error },
        };
        let mut all = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(path.to_path_buf(), (length, changed, brief.clone()));
        brief
    }
}

/// Seconds since a file was last changed.
fn age(path: &Path) -> Option<f64> {
    let changed = fs::metadata(path).ok()?.modified().ok()?;
    Some(SystemTime::now().duration_since(changed).unwrap_or_default().as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn experiments() -> Runs {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments/strength/second");
        Runs::open(&folder).expect("the folder of an experiment")
    }

    #[test]
    fn matches_tables_and_figures_of_a_folder_are_found() {
        let runs = experiments();
        let Ok(listed) = runs.list() else { panic!("no list") };
        assert!(listed.matches.len() == 6 && !listed.cut);
        assert!(listed.matches.iter().all(|listed| matches!(listed.brief, Brief::Match(_))));
        let figures: Vec<&str> = listed.experiments.iter().flat_map(|e| &e.figures).map(String::as_str).collect();
        assert_eq!(figures, ["win-rates.svg"]);
        let shown = runs.read_match(&listed.matches[0].path).expect("a match");
        assert_eq!(shown.results.len(), shown.summary.games as usize);
        assert!(runs.read_file("win-rates.svg").is_ok_and(|found| found.kind == "image/svg+xml"));
    }

    #[test]
    fn nothing_outside_of_the_folder_is_shown() {
        let runs = experiments();
        for path in
            ["../README.md", "/etc/passwd", "records/../../README.md", "", ".", "results.json", "x.svg", "a\0.svg"]
        {
            assert!(matches!(runs.read_file(path), Err(Refused::Missing(_))), "{path}");
            assert!(matches!(runs.read_match(path), Err(Refused::Missing(_))), "{path}");
        }
        assert!(Runs::open(Path::new("no such folder")).is_err());
    }
}

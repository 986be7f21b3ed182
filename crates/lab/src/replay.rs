//! Replays games that another program recorded and compares its rules with ours at every ply.
//!
//! One game a line, as JSON, in a plain or gzipped file:
//! ```text
//! {"game": "breakthrough(size=5x6)",
//!  "plies": [{"mover": 1, "legal": ["a2a3", …], "move": "a2a3"}, …],
//!  "result": 1 | 0 | -1 | null}
//! ```
//! A file of games in one of the formats of `plyproof-notation` is read too: it says nothing about the mover and the legal
//! moves, so that every move, those of variations included, is only checked by the rules.
//!
//! `legal` holds every legal move in any order; `result` is for player 1, and null or missing means that it is not
//! compared. Other fields are ignored.

use std::borrow::Cow;
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use plyproof_core::{Outcome, PLY_LIMIT, Player, quoted};
use serde::{Deserialize, Serialize};

use plyproof_engine::lines::Lines;
use plyproof_engine::{AnyGame, Registry};
use plyproof_notation::{GameFile, ReadError};

use crate::game_files::{Content, peeked};

/// What replaying some files came to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// Games replayed.
    pub games: u64,
    /// Recorded moves compared.
    pub plies: u64,
    /// Positions and results at which the record and our rules differ; a game goes on as long as its move is legal here.
    pub mismatches: u64,
    /// The same for each file.
    pub files: Vec<FileReport>,
    /// The first difference.
    pub first_mismatch: Option<Mismatch>,
}

/// The counts of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FileReport {
    /// The file as it was named.
    pub file: String,
    /// Games replayed.
    pub games: u64,
    /// Recorded moves compared.
    pub plies: u64,
    /// Positions and results that differ.
    pub mismatches: u64,
}

/// What differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Difference {
    /// The record goes on where our game is over.
    Over,
    /// Another player is to move.
    Mover,
    /// The sets of legal moves differ.
    Legal,
    /// The recorded move is in neither set of legal moves.
    Move,
    /// The results differ, or our game is not over where the record ends.
    Result,
}

/// One difference between a record and our rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mismatch {
    /// The file as it was named.
    pub file: String,
    /// Its line, counted from 1.
    pub line: u64,
    /// The game in its shortest spelling.
    pub game: String,
    /// The recorded move before which it shows, counted from 1; one more than there are for a difference at the end.
    pub ply: u64,
    /// What differs.
    pub difference: Difference,
    /// Our position there.
    pub position: String,
    /// What the record says.
    pub expected: String,
    /// What we have.
    pub found: String,
    /// Legal in the record, not here.
    pub missing: Vec<String>,
    /// Legal here, not in the record.
    pub extra: Vec<String>,
}

/// Why a file could not be replayed to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayError {
    /// The file as it was named.
    pub file: String,
    /// Its line, counted from 1, if the fault is in one.
    pub line: Option<u64>,
    /// What is wrong, in a few words.
    pub what: String,
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if let Some(line) = self.line {
            write!(f, " line {line}")?;
        }
        write!(f, ": {}", self.what)
    }
}

impl std::error::Error for ReplayError {}

#[derive(Deserialize)]
struct Record<'a> {
    #[serde(borrow)]
    game: Cow<'a, str>,
    #[serde(borrow)]
    plies: Vec<Ply<'a>>,
    result: Option<i64>,
}

#[derive(Deserialize)]
struct Ply<'a> {
    mover: u64,
    #[serde(borrow)]
    legal: Vec<MoveText<'a>>,
    #[serde(borrow, rename = "move")]
    played: Cow<'a, str>,
}

/// Borrowed from the line where possible: a line of very many short moves then takes little more than itself.
#[derive(Deserialize, PartialEq, Eq, PartialOrd, Ord)]
struct MoveText<'a>(#[serde(borrow)] Cow<'a, str>);

impl Report {
    /// Replays a file and adds it to the report. After an error the report holds what was replayed before it.
    pub fn add_file(&mut self, registry: &Registry, path: &Path) -> Result<(), ReplayError> {
        let name = path.display().to_string();
        match File::open(path) {
            Ok(file) => self.add_stream(registry, name, file),
            Err(error) => Err(ReplayError { file: name, line: None, what: error.to_string() }),
        }
    }

    /// Replays what `source` holds under the name `name`; otherwise as [`add_file`](Report::add_file).
    pub fn add_stream(
        &mut self,
        registry: &Registry,
        name: String,
        source: impl Read + 'static,
    ) -> Result<(), ReplayError> {
        self.files.push(FileReport { file: name.clone(), ..FileReport::default() });
        let at = |line: Option<u64>, what: String| ReplayError { file: name.clone(), line, what };
        let (content, source) = peeked(source).map_err(|error| at(None, error.to_string()))?;
        if content == Content::Games {
            return self.add_games(registry, source).map_err(|(line, what)| at(line, what));
        }
        let mut lines = Lines::new(source).map_err(|error| at(None, error.to_string()))?;
        loop {
            let (number, line) = match lines.next_line() {
                Ok(Some(next)) => next,
                Ok(None) => return Ok(()),
                Err(error) => return Err(at(Some(lines.number()), error.to_string())),
            };
            if line.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            let record: Record<'_> =
                serde_json::from_slice(line).map_err(|error| at(Some(number), json_fault(&error)))?;
            if !matches!(record.result, None | Some(-1..=1)) {
                return Err(at(Some(number), "the result is none of 1, 0, -1 and null".to_string()));
            }
            let game = registry.open(&record.game).map_err(|error| at(Some(number), error.to_string()))?;
            self.add_game(game, record, number);
        }
    }

    /// Reads a file of games, which checks every move.
    fn add_games(&mut self, registry: &Registry, source: impl Read + 'static) -> Result<(), (Option<u64>, String)> {
        let fault = |error: ReadError| (Some(error.line), format!("column {}: {}", error.column, error.what));
        let opened = GameFile::open(registry, source).map_err(|error| (None, error.to_string()))?;
        let mut file = opened.map_err(fault)?;
        while let Some(game) = file.next_game().map_err(fault)? {
            self.count(|file| &mut file.games, |report| &mut report.games);
            self.plies += game.tree.len() as u64;
            if let Some(file) = self.files.last_mut() {
                file.plies += game.tree.len() as u64;
            }
        }
        Ok(())
    }

    fn add_game(&mut self, mut game: Box<dyn AnyGame>, record: Record<'_>, line: u64) {
        self.count(|file| &mut file.games, |report| &mut report.games);
        let mut ply = 0;
        let mut playable = true;
        for recorded in record.plies {
            ply += 1;
            self.count(|file| &mut file.plies, |report| &mut report.plies);
            let difference = compare_ply(&*game, &recorded);
            playable = game.play(&recorded.played).is_ok();
            if let Some(difference) = difference {
                self.add_mismatch(difference, line, ply);
            }
            if !playable {
                break;
            }
        }
        if playable && let Some(difference) = compare_end(&*game, record.result, ply) {
            self.add_mismatch(difference, line, ply + 1);
        }
    }

    fn count(&mut self, in_file: fn(&mut FileReport) -> &mut u64, in_all: fn(&mut Report) -> &mut u64) {
        *in_all(self) += 1;
        if let Some(file) = self.files.last_mut() {
            *in_file(file) += 1;
        }
    }

    fn add_mismatch(&mut self, mismatch: Mismatch, line: u64, ply: u64) {
        self.count(|file| &mut file.mismatches, |report| &mut report.mismatches);
        let file = self.files.last().map(|file| file.file.clone()).unwrap_or_default();
        self.first_mismatch.get_or_insert(Mismatch { file, line, ply, ..mismatch });
    }
}

impl Mismatch {
    /// A difference at the position of `game`; where in which file it is, is filled in later.
    fn new(game: &dyn AnyGame, difference: Difference, expected: String, found: String) -> Self {
        let (missing, extra) = (Vec::new(), Vec::new());
        let (game, position) = (game.name(), game.position_text());
        Self { file: String::new(), line: 0, game, ply: 0, difference, position, expected, found, missing, extra }
    }
}

/// The first way in which our position differs from the recorded one.
fn compare_ply(game: &dyn AnyGame, recorded: &Ply<'_>) -> Option<Mismatch> {
    let differs = |difference, expected, found| Some(Mismatch::new(game, difference, expected, found));
    if let Some(outcome) = game.outcome() {
        let expected = format!("player {} plays {}", recorded.mover, quoted(&recorded.played));
        return differs(Difference::Over, expected, format!("the game is over: {outcome}"));
    }
    let mover = game.to_move().index() as u64 + 1;
    if recorded.mover != mover {
        let (expected, found) = (recorded.mover, mover);
        return differs(Difference::Mover, format!("player {expected} to move"), format!("player {found} to move"));
    }
    let mut expected: Vec<&str> = recorded.legal.iter().map(|text| &*text.0).collect();
    expected.sort_unstable();
    expected.dedup();
    let mut found = game.legal_moves();
    found.sort_unstable();
    if expected != found {
        let moves =
            |count: usize, list: String| format!("{count} {}: {list}", if count == 1 { "move" } else { "moves" });
        let mut mismatch = Mismatch::new(
            game,
            Difference::Legal,
            moves(expected.len(), expected.join(" ")),
            moves(found.len(), found.join(" ")),
        );
        let ours = |text: &&&str| found.binary_search_by(|own| own.as_str().cmp(text)).is_ok();
        mismatch.missing = expected.iter().filter(|text| !ours(text)).map(|text| text.to_string()).collect();
        mismatch.extra = found.iter().filter(|own| expected.binary_search(&own.as_str()).is_err()).cloned().collect();
        return Some(mismatch);
    }
    if expected.binary_search(&&*recorded.played).is_err() {
        let found = format!("it is none of the {} legal moves: {}", found.len(), found.join(" "));
        return differs(Difference::Move, format!("player {mover} plays {}", quoted(&recorded.played)), found);
    }
    None
}

/// How the end of our game differs from the recorded result, for player 1.
fn compare_end(game: &dyn AnyGame, result: Option<i64>, plies: u64) -> Option<Mismatch> {
    let result = result?;
    let expected = match result {
        1 => "player 1 wins",
        -1 => "player 2 wins",
        _ => "draw",
    };
    let outcome = match game.outcome() {
        // The cut that keeps endless games finite is no rule of a game, but a record that ends in it is a whole game.
        None if plies == u64::from(PLY_LIMIT) => Outcome::DRAW,
        None => {
            let found = format!("the game is not over, player {} to move", game.to_move());
            return Some(Mismatch::new(game, Difference::Result, expected.to_string(), found));
        }
        Some(outcome) => outcome,
    };
    let same = i64::from(outcome.of(Player::FIRST).value()) == result;
    (!same).then(|| Mismatch::new(game, Difference::Result, expected.to_string(), outcome.to_string()))
}

/// serde's message without its line number, which is always 1 here, and short whatever text it quotes.
fn json_fault(error: &serde_json::Error) -> String {
    const LONGEST: usize = 120;
    let message = error.to_string();
    let what = message.rsplit_once(" at line ").map_or(message.as_str(), |(what, _)| what);
    let mut short: String = what.chars().take(LONGEST).collect();
    if short.len() < what.len() {
        short.push('…');
    }
    format!("not the record of a game: {short}, at column {}", error.column())
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    /// A whole game on 2x4, worked out by hand: player 1 wins with the last move.
    const PLIES: [&str; 5] = [
        r#"{"mover":1,"legal":["a2b3","b2a3"],"move":"a2b3","position":"ignored"}"#,
        r#"{"mover":2,"legal":["a3a2","a3b2","a4b3"],"move":"a4b3"}"#,
        r#"{"mover":1,"legal":["b2a3","b1a2","a1a2"],"move":"b2a3"}"#,
        r#"{"mover":2,"legal":["b3a2","b3b2","b4a3"],"move":"b3a2"}"#,
        r#"{"mover":1,"legal":["a1b2","a3a4","a3b4","b1a2","b1b2"],"move":"a3a4"}"#,
    ];

    fn record(plies: &[&str], result: &str) -> String {
        let plies = plies.join(",");
        format!(r#"{{"source":"by hand","game":"breakthrough(size=2x4)","plies":[{plies}],"result":{result}}}"#) + "\n"
    }

    fn replayed(text: impl Into<Vec<u8>>) -> Result<Report, ReplayError> {
        let mut report = Report::default();
        report.add_stream(&Registry::builtin(), "games.jsonl".to_string(), Cursor::new(text.into())).map(|()| report)
    }

    /// The first mismatch of one doctored game, and how many there are.
    fn mismatch(plies: &[&str], result: &str) -> (Mismatch, u64) {
        let report = replayed(record(plies, result)).expect("readable");
        (report.first_mismatch.expect("a mismatch"), report.mismatches)
    }

    #[test]
    fn a_game_by_the_rules_has_no_mismatch_and_an_unknown_result_is_not_compared() {
        let text =
            [record(&PLIES, "1"), "\n".to_string(), record(&PLIES[..3], "null"), record(&PLIES, "null")].concat();
        let report = replayed(text).expect("readable");
        assert_eq!((report.games, report.plies, report.mismatches), (3, 13, 0));
        assert_eq!(report.first_mismatch, None);
        let file = FileReport { file: "games.jsonl".into(), games: 3, plies: 13, mismatches: 0 };
        assert_eq!(report.files, [file]);
        let without = r#"{"game":"breakthrough","plies":[]}"#;
        assert_eq!(replayed(without).map(|report| (report.games, report.mismatches)), Ok((1, 0)));
    }

    #[test]
    fn a_legal_move_too_many_or_too_few_is_found_and_named() {
        let mut plies = PLIES;
        plies[1] = r#"{"mover":2,"legal":["a4b3","a4a3","a3b2"],"move":"a4b3"}"#;
        let (first, count) = mismatch(&plies, "1");
        assert_eq!(count, 1, "the game goes on");
        assert_eq!((first.file.as_str(), first.line, first.ply), ("games.jsonl", 1, 2));
        assert_eq!((first.game.as_str(), first.position.as_str()), ("breakthrough(size=2x4)", "oo/ox/.x/xx o"));
        assert_eq!(
            (first.expected.as_str(), first.found.as_str()),
            ("3 moves: a3b2 a4a3 a4b3", "3 moves: a3a2 a3b2 a4b3")
        );
        assert_eq!((first.missing, first.extra), (vec!["a4a3".to_string()], vec!["a3a2".to_string()]));
        assert_eq!(first.difference, Difference::Legal);
    }

    #[test]
    fn a_wrong_mover_a_move_that_is_not_legal_and_a_game_that_is_over_are_found() {
        let mut plies = PLIES;
        plies[2] = r#"{"mover":2,"legal":["b2a3","b1a2","a1a2"],"move":"b2a3"}"#;
        let (first, count) = mismatch(&plies, "1");
        assert_eq!((first.difference, first.ply, count), (Difference::Mover, 3, 1));
        assert_eq!((first.expected.as_str(), first.found.as_str()), ("player 2 to move", "player 1 to move"));

        plies[2] = r#"{"mover":1,"legal":["b2a3","b1a2","a1a2"],"move":"b2b3"}"#;
        let (first, count) = mismatch(&plies, "1");
        assert_eq!((first.difference, first.ply, count), (Difference::Move, 3, 1), "the game stops there");

        let longer = [&PLIES[..], &[r#"{"mover":2,"legal":["b4b3"],"move":"b4b3"}"#]].concat();
        let (first, count) = mismatch(&longer, "1");
        assert_eq!((first.difference, first.ply, count), (Difference::Over, 6, 1));
        assert_eq!(first.found, "the game is over: player 1 wins");
    }

    #[test]
    fn files_of_games_are_replayed_and_an_illegal_move_is_named_with_its_place() {
        let text = "[Game \"breakthrough(size=2x4)\"]\n\n1. a2b3 a4b3 (2. a3a2) 3. b2a3 *\n";
        let report = replayed(text).expect("legal moves");
        assert_eq!((report.games, report.plies, report.mismatches), (1, 4, 0));
        let error = replayed(text.replace("b2a3", "b2b4")).expect_err("an illegal move").to_string();
        assert!(error.starts_with("games.jsonl line 3: column 27: \"b2b4\" is not a legal move here"), "{error}");
    }

    #[test]
    fn a_wrong_result_and_an_end_before_the_end_are_found() {
        for (result, expected) in [("-1", "player 2 wins"), ("0", "draw")] {
            let (first, _) = mismatch(&PLIES, result);
            assert_eq!((first.difference, first.ply), (Difference::Result, 6));
            assert_eq!((first.expected.as_str(), first.found.as_str()), (expected, "player 1 wins"));
        }
        let (first, _) = mismatch(&PLIES[..4], "1");
        assert_eq!(
            (first.difference, first.found.as_str()),
            (Difference::Result, "the game is not over, player 1 to move")
        );
    }

    #[test]
    fn the_first_mismatch_is_kept_and_all_are_counted() {
        let good = record(&PLIES, "1");
        let text = [good.clone(), record(&PLIES, "0"), record(&PLIES, "-1"), good].concat();
        let report = replayed(text).expect("readable");
        assert_eq!((report.games, report.mismatches), (4, 2));
        assert_eq!(report.first_mismatch.map(|first| (first.line, first.expected)), Some((2, "draw".to_string())));
    }

    #[test]
    fn a_game_cut_at_the_limit_of_moves_is_a_draw() {
        let game = Registry::builtin().open("breakthrough").expect("a game");
        assert!(compare_end(&*game, Some(0), u64::from(PLY_LIMIT)).is_none());
        assert!(compare_end(&*game, Some(1), u64::from(PLY_LIMIT)).is_some());
        assert!(compare_end(&*game, Some(0), u64::from(PLY_LIMIT) - 1).is_some());
    }

    #[test]
    fn what_is_no_record_is_an_error_that_names_file_line_and_fault() {
        let long = format!(r#"{{"game":"breakthrough","plies":"{}"}}"#, "\\n".repeat(100_000));
        for (text, part) in [
            ("{", "EOF while parsing"),
            ("[1]", "not the record of a game"),
            (r#"{"game":"breakthrough"}"#, "missing field `plies`"),
            (r#"{"game":7,"plies":[]}"#, "invalid type: integer `7`"),
            (r#"{"game":"breakthrough","plies":[{"mover":"1","legal":[],"move":""}]}"#, "expected u64, at column 44"),
            (r#"{"game":"breakthrough","plies":[],"result":2}"#, "none of 1, 0, -1 and null"),
            (r#"{"game":"breakthrough","plies":[],"result":"1"}"#, "invalid type: string \"1\""),
            (r#"{"game":"chess","plies":[]}"#, "unknown game \"chess\""),
            (r#"{"game":"breakthrough(size=9)","plies":[]}"#, "size is WxH"),
            (&(r#"{"x":"#.to_string() + &"[".repeat(1_000_000)), "EOF while parsing a list"),
            ("\u{0}\u{1}\u{2}", "expected value"),
            (&long, "invalid type: string"),
        ] {
            let text = [record(&PLIES, "1"), text.to_string()].concat();
            let error = replayed(text.clone()).expect_err(part).to_string();
            assert!(error.starts_with("games.jsonl line 2: ") && error.contains(part), "{error}");
            assert!(!error.contains('\n') && error.len() < 300, "{error}");
        }
        assert!(replayed(b"{\"game\":\"\xff\xfe\"}".to_vec()).is_err(), "not UTF-8");
        let error = Report::default()
            .add_file(&Registry::builtin(), Path::new("no/such/file"))
            .expect_err("missing")
            .to_string();
        assert!(error.starts_with("no/such/file: "), "{error}");
    }
}

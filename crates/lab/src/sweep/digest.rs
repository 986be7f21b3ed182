//! Digests of recorded games, small enough to keep where the records are too large, and their check by replaying.
//!
//! Games with fixed simulations depend on the plan and the version of plyproof alone. A file `digests.txt` beside the
//! results has a line for each record: its name, its games, and a digest of each block of ten pairs. Whoever doubts a
//! result plays some blocks again and compares.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::matches::{self, GameRecord, MatchError, MatchPlan, record};
use crate::sweep::plan::{Cell, SweepPlan};
use crate::sweep::results::{SweepError, write_file};

/// Pairs of games that share a digest.
pub const BLOCK: u32 = 10;
/// The name of the file.
pub const DIGESTS: &str = "digests.txt";
/// How the first line begins; the version of plyproof that played the games follows.
const HEADER: &str = "plyproof digests of games, blocks of 10 pairs, played by ";

/// The digests of the records of a sweep.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Digests {
    /// The version of plyproof that played the games.
    pub version: String,
    /// By the name of the record: how many games it has, and the digest of each block of pairs.
    pub records: BTreeMap<String, RecordDigest>,
}

/// The digests of one record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordDigest {
    /// Games in the record.
    pub games: usize,
    /// A digest for each block of ten pairs, in order.
    pub blocks: Vec<u64>,
}

impl RecordDigest {
    /// The digests of these games.
    pub fn of(games: &[GameRecord]) -> Self {
        let mut digest = Self::default();
        games.iter().for_each(|game| digest.add(game));
        digest
    }

    /// Adds a game. Neither the order of games nor their times matter: a block is the sum of the hashes of its games.
    pub fn add(&mut self, game: &GameRecord) {
        let block = (game.pair / BLOCK) as usize;
        if self.blocks.len() <= block {
            self.blocks.resize(block + 1, 0);
        }
        self.blocks[block] = self.blocks[block].wrapping_add(game.digest());
        self.games += 1;
    }
}

impl Digests {
    /// The digests of all records, plain or gzipped, in a folder.
    pub fn of_folder(folder: &Path, version: &str) -> Result<Self, SweepError> {
        let unreadable = |error| SweepError::File(format!("cannot read {}: {error}", folder.display()));
        let mut digests = Self { version: version.to_string(), ..Self::default() };
        for entry in fs::read_dir(folder).map_err(unreadable)? {
            let path = entry.map_err(unreadable)?.path();
            let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
            let name = name.trim_end_matches(".gz");
            if name.ends_with(".jsonl") {
                let unreadable = |error: MatchError| SweepError::File(error.to_string());
                let mut reader = record::Reader::open(&path).map_err(unreadable)?;
                let mut digest = RecordDigest::default();
                while let Some(game) = reader.next_game().map_err(unreadable)? {
                    digest.add(&game);
                }
                digests.records.insert(name.to_string(), digest);
            }
        }
        Ok(digests)
    }

    /// Writes the file of digests into the folder of a sweep.
    pub fn save(&self, folder: &Path) -> Result<(), SweepError> {
        write_file(&folder.join(DIGESTS), self.to_text().as_bytes())
    }

    fn to_text(&self) -> String {
        let mut text = format!("{HEADER}{}\n", self.version);
        for (name, record) in &self.records {
            let _ = write!(text, "{name} {}", record.games);
            for block in &record.blocks {
                let _ = write!(text, " {block:016x}");
            }
            text.push('\n');
        }
        text
    }

    /// Reads the file of digests in the folder of a sweep.
    pub fn load(folder: &Path) -> Result<Self, SweepError> {
        /// Longest file read, in bytes: far more than a sweep of ten thousand cells has.
        const LONGEST: u64 = 64 << 20;
        let path = folder.join(DIGESTS);
        let wrong = |what: String| SweepError::File(format!("{}: {what}", path.display()));
        let size = fs::metadata(&path).map_err(|error| wrong(error.to_string()))?.len();
        if size > LONGEST {
            return Err(wrong(format!("it is larger than {} MB", LONGEST >> 20)));
        }
        let text = fs::read_to_string(&path).map_err(|error| wrong(error.to_string()))?;
        Self::parse(&text).map_err(wrong)
    }

    fn parse(text: &str) -> Result<Self, String> {
        let mut lines = text.lines();
        let version = lines.next().and_then(|line| line.strip_prefix(HEADER));
        let version = version.ok_or_else(|| format!("line 1 does not begin with {HEADER:?}"))?.to_string();
        let mut records = BTreeMap::new();
        for (line, number) in lines.zip(2..) {
            let mut words = line.split(' ');
            let read = || format!("line {number} is not the name of a record, its games and a digest a block");
            let name = words.next().filter(|name| !name.is_empty()).ok_or_else(read)?;
            let games = words.next().and_then(|games| games.parse().ok()).ok_or_else(read)?;
            let blocks = words.map(|word| u64::from_str_radix(word, 16).ok()).collect::<Option<Vec<_>>>();
            let record = RecordDigest { games, blocks: blocks.ok_or_else(read)? };
            if records.insert(name.to_string(), record).is_some() {
                return Err(format!("line {number}: {name} is there twice"));
            }
        }
        Ok(Self { version, records })
    }
}

/// What came of checking one cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedCell {
    /// The identity of the cell.
    pub id: String,
    /// The games that were replayed.
    pub games: usize,
    /// Whether they are those of the digests.
    pub agrees: bool,
}

/// What a check found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// The cells replayed.
    pub cells: Vec<CheckedCell>,
    /// Cells that cannot be replayed: budgets in time, or no digest.
    pub skipped: Vec<String>,
}

/// Replays the first block of `sample` cells, spread over the plan, and compares them with the digests.
pub fn check(
    plan: &SweepPlan,
    digests: &Digests,
    sample: usize,
    jobs: usize,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(&CheckedCell),
) -> Result<Checked, SweepError> {
    let mut checked = Checked::default();
    let mut replayable: Vec<(&Cell, &RecordDigest)> = Vec::new();
    for cell in &plan.cells {
        let timed = [&cell.plan.a, &cell.plan.b].iter().any(|side| side.budget.time.is_some() || side.clock.is_some());
        match digests.records.get(&cell.record_name()) {
            Some(digest) if !timed && !digest.blocks.is_empty() => replayable.push((cell, digest)),
            _ => checked.skipped.push(cell.id.clone()),
        }
    }
    let step = replayable.len().div_ceil(sample.max(1)).max(1);
    for (cell, digest) in replayable.into_iter().step_by(step) {
        let pairs = BLOCK.min(cell.plan.pairs()).min(digest.games.div_ceil(2) as u32);
        // A sequential test may stop a match early, but never changes the games it has.
        let part = MatchPlan { games: 2 * pairs, sprt: None, ..MatchPlan::clone(&cell.plan) };
        let played = matches::play_all(&part, jobs, stop).map_err(|error| SweepError::Match(cell.id.clone(), error))?;
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let replayed = RecordDigest::of(&played);
        let agrees = replayed.blocks.first() == digest.blocks.first();
        let cell = CheckedCell { id: cell.id.clone(), games: played.len(), agrees };
        progress(&cell);
        checked.cells.push(cell);
    }
    Ok(checked)
}

#[cfg(test)]
mod tests {
    use plyproof_engine::Registry;

    use super::*;
    use crate::sweep::Options;

    const PLAN: &str =
        "name = 'p'\ngame = 'tictactoe'\na = 'mcts(c={c})'\nb = 'mcts'\nsims = 20\ngames = 24\n[grid]\nc = [0.5, 1]\n";

    fn played(cell: &Cell, games: u32) -> Vec<GameRecord> {
        let plan = MatchPlan { games, ..MatchPlan::clone(&cell.plan) };
        matches::play_all(&plan, 1, &AtomicBool::new(false)).expect("a sound plan")
    }

    #[test]
    fn digests_read_back_and_do_not_depend_on_times_or_order() {
        let plan = SweepPlan::parse(&Registry::builtin(), "p", PLAN, &Options::default()).expect("a plan");
        let mut games = played(&plan.cells[0], 24);
        let digest = RecordDigest::of(&games);
        assert_eq!((digest.games, digest.blocks.len()), (24, 2));
        games.reverse();
        games[3].ms_a += 1.0;
        assert_eq!(RecordDigest::of(&games), digest);
        games[3].sims_a.push(1);
        assert_ne!(RecordDigest::of(&games), digest);
        let mut digests = Digests { version: "1.2.3".to_string(), ..Digests::default() };
        digests.records.insert("a.jsonl".to_string(), digest);
        assert_eq!(Digests::parse(&digests.to_text()), Ok(digests.clone()));
        for (from, to) in [("plyproof", "x"), (" 24", " many"), ("a.jsonl 24", "a.jsonl 24 zz"), ("a.jsonl", " ")] {
            assert!(Digests::parse(&digests.to_text().replace(from, to)).is_err(), "{from} as {to}");
        }
        let doubled = digests.to_text() + "a.jsonl 1\n";
        assert_eq!(Digests::parse(&doubled).expect_err("twice"), "line 3: a.jsonl is there twice");
    }

    #[test]
    fn a_check_replays_cells_and_finds_those_that_differ() {
        let plan = SweepPlan::parse(&Registry::builtin(), "p", PLAN, &Options::default()).expect("a plan");
        let mut digests = Digests::default();
        for cell in &plan.cells {
            digests.records.insert(cell.record_name(), RecordDigest::of(&played(cell, 24)));
        }
        let run = |digests: &Digests, sample| {
            check(&plan, digests, sample, 1, &AtomicBool::new(false), &mut |_| {}).expect("a sound plan")
        };
        let agrees = |checked: &Checked| checked.cells.iter().map(|cell| cell.agrees).collect::<Vec<_>>();
        assert_eq!(agrees(&run(&digests, 9)), [true, true]);
        assert_eq!(run(&digests, 1).cells.len(), 1);
        let second = plan.cells[1].record_name();
        digests.records.get_mut(&second).expect("a record").blocks[0] ^= 1;
        assert_eq!(agrees(&run(&digests, 9)), [true, false]);
        digests.records.remove(&second);
        assert_eq!(run(&digests, 9).skipped, [plan.cells[1].id.clone()]);
    }
}

//! Sweeps in parts: each part plays its share of the pairs of every cell, and a collection merges their records.
//!
//! ```text
//! DIR/parts/CELL/3-of-8.jsonl   what the parts write, each part files of its own
//! DIR/records/CELL.jsonl        what a collection makes of them, and a sweep in one go would have written
//! ```

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::matches::{MatchError, Part, PartRecords, Summary, Tally, lock_folder};
use crate::sweep::plan::{Cell, Options, SweepPlan};
use crate::sweep::results::{Results, SweepError, create_folder};
use crate::sweep::runner::{RECORDS, Sweep};

/// The folder of the records of the parts, below that of a sweep.
const PARTS: &str = "parts";

/// A sweep in parts, in a folder that all of them see or each has a copy of.
pub struct PartedSweep {
    plan: SweepPlan,
    folder: PathBuf,
}

/// How far a part has come.
#[derive(Clone, Copy, Debug)]
pub struct PartProgress<'a> {
    /// The cell that is played.
    pub cell: &'a Cell,
    /// Its place, from 0.
    pub index: usize,
    /// How many cells there are.
    pub cells: usize,
    /// The games of this part in this cell.
    pub summary: &'a Summary,
}

/// What a part has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PartDone {
    /// Games in the records of this part that were there before.
    pub resumed: u64,
    /// Games played now.
    pub played: u64,
    /// Games left, because it was stopped.
    pub left: u64,
}

/// How far a sweep in parts has come.
#[derive(Clone, Debug)]
pub struct PartsState {
    /// One for each cell, in the order of the plan.
    pub cells: Vec<Tally>,
    /// How many parts the work is counted for.
    pub of: u32,
    /// One for each of these parts: games left to play by it, and the seconds that they will take one at a time; cells
    /// with an open sequential test count with all games that it may need.
    pub parts: Vec<PartLeft>,
}

/// What is left of a part.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PartLeft {
    /// Games at most.
    pub games: u64,
    /// Seconds one game at a time; 0 where no game was ever played.
    pub seconds: f64,
}

impl PartsState {
    /// Finished games of the plan.
    pub fn games(&self) -> u64 {
        self.cells.iter().map(|cell| u64::from(cell.games)).sum()
    }

    /// Games left to play, at most.
    pub fn left(&self) -> u64 {
        self.parts.iter().map(|part| part.games).sum()
    }

    /// The parts that have something to play, from 1.
    pub fn open_parts(&self) -> Vec<u32> {
        let open = self.parts.iter().zip(1..).filter(|(part, _)| part.games > 0);
        open.map(|(_, number)| number).collect()
    }

    /// Seconds of processor time left, at most; 0 where nothing is known.
    pub fn seconds(&self) -> f64 {
        self.parts.iter().map(|part| part.seconds).sum()
    }
}

/// A collection.
pub struct Collected {
    /// The results of all that is merged.
    pub results: Results,
    /// How far the sweep has come, and what is left for which part.
    pub state: PartsState,
    /// Games that this collection added.
    pub new: u64,
    /// Cells whose sequential test goes on.
    pub undecided: Vec<String>,
}

impl PartedSweep {
    /// Most parts that are looked at if nobody says how many there are.
    const DEFAULT_PARTS: u32 = 1;

    /// The sweep of a plan in a folder. Nothing is read or written yet.
    pub fn new(plan: SweepPlan, folder: &Path) -> Self {
        Self { plan, folder: folder.to_path_buf() }
    }

    /// What is played.
    pub fn plan(&self) -> &SweepPlan {
        &self.plan
    }

    /// Every cell with the pairs before it and where its records are.
    fn cells(&self) -> impl Iterator<Item = (&Cell, u64, PartRecords)> {
        let mut before = 0;
        self.plan.cells.iter().map(move |cell| {
            let own = before;
            before += u64::from(cell.plan.pairs());
            let name = cell.record_name();
            let folder = self.folder.join(PARTS).join(name.trim_end_matches(".jsonl"));
            (cell, own, PartRecords { merged: self.folder.join(RECORDS).join(name), folder })
        })
    }

    /// Plays what no record has of one part, `jobs` games at a time. Cells with a sequential test are played in rounds
    /// of so many pairs, which end with a collection.
    pub fn play(
        &self,
        part: Part,
        round: u32,
        jobs: usize,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(PartProgress<'_>),
    ) -> Result<PartDone, SweepError> {
        let (mut done, cells) = (PartDone::default(), self.plan.cells.len());
        for (index, (cell, before, records)) in self.cells().enumerate() {
            let shown = &mut |summary: &Summary| progress(PartProgress { cell, index, cells, summary });
            let played = records.play(&cell.plan, part.shard(before), round, jobs, stop, shown);
            let summary = played.map_err(|error| in_cell(cell, error))?;
            done.resumed += u64::from(summary.resumed);
            done.played += u64::from(summary.games.saturating_sub(summary.resumed));
            if !summary.complete {
                done.left += u64::from(summary.planned.saturating_sub(summary.games));
            }
            if stop.load(Ordering::Relaxed) {
                break;
            }
        }
        Ok(done)
    }

    /// How far the sweep has come, from the records alone. `of` is the number of parts that what is left is counted
    /// for; none is that of the records.
    pub fn state(&self, of: Option<u32>) -> Result<PartsState, SweepError> {
        let mut cells = Vec::with_capacity(self.plan.cells.len());
        for (cell, _, records) in self.cells() {
            cells.push(records.tally(&cell.plan).map_err(|error| in_cell(cell, error))?);
        }
        Ok(self.state_of(cells, of))
    }

    fn state_of(&self, cells: Vec<Tally>, of: Option<u32>) -> PartsState {
        let found = cells.iter().flat_map(|cell| cell.dealt.iter().copied()).max();
        let of = of.or(found).unwrap_or(Self::DEFAULT_PARTS);
        let (seconds, games) = cells
            .iter()
            .fold((0.0, 0), |(seconds, games), cell| (seconds + cell.seconds, games + u64::from(cell.games)));
        let mean = if games > 0 { seconds / games as f64 } else { 0.0 };
        let mut parts = vec![PartLeft::default(); of as usize];
        for ((_, before, _), tally) in self.cells().zip(&cells) {
            let a_game = if tally.games > 0 { tally.seconds / f64::from(tally.games) } else { mean };
            // Of the missing pairs, those with one game played count as one.
            let halves = tally.missing.len() as u64 * 2
                - u64::from(tally.planned - tally.games).min(tally.missing.len() as u64 * 2);
            for (place, &pair) in tally.missing.iter().enumerate() {
                let games = if (place as u64) < halves { 1 } else { 2 };
                let part = &mut parts[Part::of_pair(pair, before, of).number as usize - 1];
                part.games += games;
                part.seconds += games as f64 * a_game;
            }
        }
        PartsState { cells, of, parts }
    }

    /// Merges the records of all parts and writes the results, with `table` as their text, as a sweep in one go does.
    /// Records that contradict each other or the plan are refused before anything is merged.
    pub fn collect(
        self,
        options: Options,
        of: Option<u32>,
        table: &dyn Fn(&Results) -> String,
    ) -> Result<Collected, SweepError> {
        create_folder(&self.folder.join(PARTS))?;
        let _lock = lock_folder(&self.folder.join(PARTS)).map_err(|error| SweepError::File(error.to_string()))?;
        self.refuse_strangers()?;
        self.state(of)?;
        create_folder(&self.folder.join(RECORDS))?;
        let (mut new, mut tallies) = (0, Vec::with_capacity(self.plan.cells.len()));
        for (cell, _, records) in self.cells() {
            let gathered = records.gather(&cell.plan).map_err(|error| in_cell(cell, error))?;
            new += u64::from(gathered.new);
            tallies.push(gathered.tally);
        }
        let state = self.state_of(tallies, of);
        let open = self.plan.cells.iter().zip(&state.cells);
        let undecided = open.filter(|(cell, tally)| cell.plan.sprt.is_some() && !tally.complete());
        let undecided = undecided.map(|(cell, _)| cell.id.clone()).collect();
        let results = Sweep::open(self.plan, options, &self.folder)?.save(table)?;
        Ok(Collected { results, state, new, undecided })
    }

    /// Records of a cell that the plan does not have are those of another plan.
    fn refuse_strangers(&self) -> Result<(), SweepError> {
        let folder = self.folder.join(PARTS);
        let unreadable = |error| SweepError::File(format!("cannot read {}: {error}", folder.display()));
        let known: Vec<PathBuf> = self.cells().map(|(_, _, records)| records.folder).collect();
        for entry in fs::read_dir(&folder).map_err(unreadable)? {
            let path = entry.map_err(unreadable)?.path();
            if path.is_dir() && !known.contains(&path) {
                let (path, name) = (path.display(), &self.plan.name);
                return Err(SweepError::File(format!(
                    "{path}: the plan {name} has no such cell; the records of another plan need another folder"
                )));
            }
        }
        Ok(())
    }
}

fn in_cell(cell: &Cell, error: MatchError) -> SweepError {
    SweepError::Match(cell.id.clone(), error)
}

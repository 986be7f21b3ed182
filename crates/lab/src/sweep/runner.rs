//! Plays a sweep cell by cell.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::matches::record::{Header, RecordFile};
use crate::matches::{self, Ledger, MatchError, Summary};
use crate::sweep::digest::Digests;
use crate::sweep::estimate::{Estimate, estimate};
use crate::sweep::plan::{Cell, Options, SweepPlan};
use crate::sweep::results::{CellResult, Results, SweepError, create_folder};

/// A plan in a folder, where its records are.
pub struct Sweep {
    plan: SweepPlan,
    options: Options,
    folder: PathBuf,
    played: Vec<Option<Summary>>,
    notes: Vec<String>,
}

/// How far a sweep has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// The cell that is played.
    pub cell: &'a Cell,
    /// Its place, from 0.
    pub index: usize,
    /// How many cells there are.
    pub cells: usize,
    /// What it has come to.
    pub summary: &'a Summary,
    /// Seconds until the end of the whole sweep, about.
    pub seconds_left: f64,
}

/// Where the records are, below the folder of a sweep.
pub(super) const RECORDS: &str = "records";

impl Sweep {
    /// Reads the records that are in the folder, if there is one. A record of another match is an error before anything
    /// is played.
    pub fn open(plan: SweepPlan, options: Options, folder: &Path) -> Result<Self, SweepError> {
        let (mut played, mut notes) = (Vec::with_capacity(plan.cells.len()), Vec::new());
        for cell in &plan.cells {
            let path = folder.join(RECORDS).join(cell.record_name());
            let found = if path.exists() {
                recorded(cell, &path, &mut notes).map_err(|error| SweepError::Match(cell.id.clone(), error))?
            } else {
                None
            };
            played.push(found);
        }
        Ok(Self { plan, options, folder: folder.to_path_buf(), played, notes })
    }

    /// What is worth knowing about the records that were there: torn lines set aside.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// What is played.
    pub fn plan(&self) -> &SweepPlan {
        &self.plan
    }

    /// How long it will take with `jobs` games at a time; 0 is one for each processor. It plays a short game of each
    /// cell that has no record, some seconds in all.
    pub fn estimate(&self, jobs: usize, stop: &AtomicBool) -> Estimate {
        estimate(&self.plan, &self.played, jobs, stop)
    }

    /// What has been played so far.
    pub fn results(&self) -> Results {
        let cell = |(cell, summary): (&Cell, &Option<Summary>)| CellResult {
            id: cell.id.clone(),
            label: cell.label.clone(),
            values: cell.values.iter().cloned().collect(),
            record: format!("{RECORDS}/{}", cell.record_name()),
            summary: summary.clone(),
        };
        Results {
            name: self.plan.name.clone(),
            title: self.plan.title.clone(),
            mode: self.options.mode.word(),
            scale: self.options.scale,
            version: Results::VERSION,
            cells: self.plan.cells.iter().zip(&self.played).map(cell).collect(),
        }
    }

    /// Plays what is not recorded yet, `jobs` games at a time, and writes the results, with `table` as their text, after
    /// every cell. When `stop` is raised it ends early and the results say that they are not complete.
    pub fn run(
        &mut self,
        jobs: usize,
        estimated: &Estimate,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(Progress<'_>),
        table: &dyn Fn(&Results) -> String,
    ) -> Result<Results, SweepError> {
        create_folder(&self.folder.join(RECORDS))?;
        let mut clock = Clock::new(estimated);
        for index in 0..self.plan.cells.len() {
            let cell = &self.plan.cells[index];
            let path = self.folder.join(RECORDS).join(cell.record_name());
            clock.begin();
            let cells = self.plan.cells.len();
            let shown = &mut |summary: &Summary| {
                progress(Progress { cell, index, cells, summary, seconds_left: clock.left(index, summary) });
            };
            let played = matches::run_checked(&cell.plan, jobs, Some(&path), stop, shown);
            let summary = played.map_err(|error: MatchError| SweepError::Match(cell.id.clone(), error))?;
            clock.end(index, &summary);
            self.played[index] = Some(summary).filter(|summary| summary.games > 0);
            let results = self.results();
            results.save(&self.folder, &table(&results))?;
            if stop.load(Ordering::Relaxed) {
                break;
            }
        }
        self.save_digests()?;
        Ok(self.results())
    }

    /// Writes the results of what is recorded, with `table` as their text, and plays nothing.
    pub fn save(&self, table: &dyn Fn(&Results) -> String) -> Result<Results, SweepError> {
        let results = self.results();
        results.save(&self.folder, &table(&results))?;
        self.save_digests()?;
        Ok(results)
    }

    fn save_digests(&self) -> Result<(), SweepError> {
        Digests::of_folder(&self.folder.join(RECORDS), Results::VERSION)?.save(&self.folder)
    }
}

/// What the record of a cell holds; none if no game is finished.
fn recorded(cell: &Cell, path: &Path, notes: &mut Vec<String>) -> Result<Option<Summary>, MatchError> {
    let config = cell.plan.config().clone();
    let mut ledger = Ledger::new(config.clone());
    let opened = RecordFile::open(path, &Header::new(config, None), &mut |game| {
        if cell.plan.plays(game.pair) {
            ledger.add(&game);
        }
    })?;
    notes.extend(opened.set_aside);
    let (mut summary, planned) = (ledger.summary(), 2 * cell.plan.pairs());
    (summary.planned, summary.complete) = (planned, summary.games >= planned || ledger.decided());
    Ok((summary.games > 0).then_some(summary))
}

/// Corrects an estimate by what it was wrong by so far.
struct Clock<'a> {
    estimated: &'a Estimate,
    began: Instant,
    /// Seconds estimated and seconds taken of the cells that are done.
    expected: f64,
    taken: f64,
}

impl<'a> Clock<'a> {
    fn new(estimated: &'a Estimate) -> Self {
        Self { estimated, began: Instant::now(), expected: 0.0, taken: 0.0 }
    }

    fn begin(&mut self) {
        self.began = Instant::now();
    }

    /// Seconds of wall time for a second of the estimate, which is for one processor.
    fn pace(&self) -> f64 {
        let all: f64 = self.estimated.cells.iter().map(|cell| cell.seconds()).sum();
        let planned = if all > 0.0 { self.estimated.seconds / all } else { 1.0 };
        // The first cells may be short: the estimate keeps some weight.
        let weight = all / 20.0;
        if self.expected + weight > 0.0 { (self.taken + planned * weight) / (self.expected + weight) } else { planned }
    }

    fn left(&self, index: usize, summary: &Summary) -> f64 {
        let later: f64 = self.estimated.cells.iter().skip(index + 1).map(|cell| cell.seconds()).sum();
        let played = summary.games.saturating_sub(summary.resumed);
        let missing = f64::from(summary.planned.saturating_sub(summary.games));
        let here = if played > 0 {
            self.began.elapsed().as_secs_f64() / f64::from(played) * missing
        } else {
            self.estimated.cells.get(index).map_or(0.0, |cell| cell.seconds_a_game) * missing * self.pace()
        };
        here + later * self.pace()
    }

    fn end(&mut self, index: usize, summary: &Summary) {
        let played = summary.games.saturating_sub(summary.resumed);
        if let Some(cell) = self.estimated.cells.get(index).filter(|_| played > 0) {
            self.expected += f64::from(played) * cell.seconds_a_game;
            self.taken += self.began.elapsed().as_secs_f64();
        }
    }
}

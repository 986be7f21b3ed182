//! `plyproof solve --checkpoint FILE`: where the search goes on, and where it is saved.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use plyproof_engine::checkpoint::{self, Checkpoint, Found};
use plyproof_engine::tables::TabledAgent;
use plyproof_engine::units::{elapsed_text, size_text};
use plyproof_engine::{
    AnyGame, Checkpoints, Interval, ProofSink, Save, Solution, SolveProgress, SolveTask, Standing, writable,
};

use super::Arguments;
use crate::input::memory_beside_program;
use crate::output::{Failure, counted};

/// The file of a search and what was found in it.
pub struct Saved {
    path: PathBuf,
    pub head: Checkpoint,
    found: Option<Found>,
}

impl Saved {
    /// Looks what is at `path`. A checkpoint of anything else is refused.
    pub fn open(path: &Path, arguments: &Arguments, game: &dyn AnyGame, agent: &TabledAgent) -> Result<Self, Failure> {
        if agent.file().is_some() || !agent.agent.keeps_tables() {
            let what = "--checkpoint works with the solvers portfolio, df-pn and alpha-beta, without table=";
            return Err(Failure::Misused(what.to_string()));
        }
        let failed = |error: &dyn std::fmt::Display| Failure::Failed(format!("{}: {error}", path.display()));
        let found = checkpoint::open(path).map_err(|error| failed(&error))?;
        let memory = match (&found, arguments.memory) {
            (Some(found), None) => found.head.memory,
            (_, asked) => memory_beside_program(asked)?,
        };
        let head = Checkpoint::new(game, arguments.goal, agent.to_string(), memory);
        if let Some(found) = &found {
            head.fits(&found.head).map_err(|error| failed(&error))?;
            if found.head.memory != memory {
                let there = size_text(found.head.memory as u64);
                let what = format!("the checkpoint is of a search with {there}: leave out --memory to go on with it");
                return Err(failed(&what));
            }
            memory_beside_program(Some(memory as u64))?;
        }
        writable(path).map_err(|error| Failure::Failed(format!("cannot write {}: {error}", path.display())))?;
        Ok(Self { path: path.to_path_buf(), head, found })
    }

    /// Says what was found.
    pub fn found_text(&self) -> String {
        let path = self.path.display();
        match &self.found {
            None => format!("a new search, saved to {path}"),
            Some(Found { head, .. }) => {
                let nodes = counted(head.nodes, "position", "positions");
                let state = if head.answered { "answered" } else { "goes on" };
                format!("{path}: {state} after {nodes} in {}", elapsed_text(head.seconds))
            }
        }
    }

    /// Solves, from where the file says. The second answer says why the search could not be saved at last.
    #[allow(clippy::too_many_arguments)]
    pub fn solve(
        &mut self,
        game: &dyn AnyGame,
        task: &SolveTask<'_>,
        every: Interval,
        stop: &AtomicBool,
        observer: &mut dyn FnMut(&SolveProgress),
        sink: &mut ProofSink<'_>,
        note: &dyn Fn(&str),
    ) -> Result<(Solution, Option<String>), Failure> {
        let Self { path, head, found } = self;
        let mut unsaved = None;
        let mut save = |standing: Standing, save: &mut Save<'_>| {
            let began = Instant::now();
            match head.write(path, standing, save) {
                Ok(bytes) => {
                    let (size, time) = (size_text(bytes), elapsed_text(began.elapsed().as_secs_f64()));
                    note(&format!("saved to {}: {size} in {time}", path.display()));
                    unsaved = None;
                }
                Err(error) => {
                    let text = format!("the search was not saved to {}: {error}", path.display());
                    note(&text);
                    unsaved = Some(text);
                }
            }
        };
        let from = found.as_mut().map(|found| &mut *found.memory as &mut dyn Read);
        let checkpoints = Checkpoints { every, from, save: &mut save };
        let solved = game.searcher().solve_on(game, task, stop, observer, sink, checkpoints);
        let solution = solved.map_err(|error| Failure::Failed(format!("{}: {error}", path.display())))?;
        Ok((solution, unsaved))
    }
}

//! Games in the Game Description Language.
//!
//! `PLYPROOF_RULES_DATA` names a folder that holds `gdl/NAME.kif` and `gdl/NAME.jsonl.gz`, games by others and what other
//! programs say about them; without it, the tests that need it pass and say so.

mod damaged;
mod data;
mod errors;
mod own_games;

use std::path::{Path, PathBuf};

use plyproof_core::Game;
use plyproof_core::contract::{Contract, Kept, Violation, check};
use plyproof_rules::gdl::Visitor;

/// The rules files of a folder, sorted by name.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = entries.map(|entry| entry.expect("an entry of the folder").path());
    let mut paths: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|ending| ending == "kif")).collect();
    paths.sort();
    paths
}

struct Check(Contract);

impl Visitor for Check {
    type Output = Result<Kept, Violation>;

    fn visit<G: Game>(self, start: G) -> Self::Output {
        check(&start, &self.0)
    }
}

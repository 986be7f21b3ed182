//! Games in the language of Regular Boardgames.
//!
//! `PLYPROOF_RULES_DATA` names a folder that holds `rbg/NAME.rbg` and `rbg/NAME.jsonl.gz`, games by others and what other
//! programs say about them; without it, the tests that need it pass and say so.

mod checks;
mod data;
mod errors;
mod own_games;
mod sight;
mod symmetry;

use std::path::{Path, PathBuf};

use plyproof_core::Game;
use plyproof_core::contract::{Contract, Kept, Violation, check};
use plyproof_core::perft::perft;
use plyproof_rules::rbg::{Rules, Visitor, load};

/// The rules files of a folder, sorted by name.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = entries.map(|entry| entry.expect("an entry of the folder").path());
    let mut paths: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|ending| ending == "rbg")).collect();
    paths.retain(|path| !path.to_string_lossy().ends_with(".low.rbg"));
    paths.sort();
    paths
}

fn own(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn loaded(text: &str) -> Rules {
    load(text, &[]).unwrap_or_else(|error| panic!("{error}"))
}

/// Lines of play of each length up to `depth`.
struct Counts(u32);

impl Visitor for Counts {
    type Output = Vec<u64>;

    fn visit<G: Game>(self, start: G) -> Vec<u64> {
        (1..=self.0).map(|depth| perft(&start, depth).nodes).collect()
    }
}

struct Check(Contract);

impl Visitor for Check {
    type Output = Result<Kept, Violation>;

    fn visit<G: Game>(self, start: G) -> Self::Output {
        check(&start, &self.0)
    }
}

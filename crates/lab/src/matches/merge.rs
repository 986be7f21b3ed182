//! Records put together again: the parts of a split match are one match, other matches stay apart.

use std::path::{Path, PathBuf};

use crate::matches::MatchError;
use crate::matches::config::Config;
use crate::matches::reader::Reader;
use crate::matches::summary::{Ledger, Summary};

/// A match put together from one or more records.
#[derive(Clone, Debug)]
pub struct Merged {
    /// What was played.
    pub config: Config,
    /// The statistics of all its games. `complete` is false if a pair is missing or half played.
    pub summary: Summary,
    /// The records it was found in.
    pub files: Vec<PathBuf>,
    /// Games found more than once and counted once.
    pub repeated: u32,
    /// Those of the records whose last line is cut in the middle; that game is not counted.
    pub torn: Vec<PathBuf>,
}

/// Reads records and merges those with the same configuration, in the order in which they are given.
pub fn merge<P: AsRef<Path>>(files: &[P]) -> Result<Vec<Merged>, MatchError> {
    let mut matches: Vec<(Ledger, Merged)> = Vec::new();
    for file in files {
        let path = file.as_ref();
        let mut record = Reader::open(path)?;
        let config = &record.header().config;
        let known = matches.iter().position(|(_, merged)| merged.config == *config);
        let index = known.unwrap_or_else(|| {
            let ledger = Ledger::new(config.clone());
            let (summary, files, torn) = (ledger.summary(), Vec::new(), Vec::new());
            matches.push((ledger, Merged { config: config.clone(), summary, files, repeated: 0, torn }));
            matches.len() - 1
        });
        let (ledger, merged) = &mut matches[index];
        while let Some(game) = record.next_game()? {
            merged.repeated += u32::from(!ledger.add(&game));
        }
        merged.repeated = merged.repeated.saturating_add(record.repeated());
        merged.files.push(path.to_path_buf());
        if record.torn() {
            merged.torn.push(path.to_path_buf());
        }
    }
    let sum_up = |(ledger, merged): (Ledger, Merged)| Merged { summary: ledger.summary(), ..merged };
    Ok(matches.into_iter().map(sum_up).collect())
}

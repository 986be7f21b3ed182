//! Comparison with games and facts by others, where there are any.

use std::io::BufReader;
use std::path::PathBuf;

use flate2::read::GzDecoder;
use plyproof_core::contract::Contract;
use plyproof_rules::gdl::{load, replay};

use super::{Check, files};

/// The folder with data for this language, if there is one.
#[allow(clippy::print_stderr)]
fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("PLYPROOF_RULES_DATA");
    if folder.is_none() {
        eprintln!("PLYPROOF_RULES_DATA is not set: nothing compared with rules files by others");
    }
    Some(PathBuf::from(folder?).join("gdl"))
}

#[test]
fn every_file_agrees_with_its_oracle() {
    let Some(folder) = folder() else { return };
    let (mut compared, mut wrong) = (0, Vec::new());
    for path in files(&folder) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_string();
        let rules = match load(&std::fs::read_to_string(&path).expect("a rules file")) {
            Ok(rules) => rules,
            Err(error) => {
                wrong.push(format!("{name}: {error}"));
                continue;
            }
        };
        let oracle = std::fs::File::open(path.with_extension("jsonl.gz")).expect("an oracle beside the rules");
        match replay(&rules, BufReader::new(GzDecoder::new(oracle)), 20_000) {
            Ok(done) => {
                assert!(done.positions > 0 && done.games > 0 && done.perft > 0, "{name}: {done:?}");
                compared += 1;
            }
            Err(error) => wrong.push(format!("{name}: {error}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared > 0, "no rules file in {}", folder.display());
}

#[test]
fn every_file_keeps_the_contract() {
    let Some(folder) = folder() else { return };
    let mut wrong = Vec::new();
    for path in files(&folder) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_string();
        let rules = load(&std::fs::read_to_string(&path).expect("a rules file")).expect("rules");
        let contract = Contract { games: 1, draws: 10, playouts: 60, ply_limit: 60, ..Contract::default() };
        if let Err(violation) = rules.start(Check(contract)) {
            wrong.push(format!("{name}: {violation}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

//! The data of other programs that plyproof ships, held against every game by its name.

use std::path::{Path, PathBuf};

use plyproof_engine::Registry;
use plyproof_lab::replay::Report;

/// Lines that a count may have to be repeated here; longer ones take more than a second.
const MOST_LINES: u64 = 12_000_000;

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/tests/data")
}

fn recorded_games() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(data()).expect("the folder of the data");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    files.retain(|path| path.to_string_lossy().ends_with(".jsonl.gz"));
    files.sort();
    files
}

#[test]
fn every_shipped_game_of_another_program_follows_our_rules() {
    let mut report = Report::default();
    for file in recorded_games() {
        report.add_file(&Registry::builtin(), &file).unwrap_or_else(|error| panic!("{error}"));
    }
    assert_eq!(report.mismatches, 0, "{:#?}", report.first_mismatch);
    assert!(report.files.len() >= 17, "a file is missing: {:?}", report.files);
    assert!(report.files.iter().all(|file| file.games > 0 && file.plies > 0), "{:?}", report.files);
}

#[test]
fn every_file_of_games_is_named_in_the_readme_beside_it_and_no_other() {
    let readme = std::fs::read_to_string(data().join("README.md")).expect("a README");
    let rows = readme.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
    let mut named: Vec<String> =
        rows.map(|(name, _)| name.to_string()).filter(|name| name.contains(".jsonl")).collect();
    named.sort();
    let names = recorded_games().into_iter().filter_map(|path| Some(path.file_name()?.to_str()?.to_string()));
    assert_eq!(named, names.collect::<Vec<_>>());
}

#[test]
fn every_count_of_another_program_is_ours() {
    let text = std::fs::read_to_string(data().join("perft.txt")).expect("the counts");
    let mut games = 0;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let [name, counts, source] = line.split('|').map(str::trim).collect::<Vec<_>>()[..] else {
            panic!("not a line of counts: {line}");
        };
        assert!(!source.is_empty(), "{line}");
        let game = Registry::builtin().open(name).unwrap_or_else(|error| panic!("{error}"));
        for (depth, count) in (1..).zip(counts.split(' ')) {
            let lines: u64 = count.parse().unwrap_or_else(|error| panic!("{count}: {error}"));
            if lines <= MOST_LINES {
                assert_eq!(game.perft(depth).nodes, lines, "{name}, {depth} moves, by {source}");
            }
        }
        games += 1;
    }
    assert!(games >= 16, "counts of {games} games");
}

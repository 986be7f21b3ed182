//! Sweeps in parts: whatever happens to the parts, the games are those of a sweep in one go.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use plyproof_engine::{Registry, Rng};
use plyproof_lab::matches::record::Reader;
use plyproof_lab::matches::{GameRecord, Part};
use plyproof_lab::sweep::{Collected, Options, PartDone, PartedSweep, Sweep, SweepPlan, markdown};

const TINY: &str = "name = 'tiny'\na = 'pn-mcts(pn={pn})'\nb = 'mcts'\nsims = 10\ngames = 6\n\
                    [grid]\npn = [0, 1e6]\n[[cell]]\ngame = 'tictactoe'\n[[cell]]\ngame = 'connect4(width=4,height=4)'\ngames = 10\n";
const TEST: &str = "name = 'test'\ngame = 'tictactoe'\na = 'mcts'\nb = '{b}'\nsims = 20\nsims_b = 1\ngames = 400\nsprt = '-50,150'\n\
                    openings = 1\n[grid]\nb = ['random', 'mcts']\n";

/// An empty folder that is gone when the test ends. `name` must be unique among the tests.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&path);
        Self(path)
    }

    /// The records of the parts.
    fn parts(&self) -> Vec<PathBuf> {
        let mut found: Vec<PathBuf> = folders(&self.0.join("parts")).iter().flat_map(|cell| folders(cell)).collect();
        found.sort();
        found
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn folders(path: &Path) -> Vec<PathBuf> {
    let listed = fs::read_dir(path).map(|listed| listed.flatten().map(|entry| entry.path()).collect());
    listed.unwrap_or_default()
}

fn options(games: Option<u32>) -> Options {
    Options { games, ..Options::default() }
}

fn sweep(folder: &Folder, text: &str, games: Option<u32>) -> PartedSweep {
    let plan = SweepPlan::parse(&Registry::builtin(), "plan.toml", text, &options(games)).expect("a sound plan");
    PartedSweep::new(plan, &folder.0)
}

fn play(folder: &Folder, text: &str, part: &str, round: u32) -> Result<PartDone, String> {
    let part = Part::parse(part).expect("a part");
    let done = sweep(folder, text, None).play(part, round, 1, &AtomicBool::new(false), &mut |_| {});
    done.map_err(|error| error.to_string())
}

fn collect(folder: &Folder, text: &str) -> Result<Collected, String> {
    sweep(folder, text, None).collect(options(None), None, &markdown).map_err(|error| error.to_string())
}

/// The games of the collected records, without their times.
fn games(folder: &Folder) -> BTreeMap<String, Vec<GameRecord>> {
    let read = |path: PathBuf| {
        let mut reader = Reader::open(&path).expect("a record");
        let mut games = Vec::new();
        while let Some(game) = reader.next_game().expect("whole") {
            games.push(GameRecord { ms_a: 0.0, ms_b: 0.0, ..game });
        }
        games.sort_by_key(|game| (game.pair, game.game));
        (path.file_name().expect("a name").to_string_lossy().to_string(), games)
    };
    folders(&folder.0.join("records")).into_iter().map(read).collect()
}

/// The games of a sweep that is played in one go.
fn undisturbed(name: &str, text: &str) -> BTreeMap<String, Vec<GameRecord>> {
    let folder = Folder::new(name);
    let plan = SweepPlan::parse(&Registry::builtin(), "plan.toml", text, &options(None)).expect("a sound plan");
    let mut sweep = Sweep::open(plan, options(None), &folder.0).expect("an empty folder");
    let never = AtomicBool::new(false);
    let estimate = sweep.estimate(1, &never);
    let results = sweep.run(1, &estimate, &never, &mut |_| {}, &markdown).expect("a sound plan");
    let mut games = games(&folder);
    for cell in &results.cells {
        // A game may have ended while a sequential test came to its answer.
        let counted = cell.summary.as_ref().map_or(0, |summary| summary.games as usize);
        games.get_mut(cell.record.trim_start_matches("records/")).expect("a record").truncate(counted);
    }
    games
}

#[test]
fn parts_that_are_killed_anywhere_and_begun_again_come_to_the_games_of_one_run() {
    let whole = undisturbed("parts-whole", TINY);
    assert_eq!(whole.values().map(Vec::len).sum::<usize>(), 32);
    let mut rng = Rng::new(7);
    for of in [1, 2, 3, 8, 30] {
        let folder = Folder::new(&format!("parts-{of}"));
        for number in (1..=of).rev() {
            let part = format!("{number}/{of}");
            let first = play(&folder, TINY, &part, 1).expect("a sound plan");
            assert!(first.played <= 2 * 16_u64.div_ceil(of) && first.left == 0, "{part}: {first:?}");
            // A kill leaves a record cut anywhere, in the header too.
            for path in folder.parts() {
                let length = fs::metadata(&path).expect("a record").len();
                if rng.below(3) == 0 && path.extension().is_some_and(|ending| ending == "jsonl") {
                    let file = fs::OpenOptions::new().write(true).open(&path).expect("a record");
                    file.set_len(rng.below(length as usize + 1) as u64).expect("a shorter record");
                }
            }
        }
        let early = collect(&folder, TINY).expect("sound records");
        let lost: u64 = early.state.left();
        assert_eq!(early.results.complete(), lost == 0);
        let again: u64 =
            (1..=of).map(|number| play(&folder, TINY, &format!("{number}/{of}"), 1).expect("sound").played).sum();
        assert_eq!(again, lost, "{of}: what was lost is played again, and nothing else");
        let end = collect(&folder, TINY).expect("sound records");
        assert!(end.results.complete() && end.new == lost && end.state.open_parts().is_empty());
        assert!(games(&folder) == whole, "{of}");
        for number in 1..=of {
            assert_eq!(play(&folder, TINY, &format!("{number}/{of}"), 1).expect("sound").played, 0, "nothing is left");
        }
        assert_eq!(collect(&folder, TINY).expect("sound records").new, 0);
    }
}

#[test]
fn a_sweep_that_is_dealt_anew_plays_only_the_rest() {
    let folder = Folder::new("parts-anew");
    let first = play(&folder, TINY, "2/4", 1).expect("a sound plan").played;
    assert_eq!(first, 8);
    let rest: u64 = (1..=3).map(|number| play(&folder, TINY, &format!("{number}/3"), 1).expect("sound").played).sum();
    assert_eq!(rest, 32 - first);
    assert!(collect(&folder, TINY).expect("sound records").results.complete());
    assert!(games(&folder) == undisturbed("parts-anew-whole", TINY), "other games");
    // More games extend the records, whichever part is dealt them now.
    let more = |part| sweep(&folder, TINY, Some(12)).play(part, 1, 1, &AtomicBool::new(false), &mut |_| {});
    let played: u64 = (1..=3).map(|number| more(Part { number, of: 3 }).expect("sound").played).sum();
    assert_eq!(played, 48 - 32);
}

#[test]
fn a_stopped_part_says_what_is_left_and_the_others_are_named() {
    let folder = Folder::new("parts-stopped");
    let stop = AtomicBool::new(false);
    let stopped = sweep(&folder, TINY, None).play(Part { number: 1, of: 2 }, 1, 1, &stop, &mut |now| {
        stop.store(now.summary.games > 0, Ordering::Relaxed);
    });
    let stopped = stopped.expect("a sound plan");
    assert!(stopped.left > 0 && stopped.played > 0, "{stopped:?}");
    let state = sweep(&folder, TINY, None).state(None).expect("sound records");
    assert_eq!((state.of, state.open_parts(), state.games()), (2, vec![1, 2], stopped.played));
    assert_eq!((state.left(), state.parts[1].games), (32 - stopped.played, 16));
    play(&folder, TINY, "1/2", 1).expect("a sound plan");
    let collected = collect(&folder, TINY).expect("sound records");
    assert_eq!((collected.new, collected.state.open_parts()), (16, vec![2]));
    assert!(!collected.results.complete());
}

#[test]
fn a_sequential_test_in_rounds_ends_with_the_games_of_one_run() {
    let whole = undisturbed("parts-test-whole", TEST);
    let folder = Folder::new("parts-test");
    let (mut rounds, mut undecided) = (0, vec![String::new()]);
    while !undecided.is_empty() {
        let played: u64 =
            (1..=3).map(|number| play(&folder, TEST, &format!("{number}/3"), 5).expect("sound").played).sum();
        assert!(played > 0 && played <= 2 * 5 * 2, "{played} games in a round");
        let collected = collect(&folder, TEST).expect("sound records");
        (rounds, undecided) = (rounds + 1, collected.undecided);
    }
    assert!(rounds > 1, "one of the cells is not clear at once");
    assert!(games(&folder) == whole, "other games");
    assert_eq!(play(&folder, TEST, "1/3", 5).expect("sound").played, 0, "a test with an answer needs no games");
}

/// Changes the record of a part, plays nothing, and expects the collection to refuse it.
#[track_caller]
fn refused(name: &str, change: impl Fn(&str) -> String, part_of_error: &str) {
    let folder = Folder::new(name);
    for part in ["1/2", "2/2"] {
        play(&folder, TINY, part, 1).expect("a sound plan");
    }
    let path = folder.parts().into_iter().find(|path| path.ends_with("tictactoe-pn-0/1-of-2.jsonl")).expect("a record");
    let text = fs::read_to_string(&path).expect("a record");
    let changed = change(&text);
    assert_ne!(text, changed);
    fs::write(&path, changed).expect("a record");
    let error = collect(&folder, TINY).err().expect("a contradiction");
    assert!(error.contains("1-of-2.jsonl: ") && error.contains(part_of_error), "{error}");
    assert!(games(&folder).is_empty(), "nothing is merged");
}

#[test]
fn records_that_contradict_each_other_or_the_plan_are_refused() {
    let version = env!("CARGO_PKG_VERSION");
    refused("parts-version", |text| text.replacen(version, "0.0.9", 1), "it was played by plyproof 0.0.9");
    refused("parts-rules", |text| text.replacen("\"rules_id\":\"", "\"rules_id\":\"other ", 1), "rules_id is other ");
    refused("parts-plan", |text| text.replacen("\"seed\":1", "\"seed\":2", 1), "seed is 2, not 1");
    refused("parts-shard", |text| text.replacen("[1,2]", "[2,2]", 1), "it holds another match: shard is [2,2]");
    let doubled = |text: &str| {
        let line = text.lines().nth(1).expect("a game");
        text.to_string() + &line.replacen("\"plies\":", "\"plies\":1", 1) + "\n"
    };
    refused("parts-doubled", doubled, "is not that of another line of it");
}

#[test]
fn two_records_of_a_game_are_compared_and_a_cell_of_another_plan_is_refused() {
    let folder = Folder::new("parts-two");
    play(&folder, TINY, "1/1", 1).expect("a sound plan");
    // Dealt anew by somebody who did not see the first records.
    let other = Folder::new("parts-two-other");
    play(&other, TINY, "1/2", 1).expect("a sound plan");
    let name = "tictactoe-pn-0/1-of-2.jsonl";
    let text = fs::read_to_string(other.0.join("parts").join(name)).expect("a record");
    let copy = folder.0.join("parts").join(name);
    fs::write(&copy, &text).expect("a record");
    assert_eq!(collect(&folder, TINY).expect("equal games agree").state.games(), 32);
    fs::write(&copy, text.replacen("[10", "[9", 1)).expect("a record");
    let error = collect(&folder, TINY).err().expect("games that differ");
    assert!(error.contains("1-of-2.jsonl: its record of game ") && error.contains("is not that of "), "{error}");
    fs::remove_file(&copy).expect("a record");
    fs::create_dir(folder.0.join("parts/chess")).expect("a folder");
    let error = collect(&folder, TINY).err().expect("a stranger");
    assert!(error.contains("parts/chess: the plan tiny has no such cell"), "{error}");
}

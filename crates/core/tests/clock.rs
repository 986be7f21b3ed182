//! Clocks come from outside: searches look at the one in their budget, and only one file knows that of the system.

use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use plyproof_core::search::{Agent, Aim, Budget, Searcher, SolveTask, Stopped, TimeSource};
use plyproof_core::{Rng, TreeGame};

thread_local! {
    static READINGS: Cell<u32> = const { Cell::new(0) };
}

/// A millisecond passes from one reading to the next, however long it really takes.
fn ticking() -> Duration {
    READINGS.with(|readings| {
        readings.set(readings.get() + 1);
        Duration::from_millis(readings.get().into())
    })
}

const TICKING: TimeSource = TimeSource::new(ticking);

/// Too large to be solved within the time that the tests give.
fn large_tree() -> TreeGame {
    TreeGame::random(&mut Rng::new(5), 9, 5, true)
}

#[test]
fn the_clock_of_the_budget_ends_a_search_and_no_other() {
    let game = large_tree();
    let time = Some(Duration::from_millis(40));
    for agent in ["mcts", "pn-mcts", "pns", "df-pn", "minimax"] {
        let agent = Agent::parse(agent).expect("an agent");
        let run = |budget: &Budget| Searcher::new().run(&agent, &game, budget, 1);
        let ended = || {
            READINGS.set(0);
            let report = run(&Budget { time, clock: TICKING, ..Budget::default() });
            (report.simulations, report.stopped, READINGS.get())
        };
        let (simulations, stopped, readings) = ended();
        if stopped == Some(Stopped::Proven) {
            assert!(readings < 41, "{agent}: {readings} readings without the end of 40 ms");
        } else {
            assert_eq!(stopped, Some(Stopped::Time), "{agent}");
            assert!((41..60).contains(&readings), "{agent}: {readings}");
        }
        assert_eq!(ended(), (simulations, stopped, readings), "{agent}: nothing depends on the real time");
        let still = Budget { time: Some(Duration::from_nanos(1)), clock: TimeSource::STILL, ..Budget::simulations(20) };
        assert_ne!(run(&still).stopped, Some(Stopped::Time), "{agent}");
    }
}

#[test]
fn the_clock_of_the_budget_ends_a_solver() {
    let game = large_tree();
    for (agent, time) in [("df-pn", 0), ("pns", 0), ("pn2", 0), ("minimax", 0)] {
        let agent = Agent::parse(agent).expect("an agent");
        let budget = Budget { time: Some(Duration::from_millis(time)), clock: TICKING, ..Budget::default() };
        let task = SolveTask { agent: &agent, aim: Aim::Value, all_moves: false, proofs: true, budget, seed: 1 };
        READINGS.set(0);
        let solution = Searcher::new().solve(&task, &game, &AtomicBool::new(false), &mut |_| {});
        assert_eq!(solution.stopped, Stopped::Time, "{agent}");
        let passed = Duration::from_millis(u64::from(READINGS.get()) - 1);
        assert_eq!(solution.elapsed, passed, "{agent}: the time it reports is that of the budget's clock");
    }
}

#[test]
fn only_one_file_knows_the_clock_of_the_system() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the folder of the crates");
    let mut knowing = Vec::new();
    for name in ["core", "games", "verify", "tables", "engine"] {
        let mut folders = vec![crates.join(name).join("src")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).expect("a folder of sources") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    folders.push(path);
                } else if fs::read_to_string(&path).is_ok_and(|text| looks_at_a_clock(&text)) {
                    knowing.push(path.strip_prefix(crates).map(PathBuf::from).expect("below the crates"));
                }
            }
        }
    }
    assert_eq!(knowing, [Path::new("core/src/search/clock.rs")]);
}

fn looks_at_a_clock(source: &str) -> bool {
    ["Instant", "SystemTime", "UNIX_EPOCH"].iter().any(|word| source.contains(word))
}

//! Budgets hold for every agent: memory where positions hold a heap, and time where moves are slow.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use plyproof_core::search::{AGENTS, Agent, Aim, Budget, NotWritten, Searcher, SolveTask, Stopped};
use plyproof_core::{Game, Outcome, Player, TextError, mix64};

fn agents() -> impl Iterator<Item = Agent> {
    AGENTS.iter().map(|described| Agent::parse(&described.name).expect("a listed agent"))
}

/// What happened to all positions of a test.
#[derive(Default)]
struct Watch {
    /// Positions that are there now, and most at any time.
    live: AtomicUsize,
    most: AtomicUsize,
    /// Moves made.
    plays: AtomicUsize,
    stop: AtomicBool,
}

/// A position that is counted while it is there.
struct Counted(Arc<Watch>);

impl Counted {
    fn new(watch: &Arc<Watch>) -> Self {
        let live = watch.live.fetch_add(1, Ordering::Relaxed) + 1;
        watch.most.fetch_max(live, Ordering::Relaxed);
        Self(Arc::clone(watch))
    }
}

impl Clone for Counted {
    fn clone(&self) -> Self {
        Self::new(&self.0)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.live.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A game of a fixed number of moves, each one of `width`, which the first player wins.
#[derive(Clone)]
struct Long {
    left: u32,
    width: u8,
    path: u64,
    /// Bytes that it claims to hold.
    heap: usize,
    /// When to raise the stop flag, in moves made; and how long a move takes.
    stop_at: usize,
    pause: Duration,
    counted: Counted,
}

impl Long {
    fn new(left: u32, width: u8, watch: &Arc<Watch>) -> Self {
        let (stop_at, pause) = (usize::MAX, Duration::ZERO);
        Self { left, width, path: 1, heap: 0, stop_at, pause, counted: Counted::new(watch) }
    }
}

impl Game for Long {
    type Move = u8;

    fn to_move(&self) -> Player {
        Player::new(self.left as usize % 2)
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.left == 0).then_some(Outcome::win(Player::FIRST))
    }

    fn moves(&self, into: &mut Vec<u8>) {
        if self.left > 0 {
            into.extend(0..self.width);
        }
    }

    fn play(&mut self, m: u8) {
        (self.left, self.path) = (self.left - 1, mix64(self.path ^ u64::from(m)));
        let watch = &self.counted.0;
        let plays = watch.plays.fetch_add(1, Ordering::Relaxed) + 1;
        if plays == self.stop_at {
            watch.stop.store(true, Ordering::Relaxed);
        }
        if !self.pause.is_zero() {
            std::thread::sleep(self.pause);
        }
    }

    fn key(&self) -> u64 {
        mix64(self.path ^ u64::from(self.left) << 32)
    }

    fn position_text(&self) -> String {
        format!("{} {}", self.left, self.path)
    }

    fn parse_position(&self, text: &str) -> Result<Self, TextError> {
        Err(TextError::expected(text, "read in these tests"))
    }

    fn move_text(&self, m: u8) -> String {
        m.to_string()
    }

    fn heap_bytes(&self) -> usize {
        self.heap
    }
}

#[test]
fn what_positions_hold_on_the_heap_counts_against_the_memory_of_every_agent() {
    const HEAP: usize = 20_000;
    const MEMORY: usize = 8 << 20;
    for agent in agents() {
        let watch = Arc::new(Watch::default());
        // A single line: whoever keeps the positions of the line they search keeps all of them.
        let start = Long { heap: HEAP, ..Long::new(2400, 1, &watch) };
        let ends = ["portfolio", "df-pn", "alpha-beta", "pns", "pn2", "minimax"].contains(&agent.name());
        // On two levels it takes the square of the line's length.
        let budget = Budget { memory: Some(MEMORY), ..Budget::simulations(if ends { 60_000 } else { 3000 }) };
        let report = Searcher::new().run(&agent, &start, &budget, 1);
        let most = watch.most.load(Ordering::Relaxed);
        // A part of the memory, and of 4 MB at least, is for the positions along a line.
        assert!(most * HEAP <= MEMORY + (1 << 20), "{agent} held {most} positions");
        assert!(!ends || report.stopped == Some(Stopped::Memory), "{agent}: {:?}", report.stopped);
        assert!(report.best.is_some(), "{agent} has a move all the same");
    }
}

#[test]
fn the_positions_of_all_threads_count_against_the_memory() {
    const HEAP: usize = 20_000;
    for memory in [8 << 20, 64 << 20] {
        let watch = Arc::new(Watch::default());
        let start = Long { heap: HEAP, ..Long::new(2400, 2, &watch) };
        let budget = Budget { memory: Some(memory), threads: 32, ..Budget::simulations(60_000) };
        let report = Searcher::new().run(&Agent::parse("alpha-beta").expect("an agent"), &start, &budget, 1);
        let most = watch.most.load(Ordering::Relaxed);
        assert!(most * HEAP <= memory + (1 << 20), "{most} positions");
        assert!(report.best.is_some());
    }
}

#[test]
fn steps_and_tables_of_threads_keep_to_the_budget_while_the_table_grows() {
    for threads in [1, 2, 8] {
        let start = Long::new(30, 3, &Arc::new(Watch::default()));
        let budget = Budget { memory: Some(32 << 20), threads, ..Budget::simulations(50_000) };
        let report = Searcher::new().run(&Agent::parse("alpha-beta").expect("an agent"), &start, &budget, 1);
        assert_eq!((report.simulations, report.stopped), (50_000, Some(Stopped::Simulations)), "{threads} threads");
        assert!(report.bytes > 1 << 18 && report.bytes <= 32 << 20, "{threads} threads: {} bytes", report.bytes);
        assert!(
            report.moves.iter().all(|m| m.bounds.most == plyproof_core::Wdl::Win),
            "nothing is lost for the winner"
        );
    }
}

#[test]
fn what_positions_hold_on_the_heap_counts_against_the_memory_of_a_proof() {
    let agent = Agent::parse("df-pn").expect("an agent");
    let proven = |memory: usize| {
        let watch = Arc::new(Watch::default());
        let start = Long { heap: 10_000, ..Long::new(301, 1, &watch) };
        let budget = Budget { memory: Some(memory), ..Budget::default() };
        let task = SolveTask { agent: &agent, aim: Aim::Win, all_moves: false, proofs: true, budget, seed: 1 };
        let mut solution = Searcher::new().solve(&task, &start, &watch.stop, &mut |_| {});
        solution.proofs.remove(0).strategy.map(|strategy| strategy.entries.len())
    };
    // Half the memory is for the strategy, which has 150 positions of 10 kB.
    assert_eq!(proven(8 << 20), Ok(150));
    assert_eq!(proven(2 << 20), Err(NotWritten::Memory));
}

#[test]
fn every_agent_looks_at_the_stop_flag_often_where_moves_are_slow() {
    // However slow the machine is, moves take this long at least, so that looks every half millisecond are few moves
    // apart. Time is looked at together with the flag.
    let pause = Duration::from_micros(300);
    for (agent, threads) in agents().flat_map(|agent| [1, 8].map(|threads| (agent.clone(), threads))) {
        let watch = Arc::new(Watch::default());
        let start = Long { stop_at: 150, pause, ..Long::new(14, 3, &watch) };
        let budget = Budget { threads, ..Budget::default() };
        let report = Searcher::new().search(&agent, &start, &budget, 1, &watch.stop, &mut |_| {});
        let plays = watch.plays.load(Ordering::Relaxed);
        assert!(
            agent.name() == "random" || report.stopped == Some(Stopped::Cancelled),
            "{agent}: {:?}",
            report.stopped
        );
        // A simulation has up to 14 moves; opening a position, and the report, a few for each of its moves.
        let after = threads * if agent.name() == "minimax" { 5 } else { 60 };
        assert!(
            plays <= 150 + after,
            "{agent} with {threads} threads made {plays} moves, and was asked to stop after 150"
        );
    }
}

#[test]
fn writing_a_proof_stops_when_asked() {
    let watch = Arc::new(Watch::default());
    let agent = Agent::parse("df-pn").expect("an agent");
    let start = Long::new(1001, 1, &watch);
    let solve = |start: &Long, proofs| {
        let task =
            SolveTask { agent: &agent, aim: Aim::Win, all_moves: false, proofs, budget: Budget::default(), seed: 1 };
        Searcher::new().solve(&task, start, &watch.stop, &mut |_| {})
    };
    assert_eq!(solve(&start, false).line.len(), 1001);
    // From here on the only moves left to make are those of the writer.
    let before = watch.plays.swap(0, Ordering::Relaxed);
    let start = Long { stop_at: before + 10, pause: Duration::ZERO, ..start };
    let strategy = solve(&start, true).proofs.remove(0).strategy;
    assert_eq!(strategy.map(|strategy| strategy.entries.len()), Err(NotWritten::Stopped(Stopped::Cancelled)));
}

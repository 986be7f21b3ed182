//! Counts the values of all endgames of Awari up to ten seeds under two readings of the rules, and all positions of Lines
//! of Action 4x4 counted in several ways. `docs/tables.md` has the results.
#![allow(clippy::print_stdout)]

#[path = "../tests/common/mod.rs"]
mod common;

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use common::made;
use common::scores::counts_by_points;
use common::stores_decide::StoresDecide;
use plyproof_core::{Game, Indexing};
use plyproof_games::awari::{AWARI, Endgames};
use plyproof_games::loa::{Boards, LOA};
use plyproof_tables::{Counts, Table, reachable};

fn main() {
    let seeds = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(10u32);
    endgames("two passes draw", || made::<Endgames>(&AWARI, "awari", Some(seeds)));
    println!("awari, points decide, after endless play too");
    for (seeds, [win, draw, loss]) in counts_by_points(seeds as u8).into_iter().enumerate() {
        println!("  {seeds:2} seeds, equal stores {win}/{draw}/{loss}");
    }
    endgames("stores decide after two passes", || made::<StoresDecide>(&AWARI, "awari", Some(seeds)));
    boards("loa(size=3)");
    boards("loa(size=4)");
    boards("loa(size=4,both=mover)");
}

fn endgames<I: Indexing>(what: &str, make: impl FnOnce() -> Table<I>) {
    let began = Instant::now();
    let table = make();
    println!("awari, {what}: {} positions, {:.1} s", table.values().count(), began.elapsed().as_secs_f64());
    for at in table.counts() {
        println!("  {:2} seeds, equal stores {}, any stores {}", at.pieces, text(&at.even), text(&at.all));
    }
}

fn boards(spec: &str) {
    let began = Instant::now();
    let table = made::<Boards>(&LOA, spec, None);
    println!("{spec}: {} positions, {:.1} s", table.values().count(), began.elapsed().as_secs_f64());
    let reached = reachable(table.indexing(), &AtomicBool::new(false)).expect("the start has a number");
    let (mut open, mut finished) = (Counts::default(), Counts::default());
    for (index, _) in reached.iter().enumerate().filter(|(_, reached)| **reached) {
        let index = index as u64;
        let counts = if table.indexing().position(index).outcome().is_some() { &mut finished } else { &mut open };
        table.values().at(index).into_iter().for_each(|value| counts.add(value));
    }
    println!("  reachable, unfinished {} = {}", text(&open), open.total());
    println!("  reachable, finished   {} = {}", text(&finished), finished.total());
    println!("  reachable, all {}", open.total() + finished.total());
    println!("  start: {:?}", table.value(&table.indexing().start()));
}

fn text(counts: &Counts) -> String {
    format!("{}/{}/{}", counts.win, counts.draw, counts.loss)
}

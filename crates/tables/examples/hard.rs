//! Holds the endgames of Awari to df-pn with a limit of positions opened, and lists what df-pn does not settle within it.
//! Arguments: seeds, sample, positions opened at most.
#![allow(clippy::print_stdout)]

#[path = "../tests/common/mod.rs"]
mod common;

use std::sync::atomic::AtomicBool;

use common::made;
use plyproof_core::search::{Agent, Aim, Budget, Searcher, SolveTask};
use plyproof_core::{Game, Indexing, Rng};
use plyproof_games::awari::{AWARI, Endgames};

fn main() {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let [seeds, sample, most] = numbers[..] else {
        println!("give the seeds, the sample, and the positions opened at most, as in 9 10000 20000");
        return;
    };
    let table = made::<Endgames>(&AWARI, "awari", Some(seeds as u32));
    let agent = Agent::parse("df-pn").expect("an agent");
    let budget = Budget { simulations: Some(most), memory: Some(16 << 20), ..Budget::default() };
    let task = SolveTask { agent: &agent, aim: Aim::Value, all_moves: false, proofs: false, budget, seed: 1 };
    let (mut rng, mut searcher) = (Rng::new(1), Searcher::new());
    let (mut done, mut agreed, mut differed, mut nodes) = (0, 0, 0, 0);
    let mut open = [0; 3];
    while done < sample {
        let index = rng.below(table.values().count() as usize) as u64;
        let position = table.indexing().position(index);
        let Some(value) = table.values().at(index).filter(|_| position.outcome().is_none()) else { continue };
        let solution = searcher.solve(&task, &position, &AtomicBool::new(false), &mut |_| {});
        done += 1;
        nodes += solution.nodes;
        match solution.bounds.value() {
            Some(found) if found == value => agreed += 1,
            Some(found) => {
                differed += 1;
                println!("{}: table {value}, df-pn {found}", position.position_text());
            }
            None => {
                // What is known must not contradict the table either.
                assert!(
                    (solution.bounds.least..=solution.bounds.most).contains(&value),
                    "{}",
                    position.position_text()
                );
                open[value as usize] += 1;
                if open.iter().sum::<u64>() <= 5 {
                    println!("open: {} is a {value}", position.position_text());
                }
            }
        }
    }
    println!("{seeds} seeds, sample {sample}: {agreed} agree, {differed} differ, {nodes} positions opened");
    println!("not settled within {most} positions: {} lost, {} drawn, {} won", open[0], open[1], open[2]);
}

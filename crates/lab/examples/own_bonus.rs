//! A selection bonus of your own: one search with it, and a match against the published PN-MCTS.
//!
//! `cargo run --release -p plyproof-lab --example own_bonus`

#![allow(clippy::print_stdout)]

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use plyproof_core::search::{NodeStats, SelectionBonus};
use plyproof_engine::{Agent, Budget, Registry};
use plyproof_lab::matches::{MatchPlan, Side, run};

/// One by the number of leaves that are still to be proven: 1 for a child one leaf away, 1/2 for two.
struct Closeness;

impl SelectionBonus for Closeness {
    fn write(&self, node: &NodeStats<'_>, bonuses: &mut [f32]) -> f32 {
        for (i, bonus) in bonuses.iter_mut().enumerate() {
            // Infinity cannot be proven: no bonus.
            *bonus = node.key(i).leaves().map_or(0.0, |leaves| 1.0 / leaves.max(1) as f32);
        }
        1.0
    }
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let (game, stop) = (Registry::builtin().open("loa(size=6)")?, AtomicBool::new(false));
    let published = Agent::parse("pn-mcts")?;
    let own = published.with_bonus("closeness", Arc::new(Closeness))?;

    let report = game.search(&own, &Budget::simulations(1000), 1, &stop, &mut |_| {})?;
    println!("{own} plays {}", report.line.join(" "));

    let side = |agent: &Agent| Side::new(agent.clone(), Budget::simulations(100));
    let plan = MatchPlan { games: 20, ..MatchPlan::new(game, side(&own), side(&published)) };
    let summary = run(&plan, 0, None, &stop, &mut |_| {})?;
    println!("{own} against {published}: +{} ={} -{}", summary.wins, summary.draws, summary.losses);
    Ok(())
}

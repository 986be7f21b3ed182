//! Searching, solving and playing a match from a program; docs/library.md walks through it.
//!
//! `cargo run --release -p plyproof-lab --example library`

#![allow(clippy::print_stdout)]

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use plyproof_engine::{Agent, Aim, Budget, Registry, SearchTask, SolveTask, Source, certificate};
use plyproof_lab::matches::{MatchPlan, Side, run};

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let registry = Registry::builtin();
    // Somebody else may raise this flag, for example when Ctrl-C is pressed.
    let stop = AtomicBool::new(false);

    // Search: one searcher for one game, so that agents can continue with their tree from move to move.
    let mut game = registry.open("knightthrough(size=6)")?;
    let agent = Agent::parse("plyproof")?;
    let budget = Budget { time: Some(Duration::from_millis(50)), memory: Some(64 << 20), ..Budget::default() };
    let mut searcher = game.searcher();
    for _ in 0..4 {
        let task = SearchTask { agent: &agent, budget: &budget, seed: 1, stop: &stop };
        let chosen = searcher.choose(&*game, &task)?;
        let Some(text) = chosen.text else { break };
        println!("{text} after {} simulations, proven bounds {:?}", chosen.simulations, chosen.bounds);
        game.play(&text)?;
    }

    // Report: everything a search found, as plain data that serialises and deserialises.
    let report = game.search(&agent, &Budget::simulations(2000), 1, &stop, &mut |_| {})?;
    println!("principal variation: {}", report.line.join(" "));

    // Solve, with a certificate that is verified from its bytes.
    let game = registry.open("loa(size=4)")?;
    let solver = Agent::parse("df-pn")?;
    let budget = Budget { memory: Some(64 << 20), ..Budget::default() };
    let task = SolveTask { agent: &solver, aim: Aim::Value, all_moves: false, proofs: true, budget, seed: 1 };
    let mut written = None;
    let solution = game.solve(&task, &stop, &mut |_| {}, &mut |proof, lines| {
        let bytes = certificate::packed(&*game, proof, lines, 1 << 20).map_err(|error| error.to_string())?;
        written = Some(bytes);
        Ok(())
    })?;
    println!("value: {:?} in {} nodes", solution.value, solution.nodes);
    let limits = certificate::Limits { memory: 1 << 24, stop: &stop, progress: &mut |_| {} };
    let bytes: Arc<[u8]> = written.ok_or("no certificate")?.into();
    let checked = certificate::verify_bytes(&registry, &bytes, limits)?;
    println!("verified: {}", checked.header.claim());

    // Match: pairs of games with swapped sides; the same seed gives the same games.
    let side = |agent: &str| -> Result<Side, Box<dyn Error>> {
        Ok(Side::new(Source::agent(&registry, agent)?, Budget::simulations(200)))
    };
    let plan = MatchPlan { games: 20, ..MatchPlan::new(registry.open("loa")?, side("pn-mcts")?, side("mcts")?) };
    let summary = run(&plan, 0, None, &stop, &mut |_| {})?;
    println!("pn-mcts against mcts: +{} ={} -{}", summary.wins, summary.draws, summary.losses);
    Ok(())
}

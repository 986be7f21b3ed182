//! A game from outside the workspace's crates, added to a registry at run time: contract, search, solve, certificate,
//! match and workbench, all by public doors.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use plyproof_engine::{Agent, Aim, Budget, Contract, Registry, SolveTask, Wdl, certificate};
use plyproof_lab::matches::{MatchPlan, Side, run};

#[path = "cli/chomp.rs"]
mod chomp;

fn registry() -> Registry {
    let mut registry = Registry::builtin();
    registry.add(chomp::entry()).expect("a new name");
    registry
}

#[test]
fn a_game_added_at_run_time_keeps_the_contract_and_is_searched_solved_and_certified() {
    let registry = registry();
    let (game, stop) = (registry.open("chomp(rows=3)").expect("the added game"), AtomicBool::new(false));
    assert_eq!(game.name(), "chomp(rows=3)");
    game.check_contract(&Contract::default()).expect("every promise kept");
    let agent = Agent::parse("plyproof").expect("an agent");
    let report = game.search(&agent, &Budget::simulations(5000), 1, &stop, &mut |_| {}).expect("a search");
    assert!(report.best.is_some() && report.simulations > 0, "{report:?}");
    let solver = Agent::parse("df-pn").expect("an agent");
    let budget = Budget { memory: Some(16 << 20), ..Budget::default() };
    let task = SolveTask { agent: &solver, aim: Aim::Value, all_moves: false, proofs: true, budget, seed: 1 };
    let mut bytes = Vec::new();
    let solution = game.solve(&task, &stop, &mut |_| {}, &mut |proof, lines| {
        bytes = certificate::packed(&*game, proof, lines, 1 << 20).map_err(|error| error.to_string())?;
        Ok(())
    });
    let solution = solution.expect("a search");
    assert_eq!((solution.value, solution.proofs.len()), (Some(Wdl::Win), 1), "the first player wins every bar but one");
    let bytes: Arc<[u8]> = bytes.into();
    let verify = |registry: &Registry| {
        let limits = certificate::Limits { memory: 1 << 20, stop: &stop, progress: &mut |_| {} };
        certificate::verify_bytes(registry, &bytes, limits)
    };
    let checked = verify(&registry).expect("a true claim");
    assert_eq!(checked.header.claim(), "in chomp(rows=3) from 5/5/5/0/0/0 1, the first player wins");
    let refused = verify(&Registry::builtin()).expect_err("an unknown game");
    assert!(refused.to_string().contains("unknown game \"chomp\""), "{refused}");
}

#[test]
fn a_game_added_at_run_time_is_played_in_a_match() {
    let side = |agent| Side::parse(agent, 200).expect("an agent");
    let start = registry().open("chomp").expect("the added game");
    let plan = MatchPlan { games: 10, ..MatchPlan::new(start, side("plyproof"), side("random")) };
    let summary = run(&plan, 1, None, &AtomicBool::new(false), &mut |_| {}).expect("a sound plan");
    assert_eq!((summary.game.as_str(), summary.games, summary.errors), ("chomp", 10, 0));
    assert!(summary.wins >= 8, "{} wins against random moves", summary.wins);
}

#[test]
fn a_game_added_at_run_time_is_in_the_workbench() {
    let options = plyproof_web::Options {
        registry: registry(),
        host: None,
        port: 0,
        token: None,
        runs: None,
        engines: Default::default(),
        threads: 1,
        memory: 64 << 20,
        limits: plyproof_web::Limits::default(),
    };
    let server = plyproof_web::Server::bind(&options).expect("a free port");
    let (address, stop) = (server.address(), Arc::new(AtomicBool::new(false)));
    let raised = Arc::clone(&stop);
    let serving = std::thread::spawn(move || server.run(&raised));
    let mut stream = TcpStream::connect(address).expect("a server");
    write!(stream, "GET /api/catalogue HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    stop.store(true, Ordering::Relaxed);
    serving.join().expect("no panic").expect("a clean end");
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("\"chomp\""), "{answer}");
}

//! The evaluations that plyproof comes with, and what the default agent makes of them.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use plyproof_engine::evaluations::{self, BestUse};
use plyproof_engine::{Agent, AnySearcher, Budget, ChosenMove, SearchReport, SearchTask};

use crate::open;

/// All of them together are part of the program.
const MOST_BYTES: u64 = 400_000;

#[test]
fn every_evaluation_is_for_its_game_and_says_how_it_was_made() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("evaluations");
    let recipes = std::fs::read_to_string(folder.join("README.md")).expect("the recipes");
    for name in evaluations::embedded() {
        let game = open(name).expect(name);
        assert_eq!(game.name(), name, "the shortest spelling");
        let evaluation = evaluations::built_in(&*game).unwrap_or_else(|| panic!("{name}: not for these rules"));
        game.judged(evaluation).unwrap_or_else(|error| panic!("{name}: {error}"));
        let command = &evaluation.record.command;
        assert!(command.starts_with(&format!("plyproof train \"{name}\" --games ")), "{name}: {command}");
        assert!(recipes.contains(command.as_str()), "{name}: {command} is not among the recipes");
        assert!(evaluation.best_use.is_some(), "{name}: nobody has measured how to use it");
    }
    let files = std::fs::read_dir(&folder).expect("the folder").map(|file| file.expect("a file"));
    let files: Vec<_> = files.filter(|file| file.path().extension().is_some_and(|end| end == "gz")).collect();
    assert_eq!(files.len(), evaluations::embedded().count(), "every file belongs to a game");
    let bytes: u64 = files.iter().map(|file| file.metadata().expect("its size").len()).sum();
    assert!(bytes <= MOST_BYTES, "{bytes} bytes");
}

fn search(name: &str, agent: &str, simulations: u64) -> SearchReport {
    let (game, agent) = (open(name).expect(name), Agent::parse(agent).expect("an agent"));
    let budget = Budget::simulations(simulations);
    game.search(&agent, &budget, 1, &AtomicBool::new(false), &mut |_| {}).expect("a search")
}

/// The search without its measured time.
fn said(report: SearchReport) -> SearchReport {
    SearchReport { seconds: 0.0, simulations_per_s: 0.0, bytes: 0, ..report }
}

#[test]
fn the_default_agent_uses_the_evaluation_as_was_measured_best() {
    for name in evaluations::embedded() {
        let game = open(name).expect(name);
        let best = evaluations::built_in(&*game).and_then(|evaluation| evaluation.best_use);
        let as_agent = match best.expect("measured") {
            BestUse::AlphaBeta => "plyproof(search=alpha-beta)",
            BestUse::Tree => "plyproof(search=tree)",
            BestUse::Nowhere => "plyproof(eval=off)",
        };
        let (default, same) = (search(name, "plyproof", 500), search(name, as_agent, 500));
        assert_eq!(said(default), said(same), "{name}: {as_agent}");
    }
    let without = ["plyproof", "plyproof(eval=off)", "plyproof(search=tree)"];
    let [default, off, tree] = without.map(|agent| said(search("mnk(m=5,n=4,k=4)", agent, 500)));
    assert_eq!((&default, &default), (&off, &tree), "a game without an evaluation");
}

#[test]
fn reports_by_an_evaluation_have_moves_values_and_a_line() {
    for agent in ["plyproof(search=alpha-beta)", "plyproof(search=tree)"] {
        let report = search("breakthrough", agent, 3000);
        assert_eq!((report.moves.len(), report.simulations), (22, 3000), "{agent}");
        assert_eq!(report.best, report.line.first().cloned(), "{agent}");
        assert!(report.line.len() > 1, "{agent}: {:?}", report.line);
        assert!(report.moves.iter().all(|m| m.mean.abs() < 1.0), "{agent}: nothing is certain");
    }
}

/// Half of the games each side, from positions after two random moves.
fn points(name: &str, agents: [&str; 2], games: u64, simulations: u64) -> f64 {
    let budget = Budget::simulations(simulations);
    let agents = agents.map(|agent| Agent::parse(agent).expect("an agent"));
    let mut points = 0.0;
    for number in 0..games {
        let mut game = open(name).expect(name);
        for ply in 0..2 {
            let moves = game.legal_moves();
            let chosen = plyproof_engine::Rng::stream(7, 10 * (number / 2) + ply).below(moves.len());
            game.play(&moves[chosen]).expect("a legal move");
        }
        let mut searchers: Vec<Box<dyn AnySearcher>> = agents.iter().map(|_| game.searcher()).collect();
        let first = game.to_move();
        let ours = if number % 2 == 0 { first } else { first.other() };
        for _ in 0..400 {
            if game.outcome().is_some() {
                break;
            }
            let side = usize::from(game.to_move() != ours);
            let stop = AtomicBool::new(false);
            let task = SearchTask { agent: &agents[side], budget: &budget, seed: number, stop: &stop };
            let ChosenMove { text, .. } = searchers[side].choose(&*game, &task).expect("a search");
            game.play(&text.expect("a move")).expect("a legal move");
        }
        points += game.outcome().map_or(0.5, |outcome| 0.5 + 0.5 * f64::from(outcome.of(ours).value()));
    }
    points
}

#[test]
fn evaluations_win_games() {
    for search in ["alpha-beta", "tree"] {
        let agents = [&format!("plyproof(search={search})"), "plyproof(eval=off)"];
        let points = points("breakthrough(size=8)", agents, 6, 400);
        assert!(points >= 5.0, "{search}: {points} of 6");
    }
}

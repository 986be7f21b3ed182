//! Reports of searches as plain data and as JSON.

use std::sync::atomic::AtomicBool;

use plyproof_core::TreeGame;
use plyproof_engine::{Agent, AnyGame, Budget, Described, Description, Params, SearchReport, Stopped, erase};
use serde_json::{Value, json};

use crate::open;

static TREE: Description = Description::new(|| Described::new("tree", "Tree", "A game spelled as a tree.").into());

fn searched(game: &dyn AnyGame, agent: &str, simulations: u64) -> SearchReport {
    let agent = Agent::parse(agent).expect("an agent");
    let budget = Budget { memory: Some(1 << 24), ..Budget::simulations(simulations) };
    game.search(&agent, &budget, 1, &AtomicBool::new(false), &mut |_| {}).expect("no file is missing")
}

fn on_tree(text: &str, agent: &str) -> Value {
    let game = erase(Params::defaults(&TREE), 1, TreeGame::parse(text).expect("a tree"));
    serde_json::to_value(searched(&*game, agent, 100)).expect("JSON")
}

#[test]
fn a_proof_is_told_in_words_and_infinity_as_text() {
    // The first move loses, the second wins against both replies.
    let report = on_tree("1[2[+ -] 2[1[+ -] +]]", "pns");
    assert_eq!((&report["best"], &report["value"]), (&json!("b"), &json!("win")));
    assert_eq!(report["bounds"], json!({"least": "win", "most": "win"}));
    assert_eq!(report["numbers"], json!({"pn": 0, "dpn": "inf"}));
    assert_eq!((&report["line"][0], &report["stopped"]), (&json!("b"), &json!("proven")));
    let lost = report["moves"].as_array().and_then(|moves| moves.iter().find(|found| found["move"] == "a"));
    let lost = lost.expect("every legal move is listed");
    assert_eq!((&lost["pn"], &lost["rank"]), (&json!("inf"), &json!(2)));
    assert_eq!((&lost["value"], &lost["bounds"]), (&Value::Null, &json!({"least": "loss", "most": "draw"})));
}

#[test]
fn an_agent_without_proof_numbers_reports_none() {
    let report = on_tree("1[2[+ -] 2[1[+ -] +]]", "mcts");
    assert_eq!((&report["simulations"], &report["stopped"]), (&json!(100), &json!("simulations")));
    assert_eq!((&report["numbers"], &report["moves"][0]["pn"]), (&Value::Null, &Value::Null));
    assert_eq!((&report["value"], &report["full_after"]), (&Value::Null, &Value::Null));
    let visits: u64 = report["moves"].as_array().into_iter().flatten().filter_map(|m| m["visits"].as_u64()).sum();
    assert_eq!(visits, 100);
}

#[test]
fn every_move_of_the_line_is_written_as_it_is_played() {
    for name in ["knightthrough", "minishogi", "awari", "othello"] {
        let mut game = open(name).expect("a game");
        let report = searched(&*game, "pn-mcts", 300);
        assert_eq!((report.simulations, report.moves.len()), (300, game.legal_moves().len()), "{name}");
        assert_eq!(report.best.as_ref(), report.line.first(), "{name}");
        assert!(report.line.len() > 1, "{name}");
        for text in &report.line {
            game.play(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
    }
}

#[test]
fn a_raised_flag_stops_a_search_without_any_other_limit() {
    let agent = Agent::parse("pn-mcts").expect("an agent");
    let budget = Budget { memory: Some(1 << 20), ..Budget::default() };
    let stop = AtomicBool::new(false);
    let mut seen = 0;
    let game = open("loa").expect("a game");
    let report = game.search(&agent, &budget, 1, &stop, &mut |report| {
        assert_eq!((report.stopped, report.best.is_some()), (None, true));
        seen += 1;
        stop.store(seen == 2, std::sync::atomic::Ordering::Relaxed);
    });
    let report = report.expect("no file is missing");
    assert_eq!((report.stopped, seen), (Some(Stopped::Cancelled), 2));
}

//! The messages of the workbench's page, answered without a server. A search takes the module until it is over: a page
//! ends one by ending the worker that runs it.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use plyproof_engine::certificate;
use plyproof_engine::{
    Agent, Aim, AnyGame, Budget, ProofHead, Registry, SearchReport, SearchTask, SolveTask, TreeNode,
};
use plyproof_tab::{
    Fault, Found, Request, Role, SearchRequest, SentState, View, certificate_name, check_rules, checked_seconds,
    format_rules, open_place, read_games, small_tree, solved, solving, spread, write_games,
};
use serde_json::{Map, Value, json};

use crate::{MEMORY, clock};

/// Moves of a game at most.
const MOST_MOVES: usize = 5000;
/// Longest search.
const LONGEST: Duration = Duration::from_secs(30 * 60);
/// Nodes of the tree that are told of a search. Nobody can ask for others while it runs.
const NODES: usize = 60;

/// The answer to a message. News of a search go to `tell` while it runs.
pub(crate) fn answered(registry: &Registry, message: Request, tell: &mut dyn FnMut(&str)) -> Result<Value, String> {
    match message {
        Request::Hello { id } => Ok(json!({"id": id, "hello": env!("CARGO_PKG_VERSION")})),
        Request::Position { id, at, agent, draw } => {
            if let Some(agent) = agent {
                Agent::parse(&agent).map_err(|error| error.to_string())?;
            }
            Ok(json!({"id": id, "position": open_place(registry, &at, MOST_MOVES)?.describe(draw)?}))
        }
        Request::Rules { id, name, text } => {
            Ok(json!({"id": id, "rules": check_rules(registry, &name, &text, clock::now)?}))
        }
        Request::Format { id, name, text } => Ok(json!({"id": id, "text": format_rules(&name, &text)?})),
        Request::Read { id, text, rules } => Ok(json!({"id": id, "games": read_games(registry, &text, &rules)?})),
        Request::Write { id, format, games } => Ok(json!({"id": id, "text": write_games(registry, &games, &format)?})),
        Request::Step(step) => {
            let tree = small_tree(registry, &step, clock::source(), MOST_MOVES)?;
            Ok(json!({"id": step.id, "tree": tree}))
        }
        Request::Search(search) => {
            let (id, role) = (search.id, search.role);
            if let Err(message) = run(registry, search, tell) {
                tell(&Fault { id: Some(id), role: Some(role), message }.to_json());
            }
            Ok(json!({"over": id}))
        }
        Request::Match(_) | Request::Balance(_) => Err("matches and measurements need plyproof serve".to_string()),
        Request::Stop { .. } | Request::Watch { .. } | Request::EndJob { .. } => Ok(Value::Null),
    }
}

fn run(registry: &Registry, search: SearchRequest, tell: &mut dyn FnMut(&str)) -> Result<(), String> {
    let agent = Agent::parse(&search.agent).map_err(|error| error.to_string())?;
    let game = open_place(registry, &search.at, MOST_MOVES)?.game;
    game.check_evaluation(&agent).map_err(|error| error.to_string())?;
    let seconds = search.seconds.map(checked_seconds).transpose()?;
    let budget = Budget {
        simulations: search.simulations,
        time: Some(seconds.unwrap_or(LONGEST).min(LONGEST)),
        memory: usize::try_from(MEMORY).ok(),
        clock: clock::source(),
        ..Budget::default()
    };
    // Another view cannot be asked for while the search runs, so that everything is told.
    let view = View { moves: search.view.moves.max(400), why: true, nodes: vec![Vec::new()] };
    let mut sent = SentState::new(search.id, search.role, agent.adds_up_terms(), view);
    if search.role == Role::Solve {
        return prove(&*game, &agent, budget, &mut sent, tell);
    }
    let wanted = Arc::new(Mutex::new(vec![Vec::new()]));
    let told = Arc::clone(&wanted);
    let looks = matches!(search.role, Role::Analyse | Role::Compare);
    let mut observer = |report: &SearchReport, nodes: Vec<TreeNode>| {
        if looks {
            *told.lock().unwrap_or_else(PoisonError::into_inner) = spread(&nodes, NODES);
        }
        let found = Found { report: Some(report.clone()), nodes: looks.then_some(nodes), ..Found::default() };
        if let Some(message) = sent.message(&found) {
            tell(&message);
        }
    };
    let mut searcher = game.searcher();
    let task =
        SearchTask { agent: &agent, budget: &budget, seed: search.seed.unwrap_or(1), stop: &AtomicBool::new(false) };
    let report = searcher.search(&*game, &task, &wanted, &mut observer).map_err(|error| error.to_string())?;
    let nodes = if looks { grown(&*searcher) } else { Vec::new() };
    observer(&report, nodes);
    Ok(())
}

/// The most visited nodes of a tree that grows no more, level by level.
fn grown(searcher: &dyn plyproof_engine::AnySearcher) -> Vec<TreeNode> {
    let mut nodes = searcher.nodes(&[Vec::new()]);
    for _ in 0..8 {
        nodes = searcher.nodes(&spread(&nodes, NODES));
    }
    nodes
}

fn prove(
    game: &dyn AnyGame,
    agent: &Agent,
    budget: Budget,
    sent: &mut SentState,
    tell: &mut dyn FnMut(&str),
) -> Result<(), String> {
    if !agent.solves() {
        return Err(format!("{agent} proves nothing; portfolio does"));
    }
    let task = SolveTask { agent, aim: Aim::Value, all_moves: false, proofs: true, budget, seed: 1 };
    let mut listed: Vec<Value> = Vec::new();
    let mut texts = Vec::new();
    let mut sink = |head: &ProofHead, entries: &mut dyn Iterator<Item = (String, String)>| {
        let text = certificate::text(game, head, entries).map_err(|error| error.to_string())?;
        let name = certificate_name(&game.name(), listed.len());
        let (player, goal) = (head.player.index() + 1, head.claim.to_string());
        listed.push(
            json!({"key": name, "name": name, "player": player, "goal": goal, "entries": head.entries, "bytes": text.len()}),
        );
        texts.push(json!({"certificate": {"key": name, "text": text}}).to_string());
        Ok(())
    };
    let mut heads = |head: Map<String, Value>| sent.message(&Found { proof: Some(head), ..Found::default() });
    let stop = AtomicBool::new(false);
    let mut observer = |state: &plyproof_engine::SolveProgress| {
        if let Some(message) = heads(solving(state)) {
            tell(&message);
        }
    };
    let solution = game.solve(&task, &stop, &mut observer, &mut sink).map_err(|error| error.to_string())?;
    for text in texts {
        tell(&text);
    }
    let mut head = solved(&solution);
    head.insert("certificates".to_string(), listed.into());
    if let Some(message) = sent.message(&Found { proof: Some(head), ..Found::default() }) {
        tell(&message);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(message: Value) -> (Result<Value, String>, Vec<Value>) {
        let message = serde_json::from_value(message).expect("a message");
        let mut told = Vec::new();
        let mut tell = |text: &str| told.push(serde_json::from_str(text).expect("JSON"));
        let answer = answered(&Registry::builtin(), message, &mut tell);
        (answer, told)
    }

    #[test]
    fn the_page_is_answered_as_a_server_answers() {
        let (answer, _) = ask(json!({"do": "position", "id": 3, "at": {"game": "tictactoe", "moves": ["a1"]}}));
        assert_eq!(answer.expect("legal")["position"]["to_move"], 2);
        let (answer, _) = ask(json!({"do": "position", "id": 3, "at": {"game": "tictactoe", "moves": ["z1"]}}));
        assert!(answer.is_err_and(|why| why.contains("z1")));
        let at = json!({"game": "tictactoe", "moves": ["a1"]});
        let search =
            json!({"do": "search", "id": 4, "role": "analyse", "at": at, "agent": "pn-mcts", "simulations": 300});
        let (answer, told) = ask(search);
        assert_eq!(answer.expect("over")["over"], 4);
        let last = &told.last().expect("news")["search"];
        assert!(
            last["head"]["best"].is_string() && last["nodes"].as_array().is_some_and(|nodes| nodes.len() > 5),
            "{last}"
        );
        let (_, told) = ask(json!({"do": "search", "id": 4, "role": "solve", "at": at, "agent": "mcts"}));
        assert!(told[0]["error"].as_str().is_some_and(|why| why.contains("proves nothing")));
        let (_, told) = ask(json!({"do": "search", "id": 5, "role": "solve", "at": at, "agent": "portfolio"}));
        let head = &told.last().expect("news")["search"]["head"];
        assert_eq!((&head["value"], head["certificates"].as_array().map(Vec::len)), (&json!("draw"), Some(2)));
        assert!(told.iter().filter(|told| told["certificate"]["text"].is_string()).count() == 2);
        let (answer, _) =
            ask(json!({"do": "balance", "id": 6, "game": "loa", "agent": "mcts", "simulations": [1], "games": 2}));
        assert!(answer.is_err_and(|why| why.contains("plyproof serve")));
    }
}

//! Why this move: the terms in a report add up, and the next simulation goes where they say.
//!
//! One seed gives one search, so the search with one simulation more shows where it went.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use plyproof_core::search::{NodeStats, SelectionBonus};
use plyproof_engine::{Agent, AnyGame, Budget, MoveReport, Registry, SearchReport};

const GAMES: [&str; 6] = ["tictactoe", "connect4", "knightthrough(size=5)", "gomoku(size=11)", "awari", "loa(size=5)"];
const AGENTS: [&str; 16] = [
    "mcts",
    "mcts(first=urgency)",
    "mcts-solver",
    "pn-mcts",
    "pn-mcts(pn=1e6,norm=children)",
    "pn-mcts-fsu",
    "gpn-mcts",
    "plyproof(eval=off)",
    "plyproof(eval=off,prove=off)",
    "plyproof(search=tree,prove=off)",
    "plyproof(eval=off,prove=off,rave=off)",
    "plyproof(eval=off,prove=off,rave=50,ref=30,virtual_losses=5)",
    "mcts(rave=100,first=urgency)",
    "mcts(rave=100,ref=50)",
    "mcts(mast=0.3)",
    "mcts(nst=0.3,first=urgency)",
];
const SIMULATIONS: [u64; 7] = [0, 3, 20, 77, 150, 301, 640];

/// One by the number of leaves that are still to be proven.
struct Closeness;

impl SelectionBonus for Closeness {
    fn write(&self, node: &NodeStats<'_>, bonuses: &mut [f32]) -> f32 {
        for (i, bonus) in bonuses.iter_mut().enumerate() {
            *bonus = node.key(i).leaves().map_or(0.0, |leaves| 1.0 / leaves.max(1) as f32);
        }
        1.0
    }
}

fn search(game: &dyn AnyGame, agent: &Agent, simulations: u64) -> SearchReport {
    let budget = Budget::simulations(simulations);
    game.search(agent, &budget, 5, &AtomicBool::new(false), &mut |_| {}).expect("no file is missing")
}

/// What the terms say of where the next simulation goes, held against where it went; whether that was a single move.
fn check(before: &SearchReport, after: &SearchReport, agent: &str) -> Option<bool> {
    let scored: Vec<_> = before.moves.iter().filter_map(|found| found.terms.as_ref()).collect();
    for terms in &scored {
        let sum: f64 = terms.parts.iter().map(|part| part.1).sum();
        assert!((sum - terms.score).abs() < 1e-5 * terms.score.abs().max(1.0), "{agent}: {terms:?}");
    }
    let visits = |report: &SearchReport| report.moves.iter().map(|found| found.visits).sum::<u64>();
    // Steps of df-pn beside the tree count as simulations.
    if visits(after) != visits(before) + 1 {
        assert!(
            before.stopped != after.stopped || agent == "plyproof(eval=off)" || before.value.is_some(),
            "{agent}: {before:?}"
        );
        return None;
    }
    let later = |text: &str| after.moves.iter().find(|found| found.text == text).map_or(0, |found| found.visits);
    let went = before.moves.iter().find(|found| later(&found.text) > found.visits).expect("a visit more");
    assert!(went.next, "{agent}, {} simulations: to {went:?}", before.simulations);
    let next: Vec<&MoveReport> = before.moves.iter().filter(|found| found.next).collect();
    for next in &next {
        match &next.terms {
            Some(best) => assert!(scored.iter().all(|terms| terms.score <= best.score), "{agent}: {next:?}"),
            None => assert!(scored.is_empty() && next.visits == 0, "{agent}: {next:?}"),
        }
    }
    Some(next.len() == 1)
}

#[test]
fn the_next_simulation_goes_where_the_terms_say() {
    let registry = Registry::builtin();
    let own: Arc<dyn SelectionBonus> = Arc::new(Closeness);
    for name in AGENTS {
        let agent = Agent::parse(name).expect(name);
        let mut agents = vec![agent.clone()];
        if ["mcts", "pn-mcts", "plyproof(eval=off,prove=off)"].contains(&name) {
            agents.push(agent.with_bonus("closeness", Arc::clone(&own)).expect("a tree search"));
        }
        for agent in agents {
            let (mut single, mut several) = (0, 0);
            for game in GAMES {
                let game = registry.open(game).expect(game);
                for simulations in SIMULATIONS {
                    let before = search(&*game, &agent, simulations);
                    match check(&before, &search(&*game, &agent, simulations + 1), &agent.to_string()) {
                        Some(true) => single += 1,
                        Some(false) => several += 1,
                        None => {}
                    }
                }
            }
            assert!(single >= 12 && several >= 5, "{agent}: {single} single moves, {several} draws");
        }
    }
}

#[test]
fn terms_have_the_names_of_what_the_agent_adds_up() {
    let game = Registry::builtin().open("knightthrough(size=5)").expect("a game");
    let own =
        Agent::parse("mcts").and_then(|agent| agent.with_bonus("closeness", Arc::new(Closeness))).expect("an agent");
    let (uct, rank) = (["mean", "exploration"], ["mean", "exploration", "rank"]);
    for (agent, expected) in [
        ("mcts", &uct[..]),
        ("mcts-solver", &uct),
        ("pn-mcts(pn=0)", &uct),
        ("pn-mcts", &rank),
        ("plyproof(bonus_max_moves=3)", &uct),
        ("plyproof", &rank),
        ("gpn-mcts", &["mean", "exploration", "numbers"]),
        ("mcts(rave=50)", &["mean", "rave", "exploration"]),
        ("plyproof(rave=50)", &["mean", "rave", "exploration", "rank"]),
        ("mcts+closeness", &["mean", "exploration", "bonus"]),
    ] {
        let agent = if agent == "mcts+closeness" { own.clone() } else { Agent::parse(agent).expect(agent) };
        let report = search(&*game, &agent, 300);
        let mut scored = report.moves.iter().filter_map(|found| found.terms.as_ref()).peekable();
        assert!(scored.peek().is_some(), "{agent}");
        for terms in scored {
            assert_eq!(terms.parts.iter().map(|part| &*part.0).collect::<Vec<_>>(), expected, "{agent}");
        }
        let json = serde_json::to_string(&report).expect("plain data");
        assert_eq!(serde_json::from_str::<SearchReport>(&json).expect("reads back"), report, "{agent}");
    }
    for agent in ["df-pn", "pns", "pn2", "random"] {
        let report = search(&*game, &Agent::parse(agent).expect(agent), 300);
        assert!(report.moves.iter().all(|found| found.terms.is_none() && !found.next), "{agent}");
    }
}

//! The players of a match: agents as players.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use plyproof_engine::{Allowance, Budget, Clock, Registry, Source};

#[test]
fn an_agent_plays_by_simulations_and_by_the_clock() {
    let registry = Registry::builtin();
    let game = registry.open("tictactoe").expect("a game");
    let source = Source::agent(&registry, "mcts(c=0.70)").expect("an agent");
    assert_eq!(source.to_string(), "mcts(c=0.7)");
    let mut player = source.player(&*game).expect("a player");
    player.new_game(&*game).expect("an agent is always ready");
    let stop = AtomicBool::new(false);
    let by_simulations = Allowance { budget: Budget::simulations(50), clock: None };
    let chosen = player.choose(&*game, &by_simulations, 1, &stop).expect("a move");
    assert_eq!((chosen.simulations, chosen.text.is_some()), (50, true));
    let clock = Clock { left: Duration::from_millis(60), ..Clock::default() };
    let by_clock = Allowance { budget: Budget::default(), clock: Some(clock) };
    assert!(player.choose(&*game, &by_clock, 1, &stop).expect("a move").text.is_some());
    assert!(Source::agent(&registry, "mtcs").is_err());
}

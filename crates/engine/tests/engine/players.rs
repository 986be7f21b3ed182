//! The players of a match: their clocks, and agents as players.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use plyproof_engine::{Allowance, Budget, Clock, Registry, Source};

#[test]
fn a_share_of_the_clock_leaves_time_for_the_rest_of_the_game() {
    let clock = |left, increment| Clock {
        left: Duration::from_millis(left),
        opponent: Duration::ZERO,
        increment: Duration::from_millis(increment),
    };
    assert_eq!(clock(10_010, 0).share(), Duration::from_millis(400));
    assert_eq!(clock(10_010, 100).share(), Duration::from_millis(475));
    assert_eq!(clock(5, 1000).share(), Duration::ZERO, "nothing is left to think with");
    // However long the game, the clock never runs out.
    let mut left = 10_000.0;
    for _ in 0..10_000 {
        let used = clock(left as u64, 20).share().as_secs_f64() * 1e3;
        assert!(used <= left);
        left += 20.0 - used;
    }
    assert!(left > 10.0);
}

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
    let clock = Clock { left: Duration::from_millis(60), opponent: Duration::ZERO, increment: Duration::ZERO };
    let by_clock = Allowance { budget: Budget::default(), clock: Some(clock) };
    assert!(player.choose(&*game, &by_clock, 1, &stop).expect("a move").text.is_some());
    assert!(Source::agent(&registry, "mtcs").is_err());
}

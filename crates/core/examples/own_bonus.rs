//! A selection bonus of your own, compared with PN-MCTS.
//!
//! The bonus is one by the number of leaves that are still to be proven: 1 for a child one leaf away, 1/2 for two. Both
//! agents play random game trees against each other, every tree twice with sides swapped.
//!
//! ```text
//! cargo run --release -p plyproof-core --example own_bonus
//! ```

use std::sync::Arc;

use plyproof_core::search::{Agent, Budget, NodeStats, Searcher, SelectionBonus};
use plyproof_core::{Game, Player, Rng, TextError, TreeGame};

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

/// Half a point for a draw, for the first of two players with 30 simulations a move.
fn points(start: &TreeGame, players: [&Agent; 2], seed: u64) -> f64 {
    let mut game = start.clone();
    while game.outcome().is_none() {
        let agent = players[game.to_move().index()];
        let report = Searcher::new().run(agent, &game, &Budget::simulations(30), seed);
        report.best.into_iter().for_each(|m| game.play(m));
    }
    let value = game.outcome().map_or(0, |outcome| outcome.of(Player::FIRST).value());
    f64::from(value + 1) / 2.0
}

fn main() -> Result<(), TextError> {
    let published = Agent::parse("pn-mcts")?;
    let own = published.with_bonus("closeness", Arc::new(Closeness))?;
    let (trees, mut score) = (200, 0.0);
    for seed in 0..trees {
        let start = TreeGame::random(&mut Rng::new(seed), 14, 5, true);
        score += points(&start, [&own, &published], seed) + 1.0 - points(&start, [&published, &own], seed);
    }
    #[allow(clippy::print_stdout)]
    {
        println!("{own} scored {score} of {} against {published}", 2 * trees);
    }
    Ok(())
}

//! Counting positions: the test that a move generator agrees with somebody else's.

use crate::game::Game;

/// Positions reached by every line of exactly so many moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Perft {
    /// Lines of exactly that length. Lines that finished earlier are not among them.
    pub nodes: u64,
    /// How many of these end in a finished game.
    pub terminal: u64,
}

/// Counts the lines of `depth` moves from `game`.
pub fn perft<G: Game>(game: &G, depth: u32) -> Perft {
    let mut total = Perft::default();
    for (_, below) in perft_divide(game, depth) {
        total.nodes += below.nodes;
        total.terminal += below.terminal;
    }
    if depth == 0 {
        total = Perft { nodes: 1, terminal: u64::from(game.outcome().is_some()) };
    }
    total
}

/// The count below each move of `game`, for finding where two generators part. Empty for depth 0.
pub fn perft_divide<G: Game>(game: &G, depth: u32) -> Vec<(G::Move, Perft)> {
    if depth == 0 {
        return Vec::new();
    }
    let mut moves = Vec::new();
    game.moves(&mut moves);
    let mut buffers = vec![Vec::new(); depth as usize];
    moves
        .into_iter()
        .map(|m| {
            let mut next = game.clone();
            next.play(m);
            let mut count = Perft::default();
            descend(&next, depth - 1, &mut buffers, &mut count);
            (m, count)
        })
        .collect()
}

/// One buffer of moves a level, so that counting allocates nothing.
fn descend<G: Game>(game: &G, depth: u32, buffers: &mut [Vec<G::Move>], count: &mut Perft) {
    if depth == 0 {
        count.nodes += 1;
        count.terminal += u64::from(game.outcome().is_some());
        return;
    }
    let Some((moves, deeper)) = buffers.split_first_mut() else { return };
    moves.clear();
    game.moves(moves);
    for &m in moves.iter() {
        let mut next = game.clone();
        next.play(m);
        descend(&next, depth - 1, deeper, count);
    }
}

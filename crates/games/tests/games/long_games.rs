//! Games of thousands of moves: positions that remember them all stay small, and remember right.

use std::sync::Arc;

use plyproof_core::spec::{Described, Params, Spec};
use plyproof_core::{Game, Outcome, Player, Rng};
use plyproof_games::awari::{AWARI, Awari};
use plyproof_games::minishogi::{MINISHOGI, MiniShogi};

fn opened<G: Game>(described: &Arc<Described>, text: &str, start: fn(&Params) -> G) -> G {
    start(&Params::resolve(described, &Spec::parse(text).expect(text)).expect(text))
}

/// A game of random moves. Where all moves would end it, some are taken back.
fn long_game(plies: usize, seed: u64) -> MiniShogi {
    let mut games = vec![opened(&MINISHOGI, "minishogi(repetition=standard)", MiniShogi::start)];
    let mut rng = Rng::new(seed);
    while games.len() <= plies {
        let game = &games[games.len() - 1];
        let mut moves = Vec::new();
        game.moves(&mut moves);
        let mut next: Vec<MiniShogi> = Vec::new();
        for m in moves {
            let mut copy = game.clone();
            copy.play(m);
            next.extend(Some(copy).filter(|copy| copy.outcome().is_none()));
        }
        if next.is_empty() {
            games.truncate(games.len().saturating_sub(5).max(1));
        } else {
            games.push(next.swap_remove(rng.below(next.len())));
        }
    }
    games.pop().expect("the start at least")
}

#[test]
fn a_position_with_a_long_past_is_small_and_shares_the_rest() {
    let (short, long) = (long_game(10, 1), long_game(2400, 1));
    assert!((100..2000).contains(&short.heap_bytes()) && long.heap_bytes() < 2000, "{}", long.heap_bytes());
    assert_eq!(opened(&MINISHOGI, "minishogi", MiniShogi::start).heap_bytes(), 0);
    let read = short.parse_position(&long.position_text()).expect("its own text");
    assert_eq!((read.key(), read.position_text()), (long.key(), long.position_text()));
}

#[test]
fn a_repetition_is_seen_however_long_ago_the_others_were() {
    // One king goes round a square and the other round a triangle: all is as before after 24 moves.
    let start = opened(&MINISHOGI, "minishogi(repetition=standard)", MiniShogi::start);
    let square = ["1e1d", "1d2d", "2d2e", "2e1e"];
    let triangle = ["5a4a", "4a5b", "5b5a"];
    let mut game = start.parse_position("k4/5/5/5/4K b - 1").expect("a position");
    let mut kept = Vec::new();
    for ply in 0..72 {
        assert_eq!(game.outcome(), None, "after {ply} moves");
        let m = if ply % 2 == 0 { square[ply / 2 % 4] } else { triangle[ply / 2 % 3] };
        game.play(game.parse_move(m).expect(m));
        kept.push((game.clone(), game.position_text()));
    }
    assert_eq!(game.outcome(), Some(Outcome::win(Player::SECOND)), "the fourth time");
    // What positions share stays as it was, and a copy over another position is a copy.
    let mut copy = long_game(40, 1);
    for (kept, text) in &kept {
        copy.clone_from(kept);
        assert_eq!((kept.position_text(), copy.position_text()), (text.clone(), text.clone()));
    }
}

#[test]
fn awari_counts_the_positions_since_the_last_capture() {
    let mut game = opened(&AWARI, "awari(rules=oware)", Awari::start);
    assert_eq!(game.heap_bytes(), 0);
    for m in ["1", "1", "2"] {
        game.play(game.parse_move(m).expect(m));
    }
    assert!((48..200).contains(&game.clone().heap_bytes()), "three positions of 16 bytes: {}", game.heap_bytes());
}

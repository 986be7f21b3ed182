//! Summaries of made-up games, held to known values.

use super::*;
use crate::matches::{MatchPlan, Proven, Side};

fn config(sprt: Option<(f64, f64)>) -> Config {
    let side = |agent| Side::parse(agent, 100).expect("an agent");
    let start = plyproof_engine::Registry::builtin().open("tictactoe").expect("a game");
    Config::of(&MatchPlan { sprt, ..MatchPlan::new(start, side("pn-mcts"), side("mcts")) }, "toy".to_string())
}

fn game(pair: u32, game: u32, result: Wdl) -> GameRecord {
    let first = if game == 0 { SideName::A } else { SideName::B };
    GameRecord {
        pair,
        game,
        first,
        opening: String::new(),
        moves: "a b c".to_string(),
        result,
        reason: Reason::GameOver,
        error: None,
        plies: 3,
        sims_a: vec![100, 50],
        sims_b: vec![100],
        proven_a: Proven { win: Some(3), no_win: Some(2) },
        proven_b: Proven::default(),
        ms_a: 3.0,
        ms_b: 1.0,
        notes_a: Vec::new(),
        notes_b: Vec::new(),
    }
}

/// A ledger of pairs given as `wl` = won the first game, lost the second.
fn ledger(pairs: &[&str]) -> Ledger {
    let mut ledger = Ledger::new(config(None));
    for (pair, results) in pairs.iter().enumerate() {
        for (index, letter) in results.chars().enumerate() {
            let result = match letter {
                'w' => Wdl::Win,
                'd' => Wdl::Draw,
                _ => Wdl::Loss,
            };
            assert!(ledger.add(&game(pair as u32, index as u32, result)));
        }
    }
    ledger
}

#[track_caller]
fn near(found: Option<f64>, expected: f64, tolerance: f64) {
    assert!(found.is_some_and(|found| (found - expected).abs() <= tolerance), "{found:?}, not {expected}");
}

#[test]
fn games_are_counted_by_result_colour_and_pair() {
    let summary = ledger(&["ww", "wl", "dw", "dd", "ll", "ld"]).summary();
    assert_eq!((summary.games, summary.wins, summary.draws, summary.losses), (12, 4, 4, 4));
    assert_eq!(summary.pentanomial, [1, 1, 2, 1, 1]);
    assert_eq!(summary.a_first, ByResult { wins: 2, draws: 2, losses: 2 });
    assert_eq!(summary.a_second, ByResult { wins: 2, draws: 2, losses: 2 });
    assert_eq!((summary.score, summary.win_rate_without_draws, summary.elo), (Some(0.5), Some(0.5), Some(0.0)));
    assert_eq!((summary.mean_plies, summary.planned, summary.complete), (Some(3.0), 12, true));
    let a = &summary.side_a;
    assert_eq!((a.moves, a.sims_per_move, a.ms_per_move), (24, Some(75.0), Some(1.5)));
    assert_eq!((a.proven_wins, a.proven_no_wins, a.proven), (12, 12, 12));
    assert_eq!((a.mean_proven_ply, a.mean_plies_after_proof), (Some(2.0), Some(1.0)));
    assert_eq!((summary.side_b.proven, summary.side_b.mean_proven_ply), (0, None));
}

#[test]
fn a_game_is_never_counted_twice_and_half_a_pair_is_no_pair() {
    let mut ledger = ledger(&["ww", "l"]);
    assert!(!ledger.add(&game(0, 0, Wdl::Loss)));
    let summary = ledger.summary();
    assert_eq!((summary.games, summary.wins, summary.pentanomial), (3, 2, [0, 0, 0, 0, 1]));
    assert_eq!((summary.planned, summary.complete), (4, false));
}

#[test]
fn nothing_is_made_up_without_games_or_without_decided_games() {
    let empty = ledger(&[]).summary();
    assert_eq!((empty.score, empty.elo, empty.wilson95, empty.mean_plies), (None, None, None, None));
    let drawn = ledger(&["dd", "dd"]).summary();
    assert_eq!((drawn.score, drawn.win_rate_without_draws, drawn.wilson95), (Some(0.5), None, None));
    assert!(drawn.elo95[0].is_some_and(|low| low < -100.0), "four draws are no certainty: {:?}", drawn.elo95);
}

#[test]
fn the_paper_s_cell_has_the_paper_s_interval() {
    let mut pairs = vec!["ww"; 109];
    pairs.push("wl");
    pairs.extend(vec!["ll"; 15]);
    let summary = ledger(&pairs).summary();
    assert_eq!((summary.games, summary.wins), (250, 219));
    near(summary.win_rate_without_draws, 0.876, 1e-12);
    near(summary.normal95_error, 0.0409, 5e-5);
}

/// Elo and error as fastchess prints them for these pairs (its tests, and a published log for the third).
#[test]
fn elo_and_its_error_are_those_of_fastchess() {
    for (pairs, elo, error) in [
        ([34, 54, 63, 64, 75], 55.58, 27.65),
        ([332, 433, 498, 333, 334], -8.64, 10.33),
        ([1, 11, 47, 25, 16], 77.71, 33.03),
    ] {
        let points: u64 = pairs.iter().zip(0..).map(|(n, points)| n * points).sum();
        let games = 2 * pairs.iter().sum::<u64>();
        // Only the points count, not how they were made.
        let (wins, draws) = ((points / 2) as u32, (points % 2) as u32);
        let [low, high] = elo_interval(wins, draws, games as u32 - wins - draws, &pairs).map(|e| e.expect("finite"));
        near(stats::elo_of(points as f64 / 2.0 / games as f64), elo, 0.005);
        near(Some((high - low) / 2.0), error, 0.005);
    }
    // Without pairs the variance of single games has to do.
    let [low, high] = elo_interval(136, 111, 96, &[0; 5]).map(|e| e.expect("finite"));
    near(Some((high - low) / 2.0), 30.43, 0.005);
}

#[test]
fn winning_everything_leaves_an_open_end() {
    let summary = ledger(&["ww"; 10]).summary();
    assert_eq!((summary.elo, summary.elo_error, summary.elo95[1]), (None, None, None));
    near(summary.elo95[0], stats::elo_of(0.8389).expect("finite"), 0.2);
}

#[test]
fn a_sequential_test_looks_at_pairs_in_their_order_and_forgets_what_comes_after() {
    let mut games: Vec<GameRecord> = (0..60).flat_map(|pair| [0, 1].map(|g| game(pair, g, Wdl::Win))).collect();
    games.extend([0, 1].map(|g| game(60, g, Wdl::Loss)));
    let forward = {
        let mut ledger = Ledger::new(config(Some((0.0, 20.0))));
        games.iter().for_each(|game| assert!(ledger.add(game)));
        ledger.summary()
    };
    assert_eq!((forward.games, forward.wins, forward.complete), (106, 106, true));
    assert_eq!(forward.sprt.and_then(|sprt| sprt.verdict), Some("H1"));
    let mut backward = Ledger::new(config(Some((0.0, 20.0))));
    for game in games.iter().rev() {
        assert!(!backward.decided());
        assert!(backward.add(game));
    }
    assert_eq!(backward.summary(), forward);
}

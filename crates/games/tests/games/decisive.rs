//! Moves that win at once and moves that keep the opponent from it, against their definitions.

use std::sync::Arc;

use plyproof_core::search::{Agent, Bounds, Budget, Report, Searcher};
use plyproof_core::spec::{Described, Params, Spec};
use plyproof_core::{Defence, Game, Outcome, Playout, Rng, Wdl};
use plyproof_games::connect4::{CONNECT4, Connect4};
use plyproof_games::hex::{HEX, Hex};
use plyproof_games::in_a_row::{GOMOKU, InARow, MNK};
use plyproof_games::loa::{LOA, Loa};
use plyproof_games::minishogi::{MINISHOGI, MiniShogi};
use plyproof_games::through::{BREAKTHROUGH, KNIGHTTHROUGH, Through};

fn params(described: &Arc<Described>, text: &str) -> Params {
    Params::resolve(described, &Spec::parse(text).expect(text)).expect(text)
}

fn winning_move<G: Game>(game: &G) -> Option<G::Move> {
    let (mut moves, mut ends) = (Vec::new(), Vec::new());
    game.moves_and_ends(&mut moves, &mut ends);
    ends.iter().find(|(_, outcome)| outcome.winner() == Some(game.to_move())).map(|&(index, _)| moves[index])
}

/// Whether the opponent wins at once after `m`, or has won with it.
fn loses<G: Game>(game: &G, m: G::Move) -> bool {
    let mut next = game.clone();
    next.play(m);
    match next.outcome() {
        Some(outcome) => outcome.winner() == Some(game.to_move().other()),
        None => winning_move(&next).is_some(),
    }
}

/// The decisive play-out by its definition, from the lists of moves.
fn listed<G: Game>(game: &mut G, rng: &mut Rng) -> Playout {
    for plies in 0.. {
        if let Some(outcome) = game.outcome() {
            return Playout { outcome, plies };
        }
        let mut choice = Vec::new();
        match winning_move(game) {
            Some(m) => choice.push(m),
            None => match game.defences(&mut choice) {
                Defence::Hopeless => {
                    return Playout { outcome: Outcome::win(game.to_move().other()), plies: plies + 2 };
                }
                Defence::NotNeeded => game.moves(&mut choice),
                Defence::Needed => {}
            },
        }
        game.play(choice[rng.below(choice.len())]);
    }
    unreachable!("every game ends")
}

/// Random games: every move that is left out loses at once, and where `complete` says so every threat is seen.
fn defences_are_right<G: Game>(start: &G, games: u64, complete: fn(&G) -> bool) -> usize {
    let mut seen = 0;
    for seed in 0..games {
        let (mut game, mut rng) = (start.clone(), Rng::new(seed));
        while game.outcome().is_none() {
            let mut all = Vec::new();
            game.moves(&mut all);
            if winning_move(&game).is_none() {
                let mut defences = Vec::new();
                let defence = game.defences(&mut defences);
                let text = game.position_text();
                assert!(defences.iter().all(|m| all.contains(m)), "{text}: {defences:?} are legal");
                let losing = all.iter().filter(|&&m| loses(&game, m)).count();
                match defence {
                    Defence::NotNeeded => assert!(losing == 0 || !complete(&game), "{text}: a threat is seen"),
                    Defence::Needed => {
                        let out = all.iter().find(|&&m| !defences.contains(&m) && !loses(&game, m));
                        assert_eq!(out, None, "{text}: what is left out loses");
                        seen += 1;
                    }
                    Defence::Hopeless => {
                        assert_eq!(losing, all.len(), "{text}: every move loses");
                        seen += 1;
                    }
                }
            }
            game.play(all[rng.below(all.len())]);
        }
    }
    seen
}

/// Lengths and results of the fast play-out are those of the definition.
fn playouts_are_right<G: Game>(start: &G, opening: usize, games: usize) {
    playouts_are_right_by(start, opening, games, listed);
}

fn playouts_are_right_by<G: Game>(start: &G, opening: usize, games: usize, listed: fn(&mut G, &mut Rng) -> Playout) {
    let mut rng = Rng::new(9);
    for _ in 0..3 {
        let mut game = start.clone();
        for _ in 0..opening {
            if game.outcome().is_none() {
                game.play(game.random_move(&mut rng));
            }
        }
        let fast: Vec<_> = (0..games).map(|_| game.clone().decisive_playout(&mut rng, 2500)).collect();
        let slow: Vec<_> = (0..games).map(|_| listed(&mut game.clone(), &mut rng)).collect();
        let mover = game.to_move();
        let figures = |all: &[Playout]| {
            let mean = |value: &dyn Fn(&Playout) -> f64| all.iter().map(value).sum::<f64>() / games as f64;
            let plies = mean(&|playout| f64::from(playout.plies));
            let spread = mean(&|playout| (f64::from(playout.plies) - plies).powi(2)).sqrt();
            (plies, spread, mean(&|playout| f64::from(playout.outcome.of(mover).value())))
        };
        let ((plies, spread, score), (plies_slow, spread_slow, score_slow)) = (figures(&fast), figures(&slow));
        let wide = (2.0 / games as f64).sqrt();
        let text = game.position_text();
        assert!((plies - plies_slow).abs() <= 4.5 * wide * spread_slow.max(0.1), "{text}: {plies} not {plies_slow}");
        assert!((spread - spread_slow).abs() <= 4.5 * wide * spread_slow.max(0.1), "{text}: {spread} {spread_slow}");
        assert!((score - score_slow).abs() <= 4.5 * wide, "{text}: {score} should be {score_slow}");
    }
}

/// Whether both sides have several pieces: a last one can also be lost by moving it into danger.
fn several(game: &Through) -> bool {
    let text = game.position_text();
    let board = text.split(' ').next().unwrap_or_default();
    ['x', 'o'].iter().all(|&sign| board.matches(sign).count() > 1)
}

#[test]
fn knights_and_pawns_near_the_far_row_are_captured_or_win() {
    for spec in ["knightthrough", "knightthrough(size=5x6)", "knightthrough(size=4x5,moves=all)"] {
        let start = Through::knightthrough(&params(&KNIGHTTHROUGH, spec));
        assert!(defences_are_right(&start, 60, several) > 40, "{spec}");
        playouts_are_right(&start, 6, 1500);
    }
    for spec in ["breakthrough", "breakthrough(size=3x6)", "breakthrough(size=2x5)"] {
        let start = Through::breakthrough(&params(&BREAKTHROUGH, spec));
        assert!(defences_are_right(&start, 60, several) > 20, "{spec}");
        playouts_are_right(&start, 5, 1500);
    }
}

#[test]
fn a_row_that_lacks_one_stone_is_blocked_or_completed() {
    for (start, opening) in [
        (InARow::gomoku(&params(&GOMOKU, "gomoku(size=9)")), 30),
        (InARow::gomoku(&params(&GOMOKU, "gomoku(size=7,exact=false)")), 20),
        (InARow::mnk(&params(&MNK, "mnk(5,4,4)")), 5),
        (InARow::mnk(&params(&MNK, "mnk(4,3,3)")), 1),
        (InARow::mnk(&params(&MNK, "mnk(19,3,6)")), 20),
        (InARow::mnk(&params(&MNK, "mnk(5,5,2)")), 0),
        (InARow::mnk(&params(&MNK, "mnk(3,3,1)")), 0),
    ] {
        let seen = defences_are_right(&start, 80, |_| true);
        assert!(seen > 5 || opening == 0, "{}: {seen}", start.position_text());
        playouts_are_right(&start, opening, 600);
    }
}

#[test]
fn a_connection_in_one_move_is_made_or_prevented() {
    for spec in ["loa", "loa(size=6)", "loa(size=5,both=mover)", "loa(size=4)"] {
        let start = Loa::<u64>::start(&params(&LOA, spec));
        assert!(defences_are_right(&start, 12, |_| true) > 20, "{spec}");
        playouts_are_right_by(&start, 10, 400, listed_while_threatened);
    }
    let start = Loa::<u128>::start(&params(&LOA, "loa(size=9)"));
    assert!(defences_are_right(&start, 4, |_| true) > 5);
}

/// The same position with the other side to move.
fn turned(game: &Loa) -> Loa {
    let text = game.position_text();
    let text = if text.contains(" x") { text.replace(" x", " o") } else { text.replace(" o", " x") };
    game.parse_position(&text).expect("the other side to move")
}

/// Where no threat is seen any move is made; after some of them the opponent wins, often because a stone of its own was
/// taken. That must happen as often as such a move is drawn.
#[test]
fn a_playout_sees_what_a_capture_made_possible() {
    let start = Loa::<u64>::start(&params(&LOA, "loa(size=5)"));
    let (mut rng, mut found) = (Rng::new(8), 0);
    let (mut lost, mut expected, mut variance) = (0.0, 0.0, 0.0);
    while found < 300 {
        let mut board = ["....."; 5].join("/").into_bytes();
        for sign in [b'x', b'o'] {
            for _ in 0..5 {
                board[rng.below(5) * 6 + rng.below(5)] = sign;
            }
        }
        let text = String::from_utf8(board).expect("signs") + " x";
        let Ok(game) = start.parse_position(&text) else { continue };
        if game.outcome().is_some() || winning_move(&game).is_some() || winning_move(&turned(&game)).is_some() {
            continue;
        }
        let mut moves = Vec::new();
        game.moves(&mut moves);
        let capture =
            |m: &&<Loa as Game>::Move| game.move_text_in("openspiel", **m).is_some_and(|text| text.contains('x'));
        if !moves.iter().filter(capture).any(|&m| loses(&game, m)) {
            continue;
        }
        found += 1;
        let share = moves.iter().filter(|&&m| loses(&game, m)).count() as f64 / moves.len() as f64;
        let mut ends = || {
            let playout = game.clone().decisive_playout(&mut rng, 2500);
            playout.plies <= 2 && playout.outcome == Outcome::win(game.to_move().other())
        };
        lost += (0..20).filter(|_| ends()).count() as f64;
        expected += 20.0 * share;
        variance += 20.0 * share * (1.0 - share);
    }
    assert!((lost - expected).abs() < 4.5 * variance.sqrt(), "{lost} lost at once instead of {expected}");
}

/// As [`listed`], but a defence is called for only where the opponent could win if it were to move now.
fn listed_while_threatened(game: &mut Loa, rng: &mut Rng) -> Playout {
    for plies in 0.. {
        if let Some(outcome) = game.outcome() {
            return Playout { outcome, plies };
        }
        let mut choice = Vec::new();
        match winning_move(game) {
            Some(m) => choice.push(m),
            None if winning_move(&turned(game)).is_none() => game.moves(&mut choice),
            None => match game.defences(&mut choice) {
                Defence::Hopeless => {
                    return Playout { outcome: Outcome::win(game.to_move().other()), plies: plies + 2 };
                }
                Defence::NotNeeded => game.moves(&mut choice),
                Defence::Needed => {}
            },
        }
        game.play(choice[rng.below(choice.len())]);
    }
    unreachable!("every game ends")
}

#[test]
fn a_mate_in_one_is_given_and_never_allowed_unseen() {
    let start = MiniShogi::start(&params(&MINISHOGI, "minishogi"));
    // A bare king without a move and not in check loses too; such wins are not looked for.
    assert!(defences_are_right(&start, 60, |_| false) > 100);
    let wins_only = |game: &mut MiniShogi, rng: &mut Rng| {
        for plies in 0.. {
            if let Some(outcome) = game.outcome() {
                return Playout { outcome, plies };
            }
            let m = winning_move(game).unwrap_or_else(|| game.random_move(rng));
            game.play(m);
        }
        unreachable!("every game ends")
    };
    playouts_are_right_by(&start, 6, 1000, wins_only);
    let (mut rng, mut mates, mut missed) = (Rng::new(4), 0, 0);
    for _ in 0..200 {
        let mut game = start.clone();
        while game.outcome().is_none() {
            if winning_move(&game).is_some() {
                mates += 1;
                missed += u32::from(game.clone().decisive_playout(&mut rng, 2500).plies != 1);
            }
            game.play(game.random_move(&mut rng));
        }
    }
    // Positions without a check in which a king and little else has no move.
    assert!(mates > 200 && missed * 50 < mates, "{missed} of {mates}");
}

#[test]
fn three_in_connect_four_is_blocked_or_completed() {
    for spec in ["connect4", "connect4(width=5,height=4)", "connect4(width=8,height=7)"] {
        let start = Connect4::start(&params(&CONNECT4, spec));
        // A stone may also make room for the winning one: that is not a threat yet.
        assert!(defences_are_right(&start, 200, |_| false) > 50, "{spec}");
        playouts_are_right(&start, 4, 1500);
    }
}

fn searched<G: Game>(name: &str, position: &G, simulations: u64) -> Report<G::Move> {
    Searcher::new().run(&Agent::parse(name).expect(name), position, &Budget::simulations(simulations), 1)
}

#[test]
fn decisive_trees_hold_only_the_move_that_matters_and_reports_all() {
    let start = InARow::gomoku(&params(&GOMOKU, "gomoku(size=9)"));
    // Four of x between an o and an empty point: o, to move, must take i5... on the right end.
    let four = start
        .parse_position("........./........./........./........./.oxxxx.../...o...../...o...../........./......... o");
    let four = four.expect("a position");
    for name in ["mcts(decisive=tree)", "plyproof(decisive=tree,first=random)", "plyproof"] {
        let report = searched(name, &four, 30);
        let text = report.best.map(|m| four.move_text(m));
        assert_eq!(text.as_deref(), Some("g5"), "{name}");
        assert_eq!(report.moves.len(), 81 - 7, "{name}: every legal move is told");
        let lost = report.moves.iter().filter(|m| m.bounds == Bounds::exactly(Wdl::Loss) && m.visits == 0).count();
        assert_eq!(lost, 81 - 8, "{name}");
    }
    assert!(searched("mcts", &four, 74).moves.iter().all(|m| m.visits == 1), "plain MCTS tries them all");
    // x itself to move: it wins, and that is all it looks at.
    let won = start
        .parse_position("........./........./........./........./.oxxxx.../...o...../...o...../........./......... x");
    let won = won.expect("a position");
    let report = searched("mcts(decisive=tree)", &won, 10);
    assert_eq!(report.moves.iter().map(|m| m.visits).max(), Some(10));
    assert_eq!(report.best.map(|m| won.move_text(m)).as_deref(), Some("g5"));
}

#[test]
fn decisive_playouts_never_miss_a_win_in_one() {
    // The knight of x stands one leap from the far row, where no knight of o can take it.
    let start = Through::knightthrough(&params(&KNIGHTTHROUGH, "knightthrough(size=5)"));
    let position = start.parse_position("..o../o..../x..../...../..x.. o").expect("a position");
    let means = |name: &str, simulations| -> Vec<f64> {
        searched(name, &position, simulations).moves.iter().map(|m| m.mean).collect()
    };
    // Every move once, so that all but the first one is the play-out's.
    let decisive = means("mcts(decisive=playouts)", 5);
    assert!(decisive.len() == 5 && decisive.iter().all(|&mean| mean == -1.0), "{decisive:?}");
    assert!(means("mcts", 40).iter().any(|&mean| mean > -1.0));
}

/// The play-out that tells its moves is the one that does not, move for move.
#[test]
fn a_traced_playout_is_the_same_playout() {
    fn check<G: Game>(start: &G, warm_up: u64) {
        let mut rng = Rng::new(3);
        for seed in 0..200 {
            let mut game = start.clone();
            for _ in 0..seed % warm_up {
                if game.outcome().is_none() {
                    game.play(game.random_move(&mut rng));
                }
            }
            for limit in [2500, 30] {
                let mut trace = Vec::new();
                let random = game.clone().traced_playout(&mut Rng::new(seed), limit, false, &mut trace);
                assert_eq!(random, Some(game.clone().playout(&mut Rng::new(seed), limit)));
                assert_eq!(trace.len(), random.map_or(0, |playout| playout.plies as usize), "every move is told");
                trace.clear();
                let decisive = game.clone().traced_playout(&mut Rng::new(seed), limit, true, &mut trace);
                assert_eq!(decisive, Some(game.clone().decisive_playout(&mut Rng::new(seed), limit)));
                let plies = decisive.map_or(0, |playout| playout.plies as usize);
                assert!(trace.len() + 2 >= plies, "all but what is decided: {} of {plies}", trace.len());
            }
        }
    }
    check(&InARow::gomoku(&params(&GOMOKU, "gomoku")), 40);
    check(&Hex::start(&params(&HEX, "hex")), 60);
}

/// In Hex only as much of a play-out's order is found out as is needed; what is told must be as random as the rest.
#[test]
fn traced_playouts_of_hex_play_every_cell_equally_often_by_either_player() {
    let game = Hex::start(&params(&HEX, "hex(size=3)"));
    let (mut rng, mut counts) = (Rng::new(5), [[0u32; 3 * 14]; 2]);
    let mut expected = [[0u32; 3 * 14]; 2];
    let rounds = 40_000;
    for _ in 0..rounds {
        let mut trace = Vec::new();
        game.clone().traced_playout(&mut rng, 100, false, &mut trace);
        trace.iter().for_each(|&(player, cell)| counts[player.index()][usize::from(cell)] += 1);
        let mut slow = game.clone();
        while slow.outcome().is_none() {
            let (player, cell) = (slow.to_move(), slow.random_move(&mut rng));
            expected[player.index()][usize::from(cell)] += 1;
            slow.play(cell);
        }
    }
    for (found, expected) in counts.as_flattened().iter().zip(expected.as_flattened()) {
        // Each is a sum of 40,000 coins, so that their difference has a deviation of at most 141.
        assert!(found.abs_diff(*expected) < 700, "{counts:?} {expected:?}");
    }
    assert!(counts[0][0] > 1000 && counts[1][0] > 1000);
}

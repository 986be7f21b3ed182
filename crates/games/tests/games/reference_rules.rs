//! The slow reference rules agree with other people's counts, and the games agree with the slow rules.

use std::sync::Arc;

use crate::reference::{
    Awari, Both, Gomoku, Knightthrough, Leaps, Loa, Minishogi, Reference, Rules, compare, compare_from, count_lines,
    odd_awari, odd_gomoku, odd_knightthrough, odd_loa, odd_minishogi,
};
use plyproof_core::spec::{Described, Params, Spec};
use plyproof_games::in_a_row::{GOMOKU, InARow};
use plyproof_games::loa::{LOA, Loa as FastLoa};
use plyproof_games::minishogi::{MINISHOGI, MiniShogi};
use plyproof_games::through::{KNIGHTTHROUGH, Through};

const COUNTS: &str = include_str!("../data/perft.txt");

/// Compares with the published counts of `game` up to `depth` moves.
fn counts<R: Reference>(game: &str, start: &R, depth: usize) {
    let line = COUNTS.lines().find(|line| line.split('|').next().is_some_and(|name| name.trim() == game)).expect(game);
    let counted: Vec<u64> =
        line.split('|').nth(1).expect(line).split_whitespace().map(|n| n.parse().expect(line)).collect();
    assert!(depth <= counted.len());
    for (index, &lines) in counted[..depth].iter().enumerate() {
        assert_eq!(count_lines(start, index + 1), lines, "{game}, {} moves", index + 1);
    }
}

#[test]
fn slow_loa_has_as_many_lines_of_play_as_others_count() {
    counts("loa", &Loa::start(8, Both::Draw), 3);
    counts("loa(size=7)", &Loa::start(7, Both::Draw), 4);
}

#[test]
fn slow_awari_has_as_many_lines_of_play_as_others_count() {
    counts("awari", &Awari::start(Rules::Paper), 8);
    counts("awari(rules=oware)", &Awari::start(Rules::Oware), 8);
}

#[test]
fn slow_minishogi_has_as_many_lines_of_play_as_others_count() {
    counts("minishogi", &Minishogi::start(), 5);
}

#[test]
fn slow_gomoku_and_knightthrough_have_as_many_lines_of_play_as_others_count() {
    counts("gomoku", &Gomoku::start(15, true), 2);
    counts("knightthrough", &Knightthrough::start(8, 8, Leaps::Forward), 3);
    counts("knightthrough(moves=all)", &Knightthrough::start(8, 8, Leaps::All), 3);
}

// ---- what the counts do not reach: positions whose answer is plain to see ---------------------------------------------

fn after<R: Reference>(position: &R, moves: &[&str]) -> R {
    let mut position = position.clone();
    for text in moves {
        assert!(position.legal().contains(&text.to_string()), "{text} at {}", position.position());
        position.play(text);
    }
    position
}

fn moves_of<R: Reference>(position: &R, from: &str) -> Vec<String> {
    position.legal().into_iter().filter(|text| text.starts_with(from)).collect()
}

#[test]
fn a_stone_jumps_its_own_side_and_never_the_other() {
    let start = Loa::start(8, Both::Draw);
    let blocked = start.parse("......../......../.......x/o......./......../......../......../x.o..o.. x");
    assert_eq!(moves_of(&blocked, "a1"), ["a1a3", "a1b2"], "d1 lies behind c1");
    let jumping = start.parse("......../......../.......x/o......./......../......../......../x.x..o.. x");
    assert_eq!(moves_of(&jumping, "a1"), ["a1a3", "a1b2", "a1d1"]);
    let onto = start.parse("......../......../.......x/o......./......../......../......../x.xo.x.. x");
    assert_eq!(moves_of(&onto, "a1"), ["a1a3", "a1b2"], "e1 lies behind d1");
    assert_eq!(moves_of(&onto, "f1"), ["f1e2", "f1f2", "f1g2"], "b1 lies behind d1");
}

#[test]
fn a_move_that_connects_both_sides_draws_or_wins_as_agreed() {
    for (both, result) in [(Both::Draw, 0), (Both::Mover, 1)] {
        let position = Loa::start(5, both).parse("...../...../ox.../...../x..oo x");
        assert_eq!(position.result(), None);
        assert_eq!(after(&position, &["a1a3"]).result(), Some(result));
    }
}

#[test]
fn a_capture_that_connects_the_other_side_alone_loses() {
    let position = Loa::start(5, Both::Mover).parse("..x../..x../o..../...../x...o o");
    assert_eq!(after(&position, &["a3a1"]).result(), Some(1));
}

#[test]
fn hemmed_in_stones_pass_and_two_passes_draw() {
    let start = Loa::start(5, Both::Draw);
    let position = start.parse("xo.../oo.../...../...oo/...ox x");
    assert_eq!(position.legal(), ["pass"]);
    assert_eq!(after(&position, &["pass"]).position(), "xo.../oo.../...../...oo/...ox o pass");
    let full = after(&start.parse("ooxoo/ooxoo/ooxoo/ooxoo/xoxoo x"), &["pass", "pass"]);
    assert_eq!((full.result(), full.legal().len()), (Some(0), 0));
    assert!(full.position().ends_with(" x pass pass"));
}

#[test]
fn twelve_seeds_skip_their_own_hole_and_capture_behind_it() {
    for rules in [Rules::Paper, Rules::Oware] {
        let position = Awari::start(rules).parse("0,0,0,0,0,12,1,0,0,0,0,0|20,15 1");
        assert_eq!(after(&position, &["6"]).position(), "1,1,1,1,1,0,0,1,1,1,1,1|23,15 2");
    }
}

#[test]
fn captures_go_backwards_through_twos_and_threes_of_the_opponent_only() {
    let position = Awari::start(Rules::Paper).parse("1,0,0,0,2,4,2,1,2,4,0,5|13,14 1");
    assert_eq!(after(&position, &["6"]).position(), "1,0,0,0,2,0,3,2,3,5,0,5|13,14 2", "five is too many");
    let position = Awari::start(Rules::Paper).parse("1,0,0,0,2,3,2,1,2,4,0,5|13,15 1");
    assert_eq!(after(&position, &["6"]).position(), "1,0,0,0,2,0,0,0,0,4,0,5|21,15 2");
    assert_eq!(after(&position, &["5"]).position(), "1,0,0,0,0,4,0,1,2,4,0,5|16,15 2", "hole 6 is the mover's own");
}

#[test]
fn taking_everything_is_illegal_in_awari_and_takes_nothing_in_oware() {
    let text = "0,0,0,0,2,1,1,0,0,0,0,0|22,22 1";
    let paper = after(&Awari::start(Rules::Paper).parse(text), &["pass"]);
    assert_eq!(paper.legal(), ["1"]);
    let oware = Awari::start(Rules::Oware).parse(text);
    assert_eq!(oware.legal(), ["5", "6"]);
    assert_eq!(after(&oware, &["5"]).position(), "0,0,0,0,0,2,2,0,0,0,0,0|22,22 2");
}

#[test]
fn nobody_can_move_draws_awari_and_shares_out_oware() {
    let text = "0,0,0,0,0,0,0,0,2,1,0,0|25,20 1";
    let paper = after(&Awari::start(Rules::Paper).parse(text), &["pass", "pass"]);
    assert_eq!(paper.result(), Some(0), "whatever the stores");
    let oware = Awari::start(Rules::Oware).parse("0,0,0,0,0,0,0,0,2,1,0,0|23,22 1");
    assert_eq!(oware.result(), Some(-1), "23 against 22 and 3 on the board");
    let starved = Awari::start(Rules::Oware).parse("0,0,0,1,1,2,0,0,0,0,0,0|22,22 1");
    assert_eq!(starved.legal(), ["6"], "the opponent must be fed");
    assert_eq!(Awari::start(Rules::Oware).parse("0,0,0,2,0,0,0,0,0,0,0,0|23,23 1").result(), Some(1), "and cannot be");
}

#[test]
fn a_repeated_position_ends_oware() {
    let mut position = Awari::start(Rules::Oware).parse("0,0,0,0,0,1,0,0,0,0,0,1|23,23 1");
    let mut plies = 0;
    // The seeds run round the board behind each other and never meet.
    while position.result().is_none() {
        let text = position.legal()[0].clone();
        position.play(&text);
        plies += 1;
        assert!(plies < 100, "{}", position.position());
    }
    assert_eq!((position.result(), plies), (Some(0), 12), "{}", position.position());
}

#[test]
fn twenty_five_seeds_end_oware_and_not_awari() {
    let text = "0,0,0,0,1,1,1,4,0,0,0,0|23,18 1";
    let won = after(&Awari::start(Rules::Oware).parse(text), &["6"]);
    assert_eq!((won.position().as_str(), won.result()), ("0,0,0,0,1,0,0,4,0,0,0,0|25,18 2", Some(1)));
    assert_eq!(after(&Awari::start(Rules::Paper).parse(text), &["6"]).result(), None);
    assert_eq!(Awari::start(Rules::Oware).parse(text.replace("23,18", "24,17").as_str()).result(), None);
}

#[test]
fn a_pawn_may_mate_by_a_step_and_not_by_a_drop() {
    let start = Minishogi::start();
    let drop = start.parse("4k/5/4G/5/K2R1 b P 1");
    assert_eq!(drop.mating_pawn_drops(), ["P*e4"]);
    assert!(drop.legal().contains(&"P*d4".to_string()));
    let answered = start.parse("3gk/5/4G/5/K2R1 b P 1");
    assert!(answered.legal().contains(&"P*e4".to_string()), "the gold takes the pawn");
    let step = start.parse("4k/5/4P/5/KB1R1 b - 1");
    assert_eq!(after(&step, &["e3e4"]).result(), Some(1));
}

#[test]
fn pieces_promote_on_the_last_rank_and_pawns_must() {
    let start = Minishogi::start();
    let position = start.parse("1S2k/P4/1g3/4R/K3B b - 1");
    assert_eq!(moves_of(&position, "a4"), ["a4a5+"]);
    assert_eq!(moves_of(&position, "b5"), ["b5c4", "b5c4+"], "leaving the last rank; b6 is off the board");
    assert_eq!(moves_of(&position, "e2"), ["e2a2", "e2b2", "e2c2", "e2d2", "e2e3", "e2e4", "e2e5", "e2e5+"]);
}

#[test]
fn captured_pieces_return_unpromoted_and_pawns_do_not_share_a_file() {
    let start = Minishogi::start();
    let position = start.parse("4k/1+s3/1P3/5/K4 b P 1");
    let captured = after(&position, &["b3b4"]);
    assert_eq!(captured.position(), "4k/1P3/5/5/K4 w SP 1");
    let pawns: Vec<String> = moves_of(&position, "P*").into_iter().filter(|text| text.contains('b')).collect();
    assert!(pawns.is_empty(), "{pawns:?}");
    assert_eq!(moves_of(&position, "P*").len(), 15, "four files of four squares, a1 taken, e4 the only check");
}

#[test]
fn a_player_without_a_move_loses_minishogi_in_check_or_not() {
    let start = Minishogi::start();
    assert_eq!(start.parse("4k/3G1/3K1/5/5 w - 1").result(), Some(1), "stalemate");
    assert_eq!(start.parse("4k/4G/4K/5/5 w - 1").result(), Some(1), "mate");
}

#[test]
fn six_in_a_row_wins_only_where_five_or_more_do() {
    let text = "......./......./......./......./o.o.o../..oo.../xxx.xx. x";
    let (exact, more) = (Gomoku::start(7, true), Gomoku::start(7, false));
    assert_eq!(after(&exact.parse(text), &["d1"]).result(), None);
    assert_eq!(after(&more.parse(text), &["d1"]).result(), Some(1));
    let crossing = exact.parse("oo...../ooo..../ooo..../...x.../...x.../...x.../xxxxxx. x");
    assert_eq!(crossing.result(), None);
    assert_eq!(after(&crossing, &["d5"]).result(), Some(1), "the column of five counts beside the row of six");
}

#[test]
fn the_last_point_draws_gomoku_unless_it_wins() {
    let start = Gomoku::start(5, true);
    let draw = start.parse("xxoox/ooxxo/xxoox/ooxxo/xoxo. x");
    assert_eq!(after(&draw, &["e1"]).result(), Some(0));
    let win = start.parse("xooxx/oxoox/ooxxx/xooxx/oxoo. x");
    assert_eq!(after(&win, &["e1"]).result(), Some(1));
}

#[test]
fn a_knight_has_four_leaps_ahead_of_eight_and_wins_by_the_last_capture() {
    let text = "......../......../...o..../......../....x.../......../.......o/........ x";
    let start = Knightthrough::start(8, 8, Leaps::Forward);
    assert_eq!(start.parse(text).legal(), ["e4c5", "e4d6", "e4f6", "e4g5"]);
    assert_eq!(Knightthrough::start(8, 8, Leaps::All).parse(text).legal().len(), 8);
    assert_eq!(after(&start.parse(text), &["e4d6"]).result(), None);
    assert_eq!(after(&start.parse(&text.replace(".......o", "........")), &["e4d6"]).result(), Some(1));
}

// ---- the odd positions ------------------------------------------------------------------------------------------------

/// Every text is read and printed back, is finished or has moves, and the share of unfinished ones is large enough.
fn sound<R: Reference>(start: &R, texts: &[String]) {
    let mut going_on = 0;
    for text in texts {
        let position = start.parse(text);
        assert_eq!(&position.position(), text);
        assert_eq!(position.legal().is_empty(), position.result().is_some(), "{text}");
        going_on += usize::from(position.result().is_none());
    }
    assert!(going_on * 4 > texts.len(), "{going_on} of {} go on", texts.len());
}

#[test]
fn odd_positions_are_sound_and_most_go_on() {
    for size in [4, 5, 7, 8, 9] {
        sound(&Loa::start(size, Both::Draw), &odd_loa(size, 80, 1));
    }
    for rules in [Rules::Paper, Rules::Oware] {
        sound(&Awari::start(rules), &odd_awari(rules, 80, 1));
    }
    sound(&Minishogi::start(), &odd_minishogi(50, 1));
    for (size, exact) in [(5, true), (6, false), (9, true), (15, true), (15, false), (19, true)] {
        sound(&Gomoku::start(size, exact), &odd_gomoku(size, exact, 40, 1));
    }
    for (width, height) in [(2, 4), (3, 5), (5, 6), (8, 8)] {
        sound(&Knightthrough::start(width, height, Leaps::All), &odd_knightthrough(width, height, 80, 1));
    }
}

// ---- the games ----------------------------------------------------------------------------------------------------------

fn params(described: &Arc<Described>, text: &str) -> Params {
    Params::resolve(described, &Spec::parse(text).expect(text)).expect(text)
}

#[test]
fn knightthrough_follows_the_slow_rules() {
    for (width, height) in [(8, 8), (5, 6), (3, 6), (2, 4), (8, 4), (4, 8)] {
        for (leaps, word) in [(Leaps::Forward, "forward"), (Leaps::All, "all")] {
            let spec = format!("knightthrough(size={width}x{height},moves={word})");
            let fast = Through::knightthrough(&params(&KNIGHTTHROUGH, &spec));
            let slow = Knightthrough::start(width, height, leaps);
            for seed in 0..10 {
                compare(&fast, &slow, 300, seed);
            }
            compare_from(&fast, &slow, &odd_knightthrough(width, height, 150, 2), 1, 100);
        }
    }
}

#[test]
fn lines_of_action_follows_the_slow_rules() {
    for (size, both, word) in
        [(8, Both::Draw, "draw"), (7, Both::Draw, "draw"), (5, Both::Mover, "mover"), (4, Both::Draw, "draw")]
    {
        let fast = FastLoa::<u64>::start(&params(&LOA, &format!("loa(size={size},both={word})")));
        let slow = Loa::start(size, both);
        for seed in 0..3 {
            compare(&fast, &slow, 400, seed);
        }
        compare_from(&fast, &slow, &odd_loa(size, 100, 2), 1, 60);
    }
    let (fast, slow) = (FastLoa::<u128>::start(&params(&LOA, "loa(size=9)")), Loa::start(9, Both::Draw));
    compare(&fast, &slow, 400, 1);
    compare_from(&fast, &slow, &odd_loa(9, 100, 2), 1, 60);
}

#[test]
fn minishogi_follows_the_slow_rules() {
    let (fast, slow) = (MiniShogi::start(&params(&MINISHOGI, "minishogi")), Minishogi::start());
    for seed in 0..3 {
        compare(&fast, &slow, 300, seed);
    }
    compare_from(&fast, &slow, &odd_minishogi(60, 2), 1, 15);
}

#[test]
fn gomoku_follows_the_slow_rules() {
    for (size, exact) in [(15, true), (15, false), (9, true), (6, true), (19, true)] {
        let fast = InARow::gomoku(&params(&GOMOKU, &format!("gomoku(size={size},exact={exact})")));
        let slow = Gomoku::start(size, exact);
        compare(&fast, &slow, 400, 1);
        compare_from(&fast, &slow, &odd_gomoku(size, exact, 40, 2), 1, 10);
    }
}

#[test]
#[should_panic(expected = "the game and the slow rules differ after")]
fn a_comparison_with_other_rules_fails() {
    let fast = Through::knightthrough(&params(&KNIGHTTHROUGH, "knightthrough(size=5x6)"));
    compare(&fast, &Knightthrough::start(5, 6, Leaps::All), 300, 1);
}

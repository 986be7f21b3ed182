//! Awari against counts by other programs, against a slow second implementation, and on positions made by hand.

use plyproof_core::contract::{Contract, check};
use plyproof_core::perft::perft;
use plyproof_core::spec::{Params, Spec};
use plyproof_core::{Game, Outcome, PLY_LIMIT, Player, Rng};
use plyproof_games::awari::{AWARI, Awari};

fn start(spec: &str) -> Awari {
    Awari::start(&Params::resolve(&AWARI, &Spec::parse(spec).expect(spec)).expect(spec))
}

fn paper(text: &str) -> Awari {
    start("awari").parse_position(text).expect(text)
}

fn oware(text: &str) -> Awari {
    start("awari(rules=oware)").parse_position(text).expect(text)
}

fn legal(game: &Awari) -> String {
    let mut moves = Vec::new();
    game.moves(&mut moves);
    moves.iter().map(|&m| game.move_text(m)).collect::<Vec<_>>().join(" ")
}

/// The position after these moves, each of which must be legal.
fn after(game: &Awari, moves: &str) -> Awari {
    let mut game = game.clone();
    for word in moves.split_whitespace() {
        game.play(game.parse_move(word).expect(word));
    }
    game
}

/// What a slow program that moves one seed at a time says about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Slow {
    oware: bool,
    /// The ring: first player's holes 1 to 6, then the second player's.
    holes: [u32; 12],
    stores: [u32; 2],
    mover: usize,
    passes: usize,
    /// Oware: every position since the last capture.
    seen: Vec<([u32; 12], usize)>,
}

impl Slow {
    fn row(&self, player: usize) -> u32 {
        self.holes[player * 6..player * 6 + 6].iter().sum()
    }

    /// The position after sowing a hole (0 to 5), or nothing if that is not allowed.
    fn sown(&self, hole: usize) -> Option<Slow> {
        let mut next = self.clone();
        let opponent = 1 - self.mover;
        let origin = self.mover * 6 + hole;
        let mut hand = std::mem::take(&mut next.holes[origin]);
        if hand == 0 {
            return None;
        }
        let mut at = origin;
        while hand > 0 {
            at = (at + 1) % 12;
            if at == origin {
                continue;
            }
            next.holes[at] += 1;
            hand -= 1;
        }
        if self.oware && next.row(opponent) == 0 {
            return None;
        }
        let before_capture = next.clone();
        while at / 6 == opponent && (next.holes[at] == 2 || next.holes[at] == 3) {
            next.stores[self.mover] += std::mem::take(&mut next.holes[at]);
            match at.checked_sub(1) {
                Some(previous) => at = previous,
                None => break,
            }
        }
        if next.row(opponent) == 0 {
            if !self.oware {
                return None;
            }
            next = before_capture;
        }
        if next.stores != self.stores {
            next.seen.clear();
        } else if self.oware {
            next.seen.push((self.holes, self.mover));
        }
        next.mover = opponent;
        next.passes = 0;
        Some(next)
    }

    fn passed(&self) -> Slow {
        Slow { mover: 1 - self.mover, passes: self.passes + 1, ..self.clone() }
    }

    /// First player's points minus the second's if the game is over.
    fn finished(&self) -> Option<i16> {
        let lead = self.stores[0] as i16 - self.stores[1] as i16;
        if self.oware {
            let stuck = (0..6).all(|hole| self.sown(hole).is_none());
            if self.stores.iter().any(|&store| store > 24) {
                Some(lead)
            } else if stuck || self.seen.contains(&(self.holes, self.mover)) {
                Some(lead + self.row(0) as i16 - self.row(1) as i16)
            } else {
                None
            }
        } else if self.holes.iter().all(|&seeds| seeds <= 1) {
            Some(lead)
        } else {
            (self.passes == 2).then_some(0)
        }
    }

    fn text(&self) -> String {
        let holes: Vec<String> = self.holes.iter().map(u32::to_string).collect();
        let passes = " pass".repeat(self.passes);
        format!("{}|{},{} {}{passes}", holes.join(","), self.stores[0], self.stores[1], self.mover + 1)
    }

    fn random(oware: bool, rng: &mut Rng) -> Slow {
        let mut holes = [0; 12];
        // Few seeds, all of them, or anything; spread over all holes, over few, or over one side.
        let total = [1 + rng.below(8), 48, rng.below(49)][rng.below(3)] as u32;
        let mut left = total - rng.below(total as usize + 1) as u32 * rng.below(2) as u32;
        let captured = total - left;
        let (first, places) = [(0, 12), (rng.below(12), 1 + rng.below(3)), (6 * rng.below(2), 6)][rng.below(3)];
        while left > 0 {
            let lot = if rng.below(2) == 0 { 1 } else { 1 + rng.below(left as usize) as u32 };
            holes[(first + rng.below(places)) % 12] += lot;
            left -= lot;
        }
        let store = rng.below(captured as usize + 1) as u32;
        let passes = if oware { 0 } else { rng.below(8).saturating_sub(5) };
        Slow { oware, holes, stores: [store, captured - store], mover: rng.below(2), passes, seen: Vec::new() }
    }
}

/// The outcome, the legal moves and each position reached agree with the slow program.
fn agrees(game: &Awari, slow: &Slow) {
    let points = slow.finished();
    assert_eq!(game.outcome(), points.map(Outcome::by_points), "{}", slow.text());
    let next: Vec<(usize, Slow)> = (0..6).filter_map(|hole| Some((hole, slow.sown(hole)?))).collect();
    let mut moves = Vec::new();
    game.moves(&mut moves);
    if points.is_some() {
        assert!(moves.is_empty(), "{}", slow.text());
        return;
    }
    if next.is_empty() {
        assert_eq!(legal(game), "pass", "{}", slow.text());
    } else {
        assert_eq!(moves.len(), next.len(), "{}: {}", slow.text(), legal(game));
    }
    for (m, (hole, slow_next)) in moves.into_iter().zip(next) {
        assert_eq!(game.move_text(m), (hole + 1).to_string(), "{}", slow.text());
        let mut reached = game.clone();
        reached.play(m);
        let [first, second] = [Player::FIRST, Player::SECOND].map(|player| reached.holes(player).map(u32::from));
        let stores = [Player::FIRST, Player::SECOND].map(|player| u32::from(reached.store(player)));
        let same = slow_next.holes[..6] == first && slow_next.holes[6..] == second && slow_next.stores == stores;
        assert!(same && reached.to_move().index() == slow_next.mover, "{} after {}", slow.text(), hole + 1);
        assert_eq!(reached.outcome(), slow_next.finished().map(Outcome::by_points), "{}", slow_next.text());
    }
}

#[test]
fn counts_agree_with_other_programs() {
    for spec in ["awari", "awari(rules=oware)"] {
        let counts: Vec<u64> = (1..=7).map(|depth| perft(&start(spec), depth).nodes).collect();
        assert_eq!(counts, [6, 36, 190, 1014, 5219, 27332, 139_157], "{spec}");
    }
}

#[test]
fn deep_counts_agree_with_other_programs() {
    for spec in ["awari", "awari(rules=oware)"] {
        assert_eq!([8, 9].map(|depth| perft(&start(spec), depth).nodes), [711_414, 3_592_872], "{spec}");
    }
}

#[test]
fn both_rule_sets_keep_the_contract() {
    let contract = Contract { games: 40, playouts: 4000, ..Contract::default() };
    for spec in ["awari", "awari(rules=oware)"] {
        for position in
            ["4,4,4,4,4,4,4,4,4,4,4,4|0,0 1", "0,0,1,0,2,1,1,0,0,1,0,2|0,0 2", "0,0,0,0,0,0,0,0,9,0,0,1|3,4 1"]
        {
            let game = start(spec).parse_position(position).expect(position);
            if let Err(broken) = check(&game, &contract) {
                panic!("{spec}: {broken}");
            }
        }
    }
}

fn agrees_on_random_positions(spec: &str, seed: u64) {
    let mut rng = Rng::new(seed);
    let start = start(spec);
    let mut kinds = [0u32; 4];
    for _ in 0..1_000_000 {
        let slow = Slow::random(spec != "awari", &mut rng);
        let game = start.parse_position(&slow.text()).expect("a position");
        agrees(&game, &slow);
        kinds[0] += u32::from(slow.holes.iter().any(|&seeds| seeds >= 12));
        kinds[1] += u32::from(slow.holes.iter().sum::<u32>() <= 4);
        kinds[2] += u32::from(slow.row(1 - slow.mover) == 0);
        kinds[3] += u32::from(game.outcome().is_none());
    }
    assert!(kinds.iter().all(|&count| count > 100_000), "{kinds:?}: the positions are not mixed enough");
}

#[test]
fn a_program_that_moves_seed_by_seed_agrees_on_the_papers_rules() {
    agrees_on_random_positions("awari", 7);
}

#[test]
fn a_program_that_moves_seed_by_seed_agrees_on_the_rules_of_oware() {
    agrees_on_random_positions("awari(rules=oware)", 8);
}

#[test]
fn a_program_that_moves_seed_by_seed_agrees_on_whole_games() {
    let mut rng = Rng::new(8);
    let (mut repetitions, mut passes) = (0, 0);
    for index in 0..4000 {
        let oware = index % 2 == 0;
        let spec = if oware { "awari(rules=oware)" } else { "awari" };
        let mut slow = Slow::random(oware, &mut rng);
        let mut game = start(spec).parse_position(&slow.text()).expect("a position");
        for _ in 0..200 {
            agrees(&game, &slow);
            let read = game.parse_position(&game.position_text()).expect("its own text");
            assert_eq!((read.key(), read.position_text()), (game.key(), game.position_text()));
            if game.outcome().is_some() {
                repetitions += u32::from(slow.seen.contains(&(slow.holes, slow.mover)));
                break;
            }
            let m = game.random_move(&mut rng);
            let text = game.move_text(m);
            slow = match text.parse::<usize>() {
                Ok(hole) => slow.sown(hole - 1).expect("a legal move"),
                Err(_) => slow.passed(),
            };
            passes += u32::from(text == "pass");
            game.play(m);
        }
    }
    assert!(repetitions > 20 && passes > 100, "{repetitions} repetitions, {passes} passes");
}

/// The play-out from `game` against the same random moves played one by one; moves since the last capture at the end.
fn plays_out_as_its_random_moves(mut game: Awari, seed: u64, limit: u32) -> u32 {
    let run = game.clone().playout(&mut Rng::new(seed), limit);
    let mut rng = Rng::new(seed);
    let (mut plies, mut quiet, mut captured) = (0, 0, 0);
    while game.outcome().is_none() && plies < limit {
        game.play(game.random_move(&mut rng));
        plies += 1;
        let stores = game.store(Player::FIRST) + game.store(Player::SECOND);
        quiet = if stores == captured { quiet + 1 } else { 0 };
        captured = stores;
    }
    let expected = (plies, game.outcome().unwrap_or(Outcome::DRAW));
    assert_eq!((run.plies, run.outcome), expected, "seed {seed}: {}", game.position_text());
    quiet
}

#[test]
fn a_play_out_is_the_game_that_its_random_moves_make() {
    let mut rng = Rng::new(9);
    for index in 0..60_000 {
        let oware = index % 3 != 0;
        let mut game = start(if oware { "awari(rules=oware)" } else { "awari" });
        if index % 2 == 0 {
            game = game.parse_position(&Slow::random(oware, &mut rng).text()).expect("a position");
        }
        for _ in 0..rng.below(20) {
            if game.outcome().is_none() {
                game.play(game.random_move(&mut rng));
            }
        }
        // Low limits too: the last move allowed may also end the game.
        let limit = if index % 4 < 2 { PLY_LIMIT } else { rng.below(12) as u32 };
        plays_out_as_its_random_moves(game, index, limit);
    }
    // A game found by trying three million seeds: it ends by a repetition after 220 moves, 306 after the last capture.
    // That is more than a play-out keeps on the stack.
    let quiet = plays_out_as_its_random_moves(oware("0,0,0,20,0,0,0,0,0,20,0,0|0,0 1"), 2_966_704, PLY_LIMIT);
    assert_eq!(quiet, 306);
}

#[test]
fn a_random_game_by_the_papers_rules_lasts_about_108_moves() {
    let mut rng = Rng::new(10);
    let total: u32 = (0..20_000).map(|_| start("awari").playout(&mut rng, PLY_LIMIT).plies).sum();
    let mean = f64::from(total) / 20_000.0;
    assert!((106.0..110.0).contains(&mean), "{mean}");
}

#[test]
fn sowing_skips_the_hole_it_came_from() {
    for (before, hole, then) in [
        ("12,0,0,0,0,0,0,0,0,0,0,5|0,0 1", "1", "0,2,1,1,1,1,1,1,1,1,1,6|0,0 2"),
        ("0,0,0,0,0,12,0,0,0,0,0,5|0,0 1", "6", "1,1,1,1,1,0,0,1,1,1,1,6|2,0 2"),
        ("0,0,0,0,0,23,0,0,0,0,0,5|0,0 1", "6", "2,2,2,2,2,0,0,2,2,2,2,7|3,0 2"),
        ("0,0,23,0,0,0,0,0,0,0,0,5|0,0 1", "3", "2,2,0,3,2,2,2,2,2,2,2,7|0,0 2"),
        ("0,0,0,0,0,0,0,34,0,0,0,0|0,0 2", "2", "3,3,3,3,3,3,3,0,4,3,3,3|0,0 1"),
        ("0,0,0,0,0,0,0,0,0,0,48,0|0,0 2", "5", "5,5,5,4,4,4,4,4,4,4,0,5|0,0 1"),
    ] {
        assert_eq!(after(&paper(before), hole).position_text(), then, "{before}");
    }
}

#[test]
fn captures_go_backwards_along_the_opponents_row_only() {
    for (before, hole, then) in [
        // The run of twos and threes ends where the opponent's row does.
        ("0,0,0,0,2,1,1,0,2,0,0,5|0,0 1", "6", "0,0,0,0,2,0,0,0,2,0,0,5|2,0 2"),
        ("0,0,0,0,3,1,1,2,9,0,0,0|0,0 1", "5", "0,0,0,0,0,2,0,0,9,0,0,0|5,0 2"),
        // A four, or a one, stops it; seeds beyond the last hole stay.
        ("0,0,0,0,0,3,1,3,1,2,0,0|0,0 1", "6", "0,0,0,0,0,0,2,4,0,2,0,0|2,0 2"),
        ("0,0,0,0,0,3,0,1,2,2,0,0|0,0 1", "6", "0,0,0,0,0,0,1,0,0,2,0,0|5,0 2"),
        // Two or three in an own hole are not captured.
        ("1,1,0,0,0,0,0,0,5,0,0,0|0,0 1", "1", "0,2,0,0,0,0,0,0,5,0,0,0|0,0 2"),
        // From the other side.
        ("1,1,1,2,0,0,0,0,0,0,0,3|0,0 2", "6", "0,0,0,2,0,0,0,0,0,0,0,0|0,6 1"),
    ] {
        assert_eq!(after(&paper(before), hole).position_text(), then, "{before}");
    }
}

#[test]
fn a_starved_opponent_is_fed_if_possible() {
    let text = "0,0,4,3,1,1,0,0,0,0,0,0|0,0 1";
    for game in [paper(text), oware(text)] {
        assert_eq!(legal(&game), "3 4 6");
    }
}

#[test]
fn capturing_everything_is_illegal_on_paper_and_captures_nothing_in_oware() {
    let text = "0,0,0,0,1,2,1,1,0,0,0,0|7,9 1";
    assert_eq!(legal(&paper(text)), "5");
    assert_eq!(legal(&oware(text)), "5 6");
    let slam = after(&oware(text), "6");
    assert_eq!((slam.holes(Player::SECOND), slam.store(Player::FIRST)), ([2, 2, 0, 0, 0, 0], 7));
    // Nothing but a capture of everything: a pass on paper.
    let text = "0,0,0,0,0,2,1,1,0,0,0,0|7,9 1";
    assert_eq!(legal(&paper(text)), "pass");
    assert_eq!(after(&paper(text), "pass").position_text(), "0,0,0,0,0,2,1,1,0,0,0,0|7,9 2 pass");
    assert_eq!(after(&paper(text), "pass 2").position_text(), "0,0,0,0,0,2,1,0,1,0,0,0|7,9 1");
}

#[test]
fn two_passes_draw_whatever_the_stores() {
    let game = paper("0,0,0,2,0,0,0,0,0,0,0,0|30,9 1");
    assert_eq!(legal(&game), "pass");
    let passed = after(&game, "pass");
    assert_eq!((legal(&passed).as_str(), passed.outcome()), ("pass", None));
    let over = after(&passed, "pass");
    assert_eq!(over.position_text(), "0,0,0,2,0,0,0,0,0,0,0,0|30,9 1 pass pass");
    assert_eq!(over.outcome(), Some(Outcome::DRAW));
    assert_eq!(paper(&over.position_text()).outcome(), Some(Outcome::DRAW));
    assert_ne!(over.key(), game.key());
    assert_eq!(after(&paper("0,0,0,0,0,2,1,1,0,0,0,0|7,9 1 pass"), "pass").outcome(), Some(Outcome::DRAW));
}

#[test]
fn without_a_hole_above_one_seed_the_stores_decide_on_paper() {
    let game = after(&paper("0,0,0,0,0,2,0,0,1,1,0,0|20,21 1"), "6");
    assert_eq!(game.position_text(), "0,0,0,0,0,0,1,1,1,1,0,0|20,21 2");
    assert_eq!(game.outcome(), Some(Outcome::by_points(-1)), "seeds on the board belong to nobody");
    for (text, points) in [("1,1,1,1,1,1,1,1,1,1,1,1|20,16 2", 4), ("0,0,0,0,0,0,0,0,0,0,0,0|24,24 1", 0)] {
        assert_eq!(paper(text).outcome(), Some(Outcome::by_points(points)), "{text}");
    }
    assert_eq!(paper("2,0,0,0,0,0,0,0,0,0,0,1|40,5 1").outcome(), None, "a lead does not end the game on paper");
}

#[test]
fn in_oware_more_than_half_wins_at_once_and_who_cannot_move_ends_the_game() {
    let game = after(&oware("0,0,0,0,0,1,1,0,0,0,0,5|23,10 1"), "6");
    assert_eq!(game.outcome(), Some(Outcome::by_points(15)));
    assert_eq!(oware("4,4,0,0,0,0,0,0,0,0,4,4|24,8 1").outcome(), None);
    assert_eq!(oware("4,4,0,0,0,0,0,0,0,0,4,3|0,25 1").outcome(), Some(Outcome::by_points(-25)));
    // The second player gives the last seed away and the first cannot give one back.
    let stuck = after(&oware("3,2,0,0,0,0,0,0,0,0,0,1|10,12 2"), "6");
    assert_eq!(stuck.outcome(), Some(Outcome::by_points(10 + 6 - 12)));
    assert_eq!(legal(&stuck), "");
    // An empty row and no move, as given: the other side keeps what it has.
    assert_eq!(oware("0,0,0,0,0,0,1,0,0,0,0,1|10,9 1").outcome(), Some(Outcome::by_points(10 - 9 - 2)));
}

#[test]
fn in_oware_a_repetition_since_the_last_capture_ends_the_game() {
    // One seed each walks round the ring, six steps on either side, and the seeds have changed places.
    let game = oware("1,0,0,0,0,0,1,0,0,0,0,0|20,21 1");
    let round = "1 1 2 2 3 3 4 4 5 5 6 6";
    let almost = after(&game, "1 1 2 2 3 3 4 4 5 5 6");
    assert_eq!(almost.outcome(), None);
    let over = after(&game, round);
    assert_eq!(over.outcome(), Some(Outcome::by_points(-1)));
    assert_eq!(over.position_text(), format!("1,0,0,0,0,0,1,0,0,0,0,0|20,21 1 moves {round}"));
    assert_eq!(oware(&over.position_text()).outcome(), over.outcome());
    assert_ne!(over.key(), game.key(), "the past matters");
    // The same seeds met without a past go on.
    let fresh = oware("0,0,0,0,0,0,1,0,0,0,0,1|20,21 2");
    assert_eq!((almost.holes(Player::FIRST), almost.holes(Player::SECOND)), ([0; 6], [1, 0, 0, 0, 0, 1]));
    assert_eq!(after(&fresh, "6").outcome(), None);
}

#[test]
fn a_capture_forgets_the_past() {
    let game = after(&oware("0,0,0,1,0,1,1,0,0,0,1,5|0,0 1"), "4 5");
    assert_eq!(game.position_text(), "0,0,0,1,0,1,1,0,0,0,1,5|0,0 1 moves 4 5");
    let taken = after(&game, "6");
    assert_eq!(taken.position_text(), "0,0,0,0,1,0,0,0,0,0,0,6|2,0 2");
    assert_eq!(taken.key(), oware(&taken.position_text()).key());
}

#[test]
fn the_key_knows_the_past_in_oware_only() {
    let start = start("awari(rules=oware)");
    let (a, b) = (after(&start, "1 1 2"), after(&start, "2 1 1"));
    assert_ne!(a.key(), b.key());
    let given = oware("4,4,4,4,4,4,4,4,4,4,4,4|0,0 1 moves 1 1 2");
    assert_eq!((a.key(), a.position_text()), (given.key(), given.position_text()));
    // By the paper's rules only the position counts.
    let walked = after(&self::start("awari"), "1 1 2");
    assert_eq!(walked.key(), paper(&walked.position_text()).key());
}

#[test]
fn a_position_copied_over_another_is_the_same_position() {
    let long = after(&start("awari(rules=oware)"), "1 1 2 2");
    let short = start("awari(rules=oware)");
    for (source, mut target) in [(&long, short.clone()), (&short, long.clone())] {
        target.clone_from(source);
        assert_eq!((target.key(), target.position_text()), (source.key(), source.position_text()));
        assert_eq!(legal(&target), legal(source));
    }
}

#[test]
fn the_board_shows_both_rows_as_the_first_player_sees_them() {
    let board = paper("1,2,3,4,5,6,7,8,9,0,1,2|0,0 2").board();
    assert_eq!(
        board.lines().map(str::trim_end).collect::<Vec<_>>(),
        [
            "          6   5   4   3   2   1",
            "2 [ 0]    2   1   0   9   8   7",
            "          1   2   3   4   5   6  [ 0] 1",
            "          1   2   3   4   5   6",
        ]
    );
}

#[test]
fn texts_that_are_no_positions_are_refused_in_one_line() {
    let starts = [start("awari"), start("awari(rules=oware)")];
    for (text, part) in [
        ("", "six holes of each player"),
        ("4,4,4,4,4,4,4,4,4,4,4,4", "six holes of each player"),
        ("4,4,4,4,4,4,4,4,4,4,4|0,0 1", "six holes of each player"),
        ("4,4,4,4,4,4,4,4,4,4,4,4,0|0,0 1", "six holes of each player"),
        ("4,4,4,4,4,4,4,4,4,4,4,+4|0,0 1", "six holes of each player"),
        ("4,4,4,4,4,4,4,4,4,4,4,|0,0 1", "six holes of each player"),
        ("4,4,4,4,4,4,4,4,4,4,4,49|0,0 1", "six holes of each player"),
        ("4,4,4,4,4,4,4,4,4,4,4,4|0,1 1", "more than 48 seeds"),
        ("48,48,48,48,48,16,0,0,0,0,0,0|0,0 1", "more than 48 seeds"),
        ("4,4,4,4,4,4,4,4,4,4,4,4|0,0", "the side to move"),
        ("4,4,4,4,4,4,4,4,4,4,4,4|0,0 3", "the side to move"),
        ("4,4,4,4,4,4,4,4,4,4,4,4|0,0 1 x", "after the side to move"),
        ("4,4,4,4,4,4,4,4,4,4,4,4|0,0 1 pass pass pass", "after the side to move"),
    ] {
        for start in &starts {
            let error = start.parse_position(text).expect_err(text).to_string();
            assert!(error.contains(part) && !error.contains('\n'), "{text}: {error}");
        }
    }
    let [paper, oware] = starts;
    let base = "4,4,4,4,4,4,4,4,4,4,4,4|0,0 1";
    assert!(paper.parse_position(&format!("{base} moves 1")).is_err());
    assert!(oware.parse_position(&format!("{base} pass")).is_err());
    let error = oware.parse_position(&format!("{base} moves 1 1 1")).expect_err("an empty hole").to_string();
    assert!(error.contains("\"1\" is not a legal move here; legal: 2 3 4 5 6"), "{error}");
    for endless in ["1 ".repeat(5_000_000), "1,".repeat(5_000_000), format!("{base} moves {}", "9".repeat(10_000_000))]
    {
        assert!(oware.parse_position(&endless).expect_err("garbage").to_string().len() < 400);
        assert!(paper.parse_position(&endless).is_err());
    }
    assert_eq!(paper.parse_position("4,4,4,4,4,4,4,4,4,4,4,4|0,0 o").expect("o is 2").to_move(), Player::SECOND);
}

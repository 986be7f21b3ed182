//! Games of small trees, whose course is known.

use plyproof_core::TreeGame;
use plyproof_engine::{Bounds, Described, Description, Game, Params, TextError, erase};

use super::*;

static TREE: Description = Description::new(|| Described::new("tree", "Tree", "A game spelled as a tree.").into());

fn side(agent: &str) -> Side {
    Side::parse(agent, 30).expect("an agent")
}

fn tree(text: &str) -> Box<dyn AnyGame> {
    erase(Params::defaults(&TREE), 1, TreeGame::parse(text).expect("a tree"))
}

/// Plays a game with new players.
fn play(start: &dyn AnyGame, task: &GameTask<'_>, stop: bool) -> Option<GameRecord> {
    Seats::new(start, task.a, task.b).play(start, task, &AtomicBool::new(stop))
}

/// Plays game `game` of pair 0 with A = mcts and B = random, whose moves `choose` makes up.
fn played(start: &str, game: u32, max_plies: u32, choose: Choose<'_>) -> Option<GameRecord> {
    let (a, b) = (side("mcts"), side("random"));
    let task = GameTask { a: &a, b: &b, seed: 1, pair: 0, game, openings: 0, line: None, max_plies, adjudicate: false };
    play_with(&*tree(start), &task, &AtomicBool::new(false), choose, &mut |_| {})
}

/// A player that makes the first move and proves nothing.
fn first_move(position: &dyn AnyGame, _: SideName, _: &Allowance, _: u64) -> Result<ChosenMove, Lost> {
    let text = position.legal_moves().into_iter().next();
    Ok(ChosenMove { text, simulations: 1, bounds: Bounds::OPEN, stopped: Some(Stopped::Simulations) })
}

#[test]
fn a_game_is_told_from_as_side_whoever_moves_first() {
    let first = played("1[2[+ -] -]", 0, 9, &mut first_move).expect("played");
    assert_eq!((first.result, first.reason, first.plies), (Wdl::Win, Reason::GameOver, 2));
    assert_eq!((first.first, first.moves.as_str()), (SideName::A, "a a"));
    assert_eq!((first.sims_a, first.sims_b), (vec![1], vec![1]));
    let second = played("1[2[+ -] -]", 1, 9, &mut first_move).expect("played");
    assert_eq!((second.result, second.first), (Wdl::Loss, SideName::B));
}

#[test]
fn who_moves_twice_in_a_row_is_asked_twice() {
    let mut asked = Vec::new();
    let record = played("1[1[2[-]]]", 0, 9, &mut |position, name, allowance, seed| {
        asked.push(name);
        first_move(position, name, allowance, seed)
    });
    assert_eq!(asked, [SideName::A, SideName::A, SideName::B]);
    assert_eq!(record.expect("played").result, Wdl::Loss);
}

#[test]
fn a_game_over_at_once_ends_at_once() {
    let record = played("-", 0, 9, &mut |_, _, _, _| panic!("nothing to search")).expect("played");
    assert_eq!((record.result, record.reason, record.plies), (Wdl::Loss, Reason::GameOver, 0));
}

#[test]
fn the_ply_limit_draws() {
    let record = played("1[2[1[+]]]", 0, 2, &mut first_move).expect("played");
    assert_eq!((record.result, record.reason, record.plies), (Wdl::Draw, Reason::PlyLimit, 2));
}

#[test]
fn a_side_that_fails_or_gives_no_move_loses_with_the_reason() {
    let record = played("1[2[+]]", 0, 9, &mut |_, _, _, _| Err("out of luck".to_string().into())).expect("played");
    assert_eq!((record.result, record.reason), (Wdl::Loss, Reason::Error));
    assert_eq!(record.error.as_deref(), Some("out of luck"));
    let record = played("1[2[+]]", 0, 9, &mut |position, name, allowance, seed| {
        let chosen = first_move(position, name, allowance, seed)?;
        Ok(ChosenMove { text: chosen.text.filter(|_| name == SideName::A), ..chosen })
    });
    let record = record.expect("played");
    assert_eq!((record.result, record.plies), (Wdl::Win, 1));
    assert_eq!(record.error.as_deref(), Some("random gave no move"));
}

#[test]
fn a_game_that_is_stopped_is_not_told() {
    let asked = played("1[2[+]]", 0, 9, &mut |position, name, allowance, seed| {
        first_move(position, name, allowance, seed)
            .map(|chosen| ChosenMove { stopped: Some(Stopped::Cancelled), ..chosen })
    });
    assert_eq!(asked, None);
    let (a, b) = (side("random"), side("random"));
    let task =
        GameTask { a: &a, b: &b, seed: 1, pair: 0, game: 0, openings: 0, line: None, max_plies: 9, adjudicate: false };
    let stopped = play(&*tree("1[2[+]]"), &task, true);
    assert_eq!(stopped, None, "an agent that never looks at the flag is stopped as well");
}

#[test]
fn a_proof_is_noted_at_the_ply_of_its_move() {
    // After a the second player has lost, whatever it does; the first one sees it before its own first move.
    let (a, b) = (side("pn-mcts"), side("pn-mcts"));
    let task =
        GameTask { a: &a, b: &b, seed: 1, pair: 0, game: 0, openings: 0, line: None, max_plies: 9, adjudicate: false };
    let start = tree("1[2[1[+ -] 1[+ -]] 2[- -]]");
    let record = play(&*start, &task, false).expect("played");
    assert_eq!((record.proven_a, record.result), (Proven { win: Some(1), no_win: None }, Wdl::Win));
    assert_eq!(record.proven_b, Proven { win: None, no_win: Some(2) });
}

#[test]
fn both_games_of_a_pair_have_the_opening_of_that_pair_which_never_ends_the_game() {
    // One of three first moves ends the game at once; an opening must avoid it.
    let start = tree("1[+ 2[1[+ -] 1[+ -]] 2[1[+ -] 1[+ -]]]");
    let (a, b) = (side("random"), side("random"));
    let openings = |pair| {
        [0, 1].map(|game| {
            let task = GameTask {
                a: &a,
                b: &b,
                seed: 1,
                pair,
                game,
                openings: 2,
                line: None,
                max_plies: 9,
                adjudicate: false,
            };
            let record = play(&*start, &task, false);
            record.expect("played").opening
        })
    };
    let mut seen = std::collections::BTreeSet::new();
    for pair in 0..40 {
        let [one, other] = openings(pair);
        assert_eq!(one, other);
        assert!(!one.starts_with('a') && one.len() == 3, "{one}");
        seen.insert(one);
    }
    assert_eq!(seen.len(), 4, "every other opening is drawn at some time");
    assert_eq!(opening(&*start, 1, 0, 3), None, "there is no opening of three plies");
}

#[test]
fn every_search_of_a_match_has_a_seed_of_its_own() {
    let (a, b) = (side("random"), side("random"));
    let mut seeds = std::collections::BTreeSet::new();
    for seed in 0..3 {
        for (pair, game) in (0..20).flat_map(|pair| [(pair, 0), (pair, 1)]) {
            let task =
                GameTask { a: &a, b: &b, seed, pair, game, openings: 0, line: None, max_plies: 9, adjudicate: false };
            for ply in 0..50 {
                seeds.extend([SideName::A, SideName::B].map(|name| search_seed(&task, ply, name)));
            }
        }
    }
    assert_eq!(seeds.len(), 3 * 40 * 50 * 2);
}

#[test]
fn records_read_back_as_they_were_written() {
    let record = played("1[2[+ -] -]", 1, 9, &mut first_move).expect("played");
    let text = serde_json::to_string(&record).expect("JSON");
    assert_eq!(serde_json::from_str::<GameRecord>(&text).expect("a record"), record);
    let wrong = text.replace("\"loss\"", "\"lost\"");
    assert!(serde_json::from_str::<GameRecord>(&wrong).expect_err("no result").to_string().contains("`win`"));
}

/// A game of one move, with another that whoever searches falls into.
#[derive(Clone)]
struct Trap {
    over: bool,
}

impl Game for Trap {
    type Move = u8;
    fn to_move(&self) -> Player {
        Player::FIRST
    }
    fn outcome(&self) -> Option<plyproof_core::Outcome> {
        self.over.then_some(plyproof_core::Outcome::DRAW)
    }
    fn moves(&self, into: &mut Vec<u8>) {
        if !self.over {
            into.extend([0, 1]);
        }
    }
    fn play(&mut self, m: u8) {
        assert_ne!(m, 1, "it is a trap");
        self.over = true;
    }
    fn key(&self) -> u64 {
        self.over.into()
    }
    fn position_text(&self) -> String {
        String::new()
    }
    fn parse_position(&self, text: &str) -> Result<Self, TextError> {
        Err(TextError::new(text))
    }
    fn move_text(&self, m: u8) -> String {
        m.to_string()
    }
}

#[test]
fn a_search_that_panics_loses_its_game_and_the_worker_plays_on() {
    let (a, b) = (side("mcts"), side("random"));
    let start = erase(Params::defaults(&TREE), 1, Trap { over: false });
    let mut seats = Seats::new(&*start, &a, &b);
    for pair in 0..2 {
        let task =
            GameTask { a: &a, b: &b, seed: 1, pair, game: 0, openings: 0, line: None, max_plies: 9, adjudicate: false };
        let record = seats.play(&*start, &task, &AtomicBool::new(false)).expect("played");
        assert_eq!((record.result, record.reason), (Wdl::Loss, Reason::Error));
        assert!(record.error.is_some_and(|why| why.starts_with("mcts failed: ") && why.contains("it is a trap")));
    }
}

/// A player without a move, and one that cannot play this game at all.
struct Broken;

impl plyproof_engine::PlayerSource for Broken {
    fn spec(&self) -> String {
        "broken".to_string()
    }
    fn player(&self, game: &dyn AnyGame) -> Result<Box<dyn MatchPlayer>, String> {
        Err(format!("broken does not play {}", game.name()))
    }
}

#[test]
fn a_player_that_cannot_be_had_or_makes_an_illegal_move_loses_with_the_reason() {
    let (a, b) = (side("random"), Side::new(plyproof_engine::Source::new(Broken), plyproof_engine::Budget::default()));
    let task =
        GameTask { a: &a, b: &b, seed: 1, pair: 0, game: 0, openings: 0, line: None, max_plies: 9, adjudicate: false };
    let record = play(&*tree("1[2[+ -]]"), &task, false).expect("played");
    assert_eq!((record.result, record.reason, record.plies), (Wdl::Win, Reason::Error, 1));
    assert_eq!(record.error.as_deref(), Some("broken does not play tree"));
    let record = played("1[2[+]]", 1, 9, &mut |position, name, allowance, seed| {
        let chosen = first_move(position, name, allowance, seed)?;
        Ok(ChosenMove { text: Some("z".to_string()), ..chosen })
    });
    let record = record.expect("played");
    assert_eq!((record.result, record.reason), (Wdl::Win, Reason::IllegalMove), "B moves first and loses");
    assert!(record.error.is_some_and(|why| why.contains("random: \"z\" is not a legal move")));
}

#[test]
fn players_are_told_of_every_move_and_a_fault_has_its_cause() {
    let mut told = Vec::new();
    let (a, b) = (side("mcts"), side("random"));
    let line = ["a".to_string()];
    let task = GameTask {
        a: &a,
        b: &b,
        seed: 1,
        pair: 0,
        game: 0,
        openings: 0,
        line: Some(&line),
        max_plies: 9,
        adjudicate: false,
    };
    let mut choose = |position: &dyn AnyGame, name: SideName, allowance: &Allowance, seed: u64| match name {
        SideName::A => Err(Lost { cause: Cause::Resigned, why: "enough".to_string() }),
        SideName::B => first_move(position, name, allowance, seed),
    };
    let stop = AtomicBool::new(false);
    let record = play_with(&*tree("1[2[1[+ -]]]"), &task, &stop, &mut choose, &mut |text| told.push(text.to_string()));
    let record = record.expect("played");
    assert_eq!(told, ["a", "a"], "the opening too");
    assert_eq!((record.opening.as_str(), record.moves.as_str()), ("a", "a"));
    assert_eq!((record.result, record.reason), (Wdl::Loss, Reason::Resigned));
    assert_eq!(record.error.as_deref(), Some("enough"));
}

#[test]
fn a_game_whose_value_is_known_can_be_adjudicated() {
    let (a, b) = (side("random"), side("random"));
    for (game, result) in [(0, Wdl::Win), (1, Wdl::Loss)] {
        let task =
            GameTask { a: &a, b: &b, seed: 1, pair: 0, game, openings: 0, line: None, max_plies: 9, adjudicate: true };
        let record = play(&*tree("1[2[- -] 2[+ +]]"), &task, false).expect("played");
        assert_eq!((record.result, record.reason, record.plies), (result, Reason::Adjudicated, 0));
    }
}

#[test]
fn reasons_are_written_as_records_have_them() {
    for reason in Reason::ALL {
        assert_eq!(serde_json::to_string(&reason).expect("JSON"), format!("\"{}\"", reason.word()));
    }
}

#[test]
fn a_side_that_uses_up_its_clock_loses_by_time() {
    let clock = |millis| crate::matches::GameClock {
        base: std::time::Duration::from_millis(millis),
        increment: std::time::Duration::from_millis(1),
    };
    let a = Side { clock: Some(clock(3_600_000)), ..side("mcts") };
    let b = Side { clock: Some(clock(0)), ..side("random") };
    let task =
        GameTask { a: &a, b: &b, seed: 1, pair: 0, game: 0, openings: 0, line: None, max_plies: 9, adjudicate: false };
    let mut seen = Vec::new();
    let record = play_with(
        &*tree("1[2[1[+]]]"),
        &task,
        &AtomicBool::new(false),
        &mut |position, name, allowance, seed| {
            seen.push(allowance.clock.map(|clock| (clock.left.as_secs() > 3000, clock.increment.as_millis())));
            first_move(position, name, allowance, seed)
        },
        &mut |_| {},
    );
    let record = record.expect("played");
    assert_eq!((record.result, record.reason, record.plies), (Wdl::Win, Reason::Time, 1));
    assert_eq!(seen, [Some((true, 1)), Some((false, 1))]);
    assert_eq!(record.error.as_deref(), Some("random overstepped its time"));
}

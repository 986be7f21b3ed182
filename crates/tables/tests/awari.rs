//! The endgames of Awari: known counts, another reading of the rules, and df-pn as a second opinion.

mod common;

use common::scores::counts_by_points;
use common::stores_decide::StoresDecide;
use common::{agree, made, numbers_come_back, params, play_is_right};
use plyproof_core::{Game, Indexing, Wdl};
use plyproof_games::awari::{AWARI, Endgames};

fn even(table: &plyproof_tables::Table<impl Indexing>) -> Vec<(u32, [u64; 3])> {
    let counts = table.counts();
    counts.iter().map(|at| (at.pieces, [at.even.win, at.even.draw, at.even.loss])).filter(|at| at.0 >= 4).collect()
}

#[test]
fn every_endgame_has_one_number_and_every_number_one_endgame() {
    numbers_come_back(&Endgames::new(&params(&AWARI, "awari"), Some(4)).expect("endgames"));
}

#[test]
fn counts_with_equal_stores_are_those_of_an_earlier_implementation() {
    let table = made::<Endgames>(&AWARI, "awari", Some(7));
    let known = [(4, [48, 1290, 27]), (5, [640, 3331, 397]), (6, [3315, 7071, 1990]), (7, [12235, 11982, 7607])];
    assert_eq!(even(&table), known);
    assert_eq!(table.counts()[7].even.total(), 31_824);
}

#[test]
fn if_stores_decided_after_two_passes_counts_would_be_those_that_were_published() {
    let table = made::<StoresDecide>(&AWARI, "awari", Some(7));
    let published = [(4, [51, 1287, 27]), (5, [660, 3311, 397]), (6, [3438, 6931, 2007]), (7, [12708, 11385, 7731])];
    assert_eq!(even(&table), published);
    // Written apart from the tables, with rules of its own.
    let points: Vec<_> = (0..).zip(counts_by_points(7)).skip(4).collect();
    assert_eq!(points, published);
}

#[test]
fn a_lead_larger_than_what_is_left_counts_like_one_more_than_that_and_a_pass_matters_only_before_another() {
    let table = made::<Endgames>(&AWARI, "awari", Some(5));
    let start = table.indexing().start();
    let value = |text: &str| table.value(&start.parse_position(text).expect(text));
    // Two seeds that cannot move on: the first player has to pass, the second sows.
    for (text, expected) in [
        ("0,0,0,0,0,0,0,0,0,0,0,1|30,9 1", Some(Wdl::Win)),
        ("0,0,0,0,0,0,2,0,0,0,0,0|30,9 1 pass", Some(Wdl::Draw)),
        ("0,0,0,0,0,0,2,0,0,0,0,0|3,0 1 pass", Some(Wdl::Draw)),
        ("4,4,4,4,4,4,4,4,4,4,4,4|0,0 1", None),
        ("0,0,0,0,0,0,2,2,2,0,0,0|3,0 1", None),
    ] {
        assert_eq!(value(text), expected, "{text}");
    }
    for (near, far) in [(6, 30), (6, 7), (7, 41)] {
        for holes in ["0,0,0,0,2,0,0,1,0,0,2,0", "1,0,0,0,0,3,0,0,0,0,0,1"] {
            let with = |lead: u32| value(&format!("{holes}|{lead},0 2"));
            assert_eq!(with(near), with(far));
        }
    }
}

#[test]
fn a_sample_agrees_with_df_pn_and_with_the_default_agent() {
    let table = made::<Endgames>(&AWARI, "awari", Some(6));
    assert_eq!(agree(&table, "df-pn", 300), 300);
    assert_eq!(agree(&table, "plyproof", 100), 100);
}

#[test]
fn what_is_said_of_positions_and_moves_is_right_and_the_move_keeps_the_value() {
    let table = made::<Endgames>(&AWARI, "awari", Some(6));
    for agent in
        ["df-pn", "plyproof", "plyproof(pn=0)", "plyproof(pn=0,solver=off,prove=0.5)", "pn-mcts-fsu(goals=two)"]
    {
        let (decided, drawn) = play_is_right(&table, agent, 20_000, 200);
        assert!(decided > 50 && drawn > 5, "{agent}: {decided} decided, {drawn} drawn");
    }
}

#[test]
fn what_cannot_be_numbered_is_refused() {
    for (spec, limit, part) in [
        ("awari", None, "--max-seeds 9"),
        ("awari", Some(0), "from 1 to 20 seeds, not 0"),
        ("awari", Some(u32::MAX), "from 1 to 20 seeds"),
        ("awari(rules=oware)", Some(4), "needs rules=paper"),
    ] {
        let error = Endgames::new(&params(&AWARI, spec), limit).expect_err(spec).to_string();
        assert!(error.contains(part), "{error}");
    }
}

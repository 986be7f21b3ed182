//! Lines of Action on the smallest boards.

mod common;

use common::{agree, made, numbers_come_back, params, play_is_right};
use plyproof_core::{Indexing, Wdl};
use plyproof_games::loa::{Boards, LOA};

#[test]
fn every_board_has_one_number_and_every_number_one_board() {
    numbers_come_back(&Boards::new(&params(&LOA, "loa(size=3)"), None).expect("boards"));
}

#[test]
fn the_first_player_loses_on_3x3() {
    let table = made::<Boards>(&LOA, "loa(size=3)", None);
    assert_eq!(table.value(&table.indexing().start()), Some(Wdl::Loss));
    assert_eq!(agree(&table, "df-pn", 500), 500);
    assert_eq!(agree(&table, "plyproof", 500), 500);
    assert!(play_is_right(&table, "df-pn", 10_000, 500).0 > 20);
}

#[test]
fn what_cannot_be_numbered_is_refused() {
    for (spec, limit, part) in
        [("loa", None, "size=8 has too many"), ("loa(size=9)", None, "too many"), ("loa(size=4)", Some(4), "for awari")]
    {
        let error = Boards::new(&params(&LOA, spec), limit).expect_err(spec).to_string();
        assert!(error.contains(part), "{error}");
    }
}

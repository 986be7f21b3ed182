//! Every game keeps the contract of the `Game` trait, and each fast path is uniform.

use std::sync::Arc;

use plyproof_core::Game;
use plyproof_core::contract::{Contract, check};
use plyproof_core::spec::{Described, Params, Spec};
use plyproof_games::in_a_row::{GOMOKU, InARow, MNK, TICTACTOE};
use plyproof_games::loa::{LOA, Loa};
use plyproof_games::through::{BREAKTHROUGH, KNIGHTTHROUGH, Through};

fn params(described: &Arc<Described>, text: &str) -> Params {
    Params::resolve(described, &Spec::parse(text).expect(text)).expect(text)
}

fn keeps_the_contract<G: Game>(start: &G, contract: Contract) {
    if let Err(broken) = check(start, &contract) {
        panic!("{broken}");
    }
}

#[test]
fn knightthrough() {
    for spec in
        ["knightthrough", "knightthrough(size=3x6)", "knightthrough(size=5x6,moves=all)", "knightthrough(size=2x4)"]
    {
        keeps_the_contract(&Through::knightthrough(&params(&KNIGHTTHROUGH, spec)), Contract::default());
    }
}

#[test]
fn breakthrough() {
    for spec in ["breakthrough", "breakthrough(size=5x6)", "breakthrough(size=2x4)"] {
        keeps_the_contract(&Through::breakthrough(&params(&BREAKTHROUGH, spec)), Contract::default());
    }
}

#[test]
fn lines_of_action() {
    for spec in ["loa", "loa(size=4)", "loa(size=5,both=mover)", "loa(size=7)"] {
        keeps_the_contract(&Loa::<u64>::start(&params(&LOA, spec)), Contract { games: 6, ..Contract::default() });
    }
    keeps_the_contract(&Loa::<u128>::start(&params(&LOA, "loa(size=9)")), Contract { games: 3, ..Contract::default() });
}

#[test]
fn gomoku() {
    for spec in ["gomoku", "gomoku(size=5)", "gomoku(size=6)", "gomoku(size=7,exact=false)", "gomoku(size=19)"] {
        keeps_the_contract(&InARow::gomoku(&params(&GOMOKU, spec)), Contract { games: 4, ..Contract::default() });
    }
}

#[test]
fn tictactoe_and_other_mnk_games() {
    keeps_the_contract(&InARow::tictactoe(&params(&TICTACTOE, "tictactoe")), Contract::default());
    for spec in ["mnk", "mnk(4,3,3)", "mnk(5,5,4)", "mnk(1,1,1)", "mnk(1,19,2)", "mnk(19,2,19)", "mnk(6,7,5)"] {
        keeps_the_contract(&InARow::mnk(&params(&MNK, spec)), Contract::default());
    }
}

#[test]
fn a_play_out_of_passes_and_blocked_stones_needs_little_stack() {
    let walk = || {
        let mut rng = plyproof_core::Rng::new(1);
        let loa = Loa::<u64>::start(&params(&LOA, "loa(size=4)"));
        let knights = Through::knightthrough(&params(&KNIGHTTHROUGH, "knightthrough(size=2x4,moves=all)"));
        for _ in 0..200 {
            loa.parse_position("xoxo/ooxx/ooxo/ooo. x").expect("a position").playout(&mut rng, 2500);
            knights.parse_position(".o/.x/../x. x").expect("a position").playout(&mut rng, 2500);
        }
    };
    std::thread::Builder::new().stack_size(128 << 10).spawn(walk).expect("a thread").join().expect("no overflow");
}

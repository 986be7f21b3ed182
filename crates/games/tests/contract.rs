//! Every game keeps the contract of the `Game` trait, and each fast path is uniform.

use plyproof_core::Game;
use plyproof_core::contract::{Contract, check};
use plyproof_core::spec::{Described, Params, Spec};
use plyproof_games::through::{BREAKTHROUGH, KNIGHTTHROUGH, Through};

fn params(described: &'static Described, text: &str) -> Params {
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

//! `docs/rules.md` can be followed: every step is a game, and every word of the prelude is explained.

use plyproof_core::contract::Contract;
use plyproof_core::{Game, Rng};
use plyproof_rules::rbg::{Visitor, load};

use super::files::Check;
use super::root;

fn page() -> String {
    std::fs::read_to_string(root().join("docs/rules.md")).expect("docs/rules.md")
}

/// Random games that come to an end, of twenty.
struct Ended;

impl Visitor for Ended {
    type Output = usize;

    fn visit<G: Game>(self, start: G) -> usize {
        (0..20).filter(|&seed| start.clone().playout(&mut Rng::new(seed), 2000).plies < 2000).count()
    }
}

#[test]
fn every_step_is_a_game() {
    let page = page();
    let blocks: Vec<&str> = page.split("```rules\n").skip(1).filter_map(|rest| rest.split("\n```").next()).collect();
    assert_eq!(blocks.len(), 9);
    for text in blocks {
        let rules = load(text, &[]).unwrap_or_else(|error| panic!("{error}:\n{text}"));
        assert_eq!(rules.warnings(), [""; 0]);
        let title = rules.title().unwrap_or_default();
        let contract = Contract { games: 2, draws: 10, playouts: 50, ply_limit: 60, ..Contract::default() };
        match rules.start(Check(contract)) {
            Ok(kept) => assert!(kept.positions > 5, "{title}: {kept:?}"),
            Err(violation) => panic!("{title}: {violation}"),
        }
        assert!(rules.start(Ended) > 15, "{title}: endless");
    }
}

#[test]
fn every_word_of_the_prelude_is_explained() {
    let path = root().join("crates/rules/src/rbg/prelude.rbg");
    let prelude = std::fs::read_to_string(path).expect("the prelude");
    let page = page();
    let heads = prelude.lines().filter_map(|line| line.strip_prefix('#')?.split(" =").next());
    let missing: Vec<&str> = heads.filter(|head| !page.contains(&format!("`{head}`"))).collect();
    assert_eq!(missing, [""; 0]);
}

#[test]
fn mangled_files_are_refused_with_a_place() {
    let page = page();
    let blocks: Vec<&str> = page.split("```rules\n").skip(1).filter_map(|rest| rest.split("\n```").next()).collect();
    let mut rng = Rng::new(3);
    let mut refused = 0;
    for round in 0..1500 {
        let (text, other) = (blocks[round % blocks.len()], blocks[rng.below(blocks.len())]);
        let mut piece = |text: &str| {
            let start = rng.below(text.len());
            start..(start + rng.below(14)).min(text.len())
        };
        let (taken, put) = (piece(text), piece(other));
        let mangled = format!("{}{}{}", &text[..taken.start], &other[put], &text[taken.end..]);
        if let Err(error) = load(&mangled, &[]) {
            let line = error.to_string();
            assert!(
                error.line > 0 && error.column > 0 && !line.contains('\n') && line.len() < 400,
                "{line}: {mangled}"
            );
            refused += 1;
        }
    }
    assert!(refused > 500, "{refused}");
}

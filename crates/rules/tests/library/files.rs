//! What holds for every file of the library.

use plyproof_core::Game;
use plyproof_core::contract::{Contract, Kept, Violation, check};
use plyproof_rules::rbg::{Visitor, load};

use super::root;

pub struct Check(pub Contract);

impl Visitor for Check {
    type Output = Result<Kept, Violation>;

    fn visit<G: Game>(self, start: G) -> Self::Output {
        check(&start, &self.0)
    }
}

#[test]
fn every_file_keeps_the_contract_and_says_what_it_is() {
    let table = std::fs::read_to_string(root().join("rules/README.md")).expect("rules/README.md");
    let mut names = Vec::new();
    for entry in std::fs::read_dir(root().join("rules")).expect("the folder rules") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|ending| ending != "rbg") {
            continue;
        }
        let name = path.file_stem().unwrap_or_default().to_string_lossy().to_string();
        let text = std::fs::read_to_string(&path).expect("a rules file");
        let rules = load(&text, &[]).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(rules.warnings(), [""; 0], "{name}");
        assert!(rules.title().is_some() && text.lines().nth(1).is_some_and(|line| line.starts_with("// ")), "{name}");
        let row =
            format!("| [`{name}`]({name}.rbg) | {} | {} |", rules.title().unwrap_or_default(), text.lines().count());
        assert!(table.contains(&row), "rules/README.md has no row {row}");
        let wide = rules.board().cells.len() > 90;
        let plies = if wide { 12 } else { 50 };
        let contract = Contract { games: 1, draws: 8, playouts: 40, ply_limit: plies, ..Contract::default() };
        match rules.start(Check(contract)) {
            Ok(kept) => assert!(kept.positions > 5, "{name}: {kept:?}"),
            Err(violation) => panic!("{name}: {violation}"),
        }
        names.push(name);
    }
    assert!(names.len() > 10, "{names:?}");
}

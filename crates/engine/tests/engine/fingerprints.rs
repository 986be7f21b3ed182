//! The same seed gives the same report, release after release: a fingerprint of every report in `data/fingerprints.txt`.
//!
//! A change that is meant to alter a search alters its lines; `PLYPROOF_BLESS=1 cargo test -p plyproof-engine --test
//! fingerprints` then writes the file anew, and the commit says why.

use std::fmt::Write as _;
use std::sync::atomic::AtomicBool;

use plyproof_engine::{Agent, AnyGame, Budget, Registry, Rng, SearchReport};

/// Games beside the defaults of the registry: other sizes and rules.
const VARIANTS: [&str; 10] = [
    "loa(size=5)",
    "loa(size=9,both=mover)",
    "awari(rules=oware)",
    "minishogi(repetition=standard)",
    "knightthrough(size=5x6,moves=all)",
    "breakthrough(size=5)",
    "connect4(width=5,height=4)",
    "mnk(m=5,n=4,k=4)",
    "gomoku(size=9,exact=false)",
    "hex(size=5)",
];
const AGENTS: [&str; 11] = [
    "mcts",
    "pn-mcts",
    "plyproof",
    "plyproof(eval=off)",
    "plyproof(search=tree)",
    "df-pn",
    "pns",
    "pn2",
    "pn-mcts(pn=0.5,norm=children,final=safe)",
    "mcts(c=0.7,solver=5,decisive=both)",
    "plyproof(eval=off,pn=0,rave=off)",
];
const SIMULATIONS: u64 = 800;

#[test]
fn reports_are_those_of_the_releases_before() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/fingerprints.txt");
    let mut found = String::new();
    let registry = Registry::builtin();
    let names = registry.entries().map(|entry| entry.described().name.clone());
    for name in names.chain(VARIANTS.iter().map(ToString::to_string)) {
        let start = registry.open(&name).expect("a known game");
        let later = after_random_plies(&*start, 12);
        for agent in AGENTS {
            let parsed = Agent::parse(agent).expect("a known agent");
            let mut hash = Fnv::new();
            for (seed, position) in [(1, &start), (2, &later)] {
                let budget = Budget::simulations(SIMULATIONS);
                let report = position.search(&parsed, &budget, seed, &AtomicBool::new(false), &mut |_| {});
                hash.report(&report.expect("no file is missing"));
            }
            writeln!(found, "{name} {agent} {:016x}", hash.0).expect("a text grows");
        }
    }
    if std::env::var_os("PLYPROOF_BLESS").is_some() {
        std::fs::write(path, &found).expect("a file to write");
    }
    let expected = std::fs::read_to_string(path).expect("the file of fingerprints");
    let differing: Vec<&str> = found.lines().filter(|line| !expected.lines().any(|other| other == *line)).collect();
    assert!(differing.is_empty(), "{} reports differ from {path}:\n{}", differing.len(), differing.join("\n"));
    assert_eq!(found.lines().count(), expected.lines().count(), "the file lists reports that nobody makes");
}

/// The last unfinished position of a random game that is cut after so many plies.
fn after_random_plies(start: &dyn AnyGame, plies: usize) -> Box<dyn AnyGame> {
    let mut rng = Rng::new(7);
    let mut position = start.clone_box();
    for _ in 0..plies {
        let moves = position.legal_moves();
        let mut next = position.clone();
        next.play(&moves[rng.below(moves.len())]).expect("a legal move");
        if next.outcome().is_some() {
            break;
        }
        position = next;
    }
    position
}

/// FNV-1a over everything in a report but the time it took and the bytes of its tree.
struct Fnv(u64);

impl Fnv {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn text(&mut self, text: &str) {
        for byte in text.bytes().chain([0]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn report(&mut self, report: &SearchReport) {
        self.text(&format!("{:?} {:?} {:?} {:?}", report.best, report.bounds, report.numbers, report.line));
        self.text(&format!(
            "{} {} {:?}",
            report.simulations,
            report.nodes,
            report.stopped.map(plyproof_engine::Stopped::word)
        ));
        for m in &report.moves {
            let mean = m.mean.to_bits();
            self.text(&format!("{} {} {mean} {:?} {:?} {:?} {:?}", m.text, m.visits, m.pn, m.dpn, m.rank, m.bounds));
        }
    }
}

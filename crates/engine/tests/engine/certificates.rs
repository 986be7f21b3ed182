//! Certificates found by nobody's search, read through the registry: whatever game they say they are about, they are
//! refused or true.

use std::io::Cursor;
use std::sync::atomic::AtomicBool;

use plyproof_engine::certificate::{Checked, Claim, Header, Limits, VerifyError, verify_source};
use plyproof_engine::{Agent, Budget, Registry, RulesId, Wdl};

const PROOF: &str = include_str!("../../../../docs/tictactoe.cert");

fn checked(bytes: &[u8]) -> Result<Checked, VerifyError> {
    let stop = AtomicBool::new(false);
    let limits = Limits { memory: 10_000_000, stop: &stop, progress: &mut |_| {} };
    verify_source(&Registry::builtin(), &mut || Ok(Box::new(Cursor::new(bytes.to_vec())) as _), limits)
}

/// The value for the player of the claim, by exhaustive search.
fn value(header: &Header) -> Wdl {
    let position = Registry::builtin()
        .open(&header.game)
        .and_then(|game| game.parse_position(&header.position))
        .expect("what was accepted");
    if let Some(outcome) = position.outcome() {
        return outcome.of(header.player);
    }
    let minimax = Agent::parse("minimax").expect("an agent");
    let stop = AtomicBool::new(false);
    let report = position.search(&minimax, &Budget::simulations(10_000_000), 1, &stop, &mut |_| {});
    let value = report
        .expect("no file is missing")
        .value
        .unwrap_or_else(|| panic!("too large for exhaustive search: {}", header.claim()));
    if position.to_move() == header.player { value } else { value.flip() }
}

fn refused_or_true(bytes: &[u8]) -> Option<Header> {
    let header = checked(bytes).ok()?.header;
    match header.goal {
        Claim::Win => assert_eq!(value(&header), Wdl::Win, "{}", header.claim()),
        Claim::Draw => assert_ne!(value(&header), Wdl::Loss, "{}", header.claim()),
        Claim::Margin(_) => panic!("none of these games has points: {}", header.claim()),
    }
    Some(header)
}

#[test]
fn a_certificate_of_another_game_is_refused_unless_it_is_true_there() {
    let mut accepted = Vec::new();
    for game in [
        "tictactoe",
        "mnk",
        "mnk(k=2)",
        "mnk(k=1)",
        "mnk(k=4)",
        "mnk(m=4)",
        "mnk(n=4)",
        "hex(size=3)",
        "clobber(size=3)",
        "domineering(size=3)",
        "connect4",
        "gomoku(size=5)",
        "loa(size=4)",
        "othello(size=4)",
        "awari",
        "minishogi",
        "breakthrough(size=3x4)",
        "knightthrough(size=3x4)",
        "tictactoe()",
        "TicTacToe",
        "mnk(3,3,3)",
        "mnk(m=3)",
        "",
    ] {
        let proof = PROOF.replace("\"tictactoe\"", &format!("\"{game}\""));
        accepted.extend(refused_or_true(proof.as_bytes()).map(|header| header.game));
    }
    assert_eq!(accepted, ["tictactoe", "mnk"], "one game under two names");
}

#[test]
fn every_bit_of_a_certificate_matters_or_does_no_harm() {
    let mut accepted = 0;
    for at in 0..PROOF.len() {
        for bit in 0..8 {
            let mut bytes = PROOF.as_bytes().to_vec();
            bytes[at] ^= 1 << bit;
            accepted += usize::from(refused_or_true(&bytes).is_some());
        }
    }
    assert!(accepted < 20, "{accepted} changes were no harm");
}

#[test]
fn every_game_has_a_version_of_its_rules_for_certificates() {
    for entry in Registry::builtin().entries() {
        let game = entry.open_default().expect("the default parameters");
        assert_eq!((entry.rules(), game.rules()), (&RulesId::Version(1), &RulesId::Version(1)), "{}", game.name());
    }
}

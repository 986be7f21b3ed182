//! Certificates that were damaged or tampered with: refused, or still a proof.

use plyproof_core::{Game, Player, Rng};
use plyproof_games::in_a_row::{InARow, TICTACTOE};
use plyproof_games::loa::{LOA, Loa};
use plyproof_verify::{Claim, Header};
use proptest::prelude::*;

use crate::games::opened;
use crate::graph_game::GraphGame;
use crate::oracle::{Entries, Graph, certificate, checked, header, refused_or_true, written};

/// A proof about tic-tac-toe that is short enough to try every change of it.
fn short_proof() -> (InARow, Entries) {
    let start = opened(&TICTACTOE, "tictactoe", InARow::tictactoe);
    let start = start.parse_position("..o/.x./... x").expect("a position");
    let proof = Graph::reachable(&start, 10_000).expect("small").proof(Player::FIRST, Claim::Draw, &mut Rng::new(1));
    (start, proof.expect("the middle is no loss"))
}

/// A win in Lines of Action, and draws in circles.
fn longer_proofs() -> Vec<(Loa<u64>, Player, Claim, Entries)> {
    let start = opened(&LOA, "loa(size=4)", Loa::<u64>::start);
    let mut proofs = Vec::new();
    for text in [".o.x/..../.x.o/.... o", "...o/.x.x/..../.o.. o"] {
        let position = start.parse_position(text).expect("a position");
        let graph = Graph::reachable(&position, 100_000).expect("an endgame");
        for player in [Player::FIRST, Player::SECOND] {
            for goal in [Claim::Win, Claim::Draw] {
                let proof = graph.proof(player, goal, &mut Rng::new(1));
                proofs.extend(proof.map(|entries| (position.clone(), player, goal, entries)));
            }
        }
    }
    proofs
}

#[test]
fn without_any_one_of_its_lines_a_lean_proof_is_refused() {
    let (start, entries) = short_proof();
    assert!(entries.len() > 10);
    for dropped in 0..entries.len() {
        let mut rest = entries.clone();
        rest.remove(dropped);
        let honest = certificate("tictactoe", &start, Player::FIRST, Claim::Draw, &rest);
        let error = checked("tictactoe", &start, &honest).expect_err("a line is missing").to_string();
        assert!(error.contains(&entries[dropped].0) && error.contains("not in the certificate"), "{error}");
        let full = header("tictactoe", &start, Player::FIRST, Claim::Draw, &entries);
        let error = checked("tictactoe", &start, &written(&full, &rest)).expect_err("too few").to_string();
        assert!(error.contains("entries") || error.contains("not in the certificate"), "{error}");
    }
}

#[test]
fn wherever_it_is_cut_off_a_certificate_is_refused() {
    let (start, entries) = short_proof();
    let bytes = certificate("tictactoe", &start, Player::FIRST, Claim::Draw, &entries);
    for cut in 0..bytes.len() {
        assert!(checked("tictactoe", &start, &bytes[..cut]).is_err(), "cut at {cut}");
    }
    assert!(checked("tictactoe", &start, &[&bytes[..], b"\n"].concat()).is_err(), "an empty line is no entry");
}

#[test]
fn whatever_bit_is_flipped_nothing_false_is_accepted() {
    let (start, entries) = short_proof();
    let bytes = certificate("tictactoe", &start, Player::FIRST, Claim::Draw, &entries);
    let mut accepted = 0;
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut flipped = bytes.clone();
            flipped[at] ^= 1 << bit;
            accepted += usize::from(refused_or_true("tictactoe", &start, &flipped));
        }
    }
    assert!(accepted < bytes.len(), "{accepted} of {} changes were no harm", bytes.len() * 8);
}

#[test]
fn another_move_or_order_is_accepted_only_if_it_proves_as_well() {
    let (start, entries) = short_proof();
    let graph = Graph::reachable(&start, 10_000).expect("small");
    let mut refused = 0;
    for at in 0..entries.len() {
        let place = graph.places.iter().find(|place| place.text == entries[at].0).expect("a reachable position");
        for (played, _) in &place.moves {
            let mut changed = entries.clone();
            changed[at].1 = played.clone();
            let bytes = certificate("tictactoe", &start, Player::FIRST, Claim::Draw, &changed);
            refused += usize::from(!refused_or_true("tictactoe", &start, &bytes));
        }
    }
    assert!(refused > 20, "{refused}");
}

#[test]
fn a_winning_line_above_one_it_relies_on_is_refused() {
    let game = GraphGame::parse("1:1 2:2,3 1:4 1:4 +");
    let entry = |position: &str, played: &str| (position.to_string(), played.to_string());
    let entries = [entry("n2", "to4"), entry("n3", "to4"), entry("n0", "to1")];
    let accepted = |order: [usize; 3], goal| {
        let entries = order.map(|at| entries[at].clone()).to_vec();
        refused_or_true("test", &game, &certificate("test", &game, Player::FIRST, goal, &entries))
    };
    for (order, fine) in [([0, 1, 2], true), ([1, 0, 2], true), ([0, 2, 1], false), ([2, 0, 1], false)] {
        assert_eq!(accepted(order, Claim::Win), fine, "{order:?}");
        assert!(accepted(order, Claim::Draw), "a draw has no order");
    }
}

#[test]
fn another_header_is_accepted_only_if_it_is_true() {
    let (start, entries) = short_proof();
    let graph = Graph::reachable(&start, 10_000).expect("small");
    let header = header("tictactoe", &start, Player::FIRST, Claim::Draw, &entries);
    let (mut accepted, mut refused) = (0, 0);
    for place in &graph.places {
        for player in [Player::FIRST, Player::SECOND] {
            for goal in [Claim::Win, Claim::Draw, Claim::Margin(0), Claim::Margin(-1)] {
                let other = Header { position: place.text.clone(), player, goal, ..header.clone() };
                let fine = refused_or_true("tictactoe", &start, &written(&other, &entries));
                accepted += usize::from(fine);
                refused += usize::from(!fine);
            }
        }
    }
    assert!(accepted > entries.len() / 2 && refused > accepted, "{accepted} accepted, {refused} refused");
    for other in [
        Header { rules: 2.into(), ..header.clone() },
        Header { game: "mnk".to_string(), ..header.clone() },
        Header { entries: header.entries + 1, ..header.clone() },
        Header { entries: u64::MAX, ..header.clone() },
        Header { entries: 0, ..header.clone() },
        Header { player: Player::SECOND, ..header.clone() },
        Header { goal: Claim::Win, ..header.clone() },
    ] {
        assert!(checked("tictactoe", &start, &written(&other, &entries)).is_err(), "{other}");
    }
}

/// A change that a careless or dishonest hand could make.
pub fn tampered(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut lines: Vec<Vec<u8>> = bytes.split_inclusive(|&b| b == b'\n').map(<[u8]>::to_vec).collect();
    let (a, b) = (rng.below(lines.len()), rng.below(lines.len()));
    match rng.below(9) {
        0 => drop(lines.remove(a)),
        1 => lines.swap(a, b),
        2 => lines.insert(a, lines[b].clone()),
        3 => lines[a] = lines[b].clone(),
        4 => {
            let at = rng.below(lines[a].len());
            lines[a][at] = rng.below(256) as u8;
        }
        5 => {
            // One sign for another of the same alphabet: still a position, or still a move.
            let (at, from) = (rng.below(lines[a].len()), rng.below(lines[b].len()));
            lines[a][at] = lines[b][from];
        }
        6 => drop(lines[a].pop()),
        7 => {
            let move_of = |line: &[u8]| line.iter().position(|&byte| byte == b'\t');
            if let (Some(here), Some(there)) = (move_of(&lines[a]), move_of(&lines[b])) {
                let played = lines[b][there..].to_vec();
                lines[a].truncate(here);
                lines[a].extend(played);
            }
        }
        _ => {
            let text = String::from_utf8_lossy(&lines[0]).into_owned();
            let (from, to) = [
                ("\"first\"", "\"second\""),
                ("\"second\"", "\"first\""),
                ("\"draw\"", "\"win\""),
                ("\"win\"", "\"draw\""),
                (" x\"", " o\""),
                (" o\"", " x\""),
                ("\"draw\"", "\"margin>=0\""),
                ("1,\"game", "2,\"game"),
                ("\"entries", "\"symmetric\":true,\"entries"),
            ][rng.below(9)];
            lines[0] = text.replace(from, to).into_bytes();
        }
    }
    lines.concat()
}

#[test]
fn tampered_proofs_about_lines_of_action_are_refused_or_true() {
    let mut rng = Rng::new(5);
    let proofs = longer_proofs();
    assert!(proofs.iter().any(|proof| proof.2 == Claim::Win) && proofs.iter().any(|proof| proof.2 == Claim::Draw));
    for (start, player, goal, entries) in proofs {
        let bytes = certificate("loa(size=4)", &start, player, goal, &entries);
        for _ in 0..25 {
            let mut changed = bytes.clone();
            for _ in 0..1 + rng.below(3) {
                changed = tampered(&changed, &mut rng);
                if changed.is_empty() {
                    break;
                }
            }
            refused_or_true("loa(size=4)", &start, &changed);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn tampered_proofs_about_random_graphs_are_refused_or_true(seed: u64) {
        let mut rng = Rng::new(seed);
        let game = GraphGame::random(&mut rng);
        let graph = Graph::reachable(&game, 1000).expect("small");
        let player = Player::new(rng.below(2));
        let goal = [Claim::Win, Claim::Draw, Claim::Margin(1), Claim::Margin(-1)][rng.below(4)];
        if let Some(entries) = graph.proof(player, goal, &mut rng) {
            let mut bytes = certificate("test", &game, player, goal, &entries);
            for _ in 0..1 + rng.below(3) {
                bytes = tampered(&bytes, &mut rng);
                if bytes.is_empty() {
                    break;
                }
                refused_or_true("test", &game, &bytes);
            }
        }
    }

    #[test]
    fn bytes_of_any_kind_are_refused_or_true(mut bytes: Vec<u8>, headed: bool) {
        let game = GraphGame::parse("1:1,2 2:0,3 + -");
        if headed {
            let start = game.at(usize::from(bytes.first().copied().unwrap_or_default()) % 4);
            let mut whole = certificate("test", &start, Player::FIRST, Claim::Win, &Vec::new());
            whole.append(&mut bytes);
            bytes = whole;
        }
        refused_or_true("test", &game, &bytes);
    }
}

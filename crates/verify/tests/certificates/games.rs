//! Claims about real games: the true ones verify, and for the false ones there is nothing to verify.

use std::sync::Arc;

use plyproof_core::spec::{Described, Params, Spec};
use plyproof_core::{Game, Player, Rng};
use plyproof_games::awari::{AWARI, Awari};
use plyproof_games::connect4::{CONNECT4, Connect4};
use plyproof_games::in_a_row::{InARow, MNK, TICTACTOE};
use plyproof_games::loa::{LOA, Loa};
use plyproof_games::othello::{OTHELLO, Othello};
use plyproof_games::through::{BREAKTHROUGH, KNIGHTTHROUGH, Through};
use plyproof_verify::Claim;

use crate::oracle::{Graph, certificate, checked, refused_or_true};

pub fn opened<G: Game>(described: &Arc<Described>, spec: &str, start: fn(&Params) -> G) -> G {
    let spec = Spec::parse(spec).expect("a spec");
    start(&Params::resolve(described, &spec).expect("known parameters"))
}

/// All claims about `start` that are true have a certificate that verifies, and its lines in another order, for another
/// player or for a higher goal are refused or true. Returns the true ones, as `1 draw, 2 win`.
#[track_caller]
fn true_claims<G: Game>(name: &str, start: &G, goals: &[Claim]) -> String {
    let graph = Graph::reachable(start, 100_000).expect("a small game");
    let mut rng = Rng::new(1);
    let mut claims = Vec::new();
    for player in [Player::FIRST, Player::SECOND] {
        for &goal in goals {
            let Some(entries) = graph.proof(player, goal, &mut rng) else { continue };
            let bytes = certificate(name, start, player, goal, &entries);
            let (header, verified) = checked(name, start, &bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!((header.player, header.goal, verified.entries), (player, goal, entries.len() as u64));
            claims.push(format!("{player} {goal}"));
            for &other in goals {
                for someone in [player, player.other()] {
                    let accepted = refused_or_true(name, start, &certificate(name, start, someone, other, &entries));
                    assert!(!accepted || graph.holds(someone, other));
                }
            }
        }
    }
    claims.join(", ")
}

const VALUE: [Claim; 2] = [Claim::Win, Claim::Draw];

#[test]
fn tic_tac_toe_is_a_draw_for_both() {
    let start = opened(&TICTACTOE, "tictactoe", InARow::tictactoe);
    assert_eq!(true_claims("tictactoe", &start, &VALUE), "1 draw, 2 draw");
    let fork = start.parse_position("x.o/.../..x o").expect("a position");
    assert_eq!(true_claims("tictactoe", &fork, &VALUE), "1 win, 1 draw");
}

#[test]
fn small_races_and_rows_have_one_winner() {
    let mnk = opened(&MNK, "mnk(4,3,3)", InARow::mnk);
    let mnk = mnk.parse_position("..../.x../o... x").expect("a position");
    assert_eq!(true_claims("mnk(m=4)", &mnk, &VALUE), "1 win, 1 draw");
    let breakthrough = opened(&BREAKTHROUGH, "breakthrough(size=2x5)", Through::breakthrough);
    let winner = true_claims("breakthrough(size=2x5)", &breakthrough, &VALUE);
    assert!(["1 win, 1 draw", "2 win, 2 draw"].contains(&winner.as_str()), "{winner}");
    let knights = opened(&KNIGHTTHROUGH, "knightthrough(size=3x4)", Through::knightthrough);
    let winner = true_claims("knightthrough(size=3x4)", &knights, &VALUE);
    assert!(["1 win, 1 draw", "2 win, 2 draw"].contains(&winner.as_str()), "{winner}");
    let connect = opened(&CONNECT4, "connect4(width=4,height=4)", Connect4::start);
    assert!(Graph::reachable(&connect, 1000).is_none(), "a limit that is kept");
}

#[test]
fn endgames_of_lines_of_action_are_proven_though_they_can_go_on_for_ever() {
    let start = opened(&LOA, "loa(size=4)", Loa::<u64>::start);
    for (text, claims) in [(".o.x/..../.x.o/.... o", "1 win, 1 draw"), ("...o/.x.x/..../.o.. o", "1 draw, 2 draw")] {
        let position = start.parse_position(text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(true_claims("loa(size=4)", &position, &VALUE), claims);
        // Moves that keep at least a draw need not bring the game to an end; those of a win must.
        let graph = Graph::reachable(&position, 100_000).expect("an endgame");
        let safe = graph.proof(Player::FIRST, Claim::Draw, &mut Rng::new(1)).expect("it is not lost");
        assert!(graph.solved(Player::FIRST, Claim::Win, Some(&safe))[0].is_none(), "these go in circles");
        let bytes = certificate("loa(size=4)", &position, Player::FIRST, Claim::Win, &safe);
        assert!(checked("loa(size=4)", &position, &bytes).is_err());
    }
}

#[test]
fn endgames_of_awari_are_proven_with_their_margins() {
    let start = opened(&AWARI, "awari", Awari::start);
    let goals = [&VALUE[..], &(-4..=4).map(Claim::Margin).collect::<Vec<_>>()].concat();
    let mut rng = Rng::new(3);
    let (mut drawn, mut decided) = (0, 0);
    for _ in 0..40 {
        let mut holes = [0; 12];
        for _ in 0..4 {
            holes[rng.below(12)] += 1;
        }
        let holes = holes.map(|seeds: u32| seeds.to_string()).join(",");
        let stores = [20, 21, 22, 23, 24][rng.below(5)];
        let text = format!("{holes}|{stores},{} 1", 44 - stores);
        let position = start.parse_position(&text).unwrap_or_else(|error| panic!("{error}"));
        let claims = true_claims("awari", &position, &goals);
        drawn += usize::from(claims.contains("1 draw") && claims.contains("2 draw"));
        decided += usize::from(claims.contains("win") && claims.contains("margin>=1"));
    }
    assert!(drawn > 0 && decided > 0, "{drawn} drawn, {decided} decided");
}

#[test]
fn small_othello_is_lost_by_eight_passes_and_all() {
    let start = opened(&OTHELLO, "othello(size=4)", Othello::start);
    let goals = [7, 8, 9].map(Claim::Margin);
    assert_eq!(true_claims("othello(size=4)", &start, &goals), "2 margin>=7, 2 margin>=8");
}

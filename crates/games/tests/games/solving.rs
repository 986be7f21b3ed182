//! Solving: every solver against exhaustive search, and every proof written out against the verifier.

use std::io::{BufRead, Cursor};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use plyproof_core::search::{Agent, Aim, Budget, NotWritten, Proof, Searcher, Solution, SolveTask, Stopped};
use plyproof_core::spec::{Described, Params, Spec};
use plyproof_core::{Game, Player, Rng, Wdl};
use plyproof_games::awari::{AWARI, Awari};
use plyproof_games::clobber::{CLOBBER, Clobber};
use plyproof_games::connect4::{CONNECT4, Connect4};
use plyproof_games::domineering::{DOMINEERING, Domineering};
use plyproof_games::hex::{HEX, Hex};
use plyproof_games::in_a_row::{GOMOKU, InARow, MNK, TICTACTOE};
use plyproof_games::loa::{LOA, Loa};
use plyproof_games::othello::{OTHELLO, Othello};
use plyproof_games::through::{BREAKTHROUGH, KNIGHTTHROUGH, Through};
use plyproof_verify::{Claim, Header, Settings, Writer, verify};

pub fn params(described: &Arc<Described>, text: &str) -> Params {
    Params::resolve(described, &Spec::parse(text).expect(text)).expect(text)
}

fn solved<G: Game>(start: &G, agent: &str, aim: Aim, memory: usize) -> Solution<G> {
    let agent = Agent::parse(agent).expect(agent);
    let budget = Budget { memory: Some(memory), ..Budget::simulations(3_000_000) };
    let task = SolveTask { agent: &agent, aim, all_moves: false, proofs: true, budget, seed: 1 };
    Searcher::new().solve(&task, start, &AtomicBool::new(false), &mut |_| {})
}

/// By several threads, whose nodes are not limited: side by side.
fn solved_by<G: Game>(threads: usize, start: &G, agent: &str) -> Solution<G> {
    let agent = Agent::parse(agent).expect(agent);
    let budget = Budget { memory: Some(1 << 26), threads, ..Budget::default() };
    let task = SolveTask { agent: &agent, aim: Aim::Value, all_moves: false, proofs: true, budget, seed: 1 };
    Searcher::new().solve(&task, start, &AtomicBool::new(false), &mut |_| {})
}

/// Whether the verifier accepts the proof.
pub fn verified<G: Game>(start: &G, proof: &Proof<G>) -> usize {
    let strategy = match &proof.strategy {
        Ok(strategy) => strategy,
        Err(why) => panic!("{why:?} at {}", start.position_text()),
    };
    let claim = match (proof.goal.least, proof.goal.by) {
        (Wdl::Win, 0) => Claim::Win,
        (Wdl::Win, by) => Claim::Margin(by.into()),
        _ => Claim::Draw,
    };
    let header = Header {
        game: "test".to_string(),
        rules: 1.into(),
        position: start.position_text(),
        player: proof.goal.player,
        goal: claim,
        symmetric: strategy.symmetric,
        entries: strategy.entries.len() as u64,
    };
    let mut writer = Writer::new(Vec::new(), &header).expect("memory");
    for (state, m) in &strategy.entries {
        writer.entry(&state.position_text(), &state.move_text(*m)).expect("memory");
    }
    let bytes = writer.finish().expect("memory");
    let mut open = || Ok(Box::new(Cursor::new(bytes.clone())) as Box<dyn BufRead>);
    let checked = verify(start, &header, &mut open, &mut Settings::new("test", 1));
    if let Err(error) = checked {
        panic!("{}: {error}", start.position_text());
    }
    strategy.entries.len()
}

/// Solves with every solver, compares with the known value, and checks every proof.
fn all_solvers<G: Game>(start: &G, value: Wdl, agents: &[&str]) {
    for agent in agents {
        let mut solutions = vec![solved(start, agent, Aim::Value, 1 << 26)];
        if ["portfolio", "df-pn"].contains(agent) {
            solutions.extend([2, 4].map(|threads| solved_by(threads, start, agent)));
        }
        for solution in solutions {
            assert_eq!(solution.bounds.value(), Some(value), "{agent} at {}", start.position_text());
            assert_eq!(solution.proofs.len(), if value == Wdl::Draw { 2 } else { 1 });
            assert_eq!(solution.found_by.is_empty(), *agent != "portfolio", "{:?}", solution.found_by);
            for proof in &solution.proofs {
                verified(start, proof);
            }
        }
    }
}

const ALL: [&str; 10] = [
    "portfolio",
    "alpha-beta",
    "alpha-beta(symmetry=off,order=replies-history,threats=off)",
    "df-pn",
    "df-pn(threats=off)",
    "df-pn(leaf=unit,sum=full,epsilon=0)",
    "df-pn(knowledge=off)",
    "pns",
    "pn2",
    "pn-mcts(pn=1e6)",
];
const DFPN: [&str; 6] = [
    "portfolio",
    "alpha-beta",
    "alpha-beta(knowledge=off)",
    "df-pn",
    "df-pn(threats=off,knowledge=off)",
    "df-pn(leaf=unit,sum=full)",
];

#[test]
fn known_values_are_found_and_their_certificates_hold() {
    use Wdl::{Draw, Loss, Win};
    all_solvers(&InARow::tictactoe(&params(&TICTACTOE, "tictactoe")), Draw, &ALL);
    all_solvers(&InARow::mnk(&params(&MNK, "mnk(m=4,n=3,k=3)")), Win, &ALL);
    all_solvers(&Connect4::start(&params(&CONNECT4, "connect4(width=4,height=4)")), Draw, &DFPN);
    for (size, value, agents) in [("3x4", Loss, &ALL[..4]), ("4x4", Loss, &ALL), ("3x5", Loss, &DFPN)] {
        let start = Through::breakthrough(&params(&BREAKTHROUGH, &format!("breakthrough(size={size})")));
        all_solvers(&start, value, agents);
    }
    for (size, value) in [("4x4", Win), ("4x5", Win), ("3x6", Loss)] {
        let start = Through::knightthrough(&params(&KNIGHTTHROUGH, &format!("knightthrough(size={size})")));
        all_solvers(&start, value, &ALL);
    }
    all_solvers(&Loa::<u64>::start(&params(&LOA, "loa(size=3)")), Loss, &ALL);
    all_solvers(&Loa::<u64>::start(&params(&LOA, "loa(size=4)")), Win, &ALL);
    all_solvers(&Hex::start(&params(&HEX, "hex(size=3)")), Win, &ALL);
    all_solvers(&Othello::start(&params(&OTHELLO, "othello(size=4)")), Loss, &DFPN);
    all_solvers(&Domineering::start(&params(&DOMINEERING, "domineering(size=4)")), Win, &ALL);
    let start = Domineering::start(&params(&DOMINEERING, "domineering(size=5)"));
    all_solvers(&start, Loss, &["portfolio", "df-pn"]);
    let start = Hex::start(&params(&HEX, "hex(size=4)"));
    all_solvers(&start, Win, &["alpha-beta"]);
    all_solvers(&Clobber::start(&params(&CLOBBER, "clobber(size=3)")), Win, &ALL);
}

#[test]
fn margins_are_found_and_certified() {
    for agent in ["df-pn", "alpha-beta"] {
        let start = Othello::start(&params(&OTHELLO, "othello(size=4)"));
        let solution = solved(&start, agent, Aim::Score, 1 << 26);
        assert_eq!(solution.score, Some(-8), "3 to 11");
        assert_eq!(solution.proofs[0].goal.by, 8);
        assert_eq!(solution.proofs[0].goal.player, Player::SECOND);
        verified(&start, &solution.proofs[0]);
    }
    let tictactoe = InARow::tictactoe(&params(&TICTACTOE, "tictactoe"));
    assert_eq!(solved(&tictactoe, "df-pn", Aim::Score, 1 << 20).score, Some(0));
    let hex = Hex::start(&params(&HEX, "hex(size=2)"));
    let solution = solved(&hex, "df-pn", Aim::Score, 1 << 20);
    assert_eq!((solution.bounds.value(), solution.score), (Some(Wdl::Win), None), "hex has no points");
}

#[test]
fn a_goal_may_be_answered_without_the_value() {
    for agent in ["df-pn", "alpha-beta"] {
        let start = Connect4::start(&params(&CONNECT4, "connect4(width=4,height=4)"));
        let win = solved(&start, agent, Aim::Win, 1 << 26);
        assert_eq!((win.bounds.least, win.bounds.most), (Wdl::Loss, Wdl::Draw));
        assert_eq!(win.proofs.len(), 1, "the opponent's draw");
        verified(&start, &win.proofs[0]);
        let draw = solved(&start, agent, Aim::Draw, 1 << 26);
        assert_eq!((draw.bounds.least, draw.bounds.most), (Wdl::Draw, Wdl::Win));
        verified(&start, &draw.proofs[0]);
    }
}

#[test]
fn every_move_is_valued_where_asked_for() {
    for agent in ["df-pn", "alpha-beta"] {
        let start = Hex::start(&params(&HEX, "hex(size=3)"));
        let agent = Agent::parse(agent).expect("an agent");
        let budget = Budget { memory: Some(1 << 22), ..Budget::default() };
        let task = SolveTask { agent: &agent, aim: Aim::Value, all_moves: true, proofs: false, budget, seed: 1 };
        let solution = Searcher::new().solve(&task, &start, &AtomicBool::new(false), &mut |_| {});
        let wins = solution.moves.iter().filter(|(_, bounds)| bounds.value() == Some(Wdl::Win)).count();
        assert_eq!((solution.moves.len(), wins), (9, 5), "winning openings of 3x3");
        assert!(solution.moves.iter().all(|(_, bounds)| bounds.value().is_some()));
    }
}

/// Positions that repeat: values against exhaustive search, both kinds of proofs against the verifier.
fn with_cycles<G: Game>(positions: impl Iterator<Item = G>, memory: usize) -> [usize; 3] {
    let mut counts = [0; 3];
    for position in positions {
        let exact = Searcher::new().run(
            &Agent::parse("minimax").expect("an agent"),
            &position,
            &Budget { memory: Some(1 << 30), ..Budget::simulations(60_000) },
            0,
        );
        let Some(value) = exact.bounds.value().filter(|_| position.outcome().is_none()) else { continue };
        let solution = solved(&position, "df-pn", Aim::Value, memory);
        assert_eq!(solution.bounds.value(), Some(value), "{}", position.position_text());
        for proof in &solution.proofs {
            verified(&position, proof);
        }
        counts[value as usize] += 1;
    }
    counts
}

#[test]
fn awari_endgames_are_solved_and_certified_though_they_go_round() {
    let start = Awari::start(&params(&AWARI, "awari"));
    let mut rng = Rng::new(3);
    let positions = (0..150).map(|_| {
        let mut holes = [0u8; 12];
        let seeds = 3 + rng.below(4);
        (0..seeds).for_each(|_| holes[rng.below(12)] += 1);
        let texts: Vec<String> = holes.iter().map(u8::to_string).collect();
        let store = (48 - seeds) / 2;
        let text = format!("{}|{},{} {}", texts.join(","), store, 48 - seeds - store, 1 + rng.below(2));
        start.parse_position(&text).expect("a position")
    });
    let counts = with_cycles(positions, 1 << 24);
    assert!(counts.iter().all(|&n| n >= 10), "{counts:?}");
}

#[test]
fn lines_of_action_on_four_by_four_is_certified_from_many_positions() {
    let start = Loa::<u64>::start(&params(&LOA, "loa(size=4)"));
    let mut rng = Rng::new(5);
    let positions = (0..40).map(|_| {
        let mut position = start.clone();
        for _ in 0..6 + rng.below(30) {
            if position.outcome().is_some() {
                break;
            }
            position.play(position.random_move(&mut rng));
        }
        position
    });
    for position in positions.filter(|position| position.outcome().is_none()) {
        let solution = solved(&position, "df-pn", Aim::Value, 1 << 26);
        assert!(solution.bounds.value().is_some(), "{}", position.position_text());
        for proof in &solution.proofs {
            verified(&position, proof);
        }
    }
}

#[test]
fn a_table_that_forgets_still_gives_a_sound_proof_or_says_that_it_cannot() {
    a_forgetful_table("df-pn");
    a_forgetful_table("alpha-beta");
}

fn a_forgetful_table(agent: &str) {
    let start = Through::knightthrough(&params(&KNIGHTTHROUGH, "knightthrough(size=4x6)"));
    let mut written = 0;
    for memory in [40_000, 400_000, 4_000_000, 16_000_000] {
        let solution = solved(&start, agent, Aim::Win, memory);
        if solution.bounds.value().is_none() {
            continue;
        }
        assert_eq!(solution.bounds.value(), Some(Wdl::Win));
        match &solution.proofs[0].strategy {
            Ok(_) => {
                verified(&start, &solution.proofs[0]);
                written += 1;
            }
            Err(why) => assert!(matches!(why, NotWritten::Memory | NotWritten::Stopped(_)), "{why:?}"),
        }
    }
    assert!(written > 0);
}

#[test]
fn the_portfolio_goes_on_with_df_pn_where_the_path_of_alpha_beta_has_no_room() {
    let start = InARow::gomoku(&params(&GOMOKU, "gomoku"));
    let agent = Agent::parse("portfolio").expect("an agent");
    let budget = Budget { memory: Some(1 << 20), ..Budget::simulations(2000) };
    let report = Searcher::new().run(&agent, &start, &budget, 1);
    assert_eq!((report.stopped, report.simulations), (Some(Stopped::Simulations), 2000));
}

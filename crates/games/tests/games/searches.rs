//! The searches on boards small enough to be exhausted: nothing proven may contradict the exact values.

use std::sync::Arc;

use plyproof_core::search::{Agent, Bounds, Budget, Report, Searcher, Stopped};
use plyproof_core::spec::{Described, Params, Spec};
use plyproof_core::{Game, Rng, Wdl, mix64};
use plyproof_games::awari::{AWARI, Awari};
use plyproof_games::clobber::{CLOBBER, Clobber};
use plyproof_games::connect4::{CONNECT4, Connect4};
use plyproof_games::hex::{HEX, Hex};
use plyproof_games::in_a_row::{GOMOKU, InARow, MNK, TICTACTOE};
use plyproof_games::loa::{LOA, Loa};
use plyproof_games::through::{BREAKTHROUGH, KNIGHTTHROUGH, Through};

fn params(described: &Arc<Described>, text: &str) -> Params {
    Params::resolve(described, &Spec::parse(text).expect(text)).expect(text)
}

fn agent(text: &str) -> Agent {
    Agent::parse(text).expect(text)
}

fn exact<G: Game>(position: &G) -> Report<G::Move> {
    let report = Searcher::new().run(&agent("minimax"), position, &Budget::default(), 0);
    assert!(report.bounds.value().is_some(), "{} is too large to exhaust", position.position_text());
    report
}

/// Checks PNS and PN-MCTS at many budgets against the exact value of `position` and of each of its moves.
/// False if the position is too large to know them.
fn agree_at<G: Game>(position: &G, budgets: &[u64]) -> bool {
    let small = Budget::simulations(30_000);
    let truth = Searcher::new().run(&agent("minimax"), position, &small, 0);
    if position.outcome().is_some() || truth.bounds.value().is_none() {
        return false;
    }
    let wrong = |truth: Bounds, found: Bounds| truth.least < found.least || truth.most > found.most;
    let mut searcher = Searcher::new();
    let old = ["df-pn", "df-pn(leaf=unit,epsilon=0,sum=full)", "pns", "pn2", "pn-mcts", "pn-mcts(pn=1e6)"];
    let solvers = ["plyproof", "plyproof(pn=0,decisive=off)", "mcts(solver=5,decisive=tree)"];
    for name in old.into_iter().chain(solvers) {
        // Few budgets for the many kinds of solvers: random trees have seen them at all.
        let budgets = if solvers.contains(&name) { &budgets[budgets.len() - 2..] } else { budgets };
        for &sims in budgets {
            let found = searcher.run(&agent(name), position, &Budget::simulations(sims), sims);
            let text = position.position_text();
            assert!(!wrong(truth.bounds, found.bounds), "{name} at {sims} on {text}: {:?}", found.bounds);
            for m in &found.moves {
                let exact = truth.moves.iter().find(|other| other.m == m.m).expect("a legal move").bounds;
                assert!(!wrong(exact, m.bounds), "{name} at {sims} on {text}: {:?} is {exact:?}", m);
            }
            if found.stopped == Some(Stopped::Proven) && truth.bounds == Bounds::exactly(Wdl::Win) {
                let best = truth.moves.iter().find(|m| Some(m.m) == found.best).expect("a legal move");
                assert_eq!(best.bounds, Bounds::exactly(Wdl::Win), "{name} at {sims} on {text} plays a proven win");
            }
        }
    }
    true
}

/// [`agree_at`] on all positions of random games that are small enough; there must be `least` of them.
fn agree_along_random_games<G: Game>(start: &G, games: u64, least: usize) {
    let mut checked = 0;
    for seed in 0..games {
        let mut rng = Rng::new(seed);
        let mut position = start.clone();
        while position.outcome().is_none() {
            checked += usize::from(agree_at(&position, &[1, 3, 10, 40, 200, 1000]));
            position.play(position.random_move(&mut rng));
        }
    }
    assert!(checked >= least, "only {checked} positions were small enough");
}

#[test]
fn tictactoe_is_a_draw_and_nothing_contradicts_it() {
    let start = InARow::tictactoe(&params(&TICTACTOE, "tictactoe"));
    assert_eq!(exact(&start).bounds.value(), Some(Wdl::Draw));
    agree_along_random_games(&start, 30, 200);
    agree_along_random_games(&InARow::mnk(&params(&MNK, "mnk(4,3,3)")), 4, 20);
}

#[test]
fn connect_four_on_four_by_four() {
    let start = Connect4::start(&params(&CONNECT4, "connect4(width=4,height=4)"));
    assert_eq!(exact(&start).bounds.value(), Some(Wdl::Draw));
    agree_along_random_games(&start, 12, 60);
}

#[test]
fn breakthrough_on_small_boards_is_won_by_the_second_player() {
    for spec in ["breakthrough(size=3x4)", "breakthrough(size=4x4)"] {
        let start = Through::breakthrough(&params(&BREAKTHROUGH, spec));
        let found = Searcher::new().run(&agent("pns"), &start, &Budget::default(), 0);
        assert_eq!(found.bounds.most, Wdl::Draw, "{spec} is no win, and nobody draws in Breakthrough");
        agree_along_random_games(&start, 20, 15);
    }
}

#[test]
fn knightthrough_on_four_by_five_is_won_by_the_first_player() {
    let start = Through::knightthrough(&params(&KNIGHTTHROUGH, "knightthrough(size=4x5)"));
    let found = Searcher::new().run(&agent("pns"), &start, &Budget::default(), 0);
    assert_eq!(found.bounds.value(), Some(Wdl::Win));
    agree_along_random_games(&start, 40, 15);
}

#[test]
fn lines_of_action_on_four_by_four_is_won_in_three_plies() {
    let start = Loa::<u64>::start(&params(&LOA, "loa(size=4)"));
    let truth = exact(&start);
    assert_eq!((truth.bounds.value(), truth.line.len()), (Some(Wdl::Win), 3));
    for name in ["pns", "pn-mcts"] {
        let found = Searcher::new().run(&agent(name), &start, &Budget::simulations(20_000), 1);
        assert_eq!(found.bounds.value(), Some(Wdl::Win), "{name}");
    }
}

#[test]
fn hex_on_three_by_three() {
    let start = Hex::start(&params(&HEX, "hex(size=3)"));
    let truth = exact(&start);
    assert_eq!(truth.bounds.value(), Some(Wdl::Win));
    assert_eq!(truth.moves.iter().filter(|m| m.bounds.value() == Some(Wdl::Win)).count(), 5, "winning openings");
    agree_along_random_games(&start, 10, 30);
}

#[test]
fn awari_endgames_of_up_to_six_seeds() {
    let start = Awari::start(&params(&AWARI, "awari"));
    let (mut rng, mut checked) = (Rng::new(6), 0);
    for _ in 0..250 {
        let mut holes = [0u8; 12];
        for _ in 0..2 + rng.below(5) {
            holes[rng.below(12)] += 1;
        }
        let texts: Vec<String> = holes.iter().map(u8::to_string).collect();
        let position =
            start.parse_position(&format!("{}|0,0 {}", texts.join(","), 1 + rng.below(2))).expect("a position");
        checked += usize::from(agree_at(&position, &[1, 10, 100, 1000]));
    }
    assert!(checked > 60, "only {checked} positions went on");
}

#[test]
fn enough_simulations_prove_the_exact_value_draws_included() {
    let start = InARow::tictactoe(&params(&TICTACTOE, "tictactoe"));
    let (mut values, mut rng) = ([0; 3], Rng::new(3));
    for _ in 0..15 {
        let mut position = start.clone();
        for _ in 0..1 + rng.below(4) {
            position.play(position.random_move(&mut rng));
        }
        if position.outcome().is_some() {
            continue;
        }
        let truth = exact(&position).bounds;
        values[(truth.least.value() + 1) as usize] += 1;
        for name in ["plyproof", "plyproof(pn=0)", "mcts(solver=0)", "mcts(solver=5)", "pn-mcts-fsu(solver=0)"] {
            let found = Searcher::new().run(&agent(name), &position, &Budget::simulations(30_000), 1);
            assert_eq!((found.bounds, found.stopped), (truth, Some(Stopped::Proven)), "{name}");
            let best = found.moves.iter().find(|m| Some(m.m) == found.best).expect("a legal move");
            assert_eq!(best.bounds.least, truth.least, "{name} at {}: {best:?}", position.position_text());
        }
    }
    assert!(values.iter().all(|&count| count > 0), "losses, draws and wins: {values:?}");
}

/// Plays random games; where the agent proves a win, it goes on with a single simulation a move against random replies.
/// How many of these games there were.
fn proven_wins_are_won<G: Game>(start: &G, name: &str, games: u64) -> usize {
    let mut proven = 0;
    for seed in 0..games {
        let mut rng = Rng::new(seed);
        let (mut position, mut searcher, mut winner) = (start.clone(), Searcher::new(), None);
        let mut plies = 0;
        while position.outcome().is_none() && plies < 500 {
            plies += 1;
            let mover = position.to_move();
            if winner.is_some_and(|winner| winner != mover) || winner.is_none() && plies < 8 {
                position.play(position.random_move(&mut rng));
                continue;
            }
            let sims = if winner.is_some() { 1 } else { 3000 };
            let found = searcher.run(&agent(name), &position, &Budget::simulations(sims), seed);
            if winner.is_none() && found.stopped == Some(Stopped::Proven) && found.bounds.least == Wdl::Win {
                winner = Some(mover);
                proven += 1;
            }
            position.play(found.best.expect("a move"));
        }
        if let Some(winner) = winner {
            assert_eq!(position.outcome().and_then(|end| end.winner()), Some(winner), "{name}, seed {seed}");
        }
    }
    proven
}

#[test]
fn a_proven_win_is_not_let_go_of() {
    let knights = Through::knightthrough(&params(&KNIGHTTHROUGH, "knightthrough"));
    assert!(proven_wins_are_won(&knights, "plyproof(prove=off)", 26) > 12);
    let loa = Loa::<u64>::start(&params(&LOA, "loa(size=6)"));
    assert!(proven_wins_are_won(&loa, "plyproof(prove=off)", 10) > 5);
    assert!(proven_wins_are_won(&loa, "plyproof", 10) > 5);
    let small = Loa::<u64>::start(&params(&LOA, "loa(size=5)"));
    assert!(proven_wins_are_won(&small, "plyproof(prove=0.9)", 23) > 10);
    assert!(proven_wins_are_won(&loa, "mcts(solver=0)", 10) > 5);
}

/// Visits and means of all moves.
fn values<G: Game>(report: &Report<G::Move>) -> Vec<(G::Move, u64, f64)> {
    report.moves.iter().map(|m| (m.m, m.visits, m.mean)).collect()
}

/// Where there are more than 100 moves the default agent leaves the numbers alone, and goes on with the same trees.
#[test]
fn the_numbers_are_off_where_there_are_many_moves() {
    let mut threats = 0;
    for seed in 0..6 {
        let mut position = InARow::gomoku(&params(&GOMOKU, "gomoku"));
        let mut searchers = [(); 4].map(|()| Searcher::new());
        for ply in 0..30 {
            let side = 2 * (ply as usize % 2);
            let budget = Budget::simulations(2000);
            let mut search =
                |at: usize, name: &str| searchers[side + at].run(&agent(name), &position, &budget, seed + ply);
            let (with, without) = (search(0, "plyproof"), search(1, "plyproof(pn=0)"));
            threats += usize::from(with.moves.iter().filter(|m| m.visits > 0).count() < 10);
            assert_eq!(values::<InARow>(&with), values::<InARow>(&without), "{ply}: {}", position.position_text());
            position.play(with.best.expect("a move"));
            if position.outcome().is_some() {
                break;
            }
        }
    }
    assert!(threats > 5, "{threats} threats");
}

/// Points more than two steps from every stone are remote; where RAVE is on `doubt` puts them last, and leaves none out.
#[test]
fn remote_points_are_looked_at_late() {
    let empty = InARow::gomoku(&params(&GOMOKU, "gomoku"));
    let played = |moves: &str| {
        let mut game = empty.clone();
        moves.split_whitespace().for_each(|text| game.play(game.parse_move(text).expect(text)));
        game
    };
    let remote = |game: &InARow| {
        let (mut moves, mut places) = (Vec::new(), Vec::new());
        game.moves(&mut moves);
        game.unlikely_moves(&moves, &mut places);
        places.iter().map(|&place| game.move_text(moves[place])).collect::<Vec<_>>()
    };
    assert_eq!((remote(&empty).len(), remote(&played("h8")).len(), remote(&played("a1 o15")).len()), (0, 200, 207));
    let far = remote(&played("h8"));
    assert!(["k8", "h11", "e5", "k11", "a1"].iter().all(|text| far.contains(&text.to_string())));
    assert!(["j8", "h10", "f6", "j10", "g8"].iter().all(|text| !far.contains(&text.to_string())));
    let visits = |name: &str, simulations: u64| {
        let game = played("h8");
        let report = Searcher::new().run(&agent(name), &game, &Budget::simulations(simulations), 5);
        let seen = report.moves.iter().filter(|m| far.contains(&game.move_text(m.m)));
        (seen.map(|m| m.visits).sum::<u64>(), report.moves.len())
    };
    let (late, listed) = visits("plyproof", 1000);
    assert_eq!((late, listed), (0, 224));
    assert!(visits("plyproof(virtual_losses=0)", 1000).0 > 300);
    assert!(visits("plyproof(virtual_losses=50)", 4000).0 > 0);
}

/// `playouts=auto` makes several play-outs of a visit where RAVE is on and play-outs are random, and else one.
#[test]
fn a_visit_has_several_playouts_where_they_are_random_and_moves_are_many() {
    fn found<G: Game>(start: &G, name: &str) -> (u64, u64, Vec<u64>) {
        let report = Searcher::new().run(&agent(name), start, &Budget::simulations(3000), 3);
        (report.nodes, report.simulations, report.moves.iter().map(|m| m.visits).collect())
    }
    let gomoku = InARow::gomoku(&params(&GOMOKU, "gomoku"));
    let hex = Hex::start(&params(&HEX, "hex"));
    for (one, several) in [
        (found(&gomoku, "plyproof(decisive=tree,playouts=1)"), found(&gomoku, "plyproof(decisive=tree)")),
        (found(&gomoku, "plyproof(playouts=1)"), found(&gomoku, "plyproof(playouts=3)")),
        (found(&hex, "plyproof(playouts=1)"), found(&hex, "plyproof")),
    ] {
        assert!(several.0 < one.0 * 4 / 5, "{} and {} nodes", one.0, several.0);
        assert_eq!((one.1, several.1), (3000, 3000));
    }
    assert_eq!(found(&gomoku, "plyproof"), found(&gomoku, "plyproof(playouts=1)"));
    let few = Hex::start(&params(&HEX, "hex(size=10)"));
    assert_eq!(found(&few, "plyproof"), found(&few, "plyproof(playouts=1)"));
    assert_eq!(found(&hex, "plyproof(rave=off)"), found(&hex, "plyproof(rave=off,playouts=1)"));
}

/// `rave=auto` is on where there are more than 100 moves and the game tells the moves of its play-outs, and else off.
#[test]
fn moves_of_playouts_are_learnt_from_where_there_are_many() {
    fn same<G: Game>(start: &G, name: &str) -> bool {
        let [auto, other] =
            ["plyproof", name].map(|name| Searcher::new().run(&agent(name), start, &Budget::simulations(300), 3));
        values::<G>(&auto) == values::<G>(&other)
    }
    let gomoku = InARow::gomoku(&params(&GOMOKU, "gomoku"));
    assert!(same(&gomoku, "plyproof(c=0.1,rave=3000)") && !same(&gomoku, "plyproof(rave=off)"));
    let small = InARow::mnk(&params(&MNK, "mnk(10,10,5)"));
    assert!(same(&small, "plyproof(rave=off)") && !same(&small, "plyproof(rave=3000)"));
    let hex = Hex::start(&params(&HEX, "hex"));
    assert!(same(&hex, "plyproof(c=0.1,rave=3000)") && !same(&hex, "plyproof(rave=off)"));
    let clobber = Clobber::start(&params(&CLOBBER, "clobber(size=8x8)"));
    assert!(same(&clobber, "plyproof(rave=off)"), "112 moves, but nobody tells them");
}

#[test]
fn the_default_agent_goes_on_with_its_tree_and_searches_the_same_position_anew() {
    let start = Awari::start(&params(&AWARI, "awari"));
    let (budget, mut searcher) = (Budget::simulations(2000), Searcher::new());
    let mut search = |position: &Awari, name: &str| searcher.run(&agent(name), position, &budget, 5);
    let visits = |report: &Report<_>| report.moves.iter().map(|m| m.visits).sum::<u64>();
    let first = search(&start, "plyproof");
    let mut next = start.clone();
    for &m in &first.line[..2] {
        next.play(m);
    }
    let second = search(&next, "plyproof");
    assert!(second.simulations <= 2000 && visits(&second) > visits(&first) + 100, "{}", visits(&second));
    let again = search(&next, "plyproof");
    assert!(visits(&again) <= 2000, "the same position once more starts anew");
    assert_eq!(values::<Awari>(&again), values::<Awari>(&Searcher::new().run(&agent("plyproof"), &next, &budget, 5)));
    search(&start, "plyproof(reuse=off)");
    assert!(visits(&search(&next, "plyproof(reuse=off)")) <= 2000);
}

/// Everything a report says but the time it took, in one number.
fn digest<G: Game>(name: &str, position: &G) -> u64 {
    let report = Searcher::new().run(&agent(name), position, &Budget::simulations(600), 11);
    let mut sum = mix64(report.nodes) ^ mix64(report.bytes as u64).rotate_left(1) ^ mix64(report.simulations);
    for m in &report.moves {
        let numbers = m.numbers.map_or(7, |n| {
            mix64(u64::from(n.pn.leaves().unwrap_or(u32::MAX))) ^ u64::from(n.dpn.leaves().unwrap_or(u32::MAX))
        });
        let text = position.move_text(m.m).bytes().fold(0, |sum, byte| mix64(sum ^ u64::from(byte)));
        for word in [text, m.visits, m.mean.to_bits(), numbers, u64::from(m.rank.unwrap_or(0))] {
            sum = mix64(sum ^ word);
        }
    }
    report.line.iter().fold(sum, |sum, &m| mix64(sum ^ u64::from(report.best == Some(m))))
}

/// The yardsticks never change: these numbers are those of the program that the experiments were recorded with.
#[test]
fn basic_mcts_and_pn_mcts_report_what_they_always_did() {
    let loa = Loa::<u64>::start(&params(&LOA, "loa"));
    let gomoku = InARow::gomoku(&params(&GOMOKU, "gomoku"));
    let awari = Awari::start(&params(&AWARI, "awari"));
    let knights = Through::knightthrough(&params(&KNIGHTTHROUGH, "knightthrough"));
    let names = ["mcts", "mcts(c=0.5)", "pn-mcts", "pn-mcts(pn=1e6)", "pn-mcts(norm=children,expand=1)"];
    let found =
        names.map(|name| [digest(name, &loa), digest(name, &gomoku), digest(name, &awari), digest(name, &knights)]);
    assert_eq!(found, FIXED);
}

/// By agent; LOA, Gomoku, Awari, Knightthrough.
const FIXED: [[u64; 4]; 5] = [
    [15211205453861059420, 14007628918298746372, 18437505467185569684, 5560794357742430050],
    [7775118825287557455, 12804822193483805129, 14488772152067627742, 5418759631500584153],
    [17471280516166243418, 6192977652237351092, 6182979387081803350, 3215573078179403075],
    [16382152348725491897, 16353358568791205333, 14265490949163456386, 17631549749710384297],
    [17133174797639041582, 949305719146327381, 14163526410658023918, 15142761519794885287],
];

//! Certificates whose entries stand for their images: on games with true symmetries, and on games that lie about them.

use std::sync::Arc;

use plyproof_core::{Game, Outcome, Player, Rng, TextError};
use plyproof_games::in_a_row::{InARow, TICTACTOE};
use plyproof_games::loa::{LOA, Loa};
use plyproof_verify::{Claim, Header};
use proptest::prelude::*;

use crate::games::opened;
use crate::graph_game::{GraphGame, Node};
use crate::mutations::tampered;
use crate::oracle::{Entries, Graph, checked, header, refused_or_true, written};

/// A graph with maps of its nodes that it calls symmetries, whether they are or not.
#[derive(Clone)]
struct Mapped {
    graph: GraphGame,
    maps: Arc<[Vec<u8>]>,
}

impl Mapped {
    /// A random graph beside its mirror image: edges lead to either side, and the image of an edge is an edge.
    fn mirrored(rng: &mut Rng) -> Self {
        let half = GraphGame::random(rng);
        let size = half.nodes.len();
        let side = |node: &Node, crossings: &[bool], mirrored: bool| match node {
            Node::End(outcome) => Node::End(*outcome),
            Node::Choice(player, to) => {
                let mut to: Vec<u8> = to
                    .iter()
                    .map(|&n| n + if crossings[usize::from(n)] != mirrored { size as u8 } else { 0 })
                    .collect();
                to.sort_unstable();
                Node::Choice(*player, to)
            }
        };
        let crossings: Vec<Vec<bool>> = (0..size).map(|_| (0..size).map(|_| rng.below(2) == 0).collect()).collect();
        let one = half.nodes.iter().zip(&crossings).map(|(node, crossings)| side(node, crossings, false));
        let other = half.nodes.iter().zip(&crossings).map(|(node, crossings)| side(node, crossings, true));
        let nodes = one.chain(other).collect();
        let swap = (0..2 * size).map(|at| ((at + size) % (2 * size)) as u8).collect();
        Self { graph: GraphGame { nodes, at: 0 }, maps: Arc::new([swap]) }
    }

    /// The same graph, with maps that lead anywhere.
    fn lying(&self, rng: &mut Rng) -> Self {
        let size = self.graph.nodes.len();
        let maps = (0..1 + rng.below(3)).map(|_| (0..size).map(|_| rng.below(size) as u8).collect());
        Self { maps: maps.collect(), ..self.clone() }
    }
}

impl Game for Mapped {
    type Move = u8;

    fn to_move(&self) -> Player {
        self.graph.to_move()
    }
    fn outcome(&self) -> Option<Outcome> {
        self.graph.outcome()
    }
    fn moves(&self, into: &mut Vec<u8>) {
        self.graph.moves(into);
    }
    fn play(&mut self, to: u8) {
        self.graph.play(to);
    }
    fn key(&self) -> u64 {
        self.graph.key()
    }
    fn position_text(&self) -> String {
        self.graph.position_text()
    }
    fn parse_position(&self, text: &str) -> Result<Self, TextError> {
        Ok(Self { graph: self.graph.parse_position(text)?, ..self.clone() })
    }
    fn move_text(&self, to: u8) -> String {
        self.graph.move_text(to)
    }
    fn symmetries(&self) -> usize {
        1 + self.maps.len()
    }
    fn symmetric(&self, index: usize) -> Self {
        let at = if index == 0 { self.graph.at } else { self.maps[index - 1][usize::from(self.graph.at)] };
        Self { graph: self.graph.at(at.into()), ..self.clone() }
    }
    fn symmetric_move(&self, index: usize, to: u8) -> u8 {
        if index == 0 { to } else { self.maps[index - 1][usize::from(to)] }
    }
}

/// The first entry of each set of images.
fn without_images<G: Game>(game: &G, entries: &Entries) -> Entries {
    let mut kept: Entries = Vec::new();
    for (position, played) in entries {
        let state = game.parse_position(position).expect("a position");
        let listed = |index| kept.iter().any(|(kept, _)| *kept == state.symmetric(index).position_text());
        if !(0..game.symmetries()).any(listed) {
            kept.push((position.clone(), played.clone()));
        }
    }
    kept
}

fn symmetric<G: Game>(name: &str, game: &G, player: Player, goal: Claim, entries: &Entries) -> Vec<u8> {
    written(&Header { symmetric: true, ..header(name, game, player, goal, entries) }, entries)
}

/// Claims of a game, with the entries that prove them; an entry stands for its images.
fn proofs<G: Game>(game: &G, goals: &[Claim], rng: &mut Rng) -> Vec<(Player, Claim, Entries)> {
    let graph = Graph::reachable(game, 100_000).expect("small");
    let claims =
        [Player::FIRST, Player::SECOND].into_iter().flat_map(|player| goals.iter().map(move |&goal| (player, goal)));
    claims
        .filter_map(|(player, goal)| Some((player, goal, without_images(game, &graph.proof(player, goal, rng)?))))
        .collect()
}

#[test]
fn a_proof_without_the_images_of_its_entries_is_shorter_and_accepted() {
    let start = opened(&TICTACTOE, "tictactoe", InARow::tictactoe);
    let graph = Graph::reachable(&start, 10_000).expect("small");
    for player in [Player::FIRST, Player::SECOND] {
        let all = graph.proof(player, Claim::Draw, &mut Rng::new(3)).expect("tic-tac-toe is a draw");
        let few = without_images(&start, &all);
        assert!(few.len() * 3 < all.len() * 2, "{} of {}", few.len(), all.len());
        assert!(refused_or_true("tictactoe", &start, &symmetric("tictactoe", &start, player, Claim::Draw, &few)));
        let plain = written(&header("tictactoe", &start, player, Claim::Draw, &few), &few);
        assert!(checked("tictactoe", &start, &plain).is_err(), "only a symmetric certificate may leave images out");
    }
}

#[test]
fn tampered_symmetric_proofs_about_real_games_are_refused_or_true() {
    let mut rng = Rng::new(8);
    let tictactoe =
        opened(&TICTACTOE, "tictactoe", InARow::tictactoe).parse_position("x../.o./... x").expect("a position");
    let loa =
        opened(&LOA, "loa(size=4)", Loa::<u64>::start).parse_position(".o.x/..../.x.o/.... o").expect("a position");
    try_changes("tictactoe", &tictactoe, 300, &mut rng);
    try_changes("loa(size=4)", &loa, 20, &mut rng);
}

fn try_changes<G: Game>(name: &str, start: &G, changes: usize, rng: &mut Rng) {
    for (player, goal, entries) in proofs(start, &[Claim::Win, Claim::Draw], rng) {
        let bytes = symmetric(name, start, player, goal, &entries);
        assert!(refused_or_true(name, start, &bytes), "{name} {player} {goal}");
        for _ in 0..changes {
            let mut changed = tampered(&bytes, rng);
            if rng.below(2) == 0 && !changed.is_empty() {
                changed = tampered(&changed, rng);
            }
            refused_or_true(name, start, &changed);
        }
    }
}

#[test]
fn an_image_whose_move_is_not_legal_is_refused_with_the_image_named() {
    // Node 1 is no image of node 0: its move leads elsewhere.
    let graph = GraphGame::parse("1:2 1:3 + -");
    let game = Mapped { graph, maps: Arc::new([vec![1, 0, 2, 3]]) };
    let entries = vec![("n0".to_string(), "to2".to_string())];
    let error =
        checked("test", &game, &symmetric("test", &game, Player::FIRST, Claim::Win, &entries)).expect_err("a lie");
    assert!(error.to_string().contains("its image number 1, n1") && error.to_string().contains("not legal"), "{error}");
}

/// Cases of the tests below; a long run sets another number.
fn cases() -> u32 {
    std::env::var("PLYPROOF_MUTATIONS").ok().and_then(|text| text.parse().ok()).unwrap_or(3000)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn symmetric_proofs_about_mirrored_graphs_are_accepted_and_tampered_ones_refused_or_true(seed: u64) {
        let mut rng = Rng::new(seed);
        let game = Mapped::mirrored(&mut rng);
        let goals = [Claim::Win, Claim::Draw, Claim::Margin(rng.below(5) as i32 - 2)];
        for (player, goal, entries) in proofs(&game, &goals, &mut rng) {
            let mut bytes = symmetric("test", &game, player, goal, &entries);
            prop_assert!(refused_or_true("test", &game, &bytes), "a true claim was refused: {player} {goal}");
            for _ in 0..3 {
                bytes = tampered(&bytes, &mut rng);
                if bytes.is_empty() {
                    break;
                }
                refused_or_true("test", &game, &bytes);
            }
        }
    }

    #[test]
    fn a_game_that_lies_about_its_symmetries_proves_nothing_false(seed: u64) {
        let mut rng = Rng::new(seed);
        let honest = Mapped::mirrored(&mut rng);
        let graph = Graph::reachable(&honest, 1000).expect("small");
        let lying = honest.lying(&mut rng);
        for player in [Player::FIRST, Player::SECOND] {
            for goal in [Claim::Win, Claim::Draw] {
                let proof = graph.proof(player, [Claim::Draw, goal][rng.below(2)], &mut rng).unwrap_or_default();
                let kept: Entries = proof.into_iter().filter(|_| rng.below(5) > 0).collect();
                refused_or_true("test", &lying, &symmetric("test", &lying, player, goal, &kept));
                refused_or_true("test", &lying, &symmetric("test", &lying, player, goal, &without_images(&lying, &kept)));
            }
        }
    }
}

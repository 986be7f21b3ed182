//! Solvers that are told true things about some positions of a graph: bounds on the value, or which moves may not lose.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use plyproof_core::search::proof::Goal;
use plyproof_core::search::{Agent, Aim, Budget, Searcher, SolveTask};
use plyproof_core::{Bounds, Game, Knowledge, Outcome, Player, Rng, TextError, Wdl, mix64};

use crate::alphabeta::{orders, without_cycles};
use crate::graph::{GraphGame, Node};

/// A graph without cycles and the values of its positions for the first player.
#[derive(Clone, Debug)]
struct Knowing {
    graph: GraphGame,
    values: Arc<[Wdl]>,
    /// Which positions something is known of, and what.
    salt: u64,
}

impl Knowing {
    fn value(&self, at: u8) -> Wdl {
        let value = self.values[usize::from(at)];
        if self.graph.to_move() == Player::FIRST { value } else { value.flip() }
    }
}

impl Game for Knowing {
    type Move = u8;

    const STATIC_KNOWLEDGE: bool = true;

    fn to_move(&self) -> Player {
        self.graph.to_move()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.graph.outcome()
    }

    fn moves(&self, into: &mut Vec<u8>) {
        self.graph.moves(into);
    }

    fn play(&mut self, m: u8) {
        self.graph.play(m);
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

    fn move_text(&self, m: u8) -> String {
        self.graph.move_text(m)
    }

    fn may_repeat(&self) -> bool {
        false
    }

    fn static_knowledge(&self, holding: &mut Vec<u8>) -> Knowledge {
        let value = self.value(self.graph.at);
        match mix64(self.salt ^ u64::from(self.graph.at)) % 6 {
            0 => Knowledge::exactly(value),
            1 => Knowledge { bounds: Bounds { least: value, most: Wdl::Win }, restricted: false },
            2 => Knowledge { bounds: Bounds { least: Wdl::Loss, most: value }, restricted: false },
            3 if value > Wdl::Loss => {
                let Node::Choice(_, to) = &self.graph.nodes[usize::from(self.graph.at)] else { return Knowledge::NONE };
                let holds = |place: &u8| self.value(to[usize::from(*place)]) > Wdl::Loss;
                holding.extend((0..to.len() as u8).filter(holds));
                Knowledge::RESTRICTED
            }
            _ => Knowledge::NONE,
        }
    }
}

/// Whether whoever follows the strategy reaches the goal, whatever the other does.
fn reaches(graph: &GraphGame, at: u8, goal: Goal, moves: &HashMap<u8, u8>) -> bool {
    match &graph.nodes[usize::from(at)] {
        Node::End(outcome) => goal.numbers(*outcome).is_proven(),
        Node::Choice(mover, to) if *mover == goal.player => {
            moves.get(&at).is_some_and(|&m| reaches(graph, to[usize::from(m)], goal, moves))
        }
        Node::Choice(_, to) => to.iter().all(|&to| reaches(graph, to, goal, moves)),
    }
}

#[test]
fn values_and_strategies_are_right_with_whatever_is_known_beforehand() {
    let mut agents = orders();
    agents.extend(["df-pn", "df-pn(leaf=unit,sum=full)"].map(|agent| Agent::parse(agent).expect(agent)));
    for seed in 0..3000 {
        let graph = without_cycles(&GraphGame::random(&mut Rng::new(seed)));
        if graph.outcome().is_some() {
            continue;
        }
        let values: Arc<[Wdl]> = graph.values(Player::FIRST).into();
        let start = Knowing { graph, values, salt: mix64(seed) };
        let agent = &agents[seed as usize % agents.len()];
        let budget = Budget { memory: Some(1 << 20), ..Budget::simulations(100_000) };
        let task = SolveTask { agent, aim: Aim::Value, all_moves: true, proofs: true, budget, seed: 1 };
        let solution = Searcher::new().solve(&task, &start, &AtomicBool::new(false), &mut |_| {});
        assert_eq!(solution.bounds.value(), Some(start.value(0)), "{agent} {start:?}");
        for (m, bounds) in &solution.moves {
            let mut next = start.clone();
            next.play(*m);
            assert_eq!(bounds.value(), Some(start.value(next.graph.at)), "{agent} {start:?} {m}");
        }
        for proof in &solution.proofs {
            let strategy = proof.strategy.as_ref().expect("written");
            let moves = strategy.entries.iter().map(|(state, m)| (state.graph.at, *m)).collect();
            assert!(reaches(&start.graph, 0, proof.goal, &moves), "{agent} {start:?} {:?}", proof.goal);
        }
    }
}

//! Searches with an evaluation never say anything wrong, however wrong the evaluation is.

use std::sync::Arc;

use plyproof_core::search::{Agent, Budget, Searcher};
use plyproof_core::{Evaluator, Game, Judge, Logit, Rng, mix64};

use crate::alphabeta::without_cycles;
use crate::graph::GraphGame;

/// Judges positions by chance, often as if they were certainly won or lost.
struct Chance(u64);

impl Evaluator<GraphGame> for Chance {
    fn judge(&self) -> Box<dyn Judge<GraphGame>> {
        Box::new(Self(self.0))
    }

    fn name(&self) -> &str {
        "chance"
    }
}

impl Judge<GraphGame> for Chance {
    fn value(&mut self, position: &GraphGame, _depth: usize) -> Logit {
        let chance = mix64(position.key() ^ self.0);
        match chance % 4 {
            0 => Logit::new(Logit::LARGEST),
            1 => Logit::new(-Logit::LARGEST),
            _ => Logit::new((chance >> 40) as i32 % 1000 - 500),
        }
    }
}

const AGENTS: [&str; 4] =
    ["alpha-beta(eval=auto)", "plyproof(search=alpha-beta)", "plyproof(search=tree)", "pn-mcts(eval=auto)"];

/// Searches one position of the graph after the other with one searcher, which may go on with what it knows.
fn nothing_wrong_is_said(graph: &GraphGame, text: &str, seed: u64, threads: usize) {
    let agent = Agent::parse(text).expect(text);
    let mut searcher = Searcher::new();
    searcher.set_evaluator(Some(Arc::new(Chance(seed))));
    let budget = Budget { memory: Some(threads << 20), threads, ..Budget::simulations(150) };
    for at in 0..graph.nodes.len() as u8 {
        let position = GraphGame { at, ..graph.clone() };
        if position.outcome().is_some() {
            continue;
        }
        let report = searcher.run(&agent, &position, &budget, seed);
        let values = graph.values(position.to_move());
        let value = values[usize::from(at)];
        assert!(
            report.bounds.least <= value && value <= report.bounds.most,
            "{text} {position:?}: {:?}",
            report.bounds
        );
        for said in &report.moves {
            let mut next = position.clone();
            next.play(said.m);
            let truth = values[usize::from(next.at)];
            assert!(
                said.bounds.least <= truth && truth <= said.bounds.most,
                "{text} {position:?}: {truth:?}, {said:?}"
            );
        }
        assert!(report.best.is_some(), "{text} {position:?}");
    }
}

#[test]
fn no_evaluation_makes_a_search_say_anything_wrong() {
    for seed in 0..200 {
        let graph = GraphGame::random(&mut Rng::new(seed));
        let text = AGENTS[seed as usize % AGENTS.len()];
        nothing_wrong_is_said(&graph, text, seed, 1);
        nothing_wrong_is_said(&without_cycles(&graph), text, seed, 1);
    }
}

#[test]
fn several_threads_say_nothing_wrong_whatever_the_evaluation_and_however_alike_the_keys() {
    for seed in 0..60 {
        let mut graph = GraphGame::random(&mut Rng::new(seed));
        let keys = |graph: &GraphGame| {
            let positions = (0..graph.nodes.len() as u8).map(|at| GraphGame { at, ..graph.clone() });
            positions.map(|position| position.key()).collect::<std::collections::BTreeSet<_>>()
        };
        // The fewest bits that tell all positions apart.
        while graph.key_bits > 1
            && keys(&GraphGame { key_bits: graph.key_bits - 1, ..graph.clone() }).len() == graph.nodes.len()
        {
            graph.key_bits -= 1;
        }
        let (text, threads) = (AGENTS[seed as usize % 2], 2 + seed as usize % 7);
        nothing_wrong_is_said(&graph, text, seed, threads);
        nothing_wrong_is_said(&without_cycles(&graph), text, seed, threads);
    }
}

#[test]
fn a_searcher_that_forgets_searches_as_a_new_one() {
    let agent = Agent::parse("plyproof(search=alpha-beta)").expect("an agent");
    for seed in 0..40 {
        let graph = without_cycles(&GraphGame::random(&mut Rng::new(seed)));
        if graph.outcome().is_some() {
            continue;
        }
        let search = |searcher: &mut Searcher<GraphGame>| {
            let report = searcher.run(&agent, &graph, &Budget::simulations(200), 1);
            (report.best, report.bounds, report.simulations, report.moves.len(), report.line)
        };
        let new = || {
            let mut searcher = Searcher::new();
            searcher.set_evaluator(Some(Arc::new(Chance(seed))));
            searcher
        };
        let mut used = new();
        let first = search(&mut used);
        search(&mut used);
        used.forget();
        assert_eq!(search(&mut used), first, "{graph:?}");
        assert_eq!(search(&mut new()), first, "{graph:?}");
    }
}

//! Trains an evaluation of Breakthrough for some seconds and lets it play.
#![allow(clippy::print_stdout)]

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use plyproof_core::search::{Agent, Budget, Searcher};
use plyproof_core::spec::{Described, Params, Spec};
use plyproof_core::{BestUse, Game, PLY_LIMIT, Player, Rng};
use plyproof_eval::{Network, NetworkEvaluator, Trainer, Training};
use plyproof_games::connect4::{CONNECT4, Connect4};
use plyproof_games::loa::{LOA, Loa};
use plyproof_games::minishogi::{MINISHOGI, MiniShogi};
use plyproof_games::through::{BREAKTHROUGH, Through};

fn params(described: &Arc<Described>, spec: &str) -> Params {
    Params::resolve(described, &Spec::parse(spec).expect(spec)).expect(spec)
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let seconds: f64 = arguments[1].parse().expect("seconds");
    let mut training = Training::default();
    for word in &arguments[2..] {
        let (name, value) = word.split_once('=').expect("name=value");
        match name {
            "rate" => training.rate = value.parse().expect(value),
            "nodes" => training.nodes = value.parse().expect(value),
            "lambda" => training.lambda = value.parse().expect(value),
            "lessons" => training.lessons = value.parse().expect(value),
            "hidden" => training.hidden = value.parse().expect(value),
            "memory" => training.memory = value.parse::<usize>().expect(value) << 20,
            "seed" => training.seed = value.parse().expect(value),
            _ => panic!("{name}"),
        }
    }
    match arguments[0].split('(').next().expect("a name") {
        "breakthrough" => run(&Through::breakthrough(&params(&BREAKTHROUGH, &arguments[0])), seconds, training),
        "loa" => run(&Loa::<u64>::start(&params(&LOA, &arguments[0])), seconds, training),
        "connect4" => run(&Connect4::start(&params(&CONNECT4, &arguments[0])), seconds, training),
        "minishogi" => run(&MiniShogi::start(&params(&MINISHOGI, &arguments[0])), seconds, training),
        other => panic!("{other}"),
    }
}

/// The processor time of this thread.
fn cpu() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux");
    text.split(' ').next().and_then(|word| word.parse::<f64>().ok()).expect("a number") / 1e9
}

fn run<G: Game>(start: &G, seconds: f64, training: Training) {
    let mut trainer = Trainer::new(start, training).expect("a game of two");
    let (began, mut shown) = (cpu(), 0.0);
    loop {
        let elapsed = cpu() - began;
        if elapsed > shown {
            let standing = trainer.standing();
            println!("{elapsed:6.1} s {standing:?}");
            shown += seconds / 8.0;
        }
        if elapsed >= seconds {
            break;
        }
        trainer.round(elapsed / seconds, &AtomicBool::new(false));
    }
    let network = trainer.network();
    let zero = Arc::new(Network::random(network.features(), 16, &mut Rng::new(1)));
    for (what, other, agent) in
        [("random weights", Some(zero), "alpha-beta(eval=auto)"), ("plyproof(eval=off)", None, "plyproof(eval=off)")]
    {
        let mut score = 0.0;
        let games = 20;
        for game in 0..games {
            score += play(start, game, &network, other.as_ref(), agent);
        }
        println!("against {what}: {score} of {games}");
    }
}

fn searcher<G: Game>(start: &G, network: Option<&Arc<Network>>) -> Searcher<G> {
    let mut searcher = Searcher::new();
    if let Some(network) = network {
        let evaluator = NetworkEvaluator::new(start, Arc::clone(network), "n", BestUse::AlphaBeta).expect("fits");
        searcher.set_evaluator(Some(Arc::new(evaluator)));
    }
    searcher
}

fn play<G: Game>(start: &G, game: u64, network: &Arc<Network>, other: Option<&Arc<Network>>, agent: &str) -> f64 {
    let mut rng = Rng::stream(99, game / 2);
    let mut position = start.clone();
    for _ in 0..2 {
        position.play(position.random_move(&mut rng));
    }
    let mut players = [searcher(start, Some(network)), searcher(start, other)];
    let agents = ["alpha-beta(eval=auto)", agent].map(|text| Agent::parse(text).expect(text));
    let mut plies = 0;
    while position.outcome().is_none() && plies < PLY_LIMIT / 5 {
        let side = position.to_move().index() ^ (game % 2) as usize;
        let budget = Budget { time: Some(Duration::from_millis(50)), ..Budget::default() };
        let report = players[side].run(&agents[side], &position, &budget, game + u64::from(plies));
        position.play(report.best.expect("a move"));
        plies += 1;
    }
    let _ = Instant::now();
    let first = position.outcome().map_or(0.5, |outcome| 0.5 + 0.5 * f64::from(outcome.of(Player::FIRST).value()));
    if game.is_multiple_of(2) { first } else { 1.0 - first }
}

//! Training: what it depends on, that it goes on after an interruption, and that what is learned plays well.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use plyproof_core::search::{Agent, Budget, Searcher};
use plyproof_core::spec::{Described, Params, Spec};
use plyproof_core::{BestUse, Evaluator, Game, Judge, Logit, Player, Rng};
use plyproof_eval::{NetworkEvaluator, Trainer, Training};
use plyproof_games::in_a_row::{InARow, MNK};
use plyproof_games::through::{BREAKTHROUGH, Through};

fn params(described: &Arc<Described>, spec: &str) -> Params {
    Params::resolve(described, &Spec::parse(spec).expect(spec)).expect(spec)
}

fn breakthrough(size: &str) -> Through {
    Through::breakthrough(&params(&BREAKTHROUGH, &format!("breakthrough(size={size})")))
}

fn small() -> Training {
    Training { hidden: 16, nodes: 30, ..Training::default() }
}

/// A training of at least so many games.
fn trained<G: Game>(start: &G, training: Training, games: u64) -> Trainer<G> {
    let mut trainer = Trainer::new(start, training).expect("a game of two");
    go_on(&mut trainer, games);
    trainer
}

fn go_on<G: Game>(trainer: &mut Trainer<G>, games: u64) {
    while trainer.standing().games < games {
        let share = trainer.standing().games as f64 / games as f64;
        assert!(trainer.round(share, &AtomicBool::new(false)));
    }
}

#[test]
fn the_same_seed_gives_the_same_network_with_any_number_of_threads() {
    let network = |threads, seed| {
        let start = InARow::mnk(&params(&MNK, "mnk(m=4,n=4,k=4)"));
        trained(&start, Training { threads, seed, ..small() }, 300).network()
    };
    let one = network(1, 7);
    assert!(one == network(3, 7) && one != network(1, 8));
}

#[test]
fn a_training_that_is_stopped_is_left_as_it_was() {
    let mut trainer = trained(&breakthrough("5x6"), small(), 20);
    let (network, standing) = (trainer.network(), trainer.standing());
    assert!(!trainer.round(0.5, &AtomicBool::new(true)));
    assert!(trainer.network() == network && trainer.standing() == standing);
}

#[test]
fn a_training_goes_on_from_its_state() {
    let start = breakthrough("5x6");
    let mut first = trained(&start, small(), 100);
    let mut state = Vec::new();
    first.save("breakthrough", 12.5, &mut state).expect("memory");
    let mut second = Trainer::new(&start, small()).expect("a game of two");
    assert_eq!(second.resume("breakthrough", &state[..]), Ok(12.5));
    assert!(second.network() == first.network());
    let (a, b) = (first.standing(), second.standing());
    assert_eq!((a.games, a.positions, a.steps), (b.games, b.positions, b.steps));
    // It learns again when as many positions have been played as there were to learn from.
    go_on(&mut second, 3 * b.games);
    assert!(second.standing().steps > b.steps);

    let mut third = Trainer::new(&start, small()).expect("a game of two");
    let mut refusal = |about: &str, state: &[u8]| third.resume(about, state).expect_err("not this state").to_string();
    let other = "it is the state of another training, \"breakthrough\", not of \"loa\"";
    assert_eq!(refusal("loa", &state), other);
    for length in (0..state.len()).step_by(97) {
        assert!(refusal("breakthrough", &state[..length]).starts_with("it is "), "{length}");
    }
    for at in (0..state.len()).step_by(53) {
        let mut broken = state.clone();
        broken[at] ^= 4;
        refusal("breakthrough", &broken);
    }
    let wider = Training { hidden: 32, ..small() };
    let error = Trainer::new(&start, wider).expect("a game of two").resume("breakthrough", &state[..]);
    let said = error.expect_err("other units").to_string();
    assert_eq!(said, "it is the state of a training with other features or hidden units");
}

#[test]
fn what_cannot_be_trained_is_refused() {
    let start = breakthrough("5x6");
    for hidden in [0, 8, 272] {
        let error = Trainer::new(&start, Training { hidden, ..small() }).err().expect("no such network");
        let said = format!(
            "a network has up to 65536 features and 16, 32, … or 256 hidden units, not {} and {hidden}",
            start.feature_count()
        );
        assert_eq!(error.to_string(), said);
    }
}

/// Says the same of every position.
struct Indifferent;

impl<G: Game> Evaluator<G> for Indifferent {
    fn judge(&self) -> Box<dyn Judge<G>> {
        Box::new(Indifferent)
    }

    fn name(&self) -> &str {
        "indifferent"
    }
}

impl<G: Game> Judge<G> for Indifferent {
    fn value(&mut self, _position: &G, _depth: usize) -> Logit {
        Logit(0)
    }
}

/// An agent, and the evaluation it uses.
type Side<G> = (&'static str, Option<Arc<dyn Evaluator<G>>>);

/// The score of the first of two agents with their evaluators, over games from random openings with sides swapped.
fn score<G: Game>(start: &G, players: [Side<G>; 2], games: u64) -> f64 {
    let mut score = 0.0;
    for game in 0..games {
        let mut rng = Rng::stream(11, game / 2);
        let mut position = start.clone();
        position.play(position.random_move(&mut rng));
        position.play(position.random_move(&mut rng));
        let mut players = players.clone().map(|(agent, evaluator)| {
            let mut searcher = Searcher::new();
            searcher.set_evaluator(evaluator);
            (Agent::parse(agent).expect(agent), searcher)
        });
        while position.outcome().is_none() {
            let (agent, searcher) = &mut players[position.to_move().index() ^ (game % 2) as usize];
            let budget = Budget { memory: Some(4 << 20), ..Budget::simulations(400) };
            let report = searcher.run(agent, &position, &budget, game);
            position.play(report.best.expect("a move"));
        }
        let first = position.outcome().map_or(0, |outcome| outcome.of(Player::FIRST).value());
        score += 0.5 + 0.5 * f64::from(if game % 2 == 0 { first } else { -first });
    }
    score
}

#[test]
fn two_thousand_training_games_beat_search_without_an_evaluation() {
    let start = breakthrough("5x6");
    let network = trained(&start, Training { nodes: 60, hidden: 32, ..Training::default() }, 2000).network();
    let evaluator = NetworkEvaluator::new(&start, network, "learned", BestUse::AlphaBeta).expect("its features");
    let learned: Arc<dyn Evaluator<Through>> = Arc::new(evaluator);
    let learned = ("alpha-beta(eval=auto)", Some(learned));
    let indifferent: Arc<dyn Evaluator<Through>> = Arc::new(Indifferent);
    let games = 20;
    for other in [("alpha-beta(eval=auto)", Some(indifferent)), ("plyproof(eval=off)", None)] {
        let name = format!("{} {}", other.0, other.1.is_some());
        let score = score(&start, [learned.clone(), other], games);
        assert!(score >= 14.0, "{score} of {games} against {name}");
    }
}

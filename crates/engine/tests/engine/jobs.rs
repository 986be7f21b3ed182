//! Search by jobs as front ends and executors in other processes see it: jobs and results as JSON.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use plyproof_engine::certificate::{self, Limits};
use plyproof_engine::jobs::{AnyCoordinator, JobText, ResultText, open_checkpoint};
use plyproof_engine::{
    Aim, AnyGame, Budget, Interval, JobCheckpoints, JobSettings, JobTask, Merged, ProofHead, Registry, Sharing,
    Solution, Standing, Wdl,
};

fn settings() -> JobSettings {
    JobSettings { smallest: 50, ..JobSettings::default() }
}

/// Does jobs one after the other, each job and each result as text in between, by two workers in turns; no more than
/// `most` of them.
fn work(game: &dyn AnyGame, coordinator: &mut dyn AnyCoordinator, most: usize) {
    let stop = AtomicBool::new(false);
    let mut workers = [game.job_solver(1 << 20), game.job_solver(1 << 20)];
    coordinator.set_workers(2);
    for round in 0..most {
        let Some(job) = coordinator.next_job(round % 2) else { break };
        let text = serde_json::to_string(&job).expect("JSON");
        let job: JobText = serde_json::from_str(&text).expect(&text);
        let result = workers[round % 2].solve(&job, &stop).expect("a job for this game");
        let text = serde_json::to_string(&result).expect("JSON");
        let result: ResultText = serde_json::from_str(&text).expect(&text);
        assert_eq!(coordinator.merge(&result), Merged::Used);
        assert_eq!(coordinator.merge(&result), Merged::Stale, "a result counts once");
    }
}

/// The solution with its certificates, each of which was verified.
fn verified(registry: &Registry, game: &dyn AnyGame, coordinator: &dyn AnyCoordinator) -> (Solution, Vec<String>) {
    let mut claims = Vec::new();
    let mut sink = |head: &ProofHead, lines: &mut dyn Iterator<Item = (String, String)>| {
        let text = certificate::text(game, head, lines).map_err(|error| error.to_string())?;
        claims.push(verify(registry, &text));
        Ok(())
    };
    let budget = Budget { memory: Some(1 << 24), ..Budget::default() };
    let solution = coordinator.solution(true, &budget, Duration::ZERO, &AtomicBool::new(false), &mut sink);
    assert!(solution.proofs.iter().all(|proof| proof.error.is_none()), "{solution:?}");
    (solution, claims)
}

fn verify(registry: &Registry, text: &str) -> String {
    let bytes: std::sync::Arc<[u8]> = text.as_bytes().into();
    let stop = AtomicBool::new(false);
    let limits = Limits { memory: 1 << 30, stop: &stop, progress: &mut |_| {} };
    certificate::verify_bytes(registry, &bytes, limits).expect("a certificate that holds").header.claim()
}

#[test]
fn jobs_and_results_go_through_json_and_the_certificates_hold() {
    let registry = Registry::builtin();
    for (name, value, proofs) in [
        ("tictactoe", Wdl::Draw, 2),
        ("mnk(m=4,n=3,k=3)", Wdl::Win, 1),
        ("breakthrough(size=3x5)", Wdl::Loss, 1),
        ("loa(size=4)", Wdl::Win, 1),
        ("clobber(size=3x3)", Wdl::Win, 1),
    ] {
        let game = registry.open(name).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut coordinator = game.coordinator(Aim::Value, settings(), None).expect("two players");
        work(&*game, &mut *coordinator, 10);
        let saved = coordinator.save();
        let mut coordinator = game.coordinator(Aim::Value, settings(), Some(&saved)).expect("the same search");
        work(&*game, &mut *coordinator, usize::MAX);
        assert!(coordinator.is_done() && coordinator.flying() == 0, "{name}");
        let (solution, claims) = verified(&registry, &*game, &*coordinator);
        assert_eq!((solution.value, claims.len()), (Some(value), proofs), "{name}");
        assert_eq!(coordinator.counts().restarts, 1);
    }
}

#[test]
fn threads_solve_from_where_an_earlier_search_ended_and_the_file_is_refused_once_a_bit_is_flipped() {
    let registry = Registry::builtin();
    let game = registry.open("connect4(width=4,height=4)").expect("a game");
    let path = std::env::temp_dir().join(format!("plyproof-jobs-{}.ckpt", std::process::id()));
    let stop = AtomicBool::new(false);
    let budget = Budget { memory: Some(1 << 24), ..Budget::simulations(500) };
    let mut task = JobTask {
        aim: Aim::Value,
        settings: settings(),
        workers: 2,
        sharing: Sharing::One,
        budget,
        proofs: true,
        before: Duration::ZERO,
    };
    let mut states: Vec<Vec<u8>> = Vec::new();
    let mut save = |_: Standing, state: &[u8]| states.push(state.to_vec());
    let checkpoints = JobCheckpoints { every: Interval::Nodes(100), from: None, save: &mut save };
    let mut sink = |_: &ProofHead, _: &mut dyn Iterator<Item = (String, String)>| Ok(());
    let (solution, first) =
        game.solve_by_jobs(&task, &stop, &mut |_| {}, &mut sink, Some(checkpoints)).expect("two players");
    assert!(solution.value.is_none() && first.nodes >= 500, "{first:?}");
    assert!(states.len() > 2, "{} states were saved", states.len());

    // The file of such a state.
    let state = states.pop().expect("a state");
    let coordinator = game.coordinator(Aim::Value, settings(), Some(&state)).expect("the same search");
    coordinator.checkpoint(&path, Duration::from_secs(7)).expect("written");
    let found = open_checkpoint(&path, &*game, Aim::Value).expect("whole").expect("a file");
    assert_eq!((found.head.nodes, found.head.seconds), (first.nodes, 7.0));
    assert_eq!(found.state, coordinator.save());
    assert!(open_checkpoint(&path, &*game, Aim::Win).is_err(), "another question");
    let bytes = std::fs::read(&path).expect("the file");
    for at in (0..bytes.len()).step_by(7).chain(bytes.len() - 20..bytes.len()) {
        let mut wrong = bytes.clone();
        wrong[at] ^= 1 << (at % 8);
        std::fs::write(&path, &wrong).expect("written");
        assert!(open_checkpoint(&path, &*game, Aim::Value).is_err(), "byte {at}");
    }
    std::fs::remove_file(&path).expect("removed");

    // On to the end.
    task.budget.simulations = None;
    let mut claims = Vec::new();
    let mut sink = |head: &ProofHead, lines: &mut dyn Iterator<Item = (String, String)>| {
        claims.push(verify(&registry, &certificate::text(&*game, head, lines).map_err(|error| error.to_string())?));
        Ok(())
    };
    let checkpoints = JobCheckpoints { every: Interval::Nodes(1000), from: Some(state), save: &mut |_, _| {} };
    let (solution, counts) =
        game.solve_by_jobs(&task, &stop, &mut |_| {}, &mut sink, Some(checkpoints)).expect("the same search");
    assert_eq!((solution.value, claims.len()), (Some(Wdl::Draw), 2));
    assert!(counts.nodes > first.nodes && counts.done > first.done && counts.restarts == 1, "{counts:?}");
}

#[test]
fn jobs_and_states_of_another_game_are_refused_in_one_line() {
    let registry = Registry::builtin();
    let game = registry.open("tictactoe").expect("a game");
    let other = registry.open("mnk(m=4,n=3,k=3)").expect("a game");
    let stop = AtomicBool::new(false);
    let mut coordinator = game.coordinator(Aim::Value, settings(), None).expect("two players");
    let job = coordinator.next_job(0).expect("a job");
    let mut worker = game.job_solver(1 << 16);
    for wrong in [
        JobText { game: "mnk(m=4,n=3,k=3)".to_string(), ..job.clone() },
        JobText { rules: "99".to_string(), ..job.clone() },
        JobText { position: "rubbish".to_string(), ..job.clone() },
        JobText { player: 0, ..job.clone() },
        JobText { player: 9, ..job.clone() },
    ] {
        let error = worker.solve(&wrong, &stop).expect_err("no job for this game").to_string();
        assert!(!error.contains('\n'), "{error}");
    }
    let state = coordinator.save();
    assert!(other.coordinator(Aim::Value, settings(), Some(&state)).is_err());
    assert!(game.coordinator(Aim::Win, settings(), Some(&state)).is_err());
    assert!(game.coordinator(Aim::Value, settings(), Some(&state[..state.len() - 1])).is_err());

    // Results that cannot be those of their job.
    let result = worker.solve(&job, &stop).expect("a job");
    let none = ResultText { moves: vec![], ..result.clone() };
    let numbers = [serde_json::json!([0, 0]), serde_json::json!(["inf", "inf"]), serde_json::json!([0, 3])];
    let wrong = numbers.map(|pair| {
        let mut value = serde_json::to_value(&result).expect("JSON");
        value["numbers"] = pair;
        serde_json::from_value::<ResultText>(value).expect("a result")
    });
    assert_eq!(coordinator.merge(&ResultText { key: result.key ^ 1, ..result.clone() }), Merged::Stale);
    assert_eq!(coordinator.merge(&ResultText { id: 99, ..result }), Merged::Stale);
    let mut id = job.id;
    for wrong in wrong.into_iter().chain([none]) {
        let wrong = ResultText { id, ..wrong };
        assert_eq!(coordinator.merge(&wrong), Merged::Refused, "{wrong:?}");
        let again = coordinator.next_job(0).expect("it is handed out again");
        assert!(again.id > id && again.position == job.position);
        id = again.id;
    }
    assert_eq!(coordinator.counts().refused, 4);
}

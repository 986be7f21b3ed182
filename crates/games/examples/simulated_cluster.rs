//! Proofs by jobs on clusters of many sizes, in a simulation whose jobs are really solved.
//!
//! `cargo run --release -p plyproof-games --example simulated_cluster -- "connect4(width=5,height=5)" workers=1,16,64`
//!
//! The first row is df-pn alone; the others say how many times as fast a cluster is, and how much more it searches.

use std::process::exit;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use plyproof_core::Game;
use plyproof_core::search::jobs::{Cluster, Coordinator, Job, JobSettings, JobSolver, Simulator, run};
use plyproof_core::search::{Aim, Bounds};
use plyproof_core::spec::{Described, Params, Spec};
use plyproof_games::connect4::{CONNECT4, Connect4};
use plyproof_games::domineering::{DOMINEERING, Domineering};
use plyproof_games::in_a_row::{InARow, MNK};
use plyproof_games::loa::{LOA, Loa};
use plyproof_games::othello::{OTHELLO, Othello};
use plyproof_games::through::{BREAKTHROUGH, KNIGHTTHROUGH, Through};

/// What is simulated.
struct Plan {
    workers: Vec<usize>,
    settings: JobSettings,
    cluster: Cluster,
    /// Nodes that df-pn alone needs, where they are known from an earlier run.
    alone: Option<u64>,
    seeds: u64,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let Err(error) = simulate(&arguments) {
        #[allow(clippy::print_stderr)]
        {
            eprintln!("{error}");
        }
        exit(2);
    }
}

fn simulate(arguments: &[String]) -> Result<(), String> {
    let Some((game, options)) = arguments.split_first() else {
        return Err("name a game, as in \"breakthrough(size=5x5)\", then options as in workers=16,64".to_string());
    };
    let plan = plan(options)?;
    let spec = Spec::parse(game).map_err(|error| error.to_string())?;
    let params = |described: &Arc<Described>| Params::resolve(described, &spec).map_err(|error| error.to_string());
    match spec.name.as_str() {
        "breakthrough" => table(game, &Through::breakthrough(&params(&BREAKTHROUGH)?), &plan),
        "knightthrough" => table(game, &Through::knightthrough(&params(&KNIGHTTHROUGH)?), &plan),
        "connect4" => table(game, &Connect4::start(&params(&CONNECT4)?), &plan),
        "domineering" => table(game, &Domineering::start(&params(&DOMINEERING)?), &plan),
        "mnk" => table(game, &InARow::mnk(&params(&MNK)?), &plan),
        "loa" => table(game, &Loa::<u64>::start(&params(&LOA)?), &plan),
        "othello" => table(game, &Othello::start(&params(&OTHELLO)?), &plan),
        other => return Err(format!("{other} is not a game of this example")),
    }
    Ok(())
}

fn plan(options: &[String]) -> Result<Plan, String> {
    let (settings, cluster) = (JobSettings::default(), Cluster::of(1));
    let mut plan = Plan { workers: vec![16, 64, 256, 1024, 4096], settings, cluster, alone: None, seeds: 1 };
    for option in options {
        let Some((name, value)) = option.split_once('=') else { return Err(format!("{option} is not name=value")) };
        let number = || value.parse::<u64>().map_err(|_| format!("{name} is a whole number, not {value}"));
        let share = || value.parse::<f64>().map_err(|_| format!("{name} is a number, not {value}"));
        match name {
            "workers" => {
                let counts = value.split(',').map(|count| count.parse().map_err(|_| format!("{count}: not a number")));
                plan.workers = counts.collect::<Result<_, _>>()?;
            }
            "alone" => plan.alone = Some(number()?),
            "seeds" => plan.seeds = number()?,
            "smallest" => plan.settings.smallest = number()?,
            "largest" => plan.settings.largest = number()?,
            "parts" => plan.settings.parts = number()?,
            "retries" => plan.settings.retries = number()? as u32,
            "facts" => plan.settings.facts = number()? as usize,
            "stay" => plan.settings.stay = number()? as u32,
            "together" => plan.cluster.together = number()? as usize,
            "memory" => plan.cluster.memory = number()? as usize,
            "node" => plan.cluster.node = number()?,
            "latency" => plan.cluster.latency = number()?,
            "handling" => plan.cluster.handling = number()?,
            "stragglers" => plan.cluster.stragglers = share()?,
            "losses" => plan.cluster.losses = share()?,
            "seed" => plan.cluster.seed = number()?,
            _ => return Err(format!("there is no option {name}")),
        }
    }
    Ok(plan)
}

#[allow(clippy::print_stdout)]
fn table<G: Game>(name: &str, start: &G, plan: &Plan) {
    let alone = plan.alone.unwrap_or_else(|| alone(start, plan));
    println!("{name}: df-pn alone opens {alone} nodes");
    println!("workers  speed-up    nodes   jobs  nodes/job  busy  coordinator   late  shared  virtual time  value");
    for &workers in &plan.workers {
        let mut coordinator = Coordinator::new(start, Aim::Value, plan.settings.clone());
        let mut simulator = Simulator::new(Cluster { workers, ..plan.cluster.clone() });
        run(&mut coordinator, &mut simulator, &mut |_, _| true);
        let (spent, counts) = (simulator.spent(), coordinator.counts());
        let time = spent.time.max(1) as f64;
        println!(
            "{workers:7}  {:8.1}  {:6.2}x {:6}  {:9}  {:3.0}%         {:3.0}%  {:5}  {:6}  {:10.3} s  {}",
            (alone * plan.cluster.node) as f64 / time,
            spent.nodes as f64 / alone as f64,
            spent.jobs,
            spent.nodes / spent.jobs.max(1),
            100.0 * spent.worked as f64 / (time * workers as f64),
            100.0 * spent.handled as f64 / time,
            counts.stale,
            counts.shared,
            time / 1e9,
            coordinator.bounds().value().map_or("unknown", |value| value.word()),
        );
    }
}

/// Nodes that df-pn needs with one table and no jobs: each question is one job without a limit.
fn alone<G: Game>(start: &G, plan: &Plan) -> u64 {
    let settings = JobSettings { smallest: u64::MAX, largest: u64::MAX, ..JobSettings::default() };
    let mut coordinator = Coordinator::new(start, Aim::Value, settings);
    let mut solver = JobSolver::new(plan.cluster.memory);
    let mut nodes = 0;
    while let Some(job) = coordinator.next_job(0) {
        let job: Job<G> = job;
        let result = solver.solve(&job, &AtomicBool::new(false));
        nodes += result.nodes;
        coordinator.merge(&result);
    }
    assert_ne!(coordinator.bounds(), Bounds::OPEN, "df-pn decides it");
    nodes
}

//! The experiments of the paper on settings so small that they take a moment.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use plyproof_engine::Registry;
use plyproof_lab::experiment::overhead::OverheadPlan;
use plyproof_lab::experiment::{Experiment, Outcome, save_overview};
use plyproof_lab::sweep::{Mode, Options, Results, Sweep, SweepPlan};

const TINY: Options = Options { mode: Mode::Paper, games: Some(2), scale: 0.005 };

fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    path
}

fn play(experiment: Experiment, out: &std::path::Path, options: Options) -> Results {
    let plan = experiment.sweep_plan(&Registry::builtin(), &options).expect("a sound plan").expect("a sweep");
    let folder = experiment.folder(out, options.mode);
    let mut sweep = Sweep::open(plan, options, &folder).expect("a folder");
    let stop = AtomicBool::new(false);
    let estimate = sweep.estimate(2, &stop);
    let table = |results: &Results| experiment.table(results, "");
    let results = sweep.run(2, &estimate, &stop, &mut |_| {}, &table).expect("it runs");
    assert!(results.complete());
    let drawn = experiment.draw(&results, &folder).expect("figures");
    let files: usize = drawn.iter().map(|figure| figure.files.len()).sum();
    assert_eq!(files, 3, "{drawn:?}");
    results
}

#[test]
fn budgets_in_the_mode_paper_are_the_papers_rates_times_its_seconds() {
    let budgets = |experiment: Experiment, id: &str| {
        let plan =
            experiment.sweep_plan(&Registry::builtin(), &Options::default()).expect("a sound plan").expect("a sweep");
        let cell = plan.cells.into_iter().find(|cell| cell.id == id).unwrap_or_else(|| panic!("{id}"));
        let sims = [&cell.plan.a, &cell.plan.b].map(|side| side.budget.simulations.unwrap_or_default());
        (cell.plan.a.source.to_string(), sims[0], sims[1], cell.plan.games)
    };
    let own = |agent: &str, a, b, games| (agent.to_string(), a, b, games);
    use Experiment::{Domains, FixedSimulations, PnParameter, TimeSettings};
    for (experiment, id, expected) in [
        (PnParameter, "LOA 8x8 pn=1", own("pn-mcts", 173, 189, 250)),
        (PnParameter, "LOA 7x7 pn=1e6", own("pn-mcts(pn=1e6)", 313, 341, 250)),
        (TimeSettings, "LOA 8x8 seconds=5", own("pn-mcts", 864, 945, 250)),
        (TimeSettings, "LOA 7x7 seconds=0.1", own("pn-mcts", 31, 34, 250)),
        (Domains, "MiniShogi seconds=1", own("pn-mcts", 83, 90, 250)),
        (Domains, "Knightthrough seconds=1", own("pn-mcts", 1104, 1342, 250)),
        (Domains, "Awari seconds=2", own("pn-mcts", 1798, 1827, 250)),
        (Domains, "Gomoku, equal seconds=0.1", own("pn-mcts", 100, 100, 250)),
        (Domains, "Gomoku, slowed seconds=1", own("pn-mcts", 85, 2898, 250)),
        (Domains, "Gomoku, slowed seconds=2", own("pn-mcts", 170, 5796, 250)),
        (FixedSimulations, "LOA 8x8 pn=1e6", own("pn-mcts(pn=1e6)", 1000, 1000, 100)),
    ] {
        assert_eq!(budgets(experiment, id), expected, "{id}");
    }
    let cells = |experiment: Experiment, mode| {
        let options = Options { mode, ..Options::default() };
        experiment.sweep_plan(&Registry::builtin(), &options).expect("a sound plan").map_or(0, |plan| plan.cells.len())
    };
    assert_eq!(Experiment::ALL.map(|experiment| cells(experiment, Mode::Paper)), [0, 14, 2, 10, 18]);
    assert_eq!(Experiment::ALL.map(|experiment| cells(experiment, Mode::Time)), [0, 14, 2, 10, 15]);
}

#[test]
fn an_experiment_sets_its_results_beside_the_papers() {
    let out = folder("experiment-domains");
    let results = play(Experiment::Domains, &out, TINY);
    let table = fs::read_to_string(out.join("domains/README-table.md")).expect("a table");
    let row = |start: &str| table.lines().find(|line| line.starts_with(start)).unwrap_or_else(|| panic!("{table}"));
    assert!(row("| Awari | 2 | 9 sims / 9 sims | 2 |").contains("| 31.1 | 25.4–36.8 |"), "{table}");
    assert!(row("| Gomoku, slowed | 1 |").contains("| 9.6 | 5.9–13.2 |"), "{table}");
    assert!(table.contains("multiplied by 0.005") && table.contains("its Table II"), "{table}");
    assert!(table.contains("(win-rate-by-game.png)") && out.join("domains/win-rate-by-game.png").exists());
    let figure = fs::read_to_string(out.join("domains/win-rate-by-game.svg")).expect("a figure");
    assert!(figure.contains(">LOA 8×8<") && figure.contains(">0.1 s<") && figure.contains(">paper<"), "{figure}");
    assert_eq!(results.cells.len(), 18);
    fs::remove_dir_all(&out).expect("it is there");
}

#[test]
fn curves_have_the_papers_points_and_a_broken_axis() {
    let out = folder("experiment-curves");
    play(Experiment::PnParameter, &out, TINY);
    let figure = fs::read_to_string(out.join("pn-parameter/win-rate-by-weight.svg")).expect("a figure");
    for label in [">LOA 7×7, plyproof<", ">LOA 8×8, paper<", ">0.1<", ">50<"] {
        assert!(figure.contains(label), "{label}: {figure}");
    }
    let table = fs::read_to_string(out.join("pn-parameter/README-table.md")).expect("a table");
    assert!(table.contains("| above 50 | – | – |") && table.contains("| 91.2 | 87.7–94.7 |"), "{table}");
    fs::remove_dir_all(&out).expect("it is there");
}

#[test]
fn speeds_are_measured_beside_the_papers_and_summed_up_with_the_rest() {
    let out = folder("experiment-overhead");
    let options = Options { scale: 0.002, ..TINY };
    let plan = OverheadPlan::shipped();
    let overhead = plan.measure(&Registry::builtin(), &options, &mut |_| {}).expect("known games");
    let (files, _) = overhead.save(&Experiment::Overhead.folder(&out, Mode::Paper)).expect("a folder");
    assert_eq!(files.len(), 6);
    let table = overhead.markdown("");
    assert!(table.contains("| 1104.23 | 1342.30 | 0.82 |"), "{table}");
    assert!(table.lines().any(|line| line.starts_with("| Gomoku | ") && line.ends_with("| – | – | – |")), "{table}");
    let fixed = play(Experiment::FixedSimulations, &out, TINY);
    let outcomes =
        [(Experiment::Overhead, Outcome::Measured(overhead)), (Experiment::FixedSimulations, Outcome::Played(fixed))];
    let path = save_overview(&out, Mode::Paper, &outcomes).expect("an overview");
    let text = fs::read_to_string(path).expect("it is there");
    for image in ["overhead/speed-ratio.png", "fixed-simulations/win-rate-fixed-simulations.png"] {
        assert!(text.contains(&format!("({image})")) && out.join(image).exists(), "{image}: {text}");
    }
    fs::remove_dir_all(&out).expect("it is there");
}

#[test]
fn experiments_are_known_by_name() {
    assert_eq!(Experiment::parse("all").expect("all").len(), 5);
    assert_eq!(Experiment::parse("domains").expect("one"), [Experiment::Domains]);
    let error = Experiment::parse("domain").expect_err("unknown").to_string();
    assert!(error.contains("did you mean domains?") && error.contains("all"), "{error}");
}

#[test]
fn the_plan_for_what_differs_from_the_paper_is_sound() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../experiments/paper/differences.toml");
    let text = fs::read_to_string(&path).expect("it is part of the project");
    let plan =
        SweepPlan::parse(&Registry::builtin(), "differences.toml", &text, &Options::default()).expect("a sound plan");
    assert_eq!(plan.cells.len(), 28);
}

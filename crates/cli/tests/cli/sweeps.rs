//! Sweeps, experiments and the figures of reports.

use std::fs;

use crate::matches::Folder;
use crate::run::plyproof;

const PLAN: &str = "name = 'weights'\ngame = 'tictactoe'\na = 'pn-mcts(pn={pn})'\nb = 'mcts'\nsims = 20\ngames = 4\n\
                    [grid]\npn = [0, 1e6]\n";

#[test]
fn a_sweep_is_shown_by_the_variables_of_its_grid() {
    let folder = Folder::new("cli-sweep-pivot");
    let (plan, out) = (folder.file("weights.toml"), folder.file("out"));
    let grid = PLAN.replace("pn={pn}", "pn={pn},c={c_uct}").replace("pn = [0, 1e6]", "pn = [0, 2]\nc_uct = [0.5, 1]");
    fs::write(&plan, grid).expect("a writable directory for tests");
    let sweep: &[&str] = &["sweep", &plan, "--out", &out, "--quiet"];
    let run = plyproof(&[sweep, &["--lines", "pn", "--pivot", "pn,c_uct", "--latex"]].concat()).fine();
    assert!(run.starts_with("| pn \\ c_uct | 0.5 | 1 |\n|---|---:|---:|\n| 0 | "), "{run}");
    assert_eq!(run.lines().filter(|line| line.starts_with("| ")).count(), 3, "{run}");
    let pivot = fs::read_to_string(format!("{out}/pivot.tex")).expect("a table");
    assert!(pivot.contains("\\begin{tabular}{lrr}") && pivot.contains("pn / c\\_uct & 0.5 & 1 \\\\"), "{pivot}");
    let all = fs::read_to_string(format!("{out}/results.tex")).expect("a table");
    assert_eq!(all.matches("\\\\\n").count(), 5, "a heading and a row for each cell: {all}");
    let figure = fs::read_to_string(format!("{out}/lines-pn.svg")).expect("a figure");
    assert!(figure.contains("c_uct=0.5") || figure.contains("=0.5"), "a line for each value of the other variable");
    plyproof(&[sweep, &["--lines", "seed"]].concat())
        .refused(2, "\"seed\" is no variable of the grid; the grid has c_uct, pn");
    plyproof(&[sweep, &["--pivot", "pn"]].concat()).refused(2, "expected two variables, as in pn,c");
    plyproof(&[sweep, &["--pivot", "pn,pn"]].concat()).refused(2, "give two variables");
}

#[test]
fn a_sweep_says_how_long_it_takes_and_goes_on_where_it_was() {
    let folder = Folder::new("cli-sweep");
    let (plan, out) = (folder.file("weights.toml"), folder.file("out"));
    fs::write(&plan, PLAN).expect("a writable directory for tests");
    let estimate = plyproof(&["sweep", &plan, "--out", &out, "--estimate"]).fine();
    assert!(estimate.contains("weights: 2 cells, 8 games to play, about "), "{estimate}");
    let estimate = plyproof(&["sweep", &plan, "--out", &out, "--estimate", "--json"]).json();
    assert_eq!((&estimate["games_left"], &estimate["cells"][1]["games_left"]), (&8.into(), &4.into()));
    let paper = ["experiment", "fixed-simulations", "--scale", "0.01", "--out", &out, "--estimate", "--json"];
    assert_eq!(plyproof(&paper).json()[0]["name"], "fixed-simulations");
    assert!(!fs::exists(&out).expect("a folder"), "an estimate leaves nothing behind");
    let first = plyproof(&["sweep", &plan, "--out", &out]);
    assert_eq!(first.code, Some(0));
    assert!(first.err.starts_with("weights: 2 cells, 8 games to play, about "), "{}", first.err);
    assert!(first.err.contains("2/2, ") && first.err.contains("tictactoe pn=1e6: game 4 of 4"), "{}", first.err);
    let row = first.out.lines().find(|line| line.starts_with("tictactoe pn=1e6 ")).expect("a row");
    assert!(row.contains("  4  ") && row.contains('+') && row.ends_with('%'), "{row}");
    for name in ["results.json", "results.csv", "README-table.md", "win-rates.svg", "win-rates.png", "win-rates.pdf"] {
        assert!(fs::metadata(format!("{out}/{name}")).is_ok_and(|file| file.len() > 0), "{name}");
    }
    let again = plyproof(&["sweep", &plan, "--out", &out]);
    assert_eq!((again.code, again.err.as_str()), (Some(0), "weights: 2 cells, every game is played\n"));
    assert_eq!(again.out, first.out);
    let json = plyproof(&["sweep", &plan, "--out", &out, "--quiet", "--json"]).json();
    assert_eq!((&json["name"], &json["cells"][1]["summary"]["games"]), (&"weights".into(), &4.into()));
    let other = plyproof(&["sweep", &plan, "--out", &out, "--scale", "2"]);
    other.refused(1, "a.simulations is 20, not 40");
}

#[test]
fn a_plan_that_makes_no_sense_is_refused_with_its_line() {
    let folder = Folder::new("cli-bad-plan");
    let plan = folder.file("bad.toml");
    fs::write(&plan, PLAN.replace("'mcts'", "'mtcs'")).expect("a writable directory for tests");
    plyproof(&["sweep", &plan]).refused(2, "bad.toml:4: b: unknown agent \"mtcs\" (did you mean mcts?)");
    fs::write(&plan, b"\xff\xfe").expect("a writable directory for tests");
    plyproof(&["sweep", &plan]).refused(2, "it is not UTF-8 text");
    plyproof(&["sweep", &folder.file("none.toml")]).refused(1, "none.toml: ");
    plyproof(&["sweep", &plan, "--scale", "0"]).refused(2, "a scale is a number from");
    plyproof(&["sweep"]).refused(2, "PLAN.toml");
}

#[test]
fn an_experiment_of_the_paper_runs_on_small_settings() {
    let folder = Folder::new("cli-experiment");
    let out = folder.file("out");
    let arguments = ["experiment", "fixed-simulations", "--games", "2", "--scale", "0.01", "--out", &out];
    let run = plyproof(&arguments);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.err.starts_with("fixed-simulations: 2 cells, 4 games to play, about "), "{}", run.err);
    assert!(run.out.contains("LOA 8x8 pn=1e6") && run.out.contains("README-table.md"), "{}", run.out);
    let table = fs::read_to_string(format!("{out}/fixed-simulations/README-table.md")).expect("a table");
    assert!(
        table.contains("| LOA 8x8 | 1e6 | 10 sims / 10 sims | 2 |") && table.contains("| 9.0 | 3.4–14.6 |"),
        "{table}"
    );
    let json = plyproof(&[&arguments[..], &["--json", "--quiet"]].concat()).json();
    assert_eq!((&json[0]["name"], &json[0]["scale"]), (&"fixed-simulations".into(), &0.01.into()));
    let by_time = plyproof(&["experiment", "domains", "--mode", "time", "--estimate", "--out", &out]).fine();
    assert!(
        by_time.contains("Awari seconds=2") && !by_time.contains("slowed") && by_time.contains(" h\n"),
        "{by_time}"
    );
    plyproof(&["experiment", "domain"]).refused(2, "unknown experiment \"domain\" (did you mean domains?)");
}

#[test]
fn a_report_is_drawn_as_a_figure() {
    let folder = Folder::new("cli-report-plot");
    let (record, figure) = (folder.file("a.jsonl"), folder.file("a.svg"));
    plyproof(&["match", "tictactoe", "pn-mcts", "random", "--sims", "20", "--games", "4", "--quiet", "--out", &record])
        .fine();
    plyproof(&["report", &record, "--plot", &figure]).fine();
    let svg = fs::read_to_string(&figure).expect("a figure");
    assert!(svg.starts_with("<svg ") && svg.contains("tictactoe: pn-mcts, 20 sims – random, 20 sims"), "{svg}");
    plyproof(&["report", &record, "--plot", &folder.file("a.pdf")]).fine();
    assert!(fs::read(folder.file("a.pdf")).expect("a figure").starts_with(b"%PDF-1.4"));
    plyproof(&["report", &record, "--plot", &folder.file("a.gif")]).refused(2, "a figure is a .svg, .png or .pdf file");
    plyproof(&["report", &record, "--plot", &folder.file("none/a.svg")]).refused(1, "none/a.svg: ");
}

//! Sweeps: plans are read or refused with the line, played once, gone on with, and told in tables.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use plyproof_engine::Registry;
use plyproof_lab::sweep::{Mode, Options, Results, Sweep, SweepPlan, markdown};

const TINY: &str = r#"
name = "tiny"
title = "A tiny | sweep"
a = "pn-mcts(pn={pn})"
b = "mcts"
sims = 20
games = 4

[grid]
pn = [0, 1e6]

[[cell]]
label = "Tic-tac-toe"
game = "tictactoe"

[[cell]]
label = "Connect {w}x6"
game = "connect4(width={w})"
sims_a = 10
grid = { w = [4, 5] }
"#;

fn parse(text: &str) -> Result<SweepPlan, String> {
    SweepPlan::parse(&Registry::builtin(), "plan.toml", text, &Options::default()).map_err(|error| error.to_string())
}

fn never() -> AtomicBool {
    AtomicBool::new(false)
}

/// An empty folder that is gone when the test ends. `name` must be unique among the tests.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&path);
        Self(path)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Plays a plan; the results, and how many games were played now.
fn play(folder: &Folder, text: &str, options: Options) -> Result<(Results, u32), String> {
    let plan =
        SweepPlan::parse(&Registry::builtin(), "plan.toml", text, &options).map_err(|error| error.to_string())?;
    let mut sweep = Sweep::open(plan, options, &folder.0).map_err(|error| error.to_string())?;
    let estimate = sweep.estimate(2, &never());
    let mut played = vec![0; sweep.plan().cells.len()];
    let mut count = |progress: plyproof_lab::sweep::Progress<'_>| {
        played[progress.index] = progress.summary.games - progress.summary.resumed;
        assert!(progress.seconds_left.is_finite() && progress.seconds_left >= 0.0);
    };
    let results = sweep.run(2, &estimate, &never(), &mut count, &markdown).map_err(|error| error.to_string())?;
    Ok((results, played.iter().sum()))
}

#[test]
fn a_grid_multiplies_the_cells_that_use_it_in_the_order_written() {
    let plan = parse(TINY).expect("a sound plan");
    let ids: Vec<&str> = plan.cells.iter().map(|cell| cell.id.as_str()).collect();
    assert_eq!(
        ids,
        [
            "Tic-tac-toe pn=0",
            "Tic-tac-toe pn=1e6",
            "Connect 4x6 pn=0",
            "Connect 5x6 pn=0",
            "Connect 4x6 pn=1e6",
            "Connect 5x6 pn=1e6",
        ]
    );
    let last = &plan.cells[5];
    assert_eq!(last.plan.a.source.to_string(), "pn-mcts(pn=1e6)");
    assert_eq!((last.plan.a.budget.simulations, last.plan.b.budget.simulations), (Some(10), Some(20)));
    assert_eq!((last.number("pn"), last.number("w"), last.number("x")), (Some(1e6), Some(5.0), None));
    assert_eq!(last.record_name(), "connect-5x6-pn-1e6.jsonl");
    assert_eq!((plan.title.as_str(), last.plan.games), ("A tiny | sweep", 4));
}

#[test]
fn a_plan_without_cells_is_one_cell() {
    let plan = parse("name='one'\ngame='hex'\na='mcts'\nb='random'\ntime='1ms'\nseed=7").expect("a sound plan");
    assert_eq!((plan.cells.len(), plan.cells[0].id.as_str(), plan.title.as_str()), (1, "hex", "one"));
    assert_eq!((plan.cells[0].plan.seed, plan.cells[0].plan.games), (7, 250));
    assert_eq!(plan.cells[0].plan.a.budget.time, Some(Duration::from_millis(1)));
}

#[test]
fn a_time_with_an_increment_is_a_clock_and_an_agent_may_be_a_program() {
    let engine = "engine(cmd='no-such-program a, b',protocol=ugi)";
    let text =
        format!("name='clock'\ngame='hex'\na='mcts'\nb='random'\ntime='10s+0.1s'\n[[cell]]\n[[cell]]\nb=\"{engine}\"");
    let error = parse(&text).expect_err("no such program");
    assert!(error.starts_with("plan.toml:7: side B: ") && error.contains("cannot start no-such-program"), "{error}");
    let plan = parse(&text.replace(&format!("[[cell]]\nb=\"{engine}\""), "")).expect("a sound plan");
    let clock = plan.cells[0].plan.b.clock.expect("a clock");
    assert_eq!((clock.base, clock.increment), (Duration::from_secs(10), Duration::from_millis(100)));
    assert_eq!(plan.cells[0].plan.b.budget.time, None);
}

#[test]
fn a_time_with_a_rate_is_simulations_or_seconds_as_the_mode_says() {
    let text = "name='r'\ngame='loa'\na='pn-mcts'\nb='mcts'\ntime='{s}'\nrate_a=172.84\nrate_b=188.95\ngrid={s=[0.1,1,2]}\n\
                [[cell]]\n[[cell]]\nlabel='extra'\nsims=3\nmodes=['paper']";
    let cells = |mode| {
        let options = Options { mode, ..Options::default() };
        SweepPlan::parse(&Registry::builtin(), "p", text, &options).expect("a sound plan").cells
    };
    let budgets = |mode| {
        let sims = |cell: &plyproof_lab::sweep::Cell| [&cell.plan.a, &cell.plan.b].map(|side| side.budget.simulations);
        cells(mode).iter().map(sims).collect::<Vec<_>>()
    };
    let both = |a, b| [Some(a), Some(b)];
    assert_eq!(budgets(Mode::Paper)[..4], [both(17, 19), both(173, 189), both(346, 378), both(3, 3)]);
    assert_eq!(budgets(Mode::Time), vec![[None, None]; 3], "and the cell for the other mode is left out");
    let times: Vec<_> = cells(Mode::Time).iter().map(|cell| cell.plan.b.budget.time).collect();
    assert_eq!(times, [100, 1000, 2000].map(|ms| Some(Duration::from_millis(ms))));
}

#[test]
fn budgets_are_scaled_and_never_vanish() {
    let options = Options { scale: 0.01, games: Some(6), ..Options::default() };
    let text = "name='s'\ngame='loa'\na='mcts'\nb='mcts'\nsims_a=30\nsims_b=1000\n";
    let cell = SweepPlan::parse(&Registry::builtin(), "p", text, &options).expect("a sound plan").cells.remove(0);
    assert_eq!((cell.plan.a.budget.simulations, cell.plan.b.budget.simulations), (Some(1), Some(10)));
    assert_eq!(cell.plan.games, 6);
}

#[test]
fn a_bad_plan_is_told_by_file_line_and_key() {
    let whole = "name = 'x'\ngame = 'tictactoe'\na = 'mcts'\nb = 'mcts'\nsims = 5\n";
    for (text, part) in [
        ("name = 'x'\ngame = ", "plan.toml:2: "),
        ("title = 'x'", "plan.toml:1: name is missing"),
        ("name = '../x'", "plan.toml:1: name: \"../x\" is not fit for a folder"),
        ("name = 'ö'", "plan.toml:1: name: \"ö\" is not fit for a folder; letters from a to z would be"),
        ("name = 'x'\n\ngmae = 'loa'", "plan.toml:3: unknown key \"gmae\" (did you mean game?)"),
        ("name = 'x'\ngame = ['loa']", "plan.toml:2: game: a text or a number is expected, not a array"),
        ("name = 'x'\ngame = 'loa'\na = 'mcts'", "plan.toml:1: b is missing"),
        ("name = 'x'\ngame = 'lao'\na = 'mcts'\nb = 'mcts'\nsims = 5", "plan.toml:2: game: unknown game \"lao\""),
        ("name = 'x'\ngame = 'loa'\na = 'mtcs'\nb = 'mcts'\nsims = 5", "plan.toml:3: a: unknown agent \"mtcs\""),
        ("name = 'x'\ngame = 'loa'\na = 'mcts'\nb = 'mcts'", "plan.toml:1: side a has no budget"),
        (&format!("{whole}games = 0"), "plan.toml:6: games: \"0\" is not a whole number from 1"),
        (&format!("{whole}sims_b = 1.5"), "plan.toml:6: sims_b: \"1.5\" is not a whole number"),
        (&format!("{whole}time = 'soon'"), "plan.toml:6: time: \"soon\" is not a duration"),
        (&format!("{whole}memory = 'much'"), "plan.toml:6: memory: \"much\" is not a size"),
        (&format!("{whole}modes = ['fast']"), "plan.toml:6: modes: a list of \"paper\" and \"time\""),
        (&format!("{whole}cell = 3"), "plan.toml:6: cell: cells are written as [[cell]]"),
        (&format!("{whole}[grid]\npn = 3"), "plan.toml:7: grid.pn: the values are a list"),
        (&format!("{whole}[grid]\npn = [1, 1]"), "plan.toml:7: grid.pn: \"1\" is there twice"),
        (&format!("{whole}[grid]\npn = [1, 2]"), "plan.toml:7: grid.pn: nothing uses it; write {pn}"),
        (&format!("{whole}label = '{{pn}}'"), "plan.toml:6: label: \"{pn}\" is not filled in; there is no grid"),
        (&format!("{whole}[[cell]]\n[[cell]]\nname = 'y'"), "plan.toml:8: unknown key \"name\""),
        (
            &format!("{whole}[[cell]]\n[[cell]]"),
            "plan.toml:7: label: \"tictactoe\" and \"tictactoe\" would share a record",
        ),
        (&format!("{whole}sprt = 20"), "plan.toml:6: sprt: \"20\" is not a sequential test"),
        (&format!("{whole}sprt = '20,0'"), "plan.toml:1: a sequential test needs -1000 <= elo0 < elo1"),
        (&format!("{whole}openings = 9"), "9 random plies are too many"),
        (&format!("{whole}seed = 99999999999999999999"), "plan.toml:6: "),
    ] {
        let error = parse(text).expect_err(text);
        assert!(error.starts_with(part) || (part.starts_with('9') && error.contains(part)), "{text:?}: {error}");
        assert!(!error.contains('\n'), "{error}");
    }
    let many = format!(
        "{whole}label = '{{i}} {{j}}'\n[grid]\ni = {list}\nj = {list}",
        list = (0..200).map(|i| i.to_string()).collect::<Vec<_>>().join(",").replace("0,1,", "[0,1,") + "]"
    );
    assert!(parse(&many).expect_err("too many").contains("the grid makes more than 10000 cells"));
}

#[test]
fn a_plan_that_would_fill_the_memory_is_refused_before_it_does() {
    let whole = "name = 'x'\ngame = 'tictactoe'\nb = 'mcts'\nsims = 5\n";
    let letters = |count: usize| "x".repeat(count);
    let list = |count: usize| (0..count).map(|i| i.to_string()).collect::<Vec<_>>().join(",");
    let names = (0..33).map(|i| format!("n{i} = [1]")).collect::<Vec<_>>().join("\n");
    for (text, expected) in [
        // Texts and values of sensible length, and 300 times the one in the other.
        (
            format!("{whole}a = '{}'\n[grid]\nv = ['{}']", "{v}".repeat(300), letters(900)),
            "plan.toml:5: a: a text of 1800 bytes is too long; at most 1000 bytes",
        ),
        (
            format!("{whole}a = '{}'\n[grid]\nv = [1]", "{v}".repeat(100_000)),
            "plan.toml:5: a: a text of 300000 bytes is too long; at most 1000 bytes",
        ),
        (
            format!("{whole}a = '{{v}}'\n[grid]\nv = [1,\n'{}']", letters(600_000)),
            "plan.toml:8: grid.v: a text of 600000 bytes is too long; at most 1000 bytes",
        ),
        (
            format!("{whole}a = '{{v}}'\n[grid]\nv = [{}]", list(150_000)),
            "plan.toml:7: grid.v: 150000 values are too many; a sweep has at most 10000 cells",
        ),
        (
            format!("{whole}a = 'mcts'\n{}", "[[cell]]\n".repeat(10_001)),
            "plan.toml:6: cell: there are 10001 of them; a sweep has at most 10000 cells",
        ),
        (
            format!("{whole}a = '{{n0}}'\n[grid]\n{names}"),
            "plan.toml:6: grid: 33 names are too many; a grid has at most 32",
        ),
        (
            format!("{whole}a = '{{v}}'\n[grid]\n{} = [1]", letters(41)),
            "plan.toml:7: grid: the name \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\" is too long; at most 40 letters",
        ),
        (
            format!("{whole}a = 'mcts(c={{v}})'\nlabel='{}'\n[grid]\nv = ['0.{}']", letters(600), "1".repeat(600)),
            "plan.toml:1: label: with its values it has 1205 bytes; at most 1000 bytes",
        ),
    ] {
        assert_eq!(parse(&text).expect_err(expected), expected);
    }
    // As many as are allowed make a plan.
    let text = format!("{whole}a = 'mcts(c=0.{{v}}1)'\n[grid]\nv = [{}]", list(10_000));
    assert_eq!(parse(&text).map(|plan| plan.cells.len()), Ok(10_000));
    let twice = format!("{whole}a = '{{v}}'\n[grid]\nv = [{},\n9998]", list(9_999));
    assert_eq!(parse(&twice).expect_err("twice"), "plan.toml:8: grid.v: \"9998\" is there twice; once is enough");
}

#[test]
fn a_name_that_the_grid_does_not_have_is_told_with_those_it_has() {
    let whole = "name = 'x'\ngame = 'tictactoe'\na = 'pn-mcts(pn={pm})'\nb = 'mcts'\nsims = 5\n";
    let expected = "plan.toml:3: a: \"{pm}\" is not filled in; \
                    unknown name of the grid \"pm\" (did you mean pn?); known: pn";
    for grid in ["[grid]\npn = [1, 2]", "[[cell]]\ngrid = {pn = [1, 2]}"] {
        assert_eq!(parse(&format!("{whole}{grid}")).expect_err("misspelt"), expected, "{grid}");
    }
    let both = parse(&format!("{whole}[grid]\nc = [1]\n[[cell]]\ngrid = {{pn = [1, 2]}}")).expect_err("misspelt");
    assert!(both.starts_with("plan.toml:3: a: ") && both.ends_with("(did you mean pn?); known: c, pn"), "{both}");
    let grid = |a: &str, values: &str| {
        let text = format!("name = 'x'\ngame = 'loa'\na = '{a}'\nb = 'mcts'\nsims = 5\n[grid]\nc = ['{values}']");
        parse(&text).expect_err("braces")
    };
    let open = "plan.toml:3: a: \"{c)\" has no closing brace; a name stands between two";
    assert_eq!(grid("mcts(c={c)", "1"), open);
    let nested = "plan.toml:7: grid.c: \"{b}\" holds a brace; values are put in as they are";
    assert_eq!(grid("mcts(c={c})", "{b}"), nested);
}

#[test]
fn a_finished_sweep_plays_nothing_when_it_is_started_again() {
    let folder = Folder::new("sweep-again");
    let (first, played) = play(&folder, TINY, Options::default()).expect("it runs");
    assert_eq!((played, first.complete()), (24, true));
    let files = ["results.csv", "README-table.md", "records/tic-tac-toe-pn-0.jsonl"].map(|name| folder.read(name));
    let (again, played) = play(&folder, TINY, Options::default()).expect("it runs");
    assert_eq!(played, 0);
    assert_eq!(
        files,
        ["results.csv", "README-table.md", "records/tic-tac-toe-pn-0.jsonl"].map(|name| folder.read(name))
    );
    let counts = |results: &Results| -> Vec<u32> {
        results.cells.iter().filter_map(|cell| cell.summary.as_ref()).map(|summary| summary.wins).collect()
    };
    assert_eq!((counts(&first).len(), counts(&first)), (6, counts(&again)));
    let opened = Sweep::open(parse(TINY).expect("a plan"), Options::default(), &folder.0).expect("a folder");
    assert_eq!((opened.estimate(1, &never()).games, opened.results().complete()), (0, true));
    let more = Options { games: Some(6), ..Options::default() };
    assert_eq!(play(&folder, TINY, more).expect("it runs").1, 12, "only what is missing");
}

#[test]
fn a_stopped_sweep_says_so_and_goes_on_where_it_was() {
    let folder = Folder::new("sweep-stopped");
    let options = Options::default();
    let mut sweep = Sweep::open(parse(TINY).expect("a plan"), options, &folder.0).expect("a folder");
    let estimate = sweep.estimate(1, &never());
    assert_eq!((estimate.games, estimate.cells.len()), (24, 6));
    assert!(estimate.seconds > 0.0 && estimate.cells.iter().all(|cell| cell.seconds_a_game > 0.0));
    let stop = never();
    let mut stopper = |progress: plyproof_lab::sweep::Progress<'_>| {
        let enough = progress.index == 1 && progress.summary.games == 2;
        stop.fetch_or(enough, std::sync::atomic::Ordering::Relaxed);
    };
    let results = sweep.run(1, &estimate, &stop, &mut stopper, &markdown).expect("it runs");
    assert!(!results.complete() && results.cells[2].summary.is_none());
    let done: u32 = results.cells.iter().filter_map(|cell| Some(cell.summary.as_ref()?.games)).sum();
    let (results, played) = play(&folder, TINY, options).expect("it runs");
    assert_eq!((results.complete(), done + played), (true, 24));
}

#[test]
fn a_sequential_test_ends_a_cell_that_is_clear_and_only_that() {
    let folder = Folder::new("sweep-sprt");
    let text = "name='t'\ngame='tictactoe'\na='mcts'\nsims=60\ngames=60\nsprt='-100,100'\n\
                [[cell]]\nlabel='clear'\nb='random'\n[[cell]]\nlabel='even'\nb='mcts'\ngames=10\n";
    let (first, played) = play(&folder, text, Options::default()).expect("it runs");
    let games = |results: &Results, cell: usize| results.cells[cell].summary.as_ref().map(|summary| summary.games);
    assert!(first.complete() && games(&first, 0) < Some(60) && games(&first, 1) == Some(10), "{played}");
    let table = folder.read("README-table.md");
    assert!(table.contains("* |") && table.contains("| 10 |") && table.contains("*: ended by"), "{table}");
    assert!(folder.read("results.csv").contains(",1,H1,records/clear.jsonl"), "{}", folder.read("results.csv"));
    let opened = Sweep::open(parse(text).expect("a plan"), Options::default(), &folder.0).expect("a folder");
    assert_eq!((opened.estimate(1, &never()).games, opened.results().complete()), (0, true));
    let more = Options { games: Some(12), ..Options::default() };
    assert_eq!(play(&folder, text, more).expect("it runs").1, 2, "the clear cell stays as it is");
}

#[test]
fn a_record_of_another_match_is_refused_before_anything_is_played() {
    let folder = Folder::new("sweep-other");
    play(&folder, TINY, Options::default()).expect("it runs");
    fs::remove_file(folder.0.join("records/tic-tac-toe-pn-0.jsonl")).expect("it is there");
    let error =
        play(&folder, &TINY.replace("sims_a = 10", "sims_a = 11"), Options::default()).expect_err("another match");
    assert!(error.contains("cell Connect 4x6 pn=0") && error.contains("a.simulations is 10, not 11"), "{error}");
    assert!(!folder.0.join("records/tic-tac-toe-pn-0.jsonl").exists());
}

#[test]
fn a_folder_that_cannot_be_made_is_an_error_with_its_name() {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("sweep-in-the-way");
    fs::write(&file, "").expect("a writable directory for tests");
    // To look whether there are records, and how long it would take, needs no folder.
    let opened = Sweep::open(parse(TINY).expect("a plan"), Options::default(), &file.join("below"));
    let mut sweep = opened.expect("nothing is written so far");
    let estimate = sweep.estimate(1, &never());
    let run = sweep.run(1, &estimate, &never(), &mut |_| panic!("nothing is played"), &markdown);
    let error = run.map(|_| ()).expect_err("a file is no folder").to_string();
    fs::remove_file(&file).expect("it is there");
    assert!(error.contains("cannot make the folder") && error.contains("sweep-in-the-way"), "{error}");
}

#[test]
fn tables_hold_every_cell_and_survive_odd_names() {
    let folder = Folder::new("sweep-tables");
    let text = TINY.replace("\"Tic-tac-toe\"", "\"a|b, \\\"c\\\"\"");
    play(&folder, &text, Options { games: Some(2), ..Options::default() }).expect("it runs");
    let table = folder.read("README-table.md");
    assert!(table.starts_with("## A tiny | sweep\n\n| cell | A | B |"), "{table}");
    assert!(table.contains("| a\\|b, \"c\" pn=0 | pn-mcts(pn=0), 20 sims | mcts, 20 sims | 2 |"), "{table}");
    let csv = folder.read("results.csv");
    let mut lines = csv.lines();
    let columns = lines.next().map(|line| line.split(',').count());
    assert!(csv.starts_with("id,label,pn,w,game,a,"), "{csv}");
    assert_eq!((lines.clone().count(), columns), (6, Some(26)));
    assert!(lines.clone().next().is_some_and(|line| line.starts_with("\"a|b, \"\"c\"\" pn=0\",")), "{csv}");
    let plain = lines.last().map(|line| line.split(',').count());
    assert_eq!(plain, columns, "{csv}");
    let json: serde_json::Value = serde_json::from_str(&folder.read("results.json")).expect("JSON");
    assert_eq!((&json["name"], &json["cells"][0]["values"]["pn"]), (&"tiny".into(), &"0".into()));
    assert_eq!((&json["cells"][3]["summary"]["games"], &json["mode"]), (&2.into(), &"paper".into()));
}

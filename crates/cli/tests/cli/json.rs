//! The JSON that plyproof writes is what docs/json.md says: every field, its type, and whether it is always there.

mod document;

use std::collections::BTreeSet;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;

use plyproof_web::{StatusOptions, StatusServer};
use serde_json::Value;

use crate::matches::Folder;
use crate::run::{Ran, TemporaryFile, command, plyproof, plyproof_with, ran};
use document::Document;

/// What the document promises and these runs cannot show: section, field, type.
const NOT_REACHED: [(&str, &str, &str); 19] = [
    // Only of a search that takes longer than a test may.
    ("plyproof solve --progress", "solver", "string"),
    ("plyproof solve --progress", "turn", "integer"),
    // Every job that was lost had a worker.
    ("The status of a proof by jobs", "losses[].job", "null"),
    ("The status of a proof by jobs", "losses[].worker", "null"),
    // Only of a tournament that was interrupted before a player's first game.
    ("plyproof tournament", "players[].elo_error", "null"),
    ("plyproof tournament", "players[].score", "null"),
    // Only of a sweep that was interrupted.
    ("plyproof sweep", "cells[].summary", "null"),
    // Only if a table is wrong.
    ("plyproof table", "check.first", "string"),
    // Only of a measurement or an analysis that was interrupted, or of a game that is over before its first move.
    ("plyproof analyse", "games[].moves[].best", "null"),
    ("plyproof balance", "[].play[].first_score", "null"),
    ("plyproof balance", "[].play[].first_score95", "null"),
    ("plyproof balance", "[].play[].draw_share", "null"),
    ("plyproof balance", "[].play[].draw_share95", "null"),
    ("plyproof balance", "[].play[].mean_plies", "null"),
    ("plyproof balance", "[].play[].branching", "null"),
    ("plyproof games NAME", "example_move", "null"),
    // Only of rules that break a promise, which is a mistake of ours, or that are too slow to test.
    ("plyproof rules check", "report.violation", "string"),
    ("plyproof rules check", "report.contract", "null"),
    // Only of rules in GDL.
    ("plyproof rules check", "report.sizes", "null"),
];

/// JSON that belongs to a section of the document.
type Sample = (&'static str, Value);

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// What a command printed, whatever its exit code is.
#[track_caller]
fn printed(run: Ran) -> Value {
    assert!(run.out.starts_with(['{', '[']), "{}", run.err);
    json(&run.out)
}

fn with_json(arguments: &[&str]) -> Value {
    printed(plyproof(&[arguments, &["--json"]].concat()))
}

/// `section` with what each of the commands prints.
fn samples<const N: usize>(section: &'static str, commands: [&[&str]; N]) -> Vec<Sample> {
    commands.into_iter().map(|arguments| (section, with_json(arguments))).collect()
}

#[test]
fn positions_and_lists_are_as_documented() {
    let over: &[&str] = &["tictactoe", "--moves", "a1 b1 a2 b2 a3"];
    let near: &[&str] = &["tictactoe", "--moves", "a1 b1 a2 b2"];
    let mut all = samples(
        "plyproof show",
        [
            &[&["show"], over].concat(),
            &["show", "minishogi", "--notation", "usi"],
            &["show", "loa(size=4)", "--notation", "openspiel"],
        ],
    );
    all.extend(samples(
        "plyproof search",
        [
            &[&["search"], over].concat(),
            &[&["search"], near, &["--agent", "pns", "--sims", "100"]].concat(),
            &[&["search"], near, &["--agent", "plyproof", "--sims", "100"]].concat(),
            &["search", "loa(size=3)", "--agent", "pns", "--sims", "1000"],
            &["search", "tictactoe", "--agent", "random"],
            &["search", "tictactoe", "--agent", "mcts", "--sims", "50"],
            &["search", "loa", "--agent", "pn-mcts", "--sims", "3000", "--memory", "100kB"],
        ],
    ));
    all.extend(samples("plyproof perft", [&["perft", "tictactoe", "2"], &["perft", "tictactoe", "2", "--divide"]]));
    all.extend(samples("plyproof games", [&["games"]]));
    all.extend(samples("plyproof agents", [&["agents"]]));
    all.extend(samples("plyproof games NAME", [&["games", "minishogi"], &["games", "hex(size=3)"]]));
    all.extend(samples("plyproof agents NAME", [&["agents", "pn-mcts"], &["agents", "random"]]));
    compare(&all);
}

/// Of games from rules files.
fn rules(folder: &Folder) -> Vec<Sample> {
    let own = |name: &str| format!("{}/../rules/tests/data/{name}", env!("CARGO_MANIFEST_DIR"));
    let written = |name: &str, text: &str| {
        let path = folder.file(name);
        fs::write(&path, text).expect("a file");
        path
    };
    let (take, certificate) = (own("take.rbg"), folder.file("take.cert"));
    plyproof(&["solve", &take, "--memory", "1MB", "--certificate", &certificate]).fine();
    let head = "#players = a(1), b(1)\n#pieces = e, x\n#variables =\n#board = rectangle(up, down, left, right, [e])\n";
    let over = written("over.rbg", &format!("{head}#rules = {{x}} ->a [x] ->>\n"));
    let broken = written("broken.rbg", &format!("{head}#rules = ->a [y] ->>\n"));
    let alike = "#rules = ->a (left* + right*) {e} [x] (left* + right*) {e} [x] ->>\n";
    let alike = written("alike.rbg", &(head.replace("[e]", "[e, e]") + alike));
    let unfinished = written("unfinished.rbg", "#players = a(1), b(1)\n");
    let [fits, differs] = [("1", "fits.jsonl"), ("3", "differs.jsonl")].map(|(count, name)| {
        let once = written("once.rbg", &format!("{head}#rules = ->a [x] ->>\n"));
        let line = r#"{"kind":"game","cells":["rx0y0"],"pieces":["e","x"],"vars":["a","b"],"players":2,"modifiers":
            ["->a","[x]","->>"],"init":{"board":"0","vars":[0,0],"cell":"rx0y0"},"perft":[COUNT]}"#;
        let oracle = written(name, &line.replace('\n', "").replace("COUNT", count));
        ("plyproof rules replay", with_json(&["rules", "replay", &once, &oracle]))
    });
    let mut all = samples("plyproof verify", [&["verify", &certificate]]);
    all.extend(samples(
        "plyproof rules check",
        [
            &["rules", "check", &take],
            &["rules", "check", &own("choice.rbg")],
            &["rules", "check", &over],
            &["rules", "check", &broken],
            &["rules", "check", &unfinished],
            &["rules", "check", &alike],
            &["rules", "check", &format!("{take}(none=1)")],
        ],
    ));
    all.extend([fits, differs]);
    all
}

/// The log of a search by jobs with a checkpoint, and what a status page gets that hears of it.
fn watched_jobs(folder: &Folder) -> Vec<Sample> {
    let (log, state) = (folder.file("jobs.log"), folder.file("jobs.state"));
    let solve = ["solve", "tictactoe", "--jobs", "2", "--memory", "16MB", "--log", &log, "--checkpoint", &state];
    assert_eq!(plyproof(&solve).code, Some(0));
    let mut lines: Vec<Value> = fs::read_to_string(&log).expect("a log").lines().map(json).collect();
    let numbered = |event: &str| lines.iter().filter(|line| line["event"] == event).count();
    assert_eq!((numbered("begin"), numbered("end")), (1, 1));
    let (last, results) = (&lines[lines.len() - 1], numbered("result"));
    assert_eq!((last["event"].as_str(), last["value"].as_str()), (Some("end"), Some("draw")));
    assert!(results > 0 && results as u64 == last["done"].as_u64().unwrap_or(0) + last["stale"].as_u64().unwrap_or(0));
    let won = folder.file("won.log");
    plyproof(&["solve", "tictactoe", "--moves", "a1 b1 a2 b2", "--jobs", "1", "--memory", "16MB", "--log", &won])
        .fine();
    lines.extend(fs::read_to_string(&won).expect("a log").lines().map(json));
    let options = StatusOptions { game: "tictactoe".to_string(), ..StatusOptions::default() };
    let server = StatusServer::start(&options).expect("a free port");
    let mut lost = lines.iter().find(|line| line["event"] == "out").expect("a job").clone();
    server.tell(&serde_json::from_value(lost.clone()).expect("a line"));
    lost["event"] = "lost".into();
    for line in [&lost].into_iter().chain(&lines) {
        server.tell(&serde_json::from_value(line.clone()).expect("a line"));
    }
    let host = server.url().trim_start_matches("http://").trim_end_matches('/').to_string();
    let mut found: Vec<Sample> = vec![("The status of a proof by jobs", json(&body(&host, "/status.json")))];
    let mut busy = lines.iter().find(|line| line["event"] == "out").expect("a job").clone();
    busy["worker"] = 1.into();
    server.tell(&serde_json::from_value(busy).expect("a line"));
    found.push(("The status of a proof by jobs", json(&body(&host, "/status.json"))));
    found.extend(lines.drain(..).map(|line| ("plyproof solve --log", line)));
    found
}

/// The body of what a server answers.
fn body(host: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(host).expect("it listens");
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    answer.split_once("\r\n\r\n").expect("a header").1.to_string()
}

#[test]
fn proofs_and_tables_are_as_documented() {
    let folder = Folder::new("cli-json-proofs");
    let (certificate, loa) = (folder.file("a.cert"), folder.file("loa3.table"));
    let near: &[&str] = &["solve", "tictactoe", "--moves", "a1 b1 a2 b2", "--memory", "1MB", "--all-moves"];
    let mut all = samples(
        "plyproof solve",
        [
            &[near, &["--certificate", &certificate]].concat(),
            &[near, &["--nodes", "1"]].concat(),
            &["solve", "tictactoe", "--memory", "20kB", "--certificate", &folder.file("b.cert")],
            &["solve", "tictactoe", "--moves", "a1 b1 a2 b2 a3"],
            &["solve", "tictactoe", "--agent", "pns", "--nodes", "50", "--memory", "1MB"],
            &["solve", "othello(size=4)", "--goal", "score", "--memory", "16MB"],
            &["solve", "tictactoe", "--jobs", "2", "--memory", "16MB"],
        ],
    );
    for moves in ["", "a1 b1 a2 b2", "a1 b1 a2 b2 a3"] {
        let solve = ["solve", "tictactoe", "--moves", moves, "--memory", "1MB", "--progress", "--json"];
        all.extend(plyproof(&solve).err.lines().map(|line| ("plyproof solve --progress", json(line))));
    }
    let jobs = ["solve", "tictactoe", "--jobs", "2", "--memory", "16MB", "--progress", "--json"];
    all.extend(plyproof(&jobs).err.lines().map(|line| ("plyproof solve --progress", json(line))));
    all.extend(watched_jobs(&folder));
    all.extend(samples("plyproof verify", [&["verify", &certificate]]));
    all.extend(rules(&folder));
    all.extend(samples(
        "plyproof table",
        [
            &["table", "loa(size=3)", "--out", &loa],
            &["table", "--check", &loa, "--sample", "3"],
            &["table", "awari", "--max-seeds", "2", "--out", &folder.file("awari.table")],
        ],
    ));
    let puzzles = folder.file("tictactoe.puzzles");
    let make = ["puzzles", "tictactoe", "--make", "1", "--least-nodes", "1", "--out", &puzzles];
    all.extend(samples("plyproof puzzles --make", [&make]));
    all.extend(samples(
        "plyproof puzzles",
        [
            &["puzzles", "tictactoe", "--file", &puzzles, "--sims", "5"],
            &["puzzles", "tictactoe", "--file", &puzzles, "--time", "1ms"],
        ],
    ));
    compare(&all);
}

/// A record as a program that plays with clocks writes it, with a game that ended in an error.
const WITH_CLOCKS: &str = r#"{"record":"plyproof match","format":1,"version":"0.1.0","game":"tictactoe","a":{"agent":"mcts","clock_us":1000000,"increment_us":5000},"b":{"agent":"mcts","clock_us":1000000,"increment_us":5000},"seed":1,"openings":0,"max_plies":2500,"position":".../.../... x","book":"0123456789abcdef","adjudicate":true}
{"pair":0,"game":0,"first":"a","moves":"","result":"loss","reason":"error","error":"no move","plies":0,"sims_a":[],"sims_b":[],"proven_a":{},"proven_b":{},"ms_a":0.5,"ms_b":0.0,"notes_a":["an engine"],"notes_b":["another"]}
"#;

#[test]
fn matches_and_their_records_are_as_documented() {
    let folder = Folder::new("cli-json-matches");
    let [a, b, clocks, empty] = ["a.jsonl", "b.jsonl", "clocks.jsonl", "empty.jsonl"].map(|name| folder.file(name));
    let both: &[&str] = &["match", "tictactoe", "pn-mcts", "pn-mcts(pn=2)", "--quiet", "--openings", "1", "--out", &a];
    let mut all = samples(
        "plyproof match",
        [
            &[both, &["--sims", "20", "--games", "20", "--sprt", "-9,9"]].concat(),
            &["match", "tictactoe", "mcts", "random", "--quiet", "--sims", "20", "--games", "60", "--sprt", "-99,99"],
            &["match", "tictactoe", "--time", "1ms", "--memory", "1MB", "--games", "2", "--quiet", "--shard", "1/1"],
        ],
    );
    let sharded = ["match", "tictactoe", "--sims", "9", "--games", "4", "--quiet", "--shard", "1/2", "--out", &b];
    plyproof(&sharded).fine();
    let cut = fs::read_to_string(&a).expect("a record") + "{\"pair\":";
    let with_cut_line = folder.file("cut.jsonl");
    fs::write(&with_cut_line, &cut).expect("a writable folder");
    fs::write(&clocks, WITH_CLOCKS).expect("a writable folder");
    fs::write(&empty, WITH_CLOCKS.lines().next().expect("a header").replace("\"seed\":1", "\"seed\":2") + "\n")
        .expect("a writable folder");
    let files = [&a, &b, &with_cut_line, &clocks, &empty].map(String::as_str);
    all.push(("plyproof report", printed(plyproof(&[&["report", "--format", "json"], &files[..]].concat()))));
    let parted = folder.file("parted.jsonl");
    let part = ["match", "tictactoe", "mcts", "random", "--sims", "5", "--games", "2", "--quiet", "--out", &parted];
    plyproof(&[&part[..], &["--part", "1/1"]].concat()).fine();
    plyproof(&[&part[..], &["--collect"]].concat()).fine();
    for file in [&a, &b, &clocks, &parted] {
        let text = fs::read_to_string(file).expect("a record");
        let (header, games) = text.split_once('\n').expect("a header");
        all.push(("The header of a record", json(header)));
        all.extend(games.lines().map(|line| ("A game of a record", json(line))));
    }
    fs::write(&a, &cut).expect("a writable folder");
    let resumed = with_json(&[both, &["--sims", "20", "--games", "20", "--sprt", "-9,9"]].concat());
    assert_eq!(resumed["resumed"], 20);
    all.push(("plyproof match", resumed));
    let (own, record) =
        (format!("{}/../rules/tests/data/take.rbg", env!("CARGO_MANIFEST_DIR")), folder.file("own.jsonl"));
    plyproof(&["match", &own, "mcts", "random", "--sims", "9", "--games", "2", "--out", &record, "--quiet"]).fine();
    let own_record = fs::read_to_string(&record).expect("a record");
    all.push(("The header of a record", json(own_record.lines().next().expect("a header"))));
    let tournament = ["tournament", "tictactoe", "mcts", "pn-mcts", "random", "--sims", "9", "--games", "2", "--quiet"];
    all.extend(samples("plyproof tournament", [&tournament]));
    compare(&all);
}

#[test]
fn analyses_and_balances_are_as_documented() {
    let analysed = |arguments: &[&str], game: &[u8]| {
        let arguments = [&["analyse", "-", "--json", "--quiet"], arguments].concat();
        ("plyproof analyse", printed(plyproof_with(&arguments, game)))
    };
    let lost = b"[Game \"tictactoe\"]\n\n1. a1 b1 3. a2 b2 5. a3 1-0\n";
    let open = b"[Game \"loa(size=5)\"]\n\n1. b1b3 *\n";
    let unproven = ["--prove", "0", "--time", "20ms"];
    compare(&[analysed(&["--sims", "100"], lost), analysed(&unproven, open)]);
    let balance = ["balance", "--sims", "5", "--games", "2", "--random", "10", "--quiet"];
    let never = [&balance[..], &["loa(size=5)", "--solve", "1ms"]].concat();
    let solved = [&balance[..], &["tictactoe", "--solve", "5s"]].concat();
    let not_asked = [&balance[..], &["tictactoe", "--solve", "0"]].concat();
    compare(&samples("plyproof balance", [&never, &solved, &not_asked]));
}

#[test]
fn replays_are_as_documented() {
    let right = r#"{"game":"connect4(width=1,height=1)","plies":[{"mover":1,"legal":["a"],"move":"a"}],"result":0}"#;
    let wrong = right.replace("[\"a\"]", "[\"b\"]");
    let replay = |text: &str| printed(plyproof_with(&["replay", "-", "--json"], text.as_bytes()));
    compare(&[("plyproof replay", replay(right)), ("plyproof replay", replay(&wrong))]);
}

#[test]
fn evaluations_are_as_documented() {
    let folder = Folder::new("cli-json-evaluations");
    let [quick, measured] = ["quick.eval", "measured.eval"].map(|name| folder.file(name));
    let train: &[&str] = &["train", "tictactoe", "--games", "300", "--hidden", "16"];
    let mut all = samples(
        "plyproof train",
        [
            &[train, &["--quiet", "--out", &quick]].concat(),
            &[train, &["--best-use", "2", "--move-time", "1ms", "--out", &measured]].concat(),
        ],
    );
    let near_the_end = ["eval", &measured, "--moves", "a1 b1 a2 b2"];
    all.extend(samples("plyproof eval", [&["eval", &quick], &near_the_end]));
    compare(&all);
}

const PLAN: &str = "name = 'weights'\ngame = 'tictactoe'\na = 'pn-mcts(pn={pn})'\nb = 'mcts'\ngames = 2\n\
    [[cell]]\nlabel = 'counted'\nsims = 10\ngrid = { pn = [0, 1] }\n\
    [[cell]]\nlabel = 'timed'\na = 'mcts'\ntime = '1ms'\n";

/// How far a sweep is, before it was submitted, and after that with a queue to ask and without.
fn states(sweep: &[&str], out: &str, folder: &Folder) -> Vec<Sample> {
    let status = [sweep, &["--status", "--json"]].concat();
    let mut all = samples("plyproof sweep --status", [&[sweep, &["--status"]].concat()]);
    fs::create_dir_all(format!("{out}/slurm")).expect("a writable folder");
    fs::write(format!("{out}/slurm/jobs.json"), r#"{"array":1,"collect":2,"parts":3}"#).expect("a writable folder");
    let bin = folder.file("bin");
    fs::create_dir_all(&bin).expect("a writable folder");
    let ask = || printed(ran(command(&status).env("PATH", &bin).output().expect("the binary runs")));
    all.push(("plyproof sweep --status", ask()));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let squeue = format!("{bin}/squeue");
        fs::write(&squeue, "#!/bin/sh\necho RUNNING\n").expect("a writable folder");
        fs::set_permissions(&squeue, fs::Permissions::from_mode(0o755)).expect("a script");
        all.push(("plyproof sweep --status", ask()));
    }
    all
}

#[test]
fn sweeps_experiments_and_benchmarks_are_as_documented() {
    let folder = Folder::new("cli-json-sweeps");
    let plan = TemporaryFile::new("cli-json-plan.toml", PLAN.as_bytes());
    let out = folder.file("out");
    let sweep: &[&str] = &["sweep", plan.path(), "--quiet", "--out", &out];
    let mut all = samples("plyproof sweep --estimate", [&[sweep, &["--estimate"]].concat()]);
    let results = with_json(sweep);
    assert_eq!(json(&fs::read_to_string(format!("{out}/results.json")).expect("results")), results);
    all.push(("plyproof sweep", results));
    all.extend(samples("plyproof sweep --check", [&[sweep, &["--check"]].concat()]));
    all.extend(samples("plyproof sweep --part", [&[sweep, &["--part", "1/2"]].concat()]));
    all.extend(states(sweep, &out, &folder));
    let digests = fs::read_to_string(format!("{out}/digests.txt")).expect("digests");
    let (before, last) = digests.split_once("counted-pn-1.jsonl 2 ").expect("the line of a cell");
    let other = format!("{before}counted-pn-1.jsonl 2 {:016x}{}", 0, &last[16..]);
    fs::write(format!("{out}/digests.txt"), other).expect("a writable folder");
    all.extend(samples("plyproof sweep --check", [&[sweep, &["--check"]].concat()]));

    let of_experiment = |section, name, more: &[&str]| {
        let run = [&["experiment", name, "--scale", "0.001", "--games", "2", "--quiet", "--out", &out], more].concat();
        let Value::Array(list) = with_json(&run) else { panic!("{name} prints no list") };
        list.into_iter().map(move |value| (section, value)).collect::<Vec<Sample>>()
    };
    all.extend(of_experiment("plyproof sweep --estimate", "overhead", &["--estimate"]));
    all.extend(of_experiment("plyproof sweep --estimate", "fixed-simulations", &["--estimate"]));
    all.extend(of_experiment("plyproof sweep", "fixed-simulations", &[]));
    all.extend(of_experiment("plyproof experiment overhead", "overhead", &[]));
    let small: &[&str] = &["--game", "tictactoe", "--seconds", "0.001"];
    all.extend(samples("plyproof bench playouts", [&[&["bench", "playouts"], small].concat()]));
    all.extend(samples("plyproof bench search", [&[&["bench", "search"], small].concat()]));
    compare(&all);
}

#[test]
fn every_command_with_json_has_a_section_and_every_section_a_test() {
    let help = plyproof(&["help"]).fine();
    let listed = help.lines().skip_while(|line| !line.starts_with("Commands:")).skip(1);
    // A description that is too long for a line goes on further to the right.
    let begins = |line: &&str| !line.starts_with("   ");
    let commands = listed.take_while(|line| line.starts_with("  ")).filter(begins);
    let commands = commands.filter_map(|line| line.split_whitespace().next());
    let document = Document::read();
    let mut documented: BTreeSet<&str> = document.sections().collect();
    for name in commands.filter(|name| *name != "help") {
        let has_json = |help: String| help.contains("--json") || help.contains("- json:");
        let bench = || ["playouts", "search"].iter().any(|what| has_json(plyproof(&[name, what, "--help"]).fine()));
        if has_json(plyproof(&[name, "--help"]).fine()) || name == "bench" && bench() {
            let section = |heading: &&str| heading.split(' ').take(2).eq(["plyproof", name]);
            assert!(documented.iter().any(section), "{name} has --json and no section in docs/json.md");
        }
    }
    let source = include_str!("json.rs");
    documented.retain(|heading| !source.contains(&format!("\"{heading}\"")));
    assert!(documented.is_empty(), "sections of docs/json.md without a test: {documented:?}");
}

/// Every sample agrees with its section, and whatever these sections promise occurs in one of the samples.
#[track_caller]
fn compare(samples: &[Sample]) {
    let document = Document::read();
    let (mut seen, mut wrong) = (BTreeSet::new(), Vec::new());
    for (section, value) in samples {
        document.compare(section, value, &mut seen, &mut wrong);
    }
    for (section, path, kind) in document.promised(samples.iter().map(|(section, _)| *section)) {
        let unreachable = NOT_REACHED.contains(&(&section, &path, kind));
        let shown = seen.contains(&(section.clone(), path.clone(), kind));
        if shown && unreachable {
            wrong.push(format!("{section}: {path} is {kind} in these runs and need not be in NOT_REACHED"));
        } else if !shown && !unreachable {
            wrong.push(format!("{section}: {path} is said to be {kind}, which is so in none of the runs"));
        }
    }
    wrong.sort();
    wrong.dedup();
    assert!(wrong.is_empty(), "docs/json.md:\n{}", wrong.join("\n"));
}

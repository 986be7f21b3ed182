//! Matches, tournaments and their reports, and matches that are killed.

use std::fs;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;

use crate::run::{Ran, command, plyproof, ran};

/// A folder of its own for each test, empty at its beginning and gone at its end.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a writable directory for tests");
        Self(path)
    }

    pub fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("a UTF-8 path").to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const SMALL: &[&str] = &["match", "tictactoe", "pn-mcts", "mcts", "--sims", "30"];

fn small(more: &[&str]) -> Ran {
    plyproof(&[SMALL, more].concat())
}

/// The games of a record by pair and place, without the times.
fn games(path: &str) -> Vec<Value> {
    let text = fs::read_to_string(path).expect("a record");
    let mut games: Vec<Value> = text.lines().skip(1).map(|line| serde_json::from_str(line).expect("JSON")).collect();
    games.sort_by_key(|game| (game["pair"].as_u64(), game["game"].as_u64()));
    for game in &mut games {
        let game = game.as_object_mut().expect("an object");
        assert!(game.remove("ms_a").is_some() && game.remove("ms_b").is_some());
    }
    games
}

#[test]
fn a_match_tells_its_progress_in_lines_and_its_result_in_words() {
    let run = small(&["--games", "5", "--openings", "1"]);
    assert_eq!(run.code, Some(0));
    let mut told = run.err.lines();
    assert_eq!(told.next(), Some("games come in pairs: 6 instead of 5"));
    assert!(told.all(|line| line.starts_with("game ") && line.contains(" of 6  +") && line.contains("score ")));
    assert!(run.err.ends_with('\n') && run.err.contains("game 6 of 6") && !run.err.contains('\u{1b}'), "{}", run.err);
    assert!(
        run.out.starts_with("tictactoe: A = pn-mcts, 30 sims, B = mcts, 30 sims\n6 games, seed 1, 1 random ply in")
    );
    for part in
        ["A's results ", "score ", "win rate ", "Elo ", "pairs ", "A first, second +", "game length ", "A's search "]
    {
        assert!(run.out.contains(&format!("\n{part}")), "{part}: {}", run.out);
    }
    assert_eq!(small(&["--games", "2", "--quiet"]).err, "");
}

#[test]
fn a_match_as_json_is_one_object_that_adds_up() {
    let result = small(&["--games", "10", "--openings", "2", "--json", "--quiet", "--sims-b", "5"]).json();
    let number = |name: &str| result[name].as_u64().expect(name);
    assert_eq!((&result["game"], &result["a"], &result["b"]), (&"tictactoe".into(), &"pn-mcts".into(), &"mcts".into()));
    assert_eq!(number("games"), 10);
    assert_eq!(number("wins") + number("draws") + number("losses"), 10);
    let pairs: Vec<u64> = result["pentanomial"].as_array().expect("a list").iter().filter_map(Value::as_u64).collect();
    assert_eq!((pairs.len(), pairs.iter().sum()), (5, 5));
    let rate = result["win_rate_without_draws"].as_f64().expect("a rate");
    let [low, high] = [0, 1].map(|end| result["wilson95"][end].as_f64().expect("an interval"));
    assert!(low <= rate && rate <= high && result["score"].as_f64().is_some_and(|score| (0.0..=1.0).contains(&score)));
    assert!(result["elo"].is_number() || result["elo"].is_null());
    assert_eq!((&result["side_a"]["simulations"], &result["side_b"]["simulations"]), (&30.into(), &5.into()));
    assert_eq!(result["side_b"]["sims_per_move"], 5.0);
    let colours = ["a_first", "a_second"].map(|colour| result[colour]["wins"].as_u64().expect("wins"));
    assert_eq!(colours[0] + colours[1], number("wins"));
}

#[test]
fn a_match_killed_ten_times_ends_with_the_games_of_an_undisturbed_one() {
    let folder = Folder::new("killed");
    let (killed, whole) = (folder.file("killed.jsonl"), folder.file("whole.jsonl"));
    let arguments = ["match", "connect4(width=4,height=4)", "--sims", "200", "--games", "60", "--jobs", "2", "--out"];
    let mut state = 7u64;
    for _ in 0..10 {
        let mut child = command(&[&arguments[..], &[&killed]].concat())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary runs");
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        std::thread::sleep(Duration::from_millis(10 + (state >> 58)));
        // Killed in the middle or just finished: either must do.
        child.kill().expect("killed");
        child.wait().expect("gone");
    }
    let resumed = plyproof(&[&arguments[..], &[&killed, "--json", "--quiet"]].concat()).json();
    let at_once = plyproof(&[&arguments[..], &[&whole, "--json", "--quiet"]].concat()).json();
    assert_eq!(games(&killed), games(&whole));
    for name in ["games", "wins", "draws", "losses", "pentanomial", "elo95", "mean_plies", "complete"] {
        assert_eq!(resumed[name], at_once[name], "{name}");
    }
    let again = plyproof(&[&arguments[..], &[&killed, "--json", "--quiet"]].concat()).json();
    assert_eq!((&again["resumed"], &again["games"]), (&60.into(), &60.into()));
}

#[cfg(unix)]
#[test]
fn an_interrupted_or_terminated_match_prints_what_it_has() {
    let folder = Folder::new("interrupted");
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let path = folder.file(&format!("{signal}.jsonl"));
        let run = stopped_by(signal, &path);
        assert_eq!((run.code, run.err.contains("panicked")), (Some(code), false), "{signal}: {}", run.err);
        assert!(run.out.contains("not complete: 2,000 planned"), "{signal}: {}", run.out);
        assert!(fs::read_to_string(&path).expect("a record").ends_with('\n'), "{signal}: a whole record");
    }
}

/// A match with a record at `path` that gets a signal when it has begun.
#[cfg(unix)]
fn stopped_by(signal: &str, path: &str) -> Ran {
    // Long enough that it cannot be over before the signal arrives.
    let arguments = ["match", "tictactoe", "--time", "30ms", "--games", "2000", "--out", path];
    let child = command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary runs");
    // The header is written after the handler is set: from then on a signal is heard.
    while fs::metadata(path).map_or(0, |file| file.len()) == 0 {
        std::thread::sleep(Duration::from_millis(5));
    }
    let sent = std::process::Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status();
    assert!(sent.expect("kill runs").success());
    ran(child.wait_with_output().expect("it ends"))
}

#[test]
fn a_record_that_cannot_be_written_is_a_failure_with_one_line() {
    let folder = Folder::new("unwritable");
    let missing = folder.file("no/such/match.jsonl");
    small(&["--quiet", "--out", &missing]).refused(1, "match.jsonl: cannot be written: ");
    small(&["--quiet", "--out", &folder.file("")]).refused(1, "cannot be written: ");
    if cfg!(target_os = "linux") {
        let run = small(&["--quiet", "--out", "/dev/full"]);
        run.refused(1, "/dev/full: cannot be written: No space left on device");
        assert_eq!(run.out, "");
    }
}

#[test]
fn a_record_goes_on_says_so_and_refuses_another_match() {
    let folder = Folder::new("goes_on");
    let path = folder.file("match.jsonl");
    small(&["--games", "4", "--quiet", "--out", &path]).fine();
    fs::write(&path, fs::read_to_string(&path).expect("a record") + "{\"pair\":2,").expect("written");
    let run = small(&["--games", "8", "--out", &path]);
    assert_eq!(run.code, Some(0));
    assert!(
        run.err.contains("match.jsonl was torn and is kept in") && run.err.contains("match.jsonl.torn\n"),
        "{}",
        run.err
    );
    assert!(run.err.contains("4 games are in the record, 4 to be played"), "{}", run.err);
    assert_eq!(fs::read_to_string(path.clone() + ".torn").expect("kept"), "{\"pair\":2,\n");
    small(&["--games", "8", "--seed", "2", "--quiet", "--out", &path]).refused(1, "another match: seed is 1, not 2");
}

#[test]
fn a_game_over_at_once_and_an_agent_without_search_are_no_trouble() {
    let text = plyproof(&["match", "domineering(size=1)", "--games", "2", "--quiet"]).fine();
    assert!(text.contains("1 win, 0 draws, 1 loss") && text.contains("over before the first move"), "{text}");
    let result = plyproof(&["match", "hex(size=2)", "minimax", "random", "--games", "4", "--quiet", "--json"]).json();
    assert_eq!(result["a_first"]["wins"], 2);
    let result =
        plyproof(&["match", "loa", "random", "random", "--games", "2", "--max-plies", "3", "--quiet", "--json"]);
    let result = result.json();
    assert_eq!((&result["draws"], &result["ply_limit"], &result["mean_plies"]), (&2.into(), &2.into(), &3.0.into()));
}

#[test]
fn reports_are_the_matches_again_in_every_format() {
    let folder = Folder::new("reports");
    let parts = [1, 2].map(|part| folder.file(&format!("{part}.jsonl")));
    for (part, path) in (1..).zip(&parts) {
        small(&["--games", "8", "--quiet", "--shard", &format!("{part}/2"), "--out", path]).fine();
    }
    let whole = small(&["--games", "8", "--quiet", "--json"]).json();
    let other = folder.file("other.jsonl");
    small(&["--games", "2", "--quiet", "--seed", "2", "--out", &other]).fine();
    let report = |files: &[&str], format: &str| plyproof(&[&["report", "--format", format], files].concat());
    let all = [parts[0].as_str(), &parts[1], &other];

    let listed = report(&all, "json").json();
    let listed = listed.as_array().expect("a list");
    assert_eq!(listed.len(), 2);
    for name in ["game", "a", "b", "games", "wins", "draws", "losses", "pentanomial", "wilson95", "complete"] {
        assert_eq!(listed[0][name], whole[name], "{name}");
    }
    assert_eq!((listed[0]["files"].as_array().map(Vec::len), &listed[1]["seed"]), (Some(2), &2.into()));

    let csv = report(&all, "csv").fine();
    let columns = csv.lines().next().expect("a header").split(',').count();
    assert_eq!((csv.lines().count(), columns), (3, 23));
    assert!(
        csv.lines().nth(1).is_some_and(|line| line.starts_with("tictactoe,\"pn-mcts, 30 sims\",\"mcts, 30 sims\",8,"))
    );
    let markdown = report(&all, "md").fine();
    assert!(
        markdown.lines().count() == 4 && markdown.lines().all(|line| line.matches('|').count() == 10),
        "{markdown}"
    );
    let table = report(&all, "table").fine();
    assert_eq!(table.lines().count(), 3, "{table}");
    assert!(report(&all[..1], "table").fine().contains("not complete: 6 planned"));
    let twice = report(&[&parts[0], &parts[0], &parts[1]], "table").fine();
    assert!(twice.contains("8 games, seed 1\n") && twice.contains("4 games were found more than once"), "{twice}");

    report(&["no/such/file"], "table").refused(1, "no/such/file: ");
    let garbage = folder.file("garbage");
    fs::write(&garbage, crate::run::garbage()).expect("written");
    report(&[&garbage], "json").refused(1, "garbage: ");
}

#[test]
fn a_tournament_prints_a_cross_table_and_goes_on() {
    let folder = Folder::new("cross_table");
    let records = folder.file("records");
    let arguments = ["tournament", "tictactoe", "mcts", "random", "pn-mcts", "--sims", "30", "--games", "6", "--quiet"];
    let text = plyproof(&[&arguments[..], &["--out", &records]].concat()).fine();
    assert!(text.starts_with("tictactoe: 18 games, seed 1\n\nagent "), "{text}");
    assert_eq!(fs::read_dir(&records).expect("a folder").count(), 3);
    let again = plyproof(&[&arguments[..], &["--out", &records, "--json"]].concat()).json();
    assert_eq!((&again["complete"], &again["meetings"][0]["resumed"]), (&true.into(), &6.into()));
    let players = again["players"].as_array().expect("a list");
    assert_eq!((players.len(), &players[2]["agent"], &players[2]["games"]), (3, &"random".into(), &12.into()));
    let sum: f64 = players.iter().filter_map(|player| player["elo"].as_f64()).sum();
    assert!(sum.abs() < 1e-6 && players.iter().all(|player| player["elo_error"].as_f64().is_some_and(|e| e > 0.0)));
    let gauntlet = plyproof(&[&arguments[..], &["--gauntlet", "--json"]].concat()).json();
    assert_eq!(gauntlet["meetings"].as_array().map(Vec::len), Some(2));
    let file = folder.file("file");
    fs::write(&file, "").expect("written");
    plyproof(&[&arguments[..], &["--out", &file]].concat()).refused(1, "file: cannot be made");
}

//! Matches on the disk: going on after an end at any byte, refusing what does not fit, merging parts.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use plyproof_engine::{AnyGame, Registry};
use plyproof_lab::matches::{
    GameRecord, MatchError, MatchPlan, Side, Summary, TournamentPlan, merge, record, run, run_tournament,
};

/// A folder of its own for each test, empty at its beginning.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a writable directory for tests");
    path
}

fn open(game: &str) -> Box<dyn AnyGame> {
    Registry::builtin().open(game).expect("a game")
}

fn side(agent: &str) -> Side {
    Side::parse(agent, 20).expect("an agent")
}

fn plan(games: u32) -> MatchPlan {
    MatchPlan { games, openings: 1, ..MatchPlan::new(open("tictactoe"), side("pn-mcts"), side("mcts")) }
}

fn play(plan: &MatchPlan, path: &Path) -> Result<Summary, MatchError> {
    run(plan, 2, Some(path), &AtomicBool::new(false), &mut |_| {})
}

/// The games of a record in their order, without the times.
fn games(path: &Path) -> Vec<GameRecord> {
    let mut record = record::Reader::open(path).expect("a record");
    let mut games: Vec<GameRecord> = std::iter::from_fn(|| record.next_game().expect("a game")).collect();
    games.sort_by_key(|game| (game.pair, game.game));
    games.iter_mut().for_each(|game| (game.ms_a, game.ms_b) = (0.0, 0.0));
    games
}

/// A summary without what differs from run to run.
fn lasting(summary: &Summary) -> Summary {
    let mut summary = Summary { resumed: 0, set_aside: None, ..summary.clone() };
    (summary.side_a.ms_per_move, summary.side_b.ms_per_move) = (None, None);
    summary
}

#[track_caller]
fn refused(result: Result<Summary, MatchError>, parts: &[&str]) {
    let error = result.expect_err("it must be refused").to_string();
    assert!(parts.iter().all(|part| error.contains(part)) && !error.contains('\n'), "{error}");
}

#[test]
fn the_same_seed_gives_the_same_games_whatever_the_jobs() {
    let folder = folder("jobs");
    let plan = plan(12);
    let mut found = Vec::new();
    for jobs in [1, 2, 5] {
        let path = folder.join(format!("{jobs}.jsonl"));
        let summary = run(&plan, jobs, Some(&path), &AtomicBool::new(false), &mut |_| {}).expect("played");
        assert_eq!((summary.games, summary.complete), (12, true));
        found.push((games(&path), lasting(&summary)));
    }
    assert!(found.windows(2).all(|two| two[0] == two[1]));
    let other = folder.join("other.jsonl");
    play(&MatchPlan { seed: 2, ..plan }, &other).expect("played");
    assert_ne!(games(&other), found[0].0, "another seed gives other games");
}

#[test]
fn a_record_cut_at_any_byte_goes_on_to_the_same_games() {
    let folder = folder("cut");
    let whole = folder.join("whole.jsonl");
    let undisturbed = play(&plan(4), &whole).expect("played");
    let bytes = fs::read(&whole).expect("a record");
    // Every cut of the header and around the ends of lines, and some in between.
    let ends: Vec<usize> = (0..bytes.len()).filter(|&i| bytes[i] == b'\n').collect();
    for cut in (0..=bytes.len()).filter(|cut| cut % 37 == 0 || ends.iter().any(|end| end.abs_diff(*cut) <= 2)) {
        let path = folder.join(format!("{cut}.jsonl"));
        fs::write(&path, &bytes[..cut]).expect("written");
        let summary = play(&plan(4), &path).unwrap_or_else(|error| panic!("cut at {cut}: {error}"));
        assert_eq!(lasting(&summary), lasting(&undisturbed), "cut at {cut}");
        assert_eq!(games(&path), games(&whole), "cut at {cut}");
        // What was torn is kept, byte by byte.
        let good = ends.iter().rev().find(|&&end| end < cut).map_or(0, |end| end + 1);
        let aside = folder.join(format!("{cut}.jsonl.torn"));
        assert_eq!(summary.set_aside.is_some(), good < cut);
        if good < cut {
            let kept = fs::read(&aside).expect("set aside");
            assert_eq!((&kept[..cut - good], &kept[cut - good..]), (&bytes[good..cut], &b"\n"[..]));
            assert!(summary.set_aside.is_some_and(|note| note.contains(".jsonl.torn")));
        } else {
            assert!(!aside.exists());
        }
    }
}

#[test]
fn a_finished_record_plays_nothing_and_changes_nothing() {
    let path = folder("finished").join("match.jsonl");
    play(&plan(4), &path).expect("played");
    let before = fs::read(&path).expect("a record");
    let again = play(&plan(4), &path).expect("nothing to do");
    assert_eq!((again.games, again.resumed), (4, 4));
    assert_eq!(fs::read(&path).expect("a record"), before);
    for (left, why) in [(0, "it is empty"), (40, "it is cut off inside its header line")] {
        fs::write(&path, &before[..left]).expect("written");
        let error = merge(&[&path]).expect_err("nothing to sum up").to_string();
        assert!(error.contains("match.jsonl") && error.contains(why), "{error}");
    }
}

#[test]
fn more_games_are_added_and_fewer_are_the_first_of_them() {
    let folder = folder("more");
    let (grown, at_once) = (folder.join("grown.jsonl"), folder.join("at_once.jsonl"));
    let four = play(&plan(4), &grown).expect("played");
    let ten = play(&plan(10), &grown).expect("played");
    assert_eq!((ten.games, ten.resumed), (10, 4));
    play(&plan(10), &at_once).expect("played");
    assert_eq!(games(&grown), games(&at_once));
    let fewer = play(&plan(4), &grown).expect("nothing to do");
    assert_eq!(lasting(&fewer), lasting(&four));
}

#[test]
fn another_configuration_is_refused_with_what_differs() {
    let path = folder("another").join("match.jsonl");
    play(&plan(2), &path).expect("played");
    let before = fs::read(&path).expect("a record");
    let plan = plan(2);
    let stronger = Side::parse("mcts(c=0.7)", 40).expect("an agent");
    for (other, parts) in [
        (MatchPlan { seed: 7, ..plan.clone() }, &["match.jsonl: it holds another match: seed is 1, not 7"][..]),
        (
            MatchPlan { b: stronger, ..plan.clone() },
            &["b.agent is mcts, not mcts(c=0.7)", "b.simulations is 20, not 40"],
        ),
        (MatchPlan { game: open("connect4"), ..plan.clone() }, &["game is tictactoe, not connect4"]),
        (MatchPlan { openings: 2, ..plan.clone() }, &["openings is 1, not 2"]),
        (MatchPlan { max_plies: 50, ..plan.clone() }, &["max_plies is 2500, not 50"]),
        (MatchPlan { sprt: Some((0.0, 5.0)), ..plan.clone() }, &["sprt is nothing, not [0.0,5.0]"]),
        (MatchPlan { shard: Some((1, 2)), ..plan.clone() }, &["shard is nothing, not [1,2]"]),
    ] {
        refused(play(&other, &path), parts);
    }
    assert_eq!(fs::read(&path).expect("a record"), before, "nothing is lost");
    let spelled = MatchPlan { game: open(" tictactoe ( ) "), ..plan };
    assert_eq!(play(&spelled, &path).expect("the same match").resumed, 2);
}

#[test]
fn a_record_of_a_newer_version_is_refused_and_left_alone() {
    let path = folder("newer").join("match.jsonl");
    play(&plan(2), &path).expect("played");
    let text = fs::read_to_string(&path).expect("a record");
    let own = env!("CARGO_PKG_VERSION");
    for (from, to) in [
        ("\"format\":1".to_string(), "\"format\":2,\"news\":[]"),
        (format!("\"version\":\"{own}\""), "\"version\":\"99.0.0\""),
    ] {
        let newer = text.replace(&from, to);
        assert_ne!(newer, text);
        fs::write(&path, &newer).expect("written");
        refused(play(&plan(2), &path), &["match.jsonl: it was written by plyproof ", "newer than this plyproof"]);
        assert!(merge(&[&path]).expect_err("newer").to_string().contains("newer than"));
        assert_eq!(fs::read_to_string(&path).expect("there"), newer);
    }
    fs::write(&path, text.replace(&format!("\"version\":\"{own}\""), "\"version\":\"0.0.9\"")).expect("written");
    assert_eq!(play(&plan(2), &path).expect("an older record goes on").resumed, 2);
}

#[test]
fn damage_that_is_not_at_the_end_is_refused_with_its_line() {
    let path = folder("damage").join("match.jsonl");
    play(&plan(4), &path).expect("played");
    let text = fs::read_to_string(&path).expect("a record");
    let mut lines: Vec<&str> = text.lines().collect();
    lines[2] = "{\"pair\":0";
    let damaged = lines.join("\n") + "\n";
    fs::write(&path, &damaged).expect("written");
    refused(play(&plan(4), &path), &["match.jsonl: line 3 is not a game of a match"]);
    assert_eq!(fs::read_to_string(&path).expect("there"), damaged);
}

#[test]
fn what_is_no_record_is_refused_and_left_alone() {
    let folder = folder("foreign");
    for (name, bytes) in [
        ("notes.txt", &b"buy milk"[..]),
        ("notes2.txt", b"buy milk\nand bread\n"),
        ("other.json", b"{\"record\":\"something else\",\"format\":1,\"version\":\"0.1.0\"}\n"),
        ("half.json", b"{\"rec: not ours"),
        ("zeros", &[0; 1000]),
        ("packed", b"\x1f\x8bgzip"),
    ] {
        let path = folder.join(name);
        fs::write(&path, bytes).expect("written");
        refused(play(&plan(2), &path), &[name]);
        assert_eq!(fs::read(&path).expect("there"), bytes, "{name}");
        assert!(merge(&[&path]).is_err());
    }
}

#[test]
fn a_record_that_another_match_writes_to_is_refused() {
    let path = folder("locked").join("match.jsonl");
    play(&plan(2), &path).expect("played");
    let other = OpenOptions::new().append(true).open(&path).expect("there");
    other.lock().expect("locked");
    refused(play(&plan(4), &path), &["another match is writing to it"]);
    drop(other);
    assert_eq!(play(&plan(4), &path).expect("free again").games, 4);
}

#[test]
fn a_full_disk_and_a_folder_that_is_not_there_are_told() {
    let folder = folder("nowhere");
    refused(play(&plan(2), &folder), &["cannot be written"]);
    refused(play(&plan(2), &folder.join("no/such/match.jsonl")), &["no/such/match.jsonl: cannot be written"]);
    let file = folder.join("file");
    fs::write(&file, "").expect("written");
    refused(play(&plan(2), &file.join("match.jsonl")), &["cannot be written"]);
    if cfg!(target_os = "linux") {
        refused(play(&plan(2), Path::new("/dev/full")), &["/dev/full: cannot be written", "no game is in it"]);
    }
}

#[test]
fn stopping_keeps_what_is_finished_and_the_rest_comes_later() {
    let folder = folder("stopping");
    let (path, whole) = (folder.join("match.jsonl"), folder.join("whole.jsonl"));
    let stop = AtomicBool::new(false);
    let stopped = run(&plan(40), 2, Some(&path), &stop, &mut |summary| {
        stop.store(summary.games >= 5, Ordering::Relaxed);
    });
    let stopped = stopped.expect("stopped");
    assert!((5..40).contains(&stopped.games) && !stopped.complete, "{}", stopped.games);
    assert_eq!(games(&path).len(), stopped.games as usize);
    assert!(play(&plan(40), &path).expect("played").complete);
    play(&plan(40), &whole).expect("played");
    assert_eq!(games(&path), games(&whole));
}

#[test]
fn shards_are_the_whole_match_once_they_are_merged() {
    let folder = folder("shards");
    let whole = folder.join("whole.jsonl");
    let undivided = play(&plan(14), &whole).expect("played");
    let parts: Vec<PathBuf> = (1..=3).map(|part| folder.join(format!("{part}.jsonl"))).collect();
    for (part, path) in (1..).zip(&parts) {
        let summary = play(&MatchPlan { shard: Some((part, 3)), ..plan(14) }, path).expect("played");
        assert_eq!(summary.games, if part == 1 { 6 } else { 4 }, "of seven pairs");
    }
    let merged = merge(&parts).expect("records");
    assert_eq!((merged.len(), merged[0].repeated), (1, 0));
    assert_eq!(lasting(&merged[0].summary), lasting(&undivided));
    let gaps = merge(&[&parts[0], &parts[2]]).expect("records");
    assert_eq!((gaps[0].summary.games, gaps[0].summary.complete), (10, false));
    let twice = merge(&[&parts[0], &whole, &parts[0]]).expect("records");
    assert_eq!((twice.len(), twice[0].repeated, twice[0].summary.games), (1, 12, 14));
    let other = folder.join("other.jsonl");
    play(&MatchPlan { seed: 2, ..plan(2) }, &other).expect("played");
    assert_eq!(merge(&[&whole, &other]).expect("records").len(), 2, "another seed is another match");
}

#[test]
fn a_torn_record_is_merged_without_its_last_line_and_not_changed() {
    let path = folder("torn").join("match.jsonl");
    play(&plan(4), &path).expect("played");
    let mut file = OpenOptions::new().append(true).open(&path).expect("there");
    file.write_all(b"{\"pair\":2,\"ga").expect("written");
    let before = fs::read(&path).expect("a record");
    let merged = merge(&[&path]).expect("a record");
    assert_eq!((merged[0].summary.games, &merged[0].torn), (4, &vec![path.clone()]));
    assert_eq!(fs::read(&path).expect("a record"), before);
}

#[test]
fn a_sequential_test_ends_a_match_early_and_the_same_way_every_time() {
    let folder = folder("sprt");
    let plan = MatchPlan {
        games: 400,
        sprt: Some((0.0, 150.0)),
        ..MatchPlan::new(open("connect4(width=4,height=4)"), side("mcts"), side("random"))
    };
    let mut summaries = Vec::new();
    for jobs in [1, 3] {
        let path = folder.join(format!("{jobs}.jsonl"));
        let summary = run(&plan, jobs, Some(&path), &AtomicBool::new(false), &mut |_| {}).expect("played");
        assert_eq!(summary.sprt.and_then(|sprt| sprt.verdict), Some("H1"));
        assert!(summary.games < 100 && summary.games.is_multiple_of(2) && summary.complete, "{}", summary.games);
        let again = play(&plan, &path).expect("nothing to do");
        assert_eq!(lasting(&again), lasting(&summary));
        assert_eq!(lasting(&merge(&[&path]).expect("a record")[0].summary).games, summary.games);
        summaries.push(lasting(&summary));
    }
    assert_eq!(summaries[0], summaries[1]);
}

#[test]
fn plans_that_cannot_be_played_are_refused() {
    let plan = plan(2);
    let endless = Side { budget: Default::default(), ..side("mcts") };
    for (wrong, part) in [
        (MatchPlan { b: endless, ..plan.clone() }, "side B needs simulations or time"),
        (MatchPlan { games: 0, ..plan.clone() }, "0 games"),
        (MatchPlan { max_plies: 0, ..plan.clone() }, "at most 0 plies"),
        (MatchPlan { openings: 9, ..plan.clone() }, "9 random plies are too many for tictactoe"),
        (MatchPlan { openings: 5000, ..plan.clone() }, "at most 1000"),
        (MatchPlan { openings: 3, max_plies: 3, ..plan.clone() }, "at most 2"),
        (MatchPlan { shard: Some((3, 2)), ..plan.clone() }, "no part 3 of 2"),
        (MatchPlan { shard: Some((0, 0)), ..plan.clone() }, "no part 0 of 0"),
        (MatchPlan { shard: Some((1, 2)), sprt: Some((0.0, 5.0)), ..plan.clone() }, "cannot be split"),
        (MatchPlan { sprt: Some((5.0, 5.0)), ..plan.clone() }, "elo0 < elo1"),
        (MatchPlan { sprt: Some((0.0, f64::NAN)), ..plan.clone() }, "elo0 < elo1"),
    ] {
        let found = run(&wrong, 1, None, &AtomicBool::new(false), &mut |_| {});
        assert!(matches!(&found, Err(MatchError::Plan(why)) if why.contains(part)), "{found:?}");
    }
}

#[test]
fn a_tournament_goes_on_with_its_records_and_takes_new_players() {
    let folder = folder("tournament");
    let sides = |agents: &[&str]| agents.iter().map(|agent| side(agent)).collect();
    let plan = TournamentPlan {
        game: open("tictactoe"),
        sides: sides(&["mcts", "pn-mcts", "random"]),
        gauntlet: false,
        games: 6,
        seed: 1,
        openings: 0,
        max_plies: 2500,
        book: None,
        position: None,
        adjudicate: false,
    };
    let play = |plan: &TournamentPlan| {
        let mut resumed = Vec::new();
        let told = &mut |round: plyproof_lab::matches::Round<'_>| {
            if resumed.len() < round.number {
                resumed.push(round.summary.resumed);
            }
        };
        let standings = run_tournament(plan, 2, Some(&folder), &AtomicBool::new(false), told).expect("played");
        (standings, resumed)
    };
    let (three, resumed) = play(&plan);
    assert_eq!((three.players.len(), three.meetings.len(), three.complete), (3, 3, true));
    assert_eq!(resumed, [0, 0, 0]);
    assert_eq!(three.players[2].agent, "random");
    assert!(three.players.iter().all(|player| player.games == 12));
    // The same players in another order, and a new one: what was played stays.
    let (four, resumed) =
        play(&TournamentPlan { sides: sides(&["random", "mcts(c=0.5)", "pn-mcts", "mcts"]), ..plan.clone() });
    assert_eq!((four.meetings.len(), resumed), (6, vec![0, 6, 6, 0, 0, 6]));
    let (gauntlet, resumed) = play(&TournamentPlan { gauntlet: true, ..plan.clone() });
    assert_eq!((gauntlet.meetings.len(), resumed), (2, vec![6, 6]));
    let other = TournamentPlan { seed: 2, ..plan.clone() };
    let refused = run_tournament(&other, 1, Some(&folder), &AtomicBool::new(false), &mut |_| {});
    assert!(refused.expect_err("another seed").to_string().contains("it holds another match: seed is"));
    for (agents, part) in [(&["mcts"][..], "at least two"), (&["mcts", "random", "mcts()"], "mcts is given twice")] {
        let wrong = TournamentPlan { sides: sides(agents), ..plan.clone() };
        assert!(wrong.matches().expect_err("wrong").to_string().contains(part));
    }
}

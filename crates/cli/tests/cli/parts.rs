//! Sweeps, experiments and matches in parts, and what is written for Slurm.

use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::matches::Folder;
use crate::run::{Ran, command, plyproof, ran};

const PLAN: &str = "name = 'weights'\ngame = 'tictactoe'\na = 'pn-mcts(pn={pn})'\nb = 'mcts'\nsims = 20\ngames = 6\n\
                    [grid]\npn = [0, 1e6]\n";

/// A folder with the plan; its path and that of the results.
fn begun(name: &str, plan: &str) -> (Folder, String, String) {
    let folder = Folder::new(name);
    let (file, out) = (folder.file("weights.toml"), folder.file("out"));
    fs::write(&file, plan).expect("a writable directory for tests");
    (folder, file, out)
}

fn digests(out: &str) -> String {
    fs::read_to_string(format!("{out}/digests.txt")).expect("digests")
}

#[test]
fn a_sweep_in_parts_has_the_games_of_one_run() {
    let (folder, plan, out) = begun("cli-parts", PLAN);
    let sweep = |options: &[&str]| plyproof(&[&["sweep", &plan, "--out", &out, "--quiet"], options].concat());
    sweep(&["--collect"]).refused(1, "weights: 12 games are missing, of part 1 of 1");
    assert_eq!(sweep(&["--part", "2/4"]).fine(), "part 2/4: 4 games, 4 played now, 0 left\n");
    assert_eq!(sweep(&["--part", "2/4"]).fine(), "part 2/4: 4 games, 0 played now, 0 left\n");
    let status = sweep(&["--status"]).fine();
    assert!(status.contains("weights: 2 cells, 4 games played, 8 left, in 3 of 4 parts\n"), "{status}");
    assert!(status.contains(" of processor time, from the times of the games so far"), "{status}");
    sweep(&["--collect"]).refused(1, "weights: 8 games are missing, of parts 1, 3, 4 of 4: play them again");
    for part in ["1/4", "3/4", "4/4"] {
        sweep(&["--part", part]).fine();
    }
    let json = sweep(&["--status", "--json"]).json();
    assert_eq!((&json["sweeps"][0]["games"], &json["sweeps"][0]["games_left"]), (&12.into(), &0.into()));
    assert_eq!((&json["queue"], &json["sweeps"][0]["cells"][1]["complete"]), (&serde_json::Value::Null, &true.into()));
    let collected = sweep(&["--collect", "--pivot", "pn,game"]).fine();
    assert!(collected.starts_with("| pn \\ game |"), "{collected}");
    let whole = folder.file("whole");
    plyproof(&["sweep", &plan, "--out", &whole, "--quiet"]).fine();
    assert_eq!(digests(&out), digests(&whole));
    // A sweep in one go finds every game, and so does a part after it.
    let again = plyproof(&["sweep", &plan, "--out", &out]);
    assert_eq!(again.err, "weights: 2 cells, every game is played\n");
    assert!(plyproof(&["sweep", &plan, "--out", &whole, "--part", "1/1"]).fine().contains(" 0 played now, 0 left"));
}

#[test]
fn experiments_and_matches_have_parts_too() {
    let folder = Folder::new("cli-parts-experiment");
    let out = folder.file("out");
    let play: &[&str] = &["--games", "2", "--scale", "0.01", "--out", &out, "--quiet"];
    let experiment = |options: &[&str]| plyproof(&[&["experiment", "fixed-simulations"], play, options].concat());
    assert_eq!(experiment(&["--part", "1/2"]).fine(), "part 1/2: 2 games, 2 played now, 0 left\n");
    experiment(&["--collect"]).refused(1, "fixed-simulations: 2 games are missing, of part 2 of 2");
    let json = experiment(&["--part", "2/2", "--json"]).json();
    assert_eq!((&json["part"], &json["played"], &json["left"]), (&2.into(), &2.into(), &0.into()));
    assert!(experiment(&["--collect"]).fine().contains("comparison with the paper: "));
    plyproof(&["experiment", "overhead", "--part", "1/2"]).refused(2, "overhead measures speeds on one machine");

    let record = folder.file("m.jsonl");
    let options = ["tictactoe", "mcts", "random", "--sims", "20", "--games", "10", "--quiet", "--out", &record];
    let played = |more: &[&str]| plyproof(&[&["match"], &options[..], more].concat());
    for part in ["1/3", "3/3"] {
        assert!(played(&["--part", part]).fine().contains(" 0 left\n"));
    }
    played(&["--collect"]).refused(1, "2 pairs are missing, of the parts 2 of 3");
    played(&["--part", "2/3"]).fine();
    let merged = played(&["--collect", "--json"]).json();
    let whole = plyproof(&[&["match"], &options[..8], &["--json"]].concat()).json();
    for field in ["games", "planned", "complete", "wins", "pentanomial", "mean_plies"] {
        assert_eq!(merged[field], whole[field], "{field}");
    }
    plyproof(&["match", "--part", "1/2"]).refused(2, "--out");
    played(&["--part", "1/2", "--shard", "1/2"]).refused(2, "cannot be used with");
}

#[test]
fn the_number_of_a_part_comes_from_the_cluster() {
    let (_folder, plan, out) = begun("cli-parts-auto", PLAN);
    let part = |text: &str, variables: &[(&str, &str)]| -> Ran {
        let arguments = ["sweep", &plan, "--out", &out, "--quiet", "--part", text];
        let mut run = command(&arguments);
        for name in ["SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", "JOB_COMPLETION_INDEX", "PLYPROOF_PARTS"] {
            run.env_remove(name);
        }
        ran(run.envs(variables.iter().copied()).output().expect("the binary runs"))
    };
    let slurm = [("SLURM_ARRAY_TASK_ID", "3")];
    assert!(part("auto/4", &slurm).fine().starts_with("part 3/4: "));
    assert!(part("auto/4", &[("JOB_COMPLETION_INDEX", "0")]).fine().starts_with("part 1/4: "));
    assert!(part("auto", &[("JOB_COMPLETION_INDEX", "1"), ("PLYPROOF_PARTS", "5")]).fine().starts_with("part 2/5: "));
    let array = [("SLURM_ARRAY_TASK_MIN", "1"), ("SLURM_ARRAY_TASK_MAX", "6"), ("SLURM_ARRAY_TASK_COUNT", "6")];
    assert!(part("auto", &[&slurm[..], &array].concat()).fine().starts_with("part 3/6: "));
    // A part of an array has another count.
    let few = [("SLURM_ARRAY_TASK_MIN", "3"), ("SLURM_ARRAY_TASK_MAX", "4"), ("SLURM_ARRAY_TASK_COUNT", "2")];
    part("auto", &[&slurm[..], &few].concat()).refused(2, "how many parts there are is not known; give auto/N");
    part("auto/4", &[]).refused(2, "auto needs SLURM_ARRAY_TASK_ID or JOB_COMPLETION_INDEX");
    part("auto/4", &[("SLURM_ARRAY_TASK_ID", "0")]).refused(2, "a part: its number and how many there are, as in 3/8");
    part("auto/4", &[("SLURM_ARRAY_TASK_ID", "x")]).refused(2, "SLURM_ARRAY_TASK_ID is x, which is no number");
    part("auto8", &slurm).refused(2, "a part is I/N, as in 3/8, or auto");
    part("9/8", &[]).refused(2, "\"9/8\" is not a part");
}

/// A game that lasts, so that a kill finds it running.
#[cfg(target_os = "linux")]
const LONG: &str = "name = 'long'\ngame = 'connect4'\na = 'mcts'\nb = 'pn-mcts'\nsims = 3000\ngames = 12\nopenings = 4\nmax_plies = 12\n";

#[cfg(target_os = "linux")]
#[test]
fn a_part_that_is_killed_or_ended_goes_on_where_it_was() {
    let (folder, plan, out) = begun("cli-parts-killed", LONG);
    let arguments = ["sweep", &plan, "--out", &out, "--quiet", "--jobs", "1", "--part", "1/1"];
    let record = format!("{out}/parts/connect4/1-of-1.jsonl");
    let lines = || fs::read_to_string(&record).map_or(0, |text| text.lines().count());
    for (signal, code) in [("-KILL", None), ("-TERM", Some(143))] {
        let before = lines();
        let mut child = command(&arguments).stdout(std::process::Stdio::piped()).spawn().expect("the binary runs");
        while lines() <= before && child.try_wait().expect("a child").is_none() {
            std::thread::sleep(Duration::from_millis(5));
        }
        let sent = std::process::Command::new("kill").args([signal, &child.id().to_string()]).status();
        assert!(sent.is_ok_and(|status| status.success()), "{signal}");
        let ended = ran(child.wait_with_output().expect("it ends"));
        assert_eq!(ended.code, code, "{}", ended.out);
    }
    let text = fs::read_to_string(&record).expect("a record");
    assert!(text.ends_with('\n') && text.lines().count() < 13, "whole lines, and not all of them");
    plyproof(&arguments).fine();
    plyproof(&["sweep", &plan, "--out", &out, "--quiet", "--collect"]).fine();
    let whole = folder.file("whole");
    plyproof(&["sweep", &plan, "--out", &whole, "--quiet"]).fine();
    assert_eq!(digests(&out), digests(&whole));
}

#[test]
fn values_for_slurm_are_refused_unless_they_are_plain() {
    let (_folder, plan, out) = begun("cli-parts-values", PLAN);
    let sweep = |options: &[&str]| plyproof(&[&["sweep", &plan, "--out", &out], options].concat());
    sweep(&["--slurm", "--dry-run", "--partition", "a;reboot"]).refused(2, "expected the name of a partition");
    sweep(&["--slurm", "--dry-run", "--time", "4h"]).refused(2, "expected a time as Slurm writes it");
    sweep(&["--slurm", "--dry-run", "--mem", "x"]).refused(2, "expected a size as Slurm writes it");
    sweep(&["--slurm", "--parts", "0"]).refused(2, "not a whole number from 1");
    sweep(&["--time", "1:00"]).refused(2, "--time is for --slurm");
    sweep(&["--parts", "3"]).refused(2, "--parts is for --slurm, --status and --collect");
    sweep(&["--part", "1/2", "--collect"]).refused(2, "cannot be used with");
    assert!(!Path::new(&out).exists(), "nothing is written");
}

/// Programs named sbatch and squeue that write down how they were called; the folder to put first in PATH.
#[cfg(target_os = "linux")]
fn fake_slurm(folder: &Folder) -> String {
    use std::os::unix::fs::PermissionsExt;
    let bin = folder.file("bin");
    fs::create_dir_all(&bin).expect("a folder");
    for (name, answer) in [("sbatch", "echo $(( $(wc -l < calls) + 40 ))"), ("squeue", "cat queue")] {
        let path = format!("{bin}/{name}");
        fs::write(&path, format!("#!/bin/sh\ncd {bin}\necho {name} \"$@\" >> calls\n{answer}\n")).expect("a script");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a script");
    }
    fs::write(format!("{bin}/queue"), "").expect("a file");
    bin
}

#[cfg(target_os = "linux")]
#[test]
fn the_files_for_slurm_run_whatever_the_folder_is_called() {
    let (folder, plan, _) = begun("cli-parts-slurm", PLAN);
    let (bin, out) = (fake_slurm(&folder), folder.file("it's $(touch bad) `x` %a; out"));
    let path = format!("{bin}:{}", std::env::var("PATH").unwrap_or_default());
    let run = |options: &[&str]| -> Ran {
        let mut run = command(&[&["sweep", &plan, "--out", &out, "--quiet"], options].concat());
        ran(run.env("PATH", &path).output().expect("the binary runs"))
    };
    let script = |file: &str, part: &str| {
        let mut run = std::process::Command::new("bash");
        let run = run.arg(format!("{out}/slurm/{file}")).env("PATH", &path).env("SLURM_ARRAY_TASK_ID", part);
        ran(run.output().expect("a shell"))
    };
    let dry = run(&["--slurm", "--dry-run", "--parts", "3"]).fine();
    assert!(dry.contains("parts.sbatch\n") && !Path::new(&format!("{bin}/calls")).exists(), "{dry}");
    let wishes = ["--partition", "short", "--time", "1:00:00", "--mem", "2G", "--array-limit", "2", "--latex"];
    let submitted = run(&[&["--slurm", "--parts", "3"], &wishes[..]].concat()).fine();
    assert_eq!(submitted, "submitted: job 41 with 3 parts, and job 42, which collects them\n");
    let text = fs::read_to_string(format!("{out}/slurm/parts.sbatch")).expect("a script");
    for line in ["array=1-3%2", "requeue", "signal=B:TERM@30", "partition=short", "time=1:00:00", "mem=2G"] {
        assert!(text.contains(&format!("#SBATCH --{line}\n")), "{line}: {text}");
    }
    assert!(text.contains("%%a; out/slurm/logs/part-%a.log\"\n"), "{text}");
    let calls = fs::read_to_string(format!("{bin}/calls")).expect("calls");
    assert!(calls.contains("sbatch --parsable --dependency=afterany:41 "), "{calls}");
    // While they are in the queue nothing is submitted a second time.
    fs::write(format!("{bin}/queue"), "RUNNING\nPENDING\n").expect("a file");
    run(&["--slurm", "--parts", "3"]).refused(1, "jobs 41 and 42 are still in the queue for this folder");
    assert!(run(&["--status"]).fine().contains("queue: jobs 41 and 42, 2 running and 2 waiting\n"));
    // Two of the parts are played; the collection submits the third again, and the end submits nothing.
    assert!(script("parts.sbatch", "1").fine().starts_with("part 1/3: 4 games"));
    script("parts.sbatch", "3").fine();
    let collected = script("collect.sbatch", "");
    assert_eq!((collected.code, collected.err.contains("4 games are missing, of part 2 of 3")), (Some(0), true));
    assert!(collected.out.contains("with 1 part, and job "), "{}", collected.out);
    let text = fs::read_to_string(format!("{out}/slurm/parts.sbatch")).expect("a script");
    assert!(text.contains("--array=2%2\n") && Path::new(&format!("{out}/results.tex")).exists(), "{text}");
    // A part that plays nothing is not submitted for ever.
    script("collect.sbatch", "").refused(1, "nothing is submitted, because the parts have played nothing new");
    script("parts.sbatch", "2").fine();
    assert!(script("collect.sbatch", "").fine().contains("results are in "));
    assert!(!Path::new("bad").exists() && !Path::new(&folder.file("bad")).exists(), "nothing of the name is run");
    let whole = folder.file("whole");
    plyproof(&["sweep", &plan, "--out", &whole, "--quiet"]).fine();
    assert_eq!(digests(&out), digests(&whole));
}

#[test]
fn a_proof_on_ray_without_its_package_is_one_line_of_error() {
    let run = |python: &str, options: &[&str]| {
        let mut run = command(&[&["solve", "tictactoe", "--ray", "local"], options].concat());
        ran(run.env("PLYPROOF_PYTHON", python).output().expect("the binary runs"))
    };
    run("/nowhere/python", &[]).refused(1, "--ray needs Python, and there is no /nowhere/python");
    run("/nowhere/python", &["--goal", "score"]).refused(2, "--ray finds values, not points");
    run("/nowhere/python", &["--threads", "2"]).refused(2, "cannot be used with");
    #[cfg(target_os = "linux")]
    run("false", &[]).refused(1, "--ray needs the Python package: false -m pip install 'plyproof[ray]'");
}

//! `plyproof solve --checkpoint`: a search that is killed goes on, and its value and its certificate are right.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use plyproof_engine::checkpoint::open;

use crate::matches::Folder;
use crate::run::{command, plyproof};

/// The options of a search that takes some time, saved after every few positions.
fn options<'a>(game: &'a str, checkpoint: &'a str, threads: &'a str) -> Vec<&'a str> {
    let every = ["--checkpoint", checkpoint, "--every", "500nodes", "--memory", "4MB", "--threads", threads, "--json"];
    [&["solve", game][..], &every].concat()
}

#[test]
fn a_search_that_is_killed_again_and_again_goes_on_to_the_right_value_and_certificate() {
    let folder = Folder::new("cli-checkpoints");
    for (index, (game, value, threads)) in
        [("breakthrough(size=3x5)", "loss", "1"), ("connect4(width=4,height=4)", "draw", "3")].into_iter().enumerate()
    {
        let (file, proof) = (folder.file(&format!("{index}.save")), folder.file(&format!("{index}.cert.gz")));
        // Moments by chance: what is there when the process ends is a whole checkpoint or none. That a run is over before
        // it is killed does no harm.
        let mut moment = 7u64;
        for _ in 0..6 {
            let mut child = command(&options(game, &file, threads))
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .expect("the binary runs");
            moment = moment.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            std::thread::sleep(Duration::from_micros(moment >> 47));
            child.kill().expect("a child");
            child.wait().expect("a child");
        }
        let solved = plyproof(&options(game, &file, threads)).json();
        assert_eq!(solved["value"], value, "{game}");
        let saved = open(Path::new(&file)).expect("a checkpoint").expect("a file").head;
        let with_proof = [options(game, &file, threads), vec!["--certificate", &proof]].concat();
        let again = plyproof(&with_proof).json();
        assert_eq!(
            (&again["value"], &again["nodes"]),
            (&solved["value"], &solved["nodes"]),
            "nothing was searched again"
        );
        assert_eq!(Some(saved.nodes), solved["nodes"].as_u64());
        // Not that of the report before, which counts the writing of the file too.
        assert!(again["seconds"].as_f64() >= Some((saved.seconds * 1e6).floor() / 1e6), "time adds up");
        for name in again["certificates"].as_array().expect("a list") {
            plyproof(&["verify", name.as_str().expect("a file")]).fine();
        }
        assert!(!again["certificates"].as_array().expect("a list").is_empty());
        let other = plyproof(&[&options("tictactoe", &file, threads)[..]].concat());
        other.refused(1, "the checkpoint is of another game");
        plyproof(&[&options(game, &file, threads)[..], &["--agent", "df-pn"]].concat())
            .refused(1, "the checkpoint is of another agent");
        let mut bytes = fs::read(&file).expect("a file");
        let middle = bytes.len() / 2;
        bytes[middle] ^= 4;
        fs::write(&file, &bytes).expect("written");
        plyproof(&options(game, &file, threads)).refused(1, "its bytes were changed");
        fs::write(&file, &bytes[..middle]).expect("written");
        plyproof(&options(game, &file, threads)).refused(1, "it is cut off");
        fs::write(&file, "loa").expect("written");
        plyproof(&options(game, &file, threads)).refused(1, "it is no checkpoint");
    }
}

#[test]
fn what_cannot_be_saved_is_refused_before_the_search() {
    let folder = Folder::new("cli-checkpoints-refused");
    let file = folder.file("save");
    let solve = |more: &[&str]| plyproof(&[&["solve", "tictactoe", "--checkpoint", &file], more].concat());
    solve(&["--agent", "pn2"]).refused(2, "portfolio, df-pn and alpha-beta");
    for wrong in ["0", "0nodes", "soon", "-5", "nodes"] {
        let run = solve(&["--every", wrong]);
        assert!(run.code == Some(2) && run.err.contains("expected a time"), "{}", run.err);
    }
    plyproof(&["solve", "tictactoe", "--checkpoint", &folder.file("no/save")]).refused(1, "cannot write");
    plyproof(&["solve", "tictactoe", "--checkpoint", &folder.file("")]).refused(1, "not a regular file");
    assert!(!std::path::Path::new(&file).exists());
    let told = solve(&["--memory", "1MB"]);
    assert!(told.code == Some(0) && told.err.contains("saved to"), "{}", told.err);
    let told = solve(&[]);
    assert!(told.code == Some(0) && told.err.contains("answered after"), "{}", told.err);
    solve(&["--memory", "2MB"]).refused(1, "leave out --memory");
}

#[test]
fn a_search_by_jobs_that_is_killed_again_and_again_goes_on_to_the_right_value_and_certificate() {
    let folder = Folder::new("cli-checkpoints-jobs");
    let (file, proof) = (folder.file("jobs.save"), folder.file("jobs.cert.gz"));
    let every = ["--checkpoint", &file, "--every", "2000nodes", "--memory", "16MB", "--jobs", "2", "--json"];
    let search = [&["solve", "connect4(width=4,height=4)"][..], &every].concat();
    let mut moment = 11u64;
    for _ in 0..6 {
        let mut child = command(&search).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the binary runs");
        moment = moment.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        std::thread::sleep(Duration::from_micros(moment >> 47));
        child.kill().expect("a child");
        child.wait().expect("a child");
    }
    let solved = plyproof(&search).json();
    assert_eq!((&solved["value"], &solved["agent"]), (&"draw".into(), &"jobs".into()));
    let again = plyproof(&[&search[..], &["--certificate", &proof]].concat()).json();
    let jobs = |solved: &serde_json::Value| solved["jobs"]["done"].as_u64();
    assert_eq!((&again["nodes"], jobs(&again)), (&solved["nodes"], jobs(&solved)), "nothing was searched again");
    let names = again["certificates"].as_array().expect("a list");
    assert_eq!(names.len(), 2, "a draw");
    for name in names {
        plyproof(&["verify", name.as_str().expect("a file")]).fine();
    }
    plyproof(&[&["solve", "tictactoe"][..], &every].concat()).refused(1, "the checkpoint is of another game");
    plyproof(&["solve", "connect4(width=4,height=4)", "--checkpoint", &file]).refused(1, "another agent");
    plyproof(&["solve", "tictactoe", "--jobs", "2", "--goal", "score"]).refused(2, "leave out --goal score");
    plyproof(&["solve", "tictactoe", "--jobs", "2", "--agent", "pns"]).refused(2, "cannot be used with");
    let mut bytes = fs::read(&file).expect("a file");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    fs::write(&file, &bytes).expect("written");
    plyproof(&search).refused(1, "its bytes were changed");
}

//! Rules files wherever a game is named, and the commands that help to write them.

use std::fs;
use std::path::Path;

use crate::matches::Folder;
use crate::run::{plyproof, plyproof_in};

fn data(name: &str) -> String {
    format!("{}/../rules/tests/data/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn text(name: &str) -> String {
    fs::read_to_string(data(name)).expect("a rules file of ours")
}

fn written(folder: &Folder, name: &str, text: &str) -> String {
    let path = folder.file(name);
    fs::write(&path, text).expect("a file");
    path
}

#[test]
fn every_command_takes_a_rules_file_for_a_game() {
    let folder = Folder::new("cli-rules-games");
    let take = data("take.rbg");
    let small = format!("{take}(size=4)");
    let row = data("three-in-a-row.rbg");
    assert!(plyproof(&["show", &row]).fine().contains("9 legal moves"));
    let told = plyproof(&["games", &small]).fine();
    assert!(told.contains("Take one or two") && told.contains("sha256:") && told.contains("size"), "{told}");
    assert_eq!(plyproof(&["games", &small, "--json"]).json()["game"], small.as_str());
    assert!(plyproof(&["search", &row, "--sims", "200"]).fine().contains("player 1 to move"));
    assert!(plyproof(&["solve", &small, "--memory", "1MB"]).fine().contains("value   win"));
    assert!(plyproof(&["perft", &row, "3"]).fine().contains("504 nodes"));
    let quick = ["--sims", "20", "--games", "2", "--quiet"];
    assert!(plyproof(&[&["match", &row, "mcts", "random"], &quick[..]].concat()).fine().contains("2 games"));
    assert!(plyproof(&[&["tournament", &row, "mcts", "random"], &quick[..]].concat()).fine().contains("mcts"));
    let balance = ["balance", &small, "--games", "2", "--sims", "20", "--quiet"];
    assert!(plyproof(&balance).fine().contains("take.rbg"), "balance");
    assert!(
        plyproof(&["bench", "playouts", "--game", &row, "--seconds", "0.01"]).fine().contains("three-in-a-row.rbg")
    );
    let plan = format!(
        "name = 'own'\na = 'mcts'\nb = 'random'\nsims = 10\ngames = 2\ngame = '{{rules}}'\n[grid]\nrules = ['{small}', '{row}']\n"
    );
    let plan = written(&folder, "plan.toml", &plan);
    plyproof(&["sweep", &plan, "--out", &folder.file("results"), "--quiet"]).fine();
    let engine = plyproof_in(Path::new("."), &["engine", "--protocol", "ugi", "--game", &row]);
    assert_eq!(engine.code, Some(0), "{}", engine.err);
    let evaluation = folder.file("own.eval");
    let train = ["train", &row, "--games", "4", "--hidden", "16", "--out", &evaluation, "--quiet"];
    assert_eq!(plyproof(&train).code, Some(0));
    let judged = plyproof(&["search", &row, "--agent", &format!("alpha-beta(eval={evaluation})"), "--sims", "50"]);
    assert!(judged.fine().contains("player 1 to move"));
}

#[test]
fn games_from_rules_are_recorded_converted_and_analysed() {
    let folder = Folder::new("cli-rules-records");
    let rules = written(&folder, "own.rbg", &text("three-in-a-row.rbg"));
    let record = folder.file("own.jsonl");
    let play = ["match", &rules, "mcts", "random", "--sims", "20", "--games", "2", "--out", &record, "--quiet"];
    plyproof(&play).fine();
    let games = plyproof(&["convert", &record]).fine();
    assert!(games.contains(&format!("[Game \"{rules}\"]\n[Rules \"sha256:")), "{games}");
    let file = written(&folder, "own.games", &games);
    assert_eq!(plyproof(&["convert", &file]).fine(), games);
    assert!(plyproof(&["replay", &file]).fine().contains("2 games"));
    assert!(plyproof(&["analyse", &file, "--sims", "20", "--quiet"]).code == Some(0));
    // The match goes on under these rules only, and its games are read under no other ones.
    plyproof(&play).fine();
    written(&folder, "own.rbg", &text("three-in-a-row.rbg").replace("first = 50", "first = 49"));
    plyproof(&play).refused(1, "rules is sha256:");
    for read in [&record, &file] {
        let refused = plyproof(&["convert", read]);
        assert!(refused.code == Some(1) && refused.err.contains("other "), "{}", refused.err);
    }
}

#[test]
fn a_certificate_holds_for_one_text_of_the_rules_wherever_it_is() {
    let folder = Folder::new("cli-rules-certificates");
    let rules = written(&folder, "own.rbg", &text("take.rbg"));
    let certificate = folder.file("own.cert");
    plyproof(&["solve", &rules, "--memory", "1MB", "--certificate", &certificate]).fine();
    let verified = plyproof(&["verify", &certificate]).fine();
    assert!(verified.contains("the first player wins") && verified.contains("rules sha256:"), "{verified}");
    let json = plyproof(&["verify", &certificate, "--json"]).json();
    assert!(json["rules"].as_str().is_some_and(|rules| rules.starts_with("sha256:")), "{json}");

    let moved = folder.file("moved.rbg");
    fs::rename(&rules, &moved).expect("moved");
    let missing = plyproof(&["verify", &certificate]);
    assert!(missing.code == Some(1) && missing.err.contains("there is no such file"), "{}", missing.err);
    assert!(missing.err.contains("--rules"), "{}", missing.err);
    plyproof(&["verify", &certificate, "--rules", &moved]).fine();

    let changed = written(&folder, "changed.rbg", &text("take.rbg").replace("The player", "the player"));
    for refused in [plyproof(&["verify", &certificate, "--rules", &changed]), {
        fs::rename(&changed, &rules).expect("moved");
        plyproof(&["verify", &certificate])
    }] {
        assert_eq!(refused.code, Some(1), "{}", refused.out);
        assert!(refused.err.contains("it is about the text with digest sha256:"), "{}", refused.err);
    }
    let native =
        plyproof(&["verify", concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/tictactoe.cert"), "--rules", &moved]);
    assert!(native.code == Some(1) && native.err.contains("is not read from a file"), "{}", native.err);
}

#[test]
fn check_shows_the_line_of_an_error_and_how_a_sound_game_plays() {
    let folder = Folder::new("cli-rules-check");
    let broken = written(&folder, "own.rbg", &text("take.rbg").replace("heap - n]", "heep - n]"));
    let ran = plyproof(&["rules", "check", &broken]);
    assert_eq!(ran.code, Some(1));
    let mut lines = ran.out.lines();
    let (line, mark) = (lines.next().expect("the line"), lines.next().expect("a mark"));
    assert!(line.starts_with("9 | #take(n)"), "{line}");
    assert_eq!(mark.find('^'), line.find("heep"), "{line}\n{mark}");
    assert!(ran.err.contains(&format!("{broken}:9:")) && ran.err.contains("heep"), "{}", ran.err);
    let json: serde_json::Value =
        serde_json::from_str(&plyproof(&["rules", "check", &broken, "--json"]).out).expect("JSON");
    assert_eq!((json["error"]["line"].as_u64(), &json["report"]), (Some(9), &serde_json::Value::Null));

    let sound = plyproof(&["rules", "check", &data("take.rbg")]).fine();
    for part in ["Take one or two", "first won", "second won", "size=7", "kept at", "perft", "sha256:"] {
        assert!(sound.contains(part), "{part}: {sound}");
    }
    let again = plyproof(&["rules", "check", &data("take.rbg")]).fine();
    assert_eq!(sound, again);
    let wide = plyproof(&["rules", "check", &format!("{}(size=9)", data("take.rbg")), "--json"]).json();
    assert_eq!(wide["report"]["parameters"][0]["value"], "9");
    for (arguments, says, code) in [
        (&["rules", "check", "no-such.rbg"][..], "there is no such file", 1),
        (&["rules", "check", "loa"], "ends in .rbg", 2),
        (&["rules", "check", "x.rbg(7)"], "needs a name", 2),
        (&["rules", "replay", "no-such.rbg", "x"], "there is no such file", 1),
    ] {
        let ran = plyproof(arguments);
        assert!(ran.code == Some(code) && ran.err.contains(says), "{arguments:?}: {}", ran.err);
    }
}

#[test]
fn fmt_prints_writes_and_compares() {
    let folder = Folder::new("cli-rules-fmt");
    let sound = text("three-in-a-row.rbg");
    let rough = sound.replace(" = ", "=").replace("    ", "\t  ");
    let file = written(&folder, "own.rbg", &rough);
    let laid_out = plyproof(&["rules", "fmt", &file]).fine();
    let compared = plyproof(&["rules", "fmt", "--check", &file]);
    assert_eq!((compared.code, compared.out.trim()), (Some(1), file.as_str()));
    assert_eq!(fs::read_to_string(&file).expect("unchanged"), rough);
    plyproof(&["rules", "fmt", "--write", &file]).fine();
    assert_eq!(fs::read_to_string(&file).expect("written"), laid_out);
    plyproof(&["rules", "fmt", "--check", &file]).fine();
    let expanded = |file: &str| plyproof(&["rules", "expand", file]).fine();
    assert_eq!(expanded(&file), expanded(&data("three-in-a-row.rbg")));
    let other = written(&folder, "own.kif", "(role x)\n");
    let refused = plyproof(&["rules", "fmt", &other]);
    assert!(refused.code == Some(1) && refused.err.contains("only rules in RBG"), "{}", refused.err);
}

#[test]
fn replay_says_the_first_difference_in_full() {
    let folder = Folder::new("cli-rules-replay");
    let rules = "#players = a(1), b(1)\n#pieces = e, x\n#variables =\n#board = rectangle(up, down, left, right, [e, e])\n\
        #turn(me) = ->me (left* + right*) {e} [x] [$ me = 1] ->>\n#rules = turn(a) turn(b)\n";
    let rules = written(&folder, "own.rbg", rules);
    let oracle = r#"{"kind":"game","cells":["CELLS"],"pieces":["e","x"],"vars":["a","b"],"players":2,"modifiers":[],
        "init":{"board":"00","vars":[0,0],"cell":""},"perft":[2]}"#;
    let oracle = written(&folder, "own.jsonl", &oracle.replace('\n', ""));
    let ran = plyproof(&["rules", "replay", &rules, &oracle]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.out.contains("First mismatch") && ran.out.contains("line 1: the cells are"), "{}", ran.out);
    let json: serde_json::Value =
        serde_json::from_str(&plyproof(&["rules", "replay", &rules, &oracle, "--json"]).out).expect("JSON");
    assert!(json["mismatch"].as_str().is_some_and(|text| text.contains("CELLS")), "{json}");
    let empty = written(&folder, "empty.jsonl", "");
    assert_eq!(plyproof(&["rules", "replay", &rules, &empty]).code, Some(1));
}

/// With `PLYPROOF_RULES_DATA`, the folder of files and oracles by others.
#[test]
fn files_of_others_agree_with_their_oracles() {
    let Some(data) = std::env::var_os("PLYPROOF_RULES_DATA") else { return };
    let folder = Path::new(&data).join("rbg");
    let mut files = 0;
    for name in ["breakthrough", "connect4", "reversi"] {
        let file = |ending: &str| folder.join(format!("{name}{ending}")).display().to_string();
        let ran = plyproof(&["rules", "replay", &file(".rbg"), &file(".jsonl.gz"), "--lines", "1e5"]);
        assert!(ran.fine().contains("0 mismatches"), "{name}");
        files += 1;
    }
    assert_eq!(files, 3);
}

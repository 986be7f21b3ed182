//! `plyproof table`, and agents that look into a table.

use serde_json::json;

use crate::commands::keys;
use crate::run::{TemporaryFile, garbage, plyproof};

const POSITION: &str = "0,0,2,0,0,1,0,1,0,0,2,0|3,3 1";

#[test]
fn a_table_is_made_listed_checked_and_searched_with() {
    let file = TemporaryFile::new("awari4.table", b"");
    let made = plyproof(&["table", "awari", "--max-seeds", "4", "--out", file.path(), "--json"]).json();
    let all =
        ["bytes", "check", "counts", "file", "game", "limit", "positions", "reachable", "rules", "seconds", "start"];
    assert_eq!(keys(&made), all);
    let four = &made["counts"][4];
    assert_eq!((&four["pieces"], &four["even"]), (&json!(4), &json!({"win": 48, "draw": 1290, "loss": 27})));
    let text = plyproof(&["table", "--check", file.path(), "--sample", "50"]).fine();
    assert!(text.contains("sample of 50: 50 agree with the solver, 0 differ, 0 undecided"), "{text}");
    let agent = format!("df-pn(table={})", file.path());
    let solve = |agent: &str| plyproof(&["solve", "awari", "--position", POSITION, "--agent", agent, "--json"]).json();
    let (with, without) = (solve(&agent), solve("df-pn"));
    assert_eq!((&with["value"], &with["agent"]), (&without["value"], &json!(agent)));
    assert!(with["nodes"].as_u64() <= without["nodes"].as_u64());
    let mcts = format!("mcts(table={})", file.path());
    let text = plyproof(&["search", "awari", "--position", POSITION, "--agent", &mcts, "--sims", "50"]).fine();
    assert!(text.contains(&mcts), "{text}");
    let certificate = ["solve", "awari", "--agent", &agent, "--certificate", "never.cert"];
    plyproof(&certificate).refused(2, "a certificate needs every move, and a table has none");
    plyproof(&["solve", "awari", "--agent", &agent, "--goal", "score"]).refused(2, "by how many points");
    plyproof(&["solve", "loa(size=4)", "--agent", &agent]).refused(1, "it is a table of \"awari\", not of loa(size=4)");
}

#[test]
fn what_is_not_a_table_and_what_cannot_be_one_is_said_in_one_line() {
    for (name, bytes, part) in [
        ("empty.table", Vec::new(), "it is not a table"),
        ("garbage.table", garbage(), "it is not a table"),
        ("newer.table", b"{\"plyproof-table\":9}\n".to_vec(), "table format 9 is not known, only format 1"),
        ("cut.table", b"{\"plyproof-table\":1,\"game\":\"awari\"}\n".to_vec(), "its header is damaged: missing field"),
    ] {
        let file = TemporaryFile::new(name, &bytes);
        plyproof(&["table", "--check", file.path()]).refused(1, part);
        let agent = format!("df-pn(table={})", file.path());
        plyproof(&["search", "awari", "--agent", &agent]).refused(1, part);
    }
    for (arguments, code, part) in [
        (&["table", "hex", "--out", "x.table"][..], 2, "there are no tables of hex, only of loa and awari"),
        (&["table", "awari", "--out", "x.table"], 2, "needs a number of seeds, as in --max-seeds 9"),
        (&["table", "loa", "--out", "x.table"], 2, "size=8 has too many positions"),
        (&["table", "loa(size=4)", "--out", "no/such/folder/x.table"], 1, "cannot write no/such/folder/x.table"),
        (&["table", "awari"], 2, "--out <FILE>"),
        (&["table", "--check", "."], 1, "not a regular file"),
        (&["table", "--check", "x", "--sample", "1", "--agent", "random"], 2, "random proves nothing"),
        (&["solve", "hex", "--agent", "df-pn(table=x)"], 2, "there are no tables of hex"),
        (&["match", "awari", "mcts(table=x)", "mcts"], 2, "side A: x: No such file"),
    ] {
        plyproof(arguments).refused(code, part);
    }
}

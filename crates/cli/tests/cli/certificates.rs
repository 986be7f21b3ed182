//! `plyproof verify`: what it says of certificates, good and bad.

use serde_json::json;

use crate::commands::keys;
use crate::run::{TemporaryFile, garbage, plyproof, plyproof_in, zipped};

const PROOF: &str = include_str!("../../../../docs/tictactoe.cert");

#[test]
fn a_certificate_is_verified_plain_and_zipped_and_its_whole_claim_is_said() {
    let claim = "in tictactoe from x.o/.../..x o, the first player wins";
    for (name, bytes) in [("proof.cert", PROOF.as_bytes().to_vec()), ("proof.cert.gz", zipped(PROOF.as_bytes()))] {
        let file = TemporaryFile::new(name, &bytes);
        let text = plyproof(&["verify", file.path()]).fine();
        assert!(text.starts_with(&format!("verified: {claim} (10 entries, rules version 1, ")), "{text}");
        let report = plyproof(&["verify", file.path(), "--json"]).json();
        assert_eq!(
            keys(&report),
            [
                "bytes", "claim", "entries", "game", "goal", "player", "position", "replies", "rules", "seconds",
                "verified"
            ]
        );
        assert_eq!((&report["verified"], &report["claim"]), (&json!(true), &json!(claim)));
        assert_eq!(
            (&report["player"], &report["goal"], &report["entries"]),
            (&json!("first"), &json!("win"), &json!(10))
        );
    }
}

#[test]
fn what_is_wrong_is_said_in_one_line_and_nothing_is_verified() {
    let changed = |from: &str, to: &str| {
        assert!(PROOF.contains(from), "{from}");
        PROOF.replacen(from, to, 1).into_bytes()
    };
    let whole = zipped(PROOF.as_bytes());
    for (name, bytes, part) in [
        ("move", changed("\tb2", "\ta2"), "line 2, position x.o/.../o.x x: after a2, the reply b1 leads to "),
        ("game", changed("tictactoe", "tictactow"), "line 1: unknown game \"tictactow\" (did you mean tictactoe?)"),
        (
            "spelling",
            changed("\"tictactoe\"", "\"mnk(3,3,3)\""),
            "line 1: it is about the game \"mnk(3,3,3)\", not mnk",
        ),
        ("rules", changed("\"rules\":1", "\"rules\":2"), "version 2 of the rules of tictactoe, not version 1"),
        (
            "goal",
            changed("\"first\"", "\"second\""),
            "line 2, position x.o/.../o.x x: the player of the claim is not to move",
        ),
        ("start", changed("x.o/.../..x o\"", ".../.../... x\""), "which is not in the certificate"),
        ("count", changed(":10}", ":11}"), "line 12: it ends after 10 of 11 entries"),
        (
            "format",
            changed("certificate\":1", "certificate\":3"),
            "certificate format 3 is not known, only formats 1 and 2",
        ),
        ("cut", PROOF.as_bytes()[..PROOF.len() - 1].to_vec(), "line 11: the line has no line break"),
        ("cut_zip", whole[..whole.len() - 1].to_vec(), "the gzip data is cut off"),
        ("empty", Vec::new(), "there is nothing in it"),
        ("garbage", garbage(), "line 1: "),
        ("bomb", zipped(&vec![b' '; 40_000_000]), "line 1: the line is longer than 65536 bytes"),
    ] {
        let file = TemporaryFile::new(&format!("verify_{name}"), &bytes);
        for json in [&[][..], &["--json"]] {
            let run = plyproof(&[&["verify", file.path()], json].concat());
            run.refused(1, part);
            assert!(run.err.contains(file.path()) && run.out.is_empty(), "{}", run.err);
        }
    }
    plyproof(&["verify", "no/such/file"]).refused(1, "no/such/file: No such file");
    plyproof(&["verify", env!("CARGO_TARGET_TMPDIR")]).refused(1, "not a regular file");
    plyproof_in(env!("CARGO_MANIFEST_DIR").as_ref(), &["verify", "../../docs/tictactoe.cert"]).fine();
}

#[test]
fn a_file_that_unpacks_to_very_much_stays_within_the_memory() {
    // A draw's positions are all listed before the first is checked: the worst case. A megabyte of text, packed small.
    let header = PROOF.lines().next().expect("a header").replace("\"win\"", "\"draw\"").replace(":10}", ":9999999}");
    let lines: String = (0..60_000).map(|n| format!("position {n}\tmove\n")).collect();
    let file = TemporaryFile::new("verify_many", &zipped(format!("{header}\n{lines}").as_bytes()));
    let allowed = "takes more than the 1000000 bytes of memory allowed";
    plyproof(&["verify", file.path(), "--memory", "1MB"]).refused(1, allowed);
}

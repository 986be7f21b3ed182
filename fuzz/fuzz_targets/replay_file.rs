//! Input: a file of recorded games, plain or gzipped.
//!
//! Whatever it holds, replaying it ends with a report or with one line of error.
#![no_main]

use std::io::Cursor;

use libfuzzer_sys::fuzz_target;
use plyproof_engine::Registry;
use plyproof_lab::replay::Report;

fuzz_target!(|input: &[u8]| {
    let mut report = Report::default();
    if let Err(error) = report.add_stream(&Registry::builtin(), "input".to_string(), Cursor::new(input.to_vec())) {
        let message = error.to_string();
        assert!(!message.contains(char::is_control) && message.chars().count() <= 1500, "{message:?}");
    }
    assert_eq!(report.files.len(), 1);
    assert_eq!(report.first_mismatch.is_some(), report.mismatches > 0);
    assert!(report.mismatches <= report.plies + report.games);
});

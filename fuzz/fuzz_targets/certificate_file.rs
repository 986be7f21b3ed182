//! Input: a certificate, unpacked.
//!
//! Whatever it holds, it is refused with one line, or the moves it lists are checked to the last.
#![no_main]

use std::io::Cursor;
use std::sync::atomic::AtomicBool;

use libfuzzer_sys::fuzz_target;
use plyproof_engine::Registry;
use plyproof_engine::certificate::{Limits, verify_source};

fuzz_target!(|input: &[u8]| {
    let stop = AtomicBool::new(false);
    let limits = Limits { memory: 10_000_000, stop: &stop, progress: &mut |_| {} };
    let bytes = input.to_vec();
    match verify_source(&Registry::builtin(), &mut || Ok(Box::new(Cursor::new(bytes.clone())) as _), limits) {
        Ok(checked) => {
            let lines = input.iter().filter(|&&byte| byte == b'\n').count() as u64;
            assert_eq!((checked.header.entries, checked.verified.entries), (lines - 1, lines - 1));
        }
        Err(error) => {
            let message = error.to_string();
            assert!(!message.contains(char::is_control) && message.chars().count() <= 2500, "{message:?}");
        }
    }
});

//! Answers requests natively, one a line, as the module answers them: what `tests/wasm` compares it with.
#![allow(clippy::print_stdout)]

use std::io::{self, BufRead};

fn main() -> io::Result<()> {
    for line in io::stdin().lock().lines() {
        println!("{}", plyproof_wasm::answer(&line?));
    }
    Ok(())
}

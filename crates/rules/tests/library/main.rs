//! The library of rules files in `rules/`, the prelude that they use, and the files in `docs/rules.md`.

mod by_hand;
mod files;
mod lockstep;
mod natives;
mod peers;
mod prelude;
mod teaching;

use std::path::{Path, PathBuf};

use plyproof_rules::rbg::{Rules, load};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A file of the library with some parameters, `width=5,height=6`.
fn library(name: &str, parameters: &str) -> Rules {
    let path = root().join("rules").join(format!("{name}.rbg"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let pair = |text: &str| text.split_once('=').map(|(key, value)| (key.to_string(), value.to_string()));
    let overrides: Vec<(String, String)> = parameters.split(',').filter_map(pair).collect();
    let rules = load(&text, &overrides).unwrap_or_else(|error| panic!("{name}({parameters}): {error}"));
    assert_eq!(rules.warnings(), [""; 0], "{name}({parameters})");
    rules
}

//! The invariants of ARCHITECTURE.md that can be read off the sources and the manifests.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the folder of the crates").to_path_buf()
}

fn manifest(folder: &str) -> String {
    fs::read_to_string(crates().join(folder).join("Cargo.toml")).unwrap_or_else(|error| panic!("{folder}: {error}"))
}

/// The names of the dependencies of a crate, those of its tests and examples left out.
fn dependencies(folder: &str) -> BTreeSet<String> {
    let (text, mut inside, mut names) = (manifest(folder), false, BTreeSet::new());
    for line in text.lines() {
        if line.starts_with('[') {
            inside = line == "[dependencies]" || line.ends_with(".dependencies]");
        } else if inside && let Some(end) = line.find(['.', ' ', '=']) {
            names.insert(line[..end].to_string());
        }
    }
    names
}

/// The folders of the crates; a crate depends only on crates of smaller layers.
const LAYERS: &[(&str, u32)] = &[
    ("core", 0),
    ("games", 1),
    ("verify", 1),
    ("tables", 1),
    ("eval", 1),
    ("rules", 1),
    ("engine", 2),
    ("protocols", 3),
    ("notation", 3),
    ("lab", 4),
    ("tab", 4),
    ("wasm", 5),
    ("web", 5),
    ("python", 5),
    ("cli", 6),
];

#[test]
fn crates_depend_on_each_other_in_one_direction() {
    let folders: BTreeSet<String> = fs::read_dir(crates())
        .expect("the crates")
        .map(|entry| entry.expect("an entry").file_name().display().to_string())
        .collect();
    assert_eq!(folders, LAYERS.iter().map(|(folder, _)| folder.to_string()).collect());
    for (folder, layer) in LAYERS.iter().copied() {
        for name in dependencies(folder) {
            let Some(below) = name.strip_prefix("plyproof-") else { continue };
            let found = LAYERS.iter().find(|(folder, _)| *folder == below);
            assert!(found.is_some_and(|(_, below)| *below < layer), "{folder} depends on {name}");
        }
    }
}

#[test]
fn the_libraries_below_the_front_ends_depend_on_little() {
    for (folder, allowed) in [
        ("core", &["bytemuck", "libc", "wide"][..]),
        ("games", &["wide"]),
        ("verify", &["serde_json"]),
        ("tables", &["serde", "serde_json"]),
        ("eval", &["serde", "serde_json", "wide"]),
        ("rules", &["serde", "serde_json"]),
        ("engine", &["flate2", "serde", "serde_json"]),
        ("notation", &[]),
        ("tab", &["serde", "serde_json"]),
    ] {
        let others = dependencies(folder).into_iter().filter(|name| !name.starts_with("plyproof-"));
        assert_eq!(others.collect::<Vec<_>>(), allowed, "{folder}");
    }
}

/// The sources of a crate without its files of unit tests: path and text, comments left out.
fn sources(folder: &str) -> Vec<(String, String)> {
    let (mut found, mut folders) = (Vec::new(), vec![crates().join(folder).join("src")]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs")
                && !path.file_stem().is_some_and(|stem| stem.to_string_lossy().ends_with("tests"))
            {
                let text = fs::read_to_string(&path).expect("a source");
                let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
                let name = path.strip_prefix(crates()).expect("below the crates").display().to_string();
                found.push((name.replace('\\', "/"), code.collect::<Vec<_>>().join("\n")));
            }
        }
    }
    assert!(!found.is_empty(), "{folder}");
    found
}

/// The files among the crates' sources in which one of the words occurs.
fn files_with(folders: &[&str], words: &[&str]) -> Vec<String> {
    let all = folders.iter().flat_map(|folder| sources(folder));
    let mut found: Vec<String> =
        all.filter(|(_, code)| words.iter().any(|word| code.contains(word))).map(|(name, _)| name).collect();
    found.sort();
    found
}

#[test]
fn core_and_games_touch_nothing_outside() {
    let outside = ["std::fs", "std::net", "std::process", "std::env", "println!", "print!("];
    assert_eq!(files_with(&["core", "games"], &outside), [""; 0]);
    // Bytes go where a caller says; core opens nothing.
    assert_eq!(files_with(&["core", "games"], &["std::io", "io::std"]), ["core/src/search/saved.rs"]);
    let threads = [
        "alphabeta/player/threads.rs",
        "alphabeta/threads.rs",
        "dfpn/threads.rs",
        "jobs/threads.rs",
        "mcts/threads.rs",
        "prover/both.rs",
    ];
    let threads = threads.map(|file| format!("core/src/search/{file}"));
    assert_eq!(files_with(&["core", "games"], &["std::thread"]), threads);
    assert_eq!(
        files_with(&["engine", "rules", "verify", "tables"], &["std::thread", "std::net", "std::env::var"]),
        [""; 0]
    );
}

#[test]
fn games_and_the_verifier_know_no_search() {
    let search = ["plyproof_core::search", "search::", "Searcher", "Agent"];
    assert_eq!(files_with(&["games", "verify", "tables"], &search), [""; 0]);
}

#[test]
fn only_the_registry_names_a_game() {
    let folders = ["core", "verify", "tables", "eval", "engine", "protocols", "lab", "tab", "wasm", "web", "cli"];
    assert_eq!(files_with(&folders, &["plyproof_games"]), ["engine/src/registry.rs"]);
}

#[test]
fn the_ply_limit_belongs_to_playouts_and_matches() {
    let users = files_with(&["core", "games", "verify", "tables", "engine"], &["PLY_LIMIT"]);
    let playing = [
        "core/src/contract",
        "core/src/game.rs",
        "core/src/lib.rs",
        "core/src/search/mcts",
        "engine/src/any_game",
        // Random games to order moves; no answer depends on them.
        "core/src/search/alphabeta/adapt.rs",
        // Estimates of alpha-beta as a player, which no proof depends on.
        "core/src/search/alphabeta/player/estimate.rs",
    ];
    let others = users.iter().filter(|file| !playing.iter().any(|prefix| file.starts_with(prefix)));
    assert_eq!(others.collect::<Vec<_>>(), [""; 0]);
}

/// The library of the engine compiles every search for every game: `[lib] test = false` in its manifest keeps that from
/// happening twice, and would pass over a unit test in silence.
#[test]
fn the_engine_has_no_unit_tests() {
    assert_eq!(files_with(&["engine"], &["cfg(test)", "#[test]"]), [""; 0]);
}

#[test]
fn unsafe_code_is_where_the_architecture_says() {
    let folders: Vec<&str> = LAYERS.iter().map(|(folder, _)| *folder).collect();
    let allowed = [
        "core/src/search/memory_hints.rs",
        "core/src/search/tree/arena.rs",
        "core/src/search/tree/shared.rs",
        "games/src/loa.rs",
        "wasm/src/clock.rs",
        "wasm/src/exports.rs",
    ];
    assert_eq!(files_with(&folders, &["allow(unsafe_code)"]), allowed);
    assert!(fs::read_to_string(crates().join("../Cargo.toml")).expect("a manifest").contains("unsafe_code = \"deny\""));
}

#[test]
fn no_state_is_shared_through_a_mutable_static() {
    assert_eq!(
        files_with(
            &["core", "games", "verify", "tables", "eval", "engine", "protocols", "lab", "tab", "web"],
            &["static mut "]
        ),
        [""; 0]
    );
}

#[test]
fn every_published_crate_says_what_it_is() {
    for (folder, _) in LAYERS {
        let text = manifest(folder);
        assert!(text.contains("\n[lints]\nworkspace = true\n"), "{folder} does not have the lints of the workspace");
        if text.contains("publish = false") {
            continue;
        }
        let name = text.lines().find_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"')).expect("a name");
        let documentation = format!("documentation = \"https://docs.rs/{name}\"");
        let inherited = ["version", "edition", "rust-version", "license", "repository", "categories", "keywords"];
        let inherited = inherited.map(|key| format!("\n{key}.workspace = true\n"));
        let own = ["\ndescription = \"", "\nreadme = \"", &documentation, "\n[package.metadata.docs.rs]\n"];
        for part in own.iter().copied().chain(inherited.iter().map(String::as_str)) {
            assert!(text.contains(part), "{folder}: no {part:?} in its Cargo.toml");
        }
    }
}

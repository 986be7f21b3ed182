//! The documents tell the truth: their commands run and print what is shown, and they know every game.

use std::path::{Path, PathBuf};

use crate::run::{plyproof_in, plyproof_with};

const DOCUMENTS: [&str; 10] = [
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "docs/certificates.md",
    "docs/command-line.md",
    "docs/engines.md",
    "docs/game-files.md",
    "docs/games.md",
    "docs/json.md",
    "docs/tables.md",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(document: &str) -> String {
    std::fs::read_to_string(root().join(document)).unwrap_or_else(|error| panic!("{document}: {error}"))
}

/// A command of a document and what is shown to come of it.
struct Example {
    command: String,
    shown: Vec<String>,
}

/// The examples in the ```` ```console ```` blocks of a text.
fn examples(text: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| inside) {
            examples.push(Example { command: command.to_string(), shown: Vec::new() });
        } else if inside {
            examples.last_mut().expect("a block starts with a command").shown.push(line.to_string());
        }
    }
    examples
}

/// The arguments of a command that calls plyproof; other commands are not ours to run.
fn arguments(command: &str) -> Option<Vec<String>> {
    let rest = match command.strip_prefix("plyproof") {
        Some(rest) => rest,
        None => command.strip_prefix("cargo run")?.split_once(" -- ")?.1,
    };
    let (mut words, mut word, mut quoted) = (Vec::new(), String::new(), false);
    for c in rest.chars() {
        match c {
            '"' => quoted = !quoted,
            ' ' if !quoted => words.push(std::mem::take(&mut word)),
            _ => word.push(c),
        }
    }
    assert!(!quoted, "{command}");
    words.push(word);
    words.retain(|word| !word.is_empty());
    Some(words)
}

/// Whether `line` is `shown`, in which `…` stands for any text.
fn line_matches(shown: &str, line: &str) -> bool {
    match shown.split_once('…') {
        None => shown == line,
        Some((before, after)) => line.strip_prefix(before).is_some_and(|rest| {
            (0..=rest.len()).any(|at| rest.is_char_boundary(at) && line_matches(after, &rest[at..]))
        }),
    }
}

/// Whether `lines` are `shown`, in which a line `…` stands for any lines.
fn matches(shown: &[String], lines: &[&str]) -> bool {
    match shown.split_first() {
        None => lines.is_empty(),
        Some((first, rest)) if first == "…" => (0..=lines.len()).any(|at| matches(rest, &lines[at..])),
        Some((first, rest)) => {
            lines.split_first().is_some_and(|(line, after)| line_matches(first, line) && matches(rest, after))
        }
    }
}

#[test]
fn the_commands_in_the_documents_print_what_is_shown() {
    for document in DOCUMENTS {
        for example in examples(&read(document)) {
            let Some(arguments) = arguments(&example.command) else { continue };
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            let ran = plyproof_in(&root(), &arguments);
            assert_eq!(ran.code, Some(0), "{}: {}", example.command, ran.err);
            // Progress goes to standard error; what is shown is the result.
            let printed = ran.out;
            let lines: Vec<&str> = printed.trim_end().lines().collect();
            let (command, shown) = (&example.command, example.shown.join("\n"));
            assert!(matches(&example.shown, &lines), "{document}: {command}\nshown:\n{shown}\nprinted:\n{printed}");
        }
    }
}

/// A conversation with our engine in a ```` ```transcript ```` block.
struct Transcript {
    command: String,
    sent: String,
    shown: Vec<String>,
}

fn transcripts(text: &str) -> Vec<Transcript> {
    let mut transcripts: Vec<Transcript> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if line.starts_with("```") {
            inside = line == "```transcript";
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| inside) {
            transcripts.push(Transcript { command: command.to_string(), sent: String::new(), shown: Vec::new() });
        } else if inside {
            let transcript = transcripts.last_mut().expect("a block starts with a command");
            match line.strip_prefix("> ") {
                Some(sent) => transcript.sent += &format!("{sent}\n"),
                None => transcript.shown.push(line.trim_end().to_string()),
            }
        }
    }
    transcripts
}

#[test]
fn the_conversations_in_the_document_of_engines_take_place() {
    let all = transcripts(&read("docs/engines.md"));
    assert_eq!(all.len(), 4);
    for Transcript { command, sent, shown } in all {
        // `quit` at the end of the input would not wait for a search.
        let sent = sent.strip_suffix("quit\n").or(sent.strip_suffix("END\n")).unwrap_or(&sent);
        let arguments = arguments(&command).expect("our engine");
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let printed = plyproof_with(&arguments, sent.as_bytes()).fine();
        let lines: Vec<&str> = printed.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
        let mut shown = shown;
        if command.contains("gtp") {
            // The answer to `quit`.
            shown.pop();
        }
        assert!(matches(&shown, &lines), "{command}\nshown:\n{}\nprinted:\n{printed}", shown.join("\n"));
    }
}

#[test]
fn the_readme_shows_commands_and_the_games_document_too() {
    for document in ["README.md", "docs/games.md"] {
        let run = examples(&read(document)).iter().filter(|example| arguments(&example.command).is_some()).count();
        assert!(run >= 4, "{document}: {run} commands");
    }
}

#[test]
fn the_readme_says_what_the_first_command_costs_with_its_build() {
    let readme = read("README.md");
    let line = readme.lines().find(|line| line.contains("in about ten seconds")).expect("what the games cost");
    assert!(line.contains("builds") && line.contains("minutes of processor time"), "{line}");
}

#[test]
fn the_certificate_in_the_documents_is_the_one_that_is_verified_there() {
    let text = read("docs/certificates.md");
    assert!(text.contains(&format!("```text\n{}```\n", read("docs/tictactoe.cert"))));
    let checked = |example: &Example| example.command == "plyproof verify docs/tictactoe.cert";
    assert!(examples(&text).iter().any(checked));
}

#[test]
fn examples_are_compared_line_by_line() {
    let text = "```console\n$ plyproof a \"b c\"\none\n…\nt…o\n$ ./check\n```\n```sh\n$ plyproof no\n```\n";
    let all = examples(text);
    assert_eq!(all.len(), 2);
    assert_eq!(arguments(&all[0].command), Some(vec!["a".to_string(), "b c".to_string()]));
    assert_eq!(arguments(&all[1].command), None);
    assert_eq!(arguments("cargo run --release -- show loa"), Some(vec!["show".to_string(), "loa".to_string()]));
    assert!(matches(&all[0].shown, &["one", "x", "y", "two"]) && matches(&all[0].shown, &["one", "to"]));
    assert!(!matches(&all[0].shown, &["one"]) && !matches(&all[0].shown, &["one", "two", "x"]));
}

#[test]
fn the_documents_know_every_game_and_every_parameter() {
    let listed = plyproof_in(&root(), &["games", "--json"]).json();
    let (readme, games) = (read("README.md"), read("docs/games.md"));
    for game in listed.as_array().expect("a list") {
        let name = game["name"].as_str().expect("a name");
        assert!(readme.contains(&format!("| `{name}`")), "{name} has no row in README.md");
        let heading = |line: &&str| line.starts_with("## ") && line.contains(&format!("`{name}"));
        let from = games.lines().position(|line| heading(&line));
        let from = from.unwrap_or_else(|| panic!("{name} has no heading in docs/games.md"));
        let section: Vec<&str> = games.lines().skip(from + 1).take_while(|line| !line.starts_with("## ")).collect();
        for parameter in game["parameters"].as_array().expect("a list") {
            let row = format!("| `{}` |", parameter["name"].as_str().expect("a name"));
            assert!(section.iter().any(|line| line.starts_with(&row)), "{name}: no row {row} in docs/games.md");
        }
    }
}

#[test]
fn the_algorithms_document_knows_every_agent_and_every_parameter() {
    let text = read("docs/algorithms.md");
    for agent in plyproof_in(&root(), &["agents", "--json"]).json().as_array().expect("a list") {
        let name = agent["name"].as_str().expect("a name");
        let heading = |line: &str| line.starts_with('#') && line.contains(&format!("`{name}`"));
        assert!(text.lines().any(heading), "{name} has no heading in docs/algorithms.md");
        for parameter in agent["parameters"].as_array().expect("a list") {
            let row = format!("| `{}=", parameter["name"].as_str().expect("a name"));
            assert!(text.lines().any(|line| line.starts_with(&row)), "{name}: no row {row} in docs/algorithms.md");
        }
    }
}

/// Every document of the repository, from its root.
fn all_documents() -> Vec<String> {
    let mut found = Vec::new();
    let mut folders: Vec<String> = ["", "docs", "puzzles"].map(str::to_string).into();
    for above in ["crates", "experiments"] {
        let below = std::fs::read_dir(root().join(above)).expect("a folder");
        folders.extend(below.map(|entry| format!("{above}/{}", entry.expect("an entry").file_name().display())));
    }
    for folder in folders.iter().filter(|folder| root().join(folder).is_dir()) {
        for entry in std::fs::read_dir(root().join(folder)).expect("a folder") {
            let entry = entry.expect("an entry");
            let name = entry.file_name().display().to_string();
            // A link is another name of a document that is found in its own place.
            if name.ends_with(".md") && !entry.path().is_symlink() {
                found.push(Path::new(folder).join(name).display().to_string());
            }
        }
    }
    found
}

/// What a link to a heading is called.
pub fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
    kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}

#[test]
fn the_links_between_the_documents_lead_somewhere() {
    let documents = all_documents();
    assert!(documents.len() > 20, "{documents:?}");
    for document in documents {
        let text = read(&document);
        let targets = text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target);
        for target in targets.filter(|target| !target.contains("://")) {
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let folder = Path::new(&document).parent().expect("a folder");
            let path = if file.is_empty() { PathBuf::from(&document) } else { folder.join(file) };
            assert!(root().join(&path).exists(), "{document}: {target}");
            if !heading.is_empty() {
                let linked = read(&path.display().to_string());
                let titles = linked.lines().filter(|line| line.starts_with('#'));
                let mut titles = titles.map(|line| anchor(line.trim_start_matches('#').trim()));
                assert!(titles.any(|title| title == heading), "{document}: no heading #{heading}");
            }
        }
    }
}

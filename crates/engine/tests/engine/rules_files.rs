//! Games from rules files, and from texts of rules.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use plyproof_engine::certificate::{self, Limits, verify_bytes};
use plyproof_engine::{Agent, Aim, AnyGame, Budget, GameEntry, Kind, Registry, RulesId, SolveTask, Spec, Wdl};

fn own(name: &str) -> String {
    format!("{}/../rules/tests/data/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn text(name: &str) -> String {
    fs::read_to_string(own(name)).expect("a rules file of ours")
}

/// A folder of a test, which is removed behind it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("plyproof-rules-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        Self(folder)
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(&path, text).expect("a file");
        path.display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn value(game: &dyn AnyGame) -> Option<Wdl> {
    let minimax = Agent::parse("minimax").expect("an agent");
    let stop = AtomicBool::new(false);
    game.search(&minimax, &Budget::simulations(100_000), 1, &stop, &mut |_| {}).expect("a search").value
}

#[test]
fn a_rules_file_is_a_game_with_the_values_that_are_given() {
    let registry = Registry::builtin();
    let file = own("take.rbg");
    for (text, name, wins) in [
        (file.clone(), file.clone(), Wdl::Win),
        (format!("{file}(size=7)"), file.clone(), Wdl::Win),
        (format!("{file}(size=6)"), format!("{file}(size=6)"), Wdl::Loss),
        (format!(" {file} ( 06 ) "), format!("{file}(size=6)"), Wdl::Loss),
        (format!("'{file}'(most=3)"), format!("{file}(most=3)"), Wdl::Win),
    ] {
        let game = registry.open(&text).expect(&text);
        assert_eq!(game.name(), name);
        assert_eq!(registry.open(&game.name()).expect("its name").name(), name);
        assert_eq!(value(&*game), Some(wins), "{text}");
    }
    let opened = registry.open(&file).expect("a game");
    let described = opened.described();
    assert_eq!((described.name.as_str(), described.title.as_str()), (file.as_str(), "Take one or two"));
    assert_eq!(described.summary, "first against second on 1 cell with the pieces e.");
    let parameters: Vec<_> = described.parameters.iter().map(|p| (p.name.as_str(), p.default.as_str())).collect();
    assert_eq!(parameters, [("size", "7"), ("most", "2")]);
    assert_eq!(opened.rules(), GameEntry::from_rules("x", &text("take.rbg")).expect("rules").rules());
}

#[test]
fn names_of_files_may_need_quotation_marks() {
    let folder = Folder::new("names");
    for name in ["plain.rbg", "two words.rbg", "brackets (old)/it's.RBG", "ünï.rbg", "a,b=c.rbg"] {
        let file = folder.write(name, text("take.rbg"));
        let quoted = Spec::quoted_name(&file);
        let game = Registry::builtin().open(&format!("{quoted}(size=6)")).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(game.name(), format!("{quoted}(size=6)"));
        assert_eq!(game.described().name, file);
    }
    let spaces = folder.write("three little words.rbg", text("take.rbg"));
    assert!(Registry::builtin().open(&spaces).is_ok(), "marks are needed for parentheses alone");
}

#[test]
fn long_values_are_texts_between_quotation_marks() {
    let file = own("three-in-a-row.rbg");
    let line = "[none, none, none, none]";
    let wide = Registry::builtin().open(&format!("{file}(line='{line}')")).expect("four files");
    assert_eq!(wide.legal_moves().len(), 12);
    assert_eq!(wide.name(), format!("{file}(line='{line}')"));
    let parameter = &wide.described().parameters[0];
    assert_eq!((parameter.kind.clone(), parameter.default.as_str()), (Kind::Phrase, "[none, none, none]"));
    assert_eq!(Registry::builtin().open(&wide.name()).expect("its name").name(), wide.name());
}

#[test]
fn errors_name_the_file_and_the_place_in_it() {
    let folder = Folder::new("errors");
    let sound = text("take.rbg");
    let broken = folder.write("broken.rbg", sound.replace("heap - n", "heep - n"));
    let unknown = folder.write("latin.rbg", b"// one\n// caf\xe9\n");
    let large = folder.write("large.rbg", vec![b' '; (2 << 20) + 1]);
    let inside = folder.0.join("inside.rbg");
    fs::create_dir_all(&inside).expect("a folder");
    let file = own("take.rbg");
    for (text, says) in [
        (broken.clone(), format!("{broken}:9:")),
        (unknown.clone(), format!("{unknown}:2:7: it is not text in UTF-8")),
        (large.clone(), format!("{large}:1:1: the file goes on beyond 2 MB")),
        (inside.display().to_string(), "it is a folder".to_string()),
        ("no/such.rbg".to_string(), "no/such.rbg: there is no such file".to_string()),
        ("no/such".to_string(), "the name of a rules file ends in .rbg, .kif or .gdl".to_string()),
        (format!("{file}(sise=6)"), "(did you mean size?): size is 0..1000000000 (default 7)".to_string()),
        (format!("{file}(size=x)"), "size=x is not allowed".to_string()),
        (format!("{file}(size=6"), "closing parenthesis".to_string()),
        (format!("'{file}"), "quotation marks do not match".to_string()),
        ("tictactow".to_string(), "(did you mean tictactoe?); known: loa".to_string()),
        ("tictactow".to_string(), "; or a rules file such as my-game.rbg".to_string()),
    ] {
        let error = Registry::builtin().open(&text).expect_err(&text).to_string();
        assert!(error.contains(&says) && !error.contains('\n'), "{text}: {error}");
    }
}

#[test]
fn a_registry_without_files_reads_none_and_keeps_what_was_added() {
    let file = own("take.rbg");
    let mut registry = Registry::builtin();
    registry.add_file(&file).expect("a rules file");
    let registry = registry.without_files();
    assert!(registry.open(&format!("{file}(size=6)")).is_ok());
    let error = registry.open(&own("pawns.rbg")).expect_err("a file").to_string();
    assert!(error.contains("no file can be named here"), "{error}");
    assert!(!registry.open("tictactow").expect_err("no game").to_string().contains("rules file"));
}

#[test]
fn a_text_under_a_name_is_a_game() {
    let mut registry = Registry::builtin().without_files();
    let entry = registry.add_rules("mine.rbg", &text("take.rbg")).expect("rules");
    assert_eq!((entry.described().name.as_str(), entry.rules_text()), ("mine.rbg", Some(&*text("take.rbg"))));
    assert_eq!(registry.open("mine.rbg(size=9)").expect("a game").name(), "mine.rbg(size=9)");
    let error = registry.add_rules("mine.rbg", &text("pawns.rbg")).expect_err("a second game of the name");
    assert!(error.message.contains("there is a game \"mine.rbg\" already"), "{error}");
    let error = registry.add_rules("other.rbg", "#players = ").expect_err("half of a file");
    assert!(error.line > 0, "{error}");
    for name in ["two words", "", "a\nb.rbg"] {
        assert!(registry.add_rules(name, &text("take.rbg")).is_err(), "{name:?}");
    }
    assert!(registry.rules_of("mine.rbg(size=9)").expect("a game").is_some_and(|rules| rules.as_rbg().is_some()));
    assert!(registry.rules_of("loa").expect("a game").is_none());
}

#[test]
fn a_proof_holds_for_one_text_of_the_rules() {
    let proven = Registry::builtin().open(&own("take.rbg")).expect("a game");
    let mut certificate = String::new();
    let agent = Agent::parse("df-pn").expect("an agent");
    let budget = Budget::simulations(100_000);
    let task = SolveTask { agent: &agent, aim: Aim::Value, all_moves: false, proofs: true, budget, seed: 1 };
    let stop = AtomicBool::new(false);
    let solved = proven.solve(&task, &stop, &mut |_| {}, &mut |head, entries| {
        certificate = certificate::text(&*proven, head, entries).map_err(|error| error.to_string())?;
        Ok(())
    });
    assert_eq!(solved.expect("solved").value, Some(Wdl::Win));
    let digest = proven.rules().to_string();
    assert!(digest.contains("sha256:") && certificate.contains(&digest), "{certificate}");
    let checked = |text: &str| {
        let mut registry = Registry::builtin().without_files();
        registry.add_rules(&own("take.rbg"), text).expect("rules");
        let limits = Limits { memory: 1 << 20, stop: &AtomicBool::new(false), progress: &mut |_| {} };
        verify_bytes(&registry, &std::sync::Arc::<[u8]>::from(certificate.as_bytes()), limits)
            .map_err(|error| error.to_string())
    };
    assert!(checked(&text("take.rbg")).is_ok());
    let error = checked(&text("take.rbg").replace("divisible", "dividable")).expect_err("another text");
    assert!(error.contains("not the text with digest"), "{error}");
    assert!(matches!(proven.rules(), RulesId::Digest(_)));
}

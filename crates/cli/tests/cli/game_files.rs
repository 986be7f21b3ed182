//! Files of games on the command line: `convert`, `analyse`, `replay`; and `balance`.

use std::fs;

use crate::matches::Folder;
use crate::run::{plyproof, plyproof_with};

const LOST: &str = "[Game \"tictactoe\"]\n[First \"Ada\"]\n\n1. a1 b1 3. a2 b2 5. a3 1-0\n";

#[test]
fn the_games_of_a_record_become_a_file_of_games_and_replay_reads_it() {
    let folder = Folder::new("cli-convert");
    let [record, games, sgf] = ["a.jsonl", "a.games", "a.sgf"].map(|name| folder.file(name));
    let played = [
        "match",
        "hex(size=3)",
        "mcts",
        "random",
        "--sims",
        "9",
        "--games",
        "4",
        "--openings",
        "1",
        "--quiet",
        "--out",
        &record,
    ];
    plyproof(&played).fine();
    assert_eq!(plyproof(&["convert", &record, "--out", &games]).fine(), "");
    let text = fs::read_to_string(&games).expect("a file");
    assert_eq!(text.matches("[Game \"hex(size=3)\"]").count(), 4);
    for part in [
        "[First \"mcts, 9 sims\"]\n",
        "[Second \"mcts, 9 sims\"]\n",
        "[FirstBudget \"9 sims\"]\n",
        "[Seed \"1\"]\n",
        "{The random opening ends here.}",
        "[sims 9]",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(plyproof(&["replay", &games]).fine().starts_with("4 games, "));
    plyproof(&["convert", &games, "--out", &sgf]).fine();
    assert!(plyproof(&["replay", &sgf]).fine().starts_with("4 games, "));
    assert_eq!(plyproof(&["convert", &sgf]).fine(), text, "SGF keeps everything");
    plyproof(&["convert", &games, "--to", "kif"]).refused(1, "hex is not minishogi");
    plyproof(&["convert", &games, "--to", "pgn"]).refused(2, "expected games, sgf, usi or kif");
    plyproof_with(&["convert", "-"], b"").refused(1, "there is no game to convert");
    plyproof_with(&["convert", "-"], b"hello\n").refused(1, "standard input: ");
    plyproof_with(&["replay", "-"], b"[Game \"tictactoe\"]\n\n1. a1 a1 *\n")
        .refused(1, "standard input line 3: column 7: \"a1\" is not a legal move");
}

#[test]
fn an_analysis_marks_what_was_thrown_away_and_writes_it_into_the_game() {
    let folder = Folder::new("cli-analyse");
    let out = folder.file("annotated.games");
    let run = plyproof_with(&["analyse", "-", "--sims", "300", "--out", &out, "--quiet"], LOST.as_bytes());
    let text = run.fine();
    assert!(text.starts_with("game 1: tictactoe, Ada - ?, 1-0\n"), "{text}");
    assert!(text.contains("\n2         2  b1    ??  -1.00  1.00  draw -> loss  b2    b2 "), "{text}");
    let annotated = fs::read_to_string(&out).expect("a file");
    assert!(
        annotated.contains("b1?? [value -1] [proven loss]") && annotated.contains("[Annotator \"plyproof "),
        "{annotated}"
    );
    assert!(plyproof(&["replay", &out]).fine().starts_with("1 game, "));
    let again = plyproof(&["analyse", &out, "--sims", "300", "--quiet", "--color", "always"]).fine();
    assert!(again.contains("\u{1b}[31m"), "{again:?}");
    plyproof_with(&["analyse", "-", "--game", "2"], LOST.as_bytes()).refused(1, "there is no game 2 in 1 game");
    plyproof_with(&["analyse", "-"], b"").refused(1, "there is no game to analyse");
    plyproof_with(&["analyse", "-", "--sims", "0"], LOST.as_bytes()).refused(2, "--sims 0");
    plyproof(&["analyse", "no/such/file"]).refused(1, "no/such/file: ");
}

#[test]
fn balance_compares_games_and_resumes_from_its_folder() {
    let folder = Folder::new("cli-balance");
    let out = folder.file("out");
    let arguments = [
        "balance",
        "tictactoe",
        "mnk(m=2,n=2,k=2)",
        "--sims",
        "5,20",
        "--games",
        "6",
        "--quiet",
        "--jobs",
        "1",
        "--out",
        &out,
    ];
    let text = plyproof(&arguments).fine();
    assert!(text.contains("tictactoe: proven, a draw for the first player\n"), "{text}");
    assert!(text.contains("mnk(m=2,n=2,k=2): proven, a win for the first player\n"), "{text}");
    let rows = text.lines().filter(|line| line.contains(" %")).count();
    assert!(rows >= 6, "random play and two strengths for each game: {text}");
    for file in ["balance.json", "balance.svg", "tictactoe-5.jsonl", "mnk-m-2-n-2-k-2-20.jsonl"] {
        assert!(fs::metadata(format!("{out}/{file}")).is_ok(), "{file}");
    }
    let first = |text: &str| text.lines().filter(|line| !line.contains(" in ")).map(str::to_string).collect::<Vec<_>>();
    assert_eq!(first(&plyproof(&arguments).fine()), first(&text), "played again from its records");
    plyproof(&["balance", "chess"]).refused(2, "unknown game \"chess\"");
    plyproof(&["balance", "loa", "--sims", "0"]).refused(2, "expected numbers of simulations");
}

#[test]
fn one_game_or_agent_is_described_in_full() {
    let text = plyproof(&["games", "hex(size=3)"]).fine();
    for part in [
        "hex: Hex\n",
        "  size=11\n      allowed: 1..13\n",
        "draws possible    no\n",
        "symmetries        2\n",
        "first moves       9, such as a1\n",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let text = plyproof(&["agents", "pn-mcts(pn=2)"]).fine();
    for part in ["pn-mcts: ", "proves values    yes", "allowed: "] {
        assert!(text.contains(part), "{part}: {text}");
    }
    plyproof(&["games", "chess"]).refused(2, "unknown game \"chess\"");
    plyproof(&["agents", "alpha-zero"]).refused(2, "unknown agent \"alpha-zero\"");
    plyproof(&["agents", "mcts(q=1)"]).refused(2, "q");
}

#[test]
fn shells_and_manual_readers_learn_every_command() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = plyproof(&["completions", shell]).fine();
        assert!(script.contains("tournament") && script.contains("color"), "{shell}");
    }
    let folder = Folder::new("cli-man");
    let pages = folder.file("man1");
    plyproof(&["man", &pages]).fine();
    let page = fs::read_to_string(format!("{pages}/plyproof-search.1")).expect("a page");
    assert!(page.contains(".TH plyproof-search 1") && page.contains("principal variation"), "{page}");
    assert!(fs::read_dir(&pages).expect("a folder").count() > 20);
    plyproof(&["completions", "tcsh"]).refused(2, "tcsh");
}

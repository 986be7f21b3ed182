//! The examples in docs/game-files.md are read, and the first one is in the canonical form that the document describes.

use std::path::Path;

use plyproof_engine::Registry;
use plyproof_notation::{Format, GameFile, KNOWN_HEADERS, RecordedGame, game_text};

fn root() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn document() -> String {
    std::fs::read_to_string(root().join("docs/game-files.md")).expect("docs/game-files.md")
}

/// The blocks of the document that are marked as `kind`.
fn blocks(kind: &str) -> Vec<String> {
    let (mut blocks, mut inside) = (Vec::<String>::new(), false);
    for line in document().lines() {
        if line.starts_with("```") {
            inside = line == format!("```{kind}");
            if inside {
                blocks.push(String::new());
            }
        } else if inside && let Some(block) = blocks.last_mut() {
            *block += &format!("{line}\n");
        }
    }
    blocks
}

fn read(text: &str) -> Result<Vec<RecordedGame>, String> {
    let registry = Registry::builtin();
    let opened = GameFile::open(&registry, std::io::Cursor::new(text.to_string())).expect("memory is readable");
    let mut file = opened.map_err(|error| error.to_string())?;
    let mut games = Vec::new();
    while let Some(game) = file.next_game().map_err(|error| error.to_string())? {
        games.push(game);
    }
    Ok(games)
}

#[test]
fn the_example_is_canonical_and_the_file_beside_it_holds_it() {
    let [example] = &blocks("games")[..] else { panic!("one example") };
    let games = read(example).expect("a sound example");
    assert_eq!(&games.iter().map(game_text).collect::<String>(), example);
    assert_eq!(games[0].tree.len(), 7);
    for (kind, file) in [("games", "breakthrough.games"), ("sgf", "hex.sgf")] {
        let text = std::fs::read_to_string(root().join("docs/examples").join(file)).expect(file);
        assert_eq!(text, blocks(kind)[0], "{file}");
    }
}

#[test]
fn the_examples_in_other_formats_are_read() {
    for (format, games, plies) in [(Format::Sgf, 1, 4), (Format::Usi, 2, 4), (Format::Kif, 1, 3)] {
        let [example] = &blocks(format.name())[..] else { panic!("one example of {format}") };
        let read = read(example).unwrap_or_else(|error| panic!("{format}: {error}"));
        assert_eq!((read.len(), read.iter().map(|game| game.tree.len()).sum::<usize>()), (games, plies), "{format}");
        // In the formats that hold everything, the same game comes back; and in our own format any of them does.
        for game in &read {
            assert_eq!(&self::read(&game_text(game)).expect("canonical")[0], game, "{format}");
        }
    }
    let kif = &blocks("kif")[0];
    assert_eq!(&Format::Kif.text(&read(kif).expect("a sound example")[0]).expect("can be written"), kif);
}

#[test]
fn the_document_names_every_header_with_a_meaning() {
    let text = document();
    for header in KNOWN_HEADERS {
        assert!(text.contains(&format!("`{header}`")), "{header}");
    }
}

#[test]
fn errors_name_the_place_and_what_would_be_right() {
    let head = "[Game \"breakthrough(size=2x4)\"]\n";
    for (text, expected) in [
        ("1. a2b3 1-0\n", "line 1, column 1: \"1. a2b3 1-0\": a file of games begins with"),
        ("[Event \"x\"]\n", "line 1, column 1: \"Event\" where the header Game is expected"),
        ("[Game \"chess\"]\n*\n", "line 1, column 1: unknown game \"chess\""),
        (&format!("{head}1. a2b4 *\n"), "line 2, column 4: \"a2b4\" is not a legal move here; legal: a2b3 b2a3"),
        (&format!("{head}2. a2b3 *\n"), "line 2, column 1: 2. stands before ply 1: expected 1. or no number"),
        (&format!("{head}a2b3\n"), "line 2, column 5: the file ends before the game does; it needs its result"),
        (&format!("{head}a2b3 (b2a3\n"), "line 2, column 11: the file ends before the game does; it needs a )"),
        (&format!("{head}a2b3 ) *\n"), "line 2, column 6: there is no variation that ends here"),
        (&format!("{head}a2b3 () *\n"), "line 2, column 7: a variation without a move"),
        (&format!("{head}(a2b3) *\n"), "line 2, column 1: a variation follows the move that it replaces"),
        (&format!("{head}! *\n"), "line 2, column 1: an annotation follows the move that it is about"),
        (
            &format!("{head}a2b3 {{never\nclosed\n"),
            "line 2, column 6: the comment that begins here has no } at its end",
        ),
        (
            &format!("{head}a2b3 [value 2] *\n"),
            "line 2, column 6: \"2\" is not a value: expected a number from -1 to 1",
        ),
        (&format!("{head}a2b3 [colour red] *\n"), "line 2, column 6: unknown note \"colour\"; known are value, proven"),
        (&format!("{head}a2b3 !!! *\n"), "line 2, column 6: \"!!!\" is not an annotation: expected ! ? !! ?? !? or ?!"),
        (&format!("{head}a2b3 $9 *\n"), "line 2, column 6: \"$9\" is not an annotation: expected $1 to $6"),
        (
            &format!("{head}[Result \"2-0\"]\n*\n"),
            "line 2, column 1: \"2-0\" is not a result: expected 1-0, 0-1, 1/2-1/2",
        ),
        (
            &format!("{head}[Result \"1-0\"]\n*\n"),
            "line 2, column 1: the header Result says 1-0, the end of the game *",
        ),
        (&format!("{head}[Event \"a\"]\n[Event \"b\"]\n*\n"), "line 3, column 1: the header Event is there already"),
        (
            &format!("{head}a2b3\n[Event \"a\"]\n*\n"),
            "line 3, column 1: the header Event stands among moves; the result",
        ),
        (
            &format!("{head}a2b3 a4b3 b2a3 b3a2 a3a4 0-1\n"),
            "line 2, column 26: the result is 0-1, but by the rules the game",
        ),
        (&format!("{head}[Position \"xx/.. x\"]\n*\n"), "line 2, column 1: "),
        ("(;FF[4]GM[1]SZ[19])\n", "line 1, column 8: GM is \"1\"; the games read here are 4 (Gomoku) and 11 (Hex)"),
        ("(;GM[11]SZ[3];B[d1])\n", "line 1, column 15: \"d1\" is not a point of a 3x3 board: expected one as in b3"),
        ("(;GM[11]SZ[3];B[b2];W[b2])\n", "line 1, column 21: \"b2\" is not a legal move here"),
        ("(;GM[11]SZ[3];B[b2];W[swap-pieces])\n", "line 1, column 21: \"swap-pieces\" is not a move here"),
        ("(;GM[11]SZ[3];W[b2])\n", "line 1, column 15: W moves, but player 1 is to move"),
        ("(;GM[4]SZ[9];B[aa]\n", "line 1, column 1: the game that begins here has no ) at its end"),
        ("(;GM[4]SZ[9];B[aa\n", "line 1, column 15: the value that begins here has no ] at its end"),
        ("position startpos moves 2e1d 9z9z\n", "line 1, column 30: \"9z9z\" is not a legal move here"),
        ("position endpos\n", "line 1, column 10: \"endpos\" where startpos or sfen is expected"),
        ("手合割：平手\n", "line 1, column 1: 手合割 is \"平手\"; the game read here is 5五将棋"),
        ("手合割：5五将棋\n1 ９九角(25)\n", "line 2, column 1: \"９九角(25)\" is not a move of KIF"),
        ("手合割：5五将棋\n 2 ２四角(25)\n", "line 2, column 2: move 2 where move 1 is expected"),
        (
            "手合割：5五将棋\n1 １四角(25)\n変化：7手\n",
            "line 3, column 1: \"7手\" is not a move that a variation can replace",
        ),
    ] {
        let error = read(text).expect_err(text);
        assert!(error.starts_with(expected), "{text}\n{error}\n{expected}");
    }
}

#[test]
fn too_deep_and_too_long_games_are_refused() {
    let deep = format!("[Game \"awari\"]\n{}", "1 (".repeat(200));
    assert!(read(&deep).expect_err("too deep").contains("more than 100 deep"));
    let long = format!("[Game \"awari\"]\n{}", "{a long comment}\n".repeat(1_100_000));
    assert!(read(&long).expect_err("too long").contains("longer than 16 MB"));
    let brackets = format!("(;GM[11]SZ[3]{}", "(".repeat(20_000));
    assert!(read(&brackets).expect_err("too deep").contains("more than 10000 brackets"));
}

#[test]
fn what_people_write_is_read_and_written_in_one_form() {
    let text = "[Game \"minishogi\"]\n\n2e1d $2 ; a remark\n3a4b 1d2e *\n\n\n[Game \"tictactoe\"]  1.a1{x}{y}(;before\nb2 c3)0-1";
    let games = read(text).expect("sound games");
    let written: String = games.iter().map(game_text).collect();
    assert_eq!(
        written,
        "[Game \"minishogi\"]\n[Result \"*\"]\n\n1. d1e2? {a remark} 2. c5b4 3. e2d1 *\n\n\
         [Game \"tictactoe\"]\n[Result \"0-1\"]\n\n1. a1 {x\ny} (1. b2 {before} 2. c3) 0-1\n\n"
    );
    assert_eq!(read(&written).expect("canonical"), games);
}

//! Whatever is thrown at a command, it answers with one line and an exit code.

use crate::run::{self, TemporaryFile, garbage, plyproof, plyproof_with, zipped};

#[test]
fn wrong_arguments_are_misuse() {
    for (arguments, part) in [
        (&["gmes"][..], "'games'"),
        (&["show"], "required arguments were not provided: <GAME>"),
        (&["show", "knightthrough", "--postion", "x"], "--postion"),
        (&["show", "nightthrough"], "did you mean knightthrough?"),
        (&["show", "knightthrough(size=9)"], "size is WxH from 2x4 to 8x8"),
        (&["show", "knightthrough(sise=8)"], "no parameter \"sise\""),
        (&["show", "knightthrough("], "closing parenthesis"),
        (&["show", ""], "letters, digits"),
        (&["show", "\u{1b}[31m\n"], "letters, digits"),
        (&["show", "knightthrough", "--notation", "usi"], "no notation \"usi\""),
        (&["show", "knightthrough", "--position", "-", "--moves", "-"], "only one of"),
        (&["perft", "knightthrough"], "<DEPTH>"),
        (&["perft", "knightthrough", "61"], "'61' for '<DEPTH>': not a whole number from 0 to 60, as in"),
        (&["perft", "knightthrough", "-1"], "-1"),
        (&["perft", "chess", "1"], "unknown game \"chess\""),
        (&["replay"], "<FILE>"),
        (&["verify"], "<FILE>"),
        (&["verify", "x", "--memory", "much"], "as in 512MB"),
        (&["match", "chess"], "unknown game \"chess\""),
        (&["match", "loa", "mtcs"], "unknown agent \"mtcs\" (did you mean mcts?)"),
        (&["match", "loa", "mcts", "mcts(x=1)"], "has no parameter \"x\""),
        (&["match", "--games", "0"], "'0' for '--games <N>': not a whole number from 1 to 1,000,000, as in"),
        (&["match", "--sims", "0"], "not a whole number from 1 to 2^64-1, as in 250, 1e3, 10k or 1_000"),
        (&["match", "--sims", "1.5"], "'1.5' for '--sims <N>': not a whole number"),
        (&["match", "--games", "-2"], "'-2' for '--games <N>': not a whole number from 1"),
        (&["match", "--games", "1e7"], "not a whole number from 1 to 1,000,000"),
        (&["match", "--seed", "-1"], "'-1' for '--seed <S>'"),
        (&["table", "awari", "--max-seeds", "-1", "--out", "x"], "'-1' for '--max-seeds <N>'"),
        (&["table", "loa(size=3)", "--out", "x", "--sample", "5"], "'--sample <N>'"),
        (&["table", "loa(size=3)", "--out", "x", "--agent", "pns"], "'--agent <SPEC>'"),
        (&["table", "--check", "x", "--nodes", "5"], "--sample <N>"),
        (&["puzzles", "loa", "--most-nodes", "5"], "--make <N>"),
        (&["puzzles", "loa", "--make", "1", "--out", "x", "--list"], "'--list'"),
        (&["puzzles", "loa", "--make", "1", "--out", "x", "--agent", "mcts"], "'--agent <SPEC>'"),
        (&["puzzles", "loa", "--make", "1", "--out", "x", "--most-nodes", "9"], "--most-nodes 9 is less than"),
        (&["match", "--time", "soon"], "as in 1s"),
        (&["match", "--memory", "much"], "as in 512MB"),
        (&["match", "--sprt", "5"], "two Elo differences"),
        (&["match", "--sprt", "5,-5"], "elo0 < elo1"),
        (&["match", "--shard", "3"], "as in 3/8"),
        (&["match", "--shard", "3/2"], "no part 3 of 2"),
        (&["match", "tictactoe", "--openings", "9"], "too many for tictactoe"),
        (&["match", "loa", "mcts", "mcts", "mcts"], "unexpected argument"),
        (&["tournament", "loa"], "<AGENT>"),
        (&["tournament", "loa", "mcts"], "2 values required"),
        (&["tournament", "loa", "mcts", "mcts"], "mcts is given twice"),
        (&["tournament", "loa", "mcts", "mtcs"], "did you mean mcts?"),
        (&["report"], "<FILE>"),
        (&["report", "x", "--format", "xml"], "table, json, csv, md"),
        (&["bench"], "playouts"),
        (&["bench", "playouts", "--seconds", "0"], "0.001 to 3600"),
        (&["bench", "playouts", "--seconds", "NaN"], "0.001 to 3600"),
        (&["bench", "playouts", "--game", "chess"], "unknown game"),
    ] {
        let run = plyproof(arguments);
        run.refused(2, part);
        assert_eq!(run.out, "", "{arguments:?}");
    }
    plyproof(&["show", &"x".repeat(100_000)]).refused(2, "too long");
}

#[test]
fn wrong_positions_and_moves_are_misuse() {
    for (arguments, part) in [
        (&["--position", "oo/oo/xx"][..], "\"oo/oo/xx\" is not a position"),
        (&["--position", ""], "is not a position"),
        (&["--position", "oo/oo/xx x"], "4 ranks"),
        (&["--position", "xo/oo/xx/xo x"], "both sides have won"),
        (&["--moves", "a2b3 e9"], "move 2: \"e9\" is not a legal move here; legal: a3a2 a3b2 a4b3"),
        (&["--moves", "a2b3 a4b3 b2a3 b3a2 a3a4 b4b3"], "move 6: \"b4b3\" cannot be played: the game is over"),
        (&["--moves", "\u{7}é"], "not a legal move"),
    ] {
        for command in [&["show", "breakthrough(size=2x4)"][..], &["perft", "breakthrough(size=2x4)", "2"]] {
            plyproof(&[command, arguments].concat()).refused(2, part);
        }
    }
    plyproof(&["show", "knightthrough", "--position", &"x/".repeat(50_000)]).refused(2, "is not");
    plyproof(&["show", "knightthrough", "--position", "@no/such/file"]).refused(1, "no/such/file: ");
}

#[test]
fn ten_megabytes_of_garbage_are_no_position() {
    let garbage = garbage();
    let file = TemporaryFile::new("garbage_position", &garbage);
    let from_file = format!("@{}", file.path());
    for option in ["--position", "--moves"] {
        plyproof_with(&["show", "knightthrough", option, "-"], &garbage).refused(2, "more than 1 MB");
        plyproof(&["perft", "knightthrough", "2", option, &from_file]).refused(2, "more than 1 MB");
    }
    plyproof_with(&["show", "knightthrough", "--position", "-"], &garbage[..1000]).refused(2, "not UTF-8 text");
    let letters: Vec<u8> = garbage[..1_000_000].iter().map(|byte| b"xo./ 12345678"[usize::from(byte % 13)]).collect();
    plyproof_with(&["show", "knightthrough", "--position", "-"], &letters).refused(2, "is not");
    plyproof_with(&["show", "knightthrough", "--moves", "-"], &letters).refused(2, "move 1: ");
}

#[test]
fn ten_megabytes_of_garbage_are_no_games() {
    let garbage = garbage();
    let plain = TemporaryFile::new("garbage.jsonl", &garbage);
    let packed = TemporaryFile::new("garbage.jsonl.gz", &zipped(&garbage));
    let pretender = TemporaryFile::new("pretender.gz", &[&[0x1f, 0x8b], &garbage[..]].concat());
    for file in [&plain, &packed, &pretender] {
        for json in [&[][..], &["--json"]] {
            let run = plyproof(&[&["replay", file.path()], json].concat());
            run.refused(1, file.path());
            assert_eq!(run.out, "");
        }
    }
}

#[test]
fn a_zipped_file_that_is_cut_or_has_an_endless_line_is_refused() {
    let game = b"{\"game\":\"knightthrough\",\"plies\":[]}\n".repeat(1000);
    let whole = zipped(&game);
    let cut = TemporaryFile::new("cut.gz", &whole[..whole.len() / 2]);
    plyproof(&["replay", cut.path()]).refused(1, "the gzip data is cut off");
    let bomb = TemporaryFile::new("bomb.gz", &zipped(&vec![b' '; 40_000_000]));
    plyproof(&["replay", bomb.path()]).refused(1, "bomb.gz line 1: the line is longer than 16 MB");
}

#[test]
fn a_file_that_holds_no_puzzles_is_refused() {
    for (name, bytes, part) in [
        ("binary.puzzles", &b"\xff\xfe\x00"[..], "not puzzles: it is not UTF-8 text"),
        ("empty.puzzles", b"", "empty.puzzles: "),
        ("other.puzzles", b"{\"plyproof-table\":1}\n", "other.puzzles: "),
    ] {
        let file = TemporaryFile::new(name, bytes);
        plyproof(&["puzzles", "loa", "--file", file.path()]).refused(1, part);
    }
    plyproof(&["puzzles", "loa", "--only"]).refused(2, "--make");
}

#[test]
fn files_that_are_missing_or_hold_unknown_games_fail() {
    plyproof(&["replay", "no/such/file.jsonl"]).refused(1, "no/such/file.jsonl: ");
    plyproof(&["replay", env!("CARGO_TARGET_TMPDIR")]).refused(1, env!("CARGO_TARGET_TMPDIR"));
    let input = b"\n{\"game\":\"chess\",\"plies\":[]}\n";
    plyproof_with(&["replay", "-"], input).refused(1, "standard input line 2: unknown game \"chess\"");
}

#[cfg(unix)]
#[test]
fn arguments_that_are_no_text_are_refused() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let wild = OsStr::from_bytes(b"\xff\xfe");
    for (arguments, code, part) in [
        (&["show"][..], 2, "UTF-8"),
        (&["show", "knightthrough", "--position"], 2, "UTF-8"),
        (&["show", "knightthrough", "--moves"], 2, "UTF-8"),
        (&[], 2, "unrecognized subcommand"),
        (&["replay"], 1, "No such file"),
    ] {
        let output = run::command(arguments).arg(wild).output().expect("it runs");
        run::ran(output).refused(code, part);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_an_error() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("a device");
    let output = run::command(&["games"]).stdout(full).output().expect("it runs");
    run::ran(output).refused(1, "cannot write to standard output");
}

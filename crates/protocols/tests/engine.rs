//! Our engine behind each protocol: conversations whose answers are known, answers during a search, and random lines.

use std::io::{BufRead, BufReader, Cursor, PipeReader, PipeWriter, Write, pipe};
use std::thread::JoinHandle;

use plyproof_core::Rng;
use plyproof_engine::Registry;
use plyproof_protocols::{Protocol, Setup, serve};

fn setup(game: &str, agent: &str) -> Setup {
    let (game, agent) = (Some(game.to_string()), agent.to_string());
    Setup { game, agent, memory: 16 << 20, ..Setup::new(Registry::builtin()) }
}

/// What the engine says to these lines.
fn said(setup: &Setup, protocol: Protocol, lines: &str) -> String {
    let mut out = Vec::new();
    serve(setup, Some(protocol), Cursor::new(lines.to_string()), &mut out).expect("memory can be written");
    String::from_utf8(out).expect("text")
}

#[track_caller]
fn answers(game: &str, protocol: Protocol, talk: &[(&str, &str)]) {
    let lines: String = talk.iter().map(|(line, _)| format!("{line}\n")).collect();
    let said = said(&setup(game, "plyproof"), protocol, &lines);
    let mut rest = said.as_str();
    for (line, part) in talk.iter().filter(|(_, part)| !part.is_empty()) {
        let at = rest.find(part).unwrap_or_else(|| panic!("{line}: no {part:?} in {rest:?} of\n{said}"));
        rest = &rest[at + part.len()..];
    }
}

#[test]
fn ugi_greets_searches_and_answers_queries() {
    answers(
        "tictactoe",
        Protocol::Ugi,
        &[
            ("ugi", "id name plyproof "),
            ("", "option name Game type string default tictactoe\n"),
            ("", "ugiok\n"),
            ("isready", "readyok\n"),
            ("setoption name Game value hex(size=3)", ""),
            ("query p1turn", "response true\n"),
            ("position startpos moves a1", ""),
            ("query p1turn", "response false\n"),
            ("setoption name Game value tictactoe", ""),
            ("uginewgame", ""),
            ("position fen xx./oo./... x", ""),
            ("go nodes 500", "score mate 1 pv c3\n"),
            ("", "bestmove c3\n"),
            ("position fen xx./oo./... x moves c3", ""),
            ("query gameover", "response true\n"),
            ("query result", "response p1win\n"),
            ("go nodes 5", "info string the game is over\nbestmove 0000\n"),
            ("position startpos moves a1 a1", "info string move 2: "),
            ("go nodes 5", "bestmove 0000\n"),
            ("position startpos", ""),
            ("go nodes 5", "bestmove "),
            ("setoption name Threads value 0", "info string Threads is 1 to 1024, not \"0\"\n"),
            ("xyzzy", "info string unknown command \"xyzzy\"\n"),
            ("go nodes many", "info string nodes is a whole number"),
            ("", "bestmove 0000\n"),
        ],
    );
}

#[test]
fn usi_speaks_of_minishogi_and_solves() {
    answers(
        "minishogi",
        Protocol::Usi,
        &[
            ("usi", "option name USI_Hash type spin default 16 "),
            ("", "usiok\n"),
            ("position startpos moves 1e1d", ""),
            ("go nodes 50", "bestmove "),
            // The gold leaves the king no move, which loses.
            ("position sfen 4k/5/4P/5/K4 b G 1", ""),
            ("go mate 100000", "checkmate G*3b\n"),
            ("position sfen 4k/5/5/5/K4 b - 1", ""),
            ("go mate 1", "checkmate timeout\n"),
            ("position startpos moves 9e9d", "info string move 1: "),
            ("go btime 1000 wtime 1000", "bestmove resign\n"),
        ],
    );
}

#[test]
fn uci_plays_variants() {
    answers(
        "minishogi",
        Protocol::Uci,
        &[
            ("uci", " var minishogi"),
            ("", "uciok\n"),
            ("position fen 4k/5/4P/5/K4[G] w 0 1", ""),
            ("go nodes 3000", "score mate 1 pv G@"),
            ("", "bestmove G@"),
            ("setoption name UCI_Variant value breakthrough", ""),
            ("position fen 8/P7/8/8/8/8/7p/8 w - - 0 1", ""),
            ("go nodes 300", "bestmove a7"),
            ("position startpos moves a2a3 a7a6", ""),
            ("go depth 1", "bestmove "),
        ],
    );
}

#[test]
fn gomocup_plays_by_turns_and_from_boards() {
    answers(
        "gomoku",
        Protocol::Gomocup,
        &[
            ("BEGIN", "ERROR no game has begun"),
            ("START 4", "ERROR the size is 5 to 19, not \"4\"\n"),
            ("INFO rule 4", ""),
            ("START 15", "ERROR the rule renju is not known"),
            ("INFO rule 1", ""),
            ("INFO timeout_turn 0", ""),
            ("INFO unknown_key 7", ""),
            ("START 15", "OK\n"),
            ("TURN 15,0", "ERROR "),
            ("TURN 7,7", ","),
            ("RESTART", "OK\n"),
            // Four in a row that only (4,0) makes five.
            ("BOARD", ""),
            ("0,0,1\n0,5,2\n1,0,1\n1,5,2\n2,0,1\n2,5,2\n3,0,1\n4,5,2", ""),
            ("DONE", "4,0\n"),
            ("TAKEBACK 4,0", "OK\n"),
            ("PLAY 4,0", "4,0\n"),
            ("TURN 9,9", "ERROR "),
            ("BOARD", ""),
            ("0,0,1", ""),
            ("DONE", "ERROR 1 own stones and 0 of the opponent are not possible\n"),
            ("SWAP2BOARD", "UNKNOWN \"SWAP2BOARD\"\n"),
            ("RECTSTART 10,5", "ERROR a board that is no square has the rule freestyle\n"),
            ("ABOUT", "name=\"plyproof\", version="),
        ],
    );
}

#[test]
fn gtp_answers_with_identities_and_takes_moves_back() {
    answers(
        "gomoku",
        Protocol::Gtp,
        &[
            ("1 protocol_version", "=1 2\n\n"),
            ("name # a comment", "= plyproof\n\n"),
            ("known_command genmove", "= true\n\n"),
            ("known_command fly", "= false\n\n"),
            ("boardsize 99", "? unacceptable size\n\n"),
            ("boardsize 9", "= \n\n"),
            ("7 play black J9", "=7 \n\n"),
            ("play black a1", "? illegal move: the other color is to move\n\n"),
            ("play white j9", "? illegal move: "),
            ("play white I9", "? illegal move: "),
            ("undo", "= \n\n"),
            ("undo", "? cannot undo\n\n"),
            ("time_settings 0 1 100", "= \n\n"),
            ("3 genmove b", "=3 "),
            ("final_score", "? the game is not over\n\n"),
            ("showboard", "= \n 9 "),
            ("fly", "? unknown command\n\n"),
            ("quit", "= \n\n"),
        ],
    );
}

/// An engine on a thread, spoken to line by line.
struct Talk {
    input: Option<PipeWriter>,
    output: BufReader<PipeReader>,
    engine: JoinHandle<std::io::Result<()>>,
}

impl Talk {
    fn with(game: &str, protocol: Protocol) -> Self {
        let setup = setup(game, "plyproof");
        let ((from, input), (output, to)) = (pipe().expect("a pipe"), pipe().expect("a pipe"));
        let engine = std::thread::spawn(move || serve(&setup, Some(protocol), from, to));
        Self { input: Some(input), output: BufReader::new(output), engine }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input.as_mut().expect("open"), "{line}").expect("the engine reads");
    }

    /// Waits for a line that begins so, and returns it and the number of lines before it.
    #[track_caller]
    fn hear(&mut self, start: &str) -> String {
        loop {
            let mut line = String::new();
            let read = self.output.read_line(&mut line).expect("text");
            assert!(read > 0, "no {start}");
            if line.starts_with(start) {
                return line.trim_end().to_string();
            }
            assert!(!line.starts_with("bestmove"), "{line} instead of {start}");
        }
    }

    fn end(mut self) {
        self.input = None;
        self.engine.join().expect("no panic").expect("no error");
    }
}

#[test]
fn the_engine_answers_during_a_search_and_stops() {
    let mut talk = Talk::with("loa", Protocol::Ugi);
    for line in ["position startpos", "go infinite", "isready"] {
        talk.say(line);
    }
    talk.hear("readyok");
    talk.say("position startpos moves b1b3");
    talk.say("query p1turn");
    talk.say("isready");
    talk.hear("readyok");
    talk.say("stop");
    talk.hear("bestmove ");
    // What came during the search had to wait for its end.
    assert_eq!(talk.hear("response"), "response false");
    talk.say("go infinite");
    talk.say("quit");
    talk.end();
}

#[test]
fn the_answer_to_a_search_without_limit_waits_until_it_is_wanted() {
    let mut talk = Talk::with("tictactoe", Protocol::Ugi);
    talk.say("position fen xx./oo./... x");
    talk.say("go infinite");
    for _ in 0..20 {
        talk.say("isready");
        talk.hear("readyok");
    }
    talk.say("stop");
    assert_eq!(talk.hear("bestmove"), "bestmove c3");
    talk.end();
}

#[test]
fn pondering_ends_with_a_move_after_a_hit_and_after_a_stop() {
    let mut talk = Talk::with("minishogi", Protocol::Usi);
    talk.say("position startpos moves 1e1d");
    talk.say("go ponder btime 100 wtime 100 byoyomi 20");
    talk.say("isready");
    talk.hear("readyok");
    talk.say("ponderhit");
    talk.hear("bestmove ");
    talk.say("go ponder btime 100 wtime 100 byoyomi 20");
    talk.say("stop");
    talk.hear("bestmove ");
    talk.end();
}

#[test]
fn a_manager_that_dies_ends_a_search_without_limit() {
    let mut talk = Talk::with("loa", Protocol::Ugi);
    talk.say("go infinite");
    talk.end();
    let mut talk = Talk::with("minishogi", Protocol::Usi);
    talk.say("go mate infinite");
    talk.end();
}

#[test]
fn an_analysis_ends_with_the_next_command() {
    let mut talk = Talk::with("hex(size=5)", Protocol::Gtp);
    talk.say("kata-analyze b 1");
    talk.hear("=");
    let line = talk.hear("info move ");
    assert!(line.contains(" visits ") && line.contains(" winrate ") && line.contains(" order 0 pv "), "{line}");
    talk.say("9 name");
    assert_eq!(talk.hear("=9"), "=9 plyproof");
    talk.end();
}

#[test]
fn the_first_line_tells_the_protocol() {
    let first = |line: &str| {
        let mut out = Vec::new();
        let served = serve(&setup("gomoku", "random"), None, Cursor::new(format!("{line}\n")), &mut out);
        served.map(|()| String::from_utf8(out).expect("text")).map_err(|error| error.to_string())
    };
    assert!(first("uci").expect("UCI").ends_with("uciok\n"));
    assert_eq!(first("START 15").as_deref(), Ok("OK\n"));
    assert_eq!(first("5 name").as_deref(), Ok("=5 plyproof\n\n"));
    let error = first("hello").expect_err("no protocol");
    assert_eq!(error, "the first line \"hello\" does not tell the protocol; --protocol names it");
}

/// Lines of a protocol that mutations begin with.
fn seeds(protocol: Protocol) -> &'static [&'static str] {
    match protocol {
        Protocol::Ugi | Protocol::Usi | Protocol::Uci => &[
            "ugi",
            "usi",
            "uci",
            "isready",
            "uginewgame",
            "stop",
            "ponderhit",
            "gameover win",
            "query result",
            "setoption name Hash value 16",
            "setoption name Game value tictactoe",
            "setoption name Seed value 7",
            "setoption name UCI_Variant value breakthrough",
            "position startpos",
            "position startpos moves a1 b1",
            "position fen xx./oo./... x moves c3",
            "position sfen rbsgk/4p/5/P4/KGSBR b - 1 moves 1e1d",
            "go nodes 5",
            "go infinite",
            "go movetime 1",
            "go p1time 5 p2time 5 p1inc 1",
            "go btime 5 wtime 5 byoyomi 1",
            "go ponder btime 1 wtime 1",
            "go mate 1",
            "go depth 1",
        ],
        Protocol::Gomocup => &[
            "START 15",
            "START 5",
            "RECTSTART 7,9",
            "RESTART",
            "BEGIN",
            "TURN 3,4",
            "PLAY 4,4",
            "TAKEBACK 3,4",
            "BOARD",
            "0,0,1",
            "1,0,2",
            "2,2,3",
            "DONE",
            "INFO rule 1",
            "INFO timeout_turn 1",
            "INFO max_memory 1000000",
            "INFO time_left 5",
            "ABOUT",
            "SWAP2BOARD",
        ],
        Protocol::Gtp => &[
            "name",
            "12 version",
            "boardsize 9",
            "clear_board",
            "komi 6.5",
            "play black C3",
            "play w D4",
            "genmove b",
            "genmove white",
            "undo",
            "showboard",
            "time_settings 0 1 1000",
            "time_left b 1 0",
            "final_score",
            "kata-analyze b 1",
            "known_command play",
            "list_commands",
            "plyproof-game tictactoe",
        ],
    }
}

/// One of the lines, often with something wrong in it.
fn mutated(rng: &mut Rng, seeds: &[&str]) -> Vec<u8> {
    let mut line = seeds[rng.below(seeds.len())].as_bytes().to_vec();
    for _ in 0..rng.below(4) {
        let at = rng.below(line.len() + 1);
        match rng.below(5) {
            0 => line.insert(at, rng.below(256) as u8),
            1 if at < line.len() => drop(line.remove(at)),
            2 if at < line.len() => line[at] = b" 0123456789,-azAZ*+"[rng.below(18)],
            3 => line.extend_from_slice(seeds[rng.below(seeds.len())].as_bytes()),
            _ => line.truncate(at),
        }
    }
    line.push(b'\n');
    line
}

#[test]
fn no_line_breaks_the_engine() {
    /// Answers that are counted and thrown away.
    struct Sink(usize);
    impl Write for Sink {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    for protocol in Protocol::ALL {
        let (mut rng, seeds, mut answered) = (Rng::new(protocol as u64), seeds(protocol), 0);
        // An agent that needs no time. Mutations that end the session end one of many.
        for _ in 0..100 {
            let lines: Vec<u8> = (0..100).flat_map(|_| mutated(&mut rng, seeds)).collect();
            let game = if protocol == Protocol::Usi { "minishogi" } else { "gomoku(size=9)" };
            let mut sink = Sink(0);
            serve(&setup(game, "random"), Some(protocol), Cursor::new(lines), &mut sink).expect("no error");
            answered += usize::from(sink.0 > 0);
        }
        assert!(answered > 90, "{protocol}: {answered} sessions had an answer");
    }
}

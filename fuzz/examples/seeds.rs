//! Writes inputs to start from into `corpus/<target>`: what a fuzzer would take hours to stumble on by itself.
//!
//! With a game in `PLYPROOF_GAME` they are for that game alone and go to `corpus/<target>-<game>`.

use std::fs;
use std::path::Path;

use plyproof_core::Rng;
use plyproof_fuzz::{GAME_VARIABLE, games, specs};

/// A short game worked out by hand, and one that breaks the rules.
const RECORDS: [&str; 2] = [
    r#"{"game":"breakthrough(size=2x4)","plies":[{"mover":1,"legal":["a2b3","b2a3"],"move":"a2b3"},{"mover":2,"legal":["a3a2","a3b2","a4b3"],"move":"a4b3"}],"result":null}"#,
    r#"{"game":"tictactoe","plies":[{"mover":2,"legal":["a1"],"move":"pass"}],"result":-1}"#,
];

/// A conversation in each protocol, in the order of `Protocol::ALL`.
const TALKS: [&str; 5] = [
    "ugi\nsetoption name Game value tictactoe\nposition startpos moves a1\ngo p1time 9 p2time 9\nquery result\n",
    "usi\nisready\nposition sfen 4k/5/4P/5/K4 b G 1\ngo mate 5\ngo ponder byoyomi 1\nponderhit\n",
    "uci\nsetoption name UCI_Variant value breakthrough\nposition startpos moves a2a3\ngo nodes 3\nstop\n",
    "START 15\nINFO timeout_turn 1\nBOARD\n0,0,1\n0,1,2\nDONE\nTURN 7,7\nTAKEBACK 7,7\nABOUT\n",
    "1 boardsize 9\nplay b C3\ngenmove w\nundo\nkata-analyze b 1\ntime_left b 1 0\nshowboard\n",
];

/// Rules files of the tests and of the library with this ending, each with a text that is nearly a position.
fn rules_files(ending: &str, position: &str) -> std::io::Result<Vec<(String, String)>> {
    let mut files = Vec::new();
    for folder in ["../crates/rules/tests/data", "../rules"] {
        for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder))? {
            let path = entry?.path();
            if path.extension().is_some_and(|found| found == ending) {
                files.push((fs::read_to_string(path)?, position.to_string()));
            }
        }
    }
    Ok(files)
}

fn main() -> std::io::Result<()> {
    let suffix = std::env::var(GAME_VARIABLE).map(|game| format!("-{game}")).unwrap_or_default();
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let write = |target: &str, name: String, bytes: &[u8]| {
        let folder = corpus.join(format!("{target}{suffix}"));
        fs::create_dir_all(&folder)?;
        fs::write(folder.join(name), bytes)
    };
    let mut rng = Rng::new(1);
    for (index, start) in games().iter().enumerate() {
        for number in 0..6u8 {
            let mut game = start.clone();
            let mut choices = Vec::new();
            for _ in 0..number * 4 {
                let moves = game.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let choice = rng.below(moves.len().min(256));
                game.play(&moves[choice]).expect("a legal move");
                choices.push(choice as u8);
            }
            let place = index as u8;
            write(
                "position_text",
                format!("seed-{index}-{number}"),
                &[&[place], game.position_text().as_bytes()].concat(),
            )?;
            let next = game.legal_moves().into_iter().last().unwrap_or_default();
            let head = [place, choices.len() as u8];
            write("move_text", format!("seed-{index}-{number}"), &[&head[..], &choices, next.as_bytes()].concat())?;
        }
    }
    for (ending, position) in [("rbg", "xo./.x./..o 3 first=50,second=50"), ("kif", "cell(1,1,x) (turn cross)")] {
        let target = if ending == "rbg" { "rbg_file" } else { "gdl_file" };
        for (index, (rules, position)) in rules_files(ending, position)?.into_iter().enumerate() {
            let text = [rules.as_bytes(), &[0], position.as_bytes()].concat();
            write(target, format!("seed-{index}"), &text)?;
        }
    }
    for (index, spec) in specs().iter().enumerate() {
        write("spec_text", format!("seed-{index}"), spec.as_bytes())?;
    }
    for (index, record) in RECORDS.iter().enumerate() {
        write("replay_file", format!("seed-{index}"), format!("{record}\n").as_bytes())?;
    }
    for (index, lines) in TALKS.iter().enumerate() {
        write("protocol_lines", format!("seed-{index}"), &[&[index as u8], lines.as_bytes()].concat())?;
    }
    let games = include_str!("../../docs/game-files.md").split("```").skip(1).step_by(2);
    for (index, block) in games.enumerate() {
        let (kind, text) = block.split_once('\n').unwrap_or_default();
        if matches!(kind, "games" | "sgf" | "usi" | "kif") {
            write("game_file", format!("seed-{index}"), text.as_bytes())?;
        }
    }
    write("certificate_file", "seed-0".to_string(), include_bytes!("../../docs/tictactoe.cert"))?;
    Ok(())
}

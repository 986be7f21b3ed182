//! Random play-outs per second of processor time, as ratios to our native games:
//! `playouts FOLDER [PREFIX [SECONDS [SPEEDS]]]`.
//!
//! `SPEEDS` is a table of play-outs per second of other programs, `| game | playouts/s |` line by line, whose line
//! `connect4` has ours of that machine in its fourth column: by it the figures are scaled.

use std::time::Instant;

use plyproof_core::spec::{Description, Params, Spec};
use plyproof_core::{Game, PLY_LIMIT, Rng};
use plyproof_games::connect4::{CONNECT4, Connect4};
use plyproof_games::hex::{HEX, Hex};
use plyproof_games::in_a_row::{GOMOKU, InARow, TICTACTOE};
use plyproof_games::othello::{OTHELLO, Othello};
use plyproof_games::through::{BREAKTHROUGH, KNIGHTTHROUGH, Through};
use plyproof_rules::{AnyRules, Language, Visitor};

type Failure = Box<dyn std::error::Error>;

/// Seconds that this thread has computed, or that have passed where the system does not tell.
fn processor_seconds(start: Instant) -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split(' ').next().and_then(|field| field.parse::<f64>().ok());
    nanoseconds.map_or_else(|| start.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

struct Measure {
    seconds: f64,
}

impl Visitor for Measure {
    type Output = (f64, f64);

    fn visit<G: Game>(self, start: G) -> (f64, f64) {
        let clock = Instant::now();
        let before = processor_seconds(clock);
        let (mut playouts, mut plies, mut rng) = (0u64, 0u64, Rng::new(1));
        let (mut batch, mut last) = (1, 0.0);
        loop {
            for _ in 0..batch {
                plies += u64::from(start.clone().playout(&mut rng, PLY_LIMIT).plies);
                playouts += 1;
            }
            let spent = processor_seconds(clock) - before;
            if spent > self.seconds {
                return (playouts as f64 / spent, plies as f64 / playouts as f64);
            }
            // Asking for the time takes time: not more often than every few milliseconds.
            if spent - last < 0.005 {
                batch *= 2;
            }
            last = spent;
        }
    }
}

/// Play-outs per second of the native game that a file describes, if there is one.
fn native(file: &str, seconds: f64) -> Result<Option<f64>, Failure> {
    let params = |game: &Description, size: &str| {
        let spec = if size.is_empty() { game.name.clone() } else { format!("{}(size={size})", game.name) };
        Params::resolve(game, &Spec::parse(&spec)?)
    };
    let (name, size) = file.split_once('_').unwrap_or((file, ""));
    let size = size.trim_start_matches("standard").trim_start_matches('_');
    let side = size.split('x').next().unwrap_or_default();
    let measure = Measure { seconds };
    let rate = match name {
        "breakthrough" if size == "split" || size.len() > 3 || size == "9x9" => return Ok(None),
        "breakthrough" => measure.visit(Through::breakthrough(&params(&BREAKTHROUGH, size)?)),
        "connect4" => measure.visit(Connect4::start(&params(&CONNECT4, size)?)),
        "gomoku" => measure.visit(InARow::gomoku(&params(&GOMOKU, side)?)),
        "hex" => measure.visit(Hex::start(&params(&HEX, side)?)),
        "knightthrough" => measure.visit(Through::knightthrough(&params(&KNIGHTTHROUGH, size)?)),
        "reversi" => measure.visit(Othello::start(&params(&OTHELLO, side)?)),
        "ticTacToe" => measure.visit(InARow::tictactoe(&params(&TICTACTOE, "")?)),
        _ => return Ok(None),
    };
    Ok(Some(rate.0))
}

/// The row of a game in the table of another machine.
fn row<'a>(table: &'a str, game: &str) -> Option<Vec<&'a str>> {
    let mut rows = table.lines().map(|line| line.split('|').map(str::trim).collect::<Vec<_>>());
    rows.find(|row| row.get(1) == Some(&game))
}

fn figure(row: &[&str], column: usize) -> Option<f64> {
    row.get(column)?.replace(',', "").parse().ok()
}

#[allow(clippy::print_stdout)]
fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder = arguments.first().ok_or("expected a folder of rules files")?;
    let prefix = arguments.get(1).map_or("", String::as_str);
    let seconds = arguments.get(2).map_or(Ok(0.5), |text| text.parse())?;
    let table = arguments.get(3).map(std::fs::read_to_string).transpose()?.unwrap_or_default();
    let mut paths: Vec<_> =
        std::fs::read_dir(folder)?.map(|entry| entry.map(|e| e.path())).collect::<Result<_, _>>()?;
    paths.sort();
    println!("{:28} {:>9} {:>7} {:>8} {:>8} {:>8}", "game", "per s", "plies", "ns/ply", "native/", "table");
    for path in paths {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let (Some(language), Some((game, _))) = (Language::of_file(name), name.rsplit_once('.')) else { continue };
        if game.ends_with(".low") || !game.starts_with(prefix) {
            continue;
        }
        let rules = match AnyRules::load(language, &std::fs::read_to_string(&path)?, &[]) {
            Ok(rules) => rules,
            Err(error) => {
                println!("{game:28} {error}");
                continue;
            }
        };
        // In turns, so that other load on the machine affects all alike.
        let (mut file, mut own, mut four, mut plies) = (0.0, None, 0.0, 0.0);
        for _ in 0..2 {
            let (rate, length) = rules.start(Measure { seconds: seconds / 2.0 });
            (file, plies) = (file + rate / 2.0, length);
            if let Some(rate) = native(game, seconds / 4.0)? {
                own = Some(own.unwrap_or(0.0) + rate / 2.0);
            }
            four += Measure { seconds: seconds / 8.0 }.visit(Connect4::start(&Params::defaults(&CONNECT4))).0 / 2.0;
        }
        let own = own.map_or(String::new(), |own| format!("{:.1}", own / file));
        let there = row(&table, game).and_then(|row| figure(&row, 2));
        let scale = row(&table, "connect4").and_then(|row| figure(&row, 4)).map(|native| four / native);
        let times = there.zip(scale).map_or(String::new(), |(there, scale)| format!("{:.2}", file / there / scale));
        println!("{game:28} {file:9.0} {plies:7.2} {:8.0} {own:>8} {times:>8}", 1e9 / (file * plies));
    }
    Ok(())
}

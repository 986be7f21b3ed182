//! Solves small boards from rules files and by our native games, and compares processor time: `solve [NAME [AGENT]]`.
//!
//! The proofs are written out and checked by the independent verifier.

use std::io::Cursor;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use plyproof_core::search::{Agent, Aim, Budget, Searcher, SolveTask};
use plyproof_core::spec::{Description, Params, Spec};
use plyproof_core::{Game, Wdl};
use plyproof_games::connect4::{CONNECT4, Connect4};
use plyproof_games::hex::{HEX, Hex};
use plyproof_games::in_a_row::{InARow, TICTACTOE};
use plyproof_games::through::{BREAKTHROUGH, Through};
use plyproof_rules::rbg::{Visitor, load};
use plyproof_verify::{Claim, Header, Settings, Writer, verify};

type Failure = Box<dyn std::error::Error>;

/// Seconds that this thread has computed, or that have passed where the system does not tell.
fn processor_seconds(start: Instant) -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split(' ').next().and_then(|field| field.parse::<f64>().ok());
    nanoseconds.map_or_else(|| start.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

struct Solved {
    value: Option<Wdl>,
    nodes: u64,
    seconds: f64,
    entries: u64,
}

struct Solve<'a> {
    agent: &'a Agent,
}

impl Visitor for Solve<'_> {
    type Output = Result<Solved, Failure>;

    fn visit<G: Game>(self, start: G) -> Self::Output {
        let task = SolveTask {
            agent: self.agent,
            aim: Aim::Value,
            all_moves: false,
            proofs: true,
            budget: Budget::default(),
            seed: 1,
        };
        let clock = Instant::now();
        let before = processor_seconds(clock);
        let solution = Searcher::new().solve(&task, &start, &AtomicBool::new(false), &mut |_| {});
        let seconds = processor_seconds(clock) - before;
        let mut all = 0;
        for proof in &solution.proofs {
            let strategy = proof.strategy.as_ref().map_err(|error| format!("no proof: {error:?}"))?;
            let header = Header {
                game: "game".to_string(),
                rules: 1.into(),
                position: start.position_text(),
                player: proof.goal.player,
                goal: if proof.goal.least == Wdl::Win { Claim::Win } else { Claim::Draw },
                symmetric: strategy.symmetric,
                entries: strategy.entries.len() as u64,
            };
            let mut writer = Writer::new(Vec::new(), &header)?;
            for (state, m) in &strategy.entries {
                writer.entry(&state.position_text(), &state.move_text(*m))?;
            }
            let bytes = writer.finish()?;
            let mut open = || Ok(Box::new(Cursor::new(bytes.clone())) as _);
            let verified = verify(&start, &header, &mut open, &mut Settings::new("game", 1));
            all += verified.map_err(|error| format!("refused: {error}"))?.entries;
        }
        Ok(Solved { value: solution.bounds.value(), nodes: solution.nodes, seconds, entries: all })
    }
}

/// A file of the tests with some text replaced.
fn text(file: &str, changes: &[(&str, &str)]) -> Result<String, Failure> {
    let path = format!("{}/tests/data/{file}.rbg", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path)?;
    Ok(changes.iter().fold(text, |text, (old, new)| text.replace(old, new)))
}

fn params(game: &Description, spec: &str) -> Result<Params, Failure> {
    Ok(Params::resolve(game, &Spec::parse(spec)?)?)
}

#[allow(clippy::print_stdout)]
fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let wanted = arguments.first().map_or("", String::as_str);
    let agent = Agent::parse(arguments.get(1).map_or("df-pn", String::as_str))?;
    let narrow = [(", pawn~color]", "]"), (", empty]", "]")];
    let flat = [(", none, none, none]", ", none]"), ("row row row row row row", "row row row row")];
    let rhombus = [("[e] [e, e] [e, e, e] [e, e] [e]", "[e] [e, e] [e, e, e] [e, e, e, e] [e, e, e] [e, e] [e]")];
    let games = ["tictactoe", "breakthrough 4x5", "connect4 5x4", "hex 4x4"];
    println!("{:18} {:>6} {:>10} {:>10} {:>9} {:>9} {:>7}", "game", "value", "nodes", "native", "s", "native", "ratio");
    for game in games.into_iter().filter(|game| game.starts_with(wanted)) {
        let solve = Solve { agent: &agent };
        let (rules, native) = match game {
            "tictactoe" => {
                let native = solve.visit(InARow::tictactoe(&params(&TICTACTOE, "tictactoe")?));
                (text("three-in-a-row", &[])?, native)
            }
            "breakthrough 4x5" => {
                let native = solve.visit(Through::breakthrough(&params(&BREAKTHROUGH, "breakthrough(size=4x5)")?));
                (text("pawns", &narrow)?, native)
            }
            "connect4 5x4" => {
                let native = solve.visit(Connect4::start(&params(&CONNECT4, "connect4(width=5,height=4)")?));
                // Seven columns become five.
                (text("drop", &flat)?, native)
            }
            _ => (text("hexagon", &rhombus)?, solve.visit(Hex::start(&params(&HEX, "hex(size=4)")?))),
        };
        let native = native?;
        let file = load(&rules, &[])?.start(Solve { agent: &agent })?;
        if file.value != native.value {
            return Err(format!("{game}: {:?} by the file, {:?} natively", file.value, native.value).into());
        }
        let value = file.value.map_or("?", Wdl::word);
        println!(
            "{game:18} {value:>6} {:10} {:10} {:9.4} {:9.4} {:7.1}   {} entries verified, {} natively",
            file.nodes,
            native.nodes,
            file.seconds,
            native.seconds,
            file.seconds / native.seconds,
            file.entries,
            native.entries
        );
    }
    Ok(())
}

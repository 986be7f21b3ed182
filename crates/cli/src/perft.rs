//! `plyproof perft`: how many lines of so many moves there are.

use plyproof_engine::{Perft, Registry};
use plyproof_lab::CpuTime;
use serde::Serialize;

use crate::input::{Place, count};
use crate::output::{self, Done, grouped};

/// Count the lines of play of exactly DEPTH plies, to compare move generators
#[derive(clap::Args)]
#[command(after_help = "The time is the processor time of one thread.\n\nExamples:\n  \
    plyproof perft knightthrough 4\n  \
    plyproof perft breakthrough 4 --divide\n  \
    plyproof perft breakthrough 3 --moves \"e2e3 d7d6\" --json")]
pub struct Arguments {
    #[command(flatten)]
    place: Place,
    /// Depth in plies, 0 to 60; the time grows exponentially
    #[arg(value_parser = count::<u32>(0, 60))]
    depth: u32,
    /// Also show the count below each move
    #[arg(long)]
    divide: bool,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Counted {
    game: String,
    position: String,
    depth: u32,
    nodes: u64,
    terminal: u64,
    seconds: f64,
    nodes_per_s: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<Vec<Below>>,
}

#[derive(Serialize)]
struct Below {
    #[serde(rename = "move")]
    text: String,
    nodes: u64,
    terminal: u64,
}

pub fn run(registry: &Registry, arguments: &Arguments) -> Done {
    let game = arguments.place.open(registry)?;
    let depth = arguments.depth;
    let time = CpuTime::start();
    let (total, divide) = if arguments.divide && depth > 0 {
        let below = game.perft_divide(depth);
        let sum = |of: fn(&Perft) -> u64| below.iter().map(|(_, count)| of(count)).sum();
        (Perft { nodes: sum(|count| count.nodes), terminal: sum(|count| count.terminal) }, Some(below))
    } else {
        (game.perft(depth), arguments.divide.then(Vec::new))
    };
    let seconds = time.seconds();
    let below = |(text, count): (String, Perft)| Below { text, nodes: count.nodes, terminal: count.terminal };
    let counted = Counted {
        game: game.name(),
        position: game.position_text(),
        depth,
        nodes: total.nodes,
        terminal: total.terminal,
        seconds: (seconds * 1e6).round() / 1e6,
        nodes_per_s: if seconds > 0.0 { (total.nodes as f64 / seconds) as u64 } else { 0 },
        divide: divide.map(|all| all.into_iter().map(below).collect()),
    };
    if arguments.json { output::print_json(&counted) } else { output::print(&report(&counted)) }
}

fn report(counted: &Counted) -> String {
    let mut text = String::new();
    if let Some(divide) = counted.divide.as_ref().filter(|divide| !divide.is_empty()) {
        let mut table = output::table(&["move", "nodes", "terminal"]);
        for below in divide {
            table.add_row([below.text.clone(), grouped(below.nodes), grouped(below.terminal)]);
        }
        text = output::table_text(&table) + "\n";
    }
    text + &format!(
        "{} depth {}: {} nodes, {} terminal, {:.3} s, {} nodes/s\n",
        counted.game,
        counted.depth,
        grouped(counted.nodes),
        grouped(counted.terminal),
        counted.seconds,
        grouped(counted.nodes_per_s)
    )
}

//! Random play-outs per second of processor time: `playouts FOLDER [PREFIX [SECONDS]]`, after those of the native Connect Four.

use std::time::Instant;

use plyproof_core::spec::Params;
use plyproof_core::{Game, PLY_LIMIT, Rng};
use plyproof_games::connect4::{CONNECT4, Connect4};
use plyproof_rules::{Visitor, gdl, rbg};

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

#[allow(clippy::print_stdout)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder = arguments.first().ok_or("expected a folder of rules files")?;
    let prefix = arguments.get(1).map_or("", String::as_str);
    let seconds = arguments.get(2).map_or(Ok(0.5), |text| text.parse())?;
    let mut paths: Vec<_> =
        std::fs::read_dir(folder)?.map(|entry| entry.map(|e| e.path())).collect::<Result<_, _>>()?;
    paths.sort();
    let start = Connect4::start(&Params::defaults(&CONNECT4));
    let (native, _) = Measure { seconds: 2.0 * seconds }.visit(start);
    println!("{:36} {native:12.0} play-outs/s, native", "connect4");
    for path in paths {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if !name.starts_with(prefix) || name.ends_with(".low.rbg") {
            continue;
        }
        let read = || std::fs::read_to_string(&path);
        let loading = processor_seconds(Instant::now());
        let (found, loaded) = if name.ends_with(".rbg") {
            let rules = rbg::load(&read()?, &[]);
            let loaded = processor_seconds(Instant::now());
            (rules.map(|rules| rules.start(Measure { seconds })), loaded)
        } else if name.ends_with(".kif") {
            let rules = gdl::load(&read()?);
            let loaded = processor_seconds(Instant::now());
            (rules.map(|rules| rules.start(Measure { seconds })), loaded)
        } else {
            continue;
        };
        match found {
            Err(error) => println!("{name:36} {error}"),
            Ok((playouts, plies)) => println!(
                "{name:36} {playouts:12.0} play-outs/s {plies:8.2} plies {:8.0} ns/ply, loaded in {:.2} s",
                1e9 / (playouts * plies),
                loaded - loading
            ),
        }
    }
    Ok(())
}

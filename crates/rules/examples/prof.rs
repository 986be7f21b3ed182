//! temporary
use plyproof_core::{Game, Outcome, PLY_LIMIT, Rng};
use plyproof_rules::rbg::{Visitor, load};
struct Run(u32, bool);
impl Visitor for Run {
    type Output = (u64, u64, String);
    fn visit<G: Game>(self, start: G) -> Self::Output {
        let mut rng = Rng::new(1);
        let mut wins = 0;
        let plies = (0..self.0)
            .map(|_| {
                let mut p = start.clone();
                let o = if self.1 { p.decisive_playout(&mut rng, PLY_LIMIT) } else { p.playout(&mut rng, PLY_LIMIT) };
                wins += u64::from(o.outcome != Outcome::DRAW);
                u64::from(o.plies)
            })
            .sum();
        (
            plies,
            wins,
            format!(
                "{:?} traced {} repeat {} draw {}",
                start.decisive_playouts(),
                start.traces_playouts(),
                start.may_repeat(),
                start.may_draw()
            ),
        )
    }
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let rules = load(&std::fs::read_to_string(&a[1]).unwrap(), &[]).unwrap();
    let n: u32 = a[2].parse().unwrap();
    let t = std::time::Instant::now();
    let (plies, wins, info) = rules.start(Run(n, a.len() > 3));
    let s = t.elapsed().as_secs_f64();
    println!("{} plies, {:.1} ns/ply {wins} {info}", plies, 1e9 * s / plies as f64);
}

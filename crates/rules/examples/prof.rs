//! temporary
use plyproof_core::{Game, PLY_LIMIT, Rng};
use plyproof_rules::rbg::{Visitor, load};
struct Run(u32);
impl Visitor for Run {
    type Output = u64;
    fn visit<G: Game>(self, start: G) -> u64 {
        let mut rng = Rng::new(1);
        (0..self.0).map(|_| u64::from(start.clone().playout(&mut rng, PLY_LIMIT).plies)).sum()
    }
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let rules = load(&std::fs::read_to_string(&a[1]).unwrap(), &[]).unwrap();
    let n: u32 = a[2].parse().unwrap();
    let t = std::time::Instant::now();
    let plies = rules.start(Run(n));
    let s = t.elapsed().as_secs_f64();
    println!("{} plies, {:.1} ns/ply", plies, 1e9 * s / plies as f64);
}

//! A bandit with two arms: simulations with the bonus of the numbers, and simulations without.
//!
//! Each simulation takes the arm with the largest `mean + sqrt(ln n / n_arm)` (Auer, Cesa-Bianchi and Fischer 2002,
//! UCB1), the mean being that of its results for the player at the root.

use crate::search::explore::ln;

/// Results of the two arms.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bandit {
    /// Sum and count without and with the bonus.
    arms: [(i64, u64); 2],
    /// Whether the simulation under way has the bonus.
    pub on: bool,
}

impl Bandit {
    /// Nothing is known; where nobody asks, the bonus is on.
    pub(super) fn new() -> Self {
        Self { arms: [(0, 0); 2], on: true }
    }

    /// Chooses the arm of the next simulation.
    pub(super) fn choose(&mut self) {
        let total = ln(self.arms[0].1 + self.arms[1].1);
        let [off, on] = self.arms.map(|(sum, count)| match count {
            0 => f64::INFINITY,
            count => sum as f64 / count as f64 + (total / count as f64).sqrt(),
        });
        self.on = on >= off;
    }

    /// Adds the result of the simulation, for the player at the root.
    pub(super) fn learn(&mut self, value: i32) {
        let arm = &mut self.arms[usize::from(self.on)];
        *arm = (arm.0 + i64::from(value), arm.1 + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arm_with_the_better_results_is_taken_more_and_more() {
        for better in [false, true] {
            let mut bandit = Bandit::new();
            let mut taken = [0, 0];
            for _ in 0..1000 {
                bandit.choose();
                taken[usize::from(bandit.on)] += 1;
                // Half a point better: wins all its games instead of every second.
                let wins = bandit.on == better || taken[usize::from(bandit.on)] % 2 == 0;
                bandit.learn(if wins { 1 } else { 0 });
            }
            assert!(taken[usize::from(better)] > 850, "{taken:?}");
            assert!(taken.iter().all(|&n| n > 5), "both were tried: {taken:?}");
        }
    }
}

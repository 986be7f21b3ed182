//! The choice among children with all the switches that have a say in it.

use super::Simulation;
use crate::game::Game;
use crate::search::bias::Spread;
use crate::search::select::{Formula, best_child, best_child_by_bonus};
use crate::search::switches::{Bias, Proof};
use crate::search::tree::{Extra, Head};

/// The outcome of a choice.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    /// The best of the visited children that compete.
    pub best: usize,
    pub score: f64,
    /// What an unvisited child would score.
    pub unvisited: f64,
}

impl<G: Game, const SWITCHED: bool> Simulation<'_, G, SWITCHED> {
    /// The best of the visited children, and how an unvisited one compares: as if it had been visited once.
    #[inline(always)]
    pub(super) fn select_switched(&mut self, head: &Head) -> Choice {
        let extra = self.space.tree.extra(head);
        let explore = self.config.c.at(head.children) * self.root_log.of(head.visits);
        let mut formula = Formula { explore, bonus: 0.0, worst_rank: 1.0, fades: false };
        let tree = &self.space.tree;
        let (sums, weights) = tree.values(head);
        let (sums, weights) = (&sums[..extra.active], &weights[..extra.active]);
        let mut value = -self.config.unvisited_less;
        if self.config.unvisited_parent && head.visits > 0 {
            let all = tree.values(head).0;
            value += all.iter().map(|&sum| i64::from(sum)).sum::<i64>() as f64 / f64::from(head.visits);
        }
        let Some(proof) = self.config.proof.filter(|proof| proof.c_pn > 0.0) else {
            let (best, score) = best_child(formula, sums, weights, None, &mut self.space.scores);
            return Choice { best, score, unvisited: value + f64::from(explore) };
        };
        formula.bonus = proof.weight(head.visits);
        if let Some(near) = proof.near {
            let open = (extra.open > 0).then(|| tree.leaf_key(head.node).word());
            let least = tree.keys(head.node).iter().copied().chain(open).min().unwrap_or(0);
            formula.bonus *= near / (near + f64::from(least));
        }
        formula.fades = proof.explores;
        if proof.explores {
            formula.bonus *= f64::from(explore);
        }
        formula.worst_rank = proof.norm.of(head);
        let (best, score, fresh) = if proof.bias == Bias::Rank && !proof.by_value {
            let ranks = (!proof.unvisited_only).then(|| &tree.ranks(head.node)[..extra.active]);
            let (best, score) = best_child(formula, sums, weights, ranks, &mut self.space.scores);
            (best, score, 1.0 - f64::from(extra.open_rank) / f64::from(formula.worst_rank))
        } else {
            self.choose_by_bonus(head, &extra, &formula, &proof, value)
        };
        // As if visited once, so that a bonus that fades is still whole.
        Choice { best, score, unvisited: value + f64::from(explore) + formula.bonus * fresh }
    }

    /// Best child, its score, and the bonus of an unvisited one from 0 to 1, where ranks alone do not tell.
    fn choose_by_bonus(
        &mut self,
        head: &Head,
        extra: &Extra,
        formula: &Formula,
        proof: &Proof,
        value: f64,
    ) -> (usize, f64, f64) {
        let tree = &self.space.tree;
        let (sums, weights) = tree.values(head);
        let (sums, weights) = (&sums[..extra.active], &weights[..extra.active]);
        let bonuses = &mut self.space.bonuses;
        bonuses.clear();
        let mut fresh = if proof.bias == Bias::Rank {
            let ranks = &tree.ranks(head.node)[..extra.active];
            bonuses.extend(ranks.iter().map(|&rank| 1.0 - f32::from(rank) / formula.worst_rank));
            1.0 - f64::from(extra.open_rank) / f64::from(formula.worst_rank)
        } else {
            let (keys, leaf) = (tree.keys(head.node), tree.leaf_key(head.node).word());
            let spread = Spread::of(proof.bias, keys, leaf, extra.open, self.root_log);
            bonuses.extend(keys[..extra.active].iter().map(|&key| spread.bonus(key)));
            spread.bonus(leaf).into()
        };
        if proof.by_value {
            for ((bonus, &sum), &weight) in bonuses.iter_mut().zip(sums).zip(weights) {
                *bonus *= (1.0 + sum as f32 * weight * weight) / 2.0;
            }
            fresh *= (1.0 + value) / 2.0;
        }
        if proof.unvisited_only {
            bonuses.fill(0.0);
        }
        let (best, score) = best_child_by_bonus(*formula, sums, weights, bonuses, &mut self.space.scores);
        (best, score, fresh)
    }
}

//! The choice among children with all the switches that have a say in it.

use bytemuck::cast_slice;

use super::{CONSTANTS, Simulation, Workspace};
use crate::game::Game;
use crate::search::bias::Spread;
use crate::search::proof::ProofNumber;
use crate::search::select::{
    Fade, Formula, Ranks, best_child, best_child_by_bonus, best_child_with_amaf, best_unvisited,
};
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
    /// Which of them, counted from the first, if it is not all the same.
    pub new: Option<usize>,
}

impl<G: Game, const MODE: u8> Simulation<'_, G, MODE> {
    /// The best of the visited children, and how an unvisited one compares: as if it had been visited once.
    #[inline(always)]
    pub(super) fn select_switched(&mut self, head: &Head, extra: &Extra) -> Choice {
        let explore = self.explore(head);
        let mut formula = Formula { explore, bonus: 0.0, worst_rank: 1.0, fade: Fade::Never };
        let tree = &self.space.tree;
        let (sums, weights) = tree.values_in_fours(head);
        let switches = self.switches();
        if let Some(rave) = switches.rave {
            return self.choose_with_amaf(head, extra, rave);
        }
        let Some(proof) = switches.proof.filter(|proof| proof.c_pn > 0.0) else {
            let (best, score) = best_child(formula, extra.active, sums, weights, None, &mut self.space.fours);
            return Choice { best, score, unvisited: f64::from(explore), new: None };
        };
        self.weigh_numbers(head, &proof, &mut formula);
        let (best, score, fresh) = if proof.bias == Bias::Rank {
            let ranks = (formula.bonus > 0.0).then(|| {
                let slowly = matches!(formula.fade, Fade::Slowly(_));
                Ranks {
                    ranks: tree.ranks_in_fours(head),
                    shares: if slowly { tree.shares_in_fours(head) } else { &[] },
                }
            });
            let (best, score) = best_child(formula, extra.active, sums, weights, ranks, &mut self.space.fours);
            if extra.open + extra.ended == 0 {
                // Where there are few moves most choices are of this kind, and the rest is of no use.
                return Choice { best, score, unvisited: f64::NEG_INFINITY, new: None };
            }
            (best, score, 1.0 - f64::from(extra.open_rank) / f64::from(formula.worst_rank))
        } else {
            let fresh = self.write_bonuses(head, extra, &formula, proof);
            let (sums, weights) = self.space.tree.values_in_fours(head);
            let (bonuses, fours) = (&self.space.bonuses, &mut self.space.fours);
            let (best, score) = best_child_by_bonus(formula, extra.active, sums, weights, bonuses, fours);
            (best, score, fresh)
        };
        // As if visited once, with the value 0.
        Choice {
            best,
            score,
            unvisited: f64::from(explore) + formula.bonus * fresh * self.space.fading.once,
            new: None,
        }
    }

    /// `C * sqrt(ln visits)`.
    #[inline(always)]
    fn explore(&self, head: &Head) -> f32 {
        let c = if head.visits < self.grows_from {
            self.constants[head.children.min(CONSTANTS - 1)]
        } else {
            self.config.exploration(head.children, head.visits)
        };
        c * self.root_log.of(head.visits)
    }

    /// The choice with all-moves-as-first values, which tell unvisited children apart.
    ///
    /// The mean of a child with n visits is `(1 - b) * mean + b * amaf`, with `b = sqrt(k / (3 n + k))`.
    #[inline(never)]
    fn choose_with_amaf(&mut self, head: &Head, extra: &Extra, rave: f64) -> Choice {
        let own = self.config.reference == 0;
        if !own {
            self.amaf_values(head);
        }
        let (formula, fresh) = self.bonuses(head, extra);
        let k = rave as f32;
        // From a random place on, so that the first of equals is any of them.
        let start = self.rng.below(head.children);
        let Workspace { tree, fours, bonuses, amaf, fading, .. } = &mut *self.space;
        let seen = if own { tree.amaf_in_fours(head) } else { amaf };
        let (sums, weights) = tree.values_in_fours(head);
        let (mut best, mut score) = (0, f64::NEG_INFINITY);
        if extra.active > 0 {
            (best, score) = best_child_with_amaf(formula, k, extra.active, sums, weights, seen, fours);
        }
        if formula.bonus > 0.0 {
            let scores: &[f32] = cast_slice(fours);
            let total = |i: usize| scores[i] + formula.bonus as f32 * bonuses[i] * formula.fade.share(weights[i]);
            for i in 0..extra.active {
                if i == 0 || f64::from(total(i)) > score {
                    (best, score) = (i, total(i).into());
                }
            }
        }
        let (mut unvisited, mut new) = (f32::NEG_INFINITY, None);
        if extra.open > 0 {
            let (found, mean) = best_unvisited(extra.open, &seen[head.visited..], start, fours);
            (unvisited, new) = (mean, Some(found));
        }
        let bonus = formula.bonus * fresh * fading.once;
        let unvisited = f64::from(unvisited) + f64::from(formula.explore) + bonus;
        Choice { best, score, unvisited, new }
    }

    /// Writes the bonus of every child that competes; with the formula they are for, and the bonus of an unvisited one.
    fn bonuses(&mut self, head: &Head, extra: &Extra) -> (Formula, f64) {
        let explore = self.explore(head);
        let mut formula = Formula { explore, bonus: 0.0, worst_rank: 1.0, fade: Fade::Never };
        let Some(proof) = self.config.proof.filter(|proof| proof.c_pn > 0.0) else {
            return (formula, 0.0);
        };
        self.weigh_numbers(head, &proof, &mut formula);
        if formula.bonus == 0.0 {
            return (formula, 0.0);
        }
        let fresh = self.write_bonuses(head, extra, &formula, proof);
        (formula, fresh)
    }

    /// How much the numbers count at a node.
    #[inline(always)]
    fn weigh_numbers(&self, head: &Head, proof: &Proof, formula: &mut Formula) {
        formula.bonus = self.space.fading.weight(proof, head.visits);
        if proof.wide.is_some_and(|wide| head.children > wide) {
            formula.bonus = 0.0;
        }
        formula.fade = proof.fade;
        if proof.fade == Fade::Explore {
            formula.bonus *= f64::from(formula.explore);
        }
        formula.worst_rank = proof.norm.of(head);
    }

    /// Writes the bonus of every child that competes, from 0 to 1; with that of an unvisited one.
    fn write_bonuses(&mut self, head: &Head, extra: &Extra, formula: &Formula, proof: Proof) -> f64 {
        let tree = &self.space.tree;
        let bonuses = &mut self.space.bonuses;
        bonuses.clear();
        let fresh = if proof.bias == Bias::Rank {
            let ranks = &tree.ranks_in_fours(head)[..extra.active];
            bonuses.extend(ranks.iter().map(|&rank| 1.0 - f32::from(rank) / formula.worst_rank));
            1.0 - f64::from(extra.open_rank) / f64::from(formula.worst_rank)
        } else {
            let keys = tree.keys(head.node);
            let spread = Spread::of(proof.bias, keys, extra.open, self.root_log);
            bonuses.extend(keys[..extra.active].iter().map(|&key| spread.bonus(key)));
            spread.bonus(ProofNumber::ONE.word()).into()
        };
        bonuses.resize(extra.active.next_multiple_of(4), 0.0);
        fresh
    }
}

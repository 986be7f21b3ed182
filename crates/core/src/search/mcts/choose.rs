//! The choice among children.

use bytemuck::cast_slice;

use super::{CONSTANTS, Search, Workspace};
use crate::game::Game;
use crate::search::bias::BuiltIn;
use crate::search::bonus::{NodeStats, SelectionBonus};
use crate::search::select::{
    Fade, Formula, Ranks, best_by_any_rank, best_by_faded_rank, best_by_rank, best_by_uct, best_child_by_bonus,
    best_child_with_amaf, best_unvisited,
};
use crate::search::switches::{Bias, Mcts};
use crate::search::tree::{ChildCounts, Head, Node};

/// What the full search scores children by.
#[derive(Clone, Copy, Debug)]
pub(super) enum Scoring {
    /// UCT alone.
    Uct,
    /// UCT and a bonus by rank.
    Ranks,
    /// UCT and a bonus by another formula.
    Formula,
    /// RAVE with this k, and any bonus.
    Amaf(f32),
}

impl Scoring {
    pub(super) fn of(config: &Mcts) -> Self {
        match (config.rave, config.proof.filter(|proof| proof.c_pn > 0.0)) {
            (Some(k), _) => Self::Amaf(k as f32),
            (None, None) => Self::Uct,
            (None, Some(proof)) if proof.bias == Bias::Rank => Self::Ranks,
            (None, Some(_)) => Self::Formula,
        }
    }
}

/// The outcome of a choice.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    /// The best of the visited children that compete.
    pub best: usize,
    pub score: f64,
    /// What an unvisited child would score.
    pub unvisited: f64,
}

impl<G: Game> Search<'_, G> {
    /// The best of the children, all of which were visited: UCT, or UCT-PN, as published.
    #[inline(always)]
    pub(super) fn select_plain(&mut self, head: &Head) -> usize {
        let tree = &self.space.tree;
        let (sums, weights) = tree.values_in_lanes(head);
        let explore = self.config.c.at(head.children) * self.root_log.of(head.visits);
        let lanes = &mut self.space.lanes;
        match &self.config.proof {
            Some(proof) if proof.c_pn > 0.0 && head.visited == head.children => {
                let (bonus, worst_rank) = (proof.c_pn, proof.norm.of(head));
                let formula = Formula { explore, bonus, worst_rank, fade: Fade::Never };
                best_by_rank(formula, head.visited, sums, weights, tree.ranks_in_lanes(head), lanes).0
            }
            _ => best_by_uct(explore, head.visited, sums, weights, lanes).0,
        }
    }

    /// The best of the visited children, and how an unvisited one compares: as if it had been visited once.
    #[inline(always)]
    pub(super) fn select_full(&mut self, head: &Head, counts: &ChildCounts) -> Choice {
        let explore = self.explore(head);
        let mut formula = Formula { explore, bonus: 0.0, worst_rank: 1.0, fade: Fade::Never };
        match self.scoring {
            Scoring::Uct => {}
            Scoring::Ranks => self.weigh_numbers(head, &mut formula),
            Scoring::Formula => return self.choose_by_formula(head.node, formula),
            Scoring::Amaf(k) => return self.choose_with_amaf(head.node, k),
        }
        let Workspace { tree, lanes, fading, .. } = &mut *self.space;
        let (n, (sums, weights)) = (counts.active, tree.values_in_lanes(head));
        // As if visited once, with the value 0.
        let mut unvisited = f64::from(explore);
        if formula.bonus == 0.0 {
            let (best, score) = best_by_uct(explore, n, sums, weights, lanes);
            return Choice { best, score, unvisited };
        }
        let ranks = tree.ranks_in_lanes(head);
        let (best, score) = if matches!(formula.fade, Fade::Slowly(_)) {
            let ranks = Ranks { ranks, shares: tree.shares_in_lanes(head) };
            best_by_faded_rank(formula, n, sums, weights, ranks, lanes)
        } else {
            best_by_any_rank(formula, n, sums, weights, Ranks { ranks, shares: &[] }, lanes)
        };
        // Where there are few moves most nodes have no unvisited child.
        if counts.open + counts.ended > 0 {
            let fresh = 1.0 - f64::from(counts.open_rank) / f64::from(formula.worst_rank);
            unvisited += formula.bonus * fresh * fading.once;
        }
        Choice { best, score, unvisited }
    }

    /// The choice with a bonus that is not by rank.
    #[inline(never)]
    fn choose_by_formula(&mut self, node: Node, mut formula: Formula) -> Choice {
        let head = &self.space.tree.head(node);
        let counts = &self.space.tree.counts(head);
        self.weigh_numbers(head, &mut formula);
        let fresh = self.write_bonuses(head, counts, &formula);
        let Workspace { tree, lanes, bonuses, fading, .. } = &mut *self.space;
        let (sums, weights) = tree.values_in_lanes(head);
        let (best, score) = best_child_by_bonus(formula, counts.active, sums, weights, bonuses, lanes);
        let unvisited = f64::from(formula.explore) + formula.bonus * fresh * fading.once;
        Choice { best, score, unvisited }
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
    fn choose_with_amaf(&mut self, node: Node, k: f32) -> Choice {
        let head = &self.space.tree.head(node);
        let counts = &self.space.tree.counts(head);
        let own = self.config.reference == 0;
        if !own {
            self.amaf_values(head);
        }
        let (formula, fresh) = self.bonuses(head, counts);
        // From a random place on, so that the first of equals is any of them.
        let start = self.rng.below(head.children);
        let Workspace { tree, lanes, bonuses, amaf, fading, .. } = &mut *self.space;
        let seen = if own { tree.amaf_in_lanes(head) } else { amaf };
        let (sums, weights) = tree.values_in_lanes(head);
        let (mut best, mut score) = (0, f64::NEG_INFINITY);
        if counts.active > 0 {
            (best, score) = best_child_with_amaf(formula, k, counts.active, sums, weights, seen, lanes);
        }
        if formula.bonus > 0.0 {
            let scores: &[f32] = cast_slice(lanes);
            let total = |i: usize| scores[i] + formula.bonus as f32 * bonuses[i] * formula.fade.share(weights[i]);
            for i in 0..counts.active {
                if i == 0 || f64::from(total(i)) > score {
                    (best, score) = (i, total(i).into());
                }
            }
        }
        let (mut unvisited, mut new) = (f32::NEG_INFINITY, None);
        if counts.open > 0 {
            let (found, mean) = best_unvisited(counts.open, &seen[head.visited..], start, lanes);
            (unvisited, new) = (mean, Some(found));
        }
        let bonus = formula.bonus * fresh * fading.once;
        let unvisited = f64::from(unvisited) + f64::from(formula.explore) + bonus;
        self.next_new = new;
        Choice { best, score, unvisited }
    }

    /// Writes the bonus of every child that competes; with the formula they are for, and the bonus of an unvisited one.
    fn bonuses(&mut self, head: &Head, counts: &ChildCounts) -> (Formula, f64) {
        let explore = self.explore(head);
        let mut formula = Formula { explore, bonus: 0.0, worst_rank: 1.0, fade: Fade::Never };
        self.weigh_numbers(head, &mut formula);
        if formula.bonus == 0.0 {
            return (formula, 0.0);
        }
        let fresh = self.write_bonuses(head, counts, &formula);
        (formula, fresh)
    }

    /// How much the numbers count at a node.
    #[inline(always)]
    fn weigh_numbers(&self, head: &Head, formula: &mut Formula) {
        let Some(proof) = &self.config.proof else { return };
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

    /// Writes the bonus of every child that competes; returns that of an unvisited one.
    fn write_bonuses(&mut self, head: &Head, counts: &ChildCounts, formula: &Formula) -> f64 {
        let bias = self.config.proof.map_or(Bias::Rank, |proof| proof.bias);
        let Workspace { tree, bonuses, own_bonus, path, .. } = &mut *self.space;
        bonuses.clear();
        // They are read four lanes at a time.
        bonuses.resize(counts.active.next_multiple_of(4), 0.0);
        let bonuses = &mut bonuses[..counts.active];
        if bias == Bias::Rank {
            for (bonus, &rank) in bonuses.iter_mut().zip(tree.ranks(head)) {
                *bonus = 1.0 - f32::from(rank) / formula.worst_rank;
            }
            return 1.0 - f64::from(counts.open_rank) / f64::from(formula.worst_rank);
        }
        let node = NodeStats { blocks: tree, head, counts, depth: path.len() };
        let unvisited = match own_bonus {
            Some(own) if bias == Bias::Own => own.write(&node, bonuses),
            _ => BuiltIn { bias, root_log: self.root_log }.write(&node, bonuses),
        };
        unvisited.into()
    }
}

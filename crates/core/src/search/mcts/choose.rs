//! The choice among children: by the same functions for a simulation, which wants the best child, and for an
//! explanation, which wants the terms of all ([`Take`]).

use super::simulate::NONE;
use super::{Search, Workspace};
use crate::game::Game;
use crate::search::bias::BuiltIn;
use crate::search::bonus::{NodeStats, SelectionBonus};
use crate::search::select::{
    Best, Fade, Formula, Ranks, Take, best_unvisited, by_amaf, by_any_rank, by_bonus, by_faded_rank, by_rank, by_uct,
};
use crate::search::sqrt_ln::SqrtLn;
use crate::search::switches::{Bias, Fading, First, Mcts};
use crate::search::tree::{Amaf, Blocks, ChildCounts, Head, Node};

/// From this number of children on the exploration constant is the same.
const CONSTANTS: usize = 64;

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
    fn of(config: &Mcts) -> Self {
        match (config.rave.or(config.judged), config.proof.filter(|proof| proof.c_pn > 0.0)) {
            (Some(k), _) => Self::Amaf(k as f32),
            (None, None) => Self::Uct,
            (None, Some(proof)) if proof.bias == Bias::Rank => Self::Ranks,
            (None, Some(_)) => Self::Formula,
        }
    }
}

/// What a search chooses by, at all of its nodes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    pub(super) config: Mcts,
    /// Whether anything is on that `mcts` and `pn-mcts` as published do not have.
    pub(super) full: bool,
    pub(super) scoring: Scoring,
    /// Whether every child is visited once before any is chosen.
    forces_visits: bool,
    /// All ones if unvisited children whose game is finished are visited, 0 if the solver leaves them out.
    ended_mask: usize,
    sqrt_ln: SqrtLn,
    /// The exploration constant by the number of children, and the visits from which on it may be another.
    constants: [f32; CONSTANTS],
    grows_from: u32,
}

/// A node at which a choice is made, and what that looks at besides.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub blocks: &'a Blocks,
    pub head: &'a Head,
    pub counts: &'a ChildCounts,
    /// Moves from the root to the node.
    pub depth: usize,
    pub fading: &'a Fading,
    pub own_bonus: Option<&'a dyn SelectionBonus>,
}

/// The scores of the visited children that compete, by a formula.
pub(super) struct Weighed<S> {
    pub scores: S,
    pub explore: f32,
    /// Whether the formula has a bonus, and what it gives an unvisited child.
    pub has_bonus: bool,
    pub unvisited_bonus: f64,
    /// What an unvisited child scores: as if it had been visited once, with the value 0.
    pub unvisited: f64,
}

impl<S> Weighed<S> {
    fn new(scores: S, formula: &Formula, unvisited_bonus: f64) -> Self {
        let (explore, has_bonus) = (formula.explore, formula.bonus != 0.0);
        Self { scores, explore, has_bonus, unvisited_bonus, unvisited: f64::from(explore) + unvisited_bonus }
    }

    /// What an unvisited child scores with an all-moves-as-first mean.
    pub(super) fn unvisited_with(&self, mean: f32) -> f64 {
        f64::from(mean) + f64::from(self.explore) + self.unvisited_bonus
    }
}

/// The outcome of a choice.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    /// The best of the visited children that compete; [`NONE`] if there is none.
    pub best: usize,
    pub score: f64,
    /// What an unvisited child would score.
    pub unvisited: f64,
}

impl Rules {
    /// `full` must be set unless the configuration is plain.
    pub(super) fn new(config: Mcts, full: bool) -> Self {
        Self {
            config,
            full,
            scoring: Scoring::of(&config),
            forces_visits: config.first == First::Random,
            ended_mask: if config.solver == Some(0) { 0 } else { usize::MAX },
            sqrt_ln: SqrtLn::new(),
            constants: std::array::from_fn(|children| config.c.at(children)),
            grows_from: config.grow.map_or(u32::MAX, |k| k as u32),
        }
    }

    /// How many of the unvisited children may be visited: a full solver knows all of the finished ones.
    #[inline(always)]
    pub(super) fn left(&self, counts: &ChildCounts) -> usize {
        counts.open + (counts.ended & self.ended_mask)
    }

    /// Whether one of the `left` unvisited children is visited without any choice. Finished children cost no play-out;
    /// where they are not left out they are visited first.
    #[inline(always)]
    pub(super) fn must_visit(&self, left: usize, counts: &ChildCounts) -> bool {
        left > 0 && (self.forces_visits || left > counts.open)
    }

    /// Whether the unvisited child to visit is drawn from those that are left. If not, it is the last one: the best of the
    /// finished ones.
    #[inline(always)]
    pub(super) fn draws(&self, left: usize, counts: &ChildCounts) -> bool {
        left == counts.open || self.forces_visits
    }

    /// Whether there is nothing to compare: no visited child competes, and unvisited ones are all alike.
    #[inline(always)]
    pub(super) fn has_no_choice(&self, counts: &ChildCounts) -> bool {
        counts.active == 0 && !matches!(self.scoring, Scoring::Amaf(_))
    }

    /// Scores the children, all of which were visited: UCT, or UCT-PN, as published.
    #[inline(always)]
    pub(super) fn weigh_plain<T: Take>(&self, blocks: &Blocks, head: &Head, take: T) -> T::Out {
        let (sums, weights) = blocks.values_in_lanes(head);
        let explore = self.config.c.at(head.children) * self.sqrt_ln.of(head.visits);
        match &self.config.proof {
            Some(proof) if proof.c_pn > 0.0 && head.visited == head.children => {
                let (bonus, worst_rank) = (proof.c_pn, proof.norm.of(head));
                let formula = Formula { explore, bonus, worst_rank, fade: Fade::Never };
                by_rank(formula, head.visited, sums, weights, blocks.ranks_in_lanes(head), take)
            }
            _ => by_uct(explore, head.visited, sums, weights, take),
        }
    }

    /// Scores by UCT, with a bonus by rank if the formula has a weight for it.
    #[inline(always)]
    pub(super) fn weigh_ranks<T: Take>(
        formula: Formula,
        blocks: &Blocks,
        fading: &Fading,
        head: &Head,
        counts: &ChildCounts,
        take: T,
    ) -> Weighed<T::Out> {
        let explore = formula.explore;
        let (n, (sums, weights)) = (counts.active, blocks.values_in_lanes(head));
        if formula.bonus == 0.0 {
            let scores = by_uct(explore, n, sums, weights, take);
            let unvisited = f64::from(explore);
            return Weighed { scores, explore, has_bonus: false, unvisited_bonus: 0.0, unvisited };
        }
        let ranks = blocks.ranks_in_lanes(head);
        let scores = if matches!(formula.fade, Fade::Slowly(_)) {
            let ranks = Ranks { ranks, shares: blocks.shares_in_lanes(head) };
            by_faded_rank(formula, n, sums, weights, ranks, take)
        } else {
            by_any_rank(formula, n, sums, weights, Ranks { ranks, shares: &[] }, take)
        };
        let (mut unvisited, mut unvisited_bonus) = (f64::from(explore), 0.0);
        // Where there are few moves most nodes have no unvisited child.
        if counts.open + counts.ended > 0 {
            let fresh = 1.0 - f64::from(counts.open_rank) / f64::from(formula.worst_rank);
            unvisited_bonus = formula.bonus * fresh * fading.once;
            unvisited += unvisited_bonus;
        }
        Weighed { scores, explore, has_bonus: true, unvisited_bonus, unvisited }
    }

    /// Scores by UCT and a bonus that is not by rank, which is written to `bonuses`.
    pub(super) fn weigh_formula<T: Take>(&self, place: &Place<'_>, bonuses: &mut Vec<f32>, take: T) -> Weighed<T::Out> {
        let (formula, unvisited_bonus) = self.bonuses(place, bonuses);
        let (sums, weights) = place.blocks.values_in_lanes(place.head);
        let scores = by_bonus(formula, place.counts.active, sums, weights, bonuses, take);
        Weighed::new(scores, &formula, unvisited_bonus)
    }

    /// Scores by RAVE and any bonus, which is written to `bonuses`; nothing if no child competes.
    ///
    /// The mean of a child with n visits is `(1 - b) * mean + b * amaf`, with `b = sqrt(k / (3 n + k))`.
    pub(super) fn weigh_amaf<T: Take>(
        &self,
        place: &Place<'_>,
        k: f32,
        seen: &[Amaf],
        bonuses: &mut Vec<f32>,
        take: T,
    ) -> Weighed<Option<T::Out>> {
        let (formula, unvisited_bonus) = self.bonuses(place, bonuses);
        let (n, (sums, weights)) = (place.counts.active, place.blocks.values_in_lanes(place.head));
        let scores = (n > 0).then(|| by_amaf(formula, k, n, sums, weights, seen, bonuses, take));
        Weighed::new(scores, &formula, unvisited_bonus)
    }

    /// UCT at a node, without any bonus.
    #[inline(always)]
    pub(super) fn uct(&self, head: &Head) -> Formula {
        Formula { explore: self.explore(head), bonus: 0.0, worst_rank: 1.0, fade: Fade::Never }
    }

    /// `C * sqrt(ln visits)`.
    #[inline(always)]
    fn explore(&self, head: &Head) -> f32 {
        let c = if head.visits < self.grows_from {
            self.constants[head.children.min(CONSTANTS - 1)]
        } else {
            self.config.exploration(head.children, head.visits)
        };
        c * self.sqrt_ln.of(head.visits)
    }

    /// How much the numbers count at a node.
    #[inline(always)]
    pub(super) fn weigh_numbers(&self, fading: &Fading, head: &Head, formula: &mut Formula) {
        let Some(proof) = &self.config.proof else { return };
        formula.bonus = fading.weight(proof, head.visits);
        if proof.wide.is_some_and(|wide| head.children > wide) {
            formula.bonus = 0.0;
        }
        formula.fade = proof.fade;
        if proof.fade == Fade::Explore {
            formula.bonus *= f64::from(formula.explore);
        }
        formula.worst_rank = proof.norm.of(head);
    }

    /// Writes the bonus of every child that competes, if bonuses count there. Returns the formula that they are for, and
    /// what it gives an unvisited child.
    fn bonuses(&self, place: &Place<'_>, bonuses: &mut Vec<f32>) -> (Formula, f64) {
        let mut formula = self.uct(place.head);
        self.weigh_numbers(place.fading, place.head, &mut formula);
        if formula.bonus == 0.0 {
            return (formula, 0.0);
        }
        let fresh = self.write_bonuses(place, &formula, bonuses);
        (formula, formula.bonus * fresh * place.fading.once)
    }

    /// Writes the bonus of every child that competes; returns that of an unvisited one.
    fn write_bonuses(&self, place: &Place<'_>, formula: &Formula, bonuses: &mut Vec<f32>) -> f64 {
        let bias = self.config.proof.map_or(Bias::Rank, |proof| proof.bias);
        let Place { blocks, head, counts, depth, own_bonus, .. } = *place;
        bonuses.clear();
        // They are read four lanes at a time.
        bonuses.resize(counts.active.next_multiple_of(4), 0.0);
        let bonuses = &mut bonuses[..counts.active];
        if bias == Bias::Rank {
            for (bonus, &rank) in bonuses.iter_mut().zip(blocks.ranks(head)) {
                *bonus = 1.0 - f32::from(rank) / formula.worst_rank;
            }
            return 1.0 - f64::from(counts.open_rank) / f64::from(formula.worst_rank);
        }
        let node = NodeStats { blocks, head, counts, depth };
        let unvisited = match own_bonus {
            Some(own) if bias == Bias::Own => own.write(&node, bonuses),
            _ => BuiltIn { bias, sqrt_ln: self.sqrt_ln }.write(&node, bonuses),
        };
        unvisited.into()
    }
}

impl<G: Game> Search<'_, G> {
    /// The best of the children, all of which were visited: UCT, or UCT-PN, as published.
    #[inline(always)]
    pub(super) fn select_plain(&mut self, head: &Head) -> usize {
        self.rules.weigh_plain(&self.space.tree, head, Best(&mut self.space.lanes)).0
    }

    /// The best of the visited children, and how an unvisited one compares: as if it had been visited once.
    #[inline(always)]
    pub(super) fn select_full(&mut self, head: &Head, counts: &ChildCounts) -> Choice {
        let mut formula = self.rules.uct(head);
        match self.rules.scoring {
            Scoring::Uct => {}
            Scoring::Ranks => self.rules.weigh_numbers(&self.space.fading, head, &mut formula),
            Scoring::Formula => return self.choose_by_formula(head.node),
            Scoring::Amaf(k) => return self.choose_with_amaf(head.node, k),
        }
        let Workspace { tree, lanes, fading, .. } = &mut *self.space;
        let weighed = Rules::weigh_ranks(formula, tree, fading, head, counts, Best(lanes));
        let (best, score) = weighed.scores;
        Choice { best, score, unvisited: weighed.unvisited }
    }

    /// The choice with a bonus that is not by rank.
    #[inline(never)]
    fn choose_by_formula(&mut self, node: Node) -> Choice {
        let Workspace { tree, lanes, bonuses, fading, path, own_bonus, .. } = &mut *self.space;
        let head = &tree.head(node);
        let (counts, depth) = (&tree.counts(head), self.above + path.len());
        let place = Place { blocks: tree, head, counts, depth, fading, own_bonus: own_bonus.as_deref() };
        let weighed = self.rules.weigh_formula(&place, bonuses, Best(lanes));
        let (best, score) = weighed.scores;
        Choice { best, score, unvisited: weighed.unvisited }
    }

    /// The choice with all-moves-as-first values, which tell unvisited children apart.
    #[inline(never)]
    fn choose_with_amaf(&mut self, node: Node, k: f32) -> Choice {
        let head = &self.space.tree.head(node);
        let own = self.rules.config.reference == 0;
        if !own {
            self.amaf_values(head);
        }
        // From a random place on, so that the first of equals is any of them.
        let start = self.rng.below(head.children);
        let Workspace { tree, lanes, bonuses, amaf, fading, path, own_bonus, .. } = &mut *self.space;
        let (counts, depth) = (&tree.counts(head), self.above + path.len());
        let place = Place { blocks: tree, head, counts, depth, fading, own_bonus: own_bonus.as_deref() };
        let seen = if own { tree.amaf_in_lanes(head) } else { amaf };
        let weighed = self.rules.weigh_amaf(&place, k, seen, bonuses, Best(lanes));
        let (best, score) = weighed.scores.unwrap_or((NONE, f64::NEG_INFINITY));
        let (mut unvisited, mut new) = (f32::NEG_INFINITY, None);
        if counts.open > 0 {
            let (found, mean) = best_unvisited(counts.open, &seen[head.visited..], start, lanes);
            (unvisited, new) = (mean, Some(found));
        }
        self.next_new = new;
        Choice { best, score, unvisited: weighed.unvisited_with(unvisited) }
    }
}

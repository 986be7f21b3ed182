//! What selection makes of the children of a node, for people who want to know why. Nothing of it runs in a simulation.

use std::hash::Hash;

use super::choose::{Place, Rules, Scoring, Weighed};
use super::learn::Referred;
use super::{Search, Workspace};
use crate::game::Game;
use crate::search::bonus::SelectionBonus;
use crate::search::select::{All, Parts, Scored, all_unvisited};
use crate::search::switches::{Bias, Fading};
use crate::search::terms::{BonusKind, Standing, Terms};
use crate::search::tree::{Amaf, ChildCounts, Head, Node, Step, Tree};

/// A tree, and by what a search chooses in it.
pub(crate) struct Explainer<'a, M> {
    pub tree: &'a Tree<M>,
    pub rules: &'a Rules,
    pub fading: &'a Fading,
    pub own_bonus: Option<&'a dyn SelectionBonus>,
}

impl<G: Game> Workspace<G> {
    /// What explains the choices of a search in this tree.
    pub(crate) fn explainer<'a>(
        &'a self,
        rules: &'a Rules,
        own_bonus: Option<&'a dyn SelectionBonus>,
    ) -> Explainer<'a, G::Move> {
        Explainer { tree: &self.tree, rules, fading: &self.fading, own_bonus }
    }
}

impl<G: Game> Search<'_, G> {
    /// What selection makes of the moves of the root. There is no next simulation once the search is settled.
    pub(super) fn explain_root(&self) -> Vec<Standing> {
        let explainer = self.space.explainer(&self.rules, self.space.own_bonus.as_deref());
        let mut all = explainer.children(self.root, &[]);
        if self.is_settled() {
            all.iter_mut().for_each(|child| child.next = false);
        }
        all
    }
}

impl<M: Copy + Hash> Explainer<'_, M> {
    /// What selection makes of each child of `node`, to which `path` leads from the root, as long as there is memory for
    /// another visited child.
    pub(crate) fn children(&self, node: Node, path: &[Step]) -> Vec<Standing> {
        let head = self.tree.head(node);
        let mut all = vec![Standing::default(); head.children];
        if self.rules.full {
            self.explain_full(&head, path, &mut all);
        } else if head.visited < head.children {
            all[head.visited..].iter_mut().for_each(|child| child.next = true);
        } else {
            let (best, scored) = self.rules.weigh_plain(self.tree, &head, All);
            self.write_terms(&scored, &mut all);
            all[best.0].next = true;
        }
        all
    }

    fn explain_full(&self, head: &Head, path: &[Step], all: &mut [Standing]) {
        let counts = self.tree.counts(head);
        let left = self.rules.left(&counts);
        let (visited, unvisited) = all.split_at_mut(head.visited);
        if self.rules.must_visit(left, &counts) || self.rules.has_no_choice(&counts) {
            let first = if self.rules.draws(left, &counts) { 0 } else { left.saturating_sub(1) };
            unvisited[first..left].iter_mut().for_each(|child| child.next = true);
            return;
        }
        let (weighed, means) = self.weigh(head, &counts, path);
        let mut score = f64::NEG_INFINITY;
        if let Some(((best, highest), scored)) = &weighed.scores {
            self.write_terms(scored, visited);
            visited[*best].next = true;
            score = *highest;
        }
        let rave = matches!(self.rules.scoring, Scoring::Amaf(_));
        let mut top = f64::NEG_INFINITY;
        for (child, &(mean, _)) in unvisited.iter_mut().zip(&means) {
            let parts = Parts {
                mean: 0.0,
                rave: rave.then_some(mean.into()),
                exploration: weighed.explore.into(),
                bonus: weighed.has_bonus.then_some(weighed.unvisited_bonus),
            };
            let scored = Scored { parts, score: weighed.unvisited_with(mean) };
            child.terms = Some(self.terms(&scored));
            top = top.max(scored.score);
        }
        // An unvisited child is preferred to a visited one with the same score.
        if left > 0 && top >= score {
            visited.iter_mut().for_each(|child| child.next = false);
            unvisited.iter_mut().zip(&means).for_each(|(child, mean)| child.next = mean.1);
        }
    }

    /// All scores at a node; and for each unvisited child its all-moves-as-first mean, or 0, and whether it may be the next
    /// of the unvisited ones.
    fn weigh(&self, head: &Head, counts: &ChildCounts, path: &[Step]) -> (Weighed<Option<Taken>>, Vec<(f32, bool)>) {
        let Self { tree, rules, fading, own_bonus } = *self;
        let place = Place { blocks: tree, head, counts, depth: path.len(), fading, own_bonus };
        let mut bonuses = Vec::new();
        let weighed = match rules.scoring {
            Scoring::Uct => Rules::weigh_ranks(rules.uct(head), tree, fading, head, counts, All),
            Scoring::Ranks => {
                let mut formula = rules.uct(head);
                rules.weigh_numbers(fading, head, &mut formula);
                Rules::weigh_ranks(formula, tree, fading, head, counts, All)
            }
            Scoring::Formula => rules.weigh_formula(&place, &mut bonuses, All),
            Scoring::Amaf(k) => {
                let mut seen: Vec<Amaf> = Vec::new();
                Referred::default().read(tree, head, path, rules.config.reference, &[], &mut seen);
                let weighed = rules.weigh_amaf(&place, k, &seen, &mut bonuses, All);
                return (weighed, all_unvisited(counts.open, &seen[head.visited..]));
            }
        };
        let Weighed { scores, explore, has_bonus, unvisited_bonus, unvisited } = weighed;
        let weighed = Weighed { scores: Some(scores), explore, has_bonus, unvisited_bonus, unvisited };
        (weighed, vec![(0.0, true); counts.open])
    }

    fn write_terms(&self, scored: &[Scored], children: &mut [Standing]) {
        for (child, scored) in children.iter_mut().zip(scored) {
            child.terms = Some(self.terms(scored));
        }
    }

    fn terms(&self, scored: &Scored) -> Terms {
        let kind = match self.rules.config.proof.map_or(Bias::Rank, |proof| proof.bias) {
            Bias::Rank => BonusKind::Rank,
            Bias::Max | Bias::Sum | Bias::Log | Bias::Exp => BonusKind::Numbers,
            Bias::Own => BonusKind::Own,
        };
        let Parts { mean, rave, exploration, bonus } = scored.parts;
        // Evaluations stand where all-moves-as-first values do.
        let (rave, evaluation) = if self.rules.config.judged.is_some() { (None, rave) } else { (rave, None) };
        Terms { mean, rave, evaluation, exploration, bonus: bonus.map(|bonus| (kind, bonus)), score: scored.score }
    }
}

/// The best child with its score, and all scores.
type Taken = ((usize, f64), Vec<Scored>);

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::rng::Rng;
    use crate::search::bonus::NodeStats;
    use crate::search::mcts::tests::config;
    use crate::search::switches::{Mcts, bare};
    use crate::search::{Budget, NodeView};
    use crate::tree_game::TreeGame;

    /// By the least visits.
    struct Neglected;

    impl SelectionBonus for Neglected {
        fn write(&self, node: &NodeStats<'_>, bonuses: &mut [f32]) -> f32 {
            for (i, bonus) in bonuses.iter_mut().enumerate() {
                *bonus = 1.0 / (1 + node.child(i).visits) as f32;
            }
            1.0
        }
    }

    /// Whether the terms of all children that have any add up to their scores, and nothing beats what is next.
    fn check_terms(node: &NodeView<u16>, name: &str) {
        let names = |terms: Terms| terms.parts().map(|part| part.0).collect::<Vec<_>>();
        let scored: Vec<Terms> = node.children.iter().filter_map(|child| child.terms).collect();
        for terms in &scored {
            let sum: f64 = terms.parts().map(|part| part.1).sum();
            assert!((sum - terms.score).abs() < 1e-5 * terms.score.abs().max(1.0), "{name}: {terms:?}");
            assert_eq!(names(*terms), names(scored[0]), "{name}");
        }
        for next in node.children.iter().filter(|child| child.next) {
            match next.terms {
                Some(best) => assert!(scored.iter().all(|terms| terms.score <= best.score), "{name}: {node:?}"),
                None => assert!(scored.is_empty() && next.visits == 0, "{name}: {node:?}"),
            }
        }
    }

    /// Simulates, and compares where each simulation goes with what was said before. How often that was a single child, at
    /// the root and below.
    fn follow(config: Mcts, own: bool, start: &TreeGame, seed: u64, name: &str) -> [u32; 2] {
        let mut space = Workspace::new();
        space.own_bonus = own.then(|| Arc::new(Neglected) as Arc<dyn SelectionBonus>);
        let full = !config.is_plain();
        let budget = Budget { memory: Some(1 << 22), ..Budget::default() };
        let mut run = Search::new(config, full, &mut space, start, None, &budget, seed);
        let mut known = [0; 2];
        for _ in 0..150 {
            if run.is_settled() {
                break;
            }
            run.show();
            let (mut path, mut said): (Vec<u16>, Vec<NodeView<u16>>) = (Vec::new(), Vec::new());
            while let Some(node) = run.space.view().and_then(|view| view.node(&path)) {
                check_terms(&node, name);
                let next: Vec<u16> = node.children.iter().filter(|child| child.next).map(|child| child.m).collect();
                said.push(node);
                let [only] = next[..] else { break };
                path.push(only);
            }
            let _room = if full { run.simulate::<true>(1) } else { run.simulate::<false>(1) };
            run.show();
            let view = run.space.view().expect("a tree");
            for (depth, before) in said.iter().enumerate() {
                let now = view.node(&path[..depth]).expect("no node is dropped");
                let more = |m: u16| now.children.iter().find(|child| child.m == m).map_or(0, |child| child.visits);
                let went = before.children.iter().find(|child| more(child.m) > child.visits);
                // A simulation may end at a decided child that the solver still visits.
                let Some(went) = went else {
                    assert!(
                        depth > 0 && config.solver.is_some(),
                        "{name}, seed {seed}: nowhere at {:?}",
                        &path[..depth]
                    );
                    break;
                };
                assert!(went.next, "{name}, seed {seed}: {} at {:?}, {before:?}", went.m, &path[..depth]);
                known[depth.min(1)] += u32::from(before.children.iter().filter(|child| child.next).count() == 1);
            }
        }
        known
    }

    #[test]
    fn every_simulation_goes_where_the_terms_say_at_the_root_and_below() {
        let named = [
            "mcts",
            "mcts(first=urgency,expand=1)",
            "mcts-solver",
            "pn-mcts",
            "pn-mcts(pn=0)",
            "pn-mcts(pn=1e6,norm=children)",
            "pn-mcts-fsu",
            "pn-mcts-fsu(goals=two)",
            "gpn-mcts",
            "plyproof",
            "plyproof(pn=1e6,rave=off)",
            "plyproof(child_k=explore,bonus_max_moves=3)",
            "plyproof(solver=off,decisive=off)",
            "plyproof(solver=5,bias=log)",
            "mcts(rave=30)",
            "mcts(rave=30,first=urgency)",
            "plyproof(rave=30,decisive=off)",
            "plyproof(rave=30,ref=20,decisive=off)",
            "plyproof(rave=30,ref=20,bias=exp,solver=off,decisive=off)",
            "mcts(mast=0.2,solver=3,first=urgency)",
            "mcts(nst=0.3,rave=10,ref=40,first=urgency)",
        ];
        let bare = ["parent_k=50,first=urgency,grow=5", "bias=sum,child_k=explore", "child_k=20"].map(bare);
        for name in named.into_iter().chain(bare.iter().map(String::as_str)) {
            let mut known = [[0; 2]; 2];
            for seed in 0..24 {
                let start = TreeGame::random(&mut Rng::new(seed), 10, 6, true);
                let mut add = |own: bool, found: [u32; 2]| (0..2).for_each(|i| known[usize::from(own)][i] += found[i]);
                add(false, follow(config(name), false, &start, seed, name));
                add(true, follow(config(name).with_own_bonus(), true, &start, seed, name));
            }
            assert!(known.iter().flatten().all(|&n| n > 100), "{name}: {known:?} choices were told in advance");
        }
    }

    #[test]
    fn every_child_that_may_be_next_is_drawn_with_some_seed() {
        for name in
            ["mcts", "mcts(first=urgency)", "mcts(solver=3,first=urgency)", "mcts-solver", "mcts(rave=9,first=urgency)"]
        {
            for tree in 0..20 {
                let start = TreeGame::random(&mut Rng::new(tree), 6, 9, true);
                let (mut said, mut drawn) = (Vec::new(), Vec::new());
                for seed in 0..150 {
                    let mut space = Workspace::new();
                    let full = !config(name).is_plain();
                    let mut run = Search::new(config(name), full, &mut space, &start, None, &Budget::default(), seed);
                    let next =
                        |(slot, child): (usize, &Standing)| child.next.then(|| run.space.tree.move_of(run.root, slot));
                    said = run.explain_root().iter().enumerate().filter_map(next).collect();
                    if run.is_settled() {
                        break;
                    }
                    let _room = if full { run.simulate::<true>(1) } else { run.simulate::<false>(1) };
                    drawn.push(run.space.tree.move_of(run.root, 0));
                }
                said.sort_unstable();
                drawn.sort_unstable();
                drawn.dedup();
                assert_eq!(said, drawn, "{name}, tree {tree}");
            }
        }
    }

    #[test]
    fn a_search_that_is_settled_has_no_next_simulation() {
        let start = TreeGame::parse("1[2[+ -] 2[1[+ -] +]]").expect("a tree");
        for name in ["pn-mcts", "mcts(solver=0)"] {
            let mut space = Workspace::new();
            let mut run = Search::new(config(name), name != "pn-mcts", &mut space, &start, None, &Budget::default(), 1);
            let next = |run: &Search<'_, TreeGame>| run.explain_root().iter().filter(|child| child.next).count();
            assert!(next(&run) > 0, "{name}");
            while !run.is_settled() {
                let _room = if run.rules.full { run.simulate::<true>(1) } else { run.simulate::<false>(1) };
            }
            assert_eq!(next(&run), 0, "{name}");
        }
    }
}

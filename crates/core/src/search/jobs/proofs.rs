//! Certificates of searches by jobs.
//!
//! Inside the tree the coordinator knows why a node is decided. What jobs have decided is searched once more here, in the
//! order in which it was decided and with one table that holds nothing but what was gone over before: so whatever a proof
//! rests on comes before it, and only those positions are searched again that the strategy can reach. The table is then
//! written out like that of any search.

use std::sync::atomic::AtomicBool;

use crate::game::Game;
use crate::search::budget::{Budget, Meter, Stopped};
use crate::search::certify::{self, NotWritten, Writer};
use crate::search::dfpn;
use crate::search::jobs::coordinator::Coordinator;
use crate::search::jobs::tree::{At, Tree};
use crate::search::proof::{Goal, NodeKind, ProofNumbers};
use crate::search::prover::{Prover, WithDfpn};
use crate::search::solve::Proof;

/// What writing proofs out may take.
#[derive(Clone, Debug)]
pub struct WriteLimits {
    /// Time, memory and clock.
    pub budget: Budget,
}

/// Steps spent on gaps in the line of best play.
const LINE_STEPS: u64 = 200_000;

impl<G: Game> Coordinator<G> {
    /// Writes out what is proven: for a win or a loss the winner's strategy, for a draw one of each player.
    pub fn proofs(&self, limits: &WriteLimits, stop: &AtomicBool) -> Vec<Proof<G>> {
        let goals = self.questions.provable(self.bounds, None);
        goals.into_iter().map(|goal| self.write_proof(goal, limits, stop)).collect()
    }

    fn write_proof(&self, goal: Goal, limits: &WriteLimits, stop: &AtomicBool) -> Proof<G> {
        let memory = limits.budget.memory.unwrap_or(Budget::MEMORY);
        let budget = Budget { simulations: None, threads: 1, ..limits.budget.clone() };
        let mut meter = Meter::new(&budget, stop);
        let mut solver = dfpn::Solver::new();
        solver.reset(memory / 2);
        let mut prover = WithDfpn(&mut solver, self.config);
        let strategy = self.go_over(goal, &mut prover, &mut meter).and_then(|()| {
            let (table_bytes, memory, questions) = (memory / 2, memory - memory / 2, self.questions);
            Writer { solver: &mut prover, questions, goal, meter: &mut meter, memory, table_bytes }.write(&self.start)
        });
        Proof { goal, strategy }
    }

    /// Best play of both sides as far as the tree knows it, with short searches below.
    pub fn line(&self, limits: &WriteLimits, stop: &AtomicBool) -> Vec<G::Move> {
        let goals = self.questions.provable(self.bounds, None);
        let budget = Budget { simulations: Some(LINE_STEPS), threads: 1, ..limits.budget.clone() };
        let mut meter = Meter::new(&budget, stop);
        let mut solver = dfpn::Solver::new();
        solver.reset(budget.memory.unwrap_or(Budget::MEMORY).min(1 << 26));
        let mut prover = WithDfpn(&mut solver, self.config);
        for tree in &self.trees {
            let decided = |at: &At| tree.node(*at).is_decided();
            let mut order: Vec<At> = (0..tree.nodes.len() as At).filter(decided).collect();
            order.sort_by_key(|&at| tree.node(at).stamp);
            order.into_iter().for_each(|at| prover.0.learn(tree.key(at), tree.goal, tree.node(at).numbers));
        }
        certify::line(&mut prover, self.questions, &goals, &self.start, &mut meter)
    }

    /// Fills the table with what the strategy for `goal` rests on, in the order of the stamps.
    fn go_over(&self, goal: Goal, prover: &mut WithDfpn<'_, G>, meter: &mut Meter<'_>) -> Result<(), NotWritten> {
        let asked = self.questions.asked(goal);
        let Some(tree) = self.trees.iter().find(|tree| tree.goal == asked && tree.root().is_decided()) else {
            return if self.start.outcome().is_some() { Ok(()) } else { Err(NotWritten::Broken) };
        };
        let needed = needed(tree);
        for at in needed {
            let node = tree.node(at);
            if !follows(tree, at) && node.state.outcome().is_none() {
                let answer = prover.solve(&node.state, asked, meter, &mut |_, _| {});
                match answer.stopped {
                    Stopped::Proven if answer.numbers == node.numbers => {}
                    Stopped::Proven => return Err(NotWritten::Broken),
                    why => return Err(NotWritten::Stopped(why)),
                }
            }
            prover.0.learn(tree.key(at), asked, node.numbers);
        }
        Ok(())
    }
}

/// Whether a node's answer follows from children that were decided before it.
fn follows<G: Game>(tree: &Tree<G>, at: At) -> bool {
    let node = tree.node(at);
    if node.is_leaf() {
        return false;
    }
    let known = |&child: &At| {
        let child = tree.node(child);
        if child.is_decided() && child.stamp < node.stamp { child.numbers } else { ProofNumbers::UNKNOWN }
    };
    node.kind.combine(node.children.iter().map(known)) == node.numbers
}

/// The nodes that the strategy can reach, those decided earlier first. Of several ways to reach the goal the one that was
/// decided first is taken, as the writer of the strategy does.
fn needed<G: Game>(tree: &Tree<G>) -> Vec<At> {
    let mut found = vec![false; tree.nodes.len()];
    let (mut order, mut queue) = (Vec::new(), vec![0]);
    found[0] = true;
    while let Some(at) = queue.pop() {
        order.push(at);
        if !follows(tree, at) {
            continue;
        }
        let node = tree.node(at);
        let before = |child: &At| tree.node(*child).is_decided() && tree.node(*child).stamp < node.stamp;
        let same = |child: &At| tree.node(*child).numbers == node.numbers;
        let good = node.children.iter().copied().filter(before).filter(same);
        let chooses = (node.kind == NodeKind::Or) == node.numbers.is_proven();
        let children: Vec<At> = if chooses {
            good.min_by_key(|&child| tree.node(child).stamp).into_iter().collect()
        } else {
            good.collect()
        };
        for child in children {
            if !std::mem::replace(&mut found[child as usize], true) {
                queue.push(child);
            }
        }
    }
    order.sort_by_key(|&at| tree.node(at).stamp);
    order
}

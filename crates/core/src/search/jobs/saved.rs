//! The state of a coordinator as bytes, so that a search survives the end of its process. Jobs in flight are not part of
//! it: their positions are handed out again.
//!
//! ```text
//! all      = format | fingerprint of the game | question | counts | next job | bounds | answers to send | trees
//! tree     = goal | number of nodes | nodes in the order in which they were found, the root first
//! node     = pn and dpn | jobs without an answer | nodes spent | stamp | children: their number, and for each move the place
//!            of the child and whether this move made it
//! ```
//! Positions are not written: every node but the root comes after a move from an earlier one, so that playing the moves
//! again finds all of them, and finds out whether the bytes belong to this game and position.

use std::collections::HashSet;

use crate::game::{Game, TextError};
use crate::outcome::Wdl;
use crate::search::dfpn::ByKey;
use crate::search::jobs::coordinator::Coordinator;
use crate::search::jobs::tree::{At, Node, Tree};
use crate::search::jobs::{Fact, JobCounts, JobSettings};
use crate::search::proof::{Goal, ProofNumber, ProofNumbers};
use crate::search::report::Bounds;
use crate::search::saved::{self, Loader, MOST, Saver, fingerprint, wrong};
use crate::search::solve::Aim;

/// The version of the format.
const FORMAT: u64 = 3;
const VALUES: [Wdl; 3] = [Wdl::Loss, Wdl::Draw, Wdl::Win];
/// Answers to send at most.
const FACTS: u64 = 1 << 20;

impl<G: Game> Coordinator<G> {
    /// The state in bytes. They have no checksum: whoever keeps them adds one.
    pub fn save(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut to = Saver::new(&mut bytes);
        // Writing to memory does not fail.
        let _ = self.write(&mut to).and_then(|()| to.flush());
        bytes
    }

    fn write(&self, to: &mut Saver<'_>) -> saved::Result<()> {
        let aim = Aim::ALL.iter().position(|&aim| aim == self.aim).unwrap_or(0);
        let JobCounts { done, stale, lost, refused, retried, nodes, positions: _, shared, restarts } = self.counts;
        to.words([FORMAT, fingerprint(&self.start), aim as u64])?;
        to.words([done, stale, lost, refused, retried, nodes, shared, restarts, self.next_id])?;
        to.words([self.bounds.least as u64, self.bounds.most as u64])?;
        to.word(self.facts.all().len() as u64)?;
        for fact in self.facts.all() {
            to.words([fact.key, fact.proven.into(), fact.work])?;
        }
        to.word(self.trees.len() as u64)?;
        self.trees.iter().try_for_each(|tree| write_tree(tree, to))
    }

    /// Goes on from what [`save`](Coordinator::save) gave for the same position and question.
    pub fn restore(start: &G, aim: Aim, settings: JobSettings, bytes: &[u8]) -> Result<Self, TextError> {
        let mut from = bytes;
        let mut loader = Loader::new(&mut from);
        let mut restored = Self::new(start, aim, settings);
        let read = restored.read(&mut loader).and_then(|()| loader.end());
        read.map_err(|error| TextError::new(error.to_string()))?;
        Ok(restored)
    }

    fn read(&mut self, from: &mut Loader<'_>) -> saved::Result<()> {
        if from.word()? != FORMAT {
            return Err(wrong("it has another format"));
        }
        if from.word()? != fingerprint(&self.start) {
            return Err(wrong("it is of another position, or positions have other keys now than when it was written"));
        }
        if Aim::ALL.get(from.at_most(3)? as usize) != Some(&self.aim) {
            return Err(wrong("it is about another question"));
        }
        let mut count = || from.at_most(MOST);
        let (done, stale, lost, refused, retried) = (count()?, count()?, count()?, count()?, count()?);
        let (nodes, shared, restarts) = (count()?, count()?, count()?);
        self.next_id = count()?;
        let restarts = restarts + 1;
        self.counts = JobCounts { done, stale, lost, refused, retried, nodes, positions: 0, shared, restarts };
        let (least, most) = (VALUES[from.at_most(2)? as usize], VALUES[from.at_most(2)? as usize]);
        if least > most {
            return Err(wrong("its bounds contradict each other"));
        }
        self.bounds = Bounds { least, most };
        for _ in 0..from.at_most(FACTS)? {
            let (key, proven, work) = (from.word()?, from.flag()?, from.at_most(MOST)?);
            self.facts.add(Fact { key, proven, work }, None);
        }
        let expected: Vec<Goal> = self.questions.all().map(|goal| self.questions.asked(goal)).collect();
        self.trees.clear();
        for _ in 0..from.at_most(expected.len() as u64)? {
            let tree = self.read_tree(from)?;
            if !expected.contains(&tree.goal) || self.trees.last().is_some_and(|last| !last.root().is_decided()) {
                return Err(wrong("it has a goal that was not asked for"));
            }
            self.trees.push(tree);
        }
        if self.trees.is_empty() && self.start.outcome().is_none() {
            return Err(wrong("it has no tree"));
        }
        Ok(())
    }

    fn read_tree(&self, from: &mut Loader<'_>) -> saved::Result<Tree<G>> {
        let goal = from.goal()?;
        let many = from.at_most(u32::MAX.into())?;
        let mut tree = Tree::new(&self.start, goal, self.config);
        tree.nodes.clear();
        // Places of known positions; those whose position a move has made, until their turn comes; and all parents.
        let mut taken: HashSet<u64> = HashSet::from([0]);
        let mut waiting: ByKey<(G, u32)> = ByKey::from_iter([(0, (self.start.clone(), 0))]);
        let mut parents: ByKey<Vec<At>> = ByKey::default();
        tree.open = 0;
        for at in 0..many {
            let (state, depth) = waiting.remove(&at).ok_or_else(|| wrong("a position comes after no move"))?;
            let word = from.word()?;
            let (pn, dpn) = (ProofNumber::from_word(word as u32), ProofNumber::from_word((word >> 32) as u32));
            let numbers = ProofNumbers { pn, dpn };
            let (tried, spent, stamp) = (from.at_most(u32::MAX.into())?, from.at_most(MOST)?, from.at_most(many)?);
            let decided = numbers == ProofNumbers::PROVEN || numbers == ProofNumbers::DISPROVEN;
            let finite = |number| number != ProofNumber::ZERO && number != ProofNumber::INFINITE;
            if decided != (stamp > 0) || !(decided || finite(pn) && finite(dpn)) {
                return Err(wrong("numbers of a position contradict each other"));
            }
            if state.outcome().is_some_and(|outcome| goal.numbers(outcome) != numbers) {
                return Err(wrong("a finished game has another result"));
            }
            let moves = if state.outcome().is_some() { Vec::new() } else { Tree::moves(&state) };
            let count = from.at_most(moves.len() as u64)?;
            if count != 0 && count != moves.len() as u64 {
                return Err(wrong("a position has another number of moves"));
            }
            let mut node = Node::new(state, goal, depth);
            (node.numbers, node.seen, node.tried, node.spent) = (numbers, numbers, tried as u32, spent);
            node.stamp = stamp as u32;
            tree.open += usize::from(count == 0 && !decided);
            for &m in &moves[..count as usize] {
                let word = from.at_most(2 * many - 1)?;
                let (child, made) = (word / 2, word % 2 == 1);
                let mut next = node.state.clone();
                next.play(m);
                let key = self.config.key(&next);
                match tree.places.get(&key) {
                    Some(&place) if u64::from(place) == child => {}
                    Some(_) => return Err(wrong("a position is in two places")),
                    None if taken.insert(child) => {
                        tree.places.insert(key, child as At);
                    }
                    None => return Err(wrong("two positions are in one place")),
                }
                let parents = parents.entry(child).or_default();
                if !made {
                    parents.push(at as At);
                } else if child > at && waiting.insert(child, (next, depth + 1)).is_none() {
                    parents.insert(0, at as At);
                } else {
                    return Err(wrong("a position was made twice"));
                }
                node.children.push(child as At);
            }
            tree.nodes.push(node);
        }
        if !waiting.is_empty() || tree.nodes.is_empty() {
            return Err(wrong("positions are missing"));
        }
        for (at, list) in parents {
            tree.nodes[at as usize].parents = list;
        }
        tree.recount();
        Ok(tree)
    }
}

/// Each child says whether this move made it: positions that share a place by symmetry have their moves in another order.
fn write_tree<G: Game>(tree: &Tree<G>, to: &mut Saver<'_>) -> saved::Result<()> {
    to.goal(tree.goal)?;
    to.word(tree.nodes.len() as u64)?;
    for (at, node) in tree.nodes.iter().enumerate() {
        to.word(u64::from(node.numbers.pn.word()) | u64::from(node.numbers.dpn.word()) << 32)?;
        to.words([node.tried.into(), node.spent, node.stamp.into(), node.children.len() as u64])?;
        for (place, &child) in node.children.iter().enumerate() {
            let maker = tree.nodes[child as usize].parents.first().is_some_and(|&maker| maker as usize == at);
            let made = maker && child as usize > at && !node.children[..place].contains(&child);
            to.word(2 * u64::from(child) + u64::from(made))?;
        }
    }
    Ok(())
}

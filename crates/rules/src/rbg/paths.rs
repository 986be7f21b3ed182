//! Ways through a part of the rules, one by one: which pieces they ask for on which cells.
//!
//! Few ways can be tried faster by masks than by sets: from one cell as bits that must be there ("patterns"), from many
//! cells at once as displaced boards ("lanes").

use std::collections::{HashSet, VecDeque};

use super::compile::{Compiler, TooLarge};
use super::geometry::{NONE, Walk, composed};
use super::graph::{Graph, Link};
use super::syntax::PieceMask;

/// A cell of a test, as seen from the first cell.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Place {
    /// As many bits further on.
    By(i32),
    Walk(Walk),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Path {
    /// From the first cell to the last one; where it leads nowhere, the path cannot be gone.
    pub walk: Walk,
    /// In the order of the way, every cell once.
    pub tests: Vec<(Place, PieceMask)>,
    /// Look-aheads at the first cell, and whether they are negated.
    pub looks: Vec<(u16, bool)>,
    /// The node at which it ends.
    pub end: usize,
}

impl Path {
    /// Adds a test of the cell to which a walk from the first cell leads; whether the test can hold.
    fn asks(&mut self, walk: Walk, mask: PieceMask) -> bool {
        let place = displacement(&walk).map_or(Place::Walk(walk), Place::By);
        match self.tests.iter_mut().find(|test| test.0 == place) {
            Some(test) => {
                test.1 &= mask;
                test.1 != 0
            }
            None => {
                self.tests.push((place, mask));
                mask != 0
            }
        }
    }

    /// Leaves only cells from which another walk leads on; whether there are any.
    fn goes(&mut self, on: &Walk) -> bool {
        self.walk.iter_mut().for_each(|to| *to = if *to == NONE || on[usize::from(*to)] == NONE { NONE } else { *to });
        leads_on(&self.walk)
    }

    /// The walk from the first cell to a place as seen from the last cell, where `on` leads on.
    fn at(&self, place: &Place, on: &Walk) -> Walk {
        let there = |&to: &u16| {
            if to == NONE || on[usize::from(to)] == NONE { NONE } else { reached(place, to.into()) as u16 }
        };
        self.walk.iter().map(there).collect()
    }
}

/// The paths that were found, and whether these are all.
pub(super) struct Paths {
    pub paths: Vec<Path>,
    pub complete: bool,
}

/// Paths under way.
const OPEN: usize = 3000;
const TESTS: usize = 20;

/// The single displacement of a walk, if it has just one.
pub(super) fn displacement(walk: &Walk) -> Option<i32> {
    let mut steps =
        walk.iter().enumerate().filter(|(_, to)| **to != NONE).map(|(from, &to)| i32::from(to) - from as i32);
    let first = steps.next()?;
    steps.all(|step| step == first).then_some(first)
}

fn leads_on(walk: &Walk) -> bool {
    walk.iter().any(|&to| to != NONE)
}

impl Compiler<'_> {
    /// The paths of a graph from `entry` to nodes of `ends`, the short ones first. With `keep_first`, look-aheads at the
    /// first cell are not written out as tests.
    pub fn paths(
        &mut self,
        graph: &Graph,
        entry: usize,
        ends: &[usize],
        most: usize,
        keep_first: bool,
    ) -> Result<Paths, TooLarge> {
        let identity: Walk = (0..self.geometry.bits as u16)
            .map(|bit| if self.geometry.cell[usize::from(bit)] == NONE { NONE } else { bit })
            .collect();
        let mut found = Paths { paths: Vec::new(), complete: true };
        let first = Path { walk: identity, tests: Vec::new(), looks: Vec::new(), end: entry };
        let mut seen = HashSet::from([first.clone()]);
        let mut open = VecDeque::from([first]);
        while let Some(path) = open.pop_front() {
            self.spend(self.geometry.bits as u64)?;
            if ends.contains(&path.end) {
                if found.paths.len() == most {
                    found.complete = false;
                    break;
                }
                found.paths.push(path.clone());
            }
            for &(to, link) in graph.out(path.end) {
                let mut next = Path { end: to, ..path.clone() };
                match link {
                    Link::Pass => {}
                    Link::Walk(walk) => {
                        next.walk = composed(&path.walk, &self.compiled.walks[usize::from(walk)].0);
                        if !leads_on(&next.walk) {
                            continue;
                        }
                    }
                    Link::On(mask) => {
                        let mask = self.compiled.masks[usize::from(mask)];
                        if !next.asks(path.walk.clone(), mask) {
                            continue;
                        }
                    }
                    Link::Look(look, negated) => {
                        let first = keep_first && displacement(&next.walk) == Some(0);
                        let (variants, all) =
                            if first { (Vec::new(), false) } else { self.inlined(&next, look, negated) };
                        if all || !negated && !variants.is_empty() {
                            found.complete &= all;
                            for variant in variants {
                                if variant.tests.len() > TESTS || seen.len() > OPEN {
                                    found.complete = false;
                                } else if seen.insert(variant.clone()) {
                                    open.push_back(variant);
                                }
                            }
                            continue;
                        }
                        if displacement(&next.walk) != Some(0) {
                            found.complete = false;
                            continue;
                        }
                        if next.looks.contains(&(look, !negated)) {
                            continue;
                        }
                        if !next.looks.contains(&(look, negated)) {
                            next.looks.push((look, negated));
                        }
                    }
                    Link::If(_) => {
                        found.complete = false;
                        continue;
                    }
                }
                if next.tests.len() > TESTS || seen.len() > OPEN {
                    found.complete = false;
                    continue;
                }
                if seen.insert(next.clone()) {
                    open.push_back(next);
                }
            }
        }
        found.paths = self.without_implied(found.paths)?;
        Ok(found)
    }

    /// The path with a look-ahead at its last cell written out as tests, and whether that is all the look-ahead says.
    ///
    /// A negated look-ahead of one path fails to find it in several ways: the path leads off the board, or one of its
    /// tests fails.
    fn inlined(&self, path: &Path, look: u16, negated: bool) -> (Vec<Path>, bool) {
        let Some(Some(known)) = self.look_paths.get(usize::from(look)) else { return (Vec::new(), false) };
        let mut variants = Vec::new();
        if negated {
            let ([only], true) = (&known.paths[..], known.complete) else { return (Vec::new(), false) };
            let off = |&to: &u16| if to == NONE || only.walk[usize::from(to)] != NONE { NONE } else { to };
            variants.push(Path { walk: path.walk.iter().map(off).collect(), ..path.clone() });
            for (place, mask) in &only.tests {
                let mut variant = path.clone();
                if variant.goes(&only.walk) && variant.asks(path.at(place, &only.walk), self.all_pieces & !mask) {
                    variants.push(variant);
                }
            }
        } else {
            for way in &known.paths {
                let mut variant = path.clone();
                let goes = variant.goes(&way.walk);
                if goes && way.tests.iter().all(|(place, mask)| variant.asks(path.at(place, &way.walk), *mask)) {
                    variants.push(variant);
                }
            }
        }
        variants.retain(|variant| leads_on(&variant.walk));
        (variants, known.complete)
    }

    /// Leaves out paths that ask for all that another path asks for, and more.
    fn without_implied(&mut self, paths: Vec<Path>) -> Result<Vec<Path>, TooLarge> {
        self.spend((paths.len() * paths.len()) as u64 * 8)?;
        let mut kept: Vec<Path> = Vec::new();
        let mut sorted = paths;
        // Those with fewer tests can imply those with more.
        sorted.sort_by_key(|path| path.tests.len());
        for path in sorted {
            let target = displacement(&path.walk);
            let implied = kept.iter().any(|other| {
                other.end == path.end
                    && (displacement(&other.walk) == target && target.is_some() || other.walk == path.walk)
                    && other.looks.iter().all(|look| path.looks.contains(look))
                    && other
                        .tests
                        .iter()
                        .all(|(place, mask)| path.tests.iter().any(|(p, m)| p == place && m & mask == *m))
                    && path.walk.iter().zip(&other.walk).all(|(&a, &b)| a == NONE || b != NONE)
            });
            if !implied {
                kept.push(path);
            }
        }
        Ok(kept)
    }
}

/// A cell's bit by a place.
pub(super) fn reached(place: &Place, bit: usize) -> usize {
    match place {
        Place::By(by) => (bit as i32 + by) as usize,
        Place::Walk(walk) => walk[bit].into(),
    }
}

/// A test in a tree of tests, for many first cells at once.
#[derive(Clone, Debug)]
pub(super) struct TreeTest {
    pub depth: usize,
    pub by: i32,
    pub mask: u16,
    /// Where the tree goes on if no cell passes.
    pub skip: usize,
    /// What ends here: a leaf and the cells from which the path leads somewhere.
    pub ends: Vec<(usize, u32)>,
}

/// Tests one after the other, as displacements and masks; the leaf behind them, and the cells from which it is reached.
pub(super) type TestList = (Vec<(i32, u16)>, usize, u32);

/// Lists of tests as a tree in which equal beginnings are one; tests of displacement 0 are kept.
pub(super) fn tree(lists: Vec<TestList>) -> (Vec<TreeTest>, Vec<(usize, u32)>) {
    let mut sorted = lists;
    sorted.sort_by(|a, b| a.0.cmp(&b.0));
    let mut tests: Vec<TreeTest> = Vec::new();
    let mut at_root = Vec::new();
    // Places of the tests from the root to the last path.
    let mut way: Vec<usize> = Vec::new();
    for (list, leaf, domain) in sorted {
        let common =
            list.iter().zip(&way).take_while(|(test, place)| (tests[**place].by, tests[**place].mask) == **test);
        let common = common.count();
        way.truncate(common);
        for &(by, mask) in &list[common..] {
            way.push(tests.len());
            tests.push(TreeTest { depth: way.len() - 1, by, mask, skip: 0, ends: Vec::new() });
        }
        match way.last() {
            Some(&last) => tests[last].ends.push((leaf, domain)),
            None => at_root.push((leaf, domain)),
        }
    }
    for place in 0..tests.len() {
        let depth = tests[place].depth;
        let next = tests[place + 1..].iter().position(|test| test.depth <= depth);
        tests[place].skip = next.map_or(tests.len(), |next| place + 1 + next);
    }
    (tests, at_root)
}

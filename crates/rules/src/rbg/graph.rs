//! The graph of states between modifiers, made small before it is compiled.

use std::collections::HashMap;

use super::automaton::State;
use super::compile::{Compiler, TooLarge};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Link {
    Pass,
    /// A walk by its number.
    Walk(u16),
    /// A mask of pieces by its number.
    On(u16),
    Look(u16, bool),
    If(u16),
}

#[derive(Default)]
pub(super) struct Graph {
    states: Vec<State>,
    into: Vec<Vec<(usize, Link)>>,
    out: Vec<Vec<(usize, Link)>>,
    kept: Vec<bool>,
    live: Vec<bool>,
    pub reversed: bool,
}

impl Graph {
    pub fn node(&mut self, state: State) -> usize {
        self.states.push(state);
        self.into.push(Vec::new());
        self.out.push(Vec::new());
        self.kept.push(false);
        self.live.push(true);
        self.states.len() - 1
    }

    pub fn nodes(&self) -> usize {
        self.states.len()
    }

    pub fn state(&self, node: usize) -> State {
        self.states[node]
    }

    pub fn live(&self) -> Vec<usize> {
        (0..self.nodes()).filter(|&node| self.live[node]).collect()
    }

    pub fn out(&self, node: usize) -> &Vec<(usize, Link)> {
        &self.out[node]
    }

    pub fn into(&self, node: usize) -> &Vec<(usize, Link)> {
        &self.into[node]
    }

    pub fn link(&mut self, from: usize, link: Link, to: usize) {
        let twice = |edges: &[(usize, Link)], edge| edges.contains(&edge);
        let shorter = if self.out[from].len() < self.into[to].len() {
            twice(&self.out[from], (to, link))
        } else {
            twice(&self.into[to], (from, link))
        };
        if link == Link::Pass && from == to || shorter {
            return;
        }
        self.out[from].push((to, link));
        self.into[to].push((from, link));
    }

    fn unlink(&mut self, from: usize, link: Link, to: usize) {
        self.out[from].retain(|&edge| edge != (to, link));
        self.into[to].retain(|&edge| edge != (from, link));
    }

    /// Leaves out what does not lead to one of `ends`.
    pub fn prune(&mut self, ends: &[usize]) {
        self.live = vec![false; self.nodes()];
        let mut open = ends.to_vec();
        for &end in ends {
            self.live[end] = true;
        }
        while let Some(node) = open.pop() {
            for place in 0..self.into[node].len() {
                let from = self.into[node][place].0;
                if !self.live[from] {
                    self.live[from] = true;
                    open.push(from);
                }
            }
        }
        for node in 0..self.nodes() {
            let live = &self.live;
            self.into[node].retain(|&(from, _)| live[from] && live[node]);
            self.out[node].retain(|&(to, _)| live[to] && live[node]);
        }
    }

    /// Names the nodes that must stay.
    pub fn keep(&mut self, start: usize, ends: &[usize]) {
        self.kept[start] = true;
        self.live[start] = true;
        for &end in ends {
            self.kept[end] = true;
        }
    }

    /// The graph with a single kind of edge out of a node.
    pub fn only(&self, node: usize, link: Link) -> Self {
        let mut part = Self {
            states: self.states.clone(),
            into: self.into.clone(),
            out: self.out.clone(),
            kept: self.kept.clone(),
            live: self.live.clone(),
            reversed: self.reversed,
        };
        for &(to, other) in self.out[node].iter().filter(|edge| edge.1 != link) {
            part.unlink(node, other, to);
        }
        part
    }

    pub fn reverse(&mut self) {
        std::mem::swap(&mut self.into, &mut self.out);
        self.reversed = !self.reversed;
    }

    /// Takes out nodes that only pass on, and makes one step of steps in a row.
    pub fn simplify(&mut self, compiler: &mut Compiler<'_>) -> Result<(), TooLarge> {
        loop {
            let mut changed = false;
            for node in 0..self.nodes() {
                if self.kept[node] || !self.live[node] || self.into[node].iter().any(|&(from, _)| from == node) {
                    continue;
                }
                let (into, out) = (self.into[node].clone(), self.out[node].clone());
                let step = |&(_, link): &(usize, Link)| matches!(link, Link::Walk(_) | Link::Pass);
                let steps = into.iter().all(step) && out.iter().all(step);
                let single = into.len() == 1 || out.len() == 1;
                let passes = |edges: &[(usize, Link)]| edges.len() == 1 && edges[0].1 == Link::Pass;
                if !(single && steps || passes(&into) || passes(&out)) {
                    continue;
                }
                let neighbours = into.iter().map(|&(from, _)| self.out[from].len());
                let neighbours = neighbours.chain(out.iter().map(|&(to, _)| self.into[to].len())).sum::<usize>();
                compiler.spend((neighbours * into.len().max(out.len())) as u64)?;
                changed = true;
                self.live[node] = false;
                for &(from, link) in &into {
                    self.unlink(from, link, node);
                }
                for &(to, link) in &out {
                    self.unlink(node, link, to);
                }
                for &(from, before) in &into {
                    for &(to, after) in &out {
                        let link = match (before, after) {
                            (Link::Pass, link) | (link, Link::Pass) => link,
                            (Link::Walk(first), Link::Walk(second)) => Link::Walk(compiler.compose(first, second)?),
                            _ => continue,
                        };
                        self.link(from, link, to);
                    }
                }
            }
            if !changed {
                return Ok(());
            }
        }
    }

    /// Makes one node of nodes from which the same edges go out.
    pub fn merge(&mut self) {
        loop {
            let mut known: HashMap<Vec<(usize, Link)>, usize> = HashMap::new();
            let mut changed = false;
            for node in 0..self.nodes() {
                if self.kept[node] || !self.live[node] {
                    continue;
                }
                let mut out = self.out[node].clone();
                out.sort_unstable();
                let twin = *known.entry(out.clone()).or_insert(node);
                if twin == node {
                    continue;
                }
                changed = true;
                self.live[node] = false;
                for (to, link) in out {
                    self.unlink(node, link, to);
                }
                for (from, link) in self.into[node].clone() {
                    self.unlink(from, link, node);
                    self.link(from, link, twin);
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// The strongly connected components of some nodes, every one after those that lead to it (Tarjan's algorithm, on a
    /// stack of its own).
    pub fn components(&self, nodes: &[usize]) -> Vec<Vec<usize>> {
        const NEW: usize = usize::MAX;
        let mut wanted = vec![false; self.nodes()];
        nodes.iter().for_each(|&node| wanted[node] = true);
        let (mut index, mut low) = (vec![NEW; self.nodes()], vec![0; self.nodes()]);
        let mut waiting = vec![false; self.nodes()];
        let (mut stack, mut found, mut next) = (Vec::new(), Vec::new(), 0);
        for &root in nodes {
            if index[root] != NEW {
                continue;
            }
            let mut work = vec![(root, 0)];
            while let Some(&(node, place)) = work.last() {
                if place == 0 {
                    (index[node], low[node]) = (next, next);
                    next += 1;
                    stack.push(node);
                    waiting[node] = true;
                }
                let way = self.out[node][place..].iter().position(|&(to, _)| wanted[to]).map(|skip| place + skip);
                if let Some(way) = way {
                    let to = self.out[node][way].0;
                    if let Some(last) = work.last_mut() {
                        last.1 = way + 1;
                    }
                    if index[to] == NEW {
                        work.push((to, 0));
                    } else if waiting[to] {
                        low[node] = low[node].min(index[to]);
                    }
                    continue;
                }
                work.pop();
                if let Some(&(parent, _)) = work.last() {
                    low[parent] = low[parent].min(low[node]);
                }
                if low[node] == index[node] {
                    let mut component = Vec::new();
                    while let Some(member) = stack.pop() {
                        waiting[member] = false;
                        component.push(member);
                        if member == node {
                            break;
                        }
                    }
                    component.sort_unstable();
                    found.push(component);
                }
            }
        }
        found.reverse();
        found
    }

    /// The node of a component without which the fewest nodes are still in cycles.
    pub fn hub(&self, component: &[usize]) -> usize {
        let cyclic = |hub: usize| {
            let rest: Vec<usize> = component.iter().copied().filter(|&node| node != hub).collect();
            let large = self.components(&rest).into_iter().filter(|part| part.len() > 1);
            large.map(|part| part.len()).sum::<usize>()
        };
        let candidates = component.iter().copied().take(24);
        candidates.min_by_key(|&node| (cyclic(node), usize::MAX - self.into[node].len())).unwrap_or(component[0])
    }
}

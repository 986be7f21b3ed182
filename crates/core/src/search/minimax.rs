//! Exact values of small positions: every position that can be reached, then backward from the finished ones.
//!
//! Play that never ends is a draw, so positions that repeat need no special care. This is the oracle the other searches
//! are tested against; it shares nothing with them but the rules.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::game::Game;
use crate::outcome::{Player, Wdl};
use crate::search::budget::{Budget, Meter, Stopped};
use crate::search::report::{Bounds, MoveReport, Report};
use crate::search::without_search;

/// One reachable position.
struct Position {
    mover: Player,
    /// Value for the mover, once it is known.
    value: Option<Wdl>,
    /// Moves until the end under best play, once the value is known: the winner hurries, the loser delays.
    distance: u32,
    /// Children whose value is not known yet.
    open: u32,
    /// Children, as a range of the list of edges.
    children: (u32, u32),
}

/// Exact values of `start` and of every move. The budget's simulations count unfinished positions here.
pub(crate) fn search<G: Game>(start: &G, budget: &Budget, stop: &AtomicBool) -> Report<G::Move> {
    let meter = Meter::new(budget, stop);
    let graph = match Graph::reach(start, budget, stop, &meter) {
        Ok(graph) => graph,
        Err((why, opened)) => {
            let mut moves = Vec::new();
            start.moves(&mut moves);
            return Report { simulations: opened, ..without_search(moves.first().copied(), &meter, why) };
        }
    };
    let values = graph.solve();
    let mut moves = Vec::new();
    start.moves(&mut moves);
    let (from, mover) = (values.children(0), start.to_move());
    let mut listed: Vec<(MoveReport<G::Move>, u32)> = moves
        .iter()
        .zip(from)
        .map(|(&m, &child)| {
            let (value, distance) = values.of(child, mover);
            let bounds = Bounds::exactly(value);
            let mean = f64::from(value.value());
            (MoveReport { m, visits: 0, mean, numbers: None, rank: None, bounds }, distance)
        })
        .collect();
    // The quickest win, any draw, the longest loss.
    listed.sort_by_key(|(m, distance)| {
        let distance = i64::from(*distance);
        (std::cmp::Reverse(m.bounds.least), if m.bounds.least == Wdl::Win { distance } else { -distance })
    });
    let moves: Vec<_> = listed.into_iter().map(|(m, _)| m).collect();
    let best = moves.first().map(|m| m.m);
    Report {
        best,
        bounds: Bounds::exactly(values.of(0, mover).0),
        line: values.line(start),
        moves,
        simulations: values.positions.iter().filter(|position| position.children.0 < position.children.1).count()
            as u64,
        nodes: values.positions.len() as u64,
        bytes: values.positions.len() * (size_of::<Position>() + 24) + values.edges.len() * 4,
        ..without_search(best, &meter, Stopped::Proven)
    }
}

struct Graph {
    positions: Vec<Position>,
    edges: Vec<u32>,
}

impl Graph {
    /// Every position reachable from `start`, the start first; or why not, and how many were opened until then.
    fn reach<G: Game>(
        start: &G,
        budget: &Budget,
        stop: &AtomicBool,
        meter: &Meter<'_>,
    ) -> Result<Self, (Stopped, u64)> {
        let memory = budget.memory.unwrap_or(Budget::MEMORY);
        let (mut positions, mut edges, mut states) = (Vec::new(), Vec::new(), vec![start.clone()]);
        let mut index: HashMap<u64, u32> = HashMap::from([(start.key(), 0)]);
        let (mut moves, mut opened) = (Vec::new(), 0);
        while positions.len() < states.len() {
            let at = positions.len();
            if at % 1024 == 0 {
                // Vectors and the index grow by doubling, and hold old and new for a moment.
                let each = size_of::<Position>() + size_of::<G>() + 2 * size_of::<(u64, u32)>();
                let used = 3 * (states.len() * each + edges.len() * 4) / 2;
                let checks = [
                    (stop.load(Ordering::Relaxed), Stopped::Asked),
                    (budget.time.is_some_and(|time| meter.elapsed() >= time), Stopped::Time),
                    (used > memory || states.len() > u32::MAX as usize / 2, Stopped::Memory),
                ];
                if let Some(&(_, why)) = checks.iter().find(|(reached, _)| *reached) {
                    return Err((why, opened));
                }
            }
            let state = states[at].clone();
            let from = edges.len() as u32;
            moves.clear();
            state.moves(&mut moves);
            if !moves.is_empty() {
                if budget.simulations.is_some_and(|n| opened >= n) {
                    return Err((Stopped::Simulations, opened));
                }
                opened += 1;
            }
            for &m in &moves {
                let mut next = state.clone();
                next.play(m);
                let child = *index.entry(next.key()).or_insert(states.len() as u32);
                if child as usize == states.len() {
                    states.push(next);
                }
                edges.push(child);
            }
            let mover = state.to_move();
            let value = state.outcome().map(|outcome| outcome.of(mover));
            let children = (from, edges.len() as u32);
            positions.push(Position { mover, value, distance: 0, open: moves.len() as u32, children });
        }
        Ok(Self { positions, edges })
    }

    fn children(&self, at: u32) -> &[u32] {
        let (from, to) = self.positions[at as usize].children;
        &self.edges[from as usize..to as usize]
    }

    /// Value and distance of a position for `player`. Unknown after [`solve`](Graph::solve) means a draw.
    fn of(&self, at: u32, player: Player) -> (Wdl, u32) {
        let position = &self.positions[at as usize];
        let value = position.value.unwrap_or(Wdl::Draw);
        (if position.mover == player { value } else { value.flip() }, position.distance)
    }

    /// Works backward from the finished positions, nearest first. What no win or loss reaches is a draw.
    fn solve(mut self) -> Self {
        let (starts, parents) = self.parents();
        let known = |p: &Position| matches!(p.value, Some(Wdl::Win | Wdl::Loss));
        let mut queue: Vec<u32> =
            (0..self.positions.len() as u32).filter(|&at| known(&self.positions[at as usize])).collect();
        let mut next = 0;
        while next < queue.len() {
            let child = queue[next];
            next += 1;
            for edge in starts[child as usize]..starts[child as usize + 1] {
                let parent = parents[edge as usize];
                let mover = self.positions[parent as usize].mover;
                let (value, distance) = self.of(child, mover);
                let position = &mut self.positions[parent as usize];
                if position.value.is_some() {
                    continue;
                }
                position.open -= 1;
                if value == Wdl::Win || position.open == 0 {
                    position.value = Some(value);
                    position.distance = distance + 1;
                    queue.push(parent);
                }
            }
        }
        self
    }

    /// For each position where its parents begin, and all parents, an entry for each edge.
    fn parents(&self) -> (Vec<u32>, Vec<u32>) {
        let mut starts = vec![0u32; self.positions.len() + 1];
        for &child in &self.edges {
            starts[child as usize + 1] += 1;
        }
        for at in 0..self.positions.len() {
            starts[at + 1] += starts[at];
        }
        let (mut fill, mut parents) = (starts.clone(), vec![0u32; self.edges.len()]);
        for parent in 0..self.positions.len() as u32 {
            for &child in self.children(parent) {
                parents[fill[child as usize] as usize] = parent;
                fill[child as usize] += 1;
            }
        }
        (starts, parents)
    }

    /// Best play for both, until the end or, in a draw that goes on, until a position comes back.
    fn line<G: Game>(&self, start: &G) -> Vec<G::Move> {
        let (mut state, mut at, mut line) = (start.clone(), 0u32, Vec::new());
        let mut seen = std::collections::HashSet::new();
        let mut moves = Vec::new();
        while seen.insert(at) && state.outcome().is_none() {
            moves.clear();
            state.moves(&mut moves);
            let mover = state.to_move();
            let best = self.children(at).iter().enumerate().max_by_key(|&(index, &child)| {
                let (value, distance) = self.of(child, mover);
                let haste = if value == Wdl::Win { -i64::from(distance) } else { i64::from(distance) };
                (value, haste, std::cmp::Reverse(index))
            });
            let Some((index, &child)) = best else { break };
            line.push(moves[index]);
            state.play(moves[index]);
            at = child;
        }
        line
    }
}

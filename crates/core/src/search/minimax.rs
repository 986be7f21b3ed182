//! Exact values of small positions: enumerates every reachable position, then works backward from the finished ones.
//!
//! Endless play is a draw, so repetitions need no rule. This is the oracle for the tests of the other searches, with
//! which it shares only the rules.
//!
//! A reachable position is remembered by its key alone. Only the positions between the root and the position being
//! expanded are held, and the memory that they hold on the heap counts against the budget.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use crate::game::Game;
use crate::outcome::{Player, Wdl};
use crate::search::budget::{Budget, Meter, Stopped, Tick, capacity_for, grow, map_bytes};
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
    // Opened positions are counted apart: a step is a move made, and there may be many between two of them.
    let steps = Budget { simulations: None, ..budget.clone() };
    let mut clock = Meter::new(&steps, stop);
    let mut opened = 0;
    let graph = Reach::new(budget, &mut opened).all_from(start, &mut clock);
    let solved = graph.and_then(|graph| graph.solve(&mut clock));
    let mut moves = Vec::new();
    start.moves(&mut moves);
    let values = match solved {
        Ok(values) => values,
        Err(why) => {
            return Report { simulations: opened, ..without_search(moves.first().copied(), &clock, why) };
        }
    };
    let (from, mover) = (values.children(0), start.to_move());
    let mut listed: Vec<(MoveReport<G::Move>, u32)> = moves
        .iter()
        .zip(from)
        .map(|(&m, &child)| {
            let (value, distance) = values.of(child, mover);
            let bounds = Bounds::exactly(value);
            let mean = f64::from(value.value());
            (
                MoveReport {
                    m,
                    visits: 0,
                    mean,
                    at_most: false,
                    numbers: None,
                    rank: None,
                    bounds,
                    terms: None,
                    next: false,
                },
                distance,
            )
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
        simulations: opened,
        nodes: values.positions.len() as u64,
        bytes: values.positions.len() * POSITION_BYTES + values.edges.len() * EDGE_BYTES,
        ..without_search(best, &clock, Stopped::Proven)
    }
}

/// One step of the clock.
fn tick(clock: &mut Meter<'_>) -> Result<(), Stopped> {
    match clock.tick() {
        Tick::Go | Tick::Notice => Ok(()),
        Tick::Stop(why) => Err(why),
    }
}

/// Bytes for each position and each edge: where its parents begin (twice) and a place in the queue, or a parent, are
/// needed to work backward.
const POSITION_BYTES: usize = size_of::<Position>() + 3 * size_of::<u32>();
const EDGE_BYTES: usize = 2 * size_of::<u32>();
/// Parts of the index. Each grows by itself, so that no single step takes long or needs much memory besides.
const PARTS: usize = 256;

struct Graph {
    positions: Vec<Position>,
    edges: Vec<u32>,
}

/// A position on the way from the start to the one being opened.
struct Level<G: Game> {
    state: G,
    moves: Vec<G::Move>,
    /// The next move to make.
    next: usize,
    /// The edge of the first move.
    from: u32,
    /// Bytes on the heap.
    bytes: usize,
}

/// Finds every position that can be reached, depth first.
struct Reach<'a> {
    graph: Graph,
    /// Positions by key.
    index: Vec<HashMap<u64, u32>>,
    index_bytes: usize,
    budget: &'a Budget,
    opened: &'a mut u64,
}

impl<'a> Reach<'a> {
    fn new(budget: &'a Budget, opened: &'a mut u64) -> Self {
        let graph = Graph { positions: Vec::new(), edges: Vec::new() };
        Self { graph, index: vec![HashMap::new(); PARTS], index_bytes: 0, budget, opened }
    }

    /// The start is the first position of the graph.
    fn all_from<G: Game>(mut self, start: &G, clock: &mut Meter<'_>) -> Result<Graph, Stopped> {
        let mut way: Vec<Level<G>> = Vec::new();
        tick(clock)?;
        self.place(start, 0);
        // Bytes on the heap of all positions on the way.
        let mut held = self.open(start.clone(), &mut way, 0)?;
        while let Some(level) = way.last_mut() {
            tick(clock)?;
            let Some(&m) = level.moves.get(level.next) else {
                held -= level.bytes;
                way.pop();
                continue;
            };
            let edge = level.from as usize + level.next;
            level.next += 1;
            let mut next = level.state.clone();
            next.play(m);
            let new = self.graph.positions.len() as u32;
            let child = self.place(&next, new);
            self.graph.edges[edge] = child;
            if child == new {
                held += self.open(next, &mut way, held)?;
            }
        }
        Ok(self.graph)
    }

    /// The number of a position, which is `new` if it was not met before.
    fn place<G: Game>(&mut self, state: &G, new: u32) -> u32 {
        let key = state.key();
        let part = &mut self.index[(key >> 32) as usize % PARTS];
        let before = part.capacity();
        let place = *part.entry(key).or_insert(new);
        self.index_bytes += map_bytes::<u64, u32>(part.capacity() - before);
        place
    }

    /// Adds a new position to the graph and, if it is not finished, to the way, whose positions hold so many bytes; those
    /// that this one adds.
    fn open<G: Game>(&mut self, state: G, way: &mut Vec<Level<G>>, held: usize) -> Result<usize, Stopped> {
        let Graph { positions, edges } = &mut self.graph;
        let mover = state.to_move();
        let value = state.outcome().map(|outcome| outcome.of(mover));
        let from = edges.len() as u32;
        let mut moves = Vec::new();
        if value.is_none() {
            if self.budget.simulations.is_some_and(|n| *self.opened >= n) {
                return Err(Stopped::Simulations);
            }
            *self.opened += 1;
            state.moves(&mut moves);
        }
        let many = moves.len();
        let bytes = moves.capacity() * size_of::<G::Move>() + state.heap_bytes();
        let needed = (capacity_for(positions, 1), capacity_for(edges, many), capacity_for(way, 1));
        let lists = (positions.capacity() + needed.0) * POSITION_BYTES
            + (edges.capacity() + needed.1) * EDGE_BYTES
            + (way.capacity() + needed.2) * size_of::<Level<G>>();
        let used = lists + self.index_bytes + held + bytes;
        if used > self.budget.memory.unwrap_or(Budget::MEMORY) || edges.len() + many > u32::MAX as usize {
            return Err(Stopped::Memory);
        }
        grow(positions, needed.0);
        grow(edges, needed.1);
        grow(way, needed.2);
        let children = (from, from + many as u32);
        positions.push(Position { mover, value, distance: 0, open: many as u32, children });
        if many == 0 {
            return Ok(0);
        }
        edges.resize(edges.len() + many, 0);
        way.push(Level { state, moves, next: 0, from, bytes });
        Ok(bytes)
    }
}

impl Graph {
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
    fn solve(mut self, clock: &mut Meter<'_>) -> Result<Self, Stopped> {
        let (starts, parents) = self.parents(clock)?;
        let known = |p: &Position| matches!(p.value, Some(Wdl::Win | Wdl::Loss));
        let mut queue: Vec<u32> = Vec::with_capacity(self.positions.len());
        queue.extend((0..self.positions.len() as u32).filter(|&at| known(&self.positions[at as usize])));
        let mut next = 0;
        while next < queue.len() {
            let child = queue[next];
            next += 1;
            for edge in starts[child as usize]..starts[child as usize + 1] {
                tick(clock)?;
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
        Ok(self)
    }

    /// For each position where its parents begin, and all parents, an entry for each edge.
    fn parents(&self, clock: &mut Meter<'_>) -> Result<(Vec<u32>, Vec<u32>), Stopped> {
        let mut starts = vec![0u32; self.positions.len() + 1];
        for &child in &self.edges {
            tick(clock)?;
            starts[child as usize + 1] += 1;
        }
        for at in 0..self.positions.len() {
            starts[at + 1] += starts[at];
        }
        let (mut fill, mut parents) = (starts.clone(), vec![0u32; self.edges.len()]);
        for parent in 0..self.positions.len() as u32 {
            for &child in self.children(parent) {
                tick(clock)?;
                parents[fill[child as usize] as usize] = parent;
                fill[child as usize] += 1;
            }
        }
        Ok((starts, parents))
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
            // It is there, unless two positions have one key.
            let Some(&m) = moves.get(index) else { break };
            line.push(m);
            state.play(m);
            at = child;
        }
        line
    }
}

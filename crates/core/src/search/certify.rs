//! Strategies from proofs: for every position that the prover can reach, the move to play.
//!
//! A solver leaves its proof in the table, as a set of decided positions. This module extracts a strategy from them.
//! - **A win** must be well-founded. Choosing any proven child is not enough: two positions may both be won, each by a
//!   move to the other. Choosing the child that was decided first is enough, because whatever it relies on was decided
//!   before it. If the table has lost an entry, the position is solved again, which may break that order. The strategy
//!   is therefore walked backward from its ends, and positions that are not reached are solved once more, with the
//!   sound part taken as known.
//! - **At least a draw** needs a closed set: every position in it has a move that stays in the set or ends well.
//!   Endless play is a success, so any child that is known to hold will do, and positions in the set are known to hold.

use std::collections::HashSet;

use crate::game::Game;
use crate::outcome::{Outcome, Wdl};
use crate::search::budget::{Meter, Stopped, Tick, capacity_for, grow, map_bytes};
use crate::search::dfpn::{Answer, ByKey};
use crate::search::knowledge;
use crate::search::proof::{Goal, ProofNumbers};
use crate::search::prover::Prover;
use crate::search::questions::Questions;

/// A strategy in the order in which it can be checked: for a win every entry leans on earlier ones only.
#[derive(Clone, Debug)]
pub struct Strategy<G: Game> {
    /// Positions with the prover to move, and its move.
    pub entries: Vec<(G, G::Move)>,
    /// Moves until the end at most, both players' counted; none if play may go on for ever.
    pub longest: Option<u32>,
    /// Whether each entry also stands for its images under the symmetries of the game.
    pub symmetric: bool,
}

/// Why a proof could not be written out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotWritten {
    /// The budget ran out first.
    Stopped(Stopped),
    /// The strategy needs more memory than there is.
    Memory,
    /// A position that should hold does not: two positions with one key, or a broken promise of the game.
    Broken,
}

/// One position with the prover to move.
struct Node<G: Game> {
    state: G,
    m: Option<G::Move>,
    /// Moves of the others after the prover's until the game is over, at most.
    to_end: u32,
    /// Nodes it leans on, as a range of the edges.
    leans_on: (u32, u32),
}

/// The way from a move of the prover to its next one.
#[derive(Clone, Copy)]
struct Edge {
    /// The node it leads to.
    to: u32,
    /// Moves of the others in between, at most.
    plies: u32,
}

/// What the prover may come to from the start.
struct Collected<G: Game> {
    nodes: Vec<Node<G>>,
    edges: Vec<Edge>,
    /// The prover's first positions.
    roots: Vec<Edge>,
    /// Moves until the end, at most, where the prover never moves.
    to_end: u32,
}

/// Bytes for each node and each edge, with what the check of the strategy and its list of entries need.
const fn node_bytes<G: Game>() -> usize {
    size_of::<Node<G>>() + size_of::<Option<(G, G::Move)>>() + 6 * size_of::<u32>()
}
const EDGE_BYTES: usize = size_of::<Edge>() + size_of::<u32>();

pub(crate) struct Writer<'a, 'm, G: Game> {
    pub solver: &'a mut dyn Prover<G>,
    pub questions: Questions,
    /// What the strategy achieves.
    pub goal: Goal,
    pub meter: &'a mut Meter<'m>,
    /// Bytes for the strategy; and for the table, when it has to be emptied.
    pub memory: usize,
    pub table_bytes: usize,
}

impl<G: Game> Writer<'_, '_, G> {
    /// Writes out the proof that `start` has, according to the solver.
    pub(crate) fn write(mut self, start: &G) -> Result<Strategy<G>, NotWritten> {
        self.solver.settled().clear();
        let result = self.write_out(start);
        self.solver.settled().clear();
        result
    }

    fn write_out(&mut self, start: &G) -> Result<Strategy<G>, NotWritten> {
        if start.outcome().is_some() {
            return Ok(Strategy { entries: Vec::new(), longest: Some(0), symmetric: false });
        }
        let symmetric = self.solver.is_symmetric(start) && start.symmetries() > 1;
        let mut chosen: ByKey<G::Move> = ByKey::default();
        loop {
            let Collected { nodes, edges, roots, to_end } = self.collect(start, symmetric, &chosen)?;
            if !self.must_end() {
                let all = 0..nodes.len() as u32;
                return Ok(Strategy { entries: entries(nodes, all), longest: None, symmetric });
            }
            let (order, heights) = sound(&nodes, &edges);
            let through = |root: &Edge| heights[root.to as usize].map(|height| root.plies + height);
            if let Some(longest) = roots.iter().try_fold(to_end, |most, root| Some(most.max(through(root)?))) {
                return Ok(Strategy { entries: entries(nodes, order.into_iter()), longest: Some(longest), symmetric });
            }
            let before = chosen.len();
            for index in order {
                let node = &nodes[index as usize];
                if let Some(m) = node.m {
                    chosen.insert(node.state.key(), m);
                    self.settle(&node.state);
                }
            }
            if chosen.len() == before {
                return Err(NotWritten::Memory);
            }
            drop((nodes, edges));
            self.solver.reset(self.table_bytes);
            self.solve(start)?;
        }
    }

    /// Every position with the prover to move that can come up, each with its move; if `symmetric`, one of its images.
    fn collect(&mut self, start: &G, symmetric: bool, chosen: &ByKey<G::Move>) -> Result<Collected<G>, NotWritten> {
        let mut reached = Vec::new();
        let to_end = self.replies(start.clone(), &mut reached)?;
        let mut all = Collected { nodes: Vec::new(), edges: Vec::new(), roots: Vec::new(), to_end };
        let mut places: ByKey<u32> = ByKey::default();
        let mut moves = Vec::new();
        // Bytes on the heap of all positions.
        let mut held = 0;
        // The node whose replies are in `reached`; at first it is the start.
        let mut from: Option<usize> = None;
        loop {
            self.look()?;
            let first = all.edges.len() as u32;
            self.make_room(&mut all, reached.len(), held, &places, chosen)?;
            for (state, plies) in reached.drain(..) {
                let state = if symmetric { representative(state) } else { state };
                let key = state.key();
                let to = *places.entry(key).or_insert(all.nodes.len() as u32);
                if to as usize == all.nodes.len() {
                    held += state.heap_bytes();
                    all.nodes.push(Node { state, m: None, to_end: 0, leans_on: (0, 0) });
                }
                if !self.must_end() {
                    self.settle(&all.nodes[to as usize].state);
                }
                if from.is_none() { &mut all.roots } else { &mut all.edges }.push(Edge { to, plies });
            }
            if let Some(at) = from {
                all.nodes[at].leans_on = (first, all.edges.len() as u32);
            }
            let at = from.map_or(0, |at| at + 1);
            if at == all.nodes.len() {
                return Ok(all);
            }
            let state = all.nodes[at].state.clone();
            let m = match chosen.get(&state.key()) {
                Some(&m) => m,
                None => self.choose(&state)?,
            };
            moves.clear();
            state.moves(&mut moves);
            // It may be the move of another position with the same key.
            if !moves.contains(&m) {
                return Err(NotWritten::Broken);
            }
            all.nodes[at].m = Some(m);
            let mut next = state;
            next.play(m);
            if !self.must_end() {
                self.settle(&next);
            }
            all.nodes[at].to_end = self.replies(next, &mut reached)?;
            from = Some(at);
        }
    }

    /// Whether every line must come to an end. For a draw endless play is success too.
    fn must_end(&self) -> bool {
        self.goal.least == Wdl::Win
    }

    /// Whether the solver's numbers of a position mean that the goal is reached from there.
    fn holds(&self, numbers: ProofNumbers) -> bool {
        self.questions.answer(self.goal, numbers).is_proven()
    }

    fn ends_well(&self, outcome: Outcome) -> bool {
        self.goal.numbers(outcome).is_proven()
    }

    /// Lets the solver take it as known that the goal is reached from the position with this key.
    fn settle(&mut self, state: &G) {
        let key = self.solver.key(state);
        let proven = !self.questions.swaps(self.goal);
        self.solver.settled().insert(key, proven);
    }

    /// Looks at the clock and the stop flag, now and then.
    fn look(&mut self) -> Result<(), NotWritten> {
        match self.meter.tick() {
            Tick::Go | Tick::Notice => Ok(()),
            Tick::Stop(why) => Err(NotWritten::Stopped(why)),
        }
    }

    /// Makes room for `more` nodes and edges, if there is memory for them.
    fn make_room(
        &mut self,
        all: &mut Collected<G>,
        more: usize,
        held: usize,
        places: &ByKey<u32>,
        chosen: &ByKey<G::Move>,
    ) -> Result<(), NotWritten> {
        // A map that is full doubles, and the old one is still there while it does.
        let peak = |len: usize, capacity: usize| if len + 2 * more > capacity { 3 * capacity } else { capacity };
        let settled = self.solver.settled();
        let maps = map_bytes::<u64, u32>(peak(places.len(), places.capacity()))
            + map_bytes::<u64, bool>(peak(settled.len(), settled.capacity()))
            + map_bytes::<u64, G::Move>(chosen.capacity());
        let (nodes, edges) = (capacity_for(&all.nodes, more), capacity_for(&all.edges, more));
        let lists = (all.nodes.capacity() + nodes) * node_bytes::<G>() + (all.edges.capacity() + edges) * EDGE_BYTES;
        if lists + maps + held > self.memory || all.edges.len() + more > u32::MAX as usize {
            return Err(NotWritten::Memory);
        }
        grow(&mut all.nodes, nodes);
        grow(&mut all.edges, edges);
        Ok(())
    }

    /// Positions with the prover to move that the others can reach from `state` before the prover moves again, each with
    /// the moves this takes at most; and the moves until the game is over, at most. The same position may be there more
    /// than once.
    fn replies(&mut self, state: G, reached: &mut Vec<(G, u32)>) -> Result<u32, NotWritten> {
        if let Some(outcome) = state.outcome() {
            return if self.ends_well(outcome) { Ok(0) } else { Err(NotWritten::Broken) };
        }
        if state.to_move() == self.goal.player {
            reached.push((state, 0));
            return Ok(0);
        }
        // Mostly the others move once, and this position stays the only one of theirs.
        let mut places: ByKey<usize> = ByKey::from_iter([(state.key(), 0)]);
        let mut held = state.heap_bytes();
        let mut theirs = vec![state];
        // Moves among their positions; and for each position where its part of `reached` ends, and whether the game may end.
        let mut steps: Vec<(usize, usize)> = Vec::new();
        let mut exits: Vec<(usize, bool)> = Vec::new();
        let before = reached.len();
        let mut moves = Vec::new();
        while exits.len() < theirs.len() {
            let at = exits.len();
            if at > 0 {
                self.look()?;
            }
            let each = size_of::<G>() + map_bytes::<u64, usize>(2) + size_of::<(usize, bool)>();
            let bytes = theirs.len() * each + held + steps.len() * size_of::<(usize, usize)>();
            if theirs.len() > 1 && bytes + reached.len() * size_of::<(G, u32)>() > self.memory {
                return Err(NotWritten::Memory);
            }
            moves.clear();
            theirs[at].moves(&mut moves);
            let mut ends = false;
            for &m in moves.iter().rev() {
                let mut next = theirs[at].clone();
                next.play(m);
                if let Some(outcome) = next.outcome() {
                    if !self.ends_well(outcome) {
                        return Err(NotWritten::Broken);
                    }
                    ends = true;
                } else if next.to_move() == self.goal.player {
                    held += next.heap_bytes();
                    reached.push((next, 1));
                } else {
                    let to = *places.entry(next.key()).or_insert(theirs.len());
                    if to == theirs.len() {
                        held += next.heap_bytes();
                        theirs.push(next);
                    }
                    steps.push((at, to));
                }
            }
            exits.push((reached.len(), ends));
        }
        // Endless play is fine here, and there is no longest way.
        if !self.must_end() {
            return Ok(0);
        }
        // Where the others can go round by themselves there is no win.
        let depths = longest_ways(theirs.len(), &steps).ok_or(NotWritten::Broken)?;
        let (mut to_end, mut from) = (0, before);
        for (&(to, ends), &depth) in exits.iter().zip(&depths) {
            reached[from..to].iter_mut().for_each(|(_, plies)| *plies += depth);
            from = to;
            if ends {
                to_end = to_end.max(depth + 1);
            }
        }
        Ok(to_end)
    }

    /// The prover's move: one that ends the game well, else into the position decided first.
    fn choose(&mut self, state: &G) -> Result<G::Move, NotWritten> {
        if let Some(m) = self.known_choice(state) {
            return Ok(m);
        }
        // The search of this position may know more than the table: a disproof that leans on coming back to it is not
        // kept there, and what is kept may be replaced at once.
        let answer = self.solve(state)?;
        let found = answer.moves.iter().find(|(_, numbers)| self.holds(*numbers)).map(|&(m, _)| m);
        self.known_choice(state).or(found).ok_or(NotWritten::Broken)
    }

    fn known_choice(&mut self, state: &G) -> Option<G::Move> {
        if let Some(m) = self.solver.deciding_move(state, self.questions.asked(self.goal)) {
            return Some(m);
        }
        let mut moves = Vec::new();
        state.moves(&mut moves);
        if let Some(m) = self.choice_by_knowledge(state, &moves) {
            return Some(m);
        }
        let mut best: Option<(u32, G::Move)> = None;
        for m in moves {
            let mut next = state.clone();
            next.play(m);
            let stamp = match next.outcome() {
                Some(outcome) => self.ends_well(outcome).then_some(0),
                None => {
                    let key = self.solver.key(&next);
                    if self.solver.settled().contains_key(&key) {
                        Some(0)
                    } else {
                        let found = self.solver.find(&next, self.questions.asked(self.goal));
                        found.filter(|(numbers, _)| self.holds(*numbers)).map(|(_, stamp)| stamp)
                    }
                }
            };
            if let Some(stamp) = stamp
                && best.is_none_or(|(least, _)| stamp < least)
            {
                best = Some((stamp, m));
            }
        }
        best.map(|(_, m)| m)
    }

    /// A move to a position that the game knows to be good for the prover. The verifier does not know it: the position is
    /// expanded into moves like every other. Of several such moves the one with the best outlook comes nearest to the end.
    fn choice_by_knowledge(&mut self, state: &G, moves: &[G::Move]) -> Option<G::Move> {
        let asked = self.questions.asked(self.goal);
        if !self.solver.has_knowledge() || !knowledge::answers(state, asked) {
            return None;
        }
        let mut ways = Vec::with_capacity(moves.len());
        for &m in moves {
            let mut next = state.clone();
            next.play(m);
            match next.outcome() {
                Some(outcome) if self.ends_well(outcome) => return Some(m),
                Some(_) => {}
                None => {
                    let sign = if next.to_move() == self.goal.player { 1 } else { -1 };
                    ways.push((-sign * next.outlook(), m, next));
                }
            }
        }
        ways.sort_by_key(|&(outlook, m, _)| (outlook, m));
        let good = |next: &G| knowledge::look_up(next, asked).is_some_and(|numbers| self.holds(numbers));
        ways.iter().find(|(_, _, next)| good(next)).map(|&(_, m, _)| m)
    }

    /// The move into the position that was decided last: the hardest to refute.
    fn longest_defence(&mut self, state: &G) -> Option<G::Move> {
        let mut moves = Vec::new();
        state.moves(&mut moves);
        moves.into_iter().max_by_key(|&m| {
            let mut next = state.clone();
            next.play(m);
            let found = self.solver.find(&next, self.questions.asked(self.goal));
            (next.outcome().is_none(), found.map_or(0, |(_, stamp)| stamp))
        })
    }

    fn solve(&mut self, state: &G) -> Result<Answer<G::Move>, NotWritten> {
        let answer = self.solver.solve(state, self.questions.asked(self.goal), self.meter, &mut |_, _| {});
        match answer.stopped {
            Stopped::Proven if self.holds(answer.numbers) => Ok(answer),
            Stopped::Proven => Err(NotWritten::Broken),
            why => Err(NotWritten::Stopped(why)),
        }
    }
}

/// Best play from `start`: a player who reaches one of the goals follows its proof, a player who reaches none delays the
/// end. Stops where nothing is known, at a repetition, and when the meter says so.
pub(crate) fn line<G: Game>(
    solver: &mut dyn Prover<G>,
    questions: Questions,
    goals: &[Goal],
    start: &G,
    meter: &mut Meter<'_>,
) -> Vec<G::Move> {
    let (mut line, mut met, mut state) = (Vec::new(), HashSet::new(), start.clone());
    let Some(&any) = goals.first() else { return line };
    while state.outcome().is_none() && met.insert(state.key()) {
        let own = goals.iter().find(|goal| goal.player == state.to_move());
        let goal = *own.unwrap_or(&any);
        let mut writer = Writer { solver, questions, goal, meter, memory: 0, table_bytes: 0 };
        let next = if own.is_some() { writer.choose(&state).ok() } else { writer.longest_defence(&state) };
        let Some(m) = next else { break };
        line.push(m);
        state.play(m);
    }
    line
}

/// The number of steps on the longest way from place 0 to each of the `many`; none if steps go round in a circle. Every
/// place can be reached from place 0.
fn longest_ways(many: usize, steps: &[(usize, usize)]) -> Option<Vec<u32>> {
    let mut longest = vec![0; many];
    if steps.is_empty() {
        return Some(longest);
    }
    let (mut arrivals, mut starts) = (vec![0u32; many], vec![0usize; many + 1]);
    for &(from, to) in steps {
        arrivals[to] += 1;
        starts[from + 1] += 1;
    }
    for at in 0..many {
        starts[at + 1] += starts[at];
    }
    // Places all of whose ways are known; steps are listed by where they begin.
    let mut order: Vec<usize> = (0..many).filter(|&at| arrivals[at] == 0).collect();
    let mut next = 0;
    while let Some(&at) = order.get(next) {
        next += 1;
        for &(_, to) in &steps[starts[at]..starts[at + 1]] {
            longest[to] = longest[to].max(longest[at] + 1);
            arrivals[to] -= 1;
            if arrivals[to] == 0 {
                order.push(to);
            }
        }
    }
    (order.len() == many).then_some(longest)
}

/// Nodes whose lines all come to an end, those that lean on nothing first; and how many moves each takes at most.
fn sound<G: Game>(nodes: &[Node<G>], edges: &[Edge]) -> (Vec<u32>, Vec<Option<u32>>) {
    let leans_on = |index: u32| {
        let (from, to) = nodes[index as usize].leans_on;
        &edges[from as usize..to as usize]
    };
    let many = nodes.len() as u32;
    // For each node where the list of those that lean on it begins, and these lists, an entry for each edge.
    let mut starts = vec![0u32; nodes.len() + 1];
    for edge in edges {
        starts[edge.to as usize + 1] += 1;
    }
    for at in 0..nodes.len() {
        starts[at + 1] += starts[at];
    }
    let (mut fill, mut users) = (starts.clone(), vec![0u32; edges.len()]);
    for index in 0..many {
        for edge in leans_on(index) {
            users[fill[edge.to as usize] as usize] = index;
            fill[edge.to as usize] += 1;
        }
    }
    let mut open: Vec<u32> = (0..many).map(|index| leans_on(index).len() as u32).collect();
    let mut heights: Vec<Option<u32>> = vec![None; nodes.len()];
    let mut order: Vec<u32> = Vec::with_capacity(nodes.len());
    order.extend((0..many).filter(|&index| open[index as usize] == 0));
    let mut at = 0;
    while let Some(&index) = order.get(at) {
        let below = |edge: &Edge| heights[edge.to as usize].map_or(0, |height| edge.plies + height);
        let longest = leans_on(index).iter().map(below).fold(nodes[index as usize].to_end, u32::max);
        heights[index as usize] = Some(1 + longest);
        for &user in &users[starts[index as usize] as usize..starts[index as usize + 1] as usize] {
            open[user as usize] -= 1;
            if open[user as usize] == 0 {
                order.push(user);
            }
        }
        at += 1;
    }
    (order, heights)
}

/// The image of a position that stands for all of them: the one with the least key.
fn representative<G: Game>(state: G) -> G {
    let images = (1..state.symmetries()).map(|index| state.symmetric(index));
    let least = images.min_by_key(|image| image.key());
    least.filter(|image| image.key() < state.key()).unwrap_or(state)
}

/// Positions with their moves, in this order. What positions hold on the heap is not copied.
fn entries<G: Game>(nodes: Vec<Node<G>>, order: impl Iterator<Item = u32>) -> Vec<(G, G::Move)> {
    let mut all: Vec<Option<(G, G::Move)>> = nodes.into_iter().map(|node| node.m.map(|m| (node.state, m))).collect();
    order.filter_map(|index| all[index as usize].take()).collect()
}

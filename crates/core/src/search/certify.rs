//! A proof written out: for every position the prover can come to, the move it plays.
//!
//! df-pn leaves its proof in the table, as a cloud of decided positions. Here a strategy is picked out of it.
//! - **A win** must be well-founded. Any proven child is not enough: two positions may both be won, each through the
//!   other. The child that was decided first is: what it leans on was decided before it. Where the table has
//!   forgotten an entry the position is solved again, which may break that order; so the strategy is checked backward from
//!   the ends, and what hangs in the air is solved once more with the sound part taken as known.
//! - **At least a draw** is a closed set: every position in it has a move that stays inside or ends well. Going round for
//!   ever is fine, so any child known to hold will do, and positions already in the set are known to hold.

use std::collections::HashSet;

use crate::game::Game;
use crate::outcome::{Outcome, Player, Wdl};
use crate::search::budget::{Meter, Stopped};
use crate::search::dfpn::{Answer, ByKey, Dfpn, Solver};
use crate::search::proof::{Goal, ProofNumbers};

/// What a strategy achieves, and the question to df-pn that stands for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Claim {
    /// Who has the strategy.
    pub player: Player,
    /// The goal df-pn was asked for.
    pub goal: Goal,
    /// The answer that means success: `goal` proven, or disproven.
    pub proven: bool,
    /// Every line must come to an end. Without it endless play is success too.
    pub well_founded: bool,
}

impl Claim {
    /// The claim in terms of its player.
    pub(crate) fn achieves(self) -> Goal {
        if self.proven {
            self.goal
        } else {
            Goal { player: self.player, least: if self.well_founded { Wdl::Win } else { Wdl::Draw }, by: 0 }
        }
    }

    fn holds(self, numbers: ProofNumbers) -> bool {
        if self.proven { numbers.is_proven() } else { numbers.is_disproven() }
    }

    fn ends_well(self, outcome: Outcome) -> bool {
        self.holds(self.goal.numbers(outcome))
    }
}

/// A strategy in the order in which it can be checked: for a win every entry leans on earlier ones only.
#[derive(Clone, Debug)]
pub struct Strategy<G: Game> {
    /// Positions with the prover to move, and its move.
    pub entries: Vec<(G, G::Move)>,
    /// Moves until the end at most, both players' counted; none if play may go on for ever.
    pub longest: Option<u32>,
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
    replies: Replies,
    /// Nodes it leans on, as a range of `edges`.
    leans_on: (usize, usize),
}

/// How many moves the others make after a move of the prover.
#[derive(Clone, Copy, Debug, Default)]
struct Replies {
    /// Until the game is over, at most.
    to_end: u32,
    /// Until the prover moves again, at most; none if it never does.
    to_prover: Option<u32>,
}

impl Replies {
    fn longest(self) -> u32 {
        self.to_end.max(self.to_prover.unwrap_or(0))
    }
}

pub(crate) struct Writer<'a, 'm, G: Game> {
    pub solver: &'a mut Solver<G>,
    pub config: Dfpn,
    pub claim: Claim,
    pub meter: &'a mut Meter<'m>,
    /// Bytes for the strategy; and for the table, when it has to be emptied.
    pub memory: usize,
    pub table_bytes: usize,
}

impl<G: Game> Writer<'_, '_, G> {
    /// Writes out the proof that `start` has, according to the solver.
    pub(crate) fn write(mut self, start: &G) -> Result<Strategy<G>, NotWritten> {
        self.solver.settled.clear();
        let result = self.write_out(start);
        self.solver.settled.clear();
        result
    }

    fn write_out(&mut self, start: &G) -> Result<Strategy<G>, NotWritten> {
        if start.outcome().is_some() {
            return Ok(Strategy { entries: Vec::new(), longest: Some(0) });
        }
        let mut chosen: ByKey<G::Move> = ByKey::default();
        loop {
            let (nodes, edges, roots, before_prover) = self.collect(start, &chosen)?;
            if !self.claim.well_founded {
                return Ok(Strategy { entries: entries(&nodes, 0..nodes.len()), longest: None });
            }
            let (order, heights) = sound(&nodes, &edges);
            if roots.iter().all(|&root| heights[root].is_some()) {
                let longest = roots.iter().filter_map(|&root| heights[root]).max().unwrap_or(0);
                let first = before_prover.longest();
                return Ok(Strategy { entries: entries(&nodes, order.into_iter()), longest: Some(longest + first) });
            }
            let before = chosen.len();
            for index in order {
                let node = &nodes[index];
                if let Some(m) = node.m {
                    chosen.insert(node.state.key(), m);
                    self.solver.settled.insert(node.state.key(), self.claim.proven);
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

    /// Every position with the prover to move that can come up, each with its move.
    #[allow(clippy::type_complexity)]
    fn collect(
        &mut self,
        start: &G,
        chosen: &ByKey<G::Move>,
    ) -> Result<(Vec<Node<G>>, Vec<usize>, Vec<usize>, Replies), NotWritten> {
        let mut nodes: Vec<Node<G>> = Vec::new();
        let mut places: ByKey<usize> = ByKey::default();
        let (mut edges, mut roots): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
        let mut reached = Vec::new();
        let before_prover = self.replies(start.clone(), &mut reached)?;
        let mut at = 0;
        let mut from_root = true;
        loop {
            let first = edges.len();
            for state in reached.drain(..) {
                let key = state.key();
                let place = *places.entry(key).or_insert_with(|| {
                    nodes.push(Node { state, m: None, replies: Replies::default(), leans_on: (0, 0) });
                    nodes.len() - 1
                });
                if !self.claim.well_founded {
                    self.solver.settled.insert(key, self.claim.proven);
                }
                if from_root { &mut roots } else { &mut edges }.push(place);
            }
            if from_root {
                from_root = false;
            } else {
                nodes[at].leans_on = (first, edges.len());
                at += 1;
            }
            if at == nodes.len() {
                return Ok((nodes, edges, roots, before_prover));
            }
            let node_bytes = size_of::<Node<G>>() + 24;
            if nodes.len() * node_bytes + edges.len() * size_of::<usize>() > self.memory {
                return Err(NotWritten::Memory);
            }
            let state = nodes[at].state.clone();
            let m = match chosen.get(&state.key()) {
                Some(&m) => m,
                None => self.choose(&state)?,
            };
            nodes[at].m = Some(m);
            let mut next = state;
            next.play(m);
            if !self.claim.well_founded {
                self.solver.settled.insert(next.key(), self.claim.proven);
            }
            nodes[at].replies = self.replies(next, &mut reached)?;
        }
    }

    /// Positions with the prover to move that the others can reach from `state` before the prover moves again.
    fn replies(&self, state: G, reached: &mut Vec<G>) -> Result<Replies, NotWritten> {
        let mut replies = Replies::default();
        let mut seen = HashSet::new();
        let mut open = vec![(state, 0)];
        let mut moves = Vec::new();
        while let Some((state, plies)) = open.pop() {
            if let Some(outcome) = state.outcome() {
                if !self.claim.ends_well(outcome) {
                    return Err(NotWritten::Broken);
                }
                replies.to_end = replies.to_end.max(plies);
            } else if state.to_move() == self.claim.player {
                replies.to_prover = replies.to_prover.max(Some(plies));
                reached.push(state);
            } else if seen.insert(state.key()) {
                moves.clear();
                state.moves(&mut moves);
                open.extend(moves.iter().map(|&m| {
                    let mut next = state.clone();
                    next.play(m);
                    (next, plies + 1)
                }));
            }
        }
        Ok(replies)
    }

    /// The prover's move: one that ends the game well, else into the position decided first.
    fn choose(&mut self, state: &G) -> Result<G::Move, NotWritten> {
        if let Some(m) = self.known_choice(state) {
            return Ok(m);
        }
        // The search of this position may know more than the table: a disproof that leans on coming back to it is not
        // kept there, and what is kept may be replaced at once.
        let answer = self.solve(state)?;
        let found = answer.moves.iter().find(|(_, numbers)| self.claim.holds(*numbers)).map(|&(m, _)| m);
        self.known_choice(state).or(found).ok_or(NotWritten::Broken)
    }

    fn known_choice(&mut self, state: &G) -> Option<G::Move> {
        let mut moves = Vec::new();
        state.moves(&mut moves);
        let mut best: Option<(u32, G::Move)> = None;
        for m in moves {
            let mut next = state.clone();
            next.play(m);
            let stamp = match next.outcome() {
                Some(outcome) => self.claim.ends_well(outcome).then_some(0),
                None if self.solver.settled.contains_key(&next.key()) => Some(0),
                None => {
                    let entry = self.solver.find(next.key(), self.claim.goal);
                    entry.filter(|entry| self.claim.holds(entry.numbers)).map(|entry| entry.stamp)
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

    /// The move into the position that was decided last: the hardest to refute.
    fn longest_defence(&mut self, state: &G) -> Option<G::Move> {
        let mut moves = Vec::new();
        state.moves(&mut moves);
        moves.into_iter().max_by_key(|&m| {
            let mut next = state.clone();
            next.play(m);
            let entry = self.solver.find(next.key(), self.claim.goal);
            (next.outcome().is_none(), entry.map_or(0, |entry| entry.stamp))
        })
    }

    fn solve(&mut self, state: &G) -> Result<Answer<G::Move>, NotWritten> {
        let answer = self.solver.solve(self.config, state, self.claim.goal, self.meter, &mut |_, _, _| {});
        match answer.stopped {
            Stopped::Proven if self.claim.holds(answer.numbers) => Ok(answer),
            Stopped::Proven => Err(NotWritten::Broken),
            why => Err(NotWritten::Stopped(why)),
        }
    }
}

/// Best play from `start`: who has a claim follows it, who has none delays the end. Stops where nothing is known, at a
/// repetition, and when the meter says so.
pub(crate) fn line<G: Game>(
    solver: &mut Solver<G>,
    config: Dfpn,
    claims: &[Claim],
    start: &G,
    meter: &mut Meter<'_>,
) -> Vec<G::Move> {
    let (mut line, mut met, mut state) = (Vec::new(), HashSet::new(), start.clone());
    let Some(&any) = claims.first() else { return line };
    while state.outcome().is_none() && met.insert(state.key()) {
        let own = claims.iter().find(|claim| claim.player == state.to_move());
        let claim = *own.unwrap_or(&any);
        let mut writer = Writer { solver, config, claim, meter, memory: 0, table_bytes: 0 };
        let next = if own.is_some() { writer.choose(&state).ok() } else { writer.longest_defence(&state) };
        let Some(m) = next else { break };
        line.push(m);
        state.play(m);
    }
    line
}

/// Nodes whose lines all come to an end, those that lean on nothing first; and how many moves each takes at most.
fn sound<G: Game>(nodes: &[Node<G>], edges: &[usize]) -> (Vec<usize>, Vec<Option<u32>>) {
    let mut users: Vec<Vec<u32>> = vec![Vec::new(); nodes.len()];
    let mut open: Vec<usize> = Vec::with_capacity(nodes.len());
    for (index, node) in nodes.iter().enumerate() {
        let leans_on = &edges[node.leans_on.0..node.leans_on.1];
        open.push(leans_on.len());
        for &other in leans_on {
            users[other].push(index as u32);
        }
    }
    let mut heights: Vec<Option<u32>> = vec![None; nodes.len()];
    let mut order: Vec<usize> = (0..nodes.len()).filter(|&index| open[index] == 0).collect();
    let mut at = 0;
    while at < order.len() {
        let index = order[at];
        let (from, to) = nodes[index].leans_on;
        let below = edges[from..to].iter().filter_map(|&other| heights[other]).max().unwrap_or(0);
        let Replies { to_end, to_prover } = nodes[index].replies;
        heights[index] = Some(1 + to_end.max(to_prover.map_or(0, |plies| plies + below)));
        for &user in &users[index] {
            let user = user as usize;
            open[user] -= 1;
            if open[user] == 0 {
                order.push(user);
            }
        }
        at += 1;
    }
    (order, heights)
}

fn entries<G: Game>(nodes: &[Node<G>], order: impl Iterator<Item = usize>) -> Vec<(G, G::Move)> {
    order.filter_map(|index| nodes[index].m.map(|m| (nodes[index].state.clone(), m))).collect()
}

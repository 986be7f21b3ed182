//! Where the keeper chooses: between which cells, of which it takes the first one, and between which alternatives, of which
//! it takes the first one that it can. With it, what is known of the piece on the current cell.
//!
//! The rules are followed from action to action with everything that may be true there, until nothing new is found.
//! Tests are taken to hold: so more ways are followed than there are.

use std::collections::{HashMap, HashSet};

use super::super::syntax::{Node, PieceMask};
use super::relation::{Relation, is_static, relation};
use super::{Subject, spend};

/// Words of a state, of which there may be many at once.
const STATE: usize = 30_000;

/// Marks made on the tree of the rules, by the addresses of its nodes.
#[derive(Default)]
pub(super) struct Choices {
    /// Sums that the keeper comes to.
    ordered: HashSet<usize>,
    /// The pieces that can be on the current cell at look-aheads.
    known: HashMap<usize, PieceMask>,
    /// Ways of the keeper to several cells, of which it takes the first one.
    several: Vec<Relation>,
}

impl Choices {
    pub fn is_ordered(&self, sum: &Node) -> bool {
        self.ordered.contains(&address(sum))
    }

    /// Whether a map leaves the cells between which the keeper chooses in their order.
    pub fn keeps_orders(&self, map: &[u16], bit_of_cell: &[u16]) -> bool {
        let bit = |cell: usize| bit_of_cell[cell];
        self.several.iter().all(|ways| {
            (0..map.len()).all(|from| {
                let mut targets: Vec<usize> = ways.targets(from).collect();
                targets.sort_by_key(|&cell| bit(cell));
                targets.is_sorted_by_key(|&cell| bit(map[cell].into()))
            })
        })
    }

    pub fn known(&self, look: &Node) -> PieceMask {
        self.known.get(&address(look)).copied().unwrap_or(PieceMask::MAX)
    }
}

fn address(node: &Node) -> usize {
    std::ptr::from_ref(node).addr()
}

/// The cells to which the keeper may have come since a modifier, by the cell of that modifier.
#[derive(Clone, PartialEq, Eq)]
struct Ways {
    cells: Relation,
    /// Cells that are not known but for being a single one: the place in the rules at which that was shown.
    single: Option<usize>,
    /// Whether nothing is known.
    any: bool,
}

impl Ways {
    fn is_function(&self) -> bool {
        !self.any && if self.single.is_some() { self.cells.is_empty() } else { self.cells.is_function() }
    }

    fn join(&mut self, other: &Self) {
        self.cells.union(&other.cells);
        self.any |= other.any || (self.single.is_some() && other.single.is_some() && self.single != other.single);
        self.single = self.single.or(other.single);
    }
}

/// What may be true at a place in the rules.
#[derive(Clone, PartialEq, Eq)]
struct State {
    /// Whether a player chooses here.
    player: bool,
    /// The ways of the keeper to this place, by the number of the last modifier; 0 at the start of the game.
    keeper: Vec<(u32, Ways)>,
    /// The pieces that can be on the current cell.
    known: PieceMask,
}

impl State {
    const NOWHERE: Self = Self { player: false, keeper: Vec::new(), known: 0 };

    fn join(&mut self, other: &Self) {
        self.player |= other.player;
        self.known |= other.known;
        for (origin, ways) in &other.keeper {
            match self.keeper.iter_mut().find(|mine| mine.0 == *origin) {
                Some(mine) => mine.1.join(ways),
                None => self.keeper.push((*origin, ways.clone())),
            }
        }
    }
}

struct Flow<'a> {
    subject: &'a Subject<'a>,
    choices: Choices,
    /// The number of each modifier in moves.
    indices: HashMap<usize, u32>,
    /// Relations of rules of shifts.
    relations: HashMap<usize, Relation>,
    budget: &'a mut u64,
}

/// The marks; `None` if it cannot be told between which cells the keeper chooses.
pub(super) fn choices(subject: &Subject, budget: &mut u64) -> Option<Choices> {
    let mut indices = HashMap::new();
    number(subject.rules, &mut indices);
    let mut flow = Flow { subject, choices: Choices::default(), indices, relations: HashMap::new(), budget };
    let cells = subject.board.cells.len();
    let start = Ways { cells: Relation::identity(cells), single: None, any: false };
    flow.follow(subject.rules, State { player: false, keeper: vec![(0, start)], known: PieceMask::MAX })?;
    Some(flow.choices)
}

/// Numbers the modifiers as moves do.
fn number(node: &Node, indices: &mut HashMap<usize, u32>) {
    match node {
        Node::Sequence(parts) | Node::Sum(parts) => parts.iter().for_each(|part| number(part, indices)),
        Node::Star(part) => number(part, indices),
        Node::Put(_) | Node::Assign(..) | Node::Player(_) | Node::Keeper => {
            let next = indices.len() as u32 + 1;
            indices.insert(address(node), next);
        }
        _ => {}
    }
}

impl Flow<'_> {
    /// The state behind a part of the rules.
    fn follow(&mut self, node: &Node, mut state: State) -> Option<State> {
        let words: usize = state.keeper.iter().map(|(_, ways)| ways.cells.size()).sum();
        if words > STATE {
            return None;
        }
        spend(self.budget, 10 + words)?;
        if is_static(node) {
            return self.shift(node, state);
        }
        match node {
            Node::Sequence(parts) => {
                let mut place = 0;
                while let Some(part) = parts.get(place) {
                    state = match (part, parts.get(place + 1)) {
                        (Node::Star(again), Some(Node::Look { negated: true, rules }))
                            if again == rules && !is_static(part) =>
                        {
                            place += 1;
                            self.farthest(part, again, state)?
                        }
                        _ => self.follow(part, state)?,
                    };
                    place += 1;
                }
                Some(state)
            }
            Node::Sum(parts) => {
                if !state.keeper.is_empty() {
                    self.choices.ordered.insert(address(node));
                }
                let mut all = State::NOWHERE;
                for part in parts {
                    all.join(&self.follow(part, state.clone())?);
                }
                Some(all)
            }
            Node::Star(part) => {
                for _ in 0..30 {
                    let mut next = state.clone();
                    next.join(&self.follow(part, state.clone())?);
                    if next == state {
                        return Some(state);
                    }
                    state = next;
                }
                None
            }
            Node::On(mask) => {
                state.known &= mask;
                Some(state)
            }
            Node::Look { .. } => {
                *self.choices.known.entry(address(node)).or_insert(0) |= state.known;
                Some(state)
            }
            Node::Compare(..) => Some(state),
            Node::Put(_) | Node::Assign(..) | Node::Player(_) | Node::Keeper => self.modify(node, state),
            // It is made of shifts.
            Node::Shift(_) => self.shift(node, state),
        }
    }

    fn shift(&mut self, node: &Node, mut state: State) -> Option<State> {
        if !self.relations.contains_key(&address(node)) {
            let relation = relation(node, self.subject.board, self.budget)?;
            self.relations.insert(address(node), relation);
        }
        let relation = &self.relations[&address(node)];
        if !matches!(node, Node::Look { .. }) {
            state.known = PieceMask::MAX;
        }
        for (_, ways) in &mut state.keeper {
            ways.cells = ways.cells.then(relation, self.budget)?;
            if ways.single.is_some() {
                ways.any |= !relation.is_function();
                // A place of its own for every action.
                ways.single = Some(address(node));
            }
        }
        Some(state)
    }

    /// As many steps as there can be: one cell, if every step leads to one cell.
    fn farthest(&mut self, star: &Node, step: &Node, state: State) -> Option<State> {
        let identity = Relation::identity(self.subject.board.cells.len());
        let here = Ways { cells: identity, single: None, any: false };
        let once = State { player: false, keeper: vec![(u32::MAX, here)], known: PieceMask::MAX };
        let one = !modifies(step)
            && matches!(&self.follow(step, once)?.keeper[..], [(_, ways)] if ways.is_function() && ways.single.is_none());
        let functions: Vec<bool> = state.keeper.iter().map(|(_, ways)| ways.is_function()).collect();
        let mut state = self.follow(star, state)?;
        for ((_, ways), function) in state.keeper.iter_mut().zip(functions) {
            if one && function {
                let cells = Relation::empty(self.subject.board.cells.len());
                *ways = Ways { cells, single: Some(address(star)), any: false };
            }
        }
        state.known = PieceMask::MAX;
        Some(state)
    }

    fn modify(&mut self, node: &Node, mut state: State) -> Option<State> {
        let index = self.indices[&address(node)];
        let modifier = usize::from(self.subject.modifiers[index as usize - 1]);
        let anywhere = !matches!(node, Node::Put(_)) && !self.subject.uses_cell[modifier];
        let keeper = std::mem::take(&mut state.keeper);
        for (origin, ways) in &keeper {
            if *origin == 0 || anywhere || ways.is_function() {
                continue;
            }
            if ways.any || ways.single.is_some() || self.choices.several.len() > 20 {
                return None;
            }
            if !self.choices.several.contains(&ways.cells) {
                self.choices.several.push(ways.cells.clone());
            }
        }
        if let Node::Put(piece) = node {
            state.known = 1 << piece;
        }
        let goes_on = match node {
            Node::Player(_) => false,
            Node::Keeper => true,
            _ => !keeper.is_empty(),
        };
        match node {
            Node::Player(_) => state.player = true,
            Node::Keeper => state.player = false,
            _ => {}
        }
        if goes_on {
            let cells = Relation::identity(self.subject.board.cells.len());
            state.keeper.push((index, Ways { cells, single: None, any: false }));
        }
        Some(state)
    }
}

/// Whether rules change anything, look-aheads aside.
pub(super) fn modifies(node: &Node) -> bool {
    match node {
        Node::Sequence(parts) | Node::Sum(parts) => parts.iter().any(modifies),
        Node::Star(part) => modifies(part),
        Node::Put(_) | Node::Assign(..) | Node::Player(_) | Node::Keeper => true,
        _ => false,
    }
}

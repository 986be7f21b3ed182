//! The rules as an automaton: states, and edges with one action each.

use std::collections::HashMap;

use super::syntax::{Arithmetic, Comparison, Node, PieceMask};

pub(super) type State = u32;

/// What an edge asks for or does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Label {
    Pass,
    Shift(u8),
    On(PieceMask),
    /// A look-ahead by its number.
    Look(u16, bool),
    /// A comparison by its number.
    Compare(u16),
    /// A modifier by its number.
    Modify(u16),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub label: Label,
    pub to: State,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    Put(u8),
    Assign(u8, Arithmetic),
    Player(u8),
    Keeper,
}

impl Effect {
    pub fn is_switch(&self) -> bool {
        matches!(self, Self::Player(_) | Self::Keeper)
    }
}

#[derive(Clone, Debug)]
pub(super) struct Modifier {
    pub effect: Effect,
    /// Its number in moves, counted from 1; 0 inside of look-aheads.
    pub index: u32,
    /// The state after it.
    pub target: State,
}

/// A look-ahead, which has states of its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    pub start: State,
    pub end: State,
    /// Whether it changes something on its way, to be undone.
    pub modifies: bool,
}

#[derive(Default)]
pub(super) struct Automaton {
    pub edges: Vec<Vec<Edge>>,
    pub modifiers: Vec<Modifier>,
    pub looks: Vec<Look>,
    pub comparisons: Vec<(Comparison, Arithmetic, Arithmetic)>,
    pub start: State,
    known_looks: HashMap<Node, u16>,
    known_comparisons: HashMap<Node, u16>,
    looking: usize,
    /// Whether the look-ahead at hand has a modifier of its own.
    modified: bool,
    index: u32,
}

impl Automaton {
    /// `None` if there are too many look-aheads, comparisons or modifiers to number them.
    pub fn new(rules: &Node) -> Option<Self> {
        let mut automaton = Self::default();
        automaton.start = automaton.state();
        automaton.build(rules, 0)?;
        automaton.known_looks.clear();
        automaton.known_comparisons.clear();
        Some(automaton)
    }

    fn state(&mut self) -> State {
        self.edges.push(Vec::new());
        (self.edges.len() - 1) as State
    }

    fn edge(&mut self, from: State, label: Label) -> State {
        let to = self.state();
        self.edges[from as usize].push(Edge { label, to });
        to
    }

    /// Adds `node` behind the state `from` and returns the state behind it.
    fn build(&mut self, node: &Node, from: State) -> Option<State> {
        Some(match node {
            Node::Sequence(parts) => {
                let mut at = from;
                for part in parts {
                    at = self.build(part, at)?;
                }
                at
            }
            Node::Sum(parts) => {
                let join = self.state();
                for part in parts {
                    let end = self.build(part, from)?;
                    self.edges[end as usize].push(Edge { label: Label::Pass, to: join });
                }
                join
            }
            Node::Star(part) => {
                let hub = self.edge(from, Label::Pass);
                let end = self.build(part, hub)?;
                self.edges[end as usize].push(Edge { label: Label::Pass, to: hub });
                self.edge(hub, Label::Pass)
            }
            Node::Shift(direction) => self.edge(from, Label::Shift(*direction)),
            Node::On(mask) => self.edge(from, Label::On(*mask)),
            Node::Put(piece) => self.modify(from, Effect::Put(*piece))?,
            Node::Assign(variable, value) => self.modify(from, Effect::Assign(*variable, value.clone()))?,
            Node::Player(player) => self.modify(from, Effect::Player(*player))?,
            Node::Keeper => self.modify(from, Effect::Keeper)?,
            Node::Compare(comparison, left, right) => {
                let number = match self.known_comparisons.get(node) {
                    Some(&number) => number,
                    None => {
                        let number = u16::try_from(self.comparisons.len()).ok()?;
                        self.comparisons.push((*comparison, left.clone(), right.clone()));
                        self.known_comparisons.insert(node.clone(), number);
                        number
                    }
                };
                self.edge(from, Label::Compare(number))
            }
            Node::Look { negated, rules } => {
                let number = match self.known_looks.get(rules.as_ref()) {
                    Some(&number) => number,
                    None => {
                        self.looking += 1;
                        let outside = std::mem::replace(&mut self.modified, false);
                        let start = self.state();
                        let end = self.build(rules, start)?;
                        self.looking -= 1;
                        let number = u16::try_from(self.looks.len()).ok()?;
                        let modifies = std::mem::replace(&mut self.modified, outside);
                        self.looks.push(Look { start, end, modifies });
                        self.known_looks.insert(rules.as_ref().clone(), number);
                        number
                    }
                };
                self.edge(from, Label::Look(number, *negated))
            }
        })
    }

    fn modify(&mut self, from: State, effect: Effect) -> Option<State> {
        let number = u16::try_from(self.modifiers.len()).ok()?;
        let mut index = 0;
        self.modified = true;
        if self.looking == 0 {
            self.index += 1;
            index = self.index;
        }
        let to = self.edge(from, Label::Modify(number));
        self.modifiers.push(Modifier { effect, index, target: to });
        Some(to)
    }
}

//! The rules in a form that can be compared with their images: what has no order is sorted.

use std::collections::HashMap;

use super::super::syntax::{Node, PieceMask};
use super::cubes::{self, Cubes, Reader};
use super::flow::{Choices, modifies};
use super::relation::{Relation, is_static, relation};
use super::{Subject, spend};

/// A part of the rules.
enum Part {
    /// Rules of shifts, by the place of their relation.
    Shifts(usize),
    /// A look-ahead by what it asks for at each cell.
    Asks(usize, bool),
    Look(bool, Box<Part>),
    /// What a map of the cells does not change; the number of a modifier in moves, 0 in look-aheads.
    Fixed(u32, u32),
    /// Tests at one cell: their order does not matter.
    Tests(Vec<Part>),
    Sequence(Vec<Part>),
    /// Alternatives that come in an order, and the others.
    Sum(Vec<Part>, Vec<Part>),
    Star(Box<Part>),
}

/// A part by the numbers of its parts: equal numbers, equal parts.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Form {
    Shifts(u32),
    Asks(u32, bool),
    Look(bool, u32),
    Fixed(u32),
    Tests(Vec<u32>),
    Sequence(Vec<u32>),
    Sum(Vec<u32>, Vec<u32>),
    Star(u32),
}

/// The numbers of a part and of its parts, in the order of the rules.
struct Numbered {
    number: u32,
    parts: Vec<Numbered>,
}

/// The rules, numbered.
pub(super) struct Plan {
    root: Part,
    itself: Numbered,
    known: Known,
    modifiers: usize,
}

/// Everything that has a number. Numbers are never given twice.
#[derive(Default)]
struct Known {
    relations: Vec<Relation>,
    asks: Vec<Cubes>,
    relation_numbers: HashMap<Relation, u32>,
    ask_numbers: HashMap<Cubes, u32>,
    fixed: HashMap<Node, u32>,
    forms: HashMap<Form, u32>,
}

fn numbered<K: std::hash::Hash + Eq>(map: &mut HashMap<K, u32>, key: K) -> u32 {
    let next = map.len() as u32;
    *map.entry(key).or_insert(next)
}

struct Builder<'a> {
    subject: &'a Subject<'a>,
    choices: &'a Choices,
    known: Known,
    all: PieceMask,
    index: u32,
    looking: bool,
    budget: &'a mut u64,
}

impl Plan {
    pub fn new(subject: &Subject, choices: &Choices, budget: &mut u64) -> Option<Self> {
        let known = Known::default();
        let mut builder =
            Builder { subject, choices, known, all: subject.all_pieces, index: 0, looking: false, budget };
        let root = builder.part(subject.rules)?;
        let (mut known, modifiers) = (builder.known, builder.index as usize);
        let identity: Vec<u16> = (0..subject.board.cells.len() as u16).collect();
        let itself = known.turned(&root, &identity, budget)?;
        Some(Self { root, itself, known, modifiers })
    }

    /// Where a map of the cells takes the modifiers, as places in the list by their numbers, if it takes the rules to
    /// themselves; no answer if that takes too long to tell.
    pub fn image(&mut self, map: &[u16], budget: &mut u64) -> Option<Option<Vec<usize>>> {
        let turned = self.known.turned(&self.root, map, budget)?;
        if turned.number != self.itself.number {
            return Some(None);
        }
        let mut to = vec![usize::MAX; self.modifiers];
        pair(&self.root, &turned, &self.root, &self.itself, &mut to);
        Some(to.iter().all(|&to| to != usize::MAX).then_some(to))
    }
}

/// Pairs the modifiers of two parts of which one is the image of the other.
fn pair(from: &Part, turned: &Numbered, to: &Part, itself: &Numbered, modifiers: &mut [usize]) {
    match (from, to) {
        (Part::Fixed(_, from), Part::Fixed(_, to)) if *from > 0 && *to > 0 => {
            modifiers[*from as usize - 1] = *to as usize - 1;
        }
        (Part::Sequence(from), Part::Sequence(to)) => {
            for place in 0..from.len() {
                pair(&from[place], &turned.parts[place], &to[place], &itself.parts[place], modifiers);
            }
        }
        (Part::Star(from), Part::Star(to)) => pair(from, &turned.parts[0], to, &itself.parts[0], modifiers),
        (Part::Sum(first, from), Part::Sum(second, to)) => {
            let count = first.len();
            for place in 0..count {
                pair(&first[place], &turned.parts[place], &second[place], &itself.parts[place], modifiers);
            }
            let sorted = |numbered: &Numbered| {
                let mut places: Vec<usize> = (0..from.len()).collect();
                places.sort_by_key(|&place| numbered.parts[count + place].number);
                places
            };
            for (a, b) in sorted(turned).into_iter().zip(sorted(itself)) {
                pair(&from[a], &turned.parts[count + a], &to[b], &itself.parts[count + b], modifiers);
            }
        }
        // Tests and look-aheads have no modifiers of moves.
        _ => {}
    }
}

impl Known {
    /// The numbers of the image of a part.
    fn turned(&mut self, part: &Part, map: &[u16], budget: &mut u64) -> Option<Numbered> {
        spend(budget, 40)?;
        let mut all = |known: &mut Self, parts: &[Part]| {
            parts.iter().map(|part| known.turned(part, map, budget)).collect::<Option<Vec<_>>>()
        };
        let numbers = |parts: &[Numbered]| parts.iter().map(|part| part.number).collect::<Vec<_>>();
        let sorted = |parts: &[Numbered]| {
            let mut sorted = numbers(parts);
            sorted.sort_unstable();
            sorted
        };
        let (form, parts) = match part {
            Part::Shifts(place) => {
                let image = self.relations[*place].image(map, budget)?;
                (Form::Shifts(numbered(&mut self.relation_numbers, image)), Vec::new())
            }
            Part::Asks(place, negated) => {
                let image = cubes::image(&self.asks[*place], map, budget)?;
                (Form::Asks(numbered(&mut self.ask_numbers, image), *negated), Vec::new())
            }
            Part::Fixed(number, _) => (Form::Fixed(*number), Vec::new()),
            Part::Look(negated, inner) => {
                let inner = self.turned(inner, map, budget)?;
                (Form::Look(*negated, inner.number), vec![inner])
            }
            Part::Star(inner) => {
                let inner = self.turned(inner, map, budget)?;
                (Form::Star(inner.number), vec![inner])
            }
            Part::Tests(parts) => {
                let parts = all(self, parts)?;
                (Form::Tests(sorted(&parts)), parts)
            }
            Part::Sequence(parts) => {
                let parts = all(self, parts)?;
                (Form::Sequence(numbers(&parts)), parts)
            }
            Part::Sum(ordered, free) => {
                let mut parts = all(self, ordered)?;
                let free = all(self, free)?;
                let form = Form::Sum(numbers(&parts), sorted(&free));
                parts.extend(free);
                (form, parts)
            }
        };
        Some(Numbered { number: numbered(&mut self.forms, form), parts })
    }
}

impl Builder<'_> {
    fn shifts(&mut self, relation: Relation) -> Part {
        self.known.relations.push(relation);
        Part::Shifts(self.known.relations.len() - 1)
    }

    fn fixed(&mut self, node: &Node, index: u32) -> Part {
        let next = self.known.fixed.len() as u32;
        Part::Fixed(*self.known.fixed.entry(node.clone()).or_insert(next), index)
    }

    fn part(&mut self, node: &Node) -> Option<Part> {
        spend(self.budget, 100)?;
        if is_static(node) {
            let relation = relation(node, self.subject.board, self.budget)?;
            return Some(self.shifts(relation));
        }
        Some(match node {
            Node::Sequence(parts) => {
                let mut sequence = Vec::new();
                let mut rest = &parts[..];
                while let Some(first) = rest.first() {
                    let alike = |kind: fn(&Node) -> bool| rest.iter().take_while(|part| kind(part)).count();
                    let (shifts, tests) = (alike(is_static), alike(is_test));
                    if shifts > 0 {
                        let mut all = relation(first, self.subject.board, self.budget)?;
                        for part in &rest[1..shifts] {
                            all = all.then(&relation(part, self.subject.board, self.budget)?, self.budget)?;
                        }
                        sequence.push(self.shifts(all));
                        rest = &rest[shifts..];
                    } else if tests > 1 {
                        let tests: Option<Vec<Part>> = rest[..tests].iter().map(|test| self.part(test)).collect();
                        let tests = tests?;
                        rest = &rest[tests.len()..];
                        sequence.push(Part::Tests(tests));
                    } else {
                        sequence.push(self.part(first)?);
                        rest = &rest[1..];
                    }
                }
                Part::Sequence(sequence)
            }
            Node::Sum(parts) => {
                let keeps = |part: &Node| !self.looking && self.choices.is_ordered(node) && modifies(part);
                let keeps: Vec<bool> = parts.iter().map(keeps).collect();
                let (mut ordered, mut free) = (Vec::new(), Vec::new());
                let mut shifts: Option<Relation> = None;
                for (part, keeps) in parts.iter().zip(keeps) {
                    if is_static(part) {
                        let more = relation(part, self.subject.board, self.budget)?;
                        shifts.get_or_insert_with(|| Relation::empty(self.subject.board.cells.len())).union(&more);
                    } else if keeps {
                        ordered.push(self.part(part)?);
                    } else {
                        free.push(self.part(part)?);
                    }
                }
                if let Some(relation) = shifts {
                    free.push(self.shifts(relation));
                }
                Part::Sum(ordered, free)
            }
            Node::Star(part) => Part::Star(Box::new(self.part(part)?)),
            Node::Look { negated, rules } => {
                let known = if self.looking { PieceMask::MAX } else { self.choices.known(node) };
                let before = *self.budget;
                // What takes too long in this form may be short in the other one.
                let mut share = before / 8;
                let mut reader = Reader { board: self.subject.board, all: self.all, budget: &mut share };
                let cubes = reader.cubes(rules, known);
                *self.budget = before - (before / 8 - share);
                if let Some(cubes) = cubes {
                    self.known.asks.push(cubes);
                    return Some(Part::Asks(self.known.asks.len() - 1, *negated));
                }
                let outside = std::mem::replace(&mut self.looking, true);
                let inner = self.part(rules)?;
                self.looking = outside;
                Part::Look(*negated, Box::new(inner))
            }
            Node::Put(_) | Node::Assign(..) | Node::Player(_) | Node::Keeper if !self.looking => {
                self.index += 1;
                self.fixed(node, self.index)
            }
            node => self.fixed(node, 0),
        })
    }
}

/// Whether rules only ask for something on the current cell.
fn is_test(node: &Node) -> bool {
    matches!(node, Node::On(_) | Node::Look { .. } | Node::Compare(..))
}

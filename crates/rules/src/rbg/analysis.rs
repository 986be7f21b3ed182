//! What can be proven of a game from its rules alone: that no position comes back, that no game is drawn.
//!
//! Both look at the paths of the automaton as if every action could succeed, so that they err on the safe side.

use std::collections::{HashMap, HashSet};

use super::automaton::{Automaton, Effect, Label, State};
use super::syntax::{Arithmetic, Operator, PieceMask};

/// Abstract states that are looked at before giving up.
const MOST: usize = 30_000;

/// Something that only grows from move to move.
#[derive(Clone, Copy)]
enum Measure {
    /// The number of cells without this piece.
    Without(u8),
    /// The number of cells with this piece.
    With(u8),
    Variable(u8),
}

impl Measure {
    /// Whether a modifier makes the measure larger, if the piece on the current cell is one of `known`; `None` if it may
    /// make it smaller.
    fn grows(self, effect: &Effect, known: PieceMask) -> Option<bool> {
        match (self, effect) {
            (Self::Without(piece), Effect::Put(put)) if *put == piece => (known == 1 << piece).then_some(false),
            (Self::Without(piece), Effect::Put(_)) => Some(known == 1 << piece),
            (Self::With(piece), Effect::Put(put)) if *put == piece => Some(known >> piece & 1 == 0),
            (Self::With(piece), Effect::Put(_)) => (known >> piece & 1 == 0).then_some(false),
            (Self::Variable(variable), Effect::Assign(set, value)) if *set == variable => match value {
                Arithmetic::Operation(Operator::Add, left, right) => {
                    let more = right.constant().filter(|_| **left == Arithmetic::Variable(variable));
                    more.filter(|&more| more >= 0).map(|more| more > 0)
                }
                _ => None,
            },
            _ => Some(false),
        }
    }
}

/// An abstract state: where in the rules, and which pieces may be on the current cell.
type Place = (State, PieceMask);

/// Whether no position can come back: some measure grows with every round of the rules.
pub(super) fn never_repeats(automaton: &Automaton, pieces: usize, variables: usize) -> bool {
    let all = PieceMask::MAX >> (PieceMask::BITS as usize - pieces);
    // Edges between abstract states, with the modifier that they apply.
    let mut edges: Vec<Vec<(usize, Option<u16>)>> = Vec::new();
    let mut places: HashMap<Place, usize> = HashMap::from([((automaton.start, all), 0)]);
    let mut open: Vec<Place> = vec![(automaton.start, all)];
    let mut known: Vec<PieceMask> = Vec::new();
    let mut next = 0;
    while next < open.len() {
        let (state, mask) = open[next];
        next += 1;
        known.push(mask);
        let mut out = Vec::new();
        for edge in &automaton.edges[state as usize] {
            let (mask, modifier) = match edge.label {
                Label::Shift(_) => (all, None),
                Label::On(on) if on & mask == 0 => continue,
                Label::On(on) => (on & mask, None),
                Label::Modify(modifier) => match automaton.modifiers[usize::from(modifier)].effect {
                    Effect::Put(piece) => (1 << piece, Some(modifier)),
                    _ => (mask, Some(modifier)),
                },
                Label::Pass | Label::Look(..) | Label::Compare(_) => (mask, None),
            };
            let to = *places.entry((edge.to, mask)).or_insert_with(|| {
                open.push((edge.to, mask));
                open.len() - 1
            });
            out.push((to, modifier));
        }
        edges.push(out);
        if open.len() > MOST {
            return false;
        }
    }
    let measures = (0..pieces as u8).flat_map(|piece| [Measure::Without(piece), Measure::With(piece)]);
    let measures = measures.chain((0..variables as u8).map(Measure::Variable));
    measures.into_iter().any(|measure| {
        let mut rest: Vec<Vec<usize>> = vec![Vec::new(); edges.len()];
        let mut switches: Vec<usize> = Vec::new();
        for (from, out) in edges.iter().enumerate() {
            for &(to, modifier) in out {
                let effect = modifier.map(|modifier| &automaton.modifiers[usize::from(modifier)].effect);
                match effect.map_or(Some(false), |effect| measure.grows(effect, known[from])) {
                    Some(true) => {}
                    Some(false) => {
                        rest[from].push(to);
                        if matches!(effect, Some(Effect::Player(_))) {
                            switches.push(to);
                        }
                    }
                    None => return false,
                }
            }
        }
        without_cycles_through(&rest, &switches)
    })
}

/// Whether surely no cycle of the graph goes through one of `nodes`.
fn without_cycles_through(edges: &[Vec<usize>], nodes: &[usize]) -> bool {
    let mut backwards = vec![Vec::new(); edges.len()];
    for (from, out) in edges.iter().enumerate() {
        out.iter().for_each(|&to| backwards[to].push(from));
    }
    // What comes before all cycles leaves node by node, and so does what comes after; the rest is in a cycle or between.
    let mut left = vec![true; edges.len()];
    for (edges, backwards) in [(edges, &backwards[..]), (&backwards[..], edges)] {
        let mut into: Vec<usize> =
            backwards.iter().map(|into| into.iter().filter(|&&from| left[from]).count()).collect();
        let mut free: Vec<usize> = (0..edges.len()).filter(|&node| left[node] && into[node] == 0).collect();
        while let Some(node) = free.pop() {
            left[node] = false;
            for &to in edges[node].iter().filter(|&&to| left[to]) {
                into[to] -= 1;
                if into[to] == 0 {
                    free.push(to);
                }
            }
        }
    }
    nodes.iter().all(|&node| !left[node])
}

/// Whether no game can end with equal scores, once a first move was possible with `scores` from behind the switch `from`.
/// `goes_on` says of each modifier whether a switch always follows behind it.
pub(super) fn never_draws(automaton: &Automaton, goes_on: &[bool], from: State, scores: [i32; 2]) -> bool {
    // A keeper that might go on for ever is stopped with a draw.
    let mut keeper = vec![Vec::new(); automaton.edges.len()];
    let mut targets = Vec::new();
    for (state, edges) in automaton.edges.iter().enumerate() {
        for edge in edges {
            let modifier = match edge.label {
                Label::Modify(modifier) => Some(&automaton.modifiers[usize::from(modifier)].effect),
                _ => None,
            };
            if !matches!(modifier, Some(Effect::Player(_))) {
                keeper[state].push(edge.to as usize);
                if modifier.is_some() {
                    targets.push(edge.to as usize);
                }
            }
        }
    }
    if !without_cycles_through(&keeper, &targets) {
        return false;
    }
    let first = (from, [i64::from(scores[0]), i64::from(scores[1])]);
    let mut seen = HashSet::from([first]);
    let mut open = vec![first];
    while let Some((state, scores)) = open.pop() {
        for edge in &automaton.edges[state as usize] {
            let mut scores = scores;
            if let Label::Modify(modifier) = edge.label {
                match &automaton.modifiers[usize::from(modifier)].effect {
                    Effect::Assign(variable, value) if *variable < 2 => match value.constant() {
                        Some(value) => scores[usize::from(*variable)] = value,
                        None => return false,
                    },
                    // The game may end behind any switch, but where the keeper always finds a way on.
                    Effect::Player(_) if scores[0] == scores[1] => return false,
                    Effect::Keeper if scores[0] == scores[1] && !goes_on[usize::from(modifier)] => return false,
                    _ => {}
                }
            }
            if seen.insert((edge.to, scores)) {
                if seen.len() > MOST {
                    return false;
                }
                open.push((edge.to, scores));
            }
        }
    }
    true
}

//! A proof that no position comes back: a counter of steps.

use std::collections::HashMap;

use super::ground::Ground;
use super::simplify::{Simple, Value};
use super::syntax::Kind;

/// Facts of which each position has exactly one, always a later one than the position before, and the last of which ends
/// the game.
///
/// One fact of the chain is true at the start. Every other one comes after its predecessor and never otherwise, so that
/// exactly one is true at any time.
pub(super) fn counter(ground: &Ground, simple: &Simple) -> Option<Vec<u32>> {
    let kind = |atom: u32| ground.names.kind(ground.atoms.head(atom));
    let find = |kind: Kind, of: u32| {
        let predicate = (0u32..).zip(&ground.names.predicates).find(|(_, info)| info.kind == kind)?.0;
        ground.atoms.find(predicate, ground.atoms.arguments(of))
    };
    // What follows from a fact alone.
    let (mut follows, mut ends): (HashMap<u32, Vec<u32>>, Vec<u32>) = Default::default();
    let mut rules: HashMap<u32, Vec<usize>> = HashMap::new();
    for (place, &(head, ..)) in simple.instances.iter().enumerate() {
        rules.entry(head).or_default().push(place);
        let &[literal] = simple.literals(place) else { continue };
        if literal % 2 == 0 && kind(literal / 2) == Kind::True {
            match kind(head) {
                Kind::Next => follows.entry(literal / 2).or_default().push(head),
                Kind::Terminal => ends.push(literal / 2),
                _ => {}
            }
        }
    }
    let made_by = |fact: u32| match find(Kind::Next, fact) {
        None => Some(&[][..]),
        Some(next) => match simple.values[next as usize] {
            Value::Never => Some(&[][..]),
            Value::Always => None,
            Value::Open => Some(rules.get(&next).map_or(&[][..], |rules| &rules[..])),
        },
    };
    let chain_from = |first: u32| {
        let mut chain = vec![first];
        if !made_by(first)?.is_empty() {
            return None;
        }
        let mut last = first;
        while !ends.contains(&last) {
            let next = follows.get(&last)?.iter().filter_map(|&next| find(Kind::True, next));
            let mut next = next.filter(|fact| !ground.start.contains(fact) && !chain.contains(fact));
            last = next.find(|&fact| {
                let only = |rule: &usize| simple.literals(*rule).contains(&(last * 2));
                made_by(fact).is_some_and(|rules| rules.iter().all(only))
            })?;
            chain.push(last);
        }
        Some(chain)
    };
    let matters = |fact: &&u32| simple.needed[**fact as usize];
    ground.start.iter().filter(matters).take(200).find_map(|&fact| chain_from(fact))
}

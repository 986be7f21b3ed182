//! Rules asked only for what is needed.
//!
//! A predicate such as `(count ?row ?so_far ?total)` may hold for very many values, of which other rules only ask for few:
//! `(count 1 0 ?total)`. Here every predicate gets another one, its demand, which says what is asked for, and every rule
//! the demand for its head as a further condition. The idea is known as magic sets.

use super::syntax::{Atom, Kind, Literal, Names, Pattern, Rule, mask};

/// Rules with demands; `dynamic` says which predicates depend on the position or on moves.
pub(super) fn demand(names: &mut Names, rules: Vec<Rule>, dynamic: &mut Vec<bool>) -> Vec<Rule> {
    let asked = asked(names, &rules, dynamic);
    let mut demands = vec![None; asked.len()];
    for (predicate, places) in asked.iter().enumerate().filter(|(_, places)| !places.is_empty()) {
        let name = names.predicates[predicate].name.clone();
        demands[predicate] = Some(names.demand(&name, places.len()));
        dynamic.push(true);
    }
    let of = |atom: &Atom| {
        let predicate = demands[atom.predicate as usize]?;
        let places = &asked[atom.predicate as usize];
        Some(Atom { predicate, arguments: places.iter().map(|&place| atom.arguments[place].clone()).collect() })
    };
    let mut done: Vec<Rule> = Vec::new();
    for rule in rules {
        let mut body: Vec<Literal> = of(&rule.head).map(Literal::Is).into_iter().collect();
        let positive: Vec<Literal> =
            body.iter().chain(&rule.body).filter(|literal| matches!(literal, Literal::Is(_))).cloned().collect();
        for literal in rule.body {
            if let Some(head) = literal.atom().and_then(of) {
                // All that a not asks for is known in the end, what other conditions ask for is known by then.
                let before = if matches!(literal, Literal::Not(_)) { &positive } else { &body };
                let known = known(before);
                let before = before.iter().filter(|literal| literal.mask() & !known == 0).cloned();
                let asks = Rule { head, body: before.collect(), at: rule.at };
                if !asks.body.contains(&Literal::Is(asks.head.clone())) {
                    done.push(asks);
                }
            }
            body.push(literal);
        }
        done.push(Rule { head: rule.head, body, at: rule.at });
    }
    done
}

fn known(body: &[Literal]) -> u128 {
    body.iter().filter(|literal| matches!(literal, Literal::Is(_))).fold(0, |mask, literal| mask | literal.mask())
}

/// For each predicate the arguments that are known wherever a rule asks for it.
fn asked(names: &Names, rules: &[Rule], dynamic: &[bool]) -> Vec<Vec<usize>> {
    let own =
        |predicate: usize| dynamic[predicate] && matches!(names.predicates[predicate].kind, Kind::Own | Kind::Split);
    let all = |predicate: usize| if own(predicate) { (0..names.predicates[predicate].arity).collect() } else { vec![] };
    let mut asked: Vec<Vec<usize>> = (0..names.predicates.len()).map(all).collect();
    // A chain of rules could make this long, and demands are no more than a help.
    for _ in 0..100 {
        let mut changed = false;
        for rule in rules {
            let places = &asked[rule.head.predicate as usize];
            let mut bound = places.iter().fold(0, |all, &place| all | mask(&rule.head.arguments[place..=place]));
            for literal in &rule.body {
                let Literal::Is(atom) = literal else { continue };
                let places = &mut asked[atom.predicate as usize];
                let before = places.len();
                places.retain(|&place| {
                    let argument: &[Pattern] = &atom.arguments[place..=place];
                    mask(argument) & !bound == 0
                });
                changed |= places.len() < before;
                bound |= literal.mask();
            }
        }
        if !changed {
            return asked;
        }
    }
    vec![Vec::new(); names.predicates.len()]
}

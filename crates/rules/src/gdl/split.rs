//! Rules with many variables split into several with few.
//!
//! A variable that the head does not have only asks whether there is a value. What is said about it becomes a predicate
//! of its own, without the variable; otherwise the rule would be written out for every pair of a value and of all else.

use super::parser::bits;
use super::syntax::{Atom, Kind, Literal, Names, Pattern, Predicate, Rule, mask};

/// Splits rules; `dynamic` says which predicates depend on the position or on moves.
pub(super) fn split(names: &mut Names, rules: Vec<Rule>, dynamic: &mut Vec<bool>) -> Vec<Rule> {
    let mut done = Vec::with_capacity(rules.len());
    let mut waiting = rules;
    waiting.reverse();
    // Splitting is no more than a help: rules that are made to be hard to split stay as they are.
    let mut budget = 20_000_000u64;
    while let Some(rule) = waiting.pop() {
        let variables = rule.body.iter().fold(0, |mask, literal| mask | literal.mask()).count_ones();
        let work = 6 * u64::from(variables) * rule.body.len() as u64 * rule.body.len() as u64;
        if !dynamic[rule.head.predicate as usize] || work > budget {
            done.push(rule);
            continue;
        }
        budget -= work;
        match part(names, &rule, dynamic) {
            None => done.push(rule),
            Some(part) => {
                let of = names.predicates[rule.head.predicate as usize].name.clone();
                let of = of.trim_start_matches("part of ").to_string();
                let arguments: Vec<Pattern> = bits(part.kept).map(Pattern::Variable).collect();
                let predicate = names.split(&of, arguments.len(), rule.at);
                dynamic.push(true);
                let head = Atom { predicate, arguments };
                // Variables that only the rest says something about: what they can stand for is known while variables are
                // replaced, and no condition of the rules that come out of that.
                let mut body = part.body;
                for (condition, variables) in part.domains {
                    let arguments: Vec<Pattern> = bits(variables).map(Pattern::Variable).collect();
                    let predicate = names.demand(&of, arguments.len());
                    dynamic.push(true);
                    let domain = Atom { predicate, arguments };
                    done.push(Rule { head: domain.clone(), body: vec![condition], at: rule.at });
                    body.push(Literal::Is(domain));
                }
                let mut rest = part.rest;
                rest.push(Literal::Is(head.clone()));
                waiting.push(Rule { head: rule.head, body: rest, at: rule.at });
                waiting.push(Rule { head, body, at: rule.at });
            }
        }
    }
    done
}

struct Part {
    body: Vec<Literal>,
    rest: Vec<Literal>,
    /// Variables that both have.
    kept: u128,
    /// Conditions of the rest, each with variables that nothing in the part says what they stand for.
    domains: Vec<(Literal, u128)>,
}

/// Whether a condition stays one once variables are replaced.
fn is_dynamic(names: &Names, literal: &Literal, dynamic: &[bool]) -> bool {
    let stays = |atom: &Atom| dynamic[atom.predicate as usize] && names.kind(atom.predicate) != Kind::Demand;
    literal.atom().is_some_and(stays)
}

/// The part of a rule that is worth a predicate of its own.
fn part(names: &Names, rule: &Rule, dynamic: &[bool]) -> Option<Part> {
    let head = mask(&rule.head.arguments);
    let all = rule.body.iter().fold(head, |mask, literal| mask | literal.mask());
    let local = all & !head;
    if local == 0 || rule.body.iter().filter(|literal| is_dynamic(names, literal, dynamic)).count() < 2 {
        return None;
    }
    let mut best: Option<(u32, u32, Part)> = None;
    for variable in bits(local) {
        for connected in [true, false] {
            let Some(part) = around(names, rule, variable, local, connected, dynamic) else { continue };
            let width = part.body.iter().fold(0, |mask, literal| mask | literal.mask());
            if width == all {
                continue;
            }
            let rank = (part.kept.count_ones(), width.count_ones());
            if best.as_ref().is_none_or(|(kept, width, _)| rank < (*kept, *width)) {
                best = Some((rank.0, rank.1, part));
            }
        }
    }
    best.map(|best| best.2)
}

/// What a rule says about a variable, and perhaps about all that are connected with it.
fn around(names: &Names, rule: &Rule, variable: u16, local: u128, connected: bool, dynamic: &[bool]) -> Option<Part> {
    let mut wanted = 1u128 << variable;
    loop {
        let touched = rule.body.iter().map(Literal::mask).filter(|mask| mask & wanted != 0);
        let touched = touched.fold(0, |all, mask| all | mask) & local;
        if !connected || touched == wanted {
            break;
        }
        wanted = touched;
    }
    let (inside, outside): (Vec<&Literal>, Vec<&Literal>) =
        rule.body.iter().partition(|literal| literal.mask() & wanted != 0);
    let width = inside.iter().fold(0, |mask, literal| mask | literal.mask());
    // What filters without a variable of its own may be asked early as well.
    let filters = |literal: &&Literal| {
        let still = !is_dynamic(names, literal, dynamic);
        still && literal.mask() & !width == 0 && literal.mask() != 0
    };
    let extra: Vec<&Literal> = outside.iter().copied().filter(filters).collect();
    let body: Vec<Literal> = inside.into_iter().chain(extra).cloned().collect();
    let rest: Vec<Literal> = outside.into_iter().cloned().collect();
    let some = |literals: &[Literal]| literals.iter().any(|literal| is_dynamic(names, literal, dynamic));
    if !some(&body) || !some(&rest) {
        return None;
    }
    let elsewhere = rest.iter().fold(mask(&rule.head.arguments), |mask, literal| mask | literal.mask());
    let kept = width & elsewhere;
    // The part must say what its variables stand for, perhaps with domains, and the rest must do so with its help.
    let (mut domains, mut open) = (Vec::new(), width & !bound(&body));
    while open != 0 {
        let says = |literal: &&Literal| matches!(literal, Literal::Is(_)) && literal.mask() & open != 0;
        let condition = rest.iter().filter(says).max_by_key(|literal| (literal.mask() & open).count_ones())?;
        domains.push((condition.clone(), condition.mask() & open));
        open &= !condition.mask();
    }
    let rest_bound = rest.iter().filter(|l| matches!(l, Literal::Is(_))).fold(kept, |mask, l| mask | l.mask());
    (elsewhere & !rest_bound == 0).then_some(Part { body, rest, kept, domains })
}

fn bound(body: &[Literal]) -> u128 {
    body.iter().filter(|literal| matches!(literal, Literal::Is(_))).fold(0, |mask, literal| mask | literal.mask())
}

/// Which predicates depend on the position or on moves, and which are of any use.
pub(super) fn dependence(names: &Names, rules: &[Rule]) -> (Vec<bool>, Vec<bool>) {
    let count = names.predicates.len();
    let kind = |predicate: Predicate| names.kind(predicate);
    let moving =
        |kind: Kind| matches!(kind, Kind::True | Kind::Does | Kind::Next | Kind::Legal | Kind::Goal | Kind::Terminal);
    let mut dynamic: Vec<bool> = (0..count as u32).map(|predicate| moving(kind(predicate))).collect();
    let wanted = |kind: Kind| matches!(kind, Kind::Role | Kind::Init) || moving(kind);
    let mut useful: Vec<bool> = (0..count as u32).map(|predicate| wanted(kind(predicate))).collect();
    // Both go from rule to rule until nothing changes; a graph would be quicker, but there are few rules.
    let mut pairs = Vec::new();
    for rule in rules {
        let head = rule.head.predicate;
        pairs.extend(rule.body.iter().filter_map(|l| l.atom()).map(|atom| (head, atom.predicate)));
    }
    pairs.sort_unstable();
    pairs.dedup();
    let reversed: Vec<(u32, u32)> = pairs.iter().map(|&(head, body)| (body, head)).collect();
    spread(&mut useful, &super::strata::rows(count, &pairs));
    spread(&mut dynamic, &super::strata::rows(count, &reversed));
    (dynamic, useful)
}

fn spread(marks: &mut [bool], (starts, targets): &(Vec<u32>, Vec<u32>)) {
    let mut waiting: Vec<u32> = (0..marks.len() as u32).filter(|&place| marks[place as usize]).collect();
    while let Some(place) = waiting.pop() {
        let place = place as usize;
        for &target in &targets[starts[place] as usize..starts[place + 1] as usize] {
            if !std::mem::replace(&mut marks[target as usize], true) {
                waiting.push(target);
            }
        }
    }
}

//! Rules without variables made fewer: constants worked out, copies and names for one thing removed.

use super::ground::Ground;
use super::intern::hash;
use super::strata::rows;
use super::syntax::Kind;

/// What is known of a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Never,
    Always,
    Open,
}

/// The rules that are left.
pub(super) struct Simple {
    pub values: Vec<Value>,
    /// Facts whose truth matters.
    pub needed: Vec<bool>,
    /// Instances: head, where the literals begin, place in the text. Literals are sorted, each there once.
    pub instances: Vec<(u32, u32, u32)>,
    pub literals: Vec<u32>,
}

impl Simple {
    pub fn literals(&self, instance: usize) -> &[u32] {
        let end = self.instances.get(instance + 1).map_or(self.literals.len(), |next| next.1 as usize);
        &self.literals[self.instances[instance].1 as usize..end]
    }
}

fn kind(ground: &Ground, atom: u32) -> Kind {
    ground.names.kind(ground.atoms.head(atom))
}

/// Whether a fact is set from outside, and not by rules.
fn is_input(ground: &Ground, atom: u32) -> bool {
    matches!(kind(ground, atom), Kind::True | Kind::Does)
}

/// Simplifies the rules; with `all`, what says nothing about moves and results is kept as well.
pub(super) fn simplify(ground: &Ground, all: bool) -> Simple {
    let values = constants(ground);
    let needed = needed(ground, &values, all);
    let same_as = names_for_one_thing(ground, &values, &needed);
    let mut keyed: Vec<(u32, u64, u32)> = Vec::new();
    let mut bodies: Vec<u32> = Vec::new();
    let mut ends: Vec<(u32, u32)> = Vec::new();
    for instance in 0..ground.heads.len() {
        let head = ground.heads[instance];
        if !needed[head as usize] || values[head as usize] != Value::Open || same_as[head as usize] != head {
            continue;
        }
        let start = bodies.len();
        let mut dead = false;
        for &literal in body(ground, instance) {
            let (atom, not) = (literal / 2, literal & 1);
            match (values[atom as usize], not) {
                (Value::Never, 0) | (Value::Always, 1) => dead = true,
                (Value::Open, _) => bodies.push(same_as[atom as usize] * 2 + not),
                _ => {}
            }
        }
        bodies[start..].sort_unstable();
        let mut end = start;
        for place in start..bodies.len() {
            if end == start || bodies[place] != bodies[end - 1] {
                bodies[end] = bodies[place];
                end += 1;
            }
        }
        bodies.truncate(end);
        // Sorted, a fact and its negation are neighbours.
        dead |= bodies[start..].windows(2).any(|pair| pair[0] / 2 == pair[1] / 2);
        dead |= bodies[start..].contains(&(head * 2));
        if dead {
            bodies.truncate(start);
            continue;
        }
        keyed.push((head, hash(0, &bodies[start..]), ends.len() as u32));
        ends.push((start as u32, instance as u32));
    }
    keyed.sort_unstable();
    let range = |place: usize| ends[place].0 as usize..ends.get(place + 1).map_or(bodies.len(), |next| next.0 as usize);
    keyed.dedup_by(|a, b| (a.0, a.1) == (b.0, b.1) && bodies[range(a.2 as usize)] == bodies[range(b.2 as usize)]);
    let (mut instances, mut literals) = (Vec::with_capacity(keyed.len()), Vec::new());
    for (head, _, place) in keyed {
        instances.push((head, literals.len() as u32, ground.places[ends[place as usize].1 as usize]));
        literals.extend_from_slice(&bodies[range(place as usize)]);
    }
    Simple { values, needed, instances, literals }
}

fn body(ground: &Ground, instance: usize) -> &[u32] {
    &ground.literals[ground.starts[instance] as usize..ground.starts[instance + 1] as usize]
}

/// Which facts are always true, and which never.
fn constants(ground: &Ground) -> Vec<Value> {
    let atoms = ground.atoms.len();
    let mut values = vec![Value::Open; atoms];
    // How many conditions of each instance are open; an instance that cannot apply has none left to lose.
    const DEAD: u32 = u32::MAX;
    let mut open: Vec<u32> = (0..ground.heads.len()).map(|instance| body(ground, instance).len() as u32).collect();
    let mut ways = vec![0u32; atoms];
    ground.heads.iter().for_each(|&head| ways[head as usize] += 1);
    let mut pairs = Vec::with_capacity(ground.literals.len());
    for instance in 0..ground.heads.len() {
        pairs.extend(body(ground, instance).iter().map(|&literal| (literal, instance as u32)));
    }
    let (starts, uses) = rows(atoms * 2, &pairs);
    drop(pairs);
    let mut waiting = Vec::new();
    for atom in 0..atoms as u32 {
        if !is_input(ground, atom) && ways[atom as usize] == 0
            || is_input(ground, atom) && !ground.possible[atom as usize]
        {
            values[atom as usize] = Value::Never;
            waiting.push(atom);
        }
    }
    for (&open, &head) in open.iter().zip(&ground.heads) {
        if open == 0 && values[head as usize] == Value::Open {
            values[head as usize] = Value::Always;
            waiting.push(head);
        }
    }
    while let Some(atom) = waiting.pop() {
        let holds = values[atom as usize] == Value::Always;
        for not in [false, true] {
            let literal = atom as usize * 2 + usize::from(not);
            for &instance in &uses[starts[literal] as usize..starts[literal + 1] as usize] {
                let (instance, head) = (instance as usize, ground.heads[instance as usize] as usize);
                if open[instance] == DEAD {
                    continue;
                }
                if holds != not {
                    open[instance] -= 1;
                    if open[instance] == 0 && values[head] == Value::Open {
                        values[head] = Value::Always;
                        waiting.push(head as u32);
                    }
                } else {
                    open[instance] = DEAD;
                    ways[head] -= 1;
                    if ways[head] == 0 && values[head] == Value::Open {
                        values[head] = Value::Never;
                        waiting.push(head as u32);
                    }
                }
            }
        }
    }
    values
}

/// Whether a fact is looked at from outside.
fn is_output(ground: &Ground, atom: u32) -> bool {
    match kind(ground, atom) {
        Kind::Next | Kind::Terminal => true,
        Kind::Legal | Kind::Goal => ground.roles.contains(&ground.atoms.arguments(atom)[0]),
        _ => false,
    }
}

/// Facts that say something about moves, results and the end, or about other such facts.
fn needed(ground: &Ground, values: &[Value], all: bool) -> Vec<bool> {
    let atoms = ground.atoms.len();
    let pairs: Vec<(u32, u32)> = (0u32..).zip(&ground.heads).map(|(instance, &head)| (head, instance)).collect();
    let (starts, instances) = rows(atoms, &pairs);
    drop(pairs);
    let next = (0..ground.names.predicates.len() as u32).find(|&p| ground.names.kind(p) == Kind::Next).unwrap_or(0);
    let mut needed = vec![false; atoms];
    let mut waiting = Vec::new();
    for atom in 0..atoms as u32 {
        let wanted = match kind(ground, atom) {
            Kind::Next | Kind::True => all,
            _ => is_output(ground, atom),
        };
        if wanted {
            needed[atom as usize] = true;
            waiting.push(atom);
        }
    }
    while let Some(atom) = waiting.pop() {
        let mut want = |other: u32| {
            if !std::mem::replace(&mut needed[other as usize], true) {
                waiting.push(other);
            }
        };
        if kind(ground, atom) == Kind::True
            && let Some(next) = ground.atoms.find(next, ground.atoms.arguments(atom))
        {
            want(next);
        }
        if values[atom as usize] != Value::Open {
            continue;
        }
        for &instance in &instances[starts[atom as usize] as usize..starts[atom as usize + 1] as usize] {
            let literals = body(ground, instance as usize);
            let dead = |&literal: &u32| {
                let value = values[literal as usize / 2];
                value == if literal & 1 == 0 { Value::Never } else { Value::Always }
            };
            if !literals.iter().any(dead) {
                literals.iter().filter(|&&l| values[l as usize / 2] == Value::Open).for_each(|&l| want(l / 2));
            }
        }
    }
    needed
}

/// For each fact the one that it is only another name for: one rule, one condition.
fn names_for_one_thing(ground: &Ground, values: &[Value], needed: &[bool]) -> Vec<u32> {
    let atoms = ground.atoms.len();
    let mut same_as: Vec<u32> = (0..atoms as u32).collect();
    let mut ways = vec![0u32; atoms];
    for instance in 0..ground.heads.len() {
        let head = ground.heads[instance] as usize;
        if !needed[head] || values[head] != Value::Open {
            continue;
        }
        let mut only = None;
        let mut more = false;
        let mut dead = false;
        for &literal in body(ground, instance) {
            match (values[literal as usize / 2], literal & 1) {
                (Value::Never, 0) | (Value::Always, 1) => dead = true,
                (Value::Open, not) => {
                    more |= not == 1 || only.is_some_and(|other| other != literal / 2);
                    only = Some(literal / 2);
                }
                _ => {}
            }
        }
        if dead {
            continue;
        }
        ways[head] += 1;
        match only {
            Some(other) if !more && (ways[head] == 1 || same_as[head] == other) => same_as[head] = other,
            _ => ways[head] = u32::MAX / 2,
        }
    }
    for atom in 0..atoms {
        let one = ways[atom] < u32::MAX / 2;
        if !one || is_output(ground, atom as u32) {
            same_as[atom] = atom as u32;
        }
    }
    // Chains end at a fact that is itself. In a circle one is chosen as the end: it then has no rule left, and is never true.
    let mut done = vec![false; atoms];
    let mut path = Vec::new();
    for atom in 0..atoms as u32 {
        let mut place = atom;
        while !std::mem::replace(&mut done[place as usize], true) && same_as[place as usize] != place {
            path.push(place);
            place = same_as[place as usize];
        }
        let end = if path.contains(&place) { place } else { same_as[place as usize] };
        path.drain(..).for_each(|place| same_as[place as usize] = end);
    }
    same_as
}

//! Moves that a role has only when it is its turn.
//!
//! Nearly all moves of a role usually depend on one fact, as `(true (control white))`. If that were a condition like all
//! others, it would turn on and off every move at every ply. Instead the net keeps the moves that a role would have, and
//! the fact is asked for when moves are listed.

use super::ground::Ground;
use super::simplify::Simple;
use super::syntax::Kind;

/// A fact that many moves of a role depend on.
pub(super) struct Guard {
    pub fact: u32,
    /// These moves, as atoms with `legal`, sorted.
    pub moves: Vec<u32>,
}

/// Few moves are no matter.
const LEAST: usize = 4;

/// Takes the fact that most moves of each role depend on out of their rules.
pub(super) fn take_guards(ground: &Ground, simple: &mut Simple, moves: &[Vec<u32>; 2]) -> [Option<Guard>; 2] {
    // Where the legality of a move is itself a condition, it has to be exact.
    let mut asked = vec![false; ground.atoms.len()];
    simple.literals.iter().for_each(|&literal| asked[literal as usize / 2] = true);
    let mut instances: Vec<Vec<u32>> = vec![Vec::new(); ground.atoms.len()];
    for (place, &(head, ..)) in simple.instances.iter().enumerate() {
        if ground.names.kind(ground.atoms.head(head)) == Kind::Legal && !asked[head as usize] {
            instances[head as usize].push(place as u32);
        }
    }
    let guards = moves.each_ref().map(|moves| guard(ground, simple, moves, &instances));
    let mut guard_of = vec![u32::MAX; ground.atoms.len()];
    for guard in guards.iter().flatten() {
        guard.moves.iter().for_each(|&m| guard_of[m as usize] = guard.fact);
    }
    let mut literals = Vec::with_capacity(simple.literals.len());
    let mut starts = Vec::with_capacity(simple.instances.len());
    for (place, &(head, ..)) in simple.instances.iter().enumerate() {
        starts.push(literals.len() as u32);
        let guard = guard_of[head as usize];
        literals.extend(simple.literals(place).iter().filter(|&&literal| guard == u32::MAX || literal != guard * 2));
    }
    simple.instances.iter_mut().zip(starts).for_each(|(instance, start)| instance.1 = start);
    simple.literals = literals;
    guards
}

fn guard(ground: &Ground, simple: &Simple, moves: &[u32], instances: &[Vec<u32>]) -> Option<Guard> {
    // For each fact the moves whose rules all have it.
    let mut moves_of: std::collections::HashMap<u32, Vec<u32>> = Default::default();
    for &m in moves {
        let Some((&first, others)) = instances[m as usize].split_first() else { continue };
        for &literal in simple.literals(first as usize) {
            let is_fact = literal % 2 == 0 && ground.names.kind(ground.atoms.head(literal / 2)) == Kind::True;
            let has = |&other: &u32| simple.literals(other as usize).contains(&literal);
            // A rule with this condition alone would be left with none.
            let more = instances[m as usize].iter().all(|&other| simple.literals(other as usize).len() > 1);
            if is_fact && more && others.iter().all(has) {
                moves_of.entry(literal / 2).or_default().push(m);
            }
        }
    }
    let (fact, mut moves) = moves_of.into_iter().max_by_key(|(fact, moves)| (moves.len(), *fact))?;
    moves.sort_unstable();
    (moves.len() >= LEAST).then_some(Guard { fact, moves })
}

//! Which variables matter after each modifier: those that may be read before they are set again.

use super::automaton::{Automaton, Effect, Label, State};
use super::syntax::Arithmetic;

/// A set of up to 256 variables.
type Variables = [u64; 4];

/// For each modifier, whether each variable matters after it. Scores always do: the game may end at any time.
pub(super) fn live(automaton: &Automaton, players: usize, variables: usize) -> Vec<Vec<bool>> {
    let looks = reads_of_looks(automaton);
    let mut live: Vec<Variables> = vec![[0; 4]; automaton.edges.len()];
    loop {
        let mut changed = false;
        for state in (0..automaton.edges.len()).rev() {
            let mut sum = live[state];
            for edge in &automaton.edges[state] {
                let mut after = live[edge.to as usize];
                match edge.label {
                    Label::Modify(modifier) => {
                        if let Effect::Assign(variable, value) = &automaton.modifiers[usize::from(modifier)].effect {
                            after[usize::from(variable / 64)] &= !(1 << (variable % 64));
                            read(value, &mut after);
                        }
                    }
                    Label::Compare(comparison) => {
                        let (_, left, right) = &automaton.comparisons[usize::from(comparison)];
                        read(left, &mut after);
                        read(right, &mut after);
                    }
                    Label::Look(look, _) => join(&mut after, &looks[usize::from(look)]),
                    Label::Pass | Label::Shift(_) | Label::On(_) => {}
                }
                join(&mut sum, &after);
            }
            changed |= sum != live[state];
            live[state] = sum;
        }
        if !changed {
            break;
        }
    }
    let matters = |state: State| {
        let live = live[state as usize];
        (0..variables).map(move |variable| variable < players || live[variable / 64] >> (variable % 64) & 1 != 0)
    };
    automaton.modifiers.iter().map(|modifier| matters(modifier.target).collect()).collect()
}

fn join(sum: &mut Variables, more: &Variables) {
    sum.iter_mut().zip(more).for_each(|(a, b)| *a |= b);
}

fn read(value: &Arithmetic, into: &mut Variables) {
    value.variables(&mut |variable| into[usize::from(variable / 64)] |= 1 << (variable % 64));
}

/// All that each look-ahead reads; one within another has the smaller number.
fn reads_of_looks(automaton: &Automaton) -> Vec<Variables> {
    let mut looks: Vec<Variables> = Vec::new();
    for look in &automaton.looks {
        let mut sum = [0; 4];
        let mut seen = std::collections::HashSet::from([look.start]);
        let mut open = vec![look.start];
        while let Some(state) = open.pop() {
            for edge in &automaton.edges[state as usize] {
                match edge.label {
                    Label::Modify(modifier) => {
                        if let Effect::Assign(_, value) = &automaton.modifiers[usize::from(modifier)].effect {
                            read(value, &mut sum);
                        }
                    }
                    Label::Compare(comparison) => {
                        let (_, left, right) = &automaton.comparisons[usize::from(comparison)];
                        read(left, &mut sum);
                        read(right, &mut sum);
                    }
                    Label::Look(inner, _) => join(&mut sum, &looks[usize::from(inner)]),
                    Label::Pass | Label::Shift(_) | Label::On(_) => {}
                }
                if seen.insert(edge.to) {
                    open.push(edge.to);
                }
            }
        }
        looks.push(sum);
    }
    looks
}

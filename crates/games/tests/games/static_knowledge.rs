//! What games know of positions without search, against exhaustive search at every position of small boards.

use std::collections::{HashMap, HashSet};

use plyproof_core::spec::{Description, Params, Spec};
use plyproof_core::{Bounds, Game, Knowledge, Outcome, Rng, Wdl};
use plyproof_games::domineering::{DOMINEERING, Domineering};
use plyproof_games::hex::{HEX, Hex};
use plyproof_games::through::{BREAKTHROUGH, KNIGHTTHROUGH, Through};

fn params(described: &Description, text: &str) -> Params {
    Params::resolve(described, &Spec::parse(text).expect(text)).expect(text)
}

fn children<G: Game>(state: &G) -> Vec<(G::Move, G)> {
    let mut moves = Vec::new();
    state.moves(&mut moves);
    let child = |m| {
        let mut next = state.clone();
        next.play(m);
        (m, next)
    };
    moves.into_iter().map(child).collect()
}

/// Exact values for the player to move, by the rules alone. No position of these games repeats.
#[derive(Default)]
struct Exact(HashMap<u64, Wdl>);

impl Exact {
    fn value<G: Game>(&mut self, state: &G) -> Wdl {
        if let Some(outcome) = state.outcome() {
            return outcome.of(state.to_move());
        }
        if let Some(&value) = self.0.get(&state.key()) {
            return value;
        }
        let mut best = Wdl::Loss;
        for (_, next) in children(state) {
            best = best.max(self.value(&next).flip());
            if best == Wdl::Win {
                break;
            }
        }
        self.0.insert(state.key(), best);
        best
    }
}

/// Positions that were known, and those whose moves were limited.
#[derive(Debug, Default, PartialEq, Eq)]
struct Known {
    asked: usize,
    decided: usize,
    restricted: usize,
}

fn holds_at<G: Game>(state: &G, exact: &mut Exact, known: &mut Known) {
    let next = children(state);
    let wins = |(_, after): &(G::Move, G)| after.outcome() == Some(Outcome::win(state.to_move()));
    if next.iter().any(wins) {
        return;
    }
    known.asked += 1;
    let mut holding = Vec::new();
    let Knowledge { bounds, restricted } = state.static_knowledge(&mut holding);
    let value = exact.value(state);
    let text = state.position_text();
    assert!(bounds.least <= value && value <= bounds.most, "{bounds:?} of {text}, a {value}");
    known.decided += usize::from(bounds != Bounds::OPEN);
    if restricted && bounds == Bounds::OPEN {
        known.restricted += 1;
        for (m, after) in next.into_iter().filter(|(m, _)| !holding.contains(m)) {
            assert_eq!(exact.value(&after), Wdl::Win, "{m:?} was left out at {text} and does not lose");
        }
    }
}

/// At every position that can be reached.
fn holds_everywhere<G: Game>(start: G) -> Known {
    assert!(G::STATIC_KNOWLEDGE && !start.may_repeat());
    let (mut exact, mut known) = (Exact::default(), Known::default());
    let (mut met, mut open) = (HashSet::from([start.key()]), vec![start]);
    while let Some(state) = open.pop() {
        holds_at(&state, &mut exact, &mut known);
        let unfinished = children(&state).into_iter().map(|(_, next)| next).filter(|next| next.outcome().is_none());
        open.extend(unfinished.filter(|next| met.insert(next.key())));
    }
    known
}

/// At positions of random games after so many moves.
fn holds_in_random_games<G: Game>(start: &G, games: usize, after: usize) -> Known {
    let (mut exact, mut known, mut rng) = (Exact::default(), Known::default(), Rng::new(7));
    for _ in 0..games {
        let (mut state, mut before) = (start.clone(), Vec::new());
        while state.outcome().is_none() {
            before.push(state.clone());
            state.play(state.random_move(&mut rng));
        }
        // The end first: what is known of later positions helps with earlier ones.
        before.iter().skip(after).rev().for_each(|state| holds_at(state, &mut exact, &mut known));
    }
    known
}

fn domineering(size: &str) -> Domineering {
    Domineering::start(&params(&DOMINEERING, &format!("domineering(size={size})")))
}

fn breakthrough(size: &str) -> Through {
    Through::breakthrough(&params(&BREAKTHROUGH, &format!("breakthrough(size={size})")))
}

fn knightthrough(size: &str) -> Through {
    Through::knightthrough(&params(&KNIGHTTHROUGH, &format!("knightthrough(size={size})")))
}

fn hex(size: usize) -> Hex {
    Hex::start(&params(&HEX, &format!("hex(size={size})")))
}

/// At least this share of the positions is decided.
fn at_least(known: Known, decided: f64) {
    let share = known.decided as f64 / known.asked as f64;
    assert!(share >= decided, "{known:?}");
}

#[test]
fn sure_moves_of_domineering_decide_positions_as_exhaustive_search_does() {
    for size in ["4", "5x3", "4x5", "8x2", "2x8"] {
        at_least(holds_everywhere(domineering(size)), 0.3);
    }
    at_least(holds_in_random_games(&domineering("5"), 200, 4), 0.3);
    at_least(holds_in_random_games(&domineering("8x4"), 60, 6), 0.3);
}

#[test]
fn races_decide_positions_as_exhaustive_search_does() {
    for size in ["2x4", "2x6", "3x4"] {
        at_least(holds_everywhere(breakthrough(size)), 0.05);
    }
    for size in ["3x4", "4x4"] {
        at_least(holds_everywhere(knightthrough(size)), 0.05);
    }
    for (start, games) in [(breakthrough("4x4"), 300), (breakthrough("3x5"), 200), (knightthrough("3x6"), 200)] {
        at_least(holds_in_random_games(&start, games, 3), 0.05);
    }
}

#[test]
fn connections_decide_positions_of_hex_as_exhaustive_search_does() {
    for size in [2, 3] {
        at_least(holds_everywhere(hex(size)), 0.9);
    }
    let sampled = [holds_in_random_games(&hex(4), 300, 3), holds_in_random_games(&hex(5), 100, 14)];
    let restricted: usize = sampled.iter().map(|known| known.restricted).sum();
    assert!(restricted > 3, "{sampled:?}");
    sampled.into_iter().for_each(|known| at_least(known, 0.9));
}

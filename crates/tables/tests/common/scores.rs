//! Awari endgames by points, written apart from everything else: how many more seeds than the opponent the mover captures
//! from here on. Who does not move on captures nothing, so two passes and endless play are worth 0 from there.

use std::collections::HashMap;

type Holes = [u8; 12];

/// Wins, draws and losses by the sign of the points, for 0, 1, …, `most` seeds on the board.
pub fn counts_by_points(most: u8) -> Vec<[u64; 3]> {
    let mut known = HashMap::new();
    (0..=most)
        .map(|seeds| {
            let layer = spreads(seeds);
            let points = points_of(&layer, &known);
            let count = |sign: i8| points.iter().filter(|points| points.signum() == sign).count() as u64;
            let counts = [count(1), count(0), count(-1)];
            known.extend(layer.into_iter().zip(points));
            counts
        })
        .collect()
}

enum Next {
    /// Points of a move that captures.
    Points(i8),
    /// A move without capture, or a pass.
    Here(usize),
}

fn points_of(layer: &[Holes], known: &HashMap<Holes, i8>) -> Vec<i8> {
    let place: HashMap<Holes, usize> = layer.iter().copied().zip(0..).collect();
    let nexts: Vec<Vec<Next>> = layer.iter().map(|&holes| nexts(holes, &place, known)).collect();
    let most = layer[0].iter().sum::<u8>() as i8;
    let mut points = vec![0; layer.len()];
    // Who can force how much: from the largest sum down. What is forced once stays.
    for goal in (1..=most).rev() {
        loop {
            let mut changed = false;
            for at in (0..layer.len()).filter(|&at| !nexts[at].is_empty()) {
                let worth = |next: &Next| match *next {
                    Next::Points(points) => points,
                    Next::Here(to) => -points[to],
                };
                if points[at] != 0 {
                    continue;
                }
                // A position of the layer that is still 0 forces nothing, so it makes neither sum.
                let forced = if nexts[at].iter().any(|next| worth(next) >= goal) {
                    goal
                } else if nexts[at].iter().all(|next| worth(next) <= -goal) {
                    -goal
                } else {
                    continue;
                };
                (points[at], changed) = (forced, true);
            }
            if !changed {
                break;
            }
        }
    }
    points
}

/// Where the moves lead; nothing if the game is over, be it by a second pass.
fn nexts(holes: Holes, place: &HashMap<Holes, usize>, known: &HashMap<Holes, i8>) -> Vec<Next> {
    if finished(&holes) {
        return Vec::new();
    }
    let moves = sowings(holes);
    if moves.is_empty() {
        let turned = turned(holes);
        return if sowings(turned).is_empty() { Vec::new() } else { vec![Next::Here(place[&turned])] };
    }
    let next = |(after, taken): (Holes, u8)| match taken {
        0 => Next::Here(place[&after]),
        _ => Next::Points(taken as i8 - known[&after]),
    };
    moves.into_iter().map(next).collect()
}

fn finished(holes: &Holes) -> bool {
    holes.iter().all(|&seeds| seeds < 2)
}

/// What legal sowings make of the board, as the opponent sees it, and what they capture.
fn sowings(holes: Holes) -> Vec<(Holes, u8)> {
    let sow = |hole: usize| {
        let (mut after, mut at) = (holes, hole);
        for _ in 0..std::mem::take(&mut after[hole]) {
            at = (at + 1) % 12;
            if at == hole {
                at = (at + 1) % 12;
            }
            after[at] += 1;
        }
        let mut taken = 0;
        while at >= 6 && (2..=3).contains(&after[at]) {
            taken += std::mem::take(&mut after[at]);
            at -= 1;
        }
        (turned(after), taken)
    };
    (0..6).filter(|&hole| holes[hole] > 0).map(sow).filter(|(after, _)| after[..6].iter().any(|&n| n > 0)).collect()
}

fn turned(mut holes: Holes) -> Holes {
    holes.rotate_left(6);
    holes
}

/// All ways to spread so many seeds.
fn spreads(seeds: u8) -> Vec<Holes> {
    fn fill(holes: &mut Holes, hole: usize, left: u8, all: &mut Vec<Holes>) {
        if hole == 11 {
            holes[11] = left;
            all.push(*holes);
            return;
        }
        for here in 0..=left {
            holes[hole] = here;
            fill(holes, hole + 1, left - here, all);
        }
    }
    let mut all = Vec::new();
    fill(&mut [0; 12], 0, seeds, &mut all);
    all
}

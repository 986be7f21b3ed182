//! The part of a check that plays.

use std::collections::HashMap;

use plyproof_core::contract::{self, Contract};
use plyproof_core::perft::perft;
use plyproof_core::{Game, Rng};
use serde::Serialize;

use super::{Limits, Start};
use crate::rbg::Visitor;

/// Moves of the start position that are shown.
const SHOWN: usize = 20;

/// What became of random games.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Games {
    /// Games that were played to their end or to the limit.
    pub played: u64,
    /// Games that were given up at the limit.
    pub cut: u64,
    /// Games that each player won.
    pub wins: [u64; 2],
    /// Finished games that nobody won.
    pub draws: u64,
    /// Finished games that the player who makes the first move won.
    pub first_mover_wins: u64,
    /// Moves of a game in the mean.
    pub mean_plies: f64,
    /// Moves of the shortest game.
    pub shortest: u64,
    /// Moves of the longest game.
    pub longest: u64,
    /// Legal moves of a position in the mean.
    pub mean_moves: f64,
    /// Legal moves of a position at most.
    pub most_moves: u64,
    /// Positions in which each player had to move.
    pub moved: [u64; 2],
    /// Moves that were looked at one by one.
    pub looked_at: u64,
    /// Those among them that lead where another move of the position leads.
    pub alike: u64,
    /// Those among them that only a number tells apart.
    pub numbered: u64,
    /// Two moves that lead to one position, if there are any.
    pub alike_example: Vec<String>,
    /// The sums of the scores at the end of games, where scores are known.
    pub sums: Vec<Sum>,
    /// Whether there was no time for all games.
    pub stopped: bool,
}

/// A sum of the scores at the end of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Sum {
    /// The sum.
    pub sum: i64,
    /// Games that ended so.
    pub games: u64,
}

pub(super) struct Play<'a> {
    pub limits: &'a Limits,
}

pub(super) struct Played {
    pub start: Start,
    pub may_repeat: bool,
    pub may_draw: bool,
    pub perft: Vec<u64>,
    pub games: Games,
    pub contract: Option<u64>,
    pub violation: Option<String>,
}

impl Visitor for Play<'_> {
    type Output = Played;

    fn visit<G: Game>(self, start: G) -> Played {
        let limits = self.limits;
        let mut moves = Vec::new();
        start.moves(&mut moves);
        let beginning = Start {
            board: start.board(),
            position: start.position_text(),
            to_move: start.outcome().is_none().then(|| start.to_move().index() + 1),
            legal_moves: moves.len(),
            first_moves: moves.iter().take(SHOWN).map(|&m| start.move_text(m)).collect(),
        };
        let perft = counts(&start, moves.len() as u64, limits);
        let games = random_games(&start, limits);
        let kept = kept(&start, &games, limits);
        Played {
            start: beginning,
            may_repeat: start.may_repeat(),
            may_draw: start.may_draw(),
            perft,
            contract: kept.as_ref().and_then(|kept| kept.as_ref().ok().copied()),
            violation: kept.and_then(Result::err),
            games,
        }
    }
}

fn counts<G: Game>(start: &G, first: u64, limits: &Limits) -> Vec<u64> {
    let (mut counts, mut before) = (vec![first], 1);
    for depth in 2..=3 {
        let last = counts[counts.len() - 1];
        // As if every further position had as many moves as those before it.
        let ahead = last.saturating_mul(last.div_ceil(before).max(1));
        if last == 0 || ahead > limits.lines || limits.late(0.3) {
            break;
        }
        before = last;
        counts.push(perft(start, depth).nodes);
    }
    counts
}

fn random_games<G: Game>(start: &G, limits: &Limits) -> Games {
    let mut games = Games { shortest: u64::MAX, ..Games::default() };
    let mut rng = Rng::new(limits.seed);
    let (mut positions, mut all_moves, mut all_plies) = (0u64, 0u64, 0u64);
    let mut sums: HashMap<i64, u64> = HashMap::new();
    let mut moves = Vec::new();
    'games: for number in 0..limits.games {
        let (mut game, mut plies) = (start.clone(), 0u64);
        while game.outcome().is_none() && plies < u64::from(limits.plies) {
            if positions >= limits.positions || limits.late(0.7) {
                games.stopped = true;
                break 'games;
            }
            moves.clear();
            game.moves(&mut moves);
            positions += 1;
            all_moves += moves.len() as u64;
            games.most_moves = games.most_moves.max(moves.len() as u64);
            if let Some(moved) = games.moved.get_mut(game.to_move().index()) {
                *moved += 1;
            }
            if number < 3 && moves.len() <= 200 && games.looked_at < 5000 {
                look_at(&game, &moves, &mut games);
            }
            let m = moves[rng.below(moves.len())];
            game.play(m);
            plies += 1;
        }
        games.played += 1;
        all_plies += plies;
        (games.shortest, games.longest) = (games.shortest.min(plies), games.longest.max(plies));
        match game.outcome() {
            None => games.cut += 1,
            Some(outcome) => {
                match outcome.winner() {
                    Some(player) => {
                        games.wins[player.index().min(1)] += 1;
                        games.first_mover_wins += u64::from(plies > 0 && player == start.to_move());
                    }
                    None => games.draws += 1,
                }
                if let Some(sum) = sum_of_scores(&game.position_text()) {
                    *sums.entry(sum).or_default() += 1;
                }
            }
        }
    }
    if games.played == 0 {
        games.shortest = 0;
    }
    games.mean_plies = all_plies as f64 / games.played.max(1) as f64;
    games.mean_moves = all_moves as f64 / positions.max(1) as f64;
    games.sums = sums.into_iter().map(|(sum, games)| Sum { sum, games }).collect();
    games.sums.sort_unstable_by_key(|sum| sum.sum);
    games
}

/// Compares the moves of a position with each other.
fn look_at<G: Game>(game: &G, moves: &[G::Move], games: &mut Games) {
    let mut after: HashMap<u64, G::Move> = HashMap::new();
    for &m in moves {
        let text = game.move_text(m);
        let mut next = game.clone();
        next.play(m);
        games.looked_at += 1;
        games.numbered += u64::from(text.contains(':'));
        if let Some(&other) = after.get(&next.key()) {
            games.alike += 1;
            if games.alike_example.is_empty() {
                games.alike_example = vec![game.move_text(other), text];
            }
        } else {
            after.insert(next.key(), m);
        }
    }
}

/// The sum of the scores at the end of a game, as in `… end white=100,black=0`.
fn sum_of_scores(position: &str) -> Option<i64> {
    let (_, scores) = position.split_once(" end ")?;
    let values = scores.split(',').map(|pair| pair.split_once('=')?.1.parse::<i64>().ok());
    values.sum()
}

/// Positions that kept the contract, or what broke it; nothing if there was no time for it.
fn kept<G: Game>(start: &G, games: &Games, limits: &Limits) -> Option<Result<u64, String>> {
    // Every position of the contract is opened hundreds of times.
    let slow = games.stopped && games.played == 0 || games.most_moves > 2000;
    if slow || limits.late(0.5) {
        return None;
    }
    let before = limits.clock.as_ref().map(|clock| (clock.now)());
    let taste = Contract { games: 1, draws: 1, playouts: 0, ply_limit: 4, ..limits.contract };
    let mut kept = match contract::check(start, &taste) {
        Ok(kept) => kept.positions,
        Err(violation) => return Some(Err(violation.to_string())),
    };
    if let (Some(clock), Some(before)) = (&limits.clock, before) {
        // The whole contract takes about as many tests at each of its positions as there are draws.
        let (spent, left) = ((clock.now)() - before, clock.most.saturating_sub((clock.now)()));
        let positions = (limits.contract.games * limits.contract.ply_limit).max(1);
        if spent.saturating_mul(positions.saturating_mul(limits.contract.draws) / 4) > left {
            return Some(Ok(kept));
        }
    }
    match contract::check(start, &limits.contract) {
        Ok(more) => {
            kept += more.positions;
            Some(Ok(kept))
        }
        Err(violation) => Some(Err(violation.to_string())),
    }
}

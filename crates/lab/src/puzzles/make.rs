//! Makes puzzles: games of an agent against itself, whose positions are kept if df-pn proves that one move wins and that
//! no other is found to, and the proof passes the verifier.

use std::collections::HashSet;
use std::io::{BufRead, Cursor};
use std::sync::atomic::{AtomicBool, Ordering};

use plyproof_core::mix64;
use plyproof_engine::{Agent, Aim, AnyGame, Budget, Claim, ProofHead, Rng, Solution, SolveTask, TextError, Wdl};
use plyproof_verify::{Header, Settings, Writer};

use crate::puzzles::{Puzzle, PuzzleSet};

/// How puzzles are made.
#[derive(Clone, Debug)]
pub struct Making {
    /// Puzzles wanted.
    pub count: usize,
    /// Positions df-pn may open to prove the win.
    pub nodes: u64,
    /// And at least opens: what is found at once is no puzzle.
    pub least_nodes: u64,
    /// Where randomness starts.
    pub seed: u64,
    /// Simulations a move of the games the positions come from.
    pub simulations: u64,
    /// Whether every other move must be proven not to win.
    pub only: bool,
}

/// Bytes for df-pn's table: little, because a fresh one is made for every question.
const MEMORY: usize = 8 << 20;
/// Positions opened for a first look.
const QUICK: u64 = 50;
/// Moves not refuted by then at most, where all must be.
const MOST_LEFT: usize = 6;
/// Positions that may be opened for all the moves left after it.
const MOST_WORK: u64 = 1_500_000;
/// Positions opened to see whether another move wins too, when the best one took so many.
fn second_look(nodes: u64) -> u64 {
    2 * nodes + 5000
}

/// Plies before the end at which a game is looked at.
const LAST_PLIES: usize = 24;
/// Puzzles of one game at most, so that a set has variety.
const OF_ONE_GAME: usize = 2;

/// Plays games from `start` until there are enough puzzles or `stop` is raised. `observer` is told of each puzzle.
pub fn make(
    start: &dyn AnyGame,
    making: &Making,
    stop: &AtomicBool,
    observer: &mut dyn FnMut(&Puzzle),
) -> Result<PuzzleSet, TextError> {
    let (player, solver) = (Agent::parse("plyproof")?, Agent::parse("df-pn")?);
    let maker = Maker { making, player, solver, stop };
    let (mut puzzles, mut known) = (Vec::new(), HashSet::new());
    let mut games = 0u64;
    while puzzles.len() < making.count && !stop.load(Ordering::Relaxed) {
        let positions = self_play(start, &maker.player, making, mix64(mix64(making.seed) ^ games), stop)?;
        games += 1;
        let mut of_this_game = 0;
        for position in positions.iter().rev().take(LAST_PLIES) {
            if puzzles.len() == making.count || of_this_game == OF_ONE_GAME {
                break;
            }
            if known.contains(&position.key()) {
                continue;
            }
            if let Some(puzzle) = maker.examine(&**position)? {
                known.insert(position.key());
                observer(&puzzle);
                puzzles.push(puzzle);
                of_this_game += 1;
            }
        }
    }
    puzzles.sort_by_key(|puzzle| puzzle.nodes);
    Ok(PuzzleSet { start: start.clone_box(), puzzles })
}

/// The unfinished positions of a game: a random opening, then the agent with a random move now and then.
fn self_play(
    start: &dyn AnyGame,
    player: &Agent,
    making: &Making,
    seed: u64,
    stop: &AtomicBool,
) -> Result<Vec<Box<dyn AnyGame>>, TextError> {
    let mut rng = Rng::new(seed);
    let mut game = start.clone_box();
    let mut positions = Vec::new();
    let opening = 2 + rng.below(6);
    for ply in 0..400u64 {
        if game.outcome().is_some() || stop.load(Ordering::Relaxed) {
            break;
        }
        positions.push(game.clone_box());
        let moves = game.legal_moves();
        let random = ply < opening as u64 || rng.below(12) == 0;
        let m = if random {
            moves[rng.below(moves.len())].clone()
        } else {
            let budget = Budget { memory: Some(MEMORY), ..Budget::simulations(making.simulations) };
            game.search(player, &budget, seed ^ ply, stop, &mut |_| {})?.best.unwrap_or_else(|| moves[0].clone())
        };
        game.play(&m)?;
    }
    Ok(positions)
}

/// A proof that was written out: its claim, and positions with moves.
type Written = (ProofHead, Vec<(String, String)>);

struct Maker<'a> {
    making: &'a Making,
    player: Agent,
    solver: Agent,
    stop: &'a AtomicBool,
}

impl Maker<'_> {
    /// The position as a puzzle, if it is one.
    fn examine(&self, position: &dyn AnyGame) -> Result<Option<Puzzle>, TextError> {
        let Making { nodes: limit, least_nodes, only, .. } = *self.making;
        if only && !self.is_sharp(position)? {
            return Ok(None);
        }
        let mut found = self.ask(position, Aim::Win, limit, None);
        if found.bounds.least != Wdl::Win || found.nodes < least_nodes {
            return Ok(None);
        }
        let Some(best) = found.line.first().cloned() else { return Ok(None) };
        // Most often the others lose, and at once.
        let mut left = Vec::new();
        for other in position.legal_moves().into_iter().filter(|m| *m != best) {
            let mut next = position.clone_box();
            next.play(&other)?;
            if !self.loses(&*next, position, QUICK) {
                left.push((other, next));
            }
            if left.len() as u64 * second_look(found.nodes) > MOST_WORK || only && left.len() > MOST_LEFT {
                return Ok(None);
            }
        }
        // What looks best first: a second win is then found soon, and the position is none for us.
        let budget = Budget { memory: Some(MEMORY), ..Budget::simulations(10 * self.making.simulations) };
        let looks = position.search(&self.player, &budget, self.making.seed, self.stop, &mut |_| {})?;
        left.sort_by_key(|(other, _)| looks.moves.iter().position(|m| m.text == *other));
        let mut open = 0;
        for (_, next) in &left {
            match self.wins(&**next, position, found.nodes) {
                Some(true) => return Ok(None),
                Some(false) => {}
                None if only => return Ok(None),
                None => open += 1,
            }
        }
        let mut written = None;
        found = self.ask(position, Aim::Win, 4 * limit, Some(&mut written));
        let holds = written.is_some_and(|(claim, lines)| certified(position, &claim, &lines));
        let same = found.line.first() == Some(&best);
        Ok((holds && same).then(|| Puzzle { position: position.position_text(), best, nodes: found.nodes, open }))
    }

    /// Whether most moves lose at a glance: of eight spread over the list, all but two.
    fn is_sharp(&self, position: &dyn AnyGame) -> Result<bool, TextError> {
        let moves = position.legal_moves();
        let mut bad = 0;
        for m in moves.iter().step_by(moves.len().div_ceil(8)) {
            let mut next = position.clone_box();
            next.play(m)?;
            bad += usize::from(!self.loses(&*next, position, QUICK));
            if bad > 2 {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether whoever moved in `position` wins in `next`; none if nobody knows after twice the nodes the best move took.
    fn wins(&self, next: &dyn AnyGame, position: &dyn AnyGame, nodes: u64) -> Option<bool> {
        let mover = position.to_move();
        if let Some(outcome) = next.outcome() {
            return Some(outcome.of(mover) == Wdl::Win);
        }
        let nodes = second_look(nodes);
        let same = next.to_move() == mover;
        let bounds = self.ask(next, if same { Aim::Win } else { Aim::Draw }, nodes, None).bounds;
        let (won, not_won) = if same {
            (bounds.least == Wdl::Win, bounds.most < Wdl::Win)
        } else {
            (bounds.most == Wdl::Loss, bounds.least >= Wdl::Draw)
        };
        if won || not_won {
            return Some(won);
        }
        self.loses(next, position, nodes).then_some(false)
    }

    /// Whether the opponent of whoever moved in `position` is found to win in `next`.
    fn loses(&self, next: &dyn AnyGame, position: &dyn AnyGame, nodes: u64) -> bool {
        let mover = position.to_move();
        match next.outcome() {
            Some(outcome) => outcome.of(mover) < Wdl::Win,
            None => next.to_move() != mover && self.ask(next, Aim::Win, nodes, None).bounds.least == Wdl::Win,
        }
    }

    fn ask(&self, position: &dyn AnyGame, aim: Aim, nodes: u64, written: Option<&mut Option<Written>>) -> Solution {
        let budget = Budget { memory: Some(MEMORY), ..Budget::simulations(nodes) };
        let task = SolveTask { agent: &self.solver, aim, all_moves: false, proofs: written.is_some(), budget, seed: 1 };
        let mut kept = None;
        let solution = position.solve(&task, self.stop, &mut |_| {}, &mut |claim, lines| {
            kept = Some((*claim, lines.collect()));
            Ok(())
        });
        if let Some(written) = written {
            *written = kept;
        }
        solution.unwrap_or_else(|error| unreachable!("the solver needs no file: {error}"))
    }
}

/// Whether the verifier accepts a win for the player to move.
fn certified(position: &dyn AnyGame, proof: &ProofHead, lines: &[(String, String)]) -> bool {
    let (game, rules) = (position.name(), position.rules().clone());
    if proof.claim != Claim::Win || proof.player != position.to_move() {
        return false;
    }
    let (player, goal, entries) = (proof.player, proof.claim, lines.len() as u64);
    let header = Header {
        game: game.clone(),
        rules: rules.clone(),
        position: position.position_text(),
        player,
        goal,
        symmetric: proof.symmetric,
        entries,
    };
    let text = Writer::new(Vec::new(), &header).and_then(|mut writer| {
        for (position, played) in lines {
            writer.entry(position, played)?;
        }
        writer.finish()
    });
    let Ok(text) = text else { return false };
    let mut open = || Ok(Box::new(Cursor::new(text.clone())) as Box<dyn BufRead>);
    position.verify(&header, &mut open, &mut Settings::new(&game, rules)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_other_move_is_shown_not_to_win_and_exhaustive_search_says_the_same() -> Result<(), TextError> {
        let start = plyproof_engine::Registry::builtin().open("breakthrough(size=4)")?;
        let exact = Agent::parse("minimax")?;
        let stop = AtomicBool::new(false);
        let making = Making { count: 2, nodes: 1000, least_nodes: 2, seed: 3, simulations: 20, only: true };
        let set = make(&*start, &making, &stop, &mut |_| {})?;
        assert_eq!(set.puzzles.len(), 2);
        for puzzle in &set.puzzles {
            assert_eq!(puzzle.open, 0);
            let position = start.parse_position(&puzzle.position)?;
            for m in position.legal_moves() {
                let mut next = position.clone_box();
                next.play(&m)?;
                let value = match next.outcome() {
                    Some(outcome) => outcome.of(position.to_move()),
                    None => {
                        let report = next.search(&exact, &Budget::default(), 1, &stop, &mut |_| {})?;
                        report.value.expect("small").flip()
                    }
                };
                assert_eq!(value == Wdl::Win, m == puzzle.best, "{m} in {}", puzzle.position);
            }
        }
        Ok(())
    }
}

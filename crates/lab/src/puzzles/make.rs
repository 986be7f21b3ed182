//! Makes puzzles: games of an agent against itself, whose positions are kept if df-pn proves that one move wins and that
//! no other does, and the proof passes the verifier.

use std::collections::HashSet;
use std::io::{BufRead, Cursor};
use std::sync::atomic::{AtomicBool, Ordering};

use plyproof_core::mix64;
use plyproof_core::search::{Agent, Aim, Budget, SolveTask};
use plyproof_core::{Rng, TextError, Wdl};
use plyproof_verify::{Claim, Header, Settings, Writer};

use crate::any_game::AnyGame;
use crate::certificate::rules_of;
use crate::puzzles::{Puzzle, PuzzleSet};
use crate::solve::{Claimed, TextSolution};

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
}

/// Bytes for df-pn's table.
const MEMORY: usize = 256 << 20;
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
    let (player, solver) = (Agent::parse("pn-mcts")?, Agent::parse("df-pn")?);
    let maker = Maker { making, solver, stop };
    let (mut puzzles, mut known) = (Vec::new(), HashSet::new());
    let mut games = 0u64;
    while puzzles.len() < making.count && !stop.load(Ordering::Relaxed) {
        let positions = self_play(start, &player, making, mix64(making.seed ^ games), stop)?;
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
    Ok(PuzzleSet { game: start.name(), puzzles })
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
            game.search(player, &budget, seed ^ ply, stop, &mut |_| {}).best.unwrap_or_else(|| moves[0].clone())
        };
        game.play(&m)?;
    }
    Ok(positions)
}

struct Maker<'a> {
    making: &'a Making,
    solver: Agent,
    stop: &'a AtomicBool,
}

impl Maker<'_> {
    /// The position as a puzzle, if it is one.
    fn examine(&self, position: &dyn AnyGame) -> Result<Option<Puzzle>, TextError> {
        let Making { nodes: limit, least_nodes, .. } = *self.making;
        let mut found = self.ask(position, Aim::Win, limit, None);
        if found.bounds.least != Wdl::Win || found.nodes < least_nodes {
            return Ok(None);
        }
        let Some(best) = found.line.first().cloned() else { return Ok(None) };
        for other in position.legal_moves().into_iter().filter(|m| *m != best) {
            let mut next = position.clone_box();
            next.play(&other)?;
            if !self.fails(&*next, position) {
                return Ok(None);
            }
        }
        let mut written = None;
        found = self.ask(position, Aim::Win, 4 * limit, Some(&mut written));
        let holds = written.is_some_and(|(claim, lines)| certified(position, &claim, &lines));
        let same = found.line.first() == Some(&best);
        Ok((holds && same).then(|| Puzzle { position: position.position_text(), best, nodes: found.nodes }))
    }

    /// Whether whoever moved in `position` is proven not to win in `next`.
    fn fails(&self, next: &dyn AnyGame, position: &dyn AnyGame) -> bool {
        let mover = position.to_move();
        if let Some(outcome) = next.outcome() {
            return outcome.of(mover) < Wdl::Win;
        }
        if next.to_move() == mover {
            return self.ask(next, Aim::Win, self.making.nodes, None).bounds.most < Wdl::Win;
        }
        // Most often the others lose; if not, the opponent must at least hold.
        let lost = self.ask(next, Aim::Win, self.making.nodes / 4, None).bounds;
        lost.least == Wdl::Win || self.ask(next, Aim::Draw, self.making.nodes, None).bounds.least >= Wdl::Draw
    }

    fn ask(
        &self,
        position: &dyn AnyGame,
        aim: Aim,
        nodes: u64,
        written: Option<&mut Option<(Claimed, Vec<(String, String)>)>>,
    ) -> TextSolution {
        let budget = Budget { memory: Some(MEMORY), ..Budget::simulations(nodes) };
        let task = SolveTask { agent: &self.solver, aim, all_moves: false, proofs: written.is_some(), budget, seed: 1 };
        let mut kept = None;
        let solution = position.solve(&task, self.stop, &mut |_| {}, &mut |claim, lines| {
            kept = Some((claim.clone(), lines.collect()));
            Ok(())
        });
        if let Some(written) = written {
            *written = kept;
        }
        solution
    }
}

/// Whether the verifier accepts a win for the player to move.
fn certified(position: &dyn AnyGame, claim: &Claimed, lines: &[(String, String)]) -> bool {
    let (game, rules) = (position.name(), rules_of(position));
    let Ok(goal) = Claim::parse(&claim.goal) else { return false };
    if goal != Claim::Win || claim.player != position.to_move() {
        return false;
    }
    let (player, entries) = (claim.player, lines.len() as u64);
    let header = Header { game: game.clone(), rules, position: position.position_text(), player, goal, entries };
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

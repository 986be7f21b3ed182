//! An evaluation in the tree, in place of play-outs.
//!
//! When a node is opened, each of its moves is judged: by the evaluation after it, once captures are searched to their end.
//! Every node keeps the best of what its moves are worth, so that the tree knows the minimax value of every child beside
//! the mean of its simulations (implicit minimax backups: Lanctot, Winands, Pepels and Sturtevant 2014). These values take
//! the place of the all-moves-as-first values of RAVE, beside every move, visited or not ([`Amaf`]): the choice mixes
//! them with the means by the formula of RAVE, and visits the most promising of the unvisited children first.
//!
//! The result of a simulation is drawn so that its mean is the value of the leaf: trees count wins, draws and losses.

use super::open::{Opened, outcome_for};
use super::{Search, Workspace};
use crate::evaluation::{Judge, Logit};
use crate::game::{DecisivePlayouts, Defence, Game};
use crate::outcome::{Outcome, Player, Wdl};
use crate::search::tree::{Amaf, Node};

/// What a value of 1 is in the tree.
const ONE: i32 = 1 << 13;
/// Plies up to which captures, and answers to threats, are followed.
const PLIES: usize = 6;

/// What judges positions in a search with one thread.
pub(crate) struct Judging<G: Game> {
    judge: Box<dyn Judge<G>>,
    /// The moves to search of all positions on the path, one list after the other.
    forcing: Vec<G::Move>,
    fresh: Vec<G::Move>,
    ends: Vec<(usize, Outcome)>,
    defences: Vec<G::Move>,
}

impl<G: Game> Judging<G> {
    pub(super) fn new(judge: Box<dyn Judge<G>>) -> Self {
        let [forcing, fresh, defences] = [const { Vec::new() }; 3];
        Self { judge, forcing, fresh, ends: Vec::new(), defences }
    }

    /// What `m` is worth to the player who moves, from -[`ONE`] to `ONE`.
    fn after(&mut self, state: &G, m: G::Move, depth: usize) -> i32 {
        let mover = state.to_move();
        let mut next = state.clone();
        next.play(m);
        if let Some(outcome) = next.outcome() {
            return ONE * outcome.of(mover).value();
        }
        let logit = self.quiet(&next, depth + 1, -Logit::LARGEST, Logit::LARGEST, PLIES);
        let value = (Logit(logit).mean() * ONE as f32).round_ties_even() as i32;
        // Certain is only what the rules say.
        let value = value.clamp(1 - ONE, ONE - 1);
        if next.to_move() == mover { value } else { -value }
    }

    /// The value of an unfinished position for the player to move, as a logit.
    fn quiet(&mut self, state: &G, depth: usize, mut alpha: i32, beta: i32, left: usize) -> i32 {
        self.fresh.clear();
        self.ends.clear();
        self.defences.clear();
        state.moves_and_ends(&mut self.fresh, &mut self.ends);
        let mover = state.to_move();
        if self.ends.iter().any(|(_, outcome)| outcome.winner() == Some(mover)) {
            return Logit::LARGEST;
        }
        let cheap = state.decisive_playouts() == DecisivePlayouts::WinsAndDefences;
        let defence = if cheap { state.defences(&mut self.defences) } else { Defence::NotNeeded };
        if defence == Defence::Hopeless {
            return -Logit::LARGEST;
        }
        let threatened = defence == Defence::Needed;
        let value = self.judge.value(state, depth).0;
        if left == 0 || value >= beta && !threatened {
            return value;
        }
        let mut best = if threatened { -Logit::LARGEST } else { value };
        alpha = alpha.max(best);
        let from = self.forcing.len();
        let listed = if threatened { &self.defences } else { &self.fresh };
        self.forcing.extend(listed.iter().filter(|&&m| threatened || !state.is_quiet(m)));
        for at in from..self.forcing.len() {
            let mut next = state.clone();
            next.play(self.forcing[at]);
            let same = next.to_move() == mover;
            let score = match next.outcome() {
                Some(outcome) => outcome.of(mover).value() * Logit::LARGEST,
                None if same => self.quiet(&next, depth + 1, alpha, beta, left - 1),
                None => -self.quiet(&next, depth + 1, -beta, -alpha, left - 1),
            };
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        self.forcing.truncate(from);
        best
    }
}

impl<G: Game> Workspace<G> {
    /// Judges the moves of a node that was just opened.
    pub(super) fn judge_moves(&mut self, state: &G, node: Node, depth: usize) {
        let Some(judging) = &mut self.judging else { return };
        let head = self.tree.head(node);
        for index in 0..head.children {
            let value = judging.after(state, self.tree.move_of(node, index), depth);
            self.tree.set_amaf(node, index, Amaf::new(value, ONE as u32));
        }
    }

    /// What a node is worth to the player who moves there.
    fn best_value(&self, node: Node) -> i32 {
        self.tree.amaf(&self.tree.head(node)).iter().map(|value| value.sum()).max().unwrap_or(0)
    }
}

impl<G: Game> Search<'_, G> {
    /// Carries the value of the leaf at the end of the path upward, while something changes.
    pub(super) fn back_up_values(&mut self, opened: Opened) {
        let space = &mut *self.space;
        if space.judging.is_none() {
            return;
        }
        let seen_by = |player: Player, mover: Player, value: i32| if player == mover { value } else { -value };
        let Some(leaf) = space.path.last() else { return };
        let mut value = match opened {
            Opened::Node(child) => seen_by(leaf.mover, self.state.to_move(), space.best_value(child)),
            Opened::Decided(outcome) => ONE * outcome.of(leaf.mover).value(),
            Opened::Full => return,
        };
        for depth in (0..space.path.len()).rev() {
            let step = space.path[depth];
            let new = Amaf::new(value, ONE as u32);
            if space.tree.set_amaf(step.node, step.slot, new) == new {
                return;
            }
            if let Some(above) = depth.checked_sub(1) {
                value = seen_by(space.path[above].mover, step.mover, space.best_value(step.node));
            }
        }
    }

    /// A result for the leaf at the end of the path, drawn so that its mean is what the leaf is worth.
    pub(super) fn judged_result(&mut self) -> Outcome {
        let Some(&leaf) = self.space.path.last() else { return Outcome::DRAW };
        let value = self.space.tree.amaf(&self.space.tree.head(leaf.node))[leaf.slot].sum();
        let certain = self.rng.below(ONE as usize) < value.unsigned_abs() as usize;
        outcome_for(
            leaf.mover,
            if !certain {
                Wdl::Draw
            } else if value > 0 {
                Wdl::Win
            } else {
                Wdl::Loss
            },
        )
    }
}

//! Positions that enter the tree with their moves.

use std::sync::Arc;

use wide::f32x4;

use super::judged::Judging;
use super::keep::Kept;
use super::learn::MoveStats;
use crate::evaluation::Evaluator;
use crate::game::{Defence, Game};
use crate::outcome::{Outcome, Player, Wdl};
use crate::search::bonus::SelectionBonus;
use crate::search::dfpn::Solver;
use crate::search::policy::PlayoutPolicy;
use crate::search::proof::{Goal, NodeKind, ProofNumber};
use crate::search::report::Bounds;
use crate::search::switches::{Fading, Mcts};
use crate::search::tree::{Amaf, Choice, Node, NodeInfo, Step, Tree};
use crate::search::view::Viewing;

/// The tree and the buffers of a search, used again from one search to the next: nothing is allocated in a simulation.
pub(crate) struct Workspace<G: Game> {
    pub(crate) tree: Tree<G::Move>,
    pub(crate) path: Vec<Step>,
    pub(crate) moves: Vec<G::Move>,
    pub(crate) ends: Vec<(usize, Outcome)>,
    pub(super) lanes: Vec<f32x4>,
    pub(super) bonuses: Vec<f32>,
    /// The bonus that the agent brought along.
    pub(crate) own_bonus: Option<Arc<dyn SelectionBonus>>,
    /// What judges positions, if the agent of this search asks for it.
    pub(crate) evaluator: Option<Arc<dyn Evaluator<G>>>,
    pub(super) judging: Option<Judging<G>>,
    /// What play-outs go by, if it is not for the agent to say; and room for their moves.
    pub(crate) policy: Option<Box<dyn PlayoutPolicy<G>>>,
    pub(super) played: Vec<(Player, G::Move)>,
    pub(super) amaf: Vec<Amaf>,
    pub(super) fading: Fading,
    pub(super) move_stats: MoveStats<G::Move>,
    /// The last search, if the next one may go on with it.
    pub(super) kept: Option<Kept<G>>,
    /// A second goal that the numbers are kept for.
    pub(super) second: Option<Goal>,
    /// The search beside the tree.
    pub(super) solver: Solver<G>,
    defences: Vec<G::Move>,
    /// Lost simulations with which remote moves begin; and which moves those are.
    pub(super) virtual_losses: u32,
    remote: Vec<usize>,
    finished: Vec<(Wdl, G::Move)>,
    /// Who looks at the tree from outside.
    pub(crate) viewing: Viewing<G::Move>,
    /// The workspaces of the threads that search this tree.
    pub(super) threads: Vec<Self>,
}

/// What became of a position that was to enter the tree.
#[derive(Clone, Copy, Debug)]
pub(super) enum Opened {
    Node(Node),
    /// It has this value whatever is played, and needs no place.
    Decided(Outcome),
    /// There was no memory for it.
    Full,
}

impl<G: Game> Workspace<G> {
    pub(crate) fn new() -> Self {
        Self {
            tree: Tree::new(),
            path: Vec::new(),
            moves: Vec::new(),
            ends: Vec::new(),
            lanes: Vec::new(),
            bonuses: Vec::new(),
            own_bonus: None,
            evaluator: None,
            judging: None,
            policy: None,
            played: Vec::new(),
            amaf: Vec::new(),
            fading: Fading::default(),
            move_stats: MoveStats::new(),
            kept: None,
            second: None,
            solver: Solver::new(),
            defences: Vec::new(),
            virtual_losses: 0,
            remote: Vec::new(),
            finished: Vec::new(),
            viewing: Viewing::empty(),
            threads: Vec::new(),
        }
    }

    /// Opens a position: lists its moves, tests with `goal` which of them finish the game, and makes its node.
    pub(crate) fn open(&mut self, state: &G, counted: Option<Goal>, capacity: usize, beyond: bool) -> Option<Node> {
        self.moves.clear();
        self.ends.clear();
        let mut choice = Choice { mover: state.to_move(), kind: NodeKind::Or, ended: 0, decisive: false };
        match counted {
            Some(counted) => {
                state.moves_and_ends(&mut self.moves, &mut self.ends);
                self.judge(&mut choice, counted);
            }
            None => state.moves(&mut self.moves),
        }
        self.tree.expand(&self.moves, capacity, choice, beyond)
    }

    fn judge(&self, choice: &mut Choice, counted: Goal) {
        let kind = NodeKind::of(counted, choice.mover);
        choice.kind = kind;
        choice.ended = self.ends.len();
        choice.decisive = self.ends.iter().any(|(_, outcome)| kind.key(counted.numbers(*outcome)) == ProofNumber::ZERO);
    }

    /// The root of a full search; it is opened even where everything is decided.
    pub(super) fn open_root(&mut self, start: &G, counted: Option<Goal>, config: &Mcts) -> Option<Node> {
        self.list(start, config);
        if config.decisive_tree {
            self.only_decisive(start, config);
        }
        self.order_and_expand(start, counted, usize::MAX, true)
    }

    /// Opens a position of a full search.
    pub(super) fn open_full(&mut self, state: &G, counted: Option<Goal>, config: &Mcts) -> Opened {
        self.list(state, config);
        let mover = state.to_move();
        let hopeless = config.decisive_tree && self.only_decisive(state, config);
        if config.solver.is_some() {
            let best = self.ends.iter().map(|(_, outcome)| outcome.of(mover)).max();
            match best {
                _ if hopeless => return Opened::Decided(Outcome::win(mover.other())),
                Some(Wdl::Win) => return Opened::Decided(Outcome::win(mover)),
                // All moves end the game. With more than two players a result for one says nothing of the others.
                Some(best) if self.ends.len() == self.moves.len() && state.players() == 2 => {
                    return Opened::Decided(outcome_for(mover, best));
                }
                _ => {}
            }
        }
        self.order_and_expand(state, counted, 2, false).map_or(Opened::Full, Opened::Node)
    }

    fn list(&mut self, state: &G, config: &Mcts) {
        self.moves.clear();
        self.ends.clear();
        if config.tests_ends() {
            state.moves_and_ends(&mut self.moves, &mut self.ends);
        } else {
            state.moves(&mut self.moves);
        }
    }

    /// Leaves only a winning move if there is one, else only those that keep the opponent from winning at once, if that
    /// is called for. Returns true if every move loses at once.
    fn only_decisive(&mut self, state: &G, config: &Mcts) -> bool {
        let mover = state.to_move();
        if let Some(&(index, outcome)) = self.ends.iter().find(|(_, outcome)| outcome.winner() == Some(mover)) {
            if config.solver.is_none() {
                let m = self.moves[index];
                self.moves.clear();
                self.moves.push(m);
                self.ends.clear();
                self.ends.push((0, outcome));
            }
            return false;
        }
        self.defences.clear();
        let defence = state.defences(&mut self.defences);
        if defence == Defence::NotNeeded {
            return false;
        }
        if !self.defences.is_empty() {
            let Self { moves, ends, defences, .. } = self;
            let mut kept = 0;
            let mut next_end = 0;
            let mut ends_kept = 0;
            for index in 0..moves.len() {
                let end = ends.get(next_end).copied().filter(|&(at, _)| at == index);
                next_end += usize::from(end.is_some());
                if defences.contains(&moves[index]) {
                    moves[kept] = moves[index];
                    if let Some((_, outcome)) = end {
                        ends[ends_kept] = (kept, outcome);
                        ends_kept += 1;
                    }
                    kept += 1;
                }
            }
            moves.truncate(kept);
            ends.truncate(ends_kept);
        }
        defence == Defence::Hopeless
    }

    /// Puts the moves that finish the game last, the best of them at the very end, and makes the node.
    fn order_and_expand(&mut self, state: &G, counted: Option<Goal>, capacity: usize, beyond: bool) -> Option<Node> {
        let mover = state.to_move();
        let mut info = NodeInfo { best_end: None, decisive_second: false };
        let mut choice = Choice { mover, kind: NodeKind::Or, ended: self.ends.len(), decisive: false };
        if let Some(counted) = counted {
            self.judge(&mut choice, counted);
            let second =
                |goal: Goal| self.ends.iter().any(|end| choice.kind.key(goal.numbers(end.1)) == ProofNumber::ZERO);
            info.decisive_second = self.second.is_some_and(second);
        }
        if !self.ends.is_empty() {
            self.finished.clear();
            for &(index, outcome) in self.ends.iter().rev() {
                self.finished.push((outcome.of(mover), self.moves.remove(index)));
            }
            self.finished.sort_by_key(|&(value, _)| value);
            info.best_end = self.finished.last().map(|&(value, _)| value);
            self.moves.extend(self.finished.iter().map(|&(_, m)| m));
        }
        let node = self.tree.expand_extended(&self.moves, capacity, choice, info, beyond)?;
        if self.virtual_losses > 0 {
            self.remote.clear();
            state.unlikely_moves(&self.moves, &mut self.remote);
            self.tree.add_virtual_losses(node, &self.remote, self.virtual_losses);
        }
        let depth = self.path.len();
        self.judge_moves(state, node, depth);
        Some(node)
    }
}

/// A result of a two-player game that has this value for `player`.
pub(super) fn outcome_for(player: Player, value: Wdl) -> Outcome {
    match value {
        Wdl::Win => Outcome::win(player),
        Wdl::Draw => Outcome::DRAW,
        Wdl::Loss => Outcome::win(player.other()),
    }
}

/// What is proven for `mover`, as `player` sees it. Of several others a player knows only that a winner leaves none.
pub(super) fn seen_by(player: Player, mover: Player, bounds: Bounds, players: usize) -> Bounds {
    if player == mover {
        bounds
    } else if players == 2 {
        Bounds { least: bounds.most.flip(), most: bounds.least.flip() }
    } else if bounds.least == Wdl::Win {
        Bounds::exactly(Wdl::Loss)
    } else {
        Bounds::OPEN
    }
}

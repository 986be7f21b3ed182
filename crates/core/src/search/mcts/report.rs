//! What a search tells: the moves of the root, which of them to play, and the line it expects.

use super::Search;
use crate::game::Game;
use crate::outcome::Wdl;
use crate::search::budget::{Meter, Stopped};
use crate::search::proof::{Goal, ProofNumbers};
use crate::search::report::{Bounds, MoveReport, Report, competition_ranks};
use crate::search::switches::FinalMove;
use crate::search::tree::{Link, Node};

impl<G: Game> Search<'_, G> {
    pub(super) fn report(&self, meter: &Meter<'_>, stopped: Option<Stopped>) -> Report<G::Move> {
        let tree = &self.space.tree;
        let root = self.root;
        let proof = self.counted.is_some();
        let own = |numbers| self.for_root(numbers);
        let mut moves: Vec<_> = (0..tree.children(root)).map(|slot| self.move_report(root, slot)).collect();
        for (found, standing) in moves.iter_mut().zip(self.explain_root()) {
            (found.terms, found.next) = (standing.terms, standing.next);
        }
        let known = moves.len();
        if self.rules.config.decisive_tree {
            self.add_left_out(&mut moves);
        }
        moves.iter_mut().for_each(|m| self.prover.tell(m));
        if proof {
            let key = |m: &MoveReport<_>| m.numbers.unwrap_or(ProofNumbers::UNKNOWN).pn;
            let ranks = competition_ranks(&moves.iter().map(key).collect::<Vec<_>>());
            for (m, rank) in moves.iter_mut().zip(ranks) {
                m.rank = Some(rank);
            }
        }
        // With no simulation at all, any move.
        let any = (meter.done() == 0).then(|| moves[self.rng.clone().below(known)].m);
        // Stable, so that equally visited moves keep the random order of their first visits.
        moves.sort_by_key(|m| std::cmp::Reverse(m.visits));
        let best = self.final_move(&moves, any);
        let mut bounds = if proof { self.root_knowledge() } else { Bounds::OPEN };
        if self.rules.config.solver.is_some() {
            bounds = self.root_bounds;
        }
        bounds = bounds.and(self.prover.bounds);
        let answer = self.prover.answer().filter(|_| self.solves);
        Report {
            best,
            bounds,
            numbers: answer.or(proof.then_some(own(self.root_numbers))),
            line: self.line(best),
            moves,
            simulations: meter.done(),
            nodes: tree.nodes(),
            bytes: tree.bytes() + self.prover.usage.map_or(0, |_| self.space.solver.bytes()),
            elapsed: meter.elapsed(),
            stopped,
            table: self.prover.usage,
            full_after: self.full_after,
        }
    }

    /// The numbers as those of the goal that the player to move at the root wins.
    fn for_root(&self, numbers: ProofNumbers) -> ProofNumbers {
        self.counted.map_or(numbers, |counted| counted.for_player(self.start.to_move(), numbers))
    }

    /// What numbers say of a position, for the player to move at the root; `second` are those of "at least draws".
    fn knowledge(&self, numbers: ProofNumbers, second: Option<ProofNumbers>) -> Bounds {
        let mut bounds = Bounds::from_win_numbers(numbers);
        if self.counted == Some(Goal::RACE) && numbers.is_disproven() {
            // The second number is the opponent's proof.
            return Bounds::exactly(Wdl::Loss);
        }
        if let Some(second) = second {
            let opponent = ProofNumbers { pn: second.dpn, dpn: second.pn };
            bounds = bounds.and_loss_numbers(opponent);
        }
        bounds
    }

    pub(super) fn root_knowledge(&self) -> Bounds {
        let second = self.space.second.map(|_| self.root_second);
        self.knowledge(self.for_root(self.root_numbers), second)
    }

    /// The moves that only a decisive opening of the root left out: after each of them the opponent wins at once, or a
    /// win at once was there instead.
    fn add_left_out(&self, moves: &mut Vec<MoveReport<G::Move>>) {
        let mut all = Vec::new();
        self.start.moves(&mut all);
        if all.len() == moves.len() {
            return;
        }
        let instead = moves.len() == 1 && moves[0].bounds.least == Wdl::Win;
        let numbers = self.counted.map(|_| if instead { ProofNumbers::UNKNOWN } else { ProofNumbers::DISPROVEN });
        let bounds = if instead { Bounds::OPEN } else { Bounds::exactly(Wdl::Loss) };
        all.retain(|m| !moves.iter().any(|known| known.m == *m));
        for m in all {
            let mut next = self.start.clone();
            next.play(m);
            let ended = next.outcome();
            let bounds = ended.map_or(bounds, |outcome| Bounds::exactly(outcome.of(self.start.to_move())));
            let numbers =
                self.counted.zip(ended).map(|(counted, outcome)| self.for_root(counted.numbers(outcome))).or(numbers);
            moves.push(MoveReport {
                m,
                visits: 0,
                mean: 0.0,
                at_most: false,
                numbers,
                rank: None,
                bounds,
                terms: None,
                next: false,
            });
        }
    }

    /// The move to play, `moves` standing in the order of their visits.
    pub(super) fn final_move(&self, moves: &[MoveReport<G::Move>], any: Option<G::Move>) -> Option<G::Move> {
        let solver = self.rules.config.solver.is_some();
        if self.rules.config.choice == FinalMove::Robust {
            return any.or(moves.first().map(|m| m.m));
        }
        let proven = |m: &&MoveReport<_>| {
            m.numbers.is_some_and(ProofNumbers::is_proven)
                || (solver || self.rules.config.prove.is_some()) && m.bounds.least == Wdl::Win
        };
        if let Some(won) = moves.iter().find(proven) {
            return Some(won.m);
        }
        if let Some(value) = self.root_bounds.and(self.prover.bounds).value() {
            // Nothing is better than what is proven; of a lost position the move that held out longest.
            return moves.iter().find(|m| m.bounds.least >= value).map(|m| m.m).or(any);
        }
        let disproven = self.counted.is_some() && self.root_knowledge().most < Wdl::Win;
        // Where no win is left, anything but a certain loss.
        let hopeless = disproven || solver && self.root_bounds.most < Wdl::Win;
        if self.rules.config.choice == FinalMove::Proven || !solver && self.counted.is_none() {
            let chance = moves.iter().find(|m| !hopeless || m.bounds.most > Wdl::Loss).or(moves.first());
            return any.or(chance.map(|m| m.m));
        }
        let best = moves.iter().find(|m| m.bounds.most > Wdl::Loss);
        // What is sure is better than what looks worse, or cannot be better.
        let sure = moves.iter().find(|m| m.bounds.least == Wdl::Draw);
        let better = best.zip(sure).and_then(|(best, sure)| {
            let worse = best.visits == 0 || best.mean < 0.0 || best.bounds.most == Wdl::Draw;
            (best.bounds.least < Wdl::Draw && worse).then_some(sure.m)
        });
        let any = any.filter(|any| moves.iter().any(|m| m.m == *any && m.bounds.most > Wdl::Loss));
        better.or(any).or(best.or(moves.first()).map(|m| m.m))
    }

    fn move_report(&self, node: Node, slot: usize) -> MoveReport<G::Move> {
        let tree = &self.space.tree;
        let m = tree.move_of(node, slot);
        let mut next = self.start.clone();
        next.play(m);
        let mover = self.start.to_move();
        let mut report = MoveReport {
            m,
            visits: 0,
            mean: 0.0,
            at_most: false,
            numbers: None,
            rank: None,
            bounds: Bounds::OPEN,
            terms: None,
            next: false,
        };
        if slot < tree.visited(node) {
            report.visits = tree.child_visits(node, slot).into();
            report.mean = f64::from(tree.values(&tree.head(node)).0[slot]) / (report.visits as f64).max(1.0);
            report.numbers = self.counted.map(|_| self.for_root(tree.numbers(node, slot)));
        } else if let Some(counted) = self.counted {
            let numbers = next.outcome().map_or(ProofNumbers::UNKNOWN, |outcome| counted.numbers(outcome));
            report.numbers = Some(self.for_root(numbers));
        }
        if let Some(numbers) = report.numbers {
            let second = slot < tree.visited(node) && self.space.second.is_some();
            report.bounds = self.knowledge(numbers, second.then(|| tree.second_numbers(node, slot)));
        }
        if self.rules.config.solver.is_some() && slot < tree.visited(node) {
            report.bounds = tree.bounds(node, slot);
        }
        if let Some(outcome) = next.outcome() {
            report.bounds = Bounds::exactly(outcome.of(mover));
        }
        report
    }

    /// The best move and what is expected after it: proven moves of the winner first, else the most visited ones.
    fn line(&self, best: Option<G::Move>) -> Vec<G::Move> {
        let tree = &self.space.tree;
        let solver = self.rules.config.solver.is_some();
        let mut line = Vec::new();
        let mut node = Some(self.root);
        let mut first = best;
        let mut state = self.start.clone();
        while let Some(here) = node {
            let visited = tree.visited(here);
            let won = |slot: &usize| {
                if solver {
                    return tree.bounds(here, *slot).least == Wdl::Win;
                }
                let chooser = tree.head(here).mover == self.start.to_move();
                self.counted.is_some() && chooser && self.for_root(tree.numbers(here, *slot)).is_proven()
            };
            let most = |&slot: &usize| (tree.child_visits(here, slot), std::cmp::Reverse(slot));
            let slot = match first.take() {
                Some(m) => (0..tree.children(here)).find(|&slot| tree.move_of(here, slot) == m),
                None => (0..visited).find(won).or((0..visited).max_by_key(most)),
            };
            let Some(slot) = slot else { break };
            line.push(tree.move_of(here, slot));
            state.play(tree.move_of(here, slot));
            node = match (slot < visited).then(|| tree.link(here, slot)) {
                Some(Link::Node(child)) => Some(child),
                _ => None,
            };
        }
        // A position with a winning move was decided without a place in the tree.
        if solver && state.outcome().is_none() {
            let (mut moves, mut ends) = (Vec::new(), Vec::new());
            state.moves_and_ends(&mut moves, &mut ends);
            let won = ends.iter().find(|(_, outcome)| outcome.winner() == Some(state.to_move()));
            line.extend(won.map(|&(index, _)| moves[index]));
        }
        line
    }
}
